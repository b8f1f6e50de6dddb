//! XQF: XQStudio.

use kifu::{
    format::{self, Chosen, Context},
    record::Record,
};
use proptest::{collection::vec, prelude::*};

use super::{
    assert_same_pieces, read_all, steps, warnings,
    xqwrite::{Game, xqf},
};

pub(crate) const MOVES: [[u8; 4]; 4] = [*b"h2e2", *b"h9g7", *b"h0g2", *b"i9h9"];
const KEYS: [u8; 3] = [73, 12, 200];
const NO_TEXTS: [&[u8]; 3] = [b"", b"", b""];

/// A game with remarks and lines aside, two of them in place of the first move.
pub(crate) fn branched() -> Game {
    Game {
        moves: MOVES.to_vec(),
        aside: vec![
            (0, vec![*b"c3c4", *b"g6g5"]),
            (0, vec![*b"g3g4"]),
            (2, vec![*b"i0i1"]),
        ],
        remark: Some((1, b"a remark".to_vec())),
        result: 1,
        ..Game::default()
    }
}

/// The position and the moves of a record, its result and what was odd.
pub(crate) fn line(record: &Record<'_>, word: &str) -> String {
    let text = |raw: Option<&[u8]>| raw.map_or("-".into(), |raw| record.text(raw).into_owned());
    format!(
        "{} | {} | {} | {} | {word}",
        text(record.setup),
        steps(record),
        text(record.result),
        warnings(record)
    )
}

fn read_as(context: &Context, bytes: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    read_all("xqf", context, bytes, &mut |record, word| {
        assert_eq!(record.game, Some("xiangqi"));
        all.push(line(record, word));
    });
    all
}

fn read(bytes: &[u8]) -> Vec<String> {
    read_as(&Context::default(), bytes)
}

const EXPECTED: &str = "- | B h2e2 W h9g7 B h0g2 W i9h9 | 1-0 |  | game";

#[test]
fn the_main_line_in_every_version() {
    for version in 10..=18 {
        let bytes = xqf(&branched(), version, KEYS, NO_TEXTS);
        assert_eq!(read(&bytes), [EXPECTED], "version {version}");
        assert_same_pieces("xqf", &Context::default(), &bytes);
    }
}

#[test]
fn results() {
    for (result, said) in [(0, "*"), (1, "1-0"), (2, "0-1"), (3, "1/2-1/2"), (4, "*")] {
        let game = Game {
            result,
            ..Game::default()
        };
        for version in [10, 18] {
            let expected = format!("- |  | {said} |  | game");
            assert_eq!(read(&xqf(&game, version, KEYS, NO_TEXTS)), [expected]);
        }
    }
}

#[test]
fn a_position_where_black_begins() {
    // A soldier on Red's back rank and an advisor outside its palace are taken as
    // they are.
    let game = Game {
        pieces: vec![
            (4, 9, b'k'),
            (3, 0, b'K'),
            (8, 0, b'p'),
            (0, 5, b'A'),
            (0, 9, b'r'),
        ],
        moves: vec![*b"a9a8", *b"d0d1"],
        ..Game::default()
    };
    let black = "r3k4/9/9/9/A8/9/9/9/9/3K4p b | B a9a8 W d0d1 | * | turn_differs=red | game";
    let black = black.replace("B a9a8 W d0d1", "W a9a8 B d0d1");
    for version in [10, 11, 12, 18] {
        assert_eq!(read(&xqf(&game, version, KEYS, NO_TEXTS)), [&*black]);
    }
    // With no move, the head says who begins.
    let game = Game {
        moves: vec![],
        ..game
    };
    let mut bytes = xqf(&game, 18, KEYS, NO_TEXTS);
    let fen = "r3k4/9/9/9/A8/9/9/9/9/3K4p";
    assert_eq!(read(&bytes), [format!("{fen} w |  | * |  | game")]);
    bytes[50] = 1;
    assert_eq!(read(&bytes), [format!("{fen} b |  | * |  | game")]);
}

#[test]
fn texts_are_chinese_unless_the_user_says_otherwise() {
    // 许银川 in GB18030, and the same bytes in Windows-1252.
    let name = b"\xd0\xed\xd2\xf8\xb4\xa8";
    let bytes = xqf(&branched(), 18, KEYS, [b"Cup", name, b"B"]);
    for (charset, expected) in [(None, "许银川"), (Some("windows-1252"), "ÐíÒø´¨")] {
        let context = Context {
            meta: true,
            charset: charset.map(|name| kifu::source::charset::by_name(name).unwrap()),
            ..Context::default()
        };
        read_all("xqf", &context, &bytes, &mut |record, _| {
            let texts: Vec<String> = record
                .fields
                .iter()
                .map(|(field, text)| format!("{}={}", field.word(), record.text(text)))
                .collect();
            let first = format!("first_player={expected}");
            assert_eq!(texts, ["event=Cup", &*first, "second_player=B"]);
        });
    }
}

#[test]
fn it_is_known_by_its_first_bytes_and_its_name() {
    let chosen = |name: &str, bytes: &[u8]| {
        format::choose(name.as_ref(), bytes).map(|(format, by)| (format.name(), by))
    };
    let bytes = xqf(&branched(), 18, KEYS, NO_TEXTS);
    assert_eq!(chosen("a.xqf", &bytes), Some(("xqf", Chosen::Extension)));
    assert_eq!(chosen("a.bin", &bytes), Some(("xqf", Chosen::Content)));
    assert_eq!(chosen("a.XQF", b"PK"), Some(("xqf", Chosen::Extension)));
    assert_eq!(chosen("a.txt", b"XQ\x0ais a letter"), None);
}

#[test]
fn damage() {
    let good = xqf(&branched(), 18, KEYS, NO_TEXTS);
    for (at, byte, expected) in [
        (0, b'Y', "- |  | - |  | bad_magic"),
        (51, 9, "- | B h2e2 W h9g7 B h0g2 W i9h9 | * |  | game"),
        (
            50,
            1,
            "- | B h2e2 W h9g7 B h0g2 W i9h9 | 1-0 | turn_differs=black | game",
        ),
        // A text longer than its room.
        (208, 255, EXPECTED),
    ] {
        let mut bytes = good.clone();
        bytes[at] = byte;
        assert_eq!(read(&bytes), [expected], "byte {at}");
    }
    let mut bytes = good.clone();
    bytes[2] = 40;
    assert_eq!(
        read(&bytes),
        [EXPECTED.replace("|  |", "| odd_version=40 |")]
    );
    // A wrong key makes other moves of the same bytes, and says so.
    for at in 12..16 {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        let found = read(&bytes);
        assert!(found[0].contains("odd_keys="), "{at} {found:?}");
    }
    // Bytes behind the tree are no part of it.
    assert_eq!(read(&[&good[..], b"more"].concat()), [EXPECTED]);
}

/// Wherever the file breaks off: in the head, in the main line, or behind it,
/// where nothing of the game is lost.
#[test]
fn cut_anywhere() {
    for version in [10, 18] {
        let bytes = xqf(&branched(), version, KEYS, NO_TEXTS);
        let mut words = Vec::new();
        for end in 1..bytes.len() {
            let found = read(&bytes[..end]);
            assert_eq!(found.len(), 1, "{end}");
            let word = match (end, &*found[0]) {
                (1, cut) => {
                    assert!(cut.ends_with("bad_magic"));
                    continue;
                }
                (_, cut) if cut.ends_with("cut_off") => "cut_off",
                (_, whole) => {
                    assert_eq!(whole, EXPECTED.replace("|  |", "| missing_end |"));
                    "game"
                }
            };
            words.push(word);
        }
        let cut = words.iter().filter(|word| **word == "cut_off").count();
        assert!(words[..cut].iter().all(|word| *word == "cut_off"));
        assert!(cut > 1024 && cut < words.len(), "version {version}");
    }
    assert!(read(b"").is_empty());
}

#[test]
fn long_games_and_deep_trees() {
    let there = [*b"h0g2", *b"h9g7", *b"g2h0", *b"g7h9"];
    let game = Game {
        moves: there.into_iter().cycle().take(5000).collect(),
        aside: (0..5000).map(|at| (at, vec![*b"a0a1"; 3])).collect(),
        ..Game::default()
    };
    for version in [10, 18] {
        let bytes = xqf(&game, version, KEYS, NO_TEXTS);
        read_all("xqf", &Context::default(), &bytes, &mut |record, word| {
            assert_eq!((record.moves(), word), (5000, "game"));
            assert_eq!(warnings(record), "");
        });
    }
    // A tree whose nodes all say that more follows ends with the file.
    let mut bytes = xqf(&Game::default(), 10, KEYS, NO_TEXTS);
    bytes.truncate(1024);
    bytes.extend([0x58, 0x60, 0xff, 0, 0, 0, 0, 0].repeat(100_000));
    let found = read(&bytes);
    assert!(found[0].ends_with("cut_off"));
}

/// Squares of a token in ICCS.
pub(crate) fn any_move() -> impl Strategy<Value = [u8; 4]> {
    (0..9_u8, 0..10_u8, 0..9_u8, 0..10_u8)
        .prop_map(|(a, b, c, d)| [b'a' + a, b'0' + b, b'a' + c, b'0' + d])
}

pub(crate) fn any_game() -> impl Strategy<Value = Game> {
    let aside = vec((0..30_usize, vec(any_move(), 1..4)), 0..6);
    let remark = proptest::option::of((0..30_usize, vec(any::<u8>(), 0..20)));
    (vec(any_move(), 0..30), aside, remark, 0..4_u8).prop_map(|(moves, aside, remark, result)| {
        let aside = aside.into_iter().filter(|(at, _)| *at < moves.len());
        Game {
            aside: aside.collect(),
            remark: remark.filter(|(at, _)| *at < moves.len()),
            moves,
            result,
            ..Game::default()
        }
    })
}

/// The tokens of a record are those of a game.
pub(crate) fn is_game(record: &Record<'_>, game: &Game) -> bool {
    let tokens: Vec<&[u8]> = record.steps.iter().map(|step| step.token).collect();
    tokens == game.moves
}

proptest! {
    #[test]
    fn what_is_written_is_read(game in any_game(), keys in any::<[u8; 3]>(), version in 10..=18_u8) {
        let bytes = xqf(&game, version, keys, NO_TEXTS);
        let mut met = 0;
        read_all("xqf", &Context::default(), &bytes, &mut |record, word| {
            assert_eq!(word, "game");
            assert!(is_game(record, &game));
            met += 1;
        });
        prop_assert_eq!(met, 1);
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..300)) {
        assert_same_pieces("xqf", &Context::default(), &bytes);
        read(&bytes);
        // The same behind a head.
        let head = xqf(&Game::default(), 18, KEYS, NO_TEXTS);
        read(&[&head[..1024], &bytes].concat());
    }
}
