//! A stage is data in, data out: envelopes are opened, the phases of the stage are played, nobody is asked anything.
//!
//! Owns the order of the phases (TURN-01, TURN-06) and nothing of what they do. Start at [`resolve`].

use std::collections::BTreeMap;

use protocol::ids::SeatId;
use protocol::orders::{Draft, Stage};

use crate::battle::Battle;
use crate::dice::Dice;
use crate::hidden;
use crate::leaders;
use crate::los;
use crate::phases;
use crate::play::{Event, Play};
use crate::ruleset::Ruleset;
use crate::sharpshooters;
use crate::specials;
use crate::victory;

/// What every seat sealed for one stage; a seat that sealed nothing is absent.
pub type Envelopes = BTreeMap<SeatId, Draft>;

/// How a phase is played.
type PlayPhase = fn(&mut Play);

/// What a stage made of a battle.
pub struct Outcome {
    /// The battle after the stage.
    pub battle: Battle,
    /// What happened, in order.
    pub events: Vec<Event>,
}

/// Opens turn 1: the start-of-turn marks on a battle that has just been set up. Later turns are opened by the stage that ends
/// the turn before.
pub fn open(rules: &Ruleset, battle: Battle, dice: &dyn Dice) -> Outcome {
    let mut play = Play::new(rules, dice, battle, Stage::Orders);
    play.phase = 1;
    // HID-05 A picket that turns out to stand in clear sight is dealt with before anybody has given an order.
    los::begin_stage(&mut play);
    hidden::look_at_setup(&mut play);
    phases::turn::begin(&mut play);
    Outcome { battle: play.battle, events: play.events }
}

/// Plays one stage of a turn to its end. The same inputs give the same outcome on every machine.
///
/// After [`Stage::Movement`] the battle stands at the start of the next turn, or has ended.
pub fn resolve(rules: &Ruleset, stage: Stage, battle: Battle, envelopes: &Envelopes, dice: &dyn Dice) -> Outcome {
    resolve_phases(rules, stage, battle, envelopes, dice, |_| true)
}

/// As [`resolve`], and passes over the phases that are not wanted; 1 is the start of the next turn.
pub(crate) fn resolve_phases(
    rules: &Ruleset,
    stage: Stage,
    battle: Battle,
    envelopes: &Envelopes,
    dice: &dyn Dice,
    wanted: impl Fn(u8) -> bool,
) -> Outcome {
    let mut play = Play::new(rules, dice, battle, stage);
    los::begin_stage(&mut play);
    phases::envelopes::open(&mut play, envelopes);
    let phases: &[(u8, PlayPhase)] = match stage {
        Stage::Orders => &[(2, phases::rally::play), (3, phases::reveal::play)],
        Stage::Reactions => &[(4, phases::first_fire::play), (5, phases::disengage::play)],
        Stage::Charges => &[(6, phases::charges::play)],
        Stage::Movement => &[
            (7, phases::movement::play),
            (8, phases::moving_fire::play),
            (9, phases::officers::play),
            (9, reveal_at_the_end),
            (9, phases::turn::end),
            (1, phases::turn::begin),
        ],
    };
    // HID-48 What is given up when a window closes opens the first phase of the stage.
    play.phase = phases.first().map_or(0, |(phase, _)| *phase);
    hidden::give_up(&mut play, hidden::Moment::Closed(stage));
    for (phase, play_phase) in phases.iter().filter(|(phase, _)| wanted(*phase)) {
        if play.table().ended.is_some() {
            break;
        }
        play.phase = *phase;
        play.segment = None;
        leaders::begin_phase(&mut play);
        los::begin_phase(&mut play);
        let fires = specials::fires_before(play.table());
        play_phase(&mut play);
        if (4..=8).contains(phase) {
            specials::draw_back(&mut play, &fires);
            // HID-38 Whatever place the phase has left them in.
            hidden::look(&mut play);
        }
        los::end_phase(&mut play);
        sharpshooters::share(&mut play);
        if (2..=8).contains(phase) {
            victory::note_reached(&mut play);
            leaders::end_phase(&mut play);
        }
    }
    Outcome { battle: play.battle, events: play.events }
}

/// HID-48 The last instant of a turn at which a picket may be given up: before the next orders.
fn reveal_at_the_end(play: &mut Play<'_>) {
    hidden::give_up(play, hidden::Moment::EndOfTurn);
}
