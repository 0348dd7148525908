//! The gate: from what a side knows to what a viewer is sent. Nothing else of a battle is ever shown to a player.
//!
//! Owns the filling in of [`protocol::view`] and of [`protocol::event::Event`]. Structs are taken apart without `..`, so
//! that a new field does not compile until somebody decides who sees it. It computes no rule.
//!
//! Start at [`view`] for the battle, at [`events`] for what happened, at [`card`] for what never changes.

mod card;
#[cfg(test)]
mod tests;

pub use card::card;

use protocol::event::{Event as Shown, Stance};
use protocol::ids::{BySide, FeatureId, PicketNumber, Side, UnitId};
use protocol::orders::Stage;
use protocol::place::Corners;
use protocol::view::{
    AbandonedGunsView, BrigadeView, GhostView, LeaderView, ObjectiveView, ObstacleView, OwnPicketView, OwnUnitView,
    PicketGoneView, PicketView, Presence, ResultView, StandView, UnitView, View, Viewer, WagonView, WorkView,
};
use protocol::words::Arm;

use crate::battle::{
    AbandonedGuns, Battle, Brigade, Carried, Column, Footing, Ghost, GonePicket, Guns, HiddenWorks, Known, Leader,
    LeaderMarks, Picket, Rank, SideSecrets, Stand, Table, TurnMarks, Under, Unit, known,
};
use crate::geometry::{Frame, Rect};
use crate::ground::Terrain;
use crate::hidden;
use crate::los;
use crate::play::{Audience, Event};
use crate::ruleset::Ruleset;
use crate::scenario::{Scenario, Wagon};
use crate::wagons;
use crate::works;

/// What a viewer may know: his side's knowledge, both sides' for the umpire, the open table for the public.
enum Knowledge<'a> {
    Side(&'a Known),
    Both(&'a Table, BySide<&'a SideSecrets>),
    Open(&'a Table),
}

impl Knowledge<'_> {
    fn table(&self) -> &Table {
        match self {
            Knowledge::Side(known) => &known.table,
            Knowledge::Both(table, _) | Knowledge::Open(table) => table,
        }
    }

    /// The secrets of a side, for those who may know them.
    fn own(&self, side: Side) -> Option<&SideSecrets> {
        match self {
            Knowledge::Side(known) => (known.side == side).then_some(&known.own),
            Knowledge::Both(_, secrets) => Some(secrets.get(side)),
            Knowledge::Open(_) => None,
        }
    }
}

/// The battle as a viewer may know it, while the window of `stage` is open or that stage is resolved.
pub fn view(rules: &Ruleset, battle: &Battle, stage: Stage, viewer: &Viewer) -> View {
    match viewer.side() {
        Some(side) => render(rules, battle, &Knowledge::Side(&known(battle, side)), stage, viewer),
        None => match viewer {
            Viewer::Umpire {} => {
                let Battle { table, secrets } = battle;
                let secrets = BySide { union: secrets.union.open(), confederate: secrets.confederate.open() };
                let mut table = table.clone();
                Side::BOTH.iter().for_each(|side| table.insert_hidden(secrets.get(*side)));
                render(rules, battle, &Knowledge::Both(&table, secrets), stage, viewer)
            }
            // SCN-06 Before both sides have placed their units nothing stands openly.
            Viewer::Public {} | Viewer::Seat { .. } | Viewer::Side { .. } if battle.table.is_deploying() => {
                let mut empty = battle.table.clone();
                empty.keep_only(None);
                render(rules, battle, &Knowledge::Open(&empty), stage, viewer)
            }
            Viewer::Public {} | Viewer::Seat { .. } | Viewer::Side { .. } => {
                let mut table = battle.table.clone();
                los::veil(&mut table, los::Eyes::Public, battle);
                render(rules, battle, &Knowledge::Open(&table), stage, viewer)
            }
        },
    }
}

/// What `viewer` may know of these events, numbered for him from 1.
pub fn events(events: &[Event], viewer: &Viewer) -> Vec<Shown> {
    let visible = events.iter().filter(|event| match (event.audience, viewer) {
        (Audience::All, _) | (Audience::Side(_) | Audience::Umpire, Viewer::Umpire {}) => true,
        (Audience::Umpire, _) => false,
        (Audience::Both, viewer) => viewer.side().is_some() || *viewer == Viewer::Umpire {},
        (Audience::Side(side) | Audience::Instead(side), viewer) => viewer.side() == Some(side),
    });
    let numbered = visible.zip(1..);
    let shown = numbered.map(|(event, n)| {
        let Event { stage, phase, segment, rule, fact, explanation, audience: _ } = event.clone();
        Shown { n, stage, phase, segment, rule: rule.into(), fact, explanation }
    });
    shown.collect()
}

/// How a unit stands: enough to draw it.
pub fn stance(unit: &Unit) -> Stance {
    let Footing { anchor, facing, formation, gap: _, refused: _, prone, trail: _, disorder, screen_back: _ } =
        unit.footing;
    let stands = unit.layout().rects().map(|rect: &Rect| -> Corners { rect.corners }).collect();
    Stance { anchor, facing, formation, disorder, prone, stands }
}

fn render(rules: &Ruleset, battle: &Battle, knowledge: &Knowledge<'_>, stage: Stage, viewer: &Viewer) -> View {
    let table = knowledge.table();
    // Units are asked for by `all_units`; losses and what has come true are told as they count, in the log.
    let Table {
        theatre,
        turn,
        leaders,
        brigades,
        pickets,
        pickets_gone,
        abandoned,
        changes,
        held_by,
        score,
        ended,
        ..
    } = table;
    let scenario: &Scenario = &theatre.scenario;
    // Who has still to come or stands under a picket is his own side's business. SCN-12, HID-13
    let of_own_side = |side: Side, presence: Presence| {
        matches!(presence, Presence::ToCome | Presence::Hidden) && knowledge.own(side).is_none()
    };
    let units = table.all_units().filter(|(_, unit)| !of_own_side(unit.side, unit.presence));
    let leaders = leaders.values().filter(|leader| !of_own_side(leader.side, leader.presence));
    let deploying = table.is_deploying();
    let wagons = wagons::standing(table).filter(|wagon| !deploying || knowledge.own(wagon.side).is_some());
    // HID-64 What hidden units have built is on the map of their own side.
    let works = Side::BOTH.into_iter().filter_map(|side| knowledge.own(side)).flat_map(|own| own.works.values());
    let works: Vec<&HiddenWorks> = works.collect();
    let with_works = (!works.is_empty()).then(|| {
        let mut table = table.clone();
        table.build_hidden(works);
        table
    });
    let map = with_works.as_ref().unwrap_or(table);
    let points = BySide { union: score.union.total(), confederate: score.confederate.total() };
    View {
        viewer: viewer.clone(),
        turn: *turn,
        stage,
        clock: scenario.clock.hour(*turn),
        units: units.map(|(_, unit)| unit_view(rules, unit, knowledge)).collect(),
        leaders: leaders.map(|leader| leader_view(rules, leader, knowledge)).collect(),
        brigades: brigades.values().map(|brigade| brigade_view(brigade, knowledge)).collect(),
        pickets: pickets.values().map(|picket| picket_view(rules, picket, knowledge)).collect(),
        pickets_gone: pickets_gone.iter().map(|(number, gone)| gone_view(*number, gone)).collect(),
        ghosts: ghosts(knowledge, *turn),
        abandoned: abandoned.iter().map(|(battery, guns)| abandoned_view(table, battery, guns)).collect(),
        wagons: wagons.map(|wagon| wagon_view(rules, table, wagon)).collect(),
        destroyed: changes.destroyed_buildings.iter().chain(changed_on_map(map)).cloned().collect(),
        obstacles: works::changed(map).map(obstacle_view).collect(),
        objectives: card::objectives(scenario)
            .into_iter()
            .map(|(place, name, points)| ObjectiveView {
                held_by: held_by.get(&place).copied().flatten(),
                place,
                name,
                points,
            })
            .collect(),
        score: points,
        hidden_score: hidden_score(knowledge),
        result: ended.as_ref().map(|ended| ResultView { winner: ended.winner, points, lines: ended.lines.clone() }),
        disclosed: hidden::disclosed(battle),
        deployment: match knowledge {
            Knowledge::Side(known) => crate::setup::choices(known, rules, viewer),
            Knowledge::Both(..) | Knowledge::Open(_) => None,
        },
    }
}

/// SCNV-15 What the hidden units that a viewer knows would change about the score of open facts; none without pickets of theirs.
fn hidden_score(knowledge: &Knowledge<'_>) -> Option<BySide<i32>> {
    let known = Side::BOTH.into_iter().filter_map(|side| knowledge.own(side));
    let known: Vec<&SideSecrets> = known.filter(|own| !own.pickets.is_empty()).collect();
    let total = |side: Side| -> i32 { known.iter().map(|own| own.unseen.get(side).total()).sum() };
    (!known.is_empty()).then(|| BySide::from_fn(total))
}

/// LOS-07 What a side remembers of enemies whom it does not see.
fn ghosts(knowledge: &Knowledge<'_>, now: u32) -> Vec<GhostView> {
    let Knowledge::Side(known) = knowledge else { return Vec::new() };
    let remembered = known.own.memory.iter().flat_map(|memory| &memory.ghosts);
    let shown = remembered.filter_map(|(id, ghost)| {
        let unit = known.table.unit(id).filter(|unit| los::is_veiled(unit))?;
        let Ghost { stance, left, arm, morale, turn, stage } = ghost.clone();
        let (name, side) = (unit.name.clone(), unit.side);
        let confidence = los::confidence(turn, now);
        Some(GhostView { unit: id.clone(), name, side, arm, stance, left, morale, turn, stage, confidence })
    });
    shown.collect()
}

/// The obstacles of the map that are no more as it has them.
fn changed_on_map(table: &Table) -> impl Iterator<Item = &FeatureId> {
    let of_map = |id: &FeatureId| table.scenario().ground.obstacles.iter().any(|obstacle| obstacle.id == *id);
    works::changed(table).map(|changed| &changed.obstacle.id).filter(move |id| of_map(id))
}

fn obstacle_view(changed: works::Changed<'_>) -> ObstacleView {
    let works::Changed { obstacle, open, lines } = changed;
    ObstacleView { id: obstacle.id.clone(), kind: card::word(obstacle.kind), open, lines }
}

fn unit_view(rules: &Ruleset, unit: &Unit, knowledge: &Knowledge<'_>) -> UnitView {
    let Unit {
        id,
        name,
        side,
        brigade,
        seat: _,
        arm,
        quality,
        weapon,
        bmp: _,
        presence,
        picket,
        arrives: _,
        stands,
        stands_at_start,
        figures_at_start,
        stand_width: _,
        stand_depth: _,
        footing: _,
        last_formed: _,
        morale,
        first_casualty_taken: _,
        mounted,
        guns,
        sharpshooters,
        ammunition_out_since,
        opening_volley_used: _,
        engineers,
        located: _,
        column,
        carried,
        marks,
    } = unit;
    let Carried { .. } = carried;
    let TurnMarks { in_command, shown, fires, .. } = marks;
    UnitView {
        id: id.clone(),
        name: name.clone(),
        side: *side,
        brigade: brigade.clone(),
        arm: *arm,
        quality: *quality,
        weapon: weapon.clone(),
        stance: (unit.on_table() || *presence == Presence::Hidden).then(|| stance(unit)),
        stands: stands
            .iter()
            .map(|Stand { figures, full, loss_rank: _ }| StandView { figures: *figures, full: *full })
            .collect(),
        figures_at_start: *figures_at_start,
        stands_at_start: *stands_at_start,
        sections: (*arm == Arm::Artillery).then(|| unit.sections(rules)),
        horses: guns.as_ref().map(|Guns { horses, horse_lost_in: _, canister: _, spiked: _, unmanned: _, .. }| *horses),
        // All see whether horse is in the saddle.
        mounted: (*arm == Arm::Cavalry).then_some(*mounted),
        morale: *morale,
        sharpshooters: sharpshooters.clone(),
        // All see who stands behind whom. What the column has lost since is told to its own side (TAC-33).
        column: column.iter().filter(|_| unit.on_table()).flat_map(regiments).collect(),
        engineers: *engineers,
        work: work_view(rules, unit, knowledge),
        ammunition_out: ammunition_out_since.is_some(),
        in_command: *in_command,
        shown: shown.clone(),
        fires: *fires,
        presence: *presence,
        picket: picket.map(|(number, _)| number).or_else(|| picket_over(unit, knowledge)),
        own: knowledge.own(*side).map(|own| own_unit_view(rules, knowledge.table(), unit, own)),
    }
}

/// OBS-06 All see what a unit is at, and for how long; where it will be, only its own side knows.
fn work_view(rules: &Ruleset, unit: &Unit, knowledge: &Knowledge<'_>) -> Option<WorkView> {
    let table = knowledge.table();
    let is_own = knowledge.own(unit.side).is_some() && unit.presence == Presence::Hidden;
    let (work, turns, left, line) =
        works::shown(rules, table, table.find(&unit.id).filter(|_| unit.on_table() || is_own)?)?;
    let line = if knowledge.own(unit.side).is_some() { line } else { Vec::new() };
    Some(WorkView { work, turns, left, line })
}

fn own_unit_view(rules: &Ruleset, table: &Table, unit: &Unit, own: &SideSecrets) -> OwnUnitView {
    let orders = own.orders.get(&unit.id);
    let at_the_door = table.find(&unit.id).is_some_and(|ix| crate::arrivals::is_due(table, ix));
    OwnUnitView {
        seat: unit.seat.clone(),
        order: orders.map(|orders| orders.order.clone()),
        instructions: orders.and_then(|orders| orders.said.values().next_back().cloned()).unwrap_or_default(),
        limits: crate::orders::limits(table, unit),
        bmp: unit.bmp.unwrap_or_else(|| rules.bmp.at(unit.quality)),
        canister: unit.guns.as_ref().map(|guns| guns.canister),
        arrives: unit.arrives,
        at_door: at_the_door.then(|| stance(unit)),
        open_rate: open_rate(rules, unit),
        ranges: ranges(rules, unit),
    }
}

/// The most a unit moves in open ground, thousandths of an inch.
fn open_rate(rules: &Ruleset, unit: &Unit) -> u32 {
    let rate = rules.rates(unit.branch(rules), unit.row()).and_then(|rates| rates.at(Terrain::Open));
    rate.map_or(0, |inches| inches.0.unsigned_abs())
}

fn regiments(column: &Column) -> impl Iterator<Item = UnitId> {
    let Column { ranks, formed_of: _, stands_lost: _, stands_answered: _ } = column;
    ranks.iter().map(|Rank { unit, back: _ }| unit.clone())
}

/// Close (guns: canister), normal and long range of a unit's weapon, thousandths of an inch. FIRE-11
pub fn ranges(rules: &Ruleset, unit: &Unit) -> [u32; 3] {
    let bands = match unit.arm {
        Arm::Artillery => rules.gun.get(&unit.weapon).map(|gun| [gun.canister, gun.normal, gun.long]),
        Arm::Infantry | Arm::Cavalry | Arm::Sharpshooter => {
            rules.small_arm.get(&unit.weapon).map(|arm| [arm.close, arm.normal, arm.long])
        }
        Arm::GunCrew => None,
    };
    bands.map_or([0; 3], |bands| bands.map(|inches| inches.0.unsigned_abs()))
}

fn leader_view(rules: &Ruleset, leader: &Leader, knowledge: &Knowledge<'_>) -> LeaderView {
    let Leader {
        id,
        name,
        side,
        seat,
        post,
        arm: _,
        level,
        superior,
        brigade,
        took_over: _,
        at,
        facing,
        at_turn_start: _,
        attached,
        presence,
        arrives: _,
        wounded_until,
        lost_in: _,
        replacement_attempts: _,
        marks,
    } = leader;
    let LeaderMarks { .. } = marks;
    let size = leader.stand_size();
    let benefit = rules.leader_level.at(*level).radius;
    LeaderView {
        id: id.clone(),
        name: name.clone(),
        side: *side,
        post: post.as_str().to_owned(),
        level: *level,
        at: leader.on_table().then_some(*at),
        corners: leader.on_table().then(|| Rect::centered(*at, *facing, size, size).corners),
        attached: attached.clone(),
        brigade: brigade.clone(),
        superior: superior.clone(),
        command_radius: rules.command.radius_infantry.at(Terrain::Open).0.unsigned_abs(),
        benefit_radius: benefit.0.unsigned_abs(),
        wounded_until: *wounded_until,
        presence: *presence,
        seat: knowledge.own(*side).map(|_| seat.clone()),
    }
}

fn brigade_view(brigade: &Brigade, knowledge: &Knowledge<'_>) -> BrigadeView {
    let Brigade {
        id,
        name: _,
        side,
        guns: _,
        commander: _,
        superior: _,
        units: _,
        points,
        points_lost,
        regiments_lost_before: _,
        regiments_lost_now: _,
        commander_lost: _,
        level,
        withdrawal_counted: _,
    } = brigade;
    BrigadeView { id: id.clone(), points: *points, lost: knowledge.own(*side).map(|_| *points_lost), level: *level }
}

/// HID-12 The one struct for every picket: of the enemy's nothing is known but what all may see.
fn picket_view(rules: &Ruleset, picket: &Picket, knowledge: &Knowledge<'_>) -> PicketView {
    let Picket { number, side, at, facing, confirmed, shown, travelled, commitment } = picket;
    let own = knowledge.own(*side).and_then(|own| own_picket_view(rules, *number, own, knowledge));
    let exact = own.is_some();
    PicketView {
        number: *number,
        side: *side,
        // HID-30 Whoever does not own it is shown every picket on one grid.
        at: if exact { *at } else { hidden::public_point(*at) },
        facing: if exact { *facing } else { hidden::public_bearing(*facing) },
        confirmed: *confirmed,
        shown: *shown,
        travelled: travelled.clone(),
        commitment: commitment.clone(),
        own,
    }
}

/// HID-13 What its own side knows of a picket.
fn own_picket_view(
    rules: &Ruleset,
    number: PicketNumber,
    own: &SideSecrets,
    knowledge: &Knowledge<'_>,
) -> Option<OwnPicketView> {
    let Under { seat, hides, units, leaders, salt: _ } = own.pickets.get(&number)?;
    let orders = own.picket_orders.get(&number);
    Some(OwnPicketView {
        seat: seat.clone(),
        hides: hides.clone(),
        units: units.iter().map(|unit| unit.id.clone()).collect(),
        leaders: leaders.iter().map(|leader| leader.id.clone()).collect(),
        order: orders.map(|orders| orders.order.clone()),
        instructions: orders.and_then(|orders| orders.said.values().next_back().cloned()).unwrap_or_default(),
        limits: match knowledge {
            Knowledge::Side(known) => crate::orders::picket_limits(known, rules, number),
            Knowledge::Both(..) | Knowledge::Open(_) => Vec::new(),
        },
        open_rate: units.iter().map(|unit| open_rate(rules, unit)).min().unwrap_or_else(|| hidden::dummy_rate(rules)),
    })
}

fn gone_view(number: PicketNumber, gone: &GonePicket) -> PicketGoneView {
    let GonePicket { side, turn, how } = gone;
    PicketGoneView { number, side: *side, turn: *turn, how: *how }
}

/// The picket that hides a unit, for those who may know it.
fn picket_over(unit: &Unit, knowledge: &Knowledge<'_>) -> Option<PicketNumber> {
    let pickets = &knowledge.own(unit.side).filter(|_| unit.presence == Presence::Hidden)?.pickets;
    pickets.iter().find(|(_, under)| under.units.iter().any(|other| other.id == unit.id)).map(|(number, _)| *number)
}

/// AMMO-06 Wagons stand openly.
fn wagon_view(rules: &Ruleset, table: &Table, wagon: &Wagon) -> WagonView {
    let Wagon { id, side, at: _ } = wagon;
    WagonView { id: id.clone(), side: *side, corners: wagons::stand_of(rules, table, wagon).corners }
}

/// ROUT-08 Whose they were, where they stand and how many: all see that. What is left in their limbers nobody does.
fn abandoned_view(table: &Table, battery: &UnitId, left: &AbandonedGuns) -> AbandonedGunsView {
    let AbandonedGuns {
        side,
        weapon: _,
        footing: Footing { anchor, facing, .. },
        stand_width,
        stand_depth,
        sections,
        guns,
    } = left;
    let Guns { horses: _, horse_lost_in: _, canister: _, spiked, unmanned: _, ship: _, manned: _ } = guns;
    AbandonedGunsView {
        battery: battery.clone(),
        name: table.unit(battery).map_or_else(|| battery.to_string(), |unit| unit.name.clone()),
        side: *side,
        corners: Rect::from_front(Frame::new(*anchor, *facing), *stand_width, *stand_depth).corners,
        sections: *sections,
        spiked: *spiked,
    }
}
