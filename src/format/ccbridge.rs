//! CCBridge (象棋桥): `.cbr`, one record, and `.cbl`, a library of them.
//!
//! A record has a head of 2,214 bytes: `CCBridge Record`, texts of fixed room in
//! UTF-16, the result, who moves first and the pieces on the squares, row by row
//! from Black's back rank. Then the moves, a tree written depth first, four bytes
//! each and a remark behind some.
//!
//! A library has an index, then records, each at its own place with room behind
//! it. The index is not read: records are known by what they begin with, so that
//! what a damaged or old index does not name is not lost. Places that were given
//! up hold records without pieces.

use std::path::Path;

use memchr::memmem;

use super::{
    Around, Context, Format, Piece, Reading, SplitState,
    whole::{self, offset},
    xiangqi::{Board, Square, Torn, Walk, hold_turn, play, read_tree},
};
use crate::{
    outcome::Side,
    record::{Arena, Field, Notation, ReadError, Record},
};

/// One record.
pub struct Cbr;

/// A library of records.
pub struct Cbl;

const RECORD: &[u8] = b"CCBridge Record\0";
const LIBRARY: &[u8] = b"CCBridgeLibrary\0";

/// Where the moves begin.
const TREE: usize = 2214;

impl Format for Cbr {
    fn name(&self) -> &'static str {
        "cbr"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["cbr"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        head.starts_with(RECORD)
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        whole::split_raw(state, window, eof, each)
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

impl Format for Cbl {
    fn name(&self) -> &'static str {
        "cbl"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["cbl"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        head.starts_with(LIBRARY)
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        state.inked |= !window.is_empty();
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

/// See [`Format::split`]: a record goes on to the next one.
fn split(state: &mut SplitState, window: &[u8], eof: bool, each: &mut dyn FnMut(Piece)) -> usize {
    // What may be the beginning of a mark waits for more.
    let kept = |from: usize| match eof {
        true => window.len(),
        false => window.len().saturating_sub(RECORD.len() - 1).max(from),
    };
    let find = |from: usize| {
        let rest = window.get(from..).unwrap_or_default();
        memmem::find(rest, RECORD).map(|at| from + at)
    };
    // The record that is passed over has its own mark at the front only before
    // anything of it is consumed; a mark met later is the next one's.
    let from = usize::from(state.is_passing() && !state.ccbridge.passing);
    let Some(mut start) = find(from) else {
        let done = kept(0);
        state.ccbridge.passing |= state.is_passing() && done > 0;
        return done;
    };
    if state.is_passing() {
        state.ccbridge.passing = false;
        state.pass_over();
    }
    while let Some(end) = find(start + RECORD.len()) {
        state.any = true;
        each(Piece {
            start,
            end,
            around: Around::default(),
        });
        start = end;
    }
    if !eof {
        return start;
    }
    state.any = true;
    each(Piece {
        start,
        end: window.len(),
        around: Around {
            unclosed: true,
            ..Around::default()
        },
    });
    window.len()
}

/// What the splitter remembers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// Whether the mark of the record that was given up is behind.
    passing: bool,
}

/// A text of fixed room in UTF-16, up to its zero.
fn text(bytes: &[u8], at: usize, room: usize) -> String {
    let field = bytes.get(at..at + room).unwrap_or_default();
    let letters = field
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .take_while(|letter| *letter != 0);
    char::decode_utf16(letters)
        .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The texts of a record: where they are, and their room.
const TEXTS: [(Field, usize, usize); 4] = [
    (Field::Date, 884, 64),
    (Field::Server, 948, 64),
    (Field::FirstPlayer, 1076, 64),
    (Field::SecondPlayer, 1300, 64),
];

fn board(bytes: &[u8]) -> Board {
    const SIGNS: &[u8; 8] = b" RNBAKCP";
    let mut board = Board::empty();
    let squares = bytes.get(2120..2210).unwrap_or_default();
    for (place, code) in (0..).zip(squares) {
        let sign = SIGNS.get(usize::from(code & 15)).copied();
        let sign = sign.filter(|sign| *sign != b' ');
        let sign = match code >> 4 {
            1 => sign,
            2 => sign.map(|sign| sign.to_ascii_lowercase()),
            _ => None,
        };
        if let Some(sign) = sign {
            board.put(square(place), sign);
        }
    }
    board
}

/// The square of a number; none of a board above 89.
const fn square(number: u8) -> Square {
    (number % 9, number / 9)
}

fn read<'a>(bytes: &'a [u8], context: &'a Context, arena: &'a Arena) -> Reading<'a> {
    let mut record = Record::empty(bytes);
    record.game = Some("xiangqi");
    record.notation = Notation::Iccs;
    if !bytes.starts_with(RECORD) {
        let error = ReadError::new(
            "bad_magic",
            "the record does not begin with \"CCBridge Record\"",
        );
        return Reading::Broken(record, error);
    }
    if bytes.len() < TREE {
        let error = ReadError::new(
            "cut_off",
            format!(
                "the head ends after {} bytes of {TREE}: the file was cut off",
                bytes.len()
            ),
        );
        return Reading::Broken(record, error);
    }
    record.result = Some(match bytes.get(2076) {
        Some(1) => b"1-0",
        Some(2) => b"0-1",
        Some(3) => b"1/2-1/2",
        _ => b"*",
    });
    let board = board(bytes);
    let named = match bytes.get(2112) {
        Some(2) => Side::Second,
        _ => Side::First,
    };
    let (moves, torn) = moves(bytes);
    let turn = play(&mut record, &board, &moves, named);
    hold_turn(&mut record, turn, named, 2112);
    keep(&mut record, board.fen(turn), context, arena);
    read_tree(record, torn)
}

/// Keeps the position and the texts, which are not in the record as they are
/// wanted.
fn keep<'a>(record: &mut Record<'a>, fen: Option<Vec<u8>>, context: &Context, arena: &'a Arena) {
    let has_setup = fen.is_some();
    let mut kept = fen.unwrap_or_default();
    let mut ends = vec![(None, kept.len())];
    if context.meta {
        let title = text(record.bytes, 180, 128);
        let event = text(record.bytes, 692, 64);
        let event = if event.is_empty() { title } else { event };
        let texts = TEXTS.map(|(field, at, room)| (field, text(record.bytes, at, room)));
        for (field, text) in [(Field::Event, event)].into_iter().chain(texts) {
            kept.extend_from_slice(text.as_bytes());
            ends.push((Some(field), kept.len()));
        }
    }
    let mut rest: &'a [u8] = arena.keep(kept);
    let mut before = 0;
    for (field, end) in ends {
        let Some((text, behind)) = rest.split_at_checked(end - before) else {
            return;
        };
        (rest, before) = (behind, end);
        match field {
            None => record.setup = has_setup.then_some(text),
            Some(field) => whole::field(record, context.meta, field, text),
        }
    }
}

/// The moves of the main line, each with its place, and where the tree breaks
/// off if it does.
fn moves(bytes: &[u8]) -> (Vec<(usize, Square, Square)>, Option<Torn>) {
    let mut moves = Vec::new();
    let mut walk = Walk::default();
    let mut rest = bytes.get(TREE..).unwrap_or_default();
    let mut is_root = true;
    while !walk.ended {
        let Some(([flags, _, from, to], behind)) = rest.split_first_chunk() else {
            return (moves, Some(walk.torn()));
        };
        if !walk.aside && !is_root {
            moves.push((offset(bytes, rest), square(*from), square(*to)));
        }
        is_root = false;
        walk.pass(flags & 1 == 0, flags & 2 != 0);
        rest = behind;
        if flags & 4 != 0 {
            let length = rest.split_first_chunk().map(|(length, behind)| {
                let length = u32::from_le_bytes(*length) as usize;
                behind.get(length..)
            });
            match length.flatten() {
                Some(behind) => rest = behind,
                None => return (moves, Some(walk.torn())),
            }
        }
    }
    (moves, None)
}
