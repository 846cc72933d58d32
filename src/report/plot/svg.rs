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

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
