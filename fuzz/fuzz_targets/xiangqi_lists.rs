#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    kifu_fuzz::read("id-moves", false, data);
    kifu_fuzz::read("fen", false, data);
});
