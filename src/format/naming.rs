//! What the names of files and folders say of the games in them.

/// Rules by words in names.
const RULES: [(&str, &[u8]); 6] = [
    ("freestyle", b"freestyle"),
    ("fastgame", b"freestyle"),
    ("standard", b"standard"),
    ("renju", b"renju"),
    ("caro", b"caro"),
    ("gomoku", b"freestyle"),
];

/// The rules that the nearest name of a path has a word for, the file's own
/// first.
pub(super) fn rules(path: &str) -> Option<&'static [u8]> {
    path.rsplit('/').find_map(|name| {
        let name = name.to_ascii_lowercase();
        let known = RULES.iter().find(|(word, _)| name.contains(word));
        known.map(|(_, rules)| *rules)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_paths() {
        for (path, expected) in [
            ("a/Renju1/3_a_b_2.psq", Some("renju")),
            ("Standard/x/3.psq", Some("standard")),
            ("Fastgame/renju_1.txt", Some("renju")),
            ("games/1.txt", None),
            ("", None),
        ] {
            assert_eq!(rules(path), expected.map(str::as_bytes), "{path}");
        }
    }
}
