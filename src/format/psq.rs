//! PSQ, the files of Piskvork and of the Gomocup tournaments, and `.rec`.
//!
//! A line `Piskvorky 15x15, 11:11, 0`, then a line `8,8,118` for each move:
//! column and row from 1, the row from the top, and milliseconds; then names of
//! the players and codes. There is neither a result nor a rule inside: Gomocup
//! writes the result at the end of the file's name (`…_1.psq`: the first player
//! won, `_2` the second, `_0` nobody), and the rule is the name of a folder.
//! `.rec` has two lines of players first, and counts from 0. Where another head
//! line follows, another record begins.

use std::path::Path;

use super::{
    Around, Context, Format, Piece, Reading, SplitState, naming,
    sgf::{bad_size, parse_size},
    whole::{self, lines, stray, torn_from, warn_torn},
};
use crate::{
    outcome::Side,
    record::{Arena, Field, Notation, Place, ReadError, Record, StepKind, Warning, warn_once},
    source::charset::utf8_mark,
};

/// The PSQ format.
pub struct Psq;

impl Format for Psq {
    fn name(&self) -> &'static str {
        "psq"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["psq", "rec"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        size_of(first_line(head)).is_some()
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        split(state, window, eof, each)
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        _: Piece,
        context: &'a Context,
        _: &'a Arena,
    ) -> Reading<'a> {
        read(bytes, context)
    }
}

fn first_line(bytes: &[u8]) -> &[u8] {
    lines(bytes).next().map_or(b"", |(_, line)| line)
}

/// The name at the start of a head line.
const NAME: &[u8] = b"piskvorky";

/// The size as the head line has it.
fn size_of(line: &[u8]) -> Option<&[u8]> {
    let (name, rest) = line.split_at_checked(NAME.len())?;
    let size = rest.split(|byte| *byte == b',').next()?.trim_ascii();
    // A player may have that name too.
    let known = name.eq_ignore_ascii_case(NAME)
        && rest.first()?.is_ascii_whitespace()
        && size.first()?.is_ascii_digit();
    known.then_some(size)
}

/// A head line begins the next record; see [`Format::split`].
fn split(state: &mut SplitState, window: &[u8], eof: bool, each: &mut dyn FnMut(Piece)) -> usize {
    let mut start = 0;
    if state.is_passing() {
        start = match next_head(window, eof) {
            Some(head) => head,
            None if eof => return window.len(),
            // The last line may be a head that is not whole.
            None => return memchr::memrchr2(b'\n', b'\r', window).unwrap_or(window.len()),
        };
        state.pass_over();
    }
    loop {
        let rest = &window[start..];
        let next = next_head(rest, eof);
        let end = match next {
            Some(next) => next,
            None if eof => rest.len(),
            None => return start,
        };
        let mark = if state.any { 0 } else { utf8_mark(rest) };
        let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
        if let Some(ink) = rest[mark..end].iter().position(|byte| !blank(byte)) {
            state.any = true;
            state.inked = true;
            each(Piece {
                start: start + mark + ink,
                end: start + end,
                around: Around {
                    unclosed: next.is_none(),
                    ..Around::default()
                },
            });
        }
        start += end;
        if next.is_none() {
            return start;
        }
    }
}

/// Where the first head line begins that is not at the start.
fn next_head(window: &[u8], eof: bool) -> Option<usize> {
    memchr::memchr2_iter(b'\n', b'\r', window).find_map(|end| {
        let line = &window[end + 1..];
        let ends = memchr::memchr2(b'\n', b'\r', line);
        let whole = eof || ends.is_some();
        let line = &line[..ends.unwrap_or(line.len())];
        (whole && size_of(line).is_some()).then_some(end + 1)
    })
}

/// A line of something else among the moves.
#[derive(Clone, Copy)]
struct Other<'a> {
    line: &'a [u8],
    at: usize,
    /// Whether numbers without a time followed it, which may be codes.
    codes: bool,
}

/// The rules that a path says, if any. What the name of the file has words for may be
/// programs.
pub(crate) fn rules(path: &str) -> Option<&'static [u8]> {
    naming::of_folders(path).or_else(|| naming::rules(path))
}

fn read<'a>(bytes: &'a [u8], context: &'a Context) -> Reading<'a> {
    let mut record = Record::empty(bytes);
    record.game = Some("gomoku");
    context.set_charset(&mut record, bytes, None);
    let size = size_of(first_line(bytes));
    let (stem, extension) = stem(&context.path);
    let from_zero = size.is_none() && extension == Some(".rec");
    record.notation = Notation::Numbers {
        first: u8::from(!from_zero),
    };
    record.result = result(stem);
    record.rules = rules(&context.path);
    if let Some(size) = size {
        record.size = parse_size(size);
        if record.size.is_none() {
            let error = bad_size(&record.text(size));
            return Reading::Broken(record, error);
        }
    } else {
        record.size = context.size;
    }
    let torn_from = torn_from(bytes);
    let mut side = Side::First;
    let mut names = Vec::new();
    let mut other: Option<Other<'_>> = None;
    for (at, line) in lines(bytes).skip(usize::from(size.is_some())) {
        let played = !record.steps.is_empty();
        if let Some(Move { point, timed }) = Move::of(line) {
            // Names end the moves, and a code may follow; but no more moves.
            if let Some(other) = &mut other {
                if timed || other.codes {
                    stray(&mut record, other.line, other.at);
                    break;
                }
                other.codes = true;
                continue;
            }
            if at >= torn_from && !timed && played {
                warn_torn(&mut record, at);
                break;
            }
            whole::step(&mut record, StepKind::Play(side), point, at);
            side = side.other();
        } else if !line.is_empty() {
            if played {
                let codes = false;
                other.get_or_insert(Other { line, at, codes });
            } else if names.len() == 2 && !is_code(line) {
                stray(&mut record, line, at);
                break;
            }
            names.push(line);
        }
    }
    for (field, name) in [Field::FirstPlayer, Field::SecondPlayer]
        .into_iter()
        .zip(names)
    {
        if !is_code(name) {
            whole::field(&mut record, context.meta, field, name);
        }
    }
    if record.steps.is_empty() {
        let error = match size {
            Some(_) => ReadError::new(
                "no_moves",
                "there is no move below the first line: moves are written as 8,8,118",
            ),
            None => ReadError::new(
                "no_record",
                "there is no line such as `Piskvorky 15x15, 11:11, 0` and no move such as \
                 `8,8,118`",
            ),
        };
        return Reading::Broken(record, error);
    }
    if from_zero && seems_from_one(&record) {
        let warning = Warning::with("base_unclear", "0", Place::Record);
        warn_once(&mut record.warnings, warning);
    }
    Reading::Game(record)
}

/// Whether a line is a lone number.
fn is_code(line: &[u8]) -> bool {
    let mut bytes = line.iter();
    bytes.all(|byte| byte.is_ascii_digit() || *byte == b'-')
}

/// Whether points that are taken to be counted from 0 just fill a usual board
/// when they are counted from 1.
fn seems_from_one(record: &Record<'_>) -> bool {
    let tokens = || record.steps.iter().map(|step| step.token);
    let all = || {
        let numbers = tokens().flat_map(|token| token.split(|byte| *byte == b','));
        numbers.filter_map(whole::number)
    };
    all().all(|number| number > 0) && matches!(all().max(), Some(15 | 20))
}

/// A line of two numbers or three.
struct Move<'a> {
    /// The first two.
    point: &'a [u8],
    /// Whether something follows them.
    timed: bool,
}

impl<'a> Move<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        let mut commas = line.iter().enumerate().filter(|(_, byte)| **byte == b',');
        let (first, _) = commas.next()?;
        let end = commas.next().map_or(line.len(), |(at, _)| at);
        let is_number = |part: &[u8]| {
            let part = part.trim_ascii();
            let digits = part.strip_prefix(b"-").unwrap_or(part);
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        };
        let time = line.get(end + 1..).filter(|time| !time.is_empty());
        let all = is_number(&line[..first])
            && is_number(line.get(first + 1..end)?)
            && time.is_none_or(is_number)
            && commas.next().is_none();
        all.then_some(Self {
            point: line[..end].trim_ascii_end(),
            timed: end < line.len(),
        })
    }
}

/// The name of a file without what says its format and how it is packed, and
/// its format, in lower case.
fn stem(path: &str) -> (&str, Option<&'static str>) {
    let file = path.rsplit('/').next().unwrap_or_default();
    let ending_of = |name: &str, endings: &[&'static str]| {
        endings.iter().copied().find(|ending| {
            let at = name.len().checked_sub(ending.len());
            let end = at.and_then(|at| name.get(at..));
            end.is_some_and(|end| end.eq_ignore_ascii_case(ending))
        })
    };
    let packed = ending_of(file, &[".gz", ".zst", ".xz", ".bz2"]).map_or(0, str::len);
    let file = &file[..file.len() - packed];
    let extension = ending_of(file, &[".psq", ".rec"]);
    let length = extension.map_or(0, str::len);
    (&file[..file.len() - length], extension)
}

/// The result at the end of a name such as `round_p1_p2_1`.
fn result(stem: &str) -> Option<&'static [u8]> {
    let mut parts = stem.rsplitn(4, '_');
    let last = parts.next().filter(|_| parts.count() == 3)?;
    match last {
        "0" => Some(b"draw"),
        "1" => Some(b"B+"),
        "2" => Some(b"W+"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_moves() {
        for (line, expected) in [
            ("8,8,118", Some("8,8")),
            ("8,8", Some("8,8")),
            ("10,12,-1", Some("10,12")),
            ("8,8,", Some("8,8")),
            ("8, 8, 118", Some("8, 8")),
            ("8 ,8 ,118", Some("8 ,8")),
            ("0,Freestyle1", None),
            ("8", None),
            ("-1", None),
            ("8,8,1,1", None),
            (",8,1", None),
            ("8 8,8", None),
        ] {
            let found = Move::of(line.as_bytes()).map(|it| it.point);
            assert_eq!(found, expected.map(str::as_bytes), "{line}");
        }
    }

    #[test]
    fn names_of_files() {
        for (path, expected) in [
            ("a/Renju1/3_a_b_2.psq", Some("W+")),
            ("Fastgame/3_a_b_1.psq", Some("B+")),
            ("3_a_b_0.psq", Some("draw")),
            ("3_Rapfi_1.2_Yixin_2.psq", Some("W+")),
            ("3_a_b_1.2.PSQ.GZ", None),
            ("3_a_b_1.PSQ.gz", Some("B+")),
            ("3_a_b_1.rec", Some("B+")),
            ("game_2.psq", None),
            ("a_b_2.psq", None),
            ("1x0-16.psq", None),
            ("renju.psq", None),
            ("", None),
        ] {
            assert_eq!(result(stem(path).0), expected.map(str::as_bytes), "{path}");
        }
    }

    #[test]
    fn heads() {
        for (line, expected) in [
            ("Piskvorky 15x15, 11:11, 0", Some("15x15")),
            ("PISKVORKY  20x20,", Some("20x20")),
            ("piskvorky 15", Some("15")),
            ("Piskvorky", None),
            ("piskvorky.zip", None),
            ("Piskvorky engine", None),
        ] {
            assert_eq!(
                size_of(line.as_bytes()),
                expected.map(str::as_bytes),
                "{line}"
            );
        }
    }
}
