//! Corrections of written results.

use super::common::run::{AGREES, Folder, MARGIN_DIFFERS, WINNER_DIFFERS, column, rows, sample};

#[test]
fn a_correction_is_written_where_the_label_is_sure() {
    let folder = Folder::of_samples(&[
        AGREES,
        WINNER_DIFFERS,
        MARGIN_DIFFERS,
        "dirty/resigned.sgf",
        "dirty/unfinished.sgf",
        // Counted by other rules than those assumed where none are named.
        "dirty/sina_style.sgf",
    ]);
    // The same game without its result; it ends by two passes.
    let silent = String::from_utf8(sample(AGREES)).unwrap();
    let start = silent.find("RE[").unwrap();
    let end = start + silent[start..].find(']').unwrap() + 1;
    folder.write(
        "9x9/silent.sgf",
        [&silent[..start], &silent[end..]].concat(),
    );
    folder.run("label . --fixes fixes.csv -o o.csv").done();
    let fixes = rows(&folder.read("fixes.csv"));
    assert_eq!(
        column(&fixes, "origin"),
        [
            "./9x9/silent.sgf",
            "./dirty/wrong_margin.sgf",
            "./dirty/wrong_result.sgf"
        ]
    );
    assert_eq!(column(&fixes, "written"), ["", "B+5.5", "W+5.5"]);
    let right = silent[start + 3..end - 1].to_owned();
    assert_eq!(column(&fixes, "suggested"), [&*right, "B+3.5", "B+5.5"]);
    for fix in &fixes {
        assert!(fix["grounds"].starts_with("count;"), "{fix:?}");
        assert!(fix["confidence"].parse::<f32>().unwrap() >= 0.95);
    }
    // Where nothing is judged nothing is sure.
    folder
        .run("label . --dead none --fixes none.csv -o o.csv")
        .done();
    assert_eq!(folder.rows("none.csv").len(), 0);
}
