//! Territory: regions of safe chains in which the opponent cannot live.

use super::{NONE, View};
use crate::game::go::board::Point;

impl View<'_> {
    /// By point: what the safe chains surround and the opponent cannot live in.
    ///
    /// An eye of the opponent needs a point that no safe stone touches, and life
    /// needs two eyes that are not next to each other. A point that two empty
    /// points touch, each of them next to safe stones, is touched by one in the
    /// end: they are a pair.
    pub(super) fn hold(&mut self) -> Vec<bool> {
        let mut held = vec![false; self.board.length()];
        if !self.kept.contains(&true) {
            return held;
        }
        let regions = std::mem::take(&mut self.regions);
        let mut touched = vec![false; self.board.length()];
        let shut = std::mem::take(&mut self.shut);
        for (number, region) in regions.iter().enumerate() {
            let mut inner: Vec<Point> = Vec::new();
            for &point in region {
                let is_touched = self.blocks_beside(point).1 > 0;
                touched[usize::from(point)] = is_touched;
                if !is_touched {
                    inner.push(point);
                }
            }
            // No answer is played where an eye depends on that.
            if !self.quiet[number] {
                self.reach(&mut inner, &mut touched);
            }
            let no_life = match inner[..] {
                [] | [_] => true,
                [one, two] if self.board.neighbours(one).contains(&two) => true,
                _ => shut[number],
            };
            if no_life {
                for &point in region {
                    held[usize::from(point)] = true;
                }
            }
        }
        self.regions = regions;
        self.shut = shut;
        held
    }

    /// Takes out of the inner points of a region those that pairs reach.
    fn reach(&mut self, inner: &mut Vec<Point>, touched: &mut [bool]) {
        loop {
            let before = inner.len();
            inner.retain(|&point| {
                let mut ways = [0; 2];
                let mut count = 0;
                for near in self.board.neighbours(point) {
                    let at = usize::from(near);
                    if count < 2 && self.region[at] != NONE && touched[at] && self.is_free(near) {
                        ways[count] = near;
                        count += 1;
                    }
                }
                if count < 2 {
                    return true;
                }
                self.partner[usize::from(ways[0])] = ways[1];
                self.partner[usize::from(ways[1])] = ways[0];
                touched[usize::from(point)] = true;
                false
            });
            if inner.len() == before {
                return;
            }
        }
    }
}
