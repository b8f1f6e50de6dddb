//! Against exhaustive play on small boards: the opponent of the holder moves
//! first and may break any ko; the holder may not take back one.
//!
//! The opponent wins where it takes a stone that is kept, or has stones that
//! live unconditionally on, or unconditional territory over, a settled point. It
//! wins too where it stops and stones of it stay on settled points, as in a seki:
//! where the holder, moving on alone, cannot take them without leaving a kept
//! stone to be taken.

use super::*;
use crate::game::go::playout::Random;
use std::collections::HashMap;

/// A small position: a cell per point row by row.
type Cells = Vec<u8>;

const HOLDER: u8 = 0;
const OTHER: u8 = 1;
const EMPTY: u8 = 2;

struct Play {
    columns: usize,
    rows: usize,
    suicide: bool,
    holder: Side,
    /// Points with a kept stone of the holder.
    kept: Vec<usize>,
    /// Points that the holder holds.
    held: Vec<usize>,
    /// Plies searched without success for the opponent.
    searched: HashMap<Cells, u32>,
    /// Whether the holder takes what is on its points.
    cleared: HashMap<Cells, bool>,
}

impl Play {
    fn near(&self, point: usize) -> impl Iterator<Item = usize> + use<> {
        let (x, y, columns, rows) = (
            point % self.columns,
            point / self.columns,
            self.columns,
            self.rows,
        );
        let left = (x > 0).then(|| point - 1);
        let right = (x + 1 < columns).then(|| point + 1);
        let above = (y > 0).then(|| point - columns);
        let below = (y + 1 < rows).then(|| point + columns);
        [left, right, above, below].into_iter().flatten()
    }

    /// The chain of a stone, and whether it has a liberty.
    fn chain(&self, cells: &[u8], stone: usize) -> (Vec<usize>, bool) {
        let mut chain = vec![stone];
        let mut open = false;
        let mut next = 0;
        while let Some(&at) = chain.get(next) {
            next += 1;
            for near in self.near(at) {
                open |= cells[near] == EMPTY;
                if cells[near] == cells[stone] && !chain.contains(&near) {
                    chain.push(near);
                }
            }
        }
        (chain, open)
    }

    /// Plays a move; also the point of a ko that it made, or past the end.
    fn play(&self, from: &[u8], side: u8, point: usize, ko: usize) -> Option<(Cells, usize)> {
        if from[point] != EMPTY || (side == HOLDER && point == ko) {
            return None;
        }
        let mut cells = from.to_vec();
        cells[point] = side;
        let mut taken = Vec::new();
        for near in self.near(point) {
            if cells[near] == 1 - side {
                let (chain, open) = self.chain(&cells, near);
                if !open {
                    for &stone in &chain {
                        cells[stone] = EMPTY;
                    }
                    taken.extend(chain);
                }
            }
        }
        let (chain, open) = self.chain(&cells, point);
        if !open {
            if chain.len() == 1 || !self.suicide {
                return None;
            }
            for &stone in &chain {
                cells[stone] = EMPTY;
            }
        }
        let ko = match taken[..] {
            [one] if chain.len() == 1 => one,
            _ => cells.len(),
        };
        Some((cells, ko))
    }

    /// Whether a kept stone is gone.
    fn is_taken(&self, cells: &[u8]) -> bool {
        self.kept.iter().any(|&point| cells[point] != HOLDER)
    }

    /// Whether no stone of the opponent is on a held point.
    fn is_clear(&self, cells: &[u8]) -> bool {
        self.held.iter().all(|&point| cells[point] != OTHER)
    }

    /// Whether the holder, moving on alone, takes all that is on its points, and
    /// a kept stone can never be taken meanwhile.
    fn clears(&mut self, cells: &[u8]) -> bool {
        if self.is_clear(cells) {
            return true;
        }
        if let Some(&known) = self.cleared.get(cells) {
            return known;
        }
        // Nothing is gained by coming back.
        self.cleared.insert(cells.to_vec(), false);
        let end = cells.len();
        let clears = (0..end).any(|point| {
            let Some((after, _)) = self.play(cells, HOLDER, point, end) else {
                return false;
            };
            let mut answers = (0..end).filter_map(|at| self.play(&after, OTHER, at, end));
            !answers.any(|(answer, _)| self.is_taken(&answer)) && self.clears(&after)
        });
        self.cleared.insert(cells.to_vec(), clears);
        clears
    }

    fn is_lost(&self, cells: &[u8]) -> bool {
        if self.is_taken(cells) {
            return true;
        }
        if self.is_clear(cells) {
            return false;
        }
        let board = self.board(cells);
        let life = life::unconditional(&board, self.holder.other(), self.suicide);
        self.held.iter().any(|&at| {
            let point = board.point((at % self.columns) as u8, (at / self.columns) as u8);
            life.holds(point)
        })
    }

    fn board(&self, cells: &[u8]) -> Board {
        let mut board = Board::new(self.columns as u8, self.rows as u8);
        for (at, &cell) in cells.iter().enumerate() {
            let stone = match cell {
                HOLDER => Some(self.holder),
                OTHER => Some(self.holder.other()),
                _ => None,
            };
            let point = board.point((at % self.columns) as u8, (at / self.columns) as u8);
            board.edit(point, stone);
        }
        board.find_chains();
        board
    }

    /// Whether the opponent, to move, wins within a number of its moves.
    fn wins(&mut self, cells: &[u8], moves: u32, line: &mut Vec<(u8, usize)>) -> bool {
        if !self.clears(cells) {
            return true;
        }
        let known = self.searched.get(cells);
        if moves == 0 || known.is_some_and(|&done| done >= moves) {
            return false;
        }
        for point in 0..cells.len() {
            let Some((after, ko)) = self.play(cells, OTHER, point, cells.len()) else {
                continue;
            };
            line.push((OTHER, point));
            if self.is_lost(&after) || !self.holds(&after, ko, moves - 1, line) {
                return true;
            }
            line.pop();
        }
        self.searched.insert(cells.to_vec(), moves);
        false
    }

    /// Whether the holder, to move, holds out.
    fn holds(&mut self, cells: &[u8], ko: usize, moves: u32, line: &mut Vec<(u8, usize)>) -> bool {
        let length = line.len();
        if !self.wins(cells, moves, line) {
            return true;
        }
        let refuting = line.get(length..).unwrap_or_default().to_vec();
        line.truncate(length);
        // A point of the line that wins against a pass is the likely answer.
        let first = refuting.iter().map(|&(_, point)| point);
        let mut tried = vec![false; cells.len()];
        for point in first.chain(0..cells.len()) {
            if std::mem::replace(&mut tried[point], true) {
                continue;
            }
            let Some((after, _)) = self.play(cells, HOLDER, point, ko) else {
                continue;
            };
            line.push((HOLDER, point));
            if !self.is_lost(&after) && !self.wins(&after, moves, line) {
                line.truncate(length);
                return true;
            }
            line.truncate(length);
        }
        line.extend(refuting);
        false
    }
}

/// Plays against what each side holds of a position; how many points were held
/// by answers alone.
fn check(rows: &[String], suicide: bool, moves: u32) -> usize {
    let board = board(rows);
    let settled = settled(&board, suicide);
    let mut checked = 0;
    for side in [Side::First, Side::Second] {
        let mut view = View::new(&board, side, suicide);
        view.keep_safe();
        let (columns, height) = board.size();
        let index = |point: Point| {
            let (x, y) = board.place(point);
            usize::from(y) * usize::from(columns) + usize::from(x)
        };
        let points: Vec<Point> = board.points().collect();
        let is_held = |point: &Point| settled.owner[usize::from(*point)] == Some(side);
        let answering = points
            .iter()
            .filter(|point| {
                is_held(point) && settled.grounds[usize::from(**point)] == Grounds::Static
            })
            .count();
        if answering == 0 {
            continue;
        }
        checked += answering;
        // A stone is safe where its point is only if it is kept.
        for &point in &points {
            let at = usize::from(point);
            assert!(
                board.cell(point) != Cell::stone(side)
                    || settled.grounds[at] != Grounds::Static
                    || view.kept[at],
                "{:?} of {side:?}\n{}",
                board.place(point),
                rows.join("\n")
            );
        }
        let mut play = Play {
            columns: columns.into(),
            rows: height.into(),
            suicide,
            holder: side,
            kept: points
                .iter()
                .filter(|point| view.kept[usize::from(**point)])
                .map(|&point| index(point))
                .collect(),
            held: points
                .iter()
                .filter(|point| is_held(point))
                .map(|&point| index(point))
                .collect(),
            searched: HashMap::new(),
            cleared: HashMap::new(),
        };
        let cells: Cells = points
            .iter()
            .map(|&point| match board.cell(point).side() {
                Some(stone) if stone == side => HOLDER,
                Some(_) => OTHER,
                None => EMPTY,
            })
            .collect();
        let mut line = Vec::new();
        assert!(
            !play.wins(&cells, moves, &mut line),
            "suicide {suicide}, {side:?} loses by {line:?}\n{}\n\n{}",
            rows.join("\n"),
            owners(&board, &settled).join("\n")
        );
    }
    checked
}

/// A position with more stones of the first player than of the second, without
/// chains that have no liberty.
fn any(random: &mut Random, columns: usize, rows: usize) -> Vec<String> {
    let stones = [58, 72, 80][random.below(3)];
    let others = [4, 12, 25][random.below(3)];
    let text: Vec<String> = (0..rows)
        .map(|_| {
            (0..columns)
                .map(|_| match random.below(100) {
                    value if value < stones - others => 'X',
                    value if value < stones => 'O',
                    _ => '.',
                })
                .collect()
        })
        .collect();
    let board = board(&text);
    let letter = |x, y| {
        let point = board.point(x, y);
        match board.cell(point) {
            Cell::Empty => '.',
            _ if board.is_captured(point) => '.',
            Cell::First => 'X',
            _ => 'O',
        }
    };
    (0..rows as u8)
        .map(|y| (0..columns as u8).map(|x| letter(x, y)).collect())
        .collect()
}

fn check_many(seed: u64, count: usize, moves: u32, sizes: &[(usize, usize)]) {
    let mut random = Random::new(seed);
    for &(columns, rows) in sizes {
        let mut checked = 0;
        for number in 0..count {
            let rows = any(&mut random, columns, rows);
            checked += check(&rows, number % 4 == 0, moves);
        }
        println!("{columns}x{rows}: {checked} points held by answers");
        assert!(checked > 0 || columns * rows < 12);
    }
}

#[test]
fn one_common_liberty_of_three_blocks_is_no_pair() {
    let rows = ["XOXX", "X.XX", "OX..", ".XXX"].map(String::from);
    check(&rows, false, 3);
}

#[test]
fn a_seki_on_held_points_is_found() {
    // Claims too much: White's stone at the left cannot be taken, as Black would
    // be in atari first; nor has it two eyes.
    let rows = ["O.XXO.", ".XXOOO", "XXOO.O"].map(String::from);
    let board = board(&rows);
    let cells: Cells = board
        .points()
        .map(|point| match board.cell(point) {
            Cell::First => HOLDER,
            Cell::Second => OTHER,
            _ => EMPTY,
        })
        .collect();
    let kept = (0..cells.len()).filter(|&at| cells[at] == HOLDER);
    let mut play = Play {
        columns: 6,
        rows: 3,
        suicide: false,
        holder: Side::First,
        kept: kept.collect(),
        held: vec![0],
        searched: HashMap::new(),
        cleared: HashMap::new(),
    };
    assert!(!play.is_lost(&cells));
    assert!(play.wins(&cells, 0, &mut Vec::new()));
}

#[test]
fn exhaustive_play_takes_nothing_that_is_settled() {
    check_many(1, 300, 5, &[(3, 3), (4, 3), (4, 4), (5, 4)]);
}

#[test]
#[ignore = "takes minutes"]
fn longer_play_takes_nothing_that_is_settled() {
    let sizes = [(3, 3), (4, 3), (4, 4), (5, 3), (7, 3), (6, 3)];
    check_many(2, 8_000, 5, &sizes);
    check_many(3, 2_000, 4, &[(5, 4), (5, 5), (6, 4)]);
}

#[test]
fn exchanged_colours_exchange_what_is_settled() {
    let mut random = Random::new(4);
    for number in 0..200 {
        let rows = any(&mut random, 5 + number % 3, 5);
        let swapped: Vec<String> = rows
            .iter()
            .map(|row| row.replace('X', "x").replace('O', "X").replace('x', "O"))
            .collect();
        let (one, two) = (board(&rows), board(&swapped));
        let (here, there) = (settled(&one, false), settled(&two, false));
        for point in one.points().map(usize::from) {
            assert_eq!(here.owner[point], there.owner[point].map(Side::other));
            assert_eq!(here.grounds[point], there.grounds[point]);
        }
    }
}
