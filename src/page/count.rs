//! What is counted over rows: by status, by group, and for the charts.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::label::Status;

/// Groups of one kind that are told apart; rows of others are counted together.
const MAX_GROUPS: usize = 20_000;

/// Groups of one kind that a page shows.
const MAX_SHOWN: usize = 500;

/// Rows by status, in the order of [`Status::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Statuses([u64; Status::ALL.len()]);

impl Statuses {
    pub(super) fn add(&mut self, status: Status) {
        if let Some(count) = self.0.get_mut(place(status)) {
            *count += 1;
        }
    }

    pub(super) fn of(&self, status: Status) -> u64 {
        self.0.get(place(status)).copied().unwrap_or_default()
    }

    fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }

    fn rows(&self) -> u64 {
        self.0.iter().sum()
    }

    fn differing(&self) -> u64 {
        self.of(Status::WinnerDiffers) + self.of(Status::MarginDiffers)
    }
}

fn place(status: Status) -> usize {
    let mut all = Status::ALL.iter();
    all.position(|it| *it == status).unwrap_or_default()
}

/// Rows by one thing that they have, such as a folder.
#[derive(Debug, Default)]
pub(super) struct Groups {
    groups: BTreeMap<String, Statuses>,
    others: Statuses,
}

/// Groups as the page shows them.
#[derive(Serialize)]
pub(super) struct Shown<'a> {
    groups: Vec<(&'a str, Statuses)>,
    /// Groups that are not among them, where they were counted apart.
    more: usize,
    /// The rows of all others.
    others: Statuses,
}

impl Groups {
    pub(super) fn add(&mut self, name: &str, status: Status) {
        if let Some(counts) = self.groups.get_mut(name) {
            counts.add(status);
        } else if self.groups.len() < MAX_GROUPS {
            self.groups.entry(name.to_owned()).or_default().add(status);
        } else {
            self.others.add(status);
        }
    }

    /// By name; where there are too many, those that disagree most, then the
    /// largest.
    pub(super) fn shown(&self) -> Shown<'_> {
        let mut groups: Vec<(&str, Statuses)> = self
            .groups
            .iter()
            .map(|(name, counts)| (name.as_str(), *counts))
            .collect();
        let mut others = self.others;
        groups.sort_by_key(|(name, counts)| {
            let by = (counts.differing(), counts.rows());
            (std::cmp::Reverse(by), *name)
        });
        let rest = groups.split_off(groups.len().min(MAX_SHOWN));
        rest.iter().for_each(|(_, counts)| others.merge(counts));
        groups.sort_by_key(|(name, _)| *name);
        Shown {
            groups,
            more: rest.len(),
            others,
        }
    }
}

/// The largest difference of margins with a bar of its own, in points.
const MAX_DIFFERENCE: i32 = 20;

/// How far the board's margins are from the written ones: a bar for each point
/// begun, from the first player's view.
#[derive(Debug, Default, Serialize)]
pub(super) struct Differences {
    bars: BTreeMap<i32, u64>,
    /// Rows that differ without two margins to compare.
    without: u64,
}

impl Differences {
    /// Counts a difference in quarter points.
    pub(super) fn add(&mut self, quarters: Option<i32>) {
        let Some(quarters) = quarters else {
            self.without += 1;
            return;
        };
        let points = quarters.unsigned_abs().div_ceil(4).min(i32::MAX as u32) as i32;
        let bar = points.min(MAX_DIFFERENCE + 1) * quarters.signum();
        *self.bars.entry(bar).or_default() += 1;
    }
}

/// Where a range of confidence ends, in thousandths; each begins where the one
/// before ends, and holds its beginning. The last is certainty alone.
const CONFIDENCE_ENDS: [u32; 8] = [500, 600, 700, 800, 900, 950, 1000, 1001];

/// Rows whose confidence lies in a range.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Confidence {
    rows: u64,
    agree: u64,
    /// Sum of confidences, in thousandths.
    sum: u64,
}

/// Compared rows by confidence.
#[derive(Debug, Default, Serialize)]
pub(super) struct Confidences {
    bins: [Confidence; CONFIDENCE_ENDS.len()],
}

impl Confidences {
    pub(super) fn add(&mut self, confidence: f64, status: Status) {
        let thousandths = (confidence.clamp(0.0, 1.0) * 1000.0).round() as u32;
        let bin = CONFIDENCE_ENDS.iter().position(|end| thousandths < *end);
        if let Some(bin) = bin.and_then(|bin| self.bins.get_mut(bin)) {
            bin.rows += 1;
            bin.agree += u64::from(status == Status::Agree);
            bin.sum += u64::from(thousandths);
        }
    }
}

/// Games of more moves are counted together.
const MAX_MOVES: usize = 1000;

/// Bars of the chart of lengths.
const LENGTH_BARS: usize = 32;

/// Rows by number of moves: that agree, that differ, all others.
#[derive(Debug)]
pub(super) struct Lengths(Vec<[u64; 3]>);

/// Lengths in bars of equal width.
#[derive(Serialize)]
pub(super) struct LengthBars {
    /// Moves a bar.
    width: usize,
    /// Whether the last bar holds longer games too.
    open: bool,
    bars: Vec<[u64; 3]>,
}

impl Default for Lengths {
    fn default() -> Self {
        Self(vec![[0; 3]; MAX_MOVES + 1])
    }
}

impl Lengths {
    pub(super) fn add(&mut self, moves: u64, status: Status) {
        let place = match status {
            Status::Agree => 0,
            Status::WinnerDiffers | Status::MarginDiffers => 1,
            _ => 2,
        };
        let moves = usize::try_from(moves).map_or(MAX_MOVES, |moves| moves.min(MAX_MOVES));
        if let Some(count) = self.0.get_mut(moves).and_then(|it| it.get_mut(place)) {
            *count += 1;
        }
    }

    pub(super) fn bars(&self) -> LengthBars {
        let used = self.0.iter().rposition(|counts| *counts != [0; 3]);
        let length = used.map_or(0, |last| last + 1);
        let widths = [1, 2, 5, 10, 20, 50];
        let fits = |width: &usize| length.div_ceil(*width) <= LENGTH_BARS;
        let width = widths.into_iter().find(fits).unwrap_or(50);
        let used = self.0.get(..length).unwrap_or_default();
        let sum = |chunk: &[[u64; 3]]| {
            chunk.iter().fold([0; 3], |sum, counts| {
                [0, 1, 2].map(|at: usize| sum[at] + counts[at])
            })
        };
        LengthBars {
            width,
            open: length > MAX_MOVES,
            bars: used.chunks(width).map(sum).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_counts_to_the_point_it_begins() {
        let mut differences = Differences::default();
        for quarters in [1, 4, 5, -4, -5, 4 * 20, 4 * 20 + 1, -4 * 300, i32::MIN] {
            differences.add(Some(quarters));
        }
        differences.add(None);
        let bars: Vec<(i32, u64)> = differences.bars.into_iter().collect();
        assert_eq!(
            bars,
            [(-21, 2), (-2, 1), (-1, 1), (1, 2), (2, 1), (20, 1), (21, 1)]
        );
        assert_eq!(differences.without, 1);
    }

    #[test]
    fn a_range_of_confidence_holds_its_beginning() {
        let mut confidences = Confidences::default();
        for confidence in [0.0, 0.499, 0.5, 0.599, 0.95, 0.999, 1.0, 7.0] {
            confidences.add(confidence, Status::Agree);
        }
        confidences.add(0.95, Status::WinnerDiffers);
        let rows = confidences.bins.map(|bin| (bin.rows, bin.agree));
        let expected = [
            (2, 2),
            (2, 2),
            (0, 0),
            (0, 0),
            (0, 0),
            (0, 0),
            (3, 2),
            (2, 2),
        ];
        assert_eq!(rows, expected);
        assert_eq!(confidences.bins[6].sum, 950 + 999 + 950);
    }

    #[test]
    fn lengths_fall_into_few_bars() {
        for (moves, width, bars, open) in [
            (0, 1, 1, false),
            (31, 1, 32, false),
            (32, 2, 17, false),
            (300, 10, 31, false),
            (999, 50, 20, false),
            (1000, 50, 21, true),
            (70_000, 50, 21, true),
        ] {
            let mut lengths = Lengths::default();
            lengths.add(moves, Status::MarginDiffers);
            let shown = lengths.bars();
            assert_eq!(
                (shown.width, shown.bars.len(), shown.open),
                (width, bars, open),
                "{moves}"
            );
            assert_eq!(shown.bars.last(), Some(&[0, 1, 0]), "{moves}");
        }
        assert!(Lengths::default().bars().bars.is_empty());
    }

    #[test]
    fn what_is_not_shown_is_counted_together() {
        let mut groups = Groups::default();
        for number in 0..=MAX_GROUPS {
            groups.add(&format!("{number:06}"), Status::Agree);
        }
        groups.add("000700", Status::WinnerDiffers);
        let shown = groups.shown();
        assert_eq!(shown.groups.len(), MAX_SHOWN);
        assert_eq!(shown.more, MAX_GROUPS - MAX_SHOWN);
        assert!(shown.groups.iter().any(|(name, _)| *name == "000700"));
        let rows: u64 = shown.groups.iter().map(|(_, counts)| counts.rows()).sum();
        assert_eq!(rows + shown.others.rows(), MAX_GROUPS as u64 + 2);
    }
}
