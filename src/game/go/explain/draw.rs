//! The board and single chains, as they are shown.

use super::{grounds::grounds, groups::Sheet};
use crate::{
    game::{
        Cell, Chain, Diagram, Fate, Piece, Style,
        go::{
            board::{Board, Point},
            judge::Last,
            point::column_name,
        },
    },
    outcome::Side,
};

/// The board with its last move.
pub(super) fn plain(board: &Board, last: Option<Point>) -> Diagram {
    let (columns, rows) = board.size();
    let cell = |at: Point| {
        let piece = board.cell(at).side().map(|side| {
            let sign = match side {
                Side::First => 'X',
                Side::Second => 'O',
            };
            Piece {
                side,
                letter: sign,
                glyph: sign,
            }
        });
        Cell {
            piece,
            ..Cell::default()
        }
    };
    Diagram {
        style: Style::Stones,
        columns: (0..columns).map(column_name).collect(),
        rows: (1..=rows).rev().map(|row| row.to_string()).collect(),
        cells: board.points().map(cell).collect(),
        is_counted: false,
        last: last.map(|last| (None, board.place(last))),
        line: Vec::new(),
        legend: String::new(),
    }
}

/// The board as it was counted: whose each point is, and what becomes of stones.
pub(super) fn counted(
    board: &Board,
    owner: &[i8],
    judged: &Last,
    sheet: &Sheet,
    last: Option<Point>,
) -> Diagram {
    let mut diagram = plain(board, last);
    diagram.is_counted = true;
    diagram.legend =
        "X black  O white  x o dead  : black's point  ' white's point  . nobody's".to_owned();
    let cells = diagram.cells.iter_mut().zip(board.points()).zip(owner);
    for ((cell, at), owner) in cells {
        cell.owner = match owner {
            1 => Some(Side::First),
            -1 => Some(Side::Second),
            _ => None,
        };
        let has = |list: &[Point]| list.binary_search(&at).is_ok();
        cell.fate = cell.piece.map(|_| match () {
            () if has(&judged.dead) => Fate::Dead,
            () if judged.unsure.contains(&at) => Fate::Unclear,
            () if has(&sheet.seki) => Fate::Seki,
            () => Fate::Alive,
        });
    }
    diagram
}

/// Chains that are dead, unclear or in seki.
pub(super) fn chains(board: &Board, last: &Last, sheet: &Sheet) -> Vec<Chain> {
    let mut chains = Vec::new();
    for (stones, fate) in [
        (&last.dead, Fate::Dead),
        (&last.unsure, Fate::Unclear),
        (&sheet.seki, Fate::Seki),
    ] {
        let mut heads: Vec<Point> = Vec::new();
        for stone in stones {
            let head = board.head(*stone);
            let Some(side) = board.cell(*stone).side().filter(|_| !heads.contains(&head)) else {
                continue;
            };
            heads.push(head);
            let chain: Vec<Point> = board.chain(*stone).collect();
            chains.push(self::chain(board, last, side, fate, chain));
        }
    }
    chains
}

/// Some stones of one side, with what becomes of them.
pub(super) fn chain(
    board: &Board,
    last: &Last,
    side: Side,
    fate: Fate,
    mut stones: Vec<Point>,
) -> Chain {
    let grounds = grounds(board, last, &stones);
    stones.sort_unstable();
    let stones: Vec<_> = stones.iter().map(|stone| board.place(*stone)).collect();
    Chain {
        side,
        fate,
        at: stones.first().copied().unwrap_or_default(),
        stones,
        grounds,
    }
}
