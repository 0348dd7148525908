//! What a charge would be, from what its owner knows while he writes his orders. CHG-06, CHG-09, CHG-23
//!
//! It asks the very functions by which the charge will be declared and measured. Dice are not known yet: the least and the
//! greatest total are told.

use protocol::event::Note;
use protocol::orders::Order;
use protocol::place::{Bearing, Point};

use super::pace::{Pace, inches};
use super::riding::{self, Met};
use super::run::{OFF_THE_FRONT, toward};
use super::threat::{self, Why};
use super::{contact, objective, obstacle, square};
use crate::battle::UnitIx;
use crate::catalogue::{
    CAVC_03, CAVC_24, CAVC_25, CHG_06, CHG_09, CHG_11, CHG_13, CHG_23, CHG_28, ORD_13, RuleId, TAC_35, TAC_36, TAC_42,
};
use crate::column;
use crate::explain::called;
use crate::field::Field;
use crate::fire;
use crate::geometry::{self, EPS};
use crate::ground::PathCost;
use crate::morale::flight::displacement;
use crate::ruleset::OrderOfCharge;

/// A charge as it is foreseen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreseen {
    /// The way of its anchor, as far as the greatest total or its target.
    pub path: Vec<Point>,
    /// Why it would not come to its target, if that is sure.
    pub stops: Option<String>,
    /// Remarks.
    pub notes: Vec<Note>,
}

/// What a charge would be; none: there is nobody to charge at.
pub fn foresee(field: &Field<'_>, ix: UnitIx, order: &Order) -> Option<Foreseen> {
    let Order::Charge { target, objective: feature, .. } = order else { return None };
    let anchor = field.unit(ix).footing.anchor;
    let mut notes = Vec::new();
    let declared = threat::declared(field, ix, target.as_ref(), None);
    let named = feature.as_ref().and_then(|feature| objective::nearest(field, ix, feature));
    let (bearing, gap) = match (declared, named) {
        (None, Some(point)) => {
            notes.push(note(CHG_11, "No enemy is within its reach: it charges the feature of the ground.".to_owned()));
            (geometry::bearing_between(anchor, point)?, geometry::segment_length(anchor, point))
        }
        (declared, _) => {
            let beyond = || threat::most_threatening(field, ix, Why::Charge { reach: None }, None);
            let enemy = declared.or_else(beyond)?;
            let gap = threat::distance(field, ix, enemy).rounded();
            let name = called(&field.unit(enemy).name);
            notes.push(note(CHG_06, format!("Its target would be {name}, {} off.", fire::inches(gap))));
            (toward(field, ix, enemy)?, gap)
        }
    };
    let off = OFF_THE_FRONT <= field.unit(ix).footing.facing.angle_to(bearing);
    if off {
        let text = "That lies 45 degrees or more off its front: the whole charge is made in disorder.";
        notes.push(note(CHG_09, text.to_owned()));
    }
    let pace = Pace::of(field, ix, off)?;
    let bonus = threat::has_bonus(field.unit(ix));
    let (least, most) = match bonus {
        true => (pace.rate + pace.greatest_bonus() / 6, pace.rate + pace.greatest_bonus()),
        false => (pace.rate, pace.rate),
    };
    let text = match bonus {
        true => format!(
            "{} inches and {} dice: {} to {} in all.",
            inches(pace.rate),
            pace.dice,
            inches(least),
            inches(most)
        ),
        false => format!("{} inches, without a bonus.", inches(pace.rate)),
    };
    notes.push(note(if bonus { CHG_23 } else { ORD_13 }, text));
    let way = pace.way(field, field.unit(ix), bearing, pace.points(most));
    let (sure, farthest) = (way.reach(pace.points(least)), way.reach(pace.points(most)));
    let text = match (gap <= sure, gap <= farthest) {
        (true, _) => "Over this ground it reaches so far in any case.",
        (false, true) => "Whether it reaches so far is up to the dice.",
        (false, false) => "Over this ground it does not reach so far.",
    };
    notes.push(note(CHG_28, text.to_owned()));
    // It crosses what lies before the place at which it strikes, not what its target is covered by. WORKS-12, CAVC-25
    let strikes = declared
        .and_then(|enemy| contact::strikes_at(field, ix, bearing, enemy, gap.saturating_add(EPS)))
        .unwrap_or(gap);
    notes.extend(obstacles(field, ix, bearing, strikes));
    notes.extend(of_horse(field, ix, declared, &way, strikes.min(farthest)));
    notes.extend(of_column(field, ix));
    let stops = (farthest < gap).then(|| "it would fall short".to_owned());
    let by = displacement(bearing, gap.min(farthest));
    let path = vec![anchor, Point::new(anchor.x + by.x, anchor.y + by.y)];
    Some(Foreseen { path, stops, notes })
}

/// TAC-35, TAC-36 What a brigade column should know of its charge.
fn of_column(field: &Field<'_>, ix: UnitIx) -> Vec<Note> {
    let regiments = column::members(field.table, ix).len();
    if regiments < 2 {
        return Vec::new();
    }
    let strikes =
        format!("It strikes at the head of a column of {regiments} regiments, each of which helps at the dice down.");
    let after = "At the end of the charge the column comes apart, and all its regiments are in disorder.";
    vec![note(TAC_35, strikes), note(TAC_36, after.to_owned())]
}

/// CAVC-03, CAVC-24, CAVC-25, TAC-42 What horse should know of its way, and anybody of charging horse; of the enemy no more than
/// what is seen of him.
fn of_horse(field: &Field<'_>, ix: UnitIx, target: Option<UnitIx>, way: &PathCost, end: i32) -> Vec<Note> {
    let mut notes = Vec::new();
    let rolls = field.unit(ix).mounted && !field.unit(ix).footing.disorder;
    match riding::worst_ground(field, ix, way, end) {
        Some(OrderOfCharge::Disorder) if rolls => {
            notes.push(note(CAVC_24, "The ground on its way puts the whole charge in disorder.".to_owned()));
        }
        Some(OrderOfCharge::Roll) if rolls => {
            notes.push(note(CAVC_24, "It must roll to keep its order over the ground on its way.".to_owned()));
        }
        _ => {}
    }
    let fences = riding::on_the_way(field.table, ix, field.rules, way, end);
    let fences = fences.iter().filter(|(_, met)| *met == Met::Fence).count();
    if 0 < fences {
        let loss = inches(field.rules.charge.cavalry_fence_loss.thousandths());
        let what = if fences == 1 { "a fence or wall".to_owned() } else { format!("{fences} fences or walls") };
        let text = format!("It crosses {what}: {loss} inches, and a roll to keep its order, for each.");
        notes.push(note(CAVC_25, text));
    }
    let Some(target) = target.map(|target| field.unit(target)) else { return notes };
    if target.mounted && target.is_unrouted() {
        let text = "Its target is mounted, and may come to meet it half-way.";
        notes.push(note(CAVC_03, text.to_owned()));
    }
    if field.unit(ix).mounted && square::is_square(target) {
        let dice = field.rules.square.cavalry_approach_dice;
        let text =
            format!("Its target is in square: {dice} dice not above its BMP break it, else the horse turns away.");
        notes.push(note(TAC_42, text));
    }
    notes
}

/// OBS-11, WORKS-11 What it will meet on so much of its way.
fn obstacles(field: &Field<'_>, ix: UnitIx, bearing: Bearing, most: i32) -> Vec<Note> {
    let met = obstacle::on_way(field, ix, bearing, most).into_iter();
    let words = met.map(|met| {
        let toll = obstacle::toll(field.rules, met.kind);
        let dice = if toll.dice == 1 { "one die".to_owned() } else { format!("{} dice", toll.dice) };
        let (after, what) = (fire::inches(met.travel), met.kind.what());
        note(toll.rule, format!("After {after} it meets {what}: in disorder there, and {dice} of inches less."))
    });
    words.collect()
}

/// CHG-13 Why a charge would not be made at all.
pub fn nobody() -> Note {
    note(
        CHG_13,
        "It sees nobody to charge: unless somebody comes into sight, it will go to Conditional Hold.".to_owned(),
    )
}

fn note(rule: RuleId, text: String) -> Note {
    Note { rule: rule.into(), text }
}
