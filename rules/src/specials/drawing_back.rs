//! Units that fall back by themselves after they have fired. SCNS-09
//!
//! Owns who does and how far. It is no falling back by morale: there is no die, no disorder, and the facing stays.

use protocol::event::Fact;
use protocol::place::Point;

use super::fall_back_after_fire;
use crate::battle::{Table, UnitIx};
use crate::catalogue::SCNS_09;
use crate::explain::{named, sentence};
use crate::field::Field;
use crate::fire::inches;
use crate::geometry::Rect;
use crate::morale::flight::{carried, displacement};
use crate::morale::reference::reference;
use crate::play::Play;
use crate::scenario::SpecialKind;

/// In which steps the way back is searched for what bars it, thousandths of an inch.
const STEP: usize = 125;

/// The fires of every unit so far this turn, as a phase begins; nothing where no term asks for it.
pub(crate) fn fires_before(table: &Table) -> Vec<u32> {
    let wanted = |kind: &SpecialKind| matches!(kind, SpecialKind::MoveAllowance { after_own_fire: true, .. });
    match table.scenario().specials.iter().any(|special| wanted(&special.kind)) {
        true => table.all_units().map(|(_, unit)| unit.marks.fires).collect(),
        false => Vec::new(),
    }
}

/// SCNS-09 At the end of a phase: whoever has fired in it, may fall back and is told to, does.
pub(crate) fn draw_back(play: &mut Play<'_>, before: &[u32]) {
    if before.is_empty() {
        return;
    }
    let table = play.table();
    let fired = |ix: UnitIx| before.get(ix.0 as usize).is_some_and(|fires| *fires < table[ix].marks.fires);
    let ready = table.units().filter(|(ix, unit)| {
        let busy = unit.marks.fell_back || unit.marks.in_melee || unit.marks.beaten || unit.footing.prone;
        fired(*ix) && unit.is_unrouted() && !busy && !unit.follows_in_column()
    });
    let may = ready
        .filter_map(|(ix, unit)| fall_back_after_fire(table, unit).map(|(term, most)| (ix, term.to_owned(), most)));
    let may: Vec<(UnitIx, String, i32)> = may.collect();
    let told: Vec<(UnitIx, String, i32)> =
        may.into_iter().filter(|(ix, ..)| play.choice(*ix, false, |said| said.fall_back_after_fire).0).collect();
    // All look at the table as the phase has left it.
    let snapshot = play.table().clone();
    let field = Field::new(play.rules, &snapshot, play.dice);
    let ways: Vec<(UnitIx, String, Point, i32)> = told
        .into_iter()
        .filter_map(|(ix, term, most)| {
            let away = reference(&field, ix, &[], None).away;
            let free = |travel: &usize| is_free(&field, ix, displacement(away, i32::try_from(*travel).unwrap_or(0)));
            let most = usize::try_from(most).unwrap_or(0);
            let travel = (STEP..=most).step_by(STEP).take_while(free).last()?;
            let travel = i32::try_from(travel).unwrap_or(0);
            Some((ix, term, displacement(away, travel), travel))
        })
        .collect();
    for (ix, term, by, travel) in ways {
        let unit = &mut play.table_mut()[ix];
        unit.footing.anchor = Point::new(unit.footing.anchor.x + by.x, unit.footing.anchor.y + by.y);
        for bend in &mut unit.footing.trail {
            *bend = Point::new(bend.x + by.x, bend.y + by.y);
        }
        unit.marks.fell_back = true;
        let (id, after) = (unit.id.clone(), unit.stance());
        let text = format!(
            "{} falls back {} after its fire, by the special rule `{term}`.",
            named(&unit.name),
            inches(travel)
        );
        let fact = Fact::FellBack { unit: id, distance: travel.unsigned_abs(), after };
        play.tell(SCNS_09, fact, sentence(text));
    }
}

/// Whether a unit has room so far back: whole on the table, and on nobody.
fn is_free(field: &Field<'_>, ix: UnitIx, by: Point) -> bool {
    let there: Vec<Rect> = carried(&field.stands(ix), by);
    let ground = field.ground().ground();
    let on_table = |point: &Point| (0..=ground.width).contains(&point.x) && (0..=ground.height).contains(&point.y);
    let others = field.table.units().filter(|(other, _)| *other != ix);
    let clear = |other: UnitIx| {
        let stands = field.stands(other);
        !stands.iter().any(|stand| there.iter().any(|own| crate::geometry::overlaps_beyond_eps(own, &stand.corners)))
    };
    there.iter().flat_map(|stand| &stand.corners).all(on_table) && others.map(|(other, _)| other).all(clear)
}
