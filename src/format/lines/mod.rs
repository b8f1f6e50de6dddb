//! Text dumps of servers: one game a line, `id TAB ;B[nd];W[pp]…`, with what
//! is known of the games in an index beside them, one row a game.
//!
//! The two files are joined by id: `x.kifu.txt` and `x.index.txt`. A line of
//! moves is a record, and takes its result, komi and players from its row. The
//! index gives one record that says what it is, and one for each row that has
//! no line of moves.
//!
//! Joining takes 17 bytes of memory for each id, and for a dump also the bytes
//! of its index.

mod read;
mod row;

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{Around, Companion, Context, Format, Piece, Reading, SplitState};
use crate::{record::Arena, source::charset::utf8_mark};

/// Text dumps and their indexes.
pub struct Lines;

/// So many lines are looked at to tell a dump from an index.
const LOOK_AHEAD: usize = 8;

impl Format for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn sniff(&self, path: &Path, head: &[u8]) -> bool {
        let name = path.file_name().map(|name| name.to_string_lossy());
        let named = name.is_some_and(|name| name.to_ascii_lowercase().contains("index"));
        // The last line may be cut; it begins as it does in the file.
        inked_lines(head).any(|line| {
            row::id(line).is_some()
                && (read::is_move_line(line)
                    || row::is_plain_row(line)
                    || named && row::is_row(line))
        })
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        context: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        split(state, window, eof, context, each)
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        piece: Piece,
        context: &'a Context,
        _: &'a Arena,
    ) -> Reading<'a> {
        read::read(bytes, piece, context)
    }

    fn known_by_id(&self) -> bool {
        true
    }

    fn companions(&self, path: &Path) -> Vec<PathBuf> {
        companions(path)
    }

    fn companion(&self, path: &Path, reader: &mut dyn Read) -> io::Result<Companion> {
        let mut companion = Companion::new(path);
        row::each_line(reader, &mut |line| row::keep(&mut companion, line))?;
        companion.seal();
        Ok(companion)
    }
}

/// The first lines of a file that are not blank, without their ends.
fn inked_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes
        .split(|byte| *byte == b'\n')
        .map(|line| &line[ink(line)..])
        .filter(|line| !line.is_empty())
        .take(LOOK_AHEAD)
}

/// Where a line begins that may have a mark or blanks before it; its length
/// where it is blank.
fn ink(line: &[u8]) -> usize {
    let mark = utf8_mark(line);
    let blanks = line[mark..].iter().take_while(|byte| is_blank(**byte));
    mark + blanks.count()
}

/// White space, padding and the mark that old systems end a file with.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 | 0x1a)
}

/// See [`Format::split`].
fn split(
    state: &mut SplitState,
    window: &[u8],
    eof: bool,
    context: &Context,
    each: &mut dyn FnMut(Piece),
) -> usize {
    let mut at = 0;
    if state.is_passing() {
        // What is left of a line that was too long is no line of its own.
        match memchr::memchr(b'\n', window) {
            Some(end) => at = end + 1,
            None => return window.len(),
        }
        state.pass_over();
    }
    if state.index.is_none() {
        state.index = is_index(&window[at..], eof);
    }
    let Some(index) = state.index else {
        return at;
    };
    while at < window.len() {
        let mut unclosed = false;
        let end = match memchr::memchr(b'\n', &window[at..]) {
            Some(length) => at + length,
            None if eof => {
                unclosed = true;
                window.len()
            }
            None => return at,
        };
        let start = at + ink(&window[at..end]);
        if start < end {
            let first = !state.any;
            state.any = true;
            state.inked = true;
            if index {
                split_row(first, window, start..end, context, each);
            } else {
                each(Piece {
                    start,
                    end,
                    around: Around {
                        unclosed,
                        ..Around::default()
                    },
                });
            }
        }
        at = (end + 1).min(window.len());
    }
    at
}

/// Hands over the records of a row of an index: the index as a whole before
/// the first row, and games without moves.
fn split_row(
    first: bool,
    window: &[u8],
    line: std::ops::Range<usize>,
    context: &Context,
    each: &mut dyn FnMut(Piece),
) {
    if first {
        each(Piece {
            start: line.start,
            end: line.start,
            ..Piece::default()
        });
    }
    let Some(companion) = &context.companion else {
        return;
    };
    if row::is_heading(&window[line.clone()]) {
        return;
    }
    for (place, joined) in row::rows(&window[line.clone()]) {
        let id = row::id(&window[line.start + place.start..line.start + place.end]);
        if id.is_none_or(|id| companion.get(id).is_none()) {
            each(Piece {
                start: line.start + place.start,
                end: line.start + place.end,
                around: Around {
                    joined,
                    ..Around::default()
                },
            });
        }
    }
}

/// Whether a file is an index, by the first of its lines that says so; `None`
/// where the window ends too early to tell.
fn is_index(window: &[u8], eof: bool) -> Option<bool> {
    // A line without an end is not yet known.
    let known = match memchr::memrchr(b'\n', window) {
        _ if eof => window,
        Some(last) => &window[..last],
        None => return None,
    };
    let mut looked = 0;
    for line in inked_lines(known) {
        looked += 1;
        if read::is_move_line(line) {
            return Some(false);
        }
        if row::is_row(line) {
            return Some(true);
        }
    }
    (eof || looked == LOOK_AHEAD).then_some(false)
}

/// The names of the file beside a dump or an index: the same name with the one
/// word for the other, in the case it is written in and in others.
fn companions(path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name().and_then(std::ffi::OsStr::to_str) else {
        return Vec::new();
    };
    let lower = name.to_ascii_lowercase();
    let kifu = lower.rfind("kifu").map(|at| (at, 4, "index"));
    let index = lower.rfind("index").map(|at| (at, 5, "kifu"));
    let Some((at, length, other)) = kifu.max(index) else {
        return Vec::new();
    };
    let word = &name[at..at + length];
    let mut capital = other.to_owned();
    capital[..1].make_ascii_uppercase();
    let mut words = [other.to_owned(), capital, other.to_ascii_uppercase()];
    if word.bytes().all(|byte| byte.is_ascii_uppercase()) {
        words.rotate_right(1);
    } else if word.starts_with(|letter: char| letter.is_ascii_uppercase()) {
        words.rotate_left(1);
    }
    let replaced = |word: String| format!("{}{word}{}", &name[..at], &name[at + length..]);
    words
        .map(|word| path.with_file_name(replaced(word)))
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_file_has_the_other_word_in_its_name() {
        for (name, first) in [
            ("x.kifu.txt", Some("x.index.txt")),
            ("x.index.txt", Some("x.kifu.txt")),
            ("x.kifu", Some("x.index")),
            ("kifu.txt", Some("index.txt")),
            ("2005.KIFU.TXT", Some("2005.INDEX.TXT")),
            ("Index-2005.txt", Some("Kifu-2005.txt")),
            ("kifu.index.txt", Some("kifu.kifu.txt")),
            ("games.txt", None),
        ] {
            let names = companions(&Path::new("a/b").join(name));
            let expected = first.map(|first| Path::new("a/b").join(first));
            assert_eq!(names.first(), expected.as_ref(), "{name}");
            assert!(names.is_empty() || names.len() == 3, "{name}");
        }
    }
}
