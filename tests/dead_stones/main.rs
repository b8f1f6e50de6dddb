//! Which stones are dead, against positions whose dead stones others have
//! established. Each test prints what it measured and every position where the
//! judge differs.
#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;
mod counts;
mod sekis;
mod sizes;
mod status;
mod suites;

use std::{collections::BTreeSet, fmt::Write, fs};

use kifu::{
    game::go::{Board, Cell, DeadStones, Point, Verdict},
    outcome::Side,
};
use serde_json::Value;

/// A position of a suite.
struct Case {
    id: String,
    value: Value,
    board: Board,
}

impl Case {
    fn new(value: Value) -> Self {
        let rows: Vec<&str> = texts(&value["rows"]).collect();
        let mut board = Board::new(rows[0].len() as u8, rows.len() as u8);
        for (row, text) in (0..).zip(&rows) {
            for (column, sign) in (0..).zip(text.bytes()) {
                let side = match sign {
                    b'X' => Some(Side::First),
                    b'O' => Some(Side::Second),
                    _ => None,
                };
                board.edit(board.point(column, row), side);
            }
        }
        board.find_chains();
        let id = value["id"].as_str().or(value["file"].as_str());
        Self {
            id: id.unwrap().to_owned(),
            board,
            value,
        }
    }

    fn judge(&self, judge: &mut DeadStones) -> Verdict {
        judge.judge(&self.board, self.value["suicide"].as_bool() == Some(true))
    }

    /// The points of a list of `[column, row]`.
    fn points(&self, list: &Value) -> BTreeSet<Point> {
        let at = |place: &Value, which: usize| place[which].as_u64().unwrap() as u8;
        let places = list.as_array().into_iter().flatten();
        places
            .map(|place| self.board.point(at(place, 0), at(place, 1)))
            .collect()
    }

    /// The point that GTP calls so.
    fn named(&self, name: &str) -> Point {
        let column = name.as_bytes()[0].to_ascii_uppercase();
        let column = column - b'A' - u8::from(column > b'I');
        let row: u8 = name[1..].parse().unwrap();
        self.board.point(column, self.board.size().1 - row)
    }

    /// The position with dead stones in small letters, and a sign for points
    /// about which somebody else disagrees.
    fn draw(&self, dead: &[Point], differs: impl Fn(Point) -> bool) -> String {
        let mut text = String::new();
        let (columns, rows) = self.board.size();
        for row in 0..rows {
            for column in 0..columns {
                let point = self.board.point(column, row);
                let small = dead.contains(&point);
                let sign = match self.board.cell(point) {
                    Cell::First => ['X', 'x'][usize::from(small)],
                    Cell::Second => ['O', 'o'][usize::from(small)],
                    _ => '.',
                };
                let mark = if differs(point) { '<' } else { ' ' };
                write!(text, "{sign}{mark}").unwrap();
            }
            text.push('\n');
        }
        text
    }
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let items = value.as_array().into_iter().flatten();
    items.map(|item| item.as_str().unwrap())
}

/// Prints how a suite went.
fn tell(suite: &str, good: usize, all: usize, misses: &[String]) {
    for miss in misses {
        println!("{miss}");
    }
    println!("{suite}: {good} of {all}");
}

/// The positions of a file, where it is at hand.
fn cases(file: &str) -> Option<Vec<Case>> {
    let path = common::reference(file)?;
    let text = fs::read_to_string(path).unwrap();
    let case = |line: &str| Case::new(serde_json::from_str(line).unwrap());
    Some(text.lines().map(case).collect())
}
