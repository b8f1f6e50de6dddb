//! Rows as CSV: RFC 4180 quoting, UTF-8, `\n` line ends.

use std::io::Write;

use super::{Encoder, Sink};
use crate::label::{Label, Schema, Value};

/// The CSV sink.
pub(super) struct Csv;

impl Sink for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["csv"]
    }

    fn header(&self, schema: &Schema) -> Vec<u8> {
        let mut rows = Rows::new(schema);
        for column in &schema.columns {
            rows.field(column.name.as_bytes());
        }
        let mut out = Vec::new();
        rows.end(&mut out);
        out
    }

    fn encoder(&self, schema: &Schema) -> Box<dyn Encoder> {
        Box::new(Rows::new(schema))
    }
}

/// CSV rows in memory. Writing to memory cannot fail, so results are dropped.
struct Rows {
    schema: Schema,
    /// The row in hand.
    record: csv::ByteRecord,
    number: Vec<u8>,
}

impl Rows {
    fn new(schema: &Schema) -> Self {
        Self {
            schema: schema.clone(),
            record: csv::ByteRecord::new(),
            number: Vec::new(),
        }
    }

    /// Writes the row in hand.
    fn end(&mut self, out: &mut Vec<u8>) {
        let mut writer = csv::WriterBuilder::new()
            .buffer_capacity(1 << 10)
            .from_writer(out);
        let _ = writer.write_byte_record(&self.record);
        let _ = writer.flush();
        self.record.clear();
    }

    fn field(&mut self, field: &[u8]) {
        self.record.push_field(field);
    }

    /// A whole number and what follows it; the formatting machinery of the
    /// standard library is a tenth of the cost of a whole record.
    fn integer(&mut self, negative: bool, mut left: u64, ending: &[u8]) {
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                break;
            }
        }
        self.number.clear();
        if negative {
            self.number.push(b'-');
        }
        self.number.extend_from_slice(&digits[at..]);
        self.number.extend_from_slice(ending);
        self.record.push_field(&self.number);
    }

    /// Bytes as lower-case hexadecimal digits.
    fn hash(&mut self, bytes: &[u8]) {
        self.number.clear();
        for byte in bytes {
            for digit in [byte >> 4, byte & 15] {
                self.number.push(b"0123456789abcdef"[usize::from(digit)]);
            }
        }
        self.record.push_field(&self.number);
    }

    fn number(&mut self, number: impl std::fmt::Display) {
        self.number.clear();
        let _ = write!(self.number, "{number}");
        self.record.push_field(&self.number);
    }
}

impl Encoder for Rows {
    fn row(&mut self, label: &Label<'_>, out: &mut Vec<u8>) {
        for index in 0..self.schema.columns.len() {
            match (self.schema.columns[index].get)(label) {
                Value::Empty => self.field(b""),
                Value::Text(text) => self.field(text.as_bytes()),
                Value::Integer(number) => self.integer(number < 0, number.unsigned_abs(), b""),
                Value::Points(points) => {
                    let quarters = points.in_quarters();
                    let fraction: [&[u8]; 4] = [b"", b".25", b".5", b".75"];
                    let size = quarters.unsigned_abs();
                    let ending = fraction[size as usize % 4];
                    self.integer(quarters < 0, u64::from(size / 4), ending);
                }
                Value::Real(real) => self.number(format_args!("{real:.3}")),
                Value::Hash(hash) => self.hash(&hash.to_be_bytes()),
                Value::ShortHash(hash) => self.hash(&hash.to_be_bytes()),
                Value::Cells(cells) => self.number(Spaced(cells)),
            }
        }
        self.end(out);
    }
}

/// Cells of a board, separated by blanks.
struct Spaced<'a>(&'a [i8]);

impl std::fmt::Display for Spaced<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, cell) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{cell}")?;
        }
        Ok(())
    }
}
