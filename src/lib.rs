//! `kifu` reads records of finished board games (Go, gomoku, renju and their
//! relatives, xiangqi), replays each to its final position, lets the rules of the
//! game say who won and by how much, and compares that with the result that the
//! record writes.
//!
//! As a library it labels bytes in memory: give a [`Labeller`] what a file holds,
//! and it gives a [`Label`] for each record.
//!
//! ```
//! use kifu::{Labeller, Options, Status};
//!
//! // Black has the left of a small board, White the right; both have passed.
//! let record = b"(;GM[1]SZ[5]RU[Chinese]KM[2.5]RE[W+2.5]
//!     ;B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[])";
//!
//! let mut labeller = Labeller::new(&Options::default())?;
//! for label in labeller.labels("game.sgf", record) {
//!     // 15 points to 10, less the komi.
//!     assert_eq!(label.winner, Some("black"));
//!     assert_eq!(label.margin, Some(2.5));
//!     assert!(label.confidence > Some(0.9));
//!     assert_eq!(label.status, Status::WinnerDiffers);
//! }
//! # Ok::<(), kifu::OptionsError>(())
//! ```
//!
//! A record that is damaged or of another kind is a label too, whose [`Status`]
//! says so and whose [`error`](Label::error) says why: nothing that is in the bytes
//! makes a call fail. The same bytes and options give the same labels.
//!
//! The program `kifu` is built from this crate with the feature `cli`, on by
//! default; a library does without: `default-features = false`. Modules that are not
//! shown here are there for the program and its tests, and change at any time.

// How the crate is made, for those who change it:
//
//     discover ──► Blob ──► Record ──► Judgement ──► Label ──► Sink
//     source       format   record     game          label     report
//
// * `source` finds files and opens them; a stream is cut into windows.
// * `format` cuts bytes at record borders and reads each piece into a `Record`: one
//   game as written, not yet believed.
// * `game` replays a record and says what the board says of its end.
// * `search` searches game trees, for any game.
// * `label` puts that next to what the record says: one row.
// * `report` writes rows.
// * `pipeline` drives all of it, in parallel and in order.
// * `memory` is the face of the library: bytes to labels.
// * `calibrate` finds how each part of an archive was counted.
// * `rows` reads rows again, and `diff` compares two files of them.
// * `merge` makes the rows of shards those of one run.
// * `page` makes a page of rows that were written, for a browser.
// * `selfplay` plays games by themselves, which makes archives.
// * `protocol` answers other programs, which play against the search or ask the judge.
// * `cli` is what a user types.
//
// Imports go one way: cli → {memory, pipeline} → {source, format, game, label,
// report}; label → game → search; format and game see record and outcome and nothing
// of each other.
//
// Modules are public for the program, the tests and the benchmarks. They carry no
// promise and are hidden; what is promised is named at the end.

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod calibrate;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod diff;
#[doc(hidden)]
pub mod format;
#[doc(hidden)]
pub mod game;
#[doc(hidden)]
pub mod label;
mod memory;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod merge;
#[doc(hidden)]
pub mod outcome;
#[cfg(feature = "report")]
#[doc(hidden)]
pub mod page;
#[doc(hidden)]
pub mod pipeline;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod protocol;
#[doc(hidden)]
pub mod record;
#[doc(hidden)]
pub mod report;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod rows;
#[doc(hidden)]
pub mod search;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod selfplay;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod suggest;

#[doc(inline)]
pub use label::Status;
pub use memory::{Label, Labeller, Options, OptionsError};
