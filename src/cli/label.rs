//! `kifu label` and `kifu audit`: one row per record, and what disagrees.

use std::{
    collections::HashSet,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use anyhow::{Result, anyhow, bail};
use serde::Serialize;

use super::{
    FOUND, INTERRUPTED,
    args::{AuditArgs, LabelArgs, Outputs},
    config::Config,
    log,
    plan::Part,
    pretty,
    progress::Bar,
    setup::{self, is_stdin},
    start_log, state,
};
use crate::{
    format,
    game::go,
    label::{Label, Schema, Status},
    pipeline::{self, Baseline, Duplicates, Outcome, Outlet, Plan, Progress, Split},
    report::{self, Counts, FINDINGS, FIXES, Output, Settings, Sink, Summary, Written, is_stream},
    rows::Rows,
    source::packed,
    suggest::nearest,
};

/// `kifu label`
pub(super) fn label(args: LabelArgs) -> Result<u8> {
    start_log(&args.running.common);
    let config = Config::load(args.running.common.config.as_deref())?;
    let outcome = run(args, &config, None)?;
    Ok(if outcome.interrupted { INTERRUPTED } else { 0 })
}

/// `kifu audit`
pub(super) fn audit(args: AuditArgs) -> Result<u8> {
    start_log(&args.label.running.common);
    let config = Config::load(args.label.running.common.config.as_deref())?;
    let words = if args.fail_on.is_empty() {
        &config.label.fail_on
    } else {
        &args.fail_on
    };
    let audit = Audit {
        fail_on: statuses(words)?,
        baseline: match &args.baseline {
            Some(path) => read_baseline(path)?,
            None => Baseline::default(),
        },
    };
    let outcome = run(args.label, &config, Some(audit))?;
    Ok(match (outcome.interrupted, outcome.failing) {
        (true, _) => INTERRUPTED,
        (false, 0) => 0,
        (false, _) => FOUND,
    })
}

/// What an audit fails on.
struct Audit {
    fail_on: Vec<Status>,
    baseline: Baseline,
}

pub(super) fn statuses(words: &[String]) -> Result<Vec<Status>> {
    if words.is_empty() {
        return Ok(vec![
            Status::Broken,
            Status::WinnerDiffers,
            Status::MarginDiffers,
        ]);
    }
    let known: Vec<&str> = Status::ALL.iter().map(|status| status.word()).collect();
    let find = |word: &String| {
        Status::of_word(word).ok_or_else(|| {
            let hint = nearest(word, &known)
                .map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            anyhow!(
                "unknown status '{word}' in --fail-on; known are {}{hint}",
                known.join(", ")
            )
        })
    };
    words.iter().map(find).collect()
}

/// The disagreements of an earlier run: its rows, or its mismatches.
fn read_baseline(path: &Path) -> Result<Baseline> {
    let about = || format!("cannot read the baseline {}", path.display());
    let mut rows = Rows::open(path).map_err(|why| anyhow!("{}: {why}", about()))?;
    if !rows.has("origin") || !rows.has("status") {
        bail!(
            "{}: it has no columns origin and status; give rows that kifu label wrote",
            about()
        );
    }
    rows.choose(["origin", "status"].into_iter());
    let mut baseline = Baseline::default();
    while rows
        .advance()
        .map_err(|why| anyhow!("{}: {why}", about()))?
    {
        baseline.add(rows.value(0), rows.value(1));
    }
    Ok(baseline)
}

/// A plan to label under some arguments, which the configuration fills, and the
/// columns of its rows.
pub(super) fn plan(args: &mut LabelArgs, config: &Config) -> Result<(Plan, Schema)> {
    config.fill_inputs(&mut args.inputs);
    config.fill_outputs(&mut args.outputs);
    let mut plan = setup::plan(&mut args.reading, &mut args.judging, config)?;
    plan.hidden = args.inputs.hidden;
    let schema = Schema::new(&args.outputs.with).map_err(|sentence| anyhow!(sentence))?;
    let wants = |word: &str| args.outputs.with.iter().any(|with| with == word);
    plan.want.ownership = wants("ownership");
    plan.want.board = wants("board");
    plan.want.forbidden = wants("forbidden");
    plan.want.legal = wants("legal");
    let duplicates = looks_at_all(args).is_some();
    plan.want.canonical_hash = wants("canonical_hash") || duplicates;
    plan.want.chain = duplicates;
    plan.split = split(args.outputs.split.as_deref(), wants("split"))?;
    plan.context.meta = wants("meta");
    plan.jobs = jobs(args.running.jobs, config)?;
    plan.limit = args.running.limit;
    plan.sample = args.running.sample.map(|size| (size, args.running.seed));
    Ok((plan, schema))
}

/// The flag that has all records looked at together, for games that are there again.
pub(super) fn looks_at_all(args: &LabelArgs) -> Option<&'static str> {
    let wants = |word: &str| args.outputs.with.iter().any(|with| with == word);
    match () {
        () if args.running.duplicates => Some("--duplicates"),
        () if wants("duplicate_of") => Some("--with duplicate_of"),
        () if wants("split") => Some("--with split"),
        () => None,
    }
}

/// Fills arguments from the configuration and checks them, as a run would.
pub(super) fn check(args: &mut LabelArgs, config: &Config, is_audit: bool) -> Result<()> {
    plan(args, config)?;
    Files::of(&args.outputs, is_audit)?.check()
}

/// Runs the pipeline; an audit also lists what it found on standard output.
fn run(mut args: LabelArgs, config: &Config, audit: Option<Audit>) -> Result<Outcome> {
    let started = Instant::now();
    let (mut plan, schema) = plan(&mut args, config)?;
    let mut part = Part::of(&mut args, &mut plan)?;
    let mut settings = described(&args, config);
    part.describe(&args.inputs, &mut settings);
    let duplicates = looks_at_all(&args);
    let is_audit = audit.is_some();
    if let Some(audit) = audit {
        plan.fail_on = audit.fail_on;
        plan.baseline = audit.baseline;
    }

    let from_stdin = args.inputs.paths.iter().chain(&args.inputs.files_from);
    if let Some(what) = duplicates
        && from_stdin.into_iter().any(|path| is_stdin(path))
    {
        bail!("{what} reads everything three times, and standard input can be read only once");
    }
    let files = Files::of(&args.outputs, is_audit)?;
    files.check()?;
    files.keep_off(&args.inputs.paths)?;
    Part::keep_off(&args, files.paths())?;
    let mut left_out = files.all();
    left_out.extend(args.running.state.clone());
    let walk = part.walk(&args.inputs, &left_out)?;
    let lanes = files.lanes(is_audit);
    let lanes: Vec<String> = lanes.iter().map(Lane::name).collect();
    let state = state::open(&args, &plan, &settings, lanes, files.paths())?;
    let outlets = files.open(&schema, &settings, is_audit)?;
    let reports = [&files.summary, &files.run].map(|path| path.as_deref().map(Output::create));
    let [summary_file, run_file] = reports.map(Option::transpose);
    let (summary_file, run_file) = (summary_file?, run_file?);
    let progress = Arc::new(Progress::of(&plan));
    stop_on_interrupt(&progress);
    if duplicates.is_some() {
        let again = || setup::walk(&args.inputs, &files.all());
        plan.duplicates = Duplicates::find(&plan, [again()?, again()?])?;
    }
    let quiet = args.running.common.quiet;
    let watching = &args.running.watching;
    // The files of a part are not counted beside the run.
    let counted = part
        .is_whole()
        .then(|| setup::again(&args.inputs, &left_out));
    let bar = Bar::start(&progress, counted.flatten(), watching, quiet);
    let result = pipeline::run(&plan, walk, outlets, state, &progress);
    bar.finish();
    let mut outcome = result?;

    let is_kept = args.running.state.is_some();
    // A run that goes on another time leaves all files as they were.
    if !(outcome.interrupted && is_kept) {
        if let Some(file) = summary_file {
            let summary = Summary::new(&settings, &outcome.tally, outcome.interrupted);
            outcome.written.extend(write_json(file, &summary)?);
        }
        if let Some(file) = run_file {
            write_json(file, &RunReport::new(&plan, &outcome, started))?;
        }
    }
    if !quiet && log::is_json() && outcome.files > 0 {
        let message = if outcome.interrupted {
            "interrupted"
        } else {
            "done"
        };
        if let Some(words) = ignored_rules(&outcome, &settings) {
            log::tell("warn", &words, &());
        }
        log::tell("info", message, &RunReport::new(&plan, &outcome, started));
    } else if !quiet {
        let words = if outcome.files == 0 && !outcome.interrupted && plan.limit != Some(0) {
            part.nothing_found(&args.inputs)
        } else if outcome.interrupted && is_kept {
            format!(
                "kifu: interrupted after {}; the outputs are as they were, and the same command \
                 goes on from here\n",
                setup::counted(outcome.tally.rows, "record")
            )
        } else {
            in_words(&outcome, &files, &settings, started)
        };
        log::say(&words);
    }
    Ok(outcome)
}

/// The parts of a training set, where rows name them.
fn split(asked: Option<&str>, is_wanted: bool) -> Result<Option<Split>> {
    let split = asked.map_or_else(|| Ok(Split::default()), Split::parse);
    let split = split.map_err(|sentence| anyhow!(sentence))?;
    if asked.is_some() && !is_wanted {
        bail!("--split gives the shares of the column split: add --with split");
    }
    Ok(is_wanted.then_some(split))
}

/// More threads than this are a slip of the hand, and would only get into each
/// other's way.
const MAX_JOBS: usize = 512;

/// Threads: as asked for; 0 and nothing are one for each processor.
pub(super) fn jobs(asked: Option<usize>, config: &Config) -> Result<usize> {
    match asked.or(config.label.jobs) {
        Some(jobs) if jobs > MAX_JOBS => {
            bail!(
                "{jobs} is too many for --jobs: at most {MAX_JOBS}, or 0 for one for each processor"
            )
        }
        Some(jobs) if jobs > 0 => Ok(jobs),
        _ => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// The settings that labels depend on, for the summary. The configuration has
/// filled the arguments.
pub(super) fn described(args: &LabelArgs, config: &Config) -> Settings {
    let LabelArgs {
        reading, judging, ..
    } = args;
    let defaults = &config.defaults;
    let mut settings = Settings::new();
    for (name, flag, config) in [
        ("input_format", &reading.input_format, None),
        ("encoding", &reading.encoding, None),
        ("game", &reading.game, None),
        ("size", &reading.size, None),
        ("first_row", &reading.first_row, None),
        ("rules", &judging.rules, config.forced_rules()),
        (
            "default_rules",
            &judging.default_rules,
            defaults.rules.as_deref(),
        ),
        ("komi", &judging.komi, config.forced_komi()),
        (
            "default_komi",
            &judging.default_komi,
            defaults.komi.as_deref(),
        ),
        ("dead", &judging.dead, None),
        ("gtp", &judging.gtp, None),
        ("convention", &judging.convention, None),
        ("five_eye", &judging.five_eye, None),
        ("fouls", &judging.fouls, None),
        ("search", &judging.search, None),
        ("tolerance", &judging.tolerance, None),
    ] {
        if let Some(value) = flag.as_deref().or(config) {
            settings.insert(name, value.to_owned());
        }
    }
    if let Some(plies) = judging.no_capture {
        settings.insert("no_capture", plies.to_string());
    }
    if let Some(nodes) = judging.nodes {
        settings.insert("nodes", nodes.to_string());
    }
    if let Some(seconds) = judging.gtp_seconds {
        settings.insert("gtp_seconds", seconds.to_string());
    }
    if let Some(scope) = judging.judge {
        settings.insert("judge", format!("{scope:?}").to_lowercase());
    }
    if reading.strict {
        settings.insert("strict", "true".to_owned());
    }
    if args.running.duplicates {
        settings.insert("duplicates", "true".to_owned());
    }
    if let Some(split) = &args.outputs.split {
        settings.insert("split", split.clone());
    }
    if judging.no_profiles {
        settings.insert("no_profiles", "true".to_owned());
    }
    for (name, amount) in [
        ("max_record", reading.max_record),
        ("max_unpacked", reading.max_unpacked),
        ("max_ratio", reading.max_ratio),
        ("max_members", reading.max_members),
        ("max_window", reading.max_window),
    ] {
        if let Some(amount) = amount {
            settings.insert(name, amount.to_string());
        }
    }
    let inputs: Vec<String> = config.input.iter().map(ToString::to_string).collect();
    let profiles: Vec<String> = config.profiles.iter().map(ToString::to_string).collect();
    for (name, values) in [
        ("input", &inputs),
        ("profile", &profiles),
        ("glob", &args.inputs.glob),
        ("with", &args.outputs.with),
    ] {
        if !values.is_empty() {
            settings.insert(name, values.join(", "));
        }
    }
    let sample = args.running.sample;
    for (name, number) in [
        ("limit", args.running.limit),
        ("sample", sample.map(|size| size as u64)),
        ("seed", sample.map(|_| args.running.seed)),
    ] {
        if let Some(number) = number {
            settings.insert(name, number.to_string());
        }
    }
    settings
}

/// The files of a run.
#[derive(Default)]
struct Files {
    rows: Vec<(PathBuf, &'static dyn Sink)>,
    mismatches: Option<(PathBuf, &'static dyn Sink)>,
    rejects: Option<(PathBuf, &'static dyn Sink)>,
    fixes: Option<PathBuf>,
    summary: Option<PathBuf>,
    run: Option<PathBuf>,
}

impl Files {
    /// Rows go where `-o` says (standard output without it, but nowhere in an
    /// audit); the others lie beside the first file of them, unless named.
    fn of(outputs: &Outputs, is_audit: bool) -> Result<Self> {
        let paths = match outputs.output.as_slice() {
            [] if is_audit => Vec::new(),
            [] => vec![PathBuf::from("-")],
            paths => paths.to_vec(),
        };
        let beside = |ending: &str| {
            let rows = paths.iter().find(|path| !is_stream(path))?;
            report::beside(rows, ending)
        };
        let side = |named: &Option<PathBuf>, ending| {
            let path = named.clone().or_else(|| beside(ending));
            path.map(|path| with_sink(path, None)).transpose()
        };
        let format = outputs.output_format.as_deref();
        let rows = paths.iter().map(|path| {
            // Of several, the names go first.
            let named = paths.len() > 1 && by_file_name(path)?.is_some();
            with_sink(path.clone(), format.filter(|_| !named))
        });
        Ok(Self {
            rows: rows.collect::<Result<_>>()?,
            mismatches: side(&outputs.mismatches, "mismatches.csv")?,
            rejects: side(&outputs.rejects, "rejects.csv")?,
            fixes: outputs.fixes.clone(),
            summary: outputs.summary.clone().or_else(|| beside("summary.json")),
            run: beside("run.json"),
        })
    }

    /// No file holds two things.
    fn check(&self) -> Result<()> {
        let mut seen = HashSet::new();
        for path in self.paths() {
            if !seen.insert(path) {
                bail!(
                    "{} cannot be written twice: give each of -o, --mismatches, --rejects, --fixes and --summary a name of its own",
                    path.display()
                );
            }
        }
        Ok(())
    }

    /// Refuses to write over records: a path that the user named, or a file
    /// that is named like a record or an archive of them.
    fn keep_off(&self, inputs: &[PathBuf]) -> Result<()> {
        let inputs: Vec<PathBuf> = inputs.iter().flat_map(fs::canonicalize).collect();
        for path in self.paths() {
            let named =
                path.is_file() && fs::canonicalize(path).is_ok_and(|path| inputs.contains(&path));
            let extension = path.extension().and_then(std::ffi::OsStr::to_str);
            if named || extension.is_some_and(format::is_record_extension) {
                bail!(
                    "will not write over {}: that is a record; name another output",
                    path.display()
                );
            }
            // Rows are written into none, and one that is there holds records.
            if packed::is_archive_name(path.as_os_str().as_encoded_bytes()) {
                bail!(
                    "will not write {}: that is the name of an archive; name another output, such as labels.csv",
                    path.display()
                );
            }
        }
        Ok(())
    }

    /// Every file that is written, under its final and its temporary name.
    fn all(&self) -> Vec<PathBuf> {
        let both = |path: &PathBuf| [path.clone(), report::temporary(path)];
        self.paths().flat_map(both).collect()
    }

    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let rows = self.rows.iter().chain(&self.mismatches);
        let rows = rows.chain(&self.rejects).map(|(path, _)| path);
        rows.chain(&self.fixes)
            .chain(&self.summary)
            .chain(&self.run)
    }

    /// The streams of rows.
    fn lanes(&self, is_audit: bool) -> Vec<Lane<'_>> {
        let mut lanes: Vec<Lane<'_>> = Vec::new();
        let mut add = |path, sink, rows| lanes.push(Lane { path, sink, rows });
        for (path, sink) in &self.rows {
            add(path, *sink, "rows");
        }
        if let Some((path, sink)) = &self.mismatches {
            add(path, *sink, "mismatches");
        }
        if let Some((path, sink)) = &self.rejects {
            add(path, *sink, "rejects");
        }
        if let Some(path) = &self.fixes {
            add(path, FIXES, "fixes");
        }
        if is_audit && !self.rows.iter().any(|(path, _)| is_stdin(path)) {
            add(Path::new("-"), FINDINGS, "findings");
        }
        lanes
    }

    fn open(&self, schema: &Schema, settings: &Settings, is_audit: bool) -> Result<Vec<Outlet>> {
        let lanes = self.lanes(is_audit).into_iter();
        let open = |lane: Lane<'_>| {
            Ok(Outlet {
                sink: lane.sink,
                schema: schema.clone(),
                accepts: lane.accepts(),
                is_audit: lane.rows == "findings",
                writer: lane
                    .sink
                    .open(Output::create(lane.path)?, schema, settings)?,
            })
        };
        lanes.map(open).collect()
    }
}

/// One stream of rows.
struct Lane<'f> {
    path: &'f Path,
    sink: &'static dyn Sink,
    /// Which rows, in a word.
    rows: &'static str,
}

impl Lane<'_> {
    fn name(&self) -> String {
        format!("{}:{}", self.sink.name(), self.rows)
    }

    fn accepts(&self) -> fn(&Plan, &Label<'_>) -> bool {
        match self.rows {
            "mismatches" => |_, label| label.status.is_mismatch(),
            "rejects" => |_, label| label.status == Status::Broken,
            "fixes" => |_, label| report::suggestion(label).is_some(),
            "findings" => Plan::fails,
            _ => |_, _| true,
        }
    }
}

fn by_file_name(path: &Path) -> Result<Option<&'static dyn Sink>> {
    report::by_file_name(path).map_err(|sentence| anyhow!(sentence))
}

fn with_sink(path: PathBuf, format: Option<&str>) -> Result<(PathBuf, &'static dyn Sink)> {
    let sink = report::for_output(&path, format).map_err(|sentence| anyhow!(sentence))?;
    Ok((path, sink))
}

fn write_json(mut output: Output, value: &impl Serialize) -> Result<Option<Written>> {
    output.write(&pretty(value)?)?;
    output.end()?;
    Ok(output.keep()?)
}

/// What may differ between runs over the same input.
#[derive(Serialize)]
struct RunReport<'r> {
    version: &'static str,
    jobs: usize,
    files: u64,
    rows: u64,
    /// Rows that earlier runs had kept.
    kept: u64,
    failing: u64,
    interrupted: bool,
    seconds: f64,
    rows_per_second: f64,
    /// Rows by status.
    status: &'r Counts,
    /// The other files of the run.
    outputs: &'r [Written],
}

impl<'r> RunReport<'r> {
    fn new(plan: &Plan, outcome: &'r Outcome, started: Instant) -> Self {
        let seconds = started.elapsed().as_secs_f64();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            jobs: plan.jobs,
            files: outcome.files,
            rows: outcome.tally.rows,
            kept: outcome.kept,
            failing: outcome.failing,
            interrupted: outcome.interrupted,
            seconds,
            rows_per_second: outcome.tally.rows as f64 / seconds.max(1e-9),
            status: &outcome.tally.status,
            outputs: &outcome.written,
        }
    }
}

/// What to say where the user's rules are those of no game that was met.
fn ignored_rules(outcome: &Outcome, settings: &Settings) -> Option<String> {
    let rules = settings
        .get("rules")
        .filter(|_| outcome.tally.ignores_rules())?;
    Some(format!(
        "no record is of a game that has the rules '{rules}': they changed nothing"
    ))
}

/// The end of a run in words.
fn in_words(outcome: &Outcome, files: &Files, settings: &Settings, started: Instant) -> String {
    let mut words = outcome.tally.to_string();
    let seconds = started.elapsed().as_secs_f64();
    // Writing to a string cannot fail.
    if let Some(ignored) = ignored_rules(outcome, settings) {
        let _ = writeln!(words, "kifu: {ignored}");
    }
    if outcome.kept > 0 {
        let _ = writeln!(
            words,
            "{:>10}  of them kept from earlier runs",
            outcome.kept
        );
    }
    let _ = writeln!(
        words,
        "{:>10.1}  seconds, {:.0} records a second",
        seconds,
        outcome.tally.rows as f64 / seconds.max(1e-9)
    );
    for path in files.paths().filter(|path| !is_stdin(path)) {
        let _ = writeln!(words, "{:>10}  {}", "wrote", path.display());
    }
    if outcome.interrupted {
        words.push_str("kifu: interrupted; every row written is whole\n");
    }
    words
}

/// The first interrupt asks the run to stop, the second ends the process.
pub(super) fn stop_on_interrupt(progress: &Arc<Progress>) {
    let progress = Arc::clone(progress);
    on_interrupt(move || {
        if progress.stopped() {
            end();
        }
        progress.stop();
    });
}

/// Whether the process ends for an interrupt: what the run makes of an engine that
/// is gone does not count any more.
pub(super) static ENDING: AtomicBool = AtomicBool::new(false);

/// Every interrupt ends the process.
pub(super) fn end_on_interrupt() {
    on_interrupt(end);
}

fn on_interrupt(handler: impl FnMut() + Send + 'static) {
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!("interrupts end the run at once: {error}");
    }
}

/// Ends the process without waiting for anything, and leaves nothing behind.
fn end() {
    ENDING.store(true, Ordering::SeqCst);
    go::end_engines();
    report::remove_unfinished();
    std::process::exit(i32::from(INTERRUPTED));
}
