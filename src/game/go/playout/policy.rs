//! Which move a playout plays next.
//!
//! First come replies to the last move: chains in atari are saved or captured,
//! chains with two liberties are helped or attacked where that decides, small
//! eye spaces are filled at their vital point. Then any acceptable move.

use super::{
    Arena, Random,
    shape::{empty_space, is_bad_self_atari, joins_at, sole_space},
};
use crate::{
    game::go::board::{Cell, Point},
    outcome::Side,
};

/// How often, out of 256, each kind of reply is looked for.
const ATARI: u64 = 240;
const SPACE: u64 = 230;
const TWO_LIBERTIES: u64 = 200;
const NEAR: u64 = 210;
/// How many playouts, out of 256, leave false eyes alone.
const PATIENT: u64 = 128;

/// A few candidate moves.
#[derive(Default)]
struct Moves {
    points: [Point; Moves::MAX],
    count: usize,
}

impl Moves {
    const MAX: usize = 16;

    fn add(&mut self, point: Point) {
        if self.count < Self::MAX {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    fn pick(&self, random: &mut Random) -> Option<Point> {
        (self.count > 0).then(|| self.points[random.below(self.count)])
    }
}

/// Where a playout stands, apart from the board.
pub(crate) struct Game {
    last: Option<Point>,
    /// Passes in a row.
    passes: u32,
    /// Whether false eyes are left alone in this playout.
    patient: bool,
}

impl Game {
    pub(crate) fn new(random: &mut Random) -> Self {
        Self {
            last: None,
            passes: 0,
            patient: random.chance(PATIENT),
        }
    }

    /// Plays a move or passes.
    fn advance(&mut self, arena: &mut Arena, side: Side, choice: Option<Point>) {
        if let Some(point) = choice {
            arena.play(side, point);
            self.passes = 0;
        } else {
            arena.pass();
            self.passes += 1;
        }
        self.last = choice;
    }
}

/// Plays a game on to its end: two passes, or a limit of moves. Returns how
/// many moves that took.
pub(crate) fn play_out(
    arena: &mut Arena,
    random: &mut Random,
    game: &mut Game,
    first: Side,
    limit: usize,
) -> usize {
    let mut side = first;
    let mut moves = 0;
    while game.passes < 2 && moves < limit {
        let choice = choose(arena, random, side, game);
        game.advance(arena, side, choice);
        side = side.other();
        moves += 1;
    }
    moves
}

/// The next move of a side; `None` is a pass.
fn choose(arena: &Arena, random: &mut Random, side: Side, game: &Game) -> Option<Point> {
    game.last
        .and_then(|last| reply(arena, random, side, last, game.patient))
        .or_else(|| any_move(arena, random, side, game.patient))
}

/// A reply to the last move. Each kind is skipped at times: playouts that
/// differ find out more than playouts that always answer alike.
fn reply(
    arena: &Arena,
    random: &mut Random,
    side: Side,
    last: Point,
    patient: bool,
) -> Option<Point> {
    let mut found = None;
    if random.chance(ATARI) {
        found = atari_reply(arena, random, side, last);
    }
    if found.is_none() && random.chance(SPACE) {
        found = space_reply(arena, side, last);
    }
    if found.is_none() && random.chance(TWO_LIBERTIES) {
        found = two_liberties_reply(arena, random, side, last);
    }
    if found.is_none() && random.chance(NEAR) {
        found = near_move(arena, random, side, last, patient);
    }
    found
}

/// Saves own chains that the last move put in atari, or captures its chain.
fn atari_reply(arena: &Arena, random: &mut Random, side: Side, last: Point) -> Option<Point> {
    let mut saves = Moves::default();
    for near in arena.ataris_beside(last, side) {
        if let Some(liberty) = arena.atari(near) {
            add_saves(arena, side, near, liberty, &mut saves);
        }
    }
    if let Some(point) = saves.pick(random) {
        return Some(point);
    }
    let liberty = arena.atari(last)?;
    can_play(arena, side, liberty).then_some(liberty)
}

fn can_play(arena: &Arena, side: Side, point: Point) -> bool {
    arena.is_legal(side, point)
}

/// Moves that save a chain in atari: captures beside it, or a running move.
fn add_saves(arena: &Arena, side: Side, chain: Point, liberty: Point, saves: &mut Moves) {
    add_captures_beside(arena, side, chain, saves);
    if can_play(arena, side, liberty) && runs(arena, side, liberty) {
        saves.add(liberty);
    }
}

/// Captures of enemy chains in atari beside a chain.
fn add_captures_beside(arena: &Arena, side: Side, chain: Point, saves: &mut Moves) {
    for member in arena.chain(chain) {
        for near in arena.stones_beside(member, side.other()) {
            if let Some(point) = arena.atari(near)
                && !saves.points[..saves.count].contains(&point)
                && can_play(arena, side, point)
            {
                saves.add(point);
            }
        }
    }
}

/// Whether a chain gets away by a move on its last liberty.
fn runs(arena: &Arena, side: Side, liberty: Point) -> bool {
    let after = arena.liberties_after(side, liberty);
    match *after.as_slice() {
        [_, _, _] => true,
        [one, two] => {
            holds(arena, side, one, two, liberty) && holds(arena, side, two, one, liberty)
        }
        _ => false,
    }
}

/// Whether a chain with two liberties survives an attack on the first by a move
/// on the second; `own` is a point about to be its own.
fn holds(arena: &Arena, side: Side, attacked: Point, answer: Point, own: Point) -> bool {
    let stone = Cell::stone(side);
    let enemy = Cell::stone(side.other());
    let mut free = 0;
    for near in arena.neighbours(answer) {
        let cell = arena.cell(near);
        if cell == Cell::Empty {
            free += usize::from(near != attacked && near != own);
        } else if cell == stone {
            let libs = arena.liberties(near);
            let others = libs
                .as_slice()
                .iter()
                .filter(|&&l| l != attacked && l != answer && l != own);
            free += others.count();
            if free >= 2 {
                return true;
            }
        } else if cell == enemy && arena.is_last_liberty(near, answer) {
            free += 2;
        }
    }
    free >= 2
}

/// Plays the vital point of a small empty space that the last move touched or
/// opened.
fn space_reply(arena: &Arena, side: Side, last: Point) -> Option<Point> {
    // What it took began with a stone beside it.
    for near in arena.spaces_beside(last) {
        if arena.is_open(near)
            && let Some(space) = empty_space(arena, near)
            && let Some(vital) = space.vital(arena, side)
            && can_play(arena, side, vital)
            && !is_bad_self_atari(arena, side, vital)
        {
            return Some(vital);
        }
    }
    None
}

/// Helps own chains beside the last move that one more move would catch, or
/// catches the chain of the last move.
fn two_liberties_reply(
    arena: &Arena,
    random: &mut Random,
    side: Side,
    last: Point,
) -> Option<Point> {
    let mut moves = Moves::default();
    for near in arena.stones_beside(last, side) {
        let Some([one, two]) = arena.two_liberties(near) else {
            continue;
        };
        if holds(arena, side, one, two, one) && holds(arena, side, two, one, two) {
            continue;
        }
        for point in [one, two] {
            if can_play(arena, side, point) && arena.liberties_after(side, point).len() > 2 {
                moves.add(point);
            }
        }
    }
    if let Some(point) = moves.pick(random) {
        return Some(point);
    }
    let [one, two] = arena.two_liberties(last)?;
    let enemy = side.other();
    for (attacked, answer) in [(one, two), (two, one)] {
        if !holds(arena, enemy, attacked, answer, attacked)
            && can_play(arena, side, attacked)
            && !is_bad_self_atari(arena, side, attacked)
        {
            moves.add(attacked);
        }
    }
    moves.pick(random)
}

/// A move beside the last one, by preference one that cuts or connects.
fn near_move(
    arena: &Arena,
    random: &mut Random,
    side: Side,
    last: Point,
    patient: bool,
) -> Option<Point> {
    let mut contacts = Moves::default();
    for near in arena.empty_around(last) {
        if is_contact(arena, side, near)
            && arena.is_legal(side, near)
            && !is_bad_self_atari(arena, side, near)
        {
            contacts.add(near);
        }
    }
    contacts.pick(random).or_else(|| {
        let mut others = Moves::default();
        for near in arena.empty_around(last) {
            if !is_contact(arena, side, near)
                && let Some(point) = accept(arena, side, near, patient)
            {
                others.add(point);
            }
        }
        others.pick(random)
    })
}

/// Whether a point separates or joins stones: two groups of one colour and one
/// of the other are beside it, those joined around a corner being one.
fn is_contact(arena: &Arena, side: Side, point: Point) -> bool {
    let groups = arena.groups(point);
    let (own, enemy) = (groups[side.index()], groups[side.other().index()]);
    own.min(enemy) >= 1 && own.max(enemy) >= 2
}

/// The first acceptable move from a random place in the list of empty points,
/// else a false eye that must be filled.
fn any_move(arena: &Arena, random: &mut Random, side: Side, patient: bool) -> Option<Point> {
    let empties = arena.empties();
    if empties.is_empty() {
        return None;
    }
    let start = random.below(empties.len());
    let (before, after) = empties.split_at(start);
    for &point in after.iter().chain(before) {
        if let Some(choice) = accept(arena, side, point, patient) {
            return Some(choice);
        }
    }
    if patient {
        // Before passing.
        let joins = |point: &&Point| joins_at(arena, side, **point);
        return after.iter().chain(before).find(joins).copied();
    }
    None
}

/// A move on a point, or on the vital point of the small space it is in; `None`
/// where it would make no sense.
fn accept(arena: &Arena, side: Side, point: Point, patient: bool) -> Option<Point> {
    if arena.is_eye(side, point, patient) || !arena.is_legal(side, point) {
        return None;
    }
    let mut choice = point;
    if arena.is_open(point)
        && let Some(space) = sole_space(arena, point)
    {
        let centre = space.centre(arena, point);
        if can_play(arena, side, centre) {
            choice = centre;
        }
    }
    (!is_bad_self_atari(arena, side, choice)).then_some(choice)
}
