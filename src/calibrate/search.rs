//! Ways in which a group may have been counted, and the search for the one
//! that fits best.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::CONVENTIONS;
use crate::{game::Rounding, game::go::Convention};

/// One counted record; points in quarters, from the first player's view.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Seen {
    /// The written margin.
    pub(super) claimed: i32,
    /// The lead on the board under each convention.
    pub(super) boards: [i32; CONVENTIONS],
    /// The convention used today, by its place.
    pub(super) used: usize,
    /// The komi used today.
    pub(super) komi: i32,
    /// What is added beside board, komi and bonus: the button.
    pub(super) rest: i32,
    /// The handicap bonus used today, by its place.
    pub(super) bonus: usize,
    /// Points of each handicap bonus.
    pub(super) bonuses: [i32; 3],
    /// Whether the record agrees today.
    pub(super) fits: bool,
    /// The margin of today.
    pub(super) margin: i32,
}

impl Seen {
    /// The same record with its written margin larger by some points.
    pub(super) const fn shifted(mut self, points: i32) -> Self {
        self.claimed += self.claimed.signum() * 4 * points;
        self
    }

    const fn bonus_of(&self, bonus: Option<usize>) -> i32 {
        let place = match bonus {
            Some(bonus) => bonus,
            None => self.bonus,
        };
        if place < self.bonuses.len() {
            self.bonuses[place]
        } else {
            0
        }
    }

    /// The lead without komi.
    fn lead(&self, convention: usize, bonus: Option<usize>) -> i32 {
        let board = self.boards.get(convention).copied().unwrap_or_default();
        board + self.rest - self.bonus_of(bonus)
    }
}

/// A way to count; what is `None` stays as it is used today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// Convention, by its place in the list of all.
    pub convention: Option<usize>,
    /// Komi in quarter points.
    pub komi: Option<i32>,
    /// What became of half points.
    pub rounding: Option<Rounding>,
    /// Handicap bonus, by its place in the list of all.
    pub bonus: Option<usize>,
}

impl Candidate {
    /// How much it differs from what is used today.
    #[must_use]
    pub fn choices(&self) -> usize {
        [
            self.convention.is_some(),
            self.komi.is_some(),
            self.rounding.is_some(),
            self.bonus.is_some(),
        ]
        .into_iter()
        .filter(|is| *is)
        .count()
    }

    /// The margin that a record has under it.
    pub(super) fn margin(&self, seen: &Seen) -> i32 {
        if *self == Self::default() {
            return seen.margin;
        }
        let convention = self.convention.unwrap_or(seen.used);
        seen.lead(convention, self.bonus) - self.komi.unwrap_or(seen.komi)
    }

    /// Whether the written margin of a record is the one it has under it.
    pub(super) fn fits(&self, seen: &Seen) -> bool {
        let off = self.margin(seen) - seen.claimed;
        if off == 0 {
            return true;
        }
        let lost = match self.rounding {
            Some(Rounding::Up) => -2,
            Some(Rounding::Down) => 2,
            Some(Rounding::None) | None => return false,
        };
        seen.claimed % 4 == 0 && off == lost * seen.claimed.signum()
    }
}

/// Komi values in use, in quarter points.
const KOMI: [i32; 7] = [30, 26, 22, 20, 28, 2, 0];

/// A komi that so large a part of the records implies is tried as well: one in
/// so many.
const IMPLIED: usize = 20;

/// At most so many of them.
const MAX_IMPLIED: usize = 4;

/// Komi beyond this is none, in quarter points.
const MAX_KOMI: i32 = 4 * 60;

/// At most so many things may differ from what is used today.
const MAX_CHOICES: usize = 3;

/// Every candidate for the records of a half, that of today first.
pub(super) fn candidates(half: &[Seen]) -> Vec<Candidate> {
    let used: BTreeSet<usize> = half.iter().map(|seen| seen.used).collect();
    let komi_used: BTreeSet<i32> = half.iter().map(|seen| seen.komi).collect();
    let bonus_used: BTreeSet<usize> = half.iter().map(|seen| seen.bonus).collect();
    // What all records use already is no choice.
    let only = |set: &BTreeSet<usize>, place: usize| set.len() == 1 && set.contains(&place);
    let conventions = (0..CONVENTIONS).filter(|place| !only(&used, *place));
    let mut komi: BTreeSet<i32> = KOMI.into_iter().chain(implied(half)).collect();
    if komi_used.len() == 1 {
        komi.retain(|komi| !komi_used.contains(komi));
    }
    let handicapped = half.iter().any(|seen| seen.bonuses != [0; 3]);
    let bonuses = (0..3).filter(|place| handicapped && !only(&bonus_used, *place));
    let bonuses: Vec<_> = std::iter::once(None).chain(bonuses.map(Some)).collect();
    let komi: Vec<_> = std::iter::once(None)
        .chain(komi.into_iter().map(Some))
        .collect();
    let mut candidates = Vec::new();
    for convention in std::iter::once(None).chain(conventions.map(Some)) {
        for komi in &komi {
            for rounding in [None, Some(Rounding::Up), Some(Rounding::Down)] {
                for bonus in &bonuses {
                    let candidate = Candidate {
                        convention,
                        komi: *komi,
                        rounding,
                        bonus: *bonus,
                    };
                    // With other rules comes another default of the komi.
                    let other_kind = convention
                        .is_some_and(|place| used.iter().any(|it| kind(*it) != kind(place)));
                    let unclear = other_kind && komi.is_none() && komi_used.len() > 1;
                    if candidate.choices() <= MAX_CHOICES && !unclear {
                        candidates.push(candidate);
                    }
                }
            }
        }
    }
    candidates.sort_by_key(Candidate::choices);
    candidates
}

/// Whether a convention is one of territory.
pub(super) fn kind(convention: usize) -> bool {
    Convention::ALL
        .get(convention)
        .is_some_and(|convention| convention.is_territory())
}

/// The komi that many written margins imply under some convention.
fn implied(half: &[Seen]) -> Vec<i32> {
    let mut often: BTreeMap<i32, usize> = BTreeMap::new();
    for convention in 0..CONVENTIONS {
        let mut times: BTreeMap<i32, usize> = BTreeMap::new();
        for seen in half {
            let komi = seen.lead(convention, None) - seen.claimed;
            if komi.abs() <= MAX_KOMI {
                *times.entry(komi).or_default() += 1;
            }
        }
        for (komi, times) in times {
            let most = often.entry(komi).or_default();
            *most = times.max(*most);
        }
    }
    let mut often: Vec<_> = often
        .into_iter()
        .filter(|(komi, times)| times * IMPLIED >= half.len().max(1) && !KOMI.contains(komi))
        .collect();
    often.sort_by_key(|(komi, times)| (std::cmp::Reverse(*times), *komi));
    often.truncate(MAX_IMPLIED);
    often.into_iter().map(|(komi, _)| komi).collect()
}

/// The best candidate and the second best. Each thing that differs from what
/// is used today has to fit two records and one in a hundred more.
pub(super) fn best(candidates: &[Candidate], half: &[Seen]) -> [Candidate; 2] {
    let price = (half.len() / 100).max(2) as i64;
    let worth = |candidate: &Candidate| {
        let fitting = half.iter().filter(|seen| candidate.fits(seen)).count();
        fitting as i64 - price * candidate.choices() as i64
    };
    let mut found = [Candidate::default(); 2];
    let mut worths = [i64::MIN; 2];
    for candidate in candidates {
        let worth = worth(candidate);
        if worth > worths[0] {
            (found[1], worths[1]) = (found[0], worths[0]);
            (found[0], worths[0]) = (*candidate, worth);
        } else if worth > worths[1] {
            (found[1], worths[1]) = (*candidate, worth);
        }
    }
    found
}
