//! What a search says that a position is worth.

use super::{Reason, Spot};
use crate::{
    outcome::Side,
    search::{Found, Score},
};

/// Plies of a line that a row shows.
const LINE_PLIES: usize = 8;

/// What a position is worth, and the moves that say so. No proof, unless it is
/// said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worth {
    /// From the first player's view, whoever moves.
    pub score: Score,
    /// The best moves of both sides in turn, as the game names them.
    pub line: Vec<String>,
    /// The depth that was searched through, in plies; nothing where it is proven.
    pub depth: Option<u32>,
}

impl Worth {
    /// What a search found for the side to move.
    pub(super) fn of<M>(found: &Found<M>, turn: Side, name: impl Fn(&M) -> String) -> Self {
        Self {
            score: of_first(found.score, turn),
            line: found.line.iter().map(name).collect(),
            depth: Some(found.depth),
        }
    }

    /// A win of the side to move that was proven, by its line to the end.
    pub(super) fn proven(line: Vec<String>, winner: Side) -> Self {
        Self {
            score: of_first(Score::mates_in(line.len() as u32), winner),
            line,
            depth: None,
        }
    }

    /// `+312`, in hundredths; `mate-3` where the second player wins in three moves
    /// of his.
    #[must_use]
    pub fn text(&self) -> String {
        match (self.score.mate(), self.score.value()) {
            (Some(plies), value) => {
                let sign = if value > 0 { '+' } else { '-' };
                format!("mate{sign}{}", plies.div_ceil(2))
            }
            (None, 0) => "0".to_owned(),
            (None, value) => format!("{value:+}"),
        }
    }

    /// As a row has it.
    pub(super) fn reasons(&self) -> [Reason; 2] {
        let shown = self.line.iter().take(LINE_PLIES).map(String::as_str);
        let shown: Vec<&str> = shown.collect();
        [
            Reason::with("eval", self.text()),
            Reason::with("line", shown.join(",")),
        ]
    }
}

fn of_first(score: Score, side: Side) -> Score {
    match side {
        Side::First => score,
        Side::Second => -score,
    }
}

/// A move that could be made at the end, and what it is worth.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The point that it leads to; nothing for a pass.
    pub at: Option<Spot>,
    /// Its line begins with the move.
    pub worth: Worth,
}
