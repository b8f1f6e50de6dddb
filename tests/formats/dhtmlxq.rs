//! DhtmlXQ: records in tags, in pages or alone.

use encoding_rs::{BIG5, GB18030, UTF_8};
use kifu::{
    format::{self, Chosen, Context, SplitState},
    record::Notation,
};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{assert_same_pieces, format_of, pieces, read_all, xqf::line};

fn read(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    read_all(
        "dhtmlxq",
        &Context::default(),
        text.as_bytes(),
        &mut |record, word| {
            assert_eq!(
                (record.game, record.notation),
                (Some("xiangqi"), Notation::Iccs)
            );
            all.push(line(record, word));
        },
    );
    all
}

fn tag(name: &str, value: &str) -> String {
    format!("[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]")
}

fn block(moves: &str, result: &str) -> String {
    let (moves, result) = (tag("movelist", moves), tag("result", result));
    format!("[DhtmlXQ]{result}{moves}[/DhtmlXQ]")
}

/// Cannon to the middle, then the horse: 炮二平五 马８进７.
const MOVES: &str = "77477062";
const STEPS: &str = "B h2e2 W h9g7";

#[test]
fn a_block_and_a_page() {
    let block = block(MOVES, "W");
    let expected = format!("- | {STEPS} | 1-0 |  | game");
    let page = format!("<html><body>\n<div id=\"a\">{block}</div>\n<p>text</p></body></html>\n");
    for text in [&block, &page] {
        assert_eq!(read(text), [&*expected]);
        assert_same_pieces("dhtmlxq", &Context::default(), text.as_bytes());
    }
    let two = format!("{page}{}", page.replace("]W[", "]L["));
    let second = expected.replace("1-0", "0-1");
    assert_eq!(read(&two), [&*expected, &*second]);
    assert_same_pieces("dhtmlxq", &Context::default(), two.as_bytes());
}

#[test]
fn results_are_words_or_letters() {
    for (written, said) in [
        ("W", "1-0"),
        ("L", "0-1"),
        ("D", "1/2-1/2"),
        ("", "-"),
        ("红胜", "红胜"),
        (" 1-0 ", "1-0"),
    ] {
        let expected = format!("- | {STEPS} | {said} |  | game");
        assert_eq!(read(&block(MOVES, written)), [expected]);
    }
}

#[test]
fn positions_comments_and_other_lines() {
    // Red: general d0, chariot a5. Black: general e9.
    let mut squares = vec!["99"; 32];
    (squares[0], squares[4], squares[20]) = ("04", "39", "40");
    let squares = squares.concat();
    let aside = tag("comment1", "one||two [DhtmlXQ") + &tag("move_0_1_1", "0403");
    for (moves, expected) in [
        ("0403", "4k4/9/9/9/R8/9/9/9/9/3K5 w | B a5a6 | - |  | game"),
        ("4041", "4k4/9/9/9/R8/9/9/9/9/3K5 b | W e9e8 | - |  | game"),
        ("", "4k4/9/9/9/R8/9/9/9/9/3K5 w |  | - |  | game"),
    ] {
        let record = format!(
            "[DhtmlXQ]{}{}{aside}[/DhtmlXQ]",
            tag("binit", &squares),
            tag("movelist", moves)
        );
        assert_eq!(read(&record), [expected]);
    }
}

#[test]
fn black_begins_the_usual_position() {
    let expected = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";
    let found = read(&block("7062", ""));
    assert_eq!(found, [format!("{expected} | W h9g7 | - |  | game")]);
}

#[test]
fn damage() {
    let moves = tag("movelist", MOVES);
    let whole = format!("- | {STEPS} | - |  | game");
    for (text, expected) in [
        // Tags without their frame, as pages have them in scripts.
        (moves.clone(), vec![whole.clone()]),
        (
            format!("x = '{moves}'; [DhtmlXQ]{moves}[/DhtmlXQ]"),
            vec![whole.clone()],
        ),
        (
            format!("[DhtmlXQ]{moves}"),
            vec![whole.replace("|  |", "| missing_end |")],
        ),
        (
            format!("[DhtmlXQ]{moves}[DhtmlXQ]{moves}[/DhtmlXQ]"),
            vec![whole.replace("|  |", "| missing_end |"), whole.clone()],
        ),
        (
            format!("[DhtmlXQ][DhtmlXQ_movelist]{MOVES}[/DhtmlXQ]"),
            vec![whole.replace("|  |", "| unclosed_value |")],
        ),
        (
            format!("[DhtmlXQ][DhtmlXQ_movelist]{MOVES}12"),
            vec![whole.replace("|  |", "| unclosed_value missing_end torn_line |")],
        ),
        (block("7747 7062\n", ""), vec![whole.clone()]),
        (block("77 47 70 62", ""), vec![whole.clone()]),
        (block("7 7\t4 77\n062", ""), vec![whole.clone()]),
        (
            block("774770", ""),
            vec!["- | B h2e2 W 70 | - |  | game".to_owned()],
        ),
        (
            block("7747x062", ""),
            vec!["- | B h2e2 W x062 | - |  | game".to_owned()],
        ),
        (block("9747", ""), vec!["- | B - | - |  | game".to_owned()]),
        (block("", ""), vec!["- |  | - |  | game".to_owned()]),
        (
            "[DhtmlXQ][/DhtmlXQ]".to_owned(),
            vec!["- |  | - |  | no_moves".to_owned()],
        ),
        (tag("title", "a"), vec!["- |  | - |  | skipped".to_owned()]),
        (
            format!("[DhtmlXQ]{}{moves}[/DhtmlXQ]", tag("binit", "0919")),
            vec!["- |  | - |  | bad_position".to_owned()],
        ),
        ("<html><p>nothing</p></html>".to_owned(), vec![]),
        (String::new(), vec![]),
    ] {
        assert_eq!(read(&text), expected, "{text}");
        assert_same_pieces("dhtmlxq", &Context::default(), text.as_bytes());
    }
}

/// Tags without frames: what is said again is said of another game.
#[test]
fn games_without_frames() {
    let game = |title: &str, result: &str| {
        let moves = tag("movelist", MOVES);
        format!("{}{}{moves}", tag("title", title), tag("result", result))
    };
    let found = |result: &str| format!("- | {STEPS} | {result} |  | game");
    for (text, expected) in [
        (
            format!("{}<hr>\n{}", game("A", "红胜"), game("B", "黑胜")),
            vec![found("红胜"), found("黑胜")],
        ),
        (
            [("A", "W"), ("B", "D"), ("C", "L")]
                .map(|(title, result)| game(title, result))
                .concat(),
            vec![found("1-0"), found("1/2-1/2"), found("0-1")],
        ),
        // Moves alone.
        (
            tag("movelist", MOVES).repeat(2),
            vec![found("-"), found("-")],
        ),
        // Comments and other lines have names of their own.
        (
            format!(
                "{}{}{}",
                game("A", "W"),
                tag("comment1", "a"),
                tag("comment2", "b")
            ),
            vec![found("1-0")],
        ),
    ] {
        assert_eq!(read(&text), expected, "{text}");
        assert_same_pieces("dhtmlxq", &Context::default(), text.as_bytes());
    }
    // In a frame the first result stays, and the other one is known.
    let twice = format!(
        "[DhtmlXQ]{}{}{}[/DhtmlXQ]",
        tag("result", "W"),
        tag("result", "L"),
        tag("movelist", MOVES)
    );
    read_all(
        "dhtmlxq",
        &Context::default(),
        twice.as_bytes(),
        &mut |record, _| {
            assert_eq!(
                (record.result, record.other_result),
                (Some(&b"1-0"[..]), Some(&b"0-1"[..]))
            );
        },
    );
}

#[test]
fn pages_in_every_encoding() {
    for (result, encoding) in [("紅勝", BIG5), ("红胜", GB18030), ("红胜", UTF_8)] {
        let page = format!("<html>\n{}\n</html>", block(MOVES, result));
        let (bytes, _, _) = encoding.encode(&page);
        let mut met = 0;
        read_all(
            "dhtmlxq",
            &Context::default(),
            &bytes,
            &mut |record, word| {
                let expected = format!("- | {STEPS} | {result} |  | game");
                assert_eq!(line(record, word), expected, "{}", encoding.name());
                met += 1;
            },
        );
        assert_eq!(met, 1);
    }
}

#[test]
fn it_is_known_by_its_tags() {
    let chosen = |name: &str, text: &str| {
        format::choose(name.as_ref(), text.as_bytes()).map(|(format, by)| (format.name(), by))
    };
    let page = format!("<html>{}</html>", block(MOVES, "W"));
    for name in ["a.html", "a.htm", "a.txt", "a"] {
        assert_eq!(chosen(name, &page), Some(("dhtmlxq", Chosen::Content)));
    }
    assert_eq!(chosen("a.html", "<html></html>"), None);
}

#[test]
fn cut_anywhere() {
    let text = block(MOVES, "W") + &block(MOVES, "L");
    for end in 0..text.len() {
        let found = read(&text[..end]);
        let begun = usize::from(end >= 8) + usize::from(end >= block(MOVES, "W").len() + 8);
        assert_eq!(found.len(), begun, "{end}");
        for record in &found {
            assert!(!record.contains("W - "), "{record}");
        }
    }
}

#[test]
fn long_games_and_many_tags() {
    let found = read(&block(&"77477774".repeat(2500), ""));
    assert_eq!(found[0].matches("h2e2").count(), 2500);
    // Tags without an end, and ends without a tag.
    read(&"[DhtmlXQ_a]".repeat(200_000));
    read(&("[DhtmlXQ_a]".repeat(200_000) + "[/DhtmlXQ_b]"));
    read(&"[/DhtmlXQ_a][DhtmlXQ_movelist]".repeat(50_000));
}

#[test]
fn a_record_that_was_given_up_is_passed_over() {
    let (first, second) = (block(&MOVES.repeat(20), "W"), block(MOVES, "L"));
    let text = format!("{first}{second}");
    let context = Context::default();
    for step in [1, 5, 10, 50, 1000] {
        let mut state = SplitState::default();
        state.give_up();
        let (mut from, mut to) = (0, 0);
        let mut met = Vec::new();
        while from < text.len() {
            to = text.len().min(to + step);
            let window = &text.as_bytes()[from..to];
            let eof = to == text.len();
            from += format_of("dhtmlxq").split(&mut state, window, eof, &context, &mut |piece| {
                met.push((from + piece.start, from + piece.end));
            });
        }
        assert_eq!(met, [(first.len(), text.len())], "{step}");
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..300)) {
        assert_same_pieces("dhtmlxq", &Context::default(), &bytes);
        read_all("dhtmlxq", &Context::default(), &bytes, &mut |_, _| {});
    }

    #[test]
    fn parts_in_any_order(parts in vec(select(vec![
        "[DhtmlXQ]", "[/DhtmlXQ]", "[DhtmlXQ_", "movelist]", "[DhtmlXQ_movelist]", "[/DhtmlXQ_movelist]",
        "7747", "[DhtmlXQ_binit]", "[/DhtmlXQ_binit]", "<", "DhtmlXQ]", "[/", "[", "]", " ",
    ]), 0..40)) {
        let text = parts.concat();
        assert_same_pieces("dhtmlxq", &Context::default(), text.as_bytes());
        read(&text);
        // What is handed over holds every tag.
        let held: usize = pieces("dhtmlxq", &Context::default(), text.as_bytes(), text.len().max(1))
            .iter()
            .map(|piece| text[piece.start..piece.end].matches("[DhtmlXQ").count())
            .sum();
        prop_assert_eq!(held, text.matches("[DhtmlXQ").count());
    }
}
