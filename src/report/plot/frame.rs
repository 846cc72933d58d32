//! One panel's axes: ranges, ticks, grid and names.

use super::scene::{Anchor, GREY, INK, Scene, Text};
use crate::report::{Panel, Point};

/// Room for the vertical axis' numbers and name.
pub(super) const LEFT: f32 = 58.0;
/// Room for the panel's title.
pub(super) const TOP: f32 = 30.0;

/// Where a panel's plot lies, and which numbers it spans.
pub(super) struct Frame {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
    x: (f64, f64),
    y_most: f64,
    y_ticks: Vec<f64>,
    x_ticks: Vec<f64>,
}

impl Frame {
    pub fn new(panel: &Panel, left: f32, top: f32, width: f32, height: f32) -> Self {
        let points: Vec<&Point> = panel.series.iter().flat_map(|series| &series.points).collect();
        let reach = |point: &&Point| point.y + point.deviation.unwrap_or(0.0);
        let highest = points.iter().map(|point| point.y).fold(0.0, f64::max);
        let most = points.iter().map(reach).fold(0.0, f64::max);
        // A share ends at one, whatever its deviation.
        let share = highest <= 1.0 && (highest > 0.5 || !panel.categories.is_empty());
        let most = if share { 1.0 } else { most.min(1.6 * highest) };
        let y_ticks = ticks(0.0, if most > 0.0 { most } else { 1.0 });
        let y_most = *y_ticks.last().unwrap_or(&1.0);
        let (x, x_ticks) = if panel.categories.is_empty() {
            let least = points.iter().map(|point| point.x).fold(f64::INFINITY, f64::min);
            let most = points.iter().map(|point| point.x).fold(f64::NEG_INFINITY, f64::max);
            let range = if least < most { (least, most) } else { (least.min(0.0) - 1.0, most.max(0.0) + 1.0) };
            let range = if range.0.is_finite() && range.1.is_finite() { range } else { (0.0, 1.0) };
            let inside = ticks(range.0, range.1).into_iter().filter(|tick| *tick >= range.0 && *tick <= range.1);
            (range, inside.collect())
        } else {
            ((-0.5, panel.categories.len() as f64 - 0.5), vec![])
        };
        Frame { left, top, width, height, x, y_most, y_ticks, x_ticks }
    }

    /// The place of a number on the horizontal axis.
    pub fn x(&self, value: f64) -> f32 {
        self.left + self.width * ((value - self.x.0) / (self.x.1 - self.x.0)) as f32
    }

    /// The place of a number on the vertical axis; what lies outside is put on the border.
    pub fn y(&self, value: f64) -> f32 {
        self.top + self.height * (1.0 - (value / self.y_most).clamp(0.0, 1.0)) as f32
    }

    pub fn bottom(&self) -> f32 {
        self.top + self.height
    }

    pub fn draw(&self, scene: &mut Scene, panel: &Panel) {
        let (left, right, bottom) = (self.left, self.left + self.width, self.bottom());
        for &tick in &self.y_ticks {
            let y = self.y(tick);
            scene.line(vec![(left, y), (right, y)], GREY, 0.7);
            let label = Text { x: left - 6.0, y: y + 3.5, size: 10.0, ..Text::of(&number(tick), Anchor::End) };
            scene.text(label);
        }
        for &tick in &self.x_ticks {
            let x = self.x(tick);
            scene.line(vec![(x, bottom), (x, bottom + 4.0)], INK, 0.8);
            scene.text(Text { x, y: bottom + 16.0, size: 10.0, ..Text::of(&number(tick), Anchor::Middle) });
        }
        scene.line(vec![(left, self.top), (left, bottom), (right, bottom)], INK, 0.8);
        let centre = left + self.width / 2.0;
        scene.text(Text { x: centre, y: self.top - 11.0, size: 12.5, ..Text::of(&panel.title, Anchor::Middle) });
        if panel.categories.is_empty() {
            scene.text(Text { x: centre, y: bottom + 32.0, ..Text::of(&panel.x, Anchor::Middle) });
        }
        let middle = self.top + self.height / 2.0;
        scene.text(Text { x: left - 40.0, y: middle, turn: -90.0, ..Text::of(&panel.y, Anchor::Middle) });
    }
}

/// Four to eight round numbers that span a range.
fn ticks(least: f64, most: f64) -> Vec<f64> {
    let rough = (most - least) / 5.0;
    let unit = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * unit);
    let step = step.into_iter().find(|step| *step >= rough * 0.999).unwrap_or(10.0 * unit);
    let (first, last) = ((least / step + 1e-9).floor() as i64, (most / step - 1e-9).ceil() as i64);
    (first..=last).map(|place| place as f64 * step).collect()
}

/// A tick's number without needless digits.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_span_the_range() {
        assert_eq!(
            ticks(0.0, 1.0).iter().map(|&tick| number(tick)).collect::<Vec<_>>(),
            ["0", "0.2", "0.4", "0.6", "0.8", "1"]
        );
        for most in [0.003, 0.7, 1.0, 9.5, 25.0, 64.0, 1234.0] {
            let ticks = ticks(0.0, most);
            assert!((4..=8).contains(&ticks.len()) && *ticks.last().unwrap() >= most * 0.999, "{most}: {ticks:?}");
        }
    }
}
