//! UGF and UGI, the formats of PandaNet.
//!
//! Sections of lines: `[Header]` with `Key=value`, `[Data]` with a move a line,
//! `QP,B1,1,0`: the point in letters from `A`, colour, number and time. What is
//! in other sections (figures, remarks, the tree of a review) is not the game.

use std::path::Path;

use super::{
    Context, Format, Piece, Reading,
    sgf::{bad_size, parse_size},
    whole::{self, lines, number, stray, torn_from, warn_torn},
};
use crate::{
    outcome::Side,
    record::{Arena, Field, Notation, ReadError, Record, StepKind},
};

/// The UGF format.
pub struct Ugf;

impl Format for Ugf {
    fn name(&self) -> &'static str {
        "ugf"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ugf", "ugi"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        let keys: [&[u8]; 3] = [b"hdcp=", b"winner=", b"coordinatetype="];
        let mut header = false;
        lines(head).any(|(_, line)| {
            header |= line.eq_ignore_ascii_case(b"[header]");
            let starts = |key: &&[u8]| starts_with(line, key);
            header && keys.iter().any(starts)
        })
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        _: Piece,
        context: &'a Context,
        arena: &'a Arena,
    ) -> Reading<'a> {
        let mut reader = Reader::new(bytes, context);
        reader.run(context);
        reader.finish(arena)
    }
}

/// Whether a line starts with a key in any case.
fn starts_with(line: &[u8], key: &[u8]) -> bool {
    line.get(..key.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(key))
}

/// The section that a line is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Header,
    Data,
    Other,
}

struct Reader<'a> {
    record: Record<'a>,
    meta: bool,
    section: Section,
    /// Whether any section was met.
    sections: bool,
    /// Rows count from the bottom.
    from_bottom: bool,
    /// Handicap and komi as written: `0,6.50`, `0,-5.50` where White gives.
    terms: &'a [u8],
    winner: &'a [u8],
    error: Option<ReadError>,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8], context: &Context) -> Self {
        let mut record = Record::empty(bytes);
        record.game = Some("go");
        Self {
            record,
            meta: context.meta,
            section: Section::Other,
            sections: false,
            from_bottom: false,
            terms: b"",
            winner: b"",
            error: None,
        }
    }

    fn run(&mut self, context: &Context) {
        let bytes = self.record.bytes;
        let torn_from = torn_from(bytes);
        let mut language = None;
        let mut in_text = false;
        for (at, line) in lines(bytes) {
            // A remark may hold any line but its end.
            if starts_with(line, b".text") || in_text {
                in_text = !starts_with(line, b".endtext");
                continue;
            }
            if line.starts_with(b"[") && line.ends_with(b"]") {
                self.sections = true;
                self.section = match line.to_ascii_lowercase().as_slice() {
                    b"[header]" => Section::Header,
                    b"[data]" => Section::Data,
                    _ => Section::Other,
                };
                continue;
            }
            let torn = at >= torn_from;
            match self.section {
                Section::Header if torn => {
                    warn_torn(&mut self.record, at);
                }
                Section::Header => {
                    if let Some(sign) = memchr::memchr(b'=', line) {
                        let value = line[sign + 1..].trim_ascii();
                        if line[..sign].eq_ignore_ascii_case(b"lang") {
                            language = Some(value);
                        }
                        self.entry(&line[..sign], value);
                    }
                }
                Section::Data => self.play(line, at, torn),
                Section::Other => {}
            }
        }
        let label = match language {
            Some(b"SJIS") => Some(b"Shift_JIS".as_slice()),
            other => other.filter(|language| language.len() > 3),
        };
        context.set_charset(&mut self.record, bytes, label);
    }

    /// One entry of the header.
    fn entry(&mut self, key: &[u8], value: &'a [u8]) {
        match key.to_ascii_lowercase().as_slice() {
            b"size" => match parse_size(value) {
                Some(size) => self.record.size = Some(size),
                None => self.error = Some(bad_size(&String::from_utf8_lossy(value))),
            },
            b"rule" => self.record.rules = Some(value).filter(|text| !text.is_empty()),
            b"hdcp" => self.terms = value,
            b"winner" => self.winner = value,
            b"coordinatetype" => self.from_bottom = value.eq_ignore_ascii_case(b"igs"),
            b"writer" if !value.is_empty() => self.record.programs.push(value),
            b"date" => self.field(Field::Date, value),
            b"title" => self.field(Field::Event, value),
            b"place" => self.field(Field::Server, value),
            b"playerb" => self.player(Field::FirstPlayer, Field::FirstRank, value),
            b"playerw" => self.player(Field::SecondPlayer, Field::SecondRank, value),
            _ => {}
        }
    }

    fn field(&mut self, field: Field, value: &'a [u8]) {
        whole::field(&mut self.record, self.meta, field, value);
    }

    /// `name,7d,,`
    fn player(&mut self, name: Field, rank: Field, value: &'a [u8]) {
        let mut parts = value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
        self.field(name, parts.next().unwrap_or_default());
        self.field(rank, parts.next().unwrap_or_default());
    }

    /// One line of moves.
    fn play(&mut self, line: &'a [u8], at: usize, torn: bool) {
        if line.is_empty() || line.starts_with(b".") {
            return;
        }
        let mut parts = line.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
        let token = parts.next().unwrap_or_default();
        let side = match parts.next().and_then(<[u8]>::first) {
            Some(b'B' | b'b') => Some(Side::First),
            Some(b'W' | b'w') => Some(Side::Second),
            _ => None,
        };
        let number = parts.next().and_then(number);
        if torn && number.is_none() {
            warn_torn(&mut self.record, at);
            return;
        }
        let Some(side) = side else {
            return stray(&mut self.record, line, at);
        };
        // Handicap stones stand before the first move.
        let placed = number == Some(0) && self.record.moves() == 0 && token != b"YA";
        let kind = if placed {
            StepKind::Place(side)
        } else {
            StepKind::Play(side)
        };
        let token = if token == b"YA" { &token[..0] } else { token };
        whole::step(&mut self.record, kind, token, at);
    }

    fn finish(mut self, arena: &'a Arena) -> Reading<'a> {
        self.record.notation = Notation::Capitals {
            first: b'A',
            from_bottom: self.from_bottom,
        };
        if !self.sections {
            let error = "no section of a UGF record: neither [Header] nor [Data]";
            return Reading::Broken(self.record, ReadError::new("no_game", error));
        }
        self.values(arena);
        match self.error {
            Some(error) => Reading::Broken(self.record, error),
            None => Reading::Game(self.record),
        }
    }

    /// Handicap, komi and result in the words of the other formats.
    fn values(&mut self, arena: &'a Arena) {
        let mut terms = self
            .terms
            .split(|byte| *byte == b',')
            .map(<[u8]>::trim_ascii);
        self.record.handicap = terms.next().filter(|text| !text.is_empty());
        self.record.komi = terms.next().filter(|text| !text.is_empty());
        let result = arena.keep(result(self.winner));
        self.record.result = Some(result).filter(|text| !text.is_empty());
    }
}

/// `B,7.50` as `B+7.50`, with `C` for a resignation and `T` for time; what else
/// is written stays as it is.
fn result(written: &[u8]) -> Vec<u8> {
    let Some((winner @ (b"B" | b"W"), [b',', ground @ ..])) = written.split_at_checked(1) else {
        return written.to_vec();
    };
    let ground = ground.trim_ascii();
    let digits = ground
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    match ground {
        b"C" => [winner, b"+R"].concat(),
        b"T" => [winner, b"+T"].concat(),
        [] => winner.to_vec(),
        _ if digits => [winner, b"+", ground].concat(),
        _ => written.to_vec(),
    }
}
