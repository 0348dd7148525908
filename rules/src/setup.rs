//! From a scenario to the battle that begins.
//!
//! Owns the placing of troops: which take part, who commands what, where each stands by the file or by the sealed
//! setup, and the clearing of printed overlaps. It never plays a turn. Start at [`start`]; what the players may place
//! before turn 1 stands in `deployment`.

mod deployment;
pub(crate) mod hiding;
pub(crate) mod sealing;
mod starting;
mod works;

pub use deployment::{choices, deploy, legal_part, muster};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use protocol::event::Morale;
use protocol::ids::{BrigadeId, BySide, LeaderId, SeatId, Side, UnitId};
use protocol::place::{Bearing, Point};
use protocol::view::Presence;
use protocol::words::{Arm, Formation};
use serde::{Deserialize, Serialize};

use crate::battle::{
    Battle, Brigade, Carried, Footing, Guns, Leader, LeaderMarks, Post, Roll, Secret, SideSecrets, Stand, Table,
    Theatre, TurnMarks, Unit,
};
use crate::formation::{Drawn, default_gap, loss_order, stand_figures};
use crate::geometry::Frame;
use crate::ruleset::Ruleset;
use crate::scenario::{Force, LeaderArm, Scenario, StartMorale, Strength};
use crate::specials;

/// Who commands what in a game: the seat of a commander's post, and the seat that has the rest of a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seating {
    /// Seats of commands: a seat has all under its commanders, unless a nearer commander has a seat of his own.
    pub commands: BTreeMap<LeaderId, SeatId>,
    /// The seat of everybody else of a side.
    pub otherwise: BySide<SeatId>,
}

impl Seating {
    /// One seat a side, called as the side is.
    pub fn one_each() -> Seating {
        let otherwise = BySide { union: SeatId::new("union"), confederate: SeatId::new("confederate") };
        Seating { commands: BTreeMap::new(), otherwise }
    }

    fn seat(&self, scenario: &Scenario, side: Side, nearest: Option<&LeaderId>) -> SeatId {
        let above = scenario.superiors(nearest);
        let seat = above.iter().find_map(|commander| self.commands.get(&commander.id));
        seat.unwrap_or_else(|| self.otherwise.get(side)).clone()
    }
}

/// Where one unit begins. SCN-06
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The middle of its front. FORM-03
    pub at: Point,
    /// Where it faces.
    pub facing: Bearing,
    /// In which formation.
    pub formation: Formation,
    /// The gap of its stands, thousandths of an inch; none: the formation's default. FORM-05, FORM-09
    pub gap: Option<i32>,
}

/// Where a side has placed its own; what is not in it stands as printed. SCN-06
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placements {
    /// Units.
    pub units: BTreeMap<UnitId, Placement>,
    /// Leaders.
    pub leaders: BTreeMap<LeaderId, Point>,
    /// Units under pickets: on the open table their names stand as printed. HID-13
    pub hidden: BTreeSet<UnitId>,
    /// Leaders under pickets. HID-11
    pub hidden_leaders: BTreeSet<LeaderId>,
}

/// The battle as it stands before turn 1.
///
/// `switched_on` names optional units, arrivals and terms that take part (SCN-12). `sealed` is where each side has placed
/// its own, as [`legal_part`] left it; whatever is not in it stands as printed (SCN-06).
pub fn start(
    theatre: &Arc<Theatre>,
    rules: &Ruleset,
    seating: &Seating,
    switched_on: &BTreeSet<String>,
    sealed: &BySide<Placements>,
) -> Battle {
    let scenario = &*theatre.scenario;
    let forces = scenario.forces.iter().filter(|force| scenario.takes_part(force, switched_on));
    let begun: Vec<Force> = forces.map(|force| starting::as_it_begins(scenario, force, switched_on)).collect();
    let taking_part: Vec<&Force> = begun.iter().collect();
    let mut units: Vec<Unit> =
        taking_part.iter().map(|force| unit(scenario, rules, seating, force, sealed.get(force.side))).collect();
    join_regiments(&mut units, &taking_part);
    clear_overlaps(&mut units);
    let mut table = Table::new(Arc::clone(theatre), units);
    table.switched_on.clone_from(switched_on);
    starting::stand_in_columns(&mut table);
    table.leaders = leaders(scenario, seating, sealed);
    table.brigades = brigades(scenario, &taking_part, rules);
    crate::leaders::begin_battle(rules, &mut table);
    crate::command::begin_battle(rules, &mut table);
    Battle { table, secrets: BySide::from_fn(|_| Secret::new(SideSecrets::default())) }
}

/// SHARP-11 Sharpshooters who have joined a regiment before the battle.
fn join_regiments(units: &mut [Unit], taking_part: &[&Force]) {
    for force in taking_part {
        let Some(regiment) = &force.attached_to else { continue };
        let Some(host) = units.iter_mut().find(|unit| unit.id == *regiment) else { continue };
        host.sharpshooters = Some(force.id.clone());
        if let Some(detachment) = units.iter_mut().find(|unit| unit.id == force.id) {
            detachment.presence = Presence::Attached;
        }
    }
}

/// One unit of the order of battle at the start. SCN-08, SCN-09
fn unit(scenario: &Scenario, rules: &Ruleset, seating: &Seating, force: &Force, sealed: &Placements) -> Unit {
    let printed = printed(force);
    let placement = sealed.units.get(&force.id).copied().or(printed);
    let on_table = if sealed.hidden.contains(&force.id) { Presence::Hidden } else { Presence::Table };
    let arrival = scenario.arrival_of(force.id.as_str());
    let formation = placement
        .map(|placement| placement.formation)
        .or_else(|| arrival.and_then(|arrival| arrival.formation))
        .unwrap_or(force.formation);
    let (width, depth) = stand_size(scenario, rules, force, formation);
    let door = arrival.map(|arrival| crate::scenario::door(&arrival.place, &scenario.ground)).unwrap_or_default();
    let facing_at_door = arrival.and_then(|arrival| crate::scenario::facing_at_door(&arrival.place));
    let stands = stands(force);
    let stands_at_start = stands.len() as u32;
    let figures_at_start = stands.iter().map(|stand| stand.full).sum();
    Unit {
        id: force.id.clone(),
        name: force.name.clone(),
        side: force.side,
        brigade: brigade_of(scenario, force),
        seat: seating.seat(scenario, force.side, Some(&force.under)),
        arm: force.arm,
        quality: force.quality,
        weapon: weapon(force),
        bmp: force.bmp.map(i32::from),
        presence: if placement.is_some() { on_table } else { Presence::ToCome },
        picket: None,
        arrives: if placement.is_some() { None } else { arrival.map(|arrival| arrival.turn) },
        stands_at_start,
        figures_at_start,
        stand_width: width,
        stand_depth: depth,
        footing: Footing {
            anchor: placement.map_or(door, |placement| placement.at),
            facing: placement
                .map(|placement| placement.facing)
                .or(facing_at_door)
                .unwrap_or(scenario.sides.get(force.side).enemy_bearing),
            formation,
            gap: placement
                .and_then(|placement| placement.gap)
                .unwrap_or_else(|| default_gap(formation, width, begins_mounted(force, formation))),
            refused: None,
            prone: force.state.prone,
            trail: Vec::new(),
            disorder: force.state.disorder,
            screen_back: false,
        },
        last_formed: formation,
        morale: match force.state.morale {
            StartMorale::Good => Morale::Good,
            StartMorale::Shaken => Morale::Shaken,
            StartMorale::Routed => Morale::Routed,
        },
        first_casualty_taken: force.state.first_casualty_taken,
        mounted: begins_mounted(force, formation),
        guns: guns(force, rules),
        sharpshooters: None,
        ammunition_out_since: force.state.out_of_ammunition.then_some(0),
        opening_volley_used: force.state.opening_volley_used,
        engineers: force.state.engineers,
        located: false,
        column: None,
        carried: Carried::default(),
        marks: TurnMarks::default(),
        stands: after_losses(stands, force.state.lost),
    }
}

/// The place that the file prints for a unit; none for one that arrives later.
fn printed(force: &Force) -> Option<Placement> {
    let standing = force.standing?;
    Some(Placement { at: standing.at, facing: standing.facing, formation: force.formation, gap: None })
}

/// ORG-03 The stands at full strength, from left to right, with their turns in the order of loss.
fn stands(force: &Force) -> Vec<Stand> {
    match &force.strength {
        // A battery is one stand whose figures are its sections: those it has at the start. ORG-08, SCN-08
        Strength::Guns { sections, start_sections, .. } => {
            vec![Stand { figures: *start_sections, full: *sections, loss_rank: 0 }]
        }
        Strength::Stands { stands, .. } => {
            let figures: Vec<u32> = match stands.len() {
                4 => stand_figures(stands.iter().sum()).to_vec(),
                _ => stands.clone(),
            };
            let order = loss_order(&figures);
            let rank = |index: usize| order.iter().position(|other| *other == index).unwrap_or(index) as u32;
            let stand = |(index, full): (usize, &u32)| Stand { figures: *full, full: *full, loss_rank: rank(index) };
            figures.iter().enumerate().map(stand).collect()
        }
    }
}

/// SCN-08 The stands left when so many are lost before the battle: they count as lost.
fn after_losses(mut stands: Vec<Stand>, lost: u32) -> Vec<Stand> {
    match stands.as_mut_slice() {
        [battery] if 1 < battery.full && lost < battery.figures => battery.figures -= lost,
        _ => {
            // One stand at least is left: a unit that is lost is not in the file.
            let lost = lost.min(stands.len().saturating_sub(1) as u32);
            stands.retain(|stand| lost <= stand.loss_rank);
        }
    }
    stands
}

/// ORG-02, ORG-09, ORG-14, SHARP-01, SCN-05 Width and depth of a stand, thousandths of an inch.
fn stand_size(scenario: &Scenario, rules: &Ruleset, force: &Force, formation: Formation) -> (i32, i32) {
    let scale = &rules.scale;
    let most = match &force.strength {
        Strength::Guns { .. } => {
            // Limbered guns take twice the depth of their stand: `Drawn::of` sees to it.
            return (scale.battery_width.0, scale.battery_depth.0);
        }
        Strength::Stands { stands, .. } => stands.iter().max().copied().unwrap_or(1),
    };
    let (width, depth) = match force.arm {
        Arm::Cavalry if begins_mounted(force, formation) => (scale.cavalry_stand_width.0, scale.cavalry_stand_depth.0),
        // SHARP-01 Twice as wide as an ordinary stand of its figures.
        Arm::Sharpshooter => (2 * crate::formation::infantry_stand_width(most), scale.infantry_stand_depth.0),
        _ => (crate::formation::infantry_stand_width(most), scale.infantry_stand_depth.0),
    };
    // Half away from zero; widths are positive.
    ((width * scenario.frontage_factor as i32 + 500) / 1000, depth)
}

/// SCN-08 Whether horse stands in the saddle where it begins in that formation.
fn begins_mounted(force: &Force, formation: Formation) -> bool {
    force.arm == Arm::Cavalry && force.state.mounted && formation != Formation::DismountedLine
}

fn guns(force: &Force, rules: &Ruleset) -> Option<Guns> {
    match &force.strength {
        Strength::Stands { .. } => None,
        Strength::Guns { canister, ship, .. } => Some(Guns {
            horses: rules.scale.horses_per_battery.unsigned_abs(),
            horse_lost_in: None,
            canister: *canister,
            spiked: false,
            unmanned: false,
            ship: ship.clone(),
            manned: None,
        }),
    }
}

/// LOS-06 A unit as the order of battle has it at the start, whatever has become of it since; none for one that was made in the
/// battle, such as a stand that mans guns (ARTY-48).
pub(crate) fn as_printed(theatre: &Theatre, switched_on: &BTreeSet<String>, id: &UnitId) -> Option<Unit> {
    let scenario = &theatre.scenario;
    let begun = starting::as_it_begins(scenario, scenario.force(id.as_str())?, switched_on);
    Some(unit(scenario, theatre.rules(), &Seating::one_each(), &begun, &Placements::default()))
}

/// The weapon of the unit table, as a term may have changed it.
fn weapon(force: &Force) -> String {
    match &force.strength {
        Strength::Guns { gun, .. } => gun.clone(),
        Strength::Stands { weapon, .. } => weapon.clone(),
    }
}

fn brigade_of(scenario: &Scenario, force: &Force) -> Option<BrigadeId> {
    let commander = scenario.commander(force.under.as_str())?;
    (commander.post == Post::Brigade).then(|| BrigadeId::new(commander.id.as_str()))
}

fn leaders(scenario: &Scenario, seating: &Seating, sealed: &BySide<Placements>) -> Roll<LeaderId, Leader> {
    let leader = |commander: &crate::scenario::Commander| {
        let arrival = scenario.arrival_of(commander.id.as_str());
        let hides = sealed.get(commander.side).hidden_leaders.contains(&commander.id);
        let on_table = if hides { Presence::Hidden } else { Presence::Table };
        let placed = commander.at.and(sealed.get(commander.side).leaders.get(&commander.id).copied());
        let at = placed
            .or(commander.at)
            .or_else(|| arrival.map(|arrival| crate::scenario::door(&arrival.place, &scenario.ground)))
            .unwrap_or_default();
        Leader {
            id: commander.id.clone(),
            name: commander.name.clone(),
            side: commander.side,
            seat: seating.seat(scenario, commander.side, Some(&commander.id)),
            post: commander.post,
            // LEAD-10: a general counts as infantry.
            arm: Some(match specials::leads_as(scenario, &commander.id).unwrap_or(commander.arm) {
                LeaderArm::Infantry | LeaderArm::General => Arm::Infantry,
                LeaderArm::Cavalry => Arm::Cavalry,
                LeaderArm::Artillery => Arm::Artillery,
            }),
            level: commander.level,
            superior: commander.under.clone(),
            brigade: (commander.post == Post::Brigade).then(|| BrigadeId::new(commander.id.as_str())),
            took_over: None,
            at,
            facing: scenario.sides.get(commander.side).enemy_bearing,
            at_turn_start: at,
            attached: None,
            presence: if commander.at.is_some() { on_table } else { Presence::ToCome },
            arrives: if commander.at.is_some() { None } else { arrival.map(|arrival| arrival.turn) },
            wounded_until: None,
            lost_in: None,
            replacement_attempts: 0,
            marks: LeaderMarks::default(),
        }
    };
    scenario.commanders.iter().map(|commander| (commander.id.clone(), leader(commander))).collect()
}

/// The brigades and gun battalions with their command points. LVL-01
fn brigades(scenario: &Scenario, taking_part: &[&Force], rules: &Ruleset) -> Roll<BrigadeId, Brigade> {
    let mut brigades = Roll::new();
    for brigade in scenario.brigades() {
        let commander = scenario.commander(brigade.commander.as_str());
        let members: Vec<&&Force> = taking_part.iter().filter(|force| force.under == brigade.commander).collect();
        let built = Brigade {
            id: brigade.id.clone(),
            name: brigade.name,
            side: brigade.side,
            guns: commander.is_some_and(|commander| commander.arm == LeaderArm::Artillery),
            superior: commander.and_then(|commander| commander.under.clone()),
            commander: Some(brigade.commander),
            units: members.iter().map(|force| force.id.clone()).collect(),
            points: command_points(rules, &members),
            points_lost: 0,
            regiments_lost_before: 0,
            regiments_lost_now: 0,
            commander_lost: false,
            level: 0,
            withdrawal_counted: false,
        };
        brigades.insert(brigade.id, built);
    }
    brigades
}

/// LVL-01 The command points of a brigade: its units, and its commander.
fn command_points(rules: &Ruleset, members: &[&&Force]) -> u32 {
    let points = &rules.command_points;
    let of = |force: &Force| if force.arm == Arm::Artillery { points.battery } else { points.regiment };
    members.iter().map(|force| of(force).unsigned_abs()).sum::<u32>() + points.brigade_commander.unsigned_abs()
}

/// MV-29, SCN-06 Printed overlaps: of two friends that overlap the later in the file gives way straight back, an eighth
/// of an inch at a time, until it stands clear.
fn clear_overlaps(units: &mut [Unit]) {
    let mut clear: Vec<(Side, Vec<crate::geometry::Rect>)> = Vec::new();
    for unit in units.iter_mut().filter(|unit| unit.on_table()) {
        let printed = Frame::new(unit.footing.anchor, unit.footing.facing);
        let spot = (0..=MOST_STEPS_BACK)
            .map(|steps| printed.at(-STEP_BACK * steps, 0))
            .find(|at| !clear.iter().any(|(_, others)| touch(&rects(unit, *at), others)));
        if let Some(at) = spot {
            unit.footing.anchor = at;
        }
        clear.push((unit.side, rects(unit, unit.footing.anchor)));
    }
}

/// An eighth of an inch.
const STEP_BACK: i32 = 125;

/// Twelve inches back, and no farther: a file whose units do not clear by then is drawn as it is.
const MOST_STEPS_BACK: i32 = 96;

fn rects(unit: &Unit, at: Point) -> Vec<crate::geometry::Rect> {
    let drawn = Drawn { anchor: at, ..Drawn::of(unit) };
    drawn.layout().rects().copied().collect()
}

fn touch(some: &[crate::geometry::Rect], others: &[crate::geometry::Rect]) -> bool {
    some.iter().any(|one| others.iter().any(|other| crate::geometry::overlaps_beyond_eps(one, &other.corners)))
}

/// FORM-01, CAV-01, CAV-02, TAC-37 Formations in which a unit of this arm may begin: those it may stand in for long.
pub(crate) fn arm_may_stand(arm: Arm, formation: Formation) -> bool {
    match arm {
        Arm::Infantry => matches!(
            formation,
            Formation::SingleLine
                | Formation::ExtendedLine
                | Formation::DoubleLine
                | Formation::AttackColumn
                | Formation::SkirmishLine
                | Formation::MarchColumn
                | Formation::LineWithReserve
                | Formation::LineWithSkirmishers
        ),
        Arm::Cavalry => matches!(
            formation,
            Formation::SingleLine
                | Formation::DoubleLine
                | Formation::SkirmishLine
                | Formation::MarchColumn
                | Formation::DismountedLine
        ),
        Arm::Artillery => matches!(formation, Formation::Limbered | Formation::Unlimbered),
        Arm::Sharpshooter | Arm::GunCrew => formation == Formation::SkirmishLine,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn little_round_top() -> Arc<Scenario> {
        let text = include_str!("../../scenarios/little_round_top.toml");
        Arc::new(crate::scenario::read(text).unwrap())
    }

    fn begun(scenario: &Arc<Scenario>) -> Battle {
        start(
            &Theatre::new(Arc::clone(scenario)),
            Ruleset::standard(),
            &Seating::one_each(),
            &BTreeSet::new(),
            &BySide::default(),
        )
    }

    #[test]
    fn scn_06_the_printed_deployment_stands_clear_and_nine_inches_apart() {
        let scenario = little_round_top();
        let table = begun(&scenario).table;
        let stands: Vec<(Side, &UnitId, Vec<crate::geometry::Rect>)> =
            table.units().map(|(_, unit)| (unit.side, &unit.id, rects(unit, unit.footing.anchor))).collect();
        assert_eq!(stands.len(), 9);
        for (index, (side, id, own)) in stands.iter().enumerate() {
            // Nobody was moved: the file prints no overlap.
            assert_eq!(
                table.unit(id).unwrap().footing.anchor,
                scenario.force(id.as_str()).unwrap().standing.unwrap().at
            );
            for (other_side, other, others) in stands.iter().skip(index + 1) {
                assert!(!touch(own, others), "{id} stands on {other}");
                let apart = own.iter().flat_map(|one| {
                    others.iter().map(|rect| crate::geometry::between_polygons(&one.corners, &rect.corners).rounded())
                });
                let apart = apart.min().unwrap();
                assert!(side == other_side || 9_000 <= apart, "{id} and {other} are {apart} apart");
            }
        }
    }

    #[test]
    fn scn_05_the_frontage_factor_narrows_stands_and_nothing_else() {
        // 14 figures: most on a stand 4, 875 wide; three quarters are 656.25.
        let table = begun(&little_round_top()).table;
        let texas = table.unit(&UnitId::new("tx05")).unwrap();
        assert_eq!((texas.stand_width, texas.stand_depth), (656, 625));
        assert_eq!(texas.stands.iter().map(|stand| stand.full).collect::<Vec<_>>(), [4, 3, 3, 4]);
        assert_eq!(texas.stands.iter().map(|stand| stand.loss_rank).collect::<Vec<_>>(), [1, 0, 2, 3]);
        let guns = table.unit(&UnitId::new("d5us")).unwrap();
        // ORG-09 They begin limbered: the stand's own depth, twice of it on the table.
        assert_eq!((guns.stand_width, guns.stand_depth), (1000, 1000));
        assert_eq!(Drawn::of(guns).depth, 2000);
    }

    #[test]
    fn lvl_01_command_points_of_the_brigades() {
        // A commander and four regiments 10 each, five regiments 12; without the optional 1st Texas and 3rd Arkansas 6.
        let points = begun(&little_round_top()).table.brigades;
        let of = |id: &str| points[&BrigadeId::new(id)].points;
        assert_eq!([of("vincent"), of("weed"), of("sheffield"), of("robertson")], [10, 10, 12, 6]);
    }

    #[test]
    fn scn_11_who_arrives_waits_off_the_table() {
        let table = begun(&little_round_top()).table;
        let new_york = table.unit(&UnitId::new("ny140")).unwrap();
        assert_eq!((new_york.presence, new_york.arrives), (Presence::ToCome, Some(3)));
        assert_eq!(new_york.footing.formation, Formation::MarchColumn);
        assert_eq!(table.leaders[&LeaderId::new("weed")].arrives, Some(4));
        assert!(table.unit(&UnitId::new("tx01")).is_none());
    }

    #[test]
    fn scn_12_optional_troops_take_part_when_switched_on() {
        let scenario = little_round_top();
        let on = BTreeSet::from(["tx01".to_owned(), "reilly".to_owned()]);
        let table =
            start(&Theatre::new(scenario), Ruleset::standard(), &Seating::one_each(), &on, &BySide::default()).table;
        assert_eq!(table.unit(&UnitId::new("tx01")).unwrap().arrives, Some(6));
        assert_eq!(table.unit(&UnitId::new("reilly")).unwrap().presence, Presence::Table);
        assert!(table.unit(&UnitId::new("latham")).is_none());
        assert_eq!(table.brigades[&BrigadeId::new("robertson")].points, 8);
    }
}
