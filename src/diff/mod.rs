//! What changed between two files of rows: which records came and went, and
//! which columns of the others differ.
//!
//! Both files are read side by side. A row waits until its record turns up in the
//! other file, so the order of rows does not matter; where both are in the same
//! order, few wait. Each takes about a kilobyte, at most as many as stand in one
//! file only or elsewhere in the other.

mod tally;

use std::collections::{HashMap, VecDeque};

pub use tally::{Class, Tally};

use xxhash_rust::xxh3::xxh3_64;

use crate::{
    label::{COLUMNS, Column, EXTRA_COLUMNS, Kind},
    rows::Rows,
};

/// Longer values, in bytes, are compared and shown by their hash.
const MAX_VALUE: usize = 512;

/// Columns that make the key of a row.
const KEY: [&str; 2] = ["origin", "record_id"];

/// One difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference<'r> {
    /// What it is.
    pub class: Class,
    /// Origin of the record.
    pub origin: &'r str,
    /// The record's own id, or nothing.
    pub record_id: &'r str,
    /// The column: `status` where a whole row was added or removed.
    pub column: &'r str,
    /// Its value in the old row, or nothing.
    pub old: &'r str,
    /// Its value in the new row, or nothing.
    pub new: &'r str,
}

/// Columns that two files share, and those of one of them.
#[derive(Debug)]
pub struct Columns {
    /// In the order of the row.
    shared: Vec<Compared>,
    /// Columns of the old file only.
    pub old_only: Vec<String>,
    /// Columns of the new file only.
    pub new_only: Vec<String>,
}

/// A column that both files have.
#[derive(Debug)]
struct Compared {
    name: String,
    class: Class,
    /// Whether its values are numbers, which may be written in several ways.
    is_number: bool,
    is_ignored: bool,
}

/// The column of a name that this version of kifu knows.
fn known(name: &str) -> Option<&'static Column> {
    let extra = EXTRA_COLUMNS.iter().flat_map(|(_, columns)| *columns);
    let mut all = COLUMNS.iter().chain(extra);
    all.find(|column| column.name == name)
}

impl Columns {
    /// The columns of two files; some may be left out of the comparison.
    ///
    /// # Errors
    /// One sentence: where a file lacks a column that every row has, or a column
    /// to ignore is in neither.
    pub fn of(old: &Rows, new: &Rows, ignored: &[String]) -> Result<Self, String> {
        // A file without rows may not say what columns they would have.
        let of = |rows: &Rows, other: &Rows| match rows.columns() {
            Some(columns) => columns.to_vec(),
            None => match other.columns() {
                Some(columns) => columns.to_vec(),
                None => COLUMNS.iter().map(|it| it.name.to_owned()).collect(),
            },
        };
        let (of_old, of_new) = (of(old, new), of(new, old));
        for name in ignored {
            let is_known = of_old.contains(name) || of_new.contains(name) || known(name).is_some();
            if !is_known {
                let names: Vec<&str> = of_old.iter().chain(&of_new).map(String::as_str).collect();
                let hint = crate::suggest::nearest(name, &names);
                let hint = hint.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
                return Err(format!("no column '{name}' to ignore{hint}"));
            }
            if name == "origin" {
                return Err(
                    "origin is the key of a row, and cannot be ignored; --root names records from the same folder"
                        .to_owned(),
                );
            }
        }
        for (rows, columns) in [(old, &of_old), (new, &of_new)] {
            let lacks = |name: &&str| {
                let is_ignored = ignored.iter().any(|ignored| ignored == name);
                !is_ignored && !columns.iter().any(|column| column == name)
            };
            let fixed = COLUMNS.iter().map(|column| column.name);
            let missing: Vec<&str> = fixed.filter(lacks).collect();
            if missing.len() > COLUMNS.len() / 2 {
                return Err(format!(
                    "{} holds no rows of kifu: its first line names none of most columns that they have",
                    rows.name()
                ));
            }
            if !missing.is_empty() {
                return Err(format!(
                    "{} has no column {}: is it of another version of kifu? --ignore {} compares the others",
                    rows.name(),
                    missing.join(", "),
                    missing.join(",")
                ));
            }
        }
        let order = |name: &String| COLUMNS.iter().position(|column| column.name == name);
        let mut shared: Vec<String> = of_old
            .iter()
            .filter(|it| of_new.contains(it))
            .cloned()
            .collect();
        shared.sort_by_key(|name| order(name).unwrap_or(usize::MAX));
        let only = |mine: &[String], others: &[String]| -> Vec<String> {
            let mine = mine.iter();
            mine.filter(|name| !others.contains(name) && !ignored.contains(name))
                .cloned()
                .collect()
        };
        Ok(Self {
            old_only: only(&of_old, &of_new),
            new_only: only(&of_new, &of_old),
            shared: shared
                .into_iter()
                .map(|name| Compared {
                    class: Class::of_column(&name),
                    is_number: known(&name).is_some_and(|column| {
                        matches!(column.kind, Kind::Integer(..) | Kind::Points | Kind::Real)
                    }),
                    is_ignored: ignored.contains(&name) || KEY.contains(&name.as_str()),
                    name,
                })
                .collect(),
        })
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.shared.iter().position(|column| column.name == name)
    }
}

/// One row: the values of the columns that both files have.
struct Row {
    text: Box<str>,
    /// Where each value ends.
    ends: Box<[u32]>,
}

impl Row {
    fn value(&self, place: usize) -> &str {
        let start = place.checked_sub(1).map_or(Some(0), |before| {
            self.ends.get(before).map(|end| *end as usize)
        });
        let end = self.ends.get(place).map(|end| *end as usize);
        let range = start.zip(end).map(|(start, end)| start..end);
        range
            .and_then(|range| self.text.get(range))
            .unwrap_or_default()
    }
}

/// Rows of one file whose record was not met in the other.
#[derive(Default)]
struct Waiting {
    rows: HashMap<Box<str>, VecDeque<(u64, Row)>>,
    met: u64,
}

impl Waiting {
    fn put(&mut self, key: Box<str>, row: Row) {
        self.met += 1;
        let rows = self.rows.entry(key).or_default();
        rows.push_back((self.met, row));
    }

    fn take(&mut self, key: &str) -> Option<Row> {
        let rows = self.rows.get_mut(key)?;
        let (_, row) = rows.pop_front()?;
        if rows.is_empty() {
            self.rows.remove(key);
        }
        Some(row)
    }

    /// All that wait, in the order of their file.
    fn drain(&mut self) -> impl Iterator<Item = Row> {
        let mut rows: Vec<_> = self.rows.drain().flat_map(|(_, rows)| rows).collect();
        rows.sort_unstable_by_key(|(place, _)| *place);
        rows.into_iter().map(|(_, row)| row)
    }
}

/// Takes a difference; `false` where it wants no more.
pub type Each<'e> = dyn FnMut(&Difference<'_>) -> bool + 'e;

/// Compares the rows of two files, and gives every difference. A record that is
/// there several times is compared in the order of each file.
///
/// # Errors
/// One sentence: a file that cannot be read to its end, or is cut off in a row.
pub fn compare(
    mut old: Rows,
    mut new: Rows,
    columns: &Columns,
    each: &mut Each<'_>,
) -> Result<Tally, String> {
    let mut comparison = Comparison {
        columns,
        places: ["origin", "record_id", "status"].map(|name| columns.place(name)),
        tally: Tally::default(),
        each,
        is_done: false,
    };
    for rows in [&mut old, &mut new] {
        rows.choose(columns.shared.iter().map(|column| column.name.as_str()));
    }
    let mut waiting = [Waiting::default(), Waiting::default()];
    let [mut old_ended, mut new_ended] = [false; 2];
    while !(old_ended && new_ended || comparison.is_done) {
        let [waiting_old, waiting_new] = &mut waiting;
        // What was removed is given before what was added.
        if !new_ended {
            match next(&mut new, columns)? {
                Some(row) => {
                    comparison.tally.new_rows += 1;
                    let key = comparison.key(&row);
                    match waiting_old.take(&key) {
                        Some(other) => comparison.both(&other, &row),
                        None if old_ended => comparison.one(Class::Added, &row),
                        None => waiting_new.put(key, row),
                    }
                }
                None => {
                    new_ended = true;
                    let rows = waiting_old.drain();
                    rows.for_each(|row| comparison.one(Class::Removed, &row));
                }
            }
        }
        if !old_ended {
            match next(&mut old, columns)? {
                Some(row) => {
                    comparison.tally.old_rows += 1;
                    let key = comparison.key(&row);
                    match waiting_new.take(&key) {
                        Some(other) => comparison.both(&row, &other),
                        None if new_ended => comparison.one(Class::Removed, &row),
                        None => waiting_old.put(key, row),
                    }
                }
                None => {
                    old_ended = true;
                    let rows = waiting_new.drain();
                    rows.for_each(|row| comparison.one(Class::Added, &row));
                }
            }
        }
    }
    Ok(comparison.tally)
}

/// The next row, as far as both files have its columns.
fn next(rows: &mut Rows, columns: &Columns) -> Result<Option<Row>, String> {
    let more = rows.advance();
    if !more.map_err(|why| format!("cannot read {}: {why}", rows.name()))? {
        return Ok(None);
    }
    let mut text = String::with_capacity(512);
    let ends = (0..columns.shared.len()).map(|place| {
        match rows.value(place) {
            long if long.len() > MAX_VALUE => {
                text.push_str(&format!("xxh3:{:016x}", xxh3_64(long.as_bytes())));
            }
            value => text.push_str(value),
        }
        text.len() as u32
    });
    let ends = ends.collect();
    Ok(Some(Row {
        text: text.into(),
        ends,
    }))
}

/// A comparison under way.
struct Comparison<'c, 'e> {
    columns: &'c Columns,
    /// Where origin, record_id and status stand.
    places: [Option<usize>; 3],
    tally: Tally,
    each: &'c mut Each<'e>,
    is_done: bool,
}

impl Comparison<'_, '_> {
    fn key(&self, row: &Row) -> Box<str> {
        let [origin, record_id, _] = self.places;
        let value = |place: Option<usize>| place.map_or("", |place| row.value(place));
        // Origins hold no controls.
        format!("{}\0{}", value(origin), value(record_id)).into()
    }

    /// A row that one file has.
    fn one(&mut self, class: Class, row: &Row) {
        let [origin, record_id, status] = self
            .places
            .map(|place| place.map_or("", |it| row.value(it)));
        let (old, new) = match class {
            Class::Added => ("", status),
            _ => (status, ""),
        };
        self.give(&Difference {
            class,
            origin,
            record_id,
            column: "status",
            old,
            new,
        });
    }

    /// The rows of a record that both have.
    fn both(&mut self, old: &Row, new: &Row) {
        let [origin, record_id, _] = self
            .places
            .map(|place| place.map_or("", |it| new.value(it)));
        let mut any = false;
        let columns = self.columns;
        for (place, column) in columns.shared.iter().enumerate() {
            let [before, now] = [old, new].map(|row| row.value(place));
            if column.is_ignored || before == now || column.is_number && same_number(before, now) {
                continue;
            }
            any = true;
            self.give(&Difference {
                class: column.class,
                origin,
                record_id,
                column: &column.name,
                old: before,
                new: now,
            });
        }
        if any {
            self.tally.changed += 1;
        } else {
            self.tally.same += 1;
        }
    }

    fn give(&mut self, difference: &Difference<'_>) {
        self.tally.add(difference);
        if !self.is_done && !(self.each)(difference) {
            self.is_done = true;
        }
    }
}

/// Whether two texts are the same number: `0.960` in CSV is `0.96` in JSON.
fn same_number(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|text| text.parse::<f64>().ok());
    one.is_some() && one == other
}
