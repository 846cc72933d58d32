//! Choices that several commands offer: the algorithm, its graphs, its ties.

use super::output::product;
use anyhow::{Context, Result, bail, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use tiebreak::instance::{GraphSettings, MAX_RANDOM_SIZE, Preset};
use tiebreak::memory;
use tiebreak::neural::predict::Model;
use tiebreak::pipeline::generate::{Recipe, Source};
use tiebreak::problems::extract::Extractor;
use tiebreak::problems::ties::TiePolicy;
use tiebreak::problems::{ALGORITHMS, Algorithm, by_name};

/// Which algorithm.
#[derive(Args, Clone)]
pub struct AlgorithmChoice {
    /// The algorithm whose solutions are meant
    #[arg(long, short, value_parser = names())]
    algorithm: Option<String>,
    /// Where a search goes on after a tree: at the lowest unvisited vertex, or at any
    #[arg(long, value_enum)]
    restarts: Option<Restarts>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Restarts {
    Ordered,
    Any,
}

/// The names of all algorithms; dm-clrs' spelling is understood, too.
pub fn names() -> PossibleValuesParser {
    let value = |algorithm: &&dyn Algorithm| {
        let snake = algorithm.name().replace('-', "_");
        let aliases = algorithm.clrs_name().map(str::to_owned).into_iter().chain([snake]);
        PossibleValue::new(algorithm.name()).aliases(aliases.filter(|alias| alias != algorithm.name()))
    };
    PossibleValuesParser::new(ALGORITHMS.iter().map(value))
}

impl AlgorithmChoice {
    /// The algorithm itself.
    pub fn get(&self) -> Result<&'static dyn Algorithm> {
        let Some(name) = &self.algorithm else {
            let names: Vec<&str> = ALGORITHMS.iter().map(|algorithm| algorithm.name()).collect();
            bail!("--algorithm is missing: one of {}", names.join(", "));
        };
        let algorithm = by_name(name).expect("the parser knows the algorithms");
        match self.restarts {
            None => Ok(algorithm),
            Some(restarts) => with_restarts(algorithm, restarts)
                .with_context(|| format!("--restarts: {} has no restarts", algorithm.name())),
        }
    }
}

impl AlgorithmChoice {
    /// As [`AlgorithmChoice::get`]; where none is named, the first one of shortest paths by weights: who learnt a cost asks for routes.
    pub fn get_or_routes(&self) -> Result<&'static dyn Algorithm> {
        let finds_routes = |algorithm: &&&'static dyn Algorithm| {
            algorithm.problem().measures_paths && algorithm.needs().weights.are_used()
        };
        match (&self.algorithm, ALGORITHMS.iter().find(finds_routes)) {
            (None, Some(algorithm)) if self.restarts.is_none() => Ok(*algorithm),
            _ => self.get(),
        }
    }
}

fn with_restarts(algorithm: &'static dyn Algorithm, restarts: Restarts) -> Option<&'static dyn Algorithm> {
    let any = algorithm.with_any_restart()?;
    Some(if restarts == Restarts::Any { any } else { algorithm })
}

/// One or several algorithms.
#[derive(Args, Clone)]
pub struct AlgorithmsChoice {
    /// The algorithm whose solutions are meant (may be repeated) [default: all]
    #[arg(long = "algorithm", short, value_parser = names())]
    algorithms: Vec<String>,
    /// Where a search goes on after a tree: at the lowest unvisited vertex, or at any
    #[arg(long, value_enum)]
    restarts: Option<Restarts>,
}

impl AlgorithmsChoice {
    /// The algorithms themselves.
    pub fn get(&self) -> Result<Vec<&'static dyn Algorithm>> {
        let known = |name: &String| by_name(name).expect("the parser knows the algorithms");
        let chosen: Vec<&'static dyn Algorithm> = match self.algorithms.is_empty() {
            true => ALGORITHMS.to_vec(),
            false => self.algorithms.iter().map(known).collect(),
        };
        let Some(restarts) = self.restarts else { return Ok(chosen) };
        ensure!(
            chosen.iter().any(|algorithm| algorithm.with_any_restart().is_some()),
            "--restarts: none of the algorithms has restarts"
        );
        Ok(chosen.into_iter().map(|algorithm| with_restarts(algorithm, restarts).unwrap_or(algorithm)).collect())
    }
}

/// Which random graphs, and how their distributions are made.
#[derive(Args)]
pub struct GraphChoice {
    /// Number of vertices (may be repeated)
    #[arg(long = "size", short = 'n', default_values_t = [5, 16, 64])]
    sizes: Vec<usize>,
    /// Probability of an edge (may be repeated)
    #[arg(long = "p", default_values_t = [0.5], value_parser = probability)]
    densities: Vec<f64>,
    /// Graphs for each size and probability
    #[arg(long, default_value_t = 32)]
    pub graphs: usize,
    /// Random graphs as in the paper's text or as in the code behind its tables (may be repeated)
    #[arg(long = "preset", value_enum, default_values_t = [PresetChoice::Text])]
    presets: Vec<PresetChoice>,
    /// Random graphs of a family of SALSA-CLRS' test grid instead, each with a density of its own (may be repeated)
    #[arg(long = "family", value_enum, conflicts_with_all = ["presets", "densities"])]
    families: Vec<FamilyChoice>,
    /// Runs behind an empirical distribution
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// One order of the vertices decides all ties of a run, or each tie is free
    #[arg(long, value_enum, default_value_t = TiesChoice::OneOrder)]
    ties: TiesChoice,
}

/// Bytes that a random instance with its marginals takes while it is worked on: measured, and the most of any algorithm, which takes more the more edges
/// there are.
pub fn instance_memory(recipe: &Recipe) -> u64 {
    let GraphSettings { n, p, .. } = recipe.graph;
    product([n, n, 16 + (80.0 * p) as usize])
}

impl GraphChoice {
    /// Refuses an evaluation that does not fit.
    pub fn check_memory(&self, algorithms: &[&dyn Algorithm], recipes: &[Recipe], draws: usize) -> Result<()> {
        let has_graphs = algorithms.iter().any(|algorithm| algorithm.problem().items.is_none());
        let at_once = rayon::current_num_threads().min(self.graphs);
        let largest = recipes.iter().map(|recipe| recipe.graph.n).max().unwrap_or(0);
        let of_graph = recipes.iter().map(instance_memory).max().filter(|_| has_graphs).unwrap_or(0);
        let of_draws = product([draws, largest, 16]).saturating_add(of_graph).saturating_mul(at_once as u64);
        let needs = of_draws.saturating_add(product([self.graphs, 512]));
        let remedy = "ask for a smaller --size, fewer --graphs or --draws, or fewer --threads";
        Ok(memory::check("an evaluation of so many graphs and draws of this size", needs, remedy)?)
    }

    /// One recipe for each preset, density and size, for these algorithms.
    pub fn recipes(&self, algorithms: &[&dyn Algorithm]) -> Result<Vec<Recipe>> {
        let items = algorithms.iter().find(|algorithm| algorithm.problem().items.is_some());
        if let (false, Some(algorithm)) = (self.families.is_empty(), items) {
            bail!("--family: {} has items, not a graph", algorithm.name());
        }
        let mut recipes = vec![];
        for preset in self.presets() {
            for &p in &self.densities {
                for &n in &self.sizes {
                    if n == 0 || n > MAX_RANDOM_SIZE {
                        bail!("--size {n}: random graphs have 1 to {MAX_RANDOM_SIZE} vertices");
                    }
                    let graph = GraphSettings { n, p, preset };
                    let (runs, ties) = (self.runs as usize, self.ties.into());
                    recipes.push(Recipe { graph, runs, ties, ..Recipe::default() });
                }
            }
        }
        Ok(recipes)
    }

    fn presets(&self) -> Vec<Preset> {
        match self.families.is_empty() {
            true => self.presets.iter().map(|&preset| preset.into()).collect(),
            false => self.families.iter().map(|&family| family.into()).collect(),
        }
    }

    /// For the line below a table.
    pub fn how_runs_are_made(&self) -> String {
        format!("; empirical: {} runs, ties {}", self.runs, TiePolicy::from(self.ties).name())
    }
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if (0.0..=1.0).contains(&p) => Ok(p),
        _ => Err("a probability is a number from 0 to 1".to_owned()),
    }
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum PresetChoice {
    Text,
    Authors,
}

impl From<PresetChoice> for Preset {
    fn from(choice: PresetChoice) -> Preset {
        match choice {
            PresetChoice::Text => Preset::Text,
            PresetChoice::Authors => Preset::Authors,
        }
    }
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum FamilyChoice {
    /// Erdős–Rényi, one probability a graph, uniform in [ln n / n, 3 ln n / n]
    Er,
    /// Watts–Strogatz, 4, 6 or 8 neighbours, rewired with a probability uniform in [.05, .2]
    Ws,
    /// Delaunay triangulations of uniform points in a square
    Delaunay,
}

impl From<FamilyChoice> for Preset {
    fn from(choice: FamilyChoice) -> Preset {
        match choice {
            FamilyChoice::Er => Preset::Er,
            FamilyChoice::Ws => Preset::Ws,
            FamilyChoice::Delaunay => Preset::Delaunay,
        }
    }
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum TiesChoice {
    OneOrder,
    Free,
}

impl From<TiesChoice> for TiePolicy {
    fn from(choice: TiesChoice) -> TiePolicy {
        match choice {
            TiesChoice::OneOrder => TiePolicy::OneOrder,
            TiesChoice::Free => TiePolicy::Free,
        }
    }
}

/// Where a distribution comes from.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SourceChoice {
    /// The share of repeated runs
    Empirical,
    /// What infinitely many runs would give
    Exact,
}

impl From<SourceChoice> for Source {
    fn from(choice: SourceChoice) -> Source {
        match choice {
            SourceChoice::Empirical => Source::Empirical,
            SourceChoice::Exact => Source::Exact,
        }
    }
}

/// The trained network that comes with the tool.
pub fn built_in_network(algorithm: &'static dyn Algorithm) -> Result<Model> {
    let reason = || match algorithm.network() {
        Ok(_) => format!("there is no built-in network of {}; train one with tiebreak train", algorithm.name()),
        Err(missing) => format!("there is no network of {}: {missing}", algorithm.name()),
    };
    Model::built_in(algorithm).with_context(reason)
}

/// The extractors of those names, in the algorithm's order; all of them when no name is given.
pub fn extractors(algorithm: &dyn Algorithm, names: &[String]) -> Vec<&'static dyn Extractor> {
    let wanted = |extractor: &&dyn Extractor| names.is_empty() || names.iter().any(|name| name == extractor.name());
    algorithm.problem().extractors.iter().copied().filter(wanted).collect()
}

/// Refuses a name that is no extractor of any of the algorithms.
pub fn check_extractors(algorithms: &[&dyn Algorithm], names: &[String]) -> Result<()> {
    let known: Vec<&str> = algorithms
        .iter()
        .flat_map(|algorithm| algorithm.problem().extractors)
        .map(|extractor| extractor.name())
        .collect();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(unknown) => {
            let mut listed: Vec<&str> = vec![];
            known.into_iter().for_each(|name| {
                if !listed.contains(&name) {
                    listed.push(name)
                }
            });
            bail!("'{unknown}' is not an extractor; there are {}", listed.join(", "))
        }
        None => Ok(()),
    }
}
