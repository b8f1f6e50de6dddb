//! UCI for xiangqi, and the words of UCCI, its older relative.
//!
//! Which of them is spoken is what the first of `uci` and `ucci` says. Moves are
//! in coordinates; ranks count from 0 (`h2e2`) or from 1 (`h3e3`, as Fairy-Stockfish
//! has it), as the moves of the game so far tell, else as the option `Ranks` says; from 1
//! where that was not set and `UCI_Variant` was.

use std::{
    io::{self, BufRead, Write},
    str::SplitWhitespace,
    thread,
    time::{Duration, Instant},
};

use super::{
    converse::{Aside, Kind, Worker, converse},
    voice::Voice,
};
use crate::{
    game::xiangqi::{LivePlayer, notation::Ranks},
    search::{Found, Limits, MAX_PLIES, MAX_THREADS, MEGABYTES, Stop},
};

/// The largest table that can be asked for, in megabytes.
const MOST_MEGABYTES: usize = 1 << 12;

/// Moves that time is shared out to, where nobody says how many are left.
const MOVES_LEFT: u32 = 30;

/// Time that is kept back of what is left, for what lies between the programs.
const KEPT: Duration = Duration::from_millis(50);

/// Plays xiangqi by UCI or UCCI until the input ends, or somebody says `quit`. At
/// the end of the input a search that would end by itself is answered first.
///
/// # Errors
/// Where the input cannot be read or an answer cannot be written.
pub fn uci<W: Write + Send + 'static>(mut input: impl BufRead, output: W) -> io::Result<()> {
    let player = LivePlayer::new(1, MEGABYTES, Ranks::FromZero);
    let player = player.map_err(|why| io::Error::new(io::ErrorKind::OutOfMemory, why))?;
    let session = Session {
        voice: Voice::new(output),
        player,
        is_ucci: false,
        options: Options {
            threads: 1,
            megabytes: MEGABYTES,
            in_milliseconds: false,
            knows_ranks: false,
        },
        banned: Vec::new(),
    };
    converse(&mut input, session)
}

struct Options {
    threads: usize,
    megabytes: usize,
    /// Whether UCCI's times are in milliseconds, not in seconds.
    in_milliseconds: bool,
    /// Whether the option `Ranks` was set.
    knows_ranks: bool,
}

struct Session<W> {
    voice: Voice<W>,
    player: LivePlayer,
    is_ucci: bool,
    options: Options,
    /// Moves that are not to be played next, as words (UCCI).
    banned: Vec<String>,
}

impl<W: Write + Send + 'static> Worker for Session<W> {
    fn kind(line: &str) -> Kind {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("go") => Kind::Search {
                is_bounded: is_bounded(&words.collect::<Vec<_>>()),
            },
            // It is not told of a move to ponder on, so nothing was pondered for long.
            Some("stop" | "ponderhit") => Kind::Stop,
            Some("quit") => Kind::End,
            _ => Kind::Plain,
        }
    }

    /// Whether the program is there is said while it thinks, too.
    fn aside(&self) -> Aside {
        let voice = self.voice.clone();
        Box::new(move |line| match line.trim() {
            "isready" => voice.say("readyok").map(|()| true),
            _ => Ok(false),
        })
    }

    fn obey(&mut self, line: &str, stop: &Stop) -> io::Result<()> {
        let mut words = line.split_whitespace();
        let Some(command) = words.next() else {
            return Ok(());
        };
        match command {
            "uci" => self.introduce(false),
            "ucci" => self.introduce(true),
            "isready" => self.voice.say("readyok"),
            "setoption" => self.set_option(words),
            "ucinewgame" => {
                self.banned.clear();
                Ok(())
            }
            "position" => {
                self.banned.clear();
                let text = line.trim_start().trim_start_matches("position");
                match self.player.set(text) {
                    Ok(()) => Ok(()),
                    Err(why) => self.complain(&format!("{why}; the position is what it was")),
                }
            }
            "banmoves" => {
                self.banned = words.map(str::to_owned).collect();
                Ok(())
            }
            "go" => self.go(&words.collect::<Vec<_>>(), stop),
            "quit" if self.is_ucci => self.voice.say("bye"),
            // Heard before, or of no use here.
            "stop" | "ponderhit" | "quit" | "debug" | "register" | "probe" => Ok(()),
            _ => self.complain(&format!(
                "unknown command {:?}; known are uci, ucci, isready, setoption, ucinewgame, \
                 position, banmoves, go, stop, quit",
                short(command)
            )),
        }
    }
}

impl<W: Write> Session<W> {
    /// Says something for people.
    fn complain(&self, sentence: &str) -> io::Result<()> {
        let word = match self.is_ucci {
            true => "message",
            false => "string",
        };
        self.voice.say(&format!("info {word} {sentence}"))
    }

    fn introduce(&mut self, is_ucci: bool) -> io::Result<()> {
        self.is_ucci = is_ucci;
        let version = env!("CARGO_PKG_VERSION");
        let text = match is_ucci {
            false => format!(
                "id name kifu {version}\n\
                 id author the kifu contributors\n\
                 option name Hash type spin default {MEGABYTES} min 1 max {MOST_MEGABYTES}\n\
                 option name Threads type spin default 1 min 1 max {MAX_THREADS}\n\
                 option name Ranks type combo default 0 var 0 var 1\n\
                 option name UCI_Variant type combo default xiangqi var xiangqi\n\
                 uciok"
            ),
            true => format!(
                "id name kifu {version}\n\
                 id author the kifu contributors\n\
                 option usemillisec type check default false\n\
                 option hashsize type spin min 1 max {MOST_MEGABYTES} default {MEGABYTES}\n\
                 option threads type spin min 1 max {MAX_THREADS} default 1\n\
                 ucciok"
            ),
        };
        self.voice.say(&text)
    }

    /// `name Hash value 64`, or in UCCI `hashsize 64`.
    fn set_option(&mut self, words: SplitWhitespace<'_>) -> io::Result<()> {
        let mut words = words.filter(|word| !matches!(*word, "name" | "value"));
        let name = words.next().unwrap_or_default().to_ascii_lowercase();
        let value = words.next().unwrap_or_default();
        let number = value.parse::<usize>();
        let Options {
            threads, megabytes, ..
        } = self.options;
        let wanted = match (name.as_str(), number) {
            ("hash" | "hashsize", Ok(number @ 1..=MOST_MEGABYTES)) => (threads, number),
            ("threads", Ok(number @ 1..=MAX_THREADS)) => (number, megabytes),
            ("ranks", Ok(from @ (0 | 1))) => {
                self.options.knows_ranks = true;
                self.player.count_ranks(match from {
                    0 => Ranks::FromZero,
                    _ => Ranks::FromOne,
                });
                return Ok(());
            }
            ("usemillisec", _) if matches!(value, "true" | "false") => {
                self.options.in_milliseconds = value == "true";
                return Ok(());
            }
            // Who plays several variants counts as Fairy-Stockfish does.
            ("uci_variant", _) if value == "xiangqi" => {
                if !self.options.knows_ranks {
                    self.player.count_ranks(Ranks::FromOne);
                }
                return Ok(());
            }
            // Habits of both that mean nothing here.
            (
                "batch" | "debug" | "newgame" | "ponder" | "clear" | "style" | "idle" | "promotion"
                | "drawmoves" | "repetition" | "pruning" | "knowledge" | "randomness" | "usebook"
                | "useegtb" | "bookfiles" | "egtbpaths",
                _,
            ) => return Ok(()),
            ("hash" | "hashsize" | "threads" | "ranks" | "uci_variant" | "usemillisec", _) => {
                return self.complain(&format!("the option {name} cannot be {:?}", short(value)));
            }
            _ => return self.complain(&format!("unknown option {:?}", short(&name))),
        };
        match self.player.resize(wanted.0, wanted.1) {
            Ok(()) => {
                (self.options.threads, self.options.megabytes) = wanted;
                Ok(())
            }
            Err(why) => self.complain(&format!("{why}; it is what it was")),
        }
    }

    fn go(&mut self, words: &[&str], stop: &Stop) -> io::Result<()> {
        let player = &mut self.player;
        let in_seconds = self.is_ucci && !self.options.in_milliseconds;
        let asked = Asked::read(words, player.is_first_to_move(), in_seconds);
        let mut banned = player.moves(self.banned.iter().map(String::as_str));
        let only = player.moves(asked.only.iter().copied());
        if only.len() < asked.only.len() {
            let none = "searchmoves names words that are no move of the position; passed over";
            self.complain(none)?;
        }
        if !asked.odd.is_empty() {
            let odd: Vec<String> = asked.odd.iter().map(|word| short(word)).collect();
            let odd = odd.join(" ");
            self.complain(&format!("go passes over {odd:?}: not known, or no number"))?;
        }
        let player = &mut self.player;
        if !only.is_empty() {
            let others = player.legal().into_iter().filter(|it| !only.contains(it));
            banned.extend(others);
        }
        let began = Instant::now();
        let stop = Stop {
            at: asked.time.and_then(|time| began.checked_add(time)),
            ..stop.clone()
        };
        let (voice, is_ucci) = (&self.voice, self.is_ucci);
        let mut told = None;
        let found = player.think(asked.limits, &banned, &stop, &mut |found| {
            told = found.line.first().cloned();
            // Nobody listens: there is nothing to think for.
            if voice.say(&info(found, began.elapsed(), is_ucci)).is_err() {
                stop.ask();
            }
        });
        // The answer to `go infinite` is not given before it is asked for.
        while !asked.is_bounded && !stop.is_asked() {
            thread::sleep(Duration::from_millis(2));
        }
        let info_of = |found| info(found, began.elapsed(), is_ucci);
        voice.say(&match found.line.first() {
            // A depth that was not searched through has found another one.
            Some(best) if told.as_ref() != Some(best) => {
                format!("{}\nbestmove {best}", info_of(&found))
            }
            Some(best) => format!("bestmove {best}"),
            None if is_ucci => "nobestmove".to_owned(),
            None => format!("{}\nbestmove (none)", info_of(&found)),
        })
    }
}

/// Whether a search ends by itself, whoever is to move.
fn is_bounded(words: &[&str]) -> bool {
    let of = |is_first| Asked::read(words, is_first, false).is_bounded;
    of(true) && of(false)
}

/// What `go` asks for.
struct Asked<'w> {
    limits: Limits,
    time: Option<Duration>,
    /// Whether it ends by itself.
    is_bounded: bool,
    /// The only moves to look at; none for all.
    only: Vec<&'w str>,
    /// Words that mean nothing here.
    odd: Vec<&'w str>,
}

impl<'w> Asked<'w> {
    /// Reads the words behind `go`. Words that are not known, and numbers that are
    /// none, are passed over; without any limit it goes on until it is stopped.
    fn read(words: &[&'w str], is_first: bool, in_seconds: bool) -> Self {
        const NUMBERED: [&str; 14] = [
            "depth",
            "nodes",
            "movetime",
            "mate",
            "wtime",
            "btime",
            "winc",
            "binc",
            "movestogo",
            "time",
            "increment",
            "opptime",
            "oppincrement",
            "oppmovestogo",
        ];
        const PLAIN: [&str; 3] = ["infinite", "ponder", "draw"];
        let number = |name: &str| -> Option<u64> {
            let at = words.iter().position(|word| *word == name)?;
            // Clocks may be below zero.
            let number: i64 = words.get(at + 1)?.parse().ok()?;
            Some(number.max(0) as u64)
        };
        let only = words.iter().position(|word| *word == "searchmoves");
        let only = only.map_or(&[][..], |at| &words[at + 1..]);
        let is_known = |word: &str| NUMBERED.contains(&word) || PLAIN.contains(&word);
        let only: Vec<&str> = only
            .iter()
            .take_while(|word| !is_known(word))
            .copied()
            .collect();
        let mut odd = Vec::new();
        let mut left = words.iter();
        while let Some(word) = left.next() {
            match *word {
                "searchmoves" => only.iter().for_each(|_| _ = left.next()),
                word if NUMBERED.contains(&word) => {
                    let next = left.clone().next();
                    match next.is_some_and(|next| next.parse::<i64>().is_ok()) {
                        true => _ = left.next(),
                        false => odd.push(word),
                    }
                }
                word if PLAIN.contains(&word) => {}
                word => odd.push(word),
            }
        }
        let depth = number("depth").or_else(|| number("mate").map(|moves| 2 * moves));
        let nodes = number("nodes");
        let [left, more] = match is_first {
            true => ["wtime", "winc"],
            false => ["btime", "binc"],
        };
        let unit = if in_seconds { 1000 } else { 1 };
        let clock = |name: &str, of_ucci: &str| {
            number(name).or_else(|| number(of_ucci).map(|time| time.saturating_mul(unit)))
        };
        let left = clock(left, "time").map(Duration::from_millis);
        let more = Duration::from_millis(clock(more, "increment").unwrap_or(0));
        let time = match (number("movetime"), left) {
            (Some(time), _) => Some(Duration::from_millis(time)),
            (None, Some(left)) => {
                let moves = number("movestogo")
                    .map_or(MOVES_LEFT, |moves| moves.clamp(1, MOVES_LEFT.into()) as u32);
                let share = left / moves + more * 3 / 4;
                Some(share.min(left.saturating_sub(KEPT)))
            }
            (None, None) => None,
        };
        let is_endless = words
            .iter()
            .any(|word| matches!(*word, "infinite" | "ponder"));
        let mut limits = Limits::nodes(nodes.unwrap_or(u64::MAX));
        if let Some(depth) = depth {
            limits.depth = depth.clamp(1, MAX_PLIES as u64) as u32;
        }
        Self {
            limits,
            is_bounded: !is_endless && (depth.is_some() || nodes.is_some() || time.is_some()),
            time: time.filter(|_| !is_endless),
            only,
            odd,
        }
    }
}

/// A line that says what was found so far.
fn info(found: &Found<String>, time: Duration, is_ucci: bool) -> String {
    let mut line = format!("info depth {}", found.depth);
    let score = found.score;
    match score.mate() {
        Some(plies) if !is_ucci => {
            let moves = i64::from(plies.div_ceil(2));
            let sign = if score.value() > 0 { 1 } else { -1 };
            line += &format!(" score mate {}", sign * moves);
        }
        _ if is_ucci => line += &format!(" score {}", score.value()),
        _ => line += &format!(" score cp {}", score.value()),
    }
    if !is_ucci {
        let milliseconds = time.as_millis();
        let rate = u128::from(found.nodes) * 1000 / milliseconds.max(1);
        line += &format!(" nodes {} nps {rate} time {milliseconds}", found.nodes);
    }
    if !found.line.is_empty() {
        line += " pv ";
        line += &found.line.join(" ");
    }
    line
}

/// The beginning of a word that somebody wrote.
fn short(word: &str) -> String {
    word.chars().take(40).collect()
}
