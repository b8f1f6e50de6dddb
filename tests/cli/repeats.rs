//! Games that stand in an archive again: the same, mirrored, saved before their
//! end; and the parts of a training set that keep them together.

use super::common::run::{Folder, Row, column};

/// Points of a game on 9x9, column and row from the top left, without any
/// symmetry: Black's first.
const POINTS: [(u8, u8); 14] = [
    (2, 2),
    (6, 2),
    (2, 6),
    (6, 6),
    (4, 4),
    (3, 2),
    (5, 2),
    (2, 3),
    (2, 4),
    (3, 5),
    (5, 5),
    (6, 3),
    (7, 4),
    (1, 7),
];

const LAST: u8 = 8;

/// What a quarter turn and a mirror do to a point.
fn turned(point: (u8, u8)) -> (u8, u8) {
    (LAST - point.1, point.0)
}

fn mirrored(point: (u8, u8)) -> (u8, u8) {
    (LAST - point.0, point.1)
}

fn point((column, row): (u8, u8)) -> String {
    [column, row]
        .map(|it| char::from(b'a' + it))
        .iter()
        .collect()
}

/// Moves as SGF, Black and White in turn.
fn moves(points: &[(u8, u8)]) -> String {
    let sides = ["B", "W"].into_iter().cycle();
    let moves = points.iter().zip(sides);
    moves
        .map(|(at, side)| format!(";{side}[{}]", point(*at)))
        .collect()
}

fn game(root: &str, moves: &str) -> String {
    format!("(;GM[1]SZ[9]{root}{moves})")
}

/// The first moves of the game.
fn first(count: usize) -> String {
    game("RE[B+R]", &moves(&POINTS[..count]))
}

/// The first moves, and then others, off the diagonals.
fn first_and(count: usize, others: &[(u8, u8)]) -> String {
    let points = [&POINTS[..count], others].concat();
    game("RE[W+R]", &moves(&points))
}

/// Labels files, whose names are in order, with some flags.
fn label(files: &[(&str, String)], flags: &str) -> Vec<Row> {
    let folder = Folder::new();
    let mut names = String::new();
    for (name, text) in files {
        folder.write(name, text);
        names += &format!("{name} ");
    }
    let line = format!("label {names} {flags} --dead none -q -o rows.csv");
    folder.run(&line).done();
    folder.rows("rows.csv")
}

/// Which record each repeats, and how: `same a.sgf`.
fn repeats(files: &[(&str, String)]) -> Vec<String> {
    let shown = |rows: &[Row]| -> Vec<String> {
        let rows = rows.iter();
        rows.map(|row| {
            let text = format!("{} {}", row["duplicate_kind"], row["duplicate_of"]);
            text.trim().to_owned()
        })
        .collect()
    };
    let found = shown(&label(files, "--with duplicate_of -j 1"));
    let parallel = shown(&label(files, "--with duplicate_of -j 3"));
    assert_eq!(found, parallel, "the same for any number of threads");
    found
}

#[test]
fn repeats_are_named_with_their_kind() {
    let exchanged = moves(&POINTS).replace(";B", ";X");
    let exchanged = exchanged.replace(";W", ";B").replace(";X", ";W");
    let setup = |stones: &str| game(stones, &moves(&POINTS[..12]));
    let illegal = format!("{};B[cc])", first(13).trim_end_matches(')'));
    let passes = |count: usize| {
        let passes = [";B[]", ";W[]"];
        game("", &(moves(&POINTS[..10]) + &passes[..count].concat()))
    };
    let other = [(0, 1), (8, 3), (0, 5)];
    let white_first = ";W[ee];B[cd];W[de];B[ef];W[fe];B[ed];W[gd];B[dg];W[gf];B[bb]";
    type Case<'c> = (&'c str, Vec<String>, Vec<&'c str>);
    let cases: Vec<Case<'_>> = vec![
        (
            "other headers, the same moves",
            vec![
                first(12),
                game("PB[Somebody]KM[0.5]", &moves(&POINTS[..12])),
            ],
            vec!["", "same 1.sgf"],
        ),
        (
            "a position set up in another order",
            vec![
                setup("AB[aa][ii]AW[ai]"),
                setup("AW[ai]AB[ii][aa]"),
                setup("AB[aa][ii]AW[ia]"),
            ],
            // The last is the mirror image of the stones, but not of the moves.
            vec!["", "same 1.sgf", ""],
        ),
        (
            "handicap stones written, and left out by a record that says how many",
            vec![
                game("HA[2]AB[gc][cg]", white_first),
                game("HA[2]", white_first),
                game("HA[3]", white_first),
            ],
            vec!["", "same 1.sgf", ""],
        ),
        (
            "colours exchanged is another game",
            vec![first(14), game("", &exchanged)],
            vec!["", ""],
        ),
        (
            "saved before the end",
            vec![first(10), first(14), first(12)],
            vec!["contained 2.sgf", "", "contained 2.sgf"],
        ),
        (
            "too few moves to say so",
            vec![first(9), first(9), first(14)],
            vec!["", "", ""],
        ),
        (
            "the same, of which another is the beginning",
            vec![first(14), first(11), first(14), first(11)],
            vec!["", "contained 1.sgf", "same 1.sgf", "contained 1.sgf"],
        ),
        (
            "the longest of two that go on differently",
            vec![
                first(10),
                first_and(10, &other[..1]),
                first_and(11, &other[..2]),
            ],
            vec!["contained 3.sgf", "", ""],
        ),
        (
            "from another set-up",
            vec![setup("AB[aa]"), setup("AB[ii]"), first(14), setup("")],
            vec!["", "", "", "contained 3.sgf"],
        ),
        (
            "passes at the end are moves",
            vec![passes(1), passes(2), passes(0)],
            vec!["contained 2.sgf", "", "contained 2.sgf"],
        ),
        (
            "what goes on with a move that cannot be played is not kept instead",
            vec![first(12), illegal.clone(), illegal],
            vec!["", "", ""],
        ),
        (
            "positions without moves",
            vec![game("AB[aa][bb]", ""), game("AB[aa][bb]", "")],
            vec!["", ""],
        ),
    ];
    for (what, games, expected) in cases {
        let names: Vec<String> = (1..=games.len()).map(|it| format!("{it}.sgf")).collect();
        let files: Vec<(&str, String)> = names.iter().map(String::as_str).zip(games).collect();
        assert_eq!(repeats(&files), expected, "{what}");
    }
}

#[test]
fn games_are_known_turned_and_mirrored() {
    let mut points = POINTS[..12].to_vec();
    let mut files = vec![("0.sgf", game("", &moves(&points)))];
    let names = [
        ["1.sgf", "2.sgf"],
        ["3.sgf", "4.sgf"],
        ["5.sgf", "6.sgf"],
        ["7.sgf", "8.sgf"],
    ];
    for [plain, mirror] in names {
        points = points.into_iter().map(turned).collect();
        files.push((plain, game("", &moves(&points))));
        let image: Vec<_> = points.iter().copied().map(mirrored).collect();
        files.push((mirror, game("", &moves(&image))));
    }
    // Four quarter turns give the first game again.
    let mut expected = vec!["mirrored 0.sgf"; 9];
    expected[0] = "";
    expected[7] = "same 0.sgf";
    assert_eq!(repeats(&files), expected);

    // The beginning of any of them is contained in the longest game.
    files[0].1 = first(14);
    let mut expected = vec!["contained 0.sgf"; 9];
    expected[0] = "";
    assert_eq!(repeats(&files), expected);
}

#[test]
fn each_of_a_chain_is_contained_in_the_longest() {
    for order in [[10, 12, 14], [12, 10, 14], [14, 12, 10]] {
        let names = ["1.sgf", "2.sgf", "3.sgf"];
        let files: Vec<_> = names.into_iter().zip(order.map(first)).collect();
        let longest = names[order.iter().position(|moves| *moves == 14).unwrap()];
        let expected = order.map(|moves| match moves {
            14 => String::new(),
            _ => format!("contained {longest}"),
        });
        assert_eq!(repeats(&files), expected, "{order:?}");
    }
}

/// Two that are as long: which one is named does not hang on their order.
#[test]
fn of_two_as_long_the_same_game_is_named_in_any_order() {
    let [one, other] = [(0, 1), (0, 5)].map(|last| first_and(12, &[last]));
    let named = |second: &str, third: &str| {
        let games = [&first(12), second, third].map(str::to_owned);
        let names = ["1.sgf", "2.sgf", "3.sgf"];
        let files: Vec<_> = names.into_iter().zip(games.clone()).collect();
        let found = repeats(&files)[0].clone();
        let name = found.strip_prefix("contained ").unwrap();
        let place = names.iter().position(|it| *it == name).unwrap();
        games[place].clone()
    };
    assert_eq!(named(&one, &other), named(&other, &one));
}

#[test]
fn games_of_other_kinds_are_compared_alike() {
    let xiangqi = |moves: &str| format!("[Game \"Chinese Chess\"]\n[Result \"*\"]\n\n{moves} *\n");
    let play = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0c2 a9a8 a0a1 c6c5 c3c4 a8d8";
    // File a for file i, and so on.
    let mirror: String = play
        .chars()
        .map(|it| match it {
            'a'..='i' => char::from(b'a' + b'i' - it as u8),
            other => other,
        })
        .collect();
    let files = [
        ("1.pgn", xiangqi(play)),
        ("2.pgn", xiangqi(&mirror)),
        ("3.pgn", xiangqi(play)),
        ("4.pgn", xiangqi(&mirror[..play.len() - 5])),
    ];
    let expected = ["", "mirrored 1.pgn", "same 1.pgn", "contained 1.pgn"];
    assert_eq!(repeats(&files), expected);

    let gomoku = |points: &[(u8, u8)]| format!("(;GM[4]SZ[15]{})", moves(points));
    let across: Vec<_> = POINTS.map(|(column, row)| (row, column)).into();
    let files = [
        ("1.sgf", gomoku(&POINTS)),
        ("2.sgf", gomoku(&POINTS[..11])),
        // The other diagonal of 15x15, and the same moves in Go.
        ("3.sgf", gomoku(&across)),
        ("4.sgf", format!("(;GM[1]SZ[15]{})", moves(&POINTS))),
    ];
    let expected = ["", "contained 1.sgf", "mirrored 1.sgf", ""];
    assert_eq!(repeats(&files), expected);
}

/// Results of repeats that contradict each other are named on both; a record that
/// is contained names the longer one, which is not troubled with it.
#[test]
fn results_of_repeats_are_compared() {
    let image: Vec<_> = POINTS[..12].iter().copied().map(mirrored).collect();
    let files = [
        ("a.sgf", game("RE[B+R]", &moves(&POINTS[..12]))),
        ("b.sgf", game("RE[W+R]", &moves(&image))),
        ("c.sgf", game("RE[B+T]", &moves(&POINTS[..12]))),
        ("d.sgf", game("RE[W+T]", &moves(&POINTS[..11]))),
        ("e.sgf", game("RE[B+R]", &moves(&POINTS[..10]))),
    ];
    let rows = label(&files, "--duplicates");
    let named: Vec<&str> = rows
        .iter()
        .map(|row| {
            let mut reasons = row["reasons"].split(';');
            let named = reasons.find_map(|reason| reason.strip_prefix("duplicate="));
            named.unwrap_or_default()
        })
        .collect();
    assert_eq!(named, ["b.sgf", "a.sgf", "b.sgf", "a.sgf", "b.sgf"]);
}

/// Twenty games of fourteen moves that differ in their last four.
fn twenty() -> Vec<[(u8, u8); 14]> {
    let last = (0..4).flat_map(|column| (0..5).map(move |row| (column, row)));
    let games = last.map(|(column, row)| {
        let mut points = POINTS;
        points[10] = (LAST - column, 7);
        points[11] = (column, 0);
        points[12] = (0, 3 + row);
        points[13] = (8, row);
        points
    });
    games.collect()
}

#[test]
fn splits_keep_the_records_of_a_game_together() {
    let games = twenty();
    let mut files = Vec::new();
    let names: Vec<String> = (0..games.len()).map(|it| format!("{it:02}")).collect();
    let ends = ["whole.sgf", "mirrored.sgf", "saved.sgf"];
    let paths: Vec<String> = names
        .iter()
        .flat_map(|name| ends.map(|end| format!("{name}-{end}")))
        .collect();
    for (points, paths) in games.iter().zip(paths.chunks(3)) {
        let image: Vec<_> = points.iter().copied().map(mirrored).collect();
        files.push((paths[0].as_str(), game("", &moves(points))));
        files.push((paths[1].as_str(), game("", &moves(&image))));
        files.push((paths[2].as_str(), game("", &moves(&points[..13]))));
    }
    let flags = "--with split --split 1,1,1";
    let rows = label(&files, flags);
    let parts = column(&rows, "split");
    // The longer record decides; without it a saved one stands for itself.
    let saved: Vec<(&str, String)> = files.iter().skip(2).step_by(3).cloned().collect();
    let alone = column(&label(&saved, flags), "split");
    let mut moved = 0;
    for (parts, alone) in parts.chunks(3).zip(&alone) {
        assert_eq!([&parts[1], &parts[2]], [&parts[0]; 2]);
        moved += usize::from(parts[2] != *alone);
    }
    assert!(moved > 0, "some would have gone elsewhere by themselves");
    for part in ["train", "validation", "test"] {
        assert!(parts.iter().any(|it| it == part), "{part} in {parts:?}");
    }

    // The same in any order, and whatever else is in the archive.
    let texts = files.iter().rev().map(|(_, text)| text.clone());
    let reversed: Vec<_> = files.iter().map(|(name, _)| *name).zip(texts).collect();
    let mut again = column(&label(&reversed, flags), "split");
    again.reverse();
    assert_eq!(again, parts);
    let few = column(&label(&files[..3], flags), "split");
    assert_eq!(few, parts[..3]);
}

#[test]
fn shares_of_a_split_are_checked() {
    let files = [
        ("a.sgf", first(12)),
        ("b.sgf", "(;GM[1]SZ[9];B[ee];W[ee])".to_owned()),
        ("c.sgf", "no game".to_owned()),
    ];
    for (shares, expected) in [
        ("1,0,0", "train"),
        ("0,7,0", "validation"),
        ("0,0,1", "test"),
    ] {
        let rows = label(&files, &format!("--with split --split {shares}"));
        // What is broken is in no part.
        assert_eq!(column(&rows, "split"), [expected, "", ""], "{shares}");
    }
    let folder = Folder::with(&[("a.sgf", &first(12))]);
    for (flags, sentence) in [
        ("--with split --split 90,10", "as in 90,5,5"),
        ("--with split --split 0,0,0", "as in 90,5,5"),
        ("--split 80,10,10", "add --with split"),
    ] {
        let said = folder.run(&format!("label a.sgf {flags}"));
        assert_eq!(said.status, 2, "{flags}");
        assert!(said.err.contains(sentence), "{flags}: {}", said.err);
    }
}
