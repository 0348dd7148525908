//! VIS-13 A clear line of fire past other troops.

use protocol::place::Point;

use crate::geometry::{self, EPS, Rect};

/// VIS-13 Whether the line between the centres of two stands meets none of the rectangles, each drawn in by the tolerance.
///
/// The caller chooses the rectangles: stands of open third units that block this kind of fire. He leaves out the hidden,
/// leaders, abandoned guns, wagons, and the firer's and the target's own. Ground is another question: `sight_line`.
pub fn clear_of_troops(from: Point, to: Point, blocking: &[Rect]) -> bool {
    let (west, east) = (from.x.min(to.x), from.x.max(to.x));
    let (south, north) = (from.y.min(to.y), from.y.max(to.y));
    blocking.iter().all(|stand| {
        let reach = stand.width + stand.depth;
        let apart = stand.center.x + reach < west
            || east < stand.center.x - reach
            || stand.center.y + reach < south
            || north < stand.center.y - reach;
        apart || !geometry::segment_meets_polygon(from, to, &stand.shrunk(EPS))
    })
}
