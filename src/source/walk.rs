//! Finds the files of an archive, in the order of their rows.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use globset::{GlobBuilder, GlobMatcher};
use walkdir::{DirEntry, WalkDir};

use super::{
    origin::escape,
    shard::{Range, Shard},
};

/// One file to be read.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where to open it.
    pub path: PathBuf,
    /// Its name in rows.
    pub name: String,
    /// Whether the user named it, so that it is read whatever its name.
    pub named: bool,
    /// Whether it can be read only once, as standard input and pipes.
    pub once: bool,
    /// The packed file that it is a member of; `path` is its name in there.
    pub container: Option<Container>,
    /// The part of it that is read, if not all.
    pub range: Option<Box<Range>>,
}

/// A packed file that can be opened again.
#[derive(Clone, Debug)]
pub enum Container {
    /// A file of this path.
    File(Arc<Path>),
    /// Bytes in memory, under a path.
    Bytes(Arc<Path>, Arc<Vec<u8>>),
}

/// What a walk comes upon.
#[derive(Debug)]
pub enum Found {
    /// A file.
    File(Entry),
    /// Something that is not a regular file, such as a socket: not read.
    Special(Entry),
    /// A file or folder that cannot be looked at.
    Unreadable(Entry, io::Error),
    /// A link that leads back to a folder it lies in: not followed.
    Loop(PathBuf),
}

/// A pattern for paths: `*` and `?` within one component, `**` over several;
/// one without a `/` is for names in any folder.
///
/// # Errors
/// One sentence about a pattern that cannot be read.
pub fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    let anywhere = format!("**/{pattern}");
    let text = if pattern.contains('/') {
        pattern
    } else {
        &anywhere
    };
    let glob = GlobBuilder::new(text)
        .literal_separator(true)
        .build()
        .map_err(|error| format!("cannot read the pattern {pattern:?}: {}", error.kind()))?;
    Ok(glob.compile_matcher())
}

/// Which files of a folder are wanted.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Also files and folders whose names begin with a dot.
    pub hidden: bool,
    /// Names are given from this folder.
    pub root: Option<PathBuf>,
    globs: Vec<(bool, GlobMatcher)>,
    /// Folder and name of each file that is left out.
    left_out: Vec<(PathBuf, OsString)>,
}

impl Selection {
    /// Adds a pattern: `*.sgf`, `2019/**`, or `!bad/**` to leave files out.
    /// The last pattern that matches decides.
    ///
    /// # Errors
    /// One sentence about a pattern that cannot be read.
    pub fn add_glob(&mut self, pattern: &str) -> Result<(), String> {
        let (wanted, text) = match pattern.strip_prefix('!') {
            Some(rest) => (false, rest),
            None => (true, pattern),
        };
        self.globs.push((wanted, glob(text)?));
        Ok(())
    }

    /// Leaves some files and folders out: those that the run itself writes.
    pub fn leave_out(&mut self, files: &[PathBuf]) {
        for file in files {
            let folder = file
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize();
            if let (Ok(folder), Some(name)) = (folder, file.file_name()) {
                self.left_out.push((folder, name.to_owned()));
            }
        }
    }

    /// Whether a file is left out; its name is looked at first, as that is
    /// cheap.
    fn is_left_out(&self, entry: &DirEntry) -> bool {
        let folder = || entry.path().parent()?.canonicalize().ok();
        self.left_out
            .iter()
            .any(|(left, name)| name == entry.file_name() && folder().as_ref() == Some(left))
    }

    /// Whether the patterns want a file, by its path inside the folder that
    /// the user named.
    fn accepts_in(&self, root: &Path, path: &Path) -> bool {
        self.globs.is_empty() || self.accepts(path.strip_prefix(root).unwrap_or(path))
    }

    fn accepts(&self, path: &Path) -> bool {
        let last = self
            .globs
            .iter()
            .rev()
            .find(|(_, glob)| glob.is_match(path));
        match last {
            Some((wanted, _)) => *wanted,
            None => self.globs.iter().all(|(wanted, _)| !wanted),
        }
    }

    fn name(&self, path: &Path) -> String {
        let shown = self
            .root
            .as_deref()
            .and_then(|root| path.strip_prefix(root).ok());
        escape(shown.unwrap_or(path))
    }

    fn entry(&self, path: PathBuf, named: bool) -> Entry {
        Entry {
            name: self.name(&path),
            path,
            named,
            once: false,
            container: None,
            range: None,
        }
    }

    /// Standard input, or something else that gives its bytes only once.
    fn pipe(&self, path: PathBuf) -> Entry {
        Entry {
            once: true,
            ..self.entry(path, true)
        }
    }
}

/// Walks over some paths, each a file or a folder, in the order of their
/// components; a path that lies in another one is walked once.
pub struct Walk {
    selection: Selection,
    roots: std::vec::IntoIter<PathBuf>,
    folder: Option<(PathBuf, walkdir::IntoIter)>,
    /// What a manifest lists, instead.
    listed: std::vec::IntoIter<Entry>,
    /// The shard whose files are met, if not all.
    shard: Option<Shard>,
}

impl Walk {
    /// Prepares a walk; nothing is opened yet.
    #[must_use]
    pub fn new(paths: Vec<PathBuf>, selection: Selection) -> Self {
        // Sorted by components, a path comes right after the ones it lies in.
        let mut sorted: BTreeMap<Vec<Vec<u8>>, PathBuf> = BTreeMap::new();
        for path in paths {
            let parts = components(&path).map(<[u8]>::to_vec).collect();
            sorted.entry(parts).or_insert(path);
        }
        let mut roots: Vec<PathBuf> = Vec::with_capacity(sorted.len());
        let mut cover: Option<Vec<Vec<u8>>> = None;
        for (parts, path) in sorted {
            if cover.as_ref().is_some_and(|cover| covers(cover, &parts)) {
                continue;
            }
            cover = Some(parts);
            roots.push(path);
        }
        Self {
            selection,
            roots: roots.into_iter(),
            folder: None,
            listed: Vec::new().into_iter(),
            shard: None,
        }
    }

    /// Meets only the files of a shard.
    #[must_use]
    pub const fn of_shard(mut self, shard: Option<Shard>) -> Self {
        self.shard = shard;
        self
    }

    /// Meets what a manifest lists, as a walk met it.
    #[must_use]
    pub fn listed(entries: Vec<Entry>) -> Self {
        Self {
            listed: entries.into_iter(),
            ..Self::new(Vec::new(), Selection::default())
        }
    }

    fn open_root(&mut self, root: PathBuf) -> Option<Found> {
        if root.as_os_str() == "-" {
            return Some(Found::File(self.selection.pipe(root)));
        }
        match std::fs::metadata(&root) {
            Ok(metadata) if metadata.is_dir() => {
                let walk = WalkDir::new(&root)
                    .min_depth(1)
                    .follow_links(true)
                    .sort_by_file_name();
                self.folder = Some((root, walk.into_iter()));
                None
            }
            Ok(metadata) if metadata.is_file() => {
                Some(Found::File(self.selection.entry(root, true)))
            }
            // A pipe that the user names is read, from its start to its end.
            Ok(_) => Some(Found::File(self.selection.pipe(root))),
            Err(error) => Some(Found::Unreadable(self.selection.entry(root, true), error)),
        }
    }

    /// The next entry of the open folder that is worth a row.
    fn next_in_folder(&mut self) -> Option<Found> {
        let (root, walk) = self.folder.as_mut()?;
        let root = &*root;
        loop {
            match walk.next()? {
                Ok(entry) => {
                    let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
                    if hidden && !self.selection.hidden {
                        if entry.file_type().is_dir() {
                            walk.skip_current_dir();
                        }
                        continue;
                    }
                    let kind = entry.file_type();
                    let left_out = self.selection.is_left_out(&entry);
                    if kind.is_dir() {
                        if left_out {
                            walk.skip_current_dir();
                        }
                        continue;
                    }
                    if left_out {
                        continue;
                    }
                    let path = entry.into_path();
                    if !self.selection.accepts_in(root, &path) {
                        continue;
                    }
                    let entry = self.selection.entry(path, false);
                    return Some(if kind.is_file() {
                        Found::File(entry)
                    } else {
                        Found::Special(entry)
                    });
                }
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_owned();
                    if error.loop_ancestor().is_some() {
                        return Some(Found::Loop(path));
                    }
                    let hidden = path
                        .file_name()
                        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
                    if hidden && !self.selection.hidden {
                        continue;
                    }
                    // A link that leads nowhere stands for a file; a folder
                    // that cannot be opened may hold any.
                    if !self.selection.accepts_in(root, &path) && path.is_symlink() {
                        continue;
                    }
                    let error = error
                        .into_io_error()
                        .unwrap_or_else(|| io::Error::other("cannot be walked"));
                    return Some(Found::Unreadable(self.selection.entry(path, false), error));
                }
            }
        }
    }
}

/// How a file that is listed is met: it may have gone since.
fn look(entry: Entry) -> Found {
    if entry.range.is_some() {
        // The row of a range that cannot be read has its index.
        return Found::File(entry);
    }
    match std::fs::metadata(&entry.path) {
        Ok(metadata) if metadata.is_file() => Found::File(entry),
        Ok(metadata) if metadata.is_dir() => {
            // What kept it from being walked may have ended.
            let error = std::fs::read_dir(&entry.path).err();
            let error = error.unwrap_or_else(|| {
                io::Error::other("a folder that could not be walked, and now can: plan again")
            });
            Found::Unreadable(entry, error)
        }
        Ok(_) => Found::Special(entry),
        Err(error) => Found::Unreadable(entry, error),
    }
}

impl Iterator for Walk {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        if let Some(entry) = self.listed.next() {
            return Some(look(entry));
        }
        let shard = self.shard;
        let is_mine = |found: &Found| match found {
            Found::File(entry) | Found::Special(entry) | Found::Unreadable(entry, _) => {
                shard.is_none_or(|shard| shard.takes(&entry.name))
            }
            Found::Loop(_) => true,
        };
        loop {
            let found = self.next_found()?;
            if is_mine(&found) {
                return Some(found);
            }
        }
    }
}

impl Walk {
    fn next_found(&mut self) -> Option<Found> {
        loop {
            if self.folder.is_some() {
                if let Some(found) = self.next_in_folder() {
                    return Some(found);
                }
                self.folder = None;
            }
            let root = self.roots.next()?;
            if let Some(found) = self.open_root(root) {
                return Some(found);
            }
        }
    }
}

/// What paths are sorted by: components parted by zeros, which no name holds, so that
/// comparing bytes is comparing components.
#[must_use]
pub fn sort_key(path: &Path) -> Vec<u8> {
    let mut key = Vec::with_capacity(path.as_os_str().len() + 1);
    for part in components(path) {
        key.extend_from_slice(part);
        key.push(0);
    }
    key
}

/// Whether one path lies in another, by their components; `..` leads out again, and
/// what is absolute does not lie in `.`, which has none.
fn covers(cover: &[Vec<u8>], parts: &[Vec<u8>]) -> bool {
    let leads_out = |part: &Vec<u8>| part == b".." || part == b"/";
    parts
        .strip_prefix(cover)
        .is_some_and(|rest| !rest.iter().any(leads_out))
}

/// The components of a path as bytes, `.` left out: a walk is in their order.
fn components(path: &Path) -> impl Iterator<Item = &[u8]> {
    path.components()
        .filter(|component| !matches!(component, Component::CurDir))
        .map(|component| component.as_os_str().as_encoded_bytes())
}
