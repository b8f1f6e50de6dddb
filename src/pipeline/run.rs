//! The run itself: fills the conveyor, takes batches in order, writes them.

use std::{collections::VecDeque, io, sync::atomic::Ordering};

use rayon::ThreadPoolBuilder;

use super::{
    Outlet, Plan, Progress,
    conveyor::{Batch, Conveyor, Crew, Item, Job, head, no_format, no_record, unreadable},
    cutter::Cutter,
    sample::Sample,
    scribe::{Lane, Rows},
};
use crate::{
    format,
    label::Status,
    record::ReadError,
    report::{Output, Tally},
    source::{Entry, Found, Stream, Walk},
};

/// Files in one job, unless fewer rows are wanted.
const FILES: usize = 256;

/// A stack that is deep enough for what `sgf-parse` drops.
const STACK: usize = 8 << 20;

/// How a run ended.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Counts over all rows.
    pub tally: Tally,
    /// Rows that make an audit fail.
    pub failing: u64,
    /// Whether it was asked to stop before its end.
    pub interrupted: bool,
    /// Files and other things met.
    pub files: u64,
}

/// Labels everything a walk finds.
///
/// # Errors
/// Where rows cannot be written, or threads cannot be started. What is wrong
/// with single files and records is in their rows.
pub fn run(
    plan: &Plan,
    walk: Walk,
    outlets: Vec<Outlet>,
    progress: &Progress,
) -> io::Result<Outcome> {
    let mut lanes = Vec::new();
    let mut outputs = Vec::new();
    for outlet in outlets {
        let mut output = outlet.output;
        output.write(&outlet.sink.header(&outlet.schema))?;
        outputs.push(output);
        lanes.push(Lane {
            sink: outlet.sink,
            schema: outlet.schema,
            accepts: outlet.accepts,
        });
    }
    let crew = Crew::new(plan, progress, lanes);
    let mut writer = Writer {
        plan,
        progress,
        outputs,
        outcome: Outcome::default(),
        sample: plan.sample.map(|(size, _)| Sample::new(size)),
    };
    if plan.jobs <= 1 {
        drive(&mut Conveyor::new(&crew, None), walk, &mut writer, &crew)?;
    } else {
        let pool = ThreadPoolBuilder::new()
            .num_threads(plan.jobs)
            .stack_size(STACK)
            .build()
            .map_err(io::Error::other)?;
        pool.in_place_scope(|scope| {
            let result = drive(
                &mut Conveyor::new(&crew, Some(scope)),
                walk,
                &mut writer,
                &crew,
            );
            if result.is_err() {
                // Jobs under way need not be finished for nobody.
                progress.stop();
            }
            result
        })?;
    }
    writer.finish()
}

/// Keeps the conveyor full and writes what comes back, in order.
fn drive(
    conveyor: &mut Conveyor<'_, '_, '_>,
    walk: Walk,
    writer: &mut Writer<'_>,
    crew: &Crew<'_>,
) -> io::Result<()> {
    let mut items = walk.filter_map(item);
    let limit = crew.plan.limit.and_then(|limit| limit.try_into().ok());
    let files = limit.map_or(FILES, |limit: usize| limit.clamp(1, FILES));
    let mut queue = VecDeque::new();
    loop {
        while queue.len() < conveyor.room() && !writer.is_done() {
            let batch: VecDeque<Item> = items.by_ref().take(files).collect();
            if batch.is_empty() {
                break;
            }
            queue.push_back(conveyor.submit(Job::Files(batch)));
        }
        let Some(number) = queue.pop_front() else {
            return Ok(());
        };
        let batch = conveyor.wait(number);
        let cut = batch.cut;
        let deferred = writer.take(batch, crew)?;
        if cut || writer.is_done() {
            writer.outcome.interrupted |= cut;
            return Ok(());
        }
        if let Some((entry, rest)) = deferred {
            stream(conveyor, &entry, writer, crew)?;
            writer.outcome.files += 1;
            if writer.outcome.interrupted || writer.is_done() {
                return Ok(());
            }
            if !rest.is_empty() {
                queue.push_front(conveyor.submit(Job::Files(rest)));
            }
        }
    }
}

fn item(found: Found) -> Option<Item> {
    match found {
        Found::File(entry) => Some(Item::Read(entry)),
        Found::Special(entry) => {
            let error = ReadError::new("special_file", "not a regular file, so it is not read");
            Some(Item::Row(entry, Status::Skipped, error))
        }
        Found::Unreadable(entry, error) => {
            Some(Item::Row(entry, Status::Broken, unreadable(&error)))
        }
        Found::Loop(path) => {
            tracing::warn!(
                "{} leads back to a folder it lies in; not followed",
                path.display()
            );
            None
        }
    }
}

/// Cuts a large file or a pipe at record borders and labels the windows.
fn stream(
    conveyor: &mut Conveyor<'_, '_, '_>,
    entry: &Entry,
    writer: &mut Writer<'_>,
    crew: &Crew<'_>,
) -> io::Result<()> {
    let row = |status, error| Job::Files(VecDeque::from([Item::Row(entry.clone(), status, error)]));
    let mut stream = match Stream::open(&entry.path) {
        Ok(stream) => stream,
        Err(error) => {
            let number = conveyor.submit(row(Status::Broken, unreadable(&error)));
            writer.take(conveyor.wait(number), crew)?;
            return Ok(());
        }
    };
    let chosen = format::choose(&entry.path, head(stream.window()));
    let Some((format, _)) = chosen else {
        let (status, error) = no_format(entry, stream.window());
        let number = conveyor.submit(row(status, error));
        writer.take(conveyor.wait(number), crew)?;
        return Ok(());
    };
    let mut cutter = Cutter::new(format, &entry.name, crew.plan.max_record);
    let mut queue = VecDeque::new();
    loop {
        let job = cutter.next(&mut stream);
        let last = job.is_none();
        let job = match job {
            Some(Ok(window)) => Some(Job::Records(window)),
            Some(Err(error)) => Some(row(Status::Broken, unreadable(&error))),
            None if cutter.is_empty() => Some(row(Status::Broken, no_record(cutter.state()))),
            None => None,
        };
        queue.extend(job.map(|job| conveyor.submit(job)));
        while let Some(number) = queue.front()
            && (last || queue.len() >= conveyor.room())
        {
            let batch = conveyor.wait(*number);
            queue.pop_front();
            writer.outcome.interrupted |= batch.cut;
            writer.take(batch, crew)?;
            if writer.outcome.interrupted || writer.is_done() {
                return Ok(());
            }
        }
        if last {
            return Ok(());
        }
    }
}

/// Writes batches and counts.
struct Writer<'p> {
    plan: &'p Plan,
    progress: &'p Progress,
    outputs: Vec<Output>,
    outcome: Outcome,
    sample: Option<Sample>,
}

impl Writer<'_> {
    /// Whether enough rows are written.
    fn is_done(&self) -> bool {
        self.plan
            .limit
            .is_some_and(|limit| self.outcome.tally.rows >= limit)
    }

    fn take(
        &mut self,
        batch: Batch,
        crew: &Crew<'_>,
    ) -> io::Result<Option<(Entry, VecDeque<Item>)>> {
        for rows in batch.rows {
            if self.is_done() {
                break;
            }
            match &mut self.sample {
                Some(sample) => sample.add(rows, &crew.threshold),
                None => self.write(&rows)?,
            }
        }
        if self.is_done() {
            crew.enough.store(true, Ordering::Relaxed);
        }
        for output in &mut self.outputs {
            output.flush()?;
        }
        self.outcome.files += batch.files;
        self.progress
            .files
            .store(self.outcome.files, Ordering::Relaxed);
        Ok(batch.deferred)
    }

    fn write(&mut self, rows: &Rows) -> io::Result<()> {
        for (output, bytes) in self.outputs.iter_mut().zip(&rows.bytes) {
            output.write(bytes)?;
        }
        let tally = &mut self.outcome.tally;
        tally.merge(&rows.tally);
        self.outcome.failing += rows.failing;
        let mismatches = tally.of(Status::WinnerDiffers) + tally.of(Status::MarginDiffers);
        self.progress.rows.store(tally.rows, Ordering::Relaxed);
        self.progress
            .mismatches
            .store(mismatches, Ordering::Relaxed);
        self.progress
            .broken
            .store(tally.of(Status::Broken), Ordering::Relaxed);
        Ok(())
    }

    fn finish(mut self) -> io::Result<Outcome> {
        if let Some(sample) = self.sample.take() {
            for rows in sample.in_order() {
                self.write(&rows)?;
            }
        }
        self.outcome.interrupted |= self.progress.stopped();
        for output in self.outputs {
            output.finish()?;
        }
        Ok(self.outcome)
    }
}
