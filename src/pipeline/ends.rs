//! The ends of all games of an archive: where each key of a game stands, if any
//! record stops there.

/// The end of one record, or of all that end alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct End {
    /// The key of the game after its last step.
    pub(super) key: u64,
    /// Steps since its set-up.
    pub(super) length: u32,
    /// Whether several records end so.
    pub(super) is_repeated: bool,
}

/// Ends in order, 16 bytes each, and a filter of 2 to 4 bytes each that tells at
/// once of nearly every key that nothing ends there.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    sorted: Vec<End>,
    /// Two bits of one word for each key.
    filter: Vec<u64>,
}

/// Ends for each word of the filter, at most.
const ENDS_A_WORD: usize = 4;

impl Ends {
    pub(super) fn of(mut ends: Vec<End>) -> Self {
        ends.sort_unstable();
        ends.dedup_by(|next, kept| {
            let same = (next.key, next.length) == (kept.key, kept.length);
            kept.is_repeated |= same;
            same
        });
        ends.shrink_to_fit();
        let words = ends.len().div_ceil(ENDS_A_WORD).next_power_of_two();
        let mut filter = vec![0; words];
        for end in &ends {
            let (word, bits) = place(end.key, words);
            if let Some(word) = filter.get_mut(word) {
                *word |= bits;
            }
        }
        Self {
            sorted: ends,
            filter,
        }
    }

    /// The end with a key after so many steps, if there is one.
    pub(super) fn find(&self, key: u64, length: u32) -> Option<End> {
        let (word, bits) = place(key, self.filter.len());
        if self.filter.get(word)? & bits != bits {
            return None;
        }
        let order = |end: &End| (end.key, end.length).cmp(&(key, length));
        let at = self.sorted.binary_search_by(order).ok()?;
        self.sorted.get(at).copied()
    }
}

/// The word of a key in a filter of so many words, a power of two, and its bits.
const fn place(key: u64, words: usize) -> (usize, u64) {
    let word = (key >> 12) as usize & words.wrapping_sub(1);
    (word, 1 << (key & 63) | 1 << (key >> 6 & 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_is_found_and_nothing_else() {
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let end = |number| End {
            key: key(number),
            length: 10 + (number % 7) as u32,
            is_repeated: false,
        };
        let ends = Ends::of((0..1000).chain([3, 5, 5]).map(end).collect());
        for number in 0..1000 {
            let End { key, length, .. } = end(number);
            let found = ends.find(key, length).expect("it is there");
            assert_eq!(found.is_repeated, [3, 5].contains(&number), "{number}");
            assert_eq!(ends.find(key, length + 1), None);
        }
        for number in 1000..50_000 {
            let End { key, length, .. } = end(number);
            assert_eq!(ends.find(key, length), None);
        }
        assert_eq!(Ends::default().find(0, 0), None);
        assert_eq!(Ends::of(Vec::new()).find(0, 0), None);
    }
}
