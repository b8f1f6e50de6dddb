//! What undecided ends are worth: `--search eval` and `explain --candidates`.

use crate::common::run::{Folder, Row, run};

const UNDECIDED: &str = "data/archive/kinrow/dirty/foul_left_out.sgf";

fn reasons(row: &Row, word: &str) -> Vec<String> {
    let reasons = row["reasons"].split(';');
    let values = reasons.filter_map(|it| it.strip_prefix(&format!("{word}=")));
    values.map(str::to_owned).collect()
}

/// An estimate describes, and changes nothing else of a row.
#[test]
fn an_estimate_fills_no_value() {
    for path in [UNDECIDED, "data/archive/kinrow/dirty/cut.xml"] {
        let rows = |search: &str| {
            let line = format!("label {path} -q --search {search}");
            run(&line).done().rows()
        };
        let (plain, estimated) = (rows("vcf"), rows("eval"));
        assert_eq!(plain.len(), estimated.len());
        let mut told = 0;
        for (plain, mut row) in plain.into_iter().zip(estimated) {
            let number = reasons(&row, "eval");
            told += number.len();
            if let [number] = &number[..] {
                assert!(number.parse::<i32>().is_ok(), "{number}");
                assert!(!reasons(&row, "line")[0].is_empty());
            }
            let others = row["reasons"].split(';');
            let others = others.filter(|it| !it.starts_with("eval=") && !it.starts_with("line="));
            let others: Vec<&str> = others.collect();
            row.insert("reasons".to_owned(), others.join(";"));
            assert_eq!(row, plain);
        }
        assert_eq!(told, 1, "{path}");
    }
}

/// Four of Black's stones in a row, and nothing at their ends: a win that is
/// proven.
#[test]
fn a_proven_win_is_a_value() {
    let record = "(;GM[4]SZ[15]RU[freestyle]RE[?];B[hh];W[aa];B[ih];W[ca];B[jh];W[ea];B[kh])";
    let folder = Folder::with(&[("four.sgf", record)]);
    let row = &folder.run("label four.sgf -q --search eval").done().rows()[0];
    assert_eq!(
        (row["value"].as_str(), row["value_from"].as_str()),
        ("1", "search")
    );
    assert_eq!(reasons(row, "eval"), ["mate+1"]);
    assert_eq!(row["winner"], "", "the board itself says nothing");
}

#[test]
fn nodes_bound_the_work_and_zero_is_none() {
    let row = |nodes: u32| {
        let line = format!("label {UNDECIDED} -q --search eval --nodes {nodes}");
        run(&line).done().rows().remove(0)
    };
    assert_eq!(reasons(&row(0), "eval"), [""; 0]);
    for nodes in [1, 10, 3000] {
        assert_eq!(reasons(&row(nodes), "eval").len(), 1, "{nodes}");
        assert_eq!(row(nodes), row(nodes), "{nodes}");
    }
}

/// A proven win is counted to the line that ends it, whoever is to move.
#[test]
fn proven_wins_are_counted_to_their_end() {
    for (record, eval, line) in [
        // An open three: a straight four, what stops one end, a five at the other.
        (";B[hh];W[aa];B[ih];W[ac];B[jh];W[ae]", "mate+2", 3),
        // White is to move against two straight fours.
        (
            "AB[fh][gh][hh][ih][ff][gf][hf][if]AW[aa][ca][ea][ga][ac][cc][ec]PL[W]",
            "mate+1",
            2,
        ),
    ] {
        let record = format!("(;GM[4]SZ[15]RU[freestyle]{record})");
        let folder = Folder::with(&[("a.sgf", &record)]);
        let row = folder
            .run("label a.sgf -q --search eval")
            .done()
            .rows()
            .remove(0);
        assert_eq!((&*row["value"], &*row["value_from"]), ("1", "search"));
        assert_eq!(reasons(&row, "eval"), [eval]);
        assert_eq!(reasons(&row, "line")[0].split(',').count(), line, "{row:?}");
    }
}

/// A line that there is no time for is no win: with one empty point left the game is
/// drawn, and White's next stone leaves one.
#[test]
fn what_comes_after_a_draw_is_no_win() {
    let moves = ";B[ba];W[bc];B[bb];W[cb];B[ac];W[ab];B[cc]";
    for (rules, value) in [("tictactoe,draw_at=1", ""), ("tictactoe", "1")] {
        let record = format!("(;GM[4]SZ[3]RU[{rules}]{moves})");
        let folder = Folder::with(&[("a.sgf", &record)]);
        for search in ["eval", "vct", "vcf"] {
            let said = folder.run(&format!("label a.sgf -q --search {search}"));
            let row = said.done().rows().remove(0);
            assert_eq!(row["value"], value, "{rules} {search}: {row:?}");
        }
    }
}

#[test]
fn candidates_stand_on_the_board_and_in_a_list() {
    let said = run(&format!("explain {UNDECIDED} --candidates=3"))
        .done()
        .out;
    let listed = said.lines().filter(|line| line.starts_with("candidate "));
    let listed: Vec<Vec<&str>> = listed
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(listed.len(), 3, "{said}");
    let worth = |line: &Vec<&str>| line[2].parse::<i32>().unwrap();
    assert!(
        listed.is_sorted_by_key(|line| -worth(line)),
        "the best one first: {said}"
    );
    for line in &listed {
        // `f8`: its column and row on the board hold the letter.
        let (letter, point) = (line[1], line[3]);
        let row = said
            .lines()
            .find(|line| line.trim_start().starts_with(&format!("{} ", &point[1..])));
        let column = usize::from(point.as_bytes()[0] - b'a');
        assert_eq!(&row.unwrap()[4 + 2 * column..][..1], letter, "{said}");
    }
    assert!(
        !run(&format!("explain {UNDECIDED}"))
            .done()
            .out
            .contains("candidate")
    );
}

#[test]
fn candidates_are_for_programs_too() {
    let candidates = |line: &str| -> Vec<serde_json::Value> {
        let said = run(&format!("explain {line} --format json")).done().out;
        let told: serde_json::Value = serde_json::from_str(&said).unwrap();
        told["candidates"].as_array().unwrap().clone()
    };
    let xiangqi = "data/archive/xiangqi/boards/chinese.txt#2";
    for origin in [UNDECIDED, xiangqi] {
        assert_eq!(candidates(origin).len(), 0);
        let found = candidates(&format!("{origin} --candidates"));
        assert!((1..=5).contains(&found.len()), "{found:?}");
        assert!(
            found
                .iter()
                .all(|it| !it["line"].as_array().unwrap().is_empty())
        );
    }
    // There are none where it is over, where nothing is searched, and of no nodes;
    // and it is said.
    let undecided = format!("{UNDECIDED} --nodes 0");
    for (origin, why) in [
        (
            "data/archive/go/9x9/001.sgf",
            "moves of Go are not searched",
        ),
        ("data/archive/kinrow/boards/final.txt", "the play has ended"),
        (&undecided, "no position may be looked at (--nodes 0)"),
    ] {
        let asked = format!("{origin} --candidates=9");
        assert_eq!(candidates(&asked).len(), 0, "{origin}");
        let said = run(&format!("explain {asked}")).done().out;
        let none = format!("no candidates: {why}\n");
        assert!(said.contains(&none), "{said}");
        let said = run(&format!("explain {origin}")).done().out;
        assert!(!said.contains("no candidates"), "{said}");
    }
    // More nodes see more.
    let worth = |nodes: u32| candidates(&format!("{UNDECIDED} --candidates --nodes {nodes}"));
    assert_ne!(worth(100), worth(2000));
    // On an empty board Black is to move.
    let folder = Folder::with(&[("new.sgf", "(;GM[4]SZ[15])")]);
    let path = folder.path("new.sgf");
    assert_eq!(
        candidates(&format!("{} --candidates", path.display())).len(),
        1
    );
}

#[test]
fn a_number_of_candidates_is_a_number() {
    for wrong in ["0", "27", "x"] {
        let said = run(&format!("explain {UNDECIDED} --candidates={wrong}"));
        assert_eq!(said.status, 2);
        assert!(
            said.err.contains("write a number from 1 to 26"),
            "{}",
            said.err
        );
    }
}
