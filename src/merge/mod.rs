//! Merges the rows of shards to those of one run.
//!
//! Rows stand in the order of a walk: by the components of the file's path, and in
//! a file by their place in it. Every shard is in that order, so one row of each
//! that is open is in memory, or one batch of rows that lie by column.

mod shards;

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    path::{Path, PathBuf},
};

pub use shards::{Part, Parts, Planned};

#[cfg(feature = "parquet")]
use arrow_schema::Fields;

#[cfg(feature = "parquet")]
use crate::{label::Schema, report};
use crate::{
    rows::RawRows,
    source::{sort_key, unescape},
};

/// The place of a row: its file, and its index in there.
type Place = (Vec<u8>, u64);

/// One file of rows while it is merged.
struct Input {
    path: PathBuf,
    name: String,
    /// Closed before its first row is due and behind its last one: shards of a plan
    /// follow each other, and one of them is open at a time.
    rows: Option<RawRows>,
    origin: String,
    /// The file part of the origin of its row.
    file: String,
    place: Place,
    /// Rows so far.
    count: u64,
}

impl Input {
    fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            name: path.display().to_string(),
            rows: None,
            origin: String::new(),
            file: String::new(),
            place: Place::default(),
            count: 0,
        }
    }

    /// Opens it at its beginning.
    fn open(&mut self) -> Result<&RawRows, String> {
        let rows = RawRows::open(&self.path);
        let rows = rows.map_err(|why| format!("cannot read {}: {why}", self.name))?;
        self.count = 0;
        Ok(self.rows.insert(rows))
    }

    /// The bytes of this row as they are written; those of a row with types are what
    /// workers hand on.
    fn row<'i>(&'i self, bytes: &'i mut Vec<u8>) -> Result<&'i [u8], String> {
        let Some(rows) = &self.rows else {
            return Ok(&[]);
        };
        #[cfg(feature = "parquet")]
        if let Some((batch, row)) = rows.typed_row() {
            bytes.clear();
            let encoded = report::encode(batch, row, bytes);
            encoded.map_err(|why| format!("cannot read {}: {why}", self.name))?;
            return Ok(bytes);
        }
        let _ = bytes;
        Ok(rows.row())
    }

    /// Goes to the next row; `false` where there is none.
    fn advance(&mut self) -> Result<bool, String> {
        let Some(rows) = &mut self.rows else {
            return Ok(false);
        };
        let any = rows.advance();
        if !any.map_err(|why| format!("cannot read {}: {why}", self.name))? {
            self.rows = None;
            return Ok(false);
        }
        self.count += 1;
        self.origin.clear();
        self.origin.push_str(rows.origin());
        let origin = &*self.origin;
        let file = file_of(origin);
        self.place.1 = index_of(origin);
        if self.count > 1 && file == self.file {
            return Ok(true);
        }
        let key = sort_key(&unescape(file));
        if self.count > 1 && key < self.place.0 {
            return Err(format!(
                "{} is not in the order of a run: {file} comes after {}",
                self.name, self.file
            ));
        }
        self.place.0 = key;
        file.clone_into(&mut self.file);
        Ok(true)
    }
}

/// The file that an origin is in.
fn file_of(origin: &str) -> &str {
    origin.split(['!', '#']).next().unwrap_or_default()
}

/// The index of a record in its file, from 1; 0 where it has another name, as
/// members of packed files have.
fn index_of(origin: &str) -> u64 {
    match origin.split_once(['!', '#']) {
        None => 1,
        Some((_, index)) if !origin.contains('!') => index.parse().unwrap_or(0),
        Some(_) => 0,
    }
}

/// What files have in common that are merged.
#[derive(Clone)]
struct Form {
    /// The file that it is of.
    name: String,
    kind: &'static str,
    header: Vec<u8>,
    #[cfg(feature = "parquet")]
    fields: Option<Fields>,
}

impl Form {
    fn of(name: &str, rows: &RawRows) -> Self {
        Self {
            name: name.to_owned(),
            kind: rows.kind(),
            header: rows.header().to_owned(),
            #[cfg(feature = "parquet")]
            fields: rows.schema().map(|schema| schema.fields().clone()),
        }
    }

    /// Refuses a file of another kind, or with other columns.
    fn check(&self, other: &Self) -> Result<(), String> {
        let [(one, kind), (name, other_kind)] = [self, other].map(|it| (&it.name, it.kind));
        if kind != other_kind {
            return Err(format!(
                "{one} is {kind} and {name} is {other_kind}: name shards of one kind"
            ));
        }
        let is_same = self.header == other.header;
        #[cfg(feature = "parquet")]
        let is_same = is_same && self.fields == other.fields;
        if is_same {
            return Ok(());
        }
        Err(format!(
            "{one} and {name} have different columns: they are not of one plan"
        ))
    }
}

/// Files of rows of one kind and with the same columns, to be merged.
pub struct Merge {
    /// None of no file.
    form: Option<Form>,
    inputs: Vec<Input>,
    next: BinaryHeap<Reverse<(Place, usize)>>,
}

impl Merge {
    /// Looks at files of rows.
    ///
    /// # Errors
    /// One sentence, where one cannot be read, or they have different columns.
    pub fn open(paths: &[&Path]) -> Result<Self, String> {
        let mut form: Option<Form> = None;
        let mut inputs = Vec::with_capacity(paths.len());
        let mut next = BinaryHeap::with_capacity(paths.len());
        for (number, path) in paths.iter().enumerate() {
            let mut input = Input::new(path);
            let found = Form::of(&path.display().to_string(), input.open()?);
            form.get_or_insert_with(|| found.clone()).check(&found)?;
            if input.advance()? {
                next.push(Reverse((input.place.clone(), number)));
            }
            input.rows = None;
            inputs.push(input);
        }
        Ok(Self { form, inputs, next })
    }

    /// The name of their format; none of no file.
    #[must_use]
    pub fn kind(&self) -> Option<&'static str> {
        self.form.as_ref().map(|form| form.kind)
    }

    /// What stands before the first row, as CSV has it.
    #[must_use]
    pub fn header(&self) -> &[u8] {
        self.form.as_ref().map_or(&[], |form| &form.header)
    }

    /// The columns, where they have types; none of text.
    ///
    /// # Errors
    /// One sentence, where a column is none that this version of kifu writes.
    #[cfg(feature = "parquet")]
    pub fn schema(&self) -> Result<Option<Schema>, String> {
        let Some(form) = &self.form else {
            return Ok(None);
        };
        let schema = form.fields.as_ref().map(report::typed_schema).transpose();
        schema.map_err(|why| format!("cannot merge {}: {why}", form.name))
    }

    /// Gives all rows in order, as bytes; how many rows each file had.
    ///
    /// # Errors
    /// One sentence, where a file cannot be read, a row is there twice, or `write`
    /// fails.
    pub fn write<E: From<String>>(
        self,
        write: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<Vec<u64>, E> {
        let Self {
            form,
            mut inputs,
            mut next,
        } = self;
        let mut bytes = Vec::new();
        // The last row, and where it is from.
        let mut last: Option<(Place, usize)> = None;
        while let Some(Reverse((_, number))) = next.pop() {
            if let (Some(input), Some(form)) = (inputs.get_mut(number), &form)
                && input.rows.is_none()
            {
                let name = input.name.clone();
                form.check(&Form::of(&name, input.open()?))?;
                input.advance()?;
            }
            if let Some((place, from)) = &last
                && let (Some(input), Some(other)) = (inputs.get(number), inputs.get(*from))
                && place.0 == input.place.0
                && (place.1 == 0 || input.place.1 <= place.1)
            {
                return Err(format!(
                    "{} is in {} and in {}: a shard is there twice, or they overlap",
                    input.origin, other.name, input.name
                )
                .into());
            }
            let Some(input) = inputs.get_mut(number) else {
                break;
            };
            // All rows of the file, so that their order is kept.
            loop {
                write(input.row(&mut bytes)?)?;
                let place = input.place.clone();
                let any = input.advance()?;
                if !any || input.place.0 != place.0 {
                    last = Some((place, number));
                    if any {
                        next.push(Reverse((input.place.clone(), number)));
                    }
                    break;
                }
            }
        }
        Ok(inputs.iter().map(|input| input.count).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_sort_as_a_walk_goes() {
        let in_order = [
            "-",
            "a/b.sgf",
            "a/c/d.sgf",
            "a.sgf",
            "b%01.sgf",
            "b.sgf",
            "黑/一.sgf",
        ];
        let key = |file: &str| sort_key(&unescape(file));
        let keys = in_order.map(key);
        assert!(keys.is_sorted(), "{keys:?}");
        assert_eq!(key("./a//b"), key("a/b"));
    }

    #[test]
    fn origins_have_parts() {
        for (origin, file, index) in [
            ("a.sgf", "a.sgf", 1),
            ("a.sgf#12", "a.sgf", 12),
            ("a.txt#id=7", "a.txt", 0),
            ("a.zip!b.sgf", "a.zip", 0),
            ("a.zip!b.sgf#2", "a.zip", 0),
        ] {
            assert_eq!(
                (file_of(origin), index_of(origin)),
                (file, index),
                "{origin}"
            );
        }
    }
}
