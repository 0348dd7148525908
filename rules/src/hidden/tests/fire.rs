//! Fire at pickets, and out of them.

use protocol::event::Fact;
use protocol::ids::Side;
use protocol::orders::{Instructions, OpenFire, Order, Stage, UnseenFire};
use protocol::view::Presence;

use super::world::{Faces, REAL, World, hidden_unit, seen_by, told_to};
use crate::battle::Battle;
use crate::dice::Purpose;
use crate::testing::{Maker, give, infantry, ix, tell_picket};

/// Union infantry on FIRST FIRE that was told to fire at what it does not see; what is hidden lies 3.9 inches before it, and 1.9 inches deep
/// in the woods.
fn world(under: Option<Maker>, wish: UnseenFire) -> Battle {
    let mut battle = World::new().hiding(REAL, under, (30_000, 33_900)).battle();
    let said = Instructions { unseen_fire: Some(wish), ..Instructions::default() };
    give(&mut battle, "blue", Order::FirstFire {}, said);
    battle
}

const AT_IT: UnseenFire = UnseenFire::Picket { number: REAL };

/// A regiment that faces the fire.
fn faced() -> Maker {
    hidden_unit().at(30_000, 33_900)
}

/// One die, for blind fire takes two of three: a 5; opening volley 2, First Fire 1, woods -2 make 6, a 1* for sixteen figures, which a 5
/// confirms. A check of two fives passes.
fn hits() -> Faces {
    let dice = Faces::of(3).with(Purpose::FireVolley, 5).with(Purpose::FireConfirm, 5);
    dice.with(Purpose::MoraleFirstCasualty, 5)
}

#[test]
fn hid_58_the_firer_is_told_the_same_words_whatever_is_struck() {
    let real = hits().play(Stage::Reactions, world(Some(faced()), AT_IT));
    let dummy = hits().play(Stage::Reactions, world(None, AT_IT));
    let told = told_to(&real.events, Side::Union);
    assert_eq!(told, told_to(&dummy.events, Side::Union));
    assert!(told.contains("no effect observed"), "{told}");
    assert_eq!(seen_by(&real.battle, Side::Union), seen_by(&dummy.battle, Side::Union));
    // Its own side is told what it lost.
    let owner = told_to(&real.events, Side::Confederate);
    assert!(owner.contains("\"type\":\"losses\""), "{owner}");
    let under = &real.battle.secrets.confederate.open().pickets[&REAL];
    assert_eq!(under.units[0].figures(), 15);
    assert!(under.units[0].first_casualty_taken);
}

#[test]
fn leak_46_and_47_and_48_dice_losses_and_answers_of_a_fire_at_a_picket_are_not_shown() {
    for under in [Some(faced()), None] {
        let outcome = hits().play(Stage::Reactions, world(under, AT_IT));
        assert!(outcome.battle.table.pickets.contains_key(&REAL), "LEAK-48: a dummy stays");
        let shown: Vec<_> =
            outcome.events.iter().filter(|event| event.audience == crate::play::Audience::All).collect();
        let fired = shown.iter().find(|event| matches!(event.fact, Fact::FiredAtPicket { .. })).expect("it has fired");
        assert!(fired.explanation.dice.is_empty() && fired.explanation.sums.is_empty());
        let blue = outcome.battle.table.unit(&protocol::ids::UnitId::new("blue")).expect("the test has it");
        assert_eq!((blue.marks.fires, blue.marks.kills, blue.marks.fired_at.len()), (1, 0, 0));
    }
}

#[test]
fn hid_58_and_leak_94_the_ammunition_dice_are_the_same_with_a_victim_and_without() {
    for under in [Some(faced()), None] {
        let dice = Faces::of(6);
        let outcome = dice.play(Stage::Reactions, world(under, AT_IT));
        assert!(outcome.battle.table[ix(&outcome.battle.table, "blue")].ammunition_out());
        let volley = dice.asked(Purpose::FireVolley);
        assert!(volley.iter().all(|(key, _)| key == "blue unseen"), "{volley:?}");
        assert_eq!(volley.iter().map(|(_, n)| *n).max(), dice_of(&outcome));
    }
}

/// The dice of the fire as its other side is told.
fn dice_of(outcome: &crate::stage::Outcome) -> Option<u32> {
    let to_owner = outcome.events.iter().filter(|event| event.audience != crate::play::Audience::All);
    let thrown = to_owner.flat_map(|event| &event.explanation.dice).find(|dice| dice.purpose == "fire.volley")?;
    Some(thrown.faces.len() as u32)
}

#[test]
fn hid_57_a_confirmed_picket_is_fired_at_blind_like_any_other() {
    let told = [None, Some(1)].map(|confirmed| {
        let mut battle = world(Some(faced()), AT_IT);
        battle.table.pickets.get_mut(&REAL).expect("it stands there").confirmed = confirmed;
        told_to(&hits().play(Stage::Reactions, battle).events, Side::Confederate)
    });
    assert_eq!(told[0], told[1]);
    assert!(told[0].contains("blind fire"), "{}", told[0]);
}

#[test]
fn hid_56_two_dice_less_at_the_range_of_the_point_and_only_when_told() {
    let outcome = hits().play(Stage::Reactions, world(None, UnseenFire::None {}));
    assert!(outcome.events.iter().all(|event| !matches!(event.fact, Fact::FiredAtPicket { .. })));
    // The nearest within that range; a marker beyond it is not fired at.
    for (distance, fires) in [(3_000, false), (4_000, true)] {
        let outcome = hits().play(Stage::Reactions, world(None, UnseenFire::Pickets { distance }));
        let fired = outcome.events.iter().find_map(|event| match &event.fact {
            Fact::FiredAtPicket { range, .. } => Some(*range),
            _ => None,
        });
        // From the front edge of the line at y = 30.0.
        assert_eq!(fired, fires.then_some(3_900), "{distance}");
    }
    let with = hits().play(Stage::Reactions, world(None, AT_IT));
    let sums = with.events.iter().flat_map(|event| &event.explanation.sums);
    let blind = sums.flat_map(|sum| &sum.terms).find(|term| term.rule.as_str() == "VIS-10").expect("it is blind fire");
    assert_eq!(blind.value, -2);
}

#[test]
fn hid_56_and_leak_94_an_open_unit_near_the_point_takes_the_blow_before_a_hidden_one() {
    let beside = infantry("open", Side::Confederate).at(27_000, 34_000).facing(18_000);
    let mut battle = World::new().with(beside).hiding(REAL, Some(faced()), (30_000, 33_900)).battle();
    let said = Instructions { unseen_fire: Some(AT_IT), ..Instructions::default() };
    give(&mut battle, "blue", Order::FirstFire {}, said);
    let outcome = hits().play(Stage::Reactions, battle);
    // Four stands of 0.875 inch: it reaches to x = 28.75, 1.25 inches from the point.
    assert!(outcome.battle.table[ix(&outcome.battle.table, "open")].figures() < 16);
    assert_eq!(outcome.battle.secrets.confederate.open().pickets[&REAL].units[0].figures(), 16);
}

/// Three inches inside the woods, with enemies in range and sight.
fn ready(order: Order, open_fire: Option<OpenFire>, with: Option<Maker>) -> Battle {
    let unit = with.map(|maker| maker.at(30_000, 35_000));
    let mut battle = World::new().hiding(REAL, unit, (30_000, 35_000)).battle();
    let said = Instructions { open_fire, ..Instructions::default() };
    tell_picket(&mut battle, REAL, order, said);
    battle
}

const HOLD: Order = Order::Hold { task: None };

/// Whether the hidden unit has been placed and has fired.
fn fires(stage: Stage, battle: Battle) -> (bool, bool) {
    let outcome = Faces::of(3).with(Purpose::VisibilityPair, 6).play(stage, battle);
    let placed = !outcome.battle.table.pickets.contains_key(&REAL);
    let fired = outcome.events.iter().any(|event| match &event.fact {
        Fact::Volley { firers, .. } => firers.iter().any(|firer| firer.as_str() == "hidden"),
        _ => false,
    });
    (placed, fired)
}

#[test]
fn hid_52_a_hidden_unit_on_first_fire_opens_at_what_it_sees_and_is_placed_by_it() {
    let first_fire = || Order::FirstFire {};
    let open = |wish| fires(Stage::Reactions, ready(first_fire(), wish, Some(hidden_unit())));
    // Five inches are long range of a rifle musket.
    assert_eq!(open(None), (true, true));
    assert_eq!(open(Some(OpenFire::AtLong {})), (true, true));
    assert_eq!(open(Some(OpenFire::AtNormal {})), (false, false));
    assert_eq!(open(Some(OpenFire::Never {})), (false, false));
    assert_eq!(open(Some(OpenFire::WhenCharged {})), (false, false));
    let unit = |id: &str| Some(OpenFire::OnUnit { unit: protocol::ids::UnitId::new(id) });
    assert_eq!(open(unit("blue")), (true, true));
    assert_eq!(open(unit("another")), (false, false));
}

#[test]
fn hid_52_other_orders_open_fire_only_when_told_and_a_dummy_never() {
    assert_eq!(fires(Stage::Movement, ready(HOLD, None, Some(hidden_unit()))), (false, false));
    assert_eq!(fires(Stage::Movement, ready(HOLD, Some(OpenFire::AtLong {}), Some(hidden_unit()))), (true, true));
    assert_eq!(fires(Stage::Reactions, ready(Order::FirstFire {}, Some(OpenFire::AtLong {}), None)), (false, false));
    assert_eq!(fires(Stage::Movement, ready(HOLD, Some(OpenFire::AtLong {}), None)), (false, false));
}

#[test]
fn hid_52_what_it_does_not_see_it_does_not_open_fire_at() {
    // Two inches of woods before it: a die of 1 sees nobody.
    let battle = ready(Order::FirstFire {}, None, Some(hidden_unit()));
    let outcome = Faces::of(3).with(Purpose::VisibilityPair, 1).play(Stage::Reactions, battle);
    assert!(outcome.battle.table.pickets.contains_key(&REAL));
    assert!(outcome.battle.secrets.confederate.open().pickets[&REAL].units[0].marks.shot_kept);
}

#[test]
fn hid_52_and_vis_08_nobody_of_the_same_group_fires_at_whoever_opens_fire() {
    let mut battle = ready(Order::FirstFire {}, None, Some(hidden_unit()));
    give(&mut battle, "blue", Order::FirstFire {}, Instructions::default());
    let outcome = Faces::of(3).with(Purpose::VisibilityPair, 6).play(Stage::Reactions, battle);
    let table = &outcome.battle.table;
    assert_eq!((table[ix(table, "hidden")].marks.fires, table[ix(table, "blue")].marks.fires), (1, 0));
    assert!(table[ix(table, "blue")].marks.shot_kept);
    assert_eq!(table[ix(table, "hidden")].presence, Presence::Table);
}

/// Union muskets at an open regiment 1.2 inches off, in the open before the wood; what is hidden stands within two inches behind that.
fn behind_the_target(under: Option<Maker>) -> Battle {
    let target = infantry("target", Side::Confederate).at(30_000, 31_200).facing(18_000);
    let under = under.map(|maker| maker.at(30_000, 33_600));
    let mut battle = World::new().with(target).hiding(REAL, under, (30_000, 33_600)).battle();
    give(&mut battle, "blue", Order::FirstFire {}, Instructions::default());
    battle
}

#[test]
fn hid_60_and_leak_49_and_96_shot_that_passes_its_target_strikes_hidden_stands_under_seal() {
    // Four dice of 3 at close range, opening volley and First Fire: 15, four figures of sixteen; half of them behind, two.
    let dice = || Faces::of(3).with(Purpose::MoraleFirstCasualty, 5).with(Purpose::MoraleStandLost, 5);
    let real = dice().play(Stage::Reactions, behind_the_target(Some(hidden_unit())));
    let dummy = dice().play(Stage::Reactions, behind_the_target(None));
    assert_eq!(told_to(&real.events, Side::Union), told_to(&dummy.events, Side::Union));
    assert_eq!(seen_by(&real.battle, Side::Union), seen_by(&dummy.battle, Side::Union));
    assert_eq!(real.battle.table[ix(&real.battle.table, "target")].figures(), 12);
    let under = &real.battle.secrets.confederate.open().pickets[&REAL];
    assert_eq!(under.units[0].figures(), 14);
}

#[test]
fn hid_65_and_hid_80_a_dummy_that_is_fired_at_changes_nothing() {
    let before = world(None, AT_IT);
    let changes = before.table.changes.clone();
    let outcome = hits().play(Stage::Reactions, before);
    assert_eq!(outcome.battle.table.changes, changes);
    assert!(outcome.battle.table.pickets_gone.is_empty());
}
