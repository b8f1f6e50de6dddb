//! `--show-config`: the settings in force, as TOML that gives them again, and
//! where each comes from.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
};

use anyhow::Result;
use clap::{ArgMatches, Command, CommandFactory, parser::ValueSource};

use super::{
    amount::Amount,
    args::{AuditArgs, Cli, ExplainArgs, Inputs, Judging, LabelArgs, Outputs, Reading, ScopeArg},
    config::Config,
    label,
    places::File,
    profiles, setup, start_log, stdout_error,
};
use crate::{
    calibrate::{escaped, quoted},
    game::go::{Convention, Rules, Scoring},
};

/// `kifu label --show-config`
pub(super) fn of_label(mut args: LabelArgs, matches: &ArgMatches) -> Result<u8> {
    start_log(&args.running.common);
    let config = Config::load(args.running.common.config.as_deref())?;
    label::check(&mut args, &config, false)?;
    let fail_on = &config.label.fail_on;
    print(&rows(&args, fail_on, &config), &config, matches)
}

/// `kifu audit --show-config`
pub(super) fn of_audit(mut args: AuditArgs, matches: &ArgMatches) -> Result<u8> {
    start_log(&args.label.running.common);
    let config = Config::load(args.label.running.common.config.as_deref())?;
    label::check(&mut args.label, &config, true)?;
    let fail_on = if args.fail_on.is_empty() {
        &config.label.fail_on
    } else {
        &args.fail_on
    };
    label::statuses(fail_on)?;
    print(&rows(&args.label, fail_on, &config), &config, matches)
}

/// `kifu explain --show-config`
pub(super) fn of_explain(mut args: ExplainArgs, matches: &ArgMatches) -> Result<u8> {
    start_log(&args.common);
    let config = Config::load(args.common.config.as_deref())?;
    setup::plan(&mut args.reading, &mut args.judging, &config)?;
    let mut settings = of_reading(&args.reading);
    settings.extend(of_judging(&args.judging, &config));
    print(&settings, &config, matches)
}

/// A key of the configuration and what it is set to.
struct Setting {
    section: &'static str,
    key: &'static str,
    /// As TOML writes it; none where it is left to the default.
    value: Option<String>,
    default: String,
    /// What the default comes from, where that is not kifu itself.
    because: Option<String>,
}

/// A key of `[label]`.
fn key(key: &'static str, value: Option<String>, default: &str) -> Setting {
    Setting {
        section: "label",
        key,
        value,
        default: default.to_owned(),
        because: None,
    }
}

fn text(value: Option<&str>) -> Option<String> {
    value.map(quoted)
}

fn switch(is_on: bool) -> Option<String> {
    is_on.then(|| "true".to_owned())
}

fn list(values: &[String]) -> Option<String> {
    let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
    (!values.is_empty()).then(|| format!("[{}]", values.join(", ")))
}

fn number(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// Every setting of a run that writes rows; the configuration has filled the
/// arguments.
fn rows(args: &LabelArgs, fail_on: &[String], config: &Config) -> Vec<Setting> {
    let mut settings = of_inputs(&args.inputs);
    settings.extend(of_reading(&args.reading));
    settings.extend(of_judging(&args.judging, config));
    settings.extend(of_outputs(&args.outputs));
    let jobs = args.running.jobs.or(config.label.jobs);
    settings.push(key("jobs", number(jobs), "0"));
    let failing = r#"["broken", "winner_differs", "margin_differs"]"#;
    settings.push(key("fail-on", list(fail_on), failing));
    settings
}

fn of_inputs(inputs: &Inputs) -> Vec<Setting> {
    vec![
        key("glob", list(&inputs.glob), "[]"),
        key("hidden", switch(inputs.hidden), "false"),
    ]
}

fn of_reading(reading: &Reading) -> Vec<Setting> {
    let Reading {
        input_format,
        encoding,
        game,
        size,
        first_row,
        strict,
        max_record,
        max_unpacked,
        max_ratio,
        max_members,
        max_window,
    } = reading;
    let amount = |amount: &Option<Amount>| number(amount.as_ref());
    vec![
        key(
            "input-format",
            text(input_format.as_deref()),
            "by name and content",
        ),
        key("encoding", text(encoding.as_deref()), "by content"),
        key("game", text(game.as_deref()), "what the record says"),
        key("size", text(size.as_deref()), "what the record says"),
        key(
            "first-row",
            text(first_row.as_deref()),
            "as usual in the format",
        ),
        key("strict", switch(*strict), "false"),
        key("max-record", amount(max_record), "\"16M\""),
        key("max-unpacked", amount(max_unpacked), "\"256G\""),
        key("max-ratio", amount(max_ratio), "200"),
        key("max-members", amount(max_members), "10000000"),
        key("max-window", amount(max_window), "\"128M\""),
    ]
}

fn of_judging(judging: &Judging, config: &Config) -> Vec<Setting> {
    let defaults = &config.defaults;
    let forced = judging.rules.as_deref().or(config.forced_rules());
    let gaps = judging
        .default_rules
        .as_deref()
        .or(defaults.rules.as_deref());
    let komi = judging.komi.as_deref().or(config.forced_komi());
    let gaps_komi = judging.default_komi.as_deref().or(defaults.komi.as_deref());
    let (convention, preset_komi, because) = of_preset(forced, gaps);
    let for_gaps = |key, value: Option<&str>, default: &str, because: Option<String>| Setting {
        section: "defaults",
        key,
        value: text(value),
        default: default.to_owned(),
        because,
    };
    let by_convention = Setting {
        because: because.clone(),
        ..key(
            "convention",
            text(judging.convention.as_deref()),
            &convention,
        )
    };
    let scope = judging.judge.map(|scope| match scope {
        ScopeArg::Counted => "counted",
        ScopeArg::All => "all",
    });
    vec![
        for_gaps(
            "rules",
            gaps,
            "japanese; freestyle in k-in-a-row, axf in xiangqi",
            None,
        ),
        for_gaps("komi", gaps_komi, &preset_komi, because),
        key(
            "rules",
            text(forced),
            "what profiles and the record say, else [defaults]",
        ),
        key(
            "komi",
            text(komi),
            "what profiles and the record say, else [defaults]",
        ),
        by_convention,
        key("no-profiles", switch(judging.no_profiles), "false"),
        key("dead", text(judging.dead.as_deref()), "\"auto\""),
        key("gtp", text(judging.gtp.as_deref()), "none"),
        key("gtp-seconds", number(judging.gtp_seconds), "30"),
        key(
            "fouls",
            text(judging.fouls.as_deref()),
            "by the rules: strict in renju",
        ),
        key(
            "five-eye",
            text(judging.five_eye.as_deref()),
            "by the rules: rif in renju",
        ),
        key("no-capture", number(judging.no_capture), "by the rules"),
        key(
            "search",
            text(judging.search.as_deref()),
            "vcf, and mate where the record does not say who won",
        ),
        key(
            "nodes",
            number(judging.nodes),
            "5000, with vct or eval 20000; in xiangqi 300, with eval 20000",
        ),
        key("judge", text(scope), "\"counted\""),
        key("tolerance", text(judging.tolerance.as_deref()), "0"),
    ]
}

fn of_outputs(outputs: &Outputs) -> Vec<Setting> {
    let format = outputs.output_format.as_deref();
    vec![
        key("with", list(&outputs.with), "[]"),
        key(
            "output-format",
            text(format),
            "by the name of the file, else csv",
        ),
    ]
}

/// What rules of Go bring along where nothing else is said: the convention, the
/// komi, and which rules these are.
fn of_preset(forced: Option<&str>, gaps: Option<&str>) -> (String, String, Option<String>) {
    let of = if forced.is_some() {
        "by the rules"
    } else {
        "by [defaults] rules"
    };
    let text = forced.or(gaps);
    match text.and_then(|text| Some((text, Rules::parse(text).ok()?))) {
        Some((text, rules)) => {
            let convention = match rules.scoring {
                Scoring::Area => Convention::Area,
                Scoring::Territory => Convention::TerritoryFlood,
            };
            let because = format!("{of}: {}", escaped(text));
            (
                quoted(convention.word()),
                quoted(&rules.komi.to_string()),
                Some(because),
            )
        }
        None => ("by the rules".to_owned(), "by the rules".to_owned(), None),
    }
}

/// Prints settings, the parts of the configuration that are lists, and what a
/// configuration cannot hold.
fn print(settings: &[Setting], config: &Config, matches: &ArgMatches) -> Result<u8> {
    let Some((name, matches)) = matches.subcommand() else {
        return Ok(0);
    };
    let said = Said { config, matches };
    let mut out = format!("# Settings of kifu {name}");
    match config.file() {
        Some(file) => {
            let why = match said.source("config") {
                Some(ValueSource::CommandLine) => "named by --config",
                Some(ValueSource::EnvVariable) => "named by KIFU_CONFIG",
                _ => "found in this folder",
            };
            let _ = writeln!(out, "; configuration: {}, {why}.", file.shown());
        }
        None => out.push_str("; no configuration.\n"),
    }
    out.push_str("# What is commented out is left to its default.\n");
    let mut section = "";
    // [label] and [defaults] stand once each.
    for wanted in ["defaults", "label"] {
        for setting in settings.iter().filter(|it| it.section == wanted) {
            if section != wanted {
                let _ = write!(out, "\n[{wanted}]\n");
                section = wanted;
            }
            let (key, from) = (setting.key, said.of(setting));
            let line = match &setting.value {
                Some(value) => format!("{key} = {value}"),
                None => format!("# {key} = {}", setting.default),
            };
            let _ = writeln!(out, "{line:<WIDTH$}  # {from}");
        }
    }
    lists(&mut out, settings, config)?;
    out.push_str(&said.rest(name, settings));
    let mut stdout = io::stdout().lock();
    let printed = stdout
        .write_all(out.as_bytes())
        .and_then(|()| stdout.flush());
    printed.map_err(stdout_error)?;
    Ok(0)
}

/// Settings are padded to so many characters.
const WIDTH: usize = 34;

/// `[[input]]` and `[[profile]]`, and the names of built-in profiles.
fn lists(out: &mut String, settings: &[Setting], config: &Config) -> Result<()> {
    let places = config.file().map(File::places).unwrap_or_default();
    for (place, input) in config.input.iter().enumerate() {
        let from = places.of("input", place);
        let _ = write!(out, "\n# {from}\n[[input]]\n");
        for (key, value) in input.keys() {
            let _ = writeln!(out, "{key} = {}", quoted(value));
        }
    }
    for (place, profile) in config.profiles.iter().enumerate() {
        let _ = write!(out, "\n# {}\n{profile:#}", places.of("profile", place));
    }
    let off = |it: &Setting| it.key == "no-profiles" && it.value.is_some();
    let names = profiles::names_of_builtin(config, settings.iter().any(off))?;
    let words = if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    };
    let _ = write!(out, "\n# Built-in profiles in force: {words}.\n");
    Ok(())
}

/// What the user said, and where.
struct Said<'a> {
    config: &'a Config,
    matches: &'a ArgMatches,
}

impl Said<'_> {
    /// Where the value of an argument comes from, where the command has it.
    fn source(&self, id: &str) -> Option<ValueSource> {
        self.matches.try_contains_id(id).ok()?;
        self.matches.value_source(id)
    }

    /// Where a setting comes from.
    fn of(&self, setting: &Setting) -> String {
        let flag = flag(setting);
        match self.source(&flag.replace('-', "_")) {
            Some(ValueSource::CommandLine) => return format!("command line: --{flag}"),
            Some(ValueSource::EnvVariable) => {
                return format!("environment: KIFU_{}", flag.to_uppercase());
            }
            _ => {}
        }
        let line = self
            .config
            .file()
            .and_then(|file| file.places().of_key(setting.section, setting.key));
        match (line, &setting.value) {
            (Some(place), Some(_)) => place,
            (Some(place), None) => format!("default; {place} is passed over"),
            (None, _) => match &setting.because {
                Some(because) => because.clone(),
                None => "default".to_owned(),
            },
        }
    }

    /// Flags that were given and have no key, as comments.
    fn rest(&self, name: &str, settings: &[Setting]) -> String {
        let root = Cli::command();
        let arguments = root
            .find_subcommand(name)
            .into_iter()
            .flat_map(Command::get_arguments);
        let mut lines = String::new();
        for argument in arguments {
            let id = argument.get_id().as_str();
            let Some(long) = argument.get_long().filter(|long| {
                !["config", "quiet", "verbose", "show-config"].contains(long)
                    && settings.iter().all(|setting| flag(setting) != *long)
            }) else {
                continue;
            };
            if self.source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            let values = self.matches.get_raw(id).into_iter().flatten();
            let values: Vec<String> = values
                .map(|value| escaped(&value.to_string_lossy()))
                .collect();
            let _ = writeln!(lines, "#   --{long} {}", values.join(","));
        }
        if lines.is_empty() {
            return lines;
        }
        format!("\n# On the command line as well; no configuration holds these:\n{lines}")
    }
}

/// The flag that a setting may come from.
fn flag(setting: &Setting) -> String {
    match setting.section {
        "defaults" => format!("default-{}", setting.key),
        _ => setting.key.to_owned(),
    }
}
