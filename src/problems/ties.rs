//! Whoever decides every arbitrary choice of a classical algorithm.
//!
//! A randomised algorithm is a deterministic one plus a [`TieBreaker`]. The random generator is one ([`Free`]),
//! one order for a whole run is another ([`OneOrder`], the paper's way), given priorities a third, and
//! [`EveryTie`], an odometer over all sequences of choices, turns "what can this algorithm produce?" into a loop:
//!
//! ```
//! use tiebreak::problems::ties::{EveryTie, TieBreaker};
//! let mut ties = EveryTie::default();
//! let mut seen = vec![];
//! while ties.next_run() {
//!     seen.push((ties.pick(&[10, 11]), ties.pick(&[20, 21])));
//! }
//! assert_eq!(seen, [(0, 0), (0, 1), (1, 0), (1, 1)]);
//! ```

use crate::random::Rng;
use serde::{Deserialize, Serialize};

/// How the choices of one run hang together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TiePolicy {
    /// One order of the vertices decides every tie of a run, as in the paper.
    #[default]
    OneOrder,
    /// Each tie is decided on its own.
    Free,
}

impl TiePolicy {
    /// Every policy, in the order in which help texts list them.
    pub const ALL: [TiePolicy; 2] = [TiePolicy::OneOrder, TiePolicy::Free];

    /// The name used on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            TiePolicy::OneOrder => "one-order",
            TiePolicy::Free => "free",
        }
    }
}

/// Decides ties among vertices.
pub trait TieBreaker {
    /// The index, within `options`, of the vertex that is taken. `options` is not empty.
    fn pick(&mut self, options: &[usize]) -> usize;

    /// Puts `options` in the order in which repeated picks would take them.
    fn arrange(&mut self, options: &mut [usize]) {
        for first in 0..options.len().saturating_sub(1) {
            let picked = first + self.pick(&options[first..]);
            options.swap(first, picked);
        }
    }

    /// Makes the choices of [`TieBreaker::arrange`] among so many options whose order does not matter.
    fn pass_over(&mut self, options: usize) {
        self.arrange(&mut (0..options).collect::<Vec<_>>());
    }

    /// Whether one order decides the whole run or each tie is free.
    fn policy(&self) -> TiePolicy {
        if self.ranks().is_some() { TiePolicy::OneOrder } else { TiePolicy::Free }
    }

    /// The index of one of so many options that are no vertices. Only where each tie is free.
    fn pick_of(&mut self, options: usize) -> usize {
        let all: Vec<usize> = (0..options).collect();
        self.pick(&all)
    }

    /// True when asking again costs nothing: every pick is a fresh random number.
    fn is_random(&self) -> bool {
        false
    }

    /// The place of each vertex in the one order that decides every tie, if there is one.
    fn ranks(&self) -> Option<&[usize]> {
        None
    }
}

/// Every tie is decided on its own, uniformly at random.
#[derive(Debug)]
pub struct Free<'a>(pub &'a mut Rng);

impl TieBreaker for Free<'_> {
    fn pick_of(&mut self, options: usize) -> usize {
        self.0.below(options)
    }

    fn is_random(&self) -> bool {
        true
    }

    fn pick(&mut self, options: &[usize]) -> usize {
        self.0.below(options.len())
    }

    fn arrange(&mut self, options: &mut [usize]) {
        self.0.shuffle(options);
    }

    fn pass_over(&mut self, options: usize) {
        self.0.skip_shuffle(options);
    }
}

/// One order of all vertices decides every tie: the vertex that stands first in it is taken.
#[derive(Clone, Debug)]
pub struct OneOrder {
    rank: Vec<usize>,
}

impl OneOrder {
    /// The order whose ties are broken towards the lowest index, as in CLRS.
    pub fn by_index(n: usize) -> Self {
        OneOrder { rank: (0..n).collect() }
    }

    /// The order given by its list of vertices, first to last.
    ///
    /// # Panics
    /// If `order` is not a permutation of `0..order.len()`.
    pub fn given(order: &[usize]) -> Self {
        let mut rank = vec![usize::MAX; order.len()];
        for (position, &vertex) in order.iter().enumerate() {
            assert!(rank[vertex] == usize::MAX, "vertex {vertex} stands twice in the order");
            rank[vertex] = position;
        }
        OneOrder { rank }
    }

    /// The order of ascending priorities; equal priorities stand in order of index.
    pub fn from_priorities(priorities: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..priorities.len()).collect();
        order.sort_by(|&a, &b| priorities[a].total_cmp(&priorities[b]));
        OneOrder::given(&order)
    }

    /// An order drawn by `ties`, each of the n! being one sequence of picks. `first` stands first if given.
    pub fn draw(n: usize, first: Option<usize>, ties: &mut dyn TieBreaker) -> Self {
        let mut order: Vec<usize> = (0..n).collect();
        let free = match first {
            Some(vertex) => {
                order.remove(vertex);
                order.insert(0, vertex);
                1
            }
            None => 0,
        };
        ties.arrange(&mut order[free..]);
        OneOrder::given(&order)
    }
}

impl TieBreaker for OneOrder {
    fn pick(&mut self, options: &[usize]) -> usize {
        let ranks = options.iter().map(|&vertex| self.rank[vertex]);
        ranks.enumerate().min_by_key(|&(_, rank)| rank).map_or(0, |(index, _)| index)
    }

    fn arrange(&mut self, options: &mut [usize]) {
        options.sort_unstable_by_key(|&vertex| self.rank[vertex]);
    }

    fn ranks(&self) -> Option<&[usize]> {
        Some(&self.rank)
    }
}

/// As many orders as are drawn, and compared, at once.
pub(crate) const LANES: usize = 32;

/// As many are drawn in turns, so that the processor need not wait for one step of an order before the next; the last few in half as many.
const IN_TURNS: usize = 8;
const FEW_IN_TURNS: usize = 4;

/// As many as a byte has values: indexing by a byte needs no check.
const BYTES: usize = 1 << u8::BITS;

/// Many orders at once: the ranks of a vertex in all of them lie side by side, so that a processor compares them with those of another in a few instructions.
#[derive(Debug)]
pub(crate) struct ManyOrders {
    n: usize,
    /// By vertex and order.
    ranks: Box<[[u8; LANES]; BYTES]>,
    /// 1 for the orders that were drawn.
    drawn: [u8; LANES],
    /// Memory for random words.
    words: Vec<u64>,
}

impl ManyOrders {
    /// The most vertices: ranks are bytes, of which one stands for nobody's.
    pub const MOST: usize = u8::MAX as usize;

    /// Memory for orders of so many vertices.
    pub fn new(n: usize) -> Self {
        assert!(n <= ManyOrders::MOST, "ranks are bytes");
        ManyOrders { n, ranks: Box::new([[0; LANES]; BYTES]), drawn: [0; LANES], words: vec![0; IN_TURNS * n] }
    }

    /// Draws so many orders, at most [`LANES`], the ones that [`OneOrder::draw`] draws one after the other with [`Free`] ties.
    pub fn draw(&mut self, orders: usize, first: Option<usize>, rng: &mut Rng) {
        self.drawn = std::array::from_fn(|lane| u8::from(lane < orders));
        let mut begin = 0;
        while begin < orders {
            begin += match orders - begin {
                IN_TURNS.. => self.draw_some::<IN_TURNS>(begin, first, rng),
                FEW_IN_TURNS.. => self.draw_some::<FEW_IN_TURNS>(begin, first, rng),
                _ => self.draw_some::<1>(begin, first, rng),
            };
        }
    }

    /// Draws the orders from `begin` on, and says how many.
    fn draw_some<const TURNS: usize>(&mut self, begin: usize, first: Option<usize>, rng: &mut Rng) -> usize {
        let before = rng.clone();
        if !self.draw_in_turns::<TURNS>(begin, first, rng) {
            *rng = before;
            (begin..begin + TURNS).for_each(|lane| self.draw_one(lane, first, rng));
        }
        TURNS
    }

    /// False where a random word might have to be drawn again, which happens once in 10^16 orders or so: then the other orders' words are not where they were looked for.
    ///
    /// All sizes are known to the compiler, so that no access is checked; and what all turns of a step read is read before any of them writes, because a processor
    /// that is not sure whether a byte was just written waits for it. Both together take a third of the time.
    fn draw_in_turns<const TURNS: usize>(&mut self, begin: usize, first: Option<usize>, rng: &mut Rng) -> bool {
        let fixed = usize::from(first.is_some());
        let free = self.n - fixed;
        let steps = free.saturating_sub(1);
        let words = &mut self.words[..TURNS * steps];
        rng.fill(words);
        let words: [&[u64]; TURNS] = std::array::from_fn(|turn| &words[turn * steps..(turn + 1) * steps]);
        let mut vertices = [0; BYTES];
        let others = (0..self.n).filter(|&vertex| Some(vertex) != first);
        vertices.iter_mut().zip(others).for_each(|(place, vertex)| *place = vertex as u8);
        let mut places = [vertices; TURNS];
        let (ranks, mut is_sure) = (&mut *self.ranks, true);
        assert!(begin + TURNS <= LANES);
        for (step, last) in (1..free).rev().enumerate() {
            let last = last as u8;
            let taken: [usize; TURNS] = std::array::from_fn(|turn| {
                let product = u128::from(words[turn][step]) * (u128::from(last) + 1);
                is_sure &= product as u64 > u64::from(last);
                usize::from((product >> 64) as u8)
            });
            // As exchanges; but once a place is left nothing comes there again, so that its vertex has its rank.
            let vertices: [u8; TURNS] = std::array::from_fn(|turn| places[turn][taken[turn]]);
            let moved: [u8; TURNS] = std::array::from_fn(|turn| places[turn][usize::from(last)]);
            for turn in 0..TURNS {
                places[turn][taken[turn]] = moved[turn];
                ranks[usize::from(vertices[turn])][begin + turn] = fixed as u8 + last;
            }
        }
        for turn in 0..TURNS {
            if free > 0 {
                ranks[usize::from(places[turn][0])][begin + turn] = fixed as u8;
            }
            first.iter().for_each(|&vertex| ranks[vertex][begin + turn] = 0);
        }
        is_sure
    }

    fn draw_one(&mut self, lane: usize, first: Option<usize>, rng: &mut Rng) {
        let order = OneOrder::draw(self.n, first, &mut Free(rng));
        self.ranks.iter_mut().zip(&order.rank).for_each(|(ranks, &rank)| ranks[lane] = rank as u8);
    }

    /// The ranks of all vertices in one of the orders.
    pub fn ranks(&self, order: usize) -> impl Iterator<Item = usize> + '_ {
        self.ranks[..self.n].iter().map(move |ranks| usize::from(ranks[order]))
    }

    /// Adds to the count of each option in how many of the orders it stands before the others.
    #[inline]
    pub fn count_first(&self, options: impl Iterator<Item = usize> + Clone, counts: &mut [u32]) {
        let mut least = [u8::MAX; LANES];
        for option in options.clone() {
            least.iter_mut().zip(&self.ranks[option]).for_each(|(least, &rank)| *least = rank.min(*least));
        }
        for (option, count) in options.zip(counts) {
            let ranks = &self.ranks[option];
            let is_first = |lane: usize| u8::from(ranks[lane] == least[lane]) & self.drawn[lane];
            *count += u32::from((0..LANES).map(is_first).sum::<u8>());
        }
    }
}

/// Goes through every sequence of choices, one for each run.
///
/// Call [`EveryTie::next_run`] before each run until it returns false.
#[derive(Clone, Debug, Default)]
pub struct EveryTie {
    /// (choice, number of options) of each tie of the current run, in the order in which they came up.
    choices: Vec<(usize, usize)>,
    position: usize,
    started: bool,
}

impl EveryTie {
    /// Moves on to the next sequence of choices; false when all have been used.
    pub fn next_run(&mut self) -> bool {
        self.position = 0;
        if !std::mem::replace(&mut self.started, true) {
            return true;
        }
        while let Some((choice, options)) = self.choices.pop() {
            if choice + 1 < options {
                self.choices.push((choice + 1, options));
                return true;
            }
        }
        false
    }

    /// The chance that a uniformly random breaker would have made the choices of the run just done.
    pub fn probability(&self) -> f64 {
        self.choices.iter().map(|&(_, options)| 1.0 / options as f64).product()
    }
}

impl TieBreaker for EveryTie {
    fn pick_of(&mut self, options: usize) -> usize {
        if self.position == self.choices.len() {
            self.choices.push((0, options));
        }
        let (choice, _) = self.choices[self.position];
        self.position += 1;
        choice
    }

    fn pick(&mut self, options: &[usize]) -> usize {
        self.pick_of(options.len())
    }
}

/// Calls `run` with a tie breaker of the given policy, drawn from `rng`.
///
/// `first` is the vertex that stands first in every order (only where the policy has an order).
pub fn with_random_ties<T>(
    policy: TiePolicy,
    n: usize,
    first: Option<usize>,
    rng: &mut Rng,
    run: impl FnOnce(&mut dyn TieBreaker) -> T,
) -> T {
    match policy {
        TiePolicy::Free => run(&mut Free(rng)),
        TiePolicy::OneOrder => run(&mut OneOrder::draw(n, first, &mut Free(rng))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_order_is_drawn_once() {
        let mut ties = EveryTie::default();
        let mut orders = HashSet::new();
        let mut total = 0.0;
        while ties.next_run() {
            assert!(orders.insert(OneOrder::draw(4, None, &mut ties).rank));
            total += ties.probability();
        }
        assert_eq!(orders.len(), 24);
        assert!((total - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_fixed_first_vertex_stays_first() {
        let mut ties = EveryTie::default();
        let mut orders = 0;
        while ties.next_run() {
            assert_eq!(OneOrder::draw(4, Some(2), &mut ties).rank[2], 0);
            orders += 1;
        }
        assert_eq!(orders, 6);
    }

    #[test]
    fn orders_drawn_together_are_those_drawn_one_by_one() {
        for n in [1, 2, 3, 16, 64, 65, 255] {
            for first in [None, Some(0), Some(n / 2), Some(n - 1)] {
                let mut rng = Rng::stream(0, "orders", n as u64);
                let mut one_by_one = rng.clone();
                let mut many = ManyOrders::new(n);
                for orders in [LANES, 5] {
                    many.draw(orders, first, &mut rng);
                    for lane in 0..orders {
                        let order = OneOrder::draw(n, first, &mut Free(&mut one_by_one));
                        assert!(many.ranks(lane).eq(order.rank.iter().copied()), "{n} {first:?}");
                        // The way where a word has to be drawn again.
                        let mut again = ManyOrders::new(n);
                        again.draw_one(lane, first, &mut one_by_one.clone());
                        let order = OneOrder::draw(n, first, &mut Free(&mut one_by_one.clone()));
                        assert!(again.ranks(lane).eq(order.rank));
                    }
                }
                let mut counts = [0; 2];
                many.count_first([0, n - 1].into_iter(), &mut counts);
                let before = (0..5).filter(|&lane| many.ranks[0][lane] <= many.ranks[n - 1][lane]).count();
                assert_eq!(counts, if n == 1 { [5, 5] } else { [before as u32, 5 - before as u32] });
            }
        }
    }

    #[test]
    fn one_order_takes_the_vertex_that_stands_first() {
        let mut ties = OneOrder::given(&[3, 1, 0, 2]);
        assert_eq!(ties.pick(&[0, 1, 2]), 1);
        let mut options = [0, 1, 2, 3];
        ties.arrange(&mut options);
        assert_eq!(options, [3, 1, 0, 2]);
        assert_eq!(OneOrder::from_priorities(&[0.5, 0.1, 0.5]).rank, [1, 0, 2]);
    }
}
