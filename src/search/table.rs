//! Positions searched before, in memory that does not grow.

use super::Score;

/// What a stored score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    AtLeast,
    AtMost,
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    /// The search that stored it.
    age: u16,
    pub(super) score: Score,
    /// The best move, packed; 0 for none.
    pub(super) best: u16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
}

/// Entries of the search that is going on; those of earlier ones are as if they
/// were not there.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    age: u16,
}

impl Table {
    /// Entries, 16 bytes each.
    const SIZE: usize = 1 << 16;

    const EMPTY: Entry = Entry {
        key: 0,
        age: 0,
        score: Score::DRAW,
        best: 0,
        depth: 0,
        bound: Bound::AtLeast,
    };

    pub(super) fn new() -> Self {
        Self {
            entries: vec![Self::EMPTY; Self::SIZE],
            age: 0,
        }
    }

    /// Begins another search, for which nothing is known.
    pub(super) fn restart(&mut self) {
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            // Entries as old as ages can be would look new.
            self.entries.fill(Self::EMPTY);
            self.age = 1;
        }
    }

    const fn place(key: u64) -> usize {
        key as usize % Self::SIZE
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let entry = self.entries.get(Self::place(key))?;
        (entry.key == key && entry.age == self.age).then_some(*entry)
    }

    /// Stores what was found, unless the place holds another position of this
    /// search that took more work.
    pub(super) fn set(&mut self, key: u64, depth: u8, bound: Bound, score: Score, best: u16) {
        let age = self.age;
        let Some(entry) = self.entries.get_mut(Self::place(key)) else {
            return;
        };
        let is_old = entry.age != age;
        if is_old || entry.key == key || entry.depth <= depth {
            *entry = Entry {
                key,
                age,
                score,
                best,
                depth,
                bound,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_known_of_earlier_searches() {
        let mut table = Table::new();
        for _ in 0..70_000 {
            table.restart();
            assert!(table.get(7).is_none());
            table.set(7, 3, Bound::Exact, Score::of(5), 9);
            assert_eq!(table.get(7).map(|it| (it.best, it.depth)), Some((9, 3)));
        }
    }

    #[test]
    fn more_work_stays() {
        let other = 7 + Table::SIZE as u64;
        let mut table = Table::new();
        table.restart();
        table.set(7, 3, Bound::Exact, Score::of(5), 9);
        table.set(other, 2, Bound::Exact, Score::of(6), 1);
        assert!(table.get(other).is_none() && table.get(7).is_some());
        table.set(other, 3, Bound::Exact, Score::of(6), 1);
        assert!(table.get(other).is_some() && table.get(7).is_none());
    }

    #[test]
    fn entries_are_small() {
        assert_eq!(size_of::<Entry>(), 16);
    }
}
