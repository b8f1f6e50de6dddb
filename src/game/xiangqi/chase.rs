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

/// The pieces of the other side, among some, that a side threatens to take.
///
/// * Generals and soldiers may threaten whatever they like; generals and soldiers
///   that have not crossed the river may be threatened.
/// * The capture must not expose the side's own general.
/// * Horses and cannons threaten every chariot, advisors and elephants every
///   chariot, horse and cannon, guarded or not.
/// * Other pieces are threatened where nothing can take back, which a piece that
///   would expose its general (a fake root) cannot.
/// * A piece that can take its attacker of the same kind is not threatened: that
///   offers an exchange.
///
/// Checks that stand already expose nothing: they are answered before anything
/// is taken.
pub(super) fn threats(position: &mut Position, side: Side, among: Squares) -> Squares {
    let other = side.other();
    let checks = [
        checkers(position, Side::First),
        checkers(position, Side::Second),
    ];
    let mut found = 0;
    for from in position.of(side) {
        let Some(kind) = position.piece(from).kind() else {
            continue;
        };
        if matches!(kind, Kind::General | Kind::Soldier) {
            continue;
        }
        let (targets, count) = attacked(position, from, among & !found);
        for &to in &targets[..count] {
            let Some(target) = position.piece(to).kind() else {
                continue;
            };
            let always = match kind {
                Kind::Horse | Kind::Cannon => target == Kind::Chariot,
                Kind::Advisor | Kind::Elephant => {
                    matches!(target, Kind::Chariot | Kind::Horse | Kind::Cannon)
                }
                _ => false,
            };
            let take = Move { from, to };
            let captured = position.make(take);
            let threatens = !exposes(position, side, checks[side.index()])
                && (always || !can_take(position, other, to, checks[other.index()]));
            position.unmake(take, captured);
            let exchanges = !always
                && target == kind
                && goes(position, to, from)
                && !exposes_by(
                    position,
                    Move { from: to, to: from },
                    checks[other.index()],
                );
            if threatens && !exchanges {
                found |= bit(to);
            }
        }
    }
    found
}

/// The pieces that the piece that just moved threatens to take in the simple
/// sense of the UCCI league.
///
/// Horses and cannons threaten chariots; horses, cannons and chariots threaten
/// horses, cannons and soldiers across the river that nothing guards. Pieces of
/// one kind do not threaten one another; whether a piece may leave its place is
/// not looked at; a piece that it attacked before the move is not threatened
/// by it.
pub(super) fn simple_threats(position: &mut Position, it: Move, among: Squares) -> Squares {
    let piece = position.piece(it.to);
    let Some(kind) = piece.kind() else {
        return 0;
    };
    if !matches!(kind, Kind::Horse | Kind::Chariot | Kind::Cannon) {
        return 0;
    }
    let back = Move {
        from: it.to,
        to: it.from,
    };
    position.make(back);
    let (old, count) = attacked(position, it.from, among);
    position.make(it);
    let old = old[..count].iter().fold(0, |set, square| set | bit(*square));
    let (targets, count) = attacked(position, it.to, among & !old);
    let mut found = 0;
    for &to in &targets[..count] {
        let threatens = match position.piece(to).kind() {
            Some(target) if target == kind => false,
            Some(Kind::Chariot) => true,
            Some(Kind::Horse | Kind::Cannon | Kind::Soldier) => {
                let take = Move { from: it.to, to };
                let captured = position.make(take);
                let mut others = position.of(piece.side().other());
                let guarded = others.any(|from| goes(position, from, to));
                position.unmake(take, captured);
                !guarded
            }
            _ => false,
        };
        if threatens {
            found |= bit(to);
        }
    }
    found
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

/// Whether a side can take the piece on a square, without a check that does not
/// stand already.
fn can_take(position: &mut Position, side: Side, on: Square, checks: Squares) -> bool {
    position.of(side).any(|from| {
        goes(position, from, on) && !exposes_by(position, Move { from, to: on }, checks)
    })
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
