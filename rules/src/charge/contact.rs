//! Where a charge strikes. CHG-08, CAVC-25, WORKS-12
//!
//! It strikes where the stands touch; but an enemy directly behind works, and by horse also one directly behind a fence, is
//! struck before the line is crossed.

use std::collections::BTreeSet;

use protocol::ids::FeatureId;
use protocol::place::{Bearing, Point};

use super::columns::body_of;
use super::sweep::Slide;
use crate::battle::UnitIx;
use crate::column;
use crate::field::Field;
use crate::geometry::{EPS, Rect};
use crate::ground::ObstacleKind;
use crate::morale::flight::displacement;

/// Covered units stand no farther behind a line than this, thousandths of an inch; and their covering stands may be a stand
/// deeper. COVER-02
const BEHIND_IT: i32 = 2_000;

/// So far before the line its anchor stands when it strikes, thousandths of an inch: the line is crossed after the clash.
const BEFORE_IT: i32 = 10;

/// CHG-08, CAVC-25, WORKS-12 The travel, at most `most`, after which a unit that charges along a bearing strikes an enemy: where
/// its stands touch his, or just before the line directly behind which he stands.
pub fn strikes_at(field: &Field<'_>, ix: UnitIx, bearing: Bearing, enemy: UnitIx, most: i32) -> Option<i32> {
    let theirs = body_of(field, enemy);
    let slide = Slide::new(body_of(field, ix), bearing);
    let lines = lines_on_way(field, ix, bearing, most.saturating_add(BEFORE_IT));
    if lines.is_empty() {
        return slide.first_touch(&theirs, most);
    }
    let touch = slide.first_touch(&theirs, most.saturating_add(BEHIND_IT))?;
    let covering = covering(field, ix, &theirs);
    let reached = lines.into_iter().rev().find(|(travel, line)| *travel <= touch && covering.contains(line));
    reached.map_or(Some(touch), |(travel, _)| Some((travel - BEFORE_IT).max(0))).filter(|at| *at <= most)
}

/// Whom a unit may strike within so much travel along a bearing, of columns the leads: by the box about all that its stands sweep, beyond
/// which [`strikes_at`] finds nobody. In the order of the list.
pub(super) fn near_way(field: &Field<'_>, ix: UnitIx, bearing: Bearing, most: i32) -> BTreeSet<UnitIx> {
    let swept = Slide::new(body_of(field, ix), bearing).extent(most);
    let near = field.near(swept, BEHIND_IT + 2 * EPS);
    near.map(|other| column::lead_of(field.table, other)).collect()
}

/// Whether a unit strikes those directly behind such a line before it crosses it: works; horse at a fence too.
fn is_struck_across(field: &Field<'_>, ix: UnitIx, kind: ObstacleKind) -> bool {
    kind.is_works() || kind.is_fence() && field.unit(ix).mounted
}

/// Those lines that its anchor meets within so much travel, in order, each with its travel.
fn lines_on_way(field: &Field<'_>, ix: UnitIx, bearing: Bearing, most: i32) -> Vec<(i32, FeatureId)> {
    let from = field.unit(ix).footing.anchor;
    let by = displacement(bearing, most);
    let to = Point::new(from.x.saturating_add(by.x), from.y.saturating_add(by.y));
    let ground = field.ground();
    let crossings = ground.crossings(from, to).into_iter();
    let lines = crossings.filter(|crossing| is_struck_across(field, ix, crossing.obstacle.kind));
    lines.map(|crossing| (crossing.travel, crossing.obstacle.id.clone())).collect()
}

/// COVER-01 The lines behind which stands claim cover from a unit.
fn covering(field: &Field<'_>, ix: UnitIx, stands: &[Rect]) -> Vec<FeatureId> {
    let claims = field.ground().claims(field.center(ix), stands).into_iter();
    claims.map(|claim| claim.obstacle.id.clone()).collect()
}
