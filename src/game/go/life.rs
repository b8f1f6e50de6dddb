//! Unconditional life: chains that live even if their owner always passes.
//!
//! D. B. Benson, *Life in the game of Go*, Information Sciences 10 (1976),
//! 17-29. Regions are the connected sets of points without an own stone. A
//! region is vital to a chain if each of its empty points is a liberty of the
//! chain; where suicide of several stones is legal, each of its points must
//! touch the chain, stones of the opponent included. Chains with fewer than two
//! vital regions are dropped, then regions that touch a dropped chain, until
//! nothing changes. What is left lives.

use crate::{
    game::go::board::{Board, Cell, Point},
    outcome::Side,
};

/// What one side holds whatever happens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Life {
    /// By board array index: stones that live unconditionally.
    pub(crate) alive: Vec<bool>,
    /// By board array index: empty points and opposing stones that can only
    /// end as points of this side.
    pub(crate) territory: Vec<bool>,
}

impl Life {
    /// Whether a point is settled for the side.
    #[must_use]
    pub(crate) fn holds(&self, point: Point) -> bool {
        self.alive[usize::from(point)] || self.territory[usize::from(point)]
    }
}

/// A connected set of points without an own stone.
#[derive(Default)]
struct Region {
    points: Vec<Point>,
    /// Own chains around it, by head, with the number of the region's
    /// decisive points that touch each of them.
    around: Vec<(Point, u32)>,
    /// Points that must all touch a chain for the region to be vital to it.
    decisive: u32,
    /// Points that touch no own stone.
    interior: u32,
    kept: bool,
}

impl Region {
    fn is_vital_to(&self, head: Point) -> bool {
        self.decisive > 0
            && self
                .around
                .iter()
                .any(|&(chain, touching)| chain == head && touching == self.decisive)
    }
}

/// Finds the chains of a side that live unconditionally and what they hold.
///
/// `suicide` says whether suicide of several stones is legal. The chains of the
/// board must be up to date.
#[must_use]
pub(crate) fn unconditional(board: &Board, side: Side, suicide: bool) -> Life {
    let own = Cell::stone(side);
    let mut regions = regions(board, own, suicide);
    let mut chains: Vec<Point> = board
        .points()
        .filter(|&point| board.cell(point) == own && board.head(point) == point)
        .collect();
    let mut dropped = vec![false; board.length()];
    loop {
        let before = chains.len();
        let vital = count_vital(&regions, board.length());
        chains.retain(|&head| {
            let lives = vital[usize::from(head)] >= 2;
            dropped[usize::from(head)] |= !lives;
            lives
        });
        if chains.len() == before {
            break;
        }
        for region in &mut regions {
            region.kept &= !region
                .around
                .iter()
                .any(|&(head, _)| dropped[usize::from(head)]);
        }
    }
    let mut life = Life {
        alive: vec![false; board.length()],
        territory: vec![false; board.length()],
    };
    for &head in &chains {
        for stone in board.chain(head) {
            life.alive[usize::from(stone)] = true;
        }
    }
    // An eye needs a point that no living stone touches, and life needs two
    // eyes: with one such point or none the opponent cannot live inside.
    for region in &regions {
        if region.kept && !region.around.is_empty() && region.interior <= 1 {
            for &point in &region.points {
                life.territory[usize::from(point)] = true;
            }
        }
    }
    life
}

/// By head point: in how many kept regions a chain has a vital one.
fn count_vital(regions: &[Region], length: usize) -> Vec<u16> {
    let mut vital = vec![0u16; length];
    for region in regions.iter().filter(|region| region.kept) {
        for &(head, _) in &region.around {
            if region.is_vital_to(head) {
                vital[usize::from(head)] += 1;
            }
        }
    }
    vital
}

/// All regions of points without an own stone.
fn regions(board: &Board, own: Cell, suicide: bool) -> Vec<Region> {
    let mut seen = vec![false; board.length()];
    let mut found = Vec::new();
    for start in board.points() {
        if seen[usize::from(start)] || board.cell(start) == own {
            continue;
        }
        seen[usize::from(start)] = true;
        let mut region = Region {
            points: vec![start],
            kept: true,
            ..Region::default()
        };
        let mut next = 0;
        while let Some(&point) = region.points.get(next) {
            next += 1;
            for near in board.neighbours(point) {
                let cell = board.cell(near);
                if cell != own && cell != Cell::Border && !seen[usize::from(near)] {
                    seen[usize::from(near)] = true;
                    region.points.push(near);
                }
            }
            note_chains(board, own, suicide, point, &mut region);
        }
        found.push(region);
    }
    found
}

/// Counts one point of a region for the own chains that it touches.
fn note_chains(board: &Board, own: Cell, suicide: bool, point: Point, region: &mut Region) {
    let decisive = u32::from(suicide || board.cell(point) == Cell::Empty);
    region.decisive += decisive;
    let mut touched: [Point; 4] = [0; 4];
    let mut count = 0;
    for near in board.neighbours(point) {
        if board.cell(near) != own {
            continue;
        }
        let head = board.head(near);
        if touched[..count].contains(&head) {
            continue;
        }
        touched[count] = head;
        count += 1;
        match region.around.iter_mut().find(|(chain, _)| *chain == head) {
            Some((_, touching)) => *touching += decisive,
            None => region.around.push((head, decisive)),
        }
    }
    region.interior += u32::from(count == 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: &[&str]) -> Board {
        let mut board = Board::new(rows[0].len() as u8, rows.len() as u8);
        for (y, row) in rows.iter().enumerate() {
            for (x, cell) in row.bytes().enumerate() {
                let stone = match cell {
                    b'X' => Some(Side::First),
                    b'O' => Some(Side::Second),
                    _ => None,
                };
                board.edit(board.point(x as u8, y as u8), stone);
            }
        }
        board.find_chains();
        board
    }

    /// What the first player holds, as text: `A` alive stones, `t` territory.
    fn held(rows: &[&str], suicide: bool) -> Vec<String> {
        let board = board(rows);
        let life = unconditional(&board, Side::First, suicide);
        let (columns, rows) = board.size();
        let letter = |x, y| {
            let point = usize::from(board.point(x, y));
            match (life.alive[point], life.territory[point]) {
                (true, _) => 'A',
                (_, true) => 't',
                _ => '.',
            }
        };
        (0..rows)
            .map(|y| (0..columns).map(|x| letter(x, y)).collect())
            .collect()
    }

    #[test]
    fn two_eyes_live_and_one_does_not() {
        let two = [".X.XO", "XXXXO", "OOOOO", "....."];
        assert_eq!(held(&two, false), ["tAtA.", "AAAA.", ".....", "....."]);
        let one = [".XXXO", "XXXXO", "OOOOO", "....."];
        assert_eq!(held(&one, false), [".....", ".....", ".....", "....."]);
    }

    #[test]
    fn chains_live_by_shared_eyes() {
        assert_eq!(held(&[".X.", "X.X", ".X."], false), ["tAt", "AtA", "tAt"]);
        // One eye for each chain and a shared gap that is open to the outside.
        let open = [".X.X.", "XXOXX", "OOOOO", "....."];
        assert_eq!(held(&open, false), [".....", ".....", ".....", "....."]);
    }

    #[test]
    fn suicide_makes_a_difference_where_a_stone_does_not_touch() {
        // The opposing stone in the corner is no liberty and touches nothing.
        let rows = ["O.X.XO", ".XXXXO", "XXOOOO", "OOO.O."];
        let held_without = ["ttAtA.", "tAAAA.", "AA....", "......"];
        assert_eq!(held(&rows, false), held_without);
        assert_eq!(held(&rows, true), ["......"; 4]);
    }
}
