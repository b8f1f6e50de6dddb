//! `kifu engine`: conversations with programs that play or judge with it.

use crate::common::run::{Folder, Said, kifu, sample};

/// What a protocol answers to some lines.
fn talk(protocol: &str, lines: &str) -> String {
    let output = kifu()
        .args(["engine"])
        .args(protocol.split(' '))
        .write_stdin(lines.as_bytes())
        .output()
        .unwrap();
    let said = Said::of(output).done();
    assert_eq!(said.err, "", "{protocol}");
    said.out
}

/// The answers without what is said for people.
fn answers(protocol: &str, lines: &str) -> Vec<String> {
    let said = talk(protocol, lines);
    let told = said
        .lines()
        .filter(|line| !line.starts_with("MESSAGE") && !line.starts_with("info depth"));
    told.map(str::to_owned).collect()
}

mod gomocup {
    use super::answers;

    fn play(lines: &str) -> Vec<String> {
        answers("gomocup --nodes 500", lines)
    }

    #[test]
    fn it_begins_in_the_middle_and_answers() {
        let said = play("START 15\nINFO timeout_turn 60000\nBEGIN\nTURN 7,8\nEND\n");
        assert_eq!(said[..2], ["OK", "7,7"]);
        assert_eq!(said.len(), 3);
        assert!(said[2].split_once(',').is_some(), "{said:?}");
        // The end of the input is an end as well, once all is answered.
        assert_eq!(
            said,
            play("START 15\nINFO timeout_turn 60000\nBEGIN\nTURN 7,8")
        );
    }

    /// Own stones are 1, and the sides follow from their numbers.
    #[test]
    fn it_makes_a_five_and_stops_one() {
        let four = "5,5,1\n6,5,1\n7,5,1\n8,5,1\n";
        let blocked = "4,5,2\n9,6,2\n9,7,2\n10,2,2\n";
        let said = play(&format!("START 15\nBOARD\n{four}{blocked}DONE\n"));
        assert_eq!(said, ["OK", "9,5"]);
        let turned = |text: &str| {
            text.replace(",1\n", ",x\n")
                .replace(",2\n", ",1\n")
                .replace(",x\n", ",2\n")
        };
        let (four, blocked) = (turned(four), turned(blocked));
        let said = play(&format!("START 15\nBOARD\n{four}{blocked}1,1,2\nDONE\n"));
        assert_eq!(said, ["OK", "9,5"]);
    }

    /// Six in a row: a five at its end is none in standard gomoku.
    #[test]
    fn it_knows_the_rule_that_is_played() {
        //  columns   2 3 4 5 6 7 8
        //  row 5     X . X X X X .     Black makes six at 3, five at 8.
        let board = "BOARD\n2,5,1\n4,5,1\n5,5,1\n6,5,1\n7,5,1\n\
                     0,0,2\n0,2,2\n0,4,2\n0,6,2\n0,8,2\nDONE\n";
        for rule in ["1", "4", "9"] {
            let said = play(&format!("START 15\nINFO rule {rule}\n{board}"));
            assert_eq!(said, ["OK", "8,5"], "rule {rule}");
        }
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        for (lines, expected) in [
            (
                "TURN 7,7\n",
                "ERROR no game was started: say START and a size first",
            ),
            ("START 4\n", "ERROR unsupported size: it can be 5 to 52"),
            ("START 53\n", "ERROR unsupported size: it can be 5 to 52"),
            ("START\n", "ERROR unsupported size: it can be 5 to 52"),
            (
                "RECTSTART 20\n",
                "ERROR unsupported size: it can be 5 to 52",
            ),
            (
                "START 15\nTURN 15,0\n",
                "ERROR the point is not on the board",
            ),
            (
                "START 15\nTURN 3\n",
                "ERROR a point is column,row, from 0 at the top left, such as 7,7",
            ),
            (
                "START 15\nTURN 7,7\nTURN 7,7\n",
                "ERROR there is a stone on the point",
            ),
            (
                "START 15\nTAKEBACK 7,7\n",
                "ERROR there is no stone on the point",
            ),
            (
                "START 15\nTURN 7,7\nBEGIN\n",
                "ERROR the board is not empty: say RESTART, or BOARD",
            ),
            (
                "START 15\nBOARD\n7,7\nDONE\n",
                "ERROR a stone is column,row,1 (own) or column,row,2 (the opponent's)",
            ),
            (
                "START 15\nBOARD\n1,1,2\n1,2,2\nDONE\n",
                "ERROR the numbers of stones are not those of a game",
            ),
            (
                "START 15\nBOARD\n1,1,1\n1,1,2\nDONE\n",
                "ERROR there is a stone on the point",
            ),
            (
                "START 15\nINFO rule 77\n",
                "ERROR unknown rule 77: known are 0 freestyle, 1 standard, 4 renju, 8 and 9 caro",
            ),
            ("SWAP2BOARD\n", "UNKNOWN command SWAP2BOARD"),
        ] {
            let said = play(lines);
            assert!(
                said.iter().any(|line| line == expected),
                "{lines:?}: {said:?}"
            );
        }
        // The game goes on as if nothing had been said.
        let said = play("START 15\nBEGIN\nTURN 7,7\nFOO\nTURN 6,6\n");
        assert_eq!(said.len(), 5, "{said:?}");
        assert!(said[4].split_once(',').is_some(), "{said:?}");
    }

    /// Behind them waits a command that needs the player, too.
    #[test]
    fn stop_and_end_are_heard_while_it_thinks() {
        let endless =
            "INFO timeout_turn 2147483647\nSTART 15\nINFO max_memory 4000000\nBEGIN\nRESTART\n";
        for (end, expected) in [
            ("STOP\n", &["OK", "7,7", "OK"][..]),
            ("STOP\nBEGIN\nSTOP\nEND\n", &["OK", "7,7", "OK", "7,7"]),
            ("END\n", &["OK", "7,7", "OK"]),
        ] {
            assert_eq!(answers("gomocup", &format!("{endless}{end}")), expected);
        }
    }

    #[test]
    fn a_board_that_cannot_be_leaves_the_one_before() {
        let four = "5,5,1\n6,5,1\n7,5,1\n8,5,1\n4,5,2\n9,6,2\n9,7,2\n10,2,2\n";
        let said = play(&format!(
            "START 15\nBOARD\n{four}DONE\nBOARD\n1,1,1\n1,1,2\nDONE\nTURN 9,5\nTAKEBACK 9,5\n"
        ));
        let taken = "ERROR there is a stone on the point";
        assert_eq!(said, ["OK", "9,5", taken, taken, "OK"]);
    }

    #[test]
    fn a_game_that_is_over_is_not_played_on() {
        let five = "5,5,2\n6,5,2\n7,5,2\n8,5,2\n9,5,2\n";
        let said = play(&format!(
            "START 15\nBOARD\n{five}1,1,1\n1,3,1\n1,5,1\n1,7,1\nDONE\n"
        ));
        assert_eq!(said, ["OK", "ERROR the game is over"]);
    }

    /// Every point but one is taken, and that one makes six of Black's stones.
    #[test]
    fn black_may_have_no_move_in_renju() {
        let rows = ["XXX.XXO", "OOXXOOX", "XXOOXXO", "OOXOOOX", "OXOXOOX"];
        let mut lines = "RECTSTART 7,5\nINFO rule 4\nBOARD\n".to_owned();
        for (row, text) in rows.iter().enumerate() {
            for (column, sign) in text.chars().enumerate().filter(|(_, sign)| *sign != '.') {
                lines += &format!("{column},{row},{}\n", if sign == 'X' { 1 } else { 2 });
            }
        }
        let said = play(&format!("{lines}DONE\n"));
        let none = "ERROR every point is forbidden, and there is no pass";
        assert_eq!(said, ["OK", none]);
        // Where six are no foul, it is a move like any other.
        let said = play(&format!("{}DONE\n", lines.replace("rule 4", "rule 1")));
        assert_eq!(said, ["OK", "3,0"]);
    }
}

mod uci {
    use super::{answers, talk};

    #[test]
    fn it_introduces_itself_in_both_dialects() {
        for (hello, last) in [("uci", "uciok"), ("ucci", "ucciok")] {
            let said = answers("uci", &format!("{hello}\nisready\nquit\n"));
            assert_eq!(
                said[0],
                format!("id name kifu {}", env!("CARGO_PKG_VERSION"))
            );
            assert!(said.contains(&last.to_owned()) && said.contains(&"readyok".to_owned()));
        }
        assert!(answers("uci", "ucci\nquit\n").ends_with(&["bye".to_owned()]));
    }

    #[test]
    fn it_mates() {
        // Two chariots, and the general in his corner.
        let fen = "3k5/R8/1R7/9/9/9/9/9/9/4K4 w";
        for (word, expected) in [
            ("go depth 3", "b7b9"),
            ("go nodes 2000", "b7b9"),
            ("go mate 1", "b7b9"),
        ] {
            let said = answers("uci", &format!("position fen {fen}\n{word}\n"));
            assert_eq!(said, [format!("bestmove {expected}")], "{word}");
        }
        let said = talk("uci", &format!("position fen {fen}\ngo depth 3\n"));
        assert!(said.contains("score mate 1 "), "{said}");
    }

    /// As Fairy-Stockfish counts, and as UCCI does.
    #[test]
    fn ranks_are_counted_as_moves_do() {
        for (moves, rank) in [("h2e2 h9g7", 0), ("h3e3 h10g8", 1)] {
            let said = answers(
                "uci",
                &format!("position startpos moves {moves}\ngo nodes 300\n"),
            );
            let best = said[0].strip_prefix("bestmove ").unwrap();
            // Red moves a piece from its side: ranks 0 to 4, or 1 to 5.
            let from: u32 = best[1..2].parse().unwrap();
            assert!((rank..rank + 5).contains(&from), "{best}");
            // It can be played from there.
            let next = answers(
                "uci",
                &format!("position startpos moves {moves} {best}\ngo nodes 1\n"),
            );
            assert!(next[0].starts_with("bestmove"), "{best}: {next:?}");
        }
        let said = answers(
            "uci",
            "setoption name Ranks value 1\nposition startpos\ngo nodes 300\n",
        );
        assert!(!said[0].contains('0'), "{said:?}");
    }

    #[test]
    fn moves_can_be_kept_out_or_asked_for() {
        let fen = "3k5/R8/1R7/9/9/9/9/9/9/4K4 w";
        let said = answers(
            "uci",
            &format!("ucci\nposition fen {fen}\nbanmoves b7b9\ngo depth 2\n"),
        );
        assert_ne!(said.last().unwrap(), "bestmove b7b9");
        let said = answers(
            "uci",
            &format!("position fen {fen}\ngo depth 2 searchmoves e0e1 e0d0\n"),
        );
        assert!(
            ["bestmove e0e1", "bestmove e0d0"].contains(&said[0].as_str()),
            "{said:?}"
        );
    }

    #[test]
    fn a_search_without_end_is_answered_when_it_is_stopped() {
        let said = answers(
            "uci",
            "position startpos\ngo infinite\nisready\nstop\nisready\n",
        );
        assert_eq!(said.len(), 3, "{said:?}");
        assert_eq!([&said[0], &said[2]], ["readyok", "readyok"]);
        assert!(said[1].starts_with("bestmove "));
        // Nobody is there any more, and it ends too.
        assert_eq!(answers("uci", "go infinite\n").len(), 1);
        assert_eq!(answers("uci", "go\nquit\n").len(), 1);
    }

    /// Behind them waits a command that needs the player, too.
    #[test]
    fn stop_and_quit_are_heard_while_it_thinks() {
        let endless = "go depth 60\nposition startpos moves h2e2\n";
        for (end, count) in [
            ("stop\n", 1),
            ("quit\n", 1),
            ("stop\ngo depth 60\nquit\n", 2),
        ] {
            let said = answers("uci", &format!("{endless}{end}"));
            assert_eq!(said.len(), count, "{said:?}");
            assert!(
                said.iter().all(|line| line.starts_with("bestmove ")),
                "{said:?}"
            );
        }
    }

    #[test]
    fn any_number_of_lines_may_wait() {
        let lines = "ucinewgame\n".repeat(10_000);
        let said = answers("uci", &format!("go infinite\n{lines}go infinite\nstop\n"));
        assert_eq!(said.len(), 2, "{said:?}");
    }

    #[test]
    fn who_plays_variants_counts_ranks_from_one() {
        let best = |options: &str| answers("uci", &format!("{options}go nodes 300\n")).remove(0);
        let (variant, ranks) = (
            "setoption name UCI_Variant value xiangqi\n",
            "setoption name Ranks value 0\n",
        );
        let [plain, from_one] = [best(""), best(variant)];
        assert_ne!(plain, from_one);
        for options in [[variant, ranks], [ranks, variant]] {
            assert_eq!(best(&options.concat()), plain);
        }
    }

    /// Whoever shows the score shows that of the move that is made.
    #[test]
    fn the_last_line_before_a_move_is_of_it() {
        for nodes in [1, 50, 300, 1000, 3000, 7000] {
            let said = talk(
                "uci",
                &format!("position startpos moves h2e2 h9g7\ngo nodes {nodes}\n"),
            );
            let lines: Vec<&str> = said.lines().collect();
            let [.., info, best] = lines[..] else {
                panic!("{said}");
            };
            let line = info.split_once(" pv ").unwrap().1;
            assert_eq!(
                line.split(' ').next(),
                best.strip_prefix("bestmove "),
                "{said}"
            );
        }
    }

    /// Nobody can win with what is left, and there are moves all the same.
    #[test]
    fn a_drawn_position_is_played_on() {
        let fen = "2b1k4/4a4/4b4/9/9/9/9/9/9/3K1A3 w - - 0 1";
        let said = talk("uci", &format!("position fen {fen}\ngo depth 4\n"));
        let best = said.lines().last().unwrap();
        assert!(
            ["bestmove d0", "bestmove f0"].contains(&&best[..11]),
            "{said}"
        );
    }

    #[test]
    fn clocks_are_kept() {
        for go in [
            "go wtime 300 btime 10",
            "go movetime 20",
            "go wtime -5",
            "go wtime 100 winc 10 movestogo 1",
        ] {
            let said = answers("uci", &format!("position startpos\n{go}\n"));
            assert!(said[0].starts_with("bestmove "), "{go}: {said:?}");
        }
    }

    #[test]
    fn a_decided_position_has_no_move() {
        let mated = "position fen 3k5/R8/1R7/9/9/9/9/9/9/4K4 w moves b7b9\ngo depth 3\n";
        assert_eq!(answers("uci", mated), ["bestmove (none)"]);
        assert!(talk("uci", mated).contains("score mate 0"));
        assert_eq!(
            answers("uci", &format!("ucci\n{mated}")).last().unwrap(),
            "nobestmove"
        );
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        for (line, expected) in [
            (
                "position startpos moves a0a9",
                "info string \"a0a9\" is no move of this position; the position is what it was",
            ),
            (
                "position fen 9/9 w",
                "info string the position \"9/9 w\" has 2 rows",
            ),
            (
                "position fen 4k4/9/9/9/9/9/9/9/9/4K4 w",
                "info string red is to move and could take the general",
            ),
            (
                "setoption name Hash value 65537",
                "info string the option hash cannot be \"65537\"",
            ),
            (
                "go perft 3 depth x nodes 1",
                "info string go passes over \"perft 3 depth x\": not known, or no number",
            ),
            (
                "go nodes 1 searchmoves h2e2 foo",
                "info string searchmoves names words that are no move",
            ),
            (
                "setoption name Threads value 1000",
                "info string the option threads cannot be \"1000\"",
            ),
            ("setoption name Style value x", ""),
            (
                "setoption name Colour value x",
                "info string unknown option \"colour\"",
            ),
            (
                "hello",
                "info string unknown command \"hello\"; known are uci",
            ),
        ] {
            let said = talk("uci", &format!("{line}\nisready\ngo nodes 1\n"));
            // What thinks may answer behind what is asked next.
            let first = said.strip_prefix("readyok\n").unwrap_or(&said);
            assert!(first.starts_with(expected), "{line}: {said}");
            // And the next command is done.
            assert!(
                said.contains("readyok\n") && said.contains("bestmove "),
                "{line}: {said}"
            );
        }
    }
}

mod gtp {
    use super::{Folder, sample, talk};

    /// The answers, without the signs where they are good.
    fn ask(lines: &str) -> Vec<String> {
        let said = talk("gtp", lines);
        let answers = said.split("\n\n").filter(|answer| !answer.is_empty());
        answers
            .map(|answer| answer.strip_prefix("= ").unwrap_or(answer).to_owned())
            .collect()
    }

    #[test]
    fn it_counts_a_game_that_is_played() {
        // Black has the left of a small board, White the right.
        let mut lines = "boardsize 5\nkomi 2.5\n".to_owned();
        for row in 1..=5 {
            lines += &format!("play b c{row}\nplay w d{row}\n");
        }
        let said = ask(&format!(
            "{lines}final_score\nkgs-rules chinese\nfinal_score\n"
        ));
        // 10 points to 5, and 15 to 10.
        assert_eq!(said[12..], ["B+2.5", "", "B+2.5"]);
        let said = ask(&format!(
            "{lines}komi 0\nfinal_score\nkomi 5\nfinal_score\nquit\nname\n"
        ));
        assert_eq!(
            said[12..],
            ["", "B+5", "", "0", ""],
            "nothing is answered behind quit"
        );
    }

    /// They come from files only.
    #[test]
    fn boards_that_are_not_square_stay_what_they_are() {
        let folder = Folder::new();
        folder.write("game.sgf", "(;GM[1]SZ[28:3];B[bb])");
        let path = folder.path("game.sgf");
        let said = ask(&format!(
            "loadsgf {}\nquery_boardsize\nclear_board\nquery_boardsize\nfixed_handicap 2\nplay b ac1\nshowboard\n",
            path.display()
        ));
        assert_eq!(
            said[1..6],
            ["28 3", "", "28 3", "? invalid number of stones", ""]
        );
        let rows: Vec<&str> = said[6].lines().collect();
        let (names, first) = (rows[1], rows[4]);
        assert_eq!(names.split_whitespace().next_back(), Some("AC"));
        assert_eq!(
            first.find('X').map(|at| at + 1),
            Some(names.len()),
            "{}",
            said[6]
        );
    }

    #[test]
    fn it_shows_the_board_of_a_file() {
        let folder = Folder::new();
        folder.write("game.sgf", sample("9x9/001.sgf"));
        let path = folder.path("game.sgf");
        let said = ask(&format!(
            "1 loadsgf {}\nshowboard\nfinal_status_list dead\nfinal_status_list seki\n",
            path.display()
        ));
        assert_eq!(said[0], "=1 black");
        assert!(
            said[1].contains("\n 9 . . . . . . O O O 9\n"),
            "{}",
            said[1]
        );
        assert!(said[1].ends_with("black (X) has captured 0, white (O) 0"));
        assert_eq!(said[2..], ["F3 G3", ""]);
    }

    /// Chains stand in lines of their own, as GTP has them.
    #[test]
    fn dead_chains_are_told_one_a_line() {
        let folder = Folder::new();
        let game = "(;GM[1]SZ[5]RU[Japanese]AB[ca][cb][cc][cd][ce]\
                    AW[da][db][dc][dd][de][aa][ab][ad]TB[aa:be]TW[ea:ee])";
        folder.write("game.sgf", game);
        let lines = format!(
            "loadsgf {}\nfinal_status_list dead\nfinal_score\n",
            folder.path("game.sgf").display()
        );
        let said = talk("gtp --dead marked --komi 0", &lines);
        // 10 points and three stones, to 5.
        assert_eq!(said, "= black\n\n= A5 A4\nA2\n\n= B+8\n\n");
    }

    #[test]
    fn what_cannot_be_done_is_refused() {
        let said = ask(
            "play b c3\nplay w c3\nplay b\nplay b tt\nkomi x\nboardsize 0\nfinal_status_list x\nfinal_score\nloadsgf -\nkgs-rules nosuch\n",
        );
        let starts = [
            "",
            "? illegal move: occupied",
            "? invalid coordinate: points are A1 to T19, or pass",
            "? invalid coordinate",
            "? ",
            "? unacceptable size: it can be 1 to 25",
            "? unknown status; known are alive",
            "",
            "? cannot load file: ",
            "? ",
        ];
        assert_eq!(said.len(), starts.len(), "{said:?}");
        for (answer, start) in said.iter().zip(starts) {
            assert!(answer.starts_with(start), "{answer:?} {start:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_no_commands() {
        let output = crate::common::run::kifu()
            .args(["engine", "gtp"])
            .write_stdin([&[0u8, 0xff, b'\n'][..], &vec![b'x'; 3 << 20], b"\nname\n"].concat())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.ends_with("= kifu\n\n"), "{said:.80}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn wrong_words_are_refused_before_anything() {
    for (line, expected) in [
        ("engine", "Usage: kifu engine"),
        ("engine chess", "unrecognized subcommand 'chess'"),
        ("engine gomocup --threads 0", "write a number from 1 to 64"),
        ("engine gtp --rules nosuch", "nosuch"),
    ] {
        let said = crate::common::run::run(line);
        assert_eq!(said.status, 2, "{line}");
        assert!(said.err.contains(expected), "{line}: {}", said.err);
    }
}

/// Nobody reads on, and that is no fault of the run.
#[cfg(unix)]
#[test]
fn a_reader_that_is_gone_ends_it() {
    use std::process::{Command, Stdio};
    for (protocol, line) in [
        ("uci", "go infinite"),
        ("gomocup", "START 15"),
        ("gtp", "name"),
    ] {
        let script = format!(
            "(echo {line}; sleep 0.2; echo {line}; echo {line}) | \"$KIFU\" engine {protocol} | true; exit ${{PIPESTATUS[1]}}"
        );
        let output = Command::new("bash")
            .args(["-c", &script])
            .env("KIFU", crate::common::run::binary())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{protocol}: {output:?}");
    }
}
