//! Who is refused a step. ALG-MOVE 6
//!
//! Owns the distances that a march keeps from the enemy (MV-26, FORM-10, ARTY-04, `stop: before`) and the limit of units that
//! may not advance (ORD-09). Proposals of both sides are tested together; refusing only ever takes movement away, so the
//! rounds end, and no order of units matters.

use protocol::event::Morale;
use protocol::orders::Stop;
use protocol::words::Arm;

use super::body::{Body, Shape};
use super::clock::{Clock, carried_or_drawn, crowd_of};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{ARTY_04, CMD_07, FORM_10, LVL_04, MV_26, MV_27, ORD_10, RuleId, SHK_07};
use crate::column;
use crate::crowd::Crowd;
use crate::field::{Field, Kept};
use crate::geometry::{Distance, Extent};
use crate::levels;
use crate::los;
use crate::ruleset::Ruleset;

/// The restriction of a unit that may not advance on the enemy, carried along its march. ORD-09, SHK-07
#[derive(Clone, Debug)]
pub(super) struct Restriction {
    /// The rule that bars it.
    pub(super) rule: RuleId,
    limit: Limit,
    /// The moment when the move starts. Which enemies were then in sight is found out when one is come near.
    start: Kept,
}

/// How near to the enemy a unit may go that may not advance. ORD-09
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    unit: UnitIx,
    /// Its least distance to an enemy in sight of its side when the move starts; none: no enemy is in sight.
    nearest: Option<Distance>,
}

/// ORD-08, ORD-10, ORD-11, LVL-04 The restriction of a unit, if it is under one, taken now.
pub(super) fn restriction(field: &Field<'_>, ix: UnitIx) -> Option<Restriction> {
    let rule = restricted_by(field, ix)?;
    Some(Restriction { rule, limit: Limit::now(field, ix), start: field.kept() })
}

/// The rule that bars a unit from advancing, if one does.
pub(crate) fn restricted_by(field: &Field<'_>, ix: UnitIx) -> Option<RuleId> {
    let unit = field.unit(ix);
    if unit.morale == Morale::Shaken {
        Some(SHK_07)
    } else if unit.on_table() && !unit.marks.in_command {
        Some(CMD_07)
    } else if unit.is_half_strength() && crate::morale::officer::present(field, ix).is_none() {
        Some(ORD_10)
    } else if CANNOT_ADVANCE <= levels::binding(field.table, unit) {
        Some(LVL_04)
    } else {
        None
    }
}

/// LVL-04 The level at which a command advances no more, percent.
const CANNOT_ADVANCE: u8 = 40;

/// Why a unit under one of these rules may not go nearer to the enemy, and what it may do; to be read after its name.
pub(crate) fn why_not_nearer(rule: RuleId) -> &'static str {
    if rule == SHK_07 {
        "is shaken and may not move nearer to the enemy; hold or go back"
    } else if rule == CMD_07 {
        "is out of command and may not advance; hold or go back, or bring its commander nearer"
    } else if rule == ORD_10 {
        "is at half strength and advances only with an officer; bring one up"
    } else {
        "may not advance: its command has lost 40 percent of its points; hold or go back"
    }
}

impl Restriction {
    /// As [`Limit::bars`]. `now` lends its tables and dice alone.
    pub(super) fn bars(&self, now: &Field<'_>, shape: &Shape) -> bool {
        self.limit.bars(&now.back_to(&self.start), shape)
    }
}

impl Limit {
    /// SHK-07 The limit of a unit whose move starts now.
    pub(super) fn now(field: &Field<'_>, ix: UnitIx) -> Limit {
        let own = column::members(field.table, ix);
        let about = own.iter().map(|member| field.extent(*member)).reduce(Extent::with).unwrap_or(field.extent(ix));
        let mut nearest: Option<Distance> = None;
        for enemy in field.enemies_outward(field.unit(ix).side, about).filter(|enemy| field.unit(*enemy).is_unrouted())
        {
            // No nearer than the boxes about them: once one is in sight, few others are measured.
            if nearest.is_some_and(|nearest| nearest <= about.least_distance(field.extent(enemy))) {
                break;
            }
            let distances = own.iter().map(|member| field.distance(*member, enemy));
            let distance = distances.min().unwrap_or(Distance::ZERO);
            if nearest.is_none_or(|nearest| distance < nearest) && is_in_sight_of_side(field, ix, enemy) {
                nearest = Some(distance);
            }
        }
        Limit { unit: ix, nearest }
    }

    /// ORD-09 Whether a place lies nearer to an enemy, of those in sight of its side when the move started, than the unit
    /// stood then.
    pub(super) fn bars(self, then: &Field<'_>, shape: &Shape) -> bool {
        let Some(nearest) = self.nearest else { return false };
        let limit = nearest.rounded();
        let mut near = then.enemies_near(then.unit(self.unit).side, shape.extent(), limit).filter(|enemy| {
            then.unit(*enemy).is_unrouted() && shape.closer_than(&Shape::around(then.stands(*enemy)), limit)
        });
        near.any(|enemy| is_in_sight_of_side(then, self.unit, enemy))
    }
}

/// Whether an enemy is seen by the side of a unit: by those on the table, and by the unit itself while it is still to come.
fn is_in_sight_of_side(field: &Field<'_>, ix: UnitIx, enemy: UnitIx) -> bool {
    field.is_in_sight(enemy) || (!field.unit(ix).on_table() && field.sees(ix, enemy))
}

/// What a mover keeps away from one enemy, and why.
pub(super) struct Keep {
    pub(super) limit: i32,
    pub(super) rule: RuleId,
    /// Only from enemies that it sees.
    pub(super) seen_only: bool,
}

/// Takes back every step that is refused, until none is.
pub(super) fn refuse(clock: &mut Clock<'_, '_>, proposals: &mut [Option<Body>]) {
    let mut shapes: Vec<Option<Shape>> = clock
        .movers
        .iter()
        .zip(proposals.iter())
        .map(|(mover, proposal)| {
            let old = clock.shapes[mover.unit.0 as usize].as_ref();
            proposal.as_ref().map(|body| carried_or_drawn(old, &mover.body, body, mover.stands, &mover.tail))
        })
        .collect();
    let mut proposed_by: Vec<Option<usize>> = vec![None; clock.shapes.len()];
    for (n, mover) in clock.movers.iter().enumerate() {
        proposed_by[mover.unit.0 as usize] = Some(n);
    }
    let table = clock.size_of_table();
    let mut met: Vec<(UnitIx, UnitIx)> = Vec::new();
    loop {
        let next =
            clock.shapes.iter().zip(&proposed_by).map(|(now, by)| by.and_then(|n| shapes[n].as_ref()).or(now.as_ref()));
        let crowd = crowd_of(next, table);
        let refused = refused(clock, &shapes, &proposed_by, &crowd);
        if refused.is_empty() {
            los::meet(clock.play, &met);
            return;
        }
        for Refused { mover: n, rule, why, by } in refused {
            met.extend(by.map(|by| (clock.movers[n].unit, by)));
            shapes[n] = None;
            proposals[n] = None;
            clock.movers[n].halt(rule, why);
        }
    }
}

/// A step that is refused.
struct Refused {
    /// Whose, by its place among the movers.
    mover: usize,
    rule: RuleId,
    why: String,
    /// The enemy who is in its way whether he is seen or not. MV-26
    by: Option<UnitIx>,
}

/// One round: everybody who is refused, on the proposals as they stand.
fn refused(
    clock: &Clock<'_, '_>,
    shapes: &[Option<Shape>],
    proposed_by: &[Option<usize>],
    crowd: &Crowd,
) -> Vec<Refused> {
    let table = clock.play.table();
    let field = Field::new(clock.play.rules, table, clock.play.dice);
    let mut refused = Vec::new();
    for (n, mover) in clock.movers.iter().enumerate() {
        let (Some(next), Some(now)) = (&shapes[n], &clock.shapes[mover.unit.0 as usize]) else { continue };
        if mover.restriction.as_ref().is_some_and(|restriction| restriction.bars(&field, next)) {
            let rule = mover.restriction.as_ref().map_or(MV_26, |restriction| restriction.rule);
            refused.push(Refused { mover: n, rule, why: "it may not go nearer to the enemy".to_owned(), by: None });
            continue;
        }
        let unit = &table[mover.unit];
        let widest = widest(clock.play.rules, mover.stop);
        for enemy_ix in crowd.near(next.extent(), widest) {
            let enemy = &table[enemy_ix];
            if enemy.side == mover.side || !enemy.on_table() || !keeps_from(enemy) {
                continue;
            }
            let place = enemy_ix.0 as usize;
            let Some(enemy_now) = &clock.shapes[place] else { continue };
            let enemy_next = proposed_by[place].and_then(|m| shapes[m].as_ref()).unwrap_or(enemy_now);
            if !next.may_reach(enemy_next, widest) {
                continue;
            }
            let broken = keeps(clock.play.rules, unit, mover.stop, enemy).into_iter().find(|keep| {
                comes_too_near(now, next, enemy_now, enemy_next, keep.limit)
                    && (!keep.seen_only || field.sees(mover.unit, enemy_ix))
            });
            if let Some(keep) = broken {
                let why = format!("`{}` is in its way", enemy.name);
                let by = (!keep.seen_only).then_some(enemy_ix);
                refused.push(Refused { mover: n, rule: keep.rule, why, by });
                break;
            }
        }
    }
    refused
}

/// Routed units and guns without a crew keep nobody off.
pub(super) fn keeps_from(enemy: &Unit) -> bool {
    enemy.is_unrouted() && !enemy.guns.as_ref().is_some_and(|guns| guns.unmanned)
}

/// MV-26, FORM-10, ARTY-04, MV-27 What a mover keeps from an enemy, the stricter first.
pub(super) fn keeps(rules: &Ruleset, unit: &Unit, stop: Stop, enemy: &Unit) -> Vec<Keep> {
    let limits = &rules.movement_limits;
    let mut keeps = vec![Keep { limit: limits.move_stops_before_enemy.thousandths(), rule: MV_26, seen_only: false }];
    if unit.is_skirmishing() {
        let limit = limits.skirmisher_min_distance_to_enemy.thousandths();
        keeps.push(Keep { limit, rule: FORM_10, seen_only: true });
    }
    if unit.arm == Arm::Artillery {
        let limit = match enemy.arm {
            Arm::Artillery => limits.artillery_min_distance_to_artillery,
            Arm::Cavalry => limits.artillery_min_distance_to_cavalry,
            Arm::Infantry | Arm::Sharpshooter | Arm::GunCrew => limits.artillery_min_distance_to_infantry,
        };
        keeps.push(Keep { limit: limit.thousandths(), rule: ARTY_04, seen_only: true });
    }
    match stop {
        Stop::Before { distance } => {
            let limit = farthest_sense(distance);
            keeps.push(Keep { limit, rule: MV_27, seen_only: true });
        }
        Stop::BeforeClose {} => {
            let limit = close_range(rules, enemy);
            keeps.push(Keep { limit, rule: MV_27, seen_only: true });
        }
        Stop::OnSight {} | Stop::IfFiredOn {} | Stop::After { .. } | Stop::Never {} => {}
    }
    keeps.sort_by_key(|keep| -keep.limit);
    keeps
}

/// MV-27 A distance that a player names: whatever is wider than any table is as wide as sums with it can bear.
fn farthest_sense(distance: u32) -> i32 {
    const WIDER_THAN_ANY_TABLE: i32 = i32::MAX / 4;
    i32::try_from(distance).unwrap_or(WIDER_THAN_ANY_TABLE).min(WIDER_THAN_ANY_TABLE)
}

/// The widest that any of [`keeps`] can be, for a quick no.
pub(super) fn widest(rules: &Ruleset, stop: Stop) -> i32 {
    let limits = &rules.movement_limits;
    let always = [
        limits.move_stops_before_enemy,
        limits.skirmisher_min_distance_to_enemy,
        limits.artillery_min_distance_to_artillery,
        limits.artillery_min_distance_to_cavalry,
        limits.artillery_min_distance_to_infantry,
    ];
    let always = always.into_iter().map(|limit| limit.thousandths()).max().unwrap_or(0);
    let asked = match stop {
        Stop::Before { distance } => farthest_sense(distance),
        Stop::BeforeClose {} => {
            let muskets = rules.small_arm.values().map(|weapon| weapon.close.thousandths());
            let guns = rules.gun.values().map(|gun| gun.canister.thousandths());
            muskets.chain(guns).max().unwrap_or(0)
        }
        Stop::OnSight {} | Stop::IfFiredOn {} | Stop::After { .. } | Stop::Never {} => 0,
    };
    always.max(asked)
}

/// The close range of a unit's weapon, canister for guns, thousandths of an inch.
pub(super) fn close_range(rules: &Ruleset, unit: &Unit) -> i32 {
    let small = rules.small_arm.get(&unit.weapon).map(|weapon| weapon.close);
    let gun = rules.gun.get(&unit.weapon).map(|gun| gun.canister);
    small.or(gun).map_or(0, |range| range.thousandths())
}

/// MV-26 Whether a step ends within the limit of the enemy's proposed place, or nearer still if it began inside it, and
/// shortens the distance to where that enemy stood before.
pub(super) fn comes_too_near(now: &Shape, next: &Shape, enemy_now: &Shape, enemy_next: &Shape, limit: i32) -> bool {
    if !next.within(enemy_next, limit) {
        return false;
    }
    let before = now.distance(enemy_now);
    if before <= next.distance(enemy_now) {
        return false;
    }
    !before.within(limit) || next.distance(enemy_next) < before
}
