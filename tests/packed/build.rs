//! Makes packed files, and reads them for comparison.

use std::{
    fmt,
    io::{Read, Write},
};

use flate2::{Compression, Crc, write};
use kifu::source::packed::{Content, Limits, Packed, Unpacked, fault_of};

/// What a member turned out to hold.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Got {
    /// A file that could be read whole.
    File(Vec<u8>),
    /// The bytes that came before a fault, and its word.
    Cut(Vec<u8>, &'static str),
    /// Not a file.
    Special(&'static str),
}

/// Short, as members may be long.
impl fmt::Debug for Got {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(bytes) => write!(f, "File({})", bytes.len()),
            Self::Cut(bytes, word) => write!(f, "Cut({}, {word})", bytes.len()),
            Self::Special(what) => write!(f, "Special({what})"),
        }
    }
}

/// Everything that a packed file gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    pub(crate) members: Vec<(String, Got)>,
    /// Names by which a format is chosen.
    pub(crate) file_names: Vec<String>,
    /// The word and sentence of the fault of the whole.
    pub(crate) fault: Option<(&'static str, String)>,
}

impl Listing {
    /// How many faults there are.
    pub(crate) fn faults(&self) -> usize {
        let cut = |(_, got): &&(String, Got)| matches!(got, Got::Cut(..));
        self.members.iter().filter(cut).count() + usize::from(self.fault.is_some())
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        let names = self.members.iter().map(|(name, _)| &**name);
        names.collect()
    }

    pub(crate) fn word(&self) -> Option<&'static str> {
        self.fault.as_ref().map(|(word, _)| *word)
    }
}

/// Reads a packed file to its end.
pub(crate) fn list_all(mut packed: Packed) -> Listing {
    let mut listing = Listing::default();
    let mut buffer = Vec::new();
    while let Some(next) = packed.next() {
        assert_eq!(listing.fault, None, "a fault of the whole is the last");
        let member = match next {
            Ok(member) => member,
            Err(fault) => {
                listing.fault = Some((fault.kind, fault.message));
                continue;
            }
        };
        let got = match member.content {
            Content::Blob(blob) => {
                let unpacked = blob.unpack(&mut buffer, 1 << 22);
                let mut read = Vec::new();
                let result = blob.reader().read_to_end(&mut read);
                match unpacked {
                    Ok(Unpacked::Whole(length)) => {
                        result.unwrap();
                        assert_eq!(&buffer[..length], read);
                        Got::File(read)
                    }
                    Ok(Unpacked::Larger) => {
                        assert!(result.is_err() || read.len() > 1 << 22);
                        Got::Special("larger")
                    }
                    Err(fault) => Got::Cut(Vec::new(), fault.kind),
                }
            }
            Content::Stream(mut reader) => {
                let mut read = Vec::new();
                match reader.read_to_end(&mut read) {
                    Ok(_) => Got::File(read),
                    Err(error) => Got::Cut(read, fault_of(&error).kind),
                }
            }
            Content::Fault(fault) => {
                assert!(fault.message.len() > 20, "{fault:?} says what to do");
                Got::Cut(Vec::new(), fault.kind)
            }
            Content::Special(what) => Got::Special(what),
        };
        listing.members.push((member.name, got));
        let file_name = member.file_name.to_string_lossy().into_owned();
        listing.file_names.push(file_name);
    }
    assert!(packed.next().is_none(), "the end stays the end");
    listing
}

pub(crate) fn list_with(bytes: &[u8], name: &str, limits: Limits) -> Option<Listing> {
    let opened = Packed::from_bytes(bytes.to_vec(), name.as_bytes(), limits).unwrap();
    match opened {
        Ok(packed) => Some(list_all(packed)),
        Err(back) => {
            assert_eq!(back, bytes);
            None
        }
    }
}

/// What a packed file of some name gives.
pub(crate) fn list(bytes: &[u8], name: &str) -> Listing {
    list_with(bytes, name, Limits::default()).expect("it is packed")
}

/// The members of a sound archive.
pub(crate) fn files(members: &[(&str, &[u8])]) -> Vec<(String, Got)> {
    members
        .iter()
        .map(|(name, bytes)| ((*name).to_owned(), Got::File(bytes.to_vec())))
        .collect()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = write::GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 0);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = write::DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A way of packing, and the ending of names that goes with it.
pub(crate) type Codec = (&'static str, fn(&[u8]) -> Vec<u8>);

/// The ways of packing a single file.
pub(crate) const CODECS: [Codec; 4] = [("gz", gzip), ("zst", zstd), ("xz", xz), ("bz2", bzip2)];

/// Bytes that do not compress well, the same for the same seed.
pub(crate) fn noise(length: usize, mut seed: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length);
    while bytes.len() < length {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        bytes.push(b'a' + ((seed >> 40) % 19) as u8);
    }
    bytes
}

/// A tar archive of files.
pub(crate) fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

/// One member of a zip archive, and what is odd about it.
#[derive(Clone)]
pub(crate) struct Entry<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) method: u16,
    pub(crate) flags: u16,
    /// Unpacked.
    pub(crate) bytes: &'a [u8],
    pub(crate) packed: Vec<u8>,
    pub(crate) crc: u32,
    pub(crate) attributes: u32,
    /// Sizes after the data, in 4 or 8 bytes, with the signature or without.
    pub(crate) descriptor: Option<(bool, bool)>,
    /// Sizes in 64 bits.
    pub(crate) wide: bool,
}

/// A stored member.
pub(crate) fn stored<'a>(name: &'a str, bytes: &'a [u8]) -> Entry<'a> {
    let mut crc = Crc::new();
    crc.update(bytes);
    Entry {
        name: name.as_bytes(),
        method: 0,
        flags: 0,
        bytes,
        packed: bytes.to_vec(),
        crc: crc.sum(),
        attributes: 0,
        descriptor: None,
        wide: false,
    }
}

/// A member packed by deflate.
pub(crate) fn deflated<'a>(name: &'a str, bytes: &'a [u8]) -> Entry<'a> {
    Entry {
        method: 8,
        packed: deflate(bytes),
        ..stored(name, bytes)
    }
}

/// A zip archive under construction.
#[derive(Default)]
pub(crate) struct Zip {
    pub(crate) bytes: Vec<u8>,
    pub(crate) directory: Vec<u8>,
    pub(crate) entries: u64,
    /// Bytes in front that offsets do not count.
    pub(crate) before: usize,
}

const ALL: u32 = u32::MAX;

fn extra(fields: &[u64]) -> Vec<u8> {
    let mut extra = vec![1, 0];
    extra.extend((8 * fields.len() as u16).to_le_bytes());
    for field in fields {
        extra.extend(field.to_le_bytes());
    }
    extra
}

impl Zip {
    /// Adds a member, and its entry in the directory.
    pub(crate) fn add(&mut self, entry: &Entry<'_>) -> &mut Self {
        let offset = (self.bytes.len() - self.before) as u64;
        let (packed, size) = (entry.packed.len() as u64, entry.bytes.len() as u64);
        let mut flags = entry.flags;
        let mut local = (entry.crc, packed as u32, size as u32);
        let mut fields = Vec::new();
        if entry.wide {
            (local.1, local.2) = (ALL, ALL);
            fields = extra(&[size, packed]);
        }
        if entry.descriptor.is_some() {
            flags |= 8;
            local = (0, 0, 0);
            fields.clear();
        }
        self.bytes.extend(b"PK\x03\x04\x14\0");
        for field in [flags, entry.method, 0, 0] {
            self.bytes.extend(field.to_le_bytes());
        }
        for field in [local.0, local.1, local.2] {
            self.bytes.extend(field.to_le_bytes());
        }
        self.bytes.extend((entry.name.len() as u16).to_le_bytes());
        self.bytes.extend((fields.len() as u16).to_le_bytes());
        self.bytes.extend(entry.name);
        self.bytes.extend(&fields);
        self.bytes.extend(&entry.packed);
        if let Some((named, wide)) = entry.descriptor {
            if named {
                self.bytes.extend(b"PK\x07\x08");
            }
            self.bytes.extend(entry.crc.to_le_bytes());
            for field in [packed, size] {
                let length = if wide { 8 } else { 4 };
                self.bytes.extend(&field.to_le_bytes()[..length]);
            }
        }
        self.list(entry, flags, offset)
    }

    /// Adds an entry to the directory alone.
    pub(crate) fn list(&mut self, entry: &Entry<'_>, flags: u16, offset: u64) -> &mut Self {
        let (packed, size) = (entry.packed.len() as u64, entry.bytes.len() as u64);
        let fields = match entry.wide {
            true => extra(&[size, packed, offset]),
            false => Vec::new(),
        };
        let narrow = |field: u64| if entry.wide { ALL } else { field as u32 };
        let list = &mut self.directory;
        // Made on Unix, by version 2.0.
        list.extend(b"PK\x01\x02\x14\x03\x14\0");
        for field in [flags, entry.method, 0, 0] {
            list.extend(field.to_le_bytes());
        }
        for field in [entry.crc, narrow(packed), narrow(size)] {
            list.extend(field.to_le_bytes());
        }
        for field in [entry.name.len(), fields.len(), 0, 0, 0] {
            list.extend((field as u16).to_le_bytes());
        }
        list.extend(entry.attributes.to_le_bytes());
        list.extend(narrow(offset).to_le_bytes());
        list.extend(entry.name);
        list.extend(fields);
        self.entries += 1;
        self
    }

    /// The archive with a comment at its end; with the end record of 64 bits
    /// where it is `wide`.
    pub(crate) fn close(&self, comment: &[u8], wide: bool) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        let start = (bytes.len() - self.before) as u64;
        let size = self.directory.len() as u64;
        bytes.extend(&self.directory);
        if wide {
            let end = (bytes.len() - self.before) as u64;
            bytes.extend(b"PK\x06\x06");
            bytes.extend(44_u64.to_le_bytes());
            bytes.extend([45, 3, 45, 0]);
            bytes.extend([0; 8]);
            for field in [self.entries, self.entries, size, start] {
                bytes.extend(field.to_le_bytes());
            }
            bytes.extend(b"PK\x06\x07\0\0\0\0");
            bytes.extend(end.to_le_bytes());
            bytes.extend(1_u32.to_le_bytes());
        }
        let entries = if wide { u16::MAX } else { self.entries as u16 };
        let narrow = |field: u64| if wide { ALL } else { field as u32 };
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        bytes.extend(entries.to_le_bytes());
        bytes.extend(entries.to_le_bytes());
        bytes.extend(narrow(size).to_le_bytes());
        bytes.extend(narrow(start).to_le_bytes());
        bytes.extend((comment.len() as u16).to_le_bytes());
        bytes.extend(comment);
        bytes
    }
}

/// A zip archive of members.
pub(crate) fn zip(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut zip = Zip::default();
    for entry in entries {
        zip.add(entry);
    }
    zip.close(b"", false)
}
