//! Files that are written from the code or from the catalogue, and checked in: `make gen` writes
//! them, a test fails when one is stale.
//!
//! What is made of the rules themselves, `docs/tables.md` and the like, is written by `gallery`: this crate must build while
//! the rules' own generated constants are stale.
//!
//! To add a file, add a line to [`files`]. To add a root type of the wire, add it to
//! `visit_roots` of [`protocol_types`]; the types it uses follow by themselves.

pub mod catalogue;
pub mod protocol_types;
pub mod rule_ids;
pub mod rulings;

use std::path::{Path, PathBuf};

/// A generated file: where it stands, below the repository's root, and what it should hold.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Path below the repository's root.
    pub path: &'static str,
    /// The whole text.
    pub text: String,
}

impl Generated {
    /// Where the file stands on this machine.
    pub fn location(&self) -> PathBuf {
        repository().join(self.path)
    }

    /// Does the checked-in file differ from what it should hold?
    pub fn is_stale(&self) -> bool {
        std::fs::read_to_string(self.location()).ok().as_ref() != Some(&self.text)
    }
}

/// Every generated file.
///
/// # Errors
/// The catalogue's faults, in words.
pub fn files() -> Result<Vec<Generated>, String> {
    Ok(vec![
        Generated { path: "rules/src/catalogue/ids.rs", text: rule_ids::constants()? },
        Generated { path: "web-client/src/protocol/types.ts", text: protocol_types::typescript()? },
        Generated { path: "docs/protocol/schema.json", text: protocol_types::json_schema()? },
        Generated { path: "docs/rulings.md", text: rulings::page()? },
    ])
}

/// The repository's root: the folder above this crate.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate lies in a folder of the repository")
}
