//! How likely a counted margin is the agreed one, from measured agreement.
//!
//! Some things on a board were seen to go with margins that came out wrong. Each
//! is worth some doubt, doubts add up, and a table says how many margins with so
//! much doubt were exact. The weights are those of a logistic regression on
//! some 3,100 counted records of servers, professionals and programs, rounded; the
//! table is measured on the same. `scripts/fit_confidence.py` does it again, and
//! says how weights from one half of the records do on the other half.

use std::fmt;

use super::score::Convention;
use crate::outcome::Ending;

/// What gives reason to doubt a margin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Signs {
    /// Points between the largest and the smallest of the territory margins:
    /// by flood, strict, and played on.
    pub(super) apart: f64,
    /// How much of the playouts the least clear chain keeps or loses its points.
    pub(super) least: f64,
    /// Stones times what their chains lack of a clear status.
    pub(super) weak: f64,
    /// Living chains with one liberty.
    pub(super) atari: u32,
    /// Points by which playing on changes the margin.
    pub(super) changed: f64,
    /// Whether what playing on led to can be trusted.
    pub(super) believed: bool,
    /// Points that nobody owns by strict territory.
    pub(super) neutral: u32,
    /// How the margin is come by.
    pub(super) kept: Kept,
}

/// What the recorded margins of a kind of record count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kept {
    /// The position as it stands.
    #[default]
    Standing,
    /// The position as it stands, all that is surrounded.
    Surrounded,
    /// What came out after the record stopped.
    PlayedOn,
    /// That, or all that is surrounded: nothing is known.
    Unknown,
}

impl Kept {
    /// By the convention, whether somebody set it for records of this kind, and
    /// how the play ended: after two passes nothing is left to be played.
    pub(super) fn of(convention: Convention, is_set: bool, ended: Ending) -> Self {
        let passed = ended == Ending::Passes;
        match convention {
            Convention::Area | Convention::AreaDameIgnored => Self::Standing,
            Convention::TerritoryFlood if passed || is_set => Self::Surrounded,
            Convention::TerritoryFlood => Self::Unknown,
            _ if passed => Self::Standing,
            Convention::TerritoryStrict | Convention::TerritoryFinished => Self::PlayedOn,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Standing => "standing",
            Self::Surrounded => "surrounded",
            Self::PlayedOn => "played_on",
            Self::Unknown => "unknown",
        }
    }

    const fn is_surrounded(self) -> bool {
        matches!(self, Self::Surrounded | Self::Unknown)
    }

    const fn is_played_on(self) -> bool {
        matches!(self, Self::PlayedOn | Self::Unknown)
    }
}

/// Doubt for each point that the territory margins are apart, up to
/// [`MOST_POINTS`]: where they are the same, no convention can be the wrong one.
const APART: f64 = 0.7;
/// More of it where points in false eyes are counted.
const APART_SURROUNDED: f64 = 0.75;
/// Doubt for what the least clear chain lacks of [`CLEAR`].
const LEAST: f64 = 0.75;
const CLEAR: f64 = 0.8;
/// Doubt for each stone's worth of unclear status beyond some that every
/// position has, and up to some.
const WEAK: f64 = 0.036;
const FEW_WEAK: f64 = 8.0;
const MOST_WEAK: f64 = 40.0;
/// Doubt for each living chain in atari, up to three.
const ATARI: f64 = 0.45;
const MOST_ATARI: u32 = 3;
/// Doubt where playing on came to nothing that can be trusted.
const UNBELIEVED: f64 = 0.5;
/// Doubt for each point that playing on changes, and for each neutral point,
/// where that is played after the record stops.
const CHANGED: f64 = 0.5;
const MOST_POINTS: f64 = 3.0;
const NEUTRAL: f64 = 0.06;
const MOST_NEUTRAL: u32 = 30;

/// Share of exact margins by doubt, along a line between two rows. Of most
/// finished games it is above 0.95.
const RATES: [(f64, f64); 11] = [
    (0.0, 0.966),
    (0.9, 0.95),
    (1.15, 0.87),
    (1.65, 0.83),
    (1.8, 0.74),
    (2.4, 0.70),
    (2.6, 0.54),
    (3.2, 0.50),
    (4.5, 0.40),
    (6.0, 0.15),
    (7.0, 0.03),
];

/// A margin in more doubt is more likely wrong than right.
const MOST_DOUBT: f64 = 3.5;

/// For people, and for `scripts/fit_confidence.py`.
impl fmt::Display for Signs {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            to,
            "doubt {:.2}: apart={} least={:.3} weak={:.2} atari={} changed={} believed={} neutral={} kept={}",
            self.doubt(),
            self.apart,
            self.least,
            self.weak,
            self.atari,
            self.changed,
            self.believed,
            self.neutral,
            self.kept.word(),
        )
    }
}

impl Signs {
    /// How much doubt there is.
    pub(super) fn doubt(&self) -> f64 {
        let mut apart = APART;
        if self.kept.is_surrounded() {
            apart += APART_SURROUNDED;
        }
        let mut doubt = apart * self.apart.min(MOST_POINTS)
            + LEAST * (CLEAR - self.least).max(0.0)
            + WEAK * (self.weak.min(MOST_WEAK) - FEW_WEAK).max(0.0)
            + ATARI * f64::from(self.atari.min(MOST_ATARI));
        if !self.believed {
            doubt += UNBELIEVED;
        }
        if self.kept.is_played_on() {
            doubt += CHANGED * self.changed.min(MOST_POINTS)
                + NEUTRAL * f64::from(self.neutral.min(MOST_NEUTRAL));
        }
        doubt
    }

    /// Whether the margin is more likely wrong than right.
    pub(super) fn is_too_doubtful(&self) -> bool {
        self.doubt() > MOST_DOUBT
    }

    /// The share of margins in such doubt that were exact.
    pub(super) fn confidence(&self) -> f32 {
        let doubt = self.doubt();
        for pair in RATES.windows(2) {
            if let [(from, high), (to, low)] = *pair
                && doubt < to
            {
                return (high + (low - high) * (doubt - from) / (to - from)) as f32;
            }
        }
        RATES.last().map_or(0.0, |(_, rate)| *rate as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALM: Signs = Signs {
        apart: 0.0,
        least: 1.0,
        weak: 0.0,
        atari: 0,
        changed: 0.0,
        believed: true,
        neutral: 0,
        kept: Kept::Standing,
    };

    #[test]
    fn nothing_to_doubt_is_what_most_finished_games_are() {
        for kept in [
            Kept::Standing,
            Kept::Surrounded,
            Kept::PlayedOn,
            Kept::Unknown,
        ] {
            assert!(Signs { kept, ..CALM }.confidence() >= 0.95);
        }
    }

    #[test]
    fn more_to_doubt_is_never_more_confidence() {
        let steps = |signs: Signs| {
            let n = f64::from;
            [
                (0..9)
                    .map(|i| Signs {
                        apart: n(i),
                        ..signs
                    })
                    .collect::<Vec<_>>(),
                (0..9)
                    .map(|i| Signs {
                        least: 1.0 - n(i) / 8.0,
                        ..signs
                    })
                    .collect(),
                (0..9)
                    .map(|i| Signs {
                        weak: 8.0 * n(i),
                        ..signs
                    })
                    .collect(),
                (0..9)
                    .map(|i| Signs {
                        atari: i as u32,
                        ..signs
                    })
                    .collect(),
                (0..9)
                    .map(|i| Signs {
                        changed: n(i),
                        ..signs
                    })
                    .collect(),
                (0..9)
                    .map(|i| Signs {
                        neutral: 5 * i as u32,
                        ..signs
                    })
                    .collect(),
                vec![
                    signs,
                    Signs {
                        believed: false,
                        ..signs
                    },
                ],
            ]
        };
        let mut all = Vec::new();
        for kept in [
            Kept::Standing,
            Kept::Surrounded,
            Kept::PlayedOn,
            Kept::Unknown,
        ] {
            let calm = Signs { kept, ..CALM };
            // From a clear board, and from boards that are half-way unclear.
            for signs in [
                calm,
                Signs {
                    least: 0.3,
                    apart: 1.0,
                    ..calm
                },
            ] {
                all.extend(steps(signs));
            }
        }
        for steps in all {
            for pair in steps.windows(2) {
                assert!(pair[1].confidence() <= pair[0].confidence(), "{pair:?}");
                assert!(pair[1].confidence() >= 0.0);
            }
            assert!(steps.len() < 9 || steps[8].doubt() >= steps[0].doubt());
        }
    }

    #[test]
    fn each_sign_counts_where_it_should() {
        let doubted = Signs {
            apart: 1.0,
            least: 0.3,
            weak: 20.0,
            atari: 1,
            ..CALM
        };
        assert!(doubted.confidence() < 0.8);
        let open = Signs {
            changed: 2.0,
            neutral: 20,
            ..CALM
        };
        let played_on = Signs {
            kept: Kept::PlayedOn,
            ..open
        };
        assert!(open.confidence() >= 0.95 && played_on.confidence() < 0.8);
        let surrounded = Signs {
            kept: Kept::Surrounded,
            apart: 1.0,
            ..CALM
        };
        let standing = Signs { apart: 1.0, ..CALM };
        assert!(surrounded.confidence() < standing.confidence());
    }

    #[test]
    fn how_a_margin_is_come_by() {
        use Convention::*;
        for (convention, is_set, ended, kept) in [
            (Area, false, Ending::Open, Kept::Standing),
            (AreaDameIgnored, true, Ending::Open, Kept::Standing),
            (TerritoryFlood, true, Ending::Open, Kept::Surrounded),
            (TerritoryFlood, false, Ending::Open, Kept::Unknown),
            (TerritoryFlood, false, Ending::Passes, Kept::Surrounded),
            (TerritoryStrict, false, Ending::Passes, Kept::Standing),
            (TerritoryStrict, true, Ending::Open, Kept::PlayedOn),
            (TerritoryFinished, false, Ending::Open, Kept::PlayedOn),
        ] {
            assert_eq!(Kept::of(convention, is_set, ended), kept, "{convention:?}");
        }
    }

    #[test]
    fn a_margin_is_not_given_where_it_is_more_likely_wrong() {
        let signs = |apart, least| Signs {
            apart,
            least,
            kept: Kept::Surrounded,
            ..CALM
        };
        // Three points apart alone are 4.35.
        assert!(signs(3.0, 0.8).is_too_doubtful());
        assert!(!signs(2.0, 0.2).is_too_doubtful());
        assert!(!signs(2.3, 0.8).is_too_doubtful());
        // Where the line is, a margin is about as likely right as wrong.
        let at_the_line = signs(MOST_DOUBT / (APART + APART_SURROUNDED), 0.8).confidence();
        assert!((0.45..0.5).contains(&at_the_line), "{at_the_line}");
    }
}
