//! PGN of xiangqi: tags, moves in any notation, a result.
//!
//! ```text
//! [Game "Chinese Chess"]
//! [Red "…"]
//! [Result "1-0"]
//! [FEN "4k4/9/…/4K4 w"]
//!
//! 1. 炮二平五 马８进７ {comment} (1… 炮８平５) 2. … 1-0
//! ====
//! footer
//! ```
//!
//! Nothing says how a record is encoded: UTF-8, Big5 or GB18030. In the last two
//! the second byte of a character may be a bracket, so bytes are looked at
//! character by character; moves are handed over as UTF-8. Games of chess are
//! passed over.

mod encoding;
mod scan;
mod split;
mod words;

use std::path::Path;

use self::{encoding::Cut, scan::Scanner, words::Shape};
use super::{
    Context, Format, Piece, Reading, SplitState,
    whole::{self, field, offset},
};
use crate::{
    outcome::Side,
    record::{
        Arena, Field, Notation, Place, ReadError, Record, Step, StepKind, Warning, warn_once,
    },
    source::charset::utf8_mark,
};

pub(super) use {encoding::set_charset, split::Memory, words::is_result};

/// PGN of xiangqi.
pub struct Pgn;

impl Format for Pgn {
    fn name(&self) -> &'static str {
        "pgn"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pgn"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        let text = head[utf8_mark(head)..].trim_ascii_start();
        let mut lines = whole::lines(text).map(|(_, line)| line);
        let first = lines.find(|line| !matches!(line, [] | [b';' | b'%', ..]));
        first.is_some_and(|line| split::tag_name(line).is_some())
            && whole::lines(text).any(|(_, line)| {
                split::tag_name(line).is_some_and(|(name, value)| {
                    let value = value.get(..128).unwrap_or(value);
                    says_xiangqi(name, value) == Some(true)
                })
            })
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        split::split(state, window, eof, each)
    }

    fn begins_anew(&self) -> bool {
        true
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        piece: Piece,
        context: &'a Context,
        arena: &'a Arena,
    ) -> Reading<'a> {
        let mut record = Record::empty(bytes);
        record.notation = Notation::Xiangqi;
        set_charset(&mut record, bytes, context);
        let reader = Reader {
            cut: Cut::of(record.charset),
            record,
            context,
            unclosed: piece.around.unclosed,
            says: None,
            other_variant: false,
            side: Side::First,
            first_side: None,
            dotted: false,
            last: None,
            ended: false,
            numbered: false,
            is_move: [false; 3],
        };
        reader.read(arena)
    }
}

/// What a tag says of the game: that it is xiangqi, that it is not, or nothing.
fn says_xiangqi(name: &[u8], value: &[u8]) -> Option<bool> {
    let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
    let has = |part: &str| {
        let mut parts = value.windows(part.len());
        parts.any(|found| found.eq_ignore_ascii_case(part.as_bytes()))
    };
    let known = || has("xiangqi") || has("chinese") || has("cchess");
    if is("Red") {
        Some(true)
    } else if is("Variant") {
        says_variant(value)
    } else if is("Game") {
        if known() {
            return Some(true);
        }
        // What is not ASCII is Chinese.
        (value.is_ascii() && !value.trim_ascii().is_empty()).then_some(false)
    } else if is("Format") {
        (known() || has("iccs") || has("wxf")).then_some(true)
    } else if is("FEN") {
        match value.iter().filter(|byte| **byte == b'/').count() {
            9.. => Some(true),
            7 => Some(false),
            _ => None,
        }
    } else {
        None
    }
}

/// What the name of a variant says: `Minixiangqi` is another game, and so is
/// `Jieqi`.
fn says_variant(value: &[u8]) -> Option<bool> {
    const OWN: [&str; 5] = ["xiangqi", "chinese", "cchess", "chinesechess", "xiang"];
    const USUAL: [&str; 4] = ["standard", "normal", "regular", "from"];
    let mut words = value
        .split(|byte| !byte.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let first = words.clone().next()?;
    let is_one_of = |list: &[&str], word: &[u8]| {
        let mut list = list.iter();
        list.any(|known| known.as_bytes().eq_ignore_ascii_case(word))
    };
    if words.any(|word| is_one_of(&OWN, word)) {
        return Some(true);
    }
    // What is not ASCII is Chinese.
    (value.is_ascii() && !is_one_of(&USUAL, first)).then_some(false)
}

/// The usual position, Black to move.
const BLACK_BEGINS: &[u8] = b"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";

/// Reads one record.
struct Reader<'a> {
    record: Record<'a>,
    context: &'a Context,
    cut: Cut,
    /// Nothing says that the record ends where the file does.
    unclosed: bool,
    /// Whether a tag says that the game is xiangqi.
    says: Option<bool>,
    /// Whether a tag names another variant, which weighs more.
    other_variant: bool,
    /// The side of the next move.
    side: Side,
    /// The side that the position names.
    first_side: Option<Side>,
    /// Dots before the first move say that it is Black's.
    dotted: bool,
    /// The result behind the moves.
    last: Option<&'a [u8]>,
    ended: bool,
    /// A number is the last that was met, whose move is to follow.
    numbered: bool,
    /// Moves that only xiangqi has, those that both have, those that only chess
    /// has.
    is_move: [bool; 3],
}

impl<'a> Reader<'a> {
    fn read(mut self, arena: &'a Arena) -> Reading<'a> {
        let from = self.tags();
        self.moves(from, arena);
        self.results();
        self.finish()
    }

    fn warn(&mut self, word: &'static str, at: usize) {
        let warning = Warning::new(word, Place::Byte(at as u32));
        warn_once(&mut self.record.warnings, warning);
    }

    /// Reads the tags; returns where the moves begin.
    fn tags(&mut self) -> usize {
        let bytes = self.record.bytes;
        let mut at = utf8_mark(bytes);
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let line = rest.trim_ascii_start();
            at += rest.len() - line.len();
            let end = memchr::memchr2(b'\n', b'\r', line).unwrap_or(line.len());
            let line = &line[..end];
            if let Some((name, behind)) = split::tag_name(line) {
                at = offset(bytes, self.tag(name, behind, at, at + end));
            } else if matches!(line, [b';' | b'%', ..]) {
                at += end;
            } else if split::is_like_tag(line.trim_ascii_end()) {
                self.warn("stray_text", at);
                at += end;
            } else {
                return at;
            }
        }
    }

    /// Takes a tag, and returns what follows it.
    fn tag(&mut self, name: &'a [u8], behind: &'a [u8], at: usize, line: usize) -> &'a [u8] {
        // A quote is no second half of a character.
        let mut quotes = memchr::memchr_iter(b'"', behind);
        let closed = quotes.find_map(|quote| {
            let rest = behind[quote + 1..].trim_ascii_start();
            Some((quote, rest.strip_prefix(b"]")?))
        });
        let (value, rest) = match closed {
            Some((quote, rest)) => (&behind[..quote], rest),
            None => {
                self.warn("unclosed_value", at);
                let end = behind
                    .iter()
                    .rposition(|byte| !matches!(byte, b']' | b'"' | b' ' | b'\t'));
                let value = end.map_or(&b""[..], |end| &behind[..=end]);
                (value, self.record.bytes.get(line..).unwrap_or_default())
            }
        };
        self.value(name, value.trim_ascii());
        rest
    }

    fn value(&mut self, name: &[u8], value: &'a [u8]) {
        let meta = self.context.meta;
        let says = says_xiangqi(name, value);
        self.other_variant |= says == Some(false) && name.eq_ignore_ascii_case(b"Variant");
        self.says = match (self.says, says) {
            (Some(true), _) | (_, None) => self.says,
            _ => says,
        };
        if value.is_empty() {
            return;
        }
        let record = &mut self.record;
        let text = match name.to_ascii_lowercase().as_slice() {
            b"result" => {
                if record.result.is_none() {
                    record.result = Some(value);
                } else if record.result != Some(value) {
                    record.other_result.get_or_insert(value);
                }
                return;
            }
            b"fen" => {
                record.setup.get_or_insert(value);
                let turn = value.split(u8::is_ascii_whitespace).nth(1);
                self.first_side = match turn {
                    Some(b"b" | b"B") => Some(Side::Second),
                    Some(_) => Some(Side::First),
                    None => None,
                };
                return;
            }
            b"termination" => {
                record.ending.get_or_insert(value);
                return;
            }
            b"date" => Field::Date,
            b"event" => Field::Event,
            b"site" => Field::Server,
            b"red" | b"white" => Field::FirstPlayer,
            b"black" => Field::SecondPlayer,
            b"redelo" | b"whiteelo" => Field::FirstRank,
            b"blackelo" => Field::SecondRank,
            _ => return,
        };
        field(record, meta, text, value);
    }

    /// Reads the moves, which are decoded together.
    fn moves(&mut self, from: usize, arena: &'a Arena) {
        let bytes = self.record.bytes;
        let words = Scanner::new(bytes, from, self.cut, &mut self.record.warnings).words();
        self.record.steps.reserve(words.len());
        let raw = |&(start, end): &(usize, usize)| bytes.get(start..end).unwrap_or_default();
        if self.cut == Cut::Utf8 && std::str::from_utf8(bytes).is_ok() {
            for word in &words {
                let raw = raw(word);
                self.word(std::str::from_utf8(raw).unwrap_or_default(), raw, word.0);
            }
            return;
        }
        let mut joined = Vec::with_capacity(bytes.len());
        for word in &words {
            joined.extend_from_slice(raw(word));
            joined.push(b'\n');
        }
        let decoded = self.record.charset.decode(&joined).into_owned();
        let decoded = std::str::from_utf8(arena.keep(decoded.into_bytes())).unwrap_or_default();
        for (text, word) in decoded.split('\n').zip(&words) {
            self.word(text, raw(word), word.0);
        }
    }

    /// Takes a word of the main line: as text, as written, and where.
    fn word(&mut self, text: &'a str, raw: &'a [u8], at: usize) {
        if self.ended {
            self.warn("trailing_text", at);
            return;
        }
        // Most words are a move and no more, or the number of one.
        if words::is_plain_move(text) {
            return self.play(text, at);
        }
        if words::is_plain_number(text) {
            self.numbered = true;
            return;
        }
        let (number, later) = match words::is_result(text) {
            true => ("", false),
            false => words::number(text),
        };
        let cut = self.cut;
        let width = |text: &str| -> usize { text.chars().map(|letter| cut.width(letter)).sum() };
        let skipped = width(number);
        if later && self.record.steps.is_empty() {
            self.dotted = true;
        }
        let text = &text[number.len()..];
        if words::is_result(text) {
            self.last = Some(raw.get(skipped..).unwrap_or_default());
            self.ended = true;
            return;
        }
        let mut rest = words::without_praise(text);
        // A remark on the move before, as a number.
        if rest.is_empty() || rest.starts_with('$') {
            self.numbered |= !number.is_empty();
            return;
        }
        let mut at = at + skipped;
        while !rest.is_empty() {
            let (token, behind) = rest.split_at(words::first_move(rest));
            self.play(token, at);
            at += width(token);
            rest = behind;
            // Signs of check between moves in one word.
            let next = behind.trim_start_matches(words::is_praise);
            if !token.is_ascii() && next.len() < behind.len() {
                at += width(&behind[..behind.len() - next.len()]);
                rest = next;
            }
        }
    }

    fn play(&mut self, token: &'a str, at: usize) {
        // What is known need not be asked again.
        if !self.is_move[0] {
            match words::shape(token) {
                Shape::Xiangqi | Shape::Squares { beyond: true } => self.is_move[0] = true,
                Shape::Squares { beyond: false } => self.is_move[1] = true,
                Shape::Chess => self.is_move[2] = true,
                Shape::Other => {}
            }
        }
        if self.record.steps.is_empty() {
            self.side = match self.first_side {
                Some(side) if !self.dotted => side,
                None if !self.dotted => Side::First,
                _ => Side::Second,
            };
        }
        self.numbered = false;
        let side = self.side;
        whole::step(&mut self.record, StepKind::Play(side), token.as_bytes(), at);
        self.side = side.other();
    }

    /// Holds the result of the tag against the one behind the moves.
    fn results(&mut self) {
        let Some(last) = self.last else { return };
        let is_open = |result: &[u8]| words::is_open(result);
        match self.record.result {
            None => self.record.result = Some(last),
            Some(first) if is_open(first) => self.record.result = Some(last),
            Some(first) if first != last && !is_open(last) => {
                self.record.other_result.get_or_insert(last);
            }
            Some(_) => {}
        }
    }

    fn finish(mut self) -> Reading<'a> {
        let [own, both, chess] = self.is_move;
        let is_xiangqi = match self.says {
            Some(says) => says && !self.other_variant,
            // No game of xiangqi stays on a chessboard for long.
            None => own || both && !chess && self.record.steps.len() < 4,
        };
        if !is_xiangqi {
            let what = match chess || both || self.says.is_some() {
                true => "a game of chess, or of another kind than xiangqi",
                false => "text without moves of xiangqi",
            };
            self.record.steps.clear();
            return Reading::NotAGame(self.record, what);
        }
        self.record.game = Some("xiangqi");
        self.cut_torn();
        self.hold_numerals();
        if self.record.steps.is_empty() && self.record.setup.is_none() {
            let error = ReadError::new(
                "no_moves",
                "the game has no moves: they follow the tags, as in 1. h2e2 h9g7 or in Chinese",
            );
            return Reading::Broken(self.record, error);
        }
        Reading::Game(self.record)
    }

    /// Lets Black begin the usual position where the moves say so: dots before the
    /// first one, or Black's numerals in all of Red's moves and Red's in all of
    /// Black's. Many files write one side's numerals for both, which says nothing.
    fn hold_numerals(&mut self) {
        let numerals = |step: &Step<'_>| {
            let token = std::str::from_utf8(step.token).ok();
            token.and_then(words::side_of_numerals)
        };
        let is_other = |step: &Step<'_>| {
            let side = numerals(step);
            side.is_some_and(|side| step.kind != StepKind::Play(side))
        };
        let steps = &self.record.steps;
        let Some(StepKind::Play(written)) = steps.first().map(|step| step.kind) else {
            return;
        };
        let is_swapped = steps.len() > 1 && steps.iter().all(is_other);
        let begins = if is_swapped { written.other() } else { written };
        let named = self.first_side.unwrap_or(Side::First);
        let mut first = named;
        if begins != named {
            let value = match named {
                Side::First => "red",
                Side::Second => "black",
            };
            let warning = Warning::with("turn_differs", value, Place::Move(1));
            warn_once(&mut self.record.warnings, warning);
            if self.record.setup.is_none() {
                self.record.setup = Some(BLACK_BEGINS);
                first = begins;
            }
        }
        if first != written {
            let sides = [first, first.other()].into_iter().cycle();
            for (step, side) in self.record.steps.iter_mut().zip(sides) {
                step.kind = StepKind::Play(side);
            }
        }
    }

    /// Takes back a last move that the file breaks off in, and warns where it breaks
    /// off between two.
    fn cut_torn(&mut self) {
        let bytes = self.record.bytes;
        let Some(last) = self.record.steps.last().filter(|_| self.unclosed) else {
            return;
        };
        let at = last.at as usize;
        let shape = std::str::from_utf8(last.token).map(words::shape);
        let ends = |byte: &u8| byte.is_ascii_whitespace();
        let torn = !bytes.get(at..).unwrap_or_default().iter().any(ends);
        if torn && matches!(shape, Ok(Shape::Other | Shape::Chess) | Err(_)) {
            self.record.steps.pop();
            self.warn("torn_line", at);
        } else if self.last.is_none() && (self.numbered || self.record.result.is_some()) {
            // Who writes the result in a tag writes it behind the moves too. Where there
            // is neither, as some programs write, a game that was cut is as one that ends.
            let warning = Warning::new("missing_end", Place::Record);
            warn_once(&mut self.record.warnings, warning);
        }
    }
}
