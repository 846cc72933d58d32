//! tmp
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::time::Instant;
use tiebreak::model::*;
use tiebreak::nn::{Adam, adam};
fn uniform(rng: &mut ChaCha8Rng) -> f32 {
    (rng.next_u32() >> 8) as f32 / (1 << 24) as f32
}
fn graph(n: usize, t: usize, rng: &mut ChaCha8Rng) -> Features {
    let mut pos: Vec<f32> = (0..n).map(|_| uniform(rng)).collect();
    pos.sort_by(f32::total_cmp);
    let mut s = vec![0.0; n];
    s[0] = 1.0;
    let mut adj = vec![0.0; n * n];
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..i {
            if uniform(rng) < 0.5 {
                let w = (1 + rng.next_u32() % 3) as f32 / 3.0;
                for (x, y) in [(i, j), (j, i)] {
                    adj[x * n + y] = 1.0;
                    a[x * n + y] = w;
                }
            }
        }
        adj[i * n + i] = 1.0;
    }
    Features::new(n, vec![pos, s], vec![a, adj], t).unwrap()
}
fn main() {
    let args: Vec<usize> = std::env::args().skip(2).map(|x| x.parse().unwrap()).collect();
    let mode = std::env::args().nth(1).unwrap();
    let (b, n, t, reps) = (args[0], args[1], args[2], args[3]);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let network: Network = Network::new(Settings::default(), Spec::new(&["pos", "s"], &["A", "adj"]));
    let mut params = network.initialise(&mut || rng.next_u64());
    let batch: Vec<_> = (0..b).map(|_| graph(n, t, &mut rng)).collect();
    let targets: Vec<_> = (0..b).map(|_| Target::Parents((0..n as u32).map(|v| v / 2).collect())).collect();
    let mut adam = Adam::new(1e-3, params.values().len());
    let mut times = vec![];
    for _ in 0..reps {
        let c0 = cpu();
        let t0 = Instant::now();
        if mode == "train" {
            let (_, mut g) = network.loss_and_gradient(&params, &batch, &targets);
            adam::clip_by_global_norm(g.values_mut(), 1.0);
            adam.step(network.kernels(), params.values_mut(), g.values());
        } else {
            network.logits(&params, &batch);
        }
        times.push((t0.elapsed().as_secs_f64(), cpu() - c0));
    }
    let mut w: Vec<f64> = times.iter().map(|x| x.0).collect();
    w.sort_by(f64::total_cmp);
    let mut c: Vec<f64> = times.iter().map(|x| x.1).collect();
    c.sort_by(f64::total_cmp);
    let h = 128f64;
    let (nf, bf, tf) = (n as f64, b as f64, t as f64);
    let rows = bf * tf * nf * nf;
    let nodes = bf * tf * nf;
    let last = bf * nf * nf;
    let fl = if mode == "train" {
        rows * 8. * h * h + nodes * (3. * 2. * h * h * 7. + 4. * h * h) + last * 6. * h * h
    } else {
        rows * 4. * h * h + nodes * 2. * h * h * 7. + last * 2. * h * h
    };
    println!(
        "{mode} b{b} n{n} t{t}: wall median {:.2} ms min {:.2}, cpu median {:.2} ms, {:.1} GF/s wall-median, {:.1} GF/s per cpu",
        w[reps / 2] * 1e3,
        w[0] * 1e3,
        c[reps / 2] * 1e3,
        fl / w[reps / 2] / 1e9,
        fl / c[reps / 2] / 1e9
    );
}
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    let _ = s;
    let mut total = 0.0;
    for e in std::fs::read_dir("/proc/self/task").unwrap() {
        let p = e.unwrap().path().join("schedstat");
        if let Ok(s) = std::fs::read_to_string(p) {
            total += s.split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9;
        }
    }
    total
}
