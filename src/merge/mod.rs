//! Merges the rows of shards to those of one run.
//!
//! Rows stand in the order of a walk: by the components of the file's path, and in
//! a file by their place in it. Every shard is in that order, so one row of each is
//! in memory.

mod shards;

use std::{cmp::Reverse, collections::BinaryHeap, path::Path};

pub use shards::{Part, Parts, Planned};

use crate::{
    rows::RawRows,
    source::{sort_key, unescape},
};

/// The place of a row: its file, and its index in there.
type Place = (Vec<u8>, u64);

/// One file of rows while it is merged.
struct Input<'n> {
    name: &'n str,
    rows: RawRows,
    /// The file part of the origin of its row.
    file: String,
    place: Place,
    /// Rows so far.
    count: u64,
}

impl Input<'_> {
    /// Goes to the next row; `false` where there is none.
    fn advance(&mut self) -> Result<bool, String> {
        let any = self.rows.advance();
        if !any.map_err(|why| format!("cannot read {}: {why}", self.name))? {
            return Ok(false);
        }
        self.count += 1;
        let origin = self.rows.origin();
        let file = file_of(origin);
        self.place.1 = index_of(origin);
        if self.count > 1 && file == self.file {
            return Ok(true);
        }
        let key = sort_key(&unescape(file));
        if self.count > 1 && key < self.place.0 {
            return Err(format!(
                "{} is not in the order of a run: {file} comes after {}",
                self.name, self.file
            ));
        }
        self.place.0 = key;
        file.clone_into(&mut self.file);
        Ok(true)
    }
}

/// The file that an origin is in.
fn file_of(origin: &str) -> &str {
    origin.split(['!', '#']).next().unwrap_or_default()
}

/// The index of a record in its file, from 1; 0 where it has another name, as
/// members of packed files have.
fn index_of(origin: &str) -> u64 {
    match origin.split_once(['!', '#']) {
        None => 1,
        Some((_, index)) if !origin.contains('!') => index.parse().unwrap_or(0),
        Some(_) => 0,
    }
}

/// Merges files of rows, and gives their bytes in order: the header first, if they
/// have one. How many rows each file had.
///
/// # Errors
/// One sentence, where one cannot be read, they have different columns, a row is
/// there twice, or `write` fails.
pub fn merge<E: From<String>>(
    paths: &[&Path],
    write: &mut dyn FnMut(&[u8]) -> Result<(), E>,
) -> Result<Vec<u64>, E> {
    let names: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let mut inputs = Vec::with_capacity(paths.len());
    let mut next = BinaryHeap::with_capacity(paths.len());
    for ((path, name), number) in paths.iter().zip(&names).zip(0..) {
        let rows = RawRows::open(path).map_err(|why| format!("cannot read {name}: {why}"))?;
        let mut input = Input {
            name,
            rows,
            file: String::new(),
            place: Place::default(),
            count: 0,
        };
        if input.advance()? {
            next.push(Reverse((input.place.clone(), number)));
        }
        inputs.push(input);
    }
    if let [first, others @ ..] = &inputs[..] {
        let other = others
            .iter()
            .find(|it| it.rows.header() != first.rows.header());
        if let Some(other) = other {
            return Err(format!(
                "{} and {} have different columns, or one is csv and the other jsonl: they are not \
                 of one plan",
                first.name, other.name
            )
            .into());
        }
        write(first.rows.header())?;
    }
    // The last row, and where it is from.
    let mut last: Option<(Place, usize)> = None;
    while let Some(Reverse((_, number))) = next.pop() {
        if let Some((place, from)) = &last
            && let (Some(input), Some(other)) = (inputs.get(number), inputs.get(*from))
            && place.0 == input.place.0
            && (place.1 == 0 || input.place.1 <= place.1)
        {
            return Err(format!(
                "{} is in {} and in {}: a shard is there twice, or they overlap",
                input.rows.origin(),
                other.name,
                input.name
            )
            .into());
        }
        let Some(input) = inputs.get_mut(number) else {
            break;
        };
        // All rows of the file, so that their order is kept.
        loop {
            write(input.rows.row())?;
            let place = input.place.clone();
            let any = input.advance()?;
            if !any || input.place.0 != place.0 {
                last = Some((place, number));
                if any {
                    next.push(Reverse((input.place.clone(), number)));
                }
                break;
            }
        }
    }
    Ok(inputs.iter().map(|input| input.count).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_sort_as_a_walk_goes() {
        let in_order = [
            "-",
            "a/b.sgf",
            "a/c/d.sgf",
            "a.sgf",
            "b%01.sgf",
            "b.sgf",
            "黑/一.sgf",
        ];
        let key = |file: &str| sort_key(&unescape(file));
        let keys = in_order.map(key);
        assert!(keys.is_sorted(), "{keys:?}");
        assert_eq!(key("./a//b"), key("a/b"));
    }

    #[test]
    fn origins_have_parts() {
        for (origin, file, index) in [
            ("a.sgf", "a.sgf", 1),
            ("a.sgf#12", "a.sgf", 12),
            ("a.txt#id=7", "a.txt", 0),
            ("a.zip!b.sgf", "a.zip", 0),
            ("a.zip!b.sgf#2", "a.zip", 0),
        ] {
            assert_eq!(
                (file_of(origin), index_of(origin)),
                (file, index),
                "{origin}"
            );
        }
    }
}
