//! The search on a game of its own: nine points, three in a row.

use super::{Found, Limits, Live, Parts, Score, Search, Searchable, Stop, Verdict};
use crate::outcome::Side;

/// Points of both sides, a bit each, and the moves made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Noughts {
    points: [u16; 2],
    made: Vec<u16>,
    /// Which numbers positions are worth.
    seed: u64,
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Noughts {
    fn of(moves: &[u16]) -> Self {
        let mut game = Self::default();
        for it in moves {
            assert!(game.make(*it));
        }
        game
    }
}

impl Searchable for Noughts {
    type Move = u16;
    const PACKED: usize = 10;
    const MOST_GAIN: i32 = 0;

    fn pack(it: u16) -> u16 {
        it + 1
    }

    fn turn(&self) -> Side {
        match self.made.len() % 2 {
            0 => Side::First,
            _ => Side::Second,
        }
    }

    fn key(&self) -> u64 {
        let [first, second] = self.points.map(u64::from);
        first << 9 | second
    }

    fn moves(&self, each: impl FnMut(u16)) {
        (0..9).for_each(each);
    }

    fn captures(&self, _: impl FnMut(u16)) {}

    fn gain(&self, _: u16) -> i32 {
        0
    }

    fn make(&mut self, it: u16) -> bool {
        let free = (self.points[0] | self.points[1]) & 1 << it == 0;
        if free {
            let side = self.turn().index();
            self.points[side] |= 1 << it;
            self.made.push(it);
        }
        free
    }

    fn unmake(&mut self) {
        let it = self.made.pop().unwrap();
        let side = self.turn().index();
        self.points[side] &= !(1 << it);
    }

    /// Some number, another one for each position; a full board is drawn.
    fn evaluate(&self) -> i32 {
        if self.made.len() == 9 {
            return 0;
        }
        let key = self.key() | self.seed << 18;
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as i32 - 32
    }

    fn in_check(&self) -> bool {
        false
    }

    fn ended(&self) -> Option<Verdict> {
        let other = self.points[self.turn().other().index()];
        let line = LINES.into_iter().any(|line| other & line == line);
        line.then_some(Verdict::Lost)
    }

    fn repeated(&self) -> Option<Verdict> {
        None
    }

    fn stuck(&self) -> Verdict {
        Verdict::Draw
    }
}

fn search(moves: &[u16]) -> Found<u16> {
    let mut game = Noughts::of(moves);
    let before = game.clone();
    let found = Search::default().search(&mut game, Limits::depth(9));
    assert_eq!(game, before);
    found
}

#[test]
fn noughts_and_crosses_is_a_draw() {
    let found = search(&[]);
    assert_eq!((found.score, found.depth), (Score::DRAW, 9));
    assert_eq!(Noughts::of(&found.line).made.len(), 9);
}

#[test]
fn wins_are_counted_in_plies() {
    for (moves, score) in [
        // Two of three: at once; against it, with the move.
        (&[0, 3, 1, 4][..], Score::mates_in(1)),
        (&[0, 3, 1, 4, 8], Score::mates_in(1)),
        // A side in answer to the centre loses a game that a corner holds.
        (&[4, 0], Score::DRAW),
        (&[4, 1], Score::mates_in(5)),
        // Two lines are open at once.
        (&[0, 1, 4, 8, 3], Score::mated_in(2)),
        // It is over: by a line; as nothing is left.
        (&[0, 3, 1, 4, 2], Score::mated_in(0)),
        (&[0, 1, 2, 4, 3, 5, 7, 6, 8], Score::DRAW),
    ] {
        let found = search(moves);
        assert_eq!(found.score, score, "{moves:?}");
        let plies = score.mate().unwrap_or(9 - moves.len() as u32);
        assert_eq!(found.line.len(), plies as usize, "{moves:?}");
    }
}

#[test]
fn parts_and_limits_change_no_proof() {
    for (ordering, table) in [(true, false), (false, true), (false, false)] {
        let parts = Parts {
            ordering,
            table,
            ..Parts::ALL
        };
        let mut search = Search::new(parts);
        for (moves, score) in [(&[][..], Score::DRAW), (&[4, 1], Score::mates_in(5))] {
            let mut game = Noughts::of(moves);
            let found = search.search(&mut game, Limits::depth(9));
            assert_eq!(found.score, score, "{parts:?}");
        }
    }
    let mut game = Noughts::default();
    for nodes in 0..600 {
        let found = Search::default().search(&mut game, Limits::nodes(nodes));
        assert_eq!(game, Noughts::default(), "{nodes} nodes");
        assert!(found.nodes <= nodes && found.line.len() <= 9);
    }
}

/// The score by looking at everything.
fn minimax(game: &mut Noughts, depth: u32, ply: usize) -> Score {
    if let Some(verdict) = game.ended() {
        return Score::of_verdict(verdict, ply);
    }
    if game.made.len() == 9 {
        return Score::of_verdict(game.stuck(), ply);
    }
    if depth == 0 {
        return Score::of(game.evaluate());
    }
    let mut best = Score::LEAST;
    for it in 0..9 {
        if game.make(it) {
            best = best.max(-minimax(game, depth - 1, ply + 1));
            game.unmake();
        }
    }
    best
}

const SEEDS: u64 = 10;

/// Most positions come about in several ways, so the table has its say at every depth.
#[test]
fn what_is_known_changes_no_score() {
    let openings = (0..9).flat_map(|first| (0..9).map(move |second| [first, second]));
    for moves in openings.filter(|[first, second]| first != second) {
        let mut game = Noughts::of(&moves);
        for (depth, seed) in (1..=7).flat_map(|depth| (0..SEEDS).map(move |seed| (depth, seed))) {
            game.seed = seed;
            let expected = minimax(&mut game, depth, 0);
            for table in [true, false] {
                let parts = Parts {
                    table,
                    quiescence: false,
                    ..Parts::ALL
                };
                let found = Search::new(parts).search(&mut game, Limits::depth(depth));
                // A mate found sooner ends the search.
                if found.depth == depth {
                    assert_eq!(found.score, expected, "{moves:?} to {depth}, {table}");
                } else {
                    assert_eq!(found.score.mate(), expected.mate(), "{moves:?}");
                }
            }
        }
    }
}

fn live(threads: usize, moves: &[u16], stop: &Stop) -> (Found<u16>, Vec<u32>) {
    let mut live = Live::new(threads, 1).unwrap();
    let mut depths = Vec::new();
    let game = Noughts::of(moves);
    let found = live.search(&game, Limits::depth(9), &[], stop, &mut |found: &Found<
        u16,
    >| {
        depths.push(found.depth);
    });
    (found, depths)
}

#[test]
fn one_thread_finds_what_a_search_finds() {
    for moves in [&[][..], &[4, 1], &[0, 3, 1, 4]] {
        let (found, depths) = live(1, moves, &Stop::default());
        assert_eq!(found, search(moves));
        assert_eq!(depths, (1..=found.depth).collect::<Vec<_>>());
    }
}

#[test]
fn several_threads_prove_the_same() {
    for threads in [2, 5, 1000] {
        for (moves, score) in [(&[][..], Score::DRAW), (&[4, 1], Score::mates_in(5))] {
            assert_eq!(live(threads, moves, &Stop::default()).0.score, score);
        }
    }
}

#[test]
fn a_search_stops_when_it_is_asked_to() {
    let asked = Stop::default();
    asked.ask();
    let at = Some(std::time::Instant::now());
    for stop in [
        asked,
        Stop {
            at,
            ..Stop::default()
        },
    ] {
        let (found, _) = live(2, &[], &stop);
        // It has something to play all the same.
        assert!(found.depth < 9 && found.line.len() <= 9 && !found.line.is_empty());
    }
}
