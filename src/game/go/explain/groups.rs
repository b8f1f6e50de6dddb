//! What each group of stones adds to a count, and what is added besides.

use std::cmp::Reverse;

use super::draw::chain;
use crate::{
    game::{
        Chain, Fate, Group,
        go::{
            board::{Board, Cell, Point},
            judge::Last,
            replay::Replay,
            rules::Rules,
            score::{Convention, Counter},
        },
    },
    outcome::{Points, Side},
};

/// A count, line by line: the lines of a side add up to its points.
pub(super) struct Sheet {
    groups: Vec<Group>,
    /// Whatever is no group's, for both sides.
    others: Vec<(&'static str, [Points; 2])>,
    /// The stones of groups in seki, ascending.
    pub(super) seki: Vec<Point>,
}

impl Sheet {
    /// Counts the position judged last by a convention, and leaves the counter
    /// with that count.
    pub(super) fn of(
        replay: &Replay,
        counter: &mut Counter,
        last: &Last,
        used: Convention,
        rules: &Rules,
    ) -> Self {
        let board = &replay.board;
        let play = replay.play_for(rules);
        // For what it finds of seki; what is counted comes after it.
        let strict = Convention::TerritoryStrict;
        counter.count(board, &last.dead, strict, rules, play);
        let seki = counter.seki(board);
        let counted = counter.count(board, &last.dead, used, rules, play);
        let by_territory = used.is_territory();
        let mut owners = vec![0; board.length()];
        for (point, owner) in board.points().zip(counter.owner()) {
            owners[usize::from(point)] = owner;
        }
        let mut groups = pieces(board, &mut owners, last, &seki, by_territory);
        let whole = |points: [u32; 2]| points.map(|points| Points::whole(points as i32));
        let mut others = Vec::new();
        let mut add = |what, points: [Points; 2]| {
            if points != [Points::ZERO; 2] {
                others.push((what, points));
            }
        };
        if by_territory {
            // Those in a place that is nobody's were taken all the same.
            let inside = |side: Side| -> u32 {
                let own = groups.iter().filter(|group| group.chain.side == side);
                own.map(|group| group.taken).sum()
            };
            let elsewhere = [
                counted.dead[1] - inside(Side::First),
                counted.dead[0] - inside(Side::Second),
            ];
            add("dead elsewhere", whole(elsewhere));
            let taken = [Side::First, Side::Second].map(|side| board.prisoners(side));
            add("prisoners", whole(taken));
            if rules.pass_stones {
                add("pass stones", whole([play.passes[1], play.passes[0]]));
            }
        }
        add("dame filled", whole(counted.dame));
        if used == Convention::TerritoryFinished {
            add("playing on", counter.gains());
        }
        add("tax", whole(counted.tax).map(|tax| -tax));
        let komi = rules.compensation(last.komi, 0, None);
        let with_bonus = rules.compensation(last.komi, last.handicap, None);
        let all = rules.compensation(last.komi, last.handicap, replay.first_pass);
        let more = |more: [Points; 2], than: [Points; 2]| [more[0] - than[0], more[1] - than[1]];
        add("komi", komi);
        add("handicap bonus", more(with_bonus, komi));
        add("button", more(all, with_bonus));
        let in_seki = groups.iter().filter(|group| group.chain.fate == Fate::Seki);
        let in_seki = in_seki.flat_map(|group| &group.chain.stones);
        let mut seki: Vec<Point> = in_seki.map(|(x, y)| board.point(*x, *y)).collect();
        seki.sort_unstable();
        groups.extend(dead_chains(board, last));
        groups.sort_by_key(|group| {
            let Chain { side, fate, at, .. } = group.chain;
            let stones = Reverse(group.chain.stones.len());
            (side, fate == Fate::Dead, stones, (at.1, at.0))
        });
        Self {
            groups,
            others,
            seki,
        }
    }

    /// The groups, and whatever is added besides.
    pub(super) fn into_parts(self) -> (Vec<Group>, Vec<(&'static str, [Points; 2])>) {
        (self.groups, self.others)
    }
}

/// The connected pieces of points with an owner, which are used up.
fn pieces(
    board: &Board,
    owners: &mut [i8],
    last: &Last,
    seki: &[Point],
    by_territory: bool,
) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut open = Vec::new();
    for start in board.points() {
        let owner = std::mem::take(&mut owners[usize::from(start)]);
        let side = match owner {
            1 => Side::First,
            -1 => Side::Second,
            _ => continue,
        };
        let (mut territory, mut taken) = (0, 0);
        let mut living = Vec::new();
        let mut in_seki = true;
        let mut unclear = false;
        open.push(start);
        while let Some(point) = open.pop() {
            let is_dead = last.dead.binary_search(&point).is_ok();
            if board.cell(point) == Cell::stone(side) && !is_dead {
                living.push(point);
                in_seki &= seki.binary_search(&point).is_ok();
                unclear |= last.unsure.contains(&point);
            } else {
                territory += 1;
                let is_prey = board.cell(point) == Cell::stone(side.other());
                taken += u32::from(is_prey && is_dead);
            }
            for near in board.neighbours(point) {
                if owners[usize::from(near)] == owner {
                    owners[usize::from(near)] = 0;
                    open.push(near);
                }
            }
        }
        let fate = match () {
            () if unclear => Fate::Unclear,
            () if in_seki && !living.is_empty() => Fate::Seki,
            () => Fate::Alive,
        };
        let counted = if by_territory {
            taken
        } else {
            living.len() as u32
        };
        let mut chain = chain(board, last, side, fate, living);
        if chain.stones.is_empty() {
            chain.at = board.place(start);
        }
        groups.push(Group {
            chain,
            territory,
            taken,
            points: Points::whole((territory + counted) as i32),
        });
    }
    groups
}

/// Dead chains, which add nothing to their own side.
fn dead_chains(board: &Board, last: &Last) -> Vec<Group> {
    let mut heads = Vec::new();
    let mut groups = Vec::new();
    for stone in &last.dead {
        let head = board.head(*stone);
        let Some(side) = board.cell(*stone).side().filter(|_| !heads.contains(&head)) else {
            continue;
        };
        heads.push(head);
        let stones = board.chain(*stone).collect();
        groups.push(Group {
            chain: chain(board, last, side, Fate::Dead, stones),
            territory: 0,
            taken: 0,
            points: Points::ZERO,
        });
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::go::{
        rules::{Life, Tax},
        score::Counted,
    };

    /// splitmix64 (Steele, Lea, Flood 2014)
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = *state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Any stones, any of them dead, under any rules: the lines add up to what
    /// the counter counts.
    #[test]
    fn lines_add_up_on_random_boards() {
        let mut state = 1;
        let mut counter = Counter::new();
        let (mut with_tax, mut with_dead) = (0, 0);
        for case in 0..3000 {
            let mut any = |below: u64| random(&mut state) % below;
            let (columns, rows) = (1 + any(13) as u8, 1 + any(13) as u8);
            let mut replay = Replay::new();
            replay.board = Board::new(columns, rows);
            let mut dead = Vec::new();
            for point in replay.board.points() {
                let side = match any(5) {
                    0 | 1 => Side::First,
                    2 => Side::Second,
                    _ => continue,
                };
                replay.board.edit(point, Some(side));
                if any(6) == 0 {
                    dead.push(point);
                }
            }
            with_dead += u32::from(!dead.is_empty());
            replay.board.find_chains();
            replay.board.set_prisoners([any(9) as u32, any(9) as u32]);
            replay.passes = [any(3) as u32, any(3) as u32];
            replay.to_move = [None, Some(Side::First), Some(Side::Second)][any(3) as usize];
            replay.first_pass = [None, Some(Side::First), Some(Side::Second)][any(3) as usize];
            let rules = Rules {
                button: any(2) == 0,
                pass_stones: any(2) == 0,
                life: Life::ALL[usize::from(any(4) == 0)],
                tax: Tax::ALL[any(3) as usize],
                ..super::super::super::rules::CHINESE
            };
            let last = Last {
                rules: Some(rules),
                komi: Points::quarters(any(40) as i32 - 8),
                handicap: any(10) as u32,
                unsure: dead.iter().copied().take(1).collect(),
                dead,
                ..Last::default()
            };
            counter.set_gains([any(4), any(4)].map(|gain| Points::whole(gain as i32)));
            let added = rules.compensation(last.komi, last.handicap, replay.first_pass);
            for convention in Convention::ALL {
                let sheet = Sheet::of(&replay, &mut counter, &last, *convention, &rules);
                let counted: Counted = counter.count(
                    &replay.board,
                    &last.dead,
                    *convention,
                    &rules,
                    replay.play_for(&rules),
                );
                with_tax += u32::from(counted.tax != [0; 2]);
                let expected = [0, 1].map(|side| counted.points[side] + added[side]);
                let (groups, others) = sheet.into_parts();
                let sum = |side: usize| {
                    let mut sum = Points::ZERO;
                    let own = groups.iter().filter(|it| it.chain.side.index() == side);
                    own.for_each(|group| sum += group.points);
                    others.iter().for_each(|(_, points)| sum += points[side]);
                    sum
                };
                assert_eq!(
                    [sum(0), sum(1)],
                    expected,
                    "case {case}, {convention:?}, {rules}"
                );
            }
        }
        assert!(with_tax > 100 && with_dead > 1000, "{with_tax} {with_dead}");
    }
}
