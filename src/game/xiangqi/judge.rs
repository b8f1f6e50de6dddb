//! The judge of xiangqi records: replay, and who has won.

use super::{
    board::Board,
    explain, fen,
    mate::{Found, MateSearch},
    material::Material,
    notation::{Script, chinese},
    piece::{FILES, Move, RANKS},
    position::Position,
    repetition::{Tier, Verdict},
    replay::Replay,
    rules::Rules,
};
use crate::{
    game::{
        Candidate, Claim, Explanation, Judge, Judgement, Profile, Reason, RulesText, Settings,
        Telling, Want, Worth, rules_of,
    },
    outcome::{Basis, Ending, From, Outcome},
    record::{Record, Warning},
    search::{self, Limits, Search},
};

/// Positions that a search may look at in one record unless told otherwise.
const NODES: u32 = 300;

/// The same for a search that evaluates.
const EVAL_NODES: u32 = 20_000;

/// When undecided records are searched for a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Searched {
    Never,
    /// Where nothing else says who has won.
    Silent,
    Always,
}

/// Judges xiangqi records.
pub struct XiangqiJudge {
    forced: Option<(Rules, From)>,
    default: Option<(Rules, From)>,
    no_capture: Option<u32>,
    searched: Searched,
    nodes: u32,
    pub(super) replay: Replay,
    search: MateSearch,
    /// Says what undecided ends are worth.
    evaluator: Option<Search<Board>>,
    /// Positions that it, or who looks for candidates, may look at in one record.
    eval_nodes: u32,
    pub(super) last: Last,
}

/// The record judged last, for what is asked about it afterwards.
#[derive(Debug, Default)]
pub(super) struct Last {
    /// A mate that a search found where the board does not decide.
    pub(super) mate: Vec<Move>,
    /// What the end is worth, where that was asked for.
    pub(super) worth: Option<Worth>,
}

impl XiangqiJudge {
    /// A judge under some settings.
    ///
    /// # Errors
    /// One sentence that names what cannot be used and what can.
    pub(super) fn new(settings: &Settings) -> Result<Self, String> {
        let parse = |setting: &Option<(String, From)>| match setting {
            Some((text, from)) => Rules::parse(text).map(|rules| Some((rules, *from))),
            None => Ok(None),
        };
        let start = fen::read(fen::START)?;
        let evaluates = settings.search.as_deref() == Some("eval");
        Ok(Self {
            forced: parse(&settings.rules)?,
            default: parse(&settings.default_rules)?,
            no_capture: settings.no_capture,
            searched: match settings.search.as_deref() {
                Some("none") => Searched::Never,
                Some("mate" | "eval") => Searched::Always,
                _ => Searched::Silent,
            },
            nodes: match evaluates {
                true => NODES,
                false => settings.nodes.unwrap_or(NODES),
            },
            replay: Replay::new(start),
            search: MateSearch::default(),
            evaluator: evaluates.then(Search::default),
            eval_nodes: settings.nodes.unwrap_or(EVAL_NODES),
            last: Last::default(),
        })
    }

    /// The rules of a record: those forced, else its profile's, else its own,
    /// else the default.
    fn rules(
        &self,
        record: &Record<'_>,
        profile: Option<&Profile>,
        warnings: &mut Vec<Warning>,
    ) -> (Rules, From) {
        let read = |text: RulesText<'_>| match text {
            RulesText::Profile(text) => Rules::parse(text).ok(),
            RulesText::Record(text) => Rules::parse(&record.text(text)).ok(),
        };
        let found = rules_of(self.forced, profile, record, warnings, read);
        let (mut rules, from) = found
            .or(self.default)
            .unwrap_or((Rules::DEFAULT, From::Default));
        if let Some(plies) = self.no_capture {
            rules.set_no_capture(plies);
        }
        (rules, from)
    }

    /// Looks for a mate where the board does not decide.
    fn search(&mut self, claim: &Claim) -> Option<Outcome> {
        let wanted = match self.searched {
            Searched::Never => false,
            Searched::Silent => claim.outcome.is_none(),
            Searched::Always => true,
        };
        if !wanted || self.replay.ended != Ending::Open || self.nodes == 0 {
            return None;
        }
        match self.search.search(&mut self.replay.position, self.nodes) {
            Found::Mate(line) => {
                self.last.mate = line;
                Some(Outcome::Win(self.replay.position.turn()))
            }
            Found::None | Found::Unknown => None,
        }
    }

    /// Says what an undecided end is worth: nothing of it is a proof, but for the
    /// mate that was found before.
    fn evaluate(&mut self, rules: &Rules) {
        let Some(search) = &mut self.evaluator else {
            return;
        };
        if self.replay.ended != Ending::Open || self.eval_nodes == 0 {
            return;
        }
        let turn = self.replay.position.turn();
        if !self.last.mate.is_empty() {
            let line = self.last.mate.iter().map(ToString::to_string);
            self.last.worth = Some(Worth::proven(line.collect(), turn));
            return;
        }
        let material = rules.material != Material::None;
        let mut board = Board::after(&self.replay.history, material);
        let found = search.search(&mut board, Limits::nodes(self.eval_nodes.into()));
        self.last.worth = Some(Worth::of(&found, turn, ToString::to_string));
    }

    /// Moves that could be made at an undecided end.
    pub(super) fn candidates(&mut self, most: usize) -> Vec<Candidate> {
        if self.replay.ended != Ending::Open || !self.replay.is_set_up || self.eval_nodes == 0 {
            return Vec::new();
        }
        let mut board = Board::after(&self.replay.history, true);
        let mut search = Search::default();
        let found = search.candidates(&mut board, self.eval_nodes.into(), most);
        let candidate = |found: &search::Found<Move>| Candidate {
            at: found.line.first().map(|it| (it.to.file(), it.to.row())),
            worth: Worth::of(found, self.replay.position.turn(), ToString::to_string),
        };
        found.iter().map(candidate).collect()
    }

    /// What describes the end judged last.
    fn remarks(&self) -> Vec<Reason> {
        let repeated = self.replay.repeated.map(|verdict| {
            let ends = self.replay.ended == Ending::Repetition;
            repeated(&verdict, ends)
        });
        let worth = self.last.worth.iter().flat_map(Worth::reasons);
        repeated.into_iter().chain(worth).collect()
    }
}

impl Judge for XiangqiJudge {
    fn judge(
        &mut self,
        record: &Record<'_>,
        profile: Option<&Profile>,
        claim: &Claim,
        want: &Want,
    ) -> Judgement {
        let mut warnings = Vec::new();
        let (rules, rules_from) = self.rules(record, profile, &mut warnings);
        self.replay.run(record);
        let outcome = self.replay.finish(&rules);
        warnings.append(&mut self.replay.warnings);
        self.last = Last::default();
        let proven = match outcome {
            None => self.search(claim),
            Some(_) => None,
        };
        if outcome.is_none() {
            self.evaluate(&rules);
        }
        let remarks = self.remarks();
        let replay = &mut self.replay;
        let side = replay.position.turn();
        let legal = (want.legal && replay.is_set_up).then(|| {
            (
                replay.position.count_legal(),
                replay.position.in_check(side),
            )
        });
        Judgement {
            game: "xiangqi",
            size: (FILES, RANKS),
            rules: rules.to_string(),
            rules_from,
            convention: None,
            komi: None,
            komi_from: From::Default,
            handicap: 0,
            moves: replay.moves,
            plies: replay.plies,
            ended: replay.ended,
            outcome,
            margin: None,
            basis: outcome.and_then(|_| basis(replay.ended)),
            points: None,
            dead: None,
            neutral: None,
            dead_from: None,
            confidence: outcome.map(|_| confidence(replay.ended, replay.repeated.as_ref())),
            warnings,
            error: replay.error.take(),
            game_hash: replay.hash(),
            canonical_hash: want.canonical_hash.then(|| replay.canonical_hash()),
            chain: if want.chain {
                replay.chain()
            } else {
                Vec::new()
            },
            position_hash: replay.position.key(),
            ownership: None,
            board: (want.board && replay.is_set_up).then(|| fen::cells(&replay.position)),
            diagram: (want.board && replay.is_set_up).then(|| fen::write(&replay.position)),
            counts: None,
            proven,
            forbidden: None,
            legal,
            remarks,
        }
    }

    fn reconcile(&mut self, claim: &Claim, judgement: &Judgement) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if claim.repeated && judgement.basis != Some(Basis::Repetition) {
            reasons.push(Reason::new("no_repetition"));
        }
        let (Some(Outcome::Win(winner)), None) = (claim.outcome, judgement.outcome) else {
            return reasons;
        };
        let turn = self.replay.position.turn();
        if winner != turn && !self.last.mate.is_empty() {
            let line: Vec<String> = self.last.mate.iter().map(ToString::to_string).collect();
            reasons.push(Reason::with("loser_mates", line.join(",")));
        }
        reasons
    }

    fn explain(&mut self, claim: &Claim, judgement: &Judgement, telling: Telling) -> Explanation {
        explain::explain(self, claim, judgement, telling)
    }
}

/// Moves from a position on, in Chinese.
pub(super) fn chinese_line(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let each = moves.iter().map(|it| {
        let token = chinese(&position, *it, Script::Traditional);
        position.make(*it);
        token
    });
    each.collect()
}

/// What each side did in the repetition that ends a game; else where the first
/// one was that nobody made use of.
fn repeated(verdict: &Verdict, ends: bool) -> Reason {
    let [red, black] = verdict.tiers.map(Tier::word);
    let value = match ends {
        true => format!("red:{red},black:{black}"),
        false => format!("@{}", verdict.until),
    };
    Reason::with("repetition", value)
}

const fn basis(ended: Ending) -> Option<Basis> {
    Some(match ended {
        Ending::Mate => Basis::Mate,
        Ending::Stalemate => Basis::Stalemate,
        Ending::Repetition => Basis::Repetition,
        Ending::NoCapture => Basis::NoCapture,
        Ending::Material => Basis::Material,
        _ => return None,
    })
}

/// How often written results are those of such an end: n of m are taken as
/// (n + 1) / (m + 2). Counted in 6,471 records of all formats, most of games that
/// were played under Chinese rules.
fn confidence(ended: Ending, repeated: Option<&Verdict>) -> f32 {
    match (ended, repeated) {
        (Ending::Repetition, Some(verdict)) => match verdict.loser {
            // 198 of 199.
            None => 0.99,
            Some(loser) => match verdict.tiers[loser.index()] {
                // 7 of 7.
                Tier::Check => 0.89,
                // None of 17: all were drawn.
                Tier::Chase | Tier::Idle => 0.05,
            },
        },
        // 17 of 18.
        (Ending::NoCapture, _) => 0.9,
        // 20 of 25 in archives of some 100,000 records.
        (Ending::Material, _) => 0.78,
        _ => 1.0,
    }
}
