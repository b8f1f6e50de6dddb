//! Openings that games are to begin with, as text.

use super::{board::Point, point::column_name, rules::Rules, selfplay::Game};

/// The first moves of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Opening {
    moves: Vec<Point>,
    /// The number of its line, from 1; nothing for the empty board.
    pub(super) line: Option<usize>,
}

impl Opening {
    /// Its moves.
    pub(super) const fn len(&self) -> usize {
        self.moves.len()
    }

    /// The game after it.
    pub(super) fn game(&self, size: u8, rules: &Rules) -> Game {
        let mut game = Game::new(size);
        for at in &self.moves {
            game.play(rules, *at);
        }
        game
    }
}

/// Reads openings, one a line: names of points, with the row from the bottom (`h8
/// i9`, `h8i9`), or columns and rows from the middle (`0,0 1,-1`), rows downwards.
/// Empty lines and those that begin with `#` are passed over.
///
/// # Errors
/// One sentence with the number of the line that is no opening.
pub(super) fn read(text: &str, size: u8, rules: &Rules) -> Result<Vec<Opening>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut openings = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = opening(line, size, rules);
        openings.push(Opening {
            moves: opening.map_err(|why| format!("line {number}: {why}"))?,
            line: Some(number),
        });
    }
    match openings.is_empty() {
        true => {
            Err("there is no opening: write points such as h8 i9, one opening a line".to_owned())
        }
        false => Ok(openings),
    }
}

fn opening(line: &str, size: u8, rules: &Rules) -> Result<Vec<Point>, String> {
    let is_named = line.contains(|sign: char| sign.is_ascii_alphabetic());
    let points = match is_named {
        true => names(line, size),
        false => offsets(line, size),
    }?;
    let mut game = Game::new(size);
    for at in &points {
        if game.ended.is_some() {
            return Err("the game is over before its end".to_owned());
        }
        if !game.may(rules, *at) {
            let shown = super::point::name(*at, size);
            return Err(format!("{shown} is taken, or forbidden to Black"));
        }
        game.play(rules, *at);
    }
    match game.ended {
        Some(_) => Err("the game is over after it".to_owned()),
        None => Ok(points),
    }
}

/// Points by their names, with or without anything between them.
fn names(line: &str, size: u8) -> Result<Vec<Point>, String> {
    let mut points = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(|sign: char| sign == ',' || sign.is_whitespace());
        if rest.is_empty() {
            return Ok(points);
        }
        let digits = rest.trim_start_matches(|sign: char| sign.is_ascii_alphabetic());
        let name = rest[..rest.len() - digits.len()].to_ascii_lowercase();
        let length = digits
            .find(|sign: char| !sign.is_ascii_digit())
            .unwrap_or(digits.len());
        let (number, after) = digits.split_at(length);
        let column = (0..size).find(|column| column_name(*column) == name);
        let row = number.parse().ok().and_then(|row| size.checked_sub(row));
        let row = row.filter(|row| *row < size);
        let Some((row, column)) = row.zip(column) else {
            let word: String = rest.chars().take(12).collect();
            let word = word.split_whitespace().next().unwrap_or_default();
            return Err(format!(
                "{word:?} is no point of the board: write a column and a row, such as h8"
            ));
        };
        points.push(Point { row, column });
        rest = after;
    }
}

/// Points as columns and rows from the middle.
fn offsets(line: &str, size: u8) -> Result<Vec<Point>, String> {
    let words = line.split(|sign: char| sign == ',' || sign.is_whitespace());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let middle = i32::from(size / 2);
    let place = |word: &str| {
        let from_middle: i32 = word.parse().ok()?;
        let place = u8::try_from(middle.checked_add(from_middle)?).ok()?;
        (place < size).then_some(place)
    };
    let pairs = words.chunks(2).map(|pair| {
        let point = match pair {
            [column, row] => place(column).zip(place(row)),
            _ => None,
        };
        let (column, row) = point.ok_or_else(|| {
            let shown: String = pair.join(",").chars().take(24).collect();
            format!("{shown:?} is no point of the board: write its column and row from the middle, such as 0,0")
        })?;
        Ok(Point { row, column })
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::{super::point::name, *};

    fn read(text: &str) -> Result<Vec<String>, String> {
        let rules = Rules::preset("renju").unwrap();
        let openings = super::read(text, 15, &rules)?;
        let named = |opening: &Opening| -> String {
            let names: Vec<String> = opening.moves.iter().map(|at| name(*at, 15)).collect();
            format!("{}: {}", opening.line.unwrap(), names.join(" "))
        };
        Ok(openings.iter().map(named).collect())
    }

    #[test]
    fn lines_are_openings() {
        let found = read("\u{feff}# two\n\nh8 i9, G7\nb7d6e15\r\n0,0 1,-1\n 0,0, -7,7, 7,-7\n");
        let expected = ["3: h8 i9 g7", "4: b7 d6 e15", "5: h8 i9", "6: h8 a1 o15"];
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn lines_that_are_none() {
        for (text, said) in [
            ("", "there is no opening"),
            ("h8\nh8 h8", "line 2: h8 is taken, or forbidden"),
            ("h16", "line 1: \"h16\" is no point"),
            ("h0", "line 1: \"h0\" is no point"),
            ("p1", "line 1: \"p1\" is no point"),
            ("h8 é", "line 1: \"é\" is no point"),
            ("h99999999999", "line 1: \"h9999"),
            ("8,8", "line 1: \"8,8\" is no point"),
            ("1,2 3", "line 1: \"3\" is no point"),
            (
                "a1 a2 b1 b2 c1 c2 d1 d2 e1",
                "line 1: the game is over after it",
            ),
            (
                "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2",
                "line 1: the game is over before",
            ),
            (
                "h8 a1 h9 a3 g7 a5 i7 a7 h7",
                "line 1: h7 is taken, or forbidden",
            ),
        ] {
            let why = read(text).err().unwrap();
            assert!(why.starts_with(said), "{text:?}: {why}");
        }
    }
}
