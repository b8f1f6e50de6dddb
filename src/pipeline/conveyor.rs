//! Workers and the conveyor that carries jobs to them and batches back.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
};

use rayon::Scope;

use super::{
    Plan, Progress,
    labeller::{Cut, Labeller},
    scribe::{Lane, Rows, Scribe},
};
use crate::{
    format::{self, Format, Piece, SplitState},
    label::{Label, Status},
    record::{Origin, ReadError},
    source::{Entry, Fetched, charset, fetch},
};

/// Work for one worker.
pub(super) enum Job {
    /// Files to read, and rows for what cannot be read.
    Files(VecDeque<Item>),
    /// Records cut out of a stream.
    Records(Window),
}

/// One thing that a walk came upon.
pub(super) enum Item {
    /// A file to read.
    Read(Entry),
    /// Something that gives a row as it is.
    Row(Entry, Status, ReadError),
}

/// A window of a stream with the records in it.
pub(super) struct Window {
    pub(super) format: &'static dyn Format,
    pub(super) name: Arc<str>,
    pub(super) bytes: Vec<u8>,
    pub(super) pieces: Vec<Piece>,
    /// Index of the first piece, from 1.
    pub(super) index: u64,
    /// Bytes of the stream before the window.
    pub(super) before: u64,
}

impl Window {
    /// The records in it.
    pub(super) fn cuts(&self) -> impl Iterator<Item = Cut<'_>> {
        self.pieces
            .iter()
            .zip(self.index..)
            .map(|(piece, index)| Cut {
                format: self.format,
                window: &self.bytes,
                piece: *piece,
                name: &self.name,
                index,
                before: self.before,
            })
    }
}

/// What a worker made of a job.
#[derive(Default)]
pub(super) struct Batch {
    /// Encoded rows: all together, or one by one where rows are counted or
    /// chosen.
    pub(super) rows: Vec<Rows>,
    /// A file too large for a worker, and the items after it.
    pub(super) deferred: Option<(Entry, VecDeque<Item>)>,
    /// Whether the run was asked to stop before the job was done.
    pub(super) cut: bool,
    /// Files done.
    pub(super) files: u64,
}

/// The workers at rest, and what all of them share.
pub(super) struct Crew<'p> {
    pub(super) plan: &'p Plan,
    pub(super) progress: &'p Progress,
    pub(super) lanes: Vec<Lane>,
    /// Records ranked above this cannot be in the sample any more.
    pub(super) threshold: AtomicU64,
    /// Whether no more rows are wanted.
    pub(super) enough: AtomicBool,
    idle: Mutex<Vec<Worker<'p>>>,
}

impl<'p> Crew<'p> {
    pub(super) fn new(plan: &'p Plan, progress: &'p Progress, lanes: Vec<Lane>) -> Self {
        Self {
            plan,
            progress,
            lanes,
            threshold: AtomicU64::new(u64::MAX),
            enough: AtomicBool::new(false),
            idle: Mutex::new(Vec::new()),
        }
    }

    fn work(&self, job: Job) -> Batch {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle().pop();
        let mut worker = worker.unwrap_or_else(|| Worker::new(self));
        let batch = worker.work(self, job);
        idle().push(worker);
        batch
    }
}

/// Carries jobs to workers; batches are waited for one by one.
pub(super) struct Conveyor<'a, 'scope, 'plan> {
    crew: &'scope Crew<'plan>,
    scope: Option<&'a Scope<'scope>>,
    next: u64,
    done: HashMap<u64, Batch>,
    sender: mpsc::Sender<(u64, Batch)>,
    receiver: mpsc::Receiver<(u64, Batch)>,
}

impl<'a, 'scope, 'plan> Conveyor<'a, 'scope, 'plan> {
    /// A conveyor to the threads of a scope, or to this thread without one.
    pub(super) fn new(crew: &'scope Crew<'plan>, scope: Option<&'a Scope<'scope>>) -> Self {
        let (sender, receiver) = mpsc::channel();
        Self {
            crew,
            scope,
            next: 0,
            done: HashMap::new(),
            sender,
            receiver,
        }
    }

    /// How many jobs may be under way.
    pub(super) fn room(&self) -> usize {
        if self.scope.is_some() {
            4 * self.crew.plan.jobs
        } else {
            1
        }
    }

    /// Hands a job over; its number is for [`Conveyor::wait`].
    pub(super) fn submit(&mut self, job: Job) -> u64 {
        let number = self.next;
        self.next += 1;
        let crew = self.crew;
        match self.scope {
            None => {
                self.done.insert(number, crew.work(job));
            }
            Some(scope) => {
                let sender = self.sender.clone();
                scope.spawn(move |_| {
                    let batch = crew.work(job);
                    // Nobody waits any more after an error: nothing is lost.
                    let _ = sender.send((number, batch));
                });
            }
        }
        number
    }

    /// Waits for the batch of a job.
    pub(super) fn wait(&mut self, number: u64) -> Batch {
        loop {
            if let Some(batch) = self.done.remove(&number) {
                return batch;
            }
            // A sender lives in this conveyor, so the channel stays open.
            if let Ok((number, batch)) = self.receiver.recv() {
                self.done.insert(number, batch);
            }
        }
    }
}

/// One worker with its scratch memory.
struct Worker<'p> {
    labeller: Labeller<'p>,
    scribe: Scribe<'p>,
    buffer: Vec<u8>,
}

impl<'p> Worker<'p> {
    fn new(crew: &Crew<'p>) -> Self {
        Self {
            labeller: Labeller::new(crew.plan),
            scribe: Scribe::new(crew.plan, &crew.lanes),
            buffer: Vec::new(),
        }
    }

    fn work(&mut self, crew: &Crew<'p>, job: Job) -> Batch {
        let mut batch = Batch::default();
        match job {
            Job::Files(mut items) => {
                while let Some(item) = items.pop_front() {
                    if crew.progress.stopped() {
                        batch.cut = true;
                        break;
                    }
                    if crew.enough.load(Ordering::Relaxed) {
                        break;
                    }
                    match item {
                        Item::Row(entry, status, error) => {
                            self.bare_row(crew, &entry.name, "", status, error, &mut batch);
                        }
                        Item::Read(entry) => {
                            if !self.file(crew, &entry, &mut batch) {
                                batch.deferred = Some((entry, items));
                                break;
                            }
                        }
                    }
                    batch.files += 1;
                }
            }
            Job::Records(window) => {
                for cut in window.cuts() {
                    if !self.record(crew, cut, &mut batch) {
                        break;
                    }
                }
            }
        }
        batch.rows.extend(self.scribe.take(0));
        batch
    }

    /// Labels the records of a file; `false` where it is too large for that.
    fn file(&mut self, crew: &Crew<'p>, entry: &Entry, batch: &mut Batch) -> bool {
        let mut buffer = std::mem::take(&mut self.buffer);
        let fetched = if entry.once {
            Ok(Fetched::Large)
        } else {
            fetch(&entry.path, &mut buffer)
        };
        let done = match fetched {
            Ok(Fetched::Large) => false,
            Ok(Fetched::Whole(length)) => {
                let text = charset::from_utf16(&buffer[..length]);
                self.bytes(
                    crew,
                    entry,
                    text.as_deref().unwrap_or(&buffer[..length]),
                    batch,
                );
                true
            }
            Err(error) => {
                self.bare_row(
                    crew,
                    &entry.name,
                    "",
                    Status::Broken,
                    unreadable(&error),
                    batch,
                );
                true
            }
        };
        self.buffer = buffer;
        done
    }

    fn bytes(&mut self, crew: &Crew<'p>, entry: &Entry, bytes: &[u8], batch: &mut Batch) {
        let Some((format, _)) = format::choose(&entry.path, head(bytes)) else {
            let (status, error) = no_format(entry, bytes);
            self.bare_row(crew, &entry.name, "", status, error, batch);
            return;
        };
        let mut state = SplitState::default();
        let mut index = 0;
        let mut going = true;
        format.split(&mut state, bytes, true, &crew.plan.context, &mut |piece| {
            index += 1;
            let cut = Cut {
                format,
                window: bytes,
                piece,
                name: &entry.name,
                index,
                before: 0,
            };
            going = going && self.record(crew, cut, batch);
        });
        if index == 0 {
            let error = no_record(state);
            self.bare_row(
                crew,
                &entry.name,
                format.name(),
                Status::Broken,
                error,
                batch,
            );
        }
    }

    /// Labels one record; `false` where the run was asked to stop.
    fn record(&mut self, crew: &Crew<'p>, cut: Cut<'_>, batch: &mut Batch) -> bool {
        if crew.progress.stopped() {
            batch.cut = true;
            return false;
        }
        if crew.enough.load(Ordering::Relaxed) {
            return false;
        }
        let key = rank(crew, &cut.origin());
        if key > crew.threshold.load(Ordering::Relaxed) {
            return true;
        }
        let Self {
            labeller, scribe, ..
        } = self;
        labeller.label(cut, &mut |label, _| scribe.add(label));
        self.end_row(crew, key, batch);
        true
    }

    fn bare_row(
        &mut self,
        crew: &Crew<'p>,
        name: &str,
        format: &'static str,
        status: Status,
        error: ReadError,
        batch: &mut Batch,
    ) {
        let origin = Origin::new(name, 1);
        let key = rank(crew, &origin);
        if key > crew.threshold.load(Ordering::Relaxed) {
            return;
        }
        let label = Label::unjudged(origin, format, status, error);
        self.scribe.add(&label);
        self.end_row(crew, key, batch);
    }

    fn end_row(&mut self, crew: &Crew<'p>, key: u64, batch: &mut Batch) {
        if crew.plan.limit.is_some() || crew.plan.sample.is_some() {
            batch.rows.extend(self.scribe.take(key));
        }
    }
}

/// The rank of a record in a sample: by a hash of its origin and the seed.
fn rank(crew: &Crew<'_>, origin: &Origin<'_>) -> u64 {
    crew.plan.sample.map_or(0, |(_, seed)| {
        xxhash_rust::xxh3::xxh3_64_with_seed(origin.to_string().as_bytes(), seed)
    })
}

pub(super) fn extension(entry: &Entry) -> Option<&str> {
    entry.path.extension().and_then(std::ffi::OsStr::to_str)
}

/// The bytes that a format may look at to recognise a file.
pub(super) fn head(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(4096)]
}

pub(super) fn unreadable(error: &std::io::Error) -> ReadError {
    ReadError::new("unreadable", format!("cannot be read: {error}"))
}

/// Extensions of files that hold other files.
const PACKED: &[&str] = &["gz", "tgz", "zst", "xz", "bz2", "zip", "tar", "7z", "rar"];

/// What to say of a file that no format recognises.
pub(super) fn no_format(entry: &Entry, bytes: &[u8]) -> (Status, ReadError) {
    if bytes.is_empty() {
        return (Status::Broken, no_record(SplitState::default()));
    }
    let packed = |extension: &str| {
        PACKED
            .iter()
            .any(|known| known.eq_ignore_ascii_case(extension))
    };
    if extension(entry).is_some_and(packed) {
        // It may hold any number of records, so it is not passed over quietly.
        let error = "compressed and packed files are not read; unpack it first";
        return (Status::Broken, ReadError::new("packed", error));
    }
    if entry.named {
        let error = "not in a format that kifu reads (sgf); name it .sgf if it is one";
        return (Status::Broken, ReadError::new("unknown_format", error));
    }
    let error = "not a game record: no known format by name or content";
    (Status::Skipped, ReadError::new("unknown_format", error))
}

/// What to say of a file without a record.
pub(super) fn no_record(state: SplitState) -> ReadError {
    if state.inked {
        ReadError::new("no_game", "no game record in this file")
    } else {
        ReadError::new("empty_file", "the file is empty or blank")
    }
}
