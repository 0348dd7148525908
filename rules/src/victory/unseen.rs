//! What a side's own hidden units would change about the score. SCNV-15, HID-66, HID-78
//!
//! Owns the count that a side is shown apart from that of open facts. Neither side's knows the other's.

use protocol::ids::{BySide, Side};

use super::{counted, note_reached, pass_places, scores};
use crate::battle::Score;
use crate::hidden;
use crate::play::Play;

/// SCNV-15 Counts for each side what its hidden units would change if they alone were opened, terms of earlier turns included.
pub(super) fn count(play: &mut Play<'_>) {
    let open = scores(&counted(play));
    for side in Side::BOTH {
        let own = play.battle.secrets.get(side).open();
        if own.pickets.is_empty() && own.unseen == BySide::default() {
            continue;
        }
        let recalled = own.unseen.clone();
        let mut behind = Play::new(play.rules, play.dice, hidden::behind(&play.battle, side), play.stage);
        behind.phase = play.phase;
        add(&mut behind.table_mut().score, &recalled);
        note_reached(&mut behind);
        pass_places(&mut behind);
        let unseen = less(scores(&counted(&behind)), &open);
        play.battle.secrets.get_mut(side).open_mut().unseen = unseen;
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
