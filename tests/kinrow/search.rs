//! The search: fixed positions, plain minimax by its side, and boards turned
//! about.

use kifu::{
    game::kinrow::{Blocked, Board, Fouls, Move, Overline, Point, Position, Rules, Searcher, shape},
    outcome::Side,
    search::{Found, Limits, Parts, Score, Search, Searchable, Verdict},
};

use crate::{naive::board, suites::turned};

/// Random numbers: xorshift64 (Marsaglia 2003).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, number: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % number
    }
}

/// Every kind of rules, with a size of board.
const RULES: [(&str, u8, u8); 11] = [
    ("freestyle", 7, 7),
    ("standard", 8, 7),
    ("renju", 9, 9),
    ("caro", 7, 8),
    ("caro-standard", 8, 8),
    ("renju,fouls=claimed,five_eye=counts", 8, 8),
    ("standard,draw_at=30", 7, 7),
    ("tictactoe", 3, 3),
    ("kinrow,line=4", 6, 7),
    ("kinrow,line=4,overline=ignored,blocked=both", 6, 6),
    ("kinrow,line=6", 9, 8),
];

/// The position of a random game, not ended, and its side to move; dense enough
/// for threats. Moves stay near each other.
fn random_position(random: &mut Random, rules: &Rules, size: (u8, u8), most: usize) -> Position {
    loop {
        let mut position = Position::new(&Board::new(size.0, size.1), rules, Side::First);
        for _ in 0..random.below(most) {
            let moves = near(&position);
            if moves.is_empty() {
                break;
            }
            let at = moves[random.below(moves.len())];
            let won = position.board().wins(rules, position.turn(), at);
            if !won && position.make(Some(at)) && position.ended().is_some() {
                position.unmake();
                break;
            }
        }
        if position.ended().is_none() {
            return position;
        }
    }
}

fn diagram(board: &Board) -> Vec<String> {
    let (columns, rows) = board.size();
    let sign = |row, column| match board.stone(Point { row, column }) {
        Some(Side::First) => 'X',
        Some(Side::Second) => 'O',
        None => '.',
    };
    (0..rows)
        .map(|row| (0..columns).map(|column| sign(row, column)).collect())
        .collect()
}

/// A position in words, for messages.
fn shown(position: &Position) -> String {
    let board = diagram(position.board()).join("\n");
    format!("{}, {:?} to move\n{board}", position.rules(), position.turn())
}

// The moves a second time, by trying points.

fn empty(position: &Position) -> Vec<Point> {
    let board = position.board();
    board.points().filter(|at| board.is_empty(*at)).collect()
}

/// Empty points within two of a stone, or in the middle of an empty board.
fn near(position: &Position) -> Vec<Point> {
    let board = position.board();
    let (columns, rows) = board.size();
    let mut points = empty(position);
    if board.count() == [0, 0] {
        let is_middle = |at: u8, size: u8| (2 * at + 1).abs_diff(size) <= 1;
        points.retain(|at| is_middle(at.column, columns) && is_middle(at.row, rows));
        return points;
    }
    let stones: Vec<Point> = board.points().filter(|at| !board.is_empty(*at)).collect();
    let is_near = |at: &Point, stone: &Point| {
        at.row.abs_diff(stone.row) <= 2 && at.column.abs_diff(stone.column) <= 2
    };
    points.retain(|at| stones.iter().any(|stone| is_near(at, stone)));
    points
}

fn is_allowed(position: &Position, at: Point) -> bool {
    let rules = position.rules();
    position.turn() == Side::Second
        || rules.fouls == Fouls::Off
        || !shape(&mut position.board().clone(), at, rules.five_eye).is_foul()
}

/// Points where a side makes a line.
fn fives(board: &Board, rules: &Rules, side: Side) -> Vec<Point> {
    let empty = board.points().filter(|at| board.is_empty(*at));
    empty.filter(|at| board.wins(rules, side, *at)).collect()
}

/// The board with a stone more.
fn with(board: &Board, side: Side, at: Point) -> Board {
    let mut board = board.clone();
    board.put(side, at);
    board
}
