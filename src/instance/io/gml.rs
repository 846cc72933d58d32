//! GML as networkx, igraph and Gephi write it: keys with values, and lists of them in brackets.
//!
//! `graph [ directed 1 node [ id 0 label "a" ] edge [ source 0 target 0 value 3 ] ]`. Every attribute of an edge is
//! kept that is not a list; of nodes, what they are called and where they lie (`graphics [ x 1 y 2 ]`).

use super::columns::Cell;
use super::file::{GraphFile, places_in};
use super::lines::{as_text, read_all};
use super::text::shortened;
use super::vertices::Declared;
use super::{Format, Place, Problem, ReadError, ReadOptions};
use std::borrow::Cow;
use std::io::BufRead;

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    let bytes = read_all(reader, options)?;
    let text = as_text(&bytes)?;
    let mut tokens = Tokens { text, at: 0 };
    let mut parser = Parser { path: vec![], directed: None, item: Item::default(), graph: Declared::new(options) };
    while let Some((start, token)) =
        tokens.next().map_err(|(at, problem)| ReadError::new(Place::at(text, at), problem))?
    {
        let taken = match token {
            Token::Word(key) => {
                match tokens.next().map_err(|(at, problem)| ReadError::new(Place::at(text, at), problem))? {
                    Some((_, value)) => parser.take(key, value, start),
                    None => Err(format!("the file ends after '{}'", shortened(key)).into()),
                }
            }
            Token::Close => parser.close(),
            Token::Open | Token::String(_) => Err("a value without a key before it".into()),
        };
        taken.map_err(|problem| ReadError::new(Place::at(text, start), problem))?;
    }
    if !parser.path.is_empty() {
        let why = "the file ends within a bracket: it seems to be cut off";
        return Err(ReadError::new(Place::at(text, text.len()), why));
    }
    let directed = parser.directed.ok_or_else(|| ReadError::new(Place::File, "there is no 'graph [' in the file"))?;
    parser.graph.finish(Format::Gml, Some(directed), |offsets| places_in(text, offsets))
}

enum Token<'a> {
    /// A key, or a number.
    Word(&'a str),
    String(Cow<'a, str>),
    Open,
    Close,
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    /// The next token, with where it starts.
    fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, (usize, Problem)> {
        self.skip();
        let start = self.at;
        let rest = &self.text[start..];
        let token = match rest.chars().next() {
            None => return Ok(None),
            Some('[') => Token::Open,
            Some(']') => Token::Close,
            Some('"') => {
                let length = rest[1..].find('"').ok_or((start, "this quote is never closed".into()))?;
                self.at += length + 2;
                return Ok(Some((start, Token::String(unescaped(&rest[1..1 + length])))));
            }
            Some(_) => {
                let ends = |sign: char| sign.is_whitespace() || ['[', ']', '"'].contains(&sign);
                let length = rest.find(ends).unwrap_or(rest.len());
                self.at += length;
                return Ok(Some((start, Token::Word(&rest[..length]))));
            }
        };
        self.at += 1;
        Ok(Some((start, token)))
    }

    /// Goes past white space and comments, which start with `#`.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }
}

/// Texts of GML are ASCII; other characters stand in it as `&#228;` or `&quot;`.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        // Entities are short; what is not one stays as it is.
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        match end.and_then(|end| Some((end, entity(&rest[1..end])?))) {
            Some((end, character)) => {
                out.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    Cow::Owned(out + rest)
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

/// What an open bracket belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Graph,
    Node,
    Edge,
    /// The drawing data of a node.
    Graphics,
    Other,
}

/// The keys and values of the node or edge that is being read.
#[derive(Default)]
struct Item {
    start: usize,
    values: Vec<(String, String)>,
}

impl Item {
    fn value(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    fn required(&self, key: &str, what: &str) -> Result<String, Problem> {
        self.value(key).map(str::to_owned).ok_or_else(|| format!("{what} has no '{key}'").into())
    }
}

struct Parser {
    path: Vec<Level>,
    directed: Option<bool>,
    item: Item,
    graph: Declared,
}

impl Parser {
    fn take(&mut self, key: &str, value: Token, start: usize) -> Result<(), Problem> {
        let value = match value {
            Token::Open => return self.open(key, start),
            Token::Close => return Err(format!("'{}' has no value", shortened(key)).into()),
            Token::Word(word) => Cow::Borrowed(word),
            Token::String(string) => string,
        };
        match self.path.last() {
            Some(Level::Graph) if key == "directed" => match &*value {
                "0" => self.directed = Some(false),
                "1" => self.directed = Some(true),
                other => return Err(format!("directed is '{}'", shortened(other)).into()),
            },
            Some(Level::Node | Level::Edge) => self.item.values.push((key.to_owned(), value.into_owned())),
            Some(Level::Graphics) if key == "x" || key == "y" => {
                self.item.values.push((key.to_owned(), value.into_owned()));
            }
            _ => (),
        }
        Ok(())
    }

    fn open(&mut self, key: &str, start: usize) -> Result<(), Problem> {
        let level = match (self.path.last(), key) {
            (None, "graph") if self.directed.is_some() => {
                return Err("a second graph: only files with one can be read".into());
            }
            (None, "graph") => {
                self.directed = Some(false);
                Level::Graph
            }
            (Some(Level::Graph), "node") => Level::Node,
            (Some(Level::Graph), "edge") => Level::Edge,
            (Some(Level::Graph), "graph") => return Err("a graph within a graph cannot be read".into()),
            (Some(Level::Node), "graphics") => Level::Graphics,
            _ => Level::Other,
        };
        if matches!(level, Level::Node | Level::Edge) {
            self.item = Item { start, values: vec![] };
        }
        self.path.push(level);
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        match self.path.pop() {
            Some(Level::Node) => self.close_node(),
            Some(Level::Edge) => self.close_edge(),
            Some(_) => Ok(()),
            None => Err("a bracket closes that was never opened".into()),
        }
    }

    fn close_node(&mut self) -> Result<(), Problem> {
        let item = std::mem::take(&mut self.item);
        self.graph.vertex(&item.required("id", "a node")?)?;
        // networkx writes a list as the same key several times.
        let listed: Vec<&str> =
            item.values.iter().filter(|(key, _)| key == "pos").map(|(_, value)| value.as_str()).collect();
        if let [x, y, ..] = listed[..] {
            self.graph.say("pos", &format!("{x},{y}"));
        }
        for (key, value) in item.values.iter().filter(|(key, _)| key != "id") {
            self.graph.say(key, value);
        }
        Ok(())
    }

    fn close_edge(&mut self) -> Result<(), Problem> {
        let item = std::mem::take(&mut self.item);
        let (source, target) = (item.required("source", "an edge")?, item.required("target", "an edge")?);
        self.graph.edge(source, target, item.start as u64);
        for (key, value) in item.values.iter().filter(|(key, _)| key != "source" && key != "target") {
            if !self.graph.has_attribute(key) {
                self.graph.attribute(key, Cell::Text(value))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_become_characters() {
        assert_eq!(
            unescaped("caf&#233; &quot;&amp;&#x41;&quot; & co; &nothing; &#xfffffff;"),
            "café \"&A\" & co; &nothing; &#xfffffff;"
        );
        assert_eq!(unescaped("&é;&"), "&é;&");
    }
}
