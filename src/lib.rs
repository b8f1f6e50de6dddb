//! `kifu` reads archives of finished board games, replays every record to its
//! final position, lets the rules of the game say who won and by how much, and
//! writes one label per record together with a report of every record whose
//! written result disagrees.
//!
//! ```text
//! discover ──► Blob ──► Record ──► Judgement ──► Label ──► Sink
//! source       format   record     game          label     report
//! ```
//!
//! * [`source`] finds files and opens them; a stream is cut into windows.
//! * [`format`](mod@format) cuts bytes at record borders and reads each piece into a
//!   [`record::Record`]: one game as written, not yet believed.
//! * [`game`] replays a record and says what the board says of its end.
//! * [`search`] searches game trees, for any game.
//! * [`label`] puts that next to what the record says: one row.
//! * [`report`] writes rows.
//! * [`pipeline`] drives all of it, in parallel and in order.
//! * [`calibrate`] finds how each part of an archive was counted.
//! * [`rows`] reads them again, and [`diff`] compares two files of them.
//! * `page` makes a page of rows that were written, for a browser.
//! * [`selfplay`] plays games by themselves, which makes archives.
//! * [`cli`] is what a user types.
//!
//! Imports go one way: `cli → pipeline → {source, format, game, label,
//! report}`; `label → game → search`; `format` and `game` see `record` and `outcome`
//! and nothing of each other.

pub mod calibrate;
pub mod cli;
pub mod diff;
pub mod format;
pub mod game;
pub mod label;
pub mod outcome;
#[cfg(feature = "report")]
pub mod page;
pub mod pipeline;
pub mod record;
pub mod report;
pub mod rows;
pub mod search;
pub mod selfplay;
pub mod source;
pub mod suggest;
