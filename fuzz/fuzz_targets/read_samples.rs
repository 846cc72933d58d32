//! Bytes are a file of samples or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tiebreak::pipeline::generate::samples_from_bytes;

fuzz_target!(|bytes: &[u8]| {
    let _ = samples_from_bytes(bytes);
});
