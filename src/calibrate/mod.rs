//! Finds how each part of an archive was counted, from all of its counted
//! records together and never from one.
//!
//! The pipeline hands every judged record over as rows of [`OBSERVATIONS`]; a
//! [`Collector`] keeps what is needed of them by group. Each group is halved: on
//! one half a candidate is chosen, on the other it is tested.

mod collect;
mod group;
mod propose;
mod search;
mod sign;
mod table;
mod test;

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Serialize};

pub use collect::{Collector, MAX_KEPT};
pub use group::{Group, Key, Levels, gather};
pub(crate) use propose::{escaped, quoted};
pub use propose::{globbed, profiles};
pub use search::{Candidate, Seen};
pub use sign::sign_test;
pub use table::{table, totals};
pub use test::{Finding, Shares, Verdict, test};

use crate::{
    game::go::{Bonus, Convention, Rules},
    label::{Label, RecordedKind, Schema, Status, claim},
    outcome::{Basis, Points},
    report::{Encoder, Sink},
};

/// Counted records that a group must have.
pub const MIN_RECORDS: usize = 50;

/// Rows that a [`Collector`] reads: one for each counted record.
pub const OBSERVATIONS: &dyn Sink = &Observations;

/// What is kept of one counted record; points in quarters, from the first
/// player's view.
#[derive(Debug, Serialize, Deserialize)]
struct Observed<'a> {
    #[serde(borrow)]
    file: Cow<'a, str>,
    #[serde(borrow)]
    rules: Cow<'a, str>,
    #[serde(borrow)]
    komi: Cow<'a, str>,
    #[serde(borrow)]
    program: Cow<'a, str>,
    handicap: u8,
    #[serde(borrow)]
    used_rules: Cow<'a, str>,
    game: u64,
    profiled: bool,
    seen: Seen,
}

/// Whether a row is a count that can be compared with a written one.
#[must_use]
pub fn is_counted(label: &Label<'_>) -> bool {
    label.recorded.kind == RecordedKind::Score
        && !matches!(label.status, Status::Broken | Status::Skipped)
        && label.judgement.as_ref().is_some_and(|judgement| {
            judgement.basis == Some(Basis::Count) && judgement.counts.is_some()
        })
        && claim(&label.recorded).margin.is_some()
}

struct Observations;

impl Sink for Observations {
    fn name(&self) -> &'static str {
        "observations"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn header(&self, _: &Schema) -> Vec<u8> {
        Vec::new()
    }

    fn encoder(&self, _: &Schema) -> Box<dyn Encoder> {
        Box::new(Observer::default())
    }
}

/// Rules texts kept parsed; records of one archive use a handful.
const MAX_CACHED: usize = 64;

#[derive(Default)]
struct Observer {
    rules: BTreeMap<String, Option<Rules>>,
}

impl Encoder for Observer {
    fn row(&mut self, label: &Label<'_>, out: &mut Vec<u8>) {
        if let Some(observed) = self.observe(label)
            && serde_json::to_writer(&mut *out, &observed).is_ok()
        {
            out.push(b'\n');
        }
    }
}

impl Observer {
    fn observe<'l>(&mut self, label: &'l Label<'_>) -> Option<Observed<'l>> {
        let judgement = label.judgement.as_ref()?;
        let written = label.written.as_ref()?;
        let counts = judgement.counts.as_ref()?;
        let claimed = claim(&label.recorded).margin?;
        let used = judgement.convention?;
        let mut boards = [0; CONVENTIONS];
        for (board, convention) in boards.iter_mut().zip(Convention::ALL) {
            let count = counts
                .iter()
                .find(|it| it.convention == convention.word())?;
            *board = count.board.in_quarters();
        }
        let rules = self.rules(&judgement.rules)?;
        let bonus = |handicap_bonus| {
            let rules = Rules {
                handicap_bonus,
                ..rules
            };
            rules.compensation(Points::ZERO, judgement.handicap, None)[1].in_quarters()
        };
        let komi = judgement.komi?.in_quarters();
        let added = counts.first().map(|it| it.margin - it.board)?.in_quarters();
        let handicap: Option<u32> = written.handicap.trim().parse().ok();
        Some(Observed {
            file: Cow::Borrowed(&label.origin.file),
            rules: Cow::Borrowed(&written.rules),
            komi: Cow::Borrowed(&written.komi),
            program: Cow::Borrowed(&written.program),
            handicap: handicap
                .filter(|stones| *stones <= 361)
                .map_or(0, |stones| stones.min(2) as u8),
            used_rules: Cow::Borrowed(&judgement.rules),
            game: judgement.game_hash as u64,
            profiled: label.profile.is_some(),
            seen: Seen {
                claimed: claimed.in_quarters(),
                boards,
                used: Convention::ALL.iter().position(|it| it.word() == used)?,
                komi,
                rest: added + komi + bonus(rules.handicap_bonus),
                bonus: Bonus::ALL
                    .iter()
                    .position(|it| *it == rules.handicap_bonus)?,
                bonuses: [Bonus::None, Bonus::NMinusOne, Bonus::N].map(bonus),
                fits: label.status == Status::Agree,
                margin: judgement.margin?.in_quarters(),
            },
        })
    }

    fn rules(&mut self, text: &str) -> Option<Rules> {
        if let Some(rules) = self.rules.get(text) {
            return *rules;
        }
        let rules = Rules::parse(text).ok();
        if self.rules.len() < MAX_CACHED {
            self.rules.insert(text.to_owned(), rules);
        }
        rules
    }
}

/// How many conventions there are.
pub(crate) const CONVENTIONS: usize = Convention::ALL.len();
