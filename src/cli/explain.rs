//! `kifu explain`: one record, drawn and explained.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};

use super::{args::ExplainArgs, config::Config, setup, start_log, stdout_error};
use crate::{
    label::Label,
    outcome::Outcome,
    pipeline::{Labeller, Plan, visit},
    source::{Entry, escape, unescape},
};

/// `kifu explain`
pub(super) fn explain(args: ExplainArgs) -> Result<u8> {
    start_log(&args.common);
    let config = Config::load(args.common.config.as_deref())?;
    let plan = setup::plan(args.judging, &config)?;
    let mut out = io::stdout().lock();
    for (place, origin) in args.origins.iter().enumerate() {
        if place > 0 {
            writeln!(out).map_err(stdout_error)?;
        }
        let text = explain_one(&plan, origin, args.root.as_ref())?;
        out.write_all(text.as_bytes()).map_err(stdout_error)?;
    }
    Ok(0)
}

/// Finds the record of an origin and explains it.
fn explain_one(plan: &Plan, origin: &str, root: Option<&PathBuf>) -> Result<String> {
    let (relative, index) = find(origin, root)?;
    let entry = Entry {
        name: escape(&relative),
        path: in_root(&relative, root),
        named: true,
        once: false,
    };
    let mut labeller = Labeller::new(plan);
    let mut text = None;
    let met = visit(&entry, plan.max_record, &mut |cut, _| {
        if cut.index < index {
            return true;
        }
        labeller.label(cut, &mut |label, judge| {
            let board = match (judge, &label.judgement) {
                (Some(judge), Some(judgement)) => judge.explain(judgement),
                _ => String::new(),
            };
            text = Some(format!("{board}\n{}", describe(label)));
        });
        false
    });
    match (text, met) {
        (Some(text), _) => Ok(text),
        (None, Ok(count)) => {
            bail!(
                "{} has {count} records, so there is no #{index}",
                entry.name
            )
        }
        (None, Err((_, error))) => bail!("cannot explain {origin}: {}", error.message),
    }
}

/// The path and the index of an origin. One that leads nowhere is taken for
/// a path typed by hand, which may hold the signs that rows escape.
fn find(origin: &str, root: Option<&PathBuf>) -> Result<(PathBuf, u64)> {
    let parsed = parse_origin(origin).map(|(name, index)| (unescape(name), index));
    let plain = PathBuf::from(origin);
    match parsed {
        Ok((path, index)) if path.as_os_str() == "-" || in_root(&path, root).is_file() => {
            Ok((path, index))
        }
        _ if in_root(&plain, root).is_file() => Ok((plain, 1)),
        parsed => parsed,
    }
}

/// Where to open a path that is given from `root`.
fn in_root(path: &Path, root: Option<&PathBuf>) -> PathBuf {
    match root {
        Some(root) if path.as_os_str() != "-" => root.join(path),
        _ => path.to_owned(),
    }
}

/// The name and the index of an origin.
fn parse_origin(origin: &str) -> Result<(&str, u64)> {
    let Some((name, index)) = origin.rsplit_once('#') else {
        return Ok((origin, 1));
    };
    let index = index.parse().ok().filter(|index| *index > 0);
    let index = index.with_context(|| {
        format!("cannot read the origin '{origin}': write path or path#index, as rows do")
    })?;
    Ok((name, index))
}

/// The row in words.
fn describe(label: &Label<'_>) -> String {
    let mut lines = vec![format!(
        "record     {}  (byte {})",
        label.origin, label.offset
    )];
    if let Some(judgement) = &label.judgement {
        lines.push(format!(
            "rules      {} (from {})   komi {} (from {})   handicap {}",
            judgement.rules,
            judgement.rules_from.word(),
            judgement
                .komi
                .map_or(String::new(), |komi| komi.to_string()),
            judgement.komi_from.word(),
            judgement.handicap,
        ));
        lines.push(format!(
            "play       {} of {} moves replayed, ended: {}",
            judgement.plies,
            judgement.moves,
            judgement.ended.word()
        ));
        let board = match (judgement.outcome, judgement.margin) {
            (Some(Outcome::Draw), _) => "draw".to_owned(),
            (Some(outcome), Some(margin)) => {
                format!("{}+{}", label.outcome_word(outcome), margin.abs())
            }
            _ => "does not decide".to_owned(),
        };
        let confidence = judgement.confidence.map_or(String::new(), |confidence| {
            format!("   confidence {confidence:.3}")
        });
        lines.push(format!("board      {board}{confidence}"));
    }
    lines.push(format!(
        "recorded   {} ({})",
        if label.recorded_text.is_empty() {
            "nothing"
        } else {
            &label.recorded_text
        },
        label.recorded.kind.word()
    ));
    lines.push(format!("status     {}", label.status.word()));
    let reasons: Vec<String> = label.reasons.iter().map(ToString::to_string).collect();
    if !reasons.is_empty() {
        lines.push(format!("reasons    {}", reasons.join(", ")));
    }
    if let Some((outcome, from)) = label.value {
        lines.push(format!(
            "value      {} (from {})",
            outcome.value(),
            from.word()
        ));
    }
    lines.push(format!("text       {}", label.charset.name()));
    for warning in label.all_warnings() {
        lines.push(format!("warning    {warning}"));
    }
    if let Some(error) = label.first_error() {
        lines.push(format!("error      {}: {}", error.kind, error.message));
    }
    lines.push(String::new());
    lines.join("\n")
}
