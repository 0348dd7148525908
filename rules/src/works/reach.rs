//! Obstacles and works within reach of a unit that is to work at them. OBS-15, OBS-23, WORKS-13
//!
//! Owns the inch, on either side, and the choice of one of several.

use protocol::place::Point;

use super::Site;
use crate::battle::UnitIx;
use crate::field::Field;
use crate::geometry::{self, Rect};
use crate::ground::{Nearest, Obstacle, ObstacleKind, Stretch};

/// OBS-15, OBS-23, WORKS-13 A unit works at what is within this distance, thousandths of an inch.
pub(super) const REACH: i32 = 1_000;

/// The obstacle of the wanted kinds that the unit works at: the one it has begun with, else the one nearest to the point
/// that was named, else the one nearest to its anchor; and the place of it that is nearest to the anchor. None within reach.
pub(super) fn obstacle<'a>(
    field: &Field<'a>,
    ix: UnitIx,
    site: Site<'_>,
    at: &[Point],
    wanted: impl Fn(ObstacleKind) -> bool,
) -> Option<Nearest<'a>> {
    let ground = field.ground();
    let begun = |obstacle: &&Obstacle| site.obstacle.is_none_or(|id| obstacle.id == *id);
    let near = ground.obstacles().filter(|obstacle| wanted(obstacle.kind)).filter(begun);
    let near = near.filter(|obstacle| is_within_reach(field, ix, obstacle));
    let to = at.first().copied().unwrap_or(site.anchor);
    let chosen = near.filter_map(|obstacle| ground.nearest_standing(obstacle, to));
    let chosen =
        chosen.min_by(|one, other| (one.distance, &one.obstacle.id).cmp(&(other.distance, &other.obstacle.id)));
    ground.nearest_standing(chosen?.obstacle, site.anchor)
}

/// Whether what stands of an obstacle is within an inch of a unit, on either side.
pub(super) fn is_within_reach(field: &Field<'_>, ix: UnitIx, obstacle: &Obstacle) -> bool {
    let stands = field.stands(ix);
    field.ground().standing_lines(obstacle).iter().any(|line| is_beside(&stands, line))
}

/// Whether a line is within an inch of stands.
pub(super) fn is_beside(stands: &[Rect], line: &[Point]) -> bool {
    line.windows(2).any(|part| {
        let near = |stand: &Rect| geometry::segment_to_polygon(part[0], part[1], &stand.corners).within(REACH);
        stands.iter().any(near)
    })
}

/// OBS-15, WORKS-13 The stretches about a place that make so much of an obstacle, by name.
pub(super) fn stretches(
    field: &Field<'_>,
    nearest: &Nearest<'_>,
    length: i32,
) -> Vec<(protocol::ids::FeatureId, Stretch)> {
    let mut stretches = field.ground().stretches_about(nearest.obstacle, nearest.along, length);
    // The one at which the unit works comes first.
    stretches.sort_by_key(|(obstacle, _)| obstacle.id != nearest.obstacle.id);
    stretches.into_iter().map(|(obstacle, stretch)| (obstacle.id.clone(), stretch)).collect()
}
