//! Every fuzz target, in one program, because linking twenty would take longer than running them: `FUZZ_TARGET` names the one to run.
//! Without it the program lists their names.

#![no_main]

mod loaders;
mod readers;
mod verify;

use std::sync::LazyLock;
use tiebreak::instance::io::Format;

type Target = Box<dyn Fn(&[u8]) + Send + Sync>;
type Plain = fn(&[u8]);

/// The targets with their names; every format that can be read has one of its own.
fn targets() -> Vec<(String, Target)> {
    let reader = |format: Format| -> (String, Target) {
        (format!("read_{}", format.name().replace('-', "_")), Box::new(move |bytes| readers::graph(bytes, format)))
    };
    let others: [(&str, Plain); 14] = [
        ("read_options", readers::table_with_options),
        ("read_array", readers::array),
        ("read_items", readers::items),
        ("read_observations", readers::observations),
        ("read_cases", readers::cases),
        ("read_samples", readers::samples),
        ("read_settings", loaders::settings),
        ("read_experiment", loaders::experiment),
        ("read_log", loaders::log),
        ("read_results", loaders::results),
        ("load_network", loaders::network),
        ("load_executor", loaders::executor),
        ("load_cost", loaders::cost),
        ("load_checkpoint", loaders::checkpoint),
    ];
    let formats = Format::ALL.into_iter().filter(|format| format.can_be_read()).map(reader);
    let others = others.into_iter().map(|(name, target)| (name.to_owned(), Box::new(target) as Target));
    formats.chain(others).chain([("verify".to_owned(), Box::new(verify::verify) as Target)]).collect()
}

static CHOSEN: LazyLock<Target> = LazyLock::new(|| {
    let wanted = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let mut known = targets();
    match known.iter().position(|(name, _)| *name == wanted) {
        Some(place) => known.swap_remove(place).1,
        None => {
            known.iter().for_each(|(name, _)| println!("{name}"));
            std::process::exit(if wanted.is_empty() { 0 } else { 2 });
        }
    }
});

libfuzzer_sys::fuzz_target!(init: { LazyLock::force(&CHOSEN); }, |bytes: &[u8]| CHOSEN(bytes));
