//! Packed files: archives and compressed files, opened as they are read.
//!
//! ```text
//! zip, tar ────────────────────────► members
//! gz, zst, xz, bz2 ──► one stream ──► itself, or members where it is a tar
//! ```
//!
//! What is packed inside a packed file is opened too, one level deep. Members
//! come in the order of the archive. Memory does not grow with the archive but
//! for the names: see [`Packed`]. Nothing is written to disk but a zip archive
//! that comes from a pipe or from another archive, and is larger than 16 MiB:
//! into a temporary file without a name.

mod blob;
mod codec;
mod fault;
mod input;
mod limits;
mod member;
mod names;
mod recognise;
mod tar;
mod unpack;
mod zip;

use std::{
    fs::File,
    io::{self, Cursor, Read, Seek},
    path::Path,
    rc::Rc,
    sync::Arc,
};

pub use self::{
    blob::{Blob, Unpacked},
    fault::{fault_of, is_damage},
    limits::Limits,
    member::{Content, Member},
    names::split_repeat,
    recognise::{HEAD, Packing, is_archive_name, is_packed_name, recognise, unread_packing},
};
use self::{
    fault::nested_too_deep,
    input::{Buffered, Input},
    limits::{Counted, Meter, Metered},
    member::{Body, Raw},
    names::Names,
    recognise::{ends_with, is_plain_name, unpacked_name},
    unpack::Unpacker,
    zip::Seekable,
};
use super::origin::{escape_bytes, path_of};
use crate::record::ReadError;

/// Larger zip archives that cannot be read here and there as they are go into a
/// temporary file.
const IN_MEMORY: usize = 16 << 20;

/// What came of opening something that may be packed.
pub enum Opened {
    /// It is packed.
    Packed(Box<Packed>),
    /// It is not; this gives all its bytes.
    Plain(Box<dyn Read>),
}

/// An opened packed file, which gives its members one after the other.
///
/// It keeps a hash of each member's name, to tell repeated names apart: 9 to 18
/// bytes a member.
pub struct Packed {
    outer: Container,
    names: Names,
    /// A packed member that is open.
    inner: Option<Inner>,
    meter: Rc<Meter>,
    /// Whether something was just opened: what is wrong with its first bytes is
    /// not told yet.
    fresh: bool,
    /// Whether it had any member.
    met: bool,
    done: bool,
}

/// A packed member that is open.
struct Inner {
    name: String,
    container: Container,
    names: Names,
    /// Whether it gave anything yet.
    met: bool,
}

impl Packed {
    /// Opens a file. A zip archive may have other bytes in front where its name
    /// ends in `.zip` or `.exe`.
    ///
    /// # Errors
    /// As [`File::open`] and [`Read::read`].
    pub fn open(path: &Path, limits: Limits) -> io::Result<Opened> {
        let mut file = File::open(path)?;
        let name = path.as_os_str().as_encoded_bytes();
        // A pipe gives its bytes only once.
        if !file.metadata()?.is_file() {
            return Self::from_reader(Box::new(file), name, limits);
        }
        let head = read_head(&mut file)?;
        file.rewind()?;
        match packing(&head, name) {
            Some(Packing::Zip) => Self::open_zip(Box::new(file), limits),
            packing => Self::open_stream(packing, Box::new(file), name, limits),
        }
    }

    /// Opens what a reader gives, under the name of a file. A zip archive is
    /// read to its end first.
    ///
    /// # Errors
    /// As [`Read::read`], and where a temporary file cannot be written.
    pub fn from_reader(
        mut reader: Box<dyn Read>,
        file_name: &[u8],
        limits: Limits,
    ) -> io::Result<Opened> {
        let head = read_head(&mut reader)?;
        let packing = packing(&head, file_name);
        let whole = Box::new(Cursor::new(head).chain(reader));
        match packing {
            Some(Packing::Zip) => Self::open_zip(spool(whole)?, limits),
            packing => Self::open_stream(packing, whole, file_name, limits),
        }
    }

    fn open_zip(bytes: Box<dyn Seekable>, limits: Limits) -> io::Result<Opened> {
        Ok(match Self::zip(bytes, Meter::new(limits))? {
            Ok(packed) => Opened::Packed(Box::new(packed)),
            Err(bytes) => Opened::Plain(Box::new(bytes)),
        })
    }

    fn open_stream(
        packing: Option<Packing>,
        reader: Box<dyn Read>,
        name: &[u8],
        limits: Limits,
    ) -> io::Result<Opened> {
        let Some(packing) = packing else {
            return Ok(Opened::Plain(reader));
        };
        let packed = Self::stream(packing, reader, name, Meter::new(limits))?;
        Ok(Opened::Packed(Box::new(packed)))
    }

    /// Opens a file that was read whole; gives the bytes back where they are
    /// not packed.
    ///
    /// # Errors
    /// Where a decoder cannot be made.
    pub fn from_bytes(
        bytes: Vec<u8>,
        file_name: &[u8],
        limits: Limits,
    ) -> io::Result<Result<Self, Vec<u8>>> {
        let bytes = Arc::new(bytes);
        let opened = Self::from_shared(&bytes, file_name, limits)?;
        Ok(opened.ok_or_else(|| Arc::unwrap_or_clone(bytes)))
    }

    /// Opens bytes that others use as well; none where they are not packed.
    ///
    /// # Errors
    /// Where a decoder cannot be made.
    pub fn from_shared(
        bytes: &Arc<Vec<u8>>,
        file_name: &[u8],
        limits: Limits,
    ) -> io::Result<Option<Self>> {
        let head = bytes.get(..HEAD).unwrap_or(bytes);
        let packing = packing(head, file_name);
        let reader = Box::new(Cursor::new(Shared(Arc::clone(bytes))));
        let meter = Meter::new(limits);
        Ok(match packing {
            Some(Packing::Zip) => Self::zip(reader, meter)?.ok(),
            Some(packing) => Some(Self::stream(packing, reader, file_name, meter)?),
            None => None,
        })
    }

    fn zip(
        bytes: Box<dyn Seekable>,
        meter: Rc<Meter>,
    ) -> io::Result<Result<Self, Box<dyn Seekable>>> {
        let opened = zip::Archive::open(bytes, Rc::clone(&meter))?;
        Ok(opened.map(|archive| {
            meter.read(archive.length());
            Self::new(Container::Zip(archive), meter)
        }))
    }

    fn stream(
        packing: Packing,
        reader: Box<dyn Read>,
        name: &[u8],
        meter: Rc<Meter>,
    ) -> io::Result<Self> {
        let reader = Box::new(Counted {
            reader,
            meter: Rc::clone(&meter),
        });
        let container = Container::open(packing, reader, name, &meter)?;
        Ok(Self::new(container, meter))
    }

    fn new(outer: Container, meter: Rc<Meter>) -> Self {
        Self {
            outer,
            names: Names::default(),
            inner: None,
            meter,
            fresh: true,
            met: false,
            done: false,
        }
    }

    /// The next member. An error is a fault of the file as a whole: it is given
    /// once, and nothing after it. A fault that a stream of a member gave is
    /// not given again.
    #[expect(
        clippy::should_implement_trait,
        reason = "a stream must be read before the next member is asked for"
    )]
    pub fn next(&mut self) -> Option<Result<Member, ReadError>> {
        loop {
            // Whoever met a limit was told of it.
            let fresh = std::mem::take(&mut self.fresh);
            if self.done || (self.meter.is_spent() && !fresh) {
                return None;
            }
            if let Some(inner) = &mut self.inner {
                if let Some(member) = inner.next(&self.meter) {
                    return Some(Ok(member));
                }
                self.inner = None;
                continue;
            }
            let single = self.outer.is_single();
            let raw = match self.outer.next() {
                Some(Ok(raw)) => raw,
                Some(Err(fault)) => {
                    self.done = true;
                    return Some(Err(fault));
                }
                None => {
                    self.done = true;
                    return (!self.met).then(|| Ok(member(String::new(), &[], NO_MEMBERS)));
                }
            };
            self.met = true;
            let name = if single {
                String::new()
            } else {
                self.names.unique(shown(&raw.name))
            };
            match examine(raw, &self.meter, false) {
                Examined::Member(file_name, content) => {
                    return Some(Ok(member(name, &file_name, content)));
                }
                Examined::Packed(container) => {
                    self.fresh = true;
                    self.inner = Some(Inner {
                        name,
                        container,
                        names: Names::default(),
                        met: false,
                    });
                }
            }
        }
    }
}

impl Inner {
    /// The next member; a fault of the whole is one, too.
    fn next(&mut self, meter: &Rc<Meter>) -> Option<Member> {
        let single = self.container.is_single();
        let raw = match self.container.next() {
            Some(Ok(raw)) => raw,
            Some(Err(fault)) => {
                self.met = true;
                let name = self.name.clone();
                return Some(member(name, &[], Content::Fault(fault)));
            }
            None if self.met => return None,
            None => {
                self.met = true;
                return Some(member(self.name.clone(), &[], NO_MEMBERS));
            }
        };
        self.met = true;
        let mut name = self.name.clone();
        if !single {
            if !name.is_empty() {
                name.push('!');
            }
            name.push_str(&self.names.unique(shown(&raw.name)));
        }
        match examine(raw, meter, true) {
            Examined::Member(file_name, content) => Some(member(name, &file_name, content)),
            // Not given for what is so deep.
            Examined::Packed(_) => None,
        }
    }
}

/// What stands for the members of an archive that has none.
const NO_MEMBERS: Content = Content::Special("archive without members");

/// The name of a member as rows show it.
#[must_use]
pub fn shown(mut name: &[u8]) -> String {
    while let Some(rest) = name.strip_prefix(b"./") {
        name = rest;
    }
    match name {
        [] => ".".to_owned(),
        name => escape_bytes(name),
    }
}

fn member(name: String, file_name: &[u8], content: Content) -> Member {
    Member {
        name,
        file_name: path_of(file_name),
        content,
    }
}

/// How to come from one member to the next.
enum Container {
    Tar(tar::Archive),
    Zip(zip::Archive),
    /// A compressed file: its name without the ending, and its content.
    Single(Option<(Vec<u8>, Box<dyn Read>)>),
}

impl Container {
    /// Opens what a reader gives.
    fn open(
        packing: Packing,
        reader: Box<dyn Read>,
        name: &[u8],
        meter: &Rc<Meter>,
    ) -> io::Result<Self> {
        let Some(codec) = packing.codec() else {
            if packing == Packing::Tar {
                let input = Buffered::new(reader);
                return Ok(Self::Tar(tar::Archive::new(input, Rc::clone(meter), false)));
            }
            let archive = zip::Archive::open(spool(reader)?, Rc::clone(meter))?;
            return archive
                .map(Self::Zip)
                .map_err(|_| io::Error::other("not a zip archive after all"));
        };
        let input = Buffered::new(reader);
        let unpacker = Unpacker::new(input, codec, 0, meter.limits().window)?;
        let mut content = Buffered::new(Box::new(Metered {
            reader: unpacker,
            meter: Rc::clone(meter),
        }));
        // A fault comes again when the content is read.
        let is_tar = match content.peek(HEAD) {
            Ok(head) => packing_of_tar(head, name),
            Err(_) => is_archive_name(name),
        };
        Ok(if is_tar {
            Self::Tar(tar::Archive::new(content, Rc::clone(meter), true))
        } else {
            let name = unpacked_name(name).to_vec();
            Self::Single(Some((name, Box::new(content))))
        })
    }

    fn next(&mut self) -> Option<Result<Raw, ReadError>> {
        match self {
            Self::Tar(archive) => archive.next(),
            Self::Zip(archive) => archive.next(),
            Self::Single(content) => content.take().map(|(name, content)| {
                Ok(Raw {
                    name,
                    body: Body::Stream(content),
                })
            }),
        }
    }

    const fn is_single(&self) -> bool {
        matches!(self, Self::Single(_))
    }
}

/// What a member turns out to be.
enum Examined {
    /// What it is, and the name by which a format is chosen.
    Member(Vec<u8>, Content),
    /// Packed itself.
    Packed(Container),
}

/// Looks whether a member is itself packed. One that is `deep`, that lies in a
/// packed file in a packed file, must not be.
fn examine(raw: Raw, meter: &Rc<Meter>, deep: bool) -> Examined {
    let Raw { name, body } = raw;
    let limits = meter.limits();
    let (packing, reader): (Packing, Box<dyn Read>) = match body {
        Body::Fault(fault) => return Examined::Member(name, Content::Fault(fault)),
        Body::Special(what) => return Examined::Member(name, Content::Special(what)),
        Body::Stream(reader) => {
            let mut content = Buffered::new(reader);
            // A fault comes again when the content is read.
            let head = content.peek(HEAD).unwrap_or_default();
            match recognise(head) {
                None => return Examined::Member(name, Content::Stream(Box::new(content))),
                Some(packing) => (packing, Box::new(content)),
            }
        }
        Body::Packed(blob) if deep || !is_packed_name(&name) => {
            let blob = Blob { deep, ..blob };
            return Examined::Member(name, Content::Blob(blob));
        }
        Body::Packed(blob) => {
            let mut bytes = Vec::new();
            // Its size was declared, and is small.
            if let Err(error) = blob.reader().read_to_end(&mut bytes) {
                return Examined::Member(name, Content::Fault(fault_of(&error)));
            }
            let raw = Raw {
                name,
                body: Body::Plain(bytes, 0),
            };
            return examine(raw, meter, deep);
        }
        Body::Plain(bytes, start) => {
            let packing = recognise(bytes.get(..HEAD).unwrap_or(&bytes));
            let codec = packing.and_then(Packing::codec);
            // What holds a file by its name need not be looked into here.
            let named = codec.is_some() && is_plain_name(unpacked_name(&name));
            match packing {
                Some(packing) if deep || !named => (packing, Box::new(Cursor::new(bytes))),
                _ => {
                    let file_name = match codec {
                        Some(_) => unpacked_name(&name).to_vec(),
                        None => name,
                    };
                    let blob = Blob {
                        bytes,
                        codec,
                        check: None,
                        start,
                        limits,
                        deep: true,
                    };
                    return Examined::Member(file_name, Content::Blob(blob));
                }
            }
        }
    };
    if deep {
        let fault = nested_too_deep(packing.name());
        return Examined::Member(name, Content::Fault(fault));
    }
    match Container::open(packing, reader, &name, meter) {
        Ok(container) => Examined::Packed(container),
        Err(error) => Examined::Member(name, Content::Fault(fault_of(&error))),
    }
}

/// The first bytes of a file.
fn read_head(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    reader.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// How a file is packed: by its first bytes, or by its name where these may be
/// anything.
#[must_use]
pub fn packing(head: &[u8], name: &[u8]) -> Option<Packing> {
    let by_name = || {
        if packing_of_tar(head, name) {
            Some(Packing::Tar)
        } else if ends_with(name, "zip") || (ends_with(name, "exe") && head.starts_with(b"MZ")) {
            Some(Packing::Zip)
        } else {
            None
        }
    };
    recognise(head).or_else(by_name)
}

/// Whether some bytes begin an archive. One without members begins with zeros,
/// as other files may: there the name decides.
fn packing_of_tar(head: &[u8], name: &[u8]) -> bool {
    let head = head.get(..HEAD).unwrap_or(head);
    let blank = head.len() == HEAD && head.iter().all(|byte| *byte == 0);
    recognise(head) == Some(Packing::Tar)
        || (blank && (is_archive_name(name) && !ends_with(name, "zip")))
}

/// Puts bytes where they can be read here and there.
fn spool(mut reader: Box<dyn Read>) -> io::Result<Box<dyn Seekable>> {
    let mut spooled = tempfile::SpooledTempFile::new(IN_MEMORY);
    io::copy(&mut reader, &mut spooled)?;
    spooled.rewind()?;
    Ok(Box::new(spooled))
}

/// Bytes that can be had back after they were read.
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
