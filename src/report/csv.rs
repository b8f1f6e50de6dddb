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
        rows.end();
        rows.take()
    }

    fn encoder(&self, schema: &Schema) -> Box<dyn Encoder> {
        Box::new(Rows::new(schema))
    }
}

/// CSV rows in memory. Writing to memory cannot fail, so results are dropped.
struct Rows {
    schema: Schema,
    writer: csv::Writer<Vec<u8>>,
    number: Vec<u8>,
}

impl Rows {
    fn new(schema: &Schema) -> Self {
        Self {
            schema: schema.clone(),
            writer: csv::Writer::from_writer(Vec::new()),
            number: Vec::new(),
        }
    }

    fn end(&mut self) {
        let _ = self.writer.write_record(None::<&[u8]>);
    }

    fn field(&mut self, field: &[u8]) {
        let _ = self.writer.write_field(field);
    }

    fn number(&mut self, number: impl std::fmt::Display) {
        self.number.clear();
        let _ = write!(self.number, "{number}");
        let _ = self.writer.write_field(&self.number);
    }
}

impl Encoder for Rows {
    fn row(&mut self, label: &Label<'_>) {
        for index in 0..self.schema.columns.len() {
            match (self.schema.columns[index].get)(label) {
                Value::Empty => self.field(b""),
                Value::Text(text) => self.field(text.as_bytes()),
                Value::Integer(number) => self.number(number),
                Value::Points(points) => self.number(points),
                Value::Real(real) => self.number(format_args!("{real:.3}")),
                Value::Hash(hash) => self.number(format_args!("{hash:032x}")),
                Value::ShortHash(hash) => self.number(format_args!("{hash:016x}")),
                Value::Cells(cells) => self.number(Spaced(cells)),
            }
        }
        self.end();
    }

    fn take(&mut self) -> Vec<u8> {
        let full = std::mem::replace(&mut self.writer, csv::Writer::from_writer(Vec::new()));
        full.into_inner().unwrap_or_default()
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
