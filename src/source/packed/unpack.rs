//! Unpacks a compressed file from its first frame to its last.

use std::io::{self, Read};

use flate2::Crc;

use super::{
    codec::{Codec, Engine, Stop},
    fault::{as_error, checksum, corrupt, fault_of, truncated, unsupported},
    input::Input,
};
use crate::record::ReadError;

/// Where in a compressed file an unpacker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Before a frame.
    Header,
    /// In it.
    Body,
    /// Before the checksum of a gzip member.
    Trailer,
    /// After a frame: another one, padding, or something else follows.
    Between,
    /// At the end.
    End,
}

/// Unpacks a compressed file: all members, frames and streams of it. A fault
/// comes after all good bytes, and again at each further reading.
pub(super) struct Unpacker<I> {
    input: I,
    codec: Codec,
    engine: Engine,
    window: u64,
    stage: Stage,
    crc: Crc,
    /// Where the input begins in the packed file.
    start: u64,
    fault: Option<ReadError>,
}

impl<I: Input> Unpacker<I> {
    /// An unpacker for bytes that begin at `start` of the packed file; its
    /// decoder may use `window` bytes.
    pub(super) fn new(input: I, codec: Codec, start: u64, window: u64) -> io::Result<Self> {
        Ok(Self {
            input,
            codec,
            engine: Engine::new(codec, window)?,
            window,
            stage: match codec {
                Codec::Gzip => Stage::Header,
                _ => Stage::Body,
            },
            crc: Crc::new(),
            start,
            fault: None,
        })
    }

    /// The byte of the packed file that is next.
    fn at(&self) -> u64 {
        self.start + self.input.offset()
    }

    /// Gives the input back.
    pub(super) fn into_input(self) -> I {
        self.input
    }

    /// Decodes one frame and throws it away, seeing its bytes; where the input
    /// is thereafter is where it ends.
    pub(super) fn run_frame(
        &mut self,
        each: &mut dyn FnMut(&[u8]) -> Result<(), ReadError>,
    ) -> io::Result<()> {
        let mut buffer = vec![0; 1 << 16];
        while self.stage == Stage::Body {
            let count = self.body(&mut buffer)?;
            each(&buffer[..count]).map_err(as_error)?;
        }
        Ok(())
    }

    fn produce(&mut self, output: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stage {
                Stage::Header => self.header()?,
                Stage::Body => {
                    let written = self.body(output)?;
                    if written > 0 {
                        return Ok(written);
                    }
                }
                Stage::Trailer => self.trailer()?,
                Stage::Between => self.between()?,
                Stage::End => return Ok(0),
            }
        }
    }

    /// One step in a frame.
    fn body(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let input = self.input.peek(1)?;
        let at_end = input.is_empty();
        let step = match self.engine.step(input, output) {
            Ok(step) => step,
            Err(stop) => return Err(as_error(self.describe(stop))),
        };
        self.input.consume(step.used);
        let Some(written) = output.get(..step.written) else {
            return Err(as_error(self.describe(Stop::Corrupt)));
        };
        if self.codec == Codec::Gzip {
            self.crc.update(written);
        }
        if step.end {
            self.stage = match self.codec {
                Codec::Deflate => Stage::End,
                Codec::Gzip => Stage::Trailer,
                _ => Stage::Between,
            };
        } else if step.used == 0 && step.written == 0 {
            return Err(as_error(if at_end {
                self.cut()
            } else {
                self.describe(Stop::Corrupt)
            }));
        }
        Ok(step.written)
    }

    /// Reads the header of a gzip member.
    fn header(&mut self) -> io::Result<()> {
        const EXTRA: u8 = 4;
        const NAME: u8 = 8;
        const COMMENT: u8 = 16;
        const CHECK: u8 = 2;
        let at = self.at();
        let fixed: [u8; 10] = self.take()?;
        let [0x1f, 0x8b, 8, flags, ..] = fixed else {
            return Err(as_error(corrupt("a gzip member has a wrong header", at)));
        };
        if flags & 0xe0 != 0 {
            return Err(as_error(corrupt("a gzip member has a wrong header", at)));
        }
        if flags & EXTRA != 0 {
            let length = u64::from(u16::from_le_bytes(self.take()?));
            if self.input.skip(length)? < length {
                return Err(as_error(self.cut()));
            }
        }
        for text in [NAME, COMMENT] {
            while flags & text != 0 && self.take::<1>()? != [0] {}
        }
        if flags & CHECK != 0 {
            self.take::<2>()?;
        }
        self.stage = Stage::Body;
        Ok(())
    }

    /// Checks the end of a gzip member.
    fn trailer(&mut self) -> io::Result<()> {
        let at = self.at();
        let crc = u32::from_le_bytes(self.take()?);
        let length = u32::from_le_bytes(self.take()?);
        if crc != self.crc.sum() || length != self.crc.amount() {
            let what = "what a gzip member unpacks to is not what was packed";
            return Err(as_error(checksum(what, at)));
        }
        self.stage = Stage::Between;
        Ok(())
    }

    /// Looks for another frame. Zeros at the end are padding; zeros before
    /// another frame are passed over too, so that nothing is lost.
    fn between(&mut self) -> io::Result<()> {
        let mut at = self.at();
        let mut padded = false;
        loop {
            let next = self.input.peek(6)?;
            if next.is_empty() {
                self.stage = Stage::End;
                return Ok(());
            }
            if self.codec.begins(next) {
                break;
            }
            let zeros = next.iter().take_while(|byte| **byte == 0).count();
            if zeros == 0 {
                if !padded {
                    at = self.at();
                }
                let name = self.codec.name();
                return Err(as_error(ReadError::new(
                    "trailing_garbage",
                    format!(
                        "after its last {name} data, at byte {at}, the file goes on with something else; \
                         what was before it is read, look whether the rest is wanted"
                    ),
                )));
            }
            padded = true;
            self.input.consume(zeros);
        }
        self.engine.restart(self.window)?;
        self.crc.reset();
        self.stage = match self.codec {
            Codec::Gzip => Stage::Header,
            _ => Stage::Body,
        };
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let bytes = self.input.peek(N)?.first_chunk::<N>().copied();
        match bytes {
            Some(bytes) => {
                self.input.consume(N);
                Ok(bytes)
            }
            None => {
                let left = self.input.peek(N)?.len();
                self.input.consume(left);
                Err(as_error(self.cut()))
            }
        }
    }

    fn cut(&self) -> ReadError {
        truncated(&format!("the {} stream", self.codec.name()), self.at())
    }

    fn describe(&self, stop: Stop) -> ReadError {
        let (name, at) = (self.codec.name(), self.at());
        match stop {
            Stop::Corrupt => corrupt(&format!("the {name} data are damaged"), at),
            Stop::Checksum => checksum(&format!("the {name} data are damaged"), at),
            Stop::Unsupported => unsupported(&format!("a {name} option used at byte {at}")),
            Stop::Window => ReadError::new(
                "window_too_large",
                format!(
                    "unpacking the {name} data at byte {at} takes more than {} bytes of memory; \
                     raise --max-window",
                    self.window
                ),
            ),
        }
    }
}

impl<I: Input> Read for Unpacker<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if let Some(fault) = &self.fault {
            return Err(as_error(fault.clone()));
        }
        let result = self.produce(buffer);
        if let Err(error) = &result {
            self.fault = Some(fault_of(error));
        }
        result
    }
}

/// What a zip archive says of the bytes of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Check {
    pub(super) crc: u32,
    pub(super) size: u64,
    /// Where the packed bytes begin.
    pub(super) start: u64,
}

impl Check {
    fn verify(&self, size: u64, crc: &Crc) -> Result<(), ReadError> {
        let what = if size < self.size {
            "the member unpacks to fewer bytes than it should"
        } else if size > self.size {
            "the member unpacks to more bytes than it should"
        } else if crc.sum() == self.crc {
            return Ok(());
        } else {
            "the member is not what was packed"
        };
        Err(checksum(what, self.start))
    }
}

/// Checks at the end that the bytes of a zip member are those that were packed.
pub(super) struct Checked<R> {
    reader: R,
    wanted: Check,
    crc: Crc,
    size: u64,
}

impl<R> Checked<R> {
    pub(super) fn new(reader: R, wanted: Check) -> Self {
        Self {
            reader,
            wanted,
            crc: Crc::new(),
            size: 0,
        }
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.crc.update(buffer.get(..count).unwrap_or_default());
        self.size += count as u64;
        if (count == 0 && !buffer.is_empty()) || self.size > self.wanted.size {
            self.wanted.verify(self.size, &self.crc).map_err(as_error)?;
        }
        Ok(count)
    }
}
