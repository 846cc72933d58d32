//! What a file of parameters says of itself: one JSON object in its metadata.
//!
//! It stands under one key, because several would stand in an order that changes from run to run, and the same
//! training has to give the same bytes.

use safetensors::tensor::SafeTensors;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

const KEY: &str = "tiebreak";

/// The metadata that carry `card`.
pub(crate) fn metadata_of(card: &impl Serialize) -> HashMap<String, String> {
    let text = serde_json::to_string(card).expect("settings and numbers are always JSON");
    HashMap::from([(KEY.to_owned(), text)])
}

/// Reads the card of a safetensors file, or says why there is none.
pub(crate) fn read_card<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Result<T, String> {
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
    let text = header.metadata().as_ref().and_then(|metadata| metadata.get(KEY));
    let text = text.ok_or_else(|| format!("its metadata have no '{KEY}'"))?;
    serde_json::from_str(text).map_err(|error| error.to_string())
}
