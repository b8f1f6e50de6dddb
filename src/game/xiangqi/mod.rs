//! Xiangqi, Chinese chess.

pub mod fen;
pub mod notation;
mod piece;
mod position;

pub use piece::{FILES, Kind, Move, Piece, RANKS, Square};
pub use position::{Position, Unusable};

use crate::outcome::Side;

/// What rows call a side.
const fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "red",
        Side::Second => "black",
    }
}
