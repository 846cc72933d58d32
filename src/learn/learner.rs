//! From a table of edges and a list of observed routes to a cost and an account of it.
//!
//! 1. Gaps of routes are filled with the cheapest way (fewest edges at first; then, once, by what was learnt), and loops are cut.
//! 2. A recipe is chosen by held-out folds ([`super::choose`]).
//! 3. It is fitted to all observations; bootstrap samples of them, each fitted from there, tell how sure the effects are.
//! 4. The parameters that never saw a fold are measured on it: exact match, recall, gaps, and from the gaps tau.

use super::account::{Account, Baseline, Calibration, Effect, Example, effects, intervals};
use super::answers::Answers;
use super::choose::{FOLDS, Folds, Freedom, Trial, Trials};
use super::cost::{CostCard, EdgeTable, LearntCost, VERSION};
use super::data::{Loss, ObservedData, Scale};
use super::examples::{ObservedPath, SHOWN, examples, frequent_routes};
use super::features::{Cell, Column, Encoding};
use super::fit::{Care, Recipe};
use super::likelihood::ObservedRoute;
use super::model::{Design, Shape, softplus};
use super::observations::Observations;
use super::perturbed::Question;
use super::score::{FitScore, RouteScore, TrueCosts, score_routes, score_sets};
use crate::instance::Weight;
use crate::random::Rng;
use crate::solve::routes::RouteError;
use rayon::prelude::*;
use thiserror::Error;

/// What is wanted.
#[derive(Clone, Debug, Default)]
pub struct LearnRequest {
    /// Columns of edges that are used; all that say something where none is named.
    pub features: Vec<String>,
    /// What may be chosen.
    pub freedom: Freedom,
    /// Nothing is held out and nothing chosen: one quick fit, without calibration.
    pub fit_only: bool,
    /// A column of what edges truly cost, where somebody knows: nothing is learnt from it, but answers are measured by it.
    pub true_cost: Option<String>,
    /// Bootstrap samples.
    pub bootstrap: usize,
    /// The seed of folds and samples.
    pub seed: u64,
    /// Where edges start and end in the table, to be remembered.
    pub table_columns: Vec<String>,
}

/// A cost with its account.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The cost.
    pub cost: LearntCost,
    /// The account.
    pub account: Account,
    /// The routes that were observed, the most frequent first; none where trees or sets were.
    pub observed: Vec<ObservedPath>,
}

/// Why nothing was learnt.
#[derive(Debug, Error)]
pub enum LearnError {
    /// A column that does not exist.
    #[error("there is no column `{name}`; the edges have `{}`", known.join("`, `"))]
    UnknownColumn {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// No way fills a gap.
    #[error("observation {place}: there is no way from '{from}' to '{to}'")]
    NoWay {
        /// Which observation, from 1.
        place: usize,
        /// Where the gap begins.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// A form that no loss serves.
    #[error("{0}")]
    Unsupported(String),
    /// Routes could not be found.
    #[error(transparent)]
    Routes(#[from] RouteError),
}

/// Learns a cost. `earlier` are trials of a run that was stopped; `tell` hears of each new one.
pub fn learn(
    table: &EdgeTable,
    observations: &Observations,
    request: &LearnRequest,
    earlier: Vec<Trial>,
    tell: &mut (dyn FnMut(&Trial) + Send),
) -> Result<Learnt, LearnError> {
    let mut notes = observations.notes.clone();
    let form = observations.answers[0].form();
    let columns = chosen_columns(table, request, &mut notes)?;
    let encoding = Encoding::fit(&columns, &mut notes);
    let (design, _) = table.design(&encoding).expect("the columns that were fitted are there");
    let contexts = Encoding::fit(&observations.contexts, &mut notes);
    let encoded = contexts.encode(&observations.contexts, observations.answers.len());
    let (values, _) = encoded.expect("the columns that were fitted are there");
    let prepared = table.items.as_ref().map(|items| items.algorithm.prepare(&items.instance));
    let prepared = prepared.transpose().map_err(|error| LearnError::Unsupported(error.to_string()))?;
    let sets = prepared.as_ref().map(|prepared| prepared.space());
    let mut answers = Answers::new(table, observations, None, sets)?;
    if answers.gaps > 0 {
        let weights = by_columns_alone(&observed_data(table, &design, &values, contexts.width(), answers));
        answers = Answers::new(table, observations, Some(weights), sets)?;
    }
    notes.extend(answers.notes());
    let data = observed_data(table, &design, &values, contexts.width(), answers);
    if request.freedom.loss == Some(Loss::Likelihood) && data.usual_loss() != Loss::Likelihood {
        let why = "the likelihood is that of routes, on graphs that are not too large; leave the loss to be chosen";
        return Err(LearnError::Unsupported(why.to_owned()));
    }
    let truth = true_costs(table, request.true_cost.as_deref())?;
    let truth = truth.map(|costs| TrueCosts::new(data.graph, data.question, costs, &data.routes)).transpose()?;
    let learner =
        Learner { table, data: &data, encoding: &encoding, contexts: &contexts, request, form, truth: truth.as_ref() };
    learner.run(notes, earlier, tell)
}

/// The answers, each with its row of the contexts' values.
fn observed_data<'a>(
    table: &'a EdgeTable,
    design: &'a Design,
    values: &[f64],
    width: usize,
    answers: Answers<'a>,
) -> ObservedData<'a> {
    let context = |&observation: &u32| values[observation as usize * width..][..width].to_vec();
    let contexts = answers.observation.iter().map(context).collect();
    ObservedData::new(&table.graph, design, answers.question, answers.routes, answers.observation, contexts)
}

/// Costs from the columns without any terms: what gaps are filled by.
fn by_columns_alone(data: &ObservedData) -> Vec<Weight> {
    let recipe = Recipe::plain(data.usual_loss());
    let sample = data.sample(recipe.loss, &vec![1.0; data.observations()]);
    let fitted = recipe.fit(data, &sample, None, Care::Choice);
    let params = fitted.map_or_else(|| recipe.start(&recipe.shape(data), data), |minimum| minimum.point);
    weights(data.design, &recipe.shape(data), &params, &vec![0.0; data.context_width()]).1
}

/// The columns that are used, all but identifiers where none is named.
fn chosen_columns(
    table: &EdgeTable,
    request: &LearnRequest,
    notes: &mut Vec<String>,
) -> Result<Vec<Column>, LearnError> {
    let is_true = |name: &String| request.true_cost.as_ref() == Some(name);
    if let Some(name) = request.features.iter().find(|&name| is_true(name)) {
        return Err(LearnError::Unsupported(format!("`{name}` is the true cost: nothing can be learnt from it")));
    }
    if !request.features.is_empty() {
        return request.features.iter().map(|name| column(table, name).cloned()).collect();
    }
    let others = table.columns.iter().filter(|column| !is_true(&column.name));
    let (identifiers, used): (Vec<&Column>, Vec<&Column>) = others.partition(|column| tells_edges_apart(column));
    if !identifiers.is_empty() {
        let names: Vec<&str> = identifiers.iter().map(|column| column.name.as_str()).collect();
        notes.push(format!("`{}` tells edges apart and is not used; --features can name it", names.join("`, `")));
    }
    Ok(used.into_iter().cloned().collect())
}

fn column<'a>(table: &'a EdgeTable, name: &str) -> Result<&'a Column, LearnError> {
    let known = || table.columns.iter().map(|column| column.name.clone()).collect();
    let column = table.columns.iter().find(|column| column.name == name);
    column.ok_or_else(|| LearnError::UnknownColumn { name: name.to_owned(), known: known() })
}

/// The true cost of each arc, if a column is said to have it.
fn true_costs(table: &EdgeTable, name: Option<&str>) -> Result<Option<Vec<f64>>, LearnError> {
    let Some(name) = name else { return Ok(None) };
    let numbers = column(table, name)?.numbers().filter(|numbers| numbers.iter().all(|&number| number > 0.0));
    let refused = || LearnError::Unsupported(format!("the true cost `{name}` is not a positive number for every edge"));
    let numbers = numbers.ok_or_else(refused)?;
    Ok(Some(table.edge_of_arcs().iter().map(|&edge| numbers[edge as usize]).collect()))
}

/// True for an id, or for words most of which occur once.
fn tells_edges_apart(column: &Column) -> bool {
    if ["id", "key", "osmid"].iter().any(|identifier| column.name.eq_ignore_ascii_case(identifier)) {
        return true;
    }
    let words = column.cells.iter().filter_map(|cell| if let Cell::Word(word) = cell { Some(word) } else { None });
    let words: Vec<&String> = words.collect();
    let different: std::collections::HashSet<&&String> = words.iter().collect();
    words.len() > 20 && 2 * different.len() > words.len()
}

struct Learner<'a> {
    table: &'a EdgeTable,
    data: &'a ObservedData<'a>,
    encoding: &'a Encoding,
    contexts: &'a Encoding,
    request: &'a LearnRequest,
    /// What was observed.
    form: &'static str,
    truth: Option<&'a TrueCosts>,
}

/// Observations below which nothing is held out.
const FEW: usize = 10;
/// Observations whose routes are looked for among the cheapest, at the most: more would not change the figures.
const MEASURED: u32 = 5000;
/// Observations times arcs, at the most, for which the perturbed loss is tried beside the likelihood.
const MOST_PERTURBED: usize = 20_000_000;

/// The score of a route, with its place among all.
type Scored = (usize, RouteScore);

impl Learner<'_> {
    fn run(
        &self,
        mut notes: Vec<String>,
        earlier: Vec<Trial>,
        tell: &mut (dyn FnMut(&Trial) + Send),
    ) -> Result<Learnt, LearnError> {
        let folds = Folds::new(self.data, &self.table.names, self.request.seed);
        let mut trials = Trials::new(self.data, &folds, earlier, tell);
        let (recipe, held_out) = match self.data.observations() {
            _ if self.request.fit_only => {
                notes.push("a quick fit: no terms, no calibration, no held-out figures".to_owned());
                (self.plain_recipe().with_quick_penalty(self.data, &folds), vec![])
            }
            FEW.. => {
                let recipe = trials.choose(self.request.freedom);
                self.better_loss(&mut trials, recipe, &folds)?
            }
            few => {
                notes.push(format!("{few} observations are too few to hold some out: no terms, no calibration"));
                (self.plain_recipe(), vec![])
            }
        };
        let shape = recipe.shape(self.data);
        let all = vec![1.0; folds.of.len()];
        let care = if self.request.fit_only { Care::Quick } else { Care::Thorough };
        let fitted = recipe.fit_in_stages(self.data, &all, &folds.rank, care);
        let params = fitted.map_or_else(|| recipe.start(&shape, self.data), |minimum| minimum.point);
        let samples = self.bootstrap(&recipe, &shape, &params);
        let (scores, fold_of): (Vec<RouteScore>, Vec<u8>) =
            held_out.iter().map(|&(route, score)| (score, folds.of[self.data.observation[route] as usize])).unzip();
        let calibration = Calibration::of(&scores, &fold_of);
        let account = Account {
            observations: folds.of.len(),
            form: self.form.to_owned(),
            recipe,
            effects: self.effects(&shape, &params, &samples),
            held_out: (!scores.is_empty()).then(|| FitScore::of(&scores)),
            baselines: self.baselines(&folds)?,
            calibration: calibration.clone(),
            examples: if held_out.is_empty() { vec![] } else { self.examples(&mut trials, &recipe, &folds)? },
            notes,
        };
        let observed = if self.form == "path" { frequent_routes(self.table, &self.data.routes) } else { vec![] };
        let cost = self.cost(&shape, &params, calibration.map(|calibration| calibration.tau));
        Ok(Learnt { cost, account, observed })
    }

    /// What is fitted where nothing can be chosen.
    fn plain_recipe(&self) -> Recipe {
        let Freedom { loss, predictor, .. } = self.request.freedom;
        let plain = Recipe::plain(loss.unwrap_or_else(|| self.data.usual_loss()));
        Recipe { predictor: predictor.unwrap_or(plain.predictor), ..plain }
    }

    /// Whether the other loss explains held-out routes better, first on one fold and then on all; with the scores of the better one.
    fn better_loss(
        &self,
        trials: &mut Trials,
        recipe: Recipe,
        folds: &Folds,
    ) -> Result<(Recipe, Vec<Scored>), LearnError> {
        let usual = self.held_out(trials, &recipe, folds, FOLDS)?;
        let work = self.data.routes.len().saturating_mul(self.data.graph.arc_count());
        if self.request.freedom.loss.is_some() || recipe.loss == Loss::FenchelYoung || work > MOST_PERTURBED {
            return Ok((recipe, usual));
        }
        let other = Recipe { loss: Loss::FenchelYoung, ..recipe };
        let merit = |scores: &[Scored], count: u8| {
            let is_in = |route: usize| folds.of[self.data.observation[route] as usize] < count;
            let chosen = scores.iter().filter(|(route, _)| is_in(*route)).map(|&(_, score)| score);
            let fit = FitScore::of(&chosen.collect::<Vec<_>>());
            fit.exact + fit.recall
        };
        if merit(&self.held_out(trials, &other, folds, 1)?, 1) <= merit(&usual, 1) {
            return Ok((recipe, usual));
        }
        let others = self.held_out(trials, &other, folds, FOLDS)?;
        let is_better = merit(&others, FOLDS as u8) > merit(&usual, FOLDS as u8);
        Ok(if is_better { (other, others) } else { (recipe, usual) })
    }

    /// The scores of the routes of the first `count` folds under the parameters that did not see them.
    fn held_out(
        &self,
        trials: &mut Trials,
        recipe: &Recipe,
        folds: &Folds,
        count: usize,
    ) -> Result<Vec<Scored>, LearnError> {
        let (data, shape) = (self.data, recipe.shape(self.data));
        let measured = self.measured(folds);
        let mut scores = vec![];
        for trial in trials.of(recipe, count) {
            let params = if trial.params.is_empty() { recipe.start(&shape, data) } else { trial.params };
            for (context, values) in data.contexts.iter().enumerate() {
                let fold = |route: usize| folds.of[data.observation[route] as usize];
                let is_it = |route: &&usize| fold(**route) == trial.fold && data.context[**route] as usize == context;
                let places: Vec<usize> = measured.iter().filter(is_it).copied().collect();
                scores.extend(self.scores(weights(data.design, &shape, &params, values).1, &places)?);
            }
        }
        scores.sort_by_key(|&(route, _)| route);
        Ok(scores)
    }

    /// Some routes of the first fold, under the cost that did not see it.
    fn examples(&self, trials: &mut Trials, recipe: &Recipe, folds: &Folds) -> Result<Vec<Example>, LearnError> {
        let (data, shape) = (self.data, recipe.shape(self.data));
        let trial = trials.of(recipe, 1).swap_remove(0);
        if !data.question.is_route() || trial.params.is_empty() {
            return Ok(vec![]);
        }
        let rank = |route: usize| folds.rank[data.observation[route] as usize];
        let is_held_out = |&route: &usize| folds.of[data.observation[route] as usize] == trial.fold;
        let mut places: Vec<usize> = (0..data.routes.len()).filter(is_held_out).collect();
        places.sort_by_key(|&route| rank(route));
        let Some(context) = places.first().map(|&route| data.context[route]) else { return Ok(vec![]) };
        let shown = places.into_iter().filter(|&route| data.context[route] == context).take(SHOWN);
        let shown: Vec<&ObservedRoute> = shown.map(|route| &data.routes[route]).collect();
        let costs = weights(data.design, &shape, &trial.params, &data.contexts[context as usize]).1;
        Ok(examples(self.table, &costs, &shown)?)
    }

    /// The routes that are measured.
    fn measured(&self, folds: &Folds) -> Vec<usize> {
        let is_measured = |&route: &usize| folds.rank[self.data.observation[route] as usize] < MEASURED;
        (0..self.data.routes.len()).filter(is_measured).collect()
    }

    fn scores(&self, weights: Vec<Weight>, places: &[usize]) -> Result<Vec<Scored>, LearnError> {
        let placed: Vec<_> = places.iter().map(|&place| (place, &self.data.routes[place])).collect();
        let scores = match self.data.question {
            Question::Route => score_routes(self.data.graph, weights, &placed, self.truth)?,
            sets => score_sets(sets, self.data.graph, &weights, &placed, self.truth),
        };
        Ok(places.iter().copied().zip(scores).collect())
    }

    /// The effects in bootstrap samples of the observations.
    fn bootstrap(&self, recipe: &Recipe, shape: &Shape, params: &[f64]) -> Vec<Vec<f64>> {
        let n = self.data.observations();
        let sample = |index: usize| {
            let mut rng = Rng::stream(self.request.seed, "learning bootstrap", index as u64);
            let mut factors = vec![0.0; n];
            (0..n).for_each(|_| factors[rng.below(n)] += 1.0);
            let sample = self.data.sample(recipe.loss, &factors);
            let fitted = recipe.fit(self.data, &sample, Some(params), Care::Choice)?;
            Some(effects(self.encoding, self.data.design, shape, &fitted.point))
        };
        (0..self.request.bootstrap).into_par_iter().filter_map(sample).collect()
    }

    fn effects(&self, shape: &Shape, params: &[f64], samples: &[Vec<f64>]) -> Vec<Effect> {
        let percents = effects(self.encoding, self.data.design, shape, params);
        let named = self.encoding.names().into_iter().zip(percents).enumerate();
        named.map(|(place, (name, percent))| Effect { name, percent, interval: intervals(samples, place) }).collect()
    }

    /// Each column of positive numbers as the cost.
    fn baselines(&self, folds: &Folds) -> Result<Vec<Baseline>, LearnError> {
        let edge_of = self.table.edge_of_arcs();
        let measured = self.measured(folds);
        let mut baselines = vec![];
        for column in self.table.columns.iter().filter(|column| self.request.true_cost.as_ref() != Some(&column.name)) {
            let Some(numbers) = column.numbers().filter(|numbers| numbers.iter().all(|&number| number > 0.0)) else {
                continue;
            };
            let costs: Vec<f64> = edge_of.iter().map(|&edge| numbers[edge as usize]).collect();
            let scale = Scale::of(&costs);
            let weights = costs.iter().map(|&cost| scale.quantise(cost)).collect();
            let fit =
                FitScore::of(&self.scores(weights, &measured)?.into_iter().map(|(_, score)| score).collect::<Vec<_>>());
            baselines.push(Baseline { column: column.name.clone(), fit });
        }
        Ok(baselines)
    }

    fn cost(&self, shape: &Shape, params: &[f64], tau: Option<f64>) -> LearntCost {
        let (shared, terms) = params.split_at(shape.shared());
        let (vertex_terms, edge_terms) = terms.split_at(shape.vertices);
        let context = vec![0.0; shape.contexts];
        let edge_ends = if edge_terms.is_empty() { vec![] } else { self.table.ends.clone() };
        LearntCost {
            card: CostCard {
                version: VERSION,
                predictor: shape.predictor,
                columns: self.encoding.clone(),
                contexts: self.contexts.clone(),
                scale: weights(self.data.design, shape, params, &context).0,
                tau,
                vertices: self.table.names.clone(),
                table_columns: self.request.table_columns.clone(),
            },
            shared: shared.to_vec(),
            vertex_terms: vertex_terms.to_vec(),
            edge_terms: edge_terms.to_vec(),
            edge_ends,
        }
    }
}

/// Whole-number costs of all arcs, and their scale.
fn weights(design: &Design, shape: &Shape, params: &[f64], context: &[f64]) -> (Scale, Vec<Weight>) {
    let costs: Vec<f64> = design.scores(shape, params, context).into_iter().map(softplus).collect();
    let scale = Scale::of(&costs);
    (scale, costs.iter().map(|&cost| scale.quantise(cost)).collect())
}
