//! Cuts a stream at record borders, one window after the other.

use std::{io, sync::Arc};

use super::{
    conveyor::{Window, head, no_format, no_record, unreadable},
    labeller::Cut,
};
use crate::{
    format::{self, Chosen, Context, Format, Piece, SplitState},
    label::Status,
    record::ReadError,
    source::{Entry, Stream},
};

/// Cuts a stream into windows of whole records.
pub(super) struct Cutter {
    format: &'static dyn Format,
    name: Arc<str>,
    state: SplitState,
    /// Index of the next record, from 1.
    index: u64,
    max_record: usize,
    failed: Option<io::Error>,
}

impl Cutter {
    pub(super) fn new(format: &'static dyn Format, name: &str, max_record: usize) -> Self {
        Self {
            format,
            name: Arc::from(name),
            state: SplitState::default(),
            index: 1,
            max_record,
            failed: None,
        }
    }

    /// Whether no record was met so far.
    pub(super) const fn is_empty(&self) -> bool {
        self.index == 1
    }

    /// What the splitter saw so far.
    pub(super) const fn state(&self) -> SplitState {
        self.state
    }

    /// The next window with records in it; an error comes last.
    pub(super) fn next(&mut self, stream: &mut Stream) -> Option<io::Result<Window>> {
        loop {
            if stream.eof() && stream.window().is_empty() {
                return self.failed.take().map(Err);
            }
            let mut pieces = Vec::new();
            let mut consumed = self.format.split(
                &mut self.state,
                stream.window(),
                stream.eof(),
                &Context::default(),
                &mut |piece| {
                    pieces.push(piece);
                },
            );
            if consumed == 0 && stream.window().len() > self.max_record {
                // A record without an end in sight: one row says so.
                consumed = stream.window().len();
                pieces.push(Piece {
                    start: 0,
                    end: consumed,
                    ..Piece::default()
                });
                self.state.any = true;
            }
            let before = stream.offset();
            let bytes = stream.take(consumed);
            if !stream.eof()
                && let Err(error) = stream.fill()
            {
                // What was read so far is still worth its rows.
                stream.end();
                self.failed = Some(error);
            }
            if pieces.is_empty() {
                continue;
            }
            let index = self.index;
            self.index += pieces.len() as u64;
            return Some(Ok(Window {
                format: self.format,
                name: Arc::clone(&self.name),
                bytes,
                pieces,
                index,
                before,
            }));
        }
    }
}

/// Meets the records of one file in order, until `each` says `false`; how many
/// were met.
///
/// # Errors
/// The status and error of the row that a file gets which cannot be read or
/// holds no record.
pub fn visit(
    entry: &Entry,
    max_record: usize,
    each: &mut dyn FnMut(Cut<'_>, Chosen) -> bool,
) -> Result<u64, (Status, ReadError)> {
    let broken = |error| (Status::Broken, unreadable(&error));
    let mut stream = Stream::open(&entry.path).map_err(broken)?;
    let (format, chosen) = format::choose(&entry.path, head(stream.window()))
        .ok_or_else(|| no_format(entry, stream.window()))?;
    let mut cutter = Cutter::new(format, &entry.name, max_record);
    let mut met = 0;
    while let Some(window) = cutter.next(&mut stream) {
        let window = window.map_err(broken)?;
        for cut in window.cuts() {
            met += 1;
            if !each(cut, chosen) {
                return Ok(met);
            }
        }
    }
    if met == 0 {
        return Err((Status::Broken, no_record(cutter.state())));
    }
    Ok(met)
}
