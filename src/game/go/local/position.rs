//! Positions of a zone: moves, and which of them are decided.

use super::zone::{ATTACKER, DEFENDER, Set, Zone};

/// The stones of a zone and what else decides how play goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    /// By side.
    pub(super) stones: [Set; 2],
    /// The stone of a ko that the side to move must not take back.
    pub(super) ban: Set,
    /// Side to move.
    pub(super) mover: usize,
    /// Whether the target has been taken.
    pub(super) taken: bool,
    /// Whether the last move was a pass, once the target has been taken.
    pub(super) passed: bool,
}

/// What is asked: whether the target, a chain of the defender, is taken for
/// good.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) zone: &'a Zone,
    /// The stones of the chain.
    pub(super) target: Set,
    /// The side that has to win without any ko: only it is bound by the ban on
    /// taking back.
    pub(super) prover: usize,
}

impl Position {
    const fn empty(&self, zone_points: Set) -> Set {
        zone_points & !(self.stones[0] | self.stones[1])
    }
}

impl Question<'_> {
    /// The empty points.
    pub(super) fn empty(&self, position: &Position) -> Set {
        position.empty(self.zone.all())
    }

    fn has_liberty(&self, position: &Position, side: usize, chain: Set) -> bool {
        chain & self.zone.wall[side] != 0 || self.zone.around_set(chain) & self.empty(position) != 0
    }

    /// The position after a move to a point, by its bit; none where it is illegal.
    pub(super) fn play(&self, from: &Position, bit: usize) -> Option<Position> {
        let (own, other) = (from.mover, 1 - from.mover);
        let stone = 1 << bit;
        if stone & self.empty(from) == 0 || stone == from.ban {
            return None;
        }
        let mut to = Position {
            ban: 0,
            mover: other,
            passed: false,
            ..*from
        };
        to.stones[own] |= stone;
        let mut removed = 0;
        let mut beside = self.zone.beside(bit) & to.stones[other];
        while beside != 0 {
            let chain = self
                .zone
                .flood(beside & beside.wrapping_neg(), to.stones[other]);
            beside &= !chain;
            if !self.has_liberty(&to, other, chain) {
                removed |= chain;
            }
        }
        to.stones[other] &= !removed;
        let chain = self.zone.flood(stone, to.stones[own]);
        if !self.has_liberty(&to, own, chain) {
            if !self.zone.suicide || chain == stone {
                return None;
            }
            to.stones[own] &= !chain;
        }
        let is_ko = removed.count_ones() == 1
            && chain == stone
            && stone & self.zone.wall[own] == 0
            && self.zone.beside(bit) & self.empty(&to) == removed;
        if is_ko && own != self.prover {
            to.ban = removed;
        }
        to.taken |= self.target & !to.stones[DEFENDER] != 0;
        Some(to)
    }

    /// The position after a pass.
    pub(super) const fn pass(&self, from: &Position) -> Position {
        Position {
            ban: 0,
            mover: 1 - from.mover,
            passed: from.taken,
            ..*from
        }
    }

    /// Whether a pass is more than giving up: the attacker that passes before
    /// the target is taken does not take it.
    pub(super) const fn may_pass(&self, position: &Position) -> bool {
        position.taken || position.mover == DEFENDER
    }

    /// Who wins where both sides have passed.
    pub(super) const fn winner_at_end(&self, position: &Position) -> usize {
        if position.taken && position.stones[DEFENDER] & self.target == 0 {
            ATTACKER
        } else {
            DEFENDER
        }
    }

    /// Who has won by the last move, where that is plain.
    ///
    /// The defender: where a stone on a point of the target lives whatever is
    /// played. Before the target has been taken its own stones are that.
    /// The attacker: where no such stone can come about.
    pub(super) fn winner(&self, position: &Position) -> Option<usize> {
        if position.mover == DEFENDER {
            return self.is_doomed(position).then_some(ATTACKER);
        }
        let stones = position.stones[DEFENDER] & self.target;
        let lives = stones != 0 && self.living(position) & stones != 0;
        lives.then_some(DEFENDER)
    }

    /// The attacker's stones next to a wall shut in an area with at most one
    /// point that none of them touches, nor a wall. The attacker can fill all
    /// others, so nothing in it can have two eyes.
    fn is_doomed(&self, position: &Position) -> bool {
        let zone = self.zone;
        let wall = zone.wall[ATTACKER];
        let safe = zone.flood(wall, position.stones[ATTACKER]);
        let free = zone.all() & !safe;
        let area = zone.flood(self.target, free);
        let inner = area & !wall & !zone.around_set(safe);
        area & zone.wall[DEFENDER] == 0 && inner.count_ones() <= 1
    }

    /// Stones of the defender that live even if it always passes, after Benson
    /// as in [`super::super::life`]; those connected to a wall do.
    fn living(&self, position: &Position) -> Set {
        const MOST: usize = 24;
        let zone = self.zone;
        let own = position.stones[DEFENDER];
        let empty = self.empty(position);
        let mut living = zone.flood(zone.wall[DEFENDER], own);
        let mut chains = [(0, 0); MOST];
        let mut count = 0;
        for chain in zone.parts(own & !living) {
            if count == MOST {
                return living;
            }
            chains[count] = (chain, zone.around_set(chain));
            count += 1;
        }
        let mut regions = [(0, 0); MOST];
        let mut found = 0;
        for region in zone.parts(zone.all() & !own) {
            if region & zone.wall[ATTACKER] == 0 && found < MOST {
                let decisive = if zone.suicide { region } else { region & empty };
                regions[found] = (decisive, zone.around_set(region) & own);
                found += 1;
            }
        }
        let fixed = living;
        living = own;
        loop {
            let mut kept = fixed;
            for &(chain, beside) in &chains[..count] {
                let is_vital = |&&(decisive, around): &&(Set, Set)| {
                    decisive != 0 && decisive & !beside == 0 && around & !living == 0
                };
                let eyes = regions[..found].iter().filter(is_vital).count();
                if chain & !living == 0 && eyes >= 2 {
                    kept |= chain;
                }
            }
            if kept == living {
                return living;
            }
            living = kept;
        }
    }
}
