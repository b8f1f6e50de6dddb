//! Parts of a training set: train, validation and test.

use xxhash_rust::xxh3::xxh3_64;

/// How many games of some go to each part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    train: u32,
    validation: u32,
    test: u32,
}

impl Default for Split {
    fn default() -> Self {
        Self {
            train: 90,
            validation: 5,
            test: 5,
        }
    }
}

impl Split {
    /// Reads shares of train, validation and test: `90,5,5`. They are relative
    /// to their sum.
    ///
    /// # Errors
    /// One sentence that says what can be written.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts: Vec<u32> = text
            .split(',')
            .map_while(|part| part.trim().parse().ok())
            .filter(|part| *part <= MAX_SHARE)
            .collect();
        match parts[..] {
            [train, validation, test]
                if text.split(',').count() == 3 && train + validation + test > 0 =>
            {
                Ok(Self {
                    train,
                    validation,
                    test,
                })
            }
            _ => Err(format!(
                "cannot read the split {text:?}: write the shares of train, validation and test, \
                 three whole numbers up to {MAX_SHARE}, as in 90,5,5"
            )),
        }
    }

    /// The part of the game with a canonical hash. Test games are those with the
    /// lowest numbers and validation games those with the highest, so that other
    /// shares never make a test game of a validation game.
    #[must_use]
    pub fn part(self, canonical_hash: u128) -> &'static str {
        let number = xxh3_64(&canonical_hash.to_le_bytes());
        let whole = u64::from(self.train + self.validation + self.test);
        let place = ((u128::from(number) * u128::from(whole)) >> 64) as u64;
        if place < u64::from(self.test) {
            "test"
        } else if place < u64::from(self.test + self.train) {
            "train"
        } else {
            "validation"
        }
    }
}

/// The largest share.
const MAX_SHARE: u32 = 1_000_000;

impl std::fmt::Display for Split {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{},{}", self.train, self.validation, self.test)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn shares_are_three_numbers() {
        for text in ["90,5,5", "8,1,1", " 1, 0 ,0", "0,0,1", "998,1,1"] {
            assert!(Split::parse(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "90",
            "90,10",
            "90,5,5,0",
            "90,5,x",
            "90,5,-5",
            "0,0,0",
            "90,5,",
            "0.9,0.05,0.05",
            "4000000000,1,1",
        ] {
            let said = Split::parse(text).unwrap_err();
            assert!(said.contains("as in 90,5,5"), "{text}: {said}");
        }
    }

    #[test]
    fn parts_have_their_shares() {
        for (text, expected) in [
            ("90,5,5", [90, 5, 5]),
            ("80,10,10", [80, 10, 10]),
            ("1,1,2", [25, 25, 50]),
            ("1,0,0", [100, 0, 0]),
        ] {
            let split = Split::parse(text).unwrap();
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for hash in 0..10_000 {
                *counts.entry(split.part(hash)).or_default() += 1;
            }
            for (part, share) in ["train", "validation", "test"].into_iter().zip(expected) {
                let count = counts.get(part).copied().unwrap_or_default();
                // Four times the deviation of a fair draw, at most.
                assert!(count.abs_diff(share * 100) <= 200, "{text} {part}: {count}");
                assert!(share > 0 || count == 0, "{text} {part}: {count}");
            }
        }
    }

    #[test]
    fn other_shares_exchange_no_validation_and_test_games() {
        let [narrow, wide] = ["90,5,5", "60,20,20"].map(|text| Split::parse(text).unwrap());
        for hash in 0..10_000 {
            match narrow.part(hash) {
                "train" => {}
                part => assert_eq!(wide.part(hash), part),
            }
        }
    }
}
