//! Legal moves: counts to some depth, and what they are in positions whose moves
//! two engines agree on; also mirrored and with the colours exchanged.

use kifu::{
    game::xiangqi::{Move, Position, fen},
    outcome::Side,
};

use super::suites::{Turned, cases, text, turned};

/// Positions that so many moves lead to.
fn perft(position: &mut Position, depth: u32) -> u64 {
    if depth == 1 {
        return u64::from(position.count_legal());
    }
    let moves = position.legal();
    let mut sum = 0;
    for it in moves {
        let captured = position.make(it);
        sum += perft(position, depth - 1);
        position.unmake(it, captured);
    }
    sum
}

/// Counts above this take too long without optimisation.
const MOST: u64 = if cfg!(debug_assertions) {
    400_000
} else {
    1_000_000_000
};

#[test]
fn counts_to_some_depth() {
    for case in cases("perft") {
        let start = fen::read(text(&case, "fen")).unwrap();
        for how in Turned::ALL {
            let before = turned(&start, how);
            let mut position = before.clone();
            for (depth, count) in case["perft"].as_object().unwrap() {
                let count = count.as_u64().unwrap();
                if count > MOST {
                    continue;
                }
                let found = perft(&mut position, depth.parse().unwrap());
                assert_eq!(found, count, "{} depth {depth} {how:?}", case["id"]);
            }
            assert_eq!(position, before, "moves are taken back");
            assert_eq!(position.key(), before.key());
        }
    }
}

#[test]
fn moves_of_positions() {
    for case in cases("oracle_positions") {
        let start = fen::read(text(&case, "fen")).unwrap();
        for how in Turned::ALL {
            let mut position = turned(&start, how);
            let mut expected: Vec<Move> = case["legal"]
                .as_array()
                .unwrap()
                .iter()
                .map(|it| how.of_move(it.as_str().unwrap().parse().unwrap()))
                .collect();
            expected.sort_unstable();
            let mut found = position.legal();
            found.sort_unstable();
            assert_eq!(found, expected, "{} {how:?}", case["fen"]);
            let side = position.turn();
            assert_eq!(position.in_check(side), case["check"].as_bool().unwrap());
            let state = match (position.can_move(), position.in_check(side)) {
                (true, _) => "ongoing",
                (false, true) => "mate",
                (false, false) => "stalemate",
            };
            assert_eq!(state, text(&case, "state"), "{}", case["fen"]);
        }
    }
}

#[test]
fn ends_of_games() {
    for case in cases("mate_stalemate") {
        let start = fen::read(text(&case, "fen")).unwrap();
        for how in Turned::ALL {
            let mut position = turned(&start, how);
            let side = position.turn();
            let check = case["check"].as_bool().unwrap();
            assert_eq!(position.in_check(side), check, "{} {how:?}", case["fen"]);
            let is_over = text(&case, "state") != "ongoing";
            assert_eq!(!position.can_move(), is_over, "{} {how:?}", case["fen"]);
            let winner = match case["winner"].as_str() {
                Some("red") => Side::First,
                Some(_) => Side::Second,
                None => continue,
            };
            assert_eq!(side.other(), how.of_side(winner), "{}", case["fen"]);
        }
    }
}
