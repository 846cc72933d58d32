//! Bytes are an executor or an error; the certificate of what loads can be asked for.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tiebreak::neural::executor::Executor;
use tiebreak::problems::ALGORITHMS;

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let algorithm = ALGORITHMS[usize::from(which) % ALGORITHMS.len()];
    let Ok(steps) = algorithm.steps() else { return };
    if let Ok(executor) = Executor::from_bytes(steps, bytes) {
        executor.certificate();
    }
});
