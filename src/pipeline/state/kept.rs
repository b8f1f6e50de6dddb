//! Rows of earlier runs, given again for the files that have not changed.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, BufReader, Read, Take},
    path::Path,
};

use super::{
    frame::Frames,
    stamp::{Mark, Stamp},
};
use crate::pipeline::scribe::Rows;

/// The rows of earlier runs; each run's are in the order of a walk, so that one
/// reading finds those of every file.
pub(in crate::pipeline) struct Kept {
    /// The last run first.
    runs: VecDeque<Run>,
}

/// What is known of a file.
pub(in crate::pipeline) enum Known {
    /// Nothing that still holds.
    New,
    /// Its first rows; more may follow.
    Same(Box<Rows>),
    /// Rows that hold if its bytes are the same.
    Perhaps(Box<Rows>),
}

/// The rows that one run added.
struct Run {
    name: String,
    reader: Take<BufReader<File>>,
    frames: Frames,
    lanes: usize,
    next: Option<Rows>,
}

impl Run {
    fn open(path: &Path, to: u64, lanes: usize) -> io::Result<Self> {
        let file = File::open(path)?;
        let mut run = Self {
            name: path.display().to_string(),
            reader: BufReader::with_capacity(1 << 18, file).take(to),
            frames: Frames::default(),
            lanes,
            next: None,
        };
        run.advance();
        Ok(run)
    }

    fn advance(&mut self) {
        self.next = None;
        if self.reader.limit() == 0 {
            return;
        }
        match self.frames.read(&mut self.reader, self.lanes) {
            Some(rows) => self.next = Some(rows),
            None => {
                // What it held is labelled again.
                self.reader.set_limit(0);
                tracing::warn!(
                    "{} is damaged: what stood there is labelled again",
                    self.name
                );
            }
        }
    }

    /// The rows that come next, where they are of a file.
    fn of(&mut self, key: &[u8]) -> Option<&Rows> {
        while self.key().is_some_and(|found| found < key) {
            self.advance();
        }
        self.next.as_ref().filter(|_| self.key() == Some(key))
    }

    fn key(&self) -> Option<&[u8]> {
        let part = self.next.as_ref()?.part.as_ref()?;
        Some(&part.file.key)
    }

    fn take(&mut self) -> Option<Box<Rows>> {
        let rows = self.next.take();
        self.advance();
        rows.map(Box::new)
    }
}

impl Kept {
    /// The rows of some runs, the first one first: their files, and how many
    /// bytes of each are whole.
    ///
    /// # Errors
    /// Where a file cannot be opened.
    pub(super) fn open<'p>(
        runs: impl Iterator<Item = (&'p Path, u64)>,
        lanes: usize,
    ) -> io::Result<Self> {
        let mut opened = VecDeque::new();
        for (path, to) in runs {
            match Run::open(path, to, lanes) {
                Ok(run) => opened.push_front(run),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    tracing::warn!(
                        "{} is gone: what stood there is labelled again",
                        path.display()
                    );
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Self { runs: opened })
    }

    /// What is known of a file; files are asked for in the order of a walk.
    pub(in crate::pipeline) fn find(&mut self, file: &Mark) -> Known {
        if let Some(rows) = self.part(file, 0) {
            return Known::Same(rows);
        }
        for run in &mut self.runs {
            let part = run.of(&file.key).and_then(|rows| rows.part.as_ref());
            let may_hold = part.is_some_and(|part| {
                let is_whole = part.number == 0 && part.is_last && part.hash.is_some();
                is_whole && part.file.stamp.may_equal(&file.stamp)
            });
            if let Some(rows) = may_hold.then(|| run.take()).flatten() {
                return Known::Perhaps(rows);
            }
        }
        Known::New
    }

    /// A part of a file, from 0; they are asked for in order.
    pub(in crate::pipeline) fn part(&mut self, file: &Mark, number: u32) -> Option<Box<Rows>> {
        self.runs
            .iter_mut()
            .find_map(|run| part(run, &file.key, file.stamp, number))
    }

    /// Gives the rows that hold of every file, in order: where runs differ, those
    /// of the last.
    pub(super) fn each(mut self, each: &mut dyn FnMut(Rows) -> io::Result<()>) -> io::Result<()> {
        while let Some(key) = self.runs.iter().filter_map(Run::key).min() {
            let key = key.to_vec();
            let mut stamps = self.runs.iter_mut().filter_map(|run| {
                let part = run.of(&key)?.part.as_ref()?;
                Some(part.file.stamp)
            });
            if let Some(stamp) = stamps.next() {
                let file = Mark { key, stamp };
                let mut numbers = 0..;
                while let Some(rows) = numbers.next().and_then(|number| self.part(&file, number)) {
                    each(*rows)?;
                }
                for run in &mut self.runs {
                    while run.key() == Some(&file.key) {
                        run.advance();
                    }
                }
            }
        }
        Ok(())
    }
}

fn part(run: &mut Run, key: &[u8], stamp: Stamp, number: u32) -> Option<Box<Rows>> {
    while let Some(part) = run.of(key)?.part.as_ref() {
        if part.file.stamp != stamp || part.number > number {
            return None;
        }
        if part.number == number {
            return run.take();
        }
        run.advance();
    }
    None
}
