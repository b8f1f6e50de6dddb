//! The judge of Go records: replay, find the dead, count.

use std::mem;

use super::{
    DeadBy,
    board::{Cell, Point},
    confidence::{Kept, Signs},
    dead::{Clarity, DeadStones, Verdict},
    engine::{Engine, Trouble},
    finish::{Finished, Finisher},
    marks::Marks,
    replay::Replay,
    resolve::{self, Resolved, Resolver},
    rules::{CHINESE, JAPANESE, Rules, Scoring},
    score::{Convention, Counted, Counter, Play},
};
use crate::{
    game::{
        Claim, Count, Explanation, Judge, Judgement, Profile, Reason, Scope, Settings, Telling,
        Want,
    },
    outcome::{Basis, Ending, Outcome, Points, Side},
    record::{Place, Record, Warning},
    suggest::nearest,
};

/// Judges Go records, one after the other.
pub struct GoJudge {
    resolver: Resolver,
    dead_by: DeadBy,
    convention: Option<Convention>,
    scope: Scope,
    replay: Replay,
    counter: Counter,
    dead_stones: DeadStones,
    /// Where one is to find dead stones.
    engine: Option<Engine>,
    finisher: Finisher,
    last: Last,
    /// Rules met, as rows show them.
    shown: Vec<(Rules, String)>,
}

/// The position judged last, for what is asked about it afterwards.
#[derive(Debug, Default)]
pub(super) struct Last {
    pub(super) rules: Option<Rules>,
    pub(super) komi: Points,
    pub(super) handicap: u32,
    pub(super) dead: Vec<Point>,
    pub(super) unsure: Vec<Point>,
    /// How dead stones were found.
    pub(super) dead_from: &'static str,
    /// Whether the record marks who owns what, as after an agreed end.
    pub(super) is_marked: bool,
    /// What our own judge said, where it was asked.
    pub(super) verdict: Option<Verdict>,
    /// What playing on came to, where it was tried.
    pub(super) finished: Option<Finished>,
    /// Points between the territory margins.
    pub(super) apart: Points,
    /// Points that nobody owns by strict territory, and those of them that only
    /// have to be filled.
    pub(super) neutral: u32,
    pub(super) to_fill: u32,
    /// Whether more than the rules said by which convention it is counted.
    pub(super) is_set: bool,
    /// What gives reason to doubt the margin.
    pub(super) signs: Option<Signs>,
}

impl Last {
    /// Forgets the record before.
    fn begin(&mut self, rules: Rules, komi: Points, handicap: u32) {
        let (mut dead, mut unsure) = (mem::take(&mut self.dead), mem::take(&mut self.unsure));
        dead.clear();
        unsure.clear();
        *self = Self {
            rules: Some(rules),
            komi,
            handicap,
            dead,
            unsure,
            ..Self::default()
        };
    }
}

/// Playing on is not believed if it changes the margin by more points: what is
/// won or lost then was no small gain.
pub(super) const MOST_GAINED: i32 = 3;

/// The part of a board that may be open (a region between living stones of
/// both sides) before a count is refused: a thirtieth of its points, a twelfth
/// where both players passed, but at least so many.
const OPEN_PART: u32 = 30;
const AGREED_PART: u32 = 12;
const SMALLEST_PART: u32 = 6;

/// Where fewer points than one in so many hold a stone, nothing is finished.
const FEW_STONES: u32 = 10;

/// The text of so many rules is kept: archives mix a few.
const MAX_SHOWN: usize = 8;

/// Measured share of exact margins with marked territory.
const MARKED_CONFIDENCE: f32 = 0.95;

/// The same for what an engine lists. GNU Go's lists (level 1, scripts/peers.py)
/// led to the written margin of 436 of 446 finished server games; other engines
/// may be weaker.
const ENGINE_CONFIDENCE: f32 = 0.95;

/// No count is surer, so kifu did not write more.
const MOST_TOLD: f32 = 0.97;

/// Measured share of exact margins where no stone is taken off: hardly any
/// on finished 19x19 boards, more than a third on small ones.
const RAW_CONFIDENCE: [(u32, f32); 2] = [(100, 0.42), (u32::MAX, 0.02)];

/// How kifu counted a record that it wrote.
#[derive(Clone, Copy)]
struct Told {
    /// None where that followed from the rules.
    convention: Option<Convention>,
    confidence: f32,
}

/// Whether kifu wrote how it counted a record.
pub(crate) fn is_counted(record: &Record<'_>) -> bool {
    record.counted.and_then(Told::of).is_some()
}

impl Told {
    /// As [`Record::counted`] has it.
    fn of(written: &[u8]) -> Option<Self> {
        let (word, confidence) = std::str::from_utf8(written).ok()?.trim().split_once(':')?;
        let convention = match word {
            "rules" => None,
            word => Some(Convention::of_word(word)?),
        };
        let confidence = confidence.parse().ok()?;
        (0.0..=MOST_TOLD).contains(&confidence).then_some(Self {
            convention,
            confidence,
        })
    }
}

impl GoJudge {
    /// A judge under some settings.
    ///
    /// # Errors
    /// One sentence that names what cannot be used and what can.
    pub fn new(settings: &Settings) -> Result<Self, String> {
        let choice = |what: &str, text: &str, known: &[&str]| {
            let hint = nearest(text, known)
                .map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            format!(
                "unknown {what} '{text}'; known are {}{hint}",
                known.join(", ")
            )
        };
        let dead_by = match &settings.dead {
            None => DeadBy::Auto,
            Some(word) => DeadBy::of_word(word).ok_or_else(|| {
                let known: Vec<&str> = DeadBy::ALL.iter().map(|by| by.word()).collect();
                choice("way to find dead stones", word, &known)
            })?,
        };
        let engine = match dead_by {
            DeadBy::Gtp => Some(Engine::new(settings)?),
            _ if settings.gtp.is_some() || settings.gtp_seconds.is_some() => {
                return Err(format!(
                    "--gtp and --gtp-seconds are for --dead gtp, and not for --dead {}: \
                     write --dead gtp, or leave them out",
                    dead_by.word()
                ));
            }
            _ => None,
        };
        let convention = match &settings.convention {
            None => None,
            Some(word) => Some(Convention::of_word(word).ok_or_else(|| {
                let known: Vec<&str> = Convention::ALL.iter().map(|item| item.word()).collect();
                choice("convention", word, &known)
            })?),
        };
        Ok(Self {
            resolver: Resolver::new(settings)?,
            dead_by,
            convention,
            scope: settings.scope,
            replay: Replay::new(),
            counter: Counter::new(),
            dead_stones: DeadStones::new(),
            engine,
            finisher: Finisher::default(),
            last: Last::default(),
            shown: Vec::new(),
        })
    }

    /// Starts the engine, where there is one, and ends it.
    ///
    /// # Errors
    /// One sentence where it cannot be started.
    pub(super) fn try_engine(&self) -> Result<(), String> {
        self.engine.as_ref().map_or(Ok(()), Engine::try_start)
    }

    pub(super) fn parts(&mut self) -> (&Replay, &mut Counter, &Last) {
        (&self.replay, &mut self.counter, &self.last)
    }

    /// The convention that points are counted by, and whether more than the rules
    /// said so: the user, else kifu in a record that it wrote, or the profile, these
    /// two unless forced rules count something else.
    fn convention(
        &self,
        told: Option<Told>,
        profile: Option<&Profile>,
        rules: &Rules,
    ) -> (Convention, bool) {
        let of_rules = Convention::of_rules(rules);
        let of_profile = || Convention::of_word(profile?.convention.as_deref()?);
        let told = told.map_or_else(of_profile, |told| told.convention);
        let fits = |convention: &Convention| {
            !self.resolver.is_forced() || convention.is_territory() == of_rules.is_territory()
        };
        let said = self.convention.or_else(|| told.filter(fits));
        (said.unwrap_or(of_rules), said.is_some())
    }

    fn show(&mut self, rules: &Rules) -> String {
        if let Some((_, text)) = self.shown.iter().find(|(known, _)| known == rules) {
            return text.clone();
        }
        self.shown.truncate(MAX_SHOWN - 1);
        self.shown.push((*rules, rules.to_string()));
        rules.to_string()
    }

    /// The handicap that compensation is given for: as written, where as many
    /// stones are on the board; or where all that is known is a position with
    /// stones of both sides, among which nothing tells them.
    fn handicap(&self, written: u32, warnings: &mut Vec<Warning>) -> u32 {
        if written < 2 {
            return 0;
        }
        let Replay {
            setup, opening_run, ..
        } = &self.replay;
        let as_setup = *setup == [written, 0];
        let as_moves = *setup == [0, 0] && *opening_run == written;
        let is_position = self.replay.moves == 0 && setup[0] >= written && setup[1] > 0;
        if as_setup || as_moves || is_position {
            return written;
        }
        let stones = if *setup == [0, 0] {
            *opening_run
        } else {
            setup[0]
        };
        warnings.push(Warning::with(
            "handicap_mismatch",
            format!("HA {written} for {stones}"),
            Place::Record,
        ));
        0
    }

    /// Finds the dead stones; says how, and what the margin is right in at most.
    fn find_dead(
        &mut self,
        record: &Record<'_>,
        rules: &Rules,
        warnings: &mut Vec<Warning>,
    ) -> (&'static str, f32) {
        // A record without a stone is no game that somebody could agree on.
        if self.replay.plies == 0 && self.replay.setup == [0, 0] {
            return ("none", 0.0);
        }
        if self.dead_by != DeadBy::None {
            self.replay.board.find_chains();
        }
        let by_marks = matches!(self.dead_by, DeadBy::Marked | DeadBy::Auto);
        if by_marks && !record.marks.is_empty() {
            self.marked_dead(record);
            if self.last.is_marked || self.dead_by == DeadBy::Marked {
                return ("marked", MARKED_CONFIDENCE);
            }
            warnings.push(Warning::new("partial_marks", Place::Record));
        }
        if let Some(engine) = &mut self.engine {
            match engine.judge(&self.replay.board, self.last.komi) {
                Ok(dead) => {
                    self.last.dead = dead;
                    return ("engine", ENGINE_CONFIDENCE);
                }
                Err(trouble) => {
                    let (word, why) = match trouble {
                        Trouble::Failed(why) => ("engine_failed", why),
                        Trouble::Refused(why) => ("engine_refused", why),
                        Trouble::Interrupted => ("engine_failed", "interrupted"),
                    };
                    warnings.push(Warning::with(word, why, Place::Record));
                }
            }
        }
        if matches!(self.dead_by, DeadBy::Playout | DeadBy::Auto | DeadBy::Gtp) {
            let verdict = self.dead_stones.judge(&self.replay.board, rules.suicide);
            self.last.dead.clone_from(&verdict.dead);
            self.last.unsure.clone_from(&verdict.unsure);
            self.last.verdict = Some(verdict);
            return ("judged", 1.0);
        }
        let (columns, rows) = self.replay.board.size();
        let points = u32::from(columns) * u32::from(rows);
        let raw = RAW_CONFIDENCE.iter().find(|(limit, _)| points <= *limit);
        ("none", raw.map_or(0.0, |(_, rate)| *rate))
    }

    /// Takes the dead stones that a record marks, and looks whether it marks a
    /// whole count.
    fn marked_dead(&mut self, record: &Record<'_>) {
        let marks = Marks::of(record, &self.replay.board);
        self.last.dead = marks.dead(&self.replay.board);
        self.count(Convention::TerritoryFlood, &JAPANESE);
        let (board, dead) = (&self.replay.board, &self.last.dead);
        self.last.is_marked = marks.are_whole(board, dead, self.counter.owner());
    }

    /// Whether the end of a record is counted.
    fn is_counted(&self, claim: &Claim) -> bool {
        self.replay.ended != Ending::Illegal && (self.scope == Scope::All || !claim.broken_off)
    }

    /// The final position under every convention: those of the other kind under
    /// the usual rules of that kind, as somebody who counts so plays by those.
    fn counts(&mut self, rules: &Rules) -> Vec<Count> {
        let added = rules.compensation(self.last.komi, self.last.handicap, self.replay.first_pass);
        // So that the counts below are of this position.
        self.count(Convention::AreaDameIgnored, rules);
        let count = |convention: &Convention| {
            let usual = match (convention.is_territory(), rules.scoring) {
                (true, Scoring::Area) => &JAPANESE,
                (false, Scoring::Territory) => &CHINESE,
                _ => rules,
            };
            let (board, play) = (&self.replay.board, self.replay.play_for(usual));
            let counted = self.counter.count_again(board, *convention, usual, play);
            Count {
                convention: convention.word(),
                board: margin(counted.points, [Points::ZERO; 2]),
                margin: margin(counted.points, added),
            }
        };
        Convention::ALL.iter().map(count).collect()
    }

    /// Plays on from the final position, so that it can be counted as
    /// [`Convention::TerritoryFinished`].
    pub(super) fn finish(&mut self) {
        self.counter.set_gains([Points::ZERO; 2]);
        let strict = Convention::TerritoryStrict;
        let flood = self.count(Convention::TerritoryFlood, &JAPANESE);
        let (board, play) = (&self.replay.board, self.replay.play_for(&JAPANESE));
        let before = self.counter.count_again(board, strict, &JAPANESE, play);
        let lead = |points: [Points; 2]| points[0] - points[1];
        let margins = [Points::ZERO, lead(flood.points) - lead(before.points)];
        self.last.neutral = before.neutral;
        self.last.to_fill = before.false_eyes.iter().sum();
        let owners: Vec<i8> = self.counter.owner().collect();
        // Who is to move is unknown where no move was replayed: then either, and
        // what both lead to.
        let sides = match self.replay.to_move {
            Some(side) => vec![side],
            None => vec![Side::First, Side::Second],
        };
        let mut all: Option<(Finished, [Points; 2])> = None;
        for first in sides {
            let (board, dead) = (&self.replay.board, &self.last.dead);
            let (mut finished, end) = self.finisher.finish(board, dead, &owners, first);
            let counter = &mut self.counter;
            let after = counter.count(&end.board, &end.dead, strict, &JAPANESE, Play::default());
            let mut gains = [0, 1].map(|side: usize| after.points[side] - before.points[side]);
            finished.changed = (gains[0] - gains[1]).abs();
            if let Some((other, gained)) = all.take() {
                finished.trusted &= other.trusted;
                finished.changed = finished.changed.max(other.changed);
                if other.moves.len() > finished.moves.len() {
                    finished.moves = other.moves;
                }
                if gained != gains {
                    gains = [Points::ZERO; 2];
                }
            }
            all = Some((finished, gains));
        }
        self.last.finished = all.map(|(finished, gains)| {
            if is_believed(&finished) {
                self.counter.set_gains(gains);
            }
            finished
        });
        let [one, two] = margins;
        let three = lead(self.counter.gains());
        self.last.apart = one.max(two).max(three) - one.min(two).min(three);
    }

    fn count(&mut self, convention: Convention, rules: &Rules) -> Counted {
        let play = self.replay.play_for(rules);
        let board = &self.replay.board;
        self.counter
            .count(board, &self.last.dead, convention, rules, play)
    }
}

/// Whether what playing on led to may take the place of what was there.
pub(super) fn is_believed(finished: &Finished) -> bool {
    finished.trusted && finished.changed <= Points::whole(MOST_GAINED)
}

/// Points as a number.
fn in_points(points: Points) -> f64 {
    f64::from(points.in_quarters()) / 4.0
}

/// The margin from the first player's view, compensation included.
pub(super) fn margin(points: [Points; 2], added: [Points; 2]) -> Points {
    points[0] + added[0] - points[1] - added[1]
}

impl Judge for GoJudge {
    fn judge(
        &mut self,
        record: &Record<'_>,
        profile: Option<&Profile>,
        claim: &Claim,
        want: &Want,
    ) -> Judgement {
        let mut warnings = Vec::new();
        let Resolved { rules, rules_from } = self.resolver.rules(record, profile, &mut warnings);
        let written = resolve::handicap(record).unwrap_or_default();
        self.replay.run(record, rules.suicide, written);
        warnings.append(&mut self.replay.warnings);
        let handicap = self.handicap(written, &mut warnings);
        let resolver = &self.resolver;
        let (komi, komi_from) = resolver.komi(record, profile, &rules, written, &mut warnings);
        self.last.begin(rules, komi, handicap);
        self.counter.set_gains([Points::ZERO; 2]);
        let error = self.replay.error.take();
        let replay = &self.replay;
        let mut judgement = Judgement {
            game: "go",
            size: replay.board.size(),
            rules: String::new(),
            rules_from,
            convention: None,
            komi: Some(komi),
            komi_from,
            handicap,
            moves: replay.moves,
            plies: replay.plies,
            ended: replay.ended,
            outcome: None,
            margin: None,
            basis: None,
            points: None,
            dead: None,
            neutral: None,
            dead_from: None,
            confidence: None,
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
            proven: None,
            forbidden: None,
            diagram: None,
            legal: None,
            remarks: Vec::new(),
        };
        judgement.rules = self.show(&rules);
        if self.is_counted(claim) {
            self.decide(record, profile, &rules, want, &mut judgement);
        }
        judgement
    }

    fn reconcile(&mut self, claim: &Claim, judgement: &Judgement) -> Vec<Reason> {
        super::reconcile::reconcile(self, claim, judgement)
    }

    fn explain(&mut self, claim: &Claim, judgement: &Judgement, telling: Telling) -> Explanation {
        self.replay.board.find_chains();
        super::explain::explain(self, claim, judgement, telling)
    }
}

impl GoJudge {
    /// Why the counted position is not the end of a game, if it is none; `all` is
    /// the number of points of the board.
    fn is_unfinished(&self, all: u32) -> Option<Warning> {
        let why = |word, value: String| Some(Warning::with(word, value, Place::Record));
        let open = self.counter.open_region();
        // Nobody marks or types a position that is not finished.
        let is_agreed =
            self.replay.ended == Ending::Passes || self.replay.moves == 0 || self.last.is_marked;
        let part = if is_agreed { AGREED_PART } else { OPEN_PART };
        if open > (all / part).max(SMALLEST_PART) {
            return why("open_border", open.to_string());
        }
        // Both players took it for the end, who know best.
        let signs = self.last.signs.filter(|_| !is_agreed)?;
        let finished = self.last.finished.as_ref()?;
        if !signs.is_too_doubtful() {
            return None;
        }
        if finished.changed > Points::ZERO {
            return why("open_end", finished.changed.to_string());
        }
        if !finished.trusted {
            return why("open_end", "group".to_owned());
        }
        let verdict = self.last.verdict.as_ref();
        let unsettled = verdict.map_or(0, |verdict| verdict.clarity.unsettled);
        if unsettled > 0 {
            return why("unsettled_stones", unsettled.to_string());
        }
        let moves = self.last.to_fill.max(finished.moves.len() as u32);
        (moves > 0).then(|| Warning::with("moves_left", moves.to_string(), Place::Record))
    }

    /// What gives reason to doubt the margin, once playing on was tried.
    fn signs(&self, convention: Convention) -> Option<Signs> {
        let finished = self.last.finished.as_ref()?;
        let verdict = self.last.verdict.as_ref();
        let clarity = verdict.map_or_else(Clarity::default, |verdict| verdict.clarity);
        Some(Signs {
            apart: in_points(self.last.apart),
            least: clarity.least.into(),
            weak: clarity.weak.into(),
            atari: clarity.atari,
            changed: in_points(finished.changed),
            believed: is_believed(finished),
            neutral: self.last.neutral,
            kept: Kept::of(convention, self.last.is_set, self.replay.ended),
        })
    }

    /// Counts the final position and fills in who won by how much.
    fn decide(
        &mut self,
        record: &Record<'_>,
        profile: Option<&Profile>,
        rules: &Rules,
        want: &Want,
        judgement: &mut Judgement,
    ) {
        let (dead_from, most) = self.find_dead(record, rules, &mut judgement.warnings);
        self.last.dead_from = dead_from;
        let told = record.counted.and_then(Told::of);
        let (convention, is_set) = self.convention(told, profile, rules);
        self.last.is_set = is_set;
        if dead_from != "none" {
            self.finish();
            self.last.signs = self.signs(convention);
        }
        if want.counts {
            judgement.counts = Some(self.counts(rules));
        }
        let counted = self.count(convention, rules);
        judgement.dead_from = Some(dead_from);
        judgement.convention = Some(convention.word());
        judgement.dead = Some(counted.dead);
        judgement.neutral = Some(counted.neutral);
        if want.ownership {
            judgement.ownership = Some(self.counter.owner().collect());
        }
        let (columns, rows) = self.replay.board.size();
        let all = u32::from(columns) * u32::from(rows);
        if dead_from != "none"
            && let Some(why) = self.is_unfinished(all)
        {
            judgement.warnings.push(why);
            judgement.confidence = Some(0.0);
            return;
        }
        let added = rules.compensation(self.last.komi, self.last.handicap, self.replay.first_pass);
        let points = [Side::First, Side::Second]
            .map(|side| counted.points[side.index()] + added[side.index()]);
        let margin = points[0] - points[1];
        judgement.points = Some(points);
        judgement.margin = Some(margin);
        judgement.outcome = Some(Outcome::of_margin(margin));
        judgement.basis = Some(Basis::Count);
        // Players agree neither on a position that no game leads to, nor on one
        // where hardly anything was played.
        let impossible = judgement.warnings.iter().any(|it| it.word == "no_liberty");
        let board = &self.replay.board;
        let stones = board.points().filter(|at| board.cell(*at) != Cell::Empty);
        let few = all.div_ceil(FEW_STONES) as usize;
        let doubtful = impossible || stones.take(few).count() < few;
        let signs = self.last.signs.as_ref();
        let of_told = told.filter(|told| {
            self.last.is_marked
                && told.convention.unwrap_or(Convention::of_rules(rules)) == convention
        });
        let confidence = match (of_told, signs) {
            // Marks of kifu are as sure as it was.
            (Some(told), _) => told.confidence,
            (None, Some(signs)) => most.min(signs.confidence()),
            (None, None) => most,
        };
        judgement.confidence = Some(if doubtful { 0.0 } else { confidence });
    }
}
