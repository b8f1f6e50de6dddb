//! Boards as text: final positions typed by hand or printed by a program.
//!
//! A board is rows of signs, one row a line, with or without blanks between
//! them:
//!
//! ```text
//! rules: chinese
//! to move: black
//!    A B C D E
//!  5 . X O . .  5
//!  4 X X O O .  4
//!  3 . X X O .  3
//!  2 . . X O .  2
//!  1 . X O O .  1
//!    A B C D E
//! 3.75zi
//! ```
//!
//! `signs` says what a sign stands for, `row` and `line` what a line is, `head`
//! what a line such as `rules: chinese` says; `split` cuts a text into records,
//! `read` reads one and `stones` puts its stones down. Boards of xiangqi have pieces
//! and a river, and are in `xiangqi`.

mod head;
mod line;
mod read;
mod row;
mod signs;
mod sniff;
mod split;
mod stones;
mod xiangqi;

use std::path::Path;

pub use xiangqi::XiangqiBoard;

use super::{Context, Format, Piece, Reading, SplitState};
use crate::record::Arena;

/// The format of boards as text.
pub struct Board;

impl Format for Board {
    fn name(&self) -> &'static str {
        "board"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["board"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        sniff::looks_like_board(head)
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        context: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        split::split(state, window, eof, context, each)
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        piece: Piece,
        context: &'a Context,
        _: &'a Arena,
    ) -> Reading<'a> {
        read::read(bytes, piece, context)
    }
}
