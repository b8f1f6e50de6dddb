//! Results as people and servers write them, and what they mean.

use super::*;

const PLAIN: Hints = Hints {
    zi_fractions: false,
    fox: false,
    red_first: false,
};
const CHINESE: Hints = Hints {
    zi_fractions: true,
    fox: false,
    red_first: false,
};
const FOX: Hints = Hints {
    zi_fractions: false,
    fox: true,
    red_first: false,
};

/// A result in short: `B 3.5`, `W 5.5 zi`, `B 3.5 zi?`, `W resign`, `draw`.
fn short(recorded: Recorded) -> String {
    let winner = match recorded.winner {
        Some(Side::First) => "B ",
        Some(Side::Second) => "W ",
        None => "",
    };
    let what = match (recorded.kind, recorded.margin) {
        (RecordedKind::Score, Some(margin)) => margin.to_string(),
        (RecordedKind::Draw, Some(Points::ZERO)) => "draw".to_owned(),
        (kind, None) => kind.word().to_owned(),
        odd => format!("{odd:?}"),
    };
    let unit = match (recorded.zi, recorded.maybe_zi) {
        (true, _) => " zi",
        (false, true) => " zi?",
        (false, false) => "",
    };
    format!("{winner}{what}{unit}")
}

fn check(hints: Hints, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(short(parse(text, hints)), *expected, "{text:?}");
    }
}

#[test]
fn english() {
    check(
        PLAIN,
        &[
            ("B+3.5", "B 3.5"),
            ("W+12", "W 12"),
            ("w+4.5", "W 4.5"),
            ("B+2.5    ", "B 2.5"),
            ("B+3,5", "B 3.5"),
            ("B+74.0 ", "B 74"),
            ("B+0.50", "B 0.5"),
            ("B+.5", "B 0.5"),
            ("W + 7", "W 7"),
            ("Black+3.5", "B 3.5"),
            ("B+3.5 points", "B 3.5"),
            ("Black wins by 3.5", "B 3.5"),
            ("White by 2.5", "W 2.5"),
            ("black 4 points win", "B 4"),
            ("white 59.5 win", "W 59.5"),
            ("Black wins by 0.5!", "B 0.5"),
            ("Black wins by 34win >> White(58):Black(92)", "B 34"),
            ("black wins by 5 3/4 points", "B 11.5 zi"),
            ("B+3¾", "B 7.5 zi"),
            ("W+15 (moves beyond 215 not known)", "W 15"),
            ("W+15 {Moves beyond 215 not known}", "W 15"),
            ("W+R", "W resign"),
            ("B+r", "B resign"),
            ("b+res", "B resign"),
            ("W+Resign", "W resign"),
            ("White+Resign", "W resign"),
            ("W by resignation", "W resign"),
            ("White wins by  resign!", "W resign"),
            ("White resigns.", "B resign"),
            ("Black resigns. W 10.5 B 4.0", "W resign"),
            ("Black resigned, White wins", "W resign"),
            ("B+T", "B time"),
            ("W+Time", "W time"),
            ("W+time", "W time"),
            ("W+Time Over", "W time"),
            ("white wins by time", "W time"),
            ("black wins by resign", "B resign"),
            ("white 12.5 points win", "W 12.5"),
            ("White wins by 7.5win >> White(80.5):Black(73)", "W 7.5"),
            ("White lost on time", "B time"),
            ("Black timed out", "W time"),
            ("B+F", "B forfeit"),
            ("W+Forfeit", "W forfeit"),
            ("B+Illegal", "B forfeit"),
            ("B+Offline", "B forfeit"),
            ("Black forfeits", "W forfeit"),
            ("W+", "W win"),
            ("W", "W win"),
            ("black", "B win"),
            ("Winner: White", "W win"),
            ("W+J", "W win"),
            ("B+AW", "B win"),
            ("B+V", "B win"),
            ("W+Repetition", "W win"),
            ("B+?", "B win"),
            ("W+3.5?", "W win"),
            ("B+3.02", "B win"),
            ("B+0.98", "B win"),
            ("B+99999", "B win"),
            ("W+123456789012345678901234567890", "W win"),
            ("B+2.5 (W+R)", "unknown"),
            ("W+3.5 (time)", "W time"),
            ("0", "draw"),
            ("0.0", "draw"),
            ("Draw", "draw"),
            ("draw by agreement", "draw"),
            ("Jigo", "draw"),
            ("D+J", "draw"),
            ("Jigo?", "unknown"),
            ("Void", "void"),
            ("Void (quadruple ko)", "void"),
            ("No result", "void"),
            ("both lost", "void"),
            ("?", "unknown"),
            ("? (No further moves known)", "unknown"),
            ("B+2.5 ? W+timeout", "unknown"),
            ("B+1.5 ? W+timeout", "unknown"),
            ("B+-3.5", "unknown"),
            ("has adjourned.", "unknown"),
            ("Left unfinished", "unknown"),
            ("Black left, unfinished", "unknown"),
            ("Black left the game", "W forfeit"),
            ("110-bb", "unknown"),
            ("x+, xxxx xxxxxxx xx xxx 000xx xxxx, xxx ", "unknown"),
            ("W 10.5", "unknown"),
            ("3.5", "unknown"),
            ("Black 58 points, White 92 points", "unknown"),
            ("Bob wins", "unknown"),
            ("", "missing"),
            (" \n\t", "missing"),
        ],
    );
}

#[test]
fn chinese() {
    check(
        PLAIN,
        &[
            ("白中盘胜", "W resign"),
            ("白中盤勝", "W resign"),
            ("共102手 黑中盘胜", "B resign"),
            ("共162手白中盘胜", "W resign"),
            ("共一百零二手 黑中盘胜", "B resign"),
            ("黑棋中盘胜!", "B resign"),
            ("黑中盘负", "W resign"),
            ("黑方认输", "W resign"),
            ("白投子认负", "B resign"),
            ("黑不计点胜", "B resign"),
            ("共262手 白胜3目半", "W 3.5"),
            ("共173手后略 黑胜1目", "B 1"),
            ("黑胜半目", "B 0.5"),
            ("白棋2.5目胜!", "W 2.5"),
            ("白胜43.5目", "W 43.5"),
            ("白4目半胜", "W 4.5"),
            ("白11目胜", "W 11"),
            ("黑中盘胜(现场消息)", "B resign"),
            ("白超时胜", "W time"),
            ("白勝四目半", "W 4.5"),
            ("白胜十二目", "W 12"),
            ("黑胜二十一目半", "B 21.5"),
            ("黑勝兩目", "B 2"),
            ("白勝3.5點", "W 3.5"),
            ("黑胜2又3/4子", "B 5.5 zi"),
            ("黑胜２又３／４子", "B 5.5 zi"),
            ("黑胜3又1/2子", "B 7 zi"),
            ("黑勝二又四分之三子", "B 5.5 zi"),
            ("白胜1/4子", "W 0.5 zi"),
            ("黑胜四分之一子", "B 0.5 zi"),
            ("W+1/4子", "W 0.5 zi"),
            ("黑胜1.5子", "B 3 zi"),
            ("白胜两子半", "W 5 zi"),
            ("黑胜半子", "B 1 zi"),
            ("黑胜1/3子", "B win"),
            ("白棋超时胜!", "W time"),
            ("黑超时", "W time"),
            ("黑超时判负", "W time"),
            ("黑胜(白超时)", "B time"),
            ("共25手 黑不战胜", "B forfeit"),
            ("黑方弃权", "W forfeit"),
            ("黑数子胜", "B win"),
            ("白胜", "W win"),
            ("黑方", "B win"),
            ("和棋", "draw"),
            ("共266手 和棋", "draw"),
            ("无胜负", "void"),
            ("無勝負", "void"),
            ("双方判负", "void"),
            ("打挂", "unknown"),
            ("共88手 打挂", "unknown"),
            ("对局停止!", "unknown"),
            ("胜负未定", "unknown"),
            ("黑胜白胜", "unknown"),
            ("3目半胜", "unknown"),
            ("中盘胜", "resign"),
        ],
    );
}

#[test]
fn japanese_and_korean() {
    check(
        PLAIN,
        &[
            ("黒3目半勝ち", "B 3.5"),
            ("黒三目半勝", "B 3.5"),
            ("黒番の３目半勝ち", "B 3.5"),
            ("白1目勝", "W 1"),
            ("白半目勝ち", "W 0.5"),
            ("白中押し勝ち", "W resign"),
            ("黒中押勝", "B resign"),
            ("257手完, 黒中押し勝ち", "B resign"),
            ("257手完、黒中押し勝ち", "B resign"),
            ("257手完", "unknown"),
            ("黒時間切れ", "W time"),
            ("白時間切れ勝ち", "W time"),
            ("時間切れ", "time"),
            ("白の反則負け", "B forfeit"),
            ("黒不戦勝", "B forfeit"),
            ("持碁", "draw"),
            ("引き分け", "draw"),
            ("흑 불계승", "B resign"),
            ("백불계승", "W resign"),
            ("백 기권승", "W resign"),
            ("백 기권", "B resign"),
            ("흑 시간승", "B time"),
            ("시간승", "time"),
            ("흑 시간패", "W time"),
            ("250수 백 3.5집승", "W 3.5"),
            ("294수 흑0.5집승", "B 0.5"),
            ("흑 3집반승", "B 3.5"),
            ("백 반집승", "W 0.5"),
            ("흑 반칙패", "W forfeit"),
            ("백 4집 승", "W 4"),
            ("흑 12집반 승", "B 12.5"),
            ("무승부", "draw"),
        ],
    );
}

#[test]
fn full_width() {
    check(
        PLAIN,
        &[
            ("Ｂ＋３．５", "B 3.5"),
            ("Ｗ＋Ｒ", "W resign"),
            ("　Ｗ＋Ｔｉｍｅ　", "W time"),
            ("B+3。5", "B 3.5"),
            ("黑胜３目半", "B 3.5"),
            ("？", "unknown"),
        ],
    );
}

#[test]
fn zi_by_rules_and_fraction() {
    check(
        CHINESE,
        &[
            ("B+1.75", "B 3.5 zi"),
            ("B+3.75", "B 7.5 zi"),
            ("W+0.25", "W 0.5 zi"),
            ("W+3.2", "W 6.5 zi"),
            ("B+0.2", "B 0.5 zi"),
            ("B+1.8", "B 3.5 zi"),
            ("B+0.02", "B sentinel"),
            ("B+3.1", "B win"),
            ("B+3.5", "B 3.5 zi?"),
            ("B+3", "B 3 zi?"),
            ("黑胜3目", "B 3"),
            ("黑胜3子", "B 6 zi"),
            ("B+R", "B resign"),
        ],
    );
    check(PLAIN, &[("B+1.75", "B 3.5 zi"), ("W+3.2", "W win")]);
}

#[test]
fn fox_codes() {
    check(
        FOX,
        &[
            ("B+0.0", "B sentinel"),
            ("W+0.00", "W sentinel"),
            ("W+0", "W sentinel"),
            ("B+0.02", "B sentinel"),
            ("W+0.03", "W sentinel"),
            ("0.0", "sentinel"),
            ("W+0.25", "W 0.5 zi"),
            ("B+0.50", "B 0.5"),
            ("draw", "draw"),
        ],
    );
    check(
        PLAIN,
        &[
            ("B+0.02", "B sentinel"),
            ("B+0.0", "unknown"),
            ("W+0", "unknown"),
        ],
    );
}

#[test]
fn only_contradictions_are_contradictory() {
    let cases = [
        ("B+2.5 ? W+timeout", true),
        ("B+2.5 (W+R)", true),
        ("Black won and lost", true),
        ("黑胜白胜", true),
        ("B+R, draw", true),
        ("W+3.5 (void)", true),
        ("B+2.5 ?", false),
        ("B+2.5 B+3.5", false),
        ("B+0.0", false),
        ("B+-3.5", false),
        ("B+R", false),
        ("Jigo?", false),
        ("Bob wins", false),
        ("3.5", false),
        ("0", false),
        ("?", false),
        ("", false),
    ];
    for (text, expected) in cases {
        let recorded = parse(text, PLAIN);
        assert_eq!(recorded.contradictory, expected, "{text:?}");
        assert!(!expected || recorded == Recorded::CONTRADICTORY, "{text:?}");
    }
}

#[test]
fn common_results_read_the_same_by_either_way() {
    let counts = (0..=401).flat_map(|n| {
        [".5", ".50", "", ".0", ".02", ".25", ".2", ",5", "."].map(|tail| format!("{n}{tail}"))
    });
    let grounds = ["R", "r", "Resign", "T", "", ".5", "."].map(str::to_owned);
    for ground in grounds.into_iter().chain(counts) {
        for hints in [PLAIN, CHINESE, FOX] {
            for text in [format!("B+{ground}"), format!("W+{ground}")] {
                assert_eq!(parse(&text, hints), parse_any(&text, hints), "{text:?}");
            }
        }
    }
    for text in ["B+R", "W+R", "B+0.5", "W+400.5"] {
        assert!(parse_common(text, PLAIN).is_some(), "{text:?}");
    }
}

#[test]
fn hostile_texts_are_unknown_and_quick() {
    let long = "一".repeat(100_000);
    let odd = [
        "9/0",
        "半半半",
        "又",
        "1/",
        "分之",
        "+",
        "🄱+3",
        "\u{0}",
        "B+9/0",
        &long,
    ];
    for text in odd {
        let recorded = parse(text, PLAIN);
        assert_eq!(recorded.margin, None, "{text:?}");
    }
}

/// In xiangqi Red is the first player and Black the second.
#[test]
fn results_of_xiangqi() {
    for (text, expected) in [
        ("1-0", "B"),
        ("0-1", "W"),
        ("1/2-1/2", "draw"),
        ("*", "missing"),
        ("红胜", "B"),
        ("紅方勝", "B"),
        ("红先胜", "B"),
        ("先胜", "B"),
        ("先勝", "B"),
        ("红先负", "W"),
        ("紅負", "W"),
        ("先负", "W"),
        ("黑胜", "W"),
        ("黑方勝", "W"),
        ("后胜", "W"),
        ("後手勝", "W"),
        ("黑负", "B"),
        ("和", "draw"),
        ("和棋", "draw"),
        ("先和", "draw"),
        ("红先和", "draw"),
        ("红方认输", "W resign"),
        ("黑方超时", "B time"),
        ("Red wins", "B"),
        ("Black wins", "W"),
        ("red resigns", "W resign"),
        ("B+", "W"),
        ("black_win", "W"),
        ("红胜黑胜", "contradictory"),
        ("红方", "B"),
        // Who begins, and who wins.
        ("黑先胜", "W"),
        ("黑先负", "B"),
        ("黑方先勝", "W"),
        ("黑棋先手胜", "W"),
        ("黑(先)胜", "W"),
        ("黑先和", "draw"),
        ("红后胜", "B"),
        ("紅後負", "W"),
        ("红先黑胜", "W"),
        ("黑先红胜", "B"),
        ("黑方后手认输", "B resign"),
        ("红先", "unknown"),
        ("黑先", "unknown"),
        ("棋谱", "unknown"),
        ("１－０", "B"),
        ("0–1", "W"),
        ("½-½", "draw"),
        ("1/2", "draw"),
        ("１/２－１/２", "draw"),
        ("＊", "missing"),
        ("RED_WINS", "B"),
        ("BLACK_WINS", "W"),
        ("黑超时负", "B time"),
    ] {
        let found = parse_outcome(text, None, true);
        let word = match (found.winner, found.kind) {
            _ if found.contradictory => "contradictory".to_owned(),
            (Some(side), RecordedKind::Win) => sign(side).to_owned(),
            (Some(side), kind) => format!("{} {}", sign(side), kind.word()),
            (None, kind) => kind.word().to_owned(),
        };
        assert_eq!(word, expected, "{text}");
    }
    for (ending, expected) in [
        ("RESIGNED", RecordedKind::Resign),
        ("FLAGGED", RecordedKind::Time),
        ("CHECKMATED", RecordedKind::Win),
        ("PERPETUAL_CHECKING", RecordedKind::Win),
        ("time forfeit", RecordedKind::Time),
        ("TIMEOUT", RecordedKind::Time),
        ("time_forfeit", RecordedKind::Time),
        ("Red lost on time.", RecordedKind::Time),
        ("红方超时", RecordedKind::Time),
        ("超時", RecordedKind::Time),
        ("黑方认输", RecordedKind::Resign),
        ("認輸", RecordedKind::Resign),
        ("投子认负", RecordedKind::Resign),
        ("红方掉线", RecordedKind::Forfeit),
        // How much time there was, not that it ran out.
        ("time control 20+5; normal", RecordedKind::Win),
        ("normal, first time winner", RecordedKind::Win),
        ("time control 20+5; resigned", RecordedKind::Resign),
        ("棋谱", RecordedKind::Win),
    ] {
        assert_eq!(
            parse_outcome("0-1", Some(ending), true).kind,
            expected,
            "{ending}"
        );
    }
    for (text, ending, winner, kind) in [
        (
            "0-1",
            "PERPETUAL_CHECKING",
            Some(Side::Second),
            RecordedKind::Win,
        ),
        (
            "1-0",
            "Perpetual chase",
            Some(Side::First),
            RecordedKind::Win,
        ),
        ("1-0", "红方长将判负", Some(Side::First), RecordedKind::Win),
        (
            "1/2-1/2",
            "three times repetition",
            None,
            RecordedKind::Draw,
        ),
        ("黑胜 (红方長將)", "", Some(Side::Second), RecordedKind::Win),
        ("*", "repetition", None, RecordedKind::Missing),
    ] {
        let found = parse_outcome(text, Some(ending), true);
        assert_eq!(
            (found.winner, found.kind),
            (winner, kind),
            "{text} {ending}"
        );
        assert!(found.by_repetition, "{text} {ending}");
        assert!(!parse_outcome(text, Some(ending), false).by_repetition);
    }
    assert!(!parse_outcome("1-0", Some("red resigns"), true).by_repetition);
    // The words of other games are what they were.
    let winner = |text| parse_outcome(text, None, false).winner;
    assert_eq!(winner("黑胜"), Some(Side::First));
    assert_eq!(winner("black_win"), Some(Side::First));
}

fn sign(side: Side) -> &'static str {
    match side {
        Side::First => "B",
        Side::Second => "W",
    }
}

#[test]
fn outcomes_without_margins() {
    for (text, expected) in [
        ("X+", "B win"),
        ("O+", "W win"),
        ("x wins", "B win"),
        ("O Wins", "W win"),
        ("Black wins", "B win"),
        ("white wins", "W win"),
        ("B+DRAW", "draw"),
        ("1/2-1/2", "draw"),
        ("B+1", "B win"),
        ("W+T", "W time"),
    ] {
        assert_eq!(short(parse_outcome(text, None, false)), expected, "{text}");
    }
}
