//! One search of game trees, for every game that two play in turn and see all
//! of.
//!
//! A game implements [`Searchable`]; [`Search`] is negamax with alpha-beta
//! bounds (Knuth and Moore 1975), principal variation search (Marsland and
//! Campbell 1982), iterative deepening, a table of positions, and quiescence. It
//! prunes nothing that the bounds do not prove, so to a given depth it finds
//! what plain minimax finds; or more, where the table knows a position that was
//! searched deeper on another way to it.
//!
//! Limits are counted in nodes and plies. What a search finds depends on the
//! game handed over, the limits and the [`Parts`] in use, and on nothing that was
//! searched before.

mod candidates;
mod engine;
mod live;
mod order;
mod score;
mod table;
#[cfg(test)]
mod tests;

pub use engine::{Found, Limits, MAX_PLIES, Parts, Search, Stop};
pub use live::{Live, MAX_THREADS, MEGABYTES};
pub use score::Score;

use crate::outcome::Side;

/// Who has won where nothing is to be searched, from the view of the side to
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move has lost on the board: a mate, a line.
    Lost,
    /// Nobody wins.
    Draw,
    /// The side to move wins as the other one broke a rule on the way, such as
    /// by checking for ever: it could have been left, so it is no mate.
    WonByRule,
    /// The reverse.
    LostByRule,
}

/// A win that a game found by means of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<M> {
    /// The moves of both sides in turn, to the end of the game: the last one wins
    /// for the side to move. Empty where no win was found.
    pub line: Vec<M>,
    /// Positions looked at.
    pub nodes: u64,
}

impl<M> Default for Proof<M> {
    /// No win, and nothing looked at.
    fn default() -> Self {
        Self {
            line: Vec::new(),
            nodes: 0,
        }
    }
}

/// A game as the search plays it: a position, and the moves that led there.
pub trait Searchable {
    /// A move.
    type Move: Copy + PartialEq;

    /// Moves are packed into numbers below this.
    const PACKED: usize;

    /// A number that tells a move from every other one of its position, the same
    /// in positions of the same key; from 1, below [`Self::PACKED`].
    fn pack(it: Self::Move) -> u16;

    /// Whose turn it is.
    fn turn(&self) -> Side;

    /// A hash of all that the rest of the game depends on, but for what
    /// [`Self::repeated`] looks at.
    fn key(&self) -> u64;

    /// Hands over every move, in an order that depends on the position alone;
    /// also such that [`Self::make`] refuses.
    fn moves(&self, each: impl FnMut(Self::Move));

    /// Hands over the moves that quiescence looks at: captures.
    fn captures(&self, each: impl FnMut(Self::Move));

    /// How much a move takes, and how little it risks: those that take most are
    /// tried first. 0 for moves that take nothing, at most
    /// [`Self::MOST_GAIN`].
    fn gain(&self, it: Self::Move) -> i32;

    /// The largest [`Self::gain`].
    const MOST_GAIN: i32;

    /// How much is hoped for from a move that gains nothing, before anything is
    /// known of it: 0 to some hundred.
    fn promise(&self, _: Self::Move) -> i32 {
        0
    }

    /// Looks for a win of the side to move by means of the game's own, in at most
    /// so many nodes: at the root, and at the ends of lines where no threat has to
    /// be answered. The position is as before when it returns.
    fn proof(&mut self, _at_root: bool, _nodes: u64) -> Proof<Self::Move> {
        Proof::default()
    }

    /// Makes a move; `false` where it is not legal, and then nothing has changed.
    fn make(&mut self, it: Self::Move) -> bool;

    /// Takes the move made last back.
    fn unmake(&mut self);

    /// What the position is worth to the side to move, in hundredths of the
    /// game's smallest piece or of what takes its place.
    fn evaluate(&self) -> i32;

    /// Whether the side to move must answer a threat at once: then it is searched
    /// a ply deeper, and quiescence looks at every move.
    fn in_check(&self) -> bool;

    /// Who has won here, whatever moves there are.
    fn ended(&self) -> Option<Verdict>;

    /// What follows where the position has stood before.
    fn repeated(&self) -> Option<Verdict>;

    /// Who has won where there is no legal move.
    fn stuck(&self) -> Verdict;
}
