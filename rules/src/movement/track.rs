//! The way of a unit as it is shown afterwards: only the points between which it does not go evenly. MV-02

use protocol::event::TrackPoint;
use protocol::place::Point;

use super::body::Body;
use super::program::SEGMENTS;
use crate::geometry::segment_length;

/// How far from the even way a point may lie and still be left out, thousandths of an inch.
const TOLERANCE: i64 = 20;

/// Segments after which a bent column is shown again.
const BENT_STEP: u8 = 4;

/// The travel of the anchor, thousandths of an inch.
pub(super) fn travelled(track: &[(u8, Body)]) -> i32 {
    let anchors: Vec<Point> = track.iter().map(|(_, body)| body.footing.anchor).collect();
    anchors.windows(2).map(|pair| segment_length(pair[0], pair[1])).sum()
}

/// The track of a mover of so many stands, from where it began to where it stands.
pub(super) fn compressed(track: &[(u8, Body)], stands: u32) -> Vec<TrackPoint> {
    let track = spread(track);
    let mut kept: Vec<usize> = vec![0];
    for n in 1..track.len().saturating_sub(1) {
        let from = kept[kept.len() - 1];
        // A few of those that would be left out stand for all: bends are sharp, not slow.
        let step = ((n - from) / 8).max(1);
        let mut left_out = (from + 1..=n).rev().step_by(step);
        let evenly = left_out.all(|between| lies_between(&track[from], &track[between], &track[n + 1]));
        if !evenly {
            kept.push(n);
        }
    }
    if 1 < track.len() {
        kept.push(track.len() - 1);
    }
    let point = |n: usize| {
        let (segment, body) = &track[n];
        TrackPoint { segment: (*segment).min(SEGMENTS), stance: body.stance(stands) }
    };
    kept.into_iter().map(point).collect()
}

/// Adds the last moment of standing before each step after a pause, so that a pause shows as one.
fn spread(track: &[(u8, Body)]) -> Vec<(u8, Body)> {
    let mut full: Vec<(u8, Body)> = Vec::with_capacity(track.len());
    for (segment, body) in track {
        if let Some((last, standing)) = full.last().cloned()
            && last + 1 < *segment
        {
            full.push((segment - 1, standing));
        }
        full.push((*segment, body.clone()));
    }
    full
}

/// Whether a moment may be left out between two others.
fn lies_between(from: &(u8, Body), at: &(u8, Body), to: &(u8, Body)) -> bool {
    let same = |a: &Body, b: &Body| {
        (a.footing.facing, a.footing.formation, a.footing.disorder, a.footing.prone, a.stand_depth)
            == (b.footing.facing, b.footing.formation, b.footing.disorder, b.footing.prone, b.stand_depth)
    };
    let alike = same(&from.1, &at.1) && same(&at.1, &to.1);
    let bent = [from, at, to].iter().any(|(_, body)| !body.footing.trail.is_empty());
    if bent {
        return to.0 - from.0 <= BENT_STEP && from.1.footing.formation == to.1.footing.formation;
    }
    let span = i64::from(to.0) - i64::from(from.0);
    if !alike || span <= 0 {
        return false;
    }
    let share = i64::from(at.0) - i64::from(from.0);
    let near = |a: i32, b: i32, c: i32| {
        let even = i64::from(a) * span + (i64::from(c) - i64::from(a)) * share;
        (even - i64::from(b) * span).abs() <= TOLERANCE * span
    };
    let anchor = |moment: &(u8, Body)| moment.1.footing.anchor;
    let (a, b, c) = (anchor(from), anchor(at), anchor(to));
    near(a.x, b.x, c.x) && near(a.y, b.y, c.y)
}
