//! Wins by continuous threats: found where they are, and held against every
//! move of the defender on the board.

use std::collections::{HashMap, HashSet};

use kifu::{
    game::kinrow::{Board, FiveEye, Fouls, Found, Point, Rules, Vcf, Vct, shape},
    outcome::Side,
};

use crate::{
    common::run::{Folder, column},
    naive::board,
    suites::{cases, rows, turned},
    vcf::assert_wins,
};

fn rules(text: &str) -> Rules {
    Rules::parse(text).unwrap()
}

fn is_forbidden(board: &mut Board, rules: &Rules, side: Side, at: Point) -> bool {
    let has_fouls = side == Side::First && rules.fouls != Fouls::Off;
    has_fouls && shape(board, at, FiveEye::Rif).is_foul()
}

fn empty(board: &Board) -> Vec<Point> {
    board.points().filter(|at| board.is_empty(*at)).collect()
}

fn stones(board: &Board) -> Vec<Option<Side>> {
    board.points().map(|at| board.stone(at)).collect()
}

/// What is found, and that the board is as before.
fn search(vct: &mut Vct, board: &mut Board, rules: &Rules, sides: [Side; 2], nodes: u32) -> Found {
    let before = stones(board);
    let found = vct.search(board, rules, sides[0], sides[1], nodes);
    assert_eq!(stones(board), before);
    found
}

/// Follows a win through every move of the defender, anywhere on the board or
/// none at all, down to wins by continuous fours, which are played out.
struct Proof<'a> {
    rules: &'a Rules,
    attacker: Side,
    nodes: u32,
    vct: Vct,
    vcf: Vcf,
    /// Positions with the attacker to move that are shown to be won.
    won: HashSet<u64>,
}

impl Proof<'_> {
    fn hold(&mut self, board: &mut Board, id: &str) {
        let (rules, attacker) = (self.rules, self.attacker);
        if self.won.contains(&board.hash()) {
            return;
        }
        if let Found::Win(line) = self.vcf.search(board, rules, attacker, self.nodes) {
            assert_wins(board, rules, attacker, &line, id);
        } else {
            let sides = [attacker; 2];
            let found = search(&mut self.vct, board, rules, sides, self.nodes);
            let Found::Win(line) = found else {
                panic!("{id}: no win any more: {found:?}");
            };
            assert!(board.is_empty(line[0]), "{id}");
            let is_foul = is_forbidden(board, rules, attacker, line[0]);
            assert!(!is_foul, "{id}: {:?} is forbidden", line[0]);
            board.put(attacker, line[0]);
            self.hold_after(board, id);
            board.take(attacker, line[0]);
        }
        self.won.insert(board.hash());
    }

    /// The defender is to move.
    fn hold_after(&mut self, board: &mut Board, id: &str) {
        let defender = self.attacker.other();
        self.hold(board, id);
        for at in empty(board) {
            let is_line = board.wins(self.rules, defender, at);
            assert!(!is_line, "{id}: the defender wins with {at:?}");
            if !is_forbidden(board, self.rules, defender, at) {
                board.put(defender, at);
                self.hold(board, id);
                board.take(defender, at);
            }
        }
    }
}

fn assert_proven(board: &Board, rules: &Rules, attacker: Side, nodes: u32, id: &str) {
    let mut proof = Proof {
        rules,
        attacker,
        nodes,
        vct: Vct::default(),
        vcf: Vcf::default(),
        won: HashSet::new(),
    };
    proof.hold(&mut board.clone(), id);
}

/// Plays a line: moves of both sides in turn that are allowed, none of which
/// lets the defender win, and a position at the end in which nothing helps.
fn assert_line(board: &Board, rules: &Rules, attacker: Side, line: &[Point], id: &str) {
    let mut board = board.clone();
    let sides = [attacker, attacker.other()].into_iter().cycle();
    let lines = |board: &Board, side: Side| -> Vec<Point> {
        let all = empty(board).into_iter();
        all.filter(|at| board.wins(rules, side, *at)).collect()
    };
    for (number, (at, side)) in line.iter().zip(sides).enumerate() {
        assert!(board.is_empty(*at), "{id}: {at:?} is taken");
        if side == attacker && board.wins(rules, side, *at) {
            assert_eq!(number + 1, line.len(), "{id}: a line ends it");
            return;
        }
        assert!(!is_forbidden(&mut board, rules, side, *at), "{id}: {at:?}");
        board.put(side, *at);
        if side == attacker {
            assert_eq!(lines(&board, side.other()), [], "{id} after {at:?}");
        }
    }
    let mut last = lines(&board, attacker);
    last.retain(|at| !is_forbidden(&mut board, rules, attacker.other(), *at));
    assert!(line.len() % 2 == 1 && last.len() != 1, "{id}: {last:?}");
}

fn turned_board(plain: &Board, symmetry: u8) -> Board {
    let (size, _) = plain.size();
    let mut board = Board::new(size, size);
    for point in plain.points() {
        if let Some(stone) = plain.stone(point) {
            board.put(stone, turned(point, size, symmetry));
        }
    }
    board
}

/// The puzzles whose calls find a win by threats, each with its side.
fn puzzles() -> Vec<(String, Board, Side)> {
    let mut puzzles = Vec::new();
    for case in cases("vcf_vct") {
        let calls = case["calls"].as_array().unwrap();
        for (name, side) in [("Black", Side::First), ("White", Side::Second)] {
            let wins = |call: &serde_json::Value| {
                let mode = call["mode"].as_str().unwrap();
                call["side"] == name && mode.starts_with("VCT") && call["win"] == true
            };
            if calls.iter().any(wins) {
                let id = case["id"].as_str().unwrap().to_owned();
                puzzles.push((id, board(&rows(&case)), side));
            }
        }
    }
    puzzles
}

/// A puzzle that begins with a move that looks quiet takes more.
fn nodes(id: &str) -> u32 {
    if id.contains("fukumi") {
        600_000
    } else {
        60_000
    }
}

#[test]
fn puzzles_are_solved_in_every_symmetry() {
    let rules = rules("renju");
    let mut vct = Vct::default();
    for (id, plain, side) in puzzles() {
        let symmetries = if id.contains("fukumi") { 1 } else { 8 };
        for symmetry in 0..symmetries {
            let mut board = turned_board(&plain, symmetry);
            let found = search(&mut vct, &mut board, &rules, [side; 2], nodes(&id));
            let Found::Win(line) = found else {
                panic!("{id} {symmetry}: {found:?}");
            };
            assert_line(&board, &rules, side, &line, &id);
        }
    }
}

#[test]
fn puzzles_hold_against_every_move() {
    let rules = rules("renju");
    for (id, board, side) in puzzles() {
        if !id.contains("fukumi") {
            assert_proven(&board, &rules, side, nodes(&id), &id);
        }
    }
}

/// A win by fours is one by threats, with the same line.
#[test]
fn wins_by_fours_are_found_too() {
    let rules = rules("renju");
    let (mut vct, mut vcf) = (Vct::default(), Vcf::default());
    for case in cases("vcf_games") {
        let mut board = board(&rows(&case));
        let side = match case["side"].as_str().unwrap() {
            "X" => Side::First,
            _ => Side::Second,
        };
        let by_fours = vcf.search(&mut board, &rules, side, 500);
        if case["solver"]["win"] == true {
            let found = search(&mut vct, &mut board, &rules, [side; 2], 500);
            assert_eq!(found, by_fours, "{}", case["id"]);
        }
    }
}

/// Positions of games that fours do not win: each win found holds against every
/// move on the board, under renju and under freestyle.
#[test]
fn wins_in_games_hold_against_every_move() {
    for text in ["renju", "freestyle"] {
        let rules = rules(text);
        let (mut vct, mut vcf) = (Vct::default(), Vcf::default());
        let mut held = 0;
        let cases = cases("vcf_games");
        for case in &cases {
            let mut board = board(&rows(case));
            let side = match case["side"].as_str().unwrap() {
                "X" => Side::First,
                _ => Side::Second,
            };
            let by_fours = vcf.search(&mut board, &rules, side, 500);
            let found = search(&mut vct, &mut board, &rules, [side; 2], 1_000);
            if let (Found::None, Found::Win(line)) = (by_fours, found) {
                let id = format!("{text} {}", case["id"]);
                assert_line(&board, &rules, side, &line, &id);
                assert_proven(&board, &rules, side, 20_000, &id);
                held += 1;
            }
        }
        println!("{text}: {held} wins");
        assert!(cases.is_empty() || held >= 10, "{text}: only {held}");
    }
}

/// Positions with the side to move, and whether it has a win by threats.
#[test]
fn composed() {
    let two_threes = &[
        "...............",
        "...............",
        "...............",
        "...............",
        "...............",
        ".......X.......",
        ".......X.......",
        "........XX.....",
        "...............",
        "...............",
        "...............",
        "O..............",
        "...............",
        "O..............",
        "...O........O..",
    ];
    // White makes a straight four whatever Black does but fours.
    let late = &[
        "...............",
        "...............",
        "...............",
        "...............",
        "...............",
        ".......X.......",
        ".......X.......",
        "........XX.....",
        "...............",
        "...............",
        "...............",
        "...............",
        "....OOO........",
        "...............",
        "............O..",
    ];
    let nothing = &[
        ".........",
        ".........",
        "..X......",
        ".........",
        "....O....",
        ".........",
        "......X..",
        ".........",
        ".........",
    ];
    for (id, rows, text, side, wins) in [
        (
            "two threes",
            &two_threes[..],
            "freestyle",
            Side::First,
            true,
        ),
        ("two threes", two_threes, "standard", Side::First, true),
        ("too late", late, "freestyle", Side::First, false),
        ("too late", late, "renju", Side::First, false),
        ("nothing", nothing, "freestyle", Side::First, false),
        ("nothing", nothing, "freestyle", Side::Second, false),
    ] {
        let (mut board, rules) = (board(rows), rules(text));
        let found = search(&mut Vct::default(), &mut board, &rules, [side; 2], 20_000);
        match found {
            Found::Win(line) => {
                assert!(wins, "{id} {text}");
                assert_line(&board, &rules, side, &line, id);
                assert_proven(&board, &rules, side, 20_000, id);
            }
            other => assert!(!wins, "{id} {text}: {other:?}"),
        }
    }
}

/// The whole game tree of small boards, as slowly as the rules read.
struct Tree<'a> {
    rules: &'a Rules,
    attacker: Side,
    known: HashMap<(Vec<Option<Side>>, Side), bool>,
}

impl Tree<'_> {
    /// Whether the attacker wins against every defence, a pass being one.
    fn wins(&mut self, board: &mut Board, to_move: Side) -> bool {
        let key = (stones(board), to_move);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let wins = self.try_moves(board, to_move);
        self.known.insert(key, wins);
        wins
    }

    fn try_moves(&mut self, board: &mut Board, to_move: Side) -> bool {
        let attacks = to_move == self.attacker;
        let points = empty(board);
        let lines = points.iter().any(|at| board.wins(self.rules, to_move, *at));
        if lines || points.is_empty() {
            return lines && attacks;
        }
        if !attacks && !self.wins(board, self.attacker) {
            return false;
        }
        for at in points {
            if is_forbidden(board, self.rules, to_move, at) {
                continue;
            }
            board.put(to_move, at);
            let is_drawn = board.empty() <= u32::from(self.rules.draw_at);
            let wins = !is_drawn && self.wins(board, to_move.other());
            board.take(to_move, at);
            if wins == attacks {
                return attacks;
            }
        }
        !attacks
    }
}

/// Numbers that look random (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % bound
    }
}

/// A board on which nobody has a line and few points are left.
fn dense(numbers: &mut Numbers, rules: &Rules, size: (u8, u8), left: u32) -> Option<Board> {
    let mut board = Board::new(size.0, size.1);
    let mut points = empty(&board);
    while board.empty() > left {
        let at = points.swap_remove(numbers.below(points.len() as u64) as usize);
        let side = [Side::First, Side::Second][numbers.below(2) as usize];
        if board.wins(rules, side, at) {
            return None;
        }
        board.put(side, at);
    }
    Some(board)
}

/// Whatever is claimed is so, as the whole tree says, on small boards of many
/// rules, with either side to move.
#[test]
fn claims_are_true() {
    let mut numbers = Numbers(1);
    let (mut vct, mut vcf) = (Vct::default(), Vcf::default());
    for (text, size, left, least) in [
        ("renju", (7, 7), 9, 5),
        ("renju", (11, 3), 9, 1),
        ("standard", (7, 7), 9, 5),
        ("caro", (7, 7), 9, 5),
        ("freestyle", (7, 6), 9, 5),
        ("kinrow,line=4", (5, 5), 9, 20),
        ("kinrow,line=4,overline=ignored", (6, 4), 9, 20),
        ("kinrow,line=4,blocked=both", (6, 5), 9, 20),
        ("kinrow,line=4,draw_at=3", (5, 5), 9, 5),
        ("kinrow,line=3,draw_at=4", (4, 3), 9, 5),
        ("kinrow,line=3,overline=ignored", (4, 3), 9, 20),
    ] {
        let rules = rules(text);
        // Wins that fours alone do not show.
        let mut beyond = 0;
        let mut wins = 0;
        for _ in 0..CASES {
            let Some(mut board) = dense(&mut numbers, &rules, size, left) else {
                continue;
            };
            for (attacker, to_move) in [
                (Side::First, Side::First),
                (Side::Second, Side::Second),
                (Side::First, Side::Second),
                (Side::Second, Side::First),
            ] {
                let sides = [attacker, to_move];
                let found = search(&mut vct, &mut board, &rules, sides, 2_000);
                let by_fours = attacker == to_move
                    && matches!(
                        vcf.search(&mut board, &rules, attacker, 2_000),
                        Found::Win(_)
                    );
                if by_fours || matches!(found, Found::Win(_)) {
                    let mut tree = Tree {
                        rules: &rules,
                        attacker,
                        known: HashMap::new(),
                    };
                    let is_won = tree.wins(&mut board, to_move);
                    assert!(
                        is_won,
                        "{text} {attacker:?} {to_move:?} {board:?} {found:?}"
                    );
                    wins += 1;
                    beyond += usize::from(!by_fours);
                }
            }
        }
        println!("{text} {size:?}: {wins} wins, {beyond} not by fours");
        assert!(beyond >= least, "{text} {size:?}: only {beyond} of {wins}");
    }
}

/// Boards tried for each set of rules.
const CASES: usize = 400;

/// What `label` and `explain` say of games that only threes decide: Black makes
/// two of them at once, or has made them with White to move.
#[test]
fn records_that_threes_decide() {
    let folder = Folder::with(&[
        ("before.txt", "h9 a1 h10 o1 i8 a15 j8 o15\n"),
        ("after.txt", "h9 a1 h10 o1 i8 a15 j8 o15 h8\n"),
    ]);
    for (how, value) in [
        ("none", ""),
        ("vcf", ""),
        ("vct", "1"),
        ("vct --nodes 10", ""),
    ] {
        let run = format!("label . --rules freestyle --search {how} -o - -q");
        let values = column(&folder.run(&run).done().rows(), "value");
        assert_eq!(values, [value; 2], "{how}");
    }
    for name in ["before", "after"] {
        let run = format!("explain {name}.txt --rules freestyle --search vct");
        let said = folder.run(&run).done();
        assert!(said.out.contains("black wins: "), "{}", said.out);
    }
    let said = folder.run("label . --search fours -o - -q");
    assert!(
        said.err
            .contains("known are none, vcf and vct (k-in-a-row), mate (xiangqi), and eval (both)"),
        "{}",
        said.err
    );
}

/// Prints what puzzles and positions of games take. Run in release:
/// `cargo test --release --test kinrow -- --ignored --nocapture vct::speed`.
#[test]
#[ignore = "measures"]
fn speed() {
    let mut vct = Vct::default();
    let renju = rules("renju");
    for (id, mut board, side) in puzzles() {
        let start = std::time::Instant::now();
        let won = matches!(
            vct.search(&mut board, &renju, side, side, 600_000),
            Found::Win(_)
        );
        let (nodes, took) = (600_000 - vct.left(), start.elapsed());
        println!("{id}: {won}, {nodes} nodes, {took:.2?}");
    }
    let games = cases("vcf_games");
    let unsolved = games.iter().filter(|case| case["solver"]["win"] == false);
    let positions = unsolved.map(|case| {
        let is_black = case["side"] == "X";
        let side = if is_black { Side::First } else { Side::Second };
        (renju, board(&rows(case)), side)
    });
    measure("games without a win by fours", positions);
    let Some(path) = crate::common::reference("kinrow/archives/truth.jsonl") else {
        return;
    };
    let truth = std::fs::read_to_string(path).unwrap();
    for cut in [1, 3, 5, 7, 9] {
        let positions = truth.lines().filter_map(|line| {
            let game: serde_json::Value = serde_json::from_str(line).unwrap();
            let in_sgf = game["path"].as_str()?.contains("/sgf/");
            let is_five = game["end"] == "five" && game["quirk"].is_null();
            if !in_sgf || !is_five {
                return None;
            }
            let size = game["size"].as_u64()? as u8;
            let moves: Vec<&str> = game["moves"].as_str()?.split(' ').collect();
            let rules = Rules::parse(game["rule"].as_str()?).unwrap();
            let mut board = Board::new(size, size);
            let mut side = Side::First;
            for name in moves.get(..moves.len().checked_sub(cut)?)? {
                let row = size - name[1..].parse::<u8>().unwrap();
                let column = name.as_bytes()[0] - b'a';
                board.put(side, Point { row, column });
                side = side.other();
            }
            Some((rules, board, side))
        });
        measure(&format!("{cut} before the end"), positions);
    }
}

/// Prints how many positions fours and threats win, and what both take.
fn measure(what: &str, positions: impl Iterator<Item = (Rules, Board, Side)>) {
    let (mut vct, mut vcf) = (Vct::default(), Vcf::default());
    let (mut all, mut by_fours, mut by_threats, mut cut, mut nodes) = (0, 0, 0, 0, 0);
    let zero = std::time::Duration::ZERO;
    let (mut fours_took, mut took, mut longest) = (zero, zero, zero);
    for (rules, mut board, side) in positions {
        all += 1;
        let start = std::time::Instant::now();
        let fours = vcf.search(&mut board, &rules, side, 5_000);
        fours_took += start.elapsed();
        let start = std::time::Instant::now();
        let found = vct.search(&mut board, &rules, side, side, 20_000);
        took += start.elapsed();
        longest = start.elapsed().max(longest);
        nodes += 20_000 - vct.left();
        by_fours += u32::from(matches!(fours, Found::Win(_)));
        by_threats += u32::from(matches!(found, Found::Win(_)));
        cut += u32::from(found == Found::Unknown);
    }
    println!(
        "{what}: {all}, {by_fours} by fours in {fours_took:.2?}, {by_threats} by threats in \
         {took:.2?}, at most {longest:.2?}, {nodes} nodes, {cut} given up"
    );
}
