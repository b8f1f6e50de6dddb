//! The board against the plainest one that can be written.

use std::collections::{BTreeSet, HashMap};

use kifu::{
    game::go::{Board, Cell, Illegal, Point},
    outcome::Side,
};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{cases, side};

/// A board that finds everything anew by flood fill.
struct Plain {
    columns: usize,
    rows: usize,
    stones: Vec<Option<Side>>,
    ko: Option<usize>,
    prisoners: [u32; 2],
}

impl Plain {
    fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            rows,
            stones: vec![None; columns * rows],
            ko: None,
            prisoners: [0; 2],
        }
    }

    fn neighbours(&self, at: usize) -> Vec<usize> {
        let (column, row) = (at % self.columns, at / self.columns);
        let mut near = Vec::new();
        if row > 0 {
            near.push(at - self.columns);
        }
        if column > 0 {
            near.push(at - 1);
        }
        if column + 1 < self.columns {
            near.push(at + 1);
        }
        if row + 1 < self.rows {
            near.push(at + self.columns);
        }
        near
    }

    /// The stones and the liberties of the chain of a stone.
    fn chain(&self, at: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut chain, mut liberties) = (BTreeSet::from([at]), BTreeSet::new());
        let mut open = vec![at];
        while let Some(stone) = open.pop() {
            for near in self.neighbours(stone) {
                if self.stones[near].is_none() {
                    liberties.insert(near);
                } else if self.stones[near] == self.stones[at] && chain.insert(near) {
                    open.push(near);
                }
            }
        }
        (chain, liberties)
    }

    /// Takes a chain without liberties off; how many stones it had.
    fn take(&mut self, at: usize) -> u16 {
        let (chain, liberties) = self.chain(at);
        let Some(side) = self.stones[at].filter(|_| liberties.is_empty()) else {
            return 0;
        };
        for stone in &chain {
            self.stones[*stone] = None;
        }
        self.prisoners[side.other().index()] += chain.len() as u32;
        chain.len() as u16
    }

    /// Stones captured and stones suicided, or why not.
    fn play(&mut self, side: Side, at: usize, suicide: bool) -> Result<(u16, u16), Illegal> {
        if self.stones[at].is_some() {
            return Err(Illegal::Occupied);
        }
        if self.ko == Some(at) {
            return Err(Illegal::Ko);
        }
        let before = (self.stones.clone(), self.prisoners);
        self.stones[at] = Some(side);
        let (mut captured, mut taken) = (0, at);
        for near in self.neighbours(at) {
            if self.stones[near] == Some(side.other()) {
                let stones = self.take(near);
                captured += stones;
                if stones > 0 {
                    taken = near;
                }
            }
        }
        let (chain, liberties) = self.chain(at);
        if liberties.is_empty() {
            if chain.len() == 1 || !suicide {
                (self.stones, self.prisoners) = before;
                return Err(Illegal::Suicide);
            }
            self.ko = None;
            return Ok((captured, self.take(at)));
        }
        let is_ko = captured == 1 && chain.len() == 1 && liberties.len() == 1;
        self.ko = is_ko.then_some(taken);
        Ok((captured, 0))
    }
}

/// Holds that a board shows what the plain one does.
fn assert_same(board: &Board, plain: &Plain, points: &[Point]) {
    let index: HashMap<Point, usize> = points.iter().copied().zip(0..).collect();
    for (at, point) in points.iter().enumerate() {
        assert_eq!(board.cell(*point).side(), plain.stones[at]);
        if plain.stones[at].is_none() {
            assert_eq!(board.cell(*point), Cell::Empty);
            continue;
        }
        let (chain, liberties) = plain.chain(at);
        let stones: Vec<usize> = board.chain(*point).map(|stone| index[&stone]).collect();
        assert_eq!(stones.len(), chain.len(), "each stone once");
        assert_eq!(stones.into_iter().collect::<BTreeSet<_>>(), chain);
        assert_eq!(usize::from(board.stones(*point)), chain.len());
        assert!(chain.contains(&index[&board.head(*point)]));
        for stone in &chain {
            assert_eq!(board.head(points[*stone]), board.head(*point));
        }
        assert_eq!(board.liberties(*point, usize::MAX), liberties.len());
        assert_eq!(board.liberties(*point, 2), liberties.len().min(2));
        assert_eq!(board.is_captured(*point), liberties.is_empty());
    }
    assert_eq!(board.ko(), plain.ko.map(|at| points[at]));
    let prisoners = [Side::First, Side::Second].map(|side| board.prisoners(side));
    assert_eq!(prisoners, plain.prisoners);
}

/// What is done to a board.
#[derive(Clone, Copy, Debug)]
enum Act {
    Play(Side, usize),
    Pass,
    Edit(Option<Side>, usize),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        60 => (side(), any::<usize>()).prop_map(|(side, at)| Act::Play(side, at)),
        1 => Just(Act::Pass),
        1 => (proptest::option::of(side()), any::<usize>())
            .prop_map(|(stone, at)| Act::Edit(stone, at)),
    ]
}

/// Columns and rows: mostly small, where captures and kos abound.
fn size() -> impl Strategy<Value = (u8, u8)> {
    prop_oneof![
        8 => (1..=6u8, 1..=6u8),
        2 => (1..=19u8, 1..=19u8),
        1 => select(&[(52, 52), (1, 52), (52, 3), (37, 25)]),
    ]
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_board_is_what_flood_fill_says(
        (columns, rows) in size(),
        suicide in any::<bool>(),
        acts in vec(act(), 0..150),
    ) {
        let mut board = Board::new(columns, rows);
        let mut plain = Plain::new(columns.into(), rows.into());
        let points: Vec<Point> = board.points().collect();
        // The same stones have the same hash, and no others have.
        let mut hashes = HashMap::from([(plain.stones.clone(), board.hash())]);
        let mut positions = HashMap::from([(board.hash(), plain.stones.clone())]);
        for (turn, act) in acts.into_iter().enumerate() {
            match act {
                Act::Play(side, at) => {
                    let at = at % points.len();
                    let played = board.play(side, points[at], suicide);
                    let expected = plain.play(side, at, suicide);
                    let played = played.map(|played| (played.captured, played.suicided));
                    prop_assert_eq!(played, expected);
                }
                Act::Pass => {
                    board.pass();
                    plain.ko = None;
                }
                Act::Edit(stone, at) => {
                    let at = at % points.len();
                    board.edit(points[at], stone);
                    plain.stones[at] = stone;
                    plain.ko = None;
                }
            }
            // Large boards are looked at less often: it is slow.
            if points.len() <= 36 || turn.is_multiple_of(10) {
                board.find_chains();
                assert_same(&board, &plain, &points);
            }
            let hash = *hashes.entry(plain.stones.clone()).or_insert(board.hash());
            prop_assert_eq!(hash, board.hash(), "equal stones, equal hash");
            let stones = positions.entry(hash).or_insert_with(|| plain.stones.clone());
            prop_assert_eq!(&*stones, &plain.stones, "equal hash, equal stones");
        }
        board.find_chains();
        assert_same(&board, &plain, &points);
        let used = board.clone();
        board.clear();
        assert_same(&board, &Plain::new(columns.into(), rows.into()), &points);
        prop_assert_eq!(board.hash(), Board::new(columns, rows).hash());
        assert_same(&used, &plain, &points);
    }
}
