//! Games that stand in an archive more than once: with the same moves, mirrored,
//! or saved before their end.
//!
//! They are found before anything is labelled, by reading and replaying
//! everything twice: the first reading collects where records end, 16 bytes
//! each; the second looks up every position on the way there, and keeps what is
//! to be told of the games that are there again.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet, hash_map::Entry},
    io,
    sync::Arc,
};

use super::{
    Plan, Progress,
    ends::{End, Ends},
    run,
};
use crate::{
    game::{Settings, Want},
    label::{Label, Repeat, RepeatKind, Status, claim},
    outcome::{Outcome, Points},
    source::Walk,
};

/// Shorter games are alike by chance, and many are broken off at once.
const MIN_MOVES: u32 = 10;

/// So many results of one game are kept.
const MAX_TOLD: usize = 8;

/// What is looked for in a reading that labels nothing.
#[derive(Clone, Debug)]
pub(super) enum Survey {
    /// Where records end.
    Ends,
    /// Records that end where others end, or go on from there.
    Repeats(Arc<Ends>),
}

/// Something found in such a reading, given in the order of the rows.
pub(super) enum Note {
    /// A record ends.
    End(End),
    /// A record goes on where another one ends.
    GoesOn {
        /// The key of that end.
        from: u64,
        /// Where the record itself ends.
        to: Last,
    },
    /// A record that others repeat, or may.
    Record(End, Told),
}

/// The end of a record, by which the longest one is chosen: of several as long
/// the one with the smallest key, whatever the order of the archive.
type Last = (u32, Reverse<u64>);

/// What one record says of its game.
pub(super) struct Told {
    origin: Arc<str>,
    game_hash: u128,
    canonical_hash: u128,
    /// The result, its margin from the first player's view.
    result: Option<(Outcome, Option<Points>)>,
}

impl Survey {
    /// Notes what is found in a record.
    pub(super) fn look(&self, label: &Label<'_>, notes: &mut Vec<Note>) {
        let Some((key, length)) = end(label) else {
            return;
        };
        let ends = match self {
            Self::Ends => {
                notes.push(Note::End(End {
                    key,
                    length,
                    is_repeated: false,
                }));
                return;
            }
            Self::Repeats(ends) => ends,
        };
        let Some(end) = ends.find(key, length) else {
            return;
        };
        let mut is_told = end.is_repeated;
        let keys = label.judgement.iter().flat_map(|it| &it.chain);
        let before = (1..length).zip(keys).skip(MIN_MOVES as usize - 1);
        for (length_before, from) in before {
            if ends.find(*from, length_before).is_some() {
                is_told = true;
                notes.push(Note::GoesOn {
                    from: *from,
                    to: (length, Reverse(key)),
                });
            }
        }
        if is_told && let Some(told) = told(label) {
            notes.push(Note::Record(end, told));
        }
    }
}

/// Where the game of a record ends: its key, and steps since the set-up. None of
/// games that are too short, and of broken ones.
fn end(label: &Label<'_>) -> Option<(u64, u32)> {
    let judgement = label.judgement.as_ref()?;
    let is_whole = label.status != Status::Broken && judgement.plies >= MIN_MOVES;
    let key = judgement.chain.last().filter(|_| is_whole)?;
    Some((*key, u32::try_from(judgement.chain.len()).ok()?))
}

fn told(label: &Label<'_>) -> Option<Told> {
    let judgement = label.judgement.as_ref()?;
    Some(Told {
        origin: label.origin.to_string().into(),
        game_hash: judgement.game_hash,
        canonical_hash: judgement.canonical_hash?,
        result: result(label),
    })
}

/// What a record says of its end.
fn result(label: &Label<'_>) -> Option<(Outcome, Option<Points>)> {
    let claim = claim(&label.recorded);
    claim.outcome.map(|outcome| (outcome, claim.margin))
}

/// Games that are there again, by the keys of their ends.
#[derive(Clone, Debug, Default)]
pub struct Duplicates {
    /// Games with several records, and those that contain others.
    games: HashMap<u64, Known>,
    /// Where the longest record ends that goes on from here.
    longest: HashMap<u64, Last>,
    /// What is looked for, while nothing is labelled.
    survey: Option<Survey>,
}

/// A game with several records.
#[derive(Clone, Debug)]
struct Known {
    /// The first of them in the order of rows.
    origin: Arc<str>,
    is_repeated: bool,
    game_hash: u128,
    canonical_hash: u128,
    /// Results, each with the first record that has it.
    results: Vec<(Outcome, Option<Points>, Arc<str>)>,
}

impl Known {
    fn add(&mut self, told: &Told) {
        let Some((outcome, margin)) = told.result else {
            return;
        };
        let is_new = |(o, m, _): &(Outcome, Option<Points>, _)| (*o, *m) != (outcome, margin);
        if self.results.len() < MAX_TOLD && self.results.iter().all(is_new) {
            self.results
                .push((outcome, margin, Arc::clone(&told.origin)));
        }
    }

    /// The first record with another result. One without a margin contradicts
    /// only another winner.
    fn contradicting(&self, (outcome, margin): (Outcome, Option<Points>)) -> Option<&str> {
        let mut results = self.results.iter();
        let (.., origin) = results.find(|(other, others, _)| {
            let margins = margin.zip(*others);
            *other != outcome || margins.is_some_and(|(one, other)| one != other)
        })?;
        Some(origin)
    }
}

/// What is known of the game of a record.
#[derive(Debug, Default)]
pub(super) struct About<'d> {
    /// The record that this one repeats.
    pub(super) repeat: Option<Repeat>,
    /// The first record that has another result.
    pub(super) contradicting: Option<&'d str>,
    /// The canonical hash of the longest record of the game.
    pub(super) longest: Option<u128>,
}

impl Duplicates {
    /// Looks twice through everything that walks find, until asked to stop.
    ///
    /// # Errors
    /// Where threads cannot be started.
    pub fn find(plan: &Plan, walks: [Walk; 2]) -> io::Result<Self> {
        let [first, second] = walks;
        let mut ends = Vec::new();
        survey(plan, Survey::Ends, first, &mut |note| {
            if let Note::End(end) = note {
                ends.push(end);
            }
        })?;
        let ends = Arc::new(Ends::of(ends));
        let mut found = Self::default();
        let each = &mut |note| found.add(note);
        survey(plan, Survey::Repeats(Arc::clone(&ends)), second, each)?;
        // What goes on from some end, but not as far as others, is told for
        // nothing, unless it is there again itself.
        let longest: HashSet<u64> = found.longest.values().map(|(_, key)| key.0).collect();
        let games = &mut found.games;
        games.retain(|key, known| known.is_repeated || longest.contains(key));
        found.games.shrink_to_fit();
        Ok(found)
    }

    /// What is looked for in a reading that labels nothing.
    pub(super) const fn survey(&self) -> Option<&Survey> {
        self.survey.as_ref()
    }

    fn add(&mut self, note: Note) {
        match note {
            Note::End(_) => {}
            Note::GoesOn { from, to } => {
                let longest = self.longest.entry(from).or_insert(to);
                *longest = to.max(*longest);
                // What is contained itself is named by none.
                if self.games.get(&from).is_some_and(|it| !it.is_repeated) {
                    self.games.remove(&from);
                }
            }
            Note::Record(end, _) if !end.is_repeated && self.longest.contains_key(&end.key) => {}
            Note::Record(end, told) => match self.games.entry(end.key) {
                Entry::Occupied(known) => known.into_mut().add(&told),
                Entry::Vacant(place) => place
                    .insert(Known {
                        is_repeated: end.is_repeated,
                        origin: Arc::clone(&told.origin),
                        game_hash: told.game_hash,
                        canonical_hash: told.canonical_hash,
                        results: Vec::new(),
                    })
                    .add(&told),
            },
        }
    }

    /// What is known of the game of a record.
    pub(super) fn about(&self, label: &Label<'_>) -> About<'_> {
        let Some((key, _)) = end(label).filter(|_| !self.games.is_empty()) else {
            return About::default();
        };
        let judgement = label.judgement.as_ref();
        let alike = self.games.get(&key).filter(|known| {
            // The keys are short: what only has the same one is another game.
            judgement.is_some_and(|it| it.canonical_hash == Some(known.canonical_hash))
        });
        let longer = self.longest.get(&key);
        let longer = longer.and_then(|(_, Reverse(key))| self.games.get(key));
        let repeat = match (longer, alike) {
            (Some(longer), _) => Some(Repeat {
                of: Arc::clone(&longer.origin),
                kind: RepeatKind::Contained,
            }),
            (None, Some(alike)) if label.origin.to_string() != *alike.origin => Some(Repeat {
                of: Arc::clone(&alike.origin),
                kind: if judgement.is_some_and(|it| it.game_hash == alike.game_hash) {
                    RepeatKind::Same
                } else {
                    RepeatKind::Mirrored
                },
            }),
            _ => None,
        };
        let result = result(label);
        let mut games = [alike, longer].into_iter().flatten();
        About {
            repeat,
            contradicting: result.and_then(|it| games.find_map(|game| game.contradicting(it))),
            longest: longer.map(|longer| longer.canonical_hash),
        }
    }
}

/// Reads through everything under a plan, as far as a survey needs it.
fn survey(plan: &Plan, survey: Survey, walk: Walk, each: &mut dyn FnMut(Note)) -> io::Result<()> {
    let plan = Plan {
        game: plan.game,
        format: plan.format,
        context: crate::format::Context {
            meta: false,
            ..plan.context.clone()
        },
        inputs: plan.inputs.clone(),
        profiles: plan.profiles.clone(),
        hidden: plan.hidden,
        limits: plan.limits,
        max_record: plan.max_record,
        jobs: plan.jobs,
        settings: Settings {
            dead: Some("none".to_owned()),
            gtp: None,
            gtp_seconds: None,
            convention: None,
            search: Some("none".to_owned()),
            nodes: None,
            ..plan.settings.clone()
        },
        want: Want {
            chain: true,
            canonical_hash: matches!(survey, Survey::Repeats(_)),
            ..Want::default()
        },
        duplicates: Duplicates {
            survey: Some(survey),
            ..Duplicates::default()
        },
        ..Plan::default()
    };
    run::survey(&plan, walk, &Progress::of(&plan), each)
}
