//! PGN of xiangqi.

use encoding_rs::{BIG5, GB18030, UTF_8};
use kifu::{
    format::{self, Chosen, Context, SplitState},
    label,
    record::{Field, Notation},
    source::charset,
};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{assert_same_pieces, format_of, pieces, read_all, warnings};

/// The moves of a record, the second player's with a dot before them.
fn moves(record: &kifu::record::Record<'_>) -> String {
    let moves = record.steps.iter().map(|step| {
        let side = match step.kind {
            kifu::record::StepKind::Play(kifu::outcome::Side::First) => "",
            _ => ".",
        };
        format!("{side}{}", std::str::from_utf8(step.token).unwrap())
    });
    moves.collect::<Vec<_>>().join(" ")
}

/// Every record of some bytes: result, another result, moves, warnings, and the
/// word of its error.
fn records_in(context: &Context, bytes: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    read_all("pgn", context, bytes, &mut |record, word| {
        let text = |raw: Option<&[u8]>| raw.map_or("-".into(), |raw| record.text(raw).into_owned());
        assert_eq!(record.notation, Notation::Xiangqi);
        for step in &record.steps {
            // Where a token is, it begins in the bytes as it does in the text.
            let raw = &record.bytes[step.at as usize..];
            let written = record.charset.decode(raw);
            let token = std::str::from_utf8(step.token).unwrap();
            assert!(written.starts_with(token), "{token} in {written}");
        }
        all.push(format!(
            "{} {} | {} | {} | {word}",
            text(record.result),
            text(record.other_result),
            moves(record),
            warnings(record),
        ));
    });
    all
}

fn records(text: &str) -> Vec<String> {
    records_in(&Context::default(), text.as_bytes())
}

/// The only record of a text.
fn record(text: &str) -> String {
    let mut all = records(text);
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0)
}

const GAMES: &str = "[Game \"Chinese Chess\"]\n[Event \"甲組聯賽\"]\n[Red \"許功\"]\n\
    [Result \"1-0\"]\n\n1. 炮二平五 馬８進７\n2. 馬二進三 1-0\n\n\
    [Game \"Chinese Chess\"]\n[Event \"二\"]\n[Red \"開始\"]\n[Result \"1/2-1/2\"]\n\
    [FEN \"4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 0 1\"]\n\n1... 車５平６ 1/2-1/2\n\n\
    [Game \"Chinese Chess\"]\n[Red \"蓋\"]\n\n1. 兵三進一 卒７進１ *\n";

const EXPECTED: [&str; 3] = [
    "1-0 - | 炮二平五 .馬８進７ 馬二進三 |  | game",
    "1/2-1/2 - | .車５平６ |  | game",
    "* - | 兵三進一 .卒７進１ |  | game",
];

#[test]
fn a_file_of_games_in_every_encoding() {
    for ends in ["\n", "\r\n", "\r"] {
        let text = GAMES.replace('\n', ends);
        for encoding in [UTF_8, BIG5, GB18030] {
            let (bytes, _, failed) = encoding.encode(&text);
            assert!(!failed);
            let found = records_in(&Context::default(), &bytes);
            assert_eq!(found, EXPECTED, "{} {ends:?}", encoding.name());
            read_all("pgn", &Context::default(), &bytes, &mut |record, _| {
                assert_eq!(record.charset.name(), encoding.name());
            });
            let pieces = assert_same_pieces("pgn", &Context::default(), &bytes);
            assert!(pieces.iter().all(|piece| !piece.around.unclosed));
        }
        let marked = format!("\u{feff}{text}");
        assert_eq!(records(&marked), EXPECTED);
        // Two files, one behind the other.
        let twice = [EXPECTED, EXPECTED].concat();
        assert_eq!(records(&marked.repeat(2)), twice);
        let blanks = format!("{ends}{ends}{text}{ends} {ends}");
        assert_eq!(records(&blanks), EXPECTED);
    }
}

/// Records of different encodings stand in one file.
#[test]
fn every_record_has_its_own_encoding() {
    let games = GAMES.split_inclusive("\n\n[Game").collect::<Vec<_>>();
    assert_eq!(games.len(), 3);
    let mut bytes = Vec::new();
    for (game, encoding) in games.iter().zip([BIG5, GB18030, UTF_8]) {
        bytes.extend_from_slice(&encoding.encode(game).0);
    }
    assert_eq!(records_in(&Context::default(), &bytes), EXPECTED);
    assert_same_pieces("pgn", &Context::default(), &bytes);
}

/// The user's word wins over what the bytes look like.
#[test]
fn an_encoding_that_the_user_names() {
    let (bytes, _, _) = BIG5.encode(GAMES);
    let context = |name| Context {
        charset: charset::by_name(name),
        ..Context::default()
    };
    assert_eq!(records_in(&context("big5"), &bytes), EXPECTED);
    let mut met = 0;
    read_all("pgn", &context("gb18030"), &bytes, &mut |record, _| {
        assert_eq!(record.charset.name(), "gb18030");
        met += 1;
    });
    assert_eq!(met, 3);
}

#[test]
fn ways_of_writing_moves() {
    for (text, expected) in [
        ("1.炮二平五 马8进7 2.马二进三", "炮二平五 .马8进7 马二进三"),
        ("1．炮二平五　马８进７", "炮二平五 .马８进７"),
        ("1. 炮二平五马８进７", "炮二平五 .马８进７"),
        (
            "炮二平五，马８进７；兵三进一。",
            "炮二平五 .马８进７ 兵三进一",
        ),
        ("1. C3-C4 C9-E7 2. h2e2", "C3-C4 .C9-E7 h2e2"),
        ("1. h3e3 h10g8 2. a10a9", "h3e3 .h10g8 a10a9"),
        ("1. C2=5 h8+7 2. c2.5 15=6", "C2=5 .h8+7 c2.5 .15=6"),
        ("1. Ｃ２＝５ Ｈ８＋７ 2. +Ｐ+1", "Ｃ２＝５ .Ｈ８＋７ +Ｐ+1"),
        ("1. 炮二平五 3... 马８进７", "炮二平五 .马８进７"),
        ("1. 炮二平五! 马８进７?! $3", "炮二平五 .马８进７"),
        ("1. h2e2+ h9g7#", "h2e2 .h9g7"),
        ("1. 前兵九平八 {good} 马８进７", "前兵九平八 .马８进７"),
        ("炮二平五 ; 马８进７\n兵三进一", "炮二平五 .兵三进一"),
        ("炮二平五\n% 马８进７\n兵三进一", "炮二平五 .兵三进一"),
        ("炮二平五 （马８进７（好）） 卒７进１", "炮二平五 .卒７进１"),
        ("炮二平五 【好】 卒７进１ ｛好｝", "炮二平五 .卒７进１"),
        (
            "炮二平五 (炮八平五 {)} (兵三进一) 卒７进１) 马８进７",
            "炮二平五 .马８进７",
        ),
        ("炮二平五 xyz 马８进７", "炮二平五 .xyz 马８进７"),
        ("炮二平五,马８进７, 兵三进一", "炮二平五 .马８进７ 兵三进一"),
        ("C2=5,h8+7", "C2=5 .h8+7"),
        (
            "炮二平五+ 马８进７# 兵三进一+!",
            "炮二平五 .马８进７ 兵三进一",
        ),
        ("Ｃ２＝５＋ 炮８平５＃", "Ｃ２＝５ .炮８平５"),
        ("炮二平五+马８进７!兵三进一", "炮二平五 .马８进７ 兵三进一"),
    ] {
        let text = format!("[Red \"a\"]\n\n{text}\n");
        let expected = format!("- - | {expected} |  | game");
        assert_eq!(record(&text), expected, "{text}");
        for encoding in [BIG5, GB18030] {
            let (bytes, _, failed) = encoding.encode(&text);
            if !failed {
                let found = records_in(&Context::default(), &bytes);
                assert_eq!(found, [&*expected], "{} {text}", encoding.name());
            }
        }
    }
}

#[test]
fn results() {
    for (tag, last, expected) in [
        ("1-0", "1-0", "1-0 -"),
        ("1-0", "", "1-0 -"),
        ("1-0", "0-1", "1-0 0-1"),
        ("1-0", "*", "1-0 -"),
        ("*", "0-1", "0-1 -"),
        ("?", "1/2-1/2", "1/2-1/2 -"),
        ("Unknown", "0-1", "0-1 -"),
        ("未知", "红胜", "红胜 -"),
        ("", "红胜", "红胜 -"),
        ("", "紅先勝", "紅先勝 -"),
        ("", "先和", "先和 -"),
        ("", "和", "和 -"),
        ("", "黑方认输", "黑方认输 -"),
        ("红胜", "红胜", "红胜 -"),
        ("", "", "- -"),
    ] {
        let text = format!("[Red \"a\"]\n[Result \"{tag}\"]\n\nh2e2 h9g7 {last}\n");
        // Who writes the result in a tag writes it behind the moves too.
        let odd = if last.is_empty() && !tag.is_empty() {
            "missing_end"
        } else {
            ""
        };
        let expected = format!("{expected} | h2e2 .h9g7 | {odd} | game");
        assert_eq!(record(&text), expected, "{text}");
    }
    let footer = "[Red \"a\"]\n\nh2e2 0-1\n====\n说明 1-0 h9g7\n";
    assert_eq!(record(footer), "0-1 - | h2e2 |  | game");
    let more = "[Red \"a\"]\n\nh2e2 0-1\nmore h9g7\n";
    assert_eq!(record(more), "0-1 - | h2e2 | trailing_text | game");
}

/// What ends a game as its result is a result for the row as well.
#[test]
fn results_are_understood() {
    let parts: [&[&str]; 5] = [
        &["", "红", "紅", "黑"],
        &["", "方", "棋"],
        &["", "先", "后", "後"],
        &["", "手", "方"],
        &[
            "胜", "勝", "负", "負", "赢", "贏", "输", "輸", "和", "和棋", "认输", "認輸", "认负",
            "認負", "超时", "超時", "胜利", "勝利",
        ],
    ];
    let mut words: Vec<String> = vec![String::new()];
    for part in parts {
        let longer = |word: String| part.iter().map(move |next| format!("{word}{next}"));
        words = words.into_iter().flat_map(longer).collect();
    }
    words.extend(
        [
            "1-0",
            "0-1",
            "1/2-1/2",
            "1/2",
            "0.5-0.5",
            "½-½",
            "１－０",
            "0–1",
            "１/２－１/２",
            "和局",
            "作和",
            "平局",
            "平",
            "和了",
            "握手言和",
            "红胜。",
        ]
        .map(str::to_owned),
    );
    let mut ends = 0;
    for word in words {
        let text = format!("[Red \"a\"]\n\nh2e2 h9g7 {word}\n");
        read_all(
            "pgn",
            &Context::default(),
            text.as_bytes(),
            &mut |record, _| {
                if record.result != Some(word.as_bytes()) {
                    return;
                }
                ends += 1;
                let found = label::parse_outcome(&word, None, true);
                assert!(!found.contradictory, "{word}");
                let known = found.winner.is_some() || found.kind == label::RecordedKind::Draw;
                assert!(known, "{word}: {found:?}");
            },
        );
    }
    assert!(ends > 1000, "{ends}");
}

/// Black begins where dots or the numerals of all moves say so. The position, where
/// there is one, stays.
#[test]
fn black_begins() {
    const USUAL: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    let black = format!("{USUAL} b");
    for (fen, text, setup, expected, odd) in [
        (
            "",
            "1... 马８进７ 2. 炮二平五",
            "b",
            ".马８进７ 炮二平五",
            true,
        ),
        ("", "1. … 马８进７", "b", ".马８进７", true),
        ("", "1. ... h9g7 2. h2e2", "b", ".h9g7 h2e2", true),
        ("", "1. 马8进7 马二进三", "b", ".马8进7 马二进三", true),
        (
            " b",
            "1... 马８进７ 2. 炮二平五",
            " b",
            ".马８进７ 炮二平五",
            false,
        ),
        (
            " w",
            "1... 马８进７ 2. 炮二平五",
            " w",
            "马８进７ .炮二平五",
            true,
        ),
        (" w", "1. 马8进7 马二进三", " w", "马8进7 .马二进三", true),
        // Dots before every move, and Red's numerals.
        ("", "1... 马二进三 马8进7", "", "马二进三 .马8进7", false),
        // One side's numerals for both say nothing, nor does one move.
        ("", "1. 马8进7 马2进3", "", "马8进7 .马2进3", false),
        ("", "1. 马二进三 马八进七", "", "马二进三 .马八进七", false),
        ("", "1. 马8进7", "", "马8进7", false),
        (
            "",
            "1. 马8进7 马二进三 2. 兵三进一",
            "",
            "马8进7 .马二进三 兵三进一",
            false,
        ),
    ] {
        let tag = match fen {
            "" => String::new(),
            turn => format!("[FEN \"{USUAL}{turn}\"]\n"),
        };
        let text = format!("[Red \"a\"]\n{tag}\n{text}\n");
        read_all(
            "pgn",
            &Context::default(),
            text.as_bytes(),
            &mut |record, _| {
                let setup = match setup {
                    "" => None,
                    "b" => Some(black.clone()),
                    turn => Some(format!("{USUAL}{turn}")),
                };
                let found = record.setup.map(|raw| record.text(raw).into_owned());
                assert_eq!(found, setup, "{text}");
                assert_eq!(moves(record), expected, "{text}");
                assert_eq!(warnings(record).contains("turn_differs"), odd, "{text}");
            },
        );
    }
}

/// A single character tells an encoding where it is none in the others.
#[test]
fn one_character_tells_an_encoding() {
    for (result, encoding) in [
        ("和", BIG5),
        ("和", GB18030),
        ("紅勝", BIG5),
        ("红胜", GB18030),
    ] {
        let text = format!("[Red \"a\"]\n[Result \"{result}\"]\n\n1. h2e2 h9g7 *\n");
        let (bytes, _, _) = encoding.encode(&text);
        let found = records_in(&Context::default(), &bytes);
        assert_eq!(
            found,
            [format!("{result} - | h2e2 .h9g7 |  | game")],
            "{}",
            encoding.name()
        );
    }
}

#[test]
fn what_tags_say() {
    let text = "[Event \"E\"] [Site \"S\"]\n[Date \"2009.08.29\"]\n[Red \"R \"]\n[Black \"B\"]\n\
        [RedElo \"1\"]\n[Termination \"perpetual chase\"]\n\
        [FEN \"4k4/9/9/9/9/9/9/9/9/3K5 b\"]\n1... e9e8 *";
    let context = Context {
        meta: true,
        ..Context::default()
    };
    read_all("pgn", &context, text.as_bytes(), &mut |record, word| {
        assert_eq!(word, "game");
        assert_eq!(record.game, Some("xiangqi"));
        assert_eq!(record.setup, Some(&b"4k4/9/9/9/9/9/9/9/9/3K5 b"[..]));
        assert_eq!(record.ending, Some(&b"perpetual chase"[..]));
        let fields: Vec<(Field, &str)> = record
            .fields
            .iter()
            .map(|(field, text)| (*field, std::str::from_utf8(text).unwrap()))
            .collect();
        assert_eq!(
            fields,
            [
                (Field::Event, "E"),
                (Field::Server, "S"),
                (Field::Date, "2009.08.29"),
                (Field::FirstPlayer, "R"),
                (Field::SecondPlayer, "B"),
                (Field::FirstRank, "1"),
            ]
        );
        assert_eq!(moves(record), ".e9e8");
    });
}

/// Games of chess, and tags without moves, are no games of ours.
#[test]
fn other_games() {
    let skipped = "- - |  |  | skipped";
    for text in [
        "[White \"a\"]\n[Black \"b\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6\n",
        "[White \"a\"]\n\n1. e2e4 e7e5 2. g1f3 O-O e7e8q\n",
        "[White \"a\"]\n\n1. e2e4 e7e5 2. g1f3 b8c6\n",
        "[White \"a\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. e1e2 e8e7\n",
        "[White \"a\"]\n[Variant \"crazyhouse\"]\n\n1. e1e2 e8e7\n",
        "[White \"a\"]\n[Variant \"Minixiangqi\"]\n[FEN \"rcnkncr/p1ppp1p/7/7/7/P1PPP1P/RCNKNCR \
         w\"]\n\n1. a1a2 a7a6\n",
        "[Red \"a\"]\n[Variant \"Jieqi\"]\n\n1. a0a1 a9a8\n",
        "[Variant \"Manchu\"]\n[Red \"a\"]\n\n1. h2e2 h9g7\n",
        "[Event \"a\"]\n[White \"b\"]\n",
        "some text\n",
    ] {
        assert_eq!(record(text), skipped, "{text}");
    }
    for text in [
        "[White \"a\"]\n\n1. h2e2 h9g7\n",
        "[White \"a\"]\n[Variant \"Xiangqi\"]\n\n1. h2e2 h9g7\n",
        "[Red \"a\"]\n[Variant \"standard\"]\n\n1. h2e2 h9g7\n",
        "[Variant \"Chinese Chess\"]\n\n1. h2e2 h9g7\n",
        "[Event \"a\"]\n\n1. h2e2 h9g7\n",
        "1. h2e2 h9g7\n",
    ] {
        assert_eq!(record(text), "- - | h2e2 .h9g7 |  | game", "{text}");
    }
    assert_eq!(record("[Red \"a\"]\n\n*\n"), "* - |  |  | no_moves");
    assert_eq!(record("[Red \"a\"]\n"), "- - |  |  | no_moves");
    let position = "[FEN \"4k4/9/9/9/9/9/9/9/9/3K5 w\"]\n\n*\n";
    assert_eq!(record(position), "* - |  |  | game");
}

#[test]
fn it_is_known_by_its_content() {
    let chosen = |name: &str, text: &[u8]| {
        format::choose(name.as_ref(), text).map(|(format, by)| (format.name(), by))
    };
    let (big5, _, _) = BIG5.encode(GAMES);
    for text in [GAMES.as_bytes(), &big5] {
        assert_eq!(chosen("a.txt", text), Some(("pgn", Chosen::Content)));
        assert_eq!(chosen("a.pgn", text), Some(("pgn", Chosen::Extension)));
    }
    let chess = b"[White \"a\"]\n\n1. e4 e5\n";
    assert_eq!(chosen("a.pgn", chess), Some(("pgn", Chosen::Extension)));
    assert_eq!(chosen("a.txt", chess), None);
}

/// Games without moves, one behind the other, are games of their own.
#[test]
fn tags_alone_begin_a_game() {
    let empty = "[Game \"Chinese Chess\"]\n[Event \"a\"]\n[Red \"b\"]\n\n";
    let broken = "- - |  |  | no_moves";
    assert_eq!(records(&empty.repeat(3)), [broken; 3]);
    assert_same_pieces("pgn", &Context::default(), empty.repeat(3).as_bytes());
    let text = format!("{empty}{GAMES}");
    let found = records(&text);
    assert_eq!(found[0], broken);
    assert_eq!(found[1..], EXPECTED);
}

/// So are those of which the first has neither moves nor the tags that most games
/// begin with.
#[test]
fn a_tag_that_comes_again_begins_a_game() {
    let text = "[Red \"a\"]\n[Result \"1-0\"]\n\n[Red \"c\"]\n[Result \"0-1\"]\n\n1. h2e2 0-1\n";
    let expected = ["1-0 - |  |  | no_moves", "0-1 - | h2e2 |  | game"];
    assert_eq!(records(text), expected);
    assert_same_pieces("pgn", &Context::default(), text.as_bytes());
    // Other tags behind a blank line, and the same one without, stay.
    let one = "[Red \"a\"]\n\n[Black \"b\"]\n[Black \"c\"]\n\n1. h2e2 0-1\n";
    assert_eq!(records(one), expected[1..]);
}

/// A line of moves that ends as a tag does is none.
#[test]
fn moves_that_end_as_tags_do() {
    for (moves, expected) in [
        ("1. h2e2 h9g7 {\"a\"]", "h2e2 .h9g7"),
        ("h2e2 {[Event \"in comment\"]", "h2e2"),
    ] {
        let found = record(&format!("[Red \"a\"]\n\n{moves}\n"));
        assert_eq!(found.split(" | ").nth(1), Some(expected), "{moves}");
    }
}

#[test]
fn damage_stays_in_its_game() {
    for (from, to, expected) in [
        (
            "[Red \"許功\"]",
            "[Red \"許功",
            "1-0 - | 炮二平五 .馬８進７ 馬二進三 | unclosed_value | game",
        ),
        (
            "[Red \"許功\"]",
            "Red \"許功\"]",
            "1-0 - | 炮二平五 .馬８進７ 馬二進三 | stray_text | game",
        ),
        (
            "[Event \"甲組聯賽\"]",
            "[Event 甲組聯賽]",
            "1-0 - | 炮二平五 .馬８進７ 馬二進三 | stray_text | game",
        ),
        (
            "馬８進７",
            "馬８進７ {",
            "1-0 - | 炮二平五 .馬８進７ 馬二進三 | unclosed_comment | game",
        ),
        (
            "馬８進７",
            "馬８進７ （",
            "1-0 - | 炮二平五 .馬８進７ 馬二進三 | unclosed_comment | game",
        ),
        (
            "馬８進７",
            "馬８進７ (",
            "1-0 - | 炮二平五 .馬８進７ | unclosed_variation | game",
        ),
        (
            "馬８進７",
            "馬８進７ )}",
            "1-0 - | 炮二平五 .馬８進７ 馬二進三 | extra_close | game",
        ),
        (
            "馬８進７",
            "馬８進７ [x",
            "1-0 - | 炮二平五 .馬８進７ 馬二進三 | stray_text | game",
        ),
        (
            "馬８進７",
            "馬８進",
            "1-0 - | 炮二平五 .馬８進 馬二進三 |  | game",
        ),
        (
            "馬二進三 1-0",
            "馬二進三",
            "1-0 - | 炮二平五 .馬８進７ 馬二進三 |  | game",
        ),
    ] {
        let text = GAMES.replacen(from, to, 1);
        assert_ne!(text, GAMES, "{from}");
        for encoding in [UTF_8, BIG5] {
            let (bytes, _, _) = encoding.encode(&text);
            let found = records_in(&Context::default(), &bytes);
            assert_eq!(found, [expected, EXPECTED[1], EXPECTED[2]], "{from} {to}");
            assert_same_pieces("pgn", &Context::default(), &bytes);
        }
    }
}

/// A byte that is lost damages no more than its word.
#[test]
fn bytes_that_are_lost() {
    for encoding in [UTF_8, BIG5, GB18030] {
        let (bytes, _, _) = encoding.encode(GAMES);
        for lost in 0..bytes.len() {
            let mut damaged = bytes.to_vec();
            damaged.remove(lost);
            let mut ends = Vec::new();
            read_all("pgn", &Context::default(), &damaged, &mut |record, word| {
                ends.push((moves(record), word.to_owned()));
            });
            // At most the head of one game goes to another.
            assert!((3..=4).contains(&ends.len()), "{} {lost}", encoding.name());
            let same = EXPECTED.iter().filter(|expected| {
                let known = expected.split(" | ").nth(1);
                ends.iter().any(|(moves, _)| known == Some(moves))
            });
            assert!(same.count() >= 2, "{} {lost} {ends:?}", encoding.name());
        }
    }
}

#[test]
fn cut_anywhere() {
    for encoding in [UTF_8, BIG5, GB18030] {
        let (bytes, _, _) = encoding.encode(GAMES);
        for end in 0..bytes.len() {
            let found = records_in(&Context::default(), &bytes[..end]);
            let begun = bytes[..end]
                .windows(7)
                .filter(|part| part == b"[Game \"")
                .count();
            assert!(found.len() <= begun.max(1), "{end}");
            let whole = begun.saturating_sub(1).min(found.len());
            assert_eq!(found[..whole], EXPECTED[..whole], "{end}");
        }
    }
    // A move that the file breaks off in is not played.
    for (text, expected) in [
        ("[Red \"a\"]\nh2e2 h9g", "- - | h2e2 | torn_line | game"),
        ("[Red \"a\"]\nh2e2 h9g7", "- - | h2e2 .h9g7 |  | game"),
        // Cut between two: a result was to follow, or a move.
        (
            "[Red \"a\"]\n[Result \"1-0\"]\nh2e2 h9g7",
            "1-0 - | h2e2 .h9g7 | missing_end | game",
        ),
        (
            "[Red \"a\"]\n[Result \"*\"]\n\n1. h2e2 h9g7\n",
            "* - | h2e2 .h9g7 | missing_end | game",
        ),
        (
            "[Red \"a\"]\n\n1. h2e2 h9g7 2.",
            "- - | h2e2 .h9g7 | missing_end | game",
        ),
        (
            "[Red \"a\"]\n[Result \"1-0\"]\n1. h2e2 h9",
            "1-0 - | h2e2 | torn_line | game",
        ),
        (
            "[Red \"a\"]\n炮二平五 马８进",
            "- - | 炮二平五 | torn_line | game",
        ),
    ] {
        assert_eq!(record(text), expected);
        let whole = pieces("pgn", &Context::default(), text.as_bytes(), 5);
        assert!(whole[0].around.unclosed);
    }
}

#[test]
fn a_game_that_was_given_up_is_passed_over() {
    let context = Context::default();
    let long = format!("{}\n", "炮二平五 ".repeat(2000));
    for windows in [
        vec!["[Red \"a\"]\nh2e2 ", "h9g7\n", "h0g2\n\n"],
        vec!["[Red \"a\"]\n\nh2e2", " h9g7 1-0\r", "\n\r\n"],
        vec!["[Event \"a\"]\n[Red \"b\"]\n\n"],
        vec!["[Game \"Chinese Chess\"]\n", &long, &long, "1-0\n\n"],
    ] {
        let mut state = SplitState::default();
        state.give_up();
        let mut met = 0;
        let mut kept = String::new();
        for window in &windows {
            kept.push_str(window);
            let consumed =
                format_of("pgn").split(&mut state, kept.as_bytes(), false, &context, &mut |_| {
                    met += 1;
                });
            kept.drain(..consumed);
            assert!(kept.len() <= 4096, "no more than a line is kept");
        }
        assert_eq!(met, 0);
        kept.push_str(&GAMES.replace("Game \"Chinese Chess\"", "Event \"1\""));
        let consumed =
            format_of("pgn").split(&mut state, kept.as_bytes(), true, &context, &mut |_| {
                met += 1;
            });
        assert_eq!((consumed, met), (kept.len(), 3), "{windows:?}");
        assert!(!state.is_passing());
    }
}

/// Nesting is no recursion.
#[test]
fn deep_variations() {
    let deep = format!(
        "[Red \"a\"]\nh2e2 {}h9g7{} h9g7",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert_eq!(record(&deep), "- - | h2e2 .h9g7 |  | game");
    let deep = format!("[Red \"a\"]\nh2e2 {}", "（".repeat(50_000));
    assert_eq!(record(&deep), "- - | h2e2 | unclosed_comment | game");
}

proptest! {
    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..300)) {
        assert_same_pieces("pgn", &Context::default(), &bytes);
        read_all("pgn", &Context::default(), &bytes, &mut |_, _| {});
    }

    #[test]
    fn parts_in_any_order(parts in vec(select(vec![
        &b"[Event \""[..], b"[Game \"Chinese Chess\"]", b"\"]", b"\n", b"\r", b"\n\n", b"[", b"]", b"{",
        b"}", b"(", b")", b";", b"%", b"1. ", b"2...", b"h2e2 ", b"*", b" 1-0", b"====", b"\xa4", b"\xb5",
        b"\xac\xa5\xa4G\xa5\xad\xa4\xad ", b"\xa1\x5d", b"\xa3\xa8", b"\xef\xbb\xbf", b"$1", b"[Red \"x\"]\n",
    ]), 0..60)) {
        let text = parts.concat();
        assert_same_pieces("pgn", &Context::default(), &text);
        read_all("pgn", &Context::default(), &text, &mut |record, _| {
            for step in &record.steps {
                assert!((step.at as usize) < record.bytes.len());
                assert!(std::str::from_utf8(step.token).is_ok());
            }
        });
    }
}
