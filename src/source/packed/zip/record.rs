//! The records of a zip archive: its end, its directory, its local headers.
//!
//! After APPNOTE.TXT, the specification by PKWARE; section numbers are of
//! version 6.3.10.

use std::io;

use super::store::{Store, Window};
use crate::source::packed::input::Input;

/// The first bytes of a local header (4.3.7).
pub(super) const LOCAL: &[u8; 4] = b"PK\x03\x04";
/// Of an entry of the directory (4.3.12).
pub(super) const ENTRY: &[u8; 4] = b"PK\x01\x02";
/// Of a data descriptor, where it has any (4.3.9).
const DESCRIPTOR: &[u8; 4] = b"PK\x07\x08";
/// Of the signature after the last entry (4.3.13).
const SIGNATURE: &[u8; 4] = b"PK\x05\x05";
/// Of the end record (4.3.16).
const END: &[u8; 4] = b"PK\x05\x06";
/// Of the end record with 64 bits (4.3.14) and what leads to it (4.3.15).
const END64: &[u8; 4] = b"PK\x06\x06";
const LOCATOR: &[u8; 4] = b"PK\x06\x07";

const END_LENGTH: usize = 22;
const END64_LENGTH: usize = 56;
const LOCATOR_LENGTH: usize = 20;

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Where the directory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Directory {
    pub(super) start: u64,
    pub(super) end: u64,
    /// Bytes before the archive, which its offsets do not count.
    pub(super) before: u64,
    /// How many entries it has, and how many of the bits of that are stated.
    pub(super) entries: u64,
    pub(super) mask: u64,
    /// Whether the archive lies in several files.
    pub(super) split: bool,
}

/// Finds the directory by the record at the end of the archive.
pub(super) fn find_directory(store: &Store) -> io::Result<Option<Directory>> {
    let length = store.length();
    let base = length.saturating_sub((END_LENGTH + usize::from(u16::MAX)) as u64);
    let mut window = Window::new(store, base, length);
    let tail = window.peek(END_LENGTH + usize::from(u16::MAX))?.to_vec();
    let mut probe = Window::new(store, 0, length);
    let begins_with_member = probe.peek(4)?.starts_with(LOCAL);
    // A comment may hold something that looks like the record. Bytes after the
    // archive are allowed only where all else fits.
    for exact in [true, false] {
        for at in memchr::memmem::rfind_iter(&tail, END) {
            let Some(comment) = tail.get(at..).and_then(|record| u16_at(record, 20)) else {
                continue;
            };
            let rest = tail.len() - at - END_LENGTH;
            if usize::from(comment) > rest || (usize::from(comment) == rest) != exact {
                continue;
            }
            let place = base + at as u64;
            let Some(found) = directory(&tail[at..], place, &mut probe)? else {
                continue;
            };
            // In an archive that is cut off, the end of another one in it may
            // be near the end; that other one begins elsewhere.
            if found.before == 0 || (exact && !begins_with_member) {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// The directory that an end record at some place leads to.
fn directory(end: &[u8], place: u64, probe: &mut Window) -> io::Result<Option<Directory>> {
    let read = || {
        Some((
            u16_at(end, 4)?.max(u16_at(end, 6)?),
            u16_at(end, 10)?,
            u32_at(end, 12)?,
            u32_at(end, 16)?,
        ))
    };
    let Some((disk, entries, size, offset)) = read() else {
        return Ok(None);
    };
    let mut found = Directory {
        start: u64::from(offset),
        end: place,
        before: 0,
        entries: u64::from(entries),
        mask: u64::from(u16::MAX),
        split: disk != 0 && disk != u16::MAX,
    };
    let mut size = u64::from(size);
    let is_full = entries == u16::MAX || size == u64::from(u32::MAX) || offset == u32::MAX;
    if is_full && let Some((wide, wide_size)) = directory64(place, probe)? {
        found = wide;
        size = wide_size;
    }
    if size == 0 && found.entries == 0 {
        found.start = found.end;
        return Ok(Some(found));
    }
    let Some(start) = found.end.checked_sub(size) else {
        return Ok(None);
    };
    for start in [start, found.start] {
        probe.go(start);
        if let Some(before) = start.checked_sub(found.start)
            && let Some(end) = start.checked_add(size)
            && end <= found.end
            && probe.peek(4)?.starts_with(ENTRY)
        {
            return Ok(Some(Directory {
                start,
                end,
                before,
                ..found
            }));
        }
    }
    Ok(None)
}

/// The directory by the end record with 64 bits, and its size.
fn directory64(place: u64, probe: &mut Window) -> io::Result<Option<(Directory, u64)>> {
    let Some(locator) = place.checked_sub(LOCATOR_LENGTH as u64) else {
        return Ok(None);
    };
    probe.go(locator);
    let bytes = probe.peek(LOCATOR_LENGTH)?;
    let stated = match u64_at(bytes, 8) {
        Some(stated) if bytes.starts_with(LOCATOR) => stated,
        _ => return Ok(None),
    };
    // With bytes before the archive it lies further on: right before.
    let near = locator.saturating_sub(END64_LENGTH as u64);
    for at in [stated, near] {
        if at > near {
            continue;
        }
        probe.go(at);
        let record = probe.peek(END64_LENGTH)?;
        let read = || {
            let found = Directory {
                start: u64_at(record, 48)?,
                end: at,
                before: 0,
                entries: u64_at(record, 32)?,
                mask: u64::MAX,
                split: u32_at(record, 16)?.max(u32_at(record, 20)?) != 0,
            };
            Some((found, u64_at(record, 40)?))
        };
        if record.starts_with(END64) {
            return Ok(read());
        }
    }
    Ok(None)
}

/// What the directory, or a local header, says of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: Vec<u8>,
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) crc: u32,
    pub(super) packed: u64,
    pub(super) size: u64,
    /// Where its local header is, before bytes in front of the archive are
    /// counted.
    pub(super) offset: u64,
    /// Whether it is a link.
    pub(super) link: bool,
    /// Whether it is a folder: by its name, or by its attributes where that has
    /// backslashes.
    pub(super) folder: bool,
}

impl Entry {
    pub(super) const fn is_encrypted(&self) -> bool {
        // The contents, strongly or not; or the headers (4.4.4).
        self.flags & 0x2041 != 0 || self.method == 99
    }

    /// Takes sizes of 64 bits from the extra fields (4.5.3): those that stand
    /// for a field that is all ones, in this order.
    fn widen(&mut self, extra: &[u8], offset: bool) -> Option<()> {
        const ALL: u64 = u32::MAX as u64;
        let mut wanted = vec![&mut self.size, &mut self.packed];
        if offset {
            wanted.push(&mut self.offset);
        }
        wanted.retain(|field| **field == ALL);
        if wanted.is_empty() {
            return Some(());
        }
        let mut rest = extra;
        while let (Some(id), Some(length)) = (u16_at(rest, 0), u16_at(rest, 2)) {
            let field = rest.get(4..4 + usize::from(length))?;
            if id == 1 {
                for (place, wanted) in wanted.into_iter().enumerate() {
                    *wanted = u64_at(field, place * 8)?;
                }
                return Some(());
            }
            rest = &rest[4 + usize::from(length)..];
        }
        // A size of exactly that many bytes.
        Some(())
    }
}

/// What stands at a place of the directory.
pub(super) enum Listed {
    Entry(Entry),
    End,
    Damaged,
}

/// Takes the next entry of the directory.
pub(super) fn next_entry(window: &mut Window) -> io::Result<Listed> {
    const LENGTH: usize = 46;
    const UNIX: u8 = 3;
    const FOLDER: u32 = 0x10;
    let head = window.peek(LENGTH)?;
    if head.is_empty() || head.starts_with(SIGNATURE) {
        return Ok(Listed::End);
    }
    let lengths = || Some([u16_at(head, 28)?, u16_at(head, 30)?, u16_at(head, 32)?]);
    let lengths = match lengths() {
        Some(lengths) if head.starts_with(ENTRY) => lengths.map(usize::from),
        _ => return Ok(Listed::Damaged),
    };
    let [name, extra, comment] = lengths;
    let all = LENGTH + name + extra + comment;
    let bytes = window.peek(all)?;
    let read = || {
        let attributes = u32_at(bytes, 38)?;
        let name = bytes.get(LENGTH..LENGTH + name)?;
        let size = u32_at(bytes, 24)?;
        let folder = name.ends_with(b"/") || attributes & FOLDER != 0;
        let mut entry = Entry {
            flags: u16_at(bytes, 8)?,
            method: u16_at(bytes, 10)?,
            crc: u32_at(bytes, 16)?,
            packed: u64::from(u32_at(bytes, 20)?),
            size: u64::from(size),
            offset: u64::from(u32_at(bytes, 42)?),
            link: bytes.get(5) == Some(&UNIX) && attributes >> 28 == 0o12,
            folder: size == 0 && folder,
            name: name.to_vec(),
        };
        let extra = bytes.get(LENGTH + name.len()..)?.get(..extra)?;
        entry.widen(extra, true)?;
        bytes.get(..all)?;
        Some(entry)
    };
    let entry = read();
    window.consume(all);
    Ok(entry.map_or(Listed::Damaged, Listed::Entry))
}

/// The fixed part of a local header.
pub(super) const LOCAL_LENGTH: usize = 30;

/// Where the data after a local header begin; `None` where there is no header.
pub(super) fn data_start(window: &mut Window) -> io::Result<Option<u64>> {
    let at = window.offset();
    let head = window.peek(LOCAL_LENGTH)?;
    let lengths = || Some(u64::from(u16_at(head, 26)?) + u64::from(u16_at(head, 28)?));
    let lengths = lengths().filter(|_| head.starts_with(LOCAL));
    Ok(lengths.map(|lengths| at + LOCAL_LENGTH as u64 + lengths))
}

/// What a whole local header says of its member, and where the data begin.
pub(super) fn local_entry(window: &mut Window) -> io::Result<Option<(Entry, u64)>> {
    let at = window.offset();
    let head = window.peek(LOCAL_LENGTH)?;
    let (Some(name), Some(extra)) = (u16_at(head, 26), u16_at(head, 28)) else {
        return Ok(None);
    };
    let (name, extra) = (usize::from(name), usize::from(extra));
    let bytes = window.peek(LOCAL_LENGTH + name + extra)?;
    let read = || {
        let name = bytes.get(LOCAL_LENGTH..LOCAL_LENGTH + name)?;
        let size = u32_at(bytes, 22)?;
        let mut entry = Entry {
            flags: u16_at(bytes, 6)?,
            method: u16_at(bytes, 8)?,
            crc: u32_at(bytes, 14)?,
            packed: u64::from(u32_at(bytes, 18)?),
            size: u64::from(size),
            offset: at,
            link: false,
            folder: size == 0 && name.ends_with(b"/"),
            name: name.to_vec(),
        };
        let extra = bytes.get(LOCAL_LENGTH + name.len()..)?.get(..extra)?;
        entry.widen(extra, false)?;
        Some(entry)
    };
    let start = at + (LOCAL_LENGTH + name + extra) as u64;
    Ok(read().map(|entry| (entry, start)))
}

/// The length of the data descriptor that says these sizes, if one follows.
pub(super) fn descriptor(bytes: &[u8], crc: u32, packed: u64, size: u64) -> Option<u64> {
    let named = bytes.starts_with(DESCRIPTOR);
    for skipped in if named { &[4, 0][..] } else { &[0] } {
        let fields = bytes.get(*skipped..)?;
        if u32_at(fields, 0) != Some(crc) {
            continue;
        }
        if u64_at(fields, 4) == Some(packed) && u64_at(fields, 12) == Some(size) {
            return Some(*skipped as u64 + 20);
        }
        let narrow = |at| u32_at(fields, at).map(u64::from);
        if narrow(4) == Some(packed & 0xffff_ffff) && narrow(8) == Some(size & 0xffff_ffff) {
            return Some(*skipped as u64 + 12);
        }
    }
    None
}
