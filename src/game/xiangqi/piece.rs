//! Pieces, and the squares they stand on.

use crate::outcome::Side;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// General (將 帥).
    General = 1,
    /// Advisor (士 仕).
    Advisor,
    /// Elephant (象 相).
    Elephant,
    /// Horse (馬 傌).
    Horse,
    /// Chariot (車 俥).
    Chariot,
    /// Cannon (砲 炮).
    Cannon,
    /// Soldier (卒 兵).
    Soldier,
}

impl Kind {
    /// Every kind, in the order of the numbers.
    pub const ALL: [Self; 7] = [
        Self::General,
        Self::Advisor,
        Self::Elephant,
        Self::Horse,
        Self::Chariot,
        Self::Cannon,
        Self::Soldier,
    ];

    /// The kind of a letter as FEN and WXF have it, in any case; `H` and `E` are
    /// other names of `N` and `B`.
    #[must_use]
    pub const fn of_letter(letter: u8) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            b'K' => Self::General,
            b'A' => Self::Advisor,
            b'B' | b'E' => Self::Elephant,
            b'N' | b'H' => Self::Horse,
            b'R' => Self::Chariot,
            b'C' => Self::Cannon,
            b'P' => Self::Soldier,
            _ => return None,
        })
    }

    /// Its letter in FEN, in upper case.
    #[must_use]
    pub const fn letter(self) -> u8 {
        b"?KABNRCP"[self as usize]
    }
}

/// A piece of a side, or none, in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(u8);

const SECOND: u8 = 8;

impl Piece {
    /// No piece.
    pub const NONE: Self = Self(0);
    /// What is beyond the edge of the board.
    pub(super) const EDGE: Self = Self(16);

    /// A piece of a side.
    #[must_use]
    pub const fn new(side: Side, kind: Kind) -> Self {
        Self(
            kind as u8
                | if matches!(side, Side::First) {
                    0
                } else {
                    SECOND
                },
        )
    }

    /// Its kind, if it is a piece.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> Option<Kind> {
        Some(match self.0 & 7 {
            1 => Kind::General,
            2 => Kind::Advisor,
            3 => Kind::Elephant,
            4 => Kind::Horse,
            5 => Kind::Chariot,
            6 => Kind::Cannon,
            7 => Kind::Soldier,
            _ => return None,
        })
    }

    /// Whose it is; only for pieces.
    #[must_use]
    #[inline]
    pub const fn side(self) -> Side {
        if self.0 & SECOND == 0 {
            Side::First
        } else {
            Side::Second
        }
    }

    /// Whether it is a piece of a side.
    #[must_use]
    #[inline]
    pub const fn is_of(self, side: Side) -> bool {
        // 1..=7 for Red, 9..=15 for Black.
        self.0.wrapping_sub(1 + side as u8 * SECOND) < 7
    }

    /// Whether it is none.
    #[must_use]
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Its number, 0 to 15.
    #[inline]
    pub(super) const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Its letter in FEN: upper case for Red.
    #[must_use]
    pub const fn letter(self) -> Option<u8> {
        match self.kind() {
            Some(kind) => Some(match self.side() {
                Side::First => kind.letter(),
                Side::Second => kind.letter().to_ascii_lowercase(),
            }),
            None => None,
        }
    }
}

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = self.letter().unwrap_or(b'.');
        write!(f, "{}", char::from(letter))
    }
}

/// Files of the board, from Red's left.
pub const FILES: u8 = 9;
/// Ranks of the board, from Black's side.
pub const RANKS: u8 = 10;

/// A square of the board, which lies in a larger one so that steps beyond the
/// edge are seen as such: 16 squares in a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub(super) u8);

/// Rows above the board, and columns left of it, in the larger one.
const BORDER: u8 = 3;

impl Square {
    /// The square of a file from Red's left and a row from Black's back rank,
    /// both from 0; the file below 9, the row below 10.
    #[must_use]
    pub const fn at(file: u8, row: u8) -> Option<Self> {
        if file < FILES && row < RANKS {
            Some(Self((row + BORDER) * 16 + file + BORDER))
        } else {
            None
        }
    }

    /// Its file from Red's left, from 0.
    #[must_use]
    #[inline]
    pub const fn file(self) -> u8 {
        (self.0 & 15).wrapping_sub(BORDER)
    }

    /// Its row from Black's back rank, from 0.
    #[must_use]
    #[inline]
    pub const fn row(self) -> u8 {
        (self.0 >> 4).wrapping_sub(BORDER)
    }

    /// Its place on the board, row by row from Black's left: 0 to 89.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.row() as usize * FILES as usize + self.file() as usize
    }

    /// Every square, row by row from the top left.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..RANKS).flat_map(|row| (0..FILES).filter_map(move |file| Self::at(file, row)))
    }

    /// The square some steps away in the larger board.
    #[inline]
    pub(super) const fn step(self, by: i8) -> Self {
        Self(self.0.wrapping_add_signed(by))
    }

    /// Whether it is on a side's own half of the board.
    #[must_use]
    #[inline]
    pub const fn is_home(self, side: Side) -> bool {
        (self.row() >= RANKS / 2) == matches!(side, Side::First)
    }

    /// Whether it is in a side's palace.
    #[must_use]
    #[inline]
    pub const fn is_palace(self, side: Side) -> bool {
        let row = match side {
            Side::First => RANKS - 1 - self.row(),
            Side::Second => self.row(),
        };
        row < 3 && self.file() >= 3 && self.file() <= 5
    }

    /// The square seen from the other side of the table: turned by half a turn.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self((2 * BORDER + RANKS - 1 - (self.0 >> 4)) * 16 + 2 * BORDER + FILES - 1 - (self.0 & 15))
    }
}

impl std::fmt::Display for Square {
    /// As ICCS has it: `a0` is Red's left corner.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let file = char::from(b'a' + self.file());
        write!(f, "{file}{}", RANKS - 1 - self.row())
    }
}

impl std::fmt::Debug for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// A move: from a square to a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl std::fmt::Display for Move {
    /// As ICCS has it, without a hyphen: `h2e2`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl std::str::FromStr for Move {
    type Err = ();

    /// Reads ICCS, the hyphen and the case of letters being free: `h2e2`,
    /// `H2-E2`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let square = |file: u8, rank: u8| {
            let file = file.to_ascii_lowercase().checked_sub(b'a')?;
            Square::at(file, (RANKS - 1).checked_sub(rank.checked_sub(b'0')?)?)
        };
        let (from, to) = match *text.as_bytes() {
            [a, b, c, d] | [a, b, b'-', c, d] => (square(a, b), square(c, d)),
            _ => return Err(()),
        };
        from.zip(to).map(|(from, to)| Self { from, to }).ok_or(())
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
