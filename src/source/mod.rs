//! Where bytes come from: folders, files, lists and standard input.

pub mod charset;
mod open;
mod origin;
pub mod packed;
mod shard;
mod walk;

pub use open::{Fetched, Stream, WHOLE, fetch};
pub use origin::{escape, escape_bytes, path_of, unescape};
pub use shard::{Head, Line, MAX_SHARDS, Manifest, Range, Shard};
pub use walk::{Container, Entry, Found, Selection, Walk, glob, sort_key};
