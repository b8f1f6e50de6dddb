//! Cuts a text into records: boards with what is said about them.
//!
//! * A blank line, a rule (`---`, `===`) or, where the number of rows is
//!   given, the last row ends a board.
//! * A number alone after a board belongs to it, also behind blank lines.
//! * Other lines between two boards belong to the second, unless a rule or
//!   the end of the text follows them. Right below the rows, they belong to the
//!   first; where no blank line parts them from the second either, to the
//!   one that would else have none above its rows.
//! * A line between two rows that is neither a row nor `key: value` does not
//!   end the board: it is taken for a damaged row.

use super::{
    super::{Context, Piece, SplitState},
    line::{Line, Seen, Span, line, span},
    row::Items,
};

/// Text without a board is given up beyond this many bytes.
pub(super) const MAX_GAP: usize = 64 * 1024;

/// See [`super::super::Format::split`].
pub(super) fn split(
    state: &mut SplitState,
    window: &[u8],
    eof: bool,
    context: &Context,
    each: &mut dyn FnMut(Piece),
) -> usize {
    let limit = context.size.map(|(_, rows)| u32::from(rows));
    let mut items = Items::default();
    let mut from = 0;
    if state.is_passing() {
        match pass(window, eof, &mut items) {
            Passed::All(at) => return at,
            Passed::UpTo(next) => from = next,
        }
        state.pass_over();
    }
    loop {
        let mut search = Search {
            limit,
            ..Search::default()
        };
        match search.run(window, from, eof, &mut items) {
            Found::Record {
                start,
                end,
                next,
                unclosed,
            } => {
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
            Found::Text { next } => {
                state.inked = true;
                state.text_before = true;
                from = next;
            }
            Found::More { keep } => return keep,
            Found::End { inked } => {
                state.inked |= inked;
                return window.len();
            }
        }
    }
}

/// How much of a record that was given up lies in a window.
pub(super) enum Passed {
    /// All up to a place, and more may follow.
    All(usize),
    /// The next record can begin here.
    UpTo(usize),
}

/// Passes over what is left of a record that was given up: to the blank line or
/// rule that ends it.
pub(super) fn pass(window: &[u8], eof: bool, items: &mut Items) -> Passed {
    let mut at = 0;
    while let Some(span) = span(window, at, eof) {
        match line(window, span, Seen::default(), eof, items) {
            Some(Line::Blank | Line::Rule) => return Passed::UpTo(span.next),
            // What a line of dashes is shows soon, or does not matter.
            None if window.len() - at <= MAX_GAP => return Passed::All(at),
            _ => at = span.next,
        }
    }
    if at > 0 || eof {
        return Passed::All(at);
    }
    // A line without its end; one sign of it shows later that it is not blank.
    let ink = window.iter().rposition(|byte| !byte.is_ascii_whitespace());
    let kept = ink.filter(|ink| window.len() - ink <= MAX_GAP);
    Passed::All(kept.unwrap_or(window.len()))
}

/// What lies from a place on.
enum Found {
    Record {
        start: usize,
        end: usize,
        next: usize,
        /// Whether only the end of the text ends it.
        unclosed: bool,
    },
    /// Text that belongs to no record.
    Text { next: usize },
    /// The window ends too early to tell.
    More { keep: usize },
    /// Nothing up to the end.
    End { inked: bool },
}

/// Where in a record the search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Before its first row.
    #[default]
    Before,
    /// After a row.
    Rows,
    /// After names of columns below the rows.
    Columns,
    /// After text right below a row.
    Text,
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
    limit: Option<u32>,
    phase: Phase,
    seen: Seen,
    /// Its first byte.
    start: Option<usize>,
    /// One past its last byte so far.
    end: usize,
    /// Whether something is said before its first row.
    heads: bool,
    /// Where lines begin that may belong to the next board, and the end of the
    /// record without them.
    pending: Option<(usize, usize)>,
}

impl Search {
    fn run(&mut self, window: &[u8], from: usize, eof: bool, items: &mut Items) -> Found {
        let mut at = from;
        while at < window.len() {
            let known = span(window, at, eof)
                .and_then(|span| Some((span, line(window, span, self.known(), eof, items)?)));
            let Some((span, line)) = known else {
                let behind = matches!(self.phase, Phase::After | Phase::Gap | Phase::Pending);
                if behind && window.len() - at > MAX_GAP {
                    // Whatever this line is, it is not said about the board.
                    let (next, end) = self.pending.unwrap_or((at, self.end));
                    return self.cut(end, next);
                }
                return Found::More {
                    keep: self.start.unwrap_or(at),
                };
            };
            if let Some(found) = self.step(span, line) {
                return found;
            }
            at = span.next;
        }
        if !eof {
            return Found::More {
                keep: self.start.unwrap_or(at),
            };
        }
        match self.start {
            Some(start) if self.seen.rows > 0 || self.heads => Found::Record {
                start,
                end: self.end,
                next: window.len(),
                unclosed: true,
            },
            start => Found::End {
                inked: start.is_some(),
            },
        }
    }

    /// The rows that a line may be one more of.
    fn known(&self) -> Seen {
        match self.phase {
            Phase::Rows | Phase::Text | Phase::Columns => self.seen,
            _ => Seen::default(),
        }
    }

    /// Takes a line in; what was found, where it ends the search.
    fn step(&mut self, span: Span, line: Line) -> Option<Found> {
        let Span { start, end, next } = span;
        match line {
            Line::Blank => {
                if !matches!(self.phase, Phase::Before | Phase::Pending) {
                    self.phase = Phase::Gap;
                    self.pending = None;
                }
                None
            }
            Line::Rule if self.phase == Phase::Before => None,
            Line::Rule => Some(self.cut(self.end, next)),
            Line::Row(shape) => {
                match (self.phase, self.pending) {
                    (Phase::Rows | Phase::Text, _) if Some(self.seen.rows) == self.limit => {
                        return Some(self.cut(self.end, start));
                    }
                    (Phase::Before | Phase::Rows | Phase::Text, _) => {}
                    (_, Some((pending, end))) => return Some(self.cut(end, pending)),
                    (_, None) => return Some(self.cut(self.end, start)),
                }
                self.seen.add(shape);
                self.phase = Phase::Rows;
                self.extend(start, end);
                None
            }
            Line::Number if self.phase == Phase::Pending => self.wait(start, end),
            Line::Number => {
                match self.phase {
                    Phase::Rows | Phase::Text | Phase::Columns => self.phase = Phase::After,
                    _ => {}
                }
                self.extend(start, end);
                self.give_up(next)
            }
            Line::Head | Line::Text | Line::Columns | Line::Frame => self.other(line, span),
        }
    }

    /// Takes in a line that is neither blank nor a rule, row or number.
    fn other(&mut self, line: Line, span: Span) -> Option<Found> {
        let Span { start, end, next } = span;
        match (self.phase, line) {
            (Phase::Before, _) => {
                self.heads |= line == Line::Head;
                self.extend(start, end);
                return self.give_up(next);
            }
            (Phase::Gap | Phase::Pending, _) => {
                self.phase = Phase::Pending;
                return self.wait(start, end);
            }
            (Phase::Rows | Phase::Text, Line::Text) => self.phase = Phase::Text,
            (Phase::Rows, Line::Columns) => self.phase = Phase::Columns,
            (Phase::Rows | Phase::Text, Line::Frame) => {}
            (_, Line::Columns) => {
                // The first of two lines of names is below the board.
                self.pending.get_or_insert((start, self.end));
                self.phase = Phase::After;
            }
            (_, Line::Head) => {
                if self.heads {
                    self.pending.get_or_insert((start, self.end));
                }
                self.phase = Phase::After;
            }
            _ => self.phase = Phase::After,
        }
        self.extend(start, end);
        None
    }

    fn extend(&mut self, start: usize, end: usize) {
        self.start.get_or_insert(start);
        self.end = end;
    }

    /// Keeps a line that may belong to the next board.
    fn wait(&mut self, start: usize, end: usize) -> Option<Found> {
        let (pending, before) = *self.pending.get_or_insert((start, self.end));
        self.end = end;
        (end - pending > MAX_GAP).then(|| self.cut(before, pending))
    }

    /// Gives text up that has no board.
    fn give_up(&self, next: usize) -> Option<Found> {
        let start = self.start.filter(|_| self.phase == Phase::Before)?;
        (next - start > MAX_GAP).then_some(Found::Text { next })
    }

    fn cut(&self, end: usize, next: usize) -> Found {
        Found::Record {
            start: self.start.unwrap_or(end),
            end,
            next,
            unclosed: false,
        }
    }
}
