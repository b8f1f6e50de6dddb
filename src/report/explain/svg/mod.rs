//! The final position as a picture: SVG that needs nothing from elsewhere.
//!
//! Whatever belongs to the board stands on its wood, so that it reads alike on
//! light and dark pages; the words below take the colour that fits the page.

mod pieces;
mod stones;

use std::fmt::Write;

use super::Explained;
use crate::game::{Diagram, Spot, Style};

/// Between two lines of the board, and around them, in pixels.
const CELL: usize = 40;
const MARGIN: usize = 48;
/// Around the board.
const PAGE: usize = 16;
/// The lines of words below it.
const WORDS: usize = 84;
/// The words of small boards need room too.
const LEAST_WIDTH: usize = 480;
/// Wide enough for a letter of the words.
const LETTER: usize = 8;

/// The picture; it ends with a line end.
///
/// # Errors
/// One sentence where there is no position.
pub fn svg(explained: &Explained<'_>) -> Result<String, String> {
    let label = explained.label;
    let Some(diagram) = explained.told.and_then(|told| told.board.as_ref()) else {
        let why = label.first_error();
        return Err(why
            .map_or("there is no position", |error| &error.message)
            .to_owned());
    };
    let mut picture = Picture::of(diagram);
    // Writing to a string cannot fail.
    let _ = picture.draw(explained, diagram);
    Ok(picture.text)
}

/// A picture that is being drawn.
struct Picture {
    text: String,
    columns: usize,
    rows: usize,
    /// Where the board begins, from the left.
    left: usize,
    width: usize,
    height: usize,
}

impl Picture {
    fn of(diagram: &Diagram) -> Self {
        let (columns, rows) = (diagram.columns.len().max(1), diagram.rows.len().max(1));
        let board = |lines: usize| (lines - 1) * CELL + 2 * MARGIN;
        let width = (board(columns) + 2 * PAGE).max(LEAST_WIDTH);
        Self {
            text: String::new(),
            columns,
            rows,
            left: (width - board(columns)) / 2,
            width,
            height: PAGE + board(rows) + WORDS,
        }
    }

    /// Where a point lies.
    fn place(&self, (column, row): Spot) -> (usize, usize) {
        let x = self.left + MARGIN + usize::from(column) * CELL;
        let y = PAGE + MARGIN + usize::from(row) * CELL;
        (x, y)
    }

    /// The last point of the board.
    fn last(&self) -> Spot {
        ((self.columns - 1) as u8, (self.rows - 1) as u8)
    }

    fn draw(&mut self, explained: &Explained<'_>, diagram: &Diagram) -> std::fmt::Result {
        let (width, height) = (self.width, self.height);
        let origin = escape(&explained.label.origin.to_string());
        writeln!(
            self.text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\">\n<title>{origin}</title>\n{STYLE}\n\
             <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>"
        )?;
        let (last_x, last_y) = self.place(self.last());
        let (x, y) = (self.left, PAGE);
        writeln!(
            self.text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"url(#wood)\" \
             stroke=\"#8a6130\"/>",
            last_x + MARGIN - x,
            last_y + MARGIN - y,
        )?;
        self.names(diagram)?;
        match diagram.style {
            Style::Stones => {
                let foul = explained.told.and_then(|told| told.foul);
                stones::draw(self, diagram, foul.map(|foul| foul.at))?;
            }
            Style::Pieces => pieces::draw(self, diagram)?,
        }
        self.words(explained)?;
        self.text.push_str("</svg>\n");
        Ok(())
    }

    /// The names of columns and rows, on all sides.
    fn names(&mut self, diagram: &Diagram) -> std::fmt::Result {
        let (last_x, last_y) = self.place(self.last());
        let (far_x, far_y) = (last_x + MARGIN - 13, last_y + MARGIN - 9);
        let (near_x, near_y) = (self.left + 13, PAGE + 18);
        self.text.push_str("<g class=\"name\">\n");
        for (column, name) in diagram.columns.iter().enumerate() {
            let (x, _) = self.place((column as u8, 0));
            let name = escape(name);
            for y in [near_y, far_y] {
                writeln!(self.text, "<text x=\"{x}\" y=\"{y}\">{name}</text>")?;
            }
        }
        for (row, name) in diagram.rows.iter().enumerate() {
            let (_, y) = self.place((0, row as u8));
            let (y, name) = (y + 5, escape(name));
            for x in [near_x, far_x] {
                writeln!(self.text, "<text x=\"{x}\" y=\"{y}\">{name}</text>")?;
            }
        }
        self.text.push_str("</g>\n");
        Ok(())
    }

    /// What the board says, what the record says, and which record it is.
    fn words(&mut self, explained: &Explained<'_>) -> std::fmt::Result {
        let label = explained.label;
        let said = format!("board: {}", explained.verdict());
        let status = label.status.word().replace('_', " ");
        let recorded = format!("recorded: {} \u{b7} {status}", explained.recorded());
        let (middle, bottom) = (self.width / 2, self.height);
        let most = (self.width - 2 * PAGE) / LETTER;
        for (text, up, class) in [
            (said, 56, "words strong"),
            (recorded, 35, "words"),
            (label.origin.to_string(), 14, "words"),
        ] {
            let text = escape(&shortened(&text, most));
            let y = bottom - up;
            writeln!(
                self.text,
                "<text class=\"{class}\" x=\"{middle}\" y=\"{y}\">{text}</text>"
            )?;
        }
        Ok(())
    }

    /// A line from one place to another.
    fn line(&mut self, from: (usize, usize), to: (usize, usize)) -> std::fmt::Result {
        let ((x1, y1), (x2, y2)) = (from, to);
        writeln!(
            self.text,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        )
    }

    /// A circle around a place.
    fn circle(&mut self, (x, y): (usize, usize), radius: f32, style: &str) -> std::fmt::Result {
        writeln!(
            self.text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {style}/>"
        )
    }

    /// A cross on a place.
    fn cross(&mut self, (x, y): (usize, usize)) -> std::fmt::Result {
        writeln!(
            self.text,
            "<path class=\"cross\" d=\"M{} {}l16 16m0 -16l-16 16\"/>",
            x - 8,
            y - 8
        )
    }
}

/// Colours, gradients and fonts.
const STYLE: &str = "\
<style>
.page{fill:#fbfaf7}
.words{fill:#33302b;font:14px sans-serif;text-anchor:middle}
.strong{font-weight:bold}
@media (prefers-color-scheme:dark){.page{fill:#1d1b18}.words{fill:#e9e4da}}
.name{fill:#5a3d17;font:14px sans-serif;text-anchor:middle}
.grid{stroke:#3d2b12;fill:none}
.cross{stroke:#d3222a;stroke-width:4;stroke-linecap:round;fill:none}
</style>
<defs>
<linearGradient id=\"wood\" x2=\".3\" y2=\"1\"><stop stop-color=\"#ecc37d\"/>\
<stop offset=\".55\" stop-color=\"#e2b368\"/><stop offset=\"1\" stop-color=\"#d9a659\"/></linearGradient>
<radialGradient id=\"black\" cx=\".36\" cy=\".3\" r=\".75\"><stop stop-color=\"#6b6b6f\"/>\
<stop offset=\".45\" stop-color=\"#2b2b2e\"/><stop offset=\"1\" stop-color=\"#0c0c0d\"/></radialGradient>
<radialGradient id=\"white\" cx=\".36\" cy=\".3\" r=\".8\"><stop stop-color=\"#ffffff\"/>\
<stop offset=\".6\" stop-color=\"#f1efea\"/><stop offset=\"1\" stop-color=\"#c9c5bb\"/></radialGradient>
<radialGradient id=\"piece\" cx=\".4\" cy=\".35\" r=\".8\"><stop stop-color=\"#fffaf0\"/>\
<stop offset=\"1\" stop-color=\"#f0dcb4\"/></radialGradient>
</defs>";

/// A text fit for XML: without its signs, and without what it cannot hold or
/// what turns the text around.
fn escape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '"' => plain.push_str("&quot;"),
            '\'' => plain.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                plain.push('\u{fffd}');
            }
            letter if letter.is_control() => plain.push(' '),
            letter => plain.push(letter),
        }
    }
    plain
}

/// The end of a text that is too wide, behind an ellipsis; Chinese signs are as
/// wide as two letters.
fn shortened(text: &str, most: usize) -> String {
    let width = |letter: char| if letter < '\u{1100}' { 1 } else { 2 };
    if text.chars().map(width).sum::<usize>() <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(1);
    let mut kept: Vec<char> = Vec::new();
    for letter in text.chars().rev() {
        let Some(rest) = left.checked_sub(width(letter)) else {
            break;
        };
        left = rest;
        kept.push(letter);
    }
    kept.push('\u{2026}');
    kept.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_fit_for_xml() {
        for (text, expected) in [
            ("a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c&#39;"),
            ("黑 1\u{0}2\n3", "黑 1 2 3"),
            ("x\u{202e}y\u{ffff}", "x\u{fffd}y\u{fffd}"),
        ] {
            assert_eq!(escape(text), expected);
        }
    }

    #[test]
    fn long_texts_keep_their_end() {
        for (text, most, expected) in [
            ("abcdef", 6, "abcdef"),
            ("abcdef", 5, "…cdef"),
            ("黑白黑", 6, "黑白黑"),
            ("黑白黑", 5, "…白黑"),
            ("", 0, ""),
        ] {
            assert_eq!(shortened(text, most), expected, "{text} {most}");
        }
    }
}
