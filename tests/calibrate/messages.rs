//! What is said where there is nothing to propose, or nothing can be done.

use super::{
    archive::{Counted, fill},
    common::run::{Folder, RESIGNED},
};

#[test]
fn nothing_to_compare_is_no_error() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("empty")).unwrap();
    folder.write("resigned/1.sgf", RESIGNED);
    folder.write("binary/1.sgf", [0u8, 159, 146, 150, 255, 0, 7]);
    fill(
        &folder,
        "few",
        49,
        "KM[7.5]",
        Counted::Area(7.5),
        &|margin| margin,
    );
    for (place, words) in [
        ("empty", "no files found in empty"),
        ("resigned", "no counted records"),
        ("binary", "no counted records"),
        ("few", "no group has 50 counted records"),
    ] {
        let said = folder.run(&format!("calibrate {place} --dead none -o {place}.toml"));
        assert_eq!(said.status, 0, "{place}: {}", said.err);
        assert!(said.err.contains(words), "{place}: {}", said.err);
        let written = folder.text(&format!("{place}.toml"));
        assert!(!written.contains("[[profile]]"), "{place}: {written}");
    }
}

#[test]
fn what_cannot_run_says_what_to_do() {
    let folder = Folder::new();
    folder.write("games/1.sgf", RESIGNED);
    folder.write("kifu.toml", "# mine\n");
    folder.write("other.toml", "# mine\n");
    folder.write("notes.txt", RESIGNED);
    for (line, words) in [
        ("calibrate games -o other.toml", "--force"),
        (
            "calibrate games -o kifu.toml --force",
            "configuration of this run",
        ),
        ("calibrate games -o games/2.sgf", "name another output"),
        (
            "calibrate games -o none/such.toml",
            "cannot write none/such.toml",
        ),
        ("calibrate nowhere", "cannot read nowhere"),
        ("calibrate", "no PATH given"),
        ("calibrate games --min-records 49", "fewer than 50"),
        ("calibrate games --min-records 20001", "more than 20000"),
        // Records that are called something else are no configuration.
        (
            "calibrate notes.txt -o notes.txt --force",
            "name another output",
        ),
        (
            "calibrate games -o notes.txt --force",
            "is no configuration",
        ),
    ] {
        let said = folder.run(line);
        assert_eq!(said.status, 2, "{line}: {}", said.err);
        assert!(said.err.contains(words), "{line}: {}", said.err);
    }
    assert_eq!(folder.text("kifu.toml"), "# mine\n");
    assert_eq!(folder.text("notes.txt"), RESIGNED);
    folder.run("calibrate games -o other.toml --force").done();
    assert!(folder.text("other.toml").contains("calibrate in"));
}

#[test]
fn without_a_file_the_profiles_are_on_standard_output() {
    let folder = Folder::new();
    fill(
        &folder,
        "games",
        200,
        "KM[7.5]",
        Counted::Area(7.5),
        &|margin| margin,
    );
    let said = folder.run("calibrate games --dead none").done();
    assert!(said.out.parse::<toml::Table>().is_ok(), "{}", said.out);
    assert!(said.out.contains("[[profile]]"), "{}", said.out);
    assert!(said.err.contains("with proposals"), "{}", said.err);
    let quiet = folder.run("calibrate games --dead none --quiet").done();
    assert_eq!((quiet.out, quiet.err), (said.out, String::new()));
}
