//! Points, directions, distances and shapes on the table, as integers.
//!
//! Owns every computation with lengths and bearings: the integer directions of SCALE-06, the one tolerance of
//! SCALE-07, rectangles of stands, distances, polygons, lines, fire zones. Floats appear here alone, in the sine table
//! and the bearing between two points, and are rounded to the grid at once; all else is integer arithmetic.
//! It never knows a unit, a formation or a terrain. Start at [`Frame`] for placing things, at [`Distance`] for
//! measuring, at [`FrontEdge`] for zones.
//!
//! Lengths are thousandths of an inch, bearings hundredths of a degree clockwise from north. Nothing overflows for
//! coordinates between -1,000,000 and 1,000,000 thousandths.

mod arc;
mod direction;
mod distance;
mod extent;
mod line;
mod polygon;
mod rect;
mod zones;

pub use arc::{Circle, in_arc};
pub use direction::{Frame, Vector, bearing_between, forward, right, rotated_about, round_div};
pub use distance::{
    Distance, between_points, between_polygons, between_stands, nearest_on_segment, point_to_polygon, point_to_segment,
    segment_to_polygon, shortest_segment,
};
pub use extent::Extent;
pub use line::{
    Interval, Intervals, Share, arc_length, clip_segment, crossing, meets_line, point_toward, polyline_at,
    polyline_at_halves, polyline_length, segment_length, segment_meets_polygon, segments_meet,
};
pub use polygon::{
    Location, centroid, contains, contains_within_eps, convex_hull, locate, mean, overlaps_beyond_eps,
    overlaps_outside_beyond_eps, sweep,
};
pub use rect::Rect;
pub use zones::{EPS_DIAGONAL, EPS_UNIT, FrontEdge};

/// SCALE-07 The one tolerance, thousandths of an inch: boundaries count as inside, and this much rounding is forgiven.
pub const EPS: i32 = 2;

/// SCALE-06 The length of the integer vectors of a bearing.
pub const UNIT: i64 = 1_000_000;

#[cfg(test)]
mod tests;
