//! Black's forbidden moves in renju.
//!
//! Definitions: the International Rules of Renju (RIF), clauses 9.1 to 9.3. A
//! *four* is four stones in a row to which one stone can be added to make a
//! five; it is *straight* if it is unbroken and can be made a five in two ways.
//! A *three* is three stones to which one can be added, without at the same
//! time making a five, to make a straight four. Two fours or two threes that
//! one stone makes are forbidden, as are six or more in a row; a five beats all
//! of that. A double three is allowed if no two of its threes can be made a
//! straight four by a move that is not itself forbidden (9.3).

use std::sync::OnceLock;

use crate::outcome::{Side, words};

use super::{
    board::{Board, Direction, Point},
    rules::FiveEye,
};

words! {
    /// What a move of Black makes, the first that applies.
    Shape {
        /// Exactly five in a row: a win.
        Five = "five",
        /// Six or more in a row.
        Overline = "overline",
        /// Two fours or more.
        DoubleFour = "double_four",
        /// Two threes or more that are not allowed.
        DoubleThree = "double_three",
        /// Nothing of this.
        Plain = "plain",
    }
}

impl Shape {
    /// Whether the move is forbidden.
    #[must_use]
    pub fn is_foul(self) -> bool {
        matches!(self, Self::Overline | Self::DoubleFour | Self::DoubleThree)
    }
}

/// Moves looked at for one point, so that no position takes for ever; in games
/// and random positions it takes some hundred at most.
const MAX_MOVES: u32 = 2_000;

/// What Black's stone on an empty point makes.
#[must_use]
pub fn shape(board: &mut Board, point: Point, five_eye: FiveEye) -> Shape {
    let mut search = Search {
        board,
        five_eye,
        moves: MAX_MOVES,
        seen: None,
    };
    search.shape(point)
}

/// The points whose lines decide what Black's stone on an empty point makes:
/// the point itself, and those that were tried for straight fours.
pub(super) fn seen(board: &mut Board, point: Point, five_eye: FiveEye) -> Vec<Point> {
    let mut seen = Vec::new();
    let mut search = Search {
        board,
        five_eye,
        moves: MAX_MOVES,
        seen: Some(&mut seen),
    };
    search.shape(point);
    seen
}

struct Search<'a> {
    board: &'a mut Board,
    five_eye: FiveEye,
    /// How many moves may still be looked at.
    moves: u32,
    /// Every point looked at, where that is asked for.
    seen: Option<&'a mut Vec<Point>>,
}

impl Search<'_> {
    /// Goes as deep as threes hang on each other: each step puts a stone down,
    /// and all steps together are at most [`MAX_MOVES`].
    fn shape(&mut self, point: Point) -> Shape {
        if let Some(seen) = &mut self.seen {
            seen.push(point);
        }
        let lines = Direction::ALL.map(|direction| look(self.board, direction, point));
        let any = |wanted: fn(&Lines) -> bool| lines.iter().any(wanted);
        if any(|line| line.is_five()) {
            return Shape::Five;
        }
        if any(|line| line.is_overline()) {
            return Shape::Overline;
        }
        if lines.iter().map(|line| line.fours()).sum::<u16>() >= 2 {
            return Shape::DoubleFour;
        }
        let mut left = lines.iter().filter(|line| line.may_be_three()).count();
        if left < 2 {
            return Shape::Plain;
        }
        self.board.put(Side::First, point);
        let mut threes = 0;
        for (line, direction) in lines.into_iter().zip(Direction::ALL) {
            if threes + left < 2 {
                break;
            }
            if line.may_be_three() {
                left -= 1;
                threes += usize::from(self.is_three(line, direction, point));
            }
        }
        self.board.take(Side::First, point);
        match threes {
            0 | 1 => Shape::Plain,
            _ => Shape::DoubleThree,
        }
    }

    /// Whether one of the points that would make a straight four is allowed.
    fn is_three(&mut self, line: Lines, direction: Direction, point: Point) -> bool {
        line.eyes().into_iter().flatten().any(|steps| {
            let Some(eye) = direction.step(point, steps) else {
                return false;
            };
            if self.moves == 0 {
                return true;
            }
            self.moves -= 1;
            match self.shape(eye) {
                Shape::Plain => true,
                Shape::Five => self.five_eye == FiveEye::Counts,
                Shape::Overline | Shape::DoubleFour | Shape::DoubleThree => false,
            }
        })
    }
}

/// What Black's stone makes on one line: bit 0 five, bit 1 overline, bits 2–3
/// fours, then twice four bits with a point that makes a straight four (its
/// place from 1 on the eleven points around, 0 for none).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lines(u16);

impl Lines {
    const fn is_five(self) -> bool {
        self.0 & 1 != 0
    }

    const fn is_overline(self) -> bool {
        self.0 & 2 != 0
    }

    const fn fours(self) -> u16 {
        self.0 >> 2 & 3
    }

    const fn may_be_three(self) -> bool {
        self.0 >> 4 != 0
    }

    /// Points that make a straight four, as steps along the line.
    fn eyes(self) -> [Option<i32>; 2] {
        [4, 8].map(|shift| match self.0 >> shift & 15 {
            0 => None,
            place => Some(i32::from(place) - 1 - REACH),
        })
    }
}

/// So many points to both sides decide.
pub(super) const REACH: i32 = 5;

/// A bit for each point within reach, the middle one left out.
const SIDES: usize = 1 << (2 * REACH);

/// What Black's stone on a point makes on a line.
#[inline]
fn look(board: &Board, direction: Direction, point: Point) -> Lines {
    let (line, bit) = board.place(direction, point);
    let own = sides(board.line(Side::First, line), bit);
    // The least is a three, of two stones besides this one.
    if own.count_ones() < 2 {
        return Lines(0);
    }
    let open = sides(board.open(line), bit);
    let table = table();
    Lines(table.lines[usize::from(table.places[own] + 2 * table.places[open])])
}

/// The ten points around a bit, as a number.
#[inline]
fn sides(line: u64, bit: u32) -> usize {
    let around = line >> (bit - REACH as u32);
    (around & 31 | around >> 1 & (31 << 5)) as usize
}

struct Table {
    /// Ten bits read as ten places of base three.
    places: [u16; SIDES],
    /// By places of own stones and twice the places of empty points.
    lines: Vec<u16>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table {
            places: [0; SIDES],
            lines: vec![0; 59_049],
        };
        for bits in 0..SIDES {
            let digit = |place: u32| (bits >> place & 1) as u16 * 3u16.pow(place);
            table.places[bits] = (0..10).map(digit).sum();
        }
        for own in 0..SIDES {
            let rest = !own & (SIDES - 1);
            // Every subset of the rest can be empty.
            let mut open = rest;
            loop {
                let place = usize::from(table.places[own] + 2 * table.places[open]);
                table.lines[place] = classify(own, open);
                if open == 0 {
                    break;
                }
                open = (open - 1) & rest;
            }
        }
        table
    })
}

/// Eleven points of a line: [`REACH`] to both sides of Black's new stone.
#[derive(Clone, Copy)]
struct Window {
    own: u32,
    open: u32,
}

/// Where the new stone is in the window.
const MIDDLE: u32 = REACH as u32;

impl Window {
    /// How many stones are in a row through a place, as if one was there.
    const fn run(self, place: u32) -> u32 {
        let own = (self.own | 1 << place) as u64;
        let after = (own >> place).trailing_ones();
        let before = (own << (63 - place)).leading_ones();
        before + after - 1
    }

    /// Places in the run through a place, as if a stone was there.
    fn places(self, place: u32) -> impl Iterator<Item = u32> {
        let own = self.own | 1 << place;
        let before = ((own as u64) << (63 - place)).leading_ones();
        let first = place + 1 - before;
        first..first + self.run(place)
    }

    const fn is_open(self, place: u32) -> bool {
        self.open >> place & 1 != 0
    }

    const fn with(self, place: u32) -> Self {
        Self {
            own: self.own | 1 << place,
            open: self.open & !(1 << place),
        }
    }

    /// Empty places where one more stone makes exactly five with the middle.
    fn fives(self) -> impl Iterator<Item = u32> {
        (1..=2 * MIDDLE - 1).filter(move |place| {
            self.is_open(*place)
                && self.run(*place) == 5
                && self.places(*place).any(|at| at == MIDDLE)
        })
    }
}

/// What the new stone in the middle makes on the line alone.
fn classify(own: usize, open: usize) -> u16 {
    // The middle is put between the lower and the upper five.
    let apart = |bits: usize| (bits & 31 | (bits >> 5) << (MIDDLE + 1)) as u32;
    let window = Window {
        own: apart(own),
        open: apart(open),
    };
    let window = window.with(MIDDLE);
    match window.run(MIDDLE) {
        5 => return 1,
        6.. => return 2,
        _ => {}
    }
    let fives: Vec<u32> = window.fives().collect();
    let fours = match fives[..] {
        [] => 0,
        // One four that can be made a five at either end.
        [_] => 1,
        [one, other] if other - one == 5 => 1,
        _ => 2,
    };
    let mut eyes = 0;
    let mut shift = 4;
    for eye in (MIDDLE - 3..=MIDDLE + 3).filter(|eye| window.is_open(*eye)) {
        let four = window.with(eye);
        let places: Vec<u32> = four.places(eye).collect();
        let [first, .., last] = places[..] else {
            continue;
        };
        let is_five = |end: u32| four.is_open(end) && four.run(end) == 5;
        if places.len() == 4
            && places.contains(&MIDDLE)
            && is_five(first - 1)
            && is_five(last + 1)
            && shift <= 8
        {
            eyes |= (eye as u16 + 1) << shift;
            shift += 4;
        }
    }
    fours << 2 | eyes
}
