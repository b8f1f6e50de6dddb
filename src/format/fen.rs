//! Positions of xiangqi, one a line, with moves from there or without.
//!
//! ```text
//! 3ak4/4a4/9/9/9/9/9/9/4C4/4K4 w - - 0 1 ; a study
//! position fen 3ak4/4a4/9/9/9/9/9/9/4C4/4K4 w moves e1e8
//! position startpos moves h2e2 h9g7
//! ```
//!
//! A remark follows a semicolon, `#` or tab; a result in it is taken, in Chinese
//! too. The last two lines are as UCCI and UCI write positions.

use std::path::Path;

use super::{
    Context, Format, Piece, Reading, SplitState,
    pgn::{is_result, set_charset},
    whole::{self, LOOK_AHEAD, head_lines, offset, split_lines},
};
use crate::{
    outcome::Side,
    record::{Arena, Field, Notation, ReadError, Record, StepKind},
};

/// Lists of positions.
pub struct Fen;

impl Format for Fen {
    fn name(&self) -> &'static str {
        "fen"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["fen"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        let is_known = |line: &[u8]| {
            let parts = Parts::of(line);
            parts.rows == 10 || parts.starts
        };
        let mut lines = head_lines(head, LOOK_AHEAD)
            .filter(|line| !is_remark(line))
            .peekable();
        lines.peek().is_some() && lines.all(is_known)
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
        let mut record = Record::empty(bytes);
        set_charset(&mut record, bytes, context);
        if is_remark(bytes) {
            return Reading::NotAGame(record, "a remark in a list of positions");
        }
        let parts = Parts::of(bytes);
        if parts.rows == 8 {
            return Reading::NotAGame(record, "a position of chess");
        }
        record.game = Some("xiangqi");
        record.notation = Notation::Xiangqi;
        record.setup = parts.setup;
        record.result = result(&record, parts.remark);
        whole::field(&mut record, context.meta, Field::Event, parts.remark);
        if parts.rows == 0 && !parts.starts {
            let error = ReadError::new(
                "no_board",
                "the line has no position: ten rows with / between them, as in FEN",
            );
            return Reading::Broken(record, error);
        }
        let turn = parts
            .setup
            .and_then(|setup| setup.split(u8::is_ascii_whitespace).nth(1));
        let mut side = match turn {
            Some(b"b" | b"B") => Side::Second,
            _ => Side::First,
        };
        for token in parts.moves.split(u8::is_ascii_whitespace) {
            if !token.is_empty() {
                let at = offset(bytes, token);
                whole::step(&mut record, StepKind::Play(side), token, at);
                side = side.other();
            }
        }
        Reading::Game(record)
    }
}

fn is_remark(line: &[u8]) -> bool {
    matches!(line, [b'#' | b';', ..])
}

/// What a line says.
#[derive(Default)]
struct Parts<'a> {
    /// The position, where it is not the usual one.
    setup: Option<&'a [u8]>,
    /// Rows of the position, 0 where it is none.
    rows: usize,
    /// The position is the usual one.
    starts: bool,
    moves: &'a [u8],
    remark: &'a [u8],
}

/// The result in a remark, in digits or in Chinese.
fn result<'a>(record: &Record<'_>, remark: &'a [u8]) -> Option<&'a [u8]> {
    remark
        .split(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b','))
        .find(|word| {
            matches!(*word, b"1-0" | b"0-1" | b"1/2-1/2")
                || !word.is_ascii() && is_result(&record.text(word))
        })
}

impl<'a> Parts<'a> {
    fn of(line: &'a [u8]) -> Self {
        let mut parts = Self::default();
        let end = line
            .iter()
            .position(|byte| matches!(byte, b';' | b'#' | b'\t'))
            .unwrap_or(line.len());
        let (said, remark) = line.split_at(end);
        parts.remark = remark.get(1..).unwrap_or_default().trim_ascii();
        let said = said.trim_ascii();
        let said = strip_word(said, b"position").unwrap_or(said);
        let startpos = said.strip_prefix(b"startpos");
        let moves = startpos.map(<[u8]>::trim_ascii_start);
        parts.starts = moves.is_some_and(|moves| moves.is_empty() || moves.starts_with(b"moves "));
        let said = strip_word(said, b"fen").unwrap_or(said);
        let (position, moves) = match memchr::memmem::find(said, b" moves ") {
            Some(at) => (&said[..at], &said[at + b" moves ".len()..]),
            None => (said, &b""[..]),
        };
        if !parts.starts {
            parts.rows = rows(position);
            parts.setup = (parts.rows > 0).then(|| position.trim_ascii());
        }
        if parts.starts || parts.rows > 0 {
            parts.moves = moves.trim_ascii();
        }
        parts
    }
}

/// What follows a word and blanks.
fn strip_word<'a>(text: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let rest = text.strip_prefix(word)?;
    let is_whole = rest.first().is_some_and(u8::is_ascii_whitespace);
    is_whole.then(|| rest.trim_ascii_start())
}

/// The rows of a position, 0 where the first word is none.
fn rows(position: &[u8]) -> usize {
    let word = position.split(u8::is_ascii_whitespace).next();
    let word = word.unwrap_or_default();
    let is_sign =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'[' | b']' | b'-');
    let count = word.iter().filter(|byte| **byte == b'/').count() + 1;
    match count > 1 && word.iter().all(is_sign) {
        true => count,
        false => 0,
    }
}
