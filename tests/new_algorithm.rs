//! Adding an algorithm to a problem that exists is a file and a line: here is one that the crate does not know, Dial's shortest paths with
//! buckets instead of a heap, and it goes through every stage. CONTRIBUTING.md tells the same story.

use std::sync::atomic::AtomicBool;
use tiebreak::answers::{Candidate, Marginals};
use tiebreak::instance::{GraphSettings, Instance};
use tiebreak::neural::executor::{
    self, Certificate, Executor, Frame, NotCovered, Priorities, Steps, Tables, Trajectory,
};
use tiebreak::neural::model::{Features, OutputKind, Spec};
use tiebreak::neural::predict::Model;
use tiebreak::neural::train::{RunDirectory, train_on};
use tiebreak::pipeline::draw::Extraction;
use tiebreak::pipeline::evaluate::{CandidateSource, EvaluateSettings, draw_trials, evaluate};
use tiebreak::pipeline::generate::{Recipe, SampleFile, sample, samples_from_bytes, samples_to_bytes};
use tiebreak::problems::paths::dijkstra::Dijkstra;
use tiebreak::problems::paths::{Length, Paths, SHORTEST_PATH_TREES};
use tiebreak::problems::ties::{TieBreaker, TiePolicy};
use tiebreak::problems::{
    Algorithm, BadInstance, Intractable, Missing, Needs, NetworkSpec, Prepared, Problem, Space, View, Weights, by_name,
};
use tiebreak::random::Rng;
use tiebreak::report::{Page, Results, html, showcase};
use tiebreak::solve::{Answer, Request, SolveBy, solve};

/// Shortest paths for small whole weights: vertices wait in buckets, one for each distance.
struct Dial;

static DIAL: Dial = Dial;

impl Algorithm for Dial {
    fn name(&self) -> &'static str {
        "dial"
    }

    fn problem(&self) -> &'static Problem {
        &SHORTEST_PATH_TREES
    }

    fn needs(&self) -> Needs {
        Needs { source: true, weights: Weights::NotNegative, ..Needs::ANY_GRAPH }
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        Dijkstra.instance(settings, rng)
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        Ok(Box::new(Buckets(Paths::new(self.name(), instance, Length::Weights)?)))
    }

    fn network(&self) -> Result<NetworkSpec, Missing> {
        let spec = Spec::new(&["pos", "s"], &["A", "adj"], &[("pi", OutputKind::Pointer)]);
        Ok(NetworkSpec { name: self.name(), spec })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Ok(&DIAL)
    }
}

/// What differs from the other algorithms of the problem: the run. Verifier, counts, draws and demands are the problem's.
struct Buckets<'a>(Paths<'a>);

impl Prepared for Buckets<'_> {
    fn instance(&self) -> &Instance {
        self.0.instance()
    }

    fn space(&self) -> &dyn Space {
        &self.0
    }

    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        let Some(rank) = ties.ranks() else { return self.0.free_run(ties) };
        let (graph, source) = (&self.instance().graph, self.0.source());
        let mut parents = Candidate::all_roots(graph.n());
        let mut best: Vec<Option<usize>> = vec![None; graph.n()];
        let mut settled = vec![false; graph.n()];
        best[source] = Some(0);
        let mut buckets: Vec<Vec<usize>> = vec![vec![source]];
        let mut length = 0;
        while length < buckets.len() {
            let waiting = &mut buckets[length];
            waiting.retain(|&vertex| !settled[vertex] && best[vertex] == Some(length));
            let Some(place) = (0..waiting.len()).min_by_key(|&place| rank[waiting[place]]) else {
                length += 1;
                continue;
            };
            let vertex = waiting.swap_remove(place);
            settled[vertex] = true;
            for (head, weight) in graph.out_edges(vertex) {
                let through = length + weight as usize;
                if !settled[head] && best[head].is_none_or(|known| through < known) {
                    best[head] = Some(through);
                    parents.set(head, vertex);
                    buckets.resize(buckets.len().max(through + 1), vec![]);
                    buckets[through].push(head);
                }
            }
        }
        parents
    }

    fn law(&self, policy: TiePolicy, _first: Option<usize>) -> Result<Marginals, Intractable> {
        match policy {
            TiePolicy::Free => self.0.free_law(),
            TiePolicy::OneOrder => Err(Intractable("nobody has worked it out".to_owned())),
        }
    }

    fn features(&self, view: &View) -> Features {
        self.0.features(view, self.0.reached())
    }
}

/// Its steps are those of Dijkstra's algorithm, which settles vertices in the same order.
impl Steps for Dial {
    fn algorithm(&self) -> &'static str {
        self.name()
    }

    fn frame(&self) -> &'static Frame {
        Dijkstra.frame()
    }

    fn training_instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        Dijkstra.training_instance(settings, rng)
    }

    fn start(&self, instance: &Instance) -> Vec<u8> {
        Dijkstra.start(instance)
    }

    fn record(&self, instance: &Instance, priorities: &Priorities) -> Trajectory {
        Dijkstra.record(instance, priorities)
    }

    fn solve_by(&self, instance: &Instance, priorities: &Priorities) -> Candidate {
        Dijkstra.solve_by(instance, priorities)
    }

    fn certify(&self, tables: &Tables) -> Certificate {
        Dijkstra.certify(tables)
    }

    fn accepts(&self, instance: &Instance) -> Result<(), NotCovered> {
        Dijkstra.accepts(instance)
    }
}

const GRAPHS: GraphSettings = GraphSettings { n: 9, p: 0.5, preset: tiebreak::instance::Preset::Text };

#[test]
fn an_algorithm_that_the_crate_does_not_know_goes_through_every_stage() {
    assert!(by_name(DIAL.name()).is_none());
    let recipe = Recipe { graph: GRAPHS, ..Recipe::default() };

    // Generate: samples, and the file that holds them. One order settles as Dijkstra's does.
    let samples: Vec<_> = (0..6).map(|index| sample(&DIAL, &recipe, 0, index).unwrap()).collect();
    for sample in &samples {
        let (ours, theirs) = (DIAL.prepare(&sample.instance).unwrap(), Dijkstra.prepare(&sample.instance).unwrap());
        let order: Vec<usize> = (0..9).rev().collect();
        let run = |prepared: &dyn Prepared| prepared.run(&mut tiebreak::problems::ties::OneOrder::given(&order));
        assert_eq!(run(&*ours), run(&*theirs));
    }
    let file = SampleFile { algorithm: DIAL.name().to_owned(), origin: Default::default(), samples };
    let bytes = samples_to_bytes(&file).unwrap();
    assert_eq!(samples_from_bytes(&bytes, DIAL.problem()).unwrap(), file);

    // Train for 20 steps, load, predict.
    let folder = tempfile::tempdir().unwrap();
    let settings = tiebreak::neural::train::TrainSettings {
        algorithm: DIAL.name().to_owned(),
        steps: 20,
        batch: 4,
        sizes: vec![4, 9],
        validate_every: 10,
        validation_graphs: 4,
        model: tiebreak::neural::model::NetworkSettings { hidden: 8, ..Default::default() },
        ..Default::default()
    };
    let run = RunDirectory::create(&folder.path().join("run"), &settings).unwrap();
    let ended = train_on(&DIAL, &run, &settings, &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert!(ended.complete && ended.step == 20);
    let model = Model::load(&folder.path().join("run"), Some(&DIAL)).unwrap();

    // Extract and verify.
    let instance = &file.samples[0].instance;
    let prepared = DIAL.prepare(instance).unwrap();
    let marginals = model.marginals(&*prepared, file.samples[0].made.as_ref()).unwrap();
    for &extractor in DIAL.problem().extractors {
        let from = tiebreak::pipeline::draw::MarginalsOf::Predicted;
        let mut drawer = Extraction { instance, marginals: &marginals, from, extractor };
        let trials = draw_trials(prepared.space(), &mut drawer, 3, &mut Rng::stream(0, "draws", 0)).unwrap();
        assert_eq!(trials.len(), 3);
        assert!(trials.iter().all(|trial| trial.valid == prepared.space().verify(&trial.candidate).is_ok()));
    }

    // An executor of its own, certified.
    let wanted =
        executor::ExecutorSettings { algorithm: DIAL.name().to_owned(), ..executor::ExecutorSettings::default() };
    let executor = Executor::train(&DIAL, &wanted, &mut |_| {});
    assert!(executor.certificate().is_exact(), "{}", executor.certificate());

    // Evaluate all sources of candidates.
    let settings = EvaluateSettings { graph: GRAPHS, graphs: 3, draws: 4, seed: 0, law: None };
    let predicted = model.for_preset(GRAPHS.preset);
    let extractors = DIAL.problem().extractors;
    for (source, rows, least) in [
        (CandidateSource::Marginals(&recipe, extractors), extractors.len(), 0.0),
        (CandidateSource::Marginals(&predicted, extractors), extractors.len(), 0.0),
        (CandidateSource::Executor(&executor), 1, 1.0),
        (CandidateSource::Runs(TiePolicy::OneOrder), 1, 1.0),
        (CandidateSource::Uniform, 1, 1.0),
    ] {
        let found = evaluate(&DIAL, &source, &settings, &|| {}).unwrap();
        assert_eq!(found.len(), rows);
        assert!(found.iter().all(|row| row.algorithm == "dial" && row.valid >= least), "{found:?}");
    }

    // Solve, with the new executor, with the network, and with nothing built in.
    for by in [SolveBy::TrainedExecutor(&executor), SolveBy::Network(&model), SolveBy::Executor, SolveBy::Classical] {
        let solved = solve(&DIAL, instance, &Request { k: 3, by, ..Request::default() }).unwrap();
        assert_eq!(solved.answer, Answer::Found);
        assert!(solved.solutions.iter().all(|solution| prepared.space().verify(&solution.candidate).is_ok()));
    }

    // Report: a page with what the network makes of a few graphs.
    let exhibits = showcase(&[("dial".to_owned(), model)], 0);
    assert!(!exhibits.is_empty() && exhibits.iter().all(|exhibit| exhibit.algorithm == "dial"));
    let results = vec![Results { name: "dial".to_owned(), exhibits, ..Results::default() }];
    assert!(html(&Page { title: "Dial".to_owned(), results, ..Page::default() }).contains("\"algorithm\":\"dial\""));
}
