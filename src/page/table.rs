//! The columns that the page reads of rows.

use std::path::Path;

use crate::{label::SCHEMA_VERSION, report::Compression, rows::Rows};

macro_rules! fields {
    ($($variant:ident $name:literal,)+) => {
        /// A column that the page reads.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Field {
            $(
                #[doc = concat!("`", $name, "`")]
                $variant,
            )+
        }

        /// Every such column, by name.
        const FIELDS: &[(Field, &str)] = &[$((Field::$variant, $name)),+];
    };
}

fields! {
    Origin "origin",
    Game "game",
    Format "format",
    Size "size",
    Rules "rules",
    Convention "convention",
    Komi "komi",
    Handicap "handicap",
    Moves "moves",
    Ended "ended",
    Recorded "recorded",
    RecordedWinner "recorded_winner",
    RecordedMargin "recorded_margin",
    Winner "winner",
    Margin "margin",
    Basis "basis",
    DeadFirst "dead_first",
    DeadSecond "dead_second",
    DeadFrom "dead_from",
    Confidence "confidence",
    Status "status",
    Reasons "reasons",
    Warnings "warnings",
    ErrorKind "error_kind",
    Error "error",
    ContentHash "content_hash",
    Ownership "ownership",
    Board "board",
    Date "date",
    FirstPlayer "first_player",
    SecondPlayer "second_player",
    Event "event",
}

impl Field {
    /// The name of the column.
    #[must_use]
    pub fn name(self) -> &'static str {
        FIELDS.get(self as usize).map_or("", |(_, name)| name)
    }
}

/// Columns that only `--with` adds; the others every row has.
const EXTRA: &[Field] = &[
    Field::Ownership,
    Field::Board,
    Field::Date,
    Field::FirstPlayer,
    Field::SecondPlayer,
    Field::Event,
];

/// Rows of labels, one after the other.
pub struct Table(Rows);

impl Table {
    /// Opens a file of rows, or standard input (`-`).
    ///
    /// # Errors
    /// One sentence, without the name of the file: it cannot be read, holds no
    /// labels, or labels of another version.
    pub fn open(path: &Path) -> Result<Self, String> {
        let mut rows = Rows::open(path)?;
        let name = Compression::strip(rows.name());
        let is_json = [".jsonl", ".ndjson"].iter().any(|it| name.ends_with(it));
        match rows.columns() {
            Some(_) => check(&rows)?,
            None if is_json => {}
            None => {
                let why = "the file is empty: CSV of labels begins with a line of columns";
                return Err(why.to_owned());
            }
        }
        rows.choose(FIELDS.iter().map(|(_, name)| *name));
        Ok(Self(rows))
    }

    /// What the file says about its run under a key, as [`Rows::about`].
    #[must_use]
    pub fn about(&self, key: &str) -> Option<&str> {
        self.0.about(key)
    }

    /// Whether the rows have a column.
    #[must_use]
    pub fn has(&self, field: Field) -> bool {
        self.0.has(field.name())
    }

    /// Goes to the next row; false where there is none.
    ///
    /// # Errors
    /// Where the file cannot be read, is cut off or damaged.
    pub fn advance(&mut self) -> Result<bool, String> {
        self.0.advance()
    }

    /// A value of this row as text, as in CSV; empty where it says nothing.
    #[must_use]
    pub fn get(&self, field: Field) -> &str {
        self.0.value(field as usize)
    }
}

/// Whether the columns are those of labels; what is wrong where they are not.
fn check(rows: &Rows) -> Result<(), String> {
    if !rows.has("origin") || !rows.has("status") {
        return Err(
            "this is no file of labels, as it has no columns origin and status: \
             give rows that kifu label wrote"
                .to_owned(),
        );
    }
    let missing: Vec<&str> = FIELDS
        .iter()
        .filter(|(field, name)| !EXTRA.contains(field) && !rows.has(name))
        .map(|(_, name)| *name)
        .collect();
    match missing.as_slice() {
        [] => Ok(()),
        [name] => Err(format!(
            "the column {name} is missing: this kifu reads rows of {SCHEMA_VERSION} with all of \
             their columns, so label again with it"
        )),
        names => Err(format!(
            "the columns {} are missing: this kifu reads rows of {SCHEMA_VERSION} with all of \
             their columns, so label again with it",
            names.join(", ")
        )),
    }
}
