//! Helpers: cases of the reference data, and positions turned about.

use std::fs;

use kifu::{
    game::xiangqi::{FILES, Kind, Move, Piece, Position, RANKS, Square},
    outcome::Side,
};
use serde_json::Value;

use crate::common;

/// The cases of a suite; none where the data is not there.
pub(crate) fn cases(name: &str) -> Vec<Value> {
    let Some(path) = common::reference(&format!("xiangqi/suite/{name}.jsonl")) else {
        return Vec::new();
    };
    let lines = fs::read_to_string(path).unwrap();
    let cases: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(!cases.is_empty(), "{name} has cases");
    cases
}

/// A text of a case.
pub(crate) fn text<'v>(case: &'v Value, field: &str) -> &'v str {
    case[field].as_str().unwrap()
}

/// A way to turn a position about that changes nothing for the rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turned {
    mirrored: bool,
    exchanged: bool,
}

impl Turned {
    pub(crate) const ALL: [Self; 4] = [
        Self::new(false, false),
        Self::new(true, false),
        Self::new(false, true),
        Self::new(true, true),
    ];

    const fn new(mirrored: bool, exchanged: bool) -> Self {
        Self {
            mirrored,
            exchanged,
        }
    }

    pub(crate) fn of_square(self, square: Square) -> Square {
        let (mut file, mut row) = (square.file(), square.row());
        if self.mirrored {
            file = FILES - 1 - file;
        }
        if self.exchanged {
            row = RANKS - 1 - row;
        }
        Square::at(file, row).unwrap()
    }

    pub(crate) fn of_move(self, it: Move) -> Move {
        Move {
            from: self.of_square(it.from),
            to: self.of_square(it.to),
        }
    }

    pub(crate) fn of_side(self, side: Side) -> Side {
        if self.exchanged { side.other() } else { side }
    }
}

/// A position mirrored left to right, or with the colours exchanged.
pub(crate) fn turned(position: &Position, how: Turned) -> Position {
    let pieces = Square::all().filter_map(|square| {
        let piece = position.piece(square);
        let kind: Kind = piece.kind()?;
        let piece = Piece::new(how.of_side(piece.side()), kind);
        Some((how.of_square(square), piece))
    });
    Position::new(pieces.collect::<Vec<_>>(), how.of_side(position.turn())).unwrap()
}
