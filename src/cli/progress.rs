//! How far a run is, on standard error: a bar where somebody is watching, or a line
//! from time to time.

use std::{
    io::{self, IsTerminal},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::log;
use crate::{
    pipeline::Progress,
    source::{Found, Walk},
};

/// How progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressArg {
    /// A bar on a terminal, else nothing
    #[default]
    Auto,
    /// A line every 30 seconds and at the end
    Plain,
    /// Nothing
    None,
}

/// What of progress is shown.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct Watching {
    /// Progress on standard error: auto (a bar, on a terminal), plain (a line every 30 seconds, and one at the end), none
    #[arg(
        long,
        value_name = "HOW",
        value_enum,
        default_value = "auto",
        hide_possible_values = true
    )]
    progress: ProgressArg,
    /// Seconds from one line of --progress plain to the next
    #[arg(long, value_name = "N", default_value_t = 30, hide = true)]
    progress_seconds: u64,
}

/// Something that follows a run, on a thread of its own.
pub(super) struct Bar(Option<(Arc<AtomicBool>, JoinHandle<()>)>);

impl Bar {
    /// Starts to show what is asked for; nothing where the run is to be `quiet`.
    /// Files are counted beside the run, by a walk of its own, for the time left.
    pub(super) fn start(
        progress: &Arc<Progress>,
        walk: Option<Walk>,
        watching: &Watching,
        quiet: bool,
    ) -> Self {
        let has_bar = io::stderr().is_terminal() && !log::is_json();
        let is_plain = match watching.progress {
            _ if quiet => return Self(None),
            ProgressArg::Plain => true,
            ProgressArg::Auto if has_bar => false,
            ProgressArg::Auto | ProgressArg::None => return Self(None),
        };
        let done = Arc::new(AtomicBool::new(false));
        let every = Duration::from_secs(watching.progress_seconds);
        let follower = {
            let progress = Arc::clone(progress);
            let done = Arc::clone(&done);
            thread::spawn(move || {
                if is_plain {
                    lines(every, &done, &progress, walk);
                } else {
                    bar(&done, &progress, walk);
                }
            })
        };
        Self(Some((done, follower)))
    }

    /// Takes the bar away, or writes the last line.
    pub(super) fn finish(self) {
        if let Some((done, follower)) = self.0 {
            done.store(true, Ordering::Relaxed);
            follower.thread().unpark();
            // It only shows; nothing depends on how it ended.
            let _ = follower.join();
        }
    }
}

/// How often the run is looked at.
const LOOK: Duration = Duration::from_millis(100);

fn bar(done: &AtomicBool, progress: &Progress, walk: Option<Walk>) {
    let bar = ProgressBar::new_spinner();
    let mut count = Count::of(walk);
    while !done.load(Ordering::Relaxed) {
        bar.set_position(progress.files.load(Ordering::Relaxed));
        bar.set_message(format!(
            "{} records, {} disagree, {} broken",
            progress.rows.load(Ordering::Relaxed),
            progress.mismatches.load(Ordering::Relaxed),
            progress.broken.load(Ordering::Relaxed),
        ));
        if count.goes_on() {
            continue;
        }
        if let Some(files) = count.total.filter(|files| bar.length() != Some(*files)) {
            bar.set_length(files);
            if let Ok(style) = ProgressStyle::with_template(
                "{bar:30} {pos}/{len} files  {msg}  {per_sec}  {eta} left",
            ) {
                bar.set_style(style);
            }
        }
        bar.tick();
        thread::park_timeout(LOOK);
    }
    bar.finish_and_clear();
}

fn lines(every: Duration, done: &AtomicBool, progress: &Progress, walk: Option<Walk>) {
    let started = Instant::now();
    let mut count = Count::of(walk);
    let mut next = every;
    loop {
        if started.elapsed() >= next {
            Seen::of(progress, count.total, started.elapsed()).tell();
            next = started.elapsed() + every;
        }
        // A run over few files is done at once, and its last line has their number.
        let is_counting = count.goes_on();
        if done.load(Ordering::Relaxed) {
            break;
        }
        if !is_counting {
            let left = next.saturating_sub(started.elapsed());
            thread::park_timeout(left.max(LOOK));
        }
    }
    Seen::of(progress, count.total, started.elapsed()).tell();
}

/// Counts the files of a run, some at a time.
struct Count {
    /// None where they are counted, or cannot be.
    walk: Option<Walk>,
    files: u64,
    total: Option<u64>,
}

impl Count {
    const fn of(walk: Option<Walk>) -> Self {
        Self {
            walk,
            files: 0,
            total: None,
        }
    }

    /// Counts some more; whether there may be more.
    fn goes_on(&mut self) -> bool {
        let Some(walk) = &mut self.walk else {
            return false;
        };
        for _ in 0..4096 {
            match walk.next() {
                Some(found) => self.files += u64::from(!matches!(found, Found::Loop(_))),
                None => {
                    self.walk = None;
                    self.total = Some(self.files);
                    return false;
                }
            }
        }
        true
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Serialize)]
struct Seen {
    records: u64,
    records_per_second: u64,
    files: u64,
    /// Files that there are, where they have been counted.
    files_found: Option<u64>,
    disagree: u64,
    broken: u64,
    seconds: u64,
    /// As many files a second as so far.
    seconds_left: Option<u64>,
}

impl Seen {
    fn of(progress: &Progress, files_found: Option<u64>, elapsed: Duration) -> Self {
        let records = progress.rows.load(Ordering::Relaxed);
        let files = progress.files.load(Ordering::Relaxed);
        let seconds = elapsed.as_secs_f64();
        // What the run itself writes is counted, too, if it lies among the files.
        let left = files_found.and_then(|found| found.checked_sub(files));
        Self {
            records,
            records_per_second: (records as f64 / seconds.max(1e-3)) as u64,
            files,
            files_found,
            disagree: progress.mismatches.load(Ordering::Relaxed),
            broken: progress.broken.load(Ordering::Relaxed),
            seconds: elapsed.as_secs(),
            seconds_left: left
                .filter(|_| files > 0)
                .map(|left| (seconds * left as f64 / files as f64) as u64),
        }
    }

    fn tell(self) {
        if log::is_json() {
            log::tell("info", "progress", &self);
        } else {
            log::say(&self.line());
        }
    }

    fn line(self) -> String {
        let of = |found| format!(" of {found}");
        let left = |seconds: u64| match seconds {
            0..60 => format!(", {seconds} s left"),
            60..3600 => format!(", {} min left", seconds.div_ceil(60)),
            _ => format!(", {} h {} min left", seconds / 3600, seconds % 3600 / 60),
        };
        format!(
            "kifu: {} records, {} a second, {}{} files, {} disagree, {} broken{}\n",
            self.records,
            self.records_per_second,
            self.files,
            self.files_found.map_or_else(String::new, of),
            self.disagree,
            self.broken,
            self.seconds_left
                .filter(|seconds| *seconds > 0)
                .map_or_else(String::new, left),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_what_is_known() {
        let progress = Progress::default();
        progress.rows.store(3000, Ordering::Relaxed);
        progress.files.store(100, Ordering::Relaxed);
        progress.mismatches.store(12, Ordering::Relaxed);
        progress.broken.store(3, Ordering::Relaxed);
        for (found, seconds, expected) in [
            (None, 30, "100 a second, 100 files, 12 disagree, 3 broken"),
            (
                Some(150),
                30,
                "100 a second, 100 of 150 files, 12 disagree, 3 broken, 15 s left",
            ),
            (
                Some(1000),
                30,
                "100 a second, 100 of 1000 files, 12 disagree, 3 broken, 5 min left",
            ),
            (
                Some(100_000),
                30,
                "100 a second, 100 of 100000 files, 12 disagree, 3 broken, 8 h 19 min left",
            ),
            // Nothing is left, or files have come since they were counted.
            (
                Some(100),
                30,
                "100 a second, 100 of 100 files, 12 disagree, 3 broken",
            ),
            (
                Some(90),
                0,
                "3000000 a second, 100 of 90 files, 12 disagree, 3 broken",
            ),
        ] {
            let seen = Seen::of(&progress, found, Duration::from_secs(seconds));
            assert_eq!(seen.line(), format!("kifu: 3000 records, {expected}\n"));
        }
    }
}
