//! Boards that decide nothing yet, drawn: what is still open on them.
#![cfg(feature = "cli")]

mod common;

use common::{judge, plan};
use kifu::pipeline::Plan;

fn dead_by(word: &str) -> Plan {
    let mut plan = plan();
    plan.settings.dead = Some(word.to_owned());
    plan
}

/// The points of a drawing that show a letter, as SGF values.
fn points(rows: &[&str], letter: char) -> String {
    let mut text = String::new();
    for (row, line) in ('a'..).zip(rows) {
        for (column, _) in ('a'..)
            .zip(line.chars())
            .filter(|(_, sign)| *sign == letter)
        {
            text += &format!("[{column}{row}]");
        }
    }
    text
}

/// The record of a drawing without komi: the last stone of each side is a move,
/// after which both pass or the record just ends.
fn played(rows: &[&str], ends_with_passes: bool) -> String {
    let list = |letter| points(rows, letter);
    let (black, white) = (list('X'), list('O'));
    let split = |stones: &str| {
        let at = stones.len() - "[aa]".len();
        (stones[..at].to_owned(), stones[at..].to_owned())
    };
    let ((black, last_black), (white, last_white)) = (split(&black), split(&white));
    let size = format!("{}:{}", rows[0].len(), rows.len());
    let passes = if ends_with_passes { ";B[];W[]" } else { "" };
    format!("(;SZ[{size}]RU[Japanese]KM[0]AB{black}AW{white};B{last_black};W{last_white}{passes})")
}

/// The warning that says why a board does not decide.
fn undecided(record: &str) -> Option<String> {
    let judged = judge(&dead_by("playout"), record);
    let is_reason = |word: &str| {
        let reasons = ["open_border", "open_end", "unsettled_stones", "moves_left"];
        reasons.contains(&word)
    };
    let found = judged.warnings.iter().find(|it| is_reason(it.word));
    assert_eq!(found.is_none(), judged.margin.is_some());
    assert_eq!(found.is_some(), judged.confidence == Some(0.0));
    let text = |it: &kifu::record::Warning| format!("{}={}", it.word, it.value.as_ref().unwrap());
    found.map(text)
}

/// Living sides with a neutral line of so many points between them.
fn neutral_line(size: usize, points: usize) -> Vec<String> {
    let black = size / 2 - 1;
    let row = |middle: &str| {
        let rest = size - black - middle.len();
        format!("{}{middle}{}", ".".repeat(black), ".".repeat(rest))
    };
    let row_of = |at| row(if at < points { "X.O" } else { "XO." });
    (0..size).map(row_of).collect()
}

#[test]
fn a_border_is_open_from_some_points_on() {
    // The smaller boards: more than six. Larger ones: more than a thirtieth of
    // the points, or a twelfth if both passed.
    for (size, points, open, passed) in [
        (9, 6, false, false),
        (9, 7, true, true),
        (13, 6, false, false),
        (13, 7, true, false),
        (13, 13, true, false),
        (19, 12, false, false),
        (19, 13, true, false),
    ] {
        let rows = neutral_line(size, points);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let expected = |is_open: bool| is_open.then(|| format!("open_border={points}"));
        assert_eq!(undecided(&played(&rows, false)), expected(open), "{rows:?}");
        assert_eq!(
            undecided(&played(&rows, true)),
            expected(passed),
            "{rows:?}"
        );
    }
}

#[test]
fn a_board_does_not_decide_while_too_much_is_doubtful() {
    // One stone that must be connected is no reason yet, three are: whether such
    // points count depends on the convention. Who passed says that they do.
    let (end, next, middle) = (".X.XO...OX...", "XXXOO...OX...", "...XO...OX...");
    let mut rows = [middle; 9];
    rows[8] = end;
    rows[7] = next;
    assert_eq!(undecided(&played(&rows, false)), None);
    rows[0] = ".X.XO...OX.X.";
    rows[1] = "XXXOO...OOXXX";
    // Said of the stones or of the points to be filled, as playouts see them.
    let why = undecided(&played(&rows, false)).unwrap_or_default();
    assert!(
        ["unsettled_stones=3", "moves_left=3"].contains(&why.as_str()),
        "{why}"
    );
    assert_eq!(undecided(&played(&rows, true)), None);
    // A board that is played out leaves nothing to doubt.
    let done = ["...XO...."; 9];
    assert_eq!(undecided(&played(&done, false)), None);
    let judged = judge(&dead_by("playout"), &played(&done, false));
    assert!(judged.confidence >= Some(0.95));
}
