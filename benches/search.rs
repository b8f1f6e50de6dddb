//! The search on positions of xiangqi: nodes to some depth, with and without an
//! order of moves and a table of positions, and nodes a second.
//!
//! `cargo bench --bench search [-- DEPTH [FEN…]]`; depth 5 and three positions
//! without them.

use std::time::Instant;

use kifu::{
    game::xiangqi::{Board, fen},
    search::{Limits, Parts, Search},
};

/// The opening, a middle game, an ending.
const POSITIONS: [&str; 3] = [
    fen::START,
    "r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB1R b",
    "3ak4/4a4/4b4/p3p4/6b2/2P1n4/P3P4/4B1N2/4A4/2BAK4 w",
];

/// Without an order of moves more takes too long.
const MOST_NODES: u64 = 200_000_000;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|it| it != "--bench");
    let depth = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(5);
    let mut positions: Vec<String> = arguments.collect();
    if positions.is_empty() {
        positions = POSITIONS.map(str::to_owned).to_vec();
    }
    for text in positions {
        println!("{text}");
        for (name, ordering, table) in [
            ("all", true, true),
            ("no table", true, false),
            ("no order", false, true),
            ("neither", false, false),
        ] {
            let parts = Parts {
                ordering,
                table,
                ..Parts::ALL
            };
            let mut search = Search::new(parts);
            let mut board = Board::new(fen::read(&text).expect("a position"));
            let limits = Limits {
                nodes: MOST_NODES,
                depth,
            };
            let start = Instant::now();
            let found = search.search(&mut board, limits);
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "  {name:8}  depth {}  {:>11} nodes  {seconds:>7.2} s  {:.2} million a second  {:?}",
                found.depth,
                found.nodes,
                found.nodes as f64 / seconds / 1e6,
                found.score.value(),
            );
        }
    }
}
