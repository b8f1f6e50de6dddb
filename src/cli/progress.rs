//! A bar on standard error, where somebody is watching.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use super::{args::Inputs, setup};
use crate::{pipeline::Progress, source::Found};

/// A bar that follows a run.
pub(super) struct Bar(Option<(ProgressBar, Arc<AtomicBool>, JoinHandle<()>)>);

impl Bar {
    /// Starts a bar, unless `hidden`. Files are counted beside the run, by a
    /// walk of its own, for the time left.
    pub(super) fn start(progress: &Arc<Progress>, inputs: &Inputs, hidden: bool) -> Self {
        if hidden {
            return Self(None);
        }
        let bar = ProgressBar::new_spinner();
        let done = Arc::new(AtomicBool::new(false));
        let follower = {
            let (bar, done) = (bar.clone(), Arc::clone(&done));
            let (progress, inputs) = (Arc::clone(progress), inputs.clone());
            thread::spawn(move || follow(&bar, &done, &progress, &inputs))
        };
        Self(Some((bar, done, follower)))
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Some((bar, done, follower)) = self.0 {
            done.store(true, Ordering::Relaxed);
            follower.thread().unpark();
            // It only draws; nothing depends on how it ended.
            let _ = follower.join();
            bar.finish_and_clear();
        }
    }
}

fn follow(bar: &ProgressBar, done: &AtomicBool, progress: &Progress, inputs: &Inputs) {
    let counts = |bar: &ProgressBar| {
        bar.set_position(progress.files.load(Ordering::Relaxed));
        bar.set_message(format!(
            "{} records, {} disagree, {} broken",
            progress.rows.load(Ordering::Relaxed),
            progress.mismatches.load(Ordering::Relaxed),
            progress.broken.load(Ordering::Relaxed),
        ));
    };
    // A list or pipe is read once, by the run itself.
    let countable =
        inputs.files_from.is_none() && !inputs.paths.iter().any(|path| setup::is_stdin(path));
    if countable && let Ok(walk) = setup::walk(inputs, &[]) {
        let mut files = 0;
        for found in walk {
            if done.load(Ordering::Relaxed) {
                return;
            }
            files += u64::from(!matches!(found, Found::Loop(_)));
            if files % 4096 == 0 {
                counts(bar);
            }
        }
        bar.set_length(files);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {pos}/{len} files  {msg}  {per_sec}  {eta} left")
        {
            bar.set_style(style);
        }
    }
    while !done.load(Ordering::Relaxed) {
        counts(bar);
        bar.tick();
        thread::park_timeout(Duration::from_millis(100));
    }
}
