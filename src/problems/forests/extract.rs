//! Drawing depth-first candidates: from the leaves upwards, or by a walk of the graph.

use super::Restarts;
use crate::answers::{Candidate, Marginals};
use crate::instance::Instance;
use crate::problems::extract::{Extractor, draw};
use crate::random::Rng;

/// Follows chains of drawn parents upwards, starting at the likeliest leaf; a vertex that got its parent may not be
/// drawn as a parent again.
///
/// Vertices are taken in ascending order of their chance to be a parent (the sum of their column; the lower index
/// first among equals). A vertex left without possible parents gets a uniformly random one. No vertex is drawn as a
/// parent twice, so forests in which a vertex has two children come out only by that fallback.
#[derive(Clone, Copy, Debug)]
pub struct Upwards;

impl Extractor for Upwards {
    fn name(&self) -> &'static str {
        "upwards"
    }

    fn extract(&self, _instance: &Instance, parents: &Marginals, rng: &mut Rng) -> Candidate {
        let n = parents.slots();
        let mut drawn: Vec<Option<usize>> = vec![None; n];
        for leaf in likeliest_leaves_first(parents) {
            let mut vertex = leaf;
            while drawn[vertex].is_none() {
                let row = parents.row(vertex);
                let open = (0..n).map(|parent| if drawn[parent].is_none() { row[parent] } else { 0.0 });
                let parent = draw(open, rng).unwrap_or_else(|| rng.below(n));
                drawn[vertex] = Some(parent);
                vertex = parent;
            }
        }
        Candidate::from_each_vertex(n, |vertex| drawn[vertex].expect("every vertex has been a leaf"))
    }
}

fn likeliest_leaves_first(parents: &Marginals) -> Vec<usize> {
    let n = parents.slots();
    let mut chance = vec![0.0; n];
    for vertex in 0..n {
        chance.iter_mut().zip(parents.row(vertex)).for_each(|(sum, share)| *sum += share);
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| chance[a].total_cmp(&chance[b]));
    order
}

/// As [`Upwards`], but without removing anybody: every vertex draws its parent from its own row alone.
#[derive(Clone, Copy, Debug)]
pub struct AltUpwards;

impl Extractor for AltUpwards {
    fn name(&self) -> &'static str {
        "alt-upwards"
    }

    fn extract(&self, _instance: &Instance, parents: &Marginals, rng: &mut Rng) -> Candidate {
        Candidate::from_each_vertex(parents.slots(), |vertex| parents.draw(vertex, rng))
    }
}

/// Walks the graph depth first: from a vertex to one of its unvisited out-neighbours, each as likely as the marginals say that the vertex is its parent
/// (uniformly where they rule all of them out), and back when there is none. Restarts are at the lowest unvisited vertex, or, where any
/// will do, at one drawn by its chance to be a root.
///
/// What comes out is a depth-first forest by construction, whatever the marginals; they decide which. Even certain marginals need not come back: they do not
/// say which child is visited first, and a walk has to go on wherever an edge leads.
#[derive(Clone, Copy, Debug)]
pub struct Walk(pub Restarts);

impl Extractor for Walk {
    fn name(&self) -> &'static str {
        "walk"
    }

    fn extract(&self, instance: &Instance, parents: &Marginals, rng: &mut Rng) -> Candidate {
        let n = parents.slots();
        let mut forest = Candidate::all_roots(n);
        let mut unvisited: Vec<usize> = (0..n).collect();
        let mut visited = vec![false; n];
        let mut pick = |options: &[usize], chance: &dyn Fn(usize) -> f64| {
            let drawn = draw(options.iter().map(|&vertex| chance(vertex)), rng);
            drawn.unwrap_or_else(|| rng.below(options.len()))
        };
        loop {
            unvisited.retain(|&vertex| !visited[vertex]);
            let root = match (self.0, unvisited.first()) {
                (_, None) => return forest,
                (Restarts::Ordered, Some(&lowest)) => lowest,
                (Restarts::Any, _) => unvisited[pick(&unvisited, &|vertex| parents.row(vertex)[vertex])],
            };
            let mut path = vec![root];
            while let Some(&vertex) = path.last() {
                visited[vertex] = true;
                let heads = instance.graph.out_neighbours(vertex).iter().map(|&head| head as usize);
                let open: Vec<usize> = heads.filter(|&head| !visited[head]).collect();
                if open.is_empty() {
                    path.pop();
                    continue;
                }
                let child = open[pick(&open, &|child| parents.row(child)[vertex])];
                forest.set(child, vertex);
                path.push(child);
            }
        }
    }
}
