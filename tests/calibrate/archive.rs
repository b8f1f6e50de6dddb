//! Archives whose games were counted in a known way: finished 9x9 boards with
//! a wall from top to bottom and stray stones behind it.

#![allow(unreachable_pub)]

use crate::common::run::Folder;

/// How the written margins of an archive came about.
#[derive(Clone, Copy)]
pub enum Counted {
    /// Stones and points, with this komi.
    Area(f64),
    /// Points without stones, with this komi.
    Territory(f64),
    /// Not at all.
    ByChance,
}

/// Numbers that look random and are the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % limit
    }
}

/// A record: its properties beside size and position, and how it was counted;
/// `change` turns the margin into the written one.
pub fn game(
    dice: &mut Dice,
    properties: &str,
    counted: Counted,
    change: &dyn Fn(f64) -> f64,
) -> String {
    // Black has the columns left of the wall, and one more in the first rows.
    let (column, step) = (3 + dice.below(3) as usize, dice.below(10) as usize);
    let mut cells = [[None; 9]; 9];
    for (row, cells) in cells.iter_mut().enumerate() {
        let edge = if row < step { column + 1 } else { column };
        cells[column - 1..edge].fill(Some(0));
        cells[edge..=column + 1].fill(Some(1));
        for (place, cell) in cells.iter_mut().enumerate() {
            let side = usize::from(place >= edge);
            if dice.below(if side == 0 { 6 } else { 9 }) == 0 {
                *cell = Some(side);
            }
        }
    }
    let (mut area, mut stones) = (-81 + 2 * (9 * column + step) as i32, [0, 0]);
    let mut lists = [String::new(), String::new()];
    for (row, cells) in cells.iter().enumerate() {
        for (place, cell) in cells.iter().enumerate() {
            if let Some(side) = cell {
                stones[*side] += 1;
                let letter = |number: usize| char::from(b'a' + number as u8);
                lists[*side] += &format!("[{}{}]", letter(place), letter(row));
            }
        }
    }
    let margin = match counted {
        Counted::Area(komi) => f64::from(area) - komi,
        Counted::Territory(komi) => {
            area += stones[1] - stones[0];
            f64::from(area) - komi
        }
        Counted::ByChance => dice.below(80) as f64 - 39.5,
    };
    let written = change(margin.abs());
    let winner = if margin > 0.0 { "B" } else { "W" };
    format!(
        "(;GM[1]SZ[9]{properties}AB{}AW{}RE[{winner}+{written}])\n",
        lists[0], lists[1]
    )
}

/// Writes records into a folder, one a file; one in twenty has a margin by
/// chance.
pub fn fill(
    folder: &Folder,
    place: &str,
    records: usize,
    properties: &str,
    counted: Counted,
    change: &dyn Fn(f64) -> f64,
) {
    for (number, text) in games(place, records, properties, counted, change).enumerate() {
        folder.write(format!("{place}/{number:04}.sgf"), text);
    }
}

/// The records of a place.
pub fn games<'a>(
    place: &'a str,
    records: usize,
    properties: &'a str,
    counted: Counted,
    change: &'a dyn Fn(f64) -> f64,
) -> impl Iterator<Item = String> + 'a {
    let mix = |seed: u64, byte: u8| seed.wrapping_mul(31).wrapping_add(u64::from(byte));
    let seed = place.bytes().fold(7, mix);
    let mut dice = Dice::new(seed);
    (0..records).map(move |number| {
        let counted = if number % 20 == 19 {
            Counted::ByChance
        } else {
            counted
        };
        game(&mut dice, properties, counted, change)
    })
}
