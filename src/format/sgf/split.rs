//! Cuts SGF collections at record borders.
//!
//! A record is a game tree. Trees that were never closed, values that were
//! never ended and text around trees are common, so the splitter looks for the
//! start of the next record also inside an open tree or value: a node that
//! begins with a property that only a root has.

use super::{
    super::{Around, Piece, SplitState},
    skip::Passed,
};
use crate::outcome::Side;

/// Text between records is given up beyond this many bytes, so that a file of
/// padding never fills the window.
pub(super) const MAX_GAP: usize = 64 * 1024;

/// So many properties of a node are looked at to tell whether it is a root.
const MAX_ROOT_PROPERTIES: usize = 32;

/// Properties that the root node of a record has and no other node.
const ROOT: &[&[u8]] = &[b"FF", b"GM", b"SZ", b"CA", b"AP"];

/// Properties that begin a root node written without `;`, as Sina and the
/// Nihon Ki-in do.
const BARE_ROOT: &[&[u8]] = &[
    b"TE", b"RD", b"PC", b"TM", b"LT", b"LC", b"KO", b"RE", b"PB", b"PW", b"EV", b"KM", b"GN",
    b"DT",
];

/// The byte order mark of UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Whether bytes at the start of a file look like SGF.
pub(super) fn looks_like_sgf(head: &[u8]) -> bool {
    let mut state = SplitState::default();
    matches!(
        next_start(&mut state, head, 0, true, None, false),
        Gap::Start { .. }
    )
}

/// See [`super::Format::split`].
pub(super) fn split(
    state: &mut SplitState,
    window: &[u8],
    eof: bool,
    each: &mut dyn FnMut(Piece),
) -> usize {
    let mut from = 0;
    if let Some(skip) = &mut state.given_up {
        match skip.pass(window, eof) {
            Passed::Within(keep) => return keep,
            Passed::End(end) => from = end,
        }
        state.given_up = None;
    }
    let mut at = match next_start(state, window, from, eof, None, false) {
        Gap::Start { at, .. } => at,
        Gap::Incomplete { keep } => return keep,
        Gap::End => return window.len(),
    };
    loop {
        let start = at;
        let mut around = Around {
            leading_text: state.text_before,
            ..Around::default()
        };
        let Some(mut extent) = extent(window, start, 0, eof) else {
            return start;
        };
        let following = loop {
            around.unclosed = extent.unclosed;
            let gap_state = &mut SplitState {
                text_before: false,
                ..state.clone()
            };
            gap_state.any = true;
            let gap = next_start(
                gap_state,
                window,
                extent.end,
                eof,
                Some(&mut around),
                !extent.moves,
            );
            match gap {
                // A tree closed before its first move, then nodes: go on.
                Gap::Start { at, loose: true } => {
                    let Some(longer) = self::extent(window, at, 1, eof) else {
                        return start;
                    };
                    around = Around {
                        leading_text: around.leading_text,
                        ..Around::default()
                    };
                    extent = longer;
                }
                Gap::Start { at, .. } => {
                    state.text_before = gap_state.text_before;
                    break Some(at);
                }
                Gap::Incomplete { keep } if keep - extent.end < MAX_GAP => return start,
                Gap::Incomplete { keep } => {
                    around.trailing_text = true;
                    state.any = true;
                    state.text_before = false;
                    each(piece(start, &extent, around));
                    return keep;
                }
                Gap::End => break None,
            }
        };
        state.any = true;
        each(piece(start, &extent, around));
        match following {
            Some(next) => at = next,
            None => return window.len(),
        }
    }
}

fn piece(start: usize, extent: &Extent, around: Around) -> Piece {
    Piece {
        start,
        end: extent.end,
        around,
    }
}

/// How far a record reaches.
struct Extent {
    /// One past its last byte.
    end: usize,
    /// Whether the closing bracket is missing.
    unclosed: bool,
    /// Whether a move was met.
    moves: bool,
}

/// Follows a record from its start, with some brackets already open, to its
/// end; `None` where the window ends first and more can follow.
fn extent(window: &[u8], start: usize, open: usize, eof: bool) -> Option<Extent> {
    let mut depth = open;
    let mut at = start;
    let mut nodes = false;
    let mut moves = false;
    // A record that starts with a node has its first bracket missing.
    if window.get(at) == Some(&b';') {
        depth = depth.max(1);
    }
    while let Some(&byte) = window.get(at) {
        match byte {
            b'[' => {
                if !moves && at > start {
                    moves = is_move(&window[..at]);
                }
                let Some(close) = value_end(window, at + 1) else {
                    break;
                };
                if close - at > 5
                    && let Some(inner) = start_in_value(window, at + 1, close, eof)?
                {
                    return Some(unclosed(window, inner, moves));
                }
                at = close;
            }
            b'(' => {
                if nodes && begins_root(window, at + 1, false, eof)? {
                    return Some(unclosed(window, at, moves));
                }
                depth += 1;
            }
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(Extent {
                        end: at + 1,
                        unclosed: false,
                        moves,
                    });
                }
            }
            b';' => {
                // Most of a record is nodes with a move and nothing else.
                let run = plain_moves(&window[at..]);
                if run > 0 {
                    nodes = true;
                    moves = true;
                    at += run * 6;
                    continue;
                }
                if moves
                    && matches!(window.get(at + 1), Some(b'G' | b'F'))
                    && begins_root(window, at, true, eof)?
                {
                    return Some(unclosed(window, at, moves));
                }
                nodes = true;
            }
            _ => {}
        }
        at += 1;
    }
    eof.then(|| unclosed(window, window.len(), moves))
}

/// How many nodes `;B[pd]` or `;W[pd]` follow each other.
pub(super) fn plain_moves(mut bytes: &[u8]) -> usize {
    let mut run = 0;
    while let Some((_, _, after)) = plain_move(bytes) {
        run += 1;
        bytes = after;
    }
    run
}

/// The side and the point of a node that holds a move and nothing else,
/// `;B[pd]`, and the bytes after it. Most of a record is such nodes.
#[inline(always)]
pub(super) fn plain_move(bytes: &[u8]) -> Option<(Side, &[u8; 2], &[u8])> {
    static LETTERS: [bool; 256] = {
        let mut letters = [false; 256];
        let mut i = 0;
        while i < 26 {
            letters[b'a' as usize + i] = true;
            letters[b'A' as usize + i] = true;
            i += 1;
        }
        letters
    };
    // All but the point and what follows, as a number in memory order.
    const SIGNS: u64 = 0xff00_00ff_ffff;
    const BLACK: u64 = u64::from_le_bytes(*b";B[\0\0]\0\0");
    const WHITE: u64 = u64::from_le_bytes(*b";W[\0\0]\0\0");
    let node: &[u8; 8] = bytes.first_chunk()?;
    let side = match u64::from_le_bytes(*node) & SIGNS {
        BLACK => Side::First,
        WHITE => Side::Second,
        _ => return None,
    };
    let point: &[u8; 2] = node[3..].first_chunk()?;
    let [column, row] = point.map(|letter| LETTERS[usize::from(letter)]);
    (column & row).then_some((side, point, &bytes[6..]))
}

/// A record without its closing bracket: ends at the last ink before a place.
fn unclosed(window: &[u8], before: usize, moves: bool) -> Extent {
    let ink = window[..before]
        .iter()
        .rposition(|byte| !is_blank(*byte))
        .map_or(0, |last| last + 1);
    Extent {
        end: ink,
        unclosed: true,
        moves,
    }
}

/// Whether the value that opens behind some bytes is that of a move.
pub(super) fn is_move(before: &[u8]) -> bool {
    let Some((&letter, before)) = before.split_last() else {
        return false;
    };
    matches!(letter, b'B' | b'W') && !before.last().is_some_and(u8::is_ascii_alphabetic)
}

/// The bracket that ends the value whose first byte is at `at`.
pub(super) fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    // Moves: two letters, then the bracket.
    if let Some([first, second, b']']) = bytes.get(at..at + 3)
        && first.is_ascii_alphabetic()
        && second.is_ascii_alphabetic()
    {
        return Some(at + 2);
    }
    let mut from = at;
    loop {
        let found = from + memchr::memchr2(b']', b'\\', bytes.get(from..)?)?;
        if bytes[found] == b']' {
            return Some(found);
        }
        from = found + 2;
    }
}

/// A record that starts inside a value that was never ended: its place.
///
/// `(;FF[4]` can stand in a comment only as `(;FF[4\]`, so an unescaped one
/// that is followed by more structure is the start of a record. The outer
/// `None` says that the window ends too early to tell.
pub(super) fn start_in_value(
    window: &[u8],
    from: usize,
    close: usize,
    eof: bool,
) -> Option<Option<usize>> {
    let Some(length) = memchr::memchr(b'[', &window[from..close]) else {
        return Some(None);
    };
    let Some(node) = memchr::memrchr(b';', &window[from..from + length]) else {
        return Some(None);
    };
    let node = from + node;
    match window.get(skip_blank(window, close + 1)) {
        Some(b'A'..=b'Z' | b';' | b'(' | b')') => {}
        None if !eof => return None,
        _ => return Some(None),
    }
    let bracket = window[from..node]
        .iter()
        .rposition(|byte| !is_blank(*byte))
        .map(|last| last + from)
        .filter(|last| window[*last] == b'(');
    let starts = begins_root(window, node, true, eof)?;
    Some(starts.then(|| bracket.unwrap_or(node)))
}

/// Whether a root node begins at a place: `;` and a node that has a property
/// of a root, or (unless `node`) such a property without `;`. `None` where the
/// window ends too early to tell.
pub(super) fn begins_root(window: &[u8], at: usize, node: bool, eof: bool) -> Option<bool> {
    let mut at = skip_blank(window, at);
    let mut semicolon = false;
    while window.get(at) == Some(&b';') {
        semicolon = true;
        at = skip_blank(window, at + 1);
    }
    if semicolon {
        return is_root_node(window, at, eof);
    }
    if node {
        return Some(false);
    }
    match property(window, at) {
        Some(name) => Some(ROOT.contains(&name) || BARE_ROOT.contains(&name)),
        None => (eof || !is_cut(window, at)).then_some(false),
    }
}

/// Whether one of the first properties of a node is one of a root; `None` where
/// the window ends too early to tell.
fn is_root_node(window: &[u8], mut at: usize, eof: bool) -> Option<bool> {
    for _ in 0..MAX_ROOT_PROPERTIES {
        let Some(name) = property(window, at) else {
            return (eof || !is_cut(window, at)).then_some(false);
        };
        if ROOT.contains(&name) {
            return Some(true);
        }
        if matches!(name, b"B" | b"W") {
            return Some(false);
        }
        at = skip_blank(window, at + name.len());
        while window.get(at) == Some(&b'[') {
            let Some(close) = value_end(window, at + 1) else {
                return eof.then_some(false);
            };
            at = skip_blank(window, close + 1);
        }
    }
    Some(false)
}

/// Whether the window ends before it shows if a property starts at a place.
fn is_cut(window: &[u8], at: usize) -> bool {
    skip_blank(window, name_end(window, at)) == window.len()
}

/// The name of a property that has a value and starts at a place.
fn property(window: &[u8], at: usize) -> Option<&[u8]> {
    let end = name_end(window, at);
    let name = window.get(at..end)?;
    (!name.is_empty() && window.get(skip_blank(window, end)) == Some(&b'[')).then_some(name)
}

/// One past the last byte of the name that starts at a place.
fn name_end(window: &[u8], at: usize) -> usize {
    let name = window.get(at..).unwrap_or_default().iter().take(64);
    at + name.take_while(|byte| byte.is_ascii_alphanumeric()).count()
}

/// What lies between two records.
enum Gap {
    /// The next record starts here; `loose` is a move node without any tree.
    Start {
        /// Its first byte.
        at: usize,
        /// Whether it can only go on with a record closed too early.
        loose: bool,
    },
    /// The window ends before the gap does: bytes from here are needed again.
    Incomplete {
        /// First byte to keep.
        keep: usize,
    },
    /// The file ends.
    End,
}

/// Looks for the next record from a place between records.
///
/// Text on the line of the last closing bracket belongs to the record before
/// (`around`), other text to the one that follows (`state`). With `loose`, a
/// move node outside any tree counts as a start.
fn next_start(
    state: &mut SplitState,
    window: &[u8],
    from: usize,
    eof: bool,
    mut around: Option<&mut Around>,
    loose: bool,
) -> Gap {
    let mut at = from;
    let mut same_line = around.is_some();
    while let Some(&byte) = window.get(at) {
        match byte {
            _ if is_line_end(byte) => same_line = false,
            _ if is_space(byte) => {}
            0 => note_text(state, &mut around, true),
            0xef if !eof && BOM.starts_with(&window[at..]) => {
                return Gap::Incomplete { keep: at };
            }
            0xef if window[at..].starts_with(BOM) => at += 2,
            b')' => {
                state.inked = true;
                match &mut around {
                    Some(around) => around.extra_close = true,
                    None => state.text_before = true,
                }
            }
            b'(' | b';' => {
                state.inked = true;
                match start_at(window, at, state, eof) {
                    Start::Yes => return Gap::Start { at, loose: false },
                    Start::Loose if loose => return Gap::Start { at, loose: true },
                    Start::Unknown => return Gap::Incomplete { keep: at },
                    Start::Loose | Start::No => {
                        note_text(state, &mut around, same_line);
                        // Nor does a record start later in the same run, and
                        // to look again at each of its signs would take ages.
                        let run = sign_run(window, at);
                        same_line &= !window[at..at + run].iter().any(|b| is_line_end(*b));
                        at += run - 1;
                    }
                }
            }
            _ => {
                state.inked = true;
                note_text(state, &mut around, same_line || matches!(byte, b']' | 0x1a));
            }
        }
        at += 1;
    }
    if !eof {
        return Gap::Incomplete { keep: at };
    }
    // Nothing follows, so the text belongs to the record before.
    if let Some(around) = around
        && state.text_before
    {
        around.trailing_text = true;
    }
    Gap::End
}

fn note_text(state: &mut SplitState, around: &mut Option<&mut Around>, same_line: bool) {
    match around {
        Some(around) if same_line => around.trailing_text = true,
        _ => state.text_before = true,
    }
}

enum Start {
    Yes,
    /// A move node outside any tree.
    Loose,
    No,
    /// The window ends too early to tell.
    Unknown,
}

/// Whether a record starts at a `(` or `;` between records.
fn start_at(window: &[u8], at: usize, state: &SplitState, eof: bool) -> Start {
    let bracket = window[at] == b'(';
    let run = sign_run(window, at);
    if run > MAX_GAP {
        return Start::No;
    }
    let nodes = window[at..at + run].iter().filter(|b| **b == b';').count();
    let next = at + run;
    let Some(&byte) = window.get(next) else {
        return match (eof, bracket && nodes > 0) {
            (false, _) => Start::Unknown,
            (true, true) => Start::Yes,
            (true, false) => Start::No,
        };
    };
    if !eof && is_cut(window, next) && window.len() - next <= MAX_GAP {
        return Start::Unknown;
    }
    let name = property(window, next);
    let yes = if bracket {
        name.is_some_and(|name| nodes > 0 || name.iter().any(u8::is_ascii_uppercase))
            || (nodes > 0 && matches!(byte, b'(' | b')' | b'['))
    } else {
        name.is_some_and(|name| {
            ROOT.contains(&name) || (!state.any && !state.text_before && !name.is_empty())
        })
    };
    if yes {
        Start::Yes
    } else if !bracket && matches!(name, Some(b"B" | b"W")) {
        Start::Loose
    } else {
        Start::No
    }
}

/// How many signs that may begin a record, and blanks among them, follow each
/// other: brackets and then semicolons, a little more than [`MAX_GAP`] at most.
fn sign_run(window: &[u8], at: usize) -> usize {
    let mut nodes = window[at] == b';';
    window[at..]
        .iter()
        .take(MAX_GAP + 1)
        .take_while(|byte| match byte {
            b';' => {
                nodes = true;
                true
            }
            b'(' => !nodes,
            byte => is_space(**byte),
        })
        .count()
}

const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn skip_blank(window: &[u8], mut at: usize) -> usize {
    while window.get(at).is_some_and(|byte| is_blank(*byte)) {
        at += 1;
    }
    at
}

/// White space as SGF knows it, and the vertical kinds.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// White space and the padding that disk faults leave.
pub(super) const fn is_blank(byte: u8) -> bool {
    is_space(byte) || byte == 0
}
