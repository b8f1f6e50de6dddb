//! Rows by column, read again: values come out as CSV has them.
//!
//! Only chosen columns are decoded, a batch at a time. What a file says of itself
//! is not believed: lengths are held against limits before memory is taken, and a
//! panic of the crates that decode is an error like any other.

mod files;
mod parquet;
mod stream;

use std::{
    any::Any,
    fmt::Write,
    fs::File,
    io::{self, Read},
    panic::{AssertUnwindSafe, catch_unwind},
};

use arrow_array::{
    Array, RecordBatch,
    cast::AsArray,
    types::{Float32Type, Float64Type, Int8Type, Int32Type, Int64Type},
};
use arrow_schema::{DataType, Schema};

pub use files::{Batch, Content, Files};

use self::parquet::Parquet;
use super::CUT_OFF;
use crate::label::{SCHEMA_KEY, SCHEMA_VERSION};
use stream::{Form, Stream};

/// A value of CSV that typed rows have in two columns.
const BOARD: &str = "board";

/// The one of them that goes first, where it says something.
const BOARD_TEXT: &str = "board_fen";

/// Bytes of a value of fixed length, at most: hashes have 16.
const MAX_WIDTH: i32 = 64;

/// Where batches come from.
trait Batches {
    /// The columns of the file.
    fn schema(&self) -> &Schema;

    /// What the file says about its run under a key.
    fn about(&self, key: &str) -> Option<&str>;

    /// Chooses the columns of batches, by their places, in order.
    fn choose(&mut self, places: &[usize]) -> Result<(), String>;

    /// The next batch, with these columns; none at the end.
    fn next(&mut self) -> Result<Option<RecordBatch>, String>;
}

/// Rows by column, at one of them.
pub(super) struct Table {
    batches: Box<dyn Batches>,
    /// Where each wanted value stands in a batch: the first that there is.
    wanted: Vec<Vec<usize>>,
    is_chosen: bool,
    batch: Option<RecordBatch>,
    /// The row in the batch.
    row: usize,
    has_ended: bool,
}

impl Table {
    /// The rows of a file of Parquet.
    pub(super) fn parquet(file: File) -> Result<Self, String> {
        Self::of(Box::new(Parquet::open(file)?))
    }

    /// The rows of a stream of Arrow, or of a file, which has one in it.
    pub(super) fn arrow(bytes: Box<dyn Read>, is_file: bool) -> Result<Self, String> {
        let form = if is_file { Form::File } else { Form::Rows };
        let stream = Stream::open(bytes, form).map_err(Fault::of_rows)?;
        Self::of(Box::new(stream))
    }

    fn of(batches: Box<dyn Batches>) -> Result<Self, String> {
        // Other programs that write rows again may drop what they are of.
        if let Some(other) = batches.about(SCHEMA_KEY).filter(|it| *it != SCHEMA_VERSION) {
            return Err(format!(
                "its rows are of {other:?}, and this kifu reads {SCHEMA_VERSION}: label again \
                 with it, or use the kifu that wrote them"
            ));
        }
        Ok(Self {
            batches,
            wanted: Vec::new(),
            is_chosen: false,
            batch: None,
            row: 0,
            has_ended: false,
        })
    }

    /// What the file says about its run under a key.
    pub(super) fn about(&self, key: &str) -> Option<&str> {
        self.batches.about(key)
    }

    /// The columns, as CSV has them.
    pub(super) fn columns(&self) -> Vec<String> {
        let names = self.batches.schema().fields().iter().map(|it| it.name());
        let has_board = names.clone().any(|name| name == BOARD);
        names
            .filter(|name| !(has_board && *name == BOARD_TEXT))
            .cloned()
            .collect()
    }

    /// Chooses values by the names of their columns.
    pub(super) fn choose<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        let fields = self.batches.schema().fields();
        let place = |name: &str| fields.iter().position(|field| field.name() == name);
        self.wanted = names
            .map(|name| match name {
                BOARD => [BOARD_TEXT, BOARD].into_iter().filter_map(place).collect(),
                _ => place(name).into_iter().collect(),
            })
            .collect();
        self.is_chosen = false;
    }

    /// Tells the file of the columns, and finds their places in its batches.
    fn project(&mut self) -> Result<(), String> {
        let mut places: Vec<usize> = self.wanted.iter().flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        // A batch without columns does not say how many rows it has.
        if places.is_empty() {
            places.push(0);
        }
        let fields = self.batches.schema().fields();
        for field in places.iter().filter_map(|place| fields.get(*place)) {
            if !is_known(field.data_type()) {
                return Err(format!(
                    "the column {} holds {}, which no column of labels does: give rows that kifu \
                     label wrote",
                    field.name(),
                    kind(field.data_type())
                ));
            }
        }
        self.batches.choose(&places)?;
        for place in self.wanted.iter_mut().flatten() {
            *place = places.binary_search(place).unwrap_or_default();
        }
        self.is_chosen = true;
        Ok(())
    }

    /// Chooses all columns.
    pub(super) fn choose_all(&mut self) {
        let count = self.batches.schema().fields().len();
        self.wanted = (0..count).map(|place| vec![place]).collect();
        self.is_chosen = false;
    }

    /// The columns, with their types.
    pub(super) fn schema(&self) -> &Schema {
        self.batches.schema()
    }

    /// The batch that this row is in, and its place there.
    pub(super) fn current(&self) -> Option<(&RecordBatch, usize)> {
        self.batch.as_ref().map(|batch| (batch, self.row))
    }

    /// Goes to the next row; `false` where there is none.
    pub(super) fn advance(&mut self) -> Result<bool, String> {
        if !self.is_chosen {
            self.project()?;
        }
        self.row += 1;
        while !self.has_ended {
            if let Some(batch) = &self.batch
                && self.row < batch.num_rows()
            {
                return Ok(true);
            }
            self.row = 0;
            // What failed once is not read on.
            self.has_ended = true;
            self.batch = None;
            self.batch = self.batches.next()?;
            self.has_ended = self.batch.is_none();
        }
        Ok(false)
    }

    /// Appends the value that was chosen in some place.
    pub(super) fn push(&self, place: usize, text: &mut String) {
        let columns = self.batch.as_ref().map(RecordBatch::columns);
        let places = self.wanted.get(place).into_iter().flatten();
        for place in places {
            let column = columns.and_then(|columns| columns.get(*place));
            if let Some(column) = column
                && self.row < column.len()
                && column.is_valid(self.row)
            {
                return push(column, self.row, text);
            }
        }
    }
}

/// Whether values of a type can be written as CSV writes them.
fn is_known(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Binary
        | DataType::Int8
        | DataType::Int32
        | DataType::Int64
        | DataType::Float32
        | DataType::Float64 => true,
        DataType::FixedSizeBinary(width) => (1..=MAX_WIDTH).contains(width),
        DataType::List(element) => element.data_type() == &DataType::Int8,
        _ => false,
    }
}

/// What an unknown type is, in a few words: those of nested ones have no end.
fn kind(kind: &DataType) -> String {
    if kind.is_nested() {
        return "nested values".to_owned();
    }
    match kind {
        DataType::Dictionary(..) => "numbers of a dictionary".to_owned(),
        _ => format!("values of type {kind}"),
    }
}

/// Appends a value that is there, as CSV has it.
fn push(column: &dyn Array, row: usize, text: &mut String) {
    // Writing to a string cannot fail.
    let _ = match column.data_type() {
        DataType::Utf8 => text.write_str(column.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => text.write_str(column.as_string::<i64>().value(row)),
        DataType::Int8 => write!(text, "{}", column.as_primitive::<Int8Type>().value(row)),
        DataType::Int32 => write!(text, "{}", column.as_primitive::<Int32Type>().value(row)),
        DataType::Int64 => write!(text, "{}", column.as_primitive::<Int64Type>().value(row)),
        DataType::Float64 => write!(text, "{}", column.as_primitive::<Float64Type>().value(row)),
        DataType::Float32 => {
            let real = column.as_primitive::<Float32Type>().value(row);
            write!(text, "{real:.3}")
        }
        DataType::Binary => digits(column.as_binary::<i32>().value(row), text),
        DataType::FixedSizeBinary(_) => digits(column.as_fixed_size_binary().value(row), text),
        DataType::List(_) => {
            let cells = column.as_list::<i32>().value(row);
            let cells = cells.as_primitive::<Int8Type>().values();
            cells.iter().enumerate().try_for_each(|(place, cell)| {
                let blank = if place > 0 { " " } else { "" };
                write!(text, "{blank}{cell}")
            })
        }
        // Refused before.
        _ => Ok(()),
    };
}

/// Bytes as lower-case hexadecimal digits.
fn digits(bytes: &[u8], text: &mut String) -> std::fmt::Result {
    bytes.iter().try_for_each(|byte| write!(text, "{byte:02x}"))
}

/// What is wrong with bytes that should hold columns.
enum Fault {
    /// They end too early.
    CutOff,
    /// They cannot be read.
    Unread(io::Error),
    /// They are not what they should be, and how that shows.
    Damaged(String),
    /// They are good, but not read: a sentence.
    Refused(&'static str),
}

impl Fault {
    fn damaged(why: &str) -> Self {
        Self::Damaged(why.to_owned())
    }

    fn of(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::CutOff,
            _ => Self::Unread(error),
        }
    }

    /// What to say of a file of rows.
    fn of_rows(self) -> String {
        match self {
            Self::CutOff => CUT_OFF.to_owned(),
            Self::Unread(error) => error.to_string(),
            Self::Damaged(why) => damaged(&why),
            Self::Refused(sentence) => sentence.to_owned(),
        }
    }
}

/// Decodes something: what fails is damaged, and so is what panics.
fn try_decode<T, E: ToString>(what: impl FnOnce() -> Result<T, E>) -> Result<T, Fault> {
    match catch_unwind(AssertUnwindSafe(what)) {
        Ok(result) => result.map_err(|error| Fault::Damaged(error.to_string())),
        Err(panic) => Err(Fault::Damaged(message(&*panic))),
    }
}

/// Decodes something of a file of rows.
fn decode<T, E: ToString>(what: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    try_decode(what).map_err(Fault::of_rows)
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "it cannot be decoded".to_owned())
}

/// What to say of a file that cannot be decoded: on one line, and short.
fn damaged(why: &str) -> String {
    format!(
        "the file is damaged, or was not written by kifu ({}): write the labels again",
        short(why)
    )
}

fn short(why: &str) -> String {
    let why: String = why.chars().take(200).collect();
    let why: Vec<&str> = why.split_whitespace().collect();
    why.join(" ")
}
