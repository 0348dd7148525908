//! Dice that a scenario asks for after a fire, such as for cartridge boxes that empty. SCNS-04

use protocol::event::{Dice as DiceShown, Fact};
use protocol::ids::UnitId;

use super::tell;
use crate::battle::UnitIx;
use crate::catalogue::{AMMO_02, SCNS_04};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, sentence};
use crate::play::Play;
use crate::scenario::{RollFails, RollOn, RollResult};
use crate::specials;

/// One roll that was made.
struct Rolled {
    term: String,
    dice: DiceShown,
    failed: bool,
    result: RollResult,
}

/// SCNS-04 The dice due after a fire of a unit, which has been counted already.
pub(super) fn roll(play: &mut Play<'_>, ix: UnitIx) {
    for Rolled { term, dice, failed, result } in rolled(play, ix) {
        let (id, name) = (play.table()[ix].id.clone(), tell::capital(&tell::called(&play.table()[ix].name)));
        let end = if failed { "and fails" } else { "and passes" };
        let text = format!("{name} rolls for the special rule `{term}` of the scenario {end}.");
        play.tell(SCNS_04, Fact::Special { unit: Some(id.clone()) }, sentence(text).with_dice(dice));
        if failed {
            suffer(play, ix, &id, &name, result);
        }
    }
}

fn rolled(play: &Play<'_>, ix: UnitIx) -> Vec<Rolled> {
    let unit = &play.table()[ix];
    let n = unit.carried.fires;
    let due = specials::rolls_due(play.table(), unit, RollOn::Fires, n);
    let rolled = due.into_iter().map(|roll| {
        let event = n.to_string();
        let mut dice =
            throw(play.dice, play.phase, Purpose::ScenarioRoll, &[roll.term, unit.id.as_str(), &event], 1, 1);
        let face = dice.faces.iter().copied().map(u32::from).sum::<u32>();
        let bmp = unit.base_morale_point(play.rules).unsigned_abs();
        let (needed, failed) = match roll.fails {
            RollFails::Faces(faces) => {
                let faces_in_words: Vec<String> = faces.iter().map(u32::to_string).collect();
                (format!("not {}", faces_in_words.join(" or ")), faces.contains(&face))
            }
            RollFails::Bmp => (format!("above {bmp}"), face <= bmp),
        };
        dice.needed = Some(needed);
        Rolled { term: roll.term.to_owned(), dice, failed, result: roll.result }
    });
    rolled.collect()
}

/// SCNS-04 What a failure does. Results that end a move have nothing to end here: the unit has just fired.
fn suffer(play: &mut Play<'_>, ix: UnitIx, id: &UnitId, name: &str, result: RollResult) {
    let turn = play.table().turn;
    let unit = &mut play.table_mut()[ix];
    match result {
        RollResult::OutOfAmmunition if unit.ammunition_out_since.is_none() => {
            unit.ammunition_out_since = Some(turn);
            let text = format!("{name} is out of ammunition.");
            play.tell(AMMO_02, Fact::Ammunition { unit: id.clone(), out: true }, sentence(text));
        }
        RollResult::Disorder if !unit.footing.disorder => {
            unit.footing.disorder = true;
            let text = format!("{name} falls into disorder.");
            play.tell(SCNS_04, Fact::Disorder { unit: id.clone(), disorder: true }, sentence(text));
            crate::column::disorder_with_lead(play, ix);
        }
        RollResult::OutOfAmmunition
        | RollResult::Disorder
        | RollResult::NotDone
        | RollResult::Halt
        | RollResult::WithdrawTurn
        | RollResult::Cease => {}
    }
}
