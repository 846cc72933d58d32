#![no_main]

mod reader;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reader::read_and_write_again(bytes, tiebreak::instance::io::Format::Npy));
