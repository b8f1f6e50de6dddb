//! Replies of GTP 2: how they are cut from what an engine prints, and read.

use std::io::{self, BufRead};

/// More bytes of one reply are not read.
pub(super) const MAX_REPLY: usize = 1 << 20;

/// What an engine answered to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// `=` and a text.
    Said(String),
    /// `?`: the engine cannot do it.
    Refused,
}

/// What was met where a reply was looked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// A reply, without the blank line that ends it.
    Reply(Vec<u8>),
    /// More bytes than a reply may have.
    TooLong,
    /// The end of the output.
    End,
}

/// Reads up to the blank line that ends a reply; lines before it that begin
/// none, such as a greeting, are passed over. Control characters are left out, as
/// GTP wants it.
///
/// # Errors
/// Where the output cannot be read.
pub(super) fn cut(output: &mut impl BufRead) -> io::Result<Cut> {
    let mut reply = Vec::new();
    let mut met = 0;
    loop {
        let bytes = match output.fill_buf() {
            Ok([]) => return Ok(Cut::End),
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut used = 0;
        let mut done = false;
        for &byte in bytes {
            used += 1;
            match byte {
                b'\n' if !matches!(reply.first(), Some(b'=' | b'?')) => reply.clear(),
                b'\n' if reply.ends_with(b"\n") => {
                    done = true;
                    break;
                }
                b'\t' => reply.push(b' '),
                b'\n' => reply.push(byte),
                _ if byte.is_ascii_control() => {}
                _ => reply.push(byte),
            }
        }
        output.consume(used);
        met += used;
        if met > MAX_REPLY {
            return Ok(Cut::TooLong);
        }
        if done {
            return Ok(Cut::Reply(reply));
        }
    }
}

/// Reads a reply to the command with an id; none where it is no such reply.
pub(super) fn parse(reply: &[u8], id: u32) -> Option<Reply> {
    let (sign, rest) = reply.split_first()?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (written, text) = rest.split_at_checked(digits)?;
    let is_parted = text.first().is_none_or(u8::is_ascii_whitespace);
    let written: u32 = std::str::from_utf8(written).ok()?.parse().ok()?;
    if written != id || !is_parted {
        return None;
    }
    match sign {
        b'=' => Some(Reply::Said(String::from_utf8_lossy(text).trim().to_owned())),
        b'?' => Some(Reply::Refused),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything cut from an output, read in steps of some bytes.
    fn cuts(output: &[u8], step: usize) -> Vec<Cut> {
        let mut reader = io::BufReader::with_capacity(step, output);
        let mut cuts = Vec::new();
        loop {
            cuts.push(cut(&mut reader).unwrap());
            if !matches!(cuts.last(), Some(Cut::Reply(_))) {
                return cuts;
            }
        }
    }

    #[test]
    fn replies_end_with_a_blank_line() {
        for (output, replies) in [
            ("", &[][..]),
            ("= \n\n", &["= \n"]),
            ("=1\n\n=2 A1 B2\nC3\n\n", &["=1\n", "=2 A1 B2\nC3\n"]),
            ("\n\n=1 a\n\n\n\n\n?2 no\n\n", &["=1 a\n", "?2 no\n"]),
            ("=1 A1\r\nB2\r\n\r\n", &["=1 A1\nB2\n"]),
            ("=1\tA1\x07\n\n", &["=1 A1\n"]),
            // Lines that begin no reply.
            ("hello\nA1\n\n", &[]),
            (
                "GNU Go\n\n\u{7f}é\n=1 A1\n\nhi\n?2 no\n\n",
                &["=1 A1\n", "?2 no\n"],
            ),
            ("hello =1\n =1\n\n=1\n\n", &["=1\n"]),
            // Breaks off.
            ("=1\n\n=2 A1\n", &["=1\n"]),
        ] {
            for step in [1, 2, 3, 4096] {
                let mut expected: Vec<Cut> = replies
                    .iter()
                    .map(|reply| Cut::Reply(reply.as_bytes().to_vec()))
                    .collect();
                expected.push(Cut::End);
                assert_eq!(cuts(output.as_bytes(), step), expected, "{output:?}");
            }
        }
    }

    #[test]
    fn a_reply_without_end_is_given_up() {
        for endless in ["=1 A1 ", "=1\nA1\n", "\n", "\r", "hello ", "hello\n"] {
            let output = endless.repeat(2 * MAX_REPLY / endless.len());
            assert_eq!(cuts(output.as_bytes(), 4096), [Cut::TooLong], "{endless:?}");
        }
    }

    #[test]
    fn replies_are_read_with_their_id() {
        let said = |text: &str| Some(Reply::Said(text.to_owned()));
        for (reply, expected) in [
            ("=7\n", said("")),
            ("=7 \n", said("")),
            ("=7 A1 B2\nC3\n", said("A1 B2\nC3")),
            ("=7\nA1\n", said("A1")),
            ("=007 A1\n", said("A1")),
            ("?7 unacceptable size\n", Some(Reply::Refused)),
            ("?7\n", Some(Reply::Refused)),
            // An answer to something else, or to nothing.
            ("=8 A1\n", None),
            ("= A1\n", None),
            ("=\n", None),
            ("=7A1\n", None),
            ("=99999999999 A1\n", None),
            ("7 A1\n", None),
            ("!7 A1\n", None),
            ("hello\n", None),
            ("", None),
        ] {
            assert_eq!(parse(reply.as_bytes(), 7), expected, "{reply:?}");
        }
    }
}
