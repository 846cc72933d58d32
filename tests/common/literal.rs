//! Slow and literal: what the fast code in `src/` is held against.
//!
//! Everything here follows the definitions step by step, on plain matrices, and shares no code with the library beyond
//! reading a graph. The verifier of depth-first forests is the paper's Algorithm H with three slips mended: parents
//! must be edges, a restart must be a root of the candidate, and only children may come next (not all descendants).
//! [`accepts`] goes by the problem, so a new algorithm of an old problem needs nothing here.

#![allow(dead_code)] // Each test, bench and fuzz target uses its own part.

use tiebreak::answers::{Candidate, Parents};
use tiebreak::instance::{Graph, Instance, Weight};
use tiebreak::problems::Algorithm;
use tiebreak::problems::ties::TieBreaker;

/// The paper's H: some depth-first run with restarts in ascending order produces the candidate.
pub fn ordered_restarts(graph: &Graph, candidate: Parents<'_>) -> bool {
    if !parents_are_edges(graph, candidate) || has_cycle(candidate) {
        return false;
    }
    let mut search = Retraced::new(graph, candidate);
    (0..graph.n()).all(|vertex| search.deleted[vertex] || (candidate.is_root(vertex) && search.can_retrace(vertex)))
}

/// The paper's J: some depth-first run with restarts in any order produces the candidate.
///
/// The roots are the children of one more vertex, with an edge to every other.
pub fn any_restarts(graph: &Graph, candidate: Parents<'_>) -> bool {
    if !parents_are_edges(graph, candidate) || has_cycle(candidate) {
        return false;
    }
    let above = graph.n();
    let edges = graph.arcs().chain((0..above).map(|vertex| (above, vertex)));
    let graph_below = Graph::from_edges(above + 1, edges).expect("the edges of a graph and those of a new vertex");
    let mut parents: Vec<usize> =
        (0..above).map(|vertex| if candidate.is_root(vertex) { above } else { candidate.of(vertex) }).collect();
    parents.push(above);
    let below = Candidate::from_parents(parents).expect("all are vertices");
    Retraced::new(&graph_below, below.parents()).can_retrace(above)
}

pub fn parents_are_edges(graph: &Graph, candidate: Parents<'_>) -> bool {
    candidate.edges().all(|(parent, child)| graph.arcs().any(|edge| edge == (parent, child)))
}

pub fn has_cycle(candidate: Parents<'_>) -> bool {
    (0..candidate.n()).any(|vertex| !candidate.is_root(root_of(candidate, vertex)))
}

/// Where n steps upwards end: at the root, if there is no cycle.
pub fn root_of(candidate: Parents<'_>, vertex: usize) -> usize {
    (0..candidate.n()).fold(vertex, |vertex, _| candidate.of(vertex))
}

/// The candidate being rebuilt: what has been visited is deleted from the graph and from the forest.
struct Retraced {
    in_graph: Vec<Vec<bool>>,
    in_forest: Vec<Vec<bool>>,
    deleted: Vec<bool>,
}

impl Retraced {
    fn new(graph: &Graph, candidate: Parents<'_>) -> Self {
        let n = graph.n();
        let (mut in_graph, mut in_forest) = (vec![vec![false; n]; n], vec![vec![false; n]; n]);
        graph.arcs().for_each(|(tail, head)| in_graph[tail][head] = true);
        candidate.edges().for_each(|(parent, child)| in_forest[parent][child] = true);
        Retraced { in_graph, in_forest, deleted: vec![false; n] }
    }

    /// The paper's "descendant validity check" of a vertex that comes next.
    fn can_retrace(&mut self, vertex: usize) -> bool {
        if !self.discovers_its_descendants(vertex) {
            return false;
        }
        self.deleted[vertex] = true;
        let mut children: Vec<usize> = (0..self.deleted.len()).filter(|&head| self.in_forest[vertex][head]).collect();
        while !children.is_empty() {
            let Some(next) = children.iter().position(|&child| self.discovers_its_descendants(child)) else {
                return false;
            };
            if !self.can_retrace(children.remove(next)) {
                return false;
            }
        }
        true
    }

    fn discovers_its_descendants(&self, vertex: usize) -> bool {
        self.descendants(&self.in_graph, vertex) == self.descendants(&self.in_forest, vertex)
    }

    fn descendants(&self, edges: &[Vec<bool>], vertex: usize) -> Vec<bool> {
        let mut found = vec![false; edges.len()];
        found[vertex] = true;
        let mut waiting = vec![vertex];
        while let Some(tail) = waiting.pop() {
            for head in 0..edges.len() {
                if edges[tail][head] && !self.deleted[head] && !found[head] {
                    found[head] = true;
                    waiting.push(head);
                }
            }
        }
        found
    }
}

/// One depth-first run that asks for a choice among the unvisited out-neighbours each time it goes on, by recursion.
pub fn depth_first_run(graph: &Graph, ordered: bool, ties: &mut dyn TieBreaker) -> Candidate {
    fn explore(
        graph: &Graph,
        vertex: usize,
        unvisited: &mut Vec<usize>,
        ties: &mut dyn TieBreaker,
        run: &mut Candidate,
    ) {
        unvisited.retain(|&other| other != vertex);
        loop {
            let options: Vec<usize> =
                unvisited.iter().copied().filter(|&head| graph.arcs().any(|edge| edge == (vertex, head))).collect();
            if options.is_empty() {
                return;
            }
            let child = options[ties.pick(&options)];
            run.set(child, vertex);
            explore(graph, child, unvisited, ties, run);
        }
    }
    let mut run = Candidate::all_roots(graph.n());
    let mut unvisited: Vec<usize> = (0..graph.n()).collect();
    while !unvisited.is_empty() {
        let root = if ordered { unvisited[0] } else { unvisited[ties.pick(&unvisited)] };
        explore(graph, root, &mut unvisited, ties, &mut run);
    }
    run
}

/// The least vertex from which a path leads to `vertex`.
pub fn least_reaching(graph: &Graph, vertex: usize) -> usize {
    let nobody = Retraced::new(graph, Candidate::all_roots(graph.n()).parents());
    (0..graph.n()).find(|&start| nobody.descendants(&nobody.in_graph, start)[vertex]).expect("it reaches itself")
}

/// Every arc with the length that counts: its weight, or one where weights are ignored.
fn lengths(instance: &Instance, weighted: bool) -> Vec<(usize, usize, Weight)> {
    let arcs = instance.graph.weighted_arcs();
    arcs.map(|(tail, head, weight)| (tail, head, if weighted { weight } else { 1 })).collect()
}

/// The length of a shortest path to each vertex: n rounds over all edges.
pub fn distances(instance: &Instance, weighted: bool) -> Vec<Option<Weight>> {
    let source = instance.source.expect("shortest paths have a source");
    let mut distances: Vec<Option<Weight>> = vec![None; instance.n()];
    distances[source] = Some(0);
    for _ in 0..instance.n() {
        for &(tail, head, length) in &lengths(instance, weighted) {
            if let Some(length) = distances[tail].map(|distance| distance + length) {
                distances[head] = Some(distances[head].map_or(length, |known| known.min(length)));
            }
        }
    }
    distances
}

/// The candidate's path to each vertex costs what a shortest path costs, and where there is none, no parent is claimed.
pub fn shortest_paths(
    instance: &Instance,
    distances: &[Option<Weight>],
    candidate: Parents<'_>,
    weighted: bool,
) -> bool {
    let source = instance.source.expect("shortest paths have a source");
    distances.iter().enumerate().all(|(vertex, distance)| match distance {
        Some(distance) => {
            candidate.is_root(source) && path_cost(instance, candidate, vertex, weighted) == Some(*distance)
        }
        None => candidate.is_root(vertex),
    })
}

/// The cost of the candidate's path from the source; `None` when its edges or its way to the source are missing.
fn path_cost(instance: &Instance, candidate: Parents<'_>, vertex: usize, weighted: bool) -> Option<Weight> {
    let (mut cost, mut end) = (0, vertex);
    for _ in 0..instance.n() {
        if Some(end) == instance.source {
            return Some(cost);
        }
        let parent = candidate.of(end);
        let weight = instance.graph.weight(parent, end)?;
        (cost, end) = (cost + if weighted { weight } else { 1 }, parent);
    }
    None
}

/// The least weight of a spanning tree of the source's component, by Jarník's rule over all arcs: take a lightest one that leads out.
pub fn least_spanning_weight(instance: &Instance) -> (Weight, Vec<bool>) {
    let source = instance.source.expect("a tree has a root");
    let mut inside = vec![false; instance.n()];
    inside[source] = true;
    let mut total = 0;
    loop {
        let out = instance.graph.weighted_arcs().filter(|&(tail, head, _)| inside[tail] && !inside[head]);
        let Some((_, head, weight)) = out.min_by_key(|&(.., weight)| weight) else { return (total, inside) };
        inside[head] = true;
        total += weight;
    }
}

/// Parents along edges lead from each vertex of the source's component to the source, weigh as little as any spanning tree, and nobody
/// else has one.
pub fn least_spanning_tree(instance: &Instance, (least, inside): &(Weight, Vec<bool>), candidate: Parents<'_>) -> bool {
    let source = instance.source.expect("a tree has a root");
    let weight = candidate.edges().map(|(parent, child)| instance.graph.weight(parent, child)).sum::<Option<Weight>>();
    let leads_to_source = |vertex: usize| root_of(candidate, vertex) == source && candidate.is_root(source);
    weight == Some(*least)
        && (0..instance.n())
            .all(|vertex| if inside[vertex] { leads_to_source(vertex) } else { candidate.is_root(vertex) })
}

/// The component of each vertex by its least member: labels spread along edges, n rounds of them.
fn components(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut label: Vec<usize> = (0..n).collect();
    for _ in 0..n {
        for &(one, other) in edges {
            let least = label[one].min(label[other]);
            (label[one], label[other]) = (least, least);
        }
    }
    label
}

/// The chosen edges, as pairs.
pub fn chosen_edges(instance: &Instance, candidate: &Candidate) -> Vec<(usize, usize)> {
    let edges: Vec<(usize, usize)> = instance.graph.edges().collect();
    (0..edges.len()).filter(|&slot| candidate.choice(slot) == 1).map(|slot| edges[slot]).collect()
}

/// True when edges, chosen or not, lead from one vertex to another.
pub fn connects(n: usize, edges: &[(usize, usize)], one: usize, other: usize) -> bool {
    let label = components(n, edges);
    label[one] == label[other]
}

/// The least weight of a spanning forest: Jarník's rule in each component.
pub fn least_forest_weight(instance: &Instance) -> Weight {
    let edges: Vec<(usize, usize)> = instance.graph.edges().collect();
    let label = components(instance.n(), &edges);
    let roots = (0..instance.n()).filter(|&vertex| label[vertex] == vertex);
    roots.map(|root| least_spanning_weight(&Instance::with_source(instance.graph.clone(), root)).0).sum()
}

/// The chosen edges connect what the graph connects, are as few as that takes (so form no cycle), and weigh the least.
pub fn least_spanning_forest(instance: &Instance, least: Weight, candidate: &Candidate) -> bool {
    let chosen = chosen_edges(instance, candidate);
    let all: Vec<(usize, usize)> = instance.graph.edges().collect();
    let label = components(instance.n(), &all);
    let roots = (0..instance.n()).filter(|&vertex| label[vertex] == vertex).count();
    let weight: Weight = chosen.iter().map(|&(one, other)| instance.graph.weight(one, other).expect("an edge")).sum();
    components(instance.n(), &chosen) == label && chosen.len() + roots == instance.n() && weight == least
}

/// The list that the choices spell: n vertices from the head on, each the choice of the one before.
pub fn spelled_order(n: usize, candidate: &Candidate) -> Vec<usize> {
    let mut order: Vec<usize> = vec![];
    for place in 0..n {
        order.push(candidate.choice(if place == 0 { n } else { order[place - 1] }));
    }
    order
}

/// Every vertex stands in the list, the last is followed by itself, and each edge goes forward.
pub fn topological_order(instance: &Instance, candidate: &Candidate) -> bool {
    let order = spelled_order(instance.n(), candidate);
    let place = |vertex: usize| order.iter().position(|&other| other == vertex);
    (0..instance.n()).all(|vertex| place(vertex).is_some())
        && order.last().is_none_or(|&last| candidate.choice(last) == last)
        && instance.graph.arcs().all(|(tail, head)| place(tail) < place(head))
}

/// The size of a maximum matching, by Kuhn's recursion: a vertex takes a neighbour whose own partner can take another.
pub fn maximum_matching_size(instance: &Instance) -> usize {
    fn finds(graph: &Graph, vertex: usize, seen: &mut [bool], partner: &mut [Option<usize>]) -> bool {
        for other in 0..graph.n() {
            if graph.has_edge(vertex, other) && !std::mem::replace(&mut seen[other], true) {
                let is_free = match partner[other] {
                    None => true,
                    Some(rival) => finds(graph, rival, seen, partner),
                };
                if is_free {
                    partner[other] = Some(vertex);
                    return true;
                }
            }
        }
        false
    }
    let (graph, n) = (&instance.graph, instance.n());
    // Two colours by spreading them n times.
    let mut colour = vec![0; n];
    for vertex in 0..n {
        if colour[vertex] == 0 {
            colour[vertex] = 1;
            for _ in 0..n {
                for (one, other) in graph.arcs() {
                    if colour[one] != 0 && colour[other] == 0 {
                        colour[other] = -colour[one];
                    }
                }
            }
        }
    }
    let mut partner = vec![None; n];
    (0..n).filter(|&vertex| colour[vertex] == 1 && finds(graph, vertex, &mut vec![false; n], &mut partner)).count()
}

/// No two chosen edges share an end, and there are as many as there can be.
pub fn maximum_matching(instance: &Instance, size: usize, candidate: &Candidate) -> bool {
    let chosen = chosen_edges(instance, candidate);
    let at = |vertex: usize| chosen.iter().filter(|&&(one, other)| one == vertex || other == vertex).count();
    (0..instance.n()).all(|vertex| at(vertex) <= 1) && chosen.len() == size
}

/// Bellman-Ford as in CLRS: in each round every vertex that was reached before it sends, in the given order, its
/// distance from before the round; a receiver takes the sender as its parent on strict improvement.
pub fn synchronous_bellman_ford(instance: &Instance, order: &[usize]) -> Candidate {
    let mut parents = Candidate::all_roots(instance.n());
    let mut distances: Vec<Option<Weight>> = vec![None; instance.n()];
    distances[instance.source.expect("shortest paths have a source")] = Some(0);
    loop {
        let before = distances.clone();
        for &sender in order {
            let Some(distance) = before[sender] else { continue };
            for (head, weight) in instance.graph.out_edges(sender) {
                if distances[head].is_none_or(|known| distance + weight < known) {
                    distances[head] = Some(distance + weight);
                    parents.set(head, sender);
                }
            }
        }
        if distances == before {
            return parents;
        }
    }
}

/// The chosen items.
pub fn members(candidate: &Candidate) -> Vec<usize> {
    (0..candidate.slots()).filter(|&slot| candidate.choice(slot) == 1).collect()
}

/// A number of an item.
pub fn item_number(instance: &Instance, column: usize, item: usize) -> Weight {
    instance.items.as_ref().expect("items").column(column)[item]
}

/// Every task gets a unit of time of its own, no later than its deadline: whoever holds a unit moves on if it can.
pub fn can_be_done(instance: &Instance, tasks: &[usize]) -> bool {
    fn finds(task: usize, due: &[usize], seen: &mut [bool], holder: &mut [Option<usize>]) -> bool {
        for unit in 1..=due[task] {
            if !std::mem::replace(&mut seen[unit], true) {
                let gives_way = match holder[unit] {
                    None => true,
                    Some(other) => finds(other, due, seen, holder),
                };
                if gives_way {
                    holder[unit] = Some(task);
                    return true;
                }
            }
        }
        false
    }
    let n = instance.n();
    let unit = 10i128.pow(instance.items.as_ref().expect("items").decimals());
    let due: Vec<usize> =
        (0..n).map(|task| (item_number(instance, 0, task) / unit).min(n as Weight) as usize).collect();
    let mut holder = vec![None; n + 1];
    tasks.iter().all(|&task| finds(task, &due, &mut vec![false; n + 1], &mut holder))
}

/// The weight of tasks.
pub fn total_weight(instance: &Instance, tasks: &[usize]) -> Weight {
    tasks.iter().map(|&task| item_number(instance, 1, task)).sum()
}

/// Sets of so many items are gone through one by one.
const MOST_SUBSETS: usize = 12;

fn every_subset(n: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..1usize << n).map(move |code| (0..n).filter(|item| code >> item & 1 == 1).collect())
}

/// The greatest weight of tasks that can all be done: over all sets; of many tasks by the greedy rule, which is right because sets that can be done form a
/// matroid.
pub fn greatest_early_weight(instance: &Instance) -> Weight {
    let n = instance.n();
    if n <= MOST_SUBSETS {
        let done = every_subset(n).filter(|tasks| can_be_done(instance, tasks));
        return done.map(|tasks| total_weight(instance, &tasks)).max().expect("the empty set");
    }
    let mut by_weight: Vec<usize> = (0..n).collect();
    by_weight.sort_by_key(|&task| -item_number(instance, 1, task));
    let mut taken: Vec<usize> = vec![];
    for task in by_weight {
        taken.push(task);
        if !can_be_done(instance, &taken) {
            taken.pop();
        }
    }
    total_weight(instance, &taken)
}

/// No two activities share a moment; finishes do not belong to them.
pub fn are_apart(instance: &Instance, activities: &[usize]) -> bool {
    let [start, finish] = [0, 1].map(|column| move |activity: usize| item_number(instance, column, activity));
    let overlap = |one: usize, other: usize| start(one) < finish(other) && start(other) < finish(one);
    activities.iter().enumerate().all(|(place, &one)| activities[..place].iter().all(|&other| !overlap(one, other)))
}

/// The most activities that are apart: over all sets; of many activities by the longest chains that end with each.
pub fn most_apart(instance: &Instance) -> usize {
    let n = instance.n();
    if n <= MOST_SUBSETS {
        let apart = every_subset(n).filter(|activities| are_apart(instance, activities));
        return apart.map(|activities| activities.len()).max().expect("the empty set");
    }
    let mut by_start: Vec<usize> = (0..n).collect();
    by_start.sort_by_key(|&activity| item_number(instance, 0, activity));
    let mut longest = vec![0; n];
    for &activity in &by_start {
        let before = |&other: &usize| item_number(instance, 1, other) <= item_number(instance, 0, activity);
        longest[activity] = 1 + (0..n).filter(before).map(|other| longest[other]).max().unwrap_or(0);
    }
    longest.into_iter().max().unwrap_or(0)
}

/// What is right for one instance, by the definition of the problem that the algorithm solves.
pub fn judge<'a>(algorithm: &dyn Algorithm, instance: &'a Instance) -> Box<dyn Fn(&Candidate) -> bool + 'a> {
    let weighted = algorithm.needs().weights.are_used();
    match algorithm.problem().name {
        "depth-first forests" => Box::new(|candidate| ordered_restarts(&instance.graph, candidate.parents())),
        "depth-first forests with any restarts" => {
            Box::new(|candidate| any_restarts(&instance.graph, candidate.parents()))
        }
        "shortest-path trees" => {
            let distances = distances(instance, weighted);
            Box::new(move |candidate| shortest_paths(instance, &distances, candidate.parents(), weighted))
        }
        "minimum spanning trees" => {
            let least = least_spanning_weight(instance);
            Box::new(move |candidate| least_spanning_tree(instance, &least, candidate.parents()))
        }
        "minimum spanning forests" => {
            let least = least_forest_weight(instance);
            Box::new(move |candidate| least_spanning_forest(instance, least, candidate))
        }
        "topological orders" => Box::new(|candidate| topological_order(instance, candidate)),
        "maximum matchings" => {
            let size = maximum_matching_size(instance);
            Box::new(move |candidate| maximum_matching(instance, size, candidate))
        }
        "sets of tasks done in time" => {
            let greatest = greatest_early_weight(instance);
            Box::new(move |candidate| {
                can_be_done(instance, &members(candidate)) && total_weight(instance, &members(candidate)) == greatest
            })
        }
        "largest sets of activities without overlaps" => {
            let most = most_apart(instance);
            Box::new(move |candidate| are_apart(instance, &members(candidate)) && members(candidate).len() == most)
        }
        name => panic!("{name} have no literal verifier yet: write one here"),
    }
}

/// The same for one candidate.
pub fn accepts(algorithm: &dyn Algorithm, instance: &Instance, candidate: &Candidate) -> bool {
    judge(algorithm, instance)(candidate)
}
