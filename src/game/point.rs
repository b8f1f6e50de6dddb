//! Points of boards as records write them, for every game played on such.

use crate::record::Notation;

/// What a move token says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A column and a row, both from 0, origin top left.
    At(u8, u8),
    /// A pass.
    Pass,
    /// A pass written as the point just outside the board.
    PassOutside,
    /// Nothing that can be played.
    Invalid,
}

/// Reads a move token on a board of some columns and rows.
///
/// In SGF a pass is an empty or blank value, and `tt` up to 19x19; some
/// programs write the point one beyond the board in both directions.
#[inline(always)]
pub(crate) fn parse(token: &[u8], notation: Notation, size: (u8, u8)) -> Token {
    if notation != Notation::Sgf {
        return parse_other(token, notation, size);
    }
    if let [column, row] = token {
        let (column, row) = (letter(*column), letter(*row));
        if column < size.0 && row < size.1 {
            return Token::At(column, row);
        }
    }
    parse_unusual(token, notation, size)
}

/// Reads a token that is not a point of the board.
#[cold]
#[inline(never)]
fn parse_unusual(token: &[u8], notation: Notation, (columns, rows): (u8, u8)) -> Token {
    if let [column, row] = token
        && let (column, row) = (letter(*column), letter(*row))
        && column.max(row) < NO_LETTER
    {
        return if (column, row) == (19, 19) && columns <= 19 && rows <= 19 {
            Token::Pass
        } else if (column, row) == (columns, rows) {
            Token::PassOutside
        } else {
            Token::Invalid
        };
    }
    match token.trim_ascii() {
        [] => Token::Pass,
        trimmed if trimmed.len() < token.len() => parse(trimmed, notation, (columns, rows)),
        _ => Token::Invalid,
    }
}

/// Reads a token of another notation than that of SGF; nothing is a pass.
#[inline(never)]
fn parse_other(token: &[u8], notation: Notation, (columns, rows): (u8, u8)) -> Token {
    let token = token.trim_ascii();
    let place = match (notation, token) {
        (_, []) => return Token::Pass,
        (Notation::Numbers { first }, _) => numbers(token)
            .and_then(|(column, row)| Some((column.checked_sub(first)?, row.checked_sub(first)?))),
        (Notation::Letters { .. }, [b'-', b'-'] | [b'-']) => return Token::Pass,
        (Notation::Letters { .. }, _) if token.eq_ignore_ascii_case(b"pass") => return Token::Pass,
        (Notation::Letters { from_bottom }, _) => letters(token).and_then(|(column, row)| {
            let row = if from_bottom {
                rows.checked_sub(row)?
            } else {
                row - 1
            };
            Some((column, row))
        }),
        (Notation::Capitals { first, from_bottom }, [column, row]) => {
            let place = |letter: u8| letter.checked_sub(first).filter(|_| letter <= b'Z');
            place(*column).zip(place(*row)).and_then(|(column, row)| {
                let down = if from_bottom {
                    rows.checked_sub(row + 1)
                } else {
                    Some(row)
                };
                down.map(|row| (column, row))
            })
        }
        _ => None,
    };
    match place {
        Some((column, row)) if column < columns && row < rows => Token::At(column, row),
        _ => Token::Invalid,
    }
}

/// Two numbers with blanks or a comma between them.
pub(crate) fn numbers(token: &[u8]) -> Option<(u8, u8)> {
    let between = |letter: char| letter.is_ascii_whitespace() || letter == ',';
    let mut numbers = std::str::from_utf8(token).ok()?.split(between);
    let mut numbers = numbers.by_ref().filter(|part| !part.is_empty());
    let mut next = || numbers.next()?.parse::<u8>().ok();
    let place = (next()?, next()?);
    numbers.next().is_none().then_some(place)
}

/// A column in letters, from 0, and a row as a number from 1.
#[inline]
pub(crate) fn letters(token: &[u8]) -> Option<(u8, u8)> {
    let place = |letter: u8| match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A'),
        _ => None,
    };
    let (first, rest) = token.split_first()?;
    let mut column = place(*first)?;
    let mut digits = rest;
    if let Some((second, rest)) = rest.split_first()
        && let Some(second) = place(*second)
    {
        column = (column + 1).checked_mul(26)?.checked_add(second)?;
        digits = rest;
    }
    let row = digits.iter().try_fold(0u8, |row, digit| {
        let digit = digit.is_ascii_digit().then(|| digit - b'0')?;
        row.checked_mul(10)?.checked_add(digit)
    })?;
    (row > 0).then_some((column, row))
}

/// A list element: one point or the corners of a rectangle (`aa:cc`), as the
/// columns and rows it spans; and whether the corners were in order.
pub(crate) fn parse_area(token: &[u8], notation: Notation, size: (u8, u8)) -> Option<Area> {
    let point = |part: &[u8]| match parse(part.trim_ascii(), notation, size) {
        Token::At(column, row) => Some((column, row)),
        _ => None,
    };
    let Some(colon) = token.iter().position(|byte| *byte == b':') else {
        let (column, row) = point(token)?;
        return Some(Area {
            columns: (column, column),
            rows: (row, row),
            in_order: true,
        });
    };
    let (one, two) = (point(&token[..colon])?, point(&token[colon + 1..])?);
    Some(Area {
        columns: (one.0.min(two.0), one.0.max(two.0)),
        rows: (one.1.min(two.1), one.1.max(two.1)),
        in_order: one.0 <= two.0 && one.1 <= two.1,
    })
}

/// A rectangle of points, first and last included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) columns: (u8, u8),
    pub(crate) rows: (u8, u8),
    pub(crate) in_order: bool,
}

impl Area {
    /// Its points, row by row.
    pub(crate) fn points(self) -> impl Iterator<Item = (u8, u8)> {
        (self.rows.0..=self.rows.1)
            .flat_map(move |row| (self.columns.0..=self.columns.1).map(move |column| (column, row)))
    }
}

/// What a byte that is no letter counts as.
const NO_LETTER: u8 = 0xff;

/// `a`–`z` are 0–25, `A`–`Z` 26–51.
fn letter(byte: u8) -> u8 {
    static LETTERS: [u8; 256] = {
        let mut letters = [NO_LETTER; 256];
        let mut i = 0;
        while i < 26 {
            letters[b'a' as usize + i] = i as u8;
            letters[b'A' as usize + i] = i as u8 + 26;
            i += 1;
        }
        letters
    };
    LETTERS[byte as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_moves() {
        for (token, size, expected) in [
            ("pd", (19, 19), Token::At(15, 3)),
            ("", (19, 19), Token::Pass),
            ("  ", (19, 19), Token::Pass),
            (" dd ", (9, 9), Token::At(3, 3)),
            ("tt", (19, 19), Token::Pass),
            ("tt", (9, 9), Token::Pass),
            ("tt", (21, 21), Token::At(19, 19)),
            ("ss", (18, 18), Token::PassOutside),
            ("zz", (9, 9), Token::Invalid),
            ("epp", (19, 19), Token::Invalid),
            ("q", (19, 19), Token::Invalid),
            ("37", (19, 19), Token::Invalid),
            ("DD", (19, 19), Token::Invalid),
            ("KK", (37, 37), Token::At(36, 36)),
            ("ah", (16, 8), Token::At(0, 7)),
            ("ai", (16, 8), Token::Invalid),
        ] {
            assert_eq!(
                parse(token.as_bytes(), Notation::Sgf, size),
                expected,
                "{token:?}"
            );
        }
    }

    #[test]
    fn tokens_of_servers() {
        let letters = |from_bottom| Notation::Letters { from_bottom };
        let from = |first, from_bottom| Notation::Capitals { first, from_bottom };
        for (token, notation, expected) in [
            ("15 3", Notation::Numbers { first: 0 }, Token::At(15, 3)),
            (" 0   18 ", Notation::Numbers { first: 0 }, Token::At(0, 18)),
            ("", Notation::Numbers { first: 0 }, Token::Pass),
            ("19 3", Notation::Numbers { first: 0 }, Token::Invalid),
            ("3", Notation::Numbers { first: 0 }, Token::Invalid),
            ("3 4 5", Notation::Numbers { first: 0 }, Token::Invalid),
            ("-1 4", Notation::Numbers { first: 0 }, Token::Invalid),
            ("pd", Notation::Numbers { first: 0 }, Token::Invalid),
            ("QE", from(b'B', false), Token::At(15, 3)),
            ("BT", from(b'B', false), Token::At(0, 18)),
            ("AB", from(b'B', false), Token::Invalid),
            ("BU", from(b'B', false), Token::Invalid),
            ("QP", from(b'A', true), Token::At(16, 3)),
            ("AA", from(b'A', true), Token::At(0, 18)),
            ("AT", from(b'A', true), Token::Invalid),
            ("az", from(b'A', true), Token::Invalid),
            ("A", from(b'A', true), Token::Invalid),
            ("1,19", Notation::Numbers { first: 1 }, Token::At(0, 18)),
            ("0,5", Notation::Numbers { first: 1 }, Token::Invalid),
            ("h8", letters(true), Token::At(7, 11)),
            ("H8", letters(false), Token::At(7, 7)),
            ("i19", letters(true), Token::At(8, 0)),
            ("i20", letters(true), Token::Invalid),
            ("a0", letters(false), Token::Invalid),
            ("aa3", letters(false), Token::Invalid),
            ("8h", letters(false), Token::Invalid),
            ("h", letters(false), Token::Invalid),
            ("--", letters(false), Token::Pass),
            ("Pass", letters(false), Token::Pass),
        ] {
            assert_eq!(
                parse(token.as_bytes(), notation, (19, 19)),
                expected,
                "{token:?} {notation:?}"
            );
        }
    }

    #[test]
    fn rectangles_from_either_corner() {
        let area = parse_area(b"cb:aa", Notation::Sgf, (9, 9)).unwrap();
        assert!(!area.in_order);
        assert_eq!(area.points().count(), 6);
        assert_eq!(parse_area(b"aa:zz", Notation::Sgf, (9, 9)), None);
    }
}
