//! The stages of the paper over any algorithm: generate instances with their marginals, draw candidates, evaluate them.
//!
//! | module | what |
//! |---|---|
//! | [`generate`] | random instances with the marginals of repeated runs; their file |
//! | [`cases`] | one JSON object a line: instance, candidate, marginals |
//! | [`written`] | answers as people write them: parents, chosen edges, an order, selected items |
//! | [`draw`] | where candidates come from: extractors on marginals, executor, runs, uniform draws |
//! | [`metrics`] | each metric once |
//! | [`evaluate`] | candidate sources × draws to rows of metrics |

pub mod cases;
pub mod draw;
pub mod evaluate;
pub mod generate;
pub mod metrics;
pub mod written;
