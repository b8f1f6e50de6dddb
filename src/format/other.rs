//! Files of k-in-a-row programs that are known and hold no games: they are
//! passed over with one row each.
//!
//! * `.lib` of RenLib: a tree of positions without results.
//! * The PGN of c-gomoku-cli: results of games, but no moves.
//! * The tables of Gomocup: `A - B: 3 : 1`, games won and lost.

use std::path::Path;

use super::{Context, Format, Piece, Reading, SplitState, whole::head_lines};
use crate::record::{Arena, Record};

/// A format without games.
pub struct Other {
    name: &'static str,
    sniff: fn(&[u8]) -> bool,
    what: &'static str,
}

/// Trees of RenLib.
pub static RENLIB: Other = Other {
    name: "renlib",
    sniff: |head| head.starts_with(b"\xffRenLib\xff"),
    what: "a library of RenLib: a tree of positions without results",
};

/// Results of c-gomoku-cli.
pub static RESULTS: Other = Other {
    name: "results",
    sniff: is_results_pgn,
    what: "results of games without their moves: read the SGF of the same run instead",
};

/// Tables of Gomocup.
pub static TABLE: Other = Other {
    name: "table",
    sniff: is_table,
    what: "a table of games won and lost by pairs of programs",
};

/// What a file is whose games are of a kind that is known and not read.
#[must_use]
pub fn unread_kind(path: &Path, head: &[u8]) -> Option<&'static str> {
    const KINDS: [(&str, &str); 4] = [
        ("cbf", "a record of xiangqi as XML (CBF)"),
        ("che", "a record of xiangqi of another program (CHE)"),
        ("mxq", "a record of xiangqi of another program (MXQ)"),
        ("wxf", "a record of xiangqi in the text layout of the WXF"),
    ];
    let extension = path.extension().and_then(std::ffi::OsStr::to_str);
    let is_named = |known: &str| extension.is_some_and(|name| name.eq_ignore_ascii_case(known));
    let first = head_lines(head, 1).next().unwrap_or_default();
    let is_wxf = first
        .strip_prefix(b"FORMAT")
        .is_some_and(|rest| rest.trim_ascii() == b"WXF");
    let is_cbf = memchr::memmem::find(head, b"<ChineseChessRecord").is_some();
    KINDS
        .iter()
        .find(|(name, _)| is_named(name) || *name == "wxf" && is_wxf || *name == "cbf" && is_cbf)
        .map(|(_, kind)| *kind)
}

/// The row of a file has so many of its bytes.
const SHOWN: usize = 64;

/// So many lines are looked at.
const LOOK_AHEAD: usize = 32;

impl Format for Other {
    fn name(&self) -> &'static str {
        self.name
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        (self.sniff)(head)
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        if !state.any && !window.is_empty() {
            if window.len() < SHOWN && !eof {
                return 0;
            }
            state.any = true;
            state.inked = true;
            each(Piece {
                start: 0,
                end: window.len().min(SHOWN),
                ..Piece::default()
            });
        }
        window.len()
    }

    fn read<'a>(&self, bytes: &'a [u8], _: Piece, _: &'a Context, _: &'a Arena) -> Reading<'a> {
        Reading::NotAGame(Record::empty(bytes), self.what)
    }
}

/// Whether all lines are tags or lone results, with such tags as c-gomoku-cli
/// writes.
fn is_results_pgn(head: &[u8]) -> bool {
    const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
    let (mut results, mut counts) = (false, false);
    for line in head_lines(head, LOOK_AHEAD) {
        let is_tag = line.starts_with(b"[") && line.ends_with(b"\"]");
        let is_result = RESULTS.contains(&line);
        if !is_tag && !is_result {
            return false;
        }
        results |= is_result;
        counts |= line.starts_with(b"[PlyCount ") || line.starts_with(b"[Termination ");
    }
    results && counts
}

/// Whether all lines are `A - B: 3 : 1`.
fn is_table(head: &[u8]) -> bool {
    let mut lines = head_lines(head, LOOK_AHEAD).peekable();
    lines.peek().is_some() && lines.all(is_pair)
}

fn is_pair(line: &[u8]) -> bool {
    let mut parts = line
        .rsplitn(3, |byte| *byte == b':')
        .map(<[u8]>::trim_ascii);
    let is_number =
        |text: &[u8]| (1..=6).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    let numbers = parts
        .by_ref()
        .take(2)
        .filter(|text| is_number(text))
        .count();
    let names = parts.next().unwrap_or_default();
    let dash = memchr::memmem::find(names, b" - ");
    numbers == 2 && dash.is_some_and(|dash| dash > 0 && dash + 3 < names.len())
}
