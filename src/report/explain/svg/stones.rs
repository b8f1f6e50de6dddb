//! Boards of stones.

use std::fmt::Write;

use super::Picture;
use crate::{
    game::{Cell, Diagram, Fate, Spot},
    outcome::Side,
};

/// The radius of a stone.
const STONE: f32 = 18.5;

const FILLS: [&str; 2] = ["url(#black)", "url(#white)"];
/// What is seen on stones of both sides.
const ON: [&str; 2] = ["#ffffff", "#17140f"];

pub(super) fn draw(
    picture: &mut Picture,
    diagram: &Diagram,
    foul: Option<Spot>,
) -> std::fmt::Result {
    grid(picture)?;
    for (at, cell) in diagram.points() {
        point(picture, at, cell)?;
    }
    if let [first, .., last] = diagram.line[..] {
        let style =
            "stroke=\"#e0312d\" stroke-width=\"6\" stroke-linecap=\"round\" opacity=\".85\"";
        writeln!(picture.text, "<g {style}>")?;
        picture.line(picture.place(first), picture.place(last))?;
        picture.text.push_str("</g>\n");
    }
    if let Some((_, last)) = diagram.last {
        let cell = diagram.points().find(|(at, _)| *at == last);
        let piece = cell.and_then(|(_, cell)| cell.piece);
        let color = piece.map_or("#17140f", |piece| ON[piece.side.index()]);
        let style = format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\"");
        // Around the cross of a move that was forbidden.
        let radius = if foul == Some(last) { 14.5 } else { 10.5 };
        picture.circle(picture.place(last), radius, &style)?;
    }
    if let Some(at) = foul {
        picture.cross(picture.place(at))?;
    }
    Ok(())
}

/// The lines of the board and its stars.
fn grid(picture: &mut Picture) -> std::fmt::Result {
    let (columns, rows) = picture.last();
    picture.text.push_str("<g class=\"grid\">\n");
    for column in 0..=columns {
        picture.line(picture.place((column, 0)), picture.place((column, rows)))?;
    }
    for row in 0..=rows {
        picture.line(picture.place((0, row)), picture.place((columns, row)))?;
    }
    let ((x, y), (end_x, end_y)) = (picture.place((0, 0)), picture.place((columns, rows)));
    writeln!(
        picture.text,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" stroke-width=\"2\"/>\n</g>",
        end_x - x,
        end_y - y
    )?;
    for star in stars(columns, rows) {
        picture.circle(picture.place(star), 3.5, "fill=\"#3d2b12\"")?;
    }
    Ok(())
}

/// The stars of usual boards, given their last column and row.
fn stars(columns: u8, rows: u8) -> Vec<Spot> {
    if columns != rows || columns < 8 || columns % 2 == 1 {
        return Vec::new();
    }
    let middle = columns / 2;
    let near = if columns < 12 { 2 } else { 3 };
    let far = columns - near;
    let mut stars = vec![
        (near, near),
        (far, near),
        (near, far),
        (far, far),
        (middle, middle),
    ];
    if columns >= 16 {
        stars.extend([(middle, near), (middle, far), (near, middle), (far, middle)]);
    }
    stars
}

/// What is on a point.
fn point(picture: &mut Picture, at: Spot, cell: &Cell) -> std::fmt::Result {
    let (x, y) = picture.place(at);
    if let Some(piece) = cell.piece {
        let fill = FILLS[piece.side.index()];
        let is_dead = cell.fate == Some(Fate::Dead);
        if !is_dead {
            let shadow = "fill=\"#2a1a05\" opacity=\".28\"";
            picture.circle((x + 1, y + 2), STONE, shadow)?;
        }
        let faded = if is_dead { " opacity=\".6\"" } else { "" };
        let style = format!("fill=\"{fill}\" stroke=\"#1c1a17\" stroke-width=\".6\"{faded}");
        picture.circle((x, y), STONE, &style)?;
        let on = ON[piece.side.index()];
        match cell.fate {
            Some(Fate::Dead) => picture.cross((x, y))?,
            Some(Fate::Unclear) => sign(picture, (x, y), '?', on)?,
            Some(Fate::Seki) => writeln!(
                picture.text,
                "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"none\" stroke=\"{on}\" \
                 stroke-width=\"2\"/>",
                x - 6,
                y - 6
            )?,
            _ => {}
        }
        if !is_dead {
            return Ok(());
        }
    }
    if let Some((letter, _)) = cell.forbidden {
        picture.circle((x, y), 12.0, "fill=\"#e2b368\"")?;
        return sign(picture, (x, y), letter, "#c01f26");
    }
    // Beside the cross of a dead stone.
    let (x, y, half) = match cell.piece {
        Some(_) => (x + 14, y + 14, 4),
        None => (x, y, 6),
    };
    let (fill, edge) = match cell.owner {
        Some(Side::First) => ("#141414", "#141414"),
        Some(Side::Second) => ("#ffffff", "#6b5a3c"),
        None => return Ok(()),
    };
    writeln!(
        picture.text,
        "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\" stroke=\"{edge}\"/>",
        x - half,
        y - half,
        side = 2 * half,
    )
}

fn sign(
    picture: &mut Picture,
    (x, y): (usize, usize),
    letter: char,
    color: &str,
) -> std::fmt::Result {
    writeln!(
        picture.text,
        "<text x=\"{x}\" y=\"{}\" fill=\"{color}\" font-family=\"sans-serif\" font-size=\"18\" \
         font-weight=\"bold\" text-anchor=\"middle\">{letter}</text>",
        y + 6
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_boards_have_their_stars() {
        for (size, expected) in [(19, 9), (15, 5), (13, 5), (9, 5), (8, 0), (3, 0)] {
            assert_eq!(stars(size - 1, size - 1).len(), expected, "{size}");
        }
        assert!(stars(18, 18).contains(&(9, 3)));
        assert!(stars(14, 14).contains(&(11, 3)) && stars(8, 8).contains(&(2, 6)));
        assert!(stars(18, 12).is_empty());
    }
}
