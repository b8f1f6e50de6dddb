//! Rows as they stand in a file, to be written again as they are: the bytes of CSV and
//! JSON Lines, the typed values of Parquet and Arrow.

use std::{
    borrow::Cow,
    fs::File,
    io::{BufRead, BufReader, Read},
    path::Path,
};

use serde::Deserialize;

#[cfg(feature = "parquet")]
use super::columnar::Table;
use super::{Bounded, CUT_OFF, broken_off, bytes_of};

const NO_ORIGIN: &str = "it has no column origin: give rows that kifu label wrote";

/// The rows of a file, one after the other.
pub struct RawRows {
    source: Source,
    origin: String,
}

enum Source {
    Text(Text),
    #[cfg(feature = "parquet")]
    Typed {
        table: Table,
        kind: &'static str,
        /// The place of the origin.
        place: usize,
    },
}

impl RawRows {
    /// Opens a file of rows, text perhaps compressed.
    ///
    /// # Errors
    /// Where it cannot be read, or is of another kind; one sentence without its
    /// name.
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        #[cfg(feature = "parquet")]
        if super::is_parquet(&file)? {
            return Self::typed(Table::parquet(file)?, "parquet");
        }
        let (head, bytes) = bytes_of(Box::new(file))?;
        if super::is_columnar(&head) {
            #[cfg(feature = "parquet")]
            return Self::typed(super::table(&head, bytes)?, "arrow");
            #[cfg(not(feature = "parquet"))]
            return Err(super::left_out(&head));
        }
        Ok(Self {
            source: Source::Text(Text::open(&head, bytes)?),
            origin: String::new(),
        })
    }

    #[cfg(feature = "parquet")]
    fn typed(mut table: Table, kind: &'static str) -> Result<Self, String> {
        let mut names = table.schema().fields().iter().map(|field| field.name());
        let place = names.position(|name| name == "origin").ok_or(NO_ORIGIN)?;
        table.choose_all();
        Ok(Self {
            source: Source::Typed { table, kind, place },
            origin: String::new(),
        })
    }

    /// The name of the format: `csv`, `jsonl`, `parquet` or `arrow`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match &self.source {
            Source::Text(text) if text.header.is_none() => "jsonl",
            Source::Text(_) => "csv",
            #[cfg(feature = "parquet")]
            Source::Typed { kind, .. } => kind,
        }
    }

    /// What stands before the first row, its line end included: nothing but in CSV.
    #[must_use]
    pub fn header(&self) -> &[u8] {
        match &self.source {
            Source::Text(text) => text.header.as_ref().map_or(&[], |(header, _)| header),
            #[cfg(feature = "parquet")]
            Source::Typed { .. } => &[],
        }
    }

    /// The columns, where they have types.
    #[cfg(feature = "parquet")]
    #[must_use]
    pub fn schema(&self) -> Option<&arrow_schema::Schema> {
        match &self.source {
            Source::Text(_) => None,
            Source::Typed { table, .. } => Some(table.schema()),
        }
    }

    /// Goes to the next row; `false` where there is none.
    ///
    /// # Errors
    /// Where the file cannot be read, is cut off, or holds what is no row.
    pub fn advance(&mut self) -> Result<bool, String> {
        self.origin.clear();
        match &mut self.source {
            Source::Text(text) => text.advance(&mut self.origin),
            #[cfg(feature = "parquet")]
            Source::Typed { table, place, .. } => {
                let any = table.advance()?;
                table.push(*place, &mut self.origin);
                Ok(any)
            }
        }
    }

    /// The bytes of this row, its line end included; none of a row with types.
    #[must_use]
    pub fn row(&self) -> &[u8] {
        match &self.source {
            Source::Text(text) => &text.row,
            #[cfg(feature = "parquet")]
            Source::Typed { .. } => &[],
        }
    }

    /// The batch with all columns that this row is in, and its place there, where
    /// they have types.
    #[cfg(feature = "parquet")]
    #[must_use]
    pub fn typed_row(&self) -> Option<(&arrow_array::RecordBatch, usize)> {
        match &self.source {
            Source::Text(_) => None,
            Source::Typed { table, .. } => table.current(),
        }
    }

    /// The origin of this row.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

/// Rows of CSV or JSON Lines.
struct Text {
    reader: BufReader<Bounded>,
    /// The first line and the place of the origin in it, if they are CSV.
    header: Option<(Vec<u8>, usize)>,
    row: Vec<u8>,
    count: u64,
}

impl Text {
    /// Rows whose first bytes are known.
    fn open(head: &[u8], bytes: Box<dyn Read>) -> Result<Self, String> {
        let mut rows = Self {
            reader: BufReader::with_capacity(1 << 16, Bounded::new(bytes)),
            header: None,
            row: Vec::new(),
            count: 0,
        };
        if head.first().is_some_and(|byte| *byte != b'{') {
            rows.read_csv()?;
            let header = std::mem::take(&mut rows.row);
            let place = fields(&header).position(|field| field == "origin");
            rows.header = Some((header, place.ok_or(NO_ORIGIN)?));
        }
        Ok(rows)
    }

    /// Goes to the next row, and appends its origin; `false` where there is none.
    fn advance(&mut self, origin: &mut String) -> Result<bool, String> {
        self.count += 1;
        let Some((_, place)) = self.header else {
            self.row.clear();
            self.read_line()?;
            if self.row.is_empty() {
                return Ok(false);
            }
            let row: Key<'_> = serde_json::from_slice(&self.row)
                .map_err(|error| format!("row {} is no row of labels: {error}", self.count))?;
            origin.push_str(&row.origin);
            return Ok(true);
        };
        if !self.read_csv()? {
            return Ok(false);
        }
        let found = fields(&self.row).nth(place);
        let few = || format!("row {} has too few values: the file is damaged", self.count);
        origin.push_str(&found.ok_or_else(few)?);
        Ok(true)
    }

    /// Reads a row of CSV: line ends in quotes do not end it.
    fn read_csv(&mut self) -> Result<bool, String> {
        self.row.clear();
        self.reader.get_ref().next_row();
        let mut is_open = false;
        loop {
            let start = self.row.len();
            self.read_line()?;
            if self.row.len() == start {
                return match start {
                    0 => Ok(false),
                    _ => Err(CUT_OFF.to_owned()),
                };
            }
            let line = self.row.get(start..).unwrap_or_default();
            is_open ^= memchr::memchr_iter(b'"', line).count() % 2 == 1;
            if !is_open {
                return Ok(true);
            }
        }
    }

    /// Reads to the end of the line; nothing at the end of the file.
    fn read_line(&mut self) -> Result<(), String> {
        if self.header.is_none() {
            self.reader.get_ref().next_row();
        }
        let read = self.reader.read_until(b'\n', &mut self.row);
        if read.map_err(|error| broken_off(&error))? > 0 && self.row.last() != Some(&b'\n') {
            return Err(CUT_OFF.to_owned());
        }
        Ok(())
    }
}

/// What is looked at in a row of JSON Lines.
#[derive(Deserialize)]
struct Key<'r> {
    #[serde(borrow)]
    origin: Cow<'r, str>,
}

/// The values of a whole row of CSV.
fn fields(row: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    let mut rest = Some(row.strip_suffix(b"\n").unwrap_or(row));
    std::iter::from_fn(move || {
        let left = rest?;
        let mut quoted = false;
        let end = left.iter().position(|byte| {
            quoted ^= *byte == b'"';
            *byte == b',' && !quoted
        });
        let end = end.unwrap_or(left.len());
        let (field, behind) = left.split_at_checked(end)?;
        rest = behind.get(1..);
        let inside = field
            .strip_prefix(b"\"")
            .and_then(|it| it.strip_suffix(b"\""));
        Some(match inside {
            None => String::from_utf8_lossy(field),
            Some(inside) => String::from_utf8_lossy(inside).replace("\"\"", "\"").into(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_csv_crate() {
        for row in [
            "a,b,c\n",
            "\"a,b\",,\"c \"\"d\"\"\"\n",
            "\"line\nend\",x\n",
            ",\n",
        ] {
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .from_reader(row.as_bytes());
            let record = reader.records().next().unwrap().unwrap();
            let expected: Vec<&str> = record.iter().collect();
            let found: Vec<_> = fields(row.as_bytes()).collect();
            assert_eq!(found, expected, "{row:?}");
        }
    }
}
