//! One line as it stands: which keys it has, and what they bring, held against what the line claims.

use super::{CaseError, MAX_BARE_VERTICES};
use crate::answers::{Form, Marginals};
use crate::instance::{Decimal, Graph, Instance, ItemKind, Items, Made};
use crate::pipeline::written::Written;
use crate::problems::Problem;
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Indices too large for this machine become ones that are out of every range.
fn as_index(index: u64) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

/// What a line holds, before anything is checked.
#[derive(Default)]
pub(super) struct RawCase<'a> {
    n: u64,
    edges: Vec<RawEdge<'a>>,
    pub items: Vec<Vec<&'a RawValue>>,
    undirected: Option<bool>,
    source: Option<u64>,
    pub made: Option<Made>,
    pub answer: Option<Written>,
    pub distribution: Option<Vec<Vec<f64>>>,
    pub algorithm: Option<String>,
}

impl RawCase<'_> {
    /// The graph and its source.
    pub fn graph(&self, form: Form) -> Result<Instance, CaseError> {
        let n = self.checked_size(form)?;
        let source = match self.source {
            Some(from) if from >= self.n => return Err(CaseError::Source { from, n: self.n }),
            source => source.map(|source| source as usize),
        };
        let undirected = self.undirected.unwrap_or(form == Form::Edges);
        Ok(Instance::of_graph(graph(n, &self.edges, undirected)?, source))
    }

    /// The number of vertices, once something of that size is really there.
    fn checked_size(&self, form: Form) -> Result<usize, CaseError> {
        let parents = match &self.answer {
            Some(Written::Parents(parents)) => Some(("parents", parents.len())),
            _ => None,
        };
        let rows = self.distribution.as_ref().and_then(|rows| match form {
            Form::Parents => Some(("rows of the distribution", rows.len())),
            Form::Order => Some(("rows of the distribution but one", rows.len().saturating_sub(1))),
            Form::Edges | Form::Items => None,
        });
        for (what, count) in parents.into_iter().chain(rows) {
            if count as u64 != self.n {
                return Err(CaseError::Count { what, count, n: self.n });
            }
        }
        if parents.is_none() && rows.is_none() && self.n > MAX_BARE_VERTICES {
            return Err(CaseError::TooLarge { n: self.n });
        }
        Ok(self.n as usize)
    }
}

/// The keys of a line about some problem.
pub(super) struct Keys<'p>(pub &'p Problem);

impl<'de> DeserializeSeed<'de> for Keys<'_> {
    type Value = RawCase<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<RawCase<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Keys<'_> {
    type Value = RawCase<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a case, {…}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawCase<'de>, A::Error> {
        let Problem { form, items, .. } = *self.0;
        let answer = Written::key(form);
        let (mut raw, mut missing) = (RawCase::default(), vec!["n", "edges"]);
        if let Some(kind) = items {
            missing = vec![kind.many];
        }
        while let Some(key) = map.next_key::<Cow<str>>()? {
            match (&*key, items) {
                ("n", None) => raw.n = map.next_value()?,
                ("edges", None) => raw.edges = map.next_value()?,
                (name, Some(kind)) if name == kind.many => raw.items = map.next_value()?,
                ("undirected", _) => raw.undirected = map.next_value()?,
                ("source", _) => raw.source = map.next_value()?,
                ("made", _) => raw.made = map.next_value()?,
                ("distribution", _) => raw.distribution = map.next_value()?,
                ("algorithm", _) => raw.algorithm = map.next_value()?,
                (name, _) if name == answer => raw.answer = written(form, &mut map)?,
                _ => drop(map.next_value::<de::IgnoredAny>()?),
            }
            missing.retain(|name| *name != key);
        }
        match missing.first() {
            Some(&name) => Err(de::Error::missing_field(name)),
            None => Ok(raw),
        }
    }
}

/// The answer that stands under its key; none where that is null.
fn written<'de, A: MapAccess<'de>>(form: Form, map: &mut A) -> Result<Option<Written>, A::Error> {
    if form == Form::Edges {
        let edges: Option<Vec<[u64; 2]>> = map.next_value()?;
        let ends = |edges: Vec<[u64; 2]>| edges.into_iter().map(|[one, other]| (as_index(one), as_index(other)));
        return Ok(edges.map(|edges| Written::Chosen(ends(edges).collect())));
    }
    let numbers: Option<Vec<u64>> = map.next_value()?;
    Ok(numbers.map(|numbers| {
        let numbers = numbers.into_iter().map(as_index).collect();
        match form {
            Form::Order => Written::Order(numbers),
            Form::Items => Written::Selected(numbers),
            Form::Parents | Form::Edges => Written::Parents(numbers),
        }
    }))
}

/// Rows of numbers as items.
pub(super) fn items(kind: &'static ItemKind, rows: &[Vec<&RawValue>]) -> Result<Items, CaseError> {
    let mut columns: Vec<Vec<Decimal>> = vec![Vec::with_capacity(rows.len()); kind.columns.len()];
    for (item, row) in rows.iter().enumerate() {
        let wrong = |reason| CaseError::Item { kind: kind.one, item, reason };
        if row.len() != kind.columns.len() {
            let names: Vec<&str> = kind.columns.iter().map(|column| column.name).collect();
            return Err(wrong(format!("{} numbers, expected [{}]", row.len(), names.join(", "))));
        }
        for ((number, values), column) in row.iter().zip(&mut columns).zip(kind.columns) {
            values.push(number.get().parse().map_err(|error| wrong(format!("{} {error}", column.name)))?);
        }
    }
    Ok(Items::new(kind, columns)?)
}

fn graph(n: usize, edges: &[RawEdge], undirected: bool) -> Result<Graph, CaseError> {
    if edges.iter().all(|edge| edge.weight.is_none()) {
        let plain = edges.iter().map(|edge| (as_index(edge.tail), as_index(edge.head)));
        return Ok(if undirected { Graph::undirected(n, plain)? } else { Graph::from_edges(n, plain)? });
    }
    let weighted = edges.iter().map(|edge| {
        let RawEdge { tail, head, weight } = *edge;
        let text = weight.ok_or(CaseError::MissingWeight { tail, head })?.get();
        let weight: Decimal = text.parse().map_err(|error| CaseError::Weight { tail, head, error })?;
        Ok((as_index(tail), as_index(head), weight))
    });
    let weighted: Vec<_> = weighted.collect::<Result<_, CaseError>>()?;
    Ok(if undirected { Graph::weighted_undirected(n, weighted)? } else { Graph::weighted(n, weighted)? })
}

/// Rows of probabilities as marginals.
pub(super) fn marginals(instance: &Instance, form: Form, rows: Vec<Vec<f64>>) -> Result<Marginals, CaseError> {
    let slots = instance.slots(form);
    if rows.len() != slots {
        return Err(CaseError::Rows { rows: rows.len(), slots });
    }
    let options = form.options(slots);
    if let Some(row) = rows.iter().find(|row| row.len() != options) {
        return Err(CaseError::Columns { columns: row.len(), options });
    }
    Ok(Marginals::from_weights(form, slots, rows.concat())?)
}

/// `[tail, head]` or `[tail, head, weight]`, the weight as it is written.
struct RawEdge<'a> {
    tail: u64,
    head: u64,
    weight: Option<&'a RawValue>,
}

impl<'de: 'a, 'a> Deserialize<'de> for RawEdge<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Edge;
        impl<'de> Visitor<'de> for Edge {
            type Value = RawEdge<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an edge [tail, head] or [tail, head, weight]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut members: A) -> Result<RawEdge<'de>, A::Error> {
                let tail = members.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &self))?;
                let head = members.next_element()?.ok_or_else(|| de::Error::invalid_length(1, &self))?;
                let weight = members.next_element()?;
                if members.next_element::<de::IgnoredAny>()?.is_some() {
                    return Err(de::Error::invalid_length(4, &self));
                }
                Ok(RawEdge { tail, head, weight })
            }
        }
        deserializer.deserialize_seq(Edge)
    }
}
