//! Cuts a file of games at the tags that a game begins with.
//!
//! Only lines are looked at: their ends and the bracket that one begins with are
//! the same in every encoding that the games come in.

use xxhash_rust::xxh3::xxh3_64;

use crate::{
    format::{Around, Piece, SplitState, whole::offset},
    source::charset::utf8_mark,
};

/// A longer line holds text, whatever it begins with.
const MAX_TAG: usize = 4096;

/// A longer word is no name of a tag.
const MAX_NAME: usize = 32;

/// So many tags of a game are remembered.
const MAX_TAGS: usize = 16;

/// What ends a game.
pub(super) const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// What the splitter remembers of a game that was given up.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::format) struct Memory {
    seen: Seen,
    /// The window begins in the middle of a line.
    inside: bool,
}

/// What was met of a game.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Something that is no tag.
    text: bool,
    /// The line before was blank.
    blank: bool,
    /// Hashes of the names of tags, 0 where there is none.
    names: [u64; MAX_TAGS],
    /// A result, or a line of `=`, is the last that was met.
    ended: bool,
}

impl Seen {
    /// Whether a line is the first of another game.
    fn is_next(&self, line: &[u8]) -> bool {
        let Some((name, _)) = tag_name(line) else {
            return false;
        };
        // A game without moves is followed by one that has the same tags.
        self.text || self.blank && self.names.contains(&hash(name))
    }

    /// Takes a line in, without the blanks around it.
    fn take(&mut self, line: &[u8]) {
        self.blank = line.is_empty();
        if self.blank {
            return;
        }
        if let Some((name, _)) = tag_name(line) {
            let place = self.names.iter_mut().find(|known| **known == 0);
            if let Some(place) = place {
                *place = hash(name);
            }
            // Text behind the last tag of the line.
            let tags = memchr::memmem::rfind(line, b"\"]").map_or(line.len(), |at| at + 2);
            self.take_text(&line[tags..], line.len());
        } else if !is_like_tag(line) && !matches!(line, [b';' | b'%', ..]) {
            self.take_text(line, line.len());
        }
    }

    fn take_text(&mut self, text: &[u8], line: usize) {
        self.text |= line > MAX_TAG || !text.is_empty();
        let last = text.rsplit(u8::is_ascii_whitespace).next();
        let result = last.is_some_and(|word| RESULTS.contains(&word));
        if !text.is_empty() {
            self.ended = result || self.ended && self.text || text.starts_with(b"===");
        }
    }
}

/// The name of the tag that a line begins with, and what follows its quote:
/// `[Name "value"]`.
pub(super) fn tag_name(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = line.strip_prefix(b"[")?.trim_ascii_start();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let most = inside.get(..MAX_NAME + 1).unwrap_or(inside);
    let length = most.iter().take_while(|byte| is_name(byte)).count();
    let (name, behind) = inside.split_at(length);
    let known = (1..=MAX_NAME).contains(&length) && name[0].is_ascii_alphabetic();
    let value = behind.trim_ascii_start().strip_prefix(b"\"")?;
    known.then_some((name, value))
}

/// A hash of the name of a tag, in any case; never 0.
fn hash(name: &[u8]) -> u64 {
    let mut lower = [0; MAX_NAME];
    for (place, letter) in lower.iter_mut().zip(name) {
        *place = letter.to_ascii_lowercase();
    }
    xxh3_64(&lower) | 1
}

/// Whether a line that is no tag may be one that is damaged.
pub(super) fn is_like_tag(line: &[u8]) -> bool {
    let Some(before) = line.strip_suffix(b"\"]") else {
        return line.starts_with(b"[") && line.ends_with(b"]");
    };
    // The number of a move, or a comment, begins no tag.
    let name = before
        .split(|byte| *byte == b'"')
        .next()
        .unwrap_or_default();
    !line.first().is_some_and(u8::is_ascii_digit) && !name.contains(&b'{')
}

/// A line from some place on, without its end, and where the next one begins;
/// nothing where its end is still to come.
fn next_line(window: &[u8], at: usize, eof: bool) -> Option<(&[u8], usize)> {
    let rest = window.get(at..).filter(|rest| !rest.is_empty())?;
    match memchr::memchr2(b'\n', b'\r', rest) {
        None => eof.then_some((rest, window.len())),
        Some(end) => {
            let length = match rest[end..] {
                [b'\r', b'\n', ..] => 2,
                [b'\r'] if !eof => return None,
                _ => 1,
            };
            Some((&rest[..end], at + end + length))
        }
    }
}

/// A line without the mark and the blanks around it.
fn ink(line: &[u8]) -> &[u8] {
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let line = &line[utf8_mark(line)..];
    let start = line.iter().position(|byte| !blank(byte));
    let end = line.iter().rposition(|byte| !blank(byte));
    start
        .zip(end)
        .map_or(b"", |(start, end)| &line[start..=end])
}

/// See [`crate::format::Format::split`].
pub(super) fn split(
    state: &mut SplitState,
    window: &[u8],
    eof: bool,
    each: &mut dyn FnMut(Piece),
) -> usize {
    let mut at = 0;
    if state.is_passing() {
        at = pass(state, window, eof);
        if state.is_passing() {
            return at;
        }
    }
    let mut seen = Seen::default();
    let mut record: Option<(usize, usize)> = None;
    let mut begun = at;
    let mut make = |state: &mut SplitState, (start, end), unclosed| {
        state.any = true;
        let around = Around {
            unclosed,
            ..Around::default()
        };
        each(Piece { start, end, around });
    };
    while let Some((line, next)) = next_line(window, at, eof) {
        let line = ink(line);
        let start = offset(window, line);
        if !line.is_empty() {
            state.inked = true;
            if let Some(whole) = record.filter(|_| seen.is_next(line)) {
                make(state, whole, false);
                record = None;
                seen = Seen::default();
            }
            if record.is_none() {
                begun = at;
            }
            let first = record.map_or(start, |(first, _)| first);
            record = Some((first, start + line.len()));
        }
        seen.take(line);
        at = next;
    }
    match record {
        Some(last) if eof => make(state, last, !seen.ended),
        Some(_) => return begun,
        None if !eof => return at,
        None => {}
    }
    window.len()
}

/// Passes over the lines of a game that was given up; returns where the next one
/// begins, or how much is done with.
fn pass(state: &mut SplitState, window: &[u8], eof: bool) -> usize {
    let mut memory = state.pgn;
    let mut at = 0;
    while let Some((line, next)) = next_line(window, at, eof) {
        let line = ink(line);
        let inside = std::mem::take(&mut memory.inside);
        if !inside && memory.seen.is_next(line) {
            state.pgn = Memory::default();
            state.pass_over();
            return at;
        }
        if !inside {
            memory.seen.take(line);
        }
        at = next;
    }
    // A line may be longer than what is kept.
    let rest = window.get(at..).unwrap_or_default();
    if memory.inside || rest.len() > MAX_TAG {
        let line = ink(rest);
        if !memory.inside && memory.seen.is_next(line) {
            state.pgn = Memory::default();
            state.pass_over();
            return at;
        }
        memory.seen.text = true;
        memory.inside = true;
        at = window.len();
    }
    state.pgn = memory;
    if eof { window.len() } else { at }
}
