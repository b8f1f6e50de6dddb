//! Tables of moves.

use kifu::{
    format::{
        self, Chosen, Context, Piece, Reading, SplitState,
        movecsv::{GAP, SPAN},
    },
    record::Arena,
};
use proptest::{collection::vec, prelude::*};

use super::{format_of, pieces, read_all, xqf::line};

const HEAD: &str = "\"timestamp\",\"move_index\",\"move\",\"game_id\",\"red_player\",\"black_player\",\
    \"game_status\",\"outcome\"\n";

fn row(game: &str, index: usize, token: &str) -> String {
    format!("\"2026\",\"{index}\",\"{token}\",\"{game}\",\"a\",\"b\",\"RESIGNED\",\"RED_WINS\"\n")
}

fn game(id: &str, tokens: &[&str]) -> String {
    let rows = tokens
        .iter()
        .enumerate()
        .map(|(at, token)| row(id, at, token));
    rows.collect()
}

fn read(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    read_all(
        "csv",
        &Context::default(),
        text.as_bytes(),
        &mut |record, word| {
            let id = record.id.map_or("-".into(), |id| record.text(id));
            all.push(format!("{id} {}", line(record, word)));
        },
    );
    all
}

/// Holds that windows of every size give the same pieces, which may overlap.
fn assert_same(bytes: &[u8], steps: &[usize]) -> Vec<Piece> {
    let whole = pieces("csv", &Context::default(), bytes, bytes.len().max(1));
    for step in steps {
        assert_eq!(
            pieces("csv", &Context::default(), bytes, *step),
            whole,
            "{step}"
        );
    }
    whole
}

const ONE: &str = "g1 - | B h2e2 W h9g7 B h0g2 | 1-0 |  | game";
const TWO: &str = "g2 - | B c3c4 | 1-0 |  | game";

/// Lines may end in LF, CR and LF, or CR alone, mixed games or not.
#[test]
fn ends_of_lines() {
    let rows: Vec<String> = [
        ("g1", 0, "h2e2"),
        ("g2", 0, "c3c4"),
        ("g1", 1, "h9g7"),
        ("g1", 2, "h0g2"),
    ]
    .iter()
    .map(|(id, index, token)| row(id, *index, token))
    .collect();
    let sorted = format!(
        "{HEAD}{}{}",
        game("g1", &["h2e2", "h9g7", "h0g2"]),
        game("g2", &["c3c4"])
    );
    for text in [format!("{HEAD}{}", rows.concat()), sorted] {
        for ends in ["\n", "\r\n", "\r"] {
            let text = text.replace('\n', ends);
            assert_eq!(read(&text), [ONE, TWO], "{text:?}");
            assert_same(text.as_bytes(), &[1, 2, 3, 50, 100]);
            let found = format::choose("a.csv".as_ref(), text.as_bytes());
            assert_eq!(found.map(|(format, _)| format.name()), Some("csv"));
        }
    }
}

#[test]
fn games_one_after_the_other() {
    let rows = game("g1", &["h2e2", "h9g7", "h0g2"]) + &game("g2", &["c3c4"]);
    let text = format!("{HEAD}{rows}");
    for text in [
        text.clone(),
        text.replace('\n', "\r\n"),
        text.replace('"', ""),
        format!("\u{feff}{text}"),
        text.replace("\n\"2026", "\n\n\"2026"),
        text.trim_end().to_owned(),
    ] {
        assert_eq!(read(&text), [ONE, TWO], "{text}");
        assert_same(text.as_bytes(), &[1, 7, 100]);
    }
    assert_eq!(read(HEAD), [""; 0]);
    assert_eq!(read(""), [""; 0]);
}

#[test]
fn what_a_row_says_of_its_game() {
    let text = format!("{HEAD}{}", game("g1", &["h2e2"]));
    let context = Context {
        meta: true,
        ..Context::default()
    };
    for (written, result) in [
        ("RED_WINS", "1-0"),
        ("BLACK_WINS", "0-1"),
        ("DRAW", "1/2-1/2"),
        ("ABORTED", "ABORTED"),
    ] {
        let text = text.replace("RED_WINS", written);
        read_all("csv", &context, text.as_bytes(), &mut |record, _| {
            assert_eq!(record.ending, Some(&b"RESIGNED"[..]));
            assert_eq!(record.result, Some(result.as_bytes()));
            let fields: Vec<&[u8]> = record.fields.iter().map(|(_, text)| *text).collect();
            assert_eq!(fields, [&b"2026"[..], b"a", b"b"]);
        });
    }
    // Names with commas and quotes.
    let text = text.replace("\"a\"", "\"a, \"\"the\"\" first\"");
    assert_eq!(read(&text), ["g1 - | B h2e2 | 1-0 |  | game"]);
}

#[test]
fn rows_of_games_may_be_mixed() {
    let one = game("g1", &["h2e2", "h9g7", "h0g2"]);
    let one: Vec<&str> = one.split_inclusive('\n').collect();
    let two = game("g2", &["c3c4"]);
    for rows in [
        [one[0], &two, one[1], one[2]].concat(),
        [one[0], one[1], &two, one[2]].concat(),
    ] {
        let text = format!("{HEAD}{rows}");
        assert_eq!(read(&text), [ONE, TWO]);
        assert_same(text.as_bytes(), &[1, 50, 300]);
    }
    // Not in the order of their numbers.
    let text = format!("{HEAD}{}{}{}", one[1], one[0], one[2]);
    assert_eq!(read(&text), [ONE.replace("|  |", "| unsorted_moves |")]);
}

#[test]
fn damage() {
    let good = game("g1", &["h2e2", "h9g7", "h0g2"]);
    let rows: Vec<&str> = good.split_inclusive('\n').collect();
    let two = game("g2", &["c3c4"]);
    for (one, expected) in [
        (
            [rows[0], rows[2]].concat(),
            "g1 - |  | 1-0 |  | missing_moves",
        ),
        (
            [rows[0], rows[0], rows[1], rows[2]].concat(),
            "g1 - | B h2e2 W h9g7 B h0g2 | 1-0 | duplicate_row=1 | game",
        ),
        (
            [rows[0], &rows[0].replace("h2e2", "b2e2")].concat(),
            "g1 - |  | 1-0 |  | two_moves",
        ),
        (
            [rows[0], "\"half\n", rows[1], rows[2]].concat(),
            "g1 - | B h2e2 W h9g7 B h0g2 | 1-0 | bad_row | game",
        ),
        (
            [rows[0], rows[1], rows[2], "half\n"].concat(),
            "g1 - | B h2e2 W h9g7 B h0g2 | 1-0 | bad_row | game",
        ),
        (
            good.replace("\"1\"", "\"x\""),
            "g1 - |  | 1-0 | unsorted_moves | bad_row",
        ),
        // Numbers from 1.
        (
            good.replace("\"2\"", "\"3\"")
                .replace("\"1\"", "\"2\"")
                .replace("\"0\"", "\"1\""),
            ONE,
        ),
        (
            good.replace("h9g7", ""),
            "g1 - | B h2e2 W - B h0g2 | 1-0 |  | game",
        ),
    ] {
        let text = format!("{HEAD}{one}{two}");
        assert_eq!(read(&text), [expected, TWO], "{one}");
        assert_same(text.as_bytes(), &[1, 50, 300]);
    }
    // A game without its first move, where the table counts from 0.
    let text = format!("{HEAD}{two}{}{}", rows[1], rows[2]);
    assert_eq!(read(&text), [TWO, "g1 - |  | 1-0 |  | missing_moves"]);
    assert_eq!(read("a,b\n1,2\n"), ["- - |  | - |  | bad_head_line"]);
    let text = format!("{HEAD}half\n{two}");
    assert_eq!(read(&text), ["- - |  | - |  | bad_row", TWO]);
    assert_same(text.as_bytes(), &[1, 50]);
}

#[test]
fn cut_anywhere() {
    let text = format!(
        "{HEAD}{}{}",
        game("g1", &["h2e2", "h9g7"]),
        game("g2", &["c3c4"])
    );
    for end in HEAD.len()..text.len() {
        let found = read(&text[..end]);
        let whole = text[HEAD.len()..end].matches('\n').count();
        assert!(found.len() <= 2, "{end} {found:?}");
        assert!(
            whole < 2 || found[0].contains("B h2e2 W h9g7"),
            "{end} {found:?}"
        );
    }
}

/// A row that comes long after the others of its game is a record of its own that
/// says what it lacks; so is what is beyond the room of a game.
#[test]
fn rows_that_are_far_apart() {
    let mut number = 0;
    let mut filler = |bytes: usize| {
        let mut text = String::new();
        loop {
            number += 1;
            if text.len() > bytes {
                return text;
            }
            text += &row(&format!("f{number}"), 0, "h2e2");
        }
    };
    let (first, second) = (row("g1", 0, "h2e2"), row("g1", 1, "h9g7"));
    let of_g1 = |text: &str| -> Vec<String> {
        read(text)
            .into_iter()
            .filter(|line| line.starts_with("g1 "))
            .collect()
    };
    let near = format!("{HEAD}{first}{}{second}", filler(GAP - 1000));
    assert_eq!(of_g1(&near), ["g1 - | B h2e2 W h9g7 | 1-0 |  | game"]);
    let far = format!("{HEAD}{first}{}{second}", filler(GAP));
    assert_eq!(
        of_g1(&far),
        [
            "g1 - | B h2e2 | 1-0 |  | game",
            "g1 - |  | 1-0 |  | missing_moves"
        ]
    );
    for text in [&near, &far] {
        assert_same(text.as_bytes(), &[300_000, 1 << 20, 1_500_000]);
    }
    let mut long = HEAD.to_owned();
    for at in 0..12 {
        long += &row("g1", at, "h2e2");
        long += &filler(GAP - 10_000);
    }
    let found = of_g1(&long);
    assert_eq!(found.len(), 12_usize.div_ceil(SPAN / GAP + 1));
    assert!(found[1].ends_with("missing_moves"));
    let whole = assert_same(long.as_bytes(), &[1 << 20, 3_000_000]);
    assert!(whole.iter().all(|piece| piece.end - piece.start <= SPAN));
}

#[test]
fn a_game_that_was_given_up_is_passed_over() {
    let text = format!(
        "{HEAD}{}{}",
        game("g1", &["h2e2"; 40]),
        game("g2", &["c3c4"])
    );
    let context = Context::default();
    let bytes = text.as_bytes();
    let mut state = SplitState::default();
    let from = format_of("csv").split(&mut state, &bytes[..500], false, &context, &mut |_| {});
    assert_eq!(from, HEAD.len());
    state.give_up();
    let mut met = Vec::new();
    let window = &bytes[from..];
    format_of("csv").split(&mut state, window, true, &context, &mut |piece| {
        let arena = Arena::default();
        let part = &window[piece.start..piece.end];
        if let Reading::Game(record) = format_of("csv").read(part, piece, &context, &arena) {
            met.push(record.id.unwrap().to_vec());
        }
    });
    assert_eq!(met, [b"g2".to_vec()]);
    assert!(!state.is_passing());
    // A line without an end.
    let mut state = SplitState::default();
    state.give_up();
    let long = b"x".repeat(1000);
    let split = |state: &mut SplitState, window: &[u8], eof| {
        format_of("csv").split(state, window, eof, &context, &mut |_| {})
    };
    assert_eq!(split(&mut state, &long, false), 1000);
    assert!(state.is_passing());
    assert_eq!(split(&mut state, b"xx\n", true), 3);
    assert!(!state.is_passing());
}

#[test]
fn it_is_known_by_its_head_line() {
    let chosen = |text: &str| {
        format::choose("a.csv".as_ref(), text.as_bytes()).map(|(format, by)| (format.name(), by))
    };
    assert_eq!(chosen(HEAD), Some(("csv", Chosen::Content)));
    assert_eq!(
        chosen("game_id,move_index,move\n"),
        Some(("csv", Chosen::Content))
    );
    assert_eq!(chosen("origin,offset,format,game\n"), None);
}

proptest! {
    /// However rows are mixed, each game has all of its moves.
    #[test]
    fn no_move_is_lost(order in vec(0..5_usize, 0..60)) {
        let mut counts = [0; 5];
        let mut text = HEAD.to_owned();
        for game in order {
            text += &row(&format!("g{game}"), counts[game], "h2e2");
            counts[game] += 1;
        }
        let mut met = 0;
        read_all("csv", &Context::default(), text.as_bytes(), &mut |record, word| {
            assert_eq!(word, "game");
            met += record.moves();
        });
        prop_assert_eq!(met, counts.iter().sum::<usize>());
        assert_same(text.as_bytes(), &[1, 90, 300]);
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..300)) {
        let text = [HEAD.as_bytes(), &bytes].concat();
        for bytes in [&bytes, &text] {
            assert_same(bytes, &[1, 10, 100]);
            read_all("csv", &Context::default(), bytes, &mut |_, _| {});
        }
    }
}
