//! Features of the ground as objects of a charge. CHG-11, CHG-12

use protocol::ids::FeatureId;
use protocol::place::Point;

use crate::battle::UnitIx;
use crate::field::Field;
use crate::geometry;

/// CHG-11 The point of a feature nearest to a unit's anchor: of an obstacle, a way, a building or an area that it can see. None:
/// there is no such feature, or it cannot be picked out by eye.
pub fn nearest(field: &Field<'_>, ix: UnitIx, feature: &FeatureId) -> Option<Point> {
    let anchor = field.unit(ix).footing.anchor;
    let point = nearest_point(&outline(field, feature)?, anchor)?;
    let ground = field.ground();
    field.stands(ix).iter().any(|stand| crate::sight::sight_line(&ground, stand.center, point).is_ok()).then_some(point)
}

/// The line of a feature; a closed one ends where it begins.
fn outline(field: &Field<'_>, feature: &FeatureId) -> Option<Vec<Point>> {
    let ground = field.ground().ground();
    let closed = |outline: &[Point]| outline.iter().copied().chain(outline.first().copied()).collect();
    let obstacle =
        ground.obstacles.iter().find(|obstacle| obstacle.id == *feature).map(|obstacle| obstacle.line.clone());
    let way = || ground.ways.iter().find(|way| way.id == *feature).map(|way| way.line.clone());
    let area = || ground.areas.iter().find(|area| area.id == *feature).map(|area| closed(&area.outline));
    let building =
        || ground.buildings.iter().find(|building| building.id == *feature).map(|building| closed(&building.outline));
    obstacle.or_else(way).or_else(area).or_else(building)
}

fn nearest_point(line: &[Point], to: Point) -> Option<Point> {
    let feet = line.windows(2).map(|pair| {
        (geometry::point_to_segment(to, pair[0], pair[1]), geometry::nearest_on_segment(to, pair[0], pair[1]))
    });
    feet.min_by_key(|(distance, _)| *distance).map(|(_, foot)| foot)
}

/// CHG-12 The travel along a straight way at which an anchor first reaches a feature, thousandths of an inch.
pub fn reached_at(field: &Field<'_>, feature: &FeatureId, from: Point, to: Point) -> Option<i32> {
    let line = outline(field, feature)?;
    let length = geometry::segment_length(from, to);
    let meets = |travel: i32| {
        let end = geometry::point_toward(from, to, travel);
        line.windows(2).any(|pair| geometry::segments_meet(from, end, pair[0], pair[1]))
    };
    if !meets(length) {
        return None;
    }
    let (mut low, mut high) = (0, length);
    while low < high {
        let middle = low + (high - low) / 2;
        if meets(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}
