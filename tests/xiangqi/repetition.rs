use kifu::game::xiangqi::{History, Move, Repetition, Verdict, fen};
use kifu::outcome::Side;
use super::suites::{Turned, cases, text, turned};

fn word(v: Option<Verdict>) -> String {
    match v { None => "none".into(), Some(v) => format!("{} {}/{}", match v.loser { None=>"draw", Some(Side::First)=>"black_wins", Some(Side::Second)=>"red_wins"}, v.tiers[0].word(), v.tiers[1].word()) }
}
#[test]
fn probe() {
    let (mut ok, mut n) = (0, 0);
    for case in cases("repetition") {
        let start = fen::read(text(&case, "fen")).unwrap();
        let mut position = start.clone();
        let mut history = History::new(start);
        for m in case["moves_3fold"].as_array().unwrap() {
            let it: Move = m.as_str().unwrap().parse().unwrap();
            assert!(position.is_legal(it));
            let captured = position.make(it);
            history.push(it, captured, position.key(), position.in_check(position.turn()));
        }
        let v = word(history.verdict(Repetition::Axf));
        let cons = case["consensus"].as_bool().unwrap();
        let same = v.split(' ').next() == Some(text(&case, "expected"));
        if cons { n += 1; if same { ok += 1; } }
        if !same || !cons { println!("{} {} exp {} got {v} fsf {} pika {}", if cons {"CONS"} else {"disp"}, text(&case,"id"), text(&case,"expected"), text(&case,"pyffish_0_0_90"), text(&case,"pikafish_head")); }
    }
    println!("{ok}/{n}");
}
