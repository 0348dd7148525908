//! Phase 8: additional fires of holding units, then the fires of those that moved, then what a whole turn of standing still has
//! done. ALG-FIRES 4 to 8

use protocol::event::Fact;
use protocol::orders::{ExtraFire, MovingFire};

use crate::battle::UnitIx;
use crate::catalogue::ADDF_14;
use crate::explain::sentence;
use crate::field::Field;
use crate::fire::{self, Candidates, Look, Nothing, Occasion, Shot, Standing, Unseen, Wishes};
use crate::play::Play;
use crate::{crews, hidden, morale, wagons, works};

/// Plays phase 8. ADDF-09, MFIRE-01 to MFIRE-08
pub fn play(play: &mut Play) {
    let extra = extra_fires(play);
    let happenings = fire::shoot(play, extra);
    morale::settle(play, happenings);
    let table = play.table().clone();
    let everybody: Vec<UnitIx> = table.units().map(|(ix, _)| ix).collect();
    let (shots, nothing) = moving_fires(play, &everybody);
    // HID-52 Whoever opens fire from hiding is there for the enemy only after the group.
    let opened = hidden::open_fire(play, |trial, ix| moving_fires(trial, &[ix]).0.into_iter().next());
    let late = Look { shots: moving_fires(play, &opened).0, table: play.table().clone() };
    let happenings = fire::shoot_from(play, vec![Look { table, shots }, late]);
    nothing.iter().for_each(|fire| fire::at_nothing(play, fire));
    morale::settle(play, happenings);
    wagons::resupply(play);
    works::close(play);
    hidden::work(play, works::close_of);
    crews::lend_horses(play);
    crews::take_up_guns(play);
}

/// ADDF-09, ADDF-13, MFIRE-03 One fire for each enemy that marched into a holder's close range, the nearest first.
fn extra_fires(play: &mut Play<'_>) -> Vec<Shot> {
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, play.dice);
    let mut shots = Vec::new();
    for (ix, unit) in before.units() {
        let order = play.order(ix);
        if fire::may_fire(unit, &order, Occasion::Extra).is_err() {
            continue;
        }
        let wishes = Wishes::of(play, ix);
        if !wishes.lets_fire(&order, false) {
            continue;
        }
        let standing = Standing::of(unit, &order);
        let mut newcomers = fire::newcomers(&field, ix);
        newcomers.sort_by(|one, other| field.distance(ix, *one).cmp(&field.distance(ix, *other)).then(one.cmp(other)));
        for (before_it, newcomer) in (0..).zip(newcomers) {
            let firer = wishes.firer(&field, ix, standing, true, Occasion::Extra);
            let shot = Shot { before_it, ..Shot::new(firer, newcomer, Occasion::Extra) };
            if declines(play, &field, &shot, &wishes) {
                break;
            }
            shots.push(shot);
        }
    }
    shots
}

/// ADDF-14 Whether the owner declines a further fire. A first fire of the turn is none.
fn declines(play: &mut Play<'_>, field: &Field<'_>, shot: &Shot, wishes: &Wishes) -> bool {
    let unit = field.unit(shot.lead());
    if unit.marks.fires + shot.before_it == 0 {
        return false;
    }
    let Ok(odds) = fire::odds(field, shot) else { return true };
    let least = match wishes.extra_fire {
        Some(ExtraFire::Always {}) => 0,
        Some(ExtraFire::ChargedOnly {} | ExtraFire::Never {}) => u32::MAX,
        Some(ExtraFire::MinDice { dice }) => dice,
        None => 2,
    };
    let declined = odds.laid.dice_count() < least;
    if declined {
        let fact = Fact::FireWithheld { unit: unit.id.clone() };
        let text = format!("{} declines a further fire.", unit.name);
        play.tell_side(unit.side, ADDF_14, fact, sentence(text));
    }
    declined
}

/// MFIRE-01, MFIRE-06 The fires of those of these units that moved or formed, on the state after the additional fires.
fn moving_fires(play: &Play<'_>, units: &[UnitIx]) -> (Vec<Shot>, Vec<Nothing>) {
    let field = Field::new(play.rules, play.table(), play.dice);
    let (mut shots, mut nothing) = (Vec::new(), Vec::new());
    let mut wished: Vec<(UnitIx, Wishes)> = Vec::new();
    for ix in units.iter().copied() {
        let (unit, order) = (field.unit(ix), play.order(ix));
        if fire::may_fire(unit, &order, Occasion::Moving).is_err() {
            continue;
        }
        let wishes = Wishes::of(play, ix);
        let column = fire::column_may_fire(unit, &wishes, false).is_ok();
        if !column || !wishes.lets_fire(&order, false) {
            continue;
        }
        let looking = Candidates {
            field: &field,
            unit: ix,
            order: &order,
            wishes: &wishes,
            occasion: Occasion::Moving,
            dice: Some((play.dice, play.phase)),
        };
        match fire::at_the_unseen(play, &looking).filter(|_| wishes.moving_fire != MovingFire::Never) {
            Some(Unseen::Victim(shot)) => shots.push(*shot),
            Some(Unseen::Nobody(fire)) => nothing.push(*fire),
            None => {
                if let Ok(shot) = fire::choose(&looking)
                    && accepts(&field, &shot, wishes.moving_fire)
                {
                    shots.extend(fire::other_faces(&looking, &shot));
                    shots.push(shot);
                }
            }
        }
        wished.push((ix, wishes));
    }
    (fire::combine(&field, shots, &wished), nothing)
}

/// MFIRE-08 `not_at_long`, `only_close`, `never`.
fn accepts(field: &Field<'_>, shot: &Shot, wish: MovingFire) -> bool {
    let Some(choice) = fire::range_of(wish) else { return false };
    fire::odds(field, shot).is_ok_and(|odds| Wishes::accepts(choice, odds.laid.band))
}
