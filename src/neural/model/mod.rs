//! The CLRS network without hints: encode, process, decode; forward, and backward by hand.
//!
//! ```text
//! scalars of vertices ─┐                ┌─ state of each vertex ─┐
//!                      ├─ encode ──▶ process (messages, maximum, ├──▶ decode ──▶ logits of each output
//! scalars of pairs ────┘             gate; R rounds) ◀───────────┘
//! ```
//!
//! Equal to dm-clrs to rounding; `tests/clrs_parity.rs` holds it to that. What makes it fast:
//!
//! | file | idea |
//! |---|---|
//! | `fold` | encoders are linear in one or two scalars: folded into the layers after them, encodings of pairs never stored |
//! | `stack` | graphs of a batch stacked without padding, each for its own number of steps |
//! | `messages`, `messages_back` | ReLU and maximum follow their products block by block; the backward pass is sparse |
//! | `process`, `process_back` | inputs projected once, not at every step; weight gradients as one product over all steps |
//! | `decode`, `decode_pairs`, `triplets`, `loss` | once for each graph; pairs forward and backward in one pass over blocks of children |
//! | `network` | threads go over groups of graphs; sums over groups in a fixed order |

mod decode;
mod decode_pairs;
pub mod features;
mod fold;
mod loss;
mod memory;
mod messages;
mod messages_back;
pub mod network;
mod process;
mod process_back;
pub mod settings;
pub mod spec;
mod stack;
mod tensors;
mod triplets;
mod update;
mod weights;
mod work;

pub use features::{Features, FeaturesError, Target};
pub use memory::{learning_memory, prediction_memory};
pub use network::Network;
pub(crate) use settings::BadWidth;
pub use settings::{NetworkSettings, Processor, Senders};
pub use spec::{Output, OutputKind, Spec};
