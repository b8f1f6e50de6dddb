//! A final position of which no move is known.

use super::{
    board::{Board, Direction},
    foul::Shape,
    replay::{Foul, Line, Replay},
    rules::{Fouls, Rules},
};
use crate::{
    outcome::{Ending, Side},
    record::{Place, Warning},
};

/// Looks for lines all over a board, each from its first stone, and says how
/// the game ended; `false` where both sides have one and nobody can tell.
///
/// Where both sides have one, the game ended with the first of them, after
/// which somebody played on. The numbers of stones say who moved last: the
/// lines of that side are the later ones if one stone can have made them all.
pub(super) fn scan(replay: &mut Replay, rules: &Rules) -> bool {
    let [black, white] = replay.board.count();
    // Who moved last, where the numbers are those of a game.
    let last = match black.checked_sub(white) {
        Some(1) => Some(Side::First),
        Some(0) if black > 0 => Some(Side::Second),
        Some(0) => None,
        _ => {
            let value = format!("black:{black},white:{white}");
            replay
                .warnings
                .push(Warning::with("stone_counts", value, Place::Record));
            None
        }
    };
    replay.to_move = replay.to_move.or(last.map(Side::other));
    let lines: Vec<Line> = lines(&replay.board, rules).collect();
    let of = |side: Side| -> Vec<Line> {
        let lines = lines.iter().filter(|line| line.side == side);
        lines.copied().collect()
    };
    let winner = match (of(Side::First).len(), of(Side::Second).len()) {
        (0, 0) => None,
        (_, 0) => Some(Side::First),
        (0, _) => Some(Side::Second),
        _ => {
            let first = last
                .filter(|last| share_a_stone(&of(*last)))
                .map(Side::other);
            if first.is_none() {
                replay
                    .warnings
                    .push(Warning::new("ambiguous_lines", Place::Record));
                replay.to_move = None;
                return false;
            }
            replay
                .warnings
                .push(Warning::new("moves_after_end", Place::Record));
            first
        }
    };
    match winner {
        Some(side) => {
            let lines = of(side);
            if lines.len() > 1 && !share_a_stone(&lines) {
                let value = lines.len().to_string();
                replay
                    .warnings
                    .push(Warning::with("several_lines", value, Place::Record));
            }
            replay.line = lines.first().copied();
            replay.ended = Ending::Line;
        }
        None => {
            // Of the other forbidden moves nothing can be seen without the move.
            let mut overlines = runs(&replay.board)
                .filter(|line| line.side == Side::First && line.run.length > u32::from(rules.line));
            let overline = overlines.next().map(|line| line.point);
            if let Some(point) = overline.filter(|_| rules.fouls != Fouls::Off) {
                replay.foul = Some(Foul {
                    shape: Shape::Overline,
                    point,
                    number: None,
                });
                replay.ended = Ending::Foul;
            }
        }
    }
    true
}

/// The lines that win, each from its first stone.
pub(super) fn lines(board: &Board, rules: &Rules) -> impl Iterator<Item = Line> {
    runs(board).filter(|line| rules.wins(line.side, line.run.length, line.run.both_ends))
}

/// All stones in a row, each row from its first stone.
fn runs(board: &Board) -> impl Iterator<Item = Line> {
    let of_point = move |direction: Direction| {
        board.points().filter_map(move |point| {
            let side = board.stone(point)?;
            let run = board.run(side, point, direction);
            (run.before == 0).then_some(Line {
                side,
                point,
                direction,
                run,
            })
        })
    };
    Direction::ALL.into_iter().flat_map(of_point)
}

/// Whether some point is in each of the lines, so that one stone can have made
/// them all.
fn share_a_stone(lines: &[Line]) -> bool {
    let Some(first) = lines.first() else {
        return false;
    };
    let is_in_all = |point| lines.iter().all(|line| line.points().any(|at| at == point));
    first.points().any(is_in_all)
}
