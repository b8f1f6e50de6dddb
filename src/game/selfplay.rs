//! Games that play themselves: what a game offers for it.

use std::sync::Arc;

use crate::outcome::{Ending, Outcome};

/// How games are played.
#[derive(Clone, Debug)]
pub struct Match {
    /// Positions that the search looks at for each move.
    pub nodes: u32,
    /// Plies after which a game is broken off.
    pub plies: u32,
    /// What random openings are drawn by.
    pub seed: u64,
    /// In which of the forms that the game has games are written.
    pub form: &'static str,
    /// How moves are written: a game's own word.
    pub notation: Option<String>,
    /// The rules, and points a side of the board; those of the game without.
    pub rules: Option<String>,
    pub size: Option<u8>,
    /// Openings, one a line, in the game's own words; random ones without.
    pub openings: Option<Arc<str>>,
}

/// A game that can be played by itself.
pub trait SelfPlay: Sync {
    /// The forms in which its games can be written, by the ends of names of files;
    /// the usual one first.
    fn forms(&self) -> &'static [&'static str];

    /// A player: one for each worker, with its memory.
    ///
    /// # Errors
    /// One sentence that says what of the match cannot be used: `line 3: …` where
    /// it is an opening.
    fn player(&self, plan: &Match) -> Result<Box<dyn Player>, String>;
}

/// Plays games, one after the other.
pub trait Player: Send {
    /// Plays the game of a round, from 1, and writes it down behind what is
    /// there. It is the same whatever was played before.
    fn play(&mut self, round: u64, out: &mut Vec<u8>) -> Played;
}

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who won; nothing where the game was broken off.
    pub outcome: Option<Outcome>,
    /// How it ended.
    pub ending: Ending,
    /// Moves made, those of the opening included.
    pub plies: u32,
}

/// Random openings are drawn so often; then the most balanced one is played.
const DRAWS: usize = 16;

/// One of some openings that are drawn, each with how far a side is ahead after it:
/// the first that is balanced enough, else the one that is most. Nothing where none
/// can be played.
pub(crate) fn balanced<G>(enough: i32, mut draw: impl FnMut() -> Option<(i32, G)>) -> Option<G> {
    let mut best: Option<(i32, G)> = None;
    for _ in 0..DRAWS {
        let Some((ahead, game)) = draw() else {
            continue;
        };
        if best.as_ref().is_none_or(|(least, _)| ahead < *least) {
            best = Some((ahead, game));
        }
        if ahead <= enough {
            break;
        }
    }
    best.map(|(_, game)| game)
}

/// Random numbers from a seed: splitmix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// Numbers for a round under a seed.
    pub(crate) fn new(seed: u64, round: u64) -> Self {
        let mut random = Self(seed);
        // Rounds next to each other have nothing in common then.
        random.0 = random.next() ^ round.wrapping_mul(0xd1b5_4a32_d192_ed03);
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of some things; nothing where there is none.
    pub(crate) fn choose<T: Copy>(&mut self, among: &[T]) -> Option<T> {
        let wide = u128::from(self.next()) * among.len() as u128;
        among.get((wide >> 64) as usize).copied()
    }
}
