//! A board on which moves are tried and taken back.

use crate::{
    game::go::board::{Cell, Point},
    outcome::Side,
};

/// What a stone is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// No stone, or one played since.
    #[default]
    Fresh,
    /// A living stone.
    Alive,
    /// A stone judged dead.
    Dead,
}

/// Open regions of more points have a gap in the border between them.
const LARGE: usize = 12;

/// A limit of liberties beyond that of any chain: all of it is looked at.
pub(super) const WHOLE: u16 = u16::MAX;

/// Distances of points that are not in the region shared out, and of those that
/// no living stone of a side was found to reach.
const OUTSIDE: u16 = u16::MAX;
const UNREACHED: u16 = u16::MAX - 1;

/// What is on a point, and whose it is by the static count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) cell: Cell,
    pub(super) kind: Kind,
    /// 1 first player, -1 second player, 0 nobody.
    pub(super) owner: i8,
}

/// What is needed to take a move back.
#[derive(Clone, Copy, Debug)]
struct Undo {
    point: Point,
    ko: Point,
    taken: usize,
    gained: i32,
}

/// Liberties of a chain as far as they were looked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chain {
    pub(super) stones: u16,
    pub(super) liberties: u16,
    /// The first three liberties found.
    pub(super) at: [Point; 3],
    /// Whether a living stone was met.
    pub(super) alive: bool,
}

/// Stones, prisoners and a way back.
#[derive(Clone, Debug, Default)]
pub(super) struct Field {
    pub(super) stride: u16,
    columns: u16,
    rows: u16,
    cells: Vec<Cell>,
    kinds: Vec<Kind>,
    /// Static owners: 1 first player, -1 second player.
    pub(super) owners: Vec<i8>,
    pub(super) ko: Point,
    /// Stones taken since, from the first player's view; dead ones left out.
    pub(super) gained: i32,
    pub(super) prisoners: [u32; 2],
    /// Liberties of each stone's chain when the moves to be taken back began.
    base: Vec<u16>,
    /// Points met while a chain is looked at.
    seen: Vec<u32>,
    stamp: u32,
    /// Stones of the chain looked at last.
    ring: Vec<Point>,
    aside: Vec<Point>,
    taken: Vec<(Point, Cell, Kind)>,
    undo: Vec<Undo>,
}

impl Field {
    /// Takes over a position: what is on each point, row by row.
    pub(super) fn load(&mut self, (columns, rows): (u8, u8), spots: &[Spot]) {
        self.columns = u16::from(columns);
        self.rows = u16::from(rows);
        self.stride = self.columns + 1;
        let length = usize::from(self.stride) * (usize::from(rows) + 2) + 1;
        self.cells.clear();
        self.cells.resize(length, Cell::Border);
        self.kinds.clear();
        self.kinds.resize(length, Kind::Fresh);
        self.owners.clear();
        self.owners.resize(length, 0);
        self.base.clear();
        self.base.resize(length, 0);
        self.seen.clear();
        self.seen.resize(length, 0);
        self.stamp = 0;
        self.settle();
        self.ko = 0;
        self.gained = 0;
        self.prisoners = [0; 2];
        for (point, spot) in self.points().zip(spots) {
            let at = usize::from(point);
            self.cells[at] = spot.cell;
            self.kinds[at] = spot.kind;
            // A living stone's point is no territory.
            self.owners[at] = if spot.kind == Kind::Alive {
                0
            } else {
                spot.owner
            };
        }
    }

    /// Gives the points of large open regions to whoever is nearer: borders that
    /// still have a gap.
    pub(super) fn share_out(&mut self) {
        let mut region = Vec::new();
        let mut met = vec![false; self.owners.len()];
        for seed in self.points() {
            region.clear();
            region.push(seed);
            let mut next = 0;
            while let Some(&at) = region.get(next) {
                let is_open = self.cell(at) == Cell::Empty && self.owners[usize::from(at)] == 0;
                if !is_open || std::mem::replace(&mut met[usize::from(at)], true) {
                    region.swap_remove(next);
                    continue;
                }
                next += 1;
                region.extend(self.near(at));
            }
            if region.len() > LARGE {
                self.share(&region);
            }
        }
    }

    /// Gives the points of a region to whoever is nearer.
    fn share(&mut self, region: &[Point]) {
        let mut nearest = vec![[OUTSIDE; 2]; self.owners.len()];
        for side in [Side::First, Side::Second] {
            let mut front: Vec<Point> = Vec::new();
            let is_living = |near: &Point| {
                self.cell(*near) == Cell::stone(side) && self.kind(*near) == Kind::Alive
            };
            for &point in region {
                nearest[usize::from(point)][side.index()] = UNREACHED;
                if self.near(point).iter().any(is_living) {
                    nearest[usize::from(point)][side.index()] = 1;
                    front.push(point);
                }
            }
            let mut next = 0;
            while let Some(&at) = front.get(next) {
                next += 1;
                let far = nearest[usize::from(at)][side.index()] + 1;
                for near in self.near(at) {
                    let known = &mut nearest[usize::from(near)][side.index()];
                    if *known == UNREACHED {
                        *known = far;
                        front.push(near);
                    }
                }
            }
        }
        for &point in region {
            let [first, second] = nearest[usize::from(point)];
            self.owners[usize::from(point)] = match first.cmp(&second) {
                std::cmp::Ordering::Less => 1,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => -1,
            };
        }
    }

    pub(super) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (columns, stride) = (self.columns, self.stride);
        (1..=self.rows).flat_map(move |row| (1..=columns).map(move |column| row * stride + column))
    }

    pub(super) fn cell(&self, point: Point) -> Cell {
        self.cells[usize::from(point)]
    }

    pub(super) fn kind(&self, point: Point) -> Kind {
        self.kinds[usize::from(point)]
    }

    pub(super) fn set_kind(&mut self, point: Point, kind: Kind) {
        self.kinds[usize::from(point)] = kind;
    }

    pub(super) const fn near(&self, point: Point) -> [Point; 4] {
        [
            point - self.stride,
            point - 1,
            point + 1,
            point + self.stride,
        ]
    }

    pub(super) const fn diagonals(&self, point: Point) -> [Point; 4] {
        let s = self.stride;
        [point - s - 1, point - s + 1, point + s - 1, point + s + 1]
    }

    /// How far apart two points are in columns or rows, whichever is more.
    pub(super) const fn apart(&self, one: Point, two: Point) -> u16 {
        let s = self.stride;
        let (x, y) = ((one % s).abs_diff(two % s), (one / s).abs_diff(two / s));
        if x > y { x } else { y }
    }

    fn next_stamp(&mut self) -> u32 {
        self.stamp += 1;
        self.stamp
    }

    /// Looks at a chain until it has so many liberties.
    pub(super) fn chain(&mut self, stone: Point, limit: u16) -> Chain {
        // Each move since takes one liberty at most.
        let base = usize::from(self.base[usize::from(stone)]);
        if base > usize::from(limit) + self.undo.len() {
            return Chain {
                stones: u16::MAX,
                liberties: limit,
                at: [0; 3],
                alive: self.kind(stone) == Kind::Alive,
            };
        }
        self.flood(stone, limit)
    }

    /// Notes the liberties of the chain looked at last.
    pub(super) fn note(&mut self, liberties: u16) {
        for stone in &self.ring {
            self.base[usize::from(*stone)] = liberties;
        }
    }

    fn flood(&mut self, stone: Point, limit: u16) -> Chain {
        let own = self.cell(stone);
        let stamp = self.next_stamp();
        let mut chain = Chain::default();
        self.ring.clear();
        self.ring.push(stone);
        self.seen[usize::from(stone)] = stamp;
        let mut next = 0;
        while let Some(&at) = self.ring.get(next) {
            next += 1;
            chain.stones += 1;
            chain.alive |= self.kind(at) == Kind::Alive;
            for near in self.near(at) {
                let seen = &mut self.seen[usize::from(near)];
                if *seen == stamp {
                    continue;
                }
                let cell = self.cells[usize::from(near)];
                if cell == Cell::Empty {
                    *seen = stamp;
                    if chain.liberties < 3 {
                        chain.at[usize::from(chain.liberties)] = near;
                    }
                    chain.liberties += 1;
                    if chain.liberties >= limit {
                        return chain;
                    }
                } else if cell == own {
                    *seen = stamp;
                    self.ring.push(near);
                }
            }
        }
        chain
    }

    /// Looks at a chain without forgetting the stones of the last one.
    pub(super) fn peek(&mut self, stone: Point, limit: u16) -> Chain {
        std::mem::swap(&mut self.ring, &mut self.aside);
        let chain = self.chain(stone, limit);
        std::mem::swap(&mut self.ring, &mut self.aside);
        chain
    }

    /// Whether a move since joined a dead stone.
    pub(super) fn risen(&self) -> bool {
        self.undo.iter().any(|undo| {
            let cell = self.cell(undo.point);
            cell != Cell::Empty
                && self
                    .near(undo.point)
                    .into_iter()
                    .any(|near| self.cell(near) == cell && self.kind(near) == Kind::Dead)
        })
    }

    /// Looks at a whole chain and counts all its liberties.
    pub(super) fn whole_chain(&mut self, stone: Point) -> u16 {
        self.flood(stone, WHOLE).liberties
    }

    /// The stones of the chain looked at last, all of them if it has fewer
    /// liberties than the limit was.
    pub(super) fn stones(&self) -> &[Point] {
        &self.ring
    }

    /// Plays a move, if it is legal; suicide is not.
    pub(super) fn play(&mut self, side: Side, point: Point) -> bool {
        if self.cell(point) != Cell::Empty || point == self.ko {
            return false;
        }
        let at = usize::from(point);
        let (own, other) = (Cell::stone(side), Cell::stone(side.other()));
        let undo = Undo {
            point,
            ko: self.ko,
            taken: self.taken.len(),
            gained: self.gained,
        };
        self.cells[at] = own;
        self.base[at] = 0;
        for near in self.near(point) {
            if self.cell(near) == other && self.chain(near, 1).liberties == 0 {
                self.take(side);
            }
        }
        let taken = self.taken.len() - undo.taken;
        let has_room = self
            .near(point)
            .iter()
            .any(|near| self.cell(*near) == Cell::Empty);
        if !has_room && self.chain(point, 1).liberties == 0 {
            self.cells[at] = Cell::Empty;
            return false;
        }
        if taken == 1 {
            let (captured, ..) = self.taken[undo.taken];
            let chain = self.chain(point, 2);
            if chain.stones == 1 && chain.liberties == 1 {
                self.ko = captured;
            }
        }
        self.undo.push(undo);
        true
    }

    /// Takes the chain looked at last off the board.
    fn take(&mut self, side: Side) {
        for stone in std::mem::take(&mut self.ring) {
            let at = usize::from(stone);
            let worth = match self.kinds[at] {
                Kind::Dead => 0,
                Kind::Alive | Kind::Fresh => 1,
            };
            self.gained += side.sign() * worth;
            self.prisoners[side.index()] += 1;
            self.taken.push((stone, self.cells[at], self.kinds[at]));
            self.cells[at] = Cell::Empty;
            self.kinds[at] = Kind::Fresh;
        }
    }

    /// Takes the last move back.
    pub(super) fn back(&mut self) {
        let Some(undo) = self.undo.pop() else {
            return;
        };
        let own = self.cells[usize::from(undo.point)];
        self.cells[usize::from(undo.point)] = Cell::Empty;
        while self.taken.len() > undo.taken {
            let Some((stone, cell, kind)) = self.taken.pop() else {
                break;
            };
            self.cells[usize::from(stone)] = cell;
            self.kinds[usize::from(stone)] = kind;
            if let Some(side) = own.side() {
                self.prisoners[side.index()] -= 1;
            }
        }
        self.ko = undo.ko;
        self.gained = undo.gained;
    }

    /// A point emptied by the moves that can be taken back.
    pub(super) fn taken(&self, index: usize) -> Option<Point> {
        self.taken.get(index).map(|taken| taken.0)
    }

    /// Moves made so far are not taken back.
    pub(super) fn settle(&mut self) {
        self.undo.clear();
        self.taken.clear();
    }

    /// Stones taken by the last move.
    pub(super) fn last_taken(&self) -> &[(Point, Cell, Kind)] {
        let from = self.undo.last().map_or(self.taken.len(), |undo| undo.taken);
        &self.taken[from..]
    }
}
