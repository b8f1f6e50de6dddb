//! A GTP engine as the judge of dead stones.
//!
//! A position is set up stone by stone in a process that stays for the next
//! one; `final_status_list dead` is what the engine thinks of it. A process
//! that fails is killed, and the next position gets a new one.

mod command;
mod process;
mod reply;
mod running;

use std::{
    fmt::Write as _,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use super::{
    board::{Board, Point},
    marks::whole_chains,
    point,
};
use crate::{
    game::Settings,
    outcome::{Points, Side},
};
use command::Command;
use process::{Process, Remains};
use reply::Reply;
pub use running::end_engines;

/// Seconds an engine has to set a position up, and again to judge it, unless
/// the user says otherwise.
const SECONDS: u32 = 30;

/// More seconds are as good as no limit.
const MAX_SECONDS: u32 = 86_400;

/// GTP has letters for so many columns.
const MAX_SIZE: u8 = 25;

/// After failures on so many positions in a row an engine is not asked again.
const MAX_FAILURES: usize = 3;

/// Threads that processes which were killed may leave behind, up to three each:
/// where something that they have started keeps their pipes open.
const MAX_LEFT: usize = 48;

/// Why an engine said nothing of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Something is wrong with the engine: one word.
    Failed(&'static str),
    /// The position is not one for this engine: one word.
    Refused(&'static str),
    /// The run was asked to stop before the engine had judged.
    Interrupted,
}

/// An answer in time cannot be had.
const TIMEOUT: Trouble = Trouble::Failed("timeout");
/// The process cannot be started, or ended.
const CRASH: Trouble = Trouble::Failed("crash");
/// An answer that is none.
const ANSWER: Trouble = Trouble::Failed("answer");
/// Failed too often to be asked again.
const STOPPED: Trouble = Trouble::Failed("stopped");
/// A board that the engine does not have.
const SIZE: Trouble = Trouble::Refused("size");
/// Stones that cannot be put down one by one.
const POSITION: Trouble = Trouble::Refused("position");

/// An engine, with its process where one runs.
#[derive(Debug)]
pub(super) struct Engine {
    command: Command,
    limit: Duration,
    stop: Arc<AtomicBool>,
    process: Option<Process>,
    /// The id of the next command: never the same twice in one process.
    next_id: u32,
    /// Hashes of the positions it failed on since it last judged one, and how.
    failed: Vec<(u64, Trouble)>,
    /// What is left of processes that were killed.
    killed: Vec<Remains>,
    /// Whether it is asked no more.
    stopped: bool,
}

impl Engine {
    /// The engine that settings name; its process starts at the first position.
    ///
    /// # Errors
    /// One sentence where no engine is named, or one that cannot be run.
    pub(super) fn new(settings: &Settings) -> Result<Self, String> {
        let Some(line) = &settings.gtp else {
            return Err("--dead gtp needs the command of an engine: add one, \
                 such as --gtp 'gnugo --mode gtp'"
                .to_owned());
        };
        let seconds = settings.gtp_seconds.unwrap_or(SECONDS);
        if !(1..=MAX_SECONDS).contains(&seconds) {
            return Err(format!(
                "--gtp-seconds cannot be {seconds}: write a number from 1 to {MAX_SECONDS}"
            ));
        }
        Ok(Self {
            command: Command::parse(line)?,
            limit: Duration::from_secs(seconds.into()),
            stop: Arc::clone(&settings.stop),
            process: None,
            next_id: 0,
            failed: Vec::new(),
            killed: Vec::new(),
            stopped: false,
        })
    }

    /// Starts a process of its own, and ends it at once.
    ///
    /// # Errors
    /// One sentence where the system cannot start the program.
    pub(super) fn try_start(&self) -> Result<(), String> {
        match Process::start(&self.command) {
            Ok(process) => {
                process.kill();
                Ok(())
            }
            Err(error) => Err(format!(
                "cannot start the program of --gtp {:?}: {error}",
                self.command.line
            )),
        }
    }

    /// The dead stones of a position whose chains are up to date, ascending.
    ///
    /// # Errors
    /// Where the engine fails, or the position is not one for it.
    pub(super) fn judge(&mut self, board: &Board, komi: Points) -> Result<Vec<Point>, Trouble> {
        let (columns, rows) = board.size();
        if columns != rows || columns > MAX_SIZE {
            return Err(SIZE);
        }
        let is_captured = |at: Point| board.cell(at).side().is_some() && board.is_captured(at);
        if board.points().any(is_captured) {
            return Err(POSITION);
        }
        if self.stopped {
            return Err(STOPPED);
        }
        // A copy of a position that it failed on is not worth another wait.
        let known = self.failed.iter().find(|(hash, _)| *hash == board.hash());
        if let Some((_, trouble)) = known {
            return Err(*trouble);
        }
        let result = self.ask(board, komi);
        match result {
            Ok(_) => self.failed.clear(),
            Err(Trouble::Failed(why)) => {
                self.failed.push((board.hash(), Trouble::Failed(why)));
                self.note_failure(why);
            }
            Err(Trouble::Refused(_)) => {}
            Err(Trouble::Interrupted) => drop(self.process.take().map(Process::kill)),
        }
        result
    }

    /// Ends the process that failed, and stops asking where that is no use.
    fn note_failure(&mut self, why: &str) {
        self.killed.retain(|remains| remains.threads() > 0);
        self.killed.extend(self.process.take().map(Process::kill));
        let times = match self.failed.len() {
            MAX_FAILURES.. => format!("failed on {MAX_FAILURES} positions in a row ({why})"),
            _ if self.killed.iter().map(Remains::threads).sum::<usize>() > MAX_LEFT => {
                "leaves processes behind that keep its output open".to_owned()
            }
            _ => return,
        };
        self.stopped = true;
        let complaint = self.killed.last().map(Remains::complaint);
        let said = complaint
            .filter(|complaint| !complaint.is_empty())
            .map_or(String::new(), |complaint| {
                format!("; it said {complaint:?}")
            });
        tracing::warn!(
            "the engine {:?} {times} and is not asked again by this thread: does it work by \
             hand, and is --gtp-seconds enough?{said}",
            self.command.line
        );
    }

    /// Sets the position up and asks for the dead stones.
    fn ask(&mut self, board: &Board, komi: Points) -> Result<Vec<Point>, Trouble> {
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(Process::start(&self.command).map_err(|error| {
                // It could be started before the run, so that this is rare.
                tracing::warn!("cannot start the engine {:?}: {error}", self.command.line);
                CRASH
            })?),
        };
        let (columns, rows) = board.size();
        let first = self.next_id;
        let mut text = String::new();
        let mut say = |command: &str| {
            let _ = writeln!(text, "{} {command}", self.next_id);
            // Wraps after four billion commands, long after the id was used.
            self.next_id = self.next_id.wrapping_add(1);
        };
        say(&format!("boardsize {columns}"));
        say("clear_board");
        say(&format!("komi {komi}"));
        // Stones of a position that can be played to keep a liberty in every
        // order, so that none takes another.
        for at in board.points() {
            if let Some(side) = board.cell(at).side() {
                let color = match side {
                    Side::First => "black",
                    Side::Second => "white",
                };
                let vertex = point::vertex(board.place(at), rows);
                say(&format!("play {color} {vertex}"));
            }
        }
        let setup = self.next_id.wrapping_sub(first);
        let deadline = process.send(text, self.limit)?;
        let mut refused = None;
        for nth in 0..setup {
            let reply = process.reply(first.wrapping_add(nth), deadline, &self.stop)?;
            let trouble = match nth {
                0 => SIZE,
                1 => ANSWER,
                // An engine that does not know this komi can still judge.
                2 => continue,
                _ => POSITION,
            };
            if matches!(reply, Reply::Refused) && refused.is_none() {
                refused = Some(trouble);
            }
        }
        if let Some(trouble) = refused {
            return Err(trouble);
        }
        let id = self.next_id;
        self.next_id = id.wrapping_add(1);
        let deadline = process.send(format!("{id} final_status_list dead\n"), self.limit)?;
        match process.reply(id, deadline, &self.stop)? {
            Reply::Refused => Err(ANSWER),
            Reply::Said(text) => dead_of(board, &text).ok_or(ANSWER),
        }
    }
}

/// The stones of every chain that a list names a stone of; none where the list
/// holds what is no point of the board.
fn dead_of(board: &Board, list: &str) -> Option<Vec<Point>> {
    let mut is_listed = vec![false; board.length()];
    for word in list.split_ascii_whitespace() {
        let (column, row) = point::parse_vertex(word, board.size())?;
        let at = usize::from(board.point(column, row));
        if let Some(mark) = is_listed.get_mut(at) {
            *mark = true;
        }
    }
    let is_listed = |at: &Point| is_listed.get(usize::from(*at)).is_some_and(|is| *is);
    Some(whole_chains(board, is_listed, |listed, _| listed > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::go::point::vertex;

    /// `X` is Black, `O` White.
    fn board(rows: &[&str]) -> Board {
        let mut board = Board::new(rows[0].len() as u8, rows.len() as u8);
        for (row, text) in rows.iter().enumerate() {
            for (column, sign) in text.bytes().enumerate() {
                let side = match sign {
                    b'X' => Side::First,
                    b'O' => Side::Second,
                    _ => continue,
                };
                board.edit(board.point(column as u8, row as u8), Some(side));
            }
        }
        board.find_chains();
        board
    }

    #[test]
    fn a_list_is_of_whole_chains() {
        let board = board(&[".XX.O", ".....", "..X..", "OO...", "O...."]);
        let whole = Some("A2 B2 A1");
        for (list, expected) in [
            ("", Some("")),
            ("E5", Some("E5")),
            ("A2 B2 A1", whole),
            ("b2", whole),
            ("A1\nA1 a2", whole),
            ("C5 E5", Some("B5 C5 E5")),
            // Nothing stands there.
            ("E1 D3", Some("")),
            ("F1", None),
            ("A6", None),
            ("A0", None),
            ("PASS", None),
            ("A1 sorry", None),
        ] {
            let dead = dead_of(&board, list);
            let dead = dead.map(|dead| {
                let names = dead.iter().map(|at| vertex(board.place(*at), 5));
                names.collect::<Vec<_>>().join(" ")
            });
            assert_eq!(dead.as_deref(), expected, "{list:?}");
        }
    }

    /// These are told before any process is started.
    #[test]
    fn boards_that_gtp_does_not_have_are_refused() {
        let mut engine = Engine::new(&Settings {
            gtp: Some("sh".to_owned()),
            ..Settings::default()
        })
        .unwrap();
        for (position, trouble) in [
            (Board::new(9, 13), SIZE),
            (Board::new(26, 26), SIZE),
            (board(&["XO.", "O..", "..."]), POSITION),
        ] {
            let mut position = position;
            position.find_chains();
            assert_eq!(engine.judge(&position, Points::ZERO), Err(trouble));
        }
        assert!(engine.process.is_none());
    }

    /// What an engine starts may leave its group and keep its output open.
    #[cfg(unix)]
    #[test]
    fn an_engine_that_leaves_processes_behind_is_stopped() {
        if Command::parse("setsid").is_err() {
            println!("skipped: no setsid");
            return;
        }
        // Judges a position of one stone, and answers nonsense to two, once what
        // it started has left its group.
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("left").display().to_string();
        let script = format!(
            "while read -r id command rest; do case $command in \
             clear_board) stones= ;; play) stones=x$stones ;; \
             final_status_list) [ $stones = x ] || {{ rm -f {mark}; \
             setsid sh -c \"touch {mark}; exec sleep 30\" & \
             until [ -e {mark} ]; do :; done; id=\"$id sorry\"; }} ;; \
             esac; printf \"=%s\\n\\n\" \"$id\"; done"
        );
        let mut engine = Engine::new(&Settings {
            gtp: Some(format!("sh -c '{script}'")),
            gtp_seconds: Some(60),
            ..Settings::default()
        })
        .unwrap();
        let most = MAX_LEFT + 2;
        let stopped = (0..most).find(|_| {
            let one = engine.judge(&board(&["X..", "...", "..."]), Points::ZERO);
            let two = engine.judge(&board(&["X.X", "...", "..."]), Points::ZERO);
            if one == Err(STOPPED) {
                return true;
            }
            assert_eq!((one, two), (Ok(Vec::new()), Err(ANSWER)));
            false
        });
        assert!(stopped.is_some());
        assert!(engine.process.is_none());
    }
}
