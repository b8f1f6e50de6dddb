//! A player for a game that goes on.

use super::{
    board::{Board, Point},
    position::Position,
    rules::Rules,
};
use crate::{
    outcome::Side,
    search::{Found, Limits, Live, Stop},
};

/// Plays a game with somebody else: knows the stones, and thinks.
pub struct LivePlayer {
    rules: Rules,
    board: Board,
    search: Live<Position>,
}

impl LivePlayer {
    /// A player at an empty board of so many columns and rows (1 to
    /// [`MAX_SIZE`](super::MAX_SIZE); more are cut off), which thinks on so many
    /// threads and with so many megabytes.
    ///
    /// # Errors
    /// One sentence where there is not that much memory.
    pub fn new(
        size: (u8, u8),
        rules: Rules,
        threads: usize,
        megabytes: usize,
    ) -> Result<Self, String> {
        Ok(Self {
            rules,
            board: Board::new(size.0, size.1),
            search: Live::new(threads, megabytes)?,
        })
    }

    /// Thinks on so many threads and with so many megabytes from now on.
    ///
    /// # Errors
    /// One sentence where there is not that much memory; nothing has changed then.
    pub fn resize(&mut self, threads: usize, megabytes: usize) -> Result<(), String> {
        self.search.resize(threads, megabytes)
    }

    /// Goes by rules from now on.
    pub const fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Begins with an empty board of this size.
    pub fn clear(&mut self, (columns, rows): (u8, u8)) {
        self.board = Board::new(columns, rows);
    }

    /// Goes on from a board.
    pub fn set_board(&mut self, board: Board) {
        self.board = board;
    }

    /// The board.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is by the number of stones.
    #[must_use]
    pub fn turn(&self) -> Side {
        let [first, second] = self.board.count();
        match first <= second {
            true => Side::First,
            false => Side::Second,
        }
    }

    /// Puts a stone on a point.
    ///
    /// # Errors
    /// One sentence where it is not empty, or not on the board.
    pub fn put(&mut self, side: Side, at: Point) -> Result<(), String> {
        if !self.board.contains(at) {
            return Err("the point is not on the board".to_owned());
        }
        if !self.board.is_empty(at) {
            return Err("there is a stone on the point".to_owned());
        }
        self.board.put(side, at);
        Ok(())
    }

    /// Takes the stone off a point.
    ///
    /// # Errors
    /// One sentence where there is none.
    pub fn take(&mut self, at: Point) -> Result<(), String> {
        let side = self.board.contains(at).then(|| self.board.stone(at));
        let side = side.flatten().ok_or("there is no stone on the point")?;
        self.board.take(side, at);
        Ok(())
    }

    /// Looks for the best move of a side; none in the line where the game is over,
    /// a pass where every point is forbidden.
    pub fn think(
        &mut self,
        side: Side,
        limits: Limits,
        stop: &Stop,
        each: &mut dyn FnMut(&Found<Option<Point>>),
    ) -> Found<Option<Point>> {
        let position = Position::new(&self.board, &self.rules, side);
        self.search.search(&position, limits, &[], stop, each)
    }
}
