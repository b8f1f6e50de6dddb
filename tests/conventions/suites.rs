//! Positions of other programs' tests, given their dead stones.

use kifu::{
    game::go::{Board, Convention, Counter, Play, Point, Rules},
    outcome::{Points, Side},
};
use serde_json::Value;

use super::{View, common::reference, lines, lives, places, rows};

/// The owner of each point in the last count.
fn owners(counter: &Counter, board: &Board) -> impl Fn(Point) -> i8 + use<> {
    let mut owners = vec![0; board.length()];
    for (point, owner) in board.points().zip(counter.owner()) {
        owners[usize::from(point)] = owner;
    }
    move |point| owners[usize::from(point)]
}

/// The lead of the first player, `B+3.5`.
fn lead(text: &str) -> Points {
    if text == "0" {
        return Points::ZERO;
    }
    let (winner, margin) = text.split_once('+').unwrap();
    let margin: Points = margin.parse().unwrap();
    if winner == "B" { margin } else { -margin }
}

fn two(value: &Value, first: &str, second: &str) -> [u32; 2] {
    [first, second].map(|key| value[key].as_u64().unwrap_or(0) as u32)
}

/// Seki, false eyes and the points that must be filled.
#[test]
fn goscorer_territory() {
    let Some(path) = reference("go/suite/goscorer-territory.jsonl") else {
        return;
    };
    let mut counter = Counter::new();
    for case in lines(&path) {
        let (id, expected) = (&case["id"], &case["expected"]);
        let (drawn, dead) = (rows(&case["rows"]), places(&expected["dead"]));
        let is_area = case["rules"] == "area";
        let rules = Rules::parse(if is_area { "chinese" } else { "japanese" }).unwrap();
        let convention = match is_area {
            true => Convention::Area,
            false => Convention::TerritoryStrict,
        };
        for view in View::all() {
            let board = view.board(&drawn, [0; 2]);
            let dead = view.points(&board, &dead);
            let counted = counter.count(&board, &dead, convention, &rules, Play::default());
            let owner = owners(&counter, &board);
            if expected["territory"].is_array() {
                let found = view.diagram(&board, |point| {
                    if lives(&board, &dead, point) {
                        0
                    } else {
                        owner(point)
                    }
                });
                assert_eq!(found, rows(&expected["territory"]), "{id} {view:?}");
            } else {
                let points = two(expected, "points_black", "points_white");
                let points = points.map(|points| Points::whole(points as i32));
                assert_eq!(counted.points, view.pair(points), "{id} {view:?}");
            }
        }
    }
}

/// A position is counted as it stands.
#[test]
fn sgfmill_area() {
    let Some(path) = reference("go/suite/sgfmill-area.jsonl") else {
        return;
    };
    let mut counter = Counter::new();
    let rules = Rules::parse("chinese").unwrap();
    for case in lines(&path) {
        let expected = lead(case["expected"]["score"].as_str().unwrap());
        for view in View::all() {
            let board = view.board(&rows(&case["rows"]), [0; 2]);
            for convention in [Convention::Area, Convention::AreaDameIgnored] {
                let counted = counter.count(&board, &[], convention, &rules, Play::default());
                let [first, second] = view.pair(counted.points);
                assert_eq!(first - second, expected, "{} {view:?}", case["id"]);
            }
        }
    }
}

/// Points by territory, where each pass costs a stone.
#[test]
fn tenuki_scoring() {
    let Some(path) = reference("go/suite/tenuki-scoring.jsonl") else {
        return;
    };
    let mut counter = Counter::new();
    for case in lines(&path) {
        let expected = &case["expected"];
        let rules = Rules::parse("japanese").unwrap();
        let captures = two(&case["captures"], "by_black", "by_white");
        let passes = two(&case["passes"], "X", "O");
        let dead = places(&case["dead_marked"]);
        for view in View::all() {
            let board = view.board(&rows(&case["rows"]), captures);
            let dead = view.points(&board, &dead);
            let play = Play {
                passes: view.pair(passes),
                ..Play::default()
            };
            let strict = Convention::TerritoryStrict;
            let counted = counter.count(&board, &dead, strict, &rules, play);
            let points = view.pair(counted.points);
            for (key, points) in [("points_black", points[0]), ("points_white", points[1])] {
                if let Some(expected) = expected[key].as_i64() {
                    let expected = Points::whole(expected as i32);
                    assert_eq!(points, expected, "{} {view:?}", case["id"]);
                }
            }
        }
    }
}

/// KataGo's areas. Two of its boards stand in the suite without the stones that
/// their test adds, which the expected areas show; they are added here.
#[test]
fn katago_area() {
    let Some(path) = reference("go/suite/katago-area.jsonl") else {
        return;
    };
    const ADDED: [(&str, usize, usize, &str); 3] = [
        ("katago-area/84b58d9e", 10, 1, "O"),
        ("katago-area/84b58d9e", 10, 2, "O"),
        ("katago-area/70ac790a", 6, 1, "X"),
    ];
    let mut counter = Counter::new();
    let mut compared = [0; 2];
    for case in lines(&path) {
        let id = case["id"].as_str().unwrap();
        let mut drawn = rows(&case["rows"]);
        for (_, column, row, stone) in ADDED.iter().filter(|stone| stone.0 == id) {
            drawn[*row].replace_range(*column..column + 1, stone);
        }
        let modes = ["area_modes", "independent_life_modes"];
        let modes = modes
            .iter()
            .filter_map(|modes| case["expected"][modes].as_array());
        for mode in modes.flatten() {
            let on = |switch: &str| mode[switch] == 1;
            let suicide = if on("suicide") { "yes" } else { "no" };
            let by_life = mode["keep_stones"].is_number();
            // Other modes leave things out that a count needs.
            let tax = match by_life {
                false if !on("safe_big") || !on("unsafe_big") || !on("non_pass_alive_stones") => {
                    continue;
                }
                false => "none",
                true if on("keep_stones") && on("keep_territories") => "none",
                true => "all",
            };
            let rules = format!("tromp-taylor,life=mechanical,suicide={suicide},tax={tax}");
            let rules = Rules::parse(&rules).unwrap();
            for view in View::all() {
                let board = view.board(&drawn, [0; 2]);
                let counted = counter.count(&board, &[], Convention::Area, &rules, Play::default());
                let owner = owners(&counter, &board);
                let mut expected = rows_of(&mode["area"]);
                let mut found = view.diagram(&board, owner);
                if by_life && tax == "all" {
                    let [black, white] = view.pair(counted.tax).map(i64::from);
                    let more_white = mode["white_minus_black_regions"].as_i64().unwrap();
                    assert_eq!((white - black) / 2, more_white, "{id} {view:?}");
                    // Stones count whatever lives; compare where they agree.
                    if !on("keep_stones") {
                        blank_stones(&mut expected, &drawn);
                        blank_stones(&mut found, &drawn);
                    }
                    if on("keep_territories") {
                        continue;
                    }
                }
                assert_eq!(found, expected, "{id} {mode} {view:?}");
                compared[usize::from(by_life)] += 1;
            }
        }
    }
    assert!(compared.iter().all(|maps| *maps > 0), "{compared:?}");
}

/// A diagram of owners, in our letters.
fn rows_of(value: &Value) -> Vec<String> {
    let ours = |row: String| row.replace('X', "B").replace('O', "W");
    rows(value).into_iter().map(ours).collect()
}

/// Blanks what stands on stones.
fn blank_stones(diagram: &mut [String], drawn: &[String]) {
    for (row, stones) in diagram.iter_mut().zip(drawn) {
        let signs = row.chars().zip(stones.chars());
        *row = signs
            .map(|(owner, stone)| if stone == '.' { owner } else { '.' })
            .collect();
    }
}

/// KataGo's scores under all its rules, its second encore included: moves in it
/// are free, and stones played there that end in seki are worth nothing.
#[test]
fn katago_scoring() {
    let Some(path) = reference("go/suite/katago-scoring.jsonl") else {
        return;
    };
    let mut counter = Counter::new();
    for case in lines(&path) {
        let switches = &case["rules"];
        let word = |key: &str| switches[key].as_str().unwrap().to_lowercase();
        let is_area = word("scoring") == "area";
        let yes = |key: &str| if switches[key] == true { "yes" } else { "no" };
        let rules = format!(
            "tromp-taylor,life=mechanical,scoring={},tax={},suicide={},button={}",
            word("scoring"),
            word("tax"),
            yes("suicide"),
            yes("button")
        );
        let rules = Rules::parse(&rules).unwrap();
        let convention = match is_area {
            true => Convention::Area,
            false => Convention::TerritoryFlood,
        };
        let komi: Points = case["komi"].to_string().parse().unwrap();
        let expected = lead(case["expected"]["score"].as_str().unwrap());
        let captures = two(&case["captures"], "by_black", "by_white");
        let encore = second_encore(&case["moves"]);
        // A position to count now: the button is still to be taken.
        let passed = case["moves"]
            .as_array()
            .is_some_and(|moves| moves.iter().any(|played| played[1] == "pass"));
        let mover = match case["to_move"].as_str() {
            Some("W") => Side::Second,
            _ => Side::First,
        };
        for view in View::all() {
            let board = view.board(&rows(&case["rows"]), captures);
            let counted = counter.count(&board, &[], convention, &rules, Play::default());
            let added = rules.compensation(komi, 0, (!passed).then_some(mover));
            let mut margin = {
                let [first, second] = view.pair(counted.points);
                first + added[0] - second - added[1]
            };
            if !is_area {
                margin += free_moves(view, &board, &counter, &encore);
            }
            assert_eq!(margin, expected, "{} {rules} {view:?}", case["id"]);
        }
    }
}

/// The moves of the second encore: after two passes, twice.
fn second_encore(moves: &Value) -> Vec<(Side, (u8, u8))> {
    let (mut passes, mut ends) = (0, 0);
    let mut free = Vec::new();
    for played in moves.as_array().into_iter().flatten() {
        if played[1] == "pass" {
            passes += 1;
            if passes == 2 {
                (passes, ends) = (0, ends + 1);
            }
            continue;
        }
        passes = 0;
        if ends >= 2 {
            let side = if played[0] == "X" {
                Side::First
            } else {
                Side::Second
            };
            let at = |which: usize| played[which].as_u64().unwrap() as u8;
            free.push((side, (at(1), at(2))));
        }
    }
    free
}

/// What the first player gains by moves that cost nothing.
fn free_moves(view: View, board: &Board, counter: &Counter, moves: &[(Side, (u8, u8))]) -> Points {
    let sign = |side: Side| Points::whole(side.sign());
    let mut gain = Points::ZERO;
    for (side, _) in moves {
        gain += sign(*side);
    }
    let mut placed: Vec<(u8, u8)> = moves.iter().map(|(_, place)| *place).collect();
    placed.sort_unstable();
    placed.dedup();
    let in_seki = counter.seki(board);
    for place in placed {
        let point = view.points(board, &[place])[0];
        if let Some(side) = board
            .cell(point)
            .side()
            .filter(|_| in_seki.contains(&point))
        {
            gain += -sign(view.side(side));
        }
    }
    gain
}
