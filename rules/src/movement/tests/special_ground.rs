//! Ground that a scenario's special rules make other ground, and what they allow a unit in a turn.

use protocol::ids::Side::Union;
use protocol::words::{Arm, Formation};

use super::*;
use crate::ground::{Halt, PathCost, PathLeg, Pricing, Rates};
use crate::scenario::{DisorderWord, FormationWord, GroundUse, PlaceTerm, Scenario, Special, SpecialKind};
use crate::{battle::Theatre, specials};

/// The place of the special rule: a strip from 13 to 17 inches north.
fn strip() -> PlaceTerm {
    PlaceTerm::Area(vec![p(0, 13_000), p(60_000, 13_000), p(60_000, 17_000), p(0, 17_000)])
}

fn special(kind: SpecialKind) -> Special {
    Special {
        id: "ledge".to_owned(),
        kind,
        side: None,
        who: Vec::new(),
        arm: None,
        formation: Vec::new(),
        place: Some(strip()),
        turns: None,
        optional: false,
        note: String::new(),
    }
}

fn as_ground(terrain: Terrain) -> Special {
    special(SpecialKind::Terrain { treated_as: Some(terrain), wooded: None, uses: vec![GroundUse::Movement] })
}

/// A unit alone under a special rule.
fn under(special: Special, ground: Ground, unit: Maker) -> Table {
    let scenario = Scenario { ground, specials: vec![special], ..Scenario::default() };
    Table::new(Theatre::new(std::sync::Arc::new(scenario)), vec![unit.unit()])
}

fn skirmishers() -> Maker {
    infantry("u", Union).at(30_000, 13_000).formation(Formation::SkirmishLine)
}

#[test]
fn scns_07_the_ground_counts_as_the_rule_says_up_to_the_border_of_its_place() {
    // Rough as woods: 4 inches a turn in the strip, where rough ground gives 3.
    let table = under(as_ground(Terrain::Woods), ground_from(0, Terrain::Rough), skirmishers());
    assert_eq!(end_of(&compiled(&table, "u", &path(&[(30_000, 30_000)]))), (30_000, 17_000));
    // Half the turn for two inches within it, and half for an inch and a half of the rough ground that follows.
    let table = under(as_ground(Terrain::Woods), ground_from(0, Terrain::Rough), skirmishers().at(30_000, 15_000));
    let program = compiled(&table, "u", &path(&[(30_000, 30_000)]));
    assert_eq!(end_of(&program), (30_000, 18_500));
    let pieces: Vec<(&str, u32)> = program.pieces.iter().map(|piece| (piece.label.as_str(), piece.length)).collect();
    assert_eq!(pieces, [("woods", 2_000), ("rough", 1_500)]);
    assert!(program.notes.iter().any(|note| note.rule.as_str() == "SCNS-07"), "{:?}", program.notes);
}

#[test]
fn scns_07_only_for_the_formations_that_the_rule_names() {
    let rule = Special {
        formation: vec![FormationWord::In(Formation::SkirmishLine), FormationWord::Disorder(DisorderWord::Disorder)],
        ..as_ground(Terrain::Woods)
    };
    let goes = |unit: Maker| {
        let table = under(rule.clone(), ground_from(0, Terrain::Rough), unit.at(30_000, 13_000));
        end_of(&compiled(&table, "u", &path(&[(30_000, 30_000)]))).1 - 13_000
    };
    assert_eq!(goes(skirmishers()), 4_000);
    assert_eq!(goes(infantry("u", Union).disordered()), 3_000);
    assert_eq!(goes(infantry("u", Union)), 1_000, "a line in order has rough ground before it");
}

#[test]
fn scns_07_forming_where_rough_ground_counts_as_open_takes_the_time_of_open_ground() {
    let order = MoveOrder {
        form_first: Some(protocol::orders::FormTask::Formation {
            formation: Formation::DoubleLine,
            facing: None,
            pivot: None,
            gap: None,
        }),
        ..MoveOrder::default()
    };
    let line = || infantry("u", Union).at(30_000, 15_000);
    let table = under(as_ground(Terrain::Open), ground_from(0, Terrain::Rough), line());
    assert_eq!(compiled(&table, "u", &order).spent(), TURN / 2);
    let beyond = under(as_ground(Terrain::Open), ground_from(0, Terrain::Rough), line().at(30_000, 30_000));
    assert_eq!(compiled(&beyond, "u", &order).spent(), TURN, "FORM-34 rules elsewhere");
}

#[test]
fn scns_09_guns_are_hauled_where_they_cannot_be_driven() {
    // No rate in rough ground; the rule allows two inches a turn in the strip.
    let guns = || battery("u", Union).formation(Formation::Limbered).at(30_000, 13_000);
    let haul = || special(SpecialKind::MoveAllowance { inches: 2_000, after_own_fire: false });
    let table = under(haul(), ground_from(0, Terrain::Rough), guns());
    let program = compiled(&table, "u", &path(&[(30_000, 30_000)]));
    assert_eq!((end_of(&program), program.spent()), ((30_000, 15_000), TURN));
    assert_eq!(program.pieces[0].rule.as_str(), "SCNS-09");
    // Nothing carries them beyond it.
    let table = under(haul(), ground_from(0, Terrain::Rough), guns().at(30_000, 16_000));
    let program = compiled(&table, "u", &path(&[(30_000, 30_000)]));
    assert_eq!((end_of(&program), program.spent()), ((30_000, 17_000), TURN / 2));
    assert_eq!(program.stops.map(|(rule, _)| rule.as_str()), Some("MV-03"));
    // The rest of the turn is spent elsewhere: an inch of the strip is half of it, half of 16 inches follow.
    let table = under(haul(), open_ground(), guns().at(30_000, 16_000));
    assert_eq!(end_of(&compiled(&table, "u", &path(&[(30_000, 40_000)]))), (30_000, 25_000));
    // Without horses nothing is hauled. ARTY-39
    let stuck = guns().with(|unit| unit.guns.as_mut().expect("a battery has guns").horses = 0);
    let table = under(haul(), open_ground(), stuck);
    assert_eq!(end_of(&compiled(&table, "u", &path(&[(30_000, 40_000)]))), (30_000, 13_000));
}

#[test]
fn scns_01_a_rule_for_another_arm_or_turn_changes_nothing() {
    let guns = || battery("u", Union).formation(Formation::Limbered).at(30_000, 13_000);
    let haul = special(SpecialKind::MoveAllowance { inches: 2_000, after_own_fire: false });
    let goes = |rule: Special| {
        let table = under(rule, open_ground(), guns());
        end_of(&compiled(&table, "u", &path(&[(30_000, 40_000)]))).1 - 13_000
    };
    assert_eq!(goes(haul.clone()), 2_000);
    assert_eq!(goes(Special { arm: Some(Arm::Cavalry), ..haul.clone() }), 16_000);
    assert_eq!(goes(Special { turns: Some((2, 3)), ..haul.clone() }), 16_000);
    assert_eq!(goes(Special { optional: true, ..haul }), 16_000);
}

#[test]
fn scns_07_the_border_of_a_place_is_found_to_a_thousandth_on_any_leg() {
    let unit = skirmishers();
    let table = under(as_ground(Terrain::Woods), ground_from(0, Terrain::Rough), unit);
    let subject = &table[ix(&table, "u")];
    let bends = specials::bends(&table, subject, &subject.footing);
    let ground = table.ground().bent(&bends);
    // Steep and slanting legs through the strip, from 3 inches before it to 2 beyond.
    for (from, to) in [(p(20_000, 10_000), p(20_000, 19_000)), (p(20_000, 10_000), p(32_000, 19_000))] {
        let rates = Rates { woods: Some(4_000), rough: Some(3_000), ..Rates::default() };
        let legs = [PathLeg { to, front: &[] }];
        let prices = crate::ground::CrossingPrices::default();
        let cost = PathCost::new(&ground, from, &legs, &rates, &prices, Pricing::Move, TURN);
        let borders: Vec<i32> = cost
            .steps()
            .iter()
            .filter_map(|step| match step {
                crate::ground::Step::Ground { to, .. } => Some(*to),
                crate::ground::Step::Crossing { .. } => None,
            })
            .collect();
        let heights: Vec<i32> = borders.iter().map(|travel| cost.point(*travel).y).collect();
        assert_eq!(borders.len(), 3, "{borders:?}");
        // Boundaries count as inside, with the tolerance of SCALE-07.
        assert!((heights[0] - 13_000).abs() <= 3 && (heights[1] - 17_000).abs() <= 3, "{heights:?}");
        assert_eq!(cost.halt(), None::<&Halt>);
    }
}

#[test]
fn arty_05_a_scenario_restricts_guns_in_woods_and_lowers_the_push() {
    // Limbered guns make an inch in woods. The rule allows them half an inch in the strip, and says nothing of infantry.
    let half = || Special {
        arm: Some(Arm::Artillery),
        ..special(SpecialKind::MoveAllowance { inches: 500, after_own_fire: false })
    };
    let goes = |rule: Option<Special>, unit: Maker| {
        let ground = ground_from(0, Terrain::Woods);
        let table = match rule {
            Some(rule) => under(rule, ground, unit),
            None => table(ground, [unit]),
        };
        end_of(&compiled(&table, "u", &path(&[(30_000, 40_000)]))).1 - 13_000
    };
    let guns = || battery("u", Union).formation(Formation::Limbered).at(30_000, 13_000);
    assert_eq!([goes(None, guns()), goes(Some(half()), guns())], [1_000, 500]);
    assert_eq!(goes(Some(half()), skirmishers()), goes(None, skirmishers()));
    // Broken ground that counts as rough: 12 inches and a push of 2 become 1 and 0.5 for a line.
    let pushed = |rule: Option<Special>| {
        let ground = ground_from(0, Terrain::Broken);
        let line = infantry("u", Union).at(30_000, 13_000);
        let table = match rule {
            Some(rule) => under(rule, ground, line),
            None => table(ground, [line]),
        };
        let march = MoveOrder { push: true, ..path(&[(30_000, 40_000)]) };
        let program = compiled(&table, "u", &march);
        program.pieces.iter().find(|piece| piece.label == "push").map(|piece| piece.length)
    };
    assert_eq!([pushed(None), pushed(Some(as_ground(Terrain::Rough)))], [Some(2_000), Some(500)]);
}
