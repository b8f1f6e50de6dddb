//! Canonical orientation and colours of a position.
//!
//! A rectangle and its copy turned by a right angle have one form too.

use crate::{
    game::go::board::{Board, Point},
    outcome::Side,
};

/// One of the eight turns and reflections, with or without exchange of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game::go) struct Transform {
    flip_columns: bool,
    flip_rows: bool,
    transpose: bool,
    /// Whether colours are exchanged.
    pub(in crate::game::go) swap: bool,
}

impl Transform {
    /// All sixteen.
    pub(in crate::game::go) fn all() -> impl Iterator<Item = Self> {
        (0..16u8).map(|bits| Self {
            flip_columns: bits & 1 != 0,
            flip_rows: bits & 2 != 0,
            transpose: bits & 4 != 0,
            swap: bits & 8 != 0,
        })
    }

    /// -1 where colours are exchanged.
    pub(super) const fn sign(self) -> i32 {
        if self.swap { -1 } else { 1 }
    }

    pub(in crate::game::go) const fn size(self, (columns, rows): (u8, u8)) -> (u8, u8) {
        if self.transpose {
            (rows, columns)
        } else {
            (columns, rows)
        }
    }

    /// Where a point of the result comes from, on a board of the given size.
    pub(in crate::game::go) const fn source(
        self,
        (columns, rows): (u8, u8),
        (x, y): (u8, u8),
    ) -> (u8, u8) {
        let (x, y) = if self.transpose { (y, x) } else { (x, y) };
        (
            if self.flip_columns {
                columns - 1 - x
            } else {
                x
            },
            if self.flip_rows { rows - 1 - y } else { y },
        )
    }

    /// For each point of the turned board in row order, the point it comes from.
    pub(super) fn sources<'a>(
        self,
        original: &'a Board,
        turned: &'a Board,
    ) -> impl Iterator<Item = (Point, Point)> + 'a {
        turned.points().map(move |point| {
            let (x, y) = self.source(original.size(), turned.place(point));
            (point, original.point(x, y))
        })
    }
}

/// A position in canonical form and the ways to bring it there: more than one
/// where it is symmetric.
pub(super) struct Canonical {
    pub(super) board: Board,
    pub(super) ways: Vec<Transform>,
}

/// Brings a position to its canonical form: the smallest in the order of size,
/// then cells row by row.
pub(super) fn canonical(board: &Board) -> Canonical {
    let mut best: Option<((u8, u8), Vec<u8>)> = None;
    let mut ways = Vec::new();
    for way in Transform::all() {
        let key = (way.size(board.size()), cells(board, way));
        match best.as_ref().map(|old| key.cmp(old)) {
            Some(std::cmp::Ordering::Greater) => continue,
            Some(std::cmp::Ordering::Equal) => {}
            None | Some(std::cmp::Ordering::Less) => {
                best = Some(key);
                ways.clear();
            }
        }
        ways.push(way);
    }
    let (size, cells) = best.unwrap_or_default();
    Canonical {
        board: build(size, &cells),
        ways,
    }
}

/// The cells of a transformed board: 0 empty, 1 first, 2 second player.
fn cells(board: &Board, way: Transform) -> Vec<u8> {
    let (columns, rows) = way.size(board.size());
    let mut cells = Vec::with_capacity(usize::from(columns) * usize::from(rows));
    for y in 0..rows {
        for x in 0..columns {
            let (x, y) = way.source(board.size(), (x, y));
            cells.push(match board.cell(board.point(x, y)).side() {
                None => 0,
                Some(side) if (side == Side::First) != way.swap => 1,
                Some(_) => 2,
            });
        }
    }
    cells
}

fn build((columns, rows): (u8, u8), cells: &[u8]) -> Board {
    let mut board = Board::new(columns.max(1), rows.max(1));
    let points: Vec<Point> = board.points().collect();
    for (point, cell) in points.into_iter().zip(cells) {
        let stone = match cell {
            1 => Some(Side::First),
            2 => Some(Side::Second),
            _ => None,
        };
        if stone.is_some() {
            board.edit(point, stone);
        }
    }
    board.find_chains();
    board
}
