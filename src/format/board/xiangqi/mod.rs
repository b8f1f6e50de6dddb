//! Boards of xiangqi as text: ten rows of nine points.
//!
//! ```text
//! to move: black
//! 9 . . . a k a . . .
//! 8 . . . . . . . . .
//! 7 . . . . b . . . .
//! 6 . . . . . . . . .
//! 5 . . . . . . . . .
//!   ~~~~ 楚河 漢界 ~~~~
//! 4 . . . . . . . . .
//! 3 . . . . . . . . .
//! 2 . . . . C . . . .
//! 1 . . . . R . . . .
//! 0 . . . . K . . . .
//!   a b c d e f g h i
//! result: 1-0
//! ```
//!
//! Pieces are the letters of FEN, or Chinese signs where these tell the sides
//! apart. `signs` says what a sign stands for and `side` whose it is, `line` what
//! a line is; `split` cuts a text into records and `read` reads one.

mod line;
mod read;
mod side;
mod signs;
mod split;

use std::path::Path;

use super::super::{Context, Format, Piece, Reading, SplitState};
use crate::record::Arena;

/// The format of boards of xiangqi as text.
pub struct XiangqiBoard;

impl Format for XiangqiBoard {
    fn name(&self) -> &'static str {
        "xiangqi-board"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        split::looks_like_board(head)
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        split::split(state, window, eof, each)
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        piece: Piece,
        context: &'a Context,
        arena: &'a Arena,
    ) -> Reading<'a> {
        read::read(bytes, piece, context, arena)
    }
}
