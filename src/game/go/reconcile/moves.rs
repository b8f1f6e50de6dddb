//! Moves that the record lacks: neutral points, last moves, a ko.

use super::Case;
use crate::{
    game::go::{
        board::{Board, Cell, Point},
        explain::lead_words,
        point::vertex,
        score::Convention,
    },
    outcome::{Points, Side},
};

/// So many points of nobody are played out, and so many moves are tried.
const MAX_MOVES: usize = 64;

/// So many kos are looked at.
const MAX_KOS: usize = 8;

/// One move is worth no more points than this.
const MOST_POINTS: Points = Points::whole(4);

impl Case<'_> {
    /// What the player to move could still play, and what comes of it.
    pub(super) fn last_moves(&mut self) {
        let Some(side) = self.replay.to_move else {
            return;
        };
        let off = (self.claimed - self.found).abs();
        if off > MOST_POINTS || !off.is_whole() {
            return;
        }
        let neutral = self.neutral();
        if let Some(at) = self.one_more(side) {
            let (_, rows) = self.replay.board.size();
            self.add("last_move", vertex(self.replay.board.place(at), rows));
        }
        if (1..=MAX_MOVES).contains(&neutral.len()) {
            let (board, dead, next) = self.play_out(side, &neutral);
            if self.fits(&board, &dead, None, Some(next)) {
                self.add("dame", neutral.len().to_string());
            }
        }
        // Each pass hands a prisoner over, and the last one is often not written.
        if self.rules.pass_stones && self.used.is_territory() && off == Points::whole(1) {
            self.reasons.push(crate::game::Reason::new("last_pass"));
        }
    }

    /// Empty points that both sides reach.
    fn neutral(&mut self) -> Vec<Point> {
        let board = &self.replay.board;
        let rules = self.rules;
        self.again(Convention::TerritoryFlood, &rules);
        let owned = board.points().zip(self.counter.owner());
        let neutral = owned.filter(|(at, owner)| *owner == 0 && board.cell(*at) == Cell::Empty);
        neutral.map(|(at, _)| at).collect()
    }

    /// A move of one side that gives the claimed margin: it takes the last
    /// liberty of a living chain.
    fn one_more(&mut self, side: Side) -> Option<Point> {
        let board = &self.replay.board;
        let mut tried: Vec<Point> = in_atari(board, &self.last.dead)
            .map(|(_, liberty)| liberty)
            .take(MAX_MOVES)
            .collect();
        tried.sort_unstable();
        tried.dedup();
        let filler = self.filler().map(Side::other);
        tried.into_iter().find(|at| {
            let mut board = board.clone();
            board.play(side, *at, false).is_ok() && {
                let dead = still_there(&board, &self.last.dead);
                self.fits(&board, &dead, filler, Some(side.other()))
            }
        })
    }

    /// Plays neutral points in turn; who is put in atari by that connects. With
    /// the dead stones left, and who is to move.
    fn play_out(&mut self, first: Side, neutral: &[Point]) -> (Board, Vec<Point>, Side) {
        let mut board = self.replay.board.clone();
        let mut side = first;
        let mut passes = 0;
        for _ in 0..3 * MAX_MOVES {
            board.find_chains();
            let saved = in_atari(&board, &self.last.dead).find_map(|(stone, liberty)| {
                let own = board.cell(stone) == Cell::stone(side);
                own.then(|| safely(&board, side, liberty)).flatten()
            });
            let played = saved.or_else(|| {
                let mut open = neutral.iter();
                open.find_map(|at| safely(&board, side, *at))
            });
            match played {
                Some(after) => {
                    board = after;
                    passes = 0;
                }
                None if passes == 1 => break,
                None => {
                    board.pass();
                    passes += 1;
                }
            }
            side = side.other();
        }
        board.find_chains();
        let dead = still_there(&board, &self.last.dead);
        (board, dead, side)
    }

    /// Kos on the board that nobody has filled: both margins of each, where
    /// `is_told` them and whether the last move took it.
    pub(super) fn open_kos(&mut self, is_told: impl Fn([Points; 2], bool) -> bool) {
        let board = &self.replay.board;
        let is_dead = |stone: &Point| self.last.dead.binary_search(stone).is_ok();
        let kos: Vec<_> = board
            .points()
            .filter_map(|at| ko_at(board, at))
            .filter(|ko| {
                let near = board.neighbours(ko.open).into_iter();
                let near = near.chain(board.neighbours(ko.taken));
                !near.chain([ko.taken]).any(|stone| is_dead(&stone))
            })
            .take(MAX_KOS)
            .collect();
        let filler = self.filler();
        for ko in kos {
            let ends = [ko.taker, ko.taker.other()].map(|winner| {
                let mut board = board.clone();
                // The ban on taking back is over after a move elsewhere.
                board.pass();
                let _ = board.play(winner, ko.open, false);
                if winner == ko.taker {
                    let _ = board.play(winner, ko.taken, false);
                }
                self.margin(&board, &self.last.dead, filler, self.replay.to_move)
            });
            if is_told(ends, board.ko() == Some(ko.open)) {
                let [black, white] = match ko.taker {
                    Side::First => ends,
                    Side::Second => [ends[1], ends[0]],
                };
                let at = vertex(board.place(ko.open), board.size().1);
                self.add(
                    "ko",
                    format!("{}|{}@{at}", lead_words(black), lead_words(white)),
                );
            }
        }
    }
}

/// A stone that can be taken by a move that could be taken back.
struct Ko {
    /// Where the taking move goes.
    open: Point,
    /// The stone it takes.
    taken: Point,
    /// Who takes.
    taker: Side,
}

/// The ko that a move to a point would start.
fn ko_at(board: &Board, open: Point) -> Option<Ko> {
    if board.cell(open) != Cell::Empty {
        return None;
    }
    // All around it are stones of one side.
    let is_held = |around: Point, by: Side, but: Point| {
        board.neighbours(around).iter().all(|near| {
            let cell = board.cell(*near);
            *near == but || cell == Cell::Border || cell == Cell::stone(by)
        })
    };
    let near = board.neighbours(open);
    let owner = near.iter().find_map(|near| board.cell(*near).side())?;
    let taken = near.into_iter().filter(|near| {
        board.cell(*near) == Cell::stone(owner) && is_held(*near, owner.other(), open)
    });
    let mut taken = taken.filter(|_| is_held(open, owner, 0));
    let first = taken.next()?;
    // Two stones taken at once cannot be taken back.
    taken.next().is_none().then_some(Ko {
        open,
        taken: first,
        taker: owner.other(),
    })
}

/// Living chains with one liberty: a stone of each, and the liberty.
fn in_atari<'b>(
    board: &'b Board,
    dead: &'b [Point],
) -> impl Iterator<Item = (Point, Point)> + use<'b> {
    let heads = board.points().filter(move |at| {
        let is_stone = board.cell(*at).side().is_some();
        is_stone && dead.binary_search(at).is_err() && board.head(*at) == *at
    });
    heads.filter_map(move |head| {
        let near = board.chain(head).flat_map(|stone| board.neighbours(stone));
        let mut open = near.filter(|near| board.cell(*near) == Cell::Empty);
        let first = open.next()?;
        open.all(|other| other == first).then_some((head, first))
    })
}

/// The position after a move that leaves its stones more than one liberty.
fn safely(board: &Board, side: Side, at: Point) -> Option<Board> {
    if board.cell(at) != Cell::Empty {
        return None;
    }
    let mut after = board.clone();
    after.play(side, at, false).ok()?;
    after.find_chains();
    (after.liberties(at, 2) > 1).then_some(after)
}

/// Dead stones that were not taken off meanwhile.
fn still_there(board: &Board, dead: &[Point]) -> Vec<Point> {
    let there = dead.iter().filter(|at| board.cell(**at).side().is_some());
    there.copied().collect()
}
