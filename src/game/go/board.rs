//! The Go board: stones, chains with liberties, captures and ko.

use crate::outcome::Side;

/// The largest number of columns or rows.
pub const MAX_SIZE: u8 = 52;

/// A point of a board: an index into its array with a border around it.
///
/// Only the board of the same size that made it gives it a meaning.
pub type Point = u16;

/// What is on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cell {
    /// A stone of the first player (Black).
    First = 0,
    /// A stone of the second player (White).
    Second = 1,
    /// No stone.
    Empty = 2,
    /// Outside the board.
    Border = 3,
}

impl Cell {
    /// The cell that holds a stone of a side.
    #[must_use]
    pub const fn stone(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }

    /// The owner of the stone, if there is one.
    #[must_use]
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::First => Some(Side::First),
            Self::Second => Some(Side::Second),
            Self::Empty | Self::Border => None,
        }
    }
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// There is a stone on the point.
    Occupied,
    /// It takes back a ko at once.
    Ko,
    /// It would leave its own stones without liberties, and the rules forbid it.
    Suicide,
}

impl Illegal {
    /// The word used in rows.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Occupied => "occupied",
            Self::Ko => "ko",
            Self::Suicide => "suicide",
        }
    }
}

/// What a legal move did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Stones of the opponent taken.
    pub captured: u16,
    /// Own stones removed by a suicide.
    pub suicided: u16,
}

/// A chain, kept at its head point.
///
/// Liberties are *pseudo-liberties*: one for each pair of a stone and an empty
/// neighbour, so that a shared liberty counts several times. Their number is
/// zero exactly when the chain has no liberty.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    stones: u16,
    libs: u16,
}

/// Length of the tables by point: a power of two, so that masking an index
/// takes the place of checking it.
const LENGTH: usize = 4096;

const fn slot(point: Point) -> usize {
    point as usize & (LENGTH - 1)
}

/// Up to four points.
#[derive(Default)]
struct Few {
    points: [Point; 4],
    count: usize,
}

impl Few {
    fn push(&mut self, point: Point) {
        self.points[self.count & 3] = point;
        self.count += 1;
    }

    fn points(&self) -> &[Point] {
        &self.points[..self.count.min(4)]
    }
}

/// A position: stones, chains, prisoners and the ko point.
///
/// Cells are row-major with a border of one point on every side; the origin is
/// the top left.
#[derive(Clone, Debug)]
pub struct Board {
    columns: u8,
    rows: u8,
    stride: u16,
    cells: Box<[Cell; LENGTH]>,
    /// Head of the chain of each stone.
    head: Box<[Point; LENGTH]>,
    /// Next stone of the same chain, in a ring.
    next: Box<[Point; LENGTH]>,
    chains: Box<[Chain; LENGTH]>,
    /// Zobrist keys by point and side.
    keys: Box<[[u64; 2]; LENGTH]>,
    /// Point that must not be retaken at once; 0 is none (a border point).
    ko: Point,
    hash: u64,
    /// Stones each side has taken.
    prisoners: [u32; 2],
    /// Set while edits have left the chains stale.
    stale: bool,
}

impl Board {
    /// An empty board.
    ///
    /// # Panics
    /// Where a side is 0 or above [`MAX_SIZE`]: formats check sizes.
    #[must_use]
    pub fn new(columns: u8, rows: u8) -> Self {
        assert!((1..=MAX_SIZE).contains(&columns) && (1..=MAX_SIZE).contains(&rows));
        let stride = u16::from(columns) + 1;
        let mut board = Self {
            columns,
            rows,
            stride,
            cells: Box::new([Cell::Border; LENGTH]),
            head: Box::new([0; LENGTH]),
            next: Box::new([0; LENGTH]),
            chains: Box::new([Chain { stones: 0, libs: 0 }; LENGTH]),
            keys: Box::new([[0; 2]; LENGTH]),
            ko: 0,
            hash: 0,
            prisoners: [0; 2],
            stale: false,
        };
        for point in board.points() {
            let (column, row) = board.place(point);
            board.keys[slot(point)] =
                [Side::First, Side::Second].map(|side| zobrist(side, column, row));
        }
        board.clear();
        board
    }

    /// Makes the board empty again.
    pub fn clear(&mut self) {
        for row in 0..self.rows {
            let start = usize::from(self.point(0, row));
            self.cells[start..start + usize::from(self.columns)].fill(Cell::Empty);
        }
        self.ko = 0;
        self.hash = 0;
        self.prisoners = [0; 2];
        self.stale = false;
    }

    /// Columns and rows.
    #[must_use]
    pub const fn size(&self) -> (u8, u8) {
        (self.columns, self.rows)
    }

    /// The number of array cells, border included: length of tables by point.
    #[must_use]
    pub fn length(&self) -> usize {
        usize::from(self.stride) * (usize::from(self.rows) + 2) + 1
    }

    /// The point at a column and a row, both from 0, origin top left.
    #[must_use]
    pub fn point(&self, column: u8, row: u8) -> Point {
        (u16::from(row) + 1) * self.stride + u16::from(column) + 1
    }

    /// Column and row of a point.
    #[must_use]
    pub fn place(&self, point: Point) -> (u8, u8) {
        (
            (point % self.stride) as u8 - 1,
            (point / self.stride) as u8 - 1,
        )
    }

    /// All points, row by row from the top left.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (columns, stride) = (u16::from(self.columns), self.stride);
        (1..=u16::from(self.rows))
            .flat_map(move |row| (1..=columns).map(move |column| row * stride + column))
    }

    /// The four neighbours of a point, some of which may be border.
    #[must_use]
    pub const fn neighbours(&self, point: Point) -> [Point; 4] {
        [
            point - self.stride,
            point - 1,
            point + 1,
            point + self.stride,
        ]
    }

    /// The four diagonal neighbours of a point, some of which may be border.
    #[must_use]
    pub const fn diagonals(&self, point: Point) -> [Point; 4] {
        [
            point - self.stride - 1,
            point - self.stride + 1,
            point + self.stride - 1,
            point + self.stride + 1,
        ]
    }

    /// The cells of a row, from the left.
    #[must_use]
    pub fn row(&self, row: u8) -> &[Cell] {
        let start = usize::from(self.point(0, row));
        &self.cells[start..start + usize::from(self.columns)]
    }

    /// What is on a point.
    #[must_use]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[slot(point)]
    }

    /// Stones that a side has taken, its opponent's suicides included.
    #[must_use]
    pub const fn prisoners(&self, side: Side) -> u32 {
        self.prisoners[side.index()]
    }

    /// Sets how many stones each side has taken before the first move, first
    /// player first.
    pub const fn set_prisoners(&mut self, taken: [u32; 2]) {
        self.prisoners = taken;
    }

    /// The point that the side to move must not take back at once.
    #[must_use]
    pub const fn ko(&self) -> Option<Point> {
        if self.ko == 0 { None } else { Some(self.ko) }
    }

    /// Zobrist hash of the stones (not of the side to move, ko or prisoners).
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    fn key(&self, side: Side, point: Point) -> u64 {
        self.keys[slot(point)][side.index()]
    }

    /// Head point of the chain of a stone: equal for stones of one chain.
    #[must_use]
    pub fn head(&self, stone: Point) -> Point {
        debug_assert!(!self.stale);
        self.head[slot(stone)]
    }

    /// The stones of the chain that a stone belongs to.
    pub fn chain(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let mut at = stone;
        let mut done = self.cell(stone).side().is_none();
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            let current = at;
            at = self.next[slot(at)];
            done = at == stone;
            Some(current)
        })
    }

    /// The number of stones of a chain.
    #[must_use]
    pub fn stones(&self, stone: Point) -> u16 {
        self.chains[slot(self.head(stone))].stones
    }

    /// Whether a chain has no liberty (only an edit can leave such a chain).
    #[must_use]
    pub fn is_captured(&self, stone: Point) -> bool {
        self.chains[slot(self.head(stone))].libs == 0
    }

    /// Counts the liberties of a chain, up to a limit.
    #[must_use]
    pub fn liberties(&self, stone: Point, limit: usize) -> usize {
        let mut found: Vec<Point> = Vec::with_capacity(limit.min(16));
        for member in self.chain(stone) {
            for near in self.neighbours(member) {
                if self.cell(near) == Cell::Empty && !found.contains(&near) {
                    found.push(near);
                    if found.len() >= limit {
                        return limit;
                    }
                }
            }
        }
        found.len()
    }

    /// Edits a point without any capture; chains are rebuilt before the next
    /// move or by [`Board::rebuild_if_edited`]. The ko point is forgotten.
    pub fn edit(&mut self, point: Point, stone: Option<Side>) {
        if let Some(old) = self.cell(point).side() {
            self.hash ^= self.key(old, point);
        }
        if let Some(new) = stone {
            self.hash ^= self.key(new, point);
        }
        self.cells[slot(point)] = stone.map_or(Cell::Empty, Cell::stone);
        self.ko = 0;
        self.stale = true;
    }

    /// Finds the chains again, where edits have left them stale.
    #[inline]
    pub fn rebuild_if_edited(&mut self) {
        if self.stale {
            self.rebuild();
        }
    }

    #[cold]
    fn rebuild(&mut self) {
        self.stale = false;
        for point in self.points() {
            self.head[slot(point)] = 0;
        }
        for point in self.points() {
            if let Some(side) = self.cell(point).side() {
                self.start_chain(point);
                for near in [point - 1, point - self.stride] {
                    if self.cell(near) == Cell::stone(side) {
                        self.join(point, near);
                    }
                }
            }
        }
    }

    /// Makes a chain of one stone, counting its empty neighbours.
    fn start_chain(&mut self, point: Point) {
        let near = self.neighbours(point).map(|near| self.cell(near));
        let libs = near.iter().filter(|cell| **cell == Cell::Empty).count();
        self.head[slot(point)] = point;
        self.next[slot(point)] = point;
        self.chains[slot(point)] = Chain {
            stones: 1,
            libs: libs as u16,
        };
    }

    /// Joins the chains of two stones, relabelling the smaller one.
    fn join(&mut self, one: Point, two: Point) {
        let (mut keep, mut lose) = (self.head[slot(one)], self.head[slot(two)]);
        if keep == lose {
            return;
        }
        if self.chains[slot(keep)].stones < self.chains[slot(lose)].stones {
            std::mem::swap(&mut keep, &mut lose);
        }
        let lost = self.chains[slot(lose)];
        let kept = &mut self.chains[slot(keep)];
        kept.stones += lost.stones;
        kept.libs += lost.libs;
        let mut at = lose;
        loop {
            self.head[slot(at)] = keep;
            at = self.next[slot(at)];
            if at == lose {
                break;
            }
        }
        self.next.swap(slot(keep), slot(lose));
    }

    /// Takes a chain off the board; returns how many stones it had.
    fn remove_chain(&mut self, stone: Point, side: Side) -> u16 {
        let mut at = stone;
        let mut count = 0;
        loop {
            let following = self.next[slot(at)];
            self.cells[slot(at)] = Cell::Empty;
            self.hash ^= self.key(side, at);
            count += 1;
            for near in self.neighbours(at) {
                if (self.cell(near) as u8) < 2 {
                    self.chain_of(near).libs += 1;
                }
            }
            if following == stone {
                break;
            }
            at = following;
        }
        self.prisoners[side.other().index()] += u32::from(count);
        count
    }

    fn chain_of(&mut self, stone: Point) -> &mut Chain {
        let head = self.head[slot(stone)];
        &mut self.chains[slot(head)]
    }

    /// Plays a move.
    ///
    /// Suicide of a single stone is never legal, of several where `suicide` is
    /// set. Whose turn it is is not checked.
    ///
    /// # Errors
    /// Says why the move cannot be played; the position is then unchanged.
    pub fn play(&mut self, side: Side, point: Point, suicide: bool) -> Result<Played, Illegal> {
        self.rebuild_if_edited();
        if self.cell(point) != Cell::Empty {
            return Err(Illegal::Occupied);
        }
        if point == self.ko {
            return Err(Illegal::Ko);
        }
        let own = Cell::stone(side);
        let mut friends = Few::default();
        let mut foes = Few::default();
        let mut empty = 0;
        for near in self.neighbours(point) {
            match self.cell(near) {
                Cell::Empty => empty += 1,
                Cell::Border => {}
                cell => {
                    self.chain_of(near).libs -= 1;
                    if cell == own {
                        friends.push(near);
                    } else {
                        foes.push(near);
                    }
                }
            }
        }
        // Only a move without an empty neighbour can be suicide.
        if empty == 0 && !self.survives(&friends, &foes, suicide) {
            for near in friends.points().iter().chain(foes.points()) {
                self.chain_of(*near).libs += 1;
            }
            return Err(Illegal::Suicide);
        }

        self.cells[slot(point)] = own;
        self.hash ^= self.key(side, point);
        self.attach(point, &friends, empty);
        let mut played = Played::default();
        let mut taken = 0;
        for near in foes.points() {
            // An earlier capture of the same chain may have emptied the point.
            if self.chain_of(*near).libs == 0 && self.cell(*near) != Cell::Empty {
                played.captured += self.remove_chain(*near, side.other());
                taken = *near;
            }
        }
        self.ko = 0;
        if empty == 0 {
            let chain = *self.chain_of(point);
            if chain.libs == 0 {
                played.suicided = self.remove_chain(point, side);
            } else if played.captured == 1 && chain.stones == 1 && chain.libs == 1 {
                self.ko = taken;
            }
        }
        Ok(played)
    }

    /// Whether a stone without empty neighbours may be played: it captures,
    /// joins a chain that keeps a liberty, or is a suicide that is allowed.
    /// The liberties of the neighbours are those after the move.
    fn survives(&self, friends: &Few, foes: &Few, suicide: bool) -> bool {
        let friend_lives =
            |near: &Point| suicide || self.chains[slot(self.head[slot(*near)])].libs > 0;
        let foe_dies = |near: &Point| self.chains[slot(self.head[slot(*near)])].libs == 0;
        friends.points().iter().any(friend_lives) || foes.points().iter().any(foe_dies)
    }

    /// Makes a new stone part of the chains of its side beside it.
    fn attach(&mut self, point: Point, friends: &Few, empty: u16) {
        let Some((first, others)) = friends.points().split_first() else {
            self.head[slot(point)] = point;
            self.next[slot(point)] = point;
            self.chains[slot(point)] = Chain {
                stones: 1,
                libs: empty,
            };
            return;
        };
        self.head[slot(point)] = self.head[slot(*first)];
        self.next[slot(point)] = self.next[slot(*first)];
        self.next[slot(*first)] = point;
        let chain = self.chain_of(point);
        chain.stones += 1;
        chain.libs += empty;
        for friend in others {
            self.join(point, *friend);
        }
    }

    /// A pass: lifts the ban on the ko point.
    pub fn pass(&mut self) {
        self.ko = 0;
    }
}

/// The Zobrist key of a stone at a column and a row: the same on every size.
#[must_use]
pub(super) fn zobrist(side: Side, column: u8, row: u8) -> u64 {
    const SIDE: usize = MAX_SIZE as usize;
    static KEYS: [[u64; SIDE * SIDE]; 2] = {
        // splitmix64 (Steele, Lea, Flood 2014)
        let mut state: u64 = 0x6b69_6675;
        let mut keys = [[0; SIDE * SIDE]; 2];
        let mut i = 0;
        while i < 2 * SIDE * SIDE {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut key = state;
            key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            keys[i % 2][i / 2] = key ^ (key >> 31);
            i += 1;
        }
        keys
    };
    KEYS[side.index()][usize::from(row) * SIDE + usize::from(column)]
}
