//! The configuration file `kifu.toml`.
//!
//! It fills what the command line leaves open. `[defaults]` holds what records
//! without rules or komi are judged under; `[label]` holds flags by their long
//! names; `[[input]]` and `[[profile]]` are for the files of some paths.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use toml::Table;

use super::{
    args::{Inputs, Judging, Outputs, Reading, ScopeArg},
    places::File,
    profiles::{self, Written},
};
use crate::{outcome::From, suggest::nearest};

/// The name looked for in the current folder.
pub(super) const NAME: &str = "kifu.toml";

/// What the file holds.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Config {
    pub(super) defaults: Defaults,
    pub(super) label: LabelConfig,
    /// How files of some paths are read, in the order of the file.
    pub(super) input: Vec<InputConfig>,
    /// How parts of archives were counted, in the order of the file.
    #[serde(skip)]
    pub(super) profiles: Vec<Written>,
    /// Whether nobody named the file: it lay in the current folder, which may
    /// be somebody else's archive.
    #[serde(skip)]
    is_found: bool,
    /// The file, where there is one.
    #[serde(skip)]
    file: Option<File>,
}

/// One `[[input]]`: for the files of some paths.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct InputConfig {
    pub(super) path: String,
    pub(super) format: Option<String>,
    pub(super) encoding: Option<String>,
    pub(super) game: Option<String>,
    pub(super) size: Option<String>,
}

impl fmt::Display for InputConfig {
    /// As the summary of a run shows it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        for (name, value) in self.keys().skip(1) {
            write!(f, " {name}={value}")?;
        }
        Ok(())
    }
}

impl InputConfig {
    /// The keys that are there, the path first.
    pub(super) fn keys(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let keys = [
            ("path", Some(self.path.as_str())),
            ("format", self.format.as_deref()),
            ("encoding", self.encoding.as_deref()),
            ("game", self.game.as_deref()),
            ("size", self.size.as_deref()),
        ];
        keys.into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
    }
}

/// For records that do not say.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Defaults {
    pub(super) rules: Option<String>,
    pub(super) komi: Option<String>,
}

/// Flags of `label`, `audit` and `explain`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct LabelConfig {
    #[serde(flatten)]
    reading: Reading,
    rules: Option<String>,
    komi: Option<String>,
    dead: Option<String>,
    gtp: Option<String>,
    gtp_seconds: Option<u32>,
    convention: Option<String>,
    five_eye: Option<String>,
    fouls: Option<String>,
    no_capture: Option<u32>,
    search: Option<String>,
    nodes: Option<u32>,
    no_profiles: bool,
    judge: Option<String>,
    tolerance: Option<String>,
    with: Vec<String>,
    output_format: Option<String>,
    glob: Vec<String>,
    hidden: Option<bool>,
    pub(super) jobs: Option<usize>,
    pub(super) fail_on: Vec<String>,
}

const SECTIONS: &[(&str, &[&str])] = &[
    ("defaults", &["rules", "komi"]),
    ("input", &["path", "format", "encoding", "game", "size"]),
    (
        "label",
        &[
            "input-format",
            "encoding",
            "game",
            "size",
            "first-row",
            "strict",
            "max-record",
            "max-unpacked",
            "max-ratio",
            "max-members",
            "max-window",
            "rules",
            "komi",
            "dead",
            "gtp",
            "gtp-seconds",
            "convention",
            "five-eye",
            "fouls",
            "search",
            "no-capture",
            "nodes",
            "no-profiles",
            "judge",
            "tolerance",
            "with",
            "output-format",
            "glob",
            "hidden",
            "jobs",
            "fail-on",
        ],
    ),
];

impl Config {
    /// Reads the file named, or `kifu.toml` where there is one.
    pub(super) fn load(named: Option<&Path>) -> Result<Self> {
        // A variable that is set to nothing names no file.
        let named = named.filter(|path| !path.as_os_str().is_empty());
        let path = match named {
            Some(path) => path.to_owned(),
            None if Path::new(NAME).is_file() => PathBuf::from(NAME),
            None => return Ok(Self::default()),
        };
        let text = fs::read_to_string(&path)
            .with_context(|| format!("cannot read the configuration {}", path.display()))?;
        let config = Self::parse(&text).with_context(|| format!("in {}", path.display()))?;
        Ok(Self {
            is_found: named.is_none(),
            file: Some(File { path, text }),
            ..config
        })
    }

    fn parse(text: &str) -> Result<Self> {
        let mut table: Table = text.parse()?;
        let profiles = profiles::take(&mut table, From::Profile)?;
        check_keys(&table)?;
        numbers_as_text(&mut table);
        let config = table.try_into()?;
        Ok(Self { profiles, ..config })
    }

    /// The file that was read, where there is one.
    pub(super) const fn file(&self) -> Option<&File> {
        self.file.as_ref()
    }

    /// Fills what the command line left open.
    pub(super) fn fill_reading(&self, reading: &mut Reading) {
        let config = &self.label.reading;
        for (flag, config) in [
            (&mut reading.input_format, &config.input_format),
            (&mut reading.encoding, &config.encoding),
            (&mut reading.game, &config.game),
            (&mut reading.first_row, &config.first_row),
            (&mut reading.size, &config.size),
        ] {
            if flag.is_none() {
                flag.clone_from(config);
            }
        }
        reading.strict |= config.strict;
        for (flag, config) in [
            (&mut reading.max_record, config.max_record),
            (&mut reading.max_unpacked, config.max_unpacked),
            (&mut reading.max_ratio, config.max_ratio),
            (&mut reading.max_members, config.max_members),
            (&mut reading.max_window, config.max_window),
        ] {
            *flag = flag.or(config);
        }
    }

    /// Fills what the command line left open.
    pub(super) fn fill_judging(&self, judging: &mut Judging) -> Result<()> {
        let label = &self.label;
        for (flag, config) in [
            (&mut judging.dead, &label.dead),
            (&mut judging.convention, &label.convention),
            (&mut judging.five_eye, &label.five_eye),
            (&mut judging.fouls, &label.fouls),
            (&mut judging.search, &label.search),
            (&mut judging.tolerance, &label.tolerance),
        ] {
            if flag.is_none() {
                flag.clone_from(config);
            }
        }
        // An engine in the file is there for those who ask for it.
        if judging.dead.as_deref().is_none_or(|dead| dead == "gtp") {
            if judging.gtp.is_none() && label.gtp.is_some() {
                if self.is_found {
                    bail!(
                        "{NAME} in this folder names a program to start (gtp): if you trust it, \
                         say so with --config {NAME}, or type the program after --gtp"
                    );
                }
                judging.gtp.clone_from(&label.gtp);
            }
            judging.gtp_seconds = judging.gtp_seconds.or(label.gtp_seconds);
        }
        judging.no_capture = judging.no_capture.or(label.no_capture);
        judging.nodes = judging.nodes.or(label.nodes);
        judging.no_profiles |= label.no_profiles;
        if judging.judge.is_none() {
            judging.judge = match label.judge.as_deref() {
                None => None,
                Some("counted") => Some(ScopeArg::Counted),
                Some("all") => Some(ScopeArg::All),
                Some(other) => {
                    bail!("judge = {other:?} in the configuration: write counted or all")
                }
            };
        }
        Ok(())
    }

    /// Whether the file turns built-in profiles off.
    pub(super) fn builtin_profiles_off(&self) -> bool {
        self.label.no_profiles
    }

    /// Rules that the file forces, where no flag does.
    pub(super) fn forced_rules(&self) -> Option<&str> {
        self.label.rules.as_deref()
    }

    /// Komi that the file forces, where no flag does.
    pub(super) fn forced_komi(&self) -> Option<&str> {
        self.label.komi.as_deref()
    }

    /// Fills what the command line left open.
    pub(super) fn fill_inputs(&self, inputs: &mut Inputs) {
        if inputs.glob.is_empty() {
            inputs.glob.clone_from(&self.label.glob);
        }
        inputs.hidden |= self.label.hidden.unwrap_or(false);
    }

    /// Fills what the command line left open.
    pub(super) fn fill_outputs(&self, outputs: &mut Outputs) {
        if outputs.with.is_empty() {
            outputs.with.clone_from(&self.label.with);
        }
        if outputs.output_format.is_none() {
            outputs.output_format.clone_from(&self.label.output_format);
        }
    }
}

/// An unknown section or key is an error that names the nearest known one.
fn check_keys(table: &Table) -> Result<()> {
    let sections = SECTIONS.iter().map(|(name, _)| *name);
    let sections: Vec<&str> = sections.chain(["profile"]).collect();
    for (section, value) in table {
        let Some((_, keys)) = SECTIONS.iter().find(|(name, _)| name == section) else {
            bail!("unknown section [{section}]{}", hint(section, &sections));
        };
        if (section == "input") != value.is_array() {
            let written = if section == "input" {
                "[[input]]"
            } else {
                &format!("[{section}]")
            };
            bail!("'{section}' is written as {written} in the configuration");
        }
        let tables = match value {
            toml::Value::Array(entries) => entries.iter().collect(),
            other => vec![other],
        };
        let tables = tables.into_iter().filter_map(toml::Value::as_table);
        for key in tables.flat_map(Table::keys) {
            if !keys.contains(&key.as_str()) {
                bail!("unknown key '{key}' in [{section}]{}", hint(key, keys));
            }
        }
    }
    Ok(())
}

/// What to say behind an unknown word.
pub(super) fn hint(word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(nearest) => format!("; did you mean '{nearest}'?"),
        None => format!("; known are {}", known.join(", ")),
    }
}

/// `komi = 7.5` means the same as `komi = "7.5"`.
fn numbers_as_text(table: &mut Table) {
    let sections = table.iter_mut().flat_map(|(_, value)| match value {
        toml::Value::Array(entries) => entries.iter_mut().collect(),
        other => vec![other],
    });
    for section in sections.filter_map(toml::Value::as_table_mut) {
        for key in ["komi", "tolerance", "size"] {
            if let Some(value) = section.get_mut(key) {
                let text = match value {
                    toml::Value::Integer(number) => number.to_string(),
                    toml::Value::Float(number) => number.to_string(),
                    _ => continue,
                };
                *value = toml::Value::String(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_file_is_read() {
        let config = Config::parse(
            "[defaults]\nrules = 'chinese'\nkomi = 7.5\n[label]\njobs = 2\nwith = ['board']\ntolerance = 1\n\
             [[input]]\npath = '*'\nsize = 19\n",
        )
        .unwrap();
        assert_eq!(config.defaults.komi.as_deref(), Some("7.5"));
        assert_eq!(config.label.jobs, Some(2));
        assert_eq!(config.input[0].size.as_deref(), Some("19"));
        let mut judging = Judging::default();
        config.fill_judging(&mut judging).unwrap();
        assert_eq!(judging.tolerance.as_deref(), Some("1"));
    }

    #[test]
    fn an_unknown_key_is_an_error_with_a_suggestion() {
        for (text, message) in [
            (
                "[default]\n",
                "unknown section [default]; did you mean 'defaults'?",
            ),
            (
                "[label]\nkomy = 7\n",
                "unknown key 'komy' in [label]; did you mean 'komi'?",
            ),
            (
                "[[input]]\npath = '*'\nformatt = 'sgf'\n",
                "unknown key 'formatt' in [input]; did you mean 'format'?",
            ),
            (
                "[input]\npath = '*'\n",
                "'input' is written as [[input]] in the configuration",
            ),
            (
                "[[label]]\nkomi = 7\n",
                "'label' is written as [label] in the configuration",
            ),
            (
                "[defaults]\nxyzzy = 7\n",
                "unknown key 'xyzzy' in [defaults]; known are rules, komi",
            ),
        ] {
            assert_eq!(Config::parse(text).unwrap_err().to_string(), message);
        }
    }

    /// The list of keys for messages and the structure that is read agree.
    #[test]
    fn every_listed_key_is_read() {
        for (section, keys) in SECTIONS {
            for key in *keys {
                let value = match *key {
                    "strict" | "hidden" | "no-profiles" => "true",
                    "jobs" | "gtp-seconds" | "no-capture" | "nodes" => "1",
                    key if key.starts_with("max-") => "'1M'",
                    "with" | "glob" | "fail-on" => "['x']",
                    _ => "'x'",
                };
                let head = match *section {
                    "input" if *key == "path" => "[[input]]",
                    "input" => "[[input]]\npath = '*'",
                    section => &format!("[{section}]"),
                };
                Config::parse(&format!("{head}\n{key} = {value}\n")).unwrap();
            }
        }
    }
}
