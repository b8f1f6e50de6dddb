//! The run itself: fills the conveyor, takes batches in order, writes them.

use std::{cell::RefCell, collections::VecDeque, fs::File, io, rc::Rc, sync::atomic::Ordering};

use rayon::ThreadPoolBuilder;

use super::{
    Baseline, Outlet, Plan, Progress,
    conveyor::Conveyor,
    duplicates::Note,
    feed::{Feed, FileFeed, Step, WalkFeed},
    sample::Sample,
    scribe::{Lane, Rows},
    state::{Log, State},
    worker::{Batch, Crew, Item, Job, Unread, Work},
};
use crate::{
    label::Status,
    report::{RowWriter, Tally, Written},
    source::Walk,
};

/// A stack that is deep enough for what `sgf-parse` drops.
pub(super) const STACK: usize = 8 << 20;

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
    /// Rows that are those of earlier runs.
    pub kept: u64,
    /// The files of rows.
    pub written: Vec<Written>,
}

/// Labels everything a walk finds; with a state, what is new in it since earlier
/// runs. Interrupted, a run with a state writes no output.
///
/// # Errors
/// Where rows cannot be written, or threads cannot be started. What is wrong
/// with single files and records is in their rows.
pub fn run(
    plan: &Plan,
    walk: Walk,
    outlets: Vec<Outlet>,
    state: Option<State>,
    progress: &Progress,
) -> io::Result<Outcome> {
    run_noting(plan, walk, outlets, state, progress, None)
}

/// Reads everything a walk finds, and gives what the survey of the plan found, in
/// the order of rows.
pub(super) fn survey(
    plan: &Plan,
    walk: Walk,
    progress: &Progress,
    each: &mut dyn FnMut(Note),
) -> io::Result<()> {
    run_noting(plan, walk, Vec::new(), None, progress, Some(each)).map(|_| ())
}

fn run_noting(
    plan: &Plan,
    walk: Walk,
    outlets: Vec<Outlet>,
    state: Option<State>,
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
            is_audit: outlet.is_audit,
        });
    }
    let (kept, log) = match state.map(State::split) {
        Some((kept, log, lock)) => (Some(Rc::new(RefCell::new(kept))), Some((log, lock))),
        None => (None, None),
    };
    let feed = WalkFeed::new(walk, kept);
    let crew = Crew::new(plan, progress, lanes);
    let mut writer = Writer {
        plan,
        progress,
        outputs,
        outcome: Outcome::default(),
        sample: plan.sample.map(|(size, _)| Sample::new(size)),
        each_note,
        log,
    };
    if plan.jobs <= 1 {
        drive(&mut Conveyor::new(&crew, None), feed, &mut writer, &crew)?;
    } else {
        let pool = ThreadPoolBuilder::new()
            .num_threads(plan.jobs)
            .stack_size(STACK)
            .build()
            .map_err(io::Error::other)?;
        pool.in_place_scope(|scope| {
            let result = drive(
                &mut Conveyor::new(&crew, Some(scope)),
                feed,
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
    writer.finish(&crew)
}

/// One place in the order of rows.
enum Slot {
    /// A job under way, or done and not yet written.
    Sent(u64),
    /// A job that waits for room.
    Ready(Job),
    /// Rows that need no work.
    Rows(Batch),
    /// Jobs to come.
    Feed(Box<dyn Feed>),
}

/// Keeps the conveyor full and writes what comes back, in order.
///
/// The slots are all that is still to be written. Feeds stand among the jobs
/// where their rows belong; the first one is asked for jobs first.
fn drive(
    conveyor: &mut Conveyor<'_, '_, '_>,
    feed: WalkFeed,
    writer: &mut Writer<'_, '_>,
    crew: &Crew<'_>,
) -> io::Result<()> {
    let mut slots: VecDeque<Slot> = VecDeque::new();
    slots.push_back(Slot::Feed(Box::new(feed)));
    while !writer.is_done() {
        writer.outcome.files += fill(conveyor, &mut slots, crew);
        let batch = match slots.pop_front() {
            Some(Slot::Sent(number)) => conveyor.wait(number),
            Some(Slot::Rows(batch)) => batch,
            _ => return Ok(()),
        };
        let cut = batch.cut;
        let deferred = writer.take(batch, crew)?;
        if cut || crew.progress.stopped() {
            writer.outcome.interrupted = true;
            return Ok(());
        }
        if let Some((unread, rest)) = deferred {
            if !rest.is_empty() {
                slots.push_front(Slot::Ready(Work::Files(rest).into()));
            }
            slots.push_front(Slot::Feed(Box::new(FileFeed::new(unread))));
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
        let is_done = |slot: &Slot| matches!(slot, Slot::Sent(_) | Slot::Rows(_));
        let waiting = slots.iter().position(|slot| !is_done(slot));
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
                    Some(Step::Rows(rows, files)) => {
                        let batch = Batch {
                            rows,
                            files,
                            ..Batch::default()
                        };
                        slots.insert(place, Slot::Rows(batch));
                    }
                    Some(Step::Feed(feed)) => {
                        files += 1;
                        slots.insert(place, Slot::Feed(feed));
                    }
                    None => {}
                }
            }
            Some(Slot::Sent(_) | Slot::Rows(_)) | None => break,
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
    /// What is written down for the runs to come, and the lock on it.
    log: Option<(Log, File)>,
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
    ) -> io::Result<Option<(Unread, VecDeque<Item>)>> {
        for rows in batch.rows {
            if self.is_done() {
                break;
            }
            match &mut self.sample {
                Some(sample) => sample.add(rows, &crew.threshold),
                None => self.write(rows, crew)?,
            }
        }
        if let Some((log, _)) = &mut self.log {
            log.commit()?;
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

    fn write(&mut self, rows: Rows, crew: &Crew<'_>) -> io::Result<()> {
        if let Some((log, _)) = &mut self.log {
            log.add(&rows)?;
        }
        let is_new = |(key, _): &&(u64, u32)| !self.plan.baseline.knows(*key);
        self.outcome.failing += rows.failing.iter().filter(is_new).count() as u64;
        if rows.is_kept {
            self.outcome.kept += rows.tally.rows;
        }
        let lanes = self.outputs.iter_mut().zip(&crew.lanes);
        for ((output, lane), bytes) in lanes.zip(&rows.bytes) {
            if lane.is_audit {
                write_new(&mut **output, bytes, &rows.failing, &self.plan.baseline)?;
            } else {
                output.write(bytes)?;
            }
        }
        if let Some(each) = &mut self.each_note {
            rows.notes.into_iter().for_each(each);
        }
        let tally = &mut self.outcome.tally;
        tally.merge(&rows.tally);
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

    fn finish(mut self, crew: &Crew<'_>) -> io::Result<Outcome> {
        if let Some(sample) = self.sample.take() {
            for rows in sample.in_order() {
                self.write(rows, crew)?;
            }
        }
        self.outcome.interrupted |= self.progress.stopped();
        if self.outcome.interrupted && self.log.is_some() {
            // The outputs of the last whole run are better than half of new ones.
            return Ok(self.outcome);
        }
        // A disk that is full now leaves no file behind.
        for output in &mut self.outputs {
            output.end()?;
            if self.log.is_some() {
                output.sync()?;
            }
        }
        for output in self.outputs {
            self.outcome.written.extend(output.keep()?);
        }
        if let Some((log, _lock)) = self.log {
            log.finish()?;
        }
        Ok(self.outcome)
    }
}

/// Writes the lines of an audit that the baseline does not know.
fn write_new(
    output: &mut dyn RowWriter,
    mut lines: &[u8],
    failing: &[(u64, u32)],
    baseline: &Baseline,
) -> io::Result<()> {
    for (key, length) in failing {
        let Some((line, rest)) = lines.split_at_checked(*length as usize) else {
            break;
        };
        lines = rest;
        if !baseline.knows(*key) {
            output.write(line)?;
        }
    }
    Ok(())
}
