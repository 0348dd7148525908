//! What a side's own hidden units would change about the score. SCNV-15, HID-66, HID-78
//!
//! Owns the count that a side is shown apart from that of open facts. Neither side's knows the other's.

use std::collections::BTreeMap;

use protocol::ids::{BySide, FeatureId, Side};

use super::{counted, note_reached, pass_places, scores};
use crate::battle::Score;
use crate::hidden;
use crate::play::Play;

/// SCNV-15 Counts for each side what its hidden units would change if they alone were opened, terms of earlier turns included;
/// `held_before`: who owned the places in the open before this turn.
pub(super) fn count(play: &mut Play<'_>, held_before: &BTreeMap<FeatureId, Option<Side>>) {
    let open = scores(&counted(play));
    for side in Side::BOTH {
        let own = play.battle.secrets.get(side).open();
        let remembers = !own.reached.is_empty() || !own.owned.is_empty() || own.unseen != BySide::default();
        if own.pickets.is_empty() && !remembers {
            continue;
        }
        let (recalled, owned, reached) = (own.unseen.clone(), own.owned.clone(), own.reached.clone());
        let mut behind = Play::new(play.rules, play.dice, hidden::behind(&play.battle, side), play.stage);
        behind.phase = play.phase;
        add(&mut behind.table_mut().score, &recalled);
        // SCNV-06, SCNV-07 What it held or reached in hiding in earlier turns.
        behind.table_mut().held_by.clone_from(held_before);
        behind.table_mut().held_by.extend(owned);
        behind.table_mut().came_true.extend(reached);
        note_reached(&mut behind);
        pass_places(&mut behind);
        let unseen = less(scores(&counted(&behind)), &open);
        let owned = behind.table().held_by.clone();
        let own = play.battle.secrets.get_mut(side).open_mut();
        own.unseen = unseen;
        own.owned = owned;
    }
}

/// Adds points by term.
pub(super) fn add(score: &mut BySide<Score>, more: &BySide<Score>) {
    for side in Side::BOTH {
        for (term, points) in &more.get(side).by_term {
            *score.get_mut(side).by_term.entry(term.clone()).or_default() += points;
        }
    }
}

/// What is left of points by term when others are taken away; terms without a difference are left out.
fn less(mut score: BySide<Score>, others: &BySide<Score>) -> BySide<Score> {
    for side in Side::BOTH {
        for (term, points) in &others.get(side).by_term {
            *score.get_mut(side).by_term.entry(term.clone()).or_default() -= points;
        }
        score.get_mut(side).by_term.retain(|_, points| *points != 0);
    }
    score
}
