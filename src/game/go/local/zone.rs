//! A small part of a board, its points as bits of a word.

use crate::{
    game::go::board::{Board, Point},
    outcome::Side,
};

/// Points of a zone, one bit each.
pub(super) type Set = u64;

/// The side whose chain is asked about.
pub(super) const DEFENDER: usize = 0;
/// Its opponent.
pub(super) const ATTACKER: usize = 1;

/// The points that a search plays on, shut in by stones that are never taken.
pub(super) struct Zone {
    /// By bit, the point of the board.
    pub(super) points: Vec<Point>,
    /// By bit, its neighbours in the zone.
    near: Vec<Set>,
    /// By side, the points next to a stone outside.
    pub(super) wall: [Set; 2],
    pub(super) suicide: bool,
}

/// The bits of a set, lowest first.
pub(super) fn bits(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

const fn lowest(set: Set) -> Set {
    set & set.wrapping_neg()
}

impl Zone {
    /// The zone of some points, at most 64; the first is one of the defender.
    pub(super) fn new(board: &Board, points: Vec<Point>, suicide: bool) -> Self {
        let defender = points.first().and_then(|&stone| board.cell(stone).side());
        let mut zone = Self {
            near: Vec::with_capacity(points.len()),
            wall: [0; 2],
            suicide,
            points: Vec::new(),
        };
        for (bit, &point) in points.iter().enumerate() {
            let mut set = 0;
            for near in board.neighbours(point) {
                if let Some(at) = points.iter().position(|&other| other == near) {
                    set |= 1 << at;
                } else if let Some(side) = board.cell(near).side() {
                    zone.wall[usize::from(Some(side) != defender)] |= 1 << bit;
                }
            }
            zone.near.push(set);
        }
        zone.points = points;
        zone
    }

    /// The stones on the zone's points, defender's first.
    pub(super) fn stones(&self, board: &Board, defender: Side) -> [Set; 2] {
        let mut stones = [0; 2];
        for (bit, &point) in self.points.iter().enumerate() {
            if let Some(side) = board.cell(point).side() {
                stones[usize::from(side != defender)] |= 1 << bit;
            }
        }
        stones
    }

    /// All points.
    pub(super) fn all(&self) -> Set {
        Set::MAX >> (64 - self.points.len().clamp(1, 64))
    }

    /// The neighbours of a point, by its bit.
    pub(super) fn beside(&self, bit: usize) -> Set {
        self.near.get(bit).copied().unwrap_or_default()
    }

    /// The neighbours of the points of a set, without the set.
    pub(super) fn around_set(&self, set: Set) -> Set {
        bits(set).fold(0, |sum, bit| sum | self.beside(bit)) & !set
    }

    /// The points of `within` that are connected to those of `start` in it.
    pub(super) fn flood(&self, start: Set, within: Set) -> Set {
        let mut found = start & within;
        let mut fresh = found;
        while fresh != 0 {
            let grown = bits(fresh).fold(0, |sum, bit| sum | self.beside(bit));
            fresh = grown & within & !found;
            found |= fresh;
        }
        found
    }

    /// The connected parts of a set.
    pub(super) fn parts(&self, mut set: Set) -> impl Iterator<Item = Set> + '_ {
        std::iter::from_fn(move || {
            let part = self.flood(lowest(set), set);
            set &= !part;
            (part != 0).then_some(part)
        })
    }
}
