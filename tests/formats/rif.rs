//! RIF: the database of RenjuNet.

use std::fs;

use kifu::format::{self, Chosen, Context, FirstRow, SplitState};
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::Value;

use super::{
    assert_same_pieces,
    common::{reference, run::Folder},
    format_of, pieces, read_all, steps, warnings,
};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<database>\n\
    <rules><rule id=\"1\" name=\"RIF\" category=\"renju\"/>\
    <rule id=\"2\" name=\"Swap2\" category=\"gomoku\"/></rules>\n\
    <players><player id=\"1\" name=\"B &amp; C\"/></players>\n<games>\n";

const GAMES: &str = "<game id=\"7\" rule=\"1\" black=\"1\" white=\"2\" bresult=\"0.5\" btime=\"\">\n\
    <move>h8 i9 j7</move>\n<info></info>\n</game>\n\
    <game id='8' rule='2' bresult='1'><move>a1\nb2</move></game>\n\
    <game id=\"7\" rule=\"9\" bresult=\"0\">\n<move>o15</move>\n<info>B &amp; C</info>\n</game>\n";

const TAIL: &str = "</games>\n</database>\n";

/// Every record of some bytes: id, game, rules, result, steps, warnings, and
/// the word of its error.
fn records(bytes: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    read_all("rif", &Context::default(), bytes, &mut |record, word| {
        let text = |raw: Option<&[u8]>| raw.map_or("-".into(), |raw| record.text(raw).into_owned());
        assert_eq!(record.size, Some((15, 15)));
        all.push(format!(
            "{} {} {} {} | {} | {} | {word}",
            text(record.id),
            record.game.unwrap(),
            text(record.rules),
            text(record.result),
            steps(record),
            warnings(record),
        ));
    });
    all
}

/// The records of the games above.
const EXPECTED: [&str; 3] = [
    "7 renju renju draw | B h8 W i9 B j7 |  | game",
    "8 gomoku standard B+ | B a1 W b2 |  | game",
    "7 renju renju W+ | B o15 |  | game",
];

#[test]
fn a_database() {
    let text = format!("{HEAD}{GAMES}{TAIL}");
    assert_eq!(records(text.as_bytes()), EXPECTED);
    let text = text.replace('\n', "\r\n");
    assert_eq!(records(text.as_bytes()), EXPECTED);
    let pieces = assert_same_pieces("rif", &Context::default(), text.as_bytes());
    assert!(pieces.iter().all(|piece| !piece.around.unclosed));
    assert_eq!(records(format!("{HEAD}{TAIL}").as_bytes()), [""; 0]);
    assert_eq!(records(b""), [""; 0]);
}

/// What is in comments is no game; a comment without an end hides nothing.
#[test]
fn games_in_comments() {
    let old = "<game id=\"9\" bresult=\"1\"><move>a1</move></game>";
    for hidden in [
        format!("<!-- {old} -->"),
        format!("<!--{old}\n{old}-->"),
        "<!-->".to_owned(),
        "<!-- ".to_owned(),
    ] {
        let text = format!("{HEAD}{hidden}{GAMES}{TAIL}");
        assert_eq!(records(text.as_bytes()), EXPECTED, "{hidden}");
        assert_same_pieces("rif", &Context::default(), text.as_bytes());
    }
}

/// Without the dictionary nothing says that a game is not renju.
#[test]
fn games_without_a_head() {
    let renju = EXPECTED[1].replace("gomoku standard", "renju renju");
    assert_eq!(
        records(GAMES.as_bytes()),
        [EXPECTED[0], &renju, EXPECTED[2]]
    );
}

/// An entry of the dictionary that is damaged says nothing, and hides nothing.
#[test]
fn a_damaged_head() {
    let renju = EXPECTED[1].replace("gomoku standard", "renju renju");
    for (from, to, second) in [
        ("category=\"gomoku\"/>", "category=\"gomoku\"", &*renju),
        ("id=\"2\"", "id=\"\"", &renju),
        ("id=\"2\"", "id=\"200\"", &renju),
        ("<rules>", "<rule <rule", EXPECTED[1]),
        ("</rules>", "<rule ", EXPECTED[1]),
    ] {
        let head = HEAD.replacen(from, to, 1);
        assert_ne!(head, HEAD, "{from}");
        let text = format!("{head}{GAMES}{TAIL}");
        let expected = [EXPECTED[0], second, EXPECTED[2]];
        assert_eq!(records(text.as_bytes()), expected, "{from} {to}");
        assert_same_pieces("rif", &Context::default(), text.as_bytes());
    }
}

#[test]
fn it_is_known_by_its_content() {
    let chosen = |name: &str, text: &str| {
        format::choose(name.as_ref(), text.as_bytes()).map(|(format, by)| (format.name(), by))
    };
    let text = format!("{HEAD}{GAMES}{TAIL}");
    assert_eq!(chosen("a.xml", &text), Some(("rif", Chosen::Content)));
    assert_eq!(chosen("a.rif", &text), Some(("rif", Chosen::Extension)));
    let head = "\u{feff}<database><countries><country id=\"1\"/>";
    assert_eq!(chosen("a", head), Some(("rif", Chosen::Content)));
    assert_eq!(chosen("a.xml", "<html><game id=\"1\"></html>"), None);
    assert_eq!(chosen("a.xml", "the <database> of <game>"), None);
}

#[test]
fn damage_stays_in_its_game() {
    for (from, to, expected) in [
        ("h8 i9 j7", "", "7 renju renju draw |  |  | no_moves"),
        (
            "<move>h8 i9 j7</move>",
            "",
            "7 renju renju draw |  |  | no_moves",
        ),
        (
            "<move>h8 i9 j7</move>",
            "<move/>",
            "7 renju renju draw |  |  | no_moves",
        ),
        // Whether these can be played, the replay says.
        (
            "i9 j7",
            "zz9 h8",
            "7 renju renju draw | B h8 W zz9 B h8 |  | game",
        ),
        (
            "bresult=\"0.5\"",
            "",
            "7 renju renju - | B h8 W i9 B j7 |  | game",
        ),
        (
            "\"0.5\"",
            "\"\"",
            "7 renju renju - | B h8 W i9 B j7 |  | game",
        ),
        (
            "\"0.5\"",
            "\"5\"",
            "7 renju renju - | B h8 W i9 B j7 | odd_result=5 | game",
        ),
        (
            "id=\"7\"",
            "id=\"\"",
            "- renju renju draw | B h8 W i9 B j7 |  | game",
        ),
        (
            "<game id",
            "<gane id",
            "- renju renju - | B h8 W i9 B j7 | missing_header | game",
        ),
        (
            "<info></info>\n</game>",
            "",
            "7 renju renju draw | B h8 W i9 B j7 | missing_end | game",
        ),
        (
            "</move>\n<info></info>\n</game>",
            "",
            "7 renju renju draw | B h8 W i9 B j7 | missing_end | game",
        ),
        (
            "</game>",
            "</game",
            "7 renju renju draw | B h8 W i9 B j7 |  | game",
        ),
        (
            "</move>",
            "",
            "7 renju renju draw | B h8 W i9 B j7 |  | game",
        ),
    ] {
        let games = GAMES.replacen(from, to, 1);
        assert_ne!(games, GAMES, "{from}");
        let text = format!("{HEAD}{games}{TAIL}");
        let found = records(text.as_bytes());
        assert_eq!(found, [expected, EXPECTED[1], EXPECTED[2]], "{from} {to}");
        assert_same_pieces("rif", &Context::default(), text.as_bytes());
    }
}

/// Wherever the file breaks off, the games before are whole, and the one that
/// it breaks off in says so unless nothing but its end is missing.
#[test]
fn cut_anywhere() {
    let text = format!("{HEAD}{GAMES}");
    for end in 0..text.len() {
        let bytes = &text.as_bytes()[..end];
        let found = records(bytes);
        let whole = text[..end].matches("</game>").count();
        let begun = found.len();
        assert!(begun == whole || begun == whole + 1, "{end}");
        assert_eq!(found[..whole], EXPECTED[..whole], "{end}");
        for torn in &found[whole..] {
            let told = torn.contains("missing_end") || text[..end].ends_with("</game");
            assert!(told || torn.ends_with("no_moves"), "{end} {torn}");
        }
    }
    let torn = "<game id=\"7\" bresult=\"1\"><move>h8 i9 h1";
    assert_eq!(
        records(torn.as_bytes()),
        ["7 renju renju B+ | B h8 W i9 | missing_end torn_line | game"]
    );
    let unclosed = pieces("rif", &Context::default(), torn.as_bytes(), 5);
    assert!(unclosed[0].around.unclosed);
}

#[test]
fn rows_from_the_top_where_the_user_says_so() {
    let context = Context {
        first_row: Some(FirstRow::Top),
        ..Context::default()
    };
    read_all("rif", &context, GAMES.as_bytes(), &mut |record, _| {
        let from_bottom = false;
        assert_eq!(
            record.notation,
            kifu::record::Notation::Letters { from_bottom }
        );
    });
}

#[test]
fn a_game_that_was_given_up_is_passed_over() {
    let context = Context::default();
    for (windows, expected) in [
        (
            vec!["<game id=\"1\"><move>h8", "h8 h8 h8 h8 </mo", "ve></game>"],
            0,
        ),
        (vec!["<game id=\"1\"><move>h8", "</game>"], 0),
        // The next game ends it too.
        (vec!["<game id=\"1\"><move>h8 "], 0),
    ] {
        let mut state = SplitState::default();
        state.give_up();
        let mut met = 0;
        let mut kept = String::new();
        for window in windows {
            kept.push_str(window);
            let consumed =
                format_of("rif").split(&mut state, kept.as_bytes(), false, &context, &mut |_| {
                    met += 1;
                });
            kept.drain(..consumed);
        }
        assert_eq!(met, expected);
        kept.push_str(GAMES);
        let consumed =
            format_of("rif").split(&mut state, kept.as_bytes(), true, &context, &mut |_| {
                met += 1;
            });
        assert_eq!((consumed, met), (kept.len(), expected + 3));
        assert!(!state.is_passing());
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..300)) {
        assert_same_pieces("rif", &Context::default(), &bytes);
        read_all("rif", &Context::default(), &bytes, &mut |_, _| {});
    }

    #[test]
    fn parts_in_any_order(parts in vec(select(vec![
        "<game ", "<game>", "</game>", "</game", "</games>", "<move>", "</move>", "<rule ", "id=\"1\"",
        "rule=1", "category='gomoku'", ">", "\"", "<", "h8 ", "i9", "\n", "<!--", "bresult=\"1\" ",
    ]), 0..60)) {
        let text = parts.concat();
        assert_same_pieces("rif", &Context::default(), text.as_bytes());
        read_all("rif", &Context::default(), text.as_bytes(), &mut |_, _| {});
    }
}

/// The games of the reference archive that are not damaged on purpose have the
/// winner they had; each of the others says what is wrong.
#[test]
fn the_reference_archive() {
    let Some(folder) = reference("kinrow/archives") else {
        return;
    };
    let copy = Folder::new();
    copy.write("games.xml", fs::read(folder.join("rif/games.xml")).unwrap());
    let rows = copy.run("label games.xml -o -").done().rows();
    let truth = fs::read_to_string(folder.join("truth.jsonl")).unwrap();
    let truth: Vec<Value> = truth
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &Value| line["path"] == "archives/rif/games.xml")
        .collect();
    assert_eq!(rows.len(), truth.len());
    let mut quirks = 0;
    for (row, truth) in rows.iter().zip(&truth) {
        let origin = &row["origin"];
        let winner = truth["winner"].as_str().unwrap();
        match truth["quirk"].as_str() {
            Some("empty move list") => assert_eq!(row["error_kind"], "no_moves", "{origin}"),
            Some("last token is no point") => {
                assert_eq!(row["error_kind"], "off_board", "{origin}");
            }
            Some("last move repeats the first point") => {
                assert_eq!(row["error_kind"], "occupied", "{origin}");
            }
            Some("no result") => {
                assert_eq!(row["recorded_winner"], "", "{origin}");
                assert_eq!(row["winner"], winner, "{origin}");
            }
            _ => assert_eq!(row["recorded_winner"], winner, "{origin}"),
        }
        quirks += usize::from(truth["quirk"].is_string());
        if truth["end"] == "five" && row["error_kind"].is_empty() {
            assert_eq!(row["winner"], winner, "{origin}");
        }
    }
    assert_eq!(quirks, 5);
}
