//! The record that an origin names.

use std::{
    ffi::OsStr,
    fmt,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};

use crate::{
    format::{Reading, is_record_extension},
    pipeline::Cut,
    record::{Arena, Record},
    source::{Found, Selection, Walk, unescape},
};

/// Files of a folder that are looked at to find one that holds records.
const MAX_FILES: usize = 1000;

/// Which record of which file.
pub(super) struct Wanted {
    /// The file.
    pub(super) path: PathBuf,
    /// The escaped name of the member in it, or nothing for any.
    pub(super) member: String,
    pub(super) key: Key,
}

/// How an origin names a record in its file.
pub(super) enum Key {
    /// Not at all: the first is meant.
    Any,
    /// By its place, from 1.
    Index(u64),
    /// By its escaped id.
    Id(String),
}

impl Key {
    /// Whether it can be that of the row with this index.
    pub(super) const fn is_index(&self, index: u64) -> bool {
        match self {
            Self::Any => index == 1,
            Self::Index(wanted) => *wanted == index,
            Self::Id(_) => false,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("#1"),
            Self::Index(index) => write!(f, "#{index}"),
            Self::Id(id) => write!(f, "#id={id}"),
        }
    }
}

impl Wanted {
    /// Whether rows under a name are of the wanted member of a file.
    pub(super) fn is_in(&self, name: &str, file: &str) -> bool {
        let member = name.strip_prefix(file).unwrap_or(name);
        self.member.is_empty() || member.strip_prefix('!') == Some(&self.member)
    }

    /// Whether a record, the `count`th met, is the wanted one of a file or
    /// member; an index without a member counts through the archive.
    pub(super) fn is_named(&self, cut: &Cut<'_>, name: &str, count: u64) -> bool {
        match &self.key {
            Key::Any => true,
            Key::Index(index) if cut.file.name == name => *index == cut.index,
            Key::Index(index) => *index == count,
            Key::Id(id) => {
                let arena = Arena::default();
                let record = record_of(cut.read(&arena));
                cut.origin_of(&record).id.as_deref() == Some(id)
            }
        }
    }
}

pub(in crate::cli) fn record_of(reading: Reading<'_>) -> Record<'_> {
    match reading {
        Reading::Game(record) | Reading::NotAGame(record, _) | Reading::Broken(record, _) => record,
    }
}

/// The record that an origin names. One that leads nowhere is taken for a path
/// typed by hand, which may hold the signs that rows escape.
pub(super) fn find(origin: &str, root: Option<&PathBuf>) -> Result<Wanted> {
    let parsed = parse_origin(origin);
    let plain = PathBuf::from(origin);
    if origin != "-" && in_root(&plain, root).is_dir() {
        bail!("{}", about_folder(&plain, root));
    }
    match parsed {
        Ok(wanted) if wanted.path.as_os_str() == "-" || in_root(&wanted.path, root).is_file() => {
            Ok(wanted)
        }
        _ if in_root(&plain, root).is_file() => Ok(Wanted {
            path: plain,
            member: String::new(),
            key: Key::Any,
        }),
        parsed => parsed,
    }
}

/// What to say of an origin that names a folder.
fn about_folder(folder: &Path, root: Option<&PathBuf>) -> String {
    let mut selection = Selection::default();
    selection.root = root.cloned();
    let walk = Walk::new(vec![in_root(folder, root)], selection);
    let example = walk.take(MAX_FILES).find_map(|found| match found {
        Found::File(entry) => {
            let extension = entry.path.extension().and_then(OsStr::to_str);
            extension.is_some_and(is_record_extension).then_some(entry)
        }
        _ => None,
    });
    let folder = folder.display();
    match example {
        Some(entry) => format!(
            "{folder} is a folder; name one record, such as '{}' (kifu list {folder} shows all)",
            entry.name
        ),
        None => format!("{folder} is a folder; name one record (kifu list {folder} shows all)"),
    }
}

/// Where to open a path that is given from `root`.
pub(super) fn in_root(path: &Path, root: Option<&PathBuf>) -> PathBuf {
    match root {
        Some(root) if path.as_os_str() != "-" => root.join(path),
        _ => path.to_owned(),
    }
}

/// The parts of an origin: `path[!member][#index]` or `…#id=ID`.
fn parse_origin(origin: &str) -> Result<Wanted> {
    let (name, key) = match origin.rsplit_once('#') {
        None => (origin, Key::Any),
        Some((name, key)) => {
            let id = key.strip_prefix("id=").map(|id| Key::Id(id.to_owned()));
            let index = || key.parse().ok().filter(|index| *index > 0).map(Key::Index);
            let key = id.or_else(index).with_context(|| {
                format!(
                    "cannot read the origin '{origin}': write path, path#index or path!member#index, as rows do"
                )
            })?;
            (name, key)
        }
    };
    let (path, member) = name.split_once('!').unwrap_or((name, ""));
    Ok(Wanted {
        path: unescape(path),
        member: member.to_owned(),
        key,
    })
}
