//! What the readers of XML share: events with their place, attributes, entities.

use super::text::shortened;
use super::{Place, Problem, ReadError};
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

/// What happens in a document, as far as it matters to a graph.
pub(super) trait Handler {
    /// An element opens at that byte of the text.
    fn open(&mut self, element: &BytesStart, position: u64) -> Result<(), Problem>;
    /// The element that opened last and is still open closes.
    fn close(&mut self) -> Result<(), Problem>;
    /// A piece of text, which may be one of several.
    fn text(&mut self, text: &str);
}

/// Lets `handler` see a whole document.
pub(super) fn read(text: &str, handler: &mut impl Handler) -> Result<(), ReadError> {
    let mut xml = Reader::from_str(text);
    let at = |position: u64| Place::at(text, position as usize);
    let mut depth = 0usize;
    loop {
        let position = xml.buffer_position();
        let event = xml.read_event().map_err(|error| {
            ReadError::new(at(xml.error_position()), format!("this is not well-formed XML: {error}"))
        })?;
        match event {
            Event::Eof if depth > 0 => {
                let why = "the XML ends too early: the file seems to be cut off";
                return Err(ReadError::new(Place::at(text, text.len()), why));
            }
            Event::Eof => return Ok(()),
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => (),
        }
        take(event, position, handler).map_err(|problem| ReadError::new(at(position), problem))?;
    }
}

fn take(event: Event, position: u64, handler: &mut impl Handler) -> Result<(), Problem> {
    match event {
        Event::Start(element) => handler.open(&element, position),
        Event::Empty(element) => {
            handler.open(&element, position)?;
            handler.close()
        }
        Event::End(_) => handler.close(),
        Event::Text(text) => {
            handler.text(&text);
            Ok(())
        }
        Event::CData(text) => {
            handler.text(&text);
            Ok(())
        }
        Event::GeneralRef(reference) => {
            handler.text(&resolve(&reference)?);
            Ok(())
        }
        Event::DocType(_) => Err("a document type (DTD) is refused: it could pull in other files".into()),
        Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::Eof => Ok(()),
    }
}

pub(super) fn attribute(element: &BytesStart, name: &str) -> Result<Option<String>, Problem> {
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| format!("this is not well-formed XML: {error}"))?;
        let key: &str = attribute.key.as_ref();
        if key == name {
            let value = attribute.normalized_value(XmlVersion::Explicit1_0);
            let value = value.map_err(|error| format!("the attribute '{name}' cannot be read: {error}"))?;
            return Ok(Some(value.into_owned()));
        }
    }
    Ok(None)
}

pub(super) fn required(element: &BytesStart, name: &str) -> Result<String, Problem> {
    let local = element.local_name();
    let tag: &str = local.as_ref();
    attribute(element, name)?.ok_or_else(|| format!("<{}> has no attribute '{name}'", shortened(tag)).into())
}

/// The text of `&lt;` or `&#60;`.
fn resolve(reference: &BytesRef) -> Result<String, Problem> {
    let name: &str = reference;
    let unknown = || Problem::from(format!("the entity '&{};' is not known", shortened(name)));
    if let Some(character) = reference.resolve_char_ref().map_err(|_| unknown())? {
        return Ok(character.to_string());
    }
    resolve_predefined_entity(name).map(str::to_owned).ok_or_else(unknown)
}
