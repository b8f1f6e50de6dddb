//! The search itself.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use super::{
    Score, Searchable,
    order::Order,
    table::{Bound, Entry, Table},
};

/// No line is searched deeper, whatever the limits: it bounds the recursion.
pub const MAX_PLIES: usize = 64;

/// How much is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Positions looked at, those of quiescence included.
    pub nodes: u64,
    /// Plies, without extensions and quiescence; at most [`MAX_PLIES`].
    pub depth: u32,
}

impl Limits {
    /// So many nodes, to any depth.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            nodes,
            depth: MAX_PLIES as u32,
        }
    }

    /// So many plies, with any number of nodes.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Self {
            nodes: u64::MAX,
            depth,
        }
    }
}

/// What of the search is in use: tests turn parts off, and hold it against
/// plain minimax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Moves that will probably do are tried first, not as the game lists them.
    pub ordering: bool,
    /// Positions met before are looked up.
    pub table: bool,
    /// Captures are looked at behind the last ply.
    pub quiescence: bool,
    /// Lines with checks are searched deeper.
    pub extensions: bool,
    /// Games look for wins by means of their own.
    pub proofs: bool,
}

impl Parts {
    /// Everything.
    pub const ALL: Self = Self {
        ordering: true,
        table: true,
        quiescence: true,
        extensions: true,
        proofs: true,
    };
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// What the position is worth to the side to move.
    pub score: Score,
    /// The best moves of both sides in turn; empty where there is none to make.
    pub line: Vec<M>,
    /// The last depth that was searched through; 0 where none was, or where the
    /// game proved a win by itself.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
}

impl<M> Default for Found<M> {
    fn default() -> Self {
        Self {
            score: Score::DRAW,
            line: Vec::new(),
            depth: 0,
            nodes: 0,
        }
    }
}

impl<M> Found<M> {
    /// The same, its moves in another form.
    pub fn map<N>(&self, form: impl Fn(&M) -> N) -> Found<N> {
        Found {
            score: self.score,
            line: self.line.iter().map(form).collect(),
            depth: self.depth,
            nodes: self.nodes,
        }
    }
}

/// The nodes are used up, or somebody asked to stop.
struct Stopped;

/// Ends a search that somebody waits for: at a time, or when asked to.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// Set by whoever asks.
    pub asked: Arc<AtomicBool>,
    /// When it ends by itself.
    pub at: Option<Instant>,
}

impl Stop {
    /// Asks for the end.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    fn is_due(&self) -> bool {
        self.is_asked() || self.at.is_some_and(|at| Instant::now() >= at)
    }
}

/// Nodes between two looks at what may end a search.
const LOOK: u64 = 256;

/// A search, with memory that is used again.
#[derive(Debug)]
pub struct Search<G: Searchable> {
    parts: Parts,
    table: Arc<Table>,
    order: Order,
    /// Moves of the positions on the path, one after the other, with their
    /// places in the order.
    moves: Vec<(i32, G::Move)>,
    /// The best line from each ply on.
    lines: Vec<Vec<G::Move>>,
    nodes: u64,
    most_nodes: u64,
    stop: Option<Stop>,
    /// So many nodes at least before the stop is looked at again.
    next_look: u64,
    /// Moves of the root that are not to be made.
    banned: Vec<G::Move>,
    /// The depth to begin with, for all that matters 1.
    from: u32,
    /// Lines of this length are not extended.
    extended_to: usize,
}

impl<G: Searchable> Default for Search<G> {
    fn default() -> Self {
        Self::new(Parts::ALL)
    }
}

impl<G: Searchable> Search<G> {
    /// A search; its table takes one megabyte.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self::on(Arc::new(Table::new(1).unwrap_or_default()), parts, 1)
    }

    /// A search that shares a table, and begins with a depth.
    pub(super) fn on(table: Arc<Table>, parts: Parts, from: u32) -> Self {
        Self {
            parts,
            table,
            order: Order::new::<G>(),
            moves: Vec::new(),
            lines: vec![Vec::new(); MAX_PLIES + 2],
            nodes: 0,
            most_nodes: 0,
            stop: None,
            next_look: 0,
            banned: Vec::new(),
            from,
            extended_to: 0,
        }
    }

    /// Searches a position deeper and deeper until a limit is met, or a mate is
    /// found than which none is shorter.
    ///
    /// The game is as before when it returns. A depth that was not searched
    /// through counts as far as it got, once the best move of the depth before
    /// was searched again; unless all that it found is a loss, as another move may
    /// be none. Then the depth before counts, and in the first one the move that was
    /// not looked at to its end.
    pub fn search(&mut self, game: &mut G, limits: Limits) -> Found<G::Move> {
        self.table.restart();
        self.stop = None;
        self.banned.clear();
        self.deepening(game, limits, &mut |_| {})
    }

    /// The same on a table that is ready, without some moves and until somebody
    /// asks to stop; what each depth came to is handed over.
    pub(super) fn think(
        &mut self,
        game: &mut G,
        limits: Limits,
        banned: &[G::Move],
        stop: Stop,
        each: &mut dyn FnMut(&Found<G::Move>),
    ) -> Found<G::Move> {
        self.stop = Some(stop);
        self.banned.clear();
        self.banned.extend_from_slice(banned);
        self.deepening(game, limits, each)
    }

    fn deepening(
        &mut self,
        game: &mut G,
        limits: Limits,
        each: &mut dyn FnMut(&Found<G::Move>),
    ) -> Found<G::Move> {
        self.order.restart();
        self.moves.clear();
        self.nodes = 0;
        self.most_nodes = limits.nodes;
        self.next_look = LOOK;
        let mut found = Found {
            score: Score::of(game.evaluate()),
            ..Found::default()
        };
        if let Some(verdict) = game.ended() {
            found.score = Score::of_verdict(verdict, 0);
            return found;
        }
        if let Some(line) = self.prove(game, true) {
            found.score = Score::mates_in(line.len() as u32);
            found.line = line;
            found.nodes = self.nodes;
            return found;
        }
        let mut root = self.root_moves(game);
        let Some(first) = root.first() else {
            found.score = Score::of_verdict(game.stuck(), 0);
            return found;
        };
        found.line.push(*first);
        for depth in self.from..=limits.depth.min(MAX_PLIES as u32) {
            self.extended_to = 2 * depth as usize;
            let whole = self.deepen(game, &mut root, depth, &mut found);
            if whole.is_err() {
                break;
            }
            found.depth = depth;
            found.nodes = self.nodes;
            each(&found);
            if found.score.mate().is_some_and(|plies| plies <= depth) {
                break;
            }
        }
        found.nodes = self.nodes;
        found
    }

    /// The legal moves, the likeliest first.
    fn root_moves(&mut self, game: &mut G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        game.moves(|it| moves.push(it));
        moves.retain(|it| {
            let legal = game.make(*it);
            if legal {
                game.unmake();
            }
            legal && !self.banned.contains(it)
        });
        if self.parts.ordering {
            moves.sort_by_key(|it| -self.order.place(game, *it, 0, 0));
        }
        moves
    }

    /// Searches the moves of the root to a depth, and puts the best one first.
    fn deepen(
        &mut self,
        game: &mut G,
        root: &mut [G::Move],
        depth: u32,
        found: &mut Found<G::Move>,
    ) -> Result<(), Stopped> {
        let before = found.clone();
        let mut best = Score::LEAST;
        for at in 0..root.len() {
            let it = root[at];
            game.make(it);
            let score = self.step(game, best, Score::MOST, depth - 1, 0, at == 0);
            game.unmake();
            let score = score.inspect_err(|_| {
                if found.score.is_loss() {
                    *found = before.clone();
                    if found.depth == 0 {
                        found.line = vec![it];
                    }
                }
            })?;
            if score > best {
                best = score;
                found.score = score;
                found.line.clear();
                found.line.push(it);
                found.line.extend(self.lines.get(1).into_iter().flatten());
                root[..=at].rotate_right(1);
            }
        }
        Ok(())
    }

    /// The score of a move just made, from the view of its mover: with the whole
    /// window for the first one, else held against the best so far first. (The
    /// position it led to is one ply deeper.)
    fn step(
        &mut self,
        game: &mut G,
        alpha: Score,
        beta: Score,
        depth: u32,
        ply: usize,
        first: bool,
    ) -> Result<Score, Stopped> {
        if !first {
            let close = alpha.next();
            let score = -self.visit(game, -close, -alpha, depth, ply + 1)?;
            if score <= alpha || score >= beta {
                return Ok(score);
            }
        }
        Ok(-self.visit(game, -beta, -alpha, depth, ply + 1)?)
    }

    /// A win that the game finds by itself, with half of the nodes that are left:
    /// the other half is for answers where there is none.
    fn prove(&mut self, game: &mut G, at_root: bool) -> Option<Vec<G::Move>> {
        if !self.parts.proofs {
            return None;
        }
        let proof = game.proof(at_root, (self.most_nodes - self.nodes) / 2);
        self.nodes += proof.nodes;
        (!proof.line.is_empty()).then_some(proof.line)
    }

    /// Counts a position.
    fn count(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.most_nodes {
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes < self.next_look {
            return Ok(());
        }
        // Proofs count many at once.
        self.next_look = self.nodes + LOOK;
        match self.stop.as_ref().is_some_and(Stop::is_due) {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    /// The score of a position behind the root, exact where it lies between
    /// `alpha` and `beta`, else a bound beyond them.
    fn visit(
        &mut self,
        game: &mut G,
        mut alpha: Score,
        beta: Score,
        mut depth: u32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.count()?;
        self.lines[ply].clear();
        if let Some(verdict) = game.ended().or_else(|| game.repeated()) {
            return Ok(Score::of_verdict(verdict, ply));
        }
        if self.parts.extensions && game.in_check() && ply < self.extended_to {
            depth += 1;
        }
        if depth == 0 || ply >= MAX_PLIES {
            return self.settle(game, alpha, beta, ply);
        }
        let key = game.key();
        let known = match self.parts.table {
            true => self.table.get(key),
            false => None,
        };
        if let Some(entry) = known {
            let score = entry.score.seen_before(ply as u32);
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => score >= beta,
                Bound::AtMost => score <= alpha,
            };
            // On the main line all moves are wanted.
            let is_main = alpha.next() < beta;
            if decides && !is_main && u32::from(entry.depth) >= depth {
                return Ok(score);
            }
        }
        let before = alpha;
        let hint = known.map_or(0, |entry| entry.best);
        let (mut best, mut best_move, mut tried) = (Score::LEAST, 0, 0);
        let start = self.moves.len();
        game.moves(|it| self.moves.push((0, it)));
        self.rate(game, start, ply, hint);
        while let Some(it) = self.pick(start + tried) {
            if !game.make(it) {
                self.moves.swap_remove(start + tried);
                continue;
            }
            let score = self.step(game, alpha, beta, depth - 1, ply, tried == 0);
            game.unmake();
            let score = score?;
            tried += 1;
            if score > best {
                best = score;
                best_move = G::pack(it);
            }
            if score > alpha {
                alpha = score;
                self.extend_line(ply, it);
            }
            if alpha >= beta {
                if game.gain(it) == 0 {
                    self.order.refuted(game.turn(), G::pack(it), ply, depth);
                }
                break;
            }
        }
        self.moves.truncate(start);
        if tried == 0 {
            return Ok(Score::of_verdict(game.stuck(), ply));
        }
        if self.parts.table {
            let bound = match best {
                best if best >= beta => Bound::AtLeast,
                best if best <= before => Bound::AtMost,
                _ => Bound::Exact,
            };
            let score = best.seen_after(ply as u32);
            let entry = Entry {
                score,
                best: best_move,
                depth: depth as u8,
                bound,
            };
            self.table.set(key, entry);
        }
        Ok(best)
    }

    /// The score of a position once captures are made, as [`Self::visit`] has it.
    fn settle(
        &mut self,
        game: &mut G,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if !self.parts.quiescence || ply >= MAX_PLIES {
            return Ok(self.stand(game, ply));
        }
        // Checks are followed no deeper than captures lead by themselves.
        let in_check = game.in_check() && ply < self.extended_to;
        let mut best = Score::LEAST;
        if !in_check {
            if let Some(line) = self.prove(game, false) {
                let score = Score::mates_in((ply + line.len()) as u32);
                if score > alpha {
                    self.lines[ply] = line;
                }
                return Ok(score);
            }
            best = Score::of(game.evaluate());
            if best >= beta {
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let start = self.moves.len();
        match in_check {
            true => game.moves(|it| self.moves.push((0, it))),
            false => game.captures(|it| self.moves.push((0, it))),
        }
        self.rate(game, start, ply, 0);
        let mut tried = 0;
        while let Some(it) = self.pick(start + tried) {
            if !game.make(it) {
                self.moves.swap_remove(start + tried);
                continue;
            }
            let score = self.settle_after(game, -beta, -alpha, ply + 1);
            game.unmake();
            let score = -score?;
            tried += 1;
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.extend_line(ply, it);
            }
            if alpha >= beta {
                break;
            }
        }
        self.moves.truncate(start);
        if in_check && tried == 0 {
            return Ok(Score::of_verdict(game.stuck(), ply));
        }
        Ok(best)
    }

    /// A position that a move of quiescence led to.
    fn settle_after(
        &mut self,
        game: &mut G,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.count()?;
        self.lines[ply].clear();
        match game.ended().or_else(|| game.repeated()) {
            Some(verdict) => Ok(Score::of_verdict(verdict, ply)),
            None => self.settle(game, alpha, beta, ply),
        }
    }

    /// The evaluation of a position that is looked at no further; without
    /// quiescence nobody else sees that there is no move.
    fn stand(&mut self, game: &mut G, ply: usize) -> Score {
        let start = self.moves.len();
        game.moves(|it| self.moves.push((0, it)));
        let mut moves = self.moves.drain(start..);
        let can_move = moves.any(|(_, it)| {
            let legal = game.make(it);
            if legal {
                game.unmake();
            }
            legal
        });
        match can_move {
            true => Score::of(game.evaluate()),
            false => Score::of_verdict(game.stuck(), ply),
        }
    }

    /// Gives the moves from a place on their order.
    fn rate(&mut self, game: &G, start: usize, ply: usize, best: u16) {
        if self.parts.ordering {
            for (place, it) in &mut self.moves[start..] {
                *place = self.order.place(game, *it, ply, best);
            }
        }
    }

    /// The move to try next, put first of those from a place on; the first of
    /// several that are as good.
    fn pick(&mut self, start: usize) -> Option<G::Move> {
        let left = &mut self.moves[start..];
        let (mut at, mut highest) = (0, i32::MIN);
        for (place, (rank, _)) in left.iter().enumerate() {
            if *rank > highest {
                (at, highest) = (place, *rank);
            }
        }
        if at > 0 {
            left.swap(0, at);
        }
        left.first().map(|(_, it)| *it)
    }

    /// The best line of a ply is a move, then that of the next ply.
    fn extend_line(&mut self, ply: usize, it: G::Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        if let (Some(line), Some(rest)) = (before.last_mut(), after.first()) {
            line.clear();
            line.push(it);
            line.extend_from_slice(rest);
        }
    }
}
