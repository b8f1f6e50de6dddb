//! Replays the main line of a record, every move held against the rules.

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::{
    fen,
    notation::{Ranks, Unread, read},
    piece::{FILES, Move, Piece, Square},
    position::Position,
    repetition::{History, Verdict},
    rules::Rules,
};
use crate::{
    game::chain::Chain,
    outcome::{Ending, Outcome, Side},
    record::{Notation, Place, ReadError, Record, StepKind, Warning, warn_once},
};

/// Positions named in a message, at most.
const SHOWN_MOVES: usize = 4;

/// A replay, with memory that is used again for the next record.
#[derive(Debug)]
pub(super) struct Replay {
    /// The position reached.
    pub(super) position: Position,
    /// The moves made, and what repetition is judged by.
    pub(super) history: History,
    /// Whether there is a position: a set-up that cannot be read leaves none.
    pub(super) is_set_up: bool,
    /// Whether the side to move is in check.
    in_check: bool,
    /// Moves written.
    pub(super) moves: u32,
    /// Moves replayed: fewer where the game ended before, or had to stop.
    pub(super) plies: u32,
    /// How the play stopped.
    pub(super) ended: Ending,
    /// The repetition that ends the game, or the first that did not.
    pub(super) repeated: Option<Verdict>,
    /// What stopped it, where something did.
    pub(super) error: Option<ReadError>,
    /// What was odd.
    pub(super) warnings: Vec<Warning>,
    /// The position that usual games begin with.
    start: Position,
    /// Set-up and moves, for hashes: see [`Self::hash`].
    script: Vec<u8>,
}

impl Replay {
    pub(super) fn new(start: Position) -> Self {
        Self {
            position: start.clone(),
            history: History::new(start.clone()),
            is_set_up: true,
            in_check: false,
            moves: 0,
            plies: 0,
            ended: Ending::Open,
            repeated: None,
            error: None,
            warnings: Vec::new(),
            start,
            script: Vec::new(),
        }
    }

    /// Replays a record.
    pub(super) fn run(&mut self, record: &Record<'_>) {
        self.moves = 0;
        self.plies = 0;
        self.ended = Ending::Open;
        self.repeated = None;
        self.error = None;
        self.is_set_up = true;
        self.warnings = Vec::new();
        self.position.clone_from(&self.start);
        if let Some(text) = record.setup {
            match fen::read(&String::from_utf8_lossy(text)) {
                Ok(position) => {
                    self.position = position;
                    if record.moves() == 0 && text.split(u8::is_ascii_whitespace).nth(1).is_none() {
                        self.infer_turn();
                    }
                }
                Err(why) => {
                    self.ended = Ending::Illegal;
                    self.is_set_up = false;
                    self.moves = record.moves() as u32;
                    self.error = Some(ReadError::new("bad_position", why));
                }
            }
            self.check_setup();
        }
        self.begin_script();
        self.history.restart(self.position.clone());
        self.in_check = self.position.in_check(self.position.turn());
        if !self.is_set_up {
            // What is no position is told apart by its text.
            self.script.extend(record.setup.unwrap_or_default());
            return;
        }
        self.check_turn(record);
        let ranks = self.ranks(record);
        let plays = record
            .steps
            .iter()
            .filter(|step| matches!(step.kind, StepKind::Play(_)));
        for step in plays {
            self.moves += 1;
            if self.ended == Ending::Open {
                self.play(step.token, ranks);
            }
        }
        let after = self.moves - self.plies;
        if after > 0 && self.ended != Ending::Illegal {
            self.warn(Warning::with(
                "moves_after_end",
                after.to_string(),
                Place::Move(self.plies),
            ));
        }
    }

    fn warn(&mut self, warning: Warning) {
        warn_once(&mut self.warnings, warning);
    }

    /// Nothing says who is to move, which is Red then, but for a position in which
    /// only Black is attacked.
    fn infer_turn(&mut self) {
        let [red, black] = [Side::First, Side::Second].map(|side| self.position.in_check(side));
        if black && !red {
            self.position.pass();
            self.warn(Warning::with("turn_inferred", "black", Place::Record));
        }
    }

    /// Warns where a record calls its first move one of the side that is not to move.
    fn check_turn(&mut self, record: &Record<'_>) {
        let first = record.steps.iter().find_map(|step| match step.kind {
            StepKind::Play(side) => Some(side),
            _ => None,
        });
        let turn = self.position.turn();
        if first.is_some_and(|side| side != turn) {
            let value = super::side_name(turn);
            self.warn(Warning::with("turn_differs", value, Place::Move(1)));
        }
    }

    /// Warns of a set-up that no game leads to.
    fn check_setup(&mut self) {
        if let Some(square) = self.position.misplaced() {
            let letter = self.position.piece(square).letter().map_or('?', char::from);
            let value = format!("{letter}@{square}");
            self.warn(Warning::with("misplaced_piece", value, Place::Record));
        }
        if self.position.in_check(self.position.turn().other()) {
            self.warn(Warning::new("odd_turn", Place::Record));
        }
    }

    /// How coordinates number ranks, where the format does not know it: from 1
    /// where there is a rank of 10, from 0 where there is one of 0, else as more of
    /// the moves can be played.
    fn ranks(&mut self, record: &Record<'_>) -> Ranks {
        if record.notation == Notation::Iccs {
            return Ranks::FromZero;
        }
        let tokens = || {
            let tokens = record.steps.iter().map(|step| step.token);
            tokens.filter(|token: &&[u8]| is_coordinates(token))
        };
        if tokens().next().is_none() {
            return Ranks::FromZero;
        }
        if tokens().any(|token| memchr::memmem::find(token, b"10").is_some()) {
            return Ranks::FromOne;
        }
        if tokens().any(|token| token.contains(&b'0')) {
            return Ranks::FromZero;
        }
        let plies = |ranks| {
            let mut position = self.position.clone();
            let plays = record
                .steps
                .iter()
                .filter(|step| matches!(step.kind, StepKind::Play(_)));
            plays
                .take_while(|step| can_go(&mut position, step.token, ranks))
                .count()
        };
        let [from_zero, from_one] = [Ranks::FromZero, Ranks::FromOne].map(plies);
        if from_zero == from_one && from_zero == record.moves() {
            self.warn(Warning::new("ranks_unclear", Place::Record));
        }
        match from_zero < from_one {
            true => Ranks::FromOne,
            false => Ranks::FromZero,
        }
    }

    fn play(&mut self, token: &[u8], ranks: Ranks) {
        let text = std::str::from_utf8(token).unwrap_or_default();
        let it = match read(&mut self.position, text, ranks) {
            Ok(it) => it,
            Err(why) => {
                // After mate there is no move.
                if !self.end_by_moves() {
                    let (kind, why) = self.unread(why);
                    self.stop(kind, token, &why);
                }
                return;
            }
        };
        let side = self.position.turn();
        if it.to == self.position.general(side.other()) {
            return self.stop("captures_general", token, "it captures the general");
        }
        if self.position.exposes_from(it, self.in_check) {
            if !self.end_by_moves() {
                let number = self.moves;
                self.warn(Warning::with(
                    "illegal_move",
                    "exposed",
                    Place::Move(number),
                ));
                self.stop("exposed", token, "it leaves the own general attacked");
            }
            return;
        }
        let captured = self.position.make(it);
        // A set-up may have left a check standing.
        self.in_check = (self.plies == 0 || self.position.may_check(it))
            && self.position.in_check(self.position.turn());
        let key = self.position.key();
        self.history.push(it, captured, key, self.in_check);
        self.script
            .extend([it.from.index() as u8, it.to.index() as u8]);
        self.plies += 1;
    }

    /// Whether the game is over as the side to move has no move; then it is
    /// noted.
    fn end_by_moves(&mut self) -> bool {
        if self.position.can_move() {
            return false;
        }
        self.ended = match self.position.in_check(self.position.turn()) {
            true => Ending::Mate,
            false => Ending::Stalemate,
        };
        true
    }

    /// The word and the sentence of a token that is no move.
    fn unread(&self, why: Unread) -> (&'static str, String) {
        match why {
            Unread::Unknown => (
                "unknown_move",
                "it is written in no notation of xiangqi".to_owned(),
            ),
            Unread::NoSuchMove => (
                "no_such_move",
                format!(
                    "no piece of {} goes like that",
                    super::side_name(self.position.turn())
                ),
            ),
            Unread::Ambiguous(moves) => {
                let moves: Vec<String> = moves
                    .iter()
                    .take(SHOWN_MOVES)
                    .map(ToString::to_string)
                    .collect();
                (
                    "ambiguous_move",
                    format!("it may be {}", moves.join(" or ")),
                )
            }
        }
    }

    fn stop(&mut self, kind: &'static str, token: &[u8], why: &str) {
        self.ended = Ending::Illegal;
        let number = self.moves;
        let token: String = String::from_utf8_lossy(token).chars().take(12).collect();
        let message = format!(
            "move {number} ({token:?}) cannot be played: {why} in {}; the record is replayed up \
             to it",
            fen::write(&self.position)
        );
        self.error = Some(ReadError::new(kind, message));
    }

    /// Who has won at the end of the moves, where the rules say so.
    pub(super) fn finish(&mut self, rules: &Rules) -> Option<Outcome> {
        if self.ended == Ending::Illegal {
            return None;
        }
        if self.end_by_moves() {
            return Some(Outcome::Win(self.position.turn().other()));
        }
        let first = self.history.first_trigger(rules.repetition);
        let last = first.and_then(|_| self.history.verdict(rules.repetition));
        self.repeated = last.or(first);
        let (ended, outcome) = rules.judge(&mut self.position, &self.history, last.as_ref())?;
        self.ended = ended;
        Some(outcome)
    }

    /// The last move made.
    pub(super) fn last(&self) -> Option<Move> {
        let [.., from, to] = self.script[..] else {
            return None;
        };
        (self.plies > 0).then_some(Move {
            from: square(from)?,
            to: square(to)?,
        })
    }

    /// The script begins with the pieces, row by row, and the side to move; two
    /// bytes follow for each move.
    fn begin_script(&mut self) {
        self.script.clear();
        let pieces = Square::all().map(|square| number(self.position.piece(square)));
        self.script.extend(pieces);
        self.script.push(self.position.turn() as u8);
    }

    /// Hash of set-up and moves.
    pub(super) fn hash(&self) -> u128 {
        xxh3_128(&self.script)
    }

    /// The smaller of the hashes of the game and of its mirror image, left to
    /// right.
    pub(super) fn canonical_hash(&self) -> u128 {
        xxh3_128(&self.mirrored()).min(self.hash())
    }

    /// Keys of the game after each move, the same for its mirror image; none
    /// without a position.
    pub(super) fn chain(&self) -> Vec<u64> {
        let mirrored = self.mirrored();
        let setup = Square::all().count() + 1;
        let parts = [&self.script, &mirrored].map(|script| script.split_at_checked(setup));
        let [Some((setup, moves)), Some((mirrored, mirrored_moves))] = parts else {
            return Vec::new();
        };
        if !self.is_set_up {
            return Vec::new();
        }
        let mut chain = Chain::begin(vec![xxh3_64(setup), xxh3_64(mirrored)]);
        for pair in moves.chunks_exact(2).zip(mirrored_moves.chunks_exact(2)) {
            chain.push(|symmetry| {
                let squares = if symmetry == 0 { pair.0 } else { pair.1 };
                let number = |step: u64, square: &u8| step << 8 | u64::from(*square);
                squares.iter().fold(0, number)
            });
        }
        chain.keys()
    }

    /// The script of the mirror image, left to right.
    fn mirrored(&self) -> Vec<u8> {
        let files = usize::from(FILES);
        let squares = Square::all().count();
        let mut mirrored = self.script.clone();
        let (setup, rest) = mirrored.split_at_mut(squares);
        for row in setup.chunks_mut(files) {
            row.reverse();
        }
        // The text of what is no position may have other bytes.
        let moves = rest.iter_mut().skip(1);
        for square in moves.filter(|square| usize::from(**square) < squares) {
            let (row, file) = (*square / FILES, *square % FILES);
            *square = row * FILES + FILES - 1 - file;
        }
        mirrored
    }
}

/// A number for a piece, which hashes rest on.
fn number(piece: Piece) -> u8 {
    match piece.kind() {
        None => 0,
        Some(kind) => kind as u8 + if piece.side() == Side::Second { 8 } else { 0 },
    }
}

fn square(index: u8) -> Option<Square> {
    Square::at(index % FILES, index / FILES)
}

/// Makes a move in a position where a piece can go so, be the general attacked or
/// not: what cannot be played is to be told as such.
fn can_go(position: &mut Position, token: &[u8], ranks: Ranks) -> bool {
    let text = std::str::from_utf8(token).unwrap_or_default();
    let Ok(it) = read(position, text, ranks) else {
        return false;
    };
    let goes_on = it.to != position.general(position.turn().other());
    if goes_on {
        position.make(it);
    }
    goes_on
}

/// Whether a token looks like a move in coordinates, or to a square as in chess.
fn is_coordinates(token: &[u8]) -> bool {
    let is_file = |byte: &u8| matches!(byte.to_ascii_lowercase(), b'a'..=b'i');
    match token {
        [file, rank, rest @ ..] if is_file(file) && rank.is_ascii_digit() => {
            rest.iter().any(is_file)
        }
        [b'A'..=b'Z', rest @ ..] => rest
            .windows(2)
            .any(|pair| matches!(pair, [b'a'..=b'i', b'0'..=b'9'])),
        _ => false,
    }
}
