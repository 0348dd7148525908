//! How the regiments of a brigade lie about their picket. HID-10
//!
//! Owns the three shapes of a deployment plan, and what of a plan can be drawn up. It puts nobody on the table: it says where each
//! regiment's anchor would be.

use protocol::orders::{Plan, PlanShape};
use protocol::place::{Bearing, Point};
use protocol::words::Formation;

use crate::battle::Unit;
use crate::catalogue::{HID_10, RuleId};
use crate::formation::Drawn;
use crate::geometry::Frame;

/// HID-10 The greatest gap between the regiments of a plan, thousandths of an inch.
pub(crate) const WIDEST_GAP: u32 = 1_000;

/// HID-10 So far the second of two lines stands behind the rear of the first, thousandths of an inch.
const BETWEEN_LINES: i32 = 2_000;

/// HID-10 Why a plan for so many regiments in that formation cannot be drawn up.
///
/// # Errors
/// The rule, what is wrong and what would do.
pub(crate) fn check(plan: &Plan, formation: Formation) -> Result<(), (RuleId, String)> {
    let Plan { order, shape, gap } = plan;
    if WIDEST_GAP < *gap {
        let why = "the gap of a plan is at most one inch; give 0 to 1000 thousandths".to_owned();
        return Err((HID_10, why));
    }
    let regiments = order.len();
    match shape {
        PlanShape::TwoLines { first } if *first == 0 || regiments <= *first as usize => {
            let why = match regiments {
                0 | 1 => "one regiment makes no two lines; choose another shape".to_owned(),
                _ => format!("two lines of {regiments} regiments have 1 to {} in the first", regiments - 1),
            };
            Err((HID_10, why))
        }
        PlanShape::Abreast {} | PlanShape::TwoLines { .. } if formation == Formation::MarchColumn => {
            let why = "a brigade in march column lies in depth; choose that shape, or another formation".to_owned();
            Err((HID_10, why))
        }
        PlanShape::Abreast {} | PlanShape::InDepth {} | PlanShape::TwoLines { .. } => Ok(()),
    }
}

/// HID-10 Where the anchor of each regiment is, in the order of the plan, when its marker stands there.
pub(crate) fn anchors(plan: &Plan, regiments: &[Unit], at: Point, facing: Bearing) -> Vec<Point> {
    let frame = Frame::new(at, facing);
    let gap = i32::try_from(plan.gap.min(WIDEST_GAP)).unwrap_or_default();
    match plan.shape {
        PlanShape::Abreast {} => abreast(frame, regiments, gap),
        PlanShape::InDepth {} => in_depth(frame, regiments, gap),
        PlanShape::TwoLines { first } => {
            let (first, second) = regiments.split_at((first as usize).min(regiments.len()));
            let back = first.iter().map(depth).max().unwrap_or_default() + BETWEEN_LINES;
            let mut places = abreast(frame, first, gap);
            places.extend(abreast(frame.moved(-back, 0), second, gap));
            places
        }
    }
}

/// Fronts level, from left to right, the whole frontage centred. The halves of odd widths are kept until the end.
fn abreast(frame: Frame, regiments: &[Unit], gap: i32) -> Vec<Point> {
    let widths: Vec<i64> = regiments.iter().map(|unit| i64::from(Drawn::of(unit).frontage())).collect();
    let gaps = i64::from(gap) * (widths.len().saturating_sub(1) as i64);
    let mut left_in_halves = -(widths.iter().sum::<i64>() + gaps);
    let places = widths.iter().map(|width| {
        let middle = left_in_halves + width;
        left_in_halves += 2 * (width + i64::from(gap));
        frame.at_halves(0, middle)
    });
    places.collect()
}

/// One behind another, the first on the marker.
fn in_depth(frame: Frame, regiments: &[Unit], gap: i32) -> Vec<Point> {
    let mut back = 0;
    let places = regiments.iter().map(|unit| {
        let place = frame.at(-back, 0);
        back += depth(unit) + gap;
        place
    });
    places.collect()
}

/// From the front of a unit to its rear, thousandths of an inch.
fn depth(unit: &Unit) -> i32 {
    let upright =
        Unit { footing: crate::battle::Footing { facing: Bearing::NORTH, ..unit.footing.clone() }, ..unit.clone() };
    let layout = upright.layout();
    let rear = layout.rects().flat_map(|rect| rect.corners).map(|corner| corner.y).min();
    upright.footing.anchor.y - rear.unwrap_or(upright.footing.anchor.y)
}
