//! DhtmlXQ (象棋动态棋盘): records in tags, alone or in web pages.
//!
//! ```text
//! [DhtmlXQ][DhtmlXQ_red]A[/DhtmlXQ_red][DhtmlXQ_result]红胜[/DhtmlXQ_result]
//! [DhtmlXQ_movelist]77477967[/DhtmlXQ_movelist][/DhtmlXQ]
//! ```
//!
//! A square is two digits, file from Red's left and row from Black's back rank;
//! `binit` has the squares of 32 pieces, 99 where one is not on the board. A page
//! may have several records; tags outside of `[DhtmlXQ]` belong to the record
//! whose end comes next, and one that is there again begins another record.

use std::path::Path;

use memchr::memmem;

use super::{
    Around, Context, Format, Piece, Reading, SplitState,
    pgn::set_charset,
    whole::{self, offset},
    xiangqi::{Board, Square, listed, play},
};
use crate::{
    outcome::Side,
    record::{Arena, Field, Notation, Place, ReadError, Record, StepKind, Warning, warn_once},
};

/// The DhtmlXQ format.
pub struct DhtmlXq;

/// What all tags begin with.
const TAG: &[u8] = b"[DhtmlXQ";
const OPEN: &[u8] = b"[DhtmlXQ]";
const CLOSE: &[u8] = b"[/DhtmlXQ]";

impl Format for DhtmlXq {
    fn name(&self) -> &'static str {
        "dhtmlxq"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        memmem::find(head, TAG).is_some()
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        state.inked |= window.iter().any(|byte| !byte.is_ascii_whitespace());
        split(state, window, eof, each)
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

/// What the splitter remembers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// Whether the beginning of the record that was given up is behind.
    passing: bool,
}

/// See [`Format::split`].
fn split(state: &mut SplitState, window: &[u8], eof: bool, each: &mut dyn FnMut(Piece)) -> usize {
    let rest = |from: usize| window.get(from..).unwrap_or_default();
    let mut at = 0;
    if state.is_passing() {
        // Its own opening tag is at the front only before anything of it is consumed.
        match end_of(rest(0), state.dhtmlxq.passing, eof) {
            Ok((end, _)) if end < window.len() || eof => at = end,
            // A mark may be cut in two.
            _ => {
                let done = window.len().saturating_sub(CLOSE.len() - 1);
                state.dhtmlxq.passing |= done > 0;
                return done;
            }
        }
        state.dhtmlxq.passing = false;
        state.pass_over();
    }
    loop {
        let Some(start) = memmem::find(rest(at), TAG).map(|found| at + found) else {
            return match eof {
                true => window.len(),
                false => window.len().saturating_sub(TAG.len() - 1).max(at),
            };
        };
        let Ok((length, unclosed)) = end_of(rest(start), false, eof) else {
            return start;
        };
        at = start + length;
        state.any = true;
        each(Piece {
            start,
            end: at,
            around: Around {
                unclosed,
                ..Around::default()
            },
        });
    }
}

/// Tags that a record has once.
const ONCE: [&[u8]; 11] = [
    b"title",
    b"event",
    b"date",
    b"place",
    b"red",
    b"black",
    b"redteam",
    b"blackteam",
    b"result",
    b"binit",
    b"movelist",
];

/// Where the record ends that begins at the front, and whether only the end of
/// the file ends it; `Err` where it goes on behind the window. `inside` says that
/// its opening tag is behind.
fn end_of(bytes: &[u8], inside: bool, eof: bool) -> Result<(usize, bool), ()> {
    const NAME: &[u8] = b"DhtmlXQ";
    let mut opened = inside;
    let mut met = [false; ONCE.len()];
    for found in memmem::find_iter(bytes, NAME) {
        let (before, behind) = (&bytes[..found], &bytes[found + NAME.len()..]);
        if behind.starts_with(b"]") && before.ends_with(b"[/") {
            return Ok((found + CLOSE.len() - 2, false));
        }
        if !before.ends_with(b"[") {
            continue;
        }
        if behind.starts_with(b"]") {
            if opened {
                return Ok((found - 1, false));
            }
            opened = true;
        }
        // Without a frame, what is said again is said of another game.
        let name = behind.strip_prefix(b"_").filter(|_| !opened);
        let known = name.and_then(|name| {
            let is_name = |known: &&[u8]| {
                let rest = name.strip_prefix(*known);
                rest.is_some_and(|rest| rest.starts_with(b"]"))
            };
            ONCE.iter().position(is_name)
        });
        if let Some(met) = known.and_then(|place| met.get_mut(place))
            && std::mem::replace(met, true)
        {
            return Ok((found - 1, false));
        }
    }
    if eof {
        Ok((bytes.len(), true))
    } else {
        Err(())
    }
}

/// The tags of a record: name, value, and whether the value has an end.
fn tags(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8], bool)> {
    const MARK: &[u8] = b"[/DhtmlXQ_";
    let rest = |from: usize| bytes.get(from..).unwrap_or_default();
    let mut at = 0;
    // Where the next end of a value is, so that none is looked for twice.
    let mut close = 0;
    std::iter::from_fn(move || {
        loop {
            at += memmem::find(rest(at), b"[DhtmlXQ_")? + TAG.len() + 1;
            let end = at + memchr::memchr2(b']', b'[', rest(at))?;
            if rest(end).first() != Some(&b']') {
                continue;
            }
            let name = &bytes[at..end];
            at = end + 1;
            if close < at {
                let found = memmem::find(rest(at), MARK);
                close = found.map_or(bytes.len(), |found| at + found);
            }
            let behind = rest(close).strip_prefix(MARK);
            let behind = behind.and_then(|behind| behind.strip_prefix(name));
            let whole = behind.is_some_and(|behind| behind.starts_with(b"]"));
            let end = match whole {
                true => close,
                false => {
                    let end = memchr::memchr2(b'[', b'<', rest(at));
                    end.map_or(bytes.len(), |end| at + end)
                }
            };
            let value = bytes.get(at..end).unwrap_or_default();
            at = end;
            return Some((name, value.trim_ascii(), whole));
        }
    })
}

fn read<'a>(bytes: &'a [u8], context: &'a Context, arena: &'a Arena) -> Reading<'a> {
    let mut record = Record::empty(bytes);
    record.game = Some("xiangqi");
    record.notation = Notation::Iccs;
    set_charset(&mut record, bytes, context);
    let (mut squares, mut list) = (None, None);
    let mut torn = None;
    let mut title = None;
    let mut has_event = false;
    for (name, value, whole) in tags(bytes) {
        let field = match name {
            b"binit" => {
                squares.get_or_insert(value);
                None
            }
            b"movelist" => {
                // A page may say it once more, in a script.
                list.get_or_insert((value, whole));
                None
            }
            b"result" => {
                let said = result(value);
                match (record.result, said) {
                    (None, _) => record.result = said,
                    (Some(first), Some(said)) if first != said => {
                        record.other_result.get_or_insert(said);
                    }
                    _ => {}
                }
                None
            }
            b"title" => {
                title.get_or_insert(value);
                None
            }
            b"event" => {
                has_event = !value.is_empty();
                Some(Field::Event)
            }
            b"date" => Some(Field::Date),
            b"place" => Some(Field::Server),
            b"red" => Some(Field::FirstPlayer),
            b"black" => Some(Field::SecondPlayer),
            _ => continue,
        };
        if !whole {
            torn.get_or_insert(offset(bytes, value));
        }
        if let Some(field) = field {
            whole::field(&mut record, context.meta, field, value);
        }
    }
    if let Some(title) = title.filter(|_| !has_event) {
        whole::field(&mut record, context.meta, Field::Event, title);
    }
    if let Some(at) = torn {
        let warning = Warning::new("unclosed_value", Place::Byte(at as u32));
        warn_once(&mut record.warnings, warning);
    }
    if memmem::find(bytes, OPEN).is_some() && !bytes.ends_with(CLOSE) {
        let warning = Warning::new("missing_end", Place::Record);
        warn_once(&mut record.warnings, warning);
    }
    if squares.is_none() && list.is_none() {
        if memmem::find(bytes, OPEN).is_none() {
            return Reading::NotAGame(record, "tags of DhtmlXQ without a position or moves");
        }
        let error = ReadError::new(
            "no_moves",
            "the record has neither moves nor a position: they are written as [DhtmlXQ_movelist]7747…[/DhtmlXQ_movelist]",
        );
        return Reading::Broken(record, error);
    }
    let squares = squares.filter(|squares| !squares.is_empty());
    let board = match squares.map_or_else(|| Ok(Board::usual()), board) {
        Ok(board) => board,
        Err(message) => {
            return Reading::Broken(record, ReadError::new("bad_position", message));
        }
    };
    let (list, whole) = list.unwrap_or_default();
    let (moves, stray) = moves(bytes, list);
    let turn = play(&mut record, &board, &moves, Side::First);
    record.setup = board.fen(turn).map(|fen| arena.keep(fen));
    match stray {
        [] => {}
        // The file breaks off in a move.
        torn if !whole && torn.len() < 4 && torn.iter().all(u8::is_ascii_digit) => {
            whole::warn_torn(&mut record, offset(bytes, torn));
        }
        stray => {
            let side = match (moves.len() % 2, turn) {
                (0, side) => side,
                (_, side) => side.other(),
            };
            let shown = stray.get(..8).unwrap_or(stray);
            let at = offset(bytes, stray);
            whole::step(&mut record, StepKind::Play(side), shown, at);
        }
    }
    Reading::Game(record)
}

/// A result: letters stand for Red's.
fn result(value: &[u8]) -> Option<&[u8]> {
    match value {
        b"" => None,
        b"W" | b"w" => Some(b"1-0"),
        b"L" | b"l" => Some(b"0-1"),
        b"D" | b"d" => Some(b"1/2-1/2"),
        words => Some(words),
    }
}

/// The position that a list of 32 squares says.
fn board(list: &[u8]) -> Result<Board, String> {
    let digits: Vec<u8> = list
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .copied()
        .collect();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_digit) {
        return Err(format!(
            "the position (binit) has {} signs, and not 64 digits, two for each of 32 pieces",
            digits.len()
        ));
    }
    let mut board = Board::empty();
    for (place, pair) in digits.chunks_exact(2).enumerate() {
        board.put((pair[0] - b'0', pair[1] - b'0'), listed(place));
    }
    Ok(board)
}

/// The moves of a list of four digits each, blanks between any of them, with
/// their places; and what is left of it from where it is no such list.
fn moves<'a>(bytes: &[u8], list: &'a [u8]) -> (Vec<(usize, Square, Square)>, &'a [u8]) {
    let mut moves = Vec::with_capacity(list.len().min(1 << 12) / 4);
    let mut rest = list.trim_ascii_start();
    while let Some((digits, behind)) = four_digits(rest) {
        let [from_file, from_row, to_file, to_row] = digits;
        moves.push((
            offset(bytes, rest),
            (from_file, from_row),
            (to_file, to_row),
        ));
        rest = behind.trim_ascii_start();
    }
    (moves, rest)
}

/// The next four digits of a list, and what follows them.
fn four_digits(list: &[u8]) -> Option<([u8; 4], &[u8])> {
    let mut digits = [0; 4];
    let mut rest = list;
    for digit in &mut digits {
        let (first, behind) = rest.trim_ascii_start().split_first()?;
        *digit = first.is_ascii_digit().then(|| first - b'0')?;
        rest = behind;
    }
    Some((digits, rest))
}
