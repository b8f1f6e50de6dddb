//! What a position is worth.

use std::ops::Neg;

use super::Verdict;

/// The value of a position to a side: an evaluation, or a mate in so many plies.
///
/// Mates are worth more than wins by rule, these more than every evaluation, and
/// a nearer mate more than one far away. No operation overflows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score(i16);

/// A mate on the board.
const MATE: i16 = 32_000;
/// Mates are at most so many plies away.
const MOST_PLIES: i16 = 1_000;
/// A win by rule.
const BY_RULE: i16 = 30_000;

impl Score {
    /// Neither side is better.
    pub const DRAW: Self = Self(0);
    /// Below every score.
    pub const LEAST: Self = Self(-i16::MAX);
    /// Above every score.
    pub const MOST: Self = Self(i16::MAX);
    /// The other side broke a rule on the way.
    pub const WON_BY_RULE: Self = Self(BY_RULE);

    /// The largest evaluation; larger ones are taken for it.
    const LARGEST: i32 = 29_000;

    /// An evaluation.
    #[must_use]
    pub fn of(value: i32) -> Self {
        Self(value.clamp(-Self::LARGEST, Self::LARGEST) as i16)
    }

    /// Mated, after so many plies.
    #[must_use]
    pub fn mated_in(plies: u32) -> Self {
        Self(-MATE + plies.min(MOST_PLIES as u32) as i16)
    }

    /// Mates with the last of so many plies.
    #[must_use]
    pub fn mates_in(plies: u32) -> Self {
        -Self::mated_in(plies)
    }

    /// What a verdict is worth to the side to move, so many plies from the root.
    #[must_use]
    pub(super) fn of_verdict(verdict: Verdict, ply: usize) -> Self {
        match verdict {
            Verdict::Lost => Self::mated_in(ply as u32),
            Verdict::Draw => Self::DRAW,
            Verdict::WonByRule => Self::WON_BY_RULE,
            Verdict::LostByRule => -Self::WON_BY_RULE,
        }
    }

    /// The plies of a mate, by either side.
    #[must_use]
    pub fn mate(self) -> Option<u32> {
        let plies = MATE - self.0.abs();
        (0..=MOST_PLIES).contains(&plies).then_some(plies as u32)
    }

    /// Whether it is no evaluation but a defeat, by mate or by rule.
    pub(super) const fn is_loss(self) -> bool {
        (self.0 as i32) < -Self::LARGEST
    }

    /// The number: an evaluation, 30000 for a win by rule, 32000 less its plies
    /// for a mate.
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0 as i32
    }

    /// The number as bits.
    pub(super) const fn bits(self) -> u16 {
        self.0 as u16
    }

    /// The score of [`Self::bits`].
    pub(super) const fn of_bits(bits: u16) -> Self {
        Self(bits as i16)
    }

    /// As seen so many plies later in the game, where a mate is nearer.
    #[must_use]
    pub(super) fn seen_after(self, plies: u32) -> Self {
        self.moved(plies as i16)
    }

    /// As seen so many plies before.
    #[must_use]
    pub(super) fn seen_before(self, plies: u32) -> Self {
        self.moved(-(plies as i16))
    }

    fn moved(self, plies: i16) -> Self {
        match self.mate() {
            Some(_) if self.0 > 0 => Self(self.0.saturating_add(plies).min(MATE)),
            Some(_) => Self(self.0.saturating_sub(plies).max(-MATE)),
            None => self,
        }
    }

    /// The next larger score.
    #[must_use]
    pub(super) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        // The least number of all is no score.
        Self(self.0.saturating_neg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_in_order() {
        let rising = [
            Score::LEAST,
            Score::mated_in(0),
            Score::mated_in(7),
            -Score::WON_BY_RULE,
            Score::of(i32::MIN),
            Score::of(-1),
            Score::DRAW,
            Score::of(1),
            Score::of(i32::MAX),
            Score::WON_BY_RULE,
            Score::mates_in(7),
            Score::mates_in(1),
            Score::MOST,
        ];
        assert!(rising.is_sorted());
        let mut falling = rising.map(Neg::neg);
        falling.reverse();
        assert!(falling.is_sorted());
    }

    #[test]
    fn mates_come_nearer() {
        let mate = Score::mates_in(9);
        assert_eq!(mate.mate(), Some(9));
        assert_eq!(mate.seen_after(4).mate(), Some(5));
        assert_eq!((-mate).seen_after(4), -Score::mates_in(5));
        assert_eq!(mate.seen_after(4).seen_before(4), mate);
        for other in [Score::of(31_990), Score::WON_BY_RULE, Score::DRAW] {
            assert_eq!((other.mate(), other.seen_after(4)), (None, other));
        }
    }
}
