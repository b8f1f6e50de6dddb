//! The scanner against `sgf-parse`, on the same bytes in memory.
//!
//! `cargo bench --bench read [-- FOLDER]`; the bundled archive without FOLDER.

use std::{fs, hint::black_box, time::Instant};

use kifu::{
    format::{self, Context, Format, SplitState},
    record::Arena,
};

fn main() {
    let folder = std::env::args()
        .skip(1)
        .find(|argument| argument != "--bench")
        .unwrap_or_else(|| "data/archive".to_owned());
    let texts: Vec<String> = walkdir::WalkDir::new(&folder)
        .sort_by_file_name()
        .into_iter()
        .flatten()
        .filter(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "sgf")
        })
        .filter_map(|entry| fs::read_to_string(entry.path()).ok())
        // What `sgf-parse` refuses would make it look fast, and what has
        // many nodes would overflow its stack.
        .filter(|text| text.matches(';').count() < 10_000 && sgf_parse::parse(text).is_ok())
        .collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("{} files, {bytes} bytes, accepted by both", texts.len());

    let sgf: &'static dyn Format = format::by_name("sgf").expect("sgf is a format");
    let split_and_scan = best(|| {
        for text in &texts {
            let bytes = text.as_bytes();
            let context = Context::default();
            sgf.split(
                &mut SplitState::default(),
                bytes,
                true,
                &context,
                &mut |piece| {
                    let arena = Arena::default();
                    let part = &bytes[piece.start..piece.end];
                    black_box(sgf.read(part, piece, &context, &arena));
                },
            );
        }
    });
    let tree = best(|| {
        for text in &texts {
            black_box(sgf_parse::parse(text)).ok();
        }
    });
    for (what, seconds) in [("split and scan", split_and_scan), ("sgf-parse", tree)] {
        println!(
            "{what:<15} {:>8.1} MB/s {:>9.2} us a file",
            bytes as f64 / seconds / 1e6,
            seconds / texts.len() as f64 * 1e6
        );
    }
    println!("ratio {:.1}", tree / split_and_scan);
}

/// Seconds of the fastest of several rounds.
fn best(mut work: impl FnMut()) -> f64 {
    (0..7)
        .map(|_| {
            let started = Instant::now();
            work();
            started.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}
