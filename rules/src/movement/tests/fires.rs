//! Fire within the clock: when holders fire at who moves, and what that does to the move.

use protocol::event::Morale;
use protocol::ids::Side::{Confederate, Union};
use protocol::orders::{HoldFire, HoldTrigger, RangeBand};
use protocol::words::Formation;

use super::*;
use crate::testing::battle;

/// A face for the dice of each purpose, and one for all others.
struct Faces(&'static [(Purpose, u8)], u8);

impl Dice for Faces {
    fn die(&self, _phase: u8, purpose: Purpose, _key: &[&str], _n: u32) -> u8 {
        self.0.iter().find(|(named, _)| *named == purpose).map_or(self.1, |(_, face)| *face)
    }
}

/// Volleys without effect.
const HARMLESS: Faces = Faces(&[(Purpose::FireVolley, 1)], 6);

/// A regiment that holds its fire, faces south, and has spent its opening volley.
fn holder(y: i32) -> Maker {
    testing::infantry("e", Confederate).at(30_000, y).facing(18_000).with(|unit| unit.opening_volley_used = true)
}

/// A line that faces north, and will march there.
fn mover() -> Maker {
    infantry("u", Union).at(30_000, 10_000)
}

fn holding(trigger: HoldTrigger) -> Instructions {
    let hold_fire = HoldFire { any_of: vec![vec![trigger]], only_if_charged: false, wait_for: None };
    Instructions { hold_fire: Some(hold_fire), ..Instructions::default() }
}

/// The march of `u` along a path, under the fire of `e`.
fn under_fire(units: [Maker; 2], to: (i32, i32), said: Instructions, dice: &dyn Dice) -> (Battle, Vec<Event>) {
    let mut battle = battle(table(open_ground(), units));
    give(&mut battle, "e", Order::Hold { task: None }, said);
    march(&mut battle, "u", path(&[to]));
    played_with(battle, dice)
}

/// Segment and range of every volley of a unit.
fn volleys(events: &[Event], firer: &str) -> Vec<(u8, u32)> {
    let fired = events.iter().filter_map(|event| match &event.fact {
        Fact::Volley { firers, range, .. } if firers[0].as_str() == firer => Some((event.segment?, *range)),
        _ => None,
    });
    fired.collect()
}

#[test]
fn holdf_04_at_close_falls_at_the_end_of_the_segment_that_brings_the_mover_within_range() {
    // Six inches off, fifty thousandths a segment: two inches off at the end of the eightieth. It fires once. HOLDF-05
    let close = holding(HoldTrigger::At { band: RangeBand::Close });
    let (after, events) = under_fire([mover(), holder(16_000)], (30_000, 14_900), close, &HARMLESS);
    assert_eq!(volleys(&events, "e"), [(80, 2_000)]);
    assert_eq!((anchor(&after, "u"), halted(&events, "u")), ((30_000, 14_900), None));
}

#[test]
fn holdf_04_before_move_falls_before_the_first_step_and_after_move_after_the_last() {
    let before = holding(HoldTrigger::BeforeMove {});
    let (_, events) = under_fire([mover(), holder(13_500)], (30_000, 12_000), before, &HARMLESS);
    assert_eq!(volleys(&events, "e"), [(0, 3_500)]);
    let after = holding(HoldTrigger::AfterMove {});
    let (_, events) = under_fire([mover(), holder(13_500)], (30_000, 12_000), after, &HARMLESS);
    assert_eq!(volleys(&events, "e"), [(121, 1_500)]);
}

#[test]
fn fire_35_before_leaving_falls_at_the_last_segment_within_normal_range() {
    // Its back to the enemy, three and a half inches off; a tenth segment brings it to the four of normal range.
    let mover = mover().facing(18_000);
    let leaving = holding(HoldTrigger::BeforeLeaving {});
    let (_, events) = under_fire([mover, holder(14_125)], (30_000, 4_000), leaving, &HARMLESS);
    assert_eq!(volleys(&events, "e"), [(10, 4_000)]);
}

#[test]
fn fire_35_the_range_of_an_instruction_and_a_flank_that_is_shown_on_the_way() {
    let within = holding(HoldTrigger::Within { distance: 3_000 });
    let (_, events) = under_fire([mover(), holder(16_000)], (30_000, 14_900), within, &HARMLESS);
    assert_eq!(volleys(&events, "e"), [(60, 3_000)]);
    // A front squarely met is no flank: nothing is fired before the end, nor then.
    let flank = holding(HoldTrigger::OnFlank {});
    let (_, events) = under_fire([mover(), holder(16_000)], (30_000, 14_900), flank, &HARMLESS);
    assert_eq!(volleys(&events, "e"), []);
}

#[test]
fn mv_28_who_fails_a_check_under_fire_stops_there_and_falls_back() {
    // Four twos are 8, of which sixteen figures kill one; a green regiment checks for its first casualty, must beat 4 and throws 4.
    let failing = Faces(&[], 2);
    let close = holding(HoldTrigger::At { band: RangeBand::Close });
    let (after, events) = under_fire([mover().green(), holder(16_000)], (30_000, 14_900), close, &failing);
    assert_eq!(volleys(&events, "e"), [(80, 2_000)]);
    assert_eq!(unit(&after, "u").morale, Morale::Shaken);
    assert!(anchor(&after, "u").1 < 14_000, "it went back from where it was hit, to {:?}", anchor(&after, "u"));
    assert_eq!(halted(&events, "u").as_deref(), Some("MV-28"));
}

#[test]
fn mv_28_who_passes_goes_on_with_a_stand_less_about_the_same_anchor() {
    // The stand that is the next to be lost has one figure left. ORG-03
    let thin = mover().with(|unit| {
        let next = unit.stands.iter_mut().min_by_key(|stand| stand.loss_rank);
        next.expect("a regiment has stands").figures = 1;
    });
    let bloody = Faces(&[(Purpose::FireVolley, 2)], 6);
    let close = holding(HoldTrigger::At { band: RangeBand::Close });
    let (after, events) = under_fire([thin, holder(16_000)], (30_000, 14_900), close, &bloody);
    assert!(events.iter().any(|event| matches!(event.fact, Fact::Losses { stands: 1, .. })), "a stand was lost");
    assert_eq!(unit(&after, "u").stands.len(), 3);
    assert_eq!((anchor(&after, "u"), halted(&events, "u")), ((30_000, 14_900), None));
}

#[test]
fn mv_28_a_change_under_way_is_lost_with_the_check() {
    let failing = Faces(&[(Purpose::FireVolley, 6)], 2);
    let form = protocol::orders::FormTask::Formation {
        formation: Formation::DoubleLine,
        facing: None,
        pivot: None,
        gap: None,
    };
    let mut battle = battle(table(open_ground(), [mover(), holder(16_000)]));
    give(&mut battle, "e", Order::Hold { task: None }, holding(HoldTrigger::Within { distance: 4_500 }));
    // Three inches and half a turn of forming: the volley falls at the thirtieth segment.
    march(&mut battle, "u", MoveOrder { form_last: Some(form), ..path(&[(30_000, 13_000)]) });
    let (after, events) = played_with(battle, &failing);
    assert_eq!(volleys(&events, "e"), [(30, 4_500)]);
    assert_eq!(unit(&after, "u").footing.formation, Formation::SingleLine);
    assert!(!events.iter().any(|event| matches!(event.fact, Fact::Formed { .. })));
}

#[test]
fn fire_36_two_holders_of_one_instant_fire_on_the_same_state() {
    // Both holders see the mover come within two inches in the same segment; what the one kills the other still fires at.
    let left = testing::infantry("d", Confederate).at(28_000, 16_000).facing(18_000);
    let left = left.with(|unit| unit.opening_volley_used = true);
    let right = holder(16_000);
    let close = || holding(HoldTrigger::At { band: RangeBand::Close });
    let told = |names: [&str; 2]| {
        let renamed = |maker: Maker, id: &str| maker.with(|unit| unit.id = UnitId::new(id));
        let units = [mover(), renamed(left.clone(), names[0]), renamed(right.clone(), names[1])];
        let mut battle = battle(table(open_ground(), units));
        for name in names {
            give(&mut battle, name, Order::Hold { task: None }, close());
        }
        march(&mut battle, "u", path(&[(30_000, 14_900)]));
        let (after, events) = played_with(battle, &Faces(&[(Purpose::FireVolley, 6)], 6));
        let fired = names.map(|name| volleys(&events, name));
        (fired, unit(&after, "u").figures(), anchor(&after, "u"))
    };
    let (first, second) = (told(["d", "e"]), told(["e", "d"]));
    assert_eq!(first, second, "whoever comes first in the list");
    assert_eq!(first.0.map(|volleys| volleys.len()), [1, 1]);
}
