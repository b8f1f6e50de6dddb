//! The Go board: stones, chains with liberties, captures and ko.

use crate::outcome::Side;

/// The largest number of columns or rows.
pub const MAX_SIZE: u8 = 52;

/// A point of a board: an index into its array with a border around it.
///
/// Only the board of the same size that made it gives it a meaning.
pub type Point = u16;

/// What is on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// Length of the tables by point: a power of two, so that masking an index
/// takes the place of checking it.
const LENGTH: usize = 4096;

const fn slot(point: Point) -> usize {
    point as usize & (LENGTH - 1)
}

/// A point in one byte: what is on it in the two lowest bits, as in [`Cell`],
/// and above them how many of its neighbours are empty.
///
/// So a stone without an empty neighbour, which is *hemmed in*, is one value for
/// each side. That is what a move looks for beside it: only a chain with a
/// stone hemmed in by the move can have lost its last liberty, and no other
/// chain is looked at. The count of a border point means nothing, and may wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spot(u8);

impl Spot {
    /// One empty neighbour.
    const OPEN: u8 = 4;
    /// Set while a search has met the stone.
    const MET: u8 = 0x80;

    /// A point with no empty neighbour.
    const fn hemmed(cell: Cell) -> Self {
        Self(cell as u8)
    }

    const fn is(self, cell: Cell) -> bool {
        self.0 & 3 == cell as u8
    }

    /// Whether a neighbour is empty.
    const fn is_open(self) -> bool {
        self.0 & !Self::MET >= Self::OPEN
    }

    const fn set(&mut self, cell: Cell) {
        self.0 = self.0 & !3 | cell as u8;
    }

    /// A neighbour that was empty is so no more.
    const fn close(&mut self) {
        self.0 = self.0.wrapping_sub(Self::OPEN);
    }

    /// A neighbour became empty.
    const fn open(&mut self) {
        self.0 = self.0.wrapping_add(Self::OPEN);
    }
}

/// The chain of a stone.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// Its head point.
    head: Point,
    /// Next stone of the same chain, in a ring.
    next: Point,
    /// Stones of the chain whose head this point is.
    stones: u16,
    /// Whether that chain has a liberty.
    lives: bool,
}

impl Link {
    const NONE: Self = Self {
        head: 0,
        next: 0,
        stones: 0,
        lives: false,
    };
}

/// What is on the points, twice: as cells, and as what a move looks at.
#[derive(Clone, Debug)]
struct Points {
    cells: [Cell; LENGTH],
    spots: [Spot; LENGTH],
}

/// A position: stones, prisoners and the ko point.
///
/// Cells are row-major with a border of one point on every side; the origin is
/// the top left. Chains are found only when they are asked for, with
/// [`Board::find_chains`]: most positions are played through and never seen.
#[derive(Clone, Debug)]
pub struct Board {
    columns: u8,
    rows: u8,
    stride: u16,
    points: Points,
    /// The points of an empty board.
    blank: Box<Points>,
    /// Chains, as they were found last.
    links: Box<[Link; LENGTH]>,
    /// Set while the chains are not those of the stones.
    stale: bool,
    /// Zobrist keys by point and side.
    keys: Box<[[u64; 2]; LENGTH]>,
    /// Point that must not be retaken at once; 0 is none (a border point).
    ko: Point,
    hash: u64,
    /// Stones each side has taken.
    prisoners: [u32; 2],
    /// The stones of a chain, while it is looked at.
    found: Vec<Point>,
}

impl Board {
    /// An empty board.
    ///
    /// # Panics
    /// Where a side is 0 or above [`MAX_SIZE`]: formats check sizes.
    #[must_use]
    pub fn new(columns: u8, rows: u8) -> Self {
        assert!((1..=MAX_SIZE).contains(&columns) && (1..=MAX_SIZE).contains(&rows));
        let blank = Points {
            cells: [Cell::Border; LENGTH],
            spots: [Spot::hemmed(Cell::Border); LENGTH],
        };
        let mut board = Self {
            columns,
            rows,
            stride: u16::from(columns) + 1,
            points: blank.clone(),
            blank: Box::new(blank),
            links: Box::new([Link::NONE; LENGTH]),
            stale: false,
            keys: Box::new([[0; 2]; LENGTH]),
            ko: 0,
            hash: 0,
            prisoners: [0; 2],
            found: Vec::new(),
        };
        for point in board.points() {
            let (column, row) = board.place(point);
            board.keys[slot(point)] =
                [Side::First, Side::Second].map(|side| zobrist(side, column, row));
            board.blank.cells[slot(point)] = Cell::Empty;
            board.blank.spots[slot(point)].set(Cell::Empty);
            for near in board.neighbours(point) {
                board.blank.spots[slot(near)].open();
            }
        }
        board.clear();
        board
    }

    /// Makes the board empty again.
    pub fn clear(&mut self) {
        let length = self.length();
        let Self { points, blank, .. } = self;
        points.cells[..length].copy_from_slice(&blank.cells[..length]);
        points.spots[..length].copy_from_slice(&blank.spots[..length]);
        self.stale = false;
        self.ko = 0;
        self.hash = 0;
        self.prisoners = [0; 2];
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
        &self.points.cells[start..start + usize::from(self.columns)]
    }

    /// What is on a point.
    #[must_use]
    pub fn cell(&self, point: Point) -> Cell {
        self.points.cells[slot(point)]
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

    /// The places of the four neighbours of a point in the tables.
    #[inline(always)]
    fn slots_beside(&self, point: Point) -> [usize; 4] {
        let (at, stride) = (slot(point), usize::from(self.stride));
        let [above, below] = [at.wrapping_sub(stride), at + stride];
        [above, at.wrapping_sub(1), at + 1, below].map(|near| near & (LENGTH - 1))
    }

    fn key(&self, side: Side, point: Point) -> u64 {
        self.keys[slot(point)][side.index()]
    }

    fn spot(&self, point: Point) -> Spot {
        self.points.spots[slot(point)]
    }

    fn spot_mut(&mut self, point: Point) -> &mut Spot {
        &mut self.points.spots[slot(point)]
    }

    fn link(&self, stone: Point) -> Link {
        debug_assert!(!self.stale, "find_chains comes first");
        self.links[slot(stone)]
    }

    /// Whether a point has no empty neighbour.
    #[must_use]
    pub fn is_hemmed_in(&self, point: Point) -> bool {
        !self.spot(point).is_open()
    }

    /// Head point of the chain of a stone: equal for stones of one chain.
    #[must_use]
    pub fn head(&self, stone: Point) -> Point {
        self.link(stone).head
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
            at = self.link(at).next;
            done = at == stone;
            Some(current)
        })
    }

    /// The number of stones of a chain.
    #[must_use]
    pub fn stones(&self, stone: Point) -> u16 {
        self.link(self.head(stone)).stones
    }

    /// Whether a chain has no liberty (only an edit can leave such a chain).
    #[must_use]
    pub fn is_captured(&self, stone: Point) -> bool {
        !self.link(self.head(stone)).lives
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

    /// Edits a point without any capture. The ko point is forgotten.
    pub fn edit(&mut self, point: Point, stone: Option<Side>) {
        self.lift(point);
        if let Some(side) = stone {
            self.put(side, point);
            for near in self.neighbours(point) {
                self.spot_mut(near).close();
            }
        }
        self.ko = 0;
    }

    /// Puts a stone on an empty point; its neighbours are not told.
    fn put(&mut self, side: Side, point: Point) {
        self.points.cells[slot(point)] = Cell::stone(side);
        self.spot_mut(point).set(Cell::stone(side));
        self.hash ^= self.key(side, point);
        self.stale = true;
    }

    /// Takes the stone off a point, if there is one.
    fn lift(&mut self, point: Point) {
        let Some(side) = self.cell(point).side() else {
            return;
        };
        self.points.cells[slot(point)] = Cell::Empty;
        self.spot_mut(point).set(Cell::Empty);
        self.hash ^= self.key(side, point);
        self.stale = true;
        for near in self.neighbours(point) {
            self.spot_mut(near).open();
        }
    }

    /// Finds the chains, which moves and edits leave behind. To be called
    /// before anything is asked about them.
    pub fn find_chains(&mut self) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        for point in 0..self.length() as Point {
            let cell = self.cell(point);
            if cell.side().is_some() {
                self.links[slot(point)] = Link {
                    head: point,
                    next: point,
                    stones: 1,
                    lives: self.spot(point).is_open(),
                };
                for near in [point - 1, point - self.stride] {
                    if self.cell(near) == cell {
                        self.join(point, near);
                    }
                }
            }
        }
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
        let Link { stones, lives, .. } = self.link(lose);
        self.links[slot(keep)].stones += stones;
        self.links[slot(keep)].lives |= lives;
        let mut at = lose;
        loop {
            self.links[slot(at)].head = keep;
            at = self.links[slot(at)].next;
            if at == lose {
                break;
            }
        }
        // One ring of two.
        let next = self.links[slot(keep)].next;
        self.links[slot(keep)].next = self.links[slot(lose)].next;
        self.links[slot(lose)].next = next;
    }

    /// Plays a move.
    ///
    /// Suicide of a single stone is never legal, of several where `suicide` is
    /// set. Whose turn it is is not checked.
    ///
    /// # Errors
    /// Says why the move cannot be played; the position is then unchanged.
    #[inline(always)]
    pub fn play(&mut self, side: Side, point: Point, suicide: bool) -> Result<Played, Illegal> {
        if !self.spot(point).is(Cell::Empty) {
            return Err(Illegal::Occupied);
        }
        if point == self.ko {
            return Err(Illegal::Ko);
        }
        self.put(side, point);
        let hemmed = Spot::hemmed(Cell::stone(side.other()));
        let mut tight = !self.spot(point).is_open();
        for near in self.slots_beside(point) {
            let spot = &mut self.points.spots[near];
            spot.close();
            tight |= *spot == hemmed;
        }
        // Nothing else can capture or be suicide.
        if tight {
            return self.settle(side, point, suicide);
        }
        self.ko = 0;
        Ok(Played::default())
    }

    /// Takes off the chains that a new stone has left without liberties, or
    /// takes the stone back where the rules forbid that it stays.
    #[inline(never)]
    fn settle(&mut self, side: Side, point: Point, suicide: bool) -> Result<Played, Illegal> {
        let mut played = Played::default();
        let mut taken = 0;
        let hemmed = Spot::hemmed(Cell::stone(side.other()));
        for near in self.neighbours(point) {
            if self.spot(near) == hemmed && self.has_no_liberty(near) {
                played.captured += self.take_found(side);
                taken = near;
            }
        }
        let own = Cell::stone(side);
        if self.spot(point) == Spot::hemmed(own) && self.has_no_liberty(point) {
            if self.found.len() == 1 || !suicide {
                self.lift(point);
                return Err(Illegal::Suicide);
            }
            played.suicided = self.take_found(side.other());
        }
        let is_ko = played.captured == 1
            && self.spot(point).0 == own as u8 + Spot::OPEN
            && !self
                .neighbours(point)
                .iter()
                .any(|near| self.spot(*near).is(own));
        self.ko = if is_ko { taken } else { 0 };
        Ok(played)
    }

    /// Whether the chain of a stone that is hemmed in has no liberty; its stones
    /// are then those found.
    #[inline(always)]
    fn has_no_liberty(&mut self, stone: Point) -> bool {
        !self.has_open_friend(stone) && !self.finds_liberty(stone)
    }

    /// Whether a stone of the same side beside a stone has an empty neighbour.
    /// Mostly that is so.
    #[inline(always)]
    fn has_open_friend(&self, stone: Point) -> bool {
        let cell = self.cell(stone);
        let is_open = |near: usize| {
            let spot = self.points.spots[near];
            spot.is(cell) & spot.is_open()
        };
        let [above, left, right, below] = self.slots_beside(stone).map(is_open);
        above | left | right | below
    }

    /// Goes from stone to stone of a chain until one has an empty neighbour;
    /// where none has, all its stones are found.
    #[inline(never)]
    fn finds_liberty(&mut self, stone: Point) -> bool {
        let hemmed = self.spot(stone);
        self.found.clear();
        self.meet(stone);
        let mut done = 0;
        let mut open = false;
        while let Some(&stone) = self.found.get(done).filter(|_| !open) {
            for near in self.neighbours(stone) {
                if self.spot(near) == hemmed {
                    open |= self.has_open_friend(near);
                    self.meet(near);
                }
            }
            done += 1;
        }
        for stone in &self.found {
            self.points.spots[slot(*stone)].0 &= !Spot::MET;
        }
        open
    }

    fn meet(&mut self, stone: Point) {
        self.spot_mut(stone).0 |= Spot::MET;
        self.found.push(stone);
    }

    /// Takes the stones found off the board, for a side; returns how many.
    fn take_found(&mut self, by: Side) -> u16 {
        let found = std::mem::take(&mut self.found);
        for stone in &found {
            self.lift(*stone);
        }
        self.prisoners[by.index()] += found.len() as u32;
        self.found = found;
        self.found.len() as u16
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
