//! GIB, the format of Tygem and its sister servers.
//!
//! A header of `\[KEY=VALUE\]` lines, then the game: `INI 0 1 3 &4` names the
//! handicap, `STO 0 2 1 15 3` puts a stone: counter, colour (1 is Black),
//! column and row from 0. The server's codes of the result are beside its text.

use std::path::Path;

use super::{
    Context, Format, Piece, Reading,
    whole::{self, check_count, lines, name_and_rank, number, stray, torn_from, warn_torn},
};
use crate::{
    outcome::Side,
    record::{Arena, Field, Notation, Place, ReadError, Record, StepKind, Warning, warn_once},
};

/// The GIB format.
pub struct Gib;

impl Format for Gib {
    fn name(&self) -> &'static str {
        "gib"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["gib"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        let marks: [&[u8]; 3] = [b"\\[GIBOKIND=", b"\\[GAMEINFOMAIN=", b"\\[GAMERESULT="];
        lines(head).any(|(_, line)| marks.iter().any(|mark| line.starts_with(mark)))
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        _: Piece,
        context: &'a Context,
        arena: &'a Arena,
    ) -> Reading<'a> {
        let mut reader = Reader::new(bytes, context);
        reader.run();
        reader.finish(arena)
    }
}

/// Star points in the order of [`whole::place_handicap`].
const STARS: [&[u8]; 9] = [
    b"15 3", b"3 15", b"3 3", b"15 15", b"3 9", b"15 9", b"9 3", b"9 15", b"9 9",
];

struct Reader<'a> {
    record: Record<'a>,
    meta: bool,
    /// Entries of the header met.
    entries: usize,
    /// Whether the end of the game was met.
    ended: bool,
    /// Where the handicap is written.
    handicap_at: usize,
    /// Komi, times ten.
    komi: Option<&'a [u8]>,
    /// Points given beside the komi.
    dum: u32,
    text: &'a [u8],
    /// The code of the result, and the margin times ten.
    code: Option<u32>,
    margin: u32,
    count: Option<u32>,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8], context: &Context) -> Self {
        let mut record = Record::empty(bytes);
        record.notation = Notation::Numbers { first: 0 };
        record.game = Some("go");
        record.size = Some((19, 19));
        context.set_charset(&mut record, bytes, None);
        Self {
            record,
            meta: context.meta,
            entries: 0,
            ended: false,
            handicap_at: 0,
            komi: None,
            dum: 0,
            text: b"",
            code: None,
            margin: 0,
            count: None,
        }
    }

    fn run(&mut self) {
        let bytes = self.record.bytes;
        let torn_from = torn_from(bytes);
        for (at, line) in lines(bytes) {
            if let Some(entry) = line.strip_prefix(b"\\[") {
                self.entry(entry, at);
            } else if line.starts_with(b"\\GE") {
                self.ended = true;
                return;
            } else {
                self.game_line(line, at, at >= torn_from);
            }
        }
    }

    /// One entry of the header.
    fn entry(&mut self, entry: &'a [u8], at: usize) {
        let Some(entry) = entry.strip_suffix(b"\\]") else {
            // Half a value says something else than the whole one.
            let warning = Warning::new("unclosed_value", Place::Byte(at as u32));
            warn_once(&mut self.record.warnings, warning);
            return;
        };
        let Some(sign) = memchr::memchr(b'=', entry) else {
            return;
        };
        self.entries += 1;
        let (key, value) = (&entry[..sign], entry[sign + 1..].trim_ascii());
        match key {
            b"GAMERESULT" => self.text = value,
            b"GAMEGONGJE" => self.komi = Some(value),
            b"GAMEDUM" => self.dum = number(value).unwrap_or_default(),
            b"GAMEINFOMAIN" => {
                self.code = part(value, b"GRLT:").or(self.code);
                self.margin = part(value, b"ZIPSU:").unwrap_or(self.margin);
                self.count = part(value, b"TCNT:");
            }
            b"GAMETAG" => {
                self.code = self.code.or_else(|| part(value, b"W"));
                if self.margin == 0 {
                    self.margin = part(value, b"Z").unwrap_or_default();
                }
            }
            b"GAMEDATE" => self.field(Field::Date, value),
            b"GAMEPLACE" => self.field(Field::Server, value),
            b"GAMENAME" => self.field(Field::Event, value),
            b"GAMEBLACKNAME" => self.player(Field::FirstPlayer, Field::FirstRank, value),
            b"GAMEWHITENAME" => self.player(Field::SecondPlayer, Field::SecondRank, value),
            _ => {}
        }
    }

    fn field(&mut self, field: Field, value: &'a [u8]) {
        whole::field(&mut self.record, self.meta, field, value);
    }

    fn player(&mut self, name_field: Field, rank_field: Field, value: &'a [u8]) {
        let (name, rank) = name_and_rank(value, b'(');
        self.field(name_field, name);
        self.field(rank_field, rank);
    }

    /// One line of the game.
    fn game_line(&mut self, line: &'a [u8], at: usize, torn: bool) {
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let word = words.next().unwrap_or_default();
        if word.len() != 3 || !word.iter().all(u8::is_ascii_uppercase) {
            return;
        }
        if torn {
            // Its last number may be half of one.
            warn_torn(&mut self.record, at);
            return;
        }
        // The place in the file and the counter say nothing new.
        let mut words = words.skip(2);
        let third = words.next();
        let side = match third {
            Some(b"1") => Some(Side::First),
            Some(b"2") => Some(Side::Second),
            _ => None,
        };
        match (word, side) {
            (b"INI", _) => {
                self.record.handicap = third;
                self.handicap_at = at;
            }
            (b"STO", Some(side)) => {
                let place = words.next().map_or(line.len(), |x| whole::offset(line, x));
                let token = &line[place..];
                if token.is_empty() {
                    stray(&mut self.record, line, at);
                } else {
                    whole::step(&mut self.record, StepKind::Play(side), token, at + place);
                }
            }
            (b"SKI", Some(side)) => {
                let token = &line[line.len()..];
                whole::step(&mut self.record, StepKind::Play(side), token, at);
            }
            (b"SKI", None) => {
                stray(&mut self.record, &line[line.len()..], at);
            }
            // Nothing is known of what else a game may hold.
            _ => stray(&mut self.record, line, at),
        }
    }

    fn finish(mut self, arena: &'a Arena) -> Reading<'a> {
        if self.entries == 0 && self.record.steps.is_empty() {
            let error = "neither a header nor a move of a GIB record";
            return Reading::Broken(self.record, ReadError::new("no_game", error));
        }
        for (odd, word) in [
            (self.entries == 0, "missing_header"),
            (!self.ended, "missing_end"),
        ] {
            if odd {
                self.record.warnings.push(Warning::new(word, Place::Record));
            }
        }
        check_count(&mut self.record, self.count);
        whole::place_handicap(&mut self.record, self.handicap_at, STARS);
        self.values(arena);
        Reading::Game(self.record)
    }

    /// Komi and result in the words of the other formats.
    fn values(&mut self, arena: &'a Arena) {
        let komi = self.komi.and_then(number);
        let komi = komi.filter(|_| self.dum == 0).map(tenths);
        if self.dum != 0 {
            let value = format!("dum={}", self.dum);
            let warning = Warning::with("komi_doubtful", value, Place::Record);
            self.record.warnings.push(warning);
        }
        let winner = match self.code {
            Some(0 | 3 | 7) => "B",
            _ => "W",
        };
        let result = match self.code {
            Some(0 | 1) if self.margin > 0 => format!("{winner}+{}", tenths(self.margin)),
            Some(3 | 4) => format!("{winner}+R"),
            Some(7 | 8) => format!("{winner}+T"),
            _ => String::new(),
        };
        let komi = komi.unwrap_or_default();
        let kept = arena.keep([komi.as_bytes(), result.as_bytes()].concat());
        let (komi, result) = kept.split_at(komi.len());
        self.record.komi = Some(komi).filter(|komi| !komi.is_empty());
        let code = Some(result).filter(|code| !code.is_empty());
        let text = Some(self.text).filter(|text| !text.is_empty());
        // A text that did not survive its journey is no witness.
        let text = text.filter(|text| {
            code.is_none() || !self.record.charset.decode(text).contains('\u{fffd}')
        });
        self.record.result = text.or(code);
        self.record.other_result = text.and(code);
    }
}

/// The number behind a key among parts with commas between them.
fn part(value: &[u8], key: &[u8]) -> Option<u32> {
    value
        .split(|byte| *byte == b',')
        .find_map(|part| number(part.trim_ascii().strip_prefix(key)?))
}

/// A number of tenths: `6.5` for 65.
fn tenths(number: u32) -> String {
    match number % 10 {
        0 => (number / 10).to_string(),
        rest => format!("{}.{rest}", number / 10),
    }
}
