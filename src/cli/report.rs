//! `kifu report`: a page of rows that were written.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use anyhow::{Context as _, Result, anyhow, bail};

use super::{
    args::{Judging, Reading, ReportArgs, ScopeArg},
    config::Config,
    label::{end_on_interrupt, jobs},
    log,
    setup::{self, is_stdin},
    start_log,
};
use crate::{
    format::is_record_extension,
    label::{Label, SCHEMA_VERSION, SETTINGS_KEY, VERSION_KEY},
    outcome::Outcome,
    page::{About, Field, Fold, Kept, Page, Table, compact},
    pipeline::{Labeller, Met, Plan, visit},
    record::Arena,
    report::{Output, beside},
    source::{Entry, unescape},
};

/// `kifu report`
pub(super) fn report(args: &ReportArgs) -> Result<u8> {
    start_log(&args.common);
    let config = Config::load(args.common.config.as_deref())?;
    let jobs = jobs(args.jobs, &config)?;
    keep_off(args)?;
    // Before all the work; a page that is not finished is removed.
    end_on_interrupt();
    let mut output = Output::create(&args.output)?;
    let name = args.labels.display().to_string();
    let about = |sentence: String| anyhow!("cannot report {name}: {sentence}");
    let mut run = About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        schema: SCHEMA_VERSION.to_owned(),
        name: match args.labels.file_name() {
            Some(file) if !is_stdin(&args.labels) => file.to_string_lossy().into_owned(),
            _ => "standard input".to_owned(),
        },
        ..About::default()
    };
    let summary = read_summary(args, &mut run).map_err(about)?;
    let mut table = Table::open(&args.labels).map_err(about)?;
    // Where no summary says it.
    if run.settings.is_none() {
        let settings = table.about(SETTINGS_KEY).map(serde_json::from_str);
        run.settings = settings.and_then(|it| Some(shown(&it.ok()?)));
        run.labelled_by = table.about(VERSION_KEY).map(str::to_owned);
    }
    let mut fold = Fold::of(&mut table, args.most).map_err(about)?;
    summary.compare(&fold, &mut run);
    let missing = fold.mismatches.iter().filter(|row| row.board.is_none());
    let missing = missing.count();
    if missing > 0 {
        fetch_boards(args, &config, jobs, &mut fold, &mut run);
    }
    let page = Page {
        about: &run,
        fold: &fold,
    };
    output.write(page.render()?.as_bytes())?;
    output.finish()?;
    if !args.common.quiet {
        log::say(&in_words(args, &fold));
    }
    Ok(0)
}

/// What is on the page, in words.
fn in_words(args: &ReportArgs, fold: &Fold) -> String {
    let shown = fold.mismatches.len();
    let drawn = fold.mismatches.iter().filter(|row| row.board.is_some());
    let cut = if fold.mismatch_count() > shown as u64 {
        format!(", the first {shown} of them on the page (--most)")
    } else {
        String::new()
    };
    let mut words = format!(
        "{:>10}  {}\n{:>10}  disagree{cut}, {} with a board\n",
        fold.rows,
        if fold.rows == 1 { "record" } else { "records" },
        fold.mismatch_count(),
        drawn.count()
    );
    if !is_stdin(&args.output) {
        words += &format!("{:>10}  {}\n", "wrote", args.output.display());
    }
    words
}

/// Refuses to write over the rows, what lies beside them, or records.
fn keep_off(args: &ReportArgs) -> Result<()> {
    let output = &args.output;
    let beside = |ending: &str| beside(&args.labels, ending);
    let read = [
        Some(args.labels.clone()),
        beside("summary.json"),
        beside("run.json"),
    ];
    let Ok(place) = fs::canonicalize(output) else {
        return keep_off_records(output);
    };
    for path in read.iter().flatten() {
        if fs::canonicalize(path).is_ok_and(|path| path == place) {
            bail!(
                "will not write over {}: the page is made of it; name another output, such as report.html",
                path.display()
            );
        }
    }
    keep_off_records(output)
}

fn keep_off_records(output: &Path) -> Result<()> {
    let extension = output.extension().and_then(std::ffi::OsStr::to_str);
    if extension.is_some_and(is_record_extension) {
        bail!(
            "will not write {}: that is the name of a record; name another output, such as report.html",
            output.display()
        );
    }
    Ok(())
}

/// What the page needs to know of a summary.
#[derive(Default)]
struct Summary {
    rows: Option<u64>,
}

impl Summary {
    /// Notes where the summary is of other rows.
    fn compare(&self, fold: &Fold, run: &mut About) {
        if let Some(rows) = self.rows.filter(|rows| *rows != fold.rows) {
            run.notes.push(format!(
                "The summary beside these rows counts {rows} records and the file holds {}: it may be of another run, or the file a part of one.",
                fold.rows
            ));
        }
    }
}

/// The longest summary that is read, in bytes.
const MAX_SUMMARY: u64 = 16 << 20;

/// Reads what lies beside the rows: the summary, and the report of the run.
fn read_summary(args: &ReportArgs, run: &mut About) -> Result<Summary, String> {
    let read = |path: &Path| -> Option<Result<serde_json::Value, String>> {
        let size = path.metadata().ok().filter(fs::Metadata::is_file)?.len();
        if size > MAX_SUMMARY {
            return Some(Err(format!("{} is no summary", path.display())));
        }
        let parsed = fs::read(path).map_err(|error| error.to_string());
        let parsed = parsed.and_then(|bytes| {
            serde_json::from_slice(&bytes).map_err(|error| format!("it is no JSON: {error}"))
        });
        Some(parsed.map_err(|error| format!("cannot read {}: {error}", path.display())))
    };
    let named = args.summary.clone();
    let Some(path) = named.or_else(|| beside(&args.labels, "summary.json")) else {
        return Ok(Summary::default());
    };
    let summary = match read(&path) {
        None if args.summary.is_some() => return Err(format!("there is no {}", path.display())),
        None => None,
        Some(Err(sentence)) if args.summary.is_some() => return Err(sentence),
        Some(Err(sentence)) => {
            run.notes
                .push(format!("Settings are not known: {sentence}."));
            None
        }
        Some(Ok(summary)) => Some(summary),
    };
    if let Some(Ok(serde_json::Value::Object(report))) =
        beside(&args.labels, "run.json").and_then(|path| read(&path))
    {
        run.run = Some(report.into_iter().collect());
    }
    let Some(summary) = summary else {
        return Ok(Summary::default());
    };
    let text = |name: &str| summary.get(name).and_then(serde_json::Value::as_str);
    if let Some(schema) = text("schema").filter(|schema| *schema != SCHEMA_VERSION) {
        return Err(format!(
            "{} says that the rows are of {schema:?}, and this kifu reads {SCHEMA_VERSION}: label again with it, or use the kifu that wrote them",
            path.display()
        ));
    }
    run.labelled_by = text("version").map(str::to_owned);
    if summary.get("interrupted") == Some(&serde_json::Value::Bool(true)) {
        run.notes.push(
            "The run was interrupted before its end: these are the records up to there.".to_owned(),
        );
    }
    let settings = summary.get("settings").and_then(|it| it.as_object());
    run.settings = settings.map(shown);
    Ok(Summary {
        rows: summary.get("rows").and_then(serde_json::Value::as_u64),
    })
}

/// Settings as text.
fn shown(settings: &serde_json::Map<String, serde_json::Value>) -> BTreeMap<String, String> {
    let text = |value: &serde_json::Value| {
        let text = value.as_str().map(str::to_owned);
        text.unwrap_or_else(|| value.to_string())
    };
    let settings = settings.iter();
    settings
        .map(|(name, value)| (name.clone(), text(value)))
        .collect()
}

/// Draws the boards that the rows lack, from the records they name.
fn fetch_boards(args: &ReportArgs, config: &Config, jobs: usize, fold: &mut Fold, run: &mut About) {
    if args.no_boards {
        run.notes.push(
            "Boards were not asked for (--no-boards); rows written with --with board,ownership have them.".to_owned(),
        );
        return;
    }
    let mut plan = match plan(config, run) {
        Ok(plan) => plan,
        Err(error) => {
            run.notes.push(format!(
                "There are no boards, as the records cannot be judged again: {error:#}."
            ));
            return;
        }
    };
    plan.want.board = true;
    // An engine is not asked again, and without it nobody owns anything.
    plan.want.ownership = !by_engine(run);
    plan.hidden = true;
    for (at, redrawn) in redraw(&plan, args.root.as_deref(), jobs, &fold.mismatches) {
        if let Some(row) = fold.mismatches.get_mut(at) {
            row.board = redrawn.board;
            row.note = redrawn.note;
        }
    }
    let lost = |row: &&Kept| row.board.is_none() && row.note == GONE;
    let lost = fold.mismatches.iter().filter(lost).count();
    if lost > 0 && args.root.is_none() {
        run.notes.push(format!(
            "Files of records that disagree ({lost}) are not there any more: where they lie elsewhere, --root names the folder that origins begin in."
        ));
    }
}

fn by_engine(run: &About) -> bool {
    let settings = run.settings.as_ref();
    settings
        .and_then(|settings| settings.get("dead"))
        .map(String::as_str)
        == Some("gtp")
}

/// A plan to judge records as they were judged for the rows. No program is
/// started because a file says so.
fn plan(config: &Config, run: &mut About) -> Result<Plan> {
    let (mut reading, mut judging) = (Reading::default(), Judging::default());
    if let Some(settings) = &run.settings {
        (reading, judging) = arguments(settings)?;
    }
    if by_engine(run) {
        judging.dead = Some("none".to_owned());
        run.notes.push(
            "An engine judged dead stones (--dead gtp) and is not asked again: boards that the rows lack are drawn without them.".to_owned(),
        );
    }
    // The program's own default, and not an engine of kifu.toml.
    judging.dead.get_or_insert_with(|| "auto".to_owned());
    let configured = [
        ("profile", displayed(&config.profiles)),
        ("input", displayed(&config.input)),
    ];
    for (name, now) in configured {
        let settings = run.settings.as_ref();
        let then = settings.map(|settings| settings.get(name).cloned().unwrap_or_default());
        if then.is_some_and(|then| then != now) {
            run.notes.push(format!(
                "kifu.toml has other entries [[{name}]] than when these rows were written, so boards may be judged otherwise; --config names another."
            ));
        }
    }
    setup::plan(&mut reading, &mut judging, config)
}

fn displayed(items: &[impl ToString]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(", ")
}

/// The arguments that gave a summary its settings.
fn arguments(settings: &BTreeMap<String, String>) -> Result<(Reading, Judging)> {
    let text = |name: &str| settings.get(name).cloned();
    let amount = |name: &str| {
        let parsed = settings.get(name).map(|text| text.parse());
        let parsed = parsed.transpose().map_err(|error: String| anyhow!(error));
        parsed.with_context(|| format!("the setting {name} of the summary"))
    };
    let number = |name: &str| {
        let parsed = settings.get(name).map(|text| text.parse()).transpose();
        parsed.with_context(|| format!("the setting {name} of the summary"))
    };
    let reading = Reading {
        input_format: text("input_format"),
        encoding: text("encoding"),
        game: text("game"),
        size: text("size"),
        first_row: text("first_row"),
        strict: settings.contains_key("strict"),
        max_record: amount("max_record")?,
        max_unpacked: amount("max_unpacked")?,
        max_ratio: amount("max_ratio")?,
        max_members: amount("max_members")?,
        max_window: amount("max_window")?,
    };
    let judging = Judging {
        rules: text("rules"),
        default_rules: text("default_rules"),
        komi: text("komi"),
        default_komi: text("default_komi"),
        dead: text("dead"),
        gtp: None,
        gtp_seconds: None,
        convention: text("convention"),
        five_eye: text("five_eye"),
        fouls: text("fouls"),
        no_capture: number("no_capture")?,
        search: text("search"),
        nodes: number("nodes")?,
        no_profiles: settings.contains_key("no_profiles"),
        judge: match settings.get("judge").map(String::as_str) {
            Some("all") => Some(ScopeArg::All),
            _ => Some(ScopeArg::Counted),
        },
        tolerance: text("tolerance"),
    };
    Ok((reading, judging))
}

/// Why a file gives no board.
const GONE: &str = "the file is not there any more";

/// A board drawn anew, or why not.
#[derive(Clone, Default)]
struct Redrawn {
    board: Option<String>,
    note: String,
}

impl Redrawn {
    fn none(note: &str) -> Self {
        Self {
            board: None,
            note: note.to_owned(),
        }
    }
}

/// Judges the records of rows without a board again, file by file, on some
/// threads; the board of each, by its place among the rows.
fn redraw(plan: &Plan, root: Option<&Path>, jobs: usize, rows: &[Kept]) -> Vec<(usize, Redrawn)> {
    let mut files: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        if row.board.is_none() {
            let origin = row.get(Field::Origin);
            let file = origin.split(['!', '#']).next().unwrap_or_default();
            files.entry(file).or_default().push(at);
        }
    }
    let files: Vec<(&str, Vec<usize>)> = files.into_iter().collect();
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs.min(files.len()) {
            scope.spawn(|| {
                let mut labeller = Labeller::new(plan);
                while let Some((file, wanted)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let drawn = redraw_file(plan, &mut labeller, (file, root), wanted, rows);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.extend(drawn);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The boards of some rows of one file.
fn redraw_file(
    plan: &Plan,
    labeller: &mut Labeller<'_>,
    (file, root): (&str, Option<&Path>),
    wanted: &[usize],
    rows: &[Kept],
) -> Vec<(usize, Redrawn)> {
    let all = |note: &str| wanted.iter().map(|at| (*at, Redrawn::none(note))).collect();
    if file == "-" {
        return all("the record came from standard input, which cannot be read again");
    }
    let name = unescape(file);
    let path = root.map_or_else(|| name.clone(), |root| root.join(&name));
    if !path.is_file() {
        return all(GONE);
    }
    let entry = Entry {
        name: file.to_owned(),
        path,
        named: true,
        once: false,
        container: None,
        range: None,
    };
    let mut left: HashMap<&str, Vec<usize>> = HashMap::new();
    for at in wanted {
        if let Some(row) = rows.get(*at) {
            left.entry(row.get(Field::Origin)).or_default().push(*at);
        }
    }
    let mut drawn = Vec::new();
    visit(plan, &entry, &mut |met| {
        let Met::Record(cut) = met else {
            return true;
        };
        let arena = Arena::default();
        let origin = if cut.file.format.known_by_id() {
            cut.origin_of(&super::explain::record_of(cut.read(&arena)))
        } else {
            cut.origin()
        };
        let Some(places) = left.remove(origin.to_string().as_str()) else {
            return true;
        };
        labeller.label(cut, &mut |label, _| {
            for at in &places {
                if let Some(row) = rows.get(*at) {
                    drawn.push((*at, board_of(label, row)));
                }
            }
        });
        !left.is_empty()
    });
    for at in left.into_values().flatten() {
        drawn.push((at, Redrawn::none("the file has no such record any more")));
    }
    drawn
}

/// The final board of a record that was judged again for a row.
fn board_of(label: &Label<'_>, row: &Kept) -> Redrawn {
    if !row.content_hash.is_empty() && format!("{:032x}", label.content_hash) != row.content_hash {
        return Redrawn::none("the record has changed since it was labelled");
    }
    let Some(judgement) = &label.judgement else {
        return Redrawn::none("the record cannot be judged with the settings in force now");
    };
    let (columns, lines) = judgement.size;
    let board = judgement.diagram.clone().or_else(|| {
        let size = (usize::from(columns), usize::from(lines));
        compact(
            judgement.board.as_deref()?,
            judgement.ownership.as_deref(),
            size,
        )
    });
    let winner = judgement.outcome.map_or("", |it| label.outcome_word(it));
    let margin = judgement.margin.map(|it| it.abs().to_string());
    let margin = margin.unwrap_or_default();
    let same = winner == row.get(Field::Winner) && margin == row.get(Field::Margin);
    let note = match (&board, same) {
        (None, _) => "the judge drew no board".to_owned(),
        (_, true) => String::new(),
        (_, false) => {
            let says = match judgement.outcome {
                None => "does not decide".to_owned(),
                Some(Outcome::Draw) => "is a draw".to_owned(),
                Some(_) if margin.is_empty() => format!("is a win of {winner}"),
                Some(_) => format!("is {winner}+{margin}"),
            };
            format!("judged again with the settings in force now, the board {says}")
        }
    };
    Redrawn { board, note }
}
