//! k-in-a-row: tic-tac-toe, gomoku, caro, renju and any m,n,k game.

mod board;
mod explain;
mod foul;
mod judge;
mod live;
mod opening;
mod pattern;
mod point;
mod position;
mod replay;
mod resolve;
mod rules;
mod scan;
mod search;
mod searcher;
mod selfplay;
mod vcf;
mod vct;
mod written;

use std::io;

pub use board::{Board, MAX_SIZE, Point};
pub use foul::{Shape, shape};
pub use judge::KInRowJudge;
pub use live::LivePlayer;
pub use position::{Move, Position};
pub use rules::{Blocked, FiveEye, Fouls, Overline, Rules};
pub use searcher::Searcher;
pub use vcf::{Found, Vcf};
pub use vct::Vct;

use super::{Game, Judge, SelfPlay, Settings};

/// One of the games.
pub struct KInRow {
    name: &'static str,
    /// Rules where a record names none.
    preset: &'static str,
}

/// Tic-tac-toe.
pub static TICTACTOE: KInRow = KInRow::new("tictactoe", "tictactoe");
/// Gomoku: five in a row.
pub static GOMOKU: KInRow = KInRow::new("gomoku", "freestyle");
/// Caro: five in a row with an end that is not blocked.
pub static CARO: KInRow = KInRow::new("caro", "caro");
/// Renju: gomoku with moves forbidden to Black.
pub static RENJU: KInRow = KInRow::new("renju", "renju");
/// Any other number in a row.
pub static KINROW: KInRow = KInRow::new("kinrow", "kinrow");

impl KInRow {
    const fn new(name: &'static str, preset: &'static str) -> Self {
        Self { name, preset }
    }

    /// Rules where a record names none.
    fn preset(&self) -> Rules {
        Rules::preset(self.preset).unwrap_or(rules::PRESETS[0])
    }
}

impl Game for KInRow {
    fn name(&self) -> &'static str {
        self.name
    }

    fn sides(&self) -> [&'static str; 2] {
        ["black", "white"]
    }

    fn check_rules(&self, text: &str) -> Result<(), String> {
        Rules::parse(text).map(|_| ())
    }

    fn has_rules(&self, text: &str) -> bool {
        Rules::parse(text).is_ok_and(|rules| rules.game() == self.name)
    }

    fn check(&self, settings: &Settings) -> Result<(), String> {
        KInRowJudge::new(self, settings).map(|_| ())
    }

    fn judge_for(&self, settings: &Settings) -> io::Result<Box<dyn Judge>> {
        let judge = KInRowJudge::new(self, settings).map_err(io::Error::other)?;
        Ok(Box::new(judge))
    }

    fn selfplay(&self) -> Option<&dyn SelfPlay> {
        Some(self)
    }
}
