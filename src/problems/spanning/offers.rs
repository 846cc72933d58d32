//! Many runs of Prim's algorithm with random ties: what they look at, made once.
//!
//! Edges that are heavier than all that some tree has never come up before the tree is complete, so that only their number counts: random numbers are
//! drawn for them as if they came up. The others stand, with the place of their weight, side by side for each vertex. A tree grows through a component of light
//! edges before it leaves it, so vertices stand in the order in which they are connected ([`Hierarchy::leaf_order`]): the next one's arcs are mostly near,
//! where a run would otherwise wait for memory at each vertex. A run makes the same choices from the same random numbers as one that looks at the graph.

use super::crossing::Filled;
use super::live::{Hierarchy, Live};
use crate::answers::Candidate;
use crate::instance::{Graph, Weight};
use crate::problems::ties::TieBreaker;
use crate::problems::trees::ByWeight;
use fixedbitset::FixedBitSet;

/// The edges that can come up at each vertex of a graph. Vertices go by their place in the leaf order.
pub(super) struct Offers {
    /// The vertex at each place.
    vertices: Vec<u32>,
    source: usize,
    /// Where the arcs of each vertex begin.
    first: Vec<usize>,
    /// The vertex that an arc leads to, and the class of its weight; those of a vertex in the graph's order.
    arcs: Vec<(u32, u32)>,
    /// How many edges have each weight, from the least on.
    sizes: Vec<usize>,
    /// How many edges of the source's component have each of the weights that never come up.
    heavier: Vec<usize>,
    /// How many vertices the source is connected to, itself included.
    reached: usize,
}

impl Offers {
    /// Of a graph whose edges go both ways, and are also given by weight.
    pub fn new(graph: &Graph, source: usize, order: &ByWeight, live: &Live) -> Self {
        let heaviest = live.heaviest();
        let (mut sizes, mut weights, mut heavier) = (vec![], vec![], vec![]);
        let reached = live.is_inside.iter().filter(|&&is_inside| is_inside).count();
        for class in order.classes() {
            if heaviest.is_some_and(|heaviest| class.weight <= heaviest) {
                sizes.push(class.edges.len());
                weights.push(class.weight);
            } else if reached == graph.n() {
                heavier.push(class.edges.len());
            } else {
                heavier.push(class.ends.iter().filter(|ends| live.is_inside[ends[0] as usize]).count());
            }
        }
        let place = live.hierarchy.leaf_order(graph.n());
        let mut vertices = vec![0; graph.n()];
        place.iter().zip(0u32..).for_each(|(&place, vertex)| vertices[place as usize] = vertex);
        let (first, arcs) = arcs(graph, &place, weights);
        Offers { vertices, source: place[source] as usize, first, arcs, sizes, heavier, reached }
    }

    /// The tree of a run from the source; the tie breaker must be free and random.
    pub fn grow(&self, ties: &mut dyn TieBreaker) -> Candidate {
        let n = self.vertices.len();
        let mut parents: Vec<u32> = (0..n as u32).collect();
        let mut inside = FixedBitSet::with_capacity(n);
        let mut lists = Lists::new(&self.sizes);
        let mut next = self.source;
        inside.insert(next);
        for _ in 1..self.reached {
            for &(head, class) in &self.arcs[self.first[next]..self.first[next + 1]] {
                lists.push_if(!inside.contains(head as usize), class as usize, (next as u32, head));
            }
            let crosses = |&(_, head): &(u32, u32)| !inside.contains(head as usize);
            let Some((tail, head)) = std::iter::from_fn(|| lists.take(ties)).find(crosses) else { break };
            next = head as usize;
            parents[next] = tail;
            inside.insert(next);
        }
        // What is left crosses no more, but random numbers are drawn until nothing is left.
        for left in lists.sizes().chain(self.heavier.iter().copied()).filter(|&left| left > 0) {
            ties.pass_over(left);
            ties.pick_of(1);
        }
        let mut tree = Candidate::all_roots(n);
        let each = parents.iter().zip(&self.vertices);
        each.for_each(|(&parent, &child)| tree.set(child as usize, self.vertices[parent as usize] as usize));
        tree
    }
}

/// Where the arcs of each vertex begin, in the leaf order, and all arcs whose weight is one of `weights`, which are the least and ascend.
fn arcs(graph: &Graph, place: &[u32], weights: Vec<Weight>) -> (Vec<usize>, Vec<(u32, u32)>) {
    let Some((&least, &most)) = weights.first().zip(weights.last()) else { return (vec![0; graph.n() + 1], vec![]) };
    let mut first = vec![0; graph.n() + 1];
    for (vertex, &place) in place.iter().enumerate() {
        let mut count = 0;
        graph.each_out_edge(vertex, |head, weight| count += usize::from(weight <= most && head != vertex));
        first[place as usize + 1] = count;
    }
    (0..graph.n()).for_each(|place| first[place + 1] += first[place]);
    let class_of = Class::new(weights, least, most, graph.arc_count());
    let mut arcs = vec![(0, 0); first[graph.n()]];
    // In the order in which they are read: what is written need not be waited for.
    for (vertex, &own) in place.iter().enumerate() {
        let mut next = first[own as usize];
        graph.each_out_edge(vertex, |head, weight| {
            if weight <= most && head != vertex {
                arcs[next] = (place[head], class_of.weight(weight));
                next += 1;
            }
        });
    }
    (first, arcs)
}

/// The class of each weight.
enum Class {
    /// Where there are few: from the least on.
    Table(Weight, Vec<u32>),
    Sorted(Vec<Weight>),
}

impl Class {
    fn new(weights: Vec<Weight>, least: Weight, most: Weight, arcs: usize) -> Self {
        match most.checked_sub(least).and_then(|range| usize::try_from(range).ok()) {
            Some(range) if range < arcs => {
                let mut table = vec![0; range + 1];
                weights.iter().zip(0..).for_each(|(&weight, class)| table[(weight - least) as usize] = class);
                Class::Table(least, table)
            }
            _ => Class::Sorted(weights),
        }
    }

    #[inline]
    fn weight(&self, weight: Weight) -> u32 {
        match self {
            Class::Table(least, table) => table[(weight - least) as usize],
            Class::Sorted(weights) => weights.partition_point(|&lighter| lighter < weight) as u32,
        }
    }
}

impl Hierarchy {
    /// A place for each of the `n` vertices such that those of a component are side by side, whatever the weight up to which edges count.
    fn leaf_order(&self, n: usize) -> Vec<u32> {
        let mut size = vec![0u32; self.parent.len()];
        size[..n].fill(1);
        // What a node is part of stands after it.
        for (node, &above) in self.parent.iter().enumerate() {
            if above as usize != node {
                size[above as usize] += size[node];
            }
        }
        let (mut next, mut end) = (vec![0; self.parent.len()], 0);
        for (node, &above) in self.parent.iter().enumerate().rev() {
            let free = if above as usize == node { &mut end } else { &mut next[above as usize] };
            let own = *free;
            *free += size[node];
            next[node] = own;
        }
        next.truncate(n);
        next
    }
}

/// Edges (from, to) that lead out of the tree, a list for each weight, side by side.
struct Lists {
    edges: Vec<(u32, u32)>,
    /// Where each list begins, and how many edges it has.
    lists: Vec<(usize, usize)>,
    filled: Filled,
}

impl Lists {
    fn new(sizes: &[usize]) -> Self {
        let mut end = 0;
        // One more each: what is not kept is written, too.
        let begin = |&size: &usize| {
            end += size + 1;
            (end - size - 1, 0)
        };
        let lists = sizes.iter().map(begin).collect();
        Lists { edges: vec![(0, 0); end], lists, filled: Filled::new(sizes.len()) }
    }

    /// Keeps an edge if it is to be kept, without a branch that a processor could guess wrong.
    #[inline]
    fn push_if(&mut self, is_kept: bool, class: usize, edge: (u32, u32)) {
        let (begin, size) = &mut self.lists[class];
        self.edges[*begin + *size] = edge;
        if is_kept & (*size == 0) {
            self.filled.insert(class);
        }
        *size += usize::from(is_kept);
    }

    /// Takes one of the edges of the least weight that has some.
    #[inline]
    fn take(&mut self, ties: &mut dyn TieBreaker) -> Option<(u32, u32)> {
        let class = self.filled.first()?;
        let (begin, size) = &mut self.lists[class];
        let place = *begin + ties.pick_of(*size);
        *size -= 1;
        let taken = self.edges[place];
        self.edges[place] = self.edges[*begin + *size];
        if *size == 0 {
            self.filled.remove(class);
        }
        Some(taken)
    }

    /// How many edges each list has.
    fn sizes(&self) -> impl Iterator<Item = usize> + '_ {
        self.lists.iter().map(|&(_, size)| size)
    }
}

#[cfg(test)]
mod tests {
    use crate::instance::{Decimal, Graph, Instance};
    use crate::problems::by_name;
    use crate::problems::ties::Free;
    use crate::random::Rng;

    /// Any graph: of one component or several, with self-loops, weights of a few sizes.
    fn random(rng: &mut Rng) -> Instance {
        let most = if rng.chance(0.1) { 80 } else { 8 };
        let n = 1 + rng.below(most);
        let (p, weights) = ([0.1, 0.3, 0.7][rng.below(3)], [1, 3, 40, 1 << 40][rng.below(4)]);
        let pairs: Vec<(usize, usize)> = (0..n * n).map(|pair| (pair / n, pair % n)).collect();
        let edges: Vec<_> = pairs.into_iter().filter(|&(one, other)| one <= other && rng.chance(p)).collect();
        let weighted: Vec<_> =
            edges.into_iter().map(|(one, other)| (one, other, Decimal::whole(rng.below(weights) as i64 - 2))).collect();
        Instance::with_source(Graph::weighted_undirected(n, weighted).expect("each pair once"), rng.below(n))
    }

    #[test]
    fn runs_that_know_the_weights_choose_as_runs_that_do_not() {
        for index in 0..3000 {
            let mut rng = Rng::stream(0, "offers", index);
            let instance = random(&mut rng);
            let prepare = || by_name("prim").unwrap().prepare(&instance).unwrap();
            let (plain, known) = (prepare(), prepare());
            known.space().possible(&crate::problems::Allowed::default()).unwrap();
            let [mut one, mut other] = [rng.clone(), rng];
            for _ in 0..3 {
                assert_eq!(plain.run(&mut Free(&mut one)), known.run(&mut Free(&mut other)), "{index}");
                assert_eq!(one.clone().next_u64(), other.clone().next_u64(), "{index}: the same numbers are drawn");
            }
        }
    }
}
