//! Where each pass costs a stone and White passes last, territory and area come
//! to the same.

use kifu::{
    game::go::Board,
    outcome::{From, Points, Side},
};

use super::common::{judge, plan};

/// A random game on 7x7 that ends in two passes; the first of them by White
/// where `white_first`.
fn game(seed: u64, white_first: bool) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut any = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    let mut board = Board::new(7, 7);
    let mut text = String::from("(;GM[1]SZ[7]KM[0]");
    let mut side = Side::First;
    let name = |side| if side == Side::First { 'B' } else { 'W' };
    for _ in 0..40 + any(30) {
        let tries: Vec<u64> = (0..4).map(|_| any(49)).collect();
        let played = tries.into_iter().find(|at| {
            let point = board.point((at % 7) as u8, (at / 7) as u8);
            board.play(side, point, false).is_ok()
        });
        match played {
            Some(at) => {
                let letter = |at: u64| char::from(b'a' + at as u8);
                text += &format!(";{}[{}{}]", name(side), letter(at % 7), letter(at / 7));
            }
            None => {
                board.pass();
                text += &format!(";{}[]", name(side));
            }
        }
        side = side.other();
    }
    if (side == Side::Second) != white_first {
        // A move in between, so that the right one passes first.
        let free = board
            .points()
            .find(|at| board.clone().play(side, *at, false).is_ok());
        if let Some(at) = free {
            let (column, row) = board.place(at);
            let letter = |at: u8| char::from(b'a' + at);
            text += &format!(";{}[{}{}]", name(side), letter(column), letter(row));
        } else {
            text += &format!(";{}[]", name(side));
        }
        side = side.other();
    }
    text += &format!(";{}[];{}[])", name(side), name(side.other()));
    text
}

/// The margin under some rules, all stones being alive.
fn margin(text: &str, rules: &str) -> Points {
    let mut plan = plan();
    plan.settings.rules = Some((rules.to_owned(), From::Flag));
    plan.settings.dead = Some("none".to_owned());
    judge(&plan, text).margin.unwrap()
}

#[test]
fn territory_and_area_come_to_the_same() {
    let mut captured = 0;
    for seed in 1..200 {
        for white_first in [false, true] {
            let text = game(seed, white_first);
            let by_area = margin(&text, "aga");
            let by_territory = margin(&text, "aga,scoring=territory,pass_stones=yes");
            assert_eq!(by_area, by_territory, "{text}");
            captured += u32::from(by_area != margin(&text, "aga,scoring=territory"));
        }
    }
    assert!(captured > 100, "passes matter in {captured} games");
}

/// White's last pass, which records often lack, counts once.
#[test]
fn white_passes_last() {
    // Black surrounds 2 points, White 4, on a board of 5x5 where each side has
    // as many stones.
    let moves = ";B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de]";
    let aga = "aga,scoring=territory,pass_stones=yes";
    for (passes, expected) in [
        // Black first: each side has passed as often.
        (";B[];W[]", 5),
        (";B[tt];W[tt]", 5),
        // White first, after another move of Black in its own territory.
        (";B[aa];W[];B[]", 5),
        (";B[aa];W[];B[];W[]", 5),
    ] {
        let text = format!("(;GM[1]SZ[5]KM[0]{moves}{passes})");
        assert_eq!(margin(&text, aga), Points::whole(expected), "{passes}");
        assert_eq!(margin(&text, "aga"), Points::whole(expected), "{passes}");
    }
}
