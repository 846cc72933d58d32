//! Curves with bands of one deviation.

use super::frame::Frame;
use super::scene::{Scene, Style, WHITE, marker};
use crate::report::{Panel, Point};

/// The bands first, so that no curve is hidden.
pub(super) fn draw(scene: &mut Scene, panel: &Panel, frame: &Frame, style: &dyn Fn(&str) -> Style) {
    for series in &panel.series {
        band(scene, &series.points, frame, &style(&series.name));
    }
    for series in &panel.series {
        let style = style(&series.name);
        let points: Vec<(f32, f32)> = series.points.iter().map(|point| (frame.x(point.x), frame.y(point.y))).collect();
        if points.len() > 1 {
            scene.dashed(points.clone(), style.colour, 1.8, style.dashes);
        }
        // A dozen markers tell curves apart; one on each of sixty points would be a worm.
        let every = points.len().div_ceil(12).max(1);
        for &(x, y) in points.iter().step_by(every) {
            mark(scene, &style, x, y);
        }
    }
}

fn band(scene: &mut Scene, points: &[Point], frame: &Frame, style: &Style) {
    let edge = |sign: f64| {
        move |point: &Point| Some((frame.x(point.x), frame.y(point.y + sign * point.deviation.filter(|d| *d > 0.0)?)))
    };
    let mut outline: Vec<(f32, f32)> = points.iter().filter_map(edge(1.0)).collect();
    outline.extend(points.iter().rev().filter_map(edge(-1.0)));
    if outline.len() > 2 {
        scene.area(outline, style.colour, 0.10);
    }
}

fn mark(scene: &mut Scene, style: &Style, x: f32, y: f32) {
    scene.area(marker(style.marker, x, y, 4.6), WHITE, 1.0);
    scene.area(marker(style.marker, x, y, 3.6), style.colour, 1.0);
}

/// A piece of the curve for the legend.
pub(super) fn swatch(scene: &mut Scene, x: f32, y: f32, style: &Style) {
    scene.dashed(vec![(x, y), (x + 24.0, y)], style.colour, 1.8, style.dashes);
    mark(scene, style, x + 12.0, y);
}
