//! SGF properties that matter for a result, by their identifiers.

use crate::{outcome::Side, record::Field};

/// A property, as far as the scan knows it.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Property {
    Play(Side),
    Place(Side),
    Clear,
    Turn,
    Mark(Side),
    Size,
    Game,
    Komi,
    KomiOrKo,
    Rules,
    Handicap,
    Counted,
    Result,
    Ending,
    Program,
    Charset,
    Text(Field),
    Other,
}

impl Property {
    /// The property of an identifier of upper-case letters.
    pub(super) fn of(name: &[u8]) -> Self {
        match name {
            b"B" => Self::Play(Side::First),
            b"W" => Self::Play(Side::Second),
            b"AB" => Self::Place(Side::First),
            b"AW" => Self::Place(Side::Second),
            b"AE" => Self::Clear,
            b"PL" => Self::Turn,
            b"TB" => Self::Mark(Side::First),
            b"TW" => Self::Mark(Side::Second),
            b"SZ" => Self::Size,
            b"GM" => Self::Game,
            b"KM" => Self::Komi,
            b"KO" => Self::KomiOrKo,
            b"RU" => Self::Rules,
            b"HA" => Self::Handicap,
            // Of kifu alone: `explain --sgf` writes it.
            b"KC" => Self::Counted,
            b"RE" => Self::Result,
            b"TE" => Self::Ending,
            b"AP" => Self::Program,
            b"CA" => Self::Charset,
            b"DT" => Self::Text(Field::Date),
            b"PB" => Self::Text(Field::FirstPlayer),
            b"PW" => Self::Text(Field::SecondPlayer),
            b"BR" => Self::Text(Field::FirstRank),
            b"WR" => Self::Text(Field::SecondRank),
            b"EV" => Self::Text(Field::Event),
            b"PC" => Self::Text(Field::Server),
            _ => Self::Other,
        }
    }

    /// The property of an old long name such as `KoMi` or `Size`: its
    /// upper-case letters, unless the word itself is known.
    pub(super) fn of_long(name: &[u8]) -> Self {
        const WORDS: &[(&str, Property)] = &[
            ("black", Property::Play(Side::First)),
            ("white", Property::Play(Side::Second)),
            ("size", Property::Size),
            ("game", Property::Game),
            ("komi", Property::Komi),
            ("rules", Property::Rules),
            ("handicap", Property::Handicap),
            ("result", Property::Result),
            ("addblack", Property::Place(Side::First)),
            ("addwhite", Property::Place(Side::Second)),
            ("addempty", Property::Clear),
        ];
        let has_capital = name.iter().any(u8::is_ascii_uppercase);
        if let Some((_, known)) = WORDS
            .iter()
            .find(|(word, _)| has_capital && word.as_bytes().eq_ignore_ascii_case(name))
        {
            return *known;
        }
        let mut capitals = [0; 2];
        let mut count = 0;
        for letter in name.iter().filter(|byte| byte.is_ascii_uppercase()) {
            if count == 2 {
                return Self::Other;
            }
            capitals[count] = *letter;
            count += 1;
        }
        Self::of(&capitals[..count])
    }

    /// A bit for each property that must not stand twice in a node.
    pub(super) fn bit(self) -> u32 {
        match self {
            Self::Play(side) => 1 << side.index(),
            Self::Place(side) => 4 << side.index(),
            Self::Clear => 1 << 4,
            Self::Size => 1 << 5,
            Self::Game => 1 << 6,
            Self::Komi => 1 << 7,
            Self::Rules => 1 << 8,
            Self::Handicap => 1 << 9,
            Self::Result => 1 << 10,
            Self::Program => 1 << 11,
            Self::Charset => 1 << 12,
            Self::Mark(side) => 1 << (13 + side.index()),
            Self::Turn
            | Self::KomiOrKo
            | Self::Counted
            | Self::Ending
            | Self::Text(_)
            | Self::Other => 0,
        }
    }

    /// Whether it may have several values.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Place(_) | Self::Clear | Self::Mark(_))
    }

    /// Whether it describes the game and so belongs into the root.
    pub(super) fn is_root_only(self) -> bool {
        matches!(
            self,
            Self::Size
                | Self::Game
                | Self::Komi
                | Self::Rules
                | Self::Handicap
                | Self::Result
                | Self::Charset
        )
    }
}
