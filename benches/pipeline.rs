//! Whole runs over a folder of SGF files, against what they are made of.
//!
//! `cargo bench --bench pipeline -- FOLDER [FLAG…]` prints processor time per
//! file of
//!
//! * opening, reading and closing every file,
//! * labelling the same bytes in memory,
//! * `kifu label FOLDER` as a process, on one thread,
//!
//! and the ratio of the last to the sum of the first two. Processor time is
//! that of the system's own accounting (`/proc`, so Linux only).

use std::{
    fs,
    io::Read,
    path::PathBuf,
    process::{Command, ExitCode},
    time::Instant,
};

use kifu::{
    format::{self, Format, SplitState},
    game::Settings,
    label::Schema,
    pipeline::{Cut, Labeller, Plan, RecordFile},
    report,
};

fn main() -> ExitCode {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let Some(folder) = arguments.next() else {
        println!("skipped: name a folder of SGF files: cargo bench --bench pipeline -- FOLDER");
        return ExitCode::SUCCESS;
    };
    let flags: Vec<String> = arguments.collect();
    let files: Vec<PathBuf> = walkdir::WalkDir::new(&folder)
        .sort_by_file_name()
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .collect();
    let count = files.len() as f64;

    // Once to warm the page cache and to have the bytes.
    let blobs: Vec<Vec<u8>> = files
        .iter()
        .map(|file| fs::read(file).expect("readable"))
        .collect();
    let bytes: usize = blobs.iter().map(Vec::len).sum();
    println!(
        "{} files, {:.0} bytes each",
        files.len(),
        bytes as f64 / count
    );

    let (reading, wall) = timed(|| {
        let mut buffer = vec![0; 1 << 20];
        for file in &files {
            let mut file = fs::File::open(file).expect("readable");
            while file.read(&mut buffer).expect("readable") > 0 {}
        }
    });
    show("open, read, close", reading, wall, count);
    let (labelling, wall) = timed(|| label_in_memory(&blobs));
    show("label in memory", labelling, wall, count);

    let kifu = env!("CARGO_BIN_EXE_kifu");
    let output = std::env::temp_dir().join("kifu-bench.csv");
    let run = |jobs: &str| {
        let before = children_time();
        let started = Instant::now();
        let status = Command::new(kifu)
            .args([
                "label", &folder, "--quiet", "--dead", "none", "--jobs", jobs, "-o",
            ])
            .arg(&output)
            .args(&flags)
            .status()
            .expect("kifu runs");
        assert!(status.success());
        (children_time() - before, started.elapsed().as_secs_f64())
    };
    let (one, wall_one) = run("1");
    show("kifu label --jobs 1", one, wall_one, count);
    let (two, wall_two) = run("2");
    show("kifu label --jobs 2", two, wall_two, count);
    println!(
        "processor time of one thread / (reading + labelling): {:.2}",
        one / (reading + labelling)
    );
    println!(
        "wall time of one thread / of two: {:.2}",
        wall_one / wall_two
    );
    ExitCode::SUCCESS
}

fn show(what: &str, cpu: f64, wall: f64, count: f64) {
    println!(
        "{what:<20} {:>7.2} us a file, {:>8.0} files/s (wall {:>8.0}/s)",
        cpu / count * 1e6,
        count / cpu,
        count / wall
    );
}

/// Labels blobs one by one, rows encoded and dropped.
fn label_in_memory(blobs: &[Vec<u8>]) {
    let plan = plan();
    let mut labeller = Labeller::new(&plan);
    let schema = Schema::new(&[]).expect("the fixed columns");
    let sink = report::by_name("csv").expect("csv is a sink");
    let mut encoder = sink.encoder(&schema);
    let sgf: &'static dyn Format = format::by_name("sgf").expect("sgf is a format");
    let file = RecordFile::new("bench.sgf", sgf, &plan);
    let mut rows = Vec::new();
    for (place, blob) in blobs.iter().enumerate() {
        let mut state = SplitState::default();
        let mut index = 0;
        sgf.split(&mut state, blob, true, &plan.context, &mut |piece| {
            index += 1;
            let cut = Cut {
                file: &file,
                window: blob,
                piece,
                index,
                before: 0,
            };
            labeller.label(cut, &mut |label, _| encoder.row(label, &mut rows));
        });
        if place % 256 == 0 {
            rows.clear();
        }
    }
}

fn plan() -> Plan {
    Plan {
        settings: Settings {
            dead: Some("none".to_owned()),
            ..Settings::default()
        },
        ..Plan::default()
    }
}

/// Processor and wall seconds of some work in this process.
fn timed(work: impl FnOnce()) -> (f64, f64) {
    let before = own_time();
    let started = Instant::now();
    work();
    (own_time() - before, started.elapsed().as_secs_f64())
}

fn own_time() -> f64 {
    let text = fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let nanoseconds: f64 = text
        .split(' ')
        .next()
        .and_then(|field| field.parse().ok())
        .expect("a number");
    nanoseconds / 1e9
}

/// Seconds of children that have ended, user and system.
fn children_time() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").expect("Linux");
    let after_name = text.rsplit_once(')').expect("a name in brackets").1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks: f64 = [fields[13], fields[14]]
        .iter()
        .map(|field| field.parse::<f64>().expect("a number"))
        .sum();
    ticks / 100.0
}
