//! Holds the sources to their own plan: imports go one way, files stay short,
//! and nothing is unsafe.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What each top-level module may import from the crate, itself aside. A name
/// with `::` allows no more than that part.
const MAY_USE: &[(&str, &[&str])] = &[
    ("outcome", &["record"]),
    ("record", &["outcome"]),
    ("suggest", &[]),
    ("source", &["record", "outcome"]),
    (
        "format",
        &["record", "outcome", "source::charset", "suggest"],
    ),
    ("search", &["outcome"]),
    ("game", &["search", "record", "outcome", "suggest"]),
    ("label", &["game", "record", "outcome"]),
    ("report", &["label", "game", "record", "outcome"]),
    (
        "pipeline",
        &[
            "source", "format", "game", "label", "report", "record", "outcome",
        ],
    ),
    (
        "memory",
        &[
            "pipeline",
            "source::charset",
            "format",
            "game",
            "label",
            "outcome",
        ],
    ),
    (
        "calibrate",
        &["report", "label", "game", "record", "outcome"],
    ),
    ("rows", &["label"]),
    ("merge", &["rows", "report", "label", "source"]),
    ("diff", &["rows", "label", "outcome", "suggest"]),
    ("selfplay", &["game"]),
    ("protocol", &["game", "search", "record", "outcome"]),
    ("page", &["rows", "report", "label", "outcome"]),
    (
        "cli",
        &[
            "calibrate",
            "rows",
            "diff",
            "merge",
            "selfplay",
            "protocol",
            "search",
            "page",
            "pipeline",
            "source",
            "format",
            "game",
            "label",
            "report",
            "record",
            "outcome",
            "suggest",
        ],
    ),
];

/// At this length a file is split.
const MAX_LINES: usize = 800;

/// A source file, without its comments.
struct Source {
    path: PathBuf,
    /// Where it stands in the crate: `["game", "go", "board"]`.
    module: Vec<String>,
    lines: usize,
    code: String,
}

/// Every file below `src`, in order.
fn sources() -> Vec<Source> {
    let root = Path::new("src");
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() > 20, "the sources are found");
    files.iter().map(|path| read(root, path)).collect()
}

fn read(root: &Path, path: &Path) -> Source {
    let text = fs::read_to_string(path).unwrap();
    let inside = path.strip_prefix(root).unwrap().with_extension("");
    let mut module: Vec<String> = inside
        .iter()
        .map(|part| part.to_str().unwrap().to_owned())
        .collect();
    if matches!(
        module.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        module.pop();
    }
    Source {
        path: path.to_owned(),
        module,
        lines: text.lines().count(),
        code: text.lines().map(without_comment).collect(),
    }
}

/// A line without the comment at its end, and with a line end.
fn without_comment(line: &str) -> String {
    format!("{}\n", line.split("//").next().unwrap_or_default())
}

/// Every path of the crate that a file names, as its segments.
fn imports(source: &Source) -> BTreeSet<Vec<String>> {
    let mut paths = BTreeSet::new();
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    for word in ["crate", "super"] {
        for (at, _) in source.code.match_indices(word) {
            let (before, after) = source.code.split_at(at);
            // `super::super::x` is met once, from its first word.
            if !before.ends_with(letters) && !before.ends_with("::") && after[5..].starts_with("::")
            {
                for path in expand(after) {
                    paths.insert(resolve(&path, &source.module));
                }
            }
        }
    }
    paths
}

/// The paths that a text begins with: `a::{b, c::{d, e}}` is three.
fn expand(text: &str) -> Vec<String> {
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':' | '*')))
        .unwrap_or(text.len());
    let (stem, rest) = text.split_at(end);
    if !stem.ends_with("::") || !rest.starts_with('{') {
        return vec![stem.to_owned()];
    }
    let mut paths = Vec::new();
    let (mut depth, mut item) = (0, String::new());
    for letter in rest.chars() {
        match letter {
            '{' if depth == 0 => depth = 1,
            ',' | '}' if depth == 1 => {
                if !item.trim().is_empty() {
                    let inner = expand(item.trim());
                    paths.extend(inner.iter().map(|path| format!("{stem}{path}")));
                }
                item.clear();
                if letter == '}' {
                    break;
                }
            }
            _ => {
                match letter {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                item.push(letter);
            }
        }
    }
    paths
}

/// A path from the root of the crate.
fn resolve(path: &str, module: &[String]) -> Vec<String> {
    let mut place = module.to_vec();
    for segment in path.split("::") {
        match segment {
            "crate" => place.clear(),
            "super" => drop(place.pop()),
            "self" => {}
            _ => place.push(segment.to_owned()),
        }
    }
    place
}

fn allowed(own: &str) -> Option<&'static [&'static str]> {
    let known = MAY_USE.iter().find(|(name, _)| *name == own);
    known.map(|(_, allowed)| *allowed)
}

#[test]
fn imports_go_one_way() {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for source in sources() {
        // The root of the crate declares modules and may name them all.
        let Some(own) = source.module.first() else {
            continue;
        };
        let Some(allowed) = allowed(own) else {
            panic!("say in this test what `{own}` may import");
        };
        for path in imports(&source) {
            let Some(top) = path.first().filter(|top| self::allowed(top).is_some()) else {
                continue;
            };
            seen.insert((own.clone(), top.clone()));
            let path = path.join("::");
            let fits = |part: &&str| path == *part || path.starts_with(&format!("{part}::"));
            if top != own && !allowed.iter().any(fits) {
                wrong.push(format!("{}: {path}", source.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (own, top) in [
        ("cli", "pipeline"),
        ("label", "game"),
        ("game", "record"),
        ("game", "search"),
        ("search", "outcome"),
    ] {
        let edge = (own.to_owned(), top.to_owned());
        assert!(seen.contains(&edge), "{own} imports {top}: {seen:?}");
    }
}

#[test]
fn imports_are_found_in_every_form() {
    let source = Source {
        path: PathBuf::new(),
        module: vec!["game".to_owned(), "go".to_owned(), "board".to_owned()],
        lines: 0,
        code: "use crate::{\n    outcome::{Points, Side},\n    record::Record,\n};\n\
               use super::super::{Judge, go::{Rules, self}};\n\
               fn f() -> crate::label::Label { supercrate::x() }\n"
            .to_owned(),
    };
    let found: Vec<String> = imports(&source)
        .iter()
        .map(|path| path.join("::"))
        .collect();
    assert_eq!(
        found,
        [
            "game::Judge",
            "game::go",
            "game::go::Rules",
            "label::Label",
            "outcome::Points",
            "outcome::Side",
            "record::Record",
        ]
    );
}

#[test]
fn files_stay_short() {
    for source in sources() {
        let (path, lines) = (source.path.display(), source.lines);
        assert!(lines <= MAX_LINES, "{path} has {lines} lines: split it");
    }
}

#[test]
fn nothing_is_unsafe() {
    for source in sources() {
        let word = source
            .code
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .find(|word| word.starts_with("unsafe"));
        assert_eq!(word, None, "{}", source.path.display());
    }
}
