//! What would reconcile a count with the result that a record claims.
//!
//! Each candidate is counted anew and kept where it gives the claimed margin
//! exactly. The label itself is never changed by any of this.

use std::collections::BTreeSet;

use super::{
    board::{Board, Point},
    judge::{GoJudge, margin},
    point::vertex,
    rules::{Bonus, CHINESE, JAPANESE, Rules, Scoring},
    score::{Convention, Counted},
};
use crate::{
    game::{Claim, Judgement, Reason},
    outcome::Points,
};

/// Komi values in use, in quarter points.
const KOMI: [i32; 8] = [26, 30, 22, 2, 0, 28, 18, 24];

/// Candidates by the toggled status of one chain are looked for in at most so
/// many chains.
const MAX_CHAINS: usize = 64;

/// See [`crate::game::Judge::reconcile`].
pub(super) fn reconcile(judge: &mut GoJudge, claim: &Claim, judgement: &Judgement) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let (replay, counter, last) = judge.parts();
    let (Some(rules), Some(claimed), Some(found)) = (last.rules, claim.margin, judgement.margin)
    else {
        return reasons;
    };
    let used = judgement
        .convention
        .and_then(Convention::of_word)
        .unwrap_or(Convention::Area);
    let margin = |counted: Counted, rules: &Rules, komi: Points| {
        let added = rules.compensation(komi, last.handicap, replay.first_pass);
        margin(counted.points, added)
    };
    let (board, passes) = (&replay.board, replay.passes);

    // Another way to count under the same rules. With all stones left on the
    // board nothing is known of eyes.
    for (convention, word) in [
        (Convention::TerritoryStrict, "false_eyes"),
        (Convention::TerritoryFlood, "territory_flood"),
    ] {
        if used.is_territory() && convention != used && judgement.dead_from != Some("none") {
            let counted = counter.count_again(board, convention, &rules, passes);
            if margin(counted, &rules, last.komi) == claimed {
                reasons.push(Reason::new(word));
            }
        }
    }

    // Area against territory.
    let (other, preset) = match rules.scoring {
        Scoring::Area => (Convention::TerritoryFlood, JAPANESE),
        Scoring::Territory => (Convention::Area, CHINESE),
    };
    let counted = counter.count_again(board, other, &preset, passes);
    let by_other = margin(counted, &preset, Points::ZERO);
    if [last.komi, preset.komi].contains(&(by_other - claimed)) {
        reasons.push(Reason::with("rules", preset.preset));
    }

    // Compensation for handicap stones, and komi, only shift the margin.
    if last.handicap >= 2 {
        let bonus = |handicap_bonus| {
            let changed = Rules {
                handicap_bonus,
                ..rules
            };
            changed.compensation(Points::ZERO, last.handicap, None)[1]
        };
        for other in [Bonus::None, Bonus::NMinusOne, Bonus::N] {
            let shifted = found + bonus(rules.handicap_bonus) - bonus(other);
            if other != rules.handicap_bonus && shifted == claimed {
                reasons.push(Reason::with("handicap_bonus", other.word()));
            }
        }
    }
    let fitting = found + last.komi - claimed;
    if fitting != last.komi && KOMI.contains(&fitting.in_quarters()) {
        reasons.push(Reason::with("komi", fitting.to_string()));
    }

    let off = (claimed - found).abs();
    if off == Points::whole(1) {
        reasons.push(Reason::new("last_pass"));
    }

    // The status of one chain.
    for stone in chains_in_doubt(board, &last.dead, &last.unsure) {
        let chain: BTreeSet<Point> = board.chain(stone).collect();
        let was_dead = last.dead.binary_search(&stone).is_ok();
        let dead: Vec<Point> = if was_dead {
            let others = last.dead.iter().filter(|point| !chain.contains(point));
            others.copied().collect()
        } else {
            let mut dead = last.dead.clone();
            dead.extend(&chain);
            dead
        };
        let counted = counter.count(board, &dead, used, &rules, passes);
        if margin(counted, &rules, last.komi) == claimed {
            let word = if was_dead { "alive" } else { "dead" };
            let (_, rows) = board.size();
            reasons.push(Reason::with(word, vertex(board.place(stone), rows)));
        }
    }

    // Neutral points and last moves left unplayed, by far the most common.
    let neutral = judgement.neutral.unwrap_or_default();
    if neutral > 0 && off <= Points::whole(2) {
        reasons.push(Reason::with("dame", neutral.to_string()));
    }
    reasons
}

/// One stone of each chain that was judged dead or left unclear.
fn chains_in_doubt(board: &Board, dead: &[Point], unsure: &[Point]) -> Vec<Point> {
    let mut heads = BTreeSet::new();
    let mut chains = Vec::new();
    for stone in unsure.iter().chain(dead) {
        if heads.insert(board.head(*stone)) {
            chains.push(*stone);
        }
    }
    chains.truncate(MAX_CHAINS);
    chains
}
