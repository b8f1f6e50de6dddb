//! The search in one orientation of the board, so that it finds the same in all
//! of them.

use super::{
    board::{Board, Point},
    position::{Move, Position},
    rules::Rules,
};
use crate::{
    outcome::Side,
    search::{Found, Limits, Parts, Search},
};

/// The ways to turn a board about: a bit each for left and right, for top and
/// bottom, and for rows and columns exchanged, which comes last.
const TURNS: u8 = 8;

/// Searches positions, each in that orientation of its board that comes first:
/// what is found does not depend on the orientation it is handed over in.
///
/// Where a position looks the same in several of them, the move found is one of
/// several that are the same.
#[derive(Debug, Default)]
pub struct Searcher {
    search: Search<Position>,
}

impl Searcher {
    /// A searcher with some parts of the search.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self {
            search: Search::new(parts),
        }
    }

    /// Searches a position with a side to move; the line found is one of the
    /// board as it is handed over.
    pub fn search(
        &mut self,
        board: &Board,
        rules: &Rules,
        turn: Side,
        limits: Limits,
    ) -> Found<Move> {
        let how = first_turn(board);
        let mut position = Position::new(&turned(board, how), rules, turn);
        let mut found = self.search.search(&mut position, limits);
        turn_line_back(&mut found, board, how);
        found
    }

    /// The best moves of a position, at most so many, as
    /// [`Search::candidates`] finds them.
    pub fn candidates(
        &mut self,
        board: &Board,
        rules: &Rules,
        turn: Side,
        nodes: u64,
        most: usize,
    ) -> Vec<Found<Move>> {
        let how = first_turn(board);
        let mut position = Position::new(&turned(board, how), rules, turn);
        let mut found = self.search.candidates(&mut position, nodes, most);
        for found in &mut found {
            turn_line_back(found, board, how);
        }
        found
    }
}

/// The turn that leads to the orientation of a board that comes first.
fn first_turn(board: &Board) -> u8 {
    let (columns, rows) = board.size();
    let turns = match columns == rows {
        true => TURNS,
        false => TURNS / 2,
    };
    let first = (0..turns).min_by_key(|how| {
        // The stone that comes to each point.
        let came_from = board.points().map(|at| turned_back(at, board, *how));
        came_from.map(|at| board.stone(at)).collect::<Vec<_>>()
    });
    first.unwrap_or(0)
}

/// A board turned about.
fn turned(board: &Board, how: u8) -> Board {
    let (columns, rows) = board.size();
    let mut other = Board::new(columns, rows);
    for at in board.points() {
        if let Some(side) = board.stone(turned_back(at, board, how)) {
            other.put(side, at);
        }
    }
    other
}

fn turn_line_back(found: &mut Found<Move>, board: &Board, how: u8) {
    for at in found.line.iter_mut().flatten() {
        *at = turned_back(*at, board, how);
    }
}

/// Where a point of a board turned about comes from.
fn turned_back(at: Point, board: &Board, how: u8) -> Point {
    let (columns, rows) = board.size();
    let Point {
        mut row,
        mut column,
    } = at;
    if how & 4 != 0 {
        (row, column) = (column, row);
    }
    if how & 2 != 0 {
        row = rows - 1 - row;
    }
    if how & 1 != 0 {
        column = columns - 1 - column;
    }
    Point { row, column }
}
