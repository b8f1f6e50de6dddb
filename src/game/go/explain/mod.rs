//! What is told of a judged record: the board, the dead, the counts.

mod draw;
mod grounds;
mod groups;

use super::{
    board::Board,
    finish::Finished,
    judge::{GoJudge, Last, is_believed, margin},
    replay::Replay,
    score::{Convention, Counter},
};
use crate::{
    game::{
        Claim, ConventionCount, Explanation, Judgement, Play, PlayingOn, Spot, Step, Telling,
        point::Token, script,
    },
    outcome::{Ending, Outcome, Points, Side},
};
use groups::Sheet;

/// See [`crate::game::Judge::explain`].
pub(super) fn explain(
    judge: &mut GoJudge,
    claim: &Claim,
    judgement: &Judgement,
    telling: Telling,
) -> Explanation {
    let (replay, counter, last) = judge.parts();
    let board = &replay.board;
    let used = judgement.convention.and_then(Convention::of_word);
    let counted = used.filter(|_| judgement.dead_from.is_some());
    let mut told = Explanation {
        prisoners: Some([Side::First, Side::Second].map(|side| board.prisoners(side))),
        to_move: replay.to_move,
        play: play(replay),
        ..Explanation::default()
    };
    match (last.rules, counted) {
        (Some(rules), Some(used)) => {
            let sheet = Sheet::of(replay, counter, last, used, &rules);
            let owner: Vec<i8> = counter.owner().collect();
            told.board = Some(draw::counted(board, &owner, last, &sheet, replay.last));
            told.chains = draw::chains(board, last, &sheet);
            told.counts = counts(replay, counter, last, claim, used);
            told.is_set = last.is_set;
            told.doubt = last.signs.as_ref().map(ToString::to_string);
            let finished = last.finished.as_ref();
            told.playing_on = finished.map(|finished| playing_on(board, finished));
            told.lines = vec![format!(
                "{}; counted by {}",
                why(replay, claim),
                used.word().replace('_', " ")
            )];
            if judgement.outcome.is_none() {
                let why = "the position is not finished, so the count decides nothing";
                told.lines.push(why.to_owned());
            }
            (told.groups, told.others) = sheet.into_parts();
        }
        _ => {
            told.board = Some(draw::plain(board, replay.last));
            let counted = match claim.broken_off && replay.ended != Ending::Illegal {
                true => "; not counted (--judge all counts it)",
                false => "; not counted",
            };
            told.lines = vec![format!("{}{counted}", why(replay, claim))];
        }
    }
    told.note_no_candidates(telling, "moves of Go are not searched");
    told
}

/// Why the play ended where it did.
fn why(replay: &Replay, claim: &Claim) -> String {
    let loser = match claim.outcome {
        Some(Outcome::Win(Side::First)) => "white",
        Some(Outcome::Win(Side::Second)) => "black",
        _ => "a side",
    };
    match replay.ended {
        Ending::Passes => "both have passed".to_owned(),
        Ending::Illegal if replay.plies < replay.moves => {
            format!("move {} cannot be played", replay.plies + 1)
        }
        Ending::Illegal => "what is set up is not read to its end".to_owned(),
        _ if claim.resigned => format!("{loser} resigned"),
        _ if claim.broken_off => "the record was broken off".to_owned(),
        _ if replay.moves == 0 => "a position without moves".to_owned(),
        _ => "the record just stops".to_owned(),
    }
}

fn counts(
    replay: &Replay,
    counter: &mut Counter,
    last: &Last,
    claim: &Claim,
    used: Convention,
) -> Vec<ConventionCount> {
    let Some(rules) = last.rules else {
        return Vec::new();
    };
    let added = rules.compensation(last.komi, last.handicap, replay.first_pass);
    let play = replay.play_for(&rules);
    let count = |convention: &Convention| {
        let counted = counter.count(&replay.board, &last.dead, *convention, &rules, play);
        let lead = margin(counted.points, added);
        ConventionCount {
            convention: convention.word(),
            points: [0, 1].map(|side: usize| counted.points[side] + added[side]),
            margin: lead,
            is_used: *convention == used,
            is_recorded: claim.margin == Some(lead),
        }
    };
    Convention::ALL.iter().map(count).collect()
}

/// What playing on from the position came to, move by move.
fn playing_on(board: &Board, finished: &Finished) -> PlayingOn {
    let moves = finished.moves.iter();
    PlayingOn {
        moves: moves.map(|(side, at)| (*side, board.place(*at))).collect(),
        changed: finished.changed,
        disbelieved: match (is_believed(finished), finished.trusted) {
            (true, _) => None,
            (false, true) => Some("that is much"),
            (false, false) => Some("the status of a group changes"),
        },
    }
}

/// What was set up and played.
fn play(replay: &Replay) -> Play {
    if replay.had_prisoners {
        let why = "stones were captured before the record begins, which SGF cannot say";
        return Play::Unwritable(why.to_owned());
    }
    let mut moves = 0;
    let mut steps = Vec::new();
    for step in replay.script.steps() {
        let step = match step {
            script::Step::Stone(side, column, row) => Step::Set(side, (column, row)),
            script::Step::Play(side, token) => {
                moves += 1;
                let at: Option<Spot> = match token {
                    Token::At(column, row) => Some((column, row)),
                    Token::Pass | Token::PassOutside => None,
                    Token::Invalid => {
                        return Play::Unwritable(format!(
                            "its move {moves} is no point of the board"
                        ));
                    }
                };
                Step::Play(side, at)
            }
        };
        steps.push(step);
    }
    Play::Steps(steps)
}

/// Who wins by how much.
pub(super) fn lead_words(lead: Points) -> String {
    match lead.in_quarters() {
        0 => "draw".to_owned(),
        1.. => format!("black+{lead}"),
        _ => format!("white+{}", -lead),
    }
}
