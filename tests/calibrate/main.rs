//! `kifu calibrate` on archives that were counted in a known way.
#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod archive;
mod messages;

use archive::{Counted, fill, games};
use common::run::{Folder, Said};
use kifu::{calibrate::globbed, source::glob};
use toml::Table;

const RUN: &str = "calibrate games --dead none -o kifu.toml";

/// The profiles that a run wrote, and its table.
fn calibrate(folder: &Folder, line: &str) -> (Vec<Table>, Said) {
    let said = folder.run(line).done();
    let table: Table = folder.text("kifu.toml").parse().unwrap();
    let profiles = table.get("profile").map_or(Vec::new(), |profiles| {
        let tables = profiles.as_array().unwrap().iter();
        tables.map(|it| it.as_table().unwrap().clone()).collect()
    });
    (profiles, said)
}

fn text<'t>(table: &'t Table, key: &str) -> &'t str {
    table.get(key).map_or("", |value| value.as_str().unwrap())
}

/// The verdict of each group, in the order of the table.
fn verdicts(said: &Said) -> Vec<&'static str> {
    let known = [
        "proposed",
        "as used",
        "not clear",
        "control fits",
        "too few",
    ];
    let ends = |line: &str| {
        known
            .into_iter()
            .find(|word| line.ends_with(&format!("  {word}")))
    };
    said.out.lines().filter_map(ends).collect()
}

fn same(margin: f64) -> f64 {
    margin
}

#[test]
fn two_parts_of_an_archive_counted_in_two_ways() {
    let folder = Folder::new();
    fill(
        &folder,
        "games/area",
        160,
        "KM[7.5]AP[shop:1]",
        Counted::Area(7.5),
        &same,
    );
    fill(
        &folder,
        "games/used",
        160,
        "KM[6.5]RU[Japanese]",
        Counted::Territory(6.5),
        &same,
    );
    let (profiles, said) = calibrate(&folder, RUN);
    assert_eq!(verdicts(&said), ["proposed", "as used"], "{}", said.out);
    let [profile] = &profiles[..] else {
        panic!("{profiles:?}");
    };
    assert_eq!(text(profile, "name"), "area-komi7.5");
    assert_eq!(text(profile, "path"), "games/area/**");
    assert_eq!(text(profile, "program"), "shop:1");
    assert_eq!(text(profile, "written-rules"), "");
    assert_eq!(text(profile, "written-komi"), "7.5");
    assert_eq!(text(profile, "handicap"), "none");
    assert_eq!(text(profile, "rules"), "chinese");
    assert_eq!(profile["komi"].as_float(), Some(7.5));
    assert!(text(profile, "convention").starts_with("area"));
    assert!(!profile.contains_key("rounding"));
    assert!(
        said.out.lines().all(|line| line.chars().count() <= 120),
        "{}",
        said.out
    );
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let folder = Folder::new();
    fill(
        &folder,
        "games/a",
        300,
        "KM[7.5]",
        Counted::Area(7.5),
        &same,
    );
    fill(
        &folder,
        "games/b/c",
        300,
        "KM[0]",
        Counted::Territory(5.5),
        &same,
    );
    let runs = ["1", "2", "5"].map(|jobs| {
        let said = folder.run(&format!(
            "calibrate games --dead none -o {jobs}.toml -j {jobs}"
        ));
        let said = said.done();
        (folder.text(&format!("{jobs}.toml")), said.out, said.err)
    });
    assert!(runs[0].0.contains("komi = 5.5"), "{}", runs[0].0);
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0], runs[2]);
}

/// What was changed, and the setting that undoes it.
#[test]
fn komi_and_rounding_are_found() {
    let up = |margin: f64| margin.ceil();
    let down = |margin: f64| margin.floor().max(1.0);
    type Change<'c> = &'c dyn Fn(f64) -> f64;
    let cases: [(&str, Counted, Change<'_>, &str); 4] = [
        ("KM[0]", Counted::Territory(6.5), &same, "komi = 6.5"),
        ("KM[6.5]", Counted::Territory(8.5), &same, "komi = 8.5"),
        ("KM[6.5]", Counted::Territory(6.5), &up, "rounding = \"up\""),
        (
            "KM[6.5]",
            Counted::Territory(6.5),
            &down,
            "rounding = \"down\"",
        ),
    ];
    for (number, (properties, counted, change, expected)) in cases.into_iter().enumerate() {
        let folder = Folder::new();
        fill(&folder, "games", 300, properties, counted, change);
        let (profiles, said) = calibrate(&folder, RUN);
        assert_eq!(verdicts(&said), ["proposed"], "case {number}\n{}", said.out);
        let written = folder.text("kifu.toml");
        assert!(written.contains(expected), "case {number}\n{written}");
        let settings = ["rules", "komi", "convention", "rounding"];
        let given = settings
            .iter()
            .filter(|key| profiles[0].contains_key(**key));
        assert_eq!(given.count(), 1, "case {number}\n{written}");
    }
}

#[test]
fn handicap_stones_may_have_been_paid_for() {
    let folder = Folder::new();
    // A position with stones of both sides: its two handicap stones are none
    // that can be told from others.
    fill(
        &folder,
        "games",
        300,
        "KM[0.5]HA[2]RU[Chinese]",
        Counted::Area(0.5),
        &same,
    );
    let (profiles, said) = calibrate(&folder, RUN);
    assert_eq!(verdicts(&said), ["proposed"], "{}", said.out);
    assert_eq!(text(&profiles[0], "handicap"), "some");
    let written = folder.text("kifu.toml");
    assert!(
        written.contains("chinese,bonus=0") || written.contains("komi = -1.5"),
        "{written}"
    );
}

/// Margins that say nothing, or that nothing in use explains.
#[test]
fn nothing_is_proposed_where_nothing_is_plain() {
    for (counted, change, verdict) in [
        (Counted::ByChance, 0.0, "not clear"),
        (Counted::Territory(6.5), 2.0, "control fits"),
    ] {
        let folder = Folder::new();
        let change = move |margin| margin + change;
        fill(&folder, "games", 400, "KM[6.5]", counted, &change);
        let (profiles, said) = calibrate(&folder, RUN);
        assert!(profiles.is_empty(), "{verdict}: {profiles:?}");
        assert_eq!(verdicts(&said), [verdict], "{}", said.out);
    }
}

#[test]
fn small_parts_are_tried_together_and_too_small_ones_not_at_all() {
    let folder = Folder::new();
    for month in ["01", "02", "03", "04"] {
        let place = format!("games/2015/{month}");
        fill(&folder, &place, 40, "KM[7.5]", Counted::Area(7.5), &same);
    }
    fill(
        &folder,
        "games/2016",
        49,
        "KM[7.5]",
        Counted::Area(7.5),
        &same,
    );
    let (profiles, said) = calibrate(&folder, RUN);
    assert_eq!(profiles.len(), 1, "{}", said.out);
    assert_eq!(text(&profiles[0], "path"), "games/2015/**");
    assert_eq!(verdicts(&said), ["proposed", "too few"], "{}", said.out);
}

/// A folder of its own below small ones keeps what it is judged under.
#[test]
fn a_profile_does_not_reach_a_part_that_was_counted_as_used() {
    let folder = Folder::new();
    for month in ["01", "02", "03", "04"] {
        let place = format!("games/{month}");
        fill(&folder, &place, 40, "KM[7.5]", Counted::Area(7.5), &same);
    }
    fill(
        &folder,
        "games/own",
        150,
        "KM[7.5]",
        Counted::Territory(7.5),
        &same,
    );
    let (profiles, said) = calibrate(&folder, RUN);
    let shown: Vec<_> = profiles
        .iter()
        .map(|profile| (text(profile, "path"), text(profile, "convention")))
        .collect();
    assert_eq!(shown.len(), 2, "{}", said.out);
    assert_eq!(shown[0].0, "games/**");
    assert_eq!(shown[1], ("games/own/**", "territory_flood"));
}

#[test]
fn a_collection_is_a_part_of_its_own() {
    let folder = Folder::new();
    let text: String = games("x", 150, "KM[7.5]", Counted::Area(7.5), &same).collect();
    folder.write("games/all [1].sgf", text);
    fill(
        &folder,
        "games",
        60,
        "KM[7.5]",
        Counted::Territory(7.5),
        &same,
    );
    let (profiles, said) = calibrate(&folder, RUN);
    assert_eq!(profiles.len(), 1, "{}", said.out);
    assert_eq!(self::text(&profiles[0], "path"), "games/all [[]1[]].sgf");
}

/// What is not clear of one komi alone may be of several together: here some of
/// the half points were lost.
#[test]
fn parts_that_differ_in_komi_are_tested_together() {
    let some_lost = |margin: f64| match (margin.abs() as i64) % 4 {
        0 => margin.trunc(),
        _ => margin,
    };
    let parts = |komi: &[f64]| {
        let folder = Folder::new();
        let part = |(place, komi): (&str, &f64)| -> String {
            let properties = format!("KM[{komi}]RU[Japanese]");
            let counted = Counted::Territory(*komi);
            games(place, 64, &properties, counted, &some_lost).collect()
        };
        let text: String = ["a", "b", "c", "d"]
            .into_iter()
            .zip(komi)
            .map(part)
            .collect();
        folder.write("games/all.sgf", text);
        calibrate(&folder, RUN)
    };
    let (profiles, said) = parts(&[6.5]);
    assert_eq!(verdicts(&said), ["not clear"], "{}", said.out);
    assert_eq!(profiles.len(), 0);
    let (profiles, said) = parts(&[4.5, 5.5, 6.5, 7.5]);
    assert_eq!(profiles.len(), 4, "{}", said.out);
    assert!(said.out.contains("  proposed together\n"), "{}", said.out);
    for profile in &profiles {
        assert_eq!(text(profile, "rounding"), "down", "{profile:?}");
        assert!(!profile.contains_key("komi"), "{profile:?}");
    }
}

/// Copies of games prove nothing.
#[test]
fn copies_count_once() {
    let folder = Folder::new();
    for copy in 0..4 {
        let text: String = games("x", 40, "KM[7.5]", Counted::Area(7.5), &same).collect();
        folder.write(format!("games/{copy}.sgf"), text);
    }
    let (profiles, said) = calibrate(&folder, RUN);
    assert!(profiles.is_empty(), "{}", said.out);
    assert_eq!(verdicts(&said), ["too few"], "{}", said.out);
}

#[test]
fn patterns_match_their_place_and_no_other() {
    for (place, is_file, pattern, inside, outside) in [
        ("a/tom", false, "a/tom/**", "a/tom/x/1.sgf", "a/tom2/1.sgf"),
        ("", false, "**", "x.sgf", ""),
        ("a/[1]*", false, "a/[[]1[]][*]/**", "a/[1]*/x", "a/1/x"),
        ("x.zip!m", false, "x.zip/m/**", "x.zip/m/1", "x.zip/1"),
        (
            "a/b{c}.sgf",
            true,
            "a/b[{]c[}].sgf",
            "a/b{c}.sgf",
            "a/bc.sgf",
        ),
    ] {
        let found = globbed(place, is_file);
        assert_eq!(found, pattern);
        let matcher = glob(&found).unwrap();
        assert!(matcher.is_match(inside), "{pattern} {inside}");
        assert!(
            outside.is_empty() || !matcher.is_match(outside),
            "{pattern}"
        );
    }
}
