//! Sinks: how rows are written, and the files that hold them.
//!
//! A new output is one file here and one line in [`SINKS`].

mod csv;
pub mod explain;
mod findings;
mod fixes;
mod jsonl;
mod output;
mod summary;

pub use fixes::suggestion;
pub use output::{Compression, Output, is_stream, remove_unfinished, temporary};
pub use summary::{Counts, Summary, Tally};

use crate::label::{Label, Schema};

/// Every way to write rows.
pub const SINKS: &[&dyn Sink] = &[&csv::Csv, &jsonl::JsonLines];

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
    fn header(&self, schema: &Schema) -> Vec<u8>;

    /// An encoder for rows.
    fn encoder(&self, schema: &Schema) -> Box<dyn Encoder>;
}

/// Turns rows into bytes.
pub trait Encoder: Send {
    /// Appends one row, its line end included.
    fn row(&mut self, label: &Label<'_>, out: &mut Vec<u8>);
}

/// Finds a sink by name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Sink> {
    SINKS.iter().copied().find(|sink| sink.name() == name)
}

/// The sink of a file name, the extension of a compression aside; CSV where
/// the name says nothing.
#[must_use]
pub fn by_file_name(name: &str) -> &'static dyn Sink {
    let plain = Compression::strip(name);
    let extension = plain
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension);
    SINKS
        .iter()
        .copied()
        .find(|sink| sink.extensions().contains(&extension))
        .unwrap_or(&csv::Csv)
}
