//! Graphs whose numbers of spanning trees are known in closed form, some of them large.

use num_bigint::BigUint;
use tiebreak::problems::trees::{Classes, Limits, Refusal, TreeCount, Use, verify_forest};
use tiebreak::random::Rng;

fn of_one_weight(n: usize, edges: impl Iterator<Item = (usize, usize)>) -> Classes {
    let edges: Vec<(usize, usize, i128)> = edges.map(|(a, b)| (a, b, 1)).collect();
    Classes::new(n, &edges).unwrap()
}

fn count(forests: &Classes) -> BigUint {
    let count = forests.count(&Limits::default()).unwrap();
    count.exact().unwrap_or_else(|| panic!("{count}")).clone()
}

fn complete(n: usize) -> Classes {
    of_one_weight(n, (0..n).flat_map(|b| (0..b).map(move |a| (a, b))))
}

fn grid(width: usize, height: usize) -> Classes {
    let right = (0..width * height).filter(move |at| at % width + 1 < width).map(|at| (at, at + 1));
    let down = (0..width * (height - 1)).map(move |at| (at, at + width));
    of_one_weight(width * height, right.chain(down))
}

fn cycle(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).map(move |at| (at, (at + 1) % n))
}

#[test]
fn complete_graphs_have_cayleys_number() {
    for n in [2usize, 3, 4, 5, 20, 70] {
        assert_eq!(count(&complete(n)), BigUint::from(n).pow(n as u32 - 2));
        let marginals = complete(n).marginals(&Limits::default()).unwrap();
        assert!(marginals.iter().all(|share| (share - 2.0 / n as f64).abs() < 1e-12));
    }
}

#[test]
fn bipartite_complete_graphs() {
    for (a, b) in [(2usize, 3usize), (4, 4), (7, 12)] {
        let forests = of_one_weight(a + b, (0..a * b).map(|pair| (pair % a, a + pair / a)));
        assert_eq!(count(&forests), BigUint::from(a).pow(b as u32 - 1) * BigUint::from(b).pow(a as u32 - 1));
    }
}

#[test]
fn grids_have_their_known_numbers() {
    let known = [4u64, 192, 100_352, 557_568_000, 32_565_539_635_200];
    for (width, known) in (2..).zip(known) {
        assert_eq!(count(&grid(width, width)), BigUint::from(known));
    }
    // Foster: the marginals add up to the number of edges of a tree.
    let marginals = grid(20, 20).marginals(&Limits::default()).unwrap();
    assert!((marginals.iter().sum::<f64>() - 399.0).abs() < 1e-9);
}

/// The eigenvalues of a path's Laplacian are 2 - 2 cos(pi k / length), and those of a grid are their sums.
#[test]
fn large_grids_agree_with_their_eigenvalues() {
    for (width, height, exact) in [(30usize, 30usize, true), (60, 60, false)] {
        let value = |k: usize, length: usize| 2.0 - 2.0 * (std::f64::consts::PI * k as f64 / length as f64).cos();
        let pairs = (1..width * height).map(|pair| (pair % width, pair / width));
        let logs: f64 = pairs.map(|(x, y)| (value(x, width) + value(y, height)).log10()).sum();
        let expected = logs - ((width * height) as f64).log10();
        let limits = if exact { Limits::default() } else { Limits { exact: 0, ..Limits::default() } };
        let count = grid(width, height).count(&limits).unwrap();
        assert_eq!(count.exact().is_some(), exact);
        assert!((count.log10() - expected).abs() < 1e-8, "{count}: {} against {expected}", count.log10());
    }
}

#[test]
fn wheels_have_lucas_numbers() {
    let mut lucas = [BigUint::from(2u32), BigUint::from(1u32)];
    for rim in 1..=60 {
        // L(2 rim), two steps on from L(2 rim - 2).
        lucas = [&lucas[0] + &lucas[1], &lucas[0] + &lucas[1] + &lucas[1]];
        if rim >= 3 {
            let forests = of_one_weight(rim + 1, cycle(rim).chain((0..rim).map(|at| (at, rim))));
            assert_eq!(count(&forests) + 2u32, lucas[0], "rim of {rim}");
        }
    }
}

#[test]
fn a_long_cycle_needs_no_walk() {
    let n = 300_000;
    let forests = of_one_weight(n, cycle(n));
    assert_eq!(count(&forests), BigUint::from(n));
    let drawn = forests.draw(&mut Rng::stream(0, "cycle", 0), &Limits { steps: 0, ..Limits::default() }).unwrap();
    assert_eq!(drawn.len(), n - 1);
    let marginals = forests.marginals(&Limits::default()).unwrap();
    assert!(marginals.iter().all(|share| (share - (1.0 - 1.0 / n as f64)).abs() < 1e-12));
}

/// Rungs between two paths: a(k) = 4 a(k - 1) - a(k - 2). All series and parallel, so nothing is left for a
/// determinant.
#[test]
fn ladders_follow_their_recurrence() {
    let length = 3000;
    let (mut before, mut last) = (BigUint::ZERO, BigUint::from(1u32));
    for _ in 1..length {
        (before, last) = (last.clone(), &last * 4u32 - before);
    }
    let rails = (1..length).flat_map(|at| [(2 * at - 2, 2 * at), (2 * at - 1, 2 * at + 1)]);
    let forests = of_one_weight(2 * length, rails.chain((0..length).map(|at| (2 * at, 2 * at + 1))));
    assert_eq!(count(&forests), last);
    let rounded = forests.count(&Limits { exact: 100, ..Limits::default() }).unwrap();
    let TreeCount::About { log10, digits } = rounded else { panic!("{rounded:?}") };
    assert!(digits >= 9 && (log10 - TreeCount::Exact(last).log10()).abs() < 10f64.powi(-(digits as i32)));
}

#[test]
fn many_parallel_edges() {
    let forests = of_one_weight(2, (0..100_000).map(|_| (0, 1)));
    assert_eq!(count(&forests), BigUint::from(100_000u32));
    assert_eq!(of_one_weight(2, (0..2000).map(|_| (0, 1))).iter().count(), 2000);
}

#[test]
fn classes_multiply() {
    // K5 by weight 1 on each of three groups, which edges of weight 2 join as a triangle with doubled sides: 125^3 *
    // 12.
    let mut edges: Vec<(usize, usize, i128)> = vec![];
    for group in 0..3 {
        edges.extend((0..5).flat_map(|b| (0..b).map(move |a| (5 * group + a, 5 * group + b, 1))));
        edges.extend([(5 * group, (5 * group + 5) % 15, 2), (5 * group + 3, (5 * group + 7) % 15, 2)]);
        edges.push((5 * group, 5 * group + 1, 2));
    }
    let forests = Classes::new(15, &edges).unwrap();
    assert_eq!(count(&forests), BigUint::from(125u32).pow(3) * 12u32);
    assert_eq!(forests.uses().iter().filter(|&&used| used == Use::Never).count(), 3);
}

#[test]
fn what_is_too_large_is_refused_with_its_bound() {
    let limits = Limits { exact: 0, rounded: 1000, steps: 10 };
    let forests = complete(40);
    assert_eq!(forests.count(&limits), Err(Refusal::Count { vertices: 39, limit: 1000 }));
    assert_eq!(forests.marginals(&limits), Err(Refusal::Marginals { vertices: 39, limit: 1000 }));
    let refused = forests.draw(&mut Rng::stream(0, "refused", 0), &limits);
    assert_eq!(refused, Err(Refusal::Walk { vertices: 39, limit: 10 }));
}

#[test]
fn a_million_edges() {
    let mut rng = Rng::stream(0, "million edges", 0);
    let (n, m) = (200_000, 1_000_000);
    let edges: Vec<(usize, usize, i128)> =
        (0..m).map(|_| (rng.below(n), rng.below(n), rng.below(1000) as i128)).collect();
    let forests = Classes::new(n, &edges).unwrap();
    let drawn = forests.draw(&mut rng, &Limits::default()).unwrap();
    assert_eq!(verify_forest(n, &edges, &drawn), Ok(()));
    assert_eq!(verify_forest(n, &edges, &forests.by_order(|edge| edge % 7)), Ok(()));
    assert!(forests.iter().take(3).all(|forest| forest.len() == drawn.len()));
}
