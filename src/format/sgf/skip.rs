//! Passes over the rest of a record that was given up as too long.
//!
//! It ends where [`super::split`] would end it: its brackets are balanced, or
//! the root of another record begins. But it is met window by window, in
//! memory that does not grow with it, so no more than [`MAX_GAP`] bytes are
//! looked at to tell a root.

use super::split::{
    MAX_GAP, begins_root, is_blank, is_move, plain_moves, start_in_value, value_end,
};

/// How far the record that was given up has been passed over.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::format) struct Skip {
    /// Whether its first byte is behind.
    begun: bool,
    /// Brackets open.
    depth: usize,
    /// Whether a node was met.
    nodes: bool,
    /// Whether a move was met.
    moves: bool,
    /// Whether the window begins inside a value, and inside what part of it.
    value: Option<Part>,
    /// The two bytes before the window, outside values.
    last: [u8; 2],
}

/// A part of a value. Only its first bracket can belong to a root that begins
/// in it because it was never ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Up to the first bracket in it.
    First,
    /// What follows.
    Rest,
}

/// How far a window is passed over.
pub(super) enum Passed {
    /// The record goes on: bytes from here are needed again.
    Within(usize),
    /// The record ends here.
    End(usize),
}

/// What follows from a part of a value.
enum Found {
    /// The value goes on with its next part, or ends, at a place.
    Next(Option<Part>, usize),
    /// As for the window.
    Passed(Passed),
}

impl Skip {
    /// Passes over the bytes of a window that belong to the record.
    pub(super) fn pass(&mut self, window: &[u8], eof: bool) -> Passed {
        let mut at = 0;
        // A record that starts with a node has its first bracket missing.
        if !self.begun && window.first() == Some(&b';') {
            self.depth = 1;
        }
        self.begun |= !window.is_empty();
        while let Some(&byte) = window.get(at) {
            if let Some(part) = self.value {
                match pass_value(part, window, at, eof) {
                    Found::Next(part, next) => {
                        self.value = part;
                        at = next;
                    }
                    Found::Passed(passed) => return passed,
                }
                continue;
            }
            let (sight, all) = sight(window, at, eof);
            match byte {
                b'[' => {
                    self.moves |= is_move(&self.last);
                    self.value = Some(Part::First);
                }
                b'(' => {
                    if self.nodes {
                        match begins_root(sight, at + 1, false, all) {
                            None => return Passed::Within(at),
                            Some(true) => return Passed::End(at),
                            Some(false) => {}
                        }
                    }
                    self.depth += 1;
                }
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Passed::End(at + 1);
                    }
                }
                b';' => {
                    let run = plain_moves(&window[at..]);
                    if run > 0 {
                        self.nodes = true;
                        self.moves = true;
                        self.last = [0, b']'];
                        at += run * 6;
                        continue;
                    }
                    match window.get(at + 1) {
                        None if !eof => return Passed::Within(at),
                        Some(b'G' | b'F') if self.moves => {
                            match begins_root(sight, at, true, all) {
                                None => return Passed::Within(at),
                                Some(true) => return Passed::End(at),
                                Some(false) => {}
                            }
                        }
                        _ => {}
                    }
                    self.nodes = true;
                }
                _ => {}
            }
            self.last = [self.last[1], byte];
            at += 1;
        }
        Passed::Within(at)
    }
}

/// The part of a window that may be looked at from a place, and whether no
/// more can come to it.
fn sight(window: &[u8], from: usize, eof: bool) -> (&[u8], bool) {
    window
        .get(..from + MAX_GAP)
        .map_or((window, eof), |near| (near, true))
}

/// Passes over a part of a value from a place in it.
fn pass_value(part: Part, window: &[u8], from: usize, eof: bool) -> Found {
    let mut at = from;
    loop {
        let rest = window.get(at..).unwrap_or_default();
        let sign = match part {
            Part::First => memchr::memchr3(b'[', b']', b'\\', rest),
            Part::Rest => memchr::memchr2(b']', b'\\', rest),
        };
        let Some(found) = sign.map(|sign| at + sign) else {
            return Found::Passed(Passed::Within(keep(part, window, from, window.len(), eof)));
        };
        match (window[found], window.get(found + 1)) {
            (b']', _) => return Found::Next(None, found + 1),
            (b'[', _) => return pass_bracket(window, from, found, eof),
            (_, None) if !eof => {
                return Found::Passed(Passed::Within(keep(part, window, from, found, eof)));
            }
            // An escape hides its bracket from the end of the value, not from us.
            (_, Some(b'[')) if part == Part::First => {
                return pass_bracket(window, from, found + 1, eof);
            }
            _ => at = found + 2,
        }
    }
}

/// The first byte to keep of a value that goes on behind `end`.
fn keep(part: Part, window: &[u8], from: usize, end: usize, eof: bool) -> usize {
    match part {
        _ if eof => window.len(),
        Part::First => candidate(window, from, end)
            .or_else(|| tree_before(window, from, end, end))
            .unwrap_or(end),
        Part::Rest => end,
    }
}

/// Passes over the first bracket in a value, unless a root begins before it.
fn pass_bracket(window: &[u8], from: usize, bracket: usize, eof: bool) -> Found {
    let rest = Found::Next(Some(Part::Rest), bracket + 1);
    let Some(first) = candidate(window, from, bracket) else {
        return rest;
    };
    let (sight, all) = sight(window, first, eof);
    let root = match value_end(sight, bracket + 1) {
        Some(close) => start_in_value(sight, first, close, all),
        None => all.then_some(None),
    };
    match root {
        None => Found::Passed(Passed::Within(first)),
        Some(None) => rest,
        Some(Some(root)) => Found::Passed(Passed::End(root)),
    }
}

/// Where a root would begin if the first bracket of a value, at or behind
/// `end`, were its own: the last node before it, and the bracket of its tree.
fn candidate(window: &[u8], from: usize, end: usize) -> Option<usize> {
    let node = from + memchr::memrchr(b';', &window[from..end])?;
    tree_before(window, from, node, end).or((end - node <= MAX_GAP).then_some(node))
}

/// The opening bracket that only blanks part from a place, if it is near
/// enough to `end` to be looked at.
fn tree_before(window: &[u8], from: usize, place: usize, end: usize) -> Option<usize> {
    let before = &window[from..place];
    let ink = from + before.iter().rposition(|byte| !is_blank(*byte))?;
    (window[ink] == b'(' && end - ink <= MAX_GAP).then_some(ink)
}

#[cfg(test)]
mod tests {
    use super::super::{
        super::{Piece, SplitState},
        split::split,
    };

    const NEXT: &str = "(;GM[1]SZ[9];B[aa];W[bb])";

    /// The pieces behind a record that is given up at its start, met through
    /// windows that grow by some bytes.
    fn behind(bytes: &[u8], step: usize) -> Vec<Piece> {
        let mut state = SplitState::default();
        state.give_up();
        let mut pieces = Vec::new();
        let (mut from, mut to) = (0, 0);
        while from < bytes.len() {
            to = bytes.len().min(to + step);
            let eof = to == bytes.len();
            from += split(&mut state, &bytes[from..to], eof, &mut |piece| {
                pieces.push(Piece {
                    start: piece.start + from,
                    end: piece.end + from,
                    ..piece
                });
            });
        }
        assert_eq!(from, bytes.len());
        pieces
    }

    /// A record, and whether its end is met.
    #[test]
    fn a_record_given_up_ends_where_it_would_have_ended() {
        for (record, ends) in [
            ("(;GM[1]SZ[9];B[aa];W[bb])", true),
            ("(;GM[1];B[aa](;W[bb];B[cc])(;W[cc](;B[dd])(;B[ee])))", true),
            ("(;GM[1](;B[aa](;W[bb](;B[cc](;W[dd])))))\n", true),
            (";GM[1];B[aa];W[bb])", true),
            // Brackets and roots in values that end.
            ("(;GM[1]C[a \\] ) \\\\];B[aa]C[(;B[4\\]) (];W[bb])", true),
            ("(;C[see \\[1\\] (;B[aa\\])];B[aa])", true),
            // Never closed: the root of the next record is the end.
            ("(;GM[1]SZ[9];B[aa];W[bb]\n", true),
            ("(;GM[1]SZ[9];B[aa](;W[bb](;B[cc]", true),
            ("(;GM[1];B[aa]C[never ended; (so)\n", true),
            ("(;GM[1];B[aa]C[never ended \\]\n", true),
            // All that follows belongs to a value with a bracket of its own.
            ("(;GM[1];B[aa]C[never ended [ \n", false),
        ] {
            let text = format!("{record}{NEXT}\n{NEXT}\n");
            let whole = behind(text.as_bytes(), text.len());
            let starts: Vec<_> = whole.iter().map(|piece| piece.start).collect();
            let second = text.len() - 1 - NEXT.len();
            let expected = if ends {
                vec![record.len(), second]
            } else {
                vec![second]
            };
            assert_eq!(starts, expected, "{text}");
            for step in 1..text.len() {
                assert_eq!(behind(text.as_bytes(), step), whole, "{text} by {step}");
            }
        }
    }

    #[test]
    fn a_value_without_an_end_takes_the_rest() {
        let text = format!("(;GM[1];B[aa]C[no end {}", "\\] (;B ".repeat(200));
        for step in [1, 2, 7, 1000, text.len()] {
            assert_eq!(behind(text.as_bytes(), step), [], "by {step}");
        }
    }

    /// Values and runs of brackets larger than what is looked at.
    #[test]
    fn long_parts_are_passed_over_in_small_memory() {
        let long = "; text (; ".repeat(20_000);
        let deep = 100_000;
        for record in [
            format!("(;GM[1];B[aa]C[{long}];W[bb])"),
            format!(
                "(;GM[1];B[aa]C[{long}{}[{long}];W[bb])",
                " ".repeat(100_000)
            ),
            format!("(;GM[1];B[aa](;C[{long}];W[bb]))"),
            format!(
                "(;GM[1]{};B[aa]{}",
                "(;W[bb]".repeat(deep),
                ")".repeat(deep + 1)
            ),
        ] {
            let text = format!("{record}{NEXT}{NEXT}");
            let whole = behind(text.as_bytes(), text.len());
            assert_eq!(whole.len(), 2, "{}", &text[..40]);
            assert_eq!(whole[0].start, record.len(), "{}", &text[..40]);
            for step in [1 << 12, 70_001] {
                assert_eq!(behind(text.as_bytes(), step), whole, "by {step}");
            }
        }
    }
}
