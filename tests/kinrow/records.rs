//! Helpers: records of drawn boards, and what is said of them.

use std::fmt::Write;

use kifu::{
    format::{self, Context, SplitState},
    game::Judgement,
    outcome::Outcome,
    pipeline::{Cut, Labeller, Plan, RecordFile},
};

use crate::common;

/// A point as SGF writes it.
pub(super) fn name(column: usize, row: usize) -> String {
    let letter = |at: usize| char::from(if at < 26 { b'a' } else { b'A' - 26 } + at as u8);
    [letter(column), letter(row)].iter().collect()
}

/// A move of `B` or `W` in SGF.
pub(super) fn play(side: char, column: usize, row: usize) -> String {
    format!(";{side}[{}]", name(column, row))
}

/// The set-up of a drawing in SGF, then the move drawn as `*` for Black or `@`
/// for White.
pub(super) fn drawn(rows: &[impl AsRef<str>]) -> String {
    let all = |sign: char| {
        let row = move |(row, text): (usize, &str)| -> Vec<String> {
            let found = text.char_indices().filter(|(_, found)| *found == sign);
            found.map(|(column, _)| name(column, row)).collect()
        };
        let rows = rows.iter().map(AsRef::as_ref).enumerate();
        rows.flat_map(row).collect::<Vec<String>>()
    };
    let mut text = format!("SZ[{}:{}]", rows[0].as_ref().len(), rows.len());
    for (property, sign) in [("AB", 'X'), ("AW", 'O')] {
        let points = all(sign);
        if !points.is_empty() {
            write!(text, "{property}[{}]", points.join("][")).unwrap();
        }
    }
    for (side, sign) in [('B', '*'), ('W', '@')] {
        for point in all(sign) {
            write!(text, ";{side}[{point}]").unwrap();
        }
    }
    text
}

/// What is said of an SGF record under some rules.
pub(super) fn judged(rules: &str, body: &str) -> Judgement {
    common::judge(&common::plan(), &format!("(;GM[4]FF[4]RU[{rules}]{body})"))
}

/// What is said of the only record of a file.
pub(super) fn judged_file(plan: &Plan, format: &str, path: &str, text: &str) -> Judgement {
    let format = format::by_name(format).expect("a format");
    let (mut state, mut pieces) = (SplitState::default(), Vec::new());
    let bytes = text.as_bytes();
    let context = Context {
        path: path.to_owned(),
        ..plan.context.clone()
    };
    format.split(&mut state, bytes, true, &context, &mut |piece| {
        pieces.push(piece);
    });
    assert_eq!(pieces.len(), 1, "one record");
    let file = RecordFile::new(path, format, plan);
    let cut = Cut {
        file: &file,
        window: bytes,
        piece: pieces.remove(0),
        index: 1,
        before: 0,
    };
    let mut judged = None;
    Labeller::new(plan).label(cut, &mut |label, _| {
        assert_eq!(label.error, None, "{path}");
        judged = label.judgement.clone();
    });
    judged.expect("it was judged")
}

/// Who has won, and how it ended: `black line`, `draw full`, `- open`.
pub(super) fn end(judgement: &Judgement) -> String {
    let winner = match judgement.outcome.map(Outcome::value) {
        Some(1) => "black",
        Some(-1) => "white",
        Some(_) => "draw",
        None => "-",
    };
    format!("{winner} {}", judgement.ended.word())
}

/// What was odd, as `word` or `word=value`.
pub(super) fn warnings(judgement: &Judgement) -> Vec<String> {
    let show = |warning: &kifu::record::Warning| match &warning.value {
        Some(value) => format!("{}={value}", warning.word),
        None => warning.word.to_owned(),
    };
    judgement.warnings.iter().map(show).collect()
}
