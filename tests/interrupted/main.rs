//! Long work that something ends in the middle: a file system that fails, a kill at any moment, a request to stop. What is on disk afterwards is
//! what was there before or what should be there, and going on from it ends at the same bits as work that nothing interrupted.
#![cfg(all(unix, debug_assertions))]

mod faults;
mod jobs;
mod kills;
mod requests;
