//! SGF, the Smart Game Format (FF 1 to 4) as it is found in archives.
//!
//! Two readers, openly: `scan` walks over the bytes of the main line and
//! puts up with the damage of real files; `strict` builds the whole tree with
//! the `sgf-parse` crate and refuses what it refuses. `split` cuts collections
//! into records for both.

mod property;
mod scan;
mod skip;
mod split;
mod strict;

pub(super) use scan::bad_size;

use std::path::Path;

pub(crate) use scan::parse_size;
pub(super) use skip::Skip;

use super::{Context, Format, Piece, Reading, SplitState};
use crate::record::Arena;

/// The SGF format.
pub struct Sgf;

impl Format for Sgf {
    fn name(&self) -> &'static str {
        "sgf"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["sgf"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        split::looks_like_sgf(head)
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

    fn begins_anew(&self) -> bool {
        true
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        piece: Piece,
        context: &'a Context,
        arena: &'a Arena,
    ) -> Reading<'a> {
        if context.strict {
            strict::read(bytes, piece, context, arena)
        } else {
            scan::read(bytes, piece, context)
        }
    }
}
