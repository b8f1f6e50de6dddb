//! `kifu selfplay`: the same bytes for the same seed, and results that a label
//! says as well.

use std::collections::BTreeMap;

use crate::common::run::{Folder, Said, column, run};

const FEW: &str = "selfplay xiangqi --nodes 60 -q";

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let said = |more: &str| run(&format!("{FEW} {more}")).done().out;
    let games = said("--games 8 -j 1");
    assert_eq!(games.matches("[Event ").count(), 8);
    assert_eq!(games, said("--games 8 -j 2 --seed 1"));
    assert_ne!(games, said("--games 8 -j 2 --seed 4"));
    // A game does not depend on how many are played.
    assert!(games.starts_with(&said("--games 3 -j 2")));
}

#[test]
fn labels_agree_with_every_result() {
    let folder = Folder::new();
    let said = folder.run("selfplay xiangqi --games 40 --nodes 60 --plies 500 -j 2 -o g.pgn");
    assert!(said.done().err.starts_with("40 games of "));
    // No temporary file is left.
    assert_eq!(folder.names(), ["g.pgn"]);
    let rows = folder.run("label g.pgn -q --search none").done().rows();
    assert_eq!(rows.len(), 40);
    let text = folder.text("g.pgn");
    let tags = |name: &str| -> Vec<String> {
        let begin = format!("[{name} \"");
        let tags = text.lines().filter_map(|line| line.strip_prefix(&begin));
        tags.map(|tag| tag.trim_end_matches("\"]").to_owned())
            .collect()
    };
    let endings = BTreeMap::from([
        ("checkmate", "mate"),
        ("stalemate", "stalemate"),
        ("moves without a capture", "no_capture"),
        ("too little material", "material"),
        ("repetition", "repetition"),
        ("perpetual check", "repetition"),
        ("perpetual chase", "repetition"),
        ("unterminated", "open"),
    ]);
    for ((row, termination), plies) in rows.iter().zip(tags("Termination")).zip(tags("PlyCount")) {
        let expected = match termination.as_str() {
            "unterminated" => "no_result",
            // A bare win is not held against a repetition.
            "perpetual check" | "perpetual chase" => "not_comparable",
            _ => "agree",
        };
        assert_eq!(row["winner"], row["recorded_winner"], "{row:?}");
        assert_eq!(row["status"], expected, "{row:?}");
        assert_eq!(row["ended"], endings[termination.as_str()], "{row:?}");
        assert_eq!((&row["moves"], &row["plies"]), (&plies, &plies));
        assert_eq!(row["warnings"], "", "{row:?}");
    }
    let decided = rows.iter().filter(|row| row["basis"] == "mate").count();
    assert!(decided > 10, "{decided} mates of 40 games");
}

#[test]
fn notations_write_the_same_games() {
    let folder = Folder::new();
    let mut hashes = Vec::new();
    for notation in ["iccs", "chinese", "wxf", "uci"] {
        let line = format!("{FEW} --games 8 --notation {notation} -o {notation}.pgn");
        folder.run(&line).done();
        let rows = folder
            .run(&format!("label {notation}.pgn -q"))
            .done()
            .rows();
        hashes.push(column(&rows, "game_hash"));
    }
    assert_eq!(hashes[0].len(), 8);
    assert!(hashes.iter().all(|other| *other == hashes[0]), "{hashes:?}");
}

#[test]
fn games_begin_with_openings() {
    let openings = "# two of them\n\
                    h2e2 h9g7\n\
                    4k4/4a4/9/9/9/9/4P4/9/9/R3K4 b\n";
    let folder = Folder::with(&[("openings.txt", openings)]);
    let line = "selfplay xiangqi --games 4 --nodes 30 --openings openings.txt -q -o g.pgn";
    folder.run(line).done();
    let text = folder.text("g.pgn");
    let games: Vec<&str> = text.split("[Game ").skip(1).collect();
    for (game, opening) in games.iter().zip([
        "line 2",
        "line 3",
        "line 2, 2 random plies",
        "line 3, 2 random plies",
    ]) {
        assert!(game.contains(&format!("[Opening \"{opening}\"]")), "{game}");
    }
    for game in [games[0], games[2]] {
        assert!(game.contains("\n1. H2-E2 H9-G7 2. ") && !game.contains("[FEN"));
    }
    for game in [games[1], games[3]] {
        assert!(game.contains("[FEN \"4k4/4a4/9/9/9/9/4P4/9/9/R3K4 b - - 0 1\"]"));
        assert!(game.contains("\n1... E"), "{game}");
    }
    assert_ne!(games[0], games[2]);
    let rows = folder.run("label g.pgn -q --search none").done().rows();
    for row in rows {
        assert!(
            row["status"] == "agree" || row["recorded"] == "*",
            "{row:?}"
        );
    }
}

const K_IN_A_ROW: [&str; 5] = ["renju", "gomoku", "caro", "kinrow", "tictactoe"];

#[test]
fn k_in_a_row_is_the_same_on_any_number_of_threads() {
    for game in K_IN_A_ROW {
        let said = |more: &str| {
            let line = format!("selfplay {game} --nodes 60 -q {more}");
            run(&line).done().out
        };
        let games = said("--games 4 -j 1");
        assert_eq!(games.matches("(;FF[4]GM[4]").count(), 4, "{game}");
        assert_eq!(games, said("--games 4 -j 2"), "{game}");
        assert!(games.starts_with(&said("--games 2 -j 2")), "{game}");
        assert_ne!(games, said("--games 4 -j 2 --seed 9"), "{game}");
    }
}

#[test]
fn labels_agree_with_results_of_k_in_a_row() {
    let folder = Folder::new();
    for game in K_IN_A_ROW {
        let line = format!("selfplay {game} --games 12 --nodes 60 -q -o {game}.sgf.gz");
        folder.run(&line).done();
        let rows = folder.run(&format!("label {game}.sgf.gz -q")).done().rows();
        assert_eq!(rows.len(), 12);
        for row in rows {
            let told = [&row["game"], &row["status"], &row["warnings"]];
            assert_eq!(told, [game, "agree", ""], "{row:?}");
            assert!(["line", "full"].contains(&row["ended"].as_str()), "{row:?}");
        }
    }
}

/// The record says the rules, and they decide it the same way.
#[test]
fn k_in_a_row_is_played_by_any_rules_on_any_board() {
    let folder = Folder::new();
    for (game, rules, size) in [
        ("gomoku", "standard", "20"),
        ("caro", "caro-standard", "15"),
        ("kinrow", "kinrow,line=4", "7"),
        ("renju", "renju,fouls=off", "15"),
        ("gomoku", "freestyle,draw_at=200", "15"),
        ("tictactoe", "tictactoe", "30"),
    ] {
        let line = format!("selfplay {game} --rules {rules} --size {size} --games 3 --nodes 60 -q");
        folder.run(&format!("{line} -o {game}.sgf")).done();
        for row in folder.run(&format!("label {game}.sgf -q")).done().rows() {
            let told = ["game", "rules", "size", "status"].map(|name| row[name].as_str());
            assert_eq!(told, [game, rules, size, "agree"], "{row:?}");
        }
    }
}

/// Where so many random stones cannot be played there are fewer, and the record says
/// how many.
#[test]
fn random_moves_that_were_made_are_counted() {
    let folder = Folder::with(&[("few.txt", "a1 b1 a2\nb2\n")]);
    let line = "selfplay tictactoe --openings few.txt --games 20 --nodes 50 -q";
    let games = folder.run(line).done().out;
    let mut most = 0;
    for game in games.split("\n\n").filter(|game| !game.is_empty()) {
        let stones = game.split_once("random stones: ").map_or("0", |it| it.1);
        let stones: usize = stones.split(',').next().unwrap().parse().unwrap();
        let opening = if game.contains("line 1") { 3 } else { 1 };
        let moves =
            game.matches("]").count() - game.split("GC[").next().unwrap().matches("]").count() - 1;
        assert!(opening + stones <= moves, "{game}");
        most = most.max(stones);
    }
    assert!(most > 1, "{games}");
}

/// Piskvork's files have neither rules nor a result: their names say both.
#[test]
fn files_of_one_game_are_named_for_it() {
    let folder = Folder::new();
    let all = [
        ("renju", "", "renju"),
        ("gomoku", "", "gomoku"),
        ("caro", "", "caro"),
        ("tictactoe", "", "tictactoe"),
        ("gomoku", "--rules standard --size 20", "standard"),
        ("caro", "--rules 9", "caro-standard"),
        ("kinrow", "--rules renju", "renju"),
    ];
    for ((game, flags, word), number) in all.into_iter().zip(1..) {
        let into = number.to_string();
        let line = format!("selfplay {game} {flags} --games 3 --nodes 60 -q -o {into}/a.psq");
        std::fs::create_dir(folder.path(&into)).unwrap();
        folder.run(&line).done();
        let rows = folder.run(&format!("label {into} -q")).done().rows();
        assert_eq!(rows.len(), 3, "{into}");
        for (row, number) in rows.iter().zip(1..) {
            let start = format!("{into}/a_{word}_000{number}_kifu_kifu_");
            assert!(row["origin"].starts_with(&start), "{row:?}");
            let rules = word.replace("gomoku", "freestyle");
            let told = [&row["rules"], &row["format"], &row["status"]];
            assert_eq!(told, [&*rules, "psq", "agree"], "{row:?}");
        }
    }
    // Broken off, a game has no result.
    folder
        .run("selfplay renju --games 1 --plies 9 -q -o b.psq")
        .done();
    let rows = folder
        .run("label b_renju_0001_kifu_kifu.psq -q")
        .done()
        .rows();
    assert_eq!(
        (rows[0]["status"].as_str(), rows[0]["moves"].as_str()),
        ("no_result", "9")
    );
}

#[test]
fn k_in_a_row_begins_with_openings() {
    let folder = Folder::with(&[("openings.txt", "# two\nh8 i9 g7\n0,0 1,-1\n")]);
    let line = "selfplay renju --games 4 --nodes 60 --openings openings.txt -q";
    let text = folder.run(line).done().out;
    let games: Vec<&str> = text.split("(;FF").skip(1).collect();
    for (game, (said, moves)) in games.iter().zip([
        ("GC[opening of line 2]", ";B[hh];W[ig];B[gi]"),
        ("GC[opening of line 3]", ";B[hh];W[ig]"),
        (
            "GC[opening of line 2, random stones: 1, seed 1]",
            ";B[hh];W[ig];B[gi]",
        ),
        (
            "GC[opening of line 3, random stones: 1, seed 1]",
            ";B[hh];W[ig]",
        ),
    ]) {
        assert!(game.contains(said) && game.contains(moves), "{game}");
    }
}

#[test]
fn games_are_broken_off() {
    let said = run("selfplay xiangqi --games 2 --nodes 10 --plies 7").done();
    assert_eq!(said.out.matches("[Result \"*\"]").count(), 2);
    assert_eq!(
        said.out.matches("[Termination \"unterminated\"]").count(),
        2
    );
    assert_eq!(said.out.matches("[PlyCount \"7\"]").count(), 2);
    assert_eq!(
        said.err,
        "2 games of 14 plies in all: red 0, black 0, drawn 0, broken off 2\n"
    );
    // Openings are no longer.
    for (game, count) in [("xiangqi", "[PlyCount \"2\"]"), ("renju", "GM[4]")] {
        let said = run(&format!("selfplay {game} --games 3 --nodes 10 --plies 2")).done();
        assert_eq!(said.out.matches(count).count(), 3, "{}", said.out);
        assert!(said.err.starts_with("3 games of 6 plies"), "{}", said.err);
    }
    let none = run("selfplay xiangqi --games 0").done();
    assert_eq!(none.out, "");
}

/// Those that are done are kept, and are those of a run that is not interrupted.
#[cfg(unix)]
#[test]
fn games_before_an_interrupt_are_written() {
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    let line = "selfplay renju --nodes 20 -j 2 --games";
    let mut child = Command::new(crate::common::run::binary())
        .args(line.split(' '))
        .args(["1000000", "-o", "games.sgf"])
        .current_dir(folder.path(""))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let is_written = |name: &String| folder.path(name).metadata().is_ok_and(|it| it.len() > 0);
    while !folder.names().iter().any(is_written) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let games = folder.text("games.sgf");
    let count = games.matches("(;FF[4]").count();
    let whole = folder.run(&format!("{line} {count} -q")).done().out;
    assert!(count > 0 && games == whole, "{count} games");
    assert_eq!(folder.names(), ["games.sgf"]);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let folder = Folder::with(&[
        ("bad.txt", "h2e2\n\nh2e2 h9g8\n"),
        ("empty.txt", "# nothing\n"),
        ("worse.txt", "h8 h8\n"),
        ("file", ""),
    ]);
    std::fs::create_dir(folder.path("caro")).unwrap();
    for (line, said) in [
        (
            "go",
            "kifu: kifu cannot play go by itself; it plays tictactoe, gomoku, caro, renju, kinrow, xiangqi\n",
        ),
        ("chess", "unknown game 'chess'; known are go"),
        (
            "xiangqi --notation san",
            "unknown notation 'san'; known are iccs, chinese, wxf, uci",
        ),
        (
            "xiangqi --openings bad.txt",
            "cannot use bad.txt, line 3: \"h9g8\" is no move of this position",
        ),
        ("xiangqi --openings empty.txt", "there is no opening"),
        (
            "xiangqi --openings nosuch.txt",
            "cannot read the openings nosuch.txt",
        ),
        ("xiangqi -o file/g.pgn", "cannot write file/g.pgn"),
        ("xiangqi -o nosuch/g.pgn", "cannot write nosuch/g.pgn"),
        ("xiangqi --nodes 0", "write a number from 1 to"),
        (
            "xiangqi --plies 100000",
            "write a number of plies, 10000 at most",
        ),
        (
            "xiangqi -o g.sgf",
            "g.sgf: games of xiangqi are written as .pgn",
        ),
        (
            "renju -o g.pgn",
            "g.pgn: games of renju are written as .sgf or .psq",
        ),
        (
            "renju -o g.psq.gz",
            "a .psq holds one game and is not packed",
        ),
        (
            "renju --notation uci",
            "unknown notation 'uci': moves of renju are written in one way",
        ),
        (
            "renju --openings worse.txt",
            "cannot use worse.txt, line 1: h8 is taken, or forbidden to Black",
        ),
        (
            "renju --rules standard",
            "standard are no rules of renju: play them as gomoku",
        ),
        (
            "gomoku --rules nosuch",
            "unknown rules `nosuch`: expected tictactoe",
        ),
        (
            "gomoku --size 4",
            "unusable size 4: it can be 5 to 52, as lines have 5 points",
        ),
        ("gomoku --size 53", "unusable size 53"),
        (
            "gomoku --rules standard,draw_at=9 -o a.psq",
            "a .psq holds neither rules nor result, and the name a_standard_0001_kifu_kifu.psq \
             says rules standard, not standard,draw_at=9: write .sgf, or choose another name",
        ),
        (
            "kinrow --rules kinrow,line=4 -o a.psq",
            "no name says rules kinrow,line=4",
        ),
        (
            "tictactoe --size 5 -o a.psq",
            "no name says rules tictactoe",
        ),
        ("gomoku -o renju.psq", "says rules renju, not freestyle"),
        ("renju -o caro/a.psq", "says rules caro, not renju"),
        ("renju -o nosuch/a.psq", "and there is no folder nosuch"),
        (
            "xiangqi --rules uccl",
            "xiangqi is played on 9x10 points, by the rules axf",
        ),
        ("xiangqi --jobs 100000", "100000 is too many for --jobs"),
    ] {
        let Said { status, out, err } = folder.run(&format!("selfplay {line}"));
        assert_eq!((status, out.as_str()), (2, ""), "{line}: {err}");
        assert!(err.contains(said), "{line}: {err}");
    }
    assert_eq!(
        folder.names(),
        ["bad.txt", "caro", "empty.txt", "file", "worse.txt"]
    );
}
