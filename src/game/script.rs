//! What was set up and played, as bytes: for hashes of games on boards.

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::{chain::Chain, point::Token};
use crate::outcome::Side;

/// A step of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A move.
    Play(Side, Token),
    /// A point, column and row, gets a stone or is made empty.
    Stone(Option<Side>, u8, u8),
}

/// Size, set-up and moves: three bytes for each step.
///
/// The set-up is the stones it leaves, whatever the order they were put in.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    steps: Vec<[u8; 3]>,
    /// Where the set-up ends.
    setup: usize,
}

impl Script {
    pub(crate) const fn new() -> Self {
        Self {
            steps: Vec::new(),
            setup: 0,
        }
    }

    /// Begins a game on a board of some columns and rows; `game` tells games
    /// with the same moves apart.
    pub(crate) fn begin(&mut self, (columns, rows): (u8, u8), game: u8) {
        self.steps.clear();
        self.steps.push([columns, rows, game]);
        self.setup = 1;
    }

    /// Makes room for more steps.
    pub(crate) fn reserve(&mut self, steps: usize) {
        self.steps.reserve(steps);
    }

    /// A stone of the set-up.
    pub(crate) fn set_up(&mut self, side: Side, column: u8, row: u8) {
        self.steps.push([2 + side as u8, column, row]);
        self.setup = self.steps.len();
    }

    /// A move on a point, a pass, or a token that is neither.
    pub(crate) fn play(&mut self, side: Side, token: Token) {
        let (column, row) = match token {
            Token::At(column, row) => (column, row),
            Token::Pass | Token::PassOutside => (255, 255),
            Token::Invalid => (254, 254),
        };
        self.steps.push([side as u8, column, row]);
    }

    /// An edit of the board after the first move; no stone clears the point.
    pub(crate) fn edit(&mut self, stone: Option<Side>, column: u8, row: u8) {
        let kind = stone.map_or(4, |side| 2 + side as u8);
        self.steps.push([kind, column, row]);
    }

    /// What was set up and played, in order.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step> {
        let side = |kind: u8| match kind & 1 {
            0 => Side::First,
            _ => Side::Second,
        };
        self.steps
            .iter()
            .skip(1)
            .map(move |[kind, column, row]| match kind {
                0 | 1 => Step::Play(
                    side(*kind),
                    match column {
                        255 => Token::Pass,
                        254 => Token::Invalid,
                        _ => Token::At(*column, *row),
                    },
                ),
                2 | 3 => Step::Stone(Some(side(*kind)), *column, *row),
                _ => Step::Stone(None, *column, *row),
            })
    }

    /// Hash of board size, set-up and moves.
    pub(crate) fn hash(&self) -> u128 {
        xxh3_128(self.steps.as_flattened())
    }

    /// The smallest hash over the symmetries of the board.
    pub(crate) fn canonical_hash(&self) -> u128 {
        let Some(&[columns, rows, _]) = self.steps.first() else {
            return 0;
        };
        let mut turned = self.steps.clone();
        let hashes = (0..symmetries(columns, rows)).map(|symmetry| {
            for (to, step) in turned.iter_mut().zip(&self.steps).skip(1) {
                *to = turn(*step, symmetry, (columns, rows));
            }
            turned[1..self.setup].sort_unstable_by_key(in_board_order);
            xxh3_128(turned.as_flattened())
        });
        hashes.min().unwrap_or_default()
    }

    /// Keys of the game after each step since the set-up, the same under the
    /// symmetries of the board.
    pub(crate) fn chain(&self) -> Vec<u64> {
        let Some(&[columns, rows, _]) = self.steps.first() else {
            return Vec::new();
        };
        let (setup, steps) = self.steps.split_at(self.setup);
        let mut turned = setup.to_vec();
        let heads = (0..symmetries(columns, rows)).map(|symmetry| {
            for (to, step) in turned.iter_mut().zip(setup).skip(1) {
                *to = turn(*step, symmetry, (columns, rows));
            }
            turned[1..].sort_unstable_by_key(in_board_order);
            xxh3_64(turned.as_flattened())
        });
        let mut chain = Chain::begin(heads.collect());
        for step in steps {
            chain.push(|symmetry| {
                let [kind, column, row] = turn(*step, symmetry, (columns, rows));
                u64::from_le_bytes([kind, column, row, 0, 0, 0, 0, 0])
            });
        }
        chain.keys()
    }
}

/// How many symmetries a board has.
const fn symmetries(columns: u8, rows: u8) -> usize {
    if columns == rows { 8 } else { 4 }
}

/// A step under one symmetry of a board of some columns and rows; passes and
/// what is no point stay as they are.
fn turn(step: [u8; 3], symmetry: usize, (columns, rows): (u8, u8)) -> [u8; 3] {
    let [kind, mut column, mut row] = step;
    if column < 254 {
        if symmetry & 1 != 0 {
            column = columns - 1 - column;
        }
        if symmetry & 2 != 0 {
            row = rows - 1 - row;
        }
        if symmetry & 4 != 0 {
            (column, row) = (row, column);
        }
    }
    [kind, column, row]
}

/// In the order of the board, row by row.
const fn in_board_order(&[kind, column, row]: &[u8; 3]) -> [u8; 3] {
    [row, column, kind]
}
