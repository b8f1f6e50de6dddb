//! What an eye space is worth: no eye, one, or two if its owner moves first.
//!
//! A space is two eyes if a legal move of its owner divides it, or if it is so
//! large that the opponent's dead stones in it do not fill a killing shape.

use super::{
    bits::{Bits, NOWHERE, add, both, first_point, points, size, touches, without},
    territory::{Space, View},
};

/// Spaces of more points are two eyes: six dead stones in the right shape and
/// all points around them are not more.
const LARGE: u32 = 16;

/// An order of points: by rows or columns, each from either end. What is tried
/// in all of them comes to the same on turned and mirrored boards.
#[derive(Clone, Copy)]
struct Order {
    by_columns: bool,
    up: bool,
    left: bool,
}

impl Order {
    const ALL: &[Self] = &{
        let mut all = [Self {
            by_columns: false,
            up: false,
            left: false,
        }; 8];
        let mut bits = 0;
        while bits < 8 {
            all[bits] = Self {
                by_columns: bits & 1 != 0,
                up: bits & 2 != 0,
                left: bits & 4 != 0,
            };
            bits += 1;
        }
        all
    };

    /// What one point, as a set, is sorted by.
    fn key(self, point: &Bits) -> (i64, i64) {
        let row = point.iter().position(|row| *row != 0).unwrap_or(0);
        let sign = |backwards, place: usize| {
            if backwards {
                -(place as i64)
            } else {
                place as i64
            }
        };
        let column = sign(self.left, point[row].trailing_zeros() as usize);
        let row = sign(self.up, row);
        if self.by_columns {
            (column, row)
        } else {
            (row, column)
        }
    }
}

impl View<'_> {
    /// How many eyes a space is worth if its owner moves first.
    pub(super) fn eyes(&self, space: &Space, thrown: &Bits) -> u32 {
        let core = &space.core;
        let mut ends = without(&space.points, core);
        if !self.has_eye(core, &ends, thrown) {
            return 0;
        }
        // Each open end costs a point: the opponent plays it and is answered.
        add(&mut ends, &self.blocks);
        let ends = both(&ends, &self.around(core));
        if size(core, self.rows) > LARGE + size(&ends, self.rows) {
            return 2;
        }
        let is_choice = points(&ends, self.rows)
            .any(|end| size(&both(&self.around(&end), core), self.rows) > 1);
        let orders = if is_choice {
            Order::ALL
        } else {
            &Order::ALL[..1]
        };
        let most = orders.iter().map(|order| {
            let (kept, lost) = self.cut_back(core, &ends, *order);
            self.eyes_left(core, &kept, lost)
        });
        most.max().unwrap_or(0)
    }

    /// What is left of a core if each open end costs a point next to it, and how
    /// many points that is. The first in some order is taken where there is a
    /// choice, which is the owner's.
    fn cut_back(&self, core: &Bits, ends: &Bits, order: Order) -> (Bits, u32) {
        let (mut kept, mut lost) = (*core, 0);
        let mut ends: Vec<Bits> = points(ends, self.rows).collect();
        ends.sort_by_key(|end| order.key(end));
        for end in ends {
            let near = points(&both(&self.around(&end), &kept), self.rows);
            if let Some(point) = near.min_by_key(|point| order.key(point)) {
                kept = without(&kept, &point);
                lost += 1;
            }
        }
        (kept, lost)
    }

    /// The eyes of a core that has lost some points, one at least.
    fn eyes_left(&self, core: &Bits, kept: &Bits, lost: u32) -> u32 {
        if self.is_corner_six(core) {
            let middle = self.filter(core, |near| near > 2);
            if lost > 1 || touches(&middle, self.prey) {
                return 1;
            }
        }
        if !self.is_connected(kept) || self.can_divide(kept) {
            2
        } else {
            1
        }
    }

    /// Whether a space has any eye: more than a point between open ends.
    fn has_eye(&self, core: &Bits, ends: &Bits, thrown: &Bits) -> bool {
        let mut left = *core;
        while let Some(point) = first_point(&left, self.rows) {
            let part = self.grow(&point, core);
            left = without(&left, &part);
            let near = self.around(&part);
            if size(&part, self.rows) > 1
                || (!touches(&near, thrown) && size(&both(&near, ends), self.rows) < 2)
            {
                return true;
            }
        }
        false
    }

    /// The points of a set by how many neighbours they have in it.
    fn filter(&self, set: &Bits, keep: impl Fn(u32) -> bool) -> Bits {
        let mut kept = NOWHERE;
        for point in points(set, self.rows) {
            if keep(size(&both(&self.around(&point), set), self.rows)) {
                add(&mut kept, &point);
            }
        }
        kept
    }

    /// Whether a set is one piece, or empty.
    fn is_connected(&self, set: &Bits) -> bool {
        first_point(set, self.rows).is_none_or(|seed| self.grow(&seed, set) == *set)
    }

    /// Points without which a set falls apart.
    fn joints(&self, set: &Bits, among: &Bits) -> impl Iterator<Item = Bits> {
        points(&both(among, &self.pinched(set)), self.rows)
            .filter(|point| !self.is_connected(&without(set, point)))
    }

    /// Whether a connected space can be divided by one move of its owner, or
    /// is too large for the opponent's dead stones to prevent it.
    fn can_divide(&self, space: &Bits) -> bool {
        let prey = both(space, self.prey);
        let free = without(space, &prey);
        let area = size(space, self.rows);
        if self
            .joints(space, &free)
            .any(|point| self.can_play(&point, &prey, &free))
        {
            return true;
        }
        if size(&free, self.rows) == 1 && self.is_connected(&prey) {
            return self.survives_in(&prey);
        }
        area > 5 && !self.is_nakade(space, &prey)
    }

    /// Whether the owner of a space can play a point of it: it keeps a
    /// liberty, connects or captures.
    fn can_play(&self, point: &Bits, prey: &Bits, free: &Bits) -> bool {
        let near = self.around(point);
        let rest = without(free, point);
        touches(&near, self.own)
            || touches(&near, &rest)
            || points(&both(&near, prey), self.rows)
                .any(|stone| !touches(&self.around(&self.grow(&stone, prey)), &rest))
    }

    /// Whether dead stones fill the middle of a space.
    fn is_nakade(&self, space: &Bits, prey: &Bits) -> bool {
        let outside = |stones: &Bits| {
            let near = both(&self.around(stones), space);
            size(&without(&without(space, stones), &near), self.rows)
        };
        let fills = |stones: &Bits| outside(stones) == 0 && !self.survives_in(stones);
        let free = without(space, prey);
        // A point that the owner cannot take first joins all dead stones.
        let connects = |point: Bits| {
            let mut joined = *prey;
            add(&mut joined, &point);
            let is_theirs = !self.can_play(&point, prey, &free);
            is_theirs && self.is_connected(&joined) && fills(&joined)
        };
        if !self.is_connected(prey) && points(&free, self.rows).any(connects) {
            return true;
        }
        let mut left = *prey;
        while let Some(stone) = first_point(&left, self.rows) {
            let stones = self.grow(&stone, prey);
            left = without(&left, &stones);
            let near = both(&self.around(&stones), space);
            // Alone in the centre of a flower, with one leaf at a corner.
            let flower = size(&stones, self.rows) == 1 && size(&near, self.rows) == 4;
            if fills(&stones) || (flower && outside(&stones) == 1) {
                return true;
            }
        }
        false
    }

    /// Whether a space that a capture leaves is worth two eyes even if the
    /// opponent moves first in it.
    fn survives_in(&self, space: &Bits) -> bool {
        let area = size(space, self.rows);
        let centre = self.filter(space, |near| near == 4);
        area > 6 || (area == 6 && centre == NOWHERE) || self.joints(space, space).nth(1).is_some()
    }

    /// Whether a space is a rectangle of six points in a corner.
    fn is_corner_six(&self, space: &Bits) -> bool {
        let (columns, rows) = (self.columns, self.rows);
        let used = |row: &usize| space[*row] != 0;
        let (Some(top), Some(bottom)) = ((0..rows).find(used), (0..rows).rfind(used)) else {
            return false;
        };
        let bits = space[top];
        let width = bits.count_ones() as usize;
        let left = bits.trailing_zeros() as usize;
        let at_side = left == 0 || left + width == columns;
        let at_end = top == 0 || bottom + 1 == rows;
        matches!((width, bottom + 1 - top), (2, 3) | (3, 2))
            && space[top..=bottom].iter().all(|row| *row == bits)
            && bits >> left == (1 << width) - 1
            && at_side
            && at_end
    }
}
