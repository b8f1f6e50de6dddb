//! Input that nobody should have made: each gets its row and harms no other.

use std::{fmt::Write as _, fs, thread, time::Duration};

use super::common::{
    pack,
    run::{Folder, RESIGNED, Said, column, sample},
};

/// Status, error word and warnings of the only row.
fn only(said: Said) -> [String; 3] {
    let rows = said.done().rows();
    assert_eq!(rows.len(), 1, "{rows:?}");
    ["status", "error_kind", "warnings"].map(|name| rows[0][name].clone())
}

#[test]
fn files_that_hold_nothing_or_nonsense() {
    let folder = Folder::new();
    let noise: Vec<u8> = (0..4000u32).map(|i| (i * i % 251) as u8).collect();
    for (name, bytes, word) in [
        ("empty.sgf", &b""[..], "empty_file"),
        ("blank.sgf", b" \r\n\t ", "empty_file"),
        ("nul.sgf", &[0; 3000], "empty_file"),
        ("binary.sgf", &noise, "no_game"),
        ("binary.gib", &noise, "no_game"),
        ("elf.sgf", b"\x7fELF\x02\x01\x01\0\0\0\0\0", "no_game"),
        ("size0.sgf", b"(;SZ[0];B[aa])", "bad_size"),
        ("size53.sgf", b"(;SZ[53];B[aa])", "bad_size"),
        ("size19x400.sgf", b"(;SZ[19:400];B[aa])", "bad_size"),
        ("size99.board", b"size: 99\nX O\nO X\n", "bad_size"),
        ("ragged.board", b"X O .\nX O\n. . .\n", "ragged_board"),
    ] {
        folder.write(name, bytes);
        let [status, found, _] = only(folder.run(&format!("label {name}")));
        assert_eq!((&*status, &*found), ("broken", word), "{name}");
    }
    // All of them in one run, with a good one among them.
    folder.write("good.sgf", RESIGNED);
    let rows = folder.run("label .").done().rows();
    assert_eq!(rows.len(), 12);
    let broken = rows.iter().filter(|row| row["status"] == "broken");
    assert_eq!(broken.count(), 11);
}

#[test]
fn a_komi_of_ten_millions_is_no_komi() {
    let folder = Folder::with(&[("a.sgf", "(;SZ[9]KM[10000000]RE[W+1];B[ee];W[dd];B[];W[])")]);
    let rows = folder.run("label a.sgf --dead none").done().rows();
    assert_eq!(rows[0]["komi"], "6.5", "that of the rules");
    assert!(
        rows[0]["warnings"].contains("komi"),
        "{}",
        rows[0]["warnings"]
    );
    let said = folder.run("label a.sgf --komi 10000000");
    assert_eq!(said.status, 2, "{}", said.out);
    assert!(said.err.contains("komi"), "{}", said.err);
}

#[test]
fn very_long_and_very_deep_records() {
    let folder = Folder::new();
    let mut long = String::from("(;SZ[19]RE[B+R]");
    for number in 0..200_000 {
        let _ = write!(long, ";{}[]", if number % 2 == 0 { "B" } else { "W" });
    }
    long.push(')');
    folder.write("long.sgf", &long);
    folder.write(
        "nested.sgf",
        format!(
            "(;SZ[9]RE[B+R]{}{}",
            "(;B[aa]".repeat(100_000),
            ")".repeat(100_001)
        ),
    );
    folder.write("open.sgf", "(;B[aa]".repeat(100_000));
    folder.write("brackets.sgf", "(".repeat(1_000_000));
    for (name, moves) in [
        ("long.sgf", "200000"),
        ("nested.sgf", "100000"),
        ("open.sgf", "100000"),
    ] {
        let rows = folder.run(&format!("label {name}")).done().rows();
        assert_eq!(rows.len(), 1, "{name}");
        assert_eq!(rows[0]["moves"], moves, "{name}");
        let strict = folder.run(&format!("label {name} --strict")).done().rows();
        assert_eq!(strict[0]["status"], "broken", "{name} under --strict");
    }
    assert_eq!(only(folder.run("label brackets.sgf"))[1], "no_game");
}

/// A line and a value without an end, larger than a record may be: one row
/// each, and the records around them are read.
#[test]
fn a_line_without_an_end_is_one_row() {
    let folder = Folder::new();
    let comment = format!(
        "{RESIGNED}(;SZ[9]C[{}]RE[B+R];B[ee]){RESIGNED}",
        "x".repeat(3 << 20)
    );
    folder.write("value.sgf", comment);
    let rows = folder.run("label value.sgf --max-record 1M").done().rows();
    assert_eq!(column(&rows, "error_kind"), ["", "record_too_large", ""]);
    let line = format!(
        "1\t;B[dd];W[pp]\n2\t;B[dd]{}\n3\t;B[dd];W[pp]\n",
        ";W[]".repeat(1 << 20)
    );
    let rows = folder
        .feed("label - --max-record 1M --input-format lines", line)
        .done()
        .rows();
    assert_eq!(column(&rows, "error_kind"), ["", "record_too_large", ""]);
    assert_eq!(column(&rows, "record_id"), ["1", "", "3"]);
}

/// The same for a row of a board, and for the rows below it.
#[test]
fn a_row_without_an_end_is_one_row() {
    let folder = Folder::new();
    let row = "X".repeat(3 << 20);
    let text = format!("X O\nO .\n\n{row}\nX O\nO X\n \r\n. X\nO X\n");
    let rows = folder.feed("label - --max-record 1M", text).done().rows();
    assert_eq!(column(&rows, "error_kind"), ["", "record_too_large", ""]);
    assert_eq!(column(&rows, "size"), ["2", "", "2"]);
}

#[test]
fn the_tree_of_a_record_that_is_too_long_makes_no_records() {
    let folder = Folder::new();
    let side_lines = "(;B[aa];W[bb])".repeat(200_000);
    folder.write("tree.sgf", format!("(;GM[1]SZ[9]{side_lines}){RESIGNED}"));
    let rows = folder.run("label tree.sgf --max-record 1M").done().rows();
    assert_eq!(column(&rows, "error_kind"), ["record_too_large", ""]);
    let listed = folder.run("list tree.sgf --max-record 1M").done();
    assert_eq!(listed.out.lines().count(), 3, "{}", listed.out);
}

#[test]
fn bombs_take_neither_memory_nor_rows() {
    let folder = Folder::new();
    let blank = vec![b' '; 8 << 20];
    folder.write("a.sgf.gz", pack::gz(&blank));
    folder.write(
        "b.zip",
        pack::zip(&[("x.sgf", &blank), ("y.sgf", RESIGNED.as_bytes())]),
    );
    let [status, word, _] = only(folder.run("label a.sgf.gz"));
    assert_eq!((&*status, &*word), ("broken", "empty_file"));
    let rows = folder.run("label b.zip --max-unpacked 1M").done().rows();
    let last = rows.last().unwrap();
    assert_eq!(last["error_kind"], "unpacked_too_large");
}

/// Files come and go while a folder is walked: what is there is read, what is
/// gone is told of, and nothing else changes.
#[test]
fn a_folder_may_change_while_it_is_read() {
    let folder = Folder::new();
    let game = sample("9x9/041.sgf");
    for number in 0..400 {
        folder.write(format!("a/{number:03}.sgf"), &game);
    }
    let gone = folder.path("a");
    let breaker = thread::spawn(move || {
        for number in (0..400).rev().step_by(3) {
            // It may be read already; that is the point.
            let _ = fs::remove_file(gone.join(format!("{number:03}.sgf")));
            let _ = fs::write(gone.join(format!("{number:03}x.sgf")), RESIGNED);
            thread::sleep(Duration::from_micros(300));
        }
    });
    let said = folder.run("label a -j2").done();
    breaker.join().unwrap();
    let rows = said.rows();
    assert!(rows.len() >= 400 - 134, "{}", rows.len());
    for row in rows {
        let fine = matches!(&*row["status"], "agree" | "not_comparable");
        assert!(fine || row["error_kind"] == "unreadable", "{row:?}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_not_text_come_back_from_every_container() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let folder = Folder::new();
    let name = OsStr::from_bytes(b"\xba\xda.sgf");
    folder.write(name, RESIGNED);
    let mut header = tar::Header::new_ustar();
    header.as_old_mut().name[..6].copy_from_slice(name.as_bytes());
    header.set_size(RESIGNED.len() as u64);
    header.set_cksum();
    let mut archive = tar::Builder::new(Vec::new());
    archive.append(&header, RESIGNED.as_bytes()).unwrap();
    folder.write("a.tar", archive.into_inner().unwrap());
    let origins = folder.run("label .").done().origins();
    assert_eq!(origins, ["./a.tar!%BA%DA.sgf", "./%BA%DA.sgf"]);
    for origin in origins {
        folder.explain(&origin).done();
    }
}
