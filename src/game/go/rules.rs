//! Go rules as independent switches; presets are mere names for settings.

use std::fmt;

use crate::outcome::{Points, Side, words};

words! {
    /// What is counted at the end.
    Scoring {
        /// Living stones and surrounded points.
        Area = "area",
        /// Surrounded points and prisoners.
        Territory = "territory",
    }
}

words! {
    /// Which repetitions are forbidden.
    Ko {
        /// Only taking back at once.
        Simple = "simple",
        /// Any earlier position.
        Positional = "positional",
        /// Any earlier position with the same side to move.
        Situational = "situational",
        /// Situational, until a pass lifts the bans (Spight).
        Spight = "spight",
    }
}

words! {
    /// What is taken off the points that a side surrounds.
    Tax {
        /// Nothing.
        None = "none",
        /// Points surrounded by groups in seki.
        Seki = "seki",
        /// These, and two points for each group that lives by itself.
        All = "all",
    }
}

words! {
    /// What the second player gets for handicap stones.
    Bonus {
        /// Nothing.
        None = "0",
        /// A point for each stone but one.
        NMinusOne = "n-1",
        /// A point for each stone.
        N = "n",
    }
}

words! {
    /// What tells groups that live by themselves from those in seki.
    Life {
        /// The shape of their eyes, with shared points next to them unfilled.
        Shape = "shape",
        /// KataGo's mechanical definition: a group next to a shared point, or in
        /// atari at its border, is in seki, and what is dead is only what no
        /// move can save.
        Mechanical = "mechanical",
    }
}

/// The rules of a game of Go, as far as they can change its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Name of the preset that the rules are printed as.
    pub preset: &'static str,
    /// What is counted.
    pub scoring: Scoring,
    /// Which repetitions are forbidden.
    pub ko: Ko,
    /// Whether suicide of several stones is legal.
    pub suicide: bool,
    /// What is taken off surrounded points.
    pub tax: Tax,
    /// What lives by itself.
    pub life: Life,
    /// Whether the first pass earns half a point.
    pub button: bool,
    /// What the second player gets for handicap stones.
    pub handicap_bonus: Bonus,
    /// Whether each pass hands the opponent a prisoner, White passing last: so
    /// do the rules of the AGA, the BGA and France, to count territory as area.
    pub pass_stones: bool,
    /// Whether passing is safe while dead stones are on the board.
    pub friendly_pass: bool,
    /// The usual komi in points.
    pub komi: Points,
}

pub(super) const JAPANESE: Rules = Rules {
    preset: "japanese",
    scoring: Scoring::Territory,
    ko: Ko::Simple,
    suicide: false,
    tax: Tax::Seki,
    life: Life::Shape,
    button: false,
    handicap_bonus: Bonus::None,
    pass_stones: false,
    friendly_pass: false,
    komi: Points::quarters(26),
};

pub(super) const CHINESE: Rules = Rules {
    preset: "chinese",
    scoring: Scoring::Area,
    ko: Ko::Simple,
    suicide: false,
    tax: Tax::None,
    life: Life::Shape,
    button: false,
    handicap_bonus: Bonus::N,
    pass_stones: false,
    friendly_pass: true,
    komi: Points::quarters(30),
};

const AGA: Rules = Rules {
    preset: "aga",
    ko: Ko::Situational,
    handicap_bonus: Bonus::NMinusOne,
    ..CHINESE
};

pub(super) const TROMP_TAYLOR: Rules = Rules {
    preset: "tromp-taylor",
    ko: Ko::Positional,
    suicide: true,
    handicap_bonus: Bonus::None,
    friendly_pass: false,
    ..CHINESE
};

/// Every preset; the first of equal ones is preferred for printing.
pub(super) const PRESETS: [Rules; 13] = [
    JAPANESE,
    Rules {
        preset: "korean",
        ..JAPANESE
    },
    CHINESE,
    Rules {
        preset: "chinese-ogs",
        ko: Ko::Positional,
        ..CHINESE
    },
    AGA,
    Rules {
        preset: "bga",
        ..AGA
    },
    Rules {
        preset: "french",
        ..AGA
    },
    Rules {
        preset: "aga-button",
        button: true,
        komi: Points::whole(7),
        ..AGA
    },
    Rules {
        preset: "nz",
        suicide: true,
        handicap_bonus: Bonus::None,
        komi: Points::whole(7),
        ..AGA
    },
    TROMP_TAYLOR,
    Rules {
        preset: "ing",
        friendly_pass: true,
        ..TROMP_TAYLOR
    },
    Rules {
        preset: "ancient-area",
        tax: Tax::All,
        handicap_bonus: Bonus::None,
        ..CHINESE
    },
    Rules {
        preset: "ancient-territory",
        tax: Tax::All,
        ..JAPANESE
    },
];

/// Names of the switches after a preset.
pub(super) const SWITCHES: &[&str] = &[
    "scoring",
    "ko",
    "suicide",
    "tax",
    "life",
    "button",
    "bonus",
    "pass_stones",
    "friendly_pass",
    "komi",
];

impl Rules {
    /// Names of the presets, for help texts.
    #[must_use]
    pub fn names() -> &'static [&'static str] {
        const NAMES: [&str; PRESETS.len()] = {
            let mut names = [""; PRESETS.len()];
            let mut i = 0;
            while i < names.len() {
                names[i] = PRESETS[i].preset;
                i += 1;
            }
            names
        };
        &NAMES
    }

    /// The same rules under the name of the preset that differs least; its
    /// komi as well, unless the komi is to be kept.
    pub(super) fn renamed(self, keep_komi: bool) -> Self {
        let mut best = self;
        let mut fewest = usize::MAX;
        for preset in PRESETS {
            let candidate = Self {
                preset: preset.preset,
                komi: if keep_komi { self.komi } else { preset.komi },
                ..self
            };
            let differing = candidate.switches(&preset).count();
            if differing < fewest {
                fewest = differing;
                best = candidate;
            }
        }
        best
    }

    /// The switches that differ from other rules, as `key=value`.
    fn switches(&self, other: &Self) -> impl Iterator<Item = String> + use<> {
        let yes = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
        let values = |rules: &Self| {
            [
                rules.scoring.word().to_owned(),
                rules.ko.word().to_owned(),
                yes(rules.suicide),
                rules.tax.word().to_owned(),
                rules.life.word().to_owned(),
                yes(rules.button),
                rules.handicap_bonus.word().to_owned(),
                yes(rules.pass_stones),
                yes(rules.friendly_pass),
                rules.komi.to_string(),
            ]
        };
        let pairs = values(self).into_iter().zip(values(other));
        SWITCHES
            .iter()
            .zip(pairs)
            .filter(|(_, (own, theirs))| own != theirs)
            .map(|(key, (own, _))| format!("{key}={own}"))
    }

    /// What is added to each side besides what it has on the board: komi,
    /// compensation for handicap stones and the button.
    ///
    /// A handicap of one stone is a game without komi and not compensated.
    #[must_use]
    pub fn compensation(
        &self,
        komi: Points,
        handicap: u32,
        first_pass: Option<Side>,
    ) -> [Points; 2] {
        let stones = if handicap < 2 {
            0
        } else {
            handicap.min(9_999) as i32
        };
        let bonus = match self.handicap_bonus {
            Bonus::None => 0,
            Bonus::NMinusOne => (stones - 1).max(0),
            Bonus::N => stones,
        };
        let mut added = [Points::ZERO, komi + Points::whole(bonus)];
        if let Some(side) = first_pass.filter(|_| self.button) {
            added[side.index()] += Points::HALF;
        }
        added
    }
}

impl fmt::Display for Rules {
    /// The preset and the switches that differ from it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.preset)?;
        let preset = PRESETS.iter().find(|rules| rules.preset == self.preset);
        for switch in self.switches(preset.unwrap_or(&JAPANESE)) {
            write!(f, ",{switch}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_prints_and_reads_alike() {
        for preset in PRESETS {
            assert_eq!(preset.to_string(), preset.preset);
            for bits in 0..2 * 4 * 3 * 3 * 64 {
                let (flags, rest) = (bits % 64, bits / 64);
                let rules = Rules {
                    suicide: flags & 1 > 0,
                    button: flags & 2 > 0,
                    pass_stones: flags & 4 > 0,
                    friendly_pass: flags & 8 > 0,
                    komi: Points::quarters(24 + flags / 16 % 2),
                    life: Life::ALL[flags as usize / 32],
                    scoring: Scoring::ALL[rest as usize % 2],
                    ko: Ko::ALL[rest as usize / 2 % 4],
                    tax: Tax::ALL[rest as usize / 8 % 3],
                    handicap_bonus: Bonus::ALL[rest as usize / 24],
                    ..preset
                };
                assert_eq!(Rules::parse(&rules.to_string()), Ok(rules));
            }
        }
    }

    #[test]
    fn compensation_for_handicap_and_button() {
        let half = Points::HALF;
        for (name, handicap, pass, expected) in [
            ("chinese", 0, None, [0, 26]),
            ("chinese", 1, None, [0, 26]),
            ("chinese", 2, None, [0, 34]),
            ("chinese", 9, None, [0, 62]),
            ("aga", 9, None, [0, 58]),
            ("aga", 0, Some(Side::First), [0, 26]),
            ("aga-button", 0, Some(Side::First), [2, 26]),
            ("aga-button", 2, Some(Side::Second), [0, 32]),
            ("japanese", 9, None, [0, 26]),
        ] {
            let rules = Rules::parse(name).expect(name);
            let komi = Points::whole(6) + half;
            let added = rules.compensation(komi, handicap, pass);
            assert_eq!(
                added.map(Points::in_quarters),
                expected,
                "{name} {handicap}"
            );
        }
    }
}
