//! From an old layout to the anchor and facing of a new one.

use protocol::place::{Bearing, Point};
use protocol::words::{Flank, Formation};

use super::layout::{Drawn, Layout, Part};
use crate::geometry::{Frame, centroid, convex_hull};

/// The order names a stand that the formation does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchStand;

/// FORM-35 The anchor that puts one stand's centre on a given point. Only formation, sizes and facing of `new` count.
///
/// The centre comes out exactly, since offsets are rounded alike in both directions (SCALE-06).
pub fn anchor_keeping(new: &Drawn, place: usize, center: Point) -> Result<Point, NoSuchStand> {
    let (forward, right) = new.center_offset(place).ok_or(NoSuchStand)?;
    Ok(Frame::new(center, new.facing).at_halves(-forward, -right))
}

/// FORM-35 The anchor of the new formation: the pivot stand keeps its centre.
///
/// `pivot` is an index into the old layout, `place` one into the new. Where they are silent it is the front-rank stand
/// nearest the anchor, old and new, the right one if two are equally near. Limbering and unlimbering keep the centre
/// of a battery in the same way (ORG-09).
pub fn form_on(old: &Drawn, new: &Drawn, pivot: Option<usize>, place: Option<usize>) -> Result<Point, NoSuchStand> {
    let pivot = pivot.or_else(|| old.stand_nearest_anchor()).ok_or(NoSuchStand)?;
    let place = place.or_else(|| new.stand_nearest_anchor()).ok_or(NoSuchStand)?;
    let center = old.layout().stands.get(pivot).ok_or(NoSuchStand)?.rect.center;
    anchor_keeping(new, place, center)
}

/// FORM-37 A march column faces left or right: its head becomes that end of a single line from which the others follow
/// toward the old tail. None when it is not a straight march column.
pub fn column_into_line(column: &Drawn, toward: Flank) -> Option<Frame> {
    if column.formation != Formation::MarchColumn || !is_straight(&column.layout()) {
        return None;
    }
    let facing = column.facing.turned(9_000 * toward.sign());
    let line = Drawn { formation: Formation::SingleLine, gap: 0, ..column.at(column.anchor, facing) };
    let head_place = match toward {
        Flank::Left => line.stands.checked_sub(1)? as usize,
        Flank::Right => 0,
    };
    form_on(column, &line, Some(0), Some(head_place)).ok().map(|anchor| Frame::new(anchor, facing))
}

/// FORM-37 A single line marches off to a flank: its end stand on that side becomes the head of a march column. None
/// when it is not a single line, or a stand of it is refused.
pub fn line_into_column(line: &Drawn, marching: Flank) -> Option<Frame> {
    if line.formation != Formation::SingleLine || !is_straight(&line.layout()) {
        return None;
    }
    let facing = line.facing.turned(9_000 * marching.sign());
    let column = Drawn { formation: Formation::MarchColumn, gap: 0, ..line.at(line.anchor, facing) };
    let head = match marching {
        Flank::Left => 0,
        Flank::Right => line.stands.checked_sub(1)? as usize,
    };
    form_on(line, &column, Some(head), Some(0)).ok().map(|anchor| Frame::new(anchor, facing))
}

/// TAC-43 Forming square keeps the centre of the unit's hull, a stand told off left out. `square` gives sizes, stands and
/// facing.
pub fn square_anchor(old: &Layout, square: &Drawn) -> Point {
    let line = old.stands.iter().filter(|stand| !matches!(stand.part, Part::Screen | Part::Reserve));
    let hull = convex_hull(&line.flat_map(|stand| stand.rect.corners).collect::<Vec<_>>());
    let Some(center) = centroid(&hull) else { return square.anchor };
    let own = square.at(Point::default(), Bearing::NORTH).layout();
    let offset = centroid(&own.hull()).unwrap_or_default();
    Frame::new(center, square.facing).at(-offset.y, -offset.x)
}

/// FORM-35 The least slide along the front that clears, thousandths to the right (negative: to the left), up to one
/// stand width either way, right before left. None when no place clears.
pub fn least_slide(stand_width: i32, clears: impl Fn(i32) -> bool) -> Option<i32> {
    let by_distance = (0..=stand_width).flat_map(|distance| [distance, -distance]);
    by_distance.into_iter().find(|&slide| clears(slide))
}

fn is_straight(layout: &Layout) -> bool {
    let mut facings = layout.rects().map(|rect| rect.facing);
    let first = facings.next();
    facings.all(|facing| Some(facing) == first)
}
