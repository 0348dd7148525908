//! What a charge would be, from what its owner knows while he writes his orders. CHG-06, CHG-09, CHG-23
//!
//! It asks the very functions by which the charge will be declared and measured. Dice are not known yet: the least and the
//! greatest total are told.

use protocol::event::Note;
use protocol::orders::Order;
use protocol::place::Point;

use super::objective;
use super::pace::{Pace, inches};
use super::run::{OFF_THE_FRONT, toward};
use super::threat::{self, Why};
use crate::battle::UnitIx;
use crate::catalogue::{CHG_06, CHG_09, CHG_11, CHG_13, CHG_23, CHG_28, OBS_11, ORD_13, RuleId};
use crate::explain::called;
use crate::field::Field;
use crate::fire;
use crate::geometry;
use crate::morale::flight::displacement;

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
    let to = displacement(bearing, gap.min(farthest));
    for across in field.ground().across(anchor, Point::new(anchor.x + to.x, anchor.y + to.y)) {
        let text = format!(
            "After {} it meets {}: it is in disorder there, and loses inches by the dice.",
            fire::inches(across.travel),
            across.kind.what()
        );
        notes.push(note(OBS_11, text));
    }
    let stops = (farthest < gap).then(|| "it would fall short".to_owned());
    let by = displacement(bearing, gap.min(farthest));
    let path = vec![anchor, Point::new(anchor.x + by.x, anchor.y + by.y)];
    Some(Foreseen { path, stops, notes })
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
