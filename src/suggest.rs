//! "Did you mean": the nearest of some known words.

/// The known word nearest to a text, where it is near enough to be meant.
#[must_use]
pub fn nearest<'a>(text: &str, known: &[&'a str]) -> Option<&'a str> {
    let text = squeeze(text);
    let distance = |word: &str| edit_distance(&text, &squeeze(word));
    let best = known.iter().copied().min_by_key(|word| distance(word))?;
    (distance(best) <= text.chars().count().div_ceil(3)).then_some(best)
}

/// What to say of a word that is not known: those that are, and the one that was
/// perhaps meant.
#[must_use]
pub fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    let hint =
        nearest(word, known).map_or(String::new(), |near| format!("; did you mean '{near}'?"));
    format!(
        "unknown {what} '{word}'; known are {}{hint}",
        known.join(", ")
    )
}

/// Lower case, letters and digits only.
fn squeeze(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Levenshtein distance.
fn edit_distance(one: &str, two: &str) -> usize {
    let two: Vec<char> = two.chars().collect();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in two.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j].min(row[j + 1]) + 1);
        }
    }
    row[two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        let known = ["rules", "komi", "default-komi"];
        assert_eq!(nearest("rule", &known), Some("rules"));
        assert_eq!(nearest("Komy", &known), Some("komi"));
        assert_eq!(nearest("xyzzy", &known), None);
    }
}
