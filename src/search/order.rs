//! Which moves are tried first.

use super::{MAX_PLIES, Searchable};
use crate::outcome::Side;

/// Places of moves, from the first to the last: the one that was best before,
/// those that take something, those that refuted other moves, and the rest by
/// how often they did.
const BEST: i32 = i32::MAX;
const TAKES: i32 = 1 << 24;
const KILLER: i32 = 1 << 23;
/// Counts of refutations stay below the killers.
const MOST_HISTORY: i32 = 1 << 22;

/// What moves did elsewhere in the tree.
#[derive(Debug)]
pub(super) struct Order {
    /// The last two quiet moves that refuted something, for each ply.
    killers: Vec<[u16; 2]>,
    /// How often quiet moves refuted something, more for deep searches: for each
    /// side, by packed moves.
    history: [Vec<i32>; 2],
}

impl Order {
    pub(super) fn new<G: Searchable>() -> Self {
        Self {
            killers: vec![[0; 2]; MAX_PLIES + 1],
            history: [vec![0; G::PACKED], vec![0; G::PACKED]],
        }
    }

    /// Forgets everything.
    pub(super) fn restart(&mut self) {
        self.killers.fill([0; 2]);
        for side in &mut self.history {
            side.fill(0);
        }
    }

    /// The place of a move: higher ones first.
    pub(super) fn place<G: Searchable>(&self, game: &G, it: G::Move, ply: usize, best: u16) -> i32 {
        let packed = G::pack(it);
        if packed == best {
            return BEST;
        }
        let gain = game.gain(it);
        if gain > 0 {
            return TAKES + gain.min(G::MOST_GAIN);
        }
        match self.killers.get(ply) {
            Some([first, _]) if *first == packed => KILLER + 1,
            Some([_, second]) if *second == packed => KILLER,
            _ => {
                let history = &self.history[game.turn().index()];
                history.get(usize::from(packed)).copied().unwrap_or(0) + game.promise(it)
            }
        }
    }

    /// Notes that a quiet move refuted what led here.
    pub(super) fn refuted(&mut self, side: Side, packed: u16, ply: usize, depth: u32) {
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != packed
        {
            *killers = [packed, killers[0]];
        }
        let history = &mut self.history[side.index()];
        if let Some(count) = history.get_mut(usize::from(packed)) {
            let work = (depth * depth) as i32;
            *count = count.saturating_add(work).min(MOST_HISTORY);
        }
    }
}
