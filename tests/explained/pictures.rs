//! Pictures.

use serde_json::Value;

use super::{common::run::Folder, explain, told};

/// One record of each kind of board and mark.
const DRAWN: &[&str] = &[
    "data/archive/go/9x9/001.sgf",
    "data/archive/go/19x19/018.sgf",
    "data/archive/go/dirty/illegal_ko.sgf",
    "data/archive/kinrow/sgf/renju.sgf#17",
    "data/archive/kinrow/sgf/tictactoe.sgf",
    "data/archive/kinrow/sgf/freestyle/gomoku-15.sgf",
    "data/archive/xiangqi/pgn/traditional_big5.pgn",
];

/// Every tag is closed by its own name, and every attribute is quoted.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let (text, tag) = rest.split_at(start);
        assert!(!text.contains('>'), "{text}");
        for (at, _) in text.match_indices('&') {
            let end = text[at..].find(';').expect("an entity");
            let entity = &text[at..at + end];
            assert!(
                ["&amp", "&lt", "&gt", "&quot", "&#39"].contains(&entity),
                "{entity}"
            );
        }
        let end = tag.find('>').expect("a tag");
        let inside = &tag[1..end];
        assert_eq!(inside.matches('"').count() % 2, 0, "{inside}");
        match inside.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if inside.ends_with('/') => {}
            None => open.push(inside.split(' ').next().unwrap()),
        }
        rest = &tag[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn every_stone_and_piece_is_drawn() {
    for origin in DRAWN {
        let svg = explain([*origin], &["--svg", "-"]).done().out;
        assert_well_formed(&svg);
        let told = told([*origin]).remove(0);
        let cells = told["board"]["cells"].as_array().unwrap();
        let count = |wanted: &dyn Fn(&Value) -> bool| cells.iter().filter(|it| wanted(it)).count();
        let uses = |paint: &str| svg.matches(&format!("fill=\"url(#{paint})\"")).count();
        if told["game"] == "xiangqi" {
            assert_eq!(uses("piece"), count(&|cell| !cell.is_null()), "{origin}");
            assert!(
                svg.contains("楚 河") && svg.contains(">帥</text>"),
                "{origin}"
            );
            continue;
        }
        assert_eq!(uses("black"), count(&|cell| *cell == 1), "{origin}");
        assert_eq!(uses("white"), count(&|cell| *cell == -1), "{origin}");
        let dead = told["board"]["dead"].as_array().map_or(0, Vec::len);
        let crosses = dead + usize::from(!told["foul"].is_null());
        assert_eq!(svg.matches("class=\"cross\"").count(), crosses, "{origin}");
        let line = told["board"]["line"].as_array().unwrap();
        assert_eq!(
            svg.contains("stroke-width=\"6\""),
            !line.is_empty(),
            "{origin}"
        );
    }
}

/// Names and results cannot break out of the words below the board.
#[test]
fn texts_are_escaped() {
    let record = "(;GM[1]SZ[9]RE[<script>&\"'];B[ee])";
    let folder = Folder::with(&[("a&b<c>.sgf", record)]);
    let said = folder.run("explain a&b<c>.sgf --svg -").done();
    assert_well_formed(&said.out);
    assert!(!said.out.contains("<script"), "{}", said.out);
    assert!(
        said.out.contains("&lt;script&gt;&amp;&quot;&#39;"),
        "{}",
        said.out
    );
}
