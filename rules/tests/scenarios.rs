//! What must hold of every battle on the shelf.

#![expect(
    clippy::disallowed_methods,
    reason = "the battles stand in files, which only a test of the rules may read"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rules::battle::{Battle, Theatre};
use rules::geometry::overlaps_beyond_eps;
use rules::ruleset::Ruleset;
use rules::scenario;
use rules::setup::{self, Seating};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let entries = fs::read_dir(folder).expect("the project has its battles");
    let paths = entries.map(|entry| entry.expect("a folder lists its files").path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ends| ends == "toml")).collect();
    files.sort();
    files
}

fn each_at_its_start(mut look: impl FnMut(&str, Battle)) {
    for file in files() {
        let text = fs::read_to_string(&file).expect("a battle is text");
        let name = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let scenario = scenario::read(&text).unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
        assert_eq!(scenario.id.as_str(), name, "a file is named for its battle");
        let theatre = Theatre::new(Arc::new(scenario));
        let none = Default::default();
        look(&name, setup::start(&theatre, Ruleset::standard(), &Seating::one_each(), &Default::default(), &none));
    }
}

#[test]
fn no_two_units_begin_on_one_another() {
    each_at_its_start(|name, battle| {
        for (one, unit) in battle.table.units() {
            for (other, another) in battle.table.units().filter(|(other, _)| one < *other) {
                let (own, theirs) = (battle.table.layout(one), battle.table.layout(other));
                let overlap = own.rects().any(|a| theirs.rects().any(|b| overlaps_beyond_eps(a, &b.corners)));
                assert!(!overlap, "{name}: {} stands on {}", unit.name, another.name);
            }
        }
    });
}
