//! `kifu plan`: parts an archive into manifests. And what `label` and `audit` do
//! with one of them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Error, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::{
    args::{Common, Inputs, LabelArgs, Reading},
    config::Config,
    label::end_on_interrupt,
    log,
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
    let mut bytes = serde_json::to_vec_pretty(&file)?;
    bytes.push(b'\n');
    output.write(&bytes)?;
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
    done: Vec<Planned>,
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
            let head = Head {
                kifu: env!("CARGO_PKG_VERSION").to_owned(),
                shard: number,
                shards: self.args.shards,
                glob: self.args.inputs.glob.clone(),
                hidden: self.args.inputs.hidden,
            };
            let mut line = serde_json::to_vec(&head)?;
            line.push(b'\n');
            output.write(&line)?;
            let mut hash = Xxh3::new();
            hash.update(&line);
            let planned = Planned {
                manifest,
                files: 0,
                bytes: 0,
                hash: String::new(),
            };
            self.open = Some((output, hash, planned));
        }
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        if let Some((output, hash, mut planned)) = self.open.take() {
            output.finish()?;
            planned.hash = format!("{:032x}", hash.digest128());
            self.done.push(planned);
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<Vec<Planned>> {
        self.go_to(self.args.shards)?;
        self.close()?;
        Ok(self.done)
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
        let wants = |word: &str| args.outputs.with.iter().any(|with| with == word);
        for (is_wanted, what) in [
            (args.running.duplicates, "--duplicates"),
            (wants("duplicate_of"), "--with duplicate_of"),
            (wants("split"), "--with split"),
        ] {
            if is_wanted {
                bail!("{what} looks at all records together, and {flag} is for a part of them");
            }
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
                args.inputs.glob.clone_from(&head.glob);
                args.inputs.hidden = head.hidden;
            }
            plan.hidden = args.inputs.hidden;
            part.manifest = Some(manifest);
        }
        Ok(part)
    }

    /// Says which part it is.
    pub(super) fn describe(&self, settings: &mut Settings) {
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
