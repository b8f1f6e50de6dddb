//! Labels records in memory: what a program calls that has bytes and wants labels.
//!
//! A thin layer over the pipeline: the same formats, packed files, judges and
//! comparison, on the calling thread and without files or rows.

mod label;
mod options;

use std::path::Path;

use crate::{
    label as row,
    pipeline::{self, Judges, Met, Plan, visit_bytes},
};

pub use label::Label;
pub use options::{Options, OptionsError};

/// Labels records, one after the other, under the same options.
///
/// Making one checks the options; keep it and use it again, as its judges keep
/// their memory. It can be moved to another thread; several threads have one each.
pub struct Labeller {
    plan: Plan,
    judges: Judges,
}

impl Labeller {
    /// A labeller under some options.
    ///
    /// # Errors
    /// Where an option cannot be used: one sentence that says which, and what can.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        Ok(Self {
            plan: options.plan()?,
            judges: Judges::new(),
        })
    }

    /// Labels all records in some bytes, packed (zip, tar, gzip, zstd, xz, bzip2) or
    /// not, in their order.
    ///
    /// The name is what a file of these bytes would be called: its extension helps
    /// to tell the format, which the bytes tell as a rule, and labels begin their
    /// [`origin`](Label::origin) with it. It may be empty. No file is opened.
    ///
    /// There is always a label: bytes without a record give one that is
    /// [broken](crate::Status::Broken) or [skipped](crate::Status::Skipped), and
    /// says why.
    #[must_use]
    pub fn labels(&mut self, name: &str, bytes: &[u8]) -> Vec<Label> {
        let mut labels = Vec::new();
        self.each(name, bytes, |label| {
            labels.push(label);
            true
        });
        labels
    }

    /// Like [`labels`](Self::labels), for more records than one wants to keep: hands
    /// labels over one at a time, until told `false`. Returns whether it was told
    /// `true` to the end.
    pub fn each(&mut self, name: &str, bytes: &[u8], mut take: impl FnMut(Label) -> bool) -> bool {
        let Self { plan, judges } = self;
        let mut labeller = pipeline::Labeller::with(plan, std::mem::take(judges));
        let wanted_all = visit_bytes(plan, Path::new(name), bytes, &mut |met| {
            let mut wants_more = true;
            match met {
                Met::Record(cut) => {
                    labeller.label(cut, &mut |label, _| wants_more = take(Label::of(label)));
                }
                Met::Bare(bare) => {
                    let label =
                        row::Label::unjudged(bare.origin, bare.format, bare.status, bare.error);
                    wants_more = take(Label::of(&row::Label {
                        offset: bare.offset,
                        ..label
                    }));
                }
            }
            wants_more
        });
        *judges = labeller.into_judges();
        wanted_all
    }
}

impl std::fmt::Debug for Labeller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Labeller").finish_non_exhaustive()
    }
}
