//! Reads rules from the ways in which records, people and engines write them.

use std::fmt;

use super::rules::{Bonus, Ko, Life, PRESETS, Rules, SWITCHES, Scoring, TROMP_TAYLOR, Tax};
use crate::{outcome::Points, suggest::nearest};

/// Other names of presets, as they are after [`squeeze`].
const ALIASES: &[(&str, &str)] = &[
    ("jp", "japanese"),
    ("jpn", "japanese"),
    ("japan", "japanese"),
    ("territory", "japanese"),
    ("日本", "japanese"),
    ("数目", "japanese"),
    ("數目", "japanese"),
    ("일본", "japanese"),
    ("kr", "korean"),
    ("korea", "korean"),
    ("韩国", "korean"),
    ("韓國", "korean"),
    ("韓国", "korean"),
    ("日韩", "korean"),
    ("日韓", "korean"),
    ("한국", "korean"),
    ("cn", "chinese"),
    ("chn", "chinese"),
    ("china", "chinese"),
    ("area", "chinese"),
    ("中国", "chinese"),
    ("中國", "chinese"),
    ("数子", "chinese"),
    ("數子", "chinese"),
    ("중국", "chinese"),
    ("chinesekgs", "chinese-ogs"),
    ("newzealand", "nz"),
    ("tt", "tromp-taylor"),
    ("goe", "ing"),
    ("inggoe", "ing"),
    ("应氏", "ing"),
    ("應氏", "ing"),
    ("oldchinese", "ancient-area"),
    ("stonescoring", "ancient-area"),
];

/// Words that may follow a name without changing it.
const SUFFIXES: &[&str] = &["rules", "rule", "规则", "規則", "規約", "ルール", "룰"];

/// A part of a rules text that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    what: &'static str,
    part: String,
    allowed: Vec<&'static str>,
}

impl RulesError {
    fn new(
        what: &'static str,
        part: &str,
        allowed: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        Self {
            what,
            part: part.to_owned(),
            allowed: allowed.into_iter().collect(),
        }
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            part,
            allowed,
        } = self;
        write!(
            f,
            "unknown {what} `{part}`: expected {}",
            allowed.join(", ")
        )?;
        match nearest(part, allowed) {
            Some(name) => write!(f, " (did you mean `{name}`?)"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for RulesError {}

/// The variant of a word, or an early return with an error that lists all.
macro_rules! choice {
    ($kind:ident, $what:literal, $value:expr) => {
        $kind::of_word(&$value).ok_or_else(|| {
            let allowed = $kind::ALL.iter().map(|item| item.word());
            RulesError::new($what, &$value, allowed)
        })?
    };
}

impl Rules {
    /// The rules of a name, as presets, records and servers write it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let squeezed = squeeze(name);
        let stem = SUFFIXES
            .iter()
            .find_map(|suffix| squeezed.strip_suffix(suffix))
            .unwrap_or(&squeezed);
        let wanted = ALIASES
            .iter()
            .find(|(alias, _)| *alias == stem)
            .map_or(stem, |(_, preset)| preset);
        let wanted = squeeze(wanted);
        PRESETS
            .iter()
            .find(|rules| squeeze(rules.preset) == wanted)
            .copied()
    }

    /// Reads rules: a preset (`chinese`), a preset with switches
    /// (`chinese,ko=positional,tax=all`), or what KataGo prints
    /// (`koPOSITIONALscoreAREAtaxNONEsui0` or a JSON object).
    ///
    /// # Errors
    /// Names the part that is not understood and what is.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        let text = text.trim();
        if text.starts_with('{') {
            return Self::parse_json(text);
        }
        let (name, switches) = text.split_once(',').unwrap_or((text, ""));
        let Some(mut rules) = Self::named(name) else {
            return match parse_compact(text) {
                Some(rules) => Ok(rules),
                None => Err(RulesError::new(
                    "rules",
                    name,
                    Self::names().iter().copied(),
                )),
            };
        };
        for switch in switches.split(',').map(str::trim) {
            if let Some((key, value)) = switch.split_once('=') {
                rules.set(key.trim(), value.trim())?;
            } else if !switch.is_empty() {
                let allowed = SWITCHES.iter().copied();
                return Err(RulesError::new("switch without a value", switch, allowed));
            }
        }
        Ok(rules)
    }

    fn parse_json(text: &str) -> Result<Self, RulesError> {
        let Ok(serde_json::Value::Object(fields)) = serde_json::from_str(text) else {
            let allowed = ["a JSON object of switches"];
            return Err(RulesError::new("rules", text, allowed));
        };
        let mut rules = TROMP_TAYLOR;
        for (key, value) in &fields {
            let value = match value {
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            rules.set(key, &value)?;
        }
        if !fields.contains_key("tax") {
            rules.tax = usual_tax(rules.scoring);
        }
        Ok(rules.renamed(fields.contains_key("komi")))
    }

    /// Sets one switch by its name, or by the name that KataGo uses.
    fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        let lower = value.to_lowercase();
        match squeeze(key).as_str() {
            "scoring" | "score" => self.scoring = choice!(Scoring, "scoring", lower),
            "ko" => self.ko = choice!(Ko, "ko rule", lower),
            "suicide" | "sui" => self.suicide = flag("suicide", &lower)?,
            "tax" => self.tax = choice!(Tax, "tax", lower),
            "life" => self.life = choice!(Life, "life", lower),
            "button" | "hasbutton" => self.button = flag("button", &lower)?,
            "bonus" | "whitehandicapbonus" | "handicapbonus" | "whb" => {
                self.handicap_bonus = choice!(Bonus, "handicap bonus", lower);
            }
            "passstones" => self.pass_stones = flag("pass_stones", &lower)?,
            "friendlypass" | "friendlypassok" | "fpok" => {
                self.friendly_pass = flag("friendly_pass", &lower)?;
            }
            "komi" => {
                let unknown = |()| RulesError::new("komi", value, ["a number of points"]);
                self.komi = value.parse().map_err(unknown)?;
            }
            _ => return Err(RulesError::new("switch", key, SWITCHES.iter().copied())),
        }
        Ok(())
    }
}

/// What KataGo assumes where the tax is not named.
const fn usual_tax(scoring: Scoring) -> Tax {
    match scoring {
        Scoring::Area => Tax::None,
        Scoring::Territory => Tax::Seki,
    }
}

/// Reads the compact form: `koPOSITIONALscoreAREAtaxNONEsui0button1whbN-1fpok1`.
fn parse_compact(text: &str) -> Option<Rules> {
    const KEYS: [&str; 8] = ["ko", "score", "tax", "sui", "button", "whb", "fpok", "komi"];
    let lower = text.to_lowercase();
    let mut rest = lower.trim();
    let mut rules = TROMP_TAYLOR;
    let mut seen = [false; KEYS.len()];
    while !rest.is_empty() {
        let (index, tail) = KEYS
            .iter()
            .enumerate()
            .rev() // `komi` before `ko`
            .find_map(|(index, key)| rest.strip_prefix(key).map(|tail| (index, tail)))?;
        let length = match KEYS[index] {
            "komi" => Points::scan(tail)?.1,
            "sui" | "button" | "fpok" => 1,
            "whb" => prefix(tail, &["n-1", "n", "0"])?,
            _ => prefix(
                tail,
                &[
                    "simple",
                    "positional",
                    "situational",
                    "spight",
                    "area",
                    "territory",
                    "none",
                    "seki",
                    "all",
                ],
            )?,
        };
        rules.set(KEYS[index], tail.get(..length)?).ok()?;
        seen[index] = true;
        rest = tail[length..].trim_start();
    }
    if !seen[2] {
        rules.tax = usual_tax(rules.scoring);
    }
    (seen != [false; KEYS.len()]).then(|| rules.renamed(seen[7]))
}

/// The length of the first of some words that a text starts with.
fn prefix(text: &str, words: &[&str]) -> Option<usize> {
    let word = words.iter().find(|word| text.starts_with(**word))?;
    Some(word.len())
}

fn flag(what: &'static str, value: &str) -> Result<bool, RulesError> {
    match value {
        "yes" | "true" | "1" | "on" => Ok(true),
        "no" | "false" | "0" | "off" => Ok(false),
        _ => Err(RulesError::new(what, value, ["yes", "no"])),
    }
}

/// Lower case without the marks in which the spellings of a name differ.
fn squeeze(name: &str) -> String {
    name.chars()
        .filter(|c| !c.is_whitespace() && !"-_/.()（）:：".contains(*c))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names, and the rules they stand for: scoring, ko, suicide, tax, button,
    /// handicap bonus, friendly pass, komi.
    const TABLE: &[(&str, &str)] = &[
        (
            "japanese|korean|Japanese Rules|日本|日韩|数目|JP|JPN",
            "territory simple no seki no 0 no 6.5",
        ),
        (
            "chinese|Chinese|中国|中國規則|數子",
            "area simple no none no n yes 7.5",
        ),
        (
            "chinese-ogs|chinese_kgs|Chinese (OGS)",
            "area positional no none no n yes 7.5",
        ),
        ("aga|BGA|French", "area situational no none no n-1 yes 7.5"),
        ("aga_button", "area situational no none yes n-1 yes 7"),
        (
            "NZ|New Zealand|new-zealand",
            "area situational yes none no 0 yes 7",
        ),
        (
            "Tromp/Taylor|TT--|tromp taylor|TT",
            "area positional yes none no 0 no 7.5",
        ),
        (
            "Ing|GOE|Ing Goe|应氏",
            "area positional yes none no 0 yes 7.5",
        ),
        (
            "Old Chinese|stone scoring|ancientarea",
            "area simple no all no 0 yes 7.5",
        ),
        ("Ancient Territory", "territory simple no all no 0 no 6.5"),
    ];

    #[test]
    fn presets() {
        for (names, expected) in TABLE {
            for name in names.split('|') {
                let rules = Rules::parse(name).expect(name);
                let yes = |flag| if flag { "yes" } else { "no" };
                let fields = [
                    rules.scoring.word(),
                    rules.ko.word(),
                    yes(rules.suicide),
                    rules.tax.word(),
                    yes(rules.button),
                    rules.handicap_bonus.word(),
                    yes(rules.friendly_pass),
                    &rules.komi.to_string(),
                ];
                assert_eq!(fields.join(" "), *expected, "{name}");
                assert!(!rules.pass_stones, "{name}");
            }
        }
    }

    #[test]
    fn other_notations() {
        for (text, expected) in [
            ("chinese,ko=positional", "chinese,ko=positional"),
            (" Chinese , tax = ALL , Ko=simple", "chinese,tax=all"),
            ("aga,bonus=n-1,pass_stones=yes", "aga,pass_stones=yes"),
            ("koSIMPLEscoreAREAtaxNONEsui0button0whbNfpok1", "chinese"),
            ("koPOSITIONALscoreAREAtaxNONEsui1", "tromp-taylor"),
            ("scoreTERRITORYkoSIMPLEtaxSEKIsui0", "japanese"),
            ("koSIMPLEscoreTERRITORYsui0", "japanese"),
            (
                "koPOSITIONALscoreAREAtaxNONEsui0button1whbN-1fpok1",
                "aga-button,ko=positional",
            ),
            (
                "koSIMPLEscoreAREAtaxALLsui0whb0fpok1komi6",
                "ancient-area,komi=6",
            ),
            (
                r#"{"ko":"SIMPLE","scoring":"AREA","suicide":false,"whiteHandicapBonus":"N","friendlyPassOk":true}"#,
                "chinese",
            ),
        ] {
            let rules = Rules::parse(text).map(|rules| rules.to_string());
            assert_eq!(rules.as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn errors_say_what_is_allowed() {
        for (text, parts) in [
            ("chinesse", ["rules `chinesse`", "mean `chinese`?"]),
            (
                "chinese,ko=pos",
                ["ko rule `pos`", "positional, situational"],
            ),
            ("chinese,tax=sekki", ["tax `sekki`", "mean `seki`?"]),
            ("aga,colour=yes", ["switch `colour`", "scoring, ko"]),
            ("aga,suicide", ["switch without a value `suicide`", "tax"]),
            ("aga,button=2", ["button `2`", "yes, no"]),
            ("aga,komi=x", ["komi `x`", "a number of points"]),
            ("", ["rules ``", "japanese"]),
            ("{", ["rules `{`", "JSON"]),
            ("koFOO", ["rules `koFOO`", "korean"]),
        ] {
            let error = Rules::parse(text).expect_err(text).to_string();
            for part in parts {
                assert!(error.contains(part), "{text}: {error}");
            }
        }
    }
}
