//! Words for messages: shortened texts, counts, lists, and the name that was probably meant.

/// What a message shows of a text that may be long and may hold line breaks.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown = String::new();
    for character in text.chars().take(LONGEST) {
        match character.is_control() {
            true => shown.extend(character.escape_debug()),
            false => shown.push(character),
        }
    }
    if text.chars().nth(LONGEST).is_some() { shown + "…" } else { shown }
}

/// `1 edge`, `2 edges`, `2 vertices`.
pub(super) fn counted(count: usize, thing: &str) -> String {
    match (count, thing) {
        (1, _) => format!("1 {thing}"),
        (_, "vertex") => format!("{count} vertices"),
        _ => format!("{count} {thing}s"),
    }
}

/// The things that a message names before it only counts the rest.
const LISTED: usize = 8;

/// `` `a`, `b` and `c` ``.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut shown: Vec<String> = vec![];
    let mut more = 0;
    for name in names {
        match shown.len() < LISTED {
            true => shown.push(format!("`{}`", shortened(name))),
            false => more += 1,
        }
    }
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    match shown.pop() {
        None => "nothing".to_owned(),
        Some(last) if shown.is_empty() => last,
        Some(last) => format!("{} and {last}", shown.join(", ")),
    }
}

/// The one of `known` that somebody who typed `name` probably meant: the same but for capitals, or few letters away.
///
/// ```
/// use tiebreak::instance::io::closest;
/// assert_eq!(closest("Valjaen", ["Myriel", "Valjean"]), Some("Valjean"));
/// assert_eq!(closest("x", ["Myriel", "Valjean"]), None);
/// ```
pub fn closest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.to_lowercase().chars().take(LONGEST_COMPARED).collect();
    let allowed = (wanted.len() / 3).min(3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let within = best.map_or(allowed, |(distance, _)| distance.saturating_sub(1));
        // Letters that are missing or too many cost one each, so most candidates are out by their length.
        if candidate.len() > 4 * (wanted.len() + within) || (best.is_some() && within == 0) {
            continue;
        }
        let letters: Vec<char> = candidate.to_lowercase().chars().take(LONGEST_COMPARED).collect();
        if letters.len().abs_diff(wanted.len()) <= within {
            let distance = edit_distance(&wanted, &letters);
            if distance <= within {
                best = Some((distance, candidate));
            }
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The only one of the known names that has this one as a part of it, whatever the case.
///
/// ```
/// use tiebreak::instance::io::containing;
/// assert_eq!(containing("valjean", ["Jean Valjean", "Cosette"]), Some("Jean Valjean"));
/// assert_eq!(containing("et", ["Cosette", "Azelma et Gavroche"]), None);
/// ```
pub fn containing<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let part = name.to_lowercase();
    let mut found = known.into_iter().filter(|candidate| candidate.to_lowercase().contains(&part));
    found.next().filter(|_| !part.is_empty() && found.next().is_none())
}

const LONGEST_COMPARED: usize = 100;

/// The fewest letters to change, add, leave out or swap with the next one.
fn edit_distance(one: &[char], other: &[char]) -> usize {
    let mut before_last: Vec<usize> = vec![];
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, against) in other.iter().enumerate() {
            let change = last[column] + usize::from(letter != against);
            let mut least = change.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && one[row - 1] == *against && *letter == other[column - 1] {
                least = least.min(before_last[column - 1] + 1);
            }
            current.push(least);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_shortened_and_stay_on_one_line() {
        assert_eq!(shortened("a\nb"), "a\\nb");
        assert_eq!(shortened(&"x".repeat(50)).chars().count(), 41);
    }

    #[test]
    fn counts_agree_with_their_nouns() {
        assert_eq!(counted(1, "vertex"), "1 vertex");
        assert_eq!(counted(0, "vertex"), "0 vertices");
        assert_eq!(counted(2, "edge"), "2 edges");
    }

    #[test]
    fn lists_end_with_and() {
        assert_eq!(listed(["a"]), "`a`");
        assert_eq!(listed(["a", "b", "c"]), "`a`, `b` and `c`");
        assert!(listed(["x"; 20]).ends_with("and 12 more"));
    }

    #[test]
    fn slips_of_the_finger_are_recognised() {
        let names = ["Valjean", "Javert", "Cosette", "Myriel", "A"];
        for (typed, meant) in [
            ("valjean", Some("Valjean")),
            ("Vlajean", Some("Valjean")),
            ("Javer", Some("Javert")),
            ("Cossete", Some("Cosette")),
            ("a", Some("A")),
            ("Thénardier", None),
            ("", None),
        ] {
            assert_eq!(closest(typed, names), meant, "{typed}");
        }
        assert_eq!(edit_distance(&['a', 'b'], &['b', 'a']), 1);
        assert_eq!(edit_distance(&[], &['b', 'a']), 2);
    }
}
