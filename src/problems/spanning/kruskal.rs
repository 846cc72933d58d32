//! Randomised Kruskal: edges from the lightest on, each taken unless the edges taken so far connect its ends.
//!
//! - *free*: edges of equal weight come in random order. This reaches every minimum spanning forest, not all equally often.
//! - *one order*: of edges of equal weight the one comes first whose earlier end stands first in the order, then the one whose later end does; that
//!   is CLRS' order under other labels. It loses forests: of a complete graph with equal weights it reaches the stars and nothing else.

use super::forests::SpanningForests;
use super::{SPANNING_FORESTS, SPANNING_NEEDS};
use crate::answers::{Candidate, Form, Marginals};
use crate::instance::{GraphSettings, Instance, random_undirected};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::problems::trees::{Classes, Sets};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Intractable, Missing, Needs, NetworkSpec, Prepared, Problem, Space, View,
    adjacency, check_marginals_size, over_all_orders, weight_matrix,
};
use crate::random::Rng;

/// Minimum spanning forests by their edges.
#[derive(Clone, Copy, Debug)]
pub struct Kruskal;

impl Algorithm for Kruskal {
    fn name(&self) -> &'static str {
        "kruskal"
    }

    fn clrs_name(&self) -> Option<&'static str> {
        Some("mst_kruskal")
    }

    fn problem(&self) -> &'static Problem {
        &SPANNING_FORESTS
    }

    fn needs(&self) -> Needs {
        SPANNING_NEEDS
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        Instance::new(random_undirected(settings, rng))
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        Ok(Box::new(Merging(SpanningForests::new(self.name(), instance)?)))
    }

    fn network(&self) -> Result<NetworkSpec, Missing> {
        Ok(NetworkSpec {
            name: self.name(),
            spec: Spec::new(&["pos"], &["A", "adj"], &[("in_mst", OutputKind::EdgeFlag)]),
        })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Err(Missing("which component a vertex is in is no local state of finitely many values"))
    }

    fn models(&self) -> BuiltIn {
        BuiltIn { network: Some(include_bytes!("../../../models/network-kruskal.safetensors")), executor: None }
    }
}

struct Merging<'a>(SpanningForests<'a>);

impl Merging<'_> {
    /// Joins two components; true when the edge does that.
    fn joins(&self, components: &mut Sets, edge: usize) -> bool {
        let (one, other, _) = self.0.edges()[edge];
        components.join(one, other)
    }

    /// The forest of a run in which edges of equal weight come in random order.
    fn in_random_order(&self, ties: &mut dyn TieBreaker) -> Candidate {
        let few_vary = |classes: &&Classes| classes.varying() < self.0.slots() / 8;
        if let Some(classes) = self.0.known_classes().filter(few_vary) {
            return self.0.candidate(self.among_those_that_vary(classes, ties));
        }
        let n = self.instance().n();
        let (mut components, mut forest, mut order) = (Sets::new(n), vec![], vec![]);
        for class in self.0.by_weight().classes() {
            if forest.len() + 1 >= n {
                ties.pass_over(class.edges.len());
                continue;
            }
            order.clear();
            order.extend(0..class.edges.len());
            ties.arrange(&mut order);
            for &place in &order {
                let [one, other] = class.ends[place];
                if components.join(one as usize, other as usize) {
                    forest.push(class.edges[place] as usize);
                }
            }
        }
        self.0.candidate(forest)
    }

    /// The same forest where it is known which edges are in all and which in none: the order of the others alone decides.
    fn among_those_that_vary(&self, classes: &Classes, ties: &mut dyn TieBreaker) -> Vec<usize> {
        let mut rank = vec![0u32; self.0.slots()];
        let (mut order, mut places) = (vec![], vec![]);
        for (index, class) in self.0.by_weight().classes().enumerate() {
            let varying = self.0.varying().of(index);
            if varying.is_empty() {
                ties.pass_over(class.edges.len());
                continue;
            }
            order.clear();
            order.extend(0..class.edges.len());
            ties.arrange(&mut order);
            places.resize(order.len().max(places.len()), 0);
            order.iter().zip(0u32..).for_each(|(&member, place)| places[member] = place);
            for &member in varying {
                rank[class.edges[member as usize] as usize] = places[member as usize];
            }
        }
        classes.in_any_order(|edge| rank[edge])
    }
}

impl Prepared for Merging<'_> {
    fn instance(&self) -> &Instance {
        self.0.instance()
    }

    fn space(&self) -> &dyn Space {
        &self.0
    }

    /// O(m log m) the first time, then near-linear.
    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        if ties.ranks().is_none() && ties.is_random() {
            return self.in_random_order(ties);
        }
        let edges = self.0.edges();
        let mut components = Sets::new(self.instance().n());
        let mut forest = vec![];
        for class in self.0.by_weight().classes() {
            let mut class: Vec<usize> = class.edges.iter().map(|&edge| edge as usize).collect();
            if let Some(rank) = ties.ranks() {
                let ranks = |edge: usize| [rank[edges[edge].0], rank[edges[edge].1]];
                class.sort_by_key(|&edge| (ranks(edge).into_iter().min(), ranks(edge).into_iter().max()));
                forest.extend(class.into_iter().filter(|&edge| self.joins(&mut components, edge)));
            } else {
                // An odometer over all ties must see only real choices: among edges that still join two components. In
                // a random order the next such edge is each of them equally likely, too.
                forest.extend(self.one_by_one(class, &mut components, ties));
            }
        }
        self.0.candidate(forest)
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        let slots = self.0.slots();
        check_marginals_size(Form::Edges, slots)?;
        match policy {
            TiePolicy::OneOrder => over_all_orders(self, first),
            TiePolicy::Free => {
                let shares = self.0.classes().random_order_shares(MAX_STATES).map_err(|states| {
                    Intractable(format!("the law of free runs needs more than {states} states at once"))
                })?;
                let rows = shares.into_iter().flat_map(|chosen| [1.0 - chosen, chosen]).collect();
                Ok(Marginals::from_weights(Form::Edges, slots, rows).expect("shares are probabilities"))
            }
        }
    }

    /// One round for each edge that is taken. (In CLRS an edge, taken or not, takes a round for each step of a union-find structure: thousands at
    /// n = 64.)
    fn features(&self, view: &View) -> Features {
        let graph = &self.instance().graph;
        let mut components = Sets::new(graph.n());
        let taken = (0..self.0.edges().len()).filter(|&edge| self.joins(&mut components, edge)).count();
        let edge = vec![weight_matrix(graph, view.weight_unit), adjacency(graph)];
        let seen = Features::new(graph.n(), vec![view.pos.clone()], edge, taken.max(1));
        seen.expect("an instance has vertices, and a position for each")
    }
}

/// States that the law may remember at once.
const MAX_STATES: usize = 200_000;

impl Merging<'_> {
    /// Takes one of the edges that join two components at a time.
    fn one_by_one(&self, mut class: Vec<usize>, components: &mut Sets, ties: &mut dyn TieBreaker) -> Vec<usize> {
        let mut taken = vec![];
        loop {
            class.retain(|&edge| {
                let (one, other, _) = self.0.edges()[edge];
                !components.joined(one, other)
            });
            if class.is_empty() {
                return taken;
            }
            let edge = class[ties.pick_of(class.len())];
            self.joins(components, edge);
            taken.push(edge);
        }
    }
}
