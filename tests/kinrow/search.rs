//! The search: fixed positions, plain minimax by its side, and boards turned
//! about.

use kifu::{
    game::kinrow::{Blocked, Board, Fouls, Move, Point, Position, Rules, Searcher, shape},
    outcome::Side,
    search::{Found, Limits, Parts, Score, Search, Searchable, Verdict},
};

use crate::{
    naive::board,
    search_cases::{NODES, cases},
    suites::turned,
};

/// Random numbers: xorshift64 (Marsaglia 2003).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, number: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % number
    }
}

/// Every kind of rules, with a size of board.
const RULES: [(&str, u8, u8); 11] = [
    ("freestyle", 7, 7),
    ("standard", 8, 7),
    ("renju", 9, 9),
    ("caro", 7, 8),
    ("caro-standard", 8, 8),
    ("renju,fouls=claimed,five_eye=counts", 8, 8),
    ("standard,draw_at=15", 7, 7),
    ("tictactoe", 3, 3),
    ("kinrow,line=4", 6, 7),
    ("kinrow,line=4,overline=ignored,blocked=both", 6, 6),
    ("kinrow,line=6", 9, 8),
];

/// The position of a random game, not ended, and its side to move; dense enough
/// for threats. Moves stay near each other.
fn random_position(random: &mut Random, rules: &Rules, size: (u8, u8), most: usize) -> Position {
    loop {
        let mut position = Position::new(&Board::new(size.0, size.1), rules, Side::First);
        for _ in 0..random.below(most) {
            let moves = near(&position);
            if moves.is_empty() {
                break;
            }
            let at = moves[random.below(moves.len())];
            let won = position.board().wins(rules, position.turn(), at);
            if !won && position.make(Some(at)) && position.ended().is_some() {
                position.unmake();
                break;
            }
        }
        if position.ended().is_none() {
            return position;
        }
    }
}

fn diagram(board: &Board) -> Vec<String> {
    let (columns, rows) = board.size();
    let sign = |row, column| match board.stone(Point { row, column }) {
        Some(Side::First) => 'X',
        Some(Side::Second) => 'O',
        None => '.',
    };
    (0..rows)
        .map(|row| (0..columns).map(|column| sign(row, column)).collect())
        .collect()
}

/// A position in words, for messages.
fn shown(position: &Position) -> String {
    let board = diagram(position.board()).join("\n");
    format!(
        "{}, {:?} to move\n{board}",
        position.rules(),
        position.turn()
    )
}

// The moves a second time, by trying points.

fn empty(position: &Position) -> Vec<Point> {
    let board = position.board();
    board.points().filter(|at| board.is_empty(*at)).collect()
}

/// Empty points within two of a stone, or in the middle of an empty board.
fn near(position: &Position) -> Vec<Point> {
    let board = position.board();
    let (columns, rows) = board.size();
    let mut points = empty(position);
    if board.count() == [0, 0] {
        let is_middle = |at: u8, size: u8| (2 * at + 1).abs_diff(size) <= 1;
        points.retain(|at| is_middle(at.column, columns) && is_middle(at.row, rows));
        return points;
    }
    let stones: Vec<Point> = board.points().filter(|at| !board.is_empty(*at)).collect();
    let is_near = |at: &Point, stone: &Point| {
        at.row.abs_diff(stone.row) <= 2 && at.column.abs_diff(stone.column) <= 2
    };
    points.retain(|at| stones.iter().any(|stone| is_near(at, stone)));
    points
}

fn is_allowed(position: &Position, at: Point) -> bool {
    let rules = position.rules();
    position.turn() == Side::Second
        || rules.fouls == Fouls::Off
        || !shape(&mut position.board().clone(), at, rules.five_eye).is_foul()
}

/// Points where a side makes a line.
fn fives(board: &Board, rules: &Rules, side: Side) -> Vec<Point> {
    let empty = board.points().filter(|at| board.is_empty(*at));
    empty.filter(|at| board.wins(rules, side, *at)).collect()
}

/// The board with a stone more.
fn with(board: &Board, side: Side, at: Point) -> Board {
    let mut board = board.clone();
    board.put(side, at);
    board
}

/// All that the search sees of a position.
fn seen(position: &Position) -> impl PartialEq + std::fmt::Debug + use<> {
    let mut moves = [Vec::new(), Vec::new()];
    position.moves(|it| moves[0].push(it));
    position.captures(|it| moves[1].push(it));
    let weighed: Vec<[i32; 2]> = empty(position)
        .into_iter()
        .map(|at| [position.gain(Some(at)), position.promise(Some(at))])
        .collect();
    let state = (position.key(), position.turn(), position.evaluate());
    let ends = (position.in_check(), position.ended());
    (diagram(position.board()), moves, weighed, state, ends)
}

fn rules_and_sizes() -> impl Iterator<Item = (Rules, (u8, u8))> {
    let of = |(text, columns, rows)| (Rules::parse(text).unwrap(), (columns, rows));
    RULES.into_iter().map(of)
}

/// What follows moves step by step is what the board says anew, and a move taken
/// back leaves nothing.
#[test]
fn patterns_follow_the_moves() {
    let mut random = Random(11);
    for (rules, size) in rules_and_sizes() {
        for _ in 0..12 {
            let mut position = Position::new(&Board::new(size.0, size.1), &rules, Side::First);
            let mut before = Vec::new();
            while position.ended().is_none() {
                let mut moves: Vec<Move> = empty(&position).into_iter().map(Some).collect();
                if random.below(2) == 0 {
                    moves.clear();
                    position.moves(|it| moves.push(it));
                }
                before.push(seen(&position));
                let it = moves[random.below(moves.len())];
                if !position.make(it) {
                    let at = it.expect("a pass is a move where it is one");
                    assert!(!is_allowed(&position, at), "{}", shown(&position));
                    assert!(seen(&position) == before.pop().unwrap());
                    continue;
                }
                let anew = Position::new(position.board(), &rules, position.turn());
                assert_eq!(seen(&position), seen(&anew), "{}", shown(&position));
            }
            while let Some(before) = before.pop() {
                position.unmake();
                assert_eq!(seen(&position), before, "{}", shown(&position));
            }
        }
    }
}

/// Whether the side to move makes a line now, or next time whatever is answered.
fn wins_soon(position: &Position) -> bool {
    let (board, rules, side) = (position.board(), position.rules(), position.turn());
    if !fives(board, rules, side).is_empty() {
        return true;
    }
    let allowed = empty(position)
        .into_iter()
        .filter(|at| is_allowed(position, *at));
    allowed.into_iter().any(|at| {
        let after = with(board, side, at);
        let threatened = fives(&after, rules, side);
        let answers = Position::new(&after, rules, side.other());
        // Lines can be stopped from beside them where blocked ones are none.
        let all = match (threatened.len(), rules.blocked) {
            (0, _) => return false,
            (_, Blocked::Both) => empty(&answers),
            _ => threatened,
        };
        fives(&after, rules, side.other()).is_empty()
            && all
                .into_iter()
                .filter(|at| is_allowed(&answers, *at))
                .all(|at| !fives(&with(&after, side.other(), at), rules, side).is_empty())
    })
}

/// Moves left out are forbidden, or far away, or they do not win where a win is
/// at hand, or they lose at once.
#[test]
fn moves_left_out_are_no_loss() {
    let mut random = Random(12);
    let mut counts = [0; 3];
    for (rules, size) in rules_and_sizes() {
        for _ in 0..60 {
            let most = usize::from(size.0 * size.1) * 3 / 4;
            let mut position = random_position(&mut random, &rules, size, most);
            let mut moves = Vec::new();
            position.moves(|it| moves.push(it));
            let own = fives(position.board(), &rules, position.turn());
            if !own.is_empty() {
                let own: Vec<Move> = own.into_iter().map(Some).collect();
                assert_eq!(moves, own, "{}", shown(&position));
                counts[0] += 1;
                continue;
            }
            let left_out = near(&position)
                .into_iter()
                .map(Some)
                .filter(|it| !moves.contains(it));
            let left_out: Vec<Move> = left_out.collect();
            counts[1] += usize::from(!left_out.is_empty());
            for it in left_out {
                if position.make(it) {
                    let lost = position.ended().is_some() || wins_soon(&position);
                    position.unmake();
                    assert!(lost, "{it:?}: {}", shown(&position));
                }
            }
            let legal = moves.iter().filter(|it| {
                let legal = position.make(**it);
                if legal {
                    position.unmake();
                }
                legal
            });
            assert!(legal.count() > 0, "{}", shown(&position));
            counts[2] += 1;
        }
    }
    println!("{counts:?}");
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

const PLAIN: Parts = Parts {
    ordering: true,
    table: true,
    quiescence: false,
    extensions: false,
    proofs: false,
};

/// Every move to some depth, without any bounds; what leaves are worth is counted
/// anew.
fn minimax(position: &mut Position, depth: u32, ply: u32) -> Score {
    match position.ended() {
        Some(Verdict::Lost) => return Score::mated_in(ply),
        Some(Verdict::Draw) => return Score::DRAW,
        Some(verdict) => panic!("{verdict:?}"),
        None => {}
    }
    if depth == 0 {
        let anew = Position::new(position.board(), position.rules(), position.turn());
        return Score::of(anew.evaluate());
    }
    let mut moves = Vec::new();
    position.moves(|it| moves.push(it));
    let mut best = Score::LEAST;
    for it in moves {
        if position.make(it) {
            best = best.max(-minimax(position, depth - 1, ply + 1));
            position.unmake();
        }
    }
    assert!(best > Score::LEAST, "there is a move: {}", shown(position));
    best
}

fn search(position: &Position, parts: Parts, limits: Limits) -> Found<Move> {
    Search::new(parts).search(&mut position.clone(), limits)
}

fn holds_against_minimax(count: usize) {
    let mut random = Random(13);
    let mut mates = 0;
    let all: Vec<(Rules, (u8, u8))> = rules_and_sizes().collect();
    for number in 0..count {
        let (rules, size) = all[number % all.len()];
        let points = u32::from(size.0 * size.1);
        let position = loop {
            let most = points as usize * 4 / 5;
            let position = random_position(&mut random, &rules, size, most);
            // Fuller boards are gone through sooner.
            if position.board().empty() <= 20.max(points / 2) {
                break position;
            }
        };
        for depth in 1..=3 {
            let expected = minimax(&mut position.clone(), depth, 0);
            mates += usize::from(expected.mate().is_some());
            for (ordering, table) in [(true, true), (false, true), (true, false), (false, false)] {
                let parts = Parts {
                    ordering,
                    table,
                    ..PLAIN
                };
                let found = search(&position, parts, Limits::depth(depth));
                let message = || format!("depth {depth}, {parts:?}: {}", shown(&position));
                assert_eq!(found.score, expected, "{}", message());
            }
        }
    }
    println!("{mates} mates");
    assert!(mates > count / 10, "{mates}");
}

#[test]
fn bounds_change_no_score() {
    holds_against_minimax(200);
}

/// `cargo test --release --test kinrow -- --ignored bounds`.
#[test]
#[ignore = "takes long"]
fn bounds_change_no_score_of_a_thousand() {
    holds_against_minimax(1_000);
}

#[test]
fn order_changes_no_score() {
    let mut random = Random(14);
    for (rules, size) in rules_and_sizes() {
        for _ in 0..4 {
            let most = usize::from(size.0 * size.1) / 2;
            let position = random_position(&mut random, &rules, size, most);
            let [with, without] = [true, false].map(|ordering| {
                let parts = Parts {
                    ordering,
                    table: false,
                    ..Parts::ALL
                };
                search(&position, parts, Limits::depth(2)).score
            });
            assert_eq!(with, without, "{}", shown(&position));
        }
    }
}

#[test]
fn a_search_may_stop_anywhere() {
    let mut random = Random(15);
    let mut search = Search::default();
    for (rules, size) in rules_and_sizes() {
        let mut position = random_position(&mut random, &rules, size, 30);
        let before = seen(&position);
        for nodes in (0..300).step_by(3).chain([1_000, 3_000]) {
            let found = search.search(&mut position, Limits::nodes(nodes));
            assert_eq!(seen(&position), before, "{nodes} nodes");
            assert!(found.nodes <= nodes);
            let mut after = position.clone();
            assert!(!found.line.is_empty());
            for it in found.line {
                assert!(after.make(it), "{it:?}: {}", shown(&after));
            }
        }
    }
}

#[test]
fn what_was_searched_before_does_not_matter() {
    let mut random = Random(16);
    let mut used = Search::default();
    for (rules, size) in rules_and_sizes().chain(rules_and_sizes()) {
        let mut position = random_position(&mut random, &rules, size, 20);
        let found = used.search(&mut position, Limits::nodes(1_000));
        assert_eq!(found, search(&position, Parts::ALL, Limits::nodes(1_000)));
    }
}

fn turned_board(plain: &Board, symmetry: u8) -> Board {
    let (size, _) = plain.size();
    let mut board = Board::new(size, size);
    for at in plain.points() {
        if let Some(side) = plain.stone(at) {
            board.put(side, turned(at, size, symmetry));
        }
    }
    board
}

#[test]
fn moves_are_found() {
    let mut searcher = Searcher::default();
    for case in cases() {
        let plain = board(case.rows);
        let rules = Rules::preset(case.rules).unwrap();
        let marked = |sign| {
            let of_rows = (0..).zip(case.rows).flat_map(move |(row, text)| {
                let of_row = (0..).zip(text.chars()).filter(move |(_, it)| *it == sign);
                of_row.map(move |(column, _)| Point { row, column })
            });
            of_rows.collect::<Vec<Point>>()
        };
        let (right, wrong) = (marked('*'), marked('-'));
        let mut scores = Vec::new();
        for symmetry in 0..8 {
            let board = turned_board(&plain, symmetry);
            let found = searcher.search(&board, &rules, case.turn, Limits::nodes(NODES));
            let best = found.line[0].unwrap();
            let is_of = |points: &[Point]| {
                let (size, _) = board.size();
                points.iter().any(|at| turned(*at, size, symmetry) == best)
            };
            let fits = match right[..] {
                [] => !is_of(&wrong),
                _ => is_of(&right),
            };
            assert!(fits, "{}, {symmetry}: {best:?}", case.what);
            scores.push(found.score);
        }
        let expected = case.score.unwrap_or(scores[0]);
        assert_eq!(scores, [expected; 8], "{}", case.what);
    }
}

/// `-` stops a five at one end, and caro's line at the other end wins; `*` makes one
/// that is blocked at both ends. Fours of both sides take up what few nodes there are.
#[test]
fn what_loses_is_not_made_before_something_else_was_looked_at() {
    let rows = [
        "...............",
        "...............",
        "...............",
        ".....*.........",
        "......X........",
        ".......X.......",
        "....X.X.X......",
        "....OOXOOX.....",
        "....XOOOOX-....",
        "....XXXOOO.OX..",
        ".....XOOOOX....",
        ".....O.XXXO....",
        "....X.....OX...",
        "...............",
        "...............",
    ];
    let rules = Rules::preset("caro").unwrap();
    let mut searcher = Searcher::default();
    for nodes in [60, 300, 600, 1_000, 5_000] {
        let limits = Limits::nodes(nodes);
        let found = searcher.search(&board(&rows), &rules, Side::Second, limits);
        let stops = Point { row: 3, column: 5 };
        assert_eq!(found.line[0], Some(stops), "{nodes}");
        // Nobody has seen a win.
        assert_eq!(found.score.mate(), None, "{nodes}");
    }
}

/// Boards turned about have the same best line, turned about.
#[test]
fn boards_turned_about_have_the_same_moves() {
    let mut random = Random(17);
    let mut searcher = Searcher::default();
    let mut lines = 0;
    for (rules, (_, size)) in rules_and_sizes() {
        for _ in 0..6 {
            let position = random_position(&mut random, &rules, (size, size), 24);
            let (plain, turn) = (position.board(), position.turn());
            let mut found = |board: &Board| {
                let limits = Limits::nodes(500);
                searcher.search(board, &rules, turn, limits)
            };
            let expected = found(plain);
            let boards = (1..8).map(|symmetry| (symmetry, turned_board(plain, symmetry)));
            let boards: Vec<(u8, Board)> = boards.collect();
            // Of a board that looks the same when turned, moves may differ.
            let looks_the_same = |(_, board): &(u8, Board)| diagram(board) == diagram(plain);
            let is_plain = boards.iter().any(looks_the_same);
            for (symmetry, board) in boards {
                let mut found = found(&board);
                assert_eq!(found.score, expected.score, "{}", shown(&position));
                if !is_plain {
                    let line = expected.line.iter();
                    let line = line.map(|it| it.map(|at| turned(at, size, symmetry)));
                    let line: Vec<Move> = line.collect();
                    assert_eq!(found.line, line, "{}", shown(&position));
                    found.line.clone_from(&expected.line);
                    assert_eq!(found, expected);
                    lines += 1;
                }
            }
        }
    }
    assert!(lines > 300, "{lines}");
}

/// Where every point is forbidden to Black, Black passes, and White moves on.
#[test]
fn black_passes_where_all_is_forbidden() {
    let rules = Rules::preset("renju").unwrap();
    let board = board(&["XXX.XX"]);
    let found = Searcher::default().search(&board, &rules, Side::First, Limits::depth(4));
    let only = Some(Point { row: 0, column: 3 });
    assert_eq!((found.score, found.line), (Score::DRAW, vec![None, only]));
    // Nobody else passes.
    let mut position = Position::new(&board, &rules, Side::Second);
    assert!(!position.make(None) && position.make(only));
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let rules = Rules::preset("tictactoe").unwrap();
    for rows in [["...", "...", "..."], ["...", ".X.", "..O"]] {
        let board = board(&rows);
        let found = Searcher::default().search(&board, &rules, Side::First, Limits::depth(9));
        assert_eq!(found.score, Score::DRAW);
        assert_eq!(found.line.len() as u32, board.empty());
    }
}

/// The move after which the position is worth most.
fn greedy(position: &mut Position) -> Move {
    let mut moves = Vec::new();
    position.moves(|it| moves.push(it));
    let worth = |it: &Move| {
        if !position.make(*it) {
            return i32::MAX;
        }
        let worth = match position.ended() {
            Some(Verdict::Lost) => i32::MIN,
            Some(_) => 0,
            None => position.evaluate(),
        };
        position.unmake();
        worth
    };
    moves.into_iter().min_by_key(worth).flatten()
}

/// A search of 20,000 positions against a player that looks one move ahead, from
/// the most balanced of some random beginnings, with either side. Run in release:
/// `cargo test --release --test kinrow -- --ignored --nocapture strength`.
#[test]
#[ignore = "measures"]
fn strength() {
    let mut passed = true;
    for preset in ["freestyle", "standard", "renju", "caro", "caro-standard"] {
        let rules = Rules::preset(preset).unwrap();
        let mut random = Random(18);
        let mut searcher = Searcher::default();
        let (mut counts, mut nodes, mut plies) = ([0; 3], 0, 0);
        for game in 0..100 {
            let draws = (0..16).map(|_| {
                let mut start = Position::new(&Board::new(15, 15), &rules, Side::First);
                let most = 15 * 15 - 3 - game % 2;
                while start.board().empty() > most {
                    let [row, column] = [(); 2].map(|()| 5 + random.below(5) as u8);
                    start.make(Some(Point { row, column }));
                }
                let found = search(&start, Parts::ALL, Limits::nodes(1_000));
                (found.score.value().abs(), start)
            });
            let Some((_, start)) = draws.min_by_key(|(score, _)| *score) else {
                continue;
            };
            for searching in [Side::First, Side::Second] {
                let mut position = start.clone();
                while position.ended().is_none() {
                    let turn = position.turn();
                    let it = if turn == searching {
                        let limits = Limits::nodes(20_000);
                        let found = searcher.search(position.board(), &rules, turn, limits);
                        nodes += found.nodes;
                        plies += 1;
                        found.line[0]
                    } else {
                        greedy(&mut position)
                    };
                    assert!(position.make(it), "{it:?}: {}", shown(&position));
                }
                let lost = position.ended() == Some(Verdict::Lost);
                counts[match (lost, position.turn() == searching) {
                    (true, false) => 0,
                    (false, _) => 1,
                    (true, true) => 2,
                }] += 1;
            }
        }
        let [won, drawn, lost] = counts;
        println!("{preset}: {won} won, {drawn} drawn, {lost} lost; {nodes} nodes, {plies} moves");
        passed &= won >= 190;
    }
    assert!(passed);
}
