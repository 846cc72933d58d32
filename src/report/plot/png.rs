//! A scene as PNG, words drawn with the embedded font.

use super::font::{face, glyphs, width};
use super::scene::{Anchor, Colour, INK, Scene, Shape, Text};
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};
use ttf_parser::OutlineBuilder;

pub(super) fn write(scene: &Scene, scale: f32) -> Result<Vec<u8>, String> {
    let pixels = |length: f32| ((length.ceil() * scale) as u32).max(1);
    let mut image = Pixmap::new(pixels(scene.width), pixels(scene.height)).ok_or("the image is too large")?;
    image.fill(tiny_skia::Color::WHITE);
    let transform = Transform::from_scale(scale, scale);
    for shape in &scene.shapes {
        match shape {
            Shape::Line { points, colour, width, dashes } => {
                let dash = if dashes.is_empty() { None } else { StrokeDash::new(dashes.to_vec(), 0.0) };
                let stroke = Stroke { width: *width, dash, line_join: tiny_skia::LineJoin::Round, ..Stroke::default() };
                if let Some(path) = path(points, false) {
                    image.stroke_path(&path, &paint(*colour, 1.0), &stroke, transform, None);
                }
            }
            Shape::Area { points, colour, opacity } => {
                if let Some(path) = path(points, true) {
                    image.fill_path(&path, &paint(*colour, *opacity), FillRule::Winding, transform, None);
                }
            }
            Shape::Text(text) => {
                if let Some(path) = outline(text) {
                    image.fill_path(&path, &paint(INK, 1.0), FillRule::Winding, transform, None);
                }
            }
        }
    }
    image.encode_png().map_err(|error| error.to_string())
}

fn paint((red, green, blue): Colour, opacity: f32) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
    paint
}

fn path(points: &[(f32, f32)], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (place, &(x, y)) in points.iter().enumerate() {
        if place == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

/// The outlines of all glyphs, where the words stand.
fn outline(text: &Text) -> Option<Path> {
    let scale = text.size / f32::from(face().units_per_em());
    let shift = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5,
        Anchor::End => 1.0,
    };
    let mut outlines = Outlines { path: PathBuilder::new(), left: -shift * width(&text.words, text.size) / scale };
    for (glyph, advance) in glyphs(&text.words) {
        face().outline_glyph(glyph, &mut outlines);
        outlines.left += advance;
    }
    // The font's vertical axis points up.
    let place = Transform::from_scale(scale, -scale).post_rotate(text.turn).post_translate(text.x, text.y);
    outlines.path.finish()?.transform(place)
}

struct Outlines {
    path: PathBuilder,
    left: f32,
}

impl OutlineBuilder for Outlines {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.left + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.left + x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.left + x1, y1, self.left + x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.cubic_to(self.left + x1, y1, self.left + x2, y2, self.left + x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
