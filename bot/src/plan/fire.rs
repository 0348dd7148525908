//! Fire: at whom, when, with what.
//!
//! FIRST FIRE shoots at once with a point in hand, so it is for a target that is near enough now. HOLD
//! waits for a better shot, so it is for enemies who come. Foot has no choice of target in front (FIRE-25);
//! guns choose, so they are told whom.

use protocol::event::Morale;
use protocol::ids::UnitId;
use protocol::orders::{
    Canister, FireOnCharges, HoldFire, HoldTrigger, IfCharged, Instructions, MovingFire, Order, Pivot, RangeBand,
    RangeChoice, TargetChoice,
};
use protocol::words::Formation;

use crate::plan::postures;
use crate::plan::situation::{Body, Situation};

/// A target within reach of a unit.
pub(super) struct Target<'s> {
    pub(super) enemy: &'s Body,
    /// Inches.
    pub(super) range: f64,
    /// Whether it stands in front.
    pub(super) in_front: bool,
    /// What a volley at it is worth.
    pub(super) worth: f64,
}

/// Enemies that a unit could shoot at from where it stands, the best first.
pub(super) fn targets<'s>(situation: &'s Situation<'_>, body: &Body) -> Vec<Target<'s>> {
    let mut targets: Vec<Target<'s>> = situation
        .threats()
        .filter_map(|enemy| {
            let range = body.footprint.distance(&enemy.footprint);
            let in_reach = range <= body.ranges[2] && situation.has_a_shot(body, enemy);
            in_reach.then(|| Target {
                enemy,
                range,
                in_front: body.covers(enemy.middle()),
                worth: worth(situation, body, enemy, range),
            })
        })
        .collect();
    targets.sort_by(|one, other| other.worth.total_cmp(&one.worth).then_with(|| one.enemy.id.cmp(&other.enemy.id)));
    targets
}

/// Near, exposed, dense, dangerous targets first.
fn worth(situation: &Situation<'_>, body: &Body, enemy: &Body, range: f64) -> f64 {
    let band = if range <= body.ranges[0] {
        3.0
    } else if range <= body.ranges[1] {
        2.0
    } else {
        1.0
    };
    let dense = match enemy.formation {
        Formation::MarchColumn | Formation::AttackColumn | Formation::Limbered => 1.5,
        Formation::DoubleLine => 1.2,
        Formation::SkirmishLine => 0.5,
        _ => 1.0,
    };
    let cover = 1.0 + situation.ground.cover(enemy.middle(), body.middle()) * 0.2;
    // A shaken enemy is nearly won; one who is on an objective is in the way.
    let state = if enemy.morale == Morale::Shaken { 0.9 } else { 1.0 };
    let in_the_way = situation.objectives.iter().any(|place| place.distance(enemy.middle()) <= 0.5);
    let guns = if enemy.is_guns() && !body.is_guns() { 0.8 } else { 1.0 };
    band * dense * state * guns * if in_the_way { 1.2 } else { 1.0 } / cover - range * 0.02
}

/// Whether a unit has a target that deserves a stop: in front, and within normal range (guns: also far away).
pub(super) fn has_good_target(situation: &Situation<'_>, body: &Body) -> bool {
    if matches!(body.formation, Formation::AttackColumn | Formation::MarchColumn) {
        return false;
    }
    targets(situation, body).iter().any(|target| target.in_front && target.range <= body.ranges[1])
}

/// Whether a battery has somebody to hit from where it stands: before its muzzles, or near enough to turn its trails for.
pub(super) fn bears_on_somebody(situation: &Situation<'_>, body: &Body) -> bool {
    targets(situation, body).iter().any(|target| target.in_front || target.range <= body.ranges[1])
}

/// The order of a unit that stays, with its instructions: FIRST FIRE or HOLD.
pub(super) fn stand(situation: &Situation<'_>, body: &Body) -> (Order, Instructions) {
    if body.is_guns() { stand_with_guns(situation, body) } else { stand_with_muskets(situation, body) }
}

fn stand_with_muskets(situation: &Situation<'_>, body: &Body) -> (Order, Instructions) {
    let targets = targets(situation, body);
    let now = targets.iter().any(|target| target.in_front && target.range <= body.ranges[1]);
    // Nobody comes nearer: a long shot with the point of FIRST FIRE beats the same shot later without it.
    let far = targets.iter().any(|target| target.in_front && (target.enemy.stood || target.enemy.is_guns()));
    let approached = targets.iter().any(|target| !target.enemy.stood && !target.enemy.is_guns());
    let can_fire = !body.prone
        && body.makes_lines()
        && !matches!(body.formation, Formation::MarchColumn | Formation::AttackColumn);
    let instructions = Instructions { if_charged: reception(situation, body), ..Instructions::default() };
    if can_fire && (now || (far && !approached)) {
        let first_fire = Some(RangeChoice::Always);
        return (Order::FirstFire {}, Instructions { first_fire, if_charged: None, ..instructions });
    }
    let hold_fire = HoldFire {
        any_of: vec![
            vec![HoldTrigger::At { band: RangeBand::Close }],
            // A flank does not show itself twice.
            vec![HoldTrigger::At { band: RangeBand::Normal }, HoldTrigger::OnFlank {}],
            vec![HoldTrigger::BeforeLeaving {}],
            vec![HoldTrigger::AfterMove {}],
        ],
        only_if_charged: false,
        wait_for: None,
    };
    let instructions =
        Instructions { hold_fire: Some(hold_fire), fire_on_charges: Some(FireOnCharges::Nearest), ..instructions };
    (Order::Hold { task: None }, instructions)
}

/// What a unit does that is charged: it stands behind its volley, but for one that has no volley to give and goes to meet
/// the enemy, and for one that would take him in flank or in disorder.
pub(super) fn reception(situation: &Situation<'_>, body: &Body) -> Option<IfCharged> {
    if body.morale != Morale::Good || body.is_guns() {
        return None;
    }
    let ahead = situation.threatened_from(body.anchor).times(4.0);
    let covered = 0.9 <= situation.ground.cover(body.anchor, body.anchor.plus(ahead));
    Some(if body.disorder {
        IfCharged::FormIfDisordered
    } else if body.ammunition_out && !covered && situation.may_advance(body) {
        IfCharged::Countercharge
    } else if postures::goes_to_meet(situation, body) {
        IfCharged::CounterchargeIfAttackerDisordered
    } else {
        IfCharged::FormIfFlanked
    })
}

fn stand_with_guns(situation: &Situation<'_>, body: &Body) -> (Order, Instructions) {
    let targets = targets(situation, body);
    let mut instructions = Instructions {
        canister: Some(match body.canister {
            0 => Canister::Never,
            1 => Canister::Single,
            _ => Canister::DoubleIfCharged,
        }),
        ..Instructions::default()
    };
    let chosen: Vec<UnitId> = targets.iter().take(3).map(|target| target.enemy.id.clone()).collect();
    if !chosen.is_empty() {
        instructions.target = Some(TargetChoice::Units { units: chosen });
    }
    let Some(best) = targets.first() else {
        instructions.hold_fire = Some(wait_for_canister());
        return (Order::Hold { task: None }, instructions);
    };
    if targets.iter().any(|target| target.in_front) {
        instructions.first_fire = Some(RangeChoice::Always);
        return (Order::FirstFire {}, instructions);
    }
    // Everything is outside the arc: only a holding battery may turn its trails. ARTY-27
    instructions.pivot = Some(Pivot::At { unit: best.enemy.id.clone() });
    instructions.hold_fire = Some(wait_for_canister());
    (Order::Hold { task: None }, instructions)
}

fn wait_for_canister() -> HoldFire {
    HoldFire {
        any_of: vec![
            vec![HoldTrigger::At { band: RangeBand::Close }],
            vec![HoldTrigger::BeforeLeaving {}],
            vec![HoldTrigger::AfterMove {}],
        ],
        only_if_charged: false,
        wait_for: None,
    }
}

/// Instructions of a unit that marches.
pub(super) fn on_the_march(body: &Body) -> Instructions {
    Instructions { moving_fire: (!body.is_guns()).then_some(MovingFire::NotAtLong), ..Instructions::default() }
}
