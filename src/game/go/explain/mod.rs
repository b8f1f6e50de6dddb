//! A judged record drawn for people: the board, the dead, the counts.

mod draw;
mod grounds;
mod groups;

use std::fmt::Write;

use super::{
    board::Board,
    finish::Finished,
    judge::{GoJudge, is_believed, margin},
    point::vertex,
    score::Convention,
};
use crate::{
    game::{Claim, Judgement},
    outcome::{Points, Side},
};
use groups::Sheet;

/// See [`crate::game::Judge::explain`].
pub(super) fn explain(
    judge: &mut GoJudge,
    claim: &Claim,
    judgement: &Judgement,
    verbose: bool,
) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(judge, claim, judgement, verbose, &mut text);
    text
}

fn write(
    judge: &mut GoJudge,
    claim: &Claim,
    judgement: &Judgement,
    verbose: bool,
    text: &mut String,
) -> std::fmt::Result {
    let (replay, counter, last) = judge.parts();
    let board = &replay.board;
    let used = judgement.convention.and_then(Convention::of_word);
    let (Some(rules), Some(used), Some(_)) = (last.rules, used, judgement.dead_from) else {
        draw::board(board, &[], &last.dead, replay.last, false, text)?;
        return prisoners(
            board.prisoners(Side::First),
            board.prisoners(Side::Second),
            text,
        );
    };
    let sheet = Sheet::of(replay, counter, last, used, &rules);
    let owner: Vec<i8> = counter.owner().collect();
    draw::board(board, &owner, &last.dead, replay.last, true, text)?;
    text.push_str("X black  O white  x o dead  : black's point  ' white's point  . nobody's\n");
    if verbose {
        text.push('\n');
        sheet.write(board, text)?;
        if let Some(signs) = &last.signs {
            writeln!(text, "\n{signs}")?;
        }
    } else {
        draw::groups(board, last, &last.dead, "dead", text)?;
        draw::groups(board, last, &last.unsure, "unclear, left alive", text)?;
    }
    text.push('\n');
    let added = rules.compensation(last.komi, last.handicap, replay.first_pass);
    let play = replay.play_for(&rules);
    for convention in Convention::ALL {
        let counted = counter.count(board, &last.dead, *convention, &rules, play);
        let lead = margin(counted.points, added);
        let mark = match (*convention == used, claim.margin == Some(lead)) {
            (true, true) => "  <- used, as recorded",
            (true, false) => "  <- used",
            (false, true) => "  <- as recorded",
            (false, false) => "",
        };
        writeln!(
            text,
            "{:<18} black {:>6}  white {:>6}  {}{mark}",
            convention.word(),
            (counted.points[0] + added[0]).to_string(),
            (counted.points[1] + added[1]).to_string(),
            lead_words(lead),
        )?;
    }
    if let Some(finished) = last.finished.as_ref().filter(|_| verbose) {
        playing_on(board, finished, text)?;
    }
    prisoners(
        board.prisoners(Side::First),
        board.prisoners(Side::Second),
        text,
    )
}

/// What playing on from the position came to, move by move.
fn playing_on(board: &Board, finished: &Finished, text: &mut String) -> std::fmt::Result {
    let (_, rows) = board.size();
    let moves = finished.moves.iter().map(|(side, at)| {
        let who = match side {
            Side::First => 'B',
            Side::Second => 'W',
        };
        format!("{who} {}", vertex(board.place(*at), rows))
    });
    let moves: Vec<String> = moves.collect();
    let with_s = |count: String, what: &str| match count.as_str() {
        "1" => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    write!(
        text,
        "playing on         {}",
        with_s(moves.len().to_string(), "move")
    )?;
    if !moves.is_empty() {
        let changed = with_s(finished.changed.to_string(), "point");
        write!(text, ", changes {changed}: {}", moves.join(", "))?;
    }
    let why = match (is_believed(finished), finished.trusted) {
        (true, _) => "",
        (false, true) => " (not believed: that is much)",
        (false, false) => " (not believed: the status of a group changes)",
    };
    writeln!(text, "{why}")
}

fn prisoners(black: u32, white: u32, text: &mut String) -> std::fmt::Result {
    writeln!(text, "prisoners          black {black}  white {white}")
}

/// Who wins by how much.
pub(super) fn lead_words(lead: Points) -> String {
    match lead.in_quarters() {
        0 => "draw".to_owned(),
        1.. => format!("black+{lead}"),
        _ => format!("white+{}", -lead),
    }
}
