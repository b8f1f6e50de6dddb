//! Tables of moves as CSV: one row a move, as elephantchess.io exports them.
//!
//! The head line names the columns: `game_id` and `move` must be there;
//! `move_index`, `game_status`, `outcome`, `red_player`, `black_player` and
//! `timestamp` are read too.
//!
//! Rows of games may be mixed, as they are where a table is in the order of time.
//! A game is all rows of one id of which each comes within [`GAP`] bytes of the one
//! before it, and which together take no more than [`SPAN`] bytes, other games'
//! rows included. Rows that come later make a record of their own, which says that
//! its first moves are missing.

use std::{
    collections::{HashMap, hash_map::Entry},
    path::Path,
};

use memchr::{memchr, memchr2, memmem, memrchr};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    Around, Context, Format, Piece, Reading, SplitState,
    whole::{self, number, offset},
};
use crate::{
    outcome::Side,
    record::{Arena, Field, Notation, Place, ReadError, Record, StepKind, Warning, warn_once},
    source::charset::utf8_mark,
};

/// Tables of moves.
pub struct MoveCsv;

/// A game is over where no row of it comes for so many bytes.
pub const GAP: usize = 1 << 20;

/// The rows of a game lie within so many bytes.
pub const SPAN: usize = 4 << 20;

impl Format for MoveCsv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        let (line, end) = head_line(head, true).unwrap_or((head, b'\n'));
        Columns::of(line, end).is_some_and(|columns| columns.index.is_some())
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        state.inked |= window.iter().any(|byte| !byte.is_ascii_whitespace());
        let consumed = split(state, window, eof, each);
        state.movecsv.before += consumed as u64;
        consumed
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        piece: Piece,
        context: &'a Context,
        _: &'a Arena,
    ) -> Reading<'a> {
        read(bytes, piece, context)
    }

    fn known_by_id(&self) -> bool {
        true
    }
}

/// Which columns hold what, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    game: u8,
    played: u8,
    index: Option<u8>,
    status: Option<u8>,
    outcome: Option<u8>,
    red: Option<u8>,
    black: Option<u8>,
    time: Option<u8>,
    /// The first row of the table is of move 1, so that games have no move 0.
    from_one: bool,
    /// What ends a line: CR alone in tables that have no LF behind it.
    end: u8,
}

/// The head line and what ends it and all lines; nothing where that is still to
/// come.
fn head_line(bytes: &[u8], eof: bool) -> Option<(&[u8], u8)> {
    let Some(length) = memchr2(b'\n', b'\r', bytes) else {
        return eof.then_some((bytes, b'\n'));
    };
    let (line, behind) = bytes.split_at(length);
    match behind {
        [b'\r'] if !eof => None,
        [b'\r', b'\n', ..] | [b'\n', ..] | [b'\r'] => Some((line, b'\n')),
        _ => Some((line, b'\r')),
    }
}

impl Columns {
    /// The columns that a head line names.
    fn of(line: &[u8], end: u8) -> Option<Self> {
        let line = &line[utf8_mark(line)..];
        let names: Vec<&[u8]> = fields(line).take(usize::from(u8::MAX)).collect();
        let find = |name: &str| {
            let place = names
                .iter()
                .position(|known| known.eq_ignore_ascii_case(name.as_bytes()));
            place.and_then(|place| u8::try_from(place).ok())
        };
        Some(Self {
            game: find("game_id")?,
            played: find("move")?,
            index: find("move_index"),
            status: find("game_status"),
            outcome: find("outcome"),
            red: find("red_player"),
            black: find("black_player"),
            time: find("timestamp"),
            from_one: false,
            end,
        })
    }

    /// Whether a row is of move 1.
    fn is_one(self, line: &[u8]) -> bool {
        let index = self.index.map(usize::from);
        let field = index.and_then(|index| fields(line).nth(index));
        field.and_then(number) == Some(1)
    }

    /// The id of the game of a row; nothing where the row is none.
    fn id(self, line: &[u8]) -> Option<&[u8]> {
        let last = self.game.max(self.played);
        let mut id = None;
        for (place, field) in (0..=last).zip(fields(line)) {
            if place == self.game {
                id = Some(field).filter(|id| !id.is_empty());
            }
            if place == last {
                return id;
            }
        }
        None
    }
}

/// The fields of a row, without their quotes. Quotes inside of a field stay doubled.
fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(line.trim_ascii());
    std::iter::from_fn(move || {
        let line = rest?;
        let mut end = 0;
        if line.starts_with(b"\"") {
            let mut quotes = 0;
            while let Some(byte) = line.get(end) {
                quotes += usize::from(*byte == b'"');
                if *byte == b',' && quotes % 2 == 0 {
                    break;
                }
                end += 1;
            }
        } else {
            end = memchr(b',', line).unwrap_or(line.len());
        }
        let (field, behind) = line.split_at(end);
        rest = behind.get(1..);
        let field = field.trim_ascii();
        let inner = field
            .strip_prefix(b"\"")
            .and_then(|field| field.strip_suffix(b"\""));
        Some(inner.unwrap_or(field))
    })
}

/// What the splitter remembers.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// The columns, once the head line is read.
    columns: Option<Columns>,
    /// Whether there is no usable head line.
    is_headless: bool,
    /// Bytes of the file before the window.
    before: u64,
    /// Games that were handed over: the hash of the id, and where the last row
    /// ends in the file.
    told: Vec<(u64, u64)>,
    /// Whether the window begins in a line that was given up.
    in_line: bool,
}

impl Memory {
    /// Whether a row that ends here belongs to a game that was handed over.
    fn is_told(&self, id: u64, end: usize) -> bool {
        let end = self.before + end as u64;
        self.told
            .iter()
            .any(|(known, until)| *known == id && end <= *until)
    }
}

/// A game whose rows are being gathered.
struct Gathered {
    id: u64,
    start: usize,
    end: usize,
    /// Whether a row under the same id began another one.
    replaced: bool,
}

/// See [`Format::split`]. Games are handed over in the order of their first rows,
/// so they overlap where their rows are mixed.
fn split(state: &mut SplitState, window: &[u8], eof: bool, each: &mut dyn FnMut(Piece)) -> usize {
    let mut from = 0;
    if state.is_passing() && !give_up(state, window, &mut from) {
        return window.len();
    }
    if state.movecsv.is_headless {
        return window.len();
    }
    let columns = match state.movecsv.columns {
        Some(columns) => columns,
        None => {
            let rest = window.get(from..).unwrap_or_default();
            let ink = rest.iter().position(|byte| !byte.is_ascii_whitespace());
            let Some(ink) = ink else {
                return if eof { window.len() } else { from };
            };
            let start = from + ink;
            let Some((line, line_end)) = head_line(&window[start..], eof) else {
                return from;
            };
            let end = match memchr(line_end, &window[start..]) {
                Some(length) => start + length + 1,
                None if eof => window.len(),
                None => return from,
            };
            let Some(columns) = Columns::of(line, line_end) else {
                state.movecsv.is_headless = true;
                state.any = true;
                each(Piece {
                    start,
                    end,
                    ..Piece::default()
                });
                return window.len();
            };
            state.movecsv.columns = Some(columns);
            from = end;
            columns
        }
    };
    gather(state, columns, window, from, eof, each)
}

/// Passes over a record that is given up: the rows under the id of the first one,
/// or a line without an end. Says whether it is passed.
fn give_up(state: &mut SplitState, window: &[u8], from: &mut usize) -> bool {
    let memory = &mut state.movecsv;
    let sign = memory.columns.map_or(b'\n', |columns| columns.end);
    let line_end = memchr(sign, window).map(|end| end + 1);
    match (line_end, memory.in_line) {
        (None, _) => {
            memory.in_line = true;
            return false;
        }
        (Some(end), true) => {
            memory.in_line = false;
            *from = end;
        }
        (Some(end), false) => {
            let id = memory
                .columns
                .and_then(|columns| columns.id(&window[..end]));
            let until = memory.before + SPAN as u64;
            memory.told.push((id.map_or(0, xxh3_64), until));
            // Without columns the line is the head line, which is of no use then.
            if memory.columns.is_none() {
                memory.is_headless = true;
            }
        }
    }
    state.pass_over();
    true
}

fn gather(
    state: &mut SplitState,
    mut columns: Columns,
    window: &[u8],
    from: usize,
    eof: bool,
    each: &mut dyn FnMut(Piece),
) -> usize {
    let mut games: Vec<Gathered> = Vec::new();
    let mut by_id: HashMap<u64, usize> = HashMap::new();
    let mut previous = None;
    let (mut at, mut last_line) = (from, from);
    while at < window.len() {
        let length = memchr(columns.end, &window[at..]);
        let end = match length {
            Some(length) => at + length + 1,
            None if eof => window.len(),
            None => break,
        };
        let line = &window[at..end];
        let start = at;
        last_line = at;
        at = end;
        if line.trim_ascii().is_empty() {
            continue;
        }
        if !state.any {
            columns.from_one = columns.is_one(line);
            state.movecsv.columns = Some(columns);
        }
        state.any = true;
        // A row that is none belongs to the one before it.
        let known = columns.id(line).map(xxh3_64);
        let id = known.or(previous).unwrap_or_default();
        previous = Some(id);
        if state.movecsv.is_told(id, end) {
            continue;
        }
        let next = games.len();
        match by_id.entry(id) {
            Entry::Occupied(mut entry) => {
                if let Some(game) = games.get_mut(*entry.get()) {
                    if start - game.end <= GAP && end - game.start <= SPAN {
                        game.end = end;
                        continue;
                    }
                    game.replaced = true;
                }
                entry.insert(next);
            }
            Entry::Vacant(entry) => {
                entry.insert(next);
            }
        }
        games.push(Gathered {
            id,
            start,
            end,
            replaced: false,
        });
    }
    // The last line may be what the next row belongs to.
    let mut done = if eof { window.len() } else { last_line };
    for game in &games {
        let is_over = eof || game.replaced || at - game.end > GAP || at - game.start > SPAN;
        if !is_over {
            done = done.min(game.start);
            break;
        }
        let until = state.movecsv.before + game.end as u64;
        state.movecsv.told.push((game.id, until));
        each(Piece {
            start: game.start,
            end: game.end,
            around: Around {
                unclosed: eof && game.end == at,
                columns: Some(columns),
                ..Around::default()
            },
        });
    }
    let behind = state.movecsv.before + done as u64;
    state.movecsv.told.retain(|(_, until)| *until > behind);
    done
}

/// One row of the game.
struct Row<'a> {
    index: Option<u32>,
    token: &'a [u8],
}

fn read<'a>(bytes: &'a [u8], piece: Piece, context: &'a Context) -> Reading<'a> {
    let mut record = Record::empty(bytes);
    record.game = Some("xiangqi");
    record.notation = Notation::Xiangqi;
    let Some(columns) = piece.around.columns else {
        let error = ReadError::new(
            "bad_head_line",
            "the first line of the table does not name the columns game_id and move",
        );
        return Reading::Broken(record, error);
    };
    let first = bytes
        .split(|byte| *byte == columns.end)
        .next()
        .unwrap_or_default();
    let Some(id) = columns.id(first) else {
        let error = ReadError::new(
            "bad_row",
            "the row has no game_id or no move, or fewer columns than the head line",
        );
        return Reading::Broken(record, error);
    };
    record.id = Some(id);
    // Rows of other games may lie between.
    context.set_charset(&mut record, first, None);
    let mut rows: Vec<Row<'a>> = Vec::new();
    for (at, line) in own_lines(bytes, columns, id) {
        match columns.id(line) {
            Some(known) if known == id => {}
            Some(_) => continue,
            None => {
                let warning = Warning::new("bad_row", Place::Byte(at as u32));
                warn_once(&mut record.warnings, warning);
                continue;
            }
        }
        let mut row = Row {
            index: None,
            token: b"",
        };
        for (place, field) in (0..u8::MAX).zip(fields(line)) {
            if place == columns.played {
                row.token = field;
            } else if Some(place) == columns.index {
                row.index = number(field);
            } else if rows.is_empty() {
                head_field(&mut record, columns, place, field, context);
            }
        }
        rows.push(row);
    }
    if let Err(error) = order(&mut record, columns, &mut rows) {
        return Reading::Broken(record, error);
    }
    let mut side = Side::First;
    for row in rows {
        // A game without a move may have a row of its own.
        if row.token.is_empty() && record.steps.is_empty() {
            continue;
        }
        let at = offset(bytes, row.token);
        whole::step(&mut record, StepKind::Play(side), row.token, at);
        side = side.other();
    }
    Reading::Game(record)
}

/// The lines that have the id of a game in them, each with its place, and those
/// right behind them that are no rows. Rows of many other games may lie between:
/// they are not looked at one by one.
fn own_lines<'a>(
    bytes: &'a [u8],
    columns: Columns,
    id: &'a [u8],
) -> impl Iterator<Item = (usize, &'a [u8])> {
    let finder = memmem::Finder::new(id);
    let mut at = 0;
    let mut follows = false;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let mut start = at;
            if !follows {
                let found = at + finder.find(&bytes[at..])?;
                start += memrchr(columns.end, &bytes[at..found]).map_or(0, |end| end + 1);
            }
            let end =
                memchr(columns.end, &bytes[start..]).map_or(bytes.len(), |end| start + end + 1);
            let line = &bytes[start..end];
            let is_blank = line.trim_ascii().is_empty();
            if follows && !is_blank && columns.id(line).is_some() {
                follows = false;
                continue;
            }
            at = end;
            follows |= columns.id(line) == Some(id);
            if !is_blank {
                return Some((start, line));
            }
        }
        None
    })
}

/// What the first row of a game says of all of it.
fn head_field<'a>(
    record: &mut Record<'a>,
    columns: Columns,
    place: u8,
    field: &'a [u8],
    context: &Context,
) {
    let place = Some(place);
    if place == columns.status {
        record.ending = Some(field).filter(|field| !field.is_empty());
    } else if place == columns.outcome {
        record.result = match field.to_ascii_uppercase().as_slice() {
            b"" => None,
            b"RED_WINS" => Some(b"1-0"),
            b"BLACK_WINS" => Some(b"0-1"),
            b"DRAW" => Some(b"1/2-1/2"),
            _ => Some(field),
        };
    } else if place == columns.red {
        whole::field(record, context.meta, Field::FirstPlayer, field);
    } else if place == columns.black {
        whole::field(record, context.meta, Field::SecondPlayer, field);
    } else if place == columns.time {
        whole::field(record, context.meta, Field::Date, field);
    }
}

/// Puts the moves in order by their numbers, from 0; from 1 where the table
/// begins so.
fn order(
    record: &mut Record<'_>,
    columns: Columns,
    rows: &mut Vec<Row<'_>>,
) -> Result<(), ReadError> {
    if columns.index.is_none() {
        return Ok(());
    }
    if !rows.is_sorted_by_key(|row| row.index) {
        rows.sort_by_key(|row| row.index);
        let warning = Warning::new("unsorted_moves", Place::Record);
        warn_once(&mut record.warnings, warning);
    }
    let all = rows.len();
    rows.dedup_by(|next, row| next.index == row.index && next.token == row.token);
    if rows.len() < all {
        let warning = Warning::with(
            "duplicate_row",
            (all - rows.len()).to_string(),
            Place::Record,
        );
        warn_once(&mut record.warnings, warning);
    }
    let mut wanted = match rows.first().and_then(|row| row.index) {
        Some(0) => 0,
        _ => u32::from(columns.from_one),
    };
    for row in rows.iter() {
        match row.index {
            Some(index) if index == wanted => wanted += 1,
            Some(index) if index > wanted => {
                return Err(ReadError::new(
                    "missing_moves",
                    format!(
                        "the move {wanted} of the game is not among its rows, which go on with {index}: \
                         sort the table by game, where rows of one game are far apart"
                    ),
                ));
            }
            Some(index) => {
                return Err(ReadError::new(
                    "two_moves",
                    format!("the table has two moves {index} of this game"),
                ));
            }
            None => {
                return Err(ReadError::new(
                    "bad_row",
                    "a row of the game has no number of a move (move_index)",
                ));
            }
        }
    }
    Ok(())
}
