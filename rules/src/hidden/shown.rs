//! What both sides are shown of pickets: their orders in phase 3, their Conditional Holds, and the grid on which they stand.
//! HID-19, HID-20, HID-30, HID-75
//!
//! Owns the one way from a picket's order to what is shown of it, for real and dummy alike.

use protocol::event::{Fact, OrderShown, PicketLine, PicketOrder};
use protocol::ids::{PicketNumber, Side};
use protocol::orders::{ChangeOnHold, ConditionalHoldIf, FormTask, Instructions, MoveOrder, Order, Stage};
use protocol::place::{Bearing, Point};
use protocol::words::Arm;

use super::{Judged, judged};
use crate::battle::{Battle, Table, TurnMarks, UnitIx, known};
use crate::catalogue::{HID_19, HID_20, REV_05};
use crate::competence::{self, Finding};
use crate::dice::Purpose;
use crate::explain::sentence;
use crate::field::Field;
use crate::formation;
use crate::geometry;
use crate::movement;
use crate::orders;
use crate::play::Play;

/// HID-30 The grid of public points of pickets, thousandths of an inch.
const GRID: i32 = 10;

/// HID-20 The grid of public bearings of pickets, hundredths of a degree.
const DEGREE: u32 = 100;

/// HID-30 A point as the enemy is shown it.
pub(crate) fn public_point(point: Point) -> Point {
    let round = |value: i32| geometry::round_div(i64::from(value), i64::from(GRID)) as i32 * GRID;
    Point::new(round(point.x), round(point.y))
}

/// HID-20, HID-30 A bearing in whole degrees.
pub(crate) fn public_bearing(bearing: Bearing) -> Bearing {
    let degrees = (bearing.hundredths() + DEGREE / 2) / DEGREE;
    Bearing::wrapping((degrees * DEGREE) as i32)
}

/// ORD-03, HID-17 The order in force for a picket: HOLD where nothing was sealed.
pub(crate) fn order_of(battle: &Battle, number: PicketNumber) -> Order {
    let Some(picket) = battle.table.pickets.get(&number) else { return orders::hold() };
    let given = battle.secrets.get(picket.side).open().picket_orders.get(&number);
    given.map_or_else(orders::hold, |orders| orders.order.clone())
}

/// TURN-06 The newest word on a key, in the windows that have opened.
pub(super) fn said<T>(
    battle: &Battle,
    side: Side,
    number: PicketNumber,
    stage: Stage,
    key: impl Fn(&Instructions) -> Option<T>,
) -> Option<T> {
    let orders = battle.secrets.get(side).open().picket_orders.get(&number)?;
    orders.said.iter().rev().filter(|(opened, _)| **opened <= stage).find_map(|(_, said)| key(said))
}

/// HID-20 The orders of all pickets of both sides are turned over, by number; who was told nothing holds. LEAK-19
pub(crate) fn reveal(play: &mut Play<'_>) {
    let numbers: Vec<PicketNumber> = play.table().pickets.keys().copied().collect();
    let shown: Vec<(PicketNumber, PicketOrder)> =
        numbers.into_iter().map(|number| (number, shown_now(play, number))).collect();
    for (number, shown) in shown {
        if let Some(picket) = play.table_mut().pickets.get_mut(&number) {
            picket.shown = Some(shown);
        }
        let text = format!("Picket {} {}.", number.0, in_words(shown));
        play.tell(HID_20, Fact::PicketOrdered { picket: number, shown }, sentence(text));
    }
}

fn shown_now(play: &Play<'_>, number: PicketNumber) -> PicketOrder {
    let Some(side) = play.table().pickets.get(&number).map(|picket| picket.side) else { return PicketOrder::Hold {} };
    let order = order_of(&play.battle, number);
    let known = known(&play.battle, side);
    let Some(judged) = judged(&known, number) else { return PicketOrder::Hold {} };
    shown_of(&Field::new(play.rules, &judged.table, play.dice), &judged, number, &order)
}

/// HID-20 What is shown of an order: its kind, and of a march the bearing of its first leg.
fn shown_of(field: &Field<'_>, judged: &Judged, number: PicketNumber, order: &Order) -> PicketOrder {
    match order {
        Order::FirstFire {} => PicketOrder::FirstFire {},
        Order::Hold { .. } | Order::Charge { .. } | Order::Special { .. } => PicketOrder::Hold {},
        Order::Disengage { .. } => PicketOrder::Disengage {},
        Order::Form { .. } => PicketOrder::Form {},
        Order::Move(march) => {
            PicketOrder::Move { bearing: public_bearing(first_bearing(field, judged, number, march)) }
        }
    }
}

/// HID-20 The bearing of the first leg, of a wheel that opens the move its chord; of the facing if there is none.
fn first_bearing(field: &Field<'_>, judged: &Judged, number: PicketNumber, march: &MoveOrder) -> Bearing {
    let Some(marker) = judged.table.pickets.get(&number) else { return Bearing::NORTH };
    // The leg is shown as it was drawn, of real and dummy alike, also where it leaves the table.
    let wheels_first = march.wheel.is_some_and(|wheel| !wheel.last);
    let first = match judged.units.first().filter(|_| wheels_first) {
        Some(lead) => movement::marker::Course::of(field, *lead, march, judged.span).line.get(1).copied(),
        None => march.path.iter().copied().find(|point| *point != marker.at),
    };
    first.and_then(|first| geometry::bearing_between(marker.at, first)).unwrap_or(marker.facing)
}

fn in_words(shown: PicketOrder) -> String {
    match shown {
        PicketOrder::FirstFire {} => "is on First Fire".to_owned(),
        PicketOrder::Hold {} => "holds".to_owned(),
        PicketOrder::ConditionalHold {} => "is on Conditional Hold".to_owned(),
        PicketOrder::Disengage {} => "disengages".to_owned(),
        PicketOrder::Move { bearing } => format!("moves on a bearing of {} degrees", bearing.hundredths() / DEGREE),
        PicketOrder::Form {} => "forms".to_owned(),
    }
}

/// REV-05, HID-17, HID-75 Pickets that go to Conditional Hold when the reactions window has closed, both sides' together; a
/// facing that is tried for is taken at once, by a dummy as by a real unit that succeeds. HID-19, LEAK-84
pub(crate) fn conditional_holds(play: &mut Play<'_>) {
    let numbers: Vec<PicketNumber> = play.table().pickets.keys().copied().collect();
    let holding: Vec<PicketNumber> = numbers.into_iter().filter(|number| goes_to_hold(play, *number)).collect();
    let turned: Vec<(PicketNumber, Bearing)> =
        holding.iter().filter_map(|number| Some((*number, try_to_form(play, *number)?))).collect();
    for number in &holding {
        let shown = PicketOrder::ConditionalHold {};
        if let Some(picket) = play.table_mut().pickets.get_mut(number) {
            picket.shown = Some(shown);
        }
        mark(play, *number, |marks| {
            marks.conditional_hold = true;
            marks.shown = Some(OrderShown::ConditionalHold {});
        });
        let text = format!("Picket {} gives up its order and holds as it stands.", number.0);
        play.tell(REV_05, Fact::PicketOrdered { picket: *number, shown }, sentence(text));
    }
    let mut lines = Vec::new();
    for (number, facing) in turned {
        let Some(picket) = play.table_mut().pickets.get_mut(&number) else { continue };
        if public_bearing(picket.facing) != public_bearing(facing) {
            lines.push(PicketLine {
                picket: number,
                line: vec![public_point(picket.at)],
                facing: public_bearing(facing),
            });
        }
        picket.facing = facing;
    }
    if !lines.is_empty() {
        let text = sentence(format!("{} now faces another way.", super::march::names(&lines)));
        play.tell(HID_19, Fact::PicketsMoved { lines }, text);
    }
}

/// Marks what is under a picket.
fn mark(play: &mut Play<'_>, number: PicketNumber, how: impl Fn(&mut TurnMarks)) {
    let Some(side) = play.table().pickets.get(&number).map(|picket| picket.side) else { return };
    if let Some(under) = play.battle.secrets.get_mut(side).open_mut().pickets.get_mut(&number) {
        under.units.iter_mut().for_each(|unit| how(&mut unit.marks));
    }
}

/// REV-05, REV-06 An answer overrides the condition; the conditions look at the nearest open enemy, for real and dummy alike.
fn goes_to_hold(play: &Play<'_>, number: PicketNumber) -> bool {
    let Some(picket) = play.table().pickets.get(&number) else { return false };
    let order = order_of(&play.battle, number);
    if !matches!(order, Order::Move(_) | Order::Form { .. } | Order::Hold { .. }) {
        return false;
    }
    let side = picket.side;
    if let Some(answer) = said(&play.battle, side, number, play.stage, |said| said.conditional_hold) {
        return answer;
    }
    let condition = said(&play.battle, side, number, play.stage, |said| said.conditional_hold_if);
    let threat = nearest_open_enemy(play.table(), side, picket.at);
    let shown = threat.and_then(|enemy| play.table()[enemy].marks.shown.as_ref());
    match condition.unwrap_or(ConditionalHoldIf::Never) {
        // HID-53 Nobody declares a charge on a picket.
        ConditionalHoldIf::Never | ConditionalHoldIf::EnemyChargeDeclaredOnMe => false,
        ConditionalHoldIf::ThreatMarkedFirstFire => matches!(shown, Some(OrderShown::FirstFire {})),
        ConditionalHoldIf::ThreatMarkedHold => matches!(shown, Some(OrderShown::Hold {})),
        ConditionalHoldIf::ThreatMarkedCharge => matches!(shown, Some(OrderShown::Charge { .. })),
        ConditionalHoldIf::ThreatMarkedMove => matches!(shown, Some(OrderShown::Move { .. })),
    }
}

/// The nearest open enemy of a marker that is not routed.
fn nearest_open_enemy(table: &Table, side: Side, at: Point) -> Option<UnitIx> {
    let enemies = table.units_of(side.enemy()).filter(|(_, enemy)| enemy.is_unrouted());
    let distance =
        |ix: UnitIx| table.layout(ix).rects().map(|rect| geometry::point_to_polygon(at, &rect.corners)).min();
    enemies.map(|(ix, _)| ix).min_by_key(|ix| (distance(*ix), *ix))
}

/// HID-19, HID-25, REV-11 The facing that a picket has after it has tried to form on Conditional Hold. A real one rolls under seal.
fn try_to_form(play: &mut Play<'_>, number: PicketNumber) -> Option<Bearing> {
    let picket = play.table().pickets.get(&number)?;
    let (side, at, own) = (picket.side, picket.at, picket.facing);
    let change: ChangeOnHold = said(&play.battle, side, number, play.stage, |said| said.ch_form.clone())?;
    let toward = || {
        let enemy = nearest_open_enemy(play.table(), side, at)?;
        geometry::bearing_between(at, play.table()[enemy].footing.anchor)
    };
    let facing = change.facing.or_else(toward).unwrap_or(own);
    let known = known(&play.battle, side);
    let under = known.under(number)?;
    if under.is_dummy() {
        return Some(facing);
    }
    let judged = judged(&known, number)?;
    let field = Field::new(play.rules, &judged.table, play.dice);
    let able = |ix: &UnitIx| movement::may_take_at_once(field.unit(*ix), change.formation);
    if !judged.units.iter().all(able) {
        return None;
    }
    // HID-08 A brigade forms as one body: its first regiment rolls for it.
    let lead = *judged.units.first()?;
    let key = super::march::label(number, field.unit(lead));
    let finding = competence::roll(play, &field, lead, Purpose::ChForm, &[&key], "forming on Conditional Hold");
    let passed = finding.passed;
    drop(field);
    tell_roll(play, side, &judged, finding);
    let under = play.battle.secrets.get_mut(side).open_mut().pickets.get_mut(&number)?;
    for unit in &mut under.units {
        unit.marks.changed_formation = true;
        let anchor = unit.footing.anchor;
        if passed {
            formation::form_at_once(unit, change.formation, facing);
            unit.marks.formed_on_hold = true;
            // HID-03
            unit.footing.anchor = anchor;
        } else {
            unit.footing.disorder |= unit.arm != Arm::Artillery;
        }
    }
    passed.then_some(facing)
}

/// HID-68 Tells a roll of a hidden unit to its side alone.
pub(super) fn tell_roll(play: &mut Play<'_>, side: Side, judged: &Judged, finding: Finding) {
    let unit = judged.table[finding.unit].id.clone();
    let fact = Fact::Competence { unit, because: finding.because, passed: finding.passed };
    play.tell_side(side, finding.rule, fact, finding.explanation);
}

/// HID-19 The facing that a formation task names, if it names one.
pub(super) fn facing_of(task: &FormTask) -> Option<Bearing> {
    match task {
        FormTask::Formation { facing, .. } | FormTask::Limber { facing } | FormTask::Unlimber { facing } => *facing,
        FormTask::Face { facing } => Some(*facing),
        FormTask::FrontToFlank { .. }
        | FormTask::Mount { .. }
        | FormTask::Dismount { .. }
        | FormTask::Square {}
        | FormTask::BrigadeColumn { .. }
        | FormTask::Resupply {}
        | FormTask::JoinRegiment { .. }
        | FormTask::ManGuns { .. }
        | FormTask::Work { .. }
        | FormTask::Swing { .. }
        | FormTask::Deploy { .. } => None,
    }
}

/// At the turn's end the chits come off, and the marks of what is under pickets. HID-12
pub(crate) fn clear(play: &mut Play<'_>) {
    play.table_mut().pickets.values_mut().for_each(|picket| picket.shown = None);
    for side in Side::BOTH {
        let secrets = play.battle.secrets.get_mut(side).open_mut();
        secrets.picket_orders.clear();
        for unit in secrets.pickets.values_mut().flat_map(|under| &mut under.units) {
            let in_command = unit.marks.in_command;
            unit.marks = TurnMarks { in_command, ..TurnMarks::default() };
        }
    }
}
