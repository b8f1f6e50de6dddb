//! What is told of a judged record: the board, the last move, why it ended.

use std::fmt::Write;

use super::{
    judge::{XiangqiJudge, chinese_line},
    notation::{Script, glyph},
    piece::{Kind, Move, RANKS, Square},
    repetition::Tier,
    replay::Replay,
    side_name as side,
};
use crate::{
    game::{
        Cell, Claim, Diagram, Explanation, Forced, Judgement, Piece, Play, Repeated, Style, Telling,
    },
    outcome::{Ending, Outcome, Side},
};

/// See [`crate::game::Judge::explain`].
pub(super) fn explain(
    judge: &mut XiangqiJudge,
    claim: &Claim,
    judgement: &Judgement,
    telling: Telling,
) -> Explanation {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(judge, claim, judgement, telling, &mut text);
    let mut told = Explanation {
        lines: text.lines().map(str::to_owned).collect(),
        play: Play::Unwritable("SGF has no moves for xiangqi".to_owned()),
        ..Explanation::default()
    };
    let candidates = judge.candidates(telling.candidates);
    let replay = &mut judge.replay;
    if !replay.is_set_up {
        return told;
    }
    let turn = replay.position.turn();
    told.board = Some(diagram(replay, telling.letters));
    told.position = Some(super::fen::write(&replay.position));
    told.to_move = Some(turn);
    told.legal = Some((
        replay.position.count_legal(),
        replay.position.in_check(turn),
    ));
    told.repetition = replay.repeated.map(|verdict| Repeated {
        times: verdict.times,
        plies: [verdict.since, verdict.until],
        tiers: verdict.tiers.map(Tier::word),
        ends: replay.ended == Ending::Repetition,
    });
    let mate = &judge.last.mate;
    told.candidates = candidates;
    if let Some(board) = &mut told.board {
        board.mark_candidates(&told.candidates);
    }
    told.forced = (!mate.is_empty()).then(|| Forced {
        winner: turn,
        moves: mate.iter().map(ToString::to_string).collect(),
    });
    told.note_no_candidates(
        telling,
        match replay.ended {
            Ending::Open => "no position may be looked at (--nodes 0)",
            _ => "the play has ended",
        },
    );
    told
}

fn write(
    judge: &mut XiangqiJudge,
    claim: &Claim,
    judgement: &Judgement,
    telling: Telling,
    text: &mut String,
) -> std::fmt::Result {
    let replay = &mut judge.replay;
    if !replay.is_set_up {
        return writeln!(
            text,
            "the record begins with what is no position, so there is no board"
        );
    }
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
            match (replay.ended, claim.outcome) {
                (Ending::Illegal, _) => {
                    write!(text, "move {} cannot be played; ", replay.plies + 1)?;
                }
                (_, Some(Outcome::Win(winner))) if claim.resigned => {
                    write!(text, "{} resigned; ", side(winner.other()))?;
                }
                _ => {}
            }
            writeln!(text, "{} to move{check}: {legal} legal {moves}", side(turn))?;
        }
    }
    if let Some(last) = replay.last() {
        writeln!(text, "last move  {last}")?;
    }
    if !judge.last.mate.is_empty() {
        let line = match telling.letters {
            true => judge.last.mate.iter().map(ToString::to_string).collect(),
            false => chinese_line(&judge.replay.position, &judge.last.mate),
        };
        writeln!(text, "forced     {} mates: {}", side(turn), line.join(" "))?;
    }
    if let Some(worth) = &judge.last.worth
        && let Some(depth) = worth.depth
    {
        let line = match telling.letters {
            true => worth.line.clone(),
            false => {
                let moves: Vec<Move> = worth.line.iter().flat_map(|it| it.parse()).collect();
                chinese_line(&judge.replay.position, &moves)
            }
        };
        let (worth, line) = (worth.text(), line.join(" "));
        writeln!(
            text,
            "evaluated  {worth} for red, {depth} plies deep: {line}"
        )?;
    }
    if telling.verbose {
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

/// The board as it is drawn.
fn diagram(replay: &Replay, ascii: bool) -> Diagram {
    let cell = |square: Square| {
        let piece = replay.position.piece(square);
        let piece = piece.kind().map(|kind| Piece {
            side: piece.side(),
            letter: piece.letter().map_or('?', char::from),
            glyph: sign(piece.side(), kind),
        });
        Cell {
            piece,
            ..Cell::default()
        }
    };
    let signs = |of: Side| -> String {
        let each = Kind::ALL.into_iter().map(|kind| match ascii {
            true => super::piece::Piece::new(of, kind)
                .letter()
                .map_or('?', char::from),
            false => sign(of, kind),
        });
        each.collect()
    };
    let [red, black] = [Side::First, Side::Second].map(signs);
    let spot = |square: Square| (square.file(), square.row());
    let last = replay.last();
    Diagram {
        style: Style::Pieces,
        columns: ('a'..='i').map(String::from).collect(),
        rows: (0..RANKS).rev().map(|rank| rank.to_string()).collect(),
        cells: Square::all().map(cell).collect(),
        is_counted: false,
        last: last.map(|last| (Some(spot(last.from)), spot(last.to))),
        line: Vec::new(),
        legend: format!("{red} red  {black} black  () < last move"),
    }
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
