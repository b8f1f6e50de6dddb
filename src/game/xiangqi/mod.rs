//! Xiangqi, Chinese chess.

mod chase;
pub mod fen;
pub mod notation;
mod piece;
mod position;
mod repetition;

pub use piece::{FILES, Kind, Move, Piece, RANKS, Square};
pub use position::{Position, Unusable};
pub use repetition::{History, Repetition, Tier, Verdict};

use crate::outcome::Side;

/// What rows call a side.
const fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "red",
        Side::Second => "black",
    }
}
