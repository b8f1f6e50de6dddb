//! Where something may still happen: points that both sides are close to, by
//! neighbourhoods small enough to read.

use super::field::{Field, Kind};
use crate::{
    game::go::board::{Cell, Point},
    outcome::Side,
};

/// A neighbourhood.
#[derive(Clone, Debug, Default)]
pub(super) struct Zone {
    /// Where moves are tried.
    pub(super) moves: Vec<Point>,
    /// What each move depends on.
    pub(super) keys: Vec<u64>,
    /// What it depends on.
    pub(super) key: u64,
}

/// Chains of the position, by point.
#[derive(Clone, Debug, Default)]
pub(super) struct Map {
    /// Head of the chain.
    heads: Vec<Point>,
    /// Liberties, up to [`MANY`], by head.
    liberties: Vec<u8>,
    /// Points that both sides are close to.
    hot: Vec<bool>,
    /// Those that hang together, and which points are among them.
    group: Vec<Point>,
    inside: Vec<bool>,
}

/// Liberties are counted up to this.
const MANY: u8 = 5;

/// Points of one neighbourhood that both sides are close to.
const HOT: usize = 9;

impl Map {
    /// Finds the neighbourhoods of a position.
    pub(super) fn zones(&mut self, field: &mut Field, zones: &mut Vec<Zone>) {
        self.find_chains(field);
        self.find_hot(field);
        zones.clear();
        let mut left = self.hot.clone();
        for seed in field.points() {
            if !left[usize::from(seed)] {
                continue;
            }
            self.gather(field, seed);
            // The nearest of a large group; a new group begins where it ends.
            let is_all = self.group.len() <= HOT;
            if !is_all {
                let mut near: Vec<_> = self.group.clone();
                near.sort_by_key(|point| (field.apart(seed, *point), *point));
                near.truncate(HOT);
                self.group = near;
            }
            for point in &self.group {
                if is_all || field.apart(seed, *point) <= 1 {
                    left[usize::from(*point)] = false;
                }
            }
            let zone = self.zone(field);
            zones.push(zone);
        }
    }

    fn find_chains(&mut self, field: &mut Field) {
        let length = field.owners.len();
        self.heads.clear();
        self.heads.resize(length, 0);
        self.liberties.clear();
        self.liberties.resize(length, 0);
        for point in field.points() {
            if field.cell(point).side().is_none() || self.heads[usize::from(point)] != 0 {
                continue;
            }
            let liberties = field.whole_chain(point);
            field.note(liberties);
            for stone in field.stones() {
                self.heads[usize::from(*stone)] = point;
            }
            self.liberties[usize::from(point)] = liberties.min(u16::from(MANY)) as u8;
        }
    }

    pub(super) fn liberties_of(&self, stone: Point) -> u8 {
        self.liberties[usize::from(self.heads[usize::from(stone)])]
    }

    fn find_hot(&mut self, field: &Field) {
        self.hot.clear();
        self.hot.resize(field.owners.len(), false);
        let is_living = |near: Point, side| {
            field.cell(near) == Cell::stone(side) && field.kind(near) != Kind::Dead
        };
        for point in field.points() {
            if field.cell(point) != Cell::Empty {
                continue;
            }
            let near = field.near(point);
            let around = near.into_iter().chain(field.diagonals(point));
            let [first, second] = [Side::First, Side::Second]
                .map(|side| around.clone().any(|near| is_living(near, side)));
            self.hot[usize::from(point)] = first && second && !self.is_solid(field, point);
        }
        for point in field.points() {
            // The last liberties of chains that are short of them.
            if field.cell(point).side().is_none() || field.kind(point) == Kind::Dead {
                continue;
            }
            let liberties = self.liberties_of(point);
            if liberties > 2 {
                continue;
            }
            for near in field.near(point) {
                if field.cell(near) == Cell::Empty {
                    self.hot[usize::from(near)] = true;
                }
            }
        }
    }

    /// Whether an empty point is an eye of one chain.
    fn is_solid(&self, field: &Field, point: Point) -> bool {
        let near = field.near(point);
        let mut heads = near
            .iter()
            .filter(|near| field.cell(**near) != Cell::Border)
            .map(|near| self.heads[usize::from(*near)]);
        let first = heads.next().unwrap_or(0);
        first != 0 && heads.all(|head| head == first)
    }

    /// Collects the hot points connected with one, across corners as well.
    fn gather(&mut self, field: &Field, seed: Point) {
        self.group.clear();
        self.group.push(seed);
        self.inside.clear();
        self.inside.resize(self.hot.len(), false);
        self.inside[usize::from(seed)] = true;
        let mut next = 0;
        while let Some(&at) = self.group.get(next) {
            next += 1;
            for near in field.near(at).into_iter().chain(field.diagonals(at)) {
                let index = usize::from(near);
                if self.hot[index] && !self.inside[index] {
                    self.inside[index] = true;
                    self.group.push(near);
                }
            }
        }
    }

    fn zone(&mut self, field: &mut Field) -> Zone {
        let mut zone = Zone::default();
        zone.moves.extend_from_slice(&self.group);
        zone.moves.sort_unstable();
        for index in 0..zone.moves.len() {
            let key = self.key(field, zone.moves[index]);
            zone.keys.push(key);
            zone.key = (zone.key.rotate_left(5) ^ key).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        zone
    }

    /// A number that changes with what reading a move at a point depends on:
    /// what lies around it, which chain that belongs to, and its liberties up to
    /// [`MANY`]. Reading follows chains further, so this is an approximation: what
    /// was found at a point is used again although a chain changed beyond.
    fn key(&self, field: &Field, point: Point) -> u64 {
        let mut key = u64::from(field.ko);
        let mut mix = |value: u64| {
            key = (key.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
        };
        let s = i32::from(field.stride);
        mix(u64::from(point));
        for offset in 0..49 {
            let column = i32::from(point) % s + offset % 7 - 3;
            let near = i32::from(point) + (offset / 7 - 3) * s + offset % 7 - 3;
            // Past the edge are points of the opposite one.
            if !(1..s).contains(&column) || !(0..field.owners.len() as i32).contains(&near) {
                continue;
            }
            let near = near as Point;
            let cell = field.cell(near);
            let mut value = cell as u64 | (field.kind(near) as u64) << 2;
            if cell.side().is_some() {
                value |= u64::from(self.liberties_of(near)) << 4;
                value |= u64::from(self.heads[usize::from(near)]) << 8;
            }
            mix(value);
        }
        key
    }
}
