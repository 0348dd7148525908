//! What the clock calls for between its segments: the fires of holders, and the surrender of routed units that are reached.
//!
//! Owns nothing of fire or morale: who fires is chosen elsewhere, what follows is settled by [`crate::morale`].

use super::clock::Clock;
use crate::battle::UnitIx;
use crate::field::Field;
use crate::fire::{Holders, Look, Unseen};
use crate::hidden;
use crate::holding::{self, Moment};
use crate::instant::{Instant, When};
use crate::play::Play;
use crate::{fire, los, morale, rout};

/// Lets the holders of one instant fire, and settles what follows. Whether anybody fired.
pub(super) fn at(play: &mut Play<'_>, holders: &Holders, instant: Instant<'_>) -> bool {
    let mut shots = holders.shots(play, instant);
    let mut nothing = Vec::new();
    if instant.when == When::After {
        for unseen in holders.at_the_unseen(play, &shots) {
            match unseen {
                Unseen::Victim(shot) => shots.push(*shot),
                Unseen::Nobody(fire) => nothing.push(fire),
            }
        }
    }
    if shots.is_empty() && nothing.is_empty() && play.table().pickets.is_empty() {
        return false;
    }
    let table = play.table().clone();
    // HID-52 Whoever opens fire from hiding is there for the enemy only after the group.
    let would_fire = |trial: &Play<'_>, ix| holders.shots_of_these(trial, instant, &[ix]).into_iter().next();
    let opened = hidden::open_fire(play, would_fire);
    if shots.is_empty() && nothing.is_empty() && opened.is_empty() {
        return false;
    }
    let late = Look { shots: holders.shots_of_these(play, instant, &opened), table: play.table().clone() };
    let happenings = fire::shoot_from(play, vec![Look { table, shots }, late]);
    nothing.iter().for_each(|fire| fire::at_nothing(play, fire));
    morale::settle(play, happenings);
    true
}

/// ENF-12, ARTY-27 Holders bend back an end stand or pivot their guns, as they were told, before anybody fires. Whether any did.
pub(super) fn turn(play: &mut Play<'_>, when: When) -> bool {
    let bent = holding::refuse_end_stands(play, Moment::Movement);
    let pivoted = holding::pivot_batteries(play, when == When::Before);
    bent || pivoted
}

/// ROUT-11, ALG-MOVE 8 Routed enemies whom a mover has reached surrender. Whether any did.
pub(super) fn surrenders(clock: &mut Clock<'_, '_>) -> bool {
    let table = clock.play.table();
    if table.units().all(|(_, unit)| unit.is_unrouted()) {
        return false;
    }
    let mut reached: Vec<(UnitIx, UnitIx)> = Vec::new();
    let crowd = clock.crowd();
    for mover in &clock.movers {
        let Some(own) = &clock.shapes[mover.unit.0 as usize] else { continue };
        let near = crowd.near(own.extent(), 0).into_iter().map(|enemy| (enemy, &table[enemy]));
        for (enemy, unit) in near.filter(|(_, unit)| unit.side != mover.side && !unit.is_unrouted()) {
            let touched = clock.shapes[enemy.0 as usize].as_ref().is_some_and(|shape| own.may_reach(shape, 0));
            if touched && unit.on_table() {
                reached.push((mover.unit, enemy));
            }
        }
    }
    if reached.is_empty() {
        return false;
    }
    let field = Field::new(clock.play.rules, table, clock.play.dice);
    reached.retain(|(mover, enemy)| rout::surrenders_to(&field, *enemy, *mover));
    drop(field);
    // LOS-02 Who is taken is seen before it is told.
    los::meet(clock.play, &reached);
    let mut taken: Vec<UnitIx> = reached.into_iter().map(|(_, enemy)| enemy).collect();
    taken.sort_unstable();
    taken.dedup();
    let happenings: Vec<_> = taken.into_iter().map(|ix| rout::surrender(clock.play, ix, false)).collect();
    let any = !happenings.is_empty();
    if any {
        morale::settle(clock.play, happenings);
    }
    any
}
