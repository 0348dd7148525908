//! Leaders who step out from under a picket. HID-11, HID-79
//!
//! Owns the instants at which they do. It is a way out alone: no word of anybody puts an open leader under a picket.

use protocol::event::Fact;
use protocol::ids::{LeaderId, PicketNumber, Side};
use protocol::orders::{LeaderDraft, Stage, StepOut};
use protocol::place::{Bearing, Point};
use protocol::view::Presence;

use super::change::{Changes, change};
use crate::battle::Leader;
use crate::catalogue::{HID_11, HID_79, RuleId};
use crate::explain::sentence;
use crate::play::Play;

/// HID-11 The instants at which a leader may step out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// With the reveal of orders.
    WithOrders,
    /// Before the charges.
    Phase6,
    /// Before the movement.
    Phase7,
}

/// HID-11 Why a leader may not be told to step out in this window.
pub(crate) fn why_not_out(leader: &Leader, stage: Stage, said: &LeaderDraft) -> Option<(RuleId, String)> {
    let wish = said.step_out?;
    if leader.presence != Presence::Hidden {
        return Some((HID_79, format!("`{}` is an open figure and under no picket", leader.name)));
    }
    let too_late = match wish {
        StepOut::Never => false,
        StepOut::WithOrders => stage != Stage::Orders,
        StepOut::Phase6 => stage == Stage::Movement,
        StepOut::Phase7 => false,
    };
    too_late.then(|| (HID_11, format!("it is too late for `{}` to step out then; name a later phase", leader.name)))
}

/// HID-11 Leaders whose owners want it so now become open figures at the marker's point, those of both sides together. Their pickets
/// are thereby known to be real.
pub(crate) fn step_out(play: &mut Play<'_>, now: Steps) {
    let mut out: Vec<(PicketNumber, Side, LeaderId)> = Vec::new();
    for side in Side::BOTH {
        for (number, under) in &play.battle.secrets.get(side).open().pickets {
            let steps = under.leaders.iter().filter(|leader| wishes(play, side, &leader.id, now));
            out.extend(steps.map(|leader| (*number, side, leader.id.clone())));
        }
    }
    out.sort();
    let changes = Changes { confirmed: out.iter().map(|(number, ..)| *number).collect(), ..Changes::default() };
    change(play, &changes, HID_11);
    for (number, side, id) in out {
        let Some((at, facing)) = play.table().pickets.get(&number).map(|picket| (picket.at, picket.facing)) else {
            continue;
        };
        let secrets = play.battle.secrets.get_mut(side).open_mut();
        let Some(under) = secrets.pickets.get_mut(&number) else { continue };
        let Some(place) = under.leaders.iter().position(|leader| leader.id == id) else { continue };
        let leader = in_the_open(under.leaders.remove(place), at, facing);
        let text = format!("{} steps out beside picket {}.", leader.name, number.0);
        play.table_mut().leaders.insert(id.clone(), leader);
        play.tell(HID_11, Fact::LeaderArrived { leader: id, at }, sentence(text));
    }
}

fn in_the_open(leader: Leader, at: Point, facing: Bearing) -> Leader {
    Leader { presence: Presence::Table, at, at_turn_start: at, facing, ..leader }
}

fn wishes(play: &Play<'_>, side: Side, leader: &LeaderId, now: Steps) -> bool {
    let wish = play.leader_choice(side, leader, |said| said.step_out);
    match (wish, now) {
        (Some(StepOut::WithOrders), Steps::WithOrders)
        | (Some(StepOut::Phase6), Steps::Phase6)
        | (Some(StepOut::Phase7), Steps::Phase7) => true,
        (Some(StepOut::Never | StepOut::WithOrders | StepOut::Phase6 | StepOut::Phase7) | None, _) => false,
    }
}
