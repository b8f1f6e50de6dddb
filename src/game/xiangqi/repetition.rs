//! Repeated positions, and who loses by them.
//!
//! Sources: the rules of the Asian Xiangqi Federation (2018) as open engines read
//! them; the rules of the UCCI engine league (2007, sections 4.4, 4.5 and 5).

use super::{
    chase::{self, Squares, simply_chased},
    piece::{Move, Piece},
    position::Position,
};
use crate::outcome::{Side, words};

words! {
    /// What a repeated position leads to.
    Repetition {
        /// Nothing.
        None = "none",
        /// A draw at the third time.
        Draw = "draw",
        /// At the third time, a loss for the only side all of whose moves gave
        /// check, or a draw.
        CheckOnly = "check-only",
        /// At the fourth time, a loss by the higher tier, or a draw. The UCCI
        /// league: only the piece that moved chases, guards count even where
        /// pinned, a check is no chase.
        Uccl = "uccl",
        /// At the third time, a loss by the higher tier, or a draw. The Asian and
        /// World Xiangqi Federations.
        Axf = "axf",
    }
}

impl Repetition {
    /// How often a position must have stood for a verdict.
    const fn folds(self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Draw | Self::CheckOnly | Self::Axf => Some(3),
            Self::Uccl => Some(4),
        }
    }
}

words! {
    /// What a side does in a loop of moves, the least forbidden first.
    Tier {
        /// Anything else.
        Idle = "idle",
        /// Every move threatens anew to take one and the same piece.
        Chase = "chase",
        /// Every move gives check.
        Check = "check",
    }
}

/// What a repeated position leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The side that loses; a draw, where it is none.
    pub loser: Option<Side>,
    /// What each side did between the times that count, as far as the rules ask.
    pub tiers: [Tier; 2],
    /// Plies played when the position stood for the first time that counts.
    pub since: usize,
    /// Plies played when it stood for the last time.
    pub until: usize,
    /// How often it has stood by then.
    pub times: usize,
}

/// A move of a game, and what it led to.
#[derive(Clone, Copy, Debug)]
struct Ply {
    it: Move,
    captured: bool,
    check: bool,
    key: u64,
}

/// The moves of a game from some position on.
#[derive(Clone, Debug)]
pub struct History {
    start: Position,
    plies: Vec<Ply>,
}

impl History {
    /// No moves yet.
    #[must_use]
    pub const fn new(start: Position) -> Self {
        Self {
            start,
            plies: Vec::new(),
        }
    }

    /// Begins again from another position, in the same memory.
    pub fn restart(&mut self, start: Position) {
        self.start = start;
        self.plies.clear();
    }

    /// Adds a move that was played: what it captured, the key of the position it
    /// led to, and whether it gave check there.
    #[inline]
    pub fn push(&mut self, it: Move, captured: Piece, key: u64, check: bool) {
        let captured = !captured.is_none();
        self.plies.push(Ply {
            it,
            captured,
            check,
            key,
        });
    }

    /// Plies added.
    #[must_use]
    pub const fn plies(&self) -> usize {
        self.plies.len()
    }

    /// The position that the moves begin with.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.plies.iter().map(|ply| ply.it)
    }

    /// Of each ply: who moved, whether it captured, whether it gave check.
    pub(super) fn captures_and_checks(&self) -> impl Iterator<Item = (Side, bool, bool)> {
        self.plies
            .iter()
            .enumerate()
            .map(|(at, ply)| (self.turn(at), ply.captured, ply.check))
    }

    /// The key of the position after some plies.
    fn key(&self, plies: usize) -> Option<u64> {
        match plies.checked_sub(1) {
            None => Some(self.start.key()),
            Some(last) => self.plies.get(last).map(|ply| ply.key),
        }
    }

    /// What the final position leads to, where it has stood often enough.
    #[must_use]
    pub fn verdict(&self, rules: Repetition) -> Option<Verdict> {
        let folds = rules.folds()?;
        let until = self.plies.len();
        let key = self.key(until);
        let (mut times, mut since) = (1, until);
        // A position that stood before a capture cannot come again.
        for at in (0..until).rev() {
            if self.plies[at].captured {
                break;
            }
            if self.key(at) == key {
                times += 1;
                if times <= folds {
                    since = at;
                }
            }
        }
        (times >= folds).then(|| self.judge(rules, since, until, times))
    }

    /// The first position that stood often enough, and what it leads to; it may be
    /// the final one.
    #[must_use]
    pub fn first_trigger(&self, rules: Repetition) -> Option<Verdict> {
        let folds = rules.folds()?;
        if !self.may_have_stood(folds) {
            return None;
        }
        let mut stood: Vec<(u64, usize)> = (0..=self.plies.len())
            .filter_map(|at| Some((self.key(at)?, at)))
            .collect();
        stood.sort_unstable();
        let (since, until) = stood
            .windows(folds)
            .filter(|times| times[0].0 == times[folds - 1].0)
            .map(|times| (times[0].1, times[folds - 1].1))
            .min_by_key(|(_, until)| *until)?;
        Some(self.judge(rules, since, until, folds))
    }

    /// Whether a position may have stood so often: a quick no for most games.
    fn may_have_stood(&self, folds: usize) -> bool {
        // Positions counted by a part of their keys; several may share a place.
        let mut counts = [0_u8; 2048];
        let mut most = 0;
        for at in 0..=self.plies.len() {
            let key = self.key(at).unwrap_or_default();
            let count = &mut counts[key as usize % 2048];
            *count = count.saturating_add(1);
            most = most.max(*count);
        }
        usize::from(most) >= folds
    }

    /// Judges the moves between two times of a position.
    fn judge(&self, rules: Repetition, since: usize, until: usize, times: usize) -> Verdict {
        let mut tiers = [Tier::Idle; 2];
        let chased = match rules {
            Repetition::None | Repetition::Draw | Repetition::CheckOnly => [0; 2],
            Repetition::Uccl | Repetition::Axf => self.chased(rules, since, until),
        };
        let mut checks = [true; 2];
        let mut mover = self.turn(since);
        for ply in &self.plies[since..until] {
            checks[mover.index()] &= ply.check;
            mover = mover.other();
        }
        for side in [0, 1] {
            if checks[side] {
                tiers[side] = Tier::Check;
            } else if chased[side] != 0 {
                tiers[side] = Tier::Chase;
            }
        }
        let loser = match tiers[0].cmp(&tiers[1]) {
            _ if rules == Repetition::Draw => None,
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
        };
        Verdict {
            loser,
            tiers,
            since,
            until,
            times,
        }
    }

    /// Whose turn it is after some plies.
    const fn turn(&self, plies: usize) -> Side {
        if plies.is_multiple_of(2) {
            self.start.turn()
        } else {
            self.start.turn().other()
        }
    }

    /// The pieces that each side chased with every move between two times of a
    /// position, by the squares where they stood at the first.
    fn chased(&self, rules: Repetition, since: usize, until: usize) -> [Squares; 2] {
        let mut position = self.start.clone();
        for ply in &self.plies[..since] {
            position.make(ply.it);
        }
        let mut pieces = Pieces::new();
        let mut chased = [Squares::MAX; 2];
        for ply in &self.plies[since..until] {
            let mover = position.turn();
            let left = &mut chased[mover.index()];
            // A check of the simple rules is no chase.
            if rules == Repetition::Uccl && ply.check {
                *left = 0;
            }
            if *left != 0 {
                let among = pieces.squares(*left);
                *left = pieces.ids(match rules {
                    Repetition::Uccl => simply_chased(&mut position, ply.it, among),
                    _ => chase::chased(&mut position, ply.it, among),
                });
            }
            position.make(ply.it);
            pieces.follow(ply.it);
            if chased == [0; 2] {
                break;
            }
        }
        chased
    }
}

/// Squares of a board, by [`Square::index`].
const SQUARES: usize = 90;

/// Pieces followed through moves without captures; each is called by the square
/// where it stood at first.
#[derive(Clone)]
struct Pieces {
    /// Where each piece stands now.
    now: [u8; SQUARES],
    /// Where the piece of each square stood at first.
    first: [u8; SQUARES],
}

impl Pieces {
    fn new() -> Self {
        let squares = std::array::from_fn(|index| index as u8);
        Self {
            now: squares,
            first: squares,
        }
    }

    fn follow(&mut self, it: Move) {
        let piece = self.first[it.from.index()];
        self.first[it.to.index()] = piece;
        self.now[usize::from(piece)] = it.to.index() as u8;
    }

    /// Where some pieces stand now.
    fn squares(&self, pieces: Squares) -> Squares {
        each(pieces).fold(0, |set, piece| set | 1 << self.now[piece])
    }

    /// The pieces that stand on some squares.
    fn ids(&self, squares: Squares) -> Squares {
        each(squares).fold(0, |set, square| set | 1 << self.first[square])
    }
}

/// The numbers in a set, smallest first.
fn each(set: Squares) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let number = left.trailing_zeros() as usize;
        (number < SQUARES).then(|| {
            left &= left - 1;
            number
        })
    })
}
