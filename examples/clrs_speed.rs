//! Our side of `benches/clrs`: a process that answers one JSON line with another. `benches/clrs/run.py` talks to it.
//!
//! ```text
//! {"do": "load", "algorithm": "dfs", "file": "graphs.safetensors", "sizes": [4, 7], "mode": "train"}   drawn by dm-clrs
//! {"do": "draw", "nodes": 64, "rounds": 4, "batch": 32, "mode": "predict"}         graphs of our own
//! {"do": "run", "repetitions": 5, "threads": 2}   wall and processor seconds, FLOPs of each repetition
//! {"do": "peak", "threads": 2}                    GFLOP/s of the gemm crate and of our product, [8192,128] x [128,128]:
//!                                                 [[wall, processor], [wall, processor]]
//! {"do": "memory"}                                peak resident megabytes of this process
//! ```
//!
//! A repetition is one training step (forward, backward, clipping, Adam) or one prediction for every size. FLOPs are the
//! multiply-adds, counted twice, of matrix products and of their sparse counterparts as executed after all fusions (see
//! `Network::take_flops`); everything elementwise counts as nothing.

use std::io::BufRead;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use safetensors::SafeTensors;
use serde::Deserialize;
use tiebreak::neural::model::{Features, Network, NetworkSettings, OutputKind, Spec, Target};
use tiebreak::neural::nn::kernels::{Matrix, Packed, Start, multiply};
use tiebreak::neural::nn::{Adam, Kernels, Params, adam};
use tiebreak::problems::by_name;

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Request {
    Load { algorithm: String, file: String, sizes: Vec<usize>, mode: String },
    Draw { nodes: usize, rounds: usize, batch: usize, mode: String },
    Run { repetitions: usize, threads: usize },
    Peak { threads: usize },
    Memory,
}

type Batch = (Vec<Features>, Vec<Vec<Target>>);

const PARENTS: &[(&str, OutputKind)] = &[("pi", OutputKind::Pointer)];

/// What a repetition runs.
struct Job {
    network: Network,
    params: Params<f32>,
    adam: Adam<f32>,
    batches: Vec<Batch>,
    train: bool,
}

impl Job {
    fn new(spec: Spec, batches: Vec<Batch>, mode: &str) -> Self {
        let network: Network = Network::new(NetworkSettings::default(), spec);
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let params = network.initialise(&mut || rng.next_u64());
        let adam = Adam::new(1e-3, params.values().len());
        Job { network, params, adam, batches, train: mode == "train" }
    }

    fn once(&mut self) {
        for (graphs, targets) in &self.batches {
            if self.train {
                let (_, gradient) = self.network.loss_and_gradient(&self.params, graphs, targets);
                let kernels = self.network.kernels();
                let scale = adam::clip_scale(adam::norm(kernels, gradient.values()), 1.0);
                self.adam.step(kernels, self.params.values_mut(), gradient.values(), scale);
                self.network.reuse(gradient);
            } else {
                self.network.predict_all(&self.params, graphs);
            }
        }
    }

    /// Wall seconds, processor seconds, FLOPs.
    fn time(&mut self) -> [f64; 3] {
        self.network.take_flops();
        let (wall, processor) = (Instant::now(), processor_seconds());
        self.once();
        [wall.elapsed().as_secs_f64(), processor_seconds() - processor, self.network.take_flops() as f64]
    }
}

/// Reads the graphs `benches/clrs/dm_clrs.py` wrote.
fn load(algorithm: &str, path: &str, sizes: &[usize], mode: &str) -> Result<Job> {
    let known = by_name(algorithm).with_context(|| format!("no algorithm is called {algorithm}"))?;
    let spec = known.network().map_err(|reason| anyhow!("{reason}"))?.spec;
    let bytes = std::fs::read(path).with_context(|| path.to_owned())?;
    let file = SafeTensors::deserialize(&bytes)?;
    let numbers = |name: String| -> Result<Vec<f32>> {
        let tensor = file.tensor(&name).with_context(|| name)?;
        Ok(tensor.data().chunks_exact(4).map(|x| f32::from_le_bytes([x[0], x[1], x[2], x[3]])).collect())
    };
    let mut batches = Vec::new();
    for &n in sizes {
        let rows =
            |names: &[String]| names.iter().map(|name| numbers(format!("{n}/{name}"))).collect::<Result<Vec<_>>>();
        let (node, edge) = (rows(&spec.node)?, rows(&spec.edge)?);
        let lengths = numbers(format!("{n}/lengths"))?;
        let names: Vec<String> = spec.outputs.iter().map(|output| format!("output/{}", output.name)).collect();
        let outputs = rows(&names)?;
        let cut = |scalars: &[Vec<f32>], b: usize, size: usize| {
            scalars.iter().map(|x| x[b * size..(b + 1) * size].to_vec()).collect()
        };
        let graph = |(b, length): (usize, &f32)| -> Result<(Features, Vec<Target>)> {
            let rounds = (*length as usize).saturating_sub(1).max(1);
            let labels = |values: &Vec<f32>| {
                let size = values.len() / lengths.len();
                Target::Labels(values[b * size..(b + 1) * size].iter().map(|&label| label as u32).collect())
            };
            let features = Features::new(n, cut(&node, b, n), cut(&edge, b, n * n), rounds)?;
            Ok((features, outputs.iter().map(labels).collect()))
        };
        let graphs: Vec<_> = lengths.iter().enumerate().map(graph).collect::<Result<_>>()?;
        batches.push(graphs.into_iter().unzip());
    }
    Ok(Job::new(spec, batches, mode))
}

/// Random graphs: every ordered pair is an edge with probability one half.
fn draw(nodes: usize, rounds: usize, batch: usize, mode: &str) -> Result<Job> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut graph = || -> Result<(Features, Vec<Target>)> {
        let pos = (0..nodes).map(|v| v as f32 / nodes as f32).collect();
        let adj: Vec<f32> = (0..nodes * nodes).map(|_| (rng.next_u32() & 1) as f32).collect();
        let parents = (0..nodes).map(|_| rng.next_u32() % nodes as u32).collect();
        Ok((Features::new(nodes, vec![pos], vec![adj.clone(), adj], rounds)?, vec![Target::Labels(parents)]))
    };
    let graphs: Vec<_> = (0..batch).map(|_| graph()).collect::<Result<_>>()?;
    Ok(Job::new(Spec::new(&["pos"], &["A", "adj"], PARENTS), vec![graphs.into_iter().unzip()], mode))
}

/// GFLOP of two matrix products, the gemm crate's and ours, by the wall's second and by the processor's. Each thread has its own
/// matrices; medians of nine.
fn peak(threads: usize) -> [[f64; 2]; 2] {
    const ROWS: usize = 8192;
    const SIZE: usize = 128;
    let a = vec![0.5_f32; ROWS * SIZE];
    let b = vec![0.25_f32; SIZE * SIZE];
    let packed = Packed::new(Matrix::new(&b, SIZE));
    let library = |out: &mut [f32]| {
        let (m, k) = (ROWS, SIZE as isize);
        // SAFETY: sizes and strides are those of `out`, `a` and `b`.
        unsafe {
            gemm::gemm(
                m,
                SIZE,
                SIZE,
                out.as_mut_ptr(),
                1,
                k,
                false,
                a.as_ptr(),
                1,
                k,
                b.as_ptr(),
                1,
                k,
                0.0,
                1.0,
                false,
                false,
                false,
                gemm::Parallelism::None,
            );
        }
    };
    let ours =
        |out: &mut [f32]| multiply(Kernels::detect(), out, SIZE, Matrix::new(&a, SIZE), &packed, Start::Zero, false);
    let measure = |product: &(dyn Fn(&mut [f32]) + Sync)| {
        let mut outs = vec![vec![0.0; ROWS * SIZE]; threads];
        let mut speeds = Vec::new();
        for _ in 0..9 {
            let (wall, processor) = (Instant::now(), processor_seconds());
            outs.par_iter_mut().with_max_len(1).for_each(|out| (0..8).for_each(|_| product(out)));
            let gflop = (threads * 8 * 2 * ROWS * SIZE * SIZE) as f64 / 1e9;
            speeds.push([gflop / wall.elapsed().as_secs_f64(), gflop / (processor_seconds() - processor)]);
        }
        [0, 1].map(|i| {
            let mut sorted: Vec<f64> = speeds.iter().map(|speed| speed[i]).collect();
            sorted.sort_by(f64::total_cmp);
            sorted[sorted.len() / 2]
        })
    };
    [measure(&library), measure(&ours)]
}

/// Seconds of processor time of all threads.
fn processor_seconds() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanoseconds = threads.filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() / 1e9
}

/// Peak resident megabytes.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}

fn on_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> Result<R> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(run))
}

fn answer(request: Request, job: &mut Option<Job>) -> Result<serde_json::Value> {
    Ok(match request {
        Request::Load { algorithm, file, sizes, mode } => {
            *job = Some(load(&algorithm, &file, &sizes, &mode)?);
            serde_json::json!({"kernels": Kernels::detect().name()})
        }
        Request::Draw { nodes, rounds, batch, mode } => {
            *job = Some(draw(nodes, rounds, batch, &mode)?);
            serde_json::json!({"kernels": Kernels::detect().name()})
        }
        Request::Run { repetitions, threads } => {
            let Some(job) = job else { bail!("nothing loaded") };
            let times: Vec<_> = on_threads(threads, || (0..repetitions).map(|_| job.time()).collect())?;
            serde_json::json!({"times": times})
        }
        Request::Peak { threads } => serde_json::json!({"gflops": on_threads(threads, || peak(threads))?}),
        Request::Memory => serde_json::json!({"megabytes": peak_memory()}),
    })
}

fn main() -> Result<()> {
    let mut job = None;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let request = serde_json::from_str(&line).with_context(|| line)?;
        println!("{}", answer(request, &mut job)?);
    }
    Ok(())
}
