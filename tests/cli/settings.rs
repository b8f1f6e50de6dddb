//! Where settings come from: flag, then configuration, then the record, then
//! defaults. Rows say which.

use crate::common::run::{Folder, Row, Said};

/// Records that name both rules and komi, and neither; nothing is judged.
fn games() -> Folder {
    Folder::with(&[
        ("says.sgf", "(;GM[1]SZ[9]RU[AGA]KM[6.5]RE[B+R];B[ee])"),
        ("silent.sgf", "(;GM[1]SZ[9]RE[B+R];B[ee])"),
    ])
}

/// Rules and komi of a row, and where each is from.
fn settled(row: &Row) -> String {
    let parts = ["rules", "rules_from", "komi", "komi_from"].map(|name| row[name].as_str());
    parts.join(" ")
}

#[track_caller]
fn check(said: &Said, says: &str, silent: &str) {
    assert_eq!(said.status, 0, "{}", said.err);
    let rows = said.rows();
    assert_eq!([settled(&rows[0]), settled(&rows[1])], [says, silent]);
}

const LINE: &str = "label says.sgf silent.sgf";

const DEFAULTS: &str = "[defaults]\nrules = 'chinese'\nkomi = 5.5\n";
const FORCED: &str = "[defaults]\nrules = 'chinese'\n[label]\nrules = 'nz'\nkomi = '3.75zi'\n";

#[test]
fn without_settings_the_record_speaks_then_the_rules() {
    check(
        &games().run(LINE),
        "aga record 6.5 record",
        "japanese default 6.5 default",
    );
}

#[test]
fn default_flags_fill_gaps_only() {
    let said = games().run(&format!(
        "{LINE} --default-rules chinese --default-komi 3.75zi"
    ));
    check(
        &said,
        "aga record 6.5 record",
        "chinese default 7.5 default",
    );
}

#[test]
fn flags_force() {
    let said = games().run(&format!("{LINE} --rules chinese --komi -5.5"));
    check(&said, "chinese flag -5.5 flag", "chinese flag -5.5 flag");
}

#[test]
fn a_configuration_in_this_folder_is_found() {
    let folder = games();
    folder.write("kifu.toml", DEFAULTS);
    check(
        &folder.run(LINE),
        "aga record 6.5 record",
        "chinese config 5.5 config",
    );
    folder.write("kifu.toml", FORCED);
    check(
        &folder.run(LINE),
        "nz config 7.5 config",
        "nz config 7.5 config",
    );
}

#[test]
fn a_flag_beats_the_configuration() {
    let folder = games();
    folder.write("kifu.toml", FORCED);
    check(
        &folder.run(&format!("{LINE} --rules japanese --komi 0.5")),
        "japanese flag 0.5 flag",
        "japanese flag 0.5 flag",
    );
    folder.write("kifu.toml", DEFAULTS);
    check(
        &folder.run(&format!("{LINE} --default-rules aga --default-komi 1")),
        "aga record 6.5 record",
        "aga default 1 default",
    );
}

#[test]
fn a_configuration_can_be_named() {
    let folder = games();
    folder.write("kifu.toml", DEFAULTS);
    folder.write("other.toml", "[label]\nrules = 'nz'\n");
    folder.write("third.toml", "[label]\nrules = 'ing'\n");
    let nz = ["nz config 6.5 record", "nz config 7 default"];
    check(
        &folder.run(&format!("{LINE} --config other.toml")),
        nz[0],
        nz[1],
    );
    let mut command = folder.kifu();
    command
        .args(LINE.split(' '))
        .env("KIFU_CONFIG", "other.toml");
    check(&Said::of(command.output().unwrap()), nz[0], nz[1]);
    // The flag beats the environment.
    command
        .env("KIFU_CONFIG", "third.toml")
        .args(["--config", "other.toml"]);
    check(&Said::of(command.output().unwrap()), nz[0], nz[1]);
}

#[test]
fn a_configuration_sets_flags_by_their_names() {
    let folder = games();
    folder.write(
        "kifu.toml",
        "[label]\noutput-format = 'jsonl'\nwith = ['board']\nglob = ['!says*']\njobs = 1\ndead = 'none'\n",
    );
    let out = folder.run("label . --limit 1").done().out;
    assert!(out.starts_with("{\"origin\":\"./kifu.toml\""), "{out}");
    let out = folder
        .run("label . --output-format csv -g *.sgf -q")
        .done()
        .out;
    assert!(out.lines().next().unwrap().ends_with(",board"), "{out}");
    assert!(out.contains("./says.sgf"), "{out}");
}

#[test]
fn the_summary_names_settings_wherever_they_come_from() {
    let folder = games();
    folder.write(
        "kifu.toml",
        "[defaults]\nkomi = 5.5\n[label]\nrules = 'nz'\ntolerance = 1\n",
    );
    folder
        .run(&format!("{LINE} -o labels.csv --dead none"))
        .done();
    let summary: serde_json::Value =
        serde_json::from_slice(&folder.read("labels.summary.json")).unwrap();
    let expected = serde_json::json!({
        "rules": "nz", "default_komi": "5.5", "tolerance": "1", "dead": "none",
    });
    assert_eq!(summary["settings"], expected);
}

#[test]
fn a_faulty_configuration_is_refused() {
    let folder = games();
    for (text, message) in [
        (
            "[label]\nrule = 'nz'\n",
            "kifu: in kifu.toml: unknown key 'rule' in [label]; did you mean 'rules'?",
        ),
        (
            "[default]\nrules = 'nz'\n",
            "unknown section [default]; did you mean 'defaults'?",
        ),
        ("rules = 'nz'\n", "unknown section [rules]"),
        ("[defaults]\nrules = 'nzz'\n", "did you mean `nz`?"),
        ("[label]\nkomi = 'much'\n", "cannot read the komi \"much\""),
        ("[label]\njudge = 'some'\n", "write counted or all"),
        ("[label]\njobs = 'many'\n", "invalid type"),
        ("[label\n", "TOML parse error at line 1"),
    ] {
        folder.write("kifu.toml", text);
        let said = folder.run(LINE);
        assert_eq!(said.status, 2, "{text}");
        assert!(said.err.contains(message), "{text}: {}", said.err);
    }
}

/// A configuration that is not asked for is not in the way of `list`, which
/// needs no rules; one that cannot be read is.
#[test]
fn every_command_reads_the_configuration() {
    let folder = games();
    folder.write("kifu.toml", "[lable]\n");
    for line in ["label .", "audit .", "list .", "explain says.sgf"] {
        assert_eq!(folder.run(line).status, 2, "{line}");
    }
}
