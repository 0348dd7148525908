//! Clear lines of fire past other troops, and over them for guns. VIS-13, ARTY-30 to ARTY-33

use protocol::place::Point;
use protocol::words::Arm;

use super::Round;
use super::shooter::Shooter;
use crate::battle::UnitIx;
use crate::field::Field;
use crate::formation::Part;
use crate::geometry::Extent;
use crate::sight::{Bulk, clear_of_troops, sight_line};

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
    others: Vec<(UnitIx, &'f [Bulk])>,
    /// The firer's own skirmish screen. VIS-13
    own_screen: Vec<Bulk>,
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
        let lane = field.extent(shooter.ix).with(field.extent(target));
        let mut others = Vec::new();
        for ix in field.near(lane, 0) {
            // LOS-19 Whom its side does not see is not in its way.
            if ix == shooter.ix || ix == target || !field.knows_of(shooter.unit.side, ix) {
                continue;
            }
            let unit = field.unit(ix);
            let friend = unit.side == shooter.unit.side;
            // Enemy skirmishers screen, they do not block; friendly ones stop muskets and canister.
            let skirmishers_pass = !friend || (guns && !round.is_canister());
            let passed = unit.is_skirmishing() && skirmishers_pass;
            let abandoned = unit.guns.as_ref().is_some_and(|guns| guns.unmanned);
            if !passed && !abandoned {
                others.push((ix, bulk(field, ix, skirmishers_pass)));
            }
        }
        let screen = shooter.layout.stands.iter().filter(|stand| stand.part == Part::Screen && !by_screen);
        let own_screen = screen.map(|stand| Bulk::of(&stand.rect)).collect();
        let overhead = guns && !round.is_canister();
        Between { field, others, own_screen, guns, overhead, firer: shooter.ix, target }
    }

    /// The third units, each with how many of its stands are in the way.
    pub(super) fn others(&self) -> impl ExactSizeIterator<Item = (UnitIx, usize)> {
        self.others.iter().map(|(ix, stands)| (*ix, stands.len()))
    }

    /// VIS-13, VIS-14 The line between the centres of two stands.
    pub(super) fn line(&self, from: Point, to: Point) -> Line {
        if !clear_of_troops(from, to, &self.own_screen) {
            return Line::Blocked;
        }
        let along = Extent::spanning(from, to);
        // Whose box the line passes by, his stands it does not meet.
        let near = |ix: UnitIx| self.field.extent(ix).may_be_within(along, 0);
        let met = self.others.iter().filter(|(ix, stands)| near(*ix) && !clear_of_troops(from, to, stands));
        let mut at_risk = Vec::new();
        for (ix, _) in met {
            match self.passes_over(from, *ix) {
                Over::No => return Line::Blocked,
                Over::Free => {}
                Over::Risk => at_risk.push(*ix),
            }
        }
        // The ground is asked last: one who has moved has new lines, each to be followed over it.
        if sight_line(&self.field.ground(), from, to).is_err() {
            return Line::Blocked;
        }
        if at_risk.is_empty() { Line::Clear } else { Line::OverFriends(at_risk) }
    }

    /// ARTY-31 to ARTY-33 Whether guns may fire over a unit that their line meets.
    fn passes_over(&self, battery: Point, met: UnitIx) -> Over {
        if !self.guns || !self.overhead {
            return Over::No;
        }
        let ground = self.field.ground();
        let level = ground.level(battery);
        if !self.field.layout(met).rects().all(|stand| ground.level(stand.center) < level) {
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

/// The stands of a unit that are in the way: all of them, or those of the body alone, where fire passes its screen. VIS-13
fn bulk<'f>(field: &'f Field<'f>, ix: UnitIx, passes_screen: bool) -> &'f [Bulk] {
    let all = field.bulk(ix);
    match all.split_last() {
        Some((_, body)) if passes_screen && field.layout(ix).screen().is_some() => body,
        _ => all,
    }
}

enum Over {
    Free,
    Risk,
    No,
}

/// Whether a unit can be fired at at all: leaders are no units, abandoned guns no targets. FIRE-24
pub(crate) fn is_target(field: &Field<'_>, ix: UnitIx) -> bool {
    let unit = field.unit(ix);
    let abandoned = unit.arm == Arm::Artillery && unit.guns.as_ref().is_some_and(|guns| guns.unmanned);
    unit.on_table() && !unit.stands.is_empty() && !abandoned
}
