//! Cavalry that charges a square. TAC-42
//!
//! Owns the two dice by which it breaks the square or turns away. When they are thrown is [`super::leg`]'s.

use protocol::event::Fact;
use protocol::words::Formation;

use crate::battle::{Unit, UnitIx};
use crate::catalogue::{MOR_41, TAC_42};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, Reckoning, called, named, sentence};
use crate::morale;
use crate::morale::consequence::fall_into_disorder;
use crate::play::Play;
use crate::ruleset::Inches;

/// TAC-38 In square; one in disorder is in square no longer.
pub(super) fn is_square(unit: &Unit) -> bool {
    unit.footing.formation == Formation::Square && !unit.footing.disorder
}

/// TAC-42 Two dice: not above the square's BMP they break it, and it is in disorder; else the distance from it at which the
/// cavalry turns away, thousandths of an inch.
pub(super) fn approach(play: &mut Play<'_>, charger: UnitIx, square: UnitIx) -> Option<i32> {
    let (rider, foot) = (&play.table()[charger], &play.table()[square]);
    let key = [rider.id.as_str(), foot.id.as_str()];
    let first = play.thrown(Purpose::SquareApproach, &key) + 1;
    let count = u32::try_from(play.rules.square.cavalry_approach_dice).unwrap_or(2);
    let mut dice = throw(play.dice, play.phase, Purpose::SquareApproach, &key, first, count);
    let thrown: i32 = dice.faces.iter().map(|face| i32::from(*face)).sum();
    let mut point = Reckoning::of("number that breaks the square");
    point.add(MOR_41, "base morale point of the square", morale::base_point(play.rules, foot));
    let broken = thrown <= point.total();
    dice.needed = Some(format!("at most {}", point.total()));
    let text = match broken {
        true => format!(
            "{} comes on to the square of {} with {thrown}, which is not above {}: the square is broken.",
            named(&rider.name),
            called(&foot.name),
            point.total()
        ),
        false => format!(
            "{} comes on to the square of {} with {thrown}, which is above {}: it turns away {} inches from it.",
            named(&rider.name),
            called(&foot.name),
            point.total(),
            Inches::whole(thrown)
        ),
    };
    let fact = Fact::SquareApproached {
        unit: rider.id.clone(),
        square: foot.id.clone(),
        thrown: thrown.unsigned_abs(),
        broken,
    };
    play.tell(TAC_42, fact, sentence(text).with_sum(&point).with_dice(dice));
    if broken {
        fall_into_disorder(play, square, TAC_42);
        return None;
    }
    Some(Inches::whole(thrown).thousandths())
}
