//! Figures as SVG and PNG: curves with bands, or bars with whiskers, in panels above one legend.
//!
//! A figure is laid out once, as a `Scene` of lines, areas and words; each format is a way to write a scene. Colours are those
//! of Okabe and Ito, which colour-blind readers can tell apart; dashes, markers and hatching say the same again without colour.

mod bars;
mod curves;
mod font;
mod frame;
mod png;
mod scene;
mod solutions;
mod svg;

pub use solutions::MOST_VERTICES;

use super::{Exhibit, Figure, Panel};
use frame::Frame;
use scene::{Anchor, Scene, Style, Text};

/// The figure as an SVG image.
pub fn svg(figure: &Figure) -> String {
    svg::write(&scene(figure), &figure.title)
}

/// The figure as a PNG image, two pixels for each unit.
pub fn png(figure: &Figure) -> Result<Vec<u8>, String> {
    png::write(&scene(figure), 2.0)
}

/// The solutions of an instance side by side, as an SVG image: the graph with each of them in it.
pub fn solutions_svg(exhibit: &Exhibit) -> String {
    svg::write(&solutions::scene(exhibit), &format!("Solutions of {} ({})", exhibit.name, exhibit.algorithm))
}

const GAP: f32 = 28.0;
const PLOT_HEIGHT: f32 = 220.0;
const LEGEND_LINE: f32 = 20.0;

fn scene(figure: &Figure) -> Scene {
    let names = series_names(figure);
    let bars = figure.panels.iter().map(|panel| panel.categories.len() * panel.series.len()).max().unwrap_or(0);
    let plot_width = (bars as f32 * 15.0).clamp(300.0, 720.0);
    let columns = match figure.panels.len() {
        3 if plot_width <= 300.0 => 3,
        1 => 1,
        _ if plot_width <= 420.0 => 2,
        _ => 1,
    };
    let below = figure.panels.iter().map(|panel| bars::label_height(&panel.categories)).fold(0.0, f32::max).max(38.0);
    let (cell_width, cell_height) = (frame::LEFT + plot_width + GAP, frame::TOP + PLOT_HEIGHT + below + GAP / 2.0);
    let mut scene = Scene { width: columns as f32 * cell_width, height: 0.0, shapes: vec![] };
    for (place, panel) in figure.panels.iter().enumerate() {
        let (x, y) = ((place % columns) as f32 * cell_width, (place / columns) as f32 * cell_height);
        let frame = Frame::new(panel, x + frame::LEFT, y + frame::TOP, plot_width, PLOT_HEIGHT);
        draw(&mut scene, panel, &frame, &names);
    }
    let top = figure.panels.len().div_ceil(columns) as f32 * cell_height;
    scene.height = top + legend(&mut scene, figure, &names, top);
    scene
}

/// Each series once: the same name has the same style in every panel.
fn series_names(figure: &Figure) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for series in figure.panels.iter().flat_map(|panel| &panel.series) {
        if !names.contains(&series.name) {
            names.push(series.name.clone());
        }
    }
    names
}

fn draw(scene: &mut Scene, panel: &Panel, frame: &Frame, names: &[String]) {
    frame.draw(scene, panel);
    let style = |name: &str| Style::number(names.iter().position(|known| known == name).unwrap_or(0));
    if panel.categories.is_empty() {
        curves::draw(scene, panel, frame, &style);
    } else {
        bars::draw(scene, panel, frame, &style);
    }
}

/// The legend below the panels; its height.
fn legend(scene: &mut Scene, figure: &Figure, names: &[String], top: f32) -> f32 {
    let bars = figure.panels.iter().any(|panel| !panel.categories.is_empty());
    let (mut x, mut y) = (frame::LEFT, top + 8.0);
    for (place, name) in names.iter().enumerate() {
        let width = 46.0 + font::width(name, 11.0);
        if x + width > scene.width && x > frame::LEFT {
            (x, y) = (frame::LEFT, y + LEGEND_LINE);
        }
        let style = Style::number(place);
        if bars {
            bars::swatch(scene, x, y, &style);
        } else {
            curves::swatch(scene, x, y, &style);
        }
        scene.text(Text { x: x + 30.0, y: y + 4.0, size: 11.0, ..Text::of(name, Anchor::Start) });
        x += width;
    }
    y - top + LEGEND_LINE
}

#[cfg(test)]
mod tests {
    use super::super::{Point, Series};
    use super::*;

    fn point(x: f64, y: f64) -> Point {
        Point { x, y, deviation: Some(0.1), interval: None }
    }

    fn figure(categories: &[&str]) -> Figure {
        let series =
            |name: &str, y: f64| Series { name: name.into(), points: vec![point(0.0, y), point(1.0, 2.0 * y)] };
        let panel = Panel {
            title: "a <b> & \"c\"".into(),
            y: "share".into(),
            categories: categories.iter().map(|&name| name.to_owned()).collect(),
            series: vec![series("one", 0.2), series("two", 0.5)],
            ..Panel::default()
        };
        Figure { name: "test".into(), title: "test".into(), panels: vec![panel.clone(), panel], ..Figure::default() }
    }

    #[test]
    fn both_formats_are_well_formed_and_the_same_every_time() {
        for figure in [figure(&[]), figure(&["greedy, n = 5", "beam, n = 5"])] {
            let text = svg(&figure);
            let mut reader = quick_xml::Reader::from_str(&text);
            let mut events = 0;
            loop {
                match reader.read_event().unwrap() {
                    quick_xml::events::Event::Eof => break,
                    _ => events += 1,
                }
            }
            assert!(events > 40, "{text}");
            assert!(!text.contains("NaN") && text.contains("a &lt;b&gt; &amp; &quot;c&quot;"), "{text}");
            assert_eq!(text, svg(&figure));
            let image = png(&figure).unwrap();
            assert!(image.starts_with(b"\x89PNG") && image == png(&figure).unwrap());
        }
    }

    #[test]
    fn a_figure_of_nothing_or_of_one_flat_point_is_still_a_figure() {
        let flat = Series { name: "flat".into(), points: vec![Point::default()] };
        let panel = Panel { series: vec![flat], ..Panel::default() };
        for figure in [Figure::default(), Figure { panels: vec![panel], ..Figure::default() }] {
            assert!(!svg(&figure).contains("NaN"));
            assert!(png(&figure).is_ok());
        }
    }
}
