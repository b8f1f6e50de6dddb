//! One regression for each rule of the replay: what stops it, what is only
//! noted, and what the position is afterwards.
#![cfg(feature = "cli")]

mod common;

use common::{judge, plan};
use kifu::{
    game::Judgement,
    outcome::{Ending, From},
};

/// Replays a record under its own rules with all stones alive.
fn replay(text: &str) -> Judgement {
    let mut plan = plan();
    plan.settings.dead = Some("none".to_owned());
    judge(&plan, text)
}

/// The final position, drawn.
fn drawn(judgement: &Judgement) -> Vec<String> {
    let board = judgement.board.as_deref().expect("it was asked for");
    board
        .chunks(judgement.size.0.into())
        .map(|row| row.iter().map(|cell| stone(*cell)).collect())
        .collect()
}

fn stone(cell: i8) -> char {
    match cell {
        1 => 'X',
        -1 => 'O',
        _ => '.',
    }
}

/// The stones of both sides on the final board.
fn stones(judgement: &Judgement) -> [usize; 2] {
    let board = judgement.board.as_deref().expect("it was asked for");
    [1, -1].map(|side| board.iter().filter(|cell| **cell == side).count())
}

/// The warnings of the replay as rows print them.
fn warnings(judgement: &Judgement) -> Vec<String> {
    judgement.warnings.iter().map(ToString::to_string).collect()
}

/// Holds that a replay stops at its `at`th move for a reason.
#[track_caller]
fn assert_stops(text: &str, kind: &str, at: u32) -> Judgement {
    let judged = replay(text);
    let error = judged.error.as_ref().map(|error| error.kind);
    assert_eq!(error, Some(kind), "{text}");
    assert_eq!(judged.ended, Ending::Illegal, "{text}");
    assert_eq!(judged.plies, at - 1, "{text}");
    let moves = text.matches([';']).count() as u32 - 1;
    assert_eq!(judged.moves, moves, "all moves are counted: {text}");
    let message = &judged.error.as_ref().expect("stopped").message;
    assert!(message.starts_with(&format!("move {at} ")), "{message}");
    assert_eq!((judged.margin, judged.outcome), (None, None), "{text}");
    judged
}

/// Holds that a replay reaches the end with these warnings and no others.
#[track_caller]
fn assert_plays(text: &str, expected: &[&str]) -> Judgement {
    let judged = replay(text);
    assert_eq!(judged.error, None, "{text}");
    assert_eq!(judged.plies, judged.moves, "{text}");
    assert_eq!(warnings(&judged), expected, "{text}");
    judged
}

#[test]
fn a_taken_point_cannot_be_played() {
    for text in [
        "(;SZ[9];B[dd];W[dd];B[ee])",
        "(;SZ[9];B[dd];B[dd];W[aa])",
        "(;SZ[9]AB[dd];W[cc];W[dd])",
        "(;SZ[9];W[dd]AB[cc];B[cc])",
    ] {
        let judged = assert_stops(text, "occupied", 2);
        assert_eq!(
            warnings(&judged).last().unwrap(),
            "illegal_move=occupied@m2"
        );
    }
    // A point whose stone was taken is free again.
    assert_plays("(;SZ[9];W[aa];B[ab];W[];B[ba];W[];B[aa])", &[]);
}

#[test]
fn a_point_outside_cannot_be_played() {
    for (text, at) in [
        ("(;SZ[9];B[dd];W[zz];B[ee])", 2),
        ("(;SZ[9];B[ja])", 1),
        ("(;SZ[9];B[aj])", 1),
        ("(;SZ[13:9];B[mi];W[im])", 2),
        ("(;SZ[19];B[AA])", 1),
        ("(;SZ[19];B[d4])", 1),
        ("(;SZ[19];B[d])", 1),
        ("(;SZ[19];B[ddd])", 1),
        ("(;SZ[19];B[ut])", 1),
        ("(;SZ[21];B[uu];W[vv];W[wv])", 3),
        ("(;SZ[52];B[ZZ];W[aZ];B[Za];W[0a])", 4),
    ] {
        let judged = assert_stops(text, "off_board", at);
        let warning = format!("invalid_point@m{at}");
        assert!(warnings(&judged).contains(&warning), "{text}");
    }
}

#[test]
fn the_point_beyond_the_corner_is_a_pass() {
    for (text, warning) in [
        ("(;SZ[19];B[tt];W[])", None),
        ("(;SZ[9];B[tt];W[])", None),
        ("(;SZ[13:9];B[tt];W[  ])", None),
        ("(;SZ[9];B[jj];W[])", Some("pass_outside_board@m1")),
        ("(;SZ[13:9];B[nj];W[])", Some("pass_outside_board@m1")),
        ("(;SZ[21];B[vv];W[])", Some("pass_outside_board@m1")),
        ("(;SZ[1];B[bb];W[])", Some("pass_outside_board@m1")),
    ] {
        let judged = assert_plays(text, warning.as_slice());
        assert_eq!(stones(&judged), [0, 0], "{text}");
        assert_eq!(judged.ended, Ending::Passes, "{text}");
    }
    // On larger boards `tt` is a point.
    let judged = assert_plays("(;SZ[20];B[tt];W[])", &[]);
    assert_eq!(stones(&judged), [1, 0]);
    let judged = assert_plays("(;SZ[20:19];B[ut];W[])", &["pass_outside_board@m1"]);
    assert_eq!(stones(&judged), [0, 0]);
}

/// Black takes a ko at `cb`.
const KO: &str = "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb]";

#[test]
fn a_ko_is_not_taken_back_at_once() {
    let judged = assert_stops(&format!("{KO};W[bb];B[ee])"), "ko", 2);
    assert_eq!(warnings(&judged), ["illegal_move=ko@m2"]);
    assert_eq!(
        drawn(&judged),
        [".XO..", "X.XO.", ".XO..", ".....", "....."]
    );
    // After a threat and its answer it is, and so on in turn.
    assert_stops(&format!("{KO};W[ee];B[de];W[bb];B[cb])"), "ko", 5);
    assert_plays(&format!("{KO};W[ee];B[de];W[bb];B[ae];W[be];B[cb])"), &[]);
    // Filling it is no capture.
    assert_plays(&format!("{KO};W[ee];B[bb])"), &[]);
}

#[test]
fn passes_and_edits_lift_a_ko() {
    // Taken back after two passes, the position is one met before.
    let judged = assert_plays(
        &format!("{KO};W[];B[];W[bb])"),
        &["moves_after_passes@m4", "repetition@m4"],
    );
    assert_eq!(
        drawn(&judged),
        [".XO..", "XO.O.", ".XO..", ".....", "....."]
    );
    assert_plays(&format!("{KO}AB[ee];W[bb])"), &["setup_after_moves@m2"]);
}

#[test]
fn taking_back_several_stones_is_no_ko() {
    // A snapback: one stone is taken, and three are taken back at once.
    let judged = assert_plays(
        "(;SZ[5]AB[ab][bb]AW[ac][bc][cb][ca];W[aa];B[ba];W[aa])",
        &[],
    );
    assert_eq!(
        drawn(&judged),
        ["O.O..", "..O..", "OO...", ".....", "....."]
    );
}

#[test]
fn suicide_of_one_stone_is_never_played() {
    for rules in ["Japanese", "Chinese", "New Zealand", "Tromp-Taylor", ""] {
        let text = format!("(;SZ[5]RU[{rules}]AW[ba][ab];B[aa];W[cc])");
        let judged = assert_stops(&text, "suicide", 1);
        assert_eq!(warnings(&judged), ["illegal_move=suicide@m1"]);
    }
    // It is none where it takes something.
    let judged = assert_plays("(;SZ[5]AW[ba][ab]AB[ca][bb];B[aa])", &[]);
    assert_eq!(drawn(&judged)[..2], ["X.X..", "OX..."]);
}

#[test]
fn suicide_of_several_stones_depends_on_the_rules() {
    let position = "AB[aa]AW[ca][bb][ac]AE[ab]";
    let text = |rules: &str| format!("(;SZ[5]KM[0]RU[{rules}]{position};B[ba];W[ee];B[ab])");
    for rules in ["Japanese", "Korean", "Chinese", "AGA", "Ancient-Area", ""] {
        assert_stops(&text(rules), "suicide", 3);
    }
    for rules in ["New Zealand", "NZ", "Tromp-Taylor", "Ing"] {
        let judged = assert_plays(&text(rules), &["suicide@m3"]);
        assert_eq!(stones(&judged), [0, 4], "{rules}");
    }
    // The stones are prisoners of the opponent: 21 points and three.
    let judged = replay(&text("japanese,suicide=yes"));
    assert_eq!(judged.points.unwrap()[1].to_string(), "24");
}

#[test]
fn the_rules_in_force_decide_about_suicide() {
    let text = "(;SZ[5]RU[Japanese]AB[aa]AW[ca][bb][ac];B[ba];W[ee];B[ab])";
    let mut plan = plan();
    plan.settings.dead = Some("none".to_owned());
    plan.settings.rules = Some(("new-zealand".to_owned(), From::Flag));
    assert_eq!(judge(&plan, text).error, None);
    plan.settings.rules = None;
    plan.settings.default_rules = Some(("new-zealand".to_owned(), From::Config));
    assert!(judge(&plan, text).error.is_some());
}

#[test]
fn repetitions_are_noted_and_played() {
    // Send two, return one: Black gives two stones, takes one back, and the
    // stones stand as before.
    let sent = "(;SZ[5:3]AB[ba][da][cb][db]AW[ab][bb][ac][bc]";
    let judged = assert_plays(&format!("{sent};B[aa];W[ca];B[ba])"), &["repetition@m3"]);
    assert_eq!(drawn(&judged), [".X.X.", "OOXX.", "OO..."]);
    // However often it happens it is noted once, where it began.
    let cycle = ";B[aa];W[ca];B[ba];W[]";
    assert_plays(&format!("{sent}{})", cycle.repeat(3)), &["repetition@m3"]);
    // Superko rules do not stop a record of a game that was played.
    for rules in ["Chinese-OGS", "AGA", "Tromp-Taylor"] {
        assert_plays(
            &format!("{sent}RU[{rules}];B[aa];W[ca];B[ba])"),
            &["repetition@m3"],
        );
    }
}

#[test]
fn a_triple_ko_goes_round() {
    // Three kos: Black takes the first, White the second, Black the third …
    let rows = [".XO...XO...XO..", "XO.O.X.XO.XO.O.", ".XO...XO...XO.."];
    let mut setup = String::new();
    for (name, letter) in [("AB", 'X'), ("AW", 'O')] {
        setup.push_str(name);
        for (row, text) in (b'a'..).zip(rows) {
            for (column, _) in (b'a'..).zip(text.chars()).filter(|(_, c)| *c == letter) {
                setup.push_str(&format!("[{}{}]", char::from(column), char::from(row)));
            }
        }
    }
    let round = ";B[cb];W[gb];B[mb];W[bb];B[hb];W[lb]";
    let text = format!("(;SZ[15:3]{setup}{})", round.repeat(2));
    let judged = assert_plays(&text, &["repetition@m6"]);
    assert_eq!(drawn(&judged), rows);
}

#[test]
fn passes_do_not_repeat_a_position() {
    assert_plays("(;SZ[9];B[];W[aa];B[];W[bb])", &[]);
}

#[test]
fn a_third_pass_is_noted() {
    let judged = assert_plays("(;SZ[9];B[aa];W[];B[];W[])", &["third_pass@m4"]);
    assert_eq!(judged.ended, Ending::Passes);
    assert_plays("(;SZ[9];B[];W[];B[];W[];B[])", &["third_pass@m3"]);
}

#[test]
fn moves_after_two_passes_are_noted_and_played() {
    let judged = assert_plays("(;SZ[9];B[];W[];B[aa];W[bb])", &["moves_after_passes@m3"]);
    assert_eq!(stones(&judged), [1, 1]);
    assert_eq!(judged.ended, Ending::Open);
    let judged = assert_plays("(;SZ[9];B[];W[];B[aa];W[];B[])", &["moves_after_passes@m3"]);
    assert_eq!(judged.ended, Ending::Passes);
    // Still only what can be played.
    assert_stops("(;SZ[9];B[aa];W[];B[];W[aa])", "occupied", 4);
}

#[test]
fn how_the_play_ended() {
    for (text, ended) in [
        ("(;SZ[9])", Ending::Open),
        ("(;SZ[9];B[aa])", Ending::Open),
        ("(;SZ[9];B[aa];W[])", Ending::Open),
        ("(;SZ[9];B[];W[aa];B[])", Ending::Open),
        ("(;SZ[9];B[];W[])", Ending::Passes),
        ("(;SZ[9];B[aa];B[];W[])", Ending::Passes),
        ("(;SZ[9];B[];W[];B[jj])", Ending::Passes),
        ("(;SZ[9];B[];W[];B[jk])", Ending::Illegal),
    ] {
        assert_eq!(replay(text).ended, ended, "{text}");
    }
}

#[test]
fn a_wrong_turn_is_noted_and_played() {
    let judged = assert_plays("(;SZ[9];B[aa];W[bb];W[cc];B[dd];B[ee])", &["wrong_turn@m3"]);
    assert_eq!(stones(&judged), [3, 2]);
    assert_plays("(;SZ[9];B[aa];W[bb];B[cc];B[dd])", &["wrong_turn@m4"]);
    // White may begin, and Black may place handicap stones as moves.
    assert_plays("(;SZ[9];W[aa];B[bb])", &[]);
    assert_plays("(;SZ[9];B[aa];B[bb];B[cc];W[dd];B[ee])", &[]);
    // Whose turn it is can be said.
    assert_plays("(;SZ[9]AB[aa]PL[W];W[bb];B[cc])", &[]);
    assert_plays("(;SZ[9]AB[aa]PL[B];W[bb];B[cc])", &["wrong_turn@m1"]);
    assert_plays("(;SZ[9];B[aa];W[bb]PL[W];W[cc])", &[]);
}

#[test]
fn edits_in_mid_game_are_noted_and_carried_out() {
    let judged = assert_plays(
        "(;SZ[5];B[aa];W[bb];AB[cc][dd]AW[ee]AE[aa];B[ab])",
        &["setup_after_moves@m3"],
    );
    assert_eq!(
        drawn(&judged),
        [".....", "XO...", "..X..", "...X.", "....O"]
    );
    // At the very end as well; nothing is captured by an edit.
    let judged = assert_plays("(;SZ[5];B[aa];W[bb];AW[ba][ab])", &[]);
    assert_eq!(drawn(&judged)[..2], ["XO...", "OO..."]);
    // A stone without liberties goes with the move that takes it.
    let judged = assert_plays(
        "(;SZ[5];B[aa];W[ba];AE[ba]AW[ab];W[ba])",
        &["setup_after_moves@m3", "wrong_turn@m3"],
    );
    assert_eq!(drawn(&judged)[..2], [".O...", "O...."]);
}

#[test]
fn odd_edits_are_noted() {
    let judged = replay("(;SZ[5]AB[aa][zz][aa]AW[cb:bc];B[ee])");
    let words: Vec<_> = judged.warnings.iter().map(|w| w.word).collect();
    assert_eq!(
        words,
        ["invalid_setup", "duplicate_point", "odd_point_list"]
    );
    assert_eq!(
        drawn(&judged),
        ["X....", ".OO..", ".OO..", ".....", "....X"]
    );
    // The last edit of a point counts.
    let judged = assert_plays("(;SZ[5]AB[aa]AW[aa]AB[bb]AE[bb];B[ee])", &[]);
    assert_eq!(stones(&judged), [1, 1]);
}

#[test]
fn handicap_stones_in_every_place() {
    for (text, handicap) in [
        ("(;SZ[19]HA[2]AB[dd][pp];W[dp])", 2),
        // In the second node.
        ("(;SZ[19]HA[2];AB[dd][pp];W[dp])", 2),
        ("(;SZ[19]HA[2];AB[dd];AB[pp]PL[W];W[dp])", 2),
        // As moves, with or without passes in between.
        ("(;SZ[19]HA[2];B[dd];B[pp];W[dp])", 2),
        ("(;SZ[19]HA[3];B[dd];B[pp];B[dp];W[pd])", 3),
        ("(;SZ[19]HA[2];B[dd];W[];B[pp];W[dp])", 2),
        ("(;SZ[19]HA[3];B[dd];W[tt];B[pp];W[tt];B[dp];W[pd])", 3),
        ("(;SZ[19]HA[2];W[];B[dd];W[];B[pp];W[dp])", 2),
        // Free placement.
        ("(;SZ[19]HA[2]AB[aa][ba];W[dp])", 2),
        // Without any move.
        ("(;SZ[19]HA[2]AB[dd][pp])", 2),
        ("(;SZ[19]HA[2];AB[dd][pp])", 2),
        // Nothing to place.
        ("(;SZ[19]HA[0];B[dd];W[pp])", 0),
        ("(;SZ[19]HA[1];B[dd];W[pp])", 0),
        ("(;SZ[19]HA[];W[dd];B[pp])", 0),
        ("(;SZ[19]HA[none];W[dd];B[pp])", 0),
    ] {
        let judged = assert_plays(text, &[]);
        assert_eq!(judged.handicap, handicap, "{text}");
    }
}

#[test]
fn a_handicap_that_does_not_fit_its_stones_is_noted() {
    for (text, warning) in [
        ("(;SZ[19]HA[3]AB[dd][pp];W[dp])", "HA 3 for 2"),
        ("(;SZ[19]HA[2]AB[dd][pp][pd];W[dp])", "HA 2 for 3"),
        ("(;SZ[19]HA[2];B[dd];W[pp])", "HA 2 for 1"),
        ("(;SZ[19]HA[4];B[dd];W[];B[pp];W[dp])", "HA 4 for 2"),
        ("(;SZ[19]HA[2]AB[dd][pp]AW[pd];W[dp])", "HA 2 for 2"),
        ("(;SZ[19]HA[2])", "HA 2 for 0"),
        ("(;SZ[19]HA[10];W[dp])", "HA 10 for 0"),
    ] {
        let warning = format!("handicap_mismatch={warning}");
        let judged = assert_plays(text, &[&warning]);
        assert_eq!(judged.handicap, 0, "{text}");
    }
}

#[test]
fn handicap_stones_left_out_are_placed_on_the_stars() {
    let places = [
        (2, "dp pd"),
        (3, "dd dp pd"),
        (4, "dd dp pd pp"),
        (5, "dd dp jj pd pp"),
        (6, "dd dj dp pd pj pp"),
        (7, "dd dj dp jj pd pj pp"),
        (8, "dd dj dp jd jp pd pj pp"),
        (9, "dd dj dp jd jj jp pd pj pp"),
    ];
    for (handicap, expected) in places {
        let text = format!("(;GM[1]SZ[19]AP[foxwq]HA[{handicap}]KM[0]RU[Chinese];W[qf];B[nc])");
        let warning = format!("handicap_placed={handicap}");
        let judged = assert_plays(&text, &[&warning]);
        assert_eq!(judged.handicap, handicap);
        let board = judged.board.as_deref().unwrap();
        let mut found: Vec<String> = (0..361)
            .filter(|at| board[*at] == 1)
            .map(|at| [at % 19, at / 19].map(|part| char::from(b'a' + part as u8)))
            .map(|name| name.iter().collect())
            .filter(|name| name != "nc")
            .collect();
        found.sort();
        assert_eq!(found.join(" "), expected);
        assert_eq!(stones(&judged), [handicap as usize + 1, 1]);
        // The same game as one that writes its stones down.
        assert_eq!(judged.points.map(|points| points[1].in_quarters() / 4), {
            let placed = expected.replace(' ', "][");
            let written = text.replace(";W[qf]", &format!("AB[{placed}];W[qf]"));
            let written = assert_plays(&written, &[]);
            written.points.map(|points| points[1].in_quarters() / 4)
        });
        // They are stones like any other.
        let on_star = text.replace("W[qf]", "W[pd]");
        assert_stops(&on_star.replace("(;GM[1]", "(;"), "occupied", 1);
    }
}

#[test]
fn handicap_stones_on_smaller_boards() {
    let judged = assert_plays("(;SZ[9]HA[5];W[aa])", &["handicap_placed=5"]);
    assert_eq!(
        drawn(&judged),
        [
            "O........",
            ".........",
            "..X...X..",
            ".........",
            "....X....",
            ".........",
            "..X...X..",
            ".........",
            ".........",
        ]
    );
    let judged = assert_plays("(;SZ[13]HA[4];W[aa])", &["handicap_placed=4"]);
    let rows = drawn(&judged);
    assert_eq!([&rows[3], &rows[9]], ["...X.....X...", "...X.....X..."]);
    // Where there are no stars nothing is placed.
    for size in ["8", "7", "13:9", "18"] {
        let text = format!("(;SZ[{size}]HA[2];W[aa])");
        let judged = assert_plays(&text, &["handicap_mismatch=HA 2 for 0"]);
        assert_eq!(stones(&judged), [0, 1]);
    }
}

#[test]
fn handicap_stones_are_placed_only_where_they_are_left_out() {
    for (text, placed) in [
        ("(;SZ[19]HA[2];W[dp])", true),
        ("(;SZ[19]HA[2]PL[W];W[dp])", true),
        ("(;SZ[19]HA[2]AB[aa][bb];W[dp])", false),
        ("(;SZ[19]HA[2];B[aa];B[bb];W[dp])", false),
        ("(;SZ[19]HA[2];W[];B[aa];W[];B[bb];W[dp])", false),
        ("(;SZ[19]HA[2];B[aa];W[dp])", false),
        ("(;SZ[19]HA[2];W[];B[])", false),
        ("(;SZ[19]HA[2])", false),
        ("(;SZ[19]HA[1];W[dp])", false),
        ("(;SZ[19];W[dp])", false),
    ] {
        let judged = replay(text);
        let noted = judged.warnings.iter().any(|w| w.word == "handicap_placed");
        assert_eq!(noted, placed, "{text}");
    }
}

#[test]
fn boards_of_every_size() {
    for (text, size, expected) in [
        ("(;SZ[1];B[];W[])", (1, 1), [0, 0]),
        ("(;SZ[1:5];B[ab];W[ad];B[aa];W[ae])", (1, 5), [2, 2]),
        ("(;SZ[5:1];B[ba];W[aa])", (5, 1), [1, 0]),
        ("(;SZ[2];B[aa];W[bb];B[ab];W[ba])", (2, 2), [0, 2]),
        ("(;SZ[13:9];B[mi];W[ai];B[ma])", (13, 9), [2, 1]),
        ("(;SZ[13x9];B[mi];W[ai];B[ma])", (13, 9), [2, 1]),
        ("(;SZ[21];B[uu];W[au];B[ua])", (21, 21), [2, 1]),
        ("(;SZ[25];B[yy];W[ay];B[ya])", (25, 25), [2, 1]),
        ("(;SZ[37];B[KK];W[aK];B[Ka])", (37, 37), [2, 1]),
        ("(;SZ[52];B[ZZ];W[aZ];B[Za])", (52, 52), [2, 1]),
        ("(;SZ[52:1];B[Za];W[aa])", (52, 1), [1, 1]),
        ("(;B[ss];W[sa];B[as])", (19, 19), [2, 1]),
    ] {
        let judged = replay(text);
        assert_eq!(judged.size, size, "{text}");
        let board = judged.board.as_deref().unwrap();
        assert_eq!(board.len(), usize::from(size.0) * usize::from(size.1));
        let ownership = judged.ownership.as_deref().map(<[_]>::len);
        if judged.ended == Ending::Illegal {
            assert_eq!(ownership, None, "{text}");
        } else {
            assert_eq!(stones(&judged), expected, "{text}");
            assert_eq!(ownership, Some(board.len()), "{text}");
        }
    }
    assert_stops("(;SZ[1];B[aa])", "suicide", 1);
    assert_stops("(;SZ[5:1];B[ba];W[aa])", "suicide", 2);
}

#[test]
fn small_boards_know_captures_and_kos() {
    // On 1x5 the end of the line is taken, and taken back: a ko.
    assert_stops("(;SZ[1:5];B[ab];W[ac];B[];W[aa];B[ab])", "ko", 5);
    let judged = assert_plays("(;SZ[1:5];B[ab];W[ac];B[];W[aa])", &[]);
    assert_eq!(drawn(&judged), ["O", ".", "O", ".", "."]);
    // On 2x2 three stones are taken by one.
    let judged = assert_plays("(;SZ[2];B[aa];W[];B[ba];W[];B[bb];W[ab])", &[]);
    assert_eq!(drawn(&judged), ["..", "O."]);
}

#[test]
fn large_boards_capture_as_well() {
    for (size, corner) in [("21", "uu"), ("37", "KK"), ("52", "ZZ")] {
        let [at, _] = corner.as_bytes() else {
            panic!("two letters")
        };
        let (last, near) = (char::from(*at), char::from(at - 1));
        let text = format!("(;SZ[{size}];B[{last}{last}];W[{near}{last}];B[];W[{last}{near}])");
        let judged = assert_plays(&text, &[]);
        assert_eq!(stones(&judged), [0, 2], "{text}");
    }
}

#[test]
fn prisoners_belong_to_the_side_that_took_them() {
    // Black takes one and has one point, White takes two and has two.
    let text =
        "(;SZ[5]KM[0]RU[Japanese]AB[ba][bb]AW[aa][da][db];B[ab];W[ca];B[ea];W[];B[eb];W[ec])";
    let judged = assert_plays(text, &[]);
    assert_eq!(
        drawn(&judged),
        [".XOO.", "XX.O.", "....O", ".....", "....."]
    );
    let points = judged
        .points
        .map(|points| points.map(|side| side.to_string()));
    assert_eq!(points, Some(["2".to_owned(), "4".to_owned()]));
}

#[test]
fn the_first_illegal_move_is_the_last_word() {
    // Later moves are counted, not played, and cannot mend anything.
    let judged = assert_stops("(;SZ[9];B[aa];W[aa];B[bb];W[zz];B[];W[])", "occupied", 2);
    assert_eq!(stones(&judged), [1, 0]);
    assert_eq!(warnings(&judged), ["illegal_move=occupied@m2"]);
    assert_eq!((judged.moves, judged.plies), (6, 1));
    // Nor can edits.
    let judged = replay("(;SZ[9];B[aa];W[aa];AE[aa];W[aa])");
    assert_eq!((judged.moves, judged.plies), (3, 1));
    assert_eq!(stones(&judged), [1, 0]);
    // The hash of the game tells apart what was not replayed.
    let one = replay("(;SZ[9];B[aa];W[aa];B[bb])").game_hash;
    let other = replay("(;SZ[9];B[aa];W[aa];B[cc])").game_hash;
    assert_ne!(one, other);
}

#[test]
fn variations_are_not_replayed() {
    let judged = assert_plays("(;SZ[9];B[aa](;W[bb];B[cc])(;W[aa];B[dd]))", &[]);
    assert_eq!((judged.moves, judged.plies), (3, 3));
    assert_eq!(stones(&judged), [2, 1]);
}

/// The order in which set-up stones are written, and whether a server left
/// handicap stones out, do not make another game.
#[test]
fn the_order_of_the_setup_does_not_change_the_hashes() {
    let hashes = |text: &str| {
        let judgement = judge(&plan(), text);
        (judgement.game_hash, judgement.canonical_hash)
    };
    let one = hashes("(;SZ[19]HA[2]AB[dp][pd];W[qp])");
    assert_eq!(one, hashes("(;SZ[19]HA[2]AB[pd]AB[dp];W[qp])"));
    assert_eq!(one, hashes("(;SZ[19]HA[2];AB[pd][dp];W[qp])"));
    assert_eq!(one, hashes("(;SZ[19]HA[2];W[qp])"), "stones left out");
    assert_ne!(one.0, hashes("(;SZ[19]HA[2]AB[dd][pp];W[qp])").0);
    // The same game seen from another side of the board.
    let turned = hashes("(;SZ[19]HA[2]AB[dd][pp];W[cp])");
    assert_eq!(one.1, turned.1);
}

/// A record can ask for thousands of millions of points with rectangles, and
/// for as many warnings as it has bytes.
#[test]
fn a_hostile_setup_is_bounded() {
    let rectangles = "[aa:ZZ]".repeat(100_000);
    let judgement = judge(&plan(), &format!("(;SZ[52]AB{rectangles};B[aa])"));
    assert_eq!(judgement.error.unwrap().kind, "setup_too_long");
    let judgement = judge(
        &plan(),
        &format!("(;SZ[9]AB{};B[aa])", "[zz]".repeat(100_000)),
    );
    assert!(judgement.warnings.len() < 10);
}
