//! When a charged unit fires: the distance of its defensive volley. CHG-30 to CHG-35
//!
//! Owns the die, its modifiers, and the volley that is fired too soon. The fire itself is [`crate::fire::volley`].

use protocol::event::Fact;
use protocol::words::Quality;

use super::columns::body_of;
use super::run::Run;
use super::threat::{self, body};
use crate::battle::{Table, Unit, UnitIx};
use crate::catalogue::{CHG_30, CHG_31, CHG_32, CHG_33, CHG_34};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, Reckoning, called, named, sentence};
use crate::field::Field;
use crate::fire::{self, Shot};
use crate::geometry::{self, Frame, Rect, UNIT};
use crate::ground::ObstacleKind;
use crate::morale::officer;
use crate::play::Play;
use crate::scenario::ModifierOn;
use crate::specials;

/// CHG-34 The length in which a path is searched for where a charger comes out of cover, thousandths of an inch.
const STRIDE: i32 = 125;

/// CHG-30, CHG-40 The distance at which a charged unit fires, thousandths of an inch, told to all. None: it has no volley, or has
/// lost it by firing too soon.
pub fn distance(play: &mut Play<'_>, run: &Run, enemy: UnitIx, forming: bool) -> Option<i32> {
    fire::may_volley(play, enemy, run.point).ok()?;
    let (die, reckoning, distance, latest) = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let unit = field.unit(enemy);
        let key = [unit.id.as_str(), field.unit(run.point).id.as_str()];
        let purpose = Purpose::ChargeVolleyDistance;
        let count = u32::try_from(play.rules.defensive_volley.dice).unwrap_or(1);
        let die = throw(play.dice, play.phase, purpose, &key, play.thrown(purpose, &key) + 1, count);
        let pips: i32 = die.faces.iter().map(|face| i32::from(*face)).sum();
        let reckoning = modifiers(&field, run.point, enemy, forming);
        let per_pip = play.rules.defensive_volley.inches_per_pip.at(unit.quality).thousandths();
        (die, reckoning.clone(), ((pips + reckoning.total()) * per_pip).max(0), latest(&field, run, enemy))
    };
    let wasted = latest < distance;
    let (name, charger) = (play.table()[enemy].name.clone(), play.table()[run.point].name.clone());
    let text = match wasted {
        true => format!(
            "{} would fire at {}, farther than the {} at which the charge began or came into view: its volley is lost.",
            named(&name),
            fire::inches(distance),
            fire::inches(latest)
        ),
        false => format!("{} will fire when {} is {} off.", named(&name), called(&charger), fire::inches(distance)),
    };
    let measure = if play.table()[enemy].drill() == Quality::Green { "whole inches" } else { "half inches" };
    let told = sentence(text).with_dice(die).with_sum(&reckoning).with_note(CHG_31, format!("counted in {measure}"));
    let fact = Fact::VolleyDistance {
        unit: play.table()[enemy].id.clone(),
        charger: play.table()[run.point].id.clone(),
        distance: distance.unsigned_abs(),
        wasted,
    };
    play.tell(if wasted { CHG_34 } else { CHG_30 }, fact, told);
    if wasted {
        let unit = &mut play.table_mut()[enemy];
        unit.marks.fires += 1;
        unit.opening_volley_used = true;
        return None;
    }
    Some(distance)
}

/// CHG-32, CHG-33 The modifiers of the volley die, together by at most one.
pub(super) fn modifiers(field: &Field<'_>, point: UnitIx, enemy: UnitIx, forming: bool) -> Reckoning {
    let table = &field.rules.defensive_volley;
    let unit = field.unit(enemy);
    let mut sum = Reckoning::of("modifiers of the volley die");
    sum.add_if(unit.quality == Quality::Elite, CHG_32, "elite", table.elite);
    sum.add_if(officer::present(field, enemy).is_some(), CHG_32, "officer present", table.officer);
    let covered = covers(field, point, enemy);
    sum.add_if(covered, CHG_32, "behind works, wall or fence", table.behind_works_wall_or_fence);
    sum.add_if(unit.marks.conditional_hold, CHG_32, "Conditional Hold", table.conditional_hold);
    sum.add_if(unit.footing.disorder, CHG_32, "in disorder", table.disorder);
    sum.add_if(forming, CHG_32, "forming", table.forming);
    for (rule, label, value) in specials::modifiers(field, enemy, ModifierOn::VolleyDie) {
        sum.add(rule, label, value);
    }
    sum.clamped(CHG_33, table.total_min, table.total_max)
}

/// CHG-32 Whether a fence, a wall or works cover the defender from the charger. COVER-01
fn covers(field: &Field<'_>, point: UnitIx, enemy: UnitIx) -> bool {
    let ground = field.ground();
    let claims = ground.claims(field.center(point), &body(field.layout(enemy)));
    claims.iter().any(|claim| {
        matches!(
            claim.obstacle.kind,
            ObstacleKind::Fence
                | ObstacleKind::StoneWall
                | ObstacleKind::Bank
                | ObstacleKind::HastyWorks
                | ObstacleKind::MediumWorks
                | ObstacleKind::HeavyWorks
        )
    })
}

/// CHG-34 The greatest distance at which the volley tells: that at which this leg began, or at which the charger came out from
/// behind what hid it.
pub(super) fn latest(field: &Field<'_>, run: &Run, enemy: UnitIx) -> i32 {
    let gap = threat::distance(field, run.point, enemy).rounded();
    match in_view_at(field, run, enemy, gap) {
        Some(travel) => run.slide(field).gap(&body_of(field, enemy), travel).rounded().min(gap),
        None => 0,
    }
}

/// The travel at which the defender first has the charger in view, past ground and the friends through whom it comes: trees make area fire of a volley,
/// and do not hide its object. CHG-35
fn in_view_at(field: &Field<'_>, run: &Run, enemy: UnitIx, gap: i32) -> Option<i32> {
    let start = field.unit(run.point).footing.anchor;
    let dice = field.dice();
    let behind_friends = clear_of_friends_at(field, run, gap);
    // Most are in view from the start, and need not be carried along.
    if behind_friends == 0 && field.open_line(enemy, run.point).is_some() {
        return Some(0);
    }
    let mut ghosts = field.table.clone();
    (0..=gap).step_by(STRIDE as usize).chain([behind_friends, gap]).filter(|travel| behind_friends <= *travel).find(
        |travel| {
            if *travel != 0 {
                let by = crate::morale::flight::displacement(run.bearing, *travel);
                ghosts[run.point].footing.anchor = protocol::place::Point::new(start.x + by.x, start.y + by.y);
            }
            let look = match dice {
                Some(dice) => Field::new(field.rules, &ghosts, dice),
                None => Field::before_dice(field.rules, &ghosts),
            };
            look.open_line(enemy, run.point).is_some()
        },
    )
}

/// CHG-49 The travel at which the front of the charger is clear of all friends through whom it passes.
fn clear_of_friends_at(field: &Field<'_>, run: &Run, gap: i32) -> i32 {
    let slide = run.slide(field);
    let frame = Frame::new(field.unit(run.point).footing.anchor, run.bearing);
    let foremost = |stands: &[Rect]| {
        let ahead = stands.iter().flat_map(|stand| stand.corners).map(|corner| frame.ahead(corner)).max().unwrap_or(0);
        i32::try_from(geometry::round_div(ahead, UNIT)).unwrap_or(0)
    };
    let front = foremost(&body(field.layout(run.point)));
    let (side, members) = (field.unit(run.point).side, run.everybody());
    let passed = field.near(slide.extent(gap), 0).filter(|ix| {
        let met = || slide.first_overlap(&field.stands(*ix), gap).is_some_and(|at| 0 < at);
        let unit = field.unit(*ix);
        // LOS-19 Who is out of sight hides nobody.
        let known = field.knows_of(side.enemy(), *ix);
        unit.side == side && known && !members.contains(ix) && !unit.is_skirmishing() && met()
    });
    passed.map(|ix| foremost(&field.stands(ix)) - front).max().unwrap_or(0).clamp(0, gap)
}

/// CHG-35, CHG-40 The volley where the charger stands now; one for which it does not lie in its zones is not used up.
pub fn shot(play: &mut Play<'_>, run: &Run, enemy: UnitIx) -> Option<Shot> {
    match fire::volley(play, enemy, run.point, &run.supports) {
        Ok(shot) => Some(shot),
        Err(reason) => {
            let unit: &Unit = &play.table()[enemy];
            let fact = Fact::FireWithheld { unit: unit.id.clone() };
            let text = format!("{} does not fire its volley: {}.", named(&unit.name), reason.text);
            let side = unit.side;
            play.tell_side(side, reason.rule, fact, sentence(text));
            None
        }
    }
}

/// The distance between two units as a charge measures it, rounded.
pub(super) fn gap(play: &Play<'_>, one: UnitIx, other: UnitIx) -> i32 {
    gap_on(play.table(), one, other)
}

/// As [`gap`], on a table.
pub(super) fn gap_on(table: &Table, one: UnitIx, other: UnitIx) -> i32 {
    let (one, other) = (body(table.layout(one)), body(table.layout(other)));
    geometry::between_stands(one.iter(), other.iter()).map_or(i32::MAX, geometry::Distance::rounded)
}
