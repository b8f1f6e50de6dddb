//! Whether a text is a board, whatever its name.

use super::{
    head::captures,
    line::{Line, Seen, line, span},
    row::{Item, Items},
    signs::Kind,
};

/// Whether the first bytes of a file are plainly boards: rows of one length
/// with what may stand around them, and nothing else.
///
/// Digits are a board only below head lines, as tables of digits are common.
pub(super) fn looks_like_board(bytes: &[u8]) -> bool {
    // A head that fills its buffer ends in the middle of a line.
    let whole = bytes.len() < 4096;
    let mut sight = Sight::default();
    let mut seen = Seen::default();
    let mut items = Items::default();
    let mut at = 0;
    while let Some(span) = span(bytes, at, whole) {
        at = span.next;
        let Some(line) = line(bytes, span, seen, whole, &mut items) else {
            break;
        };
        let text = bytes.get(span.start..span.end).unwrap_or_default();
        match line {
            Line::Row(shape) => {
                seen.add(shape);
                let remark = items.remark.and_then(|from| text.get(from..));
                if remark.is_some_and(|remark| !is_captures(remark)) || !sight.row(text, &items) {
                    return false;
                }
                continue;
            }
            Line::Head => sight.heads = true,
            Line::Text if !is_captures(text) => return false,
            Line::Number if sight.blocks + sight.rows == 0 => return false,
            _ => {}
        }
        if !matches!(line, Line::Frame) {
            sight.end_block();
            seen = Seen::default();
        }
    }
    sight.end_block();
    sight.is_board()
}

fn is_captures(text: &[u8]) -> bool {
    captures(&String::from_utf8_lossy(text)).is_some()
}

/// What was seen so far.
#[derive(Debug, Default)]
struct Sight {
    heads: bool,
    stones: bool,
    digits: bool,
    /// Rows that follow each other, and their length.
    rows: usize,
    width: usize,
    /// Groups of rows so far, and the rows and columns of the largest.
    blocks: usize,
    largest: (usize, usize),
}

impl Sight {
    /// Takes in a row; `false` where no board has such.
    fn row(&mut self, text: &[u8], items: &Items) -> bool {
        let (mut points, mut commas, mut digits, mut stones) = (0, 0, 0, 0);
        let last = items.list.len().saturating_sub(1);
        for (place, item) in items.list.iter().enumerate() {
            match *item {
                Item::Point(sign, at) => {
                    points += 1;
                    commas += usize::from(text.get(at) == Some(&b','));
                    stones += usize::from(matches!(sign.kind, Kind::Stone(_)));
                }
                Item::Digits(from, to) if place != 0 && place != last => digits += to - from,
                Item::Digits(..) => {}
            }
        }
        // Values between commas are a table.
        if commas * 3 > points || items.more > 0 {
            return false;
        }
        self.digits |= digits > 0 || points == 0;
        self.stones |= stones > 0;
        if self.rows > 0 && self.width != points {
            return false;
        }
        self.rows += 1;
        self.width = points;
        true
    }

    fn end_block(&mut self) {
        if self.rows > 0 {
            self.blocks += 1;
            let (rows, width) = self.largest;
            if self.rows * self.width >= rows * width {
                self.largest = (self.rows, self.width);
            }
            self.rows = 0;
        }
    }

    fn is_board(&self) -> bool {
        let (rows, columns) = self.largest;
        if self.heads {
            return self.blocks > 0;
        }
        // A few dots may be anything.
        let least = if self.stones { 2 } else { 3 };
        !self.digits && rows >= least && columns >= least
    }
}
