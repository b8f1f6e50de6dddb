//! What would reconcile a count with the result that a record claims.
//!
//! Each candidate is counted anew and kept where it gives the claimed margin
//! exactly. The label itself is never changed by any of this. Of a position that
//! is not finished only the open kos are told.

mod groups;
mod moves;

use super::{
    board::{Board, Point},
    finish::Finisher,
    judge::{GoJudge, Last, MOST_GAINED, is_believed, margin},
    replay::Replay,
    rules::{Bonus, CHINESE, JAPANESE, Rules, Scoring},
    score::{Convention, Counted, Counter, Play},
};
use crate::{
    game::{Claim, Judgement, Reason},
    outcome::{Ending, From, Points, Side},
};

/// Komi values in use, in quarter points.
const KOMI: [i32; 8] = [26, 30, 22, 2, 0, 28, 18, 24];

/// With more points of nobody than this, and no passes, a record was most
/// likely cut before its end.
const MANY_NEUTRAL: u32 = 20;

/// See [`crate::game::Judge::reconcile`].
pub(super) fn reconcile(judge: &mut GoJudge, claim: &Claim, judgement: &Judgement) -> Vec<Reason> {
    let (replay, counter, last) = judge.parts();
    let (Some(rules), Some(claimed)) = (last.rules, claim.margin) else {
        return Vec::new();
    };
    let is_judged = judgement.dead_from.is_some_and(|from| from != "none");
    let used = judgement.convention.and_then(Convention::of_word);
    let mut case = Case {
        replay,
        counter,
        last,
        rules,
        used: used.unwrap_or(Convention::Area),
        claimed,
        // Not asked for where the position does not decide.
        found: judgement.margin.unwrap_or(claimed),
        finisher: Finisher::default(),
        reasons: Vec::new(),
    };
    if judgement.margin.is_none() {
        // Not finished: a ko may be what is open, and both of its ends are told.
        if is_judged {
            case.open_kos(|_, _| true);
        }
        return case.reasons;
    }
    case.other_counting(judgement);
    case.other_komi();
    case.cut(judgement);
    // With all stones left on the board, moves and groups explain nothing.
    if is_judged {
        case.last_moves();
        case.open_kos(|ends, is_fresh| is_fresh || ends.contains(&claimed));
        case.groups();
    }
    case.reasons
}

/// A count that differs from the claim, and what was found to explain it.
struct Case<'a> {
    replay: &'a Replay,
    counter: &'a mut Counter,
    last: &'a Last,
    rules: Rules,
    /// The convention that was counted by.
    used: Convention,
    claimed: Points,
    found: Points,
    /// Plays on from other positions than the judged one.
    finisher: Finisher,
    reasons: Vec<Reason>,
}

/// How far a margin is from the claimed one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// Not far at all.
    Exact,
    /// Half a point that a whole claim may have lost.
    HalfPoint,
    /// A komi in use makes up for it.
    Komi(Points),
}

impl Case<'_> {
    /// The margin of some position, `filler` being who fills the first shared
    /// point, and `to_move` who moves first where both play on: either, if unknown.
    fn margin(
        &mut self,
        board: &Board,
        dead: &[Point],
        filler: Option<Side>,
        to_move: Option<Side>,
    ) -> Points {
        let found = self.before_playing_on(board, dead, filler);
        match self.used {
            Convention::TerritoryFinished => found + self.gain(board, dead, to_move),
            _ => found,
        }
    }

    /// Whether that is the claimed margin.
    fn fits(
        &mut self,
        board: &Board,
        dead: &[Point],
        filler: Option<Side>,
        to_move: Option<Side>,
    ) -> bool {
        let found = self.before_playing_on(board, dead, filler);
        if self.used != Convention::TerritoryFinished {
            return found == self.claimed;
        }
        // Playing on, which costs more than all else, is tried where it may do.
        let missing = self.claimed - found;
        missing.abs() <= Points::whole(MOST_GAINED) && self.gain(board, dead, to_move) == missing
    }

    /// The margin without what playing on gains, which is known of the judged
    /// position only.
    fn before_playing_on(&mut self, board: &Board, dead: &[Point], filler: Option<Side>) -> Points {
        let rules = self.rules;
        let play = Play {
            to_move: filler,
            ..self.replay.play_for(&rules)
        };
        let gains = self.counter.gains();
        self.counter.set_gains([Points::ZERO; 2]);
        let counted = self.counter.count(board, dead, self.used, &rules, play);
        self.counter.set_gains(gains);
        self.with_komi(counted, &rules, self.last.komi)
    }

    /// By how much playing on from a position changes the margin, as the judge
    /// counts it.
    fn gain(&mut self, board: &Board, dead: &[Point], to_move: Option<Side>) -> Points {
        let strict = Convention::TerritoryStrict;
        let mut count = |board: &Board, dead: &[Point]| {
            let counter = &mut *self.counter;
            let counted = counter.count(board, dead, strict, &JAPANESE, Play::default());
            (counted.points, counter.owner().collect::<Vec<i8>>())
        };
        let (before, owners) = count(board, dead);
        let mut found: Option<[Points; 2]> = None;
        for first in [Side::First, Side::Second] {
            if to_move.is_some_and(|side| side != first) {
                continue;
            }
            let (mut finished, end) = self.finisher.finish(board, dead, &owners, first);
            let (after, _) = count(&end.board, &end.dead);
            let gains = [0, 1].map(|side: usize| after[side] - before[side]);
            finished.changed = (gains[0] - gains[1]).abs();
            if !is_believed(&finished) || found.is_some_and(|other| other != gains) {
                return Points::ZERO;
            }
            found = Some(gains);
        }
        found.map_or(Points::ZERO, |gains| gains[0] - gains[1])
    }

    /// Who fills the first shared point of the judged position.
    fn filler(&self) -> Option<Side> {
        self.replay.play_for(&self.rules).to_move
    }

    /// The judged position, which was counted last, in another way.
    fn again(&mut self, convention: Convention, rules: &Rules) -> Counted {
        let play = self.replay.play_for(rules);
        let board = &self.replay.board;
        self.counter.count_again(board, convention, rules, play)
    }

    fn with_komi(&self, counted: Counted, rules: &Rules, komi: Points) -> Points {
        let added = rules.compensation(komi, self.last.handicap, self.replay.first_pass);
        margin(counted.points, added)
    }

    fn add(&mut self, word: &'static str, value: impl Into<String>) {
        self.reasons.push(Reason::with(word, value));
    }

    /// How a margin fits the claim; other komi fit a lead as counted with
    /// `komi`.
    fn fit(&self, found: Points, komi: Points) -> Option<Fit> {
        if found == self.claimed {
            return Some(Fit::Exact);
        }
        let whole = self.claimed.is_whole() && !found.is_whole();
        if whole && (self.claimed - found).abs() == Points::HALF {
            return Some(Fit::HalfPoint);
        }
        let fitting = found + komi - self.claimed;
        KOMI.contains(&fitting.in_quarters())
            .then_some(Fit::Komi(fitting))
    }

    /// Another way to count; together with a rounded half point, or another
    /// komi where none is written, only if nothing of it fits alone.
    ///
    /// With a written komi, two such changes fit a wrong margin more often than
    /// the right one.
    fn other_counting(&mut self, judgement: &Judgement) {
        let judged = judgement.dead_from != Some("none");
        let assumed = judgement.komi_from == From::Default;
        let komi = self.last.komi;
        let mut together = Vec::new();
        let mut add = |case: &mut Self, word: &'static str, name: &str, fit: Option<Fit>| match fit
        {
            Some(Fit::Exact) => case.add(word, name),
            Some(Fit::HalfPoint) => together.push((word, format!("{name},half_point"))),
            Some(Fit::Komi(komi)) if assumed => {
                together.push((word, format!("{name},komi={komi}")));
            }
            Some(Fit::Komi(_)) | None => {}
        };
        // Area against territory, with all that comes with the other rules.
        let (other, preset) = match self.rules.scoring {
            Scoring::Area => (Convention::TerritoryFlood, JAPANESE),
            Scoring::Territory if judged => (Convention::Area, CHINESE),
            // Nothing is known of sekis, next to which no point is filled.
            Scoring::Territory => (Convention::AreaDameIgnored, CHINESE),
        };
        let counted = self.again(other, &preset);
        let of_record = self.with_komi(counted, &preset, komi);
        let of_preset = self.with_komi(counted, &preset, preset.komi);
        let by_rules = of_record == self.claimed || of_preset == self.claimed;
        let fit = match by_rules {
            true => Some(Fit::Exact),
            false => self.fit(of_record, komi),
        };
        add(self, "rules", preset.preset, fit);
        // Counted otherwise, and all else as it is; with all stones left on the
        // board nothing is known of eyes and sekis.
        let conventions = Convention::ALL.iter().filter(|_| judged);
        let mut by_area = None;
        for convention in conventions {
            let known = *convention == self.used || (by_rules && *convention == other);
            let is_territory = convention.is_territory();
            let usual = match is_territory == (self.rules.scoring == Scoring::Territory) {
                true => self.rules,
                false => preset,
            };
            let counted = self.again(*convention, &usual);
            // Where no shared point is filled, area is counted in one way.
            let again = !is_territory && by_area.replace(counted.points) == Some(counted.points);
            if known || again {
                continue;
            }
            let found = self.with_komi(counted, &self.rules, komi);
            let fit = self.fit(found, komi);
            add(self, "convention", convention.word(), fit);
        }
        if judged && self.used.is_territory() {
            self.false_eyes();
        }
        self.handicap_bonus();
        let alone = !self.reasons.is_empty()
            || !matches!(self.fit(self.found, komi), None | Some(Fit::Exact));
        if !alone {
            for (word, value) in together {
                self.add(word, value);
            }
        }
    }

    /// Points in seki and those in false eyes, each counted as the convention in
    /// use does not.
    fn false_eyes(&mut self) {
        let rules = self.rules;
        let strict = self.again(Convention::TerritoryStrict, &rules);
        let (seki, eyes) = (lead(strict.seki), lead(strict.false_eyes));
        if seki == Points::ZERO || eyes == Points::ZERO {
            // One of them is all that the conventions differ in.
            return;
        }
        let sign = |points: Points| match self.used {
            Convention::TerritoryStrict | Convention::TerritoryFinished => points,
            _ => -points,
        };
        for (word, points) in [("false_eyes", sign(eyes)), ("seki", sign(seki))] {
            if self.found + points == self.claimed {
                self.reasons.push(Reason::new(word));
            }
        }
    }

    /// Another compensation for handicap stones, which only shifts the margin.
    fn handicap_bonus(&mut self) {
        if self.last.handicap < 2 {
            return;
        }
        let bonus = |handicap_bonus| {
            let changed = Rules {
                handicap_bonus,
                ..self.rules
            };
            changed.compensation(Points::ZERO, self.last.handicap, None)[1]
        };
        let fits = |other: &&Bonus| {
            let shifted = self.found + bonus(self.rules.handicap_bonus) - bonus(**other);
            **other != self.rules.handicap_bonus && shifted == self.claimed
        };
        if let Some(other) = Bonus::ALL.iter().find(fits) {
            self.add("handicap_bonus", other.word());
        }
    }

    /// Another komi in use, or the one in use taken for zi or the reverse.
    fn other_komi(&mut self) {
        let komi = self.last.komi;
        let fitting = self.found + komi - self.claimed;
        if fitting != komi && KOMI.contains(&fitting.in_quarters()) {
            self.add("komi", fitting.to_string());
        } else if komi != Points::ZERO && (fitting.doubled() == komi || komi.doubled() == fitting) {
            self.add("zi", "komi");
        }
    }

    /// Signs on the board that the record stops before the game did.
    fn cut(&mut self, judgement: &Judgement) {
        let neutral = judgement.neutral.unwrap_or_default();
        if neutral > MANY_NEUTRAL && judgement.ended != Ending::Passes && self.replay.moves > 0 {
            self.add("cut", format!("neutral:{neutral}"));
        }
        let off = (self.claimed - self.found).abs();
        if neutral > 0 && off <= Points::whole(2) {
            self.add("neutral", neutral.to_string());
        }
    }
}

/// What the first player has more than the second.
fn lead(points: [u32; 2]) -> Points {
    Points::whole(points[0] as i32 - points[1] as i32)
}
