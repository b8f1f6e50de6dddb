//! Final boards as short texts, for the page's script to draw.

/// The longest side of a board.
const MAX_SIDE: usize = 52;

/// A board as one sign a point, row-major from the top left: `X` and `O` are
/// stones of the first and second player, `x` and `o` such as are dead (the
/// point is the other side's), `b` and `w` empty points that are owned, `.`
/// all others. Nothing where the number of cells is none of a board.
#[must_use]
pub fn compact(cells: &[i8], owners: Option<&[i8]>, size: (usize, usize)) -> Option<String> {
    let (columns, rows) = size;
    let fits = columns.max(rows) <= MAX_SIDE && cells.len() == columns * rows && !cells.is_empty();
    if !fits {
        return None;
    }
    let owners = owners.filter(|owners| owners.len() == cells.len());
    let sign = |(at, cell): (usize, &i8)| {
        let owner = owners.and_then(|owners| owners.get(at)).copied();
        match (cell, owner.unwrap_or(0)) {
            (1, -1) => 'x',
            (1, _) => 'X',
            (-1, 1) => 'o',
            (-1, _) => 'O',
            (_, 1) => 'b',
            (_, -1) => 'w',
            _ => '.',
        }
    };
    Some(cells.iter().enumerate().map(sign).collect())
}

/// Cells as rows write them, parted by blanks; nothing where one is no cell.
#[must_use]
pub fn cells_of_text(text: &str) -> Option<Vec<i8>> {
    let cell = |word| match word {
        "0" => Some(0),
        "1" => Some(1),
        "-1" => Some(-1),
        _ => None,
    };
    let words = text.split_ascii_whitespace().take(MAX_SIDE * MAX_SIDE + 1);
    words.map(cell).collect()
}

/// Columns and rows of a size as rows write it: `19`, `13x9`.
#[must_use]
pub(super) fn size_of_text(text: &str) -> Option<(usize, usize)> {
    let (columns, rows) = text.split_once('x').unwrap_or((text, text));
    Some((columns.parse().ok()?, rows.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_point_is_one_sign() {
        // A black stone, one that is dead, a white one, one that is dead;
        // points of Black, White and nobody.
        let cells = [1, 1, -1, -1, 0, 0, 0, 1, -1];
        let owners = [1, -1, -1, 1, 1, -1, 0, 0, 0];
        let drawn = compact(&cells, Some(&owners), (3, 3));
        assert_eq!(drawn.as_deref(), Some("XxOobw.XO"));
        let bare = compact(&cells, None, (3, 3));
        assert_eq!(bare.as_deref(), Some("XXOO...XO"));
    }

    #[test]
    fn what_is_no_board_is_not_drawn() {
        assert_eq!(compact(&[0; 8], None, (3, 3)), None);
        assert_eq!(compact(&[], None, (0, 0)), None);
        assert_eq!(compact(&[0; 53], None, (53, 1)), None);
        // Owners of another board are passed over.
        let drawn = compact(&[1, 0], Some(&[1]), (2, 1));
        assert_eq!(drawn.as_deref(), Some("X."));
        for (text, cells) in [
            ("0 1 -1", Some(vec![0, 1, -1])),
            ("", Some(vec![])),
            ("0 2", None),
            ("3k5/9/9", None),
        ] {
            assert_eq!(cells_of_text(text), cells, "{text}");
        }
        for (text, size) in [
            ("19", Some((19, 19))),
            ("13x9", Some((13, 9))),
            ("", None),
            ("axb", None),
        ] {
            assert_eq!(size_of_text(text), size, "{text}");
        }
    }
}
