//! XQF, the records of XQStudio (象棋演播室), versions 10 to 18.
//!
//! A head of 1,024 bytes: `XQ`, the version, keys, the squares of 32 pieces, the
//! result and texts of fixed room, each behind its length. Then the moves, a tree
//! written depth first. A square is `file * 10 + rank`, file from Red's left and
//! rank from Red's side.
//!
//! From version 11 on everything but the texts is enciphered by additions of
//! bytes, whose keys are in the head.

use std::path::Path;

use super::{
    Context, Format, Piece, Reading, SplitState, whole,
    xiangqi::{Board, Square, Torn, Walk, hold_turn, listed, play, read_tree},
};
use crate::{
    outcome::Side,
    record::{Arena, Field, Notation, Place, ReadError, Record, Warning, warn_once},
    source::charset,
};

/// The XQF format.
pub struct Xqf;

/// Where the moves begin.
const TREE: usize = 1024;

/// The text that is cut by four keys to the stream that enciphers the moves.
const SIGNATURE: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

impl Format for Xqf {
    fn name(&self) -> &'static str {
        "xqf"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xqf"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        // Two letters and a version may begin a text: a head has zero bytes.
        let known = matches!(head, [b'X', b'Q', 1..=63, ..]);
        known && head.get(52..64).is_some_and(|rest| rest.contains(&0))
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

/// What deciphers a record.
struct Keys {
    /// Added to the squares of pieces, and the turns of their list.
    pieces: u8,
    /// Added to the squares that moves begin at.
    from: u8,
    /// Added to the squares that moves end at.
    to: u8,
    /// Added to the lengths of remarks.
    remark: u32,
    /// Added to the bytes of the tree, again and again.
    stream: [u8; 32],
}

impl Keys {
    /// The keys of a head; none are used up to version 10.
    fn of(head: &[u8; TREE]) -> Self {
        if head[2] <= 10 {
            return Self {
                pieces: 0,
                from: 0,
                to: 0,
                remark: 0,
                stream: [0; 32],
            };
        }
        let factor = |key: u8| {
            let square = key.wrapping_mul(key);
            let inner = square.wrapping_mul(3).wrapping_add(9);
            let inner = inner.wrapping_mul(3).wrapping_add(8);
            let inner = inner.wrapping_mul(2).wrapping_add(1);
            inner.wrapping_mul(3).wrapping_add(8)
        };
        let [sum, xy, from, to] = [head[12], head[13], head[14], head[15]];
        let pieces = factor(xy).wrapping_mul(xy);
        let from_key = factor(from).wrapping_mul(pieces);
        let to_key = factor(to).wrapping_mul(from_key);
        let cut = [
            (sum & head[3]) | head[8],
            (xy & head[3]) | head[9],
            (from & head[3]) | head[10],
            (to & head[3]) | head[11],
        ];
        let mut stream = *SIGNATURE;
        for (byte, key) in stream.iter_mut().zip(cut.into_iter().cycle()) {
            *byte &= key;
        }
        Self {
            pieces,
            from: from_key,
            to: to_key,
            remark: (u32::from(sum) * 256 + u32::from(xy)) % 32_000 + 767,
            stream,
        }
    }
}

/// A square from its number; none above 89.
const fn square(number: u8) -> Option<Square> {
    match number {
        0..90 => Some((number / 10, 9 - number % 10)),
        _ => None,
    }
}

/// A square that no board has.
const NOWHERE: Square = (u8::MAX, u8::MAX);

/// A text of fixed room, behind its length.
fn text(head: &[u8; TREE], at: usize, room: usize) -> &[u8] {
    let length = usize::from(head[at]).min(room - 1);
    let text = &head[at + 1..at + 1 + length];
    text.split(|byte| *byte == 0).next().unwrap_or_default()
}

fn board(head: &[u8; TREE], keys: &Keys) -> Board {
    let mut board = Board::empty();
    for (place, number) in head[16..48].iter().enumerate() {
        let slot = match head[2] {
            12.. => (place + usize::from(keys.pieces) + 1) & 31,
            _ => place,
        };
        if let Some(square) = square(number.wrapping_sub(keys.pieces)) {
            board.put(square, listed(slot));
        }
    }
    board
}

fn read<'a>(bytes: &'a [u8], context: &'a Context, arena: &'a Arena) -> Reading<'a> {
    let mut record = Record::empty(bytes);
    record.game = Some("xiangqi");
    record.notation = Notation::Iccs;
    if !bytes.starts_with(b"XQ") {
        let error = ReadError::new(
            "bad_magic",
            "the file does not begin with XQ, as records of XQStudio do",
        );
        return Reading::Broken(record, error);
    }
    let Some(head) = bytes.first_chunk::<TREE>() else {
        let error = ReadError::new(
            "cut_off",
            format!(
                "the head ends after {} bytes of {TREE}: the file was cut off",
                bytes.len()
            ),
        );
        return Reading::Broken(record, error);
    };
    fields(&mut record, head, context);
    record.result = Some(match head[51] {
        1 => b"1-0",
        2 => b"0-1",
        3 => b"1/2-1/2",
        _ => b"*",
    });
    let warn = |record: &mut Record<'_>, word: &'static str, value: String, at: u32| {
        warn_once(
            &mut record.warnings,
            Warning::with(word, value, Place::Byte(at)),
        );
    };
    if !(10..=18).contains(&head[2]) {
        warn(&mut record, "odd_version", head[2].to_string(), 2);
    }
    let keys = Keys::of(head);
    let sum = head[12..16]
        .iter()
        .fold(0_u8, |sum, key| sum.wrapping_add(*key));
    if sum != 0 && head[2] > 10 {
        warn(&mut record, "odd_keys", sum.to_string(), 12);
    }
    let board = board(head, &keys);
    let named = match head[50] {
        1 => Side::Second,
        _ => Side::First,
    };
    let (moves, torn) = moves(bytes, head[2], &keys);
    let turn = play(&mut record, &board, &moves, named);
    hold_turn(&mut record, turn, named, 50);
    record.setup = board.fen(turn).map(|fen| arena.keep(fen));
    read_tree(record, torn)
}

fn fields<'a>(record: &mut Record<'a>, head: &'a [u8; TREE], context: &Context) {
    const TEXTS: [(Field, usize, usize); 4] = [
        (Field::Date, 272, 16),
        (Field::Server, 288, 16),
        (Field::FirstPlayer, 304, 16),
        (Field::SecondPlayer, 320, 16),
    ];
    let title = text(head, 80, 64);
    let event = text(head, 208, 64);
    let event = if event.is_empty() { title } else { event };
    let texts = || TEXTS.map(|(field, at, room)| (field, text(head, at, room)));
    let foreign = !event.is_ascii() || texts().iter().any(|(_, text)| !text.is_ascii());
    record.charset = match context.charset {
        Some(charset) => charset,
        None if foreign => charset::by_name("gb18030").unwrap_or_default(),
        None => record.charset,
    };
    whole::field(record, context.meta, Field::Event, event);
    for (field, text) in texts() {
        whole::field(record, context.meta, field, text);
    }
}

/// The moves of the main line, each with its place, and where the tree breaks
/// off if it does. Remarks and other lines are passed over.
fn moves(bytes: &[u8], version: u8, keys: &Keys) -> (Vec<(usize, Square, Square)>, Option<Torn>) {
    let plain = version <= 10;
    let byte = |at: usize| {
        let key = keys.stream[at & 31];
        bytes.get(at).map(|byte| byte.wrapping_sub(key))
    };
    let node = |at: usize| Some([byte(at)?, byte(at + 1)?, byte(at + 2)?, byte(at + 3)?]);
    let mut moves = Vec::new();
    let mut walk = Walk::default();
    let mut at = TREE;
    while !walk.ended {
        let Some([from, to, flags, _]) = node(at) else {
            return (moves, Some(walk.torn()));
        };
        let has_next = flags & if plain { 0xf0 } else { 0x80 } != 0;
        let has_sibling = flags & if plain { 0x0f } else { 0x40 } != 0;
        // The first node is no move.
        if !walk.aside && at > TREE {
            let from = from.wrapping_sub(0x18).wrapping_sub(keys.from);
            let to = to.wrapping_sub(0x20).wrapping_sub(keys.to);
            let squares = (square(from), square(to));
            moves.push((
                at,
                squares.0.unwrap_or(NOWHERE),
                squares.1.unwrap_or(NOWHERE),
            ));
        }
        walk.pass(has_next, has_sibling);
        at += 4;
        if plain || flags & 0x20 != 0 {
            let Some(length) = node(at) else {
                return (moves, Some(walk.torn()));
            };
            let length = u32::from_le_bytes(length).wrapping_sub(keys.remark);
            at = at.saturating_add(4).saturating_add(length as usize);
            if at > bytes.len() {
                return (moves, Some(walk.torn()));
            }
        }
    }
    (moves, None)
}
