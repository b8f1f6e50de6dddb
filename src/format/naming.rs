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
/// first. There it stands alone or before digits (`renju_1`, `freestyle15`):
/// names of files also hold those of programs.
pub(super) fn rules(path: &str) -> Option<&'static [u8]> {
    let file = path.rsplit('/').next().unwrap_or_default();
    let file = file.to_ascii_lowercase();
    let mut words = file.split(|sign: char| !sign.is_ascii_lowercase());
    let in_file = words.find_map(|part| RULES.iter().find(|(word, _)| part == *word));
    in_file.map_or_else(|| of_folders(path), |(_, rules)| Some(rules))
}

/// The rules that the nearest folder of a path has a word for.
pub(super) fn of_folders(path: &str) -> Option<&'static [u8]> {
    path.rsplit('/').skip(1).find_map(|name| {
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
            ("freestyle15_a.csv", Some("freestyle")),
            ("Standard1/3_gomokubot_renjusolver_1.psq", Some("standard")),
            ("3_gomokubot_renjusolver_1.psq", None),
            ("games/1.txt", None),
            ("", None),
        ] {
            assert_eq!(rules(path), expected.map(str::as_bytes), "{path}");
        }
    }
}
