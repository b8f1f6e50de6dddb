//! Regions that are an eye if their inner points are covered.
//!
//! A point that a block does not touch is covered by a pair of empty points
//! next to it that the block touches, or that are covered themselves: the owner
//! gets one of them, joined to the block, and so the block touches the point.

use super::View;
use crate::game::go::board::Point;

/// Points of the largest region looked at.
const MOST_POINTS: usize = 40;

impl View<'_> {
    /// Pairs that cover all points of a region that a block does not touch.
    /// There is one at least that the owner's stones cannot take from the eye.
    pub(super) fn cover(&self, region: u16, beside: &[bool]) -> Option<Vec<[Point; 2]>> {
        let points = &self.regions[usize::from(region)];
        if points.len() > MOST_POINTS {
            return None;
        }
        let (mut touched, mut open): (Vec<Point>, Vec<Point>) = points
            .iter()
            .partition(|point| beside[usize::from(**point)]);
        // Each pair takes two points, and covers two at most.
        if open.len() > touched.len() + open.len() / 2 {
            return None;
        }
        let mut used: Vec<Point> = Vec::new();
        let mut pairs = Vec::new();
        while !open.is_empty() {
            let count_near = |point: Point, set: &[Point]| {
                let neighbours = self.board.neighbours(point);
                neighbours.iter().filter(|near| set.contains(near)).count()
            };
            let mut best: Option<(usize, usize, usize, [Point; 2])> = None;
            for &point in &open {
                let ways: Vec<Point> = self
                    .board
                    .neighbours(point)
                    .into_iter()
                    .filter(|way| {
                        touched.contains(way) && !used.contains(way) && self.is_free(*way)
                    })
                    .collect();
                // The point with the fewest ways, now and later, comes first.
                let later = count_near(point, &open);
                for (i, &one) in ways.iter().enumerate() {
                    for &two in &ways[..i] {
                        let common = open
                            .iter()
                            .filter(|it| {
                                let near = self.board.neighbours(**it);
                                near.contains(&one) && near.contains(&two)
                            })
                            .count();
                        let others = count_near(one, &open) + count_near(two, &open) - 2 * common;
                        // Then the pair that covers the most, and of these the one
                        // that takes the fewest ways from other points.
                        let rank = (ways.len() + later, 4 - common, others, [one, two]);
                        if best.is_none_or(|best| rank < best) {
                            best = Some(rank);
                        }
                    }
                }
            }
            let (.., pair) = best?;
            used.extend(pair);
            pairs.push(pair);
            open.retain(|point| {
                let near = self.board.neighbours(*point);
                let is_open = !(near.contains(&pair[0]) && near.contains(&pair[1]));
                if !is_open {
                    touched.push(*point);
                }
                is_open
            });
        }
        (!pairs.is_empty()).then_some(pairs)
    }
}
