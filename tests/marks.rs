//! Territory marked in a record: whether it says who is dead.
//!
//! Boards are drawn twice: `X` and `O` are stones; then `b` and `w` are points
//! marked as Black's and White's, `2` as both sides'.
#![cfg(feature = "cli")]

mod common;

use common::{explain_all, judge, label_all, plan};
use kifu::{game::Judgement, pipeline::Plan};

/// Black has the left, White the right; White's stone at C7 is dead.
const STONES: &[&str] = &[
    "....XO...",
    "....XO...",
    "..O.XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
];

const WHOLE: &[&str] = &[
    "bbbb..www",
    "bbbb..www",
    "bbbb..www",
    "bbbb..www",
    "bbbb..www",
    "bbbb..www",
    "bbbb..www",
    "bbbb..www",
    "bbbb..www",
];

/// A plan that finds dead stones in some way.
fn dead_by(word: &str) -> Plan {
    let mut plan = plan();
    plan.settings.dead = Some(word.to_owned());
    plan
}

/// The points of a drawing that show one of some letters, as a property.
fn property(name: &str, rows: &[&str], letters: &str) -> String {
    let mut text = String::new();
    for (row, line) in ('a'..).zip(rows) {
        let shown = ('a'..).zip(line.chars());
        for (column, _) in shown.filter(|(_, sign)| letters.contains(*sign)) {
            text += &format!("[{column}{row}]");
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("{name}{text}")
}

fn marks(rows: &[&str]) -> String {
    property("TB", rows, "b2") + &property("TW", rows, "w2")
}

fn setup(rows: &[&str]) -> String {
    let size = format!("SZ[{}:{}]", rows[0].len(), rows.len());
    size + &property("AB", rows, "X") + &property("AW", rows, "O")
}

/// A game that ends with two passes.
fn record(stones: &[&str], marks: &str) -> String {
    format!("(;GM[1]RU[Japanese]KM[0]{};B[];W[]{marks})", setup(stones))
}

/// How the dead were found, how many there are, the margin, and whether
/// something is said of the marks.
fn found(judged: &Judgement) -> String {
    let [first, second] = judged.dead.expect("it was counted");
    let margin = judged.margin.map_or("open".to_owned(), |it| it.to_string());
    let mut words = vec![judged.dead_from.unwrap_or_default().to_owned()];
    words.push(format!("{first}:{second} {margin}"));
    let warnings = judged.warnings.iter().map(|it| it.word);
    words.extend(
        warnings
            .filter(|it| *it == "partial_marks")
            .map(str::to_owned),
    );
    words.join(" ")
}

/// Black has 36 points and a prisoner, White 27; alive, the stone opens all of
/// Black's half.
const DEAD: &str = "0:1 10";
const ALIVE: &str = "0:0 open";

#[test]
fn marks_are_believed_where_they_are_a_whole_count() {
    let but = |edits: &[(usize, &'static str)]| {
        let mut rows = WHOLE.to_vec();
        for (row, line) in edits {
            rows[*row] = line;
        }
        rows
    };
    for (marked, is_whole, by_marks) in [
        (WHOLE.to_vec(), true, DEAD),
        // A twelfth of the board may be left out, or six points.
        (but(&[(0, "......www"), (1, "..bb..www")]), true, DEAD),
        (but(&[(0, "......www"), (1, "...b..www")]), false, DEAD),
        // Marks on stones of one's own are as good as none.
        (but(&[(0, "bbbbbwwww")]), true, DEAD),
        // Black's territory is marked around the stone.
        (but(&[(2, "bb.b..www")]), false, ALIVE),
        // A remark on a corner.
        (
            [&["b........"][..], &["........."; 8]].concat(),
            false,
            ALIVE,
        ),
        (
            [&["........."; 2][..], &["..b......"], &["........."; 6]].concat(),
            false,
            DEAD,
        ),
        // Both sides have the same points.
        (but(&[(8, "222b..www")]), false, DEAD),
        // Each side has the other's.
        (["wwww..bbb"; 9].to_vec(), false, ALIVE),
    ] {
        let record = record(STONES, &marks(&marked));
        let expected = if is_whole {
            format!("marked {DEAD}")
        } else {
            format!("judged {DEAD} partial_marks")
        };
        assert_eq!(found(&judge(&plan(), &record)), expected, "{marked:#?}");
        // Who asks for marks gets them.
        let marked_only = judge(&dead_by("marked"), &record);
        assert_eq!(
            found(&marked_only),
            format!("marked {by_marks}"),
            "{marked:#?}"
        );
        let playout = judge(&dead_by("playout"), &record);
        assert_eq!(found(&playout), format!("judged {DEAD}"), "{marked:#?}");
    }
}

#[test]
fn marks_of_no_point_say_nothing() {
    for marks in ["TB[zz]", "TB[]", "TB[aa:zz]TW[zz]", "TW[jj][99]"] {
        let record = record(STONES, marks);
        let expected = format!("judged {DEAD} partial_marks");
        assert_eq!(found(&judge(&plan(), &record)), expected, "{marks}");
    }
}

/// On a small board six points are most of what there is.
#[test]
fn one_mark_is_no_count_on_a_small_board() {
    let stones = [".X.O.", ".X.O.", "XX.OO", ".X.O.", ".X.O."];
    let all = marks(&["b...w", "b...w", ".....", "b...w", "b...w"]);
    for (marks, from) in [("TB[aa]", "judged"), (&*all, "marked")] {
        let judged = judge(&plan(), &record(&stones, marks));
        assert_eq!(judged.dead_from, Some(from), "{marks}");
    }
}

/// A chain is dead if most of its stones are marked, and then all of it.
#[test]
fn chains_are_dead_or_alive_as_a_whole() {
    let stones = [
        "....XO...",
        ".OO.XO.X.",
        "....XO.X.",
        "....XO.X.",
        ".OOOXO...",
        "...OXO...",
        "....XO...",
        "....XO...",
        "....XO...",
    ];
    for (marked, dead) in [
        (["..b......", "........."], [0, 0]),
        ([".bb......", "........."], [0, 2]),
        ([".......w.", "........."], [0, 0]),
        ([".......w.", ".......w."], [3, 0]),
        ([".bb......", ".......w."], [0, 2]),
    ] {
        let rows = [&["........."][..], &marked].concat();
        let judged = judge(&dead_by("marked"), &record(&stones, &marks(&rows)));
        assert_eq!(judged.dead, Some(dead), "{marked:#?}");
    }
}

/// Thirteen shared points are too many where nobody agreed that the game is over.
#[test]
fn only_a_whole_count_is_an_agreed_end() {
    let stones = [".....X.O....."; 13];
    let whole = marks(&["bbbbb...wwwww"; 13]);
    for (marks, open) in [(&*whole, None), ("TB[aa]", Some("13"))] {
        let record = format!(
            "(;GM[1]RU[Japanese]KM[0]{};B[aa];W[ma]{marks})",
            setup(&stones)
        );
        let judged = judge(&dead_by("marked"), &record);
        let warning = judged.warnings.iter().find(|it| it.word == "open_border");
        assert_eq!(warning.and_then(|it| it.value.as_deref()), open, "{marks}");
        assert_eq!(judged.margin.is_none(), open.is_some(), "{marks}");
    }
}

/// Counting under every convention is more to know, and changes nothing.
#[test]
fn a_judgement_does_not_depend_on_what_else_is_wanted() {
    for how in ["none", "marked", "playout"] {
        for marks in ["", &marks(WHOLE)] {
            let mut plan = dead_by(how);
            plan.settings.convention = Some("territory_finished".to_owned());
            let text = record(STONES, marks);
            let with_counts = judge(&plan, &text);
            plan.want.counts = false;
            let without = Judgement {
                counts: with_counts.counts.clone(),
                ..judge(&plan, &text)
            };
            assert_eq!(format!("{without:?}"), format!("{with_counts:?}"));
            // What is counted is among the counts.
            let mut counts = with_counts.counts.into_iter().flatten();
            let own = counts.find(|it| it.convention == "territory_finished");
            assert_eq!(own.map(|it| it.margin), without.margin, "{how}");
        }
    }
}

/// A judge that has judged another record says the same.
#[test]
fn nothing_is_kept_of_the_record_before() {
    let counted = record(STONES, &marks(WHOLE)).replace("RU", "RE[B+10]RU");
    let resigned = "(;GM[1]SZ[9]RE[B+R];B[ee];W[cc];B[dd])";
    let told = |text: &str| {
        let mut told = Vec::new();
        explain_all(&plan(), text.as_bytes(), &mut |_, text| {
            // All but where it stands.
            let lines = text.lines().filter(|line| !line.starts_with("record "));
            told.push(lines.collect::<Vec<_>>().join("\n"));
        });
        told.pop().expect("a record")
    };
    assert_eq!(told(&format!("{counted}{resigned}")), told(resigned));
    let rows = |text: &str| {
        let mut rows = Vec::new();
        label_all(&plan(), text.as_bytes(), &mut |label| {
            rows.push(format!("{:?} {:?}", label.judgement, label.reasons));
        });
        rows.pop()
    };
    let partial = record(STONES, "TB[aa]").replace("RU", "RE[B+3]RU");
    assert_eq!(rows(&format!("{counted}{partial}")), rows(&partial));
}
