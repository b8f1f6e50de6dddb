//! Small positions with a status that is not in doubt.

use super::*;
use crate::game::go::board::Cell;

/// A board from rows of `X`, `O` and `.`, in any case.
fn board(text: &str) -> Board {
    let rows: Vec<&str> = text.split_whitespace().collect();
    let mut board = Board::new(rows[0].len() as u8, rows.len() as u8);
    for (y, row) in rows.iter().enumerate() {
        for (x, cell) in row.bytes().enumerate() {
            let stone = match cell {
                b'X' | b'x' => Some(Side::First),
                b'O' | b'o' => Some(Side::Second),
                _ => None,
            };
            board.edit(board.point(x as u8, y as u8), stone);
        }
    }
    board.find_chains();
    board
}

/// The board as text, dead stones in small letters.
fn judged(board: &Board) -> Vec<String> {
    let verdict = DeadStones::new().judge(board, false);
    let (columns, rows) = board.size();
    let letter = |x, y| {
        let point = board.point(x, y);
        let dead = verdict.dead.contains(&point);
        match board.cell(point) {
            Cell::First => ['X', 'x'][usize::from(dead)],
            Cell::Second => ['O', 'o'][usize::from(dead)],
            _ => '.',
        }
    };
    (0..rows)
        .map(|y| (0..columns).map(|x| letter(x, y)).collect())
        .collect()
}

/// Checks that exactly the stones in small letters are dead.
fn check(text: &str) {
    let rows: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(judged(&board(text)), rows);
}

#[test]
fn stone_in_enemy_territory_is_dead() {
    check(
        "
        ..XO...
        o.XO...
        ..XO...
        ..XO..x
        XXXOOOO
        ..XXXXX
        ...X...
        ",
    );
}

#[test]
fn stones_in_atari_that_can_connect_live() {
    // White takes the stone at H3 by a move to H4; Black connects there if it
    // moves first. Where White is at H4 already, it is gone for good.
    for (at_the_edge, is_dead) in [('.', false), ('O', true)] {
        let rows = format!(
            "
            .OOX.X..
            .OXXXXXX
            OOOOXXX{at_the_edge}
            .O.OOOOX
            OOO.O.O.
            ..OOOOOO
            "
        );
        let board = board(&rows);
        let stone = board.point(7, 3);
        let mut owners: Vec<f32> = vec![0.0; board.length()];
        for point in board.points() {
            owners[usize::from(point)] = board
                .cell(point)
                .side()
                .map_or(0.0, |side| side.sign() as f32);
        }
        owners[usize::from(stone)] = -0.1;
        let decision = decide::decide(&board, &owners, &[]);
        assert_eq!(decision.dead[usize::from(stone)], is_dead, "{at_the_edge}");
    }
}

#[test]
fn one_eyed_group_is_dead() {
    // SabakiHQ/deadstones #4: playouts that never fill the last eye miss it.
    check(
        "
        .xO....
        xxO.O..
        OOO....
        OOOOOOO
        XXXXXXX
        ..X.X..
        .......
        ",
    );
}

#[test]
fn two_eyed_group_lives() {
    check(
        "
        .X.XO..
        XXXXO.O
        OOOOO..
        OOOOOOO
        XXXXXXX
        ..X.X..
        .......
        ",
    );
}

#[test]
fn nakade_in_a_bent_three_kills() {
    check(
        "
        O.xO...
        .xxO.O.
        xxOO...
        OOOOOOO
        XXXXXXX
        ..X.X..
        .......
        ",
    );
}

#[test]
fn both_live_in_a_seki() {
    // Each side has one eye, and a liberty is shared.
    check(
        "
        .O.X.XO.
        OOXXXXO.
        XXOOOOO.
        .XO.....
        XXO.....
        .XO.....
        ",
    );
}

#[test]
fn snapback_left_on_the_board() {
    check(
        "
        XoX.XO.
        XoooXO.
        XXXXXO.
        ..X.XO.
        XXXXXO.
        OOOOOO.
        .......
        ",
    );
}

#[test]
fn boards_without_anything_to_judge() {
    for rows in [".", ".X.", "XO", "XXX XXX", "XOX OXO XOX"] {
        let board = board(rows);
        let verdict = DeadStones::new().judge(&board, false);
        assert!(verdict.dead.is_empty(), "{rows}");
        assert_eq!(verdict.ownership.len(), board.length());
    }
    let empty = Board::new(19, 19);
    assert!(DeadStones::new().judge(&empty, true).dead.is_empty());
    assert!(judged(&Board::new(1, 40)).iter().all(|row| row == "."));
}

#[test]
fn mirrored_positions_have_the_mirrored_verdict() {
    // The second one is symmetric up to colours.
    let positions = [
        "X.XO. .XXOO XXO.O",
        ".XX. OX.O O.XO .OO.",
        // Settled by answers: a row of four, and a block joined by pairs.
        "....XO. XXXXXO. OOOOOO. ....... .......",
        ".X.X. X.X.X .X.X. X.X.X .X.X.",
        "..X.X.. .XX.XX. XX...XX ....... XX...XX .XX.XX. ..X.X..",
    ];
    for rows in positions {
        let original = board(rows);
        let (columns, rows) = original.size();
        let verdict = DeadStones::new().judge(&original, false);
        for bits in 0..16u8 {
            let turn = |x: u8, y: u8| {
                let x = if bits & 1 != 0 { columns - 1 - x } else { x };
                let y = if bits & 2 != 0 { rows - 1 - y } else { y };
                if bits & 4 != 0 { (y, x) } else { (x, y) }
            };
            let (width, height) = if bits & 4 != 0 {
                (rows, columns)
            } else {
                (columns, rows)
            };
            let mut turned = Board::new(width, height);
            let mut pairs = Vec::new();
            for point in original.points() {
                let (x, y) = original.place(point);
                let (x, y) = turn(x, y);
                let side = original.cell(point).side();
                let side = if bits & 8 != 0 {
                    side.map(Side::other)
                } else {
                    side
                };
                turned.edit(turned.point(x, y), side);
                pairs.push((point, turned.point(x, y)));
            }
            turned.find_chains();
            let other = DeadStones::new().judge(&turned, false);
            let sign = if bits & 8 != 0 { -1.0 } else { 1.0 };
            for (here, there) in pairs {
                assert_eq!(verdict.dead.contains(&here), other.dead.contains(&there));
                let (here, there) = (usize::from(here), usize::from(there));
                assert_eq!(verdict.ownership[here], sign * other.ownership[there]);
            }
            assert_eq!(verdict.clarity, other.clarity);
        }
    }
}
