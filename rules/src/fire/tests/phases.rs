//! Who fires in phases 4, 7 and 8.

use protocol::event::OrderShown;
use protocol::orders::{ExtraFire, HoldFire, HoldTrigger, Instructions, MovingFire, Order, RangeChoice, Stage};
use protocol::place::Bearing;

use super::{HOLD, blue, grey, ground_with, ordered, volley_dice};
use crate::battle::Table;
use crate::dice::{Purpose, ScriptedDice};
use crate::fire::hold_shots;
use crate::ground::Ground;
use crate::instant::{Instant, When};
use crate::phases::{first_fire, moving_fire};
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::testing::{Maker, battle, ix, open_ground, table};

fn field(units: Vec<Maker>) -> Table {
    table(open_ground(), units)
}

/// The firers whose shots fall at an instant of phase 7.
fn firing_at(table: Table, when: When, orders: Vec<(&str, Order, Instructions)>) -> Vec<String> {
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, ordered(battle(table), orders), Stage::Movement);
    play.phase = 7;
    let shots = hold_shots(&play, Instant { when, next: &[] });
    shots.iter().map(|shot| play.table()[shot.lead()].id.to_string()).collect()
}

#[test]
fn ff_06_a_withheld_first_fire_is_not_kept_as_hold_fire() {
    let said = |first_fire| Instructions { first_fire: Some(first_fire), ..Instructions::default() };
    for (wish, fires, kept) in [(RangeChoice::Always, 1, false), (RangeChoice::OnlyClose, 0, false)] {
        let dice = if fires == 1 { volley_dice("a", &[1, 1, 2]) } else { ScriptedDice::new() };
        let orders = vec![("a", Order::FirstFire {}, said(wish))];
        let start = ordered(battle(field(vec![blue("a", 12), grey("b", 12, 3_000)])), orders);
        let mut play = Play::new(Ruleset::standard(), &dice, start, Stage::Reactions);
        play.phase = 4;
        first_fire::play(&mut play);
        let unit = &play.table()[ix(play.table(), "a")];
        assert_eq!((unit.marks.fires, unit.marks.shot_kept), (fires, kept));
        dice.finish().unwrap();
    }
    // Without a target the shot is kept, and is fired as by a holding unit.
    let dice = ScriptedDice::new();
    let start = ordered(battle(field(vec![blue("a", 12)])), vec![("a", Order::FirstFire {}, Instructions::default())]);
    let mut play = Play::new(Ruleset::standard(), &dice, start, Stage::Reactions);
    play.phase = 4;
    first_fire::play(&mut play);
    assert!(play.table()[ix(play.table(), "a")].marks.shot_kept);
}

#[test]
fn fire_35_default_and_other_moments() {
    let at = |range, when, hold_fire: Option<HoldFire>| {
        let said = Instructions { hold_fire, ..Instructions::default() };
        let units = vec![blue("a", 12), grey("b", 12, range).with(|unit| unit.marks.fires = 1)];
        firing_at(field(units), when, vec![("a", HOLD, said)])
    };
    let clause =
        |triggers: Vec<HoldTrigger>| Some(HoldFire { any_of: vec![triggers], only_if_charged: false, wait_for: None });
    // By default at close range, else after the move.
    assert_eq!(at(2_000, When::Segment(1), None), ["a"]);
    assert!(at(3_000, When::Segment(1), None).is_empty());
    assert_eq!(at(3_000, When::After, None), ["a"]);
    assert_eq!(at(3_000, When::Before, clause(vec![HoldTrigger::BeforeMove {}])), ["a"]);
    assert_eq!(at(2_500, When::Segment(5), clause(vec![HoldTrigger::Within { distance: 2_500 }])), ["a"]);
    // `+`: both at one instant.
    let both = clause(vec![HoldTrigger::OnFlank {}, HoldTrigger::Within { distance: 5_000 }]);
    assert!(at(2_500, When::After, both).is_empty());
}

#[test]
fn fire_35_before_leaving_looks_one_step_ahead() {
    let units = vec![blue("a", 12), grey("b", 12, 3_950)];
    let table = field(units);
    let mut footing = table[ix(&table, "b")].footing.clone();
    footing.anchor.y += 100;
    let next = [crate::instant::Proposed { unit: ix(&table, "b"), footing }];
    let dice = ScriptedDice::new();
    let start = ordered(battle(table), vec![("b", Order::Move(Default::default()), Instructions::default())]);
    let mut play = Play::new(Ruleset::standard(), &dice, start, Stage::Movement);
    play.phase = 7;
    let shots = hold_shots(&play, Instant { when: When::Segment(3), next: &next });
    assert_eq!(shots.len(), 1);
    assert!(hold_shots(&play, Instant { when: When::Segment(3), next: &[] }).is_empty());
}

/// A mover that has come to so many thousandths from [`blue`].
fn marcher(id: &str, range: i32) -> Maker {
    grey(id, 12, range).with(|unit| {
        unit.marks.moved = true;
        unit.marks.shown = Some(OrderShown::Move { bearing: Bearing::SOUTH, formation: None });
    })
}

#[test]
fn mfire_03_a_holder_that_has_fired_fires_at_a_newcomer_before_it_fires() {
    // ADDF-11: 2 + 1 dice; then the mover's 2 + 1 for close range. ADDF-10
    let fired = blue("a", 12).with(|unit| unit.marks.fires = 1);
    let dice = volley_dice("a", &[1, 1, 2]).with(Purpose::FireVolley, &["b"], &[1, 1, 2]);
    let orders = vec![("b", Order::Move(Default::default()), Instructions::default())];
    let start = ordered(battle(field(vec![fired, marcher("b", 1_500)])), orders);
    let mut play = Play::new(Ruleset::standard(), &dice, start, Stage::Movement);
    play.phase = 8;
    moving_fire::play(&mut play);
    dice.finish().unwrap();
    let fires = |unit: &str| play.table()[ix(play.table(), unit)].marks.fires;
    assert_eq!((fires("a"), fires("b")), (2, 1));
}

#[test]
fn addf_04_and_07_no_further_fire_at_the_same_enemy_or_at_one_that_was_close_before() {
    let knows = |change: fn(&mut crate::battle::Unit)| {
        let dice = ScriptedDice::new();
        let said = Instructions { moving_fire: Some(MovingFire::Never), ..Instructions::default() };
        let orders = vec![("b", Order::Move(Default::default()), said)];
        let holder = blue("a", 12).with(|unit| unit.marks.fires = 1).with(change);
        let start = ordered(battle(field(vec![holder, marcher("b", 1_500)])), orders);
        let mut play = Play::new(Ruleset::standard(), &dice, start, Stage::Movement);
        play.phase = 8;
        moving_fire::play(&mut play);
        assert_eq!(play.table()[ix(play.table(), "a")].marks.fires, 1);
        dice.finish().unwrap();
    };
    knows(|unit| {
        unit.marks.fired_at.insert("b".into());
    });
    knows(|unit| {
        unit.marks.close_at_start.insert("b".into());
    });
    // ADDF-02: a holder that pivoted has no additional fires.
    knows(|unit| unit.marks.pivoted = true);
}

#[test]
fn addf_14_few_dice_are_declined_by_default() {
    let dice = ScriptedDice::new();
    let said = Instructions { moving_fire: Some(MovingFire::Never), ..Instructions::default() };
    let wish = Instructions { extra_fire: Some(ExtraFire::MinDice { dice: 4 }), ..Instructions::default() };
    let orders = vec![("a", HOLD, wish), ("b", Order::Move(Default::default()), said)];
    let holder = blue("a", 12).with(|unit| unit.marks.fires = 1);
    let start = ordered(battle(field(vec![holder, marcher("b", 1_500)])), orders);
    let mut play = Play::new(Ruleset::standard(), &dice, start, Stage::Movement);
    play.phase = 8;
    moving_fire::play(&mut play);
    assert_eq!(play.table()[ix(play.table(), "a")].marks.fires, 1);
}

/// The fires that a holder, who has fired once, has made after phase 8 in which `b` does not fire.
fn fires_at(ground: Ground, newcomer: Maker, dice: ScriptedDice) -> u32 {
    let said = Instructions { moving_fire: Some(MovingFire::Never), ..Instructions::default() };
    let orders = vec![("b", Order::Move(Default::default()), said)];
    let holder = blue("a", 12).with(|unit| unit.marks.fires = 1);
    let start = ordered(battle(table(ground, [holder, newcomer])), orders);
    let mut play = Play::new(Ruleset::standard(), &dice, start, Stage::Movement);
    play.phase = 8;
    moving_fire::play(&mut play);
    dice.finish().unwrap();
    play.table()[ix(play.table(), "a")].marks.fires
}

#[test]
fn ff_09_and_mfire_03_a_newcomer_has_marched_and_is_seen() {
    let nothing = ScriptedDice::new;
    assert_eq!(fires_at(open_ground(), marcher("b", 1_500), volley_dice("a", &[1, 1, 2])), 2);
    // On MOVE and still in its place; moved, and not by a MOVE.
    let stayed = marcher("b", 1_500).with(|unit| unit.marks.moved = false);
    assert_eq!(fires_at(open_ground(), stayed, nothing()), 1);
    let otherwise = marcher("b", 1_500).with(|unit| unit.marks.shown = Some(OrderShown::FirstFire {}));
    assert_eq!(fires_at(open_ground(), otherwise, nothing()), 1);
    // In light woods, centre to centre 1.8 + 0.625 inches off, a 1 shows nobody and a 3 does. VIS-02
    let woods = || ground_with(|ground| ground.areas.push(super::examples::woods(20_000, 40_000)));
    let seen = |face: u8| ScriptedDice::new().with(Purpose::VisibilityPair, &["a", "b"], &[face]);
    assert_eq!(fires_at(woods(), marcher("b", 1_800), seen(1)), 1);
    let volley = volley_dice("a", &[1, 1, 2]).with(Purpose::VisibilityPair, &["a", "b"], &[3]);
    assert_eq!(fires_at(woods(), marcher("b", 1_800), volley), 2);
}

#[test]
fn fire_35_out_of_cover_waits_for_open_ground_and_for_men_who_stand() {
    let fires = |ground: Ground, target: Maker| {
        let hold_fire =
            Some(HoldFire { any_of: vec![vec![HoldTrigger::OutOfCover {}]], only_if_charged: false, wait_for: None });
        let said = Instructions { hold_fire, ..Instructions::default() };
        let target = target.with(|unit| unit.marks.fires = 1);
        !firing_at(table(ground, [blue("a", 12), target]), When::Segment(1), vec![("a", HOLD, said)]).is_empty()
    };
    // A wood whose edge lies before the target, and less than an inch of it in sight.
    let wood = ground_with(|ground| ground.areas.push(super::examples::woods(32_800, 40_000)));
    assert!(fires(open_ground(), grey("b", 12, 3_000)));
    assert!(!fires(wood, grey("b", 12, 3_000)));
    assert!(!fires(open_ground(), grey("b", 12, 3_000).prone()));
}
