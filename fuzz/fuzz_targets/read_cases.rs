//! A line of JSON is a case or an error, and a case comes back from its own line.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tiebreak::pipeline::cases::Case;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(case) = Case::parse(text) {
        assert_eq!(Case::parse(&case.to_line()).unwrap(), case);
    }
});
