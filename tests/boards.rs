//! The classic final boards, drawn: who gets how much under which rules.
//!
//! `X` and `O` are living stones of Black and White, `x` and `o` dead ones.
//! A drawing is 9x9; larger boards repeat its last column and its last row.
#![cfg(feature = "cli")]

mod common;

use std::fmt::Write;

use common::{judge, plan};
use kifu::{
    game::Judgement,
    outcome::{Ending, From, Points},
    pipeline::Plan,
};

const SIZES: [usize; 3] = [9, 13, 19];

/// A drawing on a larger board: its last column and row are repeated.
fn stretch(rows: &[&str], size: usize) -> Vec<String> {
    let mut tall: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
    let last = tall.last().expect("a row").clone();
    tall.resize(size, last);
    for row in &mut tall {
        let last = row.chars().last().expect("a column");
        row.extend(std::iter::repeat_n(last, size - row.len()));
    }
    tall
}

/// The points of a drawing that show one of some letters, as SGF values.
fn points(rows: &[String], letters: &str) -> String {
    let mut values = String::new();
    for (row, text) in (b'a'..).zip(rows) {
        for (column, _) in (b'a'..)
            .zip(text.chars())
            .filter(|(_, c)| letters.contains(*c))
        {
            write!(values, "[{}{}]", char::from(column), char::from(row)).unwrap();
        }
    }
    values
}

/// The set-up of a drawing: `SZ`, `AB` and `AW`.
fn setup(rows: &[String]) -> String {
    let mut text = format!("SZ[{}:{}]", rows[0].len(), rows.len());
    for (name, letters) in [("AB", "Xx"), ("AW", "Oo")] {
        let points = points(rows, letters);
        if !points.is_empty() {
            write!(text, "{name}{points}").unwrap();
        }
    }
    text
}

/// The dead stones of a drawing marked as territory, as servers do.
fn marks(rows: &[String]) -> String {
    let mut text = String::new();
    for (name, letters) in [("TB", "o"), ("TW", "x")] {
        let points = points(rows, letters);
        if !points.is_empty() {
            write!(text, "{name}{points}").unwrap();
        }
    }
    text
}

/// A finished game: a root, the set-up of a drawing and two passes.
fn record(root: &str, rows: &[String]) -> String {
    let (setup, marks) = (setup(rows), marks(rows));
    format!("(;GM[1]FF[4]{root}{setup};B[];W[]{marks})")
}

/// A plan that finds dead stones in some way.
fn dead_by(word: &str) -> Plan {
    let mut plan = plan();
    plan.settings.dead = Some(word.to_owned());
    plan
}

/// A plan with a convention in which all stones that stand are alive.
fn counted_by(convention: &str) -> Plan {
    let mut plan = dead_by("none");
    plan.settings.convention = Some(convention.to_owned());
    plan
}

/// The points of both sides as `black:white`.
fn score(judgement: &Judgement) -> String {
    let Some([black, white]) = judgement.points else {
        return "undecided".to_owned();
    };
    assert_eq!(judgement.margin, Some(black - white));
    format!("{black}:{white}")
}

/// The score of one record in which no stone is dead.
fn standing(record: &str) -> String {
    score(&judge(&dead_by("none"), record))
}

/// One drawing and what it counts, without komi.
struct Drawing {
    name: &'static str,
    rows: &'static [&'static str],
    /// For each of 9, 13 and 19 the score by area (with no tax) and by
    /// territory (seki and false eyes counted), dead stones taken off.
    counts: [[&'static str; 2]; 3],
    /// Stones judged dead.
    dead: [u32; 2],
    /// Whether life and death are beyond doubt, so that any judge agrees.
    settled: bool,
}

const EMPTY: &[&str] = &[
    ".........",
    ".........",
    ".........",
    ".........",
    ".........",
    ".........",
    ".........",
    ".........",
    ".........",
];

const HALVES: &[&str] = &[
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
];

/// A white group with one eye in Black's corner.
const PRISON: &[&str] = &[
    ".oX..XO..",
    "ooX..XO..",
    "XXX..XO..",
    ".....XO..",
    ".....XO..",
    ".....XO..",
    ".....XO..",
    ".....XO..",
    ".....XO..",
];

/// The corner and the group around it have one eye each and a liberty
/// that neither can take.
const SEKI: &[&str] = &[
    "XX.O.OX..",
    ".XOOOOX..",
    "XXOXXXX..",
    "OOOX.....",
    "XXXX.....",
    "XXXXXXXXX",
    "OOOOOOOOO",
    ".........",
    ".........",
];

const DRAWINGS: &[Drawing] = &[
    Drawing {
        name: "an empty board belongs to nobody",
        rows: EMPTY,
        counts: [["0:0"; 2]; 3],
        dead: [0, 0],
        settled: true,
    },
    Drawing {
        name: "one stone owns the board",
        rows: &[
            ".........",
            ".........",
            ".........",
            ".........",
            "....X....",
            ".........",
            ".........",
            ".........",
            ".........",
        ],
        counts: [["81:0", "80:0"], ["169:0", "168:0"], ["361:0", "360:0"]],
        dead: [0, 0],
        settled: false,
    },
    Drawing {
        name: "a full board of one colour",
        rows: &["XXXXXXXXX"; 9],
        counts: [["81:0", "0:0"], ["169:0", "0:0"], ["361:0", "0:0"]],
        dead: [0, 0],
        settled: false,
    },
    Drawing {
        name: "halves",
        rows: HALVES,
        counts: [
            ["45:36", "36:27"],
            ["65:104", "52:91"],
            ["95:266", "76:247"],
        ],
        dead: [0, 0],
        settled: true,
    },
    Drawing {
        name: "halves with shared points between them",
        rows: &[
            "....X.O..",
            "....X.O..",
            "...XX.O..",
            "...X..O..",
            "...XXXO..",
            "....XOO..",
            "....XO...",
            "....XO...",
            "....XO...",
        ],
        counts: [["45:31", "33:21"], ["65:99", "49:85"], ["95:261", "73:241"]],
        dead: [0, 0],
        settled: true,
    },
    Drawing {
        name: "a dead group counts as prisoners or as area",
        rows: PRISON,
        counts: [
            ["54:27", "43:18"],
            ["78:91", "63:78"],
            ["114:247", "93:228"],
        ],
        dead: [0, 3],
        settled: true,
    },
    Drawing {
        name: "nobody is dead in a seki",
        rows: SEKI,
        counts: [
            ["42:38", "17:19"],
            ["66:102", "37:79"],
            ["102:258", "67:229"],
        ],
        dead: [0, 0],
        settled: true,
    },
    Drawing {
        name: "two eyes live in the corner",
        rows: &[
            ".X.XO....",
            "XXXXO....",
            "OOOOO....",
            ".........",
            ".........",
            ".........",
            ".........",
            ".........",
            ".........",
        ],
        counts: [["8:73", "2:66"], ["8:161", "2:154"], ["8:353", "2:346"]],
        dead: [0, 0],
        settled: true,
    },
];

#[test]
fn every_drawing_counts_as_it_should() {
    for drawing in DRAWINGS {
        for (size, expected) in SIZES.into_iter().zip(drawing.counts) {
            let rows = stretch(drawing.rows, size);
            // Where stones are dead only their marks tell.
            let plan = dead_by("marked");
            for (rules, expected) in ["tromp-taylor", "japanese"].into_iter().zip(expected) {
                let judged = judge(&plan, &record(&format!("KM[0]RU[{rules}]"), &rows));
                let context = format!("{} on {size} under {rules}", drawing.name);
                assert_eq!(score(&judged), expected, "{context}");
                assert_eq!(judged.dead, Some(drawing.dead), "{context}");
                assert_eq!(judged.ended, Ending::Passes, "{context}");
                let marked = drawing.dead != [0, 0];
                let from = if marked { "marked" } else { "none" };
                assert_eq!(judged.dead_from, Some(from), "{context}");
            }
        }
    }
}

#[test]
fn settled_drawings_count_alike_without_marks() {
    for drawing in DRAWINGS {
        for (size, expected) in SIZES.into_iter().zip(drawing.counts) {
            let rows = stretch(drawing.rows, size);
            for (rules, expected) in ["tromp-taylor", "japanese"].into_iter().zip(expected) {
                let root = format!("KM[0]RU[{rules}]{}", setup(&rows));
                let judged = judge(&plan(), &format!("(;{root};B[];W[])"));
                let context = format!("{} on {size} under {rules}", drawing.name);
                assert_eq!(judged.dead_from, Some("judged"), "{context}");
                if drawing.settled {
                    assert_eq!(score(&judged), expected, "{context}");
                    assert_eq!(judged.dead, Some(drawing.dead), "{context}");
                }
            }
        }
    }
}

#[test]
fn a_chequerboard_is_full_and_even() {
    for (size, expected) in SIZES.into_iter().zip(["41:40", "85:84", "181:180"]) {
        let letter = |place: usize| if place.is_multiple_of(2) { 'X' } else { 'O' };
        let rows: Vec<String> = (0..size)
            .map(|row| (0..size).map(|column| letter(row + column)).collect())
            .collect();
        assert_eq!(standing(&record("KM[0]RU[Chinese]", &rows)), expected);
        assert_eq!(standing(&record("KM[0]RU[Japanese]", &rows)), "0:0");
        // Whatever a judge makes of stones without liberties, the row is there.
        let judged = judge(&plan(), &record("KM[0]", &rows));
        assert_eq!(judged.dead_from, Some("judged"));
    }
}

#[test]
fn nothing_is_taken_off_where_nothing_is_dead() {
    // The white corner keeps its eye and the points around it are Black's.
    for (size, area, territory) in [
        (9, "50:31", "36:19"),
        (13, "74:95", "56:79"),
        (19, "110:251", "86:229"),
    ] {
        let rows = stretch(PRISON, size);
        for (rules, expected) in [("Chinese", area), ("Japanese", territory)] {
            let record = record(&format!("KM[0]RU[{rules}]"), &rows);
            let judged = judge(&dead_by("none"), &record);
            assert_eq!(score(&judged), expected, "{size} {rules}");
            assert_eq!(judged.dead_from, Some("none"));
            assert_eq!(judged.dead, Some([0, 0]));
        }
    }
}

#[test]
fn marks_say_who_is_dead_even_where_they_are_wrong() {
    let rows = stretch(PRISON, 9);
    let setup = setup(&rows);
    let score = |plan: &Plan, marks: &str| {
        let record = format!("(;KM[0]RU[Japanese]{setup};B[];W[]{marks})");
        score(&judge(plan, &record))
    };
    let marked = |marks: &str| score(&dead_by("marked"), marks);
    // Only one of the three stones.
    assert_eq!(marked("TB[ba]"), "36:19");
    assert_eq!(marked("TB[aa:bb]"), "43:18");
    // Empty points and stones of one's own are only marks.
    assert_eq!(marked("TB[aa:bb][fi]TW[gi][ii]"), "43:18");
    // Without Black's wall nobody surrounds the middle.
    assert_eq!(marked("TW[fa:fi]"), "undecided");
    // Marks beside no stones are still marks.
    assert_eq!(marked("TB[da]"), "36:19");
    // Playouts do not look at marks.
    assert_eq!(score(&dead_by("playout"), "TB[ba]"), "43:18");
}

#[test]
fn marks_before_the_last_move_are_old() {
    let setup = setup(&stretch(PRISON, 9));
    let record = format!("(;KM[0]RU[Japanese]{setup};B[]TB[aa:bb];W[])");
    let judged = judge(&dead_by("marked"), &record);
    assert_eq!(judged.dead_from, Some("none"));
    assert_eq!(score(&judged), "36:19");
}

#[test]
fn komi_decides_an_empty_board() {
    let full_names = [
        ("Japanese", "-6.5"),
        ("Korean", "-6.5"),
        ("Chinese", "-7.5"),
        ("AGA", "-7.5"),
        ("New Zealand", "-7"),
        ("GOE", "-7.5"),
        ("Tromp-Taylor", "-7.5"),
        ("", "-6.5"),
    ];
    for size in SIZES {
        let rows = stretch(EMPTY, size);
        for (rules, margin) in full_names {
            for plan in [dead_by("none"), dead_by("marked"), plan()] {
                let judged = judge(&plan, &record(&format!("RU[{rules}]"), &rows));
                let shown = judged.margin.map(|margin| margin.to_string());
                assert_eq!(shown.as_deref(), Some(margin), "{size} {rules}");
                assert_eq!(judged.komi_from, From::Default);
                let all = size * size;
                assert_eq!(judged.neutral, Some(all as u32));
            }
        }
    }
}

#[test]
fn komi_as_written() {
    let rows = stretch(HALVES, 9);
    for (written, expected, from) in [
        ("6.5", "45:42.5", From::Record),
        ("6,5", "45:42.5", From::Record),
        ("0", "45:36", From::Record),
        ("9", "45:45", From::Record),
        // Black gets points where komi is below nothing.
        ("-5.5", "45:30.5", From::Record),
        ("-40", "45:-4", From::Record),
        // A zi is two points.
        ("3.75", "45:43.5", From::Scaled),
        ("2.75", "45:41.5", From::Scaled),
        ("3.25", "45:42.5", From::Scaled),
        ("3又3/4子", "45:43.5", From::Scaled),
        ("375", "45:43.5", From::Scaled),
        ("650", "45:42.5", From::Scaled),
        ("", "45:43.5", From::Default),
        ("much", "45:43.5", From::Default),
    ] {
        let record = record(&format!("KM[{written}]RU[Chinese]"), &rows);
        let judged = judge(&dead_by("none"), &record);
        assert_eq!(score(&judged), expected, "KM[{written}]");
        assert_eq!(judged.komi_from, from, "KM[{written}]");
    }
}

#[test]
fn komi_from_the_user_comes_before_or_after_the_record() {
    let rows = stretch(HALVES, 9);
    let mut forced = dead_by("none");
    forced.settings.komi = Some((Points::whole(1), From::Flag));
    let mut default = dead_by("none");
    default.settings.default_komi = Some((Points::whole(2), From::Config));
    for (plan, root, expected, from) in [
        (&forced, "KM[6]", "36:28", From::Flag),
        (&forced, "", "36:28", From::Flag),
        (&default, "KM[6]", "36:33", From::Record),
        (&default, "", "36:29", From::Config),
    ] {
        let judged = judge(plan, &record(root, &rows));
        assert_eq!(
            (score(&judged).as_str(), judged.komi_from),
            (expected, from)
        );
    }
}

#[test]
fn the_same_board_under_every_rule() {
    let rows = stretch(SEKI, 9);
    // The komi is 0, so that only the count differs.
    for (rules, expected) in [
        ("Japanese", "17:19"),
        ("Korean", "17:19"),
        ("Chinese", "42:38"),
        ("AGA", "42:38"),
        ("NZ", "42:38"),
        ("Ing", "42:38"),
        // One point of each side is an eye in seki.
        ("chinese,tax=seki", "41:37"),
        // And two points for each group that lives.
        ("ancient-area", "39:35"),
    ] {
        let mut plan = dead_by("none");
        plan.settings.rules = Some((rules.to_owned(), From::Flag));
        let judged = judge(&plan, &record("KM[0]", &rows));
        assert_eq!(score(&judged), expected, "{rules}");
        assert_eq!(judged.rules_from, From::Flag);
    }
}

#[test]
fn conventions_differ_in_seki_and_false_eyes() {
    let false_eye: &[&str] = &[
        "X.XO.....",
        "OXXO.....",
        "OOXOOOOOO",
        ".OXXXXXXX",
        "OOX.X.X..",
        ".OXXXXXXX",
        "OOX......",
        ".OX......",
        "OOX......",
    ];
    for (rows, rules, convention, expected) in [
        (SEKI, "Chinese", "area", "42:38"),
        (SEKI, "Japanese", "territory_flood", "17:19"),
        (SEKI, "Japanese", "territory_strict", "16:18"),
        (false_eye, "Chinese", "area", "48:33"),
        (false_eye, "Japanese", "territory_flood", "23:13"),
        (false_eye, "Japanese", "territory_strict", "22:13"),
    ] {
        let record = record(&format!("KM[0]RU[{rules}]"), &stretch(rows, 9));
        let judged = judge(&counted_by(convention), &record);
        assert_eq!(score(&judged), expected, "{convention} of {rows:#?}");
        assert_eq!(judged.convention, Some(convention));
    }
}

#[test]
fn area_is_territory_and_the_stones_that_stand() {
    for drawing in DRAWINGS {
        for size in SIZES {
            let rows = stretch(drawing.rows, size);
            let count = |letter| rows.iter().flat_map(|row| row.matches(letter)).count();
            let more_black = Points::whole(count(['X', 'x']) as i32 - count(['O', 'o']) as i32);
            let margin = |convention| {
                let record = record("KM[0]RU[Chinese]", &rows);
                judge(&counted_by(convention), &record).margin.unwrap()
            };
            let (area, territory) = (margin("area"), margin("territory_flood"));
            assert_eq!(area - territory, more_black, "{} {size}", drawing.name);
        }
    }
}

#[test]
fn area_and_territory_differ_by_the_last_move() {
    // Halves of 5x5 built in play; Black to move after equal stones.
    let walls = ";B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de]";
    for (last, territory, area) in [
        (";B[];W[]", "10:5", "15:10"),
        // A move into one's own territory costs a point, but no area.
        (";B[aa];W[]", "9:5", "15:10"),
        (";B[aa];W[ea]", "9:4", "15:10"),
    ] {
        let record = |rules| format!("(;SZ[5]KM[0]RU[{rules}]{walls}{last})");
        assert_eq!(standing(&record("Japanese")), territory, "{last}");
        assert_eq!(standing(&record("Chinese")), area, "{last}");
    }
}

#[test]
fn a_shared_point_goes_to_who_fills_it() {
    // One point between the walls, which neither side surrounds.
    let walls = "AB[ca:ce][bb]AE[cb]AW[da:de]";
    for (fill, territory, area) in [
        ("", "9:5", "14:10"),
        (";B[cb];W[]", "9:5", "15:10"),
        (";W[cb];B[]", "9:5", "14:11"),
    ] {
        let record = |rules| format!("(;SZ[5]KM[0]RU[{rules}]{walls}{fill};B[];W[])");
        assert_eq!(standing(&record("Japanese")), territory, "{fill}");
        assert_eq!(standing(&record("Chinese")), area, "{fill}");
    }
}

#[test]
fn compensation_for_handicap_stones() {
    let stars = "AB[pd][dp][dd][pp][dj][pj][jd][jp][jj]";
    for (rules, white) in [
        ("Chinese", "9.5"),
        ("AGA", "8.5"),
        ("BGA", "8.5"),
        ("French", "8.5"),
        ("Japanese", "0.5"),
        ("Korean", "0.5"),
        ("NZ", "0.5"),
        ("Ing", "0.5"),
        ("Tromp-Taylor", "0.5"),
    ] {
        // Komi as written and as it is by default in a handicap game.
        for komi in ["KM[0.5]", ""] {
            let record = format!("(;SZ[19]HA[9]{komi}RU[{rules}]{stars};W[];B[])");
            let judged = judge(&dead_by("none"), &record);
            assert_eq!(judged.handicap, 9, "{rules}");
            let shown = judged.points.map(|points| points[1].to_string());
            assert_eq!(shown.as_deref(), Some(white), "{rules} {komi}");
        }
    }
}

#[test]
fn a_handicap_of_one_is_no_stone() {
    for (root, white, handicap) in [
        ("HA[1]", "0.5", 0),
        ("HA[1]KM[0.5]", "0.5", 0),
        ("HA[0]", "7.5", 0),
        ("", "7.5", 0),
        // Two stones of two: compensated; of three: not.
        ("HA[2]AB[cc][gg]", "2.5", 2),
        ("HA[3]AB[cc][gg]", "0.5", 0),
        // A position to start from is no handicap.
        ("AB[cc][gg]", "7.5", 0),
        ("HA[2]AB[cc][gg]AW[cg]", "0.5", 0),
    ] {
        let record = format!("(;SZ[9]RU[Chinese]{root};B[];W[])");
        let judged = judge(&counted_by("territory_flood"), &record);
        let [_, found] = judged.points.unwrap();
        assert_eq!(found.to_string(), white, "{root}");
        assert_eq!(judged.handicap, handicap, "{root}");
        let mismatch = judged
            .warnings
            .iter()
            .any(|w| w.word == "handicap_mismatch");
        let expected = handicap == 0 && (root.starts_with("HA[2]") || root.starts_with("HA[3]"));
        assert_eq!(mismatch, expected, "{root}");
    }
}

#[test]
fn the_button_goes_to_the_first_pass() {
    let setup = setup(&stretch(HALVES, 9));
    for (passes, expected) in [
        (";B[];W[]", "45.5:43"),
        (";W[];B[]", "45:43.5"),
        // The pass that was answered by a move has the button all the same.
        (";W[];B[aa];W[];B[]", "45:43.5"),
        (";B[aa];W[];B[]", "45:43.5"),
        ("", "45:43"),
    ] {
        let record = format!("(;RU[aga-button]KM[7]{setup}{passes})");
        assert_eq!(standing(&record), expected, "{passes}");
        let plain = record.replace("aga-button", "aga");
        assert_eq!(standing(&plain), "45:43", "{passes}");
    }
}

#[test]
fn pass_stones_make_territory_equal_to_area() {
    // White passes last, so each side has played and passed equally often.
    let walls = ";B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de]";
    for ends in [
        ";B[];W[]",
        ";B[];W[ea];B[];W[]",
        ";B[aa];W[];B[];W[]",
        ";B[ab];W[];B[];W[ed]",
    ] {
        let margin = |convention: &str, rules: &str| {
            let mut plan = counted_by(convention);
            plan.settings.rules = Some((rules.to_owned(), From::Flag));
            let record = format!("(;SZ[5]KM[0]{walls}{ends})");
            judge(&plan, &record).margin.unwrap()
        };
        let rules = "aga,pass_stones=yes";
        let area = margin("area", rules);
        assert_eq!(area, Points::whole(5), "{ends}");
        assert_eq!(margin("territory_flood", rules), area, "{ends}");
    }
    let passes = |rules: &str| {
        let mut plan = counted_by("territory_flood");
        plan.settings.rules = Some((rules.to_owned(), From::Flag));
        score(&judge(&plan, "(;SZ[9]KM[0];B[];W[];B[])"))
    };
    // White passes once more than the record says.
    assert_eq!(passes("japanese,pass_stones=yes"), "2:2");
    assert_eq!(passes("japanese"), "0:0");
}

#[test]
fn stones_taken_in_play_are_prisoners_of_the_taker() {
    // Black takes two in the corner, then White takes one on the edge.
    let taken = ";W[aa];B[ba];W[ab];B[bb];W[];B[ac]";
    let back = ";W[ee];B[];W[ed];B[de];W[ce];B[];W[dd]";
    for (moves, territory, area) in [
        // The corner is empty again: 22 points and two prisoners.
        (taken.to_owned(), "24:0", "25:0"),
        (format!("{taken}{back}"), "4:2", "5:5"),
    ] {
        let record = |rules| format!("(;SZ[5]KM[0]RU[{rules}]{moves};B[];W[])");
        assert_eq!(standing(&record("Japanese")), territory, "{moves}");
        assert_eq!(standing(&record("Chinese")), area, "{moves}");
    }
}

#[test]
fn prisoners_and_dead_stones_add_up() {
    // One white stone is taken in play, three more die in the corner.
    let setup = setup(&stretch(PRISON, 9));
    let moves = ";W[di];B[ci];W[];B[ei];W[];B[dh]";
    let record = |rules: &str| format!("(;KM[0]RU[{rules}]{setup}{moves};W[];B[]TB[ba][ab][bb])");
    // 43 points less three stones and with one prisoner.
    assert_eq!(standing(&record("Japanese")), "34:19");
    let marked = judge(&dead_by("marked"), &record("Japanese"));
    assert_eq!(score(&marked), "41:18");
    let marked = judge(&dead_by("marked"), &record("Chinese"));
    assert_eq!(score(&marked), "54:27");
}

#[test]
fn a_stone_that_is_edited_away_is_no_prisoner() {
    let record = "(;SZ[5]KM[0]RU[Japanese]AB[cc]AW[aa][ba];AE[aa][ba];B[];W[])";
    assert_eq!(standing(record), "24:0");
    // The same in the middle of the game.
    let record = "(;SZ[5]KM[0]RU[Japanese];B[cc];W[aa];AE[aa];B[];W[])";
    assert_eq!(standing(record), "24:0");
}

#[test]
fn an_open_border_is_not_counted() {
    // A wall that stops half-way, with all stones alive as marked.
    let rows = stretch(
        &[
            "....XO...",
            "....XO...",
            "....XO...",
            ".........",
            ".........",
            ".........",
            ".........",
            ".........",
            ".........",
        ],
        9,
    );
    let setup = setup(&rows);
    let record = format!("(;KM[0]{setup};B[];W[]TB[aa])");
    let judged = judge(&dead_by("marked"), &record);
    assert_eq!((judged.margin, judged.outcome), (None, None));
    assert_eq!(judged.confidence, Some(0.0));
    let open = judged.warnings.iter().find(|w| w.word == "open_border");
    assert_eq!(open.and_then(|w| w.value.as_deref()), Some("75"));
    // Where nothing is to be taken off the count is as it is.
    assert_eq!(score(&judge(&dead_by("none"), &record)), "0:0");
}
