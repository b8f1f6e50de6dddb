//! Lists of games and positions of xiangqi, one a line.

use kifu::format::{self, Context};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{assert_same_pieces, read_all, steps, warnings};

/// Every record of a text: id, set-up, result, steps, warnings, and the word of
/// its error.
fn records(name: &str, text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let context = Context::default();
    read_all(name, &context, text.as_bytes(), &mut |record, word| {
        let text = |raw: Option<&[u8]>| raw.map_or("-".into(), |raw| record.text(raw).into_owned());
        all.push(format!(
            "{} {} {} | {} | {} | {word}",
            text(record.id),
            text(record.setup),
            text(record.result),
            steps(record),
            warnings(record),
        ));
    });
    assert_same_pieces(name, &context, text.as_bytes());
    all
}

fn known(text: &str) -> Option<&'static str> {
    format::choose("a.txt".as_ref(), text.as_bytes()).map(|(format, _)| format.name())
}

#[test]
fn moves_with_ids() {
    for (line, expected) in [
        (
            "g1;h2e2,h9g7,a10a9\n",
            "g1 - - | B h2e2 W h9g7 B a10a9 |  | game",
        ),
        (
            " g 1 ; H2-E2 , h9g7 \r\n",
            "g 1 - - | B H2-E2 W h9g7 |  | game",
        ),
        ("g1;h2e2,\n", "g1 - - | B h2e2 |  | game"),
        (
            "g1;h2e2,,h9g7\n",
            "g1 - - | B h2e2 W h9g7 | stray_text | game",
        ),
        // Whether it can be played, the replay says.
        ("g1;h2e2,xx,h9g7\n", "g1 - - | B h2e2 W xx B h9g7 |  | game"),
        ("g1;h2e2,h9g\n", "g1 - - | B h2e2 W h9g |  | game"),
        ("g1;h2e2,h9g", "g1 - - | B h2e2 | torn_line | game"),
        ("g1;h2e2,h9g7", "g1 - - | B h2e2 W h9g7 |  | game"),
        ("g1;\n", "g1 - - |  |  | no_moves"),
        (
            "g1;h2e2 h9g7  h0g2\n",
            "g1 - - | B h2e2 W h9g7 B h0g2 |  | game",
        ),
        ("id;moves\n", "- - - |  |  | skipped"),
        ("# a remark; h2e2\n", "- - - |  |  | skipped"),
        ("#1;h2e2,h9g7\n", "#1 - - | B h2e2 W h9g7 |  | game"),
        (";h2e2\n", "- - - |  |  | no_move_line"),
        ("text\n", "- - - |  |  | no_move_line"),
        ("\n \n", ""),
    ] {
        let found = records("id-moves", line);
        assert_eq!(found.join(" "), expected, "{line:?}");
        let good = "g0;h2e2\n";
        let two = records("id-moves", &format!("{good}{line}"));
        assert_eq!(two[0], "g0 - - | B h2e2 |  | game");
        assert_eq!(two[1..], found);
    }
    for text in ["g1;h2e2,h9g7\ng2;h2e2\n", "g1;h2e2", "g1;h2e2,\n"] {
        assert_eq!(known(text), Some("id-moves"), "{text}");
    }
    // Odd lines among those of games.
    let games = "g1;h2e2,h9g7,h0g2\ng2;h2e2,h9g7\n";
    for odd in [
        "id;moves\n",
        "# a list\n",
        "g0;\n",
        "g0;\n\ng9;\n",
        "g0;C2=5,H8+7\n",
        "text\n",
    ] {
        for text in [format!("{odd}{games}"), format!("{games}{odd}")] {
            assert_eq!(known(&text), Some("id-moves"), "{text}");
        }
    }
    assert_eq!(known(&games.replace(',', " ")), Some("id-moves"));
    // Not gomoku, of which no point is on a row 0, nor on squares behind an id.
    for text in ["h2e2 h7e7 h0g2 h9g7\n", "game1;h2e2,h9g7\na\nb\nc\n"] {
        assert_ne!(known(text), Some("moves"), "{text}");
    }
    assert_eq!(known("h8 i9 j7\nh8 j10\n"), Some("moves"));
    let long = format!("g1;{}", "h2e2,".repeat(2000));
    assert_eq!(known(&long[..4096]), Some("id-moves"));
    for text in [
        "g1;h2e2,x\n",
        "g1,h2e2\n",
        "g1;\n",
        ";h2e2\n",
        "h8;i9,j7\n",
        "",
    ] {
        assert_ne!(known(text), Some("id-moves"), "{text}");
    }
}

const STUDY: &str = "3ak4/4a4/9/9/9/9/9/9/4C4/4K4 w - - 0 1";

#[test]
fn positions() {
    let study = |rest: &str| format!("- {STUDY} {rest}");
    for (line, expected) in [
        (STUDY.to_owned(), study("- |  |  | game")),
        (format!("{STUDY} ; a study"), study("- |  |  | game")),
        (format!("{STUDY}\tmate in 3 1-0"), study("1-0 |  |  | game")),
        (format!("{STUDY} # 1/2-1/2"), study("1/2-1/2 |  |  | game")),
        (format!("fen {STUDY}"), study("- |  |  | game")),
        (
            format!("position fen {STUDY} moves e1e8 e9e8"),
            study("- | B e1e8 W e9e8 |  | game"),
        ),
        (
            format!("{} moves e9e8", STUDY.replace('w', "b")),
            format!("- {} - | W e9e8 |  | game", STUDY.replace('w', "b")),
        ),
        (
            "position startpos moves h2e2 h9g7".to_owned(),
            "- - - | B h2e2 W h9g7 |  | game".to_owned(),
        ),
        ("# a remark".to_owned(), "- - - |  |  | skipped".to_owned()),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned(),
            "- - - |  |  | skipped".to_owned(),
        ),
        ("text".to_owned(), "- - - |  |  | no_board".to_owned()),
        ("startpos".to_owned(), "- - - |  |  | game".to_owned()),
        (
            "position startpos".to_owned(),
            "- - - |  |  | game".to_owned(),
        ),
        (
            "position startpos x".to_owned(),
            "- - - |  |  | no_board".to_owned(),
        ),
        (format!("{STUDY} ; 排局 红胜"), study("红胜 |  |  | game")),
        (format!("{STUDY} # 和棋"), study("和棋 |  |  | game")),
    ] {
        let good = format!("{STUDY}\n");
        for end in ["", "\n", "\r\n"] {
            let found = records("fen", &format!("{good}{line}{end}{good}"));
            if end.is_empty() {
                continue;
            }
            assert_eq!(
                found,
                [
                    study("- |  |  | game"),
                    expected.clone(),
                    study("- |  |  | game")
                ]
            );
        }
    }
    for text in [
        format!("{STUDY}\n{STUDY} ; x\n"),
        format!("\u{feff}# list\n{STUDY}\n"),
        "position startpos moves h2e2\n".to_owned(),
        "position startpos\n".to_owned(),
    ] {
        assert_eq!(known(&text), Some("fen"), "{text}");
    }
    for text in ["4k3/8/8/8/8/8/8/4K3 w - - 0 1\n", "a/b/c\n", "# only\n", ""] {
        assert_ne!(known(text), Some("fen"), "{text}");
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        for name in ["id-moves", "fen"] {
            assert_same_pieces(name, &Context::default(), &bytes);
            read_all(name, &Context::default(), &bytes, &mut |_, _| {});
        }
    }

    #[test]
    fn parts_in_any_order(parts in vec(select(vec![
        "g1;", "h2e2", ",", "\n", STUDY, " moves ", "position ", "startpos", ";", "#", "\t", "1-0", "fen ",
    ]), 0..40)) {
        let text = parts.concat();
        for name in ["id-moves", "fen"] {
            assert_same_pieces(name, &Context::default(), text.as_bytes());
            read_all(name, &Context::default(), text.as_bytes(), &mut |_, _| {});
        }
        known(&text);
    }
}
