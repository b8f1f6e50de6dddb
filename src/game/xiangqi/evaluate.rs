//! What the pieces of a position are worth.
//!
//! Each piece has a value on each square, for the opening and for the ending; the
//! positions in between are in between by the pieces that are left. The values
//! follow from what pieces do: chariots want open files and the opponent's half,
//! horses the centre and the squares from which they attack a palace, cannons the
//! middle file and room, soldiers a crossed river and a near palace, guards their
//! home. They are the same for a position and its mirror image, and turn their sign
//! where the sides are exchanged.

use super::piece::{FILES, Kind, Piece, RANKS, Square};
use crate::outcome::Side;

/// What is counted of the pieces on a board; from Red's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    opening: i32,
    ending: i32,
    /// Pieces that attack, weighed: see [`weight`].
    attackers: i32,
    /// Pieces that cross the river.
    crossing: u32,
}

/// The attackers of both sides in the position that games begin with.
const FULL: i32 = 2 * (2 * 4 + 2 * 2 + 2 * 2);

/// How much a piece makes of an opening.
const fn weight(kind: Kind) -> i32 {
    match kind {
        Kind::Chariot => 4,
        Kind::Horse | Kind::Cannon => 2,
        _ => 0,
    }
}

impl Tally {
    /// What stands on the board.
    pub(super) fn of(pieces: impl Iterator<Item = (Square, Piece)>) -> Self {
        let mut tally = Self::default();
        for (square, piece) in pieces {
            tally.put(square, piece);
        }
        tally
    }

    /// Adds a piece.
    #[inline]
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.add(square, piece, 1);
    }

    /// Takes a piece away.
    #[inline]
    pub(super) fn take(&mut self, square: Square, piece: Piece) {
        self.add(square, piece, -1);
    }

    #[inline]
    fn add(&mut self, square: Square, piece: Piece, times: i32) {
        let Some(kind) = piece.kind() else {
            return;
        };
        let [opening, ending] = VALUES[piece.index()][usize::from(square.0)];
        self.opening += times * i32::from(opening);
        self.ending += times * i32::from(ending);
        self.attackers += times * weight(kind);
        let crosses = !matches!(kind, Kind::General | Kind::Advisor | Kind::Elephant);
        self.crossing = self
            .crossing
            .wrapping_add_signed(times * i32::from(crosses));
    }

    /// Whether no piece is left that can win.
    pub(super) const fn is_drawn(&self) -> bool {
        self.crossing == 0
    }

    /// The value for a side, in hundredths of a soldier at home.
    pub(super) fn value(&self, side: Side) -> i32 {
        let opening = self.attackers.min(FULL);
        let value = (self.opening * opening + self.ending * (FULL - opening)) / FULL;
        value * side.sign()
    }
}

/// The usual value of a piece, for the order of captures.
pub(super) const fn usual(kind: Kind) -> i32 {
    match kind {
        Kind::General => 10_000,
        Kind::Chariot => 1_000,
        Kind::Cannon => 450,
        Kind::Horse => 440,
        Kind::Advisor | Kind::Elephant => 200,
        Kind::Soldier => 120,
    }
}

/// The values of each piece on each square, in the opening and in the ending,
/// from Red's view: those of Black have another sign.
static VALUES: [[[i16; 2]; 256]; 16] = {
    let mut values = [[[0; 2]; 256]; 16];
    let mut row = 0;
    while row < RANKS {
        let mut file = 0;
        while file < FILES {
            let mut number = 0;
            while number < Kind::ALL.len() {
                let kind = Kind::ALL[number];
                if let Some(square) = Square::at(file, row) {
                    let place = square.0 as usize;
                    let red = value(kind, file, RANKS - 1 - row);
                    let black = value(kind, file, row);
                    values[Piece::new(Side::First, kind).index()][place] = red;
                    values[Piece::new(Side::Second, kind).index()][place] = [-black[0], -black[1]];
                }
                number += 1;
            }
            file += 1;
        }
        row += 1;
    }
    values
};

/// The value of a piece on a file, and so many rows before its own back rank.
const fn value(kind: Kind, file: u8, row: u8) -> [i16; 2] {
    // 0 for the files at the edge, 4 for the middle one.
    let across = if file < FILES - 1 - file {
        file
    } else {
        FILES - 1 - file
    } as usize;
    let row = row as usize;
    match kind {
        Kind::General => match row {
            0 if across == 4 => [0, 0],
            0 => [-10, 0],
            1 => [-25, 0],
            _ => [-45, -5],
        },
        Kind::Advisor => match row {
            1 => [200, 185],
            2 => [185, 180],
            _ => [195, 180],
        },
        Kind::Elephant => match (row, across) {
            (2, 4) => [205, 200],
            (2, _) => [180, 185],
            (4, _) => [188, 185],
            _ => [195, 190],
        },
        Kind::Horse => {
            // By file; by row; and where it looks into the palace.
            let file = [-30, -8, 8, 14, 4][across];
            let rank = [-28, -10, 2, 6, 14, 24, 36, 44, 16, -30][row];
            let forks = match (row, across) {
                (7, 3) | (8, 2) => 30,
                // Its own general and guards are in the way, and it in theirs.
                (1, 4) => -40,
                _ => 0,
            };
            let all = file + rank + forks;
            [430 + all, 455 + all / 2]
        }
        Kind::Chariot => {
            let file = [-6, 4, 4, 16, 12][across];
            let rank = [-20, 0, 2, 6, 14, 16, 18, 20, 26, 14][row];
            let all = file + rank;
            [960 + all, 1_000 + all / 2]
        }
        Kind::Cannon => {
            let file = [-4, 0, 2, 4, 18][across];
            let rank = [4, 2, 4, 0, 2, -2, -4, -4, 0, 14][row];
            let all = file + rank;
            [465 + all, 430 + rank / 2]
        }
        Kind::Soldier => {
            let (opening, ending) = match row {
                0..=3 => (80, 95),
                4 => (92, 105),
                5 => (170, 185),
                6 => (200, 215),
                7 => (215, 235),
                8 => (205, 215),
                _ => (105, 110),
            };
            let file = match row {
                0..=4 => [0, 0, 6, 0, 12][across],
                _ => [-24, -4, 10, 24, 26][across],
            };
            [opening + file, ending + file]
        }
    }
}
