//! What can be wrong with a packed file, a machine word and a sentence each.

use std::{error::Error, fmt, io};

use crate::record::ReadError;

/// A fault on its way through [`io::Read`].
#[derive(Debug)]
struct Fault(ReadError);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl Error for Fault {}

/// The fault that a reader of this module gave, from the error it came as;
/// other errors are `unreadable`.
#[must_use]
pub fn fault_of(error: &io::Error) -> ReadError {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    inner.map_or_else(
        || ReadError::new("unreadable", format!("cannot be read: {error}")),
        |Fault(fault)| fault.clone(),
    )
}

/// Whether a fault is damage of the bytes, so that those before it are good.
#[must_use]
pub fn is_damage(fault: &ReadError) -> bool {
    matches!(
        fault.kind,
        "truncated" | "corrupt" | "checksum" | "trailing_garbage"
    )
}

/// A fault as an error of a reader.
pub(super) fn as_error(fault: ReadError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, Fault(fault))
}

/// The data stop before their end.
pub(super) fn truncated(what: &str, at: u64) -> ReadError {
    ReadError::new(
        "truncated",
        format!("{what} breaks off at byte {at}; get a whole copy of the file"),
    )
}

/// The data are not what they should be.
pub(super) fn corrupt(what: &str, at: u64) -> ReadError {
    ReadError::new(
        "corrupt",
        format!("{what} at byte {at}; get a good copy of the file"),
    )
}

/// The data were read, and are not those that were packed.
pub(super) fn checksum(what: &str, at: u64) -> ReadError {
    ReadError::new(
        "checksum",
        format!("{what}, at byte {at}; get a good copy of the file"),
    )
}

/// A way of packing that is not read.
pub(super) fn unsupported(what: &str) -> ReadError {
    ReadError::new(
        "unsupported",
        format!("{what} is not read; unpack it with another program and read the result"),
    )
}

/// Something packed, in something packed, in something packed.
pub(super) fn nested_too_deep(packing: &str) -> ReadError {
    ReadError::new(
        "nested_too_deep",
        format!(
            "a {packing} file two levels inside a packed file is not read; unpack the outer file first"
        ),
    )
}
