//! Formats: bytes to records.
//!
//! A new format is one file here and one line in [`FORMATS`]. A format hands
//! over move tokens as written; the game resolves them.

pub mod board;
pub mod ccbridge;
mod companion;
pub mod dhtmlxq;
pub mod fen;
pub mod gib;
pub mod id_moves;
pub mod lines;
pub mod movecsv;
pub mod moves;
mod naming;
pub mod ngf;
pub mod other;
pub mod pgn;
pub mod pos;
pub mod psq;
pub mod rif;
pub mod sgf;
pub mod ugf;
mod whole;
mod xiangqi;
pub mod xqf;

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

pub use companion::Companion;
pub use other::unread_kind;
pub(crate) use sgf::parse_size;

use crate::{
    outcome::words,
    record::{Arena, Charset, Place, ReadError, Record, Warning},
    source::charset,
    suggest::unknown,
};

/// Every format, in the order in which they are asked.
pub const FORMATS: &[&dyn Format] = &[
    &sgf::Sgf,
    &lines::Lines,
    &gib::Gib,
    &ngf::Ngf,
    &ugf::Ugf,
    &psq::Psq,
    &rif::Rif,
    &pos::Pos,
    &xqf::Xqf,
    &ccbridge::Cbr,
    &ccbridge::Cbl,
    &dhtmlxq::DhtmlXq,
    &movecsv::MoveCsv,
    &other::RENLIB,
    &other::RESULTS,
    &other::TABLE,
    &pgn::Pgn,
    &id_moves::IdMoves,
    &fen::Fen,
    &moves::Moves,
    &board::XiangqiBoard,
    &board::Board,
];

/// Finds a format by name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// The format of a name.
///
/// # Errors
/// One sentence that says which are known.
pub fn find(name: &str) -> Result<&'static dyn Format, String> {
    by_name(name).ok_or_else(|| {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.name()).collect();
        unknown("input format", name, &known)
    })
}

/// The format of a file, by its name and its first bytes.
///
/// A name that says one format while the content is plainly of another one
/// gives way to the content.
#[must_use]
pub fn choose(path: &Path, head: &[u8]) -> Option<(&'static dyn Format, Chosen)> {
    let extension = path.extension().and_then(std::ffi::OsStr::to_str);
    let by_extension = extension.and_then(by_extension);
    if let Some(format) = by_extension
        && format.sniff(path, head)
    {
        return Some((format, Chosen::Extension));
    }
    let by_content = FORMATS.iter().find(|format| format.sniff(path, head));
    match (by_content, by_extension) {
        (Some(format), _) => Some((*format, Chosen::Content)),
        (None, Some(format)) => Some((format, Chosen::Extension)),
        (None, None) => None,
    }
}

fn by_extension(extension: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| {
        let mut known = format.extensions().iter();
        known.any(|known| known.eq_ignore_ascii_case(extension))
    })
}

/// Whether files with this extension are records of some format.
#[must_use]
pub fn is_record_extension(extension: &str) -> bool {
    by_extension(extension).is_some()
}

/// Why a format was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The user says so for every file.
    Flag,
    /// The configuration says so for this file.
    Config,
    /// The name of the file says so.
    Extension,
    /// The first bytes look like it.
    Content,
}

/// A way to write games down.
pub trait Format: Sync {
    /// The name used in rows.
    fn name(&self) -> &'static str;

    /// Extensions of files that are of this format whatever they hold.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether a file of this name that begins like this is likely of this
    /// format.
    fn sniff(&self, path: &Path, head: &[u8]) -> bool;

    /// Cuts a window of a file at record borders and hands over each piece in
    /// order; returns how many bytes are done with.
    ///
    /// Sequential and cheap. Bytes not consumed are given again with more
    /// bytes behind them; with `eof` everything is consumed. One damaged record
    /// never hides the next. Unless a format says otherwise, a file is one record.
    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        context: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        let _ = context;
        whole::split(state, window, eof, each)
    }

    /// Reads one piece into one record. Runs in parallel.
    ///
    /// What could be read is kept: faults are warnings or a broken record.
    fn read<'a>(
        &self,
        bytes: &'a [u8],
        piece: Piece,
        context: &'a Context,
        arena: &'a Arena,
    ) -> Reading<'a>;

    /// Whether records are known by their ids and not by their place in a file.
    fn known_by_id(&self) -> bool {
        false
    }

    /// Whether a splitter that begins at a border inside a file, with
    /// [`SplitState::anew`], cuts what follows as one that comes from its start:
    /// no head says anything about later records.
    fn begins_anew(&self) -> bool {
        false
    }

    /// Names of files, in order of preference, of which the first that exists
    /// is read beside a file of this format.
    fn companions(&self, path: &Path) -> Vec<PathBuf> {
        let _ = path;
        Vec::new()
    }

    /// Reads the companion of a file; it is in the context of its records.
    ///
    /// # Errors
    /// As [`Read::read`].
    fn companion(&self, path: &Path, reader: &mut dyn Read) -> io::Result<Companion> {
        let _ = reader;
        Ok(Companion::new(path))
    }
}

/// What a splitter remembers between windows of one file.
#[derive(Clone, Debug, Default)]
pub struct SplitState {
    /// Whether a record was met.
    pub any: bool,
    /// Whether anything was met that is not blank.
    pub inked: bool,
    /// Whether text that belongs to no record lies before the window.
    pub text_before: bool,
    /// The record that was given up, until its end is met.
    given_up: Option<sgf::Skip>,
    /// Whether the file is an index of records and not the records, once a
    /// format that has such files knows it.
    pub index: Option<bool>,
    /// What the head of a database of renju games says.
    rif: rif::Memory,
    /// What was met of a game in PGN that was given up.
    pgn: pgn::Memory,
    /// Where in a library the splitter is.
    ccbridge: ccbridge::Memory,
    /// Where in a page the splitter is.
    dhtmlxq: dhtmlxq::Memory,
    /// The columns of a table of moves, and games that are done with.
    movecsv: movecsv::Memory,
}

impl SplitState {
    /// Gives up the record at the front of the window, which is longer than is
    /// wanted.
    ///
    /// The splitter then passes over what is left of it, window by window,
    /// without handing it over; the pieces handed over next are those behind it.
    pub fn give_up(&mut self) {
        self.any = true;
        self.inked = true;
        self.text_before = false;
        self.given_up = Some(sgf::Skip::default());
    }

    /// The end of the record that was given up is met.
    fn pass_over(&mut self) {
        self.given_up = None;
    }

    /// The state at a border between records, from which a splitter can go on.
    #[must_use]
    pub fn anew() -> Self {
        Self {
            any: true,
            inked: true,
            ..Self::default()
        }
    }

    /// Whether the state is that of [`SplitState::anew`], where a format
    /// [begins anew](Format::begins_anew).
    #[must_use]
    pub const fn is_anew(&self) -> bool {
        self.any && self.inked && !self.text_before && !self.is_passing() && self.index.is_none()
    }

    /// Whether the end of a record that was given up is still to be met. Some
    /// bytes may be left in the window until more follow.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        self.given_up.is_some()
    }
}

/// One record cut out of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// First byte in the window.
    pub start: usize,
    /// One past the last byte in the window.
    pub end: usize,
    /// What was odd around it.
    pub around: Around,
}

/// What a splitter saw around a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Text before it that belongs to no record.
    pub leading_text: bool,
    /// Text after it that belongs to no record.
    pub trailing_text: bool,
    /// More brackets closed than opened.
    pub extra_close: bool,
    /// Nothing says that it ends where the file does. Where the file breaks off
    /// there, the record is not whole.
    pub unclosed: bool,
    /// Nothing parts it from the record before or after it.
    pub joined: bool,
    /// Its rules, where the head of the file says them.
    pub rules: Option<&'static str>,
    /// Which columns of a table of moves hold what.
    pub columns: Option<movecsv::Columns>,
}

words! {
    /// The row that is row 1.
    FirstRow {
        /// The lowest.
        Bottom = "bottom",
        /// The top one.
        Top = "top",
    }
}

/// What a reader may need to know.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Read by the strict reader, which refuses what the standard forbids.
    pub strict: bool,
    /// Collect the text fields of `--with meta`.
    pub meta: bool,
    /// The encoding of every text, where the user says so.
    pub charset: Option<Charset>,
    /// Columns and rows of boards that do not say where they end.
    pub size: Option<(u8, u8)>,
    /// The path of the file as rows name it, a packed file being a folder.
    pub path: String,
    /// The first row of points written as `h8`, where the user says so.
    pub first_row: Option<FirstRow>,
    /// The file beside this one, where the format has such.
    pub companion: Option<Arc<Companion>>,
}

impl Context {
    /// Sets the encoding of a record and warns of what is odd about it: the
    /// one that the user says, else what some bytes of the record and its own
    /// label tell.
    pub(crate) fn set_charset(&self, record: &mut Record<'_>, bytes: &[u8], label: Option<&[u8]>) {
        if let Some(charset) = self.charset {
            record.charset = charset;
            return;
        }
        let detected = charset::detect(bytes, label);
        record.charset = detected.charset;
        for (odd, word) in [
            (detected.label_was_wrong, "wrong_charset"),
            (detected.damaged, "damaged_text"),
        ] {
            if odd {
                record.warnings.push(Warning::new(word, Place::Record));
            }
        }
    }
}

/// What came out of a piece.
#[derive(Debug)]
pub enum Reading<'a> {
    /// A game.
    Game(Record<'a>),
    /// Something else, and what.
    NotAGame(Record<'a>, &'static str),
    /// A game that cannot be used: what could be read, and what stopped it.
    Broken(Record<'a>, ReadError),
}
