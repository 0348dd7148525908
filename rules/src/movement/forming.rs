//! How a unit stands after a change of formation, limbering, mounting.
//!
//! Owns FORM-35 and FORM-37 in play: which stand keeps its place, and the slide along the front that clears others. What a
//! change costs stands in `rates`, when it is done in `clock`.

use protocol::orders::FormTask;
use protocol::place::Bearing;
use protocol::words::{Arm, Flank, Formation};

use super::body::{Body, Shape};
use super::horses;
use crate::battle::{Footing, Unit, UnitIx};
use crate::catalogue::{
    ARTY_02, ARTY_39, CAV_03, CAV_07, FORM_01, FORM_05, FORM_09, FORM_35, FORM_36, FORM_37, RuleId, TAC_07, TAC_11,
    TAC_16, TAC_27,
};
use crate::field::Field;
use crate::formation::{self, Drawn};
use crate::geometry::Frame;
use crate::ruleset::Ruleset;

/// Why a change cannot be made: rule, and words to be read after the unit's name.
pub(super) type Refused = (RuleId, String);

/// How the unit would stand after the change, if nobody is in the way. `toward` is the bearing of guns that are told none.
pub(super) fn after(
    field: &Field<'_>,
    unit: &Unit,
    body: &Body,
    task: &FormTask,
    toward: impl FnOnce() -> Option<Bearing>,
) -> Result<Body, Refused> {
    if body.footing.prone {
        return Err((TAC_07, "lies prone and must rise before it changes formation".to_owned()));
    }
    match *task {
        FormTask::Formation { formation, facing, pivot, gap } => {
            formed(field.rules, unit, body, formation, facing, pivot, gap)
        }
        FormTask::FrontToFlank { toward } => front_to_flank(unit, body, toward),
        FormTask::Limber { facing } => {
            let facing = facing.unwrap_or(body.footing.facing);
            guns(unit, body, Formation::Unlimbered, Formation::Limbered, facing)
        }
        FormTask::Unlimber { facing } => {
            let facing = facing.or_else(toward).unwrap_or(body.footing.facing);
            guns(unit, body, Formation::Limbered, Formation::Unlimbered, facing)
        }
        FormTask::Mount { formation } => horses::changed(field, unit, body, formation, true),
        FormTask::Dismount { formation } => horses::changed(field, unit, body, formation, false),
        FormTask::Square {} => formed(field.rules, unit, body, Formation::Square, None, None, None),
        FormTask::BrigadeColumn { .. }
        | FormTask::Resupply {}
        | FormTask::JoinRegiment { .. }
        | FormTask::ManGuns { .. }
        | FormTask::Work { .. }
        | FormTask::Swing { .. }
        | FormTask::Deploy { .. }
        | FormTask::Face { .. } => Ok(body.clone()),
    }
}

/// FORM-35, TAC-43 One stand stands still, the others form on it; a square is formed about the centre.
fn formed(
    rules: &Ruleset,
    unit: &Unit,
    body: &Body,
    formation: Formation,
    facing: Option<Bearing>,
    pivot: Option<u32>,
    gap: Option<u32>,
) -> Result<Body, Refused> {
    may_take(unit, body.mounted, formation)?;
    let gap = gap_of(rules, formation, body.stand_width, body.mounted, gap)?;
    let facing = facing.unwrap_or(body.footing.facing);
    let stands = unit.stands.len() as u32;
    let old = body.drawn(stands);
    let new = Drawn { gap, ..Drawn::new(formation, stands, body.stand_width, body.stand_depth) };
    let new = new.at(body.footing.anchor, facing);
    let pivot = pivot.map(|pivot| pivot as usize);
    let no_such_stand = |_| (FORM_35, "has no such stand to form on".to_owned());
    let anchor = match formation {
        Formation::Square => formation::square_anchor(&old.layout(), &new),
        _ => formation::form_on(&old, &new, pivot, None).map_err(no_such_stand)?,
    };
    Ok(settled(body, formation, gap, Frame::new(anchor, facing)))
}

/// FORM-36, FORM-37 A column faces left or right, or a line marches off.
fn front_to_flank(unit: &Unit, body: &Body, toward: Flank) -> Result<Body, Refused> {
    if body.footing.disorder || unit.arm == Arm::Artillery {
        return Err((FORM_36, "cannot change by the flank: only a formed line or march column does".to_owned()));
    }
    let stands = unit.stands.len() as u32;
    let drawn = body.drawn(stands);
    let (formation, frame) = match body.footing.formation {
        Formation::MarchColumn => (Formation::SingleLine, formation::column_into_line(&drawn, toward)),
        _ => (Formation::MarchColumn, formation::line_into_column(&drawn, toward)),
    };
    let bent =
        || (FORM_37, "cannot change by the flank: only a single line or a straight march column does".to_owned());
    Ok(settled(body, formation, 0, frame.ok_or_else(bent)?))
}

/// ARTY-02, ARTY-06, ORG-09 Limbering and unlimbering keep the battery's centre.
fn guns(unit: &Unit, body: &Body, from: Formation, to: Formation, facing: Bearing) -> Result<Body, Refused> {
    let Some(guns) = unit.guns.as_ref().filter(|_| unit.arm == Arm::Artillery) else {
        return Err((ARTY_02, "has no guns to limber or unlimber".to_owned()));
    };
    if body.footing.formation != from {
        return Err((ARTY_02, format!("is {to} already")));
    }
    if to == Formation::Limbered && guns.horses == 0 {
        return Err((ARTY_39, "has no horses left to limber to".to_owned()));
    }
    let stands = unit.stands.len() as u32;
    let planned = settled(body, to, 0, Frame::new(body.footing.anchor, facing));
    let nobody = |_| (ARTY_02, "has no guns left".to_owned());
    let anchor = formation::form_on(&body.drawn(stands), &planned.drawn(stands), None, None).map_err(nobody)?;
    Ok(settled(body, to, 0, Frame::new(anchor, facing)))
}

/// FORM-01, CAV-01, CAV-06 Whether the arm has the formation, and whether it is played yet.
pub(super) fn may_take(unit: &Unit, mounted: bool, formation: Formation) -> Result<(), Refused> {
    let infantry = [
        Formation::SingleLine,
        Formation::ExtendedLine,
        Formation::DoubleLine,
        Formation::AttackColumn,
        Formation::SkirmishLine,
        Formation::MarchColumn,
        Formation::LineWithReserve,
        Formation::LineWithSkirmishers,
        Formation::Square,
    ];
    let has = match unit.arm {
        Arm::Infantry => infantry.contains(&formation),
        Arm::Cavalry if mounted => horses::IN_THE_SADDLE.contains(&formation),
        Arm::Cavalry => horses::ON_FOOT.contains(&formation),
        Arm::Artillery | Arm::Sharpshooter | Arm::GunCrew => false,
    };
    if has {
        return has_stands_for(unit, formation);
    }
    if unit.arm == Arm::Infantry && formation == Formation::BrigadeColumn {
        return Err((TAC_27, format!("cannot take {formation} by itself: name the regiments that are to form it")));
    }
    if unit.arm == Arm::Cavalry {
        return Err(horses::why_no_formation(mounted, formation));
    }
    Err((FORM_01, format!("is {} and has no formation {formation}", unit.arm)))
}

/// CAV-01, CAV-02, CAV-06 Why a unit has no such formation in the saddle or on foot; none: it has.
pub(crate) fn why_no_formation(unit: &Unit, mounted: bool, formation: Formation) -> Option<Refused> {
    may_take(unit, mounted, formation).err()
}

/// TAC-11, TAC-16 A stand can be told off only of a line of four.
pub(crate) fn has_stands_for(unit: &Unit, formation: Formation) -> Result<(), Refused> {
    let rule = match formation {
        Formation::LineWithReserve => TAC_11,
        Formation::LineWithSkirmishers => TAC_16,
        _ => return Ok(()),
    };
    let left = unit.stands.len();
    if left == 4 {
        return Ok(());
    }
    Err((rule, format!("cannot take {formation}, which needs four stands: it has {left} left")))
}

/// Whether a unit could take a formation at once, where a rule lets it: one of its arm as it stands, for which it has the
/// stands. A square takes a whole turn, but for that of TAC-40. REV-11, TAC-37
pub(crate) fn may_take_at_once(unit: &Unit, formation: Formation) -> bool {
    let square = [formation, unit.footing.formation].contains(&Formation::Square);
    // TAC-34 A column is left by FORM alone.
    !square && unit.column.is_none() && may_take(unit, unit.mounted, formation).is_ok()
}

/// FORM-05, FORM-09, CAV-03, CAV-07, CAV-08, TAC-11, TAC-16 The gap of the order, or the default.
pub(crate) fn gap_of(
    rules: &Ruleset,
    formation: Formation,
    width: i32,
    mounted: bool,
    asked: Option<u32>,
) -> Result<i32, Refused> {
    let between_stands = formation::gaps_between_stands(formation, width, mounted);
    let (allowed, rule) = match formation {
        Formation::LineWithReserve => {
            let lengths = &rules.reserve_stand;
            (Some(lengths.min_distance.thousandths()..=lengths.max_distance.thousandths()), TAC_11)
        }
        Formation::LineWithSkirmishers => {
            let lengths = &rules.skirmish_screen;
            (Some(lengths.min_distance.thousandths()..=lengths.max_distance.thousandths()), TAC_16)
        }
        _ if mounted => (between_stands, CAV_03),
        Formation::DismountedLine => (between_stands, CAV_07),
        Formation::SkirmishLine => (between_stands, FORM_09),
        _ => (between_stands, FORM_05),
    };
    match (allowed, asked) {
        (Some(allowed), Some(asked)) => {
            let gap = i32::try_from(asked).unwrap_or(i32::MAX);
            let (least, most) = (*allowed.start(), *allowed.end());
            let wrong = || {
                (
                    rule,
                    format!(
                        "cannot take that gap: in {formation} it lies between {least} and {most} thousandths of an inch"
                    ),
                )
            };
            allowed.contains(&gap).then_some(gap).ok_or_else(wrong)
        }
        _ => Ok(formation::default_gap(formation, width, mounted)),
    }
}

/// The unit in good order in its new formation.
pub(super) fn settled(body: &Body, formation: Formation, gap: i32, frame: Frame) -> Body {
    let footing = Footing {
        anchor: frame.anchor,
        facing: frame.facing,
        formation,
        gap,
        refused: None,
        prone: false,
        trail: Vec::new(),
        disorder: false,
        screen_back: false,
    };
    Body { footing, ..body.clone() }
}

/// By how much the gap behind a screen is shortened at a time, thousandths of an inch.
const GAP_STEP: i32 = 125;

/// TAC-16 The line with its screen before it: at the gap that was ordered, or nearer, down to the least that the rule allows,
/// where `is_free` of a place. None: nowhere.
pub(super) fn with_screen(rules: &Ruleset, body: &Body, stands: u32, is_free: impl Fn(&Shape) -> bool) -> Option<Body> {
    let least = rules.skirmish_screen.min_distance.thousandths();
    let shorter = |gap: &i32| (least < *gap).then(|| (gap - GAP_STEP).max(least));
    std::iter::successors(Some(body.footing.gap), shorter).find_map(|gap| {
        let mut placed = body.clone();
        placed.footing.gap = gap;
        let screen = placed.layout(stands).screen().map(|rect| Shape::around(vec![*rect]))?;
        is_free(&screen).then_some(placed)
    })
}

/// FORM-35 The change slid along its own front by the least distance that clears the others, right before left. None when
/// nothing clears, up to a stand's width. `kept_off` hears who stands in each place that is tried in vain. LOS-02
pub(super) fn clear_place<'a>(
    body: &Body,
    stands: u32,
    others: impl Iterator<Item = (UnitIx, &'a Shape)> + Clone,
    kept_off: impl Fn(&[UnitIx]),
) -> Option<Body> {
    let planned = Shape::of(body, stands);
    let near: Vec<(UnitIx, &Shape)> = others.filter(|(_, other)| planned.may_reach(other, body.stand_width)).collect();
    let frame = Frame::new(body.footing.anchor, body.footing.facing);
    let slid = |slide: i32| frame.at(0, slide);
    let clears = |slide: i32| {
        let to = slid(slide);
        let moved = planned.carried((to.x - frame.anchor.x, to.y - frame.anchor.y));
        let by: Vec<UnitIx> = near.iter().filter(|(_, other)| moved.overlaps(other)).map(|(ix, _)| *ix).collect();
        kept_off(&by);
        by.is_empty()
    };
    let slide = formation::least_slide(body.stand_width, clears)?;
    let mut placed = body.clone();
    placed.footing.anchor = slid(slide);
    Some(placed)
}
