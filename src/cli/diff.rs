//! `kifu diff`: what changed between two files of rows.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::{
    FOUND,
    args::Common,
    label::end_on_interrupt,
    setup::{is_stdin, unknown},
    start_log, stdout_error,
};
use crate::{
    diff::{self, Class, Columns, Difference, Tally},
    label::SCHEMA_VERSION,
    report::beside,
    rows::Rows,
};

pub(super) const HELP: &str = "\
Examples:
  kifu diff old.csv new.csv
  kifu diff old.parquet new.jsonl.zst --ignore confidence,warnings
  kifu diff old.csv new.csv --fail-on winner,value && echo same labels
  kifu diff old.csv new.csv --format csv > changes.csv

Rows belong together by origin and record_id, in any order. The settings in
OLD.summary.json and NEW.summary.json, where they are, are compared first.

Classes of changes: added, removed, content (bytes of the record), moves, status,
winner, margin, value, confidence, reasons, warnings, other (any other column),
columns (that one file has).

Memory: about a kilobyte for each row that stands in one file only, or elsewhere.

Exit status: 0 no change, 1 changes, 2 could not run.";

#[derive(Args, Clone, Debug)]
pub(super) struct DiffArgs {
    /// Rows before: CSV or JSON Lines, perhaps .gz or .zst, Parquet or Arrow; `-` is standard input
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// Rows now
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// What is printed: text, a summary; json, the same for programs; csv, a line for each change
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Form,
    /// Classes of changes that make the exit status 1 [default: all]
    #[arg(long, value_name = "CLASS", value_delimiter = ',')]
    fail_on: Vec<String>,
    /// Columns that are not compared
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    ignore: Vec<String>,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    Text,
    Json,
    Csv,
}

/// `kifu diff`
pub(super) fn diff(args: &DiffArgs) -> Result<u8> {
    start_log(&args.common);
    end_on_interrupt();
    let fail_on = classes(&args.fail_on)?;
    if is_stdin(&args.old) && is_stdin(&args.new) {
        bail!("standard input can be read only once: name a file for OLD or NEW");
    }
    let sentence = |sentence: String| anyhow!(sentence);
    let open = |path: &Path| {
        Rows::open(path).map_err(|why| anyhow!("cannot read {}: {why}", path.display()))
    };
    let (old, new) = (open(&args.old)?, open(&args.new)?);
    let [before, now] = [&args.old, &args.new].map(|path| Beside::of(path));
    let (before, now) = (before?, now?);
    let columns = Columns::of(&old, &new, &args.ignore).map_err(sentence)?;
    let mut lines = (args.format == Form::Csv)
        .then(|| csv::Writer::from_writer(io::BufWriter::new(io::stdout().lock())));
    let mut failed = None;
    if let Some(lines) = &mut lines {
        let header = ["origin", "record_id", "change", "column", "old", "new"];
        failed = lines.write_record(header).err();
    }
    let mut each = |it: &Difference<'_>| {
        if let Some(lines) = &mut lines
            && failed.is_none()
        {
            let row = [
                it.origin,
                it.record_id,
                it.class.word(),
                it.column,
                it.old,
                it.new,
            ];
            failed = lines.write_record(row).err();
        }
        failed.is_none()
    };
    let mut tally = diff::compare(old, new, &columns, &mut each).map_err(sentence)?;
    tally.set_columns(&columns);
    if let Some(error) = failed {
        return Err(stdout_error(error.into()).into());
    }
    if let Some(mut lines) = lines {
        lines.flush().map_err(stdout_error)?;
    }
    let report = Report {
        old: args.old.display().to_string(),
        new: args.new.display().to_string(),
        settings: changed_settings(before.as_ref(), now.as_ref()),
        notes: notes([&args.old, &args.new], [&before, &now], &tally),
        old_only: &columns.old_only,
        new_only: &columns.new_only,
        tally: &tally,
    };
    let text = match args.format {
        Form::Csv => String::new(),
        Form::Json => serde_json::to_string_pretty(&report)? + "\n",
        Form::Text if args.common.quiet => String::new(),
        Form::Text => report.in_words(),
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).map_err(stdout_error)?;
    out.flush().map_err(stdout_error)?;
    let fails = fail_on.iter().any(|class| tally.of(*class) > 0);
    Ok(if fails { FOUND } else { 0 })
}

fn classes(words: &[String]) -> Result<Vec<Class>> {
    if words.is_empty() {
        return Ok(Class::ALL.to_vec());
    }
    let known: Vec<&str> = Class::ALL.iter().map(|class| class.word()).collect();
    let find = |word: &String| {
        Class::of_word(word).ok_or_else(|| unknown("class of changes", word, &known))
    };
    words.iter().map(find).collect()
}

/// What `labels.summary.json` beside rows says of them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Beside {
    version: String,
    schema: String,
    settings: BTreeMap<String, String>,
    rows: Option<u64>,
    interrupted: bool,
}

/// A summary is short.
const MAX_SUMMARY: u64 = 64 << 20;

impl Beside {
    /// The summary beside a file of rows, where there is one.
    fn of(path: &Path) -> Result<Option<Self>> {
        let summary = beside(path, "summary.json");
        let Some(summary) = summary.filter(|it| it.is_file()) else {
            return Ok(None);
        };
        let shown = summary.display();
        let is_long = summary.metadata().is_ok_and(|it| it.len() > MAX_SUMMARY);
        let text = match is_long {
            true => Err(io::Error::other("it is too long for a summary")),
            false => fs::read_to_string(&summary),
        };
        let read = text.map_err(anyhow::Error::from);
        let read = read.and_then(|text| Ok(serde_json::from_str::<Self>(&text)?));
        let beside = match read {
            Ok(beside) => beside,
            Err(error) => {
                tracing::warn!("{shown} cannot be read, settings are not compared: {error}");
                return Ok(None);
            }
        };
        if beside.schema != SCHEMA_VERSION {
            bail!(
                "{} holds rows of schema '{}', as {shown} says, and this is kifu {}, which knows \
                 '{SCHEMA_VERSION}': label again with the same version",
                path.display(),
                beside.schema,
                env!("CARGO_PKG_VERSION"),
            );
        }
        Ok(Some(beside))
    }
}

/// Settings that differ, before and now.
fn changed_settings(
    before: Option<&Beside>,
    now: Option<&Beside>,
) -> BTreeMap<String, [Option<String>; 2]> {
    let mut changed = BTreeMap::new();
    let (Some(before), Some(now)) = (before, now) else {
        return changed;
    };
    if before.version != now.version {
        let both = [&before.version, &now.version];
        changed.insert("version".to_owned(), both.map(|it| Some(it.clone())));
    }
    for name in before.settings.keys().chain(now.settings.keys()) {
        let both = [before, now].map(|it| it.settings.get(name).cloned());
        if both[0] != both[1] {
            changed.insert(name.clone(), both);
        }
    }
    changed
}

/// What is odd about the files.
fn notes(paths: [&PathBuf; 2], beside: [&Option<Beside>; 2], tally: &Tally) -> Vec<String> {
    let mut notes = Vec::new();
    for ((path, beside), rows) in paths
        .into_iter()
        .zip(beside)
        .zip([tally.old_rows, tally.new_rows])
    {
        let path = path.display();
        let Some(beside) = beside else {
            continue;
        };
        if beside.interrupted {
            notes.push(format!("{path} is of a run that was interrupted"));
        }
        if let Some(said) = beside.rows.filter(|said| *said != rows) {
            notes.push(format!(
                "{path} has {rows} rows, and its summary counts {said}: cut off, or of another run?"
            ));
        }
    }
    let none_in_both = tally.same + tally.changed == 0;
    if none_in_both && tally.old_rows > 0 && tally.new_rows > 0 {
        notes.push(
            "no origin is in both files: were they labelled from different folders? --root names \
             records alike"
                .to_owned(),
        );
    }
    notes
}

/// What is printed.
#[derive(Serialize)]
struct Report<'r> {
    old: String,
    new: String,
    /// Settings that differ, before and now.
    settings: BTreeMap<String, [Option<String>; 2]>,
    notes: Vec<String>,
    old_only: &'r [String],
    new_only: &'r [String],
    #[serde(flatten)]
    tally: &'r Tally,
}

/// Things named on one line.
const MAX_NAMED: usize = 8;

impl Report<'_> {
    fn in_words(&self) -> String {
        let tally = self.tally;
        let mut text = String::new();
        // Writing to a string cannot fail.
        for (name, [before, now]) in &self.settings {
            let [before, now] = [before, now].map(|it| it.as_deref().unwrap_or("not set"));
            let _ = writeln!(text, "   setting  {name}: {before}, now {now}");
        }
        for note in &self.notes {
            let _ = writeln!(text, "      note  {note}");
        }
        let (old, new) = (tally.old_rows, tally.new_rows);
        let _ = writeln!(text, "{old:>10}  rows in {}", self.old);
        let _ = writeln!(text, "{new:>10}  rows in {}", self.new);
        let _ = writeln!(text, "{:>10}  the same", tally.same);
        for (count, class) in [
            (tally.of(Class::Added), Class::Added),
            (tally.of(Class::Removed), Class::Removed),
            (tally.changed, Class::Other),
        ] {
            let (what, origins) = match class {
                Class::Other => ("changed", String::new()),
                _ => (class.word(), self.examples(class)),
            };
            if count > 0 {
                let _ = writeln!(text, "{count:>10}  {what}{origins}");
            }
        }
        for (title, table) in [
            ("status", &tally.status),
            ("winner", &tally.winner),
            ("value", &tally.value),
        ] {
            let steps = table.iter().flat_map(|(from, to)| {
                let shown = |word: &str| if word.is_empty() { "none" } else { word }.to_owned();
                to.iter()
                    .map(move |(to, count)| (format!("{} to {}", shown(from), shown(to)), *count))
            });
            top(&mut text, title, steps.collect());
        }
        let columns = tally.columns.iter();
        let columns = columns.filter(|(name, _)| {
            !matches!(name.as_str(), "status" | "winner" | "value" | "confidence")
        });
        top(
            &mut text,
            "columns",
            columns
                .map(|(name, count)| (name.clone(), *count))
                .collect(),
        );
        let sure = tally.confidence;
        let sure = [("surer", sure.up), ("less sure", sure.down)];
        top(
            &mut text,
            "confidence",
            sure.map(|(word, count)| (word.to_owned(), count)).to_vec(),
        );
        for (title, words) in [("reasons", &tally.reasons), ("warnings", &tally.warnings)] {
            let words = words.iter().flat_map(|(word, count)| {
                [
                    (format!("{word} came"), count.up),
                    (format!("{word} went"), count.down),
                ]
            });
            top(&mut text, title, words.collect());
        }
        for (title, columns) in [("old only", self.old_only), ("new only", self.new_only)] {
            if !columns.is_empty() {
                let _ = writeln!(text, "{title:>10}  columns {}", columns.join(", "));
            }
        }
        let mut shown = Vec::new();
        for class in [Class::Status, Class::Winner, Class::Value, Class::Content] {
            let origins = self.examples(class);
            if !origins.is_empty() && !shown.contains(&origins) {
                let _ = writeln!(text, "{:>10}  {}{origins}", "see", class.word());
                shown.push(origins);
            }
        }
        text
    }

    /// The first origins of a class, after a colon.
    fn examples(&self, class: Class) -> String {
        let origins = self.tally.examples.get(class.word());
        let origins = origins.map(Vec::as_slice).unwrap_or_default();
        let more = if self.tally.of(class) > origins.len() as u64 {
            ", …"
        } else {
            ""
        };
        match origins {
            [] => String::new(),
            origins => format!(": {}{more}", origins.join(", ")),
        }
    }
}

/// What was counted most, on one line.
fn top(text: &mut String, title: &str, mut counts: Vec<(String, u64)>) {
    counts.retain(|(_, count)| *count > 0);
    if counts.is_empty() {
        return;
    }
    counts.sort_by(|(one, a), (other, b)| b.cmp(a).then_with(|| one.cmp(other)));
    let shown: Vec<String> = counts
        .iter()
        .take(MAX_NAMED)
        .map(|(word, count)| format!("{word} {count}"))
        .collect();
    let more = if counts.len() > MAX_NAMED {
        ", …"
    } else {
        ""
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{title:>10}  {}{more}", shown.join(", "));
}
