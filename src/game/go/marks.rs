//! Territory that a record marks at its end (`TB`, `TW`).
//!
//! Marks of a whole count say who is dead. Others, a remark on one corner or
//! territory marked around stones that nobody took off, say nothing of the rest.

use super::{
    board::{Board, Point},
    point,
};
use crate::record::{Record, StepKind};

/// More marked points are not looked at in one record.
const MAX_MARKS: usize = 1 << 20;

/// Marks of a whole count may leave out a part of the board's points, or have
/// them wrong (shared points, eyes in seki), but so many on a small board.
const ODD_PART: usize = 12;
const MOST_ODD: usize = 6;

/// Whose territory each point is marked as.
#[derive(Debug)]
pub(super) struct Marks {
    /// For each point of a board, as [`super::score::Counter::owner`] has it.
    owner: Vec<i8>,
    /// Whether some point is marked as territory of both sides.
    contradictory: bool,
}

impl Marks {
    /// The marks of a record; those that are no point of the board say nothing.
    pub(super) fn of(record: &Record<'_>, board: &Board) -> Self {
        let mut marks = Self {
            owner: vec![0; board.length()],
            contradictory: false,
        };
        let mut points = 0;
        for mark in &record.marks {
            let StepKind::Place(side) = mark.kind else {
                continue;
            };
            let Some(area) = point::parse_area(mark.token, record.notation, board.size()) else {
                continue;
            };
            let sign = 1 - 2 * side.index() as i8;
            for (column, row) in area.points() {
                points += 1;
                if points > MAX_MARKS {
                    return marks;
                }
                let at = usize::from(board.point(column, row));
                if let Some(owner) = marks.owner.get_mut(at) {
                    marks.contradictory |= *owner == -sign;
                    *owner = sign;
                }
            }
        }
        marks
    }

    fn owner(&self, at: Point) -> i8 {
        self.owner.get(usize::from(at)).copied().unwrap_or(0)
    }

    /// Whether a point holds a stone in what is marked as the other side's.
    fn is_dead(&self, board: &Board, at: Point) -> bool {
        let side = board.cell(at).side();
        side.is_some_and(|side| self.owner(at) == 2 * side.index() as i8 - 1)
    }

    /// The stones of chains that stand in the other side's territory with more
    /// than half of their stones, ascending.
    pub(super) fn dead(&self, board: &Board) -> Vec<Point> {
        let is_dead = |at: &Point| self.is_dead(board, *at);
        whole_chains(board, is_dead, |listed, stones| 2 * listed > stones)
    }

    /// Whether these are the marks of a whole count: without the dead stones,
    /// each side surrounds what is marked as its own, and hardly any other point
    /// is empty. `surrounded` are the owners of all points then, row by row from
    /// the top left.
    pub(super) fn are_whole(
        &self,
        board: &Board,
        dead: &[Point],
        surrounded: impl Iterator<Item = i8>,
    ) -> bool {
        let (mut right, mut odd, mut all) = (0, 0, 0);
        for (at, owner) in board.points().zip(surrounded) {
            all += 1;
            let marked = self.owner(at);
            let is_alive = board.cell(at).side().is_some() && dead.binary_search(&at).is_err();
            if marked != 0 && marked == owner {
                right += 1;
            } else if marked != 0 || !is_alive {
                odd += 1;
            }
        }
        !self.contradictory && odd <= (all / ODD_PART).max(MOST_ODD) && odd < right
    }
}

/// All stones of the chains of which enough stones are listed, ascending;
/// `enough` is asked with the listed stones and all stones of a chain. Chains
/// live or die whole.
pub(super) fn whole_chains(
    board: &Board,
    is_listed: impl Fn(&Point) -> bool,
    enough: impl Fn(usize, usize) -> bool,
) -> Vec<Point> {
    let mut found = Vec::new();
    for head in board.points() {
        if board.cell(head).side().is_none() || board.head(head) != head {
            continue;
        }
        let listed = board.chain(head).filter(&is_listed).count();
        if enough(listed, usize::from(board.stones(head))) {
            found.extend(board.chain(head));
        }
    }
    found.sort_unstable();
    found
}
