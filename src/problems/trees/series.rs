//! A block without its series and parallel parts.
//!
//! A part of a graph that hangs between two vertices only matters by its number of spanning trees t and its number of
//! spanning forests of two trees that separate the two vertices, f; a single edge has t = f = 1. Two such parts make
//! one:
//!
//! ```text
//! parallel:  t = t1 f2 + f1 t2    f = f1 f2            exactly one of them connects, or none
//! series:    t = t1 t2            f = t1 f2 + f1 t2    both connect, or exactly one
//! ```
//! Its weight w = t / f is the conductance of electrical networks: w1 + w2, and w1 w2 / (w1 + w2). What is left at the
//! end, the *core*, has no vertex of degree one or two and no two parallel parts; of many graphs nothing is left.

use super::blocks::Block;
use super::count::Weight;
use num_bigint::BigUint;
use std::collections::{HashMap, VecDeque};

/// How a part is made of two others; both come earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    Parallel(u32, u32),
    Series(u32, u32),
}

/// Parts, in the order in which they arose: first the links of the block, then what `joins` makes of them.
pub(super) struct Reduction {
    pub links: usize,
    pub joins: Vec<Join>,
    /// Parts that connect in every tree.
    pub forced: Vec<u32>,
    /// The core's parts with the vertices between which they are.
    pub core: Vec<([u32; 2], u32)>,
    pub core_size: usize,
    /// The weight of each part.
    pub weights: Vec<f64>,
}

impl Reduction {
    /// In time O(n + m).
    pub fn new(block: &Block) -> Self {
        let mut graph = Reducing::new(block.size, block.links.len());
        for (part, link) in block.links.iter().enumerate() {
            graph.add(link.ends, part as u32);
        }
        graph.reduce();
        graph.finish()
    }

    /// The weight of all trees, times the denominators of `weights`, is the factor of the block: the core's parts as
    /// exact weights, and the product of all that was taken off. `None` when it takes more than `limit` steps.
    pub fn exact(&self, limit: u64) -> Option<(Vec<Weight>, Vec<BigUint>)> {
        let one = BigUint::from(1u32);
        let mut parts: Vec<(BigUint, BigUint)> = vec![(one.clone(), one); self.links];
        let mut words = 0;
        for &join in &self.joins {
            let (Join::Parallel(a, b) | Join::Series(a, b)) = join;
            // A part is used once; letting go of it keeps memory in bounds.
            let (t1, f1) = std::mem::take(&mut parts[a as usize]);
            let (t2, f2) = std::mem::take(&mut parts[b as usize]);
            words += (f1.bits() / 64 + 1) * (f2.bits() / 64 + 1);
            if words > limit {
                return None;
            }
            let one_connects = &t1 * &f2 + &f1 * &t2;
            parts.push(match join {
                Join::Parallel(..) => (one_connects, f1 * f2),
                Join::Series(..) => (t1 * t2, one_connects),
            });
        }
        let forced = self.forced.iter().map(|&part| std::mem::take(&mut parts[part as usize].0)).collect();
        let core = self.core.iter().map(|&(_, part)| Weight::ratio(std::mem::take(&mut parts[part as usize])));
        Some((core.collect(), forced))
    }

    /// The same in floating-point numbers: what was taken off, as factors.
    pub fn rounded(&self) -> impl Iterator<Item = f64> {
        let series = self.joins.iter().filter_map(|&join| match join {
            Join::Series(a, b) => Some(self.weights[a as usize] + self.weights[b as usize]),
            Join::Parallel(..) => None,
        });
        series.chain(self.forced.iter().map(|&part| self.weights[part as usize]))
    }

    /// The share of the first of two parts in the sum of both weights.
    pub fn share(&self, a: u32, b: u32) -> f64 {
        let (a, b) = (self.weights[a as usize], self.weights[b as usize]);
        a / (a + b)
    }
}

/// A graph while it is reduced. Between two vertices there is at most one part.
struct Reducing {
    links: usize,
    joins: Vec<Join>,
    forced: Vec<u32>,
    between: HashMap<[u32; 2], u32>,
    /// All vertices that ever were neighbours; `degree` counts those that are.
    neighbours: Vec<Vec<u32>>,
    degree: Vec<u32>,
    gone: Vec<bool>,
}

impl Reducing {
    fn new(size: usize, links: usize) -> Self {
        Reducing {
            links,
            joins: vec![],
            forced: vec![],
            between: HashMap::with_capacity(links),
            neighbours: vec![vec![]; size],
            degree: vec![0; size],
            gone: vec![false; size],
        }
    }

    fn join(&mut self, join: Join) -> u32 {
        self.joins.push(join);
        (self.links + self.joins.len() - 1) as u32
    }

    /// Puts a part between two vertices; true when it merged with one that was there.
    fn add(&mut self, mut ends: [u32; 2], part: u32) -> bool {
        ends.sort_unstable();
        if let Some(&other) = self.between.get(&ends) {
            let both = self.join(Join::Parallel(other, part));
            self.between.insert(ends, both);
            return true;
        }
        self.between.insert(ends, part);
        for (own, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            self.neighbours[own as usize].push(other);
            self.degree[own as usize] += 1;
        }
        false
    }

    /// Takes off vertices of degree one and two until there are none.
    fn reduce(&mut self) {
        let mut waiting: VecDeque<u32> =
            (0..self.degree.len() as u32).filter(|&vertex| self.degree[vertex as usize] <= 2).collect();
        while let Some(vertex) = waiting.pop_front() {
            if self.gone[vertex as usize] || self.degree[vertex as usize] == 0 {
                continue;
            }
            self.gone[vertex as usize] = true;
            let mut around = std::mem::take(&mut self.neighbours[vertex as usize]);
            around.retain(|&other| !self.gone[other as usize]);
            let mut take = |other: u32| self.between.remove(&[vertex.min(other), vertex.max(other)]);
            let parts: Vec<u32> = around.iter().filter_map(|&other| take(other)).collect();
            around.iter().for_each(|&other| self.degree[other as usize] -= 1);
            match (&parts[..], &around[..]) {
                (&[only], _) => self.forced.push(only),
                (&[one, other], &[a, b]) => {
                    let series = self.join(Join::Series(one, other));
                    self.add([a, b], series);
                }
                _ => unreachable!("a vertex of degree one or two"),
            }
            waiting.extend(around.iter().filter(|&&other| self.degree[other as usize] <= 2));
        }
    }

    fn finish(self) -> Reduction {
        let live: Vec<usize> =
            (0..self.gone.len()).filter(|&vertex| self.degree[vertex] > 0 && !self.gone[vertex]).collect();
        let mut local = vec![0; self.gone.len()];
        live.iter().enumerate().for_each(|(place, &vertex)| local[vertex] = place as u32);
        let named = |(ends, &part): (&[u32; 2], &u32)| (ends.map(|end| local[end as usize]), part);
        let mut core: Vec<([u32; 2], u32)> = self.between.iter().map(named).collect();
        // The table's own order is random.
        core.sort_unstable();
        let mut weights = vec![1.0; self.links];
        for &join in &self.joins {
            let (Join::Parallel(a, b) | Join::Series(a, b)) = join;
            let (a, b) = (weights[a as usize], weights[b as usize]);
            weights.push(if matches!(join, Join::Parallel(..)) { a + b } else { a * b / (a + b) });
        }
        Reduction { links: self.links, joins: self.joins, forced: self.forced, core, core_size: live.len(), weights }
    }
}
