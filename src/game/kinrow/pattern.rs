//! What the stones of one side on one line amount to.
//!
//! All windows of as many points as a line needs are looked at at once, a bit
//! each at their first point: those that the opponent does not stand in, by the
//! stones that they still lack. Two windows one point apart, with their outer
//! points empty, are an open shape: what lacks one stone between is a three, as
//! it can become a straight four.

use super::rules::{Blocked, Overline, Rules};
use crate::outcome::Side;

/// The bits of a line: those of one side, of the other, and the empty points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) open: u64,
}

/// The windows of a line that the opponent does not stand in, a bit each at their
/// first point, by the stones that they lack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    pub(super) free: u64,
    at_least: [u64; 6],
}

impl Windows {
    /// All windows of so many points.
    pub(super) fn of(own: u64, open: u64, length: u32) -> Self {
        let (mut free, mut at_least) = (u64::MAX, [u64::MAX, 0, 0, 0, 0, 0]);
        for at in 0..length {
            free &= (own | open) >> at;
            let here = open >> at;
            for count in (1..at_least.len()).rev() {
                at_least[count] |= at_least[count - 1] & here;
            }
        }
        Self { free, at_least }
    }

    /// Those that lack just so many stones, at most 4.
    pub(super) const fn lacking(&self, count: usize) -> u64 {
        self.free & self.at_least[count] & !self.at_least[count + 1]
    }
}

/// The points of windows from one place in them to before another.
pub(super) fn spread(windows: u64, from: u32, to: u32) -> u64 {
    (from..to).fold(0, |points, at| points | windows << at)
}

/// Empty points of a line by what a stone there makes, and what the line is
/// worth; the names are those of lines of five.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pattern {
    /// A line that wins.
    pub(super) fives: u64,
    /// A straight four: each end of it makes a five.
    pub(super) straights: u64,
    /// A four, straight or not: one more stone makes a five.
    pub(super) fours: u64,
    /// A three that can become a straight four.
    pub(super) threes: u64,
    /// A row that can become a four.
    pub(super) closed_threes: u64,
    /// Two stones that can become an open three.
    pub(super) twos: u64,
    /// Where a stone of the opponent may keep a three from becoming a straight
    /// four.
    pub(super) guards: u64,
    /// Worth in hundredths of an open three.
    pub(super) value: i32,
}

/// What a window without the opponent is worth by the stones that it lacks, from
/// one on.
const WINDOWS: [i32; 5] = [0, 30, 10, 4, 1];
/// What an open shape is worth on top of its windows, by the stones that it
/// lacks to become a straight four, from one on: a three, two stones, one.
const SHAPES: [i32; 5] = [0, 0, OPEN_THREE, 16, 3];
/// What an open three is worth on top of its windows.
pub(super) const OPEN_THREE: i32 = 80;

/// What a stone on a point is worth to its side by what it makes on one line, in
/// the order of [`Pattern::kinds`].
pub(super) const POINTS: [i32; 6] = [8_000, 1_200, 280, 200, 30, 30];
/// From here on a move is more than a quiet one: it makes or stops a three.
pub(super) const LOUD: i32 = 150;

impl Pattern {
    /// What a side's stones amount to on a line.
    pub(super) fn of(rules: &Rules, side: Side, bits: Bits) -> Self {
        let Bits { own, other, open } = bits;
        if own == 0 {
            return Self::default();
        }
        let length = u32::from(rules.line);
        let mut windows = Windows::of(own, open, length);
        if rules.overline[side.index()] == Overline::Ignored {
            // One stone more beside the window would be one too many.
            windows.free &= !(own << 1) & !(own >> length);
        }
        if rules.blocked == Blocked::Both {
            windows.free &= !(other << 1 & other >> length);
        }
        if windows.free == 0 {
            return Self::default();
        }
        let lacking = |count| windows.lacking(count);
        let spread = |windows, from, to| spread(windows, from, to) & open;
        let mut ends = open & open >> length;
        if rules.blocked == Blocked::Both {
            // Else one stone blocks one line and takes the point of the other.
            ends &= !(other << 1) & !(other >> (length + 1));
        }
        let shapes = |count: usize| {
            let windows = lacking(count);
            ends & windows & windows >> 1
        };
        let points = |count: usize| match lacking(count) {
            0 => 0,
            windows => spread(windows, 0, length),
        };
        let inner = |count: usize| match shapes(count) {
            0 => 0,
            shapes => spread(shapes, 1, length),
        };
        let mut value = 0;
        for count in 1..WINDOWS.len() {
            value += WINDOWS[count] * lacking(count).count_ones() as i32;
            value += SHAPES[count] * shapes(count).count_ones() as i32;
        }
        let guards = match (shapes(2), rules.blocked) {
            (0, _) => 0,
            (shapes, Blocked::None) => spread(shapes, 0, length + 1),
            // A stone beyond the ends helps to block a line at both of its ends.
            (shapes, Blocked::Both) => spread(shapes, 0, length + 2) | shapes >> 1 & open,
        };
        Self {
            fives: points(1),
            straights: inner(2),
            fours: points(2),
            threes: inner(3),
            closed_threes: points(3),
            twos: inner(4),
            guards,
            value,
        }
    }

    /// Every empty point that is worth something, once, by the most that a stone
    /// there makes: see [`POINTS`].
    pub(super) const fn kinds(&self) -> [u64; 6] {
        let mut kinds = [
            self.fives,
            self.straights,
            self.fours,
            self.threes,
            self.closed_threes,
            self.twos,
        ];
        let (mut seen, mut at) = (0, 0);
        while at < kinds.len() {
            let kind = kinds[at];
            kinds[at] &= !seen;
            seen |= kind;
            at += 1;
        }
        kinds
    }
}
