//! What the formats of servers share: a file is one record, made of lines.

use super::{Around, Piece, SplitState};
use crate::{
    outcome::Side,
    record::{Field, Place, Record, Step, StepKind, Warning, warn_once},
    source::charset::utf8_mark,
};

/// Makes one piece of a file, once all of it is there; see [`super::Format::split`].
pub(super) fn split(
    state: &mut SplitState,
    window: &[u8],
    eof: bool,
    each: &mut dyn FnMut(Piece),
) -> usize {
    if state.is_passing() {
        // The rest of a record that was too long.
        return window.len();
    }
    if !eof {
        return 0;
    }
    let mark = utf8_mark(window);
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let ink = window[mark..].iter().position(|byte| !blank(byte));
    if let Some(ink) = ink {
        state.any = true;
        state.inked = true;
        each(Piece {
            start: mark + ink,
            end: window.len(),
            around: Around {
                unclosed: true,
                ..Around::default()
            },
        });
    }
    window.len()
}

/// Makes one piece of a file of bytes, blank ones too, once all of it is there;
/// see [`super::Format::split`].
pub(super) fn split_raw(
    state: &mut SplitState,
    window: &[u8],
    eof: bool,
    each: &mut dyn FnMut(Piece),
) -> usize {
    if state.is_passing() {
        return window.len();
    }
    if !eof {
        return 0;
    }
    if !window.is_empty() {
        state.any = true;
        state.inked = true;
        each(Piece {
            start: 0,
            end: window.len(),
            around: Around {
                unclosed: true,
                ..Around::default()
            },
        });
    }
    window.len()
}

/// Makes one piece of each line that is not blank; see [`super::Format::split`].
pub(super) fn split_lines(
    state: &mut SplitState,
    window: &[u8],
    eof: bool,
    each: &mut dyn FnMut(Piece),
) -> usize {
    let mut at = 0;
    if state.is_passing() {
        // What is left of a line that was too long is no line of its own.
        match memchr::memchr2(b'\n', b'\r', window) {
            Some(end) => at = end + 1,
            None => return window.len(),
        }
        state.pass_over();
    }
    while at < window.len() {
        let found = memchr::memchr2(b'\n', b'\r', &window[at..]);
        let end = match found {
            Some(length) => at + length,
            None if eof => window.len(),
            None => break,
        };
        let line = &window[at..end];
        let mark = if state.inked { 0 } else { utf8_mark(line) };
        let ink = line[mark..].trim_ascii();
        if !ink.is_empty() {
            state.any = true;
            state.inked = true;
            let start = offset(window, ink);
            each(Piece {
                start,
                end: start + ink.len(),
                around: Around {
                    unclosed: found.is_none(),
                    ..Around::default()
                },
            });
        }
        at = (end + 1).min(window.len());
    }
    at
}

/// So many lines are looked at to tell a list from another text.
pub(super) const LOOK_AHEAD: usize = 8;

/// The first lines of a file that are not blank, without the blanks around them;
/// of a head that fills its buffer, the line that it ends in is left out.
pub(super) fn head_lines(head: &[u8], most: usize) -> impl Iterator<Item = &[u8]> {
    let end = match memchr::memrchr2(b'\n', b'\r', head) {
        Some(end) if head.len() >= 4096 => end,
        _ => head.len(),
    };
    head[utf8_mark(head).min(end)..end]
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
        .take(most)
}

/// The lines of a record, blank ones too, each with its place and without the
/// blanks around it.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let end = line_end(bytes);
    bytes.split(move |byte| *byte == end).map(move |line| {
        let ink = line.trim_ascii_start();
        let before = line.len() - ink.len();
        (offset(bytes, line) + before, ink.trim_ascii_end())
    })
}

/// What ends the lines of a record: CR alone where there is no LF.
fn line_end(bytes: &[u8]) -> u8 {
    memchr::memchr(b'\n', bytes).map_or(b'\r', |_| b'\n')
}

/// Where a part of some bytes begins.
pub(super) fn offset(bytes: &[u8], part: &[u8]) -> usize {
    (part.as_ptr() as usize).saturating_sub(bytes.as_ptr() as usize)
}

/// Where the last line begins if it has no end, so that it may be torn; else
/// the length of the record.
pub(super) fn torn_from(bytes: &[u8]) -> usize {
    memchr::memrchr(line_end(bytes), bytes).map_or(0, |end| end + 1)
}

/// A number as written.
pub(super) fn number(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

/// Adds a step of the main line.
pub(super) fn step<'a>(record: &mut Record<'a>, kind: StepKind, token: &'a [u8], at: usize) {
    record.steps.push(Step {
        kind,
        at: at as u32,
        token,
    });
}

/// Adds a move that cannot be read as one that cannot be played, so that the
/// replay stops at it.
pub(super) fn stray<'a>(record: &mut Record<'a>, line: &'a [u8], at: usize) {
    let last = record.steps.iter().rev().find_map(|step| match step.kind {
        StepKind::Play(side) => Some(side),
        _ => None,
    });
    let side = last.map_or(Side::First, Side::other);
    step(record, StepKind::Play(side), line, at);
}

/// Notes a line that ends before it says what it should.
pub(super) fn warn_torn(record: &mut Record<'_>, at: usize) {
    let warning = Warning::new("torn_line", Place::Byte(at as u32));
    warn_once(&mut record.warnings, warning);
}

/// Adds a text for people, where such are wanted and there is one.
pub(super) fn field<'a>(record: &mut Record<'a>, meta: bool, field: Field, text: &'a [u8]) {
    if meta && !text.is_empty() {
        record.fields.push((field, text));
    }
}

/// Warns where the moves are not as many as the record says.
pub(super) fn check_count(record: &mut Record<'_>, said: Option<u32>) {
    let moves = record.moves();
    if let Some(said) = said.filter(|said| *said > 0 && *said as usize != moves) {
        let value = format!("header={said},moves={moves}");
        let warning = Warning::with("move_count", value, Place::Record);
        warn_once(&mut record.warnings, warning);
    }
}

/// Sets up the handicap of a 19x19 game whose stones are not among the moves:
/// then White moves first. `points` are the tokens of, in this order, the star
/// points top right, bottom left, top left and bottom right; left, right, top
/// and bottom; and the centre.
///
/// Three stones leave the bottom right corner open, unlike in Japan.
pub(super) fn place_handicap(record: &mut Record<'_>, at: usize, points: [&'static [u8]; 9]) {
    let stones = record.handicap.and_then(number).unwrap_or_default() as usize;
    let white_first = record
        .steps
        .first()
        .is_some_and(|step| step.kind == StepKind::Play(Side::Second) && !step.token.is_empty());
    if !(2..=9).contains(&stones) || !white_first {
        return;
    }
    let centre = stones > 4 && stones % 2 == 1;
    let outer = stones - usize::from(centre);
    let placed = points[..outer].iter().chain(centre.then_some(&points[8]));
    let placed = placed.map(|token| Step {
        kind: StepKind::Place(Side::First),
        at: at as u32,
        token,
    });
    record.steps.splice(0..0, placed);
}

/// A name with a rank behind it in brackets, `name(5K)`, or after the last of
/// some sign.
pub(super) fn name_and_rank(text: &[u8], sign: u8) -> (&[u8], &[u8]) {
    let text = text.trim_ascii();
    let Some(at) = text.iter().rposition(|byte| *byte == sign) else {
        return (text, b"");
    };
    let rank = text[at + 1..].trim_ascii();
    let rank = rank.strip_suffix(b")").unwrap_or(rank);
    (text[..at].trim_ascii(), rank.trim_ascii())
}
