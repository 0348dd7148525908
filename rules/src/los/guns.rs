//! One's own guns that were left, as their side knows them. LOS-17

use protocol::event::Fact;
use protocol::ids::{Side, UnitId};

use super::memory::sees_clearly;
use crate::battle::{AbandonedGuns, Table, UnitIx};
use crate::catalogue::ARTY_47;
use crate::crews::stand_of;
use crate::explain::sentence;
use crate::field::Field;
use crate::play::{Audience, Play};

/// LOS-17 Somebody of a side is about to spike, man or take up guns that were left: if he is an enemy, their own side knows them on as
/// they are now, until it sees what has become of them.
pub(crate) fn remember_guns(play: &mut Play<'_>, battery: &UnitId, by: Side) {
    if play.table().sights.is_none() {
        return;
    }
    let Some(left) = play.table().abandoned.get(battery).cloned() else { return };
    let (owner, battery) = (left.side, battery.clone());
    let Some(memory) = &mut play.battle.secrets.get_mut(owner).open_mut().memory else { return };
    match by == owner {
        true => _ = memory.guns.remove(&battery),
        false => _ = memory.guns.entry(battery).or_insert(left),
    }
}

/// LOS-17 Each side learns what has become of its own guns whose place it has in clear sight, and knows those that it has left
/// since the last test.
pub(super) fn learn(play: &mut Play<'_>) {
    for side in Side::BOTH {
        let Some(memory) = &play.battle.secrets.get(side).open().memory else { continue };
        let field = Field::new(play.rules, play.table(), play.dice);
        let unseen = memory.guns.iter().filter(|(battery, left)| {
            field.table.abandoned.get(*battery) != Some(*left) && !sees_clearly(&field, side, &stand_of(left))
        });
        let unseen: Vec<(UnitId, AbandonedGuns)> = unseen.map(|(id, left)| (id.clone(), left.clone())).collect();
        let own = field.table.abandoned.iter().filter(|(_, left)| left.side == side);
        let own = own.map(|(id, left)| (id.clone(), left.clone()));
        let known = own.chain(unseen).collect();
        if let Some(memory) = &mut play.battle.secrets.get_mut(side).open_mut().memory {
            memory.guns = known;
        }
    }
}

/// LOS-17 Tells that a crew has spiked guns, its own or those of a battery at which it stands: its own side always, that of the guns
/// if it sees the crew or the guns. An enemy of both is told if he sees the crew.
pub(crate) fn tell_of_spiking(play: &mut Play<'_>, crew: UnitIx, battery: &UnitId) {
    let (id, name, side) = (play.table()[crew].id.clone(), play.table()[crew].name.clone(), play.table()[crew].side);
    let guns = if *battery == id { "its guns" } else { "the guns at which it stands" };
    let (done, told) = (Fact::Special { unit: Some(id) }, sentence(format!("{name} spikes {guns}.")));
    let Some(left) = play.table().abandoned.get(battery).filter(|left| left.side != side).cloned() else {
        return play.tell(ARTY_47, done, told);
    };
    play.tell_side(side, ARTY_47, done, told);
    let owner = left.side;
    let knows_crew = play.table().knows_of(owner, crew);
    let sees_guns = || sees_clearly(&Field::new(play.rules, play.table(), play.dice), owner, &stand_of(&left));
    if !knows_crew && !sees_guns() {
        return;
    }
    if let Some(memory) = &mut play.battle.secrets.get_mut(owner).open_mut().memory {
        memory.guns.insert(battery.clone(), left);
    }
    let guns = name_of(play.table(), battery);
    let text = match knows_crew {
        true => format!("{name} spikes the guns of {guns}."),
        false => format!("The guns of {guns} are spiked."),
    };
    let fact = Fact::Special { unit: Some(battery.clone()) };
    play.enter(ARTY_47, fact, sentence(text), Audience::Instead(owner));
}

fn name_of(table: &Table, battery: &UnitId) -> String {
    table.unit(battery).map_or_else(|| battery.to_string(), |unit| unit.name.clone())
}
