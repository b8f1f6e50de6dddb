//! Playouts: games played on from a finished position by simple, fast rules.
//!
//! [`Arena`] is the board of the playouts; unlike [`Board`] it knows neither
//! prisoners nor hashes, keeps a list of the empty points, and can be reset to
//! its start by copying. How moves are chosen is in [`policy`], what shapes
//! mean in [`shape`].

mod liberties;
pub(crate) mod policy;
mod random;
pub(crate) mod shape;

pub(crate) use liberties::Liberties;
pub(crate) use random::Random;

use crate::{
    game::go::board::{Board, Cell, Point},
    outcome::Side,
};

/// A chain at its head point, with pseudo-liberties as in [`Board`].
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    stones: u16,
    libs: u16,
    sum: u32,
    sum_sq: u64,
}

/// The part of a position that playing changes.
#[derive(Clone, Debug, Default)]
struct State {
    cells: Vec<Cell>,
    head: Vec<Point>,
    next: Vec<Point>,
    chains: Vec<Chain>,
    /// Empty points that may be played, in no order.
    empties: Vec<Point>,
    /// Where a point is in `empties`.
    slot: Vec<u16>,
}

impl State {
    fn copy_from(&mut self, other: &Self) {
        self.cells.clone_from(&other.cells);
        self.head.clone_from(&other.head);
        self.next.clone_from(&other.next);
        self.chains.clone_from(&other.chains);
        self.empties.clone_from(&other.empties);
        self.slot.clone_from(&other.slot);
    }
}

/// The board of the playouts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    stride: u16,
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
        let length = board.length();
        let [above, ..] = board.neighbours(board.point(0, 0));
        self.stride = board.point(0, 0) - above;
        let now = &mut self.now;
        now.cells.clear();
        now.cells.resize(length, Cell::Border);
        now.head.clear();
        now.head.resize(length, 0);
        now.next.clear();
        now.next.resize(length, 0);
        now.chains.clear();
        now.chains.resize(length, Chain::default());
        now.slot.clear();
        now.slot.resize(length, 0);
        now.empties.clear();
        for point in board.points() {
            now.cells[usize::from(point)] =
                settled[usize::from(point)].map_or_else(|| board.cell(point), Cell::stone);
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
        self.start.copy_from(&self.now);
        self.reset();
    }

    /// Goes back to the position that was loaded.
    pub(crate) fn reset(&mut self) {
        self.now.copy_from(&self.start);
        self.ko = 0;
        self.taken.clear();
    }

    pub(crate) fn cell(&self, point: Point) -> Cell {
        self.now.cells[usize::from(point)]
    }

    pub(crate) const fn neighbours(&self, point: Point) -> [Point; 4] {
        around(self.stride, point)
    }

    /// The cells around a point, clockwise from the upper left: diagonals even.
    pub(crate) fn ring(&self, point: Point) -> [Cell; 8] {
        let s = self.stride;
        [
            point - s - 1,
            point - s,
            point - s + 1,
            point + 1,
            point + s + 1,
            point + s,
            point + s - 1,
            point - 1,
        ]
        .map(|p| self.cell(p))
    }

    pub(crate) const fn diagonals(&self, point: Point) -> [Point; 4] {
        [
            point - self.stride - 1,
            point - self.stride + 1,
            point + self.stride - 1,
            point + self.stride + 1,
        ]
    }

    pub(crate) fn empties(&self) -> &[Point] {
        &self.now.empties
    }

    pub(crate) fn taken(&self) -> &[Point] {
        &self.taken
    }

    pub(crate) fn head(&self, stone: Point) -> Point {
        self.now.head[usize::from(stone)]
    }

    pub(crate) fn stones(&self, stone: Point) -> u16 {
        self.now.chains[usize::from(self.head(stone))].stones
    }

    /// The stones of a chain.
    pub(crate) fn chain(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let mut at = stone;
        let mut done = false;
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            let current = at;
            at = self.now.next[usize::from(at)];
            done = at == stone;
            Some(current)
        })
    }

    /// The only liberty of a chain in atari.
    pub(crate) fn atari(&self, stone: Point) -> Option<Point> {
        let chain = &self.now.chains[usize::from(self.head(stone))];
        let libs = u64::from(chain.libs);
        let sum = u64::from(chain.sum);
        (libs > 0 && libs * chain.sum_sq == sum * sum).then(|| (sum / libs) as Point)
    }

    /// The liberties of a chain, up to [`Liberties::MAX`].
    pub(crate) fn liberties(&self, stone: Point) -> Liberties {
        let mut found = Liberties::default();
        self.add_liberties(stone, 0, &mut found);
        found
    }

    /// Adds liberties of a chain other than `except`.
    fn add_liberties(&self, stone: Point, except: Point, found: &mut Liberties) {
        // A liberty touches at most four stones.
        if usize::from(self.now.chains[usize::from(self.head(stone))].libs) > 4 * Liberties::MAX {
            found.fill();
            return;
        }
        for member in self.chain(stone) {
            for near in self.neighbours(member) {
                if self.cell(near) == Cell::Empty && near != except {
                    found.add(near);
                    if found.is_full() {
                        return;
                    }
                }
            }
        }
    }

    /// The liberties that the chain of a move would have, up to
    /// [`Liberties::MAX`]; points of captured stones count.
    pub(crate) fn liberties_after(&self, side: Side, point: Point) -> Liberties {
        let own = Cell::stone(side);
        let mut found = Liberties::default();
        for near in self.neighbours(point) {
            let cell = self.cell(near);
            if cell == Cell::Empty {
                found.add(near);
            } else if cell == Cell::stone(side.other()) && self.atari(near) == Some(point) {
                found.add(near);
                // Stones taken elsewhere may free more of our own chains.
                for member in self.chain(near) {
                    for next in self.neighbours(member) {
                        if self.cell(next) == own
                            && self.neighbours(point).iter().any(|&joined| {
                                self.cell(joined) == own && self.head(joined) == self.head(next)
                            })
                        {
                            found.add(member);
                        }
                    }
                }
            }
        }
        for near in self.neighbours(point) {
            if found.is_full() {
                break;
            }
            if self.cell(near) == own {
                self.add_liberties(near, point, &mut found);
            }
        }
        found
    }

    /// Whether a move is legal; suicide never is.
    pub(crate) fn is_legal(&self, side: Side, point: Point) -> bool {
        if self.cell(point) != Cell::Empty || point == self.ko {
            return false;
        }
        let own = Cell::stone(side);
        let enemy = Cell::stone(side.other());
        self.neighbours(point).into_iter().any(|near| {
            let cell = self.cell(near);
            cell == Cell::Empty
                || (cell == own && self.atari(near).is_none())
                || (cell == enemy && self.atari(near).is_some())
        })
    }

    /// A quick sign that a move gives its chain two liberties at least; `false`
    /// says nothing.
    pub(crate) fn is_roomy(&self, side: Side, point: Point) -> bool {
        let own = Cell::stone(side);
        let mut empty = 0;
        for near in self.neighbours(point) {
            let cell = self.cell(near);
            empty += usize::from(cell == Cell::Empty);
            // Eight say that there are two others than the point itself.
            if cell == own && self.now.chains[usize::from(self.head(near))].libs > 8 {
                return true;
            }
        }
        empty >= 2
    }

    fn note_empty(&mut self, point: Point) {
        self.now.slot[usize::from(point)] = self.now.empties.len() as u16;
        self.now.empties.push(point);
    }

    fn forget_empty(&mut self, point: Point) {
        let slot = self.now.slot[usize::from(point)];
        if let Some(last) = self.now.empties.pop()
            && last != point
        {
            self.now.empties[usize::from(slot)] = last;
            self.now.slot[usize::from(last)] = slot;
        }
    }

    /// Makes a chain of one stone, counting its empty neighbours.
    fn start_chain(&mut self, point: Point) {
        let mut chain = Chain {
            stones: 1,
            ..Chain::default()
        };
        for near in self.neighbours(point) {
            if self.cell(near) == Cell::Empty {
                chain.libs += 1;
                chain.sum += u32::from(near);
                chain.sum_sq += u64::from(near) * u64::from(near);
            }
        }
        let index = usize::from(point);
        self.now.head[index] = point;
        self.now.next[index] = point;
        self.now.chains[index] = chain;
    }

    /// Gives a chain liberties on the border, two of them so that it is never
    /// in atari, and so often that they never need be named.
    fn make_immortal(&mut self, stone: Point) {
        const TIMES: u16 = 4 * Liberties::MAX as u16 + 1;
        let chain = &mut self.now.chains[usize::from(stone)];
        chain.libs += 2 * TIMES;
        chain.sum += u32::from(TIMES);
        chain.sum_sq += u64::from(TIMES);
    }

    /// Joins the chains of two stones, relabelling the smaller one.
    fn join(&mut self, one: Point, two: Point) {
        let (mut keep, mut lose) = (self.head(one), self.head(two));
        if keep == lose {
            return;
        }
        if self.stones(keep) < self.stones(lose) {
            std::mem::swap(&mut keep, &mut lose);
        }
        let lost = self.now.chains[usize::from(lose)];
        let kept = &mut self.now.chains[usize::from(keep)];
        kept.stones += lost.stones;
        kept.libs += lost.libs;
        kept.sum += lost.sum;
        kept.sum_sq += lost.sum_sq;
        let mut at = lose;
        loop {
            self.now.head[usize::from(at)] = keep;
            at = self.now.next[usize::from(at)];
            if at == lose {
                break;
            }
        }
        self.now.next.swap(usize::from(keep), usize::from(lose));
    }

    fn remove_chain(&mut self, stone: Point) {
        let mut at = stone;
        loop {
            let following = self.now.next[usize::from(at)];
            self.now.cells[usize::from(at)] = Cell::Empty;
            self.note_empty(at);
            self.taken.push(at);
            let square = u64::from(at) * u64::from(at);
            for near in self.neighbours(at) {
                if self.cell(near).side().is_some() {
                    let head = self.head(near);
                    let chain = &mut self.now.chains[usize::from(head)];
                    chain.libs += 1;
                    chain.sum += u32::from(at);
                    chain.sum_sq += square;
                }
            }
            if following == stone {
                break;
            }
            at = following;
        }
    }

    /// Plays a legal move.
    pub(crate) fn play(&mut self, side: Side, point: Point) {
        let index = usize::from(point);
        let neighbours = self.neighbours(point);
        let own = Cell::stone(side);
        let enemy = Cell::stone(side.other());
        self.taken.clear();
        self.now.cells[index] = own;
        self.forget_empty(point);
        self.start_chain(point);
        let square = u64::from(point) * u64::from(point);
        for near in neighbours {
            if self.cell(near).side().is_some() {
                let head = self.head(near);
                let chain = &mut self.now.chains[usize::from(head)];
                chain.libs -= 1;
                chain.sum -= u32::from(point);
                chain.sum_sq -= square;
            }
        }
        for near in neighbours {
            if self.cell(near) == own {
                self.join(point, near);
            }
        }
        for near in neighbours {
            if self.cell(near) == enemy && self.now.chains[usize::from(self.head(near))].libs == 0 {
                self.remove_chain(near);
            }
        }
        let chain = self.now.chains[usize::from(self.head(point))];
        self.ko = match self.taken.as_slice() {
            &[taken] if chain.stones == 1 && chain.libs == 1 => taken,
            _ => 0,
        };
    }

    /// A pass.
    pub(crate) fn pass(&mut self) {
        self.ko = 0;
        self.taken.clear();
    }

    /// Whether an empty point is an eye that its side should leave alone.
    ///
    /// A false eye is left alone too if `patient`, unless a chain beside it is
    /// in atari: it may turn into a true one before it must be filled.
    pub(crate) fn is_eye(&self, side: Side, point: Point, patient: bool) -> bool {
        let own = Cell::stone(side);
        let is_own = |near: &Point| self.cell(*near) == own;
        let near = self.neighbours(point);
        if !near
            .iter()
            .all(|p| is_own(p) || self.cell(*p) == Cell::Border)
        {
            return false;
        }
        let mut heads = near.iter().filter(|p| is_own(p)).map(|&p| self.head(p));
        let first = heads.next();
        if heads.all(|head| Some(head) == first) {
            return true;
        }
        if patient && !near.iter().any(|&p| is_own(&p) && self.atari(p).is_some()) {
            return true;
        }
        self.has_sound_diagonals(side, point)
    }

    /// Whether the opponent cannot make a false eye of a point by what is on
    /// its diagonals now.
    fn has_sound_diagonals(&self, side: Side, point: Point) -> bool {
        let enemy = Cell::stone(side.other());
        let (mut broken, mut edge) = (0, false);
        for near in self.diagonals(point) {
            let cell = self.cell(near);
            edge |= cell == Cell::Border;
            broken += usize::from(cell == enemy && self.atari(near).is_none());
        }
        broken < if edge { 1 } else { 2 }
    }

    /// Who holds a point at the end of a playout.
    pub(crate) fn owner(&self, point: Point) -> Option<Side> {
        if let Some(side) = self.cell(point).side() {
            return Some(side);
        }
        let mut seen = [false; 2];
        for near in self.neighbours(point) {
            if let Some(side) = self.cell(near).side() {
                seen[side.index()] = true;
            }
        }
        match seen {
            [true, false] => Some(Side::First),
            [false, true] => Some(Side::Second),
            _ => None,
        }
    }
}
