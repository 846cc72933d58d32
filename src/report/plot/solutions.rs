//! One graph several times, each time with another solution in it.

use super::scene::{Anchor, Colour, GREY, INK, Scene, Style, Text, WHITE, marker};
use crate::report::{Draw, Exhibit};
use std::f32::consts::TAU;

/// The most vertices that such a drawing is readable with.
pub const MOST_VERTICES: usize = 60;
/// The most solutions that are drawn.
const MOST_PANELS: usize = 12;
const COLUMNS: usize = 3;
const SIDE: f32 = 200.0;
const MARGIN: f32 = 36.0;
const HEADING: f32 = 22.0;
const RADIUS: f32 = 12.0;
/// Weights are written on so many edges at the most.
const MOST_WEIGHTS: usize = 24;

type Point = (f32, f32);

pub(super) fn scene(exhibit: &Exhibit) -> Scene {
    let draws = &exhibit.draws[..exhibit.draws.len().min(MOST_PANELS)];
    let (columns, rows) = (draws.len().clamp(1, COLUMNS), draws.len().div_ceil(COLUMNS));
    let (width, height) = (SIDE + 2.0 * MARGIN, SIDE + 2.0 * MARGIN + HEADING);
    let mut scene = Scene { width: columns as f32 * width, height: rows as f32 * height, shapes: vec![] };
    for (place, draw) in draws.iter().enumerate() {
        let corner = ((place % COLUMNS) as f32 * width, (place / COLUMNS) as f32 * height);
        let heading = format!("{} of {}", place + 1, exhibit.solutions.as_deref().unwrap_or("several"));
        let at = Text { x: corner.0 + width / 2.0, y: corner.1 + HEADING, ..Text::of(&heading, Anchor::Middle) };
        scene.text(at);
        let places: Vec<Point> = (0..exhibit.vertices.len())
            .map(|vertex| {
                let (x, y) = place_of(exhibit, vertex);
                (corner.0 + MARGIN + x * SIDE, corner.1 + HEADING + MARGIN + y * SIDE)
            })
            .collect();
        draw_one(&mut scene, exhibit, draw, &places);
    }
    scene
}

/// Where a vertex lies, from 0 to 1 to the right and down: as somebody said, or on a circle with the first on top.
fn place_of(exhibit: &Exhibit, vertex: usize) -> Point {
    let Some(positions) = &exhibit.positions else {
        let angle = vertex as f32 / exhibit.vertices.len() as f32 * TAU;
        return (0.5 + 0.5 * angle.sin(), 0.5 - 0.5 * angle.cos());
    };
    let ends = |axis: fn(&(f64, f64)) -> f64| {
        let least = positions.iter().map(axis).fold(f64::INFINITY, f64::min);
        (least, positions.iter().map(axis).fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, right), (low, high)) = (ends(|place| place.0), ends(|place| place.1));
    let extent = (right - left).max(high - low).max(f64::MIN_POSITIVE);
    let (x, y) = positions[vertex];
    (((x - left) / extent) as f32, ((high - y) / extent) as f32)
}

fn draw_one(scene: &mut Scene, exhibit: &Exhibit, draw: &Draw, places: &[Point]) {
    let chosen = Style::number(0).colour;
    let is_chosen = |tail: usize, head: usize| draw.parents.get(head) == Some(&tail) && tail != head;
    for edge in &exhibit.edges {
        scene.line(vec![places[edge.tail], places[edge.head]], GREY, 1.5);
        if exhibit.directed && !is_chosen(edge.tail, edge.head) {
            arrow(scene, places[edge.tail], places[edge.head], (0xaa, 0xaa, 0xaa));
        }
    }
    for (child, &parent) in draw.parents.iter().enumerate().filter(|&(child, parent)| child != *parent) {
        scene.line(vec![places[parent], places[child]], chosen, 3.5);
        arrow(scene, places[parent], places[child], chosen);
    }
    if exhibit.edges.len() <= MOST_WEIGHTS {
        exhibit
            .edges
            .iter()
            .for_each(|edge| weight(scene, edge.weight.as_deref(), places[edge.tail], places[edge.head]));
    }
    let count = places.len().max(1) as f32;
    let middle = places.iter().fold((0.0, 0.0), |sum, place| (sum.0 + place.0 / count, sum.1 + place.1 / count));
    for (vertex, name) in exhibit.vertices.iter().enumerate() {
        let (x, y) = places[vertex];
        let is_root = draw.parents.get(vertex) == Some(&vertex);
        scene.area(marker(0, x, y, RADIUS), if is_root { chosen } else { INK }, 1.0);
        scene.area(marker(0, x, y, RADIUS - if is_root { 3.0 } else { 1.2 }), WHITE, 1.0);
        // Long names stand outside, where fewer edges are.
        let away = if name.chars().count() <= 2 { 0.0 } else { RADIUS + 10.0 };
        let (right, down) = (x - middle.0, y - middle.1);
        let distance = right.hypot(down).max(1.0);
        let (x, y) = (x + away * right / distance, y + away * down / distance + 4.0);
        scene.text(Text { x, y, ..Text::of(name, Anchor::Middle) });
    }
}

/// The head of an arrow, at the rim of the vertex that it leads to.
fn arrow(scene: &mut Scene, (from_x, from_y): Point, (to_x, to_y): Point, colour: Colour) {
    let (x, y) = (to_x - from_x, to_y - from_y);
    let length = x.hypot(y).max(1.0);
    let (x, y) = (x / length, y / length);
    let at = |along: f32, aside: f32| (to_x - along * x - aside * y, to_y - along * y + aside * x);
    scene.area(vec![at(RADIUS, 0.0), at(RADIUS + 9.0, 4.5), at(RADIUS + 9.0, -4.5)], colour, 1.0);
}

fn weight(scene: &mut Scene, words: Option<&str>, (from_x, from_y): Point, (to_x, to_y): Point) {
    let Some(words) = words else { return };
    // Not in the middle, where edges cross.
    let (x, y) = (0.6 * from_x + 0.4 * to_x, 0.6 * from_y + 0.4 * to_y);
    let half = 3.5 * words.len() as f32;
    scene.area(vec![(x - half, y - 7.0), (x + half, y - 7.0), (x + half, y + 7.0), (x - half, y + 7.0)], WHITE, 0.85);
    scene.text(Text { x, y: y + 4.0, ..Text::of(words, Anchor::Middle) });
}

#[cfg(test)]
mod tests {
    use crate::report::{Draw, Exhibit, ExhibitEdge};

    #[test]
    fn every_solution_is_drawn_with_its_edges_and_names_stay_text() {
        let edge = |tail, head| ExhibitEdge { tail, head, weight: Some("1".to_owned()) };
        let draw = |parents: &[usize]| Draw { parents: parents.to_vec(), ..Draw::default() };
        let exhibit = Exhibit {
            vertices: ["a", "b<", "c", "d"].map(str::to_owned).to_vec(),
            edges: vec![edge(0, 1), edge(0, 2), edge(1, 3), edge(2, 3)],
            draws: vec![draw(&[0, 0, 0, 1]), draw(&[0, 0, 0, 2])],
            solutions: Some("2".to_owned()),
            ..Exhibit::default()
        };
        let svg = super::super::solutions_svg(&exhibit);
        assert!(svg.contains("1 of 2") && svg.contains("2 of 2") && svg.contains("b&lt;") && !svg.contains("b<<"));
        assert_eq!(svg.matches("stroke-width=\"3.5\"").count(), 6, "three tree edges each");
    }
}
