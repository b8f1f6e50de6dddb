//! Games written as PGN.

use super::{
    fen,
    notation::{Script, chinese, wxf},
    opening::Opening,
    piece::Move,
    position::Position,
    repetition::{History, Tier},
    selfplay::RULES,
};
use crate::{
    game::Match,
    outcome::{Ending, Outcome, Side},
};

/// Moves of both sides on a line.
const MOVES_PER_LINE: usize = 5;

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Notation {
    /// `H2-E2`
    #[default]
    Iccs,
    /// 炮二平五
    Chinese,
    /// `C2=5`
    Wxf,
    /// `h2e2`, ranks from 0: read from 1 such moves could be others, but those
    /// with a rank of 0 tell.
    Uci,
}

/// The words of notations, the usual one first.
pub(super) const NOTATIONS: [&str; 4] = ["iccs", "chinese", "wxf", "uci"];

impl Notation {
    /// The notation of a word.
    pub(super) fn of_word(word: &str) -> Option<Self> {
        let all = [Self::Iccs, Self::Chinese, Self::Wxf, Self::Uci];
        let mut found = NOTATIONS.into_iter().zip(all);
        found.find_map(|(known, it)| (known == word).then_some(it))
    }

    /// As the tag has it.
    const fn tag(self) -> &'static str {
        match self {
            Self::Iccs => "ICCS",
            Self::Chinese => "Chinese",
            Self::Wxf => "WXF",
            Self::Uci => "UCI",
        }
    }

    fn token(self, position: &Position, it: Move) -> String {
        match self {
            Self::Iccs => format!("{}-{}", it.from, it.to).to_uppercase(),
            Self::Chinese => chinese(position, it, Script::Traditional),
            Self::Wxf => wxf(position, it),
            Self::Uci => it.to_string(),
        }
    }
}

/// A game that played itself.
pub(super) struct Written<'a> {
    pub(super) plan: &'a Match,
    pub(super) round: u64,
    pub(super) opening: &'a Opening,
    pub(super) random_plies: usize,
    pub(super) history: &'a History,
    /// Nothing where it was broken off.
    pub(super) ended: Option<(Ending, Outcome)>,
}

impl Written<'_> {
    /// Writes tags and moves behind what is there.
    pub(super) fn write(&self, notation: Notation, out: &mut Vec<u8>) {
        let result = match self.ended.map(|(_, outcome)| outcome) {
            Some(Outcome::Win(Side::First)) => "1-0",
            Some(Outcome::Win(Side::Second)) => "0-1",
            Some(Outcome::Draw) => "1/2-1/2",
            None => "*",
        };
        let mut text = String::with_capacity(2048);
        let mut tag = |name: &str, value: &str| {
            text.extend(["[", name, " \"", value, "\"]\n"]);
        };
        let player = format!("kifu, {} nodes", self.plan.nodes);
        tag("Game", "Chinese Chess");
        tag("Event", "kifu selfplay");
        tag("Round", &self.round.to_string());
        tag("Red", &player);
        tag("Black", &player);
        tag("Result", result);
        let start = fen::write(self.history.start());
        if start != fen::START {
            tag("FEN", &format!("{start} - - 0 1"));
        }
        tag("Opening", &self.opening());
        if self.random_plies > 0 {
            tag("Seed", &self.plan.seed.to_string());
        }
        tag("PlyCount", &self.history.plies().to_string());
        tag("Termination", self.termination());
        tag("Format", notation.tag());
        text.push('\n');
        self.write_moves(notation, &mut text);
        text.push_str(result);
        text.push_str("\n\n");
        out.extend_from_slice(text.as_bytes());
    }

    fn write_moves(&self, notation: Notation, text: &mut String) {
        let mut position = self.history.start().clone();
        // Black's moves are the second ones of their numbers.
        let mut at = position.turn().index();
        for it in self.history.moves() {
            let number = at / 2 + 1;
            match at % 2 {
                0 => text.push_str(&format!("{number}. ")),
                _ if text.ends_with("\n\n") => text.push_str(&format!("{number}... ")),
                _ => {}
            }
            text.push_str(&notation.token(&position, it));
            position.make(it);
            at += 1;
            text.push(if at.is_multiple_of(2 * MOVES_PER_LINE) {
                '\n'
            } else {
                ' '
            });
        }
    }

    /// What the game began with.
    fn opening(&self) -> String {
        let random = self.random_plies;
        match (self.opening.line, random) {
            (Some(line), 0) => format!("line {line}"),
            (Some(line), _) => format!("line {line}, {random} random plies"),
            (None, _) => format!("{random} random plies"),
        }
    }

    /// How it ended.
    fn termination(&self) -> &'static str {
        let Some((ending, outcome)) = self.ended else {
            return "unterminated";
        };
        match (ending, outcome) {
            (Ending::Mate, _) => "checkmate",
            (Ending::Stalemate, _) => "stalemate",
            (Ending::NoCapture, _) => "moves without a capture",
            (Ending::Material, _) => "too little material",
            (_, Outcome::Draw) => "repetition",
            (_, Outcome::Win(winner)) => {
                let verdict = self.history.verdict(RULES.repetition);
                match verdict.map(|it| it.tiers[winner.other().index()]) {
                    Some(Tier::Check) => "perpetual check",
                    _ => "perpetual chase",
                }
            }
        }
    }
}
