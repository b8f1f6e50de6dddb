//! Rows of files by column as workers hand rows on: what is written of them again is
//! what one run writes.

use std::io;

use arrow_array::{
    Array, RecordBatch,
    cast::AsArray,
    types::{Float32Type, Float64Type, Int8Type, Int32Type, Int64Type},
};
use arrow_schema::{DataType, Fields};

use super::{rows::sized, table};
use crate::label::{BOARD_COLUMNS, COLUMNS, Column, EXTRA_COLUMNS, Schema};

/// The columns of a file, where all are such as this version of kifu writes.
///
/// # Errors
/// One sentence without its name, about a column of another name or type.
pub fn typed_schema(found: &Fields) -> Result<Schema, String> {
    let mut columns: Vec<&'static Column> = Vec::with_capacity(found.len());
    for field in found {
        let name = field.name();
        // What text outputs call `board` are two columns here.
        let known = BOARD_COLUMNS.iter().chain(COLUMNS);
        let mut known = known.chain(EXTRA_COLUMNS.iter().flat_map(|(_, columns)| *columns));
        let column = known.find(|column| column.name == name);
        let wanted = column.map(table::field);
        let is_same = wanted.is_some_and(|wanted| {
            wanted.data_type() == field.data_type() && wanted.is_nullable() == field.is_nullable()
        });
        match column {
            Some(column) if is_same && !columns.iter().any(|have| have.name == name) => {
                columns.push(column);
            }
            _ => {
                let name: String = name.chars().take(80).collect();
                return Err(format!(
                    "the column {name:?} is none of this version of kifu, or has another type: \
                     give rows that kifu label wrote"
                ));
            }
        }
    }
    match columns.first() {
        Some(column) if column.name == "origin" => Ok(Schema { columns }),
        _ => Err("it does not begin with a column origin: give rows that kifu label wrote".into()),
    }
}

/// Appends a row of a batch, all columns of which [`typed_schema`] knows.
///
/// # Errors
/// Where a value is none that kifu writes.
pub fn encode(batch: &RecordBatch, row: usize, out: &mut Vec<u8>) -> io::Result<()> {
    if row >= batch.num_rows() {
        return Err(wrong("a row is missing"));
    }
    let bits = out.len();
    out.resize(bits + batch.num_columns().div_ceil(8), 0);
    for (index, column) in batch.columns().iter().enumerate() {
        if column.is_null(row) {
            continue;
        }
        value(column, row, out)?;
        out[bits + index / 8] |= 1 << (index % 8);
    }
    Ok(())
}

/// Appends a value that is there.
fn value(column: &dyn Array, row: usize, out: &mut Vec<u8>) -> io::Result<()> {
    let integer = |number: i64, out: &mut Vec<u8>| out.extend_from_slice(&number.to_le_bytes());
    match column.data_type() {
        DataType::Utf8 => sized(column.as_string::<i32>().value(row).bytes(), out),
        DataType::Int8 => integer(column.as_primitive::<Int8Type>().value(row).into(), out),
        DataType::Int32 => integer(column.as_primitive::<Int32Type>().value(row).into(), out),
        DataType::Int64 => integer(column.as_primitive::<Int64Type>().value(row), out),
        DataType::Float64 => {
            let quarters = column.as_primitive::<Float64Type>().value(row) * 4.0;
            let whole = quarters as i32;
            if f64::from(whole) != quarters {
                return Err(wrong("points are no quarters"));
            }
            out.extend_from_slice(&whole.to_le_bytes());
        }
        DataType::Float32 => {
            let real = column.as_primitive::<Float32Type>().value(row);
            out.extend_from_slice(&real.to_le_bytes());
        }
        DataType::FixedSizeBinary(_) => {
            out.extend_from_slice(column.as_fixed_size_binary().value(row));
        }
        DataType::List(_) => {
            let cells = column.as_list::<i32>().value(row);
            let cells = cells.as_primitive::<Int8Type>().values();
            sized(cells.iter().map(|cell| cell.cast_unsigned()), out);
        }
        _ => return Err(wrong("a column has an unknown type")),
    }
    Ok(())
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("{what}: the file was not written by kifu, or is damaged"),
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{Float64Array, StringArray};
    use arrow_schema::Field;

    use super::*;

    #[test]
    fn columns_of_others_are_refused() {
        let typed = Schema::new(&["board".to_owned(), "meta".to_owned()]).unwrap();
        let typed = typed.typed();
        let fields: Vec<Field> = typed.columns.iter().map(|it| table::field(it)).collect();
        let same = typed_schema(&Fields::from(fields.clone())).unwrap();
        let names =
            |schema: &Schema| -> Vec<_> { schema.columns.iter().map(|it| it.name).collect() };
        assert_eq!(names(&same), names(&typed));
        let last = fields.len() - 1;
        let renamed = fields[last].clone().with_name("other");
        let retyped = fields[last].clone().with_data_type(DataType::Int8);
        let required = fields[last].clone().with_nullable(false);
        for (place, field, said) in [
            (last, renamed, "other"),
            (last, retyped, fields[last].name()),
            (last, required, fields[last].name()),
            (last, fields[3].clone(), fields[3].name()),
            (0, fields[1].clone(), "offset"),
        ] {
            let mut fields = fields.clone();
            fields[place] = field;
            let refused = typed_schema(&Fields::from(fields)).err().unwrap();
            assert!(refused.contains(said), "{said}: {refused}");
        }
        assert!(typed_schema(&Fields::empty()).is_err());
    }

    #[test]
    fn points_are_quarters() {
        let batch = |points: f64| {
            let points = Float64Array::from(vec![points]);
            let text = StringArray::from(vec!["a.sgf"]);
            RecordBatch::try_from_iter([
                ("origin", Arc::new(text) as Arc<dyn Array>),
                ("komi", Arc::new(points)),
            ])
        };
        let encoded = |points| {
            let mut out = Vec::new();
            encode(&batch(points).unwrap(), 0, &mut out).map(|()| out)
        };
        assert_eq!(
            encoded(-3.75).unwrap(),
            [&[3, 5][..], b"a.sgf", &(-15_i32).to_le_bytes()].concat()
        );
        for points in [0.1, f64::NAN, f64::INFINITY, 1e12] {
            assert!(encoded(points).is_err(), "{points}");
        }
    }
}
