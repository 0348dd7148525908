//! Destroying obstacles. OBS-15, OBS-20, OBS-27
//!
//! Owns what can be destroyed, how much of it and how long that takes. Hasty works stand in `hasty`.

use protocol::place::Point;

use super::{Outcome, Plan, Reason, Site, Span, frontage, hasty, reach};
use crate::battle::UnitIx;
use crate::catalogue::{OBS_07, OBS_15, OBS_20, OBS_27, RuleId, WORKS_15};
use crate::field::Field;
use crate::ground::{Nearest, ObstacleKind};
use crate::ruleset;

/// OBS-25, OBS-27 Lines of chevaux no farther apart than this are a double row, thousandths of an inch.
const DOUBLE_ROW: i32 = 2_000;

/// OBS-15, OBS-20, OBS-27 What a unit would destroy: its frontage of the obstacle, about the place nearest to its anchor.
pub(super) fn plan(field: &Field<'_>, ix: UnitIx, site: Site<'_>, at: &[Point]) -> Result<Plan, Reason> {
    let wanted = |kind: ObstacleKind| !kind.is_fence();
    let Some(nearest) = reach::obstacle(field, ix, site, at, wanted) else {
        return Err((OBS_07, "has no obstacle and no works within an inch to destroy; march there first".to_owned()));
    };
    let rows = &field.rules.obstacle;
    match nearest.obstacle.kind {
        ObstacleKind::Abatis => Ok(removal(field, ix, &nearest, OBS_15, &rows.abatis)),
        ObstacleKind::Fraise => Ok(removal(field, ix, &nearest, OBS_20, &rows.fraise)),
        ObstacleKind::ChevauxDeFrise => Ok(of_chevaux(field, ix, &nearest)),
        ObstacleKind::HastyWorks => hasty::plan_destroying(field, ix, &nearest),
        ObstacleKind::MediumWorks | ObstacleKind::HeavyWorks => {
            Err((WORKS_15, "cannot destroy medium or heavy works: nothing but artillery breaks them".to_owned()))
        }
        ObstacleKind::Fence | ObstacleKind::StoneWall | ObstacleKind::Bank => {
            Err((OBS_07, "cannot destroy fences and walls: nothing is gained by it".to_owned()))
        }
    }
}

fn removal(field: &Field<'_>, ix: UnitIx, nearest: &Nearest<'_>, rule: RuleId, row: &ruleset::Obstacle) -> Plan {
    let span =
        Span { alone: row.destroy_turns.unsigned_abs(), with_engineers: row.destroy_turns_engineers.unsigned_abs() };
    let stretches = reach::stretches(field, nearest, frontage(field.unit(ix)));
    Plan { rule, span, roll: None, outcome: Outcome::Remove(stretches) }
}

/// OBS-27 A line of chevaux, or a double row in as many turns as it has lines.
fn of_chevaux(field: &Field<'_>, ix: UnitIx, nearest: &Nearest<'_>) -> Plan {
    let one = removal(field, ix, nearest, OBS_27, &field.rules.obstacle.chevaux_de_frise);
    let Outcome::Remove(mut stretches) = one.outcome.clone() else { return one };
    let Some(second) = second_line(field, nearest, &stretches) else { return one };
    let other = removal(field, ix, &second, OBS_27, &field.rules.obstacle.chevaux_de_frise);
    if let Outcome::Remove(more) = other.outcome {
        stretches.extend(more);
    }
    let span = Span {
        alone: one.span.alone + other.span.alone,
        with_engineers: one.span.with_engineers + other.span.with_engineers,
    };
    Plan { span, outcome: Outcome::Remove(stretches), ..one }
}

/// The other line of a double row, none of those that are joined to the first.
fn second_line<'a>(
    field: &Field<'a>,
    nearest: &Nearest<'a>,
    first: &[(protocol::ids::FeatureId, crate::ground::Stretch)],
) -> Option<Nearest<'a>> {
    let ground = field.ground();
    let both_ways = [false, true].into_iter().flat_map(|way| ground.outward(nearest.obstacle, nearest.along, way));
    let joined: Vec<_> = both_ways.map(|walked| &walked.obstacle.id).chain(first.iter().map(|(id, _)| id)).collect();
    let others = ground.obstacles().filter(|other| other.kind == ObstacleKind::ChevauxDeFrise);
    let others = others.filter(|other| !joined.contains(&&other.id));
    let near = others.filter_map(|other| ground.nearest_standing(other, nearest.point));
    let near = near.filter(|other| other.distance.within(DOUBLE_ROW));
    near.min_by(|one, other| (one.distance, &one.obstacle.id).cmp(&(other.distance, &other.obstacle.id)))
}
