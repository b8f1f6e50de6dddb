//! Repeated positions: loops that two engines and a reading of the rule book
//! agree on, loops that they do not, and one of each clause.

use kifu::{
    game::xiangqi::{History, Kind, Move, Piece, Position, Repetition, Square, Tier, Verdict, fen},
    outcome::Side,
};
use serde_json::Value;

use super::suites::{Turned, cases, text, turned};

/// Plays moves from a position.
fn play(start: &Position, moves: &[Move]) -> (Position, History) {
    let mut position = start.clone();
    let mut history = History::new(start.clone());
    for it in moves {
        assert!(position.is_legal(*it), "{it} in {position:?}");
        let captured = position.make(*it);
        let check = position.in_check(position.turn());
        history.push(*it, captured, position.key(), check);
    }
    (position, history)
}

/// A verdict in the words of the suite, the tiers of Red and Black behind it.
fn words(verdict: Option<Verdict>) -> String {
    let Some(verdict) = verdict else {
        return "none".into();
    };
    let winner = match verdict.loser {
        None => "draw",
        Some(Side::First) => "black_wins",
        Some(Side::Second) => "red_wins",
    };
    let [red, black] = verdict.tiers.map(Tier::word);
    format!("{winner} {red}/{black}")
}

/// The same words, the colours exchanged where the position was.
fn words_turned(verdict: Option<Verdict>, how: Turned) -> String {
    words(verdict.map(|mut verdict| {
        verdict.loser = verdict.loser.map(|side| how.of_side(side));
        if how.of_side(Side::First) == Side::Second {
            verdict.tiers.reverse();
        }
        verdict
    }))
}

fn moves(case: &Value) -> Vec<Move> {
    let moves = case["moves_3fold"].as_array().unwrap();
    moves
        .iter()
        .map(|it| it.as_str().unwrap().parse().unwrap())
        .collect()
}

/// A position and a move of it that leads to another position; the move takes a
/// piece, where one is asked for.
fn before(after: &Position, captured: Option<Kind>) -> Option<(Position, Move)> {
    let mover = after.turn().other();
    let pieces: Vec<_> = Square::all().map(|it| (it, after.piece(it))).collect();
    for (to, piece) in &pieces {
        if !piece.is_of(mover) {
            continue;
        }
        for (from, _) in pieces.iter().filter(|(_, piece)| piece.is_none()) {
            let earlier = pieces.iter().filter_map(|&(at, standing)| {
                if at == *from {
                    Some((at, *piece))
                } else if at == *to {
                    Some((at, Piece::new(mover.other(), captured?)))
                } else {
                    Some((at, standing))
                }
            });
            let mut earlier = Position::new(earlier.collect::<Vec<_>>(), mover).unwrap();
            let it = Move {
                from: *from,
                to: *to,
            };
            if !earlier.in_check(mover.other()) && earlier.is_legal(it) {
                return Some((earlier, it));
            }
        }
    }
    None
}

#[test]
fn verdicts_that_all_agree_on() {
    let mut rows = 0;
    for case in cases("repetition") {
        if case["consensus"] != true {
            continue;
        }
        rows += 1;
        let start = fen::read(text(&case, "fen")).unwrap();
        let moves = moves(&case);
        for how in Turned::ALL {
            let start = turned(&start, how);
            let moves: Vec<Move> = moves.iter().map(|it| how.of_move(*it)).collect();
            let (_, history) = play(&start, &moves);
            let verdict = history.verdict(Repetition::Axf);
            let found = words_turned(verdict, how);
            let id = text(&case, "id");
            assert_eq!(
                found.split(' ').next(),
                Some(text(&case, "expected")),
                "{id} {how:?}: {found}"
            );

            // Moves that led there change nothing.
            for captured in [None, Some(Kind::Soldier), Some(Kind::Chariot)] {
                let mut start = start.clone();
                let mut all = moves.clone();
                for captured in [captured, None, None] {
                    if let Some((earlier, it)) = before(&start, captured) {
                        start = earlier;
                        all.insert(0, it);
                    }
                }
                assert!(all.len() > moves.len(), "{id} has a move before");
                let (_, longer) = play(&start, &all);
                let again = longer.verdict(Repetition::Axf);
                assert_eq!(words_turned(again, how), found, "{id} {start:?}");
                let since = again.unwrap().since - (all.len() - moves.len());
                assert_eq!(since, verdict.unwrap().since, "{id} {start:?}");
            }
        }
    }
    println!("{rows} loops");
}

/// Loops that engines or the reading of the rule book disagree on, what each of
/// them says, and what is said here.
const DISPUTED: &[(&str, [&str; 3], &str)] = &[
    // (row, [suite, Fairy-Stockfish, Pikafish], here)
    // No position stands three times.
    ("axf-orange-001", ["undecided", "-", "-"], "none"),
    ("axf-orange-120", ["black_wins", "-", "-"], "none"),
    ("axf-orange-168", ["undecided", "-", "-"], "none"),
    // Each move attacks by another piece what was attacked already.
    (
        "axf-orange-034",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    // The other side checks now and then.
    (
        "axf-orange-054",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    (
        "axf-orange-072",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    (
        "axf-orange-073",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    // The answers change what could take back later, not what guards now.
    (
        "axf-orange-056",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    (
        "axf-orange-057",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    (
        "axf-orange-060",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    (
        "axf-orange-087",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    (
        "axf-orange-088",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    (
        "axf-orange-156",
        ["draw", "draw", "black_wins"],
        "draw idle/idle",
    ),
    (
        "fsf-22",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    // Pikafish does not read the position.
    (
        "axf-orange-103",
        ["black_wins", "black_wins", "-"],
        "black_wins chase/idle",
    ),
    // A guard is taken away by leaving or blocking its line.
    (
        "axf-orange-153",
        ["black_wins", "draw", "black_wins"],
        "black_wins chase/idle",
    ),
    // The chase gives check now and then.
    (
        "fsf-05",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    (
        "fsf-10",
        ["red_wins", "red_wins", "draw"],
        "red_wins idle/chase",
    ),
    (
        "fsf-11",
        ["black_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    // The same moves as in fsf-05: one of both has the sides mixed up.
    (
        "pr466-07",
        ["red_wins", "black_wins", "draw"],
        "black_wins chase/idle",
    ),
    (
        "pr466-12",
        ["red_wins", "draw", "red_wins"],
        "red_wins idle/chase",
    ),
];

#[test]
fn verdicts_in_dispute() {
    for case in cases("repetition") {
        if case["consensus"] == true {
            continue;
        }
        let id = text(&case, "id");
        let start = fen::read(text(&case, "fen")).unwrap();
        let (_, history) = play(&start, &moves(&case));
        let found = words(history.verdict(Repetition::Axf));
        let known = DISPUTED.iter().find(|row| row.0 == id);
        let Some((_, [suite, fairy, pikafish], here)) = known else {
            panic!(
                "{id} is not listed; suite {}, here {found}",
                case["expected"]
            );
        };
        println!("{id}: suite {suite}, Fairy-Stockfish {fairy}, Pikafish {pikafish}; here {found}");
        assert_eq!(found, *here, "{id}");
        assert_eq!(case["expected"], *suite, "{id}");
    }
}

/// A loop of four plies: clause, pieces and turn, moves, verdict.
type Clause = (&'static str, &'static str, &'static str, &'static str);

const CLAUSES: &[Clause] = &[
    (
        "perpetual check",
        "3k5/R8/9/9/9/9/9/9/9/5K3 w",
        "a8a9 d9d8 a9a8 d8d9",
        "black_wins check/idle",
    ),
    (
        "check and nothing in turn",
        "3k5/9/R8/9/9/9/9/9/9/5K3 w",
        "a7a9 d9d8 a9a7 d8d9",
        "draw idle/idle",
    ),
    (
        "both check",
        "4c4/3k5/9/9/3r5/4C4/9/4K4/9/3R5 w",
        "e4d4 d5e5 d4e4 e5d5",
        "draw check/check",
    ),
    (
        "check against chase",
        "5k3/9/9/9/9/3p5/9/3p5/3K5/3C5 w",
        "d1e1 d2e2 e1d1 e2d2",
        "red_wins chase/check",
    ),
    (
        "check and chase in turn",
        "3k5/9/9/9/R6c1/9/9/9/9/5K3 w",
        "a5a9 d9d8 a9a5 d8d9",
        "draw idle/idle",
    ),
    (
        "a chariot chases a cannon",
        "3k5/9/9/c8/9/1R7/9/9/9/5K3 w",
        "b4a4 a6b6 a4b4 b6a6",
        "black_wins chase/idle",
    ),
    (
        "a guarded cannon",
        "3k5/9/9/c6r1/9/1R7/9/9/9/5K3 w",
        "b4a4 a6b6 a4b4 b6a6",
        "draw idle/idle",
    ),
    (
        "a cannon whose guard is pinned",
        "3k5/9/9/c2r5/9/1R7/9/9/9/3R1K3 w",
        "b4a4 a6b6 a4b4 b6a6",
        "black_wins chase/idle",
    ),
    (
        "a guarded chariot by a horse",
        "3k5/9/9/1r6r/4N4/9/9/9/9/5K3 w",
        "e5c4 b6c6 c4e5 c6b6",
        "black_wins chase/idle",
    ),
    (
        "a guarded cannon by a horse",
        "3k5/9/9/1c6r/4N4/9/9/9/9/5K3 w",
        "e5c4 b6c6 c4e5 c6b6",
        "draw idle/idle",
    ),
    (
        "chariots offer an exchange",
        "3k5/9/9/r8/9/1R7/9/9/9/5K3 w",
        "b4a4 a6b6 a4b4 b6a6",
        "draw idle/idle",
    ),
    (
        "a chariot that cannot take back",
        "3k5/9/9/3r5/R8/9/9/9/9/3R1K3 w",
        "a5a6 d6d5 a6a5 d5d6",
        "black_wins chase/idle",
    ),
    (
        "a soldier may chase",
        "3k5/9/1c7/2P6/9/9/9/9/9/5K3 w",
        "c6b6 b7c7 b6c6 c7b7",
        "draw idle/idle",
    ),
    (
        "a general may chase",
        "3k5/9/9/9/9/9/9/4c4/5K3/9 w",
        "f1e1 e2f2 e1f1 f2e2",
        "draw idle/idle",
    ),
    (
        "a soldier across the river",
        "3k5/9/9/9/9/p8/9/1R7/9/5K3 w",
        "b2a2 a4b4 a2b2 b4a4",
        "black_wins chase/idle",
    ),
    (
        "a piece attacked by two in turn, one behind the other",
        "3k5/9/9/n8/9/R8/9/9/9/R4K3 w",
        "a4b4 d9d8 b4a4 d8d9",
        "black_wins chase/idle",
    ),
    (
        "a soldier at home, attacked so",
        "3k5/9/9/p8/9/R8/9/9/9/R4K3 w",
        "a4b4 d9d8 b4a4 d8d9",
        "draw idle/idle",
    ),
    (
        "two pieces in turn",
        "3k5/2c6/9/c8/9/2R6/9/9/9/5K3 w",
        "c4a4 d9d8 a4c4 d8d9",
        "draw idle/idle",
    ),
    (
        "a horse whose guard is pinned anew each time",
        "3k5/9/9/9/9/4c4/5r3/4BN3/4A4/4K4 w",
        "e0f0 e4f4 f0e0 f4e4",
        "red_wins idle/chase",
    ),
    (
        "a guard through a screen that goes or doubles",
        "2ck5/9/4b4/2P6/9/9/9/2n4R1/9/5K3 w",
        "c6b6 e7c5 b6c6 c5e7",
        "black_wins chase/idle",
    ),
    (
        "horses offer an exchange",
        "3k5/9/6n2/9/9/7N1/9/9/9/5K3 w",
        "h4f5 g7i6 f5h4 i6g7",
        "draw idle/idle",
    ),
    (
        "a horse that is blocked on its way back",
        "3k5/9/6n2/6p2/8p/7N1/9/9/9/5K3 w",
        "h4f5 g7i6 f5h4 i6g7",
        "black_wins chase/idle",
    ),
    (
        "a guarded cannon by elephants whose eyes open in turn",
        "4k4/4r4/9/9/9/9/p8/4c4/5R3/2B2KB2 w",
        "f1d1 a3b3 d1f1 b3a3",
        "black_wins chase/idle",
    ),
    (
        "a guarded soldier by elephants",
        "4k4/4r4/9/9/9/9/p8/4p4/5R3/2B2KB2 w",
        "f1d1 a3b3 d1f1 b3a3",
        "draw idle/idle",
    ),
    (
        "answers to checks, while a horse is attacked all the time",
        "3k5/9/9/2n4R1/9/9/9/9/r8/5K3 b",
        "a1a0 f0f1 a0a1 f1f0",
        "red_wins idle/check",
    ),
    (
        "along its file a chariot attacks nothing anew",
        "3k5/9/9/c8/9/R8/9/9/9/5K3 w",
        "a4a3 d9d8 a3a4 d8d9",
        "draw idle/idle",
    ),
    (
        "a chariot that may leave its file",
        "3k5/9/9/9/c8/5R3/9/9/9/5K3 w",
        "f4f5 a5a4 f5f4 a4a5",
        "black_wins chase/idle",
    ),
    (
        "a chariot that may not leave its file",
        "3k1r3/9/9/9/c8/5R3/9/9/9/5K3 w",
        "f4f5 a5a4 f5f4 a4a5",
        "draw idle/idle",
    ),
];

/// A position and some rounds of a loop.
fn rounds(pieces: &str, moves: &str, rounds: usize) -> (Position, History) {
    let moves: Vec<Move> = moves
        .split_whitespace()
        .map(|it| it.parse().unwrap())
        .collect();
    play(&fen::read(pieces).unwrap(), &moves.repeat(rounds))
}

#[test]
fn a_loop_of_each_clause() {
    for (clause, pieces, moves, expected) in CLAUSES {
        let (_, history) = rounds(pieces, moves, 2);
        let found = words(history.verdict(Repetition::Axf));
        assert_eq!(found, *expected, "{clause}: {pieces}");
    }
}

/// A clause by its name.
fn clause(name: &str) -> (&'static str, &'static str) {
    let found = CLAUSES.iter().find(|clause| clause.0 == name);
    let (_, pieces, moves, _) = found.unwrap();
    (pieces, moves)
}

#[test]
fn other_rules() {
    use Repetition::{Axf, CheckOnly, Draw, None, Uccl};
    for (rules, times, name, expected) in [
        (Axf, 2, "perpetual check", "none"),
        (None, 9, "perpetual check", "none"),
        (Draw, 2, "perpetual check", "none"),
        (Draw, 3, "perpetual check", "draw check/idle"),
        (Draw, 3, "a chariot chases a cannon", "draw idle/idle"),
        (CheckOnly, 3, "perpetual check", "black_wins check/idle"),
        (CheckOnly, 3, "check against chase", "red_wins idle/check"),
        (CheckOnly, 3, "both check", "draw check/check"),
        (CheckOnly, 3, "a chariot chases a cannon", "draw idle/idle"),
        (CheckOnly, 3, "check and nothing in turn", "draw idle/idle"),
        (Uccl, 3, "perpetual check", "none"),
        (Uccl, 4, "perpetual check", "black_wins check/idle"),
        (Uccl, 4, "both check", "draw check/check"),
        (Uccl, 4, "check and chase in turn", "draw idle/idle"),
        (
            Uccl,
            4,
            "a chariot chases a cannon",
            "black_wins chase/idle",
        ),
        (Uccl, 4, "a guarded cannon", "draw idle/idle"),
        (
            Uccl,
            4,
            "a soldier across the river",
            "black_wins chase/idle",
        ),
        (
            Uccl,
            4,
            "a guarded chariot by a horse",
            "black_wins chase/idle",
        ),
        (Uccl, 4, "a guarded cannon by a horse", "draw idle/idle"),
        (Uccl, 4, "two pieces in turn", "draw idle/idle"),
        // Pins are not looked at, nor pieces that did not move.
        (Uccl, 4, "a cannon whose guard is pinned", "draw idle/idle"),
        (Uccl, 4, "a chariot that cannot take back", "draw idle/idle"),
        (
            Uccl,
            4,
            "a chariot that may not leave its file",
            "black_wins chase/idle",
        ),
        (
            Uccl,
            4,
            "a piece attacked by two in turn, one behind the other",
            "draw idle/idle",
        ),
        (
            Uccl,
            4,
            "along its file a chariot attacks nothing anew",
            "draw idle/idle",
        ),
    ] {
        let (pieces, moves) = clause(name);
        let (_, history) = rounds(pieces, moves, times - 1);
        let found = words(history.verdict(rules));
        assert_eq!(found, expected, "{} {times} {name}", rules.word());
        assert_eq!(words(history.first_trigger(rules)), expected, "{name}");
    }
}

#[test]
fn the_last_times_count() {
    let (pieces, chase) = clause("a chariot chases a cannon");
    let idle = "b4b3 d9d8 b3b4 d8d9";
    let chases = "black_wins chase/idle";
    for (loops, since, times, expected) in [
        (vec![chase; 2], 0, 3, chases),
        (vec![chase; 4], 8, 5, chases),
        (vec![chase, idle], 0, 3, "draw idle/idle"),
        (vec![idle, chase], 0, 3, "draw idle/idle"),
        (vec![idle, chase, chase], 4, 4, chases),
        (vec![chase, chase, idle], 4, 4, "draw idle/idle"),
    ] {
        let (_, history) = rounds(pieces, &loops.join(" "), 1);
        let verdict = history.verdict(Repetition::Axf).unwrap();
        assert_eq!(words(Some(verdict)), expected, "{loops:?}");
        assert_eq!((verdict.since, verdict.times), (since, times), "{loops:?}");
        assert_eq!(verdict.until, history.plies());
    }
}

#[test]
fn the_game_goes_on() {
    let (pieces, chase) = clause("a chariot chases a cannon");
    for (before, after) in [
        ("", "b4b9"),
        ("", "b4b9 d9d8 b9b8"),
        ("f0f1 d9d8 f1f0 d8d9", "b4a4 a6a9 a4a9"),
    ] {
        let moves = format!("{before} {chase} {chase} {after}");
        let (_, history) = rounds(pieces, &moves, 1);
        assert_eq!(history.verdict(Repetition::Axf), None, "{moves}");
        let first = history.first_trigger(Repetition::Axf).unwrap();
        let rounds_before = before.split_whitespace().count();
        // A round in front leads back to the same position.
        assert_eq!(
            (first.since, first.until, first.times),
            (0, 8, 3),
            "{moves}"
        );
        let expected = if rounds_before == 0 {
            "black_wins chase/idle"
        } else {
            "draw idle/idle"
        };
        assert_eq!(words(Some(first)), expected, "{moves}");
        assert_eq!(
            history.first_trigger(Repetition::Uccl).is_some(),
            rounds_before > 0
        );
    }
}

#[test]
fn no_repetition_in_ordinary_games() {
    let moves = "h2e2 h9g7 h0g2 i9h9 b2b6 h9i9 b6b2 g7h9 g2h0";
    let (_, mut history) = rounds(fen::START, moves, 1);
    for rules in Repetition::ALL {
        assert_eq!(history.verdict(*rules), None);
        assert_eq!(history.first_trigger(*rules), None);
    }
    let (start, _) = rounds(fen::START, "", 1);
    history.restart(start);
    assert_eq!(history.plies(), 0);
    assert_eq!(history.verdict(Repetition::Axf), None);
    assert_eq!(history.first_trigger(Repetition::Axf), None);
}
