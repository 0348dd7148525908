//! The troops of a case in a short form: what is not said is the plainest of its arm.
//!
//! Owns `[[unit]]` and `[[leader]]`. On a table of the case's own they make troops; on a scenario's table they change those that
//! the scenario has.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::OrderShown;
use protocol::ids::{LeaderId, Side, UnitId};
use protocol::place::Bearing;
use protocol::words::{Arm, Formation, Quality};

use super::wire;
use crate::battle::Post;
use crate::scenario::entry::{Entry, shorten};
use crate::scenario::fault::nearest;
use crate::scenario::{
    Commander, Force, GUNS, LeaderArm, Scenario, Standing, StartMorale, StartState, Strength, WEAPONS, loss_order,
};

/// What is marked on a unit beside what a scenario can say. An absent mark leaves what is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitMarks {
    /// Figures (sections) lost before the case, in the order of loss.
    pub figures_lost: u32,
    /// Horses left.
    pub horses: Option<u32>,
    /// In command this turn. CMD-06
    pub in_command: Option<bool>,
    /// Its order, as the reveal showed it. REV-02
    pub shown: Option<OrderShown>,
    /// On Conditional Hold. REV-05
    pub conditional_hold: bool,
    /// Has changed formation this turn.
    pub changed_formation: bool,
    /// Has moved by its own order this turn.
    pub moved: bool,
    /// Fires made this turn. ADDF-04
    pub fires: u32,
    /// Enemies fired at this turn. ADDF-04
    pub fired_at: BTreeSet<UnitId>,
    /// Kept its FIRST FIRE for want of a target. FF-06
    pub shot_kept: bool,
    /// Has fallen back this turn. SHK-09
    pub fell_back: bool,
    /// Turns running before this one in which it charged. ORD-13
    pub charge_turns: u32,
    /// Turns running before this one in which it disengaged. DIS-14
    pub disengage_turns: u32,
    /// Fought a melee last turn. MEL-21
    pub melee_last_turn: bool,
}

/// What is marked on a leader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeaderMark {
    /// The unit he is with.
    pub attached: Option<UnitId>,
}

/// The troops of a case.
#[derive(Debug, Default)]
pub(super) struct Troops {
    pub(super) units: BTreeMap<UnitId, UnitMarks>,
    pub(super) leaders: BTreeMap<LeaderId, LeaderMark>,
}

/// Reads `[[leader]]` and `[[unit]]` into the scenario, and what is marked on them.
pub(super) fn troops(file: &mut Entry<'_, '_>, scenario: &mut Scenario) -> Troops {
    let own_table = !file.has("scenario");
    let mut troops = Troops::default();
    let mut seen = BTreeSet::new();
    let leaders = file.tables("leader");
    let units = file.tables("unit");
    let mut named = Named::default();
    for mut e in leaders {
        let known = scenario.commanders.iter().map(|commander| commander.id.as_str());
        let Some(id) = known_once(&mut e, &mut seen, own_table, known) else { continue };
        let base = scenario.commanders.iter().position(|commander| commander.id.as_str() == id);
        let under = named.take(&mut e, "under", true);
        let attached = named.take(&mut e, "attached", false).map(UnitId::new);
        let commander = leader(e, id, base.map(|n| &scenario.commanders[n]), under.as_deref());
        troops.leaders.insert(commander.id.clone(), LeaderMark { attached });
        match base {
            Some(n) => scenario.commanders[n] = commander,
            None => scenario.commanders.push(commander),
        }
    }
    for mut e in units {
        let known = scenario.forces.iter().map(|force| force.id.as_str());
        let Some(id) = known_once(&mut e, &mut seen, own_table, known) else { continue };
        let base = scenario.forces.iter().position(|force| force.id.as_str() == id);
        let under = named.take(&mut e, "under", true);
        let marks = marks(&mut e);
        let at = e.place_of("fired_at");
        named.units.extend(marks.fired_at.iter().map(|unit| (at, e.label.clone(), unit.to_string())));
        let force = unit(e, id, base.map(|n| &scenario.forces[n]), under.as_deref());
        troops.units.insert(force.id.clone(), marks);
        match base {
            Some(n) => scenario.forces[n] = force,
            None => scenario.forces.push(force),
        }
    }
    let commanders = scenario.commanders.iter().map(|commander| commander.id.as_str()).collect::<Vec<_>>();
    let forces = scenario.forces.iter().map(|force| force.id.as_str()).collect::<Vec<_>>();
    for (used, kind, known) in [(&named.leaders, "leader", commanders), (&named.units, "unit", forces)] {
        for (at, label, name) in used.iter().filter(|(_, _, name)| !known.contains(&name.as_str())) {
            let what = format!("{label}: no {kind} is called `{}`", shorten(name));
            file.shared.faults.add(*at, what, nearest(name, known.iter().copied()));
        }
    }
    if own_table {
        super::side_terms(scenario);
    }
    troops
}

/// Names that troops use of others: where, by whom, whom. Checked when all are known.
#[derive(Default)]
struct Named {
    leaders: Vec<(usize, String, String)>,
    units: Vec<(usize, String, String)>,
}

impl Named {
    fn take(&mut self, e: &mut Entry<'_, '_>, key: &'static str, leader: bool) -> Option<String> {
        let name = e.opt_text(key)?;
        let names = if leader { &mut self.leaders } else { &mut self.units };
        names.push((e.place_of(key), e.label.clone(), name.clone()));
        Some(name)
    }
}

/// The id of an entry: once in the file, and on a scenario's table one of the scenario; none: not to be read further.
fn known_once<'s>(
    e: &mut Entry<'_, '_>,
    seen: &mut BTreeSet<String>,
    own_table: bool,
    known: impl Iterator<Item = &'s str>,
) -> Option<String> {
    let id = e.id("id");
    if !seen.insert(id.clone()) {
        e.fault(e.place_of("id"), "the id is given twice", "give each its own id");
    }
    if !own_table {
        let known: Vec<&str> = known.collect();
        if !known.contains(&id.as_str()) {
            e.fault(e.place_of("id"), "the scenario has none of that id", nearest(&id, known));
            return None;
        }
    }
    Some(id)
}

/// Reads one `[[leader]]`.
fn leader(mut e: Entry<'_, '_>, id: String, base: Option<&Commander>, under: Option<&str>) -> Commander {
    let post: Post = e.word_or("post", base.map_or(Post::Brigade, |base| base.post));
    let arm = match post {
        Post::Brigade => LeaderArm::Infantry,
        Post::Division | Post::Corps | Post::Army => LeaderArm::General,
    };
    let name = e.opt_text("name").or_else(|| base.map(|base| base.name.clone())).unwrap_or_else(|| id.clone());
    let commander = Commander {
        side: side(&mut e, base.map(|base| base.side)),
        command: base.map_or_else(|| name.clone(), |base| base.command.clone()),
        level: e.opt_int("level", 0..=3).map_or(base.map_or(1, |base| base.level), |level| level.unsigned_abs() as u8),
        arm: e.word_or("arm", base.map_or(arm, |base| base.arm)),
        under: under.map(LeaderId::new).or_else(|| base.and_then(|base| base.under.clone())),
        at: e.opt_point("at").or_else(|| base.and_then(|base| base.at)),
        out_of_command: base.is_some_and(|base| base.out_of_command),
        id: LeaderId::new(id),
        name,
        post,
    };
    if commander.at.is_none() {
        e.fault(e.at, "`at` is missing", "add `at = [x, y]`, in inches");
    }
    e.opt_text("note");
    e.finish();
    commander
}

fn side(e: &mut Entry<'_, '_>, base: Option<Side>) -> Side {
    match base {
        Some(side) => e.word_or("side", side),
        None => e.word("side"),
    }
}

/// Reads one `[[unit]]`.
fn unit(mut e: Entry<'_, '_>, id: String, base: Option<&Force>, under: Option<&str>) -> Force {
    let arm: Arm = match base {
        Some(base) => base.arm,
        None => e.word_or("arm", Arm::Infantry),
    };
    if arm == Arm::GunCrew {
        e.fault(e.place_of("arm"), "a gun crew is made by play alone (ROUT-08)", "give the battery");
    }
    let formation = e.word_or("formation", base.map_or(plainest(arm), |base| base.formation));
    // A case may begin in a square, which no battle does: nobody stands in it for long.
    let in_square = arm == Arm::Infantry && formation == Formation::Square;
    if !in_square && !crate::setup::arm_may_stand(arm, formation) {
        let what = format!("no {arm} stands in {formation}");
        e.fault(e.place_of("formation"), what, "use a formation of its arm (FORM-01, CAV-01, CAV-02)");
    }
    let force = Force {
        name: e.opt_text("name").or_else(|| base.map(|base| base.name.clone())).unwrap_or_else(|| id.clone()),
        side: side(&mut e, base.map(|base| base.side)),
        under: under.map_or_else(|| base.map_or(LeaderId::new(""), |base| base.under.clone()), LeaderId::new),
        regiment: base.and_then(|base| base.regiment.clone()),
        quality: e.word_or("quality", base.map_or(Quality::Veteran, |base| base.quality)),
        bmp: e.opt_int("bmp", 1..=6).map(|bmp| bmp.unsigned_abs() as u8).or_else(|| base.and_then(|base| base.bmp)),
        strength: strength(&mut e, arm, base.map(|base| &base.strength)),
        leader: base.map(|base| base.leader.clone()).unwrap_or_default(),
        standing: Some(standing(&mut e, base.and_then(|base| base.standing))),
        state: state(&mut e, arm, formation, base.map(|base| &base.state)),
        optional: false,
        attached_to: None,
        id: UnitId::new(id),
        arm,
        formation,
    };
    e.opt_text("note");
    e.finish();
    force
}

const fn plainest(arm: Arm) -> Formation {
    match arm {
        Arm::Infantry | Arm::Cavalry | Arm::GunCrew => Formation::SingleLine,
        Arm::Sharpshooter => Formation::SkirmishLine,
        Arm::Artillery => Formation::Unlimbered,
    }
}

/// ORG-01, ORG-08 Figures and small arm, or sections and guns.
fn strength(e: &mut Entry<'_, '_>, arm: Arm, base: Option<&Strength>) -> Strength {
    if arm == Arm::Artillery {
        let (had, gun, pieces, canister_had) = match base {
            Some(Strength::Guns { sections, gun, pieces, canister, .. }) => {
                (*sections, gun.clone(), pieces.clone(), *canister)
            }
            _ => (2, "napoleon_12".to_owned(), String::new(), 2),
        };
        let ship = match base {
            Some(Strength::Guns { ship, .. }) => ship.clone(),
            _ => None,
        };
        let sections = e.opt_int("sections", 1..=6).map_or(had, i32::unsigned_abs);
        let canister = e.opt_int("canister", 0..=20).map_or(canister_had, i32::unsigned_abs);
        let gun = armed(e, &GUNS, gun);
        return Strength::Guns { guns: 2 * sections, sections, start_sections: sections, gun, pieces, canister, ship };
    }
    let (stands, weapon, pistols, shotguns) = match base {
        Some(Strength::Stands { stands, weapon, pistols, shotguns, .. }) => {
            (stands.clone(), weapon.clone(), *pistols, *shotguns)
        }
        _ => {
            let weapon = match arm {
                Arm::Cavalry => "muzzle_carbine",
                Arm::Sharpshooter => "sharpshooter_rifle",
                _ => "rifle_musket",
            };
            (Vec::new(), weapon.to_owned(), arm == Arm::Cavalry, false)
        }
    };
    let (most, plain) = match arm {
        Arm::Sharpshooter => (4, 2),
        Arm::Cavalry => (12, 12),
        _ => (20, 16),
    };
    let had = if stands.is_empty() { plain } else { stands.iter().sum() };
    let figures = e.opt_int("figures", 1..=most).map_or(had, i32::unsigned_abs);
    let count = if arm == Arm::Sharpshooter { 1 } else { figures.min(4) };
    Strength::Stands {
        men: 30 * figures,
        stands: if figures == had && !stands.is_empty() { stands } else { loss_order(figures, count) },
        weapon: armed(e, &WEAPONS, weapon),
        pistols: e.flag("pistols", pistols),
        shotguns: e.flag("shotguns", shotguns),
    }
}

fn armed(e: &mut Entry<'_, '_>, known: &[&str], plain: String) -> String {
    let Some(given) = e.opt_text("weapon") else { return plain };
    if !known.contains(&given.as_str()) {
        let what = format!("`weapon` knows no `{}`", shorten(&given));
        e.fault(e.place_of("weapon"), what, nearest(&given, known.iter().copied()));
    }
    given
}

fn standing(e: &mut Entry<'_, '_>, base: Option<Standing>) -> Standing {
    let at = e.opt_point("at").or(base.map(|base| base.at));
    let facing = e.opt_decimal("facing", 0..=359_990).map(|degrees| Bearing::wrapping(degrees / 10));
    let facing = facing.or(base.map(|base| base.facing));
    if at.is_none() {
        e.fault(e.at, "`at` is missing", "add `at = [x, y]`, in inches: the middle of its front");
    }
    if facing.is_none() {
        e.fault(e.at, "`facing` is missing", "add `facing = 180`, in degrees clockwise from north");
    }
    Standing { at: at.unwrap_or_default(), facing: facing.unwrap_or(Bearing::NORTH) }
}

/// SCN-08 What it begins with.
fn state(e: &mut Entry<'_, '_>, arm: Arm, formation: Formation, base: Option<&StartState>) -> StartState {
    let plain = StartState {
        mounted: arm == Arm::Cavalry && formation != Formation::DismountedLine,
        ..base.cloned().unwrap_or_default()
    };
    StartState {
        morale: e.word_or::<StartMorale>("morale", plain.morale),
        disorder: e.flag("disorder", plain.disorder),
        lost: plain.lost,
        prone: e.flag("prone", plain.prone),
        mounted: e.flag("mounted", plain.mounted),
        opening_volley_used: e.flag("opening_volley_used", plain.opening_volley_used),
        first_casualty_taken: e.flag("first_casualty_taken", plain.first_casualty_taken),
        out_of_ammunition: e.flag("out_of_ammunition", plain.out_of_ammunition),
        engineers: e.flag("engineers", plain.engineers),
    }
}

/// What is marked on it.
fn marks(e: &mut Entry<'_, '_>) -> UnitMarks {
    let shown = e.get("shown").and_then(|given| wire::value(e, "shown", given));
    UnitMarks {
        figures_lost: e.opt_int("figures_lost", 0..=19).map_or(0, i32::unsigned_abs),
        horses: e.opt_int("horses", 0..=2).map(i32::unsigned_abs),
        in_command: e.has("in_command").then(|| e.flag("in_command", true)),
        shown,
        conditional_hold: e.flag("conditional_hold", false),
        changed_formation: e.flag("changed_formation", false),
        moved: e.flag("moved", false),
        fires: e.opt_int("fires", 0..=20).map_or(0, i32::unsigned_abs),
        fired_at: e.texts("fired_at").into_iter().map(UnitId::new).collect(),
        shot_kept: e.flag("shot_kept", false),
        fell_back: e.flag("fell_back", false),
        charge_turns: e.opt_int("charge_turns", 0..=9).map_or(0, i32::unsigned_abs),
        disengage_turns: e.opt_int("disengage_turns", 0..=9).map_or(0, i32::unsigned_abs),
        melee_last_turn: e.flag("melee_last_turn", false),
    }
}
