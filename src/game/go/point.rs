//! Points of a Go board as people write them.

pub(super) use crate::game::point::{Token, parse, parse_area};

/// A point as people write it: a letter without I and the row from the bottom
/// (`Q16`); two letters beyond the 25th column.
#[must_use]
pub fn vertex((column, row): (u8, u8), rows: u8) -> String {
    format!("{}{}", column_name(column), rows - row)
}

/// The name of a column: `A`–`Z` without I, then `AA`, `AB` …
pub(super) fn column_name(column: u8) -> String {
    const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";
    let last = char::from(LETTERS[usize::from(column % 25)]);
    match column / 25 {
        0 => last.to_string(),
        more => format!("{}{last}", char::from(LETTERS[usize::from(more - 1)])),
    }
}

/// Column and row, both from 0 at the top left, of a point such as `Q16`.
#[must_use]
pub fn parse_vertex(word: &str, (columns, rows): (u8, u8)) -> Option<(u8, u8)> {
    let number = word.trim_start_matches(|sign: char| sign.is_ascii_alphabetic());
    let letters = &word.as_bytes()[..word.len() - number.len()];
    let place = |letter: &u8| match letter.to_ascii_uppercase() {
        letter @ b'A'..=b'H' => Some(letter - b'A'),
        letter @ b'J'..=b'Z' => Some(letter - b'B'),
        _ => None,
    };
    let column = match letters {
        [letter] => place(letter)?,
        // Behind Z come AA to AZ, then BA.
        [first, second] => 25u8
            .checked_mul(place(first)? + 1)?
            .checked_add(place(second)?)?,
        _ => return None,
    };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let from_below: u8 = number.parse().ok().filter(|_| is_number)?;
    let row = rows.checked_sub(from_below).filter(|row| *row < rows)?;
    (column < columns).then_some((column, row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices() {
        assert_eq!(vertex((15, 3), 19), "Q16");
        assert_eq!(vertex((8, 8), 9), "J1");
        assert_eq!(vertex((26, 0), 52), "AB52");
    }

    #[test]
    fn points_are_a_letter_without_i_and_a_number_from_below() {
        for (word, size, expected) in [
            ("A1", 19, Some((0, 18))),
            ("a19", 19, Some((0, 0))),
            ("H8", 19, Some((7, 11))),
            ("J8", 19, Some((8, 11))),
            ("T19", 19, Some((18, 0))),
            ("z25", 25, Some((24, 0))),
            ("AA52", 52, Some((25, 0))),
            ("bb1", 52, Some((51, 51))),
            ("BC1", 52, None),
            ("AI1", 52, None),
            ("AA1", 25, None),
            ("ZZ1", 52, None),
            ("AAA1", 52, None),
            ("I5", 19, None),
            ("U1", 19, None),
            ("A20", 19, None),
            ("A0", 19, None),
            ("A", 19, None),
            ("A+1", 19, None),
            ("A-1", 19, None),
            ("A257", 19, None),
            ("1A", 19, None),
            ("pass", 19, None),
            ("", 19, None),
            ("é1", 19, None),
        ] {
            assert_eq!(parse_vertex(word, (size, size)), expected, "{word:?}");
        }
    }
}
