//! Readers of rows: every one fills the same [`Row`]. A new kind of file is one
//! reader here and one line in [`open`].

use std::{
    cell::Cell,
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read},
    path::Path,
};

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::label::SCHEMA_VERSION;

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

/// One row as text, as in CSV. Reused from row to row.
#[derive(Debug, Default)]
pub struct Row {
    values: [String; FIELDS.len()],
}

impl Row {
    /// A value; empty where the row says nothing.
    #[must_use]
    pub fn get(&self, field: Field) -> &str {
        self.values.get(field as usize).map_or("", String::as_str)
    }

    fn set(&mut self, field: Field, text: &str) {
        if let Some(value) = self.values.get_mut(field as usize) {
            value.clear();
            value.push_str(text);
        }
    }

    fn clear(&mut self) {
        self.values.iter_mut().for_each(String::clear);
    }
}

/// Rows that come one after the other. Errors are one sentence each, without
/// the name of the file.
pub trait Table {
    /// Whether the rows have a column.
    fn has(&self, field: Field) -> bool;

    /// Reads the next row; false where there is none.
    ///
    /// # Errors
    /// Where the file cannot be read, is cut off or damaged.
    fn next(&mut self, row: &mut Row) -> Result<bool, String>;
}

/// Opens a file of rows, or standard input (`-`). Its content says what it is
/// and how it is packed.
///
/// # Errors
/// One sentence: it cannot be opened, holds no labels, or labels of another
/// version.
pub fn open(path: &Path) -> Result<Box<dyn Table>, String> {
    let stream: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(|error| error.to_string())?)
    };
    let (head, stream) = peek(stream).map_err(|error| error.to_string())?;
    let stream: Box<dyn Read> = if head.starts_with(&[0x1f, 0x8b]) {
        Box::new(flate2::read::MultiGzDecoder::new(stream))
    } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        Box::new(zstd::Decoder::new(stream).map_err(|error| error.to_string())?)
    } else {
        stream
    };
    let (head, stream) = peek(stream).map_err(|error| broken_off(&error))?;
    let stream = Bounded::new(stream);
    let name = path.to_string_lossy();
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    let is_jsonl = [".jsonl", ".ndjson"].iter().any(|it| name.ends_with(it));
    match head.trim_ascii_start() {
        text if text.starts_with(b"PAR1") => {
            Err("Parquet is not read here: write the labels as CSV or JSON Lines".to_owned())
        }
        text if text.starts_with(b"{") || text.is_empty() && is_jsonl => {
            Ok(Box::new(JsonLines::open(stream)?))
        }
        [] => Err("the file is empty: CSV of labels begins with a line of columns".to_owned()),
        _ => Ok(Box::new(Csv::open(stream)?)),
    }
}

/// The first bytes of a stream, and the stream with them.
fn peek(mut stream: Box<dyn Read>) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut head = Vec::new();
    stream.by_ref().take(64).read_to_end(&mut head)?;
    let whole = Cursor::new(head.clone()).chain(stream);
    Ok((head, Box::new(whole)))
}

/// Bytes that one row may take: the largest boards take a hundredth of it.
const MAX_ROW: u64 = 16 << 20;

/// A stream that ends a row without an end, and remembers its last byte.
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

/// What to say of a file that ends too early.
const CUT_OFF: &str = "the file is cut off: write the labels again, or fetch the whole file";

fn broken_off(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        CUT_OFF.to_owned()
    } else {
        error.to_string()
    }
}

/// Whether the columns are those of labels; what is wrong where they are not.
fn check(has: impl Fn(&str) -> bool) -> Result<(), String> {
    if !has("origin") || !has("status") {
        return Err(
            "this is no file of labels, as it has no columns origin and status: \
             give rows that kifu label wrote as CSV or JSON Lines"
                .to_owned(),
        );
    }
    let missing: Vec<&str> = FIELDS
        .iter()
        .filter(|(field, name)| !EXTRA.contains(field) && !has(name))
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

/// Rows as CSV.
struct Csv {
    reader: csv::Reader<Bounded>,
    record: csv::ByteRecord,
    /// Where in the file each column is.
    places: [Option<usize>; FIELDS.len()],
    count: u64,
}

impl Csv {
    fn open(stream: Bounded) -> Result<Self, String> {
        let mut reader = csv::Reader::from_reader(stream);
        let header = reader
            .byte_headers()
            .map_err(|error| csv_fault(&error, 0))?;
        let place = |name: &str| header.iter().position(|column| column == name.as_bytes());
        check(|name| place(name).is_some())?;
        let mut places = [None; FIELDS.len()];
        for (slot, (_, name)) in places.iter_mut().zip(FIELDS) {
            *slot = place(name);
        }
        Ok(Self {
            reader,
            record: csv::ByteRecord::new(),
            places,
            count: 0,
        })
    }
}

impl Table for Csv {
    fn has(&self, field: Field) -> bool {
        self.places.get(field as usize).copied().flatten().is_some()
    }

    fn next(&mut self, row: &mut Row) -> Result<bool, String> {
        self.count += 1;
        self.reader.get_ref().next_row();
        let read = self.reader.read_byte_record(&mut self.record);
        let whole = self.reader.get_ref().is_whole();
        match read {
            Ok(true) => {}
            Ok(false) if whole => return Ok(false),
            Ok(false) => return Err(CUT_OFF.to_owned()),
            Err(error) => {
                let row = self.count;
                let fault = csv_fault(&error, row);
                // A last row that is short, and without its end, was cut off.
                let last = matches!(self.reader.read_byte_record(&mut self.record), Ok(false));
                return Err(if last && !self.reader.get_ref().is_whole() {
                    format!("row {row}: {CUT_OFF}")
                } else {
                    fault
                });
            }
        }
        for ((field, _), place) in FIELDS.iter().zip(self.places) {
            let bytes = place.and_then(|place| self.record.get(place));
            row.set(*field, &String::from_utf8_lossy(bytes.unwrap_or_default()));
        }
        Ok(true)
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

/// Rows as JSON Lines.
struct JsonLines {
    reader: BufReader<Bounded>,
    line: Vec<u8>,
    /// The first row, which was read to see what it has.
    first: Option<Row>,
    has: [bool; FIELDS.len()],
    count: u64,
}

impl JsonLines {
    fn open(stream: Bounded) -> Result<Self, String> {
        let mut table = Self {
            reader: BufReader::with_capacity(1 << 16, stream),
            line: Vec::new(),
            first: None,
            has: [false; FIELDS.len()],
            count: 0,
        };
        let mut row = Row::default();
        if table.read(&mut row)? {
            let has = |name: &str| {
                let place = FIELDS.iter().position(|(_, known)| *known == name);
                place.is_some_and(|place| table.has.get(place).copied().unwrap_or_default())
            };
            check(has)?;
            table.first = Some(row);
        }
        Ok(table)
    }

    fn read(&mut self, row: &mut Row) -> Result<bool, String> {
        loop {
            self.line.clear();
            self.reader.get_ref().next_row();
            let read = self.reader.read_until(b'\n', &mut self.line);
            if read.map_err(|error| broken_off(&error))? == 0 {
                return Ok(false);
            }
            self.count += 1;
            if self.line.last() != Some(&b'\n') {
                return Err(format!("line {}: {CUT_OFF}", self.count));
            }
            if !self.line.trim_ascii().is_empty() {
                break;
            }
        }
        row.clear();
        let text = String::from_utf8_lossy(&self.line);
        let mut reader = serde_json::Deserializer::from_str(&text);
        let keys = Keys {
            row,
            has: &mut self.has,
        };
        let parsed = reader.deserialize_map(keys).and_then(|()| reader.end());
        parsed.map_err(|error| {
            format!(
                "line {} is no row of labels: {error}; give rows that kifu label wrote",
                self.count
            )
        })?;
        Ok(true)
    }
}

impl Table for JsonLines {
    fn has(&self, field: Field) -> bool {
        self.has.get(field as usize).copied().unwrap_or_default()
    }

    fn next(&mut self, row: &mut Row) -> Result<bool, String> {
        if let Some(first) = self.first.take() {
            *row = first;
            return Ok(true);
        }
        self.read(row)
    }
}

/// Fills a row from the keys of an object.
struct Keys<'r> {
    row: &'r mut Row,
    has: &'r mut [bool; FIELDS.len()],
}

impl<'de> Visitor<'de> for Keys<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            let place = FIELDS.iter().position(|(_, name)| *name == key);
            let value = place.and_then(|place| self.row.values.get_mut(place));
            match (value, place.and_then(|place| self.has.get_mut(place))) {
                (Some(value), Some(has)) => {
                    *has = true;
                    value.clear();
                    map.next_value_seed(AsText(value))?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// Appends a value as CSV writes it: a list with blanks between.
struct AsText<'r>(&'r mut String);

impl<'de> DeserializeSeed<'de> for AsText<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AsText<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, a list of numbers or null")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.0.push_str(if value { "1" } else { "0" });
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.0.push_str(&value.to_string());
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.0.push_str(&value.to_string());
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.0.push_str(&value.to_string());
        Ok(())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.0.push_str(value);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(cell) = list.next_element::<i8>()? {
            if !self.0.is_empty() {
                self.0.push(' ');
            }
            self.0.push_str(match cell {
                1 => "1",
                -1 => "-1",
                0 => "0",
                _ => return Err(de::Error::custom("a cell of a board is 1, 0 or -1")),
            });
        }
        Ok(())
    }
}
