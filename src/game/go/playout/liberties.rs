//! A few liberties of a chain.

use super::Arena;
use crate::{game::go::board::Point, outcome::Side};

/// Up to three liberties of a chain: enough to tell what matters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Liberties {
    points: [Point; Liberties::MAX],
    count: usize,
}

impl Liberties {
    /// More are not counted.
    pub(crate) const MAX: usize = 3;

    /// Many liberties, none of them named.
    pub(super) const fn fill(&mut self) {
        self.count = Self::MAX;
    }

    #[inline]
    pub(super) fn add(&mut self, point: Point) {
        // A plain loop: it is faster than a search made for long slices.
        for &known in self.as_slice() {
            if known == point {
                return;
            }
        }
        if self.count < Self::MAX {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    pub(super) const fn is_full(&self) -> bool {
        self.count == Self::MAX
    }

    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn as_slice(&self) -> &[Point] {
        &self.points[..self.count]
    }
}

impl Arena {
    /// The liberties of a chain, up to [`Liberties::MAX`].
    pub(crate) fn liberties(&self, stone: Point) -> Liberties {
        let mut found = Liberties::default();
        self.add_liberties(stone, 0, &mut found);
        found
    }

    /// Adds liberties of a chain other than `except`.
    fn add_liberties(&self, stone: Point, except: Point, found: &mut Liberties) {
        let mut left = usize::from(self.chain_of(stone).libs);
        // A liberty touches at most four stones.
        if left > 4 * Liberties::MAX {
            found.fill();
            return;
        }
        for member in self.chain(stone) {
            for near in self.empty_beside(member) {
                if near != except {
                    found.add(near);
                    if found.is_full() {
                        return;
                    }
                }
                left -= 1;
            }
            // No other stone of the chain has one.
            if left == 0 {
                return;
            }
        }
    }

    /// Whether a chain has a liberty other than two points.
    pub(crate) fn has_liberty_besides(&self, stone: Point, points: [Point; 2]) -> bool {
        let mut left = usize::from(self.chain_of(stone).libs);
        if left > 4 * points.len() {
            return true;
        }
        for member in self.chain(stone) {
            for near in self.empty_beside(member) {
                if near != points[0] && near != points[1] {
                    return true;
                }
                left -= 1;
            }
            if left == 0 {
                break;
            }
        }
        false
    }

    /// The two liberties of a chain that has no more and no less.
    pub(crate) fn two_liberties(&self, stone: Point) -> Option<[Point; 2]> {
        let chain = self.chain_of(stone);
        // A liberty touches at most four stones.
        if chain.libs > 8 || chain.is_in_atari() {
            return None;
        }
        match *self.liberties(stone).as_slice() {
            [one, two] => Some([one, two]),
            _ => None,
        }
    }

    /// The liberties that the chain of a move would have, up to
    /// [`Liberties::MAX`]; points of captured stones count.
    pub(crate) fn liberties_after(&self, side: Side, point: Point) -> Liberties {
        let mut found = Liberties::default();
        for near in self.empty_beside(point) {
            found.add(near);
        }
        for near in self.ataris_beside(point, side.other()) {
            found.add(near);
            self.add_freed(side, point, near, &mut found);
        }
        for near in self.stones_beside(point, side) {
            if found.is_full() {
                break;
            }
            self.add_liberties(near, point, &mut found);
        }
        found
    }

    /// Adds the liberties that the capture of a chain gives to those that a
    /// move joins.
    fn add_freed(&self, side: Side, point: Point, captured: Point, found: &mut Liberties) {
        if self.now.places[point].beside(side) == 0 {
            return;
        }
        let joins = |stone: Point| {
            let head = self.head(stone);
            self.stones_beside(point, side)
                .any(|joined| self.head(joined) == head)
        };
        for member in self.chain(captured) {
            if self.stones_beside(member, side).any(joins) {
                found.add(member);
            }
        }
    }
}
