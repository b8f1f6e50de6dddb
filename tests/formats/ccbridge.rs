//! CCBridge: records and libraries.

use kifu::{
    format::{self, Chosen, Context, SplitState},
    record::StepKind,
};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    assert_same_pieces, format_of, pieces, read_all,
    xqf::{any_game, branched, is_game, line},
    xqwrite::{Game, cbl, cbr},
};

const EXPECTED: &str = "- | B h2e2 W h9g7 B h0g2 W i9h9 | 1-0 |  | game";

fn read(name: &str, bytes: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    read_all(name, &Context::default(), bytes, &mut |record, word| {
        all.push(line(record, word));
    });
    all
}

fn record(result: u8) -> Vec<u8> {
    let game = Game {
        result,
        ..branched()
    };
    cbr(&game, ["Cup", "许银川", "B"], 1)
}

#[test]
fn one_record() {
    for (result, said) in [(0, "*"), (1, "1-0"), (2, "0-1"), (3, "1/2-1/2"), (4, "*")] {
        assert_eq!(
            read("cbr", &record(result)),
            [EXPECTED.replace("1-0", said)]
        );
    }
    assert_same_pieces("cbr", &Context::default(), &record(1));
    let empty = cbr(&Game::default(), [""; 3], 1);
    assert_eq!(read("cbr", &empty), ["- |  | * |  | game"]);
}

#[test]
fn texts_and_a_position() {
    let context = Context {
        meta: true,
        ..Context::default()
    };
    let game = Game {
        pieces: vec![(4, 9, b'k'), (3, 0, b'K'), (0, 9, b'r')],
        moves: vec![*b"a9a8"],
        ..Game::default()
    };
    let bytes = cbr(&game, ["Cup", "许银川", "B"], 2);
    read_all("cbr", &context, &bytes, &mut |record, word| {
        assert_eq!(
            line(record, word),
            "r3k4/9/9/9/9/9/9/9/9/3K5 b | W a9a8 | * |  | game"
        );
        let texts: Vec<String> = record
            .fields
            .iter()
            .map(|(field, text)| format!("{}={}", field.word(), record.text(text)))
            .collect();
        assert_eq!(
            texts,
            ["event=Cup", "first_player=许银川", "second_player=B"]
        );
    });
}

#[test]
fn they_are_known_by_their_first_bytes_and_their_names() {
    let chosen = |name: &str, bytes: &[u8]| {
        format::choose(name.as_ref(), bytes).map(|(format, by)| (format.name(), by))
    };
    let library = cbl(&[record(1)]);
    assert_eq!(chosen("a", &record(1)), Some(("cbr", Chosen::Content)));
    assert_eq!(chosen("a", &library), Some(("cbl", Chosen::Content)));
    assert_eq!(chosen("a.cbr", &library), Some(("cbl", Chosen::Content)));
    assert_eq!(chosen("a.cbl", b""), Some(("cbl", Chosen::Extension)));
    assert_eq!(chosen("a.CBR", b""), Some(("cbr", Chosen::Extension)));
}

#[test]
fn a_library_has_a_record_in_each_place() {
    let long = Game {
        moves: [*b"h0g2", *b"h9g7", *b"g2h0", *b"g7h9"]
            .into_iter()
            .cycle()
            .take(5000)
            .collect(),
        ..Game::default()
    };
    let records = [record(1), cbr(&long, [""; 3], 1), record(2)];
    let bytes = cbl(&records);
    let found = read("cbl", &bytes);
    assert_eq!(found.len(), 3);
    assert_eq!(found[0], EXPECTED);
    assert_eq!(found[1].matches("h0g2").count(), 1250);
    assert_eq!(found[2], EXPECTED.replace("1-0", "0-1"));
    let whole = pieces("cbl", &Context::default(), &bytes, bytes.len());
    for step in [1000, 4096, 5000, 66_624, 70_001] {
        assert_eq!(pieces("cbl", &Context::default(), &bytes, step), whole);
    }
    let unclosed: Vec<bool> = whole.iter().map(|piece| piece.around.unclosed).collect();
    assert_eq!(unclosed, [false, false, true]);
    assert_eq!(read("cbl", &cbl(&[])), [""; 0]);
}

/// What is wrong with one record is no matter of the next one, nor is a wrong
/// number of places in the head.
#[test]
fn damage_stays_in_its_record() {
    let start = 66_624 + 3 * 276;
    let good = cbl(&[record(1), record(2), record(3)]);
    let others = [
        EXPECTED.replace("1-0", "0-1"),
        EXPECTED.replace("1-0", "1/2-1/2"),
    ];
    for (at, byte, expected) in [
        (60, 200, EXPECTED.to_owned()),
        (start + 2076, 7, EXPECTED.replace("1-0", "*")),
        (
            start + 2112,
            2,
            EXPECTED.replace("|  |", "| turn_differs=black |"),
        ),
        // The first move has a square that no board has.
        (start + 2214 + 6, 200, EXPECTED.replace("B h2e2", "B -")),
    ] {
        let mut bytes = good.clone();
        bytes[at] = byte;
        let found = read("cbl", &bytes);
        assert_eq!(found[1..], others, "byte {at}");
        assert_eq!(found[0], expected, "byte {at}");
    }
    // A remark that is longer than the file.
    let mut bytes = good.clone();
    let remark = start + 2214 + 12;
    bytes[remark..remark + 4].fill(0xff);
    let found = read("cbl", &bytes);
    assert!(found[0].ends_with("cut_off"), "{}", found[0]);
    assert_eq!(found[1..], others);
    // A place without pieces keeps its row: the game says that there is no general.
    let mut bytes = good;
    bytes[start + 2120..start + 2210].fill(0);
    let found = read("cbl", &bytes);
    assert!(found[0].starts_with("9/9/9/9/9/9/9/9/9/9 w"));
    assert_eq!(found[1..], others);
}

#[test]
fn cut_anywhere() {
    let bytes = record(1);
    for end in 1..bytes.len() {
        let found = read("cbr", &bytes[..end]);
        let said = found[0].rsplit(" | ").next().unwrap();
        match end {
            0..16 => assert_eq!(said, "bad_magic", "{end}"),
            16..2214 => assert_eq!(said, "cut_off", "{end}"),
            _ if said == "game" => {
                assert_eq!(found[0], EXPECTED.replace("|  |", "| missing_end |"));
            }
            _ => assert_eq!(said, "cut_off", "{end}"),
        }
    }
    let library = cbl(&[record(1), record(2)]);
    for end in (1..library.len()).step_by(97) {
        let found = read("cbl", &library[..end]);
        let starts = [67_176, 67_176 + 4096];
        let begun = starts.iter().filter(|start| **start + 16 <= end).count();
        assert_eq!(found.len(), begun, "{end}");
    }
}

#[test]
fn a_record_that_was_given_up_is_passed_over() {
    let bytes = cbl(&[record(1), record(2)]);
    let context = Context::default();
    let start = 66_624 + 2 * 276;
    let second = start + 4096;
    for parts in [
        vec![start + 100, second + 50, bytes.len()],
        vec![start + 3000, second + 8, bytes.len()],
        vec![start + 16, start + 17, second, bytes.len()],
    ] {
        let mut state = SplitState::default();
        let mut from = format_of("cbl").split(
            &mut state,
            &bytes[..start + 20],
            false,
            &context,
            &mut |_| panic!("no record is whole"),
        );
        assert_eq!(from, start);
        state.give_up();
        let mut met = Vec::new();
        for to in parts {
            let eof = to == bytes.len();
            let window = &bytes[from..to];
            from += format_of("cbl").split(&mut state, window, eof, &context, &mut |piece| {
                met.push(from + piece.start);
            });
        }
        assert_eq!((met, from), (vec![second], bytes.len()));
        assert!(!state.is_passing());
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(games in vec(any_game(), 0..4)) {
        let records: Vec<Vec<u8>> = games.iter().map(|game| cbr(game, [""; 3], 1)).collect();
        let mut games = games.iter();
        read_all("cbl", &Context::default(), &cbl(&records), &mut |record, word| {
            assert_eq!(word, "game");
            assert!(is_game(record, games.next().unwrap()));
            assert!(record.steps.iter().all(|step| matches!(step.kind, StepKind::Play(_))));
        });
        prop_assert!(games.next().is_none());
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..300)) {
        for name in ["cbr", "cbl"] {
            assert_same_pieces(name, &Context::default(), &bytes);
            read(name, &bytes);
        }
        let head = cbr(&Game::default(), [""; 3], 1);
        read("cbr", &[&head[..2214], &bytes].concat());
    }

    #[test]
    fn marks_anywhere(parts in vec(select(vec!["CCBridge Record\0", "CCBridge Rec", "\0\0"]), 0..20)) {
        assert_same_pieces("cbl", &Context::default(), parts.concat().as_bytes());
    }
}
