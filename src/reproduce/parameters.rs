//! The training settings, resolved, beside the paper's.

use super::experiment::Experiment;
use crate::neural::model::Network;
use crate::neural::train;
use crate::report::{Cell, Table};
use serde::{Deserialize, Serialize};

/// A setting beside the paper's.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its name, as in the paper.
    pub name: String,
    /// The key of ours (`model.hidden`), or `parameters` for the number of learnt numbers.
    pub key: Option<String>,
    /// Ours in words, where it is not a key.
    pub text: Option<String>,
    /// The paper's.
    pub paper: Option<String>,
    /// Why they differ.
    #[serde(default)]
    pub remark: String,
}

/// One line for each setting; one column for each entry of the experiment, and the paper's.
pub fn table(experiment: &Experiment) -> Result<Table, String> {
    let mut settings: Vec<(String, train::TrainSettings)> = vec![];
    for entry in &experiment.entries {
        let resolved = experiment.training_settings(entry, 0)?;
        settings.extend(resolved.map(|settings| (entry.label(), settings)));
    }
    let layout = experiment.tables.first();
    let heads = ["parameter"].into_iter().map(str::to_owned).chain(settings.iter().map(|(label, _)| label.clone()));
    let text = |text: &str| Cell::Text(text.to_owned());
    let row = |parameter: &Parameter| {
        let mut cells = vec![text(&parameter.name)];
        cells.extend(settings.iter().map(|(_, settings)| text(&value(parameter, settings))));
        cells.extend([text(parameter.paper.as_deref().unwrap_or("–")), text(&parameter.remark)]);
        cells
    };
    Ok(Table {
        name: layout.map_or(experiment.name.clone(), |layout| layout.name.clone()),
        title: layout.map_or(String::new(), |layout| layout.title.clone()),
        paper_label: layout.and_then(|layout| layout.paper.clone()),
        columns: heads.chain(["the paper".to_owned(), "remark".to_owned()]).collect(),
        rows: experiment.parameters.iter().map(row).collect(),
        notes: layout.map_or(vec![], |layout| layout.notes.clone()),
    })
}

fn value(parameter: &Parameter, settings: &train::TrainSettings) -> String {
    let Some(key) = &parameter.key else { return parameter.text.clone().unwrap_or_default() };
    if key == "parameters" {
        return learnt_numbers(settings).to_string();
    }
    let table: toml::Table = settings.to_toml().parse().unwrap_or_default();
    let mut inner = Some(&toml::Value::Table(table)).cloned();
    for part in key.split('.') {
        inner = inner.and_then(|value| value.get(part).cloned());
    }
    match inner {
        None => "–".to_owned(),
        Some(toml::Value::String(text)) => text,
        Some(toml::Value::Array(items)) => items.iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", "),
        Some(value) => value.to_string(),
    }
}

fn learnt_numbers(settings: &train::TrainSettings) -> usize {
    let spec = crate::problems::by_name(&settings.algorithm)
        .and_then(|algorithm| algorithm.network().ok())
        .map(|network| network.spec);
    spec.map_or(0, |spec| Network::<f32>::new(settings.model.clone(), spec).layout().size())
}
