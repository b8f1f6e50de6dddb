//! The protocol of Gomocup's managers (Piskvork's), for k-in-a-row.
//!
//! Points are `column,row`, both from 0 at the top left. What is to be played by is
//! said by `INFO rule`: 0 freestyle, 1 standard, 4 renju, 8 and 9 caro.

use std::{
    io::{self, BufRead, Write},
    time::{Duration, Instant},
};

use super::{
    converse::{Kind, Worker, converse},
    voice::Voice,
};
use crate::{
    game::kinrow::{LivePlayer, MAX_SIZE, Point, Rules},
    outcome::Side,
    search::{Found, Limits, MEGABYTES, Stop},
};

/// Time for a move where nobody gives one.
const TURN: Duration = Duration::from_secs(1);

/// Of the time for a move, this is kept back for what lies between the programs.
const KEPT: Duration = Duration::from_millis(50);

/// Moves that the time for a game is shared out to.
const MOVES_LEFT: u32 = 20;

/// The smallest board.
const LEAST_SIZE: u8 = 5;

/// What a player may use that no manager asks for.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Threads that think.
    pub threads: usize,
    /// Positions for a move, at most.
    pub nodes: Option<u64>,
}

/// Plays k-in-a-row by Gomocup's protocol until the input ends, or somebody says
/// `END`. At the end of the input a move that was asked for is answered first.
///
/// # Errors
/// Where the input cannot be read or an answer cannot be written.
pub fn gomocup<W: Write + Send + 'static>(
    mut input: impl BufRead,
    output: W,
    means: Means,
) -> io::Result<()> {
    let rules = Rules::preset("freestyle").ok_or_else(|| io::Error::other("no such rules"))?;
    let player = LivePlayer::new((15, 15), rules, means.threads, MEGABYTES);
    let player = player.map_err(|why| io::Error::new(io::ErrorKind::OutOfMemory, why))?;
    let session = Session {
        voice: Voice::new(output),
        player,
        means,
        has_board: false,
        said: None,
        turn: TURN,
        left: None,
    };
    converse(&mut input, session)
}

/// Why a command was not done.
enum Trouble {
    /// It cannot be answered.
    Output(io::Error),
    /// It cannot be done.
    Refused(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<String> for Trouble {
    fn from(sentence: String) -> Self {
        Self::Refused(sentence)
    }
}

impl From<&str> for Trouble {
    fn from(sentence: &str) -> Self {
        Self::Refused(sentence.to_owned())
    }
}

struct Session<W> {
    voice: Voice<W>,
    player: LivePlayer,
    means: Means,
    /// Whether a game was started.
    has_board: bool,
    /// The stones of a board that is being said: own ones, and the others.
    said: Option<Vec<(bool, Point)>>,
    /// Time for a move, and what is left for the game.
    turn: Duration,
    left: Option<Duration>,
}

impl<W: Write + Send + 'static> Worker for Session<W> {
    fn kind(line: &str) -> Kind {
        let command = line.split_whitespace().next().unwrap_or_default();
        match command.to_ascii_uppercase().as_str() {
            "BEGIN" | "TURN" | "DONE" => Kind::Search { is_bounded: true },
            "STOP" => Kind::Stop,
            "END" => Kind::End,
            _ => Kind::Plain,
        }
    }

    fn obey(&mut self, line: &str, stop: &Stop) -> io::Result<()> {
        let line = line.trim();
        let (command, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let command = command.to_ascii_uppercase();
        match self.answer(&command, line, rest.trim(), stop) {
            Err(Trouble::Refused(why)) => self.voice.say(&format!("ERROR {why}")),
            Err(Trouble::Output(error)) => Err(error),
            Ok(()) => Ok(()),
        }
    }
}

impl<W: Write> Session<W> {
    fn answer(
        &mut self,
        command: &str,
        line: &str,
        rest: &str,
        stop: &Stop,
    ) -> Result<(), Trouble> {
        match command {
            // Heard before.
            "" | "STOP" | "END" => {}
            "ABOUT" => self.voice.say(&format!(
                "name=\"kifu\", version=\"{}\", author=\"the kifu contributors\"",
                env!("CARGO_PKG_VERSION")
            ))?,
            "INFO" => self.inform(rest)?,
            "START" => self.start(rest.parse().ok().map(|size| (size, size)))?,
            "RECTSTART" => self.start(pair(rest))?,
            _ if self.said.is_some() => self.set_up(line, stop)?,
            "RESTART" | "BEGIN" | "TURN" | "PLAY" | "BOARD" | "TAKEBACK" if !self.has_board => {
                return Err("no game was started: say START and a size first".into());
            }
            "RESTART" => {
                let size = self.player.board().size();
                self.start(Some(size))?;
            }
            "BEGIN" => {
                if self.player.board().count() != [0, 0] {
                    return Err("the board is not empty: say RESTART, or BOARD".into());
                }
                self.think(stop)?;
            }
            "TURN" => {
                self.player.put(self.player.turn(), point(rest)?)?;
                self.think(stop)?;
            }
            // A move that the manager chose for us.
            "PLAY" => {
                let at = point(rest)?;
                self.player.put(self.player.turn(), at)?;
                self.voice.say(&format!("{},{}", at.column, at.row))?;
            }
            "BOARD" => self.said = Some(Vec::new()),
            "TAKEBACK" => {
                self.player.take(point(rest)?)?;
                self.voice.say("OK")?;
            }
            _ => {
                let shown: String = command.chars().take(40).collect();
                self.voice.say(&format!("UNKNOWN command {shown}"))?;
            }
        }
        Ok(())
    }

    /// Begins a game on a board of this size.
    fn start(&mut self, size: Option<(u8, u8)>) -> Result<(), Trouble> {
        let fits = |side: u8| (LEAST_SIZE..=MAX_SIZE).contains(&side);
        let size = size.filter(|(columns, rows)| fits(*columns) && fits(*rows));
        let Some(size) = size else {
            return Err(format!("unsupported size: it can be {LEAST_SIZE} to {MAX_SIZE}").into());
        };
        self.player.clear(size);
        self.has_board = true;
        self.said = None;
        Ok(self.voice.say("OK")?)
    }

    /// Takes a line of `BOARD`: a point and whose stone it is, or its end.
    fn set_up(&mut self, line: &str, stop: &Stop) -> Result<(), Trouble> {
        if !line.eq_ignore_ascii_case("DONE") {
            let stone = line
                .rsplit_once(',')
                .map(|(at, whose)| (point(at), whose.trim()));
            let stone = match stone {
                Some((Ok(at), "1")) => (true, at),
                Some((Ok(at), "2")) => (false, at),
                // The line of a game that goes on behind it (INFO rule 2).
                Some((Ok(_), "3")) => return Ok(()),
                _ => {
                    let why = "a stone is column,row,1 (own) or column,row,2 (the opponent's)";
                    return Err(why.into());
                }
            };
            if let Some(said) = &mut self.said {
                said.push(stone);
            }
            return Ok(());
        }
        let said = self.said.take().unwrap_or_default();
        let own = said.iter().filter(|(is_own, _)| *is_own).count();
        // Who is to move has as many stones as the other, or one less.
        let own = match own + own < said.len() {
            true => Side::Second,
            false => Side::First,
        };
        // The position is what it was where this one cannot be.
        let before = self.player.board().clone();
        match self.lay_out(&said, own) {
            Ok(()) => self.think(stop),
            Err(why) => {
                self.player.set_board(before);
                Err(why.into())
            }
        }
    }

    /// Lays out stones, own ones being of a side, which is to move.
    fn lay_out(&mut self, said: &[(bool, Point)], own: Side) -> Result<(), String> {
        self.player.clear(self.player.board().size());
        for (is_own, at) in said {
            let side = if *is_own { own } else { own.other() };
            self.player.put(side, *at)?;
        }
        let [first, second] = self.player.board().count();
        match self.player.turn() == own && first.abs_diff(second) <= 1 {
            true => Ok(()),
            false => Err("the numbers of stones are not those of a game".to_owned()),
        }
    }

    /// Notes something that the manager says of itself.
    fn inform(&mut self, text: &str) -> Result<(), Trouble> {
        let (key, value) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let number = value.trim().parse::<i64>();
        let milliseconds = |number: i64| Duration::from_millis(number.max(0) as u64);
        match (key.to_ascii_lowercase().as_str(), number) {
            ("timeout_turn", Ok(number)) => self.turn = milliseconds(number),
            // No time at all stands for no limit.
            ("timeout_match", Ok(0)) => self.left = None,
            ("timeout_match" | "time_left", Ok(number)) => {
                let is_endless = number >= i64::from(i32::MAX);
                self.left = (!is_endless).then(|| milliseconds(number));
            }
            ("max_memory", Ok(bytes @ 1..)) => {
                // Half of it, as the table is not all.
                let megabytes = (bytes as usize / 2) >> 20;
                let megabytes = megabytes.clamp(1, MEGABYTES);
                let threads = self.means.threads;
                self.player.resize(threads, megabytes)?;
            }
            ("rule", Ok(number)) => {
                let name = match number {
                    0 => "freestyle",
                    1 => "standard",
                    4 | 5 => "renju",
                    8 => "caro",
                    9 => "caro-standard",
                    // Games that go on after a five (2), among others.
                    _ => {
                        let known = "0 freestyle, 1 standard, 4 renju, 8 and 9 caro";
                        return Err(format!("unknown rule {number}: known are {known}").into());
                    }
                };
                if let Some(rules) = Rules::preset(name) {
                    self.player.set_rules(rules);
                }
            }
            // Nothing is answered to what is of no use.
            _ => {}
        }
        Ok(())
    }

    /// Thinks for the side to move, plays, and says what.
    fn think(&mut self, stop: &Stop) -> Result<(), Trouble> {
        let time = self
            .left
            .map_or(self.turn, |left| self.turn.min(left / MOVES_LEFT));
        let stop = Stop {
            at: Instant::now().checked_add(time.saturating_sub(KEPT)),
            ..stop.clone()
        };
        let limits = Limits::nodes(self.means.nodes.unwrap_or(u64::MAX));
        let side = self.player.turn();
        let found = self.player.think(side, limits, &stop, &mut |_| {});
        let at = match found.line.first() {
            Some(Some(at)) => *at,
            Some(None) => return Err("every point is forbidden, and there is no pass".into()),
            None => return Err("the game is over".into()),
        };
        self.player.put(side, at)?;
        let told = message(&found);
        Ok(self
            .voice
            .say(&format!("{told}\n{},{}", at.column, at.row))?)
    }
}

/// What was found, for people.
fn message(found: &Found<Option<Point>>) -> String {
    let score = match found.score.mate() {
        Some(plies) if found.score.value() > 0 => format!("wins in {plies} plies"),
        Some(plies) => format!("loses in {plies} plies"),
        None => format!("score {}", found.score.value()),
    };
    format!(
        "MESSAGE depth {}, {score}, {} nodes",
        found.depth, found.nodes
    )
}

/// Two numbers.
fn pair(text: &str) -> Option<(u8, u8)> {
    let (first, second) = text.split_once(',')?;
    Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
}

fn point(text: &str) -> Result<Point, String> {
    let (column, row) =
        pair(text).ok_or("a point is column,row, from 0 at the top left, such as 7,7")?;
    Ok(Point { row, column })
}
