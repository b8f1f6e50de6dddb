//! The judge of k-in-a-row records: replay, and who has won.

use super::{
    KInRow,
    board::Point,
    explain,
    foul::{self, Shape},
    point,
    position::Position,
    replay::Replay,
    resolve::{self, Resolver},
    rules::{Fouls, PRESETS, Rules},
    search::{Forced, Search},
    searcher::Searcher,
};
use crate::{
    game::{
        Candidate, Claim, Explanation, Judge, Judgement, Profile, Reason, Settings, Telling, Want,
        Worth,
    },
    outcome::{Basis, Ending, From, Outcome, Side},
    record::Record,
    search::{Found, Limits},
};

/// Judges records of one of the games.
pub struct KInRowJudge {
    resolver: Resolver,
    pub(super) replay: Replay,
    /// For the record judged last under other rules.
    other: Replay,
    search: Search,
    /// Positions that a search may look at in one record.
    nodes: u32,
    /// Says what undecided ends are worth.
    evaluator: Option<Searcher>,
    /// Positions that it, or who looks for candidates, may look at in one record.
    eval_nodes: u32,
    pub(super) last: Last,
}

/// The record judged last, for what is asked about it afterwards.
#[derive(Debug)]
pub(super) struct Last {
    pub(super) rules: Rules,
    /// The forbidden move that the record says ended it.
    pub(super) foul_claimed: Option<Shape>,
    /// Wins that a search found where the board does not decide.
    pub(super) forced: Forced,
    /// What the end is worth, where that was asked for.
    pub(super) worth: Option<Worth>,
}

impl KInRowJudge {
    /// A judge of a game under some settings.
    ///
    /// # Errors
    /// One sentence that names what cannot be used and what can.
    pub(super) fn new(game: &KInRow, settings: &Settings) -> Result<Self, String> {
        let preset = game.preset();
        let (with_threes, nodes) = match settings.search.as_deref() {
            Some("vct") => (true, settings.nodes.unwrap_or(THREES_NODES)),
            Some("none") => (false, 0),
            Some("eval") => (false, NODES),
            // Other words are those of other games.
            _ => (false, settings.nodes.unwrap_or(NODES)),
        };
        Ok(Self {
            resolver: Resolver::new(preset, settings)?,
            replay: Replay::new(),
            other: Replay::new(),
            search: Search::new(with_threes),
            nodes,
            evaluator: (settings.search.as_deref() == Some("eval")).then(Searcher::default),
            eval_nodes: settings.nodes.unwrap_or(EVAL_NODES),
            last: Last {
                rules: preset,
                foul_claimed: None,
                forced: Forced::default(),
                worth: None,
            },
        })
    }

    /// Says what an undecided end is worth: nothing of it is a proof, but for the
    /// win that was found before.
    fn evaluate(&mut self) -> Option<Worth> {
        let searcher = self.evaluator.as_mut()?;
        let side = self.replay.to_move?;
        if self.replay.ended != Ending::Open || self.eval_nodes == 0 {
            return None;
        }
        let rows = self.replay.board.size().1;
        let forced = &self.last.forced;
        if let Some(winner) = forced.winner {
            let mut position = Position::new(&self.replay.board, &self.last.rules, side);
            let line = position.play_forced(&forced.line, winner);
            let line = line.iter().map(|at| name_of(*at, rows));
            return Some(Worth::proven(line.collect(), winner));
        }
        let limits = Limits::nodes(self.eval_nodes.into());
        let found = searcher.search(&self.replay.board, &self.last.rules, side, limits);
        Some(Worth::of(&found, side, |at| name_of(*at, rows)))
    }

    /// Moves that could be made at an undecided end.
    pub(super) fn candidates(&mut self, most: usize) -> Vec<Candidate> {
        let Some(side) = self.replay.to_move else {
            return Vec::new();
        };
        if self.replay.ended != Ending::Open || self.eval_nodes == 0 {
            return Vec::new();
        }
        let (board, rules) = (&self.replay.board, &self.last.rules);
        let nodes = self.eval_nodes.into();
        let found = Searcher::default().candidates(board, rules, side, nodes, most);
        let rows = board.size().1;
        let candidate = |found: &Found<Option<Point>>| Candidate {
            at: found
                .line
                .first()
                .and_then(|at| at.map(|at| (at.column, at.row))),
            worth: Worth::of(found, side, |at| name_of(*at, rows)),
        };
        found.iter().map(candidate).collect()
    }

    /// Why there are no candidates, where there are none.
    pub(super) fn no_candidates(&self) -> &'static str {
        match (self.replay.ended, self.replay.to_move) {
            (Ending::Open, None) => "it is not known who is to move",
            (Ending::Open, Some(_)) => "no position may be looked at (--nodes 0)",
            _ => "the play has ended",
        }
    }

    /// Every point that is forbidden to Black, and why, row by row; none once
    /// the game has ended.
    pub(super) fn forbidden(&mut self) -> Vec<(Point, Shape)> {
        let rules = self.last.rules;
        let ended = matches!(
            self.replay.ended,
            Ending::Line | Ending::Foul | Ending::Full
        );
        if rules.fouls == Fouls::Off || ended {
            return Vec::new();
        }
        let board = &mut self.replay.board;
        let empty: Vec<Point> = board.points().filter(|at| board.is_empty(*at)).collect();
        let shapes = empty
            .into_iter()
            .map(|at| (at, foul::shape(board, at, rules.five_eye)));
        shapes.filter(|(_, shape)| shape.is_foul()).collect()
    }

    /// What describes the end judged last.
    fn remarks(&self) -> Vec<Reason> {
        let foul = self.replay.foul.map(|foul| {
            let value = format!("{}@{}", foul.shape.word(), self.name(foul.point));
            Reason::with("foul", value)
        });
        let worth = self.last.worth.iter().flat_map(Worth::reasons);
        foul.into_iter().chain(worth).collect()
    }

    /// The name of a point.
    pub(super) fn name(&self, point: Point) -> String {
        point::name(point, self.replay.board.size().1)
    }

    /// Where the record says that a forbidden move ended the game and does not
    /// write it: which, and the point if there is only one such.
    ///
    /// Where nothing is said of how White won, and Black was to move and had
    /// forbidden points, one of them is what explains it.
    fn claimed_foul(&mut self, claim: &Claim, reasons: &mut Vec<Reason>) {
        let claimed = self.last.foul_claimed;
        let is_silent = claim.outcome == Some(Outcome::Win(Side::Second))
            && (!claim.broken_off || claim.forfeited)
            && self.replay.ended == Ending::Open
            && self.replay.to_move == Some(Side::First);
        if self.replay.foul.is_some() || (claimed.is_none() && !is_silent) {
            return;
        }
        let mut fits = self.forbidden();
        fits.retain(|(_, shape)| claimed.is_none_or(|claimed| claimed == *shape));
        let first = fits.first().map(|(_, shape)| *shape);
        let alike = first.filter(|first| fits.iter().all(|(_, shape)| shape == first));
        let word = match (claimed.or(alike), first) {
            (Some(shape), _) => shape.word(),
            (None, Some(_)) => "foul",
            (None, None) => return,
        };
        let value = match fits[..] {
            [(only, _)] => format!("{word}@{}", self.name(only)),
            _ => word.to_owned(),
        };
        reasons.push(Reason::with("foul_claimed", value));
        if fits.is_empty() && self.last.rules.fouls != Fouls::Off {
            reasons.push(Reason::new("no_such_foul"));
        }
    }

    /// Rules under which the record comes to what it claims.
    fn other_rules(&mut self, claimed: Outcome, reasons: &mut Vec<Reason>) {
        let used = self.last.rules;
        let switched = [Fouls::Claimed, Fouls::Off]
            .into_iter()
            .filter(|_| used.fouls != Fouls::Off)
            .map(|fouls| Rules { fouls, ..used });
        let presets = PRESETS
            .into_iter()
            .filter(|rules| rules.line == used.line && rules.preset != "kinrow");
        let drawn_early = std::iter::once(Rules {
            draw_at: DRAW_AT,
            ..used
        });
        let all = drawn_early.filter(|_| used.draw_at == 0);
        let all = all.chain(switched).chain(presets);
        for rules in all.filter(|rules| *rules != used) {
            self.other.run_again(&self.replay, &rules);
            if outcome(&self.other).map(|(outcome, _)| outcome) == Some(claimed) {
                reasons.push(Reason::with("rules", rules.to_string()));
                return;
            }
        }
    }

    /// What a search says against the claimed winner of a game that was broken
    /// off: the loser could win by force, or nothing threatened who gave up.
    fn threats(&self, claimed: Outcome, resigned: bool, reasons: &mut Vec<Reason>) {
        let (Outcome::Win(winner), forced) = (claimed, &self.last.forced) else {
            return;
        };
        if forced.winner == Some(winner.other()) {
            let line: Vec<String> = forced.line.iter().map(|at| self.name(*at)).collect();
            reasons.push(Reason::with("loser_wins", line.join(",")));
        } else if resigned && forced.winner.is_none() && forced.fours[winner.index()] == Some(false)
        {
            reasons.push(Reason::new("no_threat"));
        }
    }

    /// The move that the record lacks for the claimed winner to have a line.
    fn last_move(&self, claimed: Outcome, reasons: &mut Vec<Reason>) {
        let Outcome::Win(side) = claimed else {
            return;
        };
        if self.replay.ended != Ending::Open || self.replay.to_move != Some(side) {
            return;
        }
        let (board, rules) = (&self.replay.board, &self.last.rules);
        let mut wins = board
            .points()
            .filter(|at| board.is_empty(*at) && board.wins(rules, side, *at));
        if let Some(at) = wins.next() {
            reasons.push(Reason::with("last_move", self.name(at)));
        }
    }
}

/// Positions that a search may look at in one record unless told otherwise.
const NODES: u32 = 5_000;

/// The same for what the end is worth.
const EVAL_NODES: u32 = 20_000;

/// The same where threes are searched too.
const THREES_NODES: u32 = 20_000;

/// Empty points at which the managers of Gomocup call a game drawn.
const DRAW_AT: u16 = 25;

/// The name of a move.
fn name_of(it: Option<Point>, rows: u8) -> String {
    it.map_or_else(|| "pass".to_owned(), |at| point::name(at, rows))
}

/// Who has won, and on what grounds, where the board says so.
fn outcome(replay: &Replay) -> Option<(Outcome, Basis)> {
    Some(match replay.ended {
        Ending::Line => (Outcome::Win(replay.line?.side), Basis::Line),
        Ending::Foul => (Outcome::Win(Side::Second), Basis::Foul),
        Ending::Full => (Outcome::Draw, Basis::Full),
        Ending::Limit => (Outcome::Draw, Basis::Limit),
        Ending::Passes => (Outcome::Draw, Basis::Passes),
        _ => return None,
    })
}

impl Judge for KInRowJudge {
    fn judge(
        &mut self,
        record: &Record<'_>,
        profile: Option<&Profile>,
        _: &Claim,
        want: &Want,
    ) -> Judgement {
        let mut warnings = Vec::new();
        let (rules, rules_from) = self.resolver.rules(record, profile, &mut warnings);
        let size = resolve::size(record, &rules);
        self.replay.run(record, size, &rules);
        warnings.append(&mut self.replay.warnings);
        let ending = record.ending.map(|text| record.text(text).to_lowercase());
        let decided = outcome(&self.replay);
        let forced = match (self.replay.to_move, self.replay.ended) {
            (Some(side), Ending::Open) if self.nodes > 0 => {
                let board = &mut self.replay.board;
                self.search.forced(board, &rules, side, self.nodes)
            }
            _ => Forced::default(),
        };
        self.last = Last {
            rules,
            foul_claimed: ending.and_then(|text| claimed_shape(&text)),
            forced,
            worth: None,
        };
        self.last.worth = self.evaluate();
        let forbidden = want.forbidden.then(|| {
            let points = self.forbidden();
            let names: Vec<String> = points.iter().map(|(at, _)| self.name(*at)).collect();
            names.join(" ")
        });
        let error = self.replay.error.take();
        let replay = &self.replay;
        Judgement {
            game: rules.game(),
            size,
            rules: rules.to_string(),
            rules_from,
            convention: None,
            komi: None,
            komi_from: From::Default,
            handicap: 0,
            moves: replay.moves,
            plies: replay.plies,
            ended: replay.ended,
            outcome: decided.map(|(outcome, _)| outcome),
            margin: None,
            basis: decided.map(|(_, basis)| basis),
            points: None,
            dead: None,
            neutral: None,
            dead_from: None,
            confidence: decided.map(|_| 1.0),
            warnings,
            error,
            game_hash: replay.script.hash(),
            canonical_hash: want.canonical_hash.then(|| replay.script.canonical_hash()),
            chain: if want.chain {
                replay.script.chain()
            } else {
                Vec::new()
            },
            position_hash: replay.board.hash(),
            ownership: None,
            board: want.board.then(|| replay.cells()),
            counts: None,
            proven: self.last.forced.winner.map(Outcome::Win),
            forbidden,
            diagram: None,
            legal: None,
            remarks: self.remarks(),
        }
    }

    fn reconcile(&mut self, claim: &Claim, judgement: &Judgement) -> Vec<Reason> {
        let mut reasons = Vec::new();
        self.claimed_foul(claim, &mut reasons);
        if let Some(claimed) = claim.outcome.filter(|it| judgement.outcome != Some(*it)) {
            if !claim.broken_off {
                self.last_move(claimed, &mut reasons);
            }
            self.threats(claimed, claim.resigned, &mut reasons);
            if judgement.outcome.is_some() || !claim.broken_off {
                self.other_rules(claimed, &mut reasons);
            }
        }
        reasons
    }

    fn explain(&mut self, claim: &Claim, judgement: &Judgement, telling: Telling) -> Explanation {
        explain::explain(self, claim, judgement, telling)
    }
}

/// The forbidden move that a text such as `Black play forbidden move - double
/// three` names, given in lower case.
fn claimed_shape(text: &str) -> Option<Shape> {
    let shapes = [
        ("overline", Shape::Overline),
        ("double four", Shape::DoubleFour),
        ("double three", Shape::DoubleThree),
        ("double_four", Shape::DoubleFour),
        ("double_three", Shape::DoubleThree),
    ];
    let named = shapes.into_iter().find(|(name, _)| text.contains(name));
    named.map(|(_, shape)| shape)
}
