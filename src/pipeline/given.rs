//! Labels files that somebody hands over in memory, batch by batch: threads read
//! them, and rows go on in the order of the files.

use std::{
    any::Any,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
};

use super::{
    Outlet, Plan, Progress,
    cutter::Bare,
    file::unreadable,
    labeller::{Labeller, panicked},
    run::STACK,
    scribe::{Lane, Rows, Scribe},
    visit::{Met, visit_bytes},
};
use crate::{
    label::Status,
    report::{RowWriter, Tally},
    source::escape,
};

/// A file in memory.
pub struct Given {
    /// What it is called in rows, and what tells its format.
    pub path: PathBuf,
    /// Its bytes, or why there are none.
    pub bytes: io::Result<Box<dyn AsRef<[u8]> + Send>>,
}

/// Bytes of rows that a thread gathers before it hands them on.
const GATHERED: usize = 256 << 10;

/// How often a thread hands rows of a file on before those of files in front of it
/// are written.
const WAITING: usize = 4;

/// Labels what `next` gives until it gives no more, and ends the output. After each
/// batch the rows of all its files are written, for somebody who reads along.
///
/// No more is kept than a batch and some of its rows: a file whose turn has not
/// come waits when it has gathered enough.
///
/// # Errors
/// Where rows cannot be written or threads cannot be started, and what `next` says.
/// What is wrong with single files and records is in their rows.
pub fn label_given<E: From<io::Error>>(
    plan: &Plan,
    outlet: Outlet,
    progress: &Progress,
    next: &mut dyn FnMut() -> Result<Option<Vec<Given>>, E>,
) -> Result<Tally, E> {
    let Outlet {
        sink,
        schema,
        accepts,
        is_audit,
        writer: mut output,
    } = outlet;
    let lanes = [Lane {
        sink,
        schema,
        accepts,
        is_audit,
    }];
    let (jobs, queue) = mpsc::channel();
    let queue = Mutex::new(queue);
    let tally = thread::scope(|scope| {
        // Dropped at the end, which ends the threads.
        let jobs = jobs;
        for _ in 0..plan.jobs.max(1) {
            let thread = thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, || {
                work(&queue, progress, || Desk::new(plan, &lanes));
            })?;
        }
        let mut tally = Tally::default();
        let mut each = || -> Result<bool, E> {
            let Some(files) = next()? else {
                return Ok(false);
            };
            let mut turns = Vec::with_capacity(files.len());
            for file in files {
                let (rows, turn) = mpsc::sync_channel(WAITING);
                turns.push(turn);
                // The queue outlives its threads.
                let _ = jobs.send(Job { file, rows });
            }
            for turn in turns {
                write(turn, &mut *output, &mut tally)?;
            }
            output.part()?;
            Ok(true)
        };
        loop {
            match each() {
                Ok(true) => {}
                Ok(false) => return Ok(tally),
                Err(error) => {
                    // What is in hand need not be finished for nobody.
                    progress.stop();
                    return Err(error);
                }
            }
        }
    })?;
    output.end()?;
    output.keep()?;
    Ok(tally)
}

/// Writes the rows of a file, as they come.
fn write(turn: Receiver<Rows>, output: &mut dyn RowWriter, tally: &mut Tally) -> io::Result<()> {
    for rows in turn {
        tally.merge(&rows.tally);
        for bytes in &rows.bytes {
            output.write(bytes)?;
        }
    }
    Ok(())
}

/// A file, and where its rows go.
struct Job {
    file: Given,
    rows: SyncSender<Rows>,
}

/// Takes files from the queue, in its order, until there are no more to come. So
/// the file whose turn it is has always been taken, and is never waited for.
fn work<'p>(queue: &Mutex<Receiver<Job>>, progress: &Progress, desk: impl Fn() -> Desk<'p>) {
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
    let mut at = desk();
    while let Ok(job) = next() {
        if progress.stopped() {
            continue;
        }
        let done = catch_unwind(AssertUnwindSafe(|| at.file(&job)));
        if let Err(panic) = done {
            // It may be in any state.
            at = desk();
            at.fail(&job, &*panic);
        }
    }
}

/// What turns files into rows.
struct Desk<'p> {
    plan: &'p Plan,
    labeller: Labeller<'p>,
    scribe: Scribe<'p>,
}

impl<'p> Desk<'p> {
    fn new(plan: &'p Plan, lanes: &[Lane]) -> Self {
        Self {
            plan,
            labeller: Labeller::new(plan),
            scribe: Scribe::new(plan, lanes),
        }
    }

    /// Labels all records of a file.
    fn file(&mut self, job: &Job) {
        let Self {
            plan,
            labeller,
            scribe,
        } = self;
        let path = &job.file.path;
        match &job.file.bytes {
            Ok(bytes) => {
                visit_bytes(plan, path, (**bytes).as_ref(), &mut |met| {
                    match met {
                        Met::Record(cut) => labeller.label(cut, &mut |label, _| scribe.add(label)),
                        Met::Bare(bare) => scribe.add_bare(bare),
                    }
                    scribe.held() < GATHERED || hand_on(scribe, job)
                });
            }
            Err(error) => {
                let error = unreadable(error);
                scribe.add_bare(Bare::new(escape(path), Status::Broken, error));
            }
        }
        hand_on(scribe, job);
    }

    /// Says that kifu failed on a file.
    fn fail(&mut self, job: &Job, panic: &(dyn Any + Send)) {
        let error = panicked("file", panic);
        let bare = Bare::new(escape(&job.file.path), Status::Broken, error);
        self.scribe.add_bare(bare);
        hand_on(&mut self.scribe, job);
    }
}

/// Hands rows on; whether anybody wants more.
fn hand_on(scribe: &mut Scribe<'_>, job: &Job) -> bool {
    scribe
        .take(0)
        .is_none_or(|rows| job.rows.send(rows).is_ok())
}
