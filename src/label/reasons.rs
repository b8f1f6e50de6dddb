//! Reasons that any game shares, and the order of all of them.

use std::fmt::Write;

use super::{Label, claim};
use crate::{game::Reason, outcome::Points};

/// Words of reasons, by how often they were what was behind a disagreement in
/// real archives; those that only describe come last. Others stand before
/// those.
const ORDER: [&str; 17] = [
    // Last moves and neutral points.
    "last_move",
    "dame",
    "last_pass",
    // Another way to count, other rules.
    "convention",
    "rules",
    "false_eyes",
    "seki",
    "handicap_bonus",
    // A record that stops before its game did.
    "cut",
    "half_point",
    "komi",
    "ko",
    // The status of one group.
    "dead",
    "alive",
    "swapped",
    "zi",
    "duplicate",
];

/// Words that only describe.
const DESCRIBING: [&str; 2] = ["neutral", "board_says"];

/// Puts reasons in order; those of one word stay as they are.
pub(crate) fn sort(reasons: &mut [Reason]) {
    reasons.sort_by_key(|reason| {
        let place = |words: &[&str]| words.iter().position(|word| *word == reason.word);
        match (place(&ORDER), place(&DESCRIBING)) {
            (Some(place), _) => place,
            (None, None) => ORDER.len(),
            (None, Some(place)) => ORDER.len() + 1 + place,
        }
    });
}

/// Adds reasons that need no knowledge of the game, and puts all in order.
pub(crate) fn finish(label: &Label<'_>, reasons: &mut Vec<Reason>) {
    let claimed = claim(&label.recorded);
    let board = label.board_margin();
    if let (Some(board), Some(claimed)) = (board, claimed.margin) {
        if label.recorded.zi && claimed.in_quarters() == board.in_quarters() * 2 {
            reasons.push(Reason::with("zi", "written_in_points"));
        }
        if !label.recorded.zi && claimed.doubled() == board {
            reasons.push(Reason::new("zi"));
        }
        let rounded = claimed.is_whole() && !board.is_whole();
        if rounded && (claimed - board).abs() == Points::HALF {
            reasons.push(Reason::new("half_point"));
        }
        if claimed == -board && board != Points::ZERO {
            reasons.push(Reason::new("swapped"));
        }
    }
    if let Some(missing) = missing_moves(label) {
        reasons.push(Reason::with("cut", missing.to_string()));
    }
    if let Some(outcome) = label.board_outcome() {
        let mut says = String::with_capacity(16);
        says.push_str(label.outcome_word(outcome));
        if let Some(margin) = board.filter(|margin| *margin != Points::ZERO) {
            // Writing to a string cannot fail.
            let _ = write!(says, "+{}", margin.abs());
        }
        reasons.push(Reason::with("board_says", says));
    }
    sort(reasons);
}

/// How many moves fewer a record has than its header or index says.
fn missing_moves(label: &Label<'_>) -> Option<u32> {
    let warning = label.warnings.iter().find(|it| it.word == "move_count")?;
    // Such as `index=120,line=112`.
    let (said, read) = warning.value.as_deref()?.split_once(',')?;
    let number = |text: &str| text.split_once('=')?.1.parse::<u32>().ok();
    number(said)?
        .checked_sub(number(read)?)
        .filter(|it| *it > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        label::Status,
        record::{Origin, Place, Warning},
    };

    #[test]
    fn moves_that_are_missing_are_counted() {
        for (value, expected) in [
            ("index=120,line=112", Some(8)),
            ("header=3,moves=2", Some(1)),
            ("header=2,moves=3", None),
            ("header=99999999999,moves=3", None),
            ("3", None),
        ] {
            let mut label = Label::unjudged(Origin::new("a.sgf", 1), "sgf", Status::Agree, None);
            let warning = Warning::with("move_count", value, Place::Record);
            label.warnings.push(warning);
            assert_eq!(missing_moves(&label), expected, "{value}");
        }
    }

    #[test]
    fn causes_come_by_frequency_and_descriptions_last() {
        let words = [
            "board_says",
            "profile",
            "komi",
            "zi",
            "dame",
            "neutral",
            "cut",
        ];
        let mut reasons = words.map(Reason::new).to_vec();
        sort(&mut reasons);
        let sorted: Vec<&str> = reasons.iter().map(|reason| reason.word).collect();
        let expected = [
            "dame",
            "cut",
            "komi",
            "zi",
            "profile",
            "neutral",
            "board_says",
        ];
        assert_eq!(sorted, expected);
    }
}
