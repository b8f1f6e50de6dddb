//! Text dumps and their indexes.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use kifu::format::{self, Context};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    assert_same_pieces,
    common::{
        reference,
        run::{Folder, Row, column},
    },
    format_of, pieces, read_all, steps, warnings,
};

/// Three games; the last line has no end.
const DUMP: &str = "101\t;B[pd];W[dd];B[pp]\n102\t;B[qd];W[dc]\n\n104\t;B[cd];W[];B[tt]";

/// Rows for two of them and for one more.
const INDEX: &str = "101\t2004.01.02 03:04\twhite\tblack\t6.5\tB+Resign\t3\t30/3 5m\n\
                     102\t2004.01.02 03:05\twhite\tblack\t7.5\tW+Time\t9\t30/3 5m\n\
                     103\t2004.01.03 03:05\twhite\tblack\t7.5\tW+2.5\t9\t30/3 5m\n";

/// A context with a companion, read from some text.
fn beside(path: &str, text: &str) -> Context {
    let companion = format_of("lines").companion(Path::new(path), &mut text.as_bytes());
    Context {
        companion: Some(Arc::new(companion.unwrap())),
        meta: true,
        ..Context::default()
    }
}

#[test]
fn lines_of_moves() {
    let context = beside("x.index.txt", "");
    for (line, id, expected, warned, word) in [
        ("7\t;B[pd];W[dd]", "7", "B pd W dd", "", "game"),
        (
            "\u{feff}7\t;B[pd];W[dd]\r",
            "7",
            "B pd W dd",
            "crlf",
            "game",
        ),
        ("7\t ;B[pd] ;W[] ;B[tt] ", "7", "B pd W - B tt", "", "game"),
        (
            "a-7\t;AB[pd][dp];W[dd]",
            "a-7",
            "AB pd AB dp W dd",
            "",
            "game",
        ),
        ("7\t;W[dd];W[dd]", "7", "W dd W dd", "", "game"),
        ("\t;B[pd]", "", "B pd", "no_id", "game"),
        // What cannot be played stands where it was written.
        ("7\t;B[pd];W[p", "7", "B pd W p", "unclosed_value", "game"),
        ("7\t;B[pd];W", "7", "B pd W W", "stray_text", "game"),
        (
            "7\t;B[pd]xx;W[dd]",
            "7",
            "B pd W xx W dd",
            "stray_text",
            "game",
        ),
        ("7\t;B[pd];W[d3];B[zz]", "7", "B pd W d3 B zz", "", "game"),
        ("7\t;B[pd][dd]", "7", "B pd W [dd]", "stray_text", "game"),
        (
            "7\t;B[pd];C[x y];W[dd]",
            "7",
            "B pd W dd",
            "stray_text",
            "game",
        ),
        ("7\t;B[pd];;W[dd];", "7", "B pd W dd", "", "game"),
        ("7\t", "7", "", "", "no_moves"),
        ("just text", "", "", "", "no_move_line"),
        ("# a comment\t;B[pd]", "", "", "", "no_move_line"),
        ("7;B[pd]", "", "", "", "no_move_line"),
        ("id\tmoves", "", "", "", "skipped"),
    ] {
        let text = format!("1\t;B[aa]\n{line}\n");
        let mut last = Vec::new();
        read_all("lines", &context, text.as_bytes(), &mut |record, word| {
            let id = String::from_utf8_lossy(record.id.unwrap_or_default()).into_owned();
            let warned = warnings(record).replace("no_index_row", "");
            let warned = warned.split_whitespace().collect::<Vec<_>>().join(" ");
            last = vec![id, steps(record), warned, word.to_owned()];
        });
        assert_eq!(last, [id, expected, warned, word], "{line:?}");
    }
}

#[test]
fn a_game_takes_what_its_row_says() {
    let context = beside("x.index.txt", INDEX);
    let mut seen = Vec::new();
    read_all("lines", &context, DUMP.as_bytes(), &mut |record, word| {
        assert_eq!(word, "game");
        let text = |raw: Option<&[u8]>| String::from_utf8_lossy(raw.unwrap_or(b"-")).into_owned();
        let fields = record.fields.iter();
        let fields = fields.map(|(field, raw)| format!("{}={}", field.word(), text(Some(raw))));
        seen.push(format!(
            "{} {} {} [{}] {}",
            text(record.id),
            text(record.result),
            text(record.komi),
            warnings(record),
            fields.collect::<Vec<_>>().join(" ")
        ));
    });
    assert_eq!(
        seen,
        [
            "101 B+Resign 6.5 [] date=2004.01.02 03:04 first_player=black second_player=white",
            "102 W+Time 7.5 [move_count=index=9,line=2] date=2004.01.02 03:05 \
             first_player=black second_player=white",
            "104 - - [no_index_row] ",
        ]
    );
}

#[test]
fn odd_rows_are_told_apart() {
    let index = "1\tC2005.01.02 03:04\tw\tx\t2\tb\ty\t0\tW+Time\t1\t30/3 10m\
                 2\tC2005.01.02 03:04\tw\tx\t2\tb\ty\t0\tB+1.5\t1\t30/3 10m\r\n\
                 3\tC2005.01.02 03:04\tw\tx\t2\tb\ty\t0\tB+2.5\t1\t30/3 10m\n\
                 3\tC2005.01.02 03:04\tw\tx\t2\tb\ty\t0\tB+3.5\t1\t30/3 10m\n\
                 4\tC2005.01.02 03:04\tw\tx\t2\tb\ty\t0\n";
    let context = beside("x.index.txt", index);
    let dump = "1\t;B[aa]\n2\t;B[aa]\n3\t;B[aa]\n4\t;B[aa]\n5\t;B[aa]\r\n";
    let mut seen = Vec::new();
    read_all("lines", &context, dump.as_bytes(), &mut |record, _| {
        let result = String::from_utf8_lossy(record.result.unwrap_or_default()).into_owned();
        seen.push((result, warnings(record)));
    });
    let expected = [
        ("W+Time", "joined_index_row crlf"),
        ("B+1.5", "joined_index_row crlf"),
        ("B+2.5", "duplicate_id"),
        ("", "bad_index_row"),
        ("", "no_index_row crlf"),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|(result, warned)| ((*result).to_owned(), (*warned).to_owned()))
        .collect();
    assert_eq!(seen, expected);
}

#[test]
fn windows_of_every_size_give_the_same_pieces() {
    let index = format!(
        "\u{feff}\r\nid\tdate\twhite\n{}\n\r\n9\t2004.01.02",
        INDEX.replace('\n', "\r\n")
    );
    let dump = beside("x.kifu.txt", DUMP);
    let whole = assert_same_pieces("lines", &dump, index.as_bytes());
    // The index itself, the row of 103 and the torn one.
    assert_eq!(whole.len(), 3, "{whole:?}");
    assert_eq!(whole[0].start, whole[0].end);

    let text = format!(
        "\u{feff}\n\nid\tmoves\r\n{}\n\u{feff}\ntext\0\0\n\0\0",
        DUMP.replace('\n', "\r\n")
    );
    let whole = assert_same_pieces("lines", &Context::default(), text.as_bytes());
    assert_eq!(whole.len(), 5, "{whole:?}");
    let blank = assert_same_pieces(
        "lines",
        &Context::default(),
        b"\n\r\n \t\n\0\0\n\n\n\n\n\n\n\n",
    );
    assert!(blank.is_empty());
}

/// Bytes that hold the signs of dumps and indexes far more often than chance
/// would.
fn like_lines() -> impl Strategy<Value = Vec<u8>> {
    let parts: &[&[u8]] = &[
        b"101\t",
        b"9\t",
        b"\t",
        b";B[aa]",
        b";W[",
        b";",
        b"]",
        b"\n",
        b"\r\n",
        b"\n\n",
        b" ",
        b"\0",
        b"\xef\xbb\xbf",
        b"\xef\xbb",
        b"text",
        b"id\tdate\n",
        b"103\t2004.01.02 03:04\tw\tb\t6.5\tB+0.5\t21\t30/3 5m",
        b"101\tC2005.01.02 03:04\tw\tx\t2\tb\ty\t0\tW+Time\t9\t30/3 10m",
    ];
    let part = prop_oneof![
        12 => select(parts).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 1..4),
    ];
    vec(part, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_lines_are_too_odd(bytes in like_lines()) {
        for context in [Context::default(), beside("x", INDEX), beside("y", DUMP)] {
            assert_same_pieces("lines", &context, &bytes);
            read_all("lines", &context, &bytes, &mut |_, _| {});
        }
    }
}

#[test]
fn a_line_that_was_given_up_is_one_record() {
    let mut state = format::SplitState::default();
    state.index = Some(false);
    state.give_up();
    let mut met = 0;
    let context = Context::default();
    let mut split = |window: &[u8], eof| {
        format_of("lines").split(&mut state, window, eof, &context, &mut |_| met += 1)
    };
    assert_eq!(split(b"the rest of a long line", false), 23);
    assert_eq!(split(b";B[aa]\n9\t;B[aa]\n", true), 16);
    assert_eq!(met, 1);
}

#[test]
fn cut_anywhere_it_stays_one_record_a_line() {
    let context = beside("x.index.txt", INDEX);
    let text = "101\t;B[pd];W[dd];AB[pp][qq]\r\n102\t;B[qd];W[dc];B[]\r\n";
    for end in 0..=text.len() {
        let bytes = &text.as_bytes()[..end];
        let lines = bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.trim_ascii().is_empty());
        let mut met = 0;
        read_all("lines", &context, bytes, &mut |_, _| met += 1);
        assert_eq!(met, lines.count(), "cut at {end}");
    }
    let dump = beside("x.kifu.txt", DUMP);
    for end in 0..=INDEX.len() {
        read_all("lines", &dump, &INDEX.as_bytes()[..end], &mut |_, _| {});
    }
}

#[test]
fn only_dumps_and_indexes_are_recognised() {
    for (name, head, expected) in [
        ("a.txt", "7\t;B[pd];W[dd]", true),
        ("a.txt", "\u{feff}\r\nid\tmoves\n7\t;AB[pd];W[dd]", true),
        (
            "a.txt",
            "7\t2004.01.02 03:04\tw\tb\t6.5\tB+0.5\t21\t30/3 5m",
            true,
        ),
        (
            "a.txt",
            "7\tC2005.01.02 03:04\tw\tx\t2\tb\ty\t0\tW+Time\t9\t30/3 10m\n",
            true,
        ),
        ("x.index.txt", "7\t2004.01.02 03:04\tw\tb\tunknown", true),
        ("a.txt", "7\t2004.01.02 03:04\tw\tb\tunknown", false),
        (
            "a.tsv",
            "7\t2004-01-02\tsmith\tnorth\t6.5\tpaid\t21\tcash",
            false,
        ),
        ("a.tsv", "name\tcolour\nB\t;W", false),
        ("index.txt", "see also: games.txt", false),
        ("readme.txt", "A move is written as ;B[pd]", false),
        ("a.txt", "(;GM[1];B[pd])", false),
        ("a.txt", "", false),
    ] {
        let chosen = format::choose(Path::new(name), head.as_bytes());
        let chosen = chosen.is_some_and(|(format, _)| format.name() == "lines");
        assert_eq!(chosen, expected, "{name} {head:?}");
    }
}

/// Origin, status, error kind and warnings of rows.
fn short(rows: &[Row]) -> Vec<String> {
    let shown = |row: &Row| {
        let columns = ["origin", "status", "error_kind", "recorded", "warnings"];
        // What the judge warns of comes after what the reader does.
        let shown = columns.map(|name| row[name].split(";open_border").next().unwrap());
        shown.join(" ")
    };
    rows.iter().map(shown).collect()
}

#[test]
fn a_dump_and_its_index_are_joined() {
    let folder = Folder::with(&[("x.kifu.txt", DUMP), ("x.INDEX.txt", INDEX)]);
    let rows = folder.run("label . -o -").done().rows();
    assert_eq!(
        short(&rows),
        [
            "./x.INDEX.txt skipped not_a_game  ",
            "./x.INDEX.txt#id=103 broken no_moves W+2.5 ",
            "./x.kifu.txt#id=101 not_comparable  B+Resign ",
            "./x.kifu.txt#id=102 not_comparable  W+Time move_count=index=9,line=2",
            "./x.kifu.txt#id=104 no_result   no_index_row",
        ]
    );
    assert_eq!(column(&rows, "komi"), ["", "", "6.5", "7.5", "6.5"]);
    assert_eq!(
        column(&rows, "komi_from")[2..],
        ["record", "record", "default"]
    );
    assert_eq!(column(&rows, "record_id")[1..3], ["103", "101"]);
    let explained = folder.run("explain ./x.kifu.txt#id=102").done().out;
    assert!(
        explained.contains("./x.kifu.txt#id=102  (byte 23)"),
        "{explained}"
    );
    assert_eq!(folder.run("explain ./x.kifu.txt#id=103").status, 2);
    let listed = folder.run("list .").done().out;
    assert!(
        listed.contains("./x.kifu.txt#id=102\tlines\tcontent\tgo\t23\t"),
        "{listed}"
    );
}

#[test]
fn each_goes_without_the_other() {
    let folder = Folder::with(&[("x.kifu.txt", DUMP), ("y.index.txt", INDEX)]);
    let rows = folder.run("label . -o -").done().rows();
    assert_eq!(
        short(&rows),
        [
            "./x.kifu.txt#id=101 no_result   no_index",
            "./x.kifu.txt#id=102 no_result   no_index",
            "./x.kifu.txt#id=104 no_result   no_index",
            "./y.index.txt skipped not_a_game  ",
        ]
    );
    assert!(
        rows[3]["error"].contains("without the dump"),
        "{:?}",
        rows[3]
    );
}

#[test]
fn ids_are_escaped_in_origins() {
    let folder = Folder::with(&[("x.txt", "a#1%\t;B[aa]\n\n7\t;B[aa]\n")]);
    let origins = folder.run("label x.txt -o -").done().origins();
    assert_eq!(origins, ["x.txt#id=a%231%25", "x.txt#id=7"]);
}

/// What the dumps at hand should give, told by splitting lines and fields.
#[test]
fn dumps_of_two_servers() {
    let Some(folder) = reference("go/plaintext") else {
        return;
    };
    let mut dumps = 0;
    for path in fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        let name = path.file_name().unwrap().to_str().unwrap();
        if !name.ends_with(".kifu.txt") {
            continue;
        }
        dumps += 1;
        let beside = folder.join(name.replace("kifu", "index"));
        let (dump, index) = (
            fs::read_to_string(&path).unwrap(),
            fs::read_to_string(&beside).unwrap(),
        );
        let results = results(&index);
        let context = context_of(&beside, &index);
        let mut ids = Vec::new();
        read_all("lines", &context, dump.as_bytes(), &mut |record, word| {
            assert_eq!(word, "game", "{name}");
            let id = std::str::from_utf8(record.id.unwrap()).unwrap();
            let line = dump
                .lines()
                .find(|line| line.starts_with(&format!("{id}\t")))
                .unwrap();
            let moves: Vec<String> = line
                .split(';')
                .skip(1)
                .map(|node| match &node.trim_end()[2..] {
                    "]" => format!("{} -", &node[..1]),
                    point => format!("{} {}", &node[..1], &point[..2]),
                })
                .collect();
            assert_eq!(steps(record), moves.join(" "), "{name} {id}");
            let result = record
                .result
                .map(|raw| String::from_utf8_lossy(raw).into_owned());
            assert_eq!(result.as_ref(), results.get(id), "{name} {id}");
            let crlf = warnings(record).contains("crlf");
            assert_eq!(crlf, name.starts_with("tygem-2005"), "{name} {id}");
            ids.push(id.to_owned());
        });
        assert_eq!(ids.len(), dump.lines().count(), "{name}");
        // The index gives itself, and the rows that no line of moves has.
        let orphans = results.keys().filter(|id| !ids.contains(id)).count();
        let context = context_of(&path, &dump);
        let cut = pieces("lines", &context, index.as_bytes(), 1 << 16);
        assert_eq!(cut.len(), 1 + orphans, "{name}");
        let mut words = Vec::new();
        read_all("lines", &context, index.as_bytes(), &mut |_, word| {
            words.push(word.to_owned());
        });
        assert_eq!(words[0], "skipped");
        assert!(
            words[1..].iter().all(|word| word == "no_moves"),
            "{words:?}"
        );
    }
    assert_eq!(dumps, 6);
}

fn context_of(path: &Path, text: &str) -> Context {
    beside(path.to_str().unwrap(), text)
}

/// The results of an index by id; rows that were joined are told apart by the
/// one result in them that comes second.
fn results(index: &str) -> BTreeMap<String, String> {
    let mut results = BTreeMap::new();
    for line in index.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let result = |at: usize| fields[at].to_owned();
        match fields.len() {
            8 => drop(results.insert(result(0), result(5))),
            11 => drop(results.insert(result(0), result(8))),
            21 => {
                results.insert(result(0), result(8));
                let (_, id) = fields[10].rsplit_once('m').unwrap();
                results.insert(id.to_owned(), result(18));
            }
            count => panic!("{count} fields: {line}"),
        }
    }
    results
}
