//! Settings from a TOML text and changes from the command line; what nobody knows is refused by name.

use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why settings are refused.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// Not TOML, a key that does not exist, or a value of the wrong kind.
    #[error("{0}")]
    Toml(String),
    /// A change that is not `key=value`.
    #[error("'{0}' is not key=value")]
    Change(String),
    /// A value that makes no sense.
    #[error("{key} = {value}: {reason}")]
    Value {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// Why not.
        reason: &'static str,
    },
}

/// Reads a TOML text, then applies changes of the form `key=value` (`model.hidden=32` for a nested key).
pub(crate) fn read<T: DeserializeOwned>(text: &str, changes: &[String]) -> Result<T, SettingsError> {
    let toml_error = |error: toml::de::Error| SettingsError::Toml(error.to_string().trim_end().to_owned());
    let mut table: toml::Table = text.parse().map_err(toml_error)?;
    for change in changes {
        apply(&mut table, change)?;
    }
    table.try_into().map_err(toml_error)
}

fn apply(table: &mut toml::Table, change: &str) -> Result<(), SettingsError> {
    let (key, text) = change.split_once('=').ok_or_else(|| SettingsError::Change(change.to_owned()))?;
    // A text need not be quoted on the command line.
    let value = format!("value = {text}").parse::<toml::Table>().ok().and_then(|mut parsed| parsed.remove("value"));
    let value = value.unwrap_or_else(|| toml::Value::String(text.to_owned()));
    let mut path: Vec<&str> = key.trim().split('.').collect();
    let last = path.pop().unwrap_or_default();
    let mut inner = table;
    for part in path {
        let entry = inner.entry(part).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        inner = entry.as_table_mut().ok_or_else(|| SettingsError::Change(change.to_owned()))?;
    }
    inner.insert(last.to_owned(), value);
    Ok(())
}
