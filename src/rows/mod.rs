//! Files of rows, as `kifu label` writes them, read again: CSV or JSON Lines,
//! perhaps compressed, Parquet or Arrow. What they are is told by their bytes, not
//! by their names; values are those of CSV, whatever they are written as.
//!
//! Errors are one sentence each, without the name of the file.

#[cfg(feature = "parquet")]
mod columnar;
mod raw;

pub use raw::RawRows;

use std::{
    cell::Cell,
    fmt::Write,
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read},
    path::Path,
};

use serde_json::{Map, Value};

#[cfg(feature = "parquet")]
pub use columnar::{Batch, Content, Files};

use crate::label::{COLUMNS, Kind};

/// Bytes that one row may take: the largest boards take a hundredth of it.
const MAX_ROW: u64 = 16 << 20;

/// What to say of a file that ends too early.
const CUT_OFF: &str = "the file is cut off: write the labels again, or fetch the whole file";

/// What Parquet begins with.
const PARQUET: &[u8] = b"PAR1";

/// What a file of Arrow begins with, in its first four bytes.
const ARROW_FILE: &[u8] = b"ARRO";

/// What a stream of Arrow begins with.
const ARROW_STREAM: &[u8] = &[0xff; 4];

/// The rows of one file, one after the other.
pub struct Rows {
    name: String,
    /// Columns, where the file names any.
    columns: Option<Vec<String>>,
    source: Source,
    wanted: Vec<Wanted>,
    /// Their values in this row.
    values: Vec<String>,
    /// Rows read.
    count: u64,
}

/// A column that is asked for.
struct Wanted {
    name: String,
    /// Its place, if the file has it.
    place: Option<usize>,
    /// Whether it holds fractions, which CSV writes with three decimals.
    is_real: bool,
}

enum Source {
    Csv {
        reader: csv::Reader<Bounded>,
        record: csv::ByteRecord,
    },
    Lines {
        reader: BufReader<Bounded>,
        line: Vec<u8>,
        object: Map<String, Value>,
        /// Whether the object is the first row, read for its columns.
        is_first: bool,
    },
    #[cfg(feature = "parquet")]
    Columns(columnar::Table),
}

impl Rows {
    /// Opens a file of rows; `-` is standard input.
    ///
    /// # Errors
    /// Where it cannot be read, or is of another kind.
    pub fn open(path: &Path) -> Result<Self, String> {
        if path.as_os_str() == "-" {
            return Self::read("standard input".to_owned(), Box::new(io::stdin().lock()));
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| error.to_string())?;
        #[cfg(feature = "parquet")]
        if is_parquet(&file)? {
            return Ok(Self::of_columns(name, columnar::Table::parquet(file)?));
        }
        Self::read(name, Box::new(file))
    }

    /// The rows in some bytes, under a name for messages.
    ///
    /// # Errors
    /// As [`Rows::open`].
    pub fn read(name: String, bytes: Box<dyn Read>) -> Result<Self, String> {
        let (head, bytes) = bytes_of(bytes)?;
        if is_columnar(&head) {
            #[cfg(feature = "parquet")]
            return Ok(Self::of_columns(name, table(&head, bytes)?));
            #[cfg(not(feature = "parquet"))]
            return Err(left_out(&head));
        }
        let bytes = Bounded::new(bytes);
        // A file of JSON Lines without rows is empty.
        let source = match head.first() {
            Some(b'{') | None => Source::Lines {
                reader: BufReader::with_capacity(1 << 16, bytes),
                line: Vec::new(),
                object: Map::new(),
                is_first: false,
            },
            Some(_) => Source::Csv {
                reader: csv::Reader::from_reader(bytes),
                record: csv::ByteRecord::new(),
            },
        };
        let mut rows = Self {
            name,
            columns: None,
            source,
            wanted: Vec::new(),
            values: Vec::new(),
            count: 0,
        };
        rows.find_columns()?;
        Ok(rows)
    }

    #[cfg(feature = "parquet")]
    fn of_columns(name: String, table: columnar::Table) -> Self {
        Self {
            name,
            columns: Some(table.columns()),
            source: Source::Columns(table),
            wanted: Vec::new(),
            values: Vec::new(),
            count: 0,
        }
    }

    fn find_columns(&mut self) -> Result<(), String> {
        if let Source::Csv { reader, .. } = &mut self.source {
            let header = reader
                .byte_headers()
                .map_err(|error| csv_fault(&error, 0))?;
            let names = header.iter().map(String::from_utf8_lossy);
            self.columns = Some(names.map(std::borrow::Cow::into_owned).collect());
            return Ok(());
        }
        let any = self.advance()?;
        if let Source::Lines {
            object, is_first, ..
        } = &mut self.source
        {
            self.columns = any.then(|| object.keys().cloned().collect());
            *is_first = any;
        }
        Ok(())
    }

    /// What the file is called in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it says about its run under a key, such as `kifu.settings`; only Parquet
    /// and Arrow do.
    #[must_use]
    #[cfg_attr(not(feature = "parquet"), expect(unused_variables))]
    pub fn about(&self, key: &str) -> Option<&str> {
        match &self.source {
            #[cfg(feature = "parquet")]
            Source::Columns(table) => table.about(key),
            Source::Csv { .. } | Source::Lines { .. } => None,
        }
    }

    /// Its columns; none in JSON Lines without a row.
    #[must_use]
    pub fn columns(&self) -> Option<&[String]> {
        self.columns.as_deref()
    }

    /// Whether it has a column.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let mut columns = self.columns.iter().flatten();
        columns.any(|column| column == name)
    }

    /// Chooses the columns that are read; those that the file does not have are
    /// empty.
    pub fn choose<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        let columns = self.columns.as_deref().unwrap_or_default();
        let is_real = |name: &str| {
            let mut known = COLUMNS.iter();
            known.any(|column| column.name == name && column.kind == Kind::Real)
        };
        self.wanted = names
            .map(|name| Wanted {
                name: name.to_owned(),
                place: columns.iter().position(|column| column == name),
                is_real: is_real(name),
            })
            .collect();
        #[cfg(feature = "parquet")]
        if let Source::Columns(table) = &mut self.source {
            table.choose(self.wanted.iter().map(|wanted| wanted.name.as_str()));
        }
        self.values = vec![String::new(); self.wanted.len()];
    }

    /// Goes to the next row; `false` where there is none.
    ///
    /// # Errors
    /// Where the file cannot be read, is cut off, or holds what is no row.
    pub fn advance(&mut self) -> Result<bool, String> {
        let found = match &mut self.source {
            Source::Csv { reader, record } => {
                self.count += 1;
                next_record(reader, record, self.count)?
            }
            Source::Lines { is_first, .. } if *is_first => {
                *is_first = false;
                true
            }
            Source::Lines {
                reader,
                line,
                object,
                ..
            } => {
                let found = next_object(reader, line, object, &mut self.count)?;
                let mut columns = self.columns.iter().flatten();
                let missing = columns.find(|name| !object.contains_key(*name));
                if let (true, Some(column)) = (found, missing) {
                    let line = self.count;
                    return Err(format!(
                        "line {line} has no column {column}, as the first one has"
                    ));
                }
                found
            }
            #[cfg(feature = "parquet")]
            Source::Columns(table) => {
                self.count += 1;
                let row = self.count;
                table.advance().map_err(|why| format!("row {row}: {why}"))?
            }
        };
        if found {
            self.fill();
        }
        Ok(found)
    }

    fn fill(&mut self) {
        for (index, wanted) in self.wanted.iter().enumerate() {
            let Some(value) = self.values.get_mut(index) else {
                continue;
            };
            value.clear();
            match &self.source {
                Source::Csv { record, .. } => {
                    let bytes = wanted.place.and_then(|place| record.get(place));
                    value.push_str(&String::from_utf8_lossy(bytes.unwrap_or_default()));
                }
                Source::Lines { object, .. } => push_json(object.get(&wanted.name), wanted, value),
                #[cfg(feature = "parquet")]
                Source::Columns(table) => table.push(index, value),
            }
        }
    }

    /// The value in this row of the column that was chosen in some place, as CSV
    /// has it; nothing before the first row.
    #[must_use]
    pub fn value(&self, place: usize) -> &str {
        self.values.get(place).map_or("", String::as_str)
    }
}

/// Reads a record of CSV, from 1.
fn next_record(
    reader: &mut csv::Reader<Bounded>,
    record: &mut csv::ByteRecord,
    row: u64,
) -> Result<bool, String> {
    reader.get_ref().next_row();
    match reader.read_byte_record(record) {
        Ok(true) => Ok(true),
        Ok(false) if reader.get_ref().is_whole() => Ok(false),
        Ok(false) => Err(CUT_OFF.to_owned()),
        Err(error) => {
            // A last row that is short, and without its end, was cut off.
            let last = matches!(reader.read_byte_record(record), Ok(false));
            Err(match last && !reader.get_ref().is_whole() {
                true => format!("row {row}: {CUT_OFF}"),
                false => csv_fault(&error, row),
            })
        }
    }
}

fn csv_fault(error: &csv::Error, row: u64) -> String {
    match error.kind() {
        csv::ErrorKind::Io(error) => broken_off(error),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("row {row} has {len} values for {expected_len} columns: the file is damaged"),
        _ => format!("row {row}: {error}"),
    }
}

/// Reads an object on a line of its own; lines are counted.
fn next_object(
    reader: &mut BufReader<Bounded>,
    line: &mut Vec<u8>,
    object: &mut Map<String, Value>,
    count: &mut u64,
) -> Result<bool, String> {
    loop {
        line.clear();
        reader.get_ref().next_row();
        let read = reader.read_until(b'\n', line);
        if read.map_err(|error| broken_off(&error))? == 0 {
            return Ok(false);
        }
        *count += 1;
        if line.last() != Some(&b'\n') {
            return Err(format!("line {count}: {CUT_OFF}"));
        }
        if !line.trim_ascii().is_empty() {
            break;
        }
    }
    let text = String::from_utf8_lossy(line);
    *object = serde_json::from_str(&text).map_err(|error| {
        format!("line {count} is no row of labels: {error}; give rows that kifu label wrote")
    })?;
    Ok(true)
}

/// Appends a value as CSV has it: lists are parted by blanks.
fn push_json(value: Option<&Value>, wanted: &Wanted, text: &mut String) {
    if let Some(real) = value.and_then(Value::as_f64)
        && wanted.is_real
    {
        // Writing to a string cannot fail.
        let _ = write!(text, "{real:.3}");
        return;
    }
    match value {
        None | Some(Value::Null) => {}
        Some(Value::String(value)) => text.push_str(value),
        Some(Value::Array(items)) => {
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    text.push(' ');
                }
                text.push_str(&item.to_string());
            }
        }
        Some(other) => text.push_str(&other.to_string()),
    }
}

/// The first four bytes, and all of them, no longer compressed.
fn bytes_of(bytes: Box<dyn Read>) -> Result<(Vec<u8>, Box<dyn Read>), String> {
    let (head, bytes) = peek(bytes).map_err(|error| broken_off(&error))?;
    let bytes: Box<dyn Read> = match head[..] {
        [0x1f, 0x8b, ..] => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
        [0x28, 0xb5, 0x2f, 0xfd] => {
            Box::new(zstd::Decoder::new(bytes).map_err(|error| error.to_string())?)
        }
        _ => bytes,
    };
    peek(bytes).map_err(|error| broken_off(&error))
}

/// Whether this is a file of Parquet, which is read from its end; a pipe gives its
/// first bytes only once.
#[cfg(feature = "parquet")]
fn is_parquet(file: &File) -> Result<bool, String> {
    if !file.metadata().is_ok_and(|it| it.is_file()) {
        return Ok(false);
    }
    let mut head = Vec::new();
    let mut bytes = file;
    let read = bytes.by_ref().take(4).read_to_end(&mut head);
    read.and_then(|_| io::Seek::rewind(&mut bytes))
        .map_err(|error| error.to_string())?;
    Ok(head == PARQUET)
}

/// Rows by column, told by their first bytes.
#[cfg(feature = "parquet")]
fn table(head: &[u8], bytes: Box<dyn Read>) -> Result<columnar::Table, String> {
    if head == PARQUET {
        return Err(
            "Parquet is read from a file that is not compressed, as what is in it is said \
             at its end: save it and name the file, or write csv, jsonl or arrow"
                .to_owned(),
        );
    }
    columnar::Table::arrow(bytes, head == ARROW_FILE)
}

#[cfg(not(feature = "parquet"))]
fn left_out(head: &[u8]) -> String {
    let kind = if head == PARQUET { "Parquet" } else { "Arrow" };
    format!(
        "{kind} is not read, as this kifu was built without parquet: build it with \
         --features parquet, or write the labels as csv or jsonl"
    )
}

/// Whether the first four bytes are those of Parquet or Arrow.
fn is_columnar(head: &[u8]) -> bool {
    [PARQUET, ARROW_FILE, ARROW_STREAM].contains(&head)
}

/// The first four bytes, or as many as there are, and all of them.
fn peek(mut bytes: Box<dyn Read>) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut head = Vec::new();
    bytes.by_ref().take(4).read_to_end(&mut head)?;
    let whole = Box::new(Cursor::new(head.clone()).chain(bytes));
    Ok((head, whole))
}

fn broken_off(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => CUT_OFF.to_owned(),
        _ => error.to_string(),
    }
}

/// A stream that fails in a row without an end, and remembers its last byte.
struct Bounded {
    inner: Box<dyn Read>,
    left: Cell<u64>,
    last: u8,
}

impl Bounded {
    fn new(inner: Box<dyn Read>) -> Self {
        Self {
            inner,
            left: Cell::new(MAX_ROW),
            last: b'\n',
        }
    }

    /// Allows for another row.
    fn next_row(&self) {
        self.left.set(MAX_ROW);
    }

    /// Whether the last line has its end.
    fn is_whole(&self) -> bool {
        self.last == b'\n'
    }
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        if let Some(last) = buffer.get(..read).and_then(<[u8]>::last) {
            self.last = *last;
        }
        let left = self.left.get().checked_sub(read as u64);
        self.left.set(left.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                "a row of more than 16 MiB: this is no file of labels, or it is damaged",
            )
        })?);
        Ok(read)
    }
}
