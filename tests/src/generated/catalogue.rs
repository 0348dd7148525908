//! The catalogue's files as they stand, for what is generated from them.
//!
//! It reads the text, not `rules::catalogue`, which cannot know an id before its constant is generated.

use super::repository;

/// One file of the catalogue.
pub struct File {
    /// Its name, such as `10-infantry-artillery.toml`.
    pub name: String,
    table: toml::Table,
}

/// An entry of a file: a rule, an algorithm, a leak.
pub struct Entry<'a> {
    file: &'a str,
    table: &'a toml::Value,
}

/// The files in reading order.
///
/// # Errors
/// A file that cannot be read or is no TOML.
pub fn files() -> Result<Vec<File>, String> {
    let folder = repository().join("rules/catalogue");
    let entries = std::fs::read_dir(&folder).map_err(|fault| format!("{}: {fault}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).map_err(|fault| format!("{}: {fault}", path.display()))?;
        let table = toml::from_str(&text).map_err(|fault| format!("{}: {fault}", path.display()))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(File { name, table })
    };
    paths.iter().map(read).collect()
}

impl File {
    /// The entries of a kind, in the file's order.
    pub fn entries(&self, kind: &str) -> impl Iterator<Item = Entry<'_>> {
        let list = self.table.get(kind).and_then(toml::Value::as_array);
        list.into_iter().flatten().map(|table| Entry { file: &self.name, table })
    }
}

impl<'a> Entry<'a> {
    /// The text under a key, if it is there.
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.table.get(key).and_then(toml::Value::as_str)
    }

    /// The text under a key.
    ///
    /// # Errors
    /// The key is not there.
    pub fn word(&self, key: &str) -> Result<&'a str, String> {
        self.get(key).ok_or_else(|| format!("{}: an entry without `{key}`", self.file))
    }
}
