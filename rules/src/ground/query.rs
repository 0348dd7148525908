//! Questions to the ground as it is now: at a point, under a unit, along a straight leg.
//!
//! Owns SCALE-04 and SCALE-08. Never knows a unit: it takes stand rectangles and points.

use std::sync::Arc;

use protocol::ids::FeatureId;
use protocol::place::{Bearing, Point};

use super::bent::Bend;
use super::changes::GroundChanges;
use super::index::{GroundIndex, Part};
use super::lines::{self, FINE, Leg};
use super::{Building, Ground, Place, Terrain, WayKind, Wooded};
use crate::geometry::{self, EPS, Extent, Rect, Vector};
use crate::sight::Remembered;

/// The ground together with what the battle has changed.
#[derive(Clone, Copy, Debug)]
pub struct GroundNow<'a> {
    pub(super) index: &'a GroundIndex,
    pub(super) changes: &'a GroundChanges,
    /// What special rules make of it for whoever asks; nothing unless he says so. SCNS-07, SCNS-09
    pub(super) bends: &'a [Bend<'a>],
    pub(super) remembered: Option<&'a Remembered>,
}

/// A part of a straight leg that lies on one kind of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins, thousandths of an inch from the start of the leg.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
    /// The ground, whatever way crosses it.
    pub terrain: Terrain,
    /// Its trees.
    pub wooded: Wooded,
    /// The way along which the leg runs here. A way that is only crossed does not count. SCALE-04
    pub way: Option<WayKind>,
    /// What a special rule allows here in a turn, thousandths of an inch. SCNS-09
    pub allowance: Option<i32>,
}

impl Piece {
    /// Its length, thousandths of an inch.
    pub const fn length(&self) -> i32 {
        self.to - self.from
    }
}

/// MOR-60 What a unit stands on, where a road counts too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Footing {
    /// In march column or limbered, on a road and along it.
    Road,
    /// On this kind of ground.
    Ground(Terrain),
}

impl<'a> GroundNow<'a> {
    pub(super) fn new(index: &'a GroundIndex, changes: &'a GroundChanges) -> Self {
        GroundNow { index, changes, bends: &[], remembered: None }
    }

    /// The same ground with a memory for lines of sight.
    pub fn remembering(self, remembered: &'a Remembered) -> Self {
        GroundNow { remembered: Some(remembered), ..self }
    }

    /// The same ground with other changes: as it would be.
    pub fn after<'b>(self, changes: &'b GroundChanges) -> GroundNow<'b>
    where
        'a: 'b,
    {
        GroundNow { changes, ..self }
    }

    /// The lines of sight found before, if anybody keeps them. They are of the ground as it lies, not as special rules
    /// bend it.
    pub(crate) fn remembered(&self) -> Option<&'a Remembered> {
        self.remembered.filter(|_| self.bends.is_empty())
    }

    /// The map, to tell it from another.
    pub(crate) fn shared_ground(&self) -> &'a Arc<Ground> {
        self.index.shared_ground()
    }

    /// The map.
    pub fn ground(&self) -> &'a Ground {
        self.index.ground()
    }

    /// What the battle has changed.
    pub fn changes(&self) -> &'a GroundChanges {
        self.changes
    }

    /// SCALE-04 The one kind of ground at a point: the hardest that holds it, open where none does. Roads do not count.
    pub fn terrain(&self, point: Point) -> Terrain {
        self.cover(point).0
    }

    /// SCALE-04, VIS-03 The trees at a point; where light and heavy woods overlap they are heavy.
    pub fn wooded(&self, point: Point) -> Wooded {
        self.cover(point).1
    }

    /// Terrain and trees at a point.
    pub fn cover(&self, point: Point) -> (Terrain, Wooded) {
        let (terrain, wooded) = self.index.cover_at(point);
        // COVER-12: a destroyed building is broken ground.
        let rubble = terrain < Terrain::Broken && self.on_rubble(point);
        self.as_treated(point, if rubble { (Terrain::Broken, wooded) } else { (terrain, wooded) })
    }

    /// VIS-14 The contour level at a point, feet above the lowest ground of the table.
    pub fn level(&self, point: Point) -> i32 {
        self.index.level(point)
    }

    /// The standing building that holds a point. Of several the first of the map.
    pub fn building(&self, point: Point) -> Option<&'a Building> {
        self.building_number(point).map(|number| &self.ground().buildings[number])
    }

    /// COVER-11 The standing building that a unit is in: at least half of its stands' centres inside.
    pub fn building_of(&self, stands: &[Rect]) -> Option<&'a Building> {
        let mut inside: Vec<usize> = stands.iter().filter_map(|stand| self.building_number(stand.center)).collect();
        inside.sort_unstable();
        let buildings = inside.chunk_by(|one, other| one == other);
        let held =
            buildings.filter(|stands_in| stands.len() <= stands_in.len() * 2).map(|stands_in| stands_in[0]).next();
        held.map(|number| &self.ground().buildings[number])
    }

    /// The way at a point along which something with this direction (a vector of any length) moves. A road goes before
    /// a trail. Along means: within 45 degrees of the way's line, up or down it.
    pub fn way(&self, point: Point, direction: Vector) -> Option<WayKind> {
        let here = Leg::new(point, point);
        let parts = self.index.ways.beside(&here, 0);
        let along = parts.filter(|part| runs_along(part, direction) && here.clipped(&self.band(part)).is_some());
        along.map(|part| self.ground().ways[part.line].kind).min()
    }

    /// SCALE-08 The terrain a unit is in: the hardest in which, or in harder, at least half of its stands are.
    pub fn terrain_of(&self, stands: &[Rect]) -> Terrain {
        let mut terrains: Vec<Terrain> = stands.iter().map(|stand| self.terrain(stand.center)).collect();
        terrains.sort_unstable_by(|one, other| other.cmp(one));
        // The hardest half of the stands, rounded up, reaches down to the answer.
        let half = stands.len().div_ceil(2);
        half.checked_sub(1).map_or(Terrain::Open, |last| terrains[last])
    }

    /// SCALE-08 with wooded ground: whether at least half of the stands are among trees. VIS-05, COVER-06
    /// Obscuring broken ground hides but is no woods.
    pub fn in_woods(&self, stands: &[Rect]) -> bool {
        let among_trees = |stand: &&Rect| {
            let (terrain, wooded) = self.cover(stand.center);
            Terrain::Woods <= terrain && wooded != Wooded::None
        };
        !stands.is_empty() && stands.len() <= stands.iter().filter(among_trees).count() * 2
    }

    /// As [`Self::in_woods`], by the trees that sight has. VIS-05, SCNS-07
    pub fn in_seen_woods(&self, stands: &[Rect]) -> bool {
        if self.ground().seen_as.is_empty() {
            return self.in_woods(stands);
        }
        let among_trees = |stand: &&Rect| {
            Terrain::Woods <= self.terrain(stand.center) && self.index.trees_at(stand.center) != Wooded::None
        };
        !stands.is_empty() && stands.len() <= stands.iter().filter(among_trees).count() * 2
    }

    /// MOR-60 The terrain a unit is in; the road under the anchor counts for a march column or limbered battery, for which
    /// the caller gives anchor and facing.
    pub fn footing(&self, stands: &[Rect], column: Option<(Point, Bearing)>) -> Footing {
        let on_road =
            column.is_some_and(|(anchor, facing)| self.way(anchor, geometry::forward(facing)) == Some(WayKind::Road));
        if on_road { Footing::Road } else { Footing::Ground(self.terrain_of(stands)) }
    }

    /// MOVE-02 A straight leg cut at every border of ground. The lengths add up to the leg's.
    pub fn pieces(&self, from: Point, to: Point) -> Vec<Piece> {
        let leg = Leg::new(from, to);
        let mut cuts = Vec::new();
        self.index.areas.meetings(&leg, &mut cuts);
        if !self.changes.destroyed_buildings.is_empty() {
            self.index.buildings.meetings(&leg, &mut cuts);
        }
        cuts.extend(self.borders_of_bends(&leg));
        let ways = self.ways_along(&leg);
        cuts.extend(ways.iter().flat_map(|&(enter, leave, _)| [enter, leave]));
        let parts = cut(&leg, cuts, |middle, travel| {
            let along = ways.iter().filter(|&&(enter, leave, _)| enter <= travel && travel <= leave);
            (self.cover(middle), along.map(|&(_, _, kind)| kind).min(), self.allowance(middle))
        });
        let piece = |(from, to, ((terrain, wooded), way, allowance))| Piece {
            from: lines::thousandths(from),
            to: lines::thousandths(to),
            terrain,
            wooded,
            way,
            allowance,
        };
        parts.into_iter().map(piece).collect()
    }

    /// VIS-14 The levels along a straight leg, with fine travels.
    pub(crate) fn levels(&self, leg: &Leg) -> Vec<(i64, i64, i32)> {
        let mut cuts = Vec::new();
        self.index.contours.meetings(leg, &mut cuts);
        cut(leg, cuts, |middle, _| self.level(middle))
    }

    /// VIS-14 Whether the ground rises above a level somewhere along a leg, told from whole cells of the map alone: a yes is
    /// sure, a no is not. Long lines mostly meet a ridge soon, and need not be followed to their end.
    pub(crate) fn surely_rises_above(&self, leg: &Leg, level: i32) -> bool {
        level < self.index.summit() && self.index.steps(leg).any(|point| level < self.index.floor(point))
    }

    /// VIS-14 (a), (c) As [`Self::surely_rises_above`], and whether the lower end surely lies in dead ground: of a line from its
    /// higher end, with the levels of both, the higher first.
    pub(crate) fn surely_hides(&self, leg: &Leg, levels: (i32, i32)) -> bool {
        self.index.hides(leg, levels, (leg.length + i64::from(EPS) * FINE) / 2)
    }

    /// VIS-14 As [`Self::surely_rises_above`], for every line from a point of one box to a point of another: somewhere high
    /// ground lies across all of them.
    pub(crate) fn surely_rises_between(&self, one: Extent, other: Extent, level: i32) -> bool {
        level < self.index.summit()
            && self.index.steps_between(one, other).any(|across| self.index.is_above(across, level))
    }

    /// VIS-14 Whether the ground is of one level from a point to another, told from whole cells of the map alone.
    pub(crate) fn is_surely_level(&self, from: Point, to: Point) -> bool {
        self.index.contours.are_far_from(from, to)
    }

    /// VIS-03 The trees along a straight leg, with fine travels.
    pub(crate) fn trees(&self, leg: &Leg) -> Vec<(i64, i64, Wooded)> {
        let mut cuts = Vec::new();
        self.index.areas.meetings(leg, &mut cuts);
        cut(leg, cuts, |middle, _| self.index.trees_at(middle))
    }

    /// The buildings along a straight leg: for each part those that hold it, with fine travels.
    pub(crate) fn buildings_along(&self, leg: &Leg) -> Vec<(i64, i64, Vec<usize>)> {
        let mut cuts = Vec::new();
        self.index.buildings.meetings(leg, &mut cuts);
        if cuts.is_empty() {
            // No wall is met on the way: whatever holds one end holds the other.
            return Vec::new();
        }
        cut(leg, cuts, |middle, _| self.standing_buildings(middle))
    }

    /// The numbers of the standing buildings that hold a point.
    pub(crate) fn standing_buildings(&self, point: Point) -> Vec<usize> {
        let mut held = Vec::new();
        self.index.buildings.holding(point, |number| {
            if !self.is_destroyed(number) {
                held.push(number);
            }
        });
        held
    }

    /// A named place.
    pub fn place(&self, id: &FeatureId) -> Option<&'a Place> {
        self.ground().places.iter().find(|place| place.id == *id)
    }

    fn building_number(&self, point: Point) -> Option<usize> {
        self.standing_buildings(point).into_iter().min()
    }

    fn is_destroyed(&self, number: usize) -> bool {
        self.changes.destroyed_buildings.contains(&self.ground().buildings[number].id)
    }

    fn on_rubble(&self, point: Point) -> bool {
        if self.changes.destroyed_buildings.is_empty() {
            return false;
        }
        let mut rubble = false;
        self.index.buildings.holding(point, |number| rubble |= self.is_destroyed(number));
        rubble
    }

    /// The stretches of a leg that run along a way and on it, fine.
    fn ways_along(&self, leg: &Leg) -> Vec<(i64, i64, WayKind)> {
        let direction = Vector::between(leg.from, leg.to);
        let parts = self.index.ways.beside(leg, 0).filter(|part| runs_along(part, direction));
        parts
            .filter_map(|part| {
                let (enter, leave) = leg.clipped(&self.band(part))?;
                Some((enter, leave, self.ground().ways[part.line].kind))
            })
            .collect()
    }

    /// The four half planes of a part of a way: its width, and half its width beyond either end so that bends close.
    fn band(&self, part: &Part) -> [(i64, i64, i128); 4] {
        let (dx, dy) = lines::from_to(part.from, part.to);
        let whole = dx * dx + dy * dy;
        let half_width = self.ground().ways[part.line].width / 2 + EPS;
        let reach = i128::from(half_width) * i128::from(whole.isqrt());
        let start = i128::from(dx) * i128::from(part.from.x) + i128::from(dy) * i128::from(part.from.y);
        let aside = -i128::from(dy) * i128::from(part.from.x) + i128::from(dx) * i128::from(part.from.y);
        [
            (dx, dy, start + i128::from(whole) + reach),
            (-dx, -dy, reach - start),
            (-dy, dx, aside + reach),
            (dy, -dx, reach - aside),
        ]
    }
}

/// Whether a direction runs along a part of a way: within 45 degrees of it, either way.
fn runs_along(part: &Part, direction: Vector) -> bool {
    let line = Vector::between(part.from, part.to);
    let (along, across) = (line.dot(direction), line.cross(direction));
    along != 0 && across.abs() <= along.abs()
}

/// Cuts a leg at fine travels and names each part by its middle; neighbours of one name are joined. Parts shorter than a
/// thousandth join the part before them, because their middle cannot be told from a border.
pub(crate) fn cut<T: PartialEq>(
    leg: &Leg,
    mut cuts: Vec<i64>,
    mut name: impl FnMut(Point, i64) -> T,
) -> Vec<(i64, i64, T)> {
    let mut parts: Vec<(i64, i64, T)> = Vec::new();
    if leg.length == 0 {
        return parts;
    }
    cuts.push(leg.length);
    cuts.sort_unstable();
    let mut from = 0;
    for to in cuts {
        if to - from < FINE {
            continue;
        }
        let middle = (from + to) / 2;
        let name = name(leg.at(middle), middle);
        match parts.last_mut() {
            Some(last) if last.2 == name => last.1 = to,
            _ => parts.push((from, to, name)),
        }
        from = to;
    }
    match parts.last_mut() {
        Some(last) => last.1 = leg.length,
        None => parts.push((0, leg.length, name(leg.at(leg.length / 2), leg.length / 2))),
    }
    parts
}
