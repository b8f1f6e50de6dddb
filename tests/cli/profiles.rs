//! `[[profile]]`: which records one is for, what it is stronger and weaker
//! than, and where it shows.

use crate::common::{
    pack, reference,
    run::{Folder, Row, Said, kifu, run},
};

/// Half a board each, a wall along the border: Black owns 190 points and has 19
/// stones, White 171 and 19, so Black is 19 ahead by area and by territory.
fn walls(root: &str) -> String {
    format!("(;GM[1]SZ[19]{root}AB[ja:js]AW[ka:ks];B[];W[])")
}

/// A game that the built-in profile of the Tom server is for.
const TOM: &str = "KM[7.5]RE[B+11.5]";

fn settled(row: &Row) -> String {
    let names = ["rules", "rules_from", "komi", "komi_from", "convention"];
    names.map(|name| row[name].as_str()).join(" ")
}

#[track_caller]
fn only_row(said: Said) -> Row {
    let mut rows = said.done().rows();
    assert_eq!(rows.len(), 1);
    rows.remove(0)
}

/// A line that labels one record, and a configuration for it.
fn label(folder: &Folder, config: &str, line: &str) -> Row {
    folder.write("kifu.toml", config);
    only_row(folder.run(&format!("label {line} --dead none -q")))
}

const USER: &str = "[[profile]]\nname = 'mine'\npath = '**'\nrules = 'nz'\nkomi = 3.5\n\
                    convention = 'territory_strict'\n";
const FORCED: &str = "[label]\nrules = 'aga'\nkomi = 1\nconvention = 'area'\n";
const DEFAULTS: &str = "[defaults]\nrules = 'ing'\nkomi = 2\n";

/// Flags and `[label]` beat the user's profile, that beats the built-in one,
/// that the record, and the record the defaults.
#[test]
fn the_strongest_speaks() {
    let folder = Folder::with(&[
        ("tom/silent.sgf", &walls(TOM)),
        ("tygem/says.sgf", &walls("RU[Japanese]KM[6.5]RE[B+12.5]")),
        ("else/says.sgf", &walls("RU[AGA]KM[6.5]RE[B+12.5]")),
        ("else/silent.sgf", &walls("RE[B+12.5]")),
    ]);
    let flags = "--rules chinese --komi 0.5 --convention territory_flood";
    let (user, default) = (USER.to_owned(), DEFAULTS.to_owned());
    let tom = "chinese builtin_profile 7.5 record area_dame_ignored";
    let mine = "nz profile 3.5 profile territory_strict";
    for (record, flags, config, expected) in [
        ("tom/silent.sgf", "", "", tom),
        ("tom/silent.sgf", "", &default, tom),
        (
            "tom/silent.sgf",
            "--default-rules aga --default-komi 9",
            "",
            tom,
        ),
        (
            "tom/silent.sgf",
            "--no-profiles",
            "",
            "japanese default 7.5 record territory_flood",
        ),
        ("tom/silent.sgf", "", &user, mine),
        ("tom/silent.sgf", "--no-profiles", &user, mine),
        ("tom/silent.sgf", "", &(DEFAULTS.to_owned() + USER), mine),
        (
            "tom/silent.sgf",
            "",
            &(FORCED.to_owned() + USER),
            "aga config 1 config area",
        ),
        (
            "tom/silent.sgf",
            flags,
            &(FORCED.to_owned() + USER),
            "chinese flag 0.5 flag territory_flood",
        ),
        (
            "tom/silent.sgf",
            "--komi 0.5",
            &user,
            "nz profile 0.5 flag territory_strict",
        ),
        (
            "tygem/says.sgf",
            "",
            "",
            "japanese builtin_profile 6.5 record territory_flood",
        ),
        ("tygem/says.sgf", "", &user, mine),
        ("else/says.sgf", "", "", "aga record 6.5 record area"),
        ("else/says.sgf", "", &user, mine),
        ("else/silent.sgf", "", &default, "ing config 2 config area"),
        ("else/silent.sgf", "", &user, mine),
    ] {
        let row = label(&folder, config, &format!("{record} {flags}"));
        assert_eq!(settled(&row), expected, "{record} {flags}\n{config}");
    }
}

/// A profile that sets one thing leaves the others to the record; the built-in
/// one is then not asked for them.
#[test]
fn a_profile_is_used_alone() {
    let folder = Folder::with(&[("tom/a.sgf", &walls(TOM))]);
    let config = "[[profile]]\nname = 'mine'\npath = 'tom/**'\nkomi = '1.75zi'\n";
    let row = label(&folder, config, "tom/a.sgf");
    assert_eq!(
        settled(&row),
        "japanese default 3.5 profile territory_flood"
    );
    assert_eq!(row["reasons"].rsplit(';').next(), Some("profile=mine"));
}

#[test]
fn the_last_that_matches_holds() {
    let folder = Folder::with(&[
        ("a/1.sgf", &walls("RE[B+12.5]")),
        ("b/1.sgf", &walls("RE[B+12.5]")),
    ]);
    let profile =
        |name, path| format!("[[profile]]\nname = '{name}'\npath = '{path}'\nkomi = 5.5\n");
    folder.write(
        "kifu.toml",
        profile("all", "**") + &profile("b", "b/*") + &profile("none", "c/*"),
    );
    let rows = folder.run("label a b --dead none -q").done().rows();
    let reasons: Vec<&str> = rows
        .iter()
        .map(|row| row["reasons"].rsplit(';').next().unwrap())
        .collect();
    assert_eq!(reasons, ["profile=all", "profile=b"]);
}

/// The profile stands last among the reasons of every row judged under it, and
/// nowhere else.
#[test]
fn every_row_names_its_profile() {
    let folder = Folder::with(&[
        ("tom/1-agrees.sgf", &walls(TOM)),
        ("tom/2-differs.sgf", &walls("KM[7.5]RE[W+1]")),
        ("tom/3-resigned.sgf", &walls("KM[7.5]RE[W+R]")),
        ("tom/4-other-komi.sgf", &walls("KM[5.5]RE[B+13.5]")),
        ("tom/5-no-record.sgf", "not a record"),
    ]);
    let args = "label tom -o labels.csv --dead none -q";
    folder.run(args).done();
    let rows = folder.rows("labels.csv");
    let shown = |row: &Row| format!("{} {}", row["status"], row["reasons"]);
    let shown: Vec<String> = rows.iter().map(shown).collect();
    assert_eq!(shown[0], "agree profile=tom-7.5");
    assert!(shown[1].starts_with("winner_differs "), "{}", shown[1]);
    assert!(shown[1].ends_with("board_says=black+11.5;profile=tom-7.5"));
    assert_eq!(shown[2], "not_comparable profile=tom-7.5");
    assert_eq!(shown[3], "agree ");
    assert_eq!(shown[4], "broken ");

    let summary: serde_json::Value =
        serde_json::from_slice(&folder.read("labels.summary.json")).unwrap();
    assert_eq!(
        summary["profiles"],
        serde_json::json!({
            "tom-7.5": {"records": 3, "agree": 1, "winner_differs": 1, "not_comparable": 1},
        })
    );
    let said = folder.run("explain tom/1-agrees.sgf").done();
    assert!(said.out.contains("chinese (from builtin_profile)"));
    assert!(said.out.contains("profile=tom-7.5"));
    let said = folder.run("audit tom --dead none -q");
    assert!(said.out.contains("profile=tom-7.5)"), "{}", said.out);
}

#[test]
fn the_summary_names_the_settings() {
    let folder = Folder::with(&[("a.sgf", &walls("RE[B+12.5]"))]);
    folder.write("kifu.toml", format!("[label]\nno-profiles = true\n{USER}"));
    folder.run("label a.sgf -o labels.csv -q").done();
    let summary: serde_json::Value =
        serde_json::from_slice(&folder.read("labels.summary.json")).unwrap();
    assert_eq!(
        summary["settings"],
        serde_json::json!({
            "no_profiles": "true",
            "profile": "mine path=** rules=nz komi=3.5 convention=territory_strict",
        })
    );
}

/// A member of a packed file lies in it as in a folder.
#[test]
fn members_of_packed_files_have_profiles() {
    let folder = Folder::new();
    let game = walls(TOM);
    let game = game.as_bytes();
    folder.write(
        "tom/all.zip",
        pack::zip(&[("x.sgf", game), ("b/y.sgf", game)]),
    );
    folder.write(
        "some.tar",
        pack::tar(&[("tom/x.sgf", game), ("tom-1.sgf", game), ("y.sgf", game)]),
    );
    let reasons = |config: &str| {
        folder.write("kifu.toml", config);
        let rows = folder
            .run("label some.tar tom --dead none -q")
            .done()
            .rows();
        let reasons = rows.iter().map(|row| row["reasons"].clone());
        reasons.collect::<Vec<_>>()
    };
    let tom = "profile=tom-7.5";
    let unknown = reasons("")[2].clone();
    assert!(!unknown.contains("profile="), "{unknown}");
    assert_eq!(reasons(""), [tom, tom, &unknown, tom, tom]);
    let config = "[[profile]]\nname = 'b'\npath = ['**/all.zip/b/*', 'some.tar/y*']\nkomi = 7.5\n";
    assert_eq!(reasons(config), [tom, tom, "profile=b", tom, "profile=b"]);
}

/// Written margins whose half points were rounded away. The board says 19 for
/// Black before komi.
#[test]
fn rounded_margins_agree_in_their_direction() {
    let folder = Folder::new();
    let config =
        |rounding| format!("[[profile]]\nname = 'r'\npath = '**'\nrounding = '{rounding}'\n");
    let (agree, margin, winner) = ("agree", "margin_differs", "winner_differs");
    // A win by nothing is no result.
    let no_result = "no_result";
    for (komi, written, none, up, down) in [
        // Black by 12.5.
        ("6.5", "B+12.5", agree, agree, agree),
        ("6.5", "B+13", margin, agree, margin),
        ("6.5", "B+12", margin, margin, agree),
        ("6.5", "B+14", margin, margin, margin),
        ("6.5", "B+11", margin, margin, margin),
        ("6.5", "B+11.5", margin, margin, margin),
        ("6.5", "B+13.5", margin, margin, margin),
        ("6.5", "W+13", winner, winner, winner),
        ("6.5", "W+12", winner, winner, winner),
        // Black by 12: nothing to round.
        ("7", "B+12", agree, agree, agree),
        ("7", "B+12.5", margin, margin, margin),
        ("7", "B+11.5", margin, margin, margin),
        // Black and White by half a point.
        ("18.5", "B+1", margin, agree, margin),
        ("18.5", "B+0", no_result, no_result, no_result),
        ("18.5", "0", winner, winner, winner),
        ("18.5", "W+1", winner, winner, winner),
        ("19.5", "W+1", margin, agree, margin),
        // Nobody.
        ("19", "0", agree, agree, agree),
        ("19", "B+1", winner, winner, winner),
        // White by 12.5.
        ("31.5", "W+13", margin, agree, margin),
        ("31.5", "W+12", margin, margin, agree),
    ] {
        folder.write("a.sgf", walls(&format!("KM[{komi}]RE[{written}]")));
        for (rounding, expected) in [("none", none), ("up", up), ("down", down)] {
            let row = label(&folder, &config(rounding), "a.sgf");
            let about = format!("komi {komi}, {written} under {rounding}: {row:?}");
            assert_eq!(row["status"], expected, "{about}");
            let rounded = expected == agree && none != agree;
            if expected == agree {
                let reasons = if rounded {
                    "half_point;profile=r"
                } else {
                    "profile=r"
                };
                assert_eq!(row["reasons"], reasons, "{about}");
            }
        }
    }
    folder.write("a.sgf", walls("KM[6.5]RE[B+13]"));
    let row = label(&folder, &config("up"), "a.sgf");
    assert_eq!((&*row["recorded_margin"], &*row["margin"]), ("13", "12.5"));

    // What is lost is added before the tolerance is looked at.
    folder.write("a.sgf", walls("KM[6.5]RE[B+14]"));
    for (rounding, expected) in [("none", margin), ("up", agree), ("down", margin)] {
        let row = label(&folder, &config(rounding), "a.sgf --tolerance 1");
        assert_eq!(row["status"], expected, "{rounding}");
    }
}

/// Built-in profiles say nothing of records without their marks.
#[test]
fn unmarked_records_are_judged_as_ever() {
    let mut folders = vec!["data/archive".to_owned(), "data/boards".to_owned()];
    let archives = reference("go/archives");
    for some_marked in [
        "counted/engine-tt",
        "counted/misc",
        "counted/pro",
        "malformed",
    ] {
        let path = archives.as_ref().map(|path| path.join(some_marked));
        folders.extend(path.map(|path| path.display().to_string()));
    }
    let rows = |more: &[&str]| {
        let mut command = kifu();
        let args = ["label", "--quiet"];
        Said::of(
            command
                .args(args)
                .args(&folders)
                .args(more)
                .output()
                .unwrap(),
        )
        .done()
        .out
    };
    let (with, without) = (rows(&[]), rows(&["--no-profiles"]));
    assert_eq!(with.lines().count(), without.lines().count());
    let mut unmarked = 0;
    for (with, without) in with.lines().zip(without.lines()) {
        assert!(!without.contains("profile="), "{without}");
        if !with.contains("profile=") {
            assert_eq!(with, without);
            unmarked += 1;
        }
    }
    assert!(unmarked > 100);
}

/// What `kifu profiles` prints is a configuration under which rows are the
/// same, and can be printed again.
#[test]
fn printed_profiles_hold_as_they_did() {
    let folder = Folder::with(&[
        ("tom/a.sgf", &walls(TOM)),
        ("tom/b.sgf", &walls("KM[6.5]RE[B+13]")),
        ("tom/c/d.sgf", &walls("KM[6.5]RE[B+13]")),
        ("tygem/e.sgf", &walls("KM[6.5]RE[B+13]")),
        ("f.sgf", &walls("AP[foxwq]RU[Japanese]KM[6.5]RE[B+13]")),
        ("g.sgf", &walls("KM[6.5]RE[B+13]")),
    ]);
    let labels = || {
        folder
            .run("label tom tygem f.sgf g.sgf --dead none -q")
            .done()
            .out
    };
    let printed = |line: &str| folder.run(line).done().out;
    folder.write(
        "kifu.toml",
        "[[profile]]\nname = 'c'\npath = 'tom/c/*'\nrounding = 'up'\ngrounds = 'I saw it.'\n\
         [[profile]]\nname = 'tygem'\npath = '**/tygem/*'\nwritten-komi = 6.5\nkomi = 5.5\n",
    );
    let (before, first) = (labels(), printed("profiles"));
    assert!(
        first.contains("rounding = \"up\"\ngrounds = \"\"\"\nI saw it.\"\"\"\n"),
        "{first}"
    );
    assert_eq!(first.matches("name = \"tygem\"").count(), 1, "{first}");
    folder.write("kifu.toml", &first);
    let (after, second) = (labels(), printed("profiles"));
    assert_eq!(before.replace("builtin_profile", "profile"), after);
    assert!(before != after, "some were built in");
    let plain = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(plain(&first), plain(&second));

    // Without the built-in ones there are the user's; without those, none.
    assert_eq!(second, printed("profiles --no-profiles"));
    folder.write("kifu.toml", format!("[label]\nno-profiles = true\n{USER}"));
    assert_eq!(printed("profiles").matches("[[profile]]\n").count(), 1);
    folder.write("kifu.toml", "");
    folder.write("other.toml", USER);
    assert_eq!(
        printed("profiles --no-profiles")
            .matches("[[profile]]\n")
            .count(),
        0
    );
    let named = printed("profiles --no-profiles --config other.toml");
    assert!(
        named.contains("convention = \"territory_strict\""),
        "{named}"
    );
}

/// What is refused before any work, and how that is said.
#[test]
fn faulty_profiles_are_refused() {
    let folder = Folder::with(&[("a.sgf", &walls("RE[B+R]"))]);
    let entry = |rest: &str| format!("[[profile]]\nname = 'x'\npath = '**'\nkomi = 7\n{rest}");
    for (config, message) in [
        (
            "[[profile]]\npath = '*'\nkomi = 7\n".to_owned(),
            "kifu: in kifu.toml: [[profile]] 1 has no name",
        ),
        (
            entry("") + "[[profile]]\nname = 'My Games'\n",
            "[[profile]] 2 cannot have the name \"My Games\": write it with a to z",
        ),
        (
            "[[profile]]\nname = ''\n".to_owned(),
            "[[profile]] 1 cannot have the name \"\"",
        ),
        (
            "[[profile]]\nname = 7\n".to_owned(),
            "name of [[profile]] 1: integer cannot be read: write a text",
        ),
        (
            entry("") + &entry(""),
            "[[profile]] 'x' is there twice: give each a name of its own",
        ),
        (
            "[profile]\nname = 'x'\n".to_owned(),
            "'profile' is written as [[profile]] in the configuration",
        ),
        (
            "profile = ['x']\n".to_owned(),
            "'profile' is written as [[profile]] in the configuration",
        ),
        (
            "[[profiles]]\nname = 'x'\n".to_owned(),
            "unknown section [profiles]; did you mean 'profile'?",
        ),
        (
            entry("writen-komi = 7\n"),
            "[[profile]] 'x': unknown key 'writen-komi'; did you mean 'written-komi'?",
        ),
        (
            "[[profile]]\nname = 'x'\nkomi = 7\n".to_owned(),
            "[[profile]] 'x': it marks no record: give it one of path, program,",
        ),
        (
            "[[profile]]\nname = 'x'\npath = '**'\ngrounds = 'none'\n".to_owned(),
            "[[profile]] 'x': it sets nothing: give it one of rules, komi,",
        ),
        (
            entry("rules = 'chines'\n"),
            "[[profile]] 'x': rules: unknown rules `chines`",
        ),
        (entry("rules = 'chines'\n"), "did you mean `chinese`?"),
        (
            entry("rules = ['chinese', 'nz']\n"),
            "[[profile]] 'x': rules: array cannot be read: write one text",
        ),
        (
            entry("convention = 'territory_flod'\n"),
            "[[profile]] 'x': convention: unknown convention 'territory_flod'",
        ),
        (
            entry("convention = 'territory_flod'\n"),
            "did you mean 'territory_flood'?",
        ),
        (
            "[[profile]]\nname = 'x'\npath = '**'\nkomi = 'much'\n".to_owned(),
            "[[profile]] 'x': komi: cannot read the komi \"much\": write points (7.5)",
        ),
        (
            entry("rounding = 'dwn'\n"),
            "[[profile]] 'x': rounding: unknown word 'dwn'; known are none, up, down; did you mean 'down'?",
        ),
        (
            entry("handicap = ['none', 'som']\n"),
            "[[profile]] 'x': handicap: unknown word 'som'; known are none, one, some; did you mean 'some'?",
        ),
        (
            entry("size = [19, '99']\n"),
            "[[profile]] 'x': size: cannot read the size \"99\"",
        ),
        (
            entry("written-komi = true\n"),
            "[[profile]] 'x': written-komi: boolean cannot be read: write a text or a list of texts",
        ),
        (
            entry("program = []\n"),
            "[[profile]] 'x': program: an empty list marks no record",
        ),
        (
            entry("program = 7\n"),
            "[[profile]] 'x': program: integer cannot be read",
        ),
        (
            "[[profile]]\nname = 'x'\npath = 'a{'\nkomi = 7\n".to_owned(),
            "[[profile]] 'x': path: cannot read the pattern \"a{\"",
        ),
        (
            "[[profile]]\nname = 'x'\npath = ['']\nkomi = 7\n".to_owned(),
            "[[profile]] 'x': path: an empty pattern matches no path",
        ),
        (
            entry("grounds = 3\n"),
            "[[profile]] 'x': grounds: integer cannot be read: write a text",
        ),
    ] {
        folder.write("kifu.toml", &config);
        for line in ["label a.sgf -o rows.csv", "profiles"] {
            let said = folder.run(line);
            assert_eq!(said.status, 2, "{line}\n{config}");
            assert!(said.err.contains(message), "{config}: {}", said.err);
            assert!(said.err.contains("in kifu.toml: "), "{}", said.err);
        }
    }
    let unchanged = folder.names();
    assert_eq!(unchanged, ["a.sgf", "kifu.toml"], "nothing was begun");
}

#[test]
fn profiles_takes_no_paths() {
    assert_eq!(run("profiles games").status, 2);
}
