//! Reads one board with what is said about it.

use super::{
    super::{Context, Piece, Reading, parse_size},
    head::{GAMES, Key, captures, is_o_first, pairs, prisoners, side, squeeze},
    line::{Line, Seen, Span, head, line, span, trim},
    row::Items,
    stones::MAX_SIZE,
};
use crate::record::{Field, Place, ReadError, Record, Step, StepKind, Warning};

/// More warnings are not kept.
const MAX_WARNINGS: usize = 32;

/// See [`super::super::Format::read`].
pub(super) fn read<'a>(bytes: &'a [u8], piece: Piece, context: &Context) -> Reading<'a> {
    let mut reader = Reader {
        bytes,
        context,
        record: Record::empty(bytes),
        game: Game::Silent,
        o_first: false,
        keys: Vec::new(),
        size: None,
        rows: Vec::new(),
        height: 0,
        columns: false,
        above: None,
        below: None,
        damaged: None,
        error: None,
    };
    reader.context.set_charset(&mut reader.record, bytes, None);
    if piece.around.leading_text {
        reader.warn(Warning::new("leading_text", Place::Record));
    }
    reader.lines();
    reader.finish()
}

/// What a record says its game is.
enum Game {
    Silent,
    Known(&'static str),
    Other,
}

/// A row, its parts, and the number of its line.
pub(super) struct Row {
    pub(super) line: usize,
    pub(super) start: usize,
    pub(super) items: Items,
}

pub(super) struct Reader<'a, 'c> {
    pub(super) bytes: &'a [u8],
    pub(super) context: &'c Context,
    pub(super) record: Record<'a>,
    game: Game,
    /// Whether the stones O are the first player's.
    pub(super) o_first: bool,
    /// Keys met.
    keys: Vec<Key>,
    /// Size as written.
    pub(super) size: Option<(u8, u8)>,
    /// The rows, as many as a board can have.
    pub(super) rows: Vec<Row>,
    /// How many rows there are.
    pub(super) height: usize,
    /// Whether columns are named.
    pub(super) columns: bool,
    /// The line of text last met above the rows.
    pub(super) above: Option<(usize, Span)>,
    /// The line of text right below the last row.
    pub(super) below: Option<(usize, Span)>,
    /// A line between rows that is none.
    pub(super) damaged: Option<(usize, Span)>,
    error: Option<ReadError>,
}

impl<'a> Reader<'a, '_> {
    fn warn(&mut self, warning: Warning) {
        if self.record.warnings.len() < MAX_WARNINGS {
            self.record.warnings.push(warning);
        }
    }

    fn warn_once(&mut self, word: &'static str, at: usize) {
        let known = |warning: &Warning| warning.word == word;
        if !self.record.warnings.iter().any(known) {
            self.warn(Warning::new(word, Place::Byte(at as u32)));
        }
    }

    fn fail(&mut self, kind: &'static str, message: String) {
        self.error.get_or_insert(ReadError::new(kind, message));
    }

    fn lines(&mut self) {
        let bytes = self.bytes;
        // Rows right above, of which a line may be one more.
        let mut seen = Seen::default();
        let mut open = false;
        let mut items = Items::default();
        let mut last_row = 0;
        let mut at = 0;
        for number in 1.. {
            let Some(span) = span(bytes, at, true) else {
                return;
            };
            at = span.next;
            let known = if open { seen } else { Seen::default() };
            let Some(line) = line(bytes, span, known, true, &mut items) else {
                return;
            };
            open = match line {
                Line::Row(_) => true,
                Line::Blank | Line::Rule | Line::Head | Line::Number => false,
                Line::Text | Line::Columns | Line::Frame => open,
            };
            match line {
                Line::Row(shape) => {
                    seen.add(shape);
                    self.row(number, span, &mut items);
                    last_row = number;
                }
                Line::Head => self.head(span),
                Line::Number if self.height > 0 => {
                    let text = bytes.get(span.start..span.end).unwrap_or_default();
                    self.value(Key::Komi, trim(text), span);
                }
                Line::Number | Line::Text => self.text(number, span, last_row),
                Line::Columns => self.columns = true,
                Line::Blank | Line::Rule | Line::Frame => {}
            }
        }
    }

    fn row(&mut self, number: usize, span: Span, items: &mut Items) {
        if let Some(text) = self.below.take().filter(|(line, _)| line + 1 == number) {
            self.damaged.get_or_insert(text);
        }
        if let Some(remark) = items.remark {
            self.remark(span.start + remark, span.end);
        }
        self.height += 1;
        if self.rows.len() < MAX_SIZE {
            self.rows.push(Row {
                line: number,
                start: span.start,
                items: std::mem::take(items),
            });
        }
    }

    /// Text that is no row: a remark, or a row that is damaged.
    fn text(&mut self, number: usize, span: Span, last_row: usize) {
        if self.take_captures(span.start, span.end) {
            return;
        }
        if self.height == 0 {
            self.above = Some((number, span));
        } else if last_row + 1 == number || self.below.is_some_and(|(line, _)| line + 1 == number) {
            self.below = Some((number, span));
        }
        self.warn_once("stray_text", span.start);
    }

    fn remark(&mut self, start: usize, end: usize) {
        if !self.take_captures(start, end) {
            self.warn_once("stray_text", start);
        }
    }

    /// Reads a remark about prisoners; whether it was one.
    fn take_captures(&mut self, start: usize, end: usize) -> bool {
        let raw = self.bytes.get(start..end).unwrap_or_default();
        let text = self.record.charset.decode(raw);
        let Some(taken) = captures(&text) else {
            return false;
        };
        self.add_prisoners(taken);
        true
    }

    fn add_prisoners(&mut self, taken: [Option<u32>; 2]) {
        let mut known = self.record.prisoners.unwrap_or_default();
        for (known, taken) in known.iter_mut().zip(taken) {
            *known = taken.unwrap_or(*known);
        }
        self.record.prisoners = Some(known);
    }

    fn head(&mut self, span: Span) {
        let bytes = self.bytes;
        let text = trim(bytes.get(span.start..span.end).unwrap_or_default());
        let Some((raw, value)) = head(text) else {
            for (key, value) in pairs(text) {
                self.value(key, value, span);
            }
            return;
        };
        let word = self.record.charset.decode(raw);
        if let Some(key) = Key::of(&word) {
            self.value(key, value, span);
        } else if !self.take_captures(span.start, span.end) {
            let word: String = word.to_lowercase().chars().take(24).collect();
            let word = word.trim().replace(|c: char| !c.is_alphanumeric(), "_");
            let known = |warning: &Warning| warning.value.as_ref() == Some(&word);
            if !self.record.warnings.iter().any(known) {
                let place = Place::Byte(span.start as u32);
                self.warn(Warning::with("unknown_key", word, place));
            }
        }
    }

    /// Takes in what a key says; the first time counts.
    fn value(&mut self, key: Key, value: &'a [u8], span: Span) {
        if value.is_empty() {
            return;
        }
        let place = Place::Byte(span.start as u32);
        if self.keys.contains(&key) {
            self.repeat(key, value, place);
            return;
        }
        self.keys.push(key);
        match key {
            Key::Game => self.game(value),
            Key::Rules => self.record.rules = Some(value),
            Key::Komi => self.record.komi = Some(value),
            Key::Handicap => self.record.handicap = Some(value),
            Key::Result => self.record.result = Some(value),
            Key::Ending => self.record.ending = Some(value),
            Key::Stones => match is_o_first(&self.record.charset.decode(value)) {
                Some(o_first) => self.o_first = o_first,
                None => self.warn(Warning::new("odd_stones", place)),
            },
            Key::Id => self.record.id = Some(value),
            Key::ToMove => match side(&self.record.charset.decode(value)) {
                Some(side) => self.record.steps.push(Step {
                    kind: StepKind::Turn(side),
                    at: span.start as u32,
                    token: value,
                }),
                None => self.warn(Warning::new("odd_turn", place)),
            },
            Key::Prisoners => match prisoners(&self.record.charset.decode(value)) {
                Some(taken) => self.add_prisoners(taken),
                None => self.warn(Warning::new("odd_prisoners", place)),
            },
            Key::Size => self.size(value),
            Key::Date => self.field(Field::Date, value),
            Key::First => self.field(Field::FirstPlayer, value),
            Key::Second => self.field(Field::SecondPlayer, value),
            Key::Event => self.field(Field::Event, value),
            Key::Place => self.field(Field::Server, value),
        }
    }

    /// A key that was met before.
    fn repeat(&mut self, key: Key, value: &'a [u8], place: Place) {
        let known = match key {
            Key::Result => self.record.result,
            Key::Komi => self.record.komi,
            _ => None,
        };
        if known == Some(value) {
            return;
        }
        if key == Key::Result {
            self.record.other_result.get_or_insert(value);
            self.warn(Warning::new("conflicting_result", place));
        } else {
            let word = squeeze(&format!("{key:?}"));
            self.warn(Warning::with("duplicate_key", word, place));
        }
    }

    fn field(&mut self, field: Field, value: &'a [u8]) {
        if self.context.meta {
            self.record.fields.push((field, value));
        }
    }

    fn game(&mut self, value: &[u8]) {
        let word = squeeze(&self.record.charset.decode(value));
        let known = GAMES
            .iter()
            .find(|(_, words)| words.contains(&word.as_str()));
        self.game = match known {
            Some((game, _)) => Game::Known(game),
            None => Game::Other,
        };
    }

    fn size(&mut self, value: &[u8]) {
        match parse_size(value) {
            Some(size) => self.size = Some(size),
            None => {
                let text = self.record.charset.decode(value);
                let text: String = text.chars().take(40).collect();
                let message = format!(
                    "board size {text:?} cannot be used; it must be 1 to 52, or columns x rows"
                );
                self.fail("bad_size", message);
            }
        }
    }

    fn finish(mut self) -> Reading<'a> {
        match self.game {
            Game::Known(game) => self.record.game = Some(game),
            Game::Silent => {}
            Game::Other => {
                let what = "a board of a game that kifu does not judge";
                return Reading::NotAGame(self.record, what);
            }
        }
        if self.error.is_none()
            && let Err(error) = self.place_stones()
        {
            self.error = Some(error);
        }
        match self.error {
            Some(error) => Reading::Broken(self.record, error),
            None => Reading::Game(self.record),
        }
    }
}
