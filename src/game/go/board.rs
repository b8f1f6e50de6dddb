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
/// zero exactly when the chain has no liberty, and `libs * sum_sq == sum * sum`
/// exactly when all of them are one point.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    stones: u16,
    libs: u16,
    sum: u32,
    sum_sq: u64,
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
    cells: Vec<Cell>,
    /// Head of the chain of each stone.
    head: Vec<Point>,
    /// Next stone of the same chain, in a ring.
    next: Vec<Point>,
    chains: Vec<Chain>,
    /// Zobrist keys by point and side.
    keys: Vec<[u64; 2]>,
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
        let length = usize::from(stride) * (usize::from(rows) + 2) + 1;
        let mut board = Self {
            columns,
            rows,
            stride,
            cells: vec![Cell::Border; length],
            head: vec![0; length],
            next: vec![0; length],
            chains: vec![Chain::default(); length],
            keys: vec![[0; 2]; length],
            ko: 0,
            hash: 0,
            prisoners: [0; 2],
            stale: false,
        };
        for point in board.points() {
            let (column, row) = board.place(point);
            board.keys[usize::from(point)] =
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
        self.cells.len()
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
        self.cells[usize::from(point)]
    }

    /// Stones that a side has taken, its opponent's suicides included.
    #[must_use]
    pub const fn prisoners(&self, side: Side) -> u32 {
        self.prisoners[side.index()]
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
        self.keys[usize::from(point)][side.index()]
    }

    /// Head point of the chain of a stone: equal for stones of one chain.
    #[must_use]
    pub fn head(&self, stone: Point) -> Point {
        debug_assert!(!self.stale);
        self.head[usize::from(stone)]
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
            at = self.next[usize::from(at)];
            done = at == stone;
            Some(current)
        })
    }

    /// The number of stones of a chain.
    #[must_use]
    pub fn stones(&self, stone: Point) -> u16 {
        self.chains[usize::from(self.head(stone))].stones
    }

    /// Whether a chain has no liberty (only an edit can leave such a chain).
    #[must_use]
    pub fn is_captured(&self, stone: Point) -> bool {
        self.chains[usize::from(self.head(stone))].libs == 0
    }

    /// The only liberty of a chain in atari.
    #[must_use]
    pub fn atari(&self, stone: Point) -> Option<Point> {
        let chain = &self.chains[usize::from(self.head(stone))];
        let libs = u64::from(chain.libs);
        let sum = u64::from(chain.sum);
        (libs > 0 && libs * chain.sum_sq == sum * sum).then(|| (sum / libs) as Point)
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
        self.cells[usize::from(point)] = stone.map_or(Cell::Empty, Cell::stone);
        self.ko = 0;
        self.stale = true;
    }

    /// Finds the chains again, where edits have left them stale.
    pub fn rebuild_if_edited(&mut self) {
        if self.stale {
            self.rebuild();
        }
    }

    fn rebuild(&mut self) {
        self.stale = false;
        for point in self.points() {
            self.head[usize::from(point)] = 0;
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
        self.head[usize::from(point)] = point;
        self.next[usize::from(point)] = point;
        self.chains[usize::from(point)] = chain;
    }

    /// Joins the chains of two stones, relabelling the smaller one.
    fn join(&mut self, one: Point, two: Point) {
        let (mut keep, mut lose) = (self.head[usize::from(one)], self.head[usize::from(two)]);
        if keep == lose {
            return;
        }
        if self.chains[usize::from(keep)].stones < self.chains[usize::from(lose)].stones {
            std::mem::swap(&mut keep, &mut lose);
        }
        let lost = self.chains[usize::from(lose)];
        let kept = &mut self.chains[usize::from(keep)];
        kept.stones += lost.stones;
        kept.libs += lost.libs;
        kept.sum += lost.sum;
        kept.sum_sq += lost.sum_sq;
        let mut at = lose;
        loop {
            self.head[usize::from(at)] = keep;
            at = self.next[usize::from(at)];
            if at == lose {
                break;
            }
        }
        self.next.swap(usize::from(keep), usize::from(lose));
    }

    /// Takes a chain off the board; returns how many stones it had.
    fn remove_chain(&mut self, stone: Point, side: Side) -> u16 {
        let mut at = stone;
        let mut count = 0;
        loop {
            let following = self.next[usize::from(at)];
            self.cells[usize::from(at)] = Cell::Empty;
            self.hash ^= self.key(side, at);
            count += 1;
            let square = u64::from(at) * u64::from(at);
            for near in self.neighbours(at) {
                if (self.cell(near) as u8) < 2 {
                    let chain = &mut self.chains[usize::from(self.head[usize::from(near)])];
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
        self.prisoners[side.other().index()] += u32::from(count);
        count
    }

    /// Whether a move is legal; suicide of several stones if `suicide` is set.
    ///
    /// # Errors
    /// Says why it is not.
    pub fn check(&self, side: Side, point: Point, suicide: bool) -> Result<(), Illegal> {
        debug_assert!(!self.stale);
        if self.cell(point) != Cell::Empty {
            return Err(Illegal::Occupied);
        }
        if point == self.ko {
            return Err(Illegal::Ko);
        }
        let own = Cell::stone(side);
        let enemy = Cell::stone(side.other());
        let mut has_friend = false;
        for near in self.neighbours(point) {
            let cell = self.cell(near);
            if cell == Cell::Empty {
                return Ok(());
            }
            if cell == own {
                has_friend = true;
                if self.atari(near).is_none() {
                    return Ok(());
                }
            } else if cell == enemy && self.atari(near).is_some() {
                return Ok(());
            }
        }
        if has_friend && suicide {
            Ok(())
        } else {
            Err(Illegal::Suicide)
        }
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
        let index = usize::from(point);
        if self.cells[index] != Cell::Empty {
            return Err(Illegal::Occupied);
        }
        if point == self.ko {
            return Err(Illegal::Ko);
        }
        let neighbours = self.neighbours(point);
        let own = Cell::stone(side);
        let enemy = Cell::stone(side.other());
        let cells = neighbours.map(|near| self.cell(near));
        // Only a move without an empty neighbour can be suicide.
        if !cells.contains(&Cell::Empty) {
            self.check(side, point, suicide)?;
        }

        self.cells[index] = own;
        self.hash ^= self.key(side, point);
        self.start_chain(point);
        let square = u64::from(point) * u64::from(point);
        for near in neighbours {
            if (self.cell(near) as u8) < 2 {
                let chain = &mut self.chains[usize::from(self.head[usize::from(near)])];
                chain.libs -= 1;
                chain.sum -= u32::from(point);
                chain.sum_sq -= square;
            }
        }
        for (near, cell) in neighbours.into_iter().zip(cells) {
            if cell == own {
                self.join(point, near);
            }
        }
        let mut played = Played::default();
        let mut taken = 0;
        for near in neighbours {
            // Looked at anew: an earlier capture may have emptied it.
            if self.cell(near) == enemy
                && self.chains[usize::from(self.head[usize::from(near)])].libs == 0
            {
                played.captured += self.remove_chain(near, side.other());
                taken = near;
            }
        }
        let chain = self.chains[usize::from(self.head[index])];
        self.ko = 0;
        if chain.libs == 0 {
            played.suicided = self.remove_chain(point, side);
        } else if played.captured == 1 && chain.stones == 1 && chain.libs == 1 {
            self.ko = taken;
        }
        Ok(played)
    }

    /// A pass: lifts the ban on the ko point.
    pub fn pass(&mut self) {
        self.ko = 0;
    }
}

/// The Zobrist key of a stone at a column and a row: the same on every size.
#[must_use]
pub fn zobrist(side: Side, column: u8, row: u8) -> u64 {
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
