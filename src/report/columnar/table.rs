//! Rows gathered by column, until there are enough for a batch of Arrow.

use std::{io, sync::Arc};

use arrow_array::{
    ArrayRef, FixedSizeBinaryArray, Float32Array, Float64Array, Int8Array, Int32Array, Int64Array,
    ListArray, RecordBatch, StringArray,
};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, SchemaRef};

use super::rows::Reader;
use crate::label::{Column, Kind};

/// Rows of a batch.
const ROWS: usize = 4096;

/// A batch also ends when its rows take this many bytes.
const BYTES: usize = 1 << 20;

/// The field of a column.
pub(super) fn field(column: &Column) -> Field {
    let kind = match column.kind {
        // A board stands in no typed schema.
        Kind::Text | Kind::Board => DataType::Utf8,
        Kind::Integer(from, to) if fits::<i8>(from, to) => DataType::Int8,
        Kind::Integer(from, to) if fits::<i32>(from, to) => DataType::Int32,
        Kind::Integer(..) => DataType::Int64,
        Kind::Points => DataType::Float64,
        Kind::Real => DataType::Float32,
        Kind::Hash(width) => DataType::FixedSizeBinary(width.into()),
        Kind::Cells(_) => DataType::List(element()),
    };
    Field::new(column.name, kind, column.is_nullable())
}

fn fits<T: TryFrom<i64>>(from: i64, to: i64) -> bool {
    T::try_from(from).is_ok() && T::try_from(to).is_ok()
}

fn element() -> FieldRef {
    Arc::new(Field::new("element", DataType::Int8, false))
}

/// The rows of a batch in the making.
pub(super) struct Table {
    schema: SchemaRef,
    columns: Vec<Values>,
    rows: usize,
    bytes: usize,
}

impl Table {
    pub(super) fn new(schema: SchemaRef) -> Self {
        let columns = schema.fields().iter();
        Self {
            columns: columns.map(|field| Values::of(field.data_type())).collect(),
            schema,
            rows: 0,
            bytes: 0,
        }
    }

    /// Adds a row; whether that makes the batch full.
    pub(super) fn add(&mut self, reader: &mut Reader<'_>) -> io::Result<bool> {
        let before = reader.left();
        let bits = reader.take(self.columns.len().div_ceil(8))?;
        for (index, values) in self.columns.iter_mut().enumerate() {
            if bits[index / 8] >> (index % 8) & 1 == 1 {
                values.add(reader)?;
            } else {
                values.skip();
            }
        }
        self.rows += 1;
        self.bytes += before - reader.left();
        Ok(self.rows >= ROWS || self.bytes >= BYTES)
    }

    /// The batch, if it has rows, and the bytes these took.
    pub(super) fn take(&mut self) -> Result<Option<(RecordBatch, usize)>, ArrowError> {
        if self.rows == 0 {
            return Ok(None);
        }
        self.rows = 0;
        let columns = self.columns.iter_mut().map(Values::take);
        let columns = columns.collect::<Result<_, _>>()?;
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)?;
        Ok(Some((batch, std::mem::take(&mut self.bytes))))
    }
}

/// The values of one column.
struct Values {
    cells: Cells,
    valid: NullBufferBuilder,
}

/// Those of one type; where there is nothing to say stands a zero.
enum Cells {
    Text(Vec<i32>, Vec<u8>),
    Int8(Vec<i8>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Float64(Vec<f64>),
    Float32(Vec<f32>),
    Fixed(usize, Vec<u8>),
    List(Vec<i32>, Vec<i8>),
}

impl Values {
    fn of(kind: &DataType) -> Self {
        let cells = match kind {
            DataType::Int8 => Cells::Int8(Vec::new()),
            DataType::Int32 => Cells::Int32(Vec::new()),
            DataType::Int64 => Cells::Int64(Vec::new()),
            DataType::Float64 => Cells::Float64(Vec::new()),
            DataType::Float32 => Cells::Float32(Vec::new()),
            DataType::FixedSizeBinary(width) => {
                Cells::Fixed(width.unsigned_abs() as usize, Vec::new())
            }
            DataType::List(_) => Cells::List(vec![0], Vec::new()),
            _ => Cells::Text(vec![0], Vec::new()),
        };
        Self {
            cells,
            valid: NullBufferBuilder::new(ROWS),
        }
    }

    fn add(&mut self, reader: &mut Reader<'_>) -> io::Result<()> {
        match &mut self.cells {
            Cells::Text(ends, bytes) => {
                bytes.extend_from_slice(reader.sized()?);
                ends.push(end(bytes.len())?);
            }
            // Within the range of the column.
            Cells::Int8(cells) => cells.push(i64::from_le_bytes(reader.array()?) as i8),
            Cells::Int32(cells) => cells.push(i64::from_le_bytes(reader.array()?) as i32),
            Cells::Int64(cells) => cells.push(i64::from_le_bytes(reader.array()?)),
            Cells::Float64(cells) => {
                let quarters = i32::from_le_bytes(reader.array()?);
                cells.push(f64::from(quarters) / 4.0);
            }
            Cells::Float32(cells) => cells.push(f32::from_le_bytes(reader.array()?)),
            Cells::Fixed(width, bytes) => bytes.extend_from_slice(reader.take(*width)?),
            Cells::List(ends, cells) => {
                let found = reader.sized()?;
                cells.extend(found.iter().map(|cell| cell.cast_signed()));
                ends.push(end(cells.len())?);
            }
        }
        self.valid.append_non_null();
        Ok(())
    }

    fn skip(&mut self) {
        match &mut self.cells {
            Cells::Text(ends, _) | Cells::List(ends, _) => {
                ends.push(ends.last().copied().unwrap_or_default());
            }
            Cells::Int8(cells) => cells.push(0),
            Cells::Int32(cells) => cells.push(0),
            Cells::Int64(cells) => cells.push(0),
            Cells::Float64(cells) => cells.push(0.0),
            Cells::Float32(cells) => cells.push(0.0),
            Cells::Fixed(width, bytes) => bytes.resize(bytes.len() + *width, 0),
        }
        self.valid.append_null();
    }

    fn take(&mut self) -> Result<ArrayRef, ArrowError> {
        let valid = self.valid.finish();
        Ok(match &mut self.cells {
            Cells::Text(ends, bytes) => {
                let (ends, bytes) = (ends_of(ends), Buffer::from(fresh(bytes)));
                Arc::new(StringArray::try_new(ends, bytes, valid)?)
            }
            Cells::Int8(cells) => Arc::new(Int8Array::try_new(fresh(cells).into(), valid)?),
            Cells::Int32(cells) => Arc::new(Int32Array::try_new(fresh(cells).into(), valid)?),
            Cells::Int64(cells) => Arc::new(Int64Array::try_new(fresh(cells).into(), valid)?),
            Cells::Float64(cells) => Arc::new(Float64Array::try_new(fresh(cells).into(), valid)?),
            Cells::Float32(cells) => Arc::new(Float32Array::try_new(fresh(cells).into(), valid)?),
            Cells::Fixed(width, bytes) => {
                let bytes = Buffer::from(fresh(bytes));
                Arc::new(FixedSizeBinaryArray::try_new(*width as i32, bytes, valid)?)
            }
            Cells::List(ends, cells) => {
                let cells = Arc::new(Int8Array::try_new(fresh(cells).into(), None)?);
                Arc::new(ListArray::try_new(element(), ends_of(ends), cells, valid)?)
            }
        })
    }
}

/// The items so far; the next batch will be about as long.
fn fresh<T>(items: &mut Vec<T>) -> Vec<T> {
    let next = Vec::with_capacity(items.len());
    std::mem::replace(items, next)
}

fn ends_of(ends: &mut Vec<i32>) -> OffsetBuffer<i32> {
    let found = fresh(ends);
    ends.push(0);
    OffsetBuffer::new(ScalarBuffer::from(found))
}

fn end(length: usize) -> io::Result<i32> {
    let message = "the texts of a batch have more than 2 GB: use csv or jsonl";
    i32::try_from(length).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, message))
}
