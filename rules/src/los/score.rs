//! The score and the holders of places as a side sees them. LOS-18

use protocol::ids::{BySide, Side};

use crate::battle::{Battle, Memory, known};
use crate::play::Play;
use crate::victory;

/// LOS-18 Counts the turn that ends for each side, on the table as it sees it.
pub(crate) fn count(play: &mut Play<'_>) {
    if play.table().sights.is_none() {
        return;
    }
    let seen = BySide::from_fn(|side| {
        let table = known(&play.battle, side).table;
        let mut behind = Play::new(play.rules, play.dice, Battle { table, ..play.battle.clone() }, play.stage);
        behind.phase = play.phase;
        victory::count_what_is_seen(&mut behind);
        let table = behind.battle.table;
        let reached = table.came_true.into_iter().filter(|(key, _)| victory::is_of_reaching(key));
        (table.held_by, reached.collect(), table.score)
    });
    for side in Side::BOTH {
        let (held_by, reached, score) = seen.get(side).clone();
        if let Some(memory) = &mut play.battle.secrets.get_mut(side).open_mut().memory {
            *memory = Memory { held_by, reached, score, ..std::mem::take(memory) };
        }
    }
}
