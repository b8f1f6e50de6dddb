//! The moves that show a win that was proven.

use super::{
    super::{board::Point, vcf::Found},
    Attack, Effort, NEVER,
};

/// Positions that may be looked at again for what the table has lost.
const NODES: u32 = 20_000;

impl Attack<'_> {
    /// The moves of both sides in turn from a position that is proven: threats,
    /// the defences that last longest as far as is seen at once, and the fours
    /// that end it.
    ///
    /// The board is as before when it returns.
    pub(super) fn line(&mut self, mut attacks: bool) -> Vec<Point> {
        let left = std::mem::replace(&mut self.search.nodes, NODES);
        let mut sides = Vec::new();
        let mut line = Vec::new();
        loop {
            let (side, next) = if attacks {
                if let Found::Win(end) = self.fours() {
                    line.extend(end);
                    break;
                }
                (self.side, self.proven_attack())
            } else {
                (self.side.other(), self.longest_defence())
            };
            let Some(at) = next else {
                break;
            };
            self.play(side, at);
            sides.push(side);
            line.push(at);
            attacks = !attacks;
        }
        for (at, side) in line.iter().zip(sides).rev() {
            self.undo(side, *at);
        }
        self.search.nodes = left;
        line
    }

    /// A threat that wins, looked for once more where it was forgotten.
    fn proven_attack(&mut self) -> Option<Point> {
        for _ in 0..2 {
            let children = self.attacks();
            let proven = |child: &&super::Child| child.effort == Effort::PROVED;
            if let Some(child) = children.iter().find(proven) {
                return Some(child.at);
            }
            self.look(true, NEVER, NEVER);
        }
        None
    }

    /// The first defence after which fours alone do not win, or the one after
    /// which there are most of them; nothing where there is no defence.
    fn longest_defence(&mut self) -> Option<Point> {
        let defender = self.side.other();
        let mut longest = None;
        let mut length = 0;
        for at in self.defences() {
            self.play(defender, at);
            let found = self.fours();
            self.undo(defender, at);
            let Found::Win(line) = found else {
                return Some(at);
            };
            if line.len() > length {
                length = line.len();
                longest = Some(at);
            }
        }
        longest
    }
}
