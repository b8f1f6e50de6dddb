//! Encodes rows for every outlet and counts them: one scribe for each worker.

use std::sync::Arc;

use super::{Baseline, Plan, cutter::Bare, duplicates::Note, state::Part};
use crate::{
    label::{Label, Schema},
    report::{Encoder, Sink, Tally},
};

/// Which rows an outlet takes.
pub(super) type Accepts = fn(&Plan, &Label<'_>) -> bool;

/// How rows of one outlet are chosen and written.
pub(super) struct Lane {
    pub(super) sink: &'static dyn Sink,
    pub(super) schema: Schema,
    pub(super) accepts: Accepts,
    /// Whether rows that the baseline knows are left out when they are written.
    pub(super) is_audit: bool,
}

/// Encoded rows.
#[derive(Default)]
pub(super) struct Rows {
    /// Bytes for each lane.
    pub(super) bytes: Vec<Vec<u8>>,
    /// Shared where they come from a state, in which most files are counted alike.
    pub(super) tally: Arc<Tally>,
    /// Rows that make an audit fail, unless the baseline knows them: their keys,
    /// and the bytes they take in the lane of the audit.
    pub(super) failing: Vec<(u64, u32)>,
    /// Rank in a sample.
    pub(super) key: u64,
    /// What a survey found in them.
    pub(super) notes: Vec<Note>,
    /// The file that they are all of, where a state is kept.
    pub(super) part: Option<Part>,
    /// Whether they are those of an earlier run.
    pub(super) is_kept: bool,
    /// Whether the state has them as they are, with the times of their file.
    pub(super) is_logged: bool,
}

/// Rows encoded so far.
pub(super) struct Scribe<'p> {
    plan: &'p Plan,
    desks: Vec<Desk>,
    bytes: Vec<Vec<u8>>,
    tally: Tally,
    failing: Vec<(u64, u32)>,
    notes: Vec<Note>,
}

/// The lanes that are written alike: a row is encoded once for all of them.
struct Desk {
    encoder: Box<dyn Encoder>,
    sink: &'static str,
    lanes: Vec<(usize, Accepts)>,
    is_audit: bool,
    row: Vec<u8>,
}

impl<'p> Scribe<'p> {
    pub(super) fn new(plan: &'p Plan, lanes: &[Lane]) -> Self {
        let mut desks: Vec<Desk> = Vec::new();
        for (place, lane) in lanes.iter().enumerate() {
            let sink = lane.sink.name();
            match desks.iter_mut().find(|desk| desk.sink == sink) {
                Some(desk) => desk.lanes.push((place, lane.accepts)),
                None => desks.push(Desk {
                    encoder: lane.sink.encoder(&lane.schema),
                    sink,
                    lanes: vec![(place, lane.accepts)],
                    is_audit: lane.is_audit,
                    row: Vec::new(),
                }),
            }
        }
        Self {
            plan,
            desks,
            bytes: vec![Vec::new(); lanes.len()],
            tally: Tally::default(),
            failing: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a row to the lanes that want it.
    pub(super) fn add(&mut self, label: &Label<'_>) {
        let mut listed = 0;
        for desk in &mut self.desks {
            desk.row.clear();
            for (lane, accepts) in &desk.lanes {
                if accepts(self.plan, label) {
                    if desk.row.is_empty() {
                        desk.encoder.row(label, &mut desk.row);
                    }
                    self.bytes[*lane].extend_from_slice(&desk.row);
                }
            }
            if desk.is_audit {
                listed = desk.row.len();
            }
        }
        if let Some(survey) = self.plan.duplicates.survey() {
            survey.look(label, &mut self.notes);
        }
        if self.plan.fails(label) {
            // A line for people is short.
            let listed = u32::try_from(listed).unwrap_or(u32::MAX);
            self.failing.push((Baseline::key_of(label), listed));
        }
        self.tally.add(label);
    }

    /// Adds the row of what is no record.
    pub(super) fn add_bare(&mut self, bare: Bare) {
        let mut label = Label::unjudged(bare.origin, bare.format, bare.status, bare.error);
        label.offset = bare.offset;
        self.add(&label);
    }

    /// Bytes of the rows since they were last taken.
    pub(super) fn held(&self) -> usize {
        self.bytes.iter().map(Vec::len).sum()
    }

    /// The rows since the last call, if there are any.
    pub(super) fn take(&mut self, key: u64) -> Option<Rows> {
        (self.tally.rows > 0).then(|| Rows {
            key,
            ..self.take_all()
        })
    }

    /// The rows since the last call, be there any or not, which are all of a part.
    pub(super) fn take_part(&mut self, part: Part) -> Rows {
        Rows {
            part: Some(part),
            ..self.take_all()
        }
    }

    fn take_all(&mut self) -> Rows {
        Rows {
            bytes: self.bytes.iter_mut().map(std::mem::take).collect(),
            tally: Arc::new(std::mem::take(&mut self.tally)),
            failing: std::mem::take(&mut self.failing),
            notes: std::mem::take(&mut self.notes),
            ..Rows::default()
        }
    }
}
