//! The file formats, their names on the command line and their extensions.

use super::error::GUNZIP;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use thiserror::Error;

/// How a graph is laid out in a file.
///
/// ```
/// use tiebreak::instance::io::Format;
/// assert_eq!(Format::of_path("roads.gr".as_ref()).unwrap(), Format::Dimacs);
/// assert_eq!("node-link".parse::<Format>().unwrap(), Format::NodeLink);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// One edge a line, separated by commas.
    Csv,
    /// One edge a line, separated by tabs.
    Tsv,
    /// One edge a line, separated by white space, with `#` or `%` before comments.
    Edges,
    /// The JSON of networkx' `node_link_data`, with `edges` or `links`.
    NodeLink,
    /// An adjacency matrix as numpy saves it.
    Npy,
    /// A zip archive of numpy arrays, one of which is the adjacency matrix.
    Npz,
    /// The shortest-path format of the ninth DIMACS challenge.
    Dimacs,
    /// Matrix Market, coordinate layout.
    MatrixMarket,
    /// GraphML.
    GraphMl,
    /// A vertex and its neighbours on each line, as networkx' `write_adjlist` writes them: read only.
    AdjacencyList,
    /// GML: read only.
    Gml,
    /// GEXF, of Gephi: read only.
    Gexf,
    /// Pajek networks: read only.
    Pajek,
    /// Graphviz: written only.
    Dot,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 14] = [
        Format::Csv,
        Format::Tsv,
        Format::Edges,
        Format::NodeLink,
        Format::Npy,
        Format::Npz,
        Format::Dimacs,
        Format::MatrixMarket,
        Format::GraphMl,
        Format::AdjacencyList,
        Format::Gml,
        Format::Gexf,
        Format::Pajek,
        Format::Dot,
    ];

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Edges => "edges",
            Format::NodeLink => "node-link",
            Format::Npy => "npy",
            Format::Npz => "npz",
            Format::Dimacs => "dimacs",
            Format::MatrixMarket => "matrix-market",
            Format::GraphMl => "graphml",
            Format::AdjacencyList => "adjlist",
            Format::Gml => "gml",
            Format::Gexf => "gexf",
            Format::Pajek => "pajek",
            Format::Dot => "dot",
        }
    }

    /// The extensions by which a file of this format is recognised, without the point.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::NodeLink => &["json"],
            Format::Dimacs => &["gr"],
            Format::MatrixMarket => &["mtx"],
            Format::Dot => &["dot", "gv"],
            Format::Csv => &["csv"],
            Format::Tsv => &["tsv"],
            Format::Edges => &["edges", "edgelist", "txt"],
            Format::AdjacencyList => &["adjlist"],
            Format::Gml => &["gml"],
            Format::Gexf => &["gexf"],
            Format::Pajek => &["net"],
            Format::Npy => &["npy"],
            Format::Npz => &["npz"],
            Format::GraphMl => &["graphml"],
        }
    }

    /// The format that the extension of `path` stands for.
    pub fn of_path(path: &Path) -> Result<Self, UnknownExtension> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        Format::with_extension(&extension).ok_or_else(|| UnknownExtension { extension: extension.into_owned() })
    }

    /// True for formats in which a graph can be written.
    pub fn can_be_written(self) -> bool {
        !matches!(self, Format::AdjacencyList | Format::Gml | Format::Gexf | Format::Pajek)
    }

    /// True for formats from which a graph can be read.
    pub fn can_be_read(self) -> bool {
        self != Format::Dot
    }

    /// True for tables, whose columns and header a person may have to name.
    pub fn is_table(self) -> bool {
        matches!(self, Format::Csv | Format::Tsv | Format::Edges)
    }

    /// True when the format keeps the names of vertices; the others number them.
    pub fn keeps_names(self) -> bool {
        !matches!(self, Format::Npy | Format::Npz | Format::Dimacs | Format::MatrixMarket)
    }

    fn with_extension(extension: &str) -> Option<Self> {
        let known = |format: &Format| format.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension));
        Format::ALL.into_iter().find(known)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Takes a name or, as people will try it, an extension.
impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let named = Format::ALL.into_iter().find(|format| format.name() == text);
        named.or_else(|| Format::with_extension(text)).ok_or_else(|| UnknownFormat { name: text.to_owned() })
    }
}

/// A name that no format has.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{name}' is not a graph format (known: {})", Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat {
    /// What was asked for.
    pub name: String,
}

/// A file whose extension tells no format.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{} (known: {})", describe(extension), known_extensions())]
pub struct UnknownExtension {
    /// The extension, perhaps none.
    pub extension: String,
}

fn describe(extension: &str) -> String {
    match extension {
        "gz" => format!("the extension '.gz' tells no graph format: {GUNZIP}"),
        "" => "a file name without an extension tells no graph format".to_owned(),
        _ => format!("the extension '.{extension}' tells no graph format"),
    }
}

fn known_extensions() -> String {
    let dotted = Format::ALL.iter().flat_map(|format| format.extensions()).map(|extension| format!(".{extension}"));
    dotted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_name_and_its_extensions() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            for extension in format.extensions() {
                assert_eq!(Format::of_path(format!("a.b.{extension}").as_ref()), Ok(format));
                assert_eq!(Format::of_path(format!("A.{}", extension.to_uppercase()).as_ref()), Ok(format));
            }
        }
    }

    #[test]
    fn unknown_ones_list_the_known() {
        let error = Format::of_path("graph.csv.gz".as_ref()).unwrap_err().to_string();
        assert!(
            error.contains("'.gz'")
                && error.contains(".csv .tsv .edges .edgelist .txt .json .npy .npz .gr .mtx .graphml"),
            "{error}"
        );
        assert!(Format::of_path("graph".as_ref()).unwrap_err().to_string().contains("without an extension"));
        let error = "xlsx".parse::<Format>().unwrap_err().to_string();
        assert!(error.contains("'xlsx'") && error.contains("matrix-market"), "{error}");
    }
}
