//! The formats of single servers: GIB, NGF and UGF.

use std::fs;

use kifu::{
    format::{self, Context},
    record::Record,
};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    assert_same_pieces,
    common::{reference, run::Folder},
    pieces, read_all, steps, warnings,
};

const GIB: &str = "\\HS\r\n\
    \\[GIBOKIND=Global\\]\r\n\
    \\[GAMERESULT=white 2.5 win\\]\r\n\
    \\[GAMEDUM=0\\]\r\n\
    \\[GAMEGONGJE=65\\]\r\n\
    \\[GAMEDATE=2020- 1- 2- 3- 4- 5\\]\r\n\
    \\[GAMEWHITENAME=one(2K)\\]\r\n\
    \\[GAMEBLACKNAME=two(3D)\\]\r\n\
    \\[GAMEINFOMAIN=GBKIND:3,GRLT:1,ZIPSU:25,DUM:0,GONGJE:65,TCNT:3,AUSZ:0\\]\r\n\
    \\HE\r\n\\GS\r\n2 1 0\r\n4 0 &4\r\nINI 0 1 0 &4\r\n\
    STO 0 2 1 15 3 \r\nSTO 0 3 2 3 15\r\nSKI 0 4 1\r\n\\GE\r\n";

const NGF: &str = "game\n19\none 2D*\ntwo 3D*\nwww.example.com\n0\n0\n6\n20200102 [03:04]\n5\n\
    Black wins by 2.5!\n3\nPMABBQEEQ\nPMACWEQQE\nPMADBAAAA\n";

const UGF: &str = "[Header]\r\nVer=UGF3,200\r\nLang=SJIS\r\nDate=2020/01/02,03:04:05\r\nRule=JPN\r\nSize=19\r\n\
    Hdcp=0,6.50\r\nWinner=W,2.50\r\nCoordinateType=IGS\r\nPlayerB=two,3d,,\r\nPlayerW=one,2d,,\r\n\
    [Data]\r\nQP,B1,1,0\r\n.Text,1\r\nDD,B1,9,0\r\n[Header]\r\n.EndText\r\nDD,W1,2,0\r\nYA,B1,3,0\r\n\
    [ReviewNode]\r\nNODE,1,0,0,0\r\n";

/// The only record of some bytes: its steps, warnings, error or `game`, and
/// some values.
fn read(name: &str, bytes: &[u8]) -> [String; 4] {
    let context = Context {
        meta: true,
        ..Context::default()
    };
    let mut read = None;
    read_all(name, &context, bytes, &mut |record, word| {
        assert!(read.is_none(), "one file is one record");
        read = Some([
            steps(record),
            warnings(record),
            word.to_owned(),
            values(record),
        ]);
    });
    read.expect("a record")
}

/// Result, second result, komi, handicap and rules.
fn values(record: &Record<'_>) -> String {
    let values = [
        record.result,
        record.other_result,
        record.komi,
        record.handicap,
        record.rules,
    ];
    let text = |raw: Option<&[u8]>| raw.map_or("-".into(), |raw| record.text(raw).into_owned());
    values.map(text).join(" | ")
}

#[test]
fn a_record_of_each_server() {
    for (name, text, expected) in [
        (
            "gib",
            GIB,
            [
                "B 15 3 W 3 15 B -",
                "",
                "game",
                "white 2.5 win | W+2.5 | 6.5 | 0 | -",
            ],
        ),
        (
            "ngf",
            NGF,
            [
                "B QE W EQ B -",
                "",
                "game",
                "Black wins by 2.5! | - | 6.5 | 0 | -",
            ],
        ),
        (
            "ugf",
            UGF,
            ["B QP W DD B -", "", "game", "W+2.50 | - | 6.50 | 0 | JPN"],
        ),
    ] {
        assert_eq!(read(name, text.as_bytes()), expected, "{name}");
        let head = &text.as_bytes()[..text.len().min(400)];
        let (format, _) = format::choose("file".as_ref(), head).expect("known by content");
        assert_eq!(format.name(), name);
    }
}

#[test]
fn fields_for_people() {
    for (name, text) in [("gib", GIB), ("ngf", NGF), ("ugf", UGF)] {
        let context = Context {
            meta: true,
            ..Context::default()
        };
        read_all(name, &context, text.as_bytes(), &mut |record, _| {
            let of = |name: &str| {
                let mut fields = record.fields.iter();
                let (_, raw) = fields.find(|(field, _)| field.word() == name).unwrap();
                record.text(raw).into_owned()
            };
            assert_eq!([of("first_player"), of("second_player")], ["two", "one"]);
            assert!(of("first_rank").starts_with('3') && of("second_rank").starts_with('2'));
            assert!(of("date").starts_with("2020"));
        });
    }
}

#[test]
fn changes_of_a_record() {
    let set = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from:?}");
        text.replacen(from, to, 1)
    };
    // Steps (where they change), warnings, values (where they change).
    for (name, from, to, expected, warned, shown) in [
        // The codes of results.
        (
            "gib",
            "GRLT:1,ZIPSU:25",
            "GRLT:0,ZIPSU:40",
            "",
            "",
            "white 2.5 win | B+4 | 6.5 | 0 | -",
        ),
        (
            "gib",
            "white 2.5 win",
            "",
            "",
            "",
            "W+2.5 | - | 6.5 | 0 | -",
        ),
        (
            "gib",
            "GRLT:1,",
            "GRLT:3,",
            "",
            "",
            "white 2.5 win | B+R | 6.5 | 0 | -",
        ),
        (
            "gib",
            "GRLT:1,",
            "GRLT:8,",
            "",
            "",
            "white 2.5 win | W+T | 6.5 | 0 | -",
        ),
        (
            "gib",
            "GRLT:1,",
            "GRLT:255,",
            "",
            "",
            "white 2.5 win | - | 6.5 | 0 | -",
        ),
        (
            "gib",
            "ZIPSU:25",
            "ZIPSU:0",
            "",
            "",
            "white 2.5 win | - | 6.5 | 0 | -",
        ),
        (
            "gib",
            "white 2.5 win",
            "\u{fffd}\u{fffd}",
            "",
            "",
            "W+2.5 | - | 6.5 | 0 | -",
        ),
        (
            "gib",
            "win\\]",
            "win",
            "",
            "unclosed_value",
            "W+2.5 | - | 6.5 | 0 | -",
        ),
        // Komi and handicap.
        (
            "gib",
            "GONGJE=65",
            "GONGJE=0",
            "",
            "",
            "white 2.5 win | W+2.5 | 0 | 0 | -",
        ),
        (
            "gib",
            "DUM=0",
            "DUM=5",
            "",
            "komi_doubtful=dum=5",
            "white 2.5 win | W+2.5 | - | 0 | -",
        ),
        (
            "gib",
            "INI 0 1 0",
            "INI 0 1 2",
            "",
            "",
            "white 2.5 win | W+2.5 | 6.5 | 2 | -",
        ),
        (
            "gib",
            "STO 0 2 1 15 3 \r\n",
            "",
            "W 3 15 B -",
            "move_count=header=3,moves=2",
            "",
        ),
        (
            "gib",
            "INI 0 1 0 &4\r\nSTO 0 2 1 15 3 ",
            "INI 0 1 3 &4",
            "AB 15 3 AB 3 15 AB 3 3 W 3 15 B -",
            "move_count=header=3,moves=2",
            "white 2.5 win | W+2.5 | 6.5 | 3 | -",
        ),
        (
            "gib",
            "INI 0 1 0 &4\r\nSTO 0 2 1 15 3 ",
            "INI 0 1 7 &4",
            "AB 15 3 AB 3 15 AB 3 3 AB 15 15 AB 3 9 AB 15 9 AB 9 9 W 3 15 B -",
            "move_count=header=3,moves=2",
            "white 2.5 win | W+2.5 | 6.5 | 7 | -",
        ),
        // Moves that are none.
        (
            "gib",
            "STO 0 3 2 3 15",
            "STO 0 3 3 3 15",
            "B 15 3 W STO 0 3 3 3 15 B -",
            "",
            "",
        ),
        (
            "gib",
            "STO 0 3 2 3 15",
            "STO 0 3 2",
            "B 15 3 W STO 0 3 2 B -",
            "",
            "",
        ),
        (
            "gib",
            "STO 0 3 2 3 15",
            "STO 0 3 2 3 19",
            "B 15 3 W 3 19 B -",
            "",
            "",
        ),
        (
            "gib",
            "STO 0 3 2 3 15",
            "REM 0 3",
            "B 15 3 W REM 0 3 B -",
            "",
            "",
        ),
        (
            "gib",
            "\r\n\\GE\r\n",
            "",
            "B 15 3 W 3 15",
            "torn_line missing_end move_count=header=3,moves=2",
            "",
        ),
        (
            "ngf",
            "PMACWEQQE",
            "PMACWEQEQ",
            "B QE W PMACWEQEQ B -",
            "torn_line",
            "",
        ),
        (
            "ngf",
            "PMACWEQQE",
            "PMACXEQQE",
            "B QE W PMACXEQQE B -",
            "",
            "",
        ),
        (
            "ngf",
            "PMADBAAAA\n",
            "PMADBA",
            "B QE W EQ",
            "torn_line move_count=header=3,moves=2",
            "",
        ),
        (
            "ngf",
            "com\n0\n",
            "com\n2\n",
            "",
            "",
            "Black wins by 2.5! | - | 6 | 2 | -",
        ),
        (
            "ngf",
            "0\n6\n",
            "0\n0\n",
            "",
            "",
            "Black wins by 2.5! | - | 0 | 0 | -",
        ),
        (
            "ngf",
            "5\nBlack wins by 2.5!",
            "5\n",
            "",
            "",
            "- | - | 6.5 | 0 | -",
        ),
        (
            "ugf",
            "0,6.50",
            "0,-6.50",
            "",
            "",
            "W+2.50 | - | -6.50 | 0 | JPN",
        ),
        ("ugf", "W,2.50", "B,C", "", "", "B+R | - | 6.50 | 0 | JPN"),
        ("ugf", "W,2.50", "W,T", "", "", "W+T | - | 6.50 | 0 | JPN"),
        ("ugf", "W,2.50", "W,?", "", "", "W,? | - | 6.50 | 0 | JPN"),
        ("ugf", "W,2.50", "", "", "", "- | - | 6.50 | 0 | JPN"),
        (
            "ugf",
            "DD,W1,2,0",
            "DD,X1,2,0",
            "B QP W DD,X1,2,0 B -",
            "",
            "",
        ),
        ("ugf", "QP,B1,1,0", "QP,B1,0,0", "AB QP W DD B -", "", ""),
    ] {
        let text = match name {
            "gib" => GIB,
            "ngf" => NGF,
            _ => UGF,
        };
        let plain = read(name, text.as_bytes());
        let changed = read(name, set(text, from, to).as_bytes());
        let or = |given: &str, plain: &str| {
            if given.is_empty() {
                plain.to_owned()
            } else {
                given.to_owned()
            }
        };
        let expected = [
            or(expected, &plain[0]),
            warned.to_owned(),
            "game".to_owned(),
            or(shown, &plain[3]),
        ];
        assert_eq!(changed, expected, "{name}: {from:?} to {to:?}");
    }
}

#[test]
fn the_older_dialect() {
    let text = "GIgame\nGIplayer one\nGIplayer two\nGI\nGI\nGI2006-9-5\nGI19\nGI0\nGI0\nGI6\nGI2\n\
                PMABBQEEQ\nPMACWEQQE\nGI1\nIDB[2] \u{9ed1}\u{4e2d}\u{76d8}\u{80dc}[EndTxt]\n";
    let [steps, warnings, word, values] = read("ngf", text.as_bytes());
    assert_eq!([&*steps, &*warnings, &*word], ["B QE W EQ", "", "game"]);
    assert_eq!(values, "\u{9ed1}\u{4e2d}\u{76d8}\u{80dc} | - | 6.5 | 0 | -");
    // A remark on another move is no result.
    let other = read("ngf", text.replace("B[2]", "B[1]").as_bytes());
    assert_eq!(other[3], "- | - | 6.5 | 0 | -");
}

#[test]
fn what_is_no_record_is_broken() {
    let noise: Vec<u8> = (0..=255).collect();
    for name in ["gib", "ngf", "ugf"] {
        for bytes in [&noise[..], b"hello", b"\\[", b"PM", b"[Header", b"7"] {
            let [.., word, _] = read(name, bytes);
            assert_eq!(word, "no_game", "{name} {:?}", bytes.escape_ascii());
        }
        for blank in [&b""[..], b"\0\0\0\n", b"\xef\xbb\xbf\r\n "] {
            assert!(pieces(name, &Context::default(), blank, 9).is_empty());
        }
    }
    let [.., word, _] = read("ngf", NGF.replace("\n19\n", "\n99\n").as_bytes());
    assert_eq!(word, "bad_size");
    let [.., word, _] = read("ugf", UGF.replace("=19", "=x").as_bytes());
    assert_eq!(word, "bad_size");
    // A header may be missing.
    let moves = GIB.split_once("INI").unwrap().1;
    let [steps, warnings, word, _] = read("gib", moves.as_bytes());
    assert_eq!(
        [&*steps, &*warnings, &*word],
        ["B 15 3 W 3 15 B -", "missing_header", "game"]
    );
}

#[test]
fn cut_anywhere_they_are_one_record_or_none() {
    for (name, text) in [("gib", GIB), ("ngf", NGF), ("ugf", UGF)] {
        for end in 0..=text.len() {
            let bytes = &text.as_bytes()[..end];
            let whole = assert_same_pieces(name, &Context::default(), bytes);
            assert!(whole.len() <= 1, "{name} {end}");
            // A move is read as it was or not at all.
            read_all(name, &Context::default(), bytes, &mut |record, _| {
                let all = read(name, text.as_bytes())[0].clone();
                let known = steps(record);
                let torn = warnings(record).contains("torn") || known.contains("YA");
                assert!(all.starts_with(&known) || torn, "{name} {end}: {known}");
            });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_are_too_odd(
        which in select(&[("gib", GIB), ("ngf", NGF), ("ugf", UGF)][..]),
        places in vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        noise in vec(any::<u8>(), 0..40),
    ) {
        let (name, text) = which;
        let mut bytes = text.as_bytes().to_vec();
        for (place, byte) in places {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.extend(noise);
        let mut met = 0;
        read_all(name, &Context::default(), &bytes, &mut |_, _| met += 1);
        prop_assert!(met <= 1);
    }
}

#[test]
fn text_and_code_that_differ_are_a_conflict() {
    let folder = Folder::new();
    folder.write("a.gib", GIB);
    folder.write("b.gib", GIB.replace("GRLT:1", "GRLT:0"));
    let rows = folder.run("label . -o -").done().rows();
    let of = |row: usize, name: &str| rows[row][name].clone();
    assert_eq!(
        [of(0, "recorded_winner"), of(0, "recorded_margin")],
        ["white", "2.5"]
    );
    assert!(!of(0, "warnings").contains("conflicting_result"));
    assert_eq!(
        [of(1, "recorded_winner"), of(1, "recorded_kind")],
        ["", "unknown"]
    );
    assert!(of(1, "warnings").contains("conflicting_result"));
}

/// Winner, margin and kind as the text of each record says, its number of
/// moves, komi and handicap, told by reading the files.
const RECORDS: [(&str, &str, &str, &str, &str, &str, &str); 11] = [
    ("gib-6c4c3a46.gib", "black", "", "time", "49", "6.5", "0"),
    ("gib-7de41edb.gib", "black", "4", "score", "252", "0", "3"),
    ("gib-b0ccab62.gib", "", "", "missing", "118", "0.5", "3"),
    (
        "gib-b2aa9435.gib",
        "white",
        "59.5",
        "score",
        "298",
        "6.5",
        "0",
    ),
    ("gib-e5c72c47.gib", "white", "11", "score", "268", "0", "5"),
    ("gib-ed2bfe06.gib", "white", "", "time", "232", "6.5", "0"),
    ("ngf-1da4ec8f.ngf", "black", "34", "score", "283", "0", "3"),
    ("ngf-4462dd57.ngf", "black", "", "resign", "211", "6.5", "0"),
    (
        "ngf-5c24d202.ngf",
        "black",
        "0.5",
        "score",
        "333",
        "7.5",
        "0",
    ),
    ("ngf-e62c23a2.ngf", "white", "", "resign", "189", "0", "2"),
    (
        "ugf-9f9fde2f.ugf",
        "black",
        "7.5",
        "score",
        "254",
        "-5.5",
        "0",
    ),
];

#[test]
fn records_of_three_servers_replay_to_their_end() {
    let Some(folder) = reference("go/other") else {
        return;
    };
    let copy = Folder::new();
    for (name, ..) in RECORDS {
        copy.write(name, fs::read(folder.join(name)).unwrap());
    }
    let rows = copy.run("label . -o -").done().rows();
    assert_eq!(rows.len(), RECORDS.len());
    for (row, (name, winner, margin, kind, moves, komi, handicap)) in rows.iter().zip(RECORDS) {
        assert_eq!(row["origin"], format!("./{name}"));
        assert_eq!(row["format"], name[..3]);
        let of = |names: [&str; 3]| names.map(|name| row[name].clone());
        let recorded = of(["recorded_winner", "recorded_margin", "recorded_kind"]);
        assert_eq!(recorded, [winner, margin, kind], "{name}");
        assert_eq!([&row["moves"], &row["plies"]], [moves, moves], "{name}");
        assert_eq!([&row["komi"], &row["handicap"]], [komi, handicap], "{name}");
        // The count holds only with every stone and the komi where they belong.
        if kind == "score" {
            assert_eq!(row["status"], "agree", "{name}");
        }
        let warnings = &row["warnings"];
        assert!(
            !warnings.contains("conflicting") && !warnings.contains("move_count"),
            "{name} {warnings}"
        );
    }
}
