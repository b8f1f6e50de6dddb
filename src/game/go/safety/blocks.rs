//! Blocks: chains that the opponent cannot separate.

use super::{NONE, View};
use crate::game::go::board::Point;

impl View<'_> {
    /// Joins chains into blocks by pairs.
    ///
    /// Two blocks with two liberties in common, neither of which is in another
    /// pair, are one.
    pub(super) fn find_blocks(&mut self) {
        self.block.fill(NONE);
        self.partner.fill(0);
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
            if !self.is_empty(point) || self.partner[usize::from(point)] != 0 {
                continue;
            }
            let region = self.region[usize::from(point)];
            if self.regions[usize::from(region)].len() == 1 {
                continue;
            }
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
}
