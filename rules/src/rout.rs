//! Routed units: the run at the moment of the rout, routed moves, surrender, the loss of units. Chapter ROUT
//!
//! Owns how far and which way a routed unit runs, whether it disintegrates, and what the loss of a unit changes on the table
//! and in its brigade. Checks of those who see it stand in [`crate::morale`]. It never rallies anybody, but for the try
//! that the table edge forces (RALLY-08).
//!
//! Start at [`run`] for a rout, at [`routed_moves`] for phase 2, at [`lose`] for the end of a unit.

use std::cell::LazyCell;

use protocol::event::{Dice as DiceShown, Fact, Morale};
use protocol::place::Bearing;
use protocol::view::Presence;
use protocol::words::{Arm, Formation};

use crate::battle::{AbandonedGuns, Guns, Unit, UnitIx};
use crate::catalogue::{ROUT_05, ROUT_08, ROUT_11, ROUT_13, ROUT_19, RuleId};
use crate::column;
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, named, sentence};
use crate::field::Field;
use crate::geometry::{Distance, Rect};
use crate::ground::{self, CrossingPrices, Footing, PathCost, PathLeg, Pricing, TURN_POINTS};
use crate::morale::flight::{self, Mover, Stop, displacement, stands_of, turned};
use crate::morale::reference::Reference;
use crate::morale::shelter;
use crate::movement;
use crate::play::Play;
use crate::ruleset::{Branch, FormationRow};
use crate::settle::Happening;
use crate::specials;

/// ROUT-06 The turns of the bearing that are tried, hundredths of a degree: the smallest first, the clockwise one first.
const TURNS: [i32; 7] = [0, 1_500, -1_500, 3_000, -3_000, 4_500, -4_500];

/// What a unit does at the moment it routs.
#[derive(Clone, Debug)]
pub enum Run {
    /// It runs.
    Goes(Box<Mover>),
    /// It turns away and stays: it has had its bonus move. ROUT-05
    Stays(Box<Mover>),
    /// Its dice disintegrate it. ROUT-04
    Disintegrates(DiceShown),
}

/// ROUT-02 to ROUT-08 The run of a unit at the moment it routs.
pub fn run(play: &Play, field: &Field, ix: UnitIx, reference: Reference) -> Run {
    let unit = field.unit(ix);
    let body = turned(&as_fugitive(field, unit), reference.away);
    let mut mover = Mover {
        unit: ix,
        from: stands_of(&body),
        tail: Vec::new(),
        body,
        bearing: reference.away,
        distance: 0,
        reference,
        dice: Vec::new(),
        runs: true,
        foes: Vec::new(),
    };
    if unit.marks.bonus_taken {
        return Run::Stays(Box::new(mover));
    }
    let (dice, length) = run_dice(play, field, ix);
    let faces = field.rules.bonus_movement.rout_pickup_faces.at(unit.quality);
    if dice.faces.iter().all(|face| faces.contains(face)) {
        return Run::Disintegrates(dice);
    }
    mover.distance = length;
    mover.dice = vec![dice];
    mover.bearing = way_out(field, &mover);
    Run::Goes(Box::new(mover))
}

/// ROUT-03 The dice of the ground where it stood, and the inches that they give.
fn run_dice(play: &Play, field: &Field, ix: UnitIx) -> (DiceShown, i32) {
    let bonus = &field.rules.bonus_movement;
    let (count, factor) = match field.footing(ix) {
        Footing::Road => (bonus.dice.road, bonus.die_factor.road),
        Footing::Ground(terrain) => (bonus.dice.at(terrain), bonus.die_factor.at(terrain)),
    };
    let key = [field.unit(ix).id.as_str()];
    let first = play.thrown(Purpose::RoutDistance, &key) + 1;
    let dice = throw(play.dice, play.phase, Purpose::RoutDistance, &key, first, u32::try_from(count).unwrap_or(1));
    let pips: i32 = dice.faces.iter().map(|face| i32::from(*face)).sum();
    (dice, i32::try_from(factor.thousandths_of(pips)).unwrap_or(0))
}

/// ROUT-02, ROUT-07, ROUT-08 The unit as it flees: in disorder, horsemen in the saddle again, gunners without their guns.
pub(crate) fn as_fugitive(field: &Field, unit: &Unit) -> Unit {
    let mut body = unit.clone();
    body.morale = Morale::Routed;
    body.footing.prone = false;
    body.column = None;
    // TAC-34 A regiment of a brigade column is in single line.
    if body.footing.formation == Formation::BrigadeColumn {
        body.footing.formation = Formation::SingleLine;
    }
    let scale = &field.rules.scale;
    match unit.arm {
        Arm::Infantry | Arm::Sharpshooter => body.footing.disorder = true,
        Arm::Cavalry => {
            body.footing.disorder = true;
            remount(field, &mut body);
        }
        // ARTY-48 Infantry that manned the guns is infantry again.
        Arm::Artillery if unit.is_manned_by_infantry() => {
            body.arm = Arm::Infantry;
            body.guns = None;
            body.weapon = weapon_of_origin(field, unit);
            body.footing.disorder = true;
            body.footing.formation = Formation::SingleLine;
            body.last_formed = Formation::SingleLine;
            let most = unit.stands.iter().map(|stand| stand.figures).max().unwrap_or(1);
            body.stand_width = crate::formation::infantry_stand_width(most);
            body.stand_depth = scale.infantry_stand_depth.thousandths();
        }
        Arm::Artillery => {
            body.arm = Arm::GunCrew;
            body.guns = None;
            body.mounted = unit.is_limbered();
            body.footing.disorder = true;
            body.footing.formation = Formation::SingleLine;
            (body.stand_width, body.stand_depth) = if body.mounted {
                (scale.cavalry_stand_width.thousandths(), scale.cavalry_stand_depth.thousandths())
            } else {
                let most = unit.stands.iter().map(|stand| stand.figures).max().unwrap_or(1);
                (crate::formation::infantry_stand_width(most), scale.infantry_stand_depth.thousandths())
            };
        }
        Arm::GunCrew => {}
    }
    body
}

/// ROUT-07, SHK-16 Puts dismounted cavalry into the saddle again, in a line: at no cost, where its front is.
pub(crate) fn remount(field: &Field, body: &mut Unit) {
    if body.mounted {
        return;
    }
    body.mounted = true;
    (body.stand_width, body.stand_depth) = movement::stand_size_of_horse(field, body, true);
    body.footing.formation = Formation::SingleLine;
    body.footing.gap = 0;
    if body.last_formed == Formation::DismountedLine {
        body.last_formed = Formation::SingleLine;
    }
}

/// ARTY-46 The gunners of a battery that leave their guns of their own will, on foot: their morale is what it was.
pub(crate) fn crew_on_foot(field: &Field, unit: &Unit) -> Unit {
    let mut at_the_guns = unit.clone();
    at_the_guns.footing.formation = Formation::Unlimbered;
    Unit { morale: unit.morale, ..as_fugitive(field, &at_the_guns) }
}

/// ARTY-48 The muskets of the regiment from which a stand came to man guns.
fn weapon_of_origin(field: &Field, unit: &Unit) -> String {
    let regiment = unit.carried.stand_of.as_ref().and_then(|id| field.table.unit(id));
    regiment.map_or_else(|| unit.weapon.clone(), |regiment| regiment.weapon.clone())
}

/// ROUT-08 The guns that a battery leaves behind when its crew runs.
pub fn abandoned(unit: &Unit) -> Option<AbandonedGuns> {
    let guns = unit.guns.as_ref()?;
    Some(AbandonedGuns {
        side: unit.side,
        weapon: unit.weapon.clone(),
        footing: unit.footing.clone(),
        stand_width: unit.stand_width,
        stand_depth: unit.stand_depth,
        sections: guns.manned.unwrap_or_else(|| unit.figures()),
        guns: Guns { unmanned: true, manned: None, ..guns.clone() },
    })
}

/// ROUT-06 The bearing of a run: straight away, or turned toward a formed friend behind whom it ends.
pub fn way_out(field: &Field, mover: &Mover) -> Bearing {
    let seen = || field.from_near_to_far(mover.unit).filter(|enemy| field.sees(mover.unit, *enemy));
    let sees_anybody = LazyCell::new(|| field.sees_anybody(mover.unit));
    let farness = |place: &[Rect]| field.nearest_of_seen(mover.unit, place, |_| true).unwrap_or(Distance::ZERO);
    let own = stands_of(&mover.body);
    let mut best: Option<((bool, i32), Bearing, Vec<Rect>)> = None;
    for turn in TURNS {
        let bearing = mover.reference.away.turned(turn);
        let (end, stop) = flight::foreseen_reach(field, mover, bearing, mover.distance);
        if matches!(stop, Some(Stop::Enemy(_) | Stop::Ground)) {
            continue;
        }
        let place = flight::carried(&own, displacement(bearing, end));
        let sheltered = *sees_anybody
            && shelter::is_screened(field, mover.unit, &place, seen(), |friend| {
                friend.is_formed() && friend.is_unrouted()
            });
        // Shelter first, then the smallest turn, then the end farther from the enemy; the clockwise turn comes first.
        let merit = (sheltered, -turn.abs());
        let is_better = best
            .as_ref()
            .is_none_or(|(known, _, before)| *known < merit || (*known == merit && farness(before) < farness(&place)));
        if is_better {
            best = Some((merit, bearing, place));
        }
    }
    best.map_or(mover.reference.away, |(_, bearing, _)| bearing)
}

/// RALLY-02, ROUT-15 The move of a routed unit in phase 2: its full allowance on the ground that it crosses, away from the
/// enemy, as ROUT-06 finds the way.
pub fn routed_move(field: &Field, ix: UnitIx, reference: Reference) -> Mover {
    let unit = field.unit(ix);
    let mut mover = Mover {
        unit: ix,
        from: field.stands(ix),
        tail: Vec::new(),
        body: turned(unit, reference.away),
        bearing: reference.away,
        distance: 0,
        reference,
        dice: Vec::new(),
        runs: true,
        foes: Vec::new(),
    };
    mover.distance = allowance(field, unit, reference.away);
    let bearing = way_out(field, &mover);
    if bearing != reference.away {
        mover.bearing = bearing;
        mover.body = turned(unit, bearing);
        mover.distance = allowance(field, unit, bearing);
    }
    mover
}

/// How far a routed unit comes along a bearing with the whole turn's points.
fn allowance(field: &Field, unit: &Unit, bearing: Bearing) -> i32 {
    let branch =
        if unit.arm == Arm::GunCrew && unit.mounted { Branch::CavalryMounted } else { unit.branch(field.rules) };
    let row = field
        .rules
        .rates(branch, FormationRow::Routed)
        .or_else(|| field.rules.rates(Branch::Infantry, FormationRow::Routed));
    let Some(row) = row else {
        return 0;
    };
    let rates = ground::Rates::of(row, false);
    let farthest = rates.road.into_iter().chain(rates.open).max().unwrap_or(0);
    let by = displacement(bearing, farthest);
    let start = unit.footing.anchor;
    let to = protocol::place::Point::new(start.x + by.x, start.y + by.y);
    let prices = CrossingPrices::of(field.rules, !unit.mounted);
    let legs = [PathLeg { to, front: &[] }];
    let bends = specials::bends(field.table, unit, &unit.footing);
    let ground = field.ground().bent(&bends);
    PathCost::new(&ground, start, &legs, &rates, &prices, Pricing::Move, TURN_POINTS).reach(TURN_POINTS)
}

/// How a unit was lost. ROUT-19
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Failed a check while routed. ROUT-12
    PickedUp,
    /// By the dice of its run. ROUT-04
    Disintegrated,
    /// To the enemy. ROUT-11, ROUT-13
    Surrendered,
    /// Its last figure fell.
    WipedOut,
    /// Fled from the table.
    FledTheTable,
}

impl Loss {
    /// The words of the log.
    pub const fn words(self) -> &'static str {
        match self {
            Loss::PickedUp => "picked up",
            Loss::Disintegrated => "disintegrated",
            Loss::Surrendered => "surrendered",
            Loss::WipedOut => "wiped out",
            Loss::FledTheTable => "left the table",
        }
    }

    /// How friends who saw it tell of it.
    pub const fn seen(self) -> &'static str {
        match self {
            Loss::PickedUp => "was picked up",
            Loss::Disintegrated => "disintegrated",
            Loss::Surrendered => "surrendered",
            Loss::WipedOut => "lost its last man",
            Loss::FledTheTable => "fled from the table",
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            Loss::PickedUp => "is picked up and is out of the battle",
            Loss::Disintegrated => "disintegrates as it runs and is out of the battle",
            Loss::Surrendered => "surrenders and is out of the battle",
            Loss::WipedOut => "has lost its last man and is out of the battle",
            Loss::FledTheTable => "flees from the table and is out of the battle",
        }
    }
}

/// ROUT-19, LVL-02, MOR-50 Takes a lost unit off the table for good, and counts it against its brigade.
pub fn lose(play: &mut Play, ix: UnitIx, rule: RuleId, how: Loss, dice: Vec<DiceShown>) {
    take_off(play, ix, rule, how, dice, "");
}

/// As [`lose`], and tells why, to be read after a colon.
pub fn lose_because(play: &mut Play, ix: UnitIx, rule: RuleId, how: Loss, dice: Vec<DiceShown>, why: &str) {
    take_off(play, ix, rule, how, dice, &format!(": {why}"));
}

fn take_off(play: &mut Play, ix: UnitIx, rule: RuleId, how: Loss, dice: Vec<DiceShown>, why: &str) {
    let unit = play.table()[ix].clone();
    if unit.presence != Presence::Table {
        return;
    }
    let points = points_of(play, &unit);
    let counts = matches!(unit.arm, Arm::Infantry | Arm::Cavalry);
    let table = play.table_mut();
    column::lose(table, ix);
    table[ix].presence = Presence::Removed;
    table[ix].morale = Morale::Routed;
    table[ix].marks.order_spent = true;
    if let Some(brigade) = unit.brigade.as_ref().and_then(|brigade| table.brigades.get_mut(brigade)) {
        brigade.points_lost += points;
        brigade.regiments_lost_now += u32::from(counts);
    }
    for leader in table.leaders.those_mut(|leader| leader.attached.as_ref() == Some(&unit.id)) {
        leader.attached = None;
    }
    // ARTY-48 A stand that is lost at the guns is lost to its regiment.
    if let Some(regiment) = unit.carried.stand_of.as_ref().and_then(|id| table.find(id)) {
        table[regiment].stands_at_start += unit.stands_at_start;
        table[regiment].figures_at_start += unit.figures_at_start;
    }
    let mut explanation = sentence(format!("{} {}{why}.", named(&unit.name), how.sentence()));
    if 0 < points {
        explanation = explanation.with_note(ROUT_19, format!("it counts {points} command points against its brigade"));
    }
    explanation.dice = dice;
    play.tell(rule, Fact::Removed { unit: unit.id, how: how.words().to_owned() }, explanation);
}

/// LVL-01 What a unit is worth; detached sharpshooters nothing.
fn points_of(play: &Play, unit: &Unit) -> u32 {
    let points = &play.rules.command_points;
    let worth = match unit.arm {
        Arm::Infantry => points.regiment,
        Arm::Cavalry => points.battalion,
        Arm::Artillery | Arm::GunCrew => points.battery,
        Arm::Sharpshooter => 0,
    };
    u32::try_from(worth).unwrap_or(0)
}

/// ROUT-11 Whether a routed unit surrenders to an enemy whose stands touch its own.
pub fn surrenders_to(field: &Field, routed: UnitIx, enemy: UnitIx) -> bool {
    !field.unit(routed).is_unrouted()
        && field.unit(routed).side != field.unit(enemy).side
        && flight::takes_surrender(field.unit(enemy))
        && field.within(routed, enemy, 0)
}

/// ROUT-11, ROUT-13 A routed unit surrenders and is removed; the happening goes to [`crate::morale::settle`].
pub fn surrender(play: &mut Play, ix: UnitIx, in_melee: bool) -> Happening {
    lose(play, ix, if in_melee { ROUT_13 } else { ROUT_11 }, Loss::Surrendered, Vec::new());
    Happening::Removed(ix)
}

/// The rules that an explanation of a run cites.
pub(crate) fn note_on(run: &Mover, stays: bool) -> Option<(RuleId, &'static str)> {
    match (stays, run.body.arm) {
        (true, _) => Some((ROUT_05, "it has had its bonus move of this turn and does not run")),
        (false, Arm::GunCrew) => Some((ROUT_08, "the guns stay behind, abandoned")),
        (false, _) => None,
    }
}
