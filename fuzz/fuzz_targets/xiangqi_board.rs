#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kifu_fuzz::read("xiangqi-board", false, data));
