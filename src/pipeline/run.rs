//! The run itself: fills the conveyor, takes batches in order, writes them.

use std::{collections::VecDeque, io, sync::atomic::Ordering};

use rayon::ThreadPoolBuilder;

use super::{
    Outlet, Plan, Progress,
    conveyor::Conveyor,
    duplicates::Note,
    feed::{Feed, FileFeed, Step, WalkFeed},
    sample::Sample,
    scribe::{Lane, Rows},
    worker::{Batch, Crew, Item, Job},
};
use crate::{
    label::Status,
    report::{RowWriter, Tally},
    source::{Entry, Walk},
};

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
    run_noting(plan, walk, outlets, progress, None)
}

/// Reads everything a walk finds, and gives what the survey of the plan found, in
/// the order of rows.
pub(super) fn survey(
    plan: &Plan,
    walk: Walk,
    progress: &Progress,
    each: &mut dyn FnMut(Note),
) -> io::Result<()> {
    run_noting(plan, walk, Vec::new(), progress, Some(each)).map(|_| ())
}

fn run_noting(
    plan: &Plan,
    walk: Walk,
    outlets: Vec<Outlet>,
    progress: &Progress,
    each_note: Option<&mut dyn FnMut(Note)>,
) -> io::Result<Outcome> {
    let mut lanes = Vec::new();
    let mut outputs = Vec::new();
    for outlet in outlets {
        outputs.push(outlet.writer);
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
        each_note,
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

/// One place in the order of rows.
enum Slot {
    /// A job under way, or done and not yet written.
    Sent(u64),
    /// A job that waits for room.
    Ready(Job),
    /// Jobs to come.
    Feed(Box<dyn Feed>),
}

/// Keeps the conveyor full and writes what comes back, in order.
///
/// The slots are all that is still to be written. Feeds stand among the jobs
/// where their rows belong; the first one is asked for jobs first.
fn drive(
    conveyor: &mut Conveyor<'_, '_, '_>,
    walk: Walk,
    writer: &mut Writer<'_, '_>,
    crew: &Crew<'_>,
) -> io::Result<()> {
    let mut slots: VecDeque<Slot> = VecDeque::new();
    slots.push_back(Slot::Feed(Box::new(WalkFeed::new(walk))));
    while !writer.is_done() {
        writer.outcome.files += fill(conveyor, &mut slots, crew);
        let Some(Slot::Sent(number)) = slots.pop_front() else {
            return Ok(());
        };
        let batch = conveyor.wait(number);
        let cut = batch.cut;
        let deferred = writer.take(batch, crew)?;
        if cut || crew.progress.stopped() {
            writer.outcome.interrupted = true;
            return Ok(());
        }
        if let Some((entry, rest)) = deferred {
            if !rest.is_empty() {
                slots.push_front(Slot::Ready(Job::Files(rest)));
            }
            slots.push_front(Slot::Feed(Box::new(FileFeed::Closed(entry))));
            writer.outcome.files += 1;
        }
    }
    Ok(())
}

/// Sends jobs from the front of the slots, as many as the conveyor has room
/// for; how many files got a feed of their own.
fn fill(conveyor: &mut Conveyor<'_, '_, '_>, slots: &mut VecDeque<Slot>, crew: &Crew<'_>) -> u64 {
    let mut files = 0;
    while !crew.progress.stopped() {
        let waiting = slots.iter().position(|slot| !matches!(slot, Slot::Sent(_)));
        let Some(place) = waiting.filter(|place| *place < conveyor.room()) else {
            break;
        };
        match slots.remove(place) {
            Some(Slot::Ready(job)) => {
                slots.insert(place, Slot::Sent(conveyor.submit(job)));
            }
            Some(Slot::Feed(mut feed)) => {
                let step = feed.next(crew.plan);
                if step.is_some() {
                    slots.insert(place, Slot::Feed(feed));
                }
                match step {
                    Some(Step::Job(job)) => slots.insert(place, Slot::Ready(job)),
                    Some(Step::Feed(feed)) => {
                        files += 1;
                        slots.insert(place, Slot::Feed(feed));
                    }
                    None => {}
                }
            }
            Some(Slot::Sent(_)) | None => break,
        }
    }
    files
}

/// Writes batches and counts.
struct Writer<'p, 'n> {
    plan: &'p Plan,
    progress: &'p Progress,
    outputs: Vec<Box<dyn RowWriter>>,
    outcome: Outcome,
    sample: Option<Sample>,
    each_note: Option<&'n mut (dyn FnMut(Note) + 'n)>,
}

impl Writer<'_, '_> {
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
                None => self.write(rows)?,
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

    fn write(&mut self, rows: Rows) -> io::Result<()> {
        if let Some(each) = &mut self.each_note {
            rows.notes.into_iter().for_each(each);
        }
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
                self.write(rows)?;
            }
        }
        self.outcome.interrupted |= self.progress.stopped();
        // A disk that is full now leaves no file behind.
        for output in &mut self.outputs {
            output.end()?;
        }
        for output in self.outputs {
            output.keep()?;
        }
        Ok(self.outcome)
    }
}
