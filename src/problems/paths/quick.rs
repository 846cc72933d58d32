//! The check for shortcuts where lengths fit one word, as they nearly always do: it waits for memory and for little else.
//!
//! Ten arcs a vertex mean ten random accesses for each, which nothing avoids, to the length at the arc's head. So lengths are kept in as few bytes as hold
//! them, because what is smaller is nearer to the processor; and what is done once a vertex (finding the edge from its parent, adding up lengths) is done
//! parent by parent ([`Links`]).

use super::verify::longest_edge;
use super::{Length, Paths};
use crate::answers::Parents;
use crate::instance::{Graph, Weight};
use crate::problems::links::{Links, Word};

/// True for a solution: no edge is a shortcut past the paths that the candidate itself gives. No weight may be negative.
pub(super) fn has_no_shortcut(paths: &Paths, candidate: Parents<'_>) -> bool {
    let graph = &paths.instance.graph;
    if paths.length == Length::Hops {
        return Hops::new(paths.source, candidate).is_some_and(|hops| hops.have_no_shortcut(graph));
    }
    if !candidate.is_root(paths.source) {
        return false;
    }
    let longest = longest_edge(paths) as u64;
    match u32::try_from(longest) {
        Ok(_) => has_no_shortcut_past(paths, candidate, longest, |weight| paths.length.of(weight) as u32),
        Err(_) => has_no_shortcut_past(paths, candidate, longest, |weight| paths.length.of(weight) as u64),
    }
}

/// The same, with lengths of edges in a type that holds them.
fn has_no_shortcut_past<L: Word>(
    paths: &Paths,
    candidate: Parents<'_>,
    longest: u64,
    length: impl Fn(Weight) -> L,
) -> bool {
    let graph = &paths.instance.graph;
    let of_edge = |parent, child| graph.arc(parent, child).map(|arc| length(graph.weight_of(arc)));
    let Some(links) = Links::to_children(candidate.n(), |child| candidate.of(child), of_edge) else { return false };
    has_no_shortcut_in::<u16, L>(paths, &links, longest)
        .or_else(|| has_no_shortcut_in::<u32, L>(paths, &links, longest))
        .or_else(|| has_no_shortcut_in::<u64, L>(paths, &links, longest))
        .unwrap_or(false)
}

/// The same, with lengths of paths in a type; `None` where it may not hold that of a path and an edge.
fn has_no_shortcut_in<W: Word, L: Word>(paths: &Paths, links: &Links<L>, longest: u64) -> Option<bool> {
    // A path and an edge more are less than what no path has.
    let unreached: u64 = W::most().into();
    let beyond = unreached.checked_sub(longest).filter(|&beyond| beyond > 0)?;
    let add = |before: W, edge: L| {
        let length = before.into() + edge.into();
        W::try_from(length).ok().filter(|_| length < beyond)
    };
    let found = links.walk(paths.source as u32, W::default(), add)?;
    // Else some parents run in a circle, or end at a root that is not the source.
    if found.len() != links.count() + 1 {
        return Some(false);
    }
    let graph = &paths.instance.graph;
    let mut lengths = vec![W::most(); graph.n()];
    found.into_iter().for_each(|(vertex, length)| lengths[vertex as usize] = length);
    let is_passed_by = |tail: usize| {
        let (before, mut is_shortcut) = (lengths[tail].into(), false);
        let mut look_at = |head: usize, length: u64| is_shortcut |= lengths[head].into() > before + length;
        graph.each_out_edge(tail, |head, weight| look_at(head, paths.length.of(weight) as u64));
        is_shortcut
    };
    Some(!(0..graph.n()).any(|tail| lengths[tail] != W::most() && is_passed_by(tail)))
}

/// Where all edges are equally long, lengths follow from the parents alone, and the one pass over the arcs finds the edges of parents, too: what is asked of
/// a head stands side by side.
struct Hops {
    /// For each vertex its parent ([`NOBODY`] for a root) and the hops to it from the source.
    of: Vec<[u32; 2]>,
    /// How many vertices have a parent.
    children: usize,
}

/// How many parents are asked at a time.
const AT_ONCE: usize = 64;
/// The hops to a root that is not the source.
const NEVER: u32 = u32::MAX - 1;
/// Hops that are not known yet.
const NOT_YET: u32 = u32::MAX;
/// The parent of a root.
const NOBODY: u32 = u32::MAX;

impl Hops {
    /// `None` when parents run in a circle, or end at a root that is not the source.
    fn new(source: usize, candidate: Parents<'_>) -> Option<Self> {
        let entry = |vertex: usize| match candidate.of(vertex) {
            parent if parent == vertex => [NOBODY, NEVER],
            parent => [parent as u32, NOT_YET],
        };
        let mut of: Vec<[u32; 2]> = (0..candidate.n()).map(entry).collect();
        let children = of.iter().filter(|&&[parent, _]| parent != NOBODY).count();
        if of[source][0] != NOBODY {
            return None;
        }
        of[source][1] = 0;
        let mut path: Vec<u32> = vec![];
        let mut known = [NOT_YET; AT_ONCE];
        for first in (0..candidate.n()).step_by(AT_ONCE) {
            let vertices = first..candidate.n().min(first + AT_ONCE);
            // A loop that does nothing else waits for all of these places at a time.
            for (known, vertex) in known.iter_mut().zip(vertices.clone()) {
                *known = of[candidate.of(vertex)][1];
            }
            for (&hops, vertex) in known.iter().zip(vertices) {
                match hops < NEVER && of[vertex][1] == NOT_YET {
                    true => of[vertex][1] = hops + 1,
                    false => climb(&mut of, vertex, &mut path)?,
                }
            }
        }
        Some(Hops { of, children })
    }

    fn have_no_shortcut(&self, graph: &Graph) -> bool {
        let (mut children, mut has_shortcut) = (0, false);
        let look = |tail: usize, heads: &[[u32; 2]]| {
            // Nobody is passed by from where nobody comes.
            let beyond = self.of[tail][1].saturating_add(1);
            for &[parent, hops] in heads {
                has_shortcut |= hops > beyond;
                children += usize::from(parent == tail as u32);
            }
        };
        graph.each_read_ahead(&self.of, look);
        // No arc is there twice, so each parent has its edge when there are as many.
        !has_shortcut && children == self.children
    }
}

/// Notes the hops to a vertex, and to those on the way; `None` when parents run in a circle, or end at a root that is not the source.
fn climb(of: &mut [[u32; 2]], start: usize, path: &mut Vec<u32>) -> Option<()> {
    let (mut vertex, [mut parent, mut hops]) = (start, of[start]);
    while hops == NOT_YET {
        // Whoever has walked so far walks in a circle.
        if path.len() == of.len() {
            return None;
        }
        path.push(vertex as u32);
        vertex = parent as usize;
        [parent, hops] = of[vertex];
    }
    if hops == NEVER && !path.is_empty() {
        return None;
    }
    while let Some(below) = path.pop() {
        hops += 1;
        of[below as usize][1] = hops;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::verify::has_no_shortcut as explained;
    use super::*;
    use crate::answers::Candidate;
    use crate::instance::{Decimal, Instance};
    use crate::problems::by_name;
    use crate::problems::ties::Free;
    use crate::random::Rng;

    /// Scales that have some lengths fit two bytes, others four or eight, and some one of these only just.
    #[test]
    fn lengths_are_compared_as_whole_numbers_in_however_many_bytes() {
        let mut accepted = 0;
        for index in 0..4000 {
            let mut rng = Rng::stream(0, "bytes of lengths", index);
            let (n, scale) =
                (2 + rng.below(7), [1, 9000, 32_767, 65_535, 1 << 30, u32::MAX.into(), 1 << 40][rng.below(7)]);
            let pairs = (0..n * n).map(|pair| (pair / n, pair % n)).filter(|_| rng.chance(0.4)).collect::<Vec<_>>();
            let weighted =
                pairs.into_iter().map(|(tail, head)| (tail, head, Decimal::whole(scale * rng.below(4) as i64)));
            let instance = Instance::of_graph(Graph::weighted(n, weighted.collect::<Vec<_>>()).unwrap(), Some(0));
            let run = by_name("dijkstra").unwrap().prepare(&instance).unwrap().run(&mut Free(&mut rng));
            let mut parents: Vec<usize> = (0..n).map(|vertex| run.parents().of(vertex)).collect();
            if rng.chance(0.5) {
                parents[rng.below(n)] = rng.below(n);
            }
            let candidate = Candidate::from_parents(parents).unwrap();
            let paths = Paths::new("dijkstra", &instance, Length::Weights).unwrap();
            let is_right = explained(&paths, candidate.parents());
            assert_eq!(has_no_shortcut(&paths, candidate.parents()), is_right, "{instance:?} {candidate:?}");
            accepted += usize::from(is_right);
            let paths = Paths::new("bfs", &instance, Length::Hops).unwrap();
            let is_right = explained(&paths, candidate.parents());
            assert_eq!(has_no_shortcut(&paths, candidate.parents()), is_right);
        }
        assert!((1500..3500).contains(&accepted), "{accepted} were right");
    }

    /// Arcs and parents of more vertices than are asked at a time.
    #[test]
    fn hops_are_compared_on_larger_graphs() {
        let mut accepted = 0;
        for index in 0..400 {
            let mut rng = Rng::stream(0, "hops", index);
            let n = 1 + rng.below(600);
            let mut pairs: Vec<(usize, usize)> = (0..n * 5).map(|_| (rng.below(n), rng.below(n))).collect();
            pairs.sort_unstable();
            pairs.dedup();
            let instance = Instance::of_graph(Graph::from_edges(n, pairs).unwrap(), Some(rng.below(n)));
            let run = by_name("bfs").unwrap().prepare(&instance).unwrap().run(&mut Free(&mut rng));
            let mut parents: Vec<usize> = (0..n).map(|vertex| run.parents().of(vertex)).collect();
            if rng.chance(0.5) {
                parents[rng.below(n)] = rng.below(n);
            }
            let candidate = Candidate::from_parents(parents).unwrap();
            let paths = Paths::new("bfs", &instance, Length::Hops).unwrap();
            let is_right = explained(&paths, candidate.parents());
            assert_eq!(has_no_shortcut(&paths, candidate.parents()), is_right);
            accepted += usize::from(is_right);
        }
        assert!((190..350).contains(&accepted), "{accepted} were right");
    }
}
