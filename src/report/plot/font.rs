//! The embedded font: Roboto Regular, Latin and Greek (Google, Apache-2.0), for the widths of words and for PNG.

use std::sync::OnceLock;
use ttf_parser::{Face, GlyphId};

/// The font.
pub(super) fn face() -> &'static Face<'static> {
    static FACE: OnceLock<Face> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(include_bytes!("roboto-latin.ttf"), 0).expect("the embedded font is whole"))
}

/// Each character's glyph and advance, in units of the font; a character that the font lacks is its empty box.
pub(super) fn glyphs(words: &str) -> impl Iterator<Item = (GlyphId, f32)> + '_ {
    words.chars().map(|character| {
        let glyph = face().glyph_index(character).unwrap_or_default();
        (glyph, f32::from(face().glyph_hor_advance(glyph).unwrap_or(0)))
    })
}

/// The width of words at a size.
pub(super) fn width(words: &str, size: f32) -> f32 {
    glyphs(words).map(|(_, advance)| advance).sum::<f32>() * size / f32::from(face().units_per_em())
}
