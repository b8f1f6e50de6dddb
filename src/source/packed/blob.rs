//! Small members, packed, on their way to a worker.

use std::io::{self, Read};

use super::{
    codec::Codec,
    fault::{fault_of, nested_too_deep, unsupported},
    input::Slice,
    limits::{Capped, Limits},
    recognise::{HEAD, recognise},
    unpack::{Check, Checked, Unpacker},
};
use crate::record::ReadError;

/// The largest member that is a blob, packed and, where that is declared,
/// unpacked.
pub(super) const SMALL: u64 = 1 << 20;

/// A small member: its packed bytes, to be unpacked by whoever reads it.
#[derive(Debug)]
pub struct Blob {
    pub(super) bytes: Vec<u8>,
    pub(super) codec: Option<Codec>,
    /// What the unpacked bytes must be, where the archive says so.
    pub(super) check: Option<Check>,
    /// Where the bytes begin in the packed file.
    pub(super) start: u64,
    pub(super) limits: Limits,
    /// Whether it lies in a packed file that lies in a packed file, or is
    /// itself compressed.
    pub(super) deep: bool,
}

/// What came of unpacking a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpacked {
    /// The buffer begins with all of it: this many bytes.
    Whole(usize),
    /// It is larger than wanted; [`Blob::reader`] gives it.
    Larger,
}

impl Blob {
    /// Its packed bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are no packed bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Its bytes, unpacked as they are read. The checksum is looked at last.
    #[must_use]
    pub fn reader(&self) -> Box<dyn Read + '_> {
        let packed = Slice::new(&self.bytes);
        let Some(codec) = self.codec else {
            return match self.check {
                Some(check) => Box::new(Checked::new(&*self.bytes, check)),
                None => Box::new(&*self.bytes),
            };
        };
        let Limits { ratio, window, .. } = self.limits;
        let unpacker = match Unpacker::new(packed, codec, self.start, window) {
            Ok(unpacker) => unpacker,
            Err(error) => return Box::new(Failing(Some(error))),
        };
        match self.check {
            Some(check) => Box::new(Checked::new(unpacker, check)),
            None => Box::new(Capped::new(unpacker, ratio, self.bytes.len() as u64)),
        }
    }

    /// Unpacks it into a buffer that is used again and again, unless it is
    /// larger than `max` bytes.
    ///
    /// # Errors
    /// What is wrong with the member. Where that is damage, [`Blob::reader`]
    /// gives the good bytes before it. What is itself packed, and does not say
    /// so by its name, is not read.
    pub fn unpack(&self, buffer: &mut Vec<u8>, max: usize) -> Result<Unpacked, ReadError> {
        let mut reader = self.reader();
        let mut filled = 0;
        let unpacked = loop {
            if filled == buffer.len() {
                if filled > max {
                    break Unpacked::Larger;
                }
                let room = (filled * 4).clamp(1 << 14, max.saturating_add(1).max(1 << 14));
                buffer.resize(room, 0);
            }
            let end = buffer.len().min(max.saturating_add(1));
            let Some(room) = buffer.get_mut(filled..end).filter(|room| !room.is_empty()) else {
                break Unpacked::Larger;
            };
            match reader.read(room) {
                Ok(0) => break Unpacked::Whole(filled),
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(fault_of(&error)),
            }
        };
        match recognise(&buffer[..filled.min(HEAD)]) {
            None => Ok(unpacked),
            Some(packing) if self.deep => Err(nested_too_deep(packing.name())),
            Some(packing) => Err(unsupported(&format!(
                "a {} file whose name does not say that it is packed",
                packing.name()
            ))),
        }
    }
}

/// A reader that could not be made.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
