//! Counts of small positions, drawn: `X` and `O` are living stones of the
//! first and the second player, `x` and `o` dead ones.

use super::*;

/// Reads a diagram; returns the position and its dead stones.
fn diagram(rows: &[&str]) -> (Board, Vec<Point>) {
    let mut board = Board::new(rows[0].len() as u8, rows.len() as u8);
    let mut dead = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        for (column, letter) in text.chars().enumerate() {
            let point = board.point(column as u8, row as u8);
            match letter.to_ascii_uppercase() {
                'X' => board.edit(point, Some(Side::First)),
                'O' => board.edit(point, Some(Side::Second)),
                _ => {}
            }
            if letter.is_lowercase() {
                dead.push(point);
            }
        }
    }
    board.find_chains();
    (board, dead)
}

fn count(rows: &[&str], convention: Convention, rules: &str) -> Counted {
    let (board, dead) = diagram(rows);
    let rules = Rules::parse(rules).expect(rules);
    Counter::new().count(&board, &dead, convention, &rules, Play::default())
}

/// Points of both sides by area, by flood and by strict territory.
fn all_counts(rows: &[&str]) -> [[i32; 2]; 3] {
    let points = |convention, rules| {
        let counted = count(rows, convention, rules);
        counted.points.map(|points| points.in_quarters() / 4)
    };
    [
        points(Convention::Area, "chinese"),
        points(Convention::TerritoryFlood, "japanese"),
        points(Convention::TerritoryStrict, "japanese"),
    ]
}

/// The owners of all points as a diagram.
fn owners(rows: &[&str], convention: Convention) -> Vec<String> {
    let (board, dead) = diagram(rows);
    let mut counter = Counter::new();
    let rules = Rules::parse("japanese").expect("a preset");
    counter.count(&board, &dead, convention, &rules, Play::default());
    let owners: Vec<i8> = counter.owner().collect();
    let letter = |owner: &i8| ['O', '.', 'X'][(owner + 1) as usize];
    owners
        .chunks(rows[0].len())
        .map(|row| row.iter().map(letter).collect())
        .collect()
}

#[test]
fn simple_positions() {
    let table: &[(&[&str], [[i32; 2]; 3])] = &[
        (&["....", "....", "...."], [[0, 0], [0, 0], [0, 0]]),
        (&["....", ".X..", "...."], [[12, 0], [11, 0], [11, 0]]),
        (&["X"], [[1, 0], [0, 0], [0, 0]]),
        (&["XO", "OX"], [[2, 2], [0, 0], [0, 0]]),
        (&[".XO.", ".XO.", ".XO."], [[6, 6], [3, 3], [3, 3]]),
        (&[".X.O.", ".X.O.", ".X.O."], [[6, 6], [3, 3], [3, 3]]),
        // Dead stones are points under area, and two under territory.
        (&["oXO..", ".XO..", ".XO.."], [[6, 9], [4, 6], [4, 6]]),
        (&["o.X", "...", "..."], [[9, 0], [9, 0], [9, 0]]),
    ];
    for (rows, expected) in table {
        assert_eq!(all_counts(rows), *expected, "{rows:#?}");
    }
}

#[test]
fn one_stone_owns_the_board() {
    let mut board = Board::new(19, 19);
    let mut counter = Counter::new();
    let rules = Rules::parse("tromp-taylor").expect("a preset");
    let empty = counter.count(&board, &[], Convention::Area, &rules, Play::default());
    assert_eq!((empty.points, empty.neutral), ([Points::ZERO; 2], 361));
    assert_eq!(counter.open_region(), 0);
    board
        .play(Side::Second, board.point(9, 9), false)
        .expect("legal");
    let one = counter.count(&board, &[], Convention::Area, &rules, Play::default());
    assert_eq!(one.points, [Points::ZERO, Points::whole(361)]);
    assert_eq!(counter.owner().filter(|owner| *owner == -1).count(), 361);
}

#[test]
fn prisoners_and_pass_stones() {
    let mut board = Board::new(3, 3);
    for (side, column, row) in [
        (Side::Second, 0, 0),
        (Side::First, 1, 0),
        (Side::First, 0, 1),
    ] {
        let point = board.point(column, row);
        board.play(side, point, false).expect("legal");
    }
    let mut counter = Counter::new();
    let mut points = |rules: &str, convention| {
        let rules = Rules::parse(rules).expect(rules);
        let counted = counter.count(
            &board,
            &[],
            convention,
            &rules,
            Play {
                passes: [1, 2],
                ..Play::default()
            },
        );
        counted.points.map(|points| points.in_quarters() / 4)
    };
    let flood = Convention::TerritoryFlood;
    assert_eq!(points("japanese", flood), [8, 0]);
    assert_eq!(points("aga,pass_stones=yes", flood), [10, 1]);
    assert_eq!(points("aga,pass_stones=yes", Convention::Area), [9, 0]);
}

#[test]
fn neutral_points_and_the_open_region() {
    let rows = &[
        ".X.O.", //
        ".X.O.", //
        ".XXO.", //
        "XX.OO", //
    ];
    let (board, _) = diagram(rows);
    let mut counter = Counter::new();
    let rules = Rules::parse("chinese").expect("a preset");
    let counted = counter.count(&board, &[], Convention::Area, &rules, Play::default());
    assert_eq!(counted.neutral, 3);
    assert_eq!(counter.open_region(), 2);
}

/// The stones in the corner and those around them have one eye each.
const SEKI: &[&str] = &[
    "XX.O.OX..", //
    ".XOOOOX..", //
    "XXOXXXX..", //
    "OOOX.....", //
    "XXXX.....", //
];

#[test]
fn a_seki_under_tax() {
    let points = |convention, tax: &str| {
        let rules = format!("chinese,tax={tax}");
        let counted = count(SEKI, convention, &rules);
        counted.points.map(|points| points.in_quarters() / 4)
    };
    for (convention, tax, expected) in [
        (Convention::Area, "none", [33, 11]),
        (Convention::Area, "seki", [32, 10]),
        (Convention::TerritoryFlood, "seki", [17, 1]),
        (Convention::TerritoryStrict, "none", [17, 1]),
        (Convention::TerritoryStrict, "seki", [16, 0]),
    ] {
        let word = convention.word();
        assert_eq!(points(convention, tax), expected, "{word} {tax}");
    }
}

#[test]
fn group_tax_takes_two_points_for_each_living_group() {
    let rows = &[
        ".X.XO.O.", //
        "XXXXOOOO", //
        "OOOOXXXX", //
        "O.O.X.X.", //
    ];
    let counted = count(rows, Convention::Area, "ancient-area");
    assert_eq!(counted.points, [Points::whole(12); 2]);
    let counted = count(rows, Convention::TerritoryStrict, "ancient-territory");
    assert_eq!(counted.points, [Points::ZERO; 2]);
}

#[test]
fn false_eyes_are_no_territory() {
    // The stone in the corner has to be connected.
    let rows = &[
        "X.XO...", //
        "OXXO...", //
        "OOXOOOO", //
        ".OXXXXX", //
        "OOX.X.X", //
        ".OXXXXX", //
        "OOX....", //
    ];
    let mut expected = vec![
        "XXXOOOO", "OXXOOOO", "OOXOOOO", "OOXXXXX", "OOXXXXX", "OOXXXXX", "OOXXXXX",
    ];
    assert_eq!(owners(rows, Convention::TerritoryFlood), expected);
    expected[0] = "X.XOOOO";
    assert_eq!(owners(rows, Convention::TerritoryStrict), expected);
}

#[test]
fn memory_of_a_larger_board_is_forgotten() {
    let mut counter = Counter::new();
    let rules = Rules::parse("japanese").expect("a preset");
    for (size, stone) in [(52, true), (3, false), (52, false)] {
        let mut board = Board::new(size, size);
        if stone {
            for point in board.points().filter(|point| point % 3 == 0) {
                board.edit(point, Some(Side::First));
            }
            board.find_chains();
        }
        let counted = counter.count(
            &board,
            &[],
            Convention::TerritoryStrict,
            &rules,
            Play::default(),
        );
        assert_eq!(counted.points[0] == Points::ZERO, !stone);
    }
}

/// Surrounded points by the plainest flood fill.
fn plain_owners(board: &Board, dead: &[Point]) -> Vec<i8> {
    let living = |point: Point| {
        let cell = board.cell(point);
        cell.side().filter(|_| !dead.contains(&point))
    };
    let owner = |start: Point| {
        if let Some(side) = living(start) {
            return side.sign() as i8;
        }
        let (mut seen, mut at, mut found) = (vec![start], 0, [false; 2]);
        while at < seen.len() {
            for near in board.neighbours(seen[at]) {
                if let Some(side) = living(near) {
                    found[side.index()] = true;
                } else if board.cell(near) != Cell::Border && !seen.contains(&near) {
                    seen.push(near);
                }
            }
            at += 1;
        }
        i8::from(found == [true, false]) - i8::from(found == [false, true])
    };
    board.points().map(owner).collect()
}

#[test]
fn random_positions_of_all_sizes() {
    let mut state: u64 = 1;
    let mut random = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    let mut counter = Counter::new();
    for round in 0..60 {
        let largest = if round == 0 { 52 } else { 9 };
        let (columns, rows) = (random(largest) as u8 + 1, random(largest) as u8 + 1);
        let mut board = Board::new(columns, rows);
        let sparse = random(6) + 2;
        let mut dead = Vec::new();
        for point in board.points() {
            match random(sparse) {
                0 => board.edit(point, Some(Side::First)),
                1 => board.edit(point, Some(Side::Second)),
                _ => continue,
            }
            if random(8) == 0 {
                dead.push(point);
            }
        }
        board.find_chains();
        for rules in ["chinese", "japanese", "ancient-area"] {
            let rules = Rules::parse(rules).expect(rules);
            for convention in Convention::ALL {
                let counted = counter.count(&board, &dead, *convention, &rules, Play::default());
                let nobody = counter.owner().filter(|owner| *owner == 0).count();
                assert_eq!(counted.neutral as usize, nobody);
                assert!(counter.open_region() <= u32::from(columns) * u32::from(rows));
            }
        }
        let rules = Rules::parse("chinese").expect("a preset");
        counter.count(&board, &dead, Convention::Area, &rules, Play::default());
        let owners: Vec<i8> = counter.owner().collect();
        assert_eq!(owners, plain_owners(&board, &dead));
    }
}

/// Shared points that are filled by turns: their margin from Black's view.
fn dame(rows: &[&str], to_move: Option<Side>) -> ([u32; 2], i32) {
    let (board, dead) = diagram(rows);
    let rules = Rules::parse("chinese").expect("a preset");
    let play = Play {
        to_move,
        ..Play::default()
    };
    let mut counter = Counter::new();
    let counted = counter.count(&board, &dead, Convention::Area, &rules, play);
    let lead = counted.points[0] - counted.points[1];
    let ignored = counter.count_again(&board, Convention::AreaDameIgnored, &rules, play);
    let without = ignored.points[0] - ignored.points[1];
    assert_eq!(ignored.dame, [0; 2]);
    (counted.dame, (lead - without).in_quarters() / 4)
}

#[test]
fn shared_points_are_filled_by_turns() {
    let odd = [
        ".X.O.", //
        "XX.OO", ".X.O.", "XXXOO", ".X.XO",
    ];
    let even = [
        ".X.O.", //
        "XX.OO", ".XXO.", "XX.OO", ".X.O.",
    ];
    // Whoever begins fills one more of three; of four there are two for each.
    assert_eq!(dame(&odd, Some(Side::First)), ([2, 1], 1));
    assert_eq!(dame(&odd, Some(Side::Second)), ([1, 2], -1));
    assert_eq!(dame(&odd, None), ([0, 0], 0));
    assert_eq!(dame(&even, Some(Side::First)), ([2, 2], 0));
    // In a seki nobody fills any.
    let seki = [
        "X.OX.", //
        "XXOXX", ".XO.X", "XXOXX", "..OX.",
    ];
    let (filled, lead) = dame(&seki, Some(Side::First));
    assert_eq!((filled, lead), ([0, 0], 0));
}

/// A group with two eyes next to a shared point is alive by its shape, and in
/// seki by the mechanical definition until the point is filled.
#[test]
fn life_by_shape_and_mechanically() {
    let open = [
        ".X.X.O.", //
        "XXXX.OO", "OOOOOO.", "..O..OO",
    ];
    let filled = [
        ".X.XXO.", //
        "XXXXXOO", "OOOOOO.", "..O..OO",
    ];
    let seki = |rows, switch: &str| {
        count(rows, Convention::Area, &format!("chinese,tax=seki{switch}")).seki
    };
    assert_eq!(seki(&open, ""), [0, 0]);
    assert_eq!(seki(&filled, ""), [0, 0]);
    let [black, white] = seki(&open, ",life=mechanical");
    assert!(black > 0 && white > 0, "{black} {white}");
    assert_eq!(seki(&filled, ",life=mechanical"), [0, 0]);
    // Dead is only what no move can save: here nothing but the last stone.
    let caught = |rows: &[&str]| count(rows, Convention::Area, "chinese,life=mechanical").dead;
    assert_eq!(caught(&filled), [0, 0]);
    assert_eq!(caught(&["O.X.XO", ".XXXXO", "XXOOOO", "OOO.O."]), [0, 1]);
}
