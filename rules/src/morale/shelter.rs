//! RALLY-15 to RALLY-17 Behind friendlies: whether friends stand between a unit and its enemies.

use protocol::place::Point;

use crate::battle::{Unit, UnitIx};
use crate::field::Field;
use crate::geometry::{self, EPS, Extent, Rect, Vector};

/// RALLY-16 A friend counts to the front within this angle either side, hundredths of a degree.
const TO_THE_FRONT: u32 = 4_500;

/// RALLY-15 to RALLY-17 Whether a unit is behind friendlies. Enemies of `facing_it` (who fires at it, who charges it) count
/// as seen at any distance.
pub fn behind_friendlies(field: &Field, unit: UnitIx, facing_it: &[UnitIx]) -> bool {
    let limit = field.rules.rally.no_enemy_within.thousandths();
    let all = field.enemies_near(field.unit(unit).side, field.extent(unit), limit);
    let near = all.filter(|enemy| field.unit(*enemy).is_unrouted() && field.closer_than(unit, *enemy, limit));
    let facing_it = facing_it.iter().copied().filter(|enemy| field.unit(*enemy).on_table());
    let mut enemies = facing_it.chain(near.filter(|enemy| field.sees(unit, *enemy))).peekable();
    // They are asked for one by one: the first from whom nobody shelters it is enough.
    match enemies.peek() {
        None => has_friend_to_its_front(field, unit),
        Some(_) => is_screened(field, unit, &field.stands(unit), enemies, Unit::is_unrouted),
    }
}

/// RALLY-15 Whether, standing on `stands`, the unit has a friend that `counts` between itself and every one of `enemies`.
pub fn is_screened(
    field: &Field,
    unit: UnitIx,
    stands: &[Rect],
    mut enemies: impl Iterator<Item = UnitIx>,
    counts: impl Fn(&Unit) -> bool,
) -> bool {
    let zone = field.rules.rally.protection_zone.thousandths();
    let side = field.unit(unit).side;
    let centers: Vec<Point> = stands.iter().map(|stand| stand.center).collect();
    let Some(own) = geometry::mean(&centers) else {
        return false;
    };
    enemies.all(|enemy| {
        let enemy = field.center(enemy);
        let between = Extent::about(own, 0).with(Extent::about(enemy, 0));
        let mut near = field.near(between, zone).filter(|friend| *friend != unit && field.unit(*friend).side == side);
        near.any(|friend| counts(field.unit(friend)) && stands_between(field, friend, own, stands, enemy))
    })
}

/// RALLY-15 (a) and (b) for one friend and one enemy.
fn stands_between(field: &Field, friend: UnitIx, own: Point, stands: &[Rect], enemy: Point) -> bool {
    let toward = Vector::between(own, enemy);
    let ahead = |point: Point| toward.dot(Vector::between(own, point));
    let foremost = stands.iter().flat_map(|stand| stand.corners).map(ahead).max().unwrap_or(0);
    let tolerance = i64::from(EPS) * toward.length_squared().isqrt();
    let zone = field.rules.rally.protection_zone.thousandths();
    let theirs = field.layout(friend);
    let is_forward = theirs.rects().flat_map(|stand| stand.corners).all(|corner| foremost <= ahead(corner) + tolerance);
    is_forward
        && ahead(field.center(friend)) < toward.length_squared()
        && theirs.rects().any(|stand| geometry::segment_to_polygon(own, enemy, &stand.corners).within(zone))
}

/// RALLY-16 With no enemy near: an unrouted friend that it sees to its front. A routed unit has its back to the enemy.
fn has_friend_to_its_front(field: &Field, unit: UnitIx) -> bool {
    let looker = field.unit(unit);
    let front = if looker.is_unrouted() { looker.footing.facing } else { looker.footing.facing.reversed() };
    let limit = field.rules.rally.no_enemy_within.thousandths();
    let own = field.center(unit);
    field.near(field.extent(unit), limit).any(|friend| {
        let other = field.unit(friend);
        friend != unit
            && other.side == looker.side
            && other.is_unrouted()
            && geometry::in_arc(own, front, TO_THE_FRONT, field.center(friend))
            && field.within(unit, friend, limit)
            && field.sees(unit, friend)
    })
}
