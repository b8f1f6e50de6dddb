//! What a nightly run keeps from one night to the next: the rows of every file,
//! and how the file looked.
//!
//! A folder holds `journal.jsonl`, and the rows that each run added
//! (`0001.rows`), in the order of its walk. A file that looks as it did gives the
//! rows that are kept; all others are labelled. A run that was killed is nothing
//! special: its rows are those of a run that met fewer files.

mod frame;
mod journal;
mod kept;
mod log;
mod stamp;

use std::{
    fs::{self, File, TryLockError},
    io::{self, Read as _, Write},
    path::{Path, PathBuf},
};

pub use journal::Identity;
pub(super) use {
    frame::Part,
    kept::{Kept, Known},
    log::Log,
    stamp::Mark,
};

use crate::report::is_temporary;
use journal::{Journal, Line, Read, Segment};

/// So many files of rows are made one.
const MANY: usize = 8;

/// Bytes of needless rows that are always put up with.
const NEEDLESS: u64 = 64 << 20;

const LOCK: &str = "lock";

/// A state that is in use: no other run can use it until it is dropped.
pub struct State {
    kept: Kept,
    log: Log,
    /// Held as long as the state is in use.
    lock: File,
}

impl State {
    /// Opens the state in a folder, or begins one. With `restart`, what it holds
    /// is thrown away. `writing` are files that are removed if this run ends
    /// early.
    ///
    /// # Errors
    /// Where another run uses it, it is of other settings, holds something else,
    /// or cannot be written.
    pub fn open(
        folder: &Path,
        identity: &Identity,
        restart: bool,
        writing: &[PathBuf],
    ) -> io::Result<Self> {
        if folder.is_file() {
            return Err(io::Error::other(format!(
                "{} is a file: --state takes a folder, which is made where there is none",
                folder.display()
            )));
        }
        fs::create_dir_all(folder).map_err(|error| named(&error, folder))?;
        // Before anything is written there.
        check_names(folder)?;
        let lock = lock(folder)?;
        Self::open_locked(folder, identity, restart, writing, lock)
    }

    fn open_locked(
        folder: &Path,
        identity: &Identity,
        restart: bool,
        writing: &[PathBuf],
        lock: File,
    ) -> io::Result<Self> {
        let wrong = |error: io::Error| named(&error, folder);
        let found = journal::read(folder).map_err(wrong)?;
        if let Some(known) = found.identity.as_ref().filter(|_| !restart)
            && known != identity
        {
            return Err(io::Error::other(format!(
                "the state in {} is of another run ({}): --restart labels everything again, or \
                 name another --state",
                folder.display(),
                known.difference(identity)
            )));
        }
        for path in found.writing.iter().filter(|path| is_temporary(path)) {
            // It may have got its name before its run ended.
            let _ = fs::remove_file(path);
        }
        let found = if restart { Read::default() } else { found };
        let mut segments = found.segments;
        remove_others(folder, &segments).map_err(wrong)?;
        let held: u64 = segments.iter().map(|segment| segment.bytes).sum();
        let copies = found
            .needed
            .is_some_and(|needed| held > needed * 2 + NEEDLESS);
        let lanes = identity.outputs.len();
        let last = segments.last().map_or(0, |segment| segment.segment);
        let first_lines = |segments: &[Segment]| {
            let mut lines = vec![Line::State(identity.clone())];
            lines.extend(segments.iter().cloned().map(Line::Rows));
            lines.extend(found.needed.map(|bytes| Line::Finished { bytes }));
            lines
        };
        let mut next = last + 1;
        if segments.len() >= MANY {
            let merged = merge(folder, &segments, next, lanes).map_err(wrong)?;
            segments = vec![merged];
            Journal::replace(folder, &first_lines(&segments)).map_err(wrong)?;
            remove_others(folder, &segments).map_err(wrong)?;
            next += 1;
        }
        let mut lines = first_lines(&segments);
        lines.push(Line::Writing(writing.to_vec()));
        let journal = Journal::replace(folder, &lines).map_err(wrong)?;
        let paths: Vec<(PathBuf, u64)> = segments
            .iter()
            .map(|segment| (path_of(folder, segment.segment), segment.bytes))
            .collect();
        let runs = paths.iter().map(|(path, bytes)| (path.as_path(), *bytes));
        let kept = Kept::open(runs, lanes).map_err(wrong)?;
        Ok(Self {
            kept,
            log: Log {
                folder: folder.to_owned(),
                path: path_of(folder, next),
                file: None,
                journal,
                written: Segment {
                    segment: next,
                    bytes: 0,
                    files: 0,
                    records: 0,
                },
                unsynced: 0,
                buffer: Vec::new(),
                copies,
                needed: 0,
            },
            lock,
        })
    }

    /// The rows of earlier runs, what writes those of this one, and the lock.
    pub(super) fn split(self) -> (Kept, Log, File) {
        (self.kept, self.log, self.lock)
    }
}

impl Log {
    /// Closes the books of a run that met everything; its outputs have their
    /// names.
    ///
    /// # Errors
    /// Where the journal cannot be written.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.commit()?;
        let wrong = |error: io::Error| named(&error, &self.folder);
        if let Some(file) = &self.file {
            file.sync_data().map_err(wrong)?;
        }
        let last = Line::Finished { bytes: self.needed };
        if self.copies {
            let identity = journal::identity(&self.folder).map_err(wrong)?;
            let segments = [self.written.clone()];
            let mut lines: Vec<Line> = identity.into_iter().map(Line::State).collect();
            lines.extend([Line::Rows(self.written), last]);
            Journal::replace(&self.folder, &lines).map_err(wrong)?;
            return remove_others(&self.folder, &segments).map_err(wrong);
        }
        self.journal
            .write(&Line::Writing(Vec::new()))
            .map_err(wrong)?;
        self.journal.write(&last).map_err(wrong)?;
        self.journal.sync().map_err(wrong)
    }
}

/// Takes the lock of a state, or says who has it.
fn lock(folder: &Path) -> io::Result<File> {
    let path = folder.join(LOCK);
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(|error| named(&error, folder))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut who = String::new();
            // It is only for the message.
            let _ = file.read_to_string(&mut who);
            return Err(io::Error::other(format!(
                "another run uses the state in {} (process {}): wait until it has ended, or name \
                 another --state",
                folder.display(),
                who.trim()
            )));
        }
        Err(TryLockError::Error(error)) => return Err(named(&error, folder)),
    }
    let write = file
        .set_len(0)
        .and_then(|()| writeln!(file, "{}", std::process::id()));
    write.map_err(|error| named(&error, folder))?;
    Ok(file)
}

/// Refuses a folder that holds something else: a state has a journal, or nothing
/// that is worth anything.
fn check_names(folder: &Path) -> io::Result<()> {
    let wrong = |error: io::Error| named(&error, folder);
    let has_journal = journal::identity(folder).map_err(wrong)?.is_some();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let name = entry.map_err(wrong)?.file_name();
        let name = name.to_string_lossy();
        let is_ours = match &*name {
            LOCK | "journal.tmp" => true,
            journal::NAME => has_journal,
            name => has_journal && number_of(name).is_some(),
        };
        if !is_ours {
            return Err(io::Error::other(format!(
                "{} is no state of kifu, or a damaged one, as it holds {name}: name a folder of \
                 its own for --state",
                folder.display()
            )));
        }
    }
    Ok(())
}

fn path_of(folder: &Path, segment: u32) -> PathBuf {
    folder.join(format!("{segment:04}.rows"))
}

fn number_of(name: &str) -> Option<u32> {
    name.strip_suffix(".rows")?.parse().ok()
}

/// Removes the rows that no journal knows of.
fn remove_others(folder: &Path, segments: &[Segment]) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let number = number_of(&entry.file_name().to_string_lossy());
        let is_known = |number| segments.iter().any(|known| known.segment == number);
        if number.is_some_and(|number| !is_known(number)) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Makes one file of rows of several.
fn merge(folder: &Path, segments: &[Segment], number: u32, lanes: usize) -> io::Result<Segment> {
    let paths: Vec<(PathBuf, u64)> = segments
        .iter()
        .map(|segment| (path_of(folder, segment.segment), segment.bytes))
        .collect();
    let runs = paths.iter().map(|(path, bytes)| (path.as_path(), *bytes));
    let mut file = io::BufWriter::new(File::create(path_of(folder, number))?);
    let mut merged = Segment {
        segment: number,
        bytes: 0,
        files: 0,
        records: 0,
    };
    let mut frame = Vec::new();
    Kept::open(runs, lanes)?.each(&mut |rows| {
        frame.clear();
        if let Some(part) = &rows.part {
            frame::write(part, &rows, &mut frame)?;
            merged.files += 1;
            merged.records += rows.tally.rows;
        }
        merged.bytes += frame.len() as u64;
        file.write_all(&frame)
    })?;
    file.into_inner()?.sync_data()?;
    Ok(merged)
}

/// Has the names in a folder survive a loss of power.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    let _ = folder;
    Ok(())
}

/// The error with the state it is about.
fn named(error: &io::Error, folder: &Path) -> io::Error {
    let sentence = format!("cannot use the state in {}: {error}", folder.display());
    io::Error::new(error.kind(), sentence)
}
