//! Too many moves without a capture.
//!
//! Sources: 50 moves by the Asian Xiangqi Federation and the UCCI engine league
//! (2007, section 4.5); checks discounted as Fairy-Stockfish does.

use std::{fmt, str::FromStr};

use super::repetition::History;

/// So many plies without a capture are a draw, but where the last one mates:
/// that is for the judge to look at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Plies since the last capture, or since the start; [`u32::MAX`] is no limit.
    pub plies: u32,
    /// Checks by each side since then that count like other moves. Each one more,
    /// by the side that gave more, is not counted, nor is its answer; all count
    /// where it is none.
    pub checks_free: Option<u32>,
}

impl Limit {
    /// No limit.
    pub const NONE: Self = Self::plain(u32::MAX);
    /// 50 moves a side, and ten checks of each counted.
    pub const AXF: Self = Self {
        plies: 100,
        checks_free: Some(10),
    };

    /// The most plies that may be asked for.
    const MOST: u32 = 100_000;

    /// Plies, whatever they are; 0 is no limit.
    #[must_use]
    pub const fn plain(plies: u32) -> Self {
        Self {
            plies: if plies == 0 { u32::MAX } else { plies },
            checks_free: None,
        }
    }

    /// Whether it is reached at the end of a game.
    #[must_use]
    pub fn is_reached(self, history: &History) -> bool {
        self.counts(history)
            .last()
            .is_some_and(|it| it >= self.plies)
    }

    /// Plies that count, after each ply of a game.
    fn counts(self, history: &History) -> impl Iterator<Item = u32> {
        let (mut plies, mut checks) = (0_u32, [0_u32; 2]);
        history
            .captures_and_checks()
            .map(move |(side, captured, check)| {
                if captured {
                    plies = 0;
                    checks = [0; 2];
                    return 0;
                }
                plies += 1;
                checks[side.index()] += u32::from(check);
                let free = self.checks_free.unwrap_or(u32::MAX);
                let most = checks[0].max(checks[1]);
                plies.saturating_sub(2 * most.saturating_sub(free))
            })
    }
}

impl FromStr for Limit {
    type Err = String;

    /// Reads `none`, `axf` or plies, 0 for none.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => return Ok(Self::NONE),
            "axf" => return Ok(Self::AXF),
            _ => {}
        }
        match text.parse() {
            Ok(plies @ 0..=Self::MOST) => Ok(Self::plain(plies)),
            _ => Err(format!(
                "{text:?} is no limit of moves without a capture: \
                 say none, axf, or plies up to {}",
                Self::MOST
            )),
        }
    }
}

impl fmt::Display for Limit {
    /// As it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NONE => f.write_str("none"),
            Self::AXF => f.write_str("axf"),
            Self { plies, .. } => write!(f, "{plies}"),
        }
    }
}
