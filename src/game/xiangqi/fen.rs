//! Positions as text: Forsyth-Edwards notation for xiangqi.
//!
//! Rows from Black's back rank, each from Red's left, then the side to move: `w`
//! or `r` for Red, `b` for Black. What follows (`- - 0 1`) is not needed. `H` and
//! `E` are read as horse and elephant.

use super::{
    piece::{FILES, Kind, Piece, RANKS, Square},
    position::{Position, Unusable},
};
use crate::outcome::Side;

/// The position that games begin with.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

/// Reads a position.
///
/// # Errors
/// One sentence: what is wrong, and where.
pub fn read(text: &str) -> Result<Position, String> {
    let mut parts = text.split_ascii_whitespace();
    let board = parts.next().unwrap_or_default();
    // Some programs write captured pieces in brackets behind the rows.
    let board = board.split('[').next().unwrap_or_default();
    let mut pieces = Vec::with_capacity(32);
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != usize::from(RANKS) {
        return Err(format!(
            "the position {:?} has {} rows, and not {RANKS}",
            shown(text),
            rows.len()
        ));
    }
    for (row, signs) in (0..).zip(rows) {
        let mut file = 0u8;
        for sign in signs.bytes() {
            if sign.is_ascii_digit() {
                file = file.saturating_add(sign - b'0');
                continue;
            }
            let Some(kind) = Kind::of_letter(sign) else {
                let sign = char::from(sign).escape_default();
                return Err(format!(
                    "row {} of the position has the sign '{sign}'",
                    row + 1
                ));
            };
            let side = match sign {
                b'A'..=b'Z' => Side::First,
                _ => Side::Second,
            };
            if let Some(square) = Square::at(file, row) {
                pieces.push((square, Piece::new(side, kind)));
            }
            file = file.saturating_add(1);
        }
        if file != FILES {
            return Err(format!(
                "row {} of the position is {file} squares wide, and not {FILES}",
                row + 1
            ));
        }
    }
    let turn = match parts.next() {
        None | Some("w" | "W" | "r" | "R" | "-") => Side::First,
        Some("b" | "B") => Side::Second,
        Some(other) => {
            return Err(format!(
                "the position names {:?} as the side to move, and not w, r or b",
                shown(other)
            ));
        }
    };
    Position::new(pieces, turn).map_err(|why| {
        let (what, side) = match why {
            Unusable::NoGeneral(side) => ("no general", side),
            Unusable::Generals(side) => ("more than one general", side),
        };
        format!("the position has {what} of {}", super::side_name(side))
    })
}

/// The first part of a text, for a message.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

/// Writes a position, with its side to move as `w` or `b`.
#[must_use]
pub fn write(position: &Position) -> String {
    let mut text = String::with_capacity(80);
    for row in 0..RANKS {
        if row > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for square in (0..FILES).filter_map(|file| Square::at(file, row)) {
            match position.piece(square).letter() {
                None => empty += 1,
                Some(letter) => {
                    push_count(&mut text, &mut empty);
                    text.push(char::from(letter));
                }
            }
        }
        push_count(&mut text, &mut empty);
    }
    text.push_str(match position.turn() {
        Side::First => " w",
        Side::Second => " b",
    });
    text
}

/// The number of the kind of piece on each square, row by row from Black's back
/// rank and Red's left: those of Red positive, of Black negative, 0 for none.
#[must_use]
pub fn cells(position: &Position) -> Vec<i8> {
    let squares =
        (0..RANKS).flat_map(|row| (0..FILES).filter_map(move |file| Square::at(file, row)));
    let cell = |square| {
        let piece = position.piece(square);
        let number = piece.kind().map_or(0, |kind| kind as i8);
        match piece.side() {
            Side::First => number,
            Side::Second => -number,
        }
    };
    squares.map(cell).collect()
}

fn push_count(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
    }
    *empty = 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_as_they_were() {
        for text in [
            START,
            "4k4/9/9/9/9/9/9/9/9/4K4 b",
            "3akab2/9/4b4/9/9/9/9/9/4p4/5K3 w",
        ] {
            assert_eq!(write(&read(text).unwrap()), text);
        }
    }

    #[test]
    fn cells_have_the_numbers_of_the_kinds() {
        let found = cells(&read("3akab2/9/4b4/9/9/9/9/9/4p1R2/5K3 w").unwrap());
        let mut expected = vec![0; 90];
        for (place, number) in [
            (3, -2),
            (4, -1),
            (5, -2),
            (6, -3),
            (22, -3),
            (76, -7),
            (78, 5),
            (86, 1),
        ] {
            expected[place] = number;
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn other_ways_of_writing() {
        let start = read(START).unwrap();
        for text in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
            "rhbakabhr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/36/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[] w - - 0 1",
        ] {
            assert_eq!(read(text), Ok(start.clone()), "{text}");
        }
    }

    #[test]
    fn what_is_no_position() {
        for (text, part) in [
            ("", "1 rows"),
            ("9/9/9/9/9/9/9/9/9/9 w", "no general of red"),
            ("4k4/9/9/9/9/9/9/9/9/9 w", "no general of red"),
            ("9/9/9/9/9/9/9/9/9/4K4 w", "no general of black"),
            (
                "4kk3/9/9/9/9/9/9/9/9/4K4 w",
                "more than one general of black",
            ),
            ("4k4/9/9/9/9/9/9/9/4K4 w", "9 rows"),
            (
                "4k3/9/9/9/9/9/9/9/9/4K4 w",
                "row 1 of the position is 8 squares",
            ),
            (
                "4k5/9/9/9/9/9/9/9/9/4K4 w",
                "row 1 of the position is 10 squares",
            ),
            (
                "4k4/9/9/9/9/9/9/9/9/4KX3 w",
                "row 10 of the position has the sign 'X'",
            ),
            ("4k4/9/9/9/9/9/9/9/9/4K4 x", "side to move"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(part), "{text}: {said}");
        }
    }
}
