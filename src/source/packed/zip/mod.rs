//! Zip archives, read by their directory, or without it where that is lost.
//!
//! The `zip` crate is not used: it keeps every entry in memory, and of members
//! with the same name only the last. Here the directory is walked through a
//! small window.

mod record;
mod store;

use std::{
    io::{self, Read},
    rc::Rc,
};

use flate2::Crc;

pub(super) use self::store::Seekable;
use self::{
    record::{
        Directory, ENTRY, Entry, LOCAL, LOCAL_LENGTH, Listed, data_start, descriptor,
        find_directory, local_entry, next_entry,
    },
    store::{Store, Window},
};
use super::{
    blob::{Blob, SMALL},
    codec::Codec,
    fault::{checksum, corrupt, fault_of, truncated, unsupported},
    input::Input,
    limits::{Meter, Metered},
    member::{Body, Raw},
    recognise::{Packing, recognise},
    unpack::{Check, Checked, Unpacker},
};
use crate::record::ReadError;

/// Reads an archive member by member.
pub(super) struct Archive {
    store: Store,
    /// Where members are read.
    data: Window,
    meter: Rc<Meter>,
    way: Way,
    /// Packed bytes of the members so far.
    packed: u64,
}

/// How the next member is found.
enum Way {
    /// By the directory: its window, what is known of it, entries met.
    Directory(Window, Directory, u64),
    /// From one local header to the next; the directory is lost.
    Headers(u64),
    /// No further, and why.
    Stuck(ReadError),
    Done,
}

impl Archive {
    /// Opens an archive; gives the bytes back where nothing shows that they are
    /// one.
    pub(super) fn open(
        bytes: Box<dyn Seekable>,
        meter: Rc<Meter>,
    ) -> io::Result<Result<Self, Box<dyn Seekable>>> {
        let store = Store::new(bytes)?;
        let mut data = Window::new(&store, 0, store.length());
        let way = match find_directory(&store)? {
            Some(found) if found.split => {
                Way::Stuck(unsupported("a zip archive split over several files"))
            }
            Some(found) => {
                let window = Window::new(&store, found.start, found.end);
                Way::Directory(window, found, 0)
            }
            None if recognise(data.peek(4)?) == Some(Packing::Zip) => Way::Headers(0),
            None => {
                drop(data);
                return store.into_bytes().map(Err);
            }
        };
        Ok(Ok(Self {
            store,
            data,
            meter,
            way,
            packed: 0,
        }))
    }

    pub(super) const fn length(&self) -> u64 {
        self.store.length()
    }

    pub(super) fn next(&mut self) -> Option<Result<Raw, ReadError>> {
        loop {
            let result = match &mut self.way {
                Way::Directory(..) => self.next_listed(),
                Way::Headers(at) => {
                    let at = *at;
                    self.next_header(at)
                }
                Way::Stuck(fault) => Err(fault.clone()),
                Way::Done => return None,
            };
            match result {
                Ok(Some(raw)) => return Some(Ok(raw)),
                // A folder, or the end.
                Ok(None) => {}
                Err(fault) => {
                    self.way = Way::Done;
                    return Some(Err(fault));
                }
            }
        }
    }

    /// The next member of the directory; `None` for a folder and at the end.
    fn next_listed(&mut self) -> Result<Option<Raw>, ReadError> {
        let Way::Directory(window, directory, met) = &mut self.way else {
            return Ok(None);
        };
        let at = window.offset();
        let entry = match next_entry(window).map_err(|error| fault_of(&error))? {
            Listed::Entry(entry) => entry,
            Listed::Damaged => {
                return Err(corrupt("the directory of the zip archive is damaged", at));
            }
            Listed::End => {
                let (met, stated, mask) = (*met, directory.entries, directory.mask);
                self.way = Way::Done;
                if met & mask != stated & mask {
                    let what = format!(
                        "the directory of the zip archive has {met} members instead of {stated}: it ends"
                    );
                    return Err(corrupt(&what, at));
                }
                return Ok(None);
            }
        };
        *met += 1;
        let before = directory.before;
        self.meter.member()?;
        if entry.folder {
            return Ok(None);
        }
        let header = entry.offset.saturating_add(before);
        self.data.go(header);
        let start = data_start(&mut self.data).map_err(|error| fault_of(&error))?;
        let body = match start {
            _ if entry.link => Body::Special("symbolic link"),
            Some(start) => self.body(&entry, start)?,
            None => Body::Fault(corrupt("the member has no header", header)),
        };
        Ok(Some(Raw {
            name: entry.name,
            body,
        }))
    }

    /// The member of the local header at some place; `None` for a folder.
    fn next_header(&mut self, at: u64) -> Result<Option<Raw>, ReadError> {
        let length = self.store.length();
        let cut = |what: &str| truncated(&format!("the zip archive {what}"), length);
        self.data.go(at);
        let head = self
            .data
            .peek(LOCAL_LENGTH)
            .map_err(|error| fault_of(&error))?;
        if head.len() < LOCAL_LENGTH && LOCAL.starts_with(&head[..head.len().min(4)]) {
            return Err(cut("has no directory, so members may be missing: it"));
        }
        if head.starts_with(ENTRY) {
            return Err(cut(
                "has lost the end of its directory, its members are read: it",
            ));
        }
        if !head.starts_with(LOCAL) {
            return Err(corrupt(
                "the zip archive has lost its directory, and is damaged",
                at,
            ));
        }
        let found = local_entry(&mut self.data).map_err(|error| fault_of(&error))?;
        let Some((mut entry, start)) = found else {
            return Err(cut("has no directory, so members may be missing: it"));
        };
        self.meter.member()?;
        let mut end = start.checked_add(entry.packed);
        let mut fault = None;
        if entry.flags & 8 != 0 && entry.packed == 0 {
            match self.measure(&mut entry, start) {
                Ok(after) => end = Some(after),
                Err(found) => fault = Some(found),
            }
        }
        self.way = match (end.filter(|end| *end <= length), &fault) {
            (Some(end), None) => Way::Headers(end),
            (Some(_), Some(fault)) if fault.kind != "truncated" => Way::Stuck(corrupt(
                "the zip archive has lost its directory, and what follows a member is not found: it begins",
                start,
            )),
            // The member itself says why.
            _ => Way::Done,
        };
        if entry.folder && fault.is_none() {
            return Ok(None);
        }
        let body = match fault {
            Some(fault) => Body::Fault(fault),
            None => self.body(&entry, start)?,
        };
        Ok(Some(Raw {
            name: entry.name,
            body,
        }))
    }

    /// Finds the size of a member that says it only after its data, by decoding
    /// them; where the next header is.
    fn measure(&mut self, entry: &mut Entry, start: u64) -> Result<u64, ReadError> {
        if entry.is_encrypted() {
            return Err(encrypted());
        }
        let Some(codec) = codec(entry.method)? else {
            return Err(unsupported(
                "a zip archive without directory, with members stored without their size,",
            ));
        };
        let input = Window::new(&self.store, start, self.store.length());
        let window = self.meter.limits().window;
        let error = |error: io::Error| fault_of(&error);
        let mut unpacker = Unpacker::new(input, codec, 0, window).map_err(error)?;
        let mut crc = Crc::new();
        let mut size = 0_u64;
        unpacker
            .run_frame(&mut |bytes| {
                crc.update(bytes);
                size += bytes.len() as u64;
                self.meter.unpack(bytes.len() as u64)
            })
            .map_err(error)?;
        let mut input = unpacker.into_input();
        let end = input.offset();
        entry.crc = crc.sum();
        entry.packed = end - start;
        entry.size = size;
        let after = input.peek(24).map_err(error)?;
        match descriptor(after, entry.crc, entry.packed, size) {
            Some(length) => Ok(end + length),
            None if after.len() < 16 => Err(truncated("the zip archive", self.store.length())),
            None => Err(checksum("the member is not what was packed", start)),
        }
    }

    /// What a member holds whose packed bytes begin at some place.
    fn body(&mut self, entry: &Entry, start: u64) -> Result<Body, ReadError> {
        if entry.is_encrypted() {
            return Ok(Body::Fault(encrypted()));
        }
        let codec = match codec(entry.method) {
            Ok(codec) => codec,
            Err(fault) => return Ok(Body::Fault(fault)),
        };
        let end = start.checked_add(entry.packed);
        let Some(end) = end.filter(|end| *end <= self.store.length()) else {
            let cut = truncated("the zip archive", self.store.length());
            return Ok(Body::Fault(cut));
        };
        self.packed = self.packed.saturating_add(entry.packed);
        if self.packed > self.store.length() {
            return Err(ReadError::new(
                "bomb",
                "the members of the zip archive overlap: together they are larger than the file; \
                 unpack it with another program if that is right",
            ));
        }
        if codec.is_none() && entry.packed != entry.size {
            let what = "the member is stored and has two sizes: its data begin";
            return Ok(Body::Fault(corrupt(what, start)));
        }
        let check = Check {
            crc: entry.crc,
            size: entry.size,
            start,
        };
        let limits = self.meter.limits();
        if entry.packed > SMALL || entry.size > SMALL {
            let window = Window::new(&self.store, start, end);
            let reader: Box<dyn Read> = match codec {
                None => Box::new(window),
                Some(codec) => Box::new(
                    Unpacker::new(window, codec, 0, limits.window)
                        .map_err(|error| fault_of(&error))?,
                ),
            };
            return Ok(Body::Stream(Box::new(Metered {
                reader: Checked::new(reader, check),
                meter: Rc::clone(&self.meter),
            })));
        }
        self.meter.unpack(entry.size)?;
        self.data.go(start);
        let mut bytes = Vec::new();
        let mut left = usize::try_from(entry.packed).unwrap_or(usize::MAX);
        while left > 0 {
            let seen = self.data.peek(1).map_err(|error| fault_of(&error))?;
            if seen.is_empty() {
                return Ok(Body::Fault(truncated(
                    "the zip archive",
                    self.data.offset(),
                )));
            }
            let count = left.min(seen.len());
            bytes.extend_from_slice(&seen[..count]);
            self.data.consume(count);
            left -= count;
        }
        Ok(Body::Packed(Blob {
            bytes,
            codec,
            check: Some(check),
            start,
            limits,
            deep: false,
        }))
    }
}

fn encrypted() -> ReadError {
    ReadError::new(
        "encrypted",
        "the member is encrypted; unpack the archive with its password first",
    )
}

/// The codec of a method (4.4.5), if the member is not just stored.
fn codec(method: u16) -> Result<Option<Codec>, ReadError> {
    let name = match method {
        0 => return Ok(None),
        8 => return Ok(Some(Codec::Deflate)),
        12 => return Ok(Some(Codec::Bzip2)),
        20 | 93 => return Ok(Some(Codec::Zstd)),
        95 => return Ok(Some(Codec::Xz)),
        1 => " (shrink)",
        2..=5 => " (reduce)",
        6 => " (implode)",
        9 => " (deflate64)",
        14 => " (lzma)",
        98 => " (ppmd)",
        _ => "",
    };
    let what = format!("compression method {method}{name} of zip archives");
    Err(unsupported(&what))
}
