//! Proposals as `[[profile]]` tables of a configuration file.

use std::{
    collections::BTreeSet,
    fmt::{self, Write},
};

use super::{Candidate, Finding, Key, Verdict, search::kind};
use crate::{
    game::go::{Bonus, Convention, Rules},
    outcome::Points,
};

/// The profiles of what was found, weakest first: of several that match a
/// record the last one holds.
#[must_use]
pub fn profiles(findings: &[Finding]) -> String {
    let mut order: Vec<&Finding> = findings.iter().collect();
    order.sort_by_key(|finding| (finding.key.place.len(), &finding.key));
    let mut names = BTreeSet::new();
    let mut text = String::new();
    for finding in &order {
        let covered = || {
            order
                .iter()
                .any(|other| other.verdict == Verdict::Proposed && covers(&other.key, &finding.key))
        };
        let settings = match finding.verdict {
            Verdict::Proposed => settings(finding, &finding.best[0].0),
            // A profile of the folder above must not reach it.
            _ if covered() => settings_of_today(finding),
            _ => continue,
        };
        let name = name(&finding.key, &mut names);
        // Writing to a string cannot fail.
        let _ = write_profile(&mut text, finding, &name, &settings);
    }
    text
}

/// Whether one group lies below another whose marks hold for it.
fn covers(above: &Key, below: &Key) -> bool {
    let inside = below.place.strip_prefix(&above.place);
    let inside = inside.is_some_and(|rest| {
        above.place.is_empty() && !rest.is_empty() || rest.starts_with(['/', '!'])
    });
    inside
        && *above
            == Key {
                place: above.place.clone(),
                ..below.clone()
            }
}

type Settings = Vec<(&'static str, String)>;

fn settings(finding: &Finding, candidate: &Candidate) -> Settings {
    let mut settings = Vec::new();
    let convention = candidate.convention.unwrap_or(finding.convention);
    let other_kind = kind(convention) != kind(finding.convention);
    let preset = if kind(convention) {
        "japanese"
    } else {
        "chinese"
    };
    let used = Rules::parse(&finding.rules).ok();
    let rules = if other_kind {
        Rules::parse(preset).ok()
    } else {
        used
    };
    let bonus = match candidate.bonus {
        Some(place) => Bonus::ALL.get(place).copied(),
        // Other rules bring another bonus along.
        None if finding.key.handicap > 1 => used.map(|rules| rules.handicap_bonus),
        None => None,
    };
    let new_rules = other_kind || candidate.bonus.is_some() || finding.profiled;
    if let Some(rules) = rules.filter(|_| new_rules) {
        let rules = Rules {
            handicap_bonus: bonus.unwrap_or(rules.handicap_bonus),
            ..rules
        };
        settings.push(("rules", quoted(&rules.to_string())));
    }
    let komi = candidate.komi.or(finding.komi.filter(|_| new_rules));
    if let Some(komi) = komi {
        settings.push(("komi", Points::quarters(komi).to_string()));
    }
    if (candidate.convention.is_some() || finding.profiled)
        && let Some(convention) = Convention::ALL.get(convention)
    {
        settings.push(("convention", quoted(convention.word())));
    }
    if let Some(rounding) = candidate.rounding {
        settings.push(("rounding", quoted(rounding.word())));
    }
    settings
}

/// What leaves everything as it is.
fn settings_of_today(finding: &Finding) -> Settings {
    let pinned = Finding {
        profiled: true,
        ..finding.clone()
    };
    settings(&pinned, &Candidate::default())
}

fn write_profile(
    text: &mut String,
    finding: &Finding,
    name: &str,
    settings: &Settings,
) -> fmt::Result {
    let Key {
        place,
        program,
        rules,
        komi,
        handicap: _,
    } = &finding.key;
    let handicap = finding.key.handicap_word();
    writeln!(text, "\n[[profile]]")?;
    writeln!(text, "name = {}", quoted(name))?;
    writeln!(text, "path = {}", quoted(&globbed(place, finding.is_file)))?;
    writeln!(text, "program = {}", quoted(program))?;
    writeln!(text, "written-rules = {}", quoted(rules))?;
    writeln!(text, "written-komi = {}", quoted(komi))?;
    writeln!(text, "handicap = {}", quoted(handicap))?;
    for (key, value) in settings {
        writeln!(text, "{key} = {value}")?;
    }
    writeln!(text, "grounds = {}", quoted(&grounds(finding)))
}

/// Why, in words.
fn grounds(finding: &Finding) -> String {
    let all = finding.sizes[1];
    let today = finding.today.held_out;
    if finding.verdict != Verdict::Proposed {
        return format!(
            "kept as used, as a profile of the folder above would hold: {today} of {all} held-out games fit"
        );
    }
    let together = match finding.together {
        true => "; tested with other komi and handicaps",
        false => "",
    };
    format!(
        "{} of {all} held-out games fit, {today} before; shifted control {:.0} %; p < {}{together}",
        finding.best[0].1.held_out,
        finding.control * 100.0,
        rounded_up(finding.p),
    )
}

/// A power of ten above a probability.
pub(super) fn rounded_up(p: f64) -> String {
    match p.log10().floor() {
        exponent if p <= 0.0 || exponent < -99.0 => "1e-99".to_owned(),
        exponent => format!("1e{:.0}", (exponent + 1.0).min(0.0)),
    }
}

/// The pattern for everything in a place, as rows name it; a packed file is a
/// folder.
#[must_use]
pub fn globbed(place: &str, is_file: bool) -> String {
    let mut pattern = String::with_capacity(place.len() + 3);
    for letter in place.chars() {
        match letter {
            '!' => pattern.push('/'),
            '*' | '?' | '[' | ']' | '{' | '}' => {
                pattern.push('[');
                pattern.push(letter);
                pattern.push(']');
            }
            '\\' => pattern.push_str("\\\\"),
            _ => pattern.push(letter),
        }
    }
    match (is_file, pattern.is_empty()) {
        (true, _) => pattern,
        (false, true) => "**".to_owned(),
        (false, false) => pattern + "/**",
    }
}

/// A name of the signs that names may have, used once.
fn name(key: &Key, names: &mut BTreeSet<String>) -> String {
    let plain = |text: &str| -> String {
        let folded = text.to_lowercase();
        let parts = folded.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.'));
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        parts.join("-").trim_matches('.').to_owned()
    };
    let last = key.place.rsplit(['/', '!']).next().unwrap_or_default();
    let komi = if key.komi.is_empty() {
        String::new()
    } else {
        format!("komi{}", plain(&key.komi))
    };
    let handicap = match key.handicap {
        0 => "",
        1 => "handicap-1",
        _ => "handicap",
    };
    let parts = [plain(last), plain(&key.rules), komi, handicap.to_owned()];
    let parts: Vec<&str> = parts
        .iter()
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    let stem = if parts.is_empty() {
        "all".to_owned()
    } else {
        parts.join("-").chars().take(80).collect()
    };
    let mut name = stem.clone();
    let mut times = 1;
    while !names.insert(name.clone()) {
        times += 1;
        name = format!("{stem}-{times}");
    }
    name
}

/// A text as TOML writes it.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A text as TOML writes it between quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\\' => escaped.extend(['\\', letter]),
            letter if letter.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{:04X}", u32::from(letter));
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_rounded_up() {
        for (p, text) in [
            (0.0, "1e-99"),
            (0.00032, "1e-3"),
            (2e-12, "1e-11"),
            (1.0, "1e0"),
        ] {
            assert_eq!(rounded_up(p), text);
        }
    }

    #[test]
    fn texts_are_read_back() {
        for text in ["", "a\"b\\c", "日本 \u{7} \n", "'"] {
            let table: toml::Table = format!("x = {}", quoted(text)).parse().unwrap();
            assert_eq!(table["x"].as_str(), Some(text));
        }
    }
}
