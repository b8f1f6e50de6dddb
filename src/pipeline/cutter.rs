//! Cuts a stream at record borders, one window after the other.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    sync::Arc,
};

use super::{
    Plan,
    file::{RecordFile, Refusal, head, no_record, unreadable},
    labeller::{Cut, too_large},
};
use crate::{
    format::{Piece, SplitState},
    label::Status,
    record::{Origin, ReadError},
    source::{Entry, Range, Stream},
};

/// A window of a stream with the records in it.
pub(super) struct Window {
    file: Arc<RecordFile>,
    bytes: Arc<Vec<u8>>,
    pieces: Vec<Piece>,
    /// Index of the first piece, from 1.
    index: u64,
    /// Bytes of the stream before the window.
    before: u64,
}

impl Window {
    /// The records in it.
    pub(super) fn cuts(&self) -> impl Iterator<Item = Cut<'_>> {
        self.pieces
            .iter()
            .zip(self.index..)
            .map(|(piece, index)| Cut {
                file: &self.file,
                window: &self.bytes,
                piece: *piece,
                index,
                before: self.before,
            })
    }

    /// Cuts off what follows the records of the first so many bytes; nothing where
    /// no record does.
    pub(super) fn split_off(&mut self, bytes: usize) -> Option<Self> {
        let until = self.pieces.first()?.start.saturating_add(bytes);
        let count = self.pieces.partition_point(|piece| piece.start < until);
        let pieces = self.pieces.split_off(count.max(1));
        (!pieces.is_empty()).then(|| Self {
            file: Arc::clone(&self.file),
            bytes: Arc::clone(&self.bytes),
            index: self.index + self.pieces.len() as u64,
            before: self.before,
            pieces,
        })
    }
}

/// Something that gets a row without being a record.
#[derive(Clone, Debug)]
pub struct Bare {
    /// Key of the row.
    pub origin: Origin<'static>,
    /// Where in the file it is.
    pub offset: u64,
    /// Name of the format, where it is known.
    pub format: &'static str,
    /// Whether it is broken or passed over.
    pub status: Status,
    /// What is wrong.
    pub error: ReadError,
}

impl Bare {
    /// The row of a whole file.
    pub(super) fn new(name: impl Into<String>, status: Status, error: ReadError) -> Self {
        Self {
            origin: Origin::new(name.into(), 1),
            offset: 0,
            format: "",
            status,
            error,
        }
    }
}

/// What a stream gives next.
pub(super) enum Part {
    /// Whole records.
    Window(Window),
    /// The row of what could not be cut into records.
    Bare(Bare),
}

/// A place between two windows where a file can be cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    /// Bytes before it.
    pub(super) at: u64,
    /// Index of the record that follows.
    pub(super) index: u64,
    /// Bytes in the window there: whether a record is too long for one may depend on
    /// how windows lie.
    pub(super) ahead: Option<u64>,
}

impl Border {
    /// The start of a file.
    pub(super) const START: Self = Self {
        at: 0,
        index: 1,
        ahead: None,
    };
}

/// More than this is in no window.
fn most_ahead(plan: &Plan) -> u64 {
    4 * (plan.max_record as u64).max(1 << 20)
}

/// Cuts a stream into windows of whole records.
pub(super) struct Cutter<'r> {
    /// What the stream is; nothing where that could not be said.
    source: Option<(Arc<RecordFile>, Stream<'r>)>,
    state: SplitState,
    /// Index of the next record, from 1.
    index: u64,
    max_record: usize,
    /// Records that begin here or later are not wanted.
    end: Option<u64>,
    /// The row that comes after all records.
    last: Option<Bare>,
}

impl<'r> Cutter<'r> {
    /// Looks at the first bytes of a stream and gets ready to cut it.
    pub(super) fn new(plan: &Plan, entry: &Entry, reader: Box<dyn Read + 'r>) -> Self {
        let mut stream = Stream::new(reader);
        let fault = stream.take_fault();
        match (
            RecordFile::choose(plan, entry, head(&entry.path, stream.window())),
            fault,
        ) {
            (Ok(file), fault) => Self {
                last: fault.map(|error| fault_row(&file, &stream, &error)),
                source: Some((Arc::new(file), stream)),
                max_record: plan.max_record,
                ..Self::refused(entry, None)
            },
            // What it is may stand behind the fault.
            (Err(_), Some(error)) => Self::failed(entry, &error),
            (Err(refusal), None) => Self::refused(entry, Some(refusal)),
        }
    }

    /// Gives the row of a file that cannot be opened, and nothing else.
    pub(super) fn failed(entry: &Entry, error: &io::Error) -> Self {
        Self::refused(entry, Some((Status::Broken, unreadable(error))))
    }

    fn refused(entry: &Entry, refusal: Option<Refusal>) -> Self {
        Self {
            source: None,
            state: SplitState::default(),
            index: 1,
            max_record: 0,
            end: None,
            last: refusal.map(|(status, error)| Bare::new(&entry.name, status, error)),
        }
    }

    /// Gets ready to cut a range of a file, which is what its first bytes say.
    /// It reads past the end of the range, as the last record in it may depend on
    /// what follows.
    pub(super) fn of_range(plan: &Plan, entry: &Entry, range: &Range) -> Cutter<'static> {
        let whole = match File::open(&entry.path) {
            Ok(file) => file,
            Err(error) => return Cutter::failed(entry, &error).at_index(range.index),
        };
        let begun = whole.metadata().and_then(|found| {
            let reader = whole.try_clone()?;
            Ok((found.len(), Cutter::new(plan, entry, Box::new(reader))))
        });
        let (size, mut cutter) = match begun {
            Ok(begun) => begun,
            Err(error) => return Cutter::failed(entry, &error).at_index(range.index),
        };
        let format = cutter.format();
        let why = if size != range.size {
            Some(format!("had {} bytes and has {size}", range.size))
        } else if let Some(format) = format.filter(|format| *format != range.format) {
            Some(format!(
                "was of the format {} and is read as {format}",
                range.format
            ))
        } else if range.ahead.is_some_and(|ahead| ahead > most_ahead(plan)) {
            Some("was read with a larger --max-record".to_owned())
        } else if range.from > 0 && format.is_some() && !cutter.is_cuttable() {
            Some("could be cut and cannot".to_owned())
        } else {
            None
        };
        if let Some(why) = why {
            let error = format!("when it was planned, the file {why}: plan again");
            let error = ReadError::new("changed_file", error);
            return Cutter::refused(entry, Some((Status::Broken, error))).at_index(range.index);
        }
        cutter.end = Some(range.to);
        if range.from > 0
            && let Some((file, stream)) = &mut cutter.source
        {
            if let Err(error) = (&whole).seek(SeekFrom::Start(range.from)) {
                return Cutter::failed(entry, &error).at_index(range.index);
            }
            let ahead = range.ahead.and_then(|ahead| usize::try_from(ahead).ok());
            *stream = Stream::at(Box::new(whole), range.from, ahead);
            let fault = stream.take_fault();
            cutter.last = fault.map(|error| fault_row(file, stream, &error));
            cutter.state = SplitState::anew();
        }
        cutter.at_index(range.index)
    }

    const fn at_index(mut self, index: u64) -> Self {
        self.index = index;
        self
    }

    /// Where the cutter is, if the rest of the file can be cut from here as well.
    pub(super) fn border(&self) -> Option<Border> {
        let (_, stream) = self.source.as_ref()?;
        // A fault may be gone the next time.
        let can = self.is_cuttable() && self.state.is_anew() && self.last.is_none();
        (can && !stream.eof()).then(|| Border {
            at: stream.offset(),
            index: self.index,
            ahead: Some(stream.window().len() as u64),
        })
    }

    /// The name of the format, where it is known.
    pub(super) fn format(&self) -> Option<&'static str> {
        self.source.as_ref().map(|(file, _)| file.format.name())
    }

    /// Whether the file is of a kind that can be cut.
    pub(super) fn is_cuttable(&self) -> bool {
        let source = self.source.as_ref();
        source.is_some_and(|(file, stream)| file.format.begins_anew() && stream.is_as_stored())
    }

    /// What comes next; the row of a fault comes last.
    pub(super) fn next(&mut self) -> Option<Part> {
        while let Some((file, stream)) = &mut self.source {
            if self.end.is_some_and(|end| stream.offset() >= end) {
                // What comes after it is of another range.
                self.source = None;
                self.last = None;
                return None;
            }
            if stream.eof() && stream.window().is_empty() {
                if self.index == 1 && self.last.is_none() {
                    self.last = Some(Bare {
                        format: file.format.name(),
                        ..Bare::new(&file.name, Status::Broken, no_record(&self.state))
                    });
                }
                self.source = None;
                break;
            }
            let mut pieces = Vec::new();
            let consumed = file.format.split(
                &mut self.state,
                stream.window(),
                stream.eof(),
                &file.context,
                &mut |piece| pieces.push(piece),
            );
            if consumed == 0 && stream.window().len() > self.max_record && !self.state.is_passing()
            {
                // A record without an end in sight: one row says so.
                let mut bare = Bare {
                    offset: stream.offset(),
                    format: file.format.name(),
                    ..Bare::new(&file.name, Status::Broken, too_large(self.max_record))
                };
                bare.origin.index = self.index;
                self.index += 1;
                self.state.give_up();
                return Some(Part::Bare(bare));
            }
            if self.last.is_some()
                && let Some(cut) = pieces.pop_if(|piece| piece.around.unclosed)
                && let Some(last) = &mut self.last
            {
                // A record that the fault cut off is the fault's own row.
                last.offset = stream.offset() + cut.start as u64;
            }
            let before = stream.offset();
            if let Some(end) = self.end {
                pieces.retain(|piece| before + (piece.start as u64) < end);
            }
            let bytes = stream.take(consumed);
            if !stream.eof() {
                stream.fill();
                // What was read so far is still worth its rows.
                if let Some(error) = stream.take_fault() {
                    self.last = Some(fault_row(file, stream, &error));
                }
            }
            if pieces.is_empty() {
                continue;
            }
            let index = self.index;
            self.index += pieces.len() as u64;
            return Some(Part::Window(Window {
                file: Arc::clone(file),
                bytes: Arc::new(bytes),
                pieces,
                index,
                before,
            }));
        }
        self.last.take().map(|mut last| {
            last.origin.index = self.index;
            Part::Bare(last)
        })
    }
}

/// The row of a fault that ended a stream.
fn fault_row(file: &RecordFile, stream: &Stream<'_>, error: &io::Error) -> Bare {
    Bare {
        offset: stream.offset() + stream.window().len() as u64,
        format: file.format.name(),
        ..Bare::new(&file.name, Status::Broken, unreadable(error))
    }
}
