//! Verifiers for more edges than memory holds: they see all edges go by, in any order, and keep a few numbers for each vertex.
//!
//! `edges()` begins a pass over all edges as (tail, head, weight); what has no direction is given both ways for shortest paths, and once, in either
//! direction, for spanning trees. The edges must be those of a graph: an edge that comes twice counts as often as it comes, the lightest as the parent's.
//! They say whether a candidate is right exactly as [`super::Space::verify`] does, but not why it is wrong: that would take a search.

use super::Intractable;
use super::orders::places::places;
use super::spanning::quick::SourceTree;
use crate::answers::{Candidate, Parents};

/// The length of a vertex that is its own parent, longer than any path.
const UNREACHED: u64 = 1 << 62;
/// Marks what is not yet the length of a path, but only that of its last edge.
const OPEN: u64 = 1 << 63;

/// True exactly for a shortest-path tree, for weights that are not negative. Two passes; 12 bytes for each vertex.
pub fn is_shortest_path_tree<I: Iterator<Item = (u32, u32, i64)>>(
    source: usize,
    candidate: Parents<'_>,
    edges: impl Fn() -> I,
) -> Result<bool, Intractable> {
    let (mut lengths, mut largest, mut least) = (vec![UNREACHED; candidate.n()], 0, 0);
    for (tail, head, weight) in edges() {
        (largest, least) = (largest.max(weight), least.min(weight));
        if candidate.of(head as usize) == tail as usize && tail != head {
            let known = &mut lengths[head as usize];
            *known = if *known == UNREACHED { OPEN | weight as u64 } else { (*known).min(OPEN | weight as u64) };
        }
    }
    if least < 0 {
        return Err(Intractable(format!("the weight {least} is negative, and then shortest paths take a search")));
    }
    if i128::from(largest) * candidate.n() as i128 >= 1 << 62 {
        return Err(Intractable(format!("paths with weights of up to {largest} may be too long for a word")));
    }
    let all_found = (0..candidate.n()).all(|vertex| candidate.is_root(vertex) || lengths[vertex] & OPEN != 0);
    if !all_found || !candidate.is_root(source) || !add_up(&mut lengths, source, candidate) {
        return Ok(false);
    }
    let is_shortcut = |(tail, head, weight): (u32, u32, i64)| {
        let before = lengths[tail as usize];
        before != UNREACHED && lengths[head as usize] > before + weight as u64
    };
    Ok(!edges().any(is_shortcut))
}

/// Makes lengths of last edges ([`OPEN`]) those of paths from the source; false when parents run in a circle, or end at a root that is not the source.
fn add_up(lengths: &mut [u64], source: usize, candidate: Parents<'_>) -> bool {
    lengths[source] = 0;
    let mut path: Vec<u32> = vec![];
    for start in 0..candidate.n() {
        let mut vertex = start;
        while lengths[vertex] & OPEN != 0 {
            // Whoever has walked so far walks in a circle.
            if path.len() == candidate.n() {
                return false;
            }
            path.push(vertex as u32);
            vertex = candidate.of(vertex);
        }
        let mut length = lengths[vertex];
        if length == UNREACHED && !path.is_empty() {
            return false;
        }
        while let Some(below) = path.pop() {
            length += lengths[below as usize] & !OPEN;
            lengths[below as usize] = length;
        }
    }
    true
}

/// True exactly for a topological order. One pass; four bytes for each vertex, and as many while the order is read.
pub fn is_topological_order<I: Iterator<Item = (u32, u32, i64)>>(candidate: &Candidate, edges: impl Fn() -> I) -> bool {
    let Some(place) = places(candidate, candidate.slots().saturating_sub(1)) else { return false };
    edges().all(|(tail, head, _)| place[tail as usize] < place[head as usize])
}

/// True exactly for a minimum spanning tree of the source's component, as parents. Two passes; 44 bytes for each vertex, and some 60 where
/// many paths are long.
pub fn is_minimum_spanning_tree<I: Iterator<Item = (u32, u32, i64)>>(
    source: usize,
    candidate: Parents<'_>,
    edges: impl Fn() -> I,
) -> Result<bool, Intractable> {
    let mut weights = vec![i64::MAX; candidate.n()];
    for (one, other, weight) in edges() {
        if weight == i64::MAX {
            return Err(Intractable(format!("the weight {weight} is too large for this")));
        }
        for (parent, child) in [(one, other), (other, one)] {
            if parent != child && candidate.of(child as usize) == parent as usize {
                weights[child as usize] = weights[child as usize].min(weight);
            }
        }
    }
    if candidate.edges().any(|(_, child)| weights[child] == i64::MAX) {
        return Ok(false);
    }
    // Words in the order of the weights.
    let word = |weight: i64| (weight as u64) ^ (1 << 63);
    let of_edge = |_, child: usize| Some(word(weights[child]));
    let Some(mut tree) = SourceTree::new(source, candidate, of_edge) else { return Ok(false) };
    drop(weights);
    let mut all = edges();
    Ok(all.all(|(one, other, weight)| one == other || tree.admits(one as usize, other as usize, word(weight))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Form;
    use crate::instance::{Decimal, Graph, Instance};
    use crate::problems::by_name;
    use crate::problems::ties::Free;
    use crate::random::Rng;

    fn random(name: &str, index: u64, rng: &mut Rng) -> Instance {
        let (n, p) = (1 + rng.below(if index.is_multiple_of(20) { 60 } else { 7 }), [0.15, 0.3, 0.6][rng.below(3)]);
        let weights = [1, 3, 1 << 30][rng.below(3)];
        let pairs: Vec<(usize, usize)> = (0..n * n).map(|pair| (pair / n, pair % n)).collect();
        let is_pair = |&(one, other): &(usize, usize)| match name {
            "topological-sort" => one < other,
            "prim" => one <= other,
            _ => true,
        };
        let edges = pairs.into_iter().filter(is_pair).filter(|_| rng.chance(p)).collect::<Vec<_>>();
        let weighted: Vec<_> =
            edges.into_iter().map(|(one, other)| (one, other, Decimal::whole(rng.below(weights) as i64))).collect();
        let graph = if name == "prim" { Graph::weighted_undirected(n, weighted) } else { Graph::weighted(n, weighted) };
        let source = (name != "topological-sort").then_some(rng.below(n));
        Instance::of_graph(graph.expect("each pair once"), source)
    }

    /// A run, a run with some choices changed, or any choices at all.
    fn candidate(run: Candidate, rng: &mut Rng) -> Candidate {
        let (form, slots) = (run.form(), run.slots());
        match rng.below(3) {
            0 => run,
            1 => {
                let mut changed = run;
                (0..1 + rng.below(2)).for_each(|_| changed.set(rng.below(slots), rng.below(form.options(slots))));
                changed
            }
            _ => Candidate::from_choices(form, slots, |_| rng.below(form.options(slots))),
        }
    }

    #[test]
    fn what_goes_by_is_verified_as_what_is_held() {
        for name in ["dijkstra", "topological-sort", "prim"] {
            let mut accepted = 0;
            for index in 0..3000 {
                let mut rng = Rng::stream(0, name, index);
                let instance = random(name, index, &mut rng);
                let prepared = by_name(name).unwrap().prepare(&instance).unwrap();
                let run = prepared.run(&mut Free(&mut rng));
                let candidate = candidate(run, &mut rng);
                let mut all: Vec<(u32, u32, i64)> = instance
                    .graph
                    .weighted_edges()
                    .map(|(tail, head, weight)| (tail as u32, head as u32, weight as i64))
                    .collect();
                rng.shuffle(&mut all);
                let edges = || all.iter().copied();
                let source = instance.source.unwrap_or(0);
                let streamed = match name {
                    "dijkstra" => is_shortest_path_tree(source, candidate.parents(), edges).unwrap(),
                    "prim" => is_minimum_spanning_tree(source, candidate.parents(), edges).unwrap(),
                    _ => is_topological_order(&candidate, edges),
                };
                // Not what was found when the run was made.
                let fresh = by_name(name).unwrap().prepare(&instance).unwrap();
                assert_eq!(streamed, fresh.space().verify(&candidate).is_ok(), "{name} {index}");
                accepted += usize::from(streamed);
            }
            assert!((900..2700).contains(&accepted), "{name}: {accepted} were right");
        }
        assert!(is_topological_order(&Candidate::from_choices(Form::Order, 0, |_| 0), || [].into_iter()));
    }

    #[test]
    fn weights_that_take_a_search_are_refused() {
        let candidate = Candidate::from_parents([0, 0]).unwrap();
        let refused = |weight| is_shortest_path_tree(0, candidate.parents(), || [(0, 1, weight)].into_iter()).is_err();
        assert!(refused(-1) && refused(i64::MAX) && !refused(5));
    }
}
