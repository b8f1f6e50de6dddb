//! Folds rows into counts, and keeps those that a reader will look at: rows
//! that disagree and rows that are broken, up to a limit.

use super::{
    board::{cells_of_text, compact, size_of_text},
    count::{Confidences, Differences, Groups, Lengths, Statuses},
    table::{Field, Table},
};
use crate::{label::Status, outcome::Points};

/// The longest text that is kept of one value, in characters.
const MAX_TEXT: usize = 2000;

/// The columns that are kept of a row that disagrees, as the page has them.
pub(super) const MISMATCH: &[Field] = &[
    Field::Origin,
    Field::Game,
    Field::Format,
    Field::Size,
    Field::Rules,
    Field::Convention,
    Field::Komi,
    Field::Handicap,
    Field::Moves,
    Field::Ended,
    Field::Recorded,
    Field::RecordedWinner,
    Field::RecordedMargin,
    Field::Winner,
    Field::Margin,
    Field::Basis,
    Field::DeadFirst,
    Field::DeadSecond,
    Field::DeadFrom,
    Field::Confidence,
    Field::Status,
    Field::Reasons,
    Field::Warnings,
    Field::Date,
    Field::FirstPlayer,
    Field::SecondPlayer,
    Field::Event,
];

/// The columns that are kept of a broken row.
pub(super) const BROKEN: &[Field] = &[
    Field::Origin,
    Field::Game,
    Field::Format,
    Field::ErrorKind,
    Field::Error,
    Field::Recorded,
];

/// A row that disagrees.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Its values, in the order of the columns that are kept.
    pub(super) values: Vec<String>,
    /// Board's margin less the written one, in quarter points, from the first
    /// player's view.
    pub(super) difference: Option<i32>,
    /// The final board: [`compact`], or FEN in xiangqi.
    pub board: Option<String>,
    /// Why there is no board, or what to know of it.
    pub note: String,
    /// The hash of the record when it was labelled.
    pub content_hash: String,
}

impl Kept {
    /// The value of a column that is kept.
    #[must_use]
    pub fn get(&self, field: Field) -> &str {
        let place = MISMATCH.iter().position(|kept| *kept == field);
        let value = place.and_then(|place| self.values.get(place));
        value.map_or("", String::as_str)
    }
}

/// Counts over rows, and the rows that are shown.
#[derive(Debug, Default)]
pub struct Fold {
    /// Rows.
    pub rows: u64,
    pub(super) statuses: Statuses,
    pub(super) folders: Groups,
    pub(super) games: Groups,
    pub(super) rules: Groups,
    pub(super) years: Option<Groups>,
    pub(super) differences: Differences,
    pub(super) confidences: Confidences,
    pub(super) lengths: Lengths,
    /// Rows that disagree, the first `most` of them.
    pub mismatches: Vec<Kept>,
    pub(super) broken: Vec<Vec<String>>,
    most: usize,
}

impl Fold {
    /// Reads all rows and keeps at most so many of each kind.
    ///
    /// # Errors
    /// One sentence, where the rows cannot be read or are no labels.
    pub fn of(table: &mut Table, most: usize) -> Result<Self, String> {
        let mut fold = Self {
            most,
            years: table.has(Field::Date).then(Groups::default),
            ..Self::default()
        };
        while table.advance()? {
            fold.add(table)?;
        }
        Ok(fold)
    }

    /// Rows of a status.
    #[must_use]
    pub fn of_status(&self, status: Status) -> u64 {
        self.statuses.of(status)
    }

    /// Rows that disagree, whether they are kept or not.
    #[must_use]
    pub fn mismatch_count(&self) -> u64 {
        let all = Status::ALL.iter().filter(|status| status.is_mismatch());
        all.map(|status| self.statuses.of(*status)).sum()
    }

    fn add(&mut self, row: &Table) -> Result<(), String> {
        self.rows += 1;
        let word = row.get(Field::Status);
        let status = Status::of_word(word).ok_or_else(|| {
            format!(
                "row {} has the unknown status {word:?}: the file is damaged, or of another version",
                self.rows
            )
        })?;
        self.statuses.add(status);
        let folder = folder(row.get(Field::Origin));
        self.folders.add(&folder, status);
        self.games.add(row.get(Field::Game), status);
        self.rules.add(row.get(Field::Rules), status);
        if let Some(years) = &mut self.years {
            years.add(year(row.get(Field::Date)).unwrap_or_default(), status);
        }
        if let Ok(moves) = row.get(Field::Moves).parse() {
            self.lengths.add(moves, status);
        }
        let compared = status == Status::Agree || status.is_mismatch();
        if compared && let Ok(confidence) = row.get(Field::Confidence).parse() {
            self.confidences.add(confidence, status);
        }
        if status.is_mismatch() {
            let difference = difference(row);
            self.differences.add(difference);
            if self.mismatches.len() < self.most {
                self.mismatches.push(Kept {
                    values: kept(row, MISMATCH),
                    difference,
                    board: board(row),
                    note: String::new(),
                    content_hash: row.get(Field::ContentHash).to_owned(),
                });
            }
        } else if status == Status::Broken && self.broken.len() < self.most {
            self.broken.push(kept(row, BROKEN));
        }
        Ok(())
    }
}

fn kept(row: &Table, fields: &[Field]) -> Vec<String> {
    let value = |field: &Field| row.get(*field).chars().take(MAX_TEXT).collect();
    fields.iter().map(value).collect()
}

/// The folder of a record, in a packed file that within it; `.` for none.
fn folder(origin: &str) -> String {
    let file = origin.split('#').next().unwrap_or_default();
    let end = file.rfind('/').into_iter().chain(file.find('!')).max();
    match end.and_then(|end| file.get(..end)) {
        None => ".",
        Some("") => "/",
        Some(folder) => folder,
    }
    .to_owned()
}

/// The year of a date as written: its first four digits that stand together as
/// a year does, alone or as the begin of eight.
fn year(date: &str) -> Option<&str> {
    let mut numbers = date.split(|letter: char| !letter.is_ascii_digit());
    let number = numbers.find(|number| matches!(number.len(), 4 | 8))?;
    number.get(..4).filter(|year| year.starts_with(['1', '2']))
}

/// Board's margin less the written one, in quarter points, from the first
/// player's view.
fn difference(row: &Table) -> Option<i32> {
    let first = if row.get(Field::Game) == "xiangqi" {
        "red"
    } else {
        "black"
    };
    let lead = |winner: Field, margin: Field| {
        let margin: Points = row.get(margin).parse().ok()?;
        let quarters = margin.in_quarters();
        match row.get(winner) {
            "" => None,
            "draw" => Some(0),
            winner if winner == first => Some(quarters),
            _ => quarters.checked_neg(),
        }
    };
    let board = lead(Field::Winner, Field::Margin)?;
    let written = lead(Field::RecordedWinner, Field::RecordedMargin)?;
    board.checked_sub(written)
}

/// The final board, where the row has it.
fn board(row: &Table) -> Option<String> {
    let text = row.get(Field::Board);
    if text.contains('/') {
        return Some(text.chars().take(MAX_TEXT).collect());
    }
    let size = size_of_text(row.get(Field::Size))?;
    let owners = cells_of_text(row.get(Field::Ownership));
    compact(&cells_of_text(text)?, owners.as_deref(), size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_lies_in_a_folder() {
        for (origin, expected) in [
            ("7.sgf", "."),
            ("/7.sgf", "/"),
            ("games/2019/7.sgf#3", "games/2019"),
            ("games/2019.zip!b/7.sgf#3", "games/2019.zip!b"),
            ("games/2019.zip!7.sgf", "games/2019.zip"),
            ("2019.zip!7.sgf", "2019.zip"),
            ("dump.txt#id=a/b", "."),
            ("-", "."),
        ] {
            assert_eq!(folder(origin), expected, "{origin}");
        }
    }

    #[test]
    fn a_date_has_a_year() {
        for (date, expected) in [
            ("2016-03-09", Some("2016")),
            ("9 March 2016", Some("2016")),
            ("20160309", Some("2016")),
            ("昭和58年 (1983)", Some("1983")),
            ("0196-12-18", None),
            ("16-03-09", None),
            ("123456", None),
            ("", None),
        ] {
            assert_eq!(year(date), expected, "{date}");
        }
    }
}
