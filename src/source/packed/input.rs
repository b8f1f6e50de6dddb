//! Bytes that can be looked at before they are taken.

use std::io::{self, Read};

/// Bytes in order, some of which can be looked at before they are taken.
pub(super) trait Input {
    /// The next bytes: at least `want`, or all that are left.
    fn peek(&mut self, want: usize) -> io::Result<&[u8]>;

    /// Takes bytes that were looked at.
    fn consume(&mut self, count: usize);

    /// Bytes taken so far.
    fn offset(&self) -> u64;

    /// Takes some bytes unseen; how many there were.
    fn skip(&mut self, count: u64) -> io::Result<u64> {
        let mut left = count;
        while left > 0 {
            let seen = self.peek(1)?.len();
            if seen == 0 {
                break;
            }
            let step = usize::try_from(left).map_or(seen, |left| left.min(seen));
            self.consume(step);
            left -= step as u64;
        }
        Ok(count - left)
    }
}

/// Bytes in memory.
pub(super) struct Slice<'a> {
    bytes: &'a [u8],
    offset: u64,
}

impl<'a> Slice<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }
}

impl Input for Slice<'_> {
    fn peek(&mut self, _: usize) -> io::Result<&[u8]> {
        Ok(self.bytes)
    }

    fn consume(&mut self, count: usize) {
        self.bytes = self.bytes.get(count..).unwrap_or_default();
        self.offset += count as u64;
    }

    fn offset(&self) -> u64 {
        self.offset
    }
}

/// How much is read at once.
const CHUNK: usize = 128 << 10;

/// Bytes of a reader, through a buffer.
pub(super) struct Buffered {
    reader: Box<dyn Read>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    offset: u64,
    eof: bool,
}

impl Buffered {
    pub(super) fn new(reader: Box<dyn Read>) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            offset: 0,
            eof: false,
        }
    }

    /// Reads at least `want` bytes into the buffer where there are so many.
    fn fill(&mut self, want: usize) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.buffer.len() < want.max(CHUNK) {
            self.buffer.resize(want.max(CHUNK), 0);
        }
        while self.end < want && !self.eof {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.eof = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Input for Buffered {
    fn peek(&mut self, want: usize) -> io::Result<&[u8]> {
        if self.end - self.start < want && !self.eof {
            self.fill(want)?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, count: usize) {
        let count = count.min(self.end - self.start);
        self.start += count;
        self.offset += count as u64;
    }

    fn offset(&self) -> u64 {
        self.offset
    }
}

impl Read for Buffered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end && buffer.len() >= CHUNK && !self.eof {
            let count = self.reader.read(buffer)?;
            self.offset += count as u64;
            return Ok(count);
        }
        let seen = self.peek(1)?;
        let count = seen.len().min(buffer.len());
        buffer[..count].copy_from_slice(&seen[..count]);
        self.consume(count);
        Ok(count)
    }
}
