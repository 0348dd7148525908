//! The exchange of fire: what a unit loses in a turn where it stands, and what it takes in return.
//!
//! A player knows the combat results by heart; here they stand for twelve figures, and others lose in proportion. Dice
//! are thrown in full, since a mean of seven hides that most long shots hit nothing.

use protocol::event::Morale;
use protocol::words::{Arm, Formation};

use crate::geometry::Vector;
use crate::ground::Gait;
use crate::plan::situation::{Body, Situation};

/// What a prone unit that does not fire takes off a volley. TAC-08
const PRONE: i32 = -4;
/// Of two units in front of him an enemy fires at the nearer; so much is left for the others, who may be. FIRE-25
const NOT_THE_NEAREST: f64 = 0.2;
/// Who came nearer last turn may come so much farther than his march in the next, inches: to his normal range.
const COMES_ON: f64 = 4.0;
/// Nor does hard ground make anybody slower than this for certain, inches.
const LEAST_REACH: f64 = 8.0;
/// Who stood last turn may still go in with the bayonet from so near, inches.
const STANDS_OFF: f64 = 6.0;

/// Figures that a volley of twelve takes by its total, the dice and all modifiers. FIRE-31
fn taken(total: i32) -> f64 {
    match total {
        ..=6 => 0.0,
        7 | 8 => 0.5,
        9 | 10 => 1.0,
        11..=13 => 2.0,
        14..=16 => 3.0,
        17 => 4.0,
        18 => 5.0,
        19..=21 => 6.0,
        _ => 7.0,
    }
}

/// What a volley takes on the mean.
pub(super) fn volley(dice: u32, modifier: i32, figures: f64) -> f64 {
    let mut ways = vec![1.0];
    for _ in 0..dice {
        let mut next = vec![0.0; ways.len() + 6];
        for (total, chance) in ways.iter().enumerate() {
            for face in 1..=6 {
                next[total + face] += chance / 6.0;
            }
        }
        ways = next;
    }
    let mean: f64 = ways.iter().zip(0_i32..).map(|(chance, total)| chance * taken(total + modifier)).sum();
    mean * figures / 12.0
}

/// Figures that fire, by the row of the table that a battery uses: eight for three sections.
fn weight_of_fire(body: &Body) -> f64 {
    let figures = if body.is_guns() { body.stands_left * 8.0 / 3.0 } else { body.figures };
    let order = if body.disorder || body.formation == Formation::SkirmishLine { 0.5 } else { 1.0 };
    let saddle = if body.is_mounted() { 0.5 } else { 1.0 };
    figures * order * saddle
}

/// Dice of a volley at this range by a unit that stands; nothing beyond its reach. FIRE-06
fn dice(body: &Body, range: f64) -> u32 {
    let dice: u32 = match range {
        near if near <= body.ranges[0] => 4,
        normal if normal <= body.ranges[1] => 3,
        long if long <= body.ranges[2] => 2,
        _ => 0,
    };
    let less = u32::from(body.morale == Morale::Shaken) + u32::from(body.ammunition_out);
    if dice == 0 { 0 } else { dice.saturating_sub(less) }
}

/// Whether a unit could fire as it stands.
fn fires(body: &Body) -> bool {
    let shape = match body.arm {
        Arm::Artillery => body.formation == Formation::Unlimbered,
        _ => !matches!(body.formation, Formation::MarchColumn | Formation::AttackColumn),
    };
    shape && !body.prone && body.morale != Morale::Routed
}

/// Whether a unit would show any part of its front to another, were its middle at `at`: a line whose end stands at the edge
/// of the woods is shot at for that end.
fn is_seen(situation: &Situation<'_>, firer: &Body, target: &Body, at: Vector) -> bool {
    let by = at.minus(target.middle());
    let [left, right, ..] = target.footprint.corners;
    [at, left.plus(by), right.plus(by)].into_iter().any(|part| situation.ground.sees(firer.middle(), part))
}

/// What one unit's volley at another is worth, figures, were the target at `at`, flat on the ground or not.
fn shot(situation: &Situation<'_>, firer: &Body, target: &Body, at: Vector, prone: bool) -> f64 {
    let range = (firer.middle().distance(at) - 0.6).max(0.0);
    let dice = dice(firer, range);
    if dice == 0 || !fires(firer) || !firer.covers(at) || !is_seen(situation, firer, target, at) {
        return 0.0;
    }
    let covers = situation.ground.cover(at, firer.middle());
    // Shot and shell care half as much for wood and stone.
    let cover = if firer.is_guns() { covers / 2.0 } else { covers };
    let exposed = match target.formation {
        Formation::MarchColumn | Formation::AttackColumn | Formation::Limbered => 2,
        _ if target.disorder || target.is_mounted() => 2,
        Formation::DoubleLine => 1,
        Formation::DismountedLine => -2,
        _ => 0,
    };
    let flank = if target.covers(firer.middle()) || at.distance(target.middle()) > 0.5 { 0 } else { 2 };
    let modifier = exposed + flank - cover.round() as i32 + if prone { PRONE } else { 0 };
    volley(dice, modifier, weight_of_fire(firer))
}

/// Figures that a unit stands to lose in a turn with its middle at a place, by what the enemy has in reach of it now.
pub(super) fn exposure(situation: &Situation<'_>, body: &Body, at: Vector, prone: bool) -> f64 {
    let loss = |enemy: &Body| {
        let all = shot(situation, enemy, body, at, prone);
        if all <= 0.0 {
            return 0.0;
        }
        let far = enemy.middle().distance(at);
        let nearer = situation.own.iter().any(|other| {
            other.id != body.id && enemy.middle().distance(other.middle()) < far && enemy.covers(other.middle())
        });
        if nearer { all * NOT_THE_NEAREST } else { all }
    };
    situation.threats().map(loss).sum()
}

/// Figures that a unit's best shot from where it stands takes.
pub(super) fn returned(situation: &Situation<'_>, body: &Body) -> f64 {
    let up = Body { prone: false, ..body.clone() };
    situation
        .threats()
        .filter(|enemy| !situation.is_masked(&up, enemy))
        .map(|enemy| shot(situation, &up, enemy, enemy.middle(), enemy.prone))
        .fold(0.0, f64::max)
}

/// Whether no enemy on foot or horse can come to close quarters with a unit in this turn, as far as anybody can tell: who
/// stood last turn is thought to stand, who moved to move.
pub(super) fn is_quiet(situation: &Situation<'_>, body: &Body) -> bool {
    situation.threats().filter(|enemy| !enemy.is_guns()).all(|enemy| {
        let march = if enemy.is_mounted() { 12.0 } else { 6.0 };
        let pace = situation.ground.pace(Gait::Line, enemy.middle());
        let reach = if enemy.stood { STANDS_OFF } else { (march * pace + COMES_ON).max(LEAST_REACH) };
        reach < body.footprint.distance(&enemy.footprint)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_dice_of_twelve_figures_take_half_a_figure_and_hardly_anything_of_men_on_their_bellies() {
        // 7 and 8 take a half in 6 and 5 ways, 9 and 10 one in 4 and 3, 11 and 12 two in 2 and 1: 18.5 of 36.
        assert!((volley(2, 0, 12.0) - 18.5 / 36.0).abs() < 1e-9);
        // With four less only 11 and 12 do anything, a half in three ways.
        assert!((volley(2, PRONE, 12.0) - 1.5 / 36.0).abs() < 1e-9);
    }

    #[test]
    fn twice_the_figures_take_twice_as_many() {
        assert!((volley(3, 1, 24.0) - 2.0 * volley(3, 1, 12.0)).abs() < 1e-9);
    }
}
