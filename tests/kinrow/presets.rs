//! What wins under every preset and switch.

use crate::common;

use super::records::{drawn, end, judged, name, play};

/// One line of a board of 15x15, its first point on the edge: what the move drawn
/// as `*` leads to. The line is also tried as a column, and from the other edge.
fn line(rules: &str, text: &str) -> String {
    let mut found = Vec::new();
    for at in [0, 6, 14] {
        let line: Vec<char> = format!("{text:.<15}").chars().collect();
        let mut rows = vec![vec!['.'; 15]; 15];
        rows[at] = line;
        let columns: Vec<Vec<char>> = (0..15)
            .map(|at| rows.iter().map(|row| row[at]).collect())
            .collect();
        let reversed = rows.iter().map(|row| row.iter().rev().copied().collect());
        for rows in [rows.clone(), columns, reversed.collect()] {
            let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
            found.push(end(&judged(rules, &drawn(&rows))));
        }
    }
    found.dedup();
    found.join(", ")
}

/// Black's line with White to make it.
fn swapped(text: &str) -> String {
    let swap = |sign| match sign {
        'X' => 'O',
        'O' => 'X',
        '*' => '@',
        other => other,
    };
    text.chars().map(swap).collect()
}

/// Rules, a line, and whether it wins for Black and for White: `w` wins, `.` the
/// game goes on, `f` a foul.
const LINES: &[(&str, &str, &str)] = &[
    ("tictactoe", "XX*", "ww"),
    ("tictactoe", "X*", ".."),
    ("tictactoe", "X.*X", ".."),
    ("tictactoe", "X*XX", "ww"),
    ("tictactoe", "OXX*O", "ww"),
    ("kinrow", "XXX*", ".."),
    ("kinrow", "XXXX*", "ww"),
    ("kinrow,line=3", "X*X", "ww"),
    ("kinrow,line=4", "X*X", ".."),
    ("kinrow,line=4", "X*XX", "ww"),
    ("kinrow,line=4", "XX*XX", "ww"),
    ("kinrow,line=4,overline=ignored", "XX*XX", ".."),
    ("kinrow,line=4,overline=ignored", "XX*X", "ww"),
    ("kinrow,line=4,blocked=both", "..OXX*XO", ".."),
    ("kinrow,line=4,blocked=both", "..OXX*XXO", "ww"),
    (
        "kinrow,line=4,blocked=both,overline=ignored",
        "OXX*XXO",
        "..",
    ),
    ("kinrow,line=6", "XXX*X", ".."),
    ("kinrow,line=6", "XXX*XX", "ww"),
    ("kinrow,line=7", "XXX*XX", ".."),
    ("kinrow,line=7", "XXX*XXX", "ww"),
    ("kinrow,line=15", "XXXXXXX*XXXXXXX", "ww"),
    ("kinrow,line=15", "XXXXXXX*XXXXXX.", ".."),
    ("freestyle", "XX*X", ".."),
    ("freestyle", "XX*XX", "ww"),
    ("freestyle", "XXXX*", "ww"),
    ("freestyle", "*XXXX", "ww"),
    ("freestyle", "OXX*XXO", "ww"),
    // Six of three and two.
    ("freestyle", "XXX*XX", "ww"),
    ("freestyle", "XXX*XXX", "ww"),
    ("freestyle", "XX.*XX", ".."),
    ("freestyle", "XXOXX*XO", ".."),
    ("freestyle,blocked=both", ".OXX*XXO", ".."),
    ("freestyle,overline=ignored", "XXX*XX", ".."),
    ("freestyle,line=6", "XX*XX", ".."),
    ("standard", "XX*XX", "ww"),
    ("standard", "OXX*XXO", "ww"),
    ("standard", "XXX*XX", ".."),
    ("standard", "XXXX*XXXX", ".."),
    ("standard,overline=wins", "XXX*XX", "ww"),
    ("renju", "XX*XX", "ww"),
    ("renju", "OXX*XXO", "ww"),
    ("renju", "XXX*XX", "fw"),
    ("renju", "XXXX*XXXX", "fw"),
    // Two fours in one line are nothing for White.
    ("renju", ".X.X*X.X", "f."),
    ("renju,fouls=off", ".X.X*X.X", ".."),
    ("renju,fouls=claimed", ".X.X*X.X", "f."),
    ("renju,fouls=off", "XXX*XX", ".w"),
    ("renju,fouls=off,overline=wins", "XXX*XX", "ww"),
    ("caro", "XX*XX", "ww"),
    ("caro", ".XX*XXO", "ww"),
    ("caro", "XX*XXO", "ww"),
    ("caro", "OXX*XXO", ".."),
    ("caro", "OXX*XX.O", "ww"),
    ("caro", "OXXX*XXO", "ww"),
    ("caro,overline=ignored", "OXXX*XXO", ".."),
    ("caro,overline=ignored", "XXX*XX", ".."),
    ("caro,blocked=none", "OXX*XXO", "ww"),
    ("caro-standard", "XX*XX", "ww"),
    ("caro-standard", "XX*XXO", "ww"),
    ("caro-standard", "OXX*XXO", ".."),
    ("caro-standard", "OXXX*XXO", ".."),
    ("caro-standard", "XXX*XX", ".."),
];

#[test]
fn lines_under_every_preset() {
    for (rules, text, expected) in LINES {
        let sides = [("black", (*text).to_owned()), ("white", swapped(text))];
        for ((winner, text), expected) in sides.into_iter().zip(expected.chars()) {
            let expected = match expected {
                'w' => format!("{winner} line"),
                'f' => "white foul".to_owned(),
                _ => "- open".to_owned(),
            };
            assert_eq!(line(rules, &text), expected, "{rules}: {text}");
        }
    }
}

/// The lines of five points at a corner: along both edges, on the diagonal, and
/// across it.
fn corner_lines(size: usize, corner: usize) -> [Vec<(usize, usize)>; 4] {
    let turned = |at: usize, flip: bool| if flip { size - 1 - at } else { at };
    let place = |column, row| {
        (
            turned(column, corner & 1 != 0),
            turned(row, corner & 2 != 0),
        )
    };
    [
        (0..5).map(|at| place(at, 0)).collect(),
        (0..5).map(|at| place(0, at)).collect(),
        (0..5).map(|at| place(at, at)).collect(),
        (0..5).map(|at| place(at, 4 - at)).collect(),
    ]
}

/// Every line at every corner, whichever stone comes last, for both sides.
#[test]
fn corners_of_boards() {
    for size in [5, 6, 15, 19, 20, 26, 27, 52] {
        let lines = (0..4).flat_map(|corner| corner_lines(size, corner));
        for (number, line) in lines.enumerate() {
            for last in 0..5 {
                let mut stones = line.clone();
                stones.rotate_left(last);
                // The opponent's stones are apart from each other.
                let others = (0..size * size)
                    .map(|at| (at % size, at / size))
                    .filter(|at| !line.contains(at));
                let others: Vec<(usize, usize)> = others.step_by(2).take(5).collect();
                for rules in ["freestyle", "standard", "renju", "caro", "caro-standard"] {
                    let moves = |one: char, ones: &[(usize, usize)], others: &[(usize, usize)]| {
                        let other = if one == 'B' { 'W' } else { 'B' };
                        let mut text = format!("SZ[{size}]");
                        for (turn, at) in ones.iter().enumerate() {
                            text += &play(one, at.0, at.1);
                            if let Some(at) = others.get(turn) {
                                text += &play(other, at.0, at.1);
                            }
                        }
                        text
                    };
                    let context = format!("{rules} {size}, line {number}, last {last}");
                    let black = judged(rules, &moves('B', &stones, &others[..4]));
                    assert_eq!(end(&black), "black line", "{context}");
                    assert_eq!(black.plies, 9, "{context}");
                    let white = judged(rules, &moves('B', &others, &stones));
                    assert_eq!(end(&white), "white line", "{context}");
                    assert_eq!(white.plies, 10, "{context}");
                    // One stone less is no line.
                    let open = judged(rules, &moves('B', &stones[1..], &others[..3]));
                    assert_eq!(end(&open), "- open", "{context}");
                }
            }
        }
    }
}

/// Stones of one colour that follow each other over the edge are no line.
#[test]
fn lines_do_not_go_over_the_edge() {
    for size in [7, 15, 52] {
        for (first, step) in [
            ((size - 2, 2), (1, 0)),
            ((2, size - 2), (0, 1)),
            ((size - 2, 1), (1, 1)),
            ((1, 3), (size - 1, 1)),
        ] {
            let mut text = format!("SZ[{size}]");
            let mut at = first;
            for _ in 0..5 {
                text += &play('B', at.0, at.1);
                text += ";W[]";
                let (column, row) = (at.0 + step.0, at.1 + step.1);
                // A row that goes on at the other edge goes on one row below.
                at = (column % size, (row + column / size * step.0.min(1)) % size);
            }
            assert_eq!(end(&judged("freestyle", &text)), "- open", "{text}");
        }
    }
}

#[test]
fn six_is_nothing_and_a_five_elsewhere_wins() {
    // Black has six in a row and plays on.
    let rows = [
        "..............",
        ".XXX*XX.......",
        "..............",
        "..............",
        "...XXXX.......",
        "..............",
    ];
    for (rules, expected) in [
        ("standard", "black line"),
        ("caro-standard", "black line"),
        ("renju,fouls=off", "black line"),
        ("renju,fouls=claimed", "black line"),
        ("renju", "white foul"),
        ("freestyle", "black line"),
    ] {
        let text = format!("{};W[aa];B[ce]", drawn(&rows));
        assert_eq!(end(&judged(rules, &text)), expected, "{rules}");
    }
}

/// Full boards, and boards that are as good as full.
#[test]
fn draws() {
    let tictactoe = ["aa", "bb", "ca", "ba", "bc", "ab", "cb", "cc", "ac"];
    let moves = |count: usize| -> String {
        let sides = ["B", "W"].into_iter().cycle();
        let moves = sides.zip(&tictactoe[..count]);
        moves.map(|(side, at)| format!(";{side}[{at}]")).collect()
    };
    for (rules, count, expected) in [
        ("tictactoe", 9, "draw full"),
        ("tictactoe", 8, "- open"),
        ("tictactoe,draw_at=1", 8, "draw limit"),
        ("tictactoe,draw_at=1", 7, "- open"),
        ("tictactoe,draw_at=1", 9, "draw full"),
        ("tictactoe,draw_at=2", 7, "draw limit"),
        ("kinrow,line=4,draw_at=9", 1, "draw limit"),
    ] {
        let judged = judged(rules, &format!("SZ[3]{}", moves(count)));
        assert_eq!(end(&judged), expected, "{rules} {count}");
        assert_eq!(judged.plies, count as u32);
    }
    // A line with the last stone of all is a win, not a draw.
    let full = ["XOX", "OOX", "OX*"];
    assert_eq!(end(&judged("tictactoe", &drawn(&full))), "black line");
    let full = ["XOX", "XOO", "OX*"];
    assert_eq!(end(&judged("tictactoe", &drawn(&full))), "draw full");
    assert_eq!(end(&judged("kinrow,line=4", &drawn(&full))), "draw full");
    // 25 empty points left, as some managers of matches have it.
    for (stones, expected) in [(199, "- open"), (200, "draw limit"), (201, "draw limit")] {
        let mut text = "SZ[15]".to_owned();
        for at in 0..stones {
            // No three in a row of either side.
            let (column, row) = (at % 15, at / 15);
            let black = (column + 2 * row) % 4 < 2;
            text += &play(if black { 'B' } else { 'W' }, column, row);
        }
        let judged = judged("standard,draw_at=25", &text);
        assert_eq!(end(&judged), expected, "{stones}");
    }
}

/// Single moves on boards of another project, each with what it leads to.
#[test]
fn moves_with_known_outcomes() {
    let mut count = 0;
    for case in super::suites::cases("outcome_tests") {
        let rows = super::suites::rows(&case);
        for step in case["moves"].as_array().unwrap() {
            let word = |key: &str| step[key].as_str().unwrap();
            let rules = match word("rule") {
                "FREESTYLE" => "freestyle",
                "STANDARD" => "standard",
                "RENJU" => "renju",
                "CARO5" => "caro-standard",
                "CARO6" => "caro",
                other => panic!("{other}"),
            };
            let side = if word("color") == "X" { 'B' } else { 'W' };
            let (letter, number) = word("move").split_at(1);
            let column = usize::from(letter.as_bytes()[0] - b'a');
            let row = rows.len() - number.parse::<usize>().unwrap();
            let text = format!("{};{side}[{}]", drawn(&rows), name(column, row));
            let judged = judged(rules, &text);
            let expected = match word("outcome") {
                "CROSS_WIN" => 1,
                "CIRCLE_WIN" => -1,
                "UNKNOWN" => 0,
                other => panic!("{other}"),
            };
            let found = judged.outcome.map_or(0, kifu::outcome::Outcome::value);
            assert_eq!(found, expected, "{} {}", case["id"], word("move"));
            count += 1;
        }
    }
    if common::reference("kinrow/suite/outcome_tests.jsonl").is_some() {
        assert_eq!(count, 68);
    }
}
