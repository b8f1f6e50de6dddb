//! Games: what the rules say of a record's final position.
//!
//! A new game is one folder here and one line in [`GAMES`].

mod chain;
mod explanation;
pub mod go;
pub mod kinrow;
mod point;
mod script;
mod selfplay;
mod worth;
pub mod xiangqi;

use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

pub use explanation::{
    Cell, Chain, ConventionCount, Diagram, Explanation, Fate, Forced, Foul, Group, Piece, Play,
    PlayingOn, Repeated, Spot, Step, Style, Telling,
};

use crate::{
    outcome::{Basis, Ending, From, Outcome, Points, words},
    record::{Place, ReadError, Record, Warning, excerpt},
    suggest::unknown,
};

pub use selfplay::{Match, Played, Player, SelfPlay};
pub(crate) use selfplay::{Random, balanced};
pub use worth::{Candidate, Worth};

/// Every game, in the order in which they are tried.
pub static GAMES: &[&dyn Game] = &[
    &go::Go,
    &kinrow::TICTACTOE,
    &kinrow::GOMOKU,
    &kinrow::CARO,
    &kinrow::RENJU,
    &kinrow::KINROW,
    &xiangqi::Xiangqi,
];

/// Ways to search undecided records, each of some game: others leave it as it
/// is with them.
const SEARCHES: [&str; 5] = ["none", "vcf", "vct", "mate", "eval"];

/// Finds a game by name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Game> {
    GAMES.iter().copied().find(|game| game.name() == name)
}

/// The game of a name.
///
/// # Errors
/// One sentence that says which are known.
pub fn find(name: &str) -> Result<&'static dyn Game, String> {
    by_name(name).ok_or_else(|| {
        let known: Vec<&str> = GAMES.iter().map(|game| game.name()).collect();
        unknown("game", name, &known)
    })
}

/// Checks settings for some games before any work: rules need be known to one of
/// them.
///
/// # Errors
/// One sentence that says which setting cannot be used and what can.
pub fn check(games: &[&dyn Game], settings: &Settings) -> Result<(), String> {
    let texts = [&settings.rules, &settings.default_rules];
    for (text, _) in texts.into_iter().flatten() {
        let preset = text.split(',').next().unwrap_or_default();
        let knows = |game: &&&dyn Game| game.check_rules(preset).is_ok();
        let asked: Vec<_> = match games.iter().any(|game| knows(&game)) {
            // Others can say no more than that they do not know it.
            true => games.iter().filter(knows).collect(),
            false => games.iter().collect(),
        };
        let answers = asked.iter().map(|game| game.check_rules(text));
        let mut wrong: Vec<String> = answers.filter_map(Result::err).collect();
        if wrong.len() == asked.len() {
            // Games of one kind say the same.
            wrong.dedup();
            return Err(wrong.join("; or "));
        }
    }
    if let Some(search) = settings
        .search
        .as_deref()
        .filter(|it| !SEARCHES.contains(it))
    {
        return Err(format!(
            "unknown search '{search}'; known are none, vcf and vct (k-in-a-row), mate (xiangqi), and eval (both)"
        ));
    }
    games
        .iter()
        .try_for_each(|game| game.check(&settings.of_game(*game)))
}

/// A kind of game: its rules, its settings, and judges for it.
pub trait Game: Sync {
    /// The name used in rows.
    fn name(&self) -> &'static str;

    /// Words of the winner, first player first.
    fn sides(&self) -> [&'static str; 2];

    /// Whether games end by a count, and results have margins.
    fn has_margins(&self) -> bool {
        false
    }

    /// Checks a name or text of rules.
    ///
    /// # Errors
    /// One sentence that says what is not known and what is.
    fn check_rules(&self, text: &str) -> Result<(), String>;

    /// Whether a text names rules of this game, and not those of another one that
    /// it could be judged by as well.
    fn has_rules(&self, text: &str) -> bool {
        self.check_rules(text).is_ok()
    }

    /// Checks the settings before any work; an engine that they name is started
    /// and ended.
    ///
    /// # Errors
    /// One sentence that says which setting cannot be used and what can.
    fn check(&self, settings: &Settings) -> Result<(), String>;

    /// A judge of this game: one for each worker, with its scratch memory.
    ///
    /// # Errors
    /// Where something it needs cannot be had.
    fn judge_for(&self, settings: &Settings) -> io::Result<Box<dyn Judge>>;

    /// The same game, where it can be played by itself.
    fn selfplay(&self) -> Option<&dyn SelfPlay> {
        None
    }
}

/// Judges records of one game, one after the other.
pub trait Judge: Send {
    /// Replays a record and says what the rules say of its end.
    ///
    /// A pure function of the record, its profile and the settings, but where
    /// these name a GTP engine, which may answer otherwise another time. Faults
    /// of the record are in the judgement, never a panic.
    fn judge(
        &mut self,
        record: &Record<'_>,
        profile: Option<&Profile>,
        claim: &Claim,
        want: &Want,
    ) -> Judgement;

    /// What would reconcile the record judged last with what it claims, most
    /// likely first; what is open, where the end is not decided. Called only
    /// where the two disagree or the end is not decided.
    fn reconcile(&mut self, claim: &Claim, judgement: &Judgement) -> Vec<Reason>;

    /// The record judged last, explained next to what it claims.
    fn explain(&mut self, claim: &Claim, judgement: &Judgement, telling: Telling) -> Explanation;
}

/// Which records are counted, when counting takes life-and-death judgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Those that were not resigned, lost on time or forfeited.
    #[default]
    Counted,
    /// All of them.
    All,
}

/// What the user set, by flag or configuration; games read their part.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Rules that replace those of every record.
    pub rules: Option<(String, From)>,
    /// Rules for records that name none that are known.
    pub default_rules: Option<(String, From)>,
    /// Komi in points that replaces that of every record.
    pub komi: Option<(Points, From)>,
    /// Komi in points for records without one.
    pub default_komi: Option<(Points, From)>,
    /// How dead stones are found: a game's own word.
    pub dead: Option<String>,
    /// The command line of a GTP engine.
    pub gtp: Option<String>,
    /// Seconds that the engine has to set a position up, and again to judge it.
    pub gtp_seconds: Option<u32>,
    /// How points are counted: a game's own word.
    pub convention: Option<String>,
    /// Which records are counted.
    pub scope: Scope,
    /// How the definition of a three in renju is read.
    pub five_eye: Option<String>,
    /// What forbidden moves in renju lead to.
    pub fouls: Option<String>,
    /// Plies without a capture after which xiangqi is drawn; 0 for never.
    pub no_capture: Option<u32>,
    /// How undecided records are searched for a win: a game's own word.
    pub search: Option<String>,
    /// Positions that such a search may look at in one record.
    pub nodes: Option<u32>,
    /// Set when the run is asked to stop: nobody waits for an engine then.
    pub stop: Arc<AtomicBool>,
}

impl Settings {
    /// The settings for one game: rules that it does not know are those of
    /// another one.
    #[must_use]
    pub fn of_game(&self, game: &dyn Game) -> Self {
        let known = |rules: &Option<(String, From)>| {
            let known = rules.clone();
            known.filter(|(text, _)| game.check_rules(text).is_ok())
        };
        Self {
            rules: known(&self.rules),
            default_rules: known(&self.default_rules),
            ..self.clone()
        }
    }
}

words! {
    /// What became of the half points of an archive's margins.
    Rounding {
        /// Margins are written as they were counted.
        None = "none",
        /// Rounded away from zero: 3 was 2.5.
        Up = "up",
        /// Rounded towards zero: 3 was 3.5.
        Down = "down",
    }
}

/// How a part of an archive was counted, where that is known: stronger than
/// what its records say, weaker than what the user forces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// What rows call it.
    pub name: String,
    /// Whether it is the user's or built in.
    pub from: From,
    /// Its rules, as a game reads them.
    pub rules: Option<String>,
    /// Its komi in points.
    pub komi: Option<Points>,
    /// How points are counted: a game's own word.
    pub convention: Option<String>,
    /// What became of half points in written margins.
    pub rounding: Rounding,
}

/// A text that says rules.
pub(crate) enum RulesText<'a> {
    /// Of a profile, checked before any work.
    Profile(&'a str),
    /// Of the record, as written and not empty.
    Record(&'a [u8]),
}

/// The rules of a record that are not the default: those forced, else its
/// profile's, else its own; `read` says what a text means. What a record names
/// and nobody knows is warned of.
pub(crate) fn rules_of<R: Copy>(
    forced: Option<(R, From)>,
    profile: Option<&Profile>,
    record: &Record<'_>,
    warnings: &mut Vec<Warning>,
    mut read: impl FnMut(RulesText<'_>) -> Option<R>,
) -> Option<(R, From)> {
    if forced.is_some() {
        return forced;
    }
    let of_profile = profile.and_then(|profile| {
        let rules = read(RulesText::Profile(profile.rules.as_deref()?))?;
        Some((rules, profile.from))
    });
    if of_profile.is_some() {
        return of_profile;
    }
    let written = record.rules.map(<[u8]>::trim_ascii).unwrap_or_default();
    if written.is_empty() {
        return None;
    }
    let rules = read(RulesText::Record(written));
    if rules.is_none() {
        let text = excerpt(&record.text(written));
        warnings.push(Warning::with("unknown_rules", text, Place::Record));
    }
    rules.map(|rules| (rules, From::Record))
}

/// A count of the final position under one convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The convention, in the game's own word.
    pub convention: &'static str,
    /// The first player's lead on the board, prisoners included where they
    /// count, without komi and other compensation.
    pub board: Points,
    /// The lead with komi and compensation.
    pub margin: Points,
}

/// What a record claims of its end, as far as a judge may look at it: never
/// to bend a judgement, only to choose which work to do and to explain.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// The margin from the first player's view in points, where one is claimed.
    pub margin: Option<Points>,
    /// The outcome, where one is claimed.
    pub outcome: Option<Outcome>,
    /// Whether the play was broken off (resigned, time, forfeit).
    pub broken_off: bool,
    /// Whether it was so by resignation.
    pub resigned: bool,
    /// Whether it was so by absence, a forbidden move or another penalty.
    pub forfeited: bool,
    /// Whether it was ended by a repetition.
    pub repeated: bool,
}

/// Costly parts of a judgement that a run may ask for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Want {
    /// The owner of each point.
    pub ownership: bool,
    /// The final position.
    pub board: bool,
    /// Hash of the game under the symmetries of the board.
    pub canonical_hash: bool,
    /// Keys of the game after each step.
    pub chain: bool,
    /// The margin under every convention.
    pub counts: bool,
    /// The points forbidden to Black in renju.
    pub forbidden: bool,
    /// How many legal moves there are at the end of xiangqi.
    pub legal: bool,
}

/// What the rules say of the end of a record.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The name of the game, by its rules.
    pub game: &'static str,
    /// Columns and rows of the board.
    pub size: (u8, u8),
    /// Rules as used: preset name with the switches that differ.
    pub rules: String,
    /// Where the rules come from.
    pub rules_from: From,
    /// How points were counted, where they were.
    pub convention: Option<&'static str>,
    /// Komi as used, in points for the second player.
    pub komi: Option<Points>,
    /// Where the komi comes from.
    pub komi_from: From,
    /// Handicap stones as used for compensation.
    pub handicap: u32,
    /// Moves written on the main line.
    pub moves: u32,
    /// Moves replayed.
    pub plies: u32,
    /// How the play stopped.
    pub ended: Ending,
    /// Who won, where the board decides.
    pub outcome: Option<Outcome>,
    /// By how much, from the first player's view.
    pub margin: Option<Points>,
    /// On what grounds.
    pub basis: Option<Basis>,
    /// Points of both sides, komi included.
    pub points: Option<[Points; 2]>,
    /// Stones of both sides judged dead.
    pub dead: Option<[u32; 2]>,
    /// Points of nobody.
    pub neutral: Option<u32>,
    /// How dead stones were found.
    pub dead_from: Option<&'static str>,
    /// Probability that outcome and margin are what strong players agree on.
    pub confidence: Option<f32>,
    /// What was odd in the replay.
    pub warnings: Vec<Warning>,
    /// What stopped the replay.
    pub error: Option<ReadError>,
    /// xxh3 (128 bits) of set-up and moves.
    pub game_hash: u128,
    /// The smallest such hash over the symmetries of the board.
    pub canonical_hash: Option<u128>,
    /// Keys of the game after each step since its set-up, where they were asked
    /// for: the same under the symmetries of the board, and the same where one
    /// record begins as another.
    pub chain: Vec<u64>,
    /// Hash of the final position.
    pub position_hash: u64,
    /// Owner of each point, row-major from the top left: 1, 0, -1.
    pub ownership: Option<Vec<i8>>,
    /// Final position, row-major from the top left: 1, 0, -1. Where there are
    /// kinds of pieces, the number of the kind instead of 1.
    pub board: Option<Vec<i8>>,
    /// Final position as the game writes positions, where stones do not say all
    /// (FEN in xiangqi).
    pub diagram: Option<String>,
    /// The position counted under every convention, where it was counted.
    pub counts: Option<Vec<Count>>,
    /// Who wins by force, where a search proved it of an undecided end.
    pub proven: Option<Outcome>,
    /// The points forbidden to Black in renju, as `h8`, with blanks between them.
    pub forbidden: Option<String>,
    /// Legal moves at the end of xiangqi, and whether the side to move is in
    /// check.
    pub legal: Option<(u32, bool)>,
    /// What describes the end, whatever the record claims.
    pub remarks: Vec<Reason>,
}

/// Something that would reconcile a claim, or that describes a disagreement:
/// `word[=value][@where]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// One machine word.
    pub word: &'static str,
    /// Its value, where it has one.
    pub value: Option<String>,
}

impl Reason {
    /// A reason without a value.
    #[must_use]
    pub const fn new(word: &'static str) -> Self {
        Self { word, value: None }
    }

    /// A reason with a value.
    #[must_use]
    pub fn with(word: &'static str, value: impl Into<String>) -> Self {
        Self {
            word,
            value: Some(value.into()),
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word)?;
        match &self.value {
            // Only where.
            Some(value) if value.starts_with('@') => f.write_str(value),
            Some(value) => write!(f, "={value}"),
            None => Ok(()),
        }
    }
}
