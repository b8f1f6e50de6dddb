//! Against exhaustive play on small boards, with rules of its own: every
//! position that can come about is looked at, and those from which the prover
//! gets to an end that it wins are found backwards from the ends.

use super::*;
use crate::game::go::playout::Random;
use std::collections::HashMap;

const EMPTY: u8 = 2;

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// 0 defender, 1 attacker, 2 empty.
    cells: Vec<u8>,
    ban: Option<usize>,
    mover: u8,
    taken: bool,
    passed: bool,
}

struct Rules {
    columns: usize,
    fixed: Vec<bool>,
    target: Vec<usize>,
    suicide: bool,
    prover: u8,
}

impl Rules {
    fn near(&self, at: usize) -> Vec<usize> {
        let mut near = Vec::new();
        if !at.is_multiple_of(self.columns) {
            near.push(at - 1);
        }
        if at % self.columns + 1 < self.columns {
            near.push(at + 1);
        }
        if at >= self.columns {
            near.push(at - self.columns);
        }
        if at + self.columns < self.fixed.len() {
            near.push(at + self.columns);
        }
        near
    }

    /// The chain of a stone and its liberties; a stone that stays counts as
    /// one that is never filled.
    fn chain(&self, cells: &[u8], stone: usize) -> (Vec<usize>, Vec<usize>) {
        let (mut chain, mut liberties) = (vec![stone], Vec::new());
        let mut next = 0;
        while next < chain.len() {
            let at = chain[next];
            next += 1;
            if self.fixed[at] && !liberties.contains(&usize::MAX) {
                liberties.push(usize::MAX);
            }
            for near in self.near(at) {
                if cells[near] == EMPTY && !liberties.contains(&near) {
                    liberties.push(near);
                }
                if cells[near] == cells[at] && !chain.contains(&near) {
                    chain.push(near);
                }
            }
        }
        (chain, liberties)
    }

    fn play(&self, from: &State, at: usize) -> Option<State> {
        if from.cells[at] != EMPTY || from.ban == Some(at) {
            return None;
        }
        let mut cells = from.cells.clone();
        cells[at] = from.mover;
        let mut removed = Vec::new();
        for near in self.near(at) {
            if cells[near] == 1 - from.mover {
                let (chain, liberties) = self.chain(&cells, near);
                if liberties.is_empty() {
                    for &stone in &chain {
                        cells[stone] = EMPTY;
                    }
                    removed.extend(chain);
                }
            }
        }
        let (chain, liberties) = self.chain(&cells, at);
        if liberties.is_empty() {
            if chain.len() == 1 || !self.suicide {
                return None;
            }
            for &stone in &chain {
                cells[stone] = EMPTY;
            }
        }
        let is_ko = chain.len() == 1 && removed.len() == 1 && liberties == removed;
        let ban = (is_ko && from.mover != self.prover).then(|| removed[0]);
        let gone = self.target.iter().any(|&stone| cells[stone] != 0);
        Some(State {
            cells,
            ban,
            mover: 1 - from.mover,
            taken: from.taken || gone,
            passed: false,
        })
    }

    /// The states after each move, and whether the prover wins by an end of
    /// play, where a move ends it.
    fn moves(&self, from: &State) -> (Vec<State>, Option<bool>) {
        let points = 0..from.cells.len();
        let mut after: Vec<State> = points.filter_map(|at| self.play(from, at)).collect();
        let mut end = None;
        if from.passed {
            let is_held = self.target.iter().any(|&stone| from.cells[stone] == 0);
            end = Some(self.prover == u8::from(!is_held));
        } else if from.taken || from.mover == 0 {
            after.push(State {
                ban: None,
                mover: 1 - from.mover,
                passed: from.taken,
                ..from.clone()
            });
        } else {
            // The attacker gives up.
            end = Some(self.prover == 0);
        }
        (after, end)
    }

    /// Whether the prover can get to an end that it wins, if there are not too
    /// many states to tell.
    fn wins(&self, start: State) -> Option<bool> {
        const MOST: usize = 20_000;
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut moves: Vec<(Vec<usize>, Option<bool>)> = Vec::new();
        while moves.len() < states.len() {
            let (after, end) = self.moves(&states[moves.len()]);
            let mut next = Vec::new();
            for state in after {
                let number = *numbers.entry(state.clone()).or_insert(states.len());
                if number == states.len() {
                    states.push(state);
                }
                next.push(number);
            }
            moves.push((next, end));
            if states.len() > MOST {
                return None;
            }
        }
        let mut won = vec![false; states.len()];
        loop {
            let mut changed = false;
            for number in (0..states.len()).rev() {
                let (next, end) = &moves[number];
                let wins = if states[number].mover == self.prover {
                    *end == Some(true) || next.iter().any(|&state| won[state])
                } else {
                    *end != Some(false) && next.iter().all(|&state| won[state])
                };
                changed |= wins != won[number];
                won[number] = wins;
            }
            if !changed {
                return Some(won[0]);
            }
        }
    }
}

/// Compares all four proofs about the chain asked about; how many of those
/// that exist were found, and how many exist.
fn compare(rows: &[String], suicide: bool) -> (usize, usize) {
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (board, fixed, stone) = board(&rows);
    let Some(side) = board.cell(stone).side() else {
        return (0, 0);
    };
    let points: Vec<Point> = board.points().collect();
    if points
        .iter()
        .any(|&point| board.cell(point).side().is_some() && board.is_captured(point))
    {
        return (0, 0);
    }
    let is_fixed = |point: Point| fixed[usize::from(point)].is_some();
    let owners = vec![0.0; board.length()];
    let view = View::new(&board, suicide, &fixed, &owners);
    let Some(zone) = view.zone(stone) else {
        return (0, 0);
    };
    let in_target = |point: Point| {
        board.cell(point).side() == Some(side) && board.head(point) == board.head(stone)
    };
    let target = (0..)
        .zip(&zone.points)
        .filter(|&(_, &point)| in_target(point))
        .fold(0, |set, (bit, _)| set | 1 << bit);
    let cells: Vec<u8> = points
        .iter()
        .map(|&point| match board.cell(point).side() {
            Some(stone) => u8::from(stone != side),
            None => EMPTY,
        })
        .collect();
    let (mut found, mut exist) = (0, 0);
    for (prover, mover) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let rules = Rules {
            columns: rows[0].len(),
            fixed: points.iter().map(|&point| is_fixed(point)).collect(),
            target: (0..points.len())
                .filter(|&at| in_target(points[at]))
                .collect(),
            suicide,
            prover: prover as u8,
        };
        let start = State {
            cells: cells.clone(),
            ban: None,
            mover: mover as u8,
            taken: false,
            passed: false,
        };
        let Some(wins) = rules.wins(start) else {
            continue;
        };
        let question = Question {
            zone: &zone,
            target,
            prover,
        };
        let start = Position {
            stones: zone.stones(&board, side),
            mover,
            ..Position::default()
        };
        let proved = search::proves(question, &start, &mut Table::default(), &mut 100_000);
        assert!(
            wins || !proved,
            "suicide {suicide}, {prover} does not win if {mover} moves first\n{}",
            rows.join("\n")
        );
        exist += usize::from(wins);
        found += usize::from(proved);
    }
    (found, exist)
}

/// A position with some stones that stay, and one chain asked about.
fn any(random: &mut Random, columns: usize, rows: usize) -> Vec<String> {
    let mut signs: Vec<u8> = (0..columns * rows)
        .map(|_| b"XXXOOO....#@@"[random.below(13)])
        .collect();
    let at = random.below(signs.len());
    signs[at] = b'x';
    signs
        .chunks(columns)
        .map(|row| String::from_utf8_lossy(row).into_owned())
        .collect()
}

fn compare_many(seed: u64, count: usize, sizes: &[(usize, usize)]) {
    let mut random = Random::new(seed);
    for &(columns, rows) in sizes {
        let (mut found, mut exist) = (0, 0);
        for number in 0..count {
            let rows = any(&mut random, columns, rows);
            let (one, two) = compare(&rows, number % 4 == 0);
            found += one;
            exist += two;
        }
        println!("{columns}x{rows}: {found} proofs found of {exist}");
        assert!(found * 10 >= exist * 9 && exist > 0);
    }
}

#[test]
fn exhaustive_play_agrees_with_every_proof() {
    compare_many(1, 40, &[(3, 2), (3, 3), (4, 3)]);
}

#[test]
#[ignore = "takes minutes"]
fn longer_play_agrees_with_every_proof() {
    compare_many(2, 1_000, &[(3, 2), (3, 3), (4, 3), (4, 4), (5, 4)]);
}
