//! Batteries that fire as one. ARTY-13, ARTY-16, ARTY-17, ARTY-21
//!
//! Owns which shots of a group are joined. What a joined shot rolls is [`super::lay`]'s.

use protocol::orders::GroupFire;
use protocol::words::Arm;

use super::lay::{Laid, lay};
use super::officers::Officers;
use super::wishes::Wishes;
use super::{Round, Seen, Shot};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{ARTY_19, FIRE_27, RuleId};
use crate::field::Field;
use crate::ground::Terrain;

/// ARTY-21 Joins the shots of linked batteries at one target that have the same dice, modifiers and class; the others stay as
/// they are. `wishes` holds what the owner of each battery said.
pub fn combine(field: &Field<'_>, shots: Vec<Shot>, wishes: &[(UnitIx, Wishes)]) -> Vec<Shot> {
    let joins = |shot: &Shot| {
        field.unit(shot.lead()).arm == Arm::Artillery
            && wishes.iter().any(|(unit, wish)| *unit == shot.lead() && wish.group == GroupFire::Battalion)
    };
    let (guns, mut combined): (Vec<Shot>, Vec<Shot>) = shots.into_iter().partition(joins);
    let mut laid: Vec<Laid> = Vec::new();
    for shot in guns {
        match lay(field, &shot, &Officers::Present) {
            Ok(mut reckoned) => {
                reckoned.shot.target = reckoned.aimed;
                laid.push(reckoned);
            }
            Err(_) => combined.push(shot),
        }
    }
    while let Some(first) = laid.pop() {
        let mut group = vec![first];
        // Links pass on from battery to battery, so go over the others until none joins.
        while let Some(place) = laid.iter().position(|other| {
            group.iter().any(|member| are_linked(field, member.shot.lead(), other.shot.lead()))
                && group.iter().all(|member| is_alike(member, other))
        }) {
            group.push(laid.swap_remove(place));
        }
        combined.extend(packed(field, group));
    }
    combined
}

/// Same target, round, dice, modifiers and class; an officer serves the group whole, so he makes no difference.
fn is_alike(one: &Laid, other: &Laid) -> bool {
    let without_officer = |laid: &Laid| -> Vec<(RuleId, i32)> {
        let terms = laid.modifiers.terms().iter().filter(|term| term.0 != ARTY_19 && term.0 != FIRE_27);
        terms.map(|term| (term.0, term.2)).collect()
    };
    one.shot.target == other.shot.target
        && one.shot.round == other.shot.round
        && one.shot.seen == Seen::Plainly
        && other.shot.seen == Seen::Plainly
        && one.shot.occasion == other.shot.occasion
        && one.dice.total() == other.dice.total()
        && one.flank == other.flank
        && without_officer(one) == without_officer(other)
        && (one.shot.round == Round::Plain || one.band == other.band)
}

/// ARTY-56 The ship on which a battery stands; guns of a ship fire as one with guns of the same ship alone.
fn ship_of(unit: &Unit) -> Option<&str> {
    unit.guns.as_ref()?.ship.as_deref()
}

/// ARTY-16 Any batteries within an inch; of one battalion within two, an inch if either is in woods or rough. ARTY-13
fn are_linked(field: &Field<'_>, one: UnitIx, other: UnitIx) -> bool {
    let rules = &field.rules.gun_rules;
    let (first, second) = (field.unit(one), field.unit(other));
    if first.side != second.side || ship_of(first) != ship_of(second) {
        return false;
    }
    field.within(one, other, rules.sections_join_distance.thousandths()) || are_of_one_battalion(field, one, other)
}

/// ARTY-13 Two batteries of one organised battalion, with a gap that does not part them.
pub(crate) fn are_of_one_battalion(field: &Field<'_>, one: UnitIx, other: UnitIx) -> bool {
    let (first, second) = (field.unit(one), field.unit(other));
    let organised = first.brigade.is_some()
        && first.brigade == second.brigade
        && field.table.brigade_of(first).is_some_and(|brigade| brigade.guns);
    let ground: Terrain = field.terrain(one).max(field.terrain(other));
    organised && field.within(one, other, field.rules.gun_rules.battalion_gap.at(ground).thousandths())
}

/// ARTY-17 Whole batteries, sixteen sections at most: nearest the target first, or the largest first if that makes fewer.
fn packed(field: &Field<'_>, group: Vec<Laid>) -> Vec<Shot> {
    let most = field.rules.gun_rules.sections_max_per_fire;
    let sections = |laid: &Laid| i32::try_from(field.unit(laid.shot.lead()).sections(field.rules)).unwrap_or(0);
    let mut by_range = group.clone();
    by_range.sort_by(|one, other| one.range.cmp(&other.range).then(one.shot.lead().cmp(&other.shot.lead())));
    let mut by_size = by_range.clone();
    by_size.sort_by_key(|laid| -sections(laid));
    let pack = |ordered: Vec<Laid>| {
        let mut shots: Vec<(i32, Shot)> = Vec::new();
        for laid in ordered {
            let adds = sections(&laid);
            match shots.last_mut() {
                Some((sum, shot)) if *sum + adds <= most => {
                    *sum += adds;
                    shot.firers.extend(laid.shot.firers);
                }
                _ => shots.push((adds, laid.shot)),
            }
        }
        shots
    };
    let (near, large) = (pack(by_range), first_fit(field, by_size, most));
    let chosen = if large.len() < near.len() { large } else { near };
    chosen.into_iter().map(|(_, shot)| sorted(shot)).collect()
}

/// The largest first, each into the first group that has room.
fn first_fit(field: &Field<'_>, ordered: Vec<Laid>, most: i32) -> Vec<(i32, Shot)> {
    let mut shots: Vec<(i32, Shot)> = Vec::new();
    for laid in ordered {
        let adds = i32::try_from(field.unit(laid.shot.lead()).sections(field.rules)).unwrap_or(0);
        match shots.iter_mut().find(|(sum, _)| *sum + adds <= most) {
            Some((sum, shot)) => {
                *sum += adds;
                shot.firers.extend(laid.shot.firers);
            }
            None => shots.push((adds, laid.shot)),
        }
    }
    shots
}

fn sorted(mut shot: Shot) -> Shot {
    shot.firers.sort_by_key(|firer| firer.unit);
    shot
}
