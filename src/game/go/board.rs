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

/// Length of the tables by point: a power of two, so that masking an index
/// takes the place of checking it.
const LENGTH: usize = 4096;

const fn slot(point: Point) -> usize {
    point as usize & (LENGTH - 1)
}

/// What is on a point, and the head point of the chain of the stone there.
///
/// A point without a stone has head 0. That chain is never looked at, so the
/// chains beside a point can be changed without telling its neighbours apart.
/// What is on a point is a bit in a field of four, so that the sum of links
/// says how many points of each kind there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link(u32);

impl Link {
    const EMPTY: Self = Self::new(Cell::Empty, 0);

    const fn new(cell: Cell, head: Point) -> Self {
        Self(1 << Self::field(cell) | head as u32)
    }

    const fn field(cell: Cell) -> u32 {
        16 + 4 * cell as u32
    }

    /// Whether it is the link of such a point.
    const fn is(self, cell: Cell) -> bool {
        self.0 & 1 << Self::field(cell) != 0
    }

    /// How many links of a sum hold this.
    const fn count(self, cell: Cell) -> u32 {
        self.0 >> Self::field(cell) & 7
    }

    const fn head(self) -> Point {
        self.0 as Point & (LENGTH as Point - 1)
    }
}

/// What is looked at beside each move.
#[derive(Clone, Copy, Debug)]
struct Spot {
    link: Link,
    /// Liberties of the chain whose head this point is.
    ///
    /// They are *pseudo-liberties*: one for each pair of a stone and an empty
    /// neighbour, so that a shared liberty counts several times. Their number is
    /// zero exactly when the chain has no liberty.
    libs: u32,
}

impl Spot {
    const BORDER: Self = Self {
        link: Link::new(Cell::Border, 0),
        libs: 0,
    };
}

/// The rest of what is known of a stone and its chain.
#[derive(Clone, Copy, Debug)]
struct Ring {
    /// Next stone of the same chain, in a ring.
    next: Point,
    /// Stones of the chain whose head this point is.
    stones: u16,
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
    spots: Box<[Spot; LENGTH]>,
    rings: Box<[Ring; LENGTH]>,
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
            spots: Box::new([Spot::BORDER; LENGTH]),
            rings: Box::new([Ring { next: 0, stones: 0 }; LENGTH]),
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
            let row = start..start + usize::from(self.columns);
            self.cells[row.clone()].fill(Cell::Empty);
            for spot in &mut self.spots[row] {
                spot.link = Link::EMPTY;
            }
        }
        // Far from zero, which would make a move look like a capture.
        self.spots[0].libs = u32::MAX / 2;
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
        self.spots[slot(stone)].link.head()
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
            at = self.rings[slot(at)].next;
            done = at == stone;
            Some(current)
        })
    }

    /// The number of stones of a chain.
    #[must_use]
    pub fn stones(&self, stone: Point) -> u16 {
        self.rings[slot(self.head(stone))].stones
    }

    /// Whether a chain has no liberty (only an edit can leave such a chain).
    #[must_use]
    pub fn is_captured(&self, stone: Point) -> bool {
        self.spots[slot(self.head(stone))].libs == 0
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
        let cell = stone.map_or(Cell::Empty, Cell::stone);
        self.cells[slot(point)] = cell;
        self.spots[slot(point)].link = Link::new(cell, 0);
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
        for point in 0..self.length() as Point {
            let cell = self.cell(point);
            if cell.side().is_some() {
                self.start_chain(point);
                for near in [point - 1, point - self.stride] {
                    if self.cell(near) == cell {
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
        self.spots[slot(point)].link = Link::new(self.cell(point), point);
        self.spots[slot(point)].libs = libs as u32;
        self.rings[slot(point)] = Ring {
            next: point,
            stones: 1,
        };
    }

    /// Joins the chains of two stones, relabelling the smaller one.
    fn join(&mut self, one: Point, two: Point) {
        let (mut keep, mut lose) = (self.head(one), self.head(two));
        if keep == lose {
            return;
        }
        if self.rings[slot(keep)].stones < self.rings[slot(lose)].stones {
            std::mem::swap(&mut keep, &mut lose);
        }
        self.rings[slot(keep)].stones += self.rings[slot(lose)].stones;
        self.spots[slot(keep)].libs += self.spots[slot(lose)].libs;
        let link = self.spots[slot(keep)].link;
        let mut at = lose;
        loop {
            self.spots[slot(at)].link = link;
            at = self.rings[slot(at)].next;
            if at == lose {
                break;
            }
        }
        self.link_rings(keep, lose);
    }

    /// Makes two rings one, or one two.
    fn link_rings(&mut self, one: Point, two: Point) {
        let next = self.rings[slot(one)].next;
        self.rings[slot(one)].next = self.rings[slot(two)].next;
        self.rings[slot(two)].next = next;
    }

    /// Takes a chain off the board; returns how many stones it had.
    fn remove_chain(&mut self, stone: Point, side: Side) -> u16 {
        let mut at = stone;
        let mut count = 0;
        loop {
            let following = self.rings[slot(at)].next;
            self.cells[slot(at)] = Cell::Empty;
            self.spots[slot(at)].link = Link::EMPTY;
            self.hash ^= self.key(side, at);
            count += 1;
            for near in self.neighbours(at) {
                self.give_liberty(near);
            }
            if following == stone {
                break;
            }
            at = following;
        }
        self.prisoners[side.other().index()] += u32::from(count);
        count
    }

    /// Whether a point holds this stone, and its chain has no liberty left.
    fn is_taken(&self, point: Point, stone: Cell) -> bool {
        let link = self.spots[slot(point)].link;
        link.is(stone) & (self.spots[slot(link.head())].libs == 0)
    }

    fn give_liberty(&mut self, point: Point) {
        let libs = &mut self.spots[slot(self.head(point))].libs;
        *libs = libs.wrapping_add(1);
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
        self.rebuild_if_edited();
        if self.cell(point) != Cell::Empty {
            return Err(Illegal::Occupied);
        }
        if point == self.ko {
            return Err(Illegal::Ko);
        }
        // The processor seldom foresees what is beside a point, so hardly
        // anything here branches on it. The first friend is met last, and kept.
        let own = Cell::stone(side);
        let mut near = Link(0);
        let mut friend = point;
        let mut drained = false;
        let [above, left, right, below] = self.neighbours(point);
        for point in [below, right, left, above] {
            let link = self.spots[slot(point)].link;
            let libs = &mut self.spots[slot(link.head())].libs;
            *libs = libs.wrapping_sub(1);
            drained |= *libs == 0;
            near.0 += link.0;
            friend = if link.is(own) { point } else { friend };
        }
        // Nothing else can capture or be suicide.
        let tight = drained || near.count(Cell::Empty) == 0;
        if tight {
            self.check_suicide(side, point, near, suicide)?;
        }
        self.put(side, point, near, friend);
        self.ko = 0;
        let mut played = Played::default();
        if tight {
            self.capture(side, point, near, &mut played);
        }
        Ok(played)
    }

    /// Refuses a move that captures nothing, joins no chain that keeps a
    /// liberty, and is no suicide that is allowed. The liberties beside it are
    /// those after the move.
    #[inline(never)]
    fn check_suicide(
        &mut self,
        side: Side,
        point: Point,
        near: Link,
        suicide: bool,
    ) -> Result<(), Illegal> {
        let own = Cell::stone(side);
        let lives = |near: Point| match self.cell(near).side() {
            Some(owner) if owner == side => suicide || !self.is_taken(near, own),
            Some(_) => self.is_taken(near, Cell::stone(side.other())),
            None => false,
        };
        let neighbours = self.neighbours(point);
        if near.count(Cell::Empty) > 0 || neighbours.into_iter().any(lives) {
            return Ok(());
        }
        for near in neighbours {
            self.give_liberty(near);
        }
        Err(Illegal::Suicide)
    }

    /// Takes off the chains that a move has left without liberties.
    #[inline(never)]
    fn capture(&mut self, side: Side, point: Point, near: Link, played: &mut Played) {
        let mut taken = 0;
        for near in self.neighbours(point) {
            if self.is_taken(near, Cell::stone(side.other())) {
                played.captured += self.remove_chain(near, side.other());
                taken = near;
            }
        }
        if near.count(Cell::Empty) == 0 {
            let head = slot(self.head(point));
            let libs = self.spots[head].libs;
            if libs == 0 {
                played.suicided = self.remove_chain(point, side);
            } else if played.captured == 1 && self.rings[head].stones == 1 && libs == 1 {
                self.ko = taken;
            }
        }
    }

    /// Puts a stone on a point and makes it part of the chains of its side
    /// beside it: `friend` is one of them, or itself where there is none.
    #[inline(always)]
    fn put(&mut self, side: Side, point: Point, near: Link, friend: Point) {
        let own = Cell::stone(side);
        self.cells[slot(point)] = own;
        self.hash ^= self.key(side, point);
        self.spots[slot(point)] = Spot {
            link: Link::new(own, point),
            libs: 0,
        };
        self.rings[slot(point)] = Ring {
            next: point,
            stones: 0,
        };
        let link = self.spots[slot(friend)].link;
        self.spots[slot(point)].link = link;
        self.link_rings(point, friend);
        self.rings[slot(link.head())].stones += 1;
        self.spots[slot(link.head())].libs += near.count(Cell::Empty);
        if near.count(own) > 1 {
            let mut apart = false;
            for near in self.neighbours(point) {
                let other = self.spots[slot(near)].link;
                apart |= other.is(own) & (other != link);
            }
            if apart {
                self.join_friends(point, own);
            }
        }
    }

    /// Joins the chains of a side beside a new stone of it.
    #[inline(never)]
    fn join_friends(&mut self, point: Point, own: Cell) {
        for near in self.neighbours(point) {
            let other = self.spots[slot(near)].link;
            if other.is(own) & (other != self.spots[slot(point)].link) {
                self.join(point, near);
            }
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
