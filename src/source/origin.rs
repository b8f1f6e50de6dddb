//! Printable names for paths: the first part of an origin.

use std::{fmt::Write, path::PathBuf};

/// A path as an origin shows it: `/`-separated, with everything outside
/// printable UTF-8 and the signs `! # %` percent-escaped.
#[must_use]
pub fn escape(path: &std::path::Path) -> String {
    escape_bytes(path.as_os_str().as_encoded_bytes())
}

/// The bytes of a name as an origin shows them, as [`escape`] does.
#[must_use]
pub fn escape_bytes(bytes: &[u8]) -> String {
    if bytes.iter().all(|byte| is_plain(*byte)) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut escaped = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            if matches!(letter, '!' | '#' | '%') || is_unprintable(letter) {
                let mut buffer = [0; 4];
                push_escaped(&mut escaped, letter.encode_utf8(&mut buffer).as_bytes());
            } else {
                escaped.push(letter);
            }
        }
        push_escaped(&mut escaped, chunk.invalid());
    }
    escaped
}

/// The path of an escaped name.
#[must_use]
pub fn unescape(name: &str) -> PathBuf {
    let bytes = name.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = (byte == b'%')
            .then(|| name.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        plain.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    path_of(&plain)
}

/// A path from the bytes that name it.
#[cfg(unix)]
#[must_use]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

/// A path from the bytes that name it.
#[cfg(not(unix))]
#[must_use]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// Printable ASCII that needs no escape.
const fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte < 0x7f && !matches!(byte, b'!' | b'#' | b'%')
}

/// Controls, and signs that change how the rest of a line is shown.
const fn is_unprintable(letter: char) -> bool {
    matches!(letter,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn push_escaped(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "%{byte:02X}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_print_and_come_back() {
        for (path, name) in [
            ("a/b c.sgf", "a/b c.sgf"),
            ("100%/#1!.sgf", "100%25/%231%21.sgf"),
            ("黑棋/一.sgf", "黑棋/一.sgf"),
            ("line\nend", "line%0Aend"),
            ("right\u{202e}left", "right%E2%80%AEleft"),
        ] {
            assert_eq!(escape(path.as_ref()), name);
            assert_eq!(unescape(name), PathBuf::from(path));
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8_come_back() {
        use std::os::unix::ffi::OsStrExt;
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(b"\xba\xda\xe9.sgf"));
        assert_eq!(escape(path), "%BA%DA%E9.sgf");
        assert_eq!(unescape("%BA%DA%E9.sgf"), path);
    }
}
