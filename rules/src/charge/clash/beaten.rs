//! The beaten are thrown back: how far, in what morale, and that their plan is over. IDD-17 to IDD-23, CC-19, CAVC-46, CAVC-47
//!
//! Owns the roll of the loser and of each of its supports. All of them are placed before anything else moves; what friends see of
//! it is settled then.

use protocol::event::{Dice as DiceShown, Explanation, Fact, Morale, OrderShown};
use protocol::place::Bearing;
use protocol::words::{Arm, Quality};

use super::{Clash, Engaged, Role, is_disengaging, settle, void_order};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{CAVC_46, CAVC_47, IDD_17, IDD_18, IDD_19, IDD_20, IDD_22, IDD_23, LEAD_02, RuleId, SHK_18};
use crate::column;
use crate::competence;
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, Reckoning, named, sentence};
use crate::field::Field;
use crate::ground::Footing;
use crate::hidden;
use crate::leaders;
use crate::morale::driven::drive;
use crate::morale::flight::{self, Mover};
use crate::morale::officer;
use crate::morale::reference::Reference;
use crate::play::Play;
use crate::rout::{self, Loss};
use crate::ruleset::{ByGround, Factor, Inches, Ruleset};
use crate::settle::Happening;

/// What becomes of one beaten unit.
struct Beaten {
    unit: UnitIx,
    dice: Vec<DiceShown>,
    /// The sum that gives its morale. IDD-18, CAVC-47
    result: Reckoning,
    rule: RuleId,
    /// Its morale then; none: it is broken up.
    after: Option<Morale>,
    distance: i32,
}

/// IDD-17 to IDD-23 Throws back one side of a clash, its supports with it.
pub(super) fn throw_back(play: &mut Play<'_>, clash: &Clash, loser: Role, engaged: &mut Engaged) {
    let losers: Vec<UnitIx> = clash.front(loser).units().filter(|ix| play.table()[*ix].on_table()).collect();
    let charge = clash.in_charge(&engaged.units);
    let batch: Vec<_> = losers.iter().map(|ix| (*ix, charge.help(*ix, &play.table()[*ix]))).collect();
    leaders::allot(play, &batch);
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, play.dice);
    let fates: Vec<Beaten> = losers.iter().map(|ix| roll(play, &field, clash, loser, *ix)).collect();
    go_back(play, &field, clash, loser, &fates);
    let happenings = fates.iter().filter_map(|beaten| suffer(play, &field, beaten)).collect();
    settle(play, happenings, &charge, engaged);
}

/// IDD-17, IDD-18, IDD-21 The roll of one of them, from its own place.
fn roll(play: &Play<'_>, field: &Field<'_>, clash: &Clash, loser: Role, ix: UnitIx) -> Beaten {
    let unit = field.unit(ix);
    let by_horse = is_beaten_by_horse(field, clash, loser, ix);
    let (count, factor) = distance_row(field, ix, by_horse);
    let key = [unit.id.as_str()];
    let first = play.thrown(Purpose::ImpactDefenderResult, &key) + 1;
    let dice = throw(play.dice, play.phase, Purpose::ImpactDefenderResult, &key, first, count);
    let pips: i32 = dice.faces.iter().map(|face| i32::from(*face)).sum();
    let distance = i32::try_from(factor.thousandths_of(pips)).unwrap_or(0);
    let charge = clash.in_charge(&std::collections::BTreeSet::new());
    if by_horse {
        let number = competence::number_to_beat(field, ix, officer::for_competence(field, ix));
        let first = play.thrown(Purpose::ImpactFootMorale, &key) + 1;
        let mut die = throw(play.dice, play.phase, Purpose::ImpactFootMorale, &key, first, 1);
        die.needed = Some(format!("above {}", number.total()));
        let face: i32 = die.faces.iter().map(|face| i32::from(*face)).sum();
        let after = Some(foot_morale(number.total(), face).max(unit.morale));
        return Beaten { unit: ix, dice: vec![dice, die], result: number, rule: CAVC_47, after, distance };
    }
    let has_officer = officer::present_in_charge(field, ix, &charge).is_some();
    let result = result(field.rules, unit.quality, has_officer, pips);
    let after = morale_by(field.rules, result.total(), unit.morale);
    Beaten { unit: ix, dice: vec![dice], result, rule: IDD_18, after, distance }
}

/// IDD-17 Whether foot was beaten by mounted cavalry, which has figures of its own.
pub(super) fn is_beaten_by_horse(field: &Field<'_>, clash: &Clash, loser: Role, ix: UnitIx) -> bool {
    let winner = field.unit(clash.front(loser.other()).unit);
    winner.arm == Arm::Cavalry && winner.mounted && !field.unit(ix).mounted
}

/// IDD-17, CAVC-46 How many dice, and how far a pip: by the ground where it stands, where a road is the ground beside it.
fn distance_row(field: &Field<'_>, ix: UnitIx, by_horse: bool) -> (u32, Factor) {
    let table = &field.rules.impact;
    let terrain = match field.footing(ix) {
        Footing::Ground(terrain) => terrain,
        Footing::Road => field.terrain(ix),
    };
    let dice = |count: i32| u32::try_from(count).unwrap_or(2);
    let factor = |row: &ByGround<Factor>| row.at(terrain);
    if by_horse {
        (dice(table.foot_beaten_by_horse_dice.at(terrain)), factor(&table.foot_beaten_by_horse_factor))
    } else if field.unit(ix).mounted {
        (dice(table.loser_fallback_dice), factor(&table.cavalry_loser_fallback_factor))
    } else {
        (dice(table.loser_fallback_dice), factor(&table.loser_fallback_factor))
    }
}

/// IDD-18 The throw with what its quality and an officer do to it.
pub(super) fn result(rules: &Ruleset, quality: Quality, has_officer: bool, thrown: i32) -> Reckoning {
    let table = &rules.impact;
    let mut result = Reckoning::of("morale of the beaten");
    result.add(IDD_18, "thrown", thrown);
    result.add(IDD_18, quality.to_string(), *table.loser_modifier_quality.at(quality));
    result.add_if(has_officer, LEAD_02, "officer present", table.loser_modifier_officer);
    let dice = table.loser_fallback_dice;
    result.clamped(IDD_18, dice, 6 * dice)
}

/// IDD-18, IDD-19 The worse of what the result gives and what it was; none: it is broken up.
pub(super) fn morale_by(rules: &Ruleset, result: i32, before: Morale) -> Option<Morale> {
    let table = &rules.impact;
    let after = match result {
        _ if result <= table.loser_good_up_to => Morale::Good,
        _ if result <= table.loser_shaken_up_to => Morale::Shaken,
        _ if result <= table.loser_routed_up_to => Morale::Routed,
        _ => return None,
    };
    Some(after.max(before))
}

/// CAVC-47 Foot beaten by horse is never better than shaken.
pub(super) fn foot_morale(to_beat: i32, face: i32) -> Morale {
    if to_beat < face { Morale::Shaken } else { Morale::Routed }
}

/// IDD-17, IDD-21, IDD-23 All of them go back together, in disorder; gunners without their guns.
fn go_back(play: &mut Play<'_>, field: &Field<'_>, clash: &Clash, loser: Role, fates: &[Beaten]) {
    let away = match loser {
        Role::Defender => clash.bearing(),
        Role::Attacker => clash.bearing().reversed(),
    };
    let winner = clash.front(loser.other());
    let mover = |beaten: &Beaten, after: Morale| {
        let body = body(field, field.unit(beaten.unit), away, after);
        Mover {
            unit: beaten.unit,
            from: field.stands(beaten.unit),
            body,
            bearing: away,
            distance: beaten.distance,
            reference: Reference { enemy: Some(winner.unit), away },
            dice: beaten.dice.clone(),
            runs: after == Morale::Routed,
            foes: winner.units().flat_map(|ix| column::members(field.table, ix)).collect(),
            tail: Vec::new(),
        }
    };
    let movers: Vec<Mover> = fates.iter().filter_map(|beaten| Some(mover(beaten, beaten.after?))).collect();
    let (dice, phase) = (play.dice, play.phase);
    let placed = hidden::flee(play, field, &movers, |field, movers| flight::place(field, dice, phase, movers));
    drive(play, field, &movers, &placed, |mover, placed| {
        let rule = if is_beaten_by_horse(field, clash, loser, mover.unit) { CAVC_46 } else { IDD_17 };
        let beaten = fates.iter().find(|beaten| beaten.unit == mover.unit);
        (rule, beaten.map(|beaten| words(field, beaten, placed.travel)).unwrap_or_default())
    });
}

/// IDD-17, ROUT-02, DIS-16 The beaten face the enemy, but for those who rout or were running already.
fn body(field: &Field<'_>, unit: &Unit, away: Bearing, after: Morale) -> Unit {
    let flees = after == Morale::Routed;
    let mut body = match flees || unit.arm == Arm::Artillery {
        true => rout::as_fugitive(field, unit),
        false => unit.clone(),
    };
    body.footing.disorder = true;
    body.footing.prone = false;
    let shows_its_back = flees || is_disengaging(unit);
    flight::turned(&body, if shows_its_back { away } else { away.reversed() })
}

fn words(field: &Field<'_>, beaten: &Beaten, travel: i32) -> Explanation {
    let unit = field.unit(beaten.unit);
    let state = match beaten.after {
        Some(Morale::Good) => "but keeps in good morale",
        Some(Morale::Shaken) => "and is shaken",
        Some(Morale::Routed) | None => "and is routed",
    };
    let name = named(&unit.name);
    let mut told = sentence(format!("{name} is thrown back {} inches in disorder, {state}.", Inches(travel)));
    told = told.with_sum(&beaten.result);
    told.dice.clone_from(&beaten.dice);
    if unit.morale != Morale::Good {
        told = told.with_note(IDD_19, "the worse of its state before and of the result");
    }
    match beaten.after {
        Some(Morale::Shaken) => told = told.with_note(SHK_18, "it falls back no further"),
        Some(Morale::Routed) => told = told.with_note(IDD_20, "it makes no run on top of it"),
        Some(Morale::Good) | None => {}
    }
    if unit.arm == Arm::Artillery {
        told = told.with_note(IDD_23, "the guns stay behind, abandoned");
    }
    told
}

/// IDD-18 to IDD-20, IDD-22 Its state afterwards; what its friends may see of it.
fn suffer(play: &mut Play<'_>, field: &Field<'_>, beaten: &Beaten) -> Option<Happening> {
    let before = field.unit(beaten.unit);
    let after = beaten.after.unwrap_or(Morale::Routed);
    let id = before.id.clone();
    void_order(play, beaten.unit, IDD_22);
    let unit = &mut play.table_mut()[beaten.unit];
    unit.morale = after;
    unit.marks.beaten = true;
    if after == Morale::Routed {
        unit.marks.conditional_hold = false;
        unit.marks.shown = Some(OrderShown::Routed {});
        unit.marks.routed_skirmishing = before.is_skirmishing();
    }
    if after != before.morale {
        let told = sentence(format!("{} is {}.", named(&before.name), state(beaten.after))).with_sum(&beaten.result);
        play.tell(beaten.rule, Fact::MoraleChanged { unit: id.clone(), before: before.morale, after }, told);
    }
    let parted = before.arm == Arm::Artillery;
    if beaten.after.is_none() {
        if let Some(guns) = rout::abandoned(before).filter(|_| parted) {
            play.table_mut().abandoned.insert(id, guns);
        }
        rout::lose(play, beaten.unit, IDD_18, Loss::PickedUp, beaten.dice.clone());
        return Some(if parted { Happening::LeftGuns(beaten.unit) } else { Happening::Removed(beaten.unit) });
    }
    let routs = after == Morale::Routed && before.is_unrouted();
    match (routs, before.arm) {
        (false, _) | (true, Arm::GunCrew) => None,
        (true, Arm::Artillery) => Some(Happening::LeftGuns(beaten.unit)),
        (true, _) => Some(Happening::Routed(beaten.unit)),
    }
}

const fn state(after: Option<Morale>) -> &'static str {
    match after {
        Some(Morale::Good) => "in good morale",
        Some(Morale::Shaken) => "shaken",
        Some(Morale::Routed) => "routed",
        None => "broken up",
    }
}
