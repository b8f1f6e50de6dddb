#![no_main]

use kifu::label::{Hints, parse_result};

libfuzzer_sys::fuzz_target!(|data: &str| {
    for choice in 0..8_u8 {
        let hints = Hints {
            zi_fractions: choice & 1 != 0,
            fox: choice & 2 != 0,
            red_first: choice & 4 != 0,
        };
        let result = parse_result(data, hints);
        assert_eq!(result, parse_result(data, hints), "it depends on nothing else");
        if let Some(margin) = result.margin {
            assert!(margin >= kifu::outcome::Points::ZERO, "{margin}");
        }
    }
});
