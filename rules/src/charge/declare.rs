//! From orders to a list of charges: targets that are declared, roles, groups. REV-03, CHG-06 to CHG-17, ALG-CHARGE 1 to 4
//!
//! Owns whom a charge is made at and who goes in with whom. It never moves anybody.

use std::collections::BTreeMap;

use protocol::event::{Morale, OrderShown};
use protocol::ids::{FeatureId, UnitId};
use protocol::orders::{Order, Role};

use super::threat::{self, Threat, Ties, Why, is_disengaging};
use super::{Group, objective};
use crate::battle::{Unit, UnitIx};
use crate::column;
use crate::dice::{Purpose, break_tie};
use crate::field::Field;
use crate::play::Play;

/// REV-03, ALG-CHARGE 1 What a unit that is to charge shows: the most threatening enemy within reach; else its feature of the
/// ground; else the most threatening one at any distance. None: there is nobody to charge at, and its order is void.
pub fn declaration(
    field: &Field<'_>,
    ix: UnitIx,
    wish: Option<&UnitId>,
    feature: Option<&FeatureId>,
    ties: Ties<'_>,
) -> Option<OrderShown> {
    let target = match threat::declared(field, ix, wish, ties) {
        Some(enemy) => Some(enemy),
        None if feature.and_then(|feature| objective::nearest(field, ix, feature)).is_some() => None,
        None => Some(threat::most_threatening(field, ix, Why::Charge { reach: None }, ties)?),
    };
    Some(OrderShown::Charge { target: target.map(|enemy| field.unit(enemy).id.clone()), support_of: None })
}

/// CHG-15 to CHG-17 Whom each charging unit supports, by what was said and shown; a support whose point does not charge, is
/// itself a support or stands too far off makes a charge of its own.
pub fn roles(play: &Play<'_>) -> BTreeMap<UnitIx, Option<UnitIx>> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let chargers: Vec<UnitIx> = field.table.units().filter(|(_, unit)| is_to_charge(unit)).map(|(ix, _)| ix).collect();
    let mut wishes: BTreeMap<UnitIx, Option<UnitIx>> = chargers.iter().map(|ix| (*ix, wish(play, *ix))).collect();
    for (ix, point) in grouped(play, &field, &chargers) {
        wishes.insert(ix, Some(point));
    }
    let limit = field.rules.charge.support_start_distance.thousandths();
    let fits = |ix: UnitIx, point: UnitIx| {
        let leads = wishes.get(&point).is_some_and(Option::is_none);
        let alike = field.unit(ix).mounted == field.unit(point).mounted;
        // TAC-35 A brigade column is a point and supports nobody.
        let may = !field.unit(ix).leads_column();
        may && leads && alike && ix != point && threat::distance(&field, ix, point).within(limit)
    };
    wishes.iter().map(|(ix, wished)| (*ix, wished.filter(|point| fits(*ix, *point)))).collect()
}

/// CHG-15 The unit that a charger is told to support.
fn wish(play: &Play<'_>, ix: UnitIx) -> Option<UnitIx> {
    let ordered = match play.order(ix) {
        Order::Charge { support_of, .. } => support_of,
        _ => None,
    };
    let told = play.choice(ix, None, |said| said.role.clone().map(Some)).0;
    let of = match told {
        Some(Role::Point {}) => None,
        Some(Role::Support { of }) => Some(of),
        None => ordered,
    };
    let side = play.table()[ix].side;
    let point = of.and_then(|of| play.table().find(&of)).map(|of| column::lead_of(play.table(), of));
    point.filter(|point| play.table()[*point].side == side)
}

/// CHG-15 Under one group order without roles chargers with one declared target go together: the nearest is the point, those
/// within six inches of it its supports, the rest are grouped again in the same way.
fn grouped(play: &Play<'_>, field: &Field<'_>, chargers: &[UnitIx]) -> Vec<(UnitIx, UnitIx)> {
    let limit = field.rules.charge.support_start_distance.thousandths();
    let mut groups: BTreeMap<(UnitId, String), Vec<UnitIx>> = BTreeMap::new();
    for ix in chargers {
        let unit = field.unit(*ix);
        let orders = play.battle.secrets.get(unit.side).open().orders.get(&unit.id);
        let by_group = orders.is_some_and(|orders| orders.by_group) && wish(play, *ix).is_none();
        if let (Some(target), Some(brigade), true) = (declared_target(unit), &unit.brigade, by_group) {
            groups.entry((target.clone(), brigade.to_string())).or_default().push(*ix);
        }
    }
    let mut supports = Vec::new();
    for ((target, _), members) in groups {
        let Some(target) = field.table.find(&target) else { continue };
        let mut left = members;
        while let Some(point) = nearest(play, field, &left, target) {
            left.retain(|ix| *ix != point);
            let (with, rest) = left.into_iter().partition(|ix| threat::distance(field, *ix, point).within(limit));
            supports.extend::<Vec<_>>(Vec::from_iter(with).into_iter().map(|ix: UnitIx| (ix, point)).collect());
            left = rest;
        }
    }
    supports
}

/// The unit nearest to a target, level ones by their dice. CHG-02
fn nearest(play: &Play<'_>, field: &Field<'_>, among: &[UnitIx], target: UnitIx) -> Option<UnitIx> {
    let distance = |ix: UnitIx| threat::distance(field, ix, target).rounded();
    let least = among.iter().map(|ix| distance(*ix)).min()?;
    let level: Vec<UnitIx> = among.iter().copied().filter(|ix| distance(*ix) == least).collect();
    first_by_dice(play, field, &level)
}

/// TURN-05 The first of level charges.
fn first_by_dice(play: &Play<'_>, field: &Field<'_>, level: &[UnitIx]) -> Option<UnitIx> {
    let keys: Vec<Vec<&str>> = level.iter().map(|ix| vec![field.unit(*ix).id.as_str()]).collect();
    let order = break_tie(play.dice, play.phase, Purpose::TieChargeOrder, &keys).order;
    order.first().map(|place| level[*place])
}

/// A unit that was shown to charge and has neither done so nor lost its order; of a brigade column its lead alone. TAC-28
pub fn is_to_charge(unit: &Unit) -> bool {
    matches!(unit.marks.shown, Some(OrderShown::Charge { .. }))
        && !unit.follows_in_column()
        && unit.on_table()
        && unit.morale == Morale::Good
        && !unit.marks.order_spent
        && !unit.marks.conditional_hold
        && !unit.marks.fell_back
        && !unit.marks.beaten
        && !unit.marks.in_melee
}

/// The target that a unit declared.
pub fn declared_target(unit: &Unit) -> Option<&UnitId> {
    match &unit.marks.shown {
        Some(OrderShown::Charge { target, .. }) => target.as_ref(),
        _ => None,
    }
}

/// ALG-CHARGE 3 The charges of the phase, point by point. A group without its point takes a new one. CHG-45
pub fn list(play: &Play<'_>) -> Vec<Group> {
    let table = play.table();
    let chargers = || table.units().filter(|(_, unit)| is_to_charge(unit)).map(|(ix, _)| ix);
    let mut groups: BTreeMap<UnitIx, Group> = BTreeMap::new();
    let mut orphans: BTreeMap<UnitIx, Vec<UnitIx>> = BTreeMap::new();
    for ix in chargers() {
        match support_of(play, ix) {
            None => {
                let target = declared_target(&table[ix]).and_then(|target| table.find(target));
                groups.entry(ix).or_insert_with(|| Group { point: ix, supports: Vec::new(), target }).target = target;
            }
            Some(point) if is_to_charge(&table[point]) => {
                groups
                    .entry(point)
                    .or_insert_with(|| Group { point, supports: Vec::new(), target: None })
                    .supports
                    .push(ix);
            }
            Some(point) => orphans.entry(point).or_default().push(ix),
        }
    }
    let mut list: Vec<Group> = groups.into_values().collect();
    for (point, supports) in orphans {
        let target = declared_target(&table[point]).and_then(|target| table.find(target));
        list.extend(regroup(play, &supports, target));
    }
    list
}

fn support_of(play: &Play<'_>, ix: UnitIx) -> Option<UnitIx> {
    match &play.table()[ix].marks.shown {
        Some(OrderShown::Charge { support_of, .. }) => support_of.as_ref().and_then(|of| play.table().find(of)),
        _ => None,
    }
}

/// CHG-45 Supports that have lost their point: the one nearest the target becomes point, those too far from it points of their
/// own.
pub fn regroup(play: &Play<'_>, supports: &[UnitIx], target: Option<UnitIx>) -> Vec<Group> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let limit = field.rules.charge.support_start_distance.thousandths();
    let fit: Vec<UnitIx> = supports.iter().copied().filter(|ix| is_to_charge(field.unit(*ix))).collect();
    let own = |ix: UnitIx| declared_target(field.unit(ix)).and_then(|target| field.table.find(target));
    let point = match target.filter(|target| field.unit(*target).on_table()) {
        Some(target) => nearest(play, &field, &fit, target),
        None => first_by_dice(play, &field, &fit),
    };
    let Some(point) = point else { return Vec::new() };
    let rest = fit.into_iter().filter(|ix| *ix != point);
    let (with, alone): (Vec<_>, Vec<_>) = rest.partition(|ix| threat::distance(&field, *ix, point).within(limit));
    let mut groups = vec![Group { point, supports: with, target: target.or_else(|| own(point)) }];
    groups.extend(alone.into_iter().map(|point| Group { point, supports: Vec::new(), target: own(point) }));
    groups
}

/// CHG-13 The target of a charge as its turn comes: the declared one while it stands; else the most threatening enemy within
/// reach, the feature that was named, or the most threatening enemy of all; and how it was found. None: there is nothing to
/// charge at.
pub fn target_now(play: &Play<'_>, group: &Group) -> Option<(Option<UnitIx>, By)> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let point = group.point;
    let reach = threat::reach(&field, point);
    let stands = |target: &UnitIx| {
        let unit = field.unit(*target);
        let near = threat::distance(&field, point, *target).rounded() <= reach + crate::geometry::EPS;
        unit.on_table() && unit.is_unrouted() && (near || is_disengaging(unit))
    };
    if let Some(target) = group.target.filter(|target| field.unit(*target).on_table()).filter(stands) {
        return Some((Some(target), By::Declared));
    }
    let feature = match play.order(point) {
        Order::Charge { objective, .. } => objective,
        _ => None,
    };
    let feature = feature.and_then(|feature| objective::nearest(&field, point, &feature));
    if group.target.is_none() && feature.is_some() {
        return Some((None, By::Ground));
    }
    let ties = Some((play.dice, play.phase));
    let named = feature.is_some();
    let by = |threat: Threat| (Some(threat.enemy), if named { By::Ground } else { By::Threat(threat) });
    if let Some(threat) = threat::foremost(&field, point, Why::Charge { reach: Some(reach) }, ties) {
        return Some(by(threat));
    }
    if named {
        return Some((None, By::Ground));
    }
    threat::foremost(&field, point, Why::Charge { reach: None }, ties).map(by)
}

/// How the target of a charge was found. CHG-13
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// It stands as it was declared.
    Declared,
    /// Its owner named a feature of the ground, whatever came of it.
    Ground,
    /// It threatens most.
    Threat(Threat),
}

/// How far a charge is from its target, thousandths of an inch; from a feature of the ground as far as can be. CHG-02
pub(super) fn distance(field: &Field<'_>, point: UnitIx, target: Option<UnitIx>) -> i32 {
    target.map_or(i32::MAX, |target| threat::distance(field, point, target).rounded())
}

/// CHG-02 Which of the charges goes next: the one nearest to its target, level ones by their dice; so also of two points that have
/// each other as target, who make one entry. CHG-51
pub fn next(play: &Play<'_>, pending: &[Group], distance: impl Fn(&Group) -> i32) -> Option<usize> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let least = pending.iter().map(&distance).min()?;
    let level: Vec<UnitIx> = pending.iter().filter(|group| distance(group) == least).map(|group| group.point).collect();
    let point = if let [only] = level[..] { only } else { first_by_dice(play, &field, &level)? };
    pending.iter().position(|group| group.point == point)
}
