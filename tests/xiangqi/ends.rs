//! Limits of moves without a capture, and too little material.

use kifu::game::xiangqi::{History, Limit, Material, Move, fen};

use super::suites::{Turned, cases, text, turned};

/// A game of some moves.
fn game(pieces: &str, moves: &str) -> History {
    let mut position = fen::read(pieces).unwrap();
    let mut history = History::new(position.clone());
    for it in moves.split_whitespace() {
        let it: Move = it.parse().unwrap();
        assert!(position.is_legal(it), "{it} in {position:?}");
        let captured = position.make(it);
        let check = position.in_check(position.turn());
        history.push(it, captured, position.key(), check);
    }
    history
}

#[test]
fn moves_without_a_capture() {
    let quiet = "f0f1 d9d8 f1f0 d8d9 ";
    let idle = "3k5/9/9/9/9/9/9/9/p8/R4K3 w";
    // The other side goes first after the capture.
    let captured = format!(
        "{}a0a1 {}",
        quiet.repeat(15),
        "d9d8 f0f1 d8d9 f1f0 ".repeat(30)
    );
    let checking = "3k5/R8/9/9/9/9/9/9/9/5K3 w";
    let checks = "a8a9 d9d8 a9a8 d8d9 ";
    // One check in four plies: n plies count n - 2 (n / 4 - 10).
    let half = "3k5/9/R8/9/9/9/9/9/9/5K3 w";
    let half_checks = "a7a9 d9d8 a9a7 d8d9 ";
    for (name, pieces, moves, limit, reached) in [
        (
            "at the limit",
            idle,
            quiet.repeat(40),
            Limit::AXF,
            Some(100),
        ),
        ("below it", idle, quiet.repeat(24), Limit::AXF, None),
        (
            "plain",
            idle,
            quiet.repeat(40),
            Limit::plain(120),
            Some(120),
        ),
        ("one ply", idle, quiet.to_string(), Limit::plain(1), Some(1)),
        ("no limit", idle, quiet.repeat(400), Limit::NONE, None),
        ("after a capture", idle, captured, Limit::AXF, Some(161)),
        (
            "only checks",
            checking,
            checks.repeat(100),
            Limit::AXF,
            None,
        ),
        (
            "ten checks",
            checking,
            checks.repeat(5),
            Limit::plain(20),
            Some(20),
        ),
        (
            "checks in plain",
            checking,
            checks.repeat(40),
            Limit::plain(120),
            Some(120),
        ),
        (
            "some checks",
            half,
            half_checks.repeat(50),
            Limit::AXF,
            Some(160),
        ),
    ] {
        let plies: Vec<&str> = moves.split_whitespace().collect();
        let is_reached =
            |after: &usize| limit.is_reached(&game(pieces, &plies[..*after].join(" ")));
        assert_eq!((0..=plies.len()).find(is_reached), reached, "{name}");
    }
}

#[test]
fn limits_as_text() {
    for (text, limit) in [
        ("none", Limit::NONE),
        ("axf", Limit::AXF),
        ("120", Limit::plain(120)),
        ("1", Limit::plain(1)),
    ] {
        assert_eq!(text.parse(), Ok(limit));
        assert_eq!(limit.to_string(), text);
    }
    assert_eq!("0".parse(), Ok(Limit::NONE));
    for text in ["-1", "", "a", "100001", "99999999999"] {
        let error = text.parse::<Limit>().unwrap_err();
        assert!(error.contains("none, axf, or plies"), "{error}");
    }
}

#[test]
fn too_little_material() {
    use Material::{NoAttackers, None, Table};
    for (name, pieces, by) in [
        ("generals", "4k4/9/9/9/9/9/9/9/9/3K5 w", [true, true]),
        (
            "no attackers",
            "2bakab2/9/9/9/9/9/9/9/9/2BK1A3 b",
            [true, true],
        ),
        ("a soldier", "4k3P/9/9/9/9/9/9/9/9/3K5 w", [false, false]),
        ("a horse", "4k4/9/9/9/9/9/9/9/N8/3K5 w", [false, false]),
        ("a chariot", "4k4/9/9/9/9/9/9/9/R8/3K5 w", [false, false]),
        (
            "a cannon alone",
            "4k4/9/9/9/9/9/9/9/C8/3K5 w",
            [false, true],
        ),
        (
            "with elephants",
            "2b1k4/9/4b4/9/9/9/9/9/C8/2BK5 w",
            [false, true],
        ),
        (
            "with an advisor",
            "4k4/9/9/9/9/9/9/9/C8/3KA4 w",
            [false, false],
        ),
        (
            "a cannon and a soldier",
            "4k4/9/9/9/9/9/9/9/C7P/3K5 w",
            [false, false],
        ),
        ("two cannons", "4k4/9/9/9/9/9/9/9/CC7/3K5 w", [false, false]),
        (
            "against an advisor",
            "4ka3/9/9/9/9/9/9/9/C8/3K5 w",
            [false, true],
        ),
        (
            "so, with an elephant",
            "4ka3/9/9/9/9/9/9/9/C8/2BK5 w",
            [false, true],
        ),
        ("against two", "3aka3/9/9/9/9/9/9/9/C8/3K5 w", [false, true]),
        (
            "so, with an elephant",
            "3aka3/9/9/9/9/9/9/9/C8/2BK5 w",
            [false, false],
        ),
        (
            "so, and mate next",
            "3ak4/4a4/9/9/C8/9/9/9/9/5K3 w",
            [false, false],
        ),
        (
            "so, and a way out",
            "3ak4/9/5a3/9/C8/9/9/9/9/5K3 w",
            [false, true],
        ),
        (
            "so, not to move",
            "3ak4/4a4/9/9/C8/9/9/9/9/5K3 b",
            [false, true],
        ),
        ("so, mated", "C2ak4/4a4/9/9/9/9/9/9/9/5K3 b", [false, false]),
        (
            "a cannon each",
            "3ck4/9/9/9/9/9/9/9/9/3KC4 w",
            [false, true],
        ),
        (
            "with elephants",
            "2bck1b2/9/9/9/9/9/9/9/9/2BK1C3 b",
            [false, true],
        ),
        (
            "with an advisor",
            "3ck4/9/9/9/9/9/9/9/4A4/3KC4 w",
            [false, false],
        ),
        (
            "a cannon against two",
            "3ckc3/9/9/9/9/9/9/9/9/3KC4 w",
            [false, false],
        ),
        (
            "a cannon against a horse",
            "3nk4/9/9/9/9/9/9/9/9/3KC4 w",
            [false, false],
        ),
    ] {
        for how in Turned::ALL {
            let mut position = turned(&fen::read(pieces).unwrap(), how);
            let before = position.clone();
            let found = [NoAttackers, Table].map(|it| it.is_drawn(&mut position));
            assert_eq!(found, by, "{name} {position:?}");
            assert!(!None.is_drawn(&mut position), "{name}");
            assert_eq!(position, before, "{name}");
        }
    }
}

#[test]
fn too_little_material_for_others() {
    // Two judges say for each side whether it cannot win. Where one takes both to
    // be unable, so does the table; the other agrees with having no attackers.
    for case in cases("insufficient") {
        let both = |judge: &str| {
            let unable = |side: &str| case[format!("{judge}_{side}")].as_bool().unwrap();
            unable("red") && unable("black")
        };
        let pieces = text(&case, "fen");
        let mut position = fen::read(pieces).unwrap();
        let (table, none) = (Material::Table, Material::NoAttackers);
        assert_eq!(
            table.is_drawn(&mut position),
            both("elephantops"),
            "{pieces}"
        );
        assert_eq!(none.is_drawn(&mut position), both("fsf"), "{pieces}");
    }
}
