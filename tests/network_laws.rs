//! Laws of the network that hold for every processor: gradients match finite differences; threads, instruction sets and the company
//! in a batch change no bit; the parameter counts of the paper.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tiebreak::model::{Features, Network, Processor, Settings, Spec, Target};
use tiebreak::nn::{Kernels, Params, Scalar};

fn uniform(rng: &mut ChaCha8Rng) -> f32 {
    (rng.next_u32() >> 8) as f32 / (1 << 24) as f32
}

fn graph(nodes: usize, rounds: usize, rng: &mut ChaCha8Rng) -> Features {
    let node = (0..2).map(|_| (0..nodes).map(|_| uniform(rng)).collect()).collect();
    let mut edge: Vec<Vec<f32>> = (0..2).map(|_| (0..nodes * nodes).map(|_| uniform(rng)).collect()).collect();
    edge[1].iter_mut().for_each(|x| *x = f32::from(*x > 0.7));
    Features::new(nodes, node, edge, rounds).unwrap()
}

fn distribution(nodes: usize, rng: &mut ChaCha8Rng) -> Target {
    let row = |rng: &mut ChaCha8Rng| {
        let weights: Vec<f32> = (0..nodes).map(|_| (uniform(rng) - 0.3).max(0.0) + 1e-3).collect();
        let sum: f32 = weights.iter().sum();
        weights.into_iter().map(move |x| x / sum)
    };
    Target::Distribution((0..nodes).flat_map(|_| row(rng).collect::<Vec<_>>()).collect())
}

fn spec() -> Spec {
    Spec::new(&["pos", "s"], &["A", "adj"])
}

fn settings(processor: Processor, hidden: usize) -> Settings {
    Settings { processor, hidden, ..Settings::default() }
}

/// haiku's initialisation, then every number moved a little so that no bias is zero.
fn params<S: Scalar>(network: &Network<S>, rng: &mut ChaCha8Rng) -> Params<S> {
    let mut params = network.initialise(&mut || rng.next_u64());
    params.values_mut().iter_mut().for_each(|x| *x += S::of(0.2 * f64::from(uniform(rng)) - 0.1));
    params
}

/// Graphs of several sizes and lengths with targets of both kinds.
fn mixed_batch(rng: &mut ChaCha8Rng) -> (Vec<Features>, Vec<Target>) {
    let shapes = [(5, 3), (16, 2), (1, 1), (7, 9), (2, 4), (16, 6), (20, 2), (11, 5)];
    shapes.iter().map(|&(n, rounds)| (graph(n, rounds, rng), distribution(n, rng))).unzip()
}

#[test]
fn gradients_match_central_differences() {
    for (i, &processor) in Processor::ALL.iter().enumerate() {
        let mut rng = ChaCha8Rng::seed_from_u64(i as u64);
        let settings = Settings { processor, hidden: 4, triplet_features: 2, steps_per_round: 1 + i % 2 };
        let network: Network<f64> = Network::new(settings, spec());
        let mut params = params(&network, &mut rng);
        let batch = [graph(3, 2, &mut rng), graph(4, 1, &mut rng), graph(2, 3, &mut rng)];
        let targets = [distribution(3, &mut rng), Target::Parents(vec![1, 1, 0, 3]), distribution(2, &mut rng)];
        let (_, gradient) = network.loss_and_gradient(&params, &batch, &targets);
        for id in 0..params.values().len() {
            let (x, step) = (params.values()[id], 1e-6);
            let mut loss_at = |x: f64| {
                params.values_mut()[id] = x;
                network.loss_and_gradient(&params, &batch, &targets).0
            };
            let slope = (loss_at(x + step) - loss_at(x - step)) / (2.0 * step);
            loss_at(x);
            let ours = gradient.values()[id];
            let name = || &network.layout().tensors().iter().find(|tensor| tensor.range.contains(&id)).unwrap().name;
            assert!((ours - slope).abs() < 1e-7 + 1e-5 * slope.abs(), "{processor} {}: {ours} {slope}", name());
        }
    }
}

#[test]
fn parameter_counts_of_the_paper() {
    let count = |spec| Network::<f32>::new(Settings::default(), spec).layout().size();
    assert_eq!(count(Spec::new(&["pos"], &["A", "adj"])), 391_225);
    assert_eq!(count(Spec::new(&["pos", "s"], &["A", "adj"])), 391_481);
}

#[test]
fn threads_change_no_bit() {
    for &processor in Processor::ALL {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let network: Network = Network::new(settings(processor, 24), spec());
        let params = params(&network, &mut rng);
        let (batch, targets) = mixed_batch(&mut rng);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let one = || network.loss_and_gradient(&params, &batch[5..6], &targets[5..6]);
            let all = || network.loss_and_gradient(&params, &batch, &targets);
            pool.install(|| (all(), one(), network.logits(&params, &batch), network.predict(&params, &batch[6])))
        };
        assert_eq!(run(1), run(2), "{processor}");
        assert_eq!(run(1), run(5), "{processor}");
    }
}

#[test]
fn instruction_sets_change_no_bit() {
    for &processor in Processor::ALL {
        let run = |kernels| {
            let mut rng = ChaCha8Rng::seed_from_u64(8);
            let network: Network = Network::with_kernels(settings(processor, 20), spec(), kernels);
            let params = params(&network, &mut rng);
            let (batch, targets) = mixed_batch(&mut rng);
            (network.loss_and_gradient(&params, &batch, &targets), network.logits(&params, &batch))
        };
        for kernels in Kernels::available() {
            assert_eq!(run(kernels), run(Kernels::portable()), "{processor} {kernels:?}");
        }
    }
}

#[test]
fn company_in_a_batch_changes_no_bit() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let network: Network = Network::new(settings(Processor::TripletGmpnn, 32), spec());
    let params = params(&network, &mut rng);
    let (batch, targets) = mixed_batch(&mut rng);
    let together = network.logits(&params, &batch);
    for (graph, logits) in batch.iter().zip(&together) {
        assert_eq!(&network.logits(&params, std::slice::from_ref(graph))[0], logits);
    }
    let alone = batch.iter().zip(&targets).map(|(graph, target)| {
        network.loss_and_gradient(&params, std::slice::from_ref(graph), std::slice::from_ref(target)).0
    });
    let mean = alone.sum::<f64>() / batch.len() as f64;
    let (loss, _) = network.loss_and_gradient(&params, &batch, &targets);
    assert!((loss - mean).abs() < 1e-9, "{loss} {mean}");
}

#[test]
fn a_prediction_is_a_distribution_for_each_vertex() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let network: Network = Network::new(settings(Processor::TripletGmpnn, 16), spec());
    let params = params(&network, &mut rng);
    for nodes in [1, 2, 9] {
        let rows = network.predict(&params, &graph(nodes, 4, &mut rng));
        for row in rows.chunks_exact(nodes) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5 && row.iter().all(|&p| p >= 0.0));
        }
    }
}

#[test]
fn a_parameter_that_is_not_finite_shows_in_the_loss() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let network: Network = Network::new(settings(Processor::TripletGmpnn, 16), spec());
    let (batch, targets) = mixed_batch(&mut rng);
    let mut params = params(&network, &mut rng);
    let first = network.layout().tensors().iter().position(|tensor| tensor.name.ends_with("mlp/~/linear_0/w")).unwrap();
    params.tensor_mut(first)[5] = f32::NAN;
    assert!(network.loss_and_gradient(&params, &batch, &targets).0.is_nan());
}

#[test]
fn initialisation_is_haikus() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let network: Network = Network::new(Settings::default(), spec());
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
