//! The status of one group that would reconcile a claim.

use std::collections::BTreeSet;

use super::Case;
use crate::game::go::{
    board::{Board, Cell, Point},
    point::vertex,
};

/// So many other verdicts are counted in one record.
const MAX_GROUPS: usize = 64;

/// Chains judged alive are doubted up to so many liberties: the status of one
/// with more fits a wrong margin more often than the right one.
const FEW_LIBERTIES: usize = 1;

impl Case<'_> {
    /// The other status of one group: unclear ones first, then those judged
    /// dead, then chains that live with few liberties.
    pub(super) fn groups(&mut self) {
        let (board, last) = (&self.replay.board, self.last);
        let is_dead = |stone: &Point| last.dead.binary_search(stone).is_ok();
        // Unclear chains, then dead groups, then living ones with few liberties.
        let mut groups: Vec<(bool, Vec<Point>)> = Vec::new();
        let mut met = BTreeSet::new();
        for stone in &last.unsure {
            if met.insert(board.head(*stone)) {
                groups.push((is_dead(stone), board.chain(*stone).collect()));
            }
        }
        let mut grouped: BTreeSet<Point> = BTreeSet::new();
        for stone in &last.dead {
            if !grouped.contains(stone) {
                let group = dead_group(board, *stone, &is_dead);
                grouped.extend(&group);
                groups.push((true, group));
            }
        }
        for at in board.points() {
            let is_alive = board.cell(at).side().is_some() && !is_dead(&at);
            if is_alive
                && board.head(at) == at
                && board.liberties(at, FEW_LIBERTIES + 1) <= FEW_LIBERTIES
                && met.insert(at)
            {
                groups.push((false, board.chain(at).collect()));
            }
        }
        groups.truncate(MAX_GROUPS);
        let filler = self.filler();
        let mut found = BTreeSet::new();
        for (was_dead, stones) in groups {
            let mut dead = last.dead.clone();
            if was_dead {
                dead.retain(|point| !stones.contains(point));
            } else {
                dead.extend(&stones);
                dead.sort_unstable();
            }
            if !self.fits(board, &dead, filler, self.replay.to_move) {
                continue;
            }
            let word = if was_dead { "alive" } else { "dead" };
            if let Some(first) = stones.iter().min()
                && found.insert((word, *first))
            {
                self.add(word, vertex(board.place(*first), board.size().1));
            }
        }
    }
}

/// The dead stones of one side that no living stone parts from a dead one.
fn dead_group(board: &Board, stone: Point, is_dead: &dyn Fn(&Point) -> bool) -> Vec<Point> {
    let mut met = vec![false; board.length()];
    let mut open = vec![stone];
    let mut group = Vec::new();
    met[usize::from(stone)] = true;
    while let Some(point) = open.pop() {
        if board.cell(point) == board.cell(stone) {
            group.push(point);
        }
        for near in board.neighbours(point) {
            let passable = match board.cell(near) {
                Cell::Empty => true,
                Cell::Border => false,
                _ => is_dead(&near),
            };
            if passable && !std::mem::replace(&mut met[usize::from(near)], true) {
                open.push(near);
            }
        }
    }
    group
}
