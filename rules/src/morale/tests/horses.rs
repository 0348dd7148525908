//! Chapter CAV as it bears on morale: a battalion that is lost.

use super::*;
use crate::field::Field;
use crate::morale::InCharge;
use crate::morale::point::{Cause, Modifiers, State};
use crate::testing::{Maker, cavalry, infantry, open_ground, table};

/// What a unit has to beat in phase 7, for a happening that is no fire.
fn point_of(play: &Play<'_>, unit: &str) -> i32 {
    let field = Field::new(play.rules, play.table(), play.dice);
    let ix = of(play.table(), unit);
    Modifiers::of(&field, ix, 7, &InCharge::default()).forced(State::of(&play.table()[ix]), Cause::Other).total()
}

#[test]
fn cav_34_each_battalion_of_horse_that_is_lost_weighs_on_its_brigade_from_the_next_turn() {
    // Two battalions of one regiment and a third unit of the brigade, too far off to see what becomes of them.
    let battalion =
        |id: &str, x: i32| -> Maker { cavalry(id, UNION).at(x, 30_000).with(|unit| unit.brigade = Some("b".into())) };
    let units = [battalion("first", 10_000), battalion("second", 22_000), battalion("third", 50_000)];
    let mut table = table(open_ground(), units.into_iter().chain([infantry("x", CONFEDERATE).at(5_000, 55_000)]));
    brigade(&mut table, "b", 58_000, 5_000);
    let mut happened = Vec::new();
    for unit in ["first", "second"] {
        happened.push(fired(FiredOn { figures: 12, stands: 4, ..fire(&table, unit, "x") }));
        let ix = of(&table, unit);
        table[ix].stands.clear();
    }
    let no_dice = ScriptedDice::new();
    let played = play_with(7, table, &no_dice, |play| {
        settle(play, happened);
        // A veteran's point is 3, and one more for each battalion once the next turn begins.
        assert_eq!(point_of(play, "third"), 3);
        crate::phases::turn::begin(play);
        assert_eq!(point_of(play, "third"), 5);
    });
    assert_eq!(played.log(), ["first wiped out", "second wiped out"]);
}
