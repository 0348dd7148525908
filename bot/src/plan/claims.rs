//! Claims: ground that counts, is not ours, and has no enemy on it, is walked onto by whoever is nearest.
//!
//! A place belongs to who stood on it last alone, so one regiment for one turn is enough; then it goes back to its line.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::Morale;
use protocol::ids::UnitId;
use protocol::words::{Arm, Formation};

use crate::geometry::Vector;
use crate::plan::roles::{Post, Role};
use crate::plan::situation::{Body, Objective, Situation};

/// So many turns of marching are worth a claim; fewer while the day is long.
const MOST_TURNS: f64 = 2.2;
/// An enemy so near to the way in makes it a fight, inches.
const TOO_NEAR: f64 = 1.5;

/// Changes the posts of those who walk onto ground that is there to be had.
pub(super) fn stake(situation: &Situation<'_>, posts: &mut BTreeMap<UnitId, Post>) {
    let mut sent: BTreeSet<UnitId> = BTreeSet::new();
    let mut wanted: Vec<&Objective> = situation
        .objectives
        .iter()
        .filter(|place| 0.0 < place.points && place.held_by != Some(situation.side))
        .filter(|place| situation.threats().all(|enemy| 0.3 < place.distance_to_body(enemy)))
        .collect();
    wanted.sort_by(|one, other| other.points.total_cmp(&one.points).then_with(|| one.id.cmp(&other.id)));
    for place in wanted {
        let able = situation.own.iter().filter(|body| !sent.contains(&body.id) && is_able(situation, body));
        let reached = able.filter_map(|body| Some((body, way_in(situation, place, body)?)));
        let best = reached.min_by(|(one, a), (other, b)| a.1.total_cmp(&b.1).then_with(|| one.id.cmp(&other.id)));
        let Some((body, (at, _))) = best else { continue };
        sent.insert(body.id.clone());
        let facing = situation.threatened_from(at).bearing();
        let objective = Some(place.id.clone());
        let post = Post { role: Role::Claim, at, facing, standoff: TOO_NEAR, objective, against: None, waits: false };
        posts.insert(body.id.clone(), post);
    }
}

fn is_able(situation: &Situation<'_>, body: &Body) -> bool {
    body.mine
        && body.morale == Morale::Good
        && !body.disorder
        && !body.only_forms
        && !body.withdraws
        && matches!(body.arm, Arm::Infantry | Arm::Cavalry)
        && body.formation != Formation::SkirmishLine
        && situation.may_advance(body)
}

/// Where a unit would step onto a place, and the turns that it takes; nothing where that is too far or too near an enemy.
fn way_in(situation: &Situation<'_>, place: &Objective, body: &Body) -> Option<(Vector, f64)> {
    let ground = situation.ground;
    let within = |at: &Vector| place.distance(*at) <= 0.0;
    // From the edge that is nearest, a little farther in, so that the line stands on it and not beside it.
    let steps = (0..=40).map(|step| body.anchor.toward(place.middle, f64::from(step) / 40.0));
    let edge = steps.clone().find(within)?;
    let inward = place.middle.minus(edge);
    let at = if inward.length() < 0.9 { place.middle } else { edge.plus(inward.unit().times(0.9)) };
    let at = if within(&body.anchor) { body.anchor } else { at };
    let turns = ground.cost(body.gait(), body.anchor, at) / body.rate.max(1.0);
    let far = MOST_TURNS.min(f64::from(situation.turns_left));
    let there = body.footprint.moved(at.minus(body.anchor));
    let clear = situation.threats().all(|enemy| TOO_NEAR < there.distance(&enemy.footprint));
    (turns <= far && clear).then_some((at, turns))
}
