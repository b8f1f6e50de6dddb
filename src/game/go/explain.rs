//! A judged record drawn for people: the board, the dead, the counts.

use std::fmt::Write;

use super::{
    board::{Board, Cell, Point},
    judge::{GoJudge, margin},
    point::{column_name, vertex},
    score::Convention,
};
use crate::{game::Judgement, outcome::Points};

/// See [`crate::game::Judge::explain`].
pub(super) fn explain(judge: &mut GoJudge, judgement: &Judgement) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(judge, judgement, &mut text);
    text
}

fn write(judge: &mut GoJudge, judgement: &Judgement, text: &mut String) -> std::fmt::Result {
    let (replay, counter, last) = judge.parts();
    let board = &replay.board;
    let counted = judgement.dead_from.is_some();
    let owner: Vec<i8> = match (counted, last.rules) {
        (true, Some(rules)) => {
            let used = judgement.convention.and_then(Convention::of_word);
            counter.count(
                board,
                &last.dead,
                used.unwrap_or(Convention::Area),
                &rules,
                replay.passes,
            );
            counter.owner().collect()
        }
        _ => Vec::new(),
    };
    draw(board, &owner, &last.dead, replay.last, counted, text)?;
    if counted {
        text.push_str("X black  O white  x o dead  : black's point  ' white's point  . nobody's\n");
        groups(board, &last.dead, "dead", text)?;
        let unsure: Vec<Point> = last
            .unsure
            .iter()
            .flat_map(|stone| board.chain(*stone))
            .collect();
        groups(board, &unsure, "unclear, left alive", text)?;
        if let Some(rules) = last.rules {
            text.push('\n');
            for convention in Convention::ALL {
                let result = counter.count(board, &last.dead, *convention, &rules, replay.passes);
                let added = rules.compensation(last.komi, last.handicap, replay.first_pass);
                let lead = margin(result.points, added);
                let mark = if judgement.convention == Some(convention.word()) {
                    "  <- used"
                } else {
                    ""
                };
                writeln!(
                    text,
                    "{:<18} black {:>6}  white {:>6}  {}{mark}",
                    convention.word(),
                    (result.points[0] + added[0]).to_string(),
                    (result.points[1] + added[1]).to_string(),
                    lead_words(lead),
                )?;
            }
        }
    }
    writeln!(
        text,
        "prisoners          black {}  white {}",
        board.prisoners(crate::outcome::Side::First),
        board.prisoners(crate::outcome::Side::Second)
    )
}

fn lead_words(lead: Points) -> String {
    match lead.in_quarters() {
        0 => "draw".to_owned(),
        1.. => format!("black+{lead}"),
        _ => format!("white+{}", -lead),
    }
}

/// The board with coordinates; the last move in brackets.
fn draw(
    board: &Board,
    owner: &[i8],
    dead: &[Point],
    last: Option<Point>,
    counted: bool,
    text: &mut String,
) -> std::fmt::Result {
    let (columns, rows) = board.size();
    let mut header = String::from("    ");
    for column in 0..columns {
        write!(header, "{:<2}", column_name(column))?;
    }
    writeln!(text, "{}", header.trim_end())?;
    for row in 0..rows {
        let mut line = format!("{:>3} ", rows - row);
        for column in 0..columns {
            let at = board.point(column, row);
            let is_dead = dead.binary_search(&at).is_ok();
            let index = usize::from(row) * usize::from(columns) + usize::from(column);
            let sign = match (board.cell(at), is_dead) {
                (Cell::First, false) => 'X',
                (Cell::First, true) => 'x',
                (Cell::Second, false) => 'O',
                (Cell::Second, true) => 'o',
                _ if !counted => '.',
                _ => match owner.get(index) {
                    Some(1) => ':',
                    Some(-1) => '\'',
                    _ => '.',
                },
            };
            line.push(sign);
            line.push(if last == Some(at) { '<' } else { ' ' });
        }
        writeln!(text, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A line for each group of stones: how many, whose, and where.
fn groups(board: &Board, stones: &[Point], what: &str, text: &mut String) -> std::fmt::Result {
    let (_, rows) = board.size();
    let mut heads: Vec<Point> = Vec::new();
    for stone in stones {
        let head = board.head(*stone);
        if heads.contains(&head) {
            continue;
        }
        heads.push(head);
        let chain: Vec<Point> = board.chain(*stone).collect();
        let side = match board.cell(*stone) {
            Cell::First => "black",
            _ => "white",
        };
        let first = chain.iter().min().copied().unwrap_or(*stone);
        writeln!(
            text,
            "{what}: {side} {} ({} {})",
            vertex(board.place(first), rows),
            chain.len(),
            if chain.len() == 1 { "stone" } else { "stones" },
        )?;
    }
    Ok(())
}
