//! The scenarios that come along, each as its file prints it: sound, standing clear, worth points to both sides.
//!
//! A file is read at run time; a new one is looked at without a line here.

#![expect(clippy::disallowed_methods, reason = "a test reads its files")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use protocol::ids::{BySide, Side};
use rules::battle::Theatre;
use rules::geometry::overlaps_beyond_eps;
use rules::ruleset::Ruleset;
use rules::scenario::{self, Scenario};
use rules::setup::{self, Seating};

/// Every scenario of the folder, with its file's name.
fn scenarios() -> Vec<(String, Arc<Scenario>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let files = fs::read_dir(folder).expect("the scenarios are there");
    let mut found = Vec::new();
    for path in
        files.map(|file| file.expect("a file").path()).filter(|path| path.extension().is_some_and(|e| e == "toml"))
    {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("it can be read");
        let scenario = scenario::read(&text).unwrap_or_else(|faults| {
            let faults = faults.iter().map(ToString::to_string).collect::<Vec<_>>();
            panic!("{name}: {}", faults.join("\n"))
        });
        found.push((name, Arc::new(scenario)));
    }
    assert!(7 <= found.len(), "seven battles come along, and {} were found", found.len());
    found
}

#[test]
fn scn_01_a_file_is_called_as_its_battle_and_both_sides_may_score() {
    for (name, scenario) in scenarios() {
        assert_eq!(scenario.id.as_str(), name);
        for side in Side::BOTH {
            let scores = scenario.victory.iter().any(|term| term.side.includes(side));
            assert!(scores, "{name}: nothing is worth points to the {side}");
        }
    }
}

/// SCN-06 What overlaps gives way before turn 1: a file that is well drawn moves nobody, with the optional troops or
/// without.
#[test]
fn scn_06_every_printed_deployment_stands_clear_and_on_the_table() {
    for (name, scenario) in scenarios() {
        let optional: BTreeSet<String> = scenario
            .forces
            .iter()
            .filter(|force| force.optional)
            .map(|force| force.id.as_str().to_owned())
            .chain(scenario.arrivals.iter().filter(|arrival| arrival.optional).map(|arrival| arrival.id.clone()))
            .collect();
        for switched_on in [BTreeSet::new(), optional] {
            let theatre = Theatre::new(Arc::clone(&scenario));
            let sealed = BySide::default();
            let battle = setup::start(&theatre, Ruleset::standard(), &Seating::one_each(), &switched_on, &sealed);
            let standing: Vec<_> = battle.table.units().filter(|(_, unit)| unit.on_table()).collect();
            for (index, (_, unit)) in standing.iter().enumerate() {
                let id = &unit.id;
                let printed =
                    scenario.force(id.as_str()).and_then(|force| force.standing).expect("it stands somewhere");
                assert_eq!(unit.footing.anchor, printed.at, "{name}: {id} had to give way");
                for corner in unit.layout().hull() {
                    let inside = (0..=scenario.ground.width).contains(&corner.x)
                        && (0..=scenario.ground.height).contains(&corner.y);
                    assert!(inside, "{name}: {id} stands over the edge");
                }
                for (_, other) in standing.iter().skip(index + 1) {
                    let (own, theirs) = (unit.layout(), other.layout());
                    let clear =
                        own.rects().all(|one| theirs.rects().all(|rect| !overlaps_beyond_eps(one, &rect.corners)));
                    assert!(clear, "{name}: {id} stands on {}", other.id);
                }
            }
        }
    }
}
