//! Who stands near a place, without asking everybody.
//!
//! Owns [`Crowd`], the units of one moment sorted into squares by the boxes about them. It says who may be near; whether they
//! are is for the asker to measure.

use crate::battle::UnitIx;
use crate::geometry::{EPS, Extent};

/// The side of a square, thousandths of an inch: a little more than a regiment in line is wide.
const SQUARE: i32 = 5_000;

/// Units by the squares that the middles of their boxes lie in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd {
    columns: i32,
    rows: i32,
    /// Where the units of each square begin in `units`; one more at the end.
    begins: Vec<u32>,
    units: Vec<UnitIx>,
    /// The farthest that any box reaches from its middle.
    reach: i32,
}

impl Crowd {
    /// Units with the boxes about them, on a table of this width and height.
    pub(crate) fn of(boxes: impl Iterator<Item = (UnitIx, Extent)>, (width, height): (i32, i32)) -> Crowd {
        let (columns, rows) = (width.max(0) / SQUARE + 1, height.max(0) / SQUARE + 1);
        let mut crowd = Crowd { columns, rows, ..Crowd::default() };
        let mut placed: Vec<(u32, UnitIx)> = Vec::new();
        for (unit, about) in boxes {
            let (x, y) = about.middle();
            crowd.reach = crowd.reach.max(about.half());
            placed.push(((crowd.row(y) * columns + crowd.column(x)) as u32, unit));
        }
        // Counted, not sorted: a crowd is made for every look.
        crowd.begins = vec![0; (columns * rows) as usize + 1];
        for (square, _) in &placed {
            crowd.begins[*square as usize] += 1;
        }
        let mut end = 0;
        for begins in &mut crowd.begins {
            end += *begins;
            *begins = end;
        }
        // From the last to the first, so that those of a square stay in the order of the list, and each square ends up at its beginning.
        crowd.units = placed.iter().map(|(_, unit)| *unit).collect();
        for (square, unit) in placed.into_iter().rev() {
            let begins = &mut crowd.begins[square as usize];
            *begins -= 1;
            crowd.units[*begins as usize] = unit;
        }
        crowd
    }

    /// All whose boxes may be within a distance of a box, thousandths of an inch, in the order of the list.
    pub(crate) fn near(&self, about: Extent, distance: i32) -> Vec<UnitIx> {
        let reach = [about.half(), self.reach, EPS + 1].into_iter().fold(distance, i32::saturating_add);
        let (x, y) = about.middle();
        let mut near = Vec::new();
        for row in self.row(y.saturating_sub(reach))..=self.row(y.saturating_add(reach)) {
            // The squares of a row lie side by side in the list.
            let first = row * self.columns + self.column(x.saturating_sub(reach));
            let last = row * self.columns + self.column(x.saturating_add(reach));
            let of = |square: i32| self.begins.get(square as usize).map_or(self.units.len(), |begins| *begins as usize);
            near.extend_from_slice(&self.units[of(first)..of(last + 1)]);
        }
        near.sort_unstable();
        near
    }

    fn column(&self, x: i32) -> i32 {
        x.div_euclid(SQUARE).clamp(0, (self.columns - 1).max(0))
    }

    fn row(&self, y: i32) -> i32 {
        y.div_euclid(SQUARE).clamp(0, (self.rows - 1).max(0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use protocol::place::{Bearing, Point};

    use super::*;
    use crate::geometry::Rect;

    fn about((x, y, width, depth): (i32, i32, i32, i32)) -> Extent {
        Extent::of([&Rect::centered(Point::new(x, y), Bearing::NORTH, width, depth)])
    }

    fn places() -> impl Strategy<Value = (i32, i32, i32, i32)> {
        (-8_000..40_000, -8_000..30_000, 500..9_000, 500..9_000)
    }

    proptest! {
        /// Nobody who is near is missed, on the table and off it, and nobody is named twice.
        #[test]
        fn nobody_near_is_missed(
            standing in prop::collection::vec(places(), 0..30),
            asking in places(),
            distance in 0..20_000,
        ) {
            let boxes: Vec<Extent> = standing.into_iter().map(about).collect();
            let listed = boxes.iter().enumerate().map(|(n, about)| (UnitIx(n as u16), *about));
            let crowd = Crowd::of(listed.clone(), (30_000, 20_000));
            let asking = about(asking);
            let near = crowd.near(asking, distance);
            prop_assert!(near.windows(2).all(|pair| pair[0] < pair[1]));
            for (unit, about) in listed.filter(|(_, about)| asking.may_be_within(*about, distance)) {
                prop_assert!(near.contains(&unit), "{about:?}");
            }
        }
    }
}
