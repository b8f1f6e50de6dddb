//! How likely a counted margin is the agreed one, from measured agreement.
//!
//! Rates are of margins that came out exactly, on one half of 3,156 counted
//! records of servers, professionals and programs; README shows how they did
//! on the other half. Besides how clear the dead stones are, two things were
//! seen to matter, each by itself: whether playing on changes the margin, and
//! how records of a kind of counting are kept.

use super::{finish::Finished, score::Convention};
use crate::outcome::{Ending, Points};

/// By the points that playing on changes the margin by.
const CHANGED: [f32; 3] = [1.0, 0.78, 0.45];

/// Where more moves than this can still be played, a little more is lost.
const MANY_MOVES: usize = 14;
const AFTER_MANY_MOVES: f32 = 0.95;

/// Share of exact margins where all of that is as good as can be.
const ENDED_BY_PASSES: f32 = 0.98;
const BY_AREA: f32 = 0.98;
const BY_FLOOD: f32 = 0.945;
const BY_STRICT: f32 = 0.92;

/// What remains of the confidence in the dead stones at the end of a record:
/// by how the play ended, how it is counted, and what playing on changes.
pub(super) fn of_end(ended: Ending, convention: Convention, finished: &Finished) -> f32 {
    let kind = match convention {
        _ if ended == Ending::Passes => ENDED_BY_PASSES,
        Convention::Area | Convention::AreaDameIgnored => BY_AREA,
        Convention::TerritoryFlood => BY_FLOOD,
        Convention::TerritoryStrict | Convention::TerritoryFinished => BY_STRICT,
    };
    let steps = [Points::ZERO, Points::whole(1)];
    let step = steps
        .iter()
        .filter(|most| finished.changed > **most)
        .count();
    let many = if finished.moves.len() > MANY_MOVES {
        AFTER_MANY_MOVES
    } else {
        1.0
    };
    kind * CHANGED[step] * many
}
