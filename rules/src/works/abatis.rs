//! Felling an abatis. OBS-02 to OBS-05, OBS-09
//!
//! Owns where it may be felled, where it will lie and how long it takes.

use protocol::place::Point;

use super::{Outcome, Plan, Reason, Site, Span, frontage};
use crate::battle::UnitIx;
use crate::catalogue::{OBS_02, OBS_03, OBS_04, OBS_09};
use crate::field::Field;
use crate::geometry::{self, Frame};
use crate::ground::{Area, ObstacleKind, Terrain, Wooded};
use crate::house::Brush;

/// OBS-09 The line lies at most so far in front of the unit, thousandths of an inch.
const FARTHEST: i32 = 1_000;

/// OBS-03 The unit, and the line, may be so far from the trees, thousandths of an inch.
const FROM_THE_TREES: i32 = 1_000;

/// OBS-02 to OBS-04, OBS-09 The abatis that a unit would fell.
pub(super) fn plan(field: &Field<'_>, ix: UnitIx, site: Site<'_>, at: &[Point]) -> Result<Plan, Reason> {
    let unit = field.unit(ix);
    let frame = Frame::new(site.anchor, site.facing);
    let distance = distance(frame, at)?;
    // Offsets in half-thousandths: half a frontage is not a whole thousandth.
    let (ahead, width) = (i64::from(distance) * 2, i64::from(frontage(unit)));
    let line = vec![frame.at_halves(ahead, -width), frame.at_halves(ahead, width)];
    let trees = areas_with_trees(field);
    if !is_near(&trees, site.anchor) {
        return Err((
            OBS_03,
            "is not within an inch of woods or brush, where an abatis is felled; march there first".to_owned(),
        ));
    }
    let middle = frame.at(distance, 0);
    if !line.iter().chain([&middle]).all(|point| is_near(&trees, *point)) {
        return Err((
            OBS_03,
            "would have to drag the trees more than an inch from woods or brush; stand nearer, or lay it closer"
                .to_owned(),
        ));
    }
    let row = &field.rules.obstacle.abatis;
    let bmp = unit.base_morale_point(field.rules);
    let turns = |per_bmp: Option<i32>| per_bmp.map(|per_bmp| (per_bmp * bmp).unsigned_abs());
    let span = turns(row.build_turns_per_bmp).zip(turns(row.build_turns_per_bmp_engineers));
    let Some((alone, with_engineers)) = span else {
        return Err((OBS_04, "cannot build an abatis: the tables in force give no time for it".to_owned()));
    };
    let outcome = Outcome::Build(ObstacleKind::Abatis, line);
    Ok(Plan { rule: OBS_09, span: Span { alone, with_engineers }, roll: Some(OBS_02), outcome })
}

/// OBS-09 How far in front of the unit: as far as the point that was named, else as far as may be.
fn distance(frame: Frame, at: &[Point]) -> Result<i32, Reason> {
    let Some(point) = at.first() else { return Ok(FARTHEST) };
    let ahead = geometry::round_div(frame.ahead(*point), geometry::UNIT);
    match (0..=i64::from(FARTHEST)).contains(&ahead) {
        true => Ok(ahead as i32),
        false => Err((
            OBS_09,
            "fells an abatis at most an inch in front of itself; name a point nearer to its front".to_owned(),
        )),
    }
}

/// OBS-03 Areas with small trees: woods, wooded rough ground, and brush on broken ground where there is any.
pub(super) fn areas_with_trees<'a>(field: &Field<'a>) -> Vec<&'a Area> {
    let brush = field.table.house().brush == Brush::On;
    let has_trees = |area: &&Area| match area.terrain {
        Terrain::Woods => true,
        Terrain::Rough => area.wooded != Wooded::None,
        Terrain::Broken => brush,
        Terrain::Open => false,
    };
    field.ground().ground().areas.iter().filter(has_trees).collect()
}

pub(super) fn is_near(areas: &[&Area], point: Point) -> bool {
    areas.iter().any(|area| geometry::point_to_polygon(point, &area.outline).within(FROM_THE_TREES))
}
