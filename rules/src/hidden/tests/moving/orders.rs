//! What may be said to a picket.

use protocol::orders::{ConditionalHoldIf, FormTask, OpenFire, PathAnswer, Reveal, Stop, Toward};
use protocol::place::Bearing;
use protocol::words::{Formation, Quality};

use super::*;
use crate::ground::{Area, Ground, Terrain, Wooded};
use crate::testing::{battery, open_ground, tell_picket};

const BOTH: [PicketNumber; 2] = [REAL, DUMMY];

/// The words of a refusal without the picket's own number.
fn words(battle: &Battle, number: PicketNumber, order: &Order) -> Vec<String> {
    let found = refused(battle, Stage::Orders, number, said(order.clone(), Instructions::default()));
    found.into_iter().map(|(_, _, message)| message.replace(&number.0.to_string(), "N")).collect()
}

#[test]
fn hid_17_a_charge_is_refused_to_every_picket_in_the_same_words() {
    let battle = field_of(regiment());
    let charge = Order::Charge { target: None, bearing: None, objective: None, support_of: None };
    let real = words(&battle, REAL, &charge);
    assert_eq!(real.len(), 1);
    assert!(real[0].contains("HID-17"), "{real:?}");
    assert_eq!(real, words(&battle, DUMMY, &charge));
}

#[test]
fn hid_17_and_hid_19_every_other_order_is_taken_by_real_and_dummy() {
    let battle = field_of(regiment());
    let facing = Some(Bearing::EAST);
    let form = FormTask::Formation { formation: Formation::SingleLine, facing, pivot: None, gap: None };
    let orders = [
        Order::FirstFire {},
        Order::Hold { task: None },
        Order::Form { task: form },
        Order::Form { task: FormTask::Face { facing: Bearing::SOUTH } },
        Order::Move(path(&[(10_000, 14_000)])),
    ];
    for order in orders {
        assert_eq!(rules_against(&battle, REAL, order.clone()), [""; 0], "{order:?}");
    }
    // The dummy stands at 20, 10.
    let orders = [
        Order::FirstFire {},
        Order::Hold { task: None },
        Order::Form { task: FormTask::Square {} },
        Order::Form { task: FormTask::Mount { formation: Formation::SingleLine } },
        Order::Move(path(&[(20_000, 14_000)])),
    ];
    for order in orders {
        assert_eq!(rules_against(&battle, DUMMY, order.clone()), [""; 0], "{order:?}");
    }
}

#[test]
fn hid_19_a_dummy_takes_every_key_that_a_real_picket_may() {
    let battle = field_of(regiment());
    let keys = Instructions {
        conditional_hold_if: Some(ConditionalHoldIf::ThreatMarkedHold),
        reveal: Some(Reveal::WithOrders {}),
        open_fire: Some(OpenFire::AtClose {}),
        disengage_travel: Some(3_000),
        disengage_toward: Some(Toward::Bearing { bearing: Bearing::SOUTH }),
        stop: Some(Stop::OnSight {}),
        fire: Some(false),
        ..Instructions::default()
    };
    for number in BOTH {
        let said = said(Order::Hold { task: None }, keys.clone());
        assert!(refused(&battle, Stage::Orders, number, said).is_empty());
    }
}

#[test]
fn hid_23_a_dummy_goes_no_farther_than_a_skirmish_line() {
    // Ten inches in the open; in woods four.
    let battle = field_of(regiment());
    assert_eq!(rules_against(&battle, DUMMY, Order::Move(path(&[(20_000, 20_000)]))), [""; 0]);
    assert_eq!(rules_against(&battle, DUMMY, Order::Move(path(&[(20_000, 20_010)]))), ["HID-23"]);
    let outline = vec![p(0, 12_000), p(60_000, 12_000), p(60_000, 30_000), p(0, 30_000)];
    let (terrain, wooded) = (Terrain::Woods, Wooded::Light);
    let area = Area { id: "area".into(), name: "area".to_owned(), terrain, wooded, outline };
    let ground = Ground { areas: vec![area], ..open_ground() };
    let mut battle = crate::testing::battle(crate::testing::table(ground, []));
    hide(&mut battle, DUMMY, None, (20_000, 10_000), Side::Confederate);
    // Two inches of ten are a fifth of the turn; four fifths of four inches are 3.2.
    assert_eq!(rules_against(&battle, DUMMY, Order::Move(path(&[(20_000, 15_200)]))), [""; 0]);
    assert_eq!(rules_against(&battle, DUMMY, Order::Move(path(&[(20_000, 15_210)]))), ["HID-23"]);
    let push = MoveOrder { push: true, ..path(&[(20_000, 12_000)]) };
    assert_eq!(rules_against(&battle, DUMMY, Order::Move(push)), ["HID-23"]);
}

#[test]
fn hid_22_a_real_picket_is_refused_what_its_formation_cannot_go_and_nothing_is_cut() {
    // A line moves six inches in the open.
    let battle = field_of(regiment());
    assert_eq!(rules_against(&battle, REAL, Order::Move(path(&[(10_000, 16_000)]))), [""; 0]);
    assert_eq!(rules_against(&battle, REAL, Order::Move(path(&[(10_000, 16_010)]))), ["HID-22"]);
    // With half a turn for a change of formation three are left, at the rate of the old one.
    let task = FormTask::Formation { formation: Formation::DoubleLine, facing: None, pivot: None, gap: None };
    let last = |y| MoveOrder { form_last: Some(task.clone()), ..path(&[(10_000, y)]) };
    assert_eq!(rules_against(&battle, REAL, Order::Move(last(13_000))), [""; 0]);
    assert_eq!(rules_against(&battle, REAL, Order::Move(last(13_010))), ["HID-22"]);
}

#[test]
fn hid_22_only_the_ground_under_the_markers_line_is_paid() {
    // The regiment's left half stands in rough ground, where an open line pays one inch a turn.
    let outline = vec![p(0, 0), p(9_500, 0), p(9_500, 60_000), p(0, 60_000)];
    let (terrain, wooded) = (Terrain::Rough, Wooded::None);
    let area = Area { id: "area".into(), name: "area".to_owned(), terrain, wooded, outline };
    let ground = Ground { areas: vec![area], ..open_ground() };
    let mut battle = crate::testing::battle(crate::testing::table(ground, []));
    hide(&mut battle, REAL, Some(regiment().at(10_000, 10_000)), (10_000, 10_000), Side::Confederate);
    assert_eq!(rules_against(&battle, REAL, Order::Move(path(&[(10_000, 16_000)]))), [""; 0]);
}

#[test]
fn hid_26_a_push_lengthens_the_line_of_a_real_picket() {
    // Six inches and three more in the open.
    let battle = field_of(regiment());
    let push = |y| MoveOrder { push: true, ..path(&[(10_000, y)]) };
    assert_eq!(rules_against(&battle, REAL, Order::Move(push(19_000))), [""; 0]);
    assert_eq!(rules_against(&battle, REAL, Order::Move(push(19_010))), ["HID-22"]);
}

#[test]
fn hid_27_no_picket_is_led_over_an_open_friend_who_is_no_skirmisher() {
    for (formation, rules) in [(Formation::SingleLine, vec!["HID-27"]), (Formation::SkirmishLine, vec![])] {
        for number in BOTH {
            let mut battle = field_of(regiment());
            let x = at(&battle, number).0;
            let friend = infantry("grey", Side::Confederate).formation(formation).at(x, 13_000);
            battle.table.insert(friend.unit());
            let found = rules_against(&battle, number, Order::Move(path(&[(x, 15_000)])));
            assert_eq!(found, rules, "{number:?} {formation}");
            assert_eq!(rules_against(&battle, number, Order::Move(path(&[(x, 12_000)]))), [""; 0]);
        }
    }
}

#[test]
fn hid_28_and_leak_36_a_hidden_battery_keeps_off_open_enemies_and_from_no_marker() {
    // Guns stay six inches, or four, from infantry in sight; the numbers are the tables'.
    let limit = Ruleset::standard().movement_limits.artillery_min_distance_to_infantry.thousandths();
    let hidden = || battery("hidden", Side::Confederate).formation(Formation::Limbered);
    let mut battle = field_of(hidden());
    let enemy = infantry("near", Side::Union).at(10_000, 12_000 + limit).facing(18_000);
    battle.table.insert(enemy.unit());
    assert_eq!(rules_against(&battle, REAL, Order::Move(path(&[(10_000, 11_500)]))), [""; 0]);
    assert_eq!(rules_against(&battle, REAL, Order::Move(path(&[(10_000, 12_500)]))), ["ARTY-04"]);
    // A marker with a regiment under it limits nobody.
    let mut battle = field_of(hidden());
    let enemy = infantry("near", Side::Union).at(10_000, 12_000 + limit);
    hide(&mut battle, PicketNumber(100), Some(enemy), (10_000, 12_000 + limit), Side::Union);
    assert_eq!(rules_against(&battle, REAL, Order::Move(path(&[(10_000, 12_500)]))), [""; 0]);
}

#[test]
fn hid_62_and_leak_91_a_disengagement_names_its_length_real_or_dummy() {
    let battle = field_of(regiment());
    let leave = |travel| {
        let keys = Instructions { disengage_travel: travel, ..Instructions::default() };
        said(Order::Disengage { abandon_guns: false }, keys)
    };
    let rules = |number, travel| -> Vec<String> {
        refused(&battle, Stage::Orders, number, leave(travel)).into_iter().map(|(_, rule, _)| rule).collect()
    };
    for number in BOTH {
        assert_eq!(rules(number, None), ["HID-62"]);
        assert_eq!(rules(number, Some(4_000)), [""; 0]);
    }
    // The dummy may go ten inches; the enemy is due north, and there are ten to the southern edge.
    assert_eq!(rules(DUMMY, Some(9_000)), [""; 0]);
    // In disorder infantry moves so much in the open.
    let row = Ruleset::standard().rates(crate::ruleset::Branch::Infantry, crate::ruleset::FormationRow::Disorder);
    let most = row.and_then(|row| row.at(Terrain::Open)).expect("the table has it").0.unsigned_abs();
    assert_eq!(rules(REAL, Some(most)), [""; 0]);
    assert_eq!(rules(REAL, Some(most + 20)), ["HID-62"]);
}

#[test]
fn hid_81_and_leak_92_a_picket_stops_only_on_sight_or_before_a_distance() {
    let battle = field_of(regiment());
    let with = |stop| said(Order::Hold { task: None }, Instructions { stop: Some(stop), ..Instructions::default() });
    for number in BOTH {
        for stop in [Stop::Never {}, Stop::OnSight {}, Stop::Before { distance: 5_000 }] {
            assert!(refused(&battle, Stage::Orders, number, with(stop)).is_empty());
        }
        for stop in [Stop::BeforeClose {}, Stop::IfFiredOn {}, Stop::After { travel: 2_000 }] {
            let found = refused(&battle, Stage::Orders, number, with(stop));
            assert_eq!(found.len(), 1);
            assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("stop", "HID-81"));
        }
    }
}

/// Both pickets on a march straight north, revealed as such.
fn marching() -> Battle {
    let mut battle = field_of(regiment());
    for (number, x) in [(REAL, 10_000), (DUMMY, 20_000)] {
        tell_picket(&mut battle, number, Order::Move(path(&[(x, 14_000)])), Instructions::default());
    }
    phase(Stage::Orders, 3, battle, &ScriptedDice::new(), crate::hidden::reveal).0
}

#[test]
fn hid_83_a_path_bends_by_45_degrees_off_the_bearing_in_whole_degrees_that_was_shown() {
    let battle = marching();
    let bent = |points: &[(i32, i32)]| {
        let points = points.iter().map(|&(x, y)| p(x, y)).collect();
        let path = Some(PathAnswer::Waypoints { points, no_push: false });
        UnitDraft { instructions: Instructions { path, ..Instructions::default() }, ..UnitDraft::default() }
    };
    for (number, x) in [(REAL, 10_000), (DUMMY, 20_000)] {
        for stage in [Stage::Reactions, Stage::Charges, Stage::Movement] {
            // 45 degrees to the right, and a little more.
            assert!(refused(&battle, stage, number, bent(&[(x + 2_000, 12_000)])).is_empty(), "{number:?}");
            let found = refused(&battle, stage, number, bent(&[(x + 2_010, 12_000)]));
            assert_eq!(
                found.iter().map(|(key, rule, _)| (key.as_str(), rule.as_str())).collect::<Vec<_>>(),
                [("path", "MV-31")]
            );
        }
        let found = refused(&battle, Stage::Orders, number, bent(&[(x, 12_000)]));
        assert_eq!(found.len(), 1, "with the orders there is nothing to bend");
    }
    // The new line is paid from the marker's place: of six inches for the line, of ten for the dummy.
    assert_eq!(refused(&battle, Stage::Movement, REAL, bent(&[(10_000, 16_010)]))[0].1, "HID-22");
    assert_eq!(refused(&battle, Stage::Movement, DUMMY, bent(&[(20_000, 20_010)]))[0].1, "HID-23");
    assert!(refused(&battle, Stage::Movement, DUMMY, bent(&[(20_000, 20_000)])).is_empty());
}

#[test]
fn leak_21_and_leak_66_a_strange_number_is_refused_alike_whoever_has_it() {
    let mut battle = field_of(regiment());
    hide(&mut battle, PicketNumber(100), Some(infantry("theirs", Side::Union)), (30_000, 30_000), Side::Union);
    hide(&mut battle, PicketNumber(101), None, (33_000, 30_000), Side::Union);
    let words = |number: u32| {
        let found =
            refused(&battle, Stage::Orders, PicketNumber(number), said(Order::FirstFire {}, Instructions::default()));
        found.into_iter().map(|(_, _, message)| message.replace(&number.to_string(), "N")).collect::<Vec<_>>()
    };
    assert_eq!(words(100), ["refused (ORD-01): you command no picket N"]);
    assert_eq!(words(100), words(101));
    assert_eq!(words(100), words(999));
}

#[test]
fn leak_34_and_leak_71_what_hides_in_the_way_changes_no_answer() {
    let free = field_of(regiment());
    let mut beset = field_of(regiment());
    hide(&mut beset, PicketNumber(100), Some(infantry("theirs", Side::Union)), (10_000, 13_000), Side::Union);
    let mut feint = field_of(regiment());
    hide(&mut feint, PicketNumber(100), None, (10_000, 13_000), Side::Union);
    let order = Order::Move(path(&[(10_000, 15_000)]));
    let preview = |battle: &Battle| {
        crate::orders::preview_picket(&known(battle, Side::Confederate), Ruleset::standard(), REAL, &order)
    };
    assert!(preview(&free).is_some());
    assert_eq!(preview(&beset), preview(&feint));
    assert_eq!(preview(&beset), preview(&free));
    let strange = crate::orders::preview_picket(
        &known(&beset, Side::Confederate),
        Ruleset::standard(),
        PicketNumber(100),
        &order,
    );
    assert_eq!(strange, None);
}

#[test]
fn hid_22_a_preview_prices_the_line_and_shows_its_end() {
    let battle = field_of(regiment());
    let known = known(&battle, Side::Confederate);
    let order = Order::Move(path(&[(10_000, 13_000)]));
    let preview = crate::orders::preview_picket(&known, Ruleset::standard(), REAL, &order).expect("it is its own");
    // Three inches of six: half a turn of 5040000 points.
    assert_eq!((preview.spent, preview.path.clone()), (2_520_000, vec![p(10_000, 10_000), p(10_000, 13_000)]));
    assert_eq!(preview.end.expect("it stands somewhere").anchor, p(10_000, 13_000));
    let order = Order::Move(path(&[(20_000, 15_000)]));
    let preview = crate::orders::preview_picket(&known, Ruleset::standard(), DUMMY, &order).expect("it is its own");
    // Five inches of ten.
    assert_eq!((preview.spent, preview.path.len(), preview.end), (2_520_000, 2, None));
    let without = crate::orders::pickets_without_order(&known, &seat(Side::Confederate), &Draft::default());
    assert_eq!(without, [REAL, DUMMY]);
}

#[test]
fn hid_18_who_began_the_turn_hidden_comes_to_meet_no_charge() {
    let mut unit = regiment().quality(Quality::Elite).unit();
    assert!(!unit.began_hidden(3));
    unit.picket = Some((REAL, 3));
    assert!(unit.began_hidden(3) && !unit.began_hidden(4));
}

#[test]
fn hid_56_unseen_fire_names_a_picket_of_the_enemy_that_is_on_the_table() {
    use protocol::orders::UnseenFire;
    let mut battle = field_of(regiment());
    hide(&mut battle, PicketNumber(250), None, (40_000, 40_000), Side::Union);
    battle.table.insert(infantry("grey", Side::Confederate).at(40_000, 5_000).unit());
    let at = |number| Instructions {
        unseen_fire: Some(UnseenFire::Picket { number: PicketNumber(number) }),
        ..Instructions::default()
    };
    let hold = || Order::Hold { task: None };
    for stage in [Stage::Orders, Stage::Reactions, Stage::Charges, Stage::Movement] {
        for (number, why) in [(802, Some("is your own")), (999, Some("is not on the table")), (250, None)] {
            // The same for a real picket, a dummy, and an open unit.
            let order = (stage == Stage::Orders).then(hold);
            let word = UnitDraft { order, instructions: at(number), ..UnitDraft::default() };
            let mut found: Vec<_> = [REAL, DUMMY].map(|picket| refused(&battle, stage, picket, word.clone())).concat();
            let draft = Draft { units: [("grey".into(), word)].into(), ..Draft::default() };
            let known = known(&battle, Side::Confederate);
            let refusals = crate::orders::check(&known, Ruleset::standard(), &seat(Side::Confederate), stage, &draft);
            found.extend(refusals.into_iter().map(|refusal| (refusal.key, refusal.rule.to_string(), refusal.message)));
            let expected = if why.is_some() { 3 } else { 0 };
            assert_eq!(found.len(), expected, "{stage:?} {number}: {found:?}");
            for (key, rule, message) in found {
                assert_eq!((key.as_str(), rule.as_str()), ("unseen_fire", "HID-56"));
                assert!(
                    why.is_some_and(|why| message.contains(why)) && message.contains(&number.to_string()),
                    "{message}"
                );
            }
        }
    }
}
