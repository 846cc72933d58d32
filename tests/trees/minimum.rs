//! Minimum spanning forests.

use crate::{is_uniform, pick, tally};
use num_bigint::BigUint;
use tiebreak::problems::trees::{
    Classes, ForestFault, Infeasible, Limits, TreeCount, Use, rooted, verify_component, verify_forest,
};
use tiebreak::random::Rng;

type Edges = Vec<(usize, usize, i128)>;

/// The set that each vertex is in when `chosen` edges connect, by repeated relabelling; and whether there is a cycle.
fn labels(n: usize, edges: &Edges, chosen: impl Iterator<Item = usize>) -> (Vec<usize>, bool) {
    let mut label: Vec<usize> = (0..n).collect();
    let mut cycle = false;
    for edge in chosen {
        let (from, to) = (label[edges[edge].0], label[edges[edge].1]);
        cycle |= from == to;
        label.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
    }
    (label, cycle)
}

fn same_partition(a: &[usize], b: &[usize]) -> bool {
    (0..a.len() * a.len()).map(|pair| (pair / a.len(), pair % a.len())).all(|(u, v)| (a[u] == a[v]) == (b[u] == b[v]))
}

fn members(set: u32) -> Vec<usize> {
    (0..32).filter(|&edge| set >> edge & 1 == 1).collect()
}

/// From the definition: all sets of edges without a cycle that connect what the graph connects, of least total weight.
fn by_definition(n: usize, edges: &Edges) -> Vec<Vec<usize>> {
    let graph = labels(n, edges, 0..edges.len()).0;
    let spanning = |chosen: &Vec<usize>| {
        let (label, cycle) = labels(n, edges, chosen.iter().copied());
        !cycle && same_partition(&label, &graph)
    };
    let all: Vec<Vec<usize>> = (0..1u32 << edges.len()).map(members).filter(spanning).collect();
    let weight = |chosen: &Vec<usize>| chosen.iter().map(|&edge| edges[edge].2).sum::<i128>();
    let least = all.iter().map(weight).min().expect("every graph has a spanning forest");
    let mut forests: Vec<Vec<usize>> = all.into_iter().filter(|chosen| weight(chosen) == least).collect();
    forests.sort();
    forests
}

fn random_edges(rng: &mut Rng) -> (usize, Edges) {
    let n = 1 + rng.below(6);
    let weights: &[i128] = pick(&[&[1, 2, 3][..], &[-1, 0, 1], &[7], &[-2, -2, 5]], rng);
    let edges = (0..rng.below(11)).map(|_| (rng.below(n), rng.below(n), pick(weights, rng))).collect();
    (n, edges)
}

fn check(forests: &Classes, expected: &[Vec<usize>], edges: usize, case: &str) {
    let limits = Limits::default();
    let listed: Vec<Vec<usize>> = forests.iter().collect();
    let mut sorted = listed.clone();
    sorted.sort();
    assert_eq!(sorted, expected, "{case}");
    assert_eq!(forests.iter().collect::<Vec<_>>(), listed, "{case}: the order is fixed");
    assert_eq!(forests.count(&limits).unwrap(), TreeCount::Exact(BigUint::from(expected.len())), "{case}");
    let (uses, marginals) = (forests.uses(), forests.marginals(&limits).unwrap());
    assert_eq!((uses.len(), marginals.len()), (edges, edges));
    for edge in 0..edges {
        let with = expected.iter().filter(|forest| forest.contains(&edge)).count();
        let share = if with == 0 {
            Use::Never
        } else if with < expected.len() {
            Use::Sometimes
        } else {
            Use::Always
        };
        assert_eq!(uses[edge], share, "{case}: edge {edge}");
        let exact = with as f64 / expected.len() as f64;
        assert!((marginals[edge] - exact).abs() < 1e-12, "{case}: edge {edge} has {}, not {exact}", marginals[edge]);
    }
    for forest in expected {
        assert_eq!(forests.by_order(|edge| !forest.contains(&edge)), *forest, "{case}: every forest has its order");
    }
}

#[test]
fn random_multigraphs() {
    for index in 0..800 {
        let (n, edges) = random_edges(&mut Rng::stream(0, "multigraphs", index));
        let expected = by_definition(n, &edges);
        check(&Classes::new(n, &edges).unwrap(), &expected, edges.len(), &format!("{n}, {edges:?}"));
    }
}

#[test]
fn demands_are_a_filter() {
    let (mut feasible, mut infeasible) = (0, 0);
    for index in 0..1000 {
        let mut rng = Rng::stream(0, "demanded forests", index);
        let (n, edges) = random_edges(&mut rng);
        let required: Vec<usize> = (0..edges.len()).filter(|_| rng.chance(0.15)).collect();
        let forbidden: Vec<usize> = (0..edges.len()).filter(|_| rng.chance(0.2)).collect();
        let case = format!("{n}, {edges:?}, with {required:?}, without {forbidden:?}");
        let mut expected = by_definition(n, &edges);
        expected.retain(|forest| required.iter().all(|edge| forest.contains(edge)));
        expected.retain(|forest| !forbidden.iter().any(|edge| forest.contains(edge)));
        match Classes::new(n, &edges).unwrap().demanding(&required, &forbidden) {
            Ok(forests) => {
                check(&forests, &expected, edges.len(), &case);
                feasible += 1;
            }
            Err(_) => {
                assert!(expected.is_empty(), "{case}");
                infeasible += 1;
            }
        }
    }
    assert!(feasible > 200 && infeasible > 200, "{feasible} and {infeasible}");
}

#[test]
fn demands_say_why_they_cannot_be_met() {
    // A triangle of weight 1 with a heavier edge beside one side, and a bridge.
    let edges = vec![(0, 1, 1), (1, 2, 1), (2, 0, 1), (0, 1, 2), (2, 3, 5)];
    let forests = Classes::new(4, &edges).unwrap();
    let why = |required: &[usize], forbidden: &[usize]| forests.demanding(required, forbidden).unwrap_err();
    assert_eq!(why(&[3], &[]), Infeasible::TooHeavy { edge: 3 });
    assert_eq!(why(&[0, 1, 2], &[]), Infeasible::RequiredCycle { edge: 2 });
    assert_eq!(why(&[], &[4]), Infeasible::Needed { edge: 4 });
    assert_eq!(why(&[], &[0, 2]), Infeasible::Needed { edge: 0 });
    assert_eq!(why(&[0], &[0]), Infeasible::Contradiction { edge: 0 });
    assert_eq!(why(&[9], &[]), Infeasible::NoSuchEdge { edge: 9, edges: 5 });
}

#[test]
fn draws_are_uniform_with_and_without_demands() {
    let limits = Limits::default();
    let mut tested = 0;
    for index in 0..600 {
        let mut rng = Rng::stream(0, "forest draws", index);
        let (n, edges) = random_edges(&mut rng);
        let mut forests = Classes::new(n, &edges).unwrap();
        if let Some(edge) = (0..edges.len()).find(|_| rng.chance(0.1)) {
            let demands = if rng.chance(0.5) { (vec![edge], vec![]) } else { (vec![], vec![edge]) };
            forests = forests.demanding(&demands.0, &demands.1).unwrap_or(forests);
        }
        let mut all: Vec<Vec<usize>> = forests.iter().collect();
        all.sort();
        if all.len() <= 150 {
            let counts = tally(&all, 60 * all.len(), || forests.draw(&mut rng, &limits).unwrap());
            assert!(is_uniform(&counts), "{edges:?}: {counts:?}");
            tested += usize::from(all.len() > 3);
        }
    }
    assert!(tested > 40, "only {tested} graphs had several forests");
}

/// Draws on complete graphs go through a core, which the small multigraphs above mostly do not have.
#[test]
fn draws_from_cores_are_uniform() {
    let limits = Limits::default();
    let mut edges: Edges = (0..25).map(|pair| (pair / 5, pair % 5, 1)).filter(|(a, b, _)| a < b).collect();
    for doubled in [false, true] {
        if doubled {
            // Unequal weights in the core: a parallel edge, and a path beside another.
            edges.extend([(0, 1, 1), (2, 5, 1), (5, 3, 1)]);
        }
        let forests = Classes::new(5 + usize::from(doubled), &edges).unwrap();
        let mut all: Vec<Vec<usize>> = forests.iter().collect();
        all.sort();
        let mut rng = Rng::stream(0, "core draws", 0);
        let counts = tally(&all, 100 * all.len(), || forests.draw(&mut rng, &limits).unwrap());
        assert!(is_uniform(&counts), "{} trees", all.len());
    }
}

#[test]
fn the_verifier_accepts_exactly_the_minimum_forests_and_proves_the_rest() {
    for index in 0..250 {
        let (n, edges) = random_edges(&mut Rng::stream(0, "verify forests", index));
        let expected = by_definition(n, &edges);
        for chosen in (0..1u32 << edges.len()).map(members) {
            match verify_forest(n, &edges, &chosen) {
                Ok(()) => assert!(expected.contains(&chosen), "{edges:?}: {chosen:?}"),
                Err(fault) => {
                    assert!(!expected.contains(&chosen), "{edges:?}: {chosen:?}: {fault}");
                    assert!(proves(n, &edges, &chosen, &fault), "{edges:?}: {chosen:?}: {fault:?}");
                }
            }
        }
    }
}

fn proves(n: usize, edges: &Edges, chosen: &[usize], fault: &ForestFault) -> bool {
    match fault {
        ForestFault::Cycle { vertices, edges: cycle } => {
            let next = vertices.iter().cycle().skip(1);
            let joins = vertices.iter().zip(next).zip(cycle).all(|((&u, &v), &edge)| {
                let (a, b, _) = edges[edge];
                chosen.contains(&edge) && ((u, v) == (a, b) || (v, u) == (a, b))
            });
            let distinct = |list: &[usize]| (1..list.len()).all(|at| !list[..at].contains(&list[at]));
            joins && vertices.len() == cycle.len() && !cycle.is_empty() && distinct(vertices) && distinct(cycle)
        }
        ForestFault::Apart { edge, ends } => {
            let label = labels(n, edges, chosen.iter().copied()).0;
            (edges[*edge].0, edges[*edge].1) == *ends && label[ends.0] != label[ends.1]
        }
        ForestFault::Exchange { lighter, heavier } => {
            let swapped = chosen.iter().copied().filter(|edge| edge != heavier).chain([*lighter]);
            let is_improved =
                edges[*lighter].2 < edges[*heavier].2 && !chosen.contains(lighter) && chosen.contains(heavier);
            let (before, after) = (labels(n, edges, chosen.iter().copied()), labels(n, edges, swapped));
            is_improved && !after.1 && same_partition(&before.0, &after.0)
        }
        _ => false,
    }
}

#[test]
fn one_component_alone() {
    for index in 0..200 {
        let mut rng = Rng::stream(0, "one component", index);
        let (n, edges) = random_edges(&mut rng);
        let vertex = rng.below(n);
        let label = labels(n, &edges, 0..edges.len()).0;
        let inside = |edge: &usize| label[edges[*edge].0] == label[vertex];
        let mut expected: Vec<Vec<usize>> =
            by_definition(n, &edges).into_iter().map(|forest| forest.into_iter().filter(inside).collect()).collect();
        expected.sort();
        expected.dedup();
        let trees = Classes::of_component(n, &edges, vertex).unwrap();
        check(&trees, &expected, edges.len(), &format!("{n}, {edges:?} at {vertex}"));
        for chosen in (0..1u32 << edges.len()).map(members) {
            assert_eq!(verify_component(n, &edges, &chosen, vertex).is_ok(), expected.contains(&chosen));
        }
        for tree in expected {
            let parents = rooted(n, &edges, &tree, vertex).unwrap();
            let ends = |edge: &usize| [(edges[*edge].0, edges[*edge].1), (edges[*edge].1, edges[*edge].0)];
            let mut pairs = (0..n).filter(|&child| parents[child] != child).map(|child| (child, parents[child]));
            assert!(pairs.clone().all(|pair| tree.iter().any(|edge| ends(edge).contains(&pair))));
            assert_eq!(pairs.clone().count(), tree.len());
            assert!(pairs.all(|(child, _)| (0..n).fold(child, |at, _| parents[at]) == vertex));
        }
    }
}

#[test]
fn wrong_input_is_named() {
    assert_eq!(Classes::new(2, &[(0, 2, 1)]).unwrap_err().to_string(), "vertex 2, but there are 2");
    assert!(Classes::of_component(2, &[], 2).is_err());
    let edges = [(0, 1, 1), (2, 3, 1)];
    let fault = |chosen: &[usize]| verify_forest(4, &edges, chosen).unwrap_err();
    assert_eq!(fault(&[7]), ForestFault::NoSuchEdge { edge: 7, edges: 2 });
    assert_eq!(fault(&[0, 0]), ForestFault::Twice { edge: 0 });
    assert_eq!(verify_component(4, &edges, &[0, 1], 3), Err(ForestFault::Elsewhere { edge: 0 }));
    assert!(verify_forest(3, &edges, &[]).unwrap_err().to_string().contains("vertex 3"));
    assert!(verify_component(4, &edges, &[], 9).is_err() && rooted(4, &edges, &[5], 0).is_err());
    assert!(verify_forest(0, &[], &[]).is_ok() && Classes::new(0, &[]).unwrap().iter().eq([Vec::<usize>::new()]));
}
