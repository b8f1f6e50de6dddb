//! Moves as records write them, read against a position and written for one.
//!
//! * Coordinates: ICCS `h2e2` and `H2-E2`, ranks from 0 at Red's side; as UCI
//!   with ranks from 1 (`h3e3`, `a10a9`).
//! * WXF: `C2=5`, `c2.5`, `H++7`, `+R-1`, full width too; `15=6` is the foremost
//!   of the soldiers on file 5 (World Xiangqi Federation).
//! * Chinese, traditional and simplified: 炮二平五, 马８进７, 前車退２, 三兵平六,
//!   前七进一, 前兵九平八. `一兵` is the foremost of three or more on a file; where two
//!   files have two or more, the first of all of them too, from the right (`Pa` in WXF).
//!   What means two moves then is ambiguous.
//! * As in chess, as XBoard writes: `Hg2`, `Cbe2`, `Pxe6`, `R3e5`, with ranks as in
//!   coordinates. Letters of pieces are capitals, those of files are not.
//!
//! Files count from the mover's right; *front* is nearer to the opponent.

mod read;
mod write;

pub use read::{Ranks, Unread, read};
pub(super) use write::glyph;
pub use write::{Script, chinese, coordinates, wxf};

use super::{
    piece::{FILES, Kind, Move, Piece, RANKS, Square},
    position::Position,
};
use crate::outcome::Side;

/// What the last sign of a move in WXF or Chinese says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Forward,
    Back,
    Level,
}

/// The file that a side gives a number, 1 to 9, from Red's left and 0.
fn file_of(side: Side, number: u8) -> u8 {
    match side {
        Side::First => FILES - number,
        Side::Second => number - 1,
    }
}

/// The number that a side gives a file.
fn number_of(side: Side, file: u8) -> u8 {
    match side {
        Side::First => FILES - file,
        Side::Second => file + 1,
    }
}

/// Where a piece comes to that goes some way to a file or so many steps, as a
/// side counts.
fn target(side: Side, kind: Kind, from: Square, way: Way, number: u8) -> Option<Square> {
    let rows = match (way, kind) {
        (Way::Level, _) => return Square::at(file_of(side, number), from.row()),
        (_, Kind::Advisor | Kind::Elephant | Kind::Horse) => {
            let across = file_of(side, number).abs_diff(from.file());
            match (kind, across) {
                (Kind::Horse, 1) | (Kind::Elephant, 2) => 2,
                (Kind::Horse, 2) | (Kind::Advisor, 1) => 1,
                _ => return None,
            }
        }
        _ => number,
    };
    let file = match kind {
        Kind::Advisor | Kind::Elephant | Kind::Horse => file_of(side, number),
        _ => from.file(),
    };
    let up = (way == Way::Forward) == (side == Side::First);
    let row = match up {
        true => from.row().checked_sub(rows)?,
        false => from.row() + rows,
    };
    Square::at(file, row)
}

/// A side's pieces of a kind on a file, the foremost first.
fn on_file(position: &Position, side: Side, kind: Kind, file: u8) -> impl Iterator<Item = Square> {
    let wanted = Piece::new(side, kind);
    position
        .on_file(side, file)
        .filter(move |square| position.piece(*square) == wanted)
}
