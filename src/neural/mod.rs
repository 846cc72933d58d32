//! What learns: the CLRS network, the certified executor, and what trains and runs them.
//!
//! | module | what |
//! |---|---|
//! | [`nn`] | kernels, parameters, Adam: dense arrays, no graphs |
//! | [`model`] | the CLRS network: features in, outputs, loss and gradient out |
//! | [`outputs`] | marginals as a network's targets, and its outputs as marginals |
//! | [`executor`] | learnt step-by-step execution with given ties, and its certificate |
//! | [`runs`], [`settings`] | a run's directory; settings from a file and the command line |
//! | [`train`] | the training loop of the network |
//! | [`predict`] | a model file as a predictor |

pub mod events;
pub mod executor;
pub mod model;
pub mod nn;
pub mod outputs;
pub mod predict;
pub mod runs;
pub mod settings;
pub mod train;
