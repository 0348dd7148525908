//! Phase 4: Conditional Holds take effect, then first fires.

use protocol::event::Fact;
use protocol::orders::RangeBand;

use crate::battle::UnitIx;
use crate::explain::sentence;
use crate::field::Field;
use crate::fire::{self, Candidates, Nothing, Occasion, Shot, Unseen, Wishes};
use crate::holding::{self, Moment};
use crate::morale;
use crate::play::Play;

/// Plays phase 4. REV-05, REV-11, FF-01 to FF-10
pub fn play(play: &mut Play) {
    super::reveal::change_roles(play);
    crate::orders::conditional_holds(play);
    crate::hidden::conditional_holds(play);
    holding::form_emergency_squares(play);
    // Step 3.3: the threatened ends of lines are bent back.
    holding::refuse_end_stands(play, Moment::Reveal);
    let (shots, nothing) = first_fires(play);
    // SCNS-05 Guns beyond the edge fire at the same moment.
    let from_afar = fire::rolled_from_afar(play);
    let mut happenings = fire::shoot(play, shots);
    happenings.extend(fire::strike_from_afar(play, from_afar));
    nothing.iter().for_each(|fire| fire::at_nothing(play, fire));
    morale::settle(play, happenings);
}

/// FF-04 The shots of all units on FIRST FIRE, of both sides, on the state at the start of the phase.
fn first_fires(play: &mut Play<'_>) -> (Vec<Shot>, Vec<Nothing>) {
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, play.dice);
    let mut shots = Vec::new();
    let mut wished: Vec<(UnitIx, Wishes)> = Vec::new();
    let (mut kept, mut withheld, mut nothing) = (Vec::new(), Vec::new(), Vec::new());
    for (ix, unit) in before.units() {
        let order = play.order(ix);
        if fire::may_fire(unit, &order, Occasion::FirstFire).is_err() {
            continue;
        }
        let wishes = Wishes::of(play, ix);
        let looking = Candidates {
            field: &field,
            unit: ix,
            order: &order,
            wishes: &wishes,
            occasion: Occasion::FirstFire,
            dice: Some((play.dice, play.phase)),
        };
        // VIS-12
        match fire::at_the_unseen(&looking).filter(|_| wishes.lets_fire(&order, false)) {
            Some(Unseen::Victim(shot)) => {
                shots.push(*shot);
                continue;
            }
            Some(Unseen::Nobody(fire)) => {
                nothing.push(*fire);
                continue;
            }
            None => {}
        }
        match fire::choose(&looking) {
            Ok(shot) if wishes.lets_fire(&order, false) && accepts(&field, &shot, &wishes) => {
                match fire::column_may_fire(unit, &wishes, false) {
                    Ok(()) => {
                        shots.extend(fire::other_faces(&looking, &shot));
                        shots.push(shot);
                    }
                    Err(reason) => withheld.push((ix, reason)),
                }
            }
            // FF-06: withheld with a target in sight; what is left is only an additional fire.
            Ok(_) => {}
            Err(_) => kept.push(ix),
        }
        wished.push((ix, wishes));
    }
    for (ix, reason) in withheld {
        let unit = &before[ix];
        let text = sentence(format!("{} keeps its order and does not fire.", unit.name));
        play.tell_side(unit.side, reason.rule, Fact::FireWithheld { unit: unit.id.clone() }, text);
    }
    for ix in kept {
        play.table_mut()[ix].marks.shot_kept = true;
    }
    (fire::combine(&field, shots, &wished), nothing)
}

/// FF-06 `not_at_long`, `only_close`.
fn accepts(field: &Field<'_>, shot: &Shot, wishes: &Wishes) -> bool {
    let band = fire::odds(field, shot).map_or(RangeBand::Long, |odds| odds.laid.band);
    Wishes::accepts(wishes.first_fire, band)
}
