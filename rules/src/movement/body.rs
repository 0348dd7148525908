//! A unit as it stands in the course of a move, and the few questions that movement asks of it.
//!
//! Owns [`Body`], the part of a unit that a move or a formation change alters, and [`Shape`], its stands with a circle about
//! them. It never decides anything.

use protocol::event::Stance;
use protocol::place::Point;
use protocol::words::{Arm, Formation};

use crate::battle::{Footing, Unit};
use crate::formation::{Drawn, Layout};
use crate::geometry::{self, Distance, EPS, Extent, Rect};

/// What a move alters of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Where and how it stands.
    pub footing: Footing,
    /// In the saddle. CAV-13
    pub mounted: bool,
    /// Width of a stand, thousandths of an inch. CAV-14
    pub stand_width: i32,
    /// Depth of a stand, thousandths of an inch.
    pub stand_depth: i32,
}

impl Body {
    /// As the unit stands now.
    pub fn of(unit: &Unit) -> Self {
        Body {
            footing: unit.footing.clone(),
            mounted: unit.mounted,
            stand_width: unit.stand_width,
            stand_depth: unit.stand_depth,
        }
    }

    /// Puts the unit there.
    pub fn put(&self, unit: &mut Unit) {
        unit.footing = self.footing.clone();
        unit.mounted = self.mounted;
        unit.stand_width = self.stand_width;
        unit.stand_depth = self.stand_depth;
    }

    /// The input of the geometry.
    pub fn drawn(&self, stands: u32) -> Drawn<'_> {
        Drawn::standing(&self.footing, stands, self.stand_width, self.stand_depth)
    }

    /// The stands in their places.
    pub fn layout(&self, stands: u32) -> Layout {
        self.drawn(stands).layout()
    }

    /// How it looks, for those who watch.
    pub fn stance(&self, stands: u32) -> Stance {
        let Footing { anchor, facing, formation, disorder, prone, .. } = self.footing;
        Stance { anchor, facing, formation, disorder, prone, stands: self.layout(stands).corners() }
    }

    /// Whether it turns by its head and so pays nothing for turning. FORM-21, MV-23
    pub fn is_column(&self) -> bool {
        !self.footing.disorder
            && matches!(self.footing.formation, Formation::MarchColumn | Formation::AttackColumn | Formation::Limbered)
    }

    /// MV-21, MV-22 A line that may face about and back away. Skirmishers need no leave.
    pub fn is_plain_line(&self) -> bool {
        let lines = [Formation::SingleLine, Formation::ExtendedLine, Formation::DoubleLine, Formation::DismountedLine];
        !self.footing.disorder && lines.contains(&self.footing.formation)
    }

    /// MV-22, TAC-13 A line that may back away: with a stand told off it is still one, but cannot turn its back on it.
    pub fn may_back_away(&self) -> bool {
        let told_off = [Formation::LineWithReserve, Formation::LineWithSkirmishers];
        self.is_plain_line() || (!self.footing.disorder && told_off.contains(&self.footing.formation))
    }

    /// In square and in order: it cannot move. TAC-38
    pub fn is_square(&self) -> bool {
        self.footing.formation == Formation::Square && !self.footing.disorder
    }

    /// In skirmish line and in order.
    pub fn is_skirmishing(&self) -> bool {
        self.footing.formation == Formation::SkirmishLine && !self.footing.disorder
    }

    /// MOVE-02 A formed line, which pays the hardest ground under its front.
    pub fn pays_by_front(&self) -> bool {
        let line = [
            Formation::SingleLine,
            Formation::ExtendedLine,
            Formation::DoubleLine,
            Formation::DismountedLine,
            Formation::LineWithReserve,
            Formation::LineWithSkirmishers,
            // TAC-28 The ground of the lead counts.
            Formation::BrigadeColumn,
        ];
        !self.footing.disorder && line.contains(&self.footing.formation)
    }
}

/// The stands of a unit with a circle about them, so that far pairs are told apart without measuring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) rects: Vec<Rect>,
    center: Point,
    /// From the centre to the farthest corner, rounded up.
    radius: i32,
}

impl Shape {
    pub(super) fn of(body: &Body, stands: u32) -> Self {
        Shape::around(body.layout(stands).rects().copied().collect())
    }

    pub(super) fn around(rects: Vec<Rect>) -> Self {
        let centers: Vec<Point> = rects.iter().map(|rect| rect.center).collect();
        let center = geometry::mean(&centers).unwrap_or_default();
        let corners = rects.iter().flat_map(|rect| rect.corners);
        let radius = corners.map(|corner| geometry::segment_length(center, corner)).max().unwrap_or(0) + 1;
        Shape { rects, center, radius }
    }

    /// The mean of the stands' centres.
    pub(super) fn center(&self) -> Point {
        self.center
    }

    /// A box about the stands.
    pub(super) fn extent(&self) -> Extent {
        Extent::about(self.center, self.radius)
    }

    /// The same shape carried along without turning. Exact, since offsets are rounded apart from the anchor. SCALE-06
    pub(super) fn carried(&self, by: (i32, i32)) -> Self {
        let rects = self.rects.iter().map(|rect| rect.carried(by.0, by.1)).collect();
        Shape { rects, center: Point::new(self.center.x + by.0, self.center.y + by.1), radius: self.radius }
    }

    /// Whether two shapes may be within a distance of each other: false is certain, true is not.
    pub(super) fn may_reach(&self, other: &Shape, distance: i32) -> bool {
        circles_meet(self.center, other.center, self.radius + other.radius + distance + EPS)
    }

    /// SCALE-07 Whether the least distance of the stands is within a limit.
    pub(super) fn within(&self, other: &Shape, limit: i32) -> bool {
        self.may_reach(other, limit)
            && self
                .near_pairs(other, limit)
                .any(|(a, b)| geometry::between_polygons(&a.corners, &b.corners).within(limit))
    }

    /// SCALE-07 Whether the least distance of the stands is less than a limit.
    pub(super) fn closer_than(&self, other: &Shape, limit: i32) -> bool {
        self.may_reach(other, limit)
            && self
                .near_pairs(other, limit)
                .any(|(a, b)| geometry::between_polygons(&a.corners, &b.corners).closer_than(limit))
    }

    /// SCALE-07 The least distance of the stands.
    pub(super) fn distance(&self, other: &Shape) -> Distance {
        geometry::between_stands(self.rects.iter(), other.rects.iter()).unwrap_or(Distance::of(i32::MAX / 2))
    }

    /// SCALE-07 The least distance of the stands, if it is within a limit.
    pub(super) fn distance_within(&self, other: &Shape, limit: i32) -> Option<Distance> {
        let pairs = self.may_reach(other, limit).then(|| self.near_pairs(other, limit));
        let distances = pairs.into_iter().flatten().map(|(a, b)| geometry::between_polygons(&a.corners, &b.corners));
        distances.min().filter(|distance| distance.within(limit))
    }

    /// Whether stands lie on each other, by more than a rounding.
    pub(super) fn overlaps(&self, other: &Shape) -> bool {
        self.may_reach(other, 0) && self.near_pairs(other, 0).any(|(a, b)| geometry::overlaps_beyond_eps(a, &b.corners))
    }

    fn near_pairs<'a>(&'a self, other: &'a Shape, limit: i32) -> impl Iterator<Item = (&'a Rect, &'a Rect)> {
        let reach = Rect::circle;
        self.rects.iter().flat_map(move |a| {
            let near =
                other.rects.iter().filter(move |b| circles_meet(a.center, b.center, reach(a) + reach(b) + limit + EPS));
            near.map(move |b| (a, b))
        })
    }
}

fn circles_meet(a: Point, b: Point, reach: i32) -> bool {
    let (dx, dy) = (i64::from(a.x) - i64::from(b.x), i64::from(a.y) - i64::from(b.y));
    let reach = i64::from(reach);
    dx.abs() <= reach && dy.abs() <= reach && dx * dx + dy * dy <= reach * reach
}

/// Foot that may lie down: infantry, dismounted cavalry, sharpshooters. TAC-07
pub(super) fn may_lie_down(unit: &Unit, body: &Body) -> bool {
    let foot = matches!(unit.arm, Arm::Infantry | Arm::Sharpshooter) || (unit.arm == Arm::Cavalry && !body.mounted);
    foot && !matches!(body.footing.formation, Formation::MarchColumn | Formation::AttackColumn)
}
