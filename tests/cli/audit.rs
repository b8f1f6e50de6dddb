//! `kifu audit`: the exit status says whether something disagrees.

use crate::common::run::{AGREES, Folder, ILLEGAL, MARGIN_DIFFERS, RESIGNED, WINNER_DIFFERS};

#[test]
fn the_status_says_what_was_found() {
    let folder = Folder::of_samples(&[AGREES, WINNER_DIFFERS, MARGIN_DIFFERS]);
    folder.write("broken.sgf", ILLEGAL);
    folder.write("resigned.sgf", RESIGNED);
    for (line, status) in [
        (format!("audit {AGREES} resigned.sgf"), 0),
        (format!("audit {WINNER_DIFFERS}"), 1),
        (format!("audit {MARGIN_DIFFERS}"), 1),
        (format!("audit {MARGIN_DIFFERS} --tolerance 2"), 0),
        (format!("audit {MARGIN_DIFFERS} --tolerance 1.5"), 1),
        ("audit broken.sgf".to_owned(), 1),
        // What fails is a matter of choice.
        (
            format!("audit {WINNER_DIFFERS} --fail-on margin_differs"),
            0,
        ),
        (
            format!("audit {WINNER_DIFFERS} --fail-on broken,winner_differs"),
            1,
        ),
        (
            format!("audit {WINNER_DIFFERS} --fail-on broken --fail-on winner_differs"),
            1,
        ),
        (
            "audit broken.sgf --fail-on winner_differs,margin_differs".to_owned(),
            0,
        ),
        ("audit resigned.sgf --fail-on not_comparable".to_owned(), 1),
        (format!("audit {AGREES} --fail-on agree"), 1),
    ] {
        let said = folder.run(&line);
        assert_eq!(said.status, status, "{line}: {}", said.out);
        assert_eq!(
            said.out.lines().count(),
            usize::from(status == 1),
            "{line}: {}",
            said.out
        );
    }
}

/// `label` writes the same rows and is content.
#[test]
fn only_an_audit_fails() {
    let folder = Folder::of_samples(&[WINNER_DIFFERS]);
    folder.run("label . -o labels.csv").done();
    assert_eq!(folder.run("audit . -g *.sgf -o audit.csv -q").status, 1);
    assert_eq!(folder.text("labels.csv"), folder.text("audit.csv"));
}

#[test]
fn findings_are_lines_that_begin_with_the_origin() {
    let folder = Folder::of_samples(&[AGREES, WINNER_DIFFERS]);
    folder.write("broken.sgf", ILLEGAL);
    let said = folder.run("audit 9x9 broken.sgf dirty");
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", said.out);
    let expected = "broken.sgf: broken: occupied: move 2 (\"ee\") cannot be played";
    assert!(lines[0].starts_with(expected), "{}", said.out);
    let expected = "dirty/wrong_result.sgf: winner_differs: recorded W+5.5 (swapped";
    assert!(lines[1].starts_with(expected), "{}", said.out);
}

/// Rows on standard output leave no room for findings.
#[test]
fn rows_may_take_the_place_of_findings() {
    let folder = Folder::of_samples(&[WINNER_DIFFERS]);
    let said = folder.run("audit . -o -");
    assert_eq!(said.status, 1);
    assert_eq!(said.rows().len(), 1);
}

#[test]
fn what_was_known_does_not_count_again() {
    let folder = Folder::of_samples(&[AGREES, WINNER_DIFFERS]);
    folder.run("label . -o old.csv").done();
    for baseline in ["old.csv", "old.mismatches.csv"] {
        let line = format!("audit . -g *.sgf --baseline {baseline}");
        let said = folder.run(&line);
        assert_eq!((said.status, said.out.as_str()), (0, ""), "{line}");
    }
    // Something new does, and so does something known that got worse.
    folder.write("dirty/new.sgf", ILLEGAL);
    let said = folder.run("audit . -g *.sgf --baseline old.csv");
    assert_eq!(said.status, 1);
    assert!(
        said.out.starts_with("./dirty/new.sgf: broken"),
        "{}",
        said.out
    );
    folder.write(WINNER_DIFFERS, ILLEGAL);
    assert_eq!(folder.run("audit . -g wrong* --baseline old.csv").status, 1);
}

#[test]
fn a_baseline_may_be_compressed() {
    let folder = Folder::of_samples(&[WINNER_DIFFERS]);
    for name in ["old.csv.gz", "old.csv.zst"] {
        folder.run(&format!("label dirty -o {name}")).done();
        assert_eq!(
            folder.run(&format!("audit dirty --baseline {name}")).status,
            0,
            "{name}"
        );
    }
}

#[test]
fn the_configuration_may_say_what_fails() {
    let folder = Folder::with(&[
        ("7.sgf", RESIGNED),
        ("kifu.toml", "[label]\nfail-on = ['not_comparable']\n"),
    ]);
    assert_eq!(folder.run("audit 7.sgf").status, 1);
    assert_eq!(folder.run("audit 7.sgf --fail-on broken").status, 0);
}
