//! `[[profile]]`: how parts of an archive were counted. The profiles of the
//! configuration, those that kifu brings along, and `kifu profiles`, which
//! prints them.

use std::{
    fmt,
    io::{self, Write},
};

use anyhow::{Context as _, Result, anyhow, bail};
use toml::{Table, Value};

use super::{
    args::ProfilesArgs,
    config::{Config, hint},
    setup::{parse_size, unknown},
    start_log, stdout_error,
};
use crate::{
    calibrate::{escaped, quoted},
    game::{self, GAMES, Profile, Rounding, Settings, go},
    outcome::From,
    pipeline::{HandicapMark, Marks, ProfileRule, Profiles},
    source::glob,
};

/// The profiles that kifu brings along.
const BUILTIN: &str = include_str!("../../data/profiles.toml");

/// What marks records, and what is then known of them.
const MARKS: &[&str] = &[
    "path",
    "program",
    "written-rules",
    "written-komi",
    "handicap",
    "size",
];
const SETTINGS: &[&str] = &["rules", "komi", "convention", "rounding"];

/// Keys whose values may be written as numbers.
const NUMBERS: &[&str] = &["written-komi", "size", "komi"];

/// One `[[profile]]`: as written, and as it is used.
#[derive(Debug)]
pub(super) struct Written {
    /// Marks and settings, in the order of the lists above.
    values: Vec<(&'static str, Vec<String>)>,
    grounds: Option<String>,
    rule: ProfileRule,
}

impl Written {
    /// Reads and checks the profile at a place in its file, counted from 1.
    fn read(table: &Table, place: usize, from: From) -> Result<Self> {
        let name = match table.get("name") {
            Some(Value::String(name)) if is_name(name) => name.clone(),
            Some(Value::String(name)) => bail!(
                "[[profile]] {place} cannot have the name {name:?}: write it with a to z, 0 to 9, '.', '_' and '-'"
            ),
            Some(other) => bail!(
                "name of [[profile]] {place}: {}",
                wrong_type(other, "a text")
            ),
            None => bail!("[[profile]] {place} has no name: give it one of its own"),
        };
        let mut profile = Self {
            values: Vec::new(),
            grounds: None,
            rule: ProfileRule {
                marks: Marks::default(),
                profile: Profile {
                    name,
                    from,
                    rules: None,
                    komi: None,
                    convention: None,
                    rounding: Rounding::None,
                },
            },
        };
        let about = format!("[[profile]] '{}'", profile.name());
        profile.fill(table).context(about)?;
        Ok(profile)
    }

    fn fill(&mut self, table: &Table) -> Result<()> {
        let known = [&["name"], MARKS, SETTINGS, &["grounds"]].concat();
        for key in table.keys() {
            if !known.contains(&key.as_str()) {
                bail!("unknown key '{key}'{}", hint(key, &known));
            }
        }
        for key in [MARKS, SETTINGS].concat() {
            if let Some(value) = table.get(key) {
                let values = texts(key, value).and_then(|texts| {
                    self.set(key, &texts)?;
                    Ok(texts)
                });
                self.values.push((key, values.context(key)?));
            }
        }
        let given = |keys: &[&str]| self.values.iter().any(|(key, _)| keys.contains(key));
        if !given(MARKS) {
            bail!(
                "it marks no record: give it one of {}; path = \"**\" marks all",
                MARKS.join(", ")
            );
        }
        if !given(SETTINGS) {
            bail!("it sets nothing: give it one of {}", SETTINGS.join(", "));
        }
        self.grounds = match table.get("grounds") {
            None => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(other) => bail!("grounds: {}", wrong_type(other, "a text")),
        };
        Ok(())
    }

    /// Takes the values of a key; a setting has one.
    fn set(&mut self, key: &str, texts: &[String]) -> Result<()> {
        let ProfileRule { marks, profile } = &mut self.rule;
        let trimmed = || texts.iter().map(|text| text.trim().to_owned()).collect();
        let first = texts.first().map(|text| text.trim()).unwrap_or_default();
        match key {
            "path" => {
                for text in texts {
                    if text.is_empty() {
                        bail!("an empty pattern matches no path; path = \"**\" matches all");
                    }
                    marks
                        .paths
                        .push(glob(text).map_err(|sentence| anyhow!(sentence))?);
                }
            }
            "program" => marks.programs = trimmed(),
            "written-rules" => marks.rules = trimmed(),
            "written-komi" => marks.komi = trimmed(),
            "handicap" => {
                let known: Vec<&str> = HandicapMark::ALL.iter().map(|mark| mark.word()).collect();
                let mark = |word: &String| {
                    HandicapMark::of_word(word).ok_or_else(|| unknown("word", word, &known))
                };
                marks.handicap = texts.iter().map(mark).collect::<Result<_>>()?;
            }
            "size" => {
                let sizes = texts.iter().map(|text| parse_size(text));
                marks.sizes = sizes.collect::<Result<_>>()?;
            }
            "komi" => {
                let komi = go::parse_komi_setting(first).map_err(|sentence| anyhow!(sentence))?;
                profile.komi = Some(komi);
            }
            "rounding" => {
                let known: Vec<&str> = Rounding::ALL.iter().map(|word| word.word()).collect();
                profile.rounding =
                    Rounding::of_word(first).ok_or_else(|| unknown("word", first, &known))?;
            }
            "rules" => {
                check_words(&Settings {
                    rules: Some((first.to_owned(), profile.from)),
                    ..Settings::default()
                })?;
                profile.rules = Some(first.to_owned());
            }
            "convention" => {
                check_words(&Settings {
                    convention: Some(first.to_owned()),
                    ..Settings::default()
                })?;
                profile.convention = Some(first.to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    fn name(&self) -> &str {
        &self.rule.profile.name
    }

    /// Writes the profile as it stands in a configuration.
    fn write(&self, out: &mut impl fmt::Write) -> fmt::Result {
        if self.rule.profile.from == From::BuiltinProfile {
            writeln!(out, "# Built in.")?;
        }
        writeln!(out, "[[profile]]\nname = {}", quoted(self.name()))?;
        for (key, values) in &self.values {
            let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
            match values.as_slice() {
                [value] => writeln!(out, "{key} = {value}")?,
                values => writeln!(out, "{key} = [{}]", values.join(", "))?,
            }
        }
        let Some(grounds) = &self.grounds else {
            return Ok(());
        };
        // A backslash at the end of a line takes the line end away.
        let lines = wrapped(grounds)
            .iter()
            .map(|line| escaped(line))
            .collect::<Vec<_>>();
        writeln!(out, "grounds = \"\"\"\n{}\"\"\"", lines.join(" \\\n"))
    }
}

impl fmt::Display for Written {
    /// As the summary of a run shows it; `#` as it stands in a configuration.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return self.write(f);
        }
        f.write_str(self.name())?;
        for (key, values) in &self.values {
            write!(f, " {key}={}", values.join("|"))?;
        }
        Ok(())
    }
}

/// Checks that some game knows these words.
fn check_words(settings: &Settings) -> Result<()> {
    game::check(GAMES, settings).map_err(|sentence| anyhow!(sentence))
}

/// Whether rows can show a name.
fn is_name(name: &str) -> bool {
    let is_sign = |sign: u8| {
        sign.is_ascii_lowercase() || sign.is_ascii_digit() || matches!(sign, b'.' | b'_' | b'-')
    };
    !name.is_empty() && name.bytes().all(is_sign)
}

/// The texts of a value: itself, or those of its list where the key may have
/// several.
fn texts(key: &str, value: &Value) -> Result<Vec<String>> {
    let items = match value {
        Value::Array(items) if MARKS.contains(&key) => {
            if items.is_empty() {
                bail!("an empty list marks no record: name something, or leave the key out");
            }
            items.as_slice()
        }
        value => std::slice::from_ref(value),
    };
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) if NUMBERS.contains(&key) => Ok(number.to_string()),
        Value::Float(number) if NUMBERS.contains(&key) => Ok(number.to_string()),
        other if MARKS.contains(&key) => bail!(wrong_type(other, "a text or a list of texts")),
        other => bail!(wrong_type(other, "one text")),
    };
    items.iter().map(text).collect()
}

fn wrong_type(value: &Value, wanted: &str) -> String {
    format!("{} cannot be read: write {wanted}", value.type_str())
}

/// So many characters are on a line of the grounds.
const WIDTH: usize = 76;

/// A text in lines, without control characters.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let words = |text: &str| -> Vec<String> {
        let plain = text.replace(|sign: char| sign.is_control(), " ");
        plain.split_whitespace().map(str::to_owned).collect()
    };
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in words(paragraph) {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

const NOT_A_LIST: &str = "'profile' is written as [[profile]] in the configuration";

/// Takes the profiles out of a configuration, in the order of the file.
pub(super) fn take(table: &mut Table, from: From) -> Result<Vec<Written>> {
    let entries = match table.remove("profile") {
        None => return Ok(Vec::new()),
        Some(Value::Array(entries)) => entries,
        Some(_) => bail!(NOT_A_LIST),
    };
    let mut profiles: Vec<Written> = Vec::with_capacity(entries.len());
    for (entry, place) in entries.iter().zip(1..) {
        let Value::Table(entry) = entry else {
            bail!(NOT_A_LIST);
        };
        let profile = Written::read(entry, place, from)?;
        if profiles.iter().any(|known| known.name() == profile.name()) {
            bail!(
                "[[profile]] '{}' is there twice: give each a name of its own",
                profile.name()
            );
        }
        profiles.push(profile);
    }
    Ok(profiles)
}

fn builtin() -> Result<Vec<Written>> {
    let mut table: Table = BUILTIN.parse().context("in the built-in profiles")?;
    take(&mut table, From::BuiltinProfile).context("in the built-in profiles")
}

/// The built-in profiles in force: none where they are off, and none that the
/// user has by the same name.
fn builtin_in_force(users: &[Written], off: bool) -> Result<Vec<Written>> {
    if off {
        return Ok(Vec::new());
    }
    let mut profiles = builtin()?;
    profiles.retain(|profile| users.iter().all(|user| user.name() != profile.name()));
    Ok(profiles)
}

/// The profiles that records are judged under.
pub(super) fn in_force(config: &Config, builtin_off: bool) -> Result<Profiles> {
    let users = &config.profiles;
    let builtin = builtin_in_force(users, builtin_off)?;
    let all = builtin.iter().chain(users);
    Ok(Profiles(all.map(|profile| profile.rule.clone()).collect()))
}

/// The names of the built-in profiles in force.
pub(super) fn names_of_builtin(config: &Config, off: bool) -> Result<Vec<String>> {
    let builtin = builtin_in_force(&config.profiles, off)?;
    let names = builtin.iter().map(|profile| profile.name().to_owned());
    Ok(names.collect())
}

/// `kifu profiles`
pub(super) fn profiles(args: &ProfilesArgs) -> Result<u8> {
    start_log(&args.common);
    let config = Config::load(args.common.config.as_deref())?;
    let off = args.no_profiles || config.builtin_profiles_off();
    let builtin = builtin_in_force(&config.profiles, off)?;
    print(&builtin, &config.profiles).map_err(stdout_error)?;
    Ok(0)
}

/// Prints profiles so that they hold in a configuration as they hold now: of
/// those that match a record, the last does.
fn print(builtin: &[Written], users: &[Written]) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    writeln!(
        out,
        "# How parts of archives were counted. The last [[profile]] that matches a\n\
         # record holds; one in kifu.toml replaces the built-in one of its name."
    )?;
    for profile in builtin.iter().chain(users) {
        writeln!(out)?;
        write!(out, "{profile:#}")?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Points;

    fn read(text: &str) -> Result<Vec<Written>> {
        take(&mut text.parse().unwrap(), From::Profile)
    }

    #[test]
    fn the_builtin_profiles_are_read() {
        let profiles = builtin().unwrap();
        assert!(profiles.len() > 3);
        for profile in profiles {
            assert_eq!(profile.rule.profile.from, From::BuiltinProfile);
            assert!(profile.grounds.is_some(), "{profile}");
        }
    }

    #[test]
    fn what_is_printed_is_read_as_the_same() {
        let text = "[[profile]]\nname = 'odd_1.x'\npath = ['a \"b\" \\c', '**/ü/*']\nwritten-komi = [7.5, '']\n\
                    size = 9\nkomi = 0\ngrounds = 'two\tthings'\nrounding = 'up'\n";
        let first = read(text).unwrap();
        let printed = format!("{:#}", first[0]);
        assert!(
            printed.ends_with("grounds = \"\"\"\ntwo things\"\"\"\n"),
            "{printed}"
        );
        let again = read(&printed).unwrap();
        assert_eq!(again[0].values, first[0].values);
        assert_eq!(again[0].grounds.as_deref(), Some("two things"));
        assert_eq!(again[0].rule.profile, first[0].rule.profile);
        assert_eq!(
            first[0].to_string(),
            "odd_1.x path=a \"b\" \\c|**/ü/* written-komi=7.5| size=9 komi=0 rounding=up"
        );
    }

    #[test]
    fn every_key_is_read() {
        let profiles = read(
            "[[profile]]\nname = 'x'\npath = 'a/*'\nprogram = ' P '\nwritten-rules = ['', 'NZ']\n\
             written-komi = 7\nhandicap = 'some'\nsize = [9, '13x9']\nrules = 'nz'\nkomi = '3.75zi'\n\
             convention = 'area'\nrounding = 'down'\ngrounds = 'seen'\n",
        )
        .unwrap();
        let Written {
            values,
            grounds,
            rule: ProfileRule { marks, profile },
        } = &profiles[0];
        assert_eq!(values.len(), MARKS.len() + SETTINGS.len());
        assert_eq!(grounds.as_deref(), Some("seen"));
        assert!(marks.paths[0].is_match("a/b") && !marks.paths[0].is_match("b"));
        assert_eq!(marks.programs, ["P"]);
        assert_eq!(marks.rules, ["", "NZ"]);
        assert_eq!(marks.komi, ["7"]);
        assert_eq!(marks.handicap, [HandicapMark::Some]);
        assert_eq!(marks.sizes, [(9, 9), (13, 9)]);
        let expected = Profile {
            name: "x".to_owned(),
            from: From::Profile,
            rules: Some("nz".to_owned()),
            komi: Some(Points::quarters(30)),
            convention: Some("area".to_owned()),
            rounding: Rounding::Down,
        };
        assert_eq!(*profile, expected);
    }

    #[test]
    fn grounds_are_wrapped() {
        let lines = wrapped(&"word ".repeat(40));
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.len() <= WIDTH));
        assert_eq!(wrapped("one\n\n two"), ["one", "two"]);
    }
}
