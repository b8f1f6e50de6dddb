//! Legal moves of xiangqi counted to some depth: nodes a second.
//!
//! `cargo bench --bench perft [-- DEPTH [FEN]]`; depth 5 from the start without
//! them. To compare, `go perft DEPTH` in a UCI engine that plays xiangqi.

use std::time::Instant;

use kifu::game::xiangqi::{Position, fen};

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|it| it != "--bench");
    let depth = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(5);
    let text = arguments.next().unwrap_or_else(|| fen::START.to_owned());
    let mut position = fen::read(&text).expect("a position");
    let start = Instant::now();
    let nodes = count(&mut position, depth);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{nodes} nodes at depth {depth} in {seconds:.2} s: {:.1} million a second",
        nodes as f64 / seconds / 1e6
    );
}

/// Positions that so many moves lead to.
fn count(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal().into(),
        _ => position.legal().into_iter().fold(0, |sum, it| {
            let captured = position.make(it);
            let below = count(position, depth - 1);
            position.unmake(it, captured);
            sum + below
        }),
    }
}
