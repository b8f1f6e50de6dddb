//! PSQ and `.rec`: a game in numbers, a line a move.

use kifu::{
    format::{self, Chosen, Context, SplitState},
    record::Notation,
};
use proptest::prelude::*;

use super::{assert_same_pieces, format_of, read_all, steps, warnings};

const HEAD: &str = "Piskvorky 15x15, 11:11, 0\n";

/// The records of a file of some name: steps, rules, result, warnings, and the
/// word of the error.
fn read(path: &str, text: &str) -> Vec<String> {
    let context = Context {
        path: path.to_owned(),
        ..Context::default()
    };
    let mut all = Vec::new();
    read_all("psq", &context, text.as_bytes(), &mut |record, word| {
        let said = |raw: Option<&[u8]>| String::from_utf8_lossy(raw.unwrap_or(b"-")).into_owned();
        all.push(format!(
            "{} | {} {} | {} | {word}",
            steps(record),
            said(record.rules),
            said(record.result),
            warnings(record)
        ));
    });
    all
}

#[test]
fn lines_of_moves() {
    for (path, text, expected) in [
        (
            "Renju1/3_a_b_2.psq",
            format!("{HEAD}8,8,118\n9,9,20\na.zip\nb.zip\n-1\n"),
            "B 8,8 W 9,9 | renju W+ |  | game",
        ),
        // Lines of other systems, no times, and a code that looks like a move.
        (
            "1x0-2.psq",
            format!(
                "{}8,8\r\n9,9\r\na\r\nb\r\n0,1\r\n",
                HEAD.replace('\n', "\r\n")
            ),
            "B 8,8 W 9,9 | - - |  | game",
        ),
        (
            "3_a_b_0.psq",
            format!("{HEAD}8,8,118\n0,Freestyle1\n"),
            "B 8,8 | - draw |  | game",
        ),
        (
            "game_2.psq",
            format!("{HEAD}8,8,118\n"),
            "B 8,8 | - - |  | game",
        ),
        (
            "3_Rapfi_1.2_Yixin_2.psq.gz",
            format!("{HEAD}8,8,118\n"),
            "B 8,8 | - W+ |  | game",
        ),
        // Blanks, any case, and lines that end in CR alone.
        (
            "a.psq",
            "PISKVORKY 15x15, 11:11, 0\r8, 8, 118\r 9 ,9 , 20\rone\rtwo\r-1\r".to_owned(),
            "B 8, 8 W 9 ,9 | - - |  | game",
        ),
        // What is no move does not hide the moves behind it.
        (
            "a.psq",
            format!("{HEAD}8,8,118\n9;9;20\n10,10,30\n11,11,5\n"),
            "B 8,8 W 9;9;20 | - - |  | game",
        ),
        (
            "a.psq",
            format!("{HEAD}8,8\n9;9\n10,10\n11,11\n"),
            "B 8,8 W 9;9 | - - |  | game",
        ),
        // `.rec` has the players first.
        (
            "a.rec",
            "one\ntwo\n7,7,118\n8,8,20\n9,9,30\n".to_owned(),
            "B 7,7 W 8,8 B 9,9 | - - |  | game",
        ),
        // The last move may be half of one.
        (
            "a.psq",
            format!("{HEAD}8,8,118\n9,1"),
            "B 8,8 | - - | torn_line | game",
        ),
        ("a.psq", HEAD.to_owned(), " | - - |  | no_moves"),
        (
            "a.psq",
            format!("{HEAD}one\ntwo\n-1\n"),
            " | - - |  | no_moves",
        ),
        // No size: on 15x15 these would be counted from 1.
        (
            "a.rec",
            "a\nb\n8,8,0\n15,1,0\n".to_owned(),
            "B 8,8 W 15,1 | - - | base_unclear=0 | game",
        ),
        (
            "a.rec",
            "a\nb\n8,8,0\n15,0,0\n".to_owned(),
            "B 8,8 W 15,0 | - - |  | game",
        ),
        (
            "a.psq",
            HEAD.replace("15x15", "99x99"),
            " | - - |  | bad_size",
        ),
        ("a.psq", "no moves\n".to_owned(), " | - - |  | no_record"),
    ] {
        assert_eq!(read(path, &text), [expected], "{path} {text:?}");
        assert_same_pieces("psq", &Context::default(), text.as_bytes());
    }
}

/// Only `.rec` counts from 0.
#[test]
fn where_points_are_counted_from() {
    for (path, head, first) in [
        ("a.psq", HEAD, 1),
        ("a.psq", "", 1),
        ("a.rec", HEAD, 1),
        ("a.rec", "", 0),
        ("a.REC.gz", "", 0),
    ] {
        let context = Context {
            path: path.to_owned(),
            ..Context::default()
        };
        let text = format!("{head}8,8,118\n");
        let mut met = 0;
        read_all("psq", &context, text.as_bytes(), &mut |record, _| {
            met += 1;
            assert_eq!(
                record.notation,
                Notation::Numbers { first },
                "{path} {head}"
            );
        });
        assert_eq!(met, 1);
    }
}

#[test]
fn each_head_begins_a_record() {
    let text = format!("{HEAD}8,8,118\nPiskvorky\nb\n-1\n\n{HEAD}9,9,20\n{HEAD}{HEAD}7,7,1");
    assert_eq!(
        read("a.psq", &text),
        [
            "B 8,8 | - - |  | game",
            "B 9,9 | - - |  | game",
            " | - - |  | no_moves",
            "B 7,7 | - - |  | game",
        ]
    );
    assert_same_pieces("psq", &Context::default(), text.as_bytes());
    assert_same_pieces(
        "psq",
        &Context::default(),
        text.replace('\n', "\r").as_bytes(),
    );
}

/// The rest of a record that was given up is passed over, whatever windows it
/// comes in, up to the next head.
#[test]
fn a_record_that_was_given_up_is_passed_over() {
    let text = format!("8,8,118\n9,9,20\n{HEAD}7,7,1\n");
    for step in 1..text.len() {
        let mut state = SplitState::default();
        state.give_up();
        let (mut from, mut to, mut met) = (0, 0, Vec::new());
        while to < text.len() {
            to = text.len().min(to + step);
            let window = &text.as_bytes()[from..to];
            let eof = to == text.len();
            let context = Context::default();
            from += format_of("psq").split(&mut state, window, eof, &context, &mut |piece| {
                met.push(text[from + piece.start..from + piece.end].to_owned());
            });
        }
        assert_eq!(met, [format!("{HEAD}7,7,1\n")], "windows of {step}");
    }
}

#[test]
fn it_is_known_by_its_head() {
    let chosen = |name: &str, text: &str| {
        format::choose(name.as_ref(), text.as_bytes()).map(|(format, by)| (format.name(), by))
    };
    let game = format!("{HEAD}8,8,118\n");
    assert_eq!(chosen("a.psq", &game), Some(("psq", Chosen::Extension)));
    assert_eq!(chosen("a.txt", &game), Some(("psq", Chosen::Content)));
    assert_eq!(chosen("a.txt", "8,8,118\n9,9,3\n"), None);
}

proptest! {
    #[test]
    fn any_text(text in "(Piskvorky 15x15, 1:1, 0\n)?([0-9,-]{0,9}\n|[a-z ]{0,6}\n){0,20}[0-9,]{0,5}") {
        assert_same_pieces("psq", &Context::default(), text.as_bytes());
        let records = read("a.psq", &text);
        prop_assert_eq!(records.len(), usize::from(!text.trim().is_empty()));
    }
}
