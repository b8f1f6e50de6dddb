//! Makes the names of members unique.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

/// The names met in one container, as hashes: 8 bytes each, about 9 to 18 with
/// the room that the table keeps, and about twice that more for a name that is
/// met again. Two names of one hash are taken for one: the second gets a
/// number that it does not need.
#[derive(Debug, Default)]
pub(super) struct Names {
    met: HashSet<u64>,
    /// How often each of the repeated names was met.
    repeated: HashMap<u64, u64>,
}

impl Names {
    /// The name, with `!!2` at its end the second time. No name has an `!`
    /// that is not escaped, so none looks like that by itself.
    pub(super) fn unique(&mut self, mut name: String) -> String {
        let hash = xxh3_64(name.as_bytes());
        if !self.met.insert(hash) {
            let times = self.repeated.entry(hash).or_insert(1);
            *times += 1;
            name.push_str("!!");
            name.push_str(&times.to_string());
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_met_again_gets_a_number() {
        let mut names = Names::default();
        let given: Vec<String> = ["a", "b", "a", "a", "b"]
            .map(|name| names.unique(name.to_owned()))
            .into();
        assert_eq!(given, ["a", "b", "a!!2", "a!!3", "b!!2"]);
    }
}
