//! Xiangqi, Chinese chess.

mod chase;
pub mod fen;
mod limit;
mod material;
pub mod notation;
mod piece;
mod position;
mod repetition;

pub use limit::Limit;
pub use material::Material;
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
