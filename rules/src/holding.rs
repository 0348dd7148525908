//! What a unit does without giving up its hold: the end stand that is bent back (ENF-12), the guns that are pivoted (ARTY-27),
//! the square that is formed against cavalry (TAC-40); and the screen that rejoins its regiment (TAC-20).
//!
//! Owns when that is done, which way, and whether there is room. Everybody turns on one look at the table, so neighbours may
//! do it together. It never fires.

#[cfg(test)]
mod tests;

use protocol::event::{Fact, FlankClass, Morale, OrderShown};
use protocol::orders::{EmergencySquare, Order, Pivot, Refuse};
use protocol::place::Bearing;
use protocol::words::{Arm, Flank, Formation};

use crate::battle::{Unit, UnitIx};
use crate::catalogue::{ARTY_27, ENF_12, RuleId, TAC_20, TAC_40, TAC_41};
use crate::competence::{self, Finding};
use crate::dice::Purpose;
use crate::explain::sentence;
use crate::field::Field;
use crate::fire::{self, Standing};
use crate::formation::{self, Drawn};
use crate::geometry::{self, Vector};
use crate::los;
use crate::morale::flight;
use crate::play::Play;
use crate::reform;

/// ENF-12 A threat is looked for within this distance, thousandths of an inch.
pub(crate) const THREAT_WITHIN: i32 = 12_000;

/// When end stands may be bent back. ENF-12
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The reactions window has closed, before phase 4.
    Reveal,
    /// An instant of phase 7, at which only those turn who were told so.
    Movement,
}

/// A unit as it is to stand, and what is told of it.
struct Turn {
    unit: UnitIx,
    body: Unit,
    text: String,
}

/// ENF-12 Bends back, changes or straightens the end stands of all units on HOLD or Conditional Hold, as they were told or as
/// they are threatened. Whether any did.
pub(crate) fn refuse_end_stands(play: &mut Play<'_>, moment: Moment) -> bool {
    let wish = |ix: UnitIx| match (play.choice(ix, None, |said| said.refuse.map(Some)).0, moment) {
        (None, Moment::Reveal) => Some(Refuse::Threatened),
        (said, _) => said,
    };
    let units = play.table().units().filter_map(|(ix, _)| Some((ix, wish(ix)?)));
    refuse(play, units.collect())
}

/// CF-11, ENF-12 As a unit is charged: its end stand is bent back as its owner says, by default where it is threatened.
pub(crate) fn refuse_against_charge(play: &mut Play<'_>, ix: UnitIx) -> bool {
    let wish = play.choice(ix, Refuse::Threatened, |said| said.refuse).0;
    refuse(play, vec![(ix, wish)])
}

fn refuse(play: &mut Play<'_>, wishes: Vec<(UnitIx, Refuse)>) -> bool {
    let wishes: Vec<(UnitIx, Refuse)> = wishes.into_iter().filter(|(ix, _)| may_refuse(play, *ix)).collect();
    if wishes.is_empty() {
        return false;
    }
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut turns = Vec::new();
    for (ix, wished) in wishes {
        let unit = field.unit(ix);
        let flank = match wished {
            Refuse::Left => Some(Flank::Left),
            Refuse::Right => Some(Flank::Right),
            Refuse::Never => None,
            // Nobody threatens it: the line stays as it is.
            Refuse::Threatened => match threatened_end(&field, ix) {
                None => continue,
                threatened => threatened,
            },
        };
        if flank == unit.footing.refused {
            continue;
        }
        let mut body = unit.clone();
        body.footing.refused = flank;
        let text = match flank {
            Some(flank) => format!("{} bends back its {flank} stand.", unit.name),
            None => format!("{} straightens its line.", unit.name),
        };
        turns.push(Turn { unit: ix, body, text });
    }
    carry_out(play, ENF_12, turns)
}

/// ENF-12 A line of three stands or more that holds, in order.
fn may_refuse(play: &Play<'_>, ix: UnitIx) -> bool {
    may_bend(&play.table()[ix], &play.order(ix))
}

/// ENF-12 As above, of a unit under that order.
pub(crate) fn may_bend(unit: &Unit, order: &Order) -> bool {
    unit.arm != Arm::Artillery && !unit.footing.disorder && holds(unit, order) && Drawn::of(unit).may_refuse()
}

/// On HOLD or Conditional Hold, and free to turn.
fn is_holding(play: &Play<'_>, ix: UnitIx) -> bool {
    holds(&play.table()[ix], &play.order(ix))
}

fn holds(unit: &Unit, order: &Order) -> bool {
    let marks = &unit.marks;
    unit.is_unrouted() && !marks.in_melee && !marks.beaten && Standing::of(unit, order).holds()
}

/// ENF-12 The end from which a unit is threatened: an enemy in sight, not routed, within twelve inches, who strikes it in the
/// flank from where he stands, whatever he faces. If both ends are, that of the nearer one, and neither if they are level.
fn threatened_end(field: &Field<'_>, ix: UnitIx) -> Option<Flank> {
    let near = field.enemies_near(field.unit(ix).side, field.extent(ix), THREAT_WITHIN);
    let enemies =
        near.filter(|enemy| field.unit(*enemy).morale != Morale::Routed && field.within(ix, *enemy, THREAT_WITHIN));
    let strikes = enemies.filter(|enemy| {
        let class = fire::class_at_contact(field, *enemy, ix);
        matches!(class, FlankClass::Partial | FlankClass::Full) && field.sees(ix, *enemy)
    });
    let threats: Vec<_> = strikes.map(|enemy| (field.distance(ix, enemy), side_of(field, ix, enemy))).collect();
    let nearest = |flank: Flank| threats.iter().filter(|(_, side)| *side == flank).map(|(distance, _)| *distance).min();
    match (nearest(Flank::Left), nearest(Flank::Right)) {
        (Some(left), Some(right)) if left == right => None,
        (Some(left), Some(right)) => Some(if left < right { Flank::Left } else { Flank::Right }),
        (Some(_), None) => Some(Flank::Left),
        (None, Some(_)) => Some(Flank::Right),
        (None, None) => None,
    }
}

/// ENF-13 On which side of a unit's anchor another stands.
fn side_of(field: &Field<'_>, ix: UnitIx, other: UnitIx) -> Flank {
    let footing = &field.unit(ix).footing;
    let to_right = geometry::right(footing.facing).dot(Vector::between(footing.anchor, field.center(other)));
    if to_right < 0 { Flank::Left } else { Flank::Right }
}

/// ARTY-27 Pivots the batteries on HOLD or Conditional Hold that were told a bearing, or a unit that they now see in range and
/// outside their arc. Each pivots once a turn, and only for the fire that it still has. Whether any did.
pub(crate) fn pivot_batteries(play: &mut Play<'_>, before_moves: bool) -> bool {
    let wish = |ix: UnitIx| match play.choice(ix, Pivot::IfCharged {}, |said| said.pivot.clone()).0 {
        Pivot::To { .. } if !before_moves => None,
        Pivot::IfCharged {} | Pivot::Never {} => None,
        told => Some(told),
    };
    let guns = play.table().units().filter(|(_, unit)| unit.arm == Arm::Artillery);
    let units = guns.filter_map(|(ix, _)| Some((ix, wish(ix)?)));
    let wishes: Vec<(UnitIx, Pivot)> = units.filter(|(ix, _)| may_pivot(play, *ix)).collect();
    if wishes.is_empty() {
        return false;
    }
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut turns = Vec::new();
    for (ix, wished) in wishes {
        let unit = field.unit(ix);
        let bearing = match wished {
            Pivot::To { bearing } => Some(bearing),
            Pivot::At { unit: target } => field.table.find(&target).and_then(|at| bearing_to(&field, ix, at)),
            Pivot::IfCharged {} | Pivot::Never {} => None,
        };
        let Some(bearing) = bearing else { continue };
        if bearing == unit.footing.facing {
            continue;
        }
        let mut body = flight::turned(unit, bearing);
        body.marks.pivoted = true;
        // ARTY-53 The row of its shots ends, even if it turns back.
        body.carried.aim = None;
        turns.push(Turn { unit: ix, body, text: format!("{} pivots its guns.", unit.name) });
    }
    carry_out(play, ARTY_27, turns)
}

pub(crate) fn may_pivot(play: &Play<'_>, ix: UnitIx) -> bool {
    let unit = &play.table()[ix];
    unit.arm == Arm::Artillery
        && unit.footing.formation == Formation::Unlimbered
        && !unit.marks.pivoted
        && unit.marks.fires == 0
        && is_holding(play, ix)
}

/// The bearing from a battery's centre to the nearest stand of an enemy whom it sees in range, outside its arc.
fn bearing_to(field: &Field<'_>, battery: UnitIx, target: UnitIx) -> Option<Bearing> {
    let enemy = field.unit(target);
    let is_mark = enemy.on_table() && enemy.is_unrouted() && enemy.side != field.unit(battery).side;
    if !is_mark || fire::bears_on(field, battery, target) != Some(false) || !field.sees(battery, target) {
        return None;
    }
    let center = field.center(battery);
    let stands = field.stands(target).into_iter().map(|stand| stand.center);
    let nearest = stands.min_by_key(|stand| geometry::between_points(center, *stand))?;
    geometry::bearing_between(center, nearest)
}

/// TAC-20 At the end of phase 3 the screens that fell back last turn stand in line again, about the same middle, and so do
/// those of regiments in disorder. Who has no room waits for the next turn.
pub(crate) fn rejoin_screens(play: &mut Play<'_>) {
    let units = play.table().units();
    let apart = units
        .filter(|(_, unit)| unit.footing.formation == Formation::LineWithSkirmishers && !unit.footing.screen_is_out());
    let turns = apart.map(|(ix, unit)| {
        let mut body = unit.clone();
        (body.footing.formation, body.footing.gap) = (Formation::SingleLine, 0);
        body.footing.screen_back = false;
        if body.last_formed == Formation::LineWithSkirmishers {
            body.last_formed = Formation::SingleLine;
        }
        Turn { unit: ix, body, text: format!("The skirmishers of {} rejoin their regiment.", unit.name) }
    });
    let turns = turns.collect();
    carry_out(play, TAC_20, turns);
}

/// TAC-40 Cavalry in sight threatens within this distance, thousandths of an inch.
const CAVALRY_WITHIN: i32 = 30_000;

/// TAC-40, TAC-41 When the reactions window has closed, regiments on HOLD that were told so try to form square against the
/// cavalry that threatens them, all on one look. Success makes a square, failure brings disorder.
pub(crate) fn form_emergency_squares(play: &mut Play<'_>) {
    let wish = |ix: UnitIx| play.choice(ix, EmergencySquare::Never, |said| said.square).0;
    let units = play.table().units().map(|(ix, _)| (ix, wish(ix)));
    let wishes: Vec<(UnitIx, EmergencySquare)> =
        units.filter(|(ix, wished)| *wished != EmergencySquare::Never && may_form_square(play, *ix)).collect();
    let mut met = Vec::new();
    let attempts: Vec<(UnitIx, Finding)> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let due = wishes.into_iter().filter(|(ix, wished)| is_due(&field, *ix, *wished)).map(|(ix, _)| ix);
        let due: Vec<UnitIx> = due.collect();
        for ix in &due {
            let barring = reform::barred_by(field.table, *ix, &squared(field.unit(*ix)), |_| false);
            met.extend(barring.into_iter().map(|enemy| (*ix, enemy)));
        }
        let tried = due.into_iter().filter(|ix| reform::fits(field.table, *ix, &squared(field.unit(*ix))));
        let roll = |ix: UnitIx| {
            let key = field.unit(ix).id.to_string();
            competence::roll(play, &field, ix, Purpose::SquareForm, &[&key], "forming square")
        };
        tried.map(|ix| (ix, roll(ix))).collect()
    };
    los::meet(play, &met);
    for (ix, finding) in attempts {
        let formed = finding.passed;
        finding.tell(play);
        let unit = &mut play.table_mut()[ix];
        unit.marks.changed_formation = true;
        if formed {
            *unit = squared(unit);
            let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
            let text = format!("{} forms square.", unit.name);
            play.tell(TAC_40, fact, sentence(text));
        } else {
            unit.footing.disorder = true;
            unit.marks.square_failed = true;
            let fact = Fact::Disorder { unit: unit.id.clone(), disorder: true };
            let text = format!("{} loses its order in trying to form square.", unit.name);
            play.tell(TAC_41, fact, sentence(text));
        }
    }
}

/// TAC-40 Infantry on HOLD, up and in order, that has not changed its formation this turn and is not in square.
fn may_form_square(play: &Play<'_>, ix: UnitIx) -> bool {
    let unit = &play.table()[ix];
    let marks = &unit.marks;
    unit.arm == Arm::Infantry
        && unit.is_unrouted()
        && !unit.footing.disorder
        && !unit.footing.prone
        && unit.footing.formation != Formation::Square
        && unit.column.is_none()
        && !marks.changed_formation
        && Standing::of(unit, &play.order(ix)) == Standing::Hold
}

/// TAC-40 Whether the cavalry that its owner fears is there, and all of it far enough off.
fn is_due(field: &Field<'_>, ix: UnitIx, wished: EmergencySquare) -> bool {
    let own = &field.unit(ix).id;
    let charges_it = |enemy: &Unit| matches!(&enemy.marks.shown, Some(OrderShown::Charge { target: Some(target), .. }) if target == own);
    let comes = |enemy: UnitIx, unit: &Unit| {
        matches!(unit.marks.shown, Some(OrderShown::Charge { .. } | OrderShown::Move { .. }))
            && field.within(ix, enemy, CAVALRY_WITHIN)
    };
    let horse = field.enemies_of(field.unit(ix).side).filter(|(_, unit)| unit.mounted && unit.is_unrouted());
    let threats: Vec<(UnitIx, &Unit)> =
        horse.filter(|(enemy, unit)| (charges_it(unit) || comes(*enemy, unit)) && field.sees(ix, *enemy)).collect();
    let least = field.rules.square.cavalry_min_start_distance.thousandths();
    let feared = match wished {
        EmergencySquare::IfCavalryChargesMe => threats.iter().any(|(_, unit)| charges_it(unit)),
        EmergencySquare::IfCavalryThreatens => !threats.is_empty(),
        EmergencySquare::Never => false,
    };
    feared && !threats.iter().any(|(enemy, _)| field.distance(ix, *enemy).closer_than(least))
}

/// TAC-43 The unit in square, its front where it was turned. It has formed: FIRE-06, ADDF-02
fn squared(unit: &Unit) -> Unit {
    let mut body = unit.clone();
    formation::form_at_once(&mut body, Formation::Square, unit.footing.facing);
    body.marks.formed_on_hold = true;
    body
}

/// ARTY-28 Guns in action side by side, which turn among each other: by ARTY-16 any of one side that touch are of one group.
fn are_crowded_guns(one: &Unit, other: &Unit) -> bool {
    let in_action = |unit: &Unit| unit.arm == Arm::Artillery && unit.footing.formation == Formation::Unlimbered;
    in_action(one) && in_action(other) && one.side == other.side
}

/// Turns everybody at once who has room; room is judged by how all stood before.
fn carry_out(play: &mut Play<'_>, rule: RuleId, turns: Vec<Turn>) -> bool {
    let has_room = |turn: &Turn| {
        let crowded = |other: &Unit| are_crowded_guns(&turn.body, other);
        reform::fits_but_for(play.table(), turn.unit, &turn.body, crowded)
    };
    let met = turns.iter().flat_map(|turn| {
        let crowded = |other: &Unit| are_crowded_guns(&turn.body, other);
        let barring = reform::barred_by(play.table(), turn.unit, &turn.body, crowded);
        barring.into_iter().map(|enemy| (turn.unit, enemy))
    });
    let met: Vec<(UnitIx, UnitIx)> = met.collect();
    let turns: Vec<Turn> = turns.into_iter().filter(has_room).collect();
    los::meet(play, &met);
    let any = !turns.is_empty();
    for Turn { unit, body, text } in turns {
        let fact = Fact::Formed { unit: body.id.clone(), after: body.stance() };
        play.table_mut()[unit] = body;
        play.tell(rule, fact, sentence(text));
    }
    any
}
