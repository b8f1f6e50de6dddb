#![no_main]

use kifu::label::{Hints, parse_result};

libfuzzer_sys::fuzz_target!(|data: &str| {
    for zi_fractions in [false, true] {
        for fox in [false, true] {
            let hints = Hints { zi_fractions, fox };
            let result = parse_result(data, hints);
            assert_eq!(result, parse_result(data, hints), "it depends on nothing else");
            if let Some(margin) = result.margin {
                assert!(margin >= kifu::outcome::Points::ZERO, "{margin}");
            }
        }
    }
});
