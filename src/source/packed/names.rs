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

/// The name of a row, and the `!!2` at its end where its name was met before.
#[must_use]
pub fn split_repeat(name: &str) -> (&str, &str) {
    let repeat = name.rfind("!!").filter(|at| {
        let times = &name[at + 2..];
        !times.is_empty() && times.bytes().all(|byte| byte.is_ascii_digit())
    });
    name.split_at(repeat.unwrap_or(name.len()))
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
        for (name, split) in [
            ("x.zip!a", ("x.zip!a", "")),
            ("x.zip!a!!12", ("x.zip!a", "!!12")),
            ("x.zip!in.tar!!2!a", ("x.zip!in.tar!!2!a", "")),
            ("x.zip!a!!", ("x.zip!a!!", "")),
        ] {
            assert_eq!(split_repeat(name), split);
        }
    }
}
