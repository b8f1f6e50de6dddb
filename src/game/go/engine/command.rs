//! The command line of an engine: its words, and the program it names.

use std::{
    env,
    path::{Path, PathBuf},
};

/// A program that is there, and its arguments.
#[derive(Clone, Debug)]
pub(super) struct Command {
    /// As the user wrote it.
    pub(super) line: String,
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
}

impl Command {
    /// Reads a command line and looks for its program.
    ///
    /// # Errors
    /// One sentence: what is wrong with the line, or which program is missing.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let words = split(line)
            .map_err(|what| format!("cannot read the command --gtp {line:?}: {what}"))?;
        let Some((name, arguments)) = words.split_first() else {
            return Err("--gtp names no engine: write its command, such as \
                 --gtp 'gnugo --mode gtp'"
                .to_owned());
        };
        let program = find(name).ok_or_else(|| {
            let place = if is_path(name) { "" } else { " in PATH" };
            let hint = if name.starts_with('~') {
                "write its whole path, as '~' is not expanded here"
            } else {
                "is it installed, and is its name right?"
            };
            format!("cannot find the program '{name}' of --gtp{place}: {hint}")
        })?;
        Ok(Self {
            line: line.to_owned(),
            program,
            arguments: arguments.to_vec(),
        })
    }
}

/// Splits a line as a shell does that knows blanks, quotes and backslashes,
/// and expands nothing.
fn split(line: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        match (quote, sign) {
            (Some(open), _) if sign == open => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(sign),
            // Between double quotes a backslash is one, but before these.
            (Some(_), '\\') => {
                let escaped = signs.next_if(|next| matches!(next, '"' | '\\' | '$' | '`'));
                word.get_or_insert_default().push(escaped.unwrap_or('\\'));
            }
            (None, '\\') => {
                let escaped = signs.next().ok_or("a backslash ends it")?;
                word.get_or_insert_default().push(escaped);
            }
            (None, '\'' | '"') => {
                quote = Some(sign);
                word.get_or_insert_default();
            }
            (None, _) if sign.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(sign),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed");
    }
    words.extend(word);
    Ok(words)
}

fn is_path(name: &str) -> bool {
    Path::new(name).components().count() > 1
}

/// The program of a name: at its path, or in a folder of `PATH`.
fn find(name: &str) -> Option<PathBuf> {
    if is_path(name) {
        return Some(PathBuf::from(name)).filter(|path| is_program(path));
    }
    let name = if Path::new(name).extension().is_some() {
        name.to_owned()
    } else {
        format!("{name}{}", env::consts::EXE_SUFFIX)
    };
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(&name))
        .find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_as_a_shell_splits_them() {
        for (line, words) in [
            ("gnugo --mode gtp", &["gnugo", "--mode", "gtp"][..]),
            ("  a\t b\n", &["a", "b"]),
            ("", &[]),
            (" \t ", &[]),
            ("'my engine' -x", &["my engine", "-x"]),
            ("\"my engine\" -x", &["my engine", "-x"]),
            (r"my\ engine -x", &["my engine", "-x"]),
            ("a'b c'\"d e\"f", &["ab cd ef"]),
            ("a '' \"\" b", &["a", "", "", "b"]),
            (r#"'a\b"c'"#, &[r#"a\b"c"#]),
            (r#""a\"b\\c\d'""#, &[r#"a"b\c\d'"#]),
            // Nothing is expanded.
            ("$HOME ~ *.sgf `ls`", &["$HOME", "~", "*.sgf", "`ls`"]),
            ("a;b|c>d", &["a;b|c>d"]),
            ("围棋 'x y'", &["围棋", "x y"]),
        ] {
            assert_eq!(split(line).unwrap(), words, "{line:?}");
        }
    }

    #[test]
    fn a_line_that_breaks_off_is_refused() {
        for (line, what) in [
            ("a 'b", "a quote is not closed"),
            ("a \"b'", "a quote is not closed"),
            (r"a \", "a backslash ends it"),
        ] {
            assert_eq!(split(line), Err(what), "{line:?}");
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        for (line, message) in [
            ("nosuch-engine -x", "'nosuch-engine' of --gtp in PATH"),
            ("./nosuch-engine", "'./nosuch-engine' of --gtp: is it"),
            (
                "~/gnugo --mode gtp",
                "'~/gnugo' of --gtp: write its whole path",
            ),
            // Files, but no programs.
            ("src/lib.rs", "'src/lib.rs' of --gtp: is it"),
            ("src/game", "'src/game' of --gtp: is it"),
            (" ", "names no engine"),
            ("'sh", "\"'sh\": a quote is not closed"),
        ] {
            let error = Command::parse(line).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
