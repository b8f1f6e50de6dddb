//! The rules of xiangqi on ends without mate, as presets with switches.

use std::fmt;

use super::{
    limit::Limit,
    material::Material,
    position::Position,
    repetition::{History, Repetition, Verdict},
};
use crate::{
    outcome::{Ending, Outcome, Side},
    suggest::nearest,
};

/// A set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Name of the preset that they are derived from.
    pub preset: &'static str,
    /// How repeated positions are judged.
    pub repetition: Repetition,
    /// When a game without captures is drawn.
    pub no_capture: Limit,
    /// When a game is drawn as neither side can win it.
    pub material: Material,
}

const AXF: Rules = Rules {
    preset: "axf",
    repetition: Repetition::Axf,
    no_capture: Limit::AXF,
    material: Material::Table,
};

/// Every preset.
const PRESETS: [Rules; 5] = [
    AXF,
    Rules {
        preset: "uccl",
        repetition: Repetition::Uccl,
        no_capture: Limit::plain(100),
        material: Material::NoAttackers,
    },
    Rules {
        preset: "check-only",
        repetition: Repetition::CheckOnly,
        no_capture: Limit::plain(120),
        ..AXF
    },
    Rules {
        preset: "draw",
        repetition: Repetition::Draw,
        no_capture: Limit::plain(120),
        ..AXF
    },
    Rules {
        preset: "none",
        repetition: Repetition::None,
        no_capture: Limit::NONE,
        material: Material::None,
    },
];

/// Other names of presets, in lower case.
const ALIASES: [(&str, &str); 4] = [
    ("wxf", "axf"),
    ("asian", "axf"),
    ("world", "axf"),
    ("ucci", "uccl"),
];

impl Rules {
    /// The rules where nothing is said.
    pub const DEFAULT: Self = AXF;

    /// Reads a preset with switches: `axf`, `axf,no_capture=120`.
    ///
    /// # Errors
    /// One sentence that names the part that is not understood, and what is.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default().to_lowercase();
        let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
        let preset = alias.map_or(name.as_str(), |(_, preset)| preset);
        let known = PRESETS.map(|rules| rules.preset);
        let found = PRESETS.into_iter().find(|rules| rules.preset == preset);
        let mut rules = found.ok_or_else(|| unknown("rules", &name, &known))?;
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (name, value) = (name.trim(), value.trim());
            let bad = |choices: &str| format!("cannot use `{name}={value}`: expected {choices}");
            match name {
                "repetition" => {
                    let known = "none, draw, check-only, uccl or axf";
                    rules.repetition = Repetition::of_word(value).ok_or_else(|| bad(known))?;
                }
                "no_capture" => {
                    let known = "none, axf or a number of plies";
                    rules.no_capture = value.parse().map_err(|_| bad(known))?;
                }
                "material" => {
                    let known = "none, no-attackers or table";
                    rules.material = Material::of_word(value).ok_or_else(|| bad(known))?;
                }
                _ => {
                    let known = ["repetition", "no_capture", "material"];
                    return Err(unknown("switch of rules", name, &known));
                }
            }
        }
        Ok(rules)
    }

    /// Draws games after so many plies without a capture, all of them counted;
    /// 0 never does.
    pub fn set_no_capture(&mut self, plies: u32) {
        self.no_capture = Limit::plain(plies);
    }

    /// How a game is over that has moves left, if it is.
    ///
    /// What is repeated counts at the end alone: most games go on after it, as
    /// nobody claims it.
    pub(super) fn judge(
        &self,
        position: &mut Position,
        history: &History,
        repeated: Option<&Verdict>,
    ) -> Option<(Ending, Outcome)> {
        if let Some(verdict) = repeated {
            let lost = |loser: Side| Outcome::Win(loser.other());
            let outcome = verdict.loser.map_or(Outcome::Draw, lost);
            return Some((Ending::Repetition, outcome));
        }
        if self.no_capture.is_reached(history) {
            return Some((Ending::NoCapture, Outcome::Draw));
        }
        let is_drawn = self.material.is_drawn(position);
        is_drawn.then_some((Ending::Material, Outcome::Draw))
    }
}

impl fmt::Display for Rules {
    /// The preset and the switches that differ from it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.preset)?;
        let preset = PRESETS.into_iter().find(|it| it.preset == self.preset);
        let preset = preset.unwrap_or(AXF);
        if self.repetition != preset.repetition {
            write!(f, ",repetition={}", self.repetition.word())?;
        }
        if self.no_capture != preset.no_capture {
            write!(f, ",no_capture={}", self.no_capture)?;
        }
        if self.material != preset.material {
            write!(f, ",material={}", self.material.word())?;
        }
        Ok(())
    }
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
        for (text, shown) in [
            ("axf", "axf"),
            ("AXF", "axf"),
            ("wxf", "axf"),
            ("uccl,material=table", "uccl,material=table"),
            ("axf,no_capture=120", "axf,no_capture=120"),
            (
                "draw,no_capture=0,repetition=none",
                "draw,repetition=none,no_capture=none",
            ),
        ] {
            assert_eq!(Rules::parse(text).unwrap().to_string(), shown, "{text}");
        }
    }

    #[test]
    fn what_is_no_rule() {
        for (text, part) in [
            ("check-onli", "did you mean 'check-only'?"),
            ("axf,repetition=3", "expected none, draw"),
            ("axf,no_capture=many", "expected none, axf or a number"),
            ("axf,capture=3", "unknown switch of rules `capture`"),
        ] {
            let said = Rules::parse(text).unwrap_err();
            assert!(said.contains(part), "{said}");
        }
    }
}
