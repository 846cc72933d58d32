//! Spanning trees: counted exactly, drawn uniformly, enumerated, and which edges they use.
//!
//! Two kinds, over plain vertices and edges:
//! - [`Arborescences`]: directed trees in which each vertex takes one of its possible parents (shortest-path trees);
//! - [`Classes`]: minimum spanning forests, one multigraph for each weight and each of its components.
//!
//! Both answer the same questions, for all trees or for those that meet demands:
//!
//! | question | how | cost |
//! |---|---|---|
//! | `count` | determinants of Laplacians, over residues or with bounded rounding | [`Limits`] |
//! | `draw` | Wilson's loop-erased walks | expected: a few mean hitting times |
//! | `uses` | dominators; bridges | O(m log n); O(m) |
//! | `marginals` | hitting probabilities by elimination without subtraction | O(k^3) for a component of k vertices |
//! | `iter` | backtracking that never enters a branch without a tree | polynomial between two trees |
//!
//! Nothing here knows a graph type, an algorithm or a form of answer.

mod arborescences;
mod blocks;
mod by_weight;
mod classes;
mod components;
mod core;
mod count;
mod directed;
mod dominators;
mod elimination;
mod exchange;
mod forest;
mod hitting;
mod minimum;
mod modular;
mod parent_arrays;
mod random_order;
mod series;
mod sets;
mod spanning;
mod wilson;

pub use arborescences::Arborescences;
pub use by_weight::by_weight;
pub(crate) use by_weight::{ByWeight, EachEdge, WeightClass};
pub use classes::{Classes, Infeasible};
pub(crate) use components::strong_components_by;
pub use count::TreeCount;
pub(crate) use dominators::Dominators;
pub(crate) use elimination::{Conductances, Elimination};
pub use exchange::exchanges;
pub use forest::{ForestFault, rooted, verify_component, verify_forest, verify_sorted};
pub use parent_arrays::ParentArrays;
pub(crate) use sets::Sets;
pub use spanning::Forests;

/// A vertex outside the graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("vertex {vertex}, but there are {n}")]
pub struct BadVertex {
    /// The vertex.
    pub vertex: usize,
    /// The number of vertices.
    pub n: usize,
}

/// How much work an exact or a rounded answer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most modular multiplications of an exact count. The default, 10^9, takes a few seconds and is enough for
    /// every component of 300 vertices, and for much larger ones that are sparse.
    pub exact: u64,
    /// The most multiplications of a count with rounding, and of marginals. The default, 10^10, takes some seconds; it
    /// is enough for dense components of 3,000 vertices (count) and of 1,800 (marginals).
    pub rounded: u64,
    /// The most steps of the walks of one draw. The default, 10^9, takes some seconds.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { exact: 1_000_000_000, rounded: 10_000_000_000, steps: 1_000_000_000 }
    }
}

/// Why an answer cannot be had within the [`Limits`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A count, even a rounded one, is too much work.
    #[error("a component of {vertices} vertices needs more than {limit} multiplications to count its trees")]
    Count {
        /// Vertices of the component.
        vertices: usize,
        /// [`Limits::rounded`].
        limit: u64,
    },
    /// Rounding would leave no digit of the count.
    #[error("rounding leaves no certain digit of the number of trees in a component of {vertices} vertices")]
    Digits {
        /// Vertices of the component.
        vertices: usize,
    },
    /// Marginals are too much work.
    #[error("a component of {vertices} vertices needs more than {limit} multiplications for its marginals")]
    Marginals {
        /// Vertices of the component.
        vertices: usize,
        /// [`Limits::rounded`].
        limit: u64,
    },
    /// A probability is too small for a floating-point number.
    #[error("a component of {vertices} vertices has escape probabilities below the smallest floating-point number")]
    Underflow {
        /// Vertices of the component.
        vertices: usize,
    },
    /// The walks of a draw took too long.
    #[error("a draw took more than {limit} steps of its random walks, in a component of {vertices} vertices")]
    Walk {
        /// Vertices of the component.
        vertices: usize,
        /// [`Limits::steps`].
        limit: u64,
    },
}

/// How many of the trees use an arc or an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// None.
    Never,
    /// Some, but not all.
    Sometimes,
    /// All.
    Always,
}
