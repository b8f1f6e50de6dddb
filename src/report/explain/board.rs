//! The final position in letters or signs, with colours where they are wanted.

use super::Look;
use crate::{
    game::{Cell, Diagram, Fate, Spot, Style},
    outcome::Side,
};

/// Puts what follows back to what a terminal shows usually.
const PLAIN: &str = "\x1b[0m";

/// Colours of the 256 that terminals have: wood, wood under a line that wins, and
/// paper; stones and points of both sides; points of nobody; pieces of both sides;
/// the last move.
const WOOD: u8 = 179;
const LINE: u8 = 209;
const PAPER: u8 = 223;
const STONES: [u8; 2] = [16, 231];
const NOBODY: u8 = 95;
const PIECES: [u8; 2] = [124, 16];
const LAST: u8 = 124;

/// Appends the board, and what its signs mean.
pub(super) fn draw(diagram: &Diagram, look: Look, text: &mut String) {
    match diagram.style {
        Style::Stones => {
            text.push_str("    ");
            let names = diagram.columns.iter().map(|name| format!("{name:<2}"));
            let names: String = names.collect();
            end_line(text, names.trim_end());
            rows(diagram, look, 3, text);
            legend(diagram, look, text);
        }
        Style::Pieces => {
            rows(diagram, look, 2, text);
            let names = diagram.columns.iter().map(|name| format!("{name:<3}"));
            let names: String = names.collect();
            end_line(text, &format!("   {}", names.trim_end()));
            legend(diagram, look, text);
        }
    }
}

fn end_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn legend(diagram: &Diagram, look: Look, text: &mut String) {
    let signs = look.color && !look.letters;
    match (diagram.style, diagram.is_counted) {
        (Style::Stones, counted) if signs => {
            let [black, white] = STONES.map(|color| painted("●", color, WOOD));
            text.push_str(&format!("{black} black  {white} white"));
            if counted {
                let [dead, alive] = STONES.map(|color| painted("×", color, WOOD));
                let [own, other] = STONES.map(|color| painted("▪", color, WOOD));
                let nobody = painted("·", NOBODY, WOOD);
                text.push_str(&format!(
                    "  {dead} {alive} dead  {own} black's point  {other} white's point  {nobody} nobody's"
                ));
            } else if let Some((_, rest)) = diagram.legend.split_once("O white") {
                text.push_str(&rest.replace("# the line", "coloured: the line"));
            }
            text.push('\n');
        }
        _ if diagram.legend.is_empty() => {}
        _ => end_line(text, &diagram.legend),
    }
}

fn rows(diagram: &Diagram, look: Look, width: usize, text: &mut String) {
    let columns = diagram.columns.len();
    for (row, name) in diagram.rows.iter().enumerate() {
        let mut line = format!("{name:>width$} ");
        for column in 0..columns {
            if let Some(cell) = diagram.cells.get(row * columns + column) {
                let at = (column as u8, row as u8);
                line.push_str(&match diagram.style {
                    Style::Stones => stone(diagram, at, cell, look),
                    Style::Pieces => piece(diagram, at, cell, look),
                });
            }
        }
        end_line(text, line.trim_end());
        if diagram.style == Style::Pieces && row + 1 == diagram.rows.len() / 2 {
            end_line(text, &format!("   {}", "~".repeat(columns * 3 - 1)));
        }
    }
}

/// A sign in a colour on another.
fn painted(sign: &str, color: u8, ground: u8) -> String {
    format!("\x1b[38;5;{color};48;5;{ground}m{sign}{PLAIN}")
}

/// The mark behind what was played last.
fn mark(diagram: &Diagram, at: Spot) -> char {
    match diagram.last {
        Some((_, last)) if last == at => '<',
        _ => ' ',
    }
}

/// A point of a board of stones: its sign and the mark behind it.
fn stone(diagram: &Diagram, at: Spot, cell: &Cell, look: Look) -> String {
    let in_line = diagram.line.contains(&at);
    let is_dead = cell.fate == Some(Fate::Dead);
    let letter = match cell.piece {
        Some(_) if in_line => '#',
        Some(piece) if is_dead => piece.letter.to_ascii_lowercase(),
        Some(piece) => piece.letter,
        None => match (cell.candidate, cell.forbidden, cell.owner) {
            (Some(letter), ..) => letter,
            (_, Some((sign, _)), _) => sign,
            (.., Some(Side::First)) => ':',
            (.., Some(Side::Second)) => '\'',
            (None, None, None) => '.',
        },
    };
    let mark = mark(diagram, at);
    if !look.color {
        return format!("{letter}{mark}");
    }
    let sign = match cell.piece {
        _ if look.letters => letter,
        Some(_) if is_dead => '×',
        Some(_) => '●',
        None if cell.candidate.is_some() || cell.forbidden.is_some() => letter,
        None if cell.owner.is_some() => '▪',
        None => '·',
    };
    let side = cell.piece.map(|piece| piece.side).or(cell.owner);
    let color = side.map_or(NOBODY, |side| STONES[side.index()]);
    let ground = if in_line { LINE } else { WOOD };
    let style = match cell.fate {
        Some(Fate::Seki) => "\x1b[4m",
        Some(Fate::Unclear) => "\x1b[3m",
        _ if cell.piece.is_some() => "\x1b[1m",
        _ => "",
    };
    let sign = painted(&sign.to_string(), color, ground);
    format!("{style}{sign}{}", painted(&mark.to_string(), LAST, WOOD))
}

/// A point of a board of xiangqi: a sign two columns wide and the mark behind it.
fn piece(diagram: &Diagram, at: Spot, cell: &Cell, look: Look) -> String {
    let is_left = matches!(diagram.last, Some((Some(from), _)) if from == at);
    let sign = match cell.piece {
        Some(piece) if look.letters => format!("{} ", piece.letter),
        Some(piece) => piece.glyph.to_string(),
        // In ASCII letters are pieces.
        None if cell.candidate.is_some() => {
            let end = if look.letters { ')' } else { ' ' };
            cell.candidate.iter().chain(&[end]).collect()
        }
        None if is_left => "()".to_owned(),
        None if look.letters => ". ".to_owned(),
        None => "· ".to_owned(),
    };
    let mark = mark(diagram, at);
    if !look.color {
        return format!("{sign}{mark}");
    }
    let color = match cell.piece {
        Some(piece) => PIECES[piece.side.index()],
        None if is_left => LAST,
        None => NOBODY,
    };
    let bold = if cell.piece.is_some() { "\x1b[1m" } else { "" };
    let sign = painted(&sign, color, PAPER);
    format!("{bold}{sign}{}", painted(&mark.to_string(), LAST, PAPER))
}
