//! Blocks: chains that the opponent cannot separate.

use super::{NONE, View};
use crate::game::go::board::{Cell, Point};

/// A way between two blocks, lower number first.
struct Way {
    blocks: (u16, u16),
    /// The point that both touch, three times; or one next to the first block and
    /// the two from either of which it reaches the second.
    points: [Point; 3],
}

impl Way {
    fn new(one: u16, two: u16, points: [Point; 3]) -> Self {
        Self {
            blocks: (one.min(two), one.max(two)),
            points,
        }
    }
}

impl View<'_> {
    /// Joins chains into blocks by pairs.
    ///
    /// Two blocks with two liberties in common, neither of which is in another
    /// pair, are one.
    pub(super) fn find_blocks(&mut self) {
        self.block.fill(NONE);
        self.partner.fill(0);
        self.linked.fill(false);
        self.taken.fill(false);
        let mut heads: Vec<Point> = Vec::new();
        for point in self.board.points() {
            if self.kept[usize::from(point)] && self.board.head(point) == point {
                for stone in self.board.chain(point) {
                    self.block[usize::from(stone)] = heads.len() as u16;
                }
                heads.push(point);
            }
        }
        // By chain: its block.
        let mut block: Vec<u16> = (0..heads.len() as u16).collect();
        // Pairs within one region leave a point of it to the block.
        for same_region in [true, false] {
            while self.join_some(&mut block, same_region) {}
        }
        while self.link_some(&mut block) {}
        let mut number = vec![NONE; heads.len()];
        self.blocks = 0;
        for (chain, &head) in heads.iter().enumerate() {
            let root = usize::from(block[chain]);
            if number[root] == NONE {
                number[root] = self.blocks;
                self.blocks += 1;
            }
            for stone in self.board.chain(head) {
                self.block[usize::from(stone)] = number[root];
            }
        }
    }

    /// Joins blocks by pairs found in one pass; whether there were any.
    fn join_some(&mut self, block: &mut [u16], same_region: bool) -> bool {
        let mut joined = false;
        // A point in common of two blocks, lower number first.
        let mut shared: Vec<(u16, u16, Point)> = Vec::new();
        for point in self.board.points() {
            if !self.may_join(point) {
                continue;
            }
            let region = self.region[usize::from(point)];
            let (chains, count) = self.blocks_beside(point);
            'pairs: for (i, &one) in chains[..count].iter().enumerate() {
                for &two in &chains[..i] {
                    let (one, two) = (block[usize::from(one)], block[usize::from(two)]);
                    if one == two {
                        continue;
                    }
                    let (low, high) = (one.min(two), one.max(two));
                    let other = shared.iter().find(|&&(a, b, other)| {
                        a == low
                            && b == high
                            && other != point
                            && self.partner[usize::from(other)] == 0
                            && (!same_region || self.region[usize::from(other)] == region)
                    });
                    if let Some(&(.., other)) = other {
                        self.partner[usize::from(point)] = other;
                        self.partner[usize::from(other)] = point;
                        let relabel = |label: &mut u16| {
                            if *label == high {
                                *label = low;
                            }
                        };
                        block.iter_mut().for_each(relabel);
                        for (a, b, _) in &mut shared {
                            relabel(a);
                            relabel(b);
                            if *a > *b {
                                std::mem::swap(a, b);
                            }
                        }
                        joined = true;
                        break 'pairs;
                    }
                    shared.push((low, high, point));
                }
            }
        }
        joined
    }

    /// Whether a point may join blocks. The opponent cannot play on a point
    /// that is a region of its own.
    fn may_join(&self, point: Point) -> bool {
        self.is_free(point) && self.regions[usize::from(self.region[usize::from(point)])].len() > 1
    }

    /// Joins two blocks by two ways that have no point in common; whether there
    /// were any. A way is a point that both touch, or one next to the first
    /// block from which either of two others reaches the second.
    fn link_some(&mut self, block: &mut [u16]) -> bool {
        let mut ways: Vec<Way> = Vec::new();
        for point in self.board.points() {
            if !self.may_join(point) {
                continue;
            }
            let (chains, count) = self.blocks_beside(point);
            if count == 0 {
                continue;
            }
            let near = chains.map(|chain| block.get(usize::from(chain)).copied().unwrap_or(NONE));
            for (i, &one) in near[..count].iter().enumerate() {
                for &two in &near[..i] {
                    if one != two {
                        ways.push(Way::new(one, two, [point; 3]));
                    }
                }
            }
            // Blocks that the points beside it touch.
            let mut seconds: Vec<(u16, Point)> = Vec::new();
            for second in self.board.neighbours(point) {
                if self.board.cell(second) != Cell::Empty || !self.may_join(second) {
                    continue;
                }
                let (chains, beside) = self.blocks_beside(second);
                for &chain in &chains[..beside] {
                    let it = (block[usize::from(chain)], second);
                    if !near[..count].contains(&it.0) && !seconds.contains(&it) {
                        seconds.push(it);
                    }
                }
            }
            for (i, &(two, a)) in seconds.iter().enumerate() {
                for &(other, b) in &seconds[..i] {
                    if two == other {
                        for &one in &near[..count] {
                            ways.push(Way::new(one, two, [point, a, b]));
                        }
                    }
                }
            }
        }
        ways.sort_unstable_by_key(|way| (way.blocks, way.points[0] != way.points[1]));
        for (i, way) in ways.iter().enumerate() {
            let ((low, high), one) = (way.blocks, &way.points);
            let mut others = ways[i + 1..]
                .iter()
                .take_while(|other| other.blocks == way.blocks);
            let two = others.find(|other| !other.points.iter().any(|it| one.contains(it)));
            if let Some(two) = two {
                for point in one.iter().chain(&two.points) {
                    self.linked[usize::from(*point)] = true;
                }
                for label in block.iter_mut().filter(|label| **label == high) {
                    *label = low;
                }
                return true;
            }
        }
        false
    }
}
