//! What the turn's start and end do for hidden units, and the replacements of phase 2. HID-21, HID-74
//!
//! Owns nothing of these rules: marks are cleared and counted, command is judged and men are found as for open units, under seal.

use std::collections::BTreeMap;

use protocol::ids::{PicketNumber, Side};
use protocol::orders::Order;
use protocol::view::Presence;
use protocol::words::Arm;

use super::seal::{all_real_pickets, behind, by_points, label, real_pickets, under_seal, units_under};
use crate::battle::{Leader, LeaderMarks, Unit, UnitIx};
use crate::command::{self, Link};
use crate::field::Field;
use crate::leaders;
use crate::phases;
use crate::play::Play;
use crate::specials;

/// Step 1.1 for hidden units: command, and where their leaders begin.
pub(crate) fn begin(play: &mut Play<'_>) {
    mark_command(play);
    for number in all_real_pickets(&play.battle) {
        let units = units_under(&play.battle, number);
        under_seal(play, number, |inner| begin_with(inner, &units));
    }
}

/// MOVE-18, HID-11 A leader under a picket begins the turn with the units under it.
fn begin_with(inner: &mut Play<'_>, units: &[UnitIx]) {
    let ids: Vec<_> = units.iter().map(|ix| inner.table()[*ix].id.clone()).collect();
    for leader in inner.table_mut().leaders.values_mut().filter(|leader| leader.on_table()) {
        leader.marks = LeaderMarks { began_with: ids.clone(), began_near: ids.clone(), ..LeaderMarks::default() };
    }
}

/// HID-21, CMD-06 Whether each hidden unit is in command: measured from its marker's point, to leaders and through friends open and
/// hidden. What changes is told to its side alone.
fn mark_command(play: &mut Play<'_>) {
    for side in Side::BOTH {
        let links = links(play, side);
        for number in real_pickets(&play.battle, side) {
            let units = units_under(&play.battle, number);
            let own: Vec<(UnitIx, Link)> = links.iter().filter(|(ix, _)| units.contains(ix)).cloned().collect();
            under_seal(play, number, |inner| command::mark_as(inner, own));
        }
    }
}

/// HID-21 The links of a side's hidden units.
fn links(play: &Play<'_>, side: Side) -> Vec<(UnitIx, Link)> {
    let hidden: Vec<UnitIx> =
        real_pickets(&play.battle, side).into_iter().flat_map(|number| units_under(&play.battle, number)).collect();
    if hidden.is_empty() {
        return Vec::new();
    }
    let table = by_points(&behind(&play.battle, side), side);
    let field = Field::new(play.rules, &table, play.dice);
    hidden.into_iter().map(|ix| (ix, command::link(&field, ix))).collect()
}

/// RALLY-25 to RALLY-27, HID-74 Horses and ammunition for hidden units, under seal. They are in good morale, so none rallies (HID-59).
pub(crate) fn replacements(play: &mut Play<'_>) {
    for number in all_real_pickets(&play.battle) {
        let units = units_under(&play.battle, number);
        under_seal(play, number, |inner| phases::rally::supply(inner, |ix| units.contains(&ix)));
    }
}

/// LEAD-16, HID-74 The first attempt to replace the commander of a wholly hidden brigade, under seal: he appears under the picket of its
/// best unit. To all others the post stays vacant.
pub(crate) fn replace_leaders(play: &mut Play<'_>) {
    let turn = play.table().turn;
    let due = play.table().leaders.values().filter(|leader| leaders::is_due(leader, turn));
    for fallen in due.cloned().collect::<Vec<Leader>>() {
        let pickets = pickets_of_brigade(play, &fallen);
        let Some(first) = pickets.keys().next().copied() else { continue };
        let candidates: Vec<UnitIx> = pickets.values().flatten().copied().collect();
        let key = label(first, fallen.id.as_str());
        let found =
            under_seal(play, first, |inner| leaders::attempt_under_seal(inner, &fallen, &candidates, &key)).flatten();
        let Some((regiment, name, level)) = found else { continue };
        let over = pickets.iter().find(|(_, units)| units.contains(&regiment)).map(|(number, _)| *number);
        if let Some(number) = over {
            put_under(play, number, Leader { name, level, ..fallen });
        }
    }
}

/// HID-61 The hidden regiments of a fallen man's brigade by their pickets; none if any regiment of it stands openly.
fn pickets_of_brigade(play: &Play<'_>, fallen: &Leader) -> BTreeMap<PicketNumber, Vec<UnitIx>> {
    let Some(brigade) = &fallen.brigade else { return BTreeMap::new() };
    let is_regiment = |unit: &Unit| matches!(unit.arm, Arm::Infantry | Arm::Cavalry);
    let mut members = play.table().members(brigade);
    if members.any(|(_, unit)| unit.on_table() && is_regiment(unit)) {
        return BTreeMap::new();
    }
    let own = play.battle.secrets.get(fallen.side).open();
    let of_picket = |number: PicketNumber| {
        let units = own.pickets.get(&number).into_iter().flat_map(|under| &under.units);
        let units = units.filter(|unit| is_regiment(unit) && unit.brigade.as_ref() == Some(brigade));
        units.filter_map(|unit| play.table().find(&unit.id)).collect::<Vec<UnitIx>>()
    };
    let all = real_pickets(&play.battle, fallen.side).into_iter().map(|number| (number, of_picket(number)));
    all.filter(|(_, units)| !units.is_empty()).collect()
}

/// HID-11 A man of a post goes under a picket where nobody knows of him.
fn put_under(play: &mut Play<'_>, number: PicketNumber, man: Leader) {
    let Some(picket) = play.table().pickets.get(&number) else { return };
    let (at, facing, side) = (picket.at, picket.facing, picket.side);
    let man = Leader {
        at,
        facing,
        at_turn_start: at,
        presence: Presence::Hidden,
        lost_in: None,
        wounded_until: None,
        attached: None,
        took_over: None,
        replacement_attempts: 0,
        marks: LeaderMarks::default(),
        ..man
    };
    if let Some(under) = play.battle.secrets.get_mut(side).open_mut().pickets.get_mut(&number) {
        under.leaders.push(man);
    }
}

/// LEAD-07 At the start of a phase leaders under pickets have nobody on their lists.
pub(crate) fn begin_phase(play: &mut Play<'_>) {
    for_all_leaders(play, |leader| leader.marks.helped.clear());
}

/// Step 9.4 Counts what the turn brought for hidden units, and clears their marks and orders.
pub(crate) fn end(play: &mut Play<'_>) {
    let rules = play.rules;
    for side in Side::BOTH {
        let own = play.battle.secrets.get_mut(side).open_mut();
        for (number, under) in &mut own.pickets {
            let order = own.picket_orders.get(number).map(|orders| &orders.order);
            let disengages = matches!(order, Some(Order::Disengage { .. }));
            for unit in &mut under.units {
                let held = !specials::left_its_place(unit);
                phases::turn::count_turn(rules, unit, phases::turn::Spent { held, disengages });
                phases::turn::clear_marks_of(unit);
            }
        }
        own.picket_orders.clear();
    }
    for_all_leaders(play, |leader| leader.marks = LeaderMarks::default());
}

fn for_all_leaders(play: &mut Play<'_>, change: impl Fn(&mut Leader)) {
    for side in Side::BOTH {
        let own = play.battle.secrets.get_mut(side).open_mut();
        own.pickets.values_mut().flat_map(|under| &mut under.leaders).for_each(&change);
    }
}
