//! `.pos`, a game of zjrenju in bytes: the number of moves, then a byte for
//! each, row * 15 + column from 0, row 0 the top one. Black moves first. There
//! is no result inside.

use std::{ffi::OsStr, path::Path};

use super::{Context, Format, Piece, Reading, SplitState, naming, whole};
use crate::{
    outcome::Side,
    record::{Arena, Notation, Place, ReadError, Record, StepKind, Warning, sgf_point},
};

/// The `.pos` format.
pub struct Pos;

const SIDE: u8 = 15;

impl Format for Pos {
    fn name(&self) -> &'static str {
        "pos"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pos"]
    }

    /// Bytes say too little of what they are, so the name has to say it too.
    fn sniff(&self, path: &Path, head: &[u8]) -> bool {
        let named = path.extension().and_then(OsStr::to_str);
        let whole = head
            .split_first()
            .is_some_and(|(count, points)| usize::from(*count) == points.len());
        named.is_some_and(|name| name.eq_ignore_ascii_case("pos"))
            && whole
            && head.iter().skip(1).all(|point| *point < SIDE * SIDE)
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        whole::split_raw(state, window, eof, each)
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        _: Piece,
        context: &'a Context,
        _: &'a Arena,
    ) -> Reading<'a> {
        read(bytes, context)
    }
}

fn read<'a>(bytes: &'a [u8], context: &'a Context) -> Reading<'a> {
    let mut record = Record::empty(bytes);
    record.game = Some("renju");
    record.size = Some((SIDE, SIDE));
    record.notation = Notation::Sgf;
    record.rules = naming::rules(&context.path);
    let (count, points) = bytes.split_first().unwrap_or((&0, b""));
    let count = usize::from(*count);
    let mut side = Side::First;
    for (at, point) in points.chunks(1).enumerate().take(count) {
        // A byte beyond the board stays as it is, and the replay stops there.
        let token = match point {
            [place] if *place < SIDE * SIDE => sgf_point(place % SIDE, place / SIDE),
            other => other,
        };
        whole::step(&mut record, StepKind::Play(side), token, at + 1);
        side = side.other();
    }
    if points.len() > count {
        let warning = Warning::new("trailing_bytes", Place::Byte(count as u32 + 1));
        record.warnings.push(warning);
    }
    if record.steps.is_empty() {
        let error = ReadError::new(
            "no_moves",
            "there is no move: the first byte is their number, and a byte for each follows",
        );
        return Reading::Broken(record, error);
    }
    whole::check_count(&mut record, u32::try_from(count).ok());
    Reading::Game(record)
}
