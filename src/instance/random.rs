//! Random graphs: directed and undirected G(n, p), and the families of others.

use super::families::{self, Pairs};
use super::{Decimal, Graph, Weight};
use crate::random::Rng;
use serde::{Deserialize, Serialize};

/// Whose random graphs: those the paper's text describes, those its code drew, or a family of SALSA-CLRS' test grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// As the text says: weights uniform in {1, 2, 3}, an edge with probability p.
    #[default]
    Text,
    /// As the code behind the paper's tables did: an undirected edge needs both of two coins, weights are .500999,
    /// .707814 or 1.0005 with chances 1/4, 1/2, 1/4, and vertex 0 stands first in every order of Bellman-Ford.
    Authors,
    /// Erdős–Rényi graphs as in SALSA-CLRS: a probability of its own for each graph, uniform in [ln n / n, 3 ln n / n].
    Er,
    /// Watts–Strogatz graphs as in SALSA-CLRS: 4, 6 or 8 neighbours on a ring, rewired with a probability uniform in [.05, .2].
    Ws,
    /// Delaunay triangulations of uniform points in the unit square, as in SALSA-CLRS.
    Delaunay,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Preset; 5] = [Preset::Text, Preset::Authors, Preset::Er, Preset::Ws, Preset::Delaunay];

    /// The name used on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Text => "text",
            Preset::Authors => "authors",
            Preset::Er => "er",
            Preset::Ws => "ws",
            Preset::Delaunay => "delaunay",
        }
    }

    /// What a network's weights are multiples of: the text normalises by 3, the code's weights are shown as they are.
    pub fn weight_unit(self) -> f64 {
        match self {
            Preset::Authors => 1.0,
            _ => 3.0,
        }
    }

    /// A random weight.
    pub(crate) fn weight(self, rng: &mut Rng) -> Decimal {
        Decimal::scaled(Weight::from(self.units(rng)), self.decimals())
    }

    /// A random weight, as so many units of `10^-decimals`.
    fn units(self, rng: &mut Rng) -> i64 {
        let units = self.possible_units();
        units[rng.below(units.len())]
    }

    /// The weights, as so many units of `10^-decimals`, of which each is as likely as the others.
    fn possible_units(self) -> &'static [i64] {
        match self {
            Preset::Authors => &[500_999, 707_814, 707_814, 1_000_500],
            _ => &[1, 2, 3],
        }
    }

    fn decimals(self) -> u32 {
        match self {
            Preset::Authors => 6,
            _ => 0,
        }
    }

    /// Whether its graphs are drawn edge by edge with the probability p; the families have densities of their own.
    pub fn uses_p(self) -> bool {
        matches!(self, Preset::Text | Preset::Authors)
    }

    /// The edges of a graph of a family; none where edges are drawn one by one.
    fn family(self, n: usize, rng: &mut Rng) -> Option<Pairs> {
        match self {
            Preset::Text | Preset::Authors => None,
            Preset::Er => Some(families::erdos_renyi(n, rng)),
            Preset::Ws => Some(families::watts_strogatz(n, rng)),
            Preset::Delaunay => Some(families::delaunay(n, rng)),
        }
    }
}

/// The most vertices of a random graph: its n^2 pairs are drawn one by one.
pub const MAX_RANDOM_SIZE: usize = 20_000;

/// Which random graphs to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphSettings {
    /// The number of vertices.
    pub n: usize,
    /// The probability of an edge.
    pub p: f64,
    /// The paper's text or its code.
    pub preset: Preset,
}

impl Default for GraphSettings {
    fn default() -> Self {
        GraphSettings { n: 16, p: 0.5, preset: Preset::Text }
    }
}

/// How a random instance was made: with the algorithm, its size and the seed all that its random streams depend on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    /// The probability of an edge.
    pub p: f64,
    /// The paper's text or its code.
    pub preset: Preset,
    /// Which of the instances of these settings.
    pub index: u64,
}

impl Made {
    /// The settings of an instance of so many vertices.
    pub fn settings(&self, n: usize) -> GraphSettings {
        GraphSettings { n, p: self.p, preset: self.preset }
    }
}

/// Directed G(n, p) without self-loops (they never matter to a depth-first forest) and without weights. The graphs of the families
/// are undirected, so here their edges go both ways.
pub fn random_directed(settings: &GraphSettings, rng: &mut Rng) -> Graph {
    let n = settings.n;
    if let Some(pairs) = settings.preset.family(n, rng) {
        let both = pairs.into_iter().flat_map(|(one, other)| [(one, other), (other, one)]);
        return Graph::from_edges(n, both).expect("each pair stands once");
    }
    let (mut first, mut heads, mut count) = (Vec::with_capacity(n + 1), Vec::with_capacity(room(n * n)), 0);
    first.push(0);
    for tail in 0..n {
        // Every head is written, and the next one over it where there is no edge: no processor could guess the branch.
        heads.resize(count + n - 1, 0);
        let mut head = 0;
        rng.coins(n - 1, settings.p, |is_edge| {
            head += usize::from(head == tail);
            heads[count] = head as u32;
            count += usize::from(is_edge);
            head += 1;
        });
        first.push(count);
    }
    heads.truncate(count);
    Graph::of_rows(first, heads)
}

/// Room for so many pairs, but for small graphs only: larger ones may have few edges.
fn room(pairs: usize) -> usize {
    pairs.min(1 << 12)
}

/// Undirected G(n, p), or a graph of a family, with random weights.
pub fn random_undirected(settings: &GraphSettings, rng: &mut Rng) -> Graph {
    let n = settings.n;
    if let Some(pairs) = settings.preset.family(n, rng) {
        let weighted = pairs.into_iter().map(|(one, other)| (one, other, settings.preset.weight(rng)));
        return Graph::weighted_undirected(n, weighted).expect("each pair stands once");
    }
    let p = match settings.preset {
        Preset::Authors => settings.p * settings.p,
        _ => settings.p,
    };
    // For each vertex its edges to higher ones.
    let mut first = Vec::with_capacity(n + 1);
    first.push(0);
    let room = room(n * n / 2);
    let (mut others, mut units, mut count) = (Vec::with_capacity(room), Vec::with_capacity(room), 0);
    let possible = settings.preset.possible_units();
    for one in 0..n {
        let higher = n - 1 - one;
        others.resize(count + higher, 0);
        units.resize(count + higher, 0);
        let mut other = one as u32;
        rng.coins_with_numbers(higher, p, possible.len(), |is_edge, number| {
            other += 1;
            (others[count], units[count]) = (other, possible[number]);
            count += usize::from(is_edge);
        });
        first.push(count);
    }
    others.truncate(count);
    units.truncate(count);
    let mut decimals = settings.preset.decimals();
    while decimals > 0 && units.iter().all(|units| units % 10 == 0) {
        units.iter_mut().for_each(|units| *units /= 10);
        decimals -= 1;
    }
    Graph::of_higher_neighbours(&first, &others, &units, decimals)
}

/// A directed graph without cycles: each pair of vertices has an edge with probability p (or in a graph of a family), along a hidden
/// random order, as in CLRS, with random weights.
pub fn random_acyclic(settings: &GraphSettings, rng: &mut Rng) -> Graph {
    let mut order: Vec<usize> = (0..settings.n).collect();
    rng.shuffle(&mut order);
    if let Some(pairs) = settings.preset.family(settings.n, rng) {
        let along = |(one, other): (usize, usize)| (order[one], order[other], settings.preset.weight(rng));
        return Graph::weighted(settings.n, pairs.into_iter().map(along)).expect("each pair stands once");
    }
    let mut edges = vec![];
    for (place, &tail) in order.iter().enumerate() {
        for &head in &order[place + 1..] {
            if rng.chance(settings.p) {
                edges.push((tail, head, settings.preset.weight(rng)));
            }
        }
    }
    Graph::weighted(settings.n, edges).expect("each pair is drawn once")
}

/// An undirected bipartite graph without weights, the first half of the vertices on the left (one more where they are odd in number), as in CLRS: each
/// pair of a left and a right one has an edge with probability p. Of a graph of a family, the edges between the two halves.
pub fn random_bipartite(settings: &GraphSettings, rng: &mut Rng) -> Graph {
    let lefts = settings.n.div_ceil(2);
    if let Some(pairs) = settings.preset.family(settings.n, rng) {
        let between = pairs.into_iter().filter(|&(one, other)| one < lefts && other >= lefts);
        return Graph::undirected(settings.n, between).expect("each pair stands once");
    }
    let pairs = (0..lefts).flat_map(|left| (lefts..settings.n).map(move |right| (left, right)));
    let edges: Vec<(usize, usize)> = pairs.filter(|_| rng.chance(settings.p)).collect();
    Graph::undirected(settings.n, edges).expect("each pair is drawn once")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_density(preset: Preset) -> f64 {
        let settings = GraphSettings { n: 40, p: 0.5, preset };
        let graphs = (0..50).map(|index| random_undirected(&settings, &mut Rng::stream(0, "test", index)));
        graphs.map(|graph| graph.arc_count() as f64 / (40.0 * 39.0)).sum::<f64>() / 50.0
    }

    #[test]
    fn weights_have_the_scale_that_their_decimals_need() {
        for (preset, p, index) in [(Preset::Text, 0.5, 0), (Preset::Authors, 0.7, 0), (Preset::Authors, 0.4, 7)] {
            for n in 0..8 {
                let settings = GraphSettings { n, p, preset };
                let graph = random_undirected(&settings, &mut Rng::stream(0, "scale", index));
                let edges = graph.weighted_edges().map(|(one, other, weight)| (one, other, graph.decimal(weight)));
                assert_eq!(graph, Graph::weighted_undirected(n, edges).unwrap());
            }
        }
    }

    #[test]
    fn densities_are_those_of_the_text_and_of_the_code() {
        assert!((mean_density(Preset::Text) - 0.5).abs() < 0.01);
        assert!((mean_density(Preset::Authors) - 0.25).abs() < 0.01);
    }

    #[test]
    fn undirected_graphs_are_symmetric_and_seeds_hold() {
        let settings = GraphSettings { n: 12, ..GraphSettings::default() };
        let graph = random_undirected(&settings, &mut Rng::stream(3, "test", 0));
        assert!(graph.is_symmetric());
        assert_eq!(graph, random_undirected(&settings, &mut Rng::stream(3, "test", 0)));
        assert_ne!(graph, random_undirected(&settings, &mut Rng::stream(3, "test", 1)));
        assert!(graph.arcs().all(|(tail, head)| tail != head));
    }
}
