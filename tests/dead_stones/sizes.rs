//! Boards of sizes that engines refuse, own compositions: stones in small
//! letters are dead, and nothing else is.

use super::*;

/// Checks that exactly the stones in small letters are dead.
fn check(rows: &[String]) {
    let upper: Vec<String> = rows.iter().map(|row| row.to_ascii_uppercase()).collect();
    let case = Case::new(serde_json::json!({ "id": "own", "rows": upper }));
    let verdict = case.judge(&mut DeadStones::new());
    let drawn = case.draw(&verdict.dead, |_| false).replace(' ', "");
    assert_eq!(drawn.lines().collect::<Vec<_>>(), rows);
}

fn rows(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// A board with a wall of each side down its middle, walls across that make
/// rooms of each half, and a dead stone in each.
fn halves(columns: usize, height: usize) -> Vec<String> {
    let wall = columns / 2;
    let sign = |column: usize, row: usize| match (column, row) {
        _ if column + 1 == wall => 'X',
        _ if column == wall => 'O',
        // Walls that cut each half in rooms, so that each side has eyes.
        _ if row % 4 == 2 && column < wall => 'X',
        _ if row % 4 == 2 => 'O',
        (1, 4) => 'o',
        (column, 4) if column + 2 == columns => 'x',
        _ => '.',
    };
    (0..height)
        .map(|row| (0..columns).map(|column| sign(column, row)).collect())
        .collect()
}

#[test]
fn large_and_oblong_boards() {
    for (columns, height) in [(13, 9), (9, 13), (21, 21), (25, 25), (52, 52), (21, 8)] {
        check(&halves(columns, height));
    }
}

#[test]
fn small_boards() {
    // Black's row holds all of the board but for the stone it shuts in.
    check(&rows(".X.X.X."));
    check(&rows(".X.X.Xo"));
    check(&rows(
        "
        .XO.O
        X.XOO
        .XXO.
        XXOOO
        .XO.O
        ",
    ));
    check(&rows(
        "
        o.X..
        ..X..
        XXX..
        ..X.X
        .XX..
        ",
    ));
}
