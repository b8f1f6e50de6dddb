//! The search, held against plain minimax, and against itself on positions turned
//! about.

use kifu::{
    game::xiangqi::{Board, Kind, Move, Piece, Position, Square, fen},
    outcome::Side,
    search::{Found, Limits, Parts, Score, Search, Searchable, Verdict},
};

use super::suites::{Turned, cases, text, turned};

/// Random numbers: xorshift64 (Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, number: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % number
    }
}

/// Positions of random games, with a part of the pieces taken off so that plain
/// minimax gets through them; the side to move cannot take the general.
fn positions(count: usize, share: usize) -> Vec<Position> {
    let mut random = Random(20_240_607);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = fen::read(fen::START).unwrap();
        for _ in 0..random.below(120) {
            let moves = position.legal();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.below(moves.len())]);
        }
        let kept = Square::all().filter_map(|square| {
            let piece = position.piece(square);
            let stays = piece.kind()? == Kind::General || random.below(100) < share;
            stays.then_some((square, piece))
        });
        let kept: Vec<(Square, Piece)> = kept.collect();
        let position = Position::new(kept, position.turn()).unwrap();
        if !position.in_check(position.turn().other()) {
            found.push(position);
        }
    }
    found
}

/// What the rules say, apart from mates.
fn score_of(verdict: Verdict) -> Score {
    match verdict {
        Verdict::Draw => Score::DRAW,
        Verdict::WonByRule => Score::WON_BY_RULE,
        Verdict::LostByRule => -Score::WON_BY_RULE,
        Verdict::Lost => panic!("mates are seen by their moves"),
    }
}

fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.moves(|it| moves.push(it));
    moves
}

/// Every move of a position to some depth, then every line of captures if they are
/// wanted, and of answers to checks before some ply, without any bounds.
fn minimax(board: &mut Board, depth: u32, ply: u32, captures: Option<u32>) -> Score {
    if ply > 0
        && let Some(verdict) = board.ended().or_else(|| board.repeated())
    {
        return score_of(verdict);
    }
    let settles = depth == 0 && captures.is_some_and(|until| ply >= until || !board.in_check());
    let mut best = match settles {
        true => Some(Score::of(board.evaluate())),
        false => None,
    };
    let leaf = depth == 0 && captures.is_none();
    for it in moves(board) {
        if settles && board.gain(it) == 0 || !board.make(it) {
            continue;
        }
        let score = match leaf {
            true => Score::LEAST,
            false => -minimax(board, depth.saturating_sub(1), ply + 1, captures),
        };
        board.unmake();
        best = best.max(Some(score));
    }
    match best {
        None => Score::mated_in(ply),
        Some(_) if leaf => Score::of(board.evaluate()),
        Some(best) => best,
    }
}

fn search(position: &Position, parts: Parts, limits: Limits) -> Found<Move> {
    let mut board = Board::new(position.clone());
    Search::new(parts).search(&mut board, limits)
}

const PLAIN: Parts = Parts {
    ordering: true,
    table: true,
    quiescence: false,
    extensions: false,
    proofs: false,
};

/// To a depth of three no position comes about on ways of different lengths, so
/// that the table changes nothing either.
#[test]
fn bounds_change_no_score() {
    let mut mates = 0;
    for (number, position) in positions(200, 45).iter().enumerate() {
        for depth in 1..=3 {
            let expected = minimax(&mut Board::new(position.clone()), depth, 0, None);
            mates += usize::from(expected.mate().is_some());
            for (ordering, table) in [(true, true), (false, true), (true, false), (false, false)] {
                let parts = Parts {
                    ordering,
                    table,
                    ..PLAIN
                };
                let found = search(position, parts, Limits::depth(depth));
                assert_eq!(
                    found.score, expected,
                    "{number}, depth {depth}, {parts:?}: {position:?}"
                );
            }
        }
    }
    assert!(mates > 10, "some of them are mates: {mates}");
}

#[test]
fn bounds_change_no_score_behind_captures() {
    for position in positions(150, 30) {
        for depth in 1..=2 {
            let expected = minimax(&mut Board::new(position.clone()), depth, 0, Some(2 * depth));
            for ordering in [true, false] {
                let parts = Parts {
                    ordering,
                    quiescence: true,
                    ..PLAIN
                };
                let found = search(&position, parts, Limits::depth(depth));
                assert_eq!(found.score, expected, "depth {depth}: {position:?}");
            }
        }
    }
}

/// What a position is worth does not depend on left and right, nor on which side
/// is called red.
#[test]
fn positions_turned_about_are_worth_the_same() {
    let parts = Parts {
        table: false,
        ..Parts::ALL
    };
    for position in positions(60, 70) {
        let value = Board::new(position.clone()).evaluate();
        let score = search(&position, parts, Limits::depth(3)).score;
        for how in Turned::ALL {
            let other = turned(&position, how);
            assert_eq!(Board::new(other.clone()).evaluate(), value, "{position:?}");
            let found = search(&other, parts, Limits::depth(3));
            assert_eq!(found.score, score, "{how:?}: {position:?}");
        }
        let mut passed = position.clone();
        passed.pass();
        assert_eq!(Board::new(passed).evaluate(), -value, "{position:?}");
    }
    assert_eq!(Board::new(fen::read(fen::START).unwrap()).evaluate(), 0);
}

/// Moves made and taken back leave the evaluation as it would be anew.
#[test]
fn values_follow_the_moves() {
    for position in positions(20, 80) {
        let mut board = Board::new(position);
        for it in moves(&board) {
            if board.make(it) {
                let anew = Board::new(board.position().clone());
                assert_eq!(board.evaluate(), anew.evaluate(), "{it}: {anew:?}");
                assert_eq!(board.in_check(), anew.in_check(), "{it}: {anew:?}");
                board.unmake();
            }
        }
    }
}

#[test]
fn a_search_may_stop_anywhere() {
    let mut search = Search::default();
    for position in positions(4, 80) {
        let mut board = Board::new(position.clone());
        let legal = position.clone().legal();
        let before = format!("{board:?}");
        for nodes in (0..400).chain([1_000, 5_000]) {
            let found = search.search(&mut board, Limits::nodes(nodes));
            assert_eq!(format!("{board:?}"), before, "{nodes} nodes");
            assert!(found.nodes <= nodes);
            assert_eq!(found.line.is_empty(), legal.is_empty());
            assert!(found.line.iter().take(1).all(|it| legal.contains(it)));
        }
    }
}

/// A line can be played.
#[test]
fn lines_are_moves() {
    for position in positions(40, 80) {
        let found = search(&position, Parts::ALL, Limits::nodes(3_000));
        let mut after = position.clone();
        for it in found.line {
            assert!(after.is_legal(it), "{it} in {after:?}");
            after.make(it);
        }
    }
}

#[test]
fn what_was_searched_before_does_not_matter() {
    let positions = positions(12, 80);
    let mut used = Search::default();
    for position in positions.iter().chain(&positions) {
        let found = used.search(&mut Board::new(position.clone()), Limits::nodes(2_000));
        let alone = search(position, Parts::ALL, Limits::nodes(2_000));
        assert_eq!(found, alone, "{position:?}");
    }
}

/// Whether the side to move mates in so many plies whatever is answered: every
/// move is tried.
fn is_mate(position: &mut Position, plies: u32) -> bool {
    position.legal().into_iter().any(|it| {
        let captured = position.make(it);
        let won = position.legal().into_iter().all(|answer| {
            plies > 2 && {
                let captured = position.make(answer);
                let won = is_mate(position, plies - 2);
                position.unmake(answer, captured);
                won
            }
        });
        position.unmake(it, captured);
        won
    })
}

/// The plies of the shortest mate by the side to move, up to some number.
fn shortest_mate(position: &mut Position, most: u32) -> Option<u32> {
    (1..=most)
        .step_by(2)
        .find(|plies| is_mate(position, *plies))
}

#[test]
fn mates_are_found() {
    for (text, plies) in [
        // A chariot on the last rank; by a check before; by a quiet move.
        ("4k4/1R7/9/9/9/9/9/9/9/R2K5 w", 1),
        ("4k4/9/1R7/9/9/9/9/9/9/R2K5 w", 3),
        ("9/9/4k4/R8/1R7/9/9/9/9/3K5 w", 3),
        // By stalemate.
        ("3k5/9/9/3P5/9/9/9/9/9/4K4 w", 1),
        // Horse and chariot.
        ("3k5/4a4/9/4N4/9/9/9/9/9/R3K4 w", 1),
        // Two soldiers walk.
        ("3k5/9/9/2P1P4/9/9/9/9/9/4K4 w", 5),
    ] {
        let mut position = fen::read(text).unwrap();
        assert_eq!(shortest_mate(&mut position, plies), Some(plies), "{text}");
        for how in Turned::ALL {
            let position = turned(&position, how);
            let found = search(&position, Parts::ALL, Limits::nodes(200_000));
            assert_eq!(found.score, Score::mates_in(plies), "{how:?}: {text}");
            assert_eq!(found.line.len(), plies as usize, "{text}");
        }
    }
}

/// Positions from which one move leads to another one, in which the mover may then
/// not be attacked by what he has just let stand.
fn before(position: &Position) -> Vec<Position> {
    let mover = position.turn().other();
    let mut found = Vec::new();
    for to in position.of(mover) {
        for from in Square::all().filter(|from| position.piece(*from).is_none()) {
            let pieces = Square::all().map(|square| {
                let piece = match square {
                    square if square == to => Piece::NONE,
                    square if square == from => position.piece(to),
                    square => position.piece(square),
                };
                (square, piece)
            });
            let Ok(mut earlier) = Position::new(pieces.collect::<Vec<_>>(), mover) else {
                continue;
            };
            let sound = earlier.misplaced().is_none() && !earlier.in_check(mover.other());
            if sound && earlier.is_legal(Move { from, to }) {
                found.push(earlier);
            }
        }
    }
    found
}

#[test]
fn mates_of_real_games_are_found() {
    let mut random = Random(77);
    let mut counts = [0; 2];
    for case in cases("mate_stalemate") {
        let mut mated = fen::read(text(&case, "fen")).unwrap();
        let earlier = before(&mated);
        // Some cases only look like mates.
        if mated.can_move() || earlier.is_empty() {
            continue;
        }
        let one = &earlier[random.below(earlier.len())];
        // Who cannot move is seen one ply later than who is mated.
        let found = search(one, Parts::ALL, Limits::depth(2));
        assert_eq!(found.score, Score::mates_in(1), "{one:?}");
        counts[0] += 1;
        // Two moves before that it may be a mate in two, or in one, or none.
        let answered = before(one);
        if answered.is_empty() || counts[0] % 6 != 0 {
            continue;
        }
        let two = before(&answered[random.below(answered.len())]);
        if two.is_empty() {
            continue;
        }
        let mut two = two[random.below(two.len())].clone();
        let expected = shortest_mate(&mut two, 3);
        let found = search(
            &two,
            Parts {
                table: false,
                ..PLAIN
            },
            Limits::depth(3),
        );
        let mates = Some(found.score).filter(|score| *score > Score::WON_BY_RULE);
        assert_eq!(mates, expected.map(Score::mates_in), "{two:?}");
        counts[1] += usize::from(expected.is_some());
    }
    println!("{} mates in one, {} in two or one", counts[0], counts[1]);
}

/// What is said once some moves were made.
fn repeated(text: &str, moves: &str) -> Option<Verdict> {
    let mut board = Board::new(fen::read(text).unwrap());
    for it in moves.split_whitespace() {
        assert_eq!(board.repeated(), None, "before {it}");
        assert!(board.make(it.parse().unwrap()), "{it}");
    }
    board.repeated()
}

#[test]
fn positions_that_come_again() {
    let checks = "3k5/R8/9/9/9/9/9/9/9/5K3 w";
    let idle = "3k5/9/9/9/9/9/9/9/p8/R4K3 w";
    for (text, moves, expected) in [
        (idle, "f0f1 d9d8 f1f0 d8d9", Some(Verdict::Draw)),
        (idle, "f0f1 d9d8 f1f0", None),
        // Not since the capture.
        (idle, "f0f1 d9d8 a0a1 d8d9 f1f0", None),
        // Who checks is to move, or has just moved.
        (checks, "a8a9 d9d8 a9a8 d8d9", Some(Verdict::LostByRule)),
        (
            "3k5/9/R8/9/9/9/9/9/9/5K3 w",
            "a7a9 d9d8 a9a8 d8d9 a8a9",
            Some(Verdict::WonByRule),
        ),
    ] {
        assert_eq!(repeated(text, moves), expected, "{text} {moves}");
    }
}

/// Chooses moves; nothing where there is none.
type Player<'p> = dyn FnMut(&mut Board) -> Option<Move> + 'p;

/// Who has won a game, as far as moves and too little material tell; nothing
/// after too many moves.
fn played(red: &mut Player<'_>, black: &mut Player<'_>, start: Position) -> i32 {
    let mut board = Board::new(start);
    for _ in 0..300 {
        if board.ended().is_some() {
            return 0;
        }
        let side = board.turn();
        let chosen = match side {
            Side::First => red(&mut board),
            Side::Second => black(&mut board),
        };
        let Some(it) = chosen else {
            return -side.sign();
        };
        assert!(board.make(it), "{it} in {board:?}");
    }
    0
}

/// The move after which the pieces are worth most.
fn greedy(board: &mut Board) -> Option<Move> {
    let legal: Vec<Move> = board.position().clone().legal();
    let worth = |it: &Move| -> i32 {
        let mut board = board.clone();
        board.make(*it);
        board.evaluate()
    };
    legal.into_iter().min_by_key(worth)
}

/// A search of 5,000 positions against a player that looks one move ahead. Run in
/// release: `cargo test --release --test xiangqi -- --ignored --nocapture strength`.
#[test]
#[ignore = "measures"]
fn strength() {
    let mut random = Random(9);
    let mut search = Search::default();
    let mut counts = [0; 3];
    for game in 0..200 {
        let mut start = fen::read(fen::START).unwrap();
        for _ in 0..6 {
            let moves = start.legal();
            start.make(moves[random.below(moves.len())]);
        }
        let mut searches = |board: &mut Board| {
            let found = search.search(board, Limits::nodes(5_000));
            found.line.first().copied()
        };
        let result = match game % 2 {
            0 => played(&mut searches, &mut greedy, start),
            _ => -played(&mut greedy, &mut searches, start),
        };
        counts[(1 - result) as usize] += 1;
    }
    let [won, drawn, lost] = counts;
    println!("{won} won, {drawn} drawn, {lost} lost");
    assert!(won >= 190);
}
