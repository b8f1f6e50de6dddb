//! Rows by column, with types: Parquet, and what Arrow calls IPC.
//!
//! Workers encode rows compactly; the writer gathers them by column, in order.
//! Batches and row groups end after so many rows or bytes of rows, never after
//! what came at once, so that the same rows give the same bytes; but for somebody
//! who waits for them, where a part ends.

mod again;
mod frame;
mod rows;
mod table;

use std::{io, sync::Arc};

use arrow_schema::{ArrowError, Schema as ArrowSchema};
use serde::Serialize;

use super::{Encoder, Output, RowWriter, Settings, Sink, Written};
use crate::label::{SCHEMA_KEY, SCHEMA_VERSION, SETTINGS_KEY, Schema, VERSION_KEY};
pub use again::{encode, typed_schema};
use frame::{Frame, Ipc, Parquet};
use rows::{Reader, Rows};
use table::Table;

/// What makes the frame of an output, given what it says about its run.
type MakeFrame =
    fn(&Output, &Arc<ArrowSchema>, [(String, String); 3]) -> Result<Box<dyn Frame>, ArrowError>;

/// A sink of rows by column.
pub(super) struct Columnar {
    name: &'static str,
    extensions: &'static [&'static str],
    frame: MakeFrame,
}

/// The Parquet sink.
pub(super) const PARQUET: Columnar = Columnar {
    name: "parquet",
    extensions: &["parquet"],
    frame: |_, schema, about| Ok(Box::new(Parquet::new(schema, about)?)),
};

/// The Arrow sink.
pub(super) const ARROW: Columnar = Columnar {
    name: "arrow",
    extensions: &["arrow", "arrows"],
    frame: |output, schema, about| {
        let is_file = output.is_file() && output.name().ends_with(".arrow");
        Ok(Box::new(Ipc::new(is_file, schema, about)?))
    },
};

impl Sink for Columnar {
    fn name(&self) -> &'static str {
        self.name
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn encoder(&self, schema: &Schema) -> Box<dyn Encoder> {
        Box::new(Rows::new(&schema.typed()))
    }

    fn is_compressed(&self) -> bool {
        true
    }

    fn open(
        &self,
        output: Output,
        schema: &Schema,
        settings: &Settings,
    ) -> io::Result<Box<dyn RowWriter>> {
        self.writer(output, schema, settings)
    }
}

impl Columnar {
    fn writer(
        &self,
        output: Output,
        schema: &Schema,
        settings: &impl Serialize,
    ) -> io::Result<Box<dyn RowWriter>> {
        let columns = schema.typed().columns.into_iter();
        let fields: Vec<_> = columns.map(table::field).collect();
        let schema = Arc::new(ArrowSchema::new(fields));
        let frame = about(settings).and_then(|about| (self.frame)(&output, &schema, about));
        Ok(Box::new(Writer {
            frame: frame.map_err(|error| output.wrong(error))?,
            output,
            table: Table::new(schema),
        }))
    }
}

/// A writer of rows that [`encode`] made, in a format by its name. `settings` are those
/// of the run, by name.
///
/// # Errors
/// As [`Output::write`], and where the format is no other one.
pub fn open_again(
    format: &str,
    output: Output,
    schema: &Schema,
    settings: &impl Serialize,
) -> io::Result<Box<dyn RowWriter>> {
    let sink = [PARQUET, ARROW].into_iter().find(|it| it.name == format);
    let unknown = || io::Error::new(io::ErrorKind::InvalidInput, "rows are not by column");
    sink.ok_or_else(unknown)?.writer(output, schema, settings)
}

/// What a file says about its run, by key.
fn about(settings: &impl Serialize) -> Result<[(String, String); 3], ArrowError> {
    let settings = serde_json::to_string(settings)
        .map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
    let version = env!("CARGO_PKG_VERSION").to_owned();
    Ok([
        (VERSION_KEY.to_owned(), version),
        (SCHEMA_KEY.to_owned(), SCHEMA_VERSION.to_owned()),
        (SETTINGS_KEY.to_owned(), settings),
    ])
}

/// Writes rows by column.
struct Writer {
    output: Output,
    table: Table,
    frame: Box<dyn Frame>,
}

impl Writer {
    /// Hands the rows gathered so far on.
    fn batch(&mut self) -> io::Result<()> {
        let Self {
            output,
            table,
            frame,
        } = self;
        let batch = table.take().map_err(|error| output.wrong(error))?;
        if let Some((batch, bytes)) = batch {
            frame
                .write(&batch, bytes)
                .map_err(|error| output.wrong(error))?;
        }
        self.drain()
    }

    /// Writes the bytes that are ready.
    fn drain(&mut self) -> io::Result<()> {
        let Self { output, frame, .. } = self;
        let bytes = frame.bytes().map_err(|error| output.wrong(error))?;
        if !bytes.is_empty() {
            output.write(bytes)?;
            bytes.clear();
        }
        Ok(())
    }
}

impl RowWriter for Writer {
    fn write(&mut self, rows: &[u8]) -> io::Result<()> {
        let mut reader = Reader::new(rows);
        while reader.left() > 0 {
            let full = self.table.add(&mut reader);
            if full.map_err(|error| self.output.wrong(error))? {
                self.batch()?;
            }
        }
        Ok(())
    }

    /// What a reader could use is written when a batch is full.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn part(&mut self) -> io::Result<()> {
        self.batch()?;
        self.output.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        self.batch()?;
        let ended = self.frame.end();
        ended.map_err(|error| self.output.wrong(error))?;
        self.drain()?;
        self.output.end()
    }

    fn sync(&self) -> io::Result<()> {
        self.output.sync()
    }

    fn keep(self: Box<Self>) -> io::Result<Option<Written>> {
        self.output.keep()
    }
}
