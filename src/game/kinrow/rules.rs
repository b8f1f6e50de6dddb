//! The rules of k-in-a-row games, as presets with switches.
//!
//! Sources: the Gomocup rules (freestyle, standard, caro), the International
//! Rules of Renju of the Renju International Federation (RIF).

use std::fmt;

use crate::{outcome::Side, outcome::words, suggest::nearest};

words! {
    /// What more stones in a row than asked for are.
    Overline {
        /// A win as well.
        Wins = "wins",
        /// Nothing; the game goes on.
        Ignored = "ignored",
    }
}

words! {
    /// When a line of exactly the length asked for is no win.
    Blocked {
        /// Never.
        None = "none",
        /// When the opponent stands at both of its ends; the edge of the board
        /// blocks nothing.
        Both = "both",
    }
}

words! {
    /// What Black's forbidden moves in renju (overline, double four, double
    /// three) lead to.
    Fouls {
        /// Each loses at once.
        Strict = "strict",
        /// A double four or double three loses only where White did not go on;
        /// an overline can be claimed later too.
        Claimed = "claimed",
        /// Nothing.
        Off = "off",
    }
}

words! {
    /// Whether a point that makes a three into a straight four, and a five in
    /// another direction, makes it a three.
    FiveEye {
        /// No: a three is one that gets a straight four *without at the same
        /// time making a five*, says the RIF.
        Rif = "rif",
        /// Yes, as some programs have it.
        Counts = "counts",
    }
}

/// A set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Name of the preset that they are derived from.
    pub preset: &'static str,
    /// Stones in a row that win, 3 to 52.
    pub line: u8,
    /// What more of them are, for the first and the second player.
    pub overline: [Overline; 2],
    /// When a line of exactly that length is no win.
    pub blocked: Blocked,
    /// What Black's forbidden moves lead to.
    pub fouls: Fouls,
    /// How the definition of a three is read.
    pub five_eye: FiveEye,
    /// With no more empty points left, a game that is given up is drawn.
    pub draw_at: u16,
}

const FREESTYLE: Rules = Rules {
    preset: "freestyle",
    line: 5,
    overline: [Overline::Wins; 2],
    blocked: Blocked::None,
    fouls: Fouls::Off,
    five_eye: FiveEye::Rif,
    draw_at: 0,
};

/// Every preset.
pub(super) const PRESETS: [Rules; 7] = [
    Rules {
        preset: "tictactoe",
        line: 3,
        ..FREESTYLE
    },
    FREESTYLE,
    Rules {
        preset: "standard",
        overline: [Overline::Ignored; 2],
        ..FREESTYLE
    },
    Rules {
        preset: "renju",
        overline: [Overline::Ignored, Overline::Wins],
        fouls: Fouls::Strict,
        ..FREESTYLE
    },
    Rules {
        preset: "caro",
        blocked: Blocked::Both,
        ..FREESTYLE
    },
    Rules {
        preset: "caro-standard",
        overline: [Overline::Ignored; 2],
        blocked: Blocked::Both,
        ..FREESTYLE
    },
    Rules {
        preset: "kinrow",
        ..FREESTYLE
    },
];

/// Other names of presets, as they are after [`squeeze`]: those of records, of
/// ways to open a game, and the numbers of Gomocup, which mark files of its
/// programs.
const ALIASES: &[(&str, &str)] = &[
    ("noughtsandcrosses", "tictactoe"),
    ("gomoku", "freestyle"),
    ("freestylegomoku", "freestyle"),
    ("gomokufreestyle", "freestyle"),
    ("free", "freestyle"),
    ("fiveinarow", "freestyle"),
    ("gobang", "freestyle"),
    ("五子棋", "freestyle"),
    ("0", "freestyle"),
    ("1", "standard"),
    ("exactfive", "standard"),
    ("standardgomoku", "standard"),
    ("gomokustandard", "standard"),
    ("swap", "standard"),
    ("swap2", "standard"),
    ("gomokuswap", "standard"),
    ("gomokuswap2", "standard"),
    ("4", "renju"),
    ("rif", "renju"),
    ("renjurif", "renju"),
    ("taraguchi", "renju"),
    ("taraguchi10", "renju"),
    ("soosyrv", "renju"),
    ("soosyrv8", "renju"),
    ("yamaguchi", "renju"),
    ("连珠", "renju"),
    ("連珠", "renju"),
    ("8", "caro"),
    ("freestylecaro", "caro"),
    ("9", "caro-standard"),
    ("standardcaro", "caro-standard"),
    ("mnk", "kinrow"),
];

/// A name in lower case, without blanks and dashes.
fn squeeze(name: &str) -> String {
    let letters = name.chars().filter(|sign| !matches!(sign, ' ' | '-' | '_'));
    letters.flat_map(char::to_lowercase).collect()
}

/// Names of the switches, in the order in which they are shown.
const SWITCHES: [&str; 6] = [
    "line", "overline", "blocked", "fouls", "five_eye", "draw_at",
];

impl Rules {
    /// The rules of a preset.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        PRESETS.into_iter().find(|rules| rules.preset == name)
    }

    /// Reads a preset with switches: `renju`, `renju,fouls=claimed`,
    /// `kinrow,line=4`, or one of the names that records use.
    ///
    /// # Errors
    /// One sentence that names the part that is not understood, and what is.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let squeezed = squeeze(name);
        let alias = ALIASES.iter().find(|(alias, _)| *alias == squeezed);
        let preset = alias.map_or(squeezed.as_str(), |(_, preset)| preset);
        let same = |rules: &Self| squeeze(rules.preset) == squeeze(preset);
        let Some(mut rules) = PRESETS.into_iter().find(same) else {
            let known = PRESETS.map(|rules| rules.preset);
            return Err(unknown("rules", &name.to_lowercase(), &known));
        };
        for part in parts {
            rules.switch(part)?;
        }
        rules.check()?;
        Ok(rules)
    }

    /// Sets one switch, such as `overline=wins`.
    fn switch(&mut self, part: &str) -> Result<(), String> {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let (name, value) = (name.trim(), value.trim());
        match name {
            "line" => {
                let line = value.parse().ok().filter(|line| (3..=52).contains(line));
                self.line = line.ok_or_else(|| bad(name, value, "3 to 52"))?;
            }
            "overline" => self.overline = [word(name, value, Overline::of_word)?; 2],
            "blocked" => self.blocked = word(name, value, Blocked::of_word)?,
            "fouls" => self.fouls = word(name, value, Fouls::of_word)?,
            "five_eye" => self.five_eye = word(name, value, FiveEye::of_word)?,
            "draw_at" => {
                let at = value.parse().ok().filter(|at| *at < 2704);
                self.draw_at = at.ok_or_else(|| bad(name, value, "0 to 2703"))?;
            }
            _ => return Err(unknown("switch of rules", name, &SWITCHES)),
        }
        Ok(())
    }

    /// Refuses switches that exclude each other.
    fn check(&self) -> Result<(), String> {
        if self.fouls == Fouls::Off {
            return Ok(());
        }
        if self.line != 5 {
            return Err(format!(
                "forbidden moves are defined for lines of five, not of {}: write fouls=off",
                self.line
            ));
        }
        if self.overline[0] == Overline::Wins || self.blocked == Blocked::Both {
            let error = "forbidden moves are defined where Black wins with just five, blocked or \
                         not: leave out overline=wins and blocked=both, or write fouls=off";
            return Err(error.to_owned());
        }
        Ok(())
    }

    /// Whether a run of so many stones wins for a side; `both_ends` says
    /// whether the opponent stands at both ends of it.
    #[must_use]
    pub fn wins(&self, side: Side, run: u32, both_ends: bool) -> bool {
        let line = u32::from(self.line);
        match run {
            _ if run < line => false,
            _ if run > line => self.overline[side.index()] == Overline::Wins,
            _ => !(both_ends && self.blocked == Blocked::Both),
        }
    }
}

impl Rules {
    /// The name of the game that rows show.
    #[must_use]
    pub fn game(&self) -> &'static str {
        match (self.preset, self.line) {
            ("tictactoe", 3) => "tictactoe",
            ("freestyle" | "standard", 5) => "gomoku",
            ("renju", 5) => "renju",
            ("caro" | "caro-standard", 5) => "caro",
            _ => "kinrow",
        }
    }
}

impl fmt::Display for Rules {
    /// The preset and the switches that differ from it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.preset)?;
        let Some(preset) = Self::preset(self.preset) else {
            return Ok(());
        };
        if self.line != preset.line {
            write!(f, ",line={}", self.line)?;
        }
        if self.overline != preset.overline {
            write!(f, ",overline={}", self.overline[0].word())?;
        }
        if self.blocked != preset.blocked {
            write!(f, ",blocked={}", self.blocked.word())?;
        }
        if self.fouls != preset.fouls {
            write!(f, ",fouls={}", self.fouls.word())?;
        }
        if self.five_eye != preset.five_eye {
            write!(f, ",five_eye={}", self.five_eye.word())?;
        }
        if self.draw_at != preset.draw_at {
            write!(f, ",draw_at={}", self.draw_at)?;
        }
        Ok(())
    }
}

/// The choice of a switch.
fn word<T>(name: &str, value: &str, of_word: impl Fn(&str) -> Option<T>) -> Result<T, String> {
    let choices = match name {
        "overline" => "wins or ignored",
        "blocked" => "none or both",
        "fouls" => "strict, claimed or off",
        _ => "rif or counts",
    };
    of_word(value).ok_or_else(|| bad(name, value, choices))
}

fn bad(name: &str, value: &str, choices: &str) -> String {
    format!("cannot use `{name}={value}`: expected {choices}")
}

fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let hint =
        nearest(name, known).map_or(String::new(), |near| format!("; did you mean '{near}'?"));
    format!(
        "unknown {what} `{name}`: expected {}{hint}",
        known.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_rules() {
        for (text, shown, game) in [
            ("renju", "renju", "renju"),
            ("Renju", "renju", "renju"),
            ("4", "renju", "renju"),
            ("Gomoku", "freestyle", "gomoku"),
            ("caro standard", "caro-standard", "caro"),
            ("Freestyle Caro", "caro", "caro"),
            ("Tic-tac-toe", "tictactoe", "tictactoe"),
            ("Taraguchi-10", "renju", "renju"),
            ("soosyrv", "renju", "renju"),
            ("Yamaguchi", "renju", "renju"),
            ("連珠", "renju", "renju"),
            ("五子棋", "freestyle", "gomoku"),
            ("gobang", "freestyle", "gomoku"),
            ("Freestyle Gomoku", "freestyle", "gomoku"),
            ("standard gomoku", "standard", "gomoku"),
            ("gomoku-swap2", "standard", "gomoku"),
            ("swap", "standard", "gomoku"),
            ("kinrow,line=4", "kinrow,line=4", "kinrow"),
            ("freestyle, line=6", "freestyle,line=6", "kinrow"),
            (
                "renju,fouls=claimed,five_eye=counts,draw_at=25",
                "renju,fouls=claimed,five_eye=counts,draw_at=25",
                "renju",
            ),
            ("renju,fouls=strict", "renju", "renju"),
            // Switches may come in any order.
            ("renju,line=4,fouls=off", "renju,line=4,fouls=off", "kinrow"),
            ("renju,fouls=off,line=4", "renju,line=4,fouls=off", "kinrow"),
            (
                "renju,overline=wins,fouls=off",
                "renju,overline=wins,fouls=off",
                "renju",
            ),
            (
                "freestyle,overline=ignored",
                "freestyle,overline=ignored",
                "gomoku",
            ),
        ] {
            let rules = Rules::parse(text).unwrap();
            assert_eq!(rules.to_string(), shown);
            assert_eq!(rules.game(), game);
            assert_eq!(Rules::parse(shown), Ok(rules));
        }
    }

    #[test]
    fn texts_that_are_no_rules() {
        for (text, part) in [
            ("", "unknown rules ``"),
            ("renjoo", "did you mean 'renju'?"),
            (
                "renju,line=4",
                "forbidden moves are defined for lines of five",
            ),
            ("renju,overline=wins", "Black wins with just five"),
            ("renju,blocked=both", "Black wins with just five"),
            ("freestyle,fouls=strict", "Black wins with just five"),
            ("caro-standard,fouls=strict", "Black wins with just five"),
            ("kinrow,line=2", "expected 3 to 52"),
            ("kinrow,lines=4", "unknown switch"),
            ("renju,fouls=maybe", "expected strict, claimed or off"),
            ("standard,overline", "expected wins or ignored"),
            ("standard,draw_at=-1", "expected 0 to"),
        ] {
            let error = Rules::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn runs_that_win() {
        use Side::{First, Second};
        for (preset, side, run, both_ends, wins) in [
            ("tictactoe", First, 2, false, false),
            ("tictactoe", First, 3, true, true),
            ("freestyle", First, 4, false, false),
            ("freestyle", Second, 5, true, true),
            ("freestyle", First, 9, true, true),
            ("standard", Second, 6, false, false),
            ("renju", First, 6, false, false),
            ("renju", Second, 6, false, true),
            ("caro", First, 5, true, false),
            ("caro", First, 5, false, true),
            ("caro", First, 6, true, true),
            ("caro-standard", First, 5, true, false),
            ("caro-standard", First, 6, false, false),
        ] {
            let rules = Rules::preset(preset).unwrap();
            assert_eq!(rules.wins(side, run, both_ends), wins, "{preset} {run}");
        }
    }
}
