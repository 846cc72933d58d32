//! From experiments to pieces of work: stable names, nothing twice, no piece that waits for another.

use super::ReproduceError;
use super::experiment::{Entry, Experiment, Measure};
use super::rows::Measured;
use crate::files::{self, Lock, make_directory, remove_temporaries_of, write_atomically};
use crate::instance::GraphSettings;
use crate::neural::train;
use crate::random::Rng;
use crate::report::Exhibit;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The experiments.
    pub experiments: Vec<Experiment>,
    /// Seeds from 0, so many.
    pub seeds: u64,
    /// Where everything is written.
    pub out: PathBuf,
    /// Whether models are trained; if not, only those that are fully trained are measured.
    pub train: bool,
}

/// A model to be trained.
#[derive(Clone, Debug)]
pub struct Training {
    /// The name of its directory.
    pub name: String,
    /// How.
    pub settings: train::TrainSettings,
}

/// Something to be measured: an entry of an experiment, for one seed.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The place of the experiment in the request.
    pub experiment: usize,
    /// The place of the entry in the experiment.
    pub entry: usize,
    /// The seed.
    pub seed: u64,
}

/// Work that waits for no other work.
#[derive(Clone, Debug)]
pub struct Piece {
    /// A name that depends on what it does alone.
    pub name: String,
    /// The model it trains first.
    pub training: Option<Training>,
    /// What it measures then.
    pub measurements: Vec<Measurement>,
}

/// All pieces of a request.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What was asked for.
    pub request: Request,
    /// The pieces; their places are their numbers.
    pub pieces: Vec<Piece>,
}

/// The file of a measurement.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    /// Everything that the rows depend on, so that rows of something else are never taken for these.
    pub of: serde_json::Value,
    /// The raw rows.
    pub rows: Vec<Measured>,
    /// Instances to look at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exhibits: Vec<Exhibit>,
}

impl Plan {
    /// Cuts experiments into pieces.
    pub fn new(request: Request) -> Result<Self, ReproduceError> {
        let mut pieces: Vec<Piece> = vec![];
        for (place, experiment) in request.experiments.iter().enumerate() {
            if experiment.measure == Measure::Settings {
                continue;
            }
            for seed in 0..request.seeds.min(experiment.seeds.unwrap_or(u64::MAX)) {
                for (entry, subject) in experiment.entries.iter().enumerate() {
                    if subject.seeds.is_none_or(|seeds| seed < seeds) {
                        add(&mut pieces, &request, Measurement { experiment: place, entry, seed })?;
                    }
                }
            }
        }
        Ok(Plan { request, pieces })
    }

    /// The experiment and the entry of a measurement.
    pub fn subject(&self, measurement: &Measurement) -> (&Experiment, &Entry) {
        let experiment = &self.request.experiments[measurement.experiment];
        (experiment, &experiment.entries[measurement.entry])
    }

    /// The name of a measurement.
    pub fn name_of(&self, measurement: &Measurement) -> String {
        let (experiment, entry) = self.subject(measurement);
        format!("{}/{}-{}", experiment.name, entry.label(), measurement.seed)
    }

    /// The directory of a training.
    pub fn run_path(&self, training: &str) -> PathBuf {
        self.request.out.join("runs").join(training)
    }

    fn record_path(&self, measurement: &Measurement) -> PathBuf {
        self.request.out.join("pieces").join(self.name_of(measurement) + ".json")
    }

    /// What was measured; none when nothing was, or something else.
    pub(super) fn record(&self, measurement: &Measurement) -> Result<Option<Record>, ReproduceError> {
        let path = self.record_path(measurement);
        let text = files::read_text_if_there(&path).map_err(|source| ReproduceError::File { path, source })?;
        let record = text.and_then(|text| serde_json::from_str::<Record>(&text).ok());
        Ok(record.filter(|record| record.of == self.identity(measurement)))
    }

    /// Whether a measurement has been made.
    pub fn is_measured(&self, measurement: &Measurement) -> bool {
        // What cannot be read is measured again.
        matches!(self.record(measurement), Ok(Some(_)))
    }

    pub(super) fn store(
        &self,
        measurement: &Measurement,
        rows: Vec<Measured>,
        exhibits: Vec<Exhibit>,
    ) -> Result<(), ReproduceError> {
        let path = self.record_path(measurement);
        make_directory(path.parent().unwrap_or(Path::new(".")))?;
        let record = Record { of: self.identity(measurement), rows, exhibits };
        let text = serde_json::to_string(&record).expect("rows are always JSON");
        Ok(write_atomically(&path, text.as_bytes())?)
    }

    /// Keeps other processes from working on the same piece, for as long as the lock lives; what a killed one left half-written goes.
    pub(super) fn lock(&self, piece: &Piece) -> Result<Lock, ReproduceError> {
        let pieces = self.request.out.join("pieces");
        make_directory(&pieces)?;
        let file = pieces.join(format!(".{}.lock", piece.name.replace('/', "-")));
        let lock = Lock::file(&file, &self.request.out.join(&piece.name))?;
        for measurement in &piece.measurements {
            let path = self.record_path(measurement);
            remove_temporaries_of(&path).map_err(|source| ReproduceError::File { path, source })?;
        }
        Ok(lock)
    }

    /// Everything that the rows of a measurement depend on, but for the program itself.
    fn identity(&self, measurement: &Measurement) -> serde_json::Value {
        let (experiment, entry) = self.subject(measurement);
        let Experiment { measure, sizes, graphs, p, draws, runs, ties, exhibits, metrics, .. } = experiment;
        let training = experiment.training_settings(entry, measurement.seed).ok().flatten();
        let identity = json!({
            "measure": measure, "sizes": sizes, "graphs": graphs, "p": p, "draws": draws, "runs": runs, "ties": ties,
            "exhibits": exhibits, "metrics": metrics, "entry": entry, "seed": measurement.seed, "training": training,
        });
        // As it comes back from a file, so that the two are equal.
        serde_json::from_str(&identity.to_string()).expect("it was written as JSON")
    }

    /// A line of the plan, for machines.
    pub fn describe(&self, index: usize) -> serde_json::Value {
        let piece = &self.pieces[index];
        let measures: Vec<String> = piece.measurements.iter().map(|measurement| self.name_of(measurement)).collect();
        let training = piece.training.as_ref().map(|training| format!("runs/{}", training.name));
        json!({"index": index, "name": piece.name, "trains": training, "measures": measures, "complete": self.is_complete(piece)})
    }

    /// Whether everything of a piece has been measured: its training is then no longer needed.
    pub fn is_complete(&self, piece: &Piece) -> bool {
        piece.measurements.iter().all(|measurement| self.is_measured(measurement))
    }

    /// The work of a piece in units of one vertex pair in one round of a network: what an estimate of the time needs.
    pub fn cost(&self, piece: &Piece) -> f64 {
        let training = piece.training.as_ref().map_or(0.0, |training| training_cost(&training.settings));
        training + piece.measurements.iter().map(|measurement| self.measurement_cost(measurement)).sum::<f64>()
    }

    pub(super) fn measurement_cost(&self, measurement: &Measurement) -> f64 {
        let (experiment, entry) = self.subject(measurement);
        let passes = match experiment.measure {
            Measure::PermuteAll | Measure::PermutePos => experiment.draws,
            Measure::Draws | Measure::Curve | Measure::Labels => 1,
            Measure::Grid | Measure::Reruns | Measure::Times | Measure::Settings => 0,
        };
        let settings = experiment.training_settings(entry, measurement.seed).ok().flatten();
        let width = settings.map_or(0.0, |settings| (settings.model.hidden as f64).powi(2));
        let sizes = experiment.sizes.iter().map(|&size| pair_rounds(&entry.algorithm, size, experiment.p));
        sizes.sum::<f64>() * (passes * experiment.graphs) as f64 * width
    }
}

pub(super) fn training_cost(settings: &train::TrainSettings) -> f64 {
    let mean_p = settings.p.iter().sum::<f64>() / settings.p.len() as f64;
    let sizes = settings.sizes.iter().map(|&size| pair_rounds(&settings.algorithm, size, mean_p));
    let of_graph = sizes.sum::<f64>() / settings.sizes.len() as f64;
    // A gradient takes about three times as long as an answer.
    3.0 * of_graph * settings.steps as f64 * settings.batch as f64 * (settings.model.hidden as f64).powi(2)
}

/// Vertex pairs times rounds, of one graph of that size.
fn pair_rounds(algorithm: &str, n: usize, p: f64) -> f64 {
    let Some(algorithm) = crate::problems::by_name(algorithm) else { return 0.0 };
    let graph = GraphSettings { n, p, ..GraphSettings::default() };
    let instance = algorithm.instance(&graph, &mut Rng::stream(0, "cost", n as u64));
    let features = crate::pipeline::generate::prepared(algorithm, &instance)
        .features(&crate::problems::View::evenly_spaced(n, 1.0));
    features.rounds() as f64 * (n * n) as f64
}

/// Adds a measurement to the piece that has its model, or as a piece of its own.
fn add(pieces: &mut Vec<Piece>, request: &Request, measurement: Measurement) -> Result<(), ReproduceError> {
    let experiment = &request.experiments[measurement.experiment];
    let entry = &experiment.entries[measurement.entry];
    let file = || experiment.name.clone();
    let settings = experiment
        .training_settings(entry, measurement.seed)
        .map_err(|reason| ReproduceError::Experiment { file: file(), reason })?;
    let label = format!("{}-{}", entry.label(), measurement.seed);
    let Some(settings) = settings else {
        let name = format!("{}/{label}", experiment.name);
        pieces.push(Piece { name, training: None, measurements: vec![measurement] });
        return Ok(());
    };
    match pieces.iter_mut().find(|piece| piece.training.as_ref().is_some_and(|training| training.name == label)) {
        Some(piece) if piece.training.as_ref().is_some_and(|training| training.settings != settings) => {
            let one = request.experiments[piece.measurements[0].experiment].name.clone();
            Err(ReproduceError::Contradiction { training: label, one, other: file() })
        }
        Some(piece) => {
            piece.measurements.push(measurement);
            Ok(())
        }
        None => {
            let training = Some(Training { name: label.clone(), settings });
            pieces.push(Piece { name: label, training, measurements: vec![measurement] });
            Ok(())
        }
    }
}
