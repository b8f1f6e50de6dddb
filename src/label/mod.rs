//! The label: what the board says next to what the record says. One row.

mod columns;
mod compare;
mod reasons;
mod recorded;

use std::{borrow::Cow, sync::Arc};

pub use columns::{BOARD_COLUMNS, COLUMNS, Column, EXTRA_COLUMNS, Kind, Schema, Value};
pub use compare::{Status, ValueFrom, compare};
pub(crate) use reasons::{finish as finish_reasons, sort as sort_reasons};
pub use recorded::{Hints, Recorded, RecordedKind, parse as parse_result, parse_outcome};

use crate::{
    game::{Claim, Judgement, Profile, Reason},
    outcome::{Outcome, Points, Side, words},
    record::{Charset, Field, Origin, ReadError, Record, Warning},
};

/// The version of the columns; raised when one is removed or changes meaning.
pub const SCHEMA_VERSION: &str = "label.v1";

/// Under which key files of Parquet and Arrow say what version of kifu wrote them …
pub const VERSION_KEY: &str = "kifu.version";
/// … which version of the columns they have …
pub const SCHEMA_KEY: &str = "kifu.schema";
/// … and by which settings, as a JSON object.
pub const SETTINGS_KEY: &str = "kifu.settings";

/// The longest written result that a row shows, in characters.
pub const MAX_RECORDED: usize = 200;

/// One row.
#[derive(Clone, Debug)]
pub struct Label<'a> {
    /// Key of the row.
    pub origin: Origin<'a>,
    /// Byte offset of the record in its file.
    pub offset: u64,
    /// The record's own id.
    pub record_id: Option<Cow<'a, str>>,
    /// Name of the game, empty where it is not known.
    pub game: &'static str,
    /// Winner words of the game, first player first.
    pub sides: [&'static str; 2],
    /// Name of the format, empty where it is not known.
    pub format: &'static str,
    /// Encoding of the record's text.
    pub charset: Charset,
    /// The result as written, decoded.
    pub recorded_text: Cow<'a, str>,
    /// The result as parsed.
    pub recorded: Recorded,
    /// Moves written on the main line, where there is one.
    pub moves: Option<u32>,
    /// What the board says; none where the record could not be read.
    pub judgement: Option<Judgement>,
    /// The profile that it was judged under.
    pub profile: Option<&'a Profile>,
    /// How the two compare.
    pub status: Status,
    /// What would reconcile them, then what describes.
    pub reasons: Vec<Reason>,
    /// The training label from the first player's view.
    pub value: Option<(Outcome, ValueFrom)>,
    /// Signed margin from the same source.
    pub lead: Option<Points>,
    /// What was odd in the reading (those of the replay are in the judgement).
    pub warnings: Vec<Warning>,
    /// What stopped the reading or the replay.
    pub error: Option<ReadError>,
    /// xxh3 (128 bits) of the record's bytes.
    pub content_hash: u128,
    /// The record that it repeats, where repeats were looked for.
    pub repeat: Option<Repeat>,
    /// Its part of a training set, where one was asked for.
    pub split: Option<&'static str>,
    /// Text fields, where they were asked for.
    pub fields: Vec<(Field, Cow<'a, str>)>,
    /// What marks the archive it is from, where every count was asked for.
    pub written: Option<Written<'a>>,
}

/// The record that another one repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Its origin.
    pub of: Arc<str>,
    /// How much of it is repeated.
    pub kind: RepeatKind,
}

words! {
    /// How a record repeats another one.
    RepeatKind {
        /// The same moves from the same set-up.
        Same = "same",
        /// The same under a symmetry of the board.
        Mirrored = "mirrored",
        /// The beginning of a longer one, under any symmetry.
        Contained = "contained",
    }
}

/// What a record writes of how it was counted: decoded, empty where it is
/// silent.
#[derive(Clone, Debug, Default)]
pub struct Written<'a> {
    /// Rules.
    pub rules: Cow<'a, str>,
    /// Komi.
    pub komi: Cow<'a, str>,
    /// Handicap.
    pub handicap: Cow<'a, str>,
    /// The first program named.
    pub program: Cow<'a, str>,
}

impl<'a> Written<'a> {
    /// What a record writes.
    #[must_use]
    pub fn of(record: &Record<'a>) -> Self {
        let text = |raw: Option<&'a [u8]>| record.text(raw.unwrap_or_default());
        Self {
            rules: text(record.rules),
            komi: text(record.komi),
            handicap: text(record.handicap),
            program: text(record.programs.first().copied()),
        }
    }
}

impl<'a> Label<'a> {
    /// A row for a file or record of which nothing could be judged.
    #[must_use]
    pub fn unjudged(
        origin: Origin<'a>,
        format: &'static str,
        status: Status,
        error: impl Into<Option<ReadError>>,
    ) -> Self {
        Self {
            origin,
            offset: 0,
            record_id: None,
            game: "",
            sides: ["", ""],
            format,
            charset: Charset::UTF8,
            recorded_text: Cow::Borrowed(""),
            recorded: Recorded::MISSING,
            moves: None,
            judgement: None,
            profile: None,
            status,
            reasons: Vec::new(),
            value: None,
            lead: None,
            warnings: Vec::new(),
            error: error.into(),
            content_hash: 0,
            repeat: None,
            split: None,
            fields: Vec::new(),
            written: None,
        }
    }

    /// The winner word of a side in this game.
    #[must_use]
    pub fn side_word(&self, side: Side) -> &'static str {
        self.sides[side.index()]
    }

    /// The winner word of an outcome in this game.
    #[must_use]
    pub fn outcome_word(&self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Win(side) => self.side_word(side),
            Outcome::Draw => "draw",
        }
    }

    /// The winner word of the written result.
    #[must_use]
    pub fn recorded_word(&self) -> Option<&'static str> {
        match self.recorded.winner {
            Some(side) => Some(self.side_word(side)),
            None => (self.recorded.kind == RecordedKind::Draw).then_some("draw"),
        }
    }

    /// All warnings, those of the reading first.
    pub fn all_warnings(&self) -> impl Iterator<Item = &Warning> {
        let replay = self
            .judgement
            .iter()
            .flat_map(|judgement| &judgement.warnings);
        self.warnings.iter().chain(replay)
    }

    /// What stopped the reading or the replay.
    #[must_use]
    pub fn first_error(&self) -> Option<&ReadError> {
        self.error.as_ref().or_else(|| {
            self.judgement
                .as_ref()
                .and_then(|judgement| judgement.error.as_ref())
        })
    }
}

/// What a parsed result claims, for judges and for the comparison.
#[must_use]
pub fn claim(recorded: &Recorded) -> Claim {
    let outcome = match (recorded.kind, recorded.winner) {
        (RecordedKind::Draw, _) => Some(Outcome::Draw),
        (RecordedKind::Sentinel | RecordedKind::Void, _) | (_, None) => None,
        (_, Some(side)) => Some(Outcome::Win(side)),
    };
    let margin = match (outcome, recorded.margin) {
        (Some(Outcome::Win(Side::First)), Some(margin)) => Some(margin),
        (Some(Outcome::Win(Side::Second)), Some(margin)) => Some(-margin),
        (Some(Outcome::Draw), _) => Some(Points::ZERO),
        _ => None,
    };
    Claim {
        margin,
        outcome,
        broken_off: matches!(
            recorded.kind,
            RecordedKind::Resign | RecordedKind::Time | RecordedKind::Forfeit
        ),
        resigned: recorded.kind == RecordedKind::Resign,
        forfeited: recorded.kind == RecordedKind::Forfeit,
        repeated: recorded.by_repetition,
    }
}

/// The written result as a row shows it: decoded, on one line, cut.
#[must_use]
pub fn shown(text: Cow<'_, str>) -> Cow<'_, str> {
    let plain = text.chars().all(|c| !c.is_control());
    let short = text.len() <= MAX_RECORDED || text.chars().count() <= MAX_RECORDED;
    if plain && short {
        return text;
    }
    text.chars()
        .take(MAX_RECORDED)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
