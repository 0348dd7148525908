//! Phase 5: disengagements. DIS-01 to DIS-06, ARTY-46
//!
//! Owns who goes, the dice of the bonus and what is told. Whither a unit goes and what blocks it stands in
//! [`crate::movement`], which also moves all of them in the same segments.

use protocol::event::{Dice as DiceShown, Fact};
use protocol::orders::Order;

use crate::catalogue::{ARTY_46, DIS_02, DIS_03, DIS_05, DIS_06, DIS_14, MOVE_01};
use crate::charge::pace::Pace;
use crate::column;
use crate::dice::Purpose;
use crate::explain::{Explain, Reckoning, called, named, sentence};
use crate::field::Field;
use crate::fire;
use crate::hidden;
use crate::morale::consequence::fall_into_disorder;
use crate::movement::{self, Withdrawal, withdrawal};
use crate::play::Play;
use crate::rout;

/// Who goes, and with what.
struct Leaver {
    leg: Withdrawal,
    pace: Pace,
    /// The dice of its bonus, and what they give, thousandths of an inch.
    bonus: Option<(DiceShown, i32)>,
    abandons: bool,
}

/// Plays phase 5: all legs are planned on one look at the table, then all units go together. Nothing fires, so nothing is left to
/// be settled.
pub fn play(play: &mut Play<'_>) {
    let leavers = leavers(play);
    let pickets = hidden::begin_leaving(play);
    if leavers.is_empty() && pickets.is_empty() {
        return;
    }
    for leaver in &leavers {
        tell(play, leaver);
    }
    for leaver in &leavers {
        set_out(play, leaver);
    }
    let legs: Vec<Withdrawal> = leavers.into_iter().map(|leaver| leaver.leg).collect();
    movement::play_withdrawals(play, &legs, pickets);
    play.segment = None;
}

/// DIS-01 The units marked DISENGAGE that are still able to go: not routed, nor driven back by first fires.
fn leavers(play: &Play<'_>) -> Vec<Leaver> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut leavers = Vec::new();
    // TAC-28 A column goes as its lead does.
    for (ix, unit) in field.table.units().filter(|(_, unit)| !unit.follows_in_column()) {
        let Order::Disengage { abandon_guns } = play.order(ix) else { continue };
        if !unit.is_unrouted() || unit.marks.order_spent || unit.marks.fell_back {
            continue;
        }
        let body = withdrawal::leaver(&field, ix, abandon_guns);
        let Some(pace) = withdrawal::pace(&field, ix, &body) else { continue };
        let bonus = withdrawal::has_bonus(unit, &body).then(|| pace.throw(play, Purpose::DisengageBonus, ix));
        let total = pace.rate + bonus.as_ref().map_or(0, |(_, bonus)| *bonus);
        let toward = play.choice(ix, None, |said| said.disengage_toward.clone().map(Some)).0;
        let ties = Some((play.dice, play.phase));
        let leg = withdrawal::plan(&field, ix, &body, (pace, total), toward.as_ref(), ties);
        leavers.push(Leaver { leg, pace, bonus, abandons: withdrawal::abandons(unit, abandon_guns) });
    }
    leavers
}

/// DIS-02 Tells how far a unit must go, and from whom.
fn tell(play: &mut Play<'_>, leaver: &Leaver) {
    let Leaver { leg, pace, bonus, abandons } = leaver;
    let mut total = Reckoning::of("total distance");
    total.add(MOVE_01, "normal move, thousandths of an inch", pace.rate);
    total.add_if(bonus.is_some(), DIS_02, "bonus", bonus.as_ref().map_or(0, |(_, bonus)| *bonus));
    let unit = &play.table()[leg.unit];
    let from = leg.from.map(|enemy| play.table()[enemy].id.clone());
    let whence = leg
        .from
        .map_or_else(|| "to its rear".to_owned(), |enemy| format!("away from {}", called(&play.table()[enemy].name)));
    let text = format!("{} turns its back and goes {whence}, {} in all.", named(&unit.name), pace.told(total.total()));
    let mut told = sentence(text).with_sum(&total);
    if let Some((dice, _)) = bonus {
        told = told.with_dice(dice.clone());
    } else if unit.carried.disengage_turns != 0 {
        told = told.with_note(DIS_14, "in the second turn running there is no bonus");
    }
    if *abandons {
        told = told.with_note(ARTY_46, "the gunners leave their guns");
    }
    if let Some(why) = leg.stopped_by {
        told = told.with_note(DIS_05, format!("its leg ends after {}: {why}", fire::inches(leg.travel)));
    }
    let fact = Fact::Disengages {
        unit: unit.id.clone(),
        from,
        bearing: leg.bearing,
        total: u32::try_from(total.total()).unwrap_or(0),
    };
    play.tell(DIS_03, fact, told);
}

/// DIS-06, ARTY-46 It is in disorder from the moment it starts; gunners who leave their guns are a unit of their own.
fn set_out(play: &mut Play<'_>, leaver: &Leaver) {
    let ix = leaver.leg.unit;
    if leaver.abandons {
        let guns = rout::abandoned(&play.table()[ix]).map(|guns| (play.table()[ix].id.clone(), guns));
        play.table_mut().abandoned.extend(guns);
        let crew = &leaver.leg.body;
        let unit = &mut play.table_mut()[ix];
        unit.arm = crew.arm;
        unit.guns.clone_from(&crew.guns);
        unit.weapon.clone_from(&crew.weapon);
        unit.mounted = crew.mounted;
        (unit.stand_width, unit.stand_depth) = (crew.stand_width, crew.stand_depth);
        unit.footing.formation = crew.footing.formation;
    }
    for regiment in column::members(play.table(), ix) {
        play.table_mut()[regiment].marks.bonus_taken |= leaver.bonus.is_some();
    }
    if leaver.leg.body.footing.disorder {
        fall_into_disorder(play, ix, DIS_06);
    }
}
