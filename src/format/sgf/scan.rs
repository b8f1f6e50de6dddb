//! The lenient reader: one pass over the bytes of a record's main line.
//!
//! The main line is the first child everywhere, so it ends at the first `)`
//! outside a value. Moves stay bytes; only in charsets whose characters may
//! hold a `]` or `\` as their second byte does the scan step over pairs.

use super::{
    super::{Context, Piece, Reading},
    property::Property,
    split::{is_blank, plain_move, value_end},
};
use crate::{
    outcome::Side,
    record::{Notation, Place, ReadError, Record, Step, StepKind, Warning, warn_once},
    source::charset::{self, LeadByte},
};

/// Reads the main line of one record.
pub(super) fn read<'a>(bytes: &'a [u8], piece: Piece, context: &Context) -> Reading<'a> {
    let mut scan = Scan::new(bytes, piece, context);
    scan.run();
    scan.finish(piece)
}

/// Size as written: `19`, `16:8`, `19x19`; `None` where it cannot be used.
pub(crate) fn parse_size(text: &[u8]) -> Option<(u8, u8)> {
    let number = |part: &[u8]| -> Option<u8> {
        let size: u8 = std::str::from_utf8(part).ok()?.trim().parse().ok()?;
        (1..=52).contains(&size).then_some(size)
    };
    match text
        .iter()
        .position(|byte| matches!(byte, b':' | b'x' | b'X'))
    {
        Some(at) => Some((number(&text[..at])?, number(&text[at + 1..])?)),
        None => number(text).map(|size| (size, size)),
    }
}

/// The sentence and kind for a size that cannot be used.
pub(in crate::format) fn bad_size(text: &str) -> ReadError {
    ReadError::new(
        "bad_size",
        format!("board size {text:?} cannot be used; it must be 1 to 52 or columns:rows"),
    )
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    lead: Option<LeadByte>,
    meta: bool,
    record: Record<'a>,
    error: Option<ReadError>,
    game_type: Option<&'a [u8]>,
    depth: usize,
    /// Nodes begun, the root included.
    nodes: usize,
    /// Whether the bracket opened last has no node yet.
    fresh: bool,
    moves: usize,
    /// Moves in this node.
    node_moves: usize,
    /// Properties seen in this node.
    seen: u32,
    /// The node that holds the marks.
    mark_node: usize,
    done: bool,
}

impl<'a> Scan<'a> {
    fn new(bytes: &'a [u8], piece: Piece, context: &Context) -> Self {
        let mut record = Record::empty(bytes);
        record.notation = Notation::Sgf;
        record.escaped = true;
        let mut lead = None;
        if !bytes.is_ascii() {
            context.set_charset(&mut record, bytes, charset_label(bytes));
            lead = charset::ascii_trail(record.charset);
        }
        for (odd, word) in [
            (piece.around.leading_text, "leading_text"),
            (bytes.first() != Some(&b'('), "missing_open"),
        ] {
            if odd {
                record.warnings.push(Warning::new(word, Place::Record));
            }
        }
        Self {
            bytes,
            at: 0,
            lead,
            meta: context.meta,
            record,
            error: None,
            game_type: None,
            depth: 0,
            nodes: 0,
            fresh: false,
            moves: 0,
            node_moves: 0,
            seen: 0,
            mark_node: 0,
            done: false,
        }
    }

    fn run(&mut self) {
        // Moves are most of a record and take six bytes each.
        self.record.steps.reserve(self.bytes.len().min(1 << 20) / 6);
        if self.bytes.first() != Some(&b'(') {
            self.depth = 1;
        }
        while !self.done {
            let Some(&byte) = self.bytes.get(self.at) else {
                break;
            };
            match byte {
                b';' => self.node(),
                b'A'..=b'Z' | b'a'..=b'z' => self.property(),
                b'(' => {
                    self.depth += 1;
                    self.fresh = true;
                    self.at += 1;
                }
                b')' => self.close(),
                b'[' => {
                    // A value without an identifier: of nothing we know.
                    self.at = self.skip_value(self.at + 1);
                }
                b']' => {
                    self.warn("unescaped_bracket", self.at);
                    self.at += 1;
                }
                byte if is_blank(byte) => self.at += 1,
                _ => {
                    self.warn("stray_text", self.at);
                    self.at += 1;
                }
            }
        }
    }

    /// A node begins. Most hold a move and nothing else, `;B[pd]`, and come
    /// in long runs.
    fn node(&mut self) {
        let steps = &mut self.record.steps;
        let before = steps.len();
        let mut rest = &self.bytes[self.at..];
        let all = self.bytes.len();
        while let Some((side, token, after)) = plain_move(rest) {
            steps.push(Step {
                kind: StepKind::Play(side),
                at: (all - rest.len()) as u32 + 3,
                token,
            });
            rest = after;
        }
        let mut at = all - rest.len();
        // A move with a second value takes more looking at.
        if self.bytes.get(at) == Some(&b'[') {
            steps.pop();
            at -= 6;
        }
        let run = steps.len() - before;
        let (1.., Some(last)) = (run, steps.last()) else {
            self.begin_node();
            self.at += 1;
            return;
        };
        self.node_moves = 1;
        self.seen = match last.kind {
            StepKind::Play(side) => Property::Play(side).bit(),
            _ => 0,
        };
        if self.moves == 0 && self.nodes == 0 {
            self.warn("move_in_root", self.at + 3);
        }
        self.at = at;
        self.nodes += run;
        self.moves += run;
        self.fresh = false;
        self.record.marks.clear();
    }

    fn begin_node(&mut self) {
        self.nodes += 1;
        self.fresh = false;
        self.node_moves = 0;
        self.seen = 0;
    }

    fn close(&mut self) {
        self.at += 1;
        if self.fresh {
            // An empty tree is no child.
            self.fresh = false;
            self.depth -= 1;
            return;
        }
        let early = self.depth <= 1
            && self.moves == 0
            && self.bytes[self.at..].iter().any(|byte| !is_blank(*byte));
        if early {
            self.warn("early_close", self.at - 1);
        } else {
            self.done = true;
        }
    }

    fn property(&mut self) {
        let start = self.at;
        let mut lower = false;
        let mut digit = false;
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'A'..=b'Z' => {}
                b'a'..=b'z' => lower = true,
                b'0'..=b'9' => digit = true,
                _ => break,
            }
            self.at += 1;
        }
        let name = &self.bytes[start..self.at];
        while self.bytes.get(self.at).is_some_and(|byte| is_blank(*byte)) {
            self.at += 1;
        }
        if self.bytes.get(self.at) != Some(&b'[') {
            let capital = name.iter().any(u8::is_ascii_uppercase);
            if capital && name.len() <= 2 {
                self.warn("valueless_property", self.at);
            } else {
                self.warn("stray_text", self.at);
            }
            return;
        }
        if lower {
            self.warn("lowercase_identifier", self.at);
        }
        if self.nodes == 0 {
            self.warn("missing_semicolon", start);
            self.begin_node();
        }
        self.fresh = false;
        let property = if lower || digit {
            Property::of_long(name)
        } else {
            Property::of(name)
        };
        if self.seen & property.bit() != 0 {
            self.warn("duplicate_property", self.at);
        }
        self.seen |= property.bit();
        if self.nodes > 1 && property.is_root_only() {
            self.warn("late_root_property", self.at);
        }
        self.values(property);
    }

    /// Reads the values that follow an identifier.
    fn values(&mut self, property: Property) {
        let mut first = true;
        while self.bytes.get(self.at) == Some(&b'[') {
            let start = self.at + 1;
            let end = self.value_end(start);
            let value = &self.bytes[start..end.unwrap_or(self.bytes.len())];
            self.at = end.map_or(self.bytes.len(), |end| end + 1);
            if end.is_none() {
                self.warn("unclosed_value", start - 1);
                // Half a value is worth keeping only where it is prose.
                if !matches!(property, Property::Text(_)) {
                    return;
                }
            }
            self.value(property, value, start, first);
            first = false;
            while self.bytes.get(self.at).is_some_and(|byte| is_blank(*byte)) {
                self.at += 1;
            }
        }
    }

    fn value(&mut self, property: Property, value: &'a [u8], start: usize, first: bool) {
        match property {
            // Further values of a property that has one are of nothing we know.
            _ if !first && !property.is_list() => {}
            Property::Play(side) => self.play(side, value, start),
            Property::Place(side) => self.step(StepKind::Place(side), value, start),
            Property::Clear => self.step(StepKind::Clear, value, start),
            Property::Turn => match value.first() {
                Some(b'B' | b'b') => self.step(StepKind::Turn(Side::First), value, start),
                Some(b'W' | b'w') => self.step(StepKind::Turn(Side::Second), value, start),
                _ => {}
            },
            Property::Mark(side) => self.mark(side, value, start),
            Property::Size => self.size(value, start),
            Property::Game => {
                self.game_type.get_or_insert(value);
            }
            Property::Komi => {
                self.record.komi.get_or_insert(value);
            }
            // `KO` is komi in Sina's files; elsewhere it forces an illegal move.
            Property::KomiOrKo => {
                if self.moves == 0 && value.iter().any(u8::is_ascii_digit) {
                    self.record.komi.get_or_insert(value);
                }
            }
            Property::Rules => {
                self.record.rules.get_or_insert(value);
            }
            Property::Handicap => {
                self.record.handicap.get_or_insert(value);
            }
            Property::Counted => {
                self.record.counted.get_or_insert(value);
            }
            Property::Result => match self.record.result {
                None => self.record.result = Some(value),
                Some(other) if other.trim_ascii() != value.trim_ascii() => {
                    self.record.other_result.get_or_insert(value);
                    self.warn("conflicting_result", start);
                }
                Some(_) => {}
            },
            // In a move `TE` calls it good; in the root some programs write there
            // how the game ended.
            Property::Ending => {
                if self.moves == 0 && value.len() > 1 {
                    self.record.ending.get_or_insert(value);
                }
            }
            Property::Program => self.record.programs.push(value),
            Property::Text(field) => {
                if self.meta {
                    self.record.fields.push((field, value));
                }
            }
            Property::Charset | Property::Other => {}
        }
    }

    fn play(&mut self, side: Side, token: &'a [u8], start: usize) {
        if self.moves == 0 && self.nodes == 1 {
            self.warn("move_in_root", start);
        }
        if self.node_moves > 0 {
            self.warn("two_moves_in_node", self.at);
        }
        self.moves += 1;
        self.node_moves += 1;
        // Marks belong to the end: a later move makes them old.
        if self.mark_node != self.nodes {
            self.record.marks.clear();
        }
        self.step(StepKind::Play(side), token, start);
    }

    fn step(&mut self, kind: StepKind, token: &'a [u8], start: usize) {
        self.record.steps.push(Step {
            kind,
            at: start as u32,
            token,
        });
    }

    fn mark(&mut self, side: Side, token: &'a [u8], start: usize) {
        if self.mark_node != self.nodes {
            self.record.marks.clear();
            self.mark_node = self.nodes;
        }
        self.record.marks.push(Step {
            kind: StepKind::Place(side),
            at: start as u32,
            token,
        });
    }

    fn size(&mut self, value: &[u8], start: usize) {
        let text = value.trim_ascii();
        if text.is_empty() {
            self.warn("odd_size", start);
            return;
        }
        match parse_size(text) {
            Some(size) => {
                if self.record.size.is_none() {
                    self.record.size = Some(size);
                }
                if text.iter().any(|byte| matches!(byte, b'x' | b'X')) {
                    self.warn("odd_size", start);
                }
            }
            None => {
                self.error = Some(bad_size(&self.record.charset.decode(text)));
            }
        }
    }

    fn value_end(&self, start: usize) -> Option<usize> {
        let end = value_end(self.bytes, start)?;
        match self.lead {
            // Only a value with high bytes can hide its end in a character.
            Some(lead) if !self.bytes[start..end].is_ascii() => {
                paired_value_end(self.bytes, start, lead).or(Some(end))
            }
            _ => Some(end),
        }
    }

    fn skip_value(&self, start: usize) -> usize {
        self.value_end(start)
            .map_or(self.bytes.len(), |end| end + 1)
    }

    /// Notes something, once for each word.
    fn warn(&mut self, word: &'static str, at: usize) {
        let warning = Warning::new(word, Place::Byte(at as u32));
        warn_once(&mut self.record.warnings, warning);
    }

    /// `GM` is wrong in a record that is Go.
    fn wrong_game_type(&mut self) {
        self.record.game = Some("go");
        let warning = Warning::new("wrong_game_type", Place::Record);
        self.record.warnings.push(warning);
    }

    fn finish(mut self, piece: Piece) -> Reading<'a> {
        for (odd, word) in [
            (piece.around.unclosed, "unclosed_tree"),
            (piece.around.extra_close, "extra_close"),
            (piece.around.trailing_text, "trailing_text"),
        ] {
            if odd {
                self.record.warnings.push(Warning::new(word, Place::Record));
            }
        }
        match game_of(self.game_type) {
            GameType::Known(game) => self.record.game = Some(game),
            // The standard says so.
            GameType::Silent => self.record.game = Some("go"),
            GameType::Odd => self.wrong_game_type(),
            // Komi and handicap belong to Go alone, whatever the number says.
            GameType::Unsupported(_)
                if self.record.komi.is_some() || self.record.handicap.is_some() =>
            {
                self.wrong_game_type();
            }
            GameType::Unsupported(what) => {
                return Reading::NotAGame(self.record, what);
            }
        }
        match self.error {
            Some(error) => Reading::Broken(self.record, error),
            None => Reading::Game(self.record),
        }
    }
}

/// What `GM` says.
pub(super) enum GameType {
    Silent,
    Known(&'static str),
    /// Not a number of a game: komi or a word, in files that are Go.
    Odd,
    Unsupported(&'static str),
}

/// The game of a `GM` value.
pub(super) fn game_of(value: Option<&[u8]>) -> GameType {
    let Some(text) = value.map(<[u8]>::trim_ascii) else {
        return GameType::Silent;
    };
    match std::str::from_utf8(text)
        .ok()
        .and_then(|text| text.parse::<u16>().ok())
    {
        Some(1) => GameType::Known("go"),
        Some(4) => GameType::Known("gomoku"),
        Some(2..=40) => GameType::Unsupported("an SGF record of a game that kifu does not judge"),
        _ if text.is_empty() => GameType::Silent,
        _ => GameType::Odd,
    }
}

/// The value of the first `CA` near the start of a record.
pub(super) fn charset_label(bytes: &[u8]) -> Option<&[u8]> {
    let head = &bytes[..bytes.len().min(4096)];
    let at = memchr::memmem::find(head, b"CA[")?;
    if at > 0 && head[at - 1].is_ascii_alphabetic() {
        return None;
    }
    let rest = &head[at + 3..];
    let end = memchr::memchr(b']', rest)?;
    Some(rest[..end].trim_ascii())
}

/// The end of a value in a charset with two-byte characters.
fn paired_value_end(bytes: &[u8], mut at: usize, lead: LeadByte) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            b']' => return Some(at),
            b'\\' => at += 2,
            byte if lead(byte) => at += 2,
            _ => at += 1,
        }
    }
}
