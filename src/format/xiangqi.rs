//! What the formats of xiangqi programs share: a board of signs that becomes
//! FEN, moves from square to square, and trees of moves of which the main line
//! is read.

use super::{Reading, whole};
use crate::{
    outcome::Side,
    record::{Place, ReadError, Record, StepKind, Warning, warn_once, xiangqi_move},
};

/// Files of a board.
const FILES: usize = 9;
/// Rows of a board.
const ROWS: usize = 10;

/// The board of the usual position, as FEN has it.
const START: &[u8] = b"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

/// The order in which some formats list the pieces of a position, a side's
/// sixteen after the other's: chariot, horse, elephant, advisor, general and back,
/// cannons, soldiers.
const LISTED: &[u8; 16] = b"RNBAKABNRCCPPPPP";

/// A square: file from Red's left and row from Black's back rank, from 0.
pub(super) type Square = (u8, u8);

/// The sign of the piece at a place in a list of 32; empty beyond.
pub(super) fn listed(place: usize) -> u8 {
    let sign = LISTED.get(place % LISTED.len()).copied().unwrap_or(b' ');
    if place < LISTED.len() {
        sign
    } else {
        sign.to_ascii_lowercase()
    }
}

/// A position as a format states it: the letters of FEN on squares. Pieces may
/// stand where none ever gets; the game says what it makes of that.
#[derive(Clone)]
pub(super) struct Board([u8; FILES * ROWS]);

impl Board {
    /// A board without a piece.
    pub(super) const fn empty() -> Self {
        Self([b' '; FILES * ROWS])
    }

    /// The usual position.
    pub(super) fn usual() -> Self {
        let mut board = Self::empty();
        for (row, signs) in (0..).zip(START.split(|sign| *sign == b'/')) {
            let mut file = 0;
            for sign in signs {
                match sign {
                    b'1'..=b'9' => file += sign - b'0',
                    sign => {
                        board.put((file, row), *sign);
                        file += 1;
                    }
                }
            }
        }
        board
    }

    fn place((file, row): Square) -> Option<usize> {
        let (file, row) = (usize::from(file), usize::from(row));
        (file < FILES && row < ROWS).then_some(row * FILES + file)
    }

    /// Puts a piece on a square; nowhere beyond the board.
    pub(super) fn put(&mut self, square: Square, sign: u8) {
        if let Some(place) = Self::place(square).and_then(|place| self.0.get_mut(place)) {
            *place = sign;
        }
    }

    /// Whose piece stands on a square.
    fn side(&self, square: Square) -> Option<Side> {
        let sign = self.0.get(Self::place(square)?)?;
        match sign {
            b'A'..=b'Z' => Some(Side::First),
            b'a'..=b'z' => Some(Side::Second),
            _ => None,
        }
    }

    /// The position in FEN, where it is not the usual one with Red to move.
    pub(super) fn fen(&self, turn: Side) -> Option<Vec<u8>> {
        let mut fen = Vec::with_capacity(96);
        for row in self.0.chunks(FILES) {
            if !fen.is_empty() {
                fen.push(b'/');
            }
            let mut empty = 0;
            for sign in row.iter().chain([&0]) {
                if *sign == b' ' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    fen.push(b'0' + empty);
                    empty = 0;
                }
                fen.extend((*sign != 0).then_some(*sign));
            }
        }
        if fen == START && turn == Side::First {
            return None;
        }
        fen.extend_from_slice(match turn {
            Side::First => b" w",
            Side::Second => b" b",
        });
        Some(fen)
    }
}

/// Adds moves to a record, a side's after the other's, and says who begins: who
/// owns the piece that moves first, and `named` where none stands there.
pub(super) fn play(
    record: &mut Record<'_>,
    board: &Board,
    moves: &[(usize, Square, Square)],
    named: Side,
) -> Side {
    let first = moves.first().and_then(|(_, from, _)| board.side(*from));
    let turn = first.unwrap_or(named);
    let mut side = turn;
    record.steps.reserve(moves.len());
    for (at, from, to) in moves {
        let token = xiangqi_move(*from, *to);
        whole::step(record, StepKind::Play(side), token, *at);
        side = side.other();
    }
    turn
}

/// Warns where the head names another side to begin, at some byte, than the one
/// whose piece moves first.
pub(super) fn hold_turn(record: &mut Record<'_>, turn: Side, named: Side, at: u32) {
    if turn != named && !record.steps.is_empty() {
        let value = match named {
            Side::First => "red",
            Side::Second => "black",
        };
        let warning = Warning::with("turn_differs", value, Place::Byte(at));
        warn_once(&mut record.warnings, warning);
    }
}

/// Where a tree breaks off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Torn {
    /// In the main line.
    Line,
    /// In what could have been played instead.
    Aside,
}

/// A record whose main line was read, and whose tree may have broken off.
pub(super) fn read_tree(mut record: Record<'_>, torn: Option<Torn>) -> Reading<'_> {
    match torn {
        None => Reading::Game(record),
        Some(Torn::Aside) => {
            let warning = Warning::new("missing_end", Place::Record);
            warn_once(&mut record.warnings, warning);
            Reading::Game(record)
        }
        Some(Torn::Line) => {
            let message = format!(
                "the record ends after {} moves, and the last says that another follows: it was \
                 cut off",
                record.steps.len()
            );
            Reading::Broken(record, ReadError::new("cut_off", message))
        }
    }
}

/// A walk over a tree of moves that is written depth first: each node says
/// whether a move follows it, and whether another move in its place comes later.
#[derive(Default)]
pub(super) struct Walk {
    /// Nodes whose other move is still to come.
    pending: usize,
    /// Whether the end of the main line is behind.
    pub(super) aside: bool,
    /// Whether the last node is behind.
    pub(super) ended: bool,
}

impl Walk {
    /// Where the tree breaks off that ends here.
    pub(super) const fn torn(&self) -> Torn {
        match self.aside {
            true => Torn::Aside,
            false => Torn::Line,
        }
    }

    /// Goes past a node.
    pub(super) fn pass(&mut self, has_next: bool, has_sibling: bool) {
        self.pending += usize::from(has_sibling);
        if has_next {
            return;
        }
        self.aside = true;
        match self.pending.checked_sub(1) {
            Some(left) => self.pending = left,
            None => self.ended = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_fen() {
        assert_eq!(Board::usual().fen(Side::First), None);
        let mut board = Board::empty();
        assert_eq!(
            board.fen(Side::First).as_deref(),
            Some(&b"9/9/9/9/9/9/9/9/9/9 w"[..])
        );
        board.put((0, 0), b'k');
        board.put((8, 9), b'K');
        board.put((4, 9), b'P');
        board.put((9, 9), b'C');
        board.put((0, 10), b'C');
        assert_eq!(
            board.fen(Side::Second).as_deref(),
            Some(&b"k8/9/9/9/9/9/9/9/9/4P3K b"[..])
        );
    }

    /// A tree in brackets: a main line of three moves, two other moves in place of
    /// its third and one in place of its first.
    #[test]
    fn trees_are_walked_to_their_end() {
        let mut walk = Walk::default();
        // (1 (2 (3 | 4 | 5)) | 6)
        let nodes = [
            (true, false),
            (true, true),
            (true, false),
            (false, true),
            (false, true),
            (false, false),
        ];
        for (next, sibling) in nodes {
            walk.pass(next, sibling);
            assert!(!walk.ended);
        }
        assert!(walk.aside);
        walk.pass(false, false);
        assert!(walk.ended);
    }
}
