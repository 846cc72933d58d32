//! A person's own instance as an argument: a graph with its names, or a table of items with theirs.

use super::graph_input::{GraphInput, instance, starting_at};
use super::output::open_input;
use super::screen::{in_line, say};
use super::what_was_read::ReadGraph;
use anyhow::{Context, Result, anyhow, bail};
use std::path::Path;
use tiebreak::instance::io::{Format, MomentKind, NamedGraph, NamedItems, ReadOptions, read_item_lines, read_items};
use tiebreak::instance::{Instance, ItemKind};
use tiebreak::learn::EdgeTable;
use tiebreak::pipeline::cases::Cases;
use tiebreak::problems::{Algorithm, BadInstance};

impl GraphInput {
    /// Reads what the algorithm takes, and says on standard error what a person should know about how it was read. Items are
    /// vertices without edges under their names.
    pub fn read_instance(&self, algorithm: &dyn Algorithm, source: Option<&str>) -> Result<OwnInstance> {
        let Some(kind) = algorithm.problem().items else { return self.graph_instance(algorithm, source) };
        if source.is_some() {
            bail!("{} has no source", algorithm.name());
        }
        if self.names_weights() {
            bail!("--weight and --unweighted are about edges; the columns of {} are named with --columns", kind.many);
        }
        let (named, instance, written) =
            item_instance(algorithm, kind, self.path(), self.format(), &self.options(false))?;
        let summary = format!("{} {}", instance.n(), if instance.n() == 1 { kind.one } else { kind.many });
        Ok(OwnInstance { named, instance, summary, positions: None, written })
    }

    /// Everything that the file says of the edges of a graph or, for an algorithm of items, of items; `columns` are those of the names and numbers where the
    /// command line names none. Also how much was read, in words.
    pub fn table_to_learn(
        &self,
        algorithm: Option<&'static dyn Algorithm>,
        columns: &[String],
    ) -> Result<TableToLearn> {
        let items = algorithm.and_then(|algorithm| Some((algorithm, algorithm.problem().items?)));
        let Some((algorithm, kind)) = items else {
            let reading = self.reading_of_columns(columns)?;
            return Ok(TableToLearn {
                table: EdgeTable::of(&reading),
                size: reading.size(),
                directed: reading.directed,
            });
        };
        let options = self.options_of_columns(columns);
        let Some((label, read)) = read_named_items(kind, self.path(), self.format(), &options)? else {
            bail!("{}: weights are learnt for items that stand one a line", self.label());
        };
        let size = format!("{} {}", read.names.len(), kind.many);
        let table = EdgeTable::of_read_items(read, algorithm).map_err(|reason| anyhow!("{label}: {reason}"))?;
        Ok(TableToLearn { table, size, directed: true })
    }

    fn graph_instance(&self, algorithm: &dyn Algorithm, mut source: Option<&str>) -> Result<OwnInstance> {
        let (mut named, ReadGraph { summary, mut positions }) = self.read_for(algorithm)?;
        if !algorithm.needs().source
            && algorithm.restarts_in_order()
            && let Some(start) = source.take()
        {
            named = starting_at(named, positions.as_mut(), start).with_context(|| self.label())?;
        }
        let instance = instance(algorithm, &named, source).with_context(|| self.label())?;
        Ok(OwnInstance { named, instance, summary, positions, written: MomentKind::Number })
    }
}

/// What costs are learnt for, or were.
pub struct TableToLearn {
    pub table: EdgeTable,
    /// How much was read, in words.
    pub size: String,
    pub directed: bool,
}

/// What was read for an algorithm.
pub struct OwnInstance {
    pub named: NamedGraph,
    pub instance: Instance,
    /// How much was read, in words.
    pub summary: String,
    /// Where the vertices lie, if the file says so.
    pub positions: Option<Vec<(f64, f64)>>,
    /// How the numbers of items are written.
    pub written: MomentKind,
}

/// The items of a file, as an instance that the algorithm can take.
pub fn item_instance(
    algorithm: &dyn Algorithm,
    kind: &'static ItemKind,
    path: &Path,
    format: Option<Format>,
    options: &ReadOptions,
) -> Result<(NamedGraph, Instance, MomentKind)> {
    // Whoever learns weights reads items without them; here they matter.
    let options = &ReadOptions { weights_matter: true, ..options.clone() };
    let Some((label, read)) = read_named_items(kind, path, format, options)? else {
        return whole_case(algorithm, path, options);
    };
    let NamedItems { items, names, lines, written, .. } = read;
    let instance = Instance::of_items(items);
    algorithm.prepare(&instance).map_err(|error| match &error {
        BadInstance::Item { item, .. } => {
            anyhow!("{label}, line {}: {}", lines[*item], error.describe(|item| format!("'{}'", in_line(&names[item]))))
        }
        other => anyhow!("{label}: {other}"),
    })?;
    Ok((NamedGraph { graph: instance.graph.clone(), names, directed: true }, instance, written))
}

/// All items on one line, without names, as `verify` and `count` take them.
fn whole_case(
    algorithm: &dyn Algorithm,
    path: &Path,
    options: &ReadOptions,
) -> Result<(NamedGraph, Instance, MomentKind)> {
    let file = path.display();
    if options.round.is_some() {
        bail!("--round: numbers of {file} are taken as they are; items one a line can be rounded");
    }
    let instance = only_case(algorithm, path)?;
    algorithm.prepare(&instance).map_err(|error| anyhow!("{file}: {error}"))?;
    Ok((NamedGraph::numbered(instance.graph.clone(), true), instance, MomentKind::Number))
}

/// The items of a file, one a line, and what the file is called; `None` where all of them stand on one line. Says what a person should know about how it was read.
fn read_named_items(
    kind: &'static ItemKind,
    path: &Path,
    format: Option<Format>,
    options: &ReadOptions,
) -> Result<Option<(String, NamedItems)>> {
    let is_stream = path == Path::new("-");
    let label = if is_stream { "standard input".to_owned() } else { path.display().to_string() };
    let read = if format.is_none() && path.extension().is_some_and(|extension| extension == "jsonl") {
        read_item_lines(&mut *open_input(path)?, kind, &label, options)?
    } else {
        let format = match format {
            Some(format) => format,
            None if is_stream => bail!("{} from standard input need --format", kind.many),
            None => Format::of_path(path).with_context(|| format!("{label}: name the format with --format"))?,
        };
        Some(read_items(&mut *open_input(path)?, kind, format, &label, options)?)
    };
    read.iter().flat_map(|read| &read.notes).for_each(|note| say!("{label}: {note}"));
    Ok(read.map(|read| (label, read)))
}

/// The instance of a file of cases that has just one.
fn only_case(algorithm: &dyn Algorithm, path: &Path) -> Result<Instance> {
    let file = path.display().to_string();
    let mut cases = Cases::new(open_input(path)?, algorithm.problem());
    let mut next = || cases.read().with_context(|| format!("cannot read {file}"));
    let Some(case) = next()? else { bail!("{file}: there is no case in it") };
    let (_, case) = case.with_context(|| file.clone())?;
    match next()? {
        None => Ok(case.instance),
        Some(_) => bail!("{file}: there are several cases in it, and this takes one"),
    }
}
