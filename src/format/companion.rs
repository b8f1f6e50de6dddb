//! The file beside a file: the index of a dump, or the dump of an index.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

/// Lines of a companion file, found by the ids of records.
///
/// It takes 16 bytes for each line, and the bytes of the lines that are kept.
#[derive(Debug)]
pub struct Companion {
    path: PathBuf,
    /// The kept lines, each with a line end behind it.
    text: Vec<u8>,
    /// Hash of the id, and where its line starts; sorted once all are there.
    lines: Vec<(u64, usize)>,
    sorted: bool,
}

impl Companion {
    /// A companion without a line so far.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            text: Vec::new(),
            lines: Vec::new(),
            sorted: true,
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
        self.sorted = false;
    }

    /// Makes lines findable: to be called when all are added.
    pub fn seal(&mut self) {
        self.lines.sort_unstable();
        self.lines.shrink_to_fit();
        self.text.shrink_to_fit();
        self.sorted = true;
    }

    /// The line added first under an id.
    #[must_use]
    pub fn get(&self, id: &[u8]) -> Option<&[u8]> {
        debug_assert!(self.sorted, "seal() was not called");
        let hash = xxh3_64(id);
        let place = self.lines.partition_point(|(known, _)| *known < hash);
        let (known, start) = self.lines.get(place)?;
        let line = self.text.get(*start..).filter(|_| *known == hash)?;
        line.split(|byte| *byte == b'\n').next()
    }

    /// Whether more than one line was added under an id.
    #[must_use]
    pub fn is_repeated(&self, id: &[u8]) -> bool {
        let hash = xxh3_64(id);
        let place = self.lines.partition_point(|(known, _)| *known < hash);
        self.lines
            .get(place + 1)
            .is_some_and(|(known, _)| *known == hash)
    }

    /// How many lines were added.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether no line was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}
