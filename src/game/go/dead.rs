//! Which stones of a finished position are dead.

mod canon;

use crate::{
    game::go::{
        board::{Board, Point},
        life,
        playout::{
            Arena, Random,
            policy::{self, Game},
        },
    },
    outcome::Side,
};
use canon::{Canonical, canonical};

/// What is judged of a finished position.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Stones judged dead, as points, ascending.
    pub dead: Vec<Point>,
    /// Stones whose status stayed unclear (left alive), one stone per chain.
    pub unsure: Vec<Point>,
    /// Mean owner by playouts per board array index.
    pub ownership: Vec<f32>,
    /// Probability.
    pub confidence: f32,
}

/// Judge.
#[derive(Debug, Default)]
pub struct DeadStones {
    arena: Arena,
    log: Vec<(Side, Point)>,
    sums: Vec<i32>,
}

impl DeadStones {
    /// New.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Judges.
    #[must_use]
    pub fn judge(&mut self, board: &Board, suicide: bool) -> Verdict {
        let Canonical { board: canon, ways } = canonical(board);
        let first = life::unconditional(&canon, Side::First, suicide);
        let second = life::unconditional(&canon, Side::Second, suicide);
        let frozen: Vec<bool> = (0..canon.length())
            .map(|i| first.holds(i as Point) || second.holds(i as Point))
            .collect();
        self.arena.load(&canon, &frozen);
        let mut random = Random::new(canon.hash());
        self.sums.clear();
        self.sums.resize(canon.length(), 0);
        let points: Vec<Point> = canon.points().collect();
        let n = 64;
        for i in 0..n {
            self.arena.reset();
            let side = if i % 2 == 0 {
                Side::First
            } else {
                Side::Second
            };
            let mut game = Game::new(&mut random);
            self.log.clear();
            policy::play_out(
                &mut self.arena,
                &mut random,
                &mut game,
                side,
                3 * points.len(),
                &mut self.log,
            );
            for &p in &points {
                if let Some(s) = self.arena.owner(p) {
                    self.sums[usize::from(p)] += s.sign();
                }
            }
        }
        let mut own: Vec<f32> = self.sums.iter().map(|&s| s as f32 / n as f32).collect();
        for &p in &points {
            if first.holds(p) {
                own[usize::from(p)] = 1.0;
            }
            if second.holds(p) {
                own[usize::from(p)] = -1.0;
            }
        }
        let t: f32 = 0.0;
        let mut dead = vec![false; canon.length()];
        for &p in &points {
            if let Some(side) = canon.cell(p).side()
                && canon.head(p) == p
            {
                let (mut sum, mut c) = (0.0, 0.0);
                for q in canon.chain(p) {
                    sum += own[usize::from(q)] * side.sign() as f32;
                    c += 1.0;
                }
                if sum / c < t {
                    for q in canon.chain(p) {
                        dead[usize::from(q)] = true;
                    }
                }
            }
        }
        let mut verdict = Verdict {
            ownership: vec![0.0; board.length()],
            ..Verdict::default()
        };
        for (to, from) in ways[0].sources(board, &canon) {
            verdict.ownership[usize::from(from)] =
                own[usize::from(to)] * if ways[0].swap { -1.0 } else { 1.0 };
            if dead[usize::from(to)] {
                verdict.dead.push(from);
            }
        }
        // A rough rate until it is calibrated.
        verdict.confidence = 0.95;
        verdict.dead.sort_unstable();
        verdict
    }
}
