//! Labels one record: read, judge, compare. One labeller for each worker.

use std::{
    any::Any,
    borrow::Cow,
    collections::{BTreeMap, btree_map::Entry},
    panic::{AssertUnwindSafe, catch_unwind},
};

use xxhash_rust::xxh3::xxh3_128;

use super::{Plan, file::RecordFile};
use crate::{
    format::{Piece, Reading},
    game::{Game, Judge, Reason},
    label::{self, Hints, Label, Recorded, RecordedKind, Status, Written},
    record::{Arena, Origin, Place, ReadError, Record, Warning, excerpt},
    source,
};

/// One record of a file, cut out but not yet read.
#[derive(Clone, Copy)]
pub struct Cut<'a> {
    /// The file.
    pub file: &'a RecordFile,
    /// The window that holds the record.
    pub window: &'a [u8],
    /// Where in the window it is.
    pub piece: Piece,
    /// Place among the records of the file, from 1.
    pub index: u64,
    /// Bytes of the file before the window.
    pub before: u64,
}

impl<'a> Cut<'a> {
    /// The bytes of the record.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        &self.window[self.piece.start..self.piece.end]
    }

    /// Where in its file the record starts, in bytes.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.before + self.piece.start as u64
    }

    /// Reads the record.
    #[must_use]
    pub fn read(&self, arena: &'a Arena) -> Reading<'a> {
        let Self { file, piece, .. } = self;
        file.format.read(self.bytes(), *piece, &file.context, arena)
    }

    /// The key of its row.
    #[must_use]
    pub fn origin(&self) -> Origin<'a> {
        Origin {
            file: Cow::Borrowed(&self.file.name),
            index: self.index,
            id: None,
        }
    }

    /// The key of its row, once it is read.
    #[must_use]
    pub fn origin_of(&self, record: &Record<'_>) -> Origin<'a> {
        let id = record.id.filter(|_| self.file.format.known_by_id());
        Origin {
            id: id.map(|id| {
                let id = record.charset.decode(id);
                Cow::Owned(source::escape_bytes(id.as_bytes()))
            }),
            ..self.origin()
        }
    }
}

/// Takes a row, and the judge that judged it.
pub type RowFn<'f> = dyn FnMut(&Label<'_>, Option<&mut (dyn Judge + 'static)>) + 'f;

/// Labels records one after the other, with the judges it has made so far.
pub struct Labeller<'p> {
    plan: &'p Plan,
    judges: Judges,
}

/// The judges made so far, by game.
pub(crate) type Judges = BTreeMap<&'static str, Box<dyn Judge>>;

impl<'p> Labeller<'p> {
    /// A labeller under a plan.
    #[must_use]
    pub const fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            judges: BTreeMap::new(),
        }
    }

    /// A labeller that goes on with judges of an earlier one under the same plan.
    pub(crate) const fn with(plan: &'p Plan, judges: Judges) -> Self {
        Self { plan, judges }
    }

    /// The judges made so far.
    pub(crate) fn into_judges(self) -> Judges {
        self.judges
    }

    /// Labels one record and hands its row over. A panic becomes a broken row.
    pub fn label(&mut self, cut: Cut<'_>, row: &mut RowFn<'_>) {
        let result = catch_unwind(AssertUnwindSafe(|| self.try_label(cut, row)));
        if let Err(panic) = result {
            // Its scratch memory may be in any state.
            self.judges.clear();
            let error = panicked("record", panic.as_ref());
            let mut label =
                Label::unjudged(cut.origin(), cut.file.format.name(), Status::Broken, error);
            label.offset = cut.offset();
            row(&label, None);
        }
    }

    fn try_label(&mut self, cut: Cut<'_>, row: &mut RowFn<'_>) {
        let bytes = cut.bytes();
        if bytes.len() > self.plan.max_record {
            let error = too_large(self.plan.max_record);
            let label = Label {
                offset: cut.offset(),
                content_hash: xxh3_128(bytes),
                ..Label::unjudged(cut.origin(), cut.file.format.name(), Status::Broken, error)
            };
            row(&label, None);
            return;
        }
        let arena = Arena::default();
        let (record, status, error) = match cut.read(&arena) {
            Reading::Game(record) => (record, Status::Agree, None),
            Reading::NotAGame(record, what) => (
                record,
                Status::Skipped,
                Some(ReadError::new("not_a_game", what)),
            ),
            Reading::Broken(record, error) => (record, Status::Broken, Some(error)),
        };
        let game = cut.file.game_of(&record);
        let recorded_text = label::shown(record.text(record.result.unwrap_or_default()));
        let mut label = Label {
            offset: cut.offset(),
            record_id: record.id.map(|id| record.charset.decode(id)),
            game: if status == Status::Skipped {
                ""
            } else {
                game.name()
            },
            sides: game.sides(),
            charset: record.charset,
            recorded: recorded(&record, game),
            recorded_text,
            content_hash: xxh3_128(bytes),
            fields: record
                .fields
                .iter()
                .map(|(field, raw)| (*field, label::shown(record.text(raw))))
                .collect(),
            written: self.plan.want.counts.then(|| Written::of(&record)),
            ..Label::unjudged(
                cut.origin_of(&record),
                cut.file.format.name(),
                status,
                error,
            )
        };
        let plan = self.plan;
        if label.error.is_none() {
            match self.judge(game) {
                Ok(judge) => {
                    let profiles = &cut.file.profiles;
                    let profile = plan.profiles.of_record(profiles, &record, game);
                    let claim = label::claim(&label.recorded);
                    label.judgement = Some(judge.judge(&record, profile, &claim, &plan.want));
                    label.profile = profile;
                }
                Err(error) => label.error = Some(error),
            }
        }
        if let Some(judgement) = &label.judgement {
            label.game = judgement.game;
        }
        let replayed = label.judgement.as_ref().map(|judgement| judgement.moves);
        label.moves = replayed.or_else(|| Some(record.moves() as u32));
        let other = record.other_result.map(|raw| record.text(raw).into_owned());
        label.warnings = record.warnings;
        warn_of_contradiction(&mut label, other.as_deref());
        label::compare(&mut label, plan.tolerance);
        if plan.duplicates.survey().is_some() {
            row(&label, None);
            return;
        }
        let is_open = matches!(label.status, Status::Unfinished | Status::NotComparable);
        if label.status.is_mismatch() || is_open {
            self.explain_status(game, &mut label);
        } else if let Some(judgement) = &label.judgement {
            label.reasons.extend_from_slice(&judgement.remarks);
        }
        let about = plan.duplicates.about(&label);
        if let Some(other) = about.contradicting {
            let other = other.replace(';', "%3B").replace('@', "%40");
            label.reasons.push(Reason::with("duplicate", other));
            label::sort_reasons(&mut label.reasons);
        }
        label.repeat = about.repeat;
        if let Some(split) = plan.split.filter(|_| label.status != Status::Broken) {
            let own = label.judgement.as_ref().and_then(|it| it.canonical_hash);
            label.split = about.longest.or(own).map(|hash| split.part(hash));
        }
        if let Some(profile) = label.profile {
            label.reasons.push(Reason::with("profile", &profile.name));
        }
        row(
            &label,
            self.judges.get_mut(game.name()).map(|judge| &mut **judge),
        );
    }

    fn judge(&mut self, game: &'static dyn Game) -> Result<&mut Box<dyn Judge>, ReadError> {
        match self.judges.entry(game.name()) {
            Entry::Occupied(judge) => Ok(judge.into_mut()),
            Entry::Vacant(place) => {
                let judge = game.judge_for(&self.plan.settings.of_game(game));
                let judge = judge.map_err(|error| ReadError::new("judge", error.to_string()))?;
                Ok(place.insert(judge))
            }
        }
    }

    /// Adds what would reconcile record and board, or what is open.
    fn explain_status(&mut self, game: &'static dyn Game, label: &mut Label<'_>) {
        let claim = label::claim(&label.recorded);
        let mut reasons = match (self.judges.get_mut(game.name()), &label.judgement) {
            (Some(judge), Some(judgement)) => {
                let mut reasons = judge.reconcile(&claim, judgement);
                reasons.extend_from_slice(&judgement.remarks);
                reasons
            }
            _ => Vec::new(),
        };
        if label.status != Status::NotComparable {
            label::finish_reasons(label, &mut reasons);
        }
        label.reasons = reasons;
    }
}

/// The written result, parsed; two results that differ say nothing.
fn recorded(record: &Record<'_>, game: &dyn Game) -> Recorded {
    let Some(raw) = record.result else {
        return Recorded::MISSING;
    };
    if !game.has_margins() {
        let ending = record.ending.map(|text| record.text(text));
        let red_first = game.sides() == ["red", "black"];
        let parse = |raw| label::parse_outcome(&record.text(raw), ending.as_deref(), red_first);
        return weigh(parse(raw), record.other_result.map(parse));
    }
    let rules = record.charset.decode(record.rules.unwrap_or_default());
    let text = record.text(raw);
    let hints = Hints {
        zi_fractions: names_chinese(&rules) || rules.contains('中'),
        fox: is_fox(record, &text),
        red_first: false,
    };
    let result = label::parse_result(&text, hints);
    let other = record
        .other_result
        .map(|raw| label::parse_result(&record.text(raw), hints));
    weigh(result, other)
}

/// Two results that differ say nothing.
fn weigh(result: Recorded, other: Option<Recorded>) -> Recorded {
    match other {
        Some(other)
            if (other.winner, other.margin, other.kind)
                != (result.winner, result.margin, result.kind) =>
        {
            Recorded {
                kind: RecordedKind::Unknown,
                contradictory: true,
                ..Recorded::MISSING
            }
        }
        _ => result,
    }
}

/// Whether a rules text has the word, in any case.
fn names_chinese(rules: &str) -> bool {
    const WORD: &[u8] = b"chinese";
    let mut parts = rules.as_bytes().windows(WORD.len());
    parts.any(|part| part.eq_ignore_ascii_case(WORD))
}

/// Whether a record comes from Fox: from the server, from a client of it, or
/// from GNU Go, through which many Fox records were saved once more. Those have
/// rules, and margins that are no count: a draw has no winner, and nobody wins
/// by less than half a point.
fn is_fox(record: &Record<'_>, result: &str) -> bool {
    let has_rules = record
        .rules
        .is_some_and(|rules| !rules.trim_ascii().is_empty());
    let code = result
        .strip_prefix(['B', 'W'])
        .is_some_and(|margin| matches!(margin, "+0.0" | "+0.02" | "+0.03"));
    record.written_by("foxwq")
        || record.written_by("YuanYu")
        || record.written_by("GNU Go:3.8") && has_rules && code
}

/// Warns of a result that contradicts itself. Of two results that differ the
/// reader may have warned; the row shows the first one, the warning the other.
fn warn_of_contradiction(label: &mut Label<'_>, other: Option<&str>) {
    const WORD: &str = "conflicting_result";
    let warned = label.warnings.iter().any(|warning| warning.word == WORD);
    if label.recorded.contradictory && !warned {
        label.warnings.push(Warning::new(WORD, Place::Record));
    }
    let mut warnings = label.warnings.iter_mut();
    if let Some(warning) = warnings.find(|warning| warning.word == WORD) {
        warning.value = other.map(excerpt);
    }
}

/// The error of a record that is longer than allowed.
pub(super) fn too_large(limit: usize) -> ReadError {
    ReadError::new(
        "record_too_large",
        format!("longer than {limit} bytes; raise --max-record to read it"),
    )
}

/// The error of something that kifu failed on.
pub(super) fn panicked(what: &str, panic: &(dyn Any + Send)) -> ReadError {
    let error = format!(
        "kifu failed on this {what}, please report it: {}",
        panic_text(panic)
    );
    ReadError::new("panic", error)
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a record with this program, rules and result counts as Fox's.
    fn fox(program: &'static str, rules: Option<&'static [u8]>, result: &'static str) -> bool {
        let record = Record {
            programs: vec![program.as_bytes()],
            rules,
            ..Record::empty(b"")
        };
        is_fox(&record, result)
    }

    #[test]
    fn fox_records_are_known_even_when_saved_once_more() {
        let rules = Some(b"Japanese".as_slice());
        assert!(fox("foxwq", None, "B+3.5"));
        assert!(fox("YuanYu", rules, "B+R"));
        for result in ["B+0.0", "W+0.0", "B+0.02", "W+0.03"] {
            assert!(fox("GNU Go:3.8", rules, result), "{result}");
            assert!(!fox("GNU Go:3.8", None, result), "{result}");
            assert!(!fox("CGoban:3", rules, result), "{result}");
        }
        for result in ["0", "B+0", "B+0.5", "W+R", "Draw"] {
            assert!(!fox("GNU Go:3.8", rules, result), "{result}");
        }
    }

    #[test]
    fn a_contradiction_is_warned_of_once() {
        let mut label = Label::unjudged(Origin::new("game.sgf", 1), "sgf", Status::NoResult, None);
        let words = |label: &Label<'_>| -> Vec<_> {
            label.warnings.iter().map(|warning| warning.word).collect()
        };
        warn_of_contradiction(&mut label, None);
        assert!(words(&label).is_empty());
        label.recorded = label::parse_result("B+2.5 ? W+timeout", Hints::default());
        warn_of_contradiction(&mut label, None);
        warn_of_contradiction(&mut label, Some("W+R;\n"));
        assert_eq!(words(&label), ["conflicting_result"]);
        assert_eq!(label.warnings[0].to_string(), "conflicting_result=W+R  ");
    }
}
