//! Openings that games are to begin with, as text.

use super::{
    fen,
    live::Game,
    notation::{Ranks, Unread, read},
    piece::Move,
    position::Position,
    selfplay::RULES,
};

/// A position and moves from there.
pub(super) struct Opening {
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
    /// Where it is from: `line 3`; nothing where it is the usual position.
    pub(super) line: Option<usize>,
}

impl Opening {
    /// The position that games begin with.
    pub(super) fn usual() -> Result<Self, String> {
        Ok(Self {
            start: fen::read(fen::START)?,
            moves: Vec::new(),
            line: None,
        })
    }

    /// Reads a position, `startpos` or in FEN, and moves from there, whatever they
    /// come to.
    ///
    /// # Errors
    /// One sentence.
    pub(super) fn read(position: &str, moves: &str, ranks: Ranks) -> Result<Self, String> {
        let start = match position.trim().trim_start_matches("fen").trim() {
            "" | "startpos" => fen::START,
            position => position,
        };
        let mut opening = Self {
            start: fen::read(start)?,
            moves: Vec::new(),
            line: None,
        };
        let turn = opening.start.turn();
        if opening.start.in_check(turn.other()) {
            let side = super::side_name(turn);
            return Err(format!("{side} is to move and could take the general"));
        }
        let mut position = opening.start.clone();
        let tokens = moves.split(|sign: char| sign == ',' || sign.is_whitespace());
        for token in tokens.filter(|token| !token.is_empty()) {
            let token: String = token.chars().take(12).collect();
            let it = read(&mut position, &token, ranks);
            let it = it.map_err(|why| match why {
                Unread::Unknown => format!("{token:?} is no move in a known notation"),
                Unread::NoSuchMove => format!("{token:?} is no move of this position"),
                Unread::Ambiguous(_) => format!("{token:?} may be several moves"),
            })?;
            if !position.is_legal(it) {
                return Err(format!("the move {token:?} is not legal"));
            }
            position.make(it);
            opening.moves.push(it);
        }
        Ok(opening)
    }
}

/// Reads openings, one a line: a position in FEN, moves from the usual position,
/// or a position, `moves` and moves, as UCI has it too. Empty lines and those that
/// begin with `#` are passed over.
///
/// # Errors
/// One sentence with the number of the line that is no opening.
pub(super) fn openings(text: &str) -> Result<Vec<Opening>, String> {
    let mut openings = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = opening(line, number);
        openings.push(opening.map_err(|why| format!("line {number}: {why}"))?);
    }
    match openings.is_empty() {
        true => Err("there is no opening: write positions in FEN or moves, one a line".to_owned()),
        false => Ok(openings),
    }
}

fn opening(line: &str, number: usize) -> Result<Opening, String> {
    let (position, moves) = match line.split_once("moves ") {
        Some((position, moves)) => (position, moves),
        None if line.contains('/') => (line, ""),
        None => ("", line),
    };
    // As engines are told of them.
    let position = position.trim_start_matches("position");
    let mut opening = Opening::read(position, moves, Ranks::FromZero)?;
    opening.line = Some(number);
    match Game::after(&opening).over(&RULES) {
        Some(_) => Err("the game is over after it".to_owned()),
        None => Ok(opening),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_openings() {
        let text = "# two\n\nh2e2 h9g7,b0c2\n\
                    4k4/9/9/9/9/9/9/9/4P4/3K5 w - - 0 1\r\n\
                    4k4/9/9/9/9/9/9/9/4P4/3K5 b moves e9e8\n\
                    position startpos moves 炮二平五\n\
                    position fen 4k4/9/9/9/9/9/9/9/4P4/3K5 w\n";
        let found = openings(text).unwrap();
        let shown = found.iter().map(|opening| {
            let moves: Vec<String> = opening.moves.iter().map(ToString::to_string).collect();
            (
                opening.line.unwrap(),
                fen::write(&opening.start),
                moves.join(" "),
            )
        });
        let start = fen::START.to_owned();
        let ending = |turn| format!("4k4/9/9/9/9/9/9/9/4P4/3K5 {turn}");
        let expected = [
            (3, start.clone(), "h2e2 h9g7 b0c2".to_owned()),
            (4, ending('w'), String::new()),
            (5, ending('b'), "e9e8".to_owned()),
            (6, start, "h2e2".to_owned()),
            (7, ending('w'), String::new()),
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn lines_that_are_none() {
        for (text, said) in [
            ("", "there is no opening"),
            ("# nothing", "there is no opening"),
            (
                "h2e2\n\nh2e9",
                "line 3: \"h2e9\" is no move of this position",
            ),
            ("hello", "line 1: \"hello\" is no move in a known notation"),
            ("4k4/9/9 w", "line 1: the position \"4k4/9/9 w\" has 3 rows"),
            (
                "4k4/9/9/9/9/9/9/9/4N4/4K4 w moves e1d3",
                "line 1: the move \"e1d3\" is not legal",
            ),
            (
                "4k4/9/9/9/9/9/9/9/9/4K4 w",
                "line 1: red is to move and could take",
            ),
            (
                "4k4/9/9/9/9/9/9/9/9/3K5 w",
                "line 1: the game is over after it",
            ),
            (
                "4k4/1R7/9/9/9/9/9/9/9/R2K5 w moves a0a9",
                "line 1: the game is over",
            ),
        ] {
            let why = openings(text).err().unwrap();
            assert!(why.starts_with(said), "{text:?}: {why}");
        }
    }
}
