//! Heights on a grid, for drawing alone.
//!
//! Owns a smooth surface through the contours. No rule may ask it: sight uses levels (VIS-14).

use protocol::place::Point;

use super::lines;
use super::{Contour, Ground};

/// Heights at the nodes of a square grid, for hill shading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relief {
    /// Thousandths of an inch from node to node.
    pub step: i32,
    /// Nodes from west to east.
    pub columns: usize,
    /// Nodes from south to north.
    pub rows: usize,
    /// Tenths of a foot, row by row from the south-west corner.
    pub heights: Vec<i32>,
}

impl Ground {
    /// Samples a smooth surface through the contours. For drawing only; it costs nodes times contour points, so ask once.
    /// The step is at least a hundredth of the longer side of the table divided by ten, so that no map makes it endless.
    pub fn relief(&self, step: i32) -> Relief {
        let (width, height) = (self.width.max(1), self.height.max(1));
        let step = step.max(width.max(height) / 1_000).max(1);
        let (columns, rows) = ((width / step + 1) as usize, (height / step + 1) as usize);
        let nodes = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let heights = nodes
            .map(|(column, row)| height_at(&self.contours, Point::new(column as i32 * step, row as i32 * step)))
            .collect();
        Relief { step, columns, rows, heights }
    }
}

/// Tenths of a foot at a point: between the contour below and the contour above, by the distances to both.
fn height_at(contours: &[Contour], point: Point) -> i32 {
    /// Where nothing lies beyond, the ground goes on rising or falling over so many thousandths of an inch.
    const REACH: i64 = 3_000;
    let level = contours.iter().filter(|contour| lines::holds(&contour.outline, point)).map(|contour| contour.feet);
    let level = level.max().unwrap_or(0).max(0);
    let below = nearest(contours, point, |feet| 0 < level && feet == level).map(|(distance, _)| distance);
    let above = nearest(contours, point, |feet| level < feet);
    let low = i64::from(level) * 10;
    let height = match (below, above) {
        (Some(below), Some((above, feet))) => low + (i64::from(feet) * 10 - low) * below / (below + above).max(1),
        // Below the lowest contour the ground falls away from it.
        (None, Some((above, feet))) => i64::from(feet) * 10 * REACH / (REACH + above),
        // A top is a little dome.
        (Some(below), None) => low + 50 * below / (REACH + below),
        (None, None) => low,
    };
    height as i32
}

/// The distance to the nearest contour of the wanted heights, and its height.
fn nearest(contours: &[Contour], point: Point, wanted: impl Fn(i32) -> bool) -> Option<(i64, i32)> {
    let contours = contours.iter().filter(|contour| wanted(contour.feet));
    let distances = contours.filter_map(|contour| {
        let edges = lines::edges(&contour.outline).map(|(a, b)| lines::distance(a, b, point));
        edges.min().map(|distance| (distance, contour.feet))
    });
    distances.min()
}
