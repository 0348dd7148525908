//! Places that a scenario names: whether a point, a stand or a unit is in one. SCNV-02
//!
//! Owns the reading of [`PlaceTerm`] over the map. It never asks who holds a place: that is [`crate::victory`].

#[cfg(test)]
mod tests;

use protocol::ids::FeatureId;
use protocol::place::Point;

use crate::battle::UnitIx;
use crate::field::Field;
use crate::geometry::{self, Rect};
use crate::ground::{Ground, GroundNow};
use crate::scenario::{Edge, PlaceTerm, Stretch};

/// SCNV-02 At a line or a building: within so many thousandths of an inch.
const BESIDE: i32 = 1_000;

/// Farther than any table, thousandths of an inch: where lines that are prolonged end.
const FAR: i32 = 400_000;

/// The shape of a named feature.
enum Shape<'g> {
    /// Ground inside an outline.
    Inside(&'g [Point]),
    /// A building.
    House(&'g [Point]),
    /// A line.
    Line(&'g [Point]),
}

/// SCNV-02 Whether a unit is in a place: half of its stands or more.
pub fn holds_unit(field: &Field<'_>, place: &PlaceTerm, unit: UnitIx) -> bool {
    let stands = field.layout(unit).stands.len();
    stands != 0 && stands <= 2 * stands_in(field, place, unit)
}

/// How many of a unit's stands are in a place.
pub fn stands_in(field: &Field<'_>, place: &PlaceTerm, unit: UnitIx) -> usize {
    field.layout(unit).rects().filter(|stand| holds_stand(field.ground(), place, stand)).count()
}

/// SCNV-02 Whether a stand is in a place: its centre, or at a line or building any of it within an inch.
pub fn holds_stand(ground: GroundNow<'_>, place: &PlaceTerm, stand: &Rect) -> bool {
    match place {
        PlaceTerm::Feature(id) => match shape(ground.ground(), id) {
            Some(Shape::Line(line)) => {
                let near = |leg: &[Point]| geometry::segment_to_polygon(leg[0], leg[1], &stand.corners).within(BESIDE);
                line.windows(2).any(near)
            }
            Some(Shape::House(outline)) => geometry::between_polygons(outline, &stand.corners).within(BESIDE),
            Some(Shape::Inside(_)) | None => holds_point(ground, place, stand.center),
        },
        PlaceTerm::Edge(stretch) => {
            let (from, to) = ends(ground.ground(), stretch);
            geometry::segment_to_polygon(from, to, &stand.corners).within(BESIDE)
        }
        PlaceTerm::Around { .. } | PlaceTerm::Area(_) | PlaceTerm::HeightOver(_) | PlaceTerm::SideOf { .. } => {
            holds_point(ground, place, stand.center)
        }
    }
}

/// Whether a point lies in a place. A line, a building or an edge holds what is within an inch of it.
pub fn holds_point(ground: GroundNow<'_>, place: &PlaceTerm, point: Point) -> bool {
    match place {
        PlaceTerm::Feature(id) => match shape(ground.ground(), id) {
            Some(Shape::Inside(outline)) => geometry::contains_within_eps(outline, point),
            Some(Shape::House(outline)) => geometry::point_to_polygon(point, outline).within(BESIDE),
            Some(Shape::Line(line)) => {
                line.windows(2).any(|leg| geometry::point_to_segment(point, leg[0], leg[1]).within(BESIDE))
            }
            None => false,
        },
        PlaceTerm::Around { at, radius } => geometry::between_points(*at, point).within(*radius),
        PlaceTerm::Area(outline) => geometry::contains_within_eps(outline, point),
        PlaceTerm::HeightOver(feet) => *feet < ground.level(point),
        PlaceTerm::SideOf { line, side } => is_beyond(ground.ground(), line, *side, point),
        PlaceTerm::Edge(stretch) => {
            let (from, to) = ends(ground.ground(), stretch);
            geometry::point_to_segment(point, from, to).within(BESIDE)
        }
    }
}

/// Whether a point lies on the ground of a place, as terrain is asked: an area ends at its very border, without the tolerance
/// of SCALE-07.
pub fn covers_point(ground: GroundNow<'_>, place: &PlaceTerm, point: Point) -> bool {
    let outline = match place {
        PlaceTerm::Area(outline) => Some(outline.as_slice()),
        PlaceTerm::Feature(id) => match shape(ground.ground(), id) {
            Some(Shape::Inside(outline)) => Some(outline),
            _ => None,
        },
        _ => None,
    };
    match outline {
        Some(outline) => geometry::contains(outline, point),
        None => holds_point(ground, place, point),
    }
}

/// What players call a place, for sentences; its word where the map gives it no name.
pub fn name(ground: &Ground, place: &PlaceTerm) -> String {
    match place {
        PlaceTerm::Feature(id) => {
            let places = ground.places.iter().filter(|place| place.id == *id).map(|place| &place.name);
            let areas = ground.areas.iter().filter(|area| area.id == *id).map(|area| &area.name);
            let buildings =
                ground.buildings.iter().filter(|building| building.id == *id).map(|building| &building.name);
            let ways = ground.ways.iter().filter(|way| way.id == *id).map(|way| &way.name);
            let streams = ground.streams.iter().filter(|stream| stream.id == *id).map(|stream| &stream.name);
            let mut known = places.chain(areas).chain(buildings).chain(ways).chain(streams);
            // Fences, walls and works have no name but their word.
            known
                .find(|name| !name.is_empty())
                .cloned()
                .unwrap_or_else(|| format!("the {}", id.as_str().replace('_', " ")))
        }
        PlaceTerm::Around { .. } | PlaceTerm::Area(_) => "the place".to_owned(),
        PlaceTerm::HeightOver(feet) => format!("the ground higher than {feet} feet"),
        PlaceTerm::SideOf { line, side } => {
            let line = name(ground, &PlaceTerm::Feature(line.clone()));
            format!("the ground {} of {line}", edge_word(*side))
        }
        PlaceTerm::Edge(stretch) => format!("the {} edge", edge_word(stretch.edge)),
    }
}

/// The feature of a place, where it is one.
pub fn feature(place: &PlaceTerm) -> Option<&FeatureId> {
    match place {
        PlaceTerm::Feature(id) => Some(id),
        PlaceTerm::Around { .. }
        | PlaceTerm::Area(_)
        | PlaceTerm::HeightOver(_)
        | PlaceTerm::SideOf { .. }
        | PlaceTerm::Edge(_) => None,
    }
}

/// The line of a place that is a line of the map.
pub fn line<'g>(ground: &'g Ground, place: &PlaceTerm) -> Option<&'g [Point]> {
    match shape(ground, feature(place)?)? {
        Shape::Line(line) => Some(line),
        Shape::Inside(_) | Shape::House(_) => None,
    }
}

/// The outline of a place that is an area or a building.
pub fn outline<'p>(ground: &'p Ground, place: &'p PlaceTerm) -> Option<&'p [Point]> {
    match place {
        PlaceTerm::Area(outline) => Some(outline),
        PlaceTerm::Feature(id) => match shape(ground, id)? {
            Shape::Inside(outline) | Shape::House(outline) => Some(outline),
            Shape::Line(_) => None,
        },
        PlaceTerm::Around { .. } | PlaceTerm::HeightOver(_) | PlaceTerm::SideOf { .. } | PlaceTerm::Edge(_) => None,
    }
}

/// SCNV-02 The part, from 0, of a line feature cut into `parts` equal lengths to which a stand belongs; none: no line.
pub fn part_of(ground: &Ground, place: &PlaceTerm, parts: u32, stand: &Rect) -> Option<u32> {
    let Some(Shape::Line(line)) = feature(place).and_then(|id| shape(ground, id)) else { return None };
    let whole = i64::from(geometry::polyline_length(line));
    let legs = line.windows(2).enumerate();
    let nearest = legs.min_by_key(|(_, leg)| geometry::point_to_segment(stand.center, leg[0], leg[1]));
    let (number, leg) = nearest?;
    let foot = geometry::nearest_on_segment(stand.center, leg[0], leg[1]);
    let before = geometry::polyline_length(&line[..=number]) + geometry::segment_length(leg[0], foot);
    let part = i64::from(before) * i64::from(parts) / whole.max(1);
    Some(u32::try_from(part).unwrap_or(0).min(parts.saturating_sub(1)))
}

fn shape<'g>(ground: &'g Ground, id: &FeatureId) -> Option<Shape<'g>> {
    let places = ground.places.iter().filter(|place| place.id == *id).map(|place| Shape::Inside(&place.outline));
    let areas = ground.areas.iter().filter(|area| area.id == *id).map(|area| Shape::Inside(&area.outline));
    let houses = ground.buildings.iter().filter(|house| house.id == *id).map(|house| Shape::House(&house.outline));
    let ways = ground.ways.iter().filter(|way| way.id == *id).map(|way| Shape::Line(&way.line));
    let streams = ground.streams.iter().filter(|stream| stream.id == *id).map(|stream| Shape::Line(&stream.line));
    let obstacles = ground.obstacles.iter().filter(|obstacle| obstacle.id == *id).map(|o| Shape::Line(&o.line));
    places.chain(areas).chain(houses).chain(ways).chain(streams).chain(obstacles).next()
}

/// SCN-04 The ends of a stretch of the table's edge.
fn ends(ground: &Ground, stretch: &Stretch) -> (Point, Point) {
    let along = |at: i32| match stretch.edge {
        Edge::North => Point::new(at, ground.height),
        Edge::South => Point::new(at, 0),
        Edge::East => Point::new(ground.width, at),
        Edge::West => Point::new(0, at),
    };
    (along(stretch.from), along(stretch.to))
}

/// SCNV-02 Whether a point lies on one side of a line prolonged straight to the edges: the way to the other side crosses
/// it an odd number of times.
fn is_beyond(ground: &Ground, line: &FeatureId, side: Edge, point: Point) -> bool {
    let Some(Shape::Line(line)) = shape(ground, line) else { return false };
    let other_side = match side {
        Edge::North => Point::new(point.x, -FAR),
        Edge::South => Point::new(point.x, FAR),
        Edge::East => Point::new(-FAR, point.y),
        Edge::West => Point::new(FAR, point.y),
    };
    let mut prolonged = line.to_vec();
    if let [first, second, ..] = line {
        prolonged.insert(0, geometry::point_toward(*second, *first, FAR));
    }
    if let [.., before, last] = line {
        prolonged.push(geometry::point_toward(*before, *last, FAR));
    }
    prolonged.windows(2).filter(|leg| crosses(point, other_side, leg[0], leg[1])).count() % 2 == 1
}

/// Whether a segment straight along an axis crosses another; a corner that it passes counts once.
fn crosses(from: Point, to: Point, a: Point, b: Point) -> bool {
    let upright = from.x == to.x;
    let aside = |p: Point| if upright { p.x >= from.x } else { p.y >= from.y };
    aside(a) != aside(b) && geometry::segments_meet(from, to, a, b)
}

/// The word of an edge, in small letters.
pub fn edge_word(edge: Edge) -> &'static str {
    match edge {
        Edge::North => "north",
        Edge::East => "east",
        Edge::South => "south",
        Edge::West => "west",
    }
}
