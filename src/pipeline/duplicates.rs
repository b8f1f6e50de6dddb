//! Games that stand in an archive more than once, with different results.
//!
//! They are found before anything is labelled, by reading and replaying
//! everything once. What is kept of a game are eight bytes of its hash, its
//! result and the name of its record, some 120 bytes together; after the search
//! only what contradicts itself.

use std::collections::HashMap;

use super::{
    Plan, Progress,
    labeller::Labeller,
    visit::{Met, visit},
};
use crate::{
    game::Settings,
    label::{Label, claim},
    outcome::{Outcome, Points},
    source::{Found, Walk},
};

/// Shorter games are alike by chance, and many are broken off at once.
const MIN_MOVES: u32 = 10;

/// So many results of one game are kept.
const MAX_TOLD: usize = 8;

/// Games with more than one result, by hash.
#[derive(Clone, Debug, Default)]
pub struct Duplicates(HashMap<u64, Vec<Told>>);

/// What one record says of a game.
#[derive(Clone, Debug)]
struct Told {
    outcome: Outcome,
    /// From the first player's view.
    margin: Option<Points>,
    origin: Box<str>,
}

impl Told {
    fn contradicts(&self, outcome: Outcome, margin: Option<Points>) -> bool {
        let margins = self.margin.zip(margin);
        self.outcome != outcome || margins.is_some_and(|(one, other)| one != other)
    }
}

impl Duplicates {
    /// Looks through everything that a walk finds, until it is asked to stop.
    #[must_use]
    pub fn find(plan: &Plan, walk: Walk, progress: &Progress) -> Self {
        let plan = Plan {
            game: plan.game,
            format: plan.format,
            context: plan.context.clone(),
            inputs: plan.inputs.clone(),
            hidden: plan.hidden,
            limits: plan.limits,
            max_record: plan.max_record,
            settings: Settings {
                dead: Some("none".to_owned()),
                rules: plan.settings.rules.clone(),
                default_rules: plan.settings.default_rules.clone(),
                ..Settings::default()
            },
            ..Plan::default()
        };
        let mut labeller = Labeller::new(&plan);
        let mut found = Self::default();
        let files = walk.filter_map(|found| match found {
            Found::File(entry) => Some(entry),
            Found::Special(_) | Found::Unreadable(..) | Found::Loop(_) => None,
        });
        for entry in files {
            let whole = visit(&plan, &entry, &mut |met| {
                if let Met::Record(cut) = met {
                    labeller.label(cut, &mut |label, _| found.add(label));
                }
                !progress.stopped()
            });
            if !whole {
                break;
            }
        }
        found.0.retain(|_, told| {
            let contradicts_one = |one: &Told| {
                let mut others = told.iter();
                others.any(|other| one.contradicts(other.outcome, other.margin))
            };
            told.iter().any(contradicts_one)
        });
        found
    }

    /// Adds what a record says, unless an earlier one says the same; of games
    /// with many results the first are enough.
    fn add(&mut self, label: &Label<'_>) {
        let Some((key, outcome, margin)) = told(label) else {
            return;
        };
        let known = self.0.entry(key).or_default();
        let is_new = |told: &Told| (told.outcome, told.margin) != (outcome, margin);
        if known.len() < MAX_TOLD && known.iter().all(is_new) {
            known.push(Told {
                outcome,
                margin,
                origin: label.origin.to_string().into(),
            });
        }
    }

    /// The first record of the same game with another result, as a reason can
    /// show it: `;` and `@` are percent-escaped.
    #[must_use]
    pub fn contradicting(&self, label: &Label<'_>) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let (key, outcome, margin) = told(label)?;
        let mut known = self.0.get(&key)?.iter();
        let other = known.find(|told| told.contradicts(outcome, margin))?;
        Some(other.origin.replace(';', "%3B").replace('@', "%40"))
    }
}

/// The game of a record, and what it says of its end.
fn told(label: &Label<'_>) -> Option<(u64, Outcome, Option<Points>)> {
    let judgement = label.judgement.as_ref()?;
    let claim = claim(&label.recorded);
    let outcome = claim.outcome.filter(|_| judgement.plies >= MIN_MOVES)?;
    Some((judgement.game_hash as u64, outcome, claim.margin))
}
