//! Which moves may stop a win by continuous fours.
//!
//! The win is a single line, as every four has one answer. A stone of the
//! defender on some other point leaves the line as good as it is, move by move,
//! unless
//! * the line needs the point: to be played on by either side, to stay empty
//!   so that a four can be made a line, or, where a line blocked at both ends is
//!   none, as one of its ends;
//! * the stone brings the defender near to a line: with a point that it shares
//!   an open row with, where only the two lack, it makes a threat that comes
//!   before the attacker's next four or turns an answer into a win;
//! * it changes what is forbidden: a move of Black in the line that is allowed,
//!   or the answer of Black at its end that is not. What a move is depends only
//!   on the lines through it, five points to each side, and in the same way on
//!   those through the points that make its threes straight fours.
//!
//! A stone of White can only take from what a move of Black makes, as long as
//! there are not two rows that may be threes: whether they are is where more
//! stones can mean more.

use super::super::{
    board::{Board, Direction, Point},
    foul,
    rules::{Fouls, Rules},
    vcf::{ends, lacking, winning},
};
use crate::outcome::Side;

/// The empty points, row by row, on which a stone of the defender may keep the
/// attacker from winning by a line of continuous fours that [`super::Vcf`]
/// found.
///
/// The board is as before when it returns.
pub(super) fn defences(
    board: &mut Board,
    rules: &Rules,
    attacker: Side,
    line: &[Point],
) -> Vec<Point> {
    let defender = attacker.other();
    let has_fouls = rules.fouls != Fouls::Off;
    let mut points = Vec::new();
    let mut played = 0;
    let mut moves = line.iter();
    while let Some(at) = moves.next() {
        points.push(*at);
        points.extend(lacking(board, defender, u32::from(rules.line), 2));
        if board.wins(rules, attacker, *at) {
            points.extend(ends(board, rules, attacker, *at));
            break;
        }
        if attacker == Side::First && has_fouls {
            let seen = foul::seen(board, *at, rules.five_eye);
            if seen.len() > 1 {
                add_around(&seen, &mut points);
            }
        }
        board.put(attacker, *at);
        played += 1;
        let fives = winning(board, rules, attacker);
        for five in &fives {
            points.extend(ends(board, rules, attacker, *five));
        }
        points.extend(&fives);
        let Some(answer) = moves.next() else {
            // One point that is left to stop it is forbidden.
            if let (Side::First, true, [only]) = (defender, has_fouls, &fives[..]) {
                add_around(&foul::seen(board, *only, rules.five_eye), &mut points);
            }
            break;
        };
        points.push(*answer);
        board.put(defender, *answer);
        played += 1;
    }
    let sides = [attacker, defender].into_iter().cycle();
    for (at, side) in line.iter().zip(sides).take(played) {
        board.take(side, *at);
    }
    points.retain(|at| board.is_empty(*at));
    points.sort_unstable();
    points.dedup();
    points
}

/// The points that can decide what a move of Black on one of some points makes.
fn add_around(centres: &[Point], points: &mut Vec<Point>) {
    let reach = -foul::REACH..=foul::REACH;
    for (at, direction) in centres
        .iter()
        .flat_map(|at| Direction::ALL.map(|direction| (*at, direction)))
    {
        points.extend(reach.clone().filter_map(|by| direction.step(at, by)));
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::super::vcf::{Found, Vcf},
        *,
    };

    /// Numbers that look random (SplitMix64).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = self.0;
            mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (mixed ^ mixed >> 31) % bound
        }
    }

    /// On random boards where a side wins by fours, it does so after every
    /// stone of the opponent that is said to stop nothing.
    #[test]
    fn other_stones_stop_nothing() {
        let mut numbers = Numbers(7);
        let mut vcf = Vcf::default();
        for text in ["renju", "standard", "caro", "kinrow,line=4,blocked=both"] {
            let rules = Rules::parse(text).unwrap();
            let mut held = 0;
            for _ in 0..BOARDS {
                let size = 7 + numbers.below(5) as u8;
                let mut board = Board::new(size, size);
                let density = 20 + numbers.below(50);
                for at in board.points() {
                    if numbers.below(100) < density {
                        board.put([Side::First, Side::Second][numbers.below(2) as usize], at);
                    }
                }
                for attacker in [Side::First, Side::Second] {
                    let defender = attacker.other();
                    let is_quiet = [Side::First, Side::Second]
                        .iter()
                        .all(|side| winning(&board, &rules, *side).is_empty());
                    if !is_quiet {
                        continue;
                    }
                    let found = vcf.search(&mut board, &rules, attacker, 500);
                    let Found::Win(line) = found else {
                        continue;
                    };
                    let stops = defences(&mut board, &rules, attacker, &line);
                    let empty = board.points().filter(|at| board.is_empty(*at));
                    let others: Vec<Point> = empty.filter(|at| !stops.contains(at)).collect();
                    for at in others {
                        board.put(defender, at);
                        let found = vcf.search(&mut board, &rules, attacker, 5_000);
                        board.take(defender, at);
                        let wins = matches!(found, Found::Win(_));
                        assert!(wins, "{text} {attacker:?} {line:?} {at:?} {board:?}");
                        held += 1;
                    }
                }
            }
            println!("{text}: {held} stones");
            assert!(held > 5_000, "{text}: {held} stones");
        }
    }

    /// Boards tried for each set of rules.
    const BOARDS: usize = 2_000;
}
