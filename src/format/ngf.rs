//! NGF, the format of Cyberoro and WBaduk.
//!
//! A header of lines without names, then moves: `PMABWQRRQ` is a counter (`AB`),
//! a colour, and the point twice, once in each order, in letters from `B`; `AA`
//! is a pass. An older dialect writes `GI` before each line of the header, and
//! the result into a remark on the last move.

use std::path::Path;

use super::{
    Context, Format, Piece, Reading,
    sgf::{bad_size, parse_size},
    whole::{self, check_count, lines, name_and_rank, number, stray, torn_from, warn_torn},
};
use crate::{
    outcome::Side,
    record::{Arena, Field, Notation, Place, ReadError, Record, StepKind, Warning},
};

/// The NGF format.
pub struct Ngf;

impl Format for Ngf {
    fn name(&self) -> &'static str {
        "ngf"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ngf"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        lines(head).any(|(_, line)| is_move(line))
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        _: Piece,
        context: &'a Context,
        arena: &'a Arena,
    ) -> Reading<'a> {
        read(bytes, context, arena)
    }
}

/// Star points in the order of [`whole::place_handicap`].
const STARS: [&[u8]; 9] = [
    b"QE", b"EQ", b"EE", b"QQ", b"EK", b"QK", b"KE", b"KQ", b"KK",
];

/// Which line of the header holds what, from 0.
struct Layout {
    white: usize,
    black: usize,
    server: Option<usize>,
    date: usize,
    size: usize,
    handicap: usize,
    komi: usize,
    result: Option<usize>,
    count: usize,
}

const PLAIN: Layout = Layout {
    white: 2,
    black: 3,
    server: Some(4),
    date: 8,
    size: 1,
    handicap: 5,
    komi: 7,
    result: Some(10),
    count: 11,
};

/// With `GI` before each line.
const PREFIXED: Layout = Layout {
    white: 1,
    black: 2,
    server: None,
    date: 5,
    size: 6,
    handicap: 7,
    komi: 9,
    result: None,
    count: 10,
};

/// Lines of the longer header.
const HEADER: usize = 12;

/// A remark longer than this is no result.
const MAX_RESULT: usize = 60;

/// Whether a line is a move, whole and sound.
fn is_move(line: &[u8]) -> bool {
    let [b'P', b'M', counter @ .., colour, a, b, c, d] = line else {
        return false;
    };
    counter.len() == 2
        && matches!(colour, b'B' | b'W')
        && (a, b) == (d, c)
        && counter.iter().chain([a, b]).all(u8::is_ascii_uppercase)
}

fn read<'a>(bytes: &'a [u8], context: &Context, arena: &'a Arena) -> Reading<'a> {
    let mut record = Record::empty(bytes);
    record.game = Some("go");
    record.notation = Notation::Capitals {
        first: b'B',
        from_bottom: false,
    };
    context.set_charset(&mut record, bytes, None);
    let prefixed = bytes.starts_with(b"GI");
    let mut header: Vec<&[u8]> = Vec::with_capacity(HEADER);
    let mut remark = None;
    let torn_from = torn_from(bytes);
    for (at, line) in lines(bytes) {
        if line.starts_with(b"PM") {
            play(&mut record, line, at, at >= torn_from);
        } else if record.steps.is_empty() && header.len() < HEADER {
            header.push(
                line.strip_prefix(b"GI")
                    .filter(|_| prefixed)
                    .unwrap_or(line),
            );
        } else if let Some(text) = line.strip_prefix(b"ID") {
            remark = Some(text);
        }
    }
    let layout = if prefixed { &PREFIXED } else { &PLAIN };
    let line = |number: usize| header.get(number).copied().unwrap_or_default();
    if record.steps.is_empty() && parse_size(line(layout.size)).is_none() {
        let error = "neither a header nor a move of an NGF record";
        return Reading::Broken(record, ReadError::new("no_game", error));
    }
    let mut error = None;
    match parse_size(line(layout.size)) {
        Some(size) => record.size = Some(size),
        None if header.len() <= layout.size => {
            let warning = Warning::new("missing_header", Place::Record);
            record.warnings.push(warning);
        }
        None => error = Some(bad_size(&record.charset.decode(line(layout.size)))),
    }
    record.handicap = Some(line(layout.handicap)).filter(|text| !text.is_empty());
    let moves = record.moves();
    check_count(&mut record, number(line(layout.count)));
    record.result = match layout.result {
        Some(result) => Some(line(result)),
        None => remark.and_then(|remark| last_remark(remark, moves)),
    };
    record.result = record.result.filter(|text| !text.is_empty());
    let even = record.handicap.and_then(number).unwrap_or_default() == 0;
    record.komi = komi(line(layout.komi), even, arena);
    fields(&mut record, context.meta, layout, &line);
    if record.size == Some((19, 19)) {
        whole::place_handicap(&mut record, 0, STARS);
    }
    match error {
        Some(error) => Reading::Broken(record, error),
        None => Reading::Game(record),
    }
}

/// Reads a line of a move.
fn play<'a>(record: &mut Record<'a>, line: &'a [u8], at: usize, torn: bool) {
    if torn && !is_move(line) {
        warn_torn(record, at);
        return;
    }
    let side = match line.get(4) {
        Some(b'B') => Side::First,
        Some(b'W') => Side::Second,
        _ => return stray(record, line, at),
    };
    if !is_move(line) {
        // One of the two points is wrong, and nobody knows which.
        warn_torn(record, at);
        return stray(record, line, at);
    }
    let token = match &line[5..7] {
        b"AA" => &line[5..5],
        token => token,
    };
    whole::step(record, StepKind::Play(side), token, at + 5);
}

/// The text of a remark on the last move, `B[211] text[EndTxt]`, where it is
/// short enough for a result.
fn last_remark(remark: &[u8], moves: usize) -> Option<&[u8]> {
    let open = memchr::memchr(b'[', remark)?;
    let close = memchr::memchr(b']', remark).filter(|close| *close > open)?;
    let number = number(&remark[open + 1..close])?;
    let text = remark[close + 1..].trim_ascii();
    let text = text.strip_suffix(b"[EndTxt]").unwrap_or(text);
    (number as usize == moves && text.len() <= MAX_RESULT).then_some(text)
}

/// Komi in points: it is written without its half, which an even game has.
fn komi<'a>(written: &'a [u8], even: bool, arena: &'a Arena) -> Option<&'a [u8]> {
    if written.is_empty() {
        return None;
    }
    let whole = written.iter().all(u8::is_ascii_digit) && written != b"0";
    if even && whole {
        return Some(arena.keep([written, b".5"].concat()));
    }
    Some(written)
}

fn fields<'a>(
    record: &mut Record<'a>,
    meta: bool,
    layout: &Layout,
    line: &dyn Fn(usize) -> &'a [u8],
) {
    let (white, white_rank) = name_and_rank(line(layout.white), b' ');
    let (black, black_rank) = name_and_rank(line(layout.black), b' ');
    let server = layout.server.map(line).unwrap_or_default();
    for (field, text) in [
        (Field::Date, line(layout.date)),
        (Field::FirstPlayer, black),
        (Field::FirstRank, black_rank),
        (Field::SecondPlayer, white),
        (Field::SecondRank, white_rank),
        (Field::Server, server),
    ] {
        whole::field(record, meta, field, text);
    }
}
