//! Which shards there are, and whether they are all of one run.

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Serialize};

use crate::report::Tally;

/// The setting that says which shard rows are of.
const SHARD: &str = "shard";

/// What settings begin with that say what a shard is of: its inputs, or its plan.
const OF: &str = "shard_";

/// Settings that count over a whole run, which a shard knows nothing of.
const WHOLE: &[&str] = &["limit", "sample", "duplicates", "split"];

/// So many are named where some are missing.
const NAMED: usize = 8;

/// The summary of a shard, or of all.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    /// Version of kifu.
    pub version: String,
    /// Version of the columns.
    pub schema: String,
    /// Settings that labels depend on.
    pub settings: BTreeMap<Cow<'static, str>, String>,
    /// The counts.
    #[serde(flatten)]
    pub tally: Tally,
    /// Whether the run was interrupted before its end.
    pub interrupted: bool,
}

impl Part {
    /// Which shard it says that it is.
    fn shard(&self) -> Option<Shard<'_>> {
        let shard = self.settings.get(SHARD)?;
        let first = shard.split(' ').next().unwrap_or_default();
        let number = first
            .split_once('/')
            .and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        Some(Shard {
            number,
            hash: shard.rsplit_once(' ').map(|(_, hash)| hash),
        })
    }
}

/// What rows say of the shard that they are of.
struct Shard<'p> {
    /// Its number and how many there are, where a plan or a flag gave it one.
    number: Option<(u32, u32)>,
    /// The hash of its manifest, where it has one.
    hash: Option<&'p str>,
}

/// A manifest of a plan, as `plan.json` lists it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Planned {
    /// Its name in the folder of the plan.
    pub manifest: String,
    /// Files and ranges that it lists.
    pub files: u64,
    /// Bytes that are read for it.
    pub bytes: u64,
    /// A hash of the manifest.
    pub hash: String,
}

/// The summaries of all shards, by the names of their rows.
pub struct Parts<'n>(pub Vec<(&'n str, Part)>);

impl Parts<'_> {
    /// Checks that all are of one run and none is there twice; which shards are
    /// missing, in a few words, where any are.
    ///
    /// # Errors
    /// One sentence about what does not belong together.
    pub fn check(&self, plan: Option<&[Planned]>) -> Result<Option<String>, String> {
        for (name, part) in &self.0 {
            if part.interrupted {
                return Err(format!(
                    "the run of {name} was interrupted: run that shard again"
                ));
            }
            let whole = WHOLE.iter().find(|word| part.settings.contains_key(**word));
            if let Some(word) = whole {
                return Err(format!(
                    "{name} was labelled with --{word}, which is for whole runs: label the shards \
                     without it"
                ));
            }
        }
        if let [first, others @ ..] = &self.0[..] {
            for other in others {
                compare(first, other)?;
            }
        }
        match plan {
            Some(plan) => self.check_plan(plan),
            None => self.check_numbers(),
        }
    }

    /// Against the hashes of a plan.
    fn check_plan(&self, plan: &[Planned]) -> Result<Option<String>, String> {
        let mut found: Vec<Option<&str>> = vec![None; plan.len()];
        for (name, part) in &self.0 {
            let hash = part.shard().and_then(|shard| shard.hash);
            let place = plan.iter().position(|planned| Some(&*planned.hash) == hash);
            let Some(place) = place.and_then(|place| found.get_mut(place)) else {
                return Err(format!("{name} is of no manifest of this plan"));
            };
            if let Some(other) = place.replace(name) {
                return Err(twice(part, other, name));
            }
        }
        let missing = plan.iter().zip(&found).zip(1..);
        let missing: Vec<String> = missing
            .filter(|((_, found), _)| found.is_none())
            .map(|((planned, _), number)| format!("{number} ({})", planned.manifest))
            .collect();
        Ok(in_words(&missing, plan.len()))
    }

    /// Against the numbers that shards say.
    fn check_numbers(&self) -> Result<Option<String>, String> {
        let mut found: BTreeMap<u32, &str> = BTreeMap::new();
        let mut hashes: BTreeMap<&str, &str> = BTreeMap::new();
        let mut first: Option<(&str, (Option<u32>, bool))> = None;
        for (name, part) in &self.0 {
            let Some(Shard { number, hash }) = part.shard() else {
                return Err(format!(
                    "{name} is not of a shard: label with --manifest or --shard"
                ));
            };
            let kind = (number.map(|(_, of)| of), hash.is_some());
            if let Some((other, known)) = first
                && known != kind
            {
                return Err(format!(
                    "{other} and {name} are not shards of one run: {} and {}",
                    self.said(other),
                    self.said(name)
                ));
            }
            first = Some((name, kind));
        }
        // Before they are counted: shards of two plans have the same numbers.
        if let [first, others @ ..] = &self.0[..] {
            for other in others {
                compare_settings(first, other, |name| name.starts_with(OF))?;
            }
        }
        for (name, part) in &self.0 {
            let Some(Shard { number, hash }) = part.shard() else {
                continue;
            };
            let other = match number {
                Some((number, _)) => found.insert(number, name),
                None => None,
            };
            let other = other.or_else(|| hash.and_then(|hash| hashes.insert(hash, name)));
            if let Some(other) = other {
                return Err(twice(part, other, name));
            }
        }
        let Some((_, (Some(of), _))) = first else {
            return Ok(None);
        };
        let missing = (1..=of).filter(|number| !found.contains_key(number));
        let missing: Vec<String> = missing.map(|number| number.to_string()).collect();
        Ok(in_words(&missing, of as usize))
    }

    fn said(&self, name: &str) -> &str {
        let mut parts = self.0.iter();
        let part = parts.find(|(known, _)| *known == name);
        let shard = part.and_then(|(_, part)| part.settings.get(SHARD));
        shard.map_or("", String::as_str)
    }

    /// The summary of the run that all are parts of; one that lacks some says so.
    #[must_use]
    pub fn sum(&self, is_whole: bool) -> Option<Part> {
        let ((_, first), others) = self.0.split_first()?;
        let mut sum = first.clone();
        for (_, other) in others {
            sum.tally.merge(&other.tally);
        }
        sum.settings
            .retain(|name, _| name != SHARD && !name.starts_with(OF));
        if !is_whole {
            let word = format!("{} shards, not all", self.0.len());
            sum.settings.insert(SHARD.into(), word);
        }
        Some(sum)
    }
}

fn twice(part: &Part, one: &str, other: &str) -> String {
    let shard = part.settings.get(SHARD).map_or("", String::as_str);
    format!("the shard {shard} is there twice, as {one} and {other}: name each once")
}

/// Refuses two summaries that are not of one run.
fn compare(first: &(&str, Part), second: &(&str, Part)) -> Result<(), String> {
    let ((one, a), (other, b)) = (first, second);
    let differ = |what, was, is| Err(differ([*one, *other], what, [was, is]));
    if a.version != b.version {
        return differ("the version of kifu", &a.version, &b.version);
    }
    if a.schema != b.schema {
        return differ("the version of the columns", &a.schema, &b.schema);
    }
    compare_settings(first, second, |name| name != SHARD && !name.starts_with(OF))
}

/// Refuses two summaries of which some settings differ.
fn compare_settings(
    (one, a): &(&str, Part),
    (other, b): &(&str, Part),
    is_compared: fn(&str) -> bool,
) -> Result<(), String> {
    let names = a.settings.keys().chain(b.settings.keys());
    for name in names.filter(|name| is_compared(name)) {
        let [was, is] = [a, b].map(|it| it.settings.get(name).map_or("not set", String::as_str));
        if was != is {
            let what = name.strip_prefix(OF).unwrap_or(name);
            return Err(differ([*one, *other], what, [was, is]));
        }
    }
    Ok(())
}

fn differ([one, other]: [&str; 2], what: &str, [was, is]: [&str; 2]) -> String {
    format!(
        "{one} and {other} are not of one run: {what} is {was} in the first and {is} in the second"
    )
}

fn in_words(missing: &[String], of: usize) -> Option<String> {
    let named = missing.get(..NAMED).unwrap_or(missing).join(", ");
    let more = match missing.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!missing.is_empty()).then(|| format!("{} of {of} shards: {named}{more}", missing.len()))
}
