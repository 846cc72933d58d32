//! What a figure is made of, before it is written in some format. Units are those of the SVG.

/// Everything to be drawn, in order.
pub(super) struct Scene {
    pub width: f32,
    pub height: f32,
    pub shapes: Vec<Shape>,
}

/// Red, green and blue.
pub(super) type Colour = (u8, u8, u8);

pub(super) const INK: Colour = (0x22, 0x22, 0x22);
pub(super) const GREY: Colour = (0xdd, 0xdd, 0xdd);
pub(super) const WHITE: Colour = (0xff, 0xff, 0xff);

pub(super) enum Shape {
    /// Lines from point to point.
    Line { points: Vec<(f32, f32)>, colour: Colour, width: f32, dashes: &'static [f32] },
    /// A filled polygon.
    Area { points: Vec<(f32, f32)>, colour: Colour, opacity: f32 },
    /// Words.
    Text(Text),
}

pub(super) struct Text {
    pub x: f32,
    pub y: f32,
    pub size: f32,
    pub words: String,
    pub anchor: Anchor,
    /// Degrees, clockwise, around (x, y).
    pub turn: f32,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Text {
    pub fn of(words: &str, anchor: Anchor) -> Self {
        Text { x: 0.0, y: 0.0, size: 11.0, words: words.to_owned(), anchor, turn: 0.0 }
    }
}

impl Scene {
    pub fn line(&mut self, points: Vec<(f32, f32)>, colour: Colour, width: f32) {
        self.shapes.push(Shape::Line { points, colour, width, dashes: &[] });
    }

    pub fn dashed(&mut self, points: Vec<(f32, f32)>, colour: Colour, width: f32, dashes: &'static [f32]) {
        self.shapes.push(Shape::Line { points, colour, width, dashes });
    }

    pub fn area(&mut self, points: Vec<(f32, f32)>, colour: Colour, opacity: f32) {
        self.shapes.push(Shape::Area { points, colour, opacity });
    }

    pub fn text(&mut self, text: Text) {
        self.shapes.push(Shape::Text(text));
    }
}

/// How one series is told from the others.
pub(super) struct Style {
    pub colour: Colour,
    pub dashes: &'static [f32],
    pub marker: usize,
    pub hatching: usize,
}

/// Okabe and Ito's colours, in an order that puts dark beside light.
const COLOURS: [Colour; 7] = [
    (0x00, 0x72, 0xb2),
    (0xe6, 0x9f, 0x00),
    (0x00, 0x9e, 0x73),
    (0xd5, 0x5e, 0x00),
    (0xcc, 0x79, 0xa7),
    (0x56, 0xb4, 0xe9),
    (0x55, 0x55, 0x55),
];

const DASHES: [&[f32]; 4] = [&[], &[6.0, 3.0], &[2.0, 2.5], &[8.0, 3.0, 2.0, 3.0]];

impl Style {
    pub fn number(place: usize) -> Self {
        Style {
            colour: COLOURS[place % COLOURS.len()],
            dashes: DASHES[place % DASHES.len()],
            marker: place % 5,
            hatching: place % 4,
        }
    }
}

/// A marker's outline around a point.
pub(super) fn marker(kind: usize, x: f32, y: f32, size: f32) -> Vec<(f32, f32)> {
    let around = |corners: usize, turn: f32| {
        let corner = move |place: usize| {
            let angle = (place as f32 / corners as f32 + turn) * std::f32::consts::TAU;
            (x + size * angle.sin(), y - size * angle.cos())
        };
        (0..corners).map(corner).collect()
    };
    match kind {
        0 => around(20, 0.0),
        1 => around(4, 0.125),
        2 => around(3, 0.0),
        3 => around(4, 0.0),
        _ => around(3, 0.5),
    }
}
