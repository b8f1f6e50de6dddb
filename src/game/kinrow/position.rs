//! The game as the search plays it.

use super::{
    board::{Board, Direction, MARGIN, MAX_SIZE, Point},
    foul,
    pattern::{Bits, LOUD, OPEN_THREE, POINTS, Pattern},
    rules::{Blocked, Fouls, Rules},
    scan,
    vcf::{Found, Vcf, ends, hash},
};
use crate::{
    outcome::Side,
    search::{Proof, Searchable, Verdict},
};

/// A stone on a point; nothing for a pass, which is a move only for Black in
/// renju where every point is forbidden.
pub type Move = Option<Point>;

/// Moves are looked at so many points around stones, and no further, in rows,
/// columns and diagonals.
const NEAR: u8 = 2;

/// What the patterns of the side that is not to move count, in hundredths: they
/// come a move later.
const DEFENCE: i32 = 80;

/// What it is worth to be to move, in hundredths of an open three.
const TURN: i32 = 15;

/// What part of the worth of a side's best point counts: for the side to move,
/// which has it, and for the other one, from which it can be taken …
const BEST: i32 = 4;
const OTHERS_BEST: i32 = 12;
/// … where so much of it is enough.
const MOST_BEST: i32 = 800;

/// More than every sum of patterns: a line next move …
const FIVE: i32 = 12_000;
/// … a straight four next move, and then a line …
const STRAIGHT: i32 = 6_000;
/// … and two open threes against a side that has no four.
const TWO_THREES: i32 = 1_500;

/// Positions that one search for continuous fours may look at, at the root …
const ROOT_NODES: u32 = 1_000;
/// … and at the end of a line.
const LEAF_NODES: u32 = 24;

/// How lines with something in them are marked: by a bit of their numbers.
type Marks = [u64; 5];

/// Marks of a side's lines: those where it can make a five, a straight four, a
/// four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lines {
    fives: Marks,
    straights: Marks,
    fours: Marks,
}

/// Which moves there are: where a threat stands, those that neither win nor
/// answer it are left out, as they lose at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// A line can be made: nothing else is looked at.
    Five,
    /// The opponent's line has to be stopped.
    StopFive,
    /// The opponent's straight four has to be stopped, or a four made.
    StopThree,
    /// Points near stones.
    Near,
    /// All points: every one near stones is forbidden.
    All,
    /// None is allowed.
    Pass,
}

/// A move made, and what it changed.
#[derive(Clone, Debug)]
struct Step {
    it: Move,
    state: State,
    /// Patterns of the four lines, for each side.
    patterns: [[Pattern; 4]; 2],
    /// Points near stones, from the first row that the move changed on.
    near: [u64; 2 * NEAR as usize + 1],
}

/// What is known of a position besides its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    turn: Side,
    key: u64,
    ended: Option<Verdict>,
    choice: Choice,
    lines: [Lines; 2],
    /// Sums of the lines of each side.
    values: [i32; 2],
    /// Whether each side threatens a straight four that is allowed.
    threatens: [bool; 2],
    /// Open threes of Black whose straight four is forbidden.
    void_threes: i32,
}

/// A position with the moves that led there, and the patterns on all of its
/// lines.
///
/// Forbidden moves of renju are none here, whether they lose at once or have to
/// be claimed. Where Black has no other one, Black passes, as the judge of
/// records allows; White always moves. The game is drawn on a full board, and
/// where no more points are left than the rules draw a game with.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    rules: Rules,
    state: State,
    /// For each side, by the number of the line.
    patterns: [Vec<Pattern>; 2],
    /// Where lines begin: direction, first point, and its bit.
    starts: Vec<(Direction, Point)>,
    /// What a stone on a point is worth to each side: sums over lines. By row and
    /// column.
    worth: [Vec<i32>; 2],
    /// Points near stones, a word for each row.
    near: Vec<u64>,
    steps: Vec<Step>,
    vcf: Vcf,
}

/// A set of points, a word for each row.
type Rows = [u64; MAX_SIZE as usize];
const EMPTY: Rows = [0; MAX_SIZE as usize];

/// A pass as a number.
const PASS: u16 = MAX_SIZE as u16 * MAX_SIZE as u16 + 1;

/// Plies of a win by continuous fours, at most: twice those that are looked for,
/// and the end.
const MOST_FOURS: usize = 300;

/// The bit of a column: that of [`Direction::Across`].
const fn bit(column: u8) -> u64 {
    1 << (column as u32 + MARGIN)
}

impl Position {
    /// The position of a board with a side to move. A line that stands already
    /// has ended the game.
    #[must_use]
    pub fn new(board: &Board, rules: &Rules, turn: Side) -> Self {
        let (columns, rows) = board.size();
        let empty = Board::new(columns, rows);
        let mut starts = Vec::new();
        empty.lines(|direction, first, line| {
            if starts.len() <= line {
                starts.resize(line + 1, (direction, first));
            }
            starts[line] = (direction, first);
        });
        let points = usize::from(columns) * usize::from(rows);
        let state = State {
            turn,
            key: turn_key(turn),
            ended: None,
            choice: Choice::Near,
            lines: [Lines::default(); 2],
            values: [0; 2],
            threatens: [false; 2],
            void_threes: 0,
        };
        let mut position = Self {
            patterns: [(); 2].map(|()| vec![Pattern::default(); starts.len()]),
            worth: [(); 2].map(|()| vec![0; points]),
            near: vec![0; usize::from(rows)],
            board: empty,
            rules: *rules,
            state,
            starts,
            steps: Vec::new(),
            vcf: Vcf::default(),
        };
        for at in board.points() {
            if let Some(side) = board.stone(at) {
                position.put(side, at);
            }
        }
        let ended = match scan::lines(board, rules).next() {
            Some(line) if line.side == turn => Some(Verdict::WonByRule),
            Some(_) => Some(Verdict::Lost),
            None => position.drawn(),
        };
        position.look(ended);
        position
    }

    /// The board.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// A draw, as no point is left to play on.
    fn drawn(&self) -> Option<Verdict> {
        (self.board.empty() <= u32::from(self.rules.draw_at)).then_some(Verdict::Draw)
    }

    fn cell(&self, at: Point) -> usize {
        usize::from(at.row) * usize::from(self.board.size().0) + usize::from(at.column)
    }

    /// Puts a stone down; returns the line that it makes, if any.
    fn put(&mut self, side: Side, at: Point) -> bool {
        let won = self.board.play(&self.rules, side, at).is_some();
        self.state.key ^= hash(side, at);
        for direction in Direction::ALL {
            let (line, _) = self.board.place(direction, at);
            let [first, second] =
                [Side::First, Side::Second].map(|side| self.board.line(side, line));
            let open = self.board.open(line);
            for (side, own, other) in [(Side::First, first, second), (Side::Second, second, first)]
            {
                let pattern = Pattern::of(&self.rules, side, Bits { own, other, open });
                self.set(side, line, pattern);
            }
        }
        let (columns, rows) = self.board.size();
        let (left, right) = (at.column.saturating_sub(NEAR), at.column + NEAR);
        let around = (left..=right.min(columns - 1)).fold(0, |bits, column| bits | bit(column));
        for row in at.row.saturating_sub(NEAR)..=(at.row + NEAR).min(rows - 1) {
            self.near[usize::from(row)] |= around;
        }
        won
    }

    /// Sets the pattern of a line, and what hangs on it.
    fn set(&mut self, side: Side, line: usize, pattern: Pattern) {
        let side = side.index();
        let old = std::mem::replace(&mut self.patterns[side][line], pattern);
        if old == pattern {
            return;
        }
        self.state.values[side] += pattern.value - old.value;
        let (word, mark) = (line / 64, 1 << (line % 64));
        let lines = &mut self.state.lines[side];
        for (marks, bits) in [
            (&mut lines.fives, pattern.fives),
            (&mut lines.straights, pattern.straights),
            (&mut lines.fours, pattern.fours),
        ] {
            match bits {
                0 => marks[word] &= !mark,
                _ => marks[word] |= mark,
            }
        }
        let (direction, first) = self.starts[line];
        let kinds = old.kinds().into_iter().zip(pattern.kinds());
        for ((old, new), worth) in kinds.zip(POINTS) {
            for (bits, worth) in [(old & !new, -worth), (new & !old, worth)] {
                for bit in ones(bits) {
                    if let Some(at) = self.board.on_line(direction, first, bit) {
                        let cell = self.cell(at);
                        self.worth[side][cell] += worth;
                    }
                }
            }
        }
    }

    /// Finds out what is threatened and which moves there are, once a move was
    /// made that may have ended the game.
    fn look(&mut self, ended: Option<Verdict>) {
        self.state.ended = ended;
        self.state.choice = Choice::Near;
        self.state.threatens = [false; 2];
        let (turn, other) = (self.state.turn, self.state.turn.other());
        self.state.void_threes = 0;
        if ended.is_some() {
            return;
        }
        for side in [turn, other] {
            let straights = self.state.lines[side.index()].straights;
            let mut threatens = straights != Marks::default();
            if threatens && self.has_fouls(side) {
                let points = self.marked(side, &straights, |pattern| pattern.straights);
                let all = self.each(&points).count() as i32;
                let allowed = self.count_allowed(&points, usize::MAX) as i32;
                self.state.void_threes = all - allowed;
                threatens = allowed > 0;
            }
            self.state.threatens[side.index()] = threatens;
        }
        let can_make_five = |side: Side| self.state.lines[side.index()].fives != Marks::default();
        // A straight four, what stops one of its ends, and a five at the other one.
        let is_time = self.board.empty() >= u32::from(self.rules.draw_at) + 4;
        let mut choice = match () {
            () if can_make_five(turn) => Choice::Five,
            () if can_make_five(other) => Choice::StopFive,
            () if self.state.threatens[other.index()] && is_time => Choice::StopThree,
            () => Choice::Near,
        };
        if self.has_fouls(turn) {
            while choice != Choice::Pass && self.count_allowed(&self.points(choice), 1) == 0 {
                choice = match choice {
                    Choice::Near => Choice::All,
                    Choice::All => Choice::Pass,
                    _ => Choice::Near,
                };
            }
        }
        self.state.choice = choice;
    }

    fn has_fouls(&self, side: Side) -> bool {
        side == Side::First && self.rules.fouls != Fouls::Off
    }

    fn is_foul(&mut self, side: Side, at: Point) -> bool {
        self.has_fouls(side) && foul::shape(&mut self.board, at, self.rules.five_eye).is_foul()
    }

    /// How many of some points are allowed to Black, counted no further than to
    /// `most`.
    fn count_allowed(&mut self, points: &Rows, most: usize) -> usize {
        let mut count = 0;
        for row in 0..self.board.size().1 {
            for at in of_row(points, row) {
                if count < most && !self.is_foul(Side::First, at) {
                    count += 1;
                }
            }
        }
        count
    }

    /// The points of a set.
    fn each<'r>(&self, points: &'r Rows) -> impl Iterator<Item = Point> + use<'r> {
        (0..self.board.size().1).flat_map(|row| of_row(points, row))
    }

    /// Adds the points of marked lines.
    fn add(&self, points: &mut Rows, side: Side, marks: &Marks, bits_of: impl Fn(&Pattern) -> u64) {
        for (word, marks) in marks.iter().enumerate() {
            for mark in ones(*marks) {
                let line = 64 * word + mark as usize;
                let (direction, first) = self.starts[line];
                for at in ones(bits_of(&self.patterns[side.index()][line])) {
                    if let Some(at) = self.board.on_line(direction, first, at) {
                        points[usize::from(at.row)] |= bit(at.column);
                    }
                }
            }
        }
    }

    fn marked(&self, side: Side, marks: &Marks, bits_of: impl Fn(&Pattern) -> u64) -> Rows {
        let mut points = EMPTY;
        self.add(&mut points, side, marks, bits_of);
        points
    }

    /// The points of a choice, forbidden ones included.
    fn points(&self, choice: Choice) -> Rows {
        let (turn, other) = (self.state.turn, self.state.turn.other());
        let lines = |side: Side| &self.state.lines[side.index()];
        match choice {
            Choice::Five => self.marked(turn, &lines(turn).fives, |pattern| pattern.fives),
            Choice::StopFive => {
                let mut points = self.marked(other, &lines(other).fives, |pattern| pattern.fives);
                if self.rules.blocked == Blocked::Both {
                    let fives: Vec<Point> = self.each(&points).collect();
                    for five in fives {
                        for at in ends(&self.board, &self.rules, other, five) {
                            points[usize::from(at.row)] |= bit(at.column);
                        }
                    }
                }
                points
            }
            Choice::StopThree => {
                let mut points = self.marked(turn, &lines(turn).fours, |pattern| pattern.fours);
                self.add(&mut points, other, &lines(other).straights, |pattern| {
                    pattern.guards
                });
                points
            }
            Choice::Near if self.board.count() == [0; 2] => self.middle(),
            Choice::Near | Choice::All => {
                let mut points = EMPTY;
                for (row, near) in self.near.iter().enumerate() {
                    let open = self.board.open(row);
                    points[row] = match choice {
                        Choice::Near => near & open,
                        _ => open,
                    };
                }
                points
            }
            Choice::Pass => EMPTY,
        }
    }

    /// The points in the middle of the board: one, two or four.
    fn middle(&self) -> Rows {
        let (columns, rows) = self.board.size();
        let mut points = EMPTY;
        for row in (rows - 1) / 2..=rows / 2 {
            points[usize::from(row)] = bit((columns - 1) / 2) | bit(columns / 2);
        }
        points
    }

    /// What a stone on a point does for the side to move: what it makes, and what
    /// it takes from the opponent.
    fn weigh(&self, it: Move) -> i32 {
        let Some(at) = it else {
            return 0;
        };
        let worth = |side: Side| {
            self.worth[side.index()]
                .get(self.cell(at))
                .copied()
                .unwrap_or(0)
        };
        worth(self.state.turn) + worth(self.state.turn.other()) * DEFENCE / 100
    }

    /// The moves to the end of the game, where a side wins by force and some of them
    /// are known: those that a search for continuous fours shows, or points where the
    /// opponent of the side to move makes a line. Nothing where they do not lead there.
    pub fn play_forced(&mut self, shown: &[Point], winner: Side) -> Vec<Move> {
        if self.state.turn == winner {
            return self.play_out(shown);
        }
        let answer = shown.first().map(|at| Some(*at));
        let answer = match answer {
            Some(it) if self.make(it) => Some(it),
            _ => self.first_legal().filter(|it| self.make(*it)),
        };
        let Some(answer) = answer else {
            return Vec::new();
        };
        let rest = match self.state.choice {
            Choice::Five => &[],
            _ => shown.get(1..).unwrap_or_default(),
        };
        let mut line = self.play_out(rest);
        self.unmake();
        if !line.is_empty() {
            line.insert(0, answer);
        }
        line
    }

    /// Plays a line of continuous fours to the end of the game; nothing where it
    /// does not lead there.
    fn play_out(&mut self, fours: &[Point]) -> Vec<Move> {
        let made = self.steps.len();
        let mut line = Vec::new();
        let mut fours = fours.iter();
        // What the line leaves out: an answer that stops too little, and a five.
        while self.state.ended.is_none() {
            let next = match fours.next() {
                Some(at) => Some(Some(*at)),
                None => self.first_legal(),
            };
            let Some(it) = next.filter(|it| line.len() < MOST_FOURS && self.make(*it)) else {
                line.clear();
                break;
            };
            line.push(it);
        }
        if self.state.ended != Some(Verdict::Lost) || line.len() % 2 == 0 {
            line.clear();
        }
        while self.steps.len() > made {
            self.unmake();
        }
        line
    }

    fn first_legal(&mut self) -> Option<Move> {
        let points = self.points(self.state.choice);
        let turn = self.state.turn;
        for row in 0..self.board.size().1 {
            for at in of_row(&points, row) {
                if !self.is_foul(turn, at) {
                    return Some(Some(at));
                }
            }
        }
        Some(None)
    }
}

impl Searchable for Position {
    type Move = Move;

    const PACKED: usize = PASS as usize + 1;
    const MOST_GAIN: i32 = 1 << 20;

    fn pack(it: Move) -> u16 {
        it.map_or(PASS, |at| {
            u16::from(at.row) * u16::from(MAX_SIZE) + u16::from(at.column) + 1
        })
    }

    fn turn(&self) -> Side {
        self.state.turn
    }

    fn key(&self) -> u64 {
        self.state.key
    }

    fn moves(&self, mut each: impl FnMut(Move)) {
        match self.state.choice {
            Choice::Pass => each(None),
            choice => self
                .each(&self.points(choice))
                .for_each(|at| each(Some(at))),
        }
    }

    /// Fives, what stops them, and fours.
    fn captures(&self, mut each: impl FnMut(Move)) {
        let turn = self.state.turn;
        let points = match self.state.choice {
            choice @ (Choice::Five | Choice::StopFive) => self.points(choice),
            _ => {
                let fours = &self.state.lines[turn.index()].fours;
                self.marked(turn, fours, |pattern| pattern.fours)
            }
        };
        self.each(&points).for_each(|at| each(Some(at)));
    }

    fn gain(&self, it: Move) -> i32 {
        Some(self.weigh(it))
            .filter(|worth| *worth >= LOUD)
            .unwrap_or(0)
    }

    fn promise(&self, it: Move) -> i32 {
        self.weigh(it)
    }

    fn proof(&mut self, at_root: bool, nodes: u64) -> Proof<Move> {
        let turn = self.state.turn;
        let lines = &self.state.lines[turn.index()];
        if lines.fours == Marks::default() && lines.fives == Marks::default() {
            return Proof::default();
        }
        let most = match at_root {
            true => ROOT_NODES,
            false => LEAF_NODES,
        };
        let most = u32::try_from(nodes).unwrap_or(u32::MAX).min(most);
        let found = self.vcf.search(&mut self.board, &self.rules, turn, most);
        let line = match found {
            Found::Win(fours) => self.play_out(&fours),
            _ => Vec::new(),
        };
        Proof {
            line,
            nodes: u64::from(most - self.vcf.left().min(most)),
        }
    }

    fn make(&mut self, it: Move) -> bool {
        let turn = self.state.turn;
        let state = self.state;
        let mut step = Step {
            it,
            state,
            patterns: [[Pattern::default(); 4]; 2],
            near: [0; 2 * NEAR as usize + 1],
        };
        let mut won = false;
        match it {
            None if self.state.choice != Choice::Pass => return false,
            None => {}
            Some(at) => {
                if !self.board.is_empty(at) || self.is_foul(turn, at) {
                    return false;
                }
                for (side, patterns) in step.patterns.iter_mut().enumerate() {
                    for (pattern, direction) in patterns.iter_mut().zip(Direction::ALL) {
                        *pattern = self.patterns[side][self.board.place(direction, at).0];
                    }
                }
                let first = usize::from(at.row.saturating_sub(NEAR));
                for (before, near) in step.near.iter_mut().zip(&self.near[first..]) {
                    *before = *near;
                }
                won = self.put(turn, at);
            }
        }
        self.steps.push(step);
        self.state.turn = turn.other();
        self.state.key ^= turn_key(turn) ^ turn_key(turn.other());
        self.look(match won {
            true => Some(Verdict::Lost),
            false => self.drawn(),
        });
        true
    }

    fn unmake(&mut self) {
        let Some(step) = self.steps.pop() else {
            return;
        };
        if let Some(at) = step.it {
            self.board.take(step.state.turn, at);
            for side in [Side::First, Side::Second] {
                for (pattern, direction) in step.patterns[side.index()].iter().zip(Direction::ALL) {
                    let (line, _) = self.board.place(direction, at);
                    self.set(side, line, *pattern);
                }
            }
            let first = usize::from(at.row.saturating_sub(NEAR));
            for (near, before) in self.near[first..].iter_mut().zip(step.near) {
                *near = before;
            }
        }
        self.state = step.state;
    }

    fn evaluate(&self) -> i32 {
        let (turn, other) = (self.state.turn, self.state.turn.other());
        let lines = |side: Side| &self.state.lines[side.index()];
        let threatens = |side: Side| self.state.threatens[side.index()];
        let value = |side: Side| {
            let void = match side {
                Side::First => self.state.void_threes * OPEN_THREE,
                Side::Second => 0,
            };
            self.state.values[side.index()] - void
        };
        // A point that makes two things at once is worth more than its patterns.
        let best = |side: Side| {
            let worth = self.worth[side.index()].iter().max();
            worth.copied().unwrap_or(0).min(MOST_BEST)
        };
        let quiet = value(turn) - value(other) * DEFENCE / 100 + best(turn) / BEST
            - best(other) / OTHERS_BEST
            + TURN;
        let threes = || -> u32 {
            lines(other)
                .straights
                .iter()
                .map(|marks| marks.count_ones())
                .sum()
        };
        quiet
            + match () {
                () if lines(turn).fives != Marks::default() => FIVE,
                () if lines(other).fives != Marks::default() => -FIVE,
                () if threatens(turn) => STRAIGHT,
                () if threatens(other) && lines(turn).fours == Marks::default() && threes() > 1 => {
                    -TWO_THREES
                }
                () => 0,
            }
    }

    fn in_check(&self) -> bool {
        let [own, other] =
            [self.state.turn, self.state.turn.other()].map(|side| &self.state.lines[side.index()]);
        own.fives == Marks::default() && other.fives != Marks::default()
    }

    fn ended(&self) -> Option<Verdict> {
        self.state.ended
    }

    /// Stones stay: no position comes again.
    fn repeated(&self) -> Option<Verdict> {
        None
    }

    /// There is always a move, if only a pass.
    fn stuck(&self) -> Verdict {
        Verdict::Draw
    }
}

/// The key of the side to move.
fn turn_key(side: Side) -> u64 {
    let nowhere = Point {
        row: u8::MAX,
        column: u8::MAX,
    };
    hash(side, nowhere)
}

/// The places of the bits that are set.
fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (at < 64).then_some(at)
    })
}

/// The points of a set in a row.
fn of_row(points: &Rows, row: u8) -> impl Iterator<Item = Point> + use<> {
    let bits = points.get(usize::from(row)).copied().unwrap_or(0);
    ones(bits).map(move |at| Point {
        row,
        column: (at - MARGIN) as u8,
    })
}
