//! One unit aiming at another: the stands that take part, those that can be hit, range and zone.
//!
//! Owns FIRE-04, FIRE-11, FIRE-24, FORM-17 and ARTY-29. Whether the target is seen, and whether it is the one that must be
//! fired at, is told in [`super::target`].

use protocol::event::FlankClass;
use protocol::orders::RangeBand;
use protocol::place::Point;
use protocol::words::{Arm, Formation};

use super::enfilade::{self, Primary, Shape, Striking, Struck};
use super::lines::{Between, Line};
use super::shooter::{Armed, Front, Shooter, Zone};
use super::{Firer, NoFire, Occasion, Round, Stands, screens};
use crate::battle::UnitIx;
use crate::catalogue::{FIRE_11, FIRE_23, FIRE_24, VIS_13};
use crate::column;
use crate::field::Field;
use crate::formation::Part;
use crate::geometry::{self, Distance, Rect, Vector};
use crate::house::GunsThroughWoods;
use crate::sight::sight_line;

/// A unit aiming at another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The stands that take part.
    pub firing: Vec<Armed>,
    /// All stands of the firer.
    pub all: Vec<Rect>,
    /// The stands that can be hit.
    pub eligible: Vec<Rect>,
    /// The zone in which the target is.
    pub zone: Zone,
    /// The edge fired from.
    pub front: Front,
    /// The range: of guns lengthened by woods. FIRE-11, ARTY-29
    pub range: Distance,
    /// The band; canister range of guns is close whatever they fire.
    pub band: RangeBand,
    /// The flank class.
    pub flank: FlankClass,
    /// The target's own skirmish screen takes the fire. TAC-18
    pub at_screen: bool,
    /// Friends who stand near the target under the line of fire. ARTY-32
    pub over: Vec<UnitIx>,
    /// The centres between which the range was measured.
    pub from: Point,
    /// The target's end of it.
    pub to: Point,
    /// Every pair of centres with a clear line.
    pub lines: Vec<(Point, Point)>,
}

impl Aim {
    /// Living figures (sections) of the stands that take part.
    pub fn figures(&self) -> i32 {
        self.firing.iter().map(|stand| stand.figures).sum()
    }

    /// C, the mean of the centres of the firing stands. COVER-01, PEN-05
    pub fn middle(&self) -> Point {
        let centers: Vec<Point> = self.firing.iter().map(|stand| stand.rect.center).collect();
        geometry::mean(&centers).unwrap_or(self.from)
    }

    /// E, the mean of the centres of the stands that can be hit. PEN-05
    pub fn target_middle(&self) -> Point {
        let centers: Vec<Point> = self.eligible.iter().map(|stand| stand.center).collect();
        geometry::mean(&centers).unwrap_or(self.to)
    }

    /// The angle of FIRE-25 (4), hundredths of a degree.
    pub fn angle(&self) -> u32 {
        let middle = self.front.edge.middle();
        geometry::bearing_between(middle, self.to).map_or(0, |bearing| bearing.angle_to(self.front.edge.facing))
    }
}

/// What is asked of an aim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'s> {
    /// What is fired.
    pub round: Round,
    /// What for: an end-of-charge volley asks for no zone, no line, and is never too far. IDD-14
    pub occasion: Occasion,
    /// Which stands.
    pub stands: &'s Stands,
    /// Guns fire over friends near the target. ARTY-32
    pub overhead_risk: bool,
}

impl<'s> Asked<'s> {
    /// As a firer of a shot asks it.
    pub(super) fn of(firer: &'s Firer, round: Round, occasion: Occasion) -> Asked<'s> {
        Asked { round, occasion, stands: &firer.stands, overhead_risk: firer.overhead_risk }
    }
}

/// FIRE-24 Aims at a unit.
///
/// # Errors
/// Why none of its stands can be fired at.
pub(super) fn aim(field: &Field<'_>, shooter: &Shooter<'_>, target: UnitIx, asked: Asked<'_>) -> Result<Aim, NoFire> {
    if asked.occasion == Occasion::EndOfCharge {
        return at_arms_length(field, shooter, target, asked);
    }
    let by_screen = *asked.stands == Stands::Screen;
    let between = Between::new(field, shooter, by_screen, target, asked.round);
    field.aims().aim(field, shooter, target, asked, &between, || aim_anew(field, shooter, target, asked, &between))
}

fn aim_anew(
    field: &Field<'_>,
    shooter: &Shooter<'_>,
    target: UnitIx,
    asked: Asked<'_>,
    between: &Between<'_>,
) -> Result<Aim, NoFire> {
    let mut refusal = None;
    let mut best: Option<Aim> = None;
    // A square's faces are one front of four zones; a march column fires in one direction, where it is best. FORM-22
    let fronts: &[Front] =
        if shooter.square { &shooter.fronts[..1.min(shooter.fronts.len())] } else { &shooter.fronts };
    for front in fronts {
        match along(field, shooter, target, asked, *front, between) {
            Ok(aim) => {
                let better = best.as_ref().is_none_or(|known| aim.zone < known.zone);
                if better {
                    best = Some(aim);
                }
            }
            Err(reason) => refusal = refusal.or(Some(reason)),
        }
    }
    best.ok_or_else(|| refusal.unwrap_or_else(|| out_of_zone(field, shooter, target)))
}

/// A stand of the target, and how it can be reached.
struct Mark {
    rect: Rect,
    screen: bool,
    zone: Zone,
    /// Places, among the firing stands, of those with a line to it; and the friends under it.
    lines: Vec<(usize, Vec<UnitIx>)>,
}

/// Aims from one front.
fn along(
    field: &Field<'_>,
    shooter: &Shooter<'_>,
    target: UnitIx,
    asked: Asked<'_>,
    front: Front,
    between: &Between<'_>,
) -> Result<Aim, NoFire> {
    let struck = field.layout(target);
    let armed = if shooter.square {
        two_faces(shooter, &struck.body().copied().collect::<Vec<_>>())
    } else {
        shooter.armed.clone()
    };
    let zone_for = |stand: &Armed, point: Point| stand.own_front.unwrap_or(front).zone(point);

    let mut marks: Vec<Mark> = Vec::new();
    let mut in_zone = false;
    for stand in &struck.stands {
        let center = stand.rect.center;
        let zone = if shooter.square {
            armed.iter().filter_map(|own| zone_for(own, center)).min()
        } else {
            front.zone(center)
        };
        let Some(zone) = zone else { continue };
        in_zone = true;
        let mut lines = Vec::new();
        for (place, own) in armed.iter().enumerate() {
            // A refused stand joins a fire, it does not open one. ENF-12
            if own.own_front.is_some() && zone_for(own, center).is_none() && !shooter.square {
                continue;
            }
            match between.line(own.rect.center, center) {
                Line::Clear => lines.push((place, Vec::new())),
                Line::OverFriends(friends) if asked.overhead_risk => lines.push((place, friends)),
                Line::OverFriends(_) | Line::Blocked => {}
            }
        }
        let opens = |(place, _): &(usize, Vec<UnitIx>)| armed[*place].own_front.is_none() || shooter.square;
        if lines.iter().any(opens) {
            marks.push(Mark { rect: stand.rect, screen: stand.part == Part::Screen, zone, lines });
        }
    }
    if !in_zone {
        return Err(out_of_zone(field, shooter, target));
    }
    if marks.is_empty() {
        return Err(NoFire::new(VIS_13, format!("no clear line to `{}`", field.unit(target).name)));
    }
    // Lines free of risk come first. ARTY-32
    if marks.iter().any(|mark| mark.lines.iter().any(|(_, over)| over.is_empty())) {
        for mark in &mut marks {
            mark.lines.retain(|(_, over)| over.is_empty());
        }
        marks.retain(|mark| !mark.lines.is_empty());
    }
    within_reach(field, shooter, target, &armed, &mut marks)?;

    // TAC-18 Frontal fire hits the target's own screen, other fire its body.
    let has_screen = marks.iter().any(|mark| mark.screen);
    let body_class = flank_of(field, shooter, &firing(&armed, &marks), front, target, asked);
    let reaches_body = marks.iter().any(|mark| !mark.screen);
    let at_screen = has_screen && screens::is_struck(body_class, reaches_body);
    marks.retain(|mark| mark.screen == at_screen);
    let taking_part = firing(&armed, &marks);
    let range = nearest(field, shooter, &armed, &marks);
    let Some((range, from, to)) = range else {
        return Err(NoFire::new(VIS_13, format!("no clear line to `{}`", field.unit(target).name)));
    };
    let Some(band) = shooter.reach.band(range) else {
        return Err(too_far(field, shooter, target));
    };
    let zone = marks.iter().map(|mark| mark.zone).min().unwrap_or(Zone::Secondary);
    let mut over: Vec<UnitIx> = marks.iter().flat_map(|mark| &mark.lines).flat_map(|(_, over)| over.clone()).collect();
    over.sort_unstable();
    over.dedup();
    let lines = marks.iter().flat_map(|mark| {
        let armed = &armed;
        mark.lines.iter().map(move |(place, _)| (armed[*place].rect.center, mark.rect.center))
    });
    let lines = lines.collect();
    let (firing, flank) = into_the_rear(field, shooter, taking_part, front, target, asked);
    let flank = if at_screen { FlankClass::Front } else { flank };
    Ok(Aim {
        firing,
        all: shooter.all_stands(),
        eligible: marks.iter().map(|mark| mark.rect).collect(),
        zone,
        front,
        range,
        band,
        flank,
        at_screen,
        over,
        from,
        to,
        lines,
    })
}

/// FIRE-24 Drops the stands beyond long range of every stand that fires.
fn within_reach(
    field: &Field<'_>,
    shooter: &Shooter<'_>,
    target: UnitIx,
    armed: &[Armed],
    marks: &mut Vec<Mark>,
) -> Result<(), NoFire> {
    let firing = firing(armed, marks);
    let long = i64::from(shooter.reach.long);
    // No two stands are farther apart than their centres; of guns woods lengthen the range.
    let surely = |own: &Armed, mark: &Mark| {
        !shooter.is_guns() && Vector::between(own.rect.center, mark.rect.center).length_squared() <= long * long
    };
    let near = |mark: &Mark| {
        firing.iter().any(|own| surely(own, mark))
            || firing.iter().any(|own| range_of(field, shooter, &own.rect, &mark.rect).within(shooter.reach.long))
    };
    marks.retain(near);
    if marks.is_empty() { Err(too_far(field, shooter, target)) } else { Ok(()) }
}

/// The stands with a line to a mark.
fn firing(armed: &[Armed], marks: &[Mark]) -> Vec<Armed> {
    let has_line = |place: usize| marks.iter().any(|mark| mark.lines.iter().any(|(with, _)| *with == place));
    armed.iter().enumerate().filter(|(place, _)| has_line(*place)).map(|(_, stand)| *stand).collect()
}

/// FIRE-11 The least range from a stand that fires to one that can be hit, with the two centres.
fn nearest(
    field: &Field<'_>,
    shooter: &Shooter<'_>,
    armed: &[Armed],
    marks: &[Mark],
) -> Option<(Distance, Point, Point)> {
    let firing = firing(armed, marks);
    let pairs = || firing.iter().flat_map(|own| marks.iter().map(move |mark| (&own.rect, &mark.rect)));
    let centers = |(own, theirs): &(&Rect, &Rect)| Vector::between(own.center, theirs.center).length_squared();
    // Who is farther off by the circles about the stands than the pair of nearest centres need not be measured.
    let (own, theirs) = pairs().min_by_key(centers)?;
    let reach = i64::from(range_of(field, shooter, own, theirs).rounded()) + i64::from(geometry::EPS);
    let near = pairs().filter(|pair| {
        let reach = reach + i64::from(pair.0.circle()) + i64::from(pair.1.circle());
        centers(pair) <= reach * reach
    });
    let measured = near.map(|(own, theirs)| (range_of(field, shooter, own, theirs), own.center, theirs.center));
    // Of pairs equally near the one of least angle is named, so that a mirror names its mirror.
    let facing = shooter.layout.as_firer.front.facing;
    let angle =
        |from: Point, to: Point| geometry::bearing_between(from, to).map_or(0, |bearing| bearing.angle_to(facing));
    measured.min_by(|one, other| one.0.cmp(&other.0).then_with(|| angle(one.1, one.2).cmp(&angle(other.1, other.2))))
}

/// FIRE-11, ARTY-29 The range between two stands; of guns the woods on the line count again.
fn range_of(field: &Field<'_>, shooter: &Shooter<'_>, from: &Rect, to: &Rect) -> Distance {
    let distance = geometry::between_polygons(&from.corners, &to.corners);
    if !shooter.is_guns() {
        return distance;
    }
    match sight_line(&field.ground(), from.center, to.center) {
        Ok(line) if 0 < line.woods && 0 < line.length => {
            // d x (1 + w / c), where the tables halve the ranges: the factor of woods is 1 / 0.5 = 2.
            let factor = field.rules.gun_rules.range_factor_in_woods.thousandths().max(1);
            let woods = match field.rules.house.guns_through_woods {
                GunsThroughWoods::ByShare => line.woods,
                GunsThroughWoods::Halved => line.length,
            };
            let further = i64::from(1_000 - factor) * i64::from(woods);
            let whole = i64::from(distance.rounded());
            let added = geometry::round_div(whole * further, i64::from(factor) * i64::from(line.length));
            Distance::of(i32::try_from(whole + added).unwrap_or(i32::MAX))
        }
        _ => distance,
    }
}

/// TAC-39 The two faces of a square that fire at a target: those that have it straight ahead, then at an angle, then the
/// others, the nearer first.
fn two_faces(shooter: &Shooter<'_>, target: &[Rect]) -> Vec<Armed> {
    let mut faces = shooter.armed.clone();
    let rank = |face: &Armed| {
        let zones = target.iter().filter_map(|stand| face.own_front.and_then(|front| front.zone(stand.center)));
        let zone = zones.min().map_or(2, |zone| if zone == Zone::Primary { 0 } else { 1 });
        let distance = target.iter().map(|stand| geometry::between_polygons(&face.rect.corners, &stand.corners)).min();
        (zone, distance)
    };
    faces.sort_by(|one, other| rank(one).cmp(&rank(other)).then_with(|| one.place.cmp(&other.place)));
    faces.truncate(2);
    faces
}

/// FIRE-04 With `rear_only` the stands that are not behind the target's rear line hold back, if the others then fire into it.
fn into_the_rear(
    field: &Field<'_>,
    shooter: &Shooter<'_>,
    firing: Vec<Armed>,
    front: Front,
    target: UnitIx,
    asked: Asked<'_>,
) -> (Vec<Armed>, FlankClass) {
    let flank = flank_of(field, shooter, &firing, front, target, asked);
    if *asked.stands != Stands::RearOnly || flank == FlankClass::Rear {
        return (firing, flank);
    }
    // TAC-31 Of a column the lead's lines count.
    let edges = field.layout(column::lead_of(field.table, target)).as_target;
    let behind = |stand: &&Armed| stand.rect.corners.iter().all(|corner| edges.is_behind_rear(*corner));
    let rear: Vec<Armed> = firing.iter().filter(behind).copied().collect();
    if !rear.is_empty() && flank_of(field, shooter, &rear, front, target, asked) == FlankClass::Rear {
        return (rear, FlankClass::Rear);
    }
    (firing, flank)
}

fn flank_of(
    field: &Field<'_>,
    shooter: &Shooter<'_>,
    firing: &[Armed],
    front: Front,
    target: UnitIx,
    asked: Asked<'_>,
) -> FlankClass {
    let all = shooter.all_stands();
    let taking_part: Vec<Rect> = firing.iter().map(|stand| stand.rect).collect();
    let primary = match asked.occasion {
        Occasion::EndOfCharge => None,
        _ => front.depth.map(|depth| Primary { edge: front.edge, depth }),
    };
    class_against(field, &Striking { all: &all, taking_part: &taking_part, primary, guns: shooter.is_guns() }, target)
}

/// ENF-01, TAC-31 The class of a fire against a unit as it stands; of a brigade column as its lead stands.
pub(super) fn class_against(field: &Field<'_>, by: &Striking<'_>, target: UnitIx) -> FlankClass {
    let target = column::lead_of(field.table, target);
    let unit = field.unit(target);
    let layout = field.layout(target);
    let shape = if unit.footing.disorder || !unit.is_unrouted() {
        Shape::Disorder
    } else {
        match unit.footing.formation {
            Formation::Square => Shape::Square,
            Formation::MarchColumn => Shape::Column,
            _ => Shape::Line,
        }
    };
    let parts = layout.stands.iter().filter(|stand| !matches!(stand.part, Part::Screen | Part::Reserve));
    let stands: Vec<Rect> = parts.map(|stand| stand.rect).collect();
    let refused = layout.stands.iter().any(|stand| stand.refused).then_some(unit.footing.refused).flatten();
    let struck = Struck {
        stands: &stands,
        edges: layout.as_target,
        shape,
        refused,
        anchor: unit.footing.anchor,
        house: &field.rules.house,
    };
    enfilade::class(by, &struck)
}

/// ENF-12, IDD-07 The class with which a unit strikes another from where it stands, by all its stands and whatever it faces;
/// SCNS-14: of one that stands in a cut at least its full flank.
pub(crate) fn class_at_contact(field: &Field<'_>, by: UnitIx, target: UnitIx) -> FlankClass {
    let class = class_by_angle(field, by, target);
    let caught = class != FlankClass::Rear && crate::specials::is_charged_in_a_defile(field, target);
    if caught { FlankClass::Full } else { class }
}

fn class_by_angle(field: &Field<'_>, by: UnitIx, target: UnitIx) -> FlankClass {
    let layout = field.layout(by);
    let stands: Vec<Rect> = layout.body().copied().collect();
    // FORM-31: of who strikes a disordered unit only the front rank is asked.
    let taking_part = match field.unit(target).footing.disorder {
        true => layout.front_rank().map(|stand| stand.rect).collect(),
        false => stands.clone(),
    };
    let guns = field.unit(by).arm == Arm::Artillery;
    class_against(field, &Striking { all: &stands, taking_part: &taking_part, primary: None, guns }, target)
}

/// ARTY-24 Whether a target in range lies in a unit's zones, as guns have them in their arc; none: it is out of range, or the
/// unit cannot fire.
pub(crate) fn bears_on(field: &Field<'_>, firer: UnitIx, target: UnitIx) -> Option<bool> {
    let shooter = Shooter::new(field, firer, &Stands::All).ok()?;
    shooter.reach.band(field.distance(firer, target))?;
    let mut centers = field.layout(target).rects().map(|rect| rect.center);
    Some(centers.any(|center| shooter.fronts.iter().any(|front| front.zone(center).is_some())))
}

/// FIRE-11, FIRE-22, FIRE-23, ARTY-24 In which zone of a unit a point lies, and in which range band by its distance from the
/// stands that fire; none: it lies in no zone or beyond long range, or the unit cannot fire. The ground between is not asked.
pub fn zone_at(field: &Field<'_>, firer: UnitIx, point: Point) -> Option<(Zone, RangeBand)> {
    let shooter = Shooter::new(field, firer, &Stands::All).ok()?;
    let zone = shooter.fronts.iter().filter_map(|front| front.zone(point)).min()?;
    let distances = shooter.armed.iter().map(|stand| geometry::point_to_polygon(point, &stand.rect.corners));
    let band = shooter.reach.band(distances.min()?)?;
    Some((zone, band))
}

/// IDD-14 The two stand before each other after a recoil: all stands that fire, no zones, no arcs, no lines, and a range
/// beyond the weapon's counts as long.
fn at_arms_length(field: &Field<'_>, shooter: &Shooter<'_>, target: UnitIx, asked: Asked<'_>) -> Result<Aim, NoFire> {
    let struck = field.layout(target);
    let armed = if shooter.square {
        two_faces(shooter, &struck.body().copied().collect::<Vec<_>>())
    } else {
        shooter.armed.clone()
    };
    let pairs = armed.iter().flat_map(|own| struck.body().map(move |theirs| (own, theirs)));
    let measured = pairs.map(|(own, theirs)| {
        (geometry::between_polygons(&own.rect.corners, &theirs.corners), own.rect.center, theirs.center)
    });
    let Some((range, from, to)) = measured.min_by(|one, other| one.0.cmp(&other.0)) else {
        return Err(NoFire::new(FIRE_24, "nobody is left to fire"));
    };
    let Some(front) = shooter.fronts.last().copied() else {
        return Err(NoFire::new(FIRE_24, "nobody is left to fire"));
    };
    let band = shooter.reach.band(range).unwrap_or(RangeBand::Long);
    let flank = flank_of(field, shooter, &armed, front, target, asked);
    let eligible: Vec<Rect> = struck.body().copied().collect();
    let lines = armed.iter().flat_map(|own| eligible.iter().map(move |theirs| (own.rect.center, theirs.center)));
    let lines = lines.collect();
    Ok(Aim {
        firing: armed,
        all: shooter.all_stands(),
        eligible,
        zone: Zone::Primary,
        front,
        range,
        band,
        flank,
        at_screen: false,
        over: Vec::new(),
        from,
        to,
        lines,
    })
}

fn out_of_zone(field: &Field<'_>, shooter: &Shooter<'_>, target: UnitIx) -> NoFire {
    let (own, theirs) = (&shooter.unit.name, &field.unit(target).name);
    NoFire::new(FIRE_23, format!("`{theirs}` is outside the fire zones of `{own}`"))
}

fn too_far(field: &Field<'_>, shooter: &Shooter<'_>, target: UnitIx) -> NoFire {
    let (own, theirs) = (&shooter.unit.name, &field.unit(target).name);
    NoFire::new(FIRE_11, format!("`{theirs}` is out of range of `{own}`"))
}
