//! Accepts a parent array exactly when some depth-first run produces it.
//!
//! For every graph edge (u, v) whose ends are not ancestor and descendant, let a and b be the children of their lowest
//! common ancestor that contain u and v. Then b must be visited before a: were a first, v would still be unvisited
//! when the search leaves u. A forest is producible exactly when these demands on siblings have no cycle, because any
//! order that keeps them is a depth-first walk. The roots of the forest are siblings too, below a virtual root; with
//! restarts in ascending order their order is given, and only has to be checked.
//!
//! ```text
//!   graph 0->1, 0->2, 1->2, 2->1          1 and 2 as children of 0 (parents [0,0,0]): 1->2 wants 2 first, 2->1 wants
//!                                         1 first, so no run produces it; [0,0,1] and [0,2,0] are the two solutions
//! ```
//! Right forests are mostly accepted by walking them (`quick`); all demands are for what is not.
//! Cost: O(n + m log n), no recursion. The criterion was checked against all runs on every digraph with up to five
//! vertices; the tests repeat this up to four.

use super::forest::{Forest, Position};
use super::{Restarts, quick};
use crate::answers::Parents;
use crate::instance::Graph;
use crate::problems::grouped::Grouped;
use crate::problems::verify::{Rule, Violation, check_edges, check_length};

/// The exact check.
pub(super) fn verify(graph: &Graph, candidate: Parents<'_>, restarts: Restarts) -> Result<(), Violation> {
    check_length(graph, candidate)?;
    match quick::is_walked(graph, candidate, restarts) {
        true => Ok(()),
        false => explain(graph, candidate, restarts),
    }
}

/// The check that says what is wrong. It accepts what is right, too, at many random accesses for each arc.
fn explain(graph: &Graph, candidate: Parents<'_>, restarts: Restarts) -> Result<(), Violation> {
    let forest = forest_of_edges(graph, candidate)?;
    if restarts == Restarts::Ordered {
        check_restarts(graph, &forest)?;
    }
    check_siblings(graph, &forest)
}

/// Edges, cycles and roots, but not the order of siblings.
pub(super) fn verify_weakly(graph: &Graph, candidate: Parents<'_>, restarts: Restarts) -> Result<(), Violation> {
    let forest = forest_of_edges(graph, candidate)?;
    if restarts == Restarts::Ordered {
        let (roots, expected) = (forest.roots(), super::least_reaching(graph));
        if let Some(v) = (0..graph.n()).find(|&v| roots[v] as usize != expected[v]) {
            return Err(Violation::at(v, Rule::RootReachesFirst));
        }
    }
    Ok(())
}

fn forest_of_edges(graph: &Graph, candidate: Parents<'_>) -> Result<Forest, Violation> {
    check_length(graph, candidate)?;
    check_edges(graph, candidate)?;
    Forest::new(candidate).map_err(|vertex| Violation::at(vertex, Rule::NoCycle))
}

fn check_restarts(graph: &Graph, forest: &Forest) -> Result<(), Violation> {
    let roots = forest.roots();
    if let Some(v) = (0..graph.n()).find(|&v| (roots[v] as usize) > v) {
        return Err(Violation::at(roots[v] as usize, Rule::RootIsLeast));
    }
    match graph.arcs().find(|&(tail, head)| roots[tail] < roots[head]) {
        Some(edge) => Err(Violation::with_edges(edge.1, Rule::TreesInOrder, vec![edge])),
        None => Ok(()),
    }
}

/// "`earlier` must be visited before its sibling `later`", because of an edge.
struct Demand {
    earlier: Position,
    later: Position,
    edge: (u32, u32),
}

fn check_siblings(graph: &Graph, forest: &Forest) -> Result<(), Violation> {
    let demands = sibling_demands(graph, forest);
    let unplaced = cannot_be_placed(forest.len(), &demands);
    match smallest_circle(forest, &demands, &unplaced) {
        None => Ok(()),
        Some((vertex, edges)) => Err(Violation::with_edges(vertex, Rule::SiblingOrder, edges)),
    }
}

fn sibling_demands(graph: &Graph, forest: &Forest) -> Vec<Demand> {
    let mut demands = vec![];
    for (tail, head) in graph.arcs() {
        let (from, to) = (forest.position(tail), forest.position(head));
        if forest.contains(from, to) || forest.contains(to, from) {
            continue;
        }
        let later = forest.below_common_ancestor(from, to);
        let earlier = forest.below_common_ancestor(to, from);
        demands.push(Demand { earlier, later, edge: (tail as u32, head as u32) });
    }
    demands
}

/// Places siblings one by one, each when all that must come before it have been placed; says which never can be.
fn cannot_be_placed(positions: usize, demands: &[Demand]) -> Vec<bool> {
    let mut waits_for = vec![0u32; positions];
    demands.iter().for_each(|demand| waits_for[demand.later as usize] += 1);
    let followers = Grouped::new(positions, demands.iter().map(|demand| (demand.earlier as usize, demand.later)));
    let mut ready: Vec<usize> = (0..positions).filter(|&position| waits_for[position] == 0).collect();
    while let Some(placed) = ready.pop() {
        for &later in followers.of(placed) {
            waits_for[later as usize] -= 1;
            if waits_for[later as usize] == 0 {
                ready.push(later as usize);
            }
        }
    }
    waits_for.iter().map(|&count| count > 0).collect()
}

/// Follows unfulfillable demands back until they close a circle; names its least vertex and the edges behind it,
/// starting with the edge that puts this vertex behind another.
fn smallest_circle(forest: &Forest, demands: &[Demand], unplaced: &[bool]) -> Option<(usize, Vec<(usize, usize)>)> {
    let mut reason: Vec<Option<&Demand>> = vec![None; unplaced.len()];
    for demand in demands.iter().filter(|demand| unplaced[demand.earlier as usize]) {
        reason[demand.later as usize].get_or_insert(demand);
    }
    let mut position = unplaced.iter().position(|&stuck| stuck)?;
    let before = |position: usize| reason[position].expect("an unplaced sibling waits for another");
    for _ in 0..unplaced.len() {
        position = before(position).earlier as usize;
    }
    let mut circle = vec![position];
    while before(circle[circle.len() - 1]).earlier as usize != position {
        circle.push(before(circle[circle.len() - 1]).earlier as usize);
    }
    let vertex_at = |position: usize| forest.vertex(position as Position);
    let least = (0..circle.len()).min_by_key(|&index| vertex_at(circle[index]))?;
    circle.rotate_left(least);
    let edge = |position: &usize| (before(*position).edge.0 as usize, before(*position).edge.1 as usize);
    Some((vertex_at(circle[0]), circle.iter().map(edge).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Candidate;
    use crate::instance::Instance;
    use crate::problems::by_name;
    use crate::problems::ties::Free;
    use crate::random::Rng;

    fn check(n: usize, edges: &[(usize, usize)], parents: &[usize], restarts: Restarts) -> Result<(), Violation> {
        let graph = Graph::from_edges(n, edges.iter().copied()).unwrap();
        verify(&graph, Candidate::from_parents(parents.to_vec()).unwrap().parents(), restarts)
    }

    /// The three candidates that the paper's printed verifier wrongly accepts, and the rule each breaks.
    #[test]
    fn the_slips_of_the_printed_verifier_are_caught() {
        use Restarts::Ordered;
        let rule = |outcome: Result<(), Violation>| outcome.unwrap_err().rule;
        assert_eq!(rule(check(2, &[], &[1, 1], Ordered)), Rule::ParentIsNeighbour);
        assert_eq!(rule(check(2, &[(1, 0)], &[1, 1], Ordered)), Rule::RootIsLeast);
        let edges = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)];
        let violation = check(4, &edges, &[0, 0, 0, 1], Ordered).unwrap_err();
        assert_eq!((violation.rule, violation.vertex), (Rule::SiblingOrder, Some(1)));
        assert_eq!(violation.edges, [(1, 2), (2, 3)]);
    }

    /// Random parents along edges of random graphs, few of them right, and all those that runs give by the order of their neighbours.
    #[test]
    fn walking_accepts_what_is_right_and_nothing_else() {
        let mut rng = Rng::stream(0, "quick", 0);
        let mut right = 0;
        for index in 0..60_000 {
            let n = if index % 100 == 0 { 10 + rng.below(190) } else { 1 + rng.below(9) };
            let p = [0.15, 0.3, 0.6][rng.below(3)] * (9.0 / n as f64).min(1.0);
            let pairs: Vec<(usize, usize)> = (0..n * n).map(|pair| (pair / n, pair % n)).collect();
            let graph = Graph::from_edges(n, pairs.into_iter().filter(|_| rng.chance(p))).unwrap();
            let mut parents =
                if rng.chance(0.5) { random_parents(&graph, &mut rng) } else { random_run(&graph, &mut rng) };
            if rng.chance(0.1) {
                parents[rng.below(n)] = rng.below(n);
            }
            let candidate = Candidate::from_parents(parents).unwrap();
            for restarts in [Restarts::Ordered, Restarts::Any] {
                let is_right = explain(&graph, candidate.parents(), restarts).is_ok();
                let is_accepted = quick::is_walked(&graph, candidate.parents(), restarts);
                assert_eq!(is_accepted, is_right, "{graph:?} {candidate:?} {restarts:?}");
                right += usize::from(is_right);
            }
        }
        assert!((50_000..90_000).contains(&right), "{right} were right");
    }

    /// Else they would be accepted all the same, but slowly.
    #[test]
    fn runs_on_graphs_of_many_kinds_are_accepted_by_walking() {
        let mut rng = Rng::stream(0, "kinds", 0);
        for (degree, kind) in [(2, "any"), (10, "any"), (3, "acyclic"), (10, "acyclic"), (10, "growing")] {
            let n = 20_000;
            let mut pairs: Vec<(usize, usize)> = (0..n * degree)
                .map(|index| match (kind, rng.below(n), rng.below(n)) {
                    ("any", one, other) => (one, other),
                    ("acyclic", one, other) => (one.min(other), one.max(other)),
                    _ => (index / degree, rng.below(index / degree + 1)),
                })
                .collect();
            pairs.sort_unstable();
            pairs.dedup();
            let instance = Instance::new(Graph::from_edges(n, pairs).unwrap());
            for (name, restarts) in [("dfs", Restarts::Ordered), ("dfs-any-restart", Restarts::Any)] {
                let run = by_name(name).unwrap().prepare(&instance).unwrap().run(&mut Free(&mut rng));
                assert!(quick::is_walked(&instance.graph, run.parents(), restarts), "{kind}, {degree}: {name}");
            }
        }
    }

    /// Each child waits for the next one, so that going through all of them frees one at a time: that is left to the check that explains.
    #[test]
    fn children_that_wait_in_a_long_row_are_accepted_without_walking() {
        let n = 100_000;
        let arcs = (1..n).map(|child| (0, child)).chain((1..n - 1).map(|child| (child, child + 1)));
        let graph = Graph::from_edges(n, arcs).unwrap();
        let star = Candidate::from_parents(vec![0; n]).unwrap();
        assert!(!quick::is_walked(&graph, star.parents(), Restarts::Ordered));
        assert!(verify(&graph, star.parents(), Restarts::Ordered).is_ok());
    }

    /// Anything may be a parent, edge or not, once in a while.
    fn random_parents(graph: &Graph, rng: &mut Rng) -> Vec<usize> {
        let n = graph.n();
        let into = |head: usize| (0..n).filter(move |&tail| graph.has_edge(tail, head));
        (0..n)
            .map(|vertex| match into(vertex).collect::<Vec<_>>() {
                tails if !tails.is_empty() && rng.chance(0.9) => tails[rng.below(tails.len())],
                _ if rng.chance(0.1) => rng.below(n),
                _ => vertex,
            })
            .collect()
    }

    /// A depth-first run with roots in ascending or in random order.
    fn random_run(graph: &Graph, rng: &mut Rng) -> Vec<usize> {
        let n = graph.n();
        let (mut roots, mut parents): (Vec<usize>, Vec<usize>) = ((0..n).collect(), vec![n; n]);
        if rng.chance(0.5) {
            rng.shuffle(&mut roots);
        }
        for root in roots {
            let mut path = if parents[root] == n { vec![root] } else { vec![] };
            parents[root] = if parents[root] == n { root } else { parents[root] };
            while let Some(&at) = path.last() {
                let open: Vec<u32> =
                    graph.out_neighbours(at).iter().copied().filter(|&head| parents[head as usize] == n).collect();
                if open.is_empty() {
                    path.pop();
                    continue;
                }
                let child = open[rng.below(open.len())] as usize;
                parents[child] = at;
                path.push(child);
            }
        }
        parents
    }

    #[test]
    fn restarts_in_any_order_free_the_roots() {
        assert!(check(2, &[(1, 0)], &[1, 1], Restarts::Any).is_ok());
        assert_eq!(check(2, &[(0, 1)], &[0, 1], Restarts::Ordered).unwrap_err().rule, Rule::TreesInOrder);
        assert!(check(2, &[(0, 1)], &[0, 1], Restarts::Any).is_ok());
        let both_ways = check(2, &[(0, 1), (1, 0)], &[0, 1], Restarts::Any).unwrap_err();
        assert_eq!(both_ways.edges, [(0, 1), (1, 0)]);
    }

    #[test]
    fn a_path_of_a_million_vertices_does_not_overflow_the_stack() {
        let n = 1_000_000;
        let path: Vec<(usize, usize)> = (1..n).map(|v| (v - 1, v)).collect();
        let parents: Vec<usize> = (0..n).map(|v: usize| v.saturating_sub(1)).collect();
        assert!(check(n, &path, &parents, Restarts::Ordered).is_ok());
    }
}
