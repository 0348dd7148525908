//! A move as timed actions: where the unit is after so many points. MOVE-02, MV-02, MV-04
//!
//! Owns [`Program`]. It is made by `compile`, carried out by `clock`, shown by `preview`: one program, so that what a player
//! is shown and what happens cannot differ. It never looks at other units.

use protocol::event::Note;
use protocol::ids::FeatureId;
use protocol::message::CostPiece;
use protocol::orders::FormTask;
use protocol::place::{Bearing, Point};
use protocol::words::Formation;

use super::body::Body;
use crate::catalogue::RuleId;
use crate::geometry::{Frame, segment_length};
use crate::ground::{PathCost, TURN_POINTS};
use crate::scenario::Edge;

/// Segments of a turn. MV-02
pub const SEGMENTS: u8 = 120;

/// What a unit does in phase 7, and when.
#[derive(Clone, Debug)]
pub struct Program {
    /// How it stands when it begins, already in disorder where MV-17 makes it so.
    pub start: Body,
    /// What it does, one after the other.
    pub(super) deeds: Vec<Deed>,
    /// The points of the whole turn: 5040000, and more with a push. MV-24
    pub total: i64,
    /// The cost of each piece, for the player.
    pub pieces: Vec<CostPiece>,
    /// What forbids the order as it is written: rule, and words to be read after the unit's name.
    pub refusals: Vec<(RuleId, String)>,
    /// Remarks for the player.
    pub notes: Vec<Note>,
    /// Why it does not come to the end of its path.
    pub stops: Option<(RuleId, String)>,
    /// What of the order the turn cannot pay.
    pub(super) undone: Option<(RuleId, String)>,
    /// The edge by which it leaves the table when all is done. SCN-14
    pub(super) leaves_by: Option<Edge>,
}

/// One action of a program.
#[derive(Clone, Debug)]
pub(super) struct Deed {
    /// Points spent when it begins.
    pub(super) from: i64,
    /// Points spent when it is done.
    pub(super) to: i64,
    /// How the unit stands before it.
    pub(super) before: Body,
    /// What is done.
    pub(super) kind: Kind,
}

/// What an action is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// The unit is busy and then stands otherwise: about face, lying down, rising.
    Act { after: Body },
    /// Chevaux-de-frise are swung when the last point is spent, each aside (true) or shut. OBS-23
    Swing { elements: Vec<(FeatureId, bool)>, after: Body },
    /// A change of formation, limbering, mounting: kept until its last point is spent. MV-07
    Change { task: FormTask, after: Body, last: bool },
    /// A wheel, its angle spread evenly over the points. MV-19
    Wheel { pivot: Point, clockwise: i32, cost: i64 },
    /// Legs walked.
    Walk(Walk),
    /// The schedule of a unit that was revealed on its way: how it stands segment by segment, and whether it pushes. HID-24
    Schedule { bodies: Vec<Body>, pushes: bool },
    /// The extra inches of a push, inch for inch. MV-24
    Push { walk: Walk, from: i32, to: i32 },
}

/// A path on the ground.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub(super) cost: PathCost,
    /// The corners, the start included.
    pub(super) corners: Vec<Point>,
    /// The bearing of each leg.
    pub(super) bearings: Vec<Bearing>,
    /// Turns by the head. FORM-21, MV-23
    pub(super) column: bool,
    /// Length of the column, thousandths of an inch: so much of the way is remembered.
    pub(super) length: i32,
}

impl Walk {
    /// How the unit stands after a travel in thousandths of an inch.
    pub(super) fn body_at(&self, before: &Body, travel: i32) -> Body {
        let mut body = before.clone();
        let to = self.cost.point(travel);
        let from = before.footing.anchor;
        body.footing.anchor = to;
        if travel <= 0 || self.bearings.is_empty() {
            return body;
        }
        if !self.column {
            let (dx, dy) = (to.x - from.x, to.y - from.y);
            body.footing.trail.iter_mut().for_each(|point| *point = Point::new(point.x + dx, point.y + dy));
            return body;
        }
        let leg = self.cost.leg_number(travel).min(self.bearings.len() - 1);
        body.footing.facing = self.bearings[leg];
        body.footing.trail = match before.footing.formation {
            Formation::MarchColumn => self.trail(before, leg, to),
            _ => Vec::new(),
        };
        body
    }

    /// FORM-19 The way behind the head as far as the column is long; nothing while it is straight.
    fn trail(&self, before: &Body, leg: usize, head: Point) -> Vec<Point> {
        let mut trail = Vec::new();
        let mut here = head;
        let mut left = self.length;
        let tail = Frame::new(before.footing.anchor, before.footing.facing).at(-self.length, 0);
        let old = if before.footing.trail.is_empty() { vec![tail] } else { before.footing.trail.clone() };
        for point in self.corners[..=leg].iter().rev().copied().chain(old) {
            if left <= 0 {
                break;
            }
            let length = segment_length(here, point);
            if length == 0 {
                continue;
            }
            left -= length;
            here = point;
            trail.push(point);
        }
        // The leg behind the head alone is as long as the column.
        if trail.len() <= 1 { Vec::new() } else { trail }
    }
}

impl Program {
    /// A program that does nothing.
    pub(super) fn idle(start: Body) -> Self {
        Program {
            start,
            deeds: Vec::new(),
            total: TURN_POINTS,
            pieces: Vec::new(),
            refusals: Vec::new(),
            notes: Vec::new(),
            stops: None,
            undone: None,
            leaves_by: None,
        }
    }

    /// MV-02 The points that may be spent by the end of a segment.
    pub fn points_by(&self, segment: u8) -> i64 {
        i64::from(segment) * self.total / i64::from(SEGMENTS)
    }

    /// The points after which nothing more is done.
    pub fn spent(&self) -> i64 {
        self.deeds.last().map_or(0, |deed| deed.to)
    }

    /// How the unit stands after so many points.
    pub fn body_at(&self, points: i64) -> Body {
        let Some(deed) = self.deeds.iter().rev().find(|deed| deed.from < points || deed.to <= points) else {
            return self.start.clone();
        };
        deed.body_at(points)
    }

    /// How it stands when all is done.
    pub fn end(&self) -> Body {
        self.body_at(i64::MAX)
    }

    /// The anchor's way, corner by corner.
    pub fn way(&self) -> Vec<Point> {
        let mut way = vec![self.start.footing.anchor];
        for deed in &self.deeds {
            if let Kind::Walk(walk) | Kind::Push { walk, .. } = &deed.kind {
                let (from, to) = deed.travels();
                let mut begins = 0;
                for pair in walk.corners.windows(2) {
                    begins += segment_length(pair[0], pair[1]);
                    if from < begins && begins < to {
                        way.push(pair[1]);
                    }
                }
            }
            way.push(deed.body_at(deed.to).footing.anchor);
        }
        way.dedup();
        way
    }
}

impl Deed {
    /// How the unit stands after so many points of the program.
    pub(super) fn body_at(&self, points: i64) -> Body {
        let points = points.min(self.to);
        let done = self.to <= points;
        match &self.kind {
            Kind::Act { after } | Kind::Change { after, .. } | Kind::Swing { after, .. } => {
                if done {
                    after.clone()
                } else {
                    self.before.clone()
                }
            }
            Kind::Wheel { pivot, clockwise, cost } => {
                let share = (points - self.from).max(0);
                let turned = if *cost <= 0 { i64::from(*clockwise) } else { i64::from(*clockwise) * share / cost };
                self.wheeled(*pivot, turned as i32)
            }
            Kind::Walk(walk) => walk.body_at(&self.before, walk.cost.reach(points - self.from)),
            Kind::Schedule { bodies, .. } => {
                let segments = (points - self.from).max(0) * i64::from(SEGMENTS) / TURN_POINTS;
                let body = usize::try_from(segments).ok().filter(|n| 0 < *n).and_then(|n| bodies.get(n - 1));
                body.unwrap_or(&self.before).clone()
            }
            Kind::Push { walk, from, to } => {
                let length = i64::from(to - from);
                let walked = length * (points - self.from).max(0) / (self.to - self.from).max(1);
                walk.body_at(&self.before, from + walked as i32)
            }
        }
    }

    /// From which travel of its path to which it leads.
    pub(super) fn travels(&self) -> (i32, i32) {
        match &self.kind {
            Kind::Walk(walk) => (0, walk.cost.reach(self.to - self.from)),
            Kind::Push { from, to, .. } => (*from, *to),
            Kind::Act { .. }
            | Kind::Change { .. }
            | Kind::Swing { .. }
            | Kind::Wheel { .. }
            | Kind::Schedule { .. } => (0, 0),
        }
    }

    fn wheeled(&self, pivot: Point, clockwise: i32) -> Body {
        let footing = &self.before.footing;
        let frame = Frame::new(footing.anchor, footing.facing).wheeled(pivot, clockwise);
        let mut body = self.before.clone();
        body.footing.anchor = frame.anchor;
        body.footing.facing = frame.facing;
        body.footing.trail =
            footing.trail.iter().map(|point| crate::geometry::rotated_about(*point, pivot, clockwise)).collect();
        body
    }
}
