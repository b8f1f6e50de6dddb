//! Parts of an archive: records that are marked alike.

use std::collections::{BTreeMap, BTreeSet};

use super::collect::{Kept, folder_of};

/// What the records of a group share; texts as written, empty where the
/// records are silent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Folder, member's folder or file, as rows name it.
    pub place: String,
    /// First program named.
    pub program: String,
    /// Rules.
    pub rules: String,
    /// Komi.
    pub komi: String,
    /// Handicap stones: none, one, or two and more.
    pub handicap: u8,
}

impl Key {
    /// Its handicap, as a mark of profiles.
    pub(super) const fn handicap_word(&self) -> &'static str {
        match self.handicap {
            0 => "none",
            1 => "one",
            _ => "some",
        }
    }
}

/// The counted records of a group.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// How many there are.
    pub met: u64,
    /// The rules that they are judged under today.
    pub used_rules: String,
    /// Whether a profile holds for some of them already.
    pub profiled: bool,
    /// Whether its place is a file of many records.
    pub is_file: bool,
    pub(super) kept: Kept,
}

impl Group {
    /// Forgets the records of highest rank; how many.
    pub(super) fn keep(&mut self, most: usize) -> usize {
        let mut gone = 0;
        while self.kept.len() > most {
            self.kept.pop_last();
            gone += 1;
        }
        gone
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.met += other.met;
        self.profiled |= other.profiled;
        for (rank, seen) in other.kept {
            self.kept.entry(rank).or_insert(seen);
        }
        if self.used_rules.is_empty() || other.used_rules < self.used_rules {
            self.used_rules = other.used_rules;
        }
    }

    /// Records kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

/// How far up groups may be put together: not beyond what the user typed.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// The folders typed, as rows name them.
    pub tops: BTreeSet<String>,
}

impl Levels {
    /// The place above one, where it may be used.
    fn above<'p>(&self, place: &'p str) -> Option<&'p str> {
        if place.is_empty() || self.tops.contains(place) {
            return None;
        }
        Some(folder_of(place))
    }
}

/// Puts groups that are too small together with others of the folder above,
/// up to what was typed.
#[must_use]
pub fn gather(groups: BTreeMap<Key, Group>, min: usize, levels: &Levels) -> BTreeMap<Key, Group> {
    let depth =
        |key: &Key| key.place.matches(['/', '!']).count() + usize::from(!key.place.is_empty());
    let mut by_depth: BTreeMap<usize, BTreeMap<Key, Group>> = BTreeMap::new();
    for (key, group) in groups {
        by_depth.entry(depth(&key)).or_default().insert(key, group);
    }
    let mut done = BTreeMap::new();
    while let Some((_, level)) = by_depth.pop_last() {
        for (key, group) in level {
            match levels.above(&key.place).filter(|_| group.len() < min) {
                Some(above) => {
                    let key = Key {
                        place: above.to_owned(),
                        ..key.clone()
                    };
                    let level = by_depth.entry(depth(&key)).or_default();
                    level.entry(key).or_default().merge(group);
                }
                None => {
                    done.insert(key, group);
                }
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibrate::Seen;

    fn group(place: &str, records: u64) -> (Key, Group) {
        let key = Key {
            place: place.to_owned(),
            ..Key::default()
        };
        let mut group = Group {
            met: records,
            ..Group::default()
        };
        for rank in 0..records {
            let rank = xxhash_rust::xxh3::xxh3_64_with_seed(place.as_bytes(), rank);
            group.kept.insert((rank, 0), Seen::default());
        }
        (key, group)
    }

    /// The deepest folder that reaches fifty.
    #[test]
    fn small_parts_go_up_to_what_was_typed() {
        for (parts, expected) in [
            (
                vec![("fox/2015/01", 30), ("fox/2015/02", 30)],
                vec![("fox/2015", 60)],
            ),
            (
                vec![
                    ("fox/2015/01", 30),
                    ("fox/2015/02", 60),
                    ("fox/2016/01", 25),
                ],
                vec![("fox", 55), ("fox/2015/02", 60)],
            ),
            (vec![("fox/2015/01", 30)], vec![("fox", 30)]),
            (
                vec![("fox/a.zip!x", 30), ("fox/a.zip!y", 30)],
                vec![("fox/a.zip", 60)],
            ),
            (vec![("other", 3), ("fox", 70)], vec![("", 3), ("fox", 70)]),
        ] {
            let levels = Levels {
                tops: BTreeSet::from(["fox".to_owned()]),
            };
            let groups = parts.iter().map(|(place, records)| group(place, *records));
            let found: Vec<(String, usize)> = gather(groups.collect(), 50, &levels)
                .iter()
                .map(|(key, group)| (key.place.clone(), group.len()))
                .collect();
            let expected: Vec<(String, usize)> = expected
                .iter()
                .map(|(place, records)| ((*place).to_owned(), *records))
                .collect();
            assert_eq!(found, expected, "{parts:?}");
        }
    }
}
