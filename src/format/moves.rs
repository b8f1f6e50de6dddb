//! Lists of moves: one game a line, points as `h8`.
//!
//! ```text
//! h8i9j7
//! h8 i9 j7
//! 1.h8 2.i9 3.j7
//! [BLACK_WIN] h8 i9 j7
//! 0-1<TAB>White win by five connection<TAB>15<TAB>h8 i9 j7
//! h8i9,j7,2
//! ```
//!
//! Columns are letters, I included, and row 1 is the lowest. The last form is a
//! position, which may be empty, with a move and its result for the side that
//! makes it (0 lost, 1 drawn, 2 won), as c-gomoku-cli samples them; its row 1 is
//! the top one. Lines that begin with `#` or `;` are remarks.

use std::path::Path;

use super::{
    Context, FirstRow, Format, Piece, Reading, SplitState, id_moves, naming,
    whole::{self, LOOK_AHEAD, head_lines, split_lines, stray},
};
use crate::{
    outcome::Side,
    record::{Arena, Notation, Place, ReadError, Record, StepKind, Warning},
};

/// Lists of moves.
pub struct Moves;

impl Format for Moves {
    fn name(&self) -> &'static str {
        "moves"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        let mut lines = head_lines(head, usize::MAX)
            .filter(|line| remark(line).is_none())
            .take(LOOK_AHEAD);
        // A list may be longer than the head.
        let cut = head.len() >= 4096 && !head.contains(&b'\n');
        // One odd line does not make another text of it, but a tag of PGN does.
        let (mut lists, mut others) = (0, 0);
        for line in lines.by_ref() {
            if line.starts_with(b"[") && line.ends_with(b"\"]") {
                return false;
            }
            // Nor do moves of xiangqi, from square to square.
            if has_rank_zero(line) || id_moves::is_list(line, cut) && starts_with_id(line) {
                return false;
            }
            match is_list(line, cut) {
                true => lists += 1,
                false => others += 1,
            }
        }
        lists > 0 && lists >= others
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        split_lines(state, window, eof, each)
    }

    fn begins_anew(&self) -> bool {
        true
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

/// Whether a line is plainly a list of two moves or more, or of one in a line
/// that says more. `cut` allows a last move that is not whole.
fn is_list(line: &[u8], cut: bool) -> bool {
    let parts = Parts::of(line);
    let mut moves = 0;
    let mut rest = parts.moves;
    while let Some((token, after)) = next_move(rest) {
        moves += 1;
        rest = after;
        if token.is_empty() {
            return false;
        }
    }
    moves += usize::from(parts.sample.is_some());
    let is_said = parts.result.is_some() || parts.sample.is_some();
    let whole = rest.trim_ascii().is_empty() || cut && rest.len() < 4;
    whole && moves > usize::from(!is_said)
}

/// Whether all points of a line are on the board of xiangqi, and one of them is on
/// its rank 0.
fn has_rank_zero(line: &[u8]) -> bool {
    let mut rest = Parts::of(line).moves;
    let mut zero = false;
    while let Some((token, after)) = next_move(rest) {
        match token {
            [b'a'..=b'i' | b'A'..=b'I', rank @ b'0'..=b'9'] => zero |= *rank == b'0',
            _ => return false,
        }
        rest = after;
    }
    zero
}

/// Whether what stands before the semicolon of a line is no point.
fn starts_with_id(line: &[u8]) -> bool {
    let id = line.split(|byte| *byte == b';').next().unwrap_or_default();
    next_move(id).is_none_or(|(_, rest)| !rest.is_empty())
}

/// What a line that is no game is there for.
fn remark(line: &[u8]) -> Option<&'static str> {
    match line {
        [b'#' | b';', ..] => Some("a remark in a list of moves"),
        _ if line.eq_ignore_ascii_case(b"position,move,result") => {
            Some("the names of the columns of a list of moves")
        }
        _ => None,
    }
}

/// What the fields of a line are.
#[derive(Default)]
struct Parts<'a> {
    result: Option<&'a [u8]>,
    ending: Option<&'a [u8]>,
    size: Option<(u8, u8)>,
    moves: &'a [u8],
    /// The move of a sample, and its result for the side that makes it.
    sample: Option<(&'a [u8], u8)>,
}

impl<'a> Parts<'a> {
    fn of(line: &'a [u8]) -> Self {
        let mut parts = Self::default();
        if let [before @ .., b',', result @ b'0'..=b'2'] = line
            && let Some(comma) = before.iter().position(|byte| *byte == b',')
            && let (position, [_, played @ ..]) = before.split_at(comma)
            && next_move(played).is_some_and(|(_, rest)| rest.is_empty())
        {
            parts.moves = position.trim_ascii();
            parts.sample = Some((played.trim_ascii(), result - b'0'));
            return parts;
        }
        if !line.contains(&b'\t') {
            parts.with_result_word(line);
            return parts;
        }
        for field in line.split(|byte| *byte == b'\t').map(<[u8]>::trim_ascii) {
            if parts.moves.is_empty() && starts_with_move(field) {
                parts.moves = field;
            } else if let Some(size) = super::parse_size(field) {
                parts.size.get_or_insert(size);
            } else if parts.result.is_none() && is_result(field) {
                parts.result = Some(field);
            } else if !field.is_empty() {
                parts.ending.get_or_insert(field);
            }
        }
        parts
    }

    /// A result before or behind the moves of a line without fields.
    fn with_result_word(&mut self, line: &'a [u8]) {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b';' | b',');
        let bracket = line.iter().position(|byte| *byte == b']');
        let first = match bracket.filter(|_| line.starts_with(b"[")) {
            Some(bracket) => bracket + 1,
            None => line.iter().position(is_blank).unwrap_or(line.len()),
        };
        let last = line.iter().rposition(is_blank).map_or(0, |at| at + 1);
        if is_result(&line[..first]) {
            self.result = Some(&line[..first]);
            self.moves = line[first..].trim_ascii_start();
        } else if last > 0 && is_result(&line[last..]) {
            self.result = Some(&line[last..]);
            self.moves = line[..last - 1].trim_ascii();
        } else {
            self.moves = line;
        }
    }
}

/// Words of results, in upper case and without brackets.
fn is_result(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 14] = [
        b"1-0",
        b"0-1",
        b"1/2-1/2",
        b"0.5-0.5",
        b"BLACK_WIN",
        b"WHITE_WIN",
        b"BLACK",
        b"WHITE",
        b"DRAW",
        b"B+",
        b"W+",
        b"*",
        b"BLACK WIN",
        b"WHITE WIN",
    ];
    let word = bare(word).to_ascii_uppercase();
    WORDS.contains(&word.as_slice()) || word.starts_with(b"B+") || word.starts_with(b"W+")
}

/// A word without brackets around it.
fn bare(word: &[u8]) -> &[u8] {
    let word = word.trim_ascii();
    let inner = word
        .strip_prefix(b"[")
        .and_then(|word| word.strip_suffix(b"]"));
    inner.unwrap_or(word)
}

fn starts_with_move(field: &[u8]) -> bool {
    next_move(field).is_some_and(|(token, _)| token.len() > 1)
}

/// The next move of a list, and what follows it: a point, `--` or `pass`, with
/// a number and a dot before it or not.
fn next_move(list: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'-');
    let mut rest = list.trim_ascii_start();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 && rest.get(digits) == Some(&b'.') {
        let dots = rest[digits..]
            .iter()
            .take_while(|byte| **byte == b'.')
            .count();
        rest = rest[digits + dots..].trim_ascii_start();
    }
    if let Some(after) = rest.strip_prefix(b"--") {
        return Some((&rest[..2], after));
    }
    while let [first, after @ ..] = rest
        && is_between(first)
    {
        rest = after;
    }
    let letters = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let (name, number) = rest.split_at(letters);
    if name.eq_ignore_ascii_case(b"pass") {
        return Some((name, number));
    }
    let digits = number
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let known = (1..=2).contains(&letters) && (1..=2).contains(&digits);
    known.then(|| rest.split_at(letters + digits))
}

fn read<'a>(bytes: &'a [u8], context: &'a Context) -> Reading<'a> {
    let mut record = Record::empty(bytes);
    record.game = Some("gomoku");
    if let Some(what) = remark(bytes) {
        return Reading::NotAGame(record, what);
    }
    let parts = Parts::of(bytes);
    let from_top = context.first_row.unwrap_or(match parts.sample {
        Some(_) => FirstRow::Top,
        None => FirstRow::Bottom,
    }) == FirstRow::Top;
    record.notation = Notation::Letters {
        from_bottom: !from_top,
    };
    record.size = parts.size.or(context.size);
    record.result = parts.result.map(bare);
    record.ending = parts.ending;
    record.rules = naming::rules(&context.path);
    // Two letters a point at least.
    record.steps.reserve(parts.moves.len().min(1 << 10) / 2);
    let mut side = Side::First;
    let mut rest = parts.moves;
    let mut add = |record: &mut Record<'a>, token: &'a [u8]| {
        let at = whole::offset(bytes, token);
        whole::step(record, StepKind::Play(side), token, at);
        side = side.other();
    };
    while let Some((token, after)) = next_move(rest) {
        add(&mut record, token);
        rest = after;
    }
    if let Some((token, result)) = parts.sample {
        let mover = match record.moves() % 2 {
            0 => Side::First,
            _ => Side::Second,
        };
        add(&mut record, token);
        record.result = Some(match (result, mover) {
            (1, _) => b"draw",
            (2, Side::First) | (0, Side::Second) => b"B+",
            _ => b"W+",
        });
    }
    let rest = rest.trim_ascii();
    if record.steps.is_empty() {
        let error = ReadError::new(
            "no_moves",
            "there is no move in the line: moves are written as h8 i9, h8i9 or 1.h8 2.i9",
        );
        return Reading::Broken(record, error);
    }
    if !rest.is_empty() {
        let at = whole::offset(bytes, rest);
        if rest.iter().any(u8::is_ascii_digit) && rest.len() <= 8 {
            stray(&mut record, rest, at);
        } else {
            let warning = Warning::new("trailing_text", Place::Byte(at as u32));
            record.warnings.push(warning);
        }
    }
    Reading::Game(record)
}
