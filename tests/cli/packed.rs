//! Packed files as users meet them. How the bytes are unpacked is tested in
//! `tests/packed`.

use std::{collections::BTreeMap, fs, io::Write, path::Path};

use super::common::{
    pack::{self, Member},
    run::{
        AGREES, Folder, ILLEGAL, MARGIN_DIFFERS, RESIGNED, Row, Said, WINNER_DIFFERS, column,
        sample,
    },
};

/// The rows without what says where they come from, sorted.
fn facts(rows: &[Row]) -> Vec<Row> {
    let mut facts: Vec<Row> = rows.to_vec();
    for row in &mut facts {
        row.remove("origin");
        row.remove("offset");
    }
    facts.sort();
    facts
}

#[test]
fn the_same_files_give_the_same_rows_whatever_they_are_packed_in() {
    let names = [
        AGREES,
        WINNER_DIFFERS,
        MARGIN_DIFFERS,
        "dirty/illegal_ko.sgf",
        "13x13/001.sgf",
    ];
    let samples: Vec<(&str, Vec<u8>)> = names.map(|name| (name, sample(name))).to_vec();
    let members: Vec<Member<'_>> = samples
        .iter()
        .map(|(name, text)| (*name, &**text))
        .collect();
    let folder = Folder::new();
    for (name, text) in &samples {
        folder.write(format!("plain/{name}"), text);
        folder.write(format!("single/{name}.gz"), pack::gz(text));
    }
    let tar = pack::tar(&members);
    folder.write("a.zip", pack::zip(&members));
    folder.write("a.tar", &tar);
    folder.write("a.tar.zst", pack::zst(&tar));
    folder.write("a.tgz", pack::gz(&tar));
    folder.write("nested.zip", pack::zip(&[("b/a.tar", &tar)]));
    folder.write("unnamed", pack::gz(&tar));
    let joined: Vec<u8> = samples.iter().flat_map(|(_, text)| text.clone()).collect();
    folder.write("all.sgf", &joined);
    folder.write("all.sgf.zst", pack::zst(&joined));
    let plain = folder.run("label plain").done().rows();
    assert_eq!(plain.len(), 5);
    for packed in [
        "single",
        "a.zip",
        "a.tar",
        "a.tar.zst",
        "a.tgz",
        "nested.zip",
        "unnamed",
        "all.sgf",
        "all.sgf.zst",
    ] {
        let rows = folder.run(&format!("label {packed}")).done().rows();
        assert_eq!(facts(&rows), facts(&plain), "{packed}");
        let input = folder.read_if_file(packed);
        if let Some(input) = input {
            let rows = folder.feed("label -", input).done().rows();
            assert_eq!(facts(&rows), facts(&plain), "{packed} on standard input");
        }
    }
}

#[test]
fn origins_name_the_member_in_the_order_of_the_archive() {
    let folder = Folder::new();
    let two = format!("{RESIGNED}{RESIGNED}");
    let inner = pack::zip(&[("x.sgf", RESIGNED.as_bytes())]);
    let one = pack::gz(RESIGNED.as_bytes());
    let members: &[Member<'_>] = &[
        ("b/2.sgf", two.as_bytes()),
        ("a!#.sgf", RESIGNED.as_bytes()),
        ("in.zip", &inner),
        ("g.sgf.gz", &one),
    ];
    let expected = [
        "b/2.sgf",
        "b/2.sgf#2",
        "a%21%23.sgf",
        "in.zip!x.sgf",
        "g.sgf.gz",
    ];
    folder.write("a.zip", pack::zip(members));
    folder.write("b.tar", pack::tar(members));
    folder.write("c.sgf.gz", pack::gz(two.as_bytes()));
    let origins = folder.run("label .").done().origins();
    let wanted: Vec<String> = ["a.zip", "b.tar"]
        .iter()
        .flat_map(|packed| expected.map(|name| format!("{packed}!{name}")))
        .chain(["c.sgf.gz", "c.sgf.gz#2"].map(str::to_owned))
        .collect();
    let plain: Vec<String> = origins
        .iter()
        .map(|origin| origin.strip_prefix("./").unwrap_or(origin).to_owned())
        .collect();
    assert_eq!(plain, wanted);
    for origin in &origins {
        let said = folder.explain(origin).done();
        assert!(
            said.out.contains(&format!("record     {origin}  ")),
            "{origin}: {}",
            said.out
        );
    }
    let said = folder.explain("a.zip!b/3.sgf");
    assert_eq!(said.status, 2);
    assert_eq!(said.err, "kifu: a.zip has no member of that name\n");
}

#[test]
fn names_are_only_names_and_each_is_a_key_of_its_own() {
    let folder = Folder::new();
    let game = RESIGNED.as_bytes();
    let members: &[Member<'_>] = &[
        ("/etc/passwd.sgf", game),
        ("../../up.sgf", game),
        ("./here.sgf", game),
        ("twice.sgf", game),
        ("twice.sgf", game),
        ("twice.sgf", game),
    ];
    folder.write("a.tar", pack::tar(members));
    let said = folder.run("label a.tar").done();
    let names = [
        "/etc/passwd.sgf",
        "../../up.sgf",
        "here.sgf",
        "twice.sgf",
        "twice.sgf!!2",
        "twice.sgf!!3",
    ];
    assert_eq!(said.origins(), names.map(|name| format!("a.tar!{name}")));
    assert_eq!(folder.names(), ["a.tar"]);
    folder.explain("a.tar!twice.sgf!!3").done();
}

/// A dump of one game and its index, under the names that they have anywhere.
const DUMP: &[u8] = b"7\t;B[pd];W[dd]\n";
const INDEX: &[u8] = b"7\t2004.01.02 03:04\tw\tb\t6.5\tB+Resign\t2\t30/3 5m\n";

#[test]
fn a_dump_finds_its_index_whatever_both_are_packed_in() {
    let folder = Folder::new();
    let plain = [("x.kifu.txt", DUMP), ("x.index.txt", INDEX)];
    let (dump, index) = (pack::gz(DUMP), pack::gz(INDEX));
    let packed = [("x.kifu.txt.gz", &*dump), ("x.index.txt.gz", &*index)];
    let dotted = [("./s/x.kifu.txt", DUMP), ("./s/x.index.txt", INDEX)];
    let twice = [plain[0], plain[0], ("x.index.txt", b""), plain[1]];
    folder.write("f/s/x.kifu.txt.gz", &dump);
    folder.write("f/s/x.index.txt.gz", &index);
    folder.write("1.zip", pack::zip(&packed));
    folder.write("2.tar", pack::tar(&packed));
    folder.write("3.tgz", pack::gz(&pack::tar(&dotted)));
    folder.write("4.zip", pack::zip(&[("in.tar", &pack::tar(&dotted))]));
    folder.write("5.zip", pack::zip(&twice));
    for (line, origin) in [
        ("f", "f/s/x.kifu.txt.gz#id=7"),
        ("1.zip", "1.zip!x.kifu.txt.gz#id=7"),
        ("2.tar", "2.tar!x.kifu.txt.gz#id=7"),
        ("3.tgz", "3.tgz!s/x.kifu.txt#id=7"),
        ("4.zip", "4.zip!in.tar!s/x.kifu.txt#id=7"),
        ("5.zip", "5.zip!x.kifu.txt!!2#id=7"),
    ] {
        let rows = folder.run(&format!("label {line}")).done().rows();
        let row = rows.iter().find(|row| row["origin"] == origin);
        let row = row.unwrap_or_else(|| panic!("{origin} is not in {rows:?}"));
        assert_eq!(row["recorded"], "B+Resign", "{origin}: {}", row["warnings"]);
        assert_eq!(row["warnings"], "", "{origin}");
    }
}

#[test]
fn what_systems_add_beside_files_is_passed_over() {
    let folder = Folder::new();
    let game = RESIGNED.as_bytes();
    let members: &[Member<'_>] = &[
        ("1.sgf", game),
        ("__MACOSX/._1.sgf", b"\0\x05\x16\x07"),
        (".x/2.sgf", game),
    ];
    folder.write("a.zip", pack::zip(members));
    assert_eq!(folder.run("label a.zip").done().origins(), ["a.zip!1.sgf"]);
    assert_eq!(folder.run("label a.zip --hidden").done().rows().len(), 3);
}

/// Status, error word and origin of each row.
fn outcomes(said: &Said) -> Vec<(String, String, String)> {
    let rows = said.rows();
    rows.iter()
        .map(|row| {
            (
                row["origin"].clone(),
                row["status"].clone(),
                row["error_kind"].clone(),
            )
        })
        .collect()
}

#[track_caller]
fn expect(said: Said, wanted: &[(&str, &str, &str)]) {
    let found = outcomes(&said.done());
    let found: Vec<(&str, &str, &str)> = found.iter().map(|(a, b, c)| (&**a, &**b, &**c)).collect();
    assert_eq!(found, wanted);
}

const FINE: (&str, &str) = ("not_comparable", "");

#[test]
fn a_damaged_file_gives_its_good_records_and_one_row_that_says_where() {
    let folder = Folder::new();
    let many = RESIGNED.repeat(3);
    let whole = pack::gz(many.as_bytes());
    folder.write("garbage.sgf.gz", [&whole[..], b"garbage"].concat());
    folder.write("padded.sgf.gz", [&whole[..], &[0; 512]].concat());
    folder.write("twice.sgf.gz", [&whole[..], &whole[..]].concat());
    let (status, fine) = FINE;
    expect(
        folder.run("label garbage.sgf.gz"),
        &[
            ("garbage.sgf.gz", status, fine),
            ("garbage.sgf.gz#2", status, fine),
            ("garbage.sgf.gz#3", status, fine),
            ("garbage.sgf.gz#4", "broken", "trailing_garbage"),
        ],
    );
    assert_eq!(folder.run("label padded.sgf.gz").done().rows().len(), 3);
    assert_eq!(folder.run("label twice.sgf.gz").done().rows().len(), 6);

    let games: Vec<String> = (0..9).map(|number| format!("{number}.sgf")).collect();
    let noise: Vec<String> = (0..9u32)
        .map(|number| format!("(;SZ[9]RE[B+R]C[{}];B[ee])", noise(number, 40_000)))
        .collect();
    let members: Vec<Member<'_>> = games
        .iter()
        .zip(&noise)
        .map(|(name, text)| (&**name, text.as_bytes()))
        .collect();
    for (name, bytes) in [
        ("cut.zip", pack::zip(&members)),
        ("cut.tar", pack::tar(&members)),
        ("cut.tar.gz", pack::gz(&pack::tar(&members))),
        ("cut.tar.zst", pack::zst(&pack::tar(&members))),
    ] {
        folder.write(name, &bytes[..bytes.len() / 2]);
        let rows = folder.run(&format!("label {name}")).done().rows();
        let broken: Vec<&Row> = rows
            .iter()
            .filter(|row| row["status"] == "broken")
            .collect();
        assert_eq!(broken.len(), 1, "{name}");
        assert!(rows.len() >= 3, "{name}: {} rows", rows.len());
        assert!(
            broken[0]["error"].contains("byte "),
            "{name}: {}",
            broken[0]["error"]
        );
        assert_eq!(rows.last().unwrap()["status"], "broken", "{name}");
    }
}

/// Letters that do not compress.
fn noise(seed: u32, length: usize) -> String {
    let mut state = seed.wrapping_add(1);
    (0..length)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b'a' + (state >> 24) as u8 % 26)
        })
        .collect()
}

#[test]
fn a_record_that_a_fault_cuts_off_is_not_taken_for_a_whole_one() {
    let folder = Folder::new();
    let text = format!(
        "{RESIGNED}(;SZ[9]RE[B+R]C[{}];B[ee];W[cc])",
        noise(1, 60_000)
    );
    let packed = pack::gz(text.as_bytes());
    folder.write("a.sgf.gz", &packed[..packed.len() / 2]);
    let (status, fine) = FINE;
    expect(
        folder.run("label a.sgf.gz"),
        &[
            ("a.sgf.gz", status, fine),
            ("a.sgf.gz#2", "broken", "truncated"),
        ],
    );
}

/// The first part of a compressed file, which gives so many bytes.
fn first_part(bytes: &[u8], count: usize) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(&bytes[..count]).unwrap();
    writer.flush().unwrap();
    writer.get_ref().clone()
}

#[test]
fn a_record_of_any_format_that_a_fault_cuts_off_is_not_taken_for_a_whole_one() {
    let folder = Folder::new();
    let dump = "1\t;B[pd];W[dd]\n2\t;B[pd];W[dd];B[pp]\n";
    for (name, cut, whole) in [
        ("formats/one.gib", 2000, 0),
        ("formats/two.ngf", 2000, 0),
        ("formats/three.ugf", 2000, 0),
        ("boards/several.txt", 110, 0),
        ("boards/several.txt", 241, 1),
    ] {
        let bytes = fs::read(Path::new("data").join(name)).unwrap();
        folder.write("a.gz", first_part(&bytes, cut));
        let rows = folder.run("label a.gz").done().rows();
        assert_eq!(rows.len(), whole + 1, "{name} up to byte {cut}");
        assert_eq!(rows[whole]["error_kind"], "truncated", "{name}");
    }
    for (cut, whole) in [(10, 0), (16, 1), (25, 1), (dump.len(), 2)] {
        folder.write("a.gz", first_part(dump.as_bytes(), cut));
        let rows = folder.run("label a.gz").done().rows();
        let broken = rows.last().unwrap();
        assert_eq!(rows.len(), whole + 1, "up to byte {cut}");
        assert_eq!(broken["error_kind"], "truncated", "up to byte {cut}");
    }
    // What the file is may stand behind the fault.
    folder.write("f/a.gz", first_part(b"only words", 10));
    let rows = folder.run("label f").done().rows();
    assert_eq!(column(&rows, "error_kind"), ["truncated"]);
}

#[test]
fn damage_gives_the_same_rows_wherever_it_lies() {
    let folder = Folder::new();
    let many = RESIGNED.repeat(3);
    let cut = first_part(RESIGNED.repeat(9).as_bytes(), many.len() + 5);
    let game = RESIGNED.as_bytes();
    let members: &[Member<'_>] = &[("1.sgf", game), ("2.sgf.gz", &cut), ("3.sgf", game)];
    let mut wrong = pack::zip(&[("1.sgf", game), ("2.sgf", many.as_bytes()), ("3.sgf", game)]);
    // The checksum of the second member, in its header and in the directory.
    let mut sum = flate2::Crc::new();
    sum.update(many.as_bytes());
    let sum = sum.sum().to_le_bytes();
    for at in 0..wrong.len() - 4 {
        if wrong[at..at + 4] == sum {
            wrong[at] ^= 1;
        }
    }
    for (archive, word) in [
        (pack::zip(members), "truncated"),
        (pack::tar(members), "truncated"),
        (wrong, "checksum"),
    ] {
        // A name that says so is read by another way than one that does not.
        for name in ["a.zip", "a"] {
            folder.write(name, &archive);
            let said = folder.run(&format!("label {name}")).done();
            let words = ["", "", "", "", word, ""];
            assert_eq!(column(&said.rows(), "error_kind"), words, "{name}");
            let listed = folder.run(&format!("list {name}")).done();
            let lines = listed.out.lines().skip(1);
            let listed: Vec<&str> = lines.filter_map(|line| line.split('\t').next()).collect();
            assert_eq!(listed, said.origins(), "{name}");
        }
    }
}

#[test]
fn an_archive_that_breaks_off_in_a_hidden_member_says_so() {
    let folder = Folder::new();
    let game = RESIGNED.as_bytes();
    let archive = pack::tar(&[("1.sgf", game), ("._1.sgf", &[0; 5000])]);
    folder.write("a.tar", &archive[..3000]);
    let (status, fine) = FINE;
    expect(
        folder.run("label a.tar"),
        &[
            ("a.tar!1.sgf", status, fine),
            ("a.tar!._1.sgf", "broken", "truncated"),
        ],
    );
}

#[test]
fn a_member_of_standard_input_is_explained() {
    let folder = Folder::new();
    let two = RESIGNED.repeat(2);
    let archive = pack::zip(&[("a.sgf", b"(;)"), ("b/2.sgf", two.as_bytes())]);
    for origin in folder.feed("label -", &*archive).done().origins() {
        let said = folder.feed(&format!("explain {origin}"), &*archive).done();
        let record = format!("record     {origin}  ");
        assert!(said.out.contains(&record), "{origin}: {}", said.out);
    }
}

/// Rows without a record are explained by their fault, not by the records
/// around them.
#[test]
fn the_row_of_a_fault_is_explained_too() {
    let folder = Folder::new();
    let game = RESIGNED.as_bytes();
    let cut = first_part(RESIGNED.repeat(9).as_bytes(), RESIGNED.len() * 2 + 5);
    folder.write("a.sgf.gz", &cut);
    folder.write(
        "b.zip",
        pack::zip(&[("a.sgf.gz", &cut), (".h/1.sgf", game)]),
    );
    let archive = pack::tar(&[("1.sgf", game), ("2.sgf", game)]);
    folder.write("c.tar", &archive[..2048]);
    // Too long for a record, and too long to be read whole.
    let long = format!("(;C[{}]){RESIGNED}", "x".repeat(5 << 20));
    folder.write("d.sgf", long);
    for (line, wanted) in [
        (
            "explain a.sgf.gz#3",
            "cannot explain a.sgf.gz#3: the gzip stream breaks off",
        ),
        (
            "explain b.zip!a.sgf.gz#3",
            "cannot explain b.zip!a.sgf.gz#3: the gzip stream",
        ),
        ("explain a.sgf.gz#4", "there is no #4"),
        ("explain d.sgf --max-record 1M", "longer than"),
    ] {
        let said = folder.run(line);
        assert_eq!(said.status, 2, "{line}");
        assert!(said.err.contains(wanted), "{line}: {}", said.err);
    }
    for (line, origin, note) in [
        (
            "explain c.tar",
            "c.tar!1.sgf",
            "c.tar: the tar archive has no end mark",
        ),
        ("explain b.zip!.h/1.sgf", "b.zip!.h/1.sgf", ""),
        ("explain d.sgf#2 --max-record 1M", "d.sgf#2", ""),
    ] {
        let said = folder.run(line).done();
        let record = format!("record     {origin}  ");
        assert!(said.out.contains(&record), "{line}: {}", said.out);
        assert!(said.err.contains(note), "{line}: {}", said.err);
    }
}

#[test]
fn archives_are_files_however_many_members_they_have() {
    let folder = Folder::new();
    let game = RESIGNED.as_bytes();
    folder.write("empty.zip", pack::zip(&[]));
    folder.write("empty.tar", pack::tar(&[]));
    folder.write("folders.zip", pack::zip(&[("a/", b"")]));
    for name in ["empty.zip", "empty.tar", "folders.zip"] {
        expect(
            folder.run(&format!("label {name}")),
            &[(name, "skipped", "special_file")],
        );
    }
    folder.write("two.zip", pack::zip(&[("1.sgf", game), ("2.sgf", game)]));
    folder.write("large.tar", pack::tar(&[("1.sgf", &game.repeat(30_000))]));
    folder.write("plain.sgf", RESIGNED);
    for (line, files) in [("large.tar", 1), ("two.zip", 1), (".", 6)] {
        let said = folder.run(&format!("label {line} -o out.csv")).done();
        assert!(!said.err.contains("no files found"), "{line}: {}", said.err);
        let run: serde_json::Value = serde_json::from_slice(&folder.read("out.run.json")).unwrap();
        assert_eq!(run["files"], files, "{line}");
    }
}

#[test]
fn limits_hold_and_say_how_to_raise_them() {
    let folder = Folder::new();
    let blank = pack::gz(&vec![b' '; 4 << 20]);
    folder.write("bomb.sgf.gz", &blank);
    folder.write("bomb.zip", pack::zip(&[("bomb.sgf", &vec![b' '; 4 << 20])]));
    let many: Vec<Member<'_>> = (0..20).map(|_| ("x.sgf", RESIGNED.as_bytes())).collect();
    folder.write("many.tar", pack::tar(&many));
    let deep = pack::zip(&[("x.sgf", RESIGNED.as_bytes())]);
    let deep = pack::tar(&[("in.zip", &pack::zip(&[("in.zip", &deep)]))]);
    folder.write("deep.tar", deep);
    for (line, word, flag) in [
        (
            "bomb.sgf.gz --max-unpacked 1M",
            "unpacked_too_large",
            "--max-unpacked",
        ),
        (
            "bomb.zip --max-unpacked 1M",
            "unpacked_too_large",
            "--max-unpacked",
        ),
        (
            "many.tar --max-members 5",
            "too_many_members",
            "--max-members",
        ),
        ("deep.tar", "nested_too_deep", "unpack"),
    ] {
        let rows = folder.run(&format!("label {line}")).done().rows();
        let last = rows.last().unwrap();
        assert_eq!(last["error_kind"], word, "{line}");
        assert!(last["error"].contains(flag), "{line}: {}", last["error"]);
    }
    let rows = folder.run("label many.tar --max-members 5").done().rows();
    assert_eq!(
        rows.len(),
        6,
        "those before the limit, and one that tells of it"
    );
}

#[test]
fn a_name_that_claims_to_be_packed_is_looked_into() {
    let folder = Folder::new();
    folder.write("plain.sgf.gz", RESIGNED);
    folder.write("text.zip", "only words");
    folder.write("none.zip", pack::zip(&[]));
    folder.write("none.tar.gz", pack::gz(&[0; 1024]));
    expect(
        folder.run("label none.zip"),
        &[("none.zip", "skipped", "special_file")],
    );
    expect(
        folder.run("label none.tar.gz"),
        &[("none.tar.gz", "skipped", "special_file")],
    );
    folder.write("other.7z", b"7z\xbc\xaf\x27\x1c\0\x04");
    let (status, fine) = FINE;
    expect(
        folder.run("label plain.sgf.gz"),
        &[("plain.sgf.gz", status, fine)],
    );
    expect(
        folder.run("label text.zip"),
        &[("text.zip", "broken", "not_packed")],
    );
    expect(
        folder.run("label other.7z"),
        &[("other.7z", "broken", "packed")],
    );
}

#[test]
fn members_are_listed_sampled_and_limited_like_files() {
    let folder = Folder::new();
    let names: Vec<String> = (0..40).map(|number| format!("{number:02}.sgf")).collect();
    let members: Vec<Member<'_>> = names
        .iter()
        .map(|name| (&**name, RESIGNED.as_bytes()))
        .collect();
    folder.write("a.zip", pack::zip(&members));
    folder.write("b.sgf", ILLEGAL);
    let listed = folder.run("list .").done();
    assert_eq!(listed.out.lines().count(), 1 + 41);
    let rows = folder.run("label . --limit 7").done().rows();
    assert_eq!(column(&rows, "origin").last().unwrap(), "./a.zip!06.sgf");
    let sample = folder.run("label . --sample 5 -j2").done();
    assert_eq!(sample.out, folder.run("label . --sample 5 -j1").done().out);
    assert_eq!(sample.rows().len(), 5);
}

#[test]
fn the_rows_of_packed_files_come_in_order_for_any_number_of_threads() {
    let folder = Folder::new();
    let names: Vec<String> = (0..600).map(|number| format!("{number:03}.sgf")).collect();
    let members: Vec<Member<'_>> = names
        .iter()
        .map(|name| (&**name, RESIGNED.as_bytes()))
        .collect();
    folder.write("a/1.zip", pack::zip(&members));
    folder.write("a/2.sgf", RESIGNED.repeat(3000));
    folder.write("a/2.tar.gz", pack::gz(&pack::tar(&members)));
    folder.write("a/3.sgf.zst", pack::zst(RESIGNED.repeat(40_000).as_bytes()));
    folder.write("a/4.sgf", RESIGNED);
    let one = folder.run("label a -j1").done();
    assert_eq!(one.rows().len(), 600 + 3000 + 600 + 40_000 + 1);
    for jobs in [2, 5] {
        let said = folder.run(&format!("label a -j{jobs}")).done();
        assert!(said.out == one.out, "{jobs} threads");
    }
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for origin in one.origins() {
        *seen.entry(origin).or_default() += 1;
    }
    assert!(
        seen.values().all(|count| *count == 1),
        "each origin is a key"
    );
}
