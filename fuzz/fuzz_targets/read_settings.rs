//! A text is settings of a training or an error; settings are read back from what they are written as.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tiebreak::neural::executor::ExecutorSettings;
use tiebreak::neural::train::TrainSettings;

fuzz_target!(|text: &str| {
    let (text, changes) = text.split_once('\0').unwrap_or((text, ""));
    let changes: Vec<String> = changes.lines().map(str::to_owned).collect();
    if let Ok(settings) = TrainSettings::from_toml(text, &changes) {
        assert_eq!(TrainSettings::from_toml(&settings.to_toml(), &[]).expect("its own text"), settings);
    }
    if let Ok(settings) = ExecutorSettings::from_toml(text, &changes) {
        assert_eq!(ExecutorSettings::from_toml(&settings.to_toml(), &[]).expect("its own text"), settings);
    }
});
