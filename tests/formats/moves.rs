//! Lists of moves: a game a line.

use kifu::{
    format::{self, Chosen, Context, FirstRow},
    record::Notation,
};
use proptest::prelude::*;

use super::{assert_same_pieces, read_all, steps, warnings};

/// The records of a text: steps, result, how it ended, warnings, and the word of
/// the error.
fn read(context: &Context, text: &str) -> Vec<String> {
    let mut all = Vec::new();
    read_all("moves", context, text.as_bytes(), &mut |record, word| {
        let said = |raw: Option<&[u8]>| String::from_utf8_lossy(raw.unwrap_or(b"-")).into_owned();
        all.push(format!(
            "{} | {} | {} | {} | {word}",
            steps(record),
            said(record.result),
            said(record.ending),
            warnings(record)
        ));
    });
    all
}

#[test]
fn lines_of_every_kind() {
    for (line, expected) in [
        ("h8i9j7", "B h8 W i9 B j7 | - | - |  | game"),
        ("H8I9", "B H8 W I9 | - | - |  | game"),
        ("h8 i9 aa12", "B h8 W i9 B aa12 | - | - |  | game"),
        ("1.h8 2.i9 3.j7", "B h8 W i9 B j7 | - | - |  | game"),
        ("1. h8 i9 2. j7", "B h8 W i9 B j7 | - | - |  | game"),
        ("h8 pass i9 --", "B h8 W pass B i9 W -- | - | - |  | game"),
        ("[BLACK_WIN] h8 i9", "B h8 W i9 | BLACK_WIN | - |  | game"),
        ("h8 i9 1/2-1/2", "B h8 W i9 | 1/2-1/2 | - |  | game"),
        (
            "0-1\tWhite win by five connection\t15\th8 i9",
            "B h8 W i9 | 0-1 | White win by five connection |  | game",
        ),
        // A position, a move and its result for who makes it.
        ("h8i9,j7,2", "B h8 W i9 B j7 | B+ | - |  | game"),
        ("h8,i9,0", "B h8 W i9 | B+ | - |  | game"),
        ("h8,i9,1", "B h8 W i9 | draw | - |  | game"),
        // What is no point is where the replay stops.
        ("h8 i9 7x", "B h8 W i9 B 7x | - | - |  | game"),
        (
            "h8 i9 and so on",
            "B h8 W i9 | - | - | trailing_text | game",
        ),
        ("[BLACK WIN] h8 i9", "B h8 W i9 | BLACK WIN | - |  | game"),
        ("h8 i9,B+", "B h8 W i9 | B+ | - |  | game"),
        ("h8,i9,B+R", "B h8 W i9 | B+R | - |  | game"),
        // The position may be empty.
        (",h8,1", "B h8 | draw | - |  | game"),
        (",h8,2", "B h8 | B+ | - |  | game"),
        ("nothing here", " | - | - |  | no_moves"),
        ("# a remark", " | - | - |  | skipped"),
        ("; a remark", " | - | - |  | skipped"),
        ("Position,Move,Result", " | - | - |  | skipped"),
    ] {
        assert_eq!(read(&Context::default(), line), [expected], "{line}");
    }
}

#[test]
fn the_first_row_is_the_lowest_unless_told_otherwise() {
    let mut context = Context::default();
    for (first_row, line, from_bottom) in [
        (None, "h8i9", true),
        (None, "h8,i9,2", false),
        (Some(FirstRow::Top), "h8i9", false),
        (Some(FirstRow::Bottom), "h8,i9,2", true),
    ] {
        context.first_row = first_row;
        read_all("moves", &context, line.as_bytes(), &mut |record, _| {
            assert_eq!(record.notation, Notation::Letters { from_bottom }, "{line}");
        });
    }
}

#[test]
fn lists_are_known_by_what_they_hold() {
    let chosen = |text: &str| {
        let found = format::choose("a.txt".as_ref(), text.as_bytes());
        found.map(|(format, by)| (format.name(), by))
    };
    let known = Some(("moves", Chosen::Content));
    for text in [
        "h8i9j7\n",
        "\n1.h8 2.i9\n",
        "# from x\nh8 i9\n",
        "h8,i9,2\n",
        // A list without LF, with a mark of UTF-8.
        "\u{feff}h8 i9\rj7 k6\r",
        "position,move,result\n,h8,1\n",
        "; from x\n# y\nh8 i9\n",
        // Odd lines among lists.
        "h8 i9\nsome text\nh8 j9\n",
        "[BLACK WIN] h8 i9\nh8\n",
    ] {
        assert_eq!(chosen(text), known, "{text:?}");
    }
    for text in [
        "",
        "a1\n",
        "hello\n",
        "h8 i9\nsome text\nand more\n",
        "position,move,result\n",
        "# h8 i9\n",
        "1,2,3\n",
        "a,b1,c\n",
    ] {
        assert_ne!(chosen(text), known, "{text:?}");
    }
}

#[test]
fn lines_may_end_in_cr() {
    let text = "\u{feff}h8 i9\rj7 k6\r\rl5 m4";
    assert_eq!(
        read(&Context::default(), text),
        ["B h8 W i9", "B j7 W k6", "B l5 W m4"].map(|moves| format!("{moves} | - | - |  | game"))
    );
    assert_same_pieces("moves", &Context::default(), text.as_bytes());
}

proptest! {
    #[test]
    fn any_lines(text in "([a-z0-9 .,\t#;\\[\\]-]{0,12}\r?\n){0,12}[a-z0-9 ]{0,6}") {
        assert_same_pieces("moves", &Context::default(), text.as_bytes());
        let records = read(&Context::default(), &text);
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        prop_assert_eq!(records.len(), lines.count());
    }
}
