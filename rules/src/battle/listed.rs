//! A unit in the table's list, with its stands as they were last drawn.
//!
//! Owns the one rule by which a drawing is kept: it is dropped whenever the unit is lent out to be changed; where the unit then
//! only stands elsewhere, the old drawing is carried there. It is no part of the battle: units are equal, print and are stored
//! by what they are. Copies of a table share what neither has changed.

use std::fmt;
use std::sync::{Arc, OnceLock};

use protocol::place::{Bearing, Point};
use protocol::words::{Flank, Formation};
use serde::{Deserialize, Deserializer, Serializer};

use super::Unit;
use crate::formation::Layout;
use crate::geometry::{Extent, Rect};
use crate::sight::Bulk;

/// A unit and, once somebody has asked for it, its drawing.
#[derive(Clone)]
pub(super) struct Listed(Arc<Entry>);

struct Entry {
    unit: Unit,
    drawing: OnceLock<Arc<Drawing>>,
    /// As the unit was drawn before it was last changed.
    earlier: Option<Arc<Drawing>>,
}

impl Clone for Entry {
    /// A copy is made to be changed, and so is drawn anew.
    fn clone(&self) -> Self {
        Entry { unit: self.unit.clone(), drawing: OnceLock::new(), earlier: self.latest() }
    }
}

impl Entry {
    fn latest(&self) -> Option<Arc<Drawing>> {
        self.drawing.get().or(self.earlier.as_ref()).cloned()
    }
}

/// The stands of a unit in their places, and what is told from them alone.
pub(super) struct Drawing {
    /// What was drawn.
    pose: Pose,
    /// Where.
    anchor: Point,
    /// Not its stands were drawn, but a rectangle in their place. HID-03
    measured: bool,
    pub(super) layout: Layout,
    /// The box about them.
    pub(super) extent: Extent,
    /// Their rectangles, and the centres of these, from which and to which one looks.
    pub(super) stands: Arc<[Rect]>,
    pub(super) centers: Arc<[Point]>,
    /// As they stand in the way of others. VIS-13
    pub(super) bulk: Vec<Bulk>,
}

/// All of a unit on which its layout depends, but for its anchor. A bent column has none: its way lies where it lies.
#[derive(PartialEq)]
struct Pose {
    facing: Bearing,
    formation: Formation,
    gap: i32,
    refused: Option<Flank>,
    straight: bool,
    screen_out: bool,
    stands: usize,
    width: i32,
    depth: i32,
}

impl Pose {
    fn of(unit: &Unit) -> Pose {
        let footing = &unit.footing;
        Pose {
            facing: footing.facing,
            formation: footing.formation,
            gap: footing.gap,
            refused: footing.refused,
            straight: footing.trail.is_empty(),
            screen_out: footing.screen_is_out(),
            stands: unit.stands.len(),
            width: unit.stand_width,
            depth: unit.stand_depth,
        }
    }
}

impl Drawing {
    /// A unit that has been changed in what is not drawn, such as its marks, keeps its drawing.
    fn of(unit: &Unit, earlier: Option<&Arc<Drawing>>) -> Arc<Drawing> {
        let (pose, anchor) = (Pose::of(unit), unit.footing.anchor);
        let layout = match earlier {
            Some(earlier) if pose.straight && earlier.pose == pose && earlier.anchor == anchor => {
                return Arc::clone(earlier);
            }
            Some(earlier) if pose.straight && earlier.pose == pose => {
                earlier.layout.carried(anchor.x - earlier.anchor.x, anchor.y - earlier.anchor.y)
            }
            _ => unit.layout(),
        };
        let measured = pose.straight && earlier.is_some_and(|earlier| earlier.measured && earlier.pose == pose);
        Arc::new(Drawing { measured, ..Drawing::with(pose, anchor, layout) })
    }

    /// Whether two drawings surely show the same, though they were made apart: one unit of one pose in one place is drawn alike.
    fn is(self: &Arc<Self>, other: &Arc<Drawing>) -> bool {
        let alike = || self.pose.straight && self.anchor == other.anchor && self.pose == other.pose && !self.measured;
        Arc::ptr_eq(self, other) || (alike() && !other.measured)
    }

    fn with(pose: Pose, anchor: Point, layout: Layout) -> Drawing {
        let stands: Arc<[Rect]> = layout.rects().copied().collect();
        let centers = stands.iter().map(|stand| stand.center).collect();
        let (extent, bulk) = (Extent::of(stands.iter()), stands.iter().map(Bulk::of).collect());
        Drawing { pose, anchor, measured: false, layout, extent, stands, centers, bulk }
    }
}

/// A drawing that somebody has kept, to see whether its unit still stands so. While it is kept no other takes its place in memory.
#[derive(Clone)]
pub(crate) struct Drawn(Arc<Drawing>);

impl PartialEq for Drawn {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(&other.0)
    }
}

impl Listed {
    /// The drawing, to be kept.
    pub(super) fn drawn(&self) -> Drawn {
        Drawn(Arc::clone(self.drawing()))
    }

    /// Whether the unit stands as it did when that was drawn: a no may be a mistake, a yes is sure.
    pub(super) fn is_drawn(&self, drawn: &Drawn) -> bool {
        self.drawing().is(&drawn.0)
    }

    pub(super) fn new(unit: Unit) -> Self {
        Listed(Arc::new(Entry { unit, drawing: OnceLock::new(), earlier: None }))
    }

    pub(super) fn unit(&self) -> &Unit {
        &self.0.unit
    }

    /// The unit, to be changed.
    pub(super) fn unit_mut(&mut self) -> &mut Unit {
        let entry = Arc::make_mut(&mut self.0);
        entry.earlier = entry.latest();
        entry.drawing.take();
        &mut entry.unit
    }

    /// The same unit, measured by one rectangle in place of its stands until it is changed. HID-03
    pub(super) fn measured_as(&self, rect: Rect) -> Self {
        let unit = self.unit().clone();
        let drawn = Drawing::with(Pose::of(&unit), unit.footing.anchor, Layout::of_one(rect));
        let drawing = Drawing { measured: true, ..drawn };
        Listed(Arc::new(Entry { unit, drawing: OnceLock::from(Arc::new(drawing)), earlier: None }))
    }

    pub(super) fn drawing(&self) -> &Arc<Drawing> {
        let entry = &*self.0;
        entry.drawing.get_or_init(|| Drawing::of(&entry.unit, entry.earlier.as_ref()))
    }
}

impl PartialEq for Listed {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.unit() == other.unit()
    }
}

impl fmt::Debug for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.unit().fmt(f)
    }
}

/// Stores the units alone.
pub(super) fn serialize<S: Serializer>(units: &[Listed], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(units.iter().map(Listed::unit))
}

/// Restores them, not yet drawn.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Listed>, D::Error> {
    Vec::<Unit>::deserialize(deserializer).map(|units| units.into_iter().map(Listed::new).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use protocol::ids::Side;

    use super::*;
    use crate::testing::infantry;

    /// A change to a unit: what, and by how much.
    fn change(unit: &mut Unit, (what, value): (u8, i32)) {
        let footing = &mut unit.footing;
        match what {
            0..6 => footing.anchor = Point::new(footing.anchor.x + value, footing.anchor.y - 2 * value),
            6 => footing.facing = footing.facing.turned(value),
            7 => footing.formation = Formation::MarchColumn,
            8 => footing.formation = Formation::ExtendedLine,
            9 => footing.gap = value.abs(),
            10 => footing.trail = vec![Point::new(footing.anchor.x, footing.anchor.y - 900), Point::new(value, value)],
            11 => footing.trail.clear(),
            12 => footing.refused = Some(Flank::Left),
            13 => unit.stand_width += value.abs() % 100,
            14 => unit.marks.moved = true,
            _ => unit.stands.truncate(3),
        }
    }

    proptest! {
        #[test]
        fn a_drawing_is_what_would_be_drawn_anew(
            changes in proptest::collection::vec((0..16_u8, -3_000..3_000_i32), 1..30),
            asks in 1..4_usize,
        ) {
            let mut listed = Listed::new(infantry("a", Side::Union).at(20_000, 20_000).unit());
            for (n, asked) in changes.into_iter().enumerate() {
                // A copy that somebody keeps must not move along.
                let copy = (n % 3 == 0).then(|| (listed.clone(), listed.unit().layout()));
                change(listed.unit_mut(), asked);
                if n % asks == 0 {
                    let fresh = listed.unit().layout();
                    let kept = listed.drawing();
                    prop_assert_eq!(&kept.layout, &fresh);
                    prop_assert_eq!(kept.extent, Extent::of(fresh.rects()));
                }
                if let Some((copy, before)) = copy {
                    prop_assert_eq!(&copy.drawing().layout, &before);
                }
            }
        }
    }
}
