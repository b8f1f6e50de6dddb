//! KataGo's mechanical definition of what is alive, dead and in seki: nothing
//! is judged, everything follows from the position.
//!
//! After the rules that the engine publishes (lightvector, *KataGo's supported
//! Go rules*). A point belongs to a side if the side holds it whatever happens
//! (Benson), if it is empty and only this side reaches it, or if a stone of the
//! side stands there that is not so held by the other. Connected points of one
//! side are a piece. A piece is in seki if one of its stones stands next to an
//! empty point of nobody, or is in atari next to an opposing stone that does
//! not belong to the piece's side.

use super::{
    bits::{Bits, NOWHERE, add, beside, both, first_point, points, size, spread, touches, without},
    board::{Board, Point},
    life,
    rules::{Rules, Tax},
    score::{Counted, Position},
};
use crate::outcome::Side;

/// What was found, for both sides.
pub(super) struct Found {
    /// Living stones.
    pub(super) stones: [u32; 2],
    /// Points of pieces in seki.
    pub(super) seki: [Bits; 2],
    /// Pieces that live by themselves.
    pub(super) living: [u32; 2],
}

/// Gives each side its points, and adds to a count what is dead and what a seki
/// takes away.
pub(super) fn judge(position: &mut Position, rules: &Rules, counted: &mut Counted) -> Found {
    let board = board_of(position);
    let basic = basic_area(position, &board, rules.suicide);
    let view = View {
        position,
        board: &board,
        dame: dame(position, &basic),
    };
    let mut found = Found {
        stones: [0; 2],
        seki: [NOWHERE; 2],
        living: [0; 2],
    };
    let rows = view.position.rows;
    let mut owned = [NOWHERE; 2];
    for side in [Side::First, Side::Second] {
        let (own, other) = (side.index(), side.other().index());
        let stones = both(&basic[own], &view.position.stones[own]);
        found.stones[own] = size(&stones, rows);
        owned[own] = stones;
        let mut left = basic[own];
        while let Some(mut piece) = first_point(&left, rows) {
            spread(&mut piece, &left, view.position.columns, rows);
            left = without(&left, &piece);
            let in_seki = view.is_in_seki(&piece, side, &basic[own]);
            if in_seki {
                add(&mut found.seki[own], &piece);
            } else {
                found.living[own] += 1;
            }
            if in_seki && rules.tax != Tax::None {
                counted.seki[own] += size(&without(&piece, &stones), rows);
            } else {
                add(&mut owned[own], &piece);
                counted.dead[other] += size(&both(&piece, &view.position.stones[other]), rows);
            }
        }
    }
    position.owned = owned;
    found
}

/// The living stones as a board.
fn board_of(position: &Position) -> Board {
    let mut board = Board::new(position.columns as u8, position.rows as u8);
    for side in [Side::First, Side::Second] {
        for (row, stones) in (0..).zip(&position.stones[side.index()]) {
            let mut left = *stones;
            while left != 0 {
                let point = board.point(left.trailing_zeros() as u8, row);
                board.edit(point, Some(side));
                left &= left - 1;
            }
        }
    }
    board.find_chains();
    board
}

/// The points that belong to each side.
fn basic_area(position: &Position, board: &Board, suicide: bool) -> [Bits; 2] {
    let mut held = [NOWHERE; 2];
    for side in [Side::First, Side::Second] {
        let life = life::unconditional(board, side, suicide);
        for point in board.points().filter(|point| life.holds(*point)) {
            let (column, row) = board.place(point);
            held[side.index()][usize::from(row)] |= 1 << column;
        }
    }
    [0, 1].map(|side: usize| {
        let mut area = without(&position.reached[side], &position.reached[1 - side]);
        add(&mut area, &position.stones[side]);
        let mut area = without(&area, &held[1 - side]);
        add(&mut area, &held[side]);
        area
    })
}

/// Empty points of nobody.
fn dame(position: &Position, basic: &[Bits; 2]) -> Bits {
    let mut dame = NOWHERE;
    let full = position.full_row();
    for (row, points) in dame.iter_mut().enumerate().take(position.rows) {
        let stones = position.stones[0][row] | position.stones[1][row];
        *points = full & !(stones | basic[0][row] | basic[1][row]);
    }
    dame
}

struct View<'a> {
    position: &'a Position,
    board: &'a Board,
    dame: Bits,
}

impl View<'_> {
    fn around(&self, set: &Bits) -> Bits {
        let mut around = NOWHERE;
        for (row, points) in around.iter_mut().enumerate().take(self.position.rows) {
            *points = beside(set, row, self.position.rows);
        }
        around
    }

    fn is_in_seki(&self, piece: &Bits, side: Side, basic: &Bits) -> bool {
        let stones = both(piece, &self.position.stones[side.index()]);
        if touches(&stones, &self.around(&self.dame)) {
            return true;
        }
        let attackers = without(&self.position.stones[side.other().index()], basic);
        let attacked = both(&stones, &self.around(&attackers));
        points(&attacked, self.position.rows).any(|stone| {
            let point = self.point(&stone);
            self.board.liberties(point, 2) == 1
        })
    }

    /// The only point of a set.
    fn point(&self, set: &Bits) -> Point {
        let row = set.iter().position(|row| *row != 0).unwrap_or(0);
        let column = set[row].trailing_zeros().min(63);
        self.board.point(column as u8, row as u8)
    }
}
