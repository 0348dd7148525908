//! What a unit may move in a turn and what its acts cost, taken from the tables.
//!
//! Owns the step from a unit's arm, formation and state to [`Rates`], obstacle prices and the points of a change.
//! It never walks a path: [`crate::ground::PathCost`] does. MOVE-01, MV-03, MV-06 to MV-12, ARTY-38, OBS-29

use protocol::orders::FormTask;
use protocol::place::Point;
use protocol::words::{Arm, Formation, Quality};

use super::body::Body;
use super::horses;
use crate::battle::Unit;
use crate::catalogue::{
    ARTY_02, ARTY_54, FORM_12, FORM_27, FORM_32, FORM_33, FORM_34, FORM_36, MV_10, RuleId, TAC_27, TAC_37,
};
use crate::geometry;
use crate::ground::{CrossingPrices, GroundNow, Rates, TURN_POINTS, Terrain, WayKind, points_for};
use crate::ruleset::{Branch, Cost, FormationRow, GunKind, Inches, Price, Ruleset};

/// The manner in which a unit goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gait {
    /// As its formation goes.
    Plain,
    /// More than 45 degrees off its front: the whole move in disorder. MV-17
    Oblique,
    /// To its rear, still facing the enemy. MV-22
    Backing,
    /// Guns drawn by ropes. ARTY-44
    Prolonge,
}

/// The rates of a unit that goes like this. Nothing where it cannot move at all.
pub(super) fn rates(rules: &Ruleset, unit: &Unit, body: &Body, gait: Gait) -> Rates {
    let branch = branch(rules, unit, body);
    let formation = FormationRow::from(body.footing.formation);
    let row = match gait {
        Gait::Prolonge => FormationRow::Prolonge,
        _ if unit.arm == Arm::GunCrew => FormationRow::Disorder,
        _ if unit.arm == Arm::Sharpshooter => FormationRow::SkirmishLine,
        // MV-17 compares both rows of a mounted unit that it has just put in disorder.
        _ if body.footing.disorder && gait != Gait::Oblique && unit.arm != Arm::Artillery => FormationRow::Disorder,
        _ => formation,
    };
    let mut rates = of_row(rules, branch, row);
    match gait {
        Gait::Oblique => rates = oblique(rules, branch, rates),
        Gait::Backing => {
            let factor = rules.movement_limits.backward_rate_factor;
            rates = each(rates, |rate| factor.of(Inches(rate)).thousandths());
        }
        Gait::Plain | Gait::Prolonge => {}
    }
    let marches = matches!(body.footing.formation, Formation::MarchColumn | Formation::Limbered);
    rates.trails = marches && !body.footing.disorder && gait != Gait::Prolonge;
    match unit.guns.as_ref().map(|guns| guns.horses) {
        Some(0) => Rates::default(),
        Some(1) => {
            let factor = rules.movement_limits.one_horse_lost_rate_factor;
            each(rates, |rate| factor.of(Inches(rate)).thousandths())
        }
        Some(_) | None => rates,
    }
}

/// MV-17 The disorder row; mounted, the lower of it and the formation's, which has none where it may not go in order.
fn oblique(rules: &Ruleset, branch: Branch, own: Rates) -> Rates {
    let disorder = of_row(rules, branch, FormationRow::Disorder);
    if branch != Branch::CavalryMounted {
        return disorder;
    }
    let lower = |own: Option<i32>, disorder: Option<i32>| match (own, disorder) {
        (Some(own), Some(disorder)) => Some(own.min(disorder)),
        (_, disorder) => disorder,
    };
    Rates {
        road: lower(own.road, disorder.road),
        open: lower(own.open, disorder.open),
        broken: lower(own.broken, disorder.broken),
        woods: lower(own.woods, disorder.woods),
        rough: lower(own.rough, disorder.rough),
        trails: false,
    }
}

/// CAVC-24 The rates of a mounted charge: those of its formation, in disorder the lower of these and of disorder's, so that
/// nothing is gained by it. Where its formation has none it rides as disorder does; a road that helps only disorder helps nobody.
pub(super) fn of_mounted_charge(rules: &Ruleset, unit: &Unit, disordered: bool) -> Rates {
    let own = of_row(rules, Branch::CavalryMounted, FormationRow::from(unit.footing.formation));
    let disorder = of_row(rules, Branch::CavalryMounted, FormationRow::Disorder);
    let on = |own: Option<i32>, disorder: Option<i32>| match (own, disorder) {
        (Some(own), Some(disorder)) if disordered => Some(own.min(disorder)),
        (own, disorder) => own.or(disorder),
    };
    Rates {
        road: own.road.and(on(own.road, disorder.road)),
        open: on(own.open, disorder.open),
        broken: on(own.broken, disorder.broken),
        woods: on(own.woods, disorder.woods),
        rough: on(own.rough, disorder.rough),
        trails: false,
    }
}

/// MOVE-16 The rates of a leader in the saddle.
pub(super) fn officer_rates(rules: &Ruleset) -> Rates {
    of_row(rules, Branch::OfficerMounted, FormationRow::Any)
}

fn of_row(rules: &Ruleset, branch: Branch, row: FormationRow) -> Rates {
    rules.rates(branch, row).map_or(Rates::default(), |row| Rates::of(row, false))
}

fn each(rates: Rates, change: impl Fn(i32) -> i32) -> Rates {
    Rates {
        road: rates.road.map(&change),
        open: rates.open.map(&change),
        broken: rates.broken.map(&change),
        woods: rates.woods.map(&change),
        rough: rates.rough.map(&change),
        trails: rates.trails,
    }
}

/// The rows of the tables by which a unit in this state goes.
fn branch(rules: &Ruleset, unit: &Unit, body: &Body) -> Branch {
    match unit.arm {
        Arm::Cavalry if body.mounted => Branch::CavalryMounted,
        Arm::Cavalry => Branch::CavalryDismounted,
        // ARTY-46 Gunners parted from their guns go as infantry in disorder.
        Arm::GunCrew => Branch::Infantry,
        Arm::Infantry | Arm::Artillery | Arm::Sharpshooter => unit.branch(rules),
    }
}

/// MOVE-02 The rate that a unit pays where it stands: of the hardest ground under the front of a formed line, else of the
/// ground under its anchor, or of the way along which it faces. None: it may not be there in this manner.
pub(super) fn rate_here(ground: &GroundNow<'_>, body: &Body, stands: u32, rates: &Rates) -> Option<i32> {
    let anchor = body.footing.anchor;
    if body.pays_by_front() && ground.allowance(anchor).is_none() {
        let middles = front_offsets(body, stands);
        let under = |offset: &Point| ground.terrain(Point::new(anchor.x + offset.x, anchor.y + offset.y));
        let hardest = middles.iter().map(under).max().unwrap_or_else(|| ground.terrain(anchor));
        return rates.on(hardest);
    }
    rate_of_point(ground, body, rates)
}

/// MOVE-02, HID-22 The rate of the ground under the anchor, or of the way along which it faces; SCNS-09 what is allowed there.
pub(super) fn rate_of_point(ground: &GroundNow<'_>, body: &Body, rates: &Rates) -> Option<i32> {
    let anchor = body.footing.anchor;
    if let Some(allowed) = ground.allowance(anchor) {
        return Some(allowed);
    }
    let way: Option<WayKind> = ground.way(anchor, geometry::forward(body.footing.facing));
    rates.along(ground.terrain(anchor), way)
}

/// MOVE-02 The middles of the front edges of the front-rank stands, as offsets from the anchor; none but for formed lines.
pub(super) fn front_offsets(body: &Body, stands: u32) -> Vec<Point> {
    if !body.pays_by_front() {
        return Vec::new();
    }
    let anchor = body.footing.anchor;
    let layout = body.layout(stands);
    let middles = layout.front_rank().map(|stand| stand.rect.front_edge().middle());
    middles.map(|middle| Point::new(middle.x - anchor.x, middle.y - anchor.y)).collect()
}

/// MOVE-08, MV-06, OBS-10, OBS-18, OBS-24, OBS-25, WORKS-10, WORKS-17 What obstacles cost this unit.
pub(super) fn crossing_prices(rules: &Ruleset, unit: &Unit, body: &Body) -> CrossingPrices {
    let on_foot = matches!(unit.arm, Arm::Infantry | Arm::Sharpshooter | Arm::GunCrew)
        || (unit.arm == Arm::Cavalry && !body.mounted);
    let frontage = frontage(body, unit.stands.len() as u32);
    CrossingPrices { frontage, ..CrossingPrices::of(rules, on_foot) }
}

/// OBS-24 The width that an opening must have to let a unit through, thousandths of an inch; 0 for what passes any: march
/// columns, limbered guns and what is in disorder.
fn frontage(body: &Body, stands: u32) -> i32 {
    let passes_any = matches!(body.footing.formation, Formation::MarchColumn | Formation::Limbered);
    if passes_any || body.footing.disorder {
        return 0;
    }
    body.drawn(stands).frontage()
}

/// The prices of a leader, who rides.
pub(super) fn officer_prices(rules: &Ruleset) -> CrossingPrices {
    CrossingPrices::of(rules, false)
}

/// The points of a price where so much may be moved. None: inches cannot be paid where nothing may be moved.
pub(super) fn points(price: Price, rate: Option<i32>) -> Option<i64> {
    match price {
        Price::Turn(share) => Some(TURN_POINTS * i64::from(share.thousandths()) / 1_000),
        Price::Inch(inches) => rate.map(|rate| points_for(inches.thousandths(), rate)),
    }
}

/// What a change costs, and the rule that says so.
pub(super) struct ChangeCost {
    pub(super) points: i64,
    pub(super) rule: RuleId,
}

/// MV-07 to MV-12, FORM-32 to FORM-36, CAV-17 to CAV-20, ARTY-02 The cost of a change that begins where the unit stands. `column_rate` is the
/// rate of the march column there, for FORM-36.
pub(super) fn change_cost(
    rules: &Ruleset,
    unit: &Unit,
    body: &Body,
    task: &FormTask,
    terrain: Terrain,
    column_rate: Option<i32>,
) -> Result<ChangeCost, (RuleId, String)> {
    let cost = &rules.cost;
    let slow_ground = Terrain::Woods <= terrain;
    let whole = |row: &Cost, rule| price(row.of(unit.quality), None, rule);
    match task {
        FormTask::Square {} | FormTask::Formation { formation: Formation::Square, .. } => {
            whole(&cost.form_square, TAC_37)
        }
        FormTask::Formation { .. } if body.is_square() => whole(&cost.form_square, TAC_37),
        FormTask::Formation { .. } if body.footing.disorder => whole(&cost.reform, FORM_27),
        FormTask::Formation { .. } if body.footing.formation == Formation::SkirmishLine => whole(&cost.reform, FORM_12),
        FormTask::Formation { .. } if slow_ground => whole(&cost.any_change_in_woods_or_rough, FORM_34),
        FormTask::Formation { .. } => {
            let rule = if unit.drill() == Quality::Green { FORM_33 } else { FORM_32 };
            whole(&cost.change_formation, rule)
        }
        FormTask::FrontToFlank { .. } => {
            if slow_ground {
                return Err((FORM_36, "cannot change by the flank in woods or rough ground".to_owned()));
            }
            price(cost.front_to_flank.of(unit.quality), column_rate, FORM_36)
        }
        FormTask::Limber { .. } | FormTask::Unlimber { .. } => {
            let limbers = matches!(task, FormTask::Limber { .. });
            let gun = rules.gun.get(&unit.weapon);
            match gun.map(|gun| (gun.class, gun.heavy)) {
                Some((GunKind::Siege, _)) => whole(&cost.limber_or_unlimber_siege, MV_10),
                Some((GunKind::Fortress, _)) => Err((ARTY_54, "has fortress guns, which cannot be moved".to_owned())),
                Some((_, true)) => whole(&cost.limber_or_unlimber_heavy, MV_10),
                _ if limbers && slow_ground => whole(&cost.any_change_in_woods_or_rough, FORM_34),
                _ if limbers => whole(&cost.limber, ARTY_02),
                _ => whole(&cost.unlimber, ARTY_02),
            }
        }
        FormTask::Mount { formation } | FormTask::Dismount { formation } => {
            let (row, rule) = horses::cost(rules, body, task, *formation, slow_ground);
            whole(row, rule)
        }
        FormTask::BrigadeColumn { .. } => whole(&cost.form_brigade_column, TAC_27),
        FormTask::Resupply {}
        | FormTask::JoinRegiment { .. }
        | FormTask::ManGuns { .. }
        | FormTask::Work { .. }
        | FormTask::Swing { .. }
        | FormTask::Deploy { .. }
        | FormTask::Face { .. } => Ok(ChangeCost { points: 0, rule: FORM_32 }),
    }
}

fn price(price: Price, rate: Option<i32>, rule: RuleId) -> Result<ChangeCost, (RuleId, String)> {
    let cannot = || (rule, "cannot change here: a march column cannot cross this ground".to_owned());
    let points = points(price, rate).ok_or_else(cannot)?;
    Ok(ChangeCost { points, rule })
}
