//! A learnt cost as a reader sees it: what each column does, how well held-out observations are explained, whether the calibration holds, and
//! observed routes beside the answers.

use super::{Cell, Exhibit, ExhibitEdge, Figure, Number, Panel, Point, Results, Series, ShownRoute, Table};
use crate::instance::Weight;
use crate::learn::{Account, AccountWords, Calibration, Example, FitScore, LEVEL};
use std::collections::BTreeMap;

/// All that an account says.
pub fn results_of(account: &Account, name: String) -> Results {
    let calibration = account.calibration.as_ref();
    let AccountWords { learnt, best, .. } = account.words();
    let about = format!(
        "A {learnt} learnt from {} observations. \"The {best}\" and every gap are exact under this {learnt}, and say nothing else; what is said of people \
         comes from observations that were held out.",
        account.observations
    );
    Results {
        about,
        tables: vec![effects(account), fit(account)],
        figures: [effect_bars(account)]
            .into_iter()
            .chain(calibration.and_then(|calibration| calibration_curve(calibration, account.words())))
            .collect(),
        exhibits: account.examples.iter().enumerate().map(|(place, example)| exhibit(place, example)).collect(),
        name,
        ..Results::default()
    }
}

fn number(value: f64, decimals: usize) -> Cell {
    Cell::Number(Number { ours: Some(value), decimals, ..Number::default() })
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn of_the_mean(account: &Account) -> String {
    format!("% of the mean {}", account.words().learnt)
}

fn effects(account: &Account) -> Table {
    let row = |effect: &crate::learn::Effect| {
        let end = |value: Option<f64>| value.map_or(Cell::Text(String::new()), |value| number(value, 1));
        let (low, high) = effect.interval.unzip();
        vec![Cell::Text(effect.name.clone()), number(effect.percent, 1), end(low), end(high)]
    };
    Table {
        name: "effects".to_owned(),
        title: "What each column does".to_owned(),
        columns: strings(&["column", &of_the_mean(account), "from", "to"]),
        rows: account.effects.iter().map(row).collect(),
        notes: strings(&[
            "One standard deviation more of a number, or a word in place of the most frequent one.",
            "From and to: the middle 90 % over bootstrap samples of the observations.",
        ]),
        ..Table::default()
    }
}

fn effect_bars(account: &Account) -> Figure {
    let effects = account.effects.iter().enumerate();
    let point = |(place, effect): (usize, &crate::learn::Effect)| Point {
        x: place as f64,
        y: effect.percent,
        deviation: None,
        interval: effect.interval,
    };
    let panel = Panel {
        y: of_the_mean(account),
        categories: account.effects.iter().map(|effect| effect.name.clone()).collect(),
        series: vec![Series { name: "effect".to_owned(), points: effects.map(point).collect() }],
        ..Panel::default()
    };
    Figure {
        name: "effects-figure".to_owned(),
        title: "Effects of the columns".to_owned(),
        panels: vec![panel],
        notes: strings(&["Lines: the middle 90 % of the bootstrap samples of the observations."]),
        ..Figure::default()
    }
}

fn fit(account: &Account) -> Table {
    let row = |name: String, fit: &FitScore| {
        let figures = account.fit_figures(fit).into_iter();
        [Cell::Text(name)].into_iter().chain(figures.map(|figure| number(figure, 3))).collect()
    };
    let learnt = account.words().learnt;
    let held_out = account.held_out.iter().map(|fit| row(format!("learnt {learnt} (held-out observations)"), fit));
    let alone = account.baselines.iter().map(|baseline| row(format!("{} alone", baseline.column), &baseline.fit));
    Table {
        name: "fit".to_owned(),
        title: "How well it explains what people did".to_owned(),
        columns: [learnt.to_owned()].into_iter().chain(account.fit_columns()).collect(),
        rows: held_out.chain(alone).collect(),
        notes: account.notes.clone(),
        ..Table::default()
    }
}

fn calibration_curve(calibration: &Calibration, words: AccountWords) -> Option<Figure> {
    let series = |name: &str, points: &[(f64, f64)]| Series {
        name: name.to_owned(),
        points: points.iter().map(|&(x, y)| Point { x, y, ..Point::default() }).collect(),
    };
    let promised: Vec<(f64, f64)> = calibration.curve.iter().map(|&(level, _)| (level, level)).collect();
    let panel = Panel {
        x: "probability that was promised".to_owned(),
        y: "share of fresh observations".to_owned(),
        series: vec![series("seen in fresh folds", &calibration.curve), series("as promised", &promised)],
        ..Panel::default()
    };
    let tau = format!(
        "An observed {} is within {:.1} % of the {} with probability {:.0} % (tau), if new ones are like these.",
        words.answer,
        100.0 * calibration.tau,
        words.best,
        100.0 * LEVEL
    );
    (!calibration.curve.is_empty()).then(|| Figure {
        name: "calibration".to_owned(),
        title: "Whether fresh observations keep to what the others promise".to_owned(),
        panels: vec![panel],
        notes: vec![
            tau,
            "Each fold against the quantile of the gaps of the others. Where many gaps are zero, small probabilities are exceeded: the best answer is the observed one."
                .to_owned(),
        ],
        ..Figure::default()
    })
}

/// The observed route first, then the answers; the map has the vertices of these routes and no others.
fn exhibit(place: usize, example: &Example) -> Exhibit {
    let paths = || example.answers.iter().map(|(path, _)| path).chain([&example.observed]);
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    let mut vertices: Vec<String> = vec![];
    for vertex in paths().flatten() {
        index.entry(vertex).or_insert_with(|| {
            vertices.push(vertex.clone());
            vertices.len() - 1
        });
    }
    let edges: Vec<ExhibitEdge> = example
        .steps
        .iter()
        .filter_map(|(tail, head, cost)| {
            let ends = index.get(tail.as_str()).zip(index.get(head.as_str()));
            ends.map(|(&tail, &head)| ExhibitEdge { tail, head, weight: Some(cost.to_string()) })
        })
        .collect();
    let costs: BTreeMap<(&String, &String), Weight> =
        example.steps.iter().map(|(tail, head, cost)| ((tail, head), *cost)).collect();
    let shown = |label: String, path: &[String], gap: f64, observed: bool| {
        let length: Weight = path.windows(2).filter_map(|step| costs.get(&(&step[0], &step[1]))).sum();
        let path = path.iter().filter_map(|vertex| index.get(vertex.as_str()).copied()).collect();
        ShownRoute { path, length: length.to_string(), gap: Some(gap), label, observed }
    };
    let places: BTreeMap<&str, (f64, f64)> =
        example.positions.iter().map(|(name, x, y)| (name.as_str(), (*x, *y))).collect();
    let positions = vertices.iter().map(|name| places.get(name.as_str()).copied()).collect();
    let answers = example.answers.iter().enumerate();
    let answers = answers.map(|(rank, (path, gap))| {
        let same = *path == example.observed;
        let label = format!("Answer {}{}", rank + 1, if same { ", which is the observed route" } else { "" });
        shown(label, path, *gap, same)
    });
    let observed = shown("Observed".to_owned(), &example.observed, example.gap, true);
    let ends = [example.observed.first(), example.observed.last()].map(|end| end.map_or("", String::as_str));
    Exhibit {
        name: format!("held-out trip {}: {} to {}", place + 1, ends[0], ends[1]),
        algorithm: "cheapest routes under the learnt cost".to_owned(),
        directed: true,
        edges,
        routes: [observed].into_iter().chain(answers).collect(),
        positions,
        vertices,
        learnt: true,
        ..Exhibit::default()
    }
}
