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
        let mut out = Vec::new();
        for column in &schema.columns {
            field(column.name.as_bytes(), &mut out);
            out.push(b',');
        }
        end(&mut out);
        out
    }

    fn encoder(&self, schema: &Schema) -> Box<dyn Encoder> {
        Box::new(Rows {
            schema: schema.clone(),
        })
    }
}

/// Rows, written straight into memory: they are a good part of the cost of a
/// game that is not judged.
struct Rows {
    schema: Schema,
}

impl Encoder for Rows {
    fn row(&mut self, label: &Label<'_>, out: &mut Vec<u8>) {
        for column in &self.schema.columns {
            match (column.get)(label) {
                Value::Empty => {}
                Value::Text(text) => field(text.as_bytes(), out),
                Value::Integer(number) => integer(number < 0, number.unsigned_abs(), out),
                Value::Points(points) => {
                    let quarters = points.in_quarters();
                    let size = quarters.unsigned_abs();
                    integer(quarters < 0, u64::from(size / 4), out);
                    let fraction: [&[u8]; 4] = [b"", b".25", b".5", b".75"];
                    out.extend_from_slice(fraction[size as usize % 4]);
                }
                Value::Real(real) => thousandths(real, out),
                Value::Hash(hash) => digits(&hash.to_be_bytes(), out),
                Value::ShortHash(hash) => digits(&hash.to_be_bytes(), out),
                Value::Cells(cells) => spaced(cells, out),
            }
            out.push(b',');
        }
        end(out);
    }
}

/// Ends a row: its last comma becomes a line end.
fn end(out: &mut [u8]) {
    if let Some(last) = out.last_mut() {
        *last = b'\n';
    }
}

/// A text, in quotes where it needs them.
fn field(text: &[u8], out: &mut Vec<u8>) {
    let special = |byte: &u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
    if !text.iter().any(special) {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    for byte in text {
        if *byte == b'"' {
            out.push(b'"');
        }
        out.push(*byte);
    }
    out.push(b'"');
}

fn integer(negative: bool, mut left: u64, out: &mut Vec<u8>) {
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
    if negative {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

/// A number with three decimals.
fn thousandths(real: f32, out: &mut Vec<u8>) {
    // Exact: a product of 24 and 10 bits.
    let rounded = (f64::from(real) * 1000.0).round_ties_even();
    if !(0.0..1e9).contains(&rounded) || real.is_sign_negative() {
        // Writing to memory cannot fail.
        let _ = write!(out, "{real:.3}");
        return;
    }
    let rounded = rounded as u64;
    integer(false, rounded / 1000, out);
    let decimal = |unit| b'0' + (rounded / unit % 10) as u8;
    out.extend_from_slice(&[b'.', decimal(100), decimal(10), decimal(1)]);
}

/// Bytes as lower-case hexadecimal digits.
fn digits<const N: usize>(bytes: &[u8; N], out: &mut Vec<u8>) {
    let digit = |half: u8| b"0123456789abcdef"[usize::from(half)];
    let digits = bytes.map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    out.extend_from_slice(digits.as_flattened());
}

/// Cells of a board, parted by blanks.
fn spaced(cells: &[i8], out: &mut Vec<u8>) {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        integer(*cell < 0, u64::from(cell.unsigned_abs()), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fields_are_quoted_as_the_csv_crate_quotes_them() {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut ours = Vec::new();
        for part in [
            "",
            "plain",
            "a,b",
            "\"",
            "a \"b\" c",
            "a\nb",
            "\r",
            " x ",
            "#1",
            "'",
            "é;",
        ] {
            writer.write_record([part, "second"]).unwrap();
            field(part.as_bytes(), &mut ours);
            ours.extend_from_slice(b",second\n");
        }
        assert_eq!(ours, writer.into_inner().unwrap());
    }

    #[test]
    fn reals_have_three_decimals() {
        let parts = (0..=4096).map(|part| part as f32 / 4096.0);
        let small = (0..=1000).map(|part| part as f32 / 1000.0);
        let odd = [
            1e-10,
            0.000_5,
            0.999_5,
            0.999_6,
            12.062_5,
            -0.0,
            -1.5,
            1e8,
            1e20,
            f32::NAN,
        ];
        for real in parts.chain(small).chain(odd) {
            assert_eq!(text(|out| thousandths(real, out)), format!("{real:.3}"));
        }
    }

    #[test]
    fn numbers_print_as_they_do_elsewhere() {
        for number in [0, 9, 10, 12345, i64::MAX, i64::MIN, -1, -10] {
            let written = text(|out| integer(number < 0, number.unsigned_abs(), out));
            assert_eq!(written, number.to_string());
        }
        assert_eq!(text(|out| digits(&[0x0f, 0xa0], out)), "0fa0");
        assert_eq!(text(|out| spaced(&[1, 0, -1], out)), "1 0 -1");
    }
}
