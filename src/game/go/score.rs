//! Counts a final position whose dead stones are known.
//!
//! Stones are removed, each side gets what only it reaches, and the convention
//! says what of that counts.

use super::{
    bits::{Bits, NOWHERE, beside, both, first_point, size, spread, touches, without},
    board::{Board, Cell, Point},
    mechanical,
    rules::{Life, Rules, Scoring, Tax},
    territory::Territory,
};
use crate::outcome::{Points, Side, words};

words! {
    /// How the points of a final position are counted.
    Convention {
        /// Living stones and the points they surround. Where play stopped before
        /// the end, shared points are filled by turns, but those next to a seki.
        Area = "area",
        /// Living stones and the points they surround; shared points are
        /// nobody's.
        AreaDameIgnored = "area_dame_ignored",
        /// Surrounded points and prisoners, in seki and in false eyes as well:
        /// what servers count.
        TerritoryFlood = "territory_flood",
        /// Surrounded points and prisoners, but no point in seki, and none
        /// that has to be filled to connect.
        TerritoryStrict = "territory_strict",
        /// The same after both sides have played on: shared points, what they
        /// force, and the last small gains. Where playing on came to nothing
        /// that can be trusted, it is the same as before.
        TerritoryFinished = "territory_finished",
    }
}

impl Convention {
    /// The usual one under some rules.
    #[must_use]
    pub const fn of_rules(rules: &Rules) -> Self {
        match rules.scoring {
            Scoring::Territory => Self::TerritoryFlood,
            Scoring::Area => Self::Area,
        }
    }

    /// Whether prisoners count and stones do not.
    #[must_use]
    pub const fn is_territory(self) -> bool {
        matches!(
            self,
            Self::TerritoryFlood | Self::TerritoryStrict | Self::TerritoryFinished
        )
    }

    /// Whether neither points in seki nor those to be filled count.
    const fn is_strict(self) -> bool {
        matches!(self, Self::TerritoryStrict | Self::TerritoryFinished)
    }
}

/// What a count depends on besides the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Play {
    /// Passes of each side, as pass stones are paid for them.
    pub passes: [u32; 2],
    /// Who fills the first shared point, where play stopped without passes.
    pub to_move: Option<Side>,
}

/// What a count found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Points of both sides with prisoners, pass stones and tax, but without
    /// komi and other compensation.
    pub points: [Points; 2],
    /// Points without a living stone that nobody owns.
    pub neutral: u32,
    /// Dead stones of both sides.
    pub dead: [u32; 2],
    /// Surrounded points that do not count because of a seki.
    pub seki: [u32; 2],
    /// Surrounded points that do not count because they must be filled.
    pub false_eyes: [u32; 2],
    /// Points that groups which live by themselves are taxed with.
    pub tax: [u32; 2],
    /// Shared points that each side fills.
    pub dame: [u32; 2],
}

/// Counts positions, one after the other, in the same memory.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    position: Position,
    territory: Territory,
    /// What each side gets by playing on.
    gains: [Points; 2],
}

/// Living stones as sets of points.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Living stones of both sides.
    pub(super) stones: [Bits; 2],
    /// Dead stones of both sides.
    pub(super) dead: [Bits; 2],
    /// How many living and how many dead stones both sides have.
    counts: [[u32; 2]; 2],
    /// Points that each side reaches from its living stones without passing
    /// one of its opponent's; without stones.
    pub(super) reached: [Bits; 2],
    /// Points of each side: living stones and what they surround.
    pub(super) owned: [Bits; 2],
}

impl Default for Position {
    fn default() -> Self {
        Self {
            columns: 0,
            rows: 0,
            stones: [NOWHERE; 2],
            dead: [NOWHERE; 2],
            counts: [[0; 2]; 2],
            reached: [NOWHERE; 2],
            owned: [NOWHERE; 2],
        }
    }
}

impl Counter {
    /// A counter, to be used for many positions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what each side gets by playing on from the positions counted next,
    /// which [`Convention::TerritoryFinished`] adds.
    pub(super) const fn set_gains(&mut self, gains: [Points; 2]) {
        self.gains = gains;
    }

    /// What playing on gained each side.
    pub(super) const fn gains(&self) -> [Points; 2] {
        self.gains
    }

    /// Counts a position.
    ///
    /// All stones in `dead` are taken off first, and become prisoners under
    /// territory counting.
    pub fn count(
        &mut self,
        board: &Board,
        dead: &[Point],
        convention: Convention,
        rules: &Rules,
        play: Play,
    ) -> Counted {
        self.position.load(board, dead);
        self.position.flood();
        self.count_again(board, convention, rules, play)
    }

    /// Counts the position of the last count in another way.
    pub(super) fn count_again(
        &mut self,
        board: &Board,
        convention: Convention,
        rules: &Rules,
        play: Play,
    ) -> Counted {
        let mut counted = Counted {
            dead: self.position.counts[1],
            ..Counted::default()
        };
        let mut stones = self.position.counts[0];
        if rules.life == Life::Mechanical {
            let found = mechanical::judge(&mut self.position, rules, &mut counted);
            stones = found.stones;
            self.territory.set(found.seki, found.living);
        } else {
            self.position.surround();
            let fills = convention == Convention::Area && play.to_move.is_some();
            if needs_groups(convention, rules) || (fills && self.position.has_shared()) {
                self.territory.analyse(&self.position);
                self.judge_groups(convention, rules, &mut counted);
            }
            if let Some(first) = play.to_move.filter(|_| fills) {
                let dame = self.fillable();
                counted.dame[first.index()] = dame.div_ceil(2);
                counted.dame[first.other().index()] = dame / 2;
            }
        }
        if rules.tax == Tax::All {
            counted.tax = self.territory.living_groups().map(|groups| 2 * groups);
        }
        let position = &self.position;
        let owned = [0, 1].map(|side| size(&position.owned[side], position.rows));
        let all = (position.rows * position.columns) as u32;
        counted.neutral = all - owned[0] - owned[1];
        counted.points = [Side::First, Side::Second].map(|side| {
            let (own, other) = (side.index(), side.other().index());
            let mut points = (owned[own] + counted.dame[own]) as i32 - counted.tax[own] as i32;
            if convention.is_territory() {
                let taken = board.prisoners(side) + counted.dead[other];
                points += taken as i32 - stones[own] as i32;
                if rules.pass_stones {
                    points += play.passes[other] as i32;
                }
            }
            let gain = match convention {
                Convention::TerritoryFinished => self.gains[own],
                _ => Points::ZERO,
            };
            Points::whole(points) + gain
        });
        counted
    }

    /// Shared points that are not next to a group in seki.
    fn fillable(&self) -> u32 {
        let position = &self.position;
        let mut seki = NOWHERE;
        for side in 0..2 {
            let stones = both(self.territory.seki(side), &position.stones[side]);
            for (row, near) in seki.iter_mut().enumerate().take(position.rows) {
                *near |= beside(&stones, row, position.rows);
            }
        }
        let regions = position.shared_regions();
        let filled = regions.filter(|region| !touches(region, &seki));
        filled.map(|region| size(&region, position.rows)).sum()
    }

    /// Takes points in seki and false eyes away again.
    fn judge_groups(&mut self, convention: Convention, rules: &Rules, counted: &mut Counted) {
        let drop_seki = convention != Convention::TerritoryFlood && rules.tax != Tax::None;
        for side in 0..2 {
            if drop_seki {
                let seki = self.territory.seki(side);
                counted.seki[side] = self.position.disown(side, seki);
            }
            if convention.is_strict() {
                let filled = self.territory.must_fill(side);
                counted.false_eyes[side] = self.position.disown(side, filled);
            }
        }
    }

    /// The owner of each point in the last count, row by row from the top
    /// left: 1 first player, -1 second player, 0 nobody. Living stones own
    /// their points under every convention.
    pub fn owner(&self) -> impl Iterator<Item = i8> + '_ {
        let columns = self.position.columns;
        (0..self.position.rows).flat_map(move |row| {
            let [first, second] = [self.position.owned[0][row], self.position.owned[1][row]];
            (0..columns)
                .map(move |column| ((first >> column & 1) as i8) - (second >> column & 1) as i8)
        })
    }

    /// Stones of groups that seem to live in seki only, as points, ascending;
    /// in the last count, which must be a strict one.
    #[must_use]
    pub fn seki(&self, board: &Board) -> Vec<Point> {
        let is_in_seki = |point: &Point| {
            let (column, row) = board.place(*point);
            board.cell(*point).side().is_some_and(|side| {
                let seki = self.territory.seki(side.index());
                let alive = self.position.stones[side.index()];
                (seki[usize::from(row)] & alive[usize::from(row)]) >> column & 1 == 1
            })
        };
        board.points().filter(is_in_seki).collect()
    }

    /// The size of the largest region without living stones that touches
    /// living stones of both sides, in the last count.
    #[must_use]
    pub fn open_region(&self) -> u32 {
        let sizes = self.position.shared_regions();
        let sizes = sizes.map(|region| size(&region, self.position.rows));
        sizes.max().unwrap_or(0)
    }
}

/// Whether a count depends on which groups live by themselves.
fn needs_groups(convention: Convention, rules: &Rules) -> bool {
    match convention {
        Convention::Area | Convention::AreaDameIgnored => rules.tax != Tax::None,
        Convention::TerritoryFlood => rules.tax == Tax::All,
        Convention::TerritoryStrict | Convention::TerritoryFinished => true,
    }
}

impl Position {
    /// Takes over the stones of a board.
    fn load(&mut self, board: &Board, dead: &[Point]) {
        let (columns, rows) = board.size();
        if (self.columns, self.rows) != (usize::from(columns), usize::from(rows)) {
            // Rows outside the board must stay empty.
            *self = Self {
                columns: usize::from(columns),
                rows: usize::from(rows),
                ..Self::default()
            };
        }
        for row in 0..rows {
            let [first, second] = stones_of(board.row(row));
            self.stones[0][usize::from(row)] = first;
            self.stones[1][usize::from(row)] = second;
        }
        let rows = self.rows;
        let sizes = |sets: &[Bits; 2]| sets.each_ref().map(|set| size(set, rows));
        if !dead.is_empty() || self.counts[1] != [0; 2] {
            self.dead = [NOWHERE; 2];
        }
        for point in dead {
            let Some(side) = board.cell(*point).side() else {
                continue;
            };
            let (column, row) = board.place(*point);
            let (bit, row) = (1 << column, usize::from(row));
            self.stones[side.index()][row] &= !bit;
            self.dead[side.index()][row] |= bit;
        }
        self.counts[0] = sizes(&self.stones);
        self.counts[1] = if dead.is_empty() {
            [0; 2]
        } else {
            sizes(&self.dead)
        };
    }

    /// Gives each side its living stones and what only it reaches.
    fn surround(&mut self) {
        for row in 0..self.rows {
            let (first, second) = (self.reached[0][row], self.reached[1][row]);
            self.owned[0][row] = self.stones[0][row] | (first & !second);
            self.owned[1][row] = self.stones[1][row] | (second & !first);
        }
    }

    /// Whether both sides reach some point.
    fn has_shared(&self) -> bool {
        touches(&self.reached[0], &self.reached[1])
    }

    /// Regions without living stones that both sides reach.
    fn shared_regions(&self) -> impl Iterator<Item = Bits> {
        let mut left = both(&self.reached[0], &self.reached[1]);
        std::iter::from_fn(move || {
            let mut region = first_point(&left, self.rows)?;
            spread(&mut region, &left, self.columns, self.rows);
            left = without(&left, &region);
            Some(region)
        })
    }

    /// Takes points without a living stone from a side; returns how many.
    fn disown(&mut self, side: usize, points: &Bits) -> u32 {
        let mut lost = 0;
        for (row, points) in points.iter().enumerate().take(self.rows) {
            let gone = self.owned[side][row] & points & !self.stones[side][row];
            lost += gone.count_ones();
            self.owned[side][row] &= !gone;
        }
        lost
    }

    /// The points of a full row.
    pub(super) const fn full_row(&self) -> u64 {
        (1 << self.columns) - 1
    }

    /// Finds what each side reaches through points without living stones.
    fn flood(&mut self) {
        let full = self.full_row();
        let mut empty = NOWHERE;
        for (row, empty) in empty.iter_mut().enumerate().take(self.rows) {
            *empty = full & !(self.stones[0][row] | self.stones[1][row]);
        }
        for side in 0..2 {
            let (stones, reached) = (&self.stones[side], &mut self.reached[side]);
            for row in 0..self.rows {
                reached[row] = empty[row] & beside(stones, row, self.rows);
            }
            spread(reached, &empty, self.columns, self.rows);
        }
    }
}

/// The stones of both sides in a row of cells.
fn stones_of(cells: &[Cell]) -> [u64; 2] {
    /// Lowest bit of each byte.
    const LOW: u64 = 0x0101_0101_0101_0101;
    /// Multiplying by it gathers these bits in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut stones = [0; 2];
    let mut at = 0;
    let mut chunks = cells.chunks_exact(8);
    for chunk in &mut chunks {
        let mut bytes = [0; 8];
        for (byte, cell) in bytes.iter_mut().zip(chunk) {
            *byte = *cell as u8;
        }
        // First, Second and Empty are 0, 1 and 2.
        let word = u64::from_le_bytes(bytes);
        let empty = (word >> 1) & LOW;
        let second = word & LOW & !empty;
        let first = LOW & !(second | empty);
        stones[0] |= (first.wrapping_mul(GATHER) >> 56) << at;
        stones[1] |= (second.wrapping_mul(GATHER) >> 56) << at;
        at += 8;
    }
    for cell in chunks.remainder() {
        stones[0] |= u64::from(*cell == Cell::First) << at;
        stones[1] |= u64::from(*cell == Cell::Second) << at;
        at += 1;
    }
    stones
}

#[cfg(test)]
mod tests;
