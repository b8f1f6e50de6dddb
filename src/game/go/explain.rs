//! A judged record drawn for people: the board, the dead, the counts.

use std::{cmp::Reverse, fmt::Write};

use super::{
    board::{Board, Cell, Point},
    judge::{GoJudge, Last, margin},
    point::{column_name, vertex},
    score::Convention,
};
use crate::{
    game::Judgement,
    outcome::{Points, Side},
};

/// See [`crate::game::Judge::explain`].
pub(super) fn explain(judge: &mut GoJudge, judgement: &Judgement, verbose: bool) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(judge, judgement, verbose, &mut text);
    text
}

fn write(
    judge: &mut GoJudge,
    judgement: &Judgement,
    verbose: bool,
    text: &mut String,
) -> std::fmt::Result {
    let (replay, counter, last) = judge.parts();
    let board = &replay.board;
    let counted = judgement.dead_from.is_some();
    let mut seki = Vec::new();
    let owner: Vec<i8> = match (counted, last.rules) {
        (true, Some(rules)) => {
            if verbose {
                // For what it finds of seki; what is counted comes after it.
                let strict = Convention::TerritoryStrict;
                counter.count(board, &last.dead, strict, &rules, replay.passes);
                seki = counter.seki(board);
            }
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
        if verbose {
            table(board, &owner, last, &seki, text)?;
        } else {
            groups(board, &last.dead, "dead", text)?;
            groups(board, &last.unsure, "unclear, left alive", text)?;
        }
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
        board.prisoners(Side::First),
        board.prisoners(Side::Second)
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

/// A table of every chain, the largest first.
fn table(
    board: &Board,
    owner: &[i8],
    last: &Last,
    seki: &[Point],
    text: &mut String,
) -> std::fmt::Result {
    let (_, rows) = board.size();
    let mut chains: Vec<(usize, Point)> = board
        .points()
        .filter(|point| board.cell(*point).side().is_some() && board.head(*point) == *point)
        .map(|head| {
            let first = board.chain(head).min().unwrap_or(head);
            (board.chain(head).count(), first)
        })
        .collect();
    chains.sort_by_key(|(stones, first)| (Reverse(*stones), *first));
    let areas = Areas::of(board, owner);
    let unsure: Vec<Point> = last.unsure.iter().map(|stone| board.head(*stone)).collect();
    writeln!(text, "\nchain         stones  liberties  territory  fate")?;
    for (stones, first) in chains {
        let side = match board.cell(first) {
            Cell::First => "black",
            _ => "white",
        };
        let dead = last.dead.binary_search(&first).is_ok();
        let fate = if dead {
            "dead"
        } else if unsure.contains(&board.head(first)) {
            "unclear, left alive"
        } else if seki.binary_search(&first).is_ok() {
            "seki?"
        } else {
            "alive"
        };
        let around = if dead { 0 } else { areas.beside(board, first) };
        writeln!(
            text,
            "{side} {:<6}  {stones:>6}  {:>9}  {:>9}  {fate}",
            vertex(board.place(first), rows),
            board.liberties(first, board.length()),
            around,
        )?;
    }
    text.push_str("territory: points of the areas beside it, which other chains may share\n");
    Ok(())
}

/// Areas of points that one side surrounds.
struct Areas {
    /// Number of the area of each point, by array index; 0 is none.
    of_point: Vec<u16>,
    /// Size of each area.
    sizes: Vec<u32>,
}

impl Areas {
    /// The areas of a board whose owners are known, row by row.
    fn of(board: &Board, owner: &[i8]) -> Self {
        let mut owners = vec![0; board.length()];
        for (point, owner) in board.points().zip(owner) {
            let living = board.cell(point).side().map_or(0, Side::sign) == i32::from(*owner);
            if *owner != 0 && !living {
                owners[usize::from(point)] = *owner;
            }
        }
        let mut areas = Self {
            of_point: vec![0; board.length()],
            sizes: vec![0],
        };
        let mut open = Vec::new();
        for start in board.points() {
            let side = owners[usize::from(start)];
            if side == 0 || areas.of_point[usize::from(start)] != 0 {
                continue;
            }
            let area = areas.sizes.len() as u16;
            let mut size = 0;
            areas.of_point[usize::from(start)] = area;
            open.push(start);
            while let Some(point) = open.pop() {
                size += 1;
                for near in board.neighbours(point) {
                    let near = usize::from(near);
                    if owners[near] == side && areas.of_point[near] == 0 {
                        areas.of_point[near] = area;
                        open.push(near as Point);
                    }
                }
            }
            areas.sizes.push(size);
        }
        areas
    }

    /// The points of the areas beside a chain.
    fn beside(&self, board: &Board, stone: Point) -> u32 {
        let near = |member| board.neighbours(member);
        let mut areas: Vec<u16> = board
            .chain(stone)
            .flat_map(near)
            .map(|near| self.of_point[usize::from(near)])
            .collect();
        areas.sort_unstable();
        areas.dedup();
        areas
            .iter()
            .map(|area| self.sizes[usize::from(*area)])
            .sum()
    }
}
