//! Answers that are no trees, each with solutions and with candidates that are wrong in every way that has a drawing.

use tiebreak::answers::{Candidate, Form};
use tiebreak::instance::io::NamedGraph;
use tiebreak::instance::{Decimal, Graph, Instance, ItemKind, Items};
use tiebreak::pipeline::generate::{self, Recipe};
use tiebreak::problems::Algorithm;
use tiebreak::problems::activities::{ACTIVITY, selection::ActivitySelection};
use tiebreak::problems::matchings::matching::Matching;
use tiebreak::problems::orders::topological_sort::TopologicalSort;
use tiebreak::problems::spanning::kruskal::Kruskal;
use tiebreak::problems::tasks::{TASK, scheduling::TaskScheduling};
use tiebreak::random::Rng;
use tiebreak::report::{Exhibit, Page, Results, SecondsOf};

pub fn page() -> Page {
    let exhibits = vec![forests(), matchings(), orders(), tasks(), activities()];
    let results = vec![Results { exhibits, ..Results::default() }];
    Page { title: "Answers that are no trees".to_owned(), results, ..Page::default() }
}

/// All solutions, up to four, and the candidates that are not.
fn exhibit(
    name: &str,
    algorithm: &dyn Algorithm,
    named: &NamedGraph,
    instance: &Instance,
    broken: Vec<Candidate>,
) -> Exhibit {
    let prepared = algorithm.prepare(instance).unwrap();
    let mut exhibit = Exhibit::new(name, algorithm, named, instance);
    exhibit.count_solutions(prepared.space(), 1000);
    exhibit.show_structure(prepared.space());
    let mut rng = Rng::stream(0, "browser forms", 0);
    let marginals = generate::marginals(algorithm, &*prepared, &Recipe::default(), &mut rng).unwrap();
    exhibit.show_marginals("empirical", &marginals);
    for solution in prepared.space().solutions().unwrap().take(4) {
        exhibit.add_draw(&*prepared, "enumeration", None, &solution);
    }
    for candidate in &broken {
        exhibit.add_draw(&*prepared, "empirical", Some("argmax"), candidate);
        assert!(exhibit.draws.last().unwrap().broken.is_some());
    }
    exhibit
}

fn named(graph: Graph, names: &[&str], directed: bool) -> (NamedGraph, Instance) {
    let names = names.iter().map(|&name| name.to_owned()).collect();
    (NamedGraph { graph: graph.clone(), names, directed }, Instance::new(graph))
}

fn set(form: Form, count: usize, chosen: &[usize]) -> Candidate {
    Candidate::from_set(form, count, chosen.iter().copied()).unwrap()
}

/// A cycle, two parts that are not connected, and an exchange that is lighter.
fn forests() -> Exhibit {
    let edges = [(0, 1, 1), (0, 2, 1), (1, 2, 1), (1, 3, 2), (2, 4, 2), (3, 4, 2)];
    let edges = edges.map(|(tail, head, weight)| (tail, head, Decimal::whole(weight)));
    let graph = Graph::weighted_undirected(5, edges).unwrap();
    let (named, instance) = named(graph, &["Harbour", "Mill", "Station", "Park", "Church"], false);
    let broken = [&[0, 1, 2, 3, 4][..], &[0, 1], &[0, 3, 4, 5]].map(|chosen| set(Form::Edges, 6, chosen));
    exhibit("roads to keep", &Kruskal, &named, &instance, broken.to_vec())
}

/// Two edges at one vertex, and paths of one and of five edges along which a matching grows.
fn matchings() -> Exhibit {
    let graph = Graph::undirected(7, [(0, 4), (0, 5), (1, 4), (2, 5), (2, 6), (3, 6)]).unwrap();
    let (named, instance) =
        named(graph, &["Ann", "Ben", "Cy", "Dee", "tables", "chairs", "doors and all that belongs to them"], false);
    let broken = [&[0, 1, 5][..], &[], &[0, 3]].map(|chosen| set(Form::Edges, 6, chosen));
    exhibit("who makes what", &Matching, &named, &instance, broken.to_vec())
}

/// An edge that goes backward, and an order that stops early.
fn orders() -> Exhibit {
    let graph = Graph::from_edges(6, [(0, 1), (1, 2), (2, 3), (2, 4), (3, 5), (4, 5)]).unwrap();
    let (named, instance) = named(graph, &["plan", "permit", "walls", "roof", "wiring", "plaster"], true);
    let backward = Candidate::from_order(&[0, 2, 1, 3, 5, 4]).unwrap();
    let stops = Candidate::from_order(&[0, 1, 2, 1, 4, 4]).unwrap();
    exhibit("a house", &TopologicalSort, &named, &instance, vec![backward, stops])
}

fn of_items(kind: &'static ItemKind, rows: &[(&str, i64, i64)]) -> (NamedGraph, Instance) {
    let column = |number: fn(&(&str, i64, i64)) -> i64| rows.iter().map(|row| Decimal::whole(number(row))).collect();
    let instance = Instance::of_items(Items::new(kind, vec![column(|row| row.1), column(|row| row.2)]).unwrap());
    let names = rows.iter().map(|row| row.0.to_owned()).collect();
    (NamedGraph { graph: instance.graph.clone(), names, directed: true }, instance)
}

/// Too many for a deadline, and exchanges with somebody who leaves and with nobody.
fn tasks() -> Exhibit {
    let rows = [("wash", 1, 3), ("cook", 1, 3), ("write", 2, 5), ("call", 3, 2), ("shop", 3, 2), ("rest", 90, 1)];
    let (named, instance) = of_items(&TASK, &rows);
    let broken = [&[0, 1, 2][..], &[2, 3, 4, 5], &[0, 2, 3]].map(|chosen| set(Form::Items, 6, chosen));
    exhibit("a day", &TaskScheduling, &named, &instance, broken.to_vec())
}

/// Two that overlap, and a set that is too small. The numbers are seconds of the day.
fn activities() -> Exhibit {
    let at = |hours: i64, minutes: i64| 3600 * hours + 60 * minutes;
    let rows = [
        ("stand-up", at(9, 0), at(9, 30)),
        ("review", at(9, 30), at(11, 0)),
        ("design", at(9, 15), at(12, 30)),
        ("lunch", at(12, 0), at(13, 0)),
        ("walk", at(12, 15), at(12, 45)),
    ];
    let (named, instance) = of_items(&ACTIVITY, &rows);
    let broken = [&[0, 2][..], &[2]].map(|chosen| set(Form::Items, 5, chosen));
    let mut exhibit = exhibit("meetings", &ActivitySelection, &named, &instance, broken.to_vec());
    exhibit.items.as_mut().unwrap().seconds_of = Some(SecondsOf::Day);
    exhibit
}
