//! A unit about to fire: its weapon's reach, its fronts, the stands that may take part.
//!
//! Owns FIRE-03, FIRE-11's limits, FIRE-22, FIRE-23, FORM-22, ARTY-24 as data of one unit. It never looks at a target.

use protocol::event::Morale;
use protocol::orders::RangeBand;
use protocol::place::Point;
use protocol::words::{Arm, Formation};

use super::{NoFire, Stands};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{
    ARTY_01, ARTY_43, ARTY_47, ARTY_48, ARTY_55, FIRE_02, FIRE_03, MEL_21, RuleId, SCNS_04, SHK_14, TAC_09, TAC_34,
};
use crate::field::Field;
use crate::formation::{Layout, Part};
use crate::geometry::{Distance, FrontEdge, Rect};
use crate::ruleset::{Branch, FiringStands, FormationEffect, FormationRow, Ruleset};
use crate::specials;

/// The limits of a weapon, thousandths of an inch. FIRE-11
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// Greatest close range; of guns, canister range.
    pub close: i32,
    /// Greatest normal range.
    pub normal: i32,
    /// Greatest range.
    pub long: i32,
}

impl Reach {
    /// The reach of a unit's weapon; none for one that has none in the tables.
    pub(super) fn of(rules: &Ruleset, unit: &Unit) -> Option<Reach> {
        match unit.arm {
            Arm::Artillery => rules.gun.get(&unit.weapon).map(|gun| Reach {
                close: gun.canister.thousandths(),
                normal: gun.normal.thousandths(),
                long: gun.long.thousandths(),
            }),
            Arm::GunCrew => None,
            Arm::Infantry | Arm::Cavalry | Arm::Sharpshooter => rules.small_arm.get(&unit.weapon).map(|arm| Reach {
                close: arm.close.thousandths(),
                normal: arm.normal.thousandths(),
                long: arm.long.thousandths(),
            }),
        }
    }

    /// FIRE-11 The band of a distance; none beyond long range.
    pub(super) fn band(&self, distance: Distance) -> Option<RangeBand> {
        if distance.within(self.close) {
            Some(RangeBand::Close)
        } else if distance.within(self.normal) {
            Some(RangeBand::Normal)
        } else if distance.within(self.long) {
            Some(RangeBand::Long)
        } else {
            None
        }
    }
}

/// Where a point lies for a firer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Zone {
    /// Straight ahead; for guns anywhere in the arc.
    Primary,
    /// At an angle.
    Secondary,
}

/// An edge from which a unit fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Front {
    /// The edge.
    pub edge: FrontEdge,
    /// Depth of the primary zone; none: an arc of guns, all of it alike. ARTY-24
    pub depth: Option<i32>,
    /// The long side of a march column. FORM-22
    pub side: bool,
}

impl Front {
    /// FIRE-22, FIRE-23, ARTY-24 The zone that holds a point.
    pub fn zone(&self, point: Point) -> Option<Zone> {
        match self.depth {
            None => self.edge.in_sector(point).then_some(Zone::Primary),
            Some(depth) if self.edge.in_primary(point, depth) => Some(Zone::Primary),
            Some(_) => self.edge.in_sector(point).then_some(Zone::Secondary),
        }
    }
}

/// A stand that may take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Armed {
    /// Its place in the layout.
    pub place: usize,
    /// Where it is.
    pub rect: Rect,
    /// Living figures, or sections.
    pub figures: i32,
    /// A refused stand and the face of a square fire by zones of their own. ENF-12, TAC-39
    pub own_front: Option<Front>,
}

/// A unit about to fire.
pub(super) struct Shooter<'f> {
    /// The unit.
    pub ix: UnitIx,
    /// The unit.
    pub unit: &'f Unit,
    /// Its stands.
    pub layout: &'f Layout,
    /// What its formation does to its fire.
    pub effect: &'f FormationEffect,
    /// Its weapon's limits.
    pub reach: Reach,
    /// The edges from which it fires.
    pub fronts: Vec<Front>,
    /// The stands that may fire.
    pub armed: Vec<Armed>,
    /// A square: two stands at any one target. TAC-39
    pub square: bool,
    /// The skirmish screen alone. TAC-26
    pub screen: bool,
}

impl<'f> Shooter<'f> {
    /// A unit about to fire.
    ///
    /// # Errors
    /// The rule by which it cannot fire at all.
    pub(super) fn new(field: &'f Field<'_>, ix: UnitIx, stands: &Stands) -> Result<Shooter<'f>, NoFire> {
        let unit = field.unit(ix);
        is_able(unit)?;
        let screen = *stands == Stands::Screen;
        let effect = if screen {
            field.rules.effect(Branch::Infantry, FormationRow::SkirmishLine)
        } else {
            effect_of(field.rules, unit)
        };
        // SCNS-11 Guns without shot reach as far as canister does.
        let shotless = specials::has_no_shot(field.table, unit).is_some();
        let canister = |reach: Reach| Reach { normal: reach.close, long: reach.close, ..reach };
        let reach = Reach::of(field.rules, unit).map(|reach| if shotless { canister(reach) } else { reach });
        let (Some(effect), Some(reach)) = (effect, reach) else {
            return Err(NoFire::new(FIRE_03, format!("`{}` has nothing to fire with", unit.name)));
        };
        if effect.fire.is_none() {
            return Err(NoFire::new(FIRE_03, format!("`{}` cannot fire in its formation", unit.name)));
        }
        let layout = field.layout(ix);
        let square = unit.footing.formation == Formation::Square && !unit.footing.disorder;
        let depth =
            (unit.arm != Arm::Artillery).then(|| field.rules.fire_zone.primary_depth.thousandths().max(reach.long));
        let mut armed = armed(unit, layout, effect.firing_stands, depth, stands);
        if unit.is_manned_by_infantry() {
            let sections = i32::try_from(unit.sections(field.rules)).unwrap_or(0);
            armed.iter_mut().for_each(|stand| stand.figures = sections);
        }
        let fronts = fronts(unit, layout, depth, &armed, screen);
        Ok(Shooter { ix, unit, layout, effect, reach, fronts, armed, square, screen })
    }

    /// Guns.
    pub(super) fn is_guns(&self) -> bool {
        self.unit.arm == Arm::Artillery
    }

    /// The rectangles of all its stands, the screen left out; of a screen that fires its own. ENF-04, TAC-26
    pub(super) fn all_stands(&self) -> Vec<Rect> {
        match self.layout.screen().filter(|_| self.screen) {
            Some(screen) => vec![*screen],
            None => self.layout.body().copied().collect(),
        }
    }
}

/// FIRE-02 Whether a unit is able to fire at all, whatever its order.
pub(super) fn is_able(unit: &Unit) -> Result<(), NoFire> {
    let name = &unit.name;
    let marks = &unit.marks;
    if unit.morale == Morale::Routed {
        return Err(NoFire::new(FIRE_02, format!("`{name}` is routed")));
    }
    if marks.ceased {
        return Err(NoFire::new(
            SCNS_04,
            format!("`{name}` fires no more this turn, by a special rule of the scenario"),
        ));
    }
    if unit.follows_in_column() {
        return Err(NoFire::new(TAC_34, format!("`{name}` stands in a brigade column behind the regiment that fires")));
    }
    if unit.footing.prone {
        return Err(NoFire::new(TAC_09, format!("`{name}` is prone")));
    }
    if marks.in_melee || marks.beaten {
        return Err(NoFire::new(MEL_21, format!("`{name}` was beaten or has fought hand to hand")));
    }
    if unit.arm == Arm::Artillery {
        if unit.is_limbered() {
            return Err(NoFire::new(ARTY_01, format!("`{name}` is limbered")));
        }
        if marks.guns_silent {
            return Err(NoFire::new(ARTY_43, format!("the guns of `{name}` are silent this turn")));
        }
        if marks.fell_back {
            return Err(NoFire::new(SHK_14, format!("`{name}` was driven back")));
        }
        if let Some((rule, why)) = why_silent(unit) {
            return Err(NoFire::new(rule, format!("`{name}` {why}")));
        }
        if unit.guns.as_ref().is_some_and(|guns| guns.spiked || guns.unmanned) {
            return Err(NoFire::new(ARTY_47, format!("the guns of `{name}` are spiked or without a crew")));
        }
    }
    Ok(())
}

/// ARTY-48, ARTY-55 Why guns are silent for this turn, in words that follow their name.
pub(crate) fn why_silent(unit: &Unit) -> Option<(RuleId, &'static str)> {
    match (0 < unit.carried.silent_turns, unit.is_manned_by_infantry()) {
        (false, _) => None,
        (true, true) => Some((ARTY_48, "is still being got ready by the infantry that mans it")),
        (true, false) => Some((ARTY_55, "fired last turn and is silent in this one")),
    }
}

/// The row of `formation_effect` of a unit, routed or not: rout lies over a formation as disorder does.
pub(super) fn effect_of<'r>(rules: &'r Ruleset, unit: &Unit) -> Option<&'r FormationEffect> {
    let branch = match unit.arm {
        Arm::Infantry => Branch::Infantry,
        Arm::Cavalry if unit.mounted => Branch::CavalryMounted,
        Arm::Cavalry => Branch::CavalryDismounted,
        Arm::Artillery => Branch::Artillery,
        Arm::Sharpshooter => Branch::Sharpshooter,
        // Gunners parted from their guns run as disordered infantry. ARTY-46
        Arm::GunCrew => return rules.effect(Branch::Infantry, FormationRow::Disorder),
    };
    let row = match unit.arm {
        Arm::Sharpshooter => FormationRow::SkirmishLine,
        Arm::Infantry | Arm::Cavalry if unit.footing.disorder => FormationRow::Disorder,
        _ => FormationRow::from(unit.footing.formation),
    };
    rules.effect(branch, row)
}

/// FIRE-03 The stands that may fire.
fn armed(unit: &Unit, layout: &Layout, which: FiringStands, depth: Option<i32>, stands: &Stands) -> Vec<Armed> {
    let fires = |part: Part| match (stands, which) {
        (Stands::Screen, _) => part == Part::Screen,
        (_, FiringStands::None) => false,
        (_, FiringStands::FrontRank | FiringStands::FirstStand | FiringStands::Three) => part == Part::FrontRank,
        (_, FiringStands::All | FiringStands::Two | FiringStands::LeadRegiment | FiringStands::Sections) => {
            part != Part::Screen
        }
    };
    let placed = layout.stands.iter().zip(&unit.stands).enumerate();
    placed
        .filter(|(place, (stand, _))| {
            fires(stand.part) && !matches!(stands, Stands::NotThese(left_out) if left_out.contains(place))
        })
        .map(|(place, (stand, living))| {
            let own_edge = stand.refused || which == FiringStands::Two;
            let own_front = own_edge.then_some(Front { edge: stand.rect.front_edge(), depth, side: false });
            Armed { place, rect: stand.rect, figures: i32::try_from(living.figures).unwrap_or(i32::MAX), own_front }
        })
        .collect()
}

/// The edges from which the unit fires: a march column's sides before its head, since a point on the ray between them is
/// fired at from the side. FORM-22
fn fronts(unit: &Unit, layout: &Layout, depth: Option<i32>, armed: &[Armed], screen: bool) -> Vec<Front> {
    let ahead = Front { edge: layout.as_firer.front, depth, side: false };
    if screen {
        return layout.screen().map(|rect| Front { edge: rect.front_edge(), depth, side: false }).into_iter().collect();
    }
    if unit.footing.disorder {
        return vec![ahead];
    }
    match unit.footing.formation {
        Formation::MarchColumn => {
            let side = |edge| Front { edge, depth, side: true };
            let (Some(head), Some(tail)) = (layout.stands.first(), layout.stands.last()) else { return vec![ahead] };
            let facing = layout.as_firer.front.facing;
            let left =
                FrontEdge { facing: facing.turned(-9_000), left: tail.rect.rear_left(), right: head.rect.front_left() };
            let right = FrontEdge {
                facing: facing.turned(9_000),
                left: head.rect.front_right(),
                right: tail.rect.rear_right(),
            };
            vec![side(left), side(right), ahead]
        }
        Formation::Square => armed.iter().filter_map(|stand| stand.own_front).collect(),
        _ => vec![ahead],
    }
}
