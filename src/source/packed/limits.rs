//! How much one packed file may give.

use std::{
    cell::Cell,
    io::{self, Read},
    rc::Rc,
};

use super::fault::as_error;
use crate::record::ReadError;

/// Limits of one packed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that may be unpacked, over all members.
    pub unpacked: u64,
    /// Bytes that may be unpacked for each packed byte.
    pub ratio: u64,
    /// Bytes that may be unpacked before the ratio is looked at: games that
    /// repeat each other pack very well, and a stream costs no memory.
    pub ratio_from: u64,
    /// Members, folders and links included, those of packed members too.
    pub members: u64,
    /// Memory of one decoder, in bytes. Zstandard counts in powers of two: the
    /// largest that fits is allowed.
    pub window: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            unpacked: 256 << 30,
            ratio: 200,
            ratio_from: 4 << 30,
            members: 10_000_000,
            window: 128 << 20,
        }
    }
}

/// What a packed member may unpack to beyond its ratio, where a worker unpacks
/// it and nothing declares its size.
const SMALL: u64 = 1 << 20;

/// Counts what one packed file gave so far. Shared by its readers.
#[derive(Debug)]
pub(super) struct Meter {
    limits: Limits,
    packed: Cell<u64>,
    unpacked: Cell<u64>,
    members: Cell<u64>,
    spent: Cell<bool>,
}

impl Meter {
    pub(super) fn new(limits: Limits) -> Rc<Self> {
        Rc::new(Self {
            limits,
            packed: Cell::new(0),
            unpacked: Cell::new(0),
            members: Cell::new(0),
            spent: Cell::new(false),
        })
    }

    pub(super) const fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether a limit was met: nothing more is to be read of the file.
    pub(super) const fn is_spent(&self) -> bool {
        self.spent.get()
    }

    /// Counts bytes of the packed file itself.
    pub(super) fn read(&self, bytes: u64) {
        self.packed.set(self.packed.get().saturating_add(bytes));
    }

    /// Counts a member, or something else of an archive that has a header.
    pub(super) fn member(&self) -> Result<(), ReadError> {
        let members = self.members.get() + 1;
        self.members.set(members);
        if members <= self.limits.members {
            return Ok(());
        }
        self.spent.set(true);
        Err(ReadError::new(
            "too_many_members",
            format!(
                "more than {} members in one packed file; raise --max-members if that is right",
                self.limits.members
            ),
        ))
    }

    /// Counts unpacked bytes.
    pub(super) fn unpack(&self, bytes: u64) -> Result<(), ReadError> {
        let unpacked = self.unpacked.get().saturating_add(bytes);
        self.unpacked.set(unpacked);
        let Limits {
            unpacked: most,
            ratio,
            ratio_from,
            ..
        } = self.limits;
        if unpacked > most {
            self.spent.set(true);
            return Err(ReadError::new(
                "unpacked_too_large",
                format!("unpacks to more than {most} bytes; raise --max-unpacked if that is right"),
            ));
        }
        let packed = self.packed.get();
        if unpacked > ratio_from && unpacked > packed.saturating_mul(ratio) {
            self.spent.set(true);
            return Err(bomb(ratio, packed));
        }
        Ok(())
    }
}

fn bomb(ratio: u64, packed: u64) -> ReadError {
    ReadError::new(
        "bomb",
        format!(
            "unpacks to more than {ratio} times its {packed} packed bytes; raise --max-ratio if that is right"
        ),
    )
}

/// Counts the bytes of the packed file itself.
pub(super) struct Counted<R> {
    pub(super) reader: R,
    pub(super) meter: Rc<Meter>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.meter.read(count as u64);
        Ok(count)
    }
}

/// Counts bytes as they are unpacked, and stops where they are too many.
pub(super) struct Metered<R> {
    pub(super) reader: R,
    pub(super) meter: Rc<Meter>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.meter.unpack(count as u64).map_err(as_error)?;
        Ok(count)
    }
}

/// Stops a reader that gives more for its packed bytes than it may.
pub(super) struct Capped<R> {
    reader: R,
    left: u64,
    ratio: u64,
    packed: u64,
}

impl<R> Capped<R> {
    pub(super) fn new(reader: R, ratio: u64, packed: u64) -> Self {
        Self {
            reader,
            left: packed.saturating_mul(ratio).saturating_add(SMALL),
            ratio,
            packed,
        }
    }
}

impl<R: Read> Read for Capped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(as_error(bomb(self.ratio, self.packed))),
        }
        Ok(count)
    }
}
