//! Arborescences.

use crate::{is_uniform, pick, tally};
use num_bigint::BigUint;
use tiebreak::problems::trees::{Arborescences, Limits, Refusal, TreeCount, Use};
use tiebreak::random::Rng;

type Arcs = Vec<(usize, usize)>;

/// From the definition: every array of parents along arcs in which following parents leads to the root from everywhere.
fn by_definition(wanted: &[bool], root: usize, arcs: &Arcs) -> Vec<Vec<usize>> {
    let n = wanted.len();
    let options = |vertex: usize| -> Vec<usize> {
        let is_free = vertex == root || !wanted[vertex];
        let parents = (0..n).filter(|&parent| arcs.contains(&(parent, vertex)) && (wanted[parent] || parent == root));
        if is_free { vec![vertex] } else { parents.collect() }
    };
    let mut arrays: Vec<Vec<usize>> = vec![vec![]];
    for vertex in 0..n {
        let longer = |array: Vec<usize>| {
            options(vertex).into_iter().map(move |parent| array.iter().copied().chain([parent]).collect())
        };
        arrays = arrays.into_iter().flat_map(longer).collect();
    }
    let arrives = |array: &Vec<usize>, start: usize| (0..n).fold(start, |vertex, _| array[vertex]) == root;
    arrays.retain(|array| (0..n).all(|vertex| !wanted[vertex] || arrives(array, vertex)));
    arrays
}

/// Everything but draws, against brute force.
fn check(wanted: &[bool], root: usize, arcs: &Arcs) {
    let expected = by_definition(wanted, root, arcs);
    let trees = Arborescences::new(wanted, root, arcs).unwrap();
    check_against(&trees, &expected, &format!("{arcs:?} below {root}, wanted {wanted:?}"));
}

fn check_against(trees: &Arborescences, expected: &[Vec<usize>], case: &str) {
    let limits = Limits::default();
    assert_eq!(trees.iter().collect::<Vec<_>>(), expected, "{case}");
    assert_eq!(trees.any(), !expected.is_empty(), "{case}");
    assert_eq!(trees.count(&limits).unwrap(), TreeCount::Exact(BigUint::from(expected.len())), "{case}");
    let marginals = trees.marginals(&limits).unwrap();
    for (((parent, child), used), marginal) in trees.arcs().zip(trees.uses()).zip(marginals) {
        let with = expected.iter().filter(|tree| tree[child] == parent).count();
        let share = if with == 0 {
            Use::Never
        } else if with < expected.len() {
            Use::Sometimes
        } else {
            Use::Always
        };
        assert_eq!(used, share, "{case}: {parent} -> {child}");
        let exact = if with == 0 { 0.0 } else { with as f64 / expected.len() as f64 };
        assert!((marginal - exact).abs() < 1e-12, "{case}: {parent} -> {child} has {marginal}, not {exact}");
    }
}

#[test]
fn every_small_digraph() {
    for n in 1..=4 {
        let pairs: Arcs = (0..n * n).map(|pair| (pair / n, pair % n)).filter(|(tail, head)| tail != head).collect();
        for set in 0..1u32 << pairs.len() {
            let arcs: Arcs = (0..pairs.len()).filter(|&arc| set >> arc & 1 == 1).map(|arc| pairs[arc]).collect();
            for root in 0..n {
                check(&vec![true; n], root, &arcs);
            }
        }
    }
}

fn random_arcs(n: usize, rng: &mut Rng) -> Arcs {
    // Each arc, a vertex to itself too, with one of three densities; some arcs twice.
    let density = pick(&[0.3, 0.5, 0.8], rng);
    let mut arcs: Arcs = (0..n * n).map(|pair| (pair / n, pair % n)).filter(|_| rng.chance(density)).collect();
    arcs.extend_from_within(..arcs.len().min(2));
    arcs
}

#[test]
fn random_digraphs_with_vertices_that_are_not_wanted() {
    for index in 0..600 {
        let mut rng = Rng::stream(0, "directed", index);
        let n = 2 + rng.below(5);
        let wanted: Vec<bool> = (0..n).map(|_| rng.chance(0.8)).collect();
        check(&wanted, rng.below(n), &random_arcs(n, &mut rng));
    }
}

#[test]
fn demands_are_a_filter() {
    for index in 0..300 {
        let mut rng = Rng::stream(0, "demands", index);
        let n = 3 + rng.below(3);
        let arcs = random_arcs(n, &mut rng);
        let forbidden: Arcs = arcs.iter().copied().filter(|_| rng.chance(0.15)).collect();
        let required = arcs.iter().copied().find(|_| rng.chance(0.2));
        let keep = |parent, child| {
            !forbidden.contains(&(parent, child)) && required.is_none_or(|(only, of)| of != child || only == parent)
        };
        let all = Arborescences::new(&vec![true; n], 0, &arcs).unwrap();
        let mut expected = by_definition(&vec![true; n], 0, &arcs);
        expected.retain(|tree| (1..n).all(|child| keep(tree[child], child)));
        check_against(&all.filtered(keep), &expected, &format!("{arcs:?}, not {forbidden:?}, {required:?}"));
    }
}

#[test]
fn draws_are_uniform() {
    let limits = Limits::default();
    let mut tested = 0;
    for index in 0..150 {
        let mut rng = Rng::stream(0, "directed draws", index);
        let n = 3 + rng.below(3);
        let arcs = random_arcs(n, &mut rng);
        let trees = Arborescences::new(&vec![true; n], 0, &arcs).unwrap();
        let all: Vec<Vec<usize>> = trees.iter().collect();
        if all.is_empty() {
            assert_eq!(trees.draw(&mut rng, &limits), Ok(None));
        } else if all.len() <= 200 {
            let counts = tally(&all, 60 * all.len(), || trees.draw(&mut rng, &limits).unwrap().unwrap());
            assert!(is_uniform(&counts), "{arcs:?}: {counts:?}");
            tested += usize::from(all.len() > 3);
        }
    }
    assert!(tested > 20, "only {tested} graphs had several trees");
}

/// Both ways between every two vertices.
fn complete(n: usize) -> Arcs {
    (0..n * n).map(|pair| (pair / n, pair % n)).filter(|(tail, head)| tail != head).collect()
}

#[test]
fn complete_graphs_have_cayleys_number() {
    for n in [2, 5, 30, 100] {
        let trees = Arborescences::new(&vec![true; n], n / 2, &complete(n)).unwrap();
        let expected = BigUint::from(n).pow(n as u32 - 2);
        assert_eq!(trees.count(&Limits::default()).unwrap(), TreeCount::Exact(expected));
        let marginals = trees.marginals(&Limits::default()).unwrap();
        let mean = |(parent, _): (usize, usize)| if parent == n / 2 { 2.0 / n as f64 } else { 1.0 / n as f64 };
        assert!(trees.arcs().zip(marginals).all(|(arc, share)| (share - mean(arc)).abs() < 1e-12));
    }
}

#[test]
fn rounded_counts_keep_their_promise() {
    let n = 120;
    let trees = Arborescences::new(&vec![true; n], 0, &complete(n)).unwrap();
    let rounded = trees.count(&Limits { exact: 0, ..Limits::default() }).unwrap();
    let TreeCount::About { log10, digits } = rounded else { panic!("{rounded:?}") };
    let exact = (n as f64).log10() * (n - 2) as f64;
    assert!(digits >= 8, "{digits}");
    assert!((10f64.powf(log10 - exact) - 1.0).abs() < 10f64.powi(-(digits as i32)));
    // 120^118 = 2.2072...e245, shown to as many digits.
    let shown = rounded.to_string();
    assert!(
        shown.starts_with("about 2.") && shown.ends_with("e245") && shown.len() == 6 + 1 + digits as usize + 4,
        "{shown}"
    );
    let refused = trees.count(&Limits { exact: 0, rounded: 1000, ..Limits::default() });
    assert_eq!(refused, Err(Refusal::Count { vertices: n - 1, limit: 1000 }));
    assert!(matches!(trees.marginals(&Limits { rounded: 1000, ..Limits::default() }), Err(Refusal::Marginals { .. })));
}

/// A ladder whose walks fall back to the start: from each of `k` vertices one parent leads on and the other to the
/// first.
fn trap(k: usize) -> Arcs {
    // Parents of v: v - 1 (towards the root 0) and k.
    (1..=k).flat_map(|vertex| [(vertex - 1, vertex), (k, vertex)]).collect()
}

#[test]
fn a_trap_for_walks_is_refused_and_yet_counted() {
    let trees = Arborescences::new(&[true; 61], 0, &trap(60)).unwrap();
    let limits = Limits { steps: 100_000, ..Limits::default() };
    let refused = trees.draw(&mut Rng::stream(0, "trap", 0), &limits);
    assert_eq!(refused, Err(Refusal::Walk { vertices: 60, limit: 100_000 }));
    // Every vertex's path down from 60 to 0 is forced: one tree.
    assert_eq!(trees.count(&limits).unwrap().to_string(), "1");
    let trees = Arborescences::new(&[true; 501], 0, &trap(500)).unwrap();
    let marginals = trees.marginals(&limits).unwrap();
    let on_path = |(parent, child): (usize, usize)| if parent + 1 == child { 1.0 } else { 0.0 };
    assert!(trees.arcs().zip(marginals).all(|(arc, share)| (share - on_path(arc)).abs() < 1e-12));
}

#[test]
fn a_million_vertices_without_a_knot() {
    let n = 1_000_000;
    let arcs: Arcs = (1..n).flat_map(|child| [(child - 1, child), (child / 2, child)]).collect();
    let trees = Arborescences::new(&vec![true; n], 0, &arcs).unwrap();
    let limits = Limits::default();
    assert_eq!(trees.count(&limits).unwrap().exact().unwrap().bits() as usize, n - 2, "1 and 2 have one parent each");
    assert_eq!(trees.iter().take(3).count(), 3);
    assert!(trees.draw(&mut Rng::stream(0, "million", 0), &limits).unwrap().is_some());
    assert_eq!(trees.uses().iter().filter(|&&used| used == Use::Always).count(), 2);
}

#[test]
fn vertices_outside_are_errors() {
    let error = Arborescences::new(&[true; 2], 0, &[(0, 5)]).unwrap_err();
    assert_eq!(error.to_string(), "vertex 5, but there are 2");
    assert!(Arborescences::new(&[true; 2], 2, &[]).is_err());
}
