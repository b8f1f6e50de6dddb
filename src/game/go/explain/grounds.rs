//! How the status of stones was decided.

use crate::game::go::{
    Verdict,
    board::{Board, Point},
    dead::Grounds,
    judge::Last,
};

/// How the status of stones was decided: the weakest grounds among them.
/// `unconditional` and `static` hold whatever the opponent plays, `search` is
/// proved among stones that are settled or clear; playouts with
/// the share of them that ended so, of the least clear chain.
pub(super) fn grounds(board: &Board, last: &Last, stones: &[Point]) -> String {
    match &last.verdict {
        Some(verdict) => of_verdict(board, verdict, stones),
        None => last.dead_from.to_owned(),
    }
}

fn of_verdict(board: &Board, verdict: &Verdict, stones: &[Point]) -> String {
    let of = |stone: &Point| verdict.grounds.get(usize::from(*stone)).copied();
    let is_all = |wanted: &[Grounds]| {
        let mut all = stones.iter().filter_map(of);
        all.all(|found| wanted.contains(&found))
    };
    if is_all(&[Grounds::Unconditional]) {
        return "unconditional".to_owned();
    }
    if is_all(&[Grounds::Unconditional, Grounds::Static]) {
        return "static".to_owned();
    }
    if is_all(&[Grounds::Unconditional, Grounds::Static, Grounds::Search]) {
        return "search".to_owned();
    }
    let share = |stone: &Point| {
        let sum: f32 = board
            .chain(*stone)
            .map(|member| verdict.ownership[usize::from(member)])
            .sum();
        (1.0 + (sum / f32::from(board.stones(*stone))).abs()) / 2.0
    };
    let heads = stones.iter().filter(|stone| board.head(**stone) == **stone);
    let least = heads.map(share).fold(1.0, f32::min);
    format!("playouts {least:.2}")
}
