//! PSQ and `.rec`: a game in numbers, a line a move.

use kifu::format::{self, Chosen, Context};
use proptest::prelude::*;

use super::{assert_same_pieces, read_all, steps, warnings};

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
            "a_0.psq",
            format!("{HEAD}8,8,118\n0,Freestyle1\n"),
            "B 8,8 | - draw |  | game",
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
        ("a.psq", HEAD.to_owned(), " | - - |  | game"),
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
