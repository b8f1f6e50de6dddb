//! A board as bits along its lines.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::rules::Rules;
use crate::outcome::Side;

/// The longest side of a board.
pub const MAX_SIZE: u8 = 52;

/// Bits beside each end of a line: a window of that many points to both sides
/// of any point stays within the word.
pub(super) const MARGIN: u32 = 6;

/// A point of a board, origin top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Row, from 0 at the top.
    pub row: u8,
    /// Column, from 0 at the left.
    pub column: u8,
}

/// A direction of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Direction {
    /// Along a row.
    Across,
    /// Along a column.
    Down,
    /// From the top left to the bottom right.
    Falling,
    /// From the bottom left to the top right.
    Rising,
}

impl Direction {
    pub(super) const ALL: [Self; 4] = [Self::Across, Self::Down, Self::Falling, Self::Rising];

    /// The point some steps further along, if it is on any board.
    pub(super) fn step(self, from: Point, steps: i32) -> Option<Point> {
        let (columns, rows) = match self {
            Self::Across => (steps, 0),
            Self::Down => (0, steps),
            Self::Falling => (steps, steps),
            Self::Rising => (steps, -steps),
        };
        let moved = |at: u8, by: i32| u8::try_from(i32::from(at) + by).ok();
        Some(Point {
            row: moved(from.row, rows)?,
            column: moved(from.column, columns)?,
        })
    }
}

/// Stones in a row through a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// How many, the point included.
    pub(super) length: u32,
    /// How many of them come before the point.
    pub(super) before: u32,
    /// Whether the opponent stands at both ends.
    pub(super) both_ends: bool,
}

/// A position: the stones of both sides, without history.
#[derive(Clone, Debug)]
pub struct Board {
    columns: u8,
    rows: u8,
    /// For each line of each direction, the points that are on the board.
    on_board: Vec<u64>,
    /// The same for the stones of each side.
    stones: [Vec<u64>; 2],
    /// Stones on the board of each side.
    count: [u32; 2],
}

impl Board {
    /// An empty board of 1 to [`MAX_SIZE`] columns and rows; more are cut off.
    #[must_use]
    pub fn new(columns: u8, rows: u8) -> Self {
        let (columns, rows) = (columns.clamp(1, MAX_SIZE), rows.clamp(1, MAX_SIZE));
        let (wide, high) = (usize::from(columns), usize::from(rows));
        let lines = high + wide + 2 * (high + wide - 1);
        let mut board = Self {
            columns,
            rows,
            on_board: vec![0; lines],
            stones: [vec![0; lines], vec![0; lines]],
            count: [0; 2],
        };
        for point in board.points() {
            for direction in Direction::ALL {
                let (line, bit) = board.place(direction, point);
                board.on_board[line] |= 1 << bit;
            }
        }
        board
    }

    /// Takes all stones off.
    pub fn clear(&mut self) {
        self.stones.iter_mut().for_each(|lines| lines.fill(0));
        self.count = [0; 2];
    }

    /// Columns and rows.
    #[must_use]
    pub fn size(&self) -> (u8, u8) {
        (self.columns, self.rows)
    }

    /// Every point, row by row from the top left.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| Point { row, column }))
    }

    /// Whether a point is on the board.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        point.column < self.columns && point.row < self.rows
    }

    /// The stone on a point.
    #[must_use]
    pub fn stone(&self, point: Point) -> Option<Side> {
        let (line, bit) = self.place(Direction::Across, point);
        let has = |side: Side| self.stones[side.index()][line] >> bit & 1 != 0;
        [Side::First, Side::Second]
            .into_iter()
            .find(|side| has(*side))
    }

    /// Whether a point of the board has no stone.
    #[must_use]
    pub fn is_empty(&self, point: Point) -> bool {
        self.contains(point) && self.stone(point).is_none()
    }

    /// Stones of each side.
    #[must_use]
    pub fn count(&self) -> [u32; 2] {
        self.count
    }

    /// Points without a stone.
    #[must_use]
    pub fn empty(&self) -> u32 {
        u32::from(self.columns) * u32::from(self.rows) - self.count[0] - self.count[1]
    }

    /// Hash of the stones and of the size.
    #[must_use]
    pub fn hash(&self) -> u64 {
        // Rows come first among the lines, and say all.
        let rows = usize::from(self.rows);
        let mut bytes = Vec::with_capacity(16 * rows);
        for lines in &self.stones {
            for line in &lines[..rows] {
                bytes.extend_from_slice(&line.to_le_bytes());
            }
        }
        xxh3_64_with_seed(&bytes, u64::from(self.columns))
    }

    /// Puts a stone on an empty point.
    #[inline]
    pub fn put(&mut self, side: Side, point: Point) {
        for direction in Direction::ALL {
            let (line, bit) = self.place(direction, point);
            self.stones[side.index()][line] |= 1 << bit;
        }
        self.count[side.index()] += 1;
    }

    /// Takes a stone off its point.
    #[inline]
    pub fn take(&mut self, side: Side, point: Point) {
        for direction in Direction::ALL {
            let (line, bit) = self.place(direction, point);
            self.stones[side.index()][line] &= !(1 << bit);
        }
        self.count[side.index()] -= 1;
    }

    /// The line through a point in a direction, and the point's bit in it.
    #[inline]
    pub(super) fn place(&self, direction: Direction, point: Point) -> (usize, u32) {
        let (column, row) = (usize::from(point.column), usize::from(point.row));
        let (columns, rows) = (usize::from(self.columns), usize::from(self.rows));
        let (line, at) = match direction {
            Direction::Across => (row, column),
            Direction::Down => (rows + column, row),
            Direction::Falling => (rows + columns + row + columns - 1 - column, column),
            Direction::Rising => (2 * (rows + columns) - 1 + row + column, column),
        };
        (line, at as u32 + MARGIN)
    }

    /// Hands over every line: its direction, the point of its first bit, and the
    /// number of the line.
    pub(super) fn lines(&self, mut each: impl FnMut(Direction, Point, usize)) {
        let (columns, rows) = (self.columns, self.rows);
        let mut add = |direction, row, column| {
            let first = Point { row, column };
            each(direction, first, self.place(direction, first).0);
        };
        for row in 0..rows {
            add(Direction::Across, row, 0);
            add(Direction::Falling, row, 0);
            add(Direction::Rising, row, 0);
        }
        for column in 0..columns {
            add(Direction::Down, 0, column);
            if column > 0 {
                add(Direction::Falling, 0, column);
                add(Direction::Rising, rows - 1, column);
            }
        }
    }

    /// The point of a bit of the line through its first point.
    pub(super) fn on_line(&self, direction: Direction, first: Point, bit: u32) -> Option<Point> {
        let (_, from) = self.place(direction, first);
        direction.step(first, bit as i32 - from as i32)
    }

    /// The stones of a side on a line, a bit for each point.
    #[inline]
    pub(super) fn line(&self, side: Side, line: usize) -> u64 {
        self.stones[side.index()][line]
    }

    /// The points of a line that are on the board and have no stone.
    #[inline]
    pub(super) fn open(&self, line: usize) -> u64 {
        self.on_board[line] & !self.stones[0][line] & !self.stones[1][line]
    }

    /// The run through a point in a direction, as if a side had a stone there.
    #[inline]
    pub(super) fn run(&self, side: Side, point: Point, direction: Direction) -> Run {
        let (line, bit) = self.place(direction, point);
        self.run_on(side, line, bit)
    }

    /// The run through a bit of a line, as if a side had a stone there.
    #[inline]
    fn run_on(&self, side: Side, line: usize, bit: u32) -> Run {
        let own = self.line(side, line);
        let after = (own >> (bit + 1)).trailing_ones();
        let before = (own << (64 - bit)).leading_ones();
        let other = self.line(side.other(), line);
        let both_ends = other >> (bit + 1 + after) & other >> (bit - 1 - before) & 1 != 0;
        Run {
            length: before + 1 + after,
            before,
            both_ends,
        }
    }

    /// The direction in which a side's stone on a point makes a line that wins,
    /// the stone being there already or not.
    #[inline]
    #[must_use]
    pub(super) fn line_through(
        &self,
        rules: &Rules,
        side: Side,
        point: Point,
    ) -> Option<(Direction, Run)> {
        Direction::ALL.into_iter().find_map(|direction| {
            let (line, bit) = self.place(direction, point);
            let run = self.winning_run(rules, side, line, bit)?;
            Some((direction, run))
        })
    }

    /// Puts a stone on an empty point, and gives the line that it makes, as
    /// [`Self::put`] and [`Self::line_through`] do.
    #[inline]
    pub(super) fn play(
        &mut self,
        rules: &Rules,
        side: Side,
        point: Point,
    ) -> Option<(Direction, Run)> {
        let mut won = None;
        for direction in Direction::ALL {
            let (line, bit) = self.place(direction, point);
            self.stones[side.index()][line] |= 1 << bit;
            if won.is_none() {
                let run = self.winning_run(rules, side, line, bit);
                won = run.map(|run| (direction, run));
            }
        }
        self.count[side.index()] += 1;
        won
    }

    /// The run through a bit of a line, if it wins.
    #[inline]
    fn winning_run(&self, rules: &Rules, side: Side, line: usize, bit: u32) -> Option<Run> {
        let own = self.line(side, line);
        let length = (own << (64 - bit)).leading_ones() + 1 + (own >> (bit + 1)).trailing_ones();
        if length < u32::from(rules.line) {
            return None;
        }
        let run = self.run_on(side, line, bit);
        rules.wins(side, length, run.both_ends).then_some(run)
    }

    /// Whether a side's stone on a point makes a line that wins.
    #[inline]
    #[must_use]
    pub fn wins(&self, rules: &Rules, side: Side, point: Point) -> bool {
        self.line_through(rules, side, point).is_some()
    }
}
