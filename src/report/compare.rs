//! The same experiment of several reproductions, side by side: a column for each in its tables, a curve in its figures.

use super::{Cell, Figure, Results, Table};

/// Merges experiments of the same name; each of `found` is a reproduction under a label.
///
/// Tables with the same name and columns become one: rows with the same texts are one row, and each column of numbers
/// stands there once for each label. Everything else stays apart, with the label in its title.
pub fn side_by_side(found: Vec<(String, Vec<Results>)>) -> Vec<Results> {
    let mut merged: Vec<Results> = vec![];
    if found.len() < 2 {
        return found.into_iter().flat_map(|(_, results)| results).collect();
    }
    let mut experiments: Vec<String> = vec![];
    for name in found.iter().flat_map(|(_, results)| results).map(|results| &results.name) {
        if !experiments.contains(name) {
            experiments.push(name.clone());
        }
    }
    for name in experiments {
        let versions = found.iter().flat_map(|(label, results)| results.iter().map(move |one| (label.as_str(), one)));
        merged.push(merge(&versions.filter(|(_, results)| results.name == name).collect::<Vec<_>>()));
    }
    merged
}

fn merge(versions: &[(&str, &Results)]) -> Results {
    let [(_, only)] = versions else {
        let (_, first) = versions[0];
        let commands: Vec<String> = versions.iter().map(|(label, one)| format!("{label}: {}", one.command)).collect();
        let mut merged = Results {
            name: first.name.clone(),
            about: first.about.clone(),
            command: commands.join("; "),
            ..Results::default()
        };
        for (label, one) in versions {
            for exhibit in &one.exhibits {
                let mut exhibit = exhibit.clone();
                exhibit.name = format!("{label}: {}", exhibit.name);
                merged.exhibits.push(exhibit);
            }
        }
        merged.tables = merge_tables(versions);
        merged.figures = merge_figures(versions);
        return merged;
    };
    (*only).clone()
}

fn merge_tables(versions: &[(&str, &Results)]) -> Vec<Table> {
    let all = || versions.iter().flat_map(|(label, one)| one.tables.iter().map(move |table| (*label, table)));
    let mut merged: Vec<Table> = vec![];
    for (_, table) in all() {
        if merged.iter().any(|done| done.name == table.name) {
            continue;
        }
        let same: Vec<(&str, &Table)> = all().filter(|(_, other)| other.name == table.name).collect();
        if same.iter().all(|(_, other)| other.columns == table.columns) {
            merged.push(merge_table(&same));
            continue;
        }
        let apart = same.iter().map(|(label, other)| labelled(label, other));
        merged.extend(apart);
    }
    merged
}

fn labelled(label: &str, table: &Table) -> Table {
    Table { title: format!("{} ({label})", table.title), ..table.clone() }
}

/// True for columns in which some version has a number.
fn is_numeric(versions: &[(&str, &Table)], column: usize) -> bool {
    let mut cells = versions.iter().flat_map(|(_, table)| &table.rows).filter_map(|row| row.get(column));
    cells.any(|cell| matches!(cell, Cell::Number(_)))
}

fn merge_table(versions: &[(&str, &Table)]) -> Table {
    let (_, first) = versions[0];
    let numeric: Vec<bool> = (0..first.columns.len()).map(|column| is_numeric(versions, column)).collect();
    let texts = |row: &[Cell]| -> Vec<Cell> {
        row.iter().zip(&numeric).filter(|(_, is_number)| !**is_number).map(|(cell, _)| cell.clone()).collect()
    };
    // Rows with the same texts are counted, so that the second of two such rows meets the second of the other table.
    let keys = |table: &Table| -> Vec<(Vec<Cell>, usize)> {
        let mut keys: Vec<(Vec<Cell>, usize)> = vec![];
        for row in &table.rows {
            let key = texts(row);
            let before = keys.iter().filter(|(other, _)| *other == key).count();
            keys.push((key, before));
        }
        keys
    };
    let mut rows: Vec<(Vec<Cell>, usize)> = vec![];
    let by_version: Vec<Vec<(Vec<Cell>, usize)>> = versions.iter().map(|(_, table)| keys(table)).collect();
    for key in by_version.iter().flatten() {
        if !rows.contains(key) {
            rows.push(key.clone());
        }
    }
    let cell = |version: usize, key: &(Vec<Cell>, usize), column: usize| {
        let place = by_version[version].iter().position(|other| other == key);
        place.map_or(Cell::Text(String::new()), |row| versions[version].1.rows[row][column].clone())
    };
    let mut merged = Table { columns: vec![], rows: vec![vec![]; rows.len()], notes: vec![], ..first.clone() };
    for (column, name) in first.columns.iter().enumerate() {
        let sources: Vec<usize> = if numeric[column] { (0..versions.len()).collect() } else { vec![0] };
        for version in sources {
            let suffix = if numeric[column] { format!(" · {}", versions[version].0) } else { String::new() };
            merged.columns.push(format!("{name}{suffix}"));
            for (key, row) in rows.iter().zip(&mut merged.rows) {
                let of_any = || (0..versions.len()).find(|&other| by_version[other].contains(key)).unwrap_or(0);
                row.push(cell(if numeric[column] { version } else { of_any() }, key, column));
            }
        }
    }
    for (label, table) in versions {
        merged.notes.extend(table.notes.iter().map(|note| format!("{label}: {note}")));
    }
    merged
}

fn merge_figures(versions: &[(&str, &Results)]) -> Vec<Figure> {
    let mut merged: Vec<Figure> = vec![];
    for (label, one) in versions {
        for figure in &one.figures {
            let mut figure = figure.clone();
            figure.notes.iter_mut().for_each(|note| *note = format!("{label}: {note}"));
            for series in figure.panels.iter_mut().flat_map(|panel| &mut panel.series) {
                series.name = format!("{label}: {}", series.name);
            }
            match merged.iter_mut().find(|done| done.name == figure.name && same_axes(done, &figure)) {
                None => merged.push(figure),
                Some(done) => {
                    for (panel, more) in done.panels.iter_mut().zip(figure.panels) {
                        panel.series.extend(more.series);
                    }
                    done.notes.extend(figure.notes);
                }
            }
        }
    }
    merged
}

fn same_axes(one: &Figure, other: &Figure) -> bool {
    let axes = |figure: &Figure| -> Vec<_> {
        figure.panels.iter().map(|panel| (panel.title.clone(), panel.categories.clone())).collect()
    };
    axes(one) == axes(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Number, Panel, Series};

    fn text(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }

    fn number(ours: f64) -> Cell {
        Cell::Number(Number { ours: Some(ours), decimals: 2, ..Number::default() })
    }

    fn results(rows: Vec<Vec<Cell>>) -> Results {
        let columns = ["method", "valid", "remark"].map(str::to_owned).to_vec();
        let table = Table { name: "t".to_owned(), columns, rows, notes: vec!["a note".to_owned()], ..Table::default() };
        let series = vec![Series { name: "curve".to_owned(), ..Series::default() }];
        let panel = Panel { series, ..Panel::default() };
        let figure = Figure { name: "f".to_owned(), panels: vec![panel], ..Figure::default() };
        Results { name: "unique".to_owned(), tables: vec![table], figures: vec![figure], ..Results::default() }
    }

    #[test]
    fn one_reproduction_stays_as_it_is() {
        let only = results(vec![vec![text("beam"), number(0.5), text("")]]);
        assert_eq!(side_by_side(vec![("a".to_owned(), vec![only.clone()])]), [only]);
    }

    #[test]
    fn numbers_of_the_same_row_stand_side_by_side() {
        let one = results(vec![
            vec![text("beam"), number(0.5), text("")],
            vec![text("greedy"), number(0.25), text("")],
            vec![text("beam"), number(0.75), text("")],
        ]);
        let other =
            results(vec![vec![text("beam"), number(1.0), text("")], vec![text("upwards"), number(0.0), text("")]]);
        let merged = side_by_side(vec![("a".to_owned(), vec![one]), ("b".to_owned(), vec![other])]);
        let table = &merged[0].tables[0];
        assert_eq!(table.columns, ["method", "valid · a", "valid · b", "remark"]);
        assert_eq!(
            table.rows,
            [
                vec![text("beam"), number(0.5), number(1.0), text("")],
                vec![text("greedy"), number(0.25), text(""), text("")],
                vec![text("beam"), number(0.75), text(""), text("")],
                vec![text("upwards"), text(""), number(0.0), text("")],
            ]
        );
        assert_eq!(table.notes, ["a: a note", "b: a note"]);
        let names: Vec<&str> = merged[0].figures[0].panels[0].series.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["a: curve", "b: curve"]);
    }

    #[test]
    fn tables_with_other_columns_stay_apart() {
        let one = results(vec![]);
        let mut other = results(vec![]);
        other.tables[0].columns.push("more".to_owned());
        let merged = side_by_side(vec![("a".to_owned(), vec![one]), ("b".to_owned(), vec![other])]);
        let titles: Vec<&str> = merged[0].tables.iter().map(|table| table.title.as_str()).collect();
        assert_eq!(titles, [" (a)", " (b)"]);
    }
}
