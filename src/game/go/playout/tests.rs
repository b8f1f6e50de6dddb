//! What the board of the playouts keeps up to date equals what counting from
//! scratch finds.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{
    Arena, Liberties, Random,
    place::{Chain, opposite},
    shape,
};
use crate::{
    game::go::board::{Board, Cell, Point},
    outcome::Side,
};

/// The points of a chain, found by search.
fn flood(arena: &Arena, stone: Point) -> BTreeSet<Point> {
    let mut met = BTreeSet::from([stone]);
    let mut open = vec![stone];
    while let Some(at) = open.pop() {
        for near in arena.neighbours(at) {
            if arena.cell(near) == arena.cell(stone) && met.insert(near) {
                open.push(near);
            }
        }
    }
    met
}

/// The empty points beside stones.
fn liberties(arena: &Arena, stones: &BTreeSet<Point>) -> BTreeSet<Point> {
    let near = stones.iter().flat_map(|stone| arena.neighbours(*stone));
    near.filter(|near| arena.cell(*near) == Cell::Empty)
        .collect()
}

/// Pseudo-liberties counted anew; those of settled stones are the border's too.
fn recount(arena: &Arena, stones: &BTreeSet<Point>, settled: &[Option<Side>]) -> Chain {
    let mut chain = Chain::default();
    for stone in stones {
        let mut one = Chain::STONE;
        for near in arena.neighbours(*stone) {
            if arena.cell(near) == Cell::Empty {
                one.add(near);
            }
        }
        if settled[usize::from(*stone)].is_some() {
            one.add_times(0, 4 * Liberties::MAX as u16 + 1);
            one.add_times(1, 4 * Liberties::MAX as u16 + 1);
        }
        chain.absorb(one);
    }
    chain
}

/// Compares all that is kept with the cells.
fn check(arena: &Arena, board: &Board, settled: &[Option<Side>]) {
    let empty: BTreeSet<Point> = board
        .points()
        .filter(|point| arena.cell(*point) == Cell::Empty)
        .collect();
    assert_eq!(
        arena.empties().iter().copied().collect::<BTreeSet<_>>(),
        empty
    );
    assert_eq!(arena.empties().len(), empty.len());
    for point in board.points() {
        let s = arena.stride;
        let around = [
            point - s,
            point - 1,
            point + 1,
            point + s,
            point - s - 1,
            point - s + 1,
            point + s - 1,
            point + s + 1,
        ];
        let place = arena.now.places[point];
        for (direction, near) in around.iter().enumerate() {
            let bit = |mask: u8| mask >> direction & 1 == 1;
            let cell = arena.cell(*near);
            assert_eq!(arena.step(point, direction), *near);
            assert_eq!(arena.step(*near, opposite(direction)), point);
            assert_eq!(bit(place.border), cell == Cell::Border);
            assert_eq!(bit(place.stones[0]), cell == Cell::First);
            assert_eq!(bit(place.stones[1]), cell == Cell::Second);
        }
        let spaces: Vec<_> = arena
            .spaces_beside(point)
            .map(|at| flood(arena, at))
            .collect();
        for near in arena.empty_beside(point) {
            assert!(spaces.iter().any(|space| space.contains(&near)));
        }
        let Some(side) = arena.cell(point).side() else {
            check_empty(arena, point);
            continue;
        };
        let stones = flood(arena, point);
        assert_eq!(arena.chain(point).collect::<BTreeSet<_>>(), stones);
        assert_eq!(
            arena.now.chains[arena.head(point)],
            recount(arena, &stones, settled)
        );
        let libs = liberties(arena, &stones);
        let immortal = stones
            .iter()
            .any(|stone| settled[usize::from(*stone)].is_some());
        let only = libs.first().filter(|_| libs.len() == 1 && !immortal);
        assert_eq!(arena.atari(point), only.copied());
        assert_eq!(arena.is_in_atari(point), only.is_some());
        let found = arena.liberties(point);
        if immortal {
            assert_eq!(found.len(), Liberties::MAX);
            continue;
        }
        assert_eq!(found.len(), libs.len().min(Liberties::MAX));
        if found.len() < Liberties::MAX {
            assert!(found.as_slice().iter().all(|found| libs.contains(found)));
        }
        for first in libs.iter().take(3) {
            assert_eq!(arena.is_last_liberty(point, *first), libs.len() == 1);
            for second in libs.iter().take(3) {
                let besides = libs.iter().any(|near| near != first && near != second);
                assert_eq!(arena.has_liberty_besides(point, [*first, *second]), besides);
            }
        }
        assert_eq!(arena.owner(point), Some(side));
    }
}

/// The groups of a side's stones beside a point, those joined around a corner
/// being one.
fn groups(arena: &Arena, point: Point, side: Side) -> u8 {
    let s = arena.stride;
    let ring = [
        point - s - 1,
        point - s,
        point - s + 1,
        point + 1,
        point + s + 1,
        point + s,
        point + s - 1,
        point - 1,
    ];
    let is_own = |at: usize| arena.cell(ring[at % 8]) == Cell::stone(side);
    let starts = [1, 3, 5, 7].into_iter();
    starts
        .filter(|&at| is_own(at) && !(is_own(at + 7) && is_own(at + 6)))
        .count() as u8
}

/// Compares what is said about an empty point with its surroundings.
fn check_empty(arena: &Arena, point: Point) {
    let near = |cell| {
        arena
            .neighbours(point)
            .into_iter()
            .filter(move |&p| arena.cell(p) == cell)
    };
    assert_eq!(arena.is_open(point), near(Cell::Empty).next().is_some());
    assert_eq!(arena.empty_count(point), near(Cell::Empty).count());
    let space = flood(arena, point);
    let mut touches = [false; 2];
    for side in [Side::First, Side::Second] {
        let own = Cell::stone(side);
        assert_eq!(
            arena.groups(point)[side.index()],
            groups(arena, point, side)
        );
        let beside: Vec<Point> = near(own).collect();
        assert_eq!(arena.stones_beside(point, side).collect::<Vec<_>>(), beside);
        let mut around = space.iter().flat_map(|member| arena.neighbours(*member));
        touches[side.index()] = around.any(|near| arena.cell(near) == own);
        let is_legal = point != arena.ko
            && (arena.is_open(point)
                || near(own).any(|stone| arena.atari(stone).is_none())
                || near(Cell::stone(side.other())).any(|stone| arena.atari(stone).is_some()));
        assert_eq!(arena.is_legal(side, point), is_legal);
    }
    let small = space.len() <= shape::MAX_SPACE;
    let found = shape::empty_space(arena, point);
    assert_eq!(found.is_some(), small);
    if let Some(found) = found {
        assert_eq!(
            found.as_slice().iter().copied().collect::<BTreeSet<_>>(),
            space
        );
        assert_eq!(found.touches, touches);
    }
    let sole = small && touches[0] != touches[1];
    assert_eq!(shape::sole_space(arena, point).is_some(), sole);
}

/// The liberties of a move's chain, by making it.
fn check_after(arena: &Arena, side: Side, point: Point, settled: &[Option<Side>]) {
    let mut after = arena.clone();
    after.play(side, point);
    let stones = flood(&after, point);
    let immortal = stones
        .iter()
        .any(|stone| settled[usize::from(*stone)].is_some());
    let libs = if immortal {
        Liberties::MAX
    } else {
        liberties(&after, &stones).len()
    };
    let found = arena.liberties_after(side, point).len();
    assert_eq!(found, libs.min(Liberties::MAX));
    assert_eq!(arena.takes(side, point), !after.taken.is_empty());
    if after.taken.is_empty() {
        let only = (!immortal && libs == 1).then(|| liberties(&after, &stones).pop_first());
        assert_eq!(arena.atari_after(side, point), only.flatten());
    }
    if arena.is_roomy(side, point) {
        assert!(libs >= 2);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// On random games from random positions, corners of them settled.
    #[test]
    fn what_is_kept_is_what_recounting_finds(
        (columns, rows, seed) in (1u8..8, 1u8..8, any::<u64>()),
    ) {
        let mut random = Random::new(seed);
        let mut board = Board::new(columns, rows);
        let mut settled = vec![None; board.length()];
        if random.chance(128) {
            // A settled corner: its stones are there whatever the board says.
            let side = [Side::First, Side::Second][random.below(2)];
            for point in board.points() {
                let (x, y) = board.place(point);
                if x + y < 3 {
                    settled[usize::from(point)] = Some(side);
                }
            }
        }
        board.find_chains();
        let mut arena = Arena::default();
        arena.load(&board, &settled);
        check(&arena, &board, &settled);
        let start = arena.now.empties.clone();
        let mut side = Side::First;
        for _ in 0..80 {
            let legal: Vec<Point> = arena
                .empties()
                .iter()
                .copied()
                .filter(|point| arena.is_legal(side, *point))
                .collect();
            if legal.is_empty() {
                arena.pass();
            } else {
                let point = legal[random.below(legal.len())];
                check_after(&arena, side, point, &settled);
                arena.play(side, point);
            }
            check(&arena, &board, &settled);
            side = side.other();
        }
        arena.reset();
        prop_assert_eq!(arena.empties(), start.as_slice());
        check(&arena, &board, &settled);
    }
}
