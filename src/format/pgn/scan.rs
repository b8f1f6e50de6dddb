//! The words of a game's moves: what is in comments, variations and footers is
//! passed over.

use super::encoding::Cut;
use crate::record::{Place, Warning, warn_once};

/// What a character outside ASCII does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Is a part of a word.
    Letter,
    /// Parts words.
    Blank,
    /// Opens or closes a bracket of some kind.
    Open(u8),
    Close(u8),
}

fn role(cut: Cut, letter: &[u8]) -> Role {
    // Few characters begin as those below do.
    if !matches!(letter, [0xa1 | 0xa3 | 0xc2 | 0xe3 | 0xef, _, ..]) {
        return Role::Letter;
    }
    match (cut, letter) {
        // Blank, comma, enumeration comma, semicolon, full stop.
        (Cut::Utf8, b"\xe3\x80\x80" | b"\xef\xbc\x8c" | b"\xe3\x80\x81" | b"\xef\xbc\x9b")
        | (Cut::Utf8, b"\xe3\x80\x82" | b"\xc2\xa0")
        | (Cut::Big5, b"\xa1\x40" | b"\xa1\x41" | b"\xa1\x42" | b"\xa1\x46" | b"\xa1\x43")
        | (Cut::Gb18030, b"\xa1\xa1" | b"\xa3\xac" | b"\xa1\xa2" | b"\xa3\xbb" | b"\xa1\xa3") => {
            Role::Blank
        }
        (Cut::Utf8, b"\xef\xbc\x88") | (Cut::Big5, b"\xa1\x5d") | (Cut::Gb18030, b"\xa3\xa8") => {
            Role::Open(b'(')
        }
        (Cut::Utf8, b"\xef\xbc\x89") | (Cut::Big5, b"\xa1\x5e") | (Cut::Gb18030, b"\xa3\xa9") => {
            Role::Close(b'(')
        }
        (Cut::Utf8, b"\xef\xbd\x9b") | (Cut::Big5, b"\xa1\x61") | (Cut::Gb18030, b"\xa3\xfb") => {
            Role::Open(b'{')
        }
        (Cut::Utf8, b"\xef\xbd\x9d") | (Cut::Big5, b"\xa1\x62") | (Cut::Gb18030, b"\xa3\xfd") => {
            Role::Close(b'{')
        }
        (Cut::Utf8, b"\xe3\x80\x90") | (Cut::Big5, b"\xa1\x69") | (Cut::Gb18030, b"\xa1\xbe") => {
            Role::Open(b'[')
        }
        (Cut::Utf8, b"\xe3\x80\x91") | (Cut::Big5, b"\xa1\x6a") | (Cut::Gb18030, b"\xa1\xbf") => {
            Role::Close(b'[')
        }
        _ => Role::Letter,
    }
}

/// Walks over the moves of a record.
pub(super) struct Scanner<'a, 'w> {
    bytes: &'a [u8],
    cut: Cut,
    at: usize,
    /// Variations that are open.
    depth: u32,
    warnings: &'w mut Vec<Warning>,
}

impl<'a, 'w> Scanner<'a, 'w> {
    /// Begins at a place of a record.
    pub(super) const fn new(
        bytes: &'a [u8],
        at: usize,
        cut: Cut,
        warnings: &'w mut Vec<Warning>,
    ) -> Self {
        Self {
            bytes,
            cut,
            at,
            depth: 0,
            warnings,
        }
    }

    /// The words of the main line: where each begins and ends.
    pub(super) fn words(mut self) -> Vec<(usize, usize)> {
        // A word and what parts it from the next take seven bytes or more.
        let mut words = Vec::with_capacity(self.bytes.len().saturating_sub(self.at) / 7);
        let mut line = true;
        let mut variation = self.at;
        while let Some(byte) = self.bytes.get(self.at).copied() {
            let at = self.at;
            let starts_line = std::mem::replace(&mut line, matches!(byte, b'\n' | b'\r'));
            match byte {
                _ if byte.is_ascii_whitespace() || byte == 0 => self.at += 1,
                b'=' if starts_line && self.rest().starts_with(b"===") => break,
                b'%' if starts_line => self.at = self.line_end(at),
                b';' => self.at = self.line_end(at),
                b'{' => self.comment(),
                b'(' => {
                    if self.depth == 0 {
                        variation = at;
                    }
                    self.depth += 1;
                    self.at += 1;
                }
                b')' => {
                    match self.depth {
                        0 => self.warn("extra_close", at),
                        _ => self.depth -= 1,
                    }
                    self.at += 1;
                }
                b'[' => {
                    self.warn("stray_text", at);
                    let line = self.line_end(at);
                    let found = memchr::memchr(b']', &self.bytes[at..line]);
                    self.at = found.map_or(line, |length| at + length + 1);
                }
                b']' | b'}' => {
                    self.warn("extra_close", at);
                    self.at += 1;
                }
                _ => self.word(&mut words),
            }
        }
        if self.depth > 0 {
            self.warn("unclosed_variation", variation);
        }
        words
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn line_end(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        memchr::memchr2(b'\n', b'\r', rest).map_or(self.bytes.len(), |length| at + length)
    }

    fn warn(&mut self, word: &'static str, at: usize) {
        warn_once(self.warnings, Warning::new(word, Place::Byte(at as u32)));
    }

    /// The role and the length of the character at a place.
    fn letter(&self, at: usize) -> (Role, usize) {
        let rest = self.bytes.get(at..).unwrap_or_default();
        match rest.first() {
            None => (Role::Blank, 1),
            Some(byte) if byte.is_ascii() => match byte {
                b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b',' => (Role::Blank, 1),
                _ if byte.is_ascii_whitespace() || *byte == 0 => (Role::Blank, 1),
                _ => (Role::Letter, 1),
            },
            Some(_) => {
                let (length, _) = self.cut.length(rest);
                (role(self.cut, &rest[..length]), length)
            }
        }
    }

    /// Passes over a comment; one without an end ends with its line.
    fn comment(&mut self) {
        let start = self.at;
        let mut at = start + 1;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'}' => {
                    self.at = at + 1;
                    return;
                }
                _ if byte.is_ascii() => at += 1,
                _ => at += self.letter(at).1,
            }
        }
        self.warn("unclosed_comment", start);
        self.at = self.line_end(start);
    }

    /// Passes over a remark in full-width brackets, which may hold others; one
    /// without an end ends with its line.
    fn remark(&mut self, kind: u8, length: usize) {
        let start = self.at;
        let mut at = start + length;
        let mut depth = 1;
        while at < self.bytes.len() {
            let (role, length) = self.letter(at);
            at += length;
            match role {
                Role::Open(other) if other == kind => depth += 1,
                Role::Close(other) if other == kind => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at = at;
                return;
            }
        }
        self.warn("unclosed_comment", start);
        self.at = self.line_end(start);
    }

    /// Takes a word, or what a character outside ASCII begins.
    fn word(&mut self, words: &mut Vec<(usize, usize)>) {
        let start = self.at;
        match self.letter(start) {
            (Role::Letter, _) => {}
            (Role::Open(kind), length) => return self.remark(kind, length),
            (Role::Close(_), length) => {
                self.warn("extra_close", start);
                self.at += length;
                return;
            }
            (Role::Blank, length) => {
                self.at += length;
                return;
            }
        }
        let mut end = start;
        while end < self.bytes.len() {
            let (role, length) = self.letter(end);
            if role != Role::Letter {
                break;
            }
            end += length;
        }
        self.at = end;
        if self.depth == 0 {
            words.push((start, end));
        }
    }
}
