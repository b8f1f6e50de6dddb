//! The page of a run: rows that were written, counted, drawn and searched in
//! one HTML file that needs no network.
//!
//! [`Table`] reads rows, [`Fold`] counts them and keeps those that disagree or
//! are broken, [`Page`] makes the file. What a reader sees is drawn by the
//! page's own script from JSON, so that a row costs no more than its text.

mod board;
mod count;
mod data;
mod fold;
mod table;

pub use board::{cells_of_text, compact};
pub use fold::{Fold, Kept};
pub use table::{Field, Table};

use std::collections::BTreeMap;

use serde::Serialize;

/// What is known of a run beside its rows.
#[derive(Clone, Debug, Default, Serialize)]
pub struct About {
    /// Version of kifu that made the page.
    pub version: String,
    /// Version of the columns.
    pub schema: String,
    /// Name of the file of rows.
    pub name: String,
    /// Version of kifu that wrote the rows, where a summary says so.
    pub labelled_by: Option<String>,
    /// Settings of the run, from its summary.
    pub settings: Option<BTreeMap<String, String>>,
    /// Times and rates, from the report of the run.
    pub run: Option<BTreeMap<String, serde_json::Value>>,
    /// What a reader should know, one sentence each.
    pub notes: Vec<String>,
}

/// What is on the page.
pub struct Page<'a> {
    /// The run.
    pub about: &'a About,
    /// Its rows.
    pub fold: &'a Fold,
}

impl Page<'_> {
    /// The whole file.
    ///
    /// # Errors
    /// Where the data cannot be written as JSON.
    pub fn render(&self) -> Result<String, serde_json::Error> {
        let json = data::json(self)?;
        let title = data::escape_text(&format!("kifu: {}", self.about.name));
        Ok(data::fill(
            include_str!("page.html"),
            &[
                ("title", &title),
                ("style", include_str!("page.css")),
                ("dom", include_str!("dom.js")),
                ("board", include_str!("board.js")),
                ("charts", include_str!("charts.js")),
                ("table", include_str!("table.js")),
                ("script", include_str!("page.js")),
                ("data", &json),
            ],
        ))
    }
}
