//! A trained network as a predictor: from a file or a run's directory to marginals.

use crate::answers::Marginals;
use crate::files;
use crate::instance::{Instance, Preset};
use crate::neural::model::{self, Network, Processor};
use crate::neural::nn::card::{CardError, read_card};
use crate::neural::nn::{Params, model_file};
use crate::neural::outputs;
use crate::neural::train::ModelCard;
use crate::pipeline::draw::{MarginalsOf, Predictor};
use crate::pipeline::generate::Made;
use crate::problems::{Algorithm, Intractable, Missing, Prepared, View, by_name};
use crate::random::Rng;
use safetensors::tensor::SafeTensors;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A network with its parameters, for one algorithm.
pub struct Model {
    algorithm: &'static dyn Algorithm,
    network: Network,
    params: Params<f32>,
    card: Option<ModelCard>,
}

/// Why there is no model.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The file could not be read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The file holds no parameters of such a network.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The file does not say for which algorithm it is, and nobody else did.
    #[error("{} does not say for which algorithm it was trained", .0.display())]
    NoAlgorithm(PathBuf),
    /// The model is for another algorithm.
    #[error("{} was trained for {trained}, not for {wanted}", path.display())]
    OtherAlgorithm {
        /// The file.
        path: PathBuf,
        /// Its algorithm.
        trained: String,
        /// The algorithm it should be for.
        wanted: String,
    },
    /// The algorithm has no network.
    #[error("there is no network of {algorithm}: {reason}")]
    NoNetwork {
        /// The algorithm.
        algorithm: &'static str,
        /// Why.
        reason: Missing,
    },
}

impl Model {
    /// Reads a model file, or the best parameters of a run's directory.
    ///
    /// A file of ours says what it is for. Parameters of dm-clrs (haiku's names) do not, so the algorithm has to be given,
    /// and the network's settings are read from the names and shapes of the tensors.
    pub fn load(path: &Path, algorithm: Option<&'static dyn Algorithm>) -> Result<Self, ModelError> {
        let path = model_file(path);
        let bytes = files::read(&path).map_err(|source| ModelError::File { path: path.clone(), source })?;
        Model::from_bytes(&bytes, &path, algorithm)
    }

    /// As [`Model::load`], from the bytes of a file that messages call `path`.
    pub fn from_bytes(
        bytes: &[u8],
        path: &Path,
        algorithm: Option<&'static dyn Algorithm>,
    ) -> Result<Self, ModelError> {
        let damaged = |reason: String| ModelError::Damaged { path: path.to_owned(), reason };
        let card: Option<ModelCard> = match read_card(bytes) {
            Ok(card) => Some(card),
            // Parameters of other programs have no card of ours.
            Err(CardError::None) => None,
            Err(error) => return Err(damaged(error.to_string())),
        };
        let algorithm = match (&card, algorithm) {
            (Some(card), wanted) => {
                let trained = &card.settings.algorithm;
                let known = by_name(trained).or(wanted.filter(|wanted| wanted.name() == trained));
                let known = known.ok_or_else(|| damaged(format!("unknown algorithm '{trained}'")))?;
                if let Some(wanted) = wanted.filter(|wanted| !share_networks(known, *wanted)) {
                    let (trained, wanted) = (trained.clone(), wanted.name().to_owned());
                    return Err(ModelError::OtherAlgorithm { path: path.to_owned(), trained, wanted });
                }
                wanted.unwrap_or(known)
            }
            (None, Some(algorithm)) => algorithm,
            (None, None) => return Err(ModelError::NoAlgorithm(path.to_owned())),
        };
        let settings = match &card {
            Some(card) => card.settings.model.clone(),
            None => settings_of_tensors(bytes).map_err(damaged)?,
        };
        settings.check_widths().map_err(|bad| damaged(bad.to_string()))?;
        let no_network = |reason| ModelError::NoNetwork { algorithm: algorithm.name(), reason };
        let network = Network::new(settings, algorithm.network().map_err(no_network)?.spec);
        let params = Params::from_safetensors(network.layout().clone(), bytes, "param/");
        let params = params.map_err(|error| damaged(error.to_string()))?;
        Ok(Model { algorithm, network, params, card })
    }

    /// The trained network that comes with the crate, for an algorithm that has one.
    pub fn built_in(algorithm: &'static dyn Algorithm) -> Option<Self> {
        let bytes = algorithm.models().network?;
        let path = Path::new(algorithm.name());
        Some(Model::from_bytes(bytes, path, Some(algorithm)).expect("the crate's own models are whole"))
    }

    /// The model as a predictor for random graphs of a preset, whose weights it sees as in training.
    pub fn for_preset(&self, preset: Preset) -> PresetModel<'_> {
        PresetModel { model: self, preset }
    }

    /// The algorithm it is for.
    pub fn algorithm(&self) -> &'static dyn Algorithm {
        self.algorithm
    }

    /// The size of the state that it keeps for each vertex.
    pub fn hidden(&self) -> usize {
        self.network.settings().hidden
    }

    /// Bytes that a prediction for n vertices takes, roughly.
    pub fn memory(&self, n: usize) -> u64 {
        model::prediction_memory(n, self.hidden())
    }

    /// Multiplications that a prediction takes, roughly: two products for each pair of vertices and each step.
    pub fn work(&self, prepared: &dyn Prepared) -> u64 {
        let (n, settings) = (prepared.instance().n(), self.network.settings());
        let rounds = prepared.features(&View::evenly_spaced(n, 1.0)).rounds() as u64;
        let products = 2 * (settings.hidden as u64).saturating_pow(2) * settings.steps_per_round as u64;
        (n as u64).saturating_pow(2).saturating_mul(rounds).saturating_mul(products)
    }

    /// What the file says of its training, if it is one of ours.
    pub fn card(&self) -> Option<&ModelCard> {
        self.card.as_ref()
    }

    /// The marginals that it predicts. Weights of an instance of our own making are shown in the unit of its preset, as in training; those of
    /// a person's own as multiples of the largest.
    pub fn marginals(&self, prepared: &dyn Prepared, made: Option<&Made>) -> Result<Marginals, Intractable> {
        let instance = prepared.instance();
        let unit = made.map_or_else(|| largest_weight(instance), |made| made.preset.weight_unit());
        self.marginals_in(prepared, &View::evenly_spaced(instance.n(), unit))
    }

    /// The marginals of an instance that is shown in a given way; none where the network's answer is not a number.
    pub fn marginals_in(&self, prepared: &dyn Prepared, view: &View) -> Result<Marginals, Intractable> {
        let features = prepared.features(view);
        let predicted = self.network.predict(&self.params, &features);
        let form = self.algorithm.problem().form;
        let marginals = outputs::marginals(prepared.instance(), features.nodes(), form, &predicted);
        marginals.map_err(|error| {
            Intractable(format!("the network's parameters are damaged or too large for an answer: {error}"))
        })
    }
}

fn largest_weight(instance: &Instance) -> f64 {
    if let Some(items) = &instance.items {
        // The last number of an item is its weight, where it has one.
        let last = items.kind().columns.len() - 1;
        let largest = items.column(last).iter().map(|weight| weight.abs()).max().unwrap_or(1).max(1);
        return largest as f64 / 10f64.powi(items.decimals() as i32);
    }
    let graph = &instance.graph;
    let largest = graph.weighted_arcs().map(|(.., weight)| weight.abs()).max().unwrap_or(1).max(1);
    largest as f64 / 10f64.powi(graph.decimals() as i32)
}

/// A model for random graphs of one preset.
#[derive(Clone, Copy, Debug)]
pub struct PresetModel<'a> {
    model: &'a Model,
    preset: Preset,
}

/// The settings of a network whose parameters come from elsewhere.
///
/// Sizes and switches show in the tensors. Who sends messages does not, so unless the metadata name the `processor`
/// everyone sends to everyone, as in the paper.
fn settings_of_tensors(bytes: &[u8]) -> Result<model::NetworkSettings, String> {
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
    let shape_of = |end: &str| {
        let name = tensors.names().into_iter().find(|name| !name.starts_with("grad/") && name.ends_with(end));
        let tensor = name.and_then(|name| tensors.tensor(name).ok());
        tensor.map(|tensor| tensor.shape().to_vec()).ok_or_else(|| format!("tensor '…/{end}' is missing"))
    };
    let linear = |number: usize| format!("clrs_processor/linear_{number}/w");
    let has = |number: usize| shape_of(&linear(number)).is_ok();
    let inferred = match (has(13), has(16), has(8)) {
        (true, true, _) => Processor::TripletGmpnn,
        (true, false, _) => Processor::TripletMpnn,
        (false, _, true) => Processor::Gmpnn,
        (false, _, false) => Processor::Mpnn,
    };
    let named = header.metadata().as_ref().and_then(|metadata| metadata.get("processor"));
    let processor = named.map_or(Ok(inferred), |name| name.parse())?;
    let last = |shape: Vec<usize>| shape.last().copied().unwrap_or(0);
    let defaults = model::NetworkSettings::default();
    let triplet_features =
        if processor.has_triplets() { last(shape_of(&linear(6))?) } else { defaults.triplet_features };
    let hidden = last(shape_of("pos_enc_linear/w")?);
    if hidden == 0 || triplet_features == 0 {
        return Err("a tensor has no columns".to_owned());
    }
    Ok(model::NetworkSettings { processor, hidden, triplet_features, ..defaults })
}

/// True when a network of one algorithm serves the other.
fn share_networks(one: &dyn Algorithm, other: &dyn Algorithm) -> bool {
    match (one.network(), other.network()) {
        (Ok(one), Ok(other)) => one.name == other.name,
        _ => false,
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("algorithm", &self.algorithm).field("card", &self.card).finish_non_exhaustive()
    }
}

impl Predictor for PresetModel<'_> {
    fn of(&self) -> MarginalsOf {
        MarginalsOf::Predicted
    }

    fn predict(
        &self,
        _algorithm: &dyn Algorithm,
        prepared: &dyn Prepared,
        _rng: &mut Rng,
    ) -> Result<Marginals, Intractable> {
        let view = View::evenly_spaced(prepared.instance().n(), self.preset.weight_unit());
        self.model.marginals_in(prepared, &view)
    }
}
