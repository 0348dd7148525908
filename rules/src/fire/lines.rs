//! Clear lines of fire past other troops, and over them for guns. VIS-13, ARTY-30 to ARTY-33

use protocol::place::Point;
use protocol::words::Arm;

use super::Round;
use super::shooter::Shooter;
use crate::battle::UnitIx;
use crate::field::Field;
use crate::formation::{Layout, Part};
use crate::geometry::{Distance, Rect};
use crate::sight::{clear_of_troops, sight_line};

/// A box about some stands, for a quick no.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    west: i32,
    east: i32,
    south: i32,
    north: i32,
}

impl Extent {
    /// The box of a layout.
    pub(super) fn of(layout: &Layout) -> Extent {
        let mut all = Extent { west: i32::MAX, east: i32::MIN, south: i32::MAX, north: i32::MIN };
        for corner in layout.rects().flat_map(|rect| rect.corners) {
            all.west = all.west.min(corner.x);
            all.east = all.east.max(corner.x);
            all.south = all.south.min(corner.y);
            all.north = all.north.max(corner.y);
        }
        all
    }

    /// The box of both.
    pub(super) fn with(self, other: Extent) -> Extent {
        Extent {
            west: self.west.min(other.west),
            east: self.east.max(other.east),
            south: self.south.min(other.south),
            north: self.north.max(other.north),
        }
    }

    /// A distance that the things in two boxes are at least apart.
    pub(super) fn least_distance(self, other: Extent) -> Distance {
        let gap = |low: i32, high: i32| i64::from(high).saturating_sub(i64::from(low)).max(0);
        let aside = gap(self.east, other.west).max(gap(other.east, self.west));
        let along = gap(self.north, other.south).max(gap(other.north, self.south));
        let squared = (aside * aside + along * along).unsigned_abs();
        Distance::of(i32::try_from(squared.isqrt()).unwrap_or(i32::MAX))
    }

    /// Whether two boxes are nearer than so many thousandths, or touch; never no when the things in them are.
    pub(super) fn may_be_within(self, other: Extent, reach: i32) -> bool {
        let apart = |low: i32, high: i32| low.saturating_add(reach).saturating_add(crate::geometry::EPS) < high;
        !(apart(self.east, other.west)
            || apart(other.east, self.west)
            || apart(self.north, other.south)
            || apart(other.north, self.south))
    }
}

/// A line from a firing stand to a target stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Nothing in the way.
    Clear,
    /// Over these friends near the target, at the risk of hitting them. ARTY-32
    OverFriends(Vec<UnitIx>),
    /// No.
    Blocked,
}

/// The troops that could stand between a firer and its target.
pub(super) struct Between<'f> {
    field: &'f Field<'f>,
    /// Third units whose stands stop the fire, or must be passed over.
    others: Vec<(UnitIx, Vec<Rect>)>,
    /// The firer's own skirmish screen. VIS-13
    own_screen: Vec<Rect>,
    guns: bool,
    overhead: bool,
    firer: UnitIx,
    target: UnitIx,
}

impl<'f> Between<'f> {
    /// Gathers them. Hidden units, leaders, abandoned guns, and the two themselves never block.
    pub(super) fn new(
        field: &'f Field<'f>,
        shooter: &Shooter<'_>,
        by_screen: bool,
        target: UnitIx,
        round: Round,
    ) -> Self {
        let guns = shooter.is_guns();
        let lane = Extent::of(shooter.layout).with(Extent::of(field.layout(target)));
        let mut others = Vec::new();
        for (ix, unit) in field.table.units() {
            if ix == shooter.ix || ix == target || !Extent::of(field.layout(ix)).may_be_within(lane, 0) {
                continue;
            }
            let friend = unit.side == shooter.unit.side;
            // Enemy skirmishers screen, they do not block; friendly ones stop muskets and canister.
            let passed = unit.is_skirmishing() && (!friend || (guns && !round.is_canister()));
            let abandoned = unit.guns.as_ref().is_some_and(|guns| guns.unmanned);
            if !passed && !abandoned {
                others.push((ix, field.stands(ix)));
            }
        }
        let screen = shooter.layout.stands.iter().filter(|stand| stand.part == Part::Screen && !by_screen);
        let own_screen = screen.map(|stand| stand.rect).collect();
        let overhead = guns && !round.is_canister();
        Between { field, others, own_screen, guns, overhead, firer: shooter.ix, target }
    }

    /// VIS-13, VIS-14 The line between the centres of two stands.
    pub(super) fn line(&self, from: Point, to: Point) -> Line {
        if !clear_of_troops(from, to, &self.own_screen) {
            return Line::Blocked;
        }
        let met = self.others.iter().filter(|(_, stands)| !clear_of_troops(from, to, stands));
        let mut at_risk = Vec::new();
        for (ix, stands) in met {
            match self.passes_over(from, *ix, stands) {
                Over::No => return Line::Blocked,
                Over::Free => {}
                Over::Risk => at_risk.push(*ix),
            }
        }
        if sight_line(&self.field.ground(), from, to).is_err() {
            return Line::Blocked;
        }
        if at_risk.is_empty() { Line::Clear } else { Line::OverFriends(at_risk) }
    }

    /// ARTY-31 to ARTY-33 Whether guns may fire over a unit that their line meets.
    fn passes_over(&self, battery: Point, met: UnitIx, stands: &[Rect]) -> Over {
        if !self.guns || !self.overhead {
            return Over::No;
        }
        let ground = self.field.ground();
        let level = ground.level(battery);
        if !stands.iter().all(|stand| ground.level(stand.center) < level) {
            return Over::No;
        }
        if self.field.unit(met).side != self.field.unit(self.firer).side {
            return Over::Free;
        }
        let to_target = self.field.distance(met, self.target);
        let nearer_the_guns = self.field.distance(self.firer, met) < to_target;
        let least = self.field.rules.gun_rules.over_friends_min_distance_from_target.thousandths();
        if nearer_the_guns {
            Over::Free
        } else if to_target.closer_than(least) {
            Over::No
        } else {
            Over::Risk
        }
    }
}

enum Over {
    Free,
    Risk,
    No,
}

/// Whether a unit can be fired at at all: leaders are no units, abandoned guns no targets. FIRE-24
pub(super) fn is_target(field: &Field<'_>, ix: UnitIx) -> bool {
    let unit = field.unit(ix);
    let abandoned = unit.arm == Arm::Artillery && unit.guns.as_ref().is_some_and(|guns| guns.unmanned);
    unit.on_table() && !unit.stands.is_empty() && !abandoned
}
