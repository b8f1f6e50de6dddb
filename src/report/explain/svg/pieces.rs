//! The board of xiangqi.

use std::fmt::Write;

use super::{CELL, Picture, escape};
use crate::game::{Diagram, Spot};

/// Colours of both sides.
const COLORS: [&str; 2] = ["#b3141b", "#15130f"];

/// Fonts that have the signs, by system.
const FONTS: &str =
    "Noto Serif CJK TC,Noto Serif TC,Songti TC,PMingLiU,Noto Serif CJK SC,SimSun,serif";

/// Where cannons and soldiers begin, of the half at the top.
const BEGIN: [Spot; 7] = [(1, 2), (7, 2), (0, 3), (2, 3), (4, 3), (6, 3), (8, 3)];

pub(super) fn draw(picture: &mut Picture, diagram: &Diagram) -> std::fmt::Result {
    grid(picture)?;
    if let Some((Some(from), _)) = diagram.last {
        let style = "fill=\"none\" stroke=\"#1864ab\" stroke-width=\"3\" stroke-dasharray=\"5 4\"";
        picture.circle(picture.place(from), 13.0, style)?;
    }
    writeln!(
        picture.text,
        "<g font-family=\"{FONTS}\" font-size=\"24\" font-weight=\"bold\" text-anchor=\"middle\">"
    )?;
    for (at, cell) in diagram.points() {
        let Some(piece) = cell.piece else {
            continue;
        };
        let (x, y) = picture.place(at);
        let color = COLORS[piece.side.index()];
        picture.circle((x + 1, y + 2), 18.5, "fill=\"#2a1a05\" opacity=\".3\"")?;
        let style = format!("fill=\"url(#piece)\" stroke=\"{color}\" stroke-width=\"1.5\"");
        picture.circle((x, y), 18.5, &style)?;
        let style = format!("fill=\"none\" stroke=\"{color}\" stroke-width=\".8\"");
        picture.circle((x, y), 15.5, &style)?;
        let glyph = escape(&piece.glyph.to_string());
        let y = y + 9;
        writeln!(
            picture.text,
            "<text x=\"{x}\" y=\"{y}\" fill=\"{color}\">{glyph}</text>"
        )?;
    }
    picture.text.push_str("</g>\n");
    if let Some((_, last)) = diagram.last {
        let style = "fill=\"none\" stroke=\"#1864ab\" stroke-width=\"3\"";
        picture.circle(picture.place(last), 20.5, style)?;
    }
    Ok(())
}

/// The lines, with the river, the palaces and the marks where pieces begin.
fn grid(picture: &mut Picture) -> std::fmt::Result {
    let (columns, rows) = picture.last();
    let half = rows / 2;
    picture.text.push_str("<g class=\"grid\">\n");
    for row in 0..=rows {
        picture.line(picture.place((0, row)), picture.place((columns, row)))?;
    }
    for column in 0..=columns {
        let ends = match column == 0 || column == columns {
            true => vec![(0, rows)],
            false => vec![(0, half), (half + 1, rows)],
        };
        for (from, to) in ends {
            picture.line(picture.place((column, from)), picture.place((column, to)))?;
        }
    }
    for top in [0, rows.saturating_sub(2)] {
        for (left, right) in [(3, 5), (5, 3)] {
            picture.line(picture.place((left, top)), picture.place((right, top + 2)))?;
        }
    }
    for (column, row) in BEGIN {
        for row in [row, rows.saturating_sub(row)] {
            corners(picture, (column, row), columns)?;
        }
    }
    let (x, y) = picture.place((0, 0));
    let (end_x, end_y) = picture.place((columns, rows));
    writeln!(
        picture.text,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" stroke-width=\"2.5\"/>\n</g>",
        x - 4,
        y - 4,
        end_x - x + 8,
        end_y - y + 8
    )?;
    let (_, y) = picture.place((0, half));
    let y = y + CELL / 2 + 9;
    for (column, text) in [(2, "楚 河"), (6, "漢 界")] {
        let (x, _) = picture.place((column, 0));
        writeln!(
            picture.text,
            "<text x=\"{x}\" y=\"{y}\" fill=\"#5a3d17\" font-family=\"{FONTS}\" font-size=\"24\" \
             text-anchor=\"middle\">{text}</text>"
        )?;
    }
    Ok(())
}

/// Small corners around a point, inside the board.
fn corners(picture: &mut Picture, at: Spot, columns: u8) -> std::fmt::Result {
    let (x, y) = picture.place(at);
    let (x, y) = (x as i32, y as i32);
    for side in [-1, 1] {
        let is_outside = (side < 0 && at.0 == 0) || (side > 0 && at.0 == columns);
        if is_outside {
            continue;
        }
        for up in [-1, 1] {
            writeln!(
                picture.text,
                "<path d=\"M{} {}v{}h{}\"/>",
                x + 4 * side,
                y + 11 * up,
                -7 * up,
                7 * side
            )?;
        }
    }
    Ok(())
}
