//! The board and single groups, drawn.

use std::fmt::Write;

use super::grounds::grounds;
use crate::game::go::{
    board::{Board, Cell, Point},
    judge::Last,
    point::{column_name, vertex},
};

/// The board with coordinates; the last move in brackets.
pub(super) fn board(
    board: &Board,
    owner: &[i8],
    dead: &[Point],
    last: Option<Point>,
    counted: bool,
    text: &mut String,
) -> std::fmt::Result {
    let (columns, rows) = board.size();
    let mut header = String::from("    ");
    for column in 0..columns {
        write!(header, "{:<2}", column_name(column))?;
    }
    writeln!(text, "{}", header.trim_end())?;
    for row in 0..rows {
        let mut line = format!("{:>3} ", rows - row);
        for column in 0..columns {
            let at = board.point(column, row);
            let is_dead = dead.binary_search(&at).is_ok();
            let index = usize::from(row) * usize::from(columns) + usize::from(column);
            let sign = match (board.cell(at), is_dead) {
                (Cell::First, false) => 'X',
                (Cell::First, true) => 'x',
                (Cell::Second, false) => 'O',
                (Cell::Second, true) => 'o',
                _ if !counted => '.',
                _ => match owner.get(index) {
                    Some(1) => ':',
                    Some(-1) => '\'',
                    _ => '.',
                },
            };
            line.push(sign);
            line.push(if last == Some(at) { '<' } else { ' ' });
        }
        writeln!(text, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A line for each group of stones: how many, whose, and where.
pub(super) fn groups(
    board: &Board,
    last: &Last,
    stones: &[Point],
    what: &str,
    text: &mut String,
) -> std::fmt::Result {
    let (_, rows) = board.size();
    let mut heads: Vec<Point> = Vec::new();
    for stone in stones {
        let head = board.head(*stone);
        if heads.contains(&head) {
            continue;
        }
        heads.push(head);
        let chain: Vec<Point> = board.chain(*stone).collect();
        let side = match board.cell(*stone) {
            Cell::First => "black",
            _ => "white",
        };
        let first = chain.iter().min().copied().unwrap_or(*stone);
        writeln!(
            text,
            "{what}: {side} {} ({} {}, {})",
            vertex(board.place(first), rows),
            chain.len(),
            if chain.len() == 1 { "stone" } else { "stones" },
            grounds(board, last, &chain),
        )?;
    }
    Ok(())
}
