//! What each group of stones adds to a count, and what is added besides.

use std::{cmp::Reverse, fmt::Write};

use super::grounds::grounds;
use crate::{
    game::go::{
        board::{Board, Cell, Point},
        judge::Last,
        point::vertex,
        replay::Replay,
        rules::Rules,
        score::{Convention, Counter},
    },
    outcome::{Points, Side},
};

/// A count, line by line: the lines of a side add up to its points.
pub(super) struct Sheet {
    groups: Vec<Group>,
    /// Whatever is no group's, for both sides.
    others: Vec<(&'static str, [Points; 2])>,
}

/// Connected points of one side: living stones and the territory between them;
/// or a chain that is dead.
struct Group {
    side: Side,
    /// Its first stone, row by row from the top left.
    at: Point,
    stones: u32,
    /// Points without a living stone.
    territory: u32,
    /// Dead stones of the opponent in it.
    taken: u32,
    points: Points,
    status: &'static str,
    /// How that was decided.
    grounds: String,
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
                let own = groups.iter().filter(|group| group.side == side);
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
        groups.extend(dead_chains(board, last));
        groups.sort_by_key(|group| {
            let is_dead = group.status == "dead";
            (group.side, is_dead, Reverse(group.stones), group.at)
        });
        Self { groups, others }
    }

    /// The points of both sides: the sums of the lines.
    pub(super) fn points(&self) -> [Points; 2] {
        let mut points = [Points::ZERO; 2];
        for group in &self.groups {
            points[group.side.index()] += group.points;
        }
        for (_, [first, second]) in &self.others {
            points[0] += *first;
            points[1] += *second;
        }
        points
    }

    pub(super) fn write(&self, board: &Board, text: &mut String) -> std::fmt::Result {
        let (_, rows) = board.size();
        let shown = |points: Points| match points {
            Points::ZERO => String::new(),
            _ => points.to_string(),
        };
        text.push_str("group             stones  territory  dead taken   black   white  status   decided by\n");
        for group in &self.groups {
            let at = vertex(board.place(group.at), rows);
            let mut points = [String::new(), String::new()];
            let word = match group.side {
                Side::First => "black",
                Side::Second => "white",
            };
            if group.status != "dead" {
                points[group.side.index()] = group.points.to_string();
            }
            writeln!(
                text,
                "{word} {at:<10}  {:>6}  {:>9}  {:>10}  {:>6}  {:>6}  {:<7}  {}",
                group.stones,
                group.territory,
                group.taken,
                points[0],
                points[1],
                group.status,
                group.grounds,
            )?;
        }
        for (what, points) in &self.others {
            let [black, white] = points.map(shown);
            let line = format!("{what:<16}  {:>29}  {black:>6}  {white:>6}", "");
            writeln!(text, "{}", line.trim_end())?;
        }
        let [black, white] = self.points();
        writeln!(
            text,
            "{:<16}  {:>29}  {:>6}  {:>6}",
            "together",
            "",
            black.to_string(),
            white.to_string()
        )
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
        let mut group = Group {
            side,
            at: start,
            stones: 0,
            territory: 0,
            taken: 0,
            points: Points::ZERO,
            status: "alive",
            grounds: String::new(),
        };
        let mut living = Vec::new();
        let mut in_seki = true;
        let mut first = None;
        open.push(start);
        while let Some(point) = open.pop() {
            let is_dead = last.dead.binary_search(&point).is_ok();
            if board.cell(point) == Cell::stone(side) && !is_dead {
                group.stones += 1;
                living.push(point);
                in_seki &= seki.binary_search(&point).is_ok();
                first = Some(first.map_or(point, |first: Point| first.min(point)));
                if last.unsure.contains(&point) {
                    group.status = "unclear";
                }
            } else {
                group.territory += 1;
                let is_prey = board.cell(point) == Cell::stone(side.other());
                group.taken += u32::from(is_prey && is_dead);
            }
            for near in board.neighbours(point) {
                if owners[usize::from(near)] == owner {
                    owners[usize::from(near)] = 0;
                    open.push(near);
                }
            }
        }
        group.at = first.unwrap_or(start);
        group.grounds = grounds(board, last, &living);
        if in_seki && first.is_some() && group.status == "alive" {
            group.status = "in seki";
        }
        let counted = if by_territory {
            group.taken
        } else {
            group.stones
        };
        group.points = Points::whole((group.territory + counted) as i32);
        groups.push(group);
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
        groups.push(Group {
            side,
            // The dead are in order.
            at: *stone,
            stones: u32::from(board.stones(*stone)),
            territory: 0,
            taken: 0,
            points: Points::ZERO,
            status: "dead",
            grounds: grounds(board, last, &board.chain(*stone).collect::<Vec<_>>()),
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
                assert_eq!(
                    sheet.points(),
                    expected,
                    "case {case}, {convention:?}, {rules}"
                );
            }
        }
        assert!(with_tax > 100 && with_dead > 1000, "{with_tax} {with_dead}");
    }
}
