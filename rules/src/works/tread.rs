//! What a charge treads down of an obstacle: the stretch that its stands sweep. OBS-12, OBS-26

use protocol::event::ObstacleChange;
use protocol::ids::FeatureId;
use protocol::place::{Bearing, Point};

use super::obstacles::take_out;
use crate::battle::UnitIx;
use crate::catalogue::RuleId;
use crate::field::Field;
use crate::geometry::{self, Frame};
use crate::ground::{GroundChanges, GroundNow, Obstacle, Outward, Stretch, part_of_line};
use crate::play::Play;

/// OBS-12 Takes out what a unit's stands sweep of an obstacle that its anchor crosses there, along a bearing, with what would be
/// left of it and is shorter than a stand.
pub(crate) fn tread_down(
    play: &mut Play<'_>,
    by: (UnitIx, RuleId),
    bearing: Bearing,
    obstacle: &FeatureId,
    along: i32,
) {
    let swept = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let ground = field.ground();
        let Some(obstacle) = ground.obstacle(obstacle) else { return };
        let unit = field.unit(by.0);
        let frame = Frame::new(unit.footing.anchor, bearing);
        let corners = field.layout(by.0).rects().flat_map(|stand| stand.corners);
        let sides: Vec<i64> = corners.map(|corner| frame.to_right(corner)).collect();
        let (Some(left), Some(right)) = (sides.iter().min(), sides.iter().max()) else { return };
        let band = Band { frame, left: *left, right: *right };
        let swept = [false, true].into_iter().flat_map(|forward| band.swept(&ground, obstacle, along, forward));
        let whole = |(obstacle, stretch): (&Obstacle, Stretch)| {
            let length = geometry::polyline_length(&obstacle.line);
            (obstacle.id.clone(), with_remainders(ground.changes(), &obstacle.id, length, stretch, unit.stand_width))
        };
        swept.map(whole).collect::<Vec<_>>()
    };
    take_out(play, by, &joined(swept), ObstacleChange::TroddenDown, |name, what| format!("{name} treads down {what}."));
}

/// The strip of ground that a unit sweeps.
struct Band {
    frame: Frame,
    /// Its left side, to the right of the frame, thousandths times the unit of the geometry.
    left: i64,
    /// Its right side.
    right: i64,
}

impl Band {
    /// What lies in the strip of an obstacle, one way from a place on it, as far as it goes without leaving the strip.
    fn swept<'a>(
        &self,
        ground: &GroundNow<'a>,
        obstacle: &'a Obstacle,
        along: i32,
        forward: bool,
    ) -> Vec<(&'a Obstacle, Stretch)> {
        let mut swept = Vec::new();
        for walked in ground.outward(obstacle, along, forward) {
            let (within, leaves) = self.within(&walked);
            let Stretch { from, to } = walked.stretch;
            let stretch = match walked.forward {
                true => Stretch { from, to: (from + within).min(to) },
                false => Stretch { from: (to - within).max(from), to },
            };
            swept.push((walked.obstacle, stretch));
            if leaves {
                break;
            }
        }
        swept
    }

    /// How much of a part, in the order in which it is walked, lies in the strip, and whether it leaves it.
    fn within(&self, walked: &Outward<'_>) -> (i32, bool) {
        let mut line: Vec<Point> = part_of_line(&walked.obstacle.line, walked.stretch);
        if !walked.forward {
            line.reverse();
        }
        let mut within = 0;
        for leg in line.windows(2) {
            let length = geometry::segment_length(leg[0], leg[1]);
            let (from, to) = (self.frame.to_right(leg[0]), self.frame.to_right(leg[1]));
            let edge = match to {
                to if to < self.left => self.left,
                to if self.right < to => self.right,
                _ => {
                    within += length;
                    continue;
                }
            };
            let share = i128::from((edge - from).abs()) * i128::from(length) / i128::from((to - from).abs().max(1));
            return (within + i32::try_from(share).unwrap_or(length).clamp(0, length), true);
        }
        (within, false)
    }
}

/// OBS-12 A stretch with the pieces beside it that would stand alone and are shorter than a stand.
fn with_remainders(
    changes: &GroundChanges,
    obstacle: &FeatureId,
    length: i32,
    stretch: Stretch,
    stand_width: i32,
) -> Stretch {
    let mut after = changes.clone();
    after.open_gap(obstacle, stretch);
    let mut whole = stretch;
    for piece in after.standing(obstacle, length) {
        if piece.to - piece.from < stand_width {
            let gap_touches = |edge: i32| after.is_gap(obstacle, edge) && stretch.from <= edge && edge <= stretch.to;
            if gap_touches(piece.to) {
                whole.from = piece.from;
            }
            if gap_touches(piece.from) {
                whole.to = piece.to;
            }
        }
    }
    whole
}

/// Stretches of one obstacle are one.
fn joined(stretches: Vec<(FeatureId, Stretch)>) -> Vec<(FeatureId, Stretch)> {
    let mut all: Vec<(FeatureId, Stretch)> = Vec::new();
    for (obstacle, stretch) in stretches {
        match all.iter_mut().find(|(other, _)| *other == obstacle) {
            Some((_, before)) => {
                *before = Stretch { from: before.from.min(stretch.from), to: before.to.max(stretch.to) };
            }
            None => all.push((obstacle, stretch)),
        }
    }
    all
}
