//! A GTP engine as the judge of dead stones, and what becomes of a run when the
//! engine does what it should not. The engines are small scripts.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::common::run::{Folder, RESIGNED, Row, Said, binary, column, kifu};

/// Answers everything; it does something `BEFORE`, and something else `INSTEAD`
/// for some commands. It keeps the numbers of processes, and of those that were
/// asked something, and takes White's stones in the columns A and B for dead.
const ENGINE: &str = r#"echo $$ >> pids
positions=0
BEFORE
while read -r id command rest; do
    [ "$asked" ] || { asked=yes; echo $$ >> asked; }
    case $command in
        INSTEAD
        clear_board) dead= ;;
        play) case $rest in white\ [AB]*) dead="$dead ${rest#white }" ;; esac ;;
        final_status_list) printf '=%s%s\n\n' "$id" "$dead"; continue ;;
        quit) printf '=%s\n\n' "$id"; exit ;;
    esac
    printf '=%s\n\n' "$id"
done
"#;

/// Black holds the left, White the right; White's stone on the left is dead,
/// and stands elsewhere in each game. White has 36 points and a prisoner's less.
fn game(nth: usize) -> String {
    let wall =
        |column: char| -> String { ('a'..='i').map(|row| format!("[{column}{row}]")).collect() };
    let row = char::from(b'a' + nth as u8);
    format!(
        "(;GM[1]SZ[9]RU[Chinese]KM[7.5]RE[B+1.5]AB{}AW{}[b{row}];B[];W[])",
        wall('e'),
        wall('f')
    )
}

/// A folder with some games and an engine.
fn folder(games: usize, before: &str, instead: &str) -> Folder {
    let folder = Folder::new();
    let engine = ENGINE.replace("BEFORE", before);
    folder.write("engine", engine.replace("INSTEAD", instead));
    for nth in 0..games {
        folder.write(format!("games/{nth}.sgf"), game(nth));
    }
    folder
}

/// Labels the games; some words more on the command line.
fn label(folder: &Folder, more: &[&str]) -> Said {
    let line = ["label", "games", "--dead", "gtp", "--gtp", "sh engine"];
    Said::of(folder.kifu().args(line).args(more).output().unwrap())
}

/// The same on one thread, with so much time that no machine is too slow.
fn label_in_turn(folder: &Folder) -> Said {
    label(folder, &["-j", "1", "--gtp-seconds", "60"]).done()
}

/// How each row says that its dead stones were found.
fn found(rows: &[Row]) -> Vec<String> {
    let found = |row: &Row| format!("{} {}", row["dead_from"], row["warnings"]);
    rows.iter()
        .map(|row| found(row).trim().to_owned())
        .collect()
}

/// The processes that were started are gone.
#[track_caller]
fn nothing_is_left(folder: &Folder) {
    for pid in folder.text("pids").lines() {
        // One that was killed may be there a little longer, as a zombie where
        // nobody waits for orphans.
        let is_left = || {
            let stat = fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
            stat.is_ok_and(|stat| !stat.contains(") Z"))
        };
        let gone = (0..500).any(|_| {
            let left = is_left();
            if left {
                thread::sleep(Duration::from_millis(10));
            }
            !left
        });
        assert!(gone, "process {pid} is left");
    }
}

#[test]
fn an_engine_judges_the_dead() {
    let folder = folder(9, "", "");
    let rows = label_in_turn(&folder).rows();
    assert_eq!(found(&rows), ["engine"; 9]);
    assert_eq!(column(&rows, "dead_second"), ["1"; 9]);
    assert_eq!(column(&rows, "margin"), ["1.5"; 9]);
    assert_eq!(column(&rows, "confidence"), ["0.950"; 9]);
    // One process was enough, and it is gone.
    assert_eq!(folder.text("asked").lines().count(), 1);
    nothing_is_left(&folder);
}

#[test]
fn each_thread_has_a_process_and_rows_keep_their_order() {
    let folder = folder(9, "", "");
    let two = label(&folder, &["-j", "2", "--gtp-seconds", "60"]).done();
    assert!(folder.text("asked").lines().count() <= 2);
    nothing_is_left(&folder);
    assert_eq!(two.out, label_in_turn(&folder).out);
}

/// Columns as letters in any case, points without a stone, one stone of three.
#[test]
fn a_list_counts_by_chains() {
    let list = "final_status_list) printf '=%s e4 J1\\nA9 c3\\n\\n' \"$id\"; continue ;;";
    let folder = folder(1, "", list);
    let rows = label_in_turn(&folder).rows();
    assert_eq!(found(&rows), ["engine"]);
    // All of Black's wall, and nothing of White.
    assert_eq!(
        [&rows[0]["dead_first"], &rows[0]["dead_second"]],
        ["9", "0"]
    );
}

#[test]
fn marks_of_the_record_are_not_looked_at() {
    let folder = folder(0, "", "");
    folder.write("games/0.sgf", game(0).replace(";W[]", ";W[]TW[ea]"));
    let rows = label_in_turn(&folder).rows();
    assert_eq!(found(&rows), ["engine"]);
    assert_eq!(
        [&rows[0]["dead_first"], &rows[0]["dead_second"]],
        ["0", "1"]
    );
}

/// Engines that fail: before they begin, instead of a command, and what six
/// rows say.
const FAILING: &[(&str, &str, [&str; 6])] = &[
    // Judges two positions, then ends.
    (
        "",
        "final_status_list) [ $((positions += 1)) = 3 ] && exit 1; printf '=%s%s\\n\\n' \"$id\" \"$dead\"; continue ;;",
        ["", "", "crash", "", "", "crash"],
    ),
    // Ends at once.
    (
        "exit 1",
        "",
        ["crash", "crash", "crash", "stopped", "stopped", "stopped"],
    ),
    // Ends within a reply.
    (
        "",
        "final_status_list) printf '=%s A1 ' \"$id\"; exit ;;",
        ["crash", "crash", "crash", "stopped", "stopped", "stopped"],
    ),
    // A reply without end.
    (
        "",
        "final_status_list) [ $((positions += 1)) = 2 ] && { printf '=%s ' \"$id\"; exec yes A1; }; printf '=%s%s\\n\\n' \"$id\" \"$dead\"; continue ;;",
        ["", "answer", "", "answer", "", "answer"],
    ),
    // Blank lines without end.
    (
        "exec yes ''",
        "",
        [
            "answer", "answer", "answer", "stopped", "stopped", "stopped",
        ],
    ),
    // Replies without end to commands that nobody gave.
    (
        "while :; do printf '=77777\\n\\n'; done",
        "",
        [
            "answer", "answer", "answer", "stopped", "stopped", "stopped",
        ],
    ),
    // A greeting and remarks, which are no replies.
    (
        "echo hello; echo; echo 'A1 ='",
        "final_status_list) echo thinking; printf '=%s%s\\n\\n' \"$id\" \"$dead\"; continue ;;",
        [""; 6],
    ),
    // Remarks without end.
    (
        "exec yes hello",
        "",
        [
            "answer", "answer", "answer", "stopped", "stopped", "stopped",
        ],
    ),
    // Points that are none.
    (
        "",
        "final_status_list) printf '=%s A1 I5\\n\\n' \"$id\"; continue ;;",
        [
            "answer", "answer", "answer", "stopped", "stopped", "stopped",
        ],
    ),
    // Without the command.
    (
        "",
        "final_status_list) printf '?%s unknown command\\n\\n' \"$id\"; continue ;;",
        [
            "answer", "answer", "answer", "stopped", "stopped", "stopped",
        ],
    ),
    // Prints what is not UTF-8.
    ("printf '\\377\\376\\000\\n'", "", [""; 6]),
    (
        "",
        "final_status_list) printf '=%s \\377\\376\\n\\n' \"$id\"; continue ;;",
        [
            "answer", "answer", "answer", "stopped", "stopped", "stopped",
        ],
    ),
];

#[test]
fn where_an_engine_fails_our_own_judge_decides() {
    for (before, instead, expected) in FAILING {
        let folder = folder(6, before, instead);
        let said = label_in_turn(&folder);
        check(&folder, &said, expected, "engine_failed");
        let stopped = expected.contains(&"stopped");
        let told = said.err.matches("failed on 3 positions in a row").count();
        assert_eq!(told, usize::from(stopped), "{}", said.err);
    }
}

/// Each row is there, says what it should, and is counted in either way.
#[track_caller]
fn check(folder: &Folder, said: &Said, expected: &[&str], word: &str) {
    let rows = said.rows();
    let expected = expected.iter().map(|why| match *why {
        "" => "engine".to_owned(),
        why => format!("judged {word}={why}"),
    });
    assert_eq!(found(&rows), expected.collect::<Vec<_>>());
    assert_eq!(column(&rows, "margin"), vec!["1.5"; rows.len()]);
    nothing_is_left(folder);
}

/// What an engine prints for people says why it fails.
#[test]
fn the_last_complaint_of_an_engine_is_told() {
    let folder = folder(3, "echo 'no such option' >&2; echo >&2; exit 1", "");
    let said = label_in_turn(&folder);
    let message = "(crash) and is not asked again by this thread";
    assert!(said.err.contains(message), "{}", said.err);
    assert!(
        said.err.contains("it said \"no such option\""),
        "{}",
        said.err
    );
}

/// Copies of a position on which it failed are not tried again.
#[test]
fn an_engine_fails_on_a_position_once() {
    let list = "final_status_list) echo x >> lists; printf '?%s no\\n\\n' \"$id\"; continue ;;";
    let folder = folder(2, "", list);
    for copy in ["00", "01", "02"] {
        folder.write(format!("games/{copy}.sgf"), game(0));
    }
    let said = label_in_turn(&folder);
    check(&folder, &said, &["answer"; 5], "engine_failed");
    assert_eq!(folder.text("lists").lines().count(), 2);
}

/// Sends an interrupt.
fn interrupt(child: &std::process::Child) {
    let mut kill = Command::new("kill");
    kill.args(["-INT", &child.id().to_string()]);
    // It fails where the process has ended.
    kill.stderr(Stdio::null()).status().unwrap();
}

/// Waits until an engine has made a file.
fn wait_for(folder: &Folder, name: &str) {
    while folder.read_if_file(name).is_none() {
        thread::sleep(Duration::from_millis(10));
    }
}

/// An engine that has almost a day to answer.
fn start(folder: &Folder, more: &[&str]) -> std::process::Child {
    let mut command = Command::new(binary());
    command.args([more, &["--dead", "gtp", "--gtp", "sh engine"]].concat());
    command.args(["--gtp-seconds", "80000"]);
    command.current_dir(folder.path(""));
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(Stdio::null()).spawn().unwrap()
}

/// What is left of a run: the files of the test, and those that are named.
#[track_caller]
fn ended(folder: &Folder, mut child: std::process::Child, files: &[&str]) {
    assert_eq!(child.wait().unwrap().code(), Some(130));
    nothing_is_left(folder);
    let names = folder.names().into_iter();
    let made = names.filter(|name| name.starts_with("rows") || name.ends_with(".tmp"));
    assert_eq!(made.collect::<Vec<_>>(), files);
}

const HANGS: &str = "final_status_list) echo x > hangs; sleep 1000 & echo $! >> pids; wait ;;";

/// The row that the engine was to judge is not written.
#[test]
fn an_interrupt_does_not_wait_for_the_engine() {
    let folder = folder(2, "", HANGS);
    let child = start(&folder, &["label", "games", "-j", "1", "-o", "rows.csv"]);
    wait_for(&folder, "hangs");
    interrupt(&child);
    let files = [
        "rows.csv",
        "rows.mismatches.csv",
        "rows.rejects.csv",
        "rows.run.json",
        "rows.summary.json",
    ];
    ended(&folder, child, &files);
    assert!(folder.rows("rows.csv").is_empty());
    assert!(
        folder
            .text("rows.summary.json")
            .contains("\"interrupted\": true")
    );
}

/// The engine hangs after its answer, and the run waits for somebody to read
/// its rows.
#[test]
fn a_second_interrupt_leaves_nothing_behind() {
    let hangs = HANGS.replace("echo x", "printf '=%s\\n\\n' \"$id\"; echo x");
    let folder = folder(1, "", &hangs);
    folder.write("games/many.sgf", RESIGNED.repeat(5000));
    let line = ["label", "games", "-j", "1", "--rejects", "rows.csv"];
    let mut child = start(&folder, &line);
    wait_for(&folder, "hangs");
    // Where that cannot be seen, it is so after a while.
    let wchan = format!("/proc/{}/wchan", child.id());
    for _ in 0..500 {
        if fs::read_to_string(&wchan).is_ok_and(|wchan| wchan.contains("pipe_write")) {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    // Two that come at the same time are one.
    while child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(200));
        interrupt(&child);
    }
    ended(&folder, child, &[]);
}

#[test]
fn an_interrupt_of_explain_ends_the_engine() {
    let folder = folder(1, "", HANGS);
    let child = start(&folder, &["explain", "games/0.sgf"]);
    wait_for(&folder, "hangs");
    interrupt(&child);
    ended(&folder, child, &[]);
}

/// With whatever it has started; the limit is a second.
#[test]
fn an_engine_that_hangs_is_killed() {
    const WAIT: &str = "sleep 1000 & echo $! >> pids; wait";
    for (before, instead) in [
        // Reads nothing.
        (WAIT, ""),
        ("exec sleep 1000", ""),
        // Judges nothing.
        ("", &*format!("final_status_list) {WAIT} ;;")),
        // Begins a reply.
        (
            "",
            "final_status_list) printf '=%s A1' \"$id\"; exec sleep 1000 ;;",
        ),
    ] {
        let folder = folder(1, before, instead);
        let said = label(&folder, &["--gtp-seconds", "1"]).done();
        check(&folder, &said, &["timeout"], "engine_failed");
    }
}

#[test]
fn an_engine_that_does_not_quit_is_killed() {
    for instead in [
        "quit) while :; do sleep 1; done ;;",
        "quit) trap '' TERM INT; exec yes A1 ;;",
    ] {
        let folder = folder(2, "", instead);
        let said = label_in_turn(&folder);
        check(&folder, &said, &["", ""], "");
    }
}

/// A refusal is no failure: the engine is asked again and again.
#[test]
fn positions_that_an_engine_refuses() {
    for (instead, why) in [
        (
            "boardsize) printf '?%s unacceptable size\\n\\n' \"$id\"; continue ;;",
            "size",
        ),
        (
            "play) printf '?%s illegal move\\n\\n' \"$id\"; continue ;;",
            "position",
        ),
    ] {
        let folder = folder(6, "", instead);
        let said = label_in_turn(&folder);
        check(&folder, &said, &[why; 6], "engine_refused");
        assert_eq!(folder.text("asked").lines().count(), 1);
    }
    // An odd komi is no reason not to judge.
    let folder = folder(1, "", "komi) printf '?%s no\\n\\n' \"$id\"; continue ;;");
    let said = label_in_turn(&folder);
    check(&folder, &said, &[""], "");
}

#[test]
fn boards_that_gtp_does_not_have() {
    for (record, expected) in [
        (
            "(;GM[1]SZ[9:13]RE[B+1]AB[ee];B[];W[])",
            "judged engine_refused=size",
        ),
        (
            "(;GM[1]SZ[26]RE[B+1]AB[ee];B[];W[])",
            "judged engine_refused=size",
        ),
        // The corner has no liberty.
        (
            "(;GM[1]SZ[9]RE[B+1]AB[aa]AW[ab][ba];B[];W[])",
            "judged no_liberty=A9;engine_refused=position",
        ),
        // Nothing to judge.
        ("(;GM[1]SZ[9]RE[0])", "none"),
        ("(;GM[1]SZ[25]RE[B+1]AB[ee];B[];W[])", "engine"),
    ] {
        let folder = folder(0, "", "");
        folder.write("games/0.sgf", record);
        let rows = label_in_turn(&folder).rows();
        assert_eq!(found(&rows), [expected], "{record}");
    }
}

/// Settings come from flags or the configuration, and must fit together.
#[test]
fn settings_of_an_engine() {
    const ENGINE: &str = "[label]\ngtp = 'sh engine'\ngtp-seconds = 60\n";
    const JUDGE: &str = "[label]\ndead = 'gtp'\ngtp = 'sh engine'\n";
    const UNTRUSTED: &str = "kifu.toml in this folder names a program to start (gtp): if you \
                             trust it, say so with --config kifu.toml, or type";
    const OTHER: &str = "are for --dead gtp, and not for --dead auto: write --dead gtp";
    for (config, flags, expected) in [
        ("", "--dead gtp --gtp sh_engine", Ok("engine")),
        (ENGINE, "--dead gtp --config kifu.toml", Ok("engine")),
        (JUDGE, "--config kifu.toml", Ok("engine")),
        (JUDGE, "--gtp sh_engine", Ok("engine")),
        // A folder with games may be somebody else's.
        (JUDGE, "", Err(UNTRUSTED)),
        (ENGINE, "--dead gtp", Err(UNTRUSTED)),
        (JUDGE, "--dead playout", Ok("judged")),
        (JUDGE, "--dead none", Ok("none")),
        (JUDGE, "--gtp 'sh", Err("a quote is not closed")),
        (ENGINE, "--config kifu.toml", Err(OTHER)),
        ("", "--gtp sh_engine", Err(OTHER)),
        (
            "",
            "--dead marked --gtp-seconds 3",
            Err("not for --dead marked"),
        ),
        (
            "",
            "--dead gtp",
            Err("--dead gtp needs the command of an engine"),
        ),
        (
            "",
            "--dead gtp --gtp ./nosuch",
            Err("cannot find the program './nosuch' of --gtp: is it"),
        ),
        (
            "",
            "--dead gtp --gtp nosuch",
            Err("cannot find the program 'nosuch' of --gtp in PATH"),
        ),
        // Not for us to run.
        (
            "",
            "--dead gtp --gtp ./engine",
            Err("cannot find the program './engine' of --gtp: is it"),
        ),
        // Nor ./broken, which needs a program that is not there.
        (
            "",
            "--dead gtp --gtp ./broken",
            Err("cannot start the program of --gtp \"./broken\": No such file"),
        ),
        (
            "",
            "--dead gtp --gtp ~/engine",
            Err("of --gtp: write its whole path, as '~' is not expanded here"),
        ),
        (
            JUDGE,
            "--gtp sh --gtp-seconds -1",
            Err("write whole seconds, from 1 to 86400"),
        ),
        (
            JUDGE,
            "--gtp sh --gtp-seconds 0",
            Err("--gtp-seconds cannot be 0: write a number from 1 to 86400"),
        ),
    ] {
        let folder = folder(1, "", "");
        folder.write("kifu.toml", config);
        folder.write("broken", "#!/nosuch/interpreter\n");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path("broken"), mode).unwrap();
        let flags = flags.split_whitespace().map(|word| word.replace('_', " "));
        let command = &mut folder.kifu();
        let said = Said::of(
            command
                .args(["label", "games"])
                .args(flags)
                .output()
                .unwrap(),
        );
        match expected {
            Ok(from) => assert_eq!(column(&said.done().rows(), "dead_from"), [from]),
            Err(message) => {
                assert!(said.err.contains(message), "{message}: {}", said.err);
                assert_eq!((said.status, &*said.out), (2, ""));
                assert_eq!(folder.read_if_file("pids"), None, "it was started");
            }
        }
    }
}

#[test]
fn explain_asks_the_engine_too() {
    let folder = folder(1, "", "");
    let mut command = folder.kifu();
    command.args(["explain", "games/0.sgf", "--dead", "gtp"]);
    command.args(["--gtp", "sh engine", "--gtp-seconds", "60"]);
    let said = Said::of(command.output().unwrap()).done();
    assert!(
        said.out.contains("dead: white B9 (1 stone, engine)"),
        "{}",
        said.out
    );
    assert!(said.out.contains("confidence 0.950"), "{}", said.out);
    nothing_is_left(&folder);
}

/// A real one, on games whose dead stones are in the table of the samples.
#[test]
fn gnu_go_judges_the_samples() {
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/games";
    if !std::env::split_paths(&path).any(|folder| folder.join("gnugo").is_file()) {
        println!("skipped: no gnugo");
        return;
    }
    let mut command = kifu();
    let command = command.env("PATH", path).args([
        "label",
        "data/archive/go/19x19/018.sgf",
        "data/archive/go/9x9/001.sgf",
        "--dead",
        "gtp",
        "--gtp",
        "gnugo --mode gtp --level 1",
        "-q",
    ]);
    let rows = Said::of(command.output().unwrap()).done().rows();
    assert_eq!(column(&rows, "dead_from"), ["engine", "engine"]);
    assert_eq!(column(&rows, "status"), ["agree", "agree"]);
    let dead = rows
        .iter()
        .map(|row| [&row["dead_first"], &row["dead_second"]]);
    assert_eq!(dead.collect::<Vec<_>>(), [["6", "4"], ["0", "2"]]);
}
