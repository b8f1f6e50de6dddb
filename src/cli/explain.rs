//! `kifu explain`: one record, drawn and explained.

use std::{
    ffi::OsStr,
    fmt,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};

use super::{
    args::ExplainArgs, config::Config, label::end_on_interrupt, setup, start_log, stdout_error,
};
use crate::{
    format::{Reading, is_record_extension},
    label::{self, Label},
    outcome::Outcome,
    pipeline::{Cut, Labeller, Met, Plan, visit},
    record::{Arena, Record},
    source::{Entry, Found, Selection, Walk, escape, unescape},
};

/// `kifu explain`
pub(super) fn explain(mut args: ExplainArgs) -> Result<u8> {
    start_log(&args.common);
    let config = Config::load(args.common.config.as_deref())?;
    let mut plan = setup::plan(&mut args.reading, &mut args.judging, &config)?;
    if plan.settings.gtp.is_some() {
        // The engine does not get the interrupt, and must not outlive it.
        end_on_interrupt();
    }
    let verbose = args.common.verbose > 0;
    let mut out = io::stdout().lock();
    let of_stdin = args.of_stdin.map(|index| format!("-#{index}"));
    let member = args.member_of_stdin.map(|member| format!("-!{member}"));
    let origins = args.origins.iter().chain(&of_stdin).chain(&member);
    for (place, origin) in origins.enumerate() {
        if place > 0 {
            writeln!(out).map_err(stdout_error)?;
        }
        let told = explain_one(&mut plan, origin, args.root.as_ref(), verbose)?;
        out.write_all(told.text.as_bytes()).map_err(stdout_error)?;
        if let Some(note) = told.note.filter(|_| !args.common.quiet) {
            out.flush().map_err(stdout_error)?;
            // Nobody may be listening.
            let _ = writeln!(io::stderr(), "{note}");
        }
    }
    Ok(0)
}

/// So many records behind the first are counted.
const MAX_COUNTED: u64 = 1000;

/// What is told of an origin.
struct Told {
    text: String,
    /// How many more records there are, where none was asked for, and what is
    /// wrong behind them.
    note: Option<String>,
}

/// Finds the record of an origin and explains it.
fn explain_one(
    plan: &mut Plan,
    origin: &str,
    root: Option<&PathBuf>,
    verbose: bool,
) -> Result<Told> {
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
    };
    let name = if wanted.member.is_empty() {
        entry.name.clone()
    } else {
        format!("{}!{}", entry.name, wanted.member)
    };
    let mut labeller = Labeller::new(plan);
    let mut text = None;
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
                if own && text.is_some() {
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
        if text.is_some() {
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
            let board = match (judge, &label.judgement) {
                (Some(judge), Some(judgement)) => {
                    judge.explain(&label::claim(&label.recorded), judgement, verbose)
                }
                _ => String::new(),
            };
            text = Some(format!("{board}\n{}", describe(label)));
        });
        matches!(wanted.key, Key::Any)
    });
    match (text, fault) {
        (Some(text), _) => {
            let more = matches!(wanted.key, Key::Any) && met > 1;
            let more = more.then(|| note(&next, met - 1));
            let behind = behind.map(|fault| format!("{name}: {fault}"));
            let notes: Vec<String> = more.into_iter().chain(behind).collect();
            let note = (!notes.is_empty()).then(|| notes.join("\n"));
            Ok(Told { text, note })
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

/// Which record of which file.
struct Wanted {
    /// The file.
    path: PathBuf,
    /// The escaped name of the member in it, or nothing for any.
    member: String,
    key: Key,
}

/// How an origin names a record in its file.
enum Key {
    /// Not at all: the first is meant.
    Any,
    /// By its place, from 1.
    Index(u64),
    /// By its escaped id.
    Id(String),
}

impl Key {
    /// Whether it can be that of the row with this index.
    const fn is_index(&self, index: u64) -> bool {
        match self {
            Self::Any => index == 1,
            Self::Index(wanted) => *wanted == index,
            Self::Id(_) => false,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("#1"),
            Self::Index(index) => write!(f, "#{index}"),
            Self::Id(id) => write!(f, "#id={id}"),
        }
    }
}

impl Wanted {
    /// Whether rows under a name are of the wanted member of a file.
    fn is_in(&self, name: &str, file: &str) -> bool {
        let member = name.strip_prefix(file).unwrap_or(name);
        self.member.is_empty() || member.strip_prefix('!') == Some(&self.member)
    }

    /// Whether a record, the `count`th met, is the wanted one of a file or
    /// member; an index without a member counts through the archive.
    fn is_named(&self, cut: &Cut<'_>, name: &str, count: u64) -> bool {
        match &self.key {
            Key::Any => true,
            Key::Index(index) if cut.file.name == name => *index == cut.index,
            Key::Index(index) => *index == count,
            Key::Id(id) => {
                let arena = Arena::default();
                let record = record_of(cut.read(&arena));
                cut.origin_of(&record).id.as_deref() == Some(id)
            }
        }
    }
}

/// The record of a reading, whatever was found in it.
pub(super) fn record_of(reading: Reading<'_>) -> Record<'_> {
    match reading {
        Reading::Game(record) | Reading::NotAGame(record, _) | Reading::Broken(record, _) => record,
    }
}

/// The record that an origin names. One that leads nowhere is taken for a path
/// typed by hand, which may hold the signs that rows escape.
fn find(origin: &str, root: Option<&PathBuf>) -> Result<Wanted> {
    let parsed = parse_origin(origin);
    let plain = PathBuf::from(origin);
    if origin != "-" && in_root(&plain, root).is_dir() {
        bail!("{}", about_folder(&plain, root));
    }
    match parsed {
        Ok(wanted) if wanted.path.as_os_str() == "-" || in_root(&wanted.path, root).is_file() => {
            Ok(wanted)
        }
        _ if in_root(&plain, root).is_file() => Ok(Wanted {
            path: plain,
            member: String::new(),
            key: Key::Any,
        }),
        parsed => parsed,
    }
}

/// What to say of an origin that names a folder.
fn about_folder(folder: &Path, root: Option<&PathBuf>) -> String {
    let mut selection = Selection::default();
    selection.root = root.cloned();
    let walk = Walk::new(vec![in_root(folder, root)], selection);
    let example = walk
        .take(MAX_COUNTED as usize)
        .find_map(|found| match found {
            Found::File(entry) => {
                let extension = entry.path.extension().and_then(OsStr::to_str);
                extension.is_some_and(is_record_extension).then_some(entry)
            }
            _ => None,
        });
    let folder = folder.display();
    match example {
        Some(entry) => format!(
            "{folder} is a folder; name one record, such as '{}' (kifu list {folder} shows all)",
            entry.name
        ),
        None => format!("{folder} is a folder; name one record (kifu list {folder} shows all)"),
    }
}

/// Where to open a path that is given from `root`.
fn in_root(path: &Path, root: Option<&PathBuf>) -> PathBuf {
    match root {
        Some(root) if path.as_os_str() != "-" => root.join(path),
        _ => path.to_owned(),
    }
}

/// The parts of an origin: `path[!member][#index]` or `…#id=ID`.
fn parse_origin(origin: &str) -> Result<Wanted> {
    let (name, key) = match origin.rsplit_once('#') {
        None => (origin, Key::Any),
        Some((name, key)) => {
            let id = key.strip_prefix("id=").map(|id| Key::Id(id.to_owned()));
            let index = || key.parse().ok().filter(|index| *index > 0).map(Key::Index);
            let key = id.or_else(index).with_context(|| {
                format!(
                    "cannot read the origin '{origin}': write path, path#index or path!member#index, as rows do"
                )
            })?;
            (name, key)
        }
    };
    let (path, member) = name.split_once('!').unwrap_or((name, ""));
    Ok(Wanted {
        path: unescape(path),
        member: member.to_owned(),
        key,
    })
}

/// Items behind a title, on lines that are not too wide.
fn listed(title: &str, items: &[String]) -> String {
    const WIDTH: usize = 80;
    let mut text = format!("{title:<10}");
    let mut width = text.len();
    for (place, item) in items.iter().enumerate() {
        let end = if place + 1 < items.len() { ";" } else { "" };
        let length = item.chars().count() + 1 + end.len();
        if place > 0 && width + length > WIDTH {
            text.push_str("\n          ");
            width = 10;
        }
        text.push(' ');
        text.push_str(item);
        text.push_str(end);
        width += length;
    }
    text
}

/// The row in words.
fn describe(label: &Label<'_>) -> String {
    let mut lines = vec![format!(
        "record     {}  (byte {})",
        label.origin, label.offset
    )];
    if let Some(judgement) = &label.judgement {
        let komi = judgement.komi.map_or(String::new(), |komi| {
            let (from, handicap) = (judgement.komi_from.word(), judgement.handicap);
            format!("   komi {komi} (from {from})   handicap {handicap}")
        });
        lines.push(format!(
            "rules      {} (from {}){komi}",
            judgement.rules,
            judgement.rules_from.word(),
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
            (Some(outcome), None) => format!("{} wins", label.outcome_word(outcome)),
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
        lines.push(listed("reasons", &reasons));
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
