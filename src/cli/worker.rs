//! `kifu worker`: labels files that another program hands over, as Arrow on
//! standard input, and gives their rows back as Arrow on standard output.

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::{
    args::{Common, Inputs, Judging, LabelArgs, Outputs, Reading, Running},
    config::Config,
    label::{described, end_on_interrupt, looks_at_all, plan},
    start_log,
};
use crate::{
    pipeline::{self, Given, Outlet, Progress},
    report::{self, Output},
    rows::Files,
    source::{path_of, unescape},
};

pub(super) const HELP: &str = "\
Standard input is a stream of Arrow IPC with the columns path (text) and content
(bytes); others are passed over. Standard output is the stream that label gives with
--output-format arrow: the same rows, in the order of the files, written after each
batch. A path may be a URI such as file:///games/7.sgf, with %20 for a blank.

Examples:
  spark-submit scripts/spark_label.py --help          what feeds it: see docs/spark.md
  kifu worker --root /archive < files.arrows > labels.arrows

Memory: a batch of files, once more where they are packed, and some of their rows.

Exit status: 0 done, also where nobody reads on; 2 could not run, or standard input is
not what it should be: the rows of the batches before are written, without an end.";

#[derive(Args, Clone, Debug)]
pub(super) struct WorkerArgs {
    /// Name records from this folder
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    root: Option<PathBuf>,
    /// Look in this folder for what lies beside files, such as indexes of dumps: under the paths that rows name
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    beside: Option<PathBuf>,
    /// Also members of archives whose names begin with a dot
    #[arg(long, help_heading = "Input")]
    hidden: bool,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    judging: Judging,
    /// More columns: ownership, board, canonical_hash, position_hash, forbidden, legal, meta
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        help_heading = "Output"
    )]
    with: Vec<String>,
    /// Threads, up to 512; 0 is one for each processor
    #[arg(
        short,
        long,
        value_name = "N",
        env = "KIFU_JOBS",
        allow_negative_numbers = true,
        help_heading = "Run"
    )]
    jobs: Option<usize>,
    #[command(flatten, next_help_heading = "Run")]
    common: Common,
}

/// `kifu worker`
pub(super) fn worker(args: WorkerArgs) -> Result<u8> {
    start_log(&args.common);
    let config = Config::load(args.common.config.as_deref())?;
    if let Some(folder) = args.beside.as_ref().filter(|folder| !folder.is_dir()) {
        bail!("--beside {} is not a folder", folder.display());
    }
    let root = args.root.as_deref().map(|root| {
        let text = root.to_str().map(path_of_uri);
        text.unwrap_or_else(|| root.to_owned())
    });
    let mut label = LabelArgs {
        inputs: Inputs {
            hidden: args.hidden,
            ..Inputs::default()
        },
        reading: args.reading,
        judging: args.judging,
        outputs: Outputs {
            with: args.with,
            ..Outputs::default()
        },
        running: Running {
            jobs: args.jobs,
            ..Running::default()
        },
        ..LabelArgs::default()
    };
    let (mut plan, schema) = plan(&mut label, &config)?;
    if let Some(what) = looks_at_all(&label) {
        bail!(
            "{what} looks at all records together, and a worker sees each once: label with it on \
             one machine"
        );
    }
    plan.beside = args.beside;
    // Which files there are is for those to say who hand them over.
    label.inputs.glob.clear();
    let settings = described(&label, &config);
    let sink = report::by_name("arrow").map_err(|sentence| anyhow!(sentence))?;
    end_on_interrupt();
    let mut files = Files::open(Box::new(io::stdin())).map_err(|sentence| anyhow!(sentence))?;
    let output = Output::create(Path::new("-"))?;
    let outlet = Outlet {
        sink,
        accepts: |_, _| true,
        is_audit: false,
        writer: sink.open(output, &schema, &settings)?,
        schema,
    };
    let progress = Progress::of(&plan);
    let mut met = 0;
    let tally = pipeline::label_given(&plan, outlet, &progress, &mut || -> Result<_> {
        let batch = files.next().map_err(|sentence| anyhow!(sentence))?;
        let given = |(path, content): (String, Option<_>)| Given {
            path: named(&path, root.as_deref()),
            bytes: match content {
                Some(content) => Ok(Box::new(content)),
                None => Err(io::Error::other("its content is null")),
            },
        };
        let batch = batch.map(|batch| batch.into_iter().map(given).collect::<Vec<_>>());
        met += batch.as_ref().map_or(0, Vec::len);
        Ok(batch)
    })?;
    tracing::info!("{met} files, {} rows", tally.rows);
    Ok(0)
}

/// The path by which rows name a file: from the root, where it lies in it.
fn named(text: &str, root: Option<&Path>) -> PathBuf {
    let path = path_of_uri(text);
    match root.and_then(|root| path.strip_prefix(root).ok()) {
        Some(inner) => inner.to_owned(),
        None => path,
    }
}

/// The path of a `file:` URI; anything else is a path as it stands.
fn path_of_uri(text: &str) -> PathBuf {
    let local = text.strip_prefix("file:").and_then(|rest| {
        let path = match rest.strip_prefix("//") {
            // The name of a machine may stand before the path.
            Some(rest) => rest.get(rest.find('/')?..)?,
            None => rest,
        };
        path.starts_with('/').then_some(path)
    });
    local.map_or_else(|| path_of(text.as_bytes()), unescape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_may_be_uris() {
        for (text, path) in [
            ("file:/a/b.sgf", "/a/b.sgf"),
            ("file:///a/b.sgf", "/a/b.sgf"),
            ("file://localhost/a/b.sgf", "/a/b.sgf"),
            ("file:///a%20b/%E6%A3%8B.sgf", "/a b/棋.sgf"),
            ("file:///a%2", "/a%2"),
            ("file:///a%zz%25", "/a%zz%"),
            // Without a scheme nothing is decoded.
            ("/a%20b.sgf", "/a%20b.sgf"),
            ("a/b.sgf", "a/b.sgf"),
            ("file:b.sgf", "file:b.sgf"),
            ("file://b.sgf", "file://b.sgf"),
            ("s3a://bucket/a%20b.sgf", "s3a://bucket/a%20b.sgf"),
        ] {
            assert_eq!(path_of_uri(text), Path::new(path), "{text}");
        }
    }

    #[test]
    fn names_begin_at_the_root() {
        for (text, root, name) in [
            ("file:/a/b/c.sgf", "/a", "b/c.sgf"),
            ("file:/a/b/c.sgf", "/a/", "b/c.sgf"),
            ("s3a://bucket/b/c.sgf", "s3a://bucket/b", "c.sgf"),
            // Half a name is not a folder.
            ("/archive/c.sgf", "/arch", "/archive/c.sgf"),
        ] {
            assert_eq!(
                named(text, Some(Path::new(root))),
                Path::new(name),
                "{text}"
            );
        }
    }
}
