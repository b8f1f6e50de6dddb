//! `kifu calibrate`: how each part of an archive was counted.

use std::{
    cell::RefCell,
    fmt::Write as _,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};

use anyhow::{Result, bail};

use super::{
    INTERRUPTED,
    args::{CalibrateArgs, Inputs},
    config::{self, Config},
    label::{jobs, stop_on_interrupt},
    log,
    progress::Bar,
    setup::{self, is_stdin},
    start_log, stdout_error,
};
use crate::{
    calibrate::{self, Collector, Finding, Levels, OBSERVATIONS, Verdict},
    format,
    label::Schema,
    outcome::Points,
    pipeline::{self, Outlet, Progress},
    report::{self, Output},
    source::{self, packed},
};

/// `kifu calibrate`
pub(super) fn calibrate(mut args: CalibrateArgs) -> Result<u8> {
    start_log(&args.common);
    let config = Config::load(args.common.config.as_deref())?;
    config.fill_inputs(&mut args.inputs);
    let mut plan = setup::plan(&mut args.reading, &mut args.judging, &config)?;
    plan.hidden = args.inputs.hidden;
    plan.want.counts = true;
    // Shares are of margins that are the same.
    plan.tolerance = Points::ZERO;
    plan.jobs = jobs(args.jobs, &config)?;
    let file = args.output.clone().filter(|path| !is_stdin(path));
    if let Some(file) = &file {
        keep_off(file, &args)?;
    }
    let outputs: Vec<PathBuf> = file.iter().cloned().collect();
    let walk = setup::walk(&args.inputs, &outputs)?;
    // A file that cannot be written is found out before any work.
    let output = Output::create(file.as_deref().unwrap_or(Path::new("-")))?;

    let collector = Rc::new(RefCell::new(Collector::new(args.seed, args.min_records)));
    let outlet = Outlet {
        sink: OBSERVATIONS,
        schema: Schema::new(&[]).map_err(|sentence| anyhow::anyhow!(sentence))?,
        accepts: |_, label| calibrate::is_counted(label),
        is_audit: false,
        writer: Box::new(Output::into_writer(
            Box::new(Rows(Rc::clone(&collector))),
            "observations",
        )),
    };
    let progress = Arc::new(Progress::of(&plan));
    stop_on_interrupt(&progress);
    let quiet = args.common.quiet;
    let bar = Bar::start(
        &progress,
        setup::again(&args.inputs, &outputs),
        &args.watching,
        quiet,
    );
    let result = pipeline::run(&plan, walk, vec![outlet], None, &progress);
    bar.finish();
    let outcome = result?;
    if outcome.interrupted {
        log::say("kifu: interrupted; nothing was written\n");
        return Ok(INTERRUPTED);
    }

    let collector = collector.replace(Collector::new(0, 0));
    let (counted, max_kept) = (collector.counted, collector.max_kept());
    let (groups, left_out) = collector.into_groups();
    let groups = calibrate::gather(groups, args.min_records, &levels(&args.inputs));
    let findings = calibrate::test(&groups, args.min_records);
    let words = if counted == 0 {
        String::new()
    } else {
        format!(
            "{}\n{}",
            calibrate::table(&findings, args.common.verbose > 0),
            calibrate::totals(&findings)
        )
    };
    let mut notes = notes(&findings, counted, args.min_records);
    if outcome.files == 0 {
        notes = setup::nothing_found(&args.inputs);
    }
    if left_out > 0 {
        let _ = writeln!(
            notes,
            "kifu: {left_out} counted records were left out, being of more groups than are kept; calibrate parts of the archive one by one"
        );
    }
    if findings.iter().any(|it| it.met > it.records() as u64) {
        let _ = writeln!(
            notes,
            "kifu: of copies of a game one counts, and of a group {max_kept} records drawn at random"
        );
    }
    write_profiles(output, &args, &findings)?;
    if file.is_some() {
        io::stdout()
            .write_all(words.as_bytes())
            .map_err(stdout_error)?;
    } else if !quiet {
        log::say(&words);
    }
    if !quiet && !notes.is_empty() {
        log::say(&notes);
    }
    Ok(0)
}

/// Hands rows to the collector.
struct Rows(Rc<RefCell<Collector>>);

impl Write for Rows {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Outputs are given whole rows.
        self.0.borrow_mut().take(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the table does not say.
fn notes(findings: &[Finding], counted: u64, min: usize) -> String {
    if counted == 0 {
        return "kifu: no counted records, so nothing to compare: calibrate needs games whose written results are margins, such as B+3.5\n".to_owned();
    }
    if findings.iter().all(|it| it.verdict == Verdict::TooFew) {
        return format!(
            "kifu: no group has {min} counted records, so nothing is proposed: name a larger part of the archive\n"
        );
    }
    if findings.iter().all(|it| it.verdict != Verdict::Proposed) {
        return "kifu: nothing is proposed\n".to_owned();
    }
    String::new()
}

/// Refuses to write over what the user may have made.
fn keep_off(file: &Path, args: &CalibrateArgs) -> Result<()> {
    let extension = file.extension().and_then(std::ffi::OsStr::to_str);
    let is_input = args.inputs.paths.iter().any(|path| path == file);
    if is_input
        || extension.is_some_and(format::is_record_extension)
        || packed::is_archive_name(file.as_os_str().as_encoded_bytes())
    {
        bail!(
            "will not write {}: that is the name of records; name another output, such as kifu.toml",
            file.display()
        );
    }
    let in_force = args.common.config.as_deref();
    let in_force = in_force.filter(|path| !path.as_os_str().is_empty());
    let in_force = in_force.unwrap_or(Path::new(config::NAME));
    if let (Ok(one), Ok(other)) = (fs::canonicalize(file), fs::canonicalize(in_force))
        && one == other
    {
        bail!(
            "{} is the configuration of this run, and what it says counts as used today: name another output, and add what you want of it by hand",
            file.display()
        );
    }
    let is_profiles = |path: &Path| {
        fs::read_to_string(path).is_ok_and(|text| text.parse::<toml::Table>().is_ok())
    };
    if args.force && file.is_file() && !is_profiles(file) {
        bail!(
            "{} is no configuration, so even --force does not write over it: name another output",
            file.display()
        );
    }
    if !args.force && file.exists() && !report::is_stream(file) {
        bail!(
            "{} is there already, and may hold what you wrote: name another output, or write over it with --force",
            file.display()
        );
    }
    Ok(())
}

/// How far up groups are put together.
fn levels(inputs: &Inputs) -> Levels {
    let name = |path: &Path| {
        let root = inputs.root.as_deref();
        let shown = root.and_then(|root| path.strip_prefix(root).ok());
        let name = source::escape(shown.unwrap_or(path));
        name.trim_end_matches('/').to_owned()
    };
    let mut levels = Levels::default();
    for path in &inputs.paths {
        let is_folder = fs::metadata(path).is_ok_and(|found| found.is_dir());
        let top = if is_folder {
            path.clone()
        } else {
            path.parent().unwrap_or(Path::new("")).to_owned()
        };
        levels.tops.insert(name(&top));
    }
    levels
}

/// Writes the configuration file.
fn write_profiles(mut output: Output, args: &CalibrateArgs, findings: &[Finding]) -> Result<()> {
    let paths = args.inputs.paths.iter().chain(&args.inputs.files_from);
    let paths: Vec<String> = paths.map(|path| source::escape(path)).collect();
    let text = format!(
        "# How parts of an archive were counted, found by kifu {version} calibrate in\n\
         # {paths}\n\
         # (--seed {seed}, --min-records {min}). Of several profiles that match a record\n\
         # the last one holds.\n{profiles}",
        version = env!("CARGO_PKG_VERSION"),
        paths = paths.join(" "),
        seed = args.seed,
        min = args.min_records,
        profiles = calibrate::profiles(findings),
    );
    output.write(text.as_bytes())?;
    output.finish()?;
    Ok(())
}
