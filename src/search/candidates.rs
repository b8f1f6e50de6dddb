//! Several moves of a position, each with what it is worth.

use super::{
    Score, Searchable,
    engine::{Found, Limits, Search},
};

/// Of the nodes, one of so many is for the first look at all moves.
const FIRST_LOOK: u64 = 4;

impl<G: Searchable> Search<G> {
    /// The best moves of a position, at most so many, the best one first; none where
    /// the game is over. Each is found as [`Search::search`] finds it in the position
    /// behind it, with an equal share of the nodes, and its line begins with the
    /// move. All moves get a first look, by which those for the second are chosen.
    pub fn candidates(&mut self, game: &mut G, nodes: u64, most: usize) -> Vec<Found<G::Move>> {
        if game.ended().is_some() || most == 0 {
            return Vec::new();
        }
        let mut moves = Vec::new();
        game.moves(|it| moves.push(it));
        let share = |nodes: u64, among: usize| (nodes / among.max(1) as u64).max(1);
        let first = share(nodes / FIRST_LOOK, moves.len());
        let mut found: Vec<_> = moves
            .into_iter()
            .filter_map(|it| self.behind(game, it, first))
            .collect();
        found.sort_by_key(|found| -found.score.value());
        found.truncate(most);
        let second = share(nodes - nodes / FIRST_LOOK, found.len());
        let mut found: Vec<_> = found
            .into_iter()
            .filter_map(|found| self.behind(game, *found.line.first()?, second))
            .collect();
        found.sort_by_key(|found| -found.score.value());
        found
    }

    /// What a move is worth to its mover; nothing where it is not legal.
    fn behind(&mut self, game: &mut G, it: G::Move, nodes: u64) -> Option<Found<G::Move>> {
        if !game.make(it) {
            return None;
        }
        let repeated = game.repeated();
        let mut found = match repeated {
            Some(verdict) => Found {
                score: Score::of_verdict(verdict, 0),
                ..Found::default()
            },
            None => self.search(game, Limits::nodes(nodes)),
        };
        game.unmake();
        // A ply earlier, from the other side.
        found.score = (-found.score).seen_before(1);
        found.line.insert(0, it);
        found.depth += 1;
        Some(found)
    }
}
