//! Tape archives: ustar, GNU and PAX, and what was before them.
//!
//! The `tar` crate is not used: it reads extension headers whole, however
//! large they say they are.

mod header;

use std::{
    cell::RefCell,
    io::{self, Read},
    rc::Rc,
};

use self::header::{BLOCK, Extension, Header, text};
use super::{
    blob::SMALL,
    fault::{as_error, corrupt, fault_of, truncated, unsupported},
    input::{Buffered, Input},
    limits::Meter,
    member::{Body, Raw},
};
use crate::record::ReadError;

pub(super) use self::header::is_header;

/// The longest name, in bytes.
const MAX_NAME: u64 = 64 << 10;

/// The longest set of PAX records, in bytes.
const MAX_RECORDS: u64 = 1 << 20;

/// Reads an archive member by member.
pub(super) struct Archive {
    tape: Rc<RefCell<Tape>>,
    meter: Rc<Meter>,
    /// What holds for all members that do not say otherwise.
    global: Extension,
    done: bool,
}

/// What extension headers say of the member after them.
#[derive(Default)]
struct Ahead {
    long_name: Option<Vec<u8>>,
    extension: Option<Extension>,
    too_long: bool,
}

impl Archive {
    /// An archive; `compressed` where the bytes come out of a decoder.
    pub(super) fn new(input: Buffered, meter: Rc<Meter>, compressed: bool) -> Self {
        Self {
            tape: Rc::new(RefCell::new(Tape {
                input,
                compressed,
                left: 0,
                padding: 0,
                number: 0,
                failed: false,
            })),
            meter,
            global: Extension::default(),
            done: false,
        }
    }

    pub(super) fn next(&mut self) -> Option<Result<Raw, ReadError>> {
        // A fault that the reader of a member was told of is told once.
        if self.done || self.tape.borrow().failed {
            return None;
        }
        let shared = Rc::clone(&self.tape);
        let result = self.advance(&shared).transpose();
        self.done |= !matches!(result, Some(Ok(_)));
        result
    }

    /// Goes to the next member.
    fn advance(&mut self, shared: &Rc<RefCell<Tape>>) -> Result<Option<Raw>, ReadError> {
        let tape = &mut *shared.borrow_mut();
        tape.skip_data()?;
        let mut ahead = Ahead::default();
        loop {
            let at = tape.input.offset();
            let Some(block) = tape.header()? else {
                return Ok(None);
            };
            let header = Header(&block);
            if !header.is_sound() {
                return Err(tape.damaged("has a damaged header", at));
            }
            let Some(size) = header.size() else {
                return Err(tape.damaged("has a header with a wrong size", at));
            };
            match header.kind() {
                b'L' if size <= MAX_NAME => {
                    ahead.long_name = Some(text(&tape.read_all(size)?).to_vec());
                }
                b'x' | b'X' | b'g' if size <= MAX_RECORDS => {
                    let records = tape.read_all(size)?;
                    let mut extension = self.global.clone();
                    if extension.read(&records).is_none() {
                        return Err(tape.damaged("has a damaged extension header", at));
                    }
                    match header.kind() {
                        b'g' => self.global = extension,
                        _ => ahead.extension = Some(extension),
                    }
                }
                kind @ (b'L' | b'x' | b'X' | b'g') => {
                    ahead.too_long |= kind != b'g';
                    tape.begin(size);
                    tape.skip_data()?;
                }
                // Where a long link leads; the name of the whole; the list of a
                // folder; rights.
                b'K' | b'V' | b'D' | b'N' | b'A' => {
                    tape.begin(size);
                    tape.skip_data()?;
                }
                b'5' => {
                    self.meter.member()?;
                    ahead = Ahead::default();
                }
                _ => match self.member(tape, header, size, std::mem::take(&mut ahead))? {
                    Some(mut raw) => {
                        if let Body::Stream(reader) = &mut raw.body {
                            *reader = Box::new(Data {
                                tape: Rc::clone(shared),
                                number: tape.number,
                            });
                        }
                        return Ok(Some(raw));
                    }
                    None => tape.skip_data()?,
                },
            }
        }
    }

    /// The member of a header; `None` for a folder of the oldest kind. The
    /// reader of a stream is still to be put in.
    fn member(
        &mut self,
        tape: &mut Tape,
        header: Header<'_>,
        size: u64,
        ahead: Ahead,
    ) -> Result<Option<Raw>, ReadError> {
        self.meter.member()?;
        let extension = ahead.extension.unwrap_or_else(|| self.global.clone());
        let name = extension.name.or(ahead.long_name);
        let name = name.unwrap_or_else(|| header.name());
        let kind = header.kind();
        let special = match kind {
            b'1' => Some("hard link"),
            b'2' => Some("symbolic link"),
            b'3' | b'4' => Some("device"),
            b'6' => Some("named pipe"),
            _ => None,
        };
        if let Some(special) = special {
            return Ok(Some(Raw {
                name,
                body: Body::Special(special),
            }));
        }
        if kind == b'S' {
            tape.skip_sparse_map(header)?;
        }
        let size = extension.size.unwrap_or(size);
        tape.begin(size);
        if matches!(kind, 0 | b'0') && name.ends_with(b"/") {
            return Ok(None);
        }
        let body = if kind == b'S' || extension.sparse {
            Body::Fault(unsupported("a sparse file in a tar archive"))
        } else if kind == b'M' {
            Body::Fault(unsupported("the rest of a file from another volume"))
        } else if ahead.too_long {
            // Its name is not known for sure.
            let what =
                "an extension header is longer than 64 KiB for a name or 1 MiB, before the data";
            Body::Fault(corrupt(what, tape.input.offset()))
        } else if size > SMALL {
            Body::Stream(Box::new(io::empty()))
        } else {
            let start = tape.input.offset();
            match tape.read_all(size) {
                Ok(bytes) => Body::Plain(bytes, start),
                Err(fault) => {
                    self.done = true;
                    Body::Fault(fault)
                }
            }
        };
        Ok(Some(Raw { name, body }))
    }
}

/// A tape at some place, shared with the reader of a member.
struct Tape {
    input: Buffered,
    compressed: bool,
    /// Data of the current member still to come, and the padding after them.
    left: u64,
    padding: u64,
    /// The number of the current member.
    number: u64,
    /// Whether the reader of a member was told of a fault.
    failed: bool,
}

impl Tape {
    const fn unit(&self) -> &'static str {
        if self.compressed {
            "the unpacked tar archive"
        } else {
            "the tar archive"
        }
    }

    fn damaged(&self, what: &str, at: u64) -> ReadError {
        corrupt(&format!("{} {what}", self.unit()), at)
    }

    fn cut(&self) -> ReadError {
        truncated(self.unit(), self.input.offset())
    }

    /// Sets off into the data of a member.
    fn begin(&mut self, size: u64) {
        const UNIT: u64 = BLOCK as u64;
        self.left = size;
        self.padding = (UNIT - size % UNIT) % UNIT;
        self.number += 1;
    }

    /// Goes to the header after the data of a member.
    fn skip_data(&mut self) -> Result<(), ReadError> {
        let passed = self
            .input
            .skip(self.left)
            .map_err(|error| fault_of(&error))?;
        if passed < self.left {
            return Err(self.cut());
        }
        self.left = 0;
        // Where the padding is cut off, the end mark is missing, which is said.
        let padding = std::mem::take(&mut self.padding);
        self.input.skip(padding).map_err(|error| fault_of(&error))?;
        Ok(())
    }

    /// The data of a small member, or of an extension header.
    fn read_all(&mut self, size: u64) -> Result<Vec<u8>, ReadError> {
        self.begin(size);
        let mut bytes = Vec::new();
        while self.left > 0 {
            let seen = self.input.peek(1).map_err(|error| fault_of(&error))?;
            let count = usize::try_from(self.left).map_or(seen.len(), |left| left.min(seen.len()));
            bytes.extend_from_slice(&seen[..count]);
            self.input.consume(count);
            self.left -= count as u64;
            if count == 0 {
                return Err(self.cut());
            }
        }
        self.skip_data()?;
        Ok(bytes)
    }

    fn block(&mut self) -> Result<Option<[u8; BLOCK]>, ReadError> {
        let seen = self.input.peek(BLOCK).map_err(|error| fault_of(&error))?;
        let block = seen.first_chunk().copied();
        if block.is_some() {
            self.input.consume(BLOCK);
        }
        Ok(block)
    }

    /// The next header, or nothing at the end.
    ///
    /// Two blocks of zeros are the end; one at the end of the file is taken for
    /// it, and one before more members is passed over. Without any, members may
    /// be missing. What follows the end is nobody's, but a compressed archive
    /// is read on, so that its last checksum is looked at.
    fn header(&mut self) -> Result<Option<[u8; BLOCK]>, ReadError> {
        let mut blanks = 0;
        loop {
            match self.block()? {
                None if blanks > 0 => return Ok(None),
                None => {
                    let left = self.input.peek(BLOCK).map_or(0, <[u8]>::len);
                    self.input.consume(left);
                    return Err(truncated(
                        &format!("{} has no end mark: it", self.unit()),
                        self.input.offset(),
                    ));
                }
                Some(block) if !Header(&block).is_blank() => return Ok(Some(block)),
                Some(_) => blanks += 1,
            }
            if blanks == 2 {
                if self.compressed {
                    self.input
                        .skip(u64::MAX)
                        .map_err(|error| fault_of(&error))?;
                }
                return Ok(None);
            }
        }
    }

    /// Passes over the blocks that go on with the header of a sparse file.
    fn skip_sparse_map(&mut self, header: Header<'_>) -> Result<(), ReadError> {
        let mut more = header.is_extended();
        while more {
            let block = self.block()?.ok_or_else(|| self.cut())?;
            more = block[504] != 0;
        }
        Ok(())
    }
}

/// Reads the data of a member.
struct Data {
    tape: Rc<RefCell<Tape>>,
    number: u64,
}

impl Read for Data {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let tape = &mut *self.tape.borrow_mut();
        if tape.number != self.number {
            return Err(io::Error::other("another member was asked for meanwhile"));
        }
        let most = usize::try_from(tape.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let Some(room) = buffer.get_mut(..most).filter(|room| !room.is_empty()) else {
            return Ok(0);
        };
        match tape.input.read(room) {
            Ok(0) => {
                tape.failed = true;
                Err(as_error(tape.cut()))
            }
            Ok(count) => {
                tape.left -= count as u64;
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                tape.failed = true;
                Err(error)
            }
        }
    }
}
