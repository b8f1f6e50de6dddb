//! Keys of a game after each of its steps, so that a record that stops earlier
//! is known in a longer one.

/// Hashes of a game that grows step by step, one for each symmetry of its board.
///
/// A key is the smallest of them, 64 bits: the same for a game and its mirror
/// images, and the same for a game and for the beginning of a longer one. These
/// are not the hashes of rows, which cannot be continued that cheaply.
pub(crate) struct Chain {
    heads: Vec<u64>,
    keys: Vec<u64>,
}

/// Odd, with its bits spread: the one that splitmix64 multiplies by first.
const MULTIPLIER: u64 = 0xbf58_476d_1ce4_e5b9;

impl Chain {
    /// Begins with the hash of size and set-up under each symmetry.
    pub(crate) fn begin(heads: Vec<u64>) -> Self {
        Self {
            heads,
            keys: Vec::new(),
        }
    }

    /// Adds a step, as a number for it under each symmetry.
    pub(crate) fn push(&mut self, step: impl Fn(usize) -> u64) {
        let mut smallest = u64::MAX;
        for (symmetry, head) in self.heads.iter_mut().enumerate() {
            // Two games that differ before a step differ after it.
            *head = mixed(*head ^ step(symmetry));
            smallest = smallest.min(*head);
        }
        self.keys.push(mixed(smallest));
    }

    /// The keys, one for each step.
    pub(crate) fn keys(self) -> Vec<u64> {
        self.keys
    }
}

/// No two numbers give the same.
const fn mixed(number: u64) -> u64 {
    let spread = number.wrapping_mul(MULTIPLIER);
    spread ^ (spread >> 32)
}
