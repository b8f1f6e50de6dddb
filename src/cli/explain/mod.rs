//! `kifu explain`: one record, drawn and explained.

mod find;

use std::{
    env, fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

use anyhow::{Result, anyhow, bail};

use super::{
    args::{ColorArg, ExplainArgs, ExplainFormat},
    config::Config,
    label::end_on_interrupt,
    log, setup, start_log, stdout_error,
};
use crate::{
    game::Telling,
    label,
    pipeline::{Labeller, Met, Plan, visit},
    record::Arena,
    report::{
        Output,
        explain::{Explained, Look, json, sgf, svg, text},
    },
    source::{Entry, escape},
};
use find::{Key, find, in_root};

pub(super) use find::record_of;

/// `kifu explain`
pub(super) fn explain(mut args: ExplainArgs) -> Result<u8> {
    start_log(&args.common);
    let config = Config::load(args.common.config.as_deref())?;
    let mut plan = setup::plan(&mut args.reading, &mut args.judging, &config)?;
    // What an SGF says of the game and of who wrote it.
    plan.context.meta = true;
    plan.want.counts = true;
    let of_stdin = args.of_stdin.as_ref().map(|index| format!("-#{index}"));
    let member = args.member_of_stdin.as_ref();
    let member = member.map(|member| format!("-!{member}"));
    let origins = args.origins.iter().chain(&of_stdin).chain(&member);
    let origins: Vec<&str> = origins.map(String::as_str).collect();
    check_outputs(&args, &origins)?;
    if plan.settings.gtp.is_some() || args.sgf.is_some() || args.svg.is_some() {
        // The engine does not get the interrupt, and must not outlive it; nor
        // must what is half written.
        end_on_interrupt();
    }
    let mut sgf_file = args.sgf.as_deref().map(Output::create).transpose()?;
    let mut svg_file = args.svg.as_deref().map(Output::create).transpose()?;
    let form = Form {
        format: args.format,
        look: look(&args),
        candidates: args.candidates.unwrap_or(0),
        sgf: sgf_file.is_some(),
        svg: svg_file.is_some(),
    };
    // Nothing comes between what goes there.
    let is_silent = is_stdout(args.sgf.as_deref()) || is_stdout(args.svg.as_deref());
    for (place, origin) in origins.into_iter().enumerate() {
        let told = explain_one(&mut plan, origin, args.root.as_ref(), form)?;
        if !is_silent {
            let mut out = io::stdout().lock();
            if place > 0 && form.format == ExplainFormat::Text {
                writeln!(out).map_err(stdout_error)?;
            }
            let shown = out.write_all(told.text.as_bytes());
            shown.and_then(|()| out.flush()).map_err(stdout_error)?;
        }
        for (file, made) in [(&mut sgf_file, &told.sgf), (&mut svg_file, &told.svg)] {
            if let Some(file) = file {
                file.write(made.as_bytes())?;
            }
        }
        if let Some(note) = told.note.filter(|_| !args.common.quiet) {
            log::say(&format!("{note}\n"));
        }
    }
    for file in [sgf_file, svg_file].into_iter().flatten() {
        file.finish()?;
    }
    Ok(0)
}

fn is_stdout(path: Option<&Path>) -> bool {
    path.is_some_and(|path| path.as_os_str() == "-")
}

/// Refuses files that would not be what they are named for, or that would take
/// the place of what is read.
fn check_outputs(args: &ExplainArgs, origins: &[&str]) -> Result<()> {
    if is_stdout(args.sgf.as_deref()) && is_stdout(args.svg.as_deref()) {
        bail!("--sgf and --svg cannot both write standard output: name a file for one of them");
    }
    if args.svg.is_some() && origins.len() > 1 {
        bail!("--svg draws one record: name one ORIGIN, or run it for each");
    }
    let outs = [("--sgf", &args.sgf), ("--svg", &args.svg)];
    let real = |path: &Path| fs::canonicalize(path).ok();
    let mut made = Vec::new();
    for (flag, out) in outs {
        let Some(out) = out.as_deref().filter(|out| !is_stdout(Some(out))) else {
            continue;
        };
        if out.is_dir() {
            bail!("{flag} {} is a folder: name a file", out.display());
        }
        if made.contains(&out) {
            bail!("--sgf and --svg name one file: {}", out.display());
        }
        made.push(out);
        let Some(target) = real(out).filter(|_| out.is_file()) else {
            continue;
        };
        for origin in origins {
            let input = find(origin, args.root.as_ref()).ok();
            let input = input.and_then(|it| real(&in_root(&it.path, args.root.as_ref())));
            if input.as_ref() == Some(&target) {
                bail!(
                    "{flag} {} is what is read: nothing is ever rewritten, name another file",
                    out.display()
                );
            }
        }
    }
    Ok(())
}

/// How the text is to look, as asked or as standard output can show it.
fn look(args: &ExplainArgs) -> Look {
    let color = match args.color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        ColorArg::Auto => {
            let silenced = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
            io::stdout().is_terminal() && !silenced && !dumb
        }
    };
    Look {
        verbose: args.common.verbose > 0,
        color,
        letters: args.ascii || !(color || io::stdout().is_terminal()),
        ascii: args.ascii,
    }
}

/// What is to be made of a record.
#[derive(Clone, Copy)]
struct Form {
    format: ExplainFormat,
    look: Look,
    candidates: usize,
    sgf: bool,
    svg: bool,
}

/// So many records behind the first are counted.
const MAX_COUNTED: u64 = 1000;

/// What is told of an origin.
struct Told {
    text: String,
    sgf: String,
    svg: String,
    /// How many more records there are, where none was asked for, and what is
    /// wrong behind them.
    note: Option<String>,
}

/// What is made of a record; nothing where it is not asked for.
struct Made {
    text: String,
    sgf: Result<String, String>,
    svg: Result<String, String>,
}

fn make(explained: &Explained<'_>, form: Form) -> Made {
    let asked = |asked: bool, write: fn(&Explained<'_>) -> Result<String, String>| match asked {
        true => write(explained),
        false => Ok(String::new()),
    };
    Made {
        text: match form.format {
            ExplainFormat::Text => text(explained, form.look),
            ExplainFormat::Json => json(explained),
        },
        sgf: asked(form.sgf, sgf),
        svg: asked(form.svg, svg),
    }
}

/// Finds the record of an origin and explains it.
fn explain_one(plan: &mut Plan, origin: &str, root: Option<&PathBuf>, form: Form) -> Result<Told> {
    let wanted = find(origin, root)?;
    // A member that is named is read whatever its name.
    plan.hidden = !wanted.member.is_empty();
    let plan = &*plan;
    let entry = Entry {
        name: escape(&wanted.path),
        path: in_root(&wanted.path, root),
        named: true,
        once: wanted.path.as_os_str() == "-",
        container: None,
        range: None,
    };
    let name = if wanted.member.is_empty() {
        entry.name.clone()
    } else {
        format!("{}!{}", entry.name, wanted.member)
    };
    let mut labeller = Labeller::new(plan);
    let mut made = None;
    let mut next = String::new();
    let mut fault = None;
    // Whether the fault is what was asked for, or comes behind that.
    let mut asked = false;
    let mut behind = None;
    let mut met = 0;
    visit(plan, &entry, &mut |found| {
        let cut = match found {
            Met::Record(cut) if wanted.is_in(&cut.file.name, &entry.name) => cut,
            Met::Bare(bare) if wanted.is_in(&bare.origin.file, &entry.name) => {
                let own = bare.origin.file == name;
                if own && made.is_some() {
                    behind = Some(bare.error.message);
                    return true;
                }
                asked = own && wanted.key.is_index(bare.origin.index);
                fault = Some(bare.error.message);
                return !asked;
            }
            Met::Record(_) | Met::Bare(_) => return true,
        };
        met += 1;
        if made.is_some() {
            if met == 2 {
                let arena = Arena::default();
                next = cut.origin_of(&record_of(cut.read(&arena))).to_string();
            }
            return met <= MAX_COUNTED;
        }
        if !wanted.is_named(&cut, &name, met) {
            return true;
        }
        labeller.label(cut, &mut |label, judge| {
            let telling = Telling {
                verbose: form.look.verbose && form.format == ExplainFormat::Text,
                letters: form.look.letters,
                candidates: form.candidates,
            };
            let told = judge
                .zip(label.judgement.as_ref())
                .map(|(judge, judgement)| {
                    judge.explain(&label::claim(&label.recorded), judgement, telling)
                });
            let explained = Explained {
                label,
                told: told.as_ref(),
            };
            made = Some(make(&explained, form));
        });
        matches!(wanted.key, Key::Any)
    });
    match (made, fault) {
        (Some(made), _) => {
            let Made { text, sgf, svg } = made;
            let sgf = sgf.map_err(|why| anyhow!("cannot write {origin} as SGF: {why}"))?;
            let svg = svg.map_err(|why| anyhow!("cannot draw {origin}: {why}"))?;
            let more = matches!(wanted.key, Key::Any) && met > 1;
            let more = more.then(|| note(&next, met - 1));
            let behind = behind.map(|fault| format!("{name}: {fault}"));
            let notes: Vec<String> = more.into_iter().chain(behind).collect();
            let note = (!notes.is_empty()).then(|| notes.join("\n"));
            Ok(Told {
                text,
                sgf,
                svg,
                note,
            })
        }
        (None, Some(fault)) if asked || met == 0 => bail!("cannot explain {origin}: {fault}"),
        (None, _) if met == 0 => bail!("{} has no member of that name", entry.name),
        (None, _) => {
            let records = setup::counted(met, "record");
            bail!(
                "{} has {records}, so there is no {}",
                entry.name,
                wanted.key
            )
        }
    }
}

/// How to see the records behind the first.
fn note(next: &str, more: u64) -> String {
    let count = match more {
        1 => "1 more record follows".to_owned(),
        MAX_COUNTED => format!("{MAX_COUNTED} more records and perhaps others follow"),
        _ => format!("{more} more records follow"),
    };
    format!("{count}: ask for '{next}' to see the next")
}
