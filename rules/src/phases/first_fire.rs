//! Phase 4: Conditional Holds take effect, then first fires.

use protocol::event::Fact;
use protocol::orders::{Order, RangeBand};

use crate::battle::UnitIx;
use crate::catalogue::RuleId;
use crate::explain::sentence;
use crate::field::Field;
use crate::fire::{self, Candidates, Look, Nothing, Occasion, Shot, Unseen, Wishes};
use crate::hidden;
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
    // HID-38, HID-75 The first sighting checks of the turn.
    hidden::look(play);
    let look = play.table().clone();
    let everybody: Vec<UnitIx> = look.units().map(|(ix, _)| ix).collect();
    let (shots, nothing) = first_fires(play, &everybody);
    // SCNS-05 Guns beyond the edge fire at the same moment.
    let from_afar = fire::rolled_from_afar(play);
    // HID-52 Whoever opens fire from hiding is there for the enemy only after the group.
    let opened = hidden::open_fire(play, |trial, ix| choice(trial, &look_at(trial), ix).ok().map(|(_, shot)| shot));
    let (late, _) = first_fires(play, &opened);
    hidden::keep_first_fire(play);
    let late = Look { table: play.table().clone(), shots: late };
    let mut happenings = fire::shoot_from(play, vec![Look { table: look, shots }, late]);
    happenings.extend(fire::strike_from_afar(play, from_afar));
    nothing.iter().for_each(|fire| fire::at_nothing(play, fire));
    morale::settle(play, happenings);
}

fn look_at<'p>(play: &'p Play<'_>) -> Field<'p> {
    Field::new(play.rules, play.table(), play.dice)
}

/// Why a unit on FIRST FIRE does not fire.
enum NoFirstFire {
    /// FIRE-02
    MayNot,
    /// It sees nobody: it keeps its shot. FF-09
    NoTarget,
    /// FF-06 Withheld with a target in sight; what is left is only an additional fire.
    Withheld,
    /// FORM-08
    KeepsOrder(RuleId),
}

/// FF-04 The first fire of a unit, with what its owner wishes.
fn choice(play: &Play<'_>, field: &Field<'_>, ix: UnitIx) -> Result<(Wishes, Shot), NoFirstFire> {
    let order = play.order(ix);
    fire::may_fire(field.unit(ix), &order, Occasion::FirstFire).map_err(|_| NoFirstFire::MayNot)?;
    let wishes = Wishes::of(play, ix);
    let shot = fire::choose(&looking(play, field, ix, &order, &wishes)).map_err(|_| NoFirstFire::NoTarget)?;
    if !(wishes.lets_fire(&order, false) && accepts(field, &shot, &wishes)) {
        return Err(NoFirstFire::Withheld);
    }
    match fire::column_may_fire(field.unit(ix), &wishes, false) {
        Ok(()) => Ok((wishes, shot)),
        Err(reason) => Err(NoFirstFire::KeepsOrder(reason.rule)),
    }
}

fn looking<'f, 'a>(
    play: &Play<'f>,
    field: &'f Field<'a>,
    unit: UnitIx,
    order: &'f Order,
    wishes: &'f Wishes,
) -> Candidates<'f, 'a> {
    let dice = Some((play.dice, play.phase));
    Candidates { field, unit, order, wishes, occasion: Occasion::FirstFire, dice }
}

/// FF-04 The shots of those of these units that are on FIRST FIRE, on the state as it stands.
fn first_fires(play: &mut Play<'_>, units: &[UnitIx]) -> (Vec<Shot>, Vec<Nothing>) {
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, play.dice);
    let mut shots = Vec::new();
    let mut wished: Vec<(UnitIx, Wishes)> = Vec::new();
    let (mut kept, mut withheld, mut nothing) = (Vec::new(), Vec::new(), Vec::new());
    for ix in units.iter().copied() {
        let order = play.order(ix);
        if fire::may_fire(&before[ix], &order, Occasion::FirstFire).is_err() {
            continue;
        }
        let wishes = Wishes::of(play, ix);
        let looking = looking(play, &field, ix, &order, &wishes);
        // VIS-12
        match fire::at_the_unseen(play, &looking).filter(|_| wishes.lets_fire(&order, false)) {
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
        match choice(play, &field, ix) {
            Ok((_, shot)) => {
                shots.extend(fire::other_faces(&looking, &shot));
                shots.push(shot);
            }
            Err(NoFirstFire::KeepsOrder(rule)) => withheld.push((ix, rule)),
            Err(NoFirstFire::Withheld | NoFirstFire::MayNot) => {}
            Err(NoFirstFire::NoTarget) => kept.push(ix),
        }
        wished.push((ix, wishes));
    }
    for (ix, rule) in withheld {
        let unit = &before[ix];
        let text = sentence(format!("{} keeps its order and does not fire.", unit.name));
        play.tell_side(unit.side, rule, Fact::FireWithheld { unit: unit.id.clone() }, text);
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
