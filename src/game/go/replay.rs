//! Replays the main line of a record on a board.
//!
//! The replay stops at a move that cannot be played, for the position after it
//! would be of no game at all. What can be played is only noted.

use super::{
    board::{Board, Cell, Illegal, Played, Point},
    point::{self, Token},
    rules::Rules,
    score::Play,
};
use crate::{
    game::script::Script,
    outcome::{Ending, Side},
    record::{Notation, Place, ReadError, Record, Step, StepKind, Warning, warn_once},
};

/// A replay, with memory that is used again for the next record.
#[derive(Debug)]
pub(super) struct Replay {
    /// The position reached.
    pub(super) board: Board,
    /// Boards of other sizes.
    spare: Vec<Board>,
    /// Moves written, passes included.
    pub(super) moves: u32,
    /// Moves replayed.
    pub(super) plies: u32,
    /// Passes of each side.
    pub(super) passes: [u32; 2],
    /// Who passed first.
    pub(super) first_pass: Option<Side>,
    /// How the play stopped.
    pub(super) ended: Ending,
    /// What stopped it, where something did.
    pub(super) error: Option<ReadError>,
    /// What was odd.
    pub(super) warnings: Vec<Warning>,
    /// Stones of each side in the set-up.
    pub(super) setup: [u32; 2],
    /// Stones that Black plays before the first of White, passes aside.
    pub(super) opening_run: u32,
    /// Who made the first move.
    pub(super) first_mover: Option<Side>,
    /// Whether stones were captured before the first step.
    pub(super) had_prisoners: bool,
    /// The last point played.
    pub(super) last: Option<Point>,
    /// Who is to move after the last move, if there is one.
    pub(super) to_move: Option<Side>,
    /// What was set up and played, for hashes.
    pub(super) script: Script,
    /// Points edited so far.
    edits: usize,
    history: History,
}

/// Positions met so far.
///
/// A move adds one stone, so a position can recur only once stones were taken
/// off, and as long as there are no more of them than there ever were.
#[derive(Debug, Default)]
struct History {
    hashes: Vec<u64>,
    /// Stones taken off since the first position.
    taken: usize,
    /// How many stones fewer than in the fullest position there are.
    missing: usize,
}

impl History {
    fn clear(&mut self) {
        self.hashes.clear();
        self.missing = 0;
        self.taken = 0;
    }

    /// Some stones are taken off.
    fn take(&mut self, stones: usize) {
        self.taken += stones;
        self.missing += stones;
    }

    /// Adds the position after a move that took so many stones off; whether it
    /// was met before.
    #[inline(always)]
    fn add(&mut self, hash: u64, taken: usize) -> bool {
        if self.hashes.len() == MAX_HISTORY {
            return false;
        }
        let met = self.missing + taken > 0 && self.recurs(hash, taken);
        self.hashes.push(hash);
        met
    }

    /// Whether such a position is among the earlier ones.
    #[inline(never)]
    fn recurs(&mut self, hash: u64, taken: usize) -> bool {
        self.take(taken);
        self.missing -= 1;
        // Earlier ones had fewer stones, for each move adds only one.
        let earliest = self.hashes.len().saturating_sub(self.taken);
        self.hashes[earliest..].contains(&hash)
    }
}

/// Only so many positions are kept, as the search among them grows with the
/// square of their number.
const MAX_HISTORY: usize = 4096;

/// Boards of so many other sizes are kept.
const MAX_SPARE: usize = 4;

/// More points are not set up in one record: rectangles make it easy to ask
/// for thousands of millions.
const MAX_EDITS: usize = 1 << 20;

impl Replay {
    pub(super) fn new() -> Self {
        Self {
            board: Board::new(19, 19),
            spare: Vec::new(),
            moves: 0,
            plies: 0,
            passes: [0; 2],
            first_pass: None,
            ended: Ending::Open,
            error: None,
            warnings: Vec::new(),
            setup: [0; 2],
            opening_run: 0,
            first_mover: None,
            had_prisoners: false,
            last: None,
            to_move: None,
            script: Script::new(),
            edits: 0,
            history: History::default(),
        }
    }

    /// Takes up a board of another size. Archives mix a few sizes, so the boards
    /// in use are kept.
    fn change_board(&mut self, size: (u8, u8)) {
        let known = self.spare.iter().position(|board| board.size() == size);
        let board = match known {
            Some(place) => self.spare.swap_remove(place),
            None => Board::new(size.0, size.1),
        };
        if self.spare.len() == MAX_SPARE {
            self.spare.clear();
        }
        self.spare.push(std::mem::replace(&mut self.board, board));
    }

    fn reset(&mut self, size: (u8, u8)) {
        if self.board.size() != size {
            self.change_board(size);
        }
        self.board.clear();
        self.moves = 0;
        self.plies = 0;
        self.passes = [0; 2];
        self.first_pass = None;
        self.ended = Ending::Open;
        self.error = None;
        self.warnings = Vec::new();
        self.setup = [0; 2];
        self.opening_run = 0;
        self.first_mover = None;
        self.had_prisoners = false;
        self.last = None;
        self.to_move = None;
        self.script.begin(size, 0);
        self.edits = 0;
        self.history.clear();
    }

    /// Replays a record. `suicide` allows that of several stones;
    /// `handicap` stones are put on the star points where the record has a
    /// handicap but leaves its stones out.
    pub(super) fn run(&mut self, record: &Record<'_>, suicide: bool, handicap: u32) {
        let size = record.size.unwrap_or((19, 19));
        self.reset(size);
        if let Some(taken) = record.prisoners {
            self.board.set_prisoners(taken);
            self.had_prisoners = taken != [0; 2];
        }
        let mut state = State::default();
        if handicap_left_out(record, handicap) {
            self.place_handicap(handicap);
            state.edited = true;
        }
        self.script.reserve(record.steps.len());
        let mut steps = record.steps.as_slice();
        while let Some((step, after)) = steps.split_first() {
            steps = after;
            match step.kind {
                StepKind::Play(side) => {
                    self.moves += 1;
                    let token = point::parse(step.token, record.notation, size);
                    if self.first_mover.is_none() {
                        self.begin(side, &state);
                    }
                    self.script.play(side, token);
                    if self.ended != Ending::Illegal {
                        self.play(side, token, step.token, suicide, &mut state);
                    }
                    let played = self.play_on(steps, record.notation, suicide, &mut state);
                    steps = &steps[played..];
                }
                _ if self.ended == Ending::Illegal => {}
                StepKind::Turn(side) => state.turn = Some(side),
                StepKind::Place(side) => {
                    self.edit(Some(side), step.token, record, step.at);
                    state.edited = true;
                }
                StepKind::Clear => {
                    self.edit(None, step.token, record, step.at);
                    state.edited = true;
                }
            }
        }
        if self.first_mover.is_none() && state.edited {
            self.finish_setup();
        }
        if self.ended != Ending::Illegal && state.passes_in_a_row >= 2 {
            self.ended = Ending::Passes;
        }
        self.to_move = state.turn.filter(|_| self.plies > 0);
    }

    /// What a count depends on besides the position.
    ///
    /// Records often lack the pass that White makes last where passes cost a
    /// stone.
    pub(super) fn play_for(&self, rules: &Rules) -> Play {
        let mut passes = self.passes;
        let ended = self.ended == Ending::Passes;
        if rules.pass_stones && ended && self.to_move == Some(Side::Second) {
            passes[Side::Second.index()] += 1;
        }
        Play {
            passes,
            to_move: self.to_move.filter(|_| !ended),
        }
    }

    /// The first move is about to be made.
    fn begin(&mut self, side: Side, state: &State) {
        self.first_mover = Some(side);
        if state.edited {
            self.finish_setup();
        }
        self.history.clear();
        self.history.add(self.board.hash(), 0);
    }

    /// Counts the stones of the set-up and adds them to the script.
    fn finish_setup(&mut self) {
        let Self {
            board,
            setup,
            script,
            ..
        } = self;
        let (_, rows) = board.size();
        let mut hemmed_in = false;
        for row in 0..rows {
            for (column, cell) in (0..).zip(board.row(row)) {
                if let Some(side) = cell.side() {
                    setup[side.index()] += 1;
                    script.set_up(side, column, row);
                    hemmed_in |= board.is_hemmed_in(board.point(column, row));
                }
            }
        }
        if hemmed_in {
            self.note_captured();
        }
    }

    /// Notes the first chain of the set-up that has no liberty: no game leads
    /// to such a position.
    fn note_captured(&mut self) {
        let board = &mut self.board;
        board.find_chains();
        let is_captured = |at: &Point| board.cell(*at).side().is_some() && board.is_captured(*at);
        if let Some(at) = board.points().find(is_captured) {
            let (_, rows) = board.size();
            let at = point::vertex(board.place(at), rows);
            self.warn(Warning::with("no_liberty", at, Place::Record));
        }
    }

    /// Notes something, once for each word.
    fn warn(&mut self, warning: Warning) {
        warn_once(&mut self.warnings, warning);
    }

    /// Plays a move and notes what is odd about it.
    #[inline(never)]
    fn play(&mut self, side: Side, token: Token, written: &[u8], suicide: bool, state: &mut State) {
        let Token::At(column, row) = token else {
            return self.play_no_point(side, token, written, state);
        };
        self.note_opening(side, state);
        if state.turn != Some(side) || state.passes_in_a_row > 0 || state.edited {
            self.note_order(side, "moves_after_passes", state);
        }
        state.turn = Some(side.other());
        match self.put(side, (column, row), suicide, self.moves) {
            Ok(()) => {
                state.passes_in_a_row = 0;
                self.plies += 1;
            }
            Err(illegal) => self.stop_illegal(illegal, self.moves, written),
        }
    }

    /// Plays on while moves are points of the board, made in turn after White's
    /// first, and legal: nearly all of a record, so little is looked at. Returns
    /// how many moves these were.
    fn play_on(
        &mut self,
        steps: &[Step<'_>],
        notation: Notation,
        suicide: bool,
        state: &mut State,
    ) -> usize {
        let ready = state.second_moved && state.passes_in_a_row == 0 && !state.edited;
        let Some(mut side) = state.turn.filter(|_| ready && self.ended == Ending::Open) else {
            return 0;
        };
        let size = self.board.size();
        let mut played = 0;
        for step in steps {
            let Token::At(column, row) = point::parse(step.token, notation, size) else {
                break;
            };
            let token = Token::At(column, row);
            let number = self.moves + played + 1;
            if step.kind != StepKind::Play(side)
                || self.put(side, (column, row), suicide, number).is_err()
            {
                break;
            }
            self.script.play(side, token);
            side = side.other();
            played += 1;
        }
        self.moves += played;
        self.plies += played;
        state.turn = Some(side);
        played as usize
    }

    /// Puts a stone on the board as a move, if that is legal.
    #[inline(always)]
    fn put(
        &mut self,
        side: Side,
        (column, row): (u8, u8),
        suicide: bool,
        number: u32,
    ) -> Result<(), Illegal> {
        let at = self.board.point(column, row);
        let played = self.board.play(side, at, suicide)?;
        self.last = Some(at);
        let taken = usize::from(played.captured + played.suicided);
        let met = self.history.add(self.board.hash(), taken);
        if met || played.suicided > 0 {
            self.note_rare(met, played, number);
        }
        Ok(())
    }

    /// Notes a suicide or a position met before.
    #[cold]
    fn note_rare(&mut self, met: bool, played: Played, number: u32) {
        if played.suicided > 0 {
            self.warn(Warning::new("suicide", Place::Move(number)));
        }
        if met {
            self.warn(Warning::new("repetition", Place::Move(number)));
        }
    }

    /// Counts the moves of Black before the first of White, passes aside: White
    /// often passes while handicap stones are placed.
    fn note_opening(&mut self, side: Side, state: &mut State) {
        match side {
            Side::First => self.opening_run += u32::from(!state.second_moved),
            Side::Second => state.second_moved = true,
        }
    }

    /// Plays a move that is no point of the board.
    #[cold]
    fn play_no_point(&mut self, side: Side, token: Token, written: &[u8], state: &mut State) {
        let place = Place::Move(self.moves);
        if token == Token::Invalid {
            // It is taken for a move on some point.
            self.note_opening(side, state);
            self.note_order(side, "moves_after_passes", state);
            self.warn(Warning::new("invalid_point", place));
            self.stop("off_board", self.moves, written);
            return;
        }
        self.note_order(side, "third_pass", state);
        state.turn = Some(side.other());
        if token == Token::PassOutside {
            self.warn(Warning::new("pass_outside_board", place));
        }
        self.board.pass();
        self.passes[side.index()] += 1;
        self.first_pass.get_or_insert(side);
        state.passes_in_a_row += 1;
        self.plies += 1;
    }

    /// Notes what is odd about when a move is made, once each: after an edit,
    /// out of turn, or (`late`) after the end.
    #[cold]
    fn note_order(&mut self, side: Side, late: &'static str, state: &mut State) {
        let place = Place::Move(self.moves);
        if state.edited && self.plies > 0 {
            self.warn(Warning::new("setup_after_moves", place));
        }
        state.edited = false;
        // Handicap stones are often written as moves, so Black may go on until
        // White's first move.
        let wrong = state.turn.is_some_and(|turn| turn != side);
        if wrong && state.second_moved && !state.noted_turn {
            state.noted_turn = true;
            self.warn(Warning::new("wrong_turn", place));
        }
        if state.passes_in_a_row == 2 && !state.noted_end {
            state.noted_end = true;
            self.warn(Warning::new(late, place));
        }
    }

    fn stop_illegal(&mut self, illegal: Illegal, number: u32, token: &[u8]) {
        let place = Place::Move(number);
        self.warn(Warning::with("illegal_move", illegal.word(), place));
        self.stop(illegal.word(), number, token);
    }

    fn stop(&mut self, kind: &'static str, number: u32, token: &[u8]) {
        self.ended = Ending::Illegal;
        let token = String::from_utf8_lossy(&token[..token.len().min(8)]);
        let what = match kind {
            "occupied" => "there is a stone on the point",
            "ko" => "it takes back a ko at once",
            "suicide" => "it would leave its own stones without liberties",
            _ => "it is no point of the board",
        };
        self.error = Some(ReadError::new(
            kind,
            format!(
                "move {number} ({token:?}) cannot be played: {what}; the record is replayed up to it"
            ),
        ));
    }

    fn edit(&mut self, stone: Option<Side>, token: &[u8], record: &Record<'_>, at: u32) {
        let size = self.board.size();
        let place = Place::Byte(at);
        let Some(area) = point::parse_area(token, record.notation, size) else {
            self.warn(Warning::new("invalid_setup", place));
            return;
        };
        if !area.in_order {
            self.warn(Warning::new("odd_point_list", place));
        }
        for (column, row) in area.points() {
            self.edits += 1;
            if self.edits > MAX_EDITS {
                self.ended = Ending::Illegal;
                self.error = Some(ReadError::new(
                    "setup_too_long",
                    format!("more than {MAX_EDITS} points are set up; the rest is not read"),
                ));
                return;
            }
            let at = self.board.point(column, row);
            let same = self.board.cell(at).side() == stone;
            if same && stone.is_some() {
                self.warn(Warning::new("duplicate_point", place));
            }
            if !same {
                self.board.edit(at, stone);
                self.history.take(1);
            }
            if self.first_mover.is_some() {
                self.script.edit(stone, column, row);
            }
        }
    }

    /// Puts handicap stones on the star points of a square board.
    fn place_handicap(&mut self, handicap: u32) {
        let (columns, rows) = self.board.size();
        let near = if columns < 13 { 2 } else { 3 };
        let (left, right, middle) = (near, columns - 1 - near, columns / 2);
        let (top, bottom, centre) = (near, rows - 1 - near, rows / 2);
        let corners = [(right, top), (left, bottom), (left, top), (right, bottom)];
        let sides = [
            (left, centre),
            (right, centre),
            (middle, top),
            (middle, bottom),
        ];
        let in_corners = handicap.min(4) as usize;
        let in_sides = match handicap {
            6 | 7 => 2,
            8 | 9 => 4,
            _ => 0,
        };
        let centre = matches!(handicap, 5 | 7 | 9).then_some((middle, centre));
        let points = corners.iter().take(in_corners);
        let points = points.chain(sides.iter().take(in_sides)).chain(&centre);
        for (column, row) in points {
            let at = self.board.point(*column, *row);
            self.board.edit(at, Some(Side::First));
        }
        self.warn(Warning::with(
            "handicap_placed",
            handicap.to_string(),
            Place::Record,
        ));
    }

    /// The cells of the board, row by row: 1 first player, -1 second, 0 empty.
    pub(super) fn cells(&self) -> Vec<i8> {
        let stone = |point| match self.board.cell(point) {
            Cell::First => 1,
            Cell::Second => -1,
            Cell::Empty | Cell::Border => 0,
        };
        self.board.points().map(stone).collect()
    }
}

/// What a replay remembers from move to move.
#[derive(Debug, Default)]
struct State {
    /// Whose turn it is, where that is known.
    turn: Option<Side>,
    passes_in_a_row: u32,
    second_moved: bool,
    edited: bool,
    noted_turn: bool,
    noted_end: bool,
}

/// Whether a record has a handicap whose stones it leaves out: no set-up, and
/// White plays first. (White that only passes waits for stones as moves.)
fn handicap_left_out(record: &Record<'_>, handicap: u32) -> bool {
    let (columns, rows) = record.size.unwrap_or((19, 19));
    let sized = columns == rows && columns >= 9 && columns % 2 == 1;
    if !sized || !(2..=9).contains(&handicap) {
        return false;
    }
    let mut steps = record.steps.iter();
    let first = steps.find(|step| !matches!(step.kind, StepKind::Turn(_)));
    first.is_some_and(|step| {
        let token = point::parse(step.token, record.notation, (columns, rows));
        step.kind == StepKind::Play(Side::Second) && matches!(token, Token::At(..))
    })
}
