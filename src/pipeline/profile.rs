//! Which profile a record is judged under: how a part of an archive was
//! counted, known by marks of its records.

use globset::GlobMatcher;

use crate::{
    game::{Profile, go},
    outcome::{Points, words},
    record::Record,
};

words! {
    /// Whether a record writes handicap stones.
    HandicapMark {
        /// It writes none or one.
        None = "none",
        /// It writes two or more.
        Some = "some",
    }
}

/// What marks the records of a profile. Every kind of mark that is given must
/// hold, and of several of one kind one must; what is empty marks nothing.
///
/// No mark looks at moves or results: a profile never follows from what it is
/// to be compared with.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Paths, as rows name them; a member of a packed file lies in it as in a
    /// folder.
    pub paths: Vec<GlobMatcher>,
    /// Parts of the name of a program, in any case; empty for records that
    /// name no program.
    pub programs: Vec<String>,
    /// Rules as written, in any case; empty for records that write none.
    pub rules: Vec<String>,
    /// Komi as written: the same text or the same number; empty for records
    /// that write none.
    pub komi: Vec<String>,
    /// Whether handicap stones are written.
    pub handicap: Vec<HandicapMark>,
    /// Columns and rows.
    pub sizes: Vec<(u8, u8)>,
}

impl Marks {
    /// Whether the marks that all records of a file share hold; `path` is its
    /// name with every packed file as a folder.
    fn hold_for_file(&self, path: &str) -> bool {
        self.paths.is_empty() || self.paths.iter().any(|paths| paths.is_match(path))
    }

    /// Whether the marks of a record hold.
    fn hold_for(&self, record: &Record<'_>) -> bool {
        any(&self.sizes, |size| {
            // As games read records that are silent about it.
            record.size.unwrap_or((19, 19)) == *size
        }) && any(&self.programs, |name| is_written_by(record, name))
            && any(&self.komi, |komi| {
                is_komi(&written(record, record.komi), komi)
            })
            && any(&self.rules, |rules| {
                is_same_word(&written(record, record.rules), rules)
            })
            && any(&self.handicap, |mark| *mark == handicap_of(record))
    }
}

/// Whether one of some marks holds, or there are none.
fn any<M>(marks: &[M], holds: impl Fn(&M) -> bool) -> bool {
    marks.is_empty() || marks.iter().any(holds)
}

/// A value as written, decoded and trimmed; empty where there is none.
fn written<'r>(record: &Record<'r>, raw: Option<&'r [u8]>) -> std::borrow::Cow<'r, str> {
    record.text(raw.unwrap_or_default())
}

fn is_written_by(record: &Record<'_>, name: &str) -> bool {
    if name.is_empty() {
        let mut programs = record.programs.iter();
        return programs.all(|program| program.trim_ascii().is_empty());
    }
    record.written_by(name)
}

/// Whether a komi as written is that of a mark: `7.50` is `7.5`.
fn is_komi(written: &str, mark: &str) -> bool {
    let written = written.trim();
    written == mark
        || written
            .parse::<Points>()
            .is_ok_and(|written| mark.parse() == Ok(written))
}

/// Whether two texts are the same but for case and blanks around.
fn is_same_word(written: &str, mark: &str) -> bool {
    let written = written.trim();
    written.eq_ignore_ascii_case(mark)
        || !written.is_ascii() && written.to_lowercase() == mark.to_lowercase()
}

fn handicap_of(record: &Record<'_>) -> HandicapMark {
    match go::written_handicap(record) {
        Some(2..) => HandicapMark::Some,
        _ => HandicapMark::None,
    }
}

/// A profile and the marks of its records.
#[derive(Clone, Debug)]
pub struct ProfileRule {
    /// What marks its records.
    pub marks: Marks,
    /// How they were counted.
    pub profile: Profile,
}

/// The profiles of a run, weakest first: the last that matches holds, alone.
#[derive(Clone, Debug, Default)]
pub struct Profiles(pub Vec<ProfileRule>);

impl Profiles {
    /// The places of the profiles that may hold for records of a file,
    /// strongest first.
    pub(super) fn of_file(&self, path: &str) -> Vec<usize> {
        let rules = self.0.iter().enumerate().rev();
        rules
            .filter(|(_, rule)| rule.marks.hold_for_file(path))
            .map(|(place, _)| place)
            .collect()
    }

    /// The profile of a record, of those that may hold for its file.
    pub(super) fn of_record(&self, places: &[usize], record: &Record<'_>) -> Option<&Profile> {
        places
            .iter()
            .filter_map(|place| self.0.get(*place))
            .find(|rule| rule.marks.hold_for(record))
            .map(|rule| &rule.profile)
    }
}
