//! Cuts a stream at record borders, one window after the other.

use std::{
    io::{self, Read},
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
    source::{Entry, Stream},
};

/// A window of a stream with the records in it.
pub(super) struct Window {
    file: Arc<RecordFile>,
    bytes: Vec<u8>,
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

/// Cuts a stream into windows of whole records.
pub(super) struct Cutter<'r> {
    /// What the stream is; nothing where that could not be said.
    source: Option<(Arc<RecordFile>, Stream<'r>)>,
    state: SplitState,
    /// Index of the next record, from 1.
    index: u64,
    max_record: usize,
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
            last: refusal.map(|(status, error)| Bare::new(&entry.name, status, error)),
        }
    }

    /// What comes next; the row of a fault comes last.
    pub(super) fn next(&mut self) -> Option<Part> {
        while let Some((file, stream)) = &mut self.source {
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
                bytes,
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
