//! What the playouts keep for each point and each chain.

use std::ops::{Index, IndexMut};

use crate::{
    game::go::board::{Cell, MAX_SIZE, Point},
    outcome::Side,
};

/// How many entries a table has: a power of two, so that masking an index takes
/// the place of checking it.
const LENGTH: usize = 4096;

const _: () = assert!((MAX_SIZE as usize + 2) * (MAX_SIZE as usize + 2) <= LENGTH);

/// Something for each point.
#[derive(Clone, Debug)]
pub(super) struct Table<T>(Box<[T; LENGTH]>);

impl<T: Copy> Table<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Box::new([value; LENGTH]))
    }

    /// Sets the first entries.
    pub(super) fn fill(&mut self, value: T, length: usize) {
        for entry in self.0.iter_mut().take(length) {
            *entry = value;
        }
    }

    /// Copies the first entries.
    pub(super) fn copy_from(&mut self, other: &Self, length: usize) {
        let length = length.min(LENGTH);
        self.0[..length].copy_from_slice(&other.0[..length]);
    }
}

impl<T> Index<Point> for Table<T> {
    type Output = T;

    fn index(&self, point: Point) -> &T {
        &self.0[usize::from(point) % LENGTH]
    }
}

impl<T> IndexMut<Point> for Table<T> {
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.0[usize::from(point) % LENGTH]
    }
}

/// The directions from a point to the eight around it, each a bit of a mask:
/// first the four neighbours, then the diagonals.
///
/// Above, left, right, below, then above left, above right, below left, below
/// right: direction `d` is opposite to `3 - d`, or `11 - d` on a diagonal.
pub(super) const NEIGHBOURS: u8 = 0x0f;
pub(super) const DIAGONALS: u8 = 0xf0;

/// The direction back.
pub(super) const fn opposite(direction: usize) -> usize {
    if direction < 4 {
        3 - direction
    } else {
        11 - direction
    }
}

/// How many groups the stones beside a point are, by mask: those joined around
/// a corner are one.
pub(super) const GROUPS: [u8; 256] = {
    // Clockwise from the upper left, diagonals even.
    const RING: [u8; 8] = [4, 0, 5, 2, 7, 3, 6, 1];
    let mut groups = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut at = 1;
        while at < 8 {
            let here = mask >> RING[at] & 1;
            let joined = mask >> RING[at - 1] & mask >> RING[(at + 6) % 8] & 1;
            groups[mask] += (here & !joined) as u8;
            at += 2;
        }
        mask += 1;
    }
    groups
};

/// Of the neighbours in a mask those that no earlier one is joined to around a
/// corner, as a mask.
pub(super) const SPACES: [u8; 256] = {
    // The neighbours that each diagonal joins.
    const JOINED: [u8; 4] = [0b0011, 0b0101, 0b1010, 0b1100];
    let mut spaces = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut left = mask as u8 & NEIGHBOURS;
        while left != 0 {
            let mut space = left & left.wrapping_neg();
            spaces[mask] |= space;
            // Twice around reaches every neighbour.
            let mut corner = 0;
            while corner < 8 {
                let joined = JOINED[corner % 4];
                if mask >> (4 + corner % 4) & 1 == 1 && space & joined != 0 {
                    space |= joined & mask as u8;
                }
                corner += 1;
            }
            left &= !space;
        }
        mask += 1;
    }
    spaces
};

/// The directions in a mask, from the lowest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directions(pub(super) u8);

impl Iterator for Directions {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let direction = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(direction)
    }
}

/// A point: what is on it and around it, and its stone's place in its chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) cell: Cell,
    /// In which directions there is the border.
    pub(super) border: u8,
    /// In which directions there are stones of either side.
    pub(super) stones: [u8; 2],
    /// The point that stands for the stone's chain.
    pub(super) head: Point,
    /// The next stone of the chain, in a ring.
    pub(super) next: Point,
}

impl Place {
    /// A point outside the board.
    pub(super) const BORDER: Self = Self {
        cell: Cell::Border,
        border: 0,
        stones: [0; 2],
        head: 0,
        next: 0,
    };

    /// In which directions there are empty points beside.
    pub(super) const fn empty(&self) -> u8 {
        self.empty_around() & NEIGHBOURS
    }

    /// In which of the eight directions there are empty points.
    pub(super) const fn empty_around(&self) -> u8 {
        !(self.border | self.stones[0] | self.stones[1])
    }

    /// In which directions there are stones of a side beside.
    pub(super) const fn beside(&self, side: Side) -> u8 {
        self.stones[side.index()] & NEIGHBOURS
    }
}

/// A chain, with pseudo-liberties: an empty point counts once for each of the
/// chain's stones that it touches, so four times at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chain {
    pub(super) stones: u16,
    pub(super) libs: u16,
    /// Their sum as numbers, and that of their squares.
    sum: u32,
    sum_sq: u64,
}

impl Chain {
    /// A stone without liberties.
    pub(super) const STONE: Self = Self {
        stones: 1,
        libs: 0,
        sum: 0,
        sum_sq: 0,
    };

    /// Counts a pseudo-liberty.
    pub(super) const fn add(&mut self, point: Point) {
        self.add_times(point, 1);
    }

    /// Counts a liberty several times.
    pub(super) const fn add_times(&mut self, point: Point, times: u16) {
        self.libs += times;
        self.sum += times as u32 * point as u32;
        self.sum_sq += times as u64 * point as u64 * point as u64;
    }

    /// No longer counts a pseudo-liberty.
    pub(super) const fn remove(&mut self, point: Point) {
        self.libs -= 1;
        self.sum -= point as u32;
        self.sum_sq -= point as u64 * point as u64;
    }

    /// Takes over the stones and pseudo-liberties of another chain.
    pub(super) const fn absorb(&mut self, other: Self) {
        self.stones += other.stones;
        self.libs += other.libs;
        self.sum += other.sum;
        self.sum_sq += other.sum_sq;
    }

    /// Whether all pseudo-liberties of a chain on the board are one point: their
    /// variance is nothing.
    pub(super) const fn is_in_atari(self) -> bool {
        let sum = self.sum as u64;
        self.libs as u64 * self.sum_sq == sum * sum
    }

    /// The only liberty of a chain in atari.
    pub(super) const fn atari(self) -> Option<Point> {
        if self.libs > 0 && self.is_in_atari() {
            Some((self.sum / self.libs as u32) as Point)
        } else {
            None
        }
    }

    /// Whether all pseudo-liberties are a point.
    pub(super) const fn has_only(self, point: Point) -> bool {
        let (libs, point) = (self.libs as u64, point as u64);
        (self.sum as u64 == libs * point) & (self.sum_sq == libs * point * point)
    }
}
