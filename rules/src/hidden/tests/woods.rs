//! Forces that a scenario hides until they leave the woods. SCNS-13

use protocol::orders::{Instructions, MoveOrder, Order};
use protocol::words::Formation;

use super::instants::phase_7;
use super::*;
use crate::dice::ScriptedDice;
use crate::scenario::{HiddenUntil, Special, SpecialKind};
use crate::testing::tell_picket;

/// Skirmishers and a dummy an inch deep in a wood that ends at y = 14 go three inches north, over open ground that nobody overlooks.
fn marching(until: Option<HiddenUntil>, who: &str) -> (Battle, Vec<Event>) {
    let ground = woods(&[(0, 0, 60_000, 14_000), (0, 32_000, 60_000, 50_000)], Wooded::Light);
    let mut battle = battle_on(ground, [infantry("blue", UNION).at(30_000, 55_000).facing(18_000)]);
    let mut scenario = battle.table.scenario().clone();
    scenario.specials = vec![Special {
        id: "unseen".to_owned(),
        kind: SpecialKind::HiddenStart { until },
        side: None,
        who: vec![who.to_owned()],
        arm: None,
        formation: Vec::new(),
        place: None,
        turns: None,
        optional: false,
        note: String::new(),
    }];
    battle.table.theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
    let hidden = infantry("hidden", CONFEDERATE).formation(Formation::SkirmishLine).at(10_000, 13_000);
    hide(&mut battle, GREY, Some(hidden.with(|unit| unit.marks.fires = 1)), (10_000, 13_000), CONFEDERATE);
    dummy(&mut battle, OTHER, CONFEDERATE, (30_000, 13_000));
    for (number, x) in [(GREY, 10_000), (OTHER, 30_000)] {
        let path = vec![Point::new(x, 16_000)];
        let march = Order::Move(MoveOrder { path, ..MoveOrder::default() });
        tell_picket(&mut battle, number, march, Instructions::default());
    }
    phase_7(battle, &ScriptedDice::new())
}

#[test]
fn scns_13_who_has_left_the_woods_with_every_stand_is_placed_and_a_dummy_taken_off() {
    let (after, events) = marching(Some(HiddenUntil::LeavesWoods), "hidden");
    assert!(is_placed(&after, "hidden"));
    assert_eq!(gone(&after), [(GREY, PicketEnd::Placed), (OTHER, PicketEnd::Dummy)]);
    // A segment is a fortieth of an inch. The dummy's point is more than an inch off the trees after segment 81, at 15.03. The stands
    // are 0.625 deep: after segment 105 the marker is at 15.625, on its grid 15.63, and their rear at 15.005.
    let of = |event: &Event| {
        matches!(event.fact, Fact::PicketsChanged { .. }).then_some((event.segment, event.rule.as_str()))
    };
    let when: Vec<_> = events.iter().filter_map(of).collect();
    assert_eq!(when, [(Some(81), "SCNS-13"), (Some(105), "SCNS-13")]);
    assert_eq!(changed(&events), [(vec![], vec![802], vec![]), (vec![417], vec![], vec![])]);
    // It goes on to the end of its line.
    assert_eq!(unit(&after, "hidden").footing.anchor, Point::new(10_000, 16_000));
}

#[test]
fn scns_13_without_the_words_or_for_others_nobody_is_placed() {
    for (until, who) in [(None, "hidden"), (Some(HiddenUntil::LeavesWoods), "blue")] {
        let (after, events) = marching(until, who);
        assert_eq!((after.table.pickets.len(), changed(&events).len()), (2, 0), "{who}");
    }
}
