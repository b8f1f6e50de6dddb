//! Where jobs come from: walks, packed files and streams, one inside the other.

use std::collections::VecDeque;

use super::{
    Plan,
    cutter::{Bare, Cutter, Part},
    file::unreadable,
    visit::{self, Inside, Members},
    worker::{Item, Job},
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
    /// A feed of its own, of one file, to be emptied before this one goes on.
    Feed(Box<dyn Feed>),
}

/// Files in one job, unless fewer rows are wanted.
const FILES: usize = 256;

/// Packed bytes in one job.
const BYTES: usize = 1 << 20;

/// How many files one job takes: not more than rows are wanted.
fn files(plan: &Plan) -> usize {
    let limit = plan.limit.and_then(|limit| usize::try_from(limit).ok());
    limit.map_or(FILES, |limit| limit.clamp(1, FILES))
}

/// The jobs of a walk.
pub(super) struct WalkFeed {
    walk: std::iter::Peekable<Walk>,
}

impl WalkFeed {
    pub(super) fn new(walk: Walk) -> Self {
        Self {
            walk: walk.peekable(),
        }
    }
}

impl Feed for WalkFeed {
    fn next(&mut self, plan: &Plan) -> Option<Step> {
        let mut items = VecDeque::new();
        while items.len() < files(plan) {
            if let Some(Found::File(entry)) = self.walk.peek()
                && packed::is_archive_name(entry.path.as_os_str().as_encoded_bytes())
            {
                if !items.is_empty() {
                    break;
                }
                if let Some(Found::File(entry)) = self.walk.next() {
                    return Some(Step::Feed(Box::new(FileFeed::Closed(entry))));
                }
            }
            let Some(found) = self.walk.next() else {
                break;
            };
            items.extend(item(found));
        }
        (!items.is_empty()).then_some(Step::Job(Job::Files(items)))
    }
}

fn item(found: Found) -> Option<Item> {
    let bare = |entry: &Entry, status, error| Item::Bare(Bare::new(&entry.name, status, error));
    match found {
        Found::File(entry) => Some(Item::Read(entry)),
        Found::Special(entry) => {
            let error = ReadError::new("special_file", "not a regular file, so it is not read");
            Some(bare(&entry, Status::Skipped, error))
        }
        Found::Unreadable(entry, error) => Some(bare(&entry, Status::Broken, unreadable(&error))),
        Found::Loop(path) => {
            tracing::warn!(
                "{} leads back to a folder it lies in; not followed",
                path.display()
            );
            None
        }
    }
}

/// The jobs of one file: a stream, or packed.
pub(super) enum FileFeed {
    /// Not opened yet.
    Closed(Entry),
    /// Its stream, cut at record borders.
    Stream(Cutter<'static>),
    /// Its members.
    Packed(PackedFeed),
}

impl Feed for FileFeed {
    fn next(&mut self, plan: &Plan) -> Option<Step> {
        if let Self::Closed(entry) = self {
            *self = match visit::open(plan, entry) {
                Ok(Opened::Plain(reader)) => Self::Stream(Cutter::new(plan, entry, reader)),
                Ok(Opened::Packed(packed)) => Self::Packed(PackedFeed {
                    members: Members::new(entry.clone(), packed),
                    stream: None,
                }),
                Err(error) => Self::Stream(Cutter::failed(entry, &error)),
            };
        }
        match self {
            Self::Stream(cutter) => cut(cutter),
            Self::Packed(feed) => feed.next(plan),
            Self::Closed(_) => None,
        }
    }
}

fn cut(cutter: &mut Cutter<'_>) -> Option<Step> {
    cutter.next().map(|part| {
        Step::Job(match part {
            Part::Window(window) => Job::Records(window),
            Part::Bare(bare) => bare_job(bare),
        })
    })
}

fn bare_job(bare: Bare) -> Job {
    Job::Members(VecDeque::from([Item::Bare(bare)]))
}

/// The jobs of a packed file.
pub(super) struct PackedFeed {
    members: Members,
    /// A large member that is being read.
    stream: Option<Cutter<'static>>,
}

impl PackedFeed {
    fn next(&mut self, plan: &Plan) -> Option<Step> {
        if let Some(cutter) = &mut self.stream {
            if let Some(step) = cut(cutter) {
                return Some(step);
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
                    let mut cutter = Cutter::new(plan, &entry, reader);
                    let first = items.is_empty().then(|| cut(&mut cutter)).flatten();
                    self.stream = Some(cutter);
                    if first.is_some() {
                        return first;
                    }
                    break;
                }
            }
        }
        (!items.is_empty()).then_some(Step::Job(Job::Members(items)))
    }
}
