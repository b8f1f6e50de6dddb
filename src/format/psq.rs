//! PSQ, the files of Piskvork and of the Gomocup tournaments, and `.rec`.
//!
//! A line `Piskvorky 15x15, 11:11, 0`, then a line `8,8,118` for each move:
//! column and row from 1, the row from the top, and milliseconds; then names of
//! the players and codes. There is neither a result nor a rule inside: Gomocup
//! writes the result at the end of the file's name (`…_1.psq`: the first player
//! won, `_2` the second, `_0` nobody), and the rule is the name of a folder.
//! `.rec` has two lines of players first, and counts from 0.

use std::path::Path;

use super::{
    Context, Format, Piece, Reading, naming,
    sgf::{bad_size, parse_size},
    whole::{self, lines, stray, torn_from, warn_torn},
};
use crate::{
    outcome::Side,
    record::{Arena, Field, Notation, Place, ReadError, Record, StepKind, Warning, warn_once},
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

/// The size as the head line has it.
fn size_of(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b"Piskvorky ")?;
    rest.split(|byte| *byte == b',')
        .next()
        .map(<[u8]>::trim_ascii)
}

fn read<'a>(bytes: &'a [u8], context: &'a Context) -> Reading<'a> {
    let mut record = Record::empty(bytes);
    record.game = Some("gomoku");
    context.set_charset(&mut record, bytes, None);
    let size = size_of(first_line(bytes));
    record.notation = Notation::Numbers {
        first: u8::from(size.is_some()),
    };
    name(&mut record, &context.path);
    if let Some(size) = size {
        record.size = parse_size(size);
        if record.size.is_none() {
            let error = bad_size(&record.text(size));
            return Reading::Broken(record, error);
        }
    }
    let torn_from = torn_from(bytes);
    let mut side = Side::First;
    let mut names = Vec::new();
    let (mut played, mut ended) = (false, false);
    for (at, line) in lines(bytes).skip(usize::from(size.is_some())) {
        if let Some(point) = point(line) {
            // Names end the moves; what follows are codes.
            if ended {
                break;
            }
            if at >= torn_from && point.len() == line.len() && played {
                warn_torn(&mut record, at);
                break;
            }
            whole::step(&mut record, StepKind::Play(side), point, at);
            side = side.other();
            played = true;
        } else if !line.is_empty() {
            if !played && names.len() == 2 {
                stray(&mut record, line, at);
                break;
            }
            ended = played;
            names.push(line);
        }
    }
    for (field, name) in [Field::FirstPlayer, Field::SecondPlayer]
        .into_iter()
        .zip(names)
    {
        // A lone number is a code.
        if !name
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'-')
        {
            whole::field(&mut record, context.meta, field, name);
        }
    }
    if size.is_none() && record.steps.is_empty() {
        let error = ReadError::new(
            "no_record",
            "there is no line such as `Piskvorky 15x15, 11:11, 0` and no move such as `8,8,118`",
        );
        return Reading::Broken(record, error);
    }
    if size.is_none() && seems_from_one(&record) {
        let warning = Warning::with("base_unclear", "0", Place::Record);
        warn_once(&mut record.warnings, warning);
    }
    Reading::Game(record)
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

/// The first two of the numbers of a line of two or three.
fn point(line: &[u8]) -> Option<&[u8]> {
    let mut commas = line.iter().enumerate().filter(|(_, byte)| **byte == b',');
    let (first, _) = commas.next()?;
    let end = commas.next().map_or(line.len(), |(at, _)| at);
    let is_number = |part: &[u8]| {
        let digits = part.strip_prefix(b"-").unwrap_or(part);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    let time = line.get(end + 1..).filter(|time| !time.is_empty());
    let all = is_number(&line[..first])
        && is_number(line.get(first + 1..end)?)
        && time.is_none_or(is_number)
        && commas.next().is_none();
    all.then_some(&line[..end])
}

/// What the names of a file and its folders say of the rule and the result.
fn name(record: &mut Record<'_>, path: &str) {
    let file = path.rsplit('/').next().unwrap_or_default();
    let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
    record.result = match stem.rsplit_once('_').map(|(_, last)| last) {
        Some("0") => Some(b"draw"),
        Some("1") => Some(b"B+"),
        Some("2") => Some(b"W+"),
        _ => None,
    };
    // What the name of the file has words for are programs.
    record.rules = naming::of_folders(path).or_else(|| naming::rules(path));
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
            ("0,Freestyle1", None),
            ("8", None),
            ("-1", None),
            ("8,8,1,1", None),
            (",8,1", None),
        ] {
            let found = point(line.as_bytes());
            assert_eq!(found, expected.map(str::as_bytes), "{line}");
        }
    }

    #[test]
    fn names_of_files() {
        for (path, result) in [
            ("a/Renju1/3_a_b_2.psq", Some("W+")),
            ("Fastgame/3_a_b_1.psq", Some("B+")),
            ("3_a_b_0.psq", Some("draw")),
            ("1x0-16.psq", None),
            ("renju.psq", None),
        ] {
            let mut record = Record::empty(b"");
            name(&mut record, path);
            assert_eq!(record.result, result.map(str::as_bytes), "{path}");
        }
    }
}
