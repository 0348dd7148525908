//! From a formation, an anchor and a facing to the rectangles of the stands.

use protocol::place::{Bearing, Corners, Point};
use protocol::words::{Flank, Formation};

use crate::geometry::{
    EPS_UNIT, Frame, FrontEdge, Rect, Vector, bearing_between, convex_hull, forward, polyline_at_halves,
    polyline_length,
};

/// How a unit is drawn up: all that its geometry depends on. Lengths in thousandths of an inch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn<'a> {
    /// The formation.
    pub formation: Formation,
    /// The gap that belongs to it, 0 where none does: between stands (FORM-05, FORM-09, CAV-03, CAV-07), before the
    /// reserve (TAC-11), behind the screen (TAC-16).
    pub gap: i32,
    /// The width of a stand. ORG-02
    pub width: i32,
    /// The depth of a stand.
    pub depth: i32,
    /// Living stands in their places, a reserve or screen that is detached among them.
    pub stands: u32,
    /// In a line with reserve or with skirmishers: the last stand stands apart. Without it there is a plain line.
    pub detached: bool,
    /// The centre of the front edge; of the body's, where there is a screen. FORM-03
    pub anchor: Point,
    /// The bearing of the front.
    pub facing: Bearing,
    /// The end stand that is bent back. ENF-12
    pub refused: Option<Flank>,
    /// The way a march column lies along, from the anchor backward, the anchor left out; empty: straight behind. FORM-19
    pub trail: &'a [Point],
}

/// What part of its formation a stand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// In the foremost rank; the head of a column; a battery.
    FrontRank,
    /// Behind the foremost rank.
    RearRank,
    /// The reserve of a line. TAC-11
    Reserve,
    /// The skirmish screen, spread over three stand widths. TAC-16
    Screen,
    /// The right face of a square. Its front face is its front rank. TAC-43
    RightFace,
    /// The left face of a square.
    LeftFace,
    /// The rear face of a square.
    RearFace,
}

/// A stand in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Where it is.
    pub rect: Rect,
    /// What part of the formation it is.
    pub part: Part,
    /// Bent back. ENF-12
    pub refused: bool,
}

/// FORM-03 The corners from which zones, flanks and distances are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges {
    /// The front line: facing, FL and FR.
    pub front: FrontEdge,
    /// RL, the rear-left corner of the rearmost rank.
    pub rear_left: Point,
    /// RR, the rear-right corner of the rearmost rank.
    pub rear_right: Point,
}

impl Edges {
    /// ENF-10 Behind the rear line, or on it.
    pub fn is_behind_rear(&self, point: Point) -> bool {
        forward(self.front.facing).dot(Vector::between(self.rear_left, point)) <= EPS_UNIT
    }

    fn carried(&self, east: i32, north: i32) -> Edges {
        let moved = |point: Point| Point::new(point.x + east, point.y + north);
        let front = FrontEdge { left: moved(self.front.left), right: moved(self.front.right), ..self.front };
        Edges { front, rear_left: moved(self.rear_left), rear_right: moved(self.rear_right) }
    }

    /// The rear line as a front facing backward. FORM-31, ENF-09
    pub fn rear(&self) -> FrontEdge {
        FrontEdge { facing: self.front.facing.reversed(), left: self.rear_right, right: self.rear_left }
    }
}

/// The stands of a unit on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The stands, rank by rank from the front and from left to right in a rank; a column from its head; a square
    /// front, right, left, rear; the reserve or the screen last.
    pub stands: Vec<Placed>,
    /// The lines of the unit as a target: a refused stand put back straight. FORM-03
    pub as_target: Edges,
    /// The lines of the unit as a firer: a refused stand left out. FORM-03
    pub as_firer: Edges,
}

impl Layout {
    /// One stand that is all there is of a unit. HID-03
    pub(crate) fn of_one(rect: Rect) -> Layout {
        let edges = Edges { front: rect.front_edge(), rear_left: rect.rear_left(), rear_right: rect.rear_right() };
        let stand = Placed { rect, part: Part::FrontRank, refused: false };
        Layout { stands: vec![stand], as_target: edges, as_firer: edges }
    }

    /// The rectangles of all stands, in order.
    pub fn rects(&self) -> impl Iterator<Item = &Rect> + Clone {
        self.stands.iter().map(|stand| &stand.rect)
    }

    /// The rectangles of the stands that are not a screen. TAC-18
    pub fn body(&self) -> impl Iterator<Item = &Rect> {
        self.stands.iter().filter(|stand| stand.part != Part::Screen).map(|stand| &stand.rect)
    }

    /// The stands of the foremost rank, from left to right, a refused one included.
    pub fn front_rank(&self) -> impl Iterator<Item = &Placed> {
        self.stands.iter().filter(|stand| stand.part == Part::FrontRank)
    }

    /// The rectangle of the screen, where one is out. TAC-16
    pub fn screen(&self) -> Option<&Rect> {
        self.stands.iter().find(|stand| stand.part == Part::Screen).map(|stand| &stand.rect)
    }

    /// The corners of all stands, in order.
    pub fn corners(&self) -> Vec<Corners> {
        self.rects().map(|rect| rect.corners).collect()
    }

    /// The same stands elsewhere, not turned. Exact, since offsets are rounded apart from the anchor. SCALE-06
    pub fn carried(&self, east: i32, north: i32) -> Layout {
        let stands = self.stands.iter().map(|stand| Placed { rect: stand.rect.carried(east, north), ..*stand });
        Layout {
            stands: stands.collect(),
            as_target: self.as_target.carried(east, north),
            as_firer: self.as_firer.carried(east, north),
        }
    }

    /// The convex hull of all stands, gaps included. FORM-17
    pub fn hull(&self) -> Vec<Point> {
        convex_hull(&self.rects().flat_map(|rect| rect.corners).collect::<Vec<_>>())
    }
}

/// A stand in the unit's own frame.
#[derive(Clone, Copy)]
struct Place {
    /// The middle of its front edge, in half-thousandths: forward of the anchor, to its right.
    forward: i64,
    right: i64,
    turn: i32,
    width: i32,
    depth: i32,
    part: Part,
    refused: Option<Flank>,
}

impl Place {
    fn rect(&self, frame: Frame) -> Rect {
        let Place { forward, right, turn, width, depth, part: _, refused } = *self;
        match refused {
            None => Rect::laid_out(frame, forward, right, turn, width, depth),
            Some(flank) => {
                let inner_rear_corner = (forward - 2 * i64::from(depth), right - i64::from(flank.sign() * width));
                Rect::hinged(frame, inner_rear_corner, flank.sign(), turn, width, depth)
            }
        }
    }
}

impl<'a> Drawn<'a> {
    /// A unit on foot in one plain formation, facing north at the origin; move it with [`Drawn::at`].
    pub fn new(formation: Formation, stands: u32, width: i32, depth: i32) -> Drawn<'a> {
        Drawn {
            formation,
            gap: super::default_gap(formation, width, false),
            width,
            depth,
            stands,
            detached: stands == 4 && matches!(formation, Formation::LineWithReserve | Formation::LineWithSkirmishers),
            anchor: Point::default(),
            facing: Bearing::NORTH,
            refused: None,
            trail: &[],
        }
    }

    /// The same at another anchor and facing, straight.
    pub fn at(self, anchor: Point, facing: Bearing) -> Drawn<'a> {
        Drawn { anchor, facing, trail: &[], ..self }
    }

    /// The frame of anchor and facing.
    pub fn frame(&self) -> Frame {
        Frame::new(self.anchor, self.facing)
    }

    /// The same with its refused stand put back. FORM-03
    pub fn straightened(self) -> Drawn<'a> {
        Drawn { refused: None, ..self }
    }

    /// ENF-12 Whether this unit may refuse an end stand.
    pub fn may_refuse(&self) -> bool {
        let allowed = [Formation::SingleLine, Formation::ExtendedLine, Formation::DoubleLine];
        allowed.contains(&self.formation) && 3 <= self.stands
    }

    /// The stands in their places. A refused stand is drawn straight where ENF-12 does not allow it (ORG-06).
    pub fn layout(&self) -> Layout {
        let stands: Vec<Placed> = self.placed(self.refused.filter(|_| self.may_refuse()));
        let as_firer = self.edges(&stands, |stand| stand.part == Part::FrontRank && !stand.refused);
        let as_target = match stands.iter().any(|stand| stand.refused) {
            true => self.edges(&self.placed(None), |stand| stand.part == Part::FrontRank),
            false => as_firer,
        };
        Layout { stands, as_target, as_firer }
    }

    /// The centre of one stand as an offset from the anchor, half-thousandths forward and to the right. FORM-35
    pub(super) fn center_offset(&self, stand: usize) -> Option<(i64, i64)> {
        let place = *self.places().get(stand)?;
        let half_depth = i64::from(place.depth);
        // The faces of a square are turned by quarters: their centre lies to a side of their front edge, or before it.
        let (back, aside) = match place.part {
            Part::RightFace => (0, -half_depth),
            Part::LeftFace => (0, half_depth),
            Part::RearFace => (half_depth, 0),
            Part::FrontRank | Part::RearRank | Part::Reserve | Part::Screen => (-half_depth, 0),
        };
        Some((place.forward + back, place.right + aside))
    }

    /// FORM-35 The front-rank stand nearest the anchor, the right one if two are equally near.
    pub(super) fn stand_nearest_anchor(&self) -> Option<usize> {
        let places = self.places();
        let front = places.iter().enumerate().filter(|(_, place)| place.part == Part::FrontRank);
        front.min_by_key(|(_, place)| (place.right.abs(), -place.right)).map(|(index, _)| index)
    }

    fn placed(&self, refused: Option<Flank>) -> Vec<Placed> {
        let mut places = self.places();
        let front_ranks = places.iter().filter(|place| place.part == Part::FrontRank).count();
        if let Some(flank) = refused {
            let end = match flank {
                Flank::Left => 0,
                Flank::Right => front_ranks.saturating_sub(1),
            };
            if let Some(place) = places.get_mut(end) {
                place.refused = Some(flank);
                place.turn = 4_500 * flank.sign();
            }
        }
        let frame = self.frame();
        let bent = if self.formation == Formation::MarchColumn { self.bent_way() } else { None };
        let placed = places.iter().enumerate().map(|(index, place)| Placed {
            rect: match &bent {
                Some(way) if 0 < index => self.stand_on(way, index).unwrap_or_else(|| place.rect(frame)),
                _ => place.rect(frame),
            },
            part: place.part,
            refused: place.refused.is_some(),
        });
        placed.collect()
    }

    /// The stands in the unit's own frame, none refused, a column straight.
    fn places(&self) -> Vec<Place> {
        let all = self.stands;
        match self.formation {
            Formation::BrigadeColumn | Formation::Limbered | Formation::Unlimbered => {
                self.rank(all, 0, 0, Part::FrontRank)
            }
            // Only horse has a gap in single line. CAV-03
            Formation::SingleLine | Formation::DismountedLine | Formation::ExtendedLine | Formation::SkirmishLine => {
                self.rank(all, self.gap, 0, Part::FrontRank)
            }
            Formation::DoubleLine => self.double_line(),
            Formation::AttackColumn => self.file(self.width),
            Formation::MarchColumn => self.file(0),
            Formation::LineWithReserve => self.with_detached(self.reserve()),
            Formation::LineWithSkirmishers => self.with_detached(self.screen()),
            Formation::Square => self.square(),
        }
    }

    /// One rank, centred, its front edge so many half-thousandths ahead of the anchor. FORM-04, FORM-05, FORM-09
    fn rank(&self, stands: u32, gap: i32, forward: i64, part: Part) -> Vec<Place> {
        let (stands, step) = (i64::from(stands), i64::from(self.width) + i64::from(gap));
        let right = (0..stands).map(|index| (2 * index - (stands - 1)) * step);
        right.map(|right| self.place(forward, right, part)).collect()
    }

    /// FORM-06 Half the stands rounded up, the rest centred behind them, touching. ORG-06
    fn double_line(&self) -> Vec<Place> {
        let front = self.stands.div_ceil(2);
        let mut places = self.rank(front, 0, 0, Part::FrontRank);
        places.extend(self.rank(self.stands - front, 0, -2 * i64::from(self.depth), Part::RearRank));
        places
    }

    /// FORM-07, FORM-19 One stand behind another.
    fn file(&self, gap: i32) -> Vec<Place> {
        let step = 2 * (i64::from(self.depth) + i64::from(gap));
        let part = |index| if index == 0 { Part::FrontRank } else { Part::RearRank };
        (0..i64::from(self.stands)).map(|index| self.place(-index * step, 0, part(index))).collect()
    }

    /// The last stand apart, the others in a single line. TAC-11, TAC-16
    fn with_detached(&self, detached: Place) -> Vec<Place> {
        if !self.detached || self.stands < 2 {
            return self.rank(self.stands, 0, 0, Part::FrontRank);
        }
        let mut places = self.rank(self.stands - 1, 0, 0, Part::FrontRank);
        places.push(detached);
        places
    }

    /// TAC-11 Centred behind the line.
    fn reserve(&self) -> Place {
        self.place(-2 * (i64::from(self.depth) + i64::from(self.gap)), 0, Part::Reserve)
    }

    /// TAC-16 Centred before the line, three stands wide; the gap lies behind its rear edge.
    fn screen(&self) -> Place {
        let front = self.place(2 * (i64::from(self.gap) + i64::from(self.depth)), 0, Part::Screen);
        Place { width: 3 * self.width, ..front }
    }

    /// TAC-43 Four faces outward; with three stands the rear one is missing, with two the left one too.
    fn square(&self) -> Vec<Place> {
        let (width, depth) = (i64::from(self.width), i64::from(self.depth));
        let (side_middle, side_front) = (-(2 * depth + width), width + 2 * depth);
        let faces = [
            self.place(0, 0, Part::FrontRank),
            Place { turn: 9_000, ..self.place(side_middle, side_front, Part::RightFace) },
            Place { turn: -9_000, ..self.place(side_middle, -side_front, Part::LeftFace) },
            Place { turn: 18_000, ..self.place(-2 * (2 * depth + width), 0, Part::RearFace) },
        ];
        faces.into_iter().take(self.stands as usize).collect()
    }

    fn place(&self, forward: i64, right: i64, part: Part) -> Place {
        Place { forward, right, turn: 0, width: self.width, depth: self.depth, part, refused: None }
    }

    /// FORM-19 The way from the head backward, made long enough for the whole column. None when the column is straight.
    fn bent_way(&self) -> Option<Vec<Point>> {
        let mut way = vec![self.anchor];
        for &point in self.trail {
            if way.last() != Some(&point) {
                way.push(point);
            }
        }
        let [.., before, last] = way[..] else { return None };
        let needed = self.depth.saturating_mul(i32::try_from(self.stands).unwrap_or(i32::MAX));
        if polyline_length(&way) < needed {
            let onward = Frame::new(last, bearing_between(before, last)?);
            way.push(onward.at(needed, 0));
        }
        Some(way)
    }

    /// FORM-19 A stand behind the head: its centre lies on the way walked, and it faces along it. The head itself is
    /// drawn from anchor and facing, so that the anchor stays the centre of its front edge.
    fn stand_on(&self, way: &[Point], index: usize) -> Option<Rect> {
        let from_head = (2 * i64::try_from(index).ok()? + 1) * i64::from(self.depth);
        let (center, backward) = polyline_at_halves(way, from_head)?;
        Some(Rect::centered(center, backward.reversed(), self.width, self.depth))
    }

    fn edges(&self, stands: &[Placed], in_front: impl Fn(&Placed) -> bool) -> Edges {
        let rects = |part: Part| stands.iter().filter(move |stand| stand.part == part).map(|stand| stand.rect);
        let front = || stands.iter().filter(|stand| in_front(stand)).map(|stand| stand.rect);
        // A unit without stands is not on the table; its lines shrink to its anchor.
        let nowhere = Rect::from_front(self.frame(), 0, 0);
        let (left, right) = (front().next().unwrap_or(nowhere), front().last().unwrap_or(nowhere));
        let (rear_left, rear_right) = match self.formation {
            Formation::MarchColumn | Formation::AttackColumn => {
                let tail = stands.last().map_or(nowhere, |stand| stand.rect);
                (tail.rear_left(), tail.rear_right())
            }
            Formation::Square => self.rear_of_square(stands),
            _ => {
                let rearmost = || rects(Part::RearRank);
                let (rear_left, rear_right) =
                    (rearmost().next().unwrap_or(left), rearmost().next_back().unwrap_or(right));
                (rear_left.rear_left(), rear_right.rear_right())
            }
        };
        Edges {
            front: FrontEdge { facing: self.facing, left: left.front_left(), right: right.front_right() },
            rear_left,
            rear_right,
        }
    }

    /// TAC-43 The outer edge of the rear face; with fewer stands the hindmost corners of the side faces, or of the front.
    fn rear_of_square(&self, stands: &[Placed]) -> (Point, Point) {
        let face = |part: Part| stands.iter().find(|stand| stand.part == part).map(|stand| stand.rect);
        let nowhere = Rect::from_front(self.frame(), 0, 0);
        if let Some(rear) = face(Part::RearFace) {
            return (rear.front_right(), rear.front_left());
        }
        match (face(Part::LeftFace), face(Part::RightFace)) {
            (Some(left), Some(right)) => (left.front_left(), right.front_right()),
            (None, Some(right)) => (right.rear_right(), right.front_right()),
            _ => {
                let front = face(Part::FrontRank).unwrap_or(nowhere);
                (front.rear_left(), front.rear_right())
            }
        }
    }
}

/// TAC-34 The frames of the regiments of a brigade column: the lead's, then one for each regiment behind it, centred,
/// with a gap of the lead's stand width. `depths` are the depths of all regiments' stands, the lead's first.
pub fn brigade_column(lead: Frame, lead_stand_width: i32, depths: &[i32]) -> Vec<Frame> {
    let mut back = 0;
    let mut frames = Vec::with_capacity(depths.len());
    for depth in depths {
        frames.push(lead.moved(-back, 0));
        back += depth + lead_stand_width;
    }
    frames
}
