//! The data of a page as JSON, and the page that holds it.

use serde::Serialize;

use super::{
    Page,
    count::{Confidences, Differences, LengthBars, Shown, Statuses},
    fold::{BROKEN, Fold, Kept, MISMATCH},
    table::Field,
};
use crate::label::Status;

/// What the page's script reads.
#[derive(Serialize)]
struct Data<'a> {
    about: &'a super::About,
    rows: u64,
    /// Words of statuses, in the order of every list of counts.
    statuses: Vec<&'static str>,
    counts: Statuses,
    groups: Groups<'a>,
    differences: &'a Differences,
    confidences: &'a Confidences,
    lengths: LengthBars,
    mismatches: Rows<Mismatch<'a>>,
    broken: Rows<&'a [String]>,
}

#[derive(Serialize)]
struct Groups<'a> {
    folder: Shown<'a>,
    game: Shown<'a>,
    rules: Shown<'a>,
    /// Nothing where the rows have no dates.
    year: Option<Shown<'a>>,
}

/// The rows of one kind that are shown.
#[derive(Serialize)]
struct Rows<R> {
    /// How many there are, shown or not.
    total: u64,
    columns: Vec<&'static str>,
    rows: Vec<R>,
}

/// Values, difference in points, board, note.
type Mismatch<'a> = (&'a [String], Option<f64>, Option<&'a str>, &'a str);

fn names(fields: &[Field]) -> Vec<&'static str> {
    fields.iter().map(|field| field.name()).collect()
}

fn mismatch(kept: &Kept) -> Mismatch<'_> {
    let difference = kept.difference.map(|quarters| f64::from(quarters) / 4.0);
    (&kept.values, difference, kept.board.as_deref(), &kept.note)
}

/// The data as JSON that can stand in a script element.
pub(super) fn json(page: &Page<'_>) -> Result<String, serde_json::Error> {
    let fold: &Fold = page.fold;
    let data = Data {
        about: page.about,
        rows: fold.rows,
        statuses: Status::ALL.iter().map(|status| status.word()).collect(),
        counts: fold.statuses,
        groups: Groups {
            folder: fold.folders.shown(),
            game: fold.games.shown(),
            rules: fold.rules.shown(),
            year: fold.years.as_ref().map(super::count::Groups::shown),
        },
        differences: &fold.differences,
        confidences: &fold.confidences,
        lengths: fold.lengths.bars(),
        mismatches: Rows {
            total: fold.mismatch_count(),
            columns: names(MISMATCH),
            rows: fold.mismatches.iter().map(mismatch).collect(),
        },
        broken: Rows {
            total: fold.of_status(Status::Broken),
            columns: names(BROKEN),
            rows: fold.broken.iter().map(Vec::as_slice).collect(),
        },
    };
    Ok(escape_json(&serde_json::to_string(&data)?))
}

/// JSON without the signs that could end a script element or a line of script.
/// They stand only in texts, where an escape means the same.
fn escape_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    for letter in json.chars() {
        match letter {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            // Would turn the text around it about.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
    out
}

/// A text as it can stand in an element of HTML.
pub(super) fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

/// A template with what stands for its `{{name}}`s; what is put in is not
/// looked at again.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, name, after)) = rest.split_once("{{").and_then(|(before, after)| {
        let (name, after) = after.split_once("}}")?;
        Some((before, name, after))
    }) {
        out.push_str(before);
        let value = values.iter().find(|(known, _)| *known == name);
        out.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_end_its_element() {
        let hostile = "</script><!--<script>\u{2028}\u{2029}&amp;\u{0}\"\\\u{1}";
        let json = escape_json(&serde_json::to_string(hostile).unwrap());
        assert!(!json.contains(['<', '>', '&', '\u{2028}', '\u{2029}', '\u{0}', '\u{1}']));
        let back: String = serde_json::from_str(&json).unwrap();
        assert_eq!(back, hostile);
        // A sign that turns the text behind it about is taken out.
        assert_eq!(escape_json("a\u{202e}b"), "a\u{fffd}b");
    }

    #[test]
    fn a_template_is_filled_once() {
        let filled = fill("<{{a}}|{{b}}|{{unknown}}>{{", &[("a", "{{b}}"), ("b", "x")]);
        assert_eq!(filled, "<{{b}}|x|>{{");
        assert_eq!(escape_text("<b>&\"\n"), "&lt;b&gt;&amp;&quot;\u{fffd}");
    }
}
