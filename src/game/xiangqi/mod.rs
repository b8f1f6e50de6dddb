//! Xiangqi, Chinese chess.
//!
//! A record is replayed on a [`Position`], each token read by [`notation`] and
//! held against the legal moves. The end is judged by the moves that are left,
//! then by the [`Rules`] on repetition, captures and material.

mod board;
mod chase;
mod evaluate;
mod explain;
pub mod fen;
mod judge;
mod limit;
mod live;
mod mate;
mod material;
pub mod notation;
mod opening;
mod pgn;
mod piece;
mod position;
mod repetition;
mod replay;
mod rules;
mod selfplay;

use std::io;

pub use board::Board;
pub use judge::XiangqiJudge;
pub use limit::Limit;
pub use live::LivePlayer;
pub use mate::{Found, MateSearch};
pub use material::Material;
pub use piece::{FILES, Kind, Move, Piece, RANKS, Square};
pub use position::{Position, Unusable};
pub use repetition::{History, Repetition, Tier, Verdict};
pub use rules::Rules;

use super::{Game, Judge, SelfPlay, Settings};
use crate::outcome::Side;

/// Xiangqi.
pub struct Xiangqi;

impl Game for Xiangqi {
    fn name(&self) -> &'static str {
        "xiangqi"
    }

    fn sides(&self) -> [&'static str; 2] {
        ["red", "black"]
    }

    fn check_rules(&self, text: &str) -> Result<(), String> {
        Rules::parse(text).map(|_| ())
    }

    fn check(&self, settings: &Settings) -> Result<(), String> {
        XiangqiJudge::new(settings).map(|_| ())
    }

    fn judge_for(&self, settings: &Settings) -> io::Result<Box<dyn Judge>> {
        let judge = XiangqiJudge::new(settings).map_err(io::Error::other)?;
        Ok(Box::new(judge))
    }

    fn selfplay(&self) -> Option<&dyn SelfPlay> {
        Some(self)
    }
}

/// What rows call a side.
const fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "red",
        Side::Second => "black",
    }
}
