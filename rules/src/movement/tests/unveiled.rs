//! Units that are revealed on their way.

use protocol::ids::{PicketNumber, Side};

use super::*;
use crate::hidden;
use crate::movement::clock::Clock;
use crate::testing::{hide, tell_picket};

const REAL: PicketNumber = PicketNumber(417);

#[test]
fn hid_24_and_hid_50_a_unit_revealed_on_the_way_keeps_its_schedule_to_the_end_of_its_line() {
    let mut battle = testing::battle(table(open_ground(), []));
    let hidden = infantry("u", Side::Union).at(10_000, 10_000);
    hide(&mut battle, REAL, Some(hidden), (10_000, 10_000), Side::Union);
    tell_picket(&mut battle, REAL, Order::Move(path(&[(10_000, 16_000)])), Instructions::default());
    let dice = no_dice();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    let marches = hidden::begin(&play);
    let mut clock = Clock::new(&mut play, Vec::new(), Vec::new(), marches);
    let mut ys = Vec::new();
    for segment in 1..=120 {
        clock.play.segment = Some(segment);
        clock.segment(segment);
        if segment == 40 {
            // Six inches in 120 segments: a third of the way.
            let changes = hidden::Changes { placed: [REAL].into(), ..hidden::Changes::default() };
            hidden::change(clock.play, &changes, crate::catalogue::HID_48);
        }
        if [40, 41, 80, 120].contains(&segment) {
            ys.push(anchor(&clock.play.battle, "u").1);
        }
    }
    // 41 of 120 of six inches are 2.05.
    assert_eq!(ys, [12_000, 12_050, 14_000, 16_000]);
    assert!(unit(&play.battle, "u").on_table());
}
