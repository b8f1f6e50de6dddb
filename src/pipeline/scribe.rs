//! Encodes rows for every outlet and counts them: one scribe for each worker.

use super::{Plan, duplicates::Note};
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
}

/// Encoded rows.
pub(super) struct Rows {
    /// Bytes for each lane.
    pub(super) bytes: Vec<Vec<u8>>,
    pub(super) tally: Tally,
    /// Rows that make an audit fail.
    pub(super) failing: u64,
    /// Rank in a sample.
    pub(super) key: u64,
    /// What a survey found in them.
    pub(super) notes: Vec<Note>,
}

/// Rows encoded so far.
pub(super) struct Scribe<'p> {
    plan: &'p Plan,
    desks: Vec<Desk>,
    bytes: Vec<Vec<u8>>,
    tally: Tally,
    failing: u64,
    notes: Vec<Note>,
}

/// The lanes that are written alike: a row is encoded once for all of them.
struct Desk {
    encoder: Box<dyn Encoder>,
    sink: &'static str,
    lanes: Vec<(usize, Accepts)>,
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
                    row: Vec::new(),
                }),
            }
        }
        Self {
            plan,
            desks,
            bytes: vec![Vec::new(); lanes.len()],
            tally: Tally::default(),
            failing: 0,
            notes: Vec::new(),
        }
    }

    /// Adds a row to the lanes that want it.
    pub(super) fn add(&mut self, label: &Label<'_>) {
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
        }
        if let Some(survey) = self.plan.duplicates.survey() {
            survey.look(label, &mut self.notes);
        }
        self.failing += u64::from(self.plan.fails(label));
        self.tally.add(label);
    }

    /// The rows since the last call, if there are any.
    pub(super) fn take(&mut self, key: u64) -> Option<Rows> {
        (self.tally.rows > 0).then(|| Rows {
            bytes: self.bytes.iter_mut().map(std::mem::take).collect(),
            tally: std::mem::take(&mut self.tally),
            failing: std::mem::take(&mut self.failing),
            key,
            notes: std::mem::take(&mut self.notes),
        })
    }
}
