//! The defender wins: the attacker recoils, its supports crowd behind it, and both sides fire one volley. IDD-11 to IDD-16
//!
//! Owns how far the beaten attacker goes back and who fires then. The defender stays where it is.

use protocol::event::Fact;

use super::{Clash, Engaged, settle};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{IDD_11, IDD_12};
use crate::column;
use crate::dice::{Purpose, throw};
use crate::explain::{called, named, sentence};
use crate::field::Field;
use crate::fire::{self, NoFire, Shot};
use crate::hidden;
use crate::morale::driven::drive;
use crate::morale::flight::{self, Mover};
use crate::morale::reference::Reference;
use crate::play::Play;
use crate::ruleset::Inches;

/// IDD-11 to IDD-16 Plays the recoil to its end; the charge is over.
pub(super) fn recoil(play: &mut Play<'_>, clash: &Clash, engaged: &mut Engaged) {
    fall_back(play, clash);
    let shots = end_volleys(play, clash);
    let happenings = fire::shoot(play, shots);
    settle(play, happenings, &clash.in_charge(&engaged.units), engaged);
}

/// IDD-11, IDD-12 The point goes back by the dice, straight along the ray and facing the enemy; its supports with it.
fn fall_back(play: &mut Play<'_>, clash: &Clash) {
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, play.dice);
    let point = clash.attacker.unit;
    let movers = movers(play, &field, clash);
    let placed = hidden::flee(play, &field, &movers, flight::place_behind);
    drive(play, &field, &movers, &placed, |mover, placed| {
        let (name, inches) = (named(&field.unit(mover.unit).name), Inches(placed.travel));
        if mover.unit == point {
            let mut told = sentence(format!("{name} recoils {inches} inches, in disorder."));
            told.dice.clone_from(&mover.dice);
            return (IDD_11, told);
        }
        let with = called(&field.unit(point).name);
        (IDD_12, sentence(format!("{name} crowds behind {with}, {inches} inches back, in disorder.")))
    });
}

/// The point first, then its supports, the nearest first. The point faces the enemy; all are in disorder. A brigade column goes as
/// one. TAC-32
fn movers(play: &Play<'_>, field: &Field<'_>, clash: &Clash) -> Vec<Mover> {
    let point = field.unit(clash.attacker.unit);
    let table = &play.rules.impact;
    let count = if point.mounted { table.cavalry_attacker_recoil_dice } else { table.infantry_attacker_recoil_dice };
    let key = [point.id.as_str()];
    let first = play.thrown(Purpose::ImpactAttackerFallback, &key) + 1;
    let count = u32::try_from(count).unwrap_or(1);
    let dice = throw(play.dice, play.phase, Purpose::ImpactAttackerFallback, &key, first, count);
    let pips: i32 = dice.faces.iter().map(|face| i32::from(*face)).sum();
    let ahead = clash.bearing();
    let mover = |ix: UnitIx, body: Unit| Mover {
        unit: ix,
        from: column::stands_of(field.table, field.unit(ix)),
        tail: column::stands_behind(field.table, &body),
        body: in_disorder(body),
        bearing: ahead.reversed(),
        distance: Inches::whole(pips).thousandths(),
        reference: Reference { enemy: Some(clash.defender.unit), away: ahead.reversed() },
        dice: if ix == clash.attacker.unit { vec![dice.clone()] } else { Vec::new() },
        runs: false,
        foes: clash.defender.units().flat_map(|ix| column::members(field.table, ix)).collect(),
    };
    let supports = clash.attacker.supports.iter().filter(|ix| field.unit(**ix).on_table());
    let supports = supports.map(|ix| mover(*ix, field.unit(*ix).clone()));
    let turned = match point.leads_column() {
        true => column::turned(field.table, point, ahead),
        false => flight::turned(point, ahead),
    };
    std::iter::once(mover(clash.attacker.unit, turned)).chain(supports).collect()
}

fn in_disorder(mut body: Unit) -> Unit {
    body.footing.disorder = true;
    body
}

/// IDD-13, IDD-14 The volleys of point and defender at each other; the point's supports share its losses.
fn end_volleys(play: &mut Play<'_>, clash: &Clash) -> Vec<Shot> {
    let (attacker, defender) = (clash.attacker.unit, clash.defender.unit);
    let mut shots = Vec::new();
    for (firer, target, sharing) in
        [(defender, attacker, clash.attacker.supports.as_slice()), (attacker, defender, &[])]
    {
        match fire::end_volley(play, firer, target) {
            Ok(shot) => shots.push(Shot { supports: sharing.to_vec(), ..shot }),
            Err(reason) => tell_silent(play, firer, &reason),
        }
    }
    shots
}

fn tell_silent(play: &mut Play<'_>, firer: UnitIx, reason: &NoFire) {
    let (id, side, name) = (play.table()[firer].id.clone(), play.table()[firer].side, &play.table()[firer].name);
    let text = format!("{} does not fire: {}.", named(name), reason.text);
    play.tell_side(side, reason.rule, Fact::FireWithheld { unit: id }, sentence(text));
}
