//! Rows to stones: labels left out, and what does not fit refused.

use super::{
    line::Span,
    read::{Reader, Row},
    row::Item,
    signs::{ANY, DIGITS, Kind, PAIRS, WITH_O, sign},
};
use crate::{
    outcome::Side,
    record::{ReadError, Step, StepKind, sgf_point},
};

/// Columns or rows of the largest board.
pub(super) const MAX_SIZE: usize = 52;

/// A point of a row.
#[derive(Clone, Copy)]
struct Point {
    kind: Kind,
    pairs: u8,
    /// Its byte in the record.
    at: usize,
}

impl Reader<'_, '_> {
    /// Turns the rows into a set-up.
    pub(super) fn place_stones(&mut self) -> Result<(), ReadError> {
        let rows = self.points()?;
        let Some((_, first)) = rows.first() else {
            return Err(ReadError::new(
                "no_board",
                "no row of a board: write one row a line, such as X . O",
            ));
        };
        let width = first.len();
        self.check_text(width)?;
        if width > MAX_SIZE || self.height > MAX_SIZE {
            return Err(ReadError::new(
                "bad_size",
                format!(
                    "{width} columns and {} rows, more than {MAX_SIZE}: part boards by blank \
                     lines, or say by --size how many rows one has",
                    self.height
                ),
            ));
        }
        if let Some((line, row)) = rows.iter().find(|(_, row)| row.len() != width) {
            return Err(ReadError::new(
                "ragged_board",
                format!(
                    "line {line} of the record has {} points and the first row {width}: all rows \
                     of a board are of one length",
                    row.len()
                ),
            ));
        }
        self.check_size((width, self.height))?;
        self.record.size = Some((width as u8, self.height as u8));
        self.check_signs(&rows)?;
        let mut turns = std::mem::take(&mut self.record.steps);
        for turn in &mut turns {
            let by_sign = matches!(turn.token, b"X" | b"x" | b"O" | b"o");
            if let (StepKind::Turn(side), true) = (turn.kind, by_sign && self.o_first) {
                turn.kind = StepKind::Turn(side.other());
            }
        }
        for (row, (_, points)) in (0..).zip(&rows) {
            for (column, point) in (0..).zip(points) {
                if let Kind::Stone(side) = point.kind {
                    let swapped = self.o_first && point.pairs & WITH_O != 0;
                    let side = if swapped { side.other() } else { side };
                    self.record.steps.push(Step {
                        kind: StepKind::Place(side),
                        at: point.at as u32,
                        token: sgf_point(column, row),
                    });
                }
            }
        }
        self.record.steps.extend(turns);
        Ok(())
    }

    /// A line of text that was meant for a row is one that is damaged.
    fn check_text(&self, width: usize) -> Result<(), ReadError> {
        let beside = |text: Option<(usize, Span)>, line: Option<usize>| {
            text.filter(|(number, _)| Some(*number) == line)
        };
        let first = self.rows.first().map(|row| row.line - 1);
        let last = self.rows.last().map(|row| row.line + 1);
        let meant = |(_, span): &(usize, Span)| self.is_meant_for_row(*span, width);
        let damaged = self
            .damaged
            .or_else(|| beside(self.above, first).filter(meant))
            .or_else(|| beside(self.below, last).filter(meant));
        let Some((line, span)) = damaged else {
            return Ok(());
        };
        let (column, letter) = self.odd_sign(span);
        Err(ReadError::new(
            "bad_sign",
            format!(
                "line {line} of the record, column {column}: {letter:?} is no sign of a board; \
                 part boards and text by blank lines"
            ),
        ))
    }

    /// Whether most signs of a line are of a board, and as many as in a row.
    fn is_meant_for_row(&self, span: Span, width: usize) -> bool {
        let text = self.bytes.get(span.start..span.end).unwrap_or_default();
        let (mut good, mut all, mut at) = (0, 0, 0);
        while at < text.len() {
            let sign = sign(text.get(at..).unwrap_or_default());
            at += usize::from(sign.length);
            good += usize::from(matches!(sign.kind, Kind::Empty | Kind::Stone(_)));
            all += usize::from(sign.kind != Kind::Blank);
        }
        // Up to two labels of two digits.
        (width..=width + 4).contains(&all) && good * 2 >= width
    }

    /// The first sign of a line that is none of a board, and its column.
    fn odd_sign(&self, span: Span) -> (usize, String) {
        let text = self.bytes.get(span.start..span.end).unwrap_or_default();
        let mut at = 0;
        while at < text.len() {
            let rest = text.get(at..).unwrap_or_default();
            let found = sign(rest);
            if found.kind == Kind::Other {
                return (self.column(span.start, at), self.letter(rest));
            }
            at += usize::from(found.length);
        }
        (1, self.letter(text))
    }

    /// The first letter of some bytes.
    fn letter(&self, bytes: &[u8]) -> String {
        let head = bytes.get(..8).unwrap_or(bytes);
        let text = self.record.charset.decode(head);
        text.chars().take(1).collect()
    }

    /// The column of a byte in its line, in letters from 1.
    fn column(&self, start: usize, at: usize) -> usize {
        let before = self.bytes.get(start..start + at).unwrap_or_default();
        let before = before.strip_prefix(b"\xef\xbb\xbf").unwrap_or(before);
        self.record.charset.decode(before).chars().count() + 1
    }

    /// Holds the board against a size that is written or set.
    fn check_size(&self, drawn: (usize, usize)) -> Result<(), ReadError> {
        let (size, who) = match (self.size, self.context.size) {
            (Some(size), _) => (size, "the record says"),
            (None, Some(size)) => (size, "--size says"),
            (None, None) => return Ok(()),
        };
        if (usize::from(size.0), usize::from(size.1)) == drawn {
            return Ok(());
        }
        Err(ReadError::new(
            "bad_size",
            format!(
                "the board has {} columns and {} rows, but {who} {}x{}",
                drawn.0, drawn.1, size.0, size.1
            ),
        ))
    }

    /// The points of each row, labels left out.
    fn points(&self) -> Result<Vec<(usize, Vec<Point>)>, ReadError> {
        let (left, right) = self.labels();
        let mut rows = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let mut points = Vec::new();
            let last = row.items.list.len().saturating_sub(1);
            for (place, item) in row.items.list.iter().enumerate() {
                match *item {
                    Item::Point(sign, at) => points.push(Point {
                        kind: sign.kind,
                        pairs: sign.pairs,
                        at: row.start + at,
                    }),
                    Item::Digits(..) if (place == 0 && left) || (place == last && right) => {}
                    Item::Digits(from, to) => {
                        for at in from..to {
                            points.push(self.digit(row, at)?);
                        }
                    }
                }
            }
            // Only to say how many there are: the row is too long anyway.
            let more = points.last().copied();
            points.extend(more.into_iter().cycle().take(row.items.more));
            rows.push((row.line, points));
        }
        Ok(rows)
    }

    /// The point of a digit.
    fn digit(&self, row: &Row, at: usize) -> Result<Point, ReadError> {
        let byte = self.bytes.get(row.start + at).copied().unwrap_or_default();
        let kind = match byte {
            b'0' => Kind::Empty,
            b'1' => Kind::Stone(Side::First),
            b'2' => Kind::Stone(Side::Second),
            _ => {
                let (line, column) = (row.line, self.column(row.start, at));
                let message = format!(
                    "line {line} of the record, column {column}: '{}' is no sign of a board",
                    char::from(byte)
                );
                return Err(ReadError::new("bad_sign", message));
            }
        };
        Ok(Point {
            kind,
            pairs: DIGITS,
            at: row.start + at,
        })
    }

    /// Whether digits at the left and at the right of rows are labels.
    ///
    /// Beside stones that are no digits they are. Else they are where they
    /// count the rows and cannot be points, or where columns have names too.
    fn labels(&self) -> (bool, bool) {
        let is_stone = |item: &Item| matches!(item, Item::Point(sign, _) if matches!(sign.kind, Kind::Stone(_)));
        if self
            .rows
            .iter()
            .any(|row| row.items.list.iter().any(is_stone))
        {
            return (true, true);
        }
        let left = |row: &Row| row.items.list.first().copied();
        let right = |row: &Row| row.items.list.last().copied();
        (self.count_rows(left), self.count_rows(right))
    }

    /// Whether numbers of rows go up or down by one.
    fn count_rows(&self, label: fn(&Row) -> Option<Item>) -> bool {
        let mut numbers = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let Some(Item::Digits(from, to)) = label(row) else {
                return false;
            };
            let digits = self.bytes.get(row.start + from..row.start + to);
            let number = digits.filter(|digits| digits.len() <= 2).map(|digits| {
                let add = |number, digit: &u8| number * 10 + i32::from(digit - b'0');
                digits.iter().fold(0, add)
            });
            let Some(number) = number else {
                return false;
            };
            numbers.push(number);
        }
        let steps = |step: i32| numbers.windows(2).all(|pair| pair[1] - pair[0] == step);
        let told = self.columns || numbers.iter().any(|number| *number > 2);
        told && numbers.len() > 1 && (steps(1) || steps(-1))
    }

    /// Holds that all stones are of one pair of signs.
    fn check_signs(&self, rows: &[(usize, Vec<Point>)]) -> Result<(), ReadError> {
        let mut pairs = ANY;
        let mut known = 0;
        for ((line, points), row) in rows.iter().zip(&self.rows) {
            for point in points {
                if pairs & point.pairs == 0 {
                    let here = self.letter(self.bytes.get(point.at..).unwrap_or_default());
                    let other = self.letter(self.bytes.get(known..).unwrap_or_default());
                    let column = self.column(row.start, point.at - row.start);
                    let all: Vec<String> = PAIRS
                        .iter()
                        .map(|(first, second)| format!("{first} and {second}"))
                        .collect();
                    return Err(ReadError::new(
                        "mixed_signs",
                        format!(
                            "line {line} of the record, column {column}: {here:?} in a board with \
                             {other:?}; write the stones of one board as {}",
                            all.join(", or ")
                        ),
                    ));
                }
                if point.pairs != ANY {
                    known = point.at;
                }
                pairs &= point.pairs;
            }
        }
        Ok(())
    }
}
