//! What is read: files, folders, lists, pipes, and what lies in the way.

use std::{fs, process::Command, thread};

use crate::common::run::{AGREES, Folder, ILLEGAL, RESIGNED, Said, column, sample};

/// Status and kind of error of the only row.
#[track_caller]
fn only_row(said: &Said) -> (String, String) {
    let rows = said.rows();
    assert_eq!(rows.len(), 1, "{}", said.out);
    (rows[0]["status"].clone(), rows[0]["error_kind"].clone())
}

fn pair(status: &str, error: &str) -> (String, String) {
    (status.to_owned(), error.to_owned())
}

#[test]
fn folders_are_walked_in_the_order_of_their_parts() {
    let names = [
        "a/1.sgf",
        "a/10.sgf",
        "a/2.sgf",
        "a-b.sgf",
        "a.sgf",
        "b/c/d.sgf",
        "b.sgf",
    ];
    let folder = Folder::with(&names.map(|name| (name, RESIGNED)));
    assert_eq!(
        folder.run("label . -q").done().origins(),
        names.map(|name| format!("./{name}"))
    );
}

/// Neither the order of the arguments nor a path given twice changes the rows.
#[test]
fn a_file_is_read_once() {
    let folder = Folder::with(&[
        ("a/1.sgf", RESIGNED),
        ("a/2.sgf", RESIGNED),
        ("b.sgf", RESIGNED),
    ]);
    let expected = ["a/1.sgf", "a/2.sgf", "b.sgf"];
    for line in [
        "label a b.sgf",
        "label b.sgf a",
        "label a/2.sgf b.sgf a a/2.sgf b.sgf",
    ] {
        assert_eq!(folder.run(line).done().origins(), expected, "{line}");
    }
}

/// Records of web pages stand behind heads that may be long.
#[test]
fn pages_are_looked_at_beyond_their_heads() {
    let tags = "[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]";
    let folder = Folder::new();
    for before in [4_000, 4_090, 5_000, 60_000] {
        let style = "a{} ".repeat(before / 4);
        let page = format!("<html><style>{style}</style>{tags}</html>");
        folder.write(format!("pages/{before}"), &page);
        folder.write(format!("pages/{before}.html"), format!("{style}{tags}"));
    }
    let rows = folder.run("label pages").done().rows();
    assert_eq!(column(&rows, "format"), ["dhtmlxq"; 8]);
    assert_eq!(column(&rows, "moves"), ["2"; 8]);
}

/// Records of programs whose files are not read are not passed over quietly.
#[test]
fn kinds_that_are_known_and_not_read() {
    let folder = Folder::new();
    for (name, text) in [
        (
            "games/a.cbf",
            "<?xml version=\"1.0\"?><ChineseChessRecord/>",
        ),
        ("games/b.che", "x"),
        ("games/c.MXQ", "y"),
        (
            "games/d.wxf",
            "FORMAT\t\tWXF\nSTART{\n 1. C2.5 H8+7\n}END\n",
        ),
        ("games/e.txt", "FORMAT WXF\nSTART{\n 1. C2.5 H8+7\n}END\n"),
        (
            "games/f.xml",
            "<?xml version=\"1.0\"?>\n<ChineseChessRecord/>",
        ),
    ] {
        folder.write(name, text);
    }
    let rows = folder.run("label games").done().rows();
    assert_eq!(column(&rows, "status"), ["broken"; 6]);
    assert_eq!(column(&rows, "error_kind"), ["unread_format"; 6]);
}

#[test]
fn a_file_that_is_no_record_is_broken_where_named_and_skipped_where_met() {
    let noise: Vec<u8> = (0..2000u32).map(|i| (i * i % 251) as u8).collect();
    let folder = Folder::new();
    folder.write("games/noise.bin", &noise);
    folder.write("games/notes.txt", "bought a new board (and stones)\n");
    for name in ["noise.bin", "notes.txt"] {
        let named = folder.run(&format!("label games/{name}")).done();
        assert_eq!(only_row(&named), pair("broken", "unknown_format"), "{name}");
        assert!(named.rows()[0]["error"].contains("name it with --input-format"));
    }
    for row in folder.run("label games").done().rows() {
        assert_eq!(row["status"], "skipped");
        assert!(
            row["error"].starts_with("not a game record"),
            "{}",
            row["error"]
        );
    }
}

#[test]
fn a_record_is_known_by_its_content_under_any_name() {
    let folder = Folder::with(&[("7", RESIGNED), ("7.txt", RESIGNED), ("7.SGF", RESIGNED)]);
    let rows = folder.run("label . -q").done().rows();
    assert_eq!(column(&rows, "format"), ["sgf"; 3]);
}

/// What was listed and is not there is a row: the rest is still worth reading.
#[test]
fn a_file_that_cannot_be_opened_is_a_broken_row() {
    let folder = Folder::with(&[("7.sgf", RESIGNED), ("list.txt", "7.sgf\ngone.sgf\n")]);
    let rows = folder.run("label --files-from list.txt").done().rows();
    assert_eq!(column(&rows, "status"), ["not_comparable", "broken"]);
    assert_eq!(rows[1]["error_kind"], "unreadable");
    assert!(
        rows[1]["error"].contains("No such file"),
        "{}",
        rows[1]["error"]
    );
}

#[cfg(unix)]
#[test]
fn a_file_or_folder_without_permission_is_a_broken_row() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("a/1.sgf", RESIGNED), ("a/locked/2.sgf", RESIGNED)]);
    let forbid = |name| fs::set_permissions(folder.path(name), fs::Permissions::from_mode(0o000));
    forbid("a/1.sgf").unwrap();
    forbid("a/locked").unwrap();
    if fs::read(folder.path("a/1.sgf")).is_err() {
        let rows = folder.run("label a").done().rows();
        assert_eq!(column(&rows, "origin"), ["a/1.sgf", "a/locked"]);
        assert_eq!(column(&rows, "error_kind"), ["unreadable"; 2]);
    } else {
        println!("skipped: this user may read everything");
    }
    let permissions = fs::Permissions::from_mode(0o700);
    fs::set_permissions(folder.path("a/locked"), permissions).unwrap();
}

#[test]
fn a_folder_named_like_a_record_is_a_folder() {
    let folder = Folder::with(&[("a/7.sgf/8.sgf", RESIGNED)]);
    for line in ["label a", "label a/7.sgf"] {
        assert_eq!(
            folder.run(line).done().origins(),
            ["a/7.sgf/8.sgf"],
            "{line}"
        );
    }
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_is_followed() {
        let folder = Folder::with(&[("far/7.sgf", RESIGNED), ("near/1.sgf", RESIGNED)]);
        symlink("../far", folder.path("near/folder")).unwrap();
        symlink("../far/7.sgf", folder.path("near/file.sgf")).unwrap();
        let origins = folder.run("label near").done().origins();
        assert_eq!(
            origins,
            ["near/1.sgf", "near/file.sgf", "near/folder/7.sgf"]
        );
    }

    #[test]
    fn a_link_that_leads_nowhere_is_a_broken_row() {
        let folder = Folder::with(&[("a/1.sgf", RESIGNED)]);
        symlink("gone", folder.path("a/2.sgf")).unwrap();
        symlink("3.sgf", folder.path("a/3.sgf")).unwrap();
        let rows = folder.run("label a").done().rows();
        assert_eq!(
            column(&rows, "error_kind"),
            ["", "unreadable", "unreadable"]
        );
        // What is left out is left out, whole or not.
        let origins = folder.run("label a -g !3.sgf").done().origins();
        assert_eq!(origins, ["a/1.sgf", "a/2.sgf"]);
    }

    #[test]
    fn a_link_back_is_not_followed() {
        let folder = Folder::with(&[("a/b/1.sgf", RESIGNED)]);
        symlink("..", folder.path("a/b/up")).unwrap();
        symlink(".", folder.path("a/here")).unwrap();
        for line in ["label a", "list a"] {
            let said = folder.run(line).done();
            assert_eq!(said.out.matches("1.sgf").count(), 1, "{line}: {}", said.out);
            assert!(said.err.contains("a/b/up"), "{line}: {}", said.err);
        }
    }
}

#[cfg(unix)]
mod pipes {
    use super::*;

    fn pipe(folder: &Folder, name: &str) {
        let made = Command::new("mkfifo").arg(folder.path(name)).status();
        assert!(made.unwrap().success());
    }

    /// Whoever opens a pipe waits for a writer, and none may come.
    #[test]
    fn a_pipe_in_a_folder_is_skipped() {
        let folder = Folder::with(&[("a/1.sgf", RESIGNED)]);
        pipe(&folder, "a/2.sgf");
        let rows = folder.run("label a").done().rows();
        assert_eq!(column(&rows, "status"), ["not_comparable", "skipped"]);
        assert_eq!(rows[1]["error_kind"], "special_file");
        let list = folder.run("list a").done().out;
        assert!(
            list.contains("a/2.sgf\t\t\t\t\t\tnot a regular file"),
            "{list}"
        );
    }

    /// A pipe that is named is read from its first byte to its last, however
    /// long it is.
    #[test]
    fn a_named_pipe_is_read_whole() {
        let folder = Folder::new();
        pipe(&folder, "games");
        let record = RESIGNED.replace(";B", &format!("C[{}];B", "talk ".repeat(2000)));
        let path = folder.path("games");
        // It waits for the reader, for ever where none comes.
        thread::spawn(move || fs::write(path, record.repeat(700)));
        let said = folder.run("label games -q").done();
        let rows = said.rows();
        assert_eq!(rows.len(), 700);
        assert_eq!(rows[699]["origin"], "games#700");
    }
}

#[test]
fn hidden_files_and_folders_are_passed_over() {
    let folder = Folder::with(&[
        ("a/.b/1.sgf", RESIGNED),
        ("a/.c.sgf", RESIGNED),
        ("a/d.sgf", RESIGNED),
    ]);
    assert_eq!(folder.run("label a").done().origins(), ["a/d.sgf"]);
    let all = ["a/.b/1.sgf", "a/.c.sgf", "a/d.sgf"];
    assert_eq!(folder.run("label a --hidden").done().origins(), all);
    // What is named is wanted.
    assert_eq!(folder.run("label a/.c.sgf").done().origins(), ["a/.c.sgf"]);
    assert_eq!(folder.run("label a/.b").done().origins(), ["a/.b/1.sgf"]);
}

#[test]
fn patterns_choose_files() {
    let folder = Folder::with(&[
        ("a/1.sgf", RESIGNED),
        ("a/2.txt", RESIGNED),
        ("a/old/3.sgf", RESIGNED),
        ("a/old/4.sgf", RESIGNED),
    ]);
    for (globs, expected) in [
        ("-g *.sgf", "1.sgf old/3.sgf old/4.sgf"),
        ("-g 1.sgf -g 4.sgf", "1.sgf old/4.sgf"),
        ("-g !*.txt", "1.sgf old/3.sgf old/4.sgf"),
        ("-g !old/**", "1.sgf 2.txt"),
        ("-g old/*", "old/3.sgf old/4.sgf"),
        ("-g !old/** -g old/4.sgf", "old/4.sgf"),
        ("-g *.sgf -g !old/**", "1.sgf"),
        ("-g [12].*", "1.sgf 2.txt"),
        ("-g *.{sgf,txt} -g !3*", "1.sgf 2.txt old/4.sgf"),
        ("-g *.gib", ""),
    ] {
        let origins = folder.run(&format!("label a {globs}")).done().origins();
        let expected: Vec<String> = expected
            .split_whitespace()
            .map(|name| format!("a/{name}"))
            .collect();
        assert_eq!(origins, expected, "{globs}");
    }
}

#[test]
fn names_may_be_given_from_another_folder() {
    let folder = Folder::with(&[("x/a/1.sgf", RESIGNED), ("b.sgf", RESIGNED)]);
    let said = folder.run("label x/a --root x").done();
    assert_eq!(folder.run("label b.sgf --root x").status, 2);
    assert_eq!(said.origins(), ["a/1.sgf"]);
    let told = folder.run("explain a/1.sgf --root x").done().out;
    assert!(told.contains("record     a/1.sgf"), "{told}");
}

#[test]
fn lists_name_paths() {
    let list = "b.sgf\n\na\r\nc d.sgf";
    let names = ["a/1.sgf", "b.sgf", "c d.sgf"];
    let folder = Folder::with(&names.map(|name| (name, RESIGNED)));
    folder.write("list.txt", list);
    folder.write("list0", list.replace("\r\n", "\0").replace('\n', "\0"));
    for line in ["label --files-from list.txt", "label --files-from list0 -0"] {
        assert_eq!(folder.run(line).done().origins(), names, "{line}");
    }
    let said = folder.feed("label --files-from -", list).done();
    assert_eq!(said.origins(), names);
    // Paths and a list together.
    let said = folder.feed("label a --files-from - -0", "b.sgf\0").done();
    assert_eq!(said.origins(), ["a/1.sgf", "b.sgf"]);
}

#[cfg(unix)]
#[test]
fn a_line_end_in_a_name_needs_nul() {
    let folder = Folder::with(&[("a\nb.sgf", RESIGNED)]);
    let said = folder
        .feed("label --files-from - --null", "a\nb.sgf\0")
        .done();
    assert_eq!(said.origins(), ["a%0Ab.sgf"]);
}

#[test]
fn standard_input_holds_records() {
    let folder = Folder::with(&[("7.sgf", RESIGNED)]);
    let said = folder
        .feed("label -", format!("{RESIGNED}\n{ILLEGAL}"))
        .done();
    assert_eq!(said.origins(), ["-", "-#2"]);
    assert_eq!(column(&said.rows(), "status"), ["not_comparable", "broken"]);
    let said = folder.feed("label - 7.sgf", RESIGNED).done();
    assert_eq!(said.origins(), ["-", "7.sgf"]);
    assert_eq!(
        only_row(&folder.feed("label -", "")),
        pair("broken", "empty_file")
    );
    assert_eq!(
        only_row(&folder.feed("label -", "PNG")),
        pair("broken", "unknown_format")
    );
}

/// Records are numbered in their file; a damaged one hides no other.
#[test]
fn every_record_of_a_file_is_a_row() {
    let folder = Folder::new();
    folder.write(
        "7.sgf",
        format!("{RESIGNED}{ILLEGAL}junk{RESIGNED})(;SZ[9];B[ee]"),
    );
    let rows = folder.run("label 7.sgf").done().rows();
    assert_eq!(
        column(&rows, "origin"),
        ["7.sgf", "7.sgf#2", "7.sgf#3", "7.sgf#4"]
    );
    let statuses = ["not_comparable", "broken", "not_comparable", "no_result"];
    assert_eq!(column(&rows, "status"), statuses);
}

#[test]
fn a_record_that_is_too_long_is_a_broken_row() {
    let long = RESIGNED.replace(";B", &format!("C[{}];B", "x".repeat(500)));
    let folder = Folder::with(&[("7.sgf", &format!("{RESIGNED}{long}{RESIGNED}"))]);
    let rows = folder.run("label 7.sgf --max-record 200").done().rows();
    assert_eq!(column(&rows, "error_kind"), ["", "record_too_large", ""]);
    assert!(
        rows[1]["error"].contains("raise --max-record"),
        "{}",
        rows[1]["error"]
    );
}

#[test]
fn a_list_shows_what_would_be_read() {
    let folder = Folder::new();
    folder.write("a/1.sgf", format!("{RESIGNED}\n{RESIGNED}"));
    folder.write("a/2", sample(AGREES));
    folder.write("a/3.txt", "not a game");
    let said = folder.run("list a").done();
    let lines: Vec<Vec<&str>> = said
        .out
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(
        lines[0],
        [
            "origin",
            "format",
            "chosen_by",
            "game",
            "offset",
            "bytes",
            "note"
        ]
    );
    assert_eq!(
        lines[2],
        ["a/1.sgf#2", "sgf", "extension", "go", "34", "33", ""]
    );
    assert_eq!(lines[3][..5], ["a/2", "sgf", "content", "go", "0"]);
    assert_eq!(lines[4][0], "a/3.txt");
    assert_eq!(said.err, "3 records in 3 files\n");
}

/// `.` holds what lies below it, and nothing else.
#[test]
fn a_path_that_leads_out_of_another_is_read_too() {
    let folder = Folder::with(&[("x/1.sgf", RESIGNED), ("y/2.sgf", RESIGNED)]);
    let absolute = folder.path("y").display().to_string();
    for (inside, paths, rows) in [
        ("x", ". ../y", 2),
        ("x", &format!(". {absolute}"), 2),
        (".", "x x/../y", 2),
        (".", ". x", 2),
        (".", "x ./x x/1.sgf", 1),
    ] {
        let mut command = folder.kifu();
        command.current_dir(folder.path(inside));
        command.arg("label").args(paths.split_whitespace());
        let said = Said::of(command.output().unwrap()).done();
        assert_eq!(said.rows().len(), rows, "{paths}");
    }
}
