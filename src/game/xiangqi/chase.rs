//! Which pieces a side threatens to take: what a chase is made of.
//!
//! Sources: the rules of the Asian Xiangqi Federation (2018) as open engines
//! read them, and for the simple definition the rules of the UCCI engine league
//! (2007, section 5).

use super::{
    piece::{Kind, Move, Square},
    position::Position,
};
use crate::outcome::Side;

/// A set of squares, a bit for each [`Square::index`].
pub(super) type Squares = u128;

/// A set of one square.
pub(super) const fn bit(square: Square) -> Squares {
    1 << square.index()
}

/// Pieces that a piece may attack at once.
const TARGETS: usize = 8;

/// What a move chases: pieces of the other side that the mover could take next,
/// in a way that the move brought about.
///
/// What could be taken:
/// * Generals and soldiers may threaten whatever they like; generals and soldiers
///   that have not crossed the river may be threatened.
/// * The capture must not expose the mover's own general.
/// * Horses and cannons threaten every chariot, advisors and elephants every
///   chariot, horse and cannon, guarded or not.
/// * Other pieces are threatened where nothing can take back, which a piece that
///   would expose its general (a fake root) cannot.
/// * A piece that can take its attacker of the same kind is not threatened: that
///   offers an exchange.
///
/// What the move brought about:
/// * The attack is new; another piece that attacked the same before is no excuse.
/// * Or the attack is old and the piece was guarded before: now its guards are
///   fake, or one that guarded it, as things stood, does so no longer. Mere changes
///   of what could take back after the capture bring about nothing.
///
/// Checks that stand already expose nothing: they are answered before anything
/// is taken. A check may chase as well.
///
/// Where engines differ: Fairy-Stockfish does not count guards that a move takes
/// away; Pikafish counts every change of what could be taken, by any piece, and
/// nothing at all in a loop with a check in it.
///
/// The position is that before the move, and so it is left; `among` are squares
/// of pieces of the other side.
pub(super) fn chased(position: &mut Position, it: Move, among: Squares) -> Squares {
    let mover = position.turn();
    // Sixteen pieces attack no more than that; odd positions may lose some.
    let mut found = [(it, false); 16 * TARGETS];
    let mut count = 0;
    let captured = position.make(it);
    let checks = Checks::of(position);
    for from in position.of(mover) {
        if matches!(
            position.piece(from).kind(),
            Some(Kind::General | Kind::Soldier)
        ) {
            continue;
        }
        let (targets, number) = attacked(position, from, among);
        for &to in &targets[..number] {
            let take = Move { from, to };
            if let Some(threat) = threat(position, take, &checks)
                && count < found.len()
            {
                found[count] = (take, threat == Threat::Pinned);
                count += 1;
            }
        }
    }
    position.unmake(it, captured);
    let checks = Checks::of(position);
    let mut chased = 0;
    for &(mut take, pinned) in &found[..count] {
        let to = bit(take.to);
        if chased & to != 0 {
            continue;
        }
        if take.from == it.to {
            take.from = it.from;
        }
        let attacked = goes(position, take.from, take.to)
            && !exposes_by(position, take, checks.of_side(mover));
        let is_new = !attacked
            || threat(position, take, &checks).is_none() && {
                pinned || {
                    let before = guards(position, take.to);
                    position.make(it);
                    let after = guards(position, take.to);
                    position.unmake(it, captured);
                    before & !after != 0
                }
            };
        if is_new {
            chased |= to;
        }
    }
    chased
}

/// Squares from which each side's general is attacked.
struct Checks([Squares; 2]);

impl Checks {
    fn of(position: &Position) -> Self {
        Self([Side::First, Side::Second].map(|side| checkers(position, side)))
    }

    const fn of_side(&self, side: Side) -> Squares {
        self.0[side.index()]
    }
}

/// Why a capture is a threat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Threat {
    /// Nothing guards the piece, or it is worth more than the one that takes it.
    Open,
    /// Its guards would expose their general.
    Pinned,
}

/// Whether a piece threatens to take another one, which it attacks.
fn threat(position: &mut Position, take: Move, checks: &Checks) -> Option<Threat> {
    let piece = position.piece(take.from);
    let (kind, target) = (piece.kind()?, position.piece(take.to).kind()?);
    let (side, other) = (piece.side(), piece.side().other());
    let back = Move {
        from: take.to,
        to: take.from,
    };
    if target == kind
        && goes(position, back.from, back.to)
        && !exposes_by(position, back, checks.of_side(other))
    {
        return None;
    }
    let always = match kind {
        Kind::Horse | Kind::Cannon => target == Kind::Chariot,
        Kind::Advisor | Kind::Elephant => {
            matches!(target, Kind::Chariot | Kind::Horse | Kind::Cannon)
        }
        _ => false,
    };
    let captured = position.make(take);
    let found = if exposes(position, side, checks.of_side(side)) {
        None
    } else if always {
        Some(Threat::Open)
    } else {
        let mut found = Some(Threat::Open);
        for from in position.of(other) {
            if goes(position, from, take.to) {
                found = Some(Threat::Pinned);
                let take_back = Move { from, to: take.to };
                if !exposes_by(position, take_back, checks.of_side(other)) {
                    found = None;
                    break;
                }
            }
        }
        found
    };
    position.unmake(take, captured);
    found
}

/// What a move chases in the simple sense of the UCCI league.
///
/// Only the piece that moved chases. Horses and cannons chase chariots; horses,
/// cannons and chariots chase horses, cannons and soldiers across the river that
/// nothing guards. Pieces of one kind do not chase one another; whether a piece
/// may leave its place is not looked at. What the piece attacked before the move
/// is not chased by it, as when a chariot stays on a file.
///
/// The position is that before the move, and so it is left; `among` are squares
/// of pieces of the other side.
pub(super) fn simply_chased(position: &mut Position, it: Move, among: Squares) -> Squares {
    let piece = position.piece(it.from);
    let other = piece.side().other();
    let (targets, count) = attacked(position, it.from, among);
    let old = targets[..count].iter().fold(0, |set, to| set | bit(*to));
    let captured = position.make(it);
    let (targets, count) = attacked(position, it.to, among & !old);
    let mut chased = 0;
    for &to in &targets[..count] {
        let target = position.piece(to).kind();
        let may_chase = matches!(
            piece.kind(),
            Some(Kind::Horse | Kind::Chariot | Kind::Cannon)
        );
        let chases = match target {
            _ if !may_chase || target == piece.kind() => false,
            Some(Kind::Chariot) => true,
            Some(Kind::Horse | Kind::Cannon | Kind::Soldier) => {
                let take = Move { from: it.to, to };
                let captured = position.make(take);
                let guarded = position.of(other).any(|from| goes(position, from, to));
                position.unmake(take, captured);
                !guarded
            }
            _ => false,
        };
        if chases {
            chased |= bit(to);
        }
    }
    position.unmake(it, captured);
    chased
}

/// The pieces of the other side, among some, that a piece attacks and that may be
/// chased.
fn attacked(position: &Position, from: Square, among: Squares) -> ([Square; TARGETS], usize) {
    let other = position.piece(from).side().other();
    let mut found = [from; TARGETS];
    let mut count = 0;
    position.reach(from, |to| {
        let target = position.piece(to);
        let may_be_chased = match target.kind() {
            None | Some(Kind::General) => false,
            Some(Kind::Soldier) => !to.is_home(other),
            Some(_) => true,
        };
        if may_be_chased && target.is_of(other) && among & bit(to) != 0 && count < TARGETS {
            found[count] = to;
            count += 1;
        }
    });
    (found, count)
}

/// Whether a piece goes to a square, or guards what stands there.
fn goes(position: &Position, from: Square, to: Square) -> bool {
    let mut found = false;
    position.reach(from, |square| found |= square == to);
    found
}

/// The pieces that guard the piece on a square, as things stand.
fn guards(position: &Position, on: Square) -> Squares {
    let side = position.piece(on).side();
    let guards = position.of(side).filter(|from| goes(position, *from, on));
    guards.fold(0, |set, from| set | bit(from))
}

/// Whether a capture gives a check to the mover's general that does not stand
/// already.
fn exposes_by(position: &mut Position, it: Move, checks: Squares) -> bool {
    let side = position.piece(it.from).side();
    let captured = position.make(it);
    let exposes = exposes(position, side, checks);
    position.unmake(it, captured);
    exposes
}

/// Whether a side's general is attacked from elsewhere than some squares.
fn exposes(position: &Position, side: Side, checks: Squares) -> bool {
    position.in_check(side) && checkers(position, side) & !checks != 0
}

/// Where a side's general is attacked from, the other general included.
fn checkers(position: &Position, side: Side) -> Squares {
    if !position.in_check(side) {
        return 0;
    }
    let general = position.general(side);
    let other = side.other();
    let mut found = 0;
    for from in position.of(other) {
        if goes(position, from, general) {
            found |= bit(from);
        }
    }
    if found == 0 {
        // Nothing but the other general, on an open file.
        found = bit(position.general(other));
    }
    found
}
