//! Hasty works: throwing them up, turning them about, tearing them down. WORKS-03 to WORKS-16
//!
//! Owns where they may be dug, along what, and how long each task takes. Medium and heavy works are never dug, turned or torn
//! down in play. WORKS-01, WORKS-15

use protocol::ids::FeatureId;
use protocol::place::Point;

use super::{Outcome, Plan, Reason, Site, Span, abatis, frontage, reach};
use crate::battle::UnitIx;
use crate::catalogue::{RuleId, WORKS_03, WORKS_04, WORKS_05, WORKS_08, WORKS_13, WORKS_14, WORKS_15, WORKS_16};
use crate::field::Field;
use crate::geometry::{self, EPS, Frame};
use crate::ground::{Nearest, Obstacle, ObstacleKind, Stretch, part_of_line};

/// WORKS-16 An enemy so near to works holds them, thousandths of an inch.
const HELD_WITHIN: i32 = 1_000;

/// What there is to dig along.
enum Along<'a> {
    /// A fence or wall, whose rails or stones go into the works. WORKS-09
    Fence(Nearest<'a>),
    /// Captured medium or heavy works. WORKS-16
    Captured(Nearest<'a>),
}

impl<'a> Along<'a> {
    fn nearest(&self) -> &Nearest<'a> {
        match self {
            Along::Fence(nearest) | Along::Captured(nearest) => nearest,
        }
    }
}

/// WORKS-03 to WORKS-08 The works that a unit would throw up: along a fence or wall before it, along captured works, or along its
/// own front where there are trees.
pub(super) fn plan_building(field: &Field<'_>, ix: UnitIx, site: Site<'_>, at: &[Point]) -> Result<Plan, Reason> {
    let row = &field.rules.works.hasty;
    let bmp = field.unit(ix).base_morale_point(field.rules);
    let turns = |per_bmp: Option<i32>| per_bmp.map(|per_bmp| (per_bmp * bmp).unsigned_abs());
    let span = turns(row.build_turns_per_bmp).zip(turns(row.build_turns_per_bmp_engineers));
    let Some((alone, with_engineers)) = span else {
        return Err((WORKS_05, "cannot dig hasty works: the tables in force give no time for it".to_owned()));
    };
    let (rule, outcome) = match along_what(field, ix, site, at)? {
        Some(Along::Fence(nearest)) => along_fence(field, ix, site, &nearest),
        Some(Along::Captured(nearest)) => {
            let mut line = course(field, &nearest, frontage(field.unit(ix)));
            line.reverse();
            (WORKS_16, Outcome::Build(ObstacleKind::HastyWorks, line))
        }
        None => (WORKS_08, Outcome::Build(ObstacleKind::HastyWorks, among_trees(field, ix, site)?)),
    };
    Ok(Plan { rule, span: Span { alone, with_engineers }, roll: Some(WORKS_03), outcome })
}

/// SCN-18 The works behind which a unit begins: along the fence or wall before it, or else along its front.
pub(super) fn dug_before(field: &Field<'_>, ix: UnitIx) -> Outcome {
    let footing = &field.unit(ix).footing;
    let site = Site { anchor: footing.anchor, facing: footing.facing, obstacle: None };
    match fence_before(field, ix, site) {
        Some(fence) => along_fence(field, ix, site, &fence).1,
        None => Outcome::Build(ObstacleKind::HastyWorks, along_front(field, ix, site)),
    }
}

/// WORKS-04, WORKS-16 The fence, wall or captured works at which it digs: what it has begun at, else what is nearest to the point
/// that was named, else the fence before the works. None: it digs along its own front.
fn along_what<'a>(field: &Field<'a>, ix: UnitIx, site: Site<'_>, at: &[Point]) -> Result<Option<Along<'a>>, Reason> {
    let fence = fence_before(field, ix, site);
    let captured = captured_works(field, ix, site);
    if let Some(begun) = site.obstacle {
        let choices = fence.into_iter().map(Along::Fence).chain(captured.into_iter().map(Along::Captured));
        let same = choices.into_iter().find(|along| along.nearest().obstacle.id == *begun);
        return match same {
            Some(along) => Ok(Some(along)),
            None => Err((WORKS_04, "has nothing left to dig along where it began".to_owned())),
        };
    }
    let Some(named) = at.first() else {
        return Ok(fence.map(Along::Fence).or(captured.map(Along::Captured)));
    };
    let to_named = |nearest: &Nearest<'a>| {
        let ground = field.ground();
        ground.nearest_standing(nearest.obstacle, *named).map(|place| place.distance)
    };
    let choices = fence.map(Along::Fence).into_iter().chain(captured.map(Along::Captured));
    let near = choices.filter_map(|along| Some((to_named(along.nearest())?, along)));
    let near = near.filter(|(distance, _)| distance.within(reach::REACH));
    Ok(near.min_by_key(|(distance, _)| *distance).map(|(_, along)| along))
}

/// WORKS-04 A fence or stone wall before the unit, to which three of its stands, or all, are near enough to be covered by it.
fn fence_before<'a>(field: &Field<'a>, ix: UnitIx, site: Site<'_>) -> Option<Nearest<'a>> {
    let serves = |kind: ObstacleKind| matches!(kind, ObstacleKind::Fence | ObstacleKind::StoneWall);
    let ground = field.ground();
    let stands = field.stands(ix);
    let beside = ground.beside(&stands);
    let frame = Frame::new(site.anchor, site.facing);
    let is_before = |nearest: &Nearest<'a>| -i64::from(EPS) * geometry::UNIT <= frame.ahead(nearest.point);
    let of_chains = ground.obstacles().filter(|fence| {
        serves(fence.kind) && beside.iter().any(|near| near.kind == fence.kind && ground.are_joined(near, fence))
    });
    let places = of_chains.filter_map(|fence| ground.nearest_standing(fence, site.anchor)).filter(is_before);
    places.min_by(|one, other| (one.distance, &one.obstacle.id).cmp(&(other.distance, &other.obstacle.id)))
}

/// WORKS-16 Medium or heavy works within an inch of the unit, of whose stretch no enemy is as near. LOS-19 In the fog an enemy
/// whom the unit's side sees.
fn captured_works<'a>(field: &Field<'a>, ix: UnitIx, site: Site<'_>) -> Option<Nearest<'a>> {
    let wanted = |kind: ObstacleKind| matches!(kind, ObstacleKind::MediumWorks | ObstacleKind::HeavyWorks);
    let begun = Site { obstacle: None, ..site };
    let nearest = reach::obstacle(field, ix, begun, &[], wanted)?;
    let line = course(field, &nearest, frontage(field.unit(ix)));
    let side = field.unit(ix).side;
    let is_near = |corners: &[Point]| {
        line.windows(2).any(|part| geometry::segment_to_polygon(part[0], part[1], corners).within(HELD_WITHIN))
    };
    let mut enemies = field.enemies_of(side).filter(|(enemy, _)| field.knows_of(side, *enemy));
    let held = enemies.any(|(enemy, _)| field.layout(enemy).rects().any(|rect| is_near(&rect.corners)));
    (!held).then_some(nearest)
}

/// WORKS-08, WORKS-09 Works on the course of a fence, which faces as the unit does and takes the fence's place.
fn along_fence(field: &Field<'_>, ix: UnitIx, site: Site<'_>, nearest: &Nearest<'_>) -> (RuleId, Outcome) {
    let length = frontage(field.unit(ix));
    let mut line = course(field, nearest, length);
    let frame = Frame::new(site.anchor, site.facing);
    let rightward = line.first().zip(line.last()).is_none_or(|(a, b)| frame.to_right(*a) <= frame.to_right(*b));
    if !rightward {
        line.reverse();
    }
    let fence = reach::stretches(field, nearest, length);
    (WORKS_08, Outcome::Replace { kind: ObstacleKind::HastyWorks, line, swallowed: fence })
}

/// WORKS-08 The course of an obstacle for so much of its length about a place, in its own direction, and on through what it is
/// joined to.
fn course(field: &Field<'_>, nearest: &Nearest<'_>, length: i32) -> Vec<Point> {
    let ground = field.ground();
    let half = |forward: bool, length: i32| {
        let mut left = length;
        let mut points: Vec<Point> = Vec::new();
        for walked in ground.outward(nearest.obstacle, nearest.along, forward) {
            let Stretch { from, to } = walked.stretch;
            let taken = (to - from).min(left);
            left -= taken;
            let stretch = match walked.forward {
                true => Stretch { from, to: from + taken },
                false => Stretch { from: to - taken, to },
            };
            let mut part = part_of_line(&walked.obstacle.line, stretch);
            if !walked.forward {
                part.reverse();
            }
            points.extend(part);
            if left <= 0 {
                break;
            }
        }
        points
    };
    let mut line = half(false, length / 2);
    line.reverse();
    // The place in the middle is a corner only where the obstacle has one.
    let middle = line.pop();
    let after = half(true, length - length / 2);
    line.extend(middle.filter(|point| nearest.obstacle.line.contains(point)));
    line.extend(after.into_iter().skip(1));
    line
}

/// WORKS-08 The front edge of a unit in line, from left to right. Half a frontage may be no whole thousandth.
fn along_front(field: &Field<'_>, ix: UnitIx, site: Site<'_>) -> Vec<Point> {
    let frame = Frame::new(site.anchor, site.facing);
    let width = i64::from(frontage(field.unit(ix)));
    vec![frame.at_halves(0, -width), frame.at_halves(0, width)]
}

/// WORKS-04, WORKS-08 Straight works along the front of a unit in woods or brush.
fn among_trees(field: &Field<'_>, ix: UnitIx, site: Site<'_>) -> Result<Vec<Point>, Reason> {
    let line = along_front(field, ix, site);
    let trees = abatis::areas_with_trees(field);
    if line.iter().chain([&site.anchor]).all(|point| abatis::is_near(&trees, *point)) {
        return Ok(line);
    }
    let text = "has nothing to dig hasty works from: it needs a fence or wall within an inch before three of its stands, woods or \
                brush within an inch, or captured works; march there first";
    Err((WORKS_04, text.to_owned()))
}

/// WORKS-14 The works that a unit would turn about.
pub(super) fn plan_turning(field: &Field<'_>, ix: UnitIx, site: Site<'_>, at: &[Point]) -> Result<Plan, Reason> {
    let Some(nearest) = reach::obstacle(field, ix, site, at, ObstacleKind::is_works) else {
        return Err((WORKS_14, "has no works within an inch to turn about; march there first".to_owned()));
    };
    if nearest.obstacle.kind != ObstacleKind::HastyWorks {
        let text = "cannot turn medium or heavy works about; dig hasty works along them once they are captured";
        return Err((WORKS_15, text.to_owned()));
    }
    let bmp = field.unit(ix).base_morale_point(field.rules);
    let Some(turns) = field.rules.works.hasty.turn_round_turns_per_bmp.map(|per_bmp| (per_bmp * bmp).unsigned_abs())
    else {
        return Err((WORKS_14, "cannot turn works about: the tables in force give no time for it".to_owned()));
    };
    let stretches = reach::stretches(field, &nearest, frontage(field.unit(ix)));
    // Engineers do not shorten it.
    let span = Span { alone: turns, with_engineers: turns };
    Ok(Plan { rule: WORKS_14, span, roll: Some(WORKS_14), outcome: Outcome::Turn(stretches) })
}

/// WORKS-13 The works that a unit would tear down, about the place nearest to it.
pub(super) fn plan_destroying(field: &Field<'_>, ix: UnitIx, nearest: &Nearest<'_>) -> Result<Plan, Reason> {
    let Some(turns) = field.rules.works.hasty.destroy_turns.map(i32::unsigned_abs) else {
        return Err((WORKS_13, "cannot tear down hasty works: the tables in force give no time for it".to_owned()));
    };
    let stretches = reach::stretches(field, nearest, frontage(field.unit(ix)));
    let span = Span { alone: turns, with_engineers: turns };
    Ok(Plan { rule: WORKS_13, span, roll: None, outcome: Outcome::Remove(stretches) })
}

/// WORKS-14 What stands of a stretch, turned about: a line for each part between gaps.
pub(super) fn turned(field: &Field<'_>, obstacle: &Obstacle, stretch: Stretch) -> Vec<Vec<Point>> {
    let length = geometry::polyline_length(&obstacle.line);
    let standing = field.ground().changes().standing(&obstacle.id, length).into_iter();
    let parts = standing.map(|part| Stretch { from: part.from.max(stretch.from), to: part.to.min(stretch.to) });
    let lines = parts.filter(|part| part.from < part.to).map(|part| {
        let mut line = part_of_line(&obstacle.line, part);
        line.reverse();
        line
    });
    lines.collect()
}

/// The first of stretches: what the work was given for.
pub(super) fn first_of(stretches: &[(FeatureId, Stretch)]) -> Option<FeatureId> {
    stretches.first().map(|(obstacle, _)| obstacle.clone())
}
