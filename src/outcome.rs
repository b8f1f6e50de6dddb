//! The words that formats, games and labels share: sides, points, outcomes and
//! how a game ended.

use std::{fmt, ops, str::FromStr};

/// One of the two players, named by role and not by colour.
///
/// The first player is Black in Go and k-in-a-row (X in tic-tac-toe) and Red
/// in xiangqi, whoever moves first in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// Black, X or Red.
    First = 0,
    /// White, O or (in xiangqi) Black.
    Second = 1,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first player, 1 for the second: for tables by side.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// +1 for the first player, -1 for the second.
    #[must_use]
    pub const fn sign(self) -> i32 {
        match self {
            Self::First => 1,
            Self::Second => -1,
        }
    }
}

/// An amount of points, counted in quarters so that no float is ever compared.
///
/// Quarters hold whole points, half points and the fractions of a zi
/// (one zi is two points).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Points(i32);

impl Points {
    /// No points.
    pub const ZERO: Self = Self(0);
    /// Half a point.
    pub const HALF: Self = Self(2);
    /// The largest amount accepted from a record: far above any board.
    pub const MAX: Self = Self(4 * 10_000);

    /// Whole points.
    #[must_use]
    pub const fn whole(points: i32) -> Self {
        Self(points * 4)
    }

    /// Quarter points.
    #[must_use]
    pub const fn quarters(quarters: i32) -> Self {
        Self(quarters)
    }

    /// The amount in quarter points.
    #[must_use]
    pub const fn in_quarters(self) -> i32 {
        self.0
    }

    /// The amount without its sign.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// Twice the amount: zi to points.
    #[must_use]
    pub const fn doubled(self) -> Self {
        Self(self.0 * 2)
    }

    /// Whether the amount has a quarter that only counting in zi can give.
    #[must_use]
    pub const fn has_quarter(self) -> bool {
        self.0 % 2 != 0
    }

    /// Whether the amount is a whole number of points.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.0 % 4 == 0
    }

    /// Reads a plain decimal (`7`, `-3.5`, `0.25`, `6,5`) from the start of a
    /// text; returns the amount and the number of bytes read.
    ///
    /// `None` where there is no number, where it is not a multiple of a
    /// quarter, or where it is larger than [`Points::MAX`].
    #[must_use]
    pub fn scan(text: &str) -> Option<(Self, usize)> {
        let bytes = text.as_bytes();
        let mut at = 0;
        let negative = match bytes.first() {
            Some(b'-') => {
                at += 1;
                true
            }
            Some(b'+') => {
                at += 1;
                false
            }
            _ => false,
        };
        let start = at;
        let mut whole: i32 = 0;
        while let Some(digit) = bytes.get(at).filter(|b| b.is_ascii_digit()) {
            whole = whole
                .checked_mul(10)?
                .checked_add(i32::from(digit - b'0'))?;
            at += 1;
        }
        let mut digits = at - start;
        let mut fraction = 0;
        let mut scale = 1;
        if matches!(bytes.get(at), Some(b'.' | b','))
            && (digits > 0 || bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
        {
            at += 1;
            while let Some(digit) = bytes.get(at).filter(|b| b.is_ascii_digit()) {
                if scale < 1_000_000 {
                    fraction = fraction * 10 + i32::from(digit - b'0');
                    scale *= 10;
                } else if *digit != b'0' {
                    return None;
                }
                digits += 1;
                at += 1;
            }
        }
        if digits == 0 || whole > Self::MAX.0 / 4 || (fraction * 4) % scale != 0 {
            return None;
        }
        let quarters = whole * 4 + fraction * 4 / scale;
        Some((Self(if negative { -quarters } else { quarters }), at))
    }
}

impl FromStr for Points {
    type Err = ();

    /// Reads a whole text as a number of points.
    fn from_str(text: &str) -> Result<Self, ()> {
        match Self::scan(text.trim()) {
            Some((points, read)) if read == text.trim().len() => Ok(points),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Points {
    /// The shortest decimal: `7`, `-3.5`, `0.25`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0 {
            f.write_str("-")?;
        }
        let quarters = self.0.unsigned_abs();
        write!(f, "{}", quarters / 4)?;
        f.write_str(["", ".25", ".5", ".75"][(quarters % 4) as usize])
    }
}

impl ops::Add for Points {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl ops::Sub for Points {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl ops::Neg for Points {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl ops::AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// One side won.
    Win(Side),
    /// Nobody did.
    Draw,
}

impl Outcome {
    /// The outcome of a signed margin from the first player's view.
    #[must_use]
    pub const fn of_margin(margin: Points) -> Self {
        match margin.in_quarters() {
            0 => Self::Draw,
            1.. => Self::Win(Side::First),
            _ => Self::Win(Side::Second),
        }
    }

    /// The training value: 1 first player, 0 draw, -1 second player.
    #[must_use]
    pub const fn value(self) -> i8 {
        match self {
            Self::Win(Side::First) => 1,
            Self::Draw => 0,
            Self::Win(Side::Second) => -1,
        }
    }
}

/// Declares a field-less enum together with the words used for it in rows.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// Every variant, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word used in rows and on the command line.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The variant of a word.
            #[must_use]
            pub fn of_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|item| item.word() == word)
            }
        }
    };
}
pub(crate) use words;

words! {
    /// How the play of a record stopped.
    Ending {
        /// Two passes in a row.
        Passes = "passes",
        /// A line of the length that wins.
        Line = "line",
        /// A forbidden move that loses.
        Foul = "foul",
        /// Checkmate.
        Mate = "mate",
        /// No legal move.
        Stalemate = "stalemate",
        /// A repeated position that the rules judge.
        Repetition = "repetition",
        /// Too many moves without a capture.
        NoCapture = "no_capture",
        /// Too little material to win.
        Material = "material",
        /// The board is full.
        Full = "full",
        /// The limit of moves.
        Limit = "limit",
        /// The record just stops.
        Open = "open",
        /// The replay met a move that cannot be played.
        Illegal = "illegal",
    }
}

words! {
    /// On what grounds the board decides.
    Basis {
        /// Points were counted.
        Count = "count",
        /// A winning line.
        Line = "line",
        /// A forbidden move.
        Foul = "foul",
        /// Checkmate.
        Mate = "mate",
        /// No legal move.
        Stalemate = "stalemate",
        /// A judged repetition.
        Repetition = "repetition",
        /// Too many moves without a capture.
        NoCapture = "no_capture",
        /// Too little material to win.
        Material = "material",
        /// A full board.
        Full = "full",
        /// The limit of moves.
        Limit = "limit",
        /// Both sides passed, in a game that is then drawn.
        Passes = "passes",
    }
}

impl Basis {
    /// Whether the rules of the game end it here without any agreement.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(
            self,
            Self::Line | Self::Foul | Self::Mate | Self::Stalemate | Self::Full
        )
    }
}

words! {
    /// Where a setting of a row comes from.
    From {
        /// A command-line flag that forces it.
        Flag = "flag",
        /// A profile of the user's configuration.
        Profile = "profile",
        /// A profile that kifu brings along.
        BuiltinProfile = "builtin_profile",
        /// The record itself.
        Record = "record",
        /// The record itself, written in another unit and scaled to points.
        Scaled = "scaled",
        /// The defaults of the configuration file.
        Config = "config",
        /// A default: of the command line, of the rules, or of kifu.
        Default = "default",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_print_and_read_alike() {
        for quarters in -50..50 {
            let points = Points::quarters(quarters);
            assert_eq!(points.to_string().parse(), Ok(points));
        }
    }

    #[test]
    fn points_of_odd_texts() {
        for (text, expected) in [
            ("7.500000", Some(Points::quarters(30))),
            ("6,5", Some(Points::quarters(26))),
            (" 3.75 ", Some(Points::quarters(15))),
            ("-3.5", Some(Points::quarters(-14))),
            ("+0.5", Some(Points::HALF)),
            (".5", Some(Points::HALF)),
            ("5.", Some(Points::whole(5))),
            ("0.02", None),
            ("6.50000001", None),
            ("", None),
            ("-", None),
            (".", None),
            ("99999999999999", None),
            ("6.5 points", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text:?}");
        }
    }

    #[test]
    fn outcome_follows_the_sign_of_the_margin() {
        assert_eq!(Outcome::of_margin(Points::HALF), Outcome::Win(Side::First));
        assert_eq!(Outcome::of_margin(Points::ZERO), Outcome::Draw);
        assert_eq!(Outcome::of_margin(-Points::HALF).value(), -1);
    }
}
