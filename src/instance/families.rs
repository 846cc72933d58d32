//! Families of undirected random graphs on which other people test: the grid of SALSA-CLRS.
//!
//! | family | recipe |
//! |---|---|
//! | `er` | Erdős–Rényi: each pair is an edge with probability p, one p a graph, uniform in \[ln n / n, 3 ln n / n\] |
//! | `ws` | Watts–Strogatz: a ring whose vertices know their k nearest, k one of 4, 6, 8; an edge is rewired with one probability a graph, uniform in \[.05, .2\] |
//! | `delaunay` | the Delaunay triangulation of uniform points in the unit square |

use crate::random::Rng;
use std::collections::HashSet;

/// Pairs of vertices that are joined, each once, the smaller one first, in a fixed order.
pub(super) type Pairs = Vec<(usize, usize)>;

pub(super) fn erdos_renyi(n: usize, rng: &mut Rng) -> Pairs {
    let least = (n as f64).ln() / n as f64;
    let p = (least * (1.0 + 2.0 * rng.unit())).min(1.0);
    let pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
    pairs.filter(|_| rng.chance(p)).collect()
}

pub(super) fn watts_strogatz(n: usize, rng: &mut Rng) -> Pairs {
    let reach = [4, 6, 8][rng.below(3)] / 2;
    let chance = 0.05 + 0.15 * rng.unit();
    let sorted = |one: usize, other: usize| (one.min(other), one.max(other));
    let ring = |step: usize| (0..n).map(move |vertex| (vertex, (vertex + step) % n));
    let mut edges: HashSet<(usize, usize)> = HashSet::new();
    let mut degree = vec![0; n];
    for (vertex, other) in (1..=reach).flat_map(ring) {
        // On a small ring both ways round may be the same edge, or none.
        if vertex != other && edges.insert(sorted(vertex, other)) {
            degree[vertex] += 1;
            degree[other] += 1;
        }
    }
    for (vertex, other) in (1..=reach).flat_map(ring) {
        let rewired = rng.chance(chance);
        if !rewired || degree[vertex] + 1 >= n || !edges.remove(&sorted(vertex, other)) {
            continue;
        }
        let end = loop {
            let end = rng.below(n);
            if end != vertex && !edges.contains(&sorted(vertex, end)) {
                break end;
            }
        };
        edges.insert(sorted(vertex, end));
        degree[other] -= 1;
        degree[end] += 1;
    }
    in_order(edges)
}

pub(super) fn delaunay(n: usize, rng: &mut Rng) -> Pairs {
    let points: Vec<_> = (0..n).map(|_| delaunator::Point { x: rng.unit(), y: rng.unit() }).collect();
    let triangles = delaunator::triangulate(&points).triangles;
    if triangles.is_empty() {
        // Two points, or points on one line: neighbours along it.
        let mut along: Vec<usize> = (0..n).collect();
        along.sort_by(|&one, &other| {
            (points[one].x, points[one].y).partial_cmp(&(points[other].x, points[other].y)).expect("numbers")
        });
        return in_order(along.windows(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]))));
    }
    let sides =
        triangles.chunks_exact(3).flat_map(|corner| [(0, 1), (1, 2), (0, 2)].map(|(a, b)| (corner[a], corner[b])));
    in_order(sides.map(|(one, other)| (one.min(other), one.max(other))))
}

fn in_order(edges: impl IntoIterator<Item = (usize, usize)>) -> Pairs {
    let mut edges: Pairs = edges.into_iter().collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graphs(family: fn(usize, &mut Rng) -> Pairs, n: usize) -> Vec<Pairs> {
        (0..40).map(|index| family(n, &mut Rng::stream(0, "families", index))).collect()
    }

    #[test]
    fn each_pair_stands_once_and_seeds_hold() {
        for family in [erdos_renyi, watts_strogatz, delaunay] {
            for n in [1, 2, 3, 4, 5, 7, 16, 80] {
                for edges in graphs(family, n) {
                    assert!(edges.windows(2).all(|pair| pair[0] < pair[1]), "{edges:?}");
                    assert!(edges.iter().all(|&(one, other)| one < other && other < n), "{edges:?}");
                }
            }
            assert_eq!(graphs(family, 30), graphs(family, 30));
        }
    }

    #[test]
    fn erdos_renyi_graphs_have_the_densities_of_the_recipe() {
        let n = 200usize;
        let pairs = (n * (n - 1) / 2) as f64;
        let mean = graphs(erdos_renyi, n).iter().map(|edges| edges.len() as f64 / pairs).sum::<f64>() / 40.0;
        let middle = 2.0 * (n as f64).ln() / n as f64;
        assert!((mean / middle - 1.0).abs() < 0.15, "{mean} {middle}");
    }

    #[test]
    fn rewiring_keeps_the_number_of_edges_and_moves_a_few() {
        let n = 100;
        for edges in graphs(watts_strogatz, n) {
            assert!([2 * n, 3 * n, 4 * n].contains(&edges.len()), "{}", edges.len());
            let reach = edges.len() / n;
            let is_lattice = |&&(one, other): &&(usize, usize)| (other - one).min(n - other + one) <= reach;
            let moved = 1.0 - edges.iter().filter(is_lattice).count() as f64 / edges.len() as f64;
            assert!((0.01..0.3).contains(&moved), "{moved}");
        }
    }

    /// From the definition: three points are a triangle exactly when no other point lies in their circle; so an edge stands exactly when
    /// some circle through its ends is empty.
    #[test]
    fn triangulations_have_exactly_the_edges_with_an_empty_circle() {
        for index in 0..20 {
            let stream = || Rng::stream(1, "points", index);
            let n = 12;
            let mut rng = stream();
            let points: Vec<(f64, f64)> = (0..n).map(|_| (rng.unit(), rng.unit())).collect();
            let mut expected = vec![];
            for one in 0..n {
                for other in one + 1..n {
                    if has_empty_circle(&points, one, other) {
                        expected.push((one, other));
                    }
                }
            }
            assert_eq!(delaunay(n, &mut stream()), expected);
        }
    }

    /// Centres of circles through both ends lie on their bisector, at a parameter t; each other point allows the t on one side of a bound.
    fn has_empty_circle(points: &[(f64, f64)], one: usize, other: usize) -> bool {
        let ((ax, ay), (bx, by)) = (points[one], points[other]);
        let (mx, my, dx, dy) = ((ax + bx) / 2.0, (ay + by) / 2.0, ay - by, bx - ax);
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for (index, &(x, y)) in points.iter().enumerate() {
            if index == one || index == other {
                continue;
            }
            // |c - p|² >= |c - a|² for c = m + t d: linear in t.
            let slope = 2.0 * (dx * (ax - x) + dy * (ay - y));
            let constant = (mx - x).powi(2) + (my - y).powi(2) - (mx - ax).powi(2) - (my - ay).powi(2);
            let bound = -constant / slope;
            if slope > 0.0 { low = low.max(bound) } else { high = high.min(bound) }
        }
        low <= high
    }
}
