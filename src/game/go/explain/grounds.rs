//! How the status of stones was decided.

use crate::game::go::{
    Verdict,
    board::{Board, Point},
    dead::{Grounds, mean_of},
    judge::Last,
};

/// How the status of stones was decided: the weakest grounds among them.
/// `unconditional` and `static` hold whatever the opponent plays; `inside` is a
/// stone that may be taken in territory that its side holds; `search` is proved
/// among stones that are settled or clear; playouts with the share of them that
/// ended as is shown, of the least clear chain, and why that chain is alive where
/// most ended otherwise.
pub(super) fn grounds(board: &Board, last: &Last, stones: &[Point]) -> String {
    if stones.is_empty() {
        return String::new();
    }
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
    let held = [Grounds::Unconditional, Grounds::Static, Grounds::Inside];
    if is_all(&held) {
        return "inside".to_owned();
    }
    if is_all(&[held.as_slice(), &[Grounds::Search]].concat()) {
        return "search".to_owned();
    }
    let share = |head: Point| {
        let kept = mean_of(board, &verdict.ownership, head);
        let is_dead = verdict.dead.binary_search(&head).is_ok();
        (1.0 + if is_dead { -kept } else { kept }) / 2.0
    };
    let heads = stones.iter().filter(|stone| board.head(**stone) == **stone);
    let shares = heads.map(|head| (share(*head), *head));
    let Some((least, head)) = shares.min_by(|one, two| one.0.total_cmp(&two.0)) else {
        return String::new();
    };
    match verdict.alive_because(board, head) {
        Some(why) => format!("playouts {least:.2}, {why}"),
        None => format!("playouts {least:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Side;

    /// The grounds of Black's stone at A2 if it is held so, from -1 to 1, on a
    /// board where the other stones live or, being in the list, are dead.
    fn of_corner(rows: [&str; 2], mean: f32, dead: &[(u8, u8)]) -> String {
        let mut board = Board::new(5, 2);
        let mut verdict = Verdict {
            ownership: vec![0.0; board.length()],
            grounds: vec![Grounds::Playouts; board.length()],
            ..Verdict::default()
        };
        for (y, row) in (0..).zip(rows) {
            for (x, cell) in (0..).zip(row.chars()) {
                let side = match cell {
                    'X' => Side::First,
                    'O' => Side::Second,
                    _ => continue,
                };
                let point = board.point(x, y);
                board.edit(point, Some(side));
                verdict.ownership[usize::from(point)] = side.sign() as f32;
            }
        }
        board.find_chains();
        let corner = board.point(0, 0);
        verdict.ownership[usize::from(corner)] = mean;
        verdict.dead = dead.iter().map(|&(x, y)| board.point(x, y)).collect();
        of_verdict(&board, &verdict, &[corner])
    }

    #[test]
    fn the_share_is_that_of_the_status_shown() {
        let connects = ["X.X..", "....."];
        for (rows, mean, dead, expected) in [
            (connects, 0.5, [].as_slice(), "playouts 0.75"),
            (connects, -0.5, &[], "playouts 0.25, can connect"),
            (connects, -0.5, &[(0, 0)], "playouts 0.75"),
            (
                ["XO...", "....."],
                -0.5,
                &[(1, 0)],
                "playouts 0.25, beside dead stones",
            ),
            (["XO...", "....."], -0.5, &[], "playouts 0.25"),
        ] {
            assert_eq!(of_corner(rows, mean, dead), expected, "{rows:?} {dead:?}");
        }
    }

    #[test]
    fn territory_without_stones_has_no_grounds() {
        let last = Last {
            verdict: Some(Verdict::default()),
            ..Last::default()
        };
        assert_eq!(grounds(&Board::new(5, 5), &last, &[]), "");
    }
}
