//! What the lines around a board say: keys, sides, prisoners.

use crate::outcome::Side;

/// What a key is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Game,
    Rules,
    Komi,
    ToMove,
    Prisoners,
    Handicap,
    Result,
    Ending,
    Stones,
    Size,
    Id,
    Date,
    First,
    Second,
    Event,
    Place,
}

impl Key {
    /// The key of a word, in any case, with or without blanks and dashes.
    pub(super) fn of(word: &str) -> Option<Self> {
        Some(match squeeze(word).as_str() {
            "game" | "gm" => Self::Game,
            "rules" | "rule" | "ruleset" | "ru" => Self::Rules,
            "komi" | "km" | "贴目" | "貼目" => Self::Komi,
            "tomove" | "turn" | "next" | "toplay" | "sidetomove" => Self::ToMove,
            "prisoners" | "captures" | "captured" | "caps" => Self::Prisoners,
            "handicap" | "ha" => Self::Handicap,
            "result" | "re" => Self::Result,
            "ending" | "te" | "termination" => Self::Ending,
            "stones" | "signs" => Self::Stones,
            "size" | "sz" | "boardsize" => Self::Size,
            "id" => Self::Id,
            "date" | "dt" => Self::Date,
            "black" | "pb" => Self::First,
            "white" | "pw" => Self::Second,
            "event" | "ev" => Self::Event,
            "place" | "server" | "pc" => Self::Place,
            _ => return None,
        })
    }
}

/// The game of a word, where kifu knows it: its name and other words for it.
pub(super) const GAMES: &[(&str, &[&str])] = &[
    (
        "go",
        &[
            "go", "igo", "weiqi", "baduk", "围棋", "圍棋", "囲碁", "바둑",
        ],
    ),
    (
        "gomoku",
        &["gomoku", "gobang", "五子棋", "五目並べ", "fiveinarow"],
    ),
    ("renju", &["renju", "连珠", "連珠"]),
    ("caro", &["caro", "cờcaro"]),
    ("tictactoe", &["tictactoe", "noughtsandcrosses"]),
    ("kinrow", &["kinrow", "mnk"]),
];

/// Whether a text says that the stones O are the first player's, not those X.
pub(super) fn is_o_first(text: &str) -> Option<bool> {
    match squeeze(text).as_str() {
        "oblack" | "blacko" | "oisblack" | "ox" | "xwhite" => Some(true),
        "xblack" | "blackx" | "xisblack" | "xo" | "owhite" => Some(false),
        _ => None,
    }
}

/// Keys and values of a line such as `# board 0 rule=renju RE=B+1 TE=Black win`:
/// a value goes up to the next key. Words before the first key say nothing.
pub(super) fn pairs(text: &[u8]) -> impl Iterator<Item = (Key, &[u8])> {
    let mut rest = text
        .strip_prefix(b"#")
        .and_then(|text| next_key(text, true));
    std::iter::from_fn(move || {
        loop {
            let (word, behind) = rest?;
            rest = next_key(behind, false);
            let end = rest.map_or(behind.len(), |(word, _)| {
                (word.as_ptr() as usize).saturating_sub(behind.as_ptr() as usize)
            });
            let value = behind.get(..end).unwrap_or_default();
            if let Some(key) = std::str::from_utf8(word).ok().and_then(Key::of) {
                return Some((key, value.trim_ascii()));
            }
        }
    })
}

/// The next word with a blank before it and `=` behind, and what follows that;
/// at the start of a line it needs no blank.
fn next_key(text: &[u8], starts: bool) -> Option<(&[u8], &[u8])> {
    let mut from = 0;
    loop {
        let at = from + memchr::memchr(b'=', text.get(from..)?)?;
        let before = text.get(from..at)?;
        let blank = before.iter().rposition(u8::is_ascii_whitespace);
        let word = match blank {
            Some(blank) => before.get(blank + 1..)?,
            None if from == 0 && starts => before,
            None => b"",
        };
        if !word.is_empty() && word.iter().all(u8::is_ascii_alphabetic) {
            return Some((word, text.get(at + 1..)?));
        }
        from = at + 1;
    }
}

/// Lower case, letters and digits only.
pub(super) fn squeeze(word: &str) -> String {
    word.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The side that a word names, as a colour, a sign of the board or a number.
pub(super) fn side(word: &str) -> Option<Side> {
    match word.trim().to_lowercase().as_str() {
        "black" | "b" | "x" | "#" | "@" | "●" | "first" | "黑" | "黑方" | "黒" | "흑" => {
            Some(Side::First)
        }
        "white" | "w" | "o" | "○" | "second" | "白" | "白方" | "백" => Some(Side::Second),
        _ => None,
    }
}

/// Stones that each side has captured, as far as a text says it: `black 3,
/// white 5`, `B=3`, `3 by black`, or two numbers, the first player's first.
pub(super) fn prisoners(text: &str) -> Option<[Option<u32>; 2]> {
    let is_negative = |word: &str| {
        let number = word.strip_prefix('-');
        number.is_some_and(|number| number.starts_with(|digit: char| digit.is_ascii_digit()))
    };
    if text.split_whitespace().any(is_negative) {
        return None;
    }
    let mut numbers = Vec::new();
    let mut sides = Vec::new();
    for word in words(text) {
        if let Ok(number) = word.parse::<u32>() {
            // More stones than that were captured in no game.
            numbers.push(Some(number).filter(|number| *number <= 10_000)?);
        } else if let Some(side) = side(word)
            // `White (O)` names one side twice.
            && sides.last() != Some(&side)
        {
            sides.push(side);
        }
    }
    let mut taken = [None; 2];
    match (numbers.as_slice(), sides.as_slice()) {
        ([first, second], []) => taken = [Some(*first), Some(*second)],
        (numbers, sides)
            if !sides.is_empty() && sides.len() == numbers.len() && sides.len() < 3 =>
        {
            for (side, number) in sides.iter().zip(numbers) {
                let place = taken.get_mut(side.index())?;
                if place.replace(*number).is_some() {
                    return None;
                }
            }
        }
        _ => return None,
    }
    Some(taken)
}

/// Words and numbers of a text; digits and letters that touch are two.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| {
        !(letter.is_alphanumeric() || matches!(letter, '#' | '@' | '●' | '○'))
    })
    .flat_map(|word| {
        let number = word.find(|letter: char| letter.is_ascii_digit());
        let (front, back) = word.split_at(number.filter(|at| *at > 0).unwrap_or(word.len()));
        [front, back]
    })
    .filter(|word| !word.is_empty())
}

/// What a line such as GNU Go's `White (O) has captured 3 pieces` says.
pub(super) fn captures(text: &str) -> Option<[Option<u32>; 2]> {
    let lower = text.to_lowercase();
    let about = ["captur", "prisoner", "提子", "俘虏"];
    about.iter().find(|word| lower.contains(**word))?;
    prisoners(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_a_remark() {
        for (text, expected) in [
            (
                "# board 0 rule=renju RE=W+1 TE=Black play forbidden move - double four stones=o-black",
                "Rules renju, Result W+1, Ending Black play forbidden move - double four, Stones o-black",
            ),
            ("#RE=0", "Result 0"),
            ("# re=B+ x=7 rule=caro", "Result B+, Rules caro"),
            ("# te=a=b rule=", "Ending a=b, Rules "),
            ("# a remark = nothing", ""),
            ("# = == RE =", ""),
            ("# RE", ""),
            ("rule=renju", ""),
        ] {
            let found: Vec<String> = pairs(text.as_bytes())
                .map(|(key, value)| format!("{key:?} {}", String::from_utf8_lossy(value)))
                .collect();
            assert_eq!(found.join(", "), expected, "{text}");
        }
    }

    #[test]
    fn prisoners_as_they_are_written() {
        for (text, expected) in [
            ("black 3 white 5", Some([Some(3), Some(5)])),
            ("white 5, black 3", Some([Some(3), Some(5)])),
            ("B=3, W=5", Some([Some(3), Some(5)])),
            ("b3 w5", Some([Some(3), Some(5)])),
            ("X: 3 O: 5", Some([Some(3), Some(5)])),
            ("3 by black and 5 by white", Some([Some(3), Some(5)])),
            ("3 5", Some([Some(3), Some(5)])),
            ("3/5", Some([Some(3), Some(5)])),
            ("White (O) has captured 12 pieces", Some([None, Some(12)])),
            ("3", None),
            ("black 3 black 4", None),
            ("black", None),
            ("black -3", None),
            ("1 2 3", None),
            ("black 99999 white 1", None),
        ] {
            assert_eq!(prisoners(text), expected, "{text}");
        }
        assert_eq!(captures("White to play, move 3"), None);
    }
}
