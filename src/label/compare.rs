//! Holds what the board says against what the record says: status and value.

use super::{Label, RecordedKind, claim};
use crate::{
    game::{Reason, Rounding},
    outcome::{Basis, Ending, Outcome, Points, Side, words},
};

words! {
    /// How a record and the board compare: the first that applies.
    Status {
        /// Not a game record: counted, never an error.
        Skipped = "skipped",
        /// Unreadable, or with a move that cannot be played.
        Broken = "broken",
        /// The record claims no result.
        NoResult = "no_result",
        /// The record claims a count and the board does not decide.
        Unfinished = "unfinished",
        /// The claim and the board are of different kinds.
        NotComparable = "not_comparable",
        /// Another winner.
        WinnerDiffers = "winner_differs",
        /// The same winner by another margin.
        MarginDiffers = "margin_differs",
        /// Both say the same.
        Agree = "agree",
    }
}

impl Status {
    /// Whether record and board contradict each other.
    #[must_use]
    pub const fn is_mismatch(self) -> bool {
        matches!(self, Self::WinnerDiffers | Self::MarginDiffers)
    }
}

words! {
    /// Where the training label comes from.
    ValueFrom {
        /// The rules applied to the final position.
        Board = "board",
        /// The result as written.
        Record = "record",
        /// A proven win by search.
        Search = "search",
    }
}

/// A count is a training label only where it is more likely right than wrong.
const MIN_CONFIDENCE: f32 = 0.5;

impl Label<'_> {
    fn basis(&self) -> Option<Basis> {
        self.judgement
            .as_ref()
            .and_then(|judgement| judgement.basis)
    }

    pub(super) fn board_outcome(&self) -> Option<Outcome> {
        self.judgement
            .as_ref()
            .and_then(|judgement| judgement.outcome)
    }

    pub(super) fn board_margin(&self) -> Option<Points> {
        self.judgement
            .as_ref()
            .and_then(|judgement| judgement.margin)
    }
}

/// Fills status, value and lead of a label whose judgement and recorded
/// result are set.
pub fn compare(label: &mut Label<'_>, tolerance: Points) {
    if label.status != Status::Skipped {
        label.status = status(label, tolerance);
    }
    if label.status == Status::Agree && !is_near(label, Points::ZERO, tolerance) {
        label.reasons.push(Reason::new("half_point"));
    }
    let value = value(label);
    label.value = value;
    label.lead = value.and_then(|(_, from)| match from {
        ValueFrom::Board => label.board_margin(),
        ValueFrom::Record | ValueFrom::Search => claim(&label.recorded).margin,
    });
}

fn status(label: &Label<'_>, tolerance: Points) -> Status {
    let Some(judgement) = &label.judgement else {
        return Status::Broken;
    };
    if label.error.is_some() || judgement.error.is_some() || judgement.ended == Ending::Illegal {
        return Status::Broken;
    }
    let recorded = &label.recorded;
    let claim = claim(recorded);
    match recorded.kind {
        RecordedKind::Missing | RecordedKind::Void | RecordedKind::Sentinel => {
            return Status::NoResult;
        }
        RecordedKind::Unknown if recorded.winner.is_none() => return Status::NoResult,
        RecordedKind::Score if judgement.outcome.is_none() => return Status::Unfinished,
        _ => {}
    }
    let terminal = judgement.basis.is_some_and(Basis::is_terminal);
    // Both say that a repetition ended the game.
    let repeated = recorded.by_repetition && judgement.basis == Some(Basis::Repetition);
    let comparable =
        terminal || repeated || matches!(recorded.kind, RecordedKind::Score | RecordedKind::Draw);
    let (true, Some(board), Some(claimed)) = (comparable, judgement.outcome, claim.outcome) else {
        return Status::NotComparable;
    };
    if board != claimed {
        return Status::WinnerDiffers;
    }
    if is_near(label, Points::ZERO, tolerance) || is_near(label, lost_by(label), tolerance) {
        Status::Agree
    } else {
        Status::MarginDiffers
    }
}

/// Whether the margin of the board is the written one, to which some points
/// are added first for the winner; true where one of them is unknown.
fn is_near(label: &Label<'_>, added: Points, tolerance: Points) -> bool {
    let claim = claim(&label.recorded);
    let (Some(board), Some(margin)) = (label.board_margin(), claim.margin) else {
        return true;
    };
    let added = match claim.outcome {
        Some(Outcome::Win(Side::First)) => added,
        Some(Outcome::Win(Side::Second)) => -added,
        Some(Outcome::Draw) | None => Points::ZERO,
    };
    (board - margin - added).abs() <= tolerance
}

/// What the winner's written margin has lost by rounding: nothing unless its
/// archive was rounded and it is whole.
fn lost_by(label: &Label<'_>) -> Points {
    let whole = label.recorded.margin.is_some_and(Points::is_whole);
    match label.profile.map(|profile| profile.rounding) {
        Some(Rounding::Up) if whole => -Points::HALF,
        Some(Rounding::Down) if whole => Points::HALF,
        _ => Points::ZERO,
    }
}

/// The training label, the first that applies.
fn value(label: &Label<'_>) -> Option<(Outcome, ValueFrom)> {
    if matches!(label.status, Status::Broken | Status::Skipped) {
        return None;
    }
    let basis = label.basis();
    let board = label
        .board_outcome()
        .map(|outcome| (outcome, ValueFrom::Board));
    let record = claim(&label.recorded)
        .outcome
        .map(|outcome| (outcome, ValueFrom::Record));
    if basis.is_some_and(Basis::is_terminal) {
        return board;
    }
    if matches!(
        label.recorded.kind,
        RecordedKind::Resign | RecordedKind::Time | RecordedKind::Forfeit | RecordedKind::Win
    ) {
        return record;
    }
    let confidence = label
        .judgement
        .as_ref()
        .and_then(|judgement| judgement.confidence)
        .unwrap_or(0.0);
    let proven = label
        .judgement
        .as_ref()
        .and_then(|judgement| judgement.proven)
        .map(|outcome| (outcome, ValueFrom::Search));
    match basis {
        Some(_) if confidence >= MIN_CONFIDENCE => board,
        Some(Basis::Count) | None => record.or(proven),
        // A chase that was not claimed is mostly no loss.
        Some(_) => record.or(board),
    }
}
