//! One file of records: what it is and how it is read.

use std::{
    borrow::Cow,
    io::{self, Cursor, Read},
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use globset::GlobMatcher;

use super::Plan;
use crate::{
    format::{self, Chosen, Companion, Context, FORMATS, Format, SplitState},
    game::{self, Game},
    label::Status,
    record::{Charset, ReadError, Record},
    source::{
        Container, Entry, charset,
        packed::{self, Content, Opened, Packed},
    },
};

/// A file, member or stream of records, and how its records are read.
#[derive(Clone)]
pub struct RecordFile {
    /// Its escaped name in rows.
    pub name: String,
    /// What it is.
    pub format: &'static dyn Format,
    /// Why it is taken for that.
    pub chosen: Chosen,
    /// What readers need to know.
    pub context: Context,
    /// The game of its records, where the user says so.
    pub game: Option<&'static dyn Game>,
    /// Profiles that may hold for its records, strongest first.
    pub(super) profiles: Vec<usize>,
}

/// How the files of some paths are read, as the configuration says.
#[derive(Clone)]
pub struct InputRule {
    /// The paths, as rows name them; a member of a packed file lies in it as
    /// in a folder.
    pub paths: GlobMatcher,
    /// Their format.
    pub format: Option<&'static dyn Format>,
    /// Their encoding.
    pub charset: Option<Charset>,
    /// Their game.
    pub game: Option<&'static dyn Game>,
    /// Columns and rows of their boards.
    pub size: Option<(u8, u8)>,
}

impl InputRule {
    fn matches(&self, path: &str) -> bool {
        self.paths.is_match(path)
    }
}

/// A name as patterns see it: a packed file is a folder.
fn as_path(name: &str) -> Cow<'_, str> {
    if name.contains('!') {
        let (name, _) = packed::split_repeat(name);
        Cow::Owned(name.replace('!', "/"))
    } else {
        Cow::Borrowed(name)
    }
}

/// Why a file gives no record: the status and error of its row.
pub(super) type Refusal = (Status, ReadError);

impl RecordFile {
    /// A file of a format, read as a plan says and without a look at it.
    #[must_use]
    pub fn new(name: impl Into<String>, format: &'static dyn Format, plan: &Plan) -> Self {
        let name = name.into();
        Self {
            format,
            chosen: Chosen::Flag,
            context: Context {
                path: as_path(&name).into_owned(),
                ..plan.context.clone()
            },
            game: plan.game,
            profiles: plan.profiles.of_file(&as_path(&name)),
            name,
        }
    }

    /// The game of a record: as the user says, else as it says itself, else the
    /// first that has its rules.
    #[must_use]
    pub fn game_of(&self, record: &Record<'_>) -> &'static dyn Game {
        let by_rules = || {
            let rules = record.text(record.rules?);
            let mut games = game::GAMES.iter().copied();
            games.find(|game| game.has_rules(&rules))
        };
        self.game
            .or_else(|| record.game.and_then(game::by_name))
            .or_else(by_rules)
            .unwrap_or(game::GAMES[0])
    }

    /// What a file is that begins like this.
    pub(super) fn choose(plan: &Plan, entry: &Entry, head: &[u8]) -> Result<Self, Refusal> {
        let mut context = plan.context.clone();
        let mut game = plan.game;
        let mut forced = plan.format.map(|format| (format, Chosen::Flag));
        let path = as_path(&entry.name);
        context.path = path.to_string();
        let rule = plan.inputs.iter().rev().find(|rule| rule.matches(&path));
        if let Some(rule) = rule {
            forced = forced.or(rule.format.map(|format| (format, Chosen::Config)));
            context.charset = context.charset.or(rule.charset);
            context.size = context.size.or(rule.size);
            game = game.or(rule.game);
        }
        let (format, chosen) = forced
            .or_else(|| format::choose(&entry.path, head))
            .ok_or_else(|| no_format(entry, head))?;
        context.companion = companion(plan, entry, format);
        Ok(Self {
            name: entry.name.clone(),
            format,
            chosen,
            context,
            game,
            profiles: plan.profiles.of_file(&path),
        })
    }
}

/// The companion of a file, where its format has such and it can be read.
fn companion(plan: &Plan, entry: &Entry, format: &dyn Format) -> Option<Arc<Companion>> {
    for path in format.companions(&entry.path) {
        let opened = match &entry.container {
            None if entry.once => open_given(plan, &path),
            None => open_beside(plan, &path),
            Some(container) => open_member(plan, container, &entry.name, &path),
        };
        let read = opened.and_then(|reader| {
            let read = |mut reader| format.companion(&path, &mut reader);
            reader.map(read).transpose()
        });
        match read {
            Ok(Some(companion)) => return Some(Arc::new(companion)),
            Ok(None) => {}
            Err(error) => tracing::warn!(
                "{} cannot be read, so {} is read without it: {error}",
                path.display(),
                entry.name
            ),
        }
    }
    None
}

/// Where companions of a file may lie, be it of whatever format.
pub(super) fn companions(path: &Path) -> impl Iterator<Item = PathBuf> {
    let named = FORMATS.iter().flat_map(|format| format.companions(path));
    named.flat_map(|path| ENDINGS.map(|ending| with_ending(&path, ending)))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Endings under which a companion is looked for.
const ENDINGS: [&str; 5] = ["", ".gz", ".zst", ".xz", ".bz2"];

/// Opens a file that may be compressed, under its name or with the ending of
/// a compressed one.
fn open_beside(plan: &Plan, path: &Path) -> io::Result<Option<Box<dyn Read>>> {
    for ending in ENDINGS {
        let path = with_ending(path, ending);
        let mut packed = match Packed::open(&path, plan.limits) {
            Ok(Opened::Packed(packed)) => packed,
            Ok(Opened::Plain(reader)) => return Ok(Some(reader)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        return match packed.next() {
            Some(Ok(member)) if member.name.is_empty() => reader_of(member.content).map(Some),
            Some(Err(error)) => Err(io::Error::other(error.message)),
            _ => Ok(None),
        };
    }
    Ok(None)
}

/// Opens what stands for a file beside one that has no place, in the folder that
/// the plan has for such.
fn open_given(plan: &Plan, path: &Path) -> io::Result<Option<Box<dyn Read>>> {
    let Some(folder) = &plan.beside else {
        return Ok(None);
    };
    let mut given = folder.clone();
    for component in path.components() {
        match component {
            Component::Normal(name) => given.push(name),
            Component::CurDir | Component::RootDir => {}
            // Nothing outside of the folder.
            Component::ParentDir | Component::Prefix(_) => return Ok(None),
        }
    }
    open_beside(plan, &given)
}

/// Looks for a member beside another one of the same packed file; it may be
/// compressed, as in a folder.
fn open_member(
    plan: &Plan,
    container: &Container,
    beside: &str,
    path: &Path,
) -> io::Result<Option<Box<dyn Read>>> {
    let opened = match container {
        Container::File(path) => match Packed::open(path, plan.limits)? {
            Opened::Packed(packed) => Some(packed),
            Opened::Plain(_) => None,
        },
        Container::Bytes(path, bytes) => {
            let name = path.as_os_str().as_encoded_bytes();
            Packed::from_shared(bytes, name, plan.limits)?.map(Box::new)
        }
    };
    let Some(mut packed) = opened else {
        return Ok(None);
    };
    // Names of rows begin with the packed file, and so does that of its sibling.
    // The second of two dumps of one name goes with the second index.
    let (beside, again) = packed::split_repeat(beside);
    let folder = beside.rsplit_once('!').map_or("", |(folder, _)| folder);
    let inner = folder.split_once('!').map(|(_, inner)| inner);
    let name = packed::shown(path.as_os_str().as_encoded_bytes());
    let name = inner.map_or(name.clone(), |inner| format!("{inner}!{name}"));
    let wanted = ENDINGS.map(|ending| format!("{name}{ending}{again}"));
    while let Some(Ok(member)) = packed.next() {
        if wanted.contains(&member.name) {
            return reader_of(member.content).map(Some);
        }
    }
    Ok(None)
}

fn reader_of(content: Content) -> io::Result<Box<dyn Read>> {
    match content {
        Content::Stream(reader) => Ok(reader),
        Content::Blob(blob) => {
            let mut bytes = Vec::new();
            blob.reader().read_to_end(&mut bytes)?;
            Ok(Box::new(Cursor::new(bytes)))
        }
        Content::Fault(error) => Err(io::Error::other(error.message)),
        Content::Special(what) => Err(io::Error::other(what)),
    }
}

/// The bytes that a format may look at to recognise a file: more of a web page,
/// whose records stand behind its head.
pub(super) fn head<'b>(path: &Path, bytes: &'b [u8]) -> &'b [u8] {
    const USUAL: usize = 4096;
    const PAGE: usize = 64 << 10;
    let ink = bytes[charset::utf8_mark(bytes)..].trim_ascii_start();
    let extension = path.extension().and_then(std::ffi::OsStr::to_str);
    let is_page = |name: &str| {
        ["htm", "html", "xhtml"]
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    let most = match ink.starts_with(b"<") || extension.is_some_and(is_page) {
        true => PAGE,
        false => USUAL,
    };
    &bytes[..bytes.len().min(most)]
}

/// The error of something that cannot be read.
pub(super) fn unreadable(error: &io::Error) -> ReadError {
    packed::fault_of(error)
}

/// What to say of a file that no format recognises.
fn no_format(entry: &Entry, head: &[u8]) -> Refusal {
    if head.is_empty() {
        return (Status::Broken, no_record(&SplitState::default()));
    }
    let name = entry.path.as_os_str().as_encoded_bytes();
    if let Some(packing) = packed::unread_packing(name, head) {
        // It may hold any number of records, so it is not passed over quietly.
        let error = format!("{packing} is not read; unpack it, or pack it as zip or tar");
        return (Status::Broken, ReadError::new("packed", error));
    }
    if packed::is_packed_name(name) {
        let error = "named like a packed file, but its bytes are not those of one";
        return (Status::Broken, ReadError::new("not_packed", error));
    }
    if let Some(kind) = format::unread_kind(&entry.path, head) {
        // It is a record, so it is not passed over quietly.
        let error = format!("{kind} is not read; save the games as PGN, XQF or CBR");
        return (Status::Broken, ReadError::new("unread_format", error));
    }
    if entry.named {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.name()).collect();
        let error = format!(
            "not in a format that kifu recognises; name it with --input-format ({})",
            known.join(", ")
        );
        return (Status::Broken, ReadError::new("unknown_format", error));
    }
    let error = "not a game record: no known format by name or content";
    (Status::Skipped, ReadError::new("unknown_format", error))
}

/// What to say of a file without a record.
pub(super) fn no_record(state: &SplitState) -> ReadError {
    if state.inked {
        ReadError::new("no_game", "no game record in this file")
    } else {
        ReadError::new("empty_file", "the file is empty or blank")
    }
}
