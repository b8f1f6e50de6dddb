//! The search on positions of xiangqi and of k-in-a-row: nodes to some depth, with
//! and without an order of moves and a table of positions, and nodes a second.
//!
//! `cargo bench --bench search [-- DEPTH [FEN…]]`; without them depth 5 and three
//! positions of xiangqi, and depth 6 and some of k-in-a-row.

use std::time::Instant;

use kifu::{
    game::{
        kinrow,
        xiangqi::{Board, fen},
    },
    outcome::Side,
    search::{Limits, Parts, Search, Searchable},
};

/// The opening, a middle game, an ending.
const POSITIONS: [&str; 3] = [
    fen::START,
    "r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB1R b",
    "3ak4/4a4/4b4/p3p4/6b2/2P1n4/P3P4/4B1N2/4A4/2BAK4 w",
];

/// Rules, and moves on a board of 15x15: column and row letters, from the top
/// left.
const GAMES: [(&str, &str); 5] = [
    ("freestyle", "hh ig gi fh gg ff"),
    ("freestyle", "hh gh gg ii fi hg jh ih ij"),
    ("standard", "hh hi ii gg ih fh gj gi jg"),
    ("renju", "hh hg ig gi gf ij jh fg"),
    ("caro", "hh gg gh ih hi hf fg jj ei"),
];

/// Without an order of moves more takes too long.
const MOST_NODES: u64 = 200_000_000;
const MOST_NODES_IN_A_ROW: u64 = 20_000_000;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|it| it != "--bench");
    let depth = arguments.next().and_then(|it| it.parse().ok());
    let mut positions: Vec<String> = arguments.collect();
    let all = positions.is_empty();
    if all {
        positions = POSITIONS.map(str::to_owned).to_vec();
    }
    for text in positions {
        println!("{text}");
        let board = Board::new(fen::read(&text).expect("a position"));
        measure(&board, depth.unwrap_or(5), MOST_NODES);
    }
    if all {
        for (rules, moves) in GAMES {
            println!("{rules} {moves}");
            let rules = kinrow::Rules::preset(rules).expect("rules");
            let board = kinrow::Board::new(15, 15);
            let mut position = kinrow::Position::new(&board, &rules, Side::First);
            for it in moves.split(' ').map(str::as_bytes) {
                let (column, row) = (it[0] - b'a', it[1] - b'a');
                let at = kinrow::Point { row, column };
                assert!(position.make(Some(at)), "a move");
            }
            measure(&position, depth.unwrap_or(6), MOST_NODES_IN_A_ROW);
        }
    }
}

fn measure<G: Searchable + Clone>(game: &G, depth: u32, nodes: u64) {
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
        let start = Instant::now();
        let found = search.search(&mut game.clone(), Limits { nodes, depth });
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
