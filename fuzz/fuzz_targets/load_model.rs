//! Bytes are a network's parameters or an error; what loads can predict.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use tiebreak::instance::{Graph, Instance};
use tiebreak::neural::predict::Model;
use tiebreak::problems::ALGORITHMS;

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    // By the card of a file, or by a name that the person gives.
    let wanted = ALGORITHMS.get(usize::from(which)).copied();
    let Ok(model) = Model::from_bytes(bytes, Path::new("fuzz"), wanted) else { return };
    let graph = Graph::from_edges(3, [(0, 1), (1, 2)]).expect("a path");
    let instance = Instance::with_source(graph, 0);
    if let Ok(prepared) = model.algorithm().prepare(&instance) {
        model.marginals(&*prepared, None);
    }
});
