//! Which profile a record is judged under: how a part of an archive was
//! counted, known by marks of its records.

use std::borrow::Cow;

use globset::{Candidate, GlobMatcher};

use crate::{
    game::{Game, Profile, go},
    outcome::{Points, words},
    record::Record,
};

words! {
    /// How many handicap stones a record writes.
    HandicapMark {
        /// It writes none, or nothing.
        None = "none",
        /// It writes one: no stone, but another komi.
        One = "one",
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
    /// How many handicap stones are written.
    pub handicap: Vec<HandicapMark>,
    /// Columns and rows.
    pub sizes: Vec<(u8, u8)>,
}

impl Marks {
    /// Whether the marks that all records of a file share hold.
    fn hold_for_file(&self, path: &Candidate<'_>) -> bool {
        any(&self.paths, |paths| paths.is_match_candidate(path))
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
fn written<'r>(record: &Record<'r>, raw: Option<&'r [u8]>) -> Cow<'r, str> {
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
        Some(1) => HandicapMark::One,
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
    /// strongest first; `path` is its name with every packed file as a folder.
    pub(super) fn of_file(&self, path: &str) -> Vec<usize> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let path = Candidate::new(path);
        let rules = self.0.iter().enumerate().rev();
        rules
            .filter(|(_, rule)| rule.marks.hold_for_file(&path))
            .map(|(place, _)| place)
            .collect()
    }

    /// The profile of a record, of those that may hold for its file and are for
    /// its game. One that kifu wrote says all of it itself.
    pub(super) fn of_record(
        &self,
        places: &[usize],
        record: &Record<'_>,
        game: &dyn Game,
    ) -> Option<&Profile> {
        if go::is_counted(record) {
            return None;
        }
        places
            .iter()
            .filter_map(|place| self.0.get(*place))
            .find(|rule| rule.marks.hold_for(record) && is_for(&rule.profile, game))
            .map(|rule| &rule.profile)
    }
}

/// Whether a profile says something of a game: by its rules, else of margins.
fn is_for(profile: &Profile, game: &dyn Game) -> bool {
    match &profile.rules {
        Some(rules) => game.check_rules(rules).is_ok(),
        None => game.has_margins(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{Rounding, go, kinrow},
        outcome::From,
    };

    /// What a record writes: program, rules, komi, handicap, size.
    type Parts = (
        &'static str,
        &'static str,
        &'static str,
        &'static str,
        Option<(u8, u8)>,
    );

    fn record(parts: Parts) -> Record<'static> {
        let (program, rules, komi, handicap, size) = parts;
        let given = |text: &'static str| Some(text.as_bytes()).filter(|text| !text.is_empty());
        Record {
            programs: given(program).into_iter().collect(),
            rules: given(rules),
            komi: given(komi),
            handicap: given(handicap),
            size,
            ..Record::empty(b"")
        }
    }

    const SILENT: Parts = ("", "", "", "", None);
    const FULL: Parts = ("Foxwq Client", " Chinese ", "7.50", "2", Some((9, 9)));
    const OTHER: Parts = ("CGoban:3", "中国", "6.5", "0", Some((13, 9)));

    /// Each mark against three records, the silent one first.
    #[test]
    fn marks_hold_for_what_is_written() {
        let texts = |texts: &[&str]| -> Vec<String> {
            texts.iter().map(|text| (*text).to_owned()).collect()
        };
        let program = |names: &[&str]| Marks {
            programs: texts(names),
            ..Marks::default()
        };
        let rules = |words: &[&str]| Marks {
            rules: texts(words),
            ..Marks::default()
        };
        let komi = |numbers: &[&str]| Marks {
            komi: texts(numbers),
            ..Marks::default()
        };
        let handicap = |marks: &[HandicapMark]| Marks {
            handicap: marks.to_vec(),
            ..Marks::default()
        };
        let size = |sizes: &[(u8, u8)]| Marks {
            sizes: sizes.to_vec(),
            ..Marks::default()
        };
        let both = Marks {
            komi: texts(&["7.5"]),
            ..rules(&["chinese"])
        };
        let not_both = Marks {
            komi: texts(&["6.5"]),
            ..rules(&["chinese"])
        };
        for (marks, expected) in [
            (Marks::default(), [true, true, true]),
            (program(&["foxwq"]), [false, true, false]),
            (program(&["FOXWQ", "goban"]), [false, true, true]),
            (program(&[""]), [true, false, false]),
            (program(&["a program with a longer name"]), [false; 3]),
            (rules(&["CHINESE"]), [false, true, false]),
            (rules(&["chin"]), [false; 3]),
            (rules(&["中国", ""]), [true, false, true]),
            (komi(&["7.5"]), [false, true, false]),
            (komi(&["7,5", "6.50"]), [false, true, true]),
            (komi(&[""]), [true, false, false]),
            (komi(&["much"]), [false; 3]),
            (handicap(&[HandicapMark::None]), [true, false, true]),
            (handicap(&[HandicapMark::Some]), [false, true, false]),
            (handicap(HandicapMark::ALL), [true; 3]),
            (size(&[(19, 19)]), [true, false, false]),
            (size(&[(9, 9), (13, 9)]), [false, true, true]),
            (size(&[(9, 13)]), [false; 3]),
            (both, [false, true, false]),
            (not_both, [false; 3]),
        ] {
            let found = [SILENT, FULL, OTHER].map(|parts| marks.hold_for(&record(parts)));
            assert_eq!(found, expected, "{marks:?}");
        }
    }

    #[test]
    fn blank_values_are_none_and_odd_ones_are_texts() {
        let marks = Marks {
            programs: vec![String::new()],
            rules: vec![String::new()],
            komi: vec![String::new()],
            ..Marks::default()
        };
        assert!(marks.hold_for(&record((" ", "\t", " ", "", None))));
        let odd = Marks {
            komi: vec!["3又3/4子".to_owned()],
            ..Marks::default()
        };
        assert!(odd.hold_for(&record(("", "", " 3又3/4子", "", None))));
        for (handicap, mark) in [
            ("0", HandicapMark::None),
            ("1", HandicapMark::One),
            ("many", HandicapMark::None),
            ("-2", HandicapMark::None),
            ("9999", HandicapMark::None),
            (" 9 ", HandicapMark::Some),
        ] {
            let record = record(("", "", "", handicap, None));
            assert_eq!(handicap_of(&record), mark, "{handicap}");
        }
    }

    #[test]
    fn text_is_compared_as_the_record_encodes_it() {
        let marks = Marks {
            rules: vec!["中国".to_owned()],
            ..Marks::default()
        };
        let mut record = Record::empty(b"");
        record.rules = Some(b"\xd6\xd0\xb9\xfa");
        assert!(!marks.hold_for(&record));
        record.charset = crate::source::charset::by_name("gb18030").unwrap();
        assert!(marks.hold_for(&record));
    }

    fn rule(name: &str, path: Option<&str>, sizes: &[(u8, u8)]) -> ProfileRule {
        ProfileRule {
            marks: Marks {
                paths: path
                    .into_iter()
                    .map(|path| crate::source::glob(path).unwrap())
                    .collect(),
                sizes: sizes.to_vec(),
                ..Marks::default()
            },
            profile: Profile {
                name: name.to_owned(),
                from: From::Profile,
                rules: None,
                komi: None,
                convention: None,
                rounding: Rounding::None,
            },
        }
    }

    /// A profile for another game hides none that is for this one.
    #[test]
    fn profiles_are_for_games_that_know_their_rules() {
        let with = |name, rules: Option<&str>| {
            let mut rule = rule(name, None, &[]);
            rule.profile.rules = rules.map(str::to_owned);
            rule
        };
        let profiles = Profiles(vec![
            with("renju", Some("renju,fouls=claimed")),
            with("go", Some("chinese")),
            with("margins", None),
        ]);
        let record = record(SILENT);
        let places = profiles.of_file("a");
        for (game, expected) in [
            (&go::Go as &dyn Game, Some("margins")),
            (&kinrow::RENJU, Some("renju")),
        ] {
            let found = profiles.of_record(&places, &record, game);
            assert_eq!(found.map(|profile| profile.name.as_str()), expected);
        }
    }

    #[test]
    fn the_last_profile_that_matches_holds() {
        let profiles = Profiles(vec![
            rule("all", Some("**"), &[]),
            rule("nine", None, &[(9, 9)]),
            rule("here", Some("**/here/*.sgf"), &[(9, 9), (13, 9)]),
        ]);
        for (path, places, names) in [
            ("a.sgf", &[1, 0][..], ["all", "nine", "all"]),
            ("./x/here/a.sgf", &[2, 1, 0], ["all", "here", "here"]),
            ("here/y/a.sgf", &[1, 0], ["all", "nine", "all"]),
        ] {
            let of_file = profiles.of_file(path);
            assert_eq!(of_file, places, "{path}");
            let found = [SILENT, FULL, OTHER].map(|parts| {
                let profile = profiles.of_record(&of_file, &record(parts), &go::Go);
                profile.map(|profile| profile.name.as_str())
            });
            assert_eq!(found, names.map(Some), "{path}");
        }
        assert_eq!(Profiles::default().of_file("a.sgf"), [0; 0]);
    }
}
