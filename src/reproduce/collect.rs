//! From the raw rows of all pieces to tables, figures and a page; and what is still missing.

use super::experiment::{Experiment, Measure};
use super::plan::Plan;
use super::rows::{Measured, to_csv};
use super::{ReproduceError, figures, parameters, tables};
use crate::files::{Lock, make_directory, remove_temporaries, write_atomically};
use crate::neural::train::RunDirectory;
use crate::report::{Cell, Exhibit, Page, Results, Table, TrainingRun, html, plot, table};
use std::path::Path;

/// What was collected.
#[derive(Debug)]
pub struct Collected {
    /// The results of each experiment of which something was measured.
    pub results: Vec<Results>,
    /// The names of measurements that have not been made.
    pub missing: Vec<String>,
}

/// What the notes should say that no file knows.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    /// The command that made everything.
    pub command: String,
    /// The machine, and what else it was doing, for times.
    pub machine: Option<String>,
}

/// Writes everything that can be made of the rows there are.
pub fn collect(plan: &Plan, remarks: &Remarks) -> Result<Collected, ReproduceError> {
    let out = &plan.request.out;
    make_directory(out)?;
    let _lock = Lock::directory(out)?;
    let mut collected = Collected { results: vec![], missing: vec![] };
    for (place, experiment) in plan.request.experiments.iter().enumerate() {
        let (rows, exhibits, missing) = rows_of(plan, place)?;
        collected.missing.extend(missing);
        let results = results(experiment, &rows, exhibits, remarks)?;
        if results.tables.is_empty() && results.figures.is_empty() {
            continue;
        }
        write_results(&out.join(&experiment.name), &results, &rows)?;
        collected.results.push(results);
    }
    write_overview(plan, &collected, remarks)?;
    Ok(collected)
}

/// Rows, exhibits, and the names of what is missing.
type Found = (Vec<Measured>, Vec<Exhibit>, Vec<String>);

/// The rows of one experiment in the order of entries and seeds, its exhibits, and the names of what is missing.
fn rows_of(plan: &Plan, experiment: usize) -> Result<Found, ReproduceError> {
    let all = plan.pieces.iter().flat_map(|piece| &piece.measurements);
    let mut own: Vec<_> = all.filter(|measurement| measurement.experiment == experiment).collect();
    own.sort_by_key(|measurement| (measurement.entry, measurement.seed));
    let (mut rows, mut exhibits, mut missing) = (vec![], vec![], vec![]);
    for measurement in own {
        match plan.record(measurement)? {
            Some(record) => {
                rows.extend(record.rows);
                exhibits.extend(record.exhibits);
            }
            None => missing.push(plan.name_of(measurement)),
        }
    }
    Exhibit::sort(&mut exhibits);
    Ok((rows, exhibits, missing))
}

fn results(
    experiment: &Experiment,
    rows: &[Measured],
    exhibits: Vec<Exhibit>,
    remarks: &Remarks,
) -> Result<Results, ReproduceError> {
    let mut tables: Vec<Table> =
        experiment.tables.iter().filter_map(|layout| tables::table(layout, experiment, rows)).collect();
    if experiment.measure == Measure::Settings {
        let bad = |reason| ReproduceError::Experiment { file: experiment.name.clone(), reason };
        tables = vec![parameters::table(experiment).map_err(bad)?];
    }
    if experiment.measure == Measure::Times {
        let machine = remarks.machine.clone().unwrap_or_else(this_machine);
        tables.iter_mut().for_each(|table| table.notes.push(format!("Trained on: {machine}")));
    }
    let figures = experiment.figures.iter().filter_map(|layout| figures::figure(layout, experiment, rows));
    Ok(Results {
        name: experiment.name.clone(),
        about: experiment.about.trim().to_owned(),
        found: experiment.found.iter().filter_map(|finding| finding.sentence(rows)).collect::<Vec<_>>().join(" "),
        command: remarks.command.clone(),
        figures: figures.collect(),
        tables,
        exhibits,
    })
}

/// What can be known of a machine after the value.
fn this_machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let arch = std::env::consts::ARCH;
    format!(
        "a machine like this one ({arch}, {cores} cores), if the runs were made here; what else it was doing is not known, and the \
         clock counts that, too."
    )
}

fn write_results(directory: &Path, results: &Results, rows: &[Measured]) -> Result<(), ReproduceError> {
    make_directory(directory)?;
    remove_temporaries(directory).map_err(|source| ReproduceError::File { path: directory.to_owned(), source })?;
    let write = |name: &str, bytes: &[u8]| write_atomically(&directory.join(name), bytes);
    let csv = if rows.is_empty() { table_as_csv(&results.tables) } else { to_csv(rows) };
    write("rows.csv", csv.as_bytes())?;
    let all = |render: fn(&Table) -> String| results.tables.iter().map(render).collect::<Vec<_>>().join("\n");
    write("table.txt", all(table::text).as_bytes())?;
    write("table.md", all(table::markdown).as_bytes())?;
    write("table.tex", all(table::latex).as_bytes())?;
    for figure in &results.figures {
        let svg = plot::svg(figure);
        write(&format!("{}.svg", figure.name), svg.as_bytes())?;
        let drawing = |reason| ReproduceError::Drawing { name: figure.name.clone(), reason };
        write(&format!("{}.png", figure.name), &plot::png(figure).map_err(drawing)?)?;
    }
    let json = serde_json::to_string(results).expect("results are always JSON");
    Ok(write("results.json", json.as_bytes())?)
}

/// Tables of words are their own raw rows.
fn table_as_csv(tables: &[Table]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let cell = |cell: &Cell| match cell {
        Cell::Text(text) => quoted(text),
        Cell::Number(number) => number.ours.map_or(String::new(), |ours| ours.to_string()),
    };
    let mut text = String::new();
    for table in tables {
        text += &(table.columns.iter().map(|head| quoted(head)).collect::<Vec<_>>().join(",") + "\n");
        for row in &table.rows {
            text += &(row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n");
        }
    }
    text
}

/// The index for people, the page, and what version control should leave out.
fn write_overview(plan: &Plan, collected: &Collected, remarks: &Remarks) -> Result<(), ReproduceError> {
    let out = &plan.request.out;
    write_atomically(&out.join("README.md"), overview(collected, remarks).as_bytes())?;
    write_atomically(
        &out.join(".gitignore"),
        b"# Parameters are large, and made again from settings.toml.\n/runs/*/*.safetensors\n.tiebreak-*\n",
    )?;
    let page = Page {
        title: "Neural algorithmic reasoning with multiple correct solutions, reproduced".to_owned(),
        about: format!("Made by {}. Every number is ours ± deviation over seeds, beside the paper's.", remarks.command),
        results: collected.results.clone(),
        runs: training_runs(plan),
    };
    Ok(write_atomically(&out.join("report.html"), html(&page).as_bytes())?)
}

/// The trainings of the plan as far as they have got.
fn training_runs(plan: &Plan) -> Vec<TrainingRun> {
    let trainings = plan.pieces.iter().filter_map(|piece| piece.training.as_ref());
    let run = |name: &String| {
        let (run, settings) = RunDirectory::open(&plan.run_path(name)).ok()?;
        Some(TrainingRun { name: name.clone(), settings, log: run.log().ok()? })
    };
    trainings.filter_map(|training| run(&training.name)).collect()
}

fn overview(collected: &Collected, remarks: &Remarks) -> String {
    let mut text = format!(
        "# The paper's evaluation, reproduced\n\nTables and figures of \"Neural Algorithmic Reasoning with Multiple Correct Solutions\" (Kujawa, \
         Poole et al., 2025), made by\n\n```sh\n{}\n```\n\nIn a table, a cell is *ours ± standard deviation over seeds (the paper's; ours minus the \
         paper's)*. Each experiment's folder has the raw rows (`rows.csv`), the tables for a terminal, as Markdown and as LaTeX, the figures as SVG and \
         PNG, and `results.json`; `report.html` shows all of it on one page, with instances to step through. `runs/` holds settings and log of each \
         training.\n\n",
        remarks.command
    );
    for results in &collected.results {
        let labels = results.tables.iter().filter_map(|table| table.paper_label.as_ref());
        let labels = labels.chain(results.figures.iter().filter_map(|figure| figure.paper_label.as_ref()));
        let mut named: Vec<&str> = vec![];
        for label in labels.flat_map(|label| label.split(", ")) {
            let label = label.trim_start_matches("tab: ").trim_start_matches("fig: ");
            if !named.contains(&label) {
                named.push(label);
            }
        }
        let labels = if named.is_empty() { String::new() } else { format!(" (the paper's {})", named.join(", ")) };
        text += &format!("- [{name}](#{name}){labels}\n", name = results.name);
    }
    for results in &collected.results {
        let found = if results.found.is_empty() { String::new() } else { format!("**{}**\n\n", results.found) };
        text += &format!("\n## {}\n\n{}\n\n{found}", results.name, results.about);
        for figure in &results.figures {
            let notes: String = figure.notes.iter().map(|note| format!(" {note}")).collect();
            let path = format!("{}/{}.svg", results.name, figure.name);
            text += &format!("![{}]({path})\n\n*{}*{notes}\n\n", figure.title, figure.title);
        }
        for table in &results.tables {
            text += &(table::markdown(table) + "\n");
        }
    }
    if !collected.missing.is_empty() {
        text += &format!("\n## Missing\n\nNot measured yet: {}.\n", collected.missing.join(", "));
    }
    text
}
