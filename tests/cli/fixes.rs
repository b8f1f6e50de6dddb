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

#[test]
fn in_xiangqi_a_correction_is_as_pgn_has_it() {
    // SGF's letters would name the other player.
    let folder = Folder::new();
    let games = [
        ("3k5/1R7/9/9/9/9/9/9/4K4/R8 w", "a0a9", "0-1"),
        ("r8/4k4/9/9/9/9/9/9/1r7/3K5 b", "a9a0", "1-0"),
    ];
    for (at, (fen, last, wrong)) in games.iter().enumerate() {
        let game = format!(
            "[Game \"Chinese Chess\"]\n[Result \"{wrong}\"]\n[FEN \"{fen}\"]\n\n1. {last} {wrong}\n"
        );
        folder.write(format!("{at}.pgn"), game);
    }
    folder.run("label . --fixes fixes.csv -o o.csv").done();
    assert_eq!(
        column(&folder.rows("o.csv"), "status"),
        ["winner_differs"; 2]
    );
    let fixes = folder.rows("fixes.csv");
    assert_eq!(column(&fixes, "suggested"), ["1-0", "0-1"]);
    for (fix, (.., wrong)) in fixes.iter().zip(games) {
        let mended = folder
            .text(&fix["origin"])
            .replace(wrong, &fix["suggested"]);
        folder.write(&fix["origin"], mended);
    }
    let rows = folder.run("label . -g *.pgn -o -").done().rows();
    assert_eq!(column(&rows, "status"), ["agree"; 2]);
}
