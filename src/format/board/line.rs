//! What a line is: a row of a board, a label, a number, something said.

use super::{
    head::pairs,
    row::{Items, Shape, row, split_digits},
    signs::{Kind, sign},
};

/// Further lines are not looked at to tell what a line of dashes is.
const MAX_LOOK: usize = 52;

/// A line as it is by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Blank,
    /// `===`: ends a record.
    Rule,
    /// Dashes, and pluses where `frame` is set: a rule, a frame or a row.
    Dashes {
        shape: Shape,
        frame: bool,
    },
    /// A frame without any other meaning.
    Frame,
    Columns,
    /// A number; some digits can be a row as well.
    Number(Option<Shape>),
    Row(Shape),
    Head,
    Text,
}

/// A line as it is after and before others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Nothing.
    Blank,
    /// The end of a record: `---`, `===`.
    Rule,
    /// A frame around a board.
    Frame,
    /// Names of columns.
    Columns,
    /// A number alone.
    Number,
    /// A row of a board.
    Row(Shape),
    /// `key: value` or `key = value`, or `# key=value key=value`.
    Head,
    /// Anything else.
    Text,
}

/// The rows of a board met so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// How many there are.
    pub(super) rows: u32,
    shape: Shape,
}

impl Seen {
    /// Takes down a row.
    pub(super) fn add(&mut self, shape: Shape) {
        self.rows = self.rows.saturating_add(1);
        self.shape.width = shape.width;
        self.shape.dashes |= shape.dashes;
        self.shape.digits |= shape.digits;
    }
}

/// A line of some bytes: first byte, one past its last, first of the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: usize,
}

/// The line that starts at a place; nothing where the bytes end in it and more
/// can follow. The end of the bytes is no line.
pub(super) fn span(bytes: &[u8], start: usize, eof: bool) -> Option<Span> {
    let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
    let Some(length) = memchr::memchr2(b'\n', b'\r', rest) else {
        return eof.then_some(Span {
            start,
            end: bytes.len(),
            next: bytes.len(),
        });
    };
    let end = start + length;
    let pair = rest.get(length) == Some(&b'\r');
    match rest.get(length + 1) {
        None if pair && !eof => None,
        Some(b'\n') if pair => Some(Span {
            start,
            end,
            next: end + 2,
        }),
        _ => Some(Span {
            start,
            end,
            next: end + 1,
        }),
    }
}

/// What a line is; nothing where that depends on lines that are not there
/// yet. The parts of a row are in `items`.
pub(super) fn line(
    bytes: &[u8],
    span: Span,
    seen: Seen,
    eof: bool,
    items: &mut Items,
) -> Option<Line> {
    let text = bytes.get(span.start..span.end).unwrap_or_default();
    Some(match look(text, items) {
        Look::Blank => Line::Blank,
        Look::Rule => Line::Rule,
        Look::Frame => Line::Frame,
        Look::Columns => Line::Columns,
        Look::Row(shape) => Line::Row(shape),
        Look::Head => Line::Head,
        Look::Text => Line::Text,
        Look::Number(None) => Line::Number,
        Look::Number(Some(shape)) => {
            let is_row = if seen.rows > 0 {
                seen.shape.digits && seen.shape.width == shape.width
            } else {
                digits_follow(bytes, span.next, shape, eof)?
            };
            if is_row {
                split_digits(text, items);
                Line::Row(shape)
            } else {
                Line::Number
            }
        }
        Look::Dashes { shape, frame } => {
            let known = seen.rows > 0 && seen.shape.width == shape.width && seen.shape.dashes;
            if known || dashes_follow(bytes, span.next, shape, eof)? {
                row(text, items);
                Line::Row(shape)
            } else if frame {
                Line::Frame
            } else {
                Line::Rule
            }
        }
    })
}

/// Whether the next line is a row of as many digits.
fn digits_follow(bytes: &[u8], next: usize, shape: Shape, eof: bool) -> Option<bool> {
    let Some(span) = span(bytes, next, eof) else {
        return eof.then_some(false);
    };
    let text = bytes.get(span.start..span.end).unwrap_or_default();
    Some(match look(text, &mut Items::default()) {
        Look::Number(Some(other)) => other.width == shape.width,
        Look::Row(other) => other.width == shape.width && other.digits,
        _ => false,
    })
}

/// Whether rows follow that are as wide as these dashes, one of them with
/// points written `-`.
fn dashes_follow(bytes: &[u8], mut next: usize, shape: Shape, eof: bool) -> Option<bool> {
    let mut items = Items::default();
    for _ in 0..MAX_LOOK {
        let Some(span) = span(bytes, next, eof) else {
            return eof.then_some(false);
        };
        let text = bytes.get(span.start..span.end).unwrap_or_default();
        match look(text, &mut items) {
            Look::Dashes { shape: other, .. } if other.width == shape.width => next = span.next,
            Look::Row(other) if other.width == shape.width && other.dashes => return Some(true),
            Look::Row(other) if other.width == shape.width => next = span.next,
            _ => return Some(false),
        }
    }
    Some(false)
}

fn look(line: &[u8], items: &mut Items) -> Look {
    items.clear();
    let text = trim(line);
    match text {
        [] => return Look::Blank,
        [b'=', rest @ ..] if rest.iter().all(|byte| *byte == b'=') => return Look::Rule,
        [b'-' | b'+', _, _, ..] if text.iter().all(|byte| matches!(byte, b'-' | b'+')) => {
            let shape = Shape {
                width: text.len(),
                dashes: true,
                digits: false,
            };
            if text.contains(&b'-') {
                let frame = text.contains(&b'+');
                return Look::Dashes { shape, frame };
            }
        }
        _ if is_frame(text) => return Look::Frame,
        _ => {}
    }
    if is_columns(text) {
        return Look::Columns;
    }
    if is_number(text) {
        let is_row = text
            .iter()
            .all(|byte| matches!(byte, b'0'..=b'2' | b'.' | b',' | b'-' | b'+'));
        return Look::Number(is_row.then_some(Shape {
            width: text.len(),
            dashes: text.contains(&b'-'),
            digits: true,
        }));
    }
    if head(text).is_some() || pairs(text).next().is_some() {
        return Look::Head;
    }
    row(line, items).map_or(Look::Text, Look::Row)
}

/// A line without the blanks around it; byte order marks are blanks.
pub(super) fn trim(line: &[u8]) -> &[u8] {
    let mut text = line.trim_ascii();
    while let Some(rest) = text.strip_prefix(b"\xef\xbb\xbf") {
        text = rest.trim_ascii_start();
    }
    text
}

/// A horizontal line of box drawing between two corners.
fn is_frame(text: &[u8]) -> bool {
    const CORNERS: [char; 24] = [
        '┌', '┐', '└', '┘', '┏', '┓', '┗', '┛', '╔', '╗', '╚', '╝', '├', '┤', '┠', '┨', '╟', '╢',
        '╭', '╮', '╰', '╯', '╠', '╣',
    ];
    if text.first().is_none_or(u8::is_ascii) {
        return false;
    }
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    let inside = text
        .strip_prefix(CORNERS)
        .and_then(|rest| rest.strip_suffix(CORNERS));
    inside.is_some_and(|inside| {
        !inside.is_empty()
            && inside
                .chars()
                .all(|letter| matches!(letter, '─' | '━' | '═'))
    })
}

/// Names of columns: `A B C`, `abc`, `1 2 3`, from the first on.
fn is_columns(text: &[u8]) -> bool {
    if !matches!(text.first(), Some(b'A' | b'a' | b'0' | b'1')) {
        return false;
    }
    let words = || {
        text.split(|byte| matches!(byte, b' ' | b'\t' | b'|'))
            .filter(|word| !word.is_empty())
    };
    let mut first = words();
    let (Some(word), None) = (first.next(), first.next()) else {
        return are_letters(words()) || are_numbers(words());
    };
    let signs = || word.chunks(1);
    are_letters(signs()) || are_numbers(signs())
}

/// Letters from A on, with or without I; beyond Z any two letters.
fn are_letters<'a>(words: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut expected = None;
    for (place, word) in words.enumerate() {
        let letter = match word {
            [letter] => *letter,
            [first, second]
                if place >= 25 && first.is_ascii_alphabetic() && second.is_ascii_alphabetic() =>
            {
                continue;
            }
            _ => return false,
        };
        let fits = match expected {
            None => matches!(letter, b'A' | b'a'),
            Some(b'I') => matches!(letter, b'I' | b'J'),
            Some(b'i') => matches!(letter, b'i' | b'j'),
            Some(expected) => letter == expected,
        };
        // Beyond Z some go on with a.
        if !fits && (place < 25 || !letter.is_ascii_alphabetic()) {
            return false;
        }
        expected = Some(letter.wrapping_add(1));
    }
    true
}

/// Numbers from 0 or 1 on, or their last digits, up to 3 at least: fewer could
/// be a row of digits.
fn are_numbers<'a>(words: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut last: Option<u32> = None;
    let mut count = 0;
    for word in words {
        if word.len() > 2 || !word.iter().all(u8::is_ascii_digit) {
            return false;
        }
        let number = word
            .iter()
            .fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
        let fits = match last {
            None => number <= 1,
            Some(last) => number == last + 1 || (word.len() == 1 && number == (last + 1) % 10),
        };
        if !fits {
            return false;
        }
        last = Some(number);
        count += 1;
    }
    count > 3 || (count == 3 && last == Some(3))
}

/// Whether a text is a number, with a unit or without.
fn is_number(text: &[u8]) -> bool {
    const UNITS: [&[u8]; 6] = [b"zi", b"points", b"point", b"pts", b"moku", b"p"];
    let unsigned = text.strip_prefix(b"-").or(text.strip_prefix(b"+"));
    let (whole, rest) = digits(unsigned.unwrap_or(text));
    let (part, rest) = match rest {
        [b'.' | b',', after @ ..] if after.first().is_some_and(u8::is_ascii_digit) => digits(after),
        _ => (0, rest),
    };
    if whole + part == 0 {
        return false;
    }
    let unit = rest.trim_ascii();
    let known = |name: &&[u8]| unit.eq_ignore_ascii_case(name);
    unit.is_empty()
        || UNITS.iter().any(known)
        || (unit.len() <= 24
            && unit.first().is_some_and(|byte| !byte.is_ascii())
            && sign(unit).kind == Kind::Other)
}

/// How many digits a text begins with, and what follows them.
pub(super) fn digits(text: &[u8]) -> (usize, &[u8]) {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count, text.get(count..).unwrap_or_default())
}

/// Key and value of a line that says something: `key: value`, `key = value`.
pub(super) fn head(text: &[u8]) -> Option<(&[u8], &[u8])> {
    /// A key has no more bytes.
    const LONGEST: usize = 48;
    let start = text.get(..LONGEST + 3).unwrap_or(text);
    let at = start.iter().position(|byte| matches!(byte, b':' | b'='));
    let wide = memchr::memmem::find(start, "：".as_bytes());
    let (key, value) = match (at, wide) {
        (at, Some(wide)) if at.is_none_or(|at| wide < at) => {
            (text.get(..wide)?, text.get(wide + 3..)?)
        }
        (Some(at), _) => (text.get(..at)?, text.get(at + 1..)?),
        _ => return None,
    };
    let key = key.trim_ascii_end();
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let inside = |byte: &u8| {
        letter(byte) || byte.is_ascii_digit() || matches!(byte, b' ' | b'_' | b'-' | b'(' | b')')
    };
    let plain = key.first().is_some_and(letter)
        && key.iter().all(inside)
        && !key.windows(2).any(|pair| pair == b"  ")
        && (key.is_ascii()
            || sign(key).kind == Kind::Other
            || key.first().is_some_and(u8::is_ascii));
    plain.then(|| (key, value.trim_ascii()))
}
