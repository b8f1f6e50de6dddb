//! Opens files: small ones whole, large ones and pipes as a stream of windows.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE};

/// Files up to this size are read whole by the worker that meets them.
pub const WHOLE: usize = 4 << 20;

/// How much a stream reads at once.
const CHUNK: usize = 1 << 20;

/// How much of UTF-16 is turned into UTF-8 at once.
const DECODED: usize = 1 << 16;

/// What came of opening a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// The buffer begins with all of it: this many bytes.
    Whole(usize),
    /// It is larger than what is read whole.
    Large,
}

/// Reads a file into a buffer that is used again and again.
///
/// # Errors
/// As [`File::open`] and [`Read::read`].
pub fn fetch(path: &Path, buffer: &mut Vec<u8>) -> io::Result<Fetched> {
    let mut file = File::open(path)?;
    let mut filled = 0;
    loop {
        if filled == buffer.len() {
            if filled > WHOLE {
                return Ok(Fetched::Large);
            }
            buffer.resize((filled * 4).clamp(1 << 16, WHOLE + 1), 0);
        }
        match file.read(&mut buffer[filled..]) {
            Ok(0) => return Ok(Fetched::Whole(filled)),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A file or pipe read window by window, UTF-16 turned into UTF-8.
pub struct Stream<'r> {
    reader: Box<dyn Read + 'r>,
    decoder: Option<Decoder>,
    window: Vec<u8>,
    offset: u64,
    eof: bool,
    fault: Option<io::Error>,
}

impl<'r> Stream<'r> {
    /// Streams from a reader, of which the first bytes are read.
    #[must_use]
    pub fn new(reader: Box<dyn Read + 'r>) -> Self {
        let mut stream = Self {
            reader,
            decoder: None,
            window: Vec::new(),
            offset: 0,
            eof: false,
            fault: None,
        };
        stream.fill();
        stream.decoder = match stream.window.get(..2) {
            Some([0xff, 0xfe]) => Some(UTF_16LE.new_decoder_with_bom_removal()),
            Some([0xfe, 0xff]) => Some(UTF_16BE.new_decoder_with_bom_removal()),
            _ => None,
        };
        if stream.decoder.is_some() {
            let raw = std::mem::take(&mut stream.window);
            stream.append(&raw);
        }
        stream
    }

    /// Streams from a reader that stands at a record border of a file, this many
    /// bytes into it: no UTF-16, which cannot be begun in the middle. With `ahead`,
    /// the first window has so many bytes, as it had for one that came to the border
    /// from the start of the file: windows after it are the same then.
    #[must_use]
    pub fn at(reader: Box<dyn Read + 'r>, offset: u64, ahead: Option<usize>) -> Self {
        let mut stream = Self {
            reader,
            decoder: None,
            window: Vec::new(),
            offset,
            eof: false,
            fault: None,
        };
        match ahead {
            None => stream.fill(),
            Some(count) => {
                let mut window = Vec::new();
                stream.read(count, &mut window);
                stream.window = window;
            }
        }
        stream
    }

    /// Whether its bytes are those of the file.
    #[must_use]
    pub const fn is_as_stored(&self) -> bool {
        self.decoder.is_none()
    }

    /// The window: bytes not yet taken.
    #[must_use]
    pub fn window(&self) -> &[u8] {
        &self.window
    }

    /// Whether nothing follows the window.
    #[must_use]
    pub const fn eof(&self) -> bool {
        self.eof
    }

    /// Bytes of the stream before the window.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Takes bytes from the front of the window.
    pub fn take(&mut self, count: usize) -> Vec<u8> {
        let rest = self.window.split_off(count);
        self.offset += count as u64;
        std::mem::replace(&mut self.window, rest)
    }

    /// Reads on: at least a chunk, or twice the window where nothing could be
    /// taken from it. The stream ends where it cannot be read.
    pub fn fill(&mut self) {
        let wanted = CHUNK.max(self.window.len() * 2);
        if self.decoder.is_some() {
            let mut chunk = Vec::new();
            while !self.eof && self.window.len() < wanted {
                chunk.clear();
                self.read(DECODED, &mut chunk);
                self.append(&chunk);
            }
        } else {
            let mut window = std::mem::take(&mut self.window);
            self.read(wanted.saturating_sub(window.len()), &mut window);
            self.window = window;
        }
    }

    /// Reads so many bytes to the end of a buffer, or all that are left.
    fn read(&mut self, count: usize, buffer: &mut Vec<u8>) {
        buffer.reserve(count);
        let limit = count as u64;
        match self.reader.by_ref().take(limit).read_to_end(buffer) {
            Ok(read) => self.eof = read < count,
            Err(error) => {
                self.fault = Some(error);
                self.eof = true;
            }
        }
    }

    /// What ended the stream before its end, once.
    pub fn take_fault(&mut self) -> Option<io::Error> {
        self.fault.take()
    }

    /// Adds bytes of UTF-16 to the window.
    fn append(&mut self, raw: &[u8]) {
        let Some(decoder) = &mut self.decoder else {
            return;
        };
        let room = decoder
            .max_utf8_buffer_length(raw.len())
            .unwrap_or(raw.len() * 3 + 16);
        let start = self.window.len();
        self.window.resize(start + room, 0);
        let (_, _, written, _) = decoder.decode_to_utf8(raw, &mut self.window[start..], self.eof);
        self.window.truncate(start + written);
    }
}
