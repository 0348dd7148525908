//! Contact: what stands against what, for the clash to settle. ALG-CHARGE 11, CHG-20 to CHG-22, IDD-07
//!
//! Owns the making of a [`Clash`]: fit supports of both sides, the aspect, who charges. What comes of it is [`super::clash`]'s.

use std::collections::BTreeSet;

use protocol::event::{Fact, FlankClass};

use super::Charges;
use super::clash::{self, Clash, Ending, Front};
use super::columns::extent_of;
use super::run::{Run, is_fit, nearest_first};
use super::threat::distance;
use crate::battle::UnitIx;
use crate::catalogue::CHG_52;
use crate::column;
use crate::dice::{Purpose, break_tie};
use crate::explain::{called, named, sentence};
use crate::field::Field;
use crate::fire;
use crate::geometry;
use crate::play::Play;

/// ALG-CHARGE 11 A charge strikes a unit where it stands.
pub fn standing(play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run, enemy: UnitIx, forming: bool) -> Ending {
    let (aspect, supports) = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let supports = clash::supports_of_defence(&field, enemy, &charges.targets());
        (clash::aspect(&field, run.point, enemy), supports)
    };
    let defender = Front { unit: enemy, supports, charging: false, elan: false, forming };
    resolve(play, charges, run, defender, aspect)
}

/// ALG-CHARGE 10 Two that charge meet.
pub fn meeting(play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run, other: &Run) -> Ending {
    let supports = other.supports.iter().copied().filter(|ix| is_fit(&play.table()[*ix])).collect();
    let defender = Front { unit: other.point, supports, charging: true, elan: other.elan, forming: other.forming };
    resolve(play, charges, run, defender, FlankClass::Front)
}

fn resolve(
    play: &mut Play<'_>,
    charges: &mut Charges<'_>,
    run: &mut Run,
    defender: Front,
    aspect: FlankClass,
) -> Ending {
    let mut supports: Vec<UnitIx> = run.supports.iter().copied().filter(|ix| is_fit(&play.table()[*ix])).collect();
    nearest_first(play, run.point, &mut supports);
    let attacker = Front { unit: run.point, supports, charging: true, elan: run.elan, forming: false };
    let (unit, target) = (&play.table()[run.point], &play.table()[defender.unit]);
    let text = format!("{} strikes {}.", named(&unit.name), called(&target.name));
    let fact = Fact::Contact { unit: unit.id.clone(), target: target.id.clone(), flank: aspect };
    play.tell(CHG_52, fact, sentence(text));
    let clash = Clash { attacker, defender, ray: geometry::forward(run.bearing), aspect };
    // IDD-25 A victor that catches up with those whom it has beaten fights them at once.
    let caught = run.beaten.contains(&clash.defender.unit);
    let struck: Vec<UnitIx> = clash.defender.units().flat_map(|ix| column::members(play.table(), ix)).collect();
    let ending = charges.settle_contact(play, &clash, caught);
    if ending == Ending::Broken {
        run.beaten.extend(struck);
    }
    run.show(play);
    ending
}

/// ALG-CHARGE 18 Enemies still in contact when all charges are over fight hand to hand, pairs in the order of their dice.
pub(super) fn still_touching(play: &mut Play<'_>, charges: &mut Charges<'_>) {
    while let Some((attacker, defender)) = touching(play) {
        let front = |unit: UnitIx| Front { unit, supports: Vec::new(), charging: false, elan: false, forming: false };
        let ray = {
            let field = Field::new(play.rules, play.table(), play.dice);
            let bearing = geometry::bearing_between(field.center(attacker), field.center(defender));
            geometry::forward(bearing.unwrap_or(field.unit(attacker).footing.facing))
        };
        let clash = Clash { attacker: front(attacker), defender: front(defender), ray, aspect: FlankClass::Front };
        charges.settle_contact(play, &clash, true);
        for ix in [attacker, defender] {
            play.table_mut()[ix].marks.in_melee = true;
        }
    }
}

/// The first of the pairs that touch: one of them charged this turn, and they have not fought it out.
fn touching(play: &Play<'_>) -> Option<(UnitIx, UnitIx)> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let chargers = field.table.units().filter(|(_, unit)| unit.marks.charged && unit.is_unrouted());
    let mut pairs: Vec<(UnitIx, UnitIx)> = Vec::new();
    for (ix, unit) in chargers {
        // TAC-35 Of a column its lead is asked, whichever regiment of it stands there.
        let near = field.enemies_near(unit.side, extent_of(&field, ix), geometry::EPS);
        let near: BTreeSet<UnitIx> = near.map(|enemy| column::lead_of(field.table, enemy)).collect();
        let enemies = near.into_iter().map(|enemy| (enemy, field.unit(enemy))).filter(|(enemy, other)| {
            let fought = unit.marks.in_melee && other.marks.in_melee;
            let is_one = !other.follows_in_column();
            is_one
                && other.is_unrouted()
                && !fought
                && fire::is_target(&field, *enemy)
                && distance(&field, ix, *enemy).within(0)
        });
        pairs.extend(enemies.map(|(enemy, _)| (ix, enemy)));
    }
    let name = |ix: &UnitIx| field.unit(*ix).id.as_str();
    let keys: Vec<Vec<&str>> = pairs.iter().map(|(one, other)| vec![name(one), name(other)]).collect();
    let order = break_tie(play.dice, play.phase, Purpose::TieChargeOrder, &keys).order;
    order.first().map(|place| pairs[*place])
}
