//! A judged record drawn for people: the board, the last move, why it ended.

use std::fmt::Write;

use super::{
    judge::{XiangqiJudge, chinese_line},
    notation::{Script, glyph},
    piece::{FILES, Kind, RANKS, Square},
    repetition::Tier,
    replay::Replay,
    side_name as side,
};
use crate::{
    game::{Claim, Judgement},
    outcome::{Ending, Outcome, Side},
};

/// See [`crate::game::Judge::explain`].
pub(super) fn explain(
    judge: &mut XiangqiJudge,
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
    judge: &mut XiangqiJudge,
    claim: &Claim,
    judgement: &Judgement,
    verbose: bool,
    text: &mut String,
) -> std::fmt::Result {
    let replay = &mut judge.replay;
    if !replay.is_set_up {
        return writeln!(
            text,
            "the record begins with what is no position, so there is no board"
        );
    }
    draw(replay, text)?;
    let turn = replay.position.turn();
    let in_check = replay.position.in_check(turn);
    let legal = replay.position.count_legal();
    match replay.ended {
        Ending::Mate => writeln!(text, "{} is mated", side(turn))?,
        Ending::Stalemate => writeln!(text, "{} has no legal move, and loses", side(turn))?,
        Ending::Repetition => {
            if let Some(verdict) = replay.repeated {
                let [red, black] = verdict.tiers.map(Tier::word);
                writeln!(
                    text,
                    "the position stands for the {} time, since ply {}: red {red}, black {black}",
                    nth(verdict.times),
                    verdict.since
                )?;
            }
        }
        Ending::NoCapture => writeln!(text, "nothing was captured for too long")?,
        Ending::Material => writeln!(text, "neither side has the pieces to win")?,
        _ => {
            let check = if in_check { ", in check" } else { "" };
            let moves = if legal == 1 { "move" } else { "moves" };
            writeln!(text, "{} to move{check}: {legal} legal {moves}", side(turn))?;
        }
    }
    if let Some(last) = replay.last() {
        writeln!(text, "last move  {last}")?;
    }
    if !judge.last.mate.is_empty() {
        let line = chinese_line(&judge.replay.position, &judge.last.mate);
        writeln!(text, "forced     {} mates: {}", side(turn), line.join(" "))?;
    }
    if let Some(worth) = &judge.last.worth
        && let Some(depth) = worth.depth
    {
        let line = chinese_line(&judge.replay.position, &worth.line);
        let (worth, line) = (worth.text(), line.join(" "));
        writeln!(
            text,
            "evaluated  {worth} for red, {depth} plies deep: {line}"
        )?;
    }
    if verbose {
        writeln!(text, "rules      {}", judgement.rules)?;
        let position = super::fen::write(&judge.replay.position);
        writeln!(text, "position   {position}")?;
    }
    if let (Some(claimed), Some(found)) = (claim.outcome, judgement.outcome)
        && claimed != found
    {
        writeln!(
            text,
            "the record says {}, the board {}",
            words(claimed),
            words(found)
        )?;
    }
    Ok(())
}

/// The sign of a piece, which is never that of one of the other side.
fn sign(side: Side, kind: Kind) -> char {
    match (side, kind) {
        (Side::First, Kind::Horse) => '傌',
        (Side::First, Kind::Chariot) => '俥',
        _ => glyph(side, kind, Script::Traditional),
    }
}

/// The board with coordinates, two columns a square as Chinese signs are wide;
/// the squares of the last move with arrows.
fn draw(replay: &Replay, text: &mut String) -> std::fmt::Result {
    let last = replay.last();
    for row in 0..RANKS {
        let mut drawn = format!("{:>2} ", RANKS - 1 - row);
        for square in (0..FILES).filter_map(|file| Square::at(file, row)) {
            let piece = replay.position.piece(square);
            match piece.kind() {
                Some(kind) => drawn.push(sign(piece.side(), kind)),
                None if last.is_some_and(|it| it.from == square) => drawn.push_str("()"),
                None => drawn.push_str("· "),
            }
            drawn.push(if last.is_some_and(|it| it.to == square) {
                '<'
            } else {
                ' '
            });
        }
        writeln!(text, "{}", drawn.trim_end())?;
        if row == RANKS / 2 - 1 {
            text.push_str("   ~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
        }
    }
    text.push_str("   a  b  c  d  e  f  g  h  i\n");
    let signs = [Side::First, Side::Second].map(|of| {
        let each = Kind::ALL.into_iter().map(|kind| sign(of, kind));
        each.collect::<String>()
    });
    let [red, black] = signs;
    writeln!(text, "{red} red  {black} black  () < last move\n")
}

/// 3rd, 4th …
fn nth(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(winner) => side(winner),
        Outcome::Draw => "draw",
    }
}
