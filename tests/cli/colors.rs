//! Colours: on a terminal alone, and never where `NO_COLOR` or `--color never`
//! say so.

use std::process::{Command, Stdio};

use crate::common::run::{Folder, HEEDED, binary, run};

/// What a command prints on a terminal, which util-linux makes; none where it is
/// not there.
fn on_terminal(line: &str, environment: &[(&str, &str)]) -> Option<String> {
    let folder = Folder::new();
    let command = format!("{} {line}", binary().display());
    let mut script = Command::new("script");
    for name in HEEDED {
        script.env_remove(name);
    }
    let output = script
        .args(["-q", "-e", "-c", &command])
        .arg(folder.path("typescript"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("SHELL", "/bin/sh")
        .env("TERM", "xterm-256color")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output();
    match output {
        // Without pseudo-terminals it fails before the command starts.
        Ok(output) if output.status.success() || !output.stdout.is_empty() => {
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        _ => {
            eprintln!("skipped: colours on a terminal need script");
            None
        }
    }
}

/// Whether a text switches colours or weights on.
fn is_colored(text: &str) -> bool {
    text.split("\x1b[").skip(1).any(|after| {
        let is_number = |sign: char| sign.is_ascii_digit() || sign == ';';
        let rest = after.trim_start_matches(is_number);
        rest.starts_with('m') && !after.starts_with(['m', '0'])
    })
}

const EXPLAIN: &str = "explain data/archive/go/9x9/001.sgf";

/// Lines that speak on a terminal, and whether they do in colours.
const LINES: &[(&str, bool)] = &[
    (EXPLAIN, true),
    ("--help", true),
    ("label --help", true),
    ("label --no-such-flag", true),
    ("label data/archive/go/dirty", false),
    ("list data/archive/go/dirty", false),
    ("audit data/archive/go/dirty -v", false),
];

#[test]
fn a_terminal_has_colours_unless_they_are_not_wanted() {
    for (line, colored) in LINES {
        let Some(text) = on_terminal(line, &[]) else {
            return;
        };
        assert_eq!(is_colored(&text), *colored, "{line}: {text:?}");
        for silenced in [("NO_COLOR", "1"), ("TERM", "dumb")] {
            let text = on_terminal(line, &[silenced]).unwrap();
            assert!(!is_colored(&text), "{line} {silenced:?}: {text:?}");
        }
    }
    for (flag, environment, colored) in [
        ("never", ("NO_COLOR", ""), false),
        ("auto", ("NO_COLOR", ""), true),
        ("always", ("NO_COLOR", "1"), true),
    ] {
        let text = on_terminal(&format!("{EXPLAIN} --color {flag}"), &[environment]).unwrap();
        assert_eq!(is_colored(&text), colored, "{flag}: {text:?}");
    }
}

#[test]
fn a_pipe_has_none() {
    for (line, _) in LINES {
        let said = run(line);
        assert!(!is_colored(&said.out) && !is_colored(&said.err), "{line}");
    }
    assert!(is_colored(&run(&format!("{EXPLAIN} --color always")).out));
}
