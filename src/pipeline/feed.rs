//! Where jobs come from: walks, packed files and streams, one inside the other.

use std::{cell::RefCell, collections::VecDeque, rc::Rc, sync::Arc};

use super::{
    Plan,
    cutter::{self, Bare, Cutter, Window},
    file::unreadable,
    scribe::Rows,
    state::{Kept, Known, Mark, Part},
    visit::{self, Inside, Members},
    worker::{Item, Job, Unread, Work},
};
use crate::{
    label::Status,
    record::ReadError,
    source::{
        Entry, Found, Walk,
        packed::{self, Opened},
    },
};

/// Gives jobs in the order of their rows.
pub(super) trait Feed {
    /// What comes next, while there is any.
    fn next(&mut self, plan: &Plan) -> Option<Step>;
}

/// What a feed gives.
pub(super) enum Step {
    /// A job.
    Job(Job),
    /// Rows that need no work, and of how many files they are.
    Rows(Vec<Rows>, u64),
    /// A feed of its own, of one file, to be emptied before this one goes on.
    Feed(Box<dyn Feed>),
}

/// Files in one job, unless fewer rows are wanted. Where a state is kept, jobs in
/// hand are done again after a kill.
const FILES: usize = 64;

/// Bytes of a packed file or of a stream in one job.
const BYTES: usize = 256 << 10;

/// Files, and bytes, whose rows are kept and are given together.
const KEPT_FILES: usize = 256;
const KEPT_BYTES: usize = 1 << 20;

/// The rows of earlier runs, where a state is kept. All feeds are on one thread.
pub(super) type SharedKept = Option<Rc<RefCell<Kept>>>;

/// How many files one job takes: not more than rows are wanted.
fn files(plan: &Plan) -> usize {
    let limit = plan.limit.and_then(|limit| usize::try_from(limit).ok());
    limit.map_or(FILES, |limit| limit.clamp(1, FILES))
}

/// The jobs of a walk.
pub(super) struct WalkFeed {
    walk: Walk,
    kept: SharedKept,
    /// What comes next, already looked at.
    ahead: Option<Ahead>,
}

/// What a walk gives.
enum Ahead {
    Item(Item),
    Rows(Box<Rows>),
    Feed(Box<FileFeed>),
}

impl WalkFeed {
    pub(super) const fn new(walk: Walk, kept: SharedKept) -> Self {
        Self {
            walk,
            kept,
            ahead: None,
        }
    }

    fn look(&mut self) -> Option<Ahead> {
        let bare = |entry: &Entry, status, error| {
            Some(Ahead::Item(Item::Bare(Bare::new(
                &entry.name,
                status,
                error,
            ))))
        };
        loop {
            let found = match self.walk.next()? {
                Found::File(entry) => Some(self.file(entry)),
                Found::Special(entry) => {
                    let error =
                        ReadError::new("special_file", "not a regular file, so it is not read");
                    bare(&entry, Status::Skipped, error)
                }
                Found::Unreadable(entry, error) => bare(&entry, Status::Broken, unreadable(&error)),
                Found::Loop(path) => {
                    tracing::warn!(
                        "{} leads back to a folder it lies in; not followed",
                        path.display()
                    );
                    None
                }
            };
            if found.is_some() {
                return found;
            }
        }
    }

    /// What to do about a file.
    fn file(&self, entry: Entry) -> Ahead {
        let mut unread = Unread::from(entry);
        if let Some(kept) = self.kept.as_ref().filter(|_| !unread.entry.once) {
            unread.mark = Mark::of(&unread.entry);
            let found = unread
                .mark
                .as_ref()
                .map(|mark| kept.borrow_mut().find(mark));
            match found.unwrap_or(Known::New) {
                Known::New => {}
                Known::Perhaps(rows) => unread.kept = Some(rows),
                Known::Same(rows) => {
                    let is_whole = rows.part.as_ref().is_some_and(|part| part.is_last);
                    return match is_whole {
                        true => Ahead::Rows(rows),
                        false => {
                            Ahead::Feed(Box::new(FileFeed::kept(unread, *rows, Rc::clone(kept))))
                        }
                    };
                }
            }
        }
        let path = unread.entry.path.as_os_str().as_encoded_bytes();
        // One that has not changed need not be opened to see that.
        if packed::is_archive_name(path) && unread.kept.is_none() {
            return Ahead::Feed(Box::new(FileFeed::new(unread)));
        }
        Ahead::Item(Item::Read(unread))
    }
}

impl Feed for WalkFeed {
    fn next(&mut self, plan: &Plan) -> Option<Step> {
        let mut items = VecDeque::new();
        let mut rows: Vec<Rows> = Vec::new();
        let mut bytes = 0;
        while items.len() < files(plan) && rows.len() < KEPT_FILES && bytes < KEPT_BYTES {
            match self.ahead.take().or_else(|| self.look()) {
                Some(Ahead::Item(item)) if rows.is_empty() => items.push_back(item),
                Some(Ahead::Rows(found)) if items.is_empty() => {
                    bytes += found.bytes.iter().map(Vec::len).sum::<usize>();
                    rows.push(*found);
                }
                Some(Ahead::Feed(feed)) if rows.is_empty() && items.is_empty() => {
                    return Some(Step::Feed(feed));
                }
                other => {
                    self.ahead = other;
                    break;
                }
            }
        }
        if !rows.is_empty() {
            let files = rows.len() as u64;
            return Some(Step::Rows(rows, files));
        }
        (!items.is_empty()).then(|| Step::Job(Work::Files(items).into()))
    }
}

/// The jobs of one file: a stream, or packed. The same bytes give the same jobs,
/// so that those whose rows are kept can be passed over.
pub(super) struct FileFeed {
    source: Source,
    mark: Option<Arc<Mark>>,
    /// The number of the next job.
    number: u32,
    kept: SharedKept,
    /// Rows that are kept and come next.
    first: Option<Rows>,
}

enum Source {
    /// Not opened yet.
    Closed(Entry),
    /// Its stream, cut at record borders.
    Stream(StreamFeed),
    /// Its members.
    Packed(PackedFeed),
    /// All was given.
    Empty,
}

impl FileFeed {
    /// The jobs of a file of which no rows are kept.
    pub(super) fn new(unread: Unread) -> Self {
        Self {
            source: Source::Closed(unread.entry),
            mark: unread.mark,
            number: 0,
            kept: None,
            first: None,
        }
    }

    /// The rows of a file that are kept, and then the jobs that are left.
    fn kept(unread: Unread, first: Rows, kept: Rc<RefCell<Kept>>) -> Self {
        Self {
            kept: Some(kept),
            first: Some(first),
            ..Self::new(unread)
        }
    }

    /// Rows that are kept; where there are no more, their jobs are passed over.
    fn next_kept(&mut self, plan: &Plan) -> Option<Rows> {
        let (kept, mark) = (self.kept.as_ref()?, self.mark.as_ref()?);
        let rows = self.first.take().or_else(|| {
            let rows = kept.borrow_mut().part(mark, self.number);
            rows.map(|rows| *rows)
        });
        let Some(rows) = rows else {
            self.kept = None;
            for _ in 0..self.number {
                self.source.next(plan);
            }
            return None;
        };
        self.number += 1;
        if rows.part.as_ref().is_some_and(|part| part.is_last) {
            self.kept = None;
            self.source = Source::Empty;
        }
        Some(rows)
    }

    /// What its next rows are part of.
    fn part(&mut self, is_last: bool) -> Option<Part> {
        let file = Arc::clone(self.mark.as_ref()?);
        let number = self.number;
        self.number += 1;
        Some(Part {
            file,
            number,
            is_last,
            hash: None,
        })
    }
}

impl Feed for FileFeed {
    fn next(&mut self, plan: &Plan) -> Option<Step> {
        if let Some(rows) = self.next_kept(plan) {
            return Some(Step::Rows(vec![rows], 0));
        }
        if let Some(work) = self.source.next(plan) {
            let part = self.part(false);
            return Some(Step::Job(Job { work, part }));
        }
        if matches!(self.source, Source::Empty) {
            return None;
        }
        self.source = Source::Empty;
        // That nothing more comes is also worth keeping.
        let part = self.part(true)?;
        let rows = Rows {
            part: Some(part),
            ..Rows::default()
        };
        Some(Step::Rows(vec![rows], 0))
    }
}

impl Source {
    fn next(&mut self, plan: &Plan) -> Option<Work> {
        if let Self::Closed(entry) = self
            && let Some(range) = &entry.range
        {
            *self = Self::Stream(Cutter::of_range(plan, entry, range).into());
        }
        if let Self::Closed(entry) = self {
            *self = match visit::open(plan, entry) {
                Ok(Opened::Plain(reader)) => Self::Stream(Cutter::new(plan, entry, reader).into()),
                Ok(Opened::Packed(packed)) => Self::Packed(PackedFeed {
                    members: Members::new(entry.clone(), packed),
                    stream: None,
                }),
                Err(error) => Self::Stream(Cutter::failed(entry, &error).into()),
            };
        }
        match self {
            Self::Stream(feed) => feed.next(),
            Self::Packed(feed) => feed.next(plan),
            Self::Closed(_) | Self::Empty => None,
        }
    }
}

/// The jobs of a stream.
struct StreamFeed {
    cutter: Cutter<'static>,
    /// The rest of a window.
    rest: Option<Window>,
}

impl From<Cutter<'static>> for StreamFeed {
    fn from(cutter: Cutter<'static>) -> Self {
        Self { cutter, rest: None }
    }
}

impl StreamFeed {
    fn next(&mut self) -> Option<Work> {
        let mut window = match self.rest.take() {
            Some(window) => window,
            None => match self.cutter.next()? {
                cutter::Part::Window(window) => window,
                cutter::Part::Bare(bare) => {
                    return Some(Work::Members(VecDeque::from([Item::Bare(bare)])));
                }
            },
        };
        self.rest = window.split_off(BYTES);
        Some(Work::Records(window))
    }
}

/// The jobs of a packed file.
pub(super) struct PackedFeed {
    members: Members,
    /// A large member that is being read.
    stream: Option<StreamFeed>,
}

impl PackedFeed {
    fn next(&mut self, plan: &Plan) -> Option<Work> {
        if let Some(feed) = &mut self.stream {
            if let Some(work) = feed.next() {
                return Some(work);
            }
            self.stream = None;
        }
        let mut items = VecDeque::new();
        let mut bytes = 0;
        while items.len() < files(plan) && bytes < BYTES {
            let Some((entry, inside)) = self.members.next(plan) else {
                break;
            };
            match inside {
                Inside::Bare(status, error) => {
                    items.push_back(Item::Bare(Bare::new(entry.name, status, error)));
                }
                Inside::Blob(blob) => {
                    bytes += blob.len();
                    items.push_back(Item::Unpack(entry, blob));
                }
                Inside::Stream(reader) => {
                    let mut feed = StreamFeed::from(Cutter::new(plan, &entry, reader));
                    let first = items.is_empty().then(|| feed.next()).flatten();
                    self.stream = Some(feed);
                    if first.is_some() {
                        return first;
                    }
                    break;
                }
            }
        }
        (!items.is_empty()).then_some(Work::Members(items))
    }
}
