//! Reading the map of a scenario into [`Ground`].
//!
//! Owns the `[[map...]]` tables and their GeoJSON-shaped geometry in inches: the right type for each feature, rings
//! that enclose ground and do not cross themselves, contours that do not cross each other. It asks nothing about
//! units.

use protocol::ids::FeatureId;
use protocol::place::Point;
use serde::Deserialize;
use toml::de::DeValue;

use super::entry::{Entry, Value};
use super::shape;
use crate::ground::{Area, Building, Contour, Ground, Obstacle, Place, Stream, Terrain, Way, Wooded};

/// Features may reach so far beyond the table, thousandths of an inch: they are cut off there.
const BEYOND: i32 = 20_000;

/// No outline or line has more points; a limit against files that are no maps.
const MOST_POINTS: usize = 2_000;

/// The full width of a way that says nothing: a column of four abreast, as wide as an ordinary stand. SCALE-04
const WAY_WIDTH: i32 = 800;

/// A feature that others may name, with where its id stands.
pub(super) struct Named {
    pub(super) id: String,
    pub(super) at: usize,
    /// Whether it is a line, which has sides and parts.
    pub(super) line: bool,
}

/// Reads `[map]`.
pub(super) fn map(mut e: Entry<'_, '_>, width: i32, height: i32) -> (Ground, Vec<Named>) {
    let mut named = Vec::new();
    let ground = Ground {
        width,
        height,
        areas: e.tables("area").into_iter().map(|e| area(e, &mut named)).collect(),
        contours: contours(e.tables("contour")),
        ways: e.tables("way").into_iter().map(|e| way(e, &mut named)).collect(),
        streams: e.tables("stream").into_iter().map(|e| stream(e, &mut named)).collect(),
        obstacles: e.tables("obstacle").into_iter().map(|e| obstacle(e, &mut named)).collect(),
        buildings: e.tables("building").into_iter().map(|e| building(e, &mut named)).collect(),
        places: e.tables("place").into_iter().map(|e| place(e, &mut named)).collect(),
        seen_as: Vec::new(),
    };
    e.finish();
    (ground, named)
}

fn id(e: &mut Entry<'_, '_>, named: &mut Vec<Named>, line: bool) -> FeatureId {
    let id = e.id("id");
    named.push(Named { id: id.clone(), at: e.place_of("id"), line });
    FeatureId::new(id)
}

fn area(mut e: Entry<'_, '_>, named: &mut Vec<Named>) -> Area {
    let terrain = e.word("terrain");
    // SCALE-04: woods are light and rough is bare unless the map says otherwise.
    let default = if terrain == Terrain::Woods { Wooded::Light } else { Wooded::None };
    let wooded = e.word_or("wooded", default);
    let sound = match terrain {
        Terrain::Woods => wooded != Wooded::None,
        Terrain::Rough => wooded != Wooded::Light,
        Terrain::Open | Terrain::Broken => wooded == Wooded::None,
    };
    if !sound {
        let cure = "woods are light or heavy, rough is none or heavy, other ground has no trees (SCALE-04)";
        e.fault(e.place_of("wooded"), "the trees do not suit the ground", cure);
    }
    let area = Area { id: id(&mut e, named, false), name: e.text("name"), terrain, wooded, outline: ring(&mut e) };
    e.opt_text("note");
    e.finish();
    area
}

fn contours(entries: Vec<Entry<'_, '_>>) -> Vec<Contour> {
    let mut contours: Vec<Contour> = Vec::new();
    for mut e in entries {
        let contour = Contour { feet: e.int("feet", 1..=5000), outline: ring(&mut e) };
        let crossed = contours
            .iter()
            .find_map(|other| shape::crossing(&other.outline, &contour.outline).map(|at| (other.feet, at)));
        if let Some((feet, at)) = crossed {
            let what = format!("the contour of {} feet crosses one of {feet} feet near {}", contour.feet, inches(at));
            e.fault(e.place_of("geometry"), what, "draw the higher one inside the lower one");
        }
        e.opt_text("note");
        e.finish();
        contours.push(contour);
    }
    contours
}

fn way(mut e: Entry<'_, '_>, named: &mut Vec<Named>) -> Way {
    let way = Way {
        id: id(&mut e, named, true),
        name: e.text("name"),
        kind: e.word("kind"),
        width: e.opt_decimal("width", 100..=4000).unwrap_or(WAY_WIDTH),
        line: line(&mut e),
    };
    e.opt_text("note");
    e.finish();
    way
}

fn stream(mut e: Entry<'_, '_>, named: &mut Vec<Named>) -> Stream {
    let stream = Stream { id: id(&mut e, named, true), name: e.text("name"), line: line(&mut e) };
    e.opt_text("note");
    e.finish();
    stream
}

fn obstacle(mut e: Entry<'_, '_>, named: &mut Vec<Named>) -> Obstacle {
    let obstacle = Obstacle { id: id(&mut e, named, true), kind: e.word("kind"), line: line(&mut e) };
    e.opt_text("name");
    e.opt_text("note");
    e.finish();
    obstacle
}

fn building(mut e: Entry<'_, '_>, named: &mut Vec<Named>) -> Building {
    let building =
        Building { id: id(&mut e, named, false), name: e.text("name"), kind: e.word("kind"), outline: ring(&mut e) };
    e.opt_text("note");
    e.finish();
    building
}

fn place(mut e: Entry<'_, '_>, named: &mut Vec<Named>) -> Place {
    let place = Place {
        id: id(&mut e, named, false),
        name: e.text("name"),
        outline: ring(&mut e),
        shown: e.flag("shown", true),
    };
    e.opt_text("note");
    e.finish();
    place
}

/// The GeoJSON types that a map uses.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
enum GeometryType {
    Polygon,
    LineString,
}

/// `geometry = { type = "Polygon", coordinates = [[[x, y], ...]] }`: one ring, given closed or not, kept open.
pub(super) fn ring(e: &mut Entry<'_, '_>) -> Vec<Point> {
    let Some((mut geometry, at)) = geometry(e, GeometryType::Polygon) else { return Vec::new() };
    let rings: Vec<Vec<Point>> =
        geometry.list("coordinates", "a list of rings, [[[x, y], ...]]", |e, ring| points(e, ring));
    geometry.finish();
    let Some(mut ring) = rings.first().cloned() else {
        e.fault(at, "the polygon has no ring", "give `coordinates = [[[x, y], ...]]`");
        return Vec::new();
    };
    if 1 < rings.len() {
        e.fault(at, "the polygon has holes", "draw what lies inside as an area of its own");
    }
    if ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    let sound = e.shared.faults.is_empty();
    if ring.len() < 3 || (sound && shape::twice_area(&ring) == 0) {
        e.fault(at, "the outline encloses no ground", "give at least three corners, not in one line");
    } else if ring.len() <= MOST_POINTS
        && let Some(crossed) = shape::self_crossing(&ring)
    {
        let what = format!("the outline crosses itself near {}", inches(crossed));
        e.fault(at, what, "give its corners in order round the ground");
    }
    ring
}

/// `geometry = { type = "LineString", coordinates = [[x, y], ...] }`.
fn line(e: &mut Entry<'_, '_>) -> Vec<Point> {
    let Some((mut geometry, at)) = geometry(e, GeometryType::LineString) else { return Vec::new() };
    let line = geometry.list("coordinates", "a list of points, [[x, y], ...]", |e, point| {
        Some(e.as_point("coordinates", point, BEYOND))
    });
    geometry.finish();
    if line.len() < 2 || MOST_POINTS < line.len() {
        e.fault(at, format!("a line of {} points", line.len()), format!("a line has 2 to {MOST_POINTS} points"));
    } else if line.windows(2).any(|pair| pair[0] == pair[1]) {
        e.fault(at, "the line stands still", "leave out the point that is given twice running");
    }
    line
}

fn geometry<'a, 't>(e: &mut Entry<'a, 't>, wanted: GeometryType) -> Option<(Entry<'a, 't>, usize)> {
    let cure = match wanted {
        GeometryType::Polygon => "a polygon, { type = \"Polygon\", coordinates = [[[x, y], ...]] }",
        GeometryType::LineString => "a line, { type = \"LineString\", coordinates = [[x, y], ...] }",
    };
    e.need("geometry", cure)?;
    let mut geometry = e.table("geometry")?;
    geometry.label = format!("{}, geometry", e.label);
    let at = geometry.at;
    let given: Option<GeometryType> = geometry.opt_word("type");
    if given.is_some_and(|given| given != wanted) || !geometry.has("type") {
        e.fault(at, "the geometry has the wrong type", format!("wanted is {cure}"));
        return None;
    }
    Some((geometry, at))
}

fn points(e: &Entry<'_, '_>, ring: &Value<'_>) -> Option<Vec<Point>> {
    let DeValue::Array(list) = ring.get_ref() else {
        e.fault(ring.span().start, "a ring is a list of points", "write [[[x, y], [x, y], ...]]");
        return None;
    };
    let points: Vec<Point> = list.iter().map(|point| e.as_point("coordinates", point, BEYOND)).collect();
    if MOST_POINTS < points.len() {
        e.fault(ring.span().start, "too many points", format!("an outline has at most {MOST_POINTS}"));
    }
    Some(points)
}

fn inches(at: Point) -> String {
    format!("[{}, {}]", super::entry::decimal_text(at.x), super::entry::decimal_text(at.y))
}
