//! What a state holds: a line of JSON for each step that is done.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufRead, BufReader, Read as _, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

/// Its name in the folder.
pub(super) const NAME: &str = "journal.jsonl";

/// Bytes of a line, at most.
const MAX_LINE: u64 = 16 << 20;

/// What rows depend on beside the bytes of their files. Rows of other settings
/// are never mixed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Version of kifu.
    pub version: String,
    /// Version of the columns.
    pub schema: String,
    /// Settings by name.
    pub settings: BTreeMap<String, String>,
    /// What is walked.
    pub inputs: Vec<String>,
    /// What is written: the sink and the rows of each output.
    pub outputs: Vec<String>,
}

impl Identity {
    /// What differs, in words: `rules was chinese and is japanese`.
    pub(super) fn difference(&self, now: &Self) -> String {
        let mut words = Vec::new();
        let lists = |list: &[String]| list.join(" ");
        for (name, was, is) in [
            ("the version of kifu", &self.version, &now.version),
            ("the version of the columns", &self.schema, &now.schema),
            ("PATH", &lists(&self.inputs), &lists(&now.inputs)),
            ("outputs", &lists(&self.outputs), &lists(&now.outputs)),
        ] {
            if was != is {
                words.push(format!("{name}: was {was}, is {is}"));
            }
        }
        let none = "not set".to_owned();
        let mut names: Vec<&String> = self.settings.keys().chain(now.settings.keys()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let [was, is] = [self, now].map(|it| it.settings.get(name).unwrap_or(&none));
            if was != is {
                words.push(format!("{name}: was {was}, is {is}"));
            }
        }
        words.join("; ")
    }
}

/// A line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    /// The first line: what all rows depend on.
    State(Identity),
    /// Files under temporary names, which a run that ended early left behind.
    Writing(Vec<PathBuf>),
    /// A file of rows is whole up to here.
    Rows(Segment),
    /// A run came to its end.
    Finished {
        /// Bytes of rows that it needed.
        bytes: u64,
    },
}

/// A file of rows, as far as it is whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Segment {
    /// Its number, which is its name.
    pub(super) segment: u32,
    /// Bytes that are whole.
    pub(super) bytes: u64,
    /// Files of the archive, or parts of large ones, in them.
    pub(super) files: u64,
    /// Records in them.
    pub(super) records: u64,
}

/// What a journal says.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) identity: Option<Identity>,
    pub(super) writing: Vec<PathBuf>,
    /// In the order of runs.
    pub(super) segments: Vec<Segment>,
    /// Bytes that the last whole run needed.
    pub(super) needed: Option<u64>,
}

/// Reads a journal, line by line, as a long run writes many. A line that cannot be
/// read was cut off, and what it tells of is done again.
///
/// # Errors
/// Where the file cannot be read; one that is not there says nothing.
pub(super) fn read(folder: &Path) -> io::Result<Read> {
    let mut journal = Read::default();
    each_line(folder, &mut |line| {
        match line {
            Line::State(identity) => journal.identity = Some(identity),
            Line::Writing(paths) => journal.writing = paths,
            Line::Rows(found) => {
                let known = journal.segments.iter_mut();
                match known.last().filter(|last| last.segment == found.segment) {
                    Some(last) => *last = found,
                    None => journal.segments.push(found),
                }
            }
            Line::Finished { bytes } => journal.needed = Some(bytes),
        }
        true
    })?;
    Ok(journal)
}

/// What the rows of a state depend on: its first line.
///
/// # Errors
/// As [`read`].
pub(super) fn identity(folder: &Path) -> io::Result<Option<Identity>> {
    let mut identity = None;
    each_line(folder, &mut |line| {
        if let Line::State(found) = line {
            identity = Some(found);
        }
        false
    })?;
    Ok(identity)
}

/// Gives the lines that can be read, until no more are wanted.
fn each_line(folder: &Path, each: &mut dyn FnMut(Line) -> bool) -> io::Result<()> {
    let mut file = match File::open(folder.join(NAME)) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        // No line of ours is longer.
        let read = file.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes)?;
        let Some(line) = bytes.strip_suffix(b"\n").filter(|_| read > 0) else {
            return Ok(());
        };
        if let Ok(line) = serde_json::from_slice(line)
            && !each(line)
        {
            return Ok(());
        }
    }
}

/// A journal that is written on.
pub(super) struct Journal {
    file: File,
}

impl Journal {
    /// Writes a journal of some lines in place of the one that is there, at once.
    ///
    /// # Errors
    /// As [`File::create`] and [`Write::write_all`].
    pub(super) fn replace(folder: &Path, lines: &[Line]) -> io::Result<Self> {
        let (path, temporary) = (folder.join(NAME), folder.join("journal.tmp"));
        let mut journal = Self {
            file: File::create(&temporary)?,
        };
        for line in lines {
            journal.write(line)?;
        }
        journal.file.sync_all()?;
        fs::rename(&temporary, &path)?;
        super::sync_folder(folder)?;
        Ok(journal)
    }

    /// Adds a line.
    ///
    /// # Errors
    /// As [`Write::write_all`].
    pub(super) fn write(&mut self, line: &Line) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.file.write_all(&bytes)
    }

    /// Has what was written so far survive a loss of power.
    ///
    /// # Errors
    /// As [`File::sync_data`].
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}
