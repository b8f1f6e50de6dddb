//! Points of a Go board as people write them.

pub(super) use crate::game::point::{Token, parse, parse_area};

/// A point as people write it: a letter without I and the row from the bottom
/// (`Q16`); two letters beyond the 25th column.
pub(super) fn vertex((column, row): (u8, u8), rows: u8) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices() {
        assert_eq!(vertex((15, 3), 19), "Q16");
        assert_eq!(vertex((8, 8), 9), "J1");
        assert_eq!(vertex((26, 0), 52), "AB52");
    }
}
