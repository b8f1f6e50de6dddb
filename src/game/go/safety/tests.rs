//! What is settled, on boards of known status and against exhaustive play.

mod data;
mod play;

use super::*;

/// A board from rows of `X`, `O` and `.`, in any case.
fn board<S: AsRef<str>>(rows: &[S]) -> Board {
    let columns = rows[0].as_ref().len();
    let mut board = Board::new(columns as u8, rows.len() as u8);
    for (y, row) in rows.iter().enumerate() {
        for (x, cell) in row.as_ref().bytes().enumerate() {
            let stone = match cell {
                b'X' | b'x' => Some(Side::First),
                b'O' | b'o' => Some(Side::Second),
                _ => None,
            };
            board.edit(board.point(x as u8, y as u8), stone);
        }
    }
    board.find_chains();
    board
}

#[test]
fn stones_that_can_be_taken_inside_are_not_static() {
    // White takes the stone at G1 by a move to F1; on the other board it threatens
    // the two at F3 as well by F2, and Black saves these.
    for (rows, loose) in [
        (["X.X.X.O", ".XXXX.X"].as_slice(), [(6, 1)].as_slice()),
        (&["XX.X.XX", ".XXX..O", "X.XXX.X"], &[(6, 2)]),
    ] {
        let board = board(rows);
        let settled = settled(&board, false);
        for point in board.points() {
            if board.cell(point) != Cell::First {
                continue;
            }
            let at = usize::from(point);
            assert_eq!(settled.owner[at], Some(Side::First), "{rows:?}");
            let is_loose = loose.contains(&board.place(point));
            let is_inside = settled.grounds[at] == Grounds::Inside;
            assert_eq!(is_inside, is_loose, "{rows:?} {:?}", board.place(point));
        }
    }
}

#[test]
fn nothing_is_answered_in_an_eye_that_depends_on_it() {
    // All empty points of the large eye are liberties of Black's chain, but the
    // stones of the opponent in it touch nothing: it is an eye only as long as
    // nobody fills the points around them.
    let rows = [
        "XXXXXXXX.",
        "XX.X.XXXX",
        "X.O.O.XXX",
        "XX.X.XXXX",
        "XXXXXXXXX",
    ];
    let board = board(&rows);
    let settled = settled(&board, false);
    for point in board.points() {
        let owner = settled.owner[usize::from(point)];
        let (x, y) = board.place(point);
        let is_in_eye = board.cell(point) != Cell::First && (x, y) != (8, 0);
        let expected = (!is_in_eye).then_some(Side::First);
        assert_eq!(owner, expected, "{x} {y}");
    }
}

/// Owners as text: `X` and `O` hold a point, `.` is not settled.
fn owners(board: &Board, settled: &Settled) -> Vec<String> {
    let (columns, rows) = board.size();
    let letter = |x, y| match settled.owner[usize::from(board.point(x, y))] {
        Some(Side::First) => 'X',
        Some(Side::Second) => 'O',
        None => '.',
    };
    (0..rows)
        .map(|y| (0..columns).map(|x| letter(x, y)).collect())
        .collect()
}
