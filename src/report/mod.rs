//! Sinks: how rows are written, and the files that hold them.
//!
//! A new output is one file here and one line in [`SINKS`].

#[cfg(feature = "parquet")]
mod columnar;
mod csv;
pub mod explain;
mod findings;
mod fixes;
mod jsonl;
mod output;
mod summary;

#[cfg(feature = "parquet")]
pub use columnar::{encode, open_again, typed_schema};
pub use fixes::suggestion;
pub use output::{
    Compression, Output, Written, beside, is_stream, is_temporary, remove_unfinished, temporary,
};
pub use summary::{Counts, Summary, Tally};

use std::{collections::BTreeMap, io, path::Path};

use crate::label::{Label, Schema};

/// Every way to write rows.
pub const SINKS: &[&dyn Sink] = &[
    &csv::Csv,
    &jsonl::JsonLines,
    #[cfg(feature = "parquet")]
    &columnar::PARQUET,
    #[cfg(feature = "parquet")]
    &columnar::ARROW,
];

/// What a build without them does not know: names, and extensions of files.
const LEFT_OUT: &[(&str, &[&str])] = &[
    #[cfg(not(feature = "parquet"))]
    ("parquet", &["parquet"]),
    #[cfg(not(feature = "parquet"))]
    ("arrow", &["arrow", "arrows"]),
];

/// Settings that labels depend on, by name.
pub type Settings = BTreeMap<&'static str, String>;

/// What an audit prints: a line for each finding.
pub const FINDINGS: &dyn Sink = &findings::Findings;

/// What `--fixes` writes: corrections of written results.
pub const FIXES: &dyn Sink = &fixes::Fixes;

/// A way to write rows. Encoding runs in the workers, each with an encoder of
/// its own; the bytes are then written in order.
pub trait Sink: Sync {
    /// The name used on the command line.
    fn name(&self) -> &'static str;

    /// Extensions of file names that choose it.
    fn extensions(&self) -> &'static [&'static str];

    /// What stands before the first row.
    fn header(&self, _: &Schema) -> Vec<u8> {
        Vec::new()
    }

    /// An encoder for rows.
    fn encoder(&self, schema: &Schema) -> Box<dyn Encoder>;

    /// Whether its files are compressed inside.
    fn is_compressed(&self) -> bool {
        false
    }

    /// A writer of what encoders make.
    ///
    /// # Errors
    /// As [`Output::write`].
    fn open(
        &self,
        mut output: Output,
        schema: &Schema,
        _: &Settings,
    ) -> io::Result<Box<dyn RowWriter>> {
        output.write(&self.header(schema))?;
        Ok(Box::new(output))
    }
}

/// Turns rows into bytes.
pub trait Encoder: Send {
    /// Appends one row, its line end included.
    fn row(&mut self, label: &Label<'_>, out: &mut Vec<u8>);
}

/// Writes encoded rows. Dropped before it is kept, it leaves no file behind.
///
/// # Errors
/// As [`Output::write`].
pub trait RowWriter {
    /// Writes some whole rows.
    fn write(&mut self, rows: &[u8]) -> io::Result<()>;

    /// Passes on what was written so far, where somebody may be reading along.
    fn flush(&mut self) -> io::Result<()>;

    /// Writes everything so far and passes it on, for somebody who is known to wait
    /// for it.
    fn part(&mut self) -> io::Result<()> {
        self.flush()
    }

    /// Writes what comes last.
    fn end(&mut self) -> io::Result<()>;

    /// Has what was written survive a loss of power, after its end.
    fn sync(&self) -> io::Result<()>;

    /// Gives the file its name, and says what it holds; nothing of what is no file.
    fn keep(self: Box<Self>) -> io::Result<Option<Written>>;
}

impl RowWriter for Output {
    fn write(&mut self, rows: &[u8]) -> io::Result<()> {
        self.write(rows)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        self.end()
    }

    fn sync(&self) -> io::Result<()> {
        self.sync()
    }

    fn keep(self: Box<Self>) -> io::Result<Option<Written>> {
        (*self).keep()
    }
}

/// Finds a sink by name.
///
/// # Errors
/// One sentence, with the known names.
pub fn by_name(name: &str) -> Result<&'static dyn Sink, String> {
    if let Some(sink) = SINKS.iter().find(|sink| sink.name() == name) {
        return Ok(*sink);
    }
    if let Some((name, _)) = LEFT_OUT.iter().find(|(left, _)| *left == name) {
        return Err(left_out(name));
    }
    let known: Vec<&str> = SINKS.iter().map(|sink| sink.name()).collect();
    Err(format!(
        "unknown output format '{name}'; known are {}",
        known.join(", ")
    ))
}

/// The sink of a file name, the extension of a compression aside; none where
/// the name says nothing.
///
/// # Errors
/// One sentence, where this build does not know the format.
pub fn by_file_name(path: &Path) -> Result<Option<&'static dyn Sink>, String> {
    let name = path.to_string_lossy();
    let plain = Compression::strip(&name);
    let extension = plain
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension);
    if let Some((name, _)) = LEFT_OUT
        .iter()
        .find(|(_, extensions)| extensions.contains(&extension))
    {
        return Err(format!("{}: {}", path.display(), left_out(name)));
    }
    let sinks = SINKS.iter().copied();
    let mut sinks = sinks.filter(|sink| sink.extensions().contains(&extension));
    Ok(sinks.next())
}

/// The sink of an output: the one asked for, else by its name, else CSV.
///
/// # Errors
/// One sentence, where there is none, or the name asks for a compression that
/// would hide the file from its readers.
pub fn for_output(path: &Path, asked: Option<&str>) -> Result<&'static dyn Sink, String> {
    let sink = match asked {
        Some(name) => by_name(name)?,
        None => by_file_name(path)?.unwrap_or(&csv::Csv),
    };
    let name = path.to_string_lossy();
    if sink.is_compressed() && Compression::of(&name) != Compression::None {
        return Err(format!(
            "will not write {name}: {} is compressed inside, and readers do not look for it in \
             another compression; name it {}",
            sink.name(),
            Compression::strip(&name)
        ));
    }
    Ok(sink)
}

fn left_out(name: &str) -> String {
    format!(
        "this kifu was built without {name}; build it with --features parquet, or write csv or jsonl"
    )
}
