//! Replays the main line of a record until the rules end it.
//!
//! A record may go on after the move that ended its game; what follows is
//! counted and not played.

use super::{
    board::{Board, Direction, Point, Run},
    foul::{self, Shape},
    point,
    rules::{Fouls, Rules},
    scan,
};
use crate::{
    game::{
        point::{Token, letters, numbers},
        script::{Script, Step},
    },
    outcome::{Ending, Side},
    record::{Notation, Place, ReadError, Record, StepKind, Warning, warn_once},
};

/// Points set up in one record, at most.
const MAX_EDITS: u32 = 1 << 16;

/// Tells these games from others with the same moves.
const SCRIPT: u8 = 1;

/// A line that wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) side: Side,
    /// A stone of it.
    pub(super) point: Point,
    pub(super) direction: Direction,
    pub(super) run: Run,
}

impl Line {
    /// Its points.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        let (before, length) = (self.run.before as i32, self.run.length as i32);
        (-before..length - before).filter_map(|steps| self.direction.step(self.point, steps))
    }
}

/// A forbidden move that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Foul {
    pub(super) shape: Shape,
    pub(super) point: Point,
    /// Its number among the moves, from 1; none where no move is known.
    pub(super) number: Option<u32>,
}

/// A replay, with memory that is used again for the next record.
#[derive(Debug)]
pub(super) struct Replay {
    /// The position reached.
    pub(super) board: Board,
    /// A board of another size: archives mix two or three.
    spare: Board,
    /// Moves written, passes included.
    pub(super) moves: u32,
    /// Moves replayed: fewer where the game ended before, or had to stop.
    pub(super) plies: u32,
    /// How the play stopped.
    pub(super) ended: Ending,
    /// The line that won.
    pub(super) line: Option<Line>,
    /// The foul that lost, or that one could claim.
    pub(super) foul: Option<Foul>,
    /// What stopped it, where something did.
    pub(super) error: Option<ReadError>,
    /// What was odd.
    pub(super) warnings: Vec<Warning>,
    /// The stone played last.
    pub(super) last: Option<(Side, Point)>,
    /// Who is to move, where that is known.
    pub(super) to_move: Option<Side>,
    /// What was set up and played, for hashes.
    pub(super) script: Script,
    passes: u32,
    edits: u32,
    /// Both sides have lines in the set-up, so nothing more is played.
    undecided: bool,
    /// Moves written after the one that ended the game.
    after: u32,
}

impl Replay {
    pub(super) fn new() -> Self {
        Self {
            board: Board::new(15, 15),
            spare: Board::new(20, 20),
            moves: 0,
            plies: 0,
            ended: Ending::Open,
            line: None,
            foul: None,
            error: None,
            warnings: Vec::new(),
            last: None,
            to_move: None,
            script: Script::new(),
            passes: 0,
            edits: 0,
            undecided: false,
            after: 0,
        }
    }

    fn reset(&mut self, size: (u8, u8)) {
        if self.board.size() != size {
            std::mem::swap(&mut self.board, &mut self.spare);
        }
        if self.board.size() != size {
            self.board = Board::new(size.0, size.1);
        }
        self.board.clear();
        self.moves = 0;
        self.plies = 0;
        self.ended = Ending::Open;
        self.line = None;
        self.foul = None;
        self.error = None;
        self.warnings = Vec::new();
        self.last = None;
        self.to_move = None;
        self.script.begin(size, SCRIPT);
        self.passes = 0;
        self.edits = 0;
        self.undecided = false;
        self.after = 0;
    }

    /// Replays a record on a board of some columns and rows.
    pub(super) fn run(&mut self, record: &Record<'_>, size: (u8, u8), rules: &Rules) {
        self.reset(size);
        self.script.reserve(record.steps.len());
        let mut edited = false;
        for step in &record.steps {
            match step.kind {
                StepKind::Play(side) => {
                    if edited && self.moves == 0 {
                        self.finish_setup();
                        self.look_at_setup(rules);
                    }
                    let token = point::parse(step.token, record.notation, size);
                    self.play(side, token, step.token, record.notation, rules);
                }
                _ if self.ended != Ending::Open => {}
                StepKind::Turn(side) => self.to_move = Some(side),
                StepKind::Place(_) | StepKind::Clear => {
                    edited = true;
                    self.edit(step.kind, step.token, record.notation, step.at);
                }
            }
        }
        if edited && self.moves == 0 {
            self.finish_setup();
        }
        if !edited && self.moves == 0 {
            self.to_move = self.to_move.or(Some(Side::First));
        }
        self.finish(rules, edited);
    }

    /// Replays what another replay has read under other rules.
    pub(super) fn run_again(&mut self, other: &Self, rules: &Rules) {
        self.reset(other.board.size());
        let mut edited = false;
        for step in other.script.steps() {
            match step {
                Step::Stone(stone, column, row) => {
                    edited = true;
                    self.set(Point { row, column }, stone);
                }
                Step::Play(side, token) => {
                    if edited && self.moves == 0 {
                        self.look_at_setup(rules);
                    }
                    self.play(side, token, b"", Notation::Sgf, rules);
                }
            }
        }
        self.finish(rules, edited);
    }

    fn warn(&mut self, warning: Warning) {
        warn_once(&mut self.warnings, warning);
    }

    /// What was set up goes into the script in the order of the board.
    fn finish_setup(&mut self) {
        for at in self.board.points() {
            if let Some(side) = self.board.stone(at) {
                self.script.set_up(side, at.column, at.row);
            }
        }
    }

    /// A set-up with a line that wins is the end, whatever moves follow.
    fn look_at_setup(&mut self, rules: &Rules) {
        if scan::lines(&self.board, rules).next().is_some() {
            self.warn(Warning::new("line_in_setup", Place::Record));
            self.undecided = !scan::scan(self, rules);
        }
    }

    fn play(
        &mut self,
        side: Side,
        token: Token,
        written: &[u8],
        notation: Notation,
        rules: &Rules,
    ) {
        self.moves += 1;
        self.script.play(side, token);
        match self.ended {
            Ending::Open if !self.undecided => {}
            Ending::Illegal => return,
            _ => {
                self.after += 1;
                return;
            }
        }
        let number = self.moves;
        self.note_turn(side, number);
        // What was forbidden can no more be claimed once White has gone on.
        if side == Side::Second && self.foul.is_some_and(|foul| foul.shape != Shape::Overline) {
            self.foul = None;
        }
        let at = match token {
            Token::At(column, row) => Point { row, column },
            Token::Pass => {
                self.passes += 1;
                self.plies += 1;
                self.to_move = Some(side.other());
                return;
            }
            // A point beyond the edge is a pass for some programs of Go alone.
            Token::Invalid | Token::PassOutside => {
                self.warn(Warning::new("invalid_point", Place::Move(number)));
                let why = off_board(written, notation, self.board.size());
                return self.stop("off_board", written, &why);
            }
        };
        if self.board.stone(at).is_some() {
            self.warn(Warning::with(
                "illegal_move",
                "occupied",
                Place::Move(number),
            ));
            return self.stop("occupied", written, "there is a stone on the point");
        }
        self.passes = 0;
        self.plies += 1;
        if side == Side::First && rules.fouls != Fouls::Off && self.foul.is_none() {
            let shape = foul::shape(&mut self.board, at, rules.five_eye);
            if shape.is_foul() {
                self.foul = Some(Foul {
                    shape,
                    point: at,
                    number: Some(number),
                });
                if rules.fouls == Fouls::Strict {
                    self.ended = Ending::Foul;
                }
            }
        }
        self.last = Some((side, at));
        self.to_move = Some(side.other());
        let line = self.board.play(rules, side, at);
        if let Some((direction, run)) = line.filter(|_| self.ended == Ending::Open) {
            self.ended = Ending::Line;
            self.line = Some(Line {
                side,
                point: at,
                direction,
                run,
            });
        }
    }

    /// Notes who moves out of turn.
    fn note_turn(&mut self, side: Side, number: u32) {
        let place = Place::Move(number);
        match self.to_move {
            Some(turn) if turn != side => self.warn(Warning::new("wrong_turn", place)),
            None if side == Side::Second && self.board.count() == [0; 2] => {
                self.warn(Warning::new("white_first", place));
            }
            _ => {}
        }
    }

    fn stop(&mut self, kind: &'static str, token: &[u8], why: &str) {
        self.ended = Ending::Illegal;
        let number = self.moves;
        let token = String::from_utf8_lossy(&token[..token.len().min(12)]);
        let message = format!(
            "move {number} ({token:?}) cannot be played: {why}; the record is replayed up to it"
        );
        self.error = Some(ReadError::new(kind, message));
    }

    /// Puts a stone of the set-up, or takes one off.
    fn edit(&mut self, kind: StepKind, token: &[u8], notation: Notation, at: u32) {
        let place = Place::Byte(at);
        let size = self.board.size();
        let area = crate::game::point::parse_area(token, notation, size);
        let points: Vec<Point> = match (area, point::parse(token, notation, size)) {
            (Some(area), _) => area
                .points()
                .map(|(column, row)| Point { row, column })
                .collect(),
            (None, Token::At(column, row)) => vec![Point { row, column }],
            _ => return self.warn(Warning::new("invalid_setup", place)),
        };
        for point in points {
            self.edits += 1;
            if self.edits > MAX_EDITS {
                self.ended = Ending::Illegal;
                let message =
                    format!("more than {MAX_EDITS} points are set up; the rest is not read");
                self.error = Some(ReadError::new("setup_too_long", message));
                return;
            }
            let stone = match kind {
                StepKind::Place(side) => Some(side),
                _ => None,
            };
            if stone.is_some() && self.board.stone(point) == stone {
                self.warn(Warning::new("duplicate_point", place));
            }
            self.set(point, stone);
            if self.moves > 0 {
                self.script.edit(stone, point.column, point.row);
                self.warn(Warning::new("setup_after_moves", place));
            }
        }
    }

    /// Makes a point what it is to be.
    fn set(&mut self, point: Point, stone: Option<Side>) {
        if let Some(old) = self.board.stone(point) {
            self.board.take(old, point);
        }
        if let Some(side) = stone {
            self.board.put(side, point);
        }
    }

    /// How it ended, where no move ended it.
    fn finish(&mut self, rules: &Rules, edited: bool) {
        if self.after > 0 {
            let place = Place::Move(self.moves - self.after);
            self.warn(Warning::with(
                "moves_after_end",
                self.after.to_string(),
                place,
            ));
        }
        if self.ended != Ending::Open || self.undecided {
            return;
        }
        if edited && self.last.is_none() {
            if !scan::scan(self, rules) {
                return;
            }
        } else if self.foul.is_some() {
            self.ended = Ending::Foul;
        }
        if self.ended != Ending::Open {
            return;
        }
        let empty = self.board.empty();
        if empty == 0 {
            self.ended = Ending::Full;
        } else if self.passes >= 2 {
            self.ended = Ending::Passes;
        } else if empty <= u32::from(rules.draw_at) {
            self.ended = Ending::Limit;
        }
    }

    /// The cells of the board, row by row: 1 first player, -1 second, 0 empty.
    pub(super) fn cells(&self) -> Vec<i8> {
        let stone = |point| self.board.stone(point).map_or(0, |side| side.sign() as i8);
        self.board.points().map(stone).collect()
    }
}

/// Why a token is no point of the board, and what to do about it as far as the
/// token tells.
fn off_board(token: &[u8], notation: Notation, size: (u8, u8)) -> String {
    let (columns, rows) = size;
    let read = match notation {
        Notation::Numbers { first } => numbers(token).map(|point| (point, first)),
        _ => letters(token).map(|(column, row)| ((column.saturating_add(1), row), 1)),
    };
    let Some(((column, row), first)) = read else {
        let all = |name: &[u8]| !name.is_empty() && name.iter().all(u8::is_ascii_alphabetic);
        return match (notation, token) {
            (Notation::Sgf, [_, _]) if all(token) => {
                format!("it is beyond the board of {columns}x{rows}")
            }
            (Notation::Letters { .. }, [name @ .., b'0']) if all(name) => {
                "rows being counted from 1, there is no row 0: the file may be one that counts \
                 from 0"
                    .to_owned()
            }
            _ => "it is no point".to_owned(),
        };
    };
    let fits = |column, row| {
        let least = first..;
        least.contains(&column)
            && column - first < columns
            && least.contains(&row)
            && row - first < rows
    };
    let hint = match notation {
        Notation::Numbers { first: 1 } if column.min(row) == 0 => {
            ", points being counted from 1: the file may be one that counts from 0"
        }
        Notation::Numbers { first: 0 } if column == columns || row == rows => {
            ", points being counted from 0: the file may be one that counts from 1"
        }
        _ if columns != rows && fits(row, column) => {
            ": column and row would fit the other way round"
        }
        Notation::Letters { .. } if row > rows => {
            ": the board may be larger; for lists of moves --size says how large"
        }
        _ => "",
    };
    format!("it is beyond the board of {columns}x{rows}{hint}")
}
