//! The result a record claims, read from the words people and servers use.
//!
//! The text is cut into tokens by tables of words, one table entry per
//! meaning; the tokens are gathered into claims ("Black won by 3.5", "White
//! resigned"), and the claims are weighed against each other. A text that
//! contradicts itself says nothing: no winner is better than a wrong one.

mod numbers;
#[cfg(test)]
mod tests;
mod tokens;
mod words;

use std::iter;

use crate::outcome::{Points, Side, words};
use numbers::{Amount, scan_decimal};
use tokens::{Lexer, Token, plain};
use words::{Doer, Unit, Word};

words! {
    /// What a recorded result is.
    RecordedKind {
        /// A counted margin.
        Score = "score",
        /// One side gave up.
        Resign = "resign",
        /// One side ran out of time.
        Time = "time",
        /// Absence, a lost connection, an illegal move or another penalty.
        Forfeit = "forfeit",
        /// A winner without usable grounds.
        Win = "win",
        /// A draw.
        Draw = "draw",
        /// The game does not count.
        Void = "void",
        /// Nothing can be made of the text, or it contradicts itself.
        Unknown = "unknown",
        /// A number that a server writes for games that were not counted.
        Sentinel = "sentinel",
        /// There is no text.
        Missing = "missing",
    }
}

/// What a record says of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Who won. It can be `None` beside `Resign`, `Time` or `Forfeit`, where
    /// the text names the end of the game but no side.
    pub winner: Option<Side>,
    /// By how much, in points, never negative; zero for a draw.
    pub margin: Option<Points>,
    /// What the text is.
    pub kind: RecordedKind,
    /// The margin was taken as points, but under these rules and without a
    /// unit it could be zi as well.
    pub maybe_zi: bool,
    /// The margin was written in zi and has been doubled.
    pub zi: bool,
    /// The text names two winners or grounds that exclude each other, so it
    /// says nothing.
    pub contradictory: bool,
    /// The record names a repetition as what ended the game: perpetual check or
    /// chase, or a position that came back. Only in xiangqi.
    pub by_repetition: bool,
}

impl Recorded {
    /// No result at all.
    pub const MISSING: Self = Self::bare(RecordedKind::Missing, None);

    /// A result that contradicts itself.
    const CONTRADICTORY: Self = Self {
        contradictory: true,
        ..Self::bare(RecordedKind::Unknown, None)
    };

    /// A result without a margin.
    const fn bare(kind: RecordedKind, winner: Option<Side>) -> Self {
        Self {
            winner,
            margin: None,
            kind,
            maybe_zi: false,
            zi: false,
            contradictory: false,
            by_repetition: false,
        }
    }

    /// A draw, with its margin of nothing.
    const fn draw() -> Self {
        Self {
            margin: Some(Points::ZERO),
            ..Self::bare(RecordedKind::Draw, None)
        }
    }
}

/// What is known of the record apart from its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// The rules count as the Chinese do: a margin may be in zi.
    pub zi_fractions: bool,
    /// Fox wrote the record: margins near zero are codes and not counts.
    pub fox: bool,
    /// The first player is Red and the second Black, as in xiangqi.
    pub red_first: bool,
}

/// Reads the text of a result.
#[must_use]
pub fn parse(text: &str, hints: Hints) -> Recorded {
    parse_common(text, hints).unwrap_or_else(|| parse_any(text, hints))
}

/// Reads the result of a game that has no margins, in which `1-0` is a win of
/// the first player. `ending` is what the record says besides of how the game
/// ended, such as `White win by opponent time forfeit`; `red_first` as in
/// [`Hints`].
#[must_use]
pub fn parse_outcome(text: &str, ending: Option<&str>, red_first: bool) -> Recorded {
    // Dashes and digits of every width; no blanks around a dash.
    let written = plain(text).replace(" -", "-").replace("- ", "-");
    let known = match written.as_str() {
        "1-0" | "x+" | "x win" | "x wins" | "x_win" => {
            Recorded::bare(RecordedKind::Win, Some(Side::First))
        }
        "0-1" | "o+" | "o win" | "o wins" | "o_win" => {
            Recorded::bare(RecordedKind::Win, Some(Side::Second))
        }
        "black_win" if !red_first => Recorded::bare(RecordedKind::Win, Some(Side::First)),
        "white_win" if !red_first => Recorded::bare(RecordedKind::Win, Some(Side::Second)),
        // RenLib writes `B+DRAW`.
        "1/2-1/2" | "0.5-0.5" | "1/2" | "b+draw" | "w+draw" => Recorded::draw(),
        "*" => Recorded::MISSING,
        _ => {
            let hints = Hints {
                red_first,
                ..Hints::default()
            };
            parse(text, hints)
        }
    };
    let repeated = |text: &str| red_first && names_repetition(text);
    if repeated(text) || ending.is_some_and(repeated) {
        return Recorded {
            by_repetition: true,
            ..without_margin(known, None)
        };
    }
    without_margin(known, ending)
}

/// Whether a text names a repetition: perpetual check or chase, a position that
/// came back, a draw as nobody changes.
fn names_repetition(text: &str) -> bool {
    const WORDS: [&str; 20] = [
        "perpetual",
        "repetition",
        "threefold",
        "长将",
        "長將",
        "长捉",
        "長捉",
        "长杀",
        "長殺",
        "长打",
        "長打",
        "重复",
        "重複",
        "重復",
        "循环",
        "循環",
        "不变作和",
        "不變作和",
        "不变判和",
        "不變判和",
    ];
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// A result of a game that has no margins: `B+1` is a win and no more. `ending`
/// as above.
fn without_margin(result: Recorded, ending: Option<&str>) -> Recorded {
    let kind = match (result.kind, result.winner) {
        (RecordedKind::Score | RecordedKind::Win, Some(_)) => {
            let ground = ending.and_then(ground_of_ending);
            ground.unwrap_or(RecordedKind::Win)
        }
        (kind, _) => kind,
    };
    Recorded {
        margin: result.margin.filter(|_| kind == RecordedKind::Draw),
        maybe_zi: false,
        zi: false,
        ..Recorded { kind, ..result }
    }
}

/// How a game ended, where the words beside its result say so.
fn ground_of_ending(ending: &str) -> Option<RecordedKind> {
    /// Words of time that ran out. Others speak of how much there was.
    const TIME: [&str; 15] = [
        "time forfeit",
        "forfeit on time",
        "forfeits on time",
        "forfeited on time",
        "on time",
        "by time",
        "timeout",
        "time out",
        "timed out",
        "times out",
        "out of time",
        "overtime",
        "time loss",
        "flag",
        "flagged",
    ];
    let ending = plain(ending).replace(['_', '-'], " ");
    let is_word = |word: &&str| {
        let mut found = ending.match_indices(*word);
        found.any(|(at, _)| {
            !ending[..at].ends_with(words::is_latin)
                && !ending[at + word.len()..].starts_with(words::is_latin)
        })
    };
    let says = |words: &[&str]| words.iter().any(|word| ending.contains(word));
    if ending == "time" || TIME.iter().any(is_word) {
        return Some(RecordedKind::Time);
    }
    if says(&["resign"]) {
        return Some(RecordedKind::Resign);
    }
    if says(&["crash", "illegal", "forfeit", "disconnect"]) {
        return Some(RecordedKind::Forfeit);
    }
    // Words that are not Latin, as of results.
    let foreign: String = ending.chars().filter(|letter| !letter.is_ascii()).collect();
    Lexer::new(&foreign, true).find_map(|token| match token {
        Token::Word(Word::Ground(kind, Doer::Loser)) => Some(kind),
        _ => None,
    })
}

/// Reads the commonest results, such as `B+R` and `W+12.5`, without the
/// tables; says of them what [`parse_any`] says, only sooner.
fn parse_common(text: &str, hints: Hints) -> Option<Recorded> {
    /// Common results are no longer than this.
    const LONGEST: usize = 8;
    let (side, grounds) = text
        .split_once('+')
        .filter(|_| text.len() <= LONGEST && !hints.red_first)?;
    let winner = match side {
        "B" => Side::First,
        "W" => Side::Second,
        _ => return None,
    };
    if grounds == "R" {
        return Some(Recorded::bare(RecordedKind::Resign, Some(winner)));
    }
    match scan_decimal(grounds)? {
        (Some(amount), "") => Some(weigh_margin(winner, amount, None, hints)),
        _ => None,
    }
}

/// Reads any text of a result.
fn parse_any(text: &str, hints: Hints) -> Recorded {
    let text = plain(text);
    if text.is_empty() {
        return Recorded::MISSING;
    }
    let tokens: Vec<Token> = Lexer::new(&text, hints.red_first).collect();
    if let [Token::Amount(amount, _)] = tokens.as_slice() {
        return lone_number(*amount, hints);
    }
    Findings::of(&tokens).weigh(hints)
}

/// A number and nothing else: zero is SGF's word for a draw.
fn lone_number(amount: Amount, hints: Hints) -> Recorded {
    match (amount.is_zero(), hints.fox) {
        (true, true) => Recorded::bare(RecordedKind::Sentinel, None),
        (true, false) => Recorded::draw(),
        (false, _) => Recorded::bare(RecordedKind::Unknown, None),
    }
}

/// What is said of one side, from its name to the next name.
#[derive(Clone, Copy, Debug, Default)]
struct Claim {
    /// It is said to have won.
    won: bool,
    /// It is said to have lost.
    lost: bool,
    /// How the game ended, by the first word for it.
    ground: Option<(RecordedKind, Doer)>,
    /// The margin, and a unit where it is written.
    margin: Option<(Amount, Option<Unit>)>,
    /// Another margin than the first.
    torn: bool,
}

impl Claim {
    /// Who won by this claim on a side; `Err` where it contradicts itself,
    /// `Ok(None)` where it is only a mention.
    fn winner(&self, side: Side) -> Result<Option<Side>, ()> {
        match (self.won, self.lost, self.ground) {
            (true, true, _) => Err(()),
            (true, false, _) | (false, false, Some((_, Doer::Winner))) => Ok(Some(side)),
            (false, true, _) | (false, false, Some((_, Doer::Loser))) => Ok(Some(side.other())),
            _ => Ok(None),
        }
    }

    /// Takes down a margin.
    fn add_margin(&mut self, amount: Amount, unit: Option<Unit>) {
        match self.margin {
            None => self.margin = Some((amount, unit)),
            Some(known) => self.torn |= known != (amount, unit),
        }
    }
}

/// All that a text says.
#[derive(Debug, Default)]
struct Findings {
    /// What is said of each side named, in order.
    claims: Vec<(Side, Claim)>,
    /// What is said before any side is named.
    unnamed: Claim,
    /// Nobody is said to have won.
    draw: bool,
    /// The game is said not to count.
    void: bool,
    /// The writer was not sure.
    doubt: bool,
    /// There are signs that make no sense.
    nonsense: bool,
    /// The text has nothing but the name of a side.
    bare: bool,
}

impl Findings {
    /// Gathers what the tokens of a text say.
    fn of(tokens: &[Token]) -> Self {
        let mut found = Self {
            bare: tokens.len() == 1,
            ..Self::default()
        };
        let before = iter::once(None).chain(tokens.iter().copied().map(Some));
        let after = tokens.iter().copied().map(Some).skip(1).chain([None]);
        let mut announced = false;
        // Nothing but brackets and the like behind the last side named.
        let mut just_named = false;
        for ((token, before), after) in tokens.iter().zip(before).zip(after) {
            let is_behind_side = just_named;
            just_named = match token {
                Token::Word(word) => matches!(word, Word::Side(_)),
                Token::Other => just_named,
                Token::Amount(..) => false,
            };
            match *token {
                Token::Word(Word::Order(_)) if is_behind_side => {}
                Token::Word(Word::Side(side) | Word::Order(side)) => {
                    let claim = Claim {
                        won: announced,
                        ..Claim::default()
                    };
                    found.claims.push((side, claim));
                    announced = false;
                }
                Token::Word(Word::Winner) => announced = true,
                Token::Word(word) => found.take(word),
                Token::Amount(amount, unit) if is_margin(unit, before, after) => {
                    found.current().add_margin(amount, unit);
                }
                Token::Amount(..) | Token::Other => {}
            }
        }
        found
    }

    /// The claim that is being made.
    fn current(&mut self) -> &mut Claim {
        match self.claims.last_mut() {
            Some((_, claim)) => claim,
            None => &mut self.unnamed,
        }
    }

    /// Takes down a word that names no side.
    fn take(&mut self, word: Word) {
        match word {
            Word::Won => self.current().won = true,
            Word::Lost => self.current().lost = true,
            Word::Ground(kind, doer) => {
                self.current().ground.get_or_insert((kind, doer));
            }
            Word::Draw => self.draw = true,
            Word::Void => self.void = true,
            Word::Doubt => self.doubt = true,
            Word::Nonsense => self.nonsense = true,
            Word::Side(_) | Word::Order(_) | Word::Winner | Word::Ignored => {}
        }
    }

    /// The winner that all claims agree on; `Err` where they do not.
    fn winner(&self) -> Result<Option<Side>, ()> {
        let mut agreed = None;
        for (side, claim) in &self.claims {
            if let Some(winner) = claim.winner(*side)? {
                if agreed.is_some_and(|known| known != winner) {
                    return Err(());
                }
                agreed = Some(winner);
            }
        }
        Ok(agreed)
    }

    /// The first ground that the text gives, whoever it is said of.
    fn ground(&self) -> Option<RecordedKind> {
        iter::once(&self.unnamed)
            .chain(self.claims.iter().map(|(_, claim)| claim))
            .find_map(|claim| claim.ground)
            .map(|(kind, _)| kind)
    }

    /// The one margin that the text gives.
    fn margin(&self) -> Option<(Amount, Option<Unit>)> {
        let mut margins = self.claims.iter().filter_map(|(_, claim)| claim.margin);
        let first = margins.next()?;
        let one = !self.claims.iter().any(|(_, claim)| claim.torn);
        (one && margins.all(|other| other == first)).then_some(first)
    }

    /// Decides what the text says.
    fn weigh(&self, hints: Hints) -> Recorded {
        let unknown = Recorded::bare(RecordedKind::Unknown, None);
        let Ok(winner) = self.winner() else {
            return Recorded::CONTRADICTORY;
        };
        match winner {
            Some(_) if self.draw || self.void => Recorded::CONTRADICTORY,
            _ if self.nonsense => unknown,
            Some(winner) => self.weigh_win(winner, hints),
            None if self.void => Recorded::bare(RecordedKind::Void, None),
            None if self.doubt => unknown,
            None if self.draw => Recorded::draw(),
            None => match (self.claims.as_slice(), self.ground()) {
                ([(side, _)], _) if self.bare => Recorded::bare(RecordedKind::Win, Some(*side)),
                (_, Some(ground)) => Recorded::bare(ground, None),
                _ => unknown,
            },
        }
    }

    /// Decides on what grounds a winner won. A stated ground is stronger than
    /// a margin: programs write a count beside a resignation.
    fn weigh_win(&self, winner: Side, hints: Hints) -> Recorded {
        let bare = |kind| Recorded::bare(kind, Some(winner));
        match (self.ground(), self.margin()) {
            _ if self.doubt => bare(RecordedKind::Win),
            (Some(ground), _) => bare(ground),
            (None, Some((amount, unit))) => weigh_margin(winner, amount, unit, hints),
            (None, None) => bare(RecordedKind::Win),
        }
    }
}

/// Whether a number is a margin: it has a unit of margins, or it stands next
/// to a word of winning. Others count moves, years or stones.
fn is_margin(unit: Option<Unit>, before: Option<Token>, after: Option<Token>) -> bool {
    let won = Some(Token::Word(Word::Won));
    match unit {
        Some(Unit::Moves) => false,
        Some(_) => true,
        None => before == won || after == won,
    }
}

/// Turns a margin as written into points.
fn weigh_margin(winner: Side, amount: Amount, unit: Option<Unit>, hints: Hints) -> Recorded {
    let bare = |kind| Recorded::bare(kind, Some(winner));
    let amount = if hints.zi_fractions && unit != Some(Unit::Point) {
        amount.uncut()
    } else {
        amount
    };
    if amount.is_zero() && !hints.fox {
        return Recorded::bare(RecordedKind::Unknown, None);
    }
    if amount.is_zero() || amount.is_tiny() {
        return bare(RecordedKind::Sentinel);
    }
    let Some(written) = amount.points() else {
        return bare(RecordedKind::Win);
    };
    // Points have no quarters, whatever unit is written.
    let zi = unit == Some(Unit::Zi) || written.has_quarter();
    Recorded {
        winner: Some(winner),
        margin: Some(if zi { written.doubled() } else { written }),
        kind: RecordedKind::Score,
        maybe_zi: hints.zi_fractions && !zi && unit.is_none(),
        zi,
        contradictory: false,
        by_repetition: false,
    }
}
