//! What the signs of a board stand for.

use crate::outcome::Side;

/// What a sign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing: a blank, a frame, a line between points, brackets that mark a
    /// move.
    Blank,
    /// A point without a stone.
    Empty,
    /// A digit: a stone, an empty point, or part of a label or number.
    Digit(u8),
    /// A stone.
    Stone(Side),
    /// No sign of a board.
    Other,
}

/// A sign at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sign {
    pub(super) kind: Kind,
    /// The pairs it can belong to, a bit for each of [`PAIRS`].
    pub(super) pairs: u8,
    /// Its length in bytes, at least 1.
    pub(super) length: u8,
}

/// Pairs of signs for the stones of both players, the first player first. All
/// stones of a board are of one pair.
pub(super) const PAIRS: [(&str, &str); 6] = [
    ("X", "O"),
    ("#", "O"),
    ("@", "O"),
    ("B", "W"),
    ("●", "○"),
    ("1", "2"),
];

const X_O: u8 = 1;
const HASH_O: u8 = 2;
const AT_O: u8 = 4;
const B_W: u8 = 8;
const DISCS: u8 = 16;
/// The pair of digits, whose empty point is `0`.
pub(super) const DIGITS: u8 = 32;
/// Pairs whose second stone is O.
pub(super) const WITH_O: u8 = X_O | HASH_O | AT_O;
/// Signs that go with every pair.
pub(super) const ANY: u8 = 63;

const BLANK: Sign = of(Kind::Blank, ANY);
const EMPTY: Sign = of(Kind::Empty, ANY);
const OTHER: Sign = of(Kind::Other, 0);
const FIRST: Kind = Kind::Stone(Side::First);
const SECOND: Kind = Kind::Stone(Side::Second);

const fn of(kind: Kind, pairs: u8) -> Sign {
    Sign {
        kind,
        pairs,
        length: 1,
    }
}

/// The sign that some bytes begin with; no bytes are no sign.
#[inline]
pub(super) fn sign(bytes: &[u8]) -> Sign {
    match bytes.first() {
        Some(byte) if byte.is_ascii() => ASCII.get(usize::from(*byte)).copied().unwrap_or(OTHER),
        Some(_) => wide(bytes),
        None => OTHER,
    }
}

static ASCII: [Sign; 128] = {
    let mut signs = [OTHER; 128];
    let mut byte = 0;
    while byte < 128 {
        signs[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c | b'|' | b'(' | b')' | b'<' | b'>' => BLANK,
            b'.' | b'_' | b'-' | b'+' | b'*' | b',' => EMPTY,
            b'X' | b'x' => of(FIRST, X_O),
            b'O' | b'o' => of(SECOND, X_O | HASH_O | AT_O),
            b'#' => of(FIRST, HASH_O),
            b'@' => of(FIRST, AT_O),
            b'B' | b'b' => of(FIRST, B_W),
            b'W' | b'w' => of(SECOND, B_W),
            digit @ b'0'..=b'9' => of(Kind::Digit(digit - b'0'), DIGITS),
            _ => OTHER,
        };
        byte += 1;
    }
    signs
};

/// A sign outside ASCII, in UTF-8 or, where the bytes are none, in GBK as
/// Chinese consoles write it.
fn wide(bytes: &[u8]) -> Sign {
    let head = bytes.get(..4).unwrap_or(bytes);
    let valid = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let Some(letter) = valid.chars().next() else {
        return double_byte(head);
    };
    let sign = match letter {
        '\u{a0}' | '\u{3000}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}' => BLANK,
        '─' | '━' | '═' | '│' | '┃' | '║' => BLANK,
        '·' | '・' | '．' | '＋' | '\u{2500}'..='\u{257f}' => EMPTY,
        '●' | '⚫' => of(FIRST, DISCS),
        '○' | '◯' | '⚪' => of(SECOND, DISCS),
        _ => OTHER,
    };
    Sign {
        length: letter.len_utf8() as u8,
        ..sign
    }
}

/// The same signs in GBK.
fn double_byte(bytes: &[u8]) -> Sign {
    let sign = match bytes {
        [0xa1, 0xa1, ..] => BLANK,
        [0xa1, 0xa4, ..] | [0xa3, 0xab | 0xae, ..] => EMPTY,
        [0xa1, 0xf1, ..] => of(FIRST, DISCS),
        [0xa1, 0xf0, ..] => of(SECOND, DISCS),
        [0xa9, 0xa4..=0xa7, ..] => BLANK,
        [0xa9, 0xa8..=0xef, ..] => EMPTY,
        _ => return OTHER,
    };
    Sign { length: 2, ..sign }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_their_pairs() {
        for (text, kind, pairs) in [
            (".", Kind::Empty, ANY),
            ("┼", Kind::Empty, ANY),
            ("·", Kind::Empty, ANY),
            ("─", Kind::Blank, ANY),
            ("x", FIRST, X_O),
            ("o", SECOND, X_O | HASH_O | AT_O),
            ("@", FIRST, AT_O),
            ("W", SECOND, B_W),
            ("●", FIRST, DISCS),
            ("2", Kind::Digit(2), DIGITS),
            ("A", Kind::Other, 0),
            ("黑", Kind::Other, 0),
        ] {
            let found = sign(text.as_bytes());
            assert_eq!((found.kind, found.pairs), (kind, pairs), "{text}");
            if kind != Kind::Other {
                assert_eq!(usize::from(found.length), text.len(), "{text}");
            }
        }
    }

    /// The same signs as a Chinese console writes them.
    #[test]
    fn signs_in_gbk() {
        for text in ["●", "○", "┼", "├", "┐", "·", "　", "─", "│", "＋"] {
            let (bytes, _, odd) = encoding_rs::GBK.encode(text);
            assert!(!odd && bytes.len() == 2, "{text}");
            let (utf8, gbk) = (sign(text.as_bytes()), sign(&bytes));
            assert_eq!((gbk.kind, gbk.pairs), (utf8.kind, utf8.pairs), "{text}");
            assert_eq!(gbk.length, 2, "{text}");
        }
    }
}
