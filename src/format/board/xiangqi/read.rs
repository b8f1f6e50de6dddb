//! Reads one board of xiangqi with what is said about it.

use super::{
    super::{
        head::{Key, pairs, squeeze},
        line::{Span, head, span, trim},
    },
    line::{Line, Row},
    side::{Sides, colour, told},
    signs::{Sign, sign},
    split::{Block, FILES, ROWS},
};
use crate::{
    format::{Context, Piece, Reading, whole, xiangqi::Board},
    outcome::Side,
    record::{Arena, Charset, Field, Notation, Place, ReadError, Record, Warning, warn_once},
    source::charset,
};

/// More rows are not kept: the board is too large anyway.
const MAX_ROWS: usize = 64;

/// Whether a line `game: …` says xiangqi.
pub(super) fn names_xiangqi(line: &[u8]) -> bool {
    head(trim(line)).is_some_and(|(key, value)| {
        let key = String::from_utf8_lossy(key);
        Key::of(&key) == Some(Key::Game) && is_xiangqi(&String::from_utf8_lossy(value))
    })
}

fn is_xiangqi(word: &str) -> bool {
    let word = squeeze(word);
    matches!(word.as_str(), "xiangqi" | "chinesechess" | "cchess" | "xq")
        || matches!(word.as_str(), "象棋" | "中国象棋" | "中國象棋")
}

/// See [`crate::format::Format::read`].
pub(super) fn read<'a>(
    bytes: &'a [u8],
    piece: Piece,
    context: &'a Context,
    arena: &'a Arena,
) -> Reading<'a> {
    let mut record = Record::empty(bytes);
    record.charset = context.charset.unwrap_or_else(|| encoding(bytes));
    record.game = Some("xiangqi");
    record.notation = Notation::Xiangqi;
    let mut reader = Reader {
        record,
        context,
        block: Block::default(),
        rows: Vec::new(),
        sides: Sides::default(),
        is_mirrored: None,
        turn: None,
        is_other: false,
        stray: None,
        damaged: None,
    };
    if piece.around.leading_text {
        reader.warn(Warning::new("leading_text", Place::Record));
    }
    reader.lines();
    reader.finish(arena)
}

/// The encoding in which most lines are rows; what can be UTF-8 is.
fn encoding(bytes: &[u8]) -> Charset {
    if std::str::from_utf8(bytes).is_ok() {
        return Charset::UTF8;
    }
    let rows = |charset: Charset| {
        let text = charset.decode(bytes);
        let lines = text.lines().map(|line| super::line::line(line.as_bytes()));
        lines.filter(|line| matches!(line, Line::Row(_))).count()
    };
    let known = ["gb18030", "big5"].into_iter().filter_map(charset::by_name);
    // The last of several that are as good; UTF-8 is damaged.
    known
        .rev()
        .chain([Charset::UTF8])
        .rev()
        .max_by_key(|charset| rows(*charset))
        .unwrap_or_default()
}

/// A line that is a row: its number, its place, and what it looks like.
type Kept = (usize, Span, Row);

struct Reader<'a> {
    record: Record<'a>,
    context: &'a Context,
    block: Block,
    rows: Vec<Kept>,
    sides: Sides,
    /// Whether names of files go from i to a.
    is_mirrored: Option<bool>,
    turn: Option<Side>,
    /// The record says that it is of another game.
    is_other: bool,
    /// The last line of text below a row, by its number.
    stray: Option<(usize, Span)>,
    /// A line between rows that is none.
    damaged: Option<(usize, Span)>,
}

impl<'a> Reader<'a> {
    fn warn(&mut self, warning: Warning) {
        warn_once(&mut self.record.warnings, warning);
    }

    fn text(&self, span: Span) -> String {
        let raw = self.record.bytes.get(span.start..span.end);
        let text = self.record.charset.decode(raw.unwrap_or_default());
        text.into_owned()
    }

    fn lines(&mut self) {
        let bytes = self.record.bytes;
        let mut at = 0;
        for number in 1.. {
            let Some(span) = span(bytes, at, true) else {
                return;
            };
            at = span.next;
            let text = self.text(span);
            let place = Place::Byte(span.start as u32);
            match self.block.line(text.as_bytes()) {
                Line::Row(row) => {
                    self.block.add(row);
                    if self.rows.len() < MAX_ROWS {
                        self.rows.push((number, span, row));
                    }
                    let stray = self.stray.take();
                    self.damaged = self.damaged.or(stray);
                }
                Line::Blank | Line::Rule | Line::Around => {}
                Line::Files(mirrored) => {
                    self.is_mirrored.get_or_insert(mirrored);
                }
                Line::Head => self.head(span, place),
                Line::Signs => self.sides.tell(told(&text).into_iter()),
                Line::Turn(side) | Line::TurnBelow(side) => self.set_turn(side, place),
                Line::Result => self.result(span, place),
                Line::Text => {
                    self.warn(Warning::new("stray_text", place));
                    if self.block.rows > 0 {
                        self.stray = Some((number, span));
                    }
                }
            }
        }
    }

    fn set_turn(&mut self, side: Side, place: Place) {
        match self.turn {
            Some(known) if known != side => self.warn(Warning::new("odd_turn", place)),
            Some(_) => {}
            None => self.turn = Some(side),
        }
    }

    fn result(&mut self, span: Span, place: Place) {
        let value = self.record.bytes.get(span.start..span.end);
        self.set_result(trim(value.unwrap_or_default()), place);
    }

    fn set_result(&mut self, value: &'a [u8], place: Place) {
        match self.record.result {
            None => self.record.result = Some(value),
            Some(known) if known != value => {
                self.record.other_result.get_or_insert(value);
                self.warn(Warning::new("conflicting_result", place));
            }
            Some(_) => {}
        }
    }

    fn head(&mut self, span: Span, place: Place) {
        let bytes: &'a [u8] = self.record.bytes;
        let line = trim(bytes.get(span.start..span.end).unwrap_or_default());
        let Some((raw, value)) = head(line) else {
            for (key, value) in pairs(line) {
                self.value(Some(key), "", value, place);
            }
            return;
        };
        let word = self.record.charset.decode(raw).into_owned();
        let key = match squeeze(&word).as_str() {
            "red" | "红方" | "紅方" => Some(Key::First),
            "black" | "黑方" => Some(Key::Second),
            "结果" | "結果" => Some(Key::Result),
            _ => Key::of(&word).filter(|key| !matches!(key, Key::First | Key::Second)),
        };
        self.value(key, &word, value, place);
    }

    /// Takes in what a key says, by its word where it is not known.
    fn value(&mut self, key: Option<Key>, word: &str, value: &'a [u8], place: Place) {
        let text = self.record.charset.decode(value).into_owned();
        let meta = self.context.meta;
        let first = |known: &mut Option<&'a [u8]>| {
            known.get_or_insert(value);
        };
        match key {
            _ if value.is_empty() => {}
            Some(Key::Game) => self.is_other = !is_xiangqi(&text),
            Some(Key::Rules) => first(&mut self.record.rules),
            Some(Key::Ending) => first(&mut self.record.ending),
            Some(Key::Id) => first(&mut self.record.id),
            Some(Key::Result) => self.set_result(value, place),
            Some(Key::ToMove) => match colour(text.trim()) {
                Some(side) => self.set_turn(side, place),
                None => self.warn(Warning::new("odd_turn", place)),
            },
            Some(Key::First) => whole::field(&mut self.record, meta, Field::FirstPlayer, value),
            Some(Key::Second) => whole::field(&mut self.record, meta, Field::SecondPlayer, value),
            Some(Key::Date) => whole::field(&mut self.record, meta, Field::Date, value),
            Some(Key::Event) => whole::field(&mut self.record, meta, Field::Event, value),
            Some(Key::Place) => whole::field(&mut self.record, meta, Field::Server, value),
            Some(_) => {}
            None => {
                let word: String = word.to_lowercase().chars().take(24).collect();
                let word = word.trim().replace(|c: char| !c.is_alphanumeric(), "_");
                self.warn(Warning::with("unknown_key", word, place));
            }
        }
    }

    /// Holds that the rows are those of a board.
    fn check_rows(&self) -> Result<(), ReadError> {
        if self.rows.is_empty() {
            let message = "no row of a board: write ten rows of nine points, such as rnbakabnr";
            return Err(ReadError::new("no_board", message));
        }
        if let Some((number, span)) = self.damaged {
            let text = self.text(span);
            let odd = text
                .char_indices()
                .find(|(_, letter)| sign(*letter) == Sign::Other);
            let column = odd.map_or(1, |(at, _)| text[..at].chars().count() + 1);
            let letter: String = odd.map_or_else(String::new, |(_, letter)| letter.to_string());
            return Err(ReadError::new(
                "bad_sign",
                format!(
                    "line {number} of the record, column {column}: {letter:?} is no sign of a \
                     board of xiangqi, and the line stands between its rows"
                ),
            ));
        }
        if let Some((number, _, row)) = self.rows.iter().find(|(_, _, row)| row.points != FILES) {
            return Err(ReadError::new(
                "ragged_board",
                format!(
                    "line {number} of the record has {} points: a row of a board of xiangqi has \
                     {FILES}",
                    row.points
                ),
            ));
        }
        if self.block.rows != ROWS {
            return Err(ReadError::new(
                "bad_size",
                format!(
                    "the board has {} rows: one of xiangqi has {ROWS}",
                    self.block.rows
                ),
            ));
        }
        Ok(())
    }

    /// The pieces, as they stand on the page: sign, row, file, and the place of the
    /// sign in the text.
    fn pieces(&self) -> Vec<(char, u8, u8, (usize, usize))> {
        let mut pieces = Vec::new();
        for (row, (number, span, _)) in (0..).zip(&self.rows) {
            let mut file = 0;
            let text = self.text(*span).replace("()", ".");
            for (column, letter) in (1..).zip(text.chars()) {
                match sign(letter) {
                    Sign::Piece(..) => pieces.push((letter, row, file, (*number, column))),
                    Sign::Empty => {}
                    _ => continue,
                }
                file += 1;
            }
        }
        pieces
    }

    fn position(&mut self) -> Result<Board, ReadError> {
        self.check_rows()?;
        let pieces = self.pieces();
        for (letter, ..) in &pieces {
            self.sides.meet(*letter);
        }
        // The generals tell from which side the board is seen.
        let is_general = |side, (letter, row, ..): &(char, u8, u8, _)| {
            matches!(sign(*letter), Sign::Piece(b'K', _))
                && self.sides.of(*letter, usize::from(*row)) == Some(side)
        };
        let row_of = |side| pieces.iter().find(|piece| is_general(side, piece));
        let turned = match (row_of(Side::First), row_of(Side::Second)) {
            (Some((_, red, ..)), Some((_, black, ..))) => red < black,
            _ => false,
        };
        let mirrored = self.is_mirrored.unwrap_or(turned);
        let mut board = Board::empty();
        for (letter, row, file, (line, column)) in &pieces {
            let row = if turned { ROWS as u8 - 1 - row } else { *row };
            let file = if mirrored {
                FILES as u8 - 1 - file
            } else {
                *file
            };
            let Sign::Piece(kind, _) = sign(*letter) else {
                continue;
            };
            let Some(side) = self.sides.of(*letter, usize::from(row)) else {
                return Err(ReadError::new(
                    "unclear_side",
                    format!(
                        "line {line} of the record, column {column}: {letter} may be either \
                         side's; write 俥 傌 炮 for Red and 車 馬 砲 for Black, letters as in FEN, \
                         or a line that says whose signs are whose, such as \"炮 red 砲 black\""
                    ),
                ));
            };
            let kind = match side {
                Side::First => kind,
                Side::Second => kind.to_ascii_lowercase(),
            };
            board.put((file, row), kind);
        }
        Ok(board)
    }

    fn finish(mut self, arena: &'a Arena) -> Reading<'a> {
        if self.is_other {
            self.record.game = None;
            return Reading::NotAGame(self.record, "a board of another game");
        }
        match self.position() {
            Ok(board) => {
                let fen = board.fen(self.turn.unwrap_or(Side::First));
                self.record.setup = fen.map(|mut fen| {
                    if self.turn.is_none() {
                        // The game knows who must be to move.
                        fen.truncate(fen.len() - 2);
                    }
                    arena.keep(fen)
                });
                Reading::Game(self.record)
            }
            Err(error) => Reading::Broken(self.record, error),
        }
    }
}
