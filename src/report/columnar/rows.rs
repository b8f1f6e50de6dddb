//! Rows as workers hand them on: a bit for each column that has a value, then
//! these values one after another. Nothing outside of a run ever sees them.

use std::io;

use crate::{
    label::{Column, Kind, Label, Schema, Value},
    report::Encoder,
};

/// Lengths below this are one byte.
const LONG: u8 = 255;

/// Encodes rows.
pub(super) struct Rows {
    columns: Vec<&'static Column>,
}

impl Rows {
    /// For the columns of a typed schema.
    pub(super) fn new(schema: &Schema) -> Self {
        Self {
            columns: schema.columns.clone(),
        }
    }
}

impl Encoder for Rows {
    fn row(&mut self, label: &Label<'_>, out: &mut Vec<u8>) {
        let bits = out.len();
        out.resize(bits + self.columns.len().div_ceil(8), 0);
        for (index, column) in self.columns.iter().enumerate() {
            match ((column.get)(label), column.kind) {
                (Value::Text(text), Kind::Text) => sized(text.as_bytes().iter().copied(), out),
                (Value::Integer(number), Kind::Integer(..)) => {
                    out.extend_from_slice(&number.to_le_bytes());
                }
                (Value::Points(points), Kind::Points) => {
                    out.extend_from_slice(&points.in_quarters().to_le_bytes());
                }
                (Value::Real(real), Kind::Real) => {
                    out.extend_from_slice(&in_thousandths(real).to_le_bytes());
                }
                (Value::Hash(hash), Kind::Hash(16)) => out.extend_from_slice(&hash.to_be_bytes()),
                (Value::ShortHash(hash), Kind::Hash(8)) => {
                    out.extend_from_slice(&hash.to_be_bytes());
                }
                (Value::Cells(cells), Kind::Cells(_)) => {
                    sized(cells.iter().map(|cell| cell.cast_unsigned()), out);
                }
                (value, _) => {
                    debug_assert_eq!(value, Value::Empty, "of {}", column.name);
                    continue;
                }
            }
            out[bits + index / 8] |= 1 << (index % 8);
        }
    }
}

/// As many decimals as text outputs show, so that no two outputs of a run differ.
fn in_thousandths(real: f32) -> f32 {
    ((f64::from(real) * 1000.0).round_ties_even() / 1000.0) as f32
}

/// Appends bytes behind their length.
pub(super) fn sized(bytes: impl ExactSizeIterator<Item = u8>, out: &mut Vec<u8>) {
    match u8::try_from(bytes.len()) {
        Ok(length) if length < LONG => out.push(length),
        _ => {
            out.push(LONG);
            out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        }
    }
    out.extend(bytes);
}

/// Reads rows back.
pub(super) struct Reader<'r> {
    rest: &'r [u8],
}

impl<'r> Reader<'r> {
    pub(super) const fn new(rows: &'r [u8]) -> Self {
        Self { rest: rows }
    }

    pub(super) const fn left(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn take(&mut self, length: usize) -> io::Result<&'r [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(torn)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or_else(torn)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// What stands behind its length.
    pub(super) fn sized(&mut self) -> io::Result<&'r [u8]> {
        let [short] = self.array()?;
        let length = if short == LONG {
            usize::try_from(u64::from_le_bytes(self.array()?)).map_err(|_| torn())?
        } else {
            usize::from(short)
        };
        self.take(length)
    }
}

fn torn() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a row is torn")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_come_back() {
        for length in [0, 1, 254, 255, 256, 70_000] {
            let bytes = vec![7; length];
            let mut out = Vec::new();
            sized(bytes.iter().copied(), &mut out);
            out.push(9);
            let mut reader = Reader::new(&out);
            assert_eq!(reader.sized().unwrap(), bytes);
            assert_eq!(reader.array().unwrap(), [9]);
            assert!(reader.sized().is_err());
        }
    }

    #[test]
    fn fractions_have_three_decimals() {
        for (real, expected) in [(0.960_4, 0.96), (0.95, 0.95), (1.0, 1.0), (0.000_4, 0.0)] {
            assert_eq!(in_thousandths(real), expected);
        }
    }
}
