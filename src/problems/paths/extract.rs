//! Drawing shortest-path candidates: the lightest of a few drawn edges, or the cheapest of a few drawn paths.

use crate::answers::{Candidate, Marginals};
use crate::instance::{Instance, Weight};
use crate::problems::extract::Extractor;
use crate::random::Rng;

/// How many parents are drawn at a time, and how many paths are kept.
const WIDTH: usize = 3;
/// How often `Greedy` draws again when none of its draws is an edge.
const REDRAWS: usize = 10;

/// For each vertex, three drawn parents, drawn again up to ten times while none of them is an edge; the one with the
/// lightest edge wins, the first drawn among equals.
///
/// The source is its own parent. A vertex for which no draw was an edge keeps the last parent drawn: for a vertex that
/// the source does not reach, that is the vertex itself if the distribution is right.
#[derive(Clone, Copy, Debug)]
pub struct Greedy;

impl Extractor for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn extract(&self, instance: &Instance, parents: &Marginals, rng: &mut Rng) -> Candidate {
        Candidate::from_each_vertex(parents.slots(), |vertex| {
            if instance.source == Some(vertex) { vertex } else { lightest_of_a_few(instance, parents, vertex, rng) }
        })
    }
}

fn lightest_of_a_few(instance: &Instance, parents: &Marginals, vertex: usize, rng: &mut Rng) -> usize {
    let mut last = vertex;
    for _ in 0..=REDRAWS {
        let mut lightest: Option<(Weight, usize)> = None;
        for _ in 0..WIDTH {
            last = parents.draw(vertex, rng);
            if let Some(weight) = instance.graph.weight(last, vertex)
                && lightest.is_none_or(|(least, _)| weight < least)
            {
                lightest = Some((weight, last));
            }
        }
        if let Some((_, parent)) = lightest {
            return parent;
        }
    }
    last
}

/// For each vertex, paths back to the source: at each step every open path is extended by three drawn parents, and the
/// three cheapest paths are kept; the cheapest path that reached the source gives the parent.
///
/// A path has at most n edges, and its cost is carried along. The source is its own parent. A vertex from which no
/// path reached the source keeps a drawn parent.
#[derive(Clone, Copy, Debug)]
pub struct Beam;

impl Extractor for Beam {
    fn name(&self) -> &'static str {
        "beam"
    }

    fn extract(&self, instance: &Instance, parents: &Marginals, rng: &mut Rng) -> Candidate {
        let source = instance.source.expect("shortest paths have a source");
        Candidate::from_each_vertex(parents.slots(), |vertex| {
            if vertex == source {
                return vertex;
            }
            let parent = cheapest_path_back(instance, source, parents, vertex, rng);
            parent.unwrap_or_else(|| parents.draw(vertex, rng))
        })
    }
}

/// A path back from the vertex: its cost, where it has come to, and its first step, which is the vertex's parent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Path {
    cost: Weight,
    end: usize,
    parent: usize,
}

fn cheapest_path_back(
    instance: &Instance,
    source: usize,
    parents: &Marginals,
    vertex: usize,
    rng: &mut Rng,
) -> Option<usize> {
    let mut kept = extensions(instance, parents, None, vertex, rng);
    for _ in 1..parents.slots() {
        keep_cheapest(&mut kept);
        // Where no weight is negative, an open path that costs as much as a complete one cannot become cheaper.
        if kept.iter().all(|path| path.end == source)
            || (kept[0].end == source && !instance.graph.has_negative_weight())
        {
            break;
        }
        let open = std::mem::take(&mut kept);
        for path in open {
            if path.end == source {
                kept.push(path);
            } else {
                kept.extend(extensions(instance, parents, Some(path), path.end, rng));
            }
        }
    }
    keep_cheapest(&mut kept);
    kept.iter().find(|path| path.end == source).map(|path| path.parent)
}

/// The path extended by each drawn parent of its end that is an edge.
fn extensions(instance: &Instance, parents: &Marginals, path: Option<Path>, end: usize, rng: &mut Rng) -> Vec<Path> {
    let drawn = (0..WIDTH).map(|_| parents.draw(end, rng));
    let extended = drawn.filter_map(|step| {
        let cost = path.map_or(0, |path| path.cost) + instance.graph.weight(step, end)?;
        Some(Path { cost, end: step, parent: path.map_or(step, |path| path.parent) })
    });
    extended.collect()
}

fn keep_cheapest(paths: &mut Vec<Path>) {
    // The same step drawn twice is one path, not two places in the beam.
    paths.sort_unstable();
    paths.dedup();
    paths.truncate(WIDTH);
}
