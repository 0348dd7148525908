//! The flank class of a shot, as pure geometry on two sets of rectangles. Shared with charges. IDD-07
//!
//! Owns ENF-01 to ENF-16 and FORM-31. It never knows a unit: the caller says what shape is struck and by what.

use protocol::event::FlankClass;
use protocol::place::Point;
use protocol::words::Flank;

use crate::formation::Edges;
use crate::geometry::{self, EPS, FrontEdge, Rect, Vector};
use crate::house::{ColumnPartial, HouseRules, InfantryRear};

/// Those who fire, or charge.
#[derive(Clone, Copy, Debug)]
pub struct Striking<'a> {
    /// All stands of the unit, firing or not. ENF-04
    pub all: &'a [Rect],
    /// Those that take part.
    pub taking_part: &'a [Rect],
    /// The primary zone; none asks for no zone, as at contact.
    pub primary: Option<Primary>,
    /// Guns, which are tested by the artillery rules. ENF-14, ENF-18
    pub guns: bool,
}

/// A primary zone. FIRE-22
#[derive(Clone, Copy, Debug)]
pub struct Primary {
    /// The front.
    pub edge: FrontEdge,
    /// How deep, thousandths of an inch.
    pub depth: i32,
}

/// What a unit is to the enfilade rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every formation but those below, skirmish lines and batteries included. ENF-04
    Line,
    /// A march column. ENF-06
    Column,
    /// Disorder: no flank, but a rear of its own. ENF-11, FORM-31
    Disorder,
    /// A square: neither flank nor rear. ENF-11
    Square,
}

/// The unit that is struck.
#[derive(Clone, Copy, Debug)]
pub struct Struck<'a> {
    /// Its stands: of a line with reserve or screen only those of the line. FORM-03, TAC-18
    pub stands: &'a [Rect],
    /// Its front and rear lines, a refused stand put back.
    pub edges: Edges,
    /// Its shape.
    pub shape: Shape,
    /// The end stand that is bent back. ENF-12
    pub refused: Option<Flank>,
    /// Its anchor. ENF-13
    pub anchor: Point,
    /// The readings of ENF-08 and ENF-10 that are played.
    pub house: &'a HouseRules,
}

/// ENF-01 The class of a shot, after refusal.
pub fn class(by: &Striking<'_>, at: &Struck<'_>) -> FlankClass {
    let class = match at.shape {
        Shape::Square => FlankClass::Front,
        Shape::Disorder if is_directly_behind(by, at) => FlankClass::Rear,
        Shape::Disorder => FlankClass::Front,
        Shape::Column if by.guns => guns_on_column(by, at),
        Shape::Column => infantry_on_column(by, at),
        Shape::Line if by.guns => guns_on_line(by, at),
        Shape::Line => infantry_on_line(by, at),
    };
    reduced_by_refusal(class, by, at)
}

/// The ENF-17 order of classes: none, partial, rear, full.
pub fn severity(class: FlankClass) -> u8 {
    match class {
        FlankClass::Front => 0,
        FlankClass::Partial => 1,
        FlankClass::Rear => 2,
        FlankClass::Full => 3,
    }
}

/// ENF-04, ENF-05, ENF-10
fn infantry_on_line(by: &Striking<'_>, at: &Struck<'_>) -> FlankClass {
    let front = &at.edges.front;
    let needed = by.all.len().min(2);
    let count = |test: &dyn Fn(Point) -> bool| by.all.iter().filter(|stand| whole(stand, test)).count();
    let on_rear = by.taking_part.iter().all(|stand| whole(stand, &|corner| at.edges.is_behind_rear(corner)));
    if on_rear {
        let counts = in_primary(by, at) || at.house.infantry_rear == InfantryRear::Rear;
        return if counts { FlankClass::Rear } else { FlankClass::Partial };
    }
    if needed <= count(&|corner| front.is_behind(corner)) && in_primary(by, at) {
        return FlankClass::Full;
    }
    let behind_a_line = needed <= count(&|corner| front.is_behind_left_line(corner))
        || needed <= count(&|corner| front.is_behind_right_line(corner));
    if behind_a_line { FlankClass::Partial } else { FlankClass::Front }
}

/// ENF-10, ENF-14, ENF-15 Each battery by its own stand.
fn guns_on_line(by: &Striking<'_>, at: &Struck<'_>) -> FlankClass {
    let front = &at.edges.front;
    let of_stand = |stand: &Rect| {
        if whole(stand, &|corner| at.edges.is_behind_rear(corner)) {
            return FlankClass::Rear;
        }
        let inside = whole(stand, &|corner| front.is_behind_left_line(corner))
            || whole(stand, &|corner| front.is_behind_right_line(corner));
        let reaches_front = stand.corners.iter().any(|corner| front.is_behind(*corner));
        match (inside, reaches_front) {
            (true, true) => FlankClass::Full,
            (true, false) => FlankClass::Partial,
            (false, _) => FlankClass::Front,
        }
    };
    lowest(by.taking_part.iter().map(of_stand))
}

/// ENF-07, ENF-08
fn infantry_on_column(by: &Striking<'_>, at: &Struck<'_>) -> FlankClass {
    match (spine_meets(at, by.taking_part), in_primary(by, at)) {
        (true, true) => FlankClass::Full,
        (true, false) => FlankClass::Partial,
        (false, true) if at.house.column_partial == ColumnPartial::Either => FlankClass::Partial,
        (false, _) => FlankClass::Front,
    }
}

/// ENF-09
fn guns_on_column(by: &Striking<'_>, at: &Struck<'_>) -> FlankClass {
    let (head, tail) = (at.edges.front, at.edges.rear());
    let of_stand = |stand: &Rect| {
        if spine_meets(at, std::slice::from_ref(stand)) {
            FlankClass::Full
        } else if whole(stand, &|corner| head.in_sector(corner)) || whole(stand, &|corner| tail.in_sector(corner)) {
            FlankClass::Partial
        } else {
            FlankClass::Front
        }
    };
    lowest(by.taking_part.iter().map(of_stand))
}

/// ENF-13 Full becomes partial and partial none against those on the refused side; rear stays.
fn reduced_by_refusal(class: FlankClass, by: &Striking<'_>, at: &Struck<'_>) -> FlankClass {
    let Some(refused) = at.refused else { return class };
    let centers: Vec<Point> = by.taking_part.iter().map(|stand| stand.center).collect();
    let Some(middle) = geometry::mean(&centers) else { return class };
    let to_right = geometry::right(at.edges.front.facing).dot(Vector::between(at.anchor, middle));
    let on_refused_side = match refused {
        Flank::Right => 0 <= to_right,
        Flank::Left => to_right <= 0,
    };
    match class {
        FlankClass::Full if on_refused_side => FlankClass::Partial,
        FlankClass::Partial if on_refused_side => FlankClass::Front,
        other => other,
    }
}

/// ENF-03 The target almost fully in the primary zone. At contact no zone is asked for.
fn in_primary(by: &Striking<'_>, at: &Struck<'_>) -> bool {
    let Some(Primary { edge, depth }) = by.primary else { return true };
    let inside = at.stands.iter().filter(|stand| whole(stand, &|corner| edge.in_primary(corner, depth))).count();
    let oblique = at.stands.iter().filter(|stand| edge.in_secondary(stand.center, depth)).count();
    at.stands.len().min(3) <= inside && oblique <= 1
}

/// FORM-31 The centre of every stand behind the rear line and inside the rays running back from its corners.
fn is_directly_behind(by: &Striking<'_>, at: &Struck<'_>) -> bool {
    let rear = at.edges.rear();
    by.taking_part.iter().all(|stand| rear.in_sector(stand.center))
}

/// ENF-06 The line along the spine, extended, meets the stands.
fn spine_meets(at: &Struck<'_>, stands: &[Rect]) -> bool {
    // Everything is doubled, so that the middles of the edges are whole.
    let double = |a: Point, b: Point| Point::new(a.x + b.x, a.y + b.y);
    let head = double(at.edges.front.left, at.edges.front.right);
    let tail = double(at.edges.rear_left, at.edges.rear_right);
    let spine = Vector::between(tail, head);
    let sides = stands.iter().flat_map(|stand| stand.corners).map(|corner| {
        let to_corner = Vector::between(head, double(corner, corner));
        i128::from(spine.cross(to_corner))
    });
    let reach = i128::from(2 * i64::from(EPS)).pow(2) * i128::from(spine.length_squared());
    let (mut left, mut right) = (false, false);
    for side in sides {
        let on_line = side * side <= reach;
        left |= on_line || 0 < side;
        right |= on_line || side < 0;
    }
    left && right
}

fn whole(stand: &Rect, test: &dyn Fn(Point) -> bool) -> bool {
    stand.corners.iter().all(|corner| test(*corner))
}

fn lowest(classes: impl Iterator<Item = FlankClass>) -> FlankClass {
    classes.min_by_key(|class| severity(*class)).unwrap_or(FlankClass::Front)
}
