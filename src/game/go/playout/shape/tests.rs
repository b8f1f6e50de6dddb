//! Which moves near dead stones and in sekis make sense.

use std::{env, fs, path::PathBuf};

use super::*;
use crate::game::go::board::Board;

/// An arena from rows of `X`, `O` and `.`, and the point marked `*`.
fn arena(rows: &[&str]) -> (Arena, Board, Option<Point>) {
    let mut board = Board::new(rows[0].len() as u8, rows.len() as u8);
    let mut marked = None;
    for (y, row) in (0..).zip(rows) {
        for (x, sign) in (0..).zip(row.bytes()) {
            let point = board.point(x, y);
            match sign {
                b'X' => board.edit(point, Some(Side::First)),
                b'O' => board.edit(point, Some(Side::Second)),
                b'*' => marked = Some(point),
                _ => {}
            }
        }
    }
    board.find_chains();
    let mut arena = Arena::default();
    arena.load(&board, &vec![None; board.length()]);
    (arena, board, marked)
}

/// Whether a side does not move at the point marked `*`.
fn refuses(text: &str, side: Side) -> bool {
    let rows: Vec<&str> = text.split_whitespace().collect();
    let (arena, _, marked) = arena(&rows);
    is_bad_self_atari(&arena, side, marked.unwrap())
}

const BLACK: Side = Side::First;
const WHITE: Side = Side::Second;

#[test]
fn nobody_moves_in_a_nakade_seki() {
    // Black's three fill a killing shape, and one more would spoil it. White
    // has liberties outside, yet what it captured would be one eye.
    let three_in_a_row = "
        .........
        XXXXXXXXX
        XOOOOOOOX
        XO*XXX.O.
        ";
    assert!(refuses(three_in_a_row, WHITE));
    assert!(refuses(three_in_a_row, BLACK));
    let pyramid = "
        ........
        XXXXXXXX
        XOOOOOOX
        XOOXOOOX
        XO*XX.O.
        XOOXOOOX
        XOOOOOOX
        XXXXXXXX
        ";
    assert!(!refuses(pyramid, WHITE), "a cross would kill");
    let bulky_five = "
        .........
        XXXXXXXXX
        XOOOOOOOX
        XOOXXOOOX
        XO*XXX.O.
        XOOOOOOOX
        XXXXXXXXX
        ";
    assert!(refuses(bulky_five, WHITE));
    assert!(refuses(bulky_five, BLACK));
}

#[test]
fn stones_whose_capture_gives_two_eyes_are_taken() {
    let four_in_a_row = "
        ..........
        XXXXXXXXXX
        XOOOOOOOOX
        XO*XXXX.O.
        ";
    assert!(!refuses(four_in_a_row, WHITE));
    assert!(refuses(four_in_a_row, BLACK));
}

#[test]
fn no_seki_with_an_eye_elsewhere() {
    let eye_at_the_right = "
        ...........
        XXXXXXXXXXX
        XOOOOOOOOOX
        XO*XXX.O.OX
        ";
    assert!(!refuses(eye_at_the_right, WHITE));
}

#[test]
fn no_seki_where_the_stones_may_get_out() {
    let open_at_the_right = "
        .........
        XXXXXXXXX
        XOOOOOO.X
        XO*XXX..X
        ";
    assert!(!refuses(open_at_the_right, WHITE));
}

#[test]
fn nakade_fills_a_killing_shape_once_the_liberties_outside_are_gone() {
    let with_a_liberty_outside = "
        .......
        XXXXXXX
        XOOOOOX
        XO.XOOX
        XO*XXO.
        ";
    assert!(refuses(with_a_liberty_outside, BLACK));
    assert!(!refuses(with_a_liberty_outside, WHITE), "it is no seki");
    let filled = "
        .......
        XXXXXXX
        XOOOOOX
        XO.XOOX
        XO*XXOX
        ";
    assert!(!refuses(filled, BLACK));
    let straight_four = "
        ........
        XXXXXXXX
        XOOOOOOX
        XO*XXX.O
        XOOOOOOO
        ";
    assert!(refuses(straight_four, BLACK));
}

#[test]
fn three_stones_are_not_given_up_between_two_chains() {
    // Taking them joins the two white stones in danger to the living ones.
    let joined = "
        .O.O.XX
        OOOOXXX
        .OX.OX.
        OOX*OXX
        ";
    assert!(refuses(joined, BLACK));
    // A stone thrown in leaves its taker in atari.
    let throw_in = "
        XXXXX
        XOOOX
        XO*.X
        ";
    assert!(!refuses(throw_in, BLACK));
}

/// Whether Black fills the point marked `*` rather than pass.
fn joins(text: &str) -> bool {
    let rows: Vec<&str> = text.split_whitespace().collect();
    let (arena, _, marked) = arena(&rows);
    joins_at(&arena, BLACK, marked.unwrap())
}

#[test]
fn false_eyes_that_a_chain_needs_are_filled() {
    // The two stones at the right have no eye of their own.
    let to_a_living_chain = "
        .X.X*XXO
        XXXXXO.O
        OOOOOOOO
        ........
        ";
    assert!(joins(to_a_living_chain));
    // The false eye is one of only two.
    let to_a_chain_with_one_eye = "
        XX.X*XXO
        XXXXXO.O
        OOOOOOOO
        ........
        ";
    assert!(!joins(to_a_chain_with_one_eye));
    let true_eye = "
        .X.X*XXO
        XXXXXX.O
        OOOOOOOO
        ........
        ";
    assert!(!joins(true_eye));
}

/// Positions with a move of which is known whether it breaks a seki.
#[test]
fn suite_of_nakade_sekis() {
    let root =
        env::var_os("KIFU_REFERENCE_DATA").map_or_else(|| "../shared/data".into(), PathBuf::from);
    let Ok(text) = fs::read_to_string(root.join("go/suite/pachi-nakade-seki.jsonl")) else {
        println!("skipped: no data folder");
        return;
    };
    let (mut good, mut all) = (0, 0);
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let rows: Vec<&str> = case["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row.as_str().unwrap())
            .collect();
        let name = case["expected"]["move"].as_str().unwrap();
        let column = name.as_bytes()[0] - b'A';
        let column = column - u8::from(column > 8);
        let row = rows.len() as u8 - name[1..].parse::<u8>().unwrap();
        let side = [WHITE, BLACK][usize::from(case["to_move"] == "B")];
        let (arena, board, _) = arena(&rows);
        let refused = is_bad_self_atari(&arena, side, board.point(column, row));
        let fits = case["expected"]["breaks_nakade_seki"] == refused;
        all += 1;
        good += usize::from(fits);
        if !fits {
            println!("{} {name}\n{}", case["id"], rows.join("\n"));
        }
    }
    println!("nakade-seki: {good} of {all}");
    assert!(good * 100 >= all * 95, "{good} of {all}");
}
