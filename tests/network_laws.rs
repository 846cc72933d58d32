//! Laws of the network that hold for every processor and every kind of output: gradients match finite differences; threads,
//! instruction sets, the company in a batch and other outputs change no bit; the parameter counts of the paper.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tiebreak::neural::model::{Features, Network, NetworkSettings, OutputKind, Processor, Spec, Target};
use tiebreak::neural::nn::{Kernels, Params, Scalar};

fn uniform(rng: &mut ChaCha8Rng) -> f32 {
    (rng.next_u32() >> 8) as f32 / (1 << 24) as f32
}

const PARENTS: &[(&str, OutputKind)] = &[("pi", OutputKind::Pointer)];
/// Every kind, and the kinds of pairs twice.
const EVERYTHING: &[(&str, OutputKind)] = &[
    ("selected", OutputKind::NodeFlag),
    ("pi", OutputKind::Pointer),
    ("in_mst", OutputKind::EdgeFlag),
    ("head", OutputKind::OneHotNode),
    ("next", OutputKind::Pointer),
    ("in_matching", OutputKind::EdgeFlag),
];

fn spec() -> Spec {
    Spec::new(&["pos", "s"], &["A", "adj"], PARENTS)
}

/// Outputs of each kind, alone and together; no edge inputs, and other numbers of them than two.
fn specs() -> Vec<Spec> {
    let with = |outputs: &[(&str, OutputKind)]| Spec::new(&["pos", "s"], &["A", "adj"], outputs);
    let mut specs: Vec<Spec> = EVERYTHING[..4].chunks(1).map(with).collect();
    specs.extend([
        with(&[("topo", OutputKind::Pointer), ("topo_head", OutputKind::OneHotNode)]),
        with(EVERYTHING),
        Spec::new(&["pos", "d", "w"], &[], &[("selected", OutputKind::NodeFlag)]),
        Spec::new(&["pos", "d", "w"], &[], EVERYTHING),
        Spec::new(&["pos"], &["adj"], EVERYTHING),
        Spec::new(&["pos"], &["A", "B", "adj"], EVERYTHING),
    ]);
    specs
}

fn graph_of(spec: &Spec, nodes: usize, rounds: usize, rng: &mut ChaCha8Rng) -> Features {
    let mut scalars = |count: usize, size: usize| -> Vec<Vec<f32>> {
        (0..count).map(|_| (0..size).map(|_| uniform(rng)).collect()).collect()
    };
    let (node, mut edge) = (scalars(spec.node.len(), nodes), scalars(spec.edge.len(), nodes * nodes));
    if let Some(mask) = spec.mask {
        edge[mask].iter_mut().for_each(|x| *x = f32::from(*x > 0.7));
    }
    Features::new(nodes, node, edge, rounds).unwrap()
}

fn graph(nodes: usize, rounds: usize, rng: &mut ChaCha8Rng) -> Features {
    graph_of(&spec(), nodes, rounds, rng)
}

/// Probabilities for an output, some of them very small; chances of flags also 0 and 1.
fn distribution(kind: OutputKind, nodes: usize, rng: &mut ChaCha8Rng) -> Target {
    let mut numbers: Vec<f32> = (0..kind.entries(nodes)).map(|_| (uniform(rng) - 0.3).max(0.0) + 1e-3).collect();
    if kind.is_flag() {
        numbers.iter_mut().for_each(|x| *x = ((*x - 0.1) * 2.0).clamp(0.0, 1.0));
    } else {
        for row in numbers.chunks_exact_mut(nodes) {
            let sum: f32 = row.iter().sum();
            row.iter_mut().for_each(|x| *x /= sum);
        }
    }
    Target::Distribution(numbers)
}

fn labels(kind: OutputKind, nodes: usize, rng: &mut ChaCha8Rng) -> Target {
    let (count, options) = kind.labels(nodes);
    Target::Labels((0..count).map(|_| rng.next_u32() % options as u32).collect())
}

fn targets_of(
    spec: &Spec,
    nodes: usize,
    rng: &mut ChaCha8Rng,
    draw: fn(OutputKind, usize, &mut ChaCha8Rng) -> Target,
) -> Vec<Target> {
    spec.outputs.iter().map(|output| draw(output.kind, nodes, rng)).collect()
}

fn settings(processor: Processor, hidden: usize) -> NetworkSettings {
    NetworkSettings { processor, hidden, ..NetworkSettings::default() }
}

/// haiku's initialisation, then every number moved a little so that no bias is zero.
fn params<S: Scalar>(network: &Network<S>, rng: &mut ChaCha8Rng) -> Params<S> {
    let mut params = network.initialise(&mut || rng.next_u64());
    params.values_mut().iter_mut().for_each(|x| *x += S::of(0.2 * f64::from(uniform(rng)) - 0.1));
    params
}

/// Graphs of several sizes and lengths with targets of both kinds.
fn mixed_batch(spec: &Spec, rng: &mut ChaCha8Rng) -> (Vec<Features>, Vec<Vec<Target>>) {
    let shapes = [(5, 3), (16, 2), (1, 1), (7, 9), (2, 4), (16, 6), (20, 2), (11, 5)];
    let example = |(i, &(n, rounds)): (usize, &(usize, usize))| {
        let draw = if i % 3 == 2 { labels } else { distribution };
        (graph_of(spec, n, rounds, rng), targets_of(spec, n, rng, draw))
    };
    shapes.iter().enumerate().map(example).unzip()
}

#[test]
fn gradients_match_central_differences() {
    for (i, &processor) in Processor::ALL.iter().enumerate() {
        for (j, spec) in specs().iter().enumerate() {
            let mut rng = ChaCha8Rng::seed_from_u64((100 * j + i) as u64);
            let settings = NetworkSettings { processor, hidden: 4, triplet_features: 2, steps_per_round: 1 + i % 2 };
            let network: Network<f64> = Network::new(settings, spec.clone());
            let params = params(&network, &mut rng);
            let shapes = [(3, 2, distribution as fn(_, _, &mut _) -> _), (4, 1, labels), (2, 3, distribution)];
            let example =
                |&(n, rounds, draw): &_| (graph_of(spec, n, rounds, &mut rng), targets_of(spec, n, &mut rng, draw));
            let (batch, targets): (Vec<_>, Vec<_>) = shapes.iter().map(example).unzip();
            check_gradient(&network, params, &batch, &targets);
        }
    }
}

fn check_gradient(network: &Network<f64>, mut params: Params<f64>, batch: &[Features], targets: &[Vec<Target>]) {
    let (_, gradient) = network.loss_and_gradient(&params, batch, targets);
    for tensor in network.layout().tensors() {
        for id in tensor.range.clone() {
            let (x, step) = (params.values()[id], 1e-6);
            let mut loss_at = |x: f64| {
                params.values_mut()[id] = x;
                let (loss, gradient) = network.loss_and_gradient(&params, batch, targets);
                network.reuse(gradient);
                loss
            };
            let slope = (loss_at(x + step) - loss_at(x - step)) / (2.0 * step);
            params.values_mut()[id] = x;
            let (ours, case) = (gradient.values()[id], (network.settings().processor, network.spec()));
            assert!((ours - slope).abs() < 1e-7 + 1e-5 * slope.abs(), "{case:?} {}: {ours} {slope}", tensor.name);
        }
    }
}

#[test]
fn parameter_counts_of_the_paper() {
    let count = |spec| Network::<f32>::new(NetworkSettings::default(), spec).layout().size();
    assert_eq!(count(Spec::new(&["pos"], &["A", "adj"], PARENTS)), 391_225);
    assert_eq!(count(Spec::new(&["pos", "s"], &["A", "adj"], PARENTS)), 391_481);
}

/// The specs whose paths through the code differ most.
fn some_specs() -> Vec<Spec> {
    let everything = Spec::new(&["pos", "s"], &["A", "adj"], EVERYTHING);
    vec![spec(), everything, Spec::new(&["pos", "d"], &[], &[("selected", OutputKind::NodeFlag)])]
}

#[test]
fn threads_change_no_bit() {
    for &processor in Processor::ALL {
        for spec in some_specs() {
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            let network: Network = Network::new(settings(processor, 24), spec.clone());
            let params = params(&network, &mut rng);
            let (batch, targets) = mixed_batch(&spec, &mut rng);
            let run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let one = || network.loss_and_gradient(&params, &batch[5..6], &targets[5..6]);
                let all = || network.loss_and_gradient(&params, &batch, &targets);
                pool.install(|| (all(), one(), network.logits(&params, &batch), network.predict(&params, &batch[6])))
            };
            let alone = run(1);
            assert_eq!(alone, run(2), "{processor} {spec:?}");
            assert_eq!(alone, run(5), "{processor} {spec:?}");
        }
    }
}

#[test]
fn instruction_sets_change_no_bit() {
    for &processor in Processor::ALL {
        for spec in some_specs() {
            let run = |kernels| {
                let mut rng = ChaCha8Rng::seed_from_u64(8);
                let network: Network = Network::with_kernels(settings(processor, 20), spec.clone(), kernels);
                let params = params(&network, &mut rng);
                let (batch, targets) = mixed_batch(&spec, &mut rng);
                (network.loss_and_gradient(&params, &batch, &targets), network.predict_all(&params, &batch))
            };
            let portable = run(Kernels::portable());
            for kernels in Kernels::available() {
                assert_eq!(run(kernels), portable, "{processor} {spec:?} {kernels:?}");
            }
        }
    }
}

#[test]
fn company_in_a_batch_changes_no_bit() {
    for spec in some_specs() {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let network: Network = Network::new(settings(Processor::TripletGmpnn, 32), spec.clone());
        let params = params(&network, &mut rng);
        let (batch, targets) = mixed_batch(&spec, &mut rng);
        let together = network.logits(&params, &batch);
        for (graph, logits) in batch.iter().zip(&together) {
            assert_eq!(&network.logits(&params, std::slice::from_ref(graph))[0], logits);
        }
        let alone = batch.iter().zip(&targets).map(|(graph, target)| {
            network.loss_and_gradient(&params, std::slice::from_ref(graph), std::slice::from_ref(target)).0
        });
        let mean = alone.sum::<f64>() / batch.len() as f64;
        let (loss, _) = network.loss_and_gradient(&params, &batch, &targets);
        assert!((loss - mean).abs() < 1e-9 * (1.0 + mean), "{loss} {mean}");
    }
}

/// A network with several outputs is, output by output, the network that has this one alone, and its loss is the sum of theirs.
#[test]
fn outputs_do_not_disturb_each_other() {
    for &processor in Processor::ALL {
        for inputs in [&["A", "adj"][..], &[]] {
            let mut rng = ChaCha8Rng::seed_from_u64(13);
            let all = Spec::new(&["pos"], inputs, EVERYTHING);
            let network: Network = Network::new(settings(processor, 20), all.clone());
            let params = params(&network, &mut rng);
            let (batch, targets) = mixed_batch(&all, &mut rng);
            let together = network.logits(&params, &batch);
            let mut sum = 0.0;
            for (i, output) in EVERYTHING.iter().enumerate() {
                let one: Network = Network::new(settings(processor, 20), Spec::new(&["pos"], inputs, &[*output]));
                let params = Params::from_safetensors(one.layout().clone(), &params.to_safetensors(&()), "");
                let params = params.unwrap();
                for (alone, together) in one.logits(&params, &batch).iter().zip(&together) {
                    assert_eq!(alone[0], together[i], "{processor} {output:?}");
                }
                let targets: Vec<_> = targets.iter().map(|targets| vec![targets[i].clone()]).collect();
                sum += one.loss_and_gradient(&params, &batch, &targets).0;
            }
            let (loss, _) = network.loss_and_gradient(&params, &batch, &targets);
            assert!((loss - sum).abs() < 1e-9 * sum, "{processor}: {loss} {sum}");
        }
    }
}

#[test]
fn predictions_are_probabilities_in_the_order_of_the_outputs() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let spec = Spec::new(&["pos", "s"], &["A", "adj"], EVERYTHING);
    let network: Network = Network::new(settings(Processor::TripletGmpnn, 16), spec);
    let params = params(&network, &mut rng);
    for nodes in [1, 2, 9] {
        let outputs = network.predict(&params, &graph(nodes, 4, &mut rng));
        assert_eq!(outputs.len(), EVERYTHING.len());
        for (probabilities, (name, kind)) in outputs.iter().zip(EVERYTHING) {
            assert_eq!(probabilities.len(), kind.entries(nodes), "{name}");
            assert!(probabilities.iter().all(|p| (0.0..=1.0).contains(p)), "{name}");
            if !kind.is_flag() {
                let sums = probabilities.chunks_exact(nodes).map(|row| row.iter().sum::<f32>());
                sums.for_each(|sum| assert!((sum - 1.0).abs() < 1e-5, "{name}: {sum}"));
            }
        }
    }
}

#[test]
fn a_parameter_that_is_not_finite_shows_in_the_loss_of_every_output() {
    for output in EVERYTHING {
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        let spec = Spec::new(&["pos"], &["A", "adj"], &[*output]);
        let network: Network = Network::new(settings(Processor::TripletGmpnn, 16), spec.clone());
        let (batch, targets) = mixed_batch(&spec, &mut rng);
        let mut params = params(&network, &mut rng);
        let mut names = network.layout().tensors().iter().map(|tensor| &tensor.name);
        let first = names.position(|name| name.ends_with("mlp/~/linear_0/w")).unwrap();
        params.tensor_mut(first)[5] = f32::NAN;
        assert!(network.loss_and_gradient(&params, &batch, &targets).0.is_nan(), "{output:?}");
    }
}

#[test]
fn initialisation_is_haikus() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let network: Network = Network::new(NetworkSettings::default(), spec());
    let params = network.initialise(&mut || rng.next_u64());
    for (id, tensor) in network.layout().tensors().iter().enumerate() {
        let values = params.tensor(id);
        match tensor.name.rsplit('/').next().unwrap() {
            "w" => assert!(values.iter().all(|x| x.abs() <= 2.0 / (tensor.shape[0] as f32).sqrt())),
            "scale" => assert!(values.iter().all(|&x| x == 1.0)),
            "b" if tensor.name.ends_with("processor/linear_16/b") => assert!(values.iter().all(|&x| x == -3.0)),
            _ => assert!(values.iter().all(|&x| x == 0.0)),
        }
    }
}
