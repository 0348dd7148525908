//! Roles: which objective each unit works for, and where in the line it belongs.
//!
//! Three ideas. First, points decide the battle, so strength goes where it buys most points: each unit in turn
//! joins the objective at which it adds most, less the more is there already, less the longer the way. Second,
//! troops for one objective stand in one line, side by side without gaps or crowding, with supports behind, since
//! a line covers its own flanks and a support makes rallies possible. Third, a line is laid on the best ground
//! near its task: cover, height, a clear field of fire; and what stands well is not moved for a small gain, since
//! troops that march do not fire.

use std::collections::BTreeMap;

use protocol::event::Morale;
use protocol::ids::UnitId;
use protocol::place::Bearing;

use crate::chance::Chance;
use crate::geometry::{Vector, turned};
use crate::plan::Memory;
use crate::plan::attack;
use crate::plan::claims;
use crate::plan::exchange;
use crate::plan::horse;
use crate::plan::situation::{Body, Objective, REGIMENT, Situation, fades};

/// What a unit is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// In the line that keeps an objective.
    Hold,
    /// In the line that goes for an objective.
    Attack,
    /// Behind a line, to fill its gaps and steady it.
    Support,
    /// Onto ground that nobody keeps.
    Claim,
    /// Out of the fight.
    Withdraw,
    /// A battery, where it has a field of fire.
    Guns,
}

/// A unit's task and place.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    /// Its role.
    pub role: Role,
    /// Where its anchor belongs, inches.
    pub at: Vector,
    /// Where its front belongs.
    pub facing: Bearing,
    /// How near to an enemy it goes by itself, inches.
    pub standoff: f64,
    /// The objective it works for.
    pub objective: Option<String>,
    /// The defender whom its line goes for.
    pub against: Option<UnitId>,
    /// Set while it has to wait for the rest of its line, outside of the enemy's range.
    pub waits: bool,
}

/// Room between neighbours of a line, inches: they do not get into each other's way, and nobody slips through.
const GAP: f64 = 0.35;
/// Distance of the supports behind their line, inches: near enough to count as behind friends, out of most fire.
const SUPPORT_DISTANCE: f64 = 2.5;

/// Gives every unit of this player its post.
pub(crate) fn assign(situation: &Situation<'_>, memory: &Memory, chance: &mut Chance) -> BTreeMap<UnitId, Post> {
    let mut posts = BTreeMap::new();
    let aims = aims(situation, memory);
    let boldness = chance.between(0.9, 1.15);
    let mut groups: Vec<Vec<&Body>> = vec![Vec::new(); aims.len()];
    for (body, aim) in share_out(situation, memory, &aims) {
        groups[aim].push(body);
    }
    for (aim, group) in aims.iter().zip(&groups) {
        if !group.is_empty() {
            posts.extend(lay_line(situation, memory, aim, group, boldness));
        }
    }
    claims::stake(situation, &mut posts);
    for body in situation.own.iter().filter(|body| body.mine) {
        if must_leave(situation, body) {
            posts.insert(body.id.clone(), rear_post(situation, body));
        }
    }
    posts
}

/// Routed brigades' troops, and shaken ones that are shot at, go where they can come to themselves.
fn must_leave(situation: &Situation<'_>, body: &Body) -> bool {
    let near = situation.nearest_threat(body).is_some_and(|(_, distance)| distance <= body.ranges[1].max(4.0) + 1.0);
    body.withdraws || (body.morale == Morale::Shaken && near && body.makes_lines())
}

/// Back from the enemy, to the best cover within a short march.
fn rear_post(situation: &Situation<'_>, body: &Body) -> Post {
    let away = situation.threatened_from(body.middle()).times(-1.0);
    let far = if body.withdraws { 12.0 } else { 5.0 };
    let mut best = (f64::NEG_INFINITY, body.anchor);
    for inches in [far, far * 0.6] {
        for lean in [-0.5, -0.25, 0.0, 0.25, 0.5] {
            let place = body.anchor.plus(away.plus(away.right().times(lean)).unit().times(inches));
            let place = situation.ground.clamped(place, 1.5);
            let cover = situation.ground.cover(place, place.minus(away.times(6.0)));
            let clear = situation.distance_to_threats(place).min(20.0);
            let seen = exchange::exposure(situation, body, place, false);
            let score = cover + clear * 0.4 - lean.abs() - seen * 2.0;
            if best.0 < score {
                best = (score, place);
            }
        }
    }
    Post {
        role: Role::Withdraw,
        at: best.1,
        facing: body.facing,
        standoff: 8.0,
        objective: None,
        against: None,
        waits: false,
    }
}

/// An objective with what is to be done about it.
#[derive(Clone, Debug)]
pub(super) struct Aim {
    pub(super) place: Objective,
    hold: bool,
    /// Strength that does the job.
    need: f64,
    /// Points, weighed by how much they matter now.
    worth: f64,
}

fn aims(situation: &Situation<'_>, memory: &Memory) -> Vec<Aim> {
    let mut aims: Vec<Aim> = situation.objectives.iter().map(|place| aim(situation, place)).collect();
    if aims.is_empty() {
        aims.push(open_field(situation));
    }
    concentrate(situation, memory, &mut aims);
    aims
}

/// One attack at a time: an army that goes for everything takes nothing. The one that is worth most for what it
/// costs is chosen, and kept from turn to turn unless another is clearly better.
fn concentrate(situation: &Situation<'_>, memory: &Memory, aims: &mut [Aim]) {
    let here = centre(situation.own.iter().filter(|body| body.mine));
    let promise = |aim: &Aim| {
        let near = here.map_or(1.0, |here| fades(aim.place.distance(here), 15.0));
        let committed = memory.posts.values().filter(|post| post.role == Role::Attack);
        let same = committed.filter(|post| post.objective.as_deref() == Some(aim.place.id.as_str())).count();
        aim.worth / (aim.need + REGIMENT) * near * if 0 < same { 1.5 } else { 1.0 }
    };
    let attacks = aims.iter().enumerate().filter(|(_, aim)| !aim.hold);
    let best = attacks.max_by(|one, other| promise(one.1).total_cmp(&promise(other.1))).map(|(index, _)| index);
    for (index, aim) in aims.iter_mut().enumerate() {
        if !aim.hold && Some(index) != best {
            // What nobody stands on is walked onto by the way.
            let free = situation.threats().all(|enemy| 2.0 < aim.place.distance(enemy.middle()));
            aim.worth *= if free { 0.6 } else { 0.15 };
        }
    }
}

fn aim(situation: &Situation<'_>, place: &Objective) -> Aim {
    let hold = place.with != Some(situation.side.enemy()) && !place.contested;
    // An attack wants more than the defender has; a garrison can do with less, since ground helps it.
    let need = if hold { place.menace * 0.8 } else { place.menace * 1.5 };
    // What is held is already counted as won; what the enemy has is wanted badly only when points are short.
    let worth = match (hold, situation.must_attack) {
        (true, _) => (place.points + 0.5) * if place.menace < 1.0 { 0.5 } else { 1.0 },
        (false, true) => (place.points + 0.5) * 1.4,
        (false, false) => (place.points + 0.5) * 0.35,
    };
    Aim { place: place.clone(), hold, need: need.max(REGIMENT), worth }
}

/// Without objectives the enemy himself is the objective, for the stronger; the weaker stands where he is.
fn open_field(situation: &Situation<'_>) -> Aim {
    let total = |bodies: &[Body]| -> f64 { bodies.iter().map(|body| body.strength).sum() };
    let (own, enemy) = (total(&situation.own), total(&situation.enemies));
    let stronger = enemy * 1.1 < own && 0.0 < enemy;
    let middle = if stronger { centre(situation.threats()) } else { centre(situation.own.iter()) };
    let middle = middle.unwrap_or(Vector::new(situation.ground.width / 2.0, situation.ground.height / 2.0));
    let place = Objective {
        id: String::new(),
        outline: None,
        middle,
        points: 1.0,
        held_by: None,
        with: None,
        contested: false,
        menace: enemy,
    };
    Aim { place, hold: !stronger, need: enemy.max(REGIMENT), worth: 1.0 }
}

/// The middle of some bodies.
pub(crate) fn centre<'b>(bodies: impl Iterator<Item = &'b Body>) -> Option<Vector> {
    let (sum, count) =
        bodies.fold((Vector::default(), 0.0), |(sum, count), body| (sum.plus(body.middle()), count + 1.0));
    (0.0 < count).then(|| sum.times(1.0 / count))
}

/// Each unit joins the objective where it adds most; the pair that adds most of all is settled first.
fn share_out<'s>(situation: &'s Situation<'_>, memory: &Memory, aims: &[Aim]) -> Vec<(&'s Body, usize)> {
    let mut free: Vec<&Body> =
        situation.own.iter().filter(|body| body.mine && body.makes_lines() && body.morale != Morale::Routed).collect();
    // Other seats' troops count where they stand.
    let mut there: Vec<f64> = aims
        .iter()
        .map(|aim| {
            let others = situation.own.iter().filter(|body| !body.mine && body.makes_lines());
            others.map(|body| body.strength * fades(aim.place.distance(body.middle()), 5.0)).sum()
        })
        .collect();
    let enough = |strength: f64, need: f64| 1.0 - (-strength / need).exp();
    // How well a unit fits an objective never changes while the rest is shared out.
    let fits: BTreeMap<&UnitId, Vec<f64>> = free
        .iter()
        .map(|body| (&body.id, aims.iter().map(|aim| fit(situation, memory, body, aim)).collect()))
        .collect();
    let mut shares = Vec::new();
    while !free.is_empty() {
        let mut best = (f64::NEG_INFINITY, 0, 0);
        for (index, body) in free.iter().enumerate() {
            for (aim_index, aim) in aims.iter().enumerate() {
                let strength = body.strength.max(1.0);
                let more = enough(there[aim_index] + strength, aim.need) - enough(there[aim_index], aim.need);
                let gain = aim.worth * more * fits[&body.id][aim_index];
                if best.0 < gain {
                    best = (gain, index, aim_index);
                }
            }
        }
        let (_, index, aim_index) = best;
        let body = free.remove(index);
        there[aim_index] += body.strength.max(1.0);
        shares.push((body, aim_index));
    }
    shares
}

/// Near is better, one's own brigade's task is better, and yesterday's task is better than a new one.
fn fit(situation: &Situation<'_>, memory: &Memory, body: &Body, aim: &Aim) -> f64 {
    let distance = aim.place.distance(body.anchor);
    let cost = if distance < 0.1 { 0.0 } else { situation.ground.cost(body.gait(), body.anchor, aim.place.middle) };
    let turns = (cost.min(200.0) / body.rate.max(1.0)).min(30.0) * (distance / (distance + aim.place.reach() + 0.1));
    let near = fades(turns, 2.5);
    let late = if f64::from(situation.turns_left) < turns { 0.3 } else { 1.0 };
    let before = memory.posts.get(&body.id).and_then(|post| post.objective.as_deref());
    let same = if before == Some(aim.place.id.as_str()) { 1.6 } else { 1.0 };
    // A brigade in pieces is out of command: comrades near the objective draw.
    let comrades = situation.own.iter().filter(|other| other.brigade == body.brigade && other.id != body.id);
    let (near_by, all) = comrades
        .fold((0.0, 0.0), |(near, all), other| (near + fades(aim.place.distance(other.middle()), 6.0), all + 1.0));
    let together = if all == 0.0 { 1.0 } else { 0.8 + 0.4 * near_by / all };
    near * late * same * together
}

/// A line of slots.
pub(super) struct Line {
    pub(super) middle: Vector,
    pub(super) ahead: Vector,
    pub(super) standoff: f64,
    /// The defender it goes for.
    pub(super) against: Option<UnitId>,
}

/// Lays the line of one objective and puts each unit into it.
fn lay_line(
    situation: &Situation<'_>,
    memory: &Memory,
    aim: &Aim,
    group: &[&Body],
    boldness: f64,
) -> Vec<(UnitId, Post)> {
    let (mut front, behind) = front_and_supports(situation, memory, group);
    let defenders: Vec<&Body> = situation.threats().filter(|enemy| aim.place.distance(enemy.middle()) <= 7.0).collect();
    // An objective that the enemy has left is simply walked onto.
    let held = defenders.iter().any(|enemy| aim.place.distance(enemy.middle()) <= 3.0);
    let attack = !aim.hold && held && defenders.iter().any(|enemy| enemy.morale == Morale::Good);
    let role = if aim.hold { Role::Hold } else { Role::Attack };
    let mut stayers = Vec::new();
    let line = if attack {
        attack::line(situation, memory, aim, &front, &defenders, boldness)
    } else {
        if let Some(posts) = as_they_stand(situation, aim, &front, &behind, role) {
            return posts;
        }
        // Who is in the fight for the objective already stays in it, whatever line the others make.
        let fights = |body: &&Body| {
            let near = situation.nearest_threat(body).is_some_and(|(_, distance)| distance <= 9.0);
            near && aim.place.distance(body.middle()) <= belongs_within(situation, aim)
        };
        (stayers, front) = front.iter().copied().partition(fights);
        let width: f64 = front.iter().map(|body| line_width(body) + GAP).sum();
        holding_line(situation, aim, &front, &stayers, width)
    };
    let mut posts = Vec::new();
    let facing = line.ahead.bearing();
    let right = line.ahead.right();
    let row = |units: &[&Body], back: f64, role: Role, posts: &mut Vec<(UnitId, Post)>| {
        let mut ordered: Vec<&Body> = units.to_vec();
        ordered.sort_by(|one, other| {
            let across = |body: &Body| body.anchor.minus(line.middle).dot(right);
            across(one).total_cmp(&across(other)).then_with(|| one.id.cmp(&other.id))
        });
        let length: f64 = ordered.iter().map(|body| line_width(body) + GAP).sum();
        let mut left = -length / 2.0;
        for body in ordered {
            let width = line_width(body) + GAP;
            let at = line.middle.plus(right.times(left + width / 2.0)).minus(line.ahead.times(back));
            left += width;
            let at = situation.ground.clamped(at, 1.0);
            let at = if attack { kept_off(situation, at, line.ahead, line.standoff) } else { at };
            let objective = Some(aim.place.id.clone());
            let standoff = if role == Role::Support { line.standoff + 2.0 } else { line.standoff };
            let against = line.against.clone();
            let post = Post { role, at, facing, standoff, objective, against, waits: false };
            posts.push((body.id.clone(), post));
        }
    };
    for body in &stayers {
        posts.push((body.id.clone(), as_it_stands(situation, aim, body, role, body.anchor)));
    }
    row(&front, 0.0, role, &mut posts);
    let (riders, behind): (Vec<&Body>, Vec<&Body>) = behind.into_iter().partition(|body| body.is_mounted());
    row(&behind, SUPPORT_DISTANCE, Role::Support, &mut posts);
    let width: f64 = front.iter().map(|body| line_width(body) + GAP).sum();
    let ends = [-width / 2.0, width / 2.0].map(|across| line.middle.plus(right.times(across)));
    posts.extend(horse::on_the_flanks(situation, &aim.place.id, &riders, ends, line.ahead));
    if attack {
        attack::keep_together(situation, group, &mut posts);
    }
    posts
}

/// Sound units make the line; shaken, spent and surplus ones stand behind it.
fn front_and_supports<'s>(
    situation: &Situation<'_>,
    memory: &Memory,
    group: &[&'s Body],
) -> (Vec<&'s Body>, Vec<&'s Body>) {
    let mut ordered = group.to_vec();
    let worth = |body: &Body| {
        let near = situation.nearest_threat(body).map_or(0.0, |(_, distance)| fades(distance, 6.0));
        let fit = body.morale == Morale::Good && !body.withdraws;
        let worn = if body.spent { 8.0 } else { 0.0 } + if body.ammunition_out { 6.0 } else { 0.0 };
        // Lines that change places pass through each other, and fall into disorder.
        let habit = match memory.posts.get(&body.id).map(|post| post.role) {
            Some(Role::Support) => -8.0,
            Some(Role::Attack | Role::Hold) => 8.0,
            _ => 0.0,
        };
        // Horse waits behind the line, where a charge finds it fresh.
        let horse = if body.is_mounted() { 50.0 } else { 0.0 };
        (if fit { 100.0 } else { 0.0 }) + body.strength - worn + 10.0 * near + habit - horse
    };
    ordered.sort_by(|one, other| worth(other).total_cmp(&worth(one)).then_with(|| one.id.cmp(&other.id)));
    // One in four stays behind from five on: enough to fill a gap, not so many that the line is thin.
    let able = ordered.iter().filter(|body| body.morale == Morale::Good && !body.withdraws).count();
    let front = if able < 5 { able } else { able - able / 4 };
    let behind = ordered.split_off(front.max(usize::from(able == 0)).min(ordered.len()));
    (ordered, behind)
}

/// The width that a unit takes in a line, whatever its formation now.
fn line_width(body: &Body) -> f64 {
    let width = body.footprint.width();
    let deployed = if body.turns_freely() { body.footprint.depth().max(width) } else { width };
    deployed.clamp(1.0, 5.0)
}

/// What a place is worth to somebody who fights from it toward `ahead`.
pub(super) fn slot_score(situation: &Situation<'_>, place: Vector, ahead: Vector) -> f64 {
    let ground = situation.ground;
    if !ground.on_table(place, 0.5) {
        return -10.0;
    }
    let beyond = place.plus(ahead.times(4.0));
    let cover = ground.cover(place, beyond);
    let rise = ((ground.feet(place) - ground.feet(beyond)) / 20.0).clamp(-1.5, 1.5);
    let field = if ground.sees(place, beyond) { 0.8 } else { 0.0 };
    cover * 0.8 + rise + field
}

/// Keeps the units where they are, facing what threatens, when that line is whole and near enough to its objective.
fn as_they_stand(
    situation: &Situation<'_>,
    aim: &Aim,
    front: &[&Body],
    behind: &[&Body],
    role: Role,
) -> Option<Vec<(UnitId, Post)>> {
    let close_by = |body: &&Body| aim.place.distance(body.middle()) <= belongs_within(situation, aim);
    let on_it = front.iter().any(|body| aim.place.distance(body.middle()) <= 0.5);
    let pressed = front.iter().any(|body| situation.nearest_threat(body).is_some_and(|(_, d)| d <= body.ranges[2]));
    // Objectives are kept by standing on them, or by a fight before them.
    if front.is_empty() || !front.iter().all(close_by) || !(on_it || pressed) {
        return None;
    }
    let crowded = front
        .iter()
        .enumerate()
        .any(|(index, body)| front[index + 1..].iter().any(|other| body.footprint.distance(&other.footprint) <= 0.0));
    let alone = 1 < front.len()
        && front.iter().any(|body| {
            let others = front.iter().filter(|other| other.id != body.id);
            body.nearest(others.copied()).is_some_and(|(_, distance)| 4.0 < distance)
        });
    if crowded || alone {
        return None;
    }
    let post = |body: &Body, role: Role, at: Vector| (body.id.clone(), as_it_stands(situation, aim, body, role, at));
    let mut posts: Vec<_> = front.iter().map(|body| post(body, role, body.anchor)).collect();
    let middle = centre(front.iter().copied())?;
    let back = situation.threatened_from(middle).times(-SUPPORT_DISTANCE);
    let right = back.unit().right();
    let (riders, behind): (Vec<&Body>, Vec<&Body>) = behind.iter().copied().partition(|body| body.is_mounted());
    let across = |body: &&Body| body.middle().minus(middle).dot(right);
    let (least, most) =
        front.iter().map(across).fold((0.0_f64, 0.0_f64), |(least, most), at| (least.min(at), most.max(at)));
    // Seen from behind the line right is left.
    let ends = [most + 1.75, least - 1.75].map(|across| middle.plus(right.times(across)));
    posts.extend(horse::on_the_flanks(situation, &aim.place.id, &riders, ends, back.unit().times(-1.0)));
    for (index, body) in behind.iter().enumerate() {
        let across = (index as f64 - (behind.len() as f64 - 1.0) / 2.0) * 4.0;
        let at = situation.ground.clamped(middle.plus(back).plus(right.times(across)), 1.0);
        // A support that is near its place stands still.
        let at = if body.anchor.distance(at) < 3.0 { body.anchor } else { at };
        posts.push(post(body, Role::Support, at));
    }
    Some(posts)
}

/// How far from an objective one still holds it: what is ours is held by a line before it, what is nobody's by
/// standing on it.
fn belongs_within(situation: &Situation<'_>, aim: &Aim) -> f64 {
    if aim.place.with == Some(situation.side) { 3.5 } else { 0.8 }
}

/// A post where a unit is, or nearly, with its front to what threatens it.
fn as_it_stands(situation: &Situation<'_>, aim: &Aim, body: &Body, role: Role, at: Vector) -> Post {
    let facing = situation.threatened_from(body.anchor).bearing();
    Post { role, at, facing, standoff: 2.2, objective: Some(aim.place.id.clone()), against: None, waits: false }
}

/// A place drawn back until no enemy is nearer than the line means to go.
fn kept_off(situation: &Situation<'_>, at: Vector, ahead: Vector, standoff: f64) -> Vector {
    let mut place = at;
    for _ in 0..8 {
        if standoff <= situation.distance_to_threats(place) {
            return place;
        }
        place = situation.ground.clamped(place.minus(ahead.times(1.0)), 1.0);
    }
    place
}

/// The best line near an objective, facing what threatens it.
fn holding_line(situation: &Situation<'_>, aim: &Aim, front: &[&Body], stayers: &[&Body], width: f64) -> Line {
    let threat = situation.threatened_from(aim.place.middle);
    let here = centre(front.iter().copied()).unwrap_or(aim.place.middle);
    let score = |middle: Vector, ahead: Vector| {
        let right = ahead.right();
        let slots = front.len().clamp(1, 6);
        let mut sum = 0.0;
        let mut nearest = f64::INFINITY;
        for slot in 0..slots {
            let across = ((slot as f64 + 0.5) / slots as f64 - 0.5) * width;
            let place = middle.plus(right.times(across));
            sum += slot_score(situation, place, ahead);
            // A slope that muskets can reach already is held from behind its crest, or from cover.
            sum -= front.get(slot).map_or(0.0, |body| exchange::exposure(situation, body, place, false).min(2.0) * 0.5);
            nearest = nearest.min(aim.place.distance(place));
            // Marching into close range is not holding.
            if situation.distance_to_threats(place) < 2.5 {
                sum -= 2.0;
            }
            if stayers.iter().any(|body| body.middle().distance(place) < 3.0) {
                sum -= 2.0;
            }
        }
        // Somebody has to be on the objective, and none far from it.
        let on_it = if nearest <= 0.2 { 1.5 } else { -nearest * 0.6 };
        let march = here.distance(middle) / 6.0;
        sum / slots as f64 + on_it - march * 0.5
    };
    let mut best = Line { middle: aim.place.middle, ahead: threat, standoff: 2.2, against: None };
    let mut best_score = score(best.middle, best.ahead);
    for lean in [0.0, -20.0, 20.0] {
        let ahead = Vector::along(turned(threat.bearing(), lean));
        for forward in [-2.0, 0.0, 2.0, 4.0] {
            for across in [-3.0, 0.0, 3.0] {
                let middle = aim.place.middle.plus(threat.times(forward)).plus(threat.right().times(across));
                let here = score(middle, ahead);
                if best_score + 0.05 < here {
                    best_score = here;
                    best = Line { middle, ahead, standoff: 2.2, against: None };
                }
            }
        }
    }
    best
}
