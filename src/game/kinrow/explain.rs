//! A judged record drawn for people: the board, the line, what is forbidden.

use std::fmt::Write;

use super::{
    board::Point,
    foul::Shape,
    judge::KInRowJudge,
    point::column_name,
    replay::{Line, Replay},
    rules::Fouls,
};
use crate::{
    game::{Claim, Judgement},
    outcome::{Ending, Outcome, Side},
};

/// See [`crate::game::Judge::explain`].
pub(super) fn explain(
    judge: &mut KInRowJudge,
    claim: &Claim,
    judgement: &Judgement,
    verbose: bool,
) -> String {
    let forbidden = judge.forbidden();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(judge, &forbidden, claim, judgement, verbose, &mut text);
    text
}

fn write(
    judge: &KInRowJudge,
    forbidden: &[(Point, Shape)],
    claim: &Claim,
    judgement: &Judgement,
    verbose: bool,
    text: &mut String,
) -> std::fmt::Result {
    let replay = &judge.replay;
    draw(replay, forbidden, text)?;
    text.push_str("X black  O white  # the line that wins  < last move");
    if !forbidden.is_empty() {
        text.push_str("  3 4 6 forbidden to Black: double three, double four, overline");
    }
    text.push_str("\n\n");
    match (replay.ended, &replay.line, &replay.foul) {
        (Ending::Line, Some(line), _) => {
            let points: Vec<String> = line.points().map(|at| judge.name(at)).collect();
            let stones = points.len();
            writeln!(
                text,
                "{} has {stones} in a row: {}",
                side(line.side),
                points.join(" ")
            )?;
        }
        (_, _, Some(foul)) => {
            let at = judge.name(foul.point);
            let what = foul.shape.word().replace('_', " ");
            match foul.number {
                Some(number) => {
                    let article = if what == "overline" { "an" } else { "a" };
                    writeln!(text, "black's move {number} at {at} is {article} {what}")?;
                }
                None => writeln!(text, "black has an {what} through {at}")?,
            }
        }
        (Ending::Full, ..) => text.push_str("the board is full\n"),
        (Ending::Limit, ..) => {
            writeln!(
                text,
                "{} points are left, at which it is drawn",
                replay.board.empty()
            )?;
        }
        (Ending::Passes, ..) => text.push_str("both have passed\n"),
        _ => text.push_str("nobody has a line that wins\n"),
    }
    let count = replay.board.count();
    writeln!(
        text,
        "stones             black {}  white {}",
        count[0], count[1]
    )?;
    if judge.last.rules.fouls != Fouls::Off {
        for (shape, points) in by_shape(judge, forbidden) {
            writeln!(text, "{:<18} {points}", shape.word().replace('_', " "))?;
        }
    }
    let forced = &judge.last.forced;
    if let Some(winner) = forced.winner {
        let line: Vec<String> = forced.line.iter().map(|at| judge.name(*at)).collect();
        writeln!(
            text,
            "forced             {} wins: {}",
            side(winner),
            line.join(" ")
        )?;
    }
    if verbose {
        writeln!(text, "rules              {}", judgement.rules)?;
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

/// The board with coordinates; the last move with an arrow.
fn draw(replay: &Replay, forbidden: &[(Point, Shape)], text: &mut String) -> std::fmt::Result {
    let board = &replay.board;
    let (columns, rows) = board.size();
    let line: Vec<Point> = replay.line.iter().flat_map(Line::points).collect();
    let mut header = String::from("    ");
    for column in 0..columns {
        write!(header, "{:<2}", column_name(column))?;
    }
    writeln!(text, "{}", header.trim_end())?;
    for row in 0..rows {
        let mut drawn = format!("{:>3} ", rows - row);
        for column in 0..columns {
            let at = Point { row, column };
            let is_last = replay.last.is_some_and(|(_, last)| last == at);
            let sign = match board.stone(at) {
                Some(_) if line.contains(&at) => '#',
                Some(Side::First) => 'X',
                Some(Side::Second) => 'O',
                None => forbidden
                    .iter()
                    .find(|(point, _)| *point == at)
                    .map_or('.', |(_, shape)| sign(*shape)),
            };
            drawn.push(sign);
            drawn.push(if is_last { '<' } else { ' ' });
        }
        writeln!(text, "{}", drawn.trim_end())?;
    }
    Ok(())
}

const fn sign(shape: Shape) -> char {
    match shape {
        Shape::DoubleThree => '3',
        Shape::DoubleFour => '4',
        _ => '6',
    }
}

/// The forbidden points of each kind.
fn by_shape(judge: &KInRowJudge, forbidden: &[(Point, Shape)]) -> Vec<(Shape, String)> {
    let names = |wanted: &Shape| {
        let points = forbidden.iter().filter(|(_, shape)| shape == wanted);
        let names: Vec<String> = points.map(|(at, _)| judge.name(*at)).collect();
        (*wanted, names.join(" "))
    };
    let all = Shape::ALL.iter().map(names);
    all.filter(|(_, points)| !points.is_empty()).collect()
}

const fn side(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

fn words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(winner) => side(winner),
        Outcome::Draw => "draw",
    }
}
