//! Tests on one half of a group what was chosen on the other.

use std::collections::BTreeMap;

use super::{
    Candidate, Group, Key, Seen,
    search::{best, candidates},
    sign_test,
};
use crate::outcome::words;

words! {
    /// What the data say of a group.
    Verdict {
        /// It was counted in another way than is used today.
        Proposed = "proposed",
        /// It was counted as is used today.
        AsUsed = "as used",
        /// Neither is plain.
        NotClear = "not clear",
        /// Margins that are shifted can be made to fit as well.
        ControlFits = "control fits",
        /// It has too few counted records.
        TooFew = "too few",
    }
}

/// A proposal fits by chance less often than this, over all groups.
const MAX_P: f64 = 0.001;

/// A proposal fits so much more of the half that it was not chosen on: one in
/// so many.
const MIN_GAIN: usize = 20;

/// By so many points written margins are shifted for the control.
const SHIFTS: [i32; 2] = [2, -2];

/// With fewer games won by a side, its share of fitting ones is no share.
const MIN_SIDE: usize = 5;

/// How many records fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    /// On the half that was chosen on.
    pub chosen: usize,
    /// On the other half.
    pub held_out: usize,
    /// Records whose winner is the written one, of both halves.
    pub winners: usize,
}

/// What was found of one group.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What its records share.
    pub key: Key,
    /// Records: those chosen on, and those held out.
    pub sizes: [usize; 2],
    /// Records met, copies and those not kept among them.
    pub met: u64,
    /// The convention used for most of them today, by its place.
    pub convention: usize,
    /// The komi used today in quarter points, where it is one.
    pub komi: Option<i32>,
    /// The rules used today.
    pub rules: String,
    /// Whether a profile holds for some of them already.
    pub profiled: bool,
    /// Whether its place is a file.
    pub is_file: bool,
    /// What fits today.
    pub today: Shares,
    /// The candidates that fit best, and what they fit.
    pub best: [(Candidate, Shares); 2],
    /// The share of those held out that fits the control, by the side where it
    /// is smaller.
    pub control: f64,
    /// Probability of the gain by chance in any group; 1 where nothing was
    /// tried.
    pub p: f64,
    /// Whether control and probability are those of several groups that were
    /// tested together.
    pub together: bool,
    /// What follows.
    pub verdict: Verdict,
}

impl Finding {
    /// Records.
    #[must_use]
    pub const fn records(&self) -> usize {
        self.sizes[0] + self.sizes[1]
    }

    /// What fits once proposals are followed.
    #[must_use]
    pub const fn followed(&self) -> Shares {
        match self.verdict {
            Verdict::Proposed => self.best[0].1,
            _ => self.today,
        }
    }
}

/// Tests every group; those of at least `min` records are tried. Where that is
/// not clear, groups that differ only in komi and handicap are tested together.
#[must_use]
pub fn test(groups: &BTreeMap<Key, Group>, min: usize) -> Vec<Finding> {
    let tried: Vec<_> = groups
        .iter()
        .filter(|(_, group)| group.len() >= min)
        .collect();
    let mut families: BTreeMap<Key, Vec<&Group>> = BTreeMap::new();
    for (key, group) in &tried {
        families.entry(family(key)).or_default().push(group);
    }
    families.retain(|_, members| members.len() > 1);
    let tests = tried.len() + families.len();
    let mut findings: Vec<Finding> = groups
        .iter()
        .map(|(key, group)| test_group(key, group, min, tests, &candidates))
        .collect();
    for (key, members) in families {
        let is_unclear = |finding: &&mut Finding| {
            finding.verdict == Verdict::NotClear && family(&finding.key) == key
        };
        if !findings.iter_mut().any(|finding| is_unclear(&finding)) {
            continue;
        }
        let mut all = Group::default();
        for member in members {
            all.merge(member.clone());
        }
        // A komi or a bonus is what its members do not share.
        let shared = |half: &[Seen]| {
            let mut shared = candidates(half);
            shared.retain(|it| it.komi.is_none() && it.bonus.is_none());
            shared
        };
        let together = test_group(&key, &all, min, tests, &shared);
        if together.verdict == Verdict::Proposed {
            for finding in findings.iter_mut().filter(is_unclear) {
                finding.follow(&together, &halves(&groups[&finding.key]));
            }
        }
    }
    findings
}

/// What groups that are tested together share.
fn family(key: &Key) -> Key {
    Key {
        komi: String::new(),
        handicap: 0,
        ..key.clone()
    }
}

/// The records of a group: those to choose on, and those held out.
fn halves(group: &Group) -> [Vec<Seen>; 2] {
    // The lowest bit of a random rank is the side of a coin.
    [0, 1].map(|side| {
        let of_side = group.kept.iter().filter(|((rank, _), _)| rank & 1 == side);
        of_side.map(|(_, seen)| *seen).collect()
    })
}

/// How many records fit a candidate.
fn shares(candidate: &Candidate, halves: &[Vec<Seen>; 2]) -> Shares {
    let is_today = *candidate == Candidate::default();
    let fits = |seen: &&Seen| {
        if is_today {
            seen.fits
        } else {
            candidate.fits(seen)
        }
    };
    let is_won = |seen: &&Seen| candidate.margin(seen).signum() == seen.claimed.signum();
    Shares {
        chosen: halves[0].iter().filter(fits).count(),
        held_out: halves[1].iter().filter(fits).count(),
        winners: halves.iter().flatten().filter(is_won).count(),
    }
}

impl Finding {
    /// Proposes what was found of groups together, unless it fits this one less
    /// than what is used.
    fn follow(&mut self, together: &Self, halves: &[Vec<Seen>; 2]) {
        let (candidate, _) = together.best[0];
        let found = shares(&candidate, halves);
        if found.held_out > self.today.held_out {
            self.best = [(candidate, found), self.best[0]];
            self.control = together.control;
            self.p = together.p;
            self.together = true;
            self.verdict = Verdict::Proposed;
        }
    }
}

fn test_group(
    key: &Key,
    group: &Group,
    min: usize,
    tests: usize,
    candidates: &dyn Fn(&[Seen]) -> Vec<Candidate>,
) -> Finding {
    let halves = halves(group);
    let both = || halves.iter().flatten();
    let of = |candidate: Candidate| (candidate, shares(&candidate, &halves));
    let mut conventions: BTreeMap<usize, usize> = BTreeMap::new();
    for seen in both() {
        *conventions.entry(seen.used).or_default() += 1;
    }
    let convention = conventions.into_iter().max_by_key(|(_, times)| *times);
    let komi = both().next().map(|seen| seen.komi);
    let (as_today, today) = of(Candidate::default());
    let mut finding = Finding {
        key: key.clone(),
        sizes: [halves[0].len(), halves[1].len()],
        met: group.met,
        convention: convention.map_or(0, |(place, _)| place),
        komi: komi.filter(|komi| both().all(|seen| seen.komi == *komi)),
        rules: group.used_rules.clone(),
        profiled: group.profiled,
        is_file: group.is_file,
        today,
        best: [(as_today, today); 2],
        control: 0.0,
        p: 1.0,
        together: false,
        verdict: Verdict::TooFew,
    };
    if group.len() < min {
        return finding;
    }
    let tried = candidates(&halves[0]);
    finding.best = best(&tried, &halves[0]).map(of);
    finding.control = control(&tried, &halves);
    let (wins, losses) = gains(&finding.best[0].0, &halves[1]);
    // What was chosen on one half is the only one that the other half tests, so
    // nothing but the number of tests calls for a correction.
    finding.p = (sign_test(wins, losses) * tests as f64).min(1.0);
    finding.verdict = verdict(&finding, &halves[1], wins, losses);
    finding
}

/// Records that fit a candidate and not what is used today, and the reverse.
fn gains(candidate: &Candidate, held_out: &[Seen]) -> (usize, usize) {
    let count = |by_candidate: bool| {
        let differs =
            |seen: &&Seen| candidate.fits(seen) == by_candidate && seen.fits != by_candidate;
        held_out.iter().filter(differs).count()
    };
    (count(true), count(false))
}

fn verdict(finding: &Finding, held_out: &[Seen], wins: usize, losses: usize) -> Verdict {
    let (best, _) = finding.best[0];
    let is_today = best == Candidate::default();
    let share = if is_today {
        worse_side(held_out, &|seen| seen.fits)
    } else {
        worse_side(held_out, &|seen| best.fits(seen))
    };
    let beats_control = finding.control * 2.0 < share;
    let gains = wins > losses && (wins - losses) * MIN_GAIN >= held_out.len();
    if !is_today && gains && finding.p < MAX_P {
        return if beats_control {
            Verdict::Proposed
        } else {
            Verdict::ControlFits
        };
    }
    // What is used speaks for itself where nothing fits better, or not by much.
    let today = worse_side(held_out, &|seen| seen.fits);
    let as_well = wins <= losses || !gains && today >= 0.5;
    if as_well && finding.control * 2.0 < today {
        Verdict::AsUsed
    } else {
        Verdict::NotClear
    }
}

/// The share of fitting records among those that one side won, of the side
/// where it is smaller.
///
/// A komi that is off by two makes up for margins that are off by two where
/// one side won and makes it worse where the other did, so the control would
/// fit half of all records by the komi alone.
fn worse_side(held_out: &[Seen], fits: &dyn Fn(&Seen) -> bool) -> f64 {
    let of_side = |sign: i32| {
        let won = || held_out.iter().filter(|seen| seen.claimed.signum() == sign);
        let (fitting, all) = (won().filter(|seen| fits(seen)).count(), won().count());
        (all >= MIN_SIDE).then(|| fitting as f64 / all as f64)
    };
    match (of_side(1), of_side(-1)) {
        (Some(one), Some(other)) => one.min(other),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => 0.0,
    }
}

/// The whole search over margins that are shifted: the share of the half held
/// out that fits what it chooses.
fn control(tried: &[Candidate], halves: &[Vec<Seen>; 2]) -> f64 {
    let of_shift = |points: i32| {
        let shifted: Vec<Seen> = halves[0].iter().map(|seen| seen.shifted(points)).collect();
        let [chosen, _] = best(tried, &shifted);
        worse_side(&halves[1], &|seen| chosen.fits(&seen.shifted(points)))
    };
    SHIFTS.into_iter().map(of_shift).fold(0.0, f64::max)
}
