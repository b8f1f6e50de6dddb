//! Parts of an archive that are labelled apart: shards by a hash of names, and
//! manifests that list files and ranges of them.

use std::{
    fmt,
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::{
    origin::{escape, unescape},
    walk::Entry,
};

/// More shards than this are a slip of the hand.
pub const MAX_SHARDS: u32 = 99_999;

/// One of some shards, numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// Reads `3/7`.
    ///
    /// # Errors
    /// One sentence about what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse::<u32>().ok()).flatten()
        };
        let numbers = parts.and_then(|(part, of)| Some((number(part)?, number(of)?)));
        let Some((number, of)) = numbers else {
            return Err(format!(
                "cannot read the shard {text:?}: write its number and how many there are, as in 3/7"
            ));
        };
        if of == 0 || of > MAX_SHARDS {
            return Err(format!(
                "there cannot be {of} shards: write from 1 to {MAX_SHARDS} behind the /"
            ));
        }
        if number == 0 || number > of {
            return Err(format!(
                "there is no shard {number} of {of}: shards are numbered from 1 to {of}"
            ));
        }
        Ok(Self { number, of })
    }

    /// Whether a file is in it, by a hash of its name in rows: the same on every
    /// machine.
    #[must_use]
    pub fn takes(self, name: &str) -> bool {
        xxh3_64(name.as_bytes()) % u64::from(self.of) == u64::from(self.number - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// The records of a plain file that begin in some range of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// First byte, a border between records.
    pub from: u64,
    /// One past the last byte: a border too, or the end of the file.
    pub to: u64,
    /// Index of the first record, from 1.
    pub index: u64,
    /// Bytes of the whole file when borders were looked for.
    pub size: u64,
    /// Bytes that a run over the whole file has read beyond the first one when it
    /// comes to it; none at the start of a file, or where it does not matter.
    pub ahead: Option<u64>,
    /// The format whose borders they are.
    pub format: String,
}

/// The first line of a manifest that was planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The version of kifu that found the borders.
    pub kifu: String,
    /// Its number, from 1.
    pub shard: u32,
    /// How many there are.
    pub shards: u32,
    /// Patterns that chose the files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub glob: Vec<String>,
    /// Whether hidden members of packed files are read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// The same in all manifests of a plan, and in no other: a hash of them all.
    #[serde(default)]
    pub plan: String,
    /// A hash of this head and of the lines below it.
    #[serde(default)]
    pub hash: String,
}

impl Head {
    /// Its line, with the end of it.
    #[must_use]
    pub fn line(&self) -> Vec<u8> {
        // Strings and numbers can be written.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }

    /// Fills in its hash, by that of the lines below it.
    pub fn seal(&mut self, lines: u128) {
        self.hash.clear();
        let mut bytes = self.line();
        bytes.extend_from_slice(&lines.to_be_bytes());
        self.hash = format!("{:032x}", xxh3_128(&bytes));
    }
}

/// A line of a manifest: a file, or a range of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Where to open it, escaped as in origins.
    pub path: String,
    /// Its name in rows, where that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the user named it, so that it is read whatever its name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub named: bool,
    /// Bytes of the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// First byte of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// One past its last byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    /// Index of its first record, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// Bytes that a run over the whole file has read ahead there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ahead: Option<u64>,
    /// The format whose borders they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

impl Line {
    /// The line of an entry of a walk.
    #[must_use]
    pub fn of(entry: &Entry, bytes: u64) -> Self {
        let path = escape(&entry.path);
        let name = (entry.name != path).then(|| entry.name.clone());
        let range = entry.range.as_deref();
        Self {
            path,
            name,
            named: entry.named,
            bytes: Some(bytes),
            from: range.map(|range| range.from),
            to: range.map(|range| range.to),
            index: range.map(|range| range.index),
            ahead: range.and_then(|range| range.ahead),
            format: range.map(|range| range.format.clone()),
        }
    }

    fn range(&self) -> Result<Option<Range>, String> {
        if let Self {
            from: None,
            to: None,
            index: None,
            ahead: None,
            format: None,
            ..
        } = self
        {
            return Ok(None);
        }
        let range = || {
            let range = Range {
                from: self.from?,
                to: self.to?,
                index: self.index?,
                size: self.bytes?,
                ahead: self.ahead,
                format: self.format.clone()?,
            };
            let is_one = range.from < range.to && range.to <= range.size && range.index > 0;
            is_one.then_some(range)
        };
        range().map(Some).ok_or_else(|| {
            "a range has from, to, index, bytes and format, with from < to <= bytes and an index \
             from 1"
                .to_owned()
        })
    }

    fn entry(self, range: Option<Range>) -> Entry {
        let path = unescape(&self.path);
        Entry {
            name: self.name.unwrap_or_else(|| escape(&path)),
            path,
            named: self.named,
            once: false,
            container: None,
            range: range.map(Box::new),
        }
    }
}

/// What one shard is to label.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// Its first line, where it was planned.
    pub head: Option<Head>,
    /// What it lists, in order.
    pub entries: Vec<Entry>,
    /// The hash of its head, or of its bytes where it has none, in hexadecimal digits.
    pub hash: String,
    /// Whether it has a head, and is not what was planned.
    pub is_edited: bool,
    name: String,
}

impl Manifest {
    /// Reads the bytes of a manifest.
    ///
    /// # Errors
    /// One sentence about the first line that cannot be read, or that lists what
    /// another line lists.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Self, String> {
        let shown = path.display();
        let mut head = None;
        let mut entries: Vec<Entry> = Vec::new();
        let mut numbers: Vec<usize> = Vec::new();
        for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            if number == 1
                && let Ok(found) = serde_json::from_slice::<Head>(line)
            {
                head = Some(found);
                continue;
            }
            let wrong = |why: String| {
                format!("cannot read the manifest {shown}: line {number}: {why}; plan again")
            };
            let line: Line =
                serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
            if line.path.is_empty() || line.path == "-" {
                return Err(wrong("a path must name a file".to_owned()));
            }
            let range = line.range().map_err(wrong)?;
            entries.push(line.entry(range));
            numbers.push(number);
        }
        if let Some((one, other, name)) = overlap(&entries, &numbers) {
            return Err(format!(
                "the manifest {shown} lists {name} twice, in lines {one} and {other}: its records \
                 would have two rows; plan again"
            ));
        }
        let name = path.file_name().unwrap_or_default();
        let sealed = head.clone().map(|mut head: Head| {
            let below = bytes.iter().position(|byte| *byte == b'\n');
            let below = below.and_then(|end| bytes.get(end + 1..));
            head.seal(xxh3_128(below.unwrap_or_default()));
            head
        });
        let is_edited = head != sealed;
        let hash = sealed.map(|head| head.hash);
        Ok(Self {
            head,
            entries,
            hash: hash.unwrap_or_else(|| format!("{:032x}", xxh3_128(bytes))),
            is_edited,
            name: escape(Path::new(name)),
        })
    }

    /// What the rows of this shard say of themselves: `3/7 0003.jsonl HASH`, of
    /// which a manifest that was not planned leaves out the number.
    #[must_use]
    pub fn shard(&self) -> String {
        let number = self.head.as_ref().map_or_else(String::new, |head| {
            format!("{}/{} ", head.shard, head.shards)
        });
        format!("{number}{} {}", self.name, self.hash)
    }
}

/// Two lines that list the same bytes of one file, and its name.
fn overlap<'e>(entries: &'e [Entry], numbers: &[usize]) -> Option<(usize, usize, &'e str)> {
    let mut places: Vec<(PathBuf, u64, u64, usize, &str)> = Vec::with_capacity(entries.len());
    for (entry, number) in entries.iter().zip(numbers) {
        let (from, to) = match &entry.range {
            Some(range) => (range.from, range.to),
            None => (0, u64::MAX),
        };
        // However it is written.
        let path = entry.path.components();
        let path = path.filter(|part| *part != Component::CurDir).collect();
        places.push((path, from, to, *number, &entry.name));
    }
    places.sort_unstable();
    places.windows(2).find_map(|pair| {
        let [one, other] = pair else { return None };
        let meet = one.0 == other.0 && other.1 < one.2;
        meet.then(|| (one.3.min(other.3), one.3.max(other.3), other.4))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Manifest, String> {
        Manifest::read(Path::new("plan/0003.jsonl"), text.as_bytes())
    }

    #[test]
    fn shards_are_counted_from_one() {
        for (text, word) in [
            ("", "cannot read"),
            ("3", "cannot read"),
            ("a/7", "cannot read"),
            ("+3/7", "cannot read"),
            ("3/7/1", "cannot read"),
            ("-1/7", "cannot read"),
            ("0/7", "no shard 0"),
            ("8/7", "no shard 8"),
            ("1/0", "cannot be 0"),
            ("1/100000", "cannot be 100000"),
        ] {
            let said = Shard::parse(text).unwrap_err();
            assert!(said.contains(word), "{text}: {said}");
        }
        assert_eq!(Shard::parse("3/7").unwrap().to_string(), "3/7");
    }

    #[test]
    fn every_name_is_in_one_shard() {
        for name in ["", "a.sgf", "b/c.zip", "黑.sgf"] {
            let takes = |number: &u32| {
                Shard {
                    number: *number,
                    of: 7,
                }
                .takes(name)
            };
            assert_eq!((1..=7).filter(takes).count(), 1, "{name}");
        }
    }

    #[test]
    fn manifests_say_what_is_wrong_with_them() {
        let range = r#"{"path":"a","from":5,"to":9,"index":2,"bytes":9,"format":"sgf"}"#;
        for (text, word) in [
            ("{", "line 1"),
            (r#"{"path":"a"}{"path":"b"}"#, "line 1"),
            (r#"{"path":"a","form":1}"#, "form"),
            (r#"{"path":"-"}"#, "name a file"),
            (r#"{"path":"a","from":5}"#, "a range has"),
            (
                r#"{"path":"a","from":5,"to":5,"index":1,"bytes":9,"format":"sgf"}"#,
                "a range has",
            ),
            (
                r#"{"path":"a","from":5,"to":10,"index":1,"bytes":9,"format":"sgf"}"#,
                "a range has",
            ),
            (
                r#"{"path":"a","from":5,"to":9,"index":0,"bytes":9,"format":"sgf"}"#,
                "a range has",
            ),
            (
                "{\"path\":\"a\"}\n{\"path\":\"a\"}",
                "lists a twice, in lines 1 and 2",
            ),
            ("{\"path\":\"a\"}\n\n{\"path\":\"./a\"}", "lines 1 and 3"),
            (&format!("{{\"path\":\"a\"}}\n{range}"), "lists a twice"),
            (&format!("{range}\n{range}"), "lists a twice"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(word), "{text}: {said}");
        }
        let apart = r#"{"path":"a","from":0,"to":5,"index":1,"bytes":9,"format":"sgf"}"#;
        assert_eq!(
            read(&format!("{apart}\n{range}\n")).unwrap().entries.len(),
            2
        );
    }

    #[test]
    fn lines_come_back() {
        let entry = Entry {
            path: unescape("odd/%BA%DA 1%23.sgf"),
            name: "%BA%DA 1%23.sgf".to_owned(),
            named: true,
            once: false,
            container: None,
            range: Some(Box::new(Range {
                from: 5,
                to: 9,
                index: 2,
                size: 12,
                ahead: Some(7),
                format: "sgf".into(),
            })),
        };
        let line = serde_json::to_string(&Line::of(&entry, 12)).unwrap();
        let manifest = read(&line).unwrap();
        let back = &manifest.entries[0];
        assert_eq!((&back.path, &back.name), (&entry.path, &entry.name));
        assert_eq!((back.named, &back.range), (true, &entry.range));
    }
}
