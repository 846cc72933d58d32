//! The page in a real browser: headless Chromium, driven by `tests/browser/*.test.mjs`, which state the laws.
//!
//! It needs Node (18 or later), the packages of `tests/browser/package-lock.json` (fetched by `npm ci` when they are not
//! there) and Chromium (on the path, or `TIEBREAK_CHROMIUM`). Where one of them is missing, the test says so and passes;
//! with `TIEBREAK_BROWSER=required`, as in `.ci/run`, it fails.

#[path = "browser/forms.rs"]
mod forms;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tiebreak::answers::{Candidate, Form, Marginals, Part};
use tiebreak::instance::io::NamedGraph;
use tiebreak::instance::{Decimal, Graph, GraphSettings, Instance, Preset};
use tiebreak::neural::executor::Executor;
use tiebreak::neural::train::{LogLine, TrainSettings};
use tiebreak::pipeline::generate::{self, Recipe, Source};
use tiebreak::problems::Algorithm;
use tiebreak::problems::forests::dfs;
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::random::Rng;
use tiebreak::report::{
    Cell, Exhibit, Figure, Number, Page, Panel, Point, Results, Series, ShownRoute, Table, TrainingRun, html,
};
use tiebreak::solve::routes::{RouteGraph, RouteRequest};

#[test]
fn the_page_in_chromium() {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(missing) if std::env::var_os("TIEBREAK_BROWSER").is_some_and(|wish| wish == "required") => {
            panic!("the tests in a browser are required, but {missing}");
        }
        Err(missing) => {
            // Past the test harness, which keeps what a passing test prints to itself.
            writeln!(std::io::stderr(), "\nSKIPPED: the page was not tested in a browser: {missing}\n").unwrap();
            return;
        }
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, page: &Page| {
        let path = folder.join(name);
        fs::write(&path, html(page)).unwrap();
        path
    };
    let instances = Results { exhibits: vec![roads()], ..Results::default() };
    let instances = Page { title: "Three ways to work".to_owned(), results: vec![instances], ..Page::default() };
    let routes = Results { exhibits: vec![streets(48), streets(70)], ..Results::default() };
    let routes = Page { title: "Many streets".to_owned(), results: vec![routes], ..Page::default() };
    let status = Command::new(&tools.node)
        .args(["--test", "--test-reporter=spec", "page.test.mjs", "forms.test.mjs"])
        .current_dir(tests_folder())
        .env("PAGE", write("page.html", &everything()))
        .env("INSTANCES", write("instances.html", &instances))
        .env("ROUTES", write("routes.html", &routes))
        .env("FORMS", write("forms.html", &forms::page()))
        .env("EMPTY", write("empty.html", &Page { title: "Nothing".to_owned(), ..Page::default() }))
        .env("CHROMIUM", &tools.chromium)
        .env("SCREENSHOTS", &folder)
        .status()
        .unwrap();
    assert!(status.success(), "a law of the page does not hold; its screenshots are in {}", folder.display());
}

fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser")
}

struct Tools {
    node: PathBuf,
    chromium: PathBuf,
}

impl Tools {
    /// What is needed, or what is missing.
    fn find() -> Result<Tools, String> {
        let node = on_path(&["node", "nodejs"]).ok_or("Node is not installed")?;
        let chromium = std::env::var_os("TIEBREAK_CHROMIUM").map(PathBuf::from);
        let chromium = chromium.or_else(|| on_path(&["chromium", "chromium-browser", "google-chrome"]));
        let chromium = chromium.ok_or("Chromium is not installed (TIEBREAK_CHROMIUM may say where it is)")?;
        let packages = ["playwright-core", "axe-core"].map(|name| tests_folder().join("node_modules").join(name));
        if !packages.iter().all(|package| package.is_dir()) {
            let npm = on_path(&["npm"]).ok_or("npm is not installed, nor are the packages of tests/browser")?;
            let installed =
                Command::new(npm).args(["ci", "--no-audit", "--no-fund"]).current_dir(tests_folder()).output();
            let installed = installed.map_err(|error| format!("npm cannot be run: {error}"))?;
            if !installed.status.success() {
                let reason = String::from_utf8_lossy(&installed.stderr).trim().to_owned();
                return Err(format!("`npm ci` in tests/browser failed: {reason}"));
            }
        }
        Ok(Tools { node, chromium })
    }
}

fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let places = || std::env::split_paths(&path);
    names.iter().find_map(|name| places().map(|place| place.join(name)).find(|file| file.is_file()))
}

/// A page with every part.
fn everything() -> Page {
    let results = Results {
        name: "unique".to_owned(),
        about: "How many different and valid solutions come out of five draws?".to_owned(),
        found: "Nine of ten draws are right.".to_owned(),
        command: "tiebreak reproduce unique --seeds 5".to_owned(),
        tables: vec![table()],
        figures: vec![curves(), bars()],
        exhibits: vec![five(), paths(), hostile(), large()],
    };
    let title = "All parts </title><script>window.harmed = 1</script>".to_owned();
    let about = "A page of every part, to be tested.".to_owned();
    let runs = vec![run("dfs-0", 0, 1e-3), run("dfs-1", 1, 3e-4), run("dfs-2", 2, 1e-3), run("other", 3, 1e-3)];
    Page { title, about, results: vec![results], runs }
}

fn table() -> Table {
    let text = |text: &str| Cell::Text(text.to_owned());
    let number =
        |ours: Option<f64>, paper| Cell::Number(Number { ours, deviation: ours.map(|_| 0.02), paper, decimals: 2 });
    let rows = [
        ("greedy", "bellman-ford", Some(0.91), Some(0.92)),
        ("beam", "bellman-ford", Some(0.93), Some(0.9)),
        ("upwards", "dfs", Some(0.04), Some(0.19)),
        ("alt-upwards", "dfs", Some(0.0), None),
        ("argmax", "dfs", Some(0.12), Some(0.11)),
        ("beam, not measured", "bellman-ford", None, Some(0.54)),
    ];
    let rows = rows.map(|(method, algorithm, ours, paper)| {
        let size = if algorithm == "dfs" { "16" } else { "64" };
        vec![text(method), text(algorithm), text(size), number(ours, paper)]
    });
    Table {
        name: "unique".to_owned(),
        title: "Valid draws".to_owned(),
        paper_label: Some("tab: unique".to_owned()),
        columns: ["method", "algorithm", "n", "valid"].map(str::to_owned).to_vec(),
        rows: rows.to_vec(),
        notes: vec!["32 graphs a size, 5 draws a graph, seeds 0 to 4.".to_owned()],
    }
}

fn curves() -> Figure {
    let series = |name: &str, slope: f64| Series {
        name: name.to_owned(),
        points: (1..=8)
            .map(|x| Point { x: x.into(), y: slope / f64::from(x), deviation: Some(0.05), interval: None })
            .collect(),
    };
    let panel = |title: &str| Panel {
        title: title.to_owned(),
        x: "draws".to_owned(),
        y: "distinct solutions".to_owned(),
        series: vec![series("the algorithm", 2.0), series("beam", 1.5), series("greedy", 1.0)],
        ..Panel::default()
    };
    let panels = vec![panel("n = 5"), panel("n = 64")];
    Figure { name: "coverage".to_owned(), title: "Coverage".to_owned(), panels, ..Figure::default() }
}

fn bars() -> Figure {
    let series = |name: &str, base: f64| Series {
        name: name.to_owned(),
        points: (0..3)
            .map(|x| Point { x: x.into(), y: base + f64::from(x) / 8.0, deviation: Some(0.03), interval: None })
            .collect(),
    };
    let panel = Panel {
        x: "extractor".to_owned(),
        y: "edge reuse".to_owned(),
        categories: ["greedy", "beam", "the algorithm itself"].map(str::to_owned).to_vec(),
        series: vec![series("empirical", 0.5), series("predicted", 0.25)],
        ..Panel::default()
    };
    Figure { name: "reuse".to_owned(), title: "Edge reuse".to_owned(), panels: vec![panel], ..Figure::default() }
}

fn run(name: &str, seed: u64, learning_rate: f64) -> TrainingRun {
    let line = |index: u32| {
        let loss = learning_rate * 100.0 / f64::from(index);
        let step = u64::from(index) * 50;
        LogLine { step, loss, validation: 1.2 * loss, difference: loss / 2.0, best: true, graphs_per_second: 200.0 }
    };
    let settings = TrainSettings { seed, learning_rate, ..TrainSettings::default() };
    TrainingRun { name: name.to_owned(), settings, log: (1..=200).map(line).collect() }
}

/// Five vertices with three distributions, every extractor, three candidates that are broken in their own way, executions.
fn five() -> Exhibit {
    let algorithm: &dyn Algorithm = &dfs::ORDERED;
    let edges = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 1), (2, 3), (3, 4), (4, 0)];
    let instance = Instance::new(Graph::from_edges(5, edges).unwrap());
    let prepared = algorithm.prepare(&instance).unwrap();
    let mut exhibit = Exhibit::of_instance("five vertices", algorithm, &instance);
    exhibit.count_solutions(prepared.space(), 1000);
    for source in [Source::Empirical, Source::Exact] {
        let recipe = Recipe { source, ..Recipe::default() };
        let mut rng = Rng::stream(0, "browser", 0);
        let marginals = generate::marginals(algorithm, &*prepared, &recipe, &mut rng).unwrap();
        exhibit.show_marginals(source.name(), &marginals);
    }
    let mut rng = Rng::stream(0, "browser", 1);
    let predicted = Marginals::from_weights(Form::Parents, 5, (0..25).map(|_| rng.unit()).collect()).unwrap();
    exhibit.show_marginals("predicted", &predicted);
    for broken in [[0, 0, 0, 1, 3], [0, 2, 1, 1, 3], [0, 0, 4, 1, 3]] {
        exhibit.add_draw(&*prepared, "empirical", None, &Candidate::from_parents(broken.to_vec()).unwrap());
    }
    for extractor in algorithm.problem().extractors {
        let candidate = extractor.extract(&instance, &predicted, &mut rng);
        exhibit.add_draw(&*prepared, "predicted", Some(extractor.name()), &candidate);
    }
    execute(&mut exhibit, algorithm, &instance, 2);
    exhibit
}

fn execute(exhibit: &mut Exhibit, algorithm: &dyn Algorithm, instance: &Instance, times: u64) {
    let executor = Executor::built_in(algorithm).unwrap();
    let prepared = algorithm.prepare(instance).unwrap();
    let mut rng = Rng::stream(0, "browser execution", 0);
    (0..times).for_each(|_| exhibit.add_execution(&*prepared, &executor, &mut rng));
}

/// Shortest paths, valid and not.
fn paths() -> Exhibit {
    let settings = GraphSettings { n: 8, p: 0.5, preset: Preset::Text };
    let instance = generate::instance(&BellmanFord, &settings, 0, 0);
    let mut exhibit = Exhibit::of_instance("eight vertices", &BellmanFord, &instance);
    let mut rng = Rng::stream(0, "browser paths", 0);
    let prepared = BellmanFord.prepare(&instance).unwrap();
    let marginals = generate::marginals(&BellmanFord, &*prepared, &Recipe::default(), &mut rng).unwrap();
    exhibit.show_marginals("empirical", &marginals);
    for extractor in BellmanFord.problem().extractors {
        let candidate = extractor.extract(&instance, &marginals, &mut rng);
        exhibit.add_draw(&*prepared, "empirical", Some(extractor.name()), &candidate);
    }
    let all_roots = Candidate::all_roots(8);
    exhibit.add_draw(&*prepared, "empirical", None, &all_roots);
    execute(&mut exhibit, &BellmanFord, &instance, 1);
    exhibit
}

/// Names that would like to be markup, or code, or just very long.
fn hostile() -> Exhibit {
    let names = [
        "</script><script>window.harmed = 1</script>",
        "<img src=x onerror=\"window.harmed = 1\">",
        "{{styles}}<!--",
        "__proto__",
        "a name that is so long that it would not fit on any phone, even if it were turned and the letters were small",
    ];
    let graph = Graph::from_edges(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]).unwrap();
    let named = NamedGraph { graph: graph.clone(), names: names.map(str::to_owned).to_vec(), directed: true };
    let instance = Instance::new(graph);
    let mut exhibit = Exhibit::new("<b>hostile</b>", &dfs::ORDERED, &named, &instance);
    exhibit.show_marginals("<i>even</i>", &Marginals::from_weights(Form::Parents, 5, vec![1.0; 25]).unwrap());
    exhibit.add_draw(
        &*dfs::ORDERED.prepare(&instance).unwrap(),
        "<u>me</u>",
        None,
        &Candidate::from_parents(vec![0, 0, 1, 2, 1]).unwrap(),
    );
    execute(&mut exhibit, &dfs::ORDERED, &instance, 1);
    exhibit
}

/// Large enough for small cells and faint edges.
fn large() -> Exhibit {
    let settings = GraphSettings { n: 40, p: 0.5, preset: Preset::Text };
    let recipe = Recipe { graph: settings, ..Recipe::default() };
    let sample = generate::sample(&dfs::ORDERED, &recipe, 0, 0).unwrap();
    let mut exhibit = Exhibit::of_instance("40 vertices", &dfs::ORDERED, &sample.instance);
    exhibit.show_marginals("empirical", &sample.marginals);
    execute(&mut exhibit, &dfs::ORDERED, &sample.instance, 1);
    exhibit
}

/// A person's small graph, as `tiebreak solve` shows it.
/// A grid of streets with places on a map, the shortest routes across it, and the edges in which its trees differ.
fn streets(side: usize) -> Exhibit {
    let at = |row: usize, column: usize| row * side + column;
    let mut rng = Rng::stream(0, "streets", side as u64);
    let mut edges = vec![];
    for row in 0..side {
        for column in 0..side {
            let mut length = || Decimal::whole(9 + rng.below(3) as i64);
            if column + 1 < side {
                edges.push((at(row, column), at(row, column + 1), length()));
            }
            if row + 1 < side {
                edges.push((at(row, column), at(row + 1, column), length()));
            }
        }
    }
    let graph = Graph::weighted_undirected(side * side, edges).unwrap();
    let names = (0..side * side).map(|vertex| format!("corner {}/{}", vertex / side, vertex % side)).collect();
    let named = NamedGraph { graph: graph.clone(), names, directed: false };
    let instance = Instance::with_source(graph, 0);
    let mut exhibit = Exhibit::new(format!("{side} by {side} streets"), &BellmanFord, &named, &instance);
    let prepared = BellmanFord.prepare(&instance).unwrap();
    for solution in prepared.space().solutions().unwrap().take(2) {
        exhibit.add_draw(&*prepared, "enumeration", None, &solution);
    }
    let place = |vertex: usize| ((vertex % side) as f64, -((vertex / side) as f64));
    exhibit.positions = Some((0..side * side).map(place).collect());
    let routes = RouteGraph::new(&instance.graph).unwrap();
    let request = RouteRequest { k: 3, share: Some("50%".parse().unwrap()), ..RouteRequest::default() };
    let found = routes.find(0, side * side / 2, &request).unwrap();
    exhibit.routes = found
        .routes
        .iter()
        .map(|route| ShownRoute {
            path: route.path.clone(),
            length: route.length.to_string(),
            gap: found.gap(route),
            label: String::new(),
            observed: false,
        })
        .collect();
    exhibit.varying = (1..side).map(|row| Part::Edge(at(row - 1, 0), at(row, 0))).collect();
    exhibit
}

fn roads() -> Exhibit {
    let names = ["home", "shop", "park", "work"].map(str::to_owned).to_vec();
    let minutes = |digits| Decimal::scaled(digits, 1);
    let edges = [(0, 1, minutes(25)), (0, 2, minutes(20)), (1, 3, minutes(15)), (2, 3, minutes(20))];
    let graph = Graph::weighted_undirected(4, edges).unwrap();
    let named = NamedGraph { graph: graph.clone(), names, directed: false };
    let instance = Instance::with_source(graph, 0);
    let mut exhibit = Exhibit::new("roads", &BellmanFord, &named, &instance);
    let prepared = BellmanFord.prepare(&instance).unwrap();
    exhibit.count_solutions(prepared.space(), 1000);
    for solution in prepared.space().solutions().unwrap() {
        exhibit.add_draw(&*prepared, "enumeration", None, &solution);
    }
    exhibit
}
