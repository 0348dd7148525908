//! Checks under seal.

use protocol::event::{Fact, Morale};
use protocol::ids::Side;
use protocol::orders::{Instructions, Order, Stage, UnseenFire};
use protocol::view::Presence;

use super::world::{Faces, REAL, World, hidden_unit, seen_by, told_to};
use crate::battle::Battle;
use crate::dice::Purpose;
use crate::play::Audience;
use crate::testing::{Maker, give, infantry, ix};

/// A hidden regiment, or nothing, that is fired at blind from 3.9 inches.
fn fired_at(under: Option<Maker>) -> Battle {
    let mut battle = World::new().hiding(REAL, under.map(|unit| unit.at(30_000, 33_900)), (30_000, 33_900)).battle();
    let unseen_fire = Some(UnseenFire::Picket { number: REAL });
    give(&mut battle, "blue", Order::FirstFire {}, Instructions { unseen_fire, ..Instructions::default() });
    battle
}

/// A blind volley of one die: 5, and 1 for opening volley, First Fire and woods, a 1* that is confirmed.
fn hit(dice: Faces) -> Faces {
    dice.with(Purpose::FireVolley, 5).with(Purpose::FireConfirm, 5)
}

#[test]
fn hid_59_and_leak_50_a_check_that_is_passed_shows_its_owner_alone() {
    let dice = || hit(Faces::of(3)).with(Purpose::MoraleFirstCasualty, 5);
    let real = dice().play(Stage::Reactions, fired_at(Some(hidden_unit())));
    let dummy = dice().play(Stage::Reactions, fired_at(None));
    assert_eq!(told_to(&real.events, Side::Union), told_to(&dummy.events, Side::Union));
    let checks: Vec<_> = real.events.iter().filter(|event| matches!(event.fact, Fact::MoraleCheck { .. })).collect();
    assert_eq!(checks.len(), 1);
    assert_eq!(checks[0].audience, Audience::Side(Side::Confederate));
    // HID-68 Its dice go by a label that only its side knows.
    assert_eq!(checks[0].explanation.dice[0].key, ["417:hidden"]);
}

#[test]
fn hid_59_whoever_fails_is_placed_and_then_goes_in_the_open() {
    // Two ones are a natural 2: it routs.
    let outcome = hit(Faces::of(1)).play(Stage::Reactions, fired_at(Some(hidden_unit())));
    let unit = &outcome.battle.table[ix(&outcome.battle.table, "hidden")];
    assert_ne!(unit.presence, Presence::Hidden);
    assert!(outcome.battle.table.pickets.is_empty());
    let shown: Vec<&Fact> =
        outcome.events.iter().filter(|event| event.audience == Audience::All).map(|event| &event.fact).collect();
    let at = |wanted: fn(&Fact) -> bool| shown.iter().position(|fact| wanted(fact));
    let placed = at(|fact| matches!(fact, Fact::PicketsChanged { .. })).expect("it is placed");
    let failed = at(|fact| matches!(fact, Fact::MoraleCheck { passed: false, after: Morale::Routed, .. }));
    assert!(placed < failed.expect("all are told that it failed"));
    // Of the sum and the dice of that check nothing is public.
    let public = outcome.events.iter().filter(|event| event.audience == Audience::All);
    let checks: Vec<_> = public.filter(|event| matches!(event.fact, Fact::MoraleCheck { .. })).collect();
    assert!(checks.iter().all(|event| event.explanation.dice.is_empty() && event.explanation.sums.is_empty()));
}

/// A friend that routs so far from the marker, and a hidden column whose marker is at its head.
fn beside_a_rout(at: (i32, i32), under: Option<Maker>) -> Battle {
    let friend = infantry("friend", Side::Confederate).at(30_000, 31_900).facing(18_000);
    let mut battle = World::new().with(friend).hiding(REAL, under.map(|unit| unit.at(at.0, at.1)), at).battle();
    give(&mut battle, "blue", Order::FirstFire {}, Instructions::default());
    battle
}

#[test]
fn mor_63_a_hidden_unit_checks_for_what_it_sees_from_its_markers_footprint() {
    let seen = |at: (i32, i32)| {
        let dice = Faces::of(1)
            .with(Purpose::FireVolley, 3)
            .with(Purpose::MoraleSawLoss, 6)
            .with(Purpose::MoraleSawRout, 6)
            .with(Purpose::VisibilityPair, 6)
            .with(Purpose::RoutDistance, 1);
        let outcome = dice.play(Stage::Reactions, beside_a_rout(at, Some(hidden_unit())));
        assert!(outcome.battle.table[ix(&outcome.battle.table, "friend")].morale == Morale::Routed);
        dice.asked(Purpose::MoraleSawRout).iter().any(|(key, _)| key.starts_with("417:hidden "))
    };
    // The footprint reaches 0.375 inch from the marker to either side, the line 1.75. The friend's stands reach to x = 31.75 at most. From
    // 36.0 the footprint is 4.75 inches off or less. From 38.5 it is 6.375 off or more, the line by its end 5 with four stands.
    assert!(seen((36_000, 33_500)));
    assert!(!seen((38_500, 33_500)), "by its stands it would be within six inches");
}

#[test]
fn hid_59_a_dummy_never_checks_and_nothing_differs_while_a_hidden_unit_passes() {
    let dice = || {
        Faces::of(1)
            .with(Purpose::FireVolley, 3)
            .with(Purpose::MoraleSawLoss, 6)
            .with(Purpose::MoraleSawRout, 6)
            .with(Purpose::VisibilityPair, 6)
            .with(Purpose::RoutDistance, 1)
    };
    let real = dice().play(Stage::Reactions, beside_a_rout((36_000, 33_500), Some(hidden_unit())));
    let dummy = dice().play(Stage::Reactions, beside_a_rout((36_000, 33_500), None));
    assert_eq!(told_to(&real.events, Side::Union), told_to(&dummy.events, Side::Union));
    assert_eq!(seen_by(&real.battle, Side::Union), seen_by(&dummy.battle, Side::Union));
    assert!(
        !dummy.events.iter().any(|event| event.audience == Audience::Side(Side::Confederate)
            && matches!(event.fact, Fact::MoraleCheck { .. }))
    );
}

#[test]
fn hid_59_a_hidden_unit_whose_last_figure_falls_is_placed_and_lost() {
    let few = hidden_unit().figures(4).stands_left(1);
    let dice = Faces::of(3).with(Purpose::FireVolley, 6);
    let outcome = dice.play(Stage::Reactions, fired_at(Some(few)));
    let unit = &outcome.battle.table[ix(&outcome.battle.table, "hidden")];
    assert_eq!(unit.presence, Presence::Removed);
    assert!(outcome.battle.table.pickets.is_empty());
}
