//! What covers a target, and a firer in works. COVER-01 to COVER-11, FIRE-28

use protocol::place::Point;

use crate::battle::UnitIx;
use crate::catalogue::{COVER_03, COVER_06, COVER_07, COVER_09, COVER_11, FIRE_28, RuleId};
use crate::field::Field;
use crate::geometry::{EPS, Rect};
use crate::ground::{BuildingKind, Claim, ObstacleKind, Terrain};
use crate::ruleset::{ByChart, Chart, Ruleset, WorksGrade};
use crate::scenario::{CoverKind, GroundUse};
use crate::specials;

/// One thing that covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covers {
    /// The rule.
    pub rule: RuleId,
    /// In words, such as `behind a stone wall`.
    pub label: &'static str,
    /// What it is worth: never more than 0.
    pub drm: i32,
}

/// What covers a unit against fire from a point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// The best of the obstacles and the building. COVER-05
    pub obstacle: Option<Covers>,
    /// The woods.
    pub woods: Option<Covers>,
    /// It stands behind something, whatever that is worth. COVER-10
    pub behind: bool,
    /// The grade of the works that it claims from their right side. COVER-13, PEN-03
    pub works: Option<WorksGrade>,
    /// The building that it is in. COVER-11
    pub building: Option<BuildingKind>,
}

impl Cover {
    /// The sum of the DRMs.
    pub fn total(&self) -> i32 {
        self.obstacle.map_or(0, |covers| covers.drm) + self.woods.map_or(0, |covers| covers.drm)
    }

    /// What covers, in order.
    pub fn all(&self) -> impl Iterator<Item = Covers> {
        self.obstacle.into_iter().chain(self.woods)
    }
}

/// COVER-01 to COVER-11 What covers a unit against fire from `from`, C of COVER-01. `woods_between` is the length of woods on
/// the pair's line of least depth. COVER-07
pub(super) fn cover(field: &Field<'_>, target: UnitIx, from: Point, chart: Chart, woods_between: i32) -> Cover {
    let body: Vec<Rect> = field.layout(target).body().copied().collect();
    cover_of(field, target, &body, from, chart, woods_between)
}

/// As [`cover`], of those stands of the unit that are fired at: its screen stands elsewhere than its body. TAC-18
pub(super) fn cover_of(
    field: &Field<'_>,
    target: UnitIx,
    stands: &[Rect],
    from: Point,
    chart: Chart,
    woods_between: i32,
) -> Cover {
    let ground = field.ground();
    let mut cover = Cover::default();
    for claim in ground.claims(from, stands) {
        let Some((covers, grade)) = worth(field.rules, &claim, chart) else { continue };
        cover.behind = true;
        if claim.right_side && cover.works < grade {
            cover.works = grade;
        }
        better(&mut cover.obstacle, covers);
    }
    if let Some(building) = ground.building_of(stands) {
        let (row, label) = match building.kind {
            BuildingKind::Wood => (field.rules.cover_drm.wood_building.values(), "in a wooden building"),
            BuildingKind::Stone => (field.rules.cover_drm.stone_building.values(), "in a stone building"),
        };
        cover.behind = true;
        cover.building = Some(building.kind);
        better(&mut cover.obstacle, Covers { rule: COVER_11, label, drm: row.at(chart) });
    }
    for special in specials::cover(field, target, || Some(from)) {
        let covers = Covers {
            rule: specials::COVER_RULE,
            label: "covered by a special rule",
            drm: drm_of(field.rules, special.treated_as, chart),
        };
        cover.behind = true;
        match special.treated_as {
            CoverKind::Woods => better(&mut cover.woods, covers),
            _ => better(&mut cover.obstacle, covers),
        }
    }
    let drm = field.rules.cover_drm.woods.values().at(chart);
    let treated = specials::treated(field.table, field.unit(target), GroundUse::Cover);
    if ground.bent(&treated).in_woods(stands) {
        cover.woods = Some(Covers { rule: COVER_06, label: "target in woods", drm });
    } else if cover.woods.is_none() && field.rules.visibility.woods_edge_depth.thousandths() + EPS < woods_between {
        cover.woods = Some(Covers { rule: COVER_07, label: "fire passes through woods", drm });
    }
    cover
}

/// COVER-06 The woods in which a unit stands, for who fires from where nobody can say what lies between.
pub(super) fn of_woods(field: &Field<'_>, target: UnitIx, chart: Chart) -> Option<Covers> {
    let treated = specials::treated(field.table, field.unit(target), GroundUse::Cover);
    let in_woods = field.ground().bent(&treated).in_woods(&field.stands(target));
    let drm = field.rules.cover_drm.woods.values().at(chart);
    in_woods.then_some(Covers { rule: COVER_06, label: "target in woods", drm })
}

/// SCNS-08 Special cover is worth what it is likened to; it stops no shot that would penetrate, having no grade of works.
fn drm_of(rules: &Ruleset, kind: CoverKind, chart: Chart) -> i32 {
    let drm = &rules.cover_drm;
    match kind {
        CoverKind::WoodFence => drm.wood_fence.values().at(chart),
        CoverKind::StoneWall => drm.stone_wall.values().at(chart),
        CoverKind::Woods => drm.woods.values().at(chart),
        CoverKind::WoodBuilding => drm.wood_building.values().at(chart),
        CoverKind::StoneBuilding => drm.stone_building.values().at(chart),
        CoverKind::Hasty => rules.works.hasty.target_drm.at(chart),
        CoverKind::Medium => rules.works.medium.target_drm.at(chart),
        CoverKind::Heavy => rules.works.heavy.target_drm.at(chart),
    }
}

/// FIRE-28 The bonus of a firer whose works would cover it from its target.
pub(super) fn works_bonus(field: &Field<'_>, stands: &[Rect], target_middle: Point) -> Option<Covers> {
    let claims = field.ground().claims(target_middle, stands);
    let grades = claims.iter().filter(|claim| claim.right_side).filter_map(|claim| grade(claim.obstacle.kind));
    let best = grades.map(|grade| field.rules.works.at(grade).firer_drm).max()?;
    Some(Covers { rule: FIRE_28, label: "fires from works", drm: best })
}

fn better(best: &mut Option<Covers>, covers: Covers) {
    if best.is_none_or(|known| covers.drm < known.drm) {
        *best = Some(covers);
    }
}

/// COVER-03, COVER-09 What an obstacle is worth to a target behind it; none: it does not cover.
fn worth(rules: &Ruleset, claim: &Claim<'_>, chart: Chart) -> Option<(Covers, Option<WorksGrade>)> {
    let of = |values: ByChart, label| (Covers { rule: COVER_03, label, drm: values.at(chart) }, None);
    match claim.obstacle.kind {
        ObstacleKind::Fence => Some(of(rules.cover_drm.wood_fence.values(), "behind a fence")),
        // A bank covers as a wall does: it is earth or stone of that height.
        ObstacleKind::StoneWall => Some(of(rules.cover_drm.stone_wall.values(), "behind a stone wall")),
        ObstacleKind::Bank => Some(of(rules.cover_drm.stone_wall.values(), "behind a bank")),
        ObstacleKind::HastyWorks | ObstacleKind::MediumWorks | ObstacleKind::HeavyWorks => {
            let grade = grade(claim.obstacle.kind)?;
            let works = rules.works.at(grade);
            let covers = if claim.right_side {
                Covers { rule: COVER_03, label: label_of(grade), drm: works.target_drm.at(chart) }
            } else {
                Covers { rule: COVER_09, label: "on the wrong side of works", drm: works.wrong_side_drm.at(chart) }
            };
            Some((covers, Some(grade)))
        }
        ObstacleKind::Abatis | ObstacleKind::Fraise | ObstacleKind::ChevauxDeFrise => None,
    }
}

fn label_of(grade: WorksGrade) -> &'static str {
    match grade {
        WorksGrade::Hasty => "behind hasty works",
        WorksGrade::Medium => "behind medium works",
        WorksGrade::Heavy => "behind heavy works",
    }
}

/// WORKS-01 The grade of works.
pub(super) fn grade(kind: ObstacleKind) -> Option<WorksGrade> {
    match kind {
        ObstacleKind::HastyWorks => Some(WorksGrade::Hasty),
        ObstacleKind::MediumWorks => Some(WorksGrade::Medium),
        ObstacleKind::HeavyWorks => Some(WorksGrade::Heavy),
        _ => None,
    }
}

/// PEN-03 Woods, or rough ground.
pub(super) fn in_thick_ground(field: &Field<'_>, target: UnitIx) -> bool {
    let treated = specials::treated(field.table, field.unit(target), GroundUse::Cover);
    Terrain::Woods <= field.ground().bent(&treated).terrain_of(&field.stands(target))
}
