//! A scene as SVG.

use super::scene::{Anchor, Colour, Scene, Shape, Text};
use std::fmt::Write;

pub(super) fn write(scene: &Scene, title: &str) -> String {
    let (width, height) = (scene.width.ceil(), scene.height.ceil());
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"Roboto, Helvetica, Arial, sans-serif\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        escaped(title)
    );
    for shape in &scene.shapes {
        text += &match shape {
            Shape::Line { points, colour, width, dashes } => line(points, *colour, *width, dashes),
            Shape::Area { points, colour, opacity } => area(points, *colour, *opacity),
            Shape::Text(words) => words_of(words),
        };
    }
    text + "</svg>\n"
}

fn line(points: &[(f32, f32)], colour: Colour, width: f32, dashes: &[f32]) -> String {
    let dashes = match dashes {
        [] => String::new(),
        dashes => format!(" stroke-dasharray=\"{}\"", dashes.iter().map(f32::to_string).collect::<Vec<_>>().join(" ")),
    };
    format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{dashes}/>\n",
        list(points),
        hex(colour)
    )
}

fn area(points: &[(f32, f32)], colour: Colour, opacity: f32) -> String {
    let opacity = if opacity < 1.0 { format!(" fill-opacity=\"{opacity}\"") } else { String::new() };
    format!("<polygon points=\"{}\" fill=\"{}\"{opacity}/>\n", list(points), hex(colour))
}

fn words_of(text: &Text) -> String {
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let (x, y) = (text.x, text.y);
    let turn =
        if text.turn == 0.0 { String::new() } else { format!(" transform=\"rotate({} {x:.1} {y:.1})\"", text.turn) };
    let words = escaped(&text.words);
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"#222222\"{turn}>{words}</text>\n",
        text.size
    )
}

fn list(points: &[(f32, f32)]) -> String {
    let mut text = String::new();
    for (x, y) in points {
        let _ = write!(text, "{x:.1},{y:.1} ");
    }
    text.trim_end().to_owned()
}

fn hex((red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Text of an element. XML has no way to write most control characters, not even escaped ones, so they are shown as on a terminal.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.extend(character.escape_default()),
            '\u{fffe}' | '\u{ffff}' => safe.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ if character.is_control() => safe.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Anchor, Scene, Shape, Text};
    use super::*;
    use quick_xml::events::Event;
    use quick_xml::reader::Reader;

    /// The characters that XML 1.0 allows.
    fn is_allowed(character: char) -> bool {
        matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
    }

    #[test]
    fn every_name_gives_well_formed_xml() {
        let all: String = ('\0'..='\u{9f}').chain(['é', '\u{fffd}', '\u{fffe}', '\u{ffff}', '🙂']).collect();
        for name in [all.as_str(), "a\u{1b}[31m", "]]>", "<b>&amp;\"'", "c\nnew"] {
            let words = Text { x: 1.0, y: 2.0, size: 3.0, anchor: Anchor::Start, turn: 0.0, words: name.to_owned() };
            let image = write(&Scene { width: 9.0, height: 9.0, shapes: vec![Shape::Text(words)] }, name);
            assert!(image.chars().all(is_allowed), "{image:?}");
            assert_eq!(image.lines().count(), 5, "{image}");
            let mut xml = Reader::from_str(&image);
            while xml.read_event().unwrap_or_else(|error| panic!("{error}: {image}")) != Event::Eof {}
        }
    }
}
