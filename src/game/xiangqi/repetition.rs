//! stub
use super::{Move, Piece, Position};
use crate::outcome::{Outcome, words};
words! {
    /// Stub.
    Repetition { /// a
        None = "none", /// a
        Draw = "draw", /// a
        CheckOnly = "check-only", /// a
        Uccl = "uccl", /// a
        Axf = "axf", }
}
#[derive(Debug)]
pub(super) struct History;
pub(super) struct Verdict;
impl Verdict {
    pub(super) fn outcome(&self) -> Outcome {
        Outcome::Draw
    }
}
impl std::fmt::Display for Verdict {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}
impl History {
    pub(super) fn new(_: &Position) -> Self {
        Self
    }
    pub(super) fn begin(&mut self, _: &Position) {}
    pub(super) fn push(&mut self, _: &Position, _: Move, _: Piece) {}
    pub(super) fn verdict(&self, _: Repetition) -> Option<Verdict> {
        None
    }
    pub(super) fn first_trigger(&self, _: Repetition) -> Option<(u32, Verdict)> {
        None
    }
}
