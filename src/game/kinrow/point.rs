//! Points as records of these games write them.

use super::board::Point;
use crate::{
    game::point::{self, Token},
    record::Notation,
};

/// Reads a move token. In SGF some programs write `h8` for a point, the row
/// counted from the bottom.
pub(super) fn parse(token: &[u8], notation: Notation, size: (u8, u8)) -> Token {
    let read = point::parse(token, notation, size);
    if read != Token::Invalid || notation != Notation::Sgf {
        return read;
    }
    let from_bottom = true;
    point::parse(token, Notation::Letters { from_bottom }, size)
}

/// A point as renju writes it: a column letter, I included, and the row from
/// the bottom (`h8`).
pub(super) fn name(point: Point, rows: u8) -> String {
    format!(
        "{}{}",
        column_name(point.column),
        rows.saturating_sub(point.row)
    )
}

/// The name of a column: `a`–`z`, then `aa`, `ab` …
pub(super) fn column_name(column: u8) -> String {
    let letter = |at: u8| char::from(b'a' + at % 26);
    match column / 26 {
        0 => letter(column).to_string(),
        more => [letter(more - 1), letter(column)].iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (column, row, rows, expected) in [
            (7, 7, 15, "h8"),
            (8, 0, 15, "i15"),
            (25, 51, 52, "z1"),
            (26, 0, 52, "aa52"),
            (51, 0, 52, "az52"),
        ] {
            assert_eq!(name(Point { row, column }, rows), expected);
        }
    }

    #[test]
    fn tokens_in_sgf() {
        let size = (15, 15);
        for (token, expected) in [
            ("hh", Token::At(7, 7)),
            ("h8", Token::At(7, 7)),
            ("a15", Token::At(0, 0)),
            ("a16", Token::Invalid),
            ("", Token::Pass),
            ("tt", Token::Pass),
            ("pass", Token::Pass),
        ] {
            assert_eq!(
                parse(token.as_bytes(), Notation::Sgf, size),
                expected,
                "{token}"
            );
        }
    }
}
