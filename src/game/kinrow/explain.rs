//! What is told of a judged record: the board, the line, what is forbidden.

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
    game::{
        Cell, Claim, Diagram, Explanation, Forced, Foul, Judgement, Piece, Play, Spot, Step, Style,
        Telling, point::Token, script,
    },
    outcome::{Ending, Outcome, Side},
};

/// See [`crate::game::Judge::explain`].
pub(super) fn explain(
    judge: &mut KInRowJudge,
    claim: &Claim,
    judgement: &Judgement,
    telling: Telling,
) -> Explanation {
    let forbidden = judge.forbidden();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(judge, &forbidden, claim, judgement, telling, &mut text);
    let candidates = judge.candidates(telling.candidates);
    let replay = &judge.replay;
    let forced = &judge.last.forced;
    let mut board = diagram(replay, &forbidden);
    board.mark_candidates(&candidates);
    let mut told = Explanation {
        board: Some(board),
        lines: text.lines().map(str::to_owned).collect(),
        stones: Some(replay.board.count()),
        foul: replay.foul.map(|foul| Foul {
            word: foul.shape.word(),
            at: spot(foul.point),
            number: foul.number,
        }),
        forced: forced.winner.map(|winner| Forced {
            winner,
            moves: forced.line.iter().map(|at| judge.name(*at)).collect(),
        }),
        candidates,
        to_move: replay.to_move,
        play: play(replay),
        ..Explanation::default()
    };
    told.note_no_candidates(telling, judge.no_candidates());
    told
}

fn write(
    judge: &KInRowJudge,
    forbidden: &[(Point, Shape)],
    claim: &Claim,
    judgement: &Judgement,
    telling: Telling,
    text: &mut String,
) -> std::fmt::Result {
    let replay = &judge.replay;
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
        (Ending::Illegal, ..) if replay.plies < replay.moves => {
            let number = replay.plies + 1;
            writeln!(
                text,
                "move {number} cannot be played; nobody has a line before it"
            )?;
        }
        _ => {
            if let (true, Some(Outcome::Win(winner))) = (claim.resigned, claim.outcome) {
                write!(text, "{} resigned; ", side(winner.other()))?;
            }
            text.push_str("nobody has a line that wins\n");
        }
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
    if let Some(worth) = &judge.last.worth
        && let Some(depth) = worth.depth
    {
        let (worth, line) = (worth.text(), worth.line.join(" "));
        writeln!(
            text,
            "evaluated          {worth} for black, {depth} plies deep: {line}"
        )?;
    }
    if telling.verbose {
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

const fn spot(point: Point) -> Spot {
    (point.column, point.row)
}

/// The board as it is drawn.
fn diagram(replay: &Replay, forbidden: &[(Point, Shape)]) -> Diagram {
    let board = &replay.board;
    let (columns, rows) = board.size();
    let cell = |at: Point| Cell {
        piece: board.stone(at).map(|side| {
            let sign = match side {
                Side::First => 'X',
                Side::Second => 'O',
            };
            Piece {
                side,
                letter: sign,
                glyph: sign,
            }
        }),
        forbidden: forbidden
            .iter()
            .find(|(point, _)| *point == at)
            .map(|(_, shape)| (sign(*shape), shape.word())),
        ..Cell::default()
    };
    let line = replay.line.iter().flat_map(Line::points);
    let mut legend = "X black  O white  # the line that wins  < last move".to_owned();
    if !forbidden.is_empty() {
        legend.push_str("  3 4 6 forbidden to Black: double three, double four, overline");
    }
    Diagram {
        style: Style::Stones,
        columns: (0..columns).map(column_name).collect(),
        rows: (1..=rows).rev().map(|row| row.to_string()).collect(),
        cells: board.points().map(cell).collect(),
        is_counted: false,
        last: replay.last.map(|(_, at)| (None, spot(at))),
        line: line.map(spot).collect(),
        legend,
    }
}

/// What was set up and played.
fn play(replay: &Replay) -> Play {
    let mut moves = 0;
    let mut steps = Vec::new();
    for step in replay.script.steps() {
        let step = match step {
            script::Step::Stone(side, column, row) => Step::Set(side, (column, row)),
            script::Step::Play(side, token) => {
                moves += 1;
                match token {
                    Token::At(column, row) => Step::Play(side, Some((column, row))),
                    Token::Pass => Step::Play(side, None),
                    Token::PassOutside | Token::Invalid => {
                        let why = format!("its move {moves} is no point of the board");
                        return Play::Unwritable(why);
                    }
                }
            }
        };
        steps.push(step);
    }
    Play::Steps(steps)
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
