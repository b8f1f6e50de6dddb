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
