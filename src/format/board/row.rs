//! The parts of a row: points, labels, and a remark behind it.

use super::{
    line::digits,
    signs::{Kind, Sign, sign},
};

/// So many parts of a row are kept; a row that can be used has fewer.
const MAX_ITEMS: usize = 128;

/// What a row looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Its signs, without labels as far as these can be told.
    pub(super) width: usize,
    /// Whether it has a point written `-`.
    pub(super) dashes: bool,
    /// Whether its points are digits.
    pub(super) digits: bool,
}

/// A part of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A point.
    Point(Sign, usize),
    /// Digits, from one place to another: a label, or points.
    Digits(usize, usize),
}

/// The parts of a row, in the order of the line.
#[derive(Debug, Default)]
pub(super) struct Items {
    pub(super) list: Vec<Item>,
    /// Parts beyond those kept.
    pub(super) more: usize,
    /// Where text after the row begins.
    pub(super) remark: Option<usize>,
}

impl Items {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.more = 0;
        self.remark = None;
    }

    fn push(&mut self, item: Item) {
        if self.list.len() < MAX_ITEMS {
            self.list.push(item);
        } else {
            self.more += 1;
        }
    }
}

/// The parts of a row. Text that follows one is a remark.
pub(super) fn row(line: &[u8], items: &mut Items) -> Option<Shape> {
    items.clear();
    let mut at = 0;
    while let Some(word) = next_word(line, at) {
        if !word.is_row {
            end_before(line, items, at, word.start)?;
            break;
        }
        add_word(line, word.start, word.end, items);
        at = word.end;
    }
    shape(line, items)
}

struct Word {
    start: usize,
    end: usize,
    is_row: bool,
}

/// The signs up to the next blank, from a place on.
fn next_word(line: &[u8], mut at: usize) -> Option<Word> {
    let here = |at: usize| sign(line.get(at..).unwrap_or_default());
    while at < line.len() && here(at).kind == Kind::Blank {
        at += usize::from(here(at).length);
    }
    let start = at;
    let mut is_row = true;
    while at < line.len() {
        let sign = here(at);
        if sign.kind == Kind::Blank {
            break;
        }
        is_row &= sign.kind != Kind::Other;
        at += usize::from(sign.length);
    }
    (at > start).then_some(Word {
        start,
        end: at.min(line.len()),
        is_row,
    })
}

fn add_word(line: &[u8], start: usize, end: usize, items: &mut Items) {
    let mut at = start;
    while at < end {
        let rest = line.get(at..end).unwrap_or_default();
        let (count, _) = digits(rest);
        if count > 0 {
            items.push(Item::Digits(at, at + count));
            at += count;
        } else {
            let sign = sign(rest);
            items.push(Item::Point(sign, at));
            at += usize::from(sign.length);
        }
    }
}

/// Ends a row before a remark: behind its label, or where the remark stands
/// apart from at least two points.
fn end_before(line: &[u8], items: &mut Items, end: usize, remark: usize) -> Option<()> {
    let is_point = |item: &Item| matches!(item, Item::Point(..));
    let first = items.list.iter().position(is_point)?;
    let points = items
        .list
        .iter()
        .skip(first)
        .take_while(|item| is_point(item));
    let label = first + points.count();
    if label < first + 2 {
        return None;
    }
    items.remark = Some(remark);
    let gap = line.get(end..remark).unwrap_or_default();
    match items.list.get(label).copied() {
        Some(Item::Digits(from, _)) if line.get(from - 1).is_some_and(u8::is_ascii_whitespace) => {
            // Signs behind the label belong to the remark.
            if let Some(Item::Point(_, at) | Item::Digits(at, _)) = items.list.get(label + 1) {
                items.remark = Some(*at);
            }
            items.list.truncate(label + 1);
            items.more = 0;
            Some(())
        }
        None if gap.len() > 1 || gap == b"\t" => Some(()),
        _ => None,
    }
}

/// What a row of some parts looks like; nothing where they are no row.
fn shape(line: &[u8], items: &Items) -> Option<Shape> {
    let last = items.list.len().checked_sub(1)?;
    let mut points = 0;
    let mut inside = 0;
    let mut digits = 0;
    let mut dashes = false;
    for (place, item) in items.list.iter().enumerate() {
        match *item {
            Item::Point(_, at) => {
                points += 1;
                dashes |= line.get(at) == Some(&b'-');
            }
            Item::Digits(from, to) => {
                digits += to - from;
                if place != 0 && place != last {
                    inside += to - from;
                }
            }
        }
    }
    if points == 0 && last == 0 {
        return None;
    }
    // Digits at either end of a row with other signs are labels as a rule.
    let width = if points > 0 { points + inside } else { digits };
    Some(Shape {
        width: width + items.more,
        dashes,
        digits: points == 0 || inside > 0,
    })
}

/// Cuts the only word of a line into points and digits.
pub(super) fn split_digits(line: &[u8], items: &mut Items) {
    items.clear();
    if let Some(word) = next_word(line, 0) {
        add_word(line, word.start, word.end, items);
    }
}
