//! What a side remembers, and what it is told of those who come and go. LOS-05, LOS-07, LOS-08

use protocol::event::{Fact, LeaderSighted, UnitSighted};
use protocol::ids::{BySide, LeaderId, Side, UnitId};
use protocol::place::Bearing;
use protocol::view::Confidence;

use super::look::looks;
use crate::battle::{Ghost, Sights, Table, Unit};
use crate::catalogue::RuleId;
use crate::explain::{called, named, sentence};
use crate::field::Field;
use crate::geometry::{Extent, Rect};
use crate::play::{Audience, Play};
use crate::sight::{self, Looker, Pair};

/// LOS-08 How good a memory of that turn is now.
pub(crate) fn confidence(seen: u32, now: u32) -> Confidence {
    match now.saturating_sub(seen) {
        0 => Confidence::Fresh,
        1 => Confidence::Doubtful,
        _ => Confidence::Old,
    }
}

/// LOS-05, LOS-07 Makes what a side sees now what it sees, and remembers how all of them stand.
pub(super) fn change(play: &mut Play<'_>, side: Side, seen: Sights) {
    let (turn, stage) = (play.table().turn, play.stage);
    let as_it_is = |unit: &Unit| Ghost {
        stance: unit.stance(),
        left: unit.stands.iter().map(|stand| stand.figures).collect(),
        arm: unit.arm,
        morale: unit.morale,
        turn,
        stage,
    };
    let table = &play.battle.table;
    let memory = play.battle.secrets.get_mut(side).open_mut().memory.get_or_insert_default();
    for unit in seen.units.iter().filter_map(|id| table.unit(id)) {
        match unit.on_table() {
            true => _ = memory.ghosts.insert(unit.id.clone(), as_it_is(unit)),
            // LOS-08 It was seen to go.
            false => _ = memory.ghosts.remove(&unit.id),
        }
    }
    if let Some(sights) = &mut play.table_mut().sights {
        *sights.get_mut(side) = seen;
    }
}

/// LOS-08 Ghosts go whose point is in clear sight while the unit is not.
pub(super) fn forget(play: &mut Play<'_>, seen: &BySide<Sights>) {
    for side in Side::BOTH {
        let field = Field::new(play.rules, play.table(), play.dice);
        let Some(memory) = &play.battle.secrets.get(side).open().memory else { continue };
        let unseen = memory.ghosts.iter().filter(|(id, _)| !seen.get(side).units.contains(*id));
        let gone = unseen.filter(|(_, ghost)| {
            let point = Rect::centered(ghost.stance.anchor, Bearing::NORTH, 0, 0);
            sees_clearly(&field, side, &point)
        });
        let gone: Vec<UnitId> = gone.map(|(id, _)| id.clone()).collect();
        if let Some(memory) = &mut play.battle.secrets.get_mut(side).open_mut().memory {
            memory.ghosts.retain(|id, _| !gone.contains(id));
        }
    }
}

/// LOS-08, LOS-17 Whether a unit of a side sees a place without asking a die.
pub(super) fn sees_clearly(field: &Field<'_>, side: Side, place: &Rect) -> bool {
    let (ground, limits) = (field.ground(), field.table.sight_limits());
    let stands = [*place];
    let place = Looker::new(&stands);
    let pair = Pair { fired_upon: false, limits: &limits };
    let mut eyes = field.enemies_outward(side.enemy(), Extent::of(&stands));
    eyes.any(|eye| looks(field, eye) && sight::sees(&ground, &field.table.looker(eye), &place, pair, || 0).seen)
}

/// Who comes in sight of a side, and who is lost from it. LOS-05
#[derive(Default)]
pub(super) struct Change {
    came: Vec<UnitSighted>,
    lost: Vec<UnitId>,
    leaders: Vec<LeaderSighted>,
    leaders_lost: Vec<LeaderId>,
}

impl Change {
    /// From what the side saw until now to what it sees.
    pub(super) fn between(play: &Play<'_>, side: Side, now: &Sights) -> Change {
        let table = play.table();
        let Some(before) = table.sights.as_ref().map(|sights| sights.get(side)) else { return Change::default() };
        let came = now.units.difference(&before.units).filter_map(|id| table.unit(id));
        let lost = before.units.difference(&now.units);
        let leaders = now.leaders.difference(&before.leaders).filter_map(|id| table.leaders.get(id));
        Change {
            came: came.map(|unit| as_it_comes(table, side, now, unit)).collect(),
            lost: lost.cloned().collect(),
            leaders: leaders.map(|leader| LeaderSighted { leader: leader.id.clone(), at: leader.at }).collect(),
            leaders_lost: before.leaders.difference(&now.leaders).cloned().collect(),
        }
    }

    /// LOS-05 Tells it to the side alone; nothing where nothing has changed.
    pub(super) fn tell(self, play: &mut Play<'_>, side: Side, rule: RuleId) {
        if self.came.is_empty() && self.lost.is_empty() && self.leaders.is_empty() && self.leaders_lost.is_empty() {
            return;
        }
        let text = self.in_words(play.table());
        let Change { came, lost, leaders, leaders_lost } = self;
        let fact = Fact::Sighted { came, lost, leaders, leaders_lost };
        play.enter(rule, fact, sentence(text), Audience::Side(side));
    }

    fn in_words(&self, table: &Table) -> String {
        let unit = |id: &UnitId| table.unit(id).map_or_else(|| id.to_string(), |unit| called(&unit.name));
        let man = |id: &LeaderId| table.leaders.get(id).map_or_else(|| id.to_string(), |leader| leader.name.clone());
        let came =
            self.came.iter().map(|came| unit(&came.unit)).chain(self.leaders.iter().map(|came| man(&came.leader)));
        let lost = self.lost.iter().map(unit).chain(self.leaders_lost.iter().map(man));
        let came = came.map(|name| format!("{name} comes in sight"));
        let all: Vec<String> = came.chain(lost.map(|name| format!("{name} is lost from sight"))).collect();
        format!("{}.", named(&all.join("; ")))
    }
}

/// LOS-09 A unit as it comes in sight; its order does not name a third whom the side does not see.
fn as_it_comes(table: &Table, side: Side, now: &Sights, unit: &Unit) -> UnitSighted {
    let knows = |id: &UnitId| table.unit(id).is_none_or(|unit| unit.side == side) || now.units.contains(id);
    UnitSighted {
        unit: unit.id.clone(),
        after: unit.stance(),
        left: unit.stands.iter().map(|stand| stand.figures).collect(),
        morale: unit.morale,
        shown: unit.marks.shown.clone().map(|shown| super::subjects::order_for(shown, &knows)),
    }
}
