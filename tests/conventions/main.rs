//! Every way of counting against positions whose counts others have
//! established, in all eight symmetries and with the colours swapped.
#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;
mod passes;
mod suites;

use std::{fs, path::Path};

use kifu::{
    game::go::{Board, Cell, Point},
    outcome::Side,
};
use serde_json::Value;

/// The lines of a suite.
fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(!lines.is_empty(), "{}", path.display());
    lines
}

/// The rows of a diagram, in a value.
fn rows(value: &Value) -> Vec<String> {
    let text = |row: &Value| row.as_str().unwrap().to_owned();
    value.as_array().unwrap().iter().map(text).collect()
}

/// Columns and rows of points in a list.
fn places(value: &Value) -> Vec<(u8, u8)> {
    let place = |point: &Value| {
        let at = |which: usize| point[which].as_u64().unwrap() as u8;
        (at(0), at(1))
    };
    value
        .as_array()
        .map_or(Vec::new(), |points| points.iter().map(place).collect())
}

/// A way to turn, mirror and recolour a position.
#[derive(Clone, Copy, Debug)]
struct View {
    /// Swap columns and rows, then mirror columns, then rows.
    turns: [bool; 3],
    swapped: bool,
}

impl View {
    const COUNT: usize = 16;

    fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(|number| Self {
            turns: [number & 1 > 0, number & 2 > 0, number & 4 > 0],
            swapped: number & 8 > 0,
        })
    }

    /// Where a point of a board of some size goes.
    fn place(self, (mut column, mut row): (u8, u8), (mut columns, mut rows): (u8, u8)) -> (u8, u8) {
        let [across, columns_mirrored, rows_mirrored] = self.turns;
        if across {
            (column, row) = (row, column);
            (columns, rows) = (rows, columns);
        }
        if columns_mirrored {
            column = columns - 1 - column;
        }
        if rows_mirrored {
            row = rows - 1 - row;
        }
        (column, row)
    }

    fn side(self, side: Side) -> Side {
        if self.swapped { side.other() } else { side }
    }

    /// Two things of both sides, as they are in this view.
    fn pair<T: Copy>(self, [first, second]: [T; 2]) -> [T; 2] {
        if self.swapped {
            [second, first]
        } else {
            [first, second]
        }
    }

    /// A position in this view.
    fn board(self, rows: &[String], prisoners: [u32; 2]) -> Board {
        let size = (rows[0].len() as u8, rows.len() as u8);
        let (columns, height) = if self.turns[0] {
            (size.1, size.0)
        } else {
            size
        };
        let mut board = Board::new(columns, height);
        for (row, text) in (0..).zip(rows) {
            for (column, sign) in (0..).zip(text.bytes()) {
                let side = match sign {
                    b'X' => Side::First,
                    b'O' => Side::Second,
                    _ => continue,
                };
                let (column, row) = self.place((column, row), size);
                board.edit(board.point(column, row), Some(self.side(side)));
            }
        }
        board.find_chains();
        board.set_prisoners(self.pair(prisoners));
        board
    }

    /// Points of a position in this view, in order.
    fn points(self, board: &Board, places: &[(u8, u8)]) -> Vec<Point> {
        let size = board.size();
        let size = if self.turns[0] {
            (size.1, size.0)
        } else {
            size
        };
        let point = |place: &(u8, u8)| {
            let (column, row) = self.place(*place, size);
            board.point(column, row)
        };
        let mut points: Vec<Point> = places.iter().map(point).collect();
        points.sort_unstable();
        points
    }

    /// What is known of the points of this view, as a diagram before the turn:
    /// `B` and `W` for owners.
    fn diagram(self, board: &Board, owner: impl Fn(Point) -> i8) -> Vec<String> {
        let size = board.size();
        let (columns, rows) = if self.turns[0] {
            (size.1, size.0)
        } else {
            size
        };
        let letter = |column, row| {
            let (column, row) = self.place((column, row), (columns, rows));
            let owner = owner(board.point(column, row));
            let owner = if self.swapped { -owner } else { owner };
            ['W', '.', 'B'][(owner + 1) as usize]
        };
        (0..rows)
            .map(|row| (0..columns).map(|column| letter(column, row)).collect())
            .collect()
    }
}

/// Whether a living stone stands on a point.
fn lives(board: &Board, dead: &[Point], point: Point) -> bool {
    board.cell(point) != Cell::Empty && dead.binary_search(&point).is_err()
}
