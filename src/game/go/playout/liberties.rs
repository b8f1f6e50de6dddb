//! A few liberties of a chain.

use crate::game::go::board::Point;

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
