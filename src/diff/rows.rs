//! Files of rows, as `kifu label` writes them: CSV or JSON Lines, perhaps
//! compressed. What they are is told by their bytes, not by their names.

use std::{
    cell::Cell,
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read},
    path::Path,
    rc::Rc,
};

use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

/// The longest row, in bytes.
const MAX_ROW: usize = 64 << 20;

/// Longer values, in bytes, are compared and shown by their hash.
const MAX_VALUE: usize = 512;

/// The rows of one file.
pub struct Rows {
    name: String,
    /// Columns, where the file names any.
    columns: Option<Vec<String>>,
    source: Source,
    /// Columns that are asked for, and where CSV has them.
    wanted: Vec<(String, usize)>,
    left: Rc<Cell<usize>>,
    /// Rows read.
    row: u64,
}

enum Source {
    Csv {
        reader: csv::Reader<Limited>,
        record: csv::StringRecord,
    },
    Lines {
        reader: BufReader<Limited>,
        object: Map<String, Value>,
        /// Whether the object is the first row, read for its columns.
        is_first: bool,
        line: Vec<u8>,
    },
}

/// Bytes, as many as a row may have.
struct Limited {
    inner: Box<dyn Read>,
    left: Rc<Cell<usize>>,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            return Err(io::Error::other(format!(
                "a row is longer than {MAX_ROW} bytes; is a quotation mark missing?"
            )));
        }
        let room = buffer.len().min(self.left.get());
        let count = self
            .inner
            .read(buffer.get_mut(..room).unwrap_or_default())?;
        self.left.set(self.left.get() - count);
        Ok(count)
    }
}

impl Rows {
    /// Opens a file of rows; `-` is standard input.
    ///
    /// # Errors
    /// One sentence: a file that cannot be read, or holds no rows of kifu.
    pub fn open(path: &Path) -> Result<Self, String> {
        let (name, bytes): (_, Box<dyn Read>) = if path.as_os_str() == "-" {
            ("standard input".to_owned(), Box::new(io::stdin().lock()))
        } else {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| format!("cannot read {name}: {error}"))?;
            (name, Box::new(file))
        };
        Self::read(name, bytes)
    }

    /// The rows in some bytes, under a name for messages.
    ///
    /// # Errors
    /// As [`Rows::open`].
    pub fn read(name: String, bytes: Box<dyn Read>) -> Result<Self, String> {
        let about = |error: io::Error| format!("cannot read {name}: {error}");
        let (head, bytes) = peek(bytes).map_err(about)?;
        let bytes: Box<dyn Read> = match head[..] {
            [0x1f, 0x8b, ..] => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
            [0x28, 0xb5, 0x2f, 0xfd] => Box::new(zstd::Decoder::new(bytes).map_err(about)?),
            _ => bytes,
        };
        let (head, bytes) = peek(bytes).map_err(about)?;
        if head == b"PAR1" {
            return Err(format!(
                "{name} is Parquet, which cannot be compared yet: label to CSV or JSON Lines"
            ));
        }
        let left = Rc::new(Cell::new(MAX_ROW));
        let limited = Limited {
            inner: bytes,
            left: Rc::clone(&left),
        };
        let is_json = head.first() == Some(&b'{');
        let mut rows = Self {
            source: if is_json || head.is_empty() {
                Source::Lines {
                    reader: BufReader::with_capacity(1 << 16, limited),
                    object: Map::new(),
                    is_first: false,
                    line: Vec::new(),
                }
            } else {
                Source::Csv {
                    reader: csv::Reader::from_reader(limited),
                    record: csv::StringRecord::new(),
                }
            },
            name,
            columns: None,
            wanted: Vec::new(),
            left,
            row: 0,
        };
        rows.find_columns()?;
        Ok(rows)
    }

    fn find_columns(&mut self) -> Result<(), String> {
        if let Source::Csv { reader, .. } = &mut self.source {
            let header = reader.headers();
            let header = header.map_err(|error| format!("cannot read {}: {error}", self.name))?;
            self.columns = Some(header.iter().map(str::to_owned).collect());
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

    /// Its columns; none in JSON Lines without a row.
    #[must_use]
    pub fn columns(&self) -> Option<&[String]> {
        self.columns.as_deref()
    }

    /// Goes to the next row; `false` where there is none.
    ///
    /// # Errors
    /// One sentence: bytes that cannot be read, or a row that is none.
    pub(super) fn advance(&mut self) -> Result<bool, String> {
        self.left.set(MAX_ROW);
        self.row += 1;
        let name = &self.name;
        match &mut self.source {
            Source::Csv { reader, record } => reader
                .read_record(record)
                .map_err(|error| format!("cannot read {name}: {error}; is it whole?")),
            Source::Lines { is_first, .. } if *is_first => {
                *is_first = false;
                self.row -= 1;
                Ok(true)
            }
            Source::Lines {
                reader,
                object,
                line,
                ..
            } => {
                line.clear();
                let read = reader.read_until(b'\n', line);
                if read.map_err(|error| format!("cannot read {name}: {error}"))? == 0 {
                    return Ok(false);
                }
                *object = serde_json::from_slice(line).map_err(|error| {
                    let row = self.row;
                    format!("cannot read {name}: line {row} is no row: {error}; is it whole?")
                })?;
                let columns = self.columns.iter().flatten();
                let missing = columns.clone().find(|name| !object.contains_key(*name));
                match missing {
                    Some(column) => Err(format!(
                        "cannot read {name}: line {} has no column {column}, as others have",
                        self.row
                    )),
                    None => Ok(true),
                }
            }
        }
    }

    /// Chooses the columns that are read.
    pub(super) fn choose<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        let columns = self.columns.as_deref().unwrap_or_default();
        let place = |name: &str| columns.iter().position(|column| column == name);
        self.wanted = names
            .map(|name| (name.to_owned(), place(name).unwrap_or(usize::MAX)))
            .collect();
    }

    /// The chosen values of this row, one after the other, and where each ends:
    /// as CSV has them, of long ones their hash.
    pub(super) fn values(&self) -> (Box<str>, Box<[u32]>) {
        let mut text = String::with_capacity(512);
        let ends = self.wanted.iter().map(|(name, place)| {
            let start = text.len();
            match &self.source {
                Source::Csv { record, .. } => {
                    text.push_str(record.get(*place).unwrap_or_default());
                }
                Source::Lines { object, .. } => push_json(object.get(name), &mut text),
            }
            let value = text.get(start..).unwrap_or_default();
            if value.len() > MAX_VALUE {
                let hash = format!("xxh3:{:016x}", xxh3_64(value.as_bytes()));
                text.truncate(start);
                text.push_str(&hash);
            }
            text.len() as u32
        });
        let ends = ends.collect();
        (text.into(), ends)
    }
}

/// The first four bytes, or as many as there are, and all of them.
fn peek(mut bytes: Box<dyn Read>) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut head = Vec::new();
    bytes.by_ref().take(4).read_to_end(&mut head)?;
    let whole = Box::new(Cursor::new(head.clone()).chain(bytes));
    Ok((head, whole))
}

/// Lists are parted by blanks, as in CSV.
fn push_json(value: Option<&Value>, text: &mut String) {
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
