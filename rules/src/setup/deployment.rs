//! SCN-06 What the players place before turn 1, in a game that lets them.
//!
//! Owns the battle of turn 0 ([`muster`]), what a seat may place and where ([`choices`]), what of its word is legal
//! ([`legal_part`]), and the battle of turn 1 that comes of all envelopes together ([`deploy`]). Legality looks at the own
//! side's zones and at the seat's own units, never at the enemy nor at what another seat may be sealing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use protocol::event::Stance;
use protocol::ids::{BySide, LeaderId, SeatId, Side, UnitId};
use protocol::message::Refusal;
use protocol::orders::{self, Draft, LeaderDraft};
use protocol::place::Point;
use protocol::view::{DeploymentView, PlaceableView, Viewer, ZoneView};
use protocol::words::{Arm, Formation};

use super::hiding::{self, Occasion};
use super::sealing::{self, Sealed};
use super::{Placement, Placements, Seating, arm_may_stand, begins_mounted, stand_size, start, touch, works};
use crate::battle::{Battle, Footing, Known, Leader, Table, Theatre, Unit, known};
use crate::catalogue::{FORM_01, HID_01, HID_11, MV_29, RuleId, SCN_06, SCN_11, SCNS_13};
use crate::dice::KeyedDice;
use crate::formation::Drawn;
use crate::geometry::{Rect, contains_within_eps};
use crate::movement::{gap_of, has_stands_for};
use crate::ruleset::Ruleset;
use crate::scenario::{Force, Scenario, Setup, Zone};
use crate::stage::Envelopes;

/// SCN-06 The battle of turn 0: all stand as printed, and neither side has the other before it, until both have sealed.
pub fn muster(theatre: &Arc<Theatre>, rules: &Ruleset, seating: &Seating, switched_on: &BTreeSet<String>) -> Battle {
    let mut battle = start(theatre, rules, seating, switched_on, &BySide::default());
    battle.table.turn = 0;
    battle
}

/// SCN-06, HID-73 The battle of turn 1: all envelopes are opened at one instant. What a seat may not seal counts for
/// nothing, whoever let it through. Where two seats of a side have placed units on each other the later in the file gives way,
/// as printed overlaps do (MV-29).
///
/// HID-02, HID-72, HID-82 `dice` are those of the setup: the numbers of pickets, their salts, and places that are drawn.
pub fn deploy(
    rules: &Ruleset,
    mustered: &Battle,
    seating: &Seating,
    switched_on: &BTreeSet<String>,
    envelopes: &Envelopes,
    dice: &KeyedDice,
) -> Battle {
    let mut dug_in = BTreeMap::new();
    let mut hidden = Vec::new();
    let mut sealed = BySide::from_fn(|side| {
        let known = known(mustered, side);
        let mut placements = Placements::default();
        let mut pickets = Vec::new();
        for (seat, draft) in envelopes {
            let (legal, _) = legal_part(&known, rules, seat, draft);
            let (accepted, _) = hiding::legal(&known, rules, seat, Occasion::Setup, &legal.hiding);
            pickets.extend(accepted.into_iter().map(|picket| Sealed { side, seat: seat.clone(), picket }));
            placements.units.extend(legal.deployment.into_iter().map(|(unit, place)| (unit, sealed_place(&place))));
            let places = legal.leaders.into_iter().filter_map(|(leader, said)| Some((leader, said.place?)));
            placements.leaders.extend(places);
            dug_in.extend(legal.units);
        }
        let drawn = sealing::drawn(rules, &known, dice, &pickets);
        hidden.extend(pickets.into_iter().chain(drawn));
        placements
    });
    let (numbered, kept) = sealing::number(rules, &mustered.table, dice, hidden);
    sealing::stand_as_printed(&numbered, &mut sealed);
    let mut battle = start(&mustered.table.theatre, rules, seating, switched_on, &sealed);
    sealing::put(&mut battle, numbered, kept);
    works::dig(&mut battle, rules, &dug_in);
    battle
}

/// A legal placement in the words of the setup: a gap that is legal fits.
fn sealed_place(place: &orders::Placement) -> Placement {
    let orders::Placement { anchor, facing, formation, gap } = *place;
    Placement { at: anchor, facing, formation, gap: gap.and_then(|gap| i32::try_from(gap).ok()) }
}

/// SCN-06 What a viewer of the side may place, and where: his seat's own, or all of the side for one without a seat. None
/// once the battle has begun.
pub fn choices(known: &Known, rules: &Ruleset, viewer: &Viewer) -> Option<DeploymentView> {
    let table = &known.table;
    if !table.is_deploying() {
        return None;
    }
    let places = |of: &SeatId| match viewer {
        Viewer::Seat { seat, .. } => of == seat,
        Viewer::Side { .. } | Viewer::Umpire {} | Viewer::Public {} => true,
    };
    let units: Vec<&Unit> =
        table.units_of(known.side).map(|(_, unit)| unit).filter(|unit| places(&unit.seat)).collect();
    let leaders: Vec<&Leader> =
        table.leaders.values().filter(|leader| leader.on_table() && places(&leader.seat)).collect();
    let scenario = table.scenario();
    let zones = zones_of(scenario, known.side).map(|zone| {
        let units = units.iter().filter(|unit| is_for(scenario, zone, &unit.id));
        let leaders = leaders.iter().filter(|leader| is_for_leader(table, zone, &leader.id));
        ZoneView {
            id: zone.id.clone(),
            outline: zone.outline.clone(),
            units: units.map(|unit| unit.id.clone()).collect(),
            leaders: leaders.map(|leader| leader.id.clone()).collect(),
        }
    });
    Some(DeploymentView {
        zones: zones.filter(|zone| !zone.units.is_empty() || !zone.leaders.is_empty()).collect(),
        units: units.iter().filter_map(|unit| placeable(rules, scenario, unit)).collect(),
        leaders: leaders.iter().map(|leader| leader.id.clone()).collect(),
        hiding: hiding::choices(known, rules, places),
    })
}

/// A unit in each formation in which it may begin, the printed one first.
fn placeable(rules: &Ruleset, scenario: &Scenario, unit: &Unit) -> Option<PlaceableView> {
    let force = scenario.force(unit.id.as_str())?;
    let Footing { anchor, facing, formation: printed, .. } = unit.footing;
    let others = formations(force).into_iter().filter(|formation| *formation != printed);
    let stances = std::iter::once(printed).chain(others).map(|formation| -> Stance {
        let place = orders::Placement { anchor, facing, formation, gap: None };
        match drawn_up(rules, scenario, force, unit, &place) {
            Ok(placed) => placed.stance(),
            // Without a gap of its own every formation can be drawn up.
            Err(_) => unit.stance(),
        }
    });
    Some(PlaceableView { unit: unit.id.clone(), stances: stances.collect() })
}

/// SCN-06 The legal part of what a seat says before turn 1, and what was left out of it, each with rule, reason and remedy.
///
/// Placements are refused one by one; those that are left are tested against what then stands as printed, so that the legal
/// part is legal as a whole.
pub fn legal_part(known: &Known, rules: &Ruleset, seat: &SeatId, draft: &Draft) -> (Draft, Vec<Refusal>) {
    let mut legal = Draft::default();
    let mut refusals = Vec::new();
    let Draft { units, brigades, leaders, deployment, pickets, hiding } = draft;
    let (accepted, not_hidden) = hiding::legal(known, rules, seat, Occasion::Setup, hiding);
    refusals.extend(not_hidden);
    let under_units: BTreeSet<&UnitId> =
        accepted.iter().flat_map(|picket| picket.units.iter().map(|unit| &unit.id)).collect();
    let under_leaders: BTreeSet<&LeaderId> =
        accepted.iter().flat_map(|picket| picket.leaders.iter().map(|leader| &leader.id)).collect();
    legal.hiding = accepted.iter().map(|picket| picket.hiding.clone()).collect();
    refusals.extend(pickets.keys().map(|number| {
        let why = "pickets take orders from turn 1 on; before it they are placed".to_owned();
        refused(&number.0.to_string(), "order", SCN_06, why)
    }));
    refusals.extend(brigades.keys().map(|brigade| {
        let why = "orders are given from turn 1 on; before it units are placed".to_owned();
        refused(brigade.as_str(), "order", SCN_06, why)
    }));
    let mut inches_left = known.table.scenario().sides.get(known.side).hasty_works;
    for (id, said) in units {
        let own = known.table.unit(id).filter(|unit| unit.side == known.side && unit.seat == *seat);
        let Some(unit) = own else {
            refusals.push(refused(id.as_str(), "order", SCN_06, format!("you have no unit `{id}` to place")));
            continue;
        };
        // HID-64 Who begins under a picket may have dug in as well.
        let hidden = accepted.iter().flat_map(|picket| &picket.units).find(|hidden| hidden.id == *id);
        let unit = hidden.unwrap_or(unit);
        match works::begins_dug_in(unit, said, inches_left) {
            Ok(()) => {
                inches_left -= crate::works::frontage(unit);
                legal.units.insert(id.clone(), said.clone());
            }
            Err((rule, why)) => refusals.push(refused(id.as_str(), "order", rule, why)),
        }
    }
    for (id, said) in leaders {
        if under_leaders.contains(id) {
            let why = "he begins under a picket; leave out his place, or take him from under it".to_owned();
            refusals.push(refused(id.as_str(), "place", HID_11, why));
            continue;
        }
        match leader_place(known, seat, id, said) {
            Ok(Some(place)) => {
                legal.leaders.insert(id.clone(), LeaderDraft { place: Some(place), ..LeaderDraft::default() });
            }
            Ok(None) => {}
            Err(refusal) => refusals.push(refusal),
        }
    }
    let mut placed = BTreeMap::new();
    for (id, place) in deployment {
        if let Some((rule, why)) = begins_hidden(&known.table, &under_units, id) {
            refusals.push(refused(id.as_str(), "deployment", rule, why));
            continue;
        }
        match unit_place(known, rules, seat, id, place) {
            Ok(unit) => {
                placed.insert(id, unit);
            }
            Err(refusal) => refusals.push(refusal),
        }
    }
    // A unit that is refused goes back to its printed place, where another may stand in its way: hence one at a time.
    while let Some((id, refusal)) = in_the_way(&known.table, seat, &placed, &under_units) {
        placed.remove(&id);
        refusals.push(refusal);
    }
    let kept = deployment.iter().filter(|(id, _)| placed.contains_key(id));
    legal.deployment = kept.map(|(id, place)| (id.clone(), place.clone())).collect();
    (legal, refusals)
}

pub(super) fn refused(subject: &str, key: &str, rule: RuleId, why: String) -> Refusal {
    let message = format!("refused ({rule}): {why}");
    Refusal { subject: subject.to_owned(), key: key.to_owned(), rule: rule.into(), message }
}

/// HID-01, SCNS-13 Why a unit is not placed openly: it is under a picket, or has to begin under one.
fn begins_hidden(table: &Table, hidden: &BTreeSet<&UnitId>, id: &UnitId) -> Option<(RuleId, String)> {
    let unit = table.unit(id)?;
    let name = &unit.name;
    if hidden.contains(id) {
        return Some((
            HID_01,
            format!("`{name}` begins under a picket; leave out its place, or take it from under it"),
        ));
    }
    let must = table.scenario().plays_hidden_movement() && hiding::must_hide(table, unit);
    (must && hiding::may_hide(table, unit).is_ok()).then(|| {
        let why = "begins hidden in this battle; put it under a picket, or leave it out and its place is drawn";
        (SCNS_13, format!("`{name}` {why}"))
    })
}

/// SCN-06 A unit as it would stand: the seat's own, on the table at the start, in a formation of its arm, whole in a zone
/// that is for it.
fn unit_place(
    known: &Known,
    rules: &Ruleset,
    seat: &SeatId,
    id: &UnitId,
    place: &orders::Placement,
) -> Result<Unit, Refusal> {
    let refuse = |rule, why| refused(id.as_str(), "deployment", rule, why);
    let scenario = known.table.scenario();
    let own = known.table.unit(id).filter(|unit| unit.side == known.side && unit.seat == *seat);
    let (Some(unit), Some(force)) = (own, scenario.force(id.as_str())) else {
        return Err(refuse(SCN_06, format!("you have no unit `{id}` to place")));
    };
    let name = &unit.name;
    if scenario.deployment.setup == Setup::Fixed {
        return Err(refuse(SCN_06, format!("`{name}` stands as printed: the setup of this scenario is fixed")));
    }
    if !unit.on_table() {
        return Err(refuse(SCN_11, format!("`{name}` arrives later and is not placed; leave it out")));
    }
    let choice = formations(force);
    if !choice.contains(&place.formation) && place.formation != unit.footing.formation {
        let choice: Vec<String> = choice.iter().map(ToString::to_string).collect();
        let formation = place.formation;
        let why = format!("`{name}` does not begin in {formation}; choose one of: {}", choice.join(", "));
        return Err(refuse(FORM_01, why));
    }
    let outside = || {
        refuse(
            SCN_06,
            format!("`{name}` does not stand whole in a zone that is for it; place all its stands inside of one"),
        )
    };
    if !is_on_table(&known.table, place.anchor) {
        return Err(outside());
    }
    let placed = drawn_up(rules, scenario, force, unit, place)
        .map_err(|(rule, why)| refuse(rule, format!("`{name}` cannot stand so: {why}")))?;
    let stands = rects(&placed);
    if !zones_of(scenario, known.side).any(|zone| is_for(scenario, zone, id) && inside(zone, &stands)) {
        return Err(outside());
    }
    Ok(placed)
}

/// SCN-06 Where a leader begins: in a zone that is for his side or for some of his command, or at his printed place.
fn leader_place(known: &Known, seat: &SeatId, id: &LeaderId, said: &LeaderDraft) -> Result<Option<Point>, Refusal> {
    let refuse = |key, rule, why| refused(id.as_str(), key, rule, why);
    let own = known.table.leaders.get(id).filter(|leader| leader.side == known.side && leader.seat == *seat);
    let Some(leader) = own else {
        return Err(refuse("place", SCN_06, format!("you have no leader `{id}` to place")));
    };
    let name = &leader.name;
    let LeaderDraft { place, .. } = said;
    if *said != (LeaderDraft { place: *place, ..LeaderDraft::default() }) {
        let why = format!("`{name}` takes orders from turn 1 on; before it he is placed");
        return Err(refuse("ride", SCN_06, why));
    }
    let Some(place) = *place else { return Ok(None) };
    let scenario = known.table.scenario();
    if scenario.deployment.setup == Setup::Fixed {
        let why = format!("`{name}` stands as printed: the setup of this scenario is fixed");
        return Err(refuse("place", SCN_06, why));
    }
    if !leader.on_table() {
        return Err(refuse("place", SCN_11, format!("`{name}` arrives later and is not placed; leave him out")));
    }
    let in_zone = |zone: &Zone| is_for_leader(&known.table, zone, id) && contains_within_eps(&zone.outline, place);
    let in_some_zone = is_on_table(&known.table, place) && zones_of(scenario, known.side).any(in_zone);
    if place != leader.at && !in_some_zone {
        let why = format!("`{name}` stands in no zone of his side; place him inside of one");
        return Err(refuse("place", SCN_06, why));
    }
    Ok(Some(place))
}

/// MV-29 The first placed unit that stands on another of its seat, placed or printed. Of two placed ones it is the later by
/// identifier.
fn in_the_way(
    table: &Table,
    seat: &SeatId,
    placed: &BTreeMap<&UnitId, Unit>,
    hidden: &BTreeSet<&UnitId>,
) -> Option<(UnitId, Refusal)> {
    let printed = table.units().map(|(_, unit)| unit);
    let printed: Vec<(&Unit, Vec<Rect>)> = printed
        .filter(|unit| unit.seat == *seat && !placed.contains_key(&unit.id) && !hidden.contains(&unit.id))
        .map(|unit| (unit, rects(unit)))
        .collect();
    let mut before: Vec<(&Unit, Vec<Rect>)> = Vec::new();
    for (id, unit) in placed {
        let stands = rects(unit);
        let as_printed = printed.iter().find(|(_, others)| touch(&stands, others)).map(|(other, _)| (other, true));
        let as_placed = || before.iter().find(|(_, others)| touch(&stands, others)).map(|(other, _)| (other, false));
        if let Some((other, stands_as_printed)) = as_printed.or_else(as_placed) {
            let how = if stands_as_printed { ", which stands as printed" } else { "" };
            let why = format!("`{}` stands on `{}`{how}; move one of them", unit.name, other.name);
            return Some(((*id).clone(), refused(id.as_str(), "deployment", MV_29, why)));
        }
        before.push((unit, stands));
    }
    None
}

/// A unit drawn up in another place, facing and formation.
pub(super) fn drawn_up(
    rules: &Ruleset,
    scenario: &Scenario,
    force: &Force,
    unit: &Unit,
    place: &orders::Placement,
) -> Result<Unit, (RuleId, String)> {
    let orders::Placement { anchor, facing, formation, gap } = *place;
    let (stand_width, stand_depth) = stand_size(scenario, rules, force, formation);
    has_stands_for(unit, formation)?;
    let gap = gap_of(rules, formation, stand_width, begins_mounted(force, formation), gap)?;
    let footing = Footing { anchor, facing, formation, gap, ..unit.footing.clone() };
    Ok(Unit { footing, stand_width, stand_depth, ..unit.clone() })
}

/// FORM-01, CAV-01 The formations in which a unit may be placed: those of its arm, and of horse that
/// begins on foot those on foot.
pub(super) fn formations(force: &Force) -> Vec<Formation> {
    let on_foot = [Formation::DismountedLine, Formation::SkirmishLine];
    let fits = |formation: &Formation| {
        let as_it_begins = force.arm != Arm::Cavalry || force.state.mounted || on_foot.contains(formation);
        arm_may_stand(force.arm, *formation) && as_it_begins
    };
    Formation::ALL.into_iter().filter(fits).collect()
}

/// Whatever lies off the table lies in no zone; asked first, because a client may send any number.
pub(super) fn is_on_table(table: &Table, point: Point) -> bool {
    let ground = table.ground();
    let (width, height) = (ground.ground().width, ground.ground().height);
    (0..=width).contains(&point.x) && (0..=height).contains(&point.y)
}

pub(super) fn rects(unit: &Unit) -> Vec<Rect> {
    Drawn::of(unit).layout().rects().copied().collect()
}

pub(super) fn inside(zone: &Zone, rects: &[Rect]) -> bool {
    rects.iter().all(|rect| rect.corners.iter().all(|corner| contains_within_eps(&zone.outline, *corner)))
}

pub(super) fn zones_of(scenario: &Scenario, side: Side) -> impl Iterator<Item = &Zone> {
    scenario.deployment.zones.iter().filter(move |zone| zone.side == side)
}

pub(super) fn is_for(scenario: &Scenario, zone: &Zone, unit: &UnitId) -> bool {
    zone.only.is_empty() || scenario.selected(&zone.only).contains(unit)
}

/// A zone for some units is for those who command one of them that is on the table.
fn is_for_leader(table: &Table, zone: &Zone, leader: &LeaderId) -> bool {
    let scenario = table.scenario();
    let commands = |unit: &Unit| {
        let under = scenario.force(unit.id.as_str()).map(|force| &force.under);
        scenario.superiors(under).iter().any(|above| above.id == *leader)
    };
    zone.only.is_empty() || table.units().any(|(_, unit)| is_for(scenario, zone, &unit.id) && commands(unit))
}

#[cfg(test)]
mod tests;
