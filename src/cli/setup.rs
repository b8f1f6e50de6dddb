//! Turns arguments and configuration into settings and a walk.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, anyhow, bail};

use super::{
    args::{Inputs, Judging, ScopeArg},
    config::Config,
};
use crate::{
    format::Context,
    game::{self, GAMES, Game, Scope, Settings, Want, go},
    outcome::{From, Points},
    pipeline::{Baseline, Plan},
    source::{Selection, Walk},
    suggest::nearest,
};

/// The longest record that is read unless told otherwise.
const MAX_RECORD: usize = 16 << 20;

/// A plan to judge under some arguments; checked, so that a run that starts
/// does not fail for a setting.
pub(super) fn plan(mut judging: Judging, config: &Config) -> Result<Plan> {
    config.fill_judging(&mut judging)?;
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
        convention: judging.convention,
        scope: match judging.judge {
            Some(ScopeArg::All) => Scope::All,
            Some(ScopeArg::Counted) | None => Scope::Counted,
        },
    };
    let game = judging.game.as_deref().map(find_game).transpose()?;
    for checked in game.map_or(GAMES.to_vec(), |game| vec![game]) {
        checked
            .check(&settings)
            .map_err(|sentence| anyhow!(sentence))?;
    }
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
        game,
        context: Context {
            strict: judging.strict,
            ..Context::default()
        },
        want: Want::default(),
        tolerance,
        max_record: judging.max_record.unwrap_or(MAX_RECORD),
        jobs: 1,
        limit: None,
        sample: None,
        fail_on: Vec::new(),
        baseline: Baseline::default(),
    })
}

fn komi(text: Option<(String, From)>) -> Result<Option<(Points, From)>> {
    let Some((text, from)) = text else {
        return Ok(None);
    };
    let komi = go::parse_komi_setting(&text).map_err(|sentence| anyhow!(sentence))?;
    Ok(Some((komi, from)))
}

fn find_game(name: &str) -> Result<&'static dyn Game> {
    game::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = GAMES.iter().map(|game| game.name()).collect();
        let hint =
            nearest(name, &known).map_or(String::new(), |near| format!("; did you mean '{near}'?"));
        anyhow!(
            "unknown game '{name}'; known are {}{hint}",
            known.join(", ")
        )
    })
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
    for path in &paths {
        if !is_stdin(path) {
            fs::metadata(path).map_err(|error| unreadable(path, &error))?;
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
