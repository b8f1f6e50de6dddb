//! What a search says of a position that the rules leave undecided.

use super::{
    board::{Board, Point},
    foul,
    rules::{Fouls, Rules},
    vcf::{Found, Vcf, stops, winning},
    vct::Vct,
};
use crate::outcome::Side;

/// Wins by force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Forced {
    /// Who wins, whatever the opponent does.
    pub(super) winner: Option<Side>,
    /// The moves of both sides that show it, from the position on.
    pub(super) line: Vec<Point>,
    /// Whether each side would win by continuous fours if it was to move; nothing
    /// where that was not found out.
    pub(super) fours: [Option<bool>; 2],
}

/// Searches with their memory.
#[derive(Debug, Default)]
pub(super) struct Search {
    vcf: Vcf,
    /// Where wins by threes are looked for too.
    vct: Option<Vct>,
}

impl Search {
    /// A search for wins by fours, or by threes as well.
    pub(super) fn new(with_threes: bool) -> Self {
        Self {
            vcf: Vcf::default(),
            vct: with_threes.then(Vct::default),
        }
    }

    /// What is forced when `side` is to move, in so many nodes altogether.
    pub(super) fn forced(
        &mut self,
        board: &mut Board,
        rules: &Rules,
        side: Side,
        nodes: u32,
    ) -> Forced {
        let mut forced = self.by_fours(board, rules, side, nodes);
        if forced.winner.is_none()
            && let Some(vct) = &mut self.vct
        {
            let mut nodes = self.vcf.left();
            // What the opponent threatens may be too much to be stopped.
            let sides = match forced.fours[side.other().index()] {
                Some(true) => &[side, side.other()][..],
                _ => &[side],
            };
            for (attacker, searches) in sides.iter().zip((1..=sides.len() as u32).rev()) {
                let part = nodes / searches;
                if let Found::Win(line) = vct.search(board, rules, *attacker, side, part) {
                    forced.winner = Some(*attacker);
                    forced.line = line;
                    break;
                }
                nodes -= part - vct.left();
            }
        }
        forced
    }

    /// The same by continuous fours.
    fn by_fours(&mut self, board: &mut Board, rules: &Rules, side: Side, nodes: u32) -> Forced {
        let mut forced = Forced::default();
        let other = side.other();
        let found = self.vcf.search(board, rules, side, nodes);
        forced.fours[side.index()] = found.is_win();
        if let Found::Win(line) = found {
            forced.winner = Some(side);
            forced.line = line;
            return forced;
        }
        // Whatever is played here, there may be nothing left to play on behind it.
        if board.empty() <= u32::from(rules.draw_at) + 1 {
            return forced;
        }
        let threat = &mut forced.fours[other.index()];
        // The opponent may have a line already that has to be stopped.
        let nodes = self.vcf.left();
        let threats = winning(board, rules, other);
        let is_forbidden = |board: &mut Board, at: Point| {
            side == Side::First
                && rules.fouls != Fouls::Off
                && foul::shape(board, at, rules.five_eye).is_foul()
        };
        match stops(board, rules, other, threats.clone()).as_deref() {
            None => {
                *threat = self.vcf.search(board, rules, other, nodes).is_win();
            }
            Some(&[only]) if !is_forbidden(board, only) => {
                *threat = Some(true);
                board.put(side, only);
                if let Found::Win(line) = self.vcf.search(board, rules, other, nodes) {
                    forced.winner = Some(other);
                    forced.line = vec![only];
                    forced.line.extend(line);
                }
                board.take(side, only);
            }
            // One of several ways to block a line may be good enough.
            Some([_, _, ..]) => *threat = Some(true),
            Some(_) => {
                *threat = Some(true);
                forced.winner = Some(other);
                forced.line = threats;
            }
        }
        forced
    }
}
