//! Places that a term names, and the edges of the table. SCNV-02
//!
//! Owns the types and the reading of them. Whether troops are in a place is told by [`crate::places`].

use protocol::ids::FeatureId;
use protocol::place::{Bearing, Point};
use serde::{Deserialize, Serialize};

use crate::scenario::entry::{Entry, Names, parse_word, shorten};

/// An edge of the table. SCN-02
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// Greatest y.
    North,
    /// Greatest x.
    East,
    /// y = 0.
    South,
    /// x = 0.
    West,
}

/// An edge or a part of it. SCN-04, SCN-14
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// The edge.
    pub edge: Edge,
    /// Where it begins, thousandths of an inch along the edge from the west or south.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
}

/// A place that a term names. SCNV-02
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlaceTerm {
    /// A feature of the map: an area, a named place, a building, or a line with an inch on either side.
    Feature(FeatureId),
    /// A circle.
    Around {
        /// Its middle.
        at: Point,
        /// Its radius, thousandths of an inch.
        radius: i32,
    },
    /// A polygon.
    Area(Vec<Point>),
    /// All ground higher than so many feet.
    HeightOver(i32),
    /// The ground on one side of a line feature, prolonged straight to the edges.
    SideOf {
        /// The line feature.
        line: FeatureId,
        /// On which side.
        side: Edge,
    },
    /// A stretch of an edge.
    Edge(Stretch),
}

pub(super) const PLACE_CURE: &str =
    "give one of `place`, `at` with `radius_inches`, `area`, `height_over_ft`, `side_of`, `edge` (SCNV-02)";

pub(super) fn needed_place(e: &mut Entry<'_, '_>) -> PlaceTerm {
    let said = PLACE_KEYS.iter().any(|key| e.has(key));
    let place = optional_place(e);
    if !said {
        e.fault(e.at, "a place is missing", PLACE_CURE);
    }
    place.unwrap_or(PlaceTerm::HeightOver(0))
}

const PLACE_KEYS: [&str; 6] = ["place", "at", "area", "height_over_ft", "side_of", "edge"];

/// SCNV-02 The place of a term.
pub(super) fn optional_place(e: &mut Entry<'_, '_>) -> Option<PlaceTerm> {
    let said = PLACE_KEYS.iter().filter(|key| e.has(key)).count();
    if 1 < said {
        e.fault(e.at, "more than one place", PLACE_CURE);
    }
    let feature = e.opt_name("place", Names::Feature).map(|id| PlaceTerm::Feature(FeatureId::new(id)));
    let at = e.opt_point("at");
    let radius = e.opt_decimal("radius_inches", 1..=100_000).unwrap_or(2000);
    let around = at.map(|at| PlaceTerm::Around { at, radius });
    let area = e.opt_points("area", 0).map(|points| {
        if points.len() < 3 {
            e.fault(e.place_of("area"), "an area of fewer than three points", "give its corners in order");
        }
        PlaceTerm::Area(points)
    });
    let height = e.opt_int("height_over_ft", 0..=5000).map(PlaceTerm::HeightOver);
    let side_of = e.texts("side_of");
    let side_of = match side_of.as_slice() {
        [] => None,
        [line, side] => {
            e.shared.refer(Names::Line, line, e.place_of("side_of"));
            let side = parse_word(side).unwrap_or_else(|| {
                e.fault(
                    e.place_of("side_of"),
                    format!("no side is called `{}`", shorten(side)),
                    "use north, east, south or west",
                );
                Edge::North
            });
            Some(PlaceTerm::SideOf { line: FeatureId::new(line.clone()), side })
        }
        _ => {
            e.fault(e.place_of("side_of"), "`side_of` takes a line and a side", "such as [\"plum_run\", \"east\"]");
            None
        }
    };
    let stretch = stretch(e, "edge").map(PlaceTerm::Edge);
    feature.or(around).or(area).or(height).or(side_of).or(stretch)
}

/// An edge, `"north"`, or a stretch of it, `["north", from, to]` in inches.
pub(in crate::scenario) fn stretch(e: &mut Entry<'_, '_>, key: &'static str) -> Option<Stretch> {
    use toml::de::DeValue;
    let value = e.get(key)?;
    let (width, height) = e.shared.table.get();
    let length = |edge: Edge| if matches!(edge, Edge::North | Edge::South) { width } else { height };
    let wanted = "an edge is \"north\", or a stretch of it [\"north\", from, to] in inches from the west or south";
    let read = match value.get_ref() {
        DeValue::String(text) => parse_word(text).map(|edge| Stretch { edge, from: 0, to: length(edge) }),
        DeValue::Array(list) => match list.iter().collect::<Vec<_>>().as_slice() {
            [edge, from, to] => edge.get_ref().as_str().and_then(parse_word).map(|edge: Edge| Stretch {
                edge,
                from: e.as_decimal(key, from, 0..=length(edge)),
                to: e.as_decimal(key, to, 0..=length(edge)),
            }),
            _ => None,
        },
        _ => None,
    };
    match read {
        Some(stretch) if stretch.from < stretch.to => read,
        _ => {
            e.fault(value.span().start, format!("`{key}` is no stretch of an edge"), wanted);
            None
        }
    }
}

/// SCN-11 Who enters by an edge has his front along it, facing the table; an inner place says nothing.
pub fn facing_at_door(place: &PlaceTerm) -> Option<Bearing> {
    let PlaceTerm::Edge(stretch) = place else { return None };
    Some(match stretch.edge {
        Edge::North => Bearing::SOUTH,
        Edge::East => Bearing::WEST,
        Edge::South => Bearing::NORTH,
        Edge::West => Bearing::EAST,
    })
}

/// SCN-11 The point at which an arrival stands at the door: the place itself, or the middle of its stretch of edge.
pub fn door(place: &PlaceTerm, ground: &crate::ground::Ground) -> Point {
    match place {
        PlaceTerm::Around { at, .. } => *at,
        PlaceTerm::Edge(stretch) => {
            let along = (stretch.from + stretch.to) / 2;
            match stretch.edge {
                Edge::North => Point::new(along, ground.height),
                Edge::South => Point::new(along, 0),
                Edge::East => Point::new(ground.width, along),
                Edge::West => Point::new(0, along),
            }
        }
        // The reader lets an arrival enter at a point or an edge only.
        PlaceTerm::Feature(_) | PlaceTerm::Area(_) | PlaceTerm::HeightOver(_) | PlaceTerm::SideOf { .. } => {
            Point::new(ground.width / 2, ground.height / 2)
        }
    }
}
