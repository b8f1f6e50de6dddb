//! `kifu merge`: the rows of shards as those of one run.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Error, Result, anyhow, bail};
use clap::Args;
use serde::{Deserialize, de::DeserializeOwned};

use super::{
    args::Common, config::Config, label::end_on_interrupt, log, plan::read_plan, pretty, setup,
    start_log,
};
use crate::{
    format,
    label::Status,
    merge::{Merge, Part, Parts},
    report::{self, Output, RowWriter, Written, beside, is_stream},
};

pub(super) const HELP: &str = "\
Examples:
  kifu plan games/ --shards 64 -o plan/
  kifu label --manifest plan/0007.jsonl -o out/0007.csv      one of them, anywhere
  kifu merge out/*.csv --plan plan/ -o labels.csv

Shards are the outputs of kifu label or audit under --manifest or --shard, all CSV
(perhaps .gz or .zst), all JSON Lines, all Parquet or all Arrow. Beside each lie its
summary, mismatches and rejects, and corrections where --fixes out/NAME.fixes.csv wrote
them; they are merged too, and those that a pattern such as out/*.csv names are passed
over. What is written is what one run would have written, byte for byte.

Missing, doubled, interrupted or changed shards, and other settings, are named and
nothing is written.

Exit status: 0 done, 2 could not merge.";

#[derive(Args, Clone, Debug)]
pub(super) struct MergeArgs {
    /// Rows of each shard
    #[arg(value_name = "OUT", required = true)]
    shards: Vec<PathBuf>,
    /// Where all rows go, named as the shards are: .csv, .jsonl (.gz and .zst compress),
    /// .parquet, .arrow or .arrows
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The folder of the plan, to tell which shards are missing
    #[arg(long, value_name = "DIR")]
    plan: Option<PathBuf>,
    /// Merge what is there, though shards are missing
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    common: Common,
}

/// A summary is short, and so is what a run says of itself.
const MAX_SUMMARY: u64 = 64 << 20;

/// The end of a name, and of which statuses the rows there are.
type Side = (&'static str, fn(Status) -> bool);

/// What lies beside rows, and is rows too.
const SIDES: [Side; 2] = [
    ("mismatches.csv", Status::is_mismatch),
    ("rejects.csv", |status| matches!(status, Status::Broken)),
];

/// What lies beside rows where `--fixes` wrote it there.
const FIXES: [&str; 3] = ["fixes.csv", "fixes.csv.gz", "fixes.csv.zst"];

/// `kifu merge`
pub(super) fn run(args: &MergeArgs) -> Result<u8> {
    start_log(&args.common);
    end_on_interrupt();
    // Nothing in it is for a merge, but it is read and checked as everywhere.
    Config::load(args.common.config.as_deref())?;
    let sink = report::for_output(&args.output, None).map_err(Error::msg)?;
    let beside_rows: HashSet<PathBuf> = args.shards.iter().flat_map(|it| sides_of(it)).collect();
    let rows = args.shards.iter().map(PathBuf::as_path);
    let rows: Vec<&Path> = rows.filter(|path| !beside_rows.contains(*path)).collect();
    check_output(args, &rows)?;
    let names: Vec<String> = rows.iter().map(|path| path.display().to_string()).collect();
    let parts = rows.iter().zip(&names);
    let parts = parts.map(|(rows, name)| Ok((name.as_str(), summary(rows)?)));
    let parts = Parts(parts.collect::<Result<_>>()?);
    let plan = args.plan.as_deref().map(read_plan).transpose()?;
    let missing = parts.check(plan.as_deref()).map_err(Error::msg)?;
    if let Some(missing) = &missing {
        if !args.partial {
            bail!("missing are {missing}; label them, or merge what is there with --partial");
        }
        tracing::warn!("merged without {missing}");
    }

    let sum = parts.sum(missing.is_none()).context("no rows are named")?;
    let fixes = fixes_of(&rows)?;
    let mut outputs = Vec::new();
    let (all, counts) = merged(&rows, &args.output, sink.name(), &sum)?;
    outputs.push(all);
    for ((name, part), count) in parts.0.iter().zip(counts) {
        if part.tally.rows != count {
            bail!(
                "{name} has {count} rows and {} by its summary: label that shard again",
                part.tally.rows
            );
        }
    }
    for (ending, belongs) in SIDES {
        let paths = rows.iter().map(|rows| side(rows, ending));
        let paths: Vec<PathBuf> = paths.collect::<Result<_>>()?;
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let (all, counts) = merged(&paths, &side(&args.output, ending)?, "csv", &sum)?;
        outputs.push(all);
        for (((name, part), path), count) in parts.0.iter().zip(&paths).zip(counts) {
            let statuses = Status::ALL.iter().filter(|status| belongs(**status));
            let told = statuses.filter_map(|status| part.tally.status.get(status.word()));
            let told: u64 = told.sum();
            if told != count {
                bail!(
                    "{} has {count} rows and {told} by the summary of {name}: label that shard again",
                    path.display()
                );
            }
        }
    }
    if !fixes.is_empty() {
        let paths: Vec<&Path> = fixes.iter().map(PathBuf::as_path).collect();
        let (all, _) = merged(&paths, &side(&args.output, FIXES[0])?, "csv", &sum)?;
        outputs.push(all);
    }
    // Last, as other checks say more of what is wrong.
    for rows in &rows {
        check_written(rows)?;
    }
    let mut summary = Output::create(&side(&args.output, "summary.json")?)?;
    summary.write(&pretty(&sum)?)?;
    outputs.push(Box::new(summary));
    // A disk that is full now leaves no file behind.
    for output in &mut outputs {
        output.end()?;
    }
    remove_run_report(&args.output)?;
    for output in outputs {
        output.keep()?;
    }
    if !args.common.quiet {
        let words = format!(
            "kifu: {} of {} in {}\n",
            setup::counted(sum.tally.rows, "row"),
            setup::counted(rows.len() as u64, "shard"),
            args.output.display()
        );
        log::say(&words);
    }
    Ok(0)
}

/// Removes what an earlier run under that name says of its files: it is of others.
fn remove_run_report(output: &Path) -> Result<()> {
    let path = side(output, "run.json")?;
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            bail!(
                "cannot remove {}, which is of an earlier run: {error}",
                path.display()
            )
        }
        _ => Ok(()),
    }
}

/// Refuses outputs that are no files of their own.
fn check_output(args: &MergeArgs, rows: &[&Path]) -> Result<()> {
    let output = &args.output;
    let extension = output.extension().and_then(std::ffi::OsStr::to_str);
    if is_stream(output) || extension.is_some_and(format::is_record_extension) {
        bail!(
            "will not write {}: name a file of rows, such as labels.csv",
            output.display()
        );
    }
    // The report of a run is removed.
    let all = |rows: &Path| -> Vec<PathBuf> {
        let more = ["summary.json", "run.json"];
        let more = more.iter().filter_map(|ending| beside(rows, ending));
        more.chain(sides_of(rows))
            .chain([rows.to_owned()])
            .collect()
    };
    let written: Vec<PathBuf> = all(output).iter().flat_map(fs::canonicalize).collect();
    for path in rows {
        let mut read = all(path).into_iter();
        if read.any(|path| fs::canonicalize(path).is_ok_and(|path| written.contains(&path))) {
            bail!(
                "will not write over {} or what lies beside it: name another output",
                path.display()
            );
        }
    }
    Ok(())
}

/// Every file of rows that may lie beside some.
fn sides_of(rows: &Path) -> Vec<PathBuf> {
    let sides = SIDES.iter().map(|(ending, _)| ending).chain(&FIXES);
    sides.filter_map(|ending| beside(rows, ending)).collect()
}

/// The corrections beside the rows of all shards; none where no shard has them.
fn fixes_of(rows: &[&Path]) -> Result<Vec<PathBuf>> {
    let fixes = |rows: &Path| -> Vec<PathBuf> {
        let paths = FIXES.iter().filter_map(|ending| beside(rows, ending));
        paths.filter(|path| path.is_file()).collect()
    };
    let found: Vec<Vec<PathBuf>> = rows.iter().map(|rows| fixes(rows)).collect();
    let Some(first) = found.iter().flatten().next() else {
        return Ok(Vec::new());
    };
    for (rows, fixes) in rows.iter().zip(&found) {
        match &fixes[..] {
            [] => bail!(
                "{} has no {} beside it, and {} is there: label all shards with --fixes, or \
                 move it away",
                rows.display(),
                FIXES[0],
                first.display()
            ),
            [_] => {}
            [one, other, ..] => bail!(
                "{} and {} are both of {}: move one away",
                one.display(),
                other.display(),
                rows.display()
            ),
        }
    }
    Ok(found.into_iter().flatten().collect())
}

/// Merges files of rows into one, which has not got its name yet; how many rows
/// each had.
fn merged(
    paths: &[&Path],
    output: &Path,
    kind: &str,
    sum: &Part,
) -> Result<(Box<dyn RowWriter>, Vec<u64>)> {
    let merge = Merge::open(paths).map_err(Error::msg)?;
    if let Some(found) = merge.kind()
        && found != kind
    {
        bail!(
            "the shards are {found} and {} is named as {kind}: name an output of their kind",
            output.display()
        );
    }
    let mut file = writer(&merge, output, kind, sum)?;
    let write = &mut |bytes: &[u8]| -> Result<(), Failure> { Ok(file.write(bytes)?) };
    let counts = merge.write(write).map_err(|failure| match failure {
        Failure::Rows(sentence) => anyhow!(sentence),
        Failure::Writing(error) => error.into(),
    })?;
    Ok((file, counts))
}

/// What writes rows as they are handed over, behind what stands before them.
fn writer(merge: &Merge, output: &Path, kind: &str, sum: &Part) -> Result<Box<dyn RowWriter>> {
    #[cfg(feature = "parquet")]
    if let Some(schema) = merge.schema().map_err(Error::msg)? {
        // The file says which version wrote it, and types are those of this one.
        if sum.version != env!("CARGO_PKG_VERSION") {
            bail!(
                "the shards are of kifu {}, and this is {}: {kind} is merged by the version that \
                 wrote it",
                sum.version,
                env!("CARGO_PKG_VERSION")
            );
        }
        let output = Output::create(output)?;
        return Ok(report::open_again(kind, output, &schema, &sum.settings)?);
    }
    let _ = (kind, sum);
    let mut file = Output::create(output)?;
    file.write(merge.header())?;
    Ok(Box::new(file))
}

/// Why a merge ended early.
enum Failure {
    Rows(String),
    Writing(io::Error),
}

impl From<String> for Failure {
    fn from(sentence: String) -> Self {
        Self::Rows(sentence)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Writing(error)
    }
}

fn side(rows: &Path, ending: &str) -> Result<PathBuf> {
    beside(rows, ending).with_context(|| format!("{} is no file of rows", rows.display()))
}

/// What a run says of itself, as far as it is for merges.
#[derive(Deserialize)]
struct RunReport {
    #[serde(default)]
    outputs: Vec<Written>,
}

/// Refuses files of a shard that are not as its run wrote them, where `run.json` lies
/// beside them to tell.
fn check_written(rows: &Path) -> Result<()> {
    let path = side(rows, "run.json")?;
    if !path.is_file() {
        return Ok(());
    }
    let report: RunReport = read_json(&path, || format!("cannot read {}", path.display()))?;
    let mut files = sides_of(rows);
    files.extend([rows.to_owned(), side(rows, "summary.json")?]);
    for file in files.iter().filter(|file| file.is_file()) {
        // Shards are moved, and the same name may have been written to several folders.
        let outputs = report.outputs.iter();
        let named =
            outputs.filter(|output| Path::new(&output.path).file_name() == file.file_name());
        let mut is_known = false;
        let mut is_same = false;
        for output in named {
            is_known = true;
            is_same |= output
                .is_in(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
        }
        if is_known && !is_same {
            bail!(
                "{} is not what its run wrote, by the SHA-256 in {}: copy it again, or label that \
                 shard again",
                file.display(),
                path.display()
            );
        }
    }
    Ok(())
}

/// The summary beside the rows of a shard.
fn summary(rows: &Path) -> Result<Part> {
    if let Err(error) = fs::metadata(rows) {
        bail!("cannot read {}: {error}", rows.display());
    }
    let path = side(rows, "summary.json")?;
    let about = || {
        format!(
            "cannot read {}, the summary of {} (name the rows of shards, which alone have one)",
            path.display(),
            rows.display()
        )
    };
    read_json(&path, about)
}

/// Reads what lies beside rows and is short.
fn read_json<T: DeserializeOwned>(path: &Path, about: impl Fn() -> String) -> Result<T> {
    if path.metadata().is_ok_and(|it| it.len() > MAX_SUMMARY) {
        bail!("{}: it is too long", about());
    }
    let bytes = fs::read(path).with_context(&about)?;
    serde_json::from_slice(&bytes).with_context(about)
}
