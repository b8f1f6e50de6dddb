//! Drives a run: files in, rows out, in order and in parallel.
//!
//! The calling thread walks and writes; workers of a rayon pool read, replay,
//! judge and encode whole batches. Batches go back in order through a bounded
//! window, so that memory does not grow with the input.

mod conveyor;
mod cutter;
mod duplicates;
mod ends;
mod feed;
mod file;
mod given;
mod labeller;
mod profile;
mod run;
mod sample;
mod scribe;
mod shards;
mod split;
mod state;
mod visit;
mod worker;

use std::{
    collections::HashSet,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

pub use cutter::Bare;
pub use duplicates::Duplicates;
pub use file::{InputRule, RecordFile};
pub use given::{Given, label_given};
pub(crate) use labeller::Judges;
pub use labeller::{Cut, Labeller, RowFn};
pub use profile::{HandicapMark, Marks, ProfileRule, Profiles};
pub use run::{Outcome, run};
pub use shards::{Share, share_out};
pub use split::Split;
pub use state::{Identity, State};
pub(crate) use visit::visit_bytes;
pub use visit::{Each, Met, visit};

use crate::{
    format::{Context, Format},
    game::{Game, Settings, Want},
    label::{Label, Schema, Status},
    outcome::Points,
    report::{RowWriter, Sink},
    source::packed::Limits,
};

/// What a run does to each record.
pub struct Plan {
    /// Settings of the games.
    pub settings: Settings,
    /// The game of every record, where the user says so.
    pub game: Option<&'static dyn Game>,
    /// The format of every file, where the user says so.
    pub format: Option<&'static dyn Format>,
    /// What readers collect and need to know.
    pub context: Context,
    /// How the files of some paths are read; the last that matches holds.
    pub inputs: Vec<InputRule>,
    /// A folder with what lies beside files that are in memory, under their paths.
    pub beside: Option<PathBuf>,
    /// How parts of archives were counted.
    pub profiles: Profiles,
    /// Whether members whose names begin with a dot are read.
    pub hidden: bool,
    /// Limits of packed files.
    pub limits: Limits,
    /// What judges compute beside the fixed columns.
    pub want: Want,
    /// Largest difference between margins that still agree.
    pub tolerance: Points,
    /// Longest record in bytes.
    pub max_record: usize,
    /// Threads that label.
    pub jobs: usize,
    /// Stop after this many rows.
    pub limit: Option<u64>,
    /// Label this many records, chosen by a seed.
    pub sample: Option<(usize, u64)>,
    /// Statuses that make an audit fail.
    pub fail_on: Vec<Status>,
    /// Disagreements known from an earlier run.
    pub baseline: Baseline,
    /// Games that are there again, where they are looked for.
    pub duplicates: Duplicates,
    /// Parts of a training set, where they are asked for.
    pub split: Option<Split>,
}

/// The longest record that is read unless told otherwise, in bytes.
const MAX_RECORD: usize = 16 << 20;

impl Default for Plan {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            game: None,
            format: None,
            context: Context::default(),
            inputs: Vec::new(),
            beside: None,
            profiles: Profiles::default(),
            hidden: false,
            limits: Limits::default(),
            want: Want::default(),
            tolerance: Points::ZERO,
            max_record: MAX_RECORD,
            jobs: 1,
            limit: None,
            sample: None,
            fail_on: Vec::new(),
            baseline: Baseline::default(),
            duplicates: Duplicates::default(),
            split: None,
        }
    }
}

impl Plan {
    /// Whether a row makes an audit fail, unless it is known from an earlier run.
    #[must_use]
    pub fn fails(&self, label: &Label<'_>) -> bool {
        self.fail_on.contains(&label.status)
    }
}

/// Disagreements known from an earlier run, by origin and status.
#[derive(Clone, Debug, Default)]
pub struct Baseline(HashSet<u64>);

impl Baseline {
    /// Adds a known disagreement.
    pub fn add(&mut self, origin: &str, status: &str) {
        self.0.insert(Self::key(origin, status));
    }

    /// Whether a row disagrees as it did before.
    fn knows(&self, key: u64) -> bool {
        self.0.contains(&key)
    }

    fn key_of(label: &Label<'_>) -> u64 {
        Self::key(&label.origin.to_string(), label.status.word())
    }

    /// Eight bytes a row are kept, not its text.
    fn key(origin: &str, status: &str) -> u64 {
        xxhash_rust::xxh3::xxh3_64_with_seed(origin.as_bytes(), status.len() as u64)
            ^ xxhash_rust::xxh3::xxh3_64(status.as_bytes())
    }
}

/// One stream of rows: which rows, how they are written, and where to.
pub struct Outlet {
    /// How rows are written.
    pub sink: &'static dyn Sink,
    /// Their columns.
    pub schema: Schema,
    /// Which rows.
    pub accepts: fn(&Plan, &Label<'_>) -> bool,
    /// Whether rows that the baseline knows are left out. They are known only
    /// when they are written, as baselines change from run to run.
    pub is_audit: bool,
    /// Where they go, opened by the sink.
    pub writer: Box<dyn RowWriter>,
}

/// What is known of a run while it lasts; and how it is asked to stop.
#[derive(Debug, Default)]
pub struct Progress {
    /// Rows written.
    pub rows: AtomicU64,
    /// Rows that disagree.
    pub mismatches: AtomicU64,
    /// Broken rows.
    pub broken: AtomicU64,
    /// Files done.
    pub files: AtomicU64,
    stop: Arc<AtomicBool>,
}

impl Progress {
    /// The progress of a run of a plan; what the plan's judges wait for ends
    /// with it.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        Self {
            stop: Arc::clone(&plan.settings.stop),
            ..Self::default()
        }
    }

    /// Asks the run to stop after the records in hand.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the run was asked to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
