//! The bytes of a zip archive, read here and there.

use std::{
    cell::RefCell,
    io::{self, Read, Seek, SeekFrom},
    rc::Rc,
};

use crate::source::packed::input::Input;

/// What a zip archive lies in.
pub(in crate::source::packed) trait Seekable: Read + Seek {}

impl<T: Read + Seek> Seekable for T {}

/// The bytes of an archive and the place where reading them would go on.
struct Place {
    bytes: Box<dyn Seekable>,
    at: u64,
}

/// The bytes of an archive, shared by those who read parts of them.
#[derive(Clone)]
pub(super) struct Store {
    place: Rc<RefCell<Place>>,
    length: u64,
}

impl Store {
    pub(super) fn new(mut bytes: Box<dyn Seekable>) -> io::Result<Self> {
        let length = bytes.seek(SeekFrom::End(0))?;
        let place = Place { bytes, at: length };
        Ok(Self {
            place: Rc::new(RefCell::new(place)),
            length,
        })
    }

    /// The bytes, from their start, once nobody else reads them.
    pub(super) fn into_bytes(self) -> io::Result<Box<dyn Seekable>> {
        let place = Rc::try_unwrap(self.place)
            .map_err(|_| io::Error::other("the file is still being read"))?;
        let mut bytes = place.into_inner().bytes;
        bytes.rewind()?;
        Ok(bytes)
    }

    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    fn read(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let place = &mut *self.place.borrow_mut();
        if place.at != at {
            place.bytes.seek(SeekFrom::Start(at))?;
            place.at = at;
        }
        let count = place.bytes.read(buffer)?;
        place.at += count as u64;
        Ok(count)
    }
}

/// How much is read at once: little after a jump, more on a straight way.
const LITTLE: usize = 4 << 10;
const MUCH: usize = 128 << 10;

/// A part of an archive with a place in it. Offsets are those of the archive.
pub(super) struct Window {
    store: Store,
    end: u64,
    buffer: Vec<u8>,
    /// The bytes that `buffer` holds, and where the first of them lies.
    base: u64,
    filled: usize,
    start: usize,
    step: usize,
}

impl Window {
    /// A window on the bytes from `start` to `end`.
    pub(super) fn new(store: &Store, start: u64, end: u64) -> Self {
        Self {
            store: store.clone(),
            end: end.min(store.length),
            buffer: Vec::new(),
            base: start,
            filled: 0,
            start: 0,
            step: LITTLE,
        }
    }

    /// Goes somewhere else.
    pub(super) fn go(&mut self, at: u64) {
        let inside = at.checked_sub(self.base).and_then(|at| at.try_into().ok());
        match inside {
            Some(inside) if inside <= self.filled => self.start = inside,
            _ => {
                let reach = self.base + self.filled as u64;
                if at < reach || at - reach > LITTLE as u64 {
                    self.step = LITTLE;
                }
                self.base = at;
                self.filled = 0;
                self.start = 0;
            }
        }
    }

    /// Bytes in the buffer that are not taken.
    fn seen(&self) -> &[u8] {
        self.buffer.get(self.start..self.filled).unwrap_or_default()
    }

    fn fill(&mut self, want: usize) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.filled, 0);
        self.base += self.start as u64;
        self.filled -= self.start;
        self.start = 0;
        let size = want.max(self.step);
        self.step = (self.step * 2).min(MUCH);
        if self.buffer.len() < size {
            self.buffer.resize(size, 0);
        }
        while self.filled < want {
            let at = self.base + self.filled as u64;
            let left = usize::try_from(self.end.saturating_sub(at)).unwrap_or(usize::MAX);
            let end = size.min(self.filled.saturating_add(left));
            let room = self.buffer.get_mut(self.filled..end);
            let Some(room) = room.filter(|room| !room.is_empty()) else {
                break;
            };
            match self.store.read(at, room) {
                Ok(0) => break,
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Input for Window {
    fn peek(&mut self, want: usize) -> io::Result<&[u8]> {
        if self.seen().len() < want {
            self.fill(want)?;
        }
        Ok(self.seen())
    }

    fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.filled);
    }

    fn offset(&self) -> u64 {
        self.base + self.start as u64
    }
}

impl Read for Window {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let seen = self.peek(1)?;
        let count = seen.len().min(buffer.len());
        buffer[..count].copy_from_slice(&seen[..count]);
        self.consume(count);
        Ok(count)
    }
}
