//! Go: replay, rules, dead stones and counting.

mod bits;
mod board;
mod confidence;
mod dead;
mod engine;
mod explain;
mod eyes;
mod finish;
mod judge;
mod life;
mod local;
mod marks;
mod mechanical;
mod playout;
mod point;
mod reconcile;
mod replay;
mod resolve;
mod rules;
mod rules_text;
mod safety;
mod score;
mod territory;

use std::io;

pub use board::{Board, Cell, Illegal, MAX_SIZE, Played, Point};
pub use dead::{Clarity, DeadStones, Grounds, Verdict};
pub use engine::end_engines;
pub use judge::GoJudge;
pub(crate) use judge::is_counted;
pub use point::{parse_vertex, vertex};
pub(crate) use resolve::handicap as written_handicap;
pub use resolve::parse_komi_setting;
pub use rules::{Bonus, Rules, Scoring};
pub use score::{Convention, Counted, Counter, Play};

use super::{Game, Judge, Settings};
use crate::outcome::words;

words! {
    /// How dead stones are found.
    DeadBy {
        /// No stone is dead.
        None = "none",
        /// Those in territory that the record marks.
        Marked = "marked",
        /// Those that playouts judge dead, whatever the record marks.
        Playout = "playout",
        /// Those that the record marks, where it marks a whole count, else those
        /// that playouts judge dead.
        Auto = "auto",
        /// Those that a GTP engine judges dead, whatever the record marks.
        Gtp = "gtp",
    }
}

/// The game of Go.
pub struct Go;

impl Game for Go {
    fn name(&self) -> &'static str {
        "go"
    }

    fn sides(&self) -> [&'static str; 2] {
        ["black", "white"]
    }

    fn has_margins(&self) -> bool {
        true
    }

    fn check_rules(&self, text: &str) -> Result<(), String> {
        Rules::parse(text)
            .map(|_| ())
            .map_err(|error| error.to_string())
    }

    fn check(&self, settings: &Settings) -> Result<(), String> {
        GoJudge::new(settings)?.try_engine()
    }

    fn judge_for(&self, settings: &Settings) -> io::Result<Box<dyn Judge>> {
        let judge = GoJudge::new(settings).map_err(io::Error::other)?;
        Ok(Box::new(judge))
    }
}
