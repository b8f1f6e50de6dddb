//! The state of a run: `--state` of `kifu label` and `kifu audit`.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};

use super::{args::LabelArgs, label::looks_at_all, setup::is_stdin};
use crate::{
    label::SCHEMA_VERSION,
    pipeline::{Identity, Plan, State},
    report::{self, Settings},
    source::escape,
};

/// Opens the state that arguments name, where they do. `lanes` are its outputs in
/// words, and `paths` where these go.
pub(super) fn open<'p>(
    args: &LabelArgs,
    plan: &Plan,
    settings: &Settings,
    lanes: Vec<String>,
    paths: impl Iterator<Item = &'p PathBuf>,
) -> Result<Option<State>> {
    let Some(folder) = &args.running.state else {
        return Ok(None);
    };
    if let Some(what) = looks_at_all(args) {
        bail!(
            "{what} looks at all records together, so it has no rows to keep: leave it or --state \
             out"
        );
    }
    if args.inputs.paths.iter().any(|path| is_stdin(path)) {
        bail!("standard input cannot be read again, so --state has nothing to compare it with");
    }
    let (streams, files): (Vec<_>, Vec<_>) = paths.partition(|path| is_stdin(path));
    if !streams.is_empty() {
        bail!(
            "--state writes outputs whole or not at all, which standard output cannot be: name a \
             file with -o"
        );
    }
    keep_off(folder, &files)?;
    let written = files
        .into_iter()
        .map(|path| std::path::absolute(report::temporary(path)));
    let written: Vec<PathBuf> = written.collect::<io::Result<_>>()?;
    let identity = identity(args, plan, settings, lanes);
    let state = State::open(folder, &identity, args.running.restart, &written)?;
    Ok(Some(state))
}

/// Refuses outputs that lie in the folder of a state.
fn keep_off(folder: &Path, outputs: &[&PathBuf]) -> Result<()> {
    let real = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    let inside = real(folder)?;
    for path in outputs {
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        if real(parent.unwrap_or(Path::new(".")))? == inside {
            bail!(
                "{} lies in the folder of --state, which holds nothing else: name another place",
                path.display()
            );
        }
    }
    Ok(())
}

/// What rows depend on beside the bytes of their files.
fn identity(args: &LabelArgs, plan: &Plan, settings: &Settings, outputs: Vec<String>) -> Identity {
    let named = settings.iter();
    let named = named.map(|(name, value)| ((*name).to_owned(), value.clone()));
    let mut named: BTreeMap<String, String> = named.collect();
    if !plan.fail_on.is_empty() {
        let words: Vec<&str> = plan.fail_on.iter().map(|status| status.word()).collect();
        named.insert("fail_on".to_owned(), words.join(", "));
    }
    let inputs = &args.inputs;
    if inputs.hidden {
        named.insert("hidden".to_owned(), "true".to_owned());
    }
    if let Some(root) = &inputs.root {
        named.insert("root".to_owned(), escape(root));
    }
    let paths = inputs.paths.iter().chain(&inputs.files_from);
    Identity {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        schema: SCHEMA_VERSION.to_owned(),
        settings: named,
        inputs: paths.map(|path| escape(path)).collect(),
        outputs,
    }
}
