//! Labels one record: read, judge, compare. One labeller for each worker.

use std::{
    any::Any,
    borrow::Cow,
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

use xxhash_rust::xxh3::xxh3_128;

use super::Plan;
use crate::{
    format::{Format, Piece, Reading},
    game::{self, Game, Judge},
    label::{self, Hints, Label, Recorded, RecordedKind, Status},
    record::{Arena, Origin, ReadError, Record},
};

/// One record of a file, cut out but not yet read.
#[derive(Clone, Copy)]
pub struct Cut<'a> {
    /// The format of the file.
    pub format: &'static dyn Format,
    /// The window that holds the record.
    pub window: &'a [u8],
    /// Where in the window it is.
    pub piece: Piece,
    /// Escaped name of the file.
    pub name: &'a str,
    /// Place among the records of the file, from 1.
    pub index: u64,
    /// Bytes of the file before the window.
    pub before: u64,
}

impl<'a> Cut<'a> {
    /// The key of its row.
    #[must_use]
    pub const fn origin(&self) -> Origin<'a> {
        Origin {
            file: Cow::Borrowed(self.name),
            index: self.index,
        }
    }
}

/// Takes a row, and the judge that judged it.
pub type RowFn<'f> = dyn FnMut(&Label<'_>, Option<&mut (dyn Judge + 'static)>) + 'f;

/// Labels records one after the other, with the judges it has made so far.
pub struct Labeller<'p> {
    plan: &'p Plan,
    judges: BTreeMap<&'static str, Box<dyn Judge>>,
}

impl<'p> Labeller<'p> {
    /// A labeller under a plan.
    #[must_use]
    pub const fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            judges: BTreeMap::new(),
        }
    }

    /// Labels one record and hands its row over. A panic becomes a broken row.
    pub fn label(&mut self, cut: Cut<'_>, row: &mut RowFn<'_>) {
        let offset = cut.before + cut.piece.start as u64;
        let result = catch_unwind(AssertUnwindSafe(|| self.try_label(cut, offset, row)));
        if let Err(panic) = result {
            // Its scratch memory may be in any state.
            self.judges.clear();
            let error = ReadError::new(
                "panic",
                format!(
                    "kifu failed on this record, please report it: {}",
                    panic_text(panic.as_ref())
                ),
            );
            let mut label = Label::unjudged(cut.origin(), cut.format.name(), Status::Broken, error);
            label.offset = offset;
            row(&label, None);
        }
    }

    fn try_label(&mut self, cut: Cut<'_>, offset: u64, row: &mut RowFn<'_>) {
        let bytes = &cut.window[cut.piece.start..cut.piece.end];
        let broken = |error| {
            let mut label = Label::unjudged(cut.origin(), cut.format.name(), Status::Broken, error);
            label.offset = offset;
            label.content_hash = xxh3_128(bytes);
            label
        };
        if bytes.len() > self.plan.max_record {
            row(&broken(too_large(self.plan.max_record)), None);
            return;
        }
        let arena = Arena::default();
        let reading = cut
            .format
            .read(bytes, cut.piece, &self.plan.context, &arena);
        let (record, status, error) = match reading {
            Reading::Game(record) => (record, Status::Agree, None),
            Reading::NotAGame(record, what) => (
                record,
                Status::Skipped,
                Some(ReadError::new("not_a_game", what)),
            ),
            Reading::Broken(record, error) => (record, Status::Broken, Some(error)),
        };
        let game = self.game_of(&record);
        let recorded_text = label::shown(record.text(record.result.unwrap_or_default()));
        let mut label = Label {
            offset,
            record_id: record.id.map(|id| record.charset.decode(id)),
            game: if status == Status::Skipped {
                ""
            } else {
                game.name()
            },
            sides: game.sides(),
            charset: record.charset,
            recorded: recorded(&record),
            recorded_text,
            content_hash: xxh3_128(bytes),
            fields: record
                .fields
                .iter()
                .map(|(field, raw)| (*field, record.text(raw)))
                .collect(),
            ..Label::unjudged(
                cut.origin(),
                cut.format.name(),
                status,
                ReadError::new("", ""),
            )
        };
        label.error = error;
        let want = &self.plan.want;
        if label.error.is_none() {
            match self.judge(game) {
                Ok(judge) => {
                    let claim = label::claim(&label.recorded);
                    label.judgement = Some(judge.judge(&record, &claim, want));
                }
                Err(error) => label.error = Some(error),
            }
        }
        label.warnings = record.warnings;
        label::compare(&mut label, self.plan.tolerance);
        if label.status.is_mismatch() {
            self.explain_mismatch(game, &mut label);
        }
        row(
            &label,
            self.judges.get_mut(label.game).map(|judge| &mut **judge),
        );
    }

    fn game_of(&self, record: &Record<'_>) -> &'static dyn Game {
        self.plan
            .game
            .or_else(|| record.game.and_then(game::by_name))
            .unwrap_or(game::GAMES[0])
    }

    fn judge(&mut self, game: &'static dyn Game) -> Result<&mut Box<dyn Judge>, ReadError> {
        if !self.judges.contains_key(game.name()) {
            let judge = game
                .judge_for(&self.plan.settings)
                .map_err(|error| ReadError::new("judge", error.to_string()))?;
            self.judges.insert(game.name(), judge);
        }
        self.judges
            .get_mut(game.name())
            .ok_or_else(|| ReadError::new("judge", "no judge of this game"))
    }

    fn explain_mismatch(&mut self, game: &'static dyn Game, label: &mut Label<'_>) {
        let claim = label::claim(&label.recorded);
        let mut reasons = match (self.judges.get_mut(game.name()), &label.judgement) {
            (Some(judge), Some(judgement)) => judge.reconcile(&claim, judgement),
            _ => Vec::new(),
        };
        label::shared_reasons(label, &mut reasons);
        label.reasons = reasons;
    }
}

/// The written result, parsed; two results that differ say nothing.
fn recorded(record: &Record<'_>) -> Recorded {
    let Some(raw) = record.result else {
        return Recorded::MISSING;
    };
    let rules = record.charset.decode(record.rules.unwrap_or_default());
    let hints = Hints {
        zi_fractions: rules.to_ascii_lowercase().contains("chinese") || rules.contains('中'),
        fox: record.written_by("foxwq"),
    };
    let result = label::parse_result(&record.text(raw), hints);
    let other = record
        .other_result
        .map(|raw| label::parse_result(&record.text(raw), hints));
    match other {
        Some(other)
            if (other.winner, other.margin, other.kind)
                != (result.winner, result.margin, result.kind) =>
        {
            Recorded {
                kind: RecordedKind::Unknown,
                ..Recorded::MISSING
            }
        }
        _ => result,
    }
}

/// The error of a record that is longer than allowed.
pub(super) fn too_large(limit: usize) -> ReadError {
    ReadError::new(
        "record_too_large",
        format!("longer than {limit} bytes; raise --max-record to read it"),
    )
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
