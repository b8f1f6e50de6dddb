//! Playouts: games played on from a finished position by simple, fast rules.
//!
//! [`Arena`] is the board of the playouts; unlike [`Board`] it knows neither
//! prisoners nor hashes, keeps a list of the empty points, and can be reset to
//! its start by copying. What moves change is in `play`, what is kept for each
//! point in `place`. How moves are chosen is in [`policy`], what shapes
//! mean in [`shape`].

mod liberties;
mod place;
mod play;
pub(crate) mod policy;
mod random;
pub(crate) mod shape;

pub(crate) use liberties::Liberties;
pub(crate) use random::Random;

use crate::{
    game::go::board::{Board, Cell, Point},
    outcome::Side,
};
use place::{Chain, DIAGONALS, Directions, GROUPS, NEIGHBOURS, Place, SPACES, Table};

/// The part of a position that playing changes.
#[derive(Clone, Debug)]
struct State {
    places: Table<Place>,
    /// Where a point is in `empties`.
    slots: Table<u16>,
    /// Chains by their head points.
    chains: Table<Chain>,
    /// Empty points that may be played, in no order.
    empties: Vec<Point>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            places: Table::new(Place::BORDER),
            slots: Table::new(0),
            chains: Table::new(Chain::default()),
            empties: Vec::new(),
        }
    }
}

impl State {
    /// Copies another state of which a part of that length is in use.
    fn copy_from(&mut self, other: &Self, length: usize) {
        self.places.copy_from(&other.places, length);
        self.slots.copy_from(&other.slots, length);
        self.chains.copy_from(&other.chains, length);
        self.empties.clone_from(&other.empties);
    }
}

/// The board of the playouts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    stride: u16,
    /// What to add, wrapping, to go in each direction.
    steps: [u16; 8],
    /// How many points the array has, the border among them.
    length: usize,
    start: State,
    now: State,
    ko: Point,
    /// Points emptied by the last move.
    taken: Vec<Point>,
}

/// Neighbours of a point in the array.
const fn around(stride: u16, point: Point) -> [Point; 4] {
    [point - stride, point - 1, point + 1, point + stride]
}

impl Arena {
    /// Takes over a position.
    ///
    /// A point that is settled becomes a stone of its owner that nobody can
    /// take.
    pub(crate) fn load(&mut self, board: &Board, settled: &[Option<Side>]) {
        self.length = board.length();
        let [above, ..] = board.neighbours(board.point(0, 0));
        self.stride = board.point(0, 0) - above;
        self.now.places.fill(Place::BORDER, self.length);
        self.now.chains.fill(Chain::default(), self.length);
        self.now.empties.clear();
        let s = self.stride;
        self.steps = [
            s.wrapping_neg(),
            1u16.wrapping_neg(),
            1,
            s,
            (s + 1).wrapping_neg(),
            (s - 1).wrapping_neg(),
            s - 1,
            s + 1,
        ];
        for point in board.points() {
            let cell = settled[usize::from(point)].map_or_else(|| board.cell(point), Cell::stone);
            self.now.places[point].cell = cell;
        }
        for point in board.points() {
            for direction in 0..self.steps.len() {
                let bit = 1 << direction;
                let cell = self.cell(self.step(point, direction));
                let place = &mut self.now.places[point];
                match cell.side() {
                    Some(side) => place.stones[side.index()] |= bit,
                    None if cell == Cell::Border => place.border |= bit,
                    None => {}
                }
            }
        }
        for point in board.points() {
            match self.cell(point).side() {
                None => self.note_empty(point),
                Some(side) => {
                    self.start_chain(point);
                    if settled[usize::from(point)].is_some() {
                        self.make_immortal(point);
                    }
                    for near in [point - 1, point - self.stride] {
                        if self.cell(near) == Cell::stone(side) {
                            self.join(point, near);
                        }
                    }
                }
            }
        }
        self.start.copy_from(&self.now, self.length);
        self.reset();
    }

    /// Goes back to the position that was loaded.
    pub(crate) fn reset(&mut self) {
        self.now.copy_from(&self.start, self.length);
        self.ko = 0;
        self.taken.clear();
    }

    #[inline]
    pub(crate) fn cell(&self, point: Point) -> Cell {
        self.now.places[point].cell
    }

    /// The point in a direction from another.
    #[inline]
    const fn step(&self, point: Point, direction: usize) -> Point {
        point.wrapping_add(self.steps[direction & 7])
    }

    /// The points around one in the directions of a mask.
    #[inline]
    fn at(&self, point: Point, mask: u8) -> impl Iterator<Item = Point> + use<'_> {
        Directions(mask).map(move |direction| self.step(point, direction))
    }

    /// The empty points beside one.
    #[inline]
    pub(crate) fn empty_beside(&self, point: Point) -> impl Iterator<Item = Point> + use<'_> {
        self.at(point, self.now.places[point].empty())
    }

    /// The empty points among the eight around one.
    #[inline]
    pub(crate) fn empty_around(&self, point: Point) -> impl Iterator<Item = Point> + use<'_> {
        self.at(point, self.now.places[point].empty_around())
    }

    /// The empty points beside one, of those joined around a corner the first.
    #[inline]
    pub(crate) fn spaces_beside(&self, point: Point) -> impl Iterator<Item = Point> + use<'_> {
        let empty = self.now.places[point].empty_around();
        self.at(point, SPACES[usize::from(empty)])
    }

    /// The stones of a side beside a point.
    #[inline]
    pub(crate) fn stones_beside(
        &self,
        point: Point,
        side: Side,
    ) -> impl Iterator<Item = Point> + use<'_> {
        self.at(point, self.now.places[point].beside(side))
    }

    /// Whether an empty point is beside one.
    #[inline]
    pub(crate) fn is_open(&self, point: Point) -> bool {
        self.now.places[point].empty() != 0
    }

    /// How many empty points are beside one.
    #[inline]
    pub(crate) fn empty_count(&self, point: Point) -> usize {
        // Four bits for each mask.
        const COUNTS: u64 = 0x4332_3221_3221_2110;
        (COUNTS >> (4 * self.now.places[point].empty()) & 15) as usize
    }

    /// Whose stones are beside a point.
    #[inline]
    pub(crate) fn touches(&self, point: Point) -> [bool; 2] {
        let [first, second] = self.now.places[point].stones;
        [first & NEIGHBOURS != 0, second & NEIGHBOURS != 0]
    }

    /// How many groups the stones of each side beside a point are, those joined
    /// around a corner being one.
    #[inline]
    pub(crate) fn groups(&self, point: Point) -> [u8; 2] {
        let [first, second] = self.now.places[point].stones;
        [GROUPS[usize::from(first)], GROUPS[usize::from(second)]]
    }

    pub(crate) const fn neighbours(&self, point: Point) -> [Point; 4] {
        around(self.stride, point)
    }

    pub(crate) fn empties(&self) -> &[Point] {
        &self.now.empties
    }

    #[inline]
    pub(crate) fn head(&self, stone: Point) -> Point {
        self.now.places[stone].head
    }

    #[inline]
    fn chain_of(&self, stone: Point) -> &Chain {
        &self.now.chains[self.head(stone)]
    }

    #[inline]
    pub(crate) fn stones(&self, stone: Point) -> u16 {
        self.chain_of(stone).stones
    }

    /// The stones of a chain.
    #[inline]
    pub(crate) fn chain(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let mut at = stone;
        let mut done = false;
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            let current = at;
            at = self.now.places[at].next;
            done = at == stone;
            Some(current)
        })
    }

    /// The only liberty of a chain in atari.
    #[inline]
    pub(crate) fn atari(&self, stone: Point) -> Option<Point> {
        self.chain_of(stone).atari()
    }

    /// Whether a chain is in atari.
    #[inline]
    fn is_in_atari(&self, stone: Point) -> bool {
        self.chain_of(stone).is_in_atari()
    }

    /// Whether an empty point is the only liberty of a chain beside it.
    #[inline]
    pub(crate) fn is_last_liberty(&self, stone: Point, point: Point) -> bool {
        self.chain_of(stone).has_only(point)
    }

    /// In which directions from a point there are stones in atari: all four are
    /// looked at, so that there is no branch to be guessed. Says nothing about
    /// directions without a stone.
    #[inline]
    fn ataris(&self, point: Point) -> u8 {
        let mut mask = 0;
        for direction in 0..4 {
            let near = self.step(point, direction);
            mask |= u8::from(self.is_in_atari(near)) << direction;
        }
        mask
    }

    /// Stones of a side in atari beside a point.
    pub(crate) fn ataris_beside(
        &self,
        point: Point,
        side: Side,
    ) -> impl Iterator<Item = Point> + use<'_> {
        self.at(
            point,
            self.now.places[point].beside(side) & self.ataris(point),
        )
    }

    /// Whether a move takes something.
    #[inline]
    pub(crate) fn takes(&self, side: Side, point: Point) -> bool {
        let enemies = self.now.places[point].beside(side.other());
        enemies != 0 && enemies & self.ataris(point) != 0
    }

    /// The only liberty that a legal move which takes nothing leaves its chain.
    pub(crate) fn atari_after(&self, side: Side, point: Point) -> Option<Point> {
        let mut chain = Chain::STONE;
        for near in self.empty_beside(point) {
            chain.add(near);
        }
        let mut heads = [0; 4];
        for (index, stone) in self.stones_beside(point, side).enumerate() {
            let head = self.head(stone);
            if !heads.contains(&head) {
                chain.absorb(self.now.chains[head]);
            }
            heads[index & 3] = head;
            chain.remove(point);
        }
        chain.atari()
    }

    /// Whether a move is legal; suicide never is.
    pub(crate) fn is_legal(&self, side: Side, point: Point) -> bool {
        let place = &self.now.places[point];
        if place.cell != Cell::Empty || point == self.ko {
            return false;
        }
        if place.empty() != 0 {
            return true;
        }
        let ataris = self.ataris(point);
        (place.beside(side) & !ataris) | (place.beside(side.other()) & ataris) != 0
    }

    /// A quick sign that a move gives its chain two liberties at least; `false`
    /// says nothing.
    #[inline]
    pub(crate) fn is_roomy(&self, side: Side, point: Point) -> bool {
        let empty = self.now.places[point].empty();
        if empty & empty.wrapping_sub(1) != 0 {
            return true;
        }
        // Eight say that there are two others than the point itself.
        self.stones_beside(point, side)
            .any(|near| self.chain_of(near).libs > 8)
    }

    /// Whether an empty point is an eye that its side should leave alone.
    ///
    /// A false eye is left alone too if `patient`, unless a chain beside it is
    /// in atari: it may turn into a true one before it must be filled.
    pub(crate) fn is_eye(&self, side: Side, point: Point, patient: bool) -> bool {
        let place = &self.now.places[point];
        if place.empty() | place.beside(side.other()) != 0 {
            return false;
        }
        let mut near = self.stones_beside(point, side);
        let first = near.next().map(|stone| self.head(stone));
        if near.all(|stone| Some(self.head(stone)) == first) {
            return true;
        }
        if patient && place.beside(side) & self.ataris(point) == 0 {
            return true;
        }
        self.has_sound_diagonals(side, point)
    }

    /// Whether the opponent cannot make a false eye of a point by what is on
    /// its diagonals now.
    fn has_sound_diagonals(&self, side: Side, point: Point) -> bool {
        let place = &self.now.places[point];
        let enemies = place.stones[side.other().index()] & DIAGONALS;
        let broken = self
            .at(point, enemies)
            .filter(|&near| !self.is_in_atari(near))
            .count();
        let edge = place.border & DIAGONALS != 0;
        broken < if edge { 1 } else { 2 }
    }

    /// Who holds a point at the end of a playout.
    pub(crate) fn owner(&self, point: Point) -> Option<Side> {
        if let Some(side) = self.cell(point).side() {
            return Some(side);
        }
        match self.touches(point) {
            [true, false] => Some(Side::First),
            [false, true] => Some(Side::Second),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
