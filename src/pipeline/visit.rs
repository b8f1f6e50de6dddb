//! Reads through one file on one thread, whatever it is packed in.

use std::{
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use super::{
    Plan,
    cutter::{Bare, Cutter, Part},
    file::head,
    labeller::Cut,
};
use crate::{
    label::Status,
    record::ReadError,
    source::{
        Container, Entry, WHOLE, escape,
        packed::{self, Blob, Content, Member, Opened, Packed, Unpacked, is_damage},
    },
};

/// What a file holds.
pub enum Met<'a> {
    /// A record.
    Record(Cut<'a>),
    /// Something that gets a row without being a record.
    Bare(Bare),
}

/// Takes what a file holds; says whether it wants more.
pub type Each<'e> = dyn FnMut(Met<'_>) -> bool + 'e;

/// Meets everything in a file, in order, until `each` wants no more; whether
/// it wanted all of it.
pub fn visit(plan: &Plan, entry: &Entry, each: &mut Each<'_>) -> bool {
    match open(plan, entry) {
        Ok(Opened::Plain(reader)) => visit_stream(Cutter::new(plan, entry, reader), each),
        Ok(Opened::Packed(packed)) => visit_packed(plan, entry, packed, each),
        Err(error) => visit_stream(Cutter::failed(entry, &error), each),
    }
}

/// Meets everything in some bytes, packed or not, under a path: as in a file of
/// that path that a walk comes upon. Nothing lies beside it but what the plan
/// has.
pub(crate) fn visit_bytes(plan: &Plan, path: &Path, bytes: &[u8], each: &mut Each<'_>) -> bool {
    let path = match path.as_os_str().is_empty() {
        true => Path::new("-"),
        false => path,
    };
    let mut entry = Entry {
        path: path.to_owned(),
        name: escape(path),
        named: false,
        // There is no file that could be opened again.
        once: true,
        container: None,
        range: None,
    };
    let name = path.as_os_str().as_encoded_bytes();
    let head = head(path, bytes);
    // Of small files only the bytes are asked, as workers do.
    if packed::recognise(head).is_none()
        && (bytes.len() <= WHOLE || packed::packing(head, name).is_none())
    {
        return visit_stream(Cutter::new(plan, &entry, Box::new(bytes)), each);
    }
    let shared = Arc::new(bytes.to_vec());
    match Packed::from_shared(&shared, name, plan.limits) {
        Ok(Some(packed)) => {
            entry.container = Some(Container::Bytes(Arc::from(path), shared));
            visit_packed(plan, &entry, Box::new(packed), each)
        }
        Ok(None) => visit_stream(Cutter::new(plan, &entry, Box::new(bytes)), each),
        Err(error) => visit_stream(Cutter::failed(&entry, &error), each),
    }
}

/// Meets the records of a stream.
pub(super) fn visit_stream(mut cutter: Cutter<'_>, each: &mut Each<'_>) -> bool {
    while let Some(part) = cutter.next() {
        let going = match part {
            Part::Window(window) => window.cuts().all(|cut| each(Met::Record(cut))),
            Part::Bare(bare) => each(Met::Bare(bare)),
        };
        if !going {
            return false;
        }
    }
    true
}

/// Meets the records of all members of a packed file.
pub(super) fn visit_packed(
    plan: &Plan,
    entry: &Entry,
    packed: Box<Packed>,
    each: &mut Each<'_>,
) -> bool {
    let mut buffer = Vec::new();
    let mut members = Members::new(entry.clone(), packed);
    while let Some((member, inside)) = members.next(plan) {
        let going = match inside {
            Inside::Bare(status, error) => each(Met::Bare(Bare::new(member.name, status, error))),
            Inside::Blob(blob) => match unpack(&blob, &mut buffer) {
                Ok(Some(length)) => {
                    let bytes = buffer.get(..length).unwrap_or_default();
                    visit_stream(Cutter::new(plan, &member, Box::new(bytes)), each)
                }
                Ok(None) => visit_stream(Cutter::new(plan, &member, blob.reader()), each),
                Err(error) => each(Met::Bare(Bare::new(member.name, Status::Broken, error))),
            },
            Inside::Stream(reader) => visit_stream(Cutter::new(plan, &member, reader), each),
        };
        if !going {
            return false;
        }
    }
    true
}

/// Unpacks a small member into a buffer: how long it is, or nothing where it is
/// better read as a stream, being larger than thought or damaged.
pub(super) fn unpack(blob: &Blob, buffer: &mut Vec<u8>) -> Result<Option<usize>, ReadError> {
    match blob.unpack(buffer, WHOLE) {
        Ok(Unpacked::Whole(length)) => Ok(Some(length)),
        Ok(Unpacked::Larger) => Ok(None),
        Err(fault) if is_damage(&fault) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// What a member holds, or why it is not read.
pub(super) enum Inside {
    /// Packed bytes, few enough to be unpacked anywhere.
    Blob(Blob),
    /// Unpacked bytes as they come.
    Stream(Box<dyn Read>),
    /// Nothing that is read.
    Bare(Status, ReadError),
}

/// The members of a packed file, as entries of their own.
pub(super) struct Members {
    entry: Entry,
    packed: Box<Packed>,
    /// Whether any was met.
    any: bool,
}

impl Members {
    pub(super) const fn new(entry: Entry, packed: Box<Packed>) -> Self {
        Self {
            entry,
            packed,
            any: false,
        }
    }

    /// The next member; hidden ones are passed over as in folders. Where there
    /// is none at all, the packed file has a row of its own.
    pub(super) fn next(&mut self, plan: &Plan) -> Option<(Entry, Inside)> {
        let next = loop {
            match self.packed.next() {
                Some(Ok(member))
                    if !plan.hidden && is_hidden(&member) && !ends_archive(&member) => {}
                Some(Ok(member)) => break Some(self.named(member)),
                Some(Err(error)) => {
                    break Some((self.entry.clone(), Inside::Bare(Status::Broken, error)));
                }
                None => break None,
            }
        };
        let next = next.or_else(|| {
            let error = ReadError::new("special_file", "no file in it is read");
            (!self.any).then(|| (self.entry.clone(), Inside::Bare(Status::Skipped, error)))
        });
        self.any = true;
        next
    }

    /// A member as an entry, and what it holds.
    fn named(&self, member: Member) -> (Entry, Inside) {
        let Self { entry, .. } = self;
        let inside = match member.content {
            Content::Blob(blob) => Inside::Blob(blob),
            Content::Stream(reader) => Inside::Stream(reader),
            Content::Fault(error) => Inside::Bare(Status::Broken, error),
            Content::Special(what) => {
                Inside::Bare(Status::Skipped, ReadError::new("special_file", what))
            }
        };
        let path = member.file_name;
        let named = if member.name.is_empty() {
            // What is only compressed lies where its compressed form lies.
            Entry {
                path: entry
                    .path
                    .with_file_name(path.file_name().unwrap_or_default()),
                container: None,
                ..entry.clone()
            }
        } else {
            Entry {
                name: format!("{}!{}", entry.name, member.name),
                path,
                named: false,
                once: entry.once,
                container: entry.container.clone().or_else(|| {
                    let path = entry.path.as_path();
                    (!entry.once).then(|| Container::File(Arc::from(path)))
                }),
                range: None,
            }
        };
        (named, inside)
    }
}

/// Whether a name in the path of a member begins with a dot, as those do that
/// some systems add beside every file.
fn is_hidden(member: &Member) -> bool {
    member
        .file_name
        .components()
        .any(|component| match component {
            std::path::Component::Normal(name) => name.as_encoded_bytes().starts_with(b"."),
            _ => false,
        })
}

/// Whether a member tells that the archive breaks off in it, which nothing else
/// tells.
fn ends_archive(member: &Member) -> bool {
    matches!(&member.content, Content::Fault(fault) if fault.kind == "truncated")
}

/// Opens a file, or standard input for `-`, and looks whether it is packed.
///
/// # Errors
/// As [`Packed::open`].
pub(super) fn open(plan: &Plan, entry: &Entry) -> io::Result<Opened> {
    if entry.path.as_os_str() == "-" {
        return Packed::from_reader(Box::new(io::stdin().lock()), b"-", plan.limits);
    }
    Packed::open(&entry.path, plan.limits)
}
