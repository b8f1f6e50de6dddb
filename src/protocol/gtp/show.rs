//! Boards and lists of points as GTP answers them.

use std::collections::VecDeque;

use crate::{
    game::{Diagram, Fate, Spot},
    outcome::Side,
};

/// What points can be at the end.
pub(super) const STATUSES: [&str; 6] = [
    "alive",
    "seki",
    "dead",
    "black_territory",
    "white_territory",
    "dame",
];

/// The board with names of its points, in ASCII.
pub(super) fn board(diagram: &Diagram, captures: [u32; 2]) -> String {
    // Behind the 25th column names have two letters.
    let width = 1 + diagram.columns.iter().map(String::len).max().unwrap_or(1);
    let names = diagram.columns.iter().map(|name| format!("{name:>width$}"));
    let names: Vec<String> = names.collect();
    let columns = format!("\n  {}", names.concat());
    let mut text = columns.clone();
    let wide = diagram.columns.len().max(1);
    for (row, cells) in diagram.rows.iter().zip(diagram.cells.chunks(wide)) {
        text += &format!("\n{row:>2}");
        for cell in cells {
            let sign = match cell.piece.map(|piece| piece.side) {
                Some(Side::First) => 'X',
                Some(Side::Second) => 'O',
                None => '.',
            };
            text += &format!("{sign:>width$}");
        }
        text += &format!(" {row}");
    }
    text += &columns;
    let [black, white] = captures;
    text += &format!("\nblack (X) has captured {black}, white (O) {white}");
    text
}

/// The points with stones of a side.
pub(super) fn stones(diagram: &Diagram, side: Side) -> String {
    let of_side = diagram
        .points()
        .filter(|(_, cell)| cell.piece.is_some_and(|piece| piece.side == side));
    let names: Vec<String> = of_side.map(|(at, _)| diagram.name(at)).collect();
    names.join(" ")
}

/// What a point of a board that was judged is.
pub(super) fn status(diagram: &Diagram, at: Spot) -> Option<&'static str> {
    let (_, cell) = diagram.points().find(|(spot, _)| *spot == at)?;
    Some(match (cell.piece, cell.fate, cell.owner) {
        (Some(_), Some(Fate::Dead), _) => "dead",
        (Some(_), Some(Fate::Seki), _) => "seki",
        // Those left on the board without being sure to stay are counted as if they did.
        (Some(_), _, _) => "alive",
        (None, _, Some(Side::First)) => "black_territory",
        (None, _, Some(Side::Second)) => "white_territory",
        (None, _, None) => "dame",
    })
}

/// The points of a status: stones a chain a line, others all in one.
pub(super) fn list(diagram: &Diagram, wanted: &str) -> String {
    let mut left: Vec<(Spot, Option<Side>)> = diagram
        .points()
        .filter(|(at, _)| status(diagram, *at) == Some(wanted))
        .map(|(at, cell)| (at, cell.piece.map(|piece| piece.side)))
        .collect();
    let mut lines = Vec::new();
    while !left.is_empty() {
        let (first, side) = left.remove(0);
        let mut found = vec![first];
        let mut waiting = VecDeque::from([first]);
        match side {
            None => found.extend(left.drain(..).map(|(at, _)| at)),
            Some(_) => {
                while let Some(at) = waiting.pop_front() {
                    let is_next =
                        |other: Spot| at.0.abs_diff(other.0) + at.1.abs_diff(other.1) == 1;
                    let next = left.extract_if(.., |(other, of)| *of == side && is_next(*other));
                    let next: Vec<Spot> = next.map(|(at, _)| at).collect();
                    found.extend(&next);
                    waiting.extend(next);
                }
            }
        }
        let names: Vec<String> = found.into_iter().map(|at| diagram.name(at)).collect();
        lines.push(names.join(" "));
    }
    lines.join("\n")
}
