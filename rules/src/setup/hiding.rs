//! HID-05 to HID-11 What may begin, or come in, under pickets.
//!
//! Owns the legality of what a seat wants to hide, before turn 1 and at the door (HID-67): each picket is judged for itself, on the own
//! side's troops and the scenario alone, never on the enemy (HID-05, LEAK-90). It draws no numbers and puts nothing on the table.
//!
//! Start at [`legal`].

use std::collections::BTreeSet;

use protocol::event::Morale;
use protocol::ids::{BrigadeId, LeaderId, SeatId, UnitId};
use protocol::message::Refusal;
use protocol::orders::{self, Hides, Hiding, Plan};
use protocol::place::{Bearing, Point};
use protocol::view::{HidingView, Presence};
use protocol::words::{Arm, Formation};

use super::deployment::{drawn_up, formations, inside, is_for, is_on_table, rects, refused, zones_of};
use crate::arrivals;
use crate::battle::{Brigade, Known, Leader, Table, Unit};
use crate::catalogue::*;
use crate::geometry::between_points;
use crate::hidden::plan;
use crate::ruleset::Ruleset;
use crate::scenario::{Force, HiddenStarts, Scenario, SpecialKind, Zone, door};

/// When pickets are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// Before turn 1, in the zones of the side. HID-05
    Setup,
    /// With the orders of the turn in which reinforcements may enter, at their point of entry. HID-67
    Door,
}

/// A picket that its seat may have, with its units and leaders as they will be under it.
#[derive(Clone, Debug)]
pub(crate) struct Accepted {
    pub(crate) hiding: Hiding,
    pub(crate) units: Vec<Unit>,
    pub(crate) leaders: Vec<Leader>,
}

/// HID-67, SCN-14 So far from their point of entry reinforcements may come in under pickets, thousandths of an inch.
const ALONG_THE_EDGE: i32 = 12_000;

type Fault = (RuleId, String);

/// HID-05 The pickets that a seat may have of those that it wants, in the order in which it named them, and of the others rule, reason
/// and remedy, one for each.
pub(crate) fn legal(
    known: &Known,
    rules: &Ruleset,
    seat: &SeatId,
    occasion: Occasion,
    wanted: &[Hiding],
) -> (Vec<Accepted>, Vec<Refusal>) {
    let mut court =
        Court { known, rules, seat, occasion, units: BTreeSet::new(), leaders: BTreeSet::new(), doors: Vec::new() };
    let mut judged: Vec<(usize, Result<Accepted, Fault>)> = Vec::new();
    // HID-67 Reinforcements bring dummies with them, so they are judged before these.
    let (dummies, real): (Vec<_>, Vec<_>) =
        wanted.iter().enumerate().partition(|(_, hiding)| matches!(hiding.hides, Hides::Dummy {}));
    judged.extend(real.into_iter().map(|(place, hiding)| (place, court.judge(hiding))));
    let mut left = court.dummies();
    for (place, hiding) in dummies {
        let verdict = court.judge_dummy(hiding, left);
        left = left.saturating_sub(u32::from(verdict.is_ok()));
        judged.push((place, verdict));
    }
    judged.sort_by_key(|(place, _)| *place);
    let (mut accepted, mut refusals) = (Vec::new(), Vec::new());
    for (place, verdict) in judged {
        match verdict {
            Ok(picket) => accepted.push(picket),
            Err((rule, why)) => refusals.push(refused(&format!("hiding {}", place + 1), "hiding", rule, why)),
        }
    }
    (accepted, refusals)
}

/// HID-05 What a seat may hide before turn 1. None where hidden movement is not played, or the places are drawn (HID-82).
pub(super) fn choices(known: &Known, rules: &Ruleset, seats: impl Fn(&SeatId) -> bool) -> Option<HidingView> {
    let table = &known.table;
    let scenario = table.scenario();
    if !scenario.plays_hidden_movement() || scenario.deployment.hidden_at_random {
        return None;
    }
    let of_seat = |unit: &&Unit| unit.side == known.side && unit.on_table() && seats(&unit.seat);
    let own: Vec<&Unit> = table.all_units().map(|(_, unit)| unit).filter(of_seat).collect();
    let hides = |unit: &&&Unit| may_hide(table, unit).is_ok();
    let in_brigades = table.brigades.values().filter(|brigade| brigade.side == known.side && !brigade.guns);
    let whole = in_brigades.filter(|brigade| {
        let of_brigade = own.iter().filter(hides).filter(|unit| unit.brigade.as_ref() == Some(&brigade.id));
        of_brigade.filter(|unit| rides_together(unit.arm)).count() != 0
    });
    Some(HidingView {
        units: own.iter().filter(hides).map(|unit| unit.id.clone()).collect(),
        brigades: whole.map(|brigade| brigade.id.clone()).collect(),
        dummies: dummies_of(known, rules, &seats),
    })
}

/// HID-06 The dummies of some seats of a side: each seat has two for every manoeuvre unit of its own on the table, hidden or not, so
/// that no seat's allowance depends on what another does. Where a side could not have numbers for all, every seat has its share.
pub(super) fn dummies_of(known: &Known, rules: &Ruleset, seats: &impl Fn(&SeatId) -> bool) -> u32 {
    let table = &known.table;
    let numbers = &rules.hidden_movement.number_range;
    let each = rules.hidden_movement.dummies_per_unit.unsigned_abs();
    let units = |presence: Presence, of: &dyn Fn(&SeatId) -> bool| {
        let own = table.all_units().map(|(_, unit)| unit).filter(|unit| unit.side == known.side);
        let counted = own.filter(|unit| unit.presence == presence && is_manoeuvre(unit.arm) && of(&unit.seat));
        u32::try_from(counted.count()).unwrap_or(u32::MAX)
    };
    let all = units(Presence::Table, &|_| true);
    let to_come = units(Presence::ToCome, &|_| true);
    // HID-02 A side has half of the numbers, and those that come later need theirs.
    let room = ((numbers[1] + 1).saturating_sub(numbers[0]) / 2)
        .saturating_sub(all)
        .saturating_sub(to_come.saturating_mul(1 + each));
    let own = units(Presence::Table, &|seat| seats(seat));
    (each * own).min(room.saturating_mul(own).checked_div(all).unwrap_or_default())
}

/// SCN-07, SCNS-13, HID-05 Whether a unit may begin or come in under a picket.
///
/// # Errors
/// The rule that forbids it, and what would do.
pub(crate) fn may_hide(table: &Table, unit: &Unit) -> Result<(), Fault> {
    let name = &unit.name;
    if !is_manoeuvre(unit.arm) {
        let why =
            format!("a picket stands for a regiment, a battalion, a battery or a brigade; let `{name}` stand openly");
        return Err((HID_01, why));
    }
    if unit.morale != Morale::Good {
        return Err((HID_05, format!("`{name}` is not in good morale and begins openly; leave it out")));
    }
    match table.scenario().deployment.hidden {
        HiddenStarts::None => Err((SCN_07, format!("nobody begins hidden in this battle; let `{name}` stand openly"))),
        HiddenStarts::Allowed => Ok(()),
        HiddenStarts::Listed if must_hide(table, unit) => Ok(()),
        HiddenStarts::Listed => {
            Err((SCN_07, format!("`{name}` is not among those that begin hidden in this battle; let it stand openly")))
        }
    }
}

/// SCNS-13 Whether a term of the scenario has a unit begin hidden.
pub(crate) fn must_hide(table: &Table, unit: &Unit) -> bool {
    let scenario = table.scenario();
    let on = scenario.specials.iter().filter(|special| !special.optional || table.switched_on.contains(&special.id));
    let mut terms = on.filter(|special| matches!(special.kind, SpecialKind::HiddenStart { .. }));
    terms.any(|special| scenario.selected(&special.who).contains(&unit.id))
}

/// HID-01, HID-06 Regiments, battalions and batteries.
pub(super) fn is_manoeuvre(arm: Arm) -> bool {
    matches!(arm, Arm::Infantry | Arm::Cavalry | Arm::Artillery)
}

/// HID-07 Batteries of a brigade have pickets of their own.
fn rides_together(arm: Arm) -> bool {
    matches!(arm, Arm::Infantry | Arm::Cavalry)
}

/// Who judges the pickets of one seat, one after another, and what has been hidden so far.
struct Court<'a> {
    known: &'a Known,
    rules: &'a Ruleset,
    seat: &'a SeatId,
    occasion: Occasion,
    units: BTreeSet<UnitId>,
    leaders: BTreeSet<LeaderId>,
    /// Points of entry of those that enter hidden. HID-67
    doors: Vec<Point>,
}

impl<'a> Court<'a> {
    fn scenario(&self) -> &'a Scenario {
        self.known.table.scenario()
    }

    /// HID-06, HID-67 Dummies that the seat may have; reinforcements bring theirs with each unit that enters hidden.
    fn dummies(&self) -> u32 {
        match self.occasion {
            Occasion::Setup => dummies_of(self.known, self.rules, &|seat| seat == self.seat),
            Occasion::Door => {
                let units = u32::try_from(self.units.len()).unwrap_or_default();
                units * self.rules.hidden_movement.dummies_per_unit.unsigned_abs()
            }
        }
    }

    fn judge(&mut self, hiding: &Hiding) -> Result<Accepted, Fault> {
        self.is_played()?;
        let units = match &hiding.hides {
            Hides::Dummy {} => Vec::new(),
            Hides::Unit { unit, formation, gap } => {
                let unit = self.own_unit(unit)?;
                let place = self.place(hiding, *formation, *gap);
                vec![self.drawn_up(unit, &place)?]
            }
            Hides::Brigade { brigade, formation, plan } => self.brigade(hiding, brigade, *formation, plan)?,
        };
        self.is_placed(hiding.at, &units)?;
        let leaders = self.riders(hiding, &units)?;
        self.may_march(hiding, &units)?;
        self.units.extend(units.iter().map(|unit| unit.id.clone()));
        self.leaders.extend(leaders.iter().map(|leader| leader.id.clone()));
        let doors: Vec<Point> = units.iter().filter_map(|unit| self.door_of(unit)).collect();
        self.doors.extend(doors);
        Ok(Accepted { hiding: hiding.clone(), units, leaders })
    }

    /// HID-06 A dummy stands where a picket of the seat could stand.
    fn judge_dummy(&mut self, hiding: &Hiding, left: u32) -> Result<Accepted, Fault> {
        self.is_played()?;
        if !hiding.leaders.is_empty() {
            return Err((HID_11, "a dummy has room for no leader; put him under a picket of his command".to_owned()));
        }
        if left == 0 {
            let why = match self.occasion {
                Occasion::Setup => format!("you have {} dummies and no more; leave this one out", self.dummies()),
                Occasion::Door => format!(
                    "reinforcements bring {} dummies, two for each unit that enters hidden; leave this one out",
                    self.dummies()
                ),
            };
            return Err((HID_06, why));
        }
        self.is_placed(hiding.at, &[])?;
        self.may_march(hiding, &[])?;
        Ok(Accepted { hiding: hiding.clone(), units: Vec::new(), leaders: Vec::new() })
    }

    /// HID-67, HID-22, HID-23 The line of a picket that enters is judged as that of any picket, from its point.
    fn may_march(&self, hiding: &Hiding, units: &[Unit]) -> Result<(), Fault> {
        if hiding.path.is_empty() {
            return Ok(());
        }
        match self.occasion {
            Occasion::Setup => {
                Err((SCN_06, "pickets march from turn 1 on; before it they are placed: leave out the path".to_owned()))
            }
            Occasion::Door => match crate::orders::why_not_enter(self.known, self.rules, (self.seat, hiding), units) {
                Some((rule, why)) => Err((rule, format!("the picket {why}"))),
                None => Ok(()),
            },
        }
    }

    fn is_played(&self) -> Result<(), Fault> {
        let scenario = self.scenario();
        if !scenario.plays_hidden_movement() {
            return Err((SCN_07, "this battle is played without hidden movement; leave `hiding` out".to_owned()));
        }
        if self.occasion == Occasion::Setup && scenario.deployment.hidden_at_random {
            let why = "in this battle the server draws what is hidden, and where; leave `hiding` out".to_owned();
            return Err((HID_82, why));
        }
        Ok(())
    }

    /// A unit of the seat's own that may be hidden and is under no other picket.
    fn own_unit(&self, id: &UnitId) -> Result<&'a Unit, Fault> {
        let own = self.known.table.unit(id).filter(|unit| unit.side == self.known.side && unit.seat == *self.seat);
        let Some(unit) = own else { return Err((HID_05, format!("you have no unit `{id}` to hide"))) };
        let name = &unit.name;
        self.is_here(unit)?;
        may_hide(&self.known.table, unit)?;
        if self.units.contains(id) {
            return Err((HID_01, format!("`{name}` is under another picket already; leave out one of them")));
        }
        Ok(unit)
    }

    fn is_here(&self, unit: &Unit) -> Result<(), Fault> {
        let name = &unit.name;
        let table = &self.known.table;
        match self.occasion {
            Occasion::Setup if unit.on_table() => Ok(()),
            Occasion::Setup => Err((
                SCN_11,
                format!("`{name}` does not begin on the table; it may come in under a picket when it arrives"),
            )),
            Occasion::Door if table.find(&unit.id).is_some_and(|ix| arrivals::is_due(table, ix)) => Ok(()),
            Occasion::Door if unit.on_table() => {
                Err((HID_47, format!("`{name}` stands openly, and never hides again")))
            }
            Occasion::Door => Err((HID_67, format!("`{name}` does not arrive this turn; leave it out"))),
        }
    }

    fn place(&self, hiding: &Hiding, formation: Formation, gap: Option<u32>) -> orders::Placement {
        orders::Placement { anchor: hiding.at, facing: hiding.facing, formation, gap }
    }

    /// HID-04 In any formation of its arm.
    fn drawn_up(&self, unit: &Unit, place: &orders::Placement) -> Result<Unit, Fault> {
        let name = &unit.name;
        let Some(force) = self.force(unit) else {
            return Err((HID_05, format!("you have no unit `{}` to hide", unit.id)));
        };
        let choice = formations(force);
        if !choice.contains(&place.formation) && place.formation != unit.footing.formation {
            let choice: Vec<String> = choice.iter().map(ToString::to_string).collect();
            let why = format!("`{name}` does not begin in {}; choose one of: {}", place.formation, choice.join(", "));
            return Err((FORM_01, why));
        }
        // Whatever lies off the table is never drawn: a client may send any number.
        if !is_on_table(&self.known.table, place.anchor) {
            return Err(self.misplaced());
        }
        let placed = drawn_up(self.rules, self.scenario(), force, unit, place)
            .map_err(|(rule, why)| (rule, format!("`{name}` cannot stand so: {why}")))?;
        Ok(Unit { presence: Presence::Hidden, arrives: None, ..placed })
    }

    fn force(&self, unit: &Unit) -> Option<&'a Force> {
        self.scenario().force(unit.id.as_str())
    }

    /// HID-07, HID-08, HID-10 A brigade whole, in one formation that all have, with a plan that can be drawn up.
    fn brigade(&self, hiding: &Hiding, id: &BrigadeId, formation: Formation, told: &Plan) -> Result<Vec<Unit>, Fault> {
        let table = &self.known.table;
        let Some(brigade) = table.brigades.get(id).filter(|brigade| brigade.side == self.known.side) else {
            return Err((HID_07, format!("you have no brigade `{id}` to hide")));
        };
        if brigade.guns {
            let why = format!("`{}` are guns: each battery has a picket of its own", brigade.name);
            return Err((HID_01, why));
        }
        let members = self.members(brigade);
        let named: BTreeSet<&UnitId> = told.order.iter().collect();
        let all: BTreeSet<&UnitId> = members.iter().map(|unit| &unit.id).collect();
        if members.is_empty() || named != all || named.len() != told.order.len() {
            let list: Vec<String> = all.iter().map(ToString::to_string).collect();
            let why = format!(
                "the picket of `{}` holds every regiment of it that may hide, each once; name: {}",
                brigade.name,
                list.join(", ")
            );
            return Err((HID_07, why));
        }
        plan::check(told, formation)?;
        let mut units = Vec::new();
        for id in &told.order {
            let unit = self.own_unit(id)?;
            let fits = self.force(unit).is_some_and(|force| formations(force).contains(&formation));
            if !fits {
                let why = format!("a brigade on one picket has one formation, and `{}` has no {formation}", unit.name);
                return Err((HID_08, why));
            }
            units.push(self.drawn_up(unit, &self.place(hiding, formation, None))?);
        }
        let anchors = plan::anchors(told, &units, hiding.at, hiding.facing);
        for (unit, anchor) in units.iter_mut().zip(anchors) {
            unit.footing.anchor = anchor;
        }
        Ok(units)
    }

    /// The regiments that ride on the picket of a brigade: all that are here and may hide.
    fn members(&self, brigade: &'a Brigade) -> Vec<&'a Unit> {
        let members = self.known.table.members(&brigade.id).map(|(_, unit)| unit);
        let own =
            members.filter(|unit| unit.seat == *self.seat && rides_together(unit.arm) && self.is_here(unit).is_ok());
        own.filter(|unit| may_hide(&self.known.table, unit).is_ok()).collect()
    }

    /// HID-05 The marker and every true stand in one zone of the side that is for all of them; at the door, near the point of entry.
    fn is_placed(&self, at: Point, units: &[Unit]) -> Result<(), Fault> {
        if !is_on_table(&self.known.table, at) {
            return Err(self.misplaced());
        }
        match self.occasion {
            Occasion::Setup => {
                let stands: Vec<_> = units.iter().flat_map(rects).collect();
                let is_for_all = |zone: &&Zone| match units {
                    [] => self.is_for_seat(zone),
                    units => units.iter().all(|unit| is_for(self.scenario(), zone, &unit.id)),
                };
                let mut zones = zones_of(self.scenario(), self.known.side).filter(is_for_all);
                let holds =
                    |zone: &Zone| inside(zone, &stands) && crate::geometry::contains_within_eps(&zone.outline, at);
                if zones.any(holds) { Ok(()) } else { Err(self.misplaced()) }
            }
            Occasion::Door => {
                let own: Vec<Point> = match units {
                    [] => self.doors.clone(),
                    units => units.iter().filter_map(|unit| self.door_of(unit)).collect(),
                };
                let near = |door: &Point| self.is_by_the_door(*door, at);
                let enters = match units {
                    [] => own.iter().any(near),
                    _ => !own.is_empty() && own.iter().all(near),
                };
                if enters { Ok(()) } else { Err(self.misplaced()) }
            }
        }
    }

    /// A dummy stands where one of the seat's units could.
    fn is_for_seat(&self, zone: &Zone) -> bool {
        let mut own = self.known.table.units_of(self.known.side).filter(|(_, unit)| unit.seat == *self.seat);
        own.any(|(_, unit)| is_for(self.scenario(), zone, &unit.id))
    }

    fn door_of(&self, unit: &Unit) -> Option<Point> {
        let arrival = self.scenario().arrival_of(unit.id.as_str())?;
        Some(door(&arrival.place, &self.scenario().ground))
    }

    /// SCN-14 Within twelve inches, along the edge where the door is on one.
    fn is_by_the_door(&self, door: Point, at: Point) -> bool {
        let ground = self.known.table.ground();
        let (width, height) = (ground.ground().width, ground.ground().height);
        let along = match (door.x, door.y) {
            (x, _) if x == 0 || x == width => at.x == x,
            (_, y) if y == 0 || y == height => at.y == y,
            _ => true,
        };
        along && between_points(door, at).within(ALONG_THE_EDGE)
    }

    fn misplaced(&self) -> Fault {
        match self.occasion {
            Occasion::Setup => {
                let why = "a picket stands, with all that is under it, in a zone of its side that is for it; place it inside of one";
                (HID_05, why.to_owned())
            }
            Occasion::Door => {
                let why =
                    "a picket comes in within 12 inches of its point of entry, along the same edge; place it there";
                (HID_67, why.to_owned())
            }
        }
    }

    /// HID-11 Leaders of the own command, who are not yet open figures (HID-79).
    fn riders(&self, hiding: &Hiding, units: &[Unit]) -> Result<Vec<Leader>, Fault> {
        let mut riders: Vec<Leader> = Vec::new();
        for id in &hiding.leaders {
            let leader = self.rider(id, units)?;
            if self.leaders.contains(id) || riders.iter().any(|other| other.id == *id) {
                return Err((HID_11, format!("`{}` is under a picket already; name him once", leader.name)));
            }
            let (at, facing) = (hiding.at, hiding.facing);
            riders.push(Leader {
                presence: Presence::Hidden,
                arrives: None,
                at,
                facing,
                at_turn_start: at,
                ..leader.clone()
            });
        }
        Ok(riders)
    }

    fn rider(&self, id: &LeaderId, units: &[Unit]) -> Result<&'a Leader, Fault> {
        let table = &self.known.table;
        let own = table.leaders.get(id).filter(|leader| leader.side == self.known.side && leader.seat == *self.seat);
        let Some(leader) = own else { return Err((HID_11, format!("you have no leader `{id}` to hide"))) };
        let name = &leader.name;
        match self.occasion {
            Occasion::Setup if leader.on_table() => {}
            Occasion::Door
                if leader.presence == Presence::ToCome && leader.arrives.is_some_and(|due| due <= table.turn) => {}
            Occasion::Door if leader.presence == Presence::Table => {
                return Err((
                    HID_79,
                    format!("`{name}` is an open figure, and goes under no picket any more; leave him out"),
                ));
            }
            Occasion::Setup | Occasion::Door => {
                return Err((SCN_11, format!("`{name}` does not arrive now; leave him out")));
            }
        }
        let commands = |unit: &Unit| {
            let under = self.force(unit).map(|force| &force.under);
            self.scenario().superiors(under).iter().any(|above| above.id == *id)
        };
        if !units.iter().any(commands) {
            return Err((
                HID_11,
                format!("`{name}` commands nothing under this picket; put him under one of his command"),
            ));
        }
        Ok(leader)
    }
}

/// HID-82 Where all face whose places are drawn: towards the enemy, so that no facing tells one picket from another.
pub(super) fn facing_when_drawn(known: &Known) -> Bearing {
    known.table.scenario().sides.get(known.side).enemy_bearing
}

#[cfg(test)]
mod tests;
