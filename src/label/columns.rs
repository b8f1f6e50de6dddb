//! The columns of a row: one list makes the CSV header, the JSON keys and the
//! tables in the README and `docs/columns.md`.

use std::{borrow::Cow, fmt::Write};

use super::Label;
use crate::{
    game::Judgement,
    outcome::Points,
    record::{Field, Origin},
};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text or word.
    Text,
    /// A whole number from one to another, both included.
    Integer(i64, i64),
    /// Points, a multiple of a quarter.
    Points,
    /// A fraction from 0 to 1, with three decimals.
    Real,
    /// So many bytes; as text lower-case hexadecimal digits.
    Hash(u8),
    /// A number for each point, row-major from the top left: from this one's
    /// negative to this one.
    Cells(i8),
    /// Cells, or a text where the game writes positions (FEN in xiangqi). Outputs
    /// with types have [`BOARD_COLUMNS`] instead.
    Board,
}

/// One column.
pub struct Column {
    /// Its name in headers and keys.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it says, for these tables.
    pub doc: &'static str,
    /// Its value in a row.
    pub get: for<'l> fn(&'l Label<'_>) -> Value<'l>,
}

impl Column {
    /// Whether rows may have nothing to say in it.
    #[must_use]
    pub fn is_nullable(&self) -> bool {
        !matches!(self.name, "origin" | "offset" | "status")
    }
}

/// A value of a row; `Empty` is an empty field in CSV and null in JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'l> {
    /// Nothing to say.
    Empty,
    /// A text or word.
    Text(Cow<'l, str>),
    /// A whole number.
    Integer(i64),
    /// Points.
    Points(Points),
    /// A fraction, shown with three decimals.
    Real(f32),
    /// 128 bits.
    Hash(u128),
    /// 64 bits.
    ShortHash(u64),
    /// A number for each point.
    Cells(&'l [i8]),
}

impl<'l> Value<'l> {
    fn word(word: &'l str) -> Self {
        if word.is_empty() {
            Self::Empty
        } else {
            Self::Text(Cow::Borrowed(word))
        }
    }

    fn text(text: String) -> Self {
        if text.is_empty() {
            Self::Empty
        } else {
            Self::Text(Cow::Owned(text))
        }
    }

    fn points(points: Option<Points>) -> Self {
        points.map_or(Self::Empty, Self::Points)
    }

    fn count(count: Option<u32>) -> Self {
        count.map_or(Self::Empty, |count| Self::Integer(i64::from(count)))
    }
}

/// The columns of one run: the fixed ones and those asked for.
#[derive(Clone)]
pub struct Schema {
    /// In the order of the row.
    pub columns: Vec<&'static Column>,
}

impl Schema {
    /// The fixed columns and those of some `--with` words.
    ///
    /// # Errors
    /// One sentence that names the unknown word and the known ones.
    pub fn new(with: &[String]) -> Result<Self, String> {
        let mut columns: Vec<&Column> = COLUMNS.iter().collect();
        for word in with {
            let group = EXTRA_COLUMNS.iter().find(|(name, _)| name == word);
            let Some((_, extra)) = group else {
                let known: Vec<&str> = EXTRA_COLUMNS.iter().map(|(name, _)| *name).collect();
                return Err(format!(
                    "unknown column group '{word}' in --with; known are {}",
                    known.join(", ")
                ));
            };
            for column in *extra {
                if !columns.iter().any(|have| have.name == column.name) {
                    columns.push(column);
                }
            }
        }
        Ok(Self { columns })
    }

    /// The same for outputs where a column has one type.
    #[must_use]
    pub fn typed(&self) -> Self {
        let mut columns = Vec::with_capacity(self.columns.len() + 1);
        for column in &self.columns {
            if column.kind == Kind::Board {
                columns.extend(BOARD_COLUMNS);
            } else {
                columns.push(column);
            }
        }
        Self { columns }
    }
}

macro_rules! column {
    ($name:literal, $kind:expr, $doc:literal, $get:expr) => {
        Column {
            name: $name,
            kind: $kind,
            doc: $doc,
            get: $get,
        }
    };
}

use Kind::{Board, Cells, Hash, Integer, Points as Quarters, Real, Text};

/// Any number of things.
const COUNT: Kind = Integer(0, u32::MAX as i64);

/// Points of a board: up to 52x52.
const ON_BOARD: Kind = Integer(0, 52 * 52);

/// Reads something of the judgement, where there is one.
fn judged<'l>(label: &'l Label<'_>, get: fn(&'l Judgement) -> Value<'l>) -> Value<'l> {
    label.judgement.as_ref().map_or(Value::Empty, get)
}

/// The fixed columns, in the order of the row.
pub const COLUMNS: &[Column] = &[
    column!(
        "origin",
        Text,
        "`path[!member][#index]`, or `#id=` and the record's own id: key of the row",
        origin
    ),
    column!(
        "offset",
        Integer(0, i64::MAX),
        "bytes before the record in its file",
        |l| Value::Integer(l.offset as i64)
    ),
    column!(
        "record_id",
        Text,
        "the record's own id, where the format has one",
        |l| Value::word(l.record_id.as_deref().unwrap_or_default())
    ),
    column!(
        "game",
        Text,
        "`go` `tictactoe` `gomoku` `caro` `renju` `kinrow` `xiangqi`",
        |l| Value::word(l.game)
    ),
    column!(
        "format",
        Text,
        "`sgf` `lines` `gib` `ngf` `ugf` `psq` `rif` `pos` `xqf` `cbr` `cbl` `dhtmlxq` `csv` `pgn` `id-moves` `fen` `moves` `xiangqi-board` `board`; `renlib` `results` `table` hold no games",
        |l| Value::word(l.format)
    ),
    column!("size", Text, "`19`, or columns x rows: `13x9`", |l| judged(
        l, size
    )),
    column!(
        "rules",
        Text,
        "preset with the switches that differ from it",
        |l| judged(l, |j| Value::word(&j.rules))
    ),
    column!(
        "rules_from",
        Text,
        "`flag` `profile` `builtin_profile` `record` `config` `default`",
        |l| judged(l, |j| Value::word(j.rules_from.word()))
    ),
    column!(
        "convention",
        Text,
        "how points were counted: `area` `area_dame_ignored` `territory_flood` `territory_strict` `territory_finished`; empty where nothing was",
        |l| judged(l, |j| Value::word(j.convention.unwrap_or_default()))
    ),
    column!("komi", Quarters, "points to the second player", |l| judged(
        l,
        |j| Value::points(j.komi)
    )),
    column!(
        "komi_from",
        Text,
        "as `rules_from`, or `scaled` where it was written in another unit",
        |l| judged(l, |j| Value::word(
            j.komi.map_or("", |_| j.komi_from.word())
        ))
    ),
    column!("handicap", COUNT, "stones, as used for compensation", |l| {
        judged(l, |j| match j.komi {
            Some(_) => Value::Integer(i64::from(j.handicap)),
            None => Value::Empty,
        })
    }),
    column!(
        "moves",
        COUNT,
        "moves written on the main line, passes included",
        |l| Value::count(l.moves)
    ),
    column!(
        "plies",
        COUNT,
        "moves replayed; fewer where the replay had to stop",
        |l| judged(l, |j| Value::Integer(i64::from(j.plies)))
    ),
    column!(
        "ended",
        Text,
        "how the play stopped: `passes` `line` `foul` `full` `mate` `stalemate` `repetition` \
         `no_capture` `material` `limit`, `open` (the record just \
         stops), `illegal`",
        |l| judged(l, |j| Value::word(j.ended.word()))
    ),
    column!(
        "recorded",
        Text,
        "the result as written, decoded, at most 200 characters",
        |l| Value::word(&l.recorded_text)
    ),
    column!(
        "recorded_winner",
        Text,
        "`black` `white` `draw`; in xiangqi `red` `black` `draw`",
        recorded_winner
    ),
    column!("recorded_margin", Quarters, "points", |l| Value::points(
        l.recorded.margin
    )),
    column!(
        "recorded_kind",
        Text,
        "`score` `resign` `time` `forfeit` `win` (winner without grounds) `draw` `void` `unknown` `sentinel` (a code, not a count) `missing`",
        recorded_kind
    ),
    column!(
        "winner",
        Text,
        "what the *board* says; empty where it does not decide",
        winner
    ),
    column!(
        "margin",
        Quarters,
        "points the winner is ahead",
        |l| judged(l, |j| Value::points(j.margin.map(Points::abs)))
    ),
    column!(
        "basis",
        Text,
        "grounds of the board: `count` `line` `foul` `full` `passes` `mate` `stalemate` \
         `repetition` `no_capture` `material` `limit`",
        |l| judged(l, |j| Value::word(j.basis.map_or("", |basis| basis.word())))
    ),
    column!(
        "first_points",
        Quarters,
        "Go: points of Black, compensation included",
        |l| judged(l, |j| Value::points(j.points.map(|p| p[0])))
    ),
    column!(
        "second_points",
        Quarters,
        "Go: points of White, komi included",
        |l| judged(l, |j| Value::points(j.points.map(|p| p[1])))
    ),
    column!(
        "dead_first",
        ON_BOARD,
        "Go: stones of Black judged dead",
        |l| { judged(l, |j| Value::count(j.dead.map(|d| d[0]))) }
    ),
    column!(
        "dead_second",
        ON_BOARD,
        "Go: stones of White judged dead",
        |l| { judged(l, |j| Value::count(j.dead.map(|d| d[1]))) }
    ),
    column!("neutral", ON_BOARD, "points of nobody", |l| judged(
        l,
        |j| { Value::count(j.neutral) }
    )),
    column!(
        "dead_from",
        Text,
        "`none` `marked` (by the record) `judged` `engine` (by the one of `--gtp`)",
        |l| judged(l, |j| Value::word(j.dead_from.unwrap_or_default()))
    ),
    column!(
        "confidence",
        Real,
        "measured probability that winner and margin are what strong players agree on; counts of Go are never above 0.97",
        |l| judged(l, |j| j.confidence.map_or(Value::Empty, Value::Real))
    ),
    column!(
        "status",
        Text,
        "`skipped` `broken` `no_result` `unfinished` `not_comparable` `winner_differs` `margin_differs` `agree`: the first that applies",
        |l| Value::word(l.status.word())
    ),
    column!(
        "reasons",
        Text,
        "`;`-joined `word[=value][@where]`: what would reconcile, then what describes",
        reasons
    ),
    column!(
        "value",
        Integer(-1, 1),
        "training label: 1 first player, 0 draw, -1 second player, or empty",
        |l| l
            .value
            .map_or(Value::Empty, |(outcome, _)| Value::Integer(i64::from(
                outcome.value()
            )))
    ),
    column!("value_from", Text, "`board` `record` `search`", |l| l
        .value
        .map_or(Value::Empty, |(_, from)| Value::word(from.word()))),
    column!(
        "lead",
        Quarters,
        "signed margin from the same source, where it has one",
        |l| Value::points(l.lead)
    ),
    column!(
        "warnings",
        Text,
        "`;`-joined `word[=value][@where]`; where is `+` bytes after the start of the record, or `m` and a move number",
        |l| joined(l.all_warnings())
    ),
    column!("error_kind", Text, "one machine word", |l| l
        .first_error()
        .map_or(Value::Empty, |error| Value::word(error.kind))),
    column!("error", Text, "one sentence", |l| l
        .first_error()
        .map_or(Value::Empty, |error| Value::word(&error.message))),
    column!(
        "content_hash",
        Hash(16),
        "xxh3, 128 bits, of the record's bytes",
        |l| if l.content_hash == 0 {
            Value::Empty
        } else {
            Value::Hash(l.content_hash)
        }
    ),
    column!(
        "game_hash",
        Hash(16),
        "xxh3, 128 bits, of board size, set-up and moves",
        |l| judged(l, |j| Value::Hash(j.game_hash))
    ),
];

/// Columns that a run adds with `--with`, by word.
pub const EXTRA_COLUMNS: &[(&str, &[Column])] = &[
    (
        "ownership",
        &[column!(
            "ownership",
            Cells(1),
            "owner of each point: 1 first player, -1 second, 0 nobody; row-major from the top left",
            |l| judged(l, |j| cells(j.ownership.as_deref()))
        )],
    ),
    (
        "board",
        &[column!(
            "board",
            Board,
            "final position: 1 first player, -1 second, 0 empty; row-major from the top left; FEN \
             in xiangqi",
            |l| judged(l, |j| match &j.diagram {
                Some(diagram) => Value::word(diagram),
                None => cells(j.board.as_deref()),
            })
        )],
    ),
    (
        "canonical_hash",
        &[column!(
            "canonical_hash",
            Hash(16),
            "the smallest `game_hash` over the symmetries of the board",
            |l| judged(l, |j| j.canonical_hash.map_or(Value::Empty, Value::Hash))
        )],
    ),
    (
        "duplicate_of",
        &[
            column!(
                "duplicate_of",
                Text,
                "the record of the same game to keep in place of this one; empty where that is this one",
                |l| l
                    .repeat
                    .as_ref()
                    .map_or(Value::Empty, |repeat| Value::word(&repeat.of))
            ),
            column!(
                "duplicate_kind",
                Text,
                "`same` moves, `mirrored`, or `contained`: the beginning of the longer one",
                |l| l
                    .repeat
                    .as_ref()
                    .map_or(Value::Empty, |repeat| Value::word(repeat.kind.word()))
            ),
        ],
    ),
    (
        "split",
        &[column!(
            "split",
            Text,
            "`train` `validation` `test`, by a hash of the game: all records of a game are in the same",
            |l| Value::word(l.split.unwrap_or_default())
        )],
    ),
    (
        "forbidden",
        &[column!(
            "forbidden",
            Text,
            "renju: points forbidden to Black at the end, as `h8`, with blanks between them",
            |l| judged(l, |j| Value::word(
                j.forbidden.as_deref().unwrap_or_default()
            ))
        )],
    ),
    (
        "legal",
        &[
            column!(
                "legal",
                Integer(0, 90 * 17),
                "xiangqi: legal moves at the end",
                |l| {
                    judged(l, |j| {
                        j.legal
                            .map_or(Value::Empty, |(moves, _)| Value::Integer(moves.into()))
                    })
                }
            ),
            column!(
                "check",
                Integer(0, 1),
                "xiangqi: 1 where the side to move at the end is in check, else 0",
                |l| judged(l, |j| j
                    .legal
                    .map_or(Value::Empty, |(_, check)| Value::Integer(check.into())))
            ),
        ],
    ),
    (
        "position_hash",
        &[column!(
            "position_hash",
            Hash(8),
            "hash, 64 bits, of the stones of the final position",
            |l| judged(l, |j| Value::ShortHash(j.position_hash))
        )],
    ),
    (
        "meta",
        &[
            column!("date", Text, "date as written", |l| field(l, Field::Date)),
            column!("first_player", Text, "name of the first player", |l| field(
                l,
                Field::FirstPlayer
            )),
            column!("second_player", Text, "name of the second player", |l| {
                field(l, Field::SecondPlayer)
            }),
            column!("first_rank", Text, "rank of the first player", |l| field(
                l,
                Field::FirstRank
            )),
            column!("second_rank", Text, "rank of the second player", |l| field(
                l,
                Field::SecondRank
            )),
            column!("event", Text, "event", |l| field(l, Field::Event)),
            column!("server", Text, "server or place", |l| field(
                l,
                Field::Server
            )),
        ],
    ),
];

/// What outputs with types have in place of a [`Kind::Board`].
pub const BOARD_COLUMNS: &[Column] = &[
    column!(
        "board",
        Cells(7),
        "final position: 1 first player, -1 second, 0 empty; row-major from the top left. In \
         xiangqi 1 general, 2 advisor, 3 elephant, 4 horse, 5 chariot, 6 cannon, 7 soldier, \
         those of Black negative",
        |l| judged(l, |j| cells(j.board.as_deref()))
    ),
    column!(
        "board_fen",
        Text,
        "xiangqi: the final position as FEN",
        |l| { judged(l, |j| Value::word(j.diagram.as_deref().unwrap_or_default())) }
    ),
];

fn origin<'l>(label: &'l Label<'_>) -> Value<'l> {
    match &label.origin {
        Origin {
            index: 0 | 1,
            id: None,
            file,
        } => Value::word(file),
        origin => {
            let mut text = String::with_capacity(origin.file.len() + 24);
            // Writing to a string cannot fail.
            let _ = write!(text, "{origin}");
            Value::text(text)
        }
    }
}

fn size<'l>(judgement: &'l Judgement) -> Value<'l> {
    let (columns, rows) = judgement.size;
    match (columns, rows) {
        (19, 19) => Value::word("19"),
        _ if columns == rows => Value::text(columns.to_string()),
        _ => Value::text(format!("{columns}x{rows}")),
    }
}

fn recorded_winner<'l>(label: &'l Label<'_>) -> Value<'l> {
    label.recorded_word().map_or(Value::Empty, Value::word)
}

fn recorded_kind<'l>(label: &'l Label<'_>) -> Value<'l> {
    if label.judgement.is_none() && label.recorded_text.is_empty() {
        return Value::Empty;
    }
    Value::word(label.recorded.kind.word())
}

fn winner<'l>(label: &'l Label<'_>) -> Value<'l> {
    let outcome = label
        .judgement
        .as_ref()
        .and_then(|judgement| judgement.outcome);
    outcome.map_or(Value::Empty, |outcome| {
        Value::word(label.outcome_word(outcome))
    })
}

fn field<'l>(label: &'l Label<'_>, wanted: Field) -> Value<'l> {
    let found = label.fields.iter().find(|(field, _)| *field == wanted);
    found.map_or(Value::Empty, |(_, text)| Value::word(text))
}

fn cells(cells: Option<&[i8]>) -> Value<'_> {
    cells.map_or(Value::Empty, Value::Cells)
}

/// As [`joined`], without the formatting machinery: most games of an archive
/// whose stones are not judged have reasons.
fn reasons<'l>(label: &'l Label<'_>) -> Value<'l> {
    if label.reasons.is_empty() {
        return Value::Empty;
    }
    let mut text = String::with_capacity(64);
    for reason in &label.reasons {
        if !text.is_empty() {
            text.push(';');
        }
        text.push_str(reason.word);
        if let Some(value) = &reason.value {
            // A place alone.
            if !value.starts_with('@') {
                text.push('=');
            }
            text.push_str(value);
        }
    }
    Value::text(text)
}

fn joined<'l, T: std::fmt::Display>(items: impl Iterator<Item = T>) -> Value<'l> {
    let mut text = String::new();
    for item in items {
        if !text.is_empty() {
            text.push(';');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{item}");
    }
    Value::text(text)
}
