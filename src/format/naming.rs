//! What the names of files and folders say of the games in them.

/// Rules by words in names, those that hold for more words first.
const RULES: [(&str, &[u8]); 8] = [
    ("-caro-standard-", b"caro-standard"),
    ("-standard-caro-", b"caro-standard"),
    ("-caro-", b"caro"),
    ("-renju-", b"renju"),
    ("-standard-", b"standard"),
    ("-freestyle-", b"freestyle"),
    ("-fastgame-", b"freestyle"),
    ("-gomoku-", b"freestyle"),
];

/// The rules that the nearest name of a path has a word for, the file's own
/// first. There it stands alone or before digits (`renju_1`, `freestyle15`):
/// names also hold those of programs.
pub(super) fn rules(path: &str) -> Option<&'static [u8]> {
    path.rsplit('/').find_map(of_name)
}

/// The rules that the nearest folder of a path has a word for.
pub(super) fn of_folders(path: &str) -> Option<&'static [u8]> {
    path.rsplit('/').skip(1).find_map(of_name)
}

fn of_name(name: &str) -> Option<&'static [u8]> {
    // The words, each between dashes.
    let mut words = String::with_capacity(name.len() + 2);
    words.push('-');
    for sign in name.chars().chain(['-']) {
        match sign.to_ascii_lowercase() {
            letter @ 'a'..='z' => words.push(letter),
            _ if words.ends_with('-') => {}
            _ => words.push('-'),
        }
    }
    let known = RULES.iter().find(|(word, _)| words.contains(word));
    known.map(|(_, rules)| *rules)
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
            ("freestyle20/1.txt", Some("freestyle")),
            ("Caro-Standard 15/1.txt", Some("caro-standard")),
            ("standard_caro/1.txt", Some("caro-standard")),
            ("freestyle caro/1.txt", Some("caro")),
            ("caro8/1.txt", Some("caro")),
            ("gomoku-standard.txt", Some("standard")),
            ("Standard1/3_gomokubot_renjusolver_1.psq", Some("standard")),
            ("3_gomokubot_renjusolver_1.psq", None),
            ("caroline/1.txt", None),
            ("nonstandard/renjusolver/1.txt", None),
            ("games/1.txt", None),
            ("", None),
        ] {
            assert_eq!(rules(path), expected.map(str::as_bytes), "{path}");
        }
    }
}
