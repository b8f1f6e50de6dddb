//! Strict territory of small positions, drawn: `X` and `O` are living stones,
//! `x` and `o` dead ones. Expected are the surrounded points, `.` elsewhere.

use crate::{
    game::go::{
        board::{Board, Cell},
        rules::Rules,
        score::{Convention, Counter, Play},
    },
    outcome::Side,
};

/// The strict territory of a diagram.
fn territory(rows: &[&str]) -> Vec<String> {
    let (columns, height) = (rows[0].len(), rows.len());
    let mut board = Board::new(columns as u8, height as u8);
    let mut dead = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        for (column, letter) in text.chars().enumerate() {
            let point = board.point(column as u8, row as u8);
            match letter.to_ascii_uppercase() {
                'X' => board.edit(point, Some(Side::First)),
                'O' => board.edit(point, Some(Side::Second)),
                _ => {}
            }
            if letter.is_lowercase() {
                dead.push(point);
            }
        }
    }
    board.find_chains();
    let mut counter = Counter::new();
    let rules = Rules::parse("japanese").expect("a preset");
    counter.count(
        &board,
        &dead,
        Convention::TerritoryStrict,
        &rules,
        Play::default(),
    );
    let letter = |(point, owner)| match owner {
        _ if board.cell(point) != Cell::Empty && !dead.contains(&point) => '.',
        1 => 'X',
        -1 => 'O',
        _ => '.',
    };
    let letters: Vec<char> = board.points().zip(counter.owner()).map(letter).collect();
    letters.chunks(columns).map(String::from_iter).collect()
}

fn check(cases: &[(&str, &[&str], &[&str])]) {
    for (name, rows, expected) in cases {
        assert_eq!(territory(rows), *expected, "{name}");
    }
}

#[test]
fn eyes_and_false_eyes() {
    check(&[
        (
            "two eyes and neutral points",
            &[".X.XO", "XXXXO", "....O", "OOOOO"],
            &["X.X..", ".....", ".....", "....."],
        ),
        (
            "one eye is a seki",
            &[".XO.O", "XX.OO", "OOOO.", ".O..."],
            &["...O.", ".....", "....O", "O.OOO"],
        ),
        (
            "a stone that must be connected",
            &[
                "X.XO...", "OXXO...", "OOXOOOO", ".OXXXXX", "OOX.X.X", ".OXXXXX", "OOX....",
            ],
            &[
                "....OOO", "....OOO", ".......", "O......", "...X.X.", "O......", "...XXXX",
            ],
        ),
        (
            "a ring that two false eyes close",
            &[".XXXXXX", "XOOOOOX", "XO.O.OX", "XOOOOOX", "XXXXXX."],
            &["X......", ".......", "..O.O..", ".......", "......X"],
        ),
    ]);
}

#[test]
fn a_border_with_gaps_holds() {
    check(&[(
        "one-point jumps",
        &[".......", "XX.X.XX", ".......", "OOOOOOO", "......."],
        &[".......", ".......", ".......", ".......", "OOOOOOO"],
    )]);
}

#[test]
fn killing_shapes() {
    check(&[
        (
            "three in a row, taken in the middle",
            &[".o.XO", "XXXXO", "....O", "OOOOO"],
            &[".....", ".....", ".....", "....."],
        ),
        (
            "four in a row, taken in the middle",
            &[".o..XO", "XXXXXO", ".....O", "OOOOOO"],
            &["XXXX..", "......", "......", "......"],
        ),
        (
            "a square",
            &["..XO", "..XO", "XXXO", "OOOO"],
            &["....", "....", "....", "...."],
        ),
        (
            "a bulky five, taken in the middle",
            &["..XXO", "oo.XO", "XXXXO", "....O"],
            &["XX...", "XXX..", ".....", "....."],
        ),
        (
            "four dead stones in a row leave two eyes",
            &["oooo.XO", "XXXXXXO", "......O"],
            &["XXXXX..", ".......", "......."],
        ),
    ]);
}
