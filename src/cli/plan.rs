//! `kifu plan`: parts an archive into manifests. And what `label` and `audit` do
//! with one of them.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Error, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::{
    args::{Common, Inputs, LabelArgs, Reading},
    config::Config,
    label::{end_on_interrupt, looks_at_all},
    log, pretty,
    setup::{self, is_stdin},
    start_log,
};
use crate::{
    merge::Planned,
    pipeline::{Plan, Share, share_out},
    report::{Output, Settings},
    source::{Head, MAX_SHARDS, Manifest, Shard, Walk, escape},
};

pub(super) const HELP: &str = "\
Examples:
  kifu plan games/ --shards 64 -o plan/
  kifu label --manifest plan/0007.jsonl -o out/0007.csv      one of them, anywhere
  kifu merge out/*.csv --plan plan/ -o labels.csv

Shards are slices of the archive in the order of its rows, of about as many bytes
each. A large SGF or PGN collection, or list of positions or moves, that reaches over
the end of a shard is read once and cut between two records; packed files are not
cut. Paths are written as they are given: label where they lead to the same files,
and with the same flags everywhere. Without a plan, kifu label games/ --shard 7/64
takes files by a hash of their names.

Exit status: 0 done, 2 could not plan.";

#[derive(Args, Clone, Debug)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    reading: Reading,
    /// How many shards
    #[arg(long, value_name = "N", value_parser = shards, help_heading = "Output")]
    shards: u32,
    /// The folder of the plan, which is new or empty: 0001.jsonl and so on, plan.json
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten, next_help_heading = "Run")]
    common: Common,
}

fn shards(text: &str) -> Result<u32, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1..=MAX_SHARDS).contains(number));
    number.ok_or_else(|| format!("write a number from 1 to {MAX_SHARDS}"))
}

/// What `plan.json` says.
#[derive(Serialize, Deserialize)]
struct PlanFile {
    version: String,
    shards: u32,
    files: u64,
    bytes: u64,
    manifests: Vec<Planned>,
}

/// The name of that file, which is written last.
const PLAN: &str = "plan.json";

/// `kifu plan`
pub(super) fn run(mut args: PlanArgs) -> Result<u8> {
    start_log(&args.common);
    end_on_interrupt();
    let config = Config::load(args.common.config.as_deref())?;
    config.fill_inputs(&mut args.inputs);
    let mut plan = setup::reading(&mut args.reading, &config)?;
    plan.hidden = args.inputs.hidden;
    let lists = args.inputs.paths.iter().chain(&args.inputs.files_from);
    if lists.into_iter().any(|path| is_stdin(path)) {
        bail!("a plan looks at everything twice, and standard input can be read only once");
    }
    let folder = &args.output;
    let left_out = [folder.clone()];
    let walk = || setup::walk(&args.inputs, &left_out);
    let walks = [walk()?, walk()?];
    let about = || format!("cannot write the plan {}", folder.display());
    fs::create_dir_all(folder).with_context(about)?;
    if fs::read_dir(folder).with_context(about)?.next().is_some() {
        bail!(
            "{} holds something already: name a new folder for the plan",
            folder.display()
        );
    }
    let mut writer = Writer {
        args: &args,
        open: None,
        done: Vec::new(),
    };
    share_out(&plan, walks, args.shards, &mut |share| writer.add(&share))?;
    let manifests = writer.finish()?;
    let file = PlanFile {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        shards: args.shards,
        files: manifests.iter().map(|it| it.files).sum(),
        bytes: manifests.iter().map(|it| it.bytes).sum(),
        manifests,
    };
    let mut output = Output::create(&folder.join(PLAN))?;
    output.write(&pretty(&file)?)?;
    output.finish()?;
    if !args.common.quiet {
        let words = format!(
            "kifu: {} with {} and {} in {}\n",
            setup::counted(args.shards.into(), "shard"),
            setup::counted(file.files, "line"),
            setup::counted(file.bytes, "byte"),
            folder.display()
        );
        log::say(&words);
    }
    Ok(0)
}

/// Writes manifests, one after the other.
struct Writer<'a> {
    args: &'a PlanArgs,
    open: Option<(Output, Xxh3, Planned)>,
    /// Manifests whose head does not know the plan yet, and hashes of their lines.
    done: Vec<(Planned, u128)>,
}

impl Writer<'_> {
    fn add(&mut self, share: &Share) -> io::Result<()> {
        self.go_to(share.shard)?;
        let mut line = serde_json::to_vec(&share.line)?;
        line.push(b'\n');
        if let Some((output, hash, planned)) = &mut self.open {
            output.write(&line)?;
            hash.update(&line);
            planned.files += 1;
            planned.bytes += share.bytes;
        }
        Ok(())
    }

    /// Has the manifest of a shard be the one that is open; those before it that
    /// have nothing in them are written too.
    fn go_to(&mut self, shard: u32) -> io::Result<()> {
        while self.open.is_none() || (self.done.len() as u32) + 1 < shard {
            self.close()?;
            let number = self.done.len() as u32 + 1;
            let width = self.args.shards.to_string().len().max(4);
            let manifest = format!("{number:0width$}.jsonl");
            let mut output = Output::create(&self.args.output.join(&manifest))?;
            // Not yet one that can be labelled.
            output.write(&self.head(number).line())?;
            let planned = Planned {
                manifest,
                files: 0,
                bytes: 0,
                hash: String::new(),
            };
            self.open = Some((output, Xxh3::new(), planned));
        }
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        if let Some((output, hash, planned)) = self.open.take() {
            output.finish()?;
            self.done.push((planned, hash.digest128()));
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<Vec<Planned>> {
        self.go_to(self.args.shards)?;
        self.close()?;
        let mut plan = Xxh3::new();
        for ((_, lines), number) in self.done.iter().zip(1..) {
            plan.update(&self.head(number).line());
            plan.update(&lines.to_be_bytes());
        }
        let plan = format!("{:032x}", plan.digest128());
        let done = std::mem::take(&mut self.done);
        let sealed = done.into_iter().zip(1..);
        sealed
            .map(|((mut planned, lines), number)| {
                let mut head = self.head(number);
                head.plan.clone_from(&plan);
                head.seal(lines);
                self.write_head(&planned.manifest, &head)?;
                planned.hash = head.hash;
                Ok(planned)
            })
            .collect()
    }

    /// The head of a manifest of no plan yet.
    fn head(&self, number: u32) -> Head {
        Head {
            kifu: env!("CARGO_PKG_VERSION").to_owned(),
            shard: number,
            shards: self.args.shards,
            glob: self.args.inputs.glob.clone(),
            hidden: self.args.inputs.hidden,
            plan: String::new(),
            hash: String::new(),
        }
    }

    /// Gives a manifest another head.
    fn write_head(&self, manifest: &str, head: &Head) -> io::Result<()> {
        let path = self.args.output.join(manifest);
        let mut old = BufReader::new(File::open(&path)?);
        old.skip_until(b'\n')?;
        let mut output = Output::create(&path)?;
        output.write(&head.line())?;
        loop {
            let bytes = old.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            output.write(bytes)?;
            let count = bytes.len();
            old.consume(count);
        }
        drop(old);
        output.finish()
    }
}

/// The manifests of a plan.
pub(super) fn read_plan(folder: &Path) -> Result<Vec<Planned>> {
    let path = folder.join(PLAN);
    let about = || format!("cannot read the plan {}", path.display());
    let bytes = fs::read(&path).with_context(about)?;
    let plan: PlanFile = serde_json::from_slice(&bytes).with_context(about)?;
    Ok(plan.manifests)
}

/// Paths as they were typed; of very many, as a shell names them, a hash.
fn listed(paths: &[PathBuf]) -> String {
    let all: Vec<String> = paths.iter().map(|path| escape(path)).collect();
    let all = all.join(", ");
    if all.len() <= MAX_LISTED {
        return all;
    }
    let hash = xxh3_128(all.as_bytes());
    format!("{} paths {hash:032x}", paths.len())
}

/// Bytes of paths that a summary shows.
const MAX_LISTED: usize = 1 << 10;

/// The part of an archive that a run labels.
#[derive(Default)]
pub(super) struct Part {
    shard: Option<Shard>,
    manifest: Option<Manifest>,
}

impl Part {
    /// The part that arguments name. What a plan chose files by is filled in.
    pub(super) fn of(args: &mut LabelArgs, plan: &mut Plan) -> Result<Self> {
        let sharing = &args.sharing;
        let flag = match (&sharing.manifest, &sharing.shard) {
            (Some(_), _) => "--manifest",
            (_, Some(_)) => "--shard",
            _ => return Ok(Self::default()),
        };
        if let Some(what) = looks_at_all(args) {
            bail!("{what} looks at all records together, and {flag} is for a part of them");
        }
        let shard = sharing.shard.as_deref().map(Shard::parse).transpose();
        let shard = shard.map_err(Error::msg)?;
        let mut part = Self {
            shard,
            manifest: None,
        };
        if let Some(path) = &sharing.manifest {
            let bytes = fs::read(path)
                .with_context(|| format!("cannot read the manifest {}", path.display()))?;
            let manifest = Manifest::read(path, &bytes).map_err(Error::msg)?;
            args.inputs.glob.clear();
            args.inputs.hidden = false;
            if let Some(head) = &manifest.head {
                if head.kifu != env!("CARGO_PKG_VERSION") {
                    bail!(
                        "the manifest {} was planned by kifu {} and this is {}: plan again",
                        path.display(),
                        head.kifu,
                        env!("CARGO_PKG_VERSION")
                    );
                }
                if manifest.is_edited {
                    bail!(
                        "the manifest {} is not as it was planned, or its plan was not finished: \
                         plan again",
                        path.display()
                    );
                }
                args.inputs.glob.clone_from(&head.glob);
                args.inputs.hidden = head.hidden;
            }
            plan.hidden = args.inputs.hidden;
            part.manifest = Some(manifest);
        }
        Ok(part)
    }

    /// Says which part it is, and of what: a shard by names of the inputs, which are
    /// looked for anew each time, and a manifest of its plan.
    pub(super) fn describe(&self, inputs: &Inputs, settings: &mut Settings) {
        if self.shard.is_some() {
            if inputs.hidden {
                settings.insert("shard_hidden", "true".to_owned());
            }
            for (name, path) in [
                ("shard_root", &inputs.root),
                ("shard_files_from", &inputs.files_from),
            ] {
                if let Some(path) = path {
                    settings.insert(name, escape(path));
                }
            }
            if !inputs.paths.is_empty() {
                settings.insert("shard_paths", listed(&inputs.paths));
            }
        }
        let head = self.manifest.as_ref().and_then(|it| it.head.as_ref());
        if let Some(head) = head {
            settings.insert("shard_plan", head.plan.clone());
        }
        let shard = self.shard.map(|shard| shard.to_string());
        let manifest = self.manifest.as_ref().map(Manifest::shard);
        if let Some(part) = shard.or(manifest) {
            settings.insert("shard", part);
        }
    }

    /// The walk over it, once.
    pub(super) fn walk(&mut self, inputs: &Inputs, outputs: &[PathBuf]) -> Result<Walk> {
        match &mut self.manifest {
            Some(manifest) => Ok(Walk::listed(std::mem::take(&mut manifest.entries))),
            None => Ok(setup::walk(inputs, outputs)?.of_shard(self.shard)),
        }
    }

    /// Whether the inputs are all of it, so that their files can be counted.
    pub(super) const fn is_whole(&self) -> bool {
        self.shard.is_none() && self.manifest.is_none()
    }

    /// What to say where there was nothing to read.
    pub(super) fn nothing_found(&self, inputs: &Inputs) -> String {
        match (&self.manifest, self.shard) {
            (Some(manifest), _) => format!("kifu: no files in shard {}\n", manifest.shard()),
            (_, Some(shard)) => format!("kifu: no files in shard {shard}\n"),
            _ => setup::nothing_found(inputs),
        }
    }

    /// Refuses to write over the manifest.
    pub(super) fn keep_off<'p>(
        args: &LabelArgs,
        mut outputs: impl Iterator<Item = &'p PathBuf>,
    ) -> Result<()> {
        let manifest = args.sharing.manifest.as_ref();
        let Some(manifest) = manifest.and_then(|path| fs::canonicalize(path).ok()) else {
            return Ok(());
        };
        if outputs.any(|path| fs::canonicalize(path).is_ok_and(|path| path == manifest)) {
            bail!(
                "will not write over the manifest {}: name another output",
                escape(&manifest)
            );
        }
        Ok(())
    }
}
