//! Cuts a text into boards with what is said about them.
//!
//! * A board ends after ten rows, or where a blank line or a rule (`---`) comes
//!   earlier; after five rows these may be the river.
//! * What stands right below the rows, and a result alone, belongs to the board
//!   above; other lines between two boards to the one below, unless a rule or the
//!   end of the text follows them.

use super::{
    super::{
        line::{Span, span},
        row::Items,
        split::{MAX_GAP, Passed, pass},
    },
    line::{Line, Row, line},
};
use crate::format::{Piece, SplitState};

/// Rows of a board.
pub(super) const ROWS: usize = 10;
/// Points of a row.
pub(super) const FILES: usize = 9;
/// Rows before the river.
const HALF: usize = ROWS / 2;

/// Whether a text is plainly a board of xiangqi: rows enough of the right length,
/// with pieces that no board of stones has, most points empty, and nothing before
/// them but what is said about boards.
pub(super) fn looks_like_board(head: &[u8]) -> bool {
    // A head that fills its buffer ends in the middle of a line.
    let whole = head.len() < 4096;
    let mut block = Block::default();
    let (mut rows, mut wide, mut pieces, mut own) = (0, 0, 0, false);
    let mut is_named = false;
    let mut at = 0;
    while let Some(span) = span(head, at, whole) {
        at = span.next;
        let text = head.get(span.start..span.end).unwrap_or_default();
        let line = block.line(text);
        match line {
            Line::Row(row) => {
                rows += 1;
                wide += usize::from(row.points == FILES);
                pieces += row.pieces;
                own |= row.own;
                let is_like = wide + 2 >= ROWS && own && pieces * 2 <= FILES * ROWS;
                if is_like && rows >= ROWS || is_named {
                    return true;
                }
                block.add(row);
                continue;
            }
            Line::Head => is_named |= super::read::names_xiangqi(text),
            Line::Text if rows + 2 < ROWS => return false,
            _ => {}
        }
        let goes_on = match line {
            Line::Around => true,
            Line::Blank | Line::Rule => block.rows == HALF,
            _ => false,
        };
        if !goes_on && block.rows > 0 {
            break;
        }
    }
    wide + 2 >= ROWS && own && pieces * 2 <= FILES * ROWS
}

/// Rows met of a board, by which a line of dashes is told.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    pub(super) rows: usize,
    dashes: bool,
}

impl Block {
    /// What a line is behind these rows: dashes alone are the river, or part
    /// boards, unless empty points are written so.
    pub(super) fn line(self, text: &[u8]) -> Line {
        match line(text) {
            Line::Row(row) if row.bare && !(self.dashes && self.rows < ROWS) => Line::Rule,
            // Without blanks or with them, after rows that have other signs.
            Line::Row(row)
                if self.rows == HALF && !self.dashes && row.dashes && row.pieces == 0 =>
            {
                Line::Rule
            }
            line => line,
        }
    }

    pub(super) fn add(&mut self, row: Row) {
        self.rows += 1;
        self.dashes |= row.dashes;
    }
}

/// See [`crate::format::Format::split`].
pub(super) fn split(
    state: &mut SplitState,
    window: &[u8],
    eof: bool,
    each: &mut dyn FnMut(Piece),
) -> usize {
    let mut from = 0;
    if state.is_passing() {
        match pass(window, eof, &mut Items::default()) {
            Passed::All(at) => return at,
            Passed::UpTo(next) => from = next,
        }
        state.pass_over();
    }
    loop {
        match Search::default().run(window, from, eof) {
            Found::Record(start, end, next, unclosed) => {
                state.any = true;
                state.inked = true;
                let mut piece = Piece {
                    start,
                    end,
                    ..Piece::default()
                };
                piece.around.unclosed = unclosed;
                piece.around.leading_text = std::mem::take(&mut state.text_before);
                each(piece);
                from = next;
            }
            Found::Text(next) => {
                state.inked = true;
                state.text_before = true;
                from = next;
            }
            Found::More(keep) => return keep,
            Found::End(inked) => {
                state.inked |= inked;
                return window.len();
            }
        }
    }
}

/// What lies from a place on.
enum Found {
    /// Its first byte, one past its last, where the next can begin, and whether
    /// only the end of the text ends it.
    Record(usize, usize, usize, bool),
    /// Text that belongs to no record, up to a place.
    Text(usize),
    /// The window ends too early to tell; what is to be kept.
    More(usize),
    /// Nothing up to the end, but for ink.
    End(bool),
}

/// Where in a record the search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Before its first row.
    #[default]
    Before,
    /// In its rows.
    Rows,
    /// After what is said right below the rows.
    After,
    /// After a blank line below the rows.
    Gap,
    /// In lines that may belong to the next board.
    Pending,
}

/// Looks for the end of one record.
#[derive(Debug, Default)]
struct Search {
    phase: Phase,
    block: Block,
    start: Option<usize>,
    end: usize,
    /// Something is said before its first row.
    heads: bool,
    /// After a blank line or rule behind five rows: the end before it, where the
    /// line behind it begins, and rows since.
    river: Option<(usize, usize, usize)>,
    /// After more rows than a board has behind what may be the river: the end of
    /// the ten, and where the line behind them begins.
    over: Option<(usize, usize)>,
    /// Where lines begin that may belong to the next board, and the end of the
    /// record without them.
    pending: Option<(usize, usize)>,
}

impl Search {
    fn run(&mut self, window: &[u8], from: usize, eof: bool) -> Found {
        let mut at = from;
        while at < window.len() {
            let Some(span) = span(window, at, eof) else {
                let behind = matches!(self.phase, Phase::After | Phase::Gap | Phase::Pending);
                if behind && window.len() - at > MAX_GAP {
                    let (next, end) = self.pending.unwrap_or((at, self.end));
                    return self.cut(end, next);
                }
                return Found::More(self.start.unwrap_or(at));
            };
            let text = window.get(span.start..span.end).unwrap_or_default();
            let line = self.block.line(text);
            if let Some(found) = self.step(span, line) {
                return found;
            }
            at = span.next;
        }
        match self.start {
            _ if !eof => Found::More(self.start.unwrap_or(at)),
            Some(_) if self.over.is_some() => self.cut_at_river(),
            Some(start) if self.block.rows > 0 || self.heads => {
                Found::Record(start, self.end, window.len(), true)
            }
            start => Found::End(start.is_some()),
        }
    }

    /// Takes a line in; what was found, where it ends the search.
    fn step(&mut self, span: Span, line: Line) -> Option<Found> {
        if self.over.is_some() && !matches!(line, Line::Row(_)) {
            return Some(self.cut_at_river());
        }
        let waits = self.river.is_some_and(|(_, _, since)| since == 0);
        let may_wait = matches!(line, Line::Row(_) | Line::Around | Line::Blank | Line::Rule);
        if self.phase == Phase::Rows && waits && !may_wait {
            // It was not the river.
            self.phase = Phase::Gap;
        }
        match (self.phase, line) {
            (Phase::Before, Line::Blank | Line::Rule) => {}
            (_, Line::Row(row)) => return self.row(span, row),
            (Phase::Before, _) => {
                self.heads |= line == Line::Head;
                self.extend(span);
                let start = self.start.unwrap_or(span.start);
                return (span.next - start > MAX_GAP).then_some(Found::Text(span.next));
            }
            (Phase::Rows, Line::Blank | Line::Rule)
                if self.block.rows == HALF && self.river.is_none_or(|_| waits) =>
            {
                self.river.get_or_insert((self.end, span.next, 0));
            }
            (Phase::Pending, Line::Blank) => {}
            (_, Line::Blank) => self.phase = Phase::Gap,
            (_, Line::Rule) => return Some(self.cut(self.end, span.next)),
            (Phase::Rows, Line::Around | Line::Files(_) | Line::Text) => self.extend(span),
            (Phase::Rows | Phase::After, _) => {
                self.phase = Phase::After;
                self.extend(span);
            }
            (Phase::Gap, Line::Result | Line::TurnBelow(_)) => self.extend(span),
            (Phase::Gap | Phase::Pending, _) => {
                self.phase = Phase::Pending;
                let (pending, before) = *self.pending.get_or_insert((span.start, self.end));
                self.end = span.end;
                if span.end - pending > MAX_GAP {
                    return Some(self.cut(before, pending));
                }
            }
        }
        None
    }

    fn row(&mut self, span: Span, row: Row) -> Option<Found> {
        match (self.phase, &mut self.river) {
            (Phase::Rows, Some((_, _, since))) if *since >= HALF => {
                // The ten rows, or five and another board.
                *since += 1;
                let over = *self.over.get_or_insert((self.end, span.start));
                return (*since == HALF + ROWS).then(|| self.cut(over.0, over.1));
            }
            (Phase::Before, _) => {}
            (Phase::Rows, _) if self.block.rows < ROWS => {}
            _ => {
                let (next, end) = self.pending.unwrap_or((span.start, self.end));
                return Some(self.cut(end, next));
            }
        }
        if let Some((_, _, since)) = &mut self.river {
            *since += 1;
        }
        self.phase = Phase::Rows;
        self.block.add(row);
        self.extend(span);
        None
    }

    /// What was taken for the river parts five rows from another board.
    fn cut_at_river(&self) -> Found {
        let (end, next, _) = self.river.unwrap_or((self.end, self.end, 0));
        self.cut(end, next)
    }

    fn extend(&mut self, span: Span) {
        self.start.get_or_insert(span.start);
        self.end = span.end;
    }

    fn cut(&self, end: usize, next: usize) -> Found {
        Found::Record(self.start.unwrap_or(end), end, next, false)
    }
}
