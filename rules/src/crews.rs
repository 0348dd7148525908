//! What is done at guns while standing: spiking them, taking them up again, manning them with infantry, lending a horse. ARTY-40,
//! ARTY-47 to ARTY-49
//!
//! Owns who may be told so, and what comes of it at its moment of the turn. It never moves a unit and never fires.

#[cfg(test)]
mod tests;

use protocol::event::Fact;
use protocol::ids::UnitId;
use protocol::orders::{FormTask, HoldTask, Order};
use protocol::words::{Arm, Formation};

use crate::battle::{AbandonedGuns, Carried, Guns, Stand, Table, TurnMarks, Unit, UnitIx};
use crate::catalogue::{ARTY_40, ARTY_47, ARTY_48, ARTY_49, RuleId};
use crate::explain::sentence;
use crate::field::Field;
use crate::geometry::{self, Frame, Rect};
use crate::los;
use crate::movement::SEGMENTS;
use crate::play::Play;

/// ARTY-40 Batteries are adjacent within this distance, thousandths of an inch.
const ADJACENT: i32 = 1_000;

/// The rectangle of guns without a crew.
pub(crate) fn stand_of(left: &AbandonedGuns) -> Rect {
    Rect::from_front(Frame::new(left.footing.anchor, left.footing.facing), left.stand_width, left.stand_depth)
}

/// Whether a unit stands at guns without a crew: on them, or touching them.
pub(crate) fn is_at(field: &Field<'_>, ix: UnitIx, left: &AbandonedGuns) -> bool {
    let guns = stand_of(left);
    field.layout(ix).rects().any(|stand| geometry::between_polygons(&stand.corners, &guns.corners).within(0))
}

// ---------------------------------------------------------------------------------------------- spiking

/// ARTY-47 Whose guns a crew would spike.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Spiking {
    /// Those without a crew at which it stands, by the battery that left them.
    Left(UnitId),
    /// Its own.
    Own,
}

/// ARTY-47 The guns that a unit would spike: those without a crew at which it stands, the enemy's first; else its own.
fn to_spike(field: &Field<'_>, ix: UnitIx) -> Option<Spiking> {
    let unit = field.unit(ix);
    let may_reach = unit.arm == Arm::GunCrew || (unit.arm == Arm::Artillery && !unit.is_limbered());
    let within_reach = field.table.abandoned.iter().filter(|(_, left)| !left.guns.spiked && is_at(field, ix, left));
    let first = within_reach.filter(|_| may_reach).min_by_key(|(battery, left)| (left.side == unit.side, *battery));
    if let Some((battery, _)) = first {
        return Some(Spiking::Left(battery.clone()));
    }
    unit.guns.as_ref().filter(|guns| !guns.spiked).map(|_| Spiking::Own)
}

/// ARTY-47 Why a unit may not be told to spike guns.
pub(crate) fn why_not_spike(field: &Field<'_>, ix: UnitIx) -> Option<(RuleId, String)> {
    match (field.unit(ix).arm, to_spike(field, ix)) {
        (Arm::Infantry | Arm::Cavalry | Arm::Sharpshooter, _) => {
            Some((ARTY_47, "cannot spike guns: only gun crews can".to_owned()))
        }
        (Arm::Artillery | Arm::GunCrew, None) => {
            Some((ARTY_47, "has no guns to spike: it must stand at guns that are not spiked yet".to_owned()))
        }
        (Arm::Artillery | Arm::GunCrew, Some(_)) => None,
    }
}

/// ARTY-47 The segment of phase 7 at whose end guns are spiked: half of the turn.
fn spiked_by(play: &Play<'_>) -> i64 {
    i64::from(SEGMENTS) * i64::from(play.rules.gun_rules.spike_turns.thousandths()) / 1_000
}

/// ARTY-47 Spikes guns at the end of a segment, if this is the one.
pub(crate) fn spike(play: &mut Play<'_>, segment: u8) {
    if i64::from(segment) != spiked_by(play) {
        return;
    }
    let spikers: Vec<UnitIx> = play.table().units().map(|(ix, _)| ix).filter(|ix| is_spiking(play, *ix)).collect();
    let found: Vec<(UnitIx, Spiking)> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        spikers.into_iter().filter_map(|ix| Some((ix, to_spike(&field, ix)?))).collect()
    };
    for (ix, guns) in found {
        let (crew, name, side) = (play.table()[ix].id.clone(), play.table()[ix].name.clone(), play.table()[ix].side);
        if let Spiking::Left(battery) = &guns {
            los::remember_guns(play, battery, side);
        }
        let table = play.table_mut();
        let battery = match guns {
            Spiking::Own => {
                table[ix].guns.iter_mut().for_each(|guns| guns.spiked = true);
                crew.clone()
            }
            Spiking::Left(battery) => {
                table.abandoned.get_mut(&battery).into_iter().for_each(|left| left.guns.spiked = true);
                battery
            }
        };
        if play.table().sights.is_some() {
            los::tell_of_spiking(play, ix, &battery);
            continue;
        }
        let text = match battery == crew {
            true => format!("{name} spikes its guns."),
            false => format!("{name} spikes the guns of {}.", name_of(play.table(), &battery)),
        };
        play.tell(ARTY_47, Fact::Special { unit: Some(battery) }, sentence(text));
    }
}

fn is_spiking(play: &Play<'_>, ix: UnitIx) -> bool {
    let unit = &play.table()[ix];
    let told = matches!(play.order(ix), Order::Hold { task: Some(HoldTask::Spike {}) });
    told && has_stayed(unit) && !unit.marks.conditional_hold
}

fn name_of(table: &Table, battery: &UnitId) -> String {
    table.unit(battery).map_or_else(|| battery.to_string(), |unit| unit.name.clone())
}

/// Neither driven from its place nor in a fight this turn.
fn has_stayed(unit: &Unit) -> bool {
    let marks = &unit.marks;
    unit.is_unrouted() && !marks.moved && !marks.fell_back && !marks.in_melee && !marks.beaten && !marks.charged
}

// ---------------------------------------------------------------------------------------------- crews that come back

/// ARTY-49 Marks the rallied crews that stand at their guns as the turn begins.
pub(crate) fn mark_at_guns(play: &mut Play<'_>) {
    let at_guns: Vec<UnitIx> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let crews = field.table.units().filter(|(_, unit)| unit.arm == Arm::GunCrew && unit.is_unrouted());
        let back =
            crews.filter(|(ix, crew)| field.table.abandoned.get(&crew.id).is_some_and(|left| is_at(&field, *ix, left)));
        back.map(|(ix, _)| ix).collect()
    };
    for ix in at_guns {
        play.table_mut()[ix].marks.at_its_guns = true;
    }
}

/// ARTY-49 After a whole turn at their guns, on HOLD and without a move, crews are batteries again.
pub(crate) fn take_up_guns(play: &mut Play<'_>) {
    let back: Vec<UnitIx> = {
        let crews = play.table().units().filter(|(_, unit)| unit.arm == Arm::GunCrew && unit.marks.at_its_guns);
        let stayed = crews.filter(|(ix, unit)| has_stayed(unit) && play.order(*ix) == Order::Hold { task: None });
        stayed.filter(|(_, unit)| unit.marks.charged_by.is_none()).map(|(ix, _)| ix).collect()
    };
    for ix in back {
        let (id, side) = (play.table()[ix].id.clone(), play.table()[ix].side);
        los::remember_guns(play, &id, side);
        let table = play.table_mut();
        let Some(left) = table.abandoned.remove(&id) else { continue };
        let unit = &mut table[ix];
        unit.arm = Arm::Artillery;
        unit.mounted = false;
        unit.guns = Some(Guns { unmanned: false, ..left.guns });
        unit.footing = left.footing;
        (unit.stand_width, unit.stand_depth) = (left.stand_width, left.stand_depth);
        unit.last_formed = unit.footing.formation;
        unit.carried.aim = None;
        let fact = Fact::Formed { unit: id, after: unit.stance() };
        let text = format!("{} has its guns in order again.", unit.name);
        play.tell(ARTY_49, fact, sentence(text));
    }
}

// ---------------------------------------------------------------------------------------------- infantry at guns

/// ARTY-48 Turns without fire before guns that infantry has manned are ready.
const GETTING_READY: u32 = 1;

/// ARTY-48 Why a unit may not be told to man guns.
pub(crate) fn why_not_man(field: &Field<'_>, ix: UnitIx, battery: &UnitId) -> Option<(RuleId, String)> {
    let why = |text: &str| Some((ARTY_48, text.to_owned()));
    let unit = field.unit(ix);
    if unit.arm != Arm::Infantry {
        return why("cannot man guns: only infantry does, and crews go back to their own");
    }
    if unit.stands.len() < 2 {
        return why("has too few stands left to send one to the guns");
    }
    match field.table.abandoned.get(battery) {
        None => why("can man only guns that stand without a crew"),
        Some(left) if left.guns.spiked => why("cannot man guns that are spiked"),
        Some(left) if !is_at(field, ix, left) => why("must touch the guns that it mans; march there first"),
        Some(_) => None,
    }
}

/// ARTY-48 At the end of the turn regiments that were told so send a stand to guns without a crew. No unit is added within a
/// phase, so that the list that a phase reckons with stays as it was.
pub(crate) fn man_guns(play: &mut Play<'_>) {
    let told = play.table().units().filter_map(|(ix, unit)| match play.order(ix) {
        Order::Form { task: FormTask::ManGuns { battery } }
            if has_stayed(unit) && !unit.marks.conditional_hold && unit.marks.fires == 0 =>
        {
            Some((unit.id.clone(), battery))
        }
        _ => None,
    });
    let told: Vec<(UnitId, UnitId)> = told.collect();
    for (regiment, battery) in told {
        let sent = {
            let field = Field::new(play.rules, play.table(), play.dice);
            let Some(ix) = field.table.find(&regiment) else { continue };
            let possible = why_not_man(&field, ix, &battery).is_none();
            possible.then(|| nearest_stand(&field, ix, &battery)).flatten().map(|place| (ix, place))
        };
        let Some((ix, place)) = sent else { continue };
        let side = play.table()[ix].side;
        los::remember_guns(play, &battery, side);
        let table = play.table_mut();
        let Some(left) = table.abandoned.remove(&battery) else { continue };
        let stand = table[ix].stands.remove(place);
        table[ix].stands_at_start -= 1;
        table[ix].figures_at_start -= stand.full;
        let manned = manned(table, &table[ix], &battery, left, stand);
        let (id, name, after) = (manned.id.clone(), manned.name.clone(), manned.stance());
        let text = format!("{} sends a stand to the guns: {name}, ready after the coming turn.", table[ix].name);
        table.insert(manned);
        play.tell(ARTY_48, Fact::Formed { unit: id, after }, sentence(text));
    }
}

/// The stand of a regiment that is nearest to guns.
fn nearest_stand(field: &Field<'_>, ix: UnitIx, battery: &UnitId) -> Option<usize> {
    let guns = stand_of(field.table.abandoned.get(battery)?);
    let stands = field.stands(ix);
    let distance = |place: &usize| geometry::between_polygons(&stands[*place].corners, &guns.corners);
    (0..stands.len()).min_by_key(|place| (distance(place), *place))
}

/// ARTY-48 The unit that a stand becomes: one section, its men for losses, the regiment's quality.
fn manned(table: &Table, regiment: &Unit, battery: &UnitId, left: AbandonedGuns, stand: Stand) -> Unit {
    let name = format!("{} (guns of {})", regiment.name, name_of(table, battery));
    let (full, figures) = (stand.full, stand.figures);
    let footing =
        crate::battle::Footing { formation: Formation::Unlimbered, disorder: false, prone: false, ..left.footing };
    Unit {
        id: free_name(table, battery),
        name,
        arm: Arm::Artillery,
        weapon: left.weapon,
        brigade: None,
        bmp: regiment.bmp,
        stands: vec![Stand { figures, full, loss_rank: 0 }],
        stands_at_start: 1,
        figures_at_start: full,
        stand_width: left.stand_width,
        stand_depth: left.stand_depth,
        last_formed: Formation::Unlimbered,
        footing,
        mounted: false,
        guns: Some(Guns { unmanned: false, horses: 0, horse_lost_in: None, manned: Some(left.sections), ..left.guns }),
        sharpshooters: None,
        column: None,
        ammunition_out_since: None,
        opening_volley_used: true,
        carried: Carried { stand_of: Some(regiment.id.clone()), silent_turns: GETTING_READY, ..Carried::default() },
        marks: TurnMarks { in_command: true, ..TurnMarks::default() },
        ..regiment.clone()
    }
}

/// A name that nobody has, from that of the battery.
fn free_name(table: &Table, battery: &UnitId) -> UnitId {
    let mut name = format!("{battery}_manned");
    while table.find(&UnitId::new(&name)).is_some() {
        name.push_str("_again");
    }
    UnitId::new(&name)
}

// ---------------------------------------------------------------------------------------------- horses

/// ARTY-40 Why a battery may not be told to lend a horse to another.
pub(crate) fn why_not_lend(field: &Field<'_>, ix: UnitIx, to: &UnitId) -> Option<(RuleId, String)> {
    let why = |text: &str| Some((ARTY_40, text.to_owned()));
    let unit = field.unit(ix);
    let full = field.rules.scale.horses_per_battery.unsigned_abs();
    if unit.guns.as_ref().is_none_or(|guns| guns.horses < full) {
        return why("has no horse to lend: only a battery with both has");
    }
    let borrower = field.table.find(to).filter(|other| *other != ix && field.unit(*other).side == unit.side);
    let Some(borrower) = borrower.filter(|other| field.unit(*other).on_table() && field.unit(*other).guns.is_some())
    else {
        return why("can lend a horse to a battery of its own side only");
    };
    if field.unit(borrower).guns.as_ref().is_some_and(|guns| 0 < guns.horses) {
        return why("can lend a horse only to a battery that has none left");
    }
    if !field.within(ix, borrower, ADJACENT) {
        return why("must stand within an inch of the battery to which it lends a horse");
    }
    None
}

/// ARTY-40 At the end of phase 8 horses pass on between batteries that stood beside each other all turn and did nothing.
pub(crate) fn lend_horses(play: &mut Play<'_>) {
    let lenders: Vec<(UnitIx, UnitId)> = {
        let units = play.table().units().filter(|(_, unit)| unit.arm == Arm::Artillery);
        let told = units.filter_map(|(ix, _)| match play.order(ix) {
            Order::Hold { task: Some(HoldTask::LendHorse { to }) } => Some((ix, to)),
            _ => None,
        });
        told.collect()
    };
    for (lender, to) in lenders {
        let Some(borrower) =
            play.table().find(&to).filter(|borrower| stood_by(play, lender) && stood_by(play, *borrower))
        else {
            continue;
        };
        let possible = {
            let field = Field::new(play.rules, play.table(), play.dice);
            why_not_lend(&field, lender, &to).is_none()
        };
        if !possible {
            continue;
        }
        let turn = play.table().turn;
        let table = play.table_mut();
        for (ix, more) in [(lender, false), (borrower, true)] {
            if let Some(guns) = &mut table[ix].guns {
                guns.horses = if more { guns.horses + 1 } else { guns.horses.saturating_sub(1) };
                // RALLY-26 Each may roll for the other horse in the turn that follows.
                guns.horse_lost_in = Some(turn);
            }
        }
        let text = format!("{} lends a horse to {}.", table[lender].name, table[borrower].name);
        let fact = Fact::Special { unit: Some(to) };
        play.tell(ARTY_40, fact, sentence(text));
    }
}

/// ARTY-40 On HOLD all turn: no fire, no pivot, no move, no horse hit, not charged.
fn stood_by(play: &Play<'_>, ix: UnitIx) -> bool {
    let unit = &play.table()[ix];
    let marks = &unit.marks;
    let hit = unit.guns.as_ref().is_none_or(|guns| guns.horse_lost_in == Some(play.table().turn));
    matches!(play.order(ix), Order::Hold { .. })
        && has_stayed(unit)
        && !hit
        && marks.fires == 0
        && !marks.pivoted
        && !marks.conditional_hold
        && marks.charged_by.is_none()
}
