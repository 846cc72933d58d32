//! A text is an experiment or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tiebreak::reproduce::Experiment;

fuzz_target!(|text: &str| {
    for quick in [false, true] {
        if let Ok(experiment) = Experiment::parse("fuzz", text, quick) {
            experiment.paper_values();
        }
    }
});
