//! Gun battalions that take their checks as one. ARTY-14, MOR-64
//!
//! Owns who checks together, and what one roll does to each battery. Modifiers are [`super::point`]'s, the kinds of check and the
//! reading of the dice [`super::check`]'s. Rallies are tried battery by battery.

use std::collections::BTreeMap;

use protocol::event::Morale;
use protocol::words::{Arm, Formation};

use super::InCharge;
use super::cause::Told;
use super::check::{Case, Checked, Kind, Throws, Verdict, dice_of, forced_kinds, judge};
use super::point::{Cause, Modifiers, State, losses};
use crate::battle::UnitIx;
use crate::catalogue::MOR_64;
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::fire;
use crate::house::ArtilleryChecks;
use crate::play::Play;
use crate::settle::FiredOn;

/// ARTY-14 Fewer batteries check each by itself.
const FEWEST: usize = 3;

/// ARTY-14, MOR-64 The battalions of this moment that check as one: three batteries in action or more, linked as in ARTY-13.
/// None where the scenario has artillery check by battery.
pub(super) fn battalions(field: &Field<'_>) -> Vec<Vec<UnitIx>> {
    if field.table.house().artillery_checks != ArtilleryChecks::Battalion {
        return Vec::new();
    }
    let in_action = field.table.units().filter(|(_, unit)| {
        unit.arm == Arm::Artillery && unit.footing.formation == Formation::Unlimbered && unit.is_unrouted()
    });
    let mut left: Vec<UnitIx> = in_action.map(|(ix, _)| ix).collect();
    let mut battalions = Vec::new();
    while let Some(first) = left.pop() {
        let mut battalion = vec![first];
        while let Some(place) =
            left.iter().position(|other| battalion.iter().any(|one| fire::are_of_one_battalion(field, *one, *other)))
        {
            battalion.push(left.swap_remove(place));
        }
        battalion.sort_unstable();
        if FEWEST <= battalion.len() {
            battalions.push(battalion);
        }
    }
    battalions
}

/// MOR-64 The battery with whom an officer helps the whole battalion, as one unit: the one nearest to an officer of its side.
pub(super) fn helped(field: &Field<'_>, battalion: &[UnitIx]) -> Option<UnitIx> {
    let nearest = |ix: UnitIx| {
        let own = field.table.leaders_on_table().filter(|leader| leader.side == field.unit(ix).side);
        own.map(|leader| field.leader_distance(leader, ix)).min()
    };
    let with_distance = battalion.iter().filter_map(|ix| Some((nearest(*ix)?, *ix)));
    with_distance.min().map(|(_, ix)| ix).or_else(|| battalion.first().copied())
}

/// MOR-64 What befell the batteries of a battalion, as one case; none if nothing did.
pub(super) fn joined(battalion: &[UnitIx], cases: &BTreeMap<UnitIx, Case>) -> Option<Case> {
    let mut joined = Case::default();
    let mut any = false;
    for case in battalion.iter().filter_map(|ix| cases.get(ix)) {
        any = true;
        joined.fires.extend(case.fires.iter().cloned());
        // One check for an event that several see: told as the nearest of them saw it.
        case.seen.iter().for_each(|sighting| joined.see(sighting.clone()));
    }
    any.then_some(joined)
}

/// A battery in the course of its battalion's checks.
struct Member {
    unit: UnitIx,
    morale: Morale,
    checks: Vec<Checked>,
    picked_up: bool,
    natural_twelve: bool,
}

/// MOR-64 Takes all checks that a case forces on a battalion, each with one roll.
pub(super) fn examine(
    play: &Play<'_>,
    field: &Field<'_>,
    charge: &InCharge,
    battalion: &[UnitIx],
    case: &Case,
) -> Vec<Verdict> {
    let reckoning = Reckoning::new(play, field, charge, battalion);
    let member = |unit: &UnitIx| Member {
        unit: *unit,
        morale: field.unit(*unit).morale,
        checks: Vec::new(),
        picked_up: false,
        natural_twelve: false,
    };
    let mut members: Vec<Member> = battalion.iter().map(member).collect();
    let lost_now: u32 = battalion.iter().map(|ix| losses(field.unit(*ix))).sum();
    let lost_here: u32 = case.fires.iter().map(|fire| fire.figures).sum();
    let mut lost = lost_now.saturating_sub(lost_here);
    let worst_at_first = members.iter().map(|member| member.morale).max().unwrap_or(Morale::Good);
    let at_first = State { morale: worst_at_first, lost };
    let mut due = forced_kinds(case, Kind::StandLost, lost_here);
    let hit_point = |kind: &Kind| match kind {
        Kind::Hit(fire) => reckoning.hit(at_first, &case.fires[*fire]).total(),
        _ => i32::MAX,
    };
    // MOR-15; the order of the other kinds is kept.
    let begins = due.iter().position(|kind| matches!(kind, Kind::Hit(_))).unwrap_or(0);
    let hits = due.iter().filter(|kind| matches!(kind, Kind::Hit(_))).count();
    due[begins..begins + hits].sort_by_key(hit_point);
    let worst_fire = reckoning.worst(at_first, case, |fire| 0 < fire.figures);
    let horse_fire = reckoning.worst(at_first, case, |fire| 0 < fire.horses);
    let mut throws = Throws::new(play);
    let rules = play.rules;
    for kind in due {
        let minds = |member: &Member| {
            let ignores = kind.is_ignored_by_the_routed(rules) && member.morale == Morale::Routed;
            !member.picked_up && !ignores
        };
        lost += u32::from(kind == Kind::StandLost);
        let Some(worst) = members.iter().filter(|member| minds(member)).map(|member| member.morale).max() else {
            continue;
        };
        let state = State { morale: worst, lost };
        let point = match &kind {
            Kind::Hit(fire) => reckoning.hit(state, &case.fires[*fire]),
            Kind::Horse => reckoning.forced(state, horse_fire),
            // A battery has no screen: no such check is due. TAC-16
            Kind::FirstCasualty | Kind::StandLost | Kind::ScreenFigureLost => reckoning.forced(state, worst_fire),
            // No battery presses on in a charge.
            Kind::Saw(_) | Kind::PressOn => reckoning.forced(state, None),
        };
        let lead = battalion[0];
        let dice = dice_of(&mut throws, field, lead, &kind);
        let mut scratch = Verdict::of(field, lead);
        let told = Told::of(field, &kind).by_fire(field, &kind, case);
        let checked = judge(field.rules, &field.unit(lead).name, &told, worst, &point, dice, &mut scratch);
        share(field, &checked, scratch.natural_twelve, members.iter_mut().filter(|member| minds(member)));
    }
    let verdict = |member: Member| Verdict {
        unit: member.unit,
        checks: member.checks,
        before: field.unit(member.unit).morale,
        after: member.morale,
        picked_up: member.picked_up,
        natural_twelve: member.natural_twelve,
        hit_by: case.fires.iter().filter(|fire| fire.unit == member.unit).flat_map(|fire| fire.by.clone()).collect(),
        screen: None,
    };
    members.into_iter().map(verdict).collect()
}

/// MOR-64 A failure puts each battery one level lower, a natural 2 routs each, a natural 12 makes each good. The check is told
/// whole for the first of them.
fn share<'m>(field: &Field<'_>, checked: &Checked, twelve: bool, members: impl Iterator<Item = &'m mut Member>) {
    let natural_two = checked.natural_rout;
    let members: Vec<&mut Member> = members.collect();
    let names: Vec<&str> = members.iter().map(|member| field.unit(member.unit).name.as_str()).collect();
    let together = format!("one check for the battalion of {}", names.join(", "));
    for (n, member) in members.into_iter().enumerate() {
        let before = member.morale;
        member.morale = match (checked.passed, before) {
            (true, _) if twelve => Morale::Good,
            (true, before) => before,
            (false, Morale::Good) if !natural_two => Morale::Shaken,
            (false, _) => Morale::Routed,
        };
        member.picked_up = !checked.passed && before == Morale::Routed;
        member.natural_twelve = twelve;
        let explanation = if n == 0 {
            checked.explanation.clone().with_note(MOR_64, together.clone())
        } else {
            let name = &field.unit(member.unit).name;
            sentence(format!("{name} takes part in the check of its battalion.")).with_note(MOR_64, together.clone())
        };
        let rule = if n == 0 { checked.rule } else { MOR_64 };
        member.checks.push(Checked { rule, before, after: member.morale, explanation, ..checked.clone() });
    }
}

/// The points of a battalion's checks, by the battery that was hit.
struct Reckoning<'a> {
    by_unit: BTreeMap<UnitIx, Modifiers<'a>>,
    first: UnitIx,
}

impl<'a> Reckoning<'a> {
    fn new(play: &Play<'_>, field: &'a Field<'a>, charge: &'a InCharge, battalion: &[UnitIx]) -> Self {
        let helped = helped(field, battalion).unwrap_or(battalion[0]);
        let of = |ix: &UnitIx| (*ix, Modifiers::of(field, *ix, play.phase, charge).of_battalion(battalion, helped));
        Reckoning { by_unit: battalion.iter().map(of).collect(), first: battalion[0] }
    }

    fn of(&self, fire: Option<&FiredOn>) -> &Modifiers<'a> {
        let hit = fire.and_then(|fire| self.by_unit.get(&fire.unit));
        hit.unwrap_or(&self.by_unit[&self.first])
    }

    fn hit(&self, state: State, fire: &FiredOn) -> crate::explain::Reckoning {
        self.of(Some(fire)).hit(state, fire)
    }

    fn forced(&self, state: State, fire: Option<&FiredOn>) -> crate::explain::Reckoning {
        self.of(fire).forced(state, fire.map_or(Cause::Other, Cause::Fire))
    }

    /// MOR-40 Of some fires the one that weighs most.
    fn worst<'c>(&self, state: State, case: &'c Case, counts: impl Fn(&FiredOn) -> bool) -> Option<&'c FiredOn> {
        case.fires.iter().filter(|fire| counts(fire)).max_by_key(|fire| {
            let modifiers = self.of(Some(fire));
            (modifiers.fire_modifiers(state, fire), modifiers.forced(state, Cause::Fire(fire)).total())
        })
    }
}
