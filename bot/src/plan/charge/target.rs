//! The enemy whom a charge would be made at. CHG-06, ALG-MTE

use protocol::event::Morale;

use crate::geometry::Vector;
use crate::plan::chances;
use crate::plan::situation::{Body, Situation};

/// How far straight ahead an enemy outranks all who stand aside, inches. FIRE-22
const AHEAD: f64 = 12.0;

/// The most threatening enemy within reach, as the unit sees it.
pub(super) fn of<'s>(situation: &'s Situation<'_>, body: &Body) -> Option<&'s Body> {
    let reach = greatest_reach(situation, body);
    let key =
        |enemy: &Body| (enemy.morale == Morale::Routed, zone(body, enemy), body.footprint.distance(&enemy.footprint));
    situation
        .enemies
        .iter()
        .filter(|enemy| body.footprint.distance(&enemy.footprint) <= reach)
        .filter(|enemy| situation.sees(body, enemy))
        .min_by(|one, other| {
            let (a, b) = (key(one), key(other));
            (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)).then_with(|| one.id.cmp(&other.id))
        })
}

/// Rate and all sixes.
fn greatest_reach(situation: &Situation<'_>, body: &Body) -> f64 {
    let terrain = situation.ground.terrain(body.middle());
    let most = chances::bonus(terrain).iter().map(|(inches, _)| *inches).fold(0.0, f64::max);
    situation.ground.pace(body.gait(), body.middle()) * body.rate + if body.charges_before == 0 { most } else { 0.0 }
}

/// 0 straight ahead, 1 at an angle, 2 neither, by the middles of the enemy's stands.
pub(super) fn zone(body: &Body, enemy: &Body) -> u8 {
    let ahead = Vector::along(body.facing);
    let half = body.footprint.width() / 2.0;
    let offsets = || {
        enemy.stands.iter().map(|stand| {
            let offset = stand.minus(body.anchor);
            (offset.dot(ahead), offset.dot(ahead.right()).abs())
        })
    };
    if offsets().any(|(along, across)| (0.0..=AHEAD).contains(&along) && across <= half) {
        0
    } else if offsets().any(|(along, across)| 0.0 <= along && across - half <= along) {
        1
    } else {
        2
    }
}
