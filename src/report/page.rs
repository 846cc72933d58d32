//! One self-contained HTML file: the data as JSON, scripts and styles beside it, nothing from the network.
//!
//! The page's own sources are in `web/`, plain JavaScript and CSS without a build step; `web/vendor/` holds the two
//! libraries that draw graphs and curves. Everything in [`Page`] is untrusted text: it reaches the page as JSON without
//! any `<`, and the scripts show it as text only.

use super::{Exhibit, Page, Results, TrainingRun};
use crate::neural::train::LogLine;
use serde::Serialize;
use std::collections::BTreeMap;

const SKELETON: &str = include_str!("web/page.html");
const STYLES: &[&str] = &[include_str!("web/vendor/uPlot.min.css"), include_str!("web/style.css")];
const LICENCES: &str = concat!(
    "cytoscape.js\n",
    include_str!("web/vendor/cytoscape.LICENSE"),
    "\nuPlot\n",
    include_str!("web/vendor/uPlot.LICENSE")
);
const LIBRARIES: &[&str] = &[include_str!("web/vendor/cytoscape.min.js"), include_str!("web/vendor/uPlot.iife.min.js")];
/// In the order of use; all of them share one scope.
const SCRIPTS: &[&str] = &[
    include_str!("web/dom.js"),
    include_str!("web/tables.js"),
    include_str!("web/charts.js"),
    include_str!("web/training.js"),
    include_str!("web/heatmap.js"),
    include_str!("web/layout.js"),
    include_str!("web/drawing.js"),
    include_str!("web/execution.js"),
    include_str!("web/routes.js"),
    include_str!("web/trees.js"),
    include_str!("web/sets.js"),
    include_str!("web/order.js"),
    include_str!("web/bars.js"),
    include_str!("web/forms.js"),
    include_str!("web/viewer.js"),
    include_str!("web/main.js"),
];

/// What the instances may take of a page that is to stay below 5 MB.
const ROOM_FOR_EXHIBITS: usize = 3_000_000;

/// The most points of a training curve; more would not show.
const CURVE_POINTS: usize = 400;

/// The page as one HTML file.
///
/// Instances that would make it larger than 5 MB are left out, and the page says how many. Probabilities have six
/// decimals in it, and long training logs are thinned.
///
/// ```
/// use tiebreak::report::{Page, html};
/// let page = html(&Page { title: "Two <roads>".to_owned(), ..Page::default() });
/// assert!(page.contains("<title>Two &lt;roads&gt;</title>"));
/// ```
pub fn html(page: &Page) -> String {
    let data = serde_json::to_string(&page_data(page)).expect("plain data is always JSON");
    fill(SKELETON, |name| match name {
        "title" => escaped(&page.title),
        "styles" => STYLES.join("\n"),
        "licences" => LICENCES.replace("--", "- -"),
        "libraries" => LIBRARIES.join("\n;\n"),
        "scripts" => SCRIPTS.join("\n"),
        // `</script>` and `<!--` end or change a script element; without `<` there is neither.
        "data" => data.replace('<', "\\u003c"),
        other => unreachable!("the skeleton has no part '{other}'"),
    })
}

/// Puts parts in the places `{{name}}`, in one pass: what is put in is not looked at again.
fn fill(skeleton: &str, part: impl Fn(&str) -> String) -> String {
    let mut filled = String::new();
    let mut rest = skeleton;
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(before, after)| Some((before, after.split_once("}}")?)))
    {
        filled.push_str(before);
        filled.push_str(&part(name));
        rest = after;
    }
    filled + rest
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What the scripts read.
#[derive(Serialize)]
struct PageData<'a> {
    title: &'a str,
    about: &'a str,
    results: Vec<Results>,
    runs: Vec<ShownRun<'a>>,
    /// Instances for which there was no room.
    left_out: usize,
}

/// A training run; its log by columns, which is a third of the size.
#[derive(Serialize)]
struct ShownRun<'a> {
    name: &'a str,
    settings: BTreeMap<String, String>,
    best: Option<&'a LogLine>,
    columns: BTreeMap<&'static str, Vec<f64>>,
}

fn page_data(page: &Page) -> PageData<'_> {
    let mut room = ROOM_FOR_EXHIBITS;
    let results: Vec<Results> = page.results.iter().map(|results| with_room(results, &mut room)).collect();
    let count = |results: &[Results]| results.iter().map(|results| results.exhibits.len()).sum::<usize>();
    let left_out = count(&page.results) - count(&results);
    let runs = page.runs.iter().map(run_data).collect();
    PageData { title: &page.title, about: &page.about, results, runs, left_out }
}

/// The results with as many of their instances as there is room for.
fn with_room(results: &Results, room: &mut usize) -> Results {
    let mut shown = Results { exhibits: vec![], ..results.clone() };
    for exhibit in results.exhibits.iter().map(rounded) {
        let size = serde_json::to_string(&exhibit).map_or(usize::MAX, |text| text.len());
        if size <= *room {
            *room -= size;
            shown.exhibits.push(exhibit);
        }
    }
    shown
}

fn rounded(exhibit: &Exhibit) -> Exhibit {
    let mut exhibit = exhibit.clone();
    let values = exhibit.distributions.iter_mut().flat_map(|distribution| &mut distribution.rows).flatten();
    values.for_each(|value| *value = (*value * 1e6).round() / 1e6);
    exhibit
}

fn run_data(run: &TrainingRun) -> ShownRun<'_> {
    let stride = run.log.len().div_ceil(CURVE_POINTS).max(1);
    // Counted from the end, so that the last line is always among them.
    let kept: Vec<&LogLine> = run.log.iter().rev().step_by(stride).collect();
    let column = |value: fn(&LogLine) -> f64| kept.iter().rev().map(|line| significant(value(line))).collect();
    let columns = BTreeMap::from([
        ("step", column(|line| line.step as f64)),
        ("loss", column(|line| line.loss)),
        ("validation", column(|line| line.validation)),
        ("difference", column(|line| line.difference)),
        ("graphs_per_second", column(|line| line.graphs_per_second)),
    ]);
    let best = run.log.iter().rev().find(|line| line.best);
    ShownRun { name: &run.name, settings: settings_of(run), best, columns }
}

/// Six significant digits: more than a curve shows.
fn significant(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// The settings as texts, one for each key of the TOML file.
fn settings_of(run: &TrainingRun) -> BTreeMap<String, String> {
    let table: toml::Table = run.settings.to_toml().parse().expect("settings are always TOML");
    let mut flat = BTreeMap::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => {
                flat.extend(inner.iter().map(|(name, value)| (format!("{key}.{name}"), plain(value))));
            }
            value => {
                flat.insert(key, plain(&value));
            }
        }
    }
    flat
}

fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neural::train::TrainSettings;

    fn data_of(page: &str) -> serde_json::Value {
        let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    }

    #[test]
    fn whatever_the_names_are_they_stay_data() {
        let hostile = "</script><script>alert(1)</script><!--{{styles}}&amp;";
        let exhibit = Exhibit { vertices: vec![hostile.to_owned()], ..Exhibit::default() };
        let results = Results { name: hostile.to_owned(), exhibits: vec![exhibit], ..Results::default() };
        let page = html(&Page { title: hostile.to_owned(), results: vec![results], ..Page::default() });
        assert!(!page.contains("<script>alert"));
        assert_eq!(page.matches("</script>").count(), html(&Page::default()).matches("</script>").count());
        assert_eq!(data_of(&page)["results"][0]["exhibits"][0]["vertices"][0], hostile);
    }

    #[test]
    fn nothing_is_fetched_and_no_source_ends_its_element_early() {
        for script in LIBRARIES.iter().chain(SCRIPTS) {
            assert!(!script.contains("</script") && !script.contains("<!--"));
        }
        assert!(!STYLES.concat().contains("</style") && !STYLES.concat().contains("url("));
        let page = html(&Page::default());
        assert!(page.contains("default-src 'none'"));
    }

    #[test]
    fn a_page_stays_small_whatever_it_is_given() {
        let n = 200;
        let rows = vec![vec![1.0 / n as f64; n]; n];
        let distributions = vec![super::super::ShownDistribution { name: "empirical".to_owned(), rows }];
        let exhibit = Exhibit { distributions, ..Exhibit::default() };
        let results = Results { exhibits: vec![exhibit; 30], ..Results::default() };
        let page = html(&Page { results: vec![results], ..Page::default() });
        assert!(page.len() < 5_000_000, "{}", page.len());
        let shown = data_of(&page)["results"][0]["exhibits"].as_array().unwrap().len();
        assert!(shown >= 5);
        assert_eq!(data_of(&page)["left_out"], 30 - shown);
    }

    #[test]
    fn thinned_curves_keep_their_last_point() {
        let line = |step| LogLine {
            step,
            loss: 1.0 / 3.0,
            validation: 1e-9 / 3.0,
            difference: 0.5,
            best: step == 7,
            graphs_per_second: 12.0,
        };
        let log: Vec<LogLine> = (1..=5_001).map(line).collect();
        let run = TrainingRun { name: "long".to_owned(), settings: TrainSettings::default(), log };
        let shown = run_data(&run);
        let steps = &shown.columns["step"];
        assert!(steps.len() <= CURVE_POINTS && steps.is_sorted());
        assert_eq!(steps.last(), Some(&5_001.0));
        assert_eq!(shown.columns["validation"][0], 3.33333e-10);
        assert_eq!(shown.best.map(|line| line.step), Some(7));
        assert_eq!((shown.settings["model.hidden"].as_str(), shown.settings["algorithm"].as_str()), ("128", "dfs"));
    }
}
