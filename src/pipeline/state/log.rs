//! Rows of this run, written down for the runs to come.

use std::{
    fs::File,
    io::{self, Write},
    mem,
    path::PathBuf,
};

use super::{
    frame,
    journal::{Journal, Line, Segment},
};
use crate::pipeline::scribe::Rows;

/// Rows that a loss of power may cost, in bytes.
const UNSYNCED: u64 = 16 << 20;

/// Writes rows down, batch by batch. A run that is killed loses no batch that was
/// written down.
pub(in crate::pipeline) struct Log {
    pub(super) folder: PathBuf,
    /// Where rows of this run go, and the file once there are any.
    pub(super) path: PathBuf,
    pub(super) file: Option<File>,
    pub(super) journal: Journal,
    pub(super) written: Segment,
    /// Bytes not yet on disk for sure.
    pub(super) unsynced: u64,
    pub(super) buffer: Vec<u8>,
    /// Whether rows of earlier runs are written down again, which makes their
    /// files needless.
    pub(super) copies: bool,
    /// Bytes of rows that this run needs.
    pub(super) needed: u64,
}

impl Log {
    /// Adds the rows of a file, or of a part of one.
    ///
    /// # Errors
    /// Where they are too many.
    pub(in crate::pipeline) fn add(&mut self, rows: &Rows) -> io::Result<()> {
        let Some(part) = &rows.part else {
            return Ok(());
        };
        // What could not be read now may be read another day.
        let is_lost = rows.tally.errors.contains_key("unreadable");
        if rows.is_logged && !self.copies || is_lost {
            let lanes = rows.bytes.iter().map(Vec::len);
            self.needed += lanes.sum::<usize>() as u64;
            return Ok(());
        }
        let before = self.buffer.len();
        frame::write(part, rows, &mut self.buffer)?;
        self.needed += (self.buffer.len() - before) as u64;
        self.written.files += 1;
        self.written.records += rows.tally.rows;
        Ok(())
    }

    /// Writes a batch down.
    ///
    /// # Errors
    /// Where it cannot be written; the error names the file.
    pub(in crate::pipeline) fn commit(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let buffer = mem::take(&mut self.buffer);
        let result = self.write_down(&buffer);
        self.buffer = buffer;
        self.buffer.clear();
        result.map_err(|error| super::named(&error, &self.folder))
    }

    fn write_down(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(File::create(&self.path)?),
        };
        file.write_all(bytes)?;
        self.written.bytes += bytes.len() as u64;
        self.unsynced += bytes.len() as u64;
        let is_due = self.unsynced >= UNSYNCED;
        if is_due {
            file.sync_data()?;
        }
        self.journal.write(&Line::Rows(self.written.clone()))?;
        if is_due {
            self.journal.sync()?;
            self.unsynced = 0;
        }
        Ok(())
    }
}
