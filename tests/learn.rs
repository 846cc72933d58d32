//! Laws of learnt costs, on small cities whose hidden cost is known.

use std::collections::BTreeMap;
use tiebreak::instance::Weight;
use tiebreak::instance::io::{Format, ReadOptions, read_stream};
use tiebreak::learn::city::{City, CitySettings};
use tiebreak::learn::{
    Cell, Column, EdgeTable, Freedom, LearnRequest, Learnt, LearntCost, Loss, ObservationOptions, Predictor, learn,
    read_observations,
};
use tiebreak::random::Rng;
use tiebreak::solve::routes::RouteGraph;

fn city(size: usize, seed: u64) -> City {
    City::new(&CitySettings { columns: size, rows: size, seed, ..CitySettings::default() })
}

fn edges(text: &str, undirected: bool) -> EdgeTable {
    let options = ReadOptions { weights_matter: false, undirected, ..ReadOptions::default() };
    EdgeTable::of(&read_stream(text.as_bytes(), Format::Csv, "roads", &options).unwrap())
}

/// The quickest choices: a linear map by likelihood.
fn quick() -> LearnRequest {
    let freedom = Freedom { loss: Some(Loss::Likelihood), predictor: Some(Predictor::Linear), per_edge: Some(false) };
    LearnRequest { freedom, ..LearnRequest::default() }
}

fn learnt(roads: &EdgeTable, lines: &str, request: &LearnRequest) -> Learnt {
    let contexts = ["hour".to_owned()];
    let contexts = if lines.contains("hour") { &contexts[..] } else { &[] };
    let options = ObservationOptions { contexts, gaps: false, sets: None };
    let observed = read_observations(lines.as_bytes(), "trips", &roads.graph, &roads.names, &options).unwrap();
    learn(roads, &observed, request, vec![], &mut |_| ()).unwrap()
}

/// The cost of each arc by the names of its ends.
fn costs_by_name(roads: &EdgeTable, cost: &LearntCost) -> BTreeMap<(String, String), Weight> {
    let weights = cost.costs(roads, &[]).unwrap().weights;
    let named = roads.graph.arcs().zip(weights);
    named.map(|((tail, head), weight)| ((roads.names[tail].clone(), roads.names[head].clone()), weight)).collect()
}

/// The share of pairs whose cheapest route is the same under both lengths of arcs.
fn agreement(city: &City, one: Vec<Weight>, other: Vec<Weight>, pairs: usize) -> f64 {
    let roads = RouteGraph::counting_edges(&city.graph).unwrap();
    let [one, other] = [one, other].map(|lengths| roads.with_lengths(lengths).unwrap());
    let mut rng = Rng::stream(0, "pairs", 0);
    let (mut same, mut all) = (0.0, 0.0);
    while all < pairs as f64 {
        let (from, to) = (rng.below(city.graph.n()), rng.below(city.graph.n()));
        if let Some(route) = one.target(to).unwrap().shortest(from).filter(|route| route.path.len() > 2) {
            all += 1.0;
            same += f64::from(Some(route.path) == other.target(to).unwrap().shortest(from).map(|route| route.path));
        }
    }
    same / all
}

/// A hidden cost that is linear in the columns.
fn make_linear(city: &mut City) {
    let cost = |turn: &tiebreak::learn::city::Turn| {
        let penalty = if turn.turn == "left" { 0.8 } else { 0.0 };
        1.2 + 0.006 * turn.length + penalty
    };
    city.hidden = city.turns.iter().map(cost).collect();
}

#[test]
fn the_ranking_of_routes_tends_to_the_true_one() {
    let mut city = city(7, 1);
    make_linear(&mut city);
    let roads = edges(&city.table(), false);
    // The table lists arcs in order, so both have the same vertices in another order; costs are compared by name.
    let hidden: Vec<Weight> = city.hidden.iter().map(|cost| (1e6 * cost) as Weight).collect();
    let table: Vec<(usize, f64)> = [10, 100, 1000, 10_000]
        .into_iter()
        .map(|count| {
            let cost = learnt(&roads, &city.lines(&city.trips(count, 0)), &quick()).cost;
            let by_name = costs_by_name(&roads, &cost);
            let name = |vertex: usize| city.names[vertex].clone();
            let lengths = city.graph.arcs().map(|(tail, head)| by_name[&(name(tail), name(head))]).collect();
            (count, agreement(&city, hidden.clone(), lengths, 300))
        })
        .collect();
    println!("observations, share of cheapest routes that are the true ones: {table:?}");
    assert!(
        table[2].1 >= 0.93 && table[3].1 >= 0.93 && table[2].1 >= table[1].1 && table[1].1 >= table[0].1 - 0.03,
        "{table:?}"
    );
}

#[test]
fn the_order_of_vertices_and_observations_changes_nothing() {
    let city = city(5, 2);
    let (table, lines) = (city.table(), city.lines(&city.trips(80, 0)));
    let shuffled = |text: &str, header: usize| {
        let mut rows: Vec<&str> = text.lines().collect();
        Rng::stream(0, "rows", 0).shuffle(&mut rows[header..]);
        rows.join("\n")
    };
    let request = LearnRequest { freedom: Freedom { per_edge: Some(true), ..quick().freedom }, ..quick() };
    let one = edges(&table, false);
    let one = costs_by_name(&one, &learnt(&one, &lines, &request).cost);
    let other = edges(&shuffled(&table, 1), false);
    let other = costs_by_name(&other, &learnt(&other, &shuffled(&lines, 0), &request).cost);
    assert_eq!(one.len(), other.len());
    for (arc, &weight) in &one {
        let ratio = other[arc] as f64 / weight as f64;
        assert!((ratio - 1.0).abs() < 0.01, "{arc:?}: {weight} and {}", other[arc]);
    }
}

#[test]
fn a_constant_column_changes_nothing_and_neither_does_the_number_of_threads() {
    let city = city(5, 3);
    let lines = city.lines(&city.trips(60, 0));
    let plain =
        learnt(&edges(&city.table(), false), &lines, &LearnRequest { bootstrap: 12, ..LearnRequest::default() });
    let constant: String = city
        .table()
        .lines()
        .enumerate()
        .map(|(row, line)| format!("{line},{}\n", if row == 0 { "surface" } else { "asphalt" }))
        .collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let request = LearnRequest { bootstrap: 12, ..LearnRequest::default() };
    let with = pool.install(|| learnt(&edges(&constant, false), &lines, &request));
    assert_eq!(plain.cost, with.cost);
    assert_eq!(
        (&plain.account.effects, &plain.account.calibration),
        (&with.account.effects, &with.account.calibration)
    );
    assert!(
        with.account.notes.iter().any(|note| note.contains("`surface` has one value only")),
        "{:?}",
        with.account.notes
    );
}

/// The 90 % statement over fresh trips of many small cities.
#[test]
fn tau_holds_for_fresh_observations() {
    let (mut within, mut all) = (0, 0);
    for seed in 0..16 {
        let city = city(5, 100 + seed);
        let roads = edges(&city.table(), false);
        let trips = city.trips(300, seed);
        let cost = learnt(&roads, &city.lines(&trips[..150]), &quick()).cost;
        let tau = cost.card.tau.unwrap();
        let lengths = cost.costs(&roads, &[]).unwrap().weights;
        let graph = RouteGraph::counting_edges(&roads.graph).unwrap().with_lengths(lengths).unwrap();
        let vertex = |link: usize| roads.names.iter().position(|name| *name == city.names[link]).unwrap();
        for trip in &trips[150..] {
            let trip: Vec<usize> = trip.iter().map(|&link| vertex(link)).collect();
            let own: Weight = trip.windows(2).map(|step| graph.length(step[0], step[1]).unwrap()).sum();
            let best = graph.target(trip[trip.len() - 1]).unwrap().distance(trip[0]).unwrap();
            within += usize::from(own as f64 / best as f64 - 1.0 <= tau);
            all += 1;
        }
    }
    let share = within as f64 / f64::from(all);
    println!("{share:.3} of {all} fresh trips are within tau");
    assert!((0.87..=0.93).contains(&share), "{share}");
}

#[test]
fn one_observation_and_contradictory_ones_are_learnt_from_with_clear_words() {
    let roads = edges("from,to,length\nA,B,1.5\nB,D,1.5\nA,C,1.25\nC,D,2.5\n", false);
    let one = learnt(&roads, "{\"path\":[\"A\",\"B\",\"D\"]}\n", &LearnRequest::default());
    assert!(
        one.account.notes.iter().any(|note| note.contains("1 observations are too few")),
        "{:?}",
        one.account.notes
    );
    assert!(one.account.calibration.is_none() && one.cost.card.tau.is_none());
    let lines = "{\"path\":[\"A\",\"B\",\"D\"]}\n{\"path\":[\"A\",\"C\",\"D\"]}\n".repeat(30);
    let both = learnt(&roads, &lines, &LearnRequest::default());
    let costs = costs_by_name(&roads, &both.cost);
    let cost = |a: &str, b: &str| costs[&(a.to_owned(), b.to_owned())] as f64;
    let ratio = (cost("A", "B") + cost("B", "D")) / (cost("A", "C") + cost("C", "D"));
    assert!((ratio - 1.0).abs() < 0.1, "equally often, so about equally dear: {ratio}");
}

#[test]
fn gaps_are_filled_and_loops_are_cut() {
    let city = city(5, 4);
    let roads = edges(&city.table(), false);
    let whole = city.trips(60, 0);
    let line = |trip: &Vec<usize>| {
        let names: Vec<&str> = [trip[0], trip[trip.len() - 1]].map(|link| city.names[link].as_str()).to_vec();
        format!("{{\"path\":[\"{}\",\"?\",\"{}\"]}}\n", names[0], names[1])
    };
    let lines: String = whole
        .iter()
        .enumerate()
        .map(|(place, trip)| if place % 3 == 0 { line(trip) } else { city.lines(std::slice::from_ref(trip)) })
        .collect();
    let account = learnt(&roads, &lines, &quick()).account;
    assert!(account.notes.iter().any(|note| note.starts_with("20 gaps")), "{:?}", account.notes);
    let circle = edges("from,to,length\nA,B,1.5\nB,C,1.25\nC,A,1.75\nB,D,2.5\n", false);
    let account = learnt(&circle, "{\"path\":[\"A\",\"B\",\"C\",\"A\",\"B\",\"D\"]}\n", &quick()).account;
    assert!(
        account.notes.iter().any(|note| note.starts_with("1 observed paths visit a vertex twice")),
        "{:?}",
        account.notes
    );
}

#[test]
fn a_context_changes_costs() {
    let roads = edges("from,to,kind,length\nA,B,x,1.5\nB,D,x,1.5\nA,C,y,1.25\nC,D,y,1.5\n", false);
    let morning = "{\"path\":[\"A\",\"B\",\"D\"],\"hour\":8.5}\n".repeat(40);
    let evening = "{\"path\":[\"A\",\"C\",\"D\"],\"hour\":17.5}\n".repeat(40);
    let learnt = learnt(&roads, &(morning + &evening), &quick());
    let total = |hour: f64, through: &str| {
        let context = [Column { name: "hour".to_owned(), cells: vec![Cell::Number(hour)] }];
        let weights = learnt.cost.costs(&roads, &context).unwrap().weights;
        let named = roads.graph.arcs().zip(weights);
        let on = named.filter(|((tail, head), _)| roads.names[*tail] == through || roads.names[*head] == through);
        on.map(|(_, weight)| weight).sum::<Weight>()
    };
    assert!(total(8.5, "B") < total(8.5, "C") && total(17.5, "C") < total(17.5, "B"));
}

/// Spanning trees and shortest-path trees that people chose by one of two columns.
#[test]
fn trees_are_learnt_from_too() {
    let mut rng = Rng::stream(5, "tree columns", 0);
    let n = 12;
    let mut rows = vec![];
    for one in 0..n {
        for other in one + 1..n {
            if rng.chance(0.5) || other == one + 1 {
                rows.push((one, other, 1.0 + rng.unit(), 1.0 + rng.unit()));
            }
        }
    }
    let table: String =
        rows.iter().map(|(one, other, price, noise)| format!("v{one},v{other},{price:.4},{noise:.4}\n")).collect();
    let roads = edges(&format!("from,to,price,noise\n{table}"), true);
    // The cheapest tree by price, each time with a little noise.
    let tree = |rng: &mut Rng| {
        let mut priced: Vec<(f64, usize, usize)> =
            rows.iter().map(|&(one, other, price, _)| (price + 0.1 * rng.unit(), one, other)).collect();
        priced.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut group: Vec<usize> = (0..n).collect();
        let mut chosen = vec![];
        for (_, one, other) in priced {
            let (from, to) = (group[one], group[other]);
            if from != to {
                group.iter_mut().filter(|member| **member == from).for_each(|member| *member = to);
                chosen.push(format!("[\"v{one}\",\"v{other}\"]"));
            }
        }
        format!("{{\"chosen\":[{}]}}\n", chosen.join(","))
    };
    let lines: String = (0..40).map(|_| tree(&mut rng)).collect();
    let account = learnt(
        &roads,
        &lines,
        &LearnRequest {
            freedom: Freedom { per_edge: Some(false), predictor: Some(Predictor::Linear), loss: None },
            ..LearnRequest::default()
        },
    )
    .account;
    assert_eq!(account.recipe.loss, Loss::FenchelYoung);
    let effect = |column: &str| account.effects.iter().find(|effect| effect.name.starts_with(column)).unwrap().percent;
    assert!(effect("price") > 5.0 * effect("noise").abs(), "{:?}", account.effects);
    // Parents: everybody hangs on the first vertex by the cheapest ways by price.
    let parents = "{\"parents\":[null,\"A\",\"A\",\"C\"]}\n".repeat(12);
    let small = edges("from,to,price\nA,B,1.5\nA,C,1.5\nB,D,9.5\nC,D,1.25\n", false);
    let account = learnt(&small, &parents, &quick()).account;
    assert!(account.effects[0].percent > 0.0 && account.held_out.unwrap().exact == 1.0, "{account:?}");
}

#[test]
fn a_cost_comes_back_from_its_file_and_a_damaged_one_does_not() {
    let city = city(5, 6);
    let roads = edges(&city.table(), false);
    let cost = learnt(
        &roads,
        &city.lines(&city.trips(40, 0)),
        &LearnRequest { freedom: Freedom { per_edge: Some(true), ..quick().freedom }, ..quick() },
    )
    .cost;
    let bytes = cost.to_bytes();
    assert_eq!(LearntCost::from_bytes(&bytes).unwrap(), cost);
    for end in [0, 10, bytes.len() / 2, bytes.len() - 1] {
        assert!(LearntCost::from_bytes(&bytes[..end]).is_err());
    }
    // Another graph: what is new costs what its columns say, and a column that is missing is named.
    let fewer: String = city.table().lines().take(60).map(|line| format!("{line}\n")).collect();
    let notes = cost.costs(&edges(&format!("{fewer}X,Y,99.5,primary,no,left\n"), false), &[]).unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("are new since")), "{notes:?}");
    let error = cost.costs(&edges("from,to,length\nA,B,3.5\n", false), &[]).unwrap_err();
    assert!(error.contains("no column `class`"), "{error}");
}

#[test]
fn regret_is_what_answers_truly_cost_too_much() {
    let city = city(5, 3);
    let table = city.table();
    let mut lines = table.lines();
    let header = format!("{},truth\n", lines.next().unwrap());
    let rows: String = lines.zip(&city.hidden).map(|(line, hidden)| format!("{line},{hidden}\n")).collect();
    let roads = edges(&(header + &rows), false);
    let trips = city.trips(80, 0);
    let request = LearnRequest { true_cost: Some("truth".to_owned()), ..quick() };
    let learnt = learnt(&roads, &city.lines(&trips), &request);
    assert!(learnt.account.effects.iter().all(|effect| !effect.name.contains("truth")), "nothing is learnt from it");
    assert!(learnt.account.baselines.iter().all(|baseline| baseline.column != "truth"));

    // By the definition: every trip's cheapest route by length, and by the hidden cost, both measured by the latter.
    let whole = |costs: Vec<f64>| costs.iter().map(|cost| (cost * 1e4).round() as Weight).collect::<Vec<_>>();
    let graph = RouteGraph::counting_edges(&city.graph).unwrap();
    let by_length = graph.with_lengths(whole(city.turns.iter().map(|turn| turn.length).collect())).unwrap();
    let by_truth = graph.with_lengths(whole(city.hidden.clone())).unwrap();
    let [mut own, mut best] = [0.0; 2];
    for trip in &trips {
        let (from, to) = (trip[0], *trip.last().unwrap());
        for (roads, sum) in [(&by_length, &mut own), (&by_truth, &mut best)] {
            let path = roads.target(to).unwrap().shortest(from).unwrap().path;
            let steps = path.windows(2).map(|step| city.hidden[city.graph.arc(step[0], step[1]).unwrap()]);
            *sum += steps.sum::<f64>();
        }
    }
    let length = learnt.account.baselines.iter().find(|baseline| baseline.column == "length").unwrap();
    let regret = length.fit.regret.unwrap();
    assert!((regret - (own / best - 1.0)).abs() < 0.01 && regret > 0.02, "{regret} {}", own / best - 1.0);
    let learnt = learnt.account.held_out.unwrap().regret.unwrap();
    assert!(learnt < regret / 2.0, "{learnt} {regret}");
}
