//! The way: from where a unit stands to where it belongs, in the order of one turn.
//!
//! A line has to keep its front within 45 degrees of its way (MV-17), so it wheels, faces about, backs or
//! re-forms first. A march column is fast and helpless, so it is for roads and far away. Nobody ends in a
//! friend's place (MV-29), and nobody who is barred from advancing comes nearer to any enemy (ORD-09).

use protocol::orders::{FormTask, MoveOrder, Order, Stop, Wheel};
use protocol::place::{Bearing, Point};
use protocol::words::{Arm, Flank, Formation};

use crate::geometry::{Footprint, Vector, degrees_between, degrees_turned, turned};
use crate::ground::{Gait, Terrain};
use crate::plan::orders::Room;
use crate::plan::roles::{Post, Role};
use crate::plan::situation::{Body, Situation, keeps_front};

/// An order with what it is thought to lead to.
pub(super) struct March {
    pub(super) order: Order,
    pub(super) stop: Option<Stop>,
    /// Where the unit would stand.
    pub(super) end: Footprint,
}

/// Beyond this distance of any enemy, inches, a march column is safe from muskets for a turn.
const SAFE_FOR_COLUMNS: f64 = 15.0;
/// The last steps are not worth an order.
const NEAR_ENOUGH: f64 = 0.8;
/// Front and way may differ so much before it matters, degrees.
const FACING_SLACK: f64 = 35.0;

/// The order that brings a unit nearer to its post; nothing when it is there, or cannot go.
pub(super) fn march(situation: &Situation<'_>, body: &Body, post: &Post, room: &Room) -> Option<March> {
    let taken = &room.taken;
    let distance = body.anchor.distance(post.at);
    let column = body.formation == Formation::MarchColumn;
    if distance <= NEAR_ENOUGH && column {
        return Some(form(body, Formation::SingleLine, post.facing));
    }
    if distance <= NEAR_ENOUGH {
        return turn_to(situation, body, post.facing);
    }
    if column && must_deploy(situation, body, distance) {
        return Some(deploy(situation, body, post, taken));
    }
    if !column && wants_column(situation, body, distance) {
        return into_column(situation, body, post, taken);
    }
    step_off(situation, body, post, room)
}

/// The march in from a door, toward the post, as it stands there; nothing where it may as well go straight on. SCN-11
pub(super) fn from_the_door(situation: &Situation<'_>, body: &Body, post: &Post, taken: &[Footprint]) -> Option<March> {
    let gait = body.gait();
    let avoid: Vec<(Vector, f64)> = situation.threats().map(|enemy| (enemy.middle(), 8.0)).collect();
    let way = situation.ground.way(gait, body.anchor, post.at, &avoid);
    let first = way.get(1)?.minus(body.anchor).bearing();
    if !body.turns_freely() && !keeps_front(body.facing, first) {
        return None;
    }
    let (path, end) = trimmed(situation, body, gait, &way, body.rate * 0.98, taken);
    if path.is_empty() {
        return None;
    }
    let order = MoveOrder { path, ..MoveOrder::default() };
    Some(March { order: Order::Move(order), stop: Some(Stop::Before { distance: 12_500 }), end })
}

/// Turns a unit on its place to a bearing, if it is worth it: a wheel for a little, re-forming for much.
pub(super) fn turn_to(situation: &Situation<'_>, body: &Body, facing: Bearing) -> Option<March> {
    if degrees_between(body.facing, facing) <= FACING_SLACK || body.turns_freely() {
        return None;
    }
    let angle = degrees_turned(body.facing, facing);
    let wanted = (angle.abs() - 10.0).min(89.0);
    let pace = situation.ground.pace(Gait::Line, body.anchor);
    let affordable = wheel_cost(body, wanted) <= body.rate * pace && !body.disorder;
    // A wheel swings an end forward: not into the enemy, and not when barred from going nearer.
    let room = situation.nearest_threat(body).is_none_or(|(_, distance)| 2.0 + body.footprint.width() < distance);
    if affordable && room && situation.may_advance(body) {
        let wheel = wheel(body, angle.signum() * wanted, false);
        let order = MoveOrder { wheel: Some(wheel), ..MoveOrder::default() };
        return Some(March { order: Order::Move(order), stop: None, end: body.footprint });
    }
    Some(form(body, body.formation, facing))
}

/// Broken ranks that stood in a crowd last turn had no room to form: they go back a little first.
pub(super) fn out_of_the_press(situation: &Situation<'_>, body: &Body, taken: &[Footprint]) -> Option<March> {
    let crowded = taken.iter().any(|place| place.distance(&body.footprint) <= 0.3);
    if !body.stood || !crowded {
        return None;
    }
    let back = situation.threatened_from(body.anchor).times(-3.0);
    [back, back.plus(back.right()), back.minus(back.right()), back.right(), back.right().times(-1.0)]
        .into_iter()
        .map(|by| trimmed(situation, body, Gait::Line, &[body.anchor, body.anchor.plus(by)], body.rate, taken))
        .find(|(path, _)| !path.is_empty())
        .map(|(path, end)| {
            let order = MoveOrder { path, ..MoveOrder::default() };
            March { order: Order::Move(order), stop: None, end }
        })
}

/// Changes formation or facing on the spot.
pub(super) fn form(body: &Body, formation: Formation, facing: Bearing) -> March {
    let task = FormTask::Formation { formation, facing: Some(facing), pivot: None, gap: None };
    March { order: Order::Form { task }, stop: None, end: body.footprint }
}

/// A wheel by so many degrees, clockwise positive: the end on the inner side stands still. MV-20
fn wheel(body: &Body, degrees: f64, last: bool) -> Wheel {
    let pivot = if 0.0 < degrees { Flank::Right } else { Flank::Left };
    Wheel { pivot, facing: turned(body.facing, degrees), last }
}

/// Where a wheel brings the anchor. MV-19
fn wheeled(body: &Body, wheel: &Wheel) -> Vector {
    let pivot = body.footprint.corners[if wheel.pivot == Flank::Right { 1 } else { 0 }];
    let ahead = Vector::along(wheel.facing);
    let half = body.footprint.width() / 2.0;
    pivot.plus(ahead.right().times(if wheel.pivot == Flank::Right { -half } else { half }))
}

/// The legs of a path up to the first that would break the ranks of a line. MV-17
fn with_front_kept(start: Vector, front: Bearing, path: Vec<Point>) -> Vec<Point> {
    let mut here = start;
    let kept = path.into_iter().take_while(|point| {
        let leg = Vector::from(*point).minus(here);
        here = Vector::from(*point);
        leg.length() < 0.01 || degrees_between(front, leg.bearing()) <= 44.5
    });
    kept.collect()
}

/// The chord that the outer end walks. MV-19
fn wheel_cost(body: &Body, degrees: f64) -> f64 {
    2.0 * body.footprint.width() * (degrees.abs().to_radians() / 2.0).sin()
}

fn danger(situation: &Situation<'_>, body: &Body) -> f64 {
    situation.nearest_threat(body).map_or(f64::INFINITY, |(_, distance)| distance)
}

/// Far from the enemy and far from its place: then two turns of marching are saved by a column.
fn wants_column(situation: &Situation<'_>, body: &Body, distance: f64) -> bool {
    let foot_or_horse = matches!(body.arm, Arm::Infantry | Arm::Cavalry);
    foot_or_horse
        && body.formation == Formation::SingleLine
        && !body.disorder
        && 2.5 * body.rate < distance
        && SAFE_FOR_COLUMNS + body.rate * 1.5 < danger(situation, body)
}

fn must_deploy(situation: &Situation<'_>, body: &Body, distance: f64) -> bool {
    danger(situation, body) < SAFE_FOR_COLUMNS || distance <= body.rate * 0.6
}

/// Line into column toward the way; drilled troops march off in the same turn.
fn into_column(situation: &Situation<'_>, body: &Body, post: &Post, taken: &[Footprint]) -> Option<March> {
    let way = situation.ground.way(Gait::Column, body.anchor, post.at, &[]);
    let bearing = way.get(1)?.minus(body.anchor).bearing();
    let task = FormTask::Formation { formation: Formation::MarchColumn, facing: Some(bearing), pivot: None, gap: None };
    let slow = matches!(situation.ground.terrain(body.anchor), Terrain::Woods | Terrain::Rough);
    if slow || !body.is_drilled() {
        return Some(March { order: Order::Form { task }, stop: None, end: body.footprint });
    }
    // Half of the turn is spent on forming; a column covers ten inches where a line covers six.
    let budget = body.rate * 10.0 / 6.0 * 0.5;
    let (path, end) = trimmed(situation, body, Gait::Column, &way, budget, taken);
    if path.is_empty() {
        return Some(March { order: Order::Form { task }, stop: None, end: body.footprint });
    }
    let order = MoveOrder { path, form_first: Some(task), ..MoveOrder::default() };
    Some(March { order: Order::Move(order), stop: Some(Stop::Before { distance: 12_500 }), end })
}

/// Column into line before the enemy is near; drilled troops use the other half of the turn to march.
fn deploy(situation: &Situation<'_>, body: &Body, post: &Post, taken: &[Footprint]) -> March {
    let facing = situation.threatened_from(body.anchor).bearing();
    let slow = matches!(situation.ground.terrain(body.anchor), Terrain::Woods | Terrain::Rough);
    let near = danger(situation, body) < 8.0;
    if slow || near || !body.is_drilled() {
        return form(body, Formation::SingleLine, facing);
    }
    let way = situation.ground.way(Gait::Column, body.anchor, post.at, &[]);
    let (path, end) = trimmed(situation, body, Gait::Column, &way, body.rate * 0.4, taken);
    if path.is_empty() {
        return form(body, Formation::SingleLine, facing);
    }
    let task = FormTask::Formation { formation: Formation::SingleLine, facing: Some(facing), pivot: None, gap: None };
    let order = MoveOrder { path, form_last: Some(task), ..MoveOrder::default() };
    March { order: Order::Move(order), stop: Some(Stop::Before { distance: 7_000 }), end }
}

/// An ordinary march in the present formation.
fn step_off(situation: &Situation<'_>, body: &Body, post: &Post, room: &Room) -> Option<March> {
    let taken = &room.taken;
    let gait = body.gait();
    let avoid = to_avoid(situation, body, post, &room.staying);
    let mut way = situation.ground.way(gait, body.anchor, post.at, &avoid);
    let leg = way.get(1)?.minus(body.anchor);
    let bearing = leg.bearing();
    let mut order = MoveOrder::default();
    let mut budget = body.rate;
    let mut facing = body.facing;
    if !body.turns_freely() && !keeps_front(body.facing, bearing) {
        let angle = degrees_turned(body.facing, bearing);
        let pace = situation.ground.pace(gait, body.anchor).max(0.05);
        let behind = 135.0 <= angle.abs();
        let lines = matches!(body.formation, Formation::SingleLine | Formation::DoubleLine | Formation::ExtendedLine);
        let seen_near = danger(situation, body) < 13.0;
        let wheel_by = angle.abs() - 40.0;
        let wheel_inches = wheel_cost(body, wheel_by) / pace;
        if behind && lines && !body.disorder && (seen_near || leg.length() < 3.5) {
            // Never show them the back; it costs two inches for one. MV-22
            order.backing = true;
            budget *= 0.5;
        } else if behind && lines && !body.disorder {
            order.about_face = true;
            budget -= 1.0;
            facing = facing.reversed();
        } else if !behind && wheel_by <= 45.0 && wheel_inches < budget * 0.6 && !body.disorder {
            let wheel = wheel(body, angle.signum() * wheel_by, false);
            facing = wheel.facing;
            order.wheel = Some(wheel);
            budget -= wheel_inches;
        } else if angle.abs() <= 80.0 {
            // As far off its front as a line may go: slower than straight, faster than re-forming.
            let oblique = Vector::along(turned(body.facing, angle.signum() * 43.0));
            way = vec![body.anchor, body.anchor.plus(oblique.times(oblique.dot(leg).max(0.0)))];
        } else {
            return re_form_toward(situation, body, &way, bearing, taken, post);
        }
    }
    let (mut path, mut end) = trimmed(situation, body, gait, &way, budget, taken);
    if let Some(wheel) = order.wheel.filter(|_| !path.is_empty()) {
        // The wheel carries the anchor along: the legs begin where it ends.
        let shift = wheeled(body, &wheel).minus(body.anchor);
        path = path.iter().map(|point| Point::from(Vector::from(*point).plus(shift))).collect();
        end = end.moved(shift);
    }
    if !body.turns_freely() {
        let start = order.wheel.map_or(body.anchor, |wheel| wheeled(body, &wheel));
        let front = if order.backing { facing.reversed() } else { facing };
        path = with_front_kept(start, front, path);
    }
    if path.is_empty() {
        return turn_to(situation, body, post.facing);
    }
    // Arriving, with something left: front toward the enemy.
    let arrives = path.last().is_some_and(|last| Vector::from(*last).distance(post.at) < NEAR_ENOUGH);
    let off = degrees_turned(facing, post.facing);
    let left = budget - body.anchor.distance(post.at) / situation.ground.pace(gait, post.at).max(0.05);
    let closing_wheel = arrives && order.wheel.is_none() && !order.backing && !body.turns_freely();
    if closing_wheel && 20.0 < off.abs() && off.abs() < 80.0 && wheel_cost(body, off) < left * 0.9 {
        order.wheel = Some(Wheel { facing: turned(facing, off), ..wheel(body, off, true) });
    }
    order.path = path;
    Some(March { order: Order::Move(order), stop: stop(situation, body, post), end })
}

/// Fronts the way first: drilled troops march with the rest of the turn, others next turn.
fn re_form_toward(
    situation: &Situation<'_>,
    body: &Body,
    way: &[Vector],
    bearing: Bearing,
    taken: &[Footprint],
    post: &Post,
) -> Option<March> {
    let slow = matches!(situation.ground.terrain(body.anchor), Terrain::Woods | Terrain::Rough);
    // While the day is long nobody shows muskets a flank for the sake of ground that nobody takes.
    let can_wait = matches!(post.role, Role::Hold | Role::Support | Role::Claim) && 6 < situation.turns_left;
    let in_range = if can_wait { 12.5 } else { 9.0 };
    let near = danger(situation, body) < in_range && post.role != Role::Withdraw;
    // Turning a flank to a near enemy in order to march costs more than the march is worth.
    let shows_flank = near && 60.0 < degrees_between(bearing, situation.threatened_from(body.anchor).bearing());
    if shows_flank {
        return None;
    }
    let task = FormTask::Formation { formation: body.formation, facing: Some(bearing), pivot: None, gap: None };
    if slow || body.disorder || !body.is_drilled() {
        return Some(March { order: Order::Form { task }, stop: None, end: body.footprint });
    }
    let (path, end) = trimmed(situation, body, body.gait(), way, body.rate * 0.45, taken);
    if path.is_empty() {
        return Some(March { order: Order::Form { task }, stop: None, end: body.footprint });
    }
    let order = MoveOrder { path, form_first: Some(task), ..MoveOrder::default() };
    Some(March { order: Order::Move(order), stop: stop(situation, body, post), end })
}

/// When to stop of one's own accord: attackers at their distance, everybody else out of close range.
fn stop(situation: &Situation<'_>, body: &Body, post: &Post) -> Option<Stop> {
    let distance = danger(situation, body);
    if distance.is_infinite() {
        return Some(Stop::BeforeClose {});
    }
    let wanted = if post.waits { 12.5 } else { post.standoff };
    if matches!(post.role, Role::Withdraw | Role::Claim) {
        return None;
    }
    // Who is nearer already would not take a step: let the path alone decide.
    (wanted < distance).then_some(Stop::Before { distance: (wanted * 1000.0) as u32 })
}

/// What a way goes around: friends who stay, and for those who do not attack, enemies.
fn to_avoid(situation: &Situation<'_>, body: &Body, post: &Post, taken: &[Footprint]) -> Vec<(Vector, f64)> {
    let mut avoid: Vec<(Vector, f64)> = taken
        .iter()
        .filter(|place| {
            let middle = place.middle();
            1.0 < middle.distance(body.middle()) && 2.0 < middle.distance(post.at)
        })
        .map(|place| (place.middle(), 1.6))
        .collect();
    if !matches!(post.role, Role::Attack | Role::Claim) {
        avoid.extend(situation.threats().map(|enemy| (enemy.middle(), 5.0)));
    }
    avoid
}

/// Cuts a way to what the turn allows: budget, table, barred advance, other units' places.
/// Gives the waypoints without the start, none for a step too small, and the place of the unit then.
pub(super) fn trimmed(
    situation: &Situation<'_>,
    body: &Body,
    gait: Gait,
    way: &[Vector],
    budget: f64,
    taken: &[Footprint],
) -> (Vec<Point>, Footprint) {
    let nothing = (Vec::new(), body.footprint);
    let mut path = situation.ground.reach(gait, way, budget);
    for place in &mut path {
        *place = situation.ground.clamped(*place, 0.8);
    }
    if let Some(first) = path.first_mut() {
        *first = body.anchor;
    }
    if !situation.may_advance(body) {
        path = without_advance(situation, body, &path);
    }
    // Whom it touches already it may go on touching: it has to get away somehow.
    let taken: Vec<&Footprint> = taken.iter().filter(|place| 0.05 < place.distance(&body.footprint)).collect();
    // Back along the path until the unit would stand clear of its friends.
    while let Some(&last) = path.last() {
        if path.len() < 2 {
            return nothing;
        }
        let end = body.footprint.moved(last.minus(body.anchor));
        let before = path[path.len() - 2];
        let clear = taken.iter().all(|place| 0.05 < place.distance(&end));
        if clear {
            if last.distance(body.anchor) < 0.4 {
                return nothing;
            }
            return (path[1..].iter().copied().map(Point::from).collect(), end);
        }
        let leg = last.distance(before);
        let index = path.len() - 1;
        if leg <= 0.5 {
            path.pop();
        } else {
            path[index] = last.toward(before, 0.5 / leg);
        }
    }
    nothing
}

/// The part of a path on which a unit comes no nearer to any enemy than the nearest one is now. SHK-07, ORD-09
fn without_advance(situation: &Situation<'_>, body: &Body, path: &[Vector]) -> Vec<Vector> {
    const STEP: f64 = 0.25;
    let nearest = danger(situation, body);
    if nearest.is_infinite() {
        return path.to_vec();
    }
    let allowed = |place: Vector| {
        let there = body.footprint.moved(place.minus(body.anchor));
        situation.threats().all(|enemy| nearest <= there.distance(&enemy.footprint) + 1e-6)
    };
    let mut kept: Vec<Vector> = path.first().copied().into_iter().collect();
    for pair in path.windows(2) {
        let steps = (pair[0].distance(pair[1]) / STEP).ceil().max(1.0);
        for step in 1..=steps as u32 {
            if !allowed(pair[0].toward(pair[1], f64::from(step) / steps)) {
                // A hair before the last allowed place: the server measures finer.
                let last = pair[0].toward(pair[1], ((f64::from(step) - 1.5) / steps).max(0.0));
                kept.push(last);
                return kept;
            }
        }
        kept.push(pair[1]);
    }
    kept
}
