//! The bundled games in other formats are the games that they are in SGF.

use std::collections::BTreeMap;

use super::common::run::{Row, run};

#[test]
fn a_game_is_the_same_in_every_format() {
    let plain: BTreeMap<String, Row> = run("label data/archive/go/19x19 --dead playout")
        .done()
        .rows()
        .into_iter()
        .map(|row| (row["game_hash"].clone(), row))
        .collect();
    let mut formats: BTreeMap<String, usize> = BTreeMap::new();
    for row in run("label data/formats --dead playout").done().rows() {
        if row["status"] == "skipped" {
            assert_eq!(row["origin"], "data/formats/games.index.txt");
            continue;
        }
        let same = &plain[&row["game_hash"]];
        for column in [
            "size",
            "moves",
            "plies",
            "komi",
            "winner",
            "margin",
            "recorded_margin",
            "status",
        ] {
            assert_eq!(row[column], same[column], "{column} of {}", row["origin"]);
        }
        assert_eq!(row["warnings"], "", "{}", row["origin"]);
        *formats.entry(row["format"].clone()).or_default() += 1;
    }
    let expected = [("gib", 1), ("lines", 6), ("ngf", 1), ("ugf", 1)];
    assert_eq!(
        formats,
        expected
            .map(|(name, count)| (name.to_owned(), count))
            .into()
    );
}
