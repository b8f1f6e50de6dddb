//! A sample of records: those whose hash ranks lowest.
//!
//! Records that can no longer be in it are not even judged, yet the result is
//! the same for any number of threads.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
};

use super::scribe::Rows;

/// The rows chosen so far.
pub(super) struct Sample {
    size: usize,
    /// By rank, then by place in the run.
    chosen: BTreeMap<(u64, u64), Rows>,
    met: u64,
}

impl Sample {
    pub(super) const fn new(size: usize) -> Self {
        Self {
            size,
            chosen: BTreeMap::new(),
            met: 0,
        }
    }

    /// Takes a row in, and lowers the rank that others must stay under.
    pub(super) fn add(&mut self, rows: Rows, threshold: &AtomicU64) {
        self.chosen.insert((rows.key, self.met), rows);
        self.met += 1;
        if self.chosen.len() > self.size {
            self.chosen.pop_last();
        }
        if self.chosen.len() == self.size {
            let worst = self.chosen.last_key_value().map_or(0, |((key, _), _)| *key);
            threshold.store(worst, Ordering::Relaxed);
        }
    }

    /// The rows in the order of the run.
    pub(super) fn in_order(self) -> impl Iterator<Item = Rows> {
        let mut rows: Vec<_> = self.chosen.into_iter().collect();
        rows.sort_by_key(|((_, place), _)| *place);
        rows.into_iter().map(|(_, rows)| rows)
    }
}
