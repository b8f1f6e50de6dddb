//! Workers: jobs in, encoded rows out.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use xxhash_rust::xxh3::xxh3_128;

use super::{
    Plan, Progress,
    cutter::{Bare, Cutter, Window},
    file::{RecordFile, head, no_record, unreadable},
    labeller::{Cut, Labeller},
    scribe::{Lane, Rows, Scribe},
    state::{Mark, Part},
    visit::{Met, unpack, visit_packed, visit_stream},
};
use crate::{
    format::SplitState,
    label::Status,
    record::{Origin, ReadError},
    source::{
        Entry, Fetched, charset, fetch,
        packed::{self, Blob, Packed},
    },
};

/// Work for one worker.
pub(super) struct Job {
    pub(super) work: Work,
    /// The part of a file that its rows are, where a state is kept.
    pub(super) part: Option<Part>,
}

impl From<Work> for Job {
    fn from(work: Work) -> Self {
        Self { work, part: None }
    }
}

/// What there is to do.
pub(super) enum Work {
    /// Files to read, and rows for what cannot be read.
    Files(VecDeque<Item>),
    /// Members of a packed file, which is counted as one file.
    Members(VecDeque<Item>),
    /// Records cut out of a stream.
    Records(Window),
}

/// One thing that a walk or a packed file holds.
pub(super) enum Item {
    /// A file to read.
    Read(Unread),
    /// A member to unpack and read.
    Unpack(Entry, Blob),
    /// Something that gives a row as it is.
    Bare(Bare),
}

/// A file to read.
pub(super) struct Unread {
    pub(super) entry: Entry,
    /// How it looks, where a state is kept.
    pub(super) mark: Option<Arc<Mark>>,
    /// Its rows, if its bytes are those of an earlier run.
    pub(super) kept: Option<Box<Rows>>,
}

impl From<Entry> for Unread {
    fn from(entry: Entry) -> Self {
        Self {
            entry,
            mark: None,
            kept: None,
        }
    }
}

/// What came of a file.
enum Done {
    /// Its rows are with the scribe; a hash of its bytes.
    Labelled(Option<u128>),
    /// Its rows are those of an earlier run.
    Kept(Box<Rows>),
    /// It is too large for one worker.
    Large,
}

/// What a worker made of a job.
#[derive(Default)]
pub(super) struct Batch {
    /// Encoded rows: all together, or one by one where rows are counted or
    /// chosen.
    pub(super) rows: Vec<Rows>,
    /// A file too large for a worker, and the items after it.
    pub(super) deferred: Option<(Unread, VecDeque<Item>)>,
    /// Whether the run was asked to stop before the job was done.
    pub(super) cut: bool,
    /// Files done.
    pub(super) files: u64,
}

/// Packed files up to this size are unpacked by the worker that meets them,
/// larger ones are shared out.
const SMALL_PACKED: usize = 64 << 10;

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

    pub(super) fn work(&self, job: Job) -> Batch {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle().pop();
        let mut worker = worker.unwrap_or_else(|| Worker::new(self));
        let batch = worker.work(self, job);
        idle().push(worker);
        batch
    }
}

/// One worker with its scratch memory.
struct Worker<'p> {
    desk: Desk<'p>,
    buffer: Vec<u8>,
}

impl<'p> Worker<'p> {
    fn new(crew: &Crew<'p>) -> Self {
        Self {
            desk: Desk {
                labeller: Labeller::new(crew.plan),
                scribe: Scribe::new(crew.plan, &crew.lanes),
            },
            buffer: Vec::new(),
        }
    }

    fn work(&mut self, crew: &Crew<'p>, job: Job) -> Batch {
        let mut batch = Batch::default();
        let is_walked = matches!(job.work, Work::Files(_));
        match job.work {
            Work::Files(mut items) | Work::Members(mut items) => {
                while let Some(item) = items.pop_front() {
                    if crew.progress.stopped() {
                        batch.cut = true;
                        break;
                    }
                    if crew.enough.load(Ordering::Relaxed) {
                        break;
                    }
                    match item {
                        Item::Bare(bare) => self.desk.bare(crew, bare, &mut batch),
                        Item::Unpack(entry, blob) => self.blob(crew, &entry, &blob, &mut batch),
                        Item::Read(unread) => {
                            if let Some(unread) = self.read(crew, unread, &mut batch) {
                                batch.deferred = Some((unread, items));
                                break;
                            }
                        }
                    }
                    batch.files += u64::from(is_walked);
                }
            }
            Work::Records(window) => {
                for cut in window.cuts() {
                    if !self.desk.record(crew, cut, &mut batch) {
                        break;
                    }
                }
            }
        }
        let scribe = &mut self.desk.scribe;
        batch.rows.extend(match job.part {
            Some(part) if !batch.cut => Some(scribe.take_part(part)),
            _ => scribe.take(0),
        });
        batch
    }

    /// Labels the records of a file, and gives it back where it is too large for
    /// that. Where a state is kept, its rows are by themselves.
    fn read(&mut self, crew: &Crew<'p>, mut unread: Unread, batch: &mut Batch) -> Option<Unread> {
        let Some(file) = unread.mark.clone() else {
            let done = self.file(crew, &mut unread, batch);
            return matches!(done, Done::Large).then_some(unread);
        };
        batch.rows.extend(self.desk.scribe.take(0));
        let part = |hash| Part {
            file,
            number: 0,
            is_last: true,
            hash,
        };
        match self.file(crew, &mut unread, batch) {
            Done::Large => return Some(unread),
            Done::Labelled(hash) if !batch.cut => {
                batch.rows.push(self.desk.scribe.take_part(part(hash)));
            }
            Done::Labelled(_) => {}
            Done::Kept(mut rows) => {
                let hash = rows.part.as_ref().and_then(|part| part.hash);
                rows.part = Some(part(hash));
                // With the times that the file has now, they are new.
                rows.is_logged = false;
                batch.rows.push(*rows);
            }
        }
        None
    }

    fn file(&mut self, crew: &Crew<'p>, unread: &mut Unread, batch: &mut Batch) -> Done {
        let Self { desk, buffer } = self;
        let entry = &unread.entry;
        if entry.once || entry.range.is_some() {
            return Done::Large;
        }
        let mut hash = None;
        match fetch(&entry.path, buffer) {
            Ok(Fetched::Large) => return Done::Large,
            Ok(Fetched::Whole(length)) => {
                let bytes = &buffer[..length];
                hash = unread.mark.is_some().then(|| xxh3_128(bytes));
                let is_same = |kept: &mut Box<Rows>| {
                    let part = kept.part.as_ref();
                    part.is_some_and(|part| part.hash == hash)
                };
                if let Some(kept) = unread.kept.take_if(is_same) {
                    return Done::Kept(kept);
                }
                if packed::recognise(head(&entry.path, bytes)).is_none() {
                    desk.bytes(crew, entry, bytes, batch);
                } else if length > SMALL_PACKED {
                    return Done::Large;
                } else {
                    let name = entry.path.as_os_str().as_encoded_bytes();
                    let packed = Packed::from_bytes(bytes.to_vec(), name, crew.plan.limits);
                    match packed {
                        Ok(Ok(packed)) => {
                            let each = &mut |met: Met<'_>| desk.met(crew, met, batch);
                            visit_packed(crew.plan, entry, Box::new(packed), each);
                        }
                        Ok(Err(bytes)) => desk.bytes(crew, entry, &bytes, batch),
                        Err(error) => desk.failed(crew, entry, unreadable(&error), batch),
                    }
                }
            }
            Err(error) => desk.failed(crew, entry, unreadable(&error), batch),
        }
        Done::Labelled(hash)
    }

    /// Unpacks a member and labels its records.
    fn blob(&mut self, crew: &Crew<'p>, entry: &Entry, blob: &Blob, batch: &mut Batch) {
        let Self { desk, buffer } = self;
        match unpack(blob, buffer) {
            Ok(Some(length)) => desk.bytes(crew, entry, &buffer[..length], batch),
            Ok(None) => {
                let cutter = Cutter::new(crew.plan, entry, blob.reader());
                visit_stream(cutter, &mut |met| desk.met(crew, met, batch));
            }
            Err(error) => desk.failed(crew, entry, error, batch),
        }
    }
}

/// What turns records into rows.
struct Desk<'p> {
    labeller: Labeller<'p>,
    scribe: Scribe<'p>,
}

impl<'p> Desk<'p> {
    /// Labels the records of a file that is in memory.
    fn bytes(&mut self, crew: &Crew<'p>, entry: &Entry, bytes: &[u8], batch: &mut Batch) {
        let text = charset::from_utf16(bytes);
        let bytes = text.as_deref().unwrap_or(bytes);
        let file = match RecordFile::choose(crew.plan, entry, head(&entry.path, bytes)) {
            Ok(file) => file,
            Err((status, error)) => {
                self.bare(crew, Bare::new(&entry.name, status, error), batch);
                return;
            }
        };
        let mut state = SplitState::default();
        let mut index = 0;
        let mut going = true;
        file.format
            .split(&mut state, bytes, true, &file.context, &mut |piece| {
                index += 1;
                let cut = Cut {
                    file: &file,
                    window: bytes,
                    piece,
                    index,
                    before: 0,
                };
                going = going && self.record(crew, cut, batch);
            });
        if index == 0 {
            let bare = Bare {
                format: file.format.name(),
                ..Bare::new(&file.name, Status::Broken, no_record(&state))
            };
            self.bare(crew, bare, batch);
        }
    }

    fn met(&mut self, crew: &Crew<'p>, met: Met<'_>, batch: &mut Batch) -> bool {
        match met {
            Met::Record(cut) => self.record(crew, cut, batch),
            Met::Bare(bare) => {
                self.bare(crew, bare, batch);
                true
            }
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
        let Self { labeller, scribe } = self;
        // Asked to stop, the judge did not wait for its engine.
        let with_engine = crew.plan.settings.gtp.is_some();
        labeller.label(cut, &mut |label, _| {
            batch.cut = with_engine && crew.progress.stopped();
            if !batch.cut {
                scribe.add(label);
            }
        });
        if batch.cut {
            return false;
        }
        self.end_row(crew, key, batch);
        true
    }

    fn failed(&mut self, crew: &Crew<'p>, entry: &Entry, error: ReadError, batch: &mut Batch) {
        self.bare(crew, Bare::new(&entry.name, Status::Broken, error), batch);
    }

    fn bare(&mut self, crew: &Crew<'p>, bare: Bare, batch: &mut Batch) {
        let key = rank(crew, &bare.origin);
        if key > crew.threshold.load(Ordering::Relaxed) {
            return;
        }
        self.scribe.add_bare(bare);
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
