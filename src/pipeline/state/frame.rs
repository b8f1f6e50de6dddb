//! Rows on disk: what came of a file, or of a part of one, in a frame with a
//! checksum.

use std::{
    collections::HashMap,
    io::{self, Read},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::stamp::{Mark, Stamp};
use crate::{pipeline::scribe::Rows, report::Tally};

/// Where rows belong: to a file, which comes in one part if it is small.
#[derive(Clone, Debug)]
pub(in crate::pipeline) struct Part {
    pub(in crate::pipeline) file: Arc<Mark>,
    /// From 0.
    pub(in crate::pipeline) number: u32,
    /// Whether it is the last of the file.
    pub(in crate::pipeline) is_last: bool,
    /// A hash of the bytes of the file, where it was read at once.
    pub(in crate::pipeline) hash: Option<u128>,
}

/// No frame is longer: a sign of damage, not a limit for rows.
const LONGEST: u64 = 1 << 32;

/// Bytes before a frame: its length and its checksum.
const HEAD: usize = 16;

#[derive(Serialize, Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    key: &'a [u8],
    stamp: Stamp,
    number: u32,
    is_last: bool,
    hash: Option<u128>,
    #[serde(borrow)]
    tally: &'a [u8],
    failing: Vec<(u64, u32)>,
    /// Bytes of rows for each lane; they follow the head.
    lanes: Vec<u32>,
}

/// Appends the frame of some rows.
///
/// # Errors
/// Where they are too many for a frame.
pub(super) fn write(part: &Part, rows: &Rows, out: &mut Vec<u8>) -> io::Result<()> {
    let start = out.len();
    out.extend_from_slice(&[0; HEAD]);
    let too_many = |_| io::Error::other("the rows of one part of a file have more than 4 GiB");
    let lengths = rows.bytes.iter().map(|bytes| u32::try_from(bytes.len()));
    let tally = postcard::to_stdvec(&*rows.tally).map_err(io::Error::other)?;
    let head = Head {
        key: &part.file.key,
        stamp: part.file.stamp,
        number: part.number,
        is_last: part.is_last,
        hash: part.hash,
        tally: &tally,
        failing: rows.failing.clone(),
        lanes: lengths.collect::<Result<_, _>>().map_err(too_many)?,
    };
    let head = postcard::to_stdvec(&head).map_err(io::Error::other)?;
    out.extend_from_slice(&head);
    for bytes in &rows.bytes {
        out.extend_from_slice(bytes);
    }
    let body = &out[start + HEAD..];
    let (length, sum) = (body.len() as u64, xxh3_64(body));
    out[start..start + 8].copy_from_slice(&length.to_le_bytes());
    out[start + 8..start + HEAD].copy_from_slice(&sum.to_le_bytes());
    Ok(())
}

/// Reads frames, one after the other.
#[derive(Default)]
pub(super) struct Frames {
    body: Vec<u8>,
    /// Counts met before: most files are counted alike.
    tallies: HashMap<Vec<u8>, Arc<Tally>>,
}

/// So many counts are remembered.
const TALLIES: usize = 512;

impl Frames {
    fn tally(&mut self, bytes: &[u8]) -> Option<Arc<Tally>> {
        if let Some(tally) = self.tallies.get(bytes) {
            return Some(Arc::clone(tally));
        }
        let tally: Arc<Tally> = Arc::new(postcard::from_bytes(bytes).ok()?);
        if self.tallies.len() < TALLIES {
            self.tallies.insert(bytes.to_vec(), Arc::clone(&tally));
        }
        Some(tally)
    }

    /// Reads a frame of some lanes; nothing where it is damaged.
    pub(super) fn read(&mut self, reader: &mut impl Read, lanes: usize) -> Option<Rows> {
        let mut body = std::mem::take(&mut self.body);
        body.clear();
        let rows = read_body(reader, &mut body).and_then(|()| self.rows(&body, lanes));
        self.body = body;
        rows
    }

    fn rows(&mut self, body: &[u8], lanes: usize) -> Option<Rows> {
        let (head, mut rest): (Head<'_>, &[u8]) = postcard::take_from_bytes(body).ok()?;
        let mut bytes = Vec::with_capacity(lanes);
        for length in &head.lanes {
            let (lane, after) = rest.split_at_checked(*length as usize)?;
            bytes.push(lane.to_vec());
            rest = after;
        }
        // What only says that a file has ended has no lanes.
        let is_known = bytes.is_empty() || bytes.len() == lanes;
        (is_known && rest.is_empty()).then_some(())?;
        let part = Part {
            file: Arc::new(Mark {
                key: head.key.to_vec(),
                stamp: head.stamp,
            }),
            number: head.number,
            is_last: head.is_last,
            hash: head.hash,
        };
        Some(Rows {
            bytes,
            tally: self.tally(head.tally)?,
            failing: head.failing,
            part: Some(part),
            is_kept: true,
            is_logged: true,
            ..Rows::default()
        })
    }
}

/// Reads what follows a length and a checksum.
fn read_body(reader: &mut impl Read, body: &mut Vec<u8>) -> Option<()> {
    let mut head = [0; HEAD];
    reader.read_exact(&mut head).ok()?;
    let (length, sum) = head.split_at(8);
    let length = u64::from_le_bytes(length.try_into().ok()?);
    let read = reader.take(length.min(LONGEST)).read_to_end(body);
    let is_whole = read.is_ok_and(|read| read as u64 == length);
    let sum = u64::from_le_bytes(sum.try_into().ok()?);
    (is_whole && xxh3_64(body) == sum).then_some(())
}
