//! Games that are there twice with different results.

use super::common::{
    pack,
    run::{Folder, column},
};

/// Twelve moves, and what stands in the root.
fn game(root: &str) -> String {
    let moves = ";B[aa];W[ba];B[ca];W[da];B[ea];W[fa];B[ga];W[ha];B[ia];W[ab];B[bb];W[cb]";
    format!("(;GM[1]SZ[9]{root}{moves})")
}

#[test]
fn other_results_of_the_same_game_are_named() {
    let folder = Folder::with(&[
        ("a.sgf", &game("RE[B+R]")),
        ("b;2@x.sgf", &game("PB[somebody]RE[W+R]")),
        // The same winner on other grounds is no contradiction.
        ("c.sgf", &game("RE[B+T]")),
        ("d.sgf", &game("KM[6.5]RE[W+3.5]")),
        ("e.sgf", &game("RE[W+4.5]")),
        ("f.sgf", &game("RE[?]")),
        ("short.sgf", "(;SZ[9]RE[B+R];B[aa])"),
        ("short-too.sgf", "(;SZ[9]RE[W+R];B[aa])"),
    ]);
    folder.write("g.zip", pack::zip(&[("h.sgf", game("RE[0]").as_bytes())]));
    let args = "label a.sgf b;2@x.sgf c.sgf d.sgf e.sgf f.sgf g.zip short.sgf short-too.sgf -q";
    folder.run(&format!("{args} -o plain.csv")).done();
    let rows = folder.rows("plain.csv");
    assert!(rows.iter().all(|row| !row["reasons"].contains("duplicate")));
    let mut before = None;
    for jobs in [1, 2] {
        folder
            .run(&format!("{args} --duplicates -j {jobs} -o o.csv"))
            .done();
        let rows = folder.rows("o.csv");
        let other = |row: usize| {
            let reasons = rows[row]["reasons"].split(';');
            let mut named = reasons.filter_map(|reason| reason.strip_prefix("duplicate="));
            named.next().unwrap_or_default().to_owned()
        };
        let found: Vec<String> = (0..rows.len()).map(other).collect();
        let first = "b%3B2%40x.sgf";
        assert_eq!(
            found,
            [first, "a.sgf", first, "a.sgf", "a.sgf", "", "a.sgf", "", ""]
        );
        let reasons = column(&rows, "reasons").join("\n");
        assert_eq!(*before.get_or_insert(reasons.clone()), reasons);
    }
}

/// A result without a margin contradicts neither, and hides nothing.
#[test]
fn a_result_without_a_margin_hides_no_contradiction() {
    let folder = Folder::with(&[
        ("a.sgf", &game("RE[B+R]")),
        ("b.sgf", &game("RE[B+3.5]")),
        ("c.sgf", &game("RE[B+5.5]")),
    ]);
    folder
        .run("label a.sgf b.sgf c.sgf --duplicates -q -o o.csv")
        .done();
    let rows = folder.rows("o.csv");
    let named = |row: usize| rows[row]["reasons"].contains("duplicate=");
    assert_eq!([named(0), named(1), named(2)], [false, true, true]);
}

#[test]
fn standard_input_cannot_be_read_twice() {
    let folder = Folder::new();
    for (args, flag) in [
        ("label - --duplicates", "--duplicates"),
        ("label --files-from - --duplicates", "--duplicates"),
        ("label - --with duplicate_of,split", "--with duplicate_of"),
        ("label - --with split", "--with split"),
    ] {
        let said = folder.run(args);
        assert_eq!(said.status, 2);
        let expected = format!("{flag} reads everything three times");
        assert!(said.err.contains(&expected), "{}", said.err);
    }
}
