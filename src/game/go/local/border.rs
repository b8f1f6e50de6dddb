//! Which stones around a chain are taken to stay.

use super::{View, zone::Zone};
use crate::{
    game::go::board::{Cell, Point},
    outcome::Side,
};

/// Chains and points whose mean is at least this are clear.
const CLEAR: f32 = 0.9;

/// The most points of a zone, and of those that are empty or under dead stones.
const MOST_POINTS: (usize, usize) = (60, 16);

/// A clear chain stays if its side has so many clear points around it and what
/// it is connected to. Fewer may be one eye, or the liberties of a seki, in
/// which playouts too may always leave a stone of one side.
const ROOM: usize = 7;

impl View<'_> {
    /// How much the chain of a stone keeps its points: -1 to 1.
    pub(super) fn mean(&self, stone: Point) -> f32 {
        self.means[usize::from(stone)]
    }

    /// How much the side of a stone holds a point: -1 to 1.
    fn keeps(&self, stone: Point, point: Point) -> f32 {
        let sign = self.board.cell(stone).side().map_or(0, Side::sign);
        sign as f32 * self.owners[usize::from(point)]
    }

    /// The zone around a chain, if there are stones that shut it in.
    pub(super) fn zone(&self, stone: Point) -> Option<Zone> {
        let board = self.board;
        let mut fixed = vec![false; board.length()];
        for point in board.points() {
            let side = board.cell(point).side();
            fixed[usize::from(point)] = side.is_some()
                && (self.settled[usize::from(point)] == side || self.mean(point) >= CLEAR);
        }
        loop {
            let points = self.reach(stone, &fixed)?;
            let mut around = points.iter().flat_map(|&point| board.neighbours(point));
            let loose = around.find(|&near| {
                fixed[usize::from(near)]
                    && self.settled[usize::from(near)].is_none()
                    && !self.has_room(near, &points)
            });
            let Some(loose) = loose else {
                return Some(Zone::new(board, points, self.suicide));
            };
            for member in board.chain(loose) {
                fixed[usize::from(member)] = false;
            }
        }
    }

    /// What is reached from a chain without crossing a stone that stays, unless
    /// that is too much.
    fn reach(&self, stone: Point, fixed: &[bool]) -> Option<Vec<Point>> {
        let board = self.board;
        let mut points = vec![stone];
        let mut open = 0;
        let mut next = 0;
        while let Some(&point) = points.get(next) {
            next += 1;
            let is_empty = board.cell(point) == Cell::Empty;
            open += usize::from(is_empty || self.mean(point) <= -CLEAR);
            if points.len() > MOST_POINTS.0 || open > MOST_POINTS.1 {
                return None;
            }
            for near in board.neighbours(point) {
                if board.cell(near) != Cell::Border
                    && !fixed[usize::from(near)]
                    && !points.contains(&near)
                {
                    points.push(near);
                }
            }
        }
        Some(points)
    }

    /// Whether a side has enough clear points around a stone and what it is
    /// connected to, outside a zone.
    fn has_room(&self, stone: Point, zone: &[Point]) -> bool {
        let board = self.board;
        let mut seen = vec![false; board.length()];
        for &point in zone {
            seen[usize::from(point)] = true;
        }
        let mut points = vec![stone];
        let mut room = 0;
        while let Some(point) = points.pop() {
            room += usize::from(board.cell(point) != board.cell(stone));
            if room >= ROOM {
                return true;
            }
            for near in board.neighbours(point) {
                if board.cell(near) != Cell::Border
                    && !seen[usize::from(near)]
                    && self.keeps(stone, near) >= CLEAR
                {
                    seen[usize::from(near)] = true;
                    points.push(near);
                }
            }
        }
        false
    }
}
