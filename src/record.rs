//! One game as it was written: what formats make and games read.
//!
//! A [`Record`] is not yet believed. It keeps the raw text of its values and
//! its moves as tokens; the game resolves them. It borrows from the bytes it
//! was read from, or from a format's [`Arena`].

use std::{borrow::Cow, cell::OnceCell, fmt};

use crate::outcome::{Side, words};

/// Where a record comes from: `path[!member][#index]`, the key of its row;
/// `path[!member]#id=ID` where records carry an id.
///
/// Printable and sortable: bytes outside printable UTF-8 and the signs
/// `! # %` are percent-escaped in `path`, `member` and the id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin<'a> {
    /// The escaped path, and the escaped member after a `!`.
    pub file: Cow<'a, str>,
    /// Place of the record in its file, counted from 1.
    pub index: u64,
    /// The escaped id of the record, where its format knows it by one.
    pub id: Option<Cow<'a, str>>,
}

impl<'a> Origin<'a> {
    /// The origin of the record at a place in its file, counted from 1.
    #[must_use]
    pub fn new(file: impl Into<Cow<'a, str>>, index: u64) -> Self {
        Self {
            file: file.into(),
            index,
            id: None,
        }
    }
}

impl fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match &self.id {
            Some(id) => write!(f, "#id={id}"),
            None if self.index > 1 => write!(f, "#{}", self.index),
            None => Ok(()),
        }
    }
}

/// What one element of a record's main line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// A move, passes included.
    Play(Side),
    /// A stone put on the board without a move (a list or rectangle of points
    /// where the format has such).
    Place(Side),
    /// A point made empty without a move.
    Clear,
    /// The side to move is named.
    Turn(Side),
}

/// One element of the main line: a move or an edit of the board.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// What it does.
    pub kind: StepKind,
    /// Bytes from the start of the record to the token.
    pub at: u32,
    /// The token as written.
    pub token: &'a [u8],
}

/// How the move tokens of a record are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// SGF points: column letter, row letter from the top, `aa` top left.
    Sgf,
    /// A column and a row as numbers, with blanks or a comma between them, from
    /// the top left.
    Numbers {
        /// The number of the first column and row, 0 or 1.
        first: u8,
    },
    /// A column in letters, I included (`a`–`z`, then `aa`, `ab` …), and a row
    /// as a number from 1: `h8`.
    Letters {
        /// The first row is the lowest and not the top one.
        from_bottom: bool,
    },
    /// Two capital letters, column and row.
    Capitals {
        /// The letter of the first column and row.
        first: u8,
        /// The first row is the lowest and not the top one.
        from_bottom: bool,
    },
    /// Moves of xiangqi in any of its notations, as UTF-8 text whatever the
    /// encoding of the record.
    Xiangqi,
    /// Moves of xiangqi in ICCS, whose ranks are known to count from 0.
    Iccs,
}

/// The token of a move of xiangqi in ICCS (`h2e2`): file from Red's left and row
/// from Black's back rank of both squares, from 0; an empty token beyond.
pub(crate) fn xiangqi_move(from: (u8, u8), to: (u8, u8)) -> &'static [u8] {
    const SQUARES: usize = 90;
    static MOVES: [[[u8; 4]; SQUARES]; SQUARES] = {
        let mut moves = [[[0; 4]; SQUARES]; SQUARES];
        let mut i = 0;
        while i < SQUARES * SQUARES {
            let (from, to) = (i / SQUARES, i % SQUARES);
            moves[from][to] = [
                b'a' + (from % 9) as u8,
                b'9' - (from / 9) as u8,
                b'a' + (to % 9) as u8,
                b'9' - (to / 9) as u8,
            ];
            i += 1;
        }
        moves
    };
    let index =
        |(file, row): (u8, u8)| (file < 9).then(|| usize::from(row) * 9 + usize::from(file));
    let found = index(from)
        .zip(index(to))
        .and_then(|(from, to)| MOVES.get(from)?.get(to));
    found.map_or(b"", |token| token.as_slice())
}

/// The SGF token of a column and a row, both from 0 and below 52; an empty
/// token beyond.
pub(crate) fn sgf_point(column: u8, row: u8) -> &'static [u8] {
    const SIDE: usize = 52;
    static POINTS: [[[u8; 2]; SIDE]; SIDE] = {
        const fn letter(place: usize) -> u8 {
            match place {
                0..26 => b'a' + place as u8,
                _ => b'A' + (place - 26) as u8,
            }
        }
        let mut points = [[[0; 2]; SIDE]; SIDE];
        let mut i = 0;
        while i < SIDE * SIDE {
            points[i / SIDE][i % SIDE] = [letter(i % SIDE), letter(i / SIDE)];
            i += 1;
        }
        points
    };
    POINTS
        .get(usize::from(row))
        .and_then(|row| row.get(usize::from(column)))
        .map_or(b"", |token| token.as_slice())
}

words! {
    /// Text fields that a row shows with `--with meta`.
    Field {
        /// Date of the game.
        Date = "date",
        /// First player.
        FirstPlayer = "first_player",
        /// Second player.
        SecondPlayer = "second_player",
        /// Rank of the first player.
        FirstRank = "first_rank",
        /// Rank of the second player.
        SecondRank = "second_rank",
        /// Event.
        Event = "event",
        /// Server or place.
        Server = "server",
    }
}

/// A fault or habit worth reporting that did not stop the reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// One machine word, such as `extra_close`.
    pub word: &'static str,
    /// What the word is about, where that says more (`ko`, `HA=7,stones=2`).
    pub value: Option<String>,
    /// Where: bytes from the start of the record, or a move number.
    pub place: Place,
}

/// Where in a record something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The record as a whole.
    Record,
    /// Bytes after the start of the record: printed as `@+12`.
    Byte(u32),
    /// A move of the main line, counted from 1: printed as `@m12`.
    Move(u32),
}

impl Warning {
    /// A warning without a value.
    #[must_use]
    pub fn new(word: &'static str, place: Place) -> Self {
        Self {
            word,
            value: None,
            place,
        }
    }

    /// A warning with a value.
    #[must_use]
    pub fn with(word: &'static str, value: impl Into<String>, place: Place) -> Self {
        Self {
            word,
            value: Some(value.into()),
            place,
        }
    }
}

/// The beginning of a text from a record, fit for a warning.
pub(crate) fn excerpt(text: &str) -> String {
    let shown = text.chars().take(40);
    shown
        .map(|letter| match letter {
            ';' => ' ',
            letter if letter.is_control() => ' ',
            letter => letter,
        })
        .collect()
}

/// Adds a warning, once for each word.
pub(crate) fn warn_once(warnings: &mut Vec<Warning>, warning: Warning) {
    if !warnings.iter().any(|known| known.word == warning.word) {
        warnings.push(warning);
    }
}

impl fmt::Display for Warning {
    /// `word[=value][@where]`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)?;
        if let Some(value) = &self.value {
            write!(f, "={value}")?;
        }
        match self.place {
            Place::Record => Ok(()),
            Place::Byte(at) => write!(f, "@+{at}"),
            Place::Move(number) => write!(f, "@m{number}"),
        }
    }
}

/// What stopped the reading or the replay of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// One machine word, such as `bad_size`.
    pub kind: &'static str,
    /// One sentence: what, where, and what to do.
    pub message: String,
}

impl ReadError {
    /// An error of a kind with its sentence.
    #[must_use]
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

/// Holds the bytes of a record whose text had to be transcoded or deciphered.
#[derive(Debug, Default)]
pub struct Arena(OnceCell<Vec<u8>>);

impl Arena {
    /// Keeps some bytes for as long as the arena lives. An arena serves one
    /// record; the bytes kept first stay.
    pub fn keep(&self, bytes: Vec<u8>) -> &[u8] {
        self.0.get_or_init(|| bytes)
    }
}

/// How the text of a record is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Charset(pub(crate) Option<&'static encoding_rs::Encoding>);

impl Charset {
    /// UTF-8, of which ASCII is a part.
    pub const UTF8: Self = Self(None);

    /// The name of the encoding, in lower case where it is our own word.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.map_or("UTF-8", encoding_rs::Encoding::name)
    }

    /// Decodes a value; damaged places become U+FFFD.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self.0 {
            None => String::from_utf8_lossy(bytes),
            Some(encoding) => encoding.decode_without_bom_handling(bytes).0,
        }
    }
}

/// One game as written, not yet believed.
///
/// The fields are the record's own claims; raw values are bytes in `charset`.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// The bytes of the record, from its first to its last.
    pub bytes: &'a [u8],
    /// The encoding its text values are in.
    pub charset: Charset,
    /// The name of the game, as the format knows it (`go`), if it does.
    pub game: Option<&'static str>,
    /// The record's own id, where the format has one.
    pub id: Option<&'a [u8]>,
    /// Columns and rows, each 1 to 52; `None` where the record is silent.
    pub size: Option<(u8, u8)>,
    /// How tokens are written.
    pub notation: Notation,
    /// The position that the moves begin from, as the game writes positions in
    /// ASCII (FEN in xiangqi); the usual one where nothing is said.
    pub setup: Option<&'a [u8]>,
    /// Whether a backslash in a text value makes the next sign plain.
    pub escaped: bool,
    /// Edits and moves of the main line, in order. Edits before the first
    /// move are the set-up.
    pub steps: Vec<Step<'a>>,
    /// Stones that each side has captured before the first step, first player
    /// first, where the record says so.
    pub prisoners: Option<[u32; 2]>,
    /// Points marked as a side's territory at the end, dead stones included.
    pub marks: Vec<Step<'a>>,
    /// Komi as written.
    pub komi: Option<&'a [u8]>,
    /// Rules as written.
    pub rules: Option<&'a [u8]>,
    /// Handicap as written.
    pub handicap: Option<&'a [u8]>,
    /// How kifu counted the record, where kifu wrote it: the convention, or `rules`
    /// where that followed from them, a colon, and the confidence.
    pub counted: Option<&'a [u8]>,
    /// Result as written.
    pub result: Option<&'a [u8]>,
    /// A second result, where the record contradicts itself.
    pub other_result: Option<&'a [u8]>,
    /// How the game ended as written, where that stands beside the result.
    pub ending: Option<&'a [u8]>,
    /// Programs named as writers of the record, in order.
    pub programs: Vec<&'a [u8]>,
    /// Text fields for people, in the order met.
    pub fields: Vec<(Field, &'a [u8])>,
    /// What was odd.
    pub warnings: Vec<Warning>,
}

impl Record<'_> {
    /// An empty record over some bytes: what is left when nothing was readable.
    #[must_use]
    pub fn empty(bytes: &[u8]) -> Record<'_> {
        Record {
            bytes,
            charset: Charset::UTF8,
            game: None,
            id: None,
            size: None,
            notation: Notation::Sgf,
            setup: None,
            escaped: false,
            prisoners: None,
            steps: Vec::new(),
            marks: Vec::new(),
            komi: None,
            rules: None,
            handicap: None,
            counted: None,
            result: None,
            other_result: None,
            ending: None,
            programs: Vec::new(),
            fields: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The number of moves written on the main line, passes included.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.steps
            .iter()
            .filter(|step| matches!(step.kind, StepKind::Play(_)))
            .count()
    }

    /// A text value: decoded, and without the escapes of its format.
    #[must_use]
    pub fn text<'b>(&self, raw: &'b [u8]) -> Cow<'b, str> {
        let text = self.charset.decode(raw.trim_ascii());
        if !self.escaped || !text.contains('\\') {
            return text;
        }
        // A backslash makes the next sign plain; before a line end both vanish.
        let mut plain = String::with_capacity(text.len());
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => plain.extend(letters.next().filter(|next| !matches!(next, '\n' | '\r'))),
                _ => plain.push(letter),
            }
        }
        Cow::Owned(plain)
    }

    /// Whether a program of this name (any part of it, any case) is named as
    /// a writer of the record.
    #[must_use]
    pub fn written_by(&self, name: &str) -> bool {
        self.programs.iter().any(|program| {
            program
                .windows(name.len())
                .any(|part| part.eq_ignore_ascii_case(name.as_bytes()))
        })
    }
}
