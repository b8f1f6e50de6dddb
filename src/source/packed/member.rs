//! What a packed file holds, as its readers see it and as containers give it.

use std::{fmt, io::Read, path::PathBuf};

use super::blob::Blob;
use crate::record::ReadError;

/// One member of a packed file.
#[derive(Debug)]
pub struct Member {
    /// Its name in rows, escaped and unique in the packed file: the name that
    /// the archive gives it, `outer.zip!inner.sgf` in an archive in an archive,
    /// and nothing for what a compressed single file holds.
    pub name: String,
    /// The name by which a format is chosen: `games.sgf` for what
    /// `games.sgf.gz` holds. It is never a place to write to.
    pub file_name: PathBuf,
    /// What it holds.
    pub content: Content,
}

/// What a member holds.
pub enum Content {
    /// A small file, to be unpacked by any thread.
    Blob(Blob),
    /// A larger file, unpacked as it is read: before the next member is asked
    /// for. A fault comes as an error after all good bytes; see
    /// [`fault_of`](super::fault_of).
    Stream(Box<dyn Read>),
    /// Nothing, for a reason.
    Fault(ReadError),
    /// Not a file: a link, a device.
    Special(&'static str),
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blob(blob) => write!(f, "Blob({} bytes)", blob.len()),
            Self::Stream(_) => f.write_str("Stream"),
            Self::Fault(fault) => write!(f, "Fault({fault:?})"),
            Self::Special(what) => write!(f, "Special({what})"),
        }
    }
}

/// A member as its container gives it.
pub(super) struct Raw {
    pub(super) name: Vec<u8>,
    pub(super) body: Body,
}

/// The content of a member before it is known whether that is itself packed.
pub(super) enum Body {
    /// A small file as it is, and where it begins in the container.
    Plain(Vec<u8>, u64),
    /// A small file, compressed by the container.
    Packed(Blob),
    /// A larger one.
    Stream(Box<dyn Read>),
    Fault(ReadError),
    Special(&'static str),
}
