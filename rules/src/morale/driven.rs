//! Units that an enemy drives from their places without a check: recoiling, thrown back. IDD-11, IDD-12, IDD-17, LEAD-12, MV-14
//!
//! Owns what goes with such a move: the leaders who go along, the friends who are passed through, the guns that stay. How far and
//! why is the caller's.

use protocol::event::{Explanation, Fact};

use super::columns;
use super::consequence::{Going, companions, go_along, leave_guns, pass_through, stand};
use super::flight::{Mover, Placed};
use crate::catalogue::{RuleId, SHK_05};
use crate::explain::Explain;
use crate::field::Field;
use crate::leaders;
use crate::play::Play;
use crate::ruleset::Inches;

/// Moves units from where `field` has them to where they were placed; `tell` gives the rule and the words of each.
pub fn drive(
    play: &mut Play<'_>,
    field: &Field<'_>,
    movers: &[Mover],
    placed: &[Placed],
    tell: impl Fn(&Mover, &Placed) -> (RuleId, Explanation),
) {
    let companions = companions(play, field, movers, Going::AtOnce);
    for (mover, placed) in movers.iter().zip(placed) {
        if mover.body.arm != field.unit(mover.unit).arm {
            leave_guns(play, field, mover.unit);
        }
        let unit = &mut play.table_mut()[mover.unit];
        stand(unit, mover, placed);
        unit.marks.fell_back = true;
        let fact =
            Fact::FellBack { unit: unit.id.clone(), distance: placed.travel.unsigned_abs(), after: unit.stance() };
        let (rule, mut told) = tell(mover, placed);
        if let Some(why) = placed.stopped_by {
            told = told.with_note(SHK_05, format!("it stops short of {} inches: {why}", Inches(mover.distance)));
        }
        play.tell(rule, fact, told);
        // TAC-32
        columns::fall_back_with_lead(play, mover.unit, placed.travel.unsigned_abs());
    }
    for (leader, n, rule) in companions {
        go_along(play, &leader, &movers[n], placed[n].travel, rule);
    }
    for (mover, placed) in movers.iter().zip(placed) {
        pass_through(play, field, mover, &placed.passed);
    }
    leaders::give_way(play);
    leaders::mark_danger(play);
}
