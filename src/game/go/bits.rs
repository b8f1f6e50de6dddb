//! Sets of points of a board as bits: a word for each row, a bit for each
//! column, so that whole rows are flooded and counted at once.

use super::board::MAX_SIZE;

/// A set of points.
pub(super) type Bits = [u64; MAX_SIZE as usize];

/// No points.
pub(super) const NOWHERE: Bits = [0; MAX_SIZE as usize];

/// The points next to a set in a row: not cut to the board at the right.
pub(super) fn beside(set: &Bits, row: usize, rows: usize) -> u64 {
    let above = if row > 0 { set[row - 1] } else { 0 };
    let below = if row + 1 < rows { set[row + 1] } else { 0 };
    above | below | set[row] << 1 | set[row] >> 1
}

/// The number of points in a set.
pub(super) fn size(set: &Bits, rows: usize) -> u32 {
    // To count bits takes long, so rows of usual length are counted by three.
    let three = |rows: &[u64]| match *rows {
        [one, two, three] if (one | two | three) >> 21 == 0 => {
            (one | two << 21 | three << 42).count_ones()
        }
        _ => rows.iter().map(|row| row.count_ones()).sum(),
    };
    set[..rows].chunks(3).map(three).sum()
}

/// Grows a set to all points connected with it within a mask.
pub(super) fn spread(set: &mut Bits, mask: &Bits, columns: usize, rows: usize) {
    for row in 0..rows {
        set[row] = fill_row(set[row], mask[row], columns);
    }
    // Down and up by turns, until a sweep after the first adds nothing.
    let mut first = true;
    loop {
        let mut grown = false;
        for row in 1..rows {
            grown |= enter(set, row, row - 1, mask, columns);
        }
        if !grown && !first {
            return;
        }
        first = false;
        grown = false;
        for row in (1..rows).rev() {
            grown |= enter(set, row - 1, row, mask, columns);
        }
        if !grown {
            return;
        }
    }
}

/// Grows a row of a set from a row next to it; returns whether it did.
fn enter(set: &mut Bits, row: usize, from: usize, mask: &Bits, columns: usize) -> bool {
    let fresh = set[from] & mask[row] & !set[row];
    if fresh == 0 {
        return false;
    }
    set[row] |= fill_row(fresh, mask[row], columns);
    true
}

/// All points of a row connected with a set along it, within a mask.
fn fill_row(set: u64, mask: u64, columns: usize) -> u64 {
    if (set << 1 | set >> 1) & mask & !set == 0 {
        return set;
    }
    // Upwards, the carry of an addition runs to the end of each stretch.
    let mut filled = (mask & !(mask + set)) | set;
    let mut open = mask;
    let mut step = 1;
    // Downwards, by doubled steps.
    while step < columns {
        filled |= open & (filled >> step);
        open &= open >> step;
        step *= 2;
    }
    filled
}

pub(super) fn without(set: &Bits, taken: &Bits) -> Bits {
    std::array::from_fn(|row| set[row] & !taken[row])
}

pub(super) fn both(one: &Bits, two: &Bits) -> Bits {
    std::array::from_fn(|row| one[row] & two[row])
}

pub(super) fn add(set: &mut Bits, more: &Bits) {
    for (set, more) in set.iter_mut().zip(more) {
        *set |= more;
    }
}

pub(super) fn touches(one: &Bits, two: &Bits) -> bool {
    one.iter().zip(two).any(|(one, two)| one & two != 0)
}

pub(super) fn contains(set: &Bits, part: &Bits) -> bool {
    set.iter().zip(part).all(|(set, part)| part & !set == 0)
}

/// The first point of a set, as a set.
pub(super) fn first_point(set: &Bits, rows: usize) -> Option<Bits> {
    let row = (0..rows).find(|row| set[*row] != 0)?;
    let mut point = NOWHERE;
    point[row] = set[row] & set[row].wrapping_neg();
    Some(point)
}

/// The points of a set, one by one, as sets.
pub(super) fn points(set: &Bits, rows: usize) -> impl Iterator<Item = Bits> + use<> {
    let mut left = *set;
    std::iter::from_fn(move || {
        let point = first_point(&left, rows)?;
        left = without(&left, &point);
        Some(point)
    })
}
