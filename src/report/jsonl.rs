//! Rows as JSON Lines: one object a row, keys as the columns, null for empty.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Encoder, Sink};
use crate::label::{Column, Label, Schema, Value};

/// The JSON Lines sink.
pub(super) struct JsonLines;

impl Sink for JsonLines {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["jsonl", "ndjson"]
    }

    fn encoder(&self, schema: &Schema) -> Box<dyn Encoder> {
        Box::new(Lines {
            schema: schema.clone(),
        })
    }
}

struct Lines {
    schema: Schema,
}

impl Encoder for Lines {
    fn row(&mut self, label: &Label<'_>, out: &mut Vec<u8>) {
        let row = Row {
            schema: &self.schema,
            label,
        };
        // Writing to memory cannot fail.
        let _ = serde_json::to_writer(&mut *out, &row);
        out.push(b'\n');
    }
}

/// A row as a JSON object, in the order of the columns.
struct Row<'a> {
    schema: &'a Schema,
    label: &'a Label<'a>,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.schema.columns.len()))?;
        for column in &self.schema.columns {
            entry(&mut map, column, self.label)?;
        }
        map.end()
    }
}

/// Adds a column of a row to its object.
pub(super) fn entry<M: SerializeMap>(
    map: &mut M,
    column: &Column,
    label: &Label<'_>,
) -> Result<(), M::Error> {
    let key = column.name;
    match (column.get)(label) {
        Value::Empty => map.serialize_entry(key, &()),
        Value::Text(text) => map.serialize_entry(key, &text),
        Value::Integer(number) => map.serialize_entry(key, &number),
        Value::Points(points) if points.is_whole() => {
            map.serialize_entry(key, &(points.in_quarters() / 4))
        }
        Value::Points(points) => map.serialize_entry(key, &(f64::from(points.in_quarters()) / 4.0)),
        Value::Real(real) => {
            let rounded = (f64::from(real) * 1000.0).round() / 1000.0;
            map.serialize_entry(key, &rounded)
        }
        Value::Hash(hash) => map.serialize_entry(key, &format!("{hash:032x}")),
        Value::ShortHash(hash) => map.serialize_entry(key, &format!("{hash:016x}")),
        Value::Cells(cells) => map.serialize_entry(key, cells),
    }
}
