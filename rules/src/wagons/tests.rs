use std::sync::Arc;

use protocol::orders::{Draft, Instructions, Stage, UnitDraft};
use protocol::place::Point;

use super::*;
use crate::battle::{Battle, Theatre, Unit, known};
use crate::dice::ScriptedDice;
use crate::orders;
use crate::phases;
use crate::scenario::{Scenario, Special, SpecialKind};
use crate::testing::{self, Maker, battery, infantry, ix, open_ground};

const DRAW: Order = Order::Form { task: FormTask::Resupply {} };

/// A Union wagon at 30, 10 inches: its stand reaches half an inch from there.
fn battle(units: Vec<Maker>, specials: Vec<Special>) -> Battle {
    let wagon = Wagon { id: "wagon".into(), side: Side::Union, at: Point::new(30_000, 10_000) };
    let scenario = Scenario { ground: open_ground(), wagons: vec![wagon], specials, ..Scenario::default() };
    let units = units.into_iter().map(Maker::unit).collect();
    testing::battle(crate::battle::Table::new(Theatre::new(Arc::new(scenario)), units))
}

/// A regiment without ammunition that faces the wagon across so many thousandths.
fn empty(gap: i32) -> Maker {
    infantry("a", Side::Union).at(30_000, 9_500 - gap).with(|unit| unit.ammunition_out_since = Some(1))
}

fn refused(battle: &Battle) -> Vec<String> {
    let said = UnitDraft { order: Some(DRAW), ..UnitDraft::default() };
    let draft = Draft { units: [("a".into(), said)].into(), ..Draft::default() };
    let (known, seat) = (known(battle, Side::Union), testing::seat(Side::Union));
    let refusals = orders::check(&known, Ruleset::standard(), &seat, Stage::Orders, &draft);
    refusals.into_iter().map(|refusal| refusal.rule.to_string()).collect()
}

/// Phases 7 and 8 of a turn in which `a` draws, a change befalling it between them.
fn drawn(mut battle: Battle, change: fn(&mut Unit)) -> (Battle, Vec<String>) {
    testing::give(&mut battle, "a", DRAW, Instructions::default());
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    phases::movement::play(&mut play);
    let a = ix(play.table(), "a");
    change(&mut play.table_mut()[a]);
    play.phase = 8;
    phases::moving_fire::play(&mut play);
    let told = play.events.iter().map(|event| event.rule.to_string()).collect();
    (play.battle, told)
}

fn is_full(battle: &Battle) -> bool {
    !battle.table[ix(&battle.table, "a")].ammunition_out()
}

#[test]
fn ammo_05_a_turn_at_a_wagon_fills_the_boxes() {
    let at = |gap| battle(vec![empty(gap)], Vec::new());
    assert!(refused(&at(1_000)).is_empty());
    assert_eq!(refused(&at(1_010)), ["AMMO-05"]);
    let (after, told) = drawn(at(1_000), |_| ());
    assert!(is_full(&after) && told == ["AMMO-05"]);
    // Told so by whatever way, it must stand there.
    assert!(!is_full(&drawn(at(1_010), |_| ()).0));
}

#[test]
fn ammo_05_and_ammo_10_a_battery_fills_its_chests_canister_included() {
    let guns = |weapon: &str| {
        let guns = battery("a", Side::Union).weapon(weapon).at(30_000, 9_500).with(|unit| {
            unit.ammunition_out_since = Some(1);
            unit.guns.as_mut().expect("a battery has guns").canister = 0;
        });
        let (after, _) = drawn(battle(vec![guns], Vec::new()), |_| ());
        (is_full(&after), after.table[ix(&after.table, "a")].guns.as_ref().map(|guns| guns.canister))
    };
    assert_eq!(guns("napoleon_12"), (true, Some(2)));
    // Siege guns have two rounds of canister for the whole battle. ARTY-52
    assert_eq!(guns("siege_parrott_30"), (true, Some(0)));
}

#[test]
fn ammo_05_it_takes_the_whole_turn() {
    let interrupted = |change: fn(&mut Unit)| !is_full(&drawn(battle(vec![empty(0)], Vec::new()), change).0);
    assert!(interrupted(|unit| unit.marks.fires = 1));
    assert!(interrupted(|unit| unit.marks.fell_back = true));
    assert!(interrupted(|unit| unit.marks.moved = true));
    assert!(interrupted(|unit| unit.marks.conditional_hold = true));
    assert!(interrupted(|unit| unit.marks.charged_by = Some("z".into())));
}

#[test]
fn ammo_05_not_where_the_scenario_bars_it() {
    let barred = |resupply: bool| {
        let rule = Special {
            id: "few".to_owned(),
            kind: SpecialKind::Ammunition { fires: None, canister_only: false, resupply },
            side: Some(Side::Union),
            who: Vec::new(),
            arm: None,
            formation: Vec::new(),
            place: None,
            turns: None,
            optional: false,
            note: String::new(),
        };
        refused(&battle(vec![empty(0)], vec![rule]))
    };
    assert_eq!((barred(false), barred(true)), (vec!["SCNS-11".to_owned()], Vec::new()));
}

#[test]
fn ammo_06_a_foot_behind_the_line_and_from_the_enemy() {
    // The wagon's stand ends at y = 10.5. Infantry faces north, its rear 0.625 behind its anchor.
    let serves = |others: Vec<Maker>| {
        let units = [vec![empty(0)], others].concat();
        let (after, told) = drawn(battle(units, Vec::new()), |_| ());
        assert_eq!(told.contains(&"AMMO-06".to_owned()), !is_full(&after), "its owner is told why not");
        is_full(&after)
    };
    let friend = |rear: i32| infantry("b", Side::Union).at(30_000, rear + 625).with(|unit| unit.footing.prone = true);
    let enemy =
        |y: i32| infantry("z", Side::Confederate).at(30_000, y).facing(18_000).with(|unit| unit.footing.prone = true);
    // Nobody fires: all lie prone. The enemy is seen 12 inches and more off.
    assert!(serves(vec![enemy(22_500)]));
    assert!(!serves(vec![enemy(22_490)]));
    // A friend is of the line while an enemy in sight is within twelve inches of it.
    assert!(serves(vec![friend(22_500), enemy(30_000)]));
    assert!(!serves(vec![friend(22_490), enemy(30_000)]));
    assert!(serves(vec![friend(15_000), enemy(30_000)]), "the enemy is 14.375 inches off");
    // Skirmishers, routed men and limbered guns are none of it.
    assert!(serves(vec![friend(22_000).with(|unit| unit.footing.formation = Formation::SkirmishLine), enemy(30_000)]));
    let limbers = battery("b", Side::Union).at(30_000, 23_000).formation(Formation::Limbered);
    assert!(serves(vec![limbers, enemy(30_000)]));
}

#[test]
fn ammo_06_an_enemy_who_touches_a_wagon_destroys_it() {
    let left = |side: Side, front: i32, routed: bool| {
        let passer = infantry("z", side).at(30_000, front).facing(18_000);
        let passer = if routed { passer.morale(protocol::event::Morale::Routed) } else { passer };
        let battle = battle(vec![passer], Vec::new());
        let dice = ScriptedDice::new();
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
        play.phase = 7;
        overrun(&mut play);
        let view = crate::view::view(play.rules, &play.battle, Stage::Orders, &protocol::view::Viewer::Umpire {});
        assert_eq!(view.wagons.len(), standing(play.table()).count());
        view.wagons.len()
    };
    assert_eq!([left(Side::Confederate, 10_500, false), left(Side::Confederate, 10_510, false)], [0, 1]);
    assert_eq!([left(Side::Union, 10_500, false), left(Side::Confederate, 10_500, true)], [1, 1]);
}

#[test]
fn ammo_06_a_wagon_is_lost_on_the_way_of_a_march() {
    let passer = infantry("z", Side::Confederate).at(30_000, 14_000).facing(18_000);
    let mut battle = battle(vec![passer], Vec::new());
    let path = vec![Point::new(30_000, 9_000)];
    let march = Order::Move(protocol::orders::MoveOrder { path, ..Default::default() });
    testing::give(&mut battle, "z", march, Instructions::default());
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    phases::movement::play(&mut play);
    assert!(play.table().lost_wagons.contains(&UnitId::new("wagon")));
}

#[test]
fn ammo_06_while_the_sides_place_their_units_each_sees_only_its_own_wagons() {
    let seen = |turn: u32, side: Side| {
        let mut battle = battle(vec![empty(0)], Vec::new());
        battle.table.turn = turn;
        let viewer = protocol::view::Viewer::Side { side };
        crate::view::view(Ruleset::standard(), &battle, Stage::Orders, &viewer).wagons.len()
    };
    assert_eq!([seen(0, Side::Union), seen(0, Side::Confederate)], [1, 0]);
    assert_eq!([seen(1, Side::Union), seen(1, Side::Confederate)], [1, 1]);
}
