//! Positions searched before, in memory that does not grow.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use super::Score;

/// What a stored score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    AtLeast,
    AtMost,
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) score: Score,
    /// The best move, packed; 0 for none.
    pub(super) best: u16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
}

impl Entry {
    /// All of it, and the search that stored it, in one word.
    const fn pack(self, age: u16) -> u64 {
        let score = self.score.bits() as u64;
        let rest = (self.depth as u64) << 8 | self.bound as u64;
        score << 48 | (self.best as u64) << 32 | rest << 16 | age as u64
    }

    /// The entry, if it is of this search.
    const fn unpack(word: u64, age: u16) -> Option<Self> {
        if word as u16 != age {
            return None;
        }
        let bound = match (word >> 16) as u8 {
            0 => Bound::AtLeast,
            1 => Bound::AtMost,
            _ => Bound::Exact,
        };
        Some(Self {
            score: Score::of_bits((word >> 48) as u16),
            best: (word >> 32) as u16,
            depth: (word >> 24) as u8,
            bound,
        })
    }
}

/// A key and an entry, 16 bytes. The key is mixed with the entry, so that words of
/// two threads are none (Hyatt and Mann 2002).
type Place = [AtomicU64; 2];

/// Entries of the search that is going on; those of earlier ones are as if they
/// were not there. Threads may share it.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// A power of two of them, or none.
    places: Vec<Place>,
    age: AtomicU16,
}

impl Table {
    /// A table of so many megabytes, rounded down to a power of two; nothing where
    /// there is no memory for it.
    pub(super) fn new(megabytes: usize) -> Option<Self> {
        let entries = megabytes.checked_mul(1 << 20)? / size_of::<Place>();
        let entries = 1 << entries.max(1).ilog2();
        let mut places = Vec::new();
        places.try_reserve_exact(entries).ok()?;
        places.resize_with(entries, Place::default);
        Some(Self {
            places,
            age: AtomicU16::new(0),
        })
    }

    /// Begins another search, for which nothing is known.
    pub(super) fn restart(&self) {
        if self.age.fetch_add(1, Relaxed) == u16::MAX {
            // Entries as old as ages can be would look new.
            for word in self.places.iter().flatten() {
                word.store(0, Relaxed);
            }
            self.age.store(1, Relaxed);
        }
    }

    fn place(&self, key: u64) -> Option<&Place> {
        let mask = self.places.len().wrapping_sub(1);
        self.places.get(key as usize & mask)
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let [mixed, word] = self.place(key)?;
        let word = word.load(Relaxed);
        let is_it = mixed.load(Relaxed) ^ word == key;
        is_it
            .then(|| Entry::unpack(word, self.age.load(Relaxed)))
            .flatten()
    }

    /// Stores what was found, unless the place holds another position of this
    /// search that took more work.
    pub(super) fn set(&self, key: u64, entry: Entry) {
        let Some([mixed, word]) = self.place(key) else {
            return;
        };
        let (there, age) = (word.load(Relaxed), self.age.load(Relaxed));
        let stays = Entry::unpack(there, age).is_some_and(|known| known.depth > entry.depth)
            && mixed.load(Relaxed) ^ there != key;
        if !stays {
            let packed = entry.pack(age);
            word.store(packed, Relaxed);
            mixed.store(key ^ packed, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8, score: i32, best: u16) -> Entry {
        Entry {
            score: Score::of(score),
            best,
            depth,
            bound: Bound::Exact,
        }
    }

    #[test]
    fn nothing_is_known_of_earlier_searches() {
        let table = Table::new(1).unwrap();
        for _ in 0..70_000 {
            table.restart();
            assert!(table.get(7).is_none());
            table.set(7, entry(3, 5, 9));
            assert_eq!(table.get(7), Some(entry(3, 5, 9)));
        }
    }

    #[test]
    fn more_work_stays() {
        let table = Table::new(1).unwrap();
        let other = 7 + table.places.len() as u64;
        table.restart();
        table.set(7, entry(3, 5, 9));
        table.set(other, entry(2, 6, 1));
        assert!(table.get(other).is_none() && table.get(7).is_some());
        table.set(other, entry(3, 6, 1));
        assert!(table.get(other).is_some() && table.get(7).is_none());
    }

    #[test]
    fn entries_come_back_as_they_were() {
        let bounds = [Bound::AtLeast, Bound::AtMost, Bound::Exact];
        let scores = [Score::LEAST, Score::DRAW, Score::of(-1), Score::mates_in(3)];
        for (bound, score) in bounds.into_iter().flat_map(|it| scores.map(|to| (it, to))) {
            for (depth, best) in [(0, 0), (255, u16::MAX), (7, 8100)] {
                let entry = Entry {
                    score,
                    best,
                    depth,
                    bound,
                };
                assert_eq!(Entry::unpack(entry.pack(u16::MAX), u16::MAX), Some(entry));
                assert_eq!(Entry::unpack(entry.pack(1), 2), None);
            }
        }
    }

    #[test]
    fn no_table_is_too_large_to_be_refused() {
        assert!(Table::new(usize::MAX).is_none());
        assert!(Table::new(1 << 42).is_none());
        assert_eq!(Table::new(3).map(|table| table.places.len()), Some(2 << 16));
        assert_eq!(size_of::<Place>(), 16);
    }
}
