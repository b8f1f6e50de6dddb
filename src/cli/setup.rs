//! Turns arguments and configuration into settings and a walk.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, Result, anyhow, bail};

use super::{
    amount::Amount,
    args::{Inputs, Judging, Reading, ScopeArg},
    config::Config,
    profiles,
};
use crate::{
    format::{self, Context, FirstRow, Format},
    game::{self, GAMES, Game, Scope, Settings, go},
    outcome::{From, Points},
    pipeline::{InputRule, Plan},
    record::Charset,
    source::{Selection, Walk, charset, glob, packed::Limits},
    suggest,
};

/// A plan to judge under some arguments, which the configuration fills; checked,
/// so that a run that starts does not fail for a setting.
pub(super) fn plan(reading: &mut Reading, judging: &mut Judging, config: &Config) -> Result<Plan> {
    config.fill_judging(judging)?;
    let judging = judging.clone();
    let plan = self::reading(reading, config)?;
    let profiles = profiles::in_force(config, judging.no_profiles)?;
    let forced = |flag: Option<String>, config: Option<&str>| match (flag, config) {
        (Some(flag), _) => Some((flag, From::Flag)),
        (None, Some(config)) => Some((config.to_owned(), From::Config)),
        (None, None) => None,
    };
    let gap = |flag: Option<String>, config: Option<&String>| match (flag, config) {
        (Some(flag), _) => Some((flag, From::Default)),
        (None, Some(config)) => Some((config.clone(), From::Config)),
        (None, None) => None,
    };
    let settings = Settings {
        rules: forced(judging.rules, config.forced_rules()),
        default_rules: gap(judging.default_rules, config.defaults.rules.as_ref()),
        komi: komi(forced(judging.komi, config.forced_komi()))?,
        default_komi: komi(gap(judging.default_komi, config.defaults.komi.as_ref()))?,
        dead: judging.dead,
        gtp: judging.gtp,
        gtp_seconds: judging.gtp_seconds,
        convention: judging.convention,
        scope: match judging.judge {
            Some(ScopeArg::All) => Scope::All,
            Some(ScopeArg::Counted) | None => Scope::Counted,
        },
        five_eye: judging.five_eye,
        fouls: judging.fouls,
        no_capture: judging.no_capture,
        search: judging.search,
        nodes: judging.nodes,
        stop: Arc::default(),
    };
    let games = plan.game.map_or(GAMES.to_vec(), |game| vec![game]);
    game::check(&games, &settings).map_err(|sentence| anyhow!(sentence))?;
    let tolerance = match judging.tolerance {
        None => Points::ZERO,
        Some(text) => text
            .parse()
            .ok()
            .filter(|tolerance| *tolerance >= Points::ZERO)
            .with_context(|| {
                format!("cannot read the tolerance {text:?}: write points, such as 1 or 0.5")
            })?,
    };
    Ok(Plan {
        settings,
        profiles,
        tolerance,
        ..plan
    })
}

/// The part of a plan that says how files are read.
pub(super) fn reading(reading: &mut Reading, config: &Config) -> Result<Plan> {
    config.fill_reading(reading);
    let plan = Plan::default();
    let or = |amount: Option<Amount>, default| amount.map_or(default, |Amount(amount)| amount);
    let limits = Limits {
        unpacked: or(reading.max_unpacked, plan.limits.unpacked),
        ratio: or(reading.max_ratio, plan.limits.ratio),
        ratio_from: plan.limits.ratio_from,
        members: or(reading.max_members, plan.limits.members),
        window: or(reading.max_window, plan.limits.window),
    };
    let max_record = or(reading.max_record, plan.max_record as u64);
    if max_record > MAX_MAX_RECORD {
        bail!("--max-record can be {MAX_MAX_RECORD} at most: places in a record take four bytes");
    }
    let mut inputs = Vec::new();
    for input in &config.input {
        let rule = InputRule {
            paths: glob(&input.path).map_err(|sentence| anyhow!(sentence))?,
            format: input.format.as_deref().map(find_format).transpose()?,
            charset: input.encoding.as_deref().map(find_charset).transpose()?,
            game: input.game.as_deref().map(find_game).transpose()?,
            size: input.size.as_deref().map(parse_size).transpose()?,
        };
        inputs.push(rule);
    }
    Ok(Plan {
        game: reading.game.as_deref().map(find_game).transpose()?,
        format: reading
            .input_format
            .as_deref()
            .map(find_format)
            .transpose()?,
        context: Context {
            strict: reading.strict,
            charset: reading.encoding.as_deref().map(find_charset).transpose()?,
            size: reading.size.as_deref().map(parse_size).transpose()?,
            first_row: reading.first_row.as_deref().map(find_row).transpose()?,
            ..Context::default()
        },
        inputs,
        limits,
        max_record: max_record as usize,
        ..plan
    })
}

/// The largest limit for the length of a record, in bytes.
const MAX_MAX_RECORD: u64 = 1 << 30;

/// Columns and rows: `19` or `13x9`.
pub(super) fn parse_size(text: &str) -> Result<(u8, u8)> {
    let size = format::parse_size(text.as_bytes());
    size.with_context(|| {
        format!("cannot read the size {text:?}: write 19, or columns x rows as in 13x9, up to 52")
    })
}

fn find_charset(name: &str) -> Result<Charset> {
    charset::find(name).map_err(|sentence| anyhow!(sentence))
}

fn find_format(name: &str) -> Result<&'static dyn Format> {
    format::find(name).map_err(|sentence| anyhow!(sentence))
}

/// The error of a word that is not known, with the one that was perhaps meant.
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> anyhow::Error {
    anyhow!(suggest::unknown(what, name, known))
}

fn komi(text: Option<(String, From)>) -> Result<Option<(Points, From)>> {
    let Some((text, from)) = text else {
        return Ok(None);
    };
    let komi = go::parse_komi_setting(&text).map_err(|sentence| anyhow!(sentence))?;
    Ok(Some((komi, from)))
}

fn find_row(name: &str) -> Result<FirstRow> {
    FirstRow::of_word(name)
        .ok_or_else(|| anyhow!("unknown first row '{name}'; known are bottom, top"))
}

/// The game of a name.
pub(super) fn find_game(name: &str) -> Result<&'static dyn Game> {
    game::find(name).map_err(|sentence| anyhow!(sentence))
}

/// The walk over what the user named. Paths that the user typed must exist.
///
/// `outputs` are left out of the walk, so that a run never reads what it
/// writes.
pub(super) fn walk(inputs: &Inputs, outputs: &[PathBuf]) -> Result<Walk> {
    let mut selection = Selection::default();
    selection.hidden = inputs.hidden;
    selection.root.clone_from(&inputs.root);
    selection.leave_out(outputs);
    for pattern in &inputs.glob {
        selection
            .add_glob(pattern)
            .map_err(|sentence| anyhow!(sentence))?;
    }
    let mut paths = inputs.paths.clone();
    if paths.is_empty() && inputs.files_from.is_none() {
        bail!("no PATH given: name files or folders, or - for standard input");
    }
    for path in paths.iter().filter(|path| !is_stdin(path)) {
        fs::metadata(path).map_err(|error| unreadable(path, &error))?;
        if let Some(root) = inputs.root.as_ref().filter(|root| !path.starts_with(root)) {
            bail!(
                "{} does not lie in --root {}: write both from the same folder",
                path.display(),
                root.display()
            );
        }
    }
    if let Some(list) = &inputs.files_from {
        if paths.iter().any(|path| is_stdin(path)) && is_stdin(list) {
            bail!("standard input cannot be both a record and the list of --files-from");
        }
        paths.extend(listed(list, inputs.null)?);
    }
    Ok(Walk::new(paths, selection))
}

/// The same walk once more, to count files beside a run; none where that cannot be
/// walked twice.
pub(super) fn again(inputs: &Inputs, outputs: &[PathBuf]) -> Option<Walk> {
    let is_read_once =
        inputs.files_from.is_some() || inputs.paths.iter().any(|path| is_stdin(path));
    (!is_read_once)
        .then(|| walk(inputs, outputs).ok())
        .flatten()
}

/// A number of things: `1 record`, `2 records`.
pub(super) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What to say where there was nothing to read.
pub(super) fn nothing_found(inputs: &Inputs) -> String {
    let paths = inputs.paths.iter().chain(&inputs.files_from);
    let places: Vec<String> = paths.map(|path| path.display().to_string()).collect();
    format!(
        "kifu: no files found in {}; --hidden also reads names that begin with a dot, and --glob leaves files out\n",
        places.join(", ")
    )
}

/// The error of a path that cannot be looked at.
fn unreadable(path: &Path, error: &io::Error) -> anyhow::Error {
    let hint = if error.kind() == io::ErrorKind::NotFound {
        "; is the path spelled right?"
    } else {
        ""
    };
    let sentence = format!("cannot read {}: {error}{hint}", path.display());
    io::Error::new(error.kind(), sentence).into()
}

/// The paths in a list; blank lines are passed over.
fn listed(list: &Path, null: bool) -> Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    let read = if is_stdin(list) {
        io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        fs::read(list).map(|read| bytes = read)
    };
    read.with_context(|| format!("cannot read the list {}", list.display()))?;
    let end = if null { b'\0' } else { b'\n' };
    Ok(bytes
        .split(|byte| *byte == end)
        .map(|line| {
            if null {
                line
            } else {
                line.strip_suffix(b"\r").unwrap_or(line)
            }
        })
        .filter(|line| !line.is_empty())
        .map(crate::source::path_of)
        .collect())
}

/// Whether a path stands for standard input or output.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
