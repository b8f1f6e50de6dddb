//! Protocols by which other programs ask: a line in, a few lines out.
//!
//! * `gomocup` plays k-in-a-row in managers of Gomocup's protocol.
//! * `uci` plays xiangqi in programs that speak UCI or UCCI.
//! * `gtp` judges Go for programs that speak GTP.
//!
//! Each reads lines until their end or a word that ends it, and answers what it
//! cannot use in the protocol's own way. None fails but where its input cannot be
//! read or its answers cannot be written.

mod converse;
mod gomocup;
mod gtp;
mod uci;
mod voice;

use std::io::{self, BufRead, Read};

pub use gomocup::{Means, gomocup};
pub use gtp::{Load, gtp};
pub use uci::uci;

/// The longest line that is read, in bytes; of a longer one the rest is left out.
/// A game of some ten thousand moves fits.
const MAX_LINE: u64 = 1 << 20;

/// Reads a line without its end; nothing behind the last one. Bytes that are no
/// UTF-8 are replaced.
///
/// # Errors
/// Where the input cannot be read (invalid input).
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut read = || {
        let read = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        if read as u64 == MAX_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
        }
        Ok(read)
    };
    let read = read().map_err(|error: io::Error| {
        let why = format!("cannot read standard input: {error}");
        io::Error::new(io::ErrorKind::InvalidInput, why)
    })?;
    if read == 0 {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&line);
    Ok(Some(text.trim_end().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_an_end() {
        let long = "x".repeat(3 << 20);
        let mut text = format!("one\r\n\n{long}\nfour").into_bytes();
        text.push(0xff);
        let mut input = &text[..];
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines[..2], ["one", ""]);
        assert_eq!((lines[2].len(), lines.len()), (MAX_LINE as usize, 4));
        assert_eq!(lines[3], "four\u{fffd}");
    }
}
