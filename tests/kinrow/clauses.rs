//! Each clause of the rule on forbidden moves, drawn. `*` is Black's move; the
//! edges of a drawing are those of the board.

use kifu::game::kinrow::{FiveEye, Point, Shape, shape};

use super::naive::{Naive, board};

use Shape::{DoubleFour, DoubleThree, Five, Overline, Plain};

struct Drawing {
    name: &'static str,
    rows: &'static [&'static str],
    shape: Shape,
}

const fn draw(name: &'static str, shape: Shape, rows: &'static [&'static str]) -> Drawing {
    Drawing { name, rows, shape }
}

/// Empty rows around a line that is drawn alone.
const ALONE: [&str; 2] = [".............", "............."];

#[rustfmt::skip]
const DRAWINGS: &[Drawing] = &[
    draw("a five beats two fours", Five, &[
        ".........",
        ".X..X....",
        "..X.X....",
        "...XX....",
        "XXXX*....",
        ".........",
        ".........",
    ]),
    draw("a five beats two threes", Five, &[
        ".........",
        ".........",
        "..X.X....",
        "...XX....",
        "XXXX*....",
        ".........",
        ".........",
    ]),
    draw("a five beats six in another direction", Five, &[
        "....X....",
        "....X....",
        "....X....",
        "XXXX*....",
        "....X....",
        "....X....",
    ]),
    draw("two fours", DoubleFour, &[
        ".........",
        "....X....",
        "....X....",
        "....X....",
        ".XXX*....",
        "....O....",
    ]),
    draw("two fours that cannot become straight", DoubleFour, &[
        "....O....",
        "....X....",
        "....X....",
        "....X....",
        "OXX.*X...",
        ".........",
    ]),
    draw("two fours and a three", DoubleFour, &[
        ".........",
        ".X..X....",
        "..X.X....",
        "...XX....",
        "..XX*....",
        ".........",
        ".........",
    ]),
    draw("two fours and six: six comes first", Overline, &[
        ".X..X.O..",
        "..X.X....",
        "...XX....",
        ".XXX*XX..",
        ".........",
        ".........",
    ]),
    draw("a four that only six would complete is none", Plain, &[
        ".........",
        ".....X...",
        ".....X...",
        ".....X...",
        ".X.XX*XO.",
        ".....O...",
    ]),
    draw("a five needs an empty point", Plain, &[
        "....O....",
        "....X....",
        "....X....",
        "....X....",
        "OXXX*O...",
        ".........",
    ]),
    draw("two threes", DoubleThree, &[
        ".........",
        "....X....",
        "....X....",
        "..XX*....",
        ".........",
        ".........",
    ]),
    draw("two threes with holes, on diagonals", DoubleThree, &[
        "..........",
        ".X.....X..",
        "..X...X...",
        "..........",
        "....*.....",
        "..........",
        "..........",
        "..........",
    ]),
    draw("three threes", DoubleThree, &[
        ".........",
        "..X.X....",
        "...XX....",
        "..XX*....",
        ".........",
        ".........",
    ]),
    draw("a four and a three are allowed", Plain, &[
        ".........",
        "....X....",
        "....X....",
        "OXXX*....",
        ".........",
        ".........",
    ]),
    draw("a straight four and a three are allowed", Plain, &[
        ".........",
        "....X....",
        "....X....",
        ".XXX*....",
        ".........",
        ".........",
    ]),
    draw("a four and two threes are not", DoubleThree, &[
        ".........",
        "..X.X....",
        "...XX....",
        "OXXX*....",
        ".........",
        ".........",
    ]),
    draw("a three closed at one side is none", Plain, &[
        ".........",
        "....X....",
        "....X....",
        ".OXX*....",
        ".........",
        ".........",
    ]),
    draw("a three between stones of White two steps off is none", Plain, &[
        ".........",
        "....X....",
        "....X....",
        "O.XX*.O..",
        ".........",
        ".........",
    ]),
    draw("nor one between such a stone and the wall", Plain, &[
        "......",
        "...X..",
        "...X..",
        ".XX*.O",
        "......",
        "......",
    ]),
    draw("nor one that fills a row of five points", Plain, &[
        ".....",
        "...X.",
        "...X.",
        ".XX*.",
        ".....",
        ".....",
    ]),
    draw("a row of six points has room for it", DoubleThree, &[
        "......",
        "...X..",
        "...X..",
        ".XX*..",
        "......",
        "......",
    ]),
    draw("a three on the wall is none", Plain, &[
        ".........",
        "..X......",
        "..X......",
        "XX*......",
        ".........",
        ".........",
    ]),
    draw("a four on the wall is one", DoubleFour, &[
        ".XXX*O...",
        "....X....",
        "....X....",
        "....X....",
        ".........",
    ]),
    draw("a three is none that one stone of Black would make six", Plain, &[
        "..........",
        "......X...",
        "......X...",
        ".X..XX*.O.",
        "..........",
        "..........",
    ]),
    draw("a three whose hole White has filled is none", Plain, &[
        ".........",
        ".....X...",
        ".....X...",
        "..XOX*X..",
        ".........",
        ".........",
    ]),
    draw("three stones with two holes are no three", Plain, &[
        ".........",
        "....X....",
        "....X....",
        "..X.*.X..",
        ".........",
        ".........",
    ]),
    draw("its point makes two fours: no three", Plain, &[
        "...........",
        "....X......",
        "....X......",
        "....X......",
        "...X.X*....",
        "......X....",
        "......X....",
        "...........",
        "...........",
    ]),
    draw("its point makes six: no three", Plain, &[
        "...........",
        "....X......",
        "....X......",
        "....X......",
        "...X.X*....",
        "....X.X....",
        "....X.X....",
        "...........",
        "...........",
    ]),
    draw("its point makes two other threes: no three", Plain, &[
        "...........",
        "...........",
        "..X.X......",
        "...XX......",
        "...X.X*....",
        "......X....",
        "...........",
        "......X....",
        "...........",
        "...........",
    ]),
    draw("but one of those is none, as its point makes six", DoubleThree, &[
        "...........",
        "....X......",
        "XXXX.X.....",
        "...XX......",
        "...X.X*....",
        "......X....",
        "...........",
        "......X....",
        "...........",
        "...........",
    ]),
    draw("one of two points is allowed: a three", DoubleThree, &[
        "...........",
        "...X.......",
        "...X.......",
        "...X.......",
        "....XX*....",
        "......X....",
        "......X....",
        "...........",
        "...........",
    ]),
];

/// Lines alone on a board.
const LINES: &[(&str, Shape)] = &[
    ("..XXX*X......", Five),
    ("..XXX*XX.....", Overline),
    ("..XXX*XXX....", Overline),
    // Black has a five already.
    ("..XXXXX*.....", Overline),
    ("..*XXXXX.....", Overline),
    ("...XXXX*X....", Overline),
    // Two fours in one line.
    ("...X.X*X.X...", DoubleFour),
    ("...*.XXX.X...", Plain),
    ("..XX.X*.XX...", DoubleFour),
    (".XXX.*.XXX...", DoubleFour),
    ("OX.*XX.XO....", DoubleFour),
    // Both would be six.
    (".XXXX.*.XXXX.", Plain),
    // A straight four is one.
    ("....X*XX.....", Plain),
    ("...OXXX*.....", Plain),
    ("...X.XX*.....", Plain),
    // The stone five steps off makes six of one of two fives.
    (".X.XXX*O.....", Plain),
    ("....XX*......", Plain),
];

/// A drawing under one of the eight symmetries.
fn turned(rows: &[&str], symmetry: u8) -> Vec<String> {
    let mut rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    if symmetry & 1 != 0 {
        rows.reverse();
    }
    if symmetry & 2 != 0 {
        rows.iter_mut().for_each(|row| row.reverse());
    }
    if symmetry & 4 != 0 {
        let columns = 0..rows[0].len();
        let column = |at: usize| rows.iter().map(|row| row[at]).collect();
        rows = columns.map(column).collect();
    }
    rows.into_iter()
        .map(|row| row.into_iter().collect())
        .collect()
}

/// What both judges say of the move in a drawing.
#[track_caller]
fn hold(name: &str, rows: &[&str], five_eye: FiveEye, expected: Shape) {
    for symmetry in 0..8 {
        let rows = turned(rows, symmetry);
        let find = |(row, text): (usize, &String)| text.find('*').map(|column| (row, column));
        let (row, column) = rows.iter().enumerate().find_map(find).expect("a move");
        let rows: Vec<String> = rows.iter().map(|row| row.replace('*', ".")).collect();
        let naive = Naive::new(&rows).judge((row as i32, column as i32), five_eye);
        assert_eq!(naive, expected, "the plain judge: {name}");
        let point = Point {
            row: row as u8,
            column: column as u8,
        };
        let found = shape(&mut board(&rows), point, five_eye);
        assert_eq!(found, expected, "{name}, symmetry {symmetry}");
    }
}

#[test]
fn every_clause() {
    for drawing in DRAWINGS {
        hold(drawing.name, drawing.rows, FiveEye::Rif, drawing.shape);
    }
}

#[test]
fn every_line_alone() {
    for (line, expected) in LINES {
        let rows = [ALONE[0], ALONE[1], line, ALONE[0], ALONE[1]];
        hold(line, &rows, FiveEye::Rif, *expected);
    }
}

/// A three is one that gets a straight four without at the same time making a
/// five; some programs leave that out.
#[test]
fn a_five_where_a_three_would_grow() {
    let rows = [
        "....X......",
        "....X......",
        "....X......",
        "....X......",
        "...X.X*....",
        "......X....",
        "......X....",
        "...........",
        "...........",
    ];
    hold("a five at its point", &rows, FiveEye::Rif, Plain);
    hold("a five at its point", &rows, FiveEye::Counts, DoubleThree);
}

/// Fouls are the same on boards of every size, from the first moves on.
#[test]
fn few_stones_and_any_board() {
    for size in [6, 9, 10, 15, 19, 20, 30, 52] {
        for corner in [[0, 0], [0, size - 6], [size - 6, 0], [size - 6, size - 6]] {
            let mut rows = vec![vec!['.'; size]; size];
            for (row, column) in [(1, 3), (2, 3), (3, 1), (3, 2)] {
                rows[corner[0] + row][corner[1] + column] = 'X';
            }
            rows[corner[0] + 3][corner[1] + 3] = '*';
            let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            hold("two threes", &rows, FiveEye::Rif, DoubleThree);
        }
    }
}
