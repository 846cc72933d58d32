//! The attributes that networkx writes behind an edge: a Python dictionary on one line, such as `{'weight': 3}`.

use crate::instance::Decimal;

/// The value of an attribute.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value {
    Number(Decimal),
    Word(String),
    /// `None`.
    Missing,
}

/// The keys and values of a dictionary; `None` when the text is not one.
pub(super) fn parse(text: &str) -> Option<Vec<(String, Value)>> {
    let mut rest = text.strip_prefix('{')?.strip_suffix('}')?.trim();
    let mut items = vec![];
    while !rest.is_empty() {
        let (key, after) = item(rest, ':')?;
        let (value, after) = item(after.strip_prefix(':')?.trim_start(), ',')?;
        let key = string(key).unwrap_or_else(|| key.to_owned());
        items.push((key, evaluate(value)?));
        rest = match after.strip_prefix(',') {
            Some(after) => after.trim_start(),
            None if after.is_empty() => after,
            None => return None,
        };
    }
    Some(items)
}

/// The text up to the `end` that stands outside of quotes and brackets, and what follows from there.
fn item(text: &str, end: char) -> Option<(&str, &str)> {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (place, sign) in text.char_indices() {
        match (quote, sign) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if sign == open => quote = None,
            (Some(_), _) => (),
            (None, '\'' | '"') => quote = Some(sign),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
            (None, _) if sign == end && depth == 0 => return Some((text[..place].trim(), &text[place..])),
            (None, _) => (),
        }
    }
    // Only the last value ends with the text.
    (end == ',' && depth == 0 && quote.is_none() && !text.is_empty()).then(|| (text.trim(), ""))
}

fn evaluate(text: &str) -> Option<Value> {
    if text == "None" {
        return Some(Value::Missing);
    }
    if let Some(string) = string(text) {
        return Some(Value::Word(string));
    }
    // numpy's numbers show their type: np.float64(0.5).
    let inner = text.strip_prefix("np.").and_then(|call| call.split_once('(')?.1.strip_suffix(')'));
    if let Ok(number) = inner.unwrap_or(text).parse() {
        return Some(Value::Number(number));
    }
    let is_one_word = text.contains(['(', '[', '{']) || !text.contains([' ', '\'', '"']);
    is_one_word.then(|| Value::Word(text.to_owned()))
}

/// The text of a string, without its quotes.
fn string(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|first| ['\'', '"'].contains(first))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    if !inner.contains('\\') {
        return Some(inner.to_owned());
    }
    let mut out = String::with_capacity(inner.len());
    let mut signs = inner.chars();
    while let Some(sign) = signs.next() {
        match (sign, sign == '\\') {
            (_, false) => out.push(sign),
            _ => match signs.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other @ ('\\' | '\'' | '"')) => out.push(other),
                Some(other) => out.extend(['\\', other]),
                None => return None,
            },
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_as_python_writes_them() {
        let number = |text: &str| Value::Number(text.parse().unwrap());
        let word = |text: &str| Value::Word(text.to_owned());
        assert_eq!(parse("{}"), Some(vec![]));
        assert_eq!(
            parse(
                "{'weight': 3, 'x': 0.5, \"it's\": 'a, b: c', 'pos': (1, 2), 'no': None, 'np': np.float64(0.25), 'ok': True}"
            ),
            Some(vec![
                ("weight".into(), number("3")),
                ("x".into(), number("0.5")),
                ("it's".into(), word("a, b: c")),
                ("pos".into(), word("(1, 2)")),
                ("no".into(), Value::Missing),
                ("np".into(), number("0.25")),
                ("ok".into(), word("True")),
            ])
        );
        assert_eq!(parse("{'a': 'it\\'s'}"), Some(vec![("a".into(), word("it's"))]));
        for broken in ["", "{", "{'a'}", "{'a': }", "{'a': 1 'b': 2}", "{'a': [1}", "{'a: 1}", "{)}"] {
            assert_eq!(parse(broken), None, "{broken}");
        }
    }
}
