//! Differences, counted by class.

use std::{cmp::Ordering, collections::BTreeMap};

use serde::Serialize;

use super::{Columns, Difference};
use crate::outcome::words;

words! {
    /// What a difference is.
    Class {
        /// A record is only in the new file.
        Added = "added",
        /// A record is only in the old file.
        Removed = "removed",
        /// The bytes of a record.
        Content = "content",
        /// Its set-up or moves.
        Moves = "moves",
        /// The status.
        Status = "status",
        /// Who wins on the board.
        Winner = "winner",
        /// The margin on the board.
        Margin = "margin",
        /// The training label.
        Value = "value",
        /// How sure the label is.
        Confidence = "confidence",
        /// What would reconcile.
        Reasons = "reasons",
        /// What was odd.
        Warnings = "warnings",
        /// Any other column.
        Other = "other",
        /// A column that one file has.
        Columns = "columns",
    }
}

impl Class {
    pub(super) fn of_column(name: &str) -> Self {
        match name {
            "content_hash" => Self::Content,
            "game_hash" => Self::Moves,
            "status" => Self::Status,
            "winner" => Self::Winner,
            "margin" => Self::Margin,
            "value" => Self::Value,
            "confidence" => Self::Confidence,
            "reasons" => Self::Reasons,
            "warnings" => Self::Warnings,
            _ => Self::Other,
        }
    }

    /// Whether from which word to which is counted: it has few.
    const fn has_few_words(self) -> bool {
        matches!(self, Self::Status | Self::Winner | Self::Value)
    }
}

/// Origins named for a class.
const MAX_EXAMPLES: usize = 3;

/// So many words, of files that hold no words of kifu.
const MAX_WORDS: usize = 1000;

/// What is counted over differences.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Rows in the old file.
    pub old_rows: u64,
    /// Rows in the new file.
    pub new_rows: u64,
    /// Records whose rows are the same.
    pub same: u64,
    /// Records whose rows differ.
    pub changed: u64,
    /// Differences by class.
    pub classes: BTreeMap<&'static str, u64>,
    /// Rows that differ in each column.
    pub columns: BTreeMap<String, u64>,
    /// From which word to which, and how often.
    pub status: BTreeMap<String, BTreeMap<String, u64>>,
    /// The same of winners.
    pub winner: BTreeMap<String, BTreeMap<String, u64>>,
    /// The same of training labels.
    pub value: BTreeMap<String, BTreeMap<String, u64>>,
    /// Rows that are surer now, and less sure.
    pub confidence: UpDown,
    /// Words of reasons that came and went.
    pub reasons: BTreeMap<String, UpDown>,
    /// Words of warnings that came and went.
    pub warnings: BTreeMap<String, UpDown>,
    /// The first origins of each class.
    pub examples: BTreeMap<&'static str, Vec<String>>,
}

/// How often something rose or came, and fell or went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UpDown {
    /// Rose, or came.
    pub up: u64,
    /// Fell, or went.
    pub down: u64,
}

impl Tally {
    /// Differences of a class.
    #[must_use]
    pub fn of(&self, class: Class) -> u64 {
        self.classes.get(class.word()).copied().unwrap_or_default()
    }

    /// Counts columns that one file has.
    pub fn set_columns(&mut self, columns: &Columns) {
        let count = columns.old_only.len() + columns.new_only.len();
        if count > 0 {
            let classes = &mut self.classes;
            classes.insert(Class::Columns.word(), count as u64);
        }
    }

    pub(super) fn add(&mut self, difference: &Difference<'_>) {
        let Difference {
            class, old, new, ..
        } = *difference;
        *self.classes.entry(class.word()).or_default() += 1;
        let examples = self.examples.entry(class.word()).or_default();
        if examples.len() < MAX_EXAMPLES && examples.last().is_none_or(|it| it != difference.origin)
        {
            examples.push(difference.origin.to_owned());
        }
        if matches!(class, Class::Added | Class::Removed) {
            return;
        }
        bump(&mut self.columns, difference.column);
        if class.has_few_words() {
            let table = match class {
                Class::Status => &mut self.status,
                Class::Winner => &mut self.winner,
                _ => &mut self.value,
            };
            if table.len() < MAX_WORDS || table.contains_key(old) {
                bump(table.entry(old.to_owned()).or_default(), new);
            }
        }
        match class {
            Class::Confidence => {
                let [old, new] = [old, new].map(|text| text.parse::<f64>().unwrap_or(-1.0));
                match new.partial_cmp(&old) {
                    Some(Ordering::Less) => self.confidence.down += 1,
                    _ => self.confidence.up += 1,
                }
            }
            Class::Reasons => count_words(&mut self.reasons, old, new),
            Class::Warnings => count_words(&mut self.warnings, old, new),
            _ => {}
        }
    }
}

fn bump(counts: &mut BTreeMap<String, u64>, word: &str) {
    if let Some(count) = counts.get_mut(word) {
        *count += 1;
    } else if counts.len() < MAX_WORDS {
        counts.insert(word.to_owned(), 1);
    }
}

/// Counts what one list of `word[=value][@where]` has and the other has not.
fn count_words(counts: &mut BTreeMap<String, UpDown>, old: &str, new: &str) {
    let items = |text: &str| -> Vec<String> {
        let items = text.split(';').filter(|item| !item.is_empty());
        items.map(str::to_owned).collect()
    };
    let (old, new) = (items(old), items(new));
    let came = new.iter().filter(|item| !old.contains(item));
    let went = old.iter().filter(|item| !new.contains(item));
    let both = came.map(|it| (it, true)).chain(went.map(|it| (it, false)));
    for (item, is_new) in both {
        let word = item.split(['=', '@']).next().unwrap_or_default();
        if counts.len() == MAX_WORDS && !counts.contains_key(word) {
            continue;
        }
        let count = counts.entry(word.to_owned()).or_default();
        if is_new {
            count.up += 1;
        } else {
            count.down += 1;
        }
    }
}
