//! The scanner against `sgf-parse`: on every file that both accept they see
//! the same main line, apart from classes that are known and listed here.
#![cfg(feature = "cli")]

mod common;

use std::{collections::BTreeMap, path::Path};

use common::{reference, sgf, split};
use kifu::{
    format::{Context, Reading},
    outcome::Side,
    record::{Arena, Charset, StepKind},
    source::charset,
};
use sgf_parse::{GameTree, SgfNode, go};

/// Node counts above this overflow the stack when the tree is dropped.
const MAX_NODES: usize = 10_000;

/// Main lines of a file: for each record its moves as `Bpd`, `W--` for a pass.
type Lines = Vec<Vec<String>>;

#[test]
fn scanner_and_sgf_parse_agree_on_the_samples() {
    let tally = compare(Path::new("data/archive"));
    assert!(tally.both > 100);
    // `sgf-parse` swallows the node after a property without a value.
    let classes: Vec<_> = tally.classes.keys().copied().collect();
    assert_eq!(classes, ["valueless_property"], "{:?}", tally.classes);
    assert_eq!(tally.differ(), 2, "{:?}", tally.classes);
}

#[test]
fn scanner_and_sgf_parse_agree_on_real_files() {
    let Some(path) = reference("go/archives") else {
        return;
    };
    let tally = compare(&path);
    println!(
        "{} files accepted by both, {} refused by sgf-parse; differing: {:?}",
        tally.both, tally.refused, tally.classes
    );
    assert!(tally.both > 1000);
    assert!(tally.differ() * 1000 <= tally.both, "{:?}", tally.classes);
    assert!(
        !tally.classes.contains_key("unknown"),
        "{:?}",
        tally.classes
    );
}

#[derive(Default)]
struct Tally {
    both: usize,
    refused: usize,
    /// Files that differ, by the class of the difference.
    classes: BTreeMap<&'static str, Vec<String>>,
}

impl Tally {
    fn differ(&self) -> usize {
        self.classes.values().map(Vec::len).sum()
    }
}

fn compare(folder: &Path) -> Tally {
    let mut tally = Tally::default();
    let files = walkdir::WalkDir::new(folder).sort_by_file_name();
    for entry in files.into_iter().flatten() {
        if entry
            .path()
            .extension()
            .is_none_or(|extension| extension != "sgf")
        {
            continue;
        }
        let bytes = std::fs::read(entry.path()).unwrap();
        if bytes.iter().filter(|byte| **byte == b';').count() > MAX_NODES {
            continue;
        }
        // The text as it stands: decoded, nothing mended.
        let detected = charset::detect(&bytes, label(&bytes));
        let text = detected.charset.decode(&bytes);
        let Ok(trees) = sgf_parse::parse(&text) else {
            tally.refused += 1;
            continue;
        };
        let (ours, warnings) = scanned(&bytes);
        if ours.is_empty() {
            continue;
        }
        tally.both += 1;
        let theirs: Lines = trees.iter().map(main_line).collect();
        if ours != theirs {
            let class = class(&warnings);
            let name = entry.path().display().to_string();
            tally.classes.entry(class).or_default().push(name);
        }
    }
    tally
}

/// What the scanner warned of says why the two differ.
fn class(warnings: &[&'static str]) -> &'static str {
    const KNOWN: &[&str] = &[
        "valueless_property",
        "unescaped_bracket",
        "lowercase_identifier",
        "two_moves_in_node",
        "early_close",
        "stray_text",
    ];
    KNOWN
        .iter()
        .copied()
        .find(|word| warnings.contains(word))
        .unwrap_or("unknown")
}

fn label(bytes: &[u8]) -> Option<&[u8]> {
    let at = bytes.windows(3).position(|part| part == b"CA[")? + 3;
    let end = bytes[at..].iter().position(|byte| *byte == b']')?;
    Some(&bytes[at..at + end])
}

fn scanned(bytes: &[u8]) -> (Lines, Vec<&'static str>) {
    let mut lines = Vec::new();
    let mut warnings = Vec::new();
    for piece in split(bytes).0 {
        let arena = Arena::default();
        let part = &bytes[piece.start..piece.end];
        let context = Context::default();
        let (Reading::Game(record) | Reading::Broken(record, _) | Reading::NotAGame(record, _)) =
            sgf().read(part, piece, &context, &arena);
        warnings.extend(record.warnings.iter().map(|warning| warning.word));
        let line = record.steps.iter().filter_map(|step| match step.kind {
            StepKind::Play(side) => Some(written(side, &Charset::UTF8.decode(step.token))),
            _ => None,
        });
        lines.push(line.collect());
    }
    (lines, warnings)
}

fn written(side: Side, token: &str) -> String {
    let side = if side == Side::First { 'B' } else { 'W' };
    match token.trim() {
        "" | "tt" => format!("{side}--"),
        token => format!("{side}{token}"),
    }
}

fn main_line(tree: &GameTree) -> Vec<String> {
    match tree {
        GameTree::GoGame(root) => root.main_variation().flat_map(go_moves).collect(),
        GameTree::Unknown(root) => root
            .main_variation()
            .flat_map(|node| {
                node.properties().filter_map(|property| match property {
                    sgf_parse::unknown_game::Prop::B(token) => {
                        Some(written(Side::First, &token.to_string()))
                    }
                    sgf_parse::unknown_game::Prop::W(token) => {
                        Some(written(Side::Second, &token.to_string()))
                    }
                    _ => None,
                })
            })
            .collect(),
    }
}

fn go_moves(node: &SgfNode<go::Prop>) -> Vec<String> {
    let point = |side, played: &go::Move| match played {
        go::Move::Pass => written(side, ""),
        go::Move::Move(point) => {
            let letter = |number: u8| {
                char::from(if number < 26 {
                    b'a' + number
                } else {
                    b'A' + number - 26
                })
            };
            written(side, &format!("{}{}", letter(point.x), letter(point.y)))
        }
    };
    node.properties()
        .filter_map(|property| match property {
            go::Prop::B(played) => Some(point(Side::First, played)),
            go::Prop::W(played) => Some(point(Side::Second, played)),
            go::Prop::Invalid(name, values) if name == "B" || name == "W" => {
                let side = if name == "B" {
                    Side::First
                } else {
                    Side::Second
                };
                Some(written(side, values.first().map_or("", String::as_str)))
            }
            _ => None,
        })
        .collect()
}
