//! A position: pieces, whose turn it is, and its moves.

use super::piece::{FILES, Kind, Move, Piece, RANKS, Square};
use crate::outcome::Side;

/// Steps in the larger board that squares lie in.
const UP: i8 = -16;
const DOWN: i8 = 16;
const LEFT: i8 = -1;
const RIGHT: i8 = 1;
pub(super) const STRAIGHT: [i8; 4] = [UP, DOWN, LEFT, RIGHT];
pub(super) const DIAGONAL: [i8; 4] = [UP + LEFT, UP + RIGHT, DOWN + LEFT, DOWN + RIGHT];

/// A step of a soldier to the other side of the board.
const fn forward(side: Side) -> i8 {
    match side {
        Side::First => UP,
        Side::Second => DOWN,
    }
}

/// The two steps that a diagonal one is made of: up or down, left or right.
const fn parts(diagonal: i8) -> [i8; 2] {
    let upright = if diagonal < 0 { UP } else { DOWN };
    [upright, diagonal - upright]
}

/// Random numbers for each piece on each square (Zobrist), and for the turn.
static KEYS: [[u64; 256]; 16] = {
    let mut keys = [[0; 256]; 16];
    let mut state = 0x6b69_6675_u64;
    let mut i = 0;
    while i < 16 * 256 {
        // splitmix64 (Steele, Lea and Flood 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[i / 256][i % 256] = z ^ (z >> 31);
        i += 1;
    }
    keys
};
const TURN: u64 = 0x9d39_247e_3377_6d41;

/// Pieces on the board with exactly one general a side, and whose turn it is.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    cells: [Piece; 256],
    /// Squares of each side's pieces, a bit for each [`Square::index`].
    pieces: [u128; 2],
    generals: [Square; 2],
    turn: Side,
    key: u64,
}

/// Why some pieces are no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// A side has no general.
    NoGeneral(Side),
    /// A side has several generals.
    Generals(Side),
}

impl Position {
    /// The position of some pieces.
    ///
    /// Pieces may stand where they can never come to; see [`Self::misplaced`].
    ///
    /// # Errors
    /// Where a side has not just one general.
    pub fn new(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        turn: Side,
    ) -> Result<Self, Unusable> {
        let mut cells = [Piece::EDGE; 256];
        for square in Square::all() {
            cells[usize::from(square.0)] = Piece::NONE;
        }
        let mut position = Self {
            cells,
            pieces: [0; 2],
            generals: [Square(0); 2],
            turn,
            key: match turn {
                Side::First => 0,
                Side::Second => TURN,
            },
        };
        for (square, piece) in pieces {
            if !piece.is_none() {
                position.take(square);
                position.put(square, piece);
            }
        }
        for side in [Side::First, Side::Second] {
            let general = Piece::new(side, Kind::General);
            let mut found = position
                .of(side)
                .filter(|it| position.piece(*it) == general);
            let first = found.next();
            position.generals[side.index()] = match (first, found.next()) {
                (None, _) => return Err(Unusable::NoGeneral(side)),
                (Some(_), Some(_)) => return Err(Unusable::Generals(side)),
                (Some(square), None) => square,
            };
        }
        Ok(position)
    }

    /// Whose turn it is.
    #[must_use]
    #[inline]
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// What stands on a square.
    #[must_use]
    #[inline]
    pub const fn piece(&self, square: Square) -> Piece {
        self.cells[square.0 as usize]
    }

    /// Where a side's general stands.
    #[must_use]
    #[inline]
    pub const fn general(&self, side: Side) -> Square {
        self.generals[side as usize]
    }

    /// Squares of a side's pieces, row by row from the top left.
    pub fn of(&self, side: Side) -> impl Iterator<Item = Square> + use<> {
        let mut left = self.pieces[side.index()];
        std::iter::from_fn(move || {
            let index = left.trailing_zeros();
            let (row, file) = (index / u32::from(FILES), index % u32::from(FILES));
            let square = Square::at(file as u8, row as u8)?;
            left &= left - 1;
            Some(square)
        })
    }

    /// Squares of a side's pieces on a file, the foremost first.
    pub(super) fn on_file(&self, side: Side, file: u8) -> impl Iterator<Item = Square> + use<> {
        // Square 0 of each row.
        const FIRST: u128 = {
            let (mut mask, mut row) = (0, 0);
            while row < RANKS {
                mask |= 1 << (row * FILES);
                row += 1;
            }
            mask
        };
        let mut left = (self.pieces[side.index()] >> file) & FIRST;
        std::iter::from_fn(move || {
            let index = match side {
                Side::First => left.trailing_zeros(),
                Side::Second => left.checked_ilog2()?,
            };
            let square = Square::at(file, index as u8 / FILES)?;
            left &= !(1 << index);
            Some(square)
        })
    }

    /// Zobrist hash of pieces and turn.
    #[must_use]
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The first piece that stands where no piece of its kind can come to.
    #[must_use]
    pub fn misplaced(&self) -> Option<Square> {
        let all = self.of(Side::First).chain(self.of(Side::Second));
        let mut all = all.filter(|square| !self.is_reachable(*square));
        all.next()
    }

    fn is_reachable(&self, square: Square) -> bool {
        let piece = self.piece(square);
        let side = piece.side();
        let (file, row) = match side {
            Side::First => (square.file(), RANKS - 1 - square.row()),
            Side::Second => (square.file(), square.row()),
        };
        // Rows from the side's own back rank.
        match piece.kind() {
            Some(Kind::General) => square.is_palace(side),
            Some(Kind::Advisor) => square.is_palace(side) && (file + row) % 2 == 1,
            Some(Kind::Elephant) => {
                row % 2 == 0 && row < 5 && file % 2 == 0 && (file / 2 + row / 2) % 2 == 1
            }
            Some(Kind::Soldier) => row > 4 || (row > 2 && file % 2 == 0),
            _ => true,
        }
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.cells[usize::from(square.0)] = piece;
        self.pieces[piece.side().index()] |= 1 << square.index();
        self.key ^= KEYS[piece.index()][usize::from(square.0)];
    }

    fn take(&mut self, square: Square) -> Piece {
        let piece = std::mem::replace(&mut self.cells[usize::from(square.0)], Piece::NONE);
        if !piece.is_none() {
            self.pieces[piece.side().index()] &= !(1 << square.index());
            self.key ^= KEYS[piece.index()][usize::from(square.0)];
        }
        piece
    }

    /// Makes a move of a piece that stands there, legal or not, unless it takes
    /// a general; returns what was captured.
    pub fn make(&mut self, it: Move) -> Piece {
        let captured = self.take(it.to);
        let piece = self.take(it.from);
        self.put(it.to, piece);
        if piece.kind() == Some(Kind::General) {
            self.generals[piece.side().index()] = it.to;
        }
        self.pass();
        captured
    }

    /// Takes a move back, given what it captured.
    pub fn unmake(&mut self, it: Move, captured: Piece) {
        let piece = self.take(it.to);
        self.put(it.from, piece);
        if !captured.is_none() {
            self.put(it.to, captured);
        }
        if piece.kind() == Some(Kind::General) {
            self.generals[piece.side().index()] = it.from;
        }
        self.pass();
    }

    /// Gives the turn to the other side.
    pub fn pass(&mut self) {
        self.turn = self.turn.other();
        self.key ^= TURN;
    }

    /// Whether a side's general is attacked, facing the other one included.
    #[must_use]
    pub fn in_check(&self, side: Side) -> bool {
        let general = self.general(side);
        let other = side.other();
        let is = |square: Square, kind| self.piece(square) == Piece::new(other, kind);
        for step in STRAIGHT {
            let mut at = general.step(step);
            while self.piece(at).is_none() {
                at = at.step(step);
            }
            let first = self.piece(at);
            if first == Piece::EDGE {
                continue;
            }
            if first.is_of(other) {
                match first.kind() {
                    Some(Kind::Chariot) => return true,
                    Some(Kind::General) if step == UP || step == DOWN => return true,
                    Some(Kind::Soldier) if at == general.step(step) => {
                        // It goes forward, and sideways once across the river.
                        let before = step == -forward(other);
                        let beside = step == LEFT || step == RIGHT;
                        if before || beside && !at.is_home(other) {
                            return true;
                        }
                    }
                    _ => {}
                }
            }
            at = at.step(step);
            while self.piece(at).is_none() {
                at = at.step(step);
            }
            if is(at, Kind::Cannon) {
                return true;
            }
        }
        // The leg of a horse is the square diagonally next to what it attacks.
        DIAGONAL.into_iter().any(|step| {
            let leg = general.step(step);
            self.piece(leg).is_none()
                && parts(step)
                    .into_iter()
                    .any(|part| is(leg.step(part), Kind::Horse))
        })
    }

    /// Hands over the squares that the piece on a square goes to or captures on,
    /// whatever becomes of its general; also those of its own side's pieces that
    /// it guards.
    #[inline]
    pub(super) fn reach(&self, from: Square, mut each: impl FnMut(Square)) {
        let piece = self.piece(from);
        let Some(kind) = piece.kind() else {
            return;
        };
        let side = piece.side();
        match kind {
            Kind::General | Kind::Advisor => {
                let steps = match kind {
                    Kind::General => STRAIGHT,
                    _ => DIAGONAL,
                };
                for step in steps {
                    let to = from.step(step);
                    if self.piece(to) != Piece::EDGE && to.is_palace(side) {
                        each(to);
                    }
                }
            }
            Kind::Elephant => {
                for step in DIAGONAL {
                    let eye = from.step(step);
                    let to = eye.step(step);
                    if self.piece(eye).is_none()
                        && self.piece(to) != Piece::EDGE
                        && to.is_home(side)
                    {
                        each(to);
                    }
                }
            }
            Kind::Horse => {
                for step in STRAIGHT {
                    let leg = from.step(step);
                    if !self.piece(leg).is_none() {
                        continue;
                    }
                    let beside = if step == UP || step == DOWN {
                        RIGHT
                    } else {
                        DOWN
                    };
                    for to in [leg.step(step + beside), leg.step(step - beside)] {
                        if self.piece(to) != Piece::EDGE {
                            each(to);
                        }
                    }
                }
            }
            Kind::Chariot => {
                for step in STRAIGHT {
                    let mut to = from.step(step);
                    while self.piece(to).is_none() {
                        each(to);
                        to = to.step(step);
                    }
                    if self.piece(to) != Piece::EDGE {
                        each(to);
                    }
                }
            }
            Kind::Cannon => {
                for step in STRAIGHT {
                    let mut to = from.step(step);
                    while self.piece(to).is_none() {
                        each(to);
                        to = to.step(step);
                    }
                    if self.piece(to) == Piece::EDGE {
                        continue;
                    }
                    to = to.step(step);
                    while self.piece(to).is_none() {
                        to = to.step(step);
                    }
                    if self.piece(to) != Piece::EDGE {
                        each(to);
                    }
                }
            }
            Kind::Soldier => {
                let mut go = |step| {
                    let to = from.step(step);
                    if self.piece(to) != Piece::EDGE {
                        each(to);
                    }
                };
                go(forward(side));
                if !from.is_home(side) {
                    go(LEFT);
                    go(RIGHT);
                }
            }
        }
    }

    /// Whether a piece of the side to move goes like that, whatever becomes of
    /// its general.
    #[must_use]
    pub fn is_move(&self, it: Move) -> bool {
        if !self.piece(it.from).is_of(self.turn) || self.piece(it.to).is_of(self.turn) {
            return false;
        }
        let mut found = false;
        self.reach(it.from, |to| found |= to == it.to);
        found
    }

    /// Whether a move leaves the mover's general attacked, or facing the other
    /// one; it must be one by [`Self::is_move`] that captures no general.
    #[must_use]
    pub fn exposes(&mut self, it: Move) -> bool {
        let side = self.turn;
        let (from, to) = (usize::from(it.from.0), usize::from(it.to.0));
        let (piece, captured) = (self.cells[from], self.cells[to]);
        let general = self.generals[side.index()];
        self.cells[from] = Piece::NONE;
        self.cells[to] = piece;
        if it.from == general {
            self.generals[side.index()] = it.to;
        }
        let exposes = self.in_check(side);
        self.cells[from] = piece;
        self.cells[to] = captured;
        self.generals[side.index()] = general;
        exposes
    }

    /// The same, where it is known whether the side to move is in check.
    #[must_use]
    #[inline]
    pub(super) fn exposes_from(&mut self, it: Move, in_check: bool) -> bool {
        let general = self.general(self.turn);
        (in_check || is_near_lines(it.from, general) || is_near_lines(it.to, general))
            && self.exposes(it)
    }

    /// Whether the move just made may give check; else it does not, where it met
    /// none.
    #[must_use]
    #[inline]
    pub(super) fn may_check(&self, it: Move) -> bool {
        let general = self.general(self.turn);
        is_near_lines(it.from, general)
            || is_near_lines(it.to, general)
            || self.piece(it.to).kind() == Some(Kind::Horse)
    }

    /// Whether a move is legal.
    #[must_use]
    pub fn is_legal(&mut self, it: Move) -> bool {
        self.is_move(it) && it.to != self.general(self.turn.other()) && !self.exposes(it)
    }

    /// Hands over every legal move, piece by piece from the top left, until told
    /// to stop.
    pub fn legal_until(&mut self, mut each: impl FnMut(Move) -> bool) {
        let side = self.turn;
        let own = self.general(side);
        let target = self.general(side.other());
        let in_check = self.in_check(side);
        let mut found: [Square; 20] = [Square(0); 20];
        for from in self.of(side) {
            let mut count = 0;
            self.reach(from, |to| {
                if !self.piece(to).is_of(side) && to != target {
                    found[count] = to;
                    count += 1;
                }
            });
            let careful = in_check || is_near_lines(from, own);
            for to in &found[..count] {
                let it = Move { from, to: *to };
                let exposes = (careful || is_near_lines(it.to, own)) && self.exposes(it);
                if !exposes && !each(it) {
                    return;
                }
            }
        }
    }

    /// Every legal move, piece by piece from the top left.
    #[must_use]
    pub fn legal(&mut self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.legal_until(|it| {
            moves.push(it);
            true
        });
        moves
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn count_legal(&mut self) -> u32 {
        let mut count = 0;
        self.legal_until(|_| {
            count += 1;
            true
        });
        count
    }

    /// Whether there is a legal move.
    #[must_use]
    pub fn can_move(&mut self) -> bool {
        let mut any = false;
        self.legal_until(|_| {
            any = true;
            false
        });
        any
    }
}

/// Whether a square lies on a line that chariots and cannons attack a general
/// along, or is the leg of a horse that does: what is done elsewhere opens and
/// closes no way to it.
fn is_near_lines(square: Square, general: Square) -> bool {
    let across = i16::from(square.0 & 15) - i16::from(general.0 & 15);
    let along = i16::from(square.0 >> 4) - i16::from(general.0 >> 4);
    across == 0 || along == 0 || (across.abs() == 1 && along.abs() == 1)
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&super::fen::write(self))
    }
}
