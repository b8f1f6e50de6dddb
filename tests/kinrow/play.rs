//! How records play: passes, turns, damage, what follows the end, and boards of
//! which no move is known.

use kifu::outcome::Ending;

use crate::common::plan;

use super::records::{drawn, end, judged, judged_file, play, warnings};

/// Moves of both sides in turn, Black first; `-` is a pass.
fn moves(points: &str) -> String {
    let sides = ["B", "W"].into_iter().cycle();
    let moves = sides.zip(points.split_whitespace());
    moves
        .map(|(side, at)| format!(";{side}[{}]", at.replace('-', "")))
        .collect()
}

/// Black has five in the ninth move.
const FIVE: &str = "hh aa ih ca jh ea kh ga lh";

#[test]
fn passes() {
    for (points, expected, plies) in [
        ("hh -", "- open", 2),
        ("- hh", "- open", 2),
        // Passes on the way end nothing.
        ("hh - ih - jh - kh - lh", "black line", 9),
        ("- hh - ih - jh - kh - lh", "white line", 10),
        ("hh - - ih", "- open", 4),
        ("hh tt ih tt", "- open", 4),
    ] {
        let text = format!("SZ[15]{}", moves(points));
        let judged = judged("freestyle", &text);
        assert_eq!(end(&judged), expected, "{points}");
        assert_eq!((judged.plies, judged.moves), (plies, plies), "{points}");
    }
    // A point beyond the edge is none.
    let judged_beyond = judged("freestyle", &format!("SZ[15]{}", moves("hh pp")));
    assert_eq!(end(&judged_beyond), "- illegal");
    for points in ["hh ii - -", "- -"] {
        let judged = judged("renju", &format!("SZ[15]{}", moves(points)));
        assert_eq!(judged.ended, Ending::Passes, "{points}");
        assert_eq!(end(&judged), "draw passes", "{points}");
    }
}

#[test]
fn moves_after_the_end_are_counted() {
    for (more, count) in [(0, 0), (1, 1), (2, 2), (30, 30)] {
        let text = format!("SZ[15]{}{}", moves(FIVE), ";W[ab]".repeat(more));
        let judged = judged("freestyle", &text);
        assert_eq!(end(&judged), "black line");
        assert_eq!((judged.plies, judged.moves), (9, 9 + count), "{more}");
        let expected: &[String] = match count {
            0 => &[],
            _ => &[format!("moves_after_end={count}")],
        };
        assert_eq!(warnings(&judged), expected);
    }
    // The first five wins, though the other side makes one too.
    let text = format!("SZ[15]{}{}", moves(FIVE), ";W[ba];W[da]");
    assert_eq!(end(&judged("freestyle", &text)), "black line");
}

#[test]
fn who_moves() {
    for (text, expected, odd) in [
        (";W[aa];B[ba]", "- open", &["white_first"][..]),
        // Who moved first takes no part in who has won.
        (
            ";W[hh];B[aa];W[ih];B[ca];W[jh];B[ea];W[kh];B[ga];W[lh]",
            "white line",
            &["white_first"],
        ),
        (";B[aa];B[ba]", "- open", &["wrong_turn"]),
        ("PL[W];W[aa]", "- open", &[]),
        ("AB[aa]AW[ba];W[ca]", "- open", &[]),
    ] {
        let judged = judged("standard", &format!("SZ[15]{text}"));
        assert_eq!(end(&judged), expected, "{text}");
        assert_eq!(warnings(&judged), odd, "{text}");
    }
}

#[test]
fn moves_that_cannot_be_played() {
    for (text, kind, plies, part) in [
        (
            ";B[hh];W[hh];B[ih]",
            "occupied",
            1,
            "there is a stone on the point",
        ),
        (";B[hh];W[ih];B[hh]", "occupied", 2, "move 3 (\"hh\")"),
        (
            "AW[hh];B[hh]",
            "occupied",
            0,
            "there is a stone on the point",
        ),
        (
            ";B[hh];W[zz];B[ih]",
            "off_board",
            1,
            "beyond the board of 15x15;",
        ),
        (";B[h16]", "off_board", 0, "beyond the board of 15x15;"),
        (";B[h0]", "off_board", 0, "it is no point;"),
        (";B[9]", "off_board", 0, "move 1 (\"9\")"),
    ] {
        let judged = judged("freestyle", &format!("SZ[15]{text}"));
        assert_eq!(end(&judged), "- illegal", "{text}");
        assert_eq!(judged.plies, plies, "{text}");
        let error = judged.error.expect("an error");
        assert_eq!(error.kind, kind, "{text}");
        assert!(error.message.contains(part), "{text}: {}", error.message);
    }
}

/// What a point beyond the board tells of the file.
#[test]
fn points_beyond_the_board() {
    let head = |size: &str| format!("Piskvorky {size}, 11:11, 0\n");
    for (format, path, size, text, part) in [
        (
            "psq",
            "a.psq",
            None,
            head("15x15") + "8,8,1\n0,3,2\n",
            "may be one that counts from 0",
        ),
        (
            "psq",
            "a.psq",
            None,
            head("15x15") + "8,8,1\n16,3,2\n",
            "beyond the board of 15x15;",
        ),
        (
            "psq",
            "a.rec",
            Some((15, 15)),
            "a\nb\n7,7,1\n15,3,2\n".to_owned(),
            "may be one that counts from 1",
        ),
        (
            "psq",
            "a.rec",
            Some((15, 15)),
            "a\nb\n7,7,1\n17,3,2\n".to_owned(),
            "beyond the board of 15x15;",
        ),
        (
            "psq",
            "a.psq",
            None,
            head("20x10") + "8,8,1\n9,18,2\n",
            "would fit the other way round",
        ),
        (
            "psq",
            "a.psq",
            None,
            head("20x10") + "8,8,1\n9,21,2\n",
            "beyond the board of 20x10;",
        ),
        (
            "moves",
            "a.txt",
            None,
            "h8 i9 j0\n".to_owned(),
            "may be one that counts from 0",
        ),
        (
            "moves",
            "a.txt",
            Some((15, 15)),
            "h8 i9 j16\n".to_owned(),
            "--size says how large",
        ),
        (
            "moves",
            "a.txt",
            Some((15, 15)),
            "h8 i9 p3\n".to_owned(),
            "beyond the board of 15x15;",
        ),
        (
            "moves",
            "a.txt",
            None,
            "h8 i9 7x\n".to_owned(),
            "it is no point;",
        ),
    ] {
        let mut plan = plan();
        plan.context.size = size;
        let judged = judged_file(&plan, format, path, &text);
        let error = judged.error.expect(path);
        assert_eq!(error.kind, "off_board", "{text}");
        assert!(error.message.contains(part), "{text}: {}", error.message);
    }
}

/// A set-up with a line that wins is the end, whatever moves follow.
#[test]
fn lines_in_the_set_up() {
    for (rules, body, expected, odd) in [
        (
            "freestyle",
            "AB[aa][ba][ca][da][ea]AW[ac][bc][cc][dc];W[ec]",
            "black line",
            &["line_in_setup", "moves_after_end=1"][..],
        ),
        // Six are nothing, and the game goes on.
        (
            "standard",
            "AB[aa][ba][ca][da][ea][fa]AW[ac][bc][cc][dc];W[ec]",
            "white line",
            &[],
        ),
        // Nobody knows whose was first.
        (
            "freestyle",
            "AB[aa][ba][ca][da][ea][aj][cj][ej]AW[ac][bc][cc][dc][ec];B[fa]",
            "- open",
            &[
                "line_in_setup",
                "stone_counts=black:8,white:5",
                "ambiguous_lines",
                "moves_after_end=1",
            ],
        ),
    ] {
        let judged = judged(rules, &format!("SZ[15]{body}"));
        assert_eq!(end(&judged), expected, "{body}");
        let mut met = warnings(&judged);
        met.sort();
        let mut odd = odd.to_vec();
        odd.sort_unstable();
        assert_eq!(met, odd, "{body}");
        assert_eq!(judged.plies, u32::from(expected == "white line"), "{body}");
    }
}

#[test]
fn long_records() {
    const MANY: usize = 100_000;
    for (name, start, more, expected, plies) in [
        ("passes", "", ";B[];W[]", "draw passes", 100_000),
        ("the same point", "", ";B[hh];W[hh]", "- illegal", 1),
        ("after the end", FIVE, ";W[ab];B[ab]", "black line", 9),
    ] {
        let start = moves(start);
        let written = start.matches(';').count();
        let text = format!("SZ[15]{start}{}", more.repeat((MANY - written) / 2));
        let judged = judged("renju", &text);
        assert_eq!(end(&judged), expected, "{name}");
        assert_eq!(judged.plies, plies, "{name}");
        assert_eq!(judged.moves as usize, MANY - written % 2, "{name}");
    }
    // As many stones as there is room for, no five among them.
    let mut text = "SZ[52]".to_owned();
    for at in 0..52 * 52 {
        let (column, row) = (at % 52, at / 52);
        let black = (column + 2 * row) % 4 < 2;
        text += &play(if black { 'B' } else { 'W' }, column, row);
    }
    let judged = judged("freestyle", &text);
    assert_eq!((end(&judged).as_str(), judged.plies), ("draw full", 2704));
}

/// Black's move makes two threes.
const THREES: [&str; 7] = [
    "..............O",
    "....X.........O",
    "....X..........",
    "..XX*..........",
    "...............",
    "..............O",
    "..............O",
];

/// Black's move makes six.
const SIX: [&str; 7] = [
    "..............O",
    "..............O",
    "...............",
    "XXX*XX.........",
    "...............",
    "..............O",
    "..............O",
];

/// A foul ends the game, or the game goes on.
#[test]
fn fouls_and_what_follows() {
    // Black goes on to a five through column 4 or in row 5.
    let five = ";W[oe];B[ae];W[na];B[be];W[la];B[ce];W[ja];B[ee];W[ha];B[de]";
    for (rows, fouls, more, expected, plies) in [
        (THREES, "strict", "", "white foul", 1),
        (THREES, "claimed", "", "white foul", 1),
        (THREES, "off", "", "- open", 1),
        (THREES, "strict", ";W[oe]", "white foul", 1),
        (THREES, "claimed", ";W[oe]", "- open", 2),
        (THREES, "claimed", ";W[]", "- open", 2),
        (THREES, "off", ";W[oe]", "- open", 2),
        (THREES, "strict", five, "white foul", 1),
        (THREES, "claimed", five, "black line", 11),
        (THREES, "off", five, "black line", 11),
        (SIX, "strict", "", "white foul", 1),
        (SIX, "claimed", "", "white foul", 1),
        (SIX, "off", "", "- open", 1),
        (SIX, "strict", ";W[oe]", "white foul", 1),
        // Six in a row stay there for anybody to see.
        (SIX, "claimed", ";W[oe]", "white foul", 2),
        (SIX, "claimed", ";W[]", "white foul", 2),
        (SIX, "off", ";W[oe]", "- open", 2),
        (SIX, "strict", five, "white foul", 1),
        (SIX, "claimed", five, "black line", 11),
        (SIX, "off", five, "black line", 11),
    ] {
        let text = format!("{}{more}", drawn(&rows));
        for rules in [format!("renju,fouls={fouls}"), "renju".to_owned()] {
            let mut plan = plan();
            if rules == "renju" {
                plan.settings.fouls = Some(fouls.to_owned());
            }
            let text = format!("(;GM[4]RU[{rules}]{text})");
            let judged = crate::common::judge(&plan, &text);
            assert_eq!(end(&judged), expected, "{text}");
            assert_eq!(judged.plies, plies, "{text}");
            let after = judged.moves - judged.plies;
            let odd = warnings(&judged);
            let told = odd.contains(&format!("moves_after_end={after}"));
            assert_eq!(told, after > 0, "{odd:?}");
        }
    }
}

/// Claimed fouls that are not the last: White's own five, and a second foul.
#[test]
fn fouls_that_nobody_claimed() {
    for (rows, more, expected) in [
        (THREES, ";W[oc];B[aa];W[od];B[ca];W[oe]", "white line"),
        (SIX, ";W[oc];B[aa];W[od];B[ca];W[oe]", "white line"),
        (SIX, ";W[oc];B[aa];W[od]", "white foul"),
        // Another double three, which White can claim.
        (
            THREES,
            ";W[ha];B[je];W[ja];B[ke];W[la];B[ld];W[na];B[lc];W[oe];B[le]",
            "white foul",
        ),
        (
            THREES,
            ";W[ha];B[je];W[ja];B[ke];W[la];B[ld];W[na];B[lc];W[oe];B[le];W[oc]",
            "- open",
        ),
    ] {
        let text = format!("{}{more}", drawn(&rows));
        assert_eq!(
            end(&judged("renju,fouls=claimed", &text)),
            expected,
            "{text}"
        );
    }
}

/// The same stones with the colours changed are no foul.
#[test]
fn white_has_no_fouls() {
    for rows in [THREES, SIX] {
        let swap = |sign| match sign {
            'X' => 'O',
            'O' => 'X',
            '*' => '@',
            other => other,
        };
        let rows = rows.map(|row| row.chars().map(swap).collect::<String>());
        let expected = if rows[3].starts_with("OOO") {
            "white line"
        } else {
            "- open"
        };
        assert_eq!(end(&judged("renju", &drawn(&rows))), expected);
    }
}

/// Other games have no fouls, whatever is asked for renju.
#[test]
fn no_fouls_outside_renju() {
    for rules in ["freestyle", "standard", "caro", "caro-standard", "kinrow"] {
        let mut plan = plan();
        plan.settings.fouls = Some("strict".to_owned());
        let text = format!("(;GM[4]RU[{rules}]{})", drawn(&THREES));
        assert_eq!(
            end(&crate::common::judge(&plan, &text)),
            "- open",
            "{rules}"
        );
    }
}

#[test]
fn a_five_at_the_point_of_a_three() {
    let rows = [
        "....X......",
        "....X......",
        "....X......",
        "....X......",
        "...X.X*....",
        "......X....",
        "......X....",
        "...........",
        "...........",
    ];
    for (rules, setting, expected) in [
        ("renju", None, "- open"),
        ("renju", Some("rif"), "- open"),
        ("renju", Some("counts"), "white foul"),
        ("renju,five_eye=counts", None, "white foul"),
        ("renju,five_eye=counts", Some("rif"), "- open"),
        ("renju,fouls=off", Some("counts"), "- open"),
    ] {
        let mut plan = plan();
        plan.settings.five_eye = setting.map(str::to_owned);
        let text = format!("(;GM[4]RU[{rules}]{})", drawn(&rows));
        let judged = crate::common::judge(&plan, &text);
        assert_eq!(end(&judged), expected, "{rules} {setting:?}");
    }
}

/// Boards without any move.
struct Bare {
    name: &'static str,
    rules: &'static str,
    rows: &'static [&'static str],
    end: &'static str,
    odd: &'static [&'static str],
}

#[rustfmt::skip]
const BARE: &[Bare] = &[
    Bare { name: "nothing", rules: "freestyle", rows: &[
        "......",
        "......",
    ], end: "- open", odd: &[] },
    Bare { name: "Black's five", rules: "freestyle", rows: &[
        "XXXXX.",
        "O.O.O.",
        "...O..",
    ], end: "black line", odd: &[] },
    Bare { name: "White's five", rules: "standard", rows: &[
        "OOOOO.",
        "X.X.X.",
        "..XX..",
    ], end: "white line", odd: &[] },
    Bare { name: "a win on a full board is no draw", rules: "tictactoe", rows: &[
        "XOX",
        "OOX",
        "OXX",
    ], end: "black line", odd: &[] },
    Bare { name: "a full board", rules: "tictactoe", rows: &[
        "XOX",
        "XOO",
        "OXX",
    ], end: "draw full", odd: &[] },
    Bare { name: "two lines with a stone in common", rules: "freestyle", rows: &[
        "XXXXX.",
        "X.O.O.",
        "X.O.O.",
        "X.O.O.",
        "X.O.O.",
    ], end: "black line", odd: &[] },
    Bare { name: "two lines apart, though the numbers fit", rules: "freestyle", rows: &[
        "XXXXX.",
        "O.OO.O",
        "......",
        "XXXXX.",
        "O.OO.O",
        "...O..",
    ], end: "black line", odd: &["several_lines=2"] },
    Bare { name: "both have one; White moved last, so Black's came first", rules: "freestyle", rows: &[
        "XXXXX.",
        "OOOOO.",
    ], end: "black line", odd: &["moves_after_end"] },
    Bare { name: "both have one; Black moved last, so White's came first", rules: "freestyle", rows: &[
        "XXXXX.",
        "OOOOO.",
        "X.....",
    ], end: "white line", odd: &["moves_after_end"] },
    Bare { name: "both have one; the last side has two that one stone made", rules: "freestyle", rows: &[
        "XXXXX.",
        "X.....",
        "X.....",
        "X.....",
        "X.....",
        "OOOOO.",
        "O.O.O.",
    ], end: "white line", odd: &["moves_after_end"] },
    Bare { name: "both have one; the last side has two apart", rules: "freestyle", rows: &[
        "XXXXX.",
        "......",
        "XXXXX.",
        "OOOOO.",
        "......",
        "O.O.OO",
    ], end: "- open", odd: &["ambiguous_lines"] },
    Bare { name: "both have one, and the numbers say nothing", rules: "freestyle", rows: &[
        "XXXXX.",
        "OOOOO.",
        "X.X...",
    ], end: "- open", odd: &["stone_counts=black:7,white:5", "ambiguous_lines"] },
    Bare { name: "thirty and three", rules: "freestyle", rows: &[
        "XXXX.XXXX.",
        "..........",
        "XXXX.XXXX.",
        "..........",
        "XXXX.XXXX.",
        "..........",
        "XXXX.XX...",
        "..........",
        "O.O.O.....",
    ], end: "- open", odd: &["stone_counts=black:30,white:3"] },
    Bare { name: "a line, and numbers of no game", rules: "freestyle", rows: &[
        "XXXXX.",
        "O.....",
    ], end: "black line", odd: &["stone_counts=black:5,white:1"] },
    Bare { name: "six is no line", rules: "standard", rows: &[
        "XXXXXX.",
        "O.O.O..",
        "O.O....",
    ], end: "- open", odd: &[] },
    Bare { name: "six of Black is a foul", rules: "renju", rows: &[
        "XXXXXX.",
        "O.O.O..",
        "O.O....",
    ], end: "white foul", odd: &[] },
    Bare { name: "unless there are none", rules: "renju,fouls=off", rows: &[
        "XXXXXX.",
        "O.O.O..",
        "O.O....",
    ], end: "- open", odd: &[] },
    Bare { name: "six of White wins", rules: "renju", rows: &[
        "OOOOOO.",
        "X.X.X..",
        "X.X.X..",
    ], end: "white line", odd: &[] },
    Bare { name: "five of Black beside six", rules: "renju", rows: &[
        "XXXXXX.",
        "X.O.O.O",
        "X.O.O.O",
        "X.O.O.O",
        "X......",
    ], end: "black line", odd: &[] },
    Bare { name: "a five between two stones", rules: "caro", rows: &[
        "OXXXXXO",
        "O.O....",
    ], end: "- open", odd: &[] },
    Bare { name: "a five between a stone and the edge", rules: "caro", rows: &[
        "XXXXXO.",
        "O.O.O..",
    ], end: "black line", odd: &[] },
    Bare { name: "the end of 25 empty points", rules: "freestyle,draw_at=10", rows: &[
        "X..O",
        "....",
    ], end: "draw limit", odd: &[] },
];

#[test]
fn boards_of_which_no_move_is_known() {
    for bare in BARE {
        let judged = judged(bare.rules, &drawn(bare.rows));
        assert_eq!(end(&judged), bare.end, "{}", bare.name);
        assert_eq!(warnings(&judged), bare.odd, "{}", bare.name);
        assert_eq!((judged.moves, judged.plies), (0, 0), "{}", bare.name);
    }
}

/// The size where nothing says it: a usual one, or as many as the points need.
#[test]
fn boards_of_no_stated_size() {
    for (format, path, text, expected) in [
        ("moves", "a.txt", "h8 i9", 15),
        ("moves", "a.txt", "h8 o15", 15),
        ("moves", "a.txt", "h8 p1", 20),
        ("moves", "a.txt", "h8 h16", 20),
        ("moves", "a.txt", "t20 h8", 20),
        ("moves", "a.txt", "h8 u1", 21),
        ("moves", "a.txt", "h8 az1", 52),
        ("psq", "a.rec", "a\nb\n7,7,0\n14,14,0\n", 15),
        ("psq", "a.rec", "a\nb\n7,7,0\n15,0,0\n", 20),
        ("sgf", "a.sgf", "(;GM[4];B[hh];W[oo])", 15),
        ("sgf", "a.sgf", "(;GM[4];B[hh];W[pp])", 20),
    ] {
        let judged = judged_file(&plan(), format, path, text);
        assert_eq!(judged.size, (expected, expected), "{text}");
    }
}
