//! The library as programs meet it: labels of bytes in memory.

use std::{fs, io::Write, path::Path};

use kifu::{Label, Labeller, Options, Status};

#[cfg(feature = "cli")]
#[allow(dead_code, unreachable_pub)]
#[path = "common/run.rs"]
mod run;

fn labeller(set: impl FnOnce(&mut Options)) -> Labeller {
    let mut options = Options::default();
    set(&mut options);
    Labeller::new(&options).unwrap()
}

fn labels(name: &str, bytes: impl AsRef<[u8]>) -> Vec<Label> {
    labeller(|_| {}).labels(name, bytes.as_ref())
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(Path::new("data/archive").join(name)).unwrap()
}

#[test]
fn a_line_of_five_wins() {
    let found = labels(
        "Renju1/game.psq",
        sample("kinrow/psq/Renju1/0_ant_bee_1.psq"),
    );
    let [label] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!((label.game, label.format), ("renju", "psq"));
    assert_eq!((label.winner, label.basis), (Some("black"), Some("line")));
    assert_eq!((label.margin, label.value), (None, Some(1)));
    // Results of this format stand in a file beside it.
    assert_eq!(label.status, Status::NoResult);
}

#[test]
fn options_are_those_of_the_command_line() {
    // Black has 15 points of 25, and White gets the komi.
    let record =
        "(;GM[1]SZ[5]KM[2.5];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[])";
    let margin = |set: fn(&mut Options)| {
        let label = labeller(set).labels("", record.as_bytes()).remove(0);
        (label.winner, label.margin)
    };
    assert_eq!(
        margin(|it| it.rules = Some("chinese".into())),
        (Some("black"), Some(2.5))
    );
    assert_eq!(
        margin(|it| it.komi = Some(7.25)),
        (Some("white"), Some(2.25))
    );
    let label = labeller(|it| (it.board, it.ownership) = (true, true))
        .labels("", record.as_bytes())
        .remove(0);
    assert_eq!(label.origin, "-");
    let row = [0, 0, 1, -1, 0].repeat(5);
    assert_eq!(label.board.as_deref(), Some(&row[..]));
    let row = [1, 1, 1, -1, -1].repeat(5);
    assert_eq!(label.ownership.as_deref(), Some(&row[..]));
}

#[test]
fn options_that_cannot_be_used_are_told_of() {
    type Set = fn(&mut Options);
    let cases: [(Set, &str); 9] = [
        (|it| it.rules = Some("chinees".into()), "chinees"),
        (
            |it| it.game = Some("chess".into()),
            "unknown game 'chess'; known are go",
        ),
        (|it| it.format = Some("sgff".into()), "did you mean 'sgf'?"),
        (
            |it| it.encoding = Some("klingon".into()),
            "unknown encoding 'klingon'",
        ),
        (|it| it.komi = Some(6.3), "6.3"),
        (|it| it.komi = Some(f64::NAN), "NaN"),
        (|it| it.tolerance = -1.0, "cannot use the tolerance -1"),
        (|it| it.dead = Some("gtp".into()), "gtp"),
        (
            |it| it.search = Some("deep".into()),
            "unknown search 'deep'",
        ),
    ];
    for (set, sentence) in cases {
        let mut options = Options::default();
        set(&mut options);
        let why = Labeller::new(&options).unwrap_err().to_string();
        assert!(why.contains(sentence), "{why}");
    }
}

/// What is no record is a label as well.
#[test]
fn bytes_of_any_kind_give_labels() {
    let cases: [(&str, &[u8], Status, Option<&str>); 6] = [
        ("a.sgf", b"", Status::Broken, Some("empty_file")),
        (
            "a.sgf",
            b"(;GM[1]SZ[9];B[zz])",
            Status::Broken,
            Some("off_board"),
        ),
        (
            "",
            b"\0\x01\x02\x03",
            Status::Skipped,
            Some("unknown_format"),
        ),
        (
            "a.zip",
            b"PK\x03\x04 and no more",
            Status::Broken,
            Some("truncated"),
        ),
        (
            "a.sgf",
            b"(;GM[2]SZ[8];B[d3])",
            Status::Skipped,
            Some("not_a_game"),
        ),
        (
            "a.sgf",
            b"(;GM[1]SZ[9]RE[B+R];B[ee])",
            Status::NotComparable,
            None,
        ),
    ];
    for (name, bytes, status, kind) in cases {
        let found = labels(name, bytes);
        let [label] = &found[..] else {
            panic!("{found:?}");
        };
        let text = String::from_utf8_lossy(bytes);
        assert_eq!(
            (label.status, label.error_kind),
            (status, kind),
            "{text}: {label:?}"
        );
        assert_eq!(label.error.is_some(), kind.is_some());
    }
}

#[test]
fn packed_bytes_are_opened() {
    let records = "(;GM[1]SZ[9]RE[B+R];B[ee])".repeat(3);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(records.as_bytes()).unwrap();
    let found = labels("many.sgf.gz", packed.finish().unwrap());
    let origins: Vec<&str> = found.iter().map(|label| label.origin.as_str()).collect();
    assert_eq!(origins, ["many.sgf.gz", "many.sgf.gz#2", "many.sgf.gz#3"]);
    assert_eq!(found[1].offset, (records.len() / 3) as u64);
}

#[test]
fn whoever_has_seen_enough_gets_no_more() {
    let records = "(;GM[1]SZ[9]RE[B+R];B[ee])".repeat(1000);
    let mut labeller = labeller(|_| {});
    let mut seen = 0;
    let to_the_end = labeller.each("many.sgf", records.as_bytes(), |_| {
        seen += 1;
        seen < 5
    });
    assert_eq!((to_the_end, seen), (false, 5));
    assert!(labeller.each("many.sgf", records.as_bytes(), |_| true));
}

/// A labeller that was used before, and one on another thread, say the same.
#[test]
fn labels_do_not_depend_on_what_came_before() {
    let record = sample("go/9x9/041.sgf");
    let first = labels("a.sgf", &record);
    let mut labeller = labeller(|_| {});
    for other in ["go/9x9/001.sgf", "go/dirty/wrong_result.sgf"] {
        assert_eq!(labeller.labels(other, &sample(other)).len(), 1);
    }
    assert_eq!(labeller.labels("a.sgf", &record), first);
    let elsewhere = std::thread::spawn(move || labeller.labels("a.sgf", &record));
    assert_eq!(elsewhere.join().unwrap(), first);
}

/// Every sample, held against the rows of the program.
#[cfg(feature = "cli")]
mod rows {
    use super::*;

    fn real(text: &str) -> Option<f64> {
        (!text.is_empty()).then(|| text.parse().unwrap())
    }

    fn word(text: &str) -> Option<&str> {
        (!text.is_empty()).then_some(text)
    }

    #[test]
    fn labels_are_those_of_the_program() {
        let said = run::run("label data/archive -q --no-profiles --dead none --with board").done();
        let rows = said.rows();
        assert!(rows.len() > 600);
        let mut labeller = labeller(|it| {
            it.dead = Some("none".into());
            it.board = true;
        });
        let mut found = Vec::new();
        let mut files: Vec<&str> = rows
            .iter()
            .map(|row| row["origin"].split(['!', '#']).next().unwrap())
            .collect();
        files.dedup();
        for file in files {
            found.extend(labeller.labels(file, &fs::read(file).unwrap()));
        }
        assert_eq!(found.len(), rows.len());
        for (label, row) in found.iter().zip(&rows) {
            let row = |name: &str| row[name].as_str();
            let about = row("origin");
            assert_eq!(label.origin, about);
            assert_eq!(label.offset.to_string(), row("offset"), "{about}");
            assert_eq!(
                label.record_id.as_deref(),
                word(row("record_id")),
                "{about}"
            );
            assert_eq!(
                [label.game, label.format],
                [row("game"), row("format")],
                "{about}"
            );
            assert_eq!(label.status.word(), row("status"), "{about}");
            assert_eq!(label.rules.as_deref(), word(row("rules")), "{about}");
            assert_eq!(label.komi, real(row("komi")), "{about}");
            assert_eq!(label.recorded, row("recorded"), "{about}");
            assert_eq!(
                label.recorded_winner,
                word(row("recorded_winner")),
                "{about}"
            );
            assert_eq!(
                label.recorded_margin,
                real(row("recorded_margin")),
                "{about}"
            );
            assert_eq!(label.winner, word(row("winner")), "{about}");
            assert_eq!(label.margin, real(row("margin")), "{about}");
            assert_eq!(label.basis, word(row("basis")), "{about}");
            let confidence = label.confidence.map(|it| format!("{it:.3}"));
            assert_eq!(confidence.as_deref(), word(row("confidence")), "{about}");
            assert_eq!(label.reasons.join(";"), row("reasons"), "{about}");
            assert_eq!(label.value.map(f64::from), real(row("value")), "{about}");
            assert_eq!(label.lead, real(row("lead")), "{about}");
            assert_eq!(label.warnings.join(";"), row("warnings"), "{about}");
            assert_eq!(label.error_kind, word(row("error_kind")), "{about}");
            assert_eq!(label.error.as_deref(), word(row("error")), "{about}");
            let hash = label.game_hash.map(|hash| format!("{hash:032x}"));
            assert_eq!(hash.as_deref(), word(row("game_hash")), "{about}");
            let board = label.board_fen.clone().or_else(|| {
                let cells = label.board.as_ref()?.iter().map(ToString::to_string);
                Some(cells.collect::<Vec<_>>().join(" "))
            });
            assert_eq!(board.as_deref(), word(row("board")), "{about}");
        }
    }
}
