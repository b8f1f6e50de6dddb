//! What the words of a game mean.

use crate::{format::id_moves::squares, outcome::Side};

/// What a word looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A move of xiangqi in Chinese or WXF, or as in chess with what chess lacks.
    Xiangqi,
    /// Two squares of a board of nine files and ten ranks; whether one of them is
    /// on no chessboard.
    Squares {
        /// It has file i, or rank 0, 9 or 10.
        beyond: bool,
    },
    /// A move of chess.
    Chess,
    Other,
}

/// An ASCII sign in full width as what it is.
pub(super) fn narrow(letter: char) -> char {
    match u32::from(letter) {
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(letter),
        0x3000 => ' ',
        _ => letter,
    }
}

const fn is_way(letter: char) -> bool {
    matches!(letter, '进' | '進' | '退' | '平')
}

/// Whether a word is one move in Chinese, as most are.
pub(super) fn is_plain_move(word: &str) -> bool {
    let mut letters = word.chars().skip(2);
    letters.next().is_some_and(is_way) && letters.next().is_some() && letters.next().is_none()
}

/// Whether a word is the number of a move of both sides and no more: `12.`.
pub(super) fn is_plain_number(word: &str) -> bool {
    match word.as_bytes() {
        [digits @ .., b'.'] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// What a word looks like.
pub(super) fn shape(word: &str) -> Shape {
    let mut signs = ['\0'; 5];
    let mut count = 0;
    for letter in word.chars() {
        match signs.get_mut(count) {
            Some(place) => *place = narrow(letter),
            None if word.is_ascii() => break,
            None => return Shape::Other,
        }
        count += 1;
    }
    match (count, signs) {
        (4, [_, _, way, _, _]) | (5, [_, _, _, way, _]) if is_way(way) => return Shape::Xiangqi,
        (4, [_, b, c, d, _])
            if matches!(c, '+' | '-' | '=' | '.')
                && d.is_ascii_digit()
                && matches!(b, '1'..='9' | '+' | '-' | '=' | 'A'..='Z' | 'a'..='z') =>
        {
            return Shape::Xiangqi;
        }
        _ => {}
    }
    match squares(word.as_bytes()) {
        Some(beyond) => Shape::Squares { beyond },
        None if is_chess(word.as_bytes()) => Shape::Chess,
        None if is_lettered(word.as_bytes()) => Shape::Xiangqi,
        None => Shape::Other,
    }
}

/// Whether a word is a move as in chess of a piece that chess has not, or to a
/// square beyond its board: `Hg2`, `Cbe2`, `Rxi9`, `Pe10`.
fn is_lettered(word: &[u8]) -> bool {
    let end = word
        .iter()
        .rposition(|byte| !matches!(byte, b'+' | b'#' | b'!' | b'?'));
    let Some((piece, rest)) = end.and_then(|end| word[..=end].split_first()) else {
        return false;
    };
    let (before, beyond) = match rest {
        [before @ .., b'a'..=b'i', b'1', b'0'] => (before, true),
        [before @ .., file @ b'a'..=b'i', rank @ b'0'..=b'9'] => {
            (before, *file == b'i' || matches!(rank, b'0' | b'9'))
        }
        _ => return false,
    };
    let own = matches!(piece, b'H' | b'E');
    let known = own || beyond && matches!(piece, b'K' | b'A' | b'B' | b'N' | b'R' | b'C' | b'P');
    let between = |byte: &u8| matches!(byte, b'a'..=b'i' | b'0'..=b'9' | b'x');
    known && before.len() <= 4 && before.iter().all(between)
}

/// Whether a word is a move of chess: it castles, or ends in a square, or
/// promotes.
fn is_chess(word: &[u8]) -> bool {
    let word = word.trim_ascii_end();
    let end = word
        .iter()
        .rposition(|byte| !matches!(byte, b'+' | b'#' | b'!' | b'?'));
    let word = end.map_or(word, |end| &word[..=end]);
    if word.starts_with(b"O-O") || word.starts_with(b"0-0") {
        return true;
    }
    let word = match word {
        [before @ .., b'=', b'Q' | b'R' | b'B' | b'N'] => before,
        [before @ .., b'1' | b'8', b'q' | b'r' | b'b' | b'n'] => &word[..before.len() + 1],
        _ => word,
    };
    let [before @ .., b'a'..=b'h', b'1'..=b'8'] = word else {
        return false;
    };
    let piece = |byte: &u8| matches!(byte, b'K' | b'Q' | b'R' | b'B' | b'N' | b'P');
    let other = |byte: &u8| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'-');
    before.len() <= 4
        && before
            .iter()
            .enumerate()
            .all(|(place, byte)| other(byte) || place == 0 && piece(byte))
}

/// The number of a move that a word begins with and the dots behind it, as a
/// part of the word; whether dots say that it is Black's move.
pub(super) fn number(word: &str) -> (&str, bool) {
    let is_dot = |letter: char| matches!(narrow(letter), '.') || matches!(letter, '…' | '·');
    // Most words are moves.
    if !word.starts_with(|first| narrow(first).is_ascii_digit() || is_dot(first)) {
        return ("", false);
    }
    let behind = word.trim_start_matches(|letter| narrow(letter).is_ascii_digit());
    let rest = behind.trim_start_matches(is_dot);
    let dots = &behind[..behind.len() - rest.len()];
    let prefix = &word[..word.len() - rest.len()];
    // `15.6` is a soldier, and a number alone is one only where nothing follows.
    let is_soldier = dots.chars().count() == 1
        && rest.chars().count() == 1
        && rest.chars().all(|sign| narrow(sign).is_ascii_digit());
    if is_soldier || dots.is_empty() && !rest.is_empty() {
        return ("", false);
    }
    let later = dots.chars().count() > 1 || dots.contains('…');
    (prefix, later)
}

/// A word without the signs of praise and check behind it.
pub(super) fn without_praise(word: &str) -> &str {
    let word = word.trim_end_matches(|letter| matches!(narrow(letter), '!' | '?'));
    if word.is_ascii() && word.len() < 5 {
        return word;
    }
    word.trim_end_matches(is_praise)
}

/// Whether a letter is a sign of praise or check behind a move.
pub(super) fn is_praise(letter: char) -> bool {
    matches!(narrow(letter), '!' | '?' | '+' | '#')
}

/// The end of the first move of a word that may hold several in Chinese.
pub(super) fn first_move(word: &str) -> usize {
    let mut ends = word
        .char_indices()
        .map(|(at, letter)| (at + letter.len_utf8(), letter));
    let mut before = ends.by_ref().skip(2);
    let third = before.next();
    let way = match third {
        Some((_, letter)) if is_way(letter) => third,
        _ => before.next().filter(|(_, letter)| is_way(*letter)),
    };
    match way.and_then(|_| before.next()) {
        Some((end, _)) => end,
        None => word.len(),
    }
}

/// Whether a word is a result.
pub(in crate::format) fn is_result(word: &str) -> bool {
    // Moves are told by their first sign.
    const FIRST: &str = "01*½红紅黑先后後和作平握０１＊";
    if !word.starts_with(|first| FIRST.contains(first)) {
        return false;
    }
    match word {
        "1-0" | "0-1" | "1/2-1/2" | "1/2" | "0.5-0.5" | "½-½" | "*" => true,
        _ if word.is_ascii() => false,
        _ => is_chinese_result(word) || is_wide_result(word),
    }
}

fn is_wide_result(word: &str) -> bool {
    let plain = |letter| match letter {
        '–' | '−' => '-',
        letter => narrow(letter),
    };
    ["1-0", "0-1", "1/2-1/2", "*"]
        .iter()
        .any(|known| word.chars().map(plain).eq(known.chars()))
}

/// Whether a word in place of a result says that there is none.
pub(super) fn is_open(word: &[u8]) -> bool {
    const WORDS: [&str; 10] = [
        "*", "?", "-", "unknown", "none", "n/a", "未知", "不明", "不详", "不詳",
    ];
    let known = |open: &&str| open.as_bytes().eq_ignore_ascii_case(word);
    word.iter().all(|byte| *byte == b'?') || WORDS.iter().any(known)
}

/// The side whose numerals a move in Chinese has: Red's are Chinese, Black's are
/// digits. Nothing where it has both or none.
pub(super) fn side_of_numerals(token: &str) -> Option<Side> {
    let (mut red, mut black) = (false, false);
    let mut ways = false;
    for letter in token.chars() {
        ways |= is_way(letter);
        red |= "一二三四五六七八九".contains(letter);
        black |= narrow(letter).is_ascii_digit();
    }
    match (red, black) {
        (true, false) if ways => Some(Side::First),
        (false, true) if ways => Some(Side::Second),
        _ => None,
    }
}

/// Results in words: 红胜, 紅先勝, 黑方认输, 先和, 和棋.
fn is_chinese_result(word: &str) -> bool {
    const DRAWS: [&str; 8] = [
        "和",
        "和棋",
        "和局",
        "作和",
        "平局",
        "平",
        "和了",
        "握手言和",
    ];
    const ENDS: [&str; 18] = [
        "胜", "勝", "负", "負", "赢", "贏", "输", "輸", "和", "和棋", "认输", "認輸", "认负",
        "認負", "超时", "超時", "胜利", "勝利",
    ];
    let mut rest = word.trim_end_matches(['。', '.', '！', '!']);
    let whole = rest;
    for signs in [
        &['红', '紅', '黑'][..],
        &['方', '棋'],
        &['先', '后', '後'],
        &['手', '方'],
    ] {
        rest = rest.strip_prefix(signs).unwrap_or(rest);
    }
    match rest.len() == whole.len() {
        true => DRAWS.contains(&rest),
        false => ENDS.contains(&rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_words() {
        let near = Shape::Squares { beyond: false };
        let far = Shape::Squares { beyond: true };
        for (word, expected) in [
            ("炮二平五", Shape::Xiangqi),
            ("马８进７", Shape::Xiangqi),
            ("前車退２", Shape::Xiangqi),
            ("前兵九平八", Shape::Xiangqi),
            ("C2=5", Shape::Xiangqi),
            ("c2.5", Shape::Xiangqi),
            ("+R-1", Shape::Xiangqi),
            ("H++7", Shape::Xiangqi),
            ("15=6", Shape::Xiangqi),
            ("Ｃ２＝５", Shape::Xiangqi),
            ("h2e2", near),
            ("C3-C4", near),
            ("h0g2", far),
            ("i1i2", far),
            ("a10a9", far),
            ("Hg2", Shape::Xiangqi),
            ("Eae3!", Shape::Xiangqi),
            ("H7xg5+", Shape::Xiangqi),
            ("Rxi6", Shape::Xiangqi),
            ("Pf10+", Shape::Xiangqi),
            ("Rc0", Shape::Xiangqi),
            ("Cbe2", Shape::Other),
            ("Ixi6", Shape::Other),
            ("Held9", Shape::Other),
            ("e4", Shape::Chess),
            ("Nf3", Shape::Chess),
            ("Nbd7+", Shape::Chess),
            ("exd5!", Shape::Chess),
            ("O-O-O", Shape::Chess),
            ("e8=Q#", Shape::Chess),
            ("e7e8q", Shape::Chess),
            ("h2e", Shape::Other),
            ("炮二平", Shape::Other),
            ("前兵九平", Shape::Other),
            ("红胜", Shape::Other),
            ("", Shape::Other),
            ("炮二平五马８进７", Shape::Other),
        ] {
            assert_eq!(shape(word), expected, "{word}");
        }
    }

    #[test]
    fn numbers_before_moves() {
        for (word, prefix, later) in [
            ("1.炮二平五", "1.", false),
            ("１．炮二平五", "１．", false),
            ("12", "12", false),
            ("3...", "3...", true),
            ("3…马8进7", "3…", true),
            ("...", "...", true),
            ("15.6", "", false),
            ("15=6", "", false),
            ("3.h2e2", "3.", false),
            ("h2e2", "", false),
            ("2三", "", false),
        ] {
            assert_eq!(number(word), (prefix, later), "{word}");
        }
    }

    #[test]
    fn moves_in_one_word() {
        for (word, first) in [
            ("炮二平五马８进７", "炮二平五"),
            ("前兵九平八炮二平五", "前兵九平八"),
            ("炮二平五", "炮二平五"),
            ("炮二平", "炮二平"),
            ("炮", "炮"),
            ("", ""),
            ("h2e2h9g7", "h2e2h9g7"),
        ] {
            assert_eq!(&word[..first_move(word)], first, "{word}");
        }
    }

    #[test]
    fn words_of_results() {
        for word in [
            "1-0",
            "1/2-1/2",
            "*",
            "红胜",
            "紅先勝",
            "黑方认输",
            "先和",
            "先胜",
            "先负",
            "和",
            "和棋",
            "红方胜。",
            "后胜",
            "１－０",
        ] {
            assert!(is_result(word), "{word}");
        }
        for word in [
            "后炮进三",
            "红",
            "炮二平五",
            "先手",
            "胜",
            "",
            "2-0",
            "红马",
        ] {
            assert!(!is_result(word), "{word}");
        }
    }
}
