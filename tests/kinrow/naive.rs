//! The forbidden moves of renju a second time, as slowly as the definitions
//! read: fours and threes are sets of stones, found by trying every row of
//! five points through the move.

use std::collections::BTreeSet;

use kifu::{
    game::kinrow::{Board, FiveEye, Point, Shape, shape},
    outcome::Side,
};

const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// A point as row and column, on the board or off it.
type At = (i32, i32);

/// A board as rows of `X`, `O` and `.`.
#[derive(Clone)]
pub(super) struct Naive {
    rows: Vec<Vec<char>>,
}

impl Naive {
    pub(super) fn new(rows: &[impl AsRef<str>]) -> Self {
        let chars = |row: &str| row.chars().collect();
        Self {
            rows: rows.iter().map(|row| chars(row.as_ref())).collect(),
        }
    }

    /// What stands on a point; `#` off the board.
    fn get(&self, (row, column): At) -> char {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        let cell = row.zip(usize::try_from(column).ok());
        cell.and_then(|(row, column)| row.get(column).copied())
            .unwrap_or('#')
    }

    pub(super) fn set(&mut self, (row, column): At, stone: char) {
        self.rows[row as usize][column as usize] = stone;
    }

    pub(super) fn empty(&self) -> Vec<At> {
        let high = self.rows.len() as i32;
        let wide = self.rows[0].len() as i32;
        let all = (0..high).flat_map(|row| (0..wide).map(move |column| (row, column)));
        all.filter(|at| self.get(*at) == '.').collect()
    }

    /// How many stones of Black are in an unbroken row with one that stands.
    fn row_length(&self, at: At, direction: At) -> usize {
        let ray = |sign: i32| {
            (1..)
                .take_while(|steps| self.get(step(at, direction, sign * steps)) == 'X')
                .count()
        };
        1 + ray(1) + ray(-1)
    }

    /// The length of the row in every direction with a stone of Black added.
    fn lengths_with(&mut self, at: At) -> [usize; 4] {
        self.set(at, 'X');
        let lengths = DIRECTIONS.map(|direction| self.row_length(at, direction));
        self.set(at, '.');
        lengths
    }

    /// Whether a stone of Black makes exactly five in a direction.
    fn is_five(&mut self, at: At, direction: At) -> bool {
        if self.get(at) != '.' {
            return false;
        }
        self.set(at, 'X');
        let length = self.row_length(at, direction);
        self.set(at, '.');
        length == 5
    }

    /// The stones of Black on some points of a line and the one point among them
    /// without a stone, where there is just one.
    fn all_but_one(&self, at: At, direction: At, first: i32, count: i32) -> Option<(Vec<At>, At)> {
        let points = || (first..first + count).map(|steps| step(at, direction, steps));
        let mut others = points().filter(|point| self.get(*point) != 'X');
        let added = others.next().filter(|added| self.get(*added) == '.')?;
        let stones = || points().filter(|point| *point != added).collect();
        others.next().is_none().then(|| (stones(), added))
    }

    /// The fours with a stone: sets of four stones to which one can be added to
    /// make a five of them and it.
    fn fours(&mut self, at: At, direction: At) -> BTreeSet<Vec<At>> {
        let mut fours = BTreeSet::new();
        for first in -4..=0 {
            let Some((stones, added)) = self.all_but_one(at, direction, first, 5) else {
                continue;
            };
            if self.is_five(added, direction) {
                fours.insert(stones);
            }
        }
        fours
    }

    /// The threes with a stone, whatever Black may not play: sets of three stones,
    /// each with the points that would make a straight four of them.
    fn threes(&mut self, at: At, direction: At) -> Vec<(Vec<At>, At)> {
        let mut threes = Vec::new();
        for first in -3..=0 {
            let Some((stones, added)) = self.all_but_one(at, direction, first, 4) else {
                continue;
            };
            self.set(added, 'X');
            let straight = [first - 1, first + 4]
                .into_iter()
                .all(|end| self.is_five(step(at, direction, end), direction));
            self.set(added, '.');
            if straight {
                threes.push((stones, added));
            }
        }
        threes
    }

    /// What Black's stone on an empty point makes.
    pub(super) fn judge(&mut self, at: At, five_eye: FiveEye) -> Shape {
        let lengths = self.lengths_with(at);
        if lengths.contains(&5) {
            return Shape::Five;
        }
        if lengths.iter().any(|length| *length > 5) {
            return Shape::Overline;
        }
        self.set(at, 'X');
        let shape = self.judge_standing(at, five_eye);
        self.set(at, '.');
        shape
    }

    fn judge_standing(&mut self, at: At, five_eye: FiveEye) -> Shape {
        let fours: usize = DIRECTIONS
            .into_iter()
            .map(|direction| self.fours(at, direction).len())
            .sum();
        if fours >= 2 {
            return Shape::DoubleFour;
        }
        let candidates: Vec<(Vec<At>, At)> = DIRECTIONS
            .into_iter()
            .flat_map(|direction| self.threes(at, direction))
            .collect();
        let mut threes = BTreeSet::new();
        for (stones, added) in candidates {
            let counts = match self.judge(added, five_eye) {
                Shape::Plain => true,
                Shape::Five => five_eye == FiveEye::Counts,
                _ => false,
            };
            if counts {
                threes.insert(stones);
            }
        }
        match threes.len() {
            0 | 1 => Shape::Plain,
            _ => Shape::DoubleThree,
        }
    }
}

fn step((row, column): At, (down, right): At, steps: i32) -> At {
    (row + down * steps, column + right * steps)
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// A board of random stones, all over it or around some points, and more of
/// Black than of White; some have lines that would have ended a game.
fn random_board(random: &mut Random) -> Vec<String> {
    let size = [15, 15, 15, 15, 15, 15, 15, 10, 19, 20][random.below(10)];
    let mut rows = vec![vec!['.'; size]; size];
    let share = [6, 8, 10, 14, 20, 30][random.below(6)];
    let black = size * size * share / 100;
    let white = black * [0, 1, 2, 3, 5][random.below(5)] / 6;
    // A spread as large as the board is none.
    let spread = [size, size, 4, 3][random.below(4)];
    let middles: Vec<[usize; 2]> = (0..3)
        .map(|_| [random.below(size), random.below(size)])
        .collect();
    for (stone, count) in [('X', black), ('O', white)] {
        for _ in 0..count {
            let middle = middles[random.below(3)];
            let [row, column] = middle.map(|at| {
                let at = at + random.below(2 * spread + 1);
                (at + size - spread.min(size)) % size
            });
            rows[row][column] = stone;
        }
    }
    rows.into_iter()
        .map(|row| row.into_iter().collect())
        .collect()
}

/// The board of the program.
pub(super) fn board(rows: &[impl AsRef<str>]) -> Board {
    let mut board = Board::new(rows[0].as_ref().len() as u8, rows.len() as u8);
    for (row, text) in (0..).zip(rows) {
        for (column, sign) in (0..).zip(text.as_ref().chars()) {
            match sign {
                'X' => board.put(Side::First, Point { row, column }),
                'O' => board.put(Side::Second, Point { row, column }),
                _ => {}
            }
        }
    }
    board
}

/// How many points of each shape both judges have found.
#[derive(Debug, Default)]
struct Tally {
    points: u64,
    shapes: [u64; 5],
    /// Points that the readings of a three tell apart.
    readings: u64,
}

/// Judges one empty point in so many of some random boards both ways.
fn compare(seed: u64, boards: usize, one_in: usize) -> Tally {
    let mut random = Random(seed);
    let mut tally = Tally::default();
    for number in 0..boards {
        let rows = random_board(&mut random);
        let mut naive = Naive::new(&rows);
        let mut fast = board(&rows);
        let skipped = random.below(one_in);
        for at in naive.empty().into_iter().skip(skipped).step_by(one_in) {
            let point = Point {
                row: at.0 as u8,
                column: at.1 as u8,
            };
            let [rif, counts] = [FiveEye::Rif, FiveEye::Counts].map(|five_eye| {
                let found = shape(&mut fast, point, five_eye);
                let expected = naive.judge(at, five_eye);
                assert_eq!(
                    found,
                    expected,
                    "board {number} of seed {seed}, {five_eye:?}, {point:?}:\n{}",
                    rows.join("\n")
                );
                found
            });
            tally.points += 1;
            tally.shapes[rif as usize] += 1;
            tally.readings += u64::from(rif != counts);
        }
    }
    tally
}

#[test]
fn random_boards_are_judged_alike() {
    let tally = compare(20_261_130, 20_000, 4);
    println!("{tally:?}");
    // The boards are such that everything happens, and often.
    assert!(tally.shapes.iter().all(|count| *count > 2_000), "{tally:?}");
    assert!(tally.readings > 100, "{tally:?}");
}

/// Run by `scripts/renju_boards.sh`.
#[test]
#[ignore = "takes minutes"]
fn many_random_boards_are_judged_alike() {
    let number = |name: &str, otherwise: u64| {
        let text = std::env::var(name).ok();
        text.map_or(otherwise, |text| text.parse().expect(name))
    };
    let boards = number("KIFU_RENJU_BOARDS", 1_000_000);
    let tally = compare(number("KIFU_RENJU_SEED", 1), boards as usize, 1);
    println!("{boards} boards: {tally:?}");
}
