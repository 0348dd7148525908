//! Leaders: each rides to where he helps most.
//!
//! An officer lends his courage to units within his benefit radius, so he belongs with the routed and the
//! shaken, who rally by it, then with the line that is fired on, then with the half-spent, who advance with
//! an officer only. He stays behind the ranks, and near enough to his brigade to command it.

use std::collections::BTreeMap;

use protocol::event::Morale;
use protocol::ids::{BrigadeId, LeaderId, UnitId};
use protocol::orders::{LeaderDraft, Ride};
use protocol::place::Point;
use protocol::view::{LeaderView, Presence};

use crate::geometry::{Footprint, Vector};
use crate::ground::Gait;
use crate::plan::charge::Charge;
use crate::plan::situation::{Body, Situation};

/// A mounted officer's inches in a turn. MOVE-16
const RATE: f64 = 12.0;

/// What each leader of this player does.
pub(super) fn send(
    situation: &Situation<'_>,
    ends: &BTreeMap<UnitId, Footprint>,
    charges: &[Charge],
) -> BTreeMap<LeaderId, LeaderDraft> {
    let mut drafts = BTreeMap::new();
    let mut helped: Vec<UnitId> = Vec::new();
    let mut leaders: Vec<(&LeaderView, Vector)> = situation
        .view
        .leaders
        .iter()
        .filter(|leader| leader.side == situation.side && leader.presence == Presence::Table)
        .filter(|leader| leader.wounded_until.is_none())
        .filter(|leader| situation.seat.is_none() || leader.seat == situation.seat)
        .filter_map(|leader| Some((leader, Vector::from(leader.at?))))
        .collect();
    // Brigade commanders first: they know only their own; the higher ones fill the gaps.
    leaders.sort_by(|one, other| {
        let rank = |leader: &LeaderView| u8::from(leader.brigade.is_none());
        rank(one.0).cmp(&rank(other.0)).then_with(|| one.0.id.cmp(&other.0.id))
    });
    for (leader, at) in leaders {
        let draft = take_over(situation, leader, at)
            .or_else(|| go_in(situation, leader, at, charges))
            .or_else(|| direct(situation, ends, leader, at, &mut helped));
        if let Some(draft) = draft {
            drafts.insert(leader.id.clone(), draft);
        }
    }
    drafts
}

/// A brigade that has nobody to command it is taken over by a superior who is near, or on his way to it. LEAD-18
fn take_over(situation: &Situation<'_>, leader: &LeaderView, at: Vector) -> Option<LeaderDraft> {
    if leader.brigade.is_some() {
        return None;
    }
    let commanded = |brigade: &BrigadeId| {
        situation.view.leaders.iter().any(|other| {
            other.brigade.as_ref() == Some(brigade)
                && matches!(other.presence, Presence::Table | Presence::ToCome)
                && other.wounded_until.is_none()
        })
    };
    let orphans = situation.own.iter().filter(|body| body.mine && !body.at_door && body.morale != Morale::Routed);
    let (body, brigade) = orphans
        .filter_map(|body| Some((body, body.brigade.clone()?)))
        .filter(|(_, brigade)| !commanded(brigade))
        .min_by(|(one, _), (other, _)| {
            let far = |body: &Body| body.middle().distance(at);
            far(one).total_cmp(&far(other)).then_with(|| one.id.cmp(&other.id))
        })?;
    let place = body.footprint;
    let spot = Footprint { corners: [at; 4] };
    let ride = if spot.distance(&place) <= 0.9 { None } else { ride(situation, at, behind(situation, body, &place)) };
    Some(LeaderDraft { ride, take_over: Some(brigade), ..LeaderDraft::default() })
}

/// When all hangs on it, an officer within whose reach a charge sets out goes in with its point: he is worth his level at
/// the dice, and a third of those who do so are hit. IMP-11, OFF-04
fn go_in(situation: &Situation<'_>, leader: &LeaderView, at: Vector, charges: &[Charge]) -> Option<LeaderDraft> {
    if !situation.must_attack || 2 < situation.turns_left {
        return None;
    }
    let benefit = f64::from(leader.benefit_radius) / 1000.0;
    let spot = Footprint { corners: [at; 4] };
    let point_of = |charge: &Charge| situation.own.iter().find(|body| body.mine && body.id == charge.point);
    let point = charges.iter().filter_map(point_of).find(|body| {
        1 <= leader.level
            && (leader.brigade.is_none() || leader.brigade == body.brigade)
            && spot.distance(&body.footprint) <= benefit
    })?;
    Some(LeaderDraft { go_in_with: Some(point.id.clone()), ..LeaderDraft::default() })
}

fn direct(
    situation: &Situation<'_>,
    ends: &BTreeMap<UnitId, Footprint>,
    leader: &LeaderView,
    at: Vector,
    helped: &mut Vec<UnitId>,
) -> Option<LeaderDraft> {
    let commanded: Vec<&Body> = situation
        .own
        .iter()
        .filter(|body| body.mine && (leader.brigade.is_none() || leader.brigade == body.brigade))
        .collect();
    let place_of = |body: &Body| ends.get(&body.id).copied().unwrap_or(body.footprint);
    let radius = f64::from(leader.command_radius) / 1000.0;
    let score = |body: &&Body| {
        let place = place_of(body);
        let to = behind(situation, body, &place);
        let cost = situation.ground.cost(Gait::Rider, at, to);
        let reaches = if cost <= RATE { 1.0 } else { 0.4 };
        let already = if helped.contains(&body.id) { 0.3 } else { 1.0 };
        // Those whom he commands and could not reach from there would be out of command next turn.
        let left = commanded.iter().filter(|other| radius < to.distance(place_of(other).middle())).count();
        let steady = if leader.attached.as_ref() == Some(&body.id) { 0.4 } else { 0.0 };
        need(situation, body, leader.level) * reaches * already + steady - left as f64 * 0.8 - cost.min(40.0) * 0.02
    };
    let best = commanded
        .iter()
        .max_by(|one, other| score(one).total_cmp(&score(other)).then_with(|| other.id.cmp(&one.id)))?;
    helped.push(best.id.clone());
    let place = place_of(best);
    let to = behind(situation, best, &place);
    let benefit = f64::from(leader.benefit_radius) / 1000.0;
    let with_it = leader.attached.as_ref() == Some(&best.id);
    let spot = Footprint { corners: [at; 4] };
    let near_now = spot.distance(&best.footprint) <= benefit.max(0.5);
    let stays = place.middle().distance(best.footprint.middle()) < 0.3;
    let ride = if best.morale != Morale::Routed && (with_it || near_now) {
        // Goes where it goes.
        (!with_it).then(|| Ride::Attach { unit: best.id.clone() })
    } else if stays && spot.distance(&place) <= benefit {
        None
    } else {
        ride(situation, at, to)
    };
    let mut help: Vec<&&Body> =
        commanded.iter().filter(|body| body.footprint.distance(&spot) <= benefit + 4.0).collect();
    help.sort_by(|one, other| {
        need(situation, other, leader.level)
            .total_cmp(&need(situation, one, leader.level))
            .then_with(|| one.id.cmp(&other.id))
    });
    let help: Vec<UnitId> = help.into_iter().take(4).map(|body| body.id.clone()).collect();
    let draft = LeaderDraft { ride, help: (1 < help.len()).then_some(help), ..LeaderDraft::default() };
    (draft != LeaderDraft::default()).then_some(draft)
}

/// How much a unit wants an officer.
fn need(situation: &Situation<'_>, body: &Body, level: u8) -> f64 {
    let danger = situation.nearest_threat(body).map_or(f64::INFINITY, |(_, distance)| distance);
    let state = match body.morale {
        Morale::Routed => 3.0,
        Morale::Shaken => 5.0,
        Morale::Good => 0.5,
    };
    let fight = if danger <= 4.5 {
        3.0
    } else if danger <= 12.0 {
        1.5
    } else {
        0.0
    };
    let spent = if body.spent && body.morale == Morale::Good { 1.0 } else { 0.0 };
    let guns = if body.is_guns() { 0.5 } else { 1.0 };
    // A leader without a level only carries orders: he keeps the brigade in reach and out of fire.
    if level == 0 { 0.5 } else { (state + fight + spent) * guns }
}

/// Just behind the middle of a unit's rear, away from the enemy.
fn behind(situation: &Situation<'_>, body: &Body, place: &Footprint) -> Vector {
    let ahead = Vector::along(body.facing);
    let rear = place.corners[2].toward(place.corners[3], 0.5);
    situation.ground.clamped(rear.minus(ahead.times(0.45)), 0.3)
}

fn ride(situation: &Situation<'_>, at: Vector, to: Vector) -> Option<Ride> {
    let avoid: Vec<(Vector, f64)> = situation.threats().map(|enemy| (enemy.middle(), 3.0)).collect();
    let way = situation.ground.way(Gait::Rider, at, to, &avoid);
    let path = situation.ground.reach(Gait::Rider, &way, RATE);
    let end = *path.last()?;
    // Not into the enemy's arms.
    if end.distance(at) < 0.3 || situation.distance_to_threats(end) < 1.5 {
        return None;
    }
    let points: Vec<Point> = path[1..].iter().copied().map(Point::from).collect();
    Some(Ride::Path { points, before_charges: false })
}
