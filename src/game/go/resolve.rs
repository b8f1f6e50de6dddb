//! Which rules, komi and handicap a record is judged under, and where each
//! comes from.

use std::collections::HashMap;

use super::rules::Rules;
use crate::{
    game::{Profile, RulesText, Settings, rules_of},
    outcome::{From, Points},
    record::{Place, Record, Warning},
};

/// Rules texts kept parsed; records of one archive use a handful.
const MAX_CACHED: usize = 256;

/// Finds rules and komi for records under some settings.
#[derive(Debug)]
pub(super) struct Resolver {
    forced: Option<(Rules, From)>,
    default: (Rules, From),
    komi: Option<(Points, From)>,
    default_komi: Option<(Points, From)>,
    cache: HashMap<Vec<u8>, Option<Rules>>,
    /// Rules of profiles, which are few.
    of_profiles: Vec<(String, Rules)>,
}

/// Rules of a record, and where they come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolved {
    pub(super) rules: Rules,
    pub(super) rules_from: From,
}

impl Resolver {
    /// A resolver under some settings.
    ///
    /// # Errors
    /// The sentence about rules that cannot be read.
    pub(super) fn new(settings: &Settings) -> Result<Self, String> {
        let parse = |text: &str| Rules::parse(text).map_err(|error| error.to_string());
        let forced = match &settings.rules {
            Some((text, from)) => Some((parse(text)?, *from)),
            None => None,
        };
        let default = match &settings.default_rules {
            Some((text, from)) => (parse(text)?, *from),
            None => (parse("japanese")?, From::Default),
        };
        Ok(Self {
            forced,
            default,
            komi: settings.komi,
            default_komi: settings.default_komi,
            cache: HashMap::new(),
            of_profiles: Vec::new(),
        })
    }

    /// Whether every record is judged under the same rules.
    pub(super) const fn is_forced(&self) -> bool {
        self.forced.is_some()
    }

    /// The rules of a record: those forced, else its profile's, else its own,
    /// else the default.
    pub(super) fn rules(
        &mut self,
        record: &Record<'_>,
        profile: Option<&Profile>,
        warnings: &mut Vec<Warning>,
    ) -> Resolved {
        let forced = self.forced;
        let found = rules_of(forced, profile, record, warnings, |text| match text {
            RulesText::Profile(text) => self.of_profile(text),
            RulesText::Record(written) => self.parse(written, record),
        });
        let (rules, rules_from) = found.unwrap_or(self.default);
        Resolved { rules, rules_from }
    }

    /// The rules of a profile, whose text was checked before any work.
    fn of_profile(&mut self, text: &str) -> Option<Rules> {
        if let Some((_, rules)) = self.of_profiles.iter().find(|(known, _)| known == text) {
            return Some(*rules);
        }
        let rules = Rules::parse(text).ok()?;
        self.of_profiles.push((text.to_owned(), rules));
        Some(rules)
    }

    fn parse(&mut self, written: &[u8], record: &Record<'_>) -> Option<Rules> {
        if let Some(known) = self.cache.get(written) {
            return *known;
        }
        let parsed = Rules::parse(&record.text(written)).ok();
        if self.cache.len() < MAX_CACHED {
            self.cache.insert(written.to_vec(), parsed);
        }
        parsed
    }

    /// The komi of a record in points: the one forced, else its profile's,
    /// else its own, else a default that depends on rules and handicap.
    pub(super) fn komi(
        &self,
        record: &Record<'_>,
        profile: Option<&Profile>,
        rules: &Rules,
        handicap: u32,
        warnings: &mut Vec<Warning>,
    ) -> (Points, From) {
        if let Some(forced) = self.komi {
            return forced;
        }
        if let Some((komi, from)) = profile.and_then(|profile| Some((profile.komi?, profile.from)))
        {
            return (komi, from);
        }
        match written_komi(record, handicap, warnings) {
            Some(komi) => komi,
            None => match self.default_komi {
                Some(default) => default,
                // A handicap game has no komi but what prevents a draw.
                None if handicap >= 1 => (Points::HALF, From::Default),
                None => (rules.komi, From::Default),
            },
        }
    }
}

/// Handicap as written: a number of stones; words and nonsense are none.
pub(crate) fn handicap(record: &Record<'_>) -> Option<u32> {
    let written = record.handicap?.trim_ascii();
    std::str::from_utf8(written)
        .ok()?
        .parse()
        .ok()
        .filter(|stones| *stones <= 361)
}

/// Komi as written, in points; nothing where it is missing or doubtful.
fn written_komi(
    record: &Record<'_>,
    handicap: u32,
    warnings: &mut Vec<Warning>,
) -> Option<(Points, From)> {
    let written = record.komi?.trim_ascii();
    if written.is_empty() {
        return None;
    }
    let mut warn = |word, value: String| {
        warnings.push(Warning::with(word, value, Place::Record));
    };
    // Fox writes 0 into even games that were played with komi. With a handicap,
    // of one stone as well, it is meant.
    let saved_by_server = ["foxwq", "YuanYu", "GNU Go:3.8"]
        .iter()
        .any(|program| record.written_by(program));
    if written == b"0" && handicap == 0 && saved_by_server {
        warn("komi_doubtful", "0".to_owned());
        return None;
    }
    let text = record.text(written);
    let plain = plain_digits(&text);
    let Some((amount, unit)) = parse_komi(&plain) else {
        let short: String = text.chars().take(20).collect();
        warn("komi_doubtful", short.replace([';', '@'], " "));
        return None;
    };
    if *plain != *text {
        warn("odd_komi", amount.to_string());
    }
    let known_to_scale = saved_by_server || record.written_by("SGFC:2.0");
    let komi = match unit {
        Unit::Zi => (amount.doubled(), From::Scaled),
        Unit::Points if amount.has_quarter() => (amount.doubled(), From::Scaled),
        Unit::Points if amount >= Points::whole(if known_to_scale { 50 } else { 100 }) => {
            (unscale(amount)?, From::Scaled)
        }
        Unit::Points => (amount, From::Record),
    };
    if komi.1 == From::Scaled {
        warn("komi_rescaled", text.into_owned());
    }
    Some(komi)
}

/// Komi written times a hundred, in points (650) or in zi (325).
///
/// Fractions of a point are halves, so .25 and .75 tell zi; of the whole
/// numbers only 350 is known to be points beside 700.
fn unscale(amount: Points) -> Option<Points> {
    let hundredths = amount.in_quarters() / 4;
    let quarters = match hundredths % 100 {
        25 | 75 => hundredths / 25 * 2,
        _ if hundredths == 350 => 28,
        0 | 50 => hundredths / 25,
        _ => return None,
    };
    Some(Points::quarters(quarters)).filter(|komi| *komi < Points::whole(100))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Points,
    Zi,
}

/// An amount with its unit: `6.5`, `6.5 points`, `6目半`, `3又3/4子`.
fn parse_komi(text: &str) -> Option<(Points, Unit)> {
    let (mut amount, read) = Points::scan(text)?;
    let mut rest = text[read..].trim();
    if let Some(fraction) = rest.strip_prefix('又') {
        for (written, quarters) in [("1/4", 1), ("1/2", 2), ("3/4", 3)] {
            if let Some(after) = fraction.strip_prefix(written) {
                amount += Points::quarters(quarters);
                rest = after.trim();
            }
        }
    }
    let unit = match rest.to_ascii_lowercase().as_str() {
        "" | "points" | "point" | "pts" | "目" | "집" | "호" => Unit::Points,
        "目半" | "집반" | "호반" | "半" => {
            amount += Points::HALF;
            Unit::Points
        }
        "子" | "zi" => Unit::Zi,
        _ => return None,
    };
    Some((amount, unit))
}

/// Full-width digits and signs as plain ones.
fn plain_digits(text: &str) -> std::borrow::Cow<'_, str> {
    let odd = |c: char| matches!(c, '０'..='９' | '．' | '。' | '，' | '－');
    if !text.contains(odd) {
        return text.into();
    }
    let plain = |c: char| match c {
        '０'..='９' => char::from(b'0' + (c as u32 - '０' as u32) as u8),
        '．' | '。' | '，' => '.',
        '－' => '-',
        _ => c,
    };
    text.chars().map(plain).collect()
}

/// Reads a komi from the command line or a configuration file: `7.5`,
/// `3.75zi`.
///
/// # Errors
/// One sentence with the forms that are understood.
pub fn parse_komi_setting(text: &str) -> Result<Points, String> {
    let komi = match parse_komi(text.trim()) {
        Some((amount, Unit::Zi)) => Some(amount.doubled()),
        Some((amount, Unit::Points)) => Some(amount),
        None => None,
    };
    komi.filter(|komi| komi.abs() <= Points::whole(400))
        .ok_or_else(|| format!("cannot read the komi {text:?}: write points (7.5) or zi (3.75zi)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn komi(
        written: &str,
        program: Option<&str>,
        handicap: u32,
    ) -> (Option<String>, Vec<&'static str>) {
        let mut record = Record::empty(b"");
        record.komi = Some(written.as_bytes());
        record.programs = program.iter().map(|name| name.as_bytes()).collect();
        let mut warnings = Vec::new();
        let komi = written_komi(&record, handicap, &mut warnings);
        (
            komi.map(|(points, _)| points.to_string()),
            warnings.iter().map(|warning| warning.word).collect(),
        )
    }

    #[test]
    fn komi_as_archives_write_it() {
        let fox = Some("foxwq");
        for (written, program, handicap, expected, warning) in [
            ("6.5", None, 0, Some("6.5"), None),
            ("6,5", None, 0, Some("6.5"), None),
            (" 7.50 ", None, 0, Some("7.5"), None),
            ("7.500000", None, 0, Some("7.5"), None),
            ("6.5 points", None, 0, Some("6.5"), None),
            ("-3.5", None, 0, Some("-3.5"), None),
            ("6目半", None, 0, Some("6.5"), None),
            ("6。5", None, 0, Some("6.5"), Some("odd_komi")),
            ("", None, 0, None, None),
            ("0", None, 0, Some("0"), None),
            ("0", fox, 0, None, Some("komi_doubtful")),
            ("0", Some("YuanYu"), 0, None, Some("komi_doubtful")),
            ("0", fox, 1, Some("0"), None),
            ("0", fox, 2, Some("0"), None),
            ("0", Some("GNU Go:3.8"), 0, None, Some("komi_doubtful")),
            ("3 3/4", None, 0, None, Some("komi_doubtful")),
            ("3.75", None, 0, Some("7.5"), Some("komi_rescaled")),
            ("3又3/4子", None, 0, Some("7.5"), Some("komi_rescaled")),
            ("375", fox, 0, Some("7.5"), Some("komi_rescaled")),
            ("750", fox, 0, Some("7.5"), Some("komi_rescaled")),
            ("325", fox, 0, Some("6.5"), Some("komi_rescaled")),
            ("650", None, 0, Some("6.5"), Some("komi_rescaled")),
            ("275", fox, 0, Some("5.5"), Some("komi_rescaled")),
            ("550", fox, 0, Some("5.5"), Some("komi_rescaled")),
            ("350", fox, 0, Some("7"), Some("komi_rescaled")),
            ("700", fox, 0, Some("7"), Some("komi_rescaled")),
            ("50", fox, 2, Some("0.5"), Some("komi_rescaled")),
            ("50", None, 2, Some("50"), None),
            ("225", fox, 0, Some("4.5"), Some("komi_rescaled")),
            (
                "375",
                Some("SGFC:2.0"),
                0,
                Some("7.5"),
                Some("komi_rescaled"),
            ),
        ] {
            let (komi, warnings) = komi(written, program, handicap);
            assert_eq!(komi.as_deref(), expected, "{written:?} by {program:?}");
            assert_eq!(
                warnings.first().copied(),
                warning,
                "{written:?} by {program:?}"
            );
        }
    }

    #[test]
    fn komi_as_users_write_it() {
        assert_eq!(parse_komi_setting("3.75zi"), Ok(Points::quarters(30)));
        assert_eq!(parse_komi_setting("7.5"), Ok(Points::quarters(30)));
        assert_eq!(parse_komi_setting("-0.5 points"), Ok(-Points::HALF));
        assert!(parse_komi_setting("much").is_err());
        assert!(parse_komi_setting("9999").is_err());
    }
}
