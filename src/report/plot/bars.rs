//! Bars in groups, with whiskers of one deviation.

use super::font;
use super::frame::Frame;
use super::scene::{Anchor, Colour, INK, Scene, Style, Text, WHITE};
use crate::report::Panel;

const LABEL_SIZE: f32 = 10.0;
const TURN: f32 = -35.0;

/// The room that the names of groups need below the axis.
pub(super) fn label_height(categories: &[String]) -> f32 {
    let longest = categories.iter().map(|name| font::width(name, LABEL_SIZE)).fold(0.0, f32::max);
    if longest < 40.0 { 24.0 } else { 20.0 + longest * 0.58 }
}

pub(super) fn draw(scene: &mut Scene, panel: &Panel, frame: &Frame, style: &dyn Fn(&str) -> Style) {
    let group = frame.x(1.0) - frame.x(0.0);
    for (place, category) in panel.categories.iter().enumerate() {
        let here = place as f64;
        // Only the series that have something here share the room.
        let present = panel.series.iter().filter_map(|series| {
            let point = series.points.iter().find(|point| point.x == here)?;
            Some((series, point))
        });
        let present: Vec<_> = present.collect();
        let width = (group * 0.8 / present.len().max(1) as f32).min(26.0);
        let first = frame.x(here) - width * present.len() as f32 / 2.0;
        for (number, (series, point)) in present.iter().enumerate() {
            let (left, right) = (first + width * number as f32 + 0.7, first + width * (number + 1) as f32 - 0.7);
            let top = frame.y(point.y).min(frame.bottom() - 1.0);
            bar(scene, (left, top, right, frame.bottom()), &style(&series.name));
            if let Some(deviation) = point.deviation.filter(|deviation| *deviation > 0.0) {
                whisker(scene, (left + right) / 2.0, frame.y(point.y - deviation), frame.y(point.y + deviation));
            }
        }
        label(scene, category, frame.x(here), frame.bottom());
    }
}

fn label(scene: &mut Scene, name: &str, x: f32, bottom: f32) {
    let text = match font::width(name, LABEL_SIZE) < 40.0 {
        true => Text { x, y: bottom + 15.0, size: LABEL_SIZE, ..Text::of(name, Anchor::Middle) },
        false => Text { x: x + 4.0, y: bottom + 12.0, size: LABEL_SIZE, turn: TURN, ..Text::of(name, Anchor::End) },
    };
    scene.text(text);
}

fn whisker(scene: &mut Scene, x: f32, low: f32, high: f32) {
    scene.line(vec![(x, low), (x, high)], INK, 1.0);
    for y in [low, high] {
        scene.line(vec![(x - 2.5, y), (x + 2.5, y)], INK, 1.0);
    }
}

/// (left, top, right, bottom)
type Box = (f32, f32, f32, f32);

fn bar(scene: &mut Scene, (left, top, right, bottom): Box, style: &Style) {
    let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
    scene.area(corners.clone(), style.colour, if style.hatching == 0 { 1.0 } else { 0.55 });
    hatch(scene, (left, top, right, bottom), style.hatching, style.colour);
    let outline = [corners.clone(), vec![corners[0]]].concat();
    scene.line(outline, style.colour, 1.0);
}

/// Lines over a bar: rising, falling or level, by number; none for 0.
fn hatch(scene: &mut Scene, (left, top, right, bottom): Box, kind: usize, colour: Colour) {
    const STEP: f32 = 5.0;
    let slope = match kind {
        1 => -1.0,
        2 => 1.0,
        3 => 0.0,
        _ => return,
    };
    let (width, height) = (right - left, bottom - top);
    let reach = width * f32::abs(slope);
    let lines = ((height + reach) / STEP) as usize;
    for number in 1..=lines {
        // Where the line meets the left border, were the bar high enough.
        let start = if slope > 0.0 { bottom - number as f32 * STEP } else { top + number as f32 * STEP };
        let at = |x: f32| start + slope * (x - left);
        let inside = |y: f32| (top..=bottom).contains(&y);
        let mut ends: Vec<(f32, f32)> =
            [(left, at(left)), (right, at(right))].into_iter().filter(|end| inside(end.1)).collect();
        if slope != 0.0 {
            let crossings = [top, bottom].map(|y| (left + (y - start) / slope, y));
            ends.extend(crossings.into_iter().filter(|end| end.0 > left && end.0 < right));
        }
        if ends.len() >= 2 {
            let tone = if kind == 3 { WHITE } else { colour };
            scene.line(vec![ends[0], ends[1]], tone, 1.1);
        }
    }
}

/// A piece of a bar for the legend.
pub(super) fn swatch(scene: &mut Scene, x: f32, y: f32, style: &Style) {
    bar(scene, (x + 4.0, y - 6.0, x + 24.0, y + 6.0), style);
}
