//! How a file looked when it was labelled.

use std::{
    fs, io,
    sync::Arc,
    thread,
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::super::file::companions;
use crate::source::{Entry, sort_key};

/// A file in the order of a walk, and how it looked before it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::pipeline) struct Mark {
    /// Its path, so that keys sort as a walk goes.
    pub(super) key: Vec<u8>,
    pub(super) stamp: Stamp,
}

/// What tells that a file has not changed. Times are only compared for being
/// equal, so that a clock that was set back does no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// Bytes.
    size: u64,
    /// When its bytes were changed, in nanoseconds.
    modified: i128,
    /// When anything of it was changed, its name and times included.
    touched: i128,
    /// Which file it is, whatever its name: two may have changed places.
    inode: u64,
    /// The files that its records also depend on: a hash of names, sizes and
    /// times.
    beside: u64,
}

impl Stamp {
    /// Whether the bytes may be the same though the times differ, which a hash
    /// of them tells.
    pub(super) const fn may_equal(&self, other: &Self) -> bool {
        self.size == other.size && self.beside == other.beside
    }
}

impl Mark {
    /// Looks at a file; none where there is nothing to look at, which is for the
    /// one who opens it to say, and of one that is being written.
    pub(in crate::pipeline) fn of(entry: &Entry) -> Option<Arc<Self>> {
        let path = &*entry.path;
        let mut found = fs::metadata(path).ok()?;
        // A change in the same tick of the clock would not show.
        if let Some(pause) = settling(&found) {
            thread::sleep(pause);
            found = fs::metadata(path).ok()?;
            if settling(&found).is_some() {
                return None;
            }
        }
        let mut beside = Xxh3::new();
        for path in companions(path) {
            beside.update(path.as_os_str().as_encoded_bytes());
            if let Ok(found) = fs::metadata(&path) {
                beside.update(&found.len().to_le_bytes());
                beside.update(&modified(&found).to_le_bytes());
                let (touched, inode) = identity(&found);
                beside.update(&touched.to_le_bytes());
                beside.update(&inode.to_le_bytes());
            }
        }
        let (touched, inode) = identity(&found);
        Some(Arc::new(Self {
            key: key(entry),
            stamp: Stamp {
                size: found.len(),
                modified: modified(&found),
                touched,
                inode,
                beside: beside.digest(),
            },
        }))
    }
}

/// Its path; the ranges of a file come in their order.
fn key(entry: &Entry) -> Vec<u8> {
    let mut key = sort_key(&entry.path);
    if let Some(range) = &entry.range {
        key.extend_from_slice(&range.from.to_be_bytes());
    }
    key
}

fn modified(found: &fs::Metadata) -> i128 {
    since_epoch(found.modified())
}

fn since_epoch(time: io::Result<SystemTime>) -> i128 {
    let nanoseconds = |time: Duration| i128::try_from(time.as_nanos()).unwrap_or(i128::MAX);
    time.map_or(0, |time| {
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => nanoseconds(after),
            Err(before) => -nanoseconds(before.duration()),
        }
    })
}

/// When anything of a file was changed, and which file it is.
#[cfg(unix)]
fn identity(found: &fs::Metadata) -> (i128, u64) {
    use std::os::unix::fs::MetadataExt;
    let touched = i128::from(found.ctime()) * 1_000_000_000 + i128::from(found.ctime_nsec());
    (touched, found.ino())
}

#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> (i128, u64) {
    (0, 0)
}

/// How long to wait until a change to a file shows in its time: file systems
/// count in ticks of some milliseconds, or of up to two seconds.
fn settling(found: &fs::Metadata) -> Option<Duration> {
    let tick = match modified(found) % 1_000_000_000 {
        0 => Duration::from_secs(2),
        _ => Duration::from_millis(20),
    };
    let age = SystemTime::now().duration_since(found.modified().ok()?);
    // A time to come differs from all times that changes will get.
    tick.checked_sub(age.ok()?).filter(|pause| !pause.is_zero())
}
