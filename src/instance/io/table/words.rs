//! Words that name columns: which two are the ends of an edge.

/// Pairs that mean the ends of an edge by themselves.
const PAIRS: [(&str, &str); 18] = [
    ("source", "target"),
    ("u", "v"),
    ("from", "to"),
    ("tail", "head"),
    ("src", "dst"),
    ("source", "destination"),
    ("source", "dest"),
    ("source", "sink"),
    ("src", "dest"),
    ("src", "tgt"),
    ("origin", "destination"),
    ("origin", "dest"),
    ("orig", "dest"),
    ("start", "end"),
    ("begin", "end"),
    ("start", "finish"),
    ("parent", "child"),
    ("departure", "arrival"),
];

/// The first pairs are never the names of vertices on a first line; the others may be, and the file shows it.
const CERTAIN: usize = 5;

/// Pairs that mean the ends of an edge beside a word such as `node`: `a_node,b_node`.
const WEAK_PAIRS: [(&str, &str); 6] = [("a", "b"), ("1", "2"), ("0", "1"), ("i", "j"), ("x", "y"), ("one", "two")];

/// What stands beside the word that matters: `from_node_id`.
const FILLERS: [&str; 14] = [
    "node", "vertex", "id", "name", "station", "stop", "point", "place", "city", "index", "number", "label",
    "junction", "town",
];

/// Two columns that are the ends of edges by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    pub tail: usize,
    pub head: usize,
    /// Nobody calls vertices so.
    pub certain: bool,
}

/// The ends of edges, if the fields are names of columns.
pub(super) fn ends<'a>(fields: impl Iterator<Item = &'a str>) -> Option<Ends> {
    let words: Vec<(String, bool)> = fields.map(core_word).collect();
    let find = |wanted: &str, with_filler: bool| {
        words.iter().position(|(word, had_filler)| word == wanted && (*had_filler || !with_filler))
    };
    let pairs = PAIRS.iter().enumerate().map(|(index, pair)| (pair, false, index < CERTAIN));
    let weak = WEAK_PAIRS.iter().map(|pair| (pair, true, false));
    pairs.chain(weak).find_map(|((tail, head), with_filler, certain)| {
        let (tail, head) = (find(tail, with_filler)?, find(head, with_filler)?);
        let plain = !words[tail].1 && !words[head].1;
        Some(Ends { tail, head, certain: certain && plain && (tail, head) == (0, 1) })
    })
}

/// A name without fillers, in small letters, and whether it had any: `FromNodeId` is `from`.
fn core_word(name: &str) -> (String, bool) {
    let parts = split_words(name);
    let core: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !FILLERS.contains(part)).collect();
    (core.concat(), core.len() < parts.len())
}

/// The words of `from_node`, `fromNode` and `node1`, in small letters.
fn split_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    let mut before = ' ';
    for letter in name.chars() {
        let starts = letter.is_uppercase() && before.is_lowercase()
            || letter.is_numeric() != before.is_numeric()
            || !before.is_alphanumeric();
        if letter.is_alphanumeric() {
            if starts || words.is_empty() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(letter.to_lowercase());
            }
        }
        before = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(header: &str) -> Option<(usize, usize, bool)> {
        ends(header.split(',')).map(|ends| (ends.tail, ends.head, ends.certain))
    }

    #[test]
    fn the_ends_of_edges_are_known_by_many_names() {
        for (header, expected) in [
            ("source,target", (0, 1, true)),
            ("U,V,w", (0, 1, true)),
            ("id,from,to,length", (1, 2, false)),
            ("FromNodeId,ToNodeId", (0, 1, false)),
            ("a_node,b_node", (0, 1, false)),
            ("node1,node2,km", (0, 1, false)),
            ("start_station_name,end station name", (0, 1, false)),
            ("Type,Source ID,Target ID", (1, 2, false)),
            ("origin,destination", (0, 1, false)),
        ] {
            assert_eq!(found(header), Some(expected), "{header}");
        }
        for header in ["a,b", "1,2", "Harbour,Market", "x,y", "node,edge", ","] {
            assert_eq!(found(header), None, "{header}");
        }
    }
}
