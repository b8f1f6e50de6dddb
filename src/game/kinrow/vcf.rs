//! Victory by continuous fours: each move of the attacker threatens to make a
//! line at once, so that the defender has one answer at most.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use super::{
    board::{Board, Direction, Point},
    foul::{self, Shape},
    pattern::{Windows, spread},
    rules::{Blocked, Fouls, Rules},
};
use crate::outcome::Side;

/// More fours than that in a row are not looked for; the longest known puzzles
/// have some 80.
const MAX_FOURS: usize = 128;

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A win: the moves of both sides in turn, the attacker's first. The last
    /// one makes a line, or leaves the defender two points to stop, or one that
    /// is forbidden to Black.
    Win(Vec<Point>),
    /// There is none.
    None,
    /// The limit of nodes was met before all was searched.
    Unknown,
}

impl Found {
    /// Whether there is a win, where that is known.
    pub(super) const fn is_win(&self) -> Option<bool> {
        match self {
            Self::Win(_) => Some(true),
            Self::None => Some(false),
            Self::Unknown => None,
        }
    }
}

/// Looks for wins by continuous fours.
#[derive(Clone, Debug, Default)]
pub struct Vcf {
    /// Positions with the attacker to move that lead to nothing.
    failed: HashSet<u64>,
    nodes: u32,
}

impl Vcf {
    /// Looks for a win of `side`, who is to move, in so many nodes.
    ///
    /// The board is as before when it returns.
    pub fn search(&mut self, board: &mut Board, rules: &Rules, side: Side, nodes: u32) -> Found {
        self.failed.clear();
        self.nodes = nodes;
        let mut line = Vec::new();
        let mut attack = Attack {
            search: self,
            board,
            rules,
            side,
        };
        match attack.wins(&mut line, key(attack.board)) {
            Some(true) => Found::Win(line),
            Some(false) => Found::None,
            None => Found::Unknown,
        }
    }

    /// Nodes that the last search did not need.
    pub(super) fn left(&self) -> u32 {
        self.nodes
    }
}

/// A search for one side on one board.
struct Attack<'a> {
    search: &'a mut Vcf,
    board: &'a mut Board,
    rules: &'a Rules,
    side: Side,
}

impl Attack<'_> {
    /// Whether the attacker, to move, wins; nothing where the nodes ran out.
    /// Goes as deep as [`MAX_FOURS`].
    fn wins(&mut self, line: &mut Vec<Point>, key: u64) -> Option<bool> {
        if let Some(at) = winning(self.board, self.rules, self.side).first() {
            line.push(*at);
            return Some(true);
        }
        if self.search.failed.contains(&key) || line.len() >= 2 * MAX_FOURS {
            return Some(false);
        }
        // A four, an answer and a line, before the game is drawn.
        if self.board.empty() < u32::from(self.rules.draw_at) + 3 {
            return Some(false);
        }
        self.search.nodes = self.search.nodes.checked_sub(1)?;
        let threats = winning(self.board, self.rules, self.side.other());
        let candidates = match threats[..] {
            [] => fours(self.board, self.rules, self.side),
            // A four must stop the defender's own.
            [only] => vec![only],
            _ => Vec::new(),
        };
        let mut known = true;
        for at in candidates {
            match self.try_four(at, line, key) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => {
                    known = false;
                    break;
                }
            }
        }
        if known {
            self.search.failed.insert(key);
        }
        known.then_some(false)
    }

    /// Whether a four on a point wins.
    fn try_four(&mut self, at: Point, line: &mut Vec<Point>, key: u64) -> Option<bool> {
        let is_black = self.side == Side::First && self.rules.fouls != Fouls::Off;
        if is_black && foul::shape(self.board, at, self.rules.five_eye).is_foul() {
            return Some(false);
        }
        self.board.put(self.side, at);
        let fives = fives_through(self.board, self.rules, self.side, at);
        let stops = stops(self.board, self.rules, self.side, fives);
        let depth = line.len();
        line.push(at);
        let won = match stops.as_deref() {
            Some([answer]) => self.answered(*answer, line, key ^ hash(self.side, at)),
            // Nothing stops all of them.
            Some([]) => Some(true),
            // A line that can be blocked in several ways is not followed.
            _ => Some(false),
        };
        self.board.take(self.side, at);
        if won != Some(true) {
            line.truncate(depth);
        }
        won
    }

    /// Whether the attacker wins when the defender gives the only answer.
    fn answered(&mut self, answer: Point, line: &mut Vec<Point>, key: u64) -> Option<bool> {
        let defender = self.side.other();
        if defender == Side::First && self.rules.fouls != Fouls::Off {
            match foul::shape(self.board, answer, self.rules.five_eye) {
                Shape::Five => return Some(false),
                shape if shape.is_foul() => return Some(true),
                _ => {}
            }
        } else if self.board.wins(self.rules, defender, answer) {
            return Some(false);
        }
        self.board.put(defender, answer);
        line.push(answer);
        let won = self.wins(line, key ^ hash(defender, answer));
        self.board.take(defender, answer);
        won
    }
}

/// Empty points on which a side's stone makes a line that wins, row by row.
#[must_use]
pub(super) fn winning(board: &Board, rules: &Rules, side: Side) -> Vec<Point> {
    let mut points = lacking(board, side, u32::from(rules.line), 1);
    points.retain(|at| board.wins(rules, side, *at));
    points
}

/// The points on which a stone of the opponent leaves a side none of the points
/// where it would make a line; nothing where there are no such points.
///
/// Where a line blocked at both ends is none, its ends may stop it as well, and
/// one stone may stop two lines.
pub(super) fn stops(
    board: &mut Board,
    rules: &Rules,
    side: Side,
    fives: Vec<Point>,
) -> Option<Vec<Point>> {
    match (fives.len(), rules.blocked) {
        (0, _) => None,
        (1, Blocked::None) => Some(fives),
        (_, Blocked::None) => Some(Vec::new()),
        (_, Blocked::Both) => {
            let mut points = fives.clone();
            for five in fives {
                points.extend(ends(board, rules, side, five));
            }
            points.sort_unstable();
            points.dedup();
            points.retain(|at| {
                board.put(side.other(), *at);
                let is_stopped = winning(board, rules, side).is_empty();
                board.take(side.other(), *at);
                is_stopped
            });
            Some(points)
        }
    }
}

/// The empty points next to the rows that a side's stone on a point completes.
pub(super) fn ends(board: &Board, rules: &Rules, side: Side, at: Point) -> Vec<Point> {
    let mut points = Vec::new();
    for direction in Direction::ALL {
        let run = board.run(side, at, direction);
        if rules.wins(side, run.length, run.both_ends) {
            let before = -(run.before as i32) - 1;
            let ends = [before, before + run.length as i32 + 1];
            points.extend(ends.into_iter().filter_map(|by| direction.step(at, by)));
        }
    }
    points.retain(|at| board.is_empty(*at));
    points
}

/// Points on which a side's stone may threaten to make a line.
fn fours(board: &Board, rules: &Rules, side: Side) -> Vec<Point> {
    lacking(board, side, u32::from(rules.line), 2)
}

/// Empty points of windows of `length` points that have no stone of the
/// opponent and lack so many of their own (1 to 4), row by row.
pub(super) fn lacking(board: &Board, side: Side, length: u32, missing: usize) -> Vec<Point> {
    let mut points = Vec::new();
    board.lines(|direction, first, line| {
        let (own, open) = (board.line(side, line), board.open(line));
        if own.count_ones() + (missing as u32) < length {
            return;
        }
        let windows = Windows::of(own, open, length).lacking(missing);
        let mut wanted = spread(windows, 0, length) & open;
        while wanted != 0 {
            let bit = wanted.trailing_zeros();
            points.extend(board.on_line(direction, first, bit));
            wanted &= wanted - 1;
        }
    });
    points.sort_unstable();
    points.dedup();
    points
}

/// Empty points on lines through a stone on which one more makes a line that
/// wins.
fn fives_through(board: &Board, rules: &Rules, side: Side, stone: Point) -> Vec<Point> {
    let reach = i32::from(rules.line) - 1;
    let mut points: Vec<Point> = Direction::ALL
        .into_iter()
        .flat_map(|direction| (-reach..=reach).filter_map(move |by| direction.step(stone, by)))
        .filter(|at| board.is_empty(*at) && board.wins(rules, side, *at))
        .collect();
    points.sort_unstable();
    points.dedup();
    points
}

/// A number for a stone on a point.
pub(super) fn hash(side: Side, at: Point) -> u64 {
    xxh3_64(&[side as u8, at.row, at.column])
}

/// A number for a position.
pub(super) fn key(board: &Board) -> u64 {
    board
        .points()
        .filter_map(|at| board.stone(at).map(|side| hash(side, at)))
        .fold(0, |key, hash| key ^ hash)
}
