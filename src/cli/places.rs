//! Where things stand in a configuration file.

use std::{collections::BTreeMap, path::PathBuf};

use toml::de::{DeTable, DeValue};

use crate::calibrate::escaped;

/// A configuration file as it was read.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) text: String,
}

impl File {
    /// Its path, on one line.
    pub(super) fn shown(&self) -> String {
        escaped(&self.path.display().to_string())
    }

    /// The lines of its keys and lists.
    pub(super) fn places(&self) -> Places {
        let mut places = Places {
            file: self.shown(),
            ..Places::default()
        };
        // What was read before can be read again.
        let Ok(table) = DeTable::parse(&self.text) else {
            return places;
        };
        let line = |at: usize| 1 + self.text.bytes().take(at).filter(|it| *it == b'\n').count();
        for (section, value) in table.get_ref() {
            let section = section.get_ref();
            match value.get_ref() {
                DeValue::Table(keys) => {
                    for key in keys.keys() {
                        let name = (section.to_string(), key.get_ref().to_string());
                        places.keys.insert(name, line(key.span().start));
                    }
                }
                DeValue::Array(entries) => {
                    let lines = entries.iter().map(|entry| line(entry.span().start));
                    places.lists.insert(section.to_string(), lines.collect());
                }
                _ => {}
            }
        }
        places
    }
}

/// Lines of a configuration file, counted from 1.
#[derive(Debug, Default)]
pub(super) struct Places {
    file: String,
    keys: BTreeMap<(String, String), usize>,
    lists: BTreeMap<String, Vec<usize>>,
}

impl Places {
    /// Where a key stands: `kifu.toml:3`.
    pub(super) fn of_key(&self, section: &str, key: &str) -> Option<String> {
        let name = (section.to_owned(), key.to_owned());
        let line = self.keys.get(&name)?;
        Some(format!("{}:{line}", self.file))
    }

    /// Where an entry of a list begins, counted from 0.
    pub(super) fn of(&self, list: &str, entry: usize) -> String {
        let line = self.lists.get(list).and_then(|lines| lines.get(entry));
        line.map_or_else(|| self.file.clone(), |line| format!("{}:{line}", self.file))
    }
}
