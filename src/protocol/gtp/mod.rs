//! GTP (Go Text Protocol, version 2) for asking the judge of Go: a referee that
//! knows the rules and counts, and plays no moves of its own.

mod game;
mod referee;
mod show;

use std::{
    io::{self, BufRead, Write},
    path::Path,
};

use super::read_line;
use crate::{
    game::{Settings, go},
    outcome::{Points, Side},
    record::Record,
};
use game::fixed_handicap;
use referee::Referee;

/// Reads the first record of a file and hands it over, or says in one sentence why
/// it cannot.
pub type Load<'l> = dyn FnMut(&Path, &mut dyn FnMut(&Record<'_>)) -> Result<(), String> + 'l;

/// Every command, in order.
const COMMANDS: [&str; 25] = [
    "boardsize",
    "captures",
    "clear_board",
    "final_score",
    "final_status",
    "final_status_list",
    "fixed_handicap",
    "get_komi",
    "is_legal",
    "kgs-rules",
    "known_command",
    "komi",
    "list_commands",
    "list_stones",
    "loadsgf",
    "name",
    "play",
    "protocol_version",
    "query_boardsize",
    "quit",
    "set_free_handicap",
    "showboard",
    "time_left",
    "undo",
    "version",
];

/// The largest board of the protocol: its points have one letter.
const MOST: u8 = 25;

/// Answers commands until the input ends or somebody says `quit`, counting under
/// the settings.
///
/// # Errors
/// Where the settings cannot be used (invalid input), the input cannot be read, or
/// an answer cannot be written.
pub fn gtp(
    mut input: impl BufRead,
    mut output: impl Write,
    settings: &Settings,
    load: &mut Load<'_>,
) -> io::Result<()> {
    let referee = Referee::new(settings);
    let referee = referee.map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, why))?;
    let mut session = Session { referee, load };
    while let Some(line) = read_line(&mut input)? {
        let Some((id, words)) = command(&line) else {
            continue;
        };
        let answer = session.answer(&words);
        let (sign, text) = match &answer {
            Ok(text) => ('=', text),
            Err(why) => ('?', why),
        };
        write!(output, "{sign}{id} {text}\n\n")?;
        output.flush()?;
        if words.first().is_some_and(|word| word == "quit") {
            break;
        }
    }
    Ok(())
}

/// The number and the words of a command; nothing where a line has none.
fn command(line: &str) -> Option<(String, Vec<String>)> {
    let line = line.split('#').next().unwrap_or_default();
    let plain = line
        .chars()
        .filter(|sign| *sign == '\t' || !sign.is_control());
    let plain: String = plain.collect();
    let mut words = plain.split_whitespace().map(str::to_owned).peekable();
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let id = words.next_if(is_number).unwrap_or_default();
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then_some((id, words))
}

struct Session<'l> {
    referee: Referee,
    load: &'l mut Load<'l>,
}

impl Session<'_> {
    /// What a command is answered, or why it cannot be done.
    fn answer(&mut self, words: &[String]) -> Result<String, String> {
        let referee = &mut self.referee;
        let word = |at: usize| words.get(at).map(String::as_str);
        let name = word(0).unwrap_or_default();
        match name {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("kifu".to_owned()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "known_command" => {
                let known = word(1).is_some_and(|name| COMMANDS.contains(&name));
                Ok(known.to_string())
            }
            "list_commands" => Ok(COMMANDS.join("\n")),
            // Nobody's time is kept.
            "quit" | "time_left" => Ok(String::new()),
            "boardsize" => {
                let size = word(1).and_then(|size| size.parse().ok());
                let size = size.filter(|size| (1..=MOST).contains(size));
                let size = size.ok_or("unacceptable size: it can be 1 to 25")?;
                referee.clear((size, size));
                Ok(String::new())
            }
            "query_boardsize" => Ok(match referee.game.size {
                (columns, rows) if columns == rows => columns.to_string(),
                (columns, rows) => format!("{columns} {rows}"),
            }),
            "clear_board" => {
                referee.clear(referee.game.size);
                Ok(String::new())
            }
            "komi" => {
                let komi = word(1).ok_or("komi not given: write points, such as 6.5")?;
                let komi = go::parse_komi_setting(komi)?;
                referee.game.komi = Some(komi.to_string());
                Ok(String::new())
            }
            "get_komi" => Ok(referee.komi().to_string()),
            "kgs-rules" => {
                let rules: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
                referee.set_rules(&rules.join(" "))?;
                Ok(String::new())
            }
            "play" => {
                let (side, at) = (color(word(1))?, referee.vertex(word(2))?);
                referee.play(side, at)?;
                Ok(String::new())
            }
            "is_legal" => {
                let (side, at) = (color(word(1))?, referee.vertex(word(2))?);
                Ok(i32::from(referee.after(side, at).is_ok()).to_string())
            }
            "undo" => match referee.game.undo() {
                true => Ok(String::new()),
                false => Err("cannot undo: there is no move".to_owned()),
            },
            "fixed_handicap" => {
                let stones = word(1).and_then(|count| count.parse().ok());
                let points = stones.and_then(|stones| fixed_handicap(referee.game.size, stones));
                let points = points.ok_or("invalid number of stones")?;
                referee.game.set_handicap(&points)?;
                let names = points
                    .into_iter()
                    .map(|at| go::vertex(at, referee.game.size.1));
                Ok(names.collect::<Vec<_>>().join(" "))
            }
            "set_free_handicap" => {
                let words = words.iter().skip(1);
                let points: Result<Vec<_>, _> = words.map(|it| referee.vertex(Some(it))).collect();
                let points: Option<Vec<_>> = points?.into_iter().collect();
                referee
                    .game
                    .set_handicap(&points.ok_or("a pass is no handicap stone")?)?;
                Ok(String::new())
            }
            "loadsgf" => {
                let path = word(1).ok_or("no file given")?;
                let mut loaded = None;
                (self.load)(Path::new(path), &mut |record| {
                    loaded = Some(referee.load(record, word(2)));
                })
                .and_then(|()| loaded.unwrap_or_else(|| Err("it holds no record".to_owned())))
                .map_err(|why| format!("cannot load file: {why}"))?;
                Ok(side_word(referee.game.to_move()).to_owned())
            }
            "showboard" => {
                let (board, captures) = referee.board()?;
                Ok(show::board(&board, captures))
            }
            "list_stones" => Ok(show::stones(&referee.board()?.0, color(word(1))?)),
            "captures" => {
                let side = color(word(1))?;
                Ok(referee.board()?.1[side.index()].to_string())
            }
            "final_score" => {
                let (margin, _) = referee.end()?;
                Ok(match margin {
                    Points::ZERO => "0".to_owned(),
                    margin if margin > Points::ZERO => format!("B+{margin}"),
                    margin => format!("W+{}", -margin),
                })
            }
            "final_status" => {
                let at = referee.vertex(word(1))?.ok_or("a pass has no status")?;
                let status = show::status(&referee.end()?.1, at);
                Ok(status.ok_or("there is no such point")?.to_owned())
            }
            "final_status_list" => {
                let status = word(1).unwrap_or_default();
                if !show::STATUSES.contains(&status) {
                    let known = show::STATUSES.join(", ");
                    return Err(format!("unknown status; known are {known}"));
                }
                Ok(show::list(&referee.end()?.1, status))
            }
            _ => Err("unknown command".to_owned()),
        }
    }
}

const fn side_word(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

fn color(word: Option<&str>) -> Result<Side, String> {
    match word.unwrap_or_default().to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::First),
        "w" | "white" => Ok(Side::Second),
        _ => Err("invalid color: it is black or white".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands() {
        for (line, expected) in [
            ("", None),
            ("  # nothing", None),
            ("12", None),
            ("name", Some(("", "name"))),
            ("7 play b\tQ16 # well", Some(("7", "play b Q16"))),
            ("\u{7}komi\r 6.5", Some(("", "komi 6.5"))),
        ] {
            let found = command(line).map(|(id, words)| (id, words.join(" ")));
            let expected = expected.map(|(id, words): (&str, &str)| (id.into(), words.into()));
            assert_eq!(found, expected, "{line:?}");
        }
    }

    #[test]
    fn commands_are_in_order() {
        assert!(COMMANDS.is_sorted());
    }
}
