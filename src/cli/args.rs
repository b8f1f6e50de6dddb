//! What a user can type.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Deserialize;

use super::{amount::Amount, log::LogFormat, progress::Watching};
use crate::calibrate::{MAX_KEPT, MIN_RECORDS};

/// Labels, audits and explains archives of finished board games.
#[derive(Debug, Parser)]
#[command(
    name = "kifu",
    version,
    about,
    long_about = "Reads archives of finished board games, replays every record to its final position, \
                  lets the rules say who won and by how much, and writes one row per record with a \
                  report of every record whose written result disagrees.",
    after_help = EXAMPLES,
    arg_required_else_help = true
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  kifu label games/ -o labels.csv             one row per record, mismatches beside it
  kifu label games/ -o labels.jsonl.zst       JSON Lines, compressed
  kifu label games/ -o labels.parquet         columns with types, for DuckDB, Polars, pandas
  kifu audit games/ --rules chinese           exit status 1 when something disagrees
  kifu explain 'games/2019/7.sgf#3'           one record: board, counts, reasons
  kifu list games/                            what would be read

Exit status: 0 done, 1 (audit) something disagrees or is broken or (diff) has changed,
2 could not run, 130 interrupted with whole rows written.";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write one row per record
    #[command(after_help = LABEL_EXAMPLES)]
    Label(LabelArgs),
    /// Check an archive: exit status 1 when something disagrees
    #[command(after_help = AUDIT_EXAMPLES)]
    Audit(AuditArgs),
    /// Show one record: board, what was judged and why
    #[command(
        after_help = "Examples:\n  kifu explain games/7.sgf\n  kifu explain 'games/all.sgf#12' --rules chinese --komi 3.75zi\n  kifu explain games/7.sgf --svg 7.svg\n  kifu explain games/7.sgf --format json | jq .counts"
    )]
    Explain(ExplainArgs),
    /// Show what would be read, without judging
    #[command(
        after_help = "Examples:\n  kifu list games/\n  kifu list games/ --glob '*.sgf' --glob '!old/**'"
    )]
    List(ListArgs),
    /// Print the profiles in force: how parts of archives were counted
    #[command(
        after_help = "Examples:\n  kifu profiles\n  kifu profiles > my.toml        change it, then label with --config my.toml"
    )]
    Profiles(ProfilesArgs),
    /// Find how each part of an archive was counted, and write profiles for it
    #[command(after_help = CALIBRATE_HELP)]
    Calibrate(CalibrateArgs),
    /// Compare two files of rows: exit status 1 when something changed
    #[command(after_help = super::diff::HELP)]
    Diff(super::diff::DiffArgs),
    /// Part an archive among machines: manifests for kifu label --manifest
    #[command(after_help = super::plan::HELP)]
    Plan(super::plan::PlanArgs),
    /// Merge the rows of shards to those of one run
    #[command(after_help = super::merge::HELP)]
    Merge(super::merge::MergeArgs),
    /// Play games by search against itself, and write them down
    #[command(after_help = SELFPLAY_HELP)]
    Selfplay(SelfplayArgs),
    /// Answer other programs: play k-in-a-row (Gomocup) and xiangqi (UCI), judge Go (GTP)
    #[command(after_help = super::engine::HELP)]
    Engine(super::engine::EngineArgs),
    /// Make a page of rows: what agrees, and every board that does not
    #[cfg(feature = "report")]
    #[command(after_help = REPORT_HELP)]
    Report(ReportArgs),
    /// Label files that another program hands over, as Arrow on standard input
    #[cfg(feature = "parquet")]
    #[command(after_help = super::worker::HELP)]
    Worker(super::worker::WorkerArgs),
    /// Make manual pages, completions of a shell, or the JSON Schema of rows
    #[command(after_help = super::generate::HELP)]
    Generate(super::generate::GenerateArgs),
}

#[cfg(feature = "report")]
const REPORT_HELP: &str = "\
Examples:
  kifu label games/ -o labels.csv
  kifu report labels.csv -o report.html       then open it in a browser
  kifu report old.jsonl.zst -o old.html --root /archive --most 20000

LABELS are rows as kifu label writes them: CSV or JSON Lines, packed by gzip or
zstd or not, Parquet or Arrow. Settings come from the summary beside them
(labels.summary.json).
Boards come from --with board,ownership; for rows without, their records are read
and judged again, with the settings of the summary and the profiles of kifu.toml.
Nothing is fetched from a network, and no engine is started.

Only counts and the rows that are shown are kept in memory.

Exit status: 0 done; 2 could not run, and no page was written.";

const SELFPLAY_HELP: &str = "\
Examples:
  kifu selfplay xiangqi --games 1000 --nodes 500 -o games.pgn
  kifu selfplay renju --games 1000 -o renju.sgf.zst
  kifu selfplay gomoku --rules standard --size 20 -o standard.sgf
  kifu selfplay gomoku --games 20 -o out.psq       out_gomoku_0001_kifu_kifu_1.psq and so on
  kifu selfplay xiangqi --openings openings.txt --notation chinese | kifu label -

Xiangqi ends by mate, stalemate, and the rules axf on repetition, captures and
material; k-in-a-row by a line, a full board, or where draw_at of --rules draws it,
and Black makes no forbidden move in renju. Else games are broken off at --plies,
without a result. The same seed gives the same bytes, whatever the number of threads.
A .psq holds one game and no result: each has a file, whose name says the result.

A line of --openings is, in xiangqi, a position in FEN, or moves from the usual
position, or a position, the word moves, and moves; in k-in-a-row points (h8 i9), or
columns and rows from the middle, downwards (0,0 1,-1). # begins a remark. The list is
gone through in turn; each time after the first, two more random plies follow, or one
more random stone. Random openings are six plies, drawn until neither side is a soldier
ahead, or three to five stones near the middle, until neither has more than a three.

Exit status: 0 done; 2 could not run; 130 interrupted, with the games that were done
before.";

const CALIBRATE_HELP: &str = "\
Examples:
  kifu calibrate games/ -o kifu.toml          then kifu label games/ uses it
  kifu calibrate games/ --dead marked | less

A group is what shares folder, program, written rules, written komi, and handicap
or none. Copies of a game count once. Half of each group, drawn by --seed, chooses
among conventions, komi values, rounding and handicap bonuses; the other half tests:
a profile is proposed where it fits at least 5 of 100 games more than what is used
now, where an exact sign test of the games that fit only one of the two gives
p < 0.001 after Bonferroni's correction for all groups, and where the control fits
less than half as much: the same search over margins written 2 points larger or
smaller. Shares for the control are those of the side, black or white, whose won
games fit less, as a wrong komi would fit the games of one side. Groups that are
not clear and differ only in komi and handicap are then tested together. No margin
of a single record decides anything.

Memory: some 120 bytes a counted record, at most 20000 records a group (drawn at
random) and 2097152 in all; 20000 groups.

Exit status: 0 done, proposals or not; 2 could not run; 130 interrupted, nothing written.";

const LABEL_EXAMPLES: &str = "\
Examples:
  kifu label games/ -o labels.csv
  kifu label games/ --default-rules chinese --komi 3.75zi -o labels.csv.gz
  kifu label games/ --with board,ownership --output-format jsonl | head
  find games -name '*.sgf' -print0 | kifu label --files-from - -0 -o labels.csv

Beside -o NAME.csv come NAME.mismatches.csv, NAME.rejects.csv, NAME.summary.json
(facts that the same input gives again) and NAME.run.json (times).";

const AUDIT_EXAMPLES: &str = "\
Examples:
  kifu audit games/
  kifu audit games/ -o new.csv --baseline old.csv     only new disagreements count
  kifu audit games/ --fail-on winner_differs";

/// Which files.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Input")]
pub(super) struct Inputs {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Read more paths from a file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) files_from: Option<PathBuf>,
    /// Paths in --files-from end with NUL instead of a line end
    #[arg(short = '0', long, requires = "files_from")]
    pub(super) null: bool,
    /// Only files that match; `!PATTERN` leaves files out; the last match decides
    #[arg(short, long, value_name = "PATTERN")]
    pub(super) glob: Vec<String>,
    /// Also files and folders whose names begin with a dot
    #[arg(long)]
    pub(super) hidden: bool,
    /// Name records from this folder
    #[arg(long, value_name = "DIR")]
    pub(super) root: Option<PathBuf>,
}

/// How files are read; the keys of `[label]` in the configuration are the same.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[command(next_help_heading = "Reading")]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Reading {
    /// Format of every file [default: by name and content]
    #[arg(long, value_name = "FORMAT")]
    pub(super) input_format: Option<String>,
    /// Encoding of every text, such as gb18030 [default: by content]
    #[arg(long, value_name = "NAME")]
    pub(super) encoding: Option<String>,
    /// Game of every record, instead of what it says
    #[arg(long, value_name = "NAME")]
    pub(super) game: Option<String>,
    /// Columns x rows of boards that do not say it: text boards without a separator, lists of moves (19, 13x9)
    #[arg(long, value_name = "SIZE")]
    pub(super) size: Option<String>,
    /// Which row of points such as h8 is the first: bottom or top [default: as usual in the format]
    #[arg(long, value_name = "SIDE")]
    pub(super) first_row: Option<String>,
    /// Read SGF with the strict reader, which refuses what the standard forbids
    #[arg(long)]
    pub(super) strict: bool,
    /// Longest record that is read, in bytes; K, M, G after a number are 1024 each [default: 16M]
    #[arg(long, value_name = "BYTES")]
    pub(super) max_record: Option<Amount>,
    /// Bytes that one packed file may hold [default: 256G]
    #[arg(long, value_name = "BYTES")]
    pub(super) max_unpacked: Option<Amount>,
    /// How many times larger than itself a packed file may become, beyond its first 4G [default: 200]
    #[arg(long, value_name = "N")]
    pub(super) max_ratio: Option<Amount>,
    /// Members that one packed file may have [default: 10000000]
    #[arg(long, value_name = "N")]
    pub(super) max_members: Option<Amount>,
    /// Memory that unpacking one file may take, in bytes [default: 128M]
    #[arg(long, value_name = "BYTES")]
    pub(super) max_window: Option<Amount>,
}

/// Under which rules.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Rules")]
pub(super) struct Judging {
    /// Rules of every record: a preset, switches after it (chinese,ko=positional; renju,fouls=claimed; check-only,no_capture=none), or KataGo's words
    #[arg(long, value_name = "RULES")]
    pub(super) rules: Option<String>,
    /// Rules of records that name none [default: japanese; freestyle in k-in-a-row, axf in xiangqi]
    #[arg(long, value_name = "RULES")]
    pub(super) default_rules: Option<String>,
    /// Komi of every record, in points (7.5) or zi (3.75zi)
    #[arg(long, value_name = "KOMI", allow_hyphen_values = true)]
    pub(super) komi: Option<String>,
    /// Komi of records without one [default: that of the rules]
    #[arg(long, value_name = "KOMI", allow_hyphen_values = true)]
    pub(super) default_komi: Option<String>,
    /// How dead stones are found: none, marked (by the record), playout, auto (marked, else playout), gtp (by an engine) [default: auto]
    #[arg(long, value_name = "HOW")]
    pub(super) dead: Option<String>,
    /// Command of a GTP engine for --dead gtp, such as 'gnugo --mode gtp'
    #[arg(long, value_name = "CMD")]
    pub(super) gtp: Option<String>,
    /// Seconds the engine has to set a position up, and again to answer [default: 30]
    #[arg(long, value_name = "N", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) gtp_seconds: Option<u32>,
    /// How points are counted: area, area_dame_ignored, territory_flood, territory_strict, territory_finished [default: by the rules]
    #[arg(long, value_name = "HOW")]
    pub(super) convention: Option<String>,
    /// Renju: whether a point that makes a five as well makes a three: rif (no, as the rules say), counts [default: rif]
    #[arg(long, value_name = "HOW")]
    pub(super) five_eye: Option<String>,
    /// Renju: what a forbidden move leads to: strict (loses), claimed (loses if the opponent does not go on), off [default: strict]
    #[arg(long, value_name = "HOW")]
    pub(super) fouls: Option<String>,
    /// Xiangqi: plies without a capture after which a game is drawn, 0 for never [default: by the rules]
    #[arg(long, value_name = "N")]
    pub(super) no_capture: Option<u32>,
    /// How undecided records are searched for a forced win: none; in k-in-a-row vcf (by continuous fours), vct (by fours and threes); in xiangqi mate (by checks, also where the record says who won); eval (as vcf or mate, and what the end is worth: eval and line in reasons) [default: vcf, and mate where the record does not say who won]
    #[arg(long, value_name = "HOW")]
    pub(super) search: Option<String>,
    /// Positions that a search may look at in one record [default: 5000, with vct or eval 20000; in xiangqi 300, with eval 20000]
    #[arg(long, value_name = "N")]
    pub(super) nodes: Option<u32>,
    /// Use no built-in profiles of archives, only those in the configuration
    #[arg(long)]
    pub(super) no_profiles: bool,
    /// Which records are counted: those not broken off by resignation, time or forfeit, or all [default: counted]
    #[arg(long, value_name = "WHICH")]
    pub(super) judge: Option<ScopeArg>,
    /// Largest difference of margins that still agrees, in points [default: 0]
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    pub(super) tolerance: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ScopeArg {
    /// Not resigned, lost on time or forfeited
    Counted,
    /// All
    All,
}

/// What is written.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(super) struct Outputs {
    /// Where rows go, once or more: .csv, .jsonl, .parquet, .arrow; `-` is standard output; .gz and .zst compress csv and jsonl
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Vec<PathBuf>,
    /// csv, jsonl, parquet or arrow [default: by the name of the file, else csv]; of several -o, of those whose names do not say
    #[arg(long, value_name = "FORMAT")]
    pub(super) output_format: Option<String>,
    /// More columns: ownership, board, canonical_hash, duplicate_of, split, position_hash, forbidden, legal, meta; duplicate_of and split read everything twice before
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(super) with: Vec<String>,
    /// Shares of train, validation and test for --with split [default: 90,5,5]
    #[arg(long, value_name = "SHARES")]
    pub(super) split: Option<String>,
    /// Where rows that disagree go
    #[arg(long, value_name = "FILE")]
    pub(super) mismatches: Option<PathBuf>,
    /// Where broken rows go
    #[arg(long, value_name = "FILE")]
    pub(super) rejects: Option<PathBuf>,
    /// Where corrections of written results go, as CSV: only where the label is sure
    #[arg(long, value_name = "FILE")]
    pub(super) fixes: Option<PathBuf>,
    /// Where the counts go, as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) summary: Option<PathBuf>,
}

/// How it is run.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Run")]
pub(super) struct Running {
    /// Threads, up to 512; 0 is one for each processor
    #[arg(
        short,
        long,
        value_name = "N",
        env = "KIFU_JOBS",
        allow_negative_numbers = true
    )]
    pub(super) jobs: Option<usize>,
    /// Also look for games that are there again with different results: reads everything twice before
    #[arg(long)]
    pub(super) duplicates: bool,
    /// Stop after this many rows
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) limit: Option<u64>,
    /// Label only this many records, chosen at random by --seed
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) sample: Option<usize>,
    /// Seed of --sample
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(super) seed: u64,
    /// Keep rows in this folder, so that the next run labels only what is new or changed, and one that was killed goes on
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["duplicates", "limit", "sample"]
    )]
    pub(super) state: Option<PathBuf>,
    /// Forget the rows in --state, and label everything again
    #[arg(long, requires = "state")]
    pub(super) restart: bool,
    #[command(flatten)]
    pub(super) watching: Watching,
    #[command(flatten)]
    pub(super) common: Common,
}

/// What every command understands.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct Common {
    /// Configuration file [default: kifu.toml in this folder, where there is one]
    #[arg(long, value_name = "FILE", env = "KIFU_CONFIG")]
    pub(super) config: Option<PathBuf>,
    /// Say nothing but errors
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// Say more; twice for even more
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub(super) verbose: u8,
    /// How messages on standard error are written: text, or json (an object a line: level, message, fields)
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value = "text",
        hide_possible_values = true
    )]
    pub(super) log_format: LogFormat,
}

#[derive(Args, Clone, Debug, Default)]
pub(super) struct LabelArgs {
    #[command(flatten)]
    pub(super) inputs: Inputs,
    #[command(flatten)]
    pub(super) reading: Reading,
    #[command(flatten)]
    pub(super) judging: Judging,
    #[command(flatten)]
    pub(super) outputs: Outputs,
    #[command(flatten)]
    pub(super) running: Running,
    #[command(flatten)]
    pub(super) sharing: Sharing,
    #[command(flatten)]
    pub(super) show: Show,
}

/// Which part of an archive.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Input")]
pub(super) struct Sharing {
    /// Label what a manifest of kifu plan lists, instead of PATH
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["paths", "files_from", "glob", "hidden", "root", "shard"]
    )]
    pub(super) manifest: Option<PathBuf>,
    /// Label only part I of N, by a hash of each file's name
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<String>,
}

/// Settings instead of work.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Run")]
pub(super) struct Show {
    /// Print the settings in force as kifu.toml has them, with where each comes from, and end
    #[arg(long)]
    pub(super) show_config: bool,
}

#[derive(Args, Clone, Debug)]
pub(super) struct AuditArgs {
    #[command(flatten)]
    pub(super) label: LabelArgs,
    /// Statuses that make the exit status 1 [default: broken,winner_differs,margin_differs]
    #[arg(
        long,
        value_name = "STATUS",
        value_delimiter = ',',
        help_heading = "Audit"
    )]
    pub(super) fail_on: Vec<String>,
    /// Rows of an earlier run: what disagreed there does not count
    #[arg(long, value_name = "FILE", help_heading = "Audit")]
    pub(super) baseline: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub(super) struct ExplainArgs {
    /// Which record, as rows name it: path, or path#index; `-` is standard input
    #[arg(value_name = "ORIGIN", required_unless_present_any = ["of_stdin", "member_of_stdin", "show_config"])]
    pub(super) origins: Vec<String>,
    /// The origin `-#N`, which would else be taken for a flag
    #[arg(short = '#', value_name = "N", hide = true)]
    pub(super) of_stdin: Option<String>,
    /// The origin `-!MEMBER`, in the same way
    #[arg(short = '!', value_name = "MEMBER", hide = true)]
    pub(super) member_of_stdin: Option<String>,
    /// The folder that names are given from
    #[arg(long, value_name = "DIR")]
    pub(super) root: Option<PathBuf>,
    /// For people, or as one JSON object a record
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value = "text",
        help_heading = "Showing"
    )]
    pub(super) format: ExplainFormat,
    /// Whether the text has colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value = "auto",
        help_heading = "Showing"
    )]
    pub(super) color: ColorArg,
    /// The text in ASCII alone; the board, and moves of xiangqi, are so wherever output is no terminal
    #[arg(long, help_heading = "Showing")]
    pub(super) ascii: bool,
    /// What the best moves at an undecided end are worth, N of them [default: 5]: xiangqi and k-in-a-row
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "5",
        value_parser = candidates,
        help_heading = "Showing"
    )]
    pub(super) candidates: Option<usize>,
    /// Write the record with the verdict as annotated SGF (Go, k-in-a-row); `-` is standard output
    #[arg(long, value_name = "OUT", help_heading = "Showing")]
    pub(super) sgf: Option<PathBuf>,
    /// Draw the final position as SVG; `-` is standard output
    #[arg(long, value_name = "OUT", help_heading = "Showing")]
    pub(super) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(super) reading: Reading,
    #[command(flatten)]
    pub(super) judging: Judging,
    #[command(flatten)]
    pub(super) common: Common,
    #[command(flatten, next_help_heading = "Showing")]
    pub(super) show: Show,
}

/// How an explanation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ExplainFormat {
    Text,
    Json,
}

/// When a text has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorArg {
    Auto,
    Always,
    Never,
}

#[derive(Args, Clone, Debug)]
pub(super) struct ListArgs {
    #[command(flatten)]
    pub(super) inputs: Inputs,
    #[command(flatten)]
    pub(super) reading: Reading,
    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(Args, Clone, Debug)]
pub(super) struct ProfilesArgs {
    /// No built-in profiles, only those in the configuration
    #[arg(long)]
    pub(super) no_profiles: bool,
    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(Args, Clone, Debug)]
pub(super) struct CalibrateArgs {
    #[command(flatten)]
    pub(super) inputs: Inputs,
    #[command(flatten)]
    pub(super) reading: Reading,
    #[command(flatten)]
    pub(super) judging: Judging,
    /// Where the profiles go, as TOML, with the table on standard output
    /// [default: standard output, the table on standard error]
    #[arg(short, long, value_name = "FILE", help_heading = "Calibration")]
    pub(super) output: Option<PathBuf>,
    /// Write over a file that is there
    #[arg(long, help_heading = "Calibration")]
    pub(super) force: bool,
    /// Counted records that a group must have, at least 50
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = min_records,
          help_heading = "Calibration")]
    pub(super) min_records: usize,
    /// Seed of the choice which half is held out
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 1,
        help_heading = "Calibration"
    )]
    pub(super) seed: u64,
    /// Threads, up to 512; 0 is one for each processor
    #[arg(
        short,
        long,
        value_name = "N",
        env = "KIFU_JOBS",
        allow_negative_numbers = true,
        help_heading = "Run"
    )]
    pub(super) jobs: Option<usize>,
    #[command(flatten, next_help_heading = "Run")]
    pub(super) watching: Watching,
    #[command(flatten, next_help_heading = "Run")]
    pub(super) common: Common,
}

#[derive(Args, Clone, Debug)]
pub(super) struct SelfplayArgs {
    /// Which game: xiangqi, gomoku, renju, caro, tictactoe, kinrow
    #[arg(value_name = "GAME")]
    pub(super) game: String,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(super) games: u64,
    /// Positions that the search looks at for each move
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = at_least_one)]
    pub(super) nodes: u32,
    /// Plies after which a game is broken off
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = plies)]
    pub(super) plies: u32,
    /// K-in-a-row: rules, such as standard, or kinrow,line=4 [default: those of the game]
    #[arg(long, value_name = "RULES")]
    pub(super) rules: Option<String>,
    /// K-in-a-row: points a side of the board [default: 15; 3 for lines of three]
    #[arg(long, value_name = "N")]
    pub(super) size: Option<u8>,
    /// A file of openings, one a line, or random
    #[arg(long, value_name = "FILE", default_value = "random")]
    pub(super) openings: Option<PathBuf>,
    /// Seed of random moves
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(super) seed: u64,
    /// Xiangqi: how moves are written: iccs (H2-E2), chinese, wxf (C2=5), uci (h2e2) [default: iccs]
    #[arg(long, value_name = "HOW")]
    pub(super) notation: Option<String>,
    /// Where the games go: xiangqi as .pgn, others as .sgf or .psq; `-` is standard output; .gz and .zst compress [default: -]
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Threads, up to 512; 0 is one for each processor
    #[arg(
        short,
        long,
        value_name = "N",
        env = "KIFU_JOBS",
        allow_negative_numbers = true
    )]
    pub(super) jobs: Option<usize>,
    #[command(flatten)]
    pub(super) common: Common,
}

#[cfg(feature = "report")]
#[derive(Args, Clone, Debug)]
pub(super) struct ReportArgs {
    /// Rows that kifu label wrote; `-` is standard input
    #[arg(value_name = "LABELS")]
    pub(super) labels: PathBuf,
    /// Where the page goes; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Show at most so many rows that disagree, and as many broken ones
    #[arg(long, value_name = "N", default_value_t = 5000)]
    pub(super) most: usize,
    /// Draw no boards but those in the rows
    #[arg(long)]
    pub(super) no_boards: bool,
    /// The folder that origins are given from
    #[arg(long, value_name = "DIR")]
    pub(super) root: Option<PathBuf>,
    /// The summary of the run [default: beside the rows]
    #[arg(long, value_name = "FILE")]
    pub(super) summary: Option<PathBuf>,
    /// Threads, up to 512; 0 is one for each processor
    #[arg(
        short,
        long,
        value_name = "N",
        env = "KIFU_JOBS",
        allow_negative_numbers = true
    )]
    pub(super) jobs: Option<usize>,
    #[command(flatten)]
    pub(super) common: Common,
}

fn at_least_one(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("write a number from 1 to {}", u32::MAX))
}

/// How many candidates: letters name them.
fn candidates(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=26).contains(number));
    number.ok_or_else(|| "write a number from 1 to 26".to_owned())
}

/// Longer games are none.
const MAX_PLIES: u32 = 10_000;

fn plies(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number <= MAX_PLIES);
    number.ok_or_else(|| format!("write a number of plies, {MAX_PLIES} at most"))
}

fn seconds(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| "write whole seconds, from 1 to 86400".to_owned())
}

fn min_records(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (MIN_RECORDS..=MAX_KEPT).contains(number));
    number.ok_or_else(|| {
        format!(
            "fewer than {MIN_RECORDS} records show nothing, and no group keeps more than \
             {MAX_KEPT}: write a number between"
        )
    })
}
