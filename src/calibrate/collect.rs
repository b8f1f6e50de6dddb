//! Takes observations in and keeps those that count.

use std::{
    collections::{BTreeMap, HashMap},
    io,
};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Group, Key, MIN_RECORDS, Observed, Seen};
use crate::outcome::Points;

/// Records kept in one group, those of lowest rank: a random choice that the
/// same archive and seed give again.
pub const MAX_KEPT: usize = 20_000;

/// Records kept in all, some 120 bytes each. Where there are more, every group
/// may keep only half as many.
const MAX_ALL: usize = 2 << 20;

/// Longer texts mark no group, in bytes.
const MAX_TEXT: usize = 200;

/// Groups that are looked at: the first ones in the order of rows.
const MAX_GROUPS: usize = 20_000;

/// Records of one group: their rank and claim, so that copies of one game with
/// one result are one, and what was seen.
pub(super) type Kept = BTreeMap<(u64, i32), Seen>;

/// Keeps observations by group.
pub struct Collector {
    seed: u64,
    groups: HashMap<Key, Group>,
    /// Groups of the file being read: a file of many records is a part of its
    /// own.
    file: String,
    of_file: HashMap<Key, Group>,
    max_kept: usize,
    kept: usize,
    /// Counted records.
    pub counted: u64,
    /// Counted records of groups beyond the limit, or marked by long texts.
    left_out: u64,
    min_records: usize,
}

impl Collector {
    /// A collector; `seed` chooses how groups are halved.
    #[must_use]
    pub fn new(seed: u64, min_records: usize) -> Self {
        Self {
            seed,
            groups: HashMap::new(),
            file: String::new(),
            of_file: HashMap::new(),
            max_kept: MAX_KEPT,
            kept: 0,
            counted: 0,
            left_out: 0,
            min_records: min_records.max(MIN_RECORDS),
        }
    }

    /// Takes rows in.
    ///
    /// # Errors
    /// Where they are not rows of observations.
    pub fn take(&mut self, rows: &[u8]) -> io::Result<()> {
        for row in rows.split(|byte| *byte == b'\n') {
            if !row.is_empty() {
                self.add(&serde_json::from_slice(row)?);
            }
        }
        Ok(())
    }

    fn add(&mut self, observed: &Observed<'_>) {
        if observed.file != self.file {
            self.end_file();
            self.file = observed.file.clone().into_owned();
        }
        self.counted += 1;
        let rank = xxh3_64_with_seed(&observed.game.to_le_bytes(), self.seed);
        let key = Key {
            place: self.file.clone(),
            rules: observed.rules.trim().to_owned(),
            komi: as_number(observed.komi.trim()),
            program: observed.program.trim().to_owned(),
            handicap: observed.handicap,
        };
        let texts = [&key.rules, &key.komi, &key.program];
        let is_long = texts.iter().any(|text| text.len() > MAX_TEXT);
        let is_full = self.groups.len() + self.of_file.len() >= MAX_GROUPS;
        // Where no group may keep fewer, no more are kept.
        if is_long || self.kept >= MAX_ALL || (is_full && !self.of_file.contains_key(&key)) {
            self.left_out += 1;
            return;
        }
        let group = self.of_file.entry(key).or_default();
        group.met += 1;
        group.profiled |= observed.profiled;
        let is_new = group
            .kept
            .insert((rank, observed.seen.claimed), observed.seen)
            .is_none();
        if group.used_rules.is_empty() || *observed.used_rules < *group.used_rules {
            group.used_rules = observed.used_rules.clone().into_owned();
        }
        self.kept += usize::from(is_new);
        self.kept -= group.keep(self.max_kept);
        if self.kept >= MAX_ALL && self.max_kept / 2 >= self.min_records {
            self.max_kept /= 2;
            let all = self.groups.values_mut().chain(self.of_file.values_mut());
            self.kept -= all.map(|group| group.keep(self.max_kept)).sum::<usize>();
        }
    }

    /// Puts the groups of a file among all: on their own where they are large
    /// enough, else with those of the folder.
    fn end_file(&mut self) {
        let mut of_file: Vec<_> = self.of_file.drain().collect();
        of_file.sort_by(|one, other| one.0.cmp(&other.0));
        for (mut key, mut group) in of_file {
            group.is_file = group.kept.len() >= self.min_records;
            if !group.is_file {
                key.place = folder_of(&key.place).to_owned();
            }
            if let Some(known) = self.groups.get_mut(&key) {
                let before = known.kept.len() + group.kept.len();
                known.merge(group);
                known.keep(self.max_kept);
                self.kept -= before - known.kept.len();
            } else if self.groups.len() < MAX_GROUPS {
                self.groups.insert(key, group);
            } else {
                self.left_out += group.met;
                self.kept -= std::mem::take(&mut group.kept).len();
            }
        }
    }

    /// The groups, in the order of their keys, and how many counted records are
    /// in none of them.
    #[must_use]
    pub fn into_groups(mut self) -> (BTreeMap<Key, Group>, u64) {
        self.end_file();
        (self.groups.into_iter().collect(), self.left_out)
    }

    /// How many records a group may keep.
    #[must_use]
    pub const fn max_kept(&self) -> usize {
        self.max_kept
    }
}

/// A komi as marks see it: `7.50` is `7.5`.
fn as_number(komi: &str) -> String {
    komi.parse::<Points>()
        .map_or_else(|_| komi.to_owned(), |komi| komi.to_string())
}

/// The place one level up: the folder or packed file that holds it.
pub(super) fn folder_of(place: &str) -> &str {
    place.rfind(['/', '!']).map_or("", |end| &place[..end])
}
