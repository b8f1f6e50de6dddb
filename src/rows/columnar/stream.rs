//! Batches of a stream of Arrow: messages of a head and a body, until one that is
//! empty. A file of Arrow is a stream between two marks, with a table at its end
//! that says what the stream says.

use std::{
    collections::HashMap,
    io::{self, Read},
    sync::Arc,
};

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::{MessageHeader, convert::try_fb_to_schema, reader::read_record_batch};
use arrow_schema::{Schema, SchemaRef};

use super::{Batches, Fault, try_decode};

/// What stands before the length of a message.
const MARK: [u8; 4] = [0xff; 4];

/// What stands at both ends of a file.
const MAGIC: &[u8] = b"ARROW1";

/// Bytes of the head of a message, at most.
const MAX_HEAD: usize = 16 << 20;

/// Bytes of a batch, packed and unpacked, at most: kifu's have some 2 MB.
const MAX_BODY: usize = 256 << 20;

/// The same of a batch of whole files.
const MAX_FILES: usize = 16 << 30;

/// What a stream is read as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Rows of kifu, in a stream that ends with them.
    Rows,
    /// Rows of kifu, in a file.
    File,
    /// Files, as another program hands them over: batches are as large as the files
    /// are, and it may wait for an answer when they end.
    Fed,
}

/// A stream at the border of two messages.
pub(super) struct Stream {
    bytes: Box<dyn Read>,
    form: Form,
    schema: SchemaRef,
    places: Vec<usize>,
}

impl Stream {
    pub(super) fn open(mut bytes: Box<dyn Read>, form: Form) -> Result<Self, Fault> {
        if form == Form::File {
            skip_magic(&mut bytes)?;
        }
        let mut stream = Self {
            bytes,
            form,
            schema: Arc::new(Schema::empty()),
            places: Vec::new(),
        };
        let head = stream.head()?;
        let head = head.ok_or_else(|| Fault::damaged("it has no columns"))?;
        stream.schema = Arc::new(try_decode(|| {
            let message = arrow_ipc::root_as_message(&head).map_err(|error| error.to_string())?;
            let schema = message
                .header_as_schema()
                .filter(|_| message.bodyLength() == 0);
            let schema = schema.ok_or("it does not begin with its columns")?;
            try_fb_to_schema(schema).map_err(|error| error.to_string())
        })?);
        Ok(stream)
    }

    /// The head of the next message; none at the end.
    fn head(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        let mut mark = word(&mut self.bytes)?;
        if self.schema.fields().is_empty() && self.form == Form::File {
            // Up to the first message there may be zeros, to a border of 64 bytes.
            for _ in 0..14 {
                if mark != [0; 4] {
                    break;
                }
                mark = word(&mut self.bytes)?;
            }
        }
        if mark != MARK {
            return Err(Fault::damaged("there is no message where one should be"));
        }
        let length = u32::from_le_bytes(word(&mut self.bytes)?) as usize;
        match length {
            0 => self.end().map(|()| None),
            1..=MAX_HEAD => take(&mut self.bytes, length).map(Some),
            _ => Err(Fault::damaged("the length of a message cannot be")),
        }
    }

    /// Checks what comes behind the last message.
    fn end(&mut self) -> Result<(), Fault> {
        if self.form == Form::Fed {
            return Ok(());
        }
        let mut last = Vec::new();
        let mut more = false;
        let mut buffer = [0; 8192];
        loop {
            let read = match self.bytes.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Fault::of(error)),
            };
            more = true;
            if self.form != Form::File {
                break;
            }
            last.extend_from_slice(&buffer[..read]);
            last.drain(..last.len().saturating_sub(MAGIC.len()));
        }
        match (self.form == Form::File, more) {
            (true, _) if last != MAGIC => Err(Fault::CutOff),
            (false, true) => Err(Fault::Refused(
                "something follows the end of the rows: give the rows of one run at a time",
            )),
            _ => Ok(()),
        }
    }

    /// The next batch, with the columns at some places; none at the end.
    pub(super) fn batch(&mut self) -> Result<Option<RecordBatch>, Fault> {
        let is_fed = self.form == Form::Fed;
        let most = if is_fed { MAX_FILES } else { MAX_BODY };
        loop {
            let Some(head) = self.head()? else {
                return Ok(None);
            };
            let message = try_decode(|| arrow_ipc::root_as_message(&head))?;
            let length = usize::try_from(message.bodyLength()).unwrap_or(usize::MAX);
            if length > most {
                return Err(Fault::damaged("the length of a batch cannot be"));
            }
            let body = take(&mut self.bytes, length)?;
            if message.header_type() == MessageHeader::DictionaryBatch {
                if is_fed {
                    // Of a column that nobody asks for.
                    continue;
                }
                return Err(Fault::Refused(
                    "it has dictionaries, which no column of labels has: give rows that kifu \
                     label wrote",
                ));
            }
            let batch = try_decode(|| {
                let batch = message.header_as_record_batch();
                let batch = batch.ok_or("a message is no batch of rows")?;
                check(&batch, &body, most)?;
                let read = read_record_batch(
                    &Buffer::from_vec(body),
                    batch,
                    Arc::clone(&self.schema),
                    &HashMap::new(),
                    Some(&self.places),
                    &message.version(),
                );
                read.map_err(|error| error.to_string())
            })?;
            return Ok(Some(batch));
        }
    }

    /// The columns of the stream.
    pub(super) fn columns(&self) -> &Schema {
        &self.schema
    }

    /// Chooses the columns of batches, by their places, in order.
    pub(super) fn choose_places(&mut self, places: &[usize]) {
        self.places = places.to_vec();
    }
}

impl Batches for Stream {
    fn schema(&self) -> &Schema {
        self.columns()
    }

    fn about(&self, key: &str) -> Option<&str> {
        self.schema.metadata().get(key).map(String::as_str)
    }

    fn choose(&mut self, places: &[usize]) -> Result<(), String> {
        self.choose_places(places);
        Ok(())
    }

    fn next(&mut self) -> Result<Option<RecordBatch>, String> {
        self.batch().map_err(Fault::of_rows)
    }
}

/// Checks that the buffers of a batch lie in its body, and what they unpack to.
fn check(batch: &arrow_ipc::RecordBatch<'_>, body: &[u8], most: usize) -> Result<(), String> {
    let is_packed = batch.compression().is_some();
    let mut unpacked = 0_usize;
    for buffer in batch.buffers().into_iter().flatten() {
        let start = usize::try_from(buffer.offset()).ok();
        let length = usize::try_from(buffer.length()).ok();
        let range = start.zip(length).and_then(|(start, length)| {
            let end = start.checked_add(length)?;
            body.get(start..end)
        });
        let bytes = range.ok_or("a column lies outside of its batch")?;
        // The length stands before what is packed; -1 is of what is not.
        if let Some(length) = bytes.first_chunk().filter(|_| is_packed) {
            let length = i64::from_le_bytes(*length);
            let length = usize::try_from(length).or(if length == -1 { Ok(0) } else { Err(()) });
            let sum = length.ok().and_then(|length| unpacked.checked_add(length));
            unpacked = sum
                .filter(|sum| *sum <= most)
                .ok_or("the length of a column cannot be")?;
        }
    }
    Ok(())
}

/// Goes behind the mark at the beginning of a file.
fn skip_magic(bytes: &mut impl Read) -> Result<(), Fault> {
    let magic = take(bytes, 8)?;
    match magic.strip_prefix(MAGIC) {
        Some([0, 0]) => Ok(()),
        _ => Err(Fault::damaged("it does not begin as a file of Arrow")),
    }
}

fn word(bytes: &mut impl Read) -> Result<[u8; 4], Fault> {
    let mut word = [0; 4];
    bytes.read_exact(&mut word).map_err(Fault::of)?;
    Ok(word)
}

/// So many bytes; memory is taken as they come.
fn take(bytes: &mut impl Read, length: usize) -> Result<Vec<u8>, Fault> {
    let mut taken = Vec::new();
    let read = bytes.take(length as u64).read_to_end(&mut taken);
    match read.map_err(Fault::of)? {
        read if read == length => Ok(taken),
        _ => Err(Fault::CutOff),
    }
}
