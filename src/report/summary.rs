//! Counts over a run: what `labels.summary.json` holds. Only facts that the
//! same input and settings give again; times go to `labels.run.json`.

use std::{borrow::Cow, collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap};

use super::Settings;
use crate::{
    label::{Label, SCHEMA_VERSION, Status},
    outcome::From,
};

/// Counts by word; one that was read back is a word of its own.
pub type Counts = BTreeMap<Cow<'static, str>, u64>;

/// What is counted over rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Rows.
    pub rows: u64,
    /// Rows by status.
    pub status: Counts,
    /// Rows by game; those of no known game aside.
    pub games: Counts,
    /// Rows by format; those of no known format aside.
    pub formats: Counts,
    /// Rows by kind of recorded result.
    pub recorded_kinds: Counts,
    /// Rows by where the training label comes from.
    pub value_from: Counts,
    /// Rows by where their rules come from.
    pub rules_from: Counts,
    /// Rows by convention.
    pub conventions: Counts,
    /// Rows with each reason.
    pub reasons: Counts,
    /// Rows by the profile that they were judged under, by its name: as many
    /// as there are profiles.
    pub profiles: BTreeMap<String, ProfileCounts>,
    /// Rows with each warning.
    pub warnings: Counts,
    /// Rows by kind of error.
    pub errors: Counts,
}

/// What is counted over the rows of a profile. Written as one map: `records`, then
/// a status each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Counts")]
pub struct ProfileCounts {
    /// Rows.
    pub records: u64,
    /// Rows by status.
    pub status: Counts,
}

/// The key of all rows of a profile.
const RECORDS: &str = "records";

impl Serialize for ProfileCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.status.len() + 1))?;
        map.serialize_entry(RECORDS, &self.records)?;
        for (status, count) in &self.status {
            map.serialize_entry(status, count)?;
        }
        map.end()
    }
}

impl std::convert::From<Counts> for ProfileCounts {
    fn from(mut status: Counts) -> Self {
        Self {
            records: status.remove(RECORDS).unwrap_or_default(),
            status,
        }
    }
}

impl Tally {
    /// Counts one row.
    pub fn add(&mut self, label: &Label<'_>) {
        self.rows += 1;
        bump(&mut self.status, label.status.word());
        if !label.game.is_empty() {
            bump(&mut self.games, label.game);
        }
        if !label.format.is_empty() {
            bump(&mut self.formats, label.format);
        }
        if label.judgement.is_some() {
            bump(&mut self.recorded_kinds, label.recorded.kind.word());
        }
        if let Some((_, from)) = label.value {
            bump(&mut self.value_from, from.word());
        }
        if let Some(judgement) = &label.judgement {
            bump(&mut self.rules_from, judgement.rules_from.word());
            if let Some(convention) = judgement.convention {
                bump(&mut self.conventions, convention);
            }
        }
        for reason in &label.reasons {
            bump(&mut self.reasons, reason.word);
        }
        if let Some(profile) = label.profile {
            let counts = self.profiles.entry(profile.name.clone()).or_default();
            counts.records += 1;
            bump(&mut counts.status, label.status.word());
        }
        // A record has each word once.
        for warning in label.all_warnings() {
            bump(&mut self.warnings, warning.word);
        }
        if let Some(error) = label.first_error() {
            bump(&mut self.errors, error.kind);
        }
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        for (mine, theirs) in [
            (&mut self.status, &other.status),
            (&mut self.games, &other.games),
            (&mut self.formats, &other.formats),
            (&mut self.recorded_kinds, &other.recorded_kinds),
            (&mut self.value_from, &other.value_from),
            (&mut self.rules_from, &other.rules_from),
            (&mut self.conventions, &other.conventions),
            (&mut self.reasons, &other.reasons),
            (&mut self.warnings, &other.warnings),
            (&mut self.errors, &other.errors),
        ] {
            add(mine, theirs);
        }
        for (name, theirs) in &other.profiles {
            let counts = self.profiles.entry(name.clone()).or_default();
            counts.records += theirs.records;
            add(&mut counts.status, &theirs.status);
        }
    }

    /// Whether the user's rules were used in no row, as they are of another game.
    #[must_use]
    pub fn ignores_rules(&self) -> bool {
        let asked = [From::Flag, From::Config].map(From::word);
        self.rows > 0
            && !asked
                .into_iter()
                .any(|word| self.rules_from.contains_key(word))
    }

    /// Rows of a status.
    #[must_use]
    pub fn of(&self, status: Status) -> u64 {
        self.status.get(status.word()).copied().unwrap_or_default()
    }
}

fn bump(counts: &mut Counts, word: &'static str) {
    *counts.entry(Cow::Borrowed(word)).or_default() += 1;
}

fn add(mine: &mut Counts, theirs: &Counts) {
    for (word, count) in theirs {
        match mine.get_mut(word) {
            Some(sum) => *sum += count,
            None => drop(mine.insert(word.clone(), *count)),
        }
    }
}

/// The summary of a run.
#[derive(Serialize)]
pub struct Summary<'a> {
    /// Version of kifu.
    pub version: &'static str,
    /// Version of the columns.
    pub schema: &'static str,
    /// Settings that labels depend on.
    pub settings: &'a Settings,
    /// The counts.
    #[serde(flatten)]
    pub tally: &'a Tally,
    /// Whether the run was interrupted before its end.
    pub interrupted: bool,
}

impl<'a> Summary<'a> {
    /// The summary of some counts under some settings.
    #[must_use]
    pub fn new(settings: &'a Settings, tally: &'a Tally, interrupted: bool) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            schema: SCHEMA_VERSION,
            settings,
            tally,
            interrupted,
        }
    }
}

impl fmt::Display for Tally {
    /// A short table for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>10}  records", self.rows)?;
        for status in Status::ALL.iter().rev() {
            let count = self.of(*status);
            if count > 0 {
                writeln!(f, "{count:>10}  {}", explained(*status))?;
            }
        }
        fn words(counts: &Counts) -> Vec<(&str, u64)> {
            let words = counts.iter().map(|(word, count)| (&**word, *count));
            // Nearly every row has these.
            words
                .filter(|(word, _)| !matches!(*word, "board_says" | "profile"))
                .collect()
        }
        let profiles = self.profiles.iter();
        let profiles = profiles.map(|(name, counts)| (name.as_str(), counts.records));
        top(f, "reasons", words(&self.reasons))?;
        top(f, "profiles", profiles.collect())?;
        top(f, "errors", words(&self.errors))?;
        if self.is_inverted() {
            writeln!(
                f,
                "      hint  nearly every written winner is the board's loser: results may be \
                 written for the other side, or colours exchanged"
            )?;
        }
        Ok(())
    }
}

impl Tally {
    /// Whether so many winners differ that no other fault explains it.
    fn is_inverted(&self) -> bool {
        let differ = self.of(Status::WinnerDiffers);
        let same = self.of(Status::Agree) + self.of(Status::MarginDiffers);
        differ >= 10 && differ >= same * 9
    }
}

/// The words counted most, on one line.
fn top(f: &mut fmt::Formatter<'_>, title: &str, mut counts: Vec<(&str, u64)>) -> fmt::Result {
    if counts.is_empty() {
        return Ok(());
    }
    counts.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    let shown: Vec<String> = counts
        .iter()
        .take(8)
        .map(|(word, count)| format!("{word} {count}"))
        .collect();
    writeln!(f, "{title:>10}  {}", shown.join(", "))
}

/// A status in words.
const fn explained(status: Status) -> &'static str {
    match status {
        Status::Skipped => "skipped: not game records",
        Status::Broken => "broken: unreadable, or with a move that cannot be played",
        Status::NoResult => "without a written result",
        Status::Unfinished => "unfinished: a count is claimed that the board does not decide",
        Status::NotComparable => "not comparable: resigned, lost on time, or without grounds",
        Status::WinnerDiffers => "winner differs",
        Status::MarginDiffers => "margin differs",
        Status::Agree => "agree",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_the_other_way_round_get_a_hint() {
        for (agree, differ, expected) in [
            (0, 10, true),
            (0, 9, false),
            (10, 90, true),
            (11, 90, false),
            (1000, 10, false),
        ] {
            let status = [(Status::Agree, agree), (Status::WinnerDiffers, differ)];
            let tally = Tally {
                status: status
                    .map(|(status, count)| (status.word().into(), count))
                    .into(),
                ..Tally::default()
            };
            let said = tally.to_string().contains("hint");
            assert_eq!(said, expected, "{agree} {differ}");
        }
    }
}
