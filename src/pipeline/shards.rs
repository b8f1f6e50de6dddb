//! Parts an archive among machines: slices of its walk that have about as many
//! bytes each. Large plain collections are cut where a splitter can begin anew.

use std::io;

use super::{
    Plan,
    cutter::{Border, Cutter},
    visit,
};
use crate::source::{Entry, Found, Line, Range, WHOLE, Walk, packed::Opened};

/// One place in one shard: its line, and how many bytes of it are meant.
pub struct Share {
    /// The number of the shard, from 1.
    pub shard: u32,
    /// What it lists.
    pub line: Line,
    /// Bytes that are read for it.
    pub bytes: u64,
}

/// Shares an archive out among some shards, in the order of its walk: two walks
/// over the same, of which the first one counts bytes.
///
/// Only a file that is larger than what is read whole, and that reaches over the
/// end of a shard, is read here.
///
/// # Errors
/// Where something can be read only once, or `each` fails.
pub fn share_out(
    plan: &Plan,
    walks: [Walk; 2],
    shards: u32,
    each: &mut dyn FnMut(Share) -> io::Result<()>,
) -> io::Result<()> {
    let [count, walk] = walks;
    let total = count.filter_map(listed).map(|(_, bytes)| bytes).sum();
    let mut dealer = Dealer {
        scale: Scale { shards, total },
        before: 0,
        pending: None,
    };
    for (entry, bytes) in walk.filter_map(listed_loudly) {
        if entry.once {
            return Err(io::Error::other(format!(
                "{} can be read only once, so no other run could read it: plan files and folders",
                entry.path.display()
            )));
        }
        dealer.deal(plan, &entry, bytes, each)?;
    }
    dealer.flush(each)
}

/// What is listed of what a walk meets, and its bytes.
fn listed(found: Found) -> Option<(Entry, u64)> {
    match found {
        Found::File(entry) => {
            // One that cannot be looked at is for the run to say.
            let bytes = entry.path.metadata().map_or(0, |found| found.len());
            Some((entry, bytes))
        }
        Found::Special(entry) | Found::Unreadable(entry, _) => Some((entry, 0)),
        Found::Loop(_) => None,
    }
}

fn listed_loudly(found: Found) -> Option<(Entry, u64)> {
    match found {
        Found::Loop(path) => {
            tracing::warn!(
                "{} leads back to a folder it lies in; not followed",
                path.display()
            );
            None
        }
        found => listed(found),
    }
}

/// Where shards end in all the bytes of an archive.
#[derive(Clone, Copy)]
struct Scale {
    shards: u32,
    total: u64,
}

impl Scale {
    /// The shard of a stretch of bytes, from 1: that of its middle, so that later
    /// ones never come into an earlier shard.
    fn shard(self, before: u64, bytes: u64) -> u32 {
        let twice = 2 * u128::from(before) + u128::from(bytes);
        let place = twice * u128::from(self.shards) / (2 * u128::from(self.total.max(1)));
        let last = self.shards.saturating_sub(1);
        u32::try_from(place).unwrap_or(last).min(last) + 1
    }

    /// The ends of shards inside a stretch of bytes, counted from its start.
    fn ends(self, before: u64, bytes: u64) -> impl Iterator<Item = u64> {
        let end = move |number: u32| {
            let end = u128::from(self.total) * u128::from(number) / u128::from(self.shards.max(1));
            u64::try_from(end).unwrap_or(u64::MAX)
        };
        (1..self.shards)
            .map(end)
            .filter_map(move |end| end.checked_sub(before))
            .filter(move |end| (1..bytes).contains(end))
    }
}

struct Dealer {
    scale: Scale,
    /// Bytes of all files before.
    before: u64,
    /// The last one, to which the next range may be added.
    pending: Option<(u32, Entry, u64)>,
}

type Each<'e> = dyn FnMut(Share) -> io::Result<()> + 'e;

impl Dealer {
    fn deal(
        &mut self,
        plan: &Plan,
        entry: &Entry,
        size: u64,
        each: &mut Each<'_>,
    ) -> io::Result<()> {
        let (format, cuts) = match size > WHOLE as u64 {
            true => cuts(plan, entry, size, self.scale.ends(self.before, size)),
            false => ("", Vec::new()),
        };
        if cuts.is_empty() {
            let shard = self.scale.shard(self.before, size);
            self.flush(each)?;
            self.pending = Some((shard, entry.clone(), size));
        }
        let ends = cuts.iter().map(|border| border.at).skip(1).chain([size]);
        for (border, to) in cuts.iter().zip(ends) {
            let from = border.at;
            let shard = self.scale.shard(self.before + from, to - from);
            if from > 0
                && let Some((last, pending, bytes)) = &mut self.pending
                && *last == shard
                && let Some(range) = &mut pending.range
            {
                range.to = to;
                *bytes += to - from;
                continue;
            }
            self.flush(each)?;
            let range = Range {
                from,
                to,
                index: border.index,
                size,
                ahead: border.ahead,
                format: format.into(),
            };
            let entry = Entry {
                range: Some(Box::new(range)),
                ..entry.clone()
            };
            self.pending = Some((shard, entry, to - from));
        }
        self.before += size;
        Ok(())
    }

    fn flush(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        let Some((shard, mut entry, bytes)) = self.pending.take() else {
            return Ok(());
        };
        let size = entry.range.as_ref().map_or(bytes, |range| range.size);
        entry.range = entry.range.filter(|range| range.to - range.from < size);
        each(Share {
            shard,
            line: Line::of(&entry, size),
            bytes,
        })
    }
}

/// The format of a file and where it is cut, its start first: at the first border
/// after each of some places. Nothing where it is not cut.
fn cuts(
    plan: &Plan,
    entry: &Entry,
    size: u64,
    wanted: impl Iterator<Item = u64>,
) -> (&'static str, Vec<Border>) {
    let mut wanted = wanted.peekable();
    let none = ("", Vec::new());
    if wanted.peek().is_none() {
        return none;
    }
    let Ok(Opened::Plain(reader)) = visit::open(plan, entry) else {
        return none;
    };
    let mut cutter = Cutter::new(plan, entry, reader);
    let Some(format) = cutter.format() else {
        return none;
    };
    let mut cuts = vec![Border::START];
    while cutter.is_cuttable() && wanted.peek().is_some() && cutter.next().is_some() {
        let border = cutter.border().filter(|border| border.at < size);
        if let Some(border) = border
            && wanted.next_if(|place| *place <= border.at).is_some()
        {
            cuts.push(border);
            while wanted.next_if(|place| *place <= border.at).is_some() {}
        }
    }
    if cuts.len() > 1 { (format, cuts) } else { none }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_fall_into_shards_in_order() {
        let scale = Scale {
            shards: 4,
            total: 100,
        };
        for (before, bytes, shard) in [
            (0, 0, 1),
            (0, 24, 1),
            (0, 51, 2),
            (0, 100, 3),
            (24, 10, 2),
            (99, 1, 4),
            (100, 0, 4),
            // More than was counted before.
            (200, 50, 4),
        ] {
            assert_eq!(scale.shard(before, bytes), shard, "{before} {bytes}");
        }
        let ends = |before, bytes| scale.ends(before, bytes).collect::<Vec<_>>();
        assert_eq!(ends(0, 100), [25, 50, 75]);
        assert_eq!(ends(25, 30), [25]);
        assert_eq!(ends(76, 24), [0; 0]);
        let nothing = Scale {
            shards: 3,
            total: 0,
        };
        assert_eq!(nothing.shard(0, 0), 1);
    }
}
