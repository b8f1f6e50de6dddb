//! The file beside a file: the index of a dump, or the dump of an index.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

/// Lines of a companion file, found by the ids of records.
///
/// It takes 17 bytes for each line, and the bytes of the lines that are kept.
/// Ids are told apart by a hash of 64 bits.
#[derive(Debug)]
pub struct Companion {
    path: PathBuf,
    /// The kept lines, each with a line end behind it.
    text: Vec<u8>,
    /// Hash of the id, and where its line starts; sorted once all are there.
    lines: Vec<(u64, usize)>,
}

impl Companion {
    /// A companion without a line so far.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            text: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// The file it was read from.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line under an id; an empty line keeps nothing but the id.
    pub fn add(&mut self, id: &[u8], line: &[u8]) {
        self.lines.push((xxh3_64(id), self.text.len()));
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
    }

    /// Makes lines findable: to be called when all are added.
    pub fn seal(&mut self) {
        self.lines.sort_unstable();
        self.lines.shrink_to_fit();
        self.text.shrink_to_fit();
    }

    /// The line added first under an id.
    #[must_use]
    pub fn get(&self, id: &[u8]) -> Option<&[u8]> {
        let start = self.starts(id).next()?;
        self.text.get(start..)?.split(|byte| *byte == b'\n').next()
    }

    /// Whether more than one line was added under an id.
    #[must_use]
    pub fn is_repeated(&self, id: &[u8]) -> bool {
        self.starts(id).nth(1).is_some()
    }

    /// Where the lines under an id start, in the order they were added.
    fn starts(&self, id: &[u8]) -> impl Iterator<Item = usize> {
        let hash = xxh3_64(id);
        let first = self.lines.partition_point(|(known, _)| *known < hash);
        let lines = self.lines.get(first..).unwrap_or_default().iter();
        lines
            .take_while(move |(known, _)| *known == hash)
            .map(|(_, start)| *start)
    }
}
