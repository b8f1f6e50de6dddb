//! One line of a dump, or a row of its index, to a record.

use super::{
    super::{Context, Piece, Reading},
    is_blank,
    row::{self, Row},
};
use crate::{
    outcome::Side,
    record::{Field, Place, ReadError, Record, Step, StepKind, Warning, warn_once},
};

/// Whether a line begins as one of moves: an id and a tab, then `;B[` or the
/// like.
pub(super) fn is_move_line(line: &[u8]) -> bool {
    let (_, rest) = head(line);
    let [b';', name @ ..] = rest else {
        return false;
    };
    [b"B[".as_slice(), b"W[", b"AB[", b"AW["]
        .iter()
        .any(|start| name.starts_with(start))
}

/// The id of a line and what follows it; without an id, the whole line.
fn head(line: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let id = row::id(line);
    let rest = &line[id.map_or(0, <[u8]>::len)..];
    (id, rest.trim_ascii_start())
}

/// Reads a piece: a line of moves, a row of an index that has none, or the
/// empty piece that stands for an index.
pub(super) fn read<'a>(bytes: &'a [u8], piece: Piece, context: &'a Context) -> Reading<'a> {
    if bytes.is_empty() {
        let what = match context.companion {
            Some(_) => "the index of the dump beside it, joined with its games",
            None => {
                "an index of games without the dump beside it (the same name with kifu for index)"
            }
        };
        return Reading::NotAGame(Record::empty(bytes), what);
    }
    let mut record = Record::empty(bytes);
    record.size = context.size;
    if is_move_line(bytes) {
        record.game = Some("go");
        let (id, moves) = head(bytes);
        record.id = id;
        let missing = id.is_none().then_some("no_id");
        record
            .warnings
            .extend(missing.map(|word| Warning::new(word, Place::Record)));
        Scan {
            bytes,
            at: bytes.len() - moves.len(),
            record: &mut record,
            last: Side::Second,
        }
        .run();
        join(&mut record, context);
        return Reading::Game(record);
    }
    if row::is_heading(bytes) {
        return Reading::NotAGame(record, "a line that names columns, no game");
    }
    if row::is_row(bytes) {
        return orphan(record, piece, context);
    }
    let (id, rest) = head(bytes);
    if id.is_some() && rest.iter().all(|byte| is_blank(*byte)) {
        record.game = Some("go");
        record.id = id;
        join(&mut record, context);
        let error = "a line with an id and no move";
        return Reading::Broken(record, ReadError::new("no_moves", error));
    }
    context.set_charset(&mut record, bytes, None);
    let shown: String = record.text(bytes).chars().take(40).collect();
    let error = format!("not a line of moves (id, tab, ;B[..];W[..]): {shown:?}");
    Reading::Broken(record, ReadError::new("no_move_line", error))
}

/// Reads a row of an index that has no line of moves.
fn orphan<'a>(mut record: Record<'a>, piece: Piece, context: &Context) -> Reading<'a> {
    let bytes = record.bytes;
    record.game = Some("go");
    record.id = row::id(bytes);
    context.set_charset(&mut record, bytes, None);
    if piece.around.joined {
        warn(&mut record, "joined_index_row");
    }
    if bytes.ends_with(b"\r") {
        warn(&mut record, "crlf");
    }
    let Some(row) = row::parse(bytes) else {
        let error = "a row of an index with other fields than are known, and without moves";
        return Reading::Broken(record, ReadError::new("bad_index_row", error));
    };
    fill(&mut record, row, context.meta);
    let dump = context
        .companion
        .as_ref()
        .and_then(|it| it.path().file_name());
    let dump = dump.map_or_else(|| "the dump".into(), std::ffi::OsStr::to_string_lossy);
    let error = format!("a row of an index without a line of moves in {dump}");
    Reading::Broken(record, ReadError::new("no_moves", error))
}

/// Takes down what the index says of a record.
fn join<'a>(record: &mut Record<'a>, context: &'a Context) {
    let bytes = record.bytes;
    let mut crlf = bytes.ends_with(b"\r");
    let known = match (&context.companion, record.id) {
        (None, _) => Err("no_index"),
        (_, None) => Err("no_index_row"),
        (Some(index), Some(id)) => index
            .get(id)
            .and_then(row::kept)
            .filter(|(row, _)| row::id(row) == Some(id))
            .map(|kept| (kept, index.is_repeated(id)))
            .ok_or("no_index_row"),
    };
    match known {
        Err(word) => warn(record, word),
        Ok(((row, stood), repeated)) => {
            crlf |= stood.crlf;
            if stood.joined {
                warn(record, "joined_index_row");
            }
            if repeated {
                warn(record, "duplicate_id");
            }
            if !row.is_ascii() {
                context.set_charset(record, row, None);
            }
            match row::parse(row) {
                Some(row) => fill(record, row, context.meta),
                None => warn(record, "bad_index_row"),
            }
        }
    }
    if crlf {
        warn(record, "crlf");
    }
}

/// Takes down what a row says.
fn fill<'a>(record: &mut Record<'a>, row: Row<'a>, meta: bool) {
    record.komi = row.komi;
    record.result = Some(row.result);
    let moves = record.moves();
    let said = std::str::from_utf8(row.moves)
        .ok()
        .and_then(|text| text.parse::<usize>().ok());
    if let Some(said) = said.filter(|said| moves > 0 && *said != moves) {
        let value = format!("index={said},line={moves}");
        let warning = Warning::with("move_count", value, Place::Record);
        record.warnings.push(warning);
    }
    if meta {
        record.fields.extend([
            (Field::Date, row.date),
            (Field::FirstPlayer, row.black),
            (Field::SecondPlayer, row.white),
        ]);
    }
}

fn warn(record: &mut Record<'_>, word: &'static str) {
    record.warnings.push(Warning::new(word, Place::Record));
}

/// Walks over the moves of a line.
struct Scan<'r, 'a> {
    bytes: &'a [u8],
    at: usize,
    record: &'r mut Record<'a>,
    /// Who moved last.
    last: Side,
}

impl<'a> Scan<'_, 'a> {
    fn run(mut self) {
        // A move takes six bytes; a longer line is read no slower for less room.
        let room = self.bytes.len().min(1 << 20) / 6;
        self.record.steps.reserve(room);
        while self.at < self.bytes.len() {
            self.plain_moves();
            let Some(&byte) = self.bytes.get(self.at) else {
                return;
            };
            match byte {
                _ if is_blank(byte) => self.at += 1,
                b';' => self.node(),
                _ => self.stray(),
            }
        }
    }

    /// Most of a line is a run of `;B[pd]`.
    fn plain_moves(&mut self) {
        let mut rest = &self.bytes[self.at..];
        let mut at = self.at;
        while let [
            b';',
            colour @ (b'B' | b'W'),
            b'[',
            column,
            row,
            b']',
            after @ ..,
        ] = rest
            && column.is_ascii_alphabetic()
            && row.is_ascii_alphabetic()
        {
            self.last = side(*colour);
            self.record.steps.push(Step {
                kind: StepKind::Play(self.last),
                at: at as u32 + 3,
                token: &rest[3..5],
            });
            rest = after;
            at += 6;
        }
        self.at = at;
    }

    /// A node of any kind: one property with its values.
    fn node(&mut self) {
        let start = self.at + 1;
        let name = self.bytes[start..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let name = &self.bytes[start..start + name];
        self.at = start + name.len();
        if self.bytes.get(self.at) != Some(&b'[') {
            // A lone `;` is an empty node; anything else is no move.
            let next = self.bytes.get(self.at).copied();
            if !name.is_empty() || next.is_some_and(|byte| byte != b';' && !is_blank(byte)) {
                self.at = start;
                self.stray();
            }
            return;
        }
        let kind = match name {
            b"B" | b"W" => Some(StepKind::Play(side(name[0]))),
            b"AB" | b"AW" => Some(StepKind::Place(side(name[1]))),
            _ => None,
        };
        while self.bytes.get(self.at) == Some(&b'[') {
            let open = self.at + 1;
            let end = memchr::memchr(b']', &self.bytes[open..]).map(|length| open + length);
            if end.is_none() {
                self.warn("unclosed_value", open - 1);
            }
            let token = &self.bytes[open..end.unwrap_or(self.bytes.len())];
            self.at = end.map_or(self.bytes.len(), |end| end + 1);
            match kind {
                Some(kind) => self.step(kind, token, open),
                None => self.warn("stray_text", start),
            }
            if let Some(StepKind::Play(side)) = kind {
                self.last = side;
                return;
            }
        }
    }

    /// What is no move stands as one that cannot be played, so that the replay
    /// stops at it.
    fn stray(&mut self) {
        let rest = &self.bytes[self.at..];
        let end = memchr::memchr(b';', rest).unwrap_or(rest.len());
        let token = rest[..end].trim_ascii();
        self.warn("stray_text", self.at);
        if !token.is_empty() {
            self.last = self.last.other();
            self.step(StepKind::Play(self.last), token, self.at);
        }
        self.at += end;
    }

    fn step(&mut self, kind: StepKind, token: &'a [u8], at: usize) {
        self.record.steps.push(Step {
            kind,
            at: at as u32,
            token,
        });
    }

    /// Notes something, once for each word.
    fn warn(&mut self, word: &'static str, at: usize) {
        let warning = Warning::new(word, Place::Byte(at as u32));
        warn_once(&mut self.record.warnings, warning);
    }
}

const fn side(colour: u8) -> Side {
    if colour == b'B' {
        Side::First
    } else {
        Side::Second
    }
}
