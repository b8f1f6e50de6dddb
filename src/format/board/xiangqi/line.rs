//! What a line is: a row of a board, the river, something said.

use std::borrow::Cow;

use encoding_rs::{BIG5, GB18030};

use super::{
    super::{
        head::pairs,
        line::{head, trim},
    },
    side::told,
    signs::{Sign, narrow, sign},
};
use crate::{format::pgn::is_result, outcome::Side};

/// A longer line is no row.
const MAX_ROW: usize = 400;
/// A row that lacks more points than this is none.
const LEAST_POINTS: usize = 5;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Blank,
    /// `---`, `===`, `~~~`: the river, or what parts boards.
    Rule,
    /// 楚河漢界, a frame, lines between points, numbers of files.
    Around,
    /// Letters of files; whether they go from i to a.
    Files(bool),
    Row(Row),
    /// `key: value`.
    Head,
    /// Which signs are whose.
    Signs,
    /// Who is to move.
    Turn(Side),
    /// Who is to move, in a sentence that stands below a board.
    TurnBelow(Side),
    /// A result and no more.
    Result,
    Text,
}

/// What a row looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    /// Its points.
    pub(super) points: usize,
    /// Those with a piece.
    pub(super) pieces: usize,
    /// Whether a piece is one that no board of two kinds of stones has.
    pub(super) own: bool,
    /// Whether an empty point is written `-`.
    pub(super) dashes: bool,
    /// Nine dashes and no more, which may be the river or part boards.
    pub(super) bare: bool,
}

/// What a line is, by itself.
pub(super) fn line(bytes: &[u8]) -> Line {
    let bytes = trim(bytes);
    if bytes.is_empty() {
        return Line::Blank;
    }
    if let Some(row) = readings(bytes).iter().find_map(|text| row(text)) {
        return Line::Row(row);
    }
    let Some(text) = readings(bytes).into_iter().next() else {
        return Line::Text;
    };
    said(bytes, &text)
}

/// The readings of a line: UTF-8 where it is such, else two encodings of Chinese.
fn readings(bytes: &[u8]) -> Vec<Cow<'_, str>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => vec![Cow::Borrowed(text)],
        // No row and no word that is looked for is longer.
        Err(_) if bytes.len() > MAX_ROW => Vec::new(),
        Err(_) => [GB18030, BIG5]
            .into_iter()
            .filter_map(|encoding| {
                encoding.decode_without_bom_handling_and_without_replacement(bytes)
            })
            .collect(),
    }
}

fn said(bytes: &[u8], text: &str) -> Line {
    if text.len() > MAX_ROW {
        return match head(bytes) {
            Some(_) => Line::Head,
            None => Line::Text,
        };
    }
    let text = text.trim();
    let signs = || text.chars().map(narrow);
    if signs().all(|letter| matches!(letter, '=' | '-' | '~' | '_' | '─' | '═' | '━' | ' ')) {
        return Line::Rule;
    }
    if signs().all(|letter| matches!(sign(letter), Sign::Blank | Sign::Empty)) {
        return Line::Around;
    }
    if let Some(line) = files(text).or_else(|| turn(text)) {
        return line;
    }
    if is_result(text) {
        return Line::Result;
    }
    if head(bytes).is_some() || pairs(bytes).next().is_some() {
        return Line::Head;
    }
    if is_river(text) {
        return Line::Around;
    }
    match told(text).is_empty() {
        true => Line::Text,
        false => Line::Signs,
    }
}

/// Whether a line is the river: 楚河 漢界 with lines around it, or `river`.
fn is_river(text: &str) -> bool {
    const WORDS: &str = "楚河漢汉界";
    let is_line =
        |letter: &char| matches!(narrow(*letter), '=' | '-' | '~' | '|' | '─' | '═' | '│');
    let words: String = text
        .chars()
        .filter(|letter| !is_line(letter) && !letter.is_whitespace())
        .collect();
    words.eq_ignore_ascii_case("river")
        || words.chars().all(|letter| WORDS.contains(letter)) && words.contains(['河', '界'])
}

/// Names of files: letters, or numbers in digits or Chinese.
fn files(text: &str) -> Option<Line> {
    const LETTERS: &str = "abcdefghi";
    const NUMBERS: &str = "123456789";
    const CHINESE: &str = "一二三四五六七八九";
    let is_sign = |letter: &char| !letter.is_whitespace() && !matches!(letter, '|' | '　');
    let name: String = text
        .chars()
        .filter(is_sign)
        .map(|letter| narrow(letter).to_ascii_lowercase())
        .collect();
    let back: String = name.chars().rev().collect();
    if name == LETTERS || back == LETTERS {
        return Some(Line::Files(back == LETTERS));
    }
    let known = [NUMBERS, CHINESE, "012345678"];
    (known.contains(&name.as_str()) || known.contains(&back.as_str())).then_some(Line::Around)
}

/// Who is to move, where a line says only that; below a board the sentences that
/// `kifu explain` writes as well.
fn turn(text: &str) -> Option<Line> {
    let lower = text.to_lowercase();
    let lower = lower.trim_end_matches(['.', '。', '!', '！']);
    let (side, rest) = [
        (Side::First, ["red ", "红方", "紅方", "红", "紅"].as_slice()),
        (Side::Second, ["black ", "黑方", "黑"].as_slice()),
    ]
    .into_iter()
    .find_map(|(side, names)| {
        let rest = names.iter().find_map(|name| lower.strip_prefix(name))?;
        Some((side, rest.trim()))
    })?;
    match rest {
        "to move" | "to play" | "moves" | "先" | "先行" | "先走" | "走" => {
            Some(Line::Turn(side))
        }
        "is mated" | "has no legal move, and loses" => Some(Line::TurnBelow(side)),
        _ if rest.starts_with("to move:") || rest.starts_with("to move, in check:") => {
            Some(Line::TurnBelow(side))
        }
        _ => None,
    }
}

/// The row that a line is: points, with digits at either end at most.
fn row(text: &str) -> Option<Row> {
    if text.len() > MAX_ROW {
        return None;
    }
    let mut row = Row::default();
    let (mut dashes, mut pluses, mut others) = (0, 0, 0);
    let mut labels = [false; 2];
    for letter in text.replace("()", ".").chars() {
        match sign(letter) {
            Sign::Other => return None,
            Sign::Blank => {}
            Sign::Digit => {
                let end = usize::from(row.points > 0);
                if let Some(label) = labels.get_mut(end) {
                    *label = true;
                }
            }
            // No number stands between points.
            Sign::Empty | Sign::Piece(..) if labels[1] => return None,
            Sign::Empty => {
                row.points += 1;
                match narrow(letter) {
                    '-' => dashes += 1,
                    '+' => pluses += 1,
                    _ => others += 1,
                }
            }
            Sign::Piece(kind, _) => {
                row.points += 1;
                row.pieces += 1;
                row.own |= !matches!((letter, kind), ('b' | 'B', _));
            }
        }
    }
    row.dashes = dashes > 0;
    row.bare = dashes == row.points && labels == [false; 2] && !text.trim().contains(' ');
    // `+---+---+` is a frame.
    let is_frame = row.pieces + others == 0 && dashes > 0 && pluses > 0;
    let is_rule = row.bare && row.points != 9;
    (row.points >= LEAST_POINTS && !is_frame && !is_rule).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_is() {
        let points = |text: &str| match line(text.as_bytes()) {
            Line::Row(row) => row.points,
            _ => 0,
        };
        for (text, expected) in [
            ("rnbakabnr", 9),
            ("r n b a k a b n r", 9),
            ("9 r n b a k a b n r 9", 9),
            ("10 . . . . K . . . .", 9),
            ("| . | . | C | . | . | . | . | . | . |", 9),
            ("...()..<c>..", 9),
            ("傌－相仕帥仕相傌俥", 9),
            ("Ｒ　．．．ｋ．．．．", 9),
            ("車─馬─┼─┼─將─┼─┼─┼─┤", 9),
            ("- - - - - - - - -", 9),
            ("+ + + + + + + + +", 9),
            ("---------", 9),
            ("....k", 5),
            ("....", 0),
            ("--------", 0),
            ("+-------+", 0),
            ("a b c d e f g h i", 0),
            ("rnbakaxnr", 0),
            ("..1......", 0),
            ("rnbakabnr/9/1c5c1", 0),
        ] {
            assert_eq!(points(text), expected, "{text}");
        }
        for (text, expected) in [
            ("", Line::Blank),
            ("   \u{feff}", Line::Blank),
            ("=====", Line::Rule),
            ("~ ~ ~", Line::Rule),
            ("─────────", Line::Rule),
            ("楚河      漢界", Line::Around),
            ("=== 楚 河 === 汉 界 ===", Line::Around),
            ("--- River ---", Line::Around),
            ("+---+---+---+", Line::Around),
            ("│ │ │ │╲│╱│ │ │ │", Line::Around),
            ("１　２　３　４　５　６　７　８　９", Line::Around),
            ("九 八 七 六 五 四 三 二 一", Line::Around),
            ("abcdefghi", Line::Files(false)),
            ("  I H G F E D C B A", Line::Files(true)),
            ("to move: red", Line::Head),
            ("Red to move", Line::Turn(Side::First)),
            ("黑先。", Line::Turn(Side::Second)),
            ("black is mated", Line::TurnBelow(Side::Second)),
            ("red to move: 44 legal moves", Line::TurnBelow(Side::First)),
            ("1-0", Line::Result),
            ("红胜", Line::Result),
            ("帥仕相 red  將士象 black", Line::Signs),
            ("a remark", Line::Text),
            ("界河", Line::Around),
        ] {
            assert_eq!(line(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn rows_in_other_encodings() {
        for encoding in [GB18030, BIG5] {
            let (bytes, _, failed) = encoding.encode("車．士．將．．．車");
            assert!(!failed);
            assert!(matches!(line(&bytes), Line::Row(row) if row.points == 9 && row.pieces == 4));
        }
    }
}
