//! What is known of positions, in a table that does not grow.

/// A number that stands for never.
pub(super) const NEVER: u32 = 1 << 28;

/// Entries, of 24 bytes each.
const ENTRIES: usize = 1 << 16;

/// How far a position is from a proof that the attacker wins, and from the
/// certainty that threats do not show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Effort {
    pub(super) const PROVED: Self = Self {
        proof: 0,
        disproof: NEVER,
    };
    pub(super) const LOST: Self = Self {
        proof: NEVER,
        disproof: 0,
    };
    pub(super) const UNKNOWN: Self = Self {
        proof: 1,
        disproof: 1,
    };

    /// At first sight, so many moves deep: what is deeper seems harder, or the
    /// search would follow any row of fours to its end.
    pub(super) fn at(depth: usize) -> Self {
        Self {
            proof: 1 + 2 * depth as u32,
            disproof: 1,
        }
    }

    /// Whether neither is certain.
    pub(super) fn is_open(self) -> bool {
        self.proof != 0 && self.disproof != 0
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    effort: Effort,
    /// The search that wrote it.
    search: u32,
}

/// Positions seen, for one search after another.
#[derive(Default)]
pub(super) struct Table {
    entries: Vec<Entry>,
    search: u32,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "Table({})", self.search)
    }
}

impl Table {
    /// Forgets what earlier searches wrote.
    pub(super) fn begin(&mut self) {
        self.search = self.search.wrapping_add(1);
        if self.entries.is_empty() || self.search == 0 {
            let empty = Entry {
                key: 0,
                effort: Effort::UNKNOWN,
                search: 0,
            };
            self.entries.clear();
            self.entries.resize(ENTRIES, empty);
            self.search = 1;
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<Effort> {
        let entry = self.entries.get(key as usize % ENTRIES)?;
        (entry.search == self.search && entry.key == key).then_some(entry.effort)
    }

    /// Remembers a position. A proof gives way to another one only, as the line
    /// that wins is read from them.
    pub(super) fn set(&mut self, key: u64, effort: Effort) {
        let search = self.search;
        let Some(entry) = self.entries.get_mut(key as usize % ENTRIES) else {
            return;
        };
        let keeps = entry.search == search
            && entry.key != key
            && entry.effort == Effort::PROVED
            && effort != Effort::PROVED;
        if !keeps {
            *entry = Entry {
                key,
                effort,
                search,
            };
        }
    }
}
